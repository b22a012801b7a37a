"""Passes of the perceptron in less time: the same mistakes, the same weights, to the bit.

A pass needs of w.x only its sign. Summed from left to right, as `one_pass` sums it, each addition
waits for the one before; so w.x is first summed in any order, as fast as the processor can. Summed
in whatever order, it is off by at most (d eps) sum of |w_j x_j| (Higham 2002, 4.2, to first order):
further from 0 than twice that, both sums have one sign. Only a sum closer to 0 is taken anew from
left to right. The memory is asked for an example some rounds before its turn.
"""

import numpy as np

from .._jit import in_any_order, jit, prefetch

AHEAD = 4  #: fetch an example this many rounds before its turn
LINE = 8  #: numbers that the memory sends at once
#: 4 u: twice the bound d u, doubled to cover rounding in `size`; multiplied by d.
ROUNDING_OF_SUM = 4.0 * 2.0**-53
#: Where sums may overflow they have no bound; below the other one products may lose their bits.
HUGE, TINY = 1e300, 1e-300


@in_any_order
def _rough(w, X, i):
    """Return w.x of the example i, the sum in any order."""
    total = 0.0
    for j in range(w.size):
        total += w[j] * X[i, j]
    return total


@jit
def _score(w, X, i):
    """Return w.x of the example i, the sum from left to right."""
    total = 0.0
    for j in range(w.size):
        total += w[j] * X[i, j]
    return total


@jit
def _update(w, label, X, i):
    for j in range(w.size):
        w[j] += label * X[i, j]


@jit
def _doubt(size, d):
    """Return how far from 0 a rough sum of d products has a sure sign; `size` bounds |w_j x_j|."""
    return (d + 2) * ROUNDING_OF_SUM * size + TINY if size < HUGE else np.inf


@jit
def _fetch(X, i):
    """Ask the memory for an example."""
    for j in range(0, X.shape[1], LINE):
        prefetch(X, i, j)


@jit
def fast_pass(X, y, order, tie_label, w, largest, total=None):
    """Pass as `one_pass` does, or as `averaged_pass`; return the mistakes, and the round of each.

    No entry of X is above `largest` in size.
    """
    mistakes, rounds = np.empty(order.size, np.intp), np.empty(order.size, np.intp)
    m, d, size = 0, w.size, np.abs(w).sum() * largest
    doubt = _doubt(size, d)
    for t in range(order.size):
        _fetch(X, order[min(t + AHEAD, order.size - 1)])
        i = order[t]
        u = _rough(w, X, i)
        if not abs(u) > doubt:
            u = _score(w, X, i)
        if y[i] * u < 0 or (u == 0 and y[i] != tie_label):
            _update(w, y[i], X, i)
            size += d * largest * largest
            doubt = _doubt(size, d)
            mistakes[m], rounds[m] = i, t
            m += 1
        if total is not None:
            for j in range(d):
                total[j] += w[j]
    return mistakes[:m].copy(), rounds[:m].copy()
