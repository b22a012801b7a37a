"""Planted answers to the exercises of 01 to 03; test_planted_answers.py tries them all."""

import math

import numpy as np

TRIANGLE = ([[1, 0], [-1, 1], [-1, -1]], [1, 1, 1], [2, 1, 1])


def one_by_one(alpha, y, X):
    w = [0.0] * X.shape[1]
    for a, label, x in zip(alpha, y, X):
        w = [v + a * label * z for v, z in zip(w, x)]
    return w


def refuted(X, y, lam):
    """Return an answer without inputs."""
    return lambda: (X, y, lam)


RIGHT = {
    "alternating": [
        lambda history: -history[-1] if history else 1,
        lambda history: float(history[0] * (-1) ** len(history)) if history else -1.0,
        lambda history: np.array(-1 if len(history) and history[-1] == 1 else 1),
    ],
    "innocence": [
        lambda y, R: y / np.sqrt(len(y)),
        lambda y, R: [label / math.sqrt(len(y)) for label in y],
        lambda y, R: np.sign(y) / np.linalg.norm(y),
    ],
    "sum": [lambda alpha, y, X: (alpha * y) @ X, one_by_one],
    "never": [
        refuted(*TRIANGLE),
        refuted(np.array([[-1, 2], [-1, -2], [3, 0]]), -np.ones(3), np.array([3, 3, 2]) / 8),
        refuted([[1, 0], [-1, 1], [1, 1], [5, 7]], (1, 1, -1, 1), [2, 1, 1, 0]),
        lambda: [*TRIANGLE],
    ],
    "most": [
        lambda J, n: min(n, math.floor(n * J)),
        lambda J, n: max(m for m in range(n + 1) if m <= J * n),
    ],
}

WRONG = [
    ("alternating", lambda history: 1, "mistake number 2"),
    ("alternating", lambda history: history[-1] if history else 1, "mistake number 2"),
    ("alternating", lambda history: -history[-1], "IndexError"),
    ("alternating", lambda history: 0 if not history else -history[-1], "+1 or -1"),
    ("alternating", lambda history: (-1) ** len(history), "mistake number 2"),
    ("innocence", lambda y, R: y, "unit vector"),
    ("innocence", lambda y, R: R * y / np.sqrt(len(y)), "unit vector"),
    ("innocence", lambda y, R: np.ones(len(y)) / np.sqrt(len(y)), "agree with the label"),
    ("innocence", lambda y, R: -y / np.sqrt(len(y)), "agree with the label"),
    ("innocence", lambda y, R: y * np.arange(1, len(y) + 1) / norm_to(len(y)), "margin must be"),
    ("sum", lambda alpha, y, X: alpha @ X, "the labels are missing"),
    ("sum", lambda alpha, y, X: y @ X, "the counts are missing"),
    ("sum", lambda alpha, y, X: (alpha * y) @ X / alpha.sum(), "divided by the number"),
    ("sum", lambda alpha, y, X: (alpha > 0) * y @ X, "counts every example once"),
    ("sum", lambda alpha, y, X: (alpha * y)[:, None] * X, "a vector of 2 numbers"),
    ("never", refuted([[1, 0], [0, 1], [-1, 1]], [1, 1, 1], [1, 1, 1]), "lam_i y_i x_i must be 0"),
    ("never", refuted([[1, 0], [-1, 0]], [1, 1], [1, 2]), "and it is [-1, 0]"),
    ("never", refuted([[1, 0], [-1, 0]], [1, 1], [1, 1]), "are opposite"),
    ("never", refuted([[1, 0], [2, 0]], [1, -1], [2, 1]), "are opposite"),
    ("never", refuted([[1, 1], [2, 2], [-1, -1]], [1, 1, 1], [1, 1, 3]), "are opposite"),
    ("never", refuted([[0, 0]], [1], [1]), "the point 0"),
    ("never", refuted(TRIANGLE[0], TRIANGLE[1], [0, 0, 0]), "not all be 0"),
    ("never", refuted([[1, 0], [1, 1], [-1, 1]], [1, -1, 1], [2, 1, -1]), "may be negative"),
    ("never", refuted(TRIANGLE[0], [1, 1, 0], TRIANGLE[2]), "each label must"),
    (
        "never",
        refuted(TRIANGLE[0], [1, 1], TRIANGLE[2]),
        "The second value you return, y, is [1, 1]",
    ),
    ("never", lambda: TRIANGLE[0], "a table with rows of 2 numbers"),
    ("never", lambda: 7, "3 values are expected"),
    ("most", lambda J, n: math.ceil(n * J), "would cost more"),
    (
        "most",
        lambda J, n: math.floor(n * J),
        "the number of mistakes must be a whole number, 0 to 4",
    ),
    ("most", lambda J, n: n * J, "the number of mistakes must be a whole number, 0 to 4"),
    ("most", lambda J, n: min(n, math.floor(n * J / 2)), "one more mistake"),
    ("most", lambda J, n: 0, "one more mistake"),
    ("most", lambda J, n: min(n, math.floor(J)), "one more mistake"),
]


def norm_to(m):
    return np.linalg.norm(np.arange(1, m + 1))
