"""Passes of the perceptron, four scores at a time: the same mistakes, the same weights, to the bit.

A sum of d products, one after the other, waits for each addition; and an example in random order
for the memory. So the scores of the next four examples are summed side by side, each in the order
in which `one_pass` sums it. A mistake among them changes w: the scores after it are taken anew.
"""

import numpy as np

from .._jit import jit


@jit
def _four_scores(X, order, t, w):
    """Return w.x of the examples t, ..., t + 3 of the order; of the last one, where it ends."""
    end = order.size - 1
    a, b = X[order[t]], X[order[min(t + 1, end)]]
    c, d = X[order[min(t + 2, end)]], X[order[min(t + 3, end)]]
    u, v, p, q = 0.0, 0.0, 0.0, 0.0
    for j in range(w.size):
        u += w[j] * a[j]
        v += w[j] * b[j]
        p += w[j] * c[j]
        q += w[j] * d[j]
    return u, v, p, q


@jit
def _add(w, label, x):
    for j in range(w.size):
        w[j] += label * x[j]


@jit
def fast_pass(X, y, order, spared, w):
    """Pass as `one_pass` does."""
    mistakes = np.empty(order.size, np.intp)
    m, t = 0, 0
    while t < order.size:
        for u in _four_scores(X, order, t, w):
            i = order[t]
            t += 1
            if y[i] * u < 0 or (u == 0 and y[i] != spared):
                _add(w, y[i], X[i])
                mistakes[m] = i
                m += 1
                break  # the scores after it are those of the old w
            if t == order.size:
                break
    return mistakes[:m].copy()


@jit
def fast_averaged_pass(X, y, order, spared, w, total):
    """Pass as `averaged_pass` does."""
    mistakes, rounds = np.empty(order.size, np.intp), np.empty(order.size, np.intp)
    m, t = 0, 0
    while t < order.size:
        for u in _four_scores(X, order, t, w):
            i = order[t]
            wrong = y[i] * u < 0 or (u == 0 and y[i] != spared)
            if wrong:
                _add(w, y[i], X[i])
                mistakes[m], rounds[m] = i, t
                m += 1
            _add(total, 1.0, w)
            t += 1
            if wrong or t == order.size:
                break
    return mistakes[:m].copy(), rounds[:m].copy()
