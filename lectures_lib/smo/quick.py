"""The second-order loop in less than half of its time: the same pairs, the same steps, to the bit.

`loops._second_order` looks for the largest of many numbers, of several the first, by comparing one
after the other. Here the numbers are written down first, many at a time, and then their largest is
found among their bit patterns: as whole numbers these have the order of the floats, once the bits
of negative ones are turned round, and a processor compares many whole numbers at a time.
"""

import numpy as np

from .._jit import COMPILED, jit
from .loops import CURVATURE, _second_order

#: All bits but the sign.
BITS = 2**63 - 1


@jit
def _first_largest(patterns):
    """Return the place of the largest of the floats with these bit patterns, of several the first.

    None of them is nan, and no 0 has another sign than another 0.
    """
    most, place = -BITS, patterns.size
    for t in range(patterns.size):
        most = max(most, patterns[t] ^ ((patterns[t] >> 63) & BITS))
    for t in range(patterns.size):
        found = patterns[t] ^ ((patterns[t] >> 63) & BITS) == most
        place = min(place, t if found else patterns.size)
    return place


@jit
def _gains(K, diagonal, i, F_i, below, gains):
    """Write down what each partner of i gains, 0 for none, as `loops.partner` reckons it."""
    for t in range(gains.size):
        both = diagonal[i] + diagonal[t]
        c, least = both - 2.0 * K[i, t], CURVATURE * both
        c = c if c > least else least
        c = c if c > 1e-200 else 1e-200
        g = F_i + below[t]
        g = g if g > 0.0 else 0.0
        gains[t] = g * g / c


@jit
def _shift(K, F, i, j, step, up, down, above, below):
    """Bring F up to date; `above` is F where it can grow, `below` is -F where it can shrink."""
    for t in range(F.size):
        f = F[t] - step * (K[i, t] - K[j, t])
        F[t] = f
        above[t] = f + up[t]
        below[t] = -(f + down[t])


@jit
def _move(K, diagonal, low, high, beta, F, i, j):
    """Move beta_i up and beta_j down to the best pair, as `loops._move` does; return the step."""
    both, room_i, room_j = diagonal[i] + diagonal[j], high[i] - beta[i], beta[j] - low[j]
    curvature = max(both - 2.0 * K[i, j], CURVATURE * both, 1e-200)
    step = min((F[i] - F[j]) / curvature, room_i, room_j)
    beta[i] = high[i] if step == room_i else beta[i] + step
    beta[j] = low[j] if step == room_j else beta[j] - step
    return step


@jit
def quick_second_order(K, low, high, beta, F, tol, most):
    """Do as `loops._second_order`, for K in double precision with one row per entry of F."""
    up, down, diagonal = np.empty(F.size), np.empty(F.size), np.empty(F.size)
    gains, above, below = np.empty(F.size), np.empty(F.size), np.empty(F.size)
    for t in range(F.size):  # not np.where: numba compiles that for seconds
        up[t] = 0.0 if beta[t] < high[t] else -np.inf
        down[t] = 0.0 if beta[t] > low[t] else np.inf
        diagonal[t], above[t], below[t] = K[t, t], F[t] + up[t], -(F[t] + down[t])
    by_gain, by_above, by_below = (
        gains.view(np.int64),
        above.view(np.int64),
        below.view(np.int64),
    )
    steps = 0
    while True:
        i, last = _first_largest(by_above), _first_largest(by_below)
        top, bottom = above[i], -below[last]
        if not (top - bottom > tol and steps < most):
            return steps, top, bottom
        _gains(K, diagonal, i, F[i], below, gains)
        j = _first_largest(by_gain)
        step = _move(K, diagonal, low, high, beta, F, i, j)
        for t in (i, j):
            up[t] = 0.0 if beta[t] < high[t] else -np.inf
            down[t] = 0.0 if beta[t] > low[t] else np.inf
        _shift(K, F, i, j, step, up, down, above, below)
        steps += 1


def second_order(
    K: np.ndarray,
    low: np.ndarray,
    high: np.ndarray,
    beta: np.ndarray,
    F: np.ndarray,
    tol: float,
    most: int,
) -> tuple[int, float, float]:
    """Run the quick loop where it can be run, else the plain one: one answer."""
    fits = COMPILED and K.dtype == np.float64 and F.size == len(K)
    return (quick_second_order if fits else _second_order)(K, low, high, beta, F, tol, most)
