"""The quick loop of SMO in single precision, on the small squares of K of a sub-problem.

Twice as many numbers fit into the processor's cache, and into one of its operations. beta and its
box stay in double precision. F is what single precision can hold: only its differences count, so
its middle is taken away first, and those that matter are near 0. The caller brings its own F up to
date from beta.
"""

import numpy as np

from .._jit import COMPILED, jit
from ..smo import second_order_loop

#: The least curvature of a pair, relative to K, which is rounded: steps are a little short.
SHORTENED = np.float32(1.0 + 1e-6)
LEAST_CURVATURE, NONE = np.float32(1e-30), np.float32(0.0)
#: All bits but the sign, and the place of the sign.
BITS, SIGN = np.int32(2**31 - 1), np.int32(31)


@jit
def _pattern(v):
    """Return a whole number for a float: they have the same order, and -0 comes before 0."""
    bits = np.float32(v).view(np.int32)
    return np.int32(bits ^ ((bits >> SIGN) & BITS))


@jit
def _value(pattern):
    """Return the float of a `_pattern`."""
    return np.int32(pattern ^ ((pattern >> SIGN) & BITS)).view(np.float32)


@jit
def _curvature(k_ii, k_jj, k_ij):
    c = k_ii + k_jj - (k_ij + k_ij)
    return c if c > LEAST_CURVATURE else LEAST_CURVATURE


@jit
def _first(v, places, largest):
    """Return the first place of the largest of v; if it is nowhere, the last of all."""
    last = places[places.size - 1]
    place = last
    for t in range(v.size):
        place = min(place, places[t] if v[t] == largest else last)
    return int(place)


@jit
def _first_to_grow(F, up, places, top):
    """Return the `_first` place of top in F + up."""
    last = places[places.size - 1]
    place = last
    for t in range(F.size):
        place = min(place, places[t] if F[t] + up[t] == top else last)
    return int(place)


@jit
def _gains(K_i, diagonal, i, F, down, gains):
    """Write down what each partner of i gains, slope^2 / curvature, 0 for none; return the most."""
    k_ii, F_i, most = diagonal[i], F[i], np.int32(0)
    for t in range(gains.size):
        g = F_i - (F[t] + down[t])
        g = g if g > NONE else NONE
        g = g * g / _curvature(k_ii, diagonal[t], K_i[t])
        gains[t] = g
        most = max(most, np.float32(g).view(np.int32))  # not below 0: its bits have the order
    return np.int32(most).view(np.float32)


@jit
def _shift(F, step, K_i, K_j, up, down):
    """Bring F up to date; return the largest F that can grow and the smallest that can shrink."""
    top, bottom = _pattern(np.float32(-np.inf)), _pattern(np.float32(np.inf))
    for t in range(F.size):
        f = F[t] - step * (K_i[t] - K_j[t])
        F[t] = f
        top = max(top, _pattern(f + up[t]))
        bottom = min(bottom, _pattern(f + down[t]))
    return _value(top), _value(bottom)


@jit
def single_second_order(K, diagonal, low, high, beta, F, tol, most):
    """Move the worst i with the j that gains most, as `loop64.quick_second_order`."""
    up, down = np.empty(F.size, np.float32), np.empty(F.size, np.float32)
    gains, places = np.empty(F.size, np.float32), np.empty(F.size, np.int32)
    for t in range(F.size):  # not np.where: numba compiles that for seconds
        places[t] = t
        up[t] = 0.0 if beta[t] < high[t] else -np.inf
        down[t] = 0.0 if beta[t] > low[t] else np.inf
    steps = 0
    top, bottom = _shift(F, NONE, K[0], K[0], up, down)
    while top - bottom > tol and steps < most:
        i = _first_to_grow(F, up, places, top)
        j = _first(gains, places, _gains(K[i], diagonal, i, F, down, gains))
        room_i, room_j = high[i] - beta[i], beta[j] - low[j]
        step = min((F[i] - F[j]) / _curvature(diagonal[i], diagonal[j], K[i, j]), room_i, room_j)
        beta[i] = high[i] if step == room_i else beta[i] + step
        beta[j] = low[j] if step == room_j else beta[j] - step
        for t in (i, j):
            up[t] = 0.0 if beta[t] < high[t] else -np.inf
            down[t] = 0.0 if beta[t] > low[t] else np.inf
        top, bottom = _shift(F, np.float32(step), K[i], K[j], up, down)
        steps += 1
    return steps, top, bottom


def second_order(
    K: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    beta: np.ndarray,
    F: np.ndarray,
    tol: float,
    most: int,
) -> tuple[int, float, float]:
    """Do as `smo.second_order_loop`, for a K in single precision.

    Where nothing is compiled that loop runs, in double precision.
    """
    if not COMPILED:
        return second_order_loop(K.astype(float), low, high, beta, F, tol, most)
    near = (F - 0.5 * (F.max() + F.min())).astype(np.float32)
    return single_second_order(K, K.diagonal() * SHORTENED, low, high, beta, near, tol, most)
