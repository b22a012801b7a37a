"""The second-order loop in less than half of its time: the same pairs, the same steps, to the bit.

`smo.second_order_loop` looks for the first of the largest of many numbers, by comparing one
after the other. Here the largest is found among bit patterns while the numbers are made: as whole
numbers these have the order of the floats, once the bits of negative ones are turned round, and a
processor compares many whole numbers at a time. Then the first number that is as large is sought.
"""

import numpy as np

from .._jit import COMPILED, jit
from ..smo import CURVATURE, second_order_loop

#: All bits but the sign.
BITS = 2**63 - 1


@jit
def _pattern(v):
    """Return a whole number for a float: they have the same order, and -0 comes before 0."""
    bits = np.float64(v).view(np.int64)
    return bits ^ ((bits >> 63) & BITS)


@jit
def _value(pattern):
    """Return the float of a `_pattern`."""
    return np.int64(pattern ^ ((pattern >> 63) & BITS)).view(np.float64)


@jit
def _first(v, largest):
    """Return the first place of the largest of v; if it is nowhere, the last of all."""
    place, last = v.size - 1, v.size - 1
    for t in range(v.size):
        place = min(place, t if v[t] == largest else last)
    return place


@jit
def _first_to_grow(F, up, top):
    """Return the `_first` place of top in F + up."""
    place, last = F.size - 1, F.size - 1
    for t in range(F.size):
        place = min(place, t if F[t] + up[t] == top else last)
    return place


@jit
def _gains(K, diagonal, i, F_i, F, down, gains):
    """Write down what each partner of i gains, 0 for none, as `loops.partner` reckons it.

    Return the largest.
    """
    K_i, k_ii = K[i], diagonal[i]
    most = np.int64(0)
    for t in range(gains.size):
        both = k_ii + diagonal[t]
        c, least = both - 2.0 * K_i[t], CURVATURE * both
        c = c if c > least else least
        c = c if c > 1e-200 else 1e-200
        g = F_i - (F[t] + down[t])
        g = g if g > 0.0 else 0.0
        g = g * g / c
        gains[t] = g
        most = max(most, np.float64(g).view(np.int64))  # not below 0: its bits have the order
    return np.int64(most).view(np.float64)


@jit
def _shift(K, F, i, j, step, up, down):
    """Bring F up to date; return the largest F that can grow and the smallest that can shrink.

    `up` and `down` are those of `_edges`.
    """
    K_i, K_j = K[i], K[j]
    top, bottom = _pattern(-np.inf), _pattern(np.inf)
    for t in range(F.size):
        f = F[t] - step * (K_i[t] - K_j[t])
        F[t] = f
        top = max(top, _pattern(f + up[t]))
        bottom = min(bottom, _pattern(f + down[t]))
    return _value(top), _value(bottom)


@jit
def _edges(beta, low, high, epsilon):
    """Return what is added to F of an entry that may grow, and of one that may shrink.

    0 for epsilon = 0, and infinite at the ends of its box. In a tube each unit of abs(beta) costs
    epsilon: it asks for less to go away from 0, and for more to come back.
    """
    up = -epsilon if beta >= 0.0 else epsilon
    down = epsilon if beta <= 0.0 else -epsilon
    return up if beta < high else -np.inf, down if beta > low else np.inf


@jit
def _move(K, diagonal, low, high, beta, i, j, gain):
    """Move beta_i up and beta_j down to the best pair, as `loops._move` does; return the step.

    None goes beyond 0, where the price of a tube changes.
    """
    last_i = high[i] if beta[i] >= 0.0 or high[i] < 0.0 else 0.0
    last_j = low[j] if beta[j] <= 0.0 or low[j] > 0.0 else 0.0
    both, room_i, room_j = diagonal[i] + diagonal[j], last_i - beta[i], beta[j] - last_j
    curvature = max(both - 2.0 * K[i, j], CURVATURE * both, 1e-200)
    step = min(gain / curvature, room_i, room_j)
    beta[i] = last_i if step == room_i else beta[i] + step
    beta[j] = last_j if step == room_j else beta[j] - step
    return step


@jit
def quick_second_order(K, low, high, beta, F, tol, most, epsilon):
    """Do as `loops.second_order_loop`, for K in double precision with one row per entry of F.

    Each unit of abs(beta) costs `epsilon`: one entry does what two do in regression by that loop.
    """
    up, down = np.empty(F.size), np.empty(F.size)
    diagonal, gains = np.empty(F.size), np.empty(F.size)
    for t in range(F.size):  # not np.where: numba compiles that for seconds
        up[t], down[t] = _edges(beta[t], low[t], high[t], epsilon)
        diagonal[t] = K[t, t]
    steps = 0
    top, bottom = _shift(K, F, 0, 0, 0.0, up, down)
    while top - bottom > tol and steps < most:
        i = _first_to_grow(F, up, top)
        j = _first(gains, _gains(K, diagonal, i, top, F, down, gains))
        step = _move(K, diagonal, low, high, beta, i, j, top - (F[j] + down[j]))
        for t in (i, j):
            up[t], down[t] = _edges(beta[t], low[t], high[t], epsilon)
        top, bottom = _shift(K, F, i, j, step, up, down)
        steps += 1
    return steps, top, bottom


@jit
def _relative_gap(beta, F, y, C, b):
    """Return (primal - dual) / dual by F = y - K beta, as `decomposition.relative_gap`, for b."""
    twice_dual, slack, product = 0.0, 0.0, 0.0
    for t in range(F.size):
        twice_dual += beta[t] * (y[t] + F[t])
        product += beta[t] * F[t]
        slack += C[t] * max(y[t] * (F[t] - b), 0.0)
    return 2.0 * (slack - product) / twice_dual if twice_dual > 0.0 else 0.0


@jit
def quick_multipliers(K, y, C, tol, gap, least, tries, most):
    """Return alpha, F and the steps for a machine whose gap is at most `gap`, by F.

    The violation that the loop is asked for shrinks as in `decomposition.second_order_of_valid`,
    for a K so small that the rounding errors of F can be left to the judge.
    """
    low, high, beta, F = np.empty(y.size), np.empty(y.size), np.zeros(y.size), y.copy()
    for t in range(y.size):
        low[t], high[t] = (0.0, C[t]) if y[t] > 0.0 else (-C[t], 0.0)
    until, steps = tol, 0
    for _ in range(tries):
        made, top, bottom = quick_second_order(K, low, high, beta, F, until, most - steps, 0.0)
        steps += made
        found = _relative_gap(beta, F, y, C, 0.5 * (top + bottom))
        if found <= gap or top - bottom > until:
            break
        share = min(max(0.7 * gap / found, 0.03), 0.5)
        until = max(min(until, top - bottom) * share, least * tol)
    return beta * y, F, steps


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
    if COMPILED and K.dtype == np.float64 and F.size == len(K):
        return quick_second_order(K, low, high, beta, F, tol, most, 0.0)
    return second_order_loop(K, low, high, beta, F, tol, most)
