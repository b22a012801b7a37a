"""One pass of the perceptron through the examples: plain, voted, averaged.

Compiled or not, w.x is added up from left to right: the same bits on every processor.
"""

import numpy as np

from .. import conventions
from .._jit import COMPILED, jit


@jit
def dot(w, x):
    """Return w.x, added up from left to right."""
    total = 0.0
    for j in range(w.size):
        total += w[j] * x[j]
    return total


if not COMPILED:  # the same bits, by numpy
    dot = conventions.dot


@jit
def one_pass(X, y, order, tie_label, w):
    """Go once through the examples; change `w` at each mistake, return the mistakes (L1, L2, L4).

    Parameters
    ----------
    X, y : (n, d) examples and (n,) labels -1.0, +1.0, unchecked
    order : (n,) in which order the examples are seen
    tie_label : the label that is right at a score of exactly 0; 0 where both are mistakes
    w : (d,) the weights before, changed to those after

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> perceptron.one_pass(X, y, np.arange(6), 0.0, np.zeros(2))
    array([0, 2, 4])
    """
    mistakes = []
    for i in order:
        if y[i] * (dot(w, X[i]) or tie_label) <= 0:
            w += y[i] * X[i]
            mistakes.append(i)
    return np.array(mistakes, np.intp)


@jit
def voted_pass(X, y, order, tie_label, w, c, new_count):
    """Pass as `one_pass` does; return mistakes, counts of the vectors left there, and c (L2).

    Parameters
    ----------
    X, y, order, tie_label, w : as in `one_pass`
    c : what the count of w is before the pass
    new_count : where the count of a new vector starts, 1 or 0

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> perceptron.voted_pass(X, y, np.arange(6), 0.0, np.zeros(2), 0, 1)
    (array([0, 2, 4]), array([0, 2, 2]), 2)
    """
    mistakes, counts = [], []
    for i in order:
        if y[i] * (dot(w, X[i]) or tie_label) <= 0:
            w += y[i] * X[i]
            mistakes.append(i)
            counts.append(c)
            c = new_count
        else:
            c += 1
    return np.array(mistakes, np.intp), np.array(counts, np.intp), c


@jit
def averaged_pass(X, y, order, tie_label, w, total):
    """Pass as `one_pass` does, add w to `total` after each example; return mistakes, rounds (L2).

    Parameters
    ----------
    X, y, order, tie_label, w : as in `one_pass`
    total : (d,) the sum of all w so far, changed

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> perceptron.averaged_pass(X, y, np.arange(6), 0.0, np.zeros(2), np.zeros(2))
    (array([0, 2, 4]), array([0, 2, 4]))
    """
    mistakes, rounds = [], []
    for t, i in enumerate(order):
        if y[i] * (dot(w, X[i]) or tie_label) <= 0:
            w += y[i] * X[i]
            mistakes.append(i)
            rounds.append(t)
        total += w
    return np.array(mistakes, np.intp), np.array(rounds, np.intp)
