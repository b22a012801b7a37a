"""The fast SMO: small sub-problems in the processor's cache, rows of K in bounded memory.

At the optimum most examples rest at a bound. Only the free ones, and the few that most want to
leave their bound, make a sub-problem; the others are shrunk away. Pairs move within it, chosen by
the second order, on a part of K that is small. Then F of all examples is brought up to date, from
the rows of K of those that moved; rows of free examples are kept, because these move again.
"""

from math import isqrt

import numpy as np

from .._jit import COMPILED, jit, jit_or
from ..kernels import Kernel

#: The least curvature of a pair, relative to K: equal examples have 0, and steps stay finite.
CURVATURE = 1e-14
#: Entries that a loop handles side by side: of such inner loops compilers make vector code.
LANES = 64 if COMPILED else 8
#: Examples at a bound that join a sub-problem: those that break the conditions most.
JOIN = 192
#: A sub-problem is solved to this share of the violation of all, but not beyond 0.9 tol.
SHARE = 0.1
#: Pairs moved in a sub-problem before F is brought up to date.
MOVES = 100_000
#: The relative error of one operation in double precision.
ROUNDING = 2.0**-53
#: Bytes of a block asked of the kernel at once: it should stay in the processor's cache.
BLOCK = 2**23
#: Multipliers that would make scores larger are not taken: the descent stops where it is.
LARGEST_SCORE = 1e300
#: The largest array that glibc takes as a sign to keep freed memory instead of giving it back.
FREED = 2**25 - 2**16


