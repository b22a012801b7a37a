"""The loops of chains: scores of letters, Viterbi, one pass of the structured perceptron.

Sequences are rows of one sparse matrix: row t has the features places[start[t]:start[t + 1]], in
rising order, with these values; sequence i is the rows bounds[i] to bounds[i + 1]. theta is one
vector: weights of feature and tag (d x S), of pairs of tags (S x S), at order 2 of triples, too.
Everything is added in the order in which the lesson's text adds it, zeros left out.
"""

from typing import NamedTuple

import numpy as np

from .._jit import jit


class ChainData(NamedTuple):
    """The rows of all sequences, and the shape of theta."""

    values: np.ndarray
    places: np.ndarray
    start: np.ndarray
    d: int  #: features
    S: int  #: tags
    second: bool  #: order 2: triples of tags have weights, too


@jit
def _sparse_scores(values, places, start, low, high, W):
    """Return E[t, s], the sum over j of W[j, s] x[t, j], for the rows low to high."""
    S = W.shape[1]
    E = np.zeros((high - low, S))
    for t in range(low, high):
        for k in range(start[t], start[t + 1]):
            j, v = places[k], values[k]
            for s in range(S):
                E[t - low, s] += W[j, s] * v
    return E


@jit
def _viterbi_loop(E, P, y):
    """Write the best tagging to y and return its score; E letters, P pairs (first order).

    From the end to the beginning: V[t, s] is the best score of the tags from t on if tag t is s. So
    the way forward can take the lowest tag wherever several are best.
    """
    n, S = E.shape
    V = E.copy()
    for t in range(n - 2, -1, -1):
        for s in range(S):
            best = P[s, 0] + V[t + 1, 0]
            for r in range(1, S):
                value = P[s, r] + V[t + 1, r]
                if value > best:
                    best = value
            V[t, s] += best
    for t in range(n):
        y[t] = 0
        best = V[t, 0] if t == 0 else P[y[t - 1], 0] + V[t, 0]
        for s in range(1, S):
            value = V[t, s] if t == 0 else P[y[t - 1], s] + V[t, s]
            if value > best:
                best = value
                y[t] = s
    return V[0, y[0]]


@jit
def _viterbi2_loop(E, P, Q, y):
    """The same at second order: Q scores triples of tags; V[t, r, s] with tags r, s at t - 1, t."""
    n, S = E.shape
    if n == 1:
        return _viterbi_loop(E, P, y)
    V = np.zeros((n, S, S))
    for t in range(n - 1, 0, -1):
        for r in range(S):
            for s in range(S):
                V[t, r, s] = E[t, s] + P[r, s]
                if t < n - 1:
                    best = Q[r, s, 0] + V[t + 1, s, 0]
                    for q in range(1, S):
                        value = Q[r, s, q] + V[t + 1, s, q]
                        if value > best:
                            best = value
                    V[t, r, s] += best
    y[0], y[1] = 0, 0
    total = E[0, 0] + V[1, 0, 0]
    for r in range(S):
        for s in range(S):
            value = E[0, r] + V[1, r, s]
            if value > total:
                total = value
                y[0], y[1] = r, s
    for t in range(2, n):
        y[t] = 0
        best = Q[y[t - 2], y[t - 1], 0] + V[t, y[t - 1], 0]
        for q in range(1, S):
            value = Q[y[t - 2], y[t - 1], q] + V[t, y[t - 1], q]
            if value > best:
                best = value
                y[t] = q
    return total


@jit
def _raise_wrong(E, gold, price):
    for t in range(E.shape[0]):
        for s in range(E.shape[1]):
            if s != gold[t]:
                E[t, s] += price


@jit
def _decode(rows, low, high, theta, gold, price, y):
    """Write to y the best tagging of the rows low to high; a wrong tag is worth `price` more."""
    d, S = rows.d, rows.S
    W = theta[: d * S].reshape((d, S))
    P = theta[d * S : d * S + S * S].reshape((S, S))
    E = _sparse_scores(rows.values, rows.places, rows.start, low, high, W)
    if price != 0:
        _raise_wrong(E, gold, price)
    if rows.second:
        _viterbi2_loop(E, P, theta[d * S + S * S :].reshape((S, S, S)), y)
    else:
        _viterbi_loop(E, P, y)


@jit
def _count_features(rows, low, high, y, f):
    """Add the joint features of the rows low to high under the tags y to f."""
    d, S, start = rows.d, rows.S, rows.start
    for t in range(low, high):
        s = y[t - low]
        for k in range(start[t], start[t + 1]):
            f[rows.places[k] * S + s] += rows.values[k]
        if t > low:
            f[d * S + y[t - low - 1] * S + s] += 1.0
        if rows.second and t > low + 1:
            f[(d + S) * S + (y[t - low - 2] * S + y[t - low - 1]) * S + s] += 1.0


@jit
def _move(k, step, left, good, bad, theta, total):
    change = step * (good[k] - bad[k])
    theta[k] += change
    total[k] += left * change
    good[k] = 0.0
    bad[k] = 0.0


@jit
def _visit(rows, low, high, y, step, left, good, bad, theta, total):
    """Move theta and its sum along the features that the tags y touch; a second visit adds 0."""
    d, S, start = rows.d, rows.S, rows.start
    for t in range(low, high):
        s = y[t - low]
        for k in range(start[t], start[t + 1]):
            _move(rows.places[k] * S + s, step, left, good, bad, theta, total)
        if t > low:
            _move(d * S + y[t - low - 1] * S + s, step, left, good, bad, theta, total)
        if rows.second and t > low + 1:
            k = (d + S) * S + (y[t - low - 2] * S + y[t - low - 1]) * S + s
            _move(k, step, left, good, bad, theta, total)


@jit
def _perceptron_pass(rows, bounds, tags, order, step, price, left, theta, total):
    """One pass: on a mistake theta += step (f(x, y) - f(x, y*)), total += left times the same.

    `left` is the number of rounds, this one included, in which the first change stays. Returns the
    mistaken sequences and what was said of them, one after the other.
    """
    good, bad = np.zeros(theta.size), np.zeros(theta.size)
    mistakes, said = np.empty(order.size, np.intp), np.empty(tags.size, np.intp)
    m, place = 0, 0
    for i in order:
        low, high = bounds[i], bounds[i + 1]
        y, y_star = tags[low:high], said[place : place + high - low]
        _decode(rows, low, high, theta, y, price, y_star)
        wrong = False
        for t in range(high - low):
            if y[t] != y_star[t]:
                wrong = True
        if wrong:
            _count_features(rows, low, high, y, good)
            _count_features(rows, low, high, y_star, bad)
            _visit(rows, low, high, y, step, left, good, bad, theta, total)
            _visit(rows, low, high, y_star, step, left, good, bad, theta, total)
            mistakes[m] = i
            m += 1
            place += high - low
        left -= 1
    return mistakes[:m].copy(), said[:place].copy()


@jit
def _decode_all(rows, bounds, theta, y):
    """Write the best tagging of every sequence to y."""
    for i in range(bounds.size - 1):
        low, high = bounds[i], bounds[i + 1]
        none = y[low:high]
        _decode(rows, low, high, theta, none, 0.0, none)
