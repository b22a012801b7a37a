"""One pass of the perceptron through the examples: plain, voted, averaged.

The loops are written out, so that they add in the same order compiled and uncompiled. Where nothing
compiles them, the forms with `_by_arrays` run in their place: they score many examples at once, in
the order of the loop, up to the next mistake, and give the same bits.
"""

from collections.abc import Iterator

import numpy as np

from .._jit import jit, jit_or

#: Examples scored at once after a mistake, and at most: twice as many each time none is found.
FEWEST, MOST = 8, 512


def _mistaken(X, y, order, spared, w) -> Iterator[int]:
    """Yield the places in `order` of the mistakes, under the `w` that the caller changes there."""
    t, block = 0, FEWEST
    while t < order.size:
        at = order[t : t + block]
        with np.errstate(over="ignore", invalid="ignore"):  # of examples not reached with this w
            u = np.cumsum(X[at] * w, axis=1)[:, -1]  # adds as the loop does, from left to right
        wrong = (y[at] * u < 0) | ((u == 0) & (y[at] != spared))
        first = int(wrong.argmax())
        if wrong[first]:
            yield t + first
            t, block = t + first + 1, FEWEST
        else:
            t, block = t + at.size, min(2 * block, MOST)


def _one_pass_by_arrays(X, y, order, spared, w):
    """Do as `one_pass`, from whole arrays."""
    mistakes = []
    for t in _mistaken(X, y, order, spared, w):
        i = order[t]
        w += y[i] * X[i]
        mistakes.append(i)
    return np.array(mistakes, np.intp)


def _voted_pass_by_arrays(X, y, order, spared, w, c, new_count):
    """Do as `voted_pass`, from whole arrays."""
    mistakes, counts, survived = [], [], 0
    for t in _mistaken(X, y, order, spared, w):
        i = order[t]
        w += y[i] * X[i]
        mistakes.append(i)
        counts.append(c + t - survived)
        c, survived = new_count, t + 1
    c += order.size - survived
    return np.array(mistakes, np.intp), np.array(counts, np.intp), c


def _averaged_pass_by_arrays(X, y, order, spared, w, total):
    """Do as `averaged_pass`, from whole arrays."""
    mistakes, rounds, added = [], [], 0
    for t in _mistaken(X, y, order, spared, w):
        _add_often(total, w, t - added)
        i = order[t]
        w += y[i] * X[i]
        mistakes.append(i)
        rounds.append(t)
        added = t
    _add_often(total, w, order.size - added)
    return np.array(mistakes, np.intp), np.array(rounds, np.intp)


def _add_often(total, w, times: int) -> None:
    """Add w to `total` so many times, rounding after each, as a loop would."""
    while times > 0:
        now = min(times, MOST)
        total[:] = np.cumsum(np.vstack([total, np.broadcast_to(w, (now, w.size))]), axis=0)[-1]
        times -= now


@jit
def _dot(w, x):
    total = 0.0
    for j in range(w.size):
        total += w[j] * x[j]
    return total


@jit_or(_one_pass_by_arrays)
def one_pass(X, y, order, spared, w):
    """Go once through the examples; change `w` at each mistake, return the mistakes (L1, L2, L4).

    Parameters
    ----------
    X, y : (n, d) examples and (n,) labels -1.0, +1.0, unchecked
    order : (n,) in which order the examples are seen
    spared : the label that is right at a score of exactly 0; 0 where both are mistakes
    w : (d,) the weights before, changed to those after

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> perceptron.one_pass(X, y, np.arange(6), 0.0, np.zeros(2))
    array([0, 2, 4])
    """
    mistakes = np.empty(order.size, np.intp)
    m = 0
    for i in order:
        u = _dot(w, X[i])
        if y[i] * u < 0 or (u == 0 and y[i] != spared):
            w += y[i] * X[i]
            mistakes[m] = i
            m += 1
    return mistakes[:m].copy()


@jit_or(_voted_pass_by_arrays)
def voted_pass(X, y, order, spared, w, c, new_count):
    """Pass as `one_pass` does; return mistakes, counts of the vectors left there, and c (L2).

    Parameters
    ----------
    X, y, order, spared, w : as in `one_pass`
    c : what the count of w is before the pass
    new_count : where the count of a new vector starts, 1 or 0

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> perceptron.voted_pass(X, y, np.arange(6), 0.0, np.zeros(2), 0, 1)
    (array([0, 2, 4]), array([0, 2, 2]), 2)
    """
    mistakes, counts = np.empty(order.size, np.intp), np.empty(order.size, np.intp)
    m = 0
    for i in order:
        u = _dot(w, X[i])
        if y[i] * u < 0 or (u == 0 and y[i] != spared):
            w += y[i] * X[i]
            mistakes[m], counts[m] = i, c
            m += 1
            c = new_count
        else:
            c += 1
    return mistakes[:m].copy(), counts[:m].copy(), c


@jit_or(_averaged_pass_by_arrays)
def averaged_pass(X, y, order, spared, w, total):
    """Pass as `one_pass` does, add w to `total` after each example; tell mistakes, rounds (L2).

    Parameters
    ----------
    X, y, order, spared, w : as in `one_pass`
    total : (d,) the sum of all w so far, changed

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> perceptron.averaged_pass(X, y, np.arange(6), 0.0, np.zeros(2), np.zeros(2))
    (array([0, 2, 4]), array([0, 2, 4]))
    """
    mistakes, rounds = np.empty(order.size, np.intp), np.empty(order.size, np.intp)
    m = 0
    for t in range(order.size):
        i = order[t]
        u = _dot(w, X[i])
        if y[i] * u < 0 or (u == 0 and y[i] != spared):
            w += y[i] * X[i]
            mistakes[m], rounds[m] = i, t
            m += 1
        total += w
    return mistakes[:m].copy(), rounds[:m].copy()
