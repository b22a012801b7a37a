"""The loops of a sub-problem of the fast SMO: pairs move on a square of K, many entries at a time.

K, its diagonal and F are of one precision, single or double; beta and its box are always double.
Columns are filled up to whole lanes: with F = 0 that can neither grow nor shrink. Of each lane the
largest number is kept, as a bit pattern: a processor compares many whole numbers at a time, and
turned round for negative ones the patterns have the order of the floats.
"""

import numpy as np

from .._jit import COMPILED, jit, jit_or

#: Entries that a loop handles side by side: of such inner loops compilers make vector code.
LANES = 128 if COMPILED else 8
#: By precision: the least curvature of a pair, relative to K (equal examples have 0, and steps stay
#: finite); and where K itself is 0.
CURVATURE = {np.dtype(np.float64): 1e-14, np.dtype(np.float32): 1e-6}
LEAST = {np.dtype(np.float64): 1e-200, np.dtype(np.float32): 1e-30}
#: Whole numbers as long as a float.
WHOLE: dict[np.dtype, type] = {np.dtype(np.float64): np.int64, np.dtype(np.float32): np.int32}

# The loops; without numba those by arrays run in their place and give the same bits. `some` and
# `bits` are one lane of scratch memory, as floats and as whole numbers.


def _first_largest(v):
    """Return the place of the largest v; of several, the first of the first lane."""
    by_lane = v.reshape(-1, LANES).T
    lane, row = divmod(int(by_lane.argmax()), by_lane.shape[1])
    return row * LANES + lane


def _partner_by_arrays(K_i, diagonal, i, F, down, least, some, bits, lane):
    with np.errstate(over="ignore", invalid="ignore"):
        c, g = diagonal[i] + diagonal - (K_i + K_i), F[i] - (F + down)
        g = np.where(g > 0.0, g, 0.0)
        return _first_largest(g * g / np.where(c > least, c, least))


def _lowest_by_arrays(F, down):
    return float((F + down).min())


def _shift_by_arrays(F, step, K_i, K_j, up, sign, turn, some, bits, lane):
    with np.errstate(over="ignore", invalid="ignore"):
        F -= step * (K_i - K_j)
    return _first_largest(F + up)


@jit
def _largest(lane):
    best, most = 0, lane[0]
    for l in range(LANES):
        if lane[l] > most:
            best, most = l, lane[l]
    return best


@jit
def _curvature(k_ii, k_jj, k_ij, least):
    """Return norm(phi_i - phi_j)^2, never 0."""
    c = k_ii + k_jj - (k_ij + k_ij)
    return c if c > least else least


@jit
def _gain(g, c, none):
    """Return g^2 / c, none where g is below 0; `none` is 0, in the precision of g."""
    g = g if g > none else none
    return g * g / c


@jit_or(_partner_by_arrays)
def _partner(K_i, diagonal, i, F, down, least, some, bits, lane):
    """Return the place of the partner of i that gains most; of several, the first of its lane."""
    F_i, k_ii, none = F[i], diagonal[i], least - least
    for l in range(LANES):
        lane[l] = 0
    for t in range(0, F.size, LANES):
        f, d = F[t : t + LANES], down[t : t + LANES]
        k_ij, k_jj = K_i[t : t + LANES], diagonal[t : t + LANES]
        for l in range(LANES):
            c = _curvature(k_ii, k_jj[l], k_ij[l], least)
            some[l] = _gain(F_i - (f[l] + d[l]), c, none)
        for l in range(LANES):
            lane[l] = max(lane[l], bits[l])
    best = _largest(lane)
    bits[0] = lane[best]
    for j in range(best, F.size, LANES):
        c = _curvature(k_ii, diagonal[j], K_i[j], least)
        if _gain(F_i - (F[j] + down[j]), c, none) == some[0]:
            return j
    return best


@jit_or(_lowest_by_arrays)
def _lowest(F, down):
    least = np.inf
    for t in range(F.size):
        least = min(least, F[t] + down[t])
    return float(least)


