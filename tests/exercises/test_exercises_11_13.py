"""Answers to the exercises of 11 to 13: right ones in unusual forms, wrong ones with their reason.

test_planted_answers.py tries them all; those of slack, offset, pair, terms and segment are there.
"""

import numpy as np
import pytest

from lectures_lib import exercises, svm


def halve(possible, low, high, *, times=40, end="low"):
    for _ in range(times):
        middle = (low + high) / 2
        low, high = (middle, high) if possible(middle) else (low, middle)
    return {"low": low, "high": high, "middle": (low + high) / 2}[end]


def by_tenths(possible, low, high):
    step = (high - low) / 10
    while step > 1e-8:
        while possible(low + step):
            low += step
        step /= 10
    return np.float64(low)


def by_steps(possible, low, high):
    for gamma in np.linspace(low, high, 1001):
        low = gamma if possible(gamma) else low
    return low


def program(X, y, *, price=0.0, half=1.0, side=1.0, offset=True):
    n, d = X.shape
    P = np.diag([2 * half * 0.5] * d + [price])
    last = np.ones((n, 1)) if offset else np.zeros((n, 1))
    G = -side * y[:, None] * np.hstack([X, last])
    return P, np.zeros(d + 1), G, -side * np.ones(n)


def program_in_lists(X, y):
    """Scale each row by another number, and take the examples backwards."""
    P, q, G, h = program(X, y)
    scale = np.arange(1.0, len(y) + 1)[::-1]
    return [P.tolist(), tuple(q), (scale[:, None] * G)[::-1].tolist(), (scale * h)[::-1]]


def far(r, *, sides=(1, 1, -1, -1, 1)):
    return np.array([[1.0], [2.0], [-1.0], [-2.0], [-r]]), np.array(sides, dtype=float)


def in_the_plane():
    X = [[-2, 1], [-1, -1], [1, 0], [2, 1], [90, 3]]
    return X, [[1], [1], [-1], [-1], [1]]


def gap(K, y, C, alpha, b, *, half=0.5, price=True, hinge=True):
    f = K @ (alpha * y) + b
    xi = 1 - y * f
    xi = np.maximum(0, xi) if hinge else xi
    norm2 = (alpha * y) @ K @ (alpha * y)
    return 2 * half * norm2 + (C if price else 1.0) * xi.sum() - alpha.sum()


def gap_by_its_terms(K, y, C, alpha, b):
    t = y * (K @ (alpha * y) + b)
    return sum(a * max(v - 1, 0) + (C - a) * max(1 - v, 0) for a, v in zip(alpha, t))


def violation(K, y, C, alpha, *, box=True):
    F = y - K @ (alpha * y)
    beta, low, high = alpha * y, np.where(y > 0, 0, -C), np.where(y > 0, C, 0)
    grow, shrink = (beta < high, beta > low) if box else (beta < np.inf, beta > -np.inf)
    return F[grow].max() - F[shrink].min()


def violation_by_slopes(K, y, C, alpha):
    """Try every pair: the slope of the dual along it, where a small step stays in the box."""
    slope, worst = 1 - y * (K @ (alpha * y)), -np.inf
    for i in range(len(y)):
        for j in range(len(y)):
            new = alpha.copy()
            new[i] += 1e-9 * y[i]
            new[j] -= 1e-9 * y[j]
            if i != j and new.min() >= 0 and new.max() <= C:
                worst = max(worst, float(y[i] * slope[i] - y[j] * slope[j]))
    return worst


def violation_with_a_tolerance(K, y, C, alpha):
    F, beta = y - K @ (alpha * y), alpha * y
    grow = beta < np.where(y > 0, C, 0) - 1e-3
    return F[grow].max() - F[beta > np.where(y > 0, 0, -C) + 1e-3].min()


def violation_of_free_ones(K, y, C, alpha):
    F, free = y - K @ (alpha * y), (alpha > 0) & (alpha < C)
    return np.ptp(F[free]) if free.any() else 0.0


def violation_of_scores(K, y, C, alpha):
    return violation(K, y, C, alpha) + 2 * (K @ (alpha * y)).max()


RIGHT = {
    "search": [halve, by_tenths, lambda p, a, b: halve(p, a, b, times=24)],
    "program": [program, program_in_lists],
    "outvoted": [lambda: far(100), in_the_plane, lambda: far(50, sides=(1, 1, -1, -1, 1.0))],
    "gap": [gap, lambda *a: [[gap(*a)]], lambda *a: np.array(gap(*a))],
    "lie": [lambda: ([0.5, 1.0], -0.5), lambda: (np.array([[0.6], [1]]), -0.84),
            lambda: [(0.55, 0.9), -0.76]],
    "violation": [violation, violation_by_slopes],
}  # fmt: skip

