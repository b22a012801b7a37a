"""The loops of a sub-problem of the fast SMO: pairs move on a square of K, many entries at a time.

K, its diagonal and F are of one precision, single or double; beta and its box are always double.
As in `quick`, numbers are written down first and their largest is found among their bit patterns:
a processor compares many whole numbers at a time.
"""

import numpy as np

from .._jit import jit, jit_or

#: By precision: the least curvature of a pair, relative to K (equal examples have 0, and steps stay
#: finite); and where K itself is 0.
CURVATURE = {np.dtype(np.float64): 1e-14, np.dtype(np.float32): 1e-6}
LEAST = {np.dtype(np.float64): 1e-200, np.dtype(np.float32): 1e-30}
#: Whole numbers as long as a float.
WHOLE: dict[np.dtype, type] = {np.dtype(np.float64): np.int64, np.dtype(np.float32): np.int32}

# The loops; without numba those by arrays run in their place and give the same bits.


def _first_largest_by_arrays(patterns, places, sign, turn):
    return int(np.argmax(patterns ^ ((patterns >> sign) & turn)))


def _gains_by_arrays(K_i, diagonal, i, F, down, least, gains):
    with np.errstate(over="ignore", invalid="ignore"):
        c, g = diagonal[i] + diagonal - (K_i + K_i), F[i] - (F + down)
        g = np.where(g > 0.0, g, 0.0)
        gains[:] = g * g / np.where(c > least, c, least)


def _lowest_by_arrays(F, down):
    return float((F + down).min())


def _shift_by_arrays(F, step, K_i, K_j, up, above):
    with np.errstate(over="ignore", invalid="ignore"):
        F -= step * (K_i - K_j)
        above[:] = F + up


@jit_or(_first_largest_by_arrays)
def _first_largest(patterns, places, sign, turn):
    """Return the place of the largest of the floats with these bit patterns, of several the first.

    `sign` is the place of the sign, `turn` all bits but it, `places` are 0, 1, 2, ...
    """
    none = places[places.size - 1]
    most, place = patterns[0] ^ ((patterns[0] >> sign) & turn), none
    for t in range(patterns.size):
        most = max(most, patterns[t] ^ ((patterns[t] >> sign) & turn))
    for t in range(patterns.size):
        found = patterns[t] ^ ((patterns[t] >> sign) & turn) == most
        place = min(place, places[t] if found else none)
    return int(place)


@jit
def _curvature(k_ii, k_jj, k_ij, least):
    """Return norm(phi_i - phi_j)^2, never 0."""
    c = k_ii + k_jj - (k_ij + k_ij)
    return c if c > least else least


@jit_or(_gains_by_arrays)
def _gains(K_i, diagonal, i, F, down, least, gains):
    """Write down what each partner of i gains, 0 for none: slope^2 / curvature."""
    F_i, k_ii, none = F[i], diagonal[i], least - least
    for t in range(F.size):
        g = F_i - (F[t] + down[t])
        g = g if g > none else none
        gains[t] = g * g / _curvature(k_ii, diagonal[t], K_i[t], least)


@jit_or(_lowest_by_arrays)
def _lowest(F, down):
    least = np.inf
    for t in range(F.size):
        least = min(least, F[t] + down[t])
    return float(least)


@jit_or(_shift_by_arrays)
def _shift(F, step, K_i, K_j, up, above):
    """Bring F up to date; `above` is F where beta can grow."""
    for t in range(F.size):
        f = F[t] - step * (K_i[t] - K_j[t])
        F[t] = f
        above[t] = f + up[t]


@jit
def _pairs(K, box, floats, bits, places, form, tol, most):
    """Move pairs until none breaks the conditions by more than tol; return how many moved.

    `box` holds low, high and beta; `floats` diagonal and F, and room for four more rows, `bits` is
    the same memory as whole numbers; `form` holds the least curvature, sign and turn.
    """
    low, high, beta = box[0], box[1], box[2]
    diagonal, F, up, down = floats[0], floats[1], floats[2], floats[3]
    above, gains = floats[4], floats[5]
    least, sign, turn = form
    for t in range(F.size):
        up[t] = 0.0 if beta[t] < high[t] else -np.inf
        down[t] = 0.0 if beta[t] > low[t] else np.inf
        above[t] = F[t] + up[t]
    for steps in range(most):
        i = _first_largest(bits[4], places, sign, turn)
        K_i = K[i]
        _gains(K_i, diagonal, i, F, down, least, gains)
        j = _first_largest(bits[5], places, sign, turn)
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
        gains[0] = step  # in the precision of K
        _shift(F, gains[0], K_i, K[j], up, above)
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

    Only differences of F count: in single precision its middle is taken away first.
    """
    kind = K.dtype
    whole = WHOLE[kind]
    floats = np.empty((6, len(K)), kind)
    floats[0] = K.diagonal() * kind.type(1.0 + CURVATURE[kind])
    floats[1] = F if kind.itemsize == 8 else F - 0.5 * (F.max() + F.min())
    sign = 8 * kind.itemsize - 1
    form = kind.type(LEAST[kind]), whole(sign), whole(2**sign - 1)
    box: np.ndarray = np.array([low, high, beta])
    places: np.ndarray = np.arange(len(K), dtype=whole)
    moves = _pairs(K, box, floats, floats.view(whole), places, form, tol, most)
    return box[2], moves
