"""The loops of SMO on a Gram matrix in memory: pairs of beta and F, and Platt's own on alpha and E.

They stand in one file because they share a pair's curvature (see `_jit`); `solvers` calls them.
Those on beta and F take each example once or more often: F and beta of 2n entries have the n rows
of K twice. Support vector regression is such a problem.
"""

import numpy as np

from .._jit import jit, jit_or

#: The least curvature of a pair, relative to K: equal examples have 0, and steps stay finite.
CURVATURE = 1e-14

# The loops of the fast versions, on beta and F; without numba those by arrays give the same bits.


def _extremes_by_arrays(F, beta, low, high):
    known = F == F  # nan is neither
    above = np.where((beta < high) & known, F, -np.inf)
    below = np.where((beta > low) & known, F, np.inf)
    i, j = int(above.argmax()), int(below.argmin())
    top, bottom = above[i], below[j]
    return (i if top > -np.inf else -1), (j if bottom < np.inf else -1), top, bottom


def _shift_by_arrays(K, F, i, j, step):
    K_i, K_j = K[i % len(K)].astype(float), K[j % len(K)].astype(float)
    with np.errstate(over="ignore", invalid="ignore"):
        F.reshape(-1, len(K))[:] -= step * (K_i - K_j)


def _partner_by_arrays(K, F, beta, low, i):
    """Do as `partner`, from whole arrays."""
    i_row, times = i % len(K), F.size // len(K)
    k_ii = float(K[i_row, i_row])
    k_jj, k_ij = np.tile(K.diagonal().astype(float), times), np.tile(K[i_row].astype(float), times)
    with np.errstate(over="ignore", invalid="ignore"):
        curvature = np.maximum(k_ii + k_jj - 2.0 * k_ij, CURVATURE * (k_ii + k_jj))
        gain = F[i] - F
        gain = gain * gain / np.maximum(curvature, 1e-200)
        gain = np.where((beta > low) & (F < F[i]) & (gain > 0.0), gain, 0.0)
    j = int(gain.argmax())
    return j if gain[j] > 0.0 else -1


@jit_or(_extremes_by_arrays)
def extremes(F, beta, low, high):
    """Return the worst pair: the largest F that can grow, the smallest that can shrink."""
    i, j = -1, -1
    top, bottom = -np.inf, np.inf
    for t in range(F.size):
        if beta[t] < high[t] and F[t] > top:
            top, i = F[t], t
        if beta[t] > low[t] and F[t] < bottom:
            bottom, j = F[t], t
    return i, j, top, bottom


@jit
def _curvature(K, i, j):
    """Return norm(phi_i - phi_j)^2, in double precision whatever K holds; n + i is i once more."""
    i, j = i if i < len(K) else i - len(K), j if j < len(K) else j - len(K)
    k_ii, k_jj, k_ij = np.float64(K[i, i]), np.float64(K[j, j]), np.float64(K[i, j])
    return max(k_ii + k_jj - 2.0 * k_ij, CURVATURE * (k_ii + k_jj), 1e-200)


@jit_or(_shift_by_arrays)
def _shift(K, F, i, j, step):
    K_i, K_j = K[i % len(K)], K[j % len(K)]
    for first in range(0, F.size, len(K)):
        F_once = F[first : first + len(K)]
        for t in range(len(K)):
            F_once[t] -= step * (np.float64(K_i[t]) - np.float64(K_j[t]))


@jit
def _move(K, low, high, beta, F, i, j):
    room_i, room_j = high[i] - beta[i], beta[j] - low[j]
    step = min((F[i] - F[j]) / _curvature(K, i, j), room_i, room_j)
    beta[i] = high[i] if step == room_i else beta[i] + step
    beta[j] = low[j] if step == room_j else beta[j] - step
    _shift(K, F, i, j, step)


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


