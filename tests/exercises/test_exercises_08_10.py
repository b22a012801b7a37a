"""Answers to the exercises of 08 to 10: right ones in unusual forms, wrong ones with their reason.

tests/exercises/test_planted_answers.py tries them all.
"""

from itertools import combinations_with_replacement
from math import comb

import numpy as np

THREE_BY_THREE = [[a, b] for a in (-1, 0, 1) for b in (-1, 0, 1)]


def parallel_lines(*, factor=1.0, wrong=0.0):
    """Return points on a line with signs as in the fourth difference: 1, -3, 3, -1."""
    X = [[factor * t, 0.0] for t in range(4)]
    return X, [1, -1, 1, -1], [1.0, 3.0, 3.0, 1.0 + wrong]


def two_rows():
    """Return the second difference along x1 times the first along x2: it kills degree 2 too."""
    X = [[s, t] for t in (0, 1) for s in (0, 1, 2)]
    return np.array(X, dtype=np.float32), np.array([[1], [-1], [1], [-1], [1], [-1]]), (1, 2, 1) * 2


def six_terms(w):
    return lambda: w


def stacked(a, b, *, root=3**0.5, own=True):
    """Return the features of K1 + 3 K1 K2; the options are ways to get it wrong."""
    pairs = root * np.outer(a, b)
    return np.append(a, pairs) if own else pairs.ravel()


def one_outer(a, b):
    return np.outer(np.append(3**0.5 * b, 1.0), a)


def least(K, *, tolerance=1e-9):
    values, V = np.linalg.eigh(K)
    return V[:, 0] if values[0] < -tolerance * np.abs(values).max() else np.zeros(len(K))


def least_by_an_absolute_limit(K):
    values, V = np.linalg.eigh(K)
    return V[:, 0] if values[0] < -1e-6 else np.zeros(len(K))


def by_descent(K):
    """Go down v'Kv from many starts: a witness in whole numbers, found without eigenvalues."""
    rng = np.random.default_rng(0)
    shifted = np.abs(K).sum() * np.eye(len(K)) - K
    v = rng.normal(size=len(K))
    for _ in range(20000):
        v = shifted @ v
        v = v / np.abs(v).max()
    whole = np.round(1000 * v)
    return whole.astype(int).tolist() if whole @ K @ whole < 0 else [0] * len(K)


def updated(alpha, y, K, t, *, tie=True, label=True, signed=False):
    score = (alpha * y if label else alpha) @ K[:, t]
    wrong = y[t] * score <= 0 if tie else y[t] * score < 0
    out = alpha.copy()
    out[t] += wrong * (y[t] if signed else 1)
    return out


def in_place(alpha, y, K, t):
    alpha[t] += y[t] * ((alpha * y) @ K[:, t]) <= 0
    return alpha


def by_a_list(alpha, y, K, t):
    stored = [i for i, a in enumerate(alpha) for _ in range(a)]
    f = sum(y[i] * K[i][t] for i in stored)
    return [a + (i == t and y[t] * f <= 0) for i, a in enumerate(alpha)]


def refutes(K, y, lam, gamma, *, convex=True, root=True):
    c = lam * y
    good = (lam.min() >= 0 and np.isclose(lam.sum(), 1)) or not convex
    return good and (np.sqrt(c @ K @ c) if root else c @ K @ c) < gamma


def nearly_convex(K, y, lam, gamma):
    return lam.min() >= 0 and abs(lam.sum() - 1) < 0.02 and refutes(K, y, lam, gamma, convex=False)


def at_most(K, y, lam, gamma):
    c = lam * y
    return lam.min() >= 0 and lam.sum() == 1 and c @ K @ c <= gamma**2


def refutes_in_words(K, y, lam, gamma):
    total = sum(
        a * b * s * t * K[i][j]
        for i, (a, s) in enumerate(zip(lam, y))
        for j, (b, t) in enumerate(zip(lam, y))
    )
    return int(all(a >= 0 for a in lam) and sum(lam) == 1 and total < gamma * gamma)


RIGHT = {
    "monomials": [
        lambda n, d: comb(n + d - 1, d),
        lambda n, d: len(list(combinations_with_replacement(range(n), d))),
        lambda n, d: np.float64(comb(n + d - 1, n - 1)),
    ],
    "conic": [
        six_terms([3, 2, 0, -1, 0, -4]),
        six_terms(np.array([[3.0], [2], [0], [-1], [0], [-4]]) / 10),
        six_terms((0.375, 0.25, 0, -0.125, 0, -0.5)),
    ],
    "unlifted": [parallel_lines, lambda: parallel_lines(factor=-0.5), two_rows],
    "combined": [
        stacked,
        one_outer,
        lambda a, b: list(a) + [-(3**0.5) * s * t for s in a for t in b],
    ],
    "witness": [least, by_descent, lambda K: 5 * least(K)[:, None]],
    "refuting": [
        lambda: ([0, 0.5, 1], [2, -3, 2]),
        lambda: (np.array([[7.0], [7.5], [8.0], [30.0]]), (1, -1.4, 1, 0)),
        lambda: ([0.5, 0, -0.5], np.array([-2, 3, -2], dtype=np.int8)),
    ],
    "count update": [updated, by_a_list, lambda a, y, K, t: updated(a, y, K, t).astype(float)],
    "caught": [refutes, refutes_in_words],
}

