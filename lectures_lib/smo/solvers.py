"""Sequential minimal optimisation: solve the SVM's dual two multipliers at a time (L4).

The functions take a Gram matrix and return alpha; `svm` chooses b and computes the certificate.
`platt` is the algorithm as it is taught; `fast` takes a kernel and data, and computes only the rows
of the Gram matrix that it needs. All but `platt` work on beta_i = alpha_i y_i, which lies in [0, C]
for a positive example and in [-C, 0] for a negative one:

    maximise  y.beta - half beta'K beta   subject to  sum beta = 0,  low <= beta <= high

F = y - K beta is what the data still asks for. At the optimum F_i <= b where beta_i can grow
and F_i >= b where it can shrink; a pair that breaks this can be improved.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .._door import door
from ..conventions import (
    OneLine,
    as_floats,
    check_cost,
    check_count,
    check_labels,
    check_number,
    check_positive,
)
from ..fast.loop64 import second_order as _second_order
from ..fast.row_cache import ROUNDING, Rows, add_rows
from ..fast.subproblems import descend
from ..kernels import Kernel
from ..kernels.checks import check_pairs
from .loops import _extremes, _first_order, _platt

#: How often F may be computed again where rounding hid a violation.
AFRESH = 10
#: A gap is sought with violations down to this share of what was asked for.
LEAST = 1e-6
#: F counts as exact if its rounding errors are below this part of tol.
ROUNDED = 0.01
#: What an answer that did not reach its tolerance should be told.
ADVICE = "stopped early: scale the features to similar sizes, lower C, or allow more iterations"


@dataclass(frozen=True, eq=False, repr=False)
class SMORun(OneLine):
    """An answer of SMO."""

    alpha: np.ndarray  #: (n,) 0 <= alpha <= C
    violation: float  #: the largest F_i - F_j over pairs that could still be improved
    iterations: int  #: pairs moved
    reached_tol: bool  #: violation <= tol; of `platt`, which asks for tol on each side of b, 2 tol
    F: np.ndarray  #: (n,) y - K (alpha y) of the K that was held, rounding errors far below tol

    @property
    def message(self) -> str:
        """What happened, in words."""
        how = "reached its tolerance" if self.reached_tol else ADVICE
        return f"{how}; violation {self.violation:.3g} after {self.iterations} steps"


@door
def platt(
    K: ArrayLike,
    y: ArrayLike,
    C: float,
    *,
    tol: float = 1e-3,
    max_iterations: int = 1_000_000,
) -> SMORun:
    """Run SMO as Platt (1999) tells it, for a Gram matrix K.

    Sweep over the examples; where one breaks its condition by more than `tol`, pair it with the
    one whose error differs most, else with any other; solve the pair exactly. Sweeps over all
    examples alternate with sweeps over those with 0 < alpha < C.

    Parameters
    ----------
    K, y : (n, n) the Gram matrix and (n,) the labels
    C : the price of slack
    tol : how far an example may break its condition
    max_iterations : steps at most

    Examples
    --------
    >>> K, y = np.array([[1.0, -1.0], [-1.0, 1.0]]), [1, -1]
    >>> smo.platt(K, y, 1.0).alpha
    array([0.5, 0.5])
    """
    K, y = _check(K, y, C, tol)
    alpha, E = np.zeros(len(y)), -y  # E_i = f(x_i) - y_i, and f = 0 at the start
    steps = _platt(
        K, y, float(C), float(tol), check_count(max_iterations, "max_iterations"), alpha, E
    )
    F = y - K @ (alpha * y)
    _, _, top, bottom = _extremes(F, alpha * y, *_box(y, C))
    return SMORun(alpha, top - bottom, steps, bool(top - bottom <= 2 * tol), F)


@door
def most_violating(
    K: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike,
    *,
    tol: float = 1e-3,
    max_iterations: int = 10_000_000,
) -> SMORun:
    """Move the pair that breaks the conditions most (Keerthi et al. 2001).

    Parameters
    ----------
    K, y : (n, n) the Gram matrix and (n,) the labels
    C : the price of slack, one or one per example
    tol : the largest violation that may be left
    max_iterations : steps at most

    Examples
    --------
    >>> K, y = np.array([[1.0, -1.0], [-1.0, 1.0]]), [1, -1]
    >>> smo.most_violating(K, y, 1.0).alpha
    array([0.5, 0.5])
    """
    return _run(_first_order, K, y, C, tol, max_iterations)


@door
def second_order(
    K: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike,
    *,
    tol: float = 1e-3,
    max_iterations: int = 10_000_000,
    start: ArrayLike | None = None,
) -> SMORun:
    """Move the worst i with the j that gains most by the curvature (Fan, Chen, Lin 2005).

    `start` is a feasible alpha to begin with: the answer for a neighbouring C or kernel.

    Parameters
    ----------
    K, y, C, tol, max_iterations : as in `most_violating`
    start : a feasible alpha to begin with; default 0

    Examples
    --------
    >>> K, y = np.array([[1.0, -1.0], [-1.0, 1.0]]), [1, -1]
    >>> smo.second_order(K, y, 1.0).alpha
    array([0.5, 0.5])
    """
    return _run(_second_order, K, y, C, tol, max_iterations, start)


def second_order_of_valid(
    K: np.ndarray,
    y: np.ndarray,
    C: float | np.ndarray,
    *,
    tol: float,
    max_iterations: int = 10_000_000,
    start: np.ndarray | None = None,
    gap: float | None = None,
) -> SMORun:
    """Do as `second_order` for checked labels and the Gram matrix of a valid kernel, unchecked.

    To compare all pairs of K takes as long as to solve the problem, and theory vouches for them.
    `gap` is that of `fast`.
    """
    return _labelled(_of_valid(K, y), y, C, tol, max_iterations, start, gap)


@door
def fast(
    kernel: Kernel,
    X: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike,
    *,
    tol: float = 1e-3,
    memory: int = 2**30,
    max_iterations: int = 10_000_000,
    start: ArrayLike | None = None,
    ridge: float | np.ndarray = 0.0,
    gap: float | None = None,
    single: bool = False,
) -> SMORun:
    """Solve as `second_order` does, for large n: in sub-problems, with rows of K as needed.

    At most `memory` bytes of K are held at a time; rows that were not used for longest go first.
    `ridge` is added to the diagonal of K: C = inf with ridge 1 / (2 C') is the squared hinge.

    Parameters
    ----------
    kernel, X : K is the kernel's on the rows of X
    y, C, tol, max_iterations, start : as in `second_order`
    memory : bytes of K that may be held
    ridge : is added to the diagonal of K
    gap : go on, with a smaller `tol`, until the duality gap is at most this share of the dual
    single : hold K of a Gaussian in single precision: half of the time and memory, but F and the
        violation are those of a K whose entries are off by some 1e-6

    Examples
    --------
    >>> X, y = datasets.noisy(300)
    >>> smo.fast(kernels.Gaussian(0.5), X, y, 1.0).reached_tol
    True
    """
    X, y = _check_data(kernel, X, y, C, tol, memory, ridge)
    rows = Rows(kernel, X, int(memory), ridge, bool(single))

    def loop(*arguments):
        return descend(rows, *arguments)

    ways = loop, rows.times, lambda: rows.error
    return _labelled(ways, y, C, tol, max_iterations, start, gap)


def boxed(
    K: np.ndarray,
    target: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    *,
    tol: float,
    max_iterations: int,
) -> np.ndarray:
    """Maximise target.beta - half beta'K beta over low <= beta <= high, sum beta = 0; return beta.

    Unchecked. 0 is in the box. With 2n targets each of the n examples stands twice, as in support
    vector regression: once to be pulled up, once to be pulled down.
    """
    ways = _in_memory(_second_order, K)
    return _repeat(ways, target, low, high, np.zeros(len(target)), tol, max_iterations)[0]


def _run(loop, K, y, C, tol, max_iterations, start=None) -> SMORun:
    K, y = _check(K, y, C, tol)
    return _labelled(_in_memory(loop, K), y, C, tol, max_iterations, start)


def _in_memory(loop, K) -> tuple[Callable, Callable, Callable]:
    """Return what `_repeat` asks for: the steps of the loop on K, K beta, and F's rounding."""

    def steps(*arguments):
        return loop(K, *arguments)[0]

    def times(beta):
        entries = beta.reshape(-1, len(K))  # more than one row: examples that stand more than once
        return np.tile(_combined(K, entries.sum(axis=0)), len(entries))

    return steps, times, lambda: np.inf


def _of_valid(K: np.ndarray, y: np.ndarray) -> tuple[Callable, Callable, Callable]:
    """Return what `_repeat` asks for, of a valid kernel: it bounds the rounding errors of F.

    No step lowers the dual value y.beta - half norm(w)^2, so that norm(w)^2 is never above twice
    the room for y.beta, less what the dual value began with. By Cauchy-Schwarz that bounds the
    scores, and F. A step rounds an F three times, relative to F before and after; and two beta.
    """
    loop, times, _ = _in_memory(_second_order, K)
    size, error = float(K.diagonal().max()), 0.0

    def steps(low, high, beta, F, *goal):
        nonlocal error
        room = np.sum(high - low) - min(0.5 * float(beta @ (y + F)), 0.0)
        largest = 6.0 * (1.0 + np.sqrt(2.0 * size * room)) + 2.0 * size * np.max(high - low)
        made = loop(low, high, beta, F, *goal)
        error += ROUNDING * made * largest if made else 0.0
        return made

    def afresh(beta):
        nonlocal error
        error = 0.0
        return times(beta)

    return steps, afresh, lambda: error


def _combined(K: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Return K beta; of a symmetric K, if beta is sparse, from the rows that matter alone."""
    rows = np.flatnonzero(beta)
    if 2 * len(rows) > len(K):
        return K @ beta
    scores = np.zeros(len(K))
    add_rows(K, rows, beta[rows], scores)
    return scores


def _labelled(ways, y, C, tol, max_iterations, start, gap=None) -> SMORun:
    """Solve the SVM's dual for labels y, from `start`, and to this `gap`."""
    low, high = _box(y, C)
    beta = np.zeros(len(y)) if start is None else _feasible(start, y, low, high)

    def finer(beta, F):
        found = 0.0 if gap is None else relative_gap(beta, F, y, C)
        return 1.0 if gap is None or found <= gap else float(np.clip(0.7 * gap / found, 0.03, 0.5))

    found = _repeat(ways, y, low, high, beta, tol, max_iterations, finer)
    beta, F, violation, steps = found
    return SMORun(y * beta, violation, steps, bool(violation <= tol), F)


def _repeat(ways, target, low, high, beta, asked, max_iterations, finer=None):
    """Run the loop; again, where the rounding errors of its own F hid a violation.

    And again, for a smaller violation than is asked for, while `finer` (of beta and F) returns a
    factor below 1: it shrinks what it watches about as much. Return beta, F, violation and steps.
    """
    loop, times, error = ways
    steps, most = 0, check_count(max_iterations, "max_iterations")
    F, tol = target - times(beta), asked
    for again in range(AFRESH + 1):
        _, _, top, bottom = _extremes(F, beta, low, high)
        if top - bottom <= tol and finer is not None:
            tol = max(min(tol, top - bottom) * finer(beta, F), LEAST * asked)
        if top - bottom <= tol or steps >= most or again == AFRESH:
            break
        before = beta.copy(), F.copy()
        with np.errstate(over="ignore", invalid="ignore"):  # looked at below
            steps += loop(low, high, beta, F, float(tol), most - steps)
            if error() > ROUNDED * tol:
                F = target - times(beta)
        if not np.isfinite(F).all():  # scores beyond all floats: back to where they were not
            beta, F = before
            break
    return beta, F, top - bottom, steps


def relative_gap(beta: np.ndarray, F: np.ndarray, y: np.ndarray, C: float | np.ndarray) -> float:
    """Return (primal - dual) / dual of the hinge loss, from F = y - K beta: an estimate, no proof.

    The slacks are y (F - b) where that is positive, norm(w)^2 is beta.(y - F): the gap is
    C sum xi - beta.F. One b for all examples of one C is best with as many F below it as positives.
    """
    positives = int(np.sum(y > 0))
    b = np.partition(F, positives - 1)[positives - 1] if positives else F.min()
    dual = 0.5 * (beta @ (y + F))
    return float((np.sum(C * np.maximum(y * (F - b), 0.0)) - beta @ F) / dual) if dual > 0 else 0.0


def _check(K, y, C: float | ArrayLike, tol: float) -> tuple[np.ndarray, np.ndarray]:
    K = np.ascontiguousarray(K)
    if K.dtype.kind not in "biuf":
        raise ValueError(f"K must hold real numbers, not {K.dtype}.")
    if K.dtype not in (np.float32, np.float64):
        K = as_floats(K, "K")
    y = check_labels(y, len(K))
    if K.shape != (len(y), len(y)):
        raise ValueError(f"K has shape {K.shape}; a Gram matrix of {len(y)} examples is square.")
    if not (np.isfinite(K.min()) and np.isfinite(K.max())):
        raise ValueError("K contains NaN or infinity: check the data and the kernel.")
    check_pairs(K)
    _check_goal(C, len(y), tol)
    return K, y


def _check_data(kernel, X, y, C, tol, memory, ridge) -> tuple[np.ndarray, np.ndarray]:
    if not isinstance(kernel, Kernel):
        raise ValueError(f"kernel must be a kernel, not {kernel!r}; wrap functions: Function(f).")
    X = kernel.check(X)
    y = check_labels(y, len(X))
    _check_goal(C, len(y), tol)
    check_number(memory, "memory", 32 * len(y), why=", the bytes of four rows of K")
    if np.shape(ridge) not in ((), y.shape) or not np.all((0 <= ridge) & (ridge < np.inf)):
        raise ValueError(f"ridge must be a number >= 0, or one per example; not {ridge!r}.")
    return X, y


def _check_goal(C: float | ArrayLike, n: int, tol: float) -> None:
    check_cost(C, n)
    check_positive(tol, "tol")


def _box(y: np.ndarray, C: float | ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    C = np.broadcast_to(np.asarray(C, dtype=float), y.shape)
    return np.where(y > 0, 0.0, -C), np.where(y > 0, C, 0.0)


def _feasible(start, y, low, high) -> np.ndarray:
    alpha = np.asarray(start, dtype=float)
    beta = alpha * y if alpha.shape == y.shape else np.full(y.shape, np.nan)
    if not ((low <= beta) & (beta <= high) & np.isfinite(beta)).all():
        raise ValueError("start must hold one alpha in [0, C] for each example.")
    if abs(beta.sum()) > 1e-8 * max(np.abs(beta).max(), 1e-300):
        raise ValueError("start must satisfy sum alpha y = 0.")
    return beta
