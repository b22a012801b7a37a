"""The loops of SMO on a Gram matrix in memory: pairs of beta and F, and Platt's own on alpha and F.

They stand in one file because they share a pair's curvature (see `_jit`); `solvers` calls them.
Those on beta and F take each example once or more often: F and beta of 2n entries have the n rows
of K twice. Support vector regression is such a problem.
"""

import numpy as np

from .._jit import jit

#: The least curvature of a pair, relative to K: equal examples have 0, and steps stay finite.
CURVATURE = 1e-14
#: Added to it: examples that are all 0 have a curvature, too.
LEAST_CURVATURE = 1e-200


@jit
def extremes(F, beta, low, high):
    """Return the worst pair: the largest F that can grow, the smallest that can shrink."""
    above, below = F.copy(), F.copy()
    above[beta >= high] = -np.inf
    below[beta <= low] = np.inf
    i, j = above.argmax(), below.argmin()
    return i, j, above[i], below[j]


@jit
def _curvature(k_ii, k_jj, k_ij):
    """Return norm(phi_i - phi_j)^2, for one pair or for many; never 0."""
    both = k_ii + k_jj
    return np.maximum(both - 2.0 * k_ij, CURVATURE * both + LEAST_CURVATURE)


@jit
def _move(K, low, high, beta, F, i, j):
    """Move beta_i up and beta_j down to the best pair, and bring F up to date."""
    n = len(K)
    p, q = i % n, j % n  # the rows of K, where examples stand more than once
    room_i, room_j = high[i] - beta[i], beta[j] - low[j]
    step = min((F[i] - F[j]) / _curvature(K[p, p], K[q, q], K[p, q]), room_i, room_j)
    beta[i] = high[i] if step == room_i else beta[i] + step
    beta[j] = low[j] if step == room_j else beta[j] - step
    for first in range(0, F.size, n):
        part = F[first : first + n]  # numba compiles F[...] -= for a second and a half
        part -= step * (K[p] - K[q])


@jit
def first_order_loop(K, low, high, beta, F, tol, most):
    """Move the worst pair until none breaks the conditions by more than tol."""
    steps = 0
    i, j, top, bottom = extremes(F, beta, low, high)
    while top - bottom > tol and steps < most:
        _move(K, low, high, beta, F, i, j)
        i, j, top, bottom = extremes(F, beta, low, high)
        steps += 1
    return steps, top, bottom


@jit
def partner(K, F, beta, low, i):
    """Return the j that gains most with i, judged by slope and curvature; -1 if none gains.

    Parameters
    ----------
    K : (n, n) the Gram matrix
    F : (n,) y - K (alpha y)
    beta, low : (n,) alpha y, and the least that it may be
    i : the example whose partner is looked for

    Examples
    --------
    >>> K, y = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0])
    >>> int(smo.partner(K, y, np.zeros(2), np.array([0.0, -1.0]), 0))
    1
    """
    gain = F[i] - F
    gain[(beta <= low) | (gain < 0.0)] = 0.0
    n, p = len(K), i % len(K)
    curvature = _curvature(K[p, p], np.diag(K), K[p])
    for first in range(0, F.size, n):
        part = gain[first : first + n]
        part *= part / curvature
    j = gain.argmax()
    return j if gain[j] > 0.0 else -1


@jit
def second_order_loop(K, low, high, beta, F, tol, most):
    """Move the worst i with the partner that gains most, until the worst pair is within tol."""
    steps = 0
    i, _, top, bottom = extremes(F, beta, low, high)
    while top - bottom > tol and steps < most:
        _move(K, low, high, beta, F, i, partner(K, F, beta, low, i))
        i, _, top, bottom = extremes(F, beta, low, high)
        steps += 1
    return steps, top, bottom


# Platt's loops, on alpha and F. His errors are E_i = b - F_i, and b cancels in E_1 - E_2.