class Rows:
    """Rows of K, those used last; with the blocks in work they take at most `memory` bytes."""

    def __init__(
        self, kernel: Kernel, X: np.ndarray, memory: int, ridge: float | np.ndarray = 0.0
    ) -> None:
        """Plan: half for rows, a quarter for a block of new rows, a quarter for a square."""
        np.empty(FREED, dtype=np.uint8)  # freed at once, untouched: blocks then reuse their memory
        n = len(X)
        self.kernel, self.X, self.ridge = kernel, X, np.broadcast_to(ridge, n)
        self.against = kernel.against(X)
        self.kept = np.empty((min(n, memory // (16 * n)), n))
        self.owner = np.full(len(self.kept), -1)  # whose row it is
        self.used = np.zeros(len(self.kept), dtype=np.int64)  # when it was used last
        self.place = np.full(n, -1)  # where the row of an example is kept, -1: nowhere
        self.open = self.clock = 0  # places in use so far: fresh memory costs time
        self.size = float(np.max(kernel.diagonal(X) + self.ridge))  # of the largest entry of K
        self.error = 0.0  # bounds what rounding did to F since `times`
        self.tile = max(1, min(memory // 4, BLOCK) // (8 * n))
        self.widest = max(4, isqrt(memory // 32 + LANES**2 // 4) - LANES // 2)
        self.room = np.empty(min(n, self.widest) * (min(n, self.widest) + LANES))  # of squares

    def times(self, beta: np.ndarray) -> np.ndarray:
        """Return K beta, and forget the rounding errors of what was subtracted before."""
        scores, I = np.zeros(len(beta)), np.flatnonzero(beta)
        self.error = 0.0
        self.subtract(scores, I, -beta[I], np.ones(len(I), dtype=bool))
        return scores

    def subtract(self, F: np.ndarray, I: np.ndarray, d: np.ndarray, keep: np.ndarray) -> None:
        """Subtract sum d_i K(x_i, .) over i in I from F; new rows are kept where `keep` says so."""
        new = self.place[I] < 0
        places = self.place[I[~new]]
        _subtract(self.kept, places, d[~new], F)
        self.used[places] = self.clock
        I_new, d_new, keep = I[new], d[new], keep[new]
        for first in range(0, len(I_new), self.tile):
            part = slice(first, first + self.tile)
            block = self.against(self.X[I_new[part]])
            F -= d_new[part] @ block
            self._keep(I_new[part], block, np.flatnonzero(keep[part]))
        F[I] -= self.ridge[I] * d
        self.error += ROUNDING * ((len(I) + 2) * self.size * np.abs(d).sum() + np.abs(F).max())
        _check_finite(F)

    def known_first(self, A: np.ndarray) -> np.ndarray:
        """Return A with the examples whose rows are kept first."""
        return A[np.argsort(self.place[A] < 0, kind="stable")]

    def square(self, A: np.ndarray) -> np.ndarray:
        """Return K(A, A) for an A of `known_first`, and columns of 0 up to a multiple of LANES.

        It stands where the last one stood.
        """
        m, known = len(A), int(np.sum(self.place[A] >= 0))
        width = -(-m // LANES) * LANES
        K = self.room[: m * width].reshape(m, width)
        K[:, m:] = 0.0
        if known < m:
            X = self.X[A[known:]]
            K[known:, known:m] = self.kernel.gram(X, X)
            _check_finite(K[known:, known:m])
        _gather(self.kept, self.place[A[:known]], A, K)
        K[np.diag_indices(m)] += self.ridge[A]
        self.clock += 1
        self.used[self.place[A[:known]]] = self.clock
        self.open = min(max(self.open, 2 * m), len(self.kept))
        return K

    def _keep(self, new: np.ndarray, block: np.ndarray, rows: np.ndarray) -> None:
        """Put some rows of a block in the places that were not used for longest."""
        if len(rows):
            self.open = max(self.open, len(rows))
            places = np.argsort(self.used[: self.open], kind="stable")[: len(rows)]
            gone = self.owner[places]
            self.place[gone[gone >= 0]] = -1
            _store(self.kept, places, block, rows)
            self.place[new[rows]], self.owner[places] = places, new[rows]
            self.used[places] = self.clock


def descend(
    rows: Rows,
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
        until = max(SHARE * violation, 0.9 * tol)
        new, moves = _solved(K, low[A], high[A], beta[A], F[A], until, min(most - steps, MOVES))
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
    top, bottom = F[grow].max(), F[shrink].min()
    half = min(JOIN, widest // 2) // 2
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


def _check_finite(values: np.ndarray) -> None:
    if not np.isfinite(values).all():
        raise ValueError("K contains NaN or infinity: check the data and the kernel.")


def _least(v: np.ndarray, among: np.ndarray, count: int) -> np.ndarray:
    """Return the places of the `count` smallest v."""
    places = np.flatnonzero(among)
    if len(places) <= count:
        return places
    return places[np.argpartition(v[places], count)[:count]]


def _solved(K, low, high, beta, F, until, most) -> tuple[np.ndarray, int]:
    """Return the beta of a sub-problem and the number of pairs moved."""
    columns = np.zeros((5, K.shape[1]))
    columns[:, : len(K)] = K.diagonal() * (1.0 + CURVATURE), low, high, beta, F
    moves = _pairs(K, *columns, until, most)
    return columns[3, : len(K)], moves


# The loops; without numba those by arrays run in their place and give the same bits.


def _subtract_by_arrays(kept, places, d, F):
    for place, step in zip(places, d):
        F -= step * kept[place]


def _gather_by_arrays(kept, places, A, K):
    known = places.size
    K[:known, : A.size] = kept[places[:, None], A]
    K[known : A.size, :known] = K[:known, known : A.size].T


def _first_largest(v):
    """Return the place of the largest v; of several, the first of the first lane."""
    by_lane = np.where(v == v, v, -np.inf).reshape(-1, LANES).T
    lane, row = divmod(int(by_lane.argmax()), by_lane.shape[1])
    return row * LANES + lane


def _highest_by_arrays(F, up, lane):
    return _first_largest(F + up)


def _partner_by_arrays(K_i, diagonal, i, F, down, lane):
    with np.errstate(over="ignore", invalid="ignore"):
        c, g = diagonal[i] + diagonal - 2.0 * K_i, F[i] - (F + down)
        g = np.where(g > 0.0, g, 0.0)
        return _first_largest(g * g / np.where(c > 1e-200, c, 1e-200))


def _shift_by_arrays(F, step, K_i, K_j):
    with np.errstate(over="ignore", invalid="ignore"):
        F -= step * (K_i - K_j)


@jit_or(_subtract_by_arrays)
def _subtract(kept, places, d, F):
    for a in range(places.size):
        row = kept[places[a]]
        for t in range(F.size):
            F[t] -= d[a] * row[t]


@jit
def _store(kept, places, block, rows):
    for a in range(places.size):
        kept[places[a]] = block[rows[a]]


@jit_or(_gather_by_arrays)
def _gather(kept, places, A, K):
    """Fill K(A, A) from the rows of its first examples: as K is symmetric they are columns too."""
    for a in range(places.size):
        row, K_a = kept[places[a]], K[a]
        for b in range(A.size):
            K_a[b] = row[A[b]]
        for b in range(places.size, A.size):
            K[b, a] = K_a[b]


@jit
def _largest(lane):
    best, most = 0, lane[0]
    for l in range(LANES):
        if lane[l] > most:
            best, most = l, lane[l]
    return best


@jit_or(_highest_by_arrays)
def _highest(F, up, lane):
    """Return the place of the largest F + up; of several, the first of the first lane."""
    lane[:] = -np.inf
    for t in range(0, F.size, LANES):
        f, u = F[t : t + LANES], up[t : t + LANES]
        for l in range(LANES):
            v = f[l] + u[l]
            lane[l] = v if v > lane[l] else lane[l]
    best = _largest(lane)
    for i in range(best, F.size, LANES):
        if F[i] + up[i] == lane[best]:
            return i
    return best


@jit
def _curvature(k_ii, k_jj, k_ij):
    """Return norm(phi_i - phi_j)^2; never 0: a division that may fail is no vector code."""
    c = k_ii + k_jj - 2.0 * k_ij
    return c if c > 1e-200 else 1e-200


@jit
def _gain(g, c):
    g = g if g > 0.0 else 0.0
    return g * g / c


@jit_or(_partner_by_arrays)
def _partner(K_i, diagonal, i, F, down, lane):
    """Return the place of the partner of i that gains most; of several, as in `_highest`."""
    F_i, k_ii = F[i], diagonal[i]
    lane[:] = 0.0
    for t in range(0, F.size, LANES):
        f, d = F[t : t + LANES], down[t : t + LANES]
        k_ij, k_jj = K_i[t : t + LANES], diagonal[t : t + LANES]
        for l in range(LANES):
            v = _gain(F_i - (f[l] + d[l]), _curvature(k_ii, k_jj[l], k_ij[l]))
            lane[l] = v if v > lane[l] else lane[l]
    best = _largest(lane)
    for j in range(best, F.size, LANES):
        if _gain(F_i - (F[j] + down[j]), _curvature(k_ii, diagonal[j], K_i[j])) == lane[best]:
            return j
    return best


@jit_or(_shift_by_arrays)
def _shift(F, step, K_i, K_j):
    for t in range(F.size):
        F[t] -= step * (K_i[t] - K_j[t])


@jit
def _pairs(K, diagonal, low, high, beta, F, tol, most):
    """Move pairs until none breaks the conditions by more than tol; return how many moved."""
    up, down = np.where(beta < high, 0.0, -np.inf), np.where(beta > low, 0.0, np.inf)
    lane = np.empty(LANES)
    for steps in range(most):
        i = _highest(F, up, lane)
        K_i = K[i]
        j = _partner(K_i, diagonal, i, F, down, lane)
        if F[i] - (F[j] + down[j]) <= tol and F[i] - (F + down).min() <= tol:
            return steps
        K_j, c = K[j], _curvature(diagonal[i], diagonal[j], K_i[j])
        room_i, room_j = high[i] - beta[i], beta[j] - low[j]
        step = min((F[i] - F[j]) / c, room_i, room_j)
        beta[i] = high[i] if step == room_i else beta[i] + step
        beta[j] = low[j] if step == room_j else beta[j] - step
        for t in (i, j):
            up[t] = 0.0 if beta[t] < high[t] else -np.inf
            down[t] = 0.0 if beta[t] > low[t] else np.inf
        _shift(F, step, K_i, K_j)
    return most
