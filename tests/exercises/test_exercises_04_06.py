"""Answers to the exercises of 04 to 06: right ones in unusual forms, wrong ones with their reason.

tests/exercises/test_planted_answers.py tries them all.
"""

import numpy as np
from scipy.optimize import linprog, nnls

from lectures_lib import perceptron


def far_first(r, *, factor=1.0):
    return factor * np.array([[1.0, r], [1.0, -1.0]]), np.array([1.0, 1.0])


def poor_in_three_dimensions():
    return [[1, 40, 0], [-1, 1, 0], [1, 0, 1]], [[1], [-1], [1]]


def by_equations(Z):
    return np.linalg.solve(np.vstack([Z.T, np.ones(len(Z))]), np.append(np.zeros(len(Z) - 1), 1))


def by_linear_program(Z):
    A = np.vstack([Z.T, np.ones(len(Z))])
    return linprog(np.zeros(len(Z)), A_eq=A, b_eq=np.append(np.zeros(len(Z) - 1), 1)).x.tolist()


def by_least_squares(Z):
    A = np.vstack([Z.T, np.ones(len(Z))])
    return nnls(A, np.append(np.zeros(len(Z) - 1), 1.0))[0][:, None]


def null_vector(Z):
    return np.linalg.svd(Z.T)[2][-1]


def first_lie(X, y, mistakes, *, tie=True, labels=True, one=1, last=False, late=False):
    """Return the first lie; the options are the ways to get it wrong."""
    w, found = np.zeros(X.shape[1]), []
    for k, i in enumerate(mistakes, one):
        sign = y[i] if labels else 1.0
        if late:
            w = w + y[i] * X[i]
        score = sign * (w @ X[i])
        if score > 0 or (score == 0 and not tie):
            found.append(k)
        if not late:
            w = w + y[i] * X[i]
    return (found[-1] if last else found[0]) if found else 0


def first_lie_by_products(X, y, mistakes):
    z = (y[:, None] * X)[mistakes]
    claims = np.tril(z @ z.T, -1).sum(axis=1)
    return np.int32(np.append(np.flatnonzero(claims > 0), -1)[0] + 1)


def by_the_last_w(X, y, mistakes):
    w = (y[:, None] * X)[mistakes].sum(axis=0)
    wrong = [k for k, i in enumerate(mistakes, 1) if y[i] * (w @ X[i]) > 0]
    return wrong[0] if wrong else 0


def lazy(X, y, passes, *, clock=0, weight=None, tie=True):
    """Return the lazy average; `clock` counts rounds from there, `weight` is another factor."""
    w, total, T = np.zeros(X.shape[1]), np.zeros(X.shape[1]), passes * len(X)
    for t in range(clock, T + clock):
        x_i, y_i = X[(t - clock) % len(X)], y[(t - clock) % len(X)]
        if y_i * (w @ x_i) < 0 or (tie and w @ x_i == 0):
            w = w + y_i * x_i
            total = total + (T - t if weight is None else weight) * y_i * x_i
    return total / T


def lazy_without_the_end(X, y, passes):
    """Know T only at the end: average = w - (sum of t y x) / T, rounds from 0."""
    w, late, t = [0.0] * X.shape[1], [0.0] * X.shape[1], 0
    for _ in range(passes):
        for x_i, y_i in zip(X.tolist(), y.tolist()):
            if y_i * sum(a * b for a, b in zip(w, x_i)) <= 0:
                w = [a + y_i * b for a, b in zip(w, x_i)]
                late = [a + t * y_i * b for a, b in zip(late, x_i)]
            t += 1
    return [a - b / t for a, b in zip(w, late)]


def eager(X, y, passes):
    return perceptron.averaged_perceptron(X, y, epochs=passes).w.astype(np.float32)


def voted(X, y, passes, **how):
    return perceptron.voted_perceptron(X, y, epochs=passes, **how)


def once_per_pass(X, y, passes):
    return np.mean([voted(X, y, k + 1).w for k in range(passes)], axis=0)


def three(*scores, counts=(1, 1, 1), x=(1.0, 0.0)):
    return np.array([[s, 0.0] for s in scores]), np.array(counts), np.array(x)


RIGHT = {
    "poor margin": [lambda: far_first(20.0), poor_in_three_dimensions,
                    lambda: far_first(300, factor=2), lambda: [*far_first(40.0)]],
    "refute": [by_equations, by_linear_program, by_least_squares],
    "first lie": [first_lie, first_lie_by_products, lambda *a: float(first_lie(*a))],
    "lazy average": [lazy, lazy_without_the_end, eager],
    "disagree": [lambda: three(1.0, 1.0, -5.0), lambda: ([[1], [-3]], [2.0, 1.0], [7]),
                 lambda: three(-1.0, 9.0, -1.0, counts=(1, 1, 0.0 + 3))],
}  # fmt: skip