WRONG = [
    ("search", by_steps, "it asked 1,000 questions: when does it stop?"),
    ("search", lambda p, a, b: halve(p, a, b, end="high"), "return the last gamma that is"),
    ("search", lambda p, a, b: halve(p, a, b, end="high"), "but 0.25000000000"),  # not just 0.25
    ("search", lambda p, a, b: halve(p, a, b, times=8), "larger by more than 1e-6"),
    ("search", lambda p, a, b: (a + b) / 2, "is not possible"),
    ("search", lambda p, a, b: a, "0.25 is possible"),
    ("search", lambda p, a, b: (a, b), "one number is expected"),
    ("search", lambda p, a, b: np.nan, "nan is no finite number"),
    ("program", lambda X, y: program(X, y, price=1.0), "b has no price"),
    ("program", lambda X, y: program(X, y, half=2.0), "the solver takes the half itself"),
    ("program", lambda X, y: program(X, y, side=-1.0), "so in as many rows"),
    ("program", lambda X, y: program(X, y, offset=False), "so in as many rows"),
    ("program", lambda X, y: program(X, y, price=1e-6), "b has no price"),
    ("program", lambda X, y: (*program(X, y)[:3], np.full(len(y), -0.95)), "so in as many rows"),
    ("program", lambda X, y: program(X, np.ones_like(y)), "so in as many rows"),
    ("program", lambda X, y: program(X, y)[:3], "4 values are expected"),
    ("program", lambda X, y: (*program(X, y)[:3], np.zeros(len(y))), "so in as many rows"),
    ("program", lambda X, y: (np.eye(X.shape[1]), *program(X, y)[1:]), "of shape (2, 2)"),
    ("outvoted", lambda: far(1.5), "and no line makes fewer than"),
    ("outvoted", lambda: far(3, sides=(1, 1, -1, -1, -1)), "makes 0 mistakes"),
    ("outvoted", lambda: far(3, sides=(1, 1, 1, 1, 1)), "both must occur"),
    ("outvoted", lambda: far(1e9), "numbers up to 1e+04"),
    ("outvoted", lambda: (np.ones((9, 1)), np.repeat([1, -1], [5, 4])), "2 to 8 examples"),
    ("outvoted", lambda: ([[1.0], [1.0]], [1, -1]), "no example may lie on the line"),
    ("outvoted", lambda: far(100)[0], "2 values are expected"),
    ("gap", lambda *a: -gap(*a), "the wrong way round"),
    ("gap", lambda *a: gap(*a, half=1.0), "each squared norm needs its half"),
    ("gap", lambda *a: gap(*a, price=False), "the slacks have the price C"),
    ("gap", lambda *a: gap(*a, hinge=False), "a slack is never negative"),
    ("gap", lambda K, y, C, a, b: gap(K, y, C, a, 0.0), "the offset b is missing"),
    ("gap", lambda *a: 0.0, "it must be 3.9966; it is 0.0000"),
    ("gap", gap_by_its_terms, "yours holds only where the sum of alpha y is 0"),
    ("gap", lambda *a: [gap(*a)] * 2, "one number is expected"),
    ("lie", lambda: ([0.5, 0.5], -1.0), "hardly more than the best"),
    ("lie", lambda: ([0.25, 0.25], -0.5), "the gap is 0.75, not 0"),
    ("lie", lambda: ([0.6, 1.5], -0.84), "must lie in [0, C]"),
    ("lie", lambda: ([0.5, 1.0], -1.0), "the gap is -0.5, not 0"),
    ("lie", lambda: ([0.5, 1.0], np.nan), "b, is nan, but one number"),
    ("lie", lambda: [0.5, 1.0, -0.5], "2 values are expected"),
    ("violation", lambda *a: violation(*a, box=False), "the box was forgotten"),
    ("violation", lambda *a: max(0, violation(*a)), "no maximum with 0 is asked for"),
    ("violation", violation_of_free_ones, "has F_i - F_j = "),
    ("violation", violation_with_a_tolerance, "has F_i - F_j = "),
    ("violation", violation_of_scores, "no pair that can move has more"),
    ("violation", lambda *a: -violation(*a), "the wrong way round"),
    ("violation", lambda *a: 0.0, "has F_i - F_j = 2.0000"),
    ("violation", lambda K, y, C, a: y - K @ (a * y), "one number is expected"),
]  # fmt: skip


@pytest.mark.parametrize("b", np.linspace(-3, 3, 13))
@pytest.mark.parametrize("a", np.linspace(0, 1, 11))
def test_on_two_points_a_balanced_alpha_is_no_lie(a, b):
    # weak duality: what the exercise asks for cannot be had with sum alpha y = 0
    assert not exercises.judge("lie", lambda: ([a, a], b)).passed


def test_a_gap_is_that_of_the_certificate():
    rng = np.random.default_rng(12)
    X, y = rng.normal(size=(8, 2)), np.repeat([1.0, -1.0], 4)
    alpha = np.tile(rng.uniform(0, 2, size=4), 2)
    c = svm.certificate(X @ X.T, y, 2.0, alpha, 0.1)
    assert np.isclose(gap(X @ X.T, y, 2.0, alpha, 0.1), c.gap)