@jit_or(_shift_by_arrays)
def _shift(F, step, K_i, K_j, up, sign, turn, some, bits, lane):
    """Bring F up to date; return the place of the largest F + up, of several as in `_partner`."""
    for l in range(LANES):
        lane[l] = -turn
    for t in range(0, F.size, LANES):
        f, u, k_i, k_j = F[t : t + LANES], up[t : t + LANES], K_i[t : t + LANES], K_j[t : t + LANES]
        for l in range(LANES):
            v = f[l] - step * (k_i[l] - k_j[l])
            f[l] = v
            some[l] = v + u[l]
        for l in range(LANES):
            lane[l] = max(lane[l], bits[l] ^ ((bits[l] >> sign) & turn))
    best = _largest(lane)
    bits[0] = lane[best] ^ ((lane[best] >> sign) & turn)
    for i in range(best, F.size, LANES):
        if F[i] + up[i] == some[0]:
            return i
    return best


@jit
def _pairs(K, diagonal, low, high, beta, F, form, some, bits, lane, tol, most):
    """Move pairs until none breaks the conditions by more than tol; return how many moved.

    `form` holds the least curvature, the place of the sign in a pattern, and all bits but it.
    """
    least, sign, turn = form
    up, down = np.empty(F.size, F.dtype), np.empty(F.size, F.dtype)
    for t in range(F.size):  # not np.where: numba compiles that for three seconds
        up[t] = 0.0 if beta[t] < high[t] else -np.inf
        down[t] = 0.0 if beta[t] > low[t] else np.inf
    i = _shift(F, least - least, K[0], K[0], up, sign, turn, some, bits, lane)
    for steps in range(most):
        K_i = K[i]
        j = _partner(K_i, diagonal, i, F, down, least, some, bits, lane)
        if F[i] - (F[j] + down[j]) <= tol and F[i] - _lowest(F, down) <= tol:
            return steps
        c = _curvature(diagonal[i], diagonal[j], K_i[j], least)
        room_i, room_j = high[i] - beta[i], beta[j] - low[j]
        step = min((F[i] - F[j]) / c, room_i, room_j)
        beta[i] = high[i] if step == room_i else beta[i] + step
        beta[j] = low[j] if step == room_j else beta[j] - step
        for t in (i, j):
            up[t] = 0.0 if beta[t] < high[t] else -np.inf
            down[t] = 0.0 if beta[t] > low[t] else np.inf
        some[0] = step  # in the precision of K
        i = _shift(F, some[0], K_i, K[j], up, sign, turn, some, bits, lane)
    return most


def solve_pairs(
    K: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    beta: np.ndarray,
    F: np.ndarray,
    tol: float,
    most: int,
) -> tuple[np.ndarray, int]:
    """Return the beta of a sub-problem and the number of pairs moved, at most `most`.

    K has columns of 0 up to whole lanes. Only differences of F count: in single precision its
    middle is taken away first.
    """
    m, kind = len(K), K.dtype
    box, own = np.zeros((3, K.shape[1])), np.zeros((2, K.shape[1]), kind)
    box[:, :m] = low, high, beta
    own[0, :m] = K.diagonal() * kind.type(1.0 + CURVATURE[kind])
    own[1, :m] = F if kind.itemsize == 8 else F - 0.5 * (F.max() + F.min())
    moves = _pairs(K, own[0], *box, own[1], *scratch(kind), tol, most)
    return box[2, :m], moves


def scratch(kind: np.dtype) -> tuple:
    """Return (least, sign, turn) of a precision, and memory for one lane in three forms."""
    whole, sign = WHOLE[kind], 8 * kind.itemsize - 1
    some = np.empty(LANES, kind)
    form = kind.type(LEAST[kind]), whole(sign), whole(2**sign - 1)
    return form, some, some.view(whole), np.empty(LANES, whole)
