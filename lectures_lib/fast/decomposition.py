"""SMO for many examples: sub-problems, rows of K as needed, and the gap as its goal.

`smo.second_order` moves pairs until none breaks the conditions by more than tol. Here the loop goes
on until the duality gap itself is small, and F is only computed afresh where its rounding errors,
which are bounded on the way, could matter.

At the optimum most examples rest at a bound. Only the free ones, and the few that most want to
leave their bound, make a sub-problem; the others are shrunk away. Pairs move within it, chosen by
the second order, on a part of K that fits into the processor's cache. Then F of all examples is
brought up to date, from the rows of K of those that moved; rows of free examples are kept, because
these move again.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from .._jit import COMPILED
from ..conventions import check_count, check_labels, check_number
from ..kernels import Kernel
from ..proof.rounding import UNIT
from ..smo import AFRESH, SMORun, box, check_goal, extremes, feasible, second_order_loop
from . import loop32, loop64
from .row_cache import HeldRows, RowCache, add_rows, finite_size

#: A gap is sought with violations down to this share of the one that was asked for.
LEAST_TOL = 1e-6
#: Up to this n a K that is held is one sub-problem.
ONE_PROBLEM = 1_500
#: F counts as exact if its rounding errors are below this part of tol.
ROUNDED = 0.01


class Steps(NamedTuple):
    """How a solver moves: its loop, K beta, and a bound of F's rounding errors since then."""

    loop: Callable[..., int]
    times: Callable[[np.ndarray], np.ndarray]
    error: Callable[[], float]


@explained
def smo(
    kernel: Kernel,
    X: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike,
    *,
    tol: float = 1e-3,
    memory: int = 2**30,
    max_iterations: int = 10_000_000,
    start: ArrayLike | None = None,
    gap: float | None = None,
    single: bool = False,
) -> SMORun:
    """Solve as `smo.second_order` does, for large n: in sub-problems, with rows of K as needed.

    At most `memory` bytes of K are held at a time; rows that were not used for longest go first.
    Without numba the whole of K is held, in double precision, and the lesson's loop runs on it.

    Parameters
    ----------
    kernel, X : K is the kernel's on the rows of X
    y, C, tol, max_iterations, start : as in `smo.second_order`
    memory : bytes of K that may be held
    gap : go on, with a smaller `tol`, until the duality gap is at most this share of the dual
    single : hold K of a Gaussian in single precision: half of the time and memory, but F and the
        violation are those of a K whose entries are off by some 1e-6

    Examples
    --------
    >>> X, y = datasets.noisy(300)
    >>> fast.smo(kernels.Gaussian(0.5), X, y, 1.0).reached_tol
    True
    """
    if not isinstance(kernel, Kernel):
        raise BadArgument(f"kernel must be a kernel, not {kernel!r}; wrap functions: Function(f).")
    X = kernel.check(X)
    y = check_labels(y, len(X))
    check_goal(C, len(y), tol)
    steps = steps_by_rows(kernel, X, memory=memory, single=single)
    return solved(steps, y, C, tol=tol, max_iterations=max_iterations, start=start, gap=gap)


def steps_by_rows(
    kernel: Kernel,
    X: np.ndarray,
    ridge: float | np.ndarray = 0.0,
    *,
    memory: int = 2**30,
    single: bool = False,
) -> Steps:
    """Return the steps in sub-problems, from rows of K; `ridge` is added to the diagonal of K.

    Where nothing is compiled, those of the lesson's loop on the whole of K.
    """
    check_number(memory, "memory", 32 * X.shape[0], why=", the bytes of four rows of K")
    if COMPILED:
        return _of_rows(RowCache(kernel, X, int(memory), ridge, bool(single)))
    K = kernel.gram(X, X)
    finite_size(float(np.abs(K).max()))
    K[np.diag_indices(len(K))] += ridge
    return Steps(
        lambda *goal: second_order_loop(K, *goal)[0], lambda beta: K @ beta, lambda: np.inf
    )