WRONG = [
    ("monomials", lambda n, d: n**d, "x1 x2 and x2 x1 are one monomial"),
    ("monomials", lambda n, d: comb(n + d, d), "yours counts all degrees up to d"),
    ("monomials", lambda n, d: comb(n, d), "a power may be above 1"),
    ("conic", six_terms([3, -2, 0, -1, 0, -4]), "is outside the ellipse"),
    ("conic", six_terms([-3, -2, 0, 1, 0, 4]), "all signs are the wrong way round"),
    ("conic", six_terms([3, 2, 0, -1, 0, -1]), "is outside the ellipse"),
    ("conic", six_terms([4, 0, 0, -1, 0, -4]), "multiply (x1 - 1)^2 out"),
    ("conic", six_terms([3, 2, 0.01, -1, 0, -4]), "must be below 0, and it is 0.002"),
    ("conic", six_terms([3.25, 2, 0, -1, 0, -4]), "is outside the ellipse"),
    ("conic", six_terms([3, 2, -1, -4]), "a vector of 6 numbers is expected"),
    ("conic", six_terms([np.nan] * 6), "nan is no finite number"),
    ("unlifted", lambda: ([[0, 0], [0, 0]], [1, -1], [1, 1]), "a point comes twice"),
    ("unlifted", lambda: (THREE_BY_THREE[:2], [1, 0], [1, 1]), "must be -1 or +1"),
    ("unlifted", lambda: parallel_lines(wrong=1e-9), "must be 0 exactly"),
    ("unlifted", lambda: ([[1, 1], [-1, -1], [1, -1], [-1, 1]], [1, 1, -1, -1], [1] * 4), "x1 x2"),
    ("unlifted", lambda: ([[0, 0], [1, 0], [2, 0]], [1, -1, 1], [1, 2, 1]), "y_i x1^2 must be 0"),
    ("unlifted", lambda: (THREE_BY_THREE, [1] * 9, [0] * 9), "not all may be 0"),
    ("unlifted", lambda: (THREE_BY_THREE[:3], [1, 1, 1], [1, -2, 1]), "may be negative"),
    ("unlifted", lambda: ([1, 2, 3], [1, 1, 1], [1, 1, 1]), "a table with rows of 2 numbers"),
    ("combined", lambda a, b: stacked(a, b, root=3), "both sides have the 3: each takes its root"),
    ("combined", lambda a, b: stacked(a, b, own=False), "the features of K1 itself are missing"),
    ("combined", lambda a, b: np.append(a, 3**0.5 * b), "must be K1 + 3 K1 K2"),
    ("combined", lambda a, b: a + 3**0.5 * a * b if len(a) == len(b) else a, "must be K1"),
    ("witness", lambda K: least(K, tolerance=0), "positive semi-definite: v'Kv, computed"),
    ("witness", least_by_an_absolute_limit, "this K is positive semi-definite"),
    ("witness", lambda K: np.linalg.eigh(K)[1][:, -1], "this belongs to the largest eigenvalue"),
    ("witness", lambda K: np.zeros(len(K)), "has a witness, and v = 0 is none"),
    ("witness", lambda K: np.linalg.eigh(K)[1][0], "eigenvectors are its columns"),
    ("witness", lambda K: np.ones(len(K)), "not below 0"),
    ("witness", lambda K: np.linalg.eigvalsh(K)[0], "a vector of 2 numbers is expected"),
    ("witness", lambda K: np.full(len(K), np.inf), "inf is no finite number"),
    ("refuting", lambda: ([0, 0.5], [1, -1]), "is 0.5, not below 0"),
    ("refuting", lambda: ([0, 0.5, 1], [1, -1, 1]), "is 0, not below 0"),
    ("refuting", lambda: ([0, 2, 4], [2, -3, 2]), "not below 0"),
    ("refuting", lambda: ([0, 1, 2], [1, 1]), "a vector of 3 numbers is expected"),
    ("refuting", lambda: [0, 1, 2], "2 values are expected"),
    ("count update", lambda a, y, K, t: updated(a, y, K, t, tie=False), "is a mistake"),
    ("count update", lambda a, y, K, t: updated(a, y, K, t, label=False), "so the counts become"),
    ("count update", lambda a, y, K, t: updated(a, y, K, t, signed=True), "so the counts become"),
    ("count update", in_place, "must not be changed"),
    ("count update", lambda a, y, K, t: a, "is a mistake"),
    ("count update", lambda a, y, K, t: a[t] + 1, "a vector of 2 numbers is expected"),
    ("caught", lambda K, y, lam, gamma: refutes(K, y, lam, gamma, convex=False), "not convex"),
    ("caught", nearly_convex, "their sum is 0.99"),
    ("caught", lambda K, y, lam, gamma: refutes(K, y, lam, gamma, root=False), "gamma^2"),
    ("caught", lambda K, y, lam, gamma: np.sqrt(lam @ K @ lam) < gamma, "no separator has"),
    ("caught", at_most, "c'Kc = 4 is not below gamma^2 = 4: these weights do not refute"),
    ("caught", lambda K, y, lam, gamma: True, "do not refute the claim"),
    ("caught", lambda K, y, lam, gamma: False, "no separator has the margin"),
    ("caught", lambda K, y, lam, gamma: "yes", "True or False is expected"),
]
