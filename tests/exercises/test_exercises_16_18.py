"""Exercises of 16 to 18: right answers in unusual forms, wrong ones with the reason to be named."""

from itertools import pairwise
from math import comb

import numpy as np
from scipy.special import betaincinv
from scipy.stats import binom, rankdata


def pairs_in_order(y, scores, tie=0.5):
    up, down = scores[y == 1], scores[y == -1]
    return np.mean([1.0 if a > b else tie if a == b else 0.0 for a in up for b in down])


def area_by_ranks(y, scores):
    """Mann and Whitney by ranks: no pair is looked at."""
    P, N = np.sum(y == 1), np.sum(y == -1)
    return np.float32((rankdata(scores)[y == 1].sum() - P * (P + 1) / 2) / (P * N))


def area_by_sorting(y, scores):
    """Ties broken by the place in the list, which is no answer."""
    falling = y[np.argsort(-scores, kind="stable")]
    above = [np.sum(falling[:i] == 1) for i in np.flatnonzero(falling == -1)]
    return np.mean(above) / np.sum(y == 1)


def upper_by_halving(k, n, tail):
    low, high = 0, 1
    for _ in range(100):
        p = (low + high) / 2
        low, high = (p, high) if binom.cdf(k, n, p) > tail else (low, p)
    return low


def normal_upper(k, n, tail):
    return min(1.0, k / n + 1.96 * np.sqrt(k / n * (1 - k / n) / n))


def opposing(X):
    s, y = np.zeros(X.shape[1]), []
    for x in X:
        y.append(-1 if s @ x > 0 else 1)
        s = s + y[-1] * x
    return y


def opposing_from_the_longest(X):
    """Another order and another algorithm: turn one label at a time while that shortens the sum."""
    y = np.ones(len(X))
    while True:
        gain = y * (X @ (y @ X)) - (X * X).sum(axis=1)
        if gain.max() <= 1e-12:
            return y[:, None]
        y[np.argmax(gain)] *= -1


def by_turns(X):
    return np.where(np.arange(len(X)) % 2, 1.0, -1.0)


def against_the_one_before(X):
    y = [1.0]
    for before, x in pairwise(X):
        y.append(-y[-1] if before @ x > 0 else y[-1])
    return y


def rectangle(a, b=1.0):
    return np.array([[0.0, 0.0], [0.0, b], [a, 0.0], [a, b]])


def two_dense_columns():
    """Eight points as lists: two columns, cut across; another trap than the solution."""
    X = [[x, y + 0.01 * i] for x in (0, 400) for y, i in ((0, 0), (0, 1), (1, 0), (1, 1))]
    return X, [0, 0, 1, 1, 0, 0, 1, 1]


def doubly_by_matrix(K):
    n = len(K)
    H = np.eye(n) - np.full((n, n), 1 / n)
    return (H @ K @ H).tolist()


def by_features(K):
    values, V = np.linalg.eigh(K)
    Phi = V * np.sqrt(np.maximum(values, 0))
    Z = Phi - Phi.mean(axis=0)
    return Z @ Z.T


def in_place(K):
    K -= K.mean(axis=0)
    K -= K.mean(axis=1)[:, None]
    return K


RIGHT = {
    "centred": [
        doubly_by_matrix,
        by_features,
        lambda K: K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean(),
    ],
    "stuck": [
        lambda: (rectangle(12.0), np.array([0, 1, 0, 1])),
        lambda: (rectangle(1.0, 0.05), [[1], [0], [1], [0]]),
        two_dense_columns,
    ],
    "area": [
        pairs_in_order,
        area_by_ranks,
        lambda y, s: float(np.mean((np.sign(s[y > 0][:, None] - s[y < 0]) + 1) / 2)),
    ],
    "upper": [
        upper_by_halving,
        lambda k, n, tail: betaincinv(k + 1, n - k, 1 - tail),
        lambda k, n, tail: np.float64(1 - betaincinv(n - k, k + 1, tail)),
    ],
    "sauer": [
        lambda n, h: sum(comb(n, i) for i in range(h + 1)),
        lambda n, h: np.int64(round(binom.cdf(h, n, 0.5) * 2**n)),
        lambda n, h: sum(bin(i).count("1") <= h for i in range(2**n)),
    ],
    "hard labels": [opposing, opposing_from_the_longest],
}

