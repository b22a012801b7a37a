"""The compiled loops of `linear`, for dense and sparse examples alike.

A dense matrix is X, with `data`, `places` and `start` empty. In a sparse one X is empty, and row i
has the entries data[start[i]:start[i + 1]] at the places of the same numbers.
"""

import numpy as np

from ._jit import jit


@jit
def _dot(w, x):
    """Return w.x, in four sums, so that one need not wait for the other."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    quarter = w.size // 4
    for j in range(quarter):
        k = 4 * j
        a += w[k] * x[k]
        b += w[k + 1] * x[k + 1]
        c += w[k + 2] * x[k + 2]
        d += w[k + 3] * x[k + 3]
    for j in range(4 * quarter, w.size):
        a += w[j] * x[j]
    return (a + b) + (c + d)


@jit
def _add(w, step, x):
    """Add step x to w."""
    for j in range(w.size):
        w[j] += step * x[j]


@jit
def _sparse_dot(w, x, at):
    """Return w.x for the entries x at these places."""
    f = 0.0
    for k in range(x.size):
        f += w[at[k]] * x[k]
    return f


@jit
def _sparse_add(w, step, x, at):
    """Add step x to w for the entries x at these places."""
    for k in range(x.size):
        w[at[k]] += step * x[k]


@jit
def _shuffle(order, size, seed):
    """Put the first `size` entries in random order; return the next seed."""
    for k in range(size - 1, 0, -1):
        seed = seed * 48271 % 2147483647
        j = seed % (k + 1)
        order[k], order[j] = order[j], order[k]
    return seed


@jit
def _dual_pass(
    X, data, places, start, y, C, high, D, H, squared, w, alpha, order, size, top, bottom
):
    """Maximise the dual in one alpha after another.

    Return the gap of the examples as they were met, how many are still in play, and the largest
    and smallest slope. An alpha at its bound with a slope beyond those of the last pass will
    stay there: it goes out of play, to the end of `order`.
    """
    found, new_top, new_bottom = 0.0, 0.0, 0.0
    k = 0
    while k < size:
        i = order[k]
        a = alpha[i]
        if X.size > 0:  # the choice stands here and not in `_dot`, or nothing would be inlined
            r = 1.0 - y[i] * _dot(w, X[i])
        else:
            first, last = start[i], start[i + 1]
            r = 1.0 - y[i] * _sparse_dot(w, data[first:last], places[first:last])
        slope = r - D[i] * a
        if (a == 0.0 and slope < bottom) or (a == high[i] and slope > top):
            size -= 1
            order[k], order[size] = order[size], i
            continue
        k += 1
        xi = max(r, 0.0)
        found += C[i] * xi * (xi if squared else 1.0) - a * (r - 0.5 * D[i] * a)
        new = high[i]
        if H[i] > 0.0:
            new = min(max(a + slope / H[i], 0.0), high[i])
        if new != a:
            alpha[i] = new
            new_top, new_bottom = max(new_top, slope), min(new_bottom, slope)
            if X.size > 0:
                _add(w, (new - a) * y[i], X[i])
            else:
                first, last = start[i], start[i + 1]
                _sparse_add(w, (new - a) * y[i], data[first:last], places[first:last])
    return found, size, new_top, new_bottom


@jit
def _descend(
    X, data, places, start, y, C, high, D, H, squared, w, alpha, order, seed, shrink, target, most
):
    """Make passes until the gap, as a pass meets the examples in play, is at most `target`."""
    size, top, bottom = order.size, np.inf, -np.inf
    passes, found = 0, np.inf
    while passes < most and (passes == 0 or found > target):
        if seed > 0:
            seed = _shuffle(order, size, seed)
        found, size, up, down = _dual_pass(
            X, data, places, start, y, C, high, D, H, squared, w, alpha, order, size, top, bottom
        )
        passes += 1
        if shrink:
            top, bottom = (up if up > 0 else np.inf), (down if down < 0 else -np.inf)
    return passes, seed


@jit
def _fold(v, weight, debt, scale, harmonic):
    """Begin again with scale 1 and harmonic 0, before small numbers lose their digits."""
    for j in range(v.size):
        v[j] *= scale
    for i in range(weight.size):
        debt[i] -= harmonic * weight[i]
        weight[i] *= scale


@jit
def _pegasos_steps(
    X, data, places, start, y, norms2, penalty, radius, draw, done, v, weight, debt, state
):
    """After step t, w = scale v / (penalty t) and v = sum weight y x.

    `harmonic` adds up scale / t: what a unit of weight has given to the sum of all iterates since
    it came is the growth of `harmonic` since then, and `debt` remembers where it stood.
    """
    scale, harmonic, norm2 = state[0], state[1], state[2]
    for k in range(draw.size):
        t, i = done + k + 1.0, draw[k]
        first, last = (0, 0) if X.size > 0 else (start[i], start[i + 1])
        if X.size > 0:
            f = _dot(v, X[i])
        else:
            f = _sparse_dot(v, data[first:last], places[first:last])
        if y[i] * scale * f < penalty * (t - 1.0) or t == 1.0:
            unit = 1.0 / scale
            norm2 += unit * (2.0 * y[i] * f + unit * norms2[i])
            weight[i] += unit
            debt[i] += unit * harmonic
            if X.size > 0:
                _add(v, unit * y[i], X[i])
            else:
                _sparse_add(v, unit * y[i], data[first:last], places[first:last])
        size = scale * np.sqrt(max(norm2, 0.0)) / (penalty * t)
        if size > radius:
            scale *= radius / size
        if scale < 1e-3:
            _fold(v, weight, debt, scale, harmonic)
            scale, harmonic, norm2 = 1.0, 0.0, norm2 * scale * scale
        harmonic += scale / t
    state[0], state[1], state[2] = scale, harmonic, norm2