WRONG = [
    ("poor margin", lambda: far_first(3.0), "keeps 63.25 % of the largest margin (0.6325 of 1)"),
    ("poor margin", lambda: ([[1.0, 0.0], [2.0, 0.0]], [1, -1]), "no w through the origin"),
    ("poor margin", lambda: ([[1.0, 0.0], [2.0, 0.0]], [1, 0]), "each label must be -1 or +1"),
    ("poor margin", lambda: far_first(20.0)[0], "X, is [1, 20], but a table"),
    ("poor margin", lambda: ([[1.0, 2.0], [2.0]], [1, 1]), "these rows differ in length"),
    ("poor margin", lambda: (np.ones((2, 2)), [1, 1, 1]), "a vector of 2 numbers is expected"),
    ("poor margin", lambda: far_first(np.inf), "inf is no finite number"),
    ("poor margin", lambda: far_first(1e9), "numbers up to 1e+06"),
    ("poor margin", lambda: far_first(1e6), "after 100,000 passes"),
    ("poor margin", lambda: (np.zeros((0, 2)), []), "this is an array of shape (0, 2)"),
    ("refute", lambda Z: np.full(len(Z), 1 / len(Z)), "must make the point 0"),
    ("refute", null_vector, "the sum of the weights must be 1;"),
    ("refute", lambda Z: -null_vector(Z) * np.sign(null_vector(Z)[0]), "may be negative"),
    ("refute", lambda Z: 2 * by_equations(Z), "must be 1; it is 2.0000"),
    ("refute", lambda Z: Z.mean(axis=0), "a vector of 3 numbers is expected"),
    ("first lie", lambda X, y, m: first_lie(X, y, m, tie=False), "entry 1 is true: there y"),
    ("first lie", lambda X, y, m: first_lie(X, y, m, labels=False), "entry 3 is false: there y"),
    ("first lie", lambda X, y, m: first_lie(X, y, m, one=0), "count the places from 1"),
    ("first lie", lambda X, y, m: first_lie(X, y, m, last=True), "is 4, but entry 3 is false"),
    ("first lie", lambda X, y, m: first_lie(X, y, m, late=True), "entry 1 is true"),
    ("first lie", by_the_last_w, "entry 1 is true"),
    ("first lie", lambda X, y, m: 0, "entry 3 is false: there y w.x = 2 > 0"),
    ("first lie", lambda X, y, m: len(m) + 1, "must be a whole number, 0 to 3"),
    ("first lie", lambda X, y, m: first_lie(X, y, m) > 0, "entry 1 is true"),
    ("lazy average", lambda X, y, n: voted(X, y, n).w, "the last w, not an average"),
    ("lazy average", lambda X, y, n: len(X) * n * lazy(X, y, n), "not divided"),
    ("lazy average", once_per_pass, "not an average, or yours is the average once per pass"),
    ("lazy average", lambda X, y, n: voted(X, y, n).weights[1:].mean(axis=0), "at mistakes only"),
    ("lazy average", lambda X, y, n: voted(X, y, n, new_count=0).w_average, "the slide's counts"),
    ("lazy average", lambda X, y, n: lazy(X, y, n, clock=1), "one round short"),
    ("lazy average", lambda X, y, n: lazy(X, y, 1), "yours is the average of the first pass"),
    ("lazy average", lambda X, y, n: lazy(X, y, n, tie=False), "18 times it must be the sum"),
    ("lazy average", lambda X, y, n: np.tile(lazy(X, y, n), 2), "a vector of 2 numbers"),
    ("disagree", lambda: three(1.0, 1.0, -1.0), "both say the same"),
    ("disagree", lambda: three(1.0, 0.0, -5.0), "no score may be 0"),
    ("disagree", lambda: three(1.0, -5.0, 1.0, counts=(1, 2, 1)), "for + and for - are equal"),
    ("disagree", lambda: three(1.0, 1.0, -2.0), "the average is a tie"),
    ("disagree", lambda: three(1.0, 1.0, -5.0, counts=(1, 1, -1)), "a whole number >= 0"),
    ("disagree", lambda: three(1.0, 1.0, -5.0, counts=(0.5, 0.5, 0.3)), "a whole number >= 0"),
    ("disagree", lambda: three(1.0, 1.0, -5.0)[:2], "3 values are expected"),
    ("disagree", lambda: ([1.0, 1.0, 5.0], [1, 1, 1], 1.0), "both say the same"),
    ("disagree", lambda: three(1.0, 1.0, -5.0, x=(1.0,)), "an array of shape (3, 1)"),
]  # fmt: skip


def test_each_of_the_three_notebooks_has_its_answers_here():
    assert len(RIGHT) == 5 == len({name for name, _, _ in WRONG})
