"""The compiled loops of ascent by blocks, over the examples of one part."""

import numpy as np

from .._jit import jit


@jit
def block_pass(X, y, C, sigma, v, alpha, norms2, order):
    """Maximise a part's model in one alpha after another; v = w + sigma dw moves along.

    Parameters
    ----------
    X, y : (n, d) examples and (n,) labels -1.0, +1.0 of one part, unchecked
    C, sigma : the price of slack, and how much longer the part takes its own steps to be
    v, alpha : (d,) and (n,), changed in place
    norms2 : (n,) norm(x)^2
    order : the examples to look at, in this order; overwritten. Those that moved are returned

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> v, alpha, norms2 = np.zeros(2), np.zeros(6), (X**2).sum(axis=1)
    >>> partitions.block_pass(X, y, 1.0, 2.0, v, alpha, norms2, np.arange(6))
    array([0, 1, 2, 4])
    >>> alpha[:3]
    array([0.1, 0.4, 0.1])
    """
    moved = 0
    for i in order:
        f = 0.0
        for j in range(v.size):
            f += v[j] * X[i, j]
        new = C
        if norms2[i] > 0.0:
            new = min(max(alpha[i] + (1.0 - y[i] * f) / (sigma * norms2[i]), 0.0), C)
        step = sigma * (new - alpha[i]) * y[i]
        alpha[i] = new
        if step != 0.0:
            order[moved] = i
            moved += 1
            for j in range(v.size):
                v[j] += step * X[i, j]
    return order[:moved]


@jit
def _part_gap(X, y, C, w, alpha, norms2):
    """Return sum C xi - alpha (1 - y w.x), a part's share of P - D; norms2 is filled in."""
    total = 0.0
    for i in range(y.size):
        f, length2 = 0.0, 0.0
        for j in range(w.size):
            f += w[j] * X[i, j]
            length2 += X[i, j] * X[i, j]
        norms2[i] = length2
        r = 1.0 - y[i] * f
        total += C * max(0.0, r) - alpha[i] * r
    return total


@jit
def _weighted_sum(X, beta):
    """Return sum beta x, row after row."""
    w = np.zeros(X.shape[1])
    for i in range(beta.size):
        if beta[i] != 0.0:
            for j in range(w.size):
                w[j] += beta[i] * X[i, j]
    return w