def _of_rows(rows: RowCache) -> Steps:
    return Steps(lambda *goal: descend(rows, *goal), rows.times, lambda: rows.error)


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
    """Do as `smo.second_order` for checked labels and the Gram matrix of a valid kernel, unchecked.

    To compare all pairs of K takes as long as to solve the problem, and theory vouches for them.
    `gap` is that of `smo`. More than `ONE_PROBLEM` examples are solved in sub-problems, as there.
    """
    whole = len(y) <= ONE_PROBLEM or not COMPILED
    steps = _of_valid(K, y) if whole else _of_rows(HeldRows(K))
    return solved(steps, y, C, tol=tol, max_iterations=max_iterations, start=start, gap=gap)


def _of_valid(K: np.ndarray, y: np.ndarray) -> Steps:
    """Return the steps on a valid kernel's matrix, with a bound of the rounding errors of F.

    No step lowers the dual value y.beta - half norm(w)^2, so that norm(w)^2 is never above twice
    the room for y.beta, less what the dual value began with. By Cauchy-Schwarz that bounds the
    scores, and F. A step rounds an F three times, relative to F before and after; and two beta.
    """
    size, error = float(K.diagonal().max()), 0.0

    def loop(low, high, beta, F, *goal):
        nonlocal error
        room = np.sum(high - low) - min(0.5 * float(beta @ (y + F)), 0.0)
        largest = 6.0 * (1.0 + np.sqrt(2.0 * size * room)) + 2.0 * size * np.max(high - low)
        made = loop64.second_order(K, low, high, beta, F, *goal)[0]
        error += UNIT * made * largest if made else 0.0
        return made

    def times(beta):
        nonlocal error
        error = 0.0
        return combined(K, beta)

    return Steps(loop, times, lambda: error)


