"""The fast SMO: small sub-problems in the processor's cache.

At the optimum most examples rest at a bound. Only the free ones, and the few that most want to
leave their bound, make a sub-problem; the others are shrunk away. Pairs move within it, chosen by
the second order, on a part of K that is small. Then F of all examples is brought up to date, from
the rows of K of those that moved; rows of free examples are kept, because these move again.
"""

import numpy as np

from ..smo.loops import extremes
from . import loop32, loop64
from .row_cache import RowCache

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