@jit_or(_partner_by_arrays)
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
    >>> smo.partner(K, y, np.zeros(2), np.array([0.0, -1.0]), 0)
    1
    """
    j, most = -1, 0.0
    for t in range(F.size):
        if beta[t] > low[t] and F[t] < F[i]:
            gain = F[i] - F[t]
            gain = gain * gain / _curvature(K, i, t)
            if gain > most:
                most, j = gain, t
    return j


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


# Platt's loops, on alpha and the errors E, without the offset: it cancels in E1 - E2.


@jit
def take_step(K, y, C, alpha, E, i1, i2):
    """Move alpha_i1 and alpha_i2 to the best pair, as Platt (1999) does; say whether they moved.

    Parameters
    ----------
    K, y, C : as in `platt`, unchecked
    alpha, E : (n,) the multipliers and the errors sum_j alpha_j y_j K_ij - y_i, changed
    i1, i2 : the pair

    Examples
    --------
    >>> K, y, alpha = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0]), np.zeros(2)
    >>> smo.take_step(K, y, 1.0, alpha, -y, 0, 1), alpha
    (True, array([0.5, 0.5]))
    """
    if i1 == i2:
        return False
    s = y[i1] * y[i2]
    if s < 0:
        L, H = max(0.0, alpha[i2] - alpha[i1]), min(C, C + alpha[i2] - alpha[i1])
    else:
        L, H = max(0.0, alpha[i1] + alpha[i2] - C), min(C, alpha[i1] + alpha[i2])
    if L >= H:
        return False
    eta = _curvature(K, i1, i2)
    a2 = min(max(alpha[i2] + y[i2] * (E[i1] - E[i2]) / eta, L), H)
    if abs(a2 - alpha[i2]) <= 1e-12 * (a2 + alpha[i2]):
        return False
    a1 = alpha[i1] + s * (alpha[i2] - a2)
    if a1 < 1e-14 * a2:
        a1 = 0.0
    elif a1 > C * (1.0 - 1e-14):
        a1 = C
    d1, d2 = y[i1] * (a1 - alpha[i1]), y[i2] * (a2 - alpha[i2])
    for t in range(E.size):
        E[t] += d1 * K[i1, t] + d2 * K[i2, t]
    alpha[i1], alpha[i2] = a1, a2
    return True


@jit
def _offset(y, C, alpha, E):
    """Return b: the mean of y - f over free examples, else the middle of what the rest allows."""
    total, free = 0.0, 0
    low, high = -np.inf, np.inf
    for t in range(y.size):
        if 0.0 < alpha[t] < C:
            total -= E[t]
            free += 1
        elif (y[t] > 0) == (alpha[t] <= 0.0):
            low = max(low, -E[t])
        else:
            high = min(high, -E[t])
    if free > 0:
        return total / free
    return 0.5 * (low + high)


@jit
def examine(K, y, C, tol, alpha, E, b, i2):
    """Move i2 with a partner if it breaks the conditions: the farthest, then the free, then all.

    Parameters
    ----------
    K, y, C, tol : as in `platt`, unchecked
    alpha, E : (n,) the multipliers and the errors without b, changed
    b : the offset
    i2 : the example

    Examples
    --------
    >>> K, y, alpha = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0]), np.zeros(2)
    >>> smo.examine(K, y, 1.0, 0.001, alpha, -y, 0.0, 1), alpha
    (True, array([0.5, 0.5]))
    """
    r2 = (E[i2] + b) * y[i2]
    if not ((r2 < -tol and alpha[i2] < C) or (r2 > tol and alpha[i2] > 0.0)):
        return False
    best, far = -1, -1.0
    for t in range(y.size):
        if 0.0 < alpha[t] < C and abs(E[t] - E[i2]) > far:
            best, far = t, abs(E[t] - E[i2])
    if best >= 0 and take_step(K, y, C, alpha, E, best, i2):
        return True
    for t in range(y.size):
        if 0.0 < alpha[t] < C and take_step(K, y, C, alpha, E, t, i2):
            return True
    for t in range(y.size):
        if take_step(K, y, C, alpha, E, t, i2):
            return True
    return False


@jit
def platt_loop(K, y, C, tol, most, alpha, E):
    """Sweep over all examples, then over the free ones, until no sweep changes anything (L4).

    Parameters
    ----------
    K, y, C, tol : as in `platt`, unchecked
    most : steps at most
    alpha, E : (n,) the multipliers and the errors without b, changed

    Examples
    --------
    >>> K, y, alpha = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0]), np.zeros(2)
    >>> smo.platt_loop(K, y, 1.0, 0.001, 9, alpha, -y), alpha
    (1, array([0.5, 0.5]))
    """
    steps, changed, all_examples = 0, 0, True
    while (changed > 0 or all_examples) and steps < most:
        changed = 0
        for i2 in range(y.size):
            if steps < most and (all_examples or 0.0 < alpha[i2] < C):
                b = _offset(y, C, alpha, E)
                if examine(K, y, C, tol, alpha, E, b, i2):
                    changed += 1
                    steps += 1
        if all_examples:
            all_examples = False
        elif changed == 0:
            all_examples = True
    return steps
