"""The exercises of 21: right answers in other forms, and wrong ones with the reason named."""

import numpy as np


def verdict(upper, lower, better, tol):
    if upper > (1 + tol) * better:
        return "refuted"
    return "proved" if upper <= (1 + tol) * lower else "undecided"


def guess(X, y, w, b, C):
    return C * (1 - 1 / (1 + np.exp(-y * (X @ w + b))))


def guess_by_loops(X, y, w, b, C):
    return [C / (1 + np.exp(t * (x @ w + b))) for x, t in zip(X, y)]


def in_single(X):
    return np.float32(X @ X.T)


def rounded(X):
    return X.astype("f4").astype(float)


def believed(X, y, C, w, b, alpha, tol):
    inside = all(0 <= a <= C for a in alpha) and abs(sum(alpha * y)) < 1e-6
    return inside and price(X, y, C, w, b) <= (1 + tol) * worth(X, y, alpha)


def price(X, y, C, w, b):
    return w @ w / 2 + C * sum(max(0, 1 - t * (x @ w + b)) for x, t in zip(X, y))


def worth(X, y, alpha):
    return sum(alpha) - np.linalg.norm(X.T @ (alpha * y)) ** 2 / 2


def without_the_box(X, y, C, w, b, alpha, tol):
    return abs(alpha @ y) < 1e-6 and price(X, y, C, w, b) <= (1 + tol) * worth(X, y, alpha)


def without_the_sum(X, y, C, w, b, alpha, tol):
    inside = min(alpha) >= 0 and max(alpha) <= C
    return inside and price(X, y, C, w, b) <= (1 + tol) * worth(X, y, alpha)


def by_its_own_w(X, y, C, w, b, alpha, tol):
    return believed(X, y, C, (alpha * y) @ X, b, alpha, tol)


def without_room(X, y, C, w, b, alpha, tol):
    return believed(X, y, C, w, b, alpha, 0.001)


def without_negative(X, y, C, w, b, alpha, tol):
    return believed(X, y, C, w, b, np.abs(alpha), tol)


RIGHT = {
    "a verdict": [verdict, lambda *given: f" {verdict(*given).capitalize()}\n"],
    "multipliers for nothing": [guess, guess_by_loops],
    "whom to believe": [believed],
    "in single": [in_single, lambda X: np.einsum("id,jd->ij", X, X).astype("f4").astype(float)],
}


def by_the_gap(upper, lower, better, tol):
    return "proved" if upper <= (1 + tol) * lower else "refuted"


def absolute(upper, lower, better, tol):
    if upper <= lower + tol:
        return "proved"
    return "refuted" if upper > better + tol else "undecided"


WRONG = [
    ("a verdict", by_the_gap, "it is undecided"),
    ("a verdict", absolute, "it is"),
    ("a verdict", lambda *_: "proved", "it is"),
    ("multipliers for nothing", lambda X, y, w, b, C: -guess(X, y, w, b, C), "C times the slope"),
    ("multipliers for nothing", lambda X, y, w, b, C: guess(X, y, w, 0.0, C), "C times the slope"),
    ("multipliers for nothing", lambda X, y, w, b, C: guess(X, y, w, b, 1.0), "C is missing"),
    ("multipliers for nothing", lambda X, y, w, b, C: y * guess(X, y, w, b, C), "C times"),
    ("whom to believe", without_the_box, "is not between 0 and C"),
    ("whom to believe", without_the_sum, "the sum of alpha y"),
    ("whom to believe", without_negative, "is not between 0 and C"),
    ("whom to believe", by_its_own_w, "alpha does not prove it: P ="),
    ("whom to believe", lambda *_, **__: False, "alpha proves it"),
    (
        "whom to believe",
        lambda X, y, C, w, b, alpha, tol: believed(X, y, C, w, b, alpha, 0.0),
        "tol",
    ),
    ("in single", lambda X: (rounded(X) @ rounded(X).T).astype("f4"), "round the products, not X"),
    ("in single", lambda X: X @ X.T, "nothing is rounded"),
    ("in single", lambda X: np.float32(X) @ np.float32(X).T / 1.0000001, "in single precision"),
    ("in single", lambda X: np.round(X @ X.T, -1), "in single precision"),
]