def combined(K: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Return K beta; of a symmetric K, if beta is sparse, from the rows that matter alone."""
    rows = np.flatnonzero(beta)
    if 2 * len(rows) > len(K) or not COMPILED:
        return K @ beta
    scores = np.zeros(len(K))
    add_rows(K, rows, beta[rows], scores)
    return scores


def solved(
    steps: Steps,
    y: np.ndarray,
    C: Any,
    *,
    tol: float,
    max_iterations: int = 10_000_000,
    start: ArrayLike | None = None,
    gap: float | None = None,
) -> SMORun:
    """Run the loop from `start`; again, where rounding errors of its own F hid a violation.

    And again, for a smaller violation than was asked for, while the gap is above `gap`: it shrinks
    about as much as the violation does.
    """
    low, high = box(y, C)
    beta = np.zeros(len(y)) if start is None else feasible(start, y, low, high)
    made, most = 0, check_count(max_iterations, "max_iterations")
    F, until = y - steps.times(beta), tol
    for again in range(AFRESH + 1):
        _, _, top, bottom = extremes(F, beta, low, high)
        if top - bottom <= until and gap is not None:
            found = relative_gap(beta, F, y, C)
            share = 1.0 if found <= gap else float(np.clip(0.7 * gap / found, 0.03, 0.5))
            until = max(min(until, top - bottom) * share, LEAST_TOL * tol)
        if top - bottom <= until or made >= most or again == AFRESH:
            break
        before = beta.copy(), F.copy()
        with np.errstate(over="ignore", invalid="ignore"):  # looked at below
            made += steps.loop(low, high, beta, F, float(until), most - made)
            if steps.error() > ROUNDED * until:
                F = y - steps.times(beta)
        if not np.isfinite(F).all():  # scores beyond all floats: back to where they were not
            beta, F = before
            break
    violation = top - bottom
    return SMORun(y * beta, violation, made, bool(violation <= tol), F)


def relative_gap(beta: np.ndarray, F: np.ndarray, y: np.ndarray, C: float | np.ndarray) -> float:
    """Return (primal - dual) / dual of the hinge loss, from F = y - K beta: an estimate, no proof.

    The slacks are y (F - b) where that is positive, norm(w)^2 is beta.(y - F): the gap is
    C sum xi - beta.F. One b for all examples of one C is best with as many F below it as positives.
    """
    positives = int(np.sum(y > 0))
    b = np.partition(F, positives - 1)[positives - 1] if positives else F.min()
    dual = 0.5 * (beta @ (y + F))
    return float((np.sum(C * np.maximum(y * (F - b), 0.0)) - beta @ F) / dual) if dual > 0 else 0.0


#: Examples at a bound that join a sub-problem: those that break the conditions most. This many, or
#: this share of the free ones: each round reads all their rows, and should not be for few.
JOIN, JOIN_SHARE = 192, 0.5
#: Solve a sub-problem to this share of the violation of all, but not beyond 0.9 tol. Solve it
#: further if fewer than 1 / NEW_ROWS of its rows are new: they can disturb it little.
SUBPROBLEM_TOL, NEW_ROWS = 0.1, 4
#: Pairs moved in a sub-problem before F is brought up to date.
MOVES = 100_000
#: Multipliers that would make scores larger are not taken: the descent stops where it is.
LARGEST_SCORE = 1e300


def descend(
    rows: RowCache,
    low: np.ndarray,
    high: np.ndarray,
    beta: np.ndarray,
    F: np.ndarray,
    tol: float,
    most: int,
) -> int:
    """Solve sub-problems until no pair breaks the conditions by more than tol.

    Brings beta and F up to date; returns the number of pairs moved, at most `most`.
    """
    steps = 0
    while steps < most:
        A, violation = _working_set(F, beta, low, high, tol, rows.widest)
        if violation <= tol or len(A) < 2:  # with rounding, who breaks a condition may be nobody
            break
        A = rows.known_first(A)
        K = rows.square(A)
        new_rows = np.sum(rows.place[A] < 0) / len(A)
        until = max(SUBPROBLEM_TOL * min(1.0, NEW_ROWS * new_rows) * violation, 0.9 * tol)
        new, loop = beta[A], loop32.second_order if K.dtype == np.float32 else loop64.second_order
        moves, *_ = loop(K, low[A], high[A], new, F[A], until, min(most - steps, MOVES))
        moved = new != beta[A]
        if not moved.any() or not np.abs(new).sum() * rows.size < LARGEST_SCORE:
            break  # only rounding is left to gain; or scores would leave the range of floats
        free = (low[A] < new) & (new < high[A])  # the others will hardly move again
        rows.subtract(F, A[moved], (new - beta[A])[moved], keep=free[moved])
        beta[A], steps = new, steps + moves
    return steps


def _working_set(F, beta, low, high, tol, widest) -> tuple[np.ndarray, float]:
    """Return the free examples with the worst of those at a bound, and the violation of all."""
    grow, shrink = beta < high, beta > low
    _, _, top, bottom = extremes(F, beta, low, high)
    joining = max(JOIN, int(JOIN_SHARE * np.sum(grow & shrink)))
    half = min(joining, widest // 2) // 2
    up = _least(-F, grow & ~shrink & (F > bottom + tol), half)
    down = _least(F, shrink & ~grow & (F < top - tol), half)
    free = _ends(F, grow & shrink, widest // 2 - half)
    return np.concatenate([free, up, down]), float(top - bottom)


def _ends(v: np.ndarray, among: np.ndarray, count: int) -> np.ndarray:
    """Return the places of the `count` smallest and of the `count` largest v."""
    places = np.flatnonzero(among)
    if len(places) <= 2 * count:
        return places
    order = np.argsort(v[places])
    return places[np.concatenate([order[:count], order[-count:]])]


def _least(v: np.ndarray, among: np.ndarray, count: int) -> np.ndarray:
    """Return the places of the `count` smallest v."""
    places = np.flatnonzero(among)
    if len(places) <= count:
        return places
    return places[np.argpartition(v[places], count)[:count]]
