"""The perceptron and the averaged perceptron in less time: the same mistakes, the same weights.

Compiled, a pass is one of `passes`; without numba it is the lesson's.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._arguments import explained
from .._jit import COMPILED
from ..conventions import Tie, check_count
from ..perceptron.linear import averaged_run, begin, no_mistake, plain_run
from ..perceptron.passes import averaged_pass, one_pass
from ..perceptron.runs import AveragedRun, PerceptronRun
from .passes import fast_averaged_pass, fast_pass
from .sparse_perceptrons import (
    averaged_sparse_pass,
    begin_sparse,
    one_sparse_pass,
    sparse_mistake_free,
)


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
    quick_pass, found = one_sparse_pass if thin else _quickest(one_pass, fast_pass, X), []
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
    quick = averaged_sparse_pass if thin else _quickest(averaged_pass, fast_averaged_pass, X)
    for _ in range(check_count(epochs, "epochs")):
        found.append(quick(X, y, next(passes), tie_label, w, total))
    clean = sparse_mistake_free if thin else no_mistake
    return averaged_run(X, y, w, total, tie_label, found, clean=clean)


def _quickest(plain: Callable, quick: Callable, X: np.ndarray) -> Callable:
    """Return one of two passes that make the same mistakes: compiled, the quick one."""
    if not COMPILED:
        return plain
    largest = float(max(X.max(), -X.min()))
    return lambda *arguments: quick(*arguments, largest)


def _in_vain(found: list[np.ndarray], patience: int | None) -> bool:
    """Return whether none of the last `patience` passes made fewer mistakes than one before."""
    if patience is None or len(found) <= check_count(patience, "patience"):
        return False
    sizes = [mistakes.size for mistakes in found]
    return min(sizes[-patience:]) >= min(sizes[:-patience])