WRONG = [
    ("centred", lambda K: K - K.mean(), "only the mean of all entries was taken off"),
    ("centred", lambda K: K - K.mean(axis=0), "only the column means were taken off"),
    ("centred", lambda K: K - K.mean(axis=0) - K.mean(axis=1)[:, None], "give it back once"),
    ("centred", lambda K: K - K.mean(axis=0) - K.mean(axis=1) + K.mean(), "need [:, None]"),
    ("centred", lambda K: 0 * K, "must not change their distances"),
    ("centred", lambda K: 2 * np.array(doubly_by_matrix(K)), "must not change their distances"),
    ("centred", lambda K: K, "this is K itself"),
    ("centred", in_place, "must not change the K it was given"),
    ("centred", lambda K: K.mean(axis=0), "an array of shape (3, 3) is expected"),
    ("stuck", lambda: (rectangle(4.0), [0, 1, 0, 1]), "that is not 100 times as much"),
    ("stuck", lambda: (rectangle(12.0), [0, 0, 1, 1]), "that is not 100 times as much"),
    ("stuck", lambda: (rectangle(12.0), [0, 1, 1, 0]), "is not nearer to the mean of its own"),
    ("stuck", lambda: (rectangle(12.0), [0, 1, 1, 1]), "is not nearer to the mean of its own"),
    ("stuck", lambda: ([[0, 0], [1, 0]], [0, 1]), "that is not 100 times as much"),  # both are 0
    ("stuck", lambda: (rectangle(12.0), [0, 0, 0, 0]), "both occur"),
    ("stuck", lambda: (rectangle(12.0), [0, 1, 0, 2]), "both occur"),
    ("stuck", lambda: (rectangle(12.0), [0, 1]), "a vector of 4 numbers"),
    ("stuck", lambda: (np.zeros((4, 2)), [0, 1, 0, 1]), "is not nearer"),
    ("stuck", lambda: (rectangle(np.inf), [0, 1, 0, 1]), "inf is no finite number"),
    ("stuck", lambda: (np.zeros((11, 2)), np.arange(11) % 2), "2 to 10 rows"),
    ("stuck", lambda: np.array([0, 1, 0, 1]), "2 values are expected"),
    ("stuck", lambda: (np.eye(3), [0, 1, 0]), "rows of 2 numbers"),
    ("area", lambda y, s: pairs_in_order(y, s, tie=0), "a tie counts 1/2, not 0"),
    ("area", lambda y, s: pairs_in_order(y, s, tie=1), "a tie counts 1/2, not 1"),
    ("area", lambda y, s: pairs_in_order(-y, s), "the order is the wrong way round"),
    ("area", lambda y, s: pairs_in_order(y, np.where(s >= 0, 1.0, -1.0)), "in order and"),
    ("area", area_by_sorting, "tied"),
    ("area", lambda y, s: np.mean((s >= 0) == (y > 0)), "in order and"),
    ("area", lambda y, s: 2 * pairs_in_order(y, s) - 1, "this is 2 area - 1"),
    ("area", lambda y, s: s[y == 1] > s[y == -1].max(), "so it must be (0 + 1/2) / 1"),
    ("upper", normal_upper, "the chance of at most 0 of 1"),
    ("upper", lambda k, n, tail: k / n, "the chance of at most"),
    ("upper", lambda k, n, tail: upper_by_halving(k, n, 1 - tail), "that is the lower end"),
    ("upper", lambda k, n, tail: upper_by_halving(k, n, tail / 2), "the tail is not to be halved"),
    ("upper", lambda k, n, tail: betaincinv(k, n - k + 1, tail) if k else 0.0, "at most 0 of 1"),
    ("upper", lambda k, n, tail: 1 - tail ** (1 / n), "the chance of at most 3 of 20"),
    ("upper", lambda k, n, tail: 3.7, "between 0 and 1"),
    ("upper", lambda k, n, tail: np.nan, "nan is no finite number"),
    ("sauer", lambda n, h: 2**n, "yours counts all labellings"),
    ("sauer", lambda n, h: comb(n, h), "yours counts those with exactly h"),
    ("sauer", lambda n, h: sum(comb(n, i) for i in range(h)), "leaves h itself out"),
    ("sauer", lambda n, h: n**h + 1, "at most 2 plus signs"),
    ("sauer", lambda n, h: 2 * sum(comb(n - 1, i) for i in range(h)), "at most 1 plus sign"),
    ("sauer", lambda n, h: [comb(n, i) for i in range(h + 1)], "it must be a whole number"),
    ("hard labels", lambda X: np.ones(len(X)), "the sum of y x has length 2.0000"),
    ("hard labels", lambda X: np.zeros(len(X)), "-1 or +1"),
    ("hard labels", lambda X: np.nan * X[:, 0], "nan is no finite number"),
    ("hard labels", lambda X: -y_of_perceptron(X), "the sum of y x has length"),
    ("hard labels", against_the_one_before, "the sum of y x has length"),
    ("hard labels", by_turns, "the sum of y x has length"),
    ("hard labels", lambda X: np.random.default_rng(0).choice([-1, 1], len(X)), "has length"),
    ("hard labels", lambda X: np.sign(X[:, 0] + 1e-9), "the sum of y x has length"),
    ("hard labels", lambda X: opposing(X)[:-1], "a vector of 2 numbers"),
]  # fmt: skip


def y_of_perceptron(X):
    return np.array(opposing(X)) * np.where(np.arange(len(X)) > 0, 1, -1)
