"""The solvers of `smo`, from checked arrays to an `SMORun`."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from .._result import Result
from ..conventions import (
    OneLine,
    as_floats,
    check_cost,
    check_count,
    check_labels,
    check_positive,
)
from ..kernels.checks import check_pairs
from .loops import extremes, first_order_loop, platt_loop, second_order_loop

#: How often F may be computed again where rounding hid a violation.
AFRESH = 10
#: What to do about an answer that did not reach its tolerance.
ADVICE = "stopped early: scale the features to similar sizes, lower C, or allow more iterations"


@dataclass(frozen=True, eq=False, repr=False)
class SMORun(OneLine, Result):
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


@explained
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
    K, y = check_problem(K, y, C, tol)
    alpha, F = np.zeros(len(y)), y.copy()  # F = y - K (alpha y), and alpha = 0 at the start
    most = check_count(max_iterations, "max_iterations")
    steps = platt_loop(K, y, float(C), float(tol), most, alpha, F)
    F = y - K @ (alpha * y)
    _, _, top, bottom = extremes(F, alpha * y, *box(y, C))
    return SMORun(alpha, top - bottom, steps, bool(top - bottom <= 2 * tol), F)


@explained
def most_violating(
    K: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike,
    *,
    tol: float = 1e-3,
    max_iterations: int = 1_000_000,
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
    return _run(first_order_loop, K, y, C, tol, max_iterations)


@explained
def second_order(
    K: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike,
    *,
    tol: float = 1e-3,
    max_iterations: int = 1_000_000,
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
    return _run(second_order_loop, K, y, C, tol, max_iterations, start)


def _run(loop: Callable, K, y, C, tol, max_iterations, start=None) -> SMORun:
    K, y = check_problem(K, y, C, tol)
    low, high = box(y, C)
    beta = np.zeros(len(y)) if start is None else feasible(start, y, low, high)
    most = check_count(max_iterations, "max_iterations")
    beta, F, violation, steps = _repeat(loop, K, y, low, high, beta, tol, most)
    return SMORun(y * beta, violation, steps, bool(violation <= tol), F)


def boxed(
    K: np.ndarray,
    target: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    *,
    tol: float,
    max_iterations: int,
    start: np.ndarray | None = None,
) -> np.ndarray:
    """Maximise target.beta - half beta'K beta over low <= beta <= high, sum beta = 0; return beta.

    Unchecked. 0 is in the box, and `start`, where it is given, is feasible. With 2n targets each of
    the n examples stands twice, as in support vector regression: once to be pulled up, once to be
    pulled down.
    """
    most = check_count(max_iterations, "max_iterations")
    beta = np.zeros(len(target)) if start is None else np.array(start, dtype=float)
    return _repeat(second_order_loop, K, target, low, high, beta, tol, most)[0]


def _repeat(loop: Callable, K, target, low, high, beta, tol, most: int):
    """Run the loop; again, from an F computed afresh, where rounding errors hid a violation.

    Return beta, F, the violation and the number of steps.
    """
    before, steps = (beta, target), 0
    for again in range(AFRESH + 1):
        entries = beta.reshape(-1, len(K))  # several rows: examples that stand more than once
        with np.errstate(over="ignore", invalid="ignore"):  # looked at below
            F = target - np.tile(K @ entries.sum(axis=0), len(entries))
        if again and not np.isfinite(F).all():  # scores beyond all floats: back to the last others
            beta, F = before
            break
        _, _, top, bottom = extremes(F, beta, low, high)
        if top - bottom <= tol or steps >= most or again == AFRESH:
            break
        before = beta.copy(), F
        with np.errstate(over="ignore", invalid="ignore"):
            steps += loop(K, low, high, beta, F.copy(), float(tol), most - steps)[0]
    return beta, F, top - bottom, steps


def check_problem(
    K: ArrayLike, y: ArrayLike, C: float | ArrayLike, tol: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return K and y as arrays that fit, or say what is wrong with them."""
    K = np.ascontiguousarray(K)
    if K.dtype.kind not in "biuf":
        raise BadArgument(f"K must hold real numbers, not {K.dtype}.")
    K = as_floats(K, "K")
    y = check_labels(y, len(K))
    if K.shape != (len(y), len(y)):
        raise BadArgument(f"K has shape {K.shape}; a Gram matrix of {len(y)} examples is square.")
    if not (np.isfinite(K.min()) and np.isfinite(K.max())):
        raise BadArgument("K contains NaN or infinity: check the data and the kernel.")
    check_pairs(K)
    check_goal(C, len(y), tol)
    return K, y


def check_goal(C: float | ArrayLike, n: int, tol: float) -> None:
    """Refuse a price of slack or a tolerance that is none."""
    top = np.asarray(C)  # without an upper end, as for the squared hinge: any will do
    every = top.ndim == 1 and top.dtype.kind == "f" and len(top) == n
    check_cost(np.where(top == np.inf, 1.0, top) if every else C, n, spare=True)
    check_positive(tol, "tol")


def box(y: np.ndarray, C: float | ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the bounds of beta = alpha y."""
    C = np.broadcast_to(np.asarray(C, dtype=float), y.shape)
    return np.where(y > 0, 0.0, -C), np.where(y > 0, C, 0.0)


def feasible(start: ArrayLike, y: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return beta of an alpha to begin with, or say what is wrong with it."""
    alpha = np.asarray(start, dtype=float)
    beta = alpha * y if alpha.shape == y.shape else np.full(y.shape, np.nan)
    if not ((low <= beta) & (beta <= high) & np.isfinite(beta)).all():
        raise BadArgument("start must hold one alpha in [0, C] for each example.")
    if abs(beta.sum()) > 1e-8 * max(np.abs(beta).max(), 1e-300):
        raise BadArgument("start must satisfy sum alpha y = 0.")
    return beta
