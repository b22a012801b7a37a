"""The perceptron and the averaged perceptron in less time: the same mistakes, the same weights.

Compiled, a pass is one of `passes`; without numba it is the lesson's. Sparse rows are never made
dense: row i of X has the entries data[start[i]:start[i + 1]] at the places of the same numbers, in
rising order. What is 0 adds nothing to a sum: mistakes and weights are those of the dense rows, to
the bit. The sum of all weights is not: w is added up where it changes, not after each example.
"""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._arguments import explained
from .._jit import COMPILED, jit
from ..conventions import Tie, check_choice, check_count, check_vector, orders
from ..linear.problem import sparse_examples
from ..perceptron.linear import (
    TIE_LABEL,
    averaged_pass,
    averaged_run,
    begin,
    one_pass,
    plain_run,
)
from ..perceptron.runs import AveragedRun, PerceptronRun
from ..proof.rounding import enclosed_product, no_mistake
from .passes import fast_pass


@explained
def perceptron(
    X: ArrayLike,
    y: ArrayLike,
    *,
    max_epochs: int = 1000,
    tie: Tie = "mistake",
    order: ArrayLike | None = None,
    rng: int | np.random.Generator | None = None,
    start: ArrayLike | None = None,
    patience: int | None = None,
) -> PerceptronRun:
    """Run `perceptron.perceptron` in less time; the run keeps no history of its weights.

    Parameters
    ----------
    X, y, max_epochs, tie, order, rng, start : as in `perceptron.perceptron`; X may be sparse
    patience : give up after this many passes with no fewer mistakes than before; default never

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> fast.perceptron(X, y).w
    array([3., 1.])
    """
    thin = sparse.issparse(X)
    X, y, passes, w, tie_label = (begin_sparse if thin else begin)(X, y, order, rng, start, tie)
    quick_pass, found = one_sparse_pass if thin else _quickest(one_pass, X), []
    for _ in range(check_count(max_epochs, "max_epochs")):
        found.append(quick_pass(X, y, next(passes), tie_label, w))
        if found[-1].size == 0 or _in_vain(found, patience):
            break
    clean = sparse_mistake_free if thin else no_mistake
    return plain_run(X, y, w, tie_label, found, shuffled=rng is not None, clean=clean)


@explained
def averaged_perceptron(
    X: ArrayLike,
    y: ArrayLike,
    *,
    epochs: int = 1,
    tie: Tie = "mistake",
    order: ArrayLike | None = None,
    rng: int | np.random.Generator | None = None,
    start: ArrayLike | None = None,
) -> AveragedRun:
    """Run `perceptron.averaged_perceptron` in less time.

    Parameters
    ----------
    X, y, epochs, tie, order, rng, start : as in `perceptron.averaged_perceptron`; X may be sparse

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> print(fast.averaged_perceptron(X, y, epochs=2).w)
    [2.5        0.16666667]
    """
    thin = sparse.issparse(X)
    X, y, passes, w, tie_label = (begin_sparse if thin else begin)(X, y, order, rng, start, tie)
    total, found = np.zeros(X.shape[1]), []
    quick = averaged_sparse_pass if thin else _quickest(averaged_pass, X)
    for _ in range(check_count(epochs, "epochs")):
        found.append(quick(X, y, next(passes), tie_label, w, total))
    clean = sparse_mistake_free if thin else no_mistake
    return averaged_run(X, y, w, total, tie_label, found, clean=clean)


def _quickest(plain: Callable, X: np.ndarray) -> Callable:
    """Return a pass, compiled the quick one that makes the same mistakes."""
    if not COMPILED:
        return plain
    largest = float(max(X.max(), -X.min()))
    if plain is one_pass:
        return lambda *given: fast_pass(*given, largest)[0]
    return lambda *given: fast_pass(*given[:-1], largest, given[-1])