@jit
def take_step(K, y, C, alpha, F, i, j):
    """Move alpha_i and alpha_j to the best pair, as Platt (1999) does; say whether they moved.

    Parameters
    ----------
    K, y, C : as in `platt`, unchecked
    alpha, F : (n,) the multipliers and y - K (alpha y), changed
    i, j : the pair

    Examples
    --------
    >>> K, y, alpha = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0]), np.zeros(2)
    >>> smo.take_step(K, y, 1.0, alpha, y.copy(), 0, 1), alpha
    (True, array([0.5, 0.5]))
    """
    if i == j:
        return False
    s = y[i] * y[j]
    if s < 0:
        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    else:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    if L >= H:
        return False
    eta = _curvature(K[i, i], K[j, j], K[i, j])
    a_j = min(max(alpha[j] + y[j] * (F[j] - F[i]) / eta, L), H)
    if abs(a_j - alpha[j]) <= 1e-12 * (a_j + alpha[j]):
        return False
    a_i = alpha[i] + s * (alpha[j] - a_j)
    if a_i < 1e-14 * a_j:
        a_i = 0.0
    elif a_i > C * (1.0 - 1e-14):
        a_i = C
    d_i, d_j = y[i] * (a_i - alpha[i]), y[j] * (a_j - alpha[j])
    F -= d_i * K[i] + d_j * K[j]
    alpha[i], alpha[j] = a_i, a_j
    return True


@jit
def _offset(y, C, alpha, F):
    """Return b: the mean of y - f over free examples, else the middle of what the rest allows."""
    total, free = 0.0, 0
    low, high = -np.inf, np.inf
    for t in range(y.size):
        if 0.0 < alpha[t] < C:
            total += F[t]
            free += 1
        elif (y[t] > 0) == (alpha[t] <= 0.0):
            low = max(low, F[t])
        else:
            high = min(high, F[t])
    if free > 0:
        return total / free
    return 0.5 * (low + high)


@jit
def examine(K, y, C, tol, alpha, F, b, j):
    """Move j with a partner if it breaks the conditions: the farthest, then the free, then all.

    Parameters
    ----------
    K, y, C, tol : as in `platt`, unchecked
    alpha, F : (n,) the multipliers and y - K (alpha y), changed
    b : the offset
    j : the example

    Examples
    --------
    >>> K, y, alpha = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0]), np.zeros(2)
    >>> smo.examine(K, y, 1.0, 0.001, alpha, y.copy(), 0.0, 1), alpha
    (True, array([0.5, 0.5]))
    """
    r = (b - F[j]) * y[j]
    if not ((r < -tol and alpha[j] < C) or (r > tol and alpha[j] > 0.0)):
        return False
    free = (0.0 < alpha) & (alpha < C)
    farthest = (free * np.abs(F - F[j])).argmax()
    if free[farthest] and take_step(K, y, C, alpha, F, farthest, j):
        return True
    for i in range(y.size):
        if free[i] and take_step(K, y, C, alpha, F, i, j):
            return True
    for i in range(y.size):
        if take_step(K, y, C, alpha, F, i, j):
            return True
    return False


@jit
def platt_loop(K, y, C, tol, most, alpha, F):
    """Sweep over all examples, then over the free ones, until no sweep changes anything (L4).

    Parameters
    ----------
    K, y, C, tol : as in `platt`, unchecked
    most : steps at most
    alpha, F : (n,) the multipliers and y - K (alpha y), changed

    Examples
    --------
    >>> K, y, alpha = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0]), np.zeros(2)
    >>> smo.platt_loop(K, y, 1.0, 0.001, 9, alpha, y.copy()), alpha
    (1, array([0.5, 0.5]))
    """
    steps, changed, all_examples = 0, 0, True
    b = _offset(y, C, alpha, F)
    while (changed > 0 or all_examples) and steps < most:
        changed = 0
        for j in range(y.size):
            if steps < most and (all_examples or 0.0 < alpha[j] < C):
                if examine(K, y, C, tol, alpha, F, b, j):
                    b = _offset(y, C, alpha, F)
                    changed += 1
                    steps += 1
        if all_examples:
            all_examples = False
        elif changed == 0:
            all_examples = True
    return steps
