"""The loops of a sub-problem of the fast SMO: pairs move on a square of K, entries side by side.

Columns are filled up to whole lanes: with F = 0 that can neither grow nor shrink.
"""

import numpy as np

from .._jit import COMPILED, jit, jit_or

#: The least curvature of a pair, relative to K: equal examples have 0, and steps stay finite.
CURVATURE = 1e-14
#: Entries that a loop handles side by side: of such inner loops compilers make vector code.
LANES = 64 if COMPILED else 8


# The loops; without numba those by arrays run in their place and give the same bits.


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


def _lowest_by_arrays(F, down):
    return (F + down).min()


def _shift_by_arrays(F, step, K_i, K_j):
    with np.errstate(over="ignore", invalid="ignore"):
        F -= step * (K_i - K_j)


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


@jit_or(_lowest_by_arrays)
def _lowest(F, down):
    least = np.inf
    for t in range(F.size):
        least = min(least, F[t] + down[t])
    return least


@jit_or(_shift_by_arrays)
def _shift(F, step, K_i, K_j):
    for t in range(F.size):
        F[t] -= step * (K_i[t] - K_j[t])


@jit
def _pairs(K, diagonal, low, high, beta, F, tol, most):
    """Move pairs until none breaks the conditions by more than tol; return how many moved."""
    up, down, lane = np.empty(F.size), np.empty(F.size), np.empty(LANES)
    for t in range(F.size):  # not np.where: numba compiles that for three seconds
        up[t] = 0.0 if beta[t] < high[t] else -np.inf
        down[t] = 0.0 if beta[t] > low[t] else np.inf
    for steps in range(most):
        i = _highest(F, up, lane)
        K_i = K[i]
        j = _partner(K_i, diagonal, i, F, down, lane)
        if F[i] - (F[j] + down[j]) <= tol and F[i] - _lowest(F, down) <= tol:
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