def _in_vain(found: list[np.ndarray], patience: int | None) -> bool:
    """Return whether none of the last `patience` passes made fewer mistakes than one before."""
    if patience is None or len(found) <= check_count(patience, "patience"):
        return False
    sizes = [mistakes.size for mistakes in found]
    return min(sizes[-patience:]) >= min(sizes[:-patience])


@jit
def _score(w, data, places, first, last):
    """Return w.x, added up from left to right."""
    total = 0.0
    for k in range(first, last):
        total += w[places[k]] * data[k]
    return total


@jit
def sparse_pass(data, places, start, y, order, tie_label, w):
    """Pass as `perceptron.one_pass` does; return the mistakes, and the round of each."""
    mistakes, rounds, m = np.empty(order.size, np.intp), np.empty(order.size, np.intp), 0
    for t in range(order.size):
        i = order[t]
        u = _score(w, data, places, start[i], start[i + 1])
        if y[i] * u < 0 or (u == 0 and y[i] != tie_label):
            for k in range(start[i], start[i + 1]):
                w[places[k]] += y[i] * data[k]
            mistakes[m], rounds[m] = i, t
            m += 1
    return mistakes[:m].copy(), rounds[:m].copy()


def begin_sparse(
    X: sparse.csr_matrix,
    y: ArrayLike,
    order: ArrayLike | None,
    rng: int | np.random.Generator | None,
    start: ArrayLike | None,
    tie: Tie,
) -> tuple:
    """Return what `perceptron.linear.begin` does, of sparse rows."""
    X, y = sparse_examples(X, y)
    w = np.zeros(X.shape[1]) if start is None else check_vector(start, X.shape[1], "start")
    return X, y, orders(X.shape[0], order, rng), w, TIE_LABEL[check_choice(tie, TIE_LABEL, "tie")]


def _entries(X: sparse.csr_matrix) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the three arrays of sparse rows; an index that may be negative takes a comparison."""
    if X.indices.dtype != np.int32:
        return X.data, X.indices, X.indptr
    return X.data, X.indices.view(np.uint32), X.indptr.view(np.uint32)


def one_sparse_pass(
    X: sparse.csr_matrix, y: np.ndarray, order: np.ndarray, tie_label: float, w: np.ndarray
) -> np.ndarray:
    """Go once through the rows of X; change `w`, return the mistakes."""
    return sparse_pass(*_entries(X), y, order, tie_label, w)[0]


def averaged_sparse_pass(
    X: sparse.csr_matrix,
    y: np.ndarray,
    order: np.ndarray,
    tie_label: float,
    w: np.ndarray,
    total: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Pass likewise, and add the weights after each example to `total`.

    Those before the pass count n times, and the change of round t as often as rounds are left.
    """
    total += len(order) * w
    mistakes, rounds = sparse_pass(*_entries(X), y, order, tie_label, w)
    total += X[mistakes].T @ ((len(order) - rounds) * y[mistakes])
    return mistakes, rounds


def sparse_mistake_free(
    X: sparse.csr_matrix, y: np.ndarray, w: np.ndarray, tie_label: float
) -> bool:
    """Return whether w makes no mistake on exact scores; doubtful rows are decided exactly."""
    score, error = enclosed_product(X, w)
    doubtful = np.flatnonzero(~(np.abs(score) > error))
    sure = np.delete(np.arange(len(y)), doubtful)
    if (y[sure] * score[sure] < 0).any():
        return False
    sides = (_exact_sign(X[i], w) for i in doubtful)
    return all((side or tie_label) * y[i] > 0 for i, side in zip(doubtful, sides))


def _exact_sign(x: sparse.csr_matrix, w: np.ndarray) -> float:
    """Return the sign of w.x for one row, decided without rounding."""
    entries = zip(x.data.tolist(), w[x.indices].tolist())
    score = sum((Fraction(a) * Fraction(b) for a, b in entries), Fraction(0))
    return float((score > 0) - (score < 0))
