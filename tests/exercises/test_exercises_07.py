"""The checks of notebook 07: right answers pass in any honest form, wrong ones hear the reason."""

from itertools import product

import numpy as np

from lectures_lib import structured as st


def column_by_loops(V, E, P):
    return [E[s] + max(V[r] + P[r, s] for r in range(len(V))) for s in range(len(V))]


def updated(problem, theta, x, y, epsilon):
    y_star = problem.argmax(theta, x)
    return theta + epsilon * (problem.f(x, y) - problem.f(x, y_star))


def updated_by_listing(problem, theta, x, y, epsilon):
    best = max(problem.outputs(x), key=lambda out: problem.score(theta, x, out))
    if best == y:
        return theta.tolist()
    change = zip(theta, problem.f(x, y), problem.f(x, best))
    return [t + epsilon * (a - b) for t, a, b in change]


def in_place(problem, theta, x, y, epsilon):
    theta += epsilon * (problem.f(x, y) - problem.f(x, problem.argmax(theta, x)))
    return theta


def always_towards(problem, theta, x, y, epsilon):
    worst = next(out for out in problem.outputs(x) if out != y)
    return theta + epsilon * (problem.f(x, y) - problem.f(x, worst))


def sums_before(D):
    return [k for k in range(1, len(D) + 1) if D[: k - 1].sum(axis=0) @ D[k - 1] > 0]


def trapped(gap):
    return [[1, 0], [0, 0]], [[0, 0], [gap + 1, gap + 1]]


def structural(problem, theta, x, y):
    y_star = problem.argmax(theta, x, gold=y)
    d = problem.f(x, y) - problem.f(x, y_star)
    return problem.loss(y, y_star) - theta @ d


def by_listing(problem, theta, x, y):
    right = problem.score(theta, x, y)
    return max(problem.loss(y, o) + problem.score(theta, x, o) for o in problem.outputs(x)) - right


RIGHT = {
    "column": [
        lambda V, E, P: E + np.max(V[:, None] + P, axis=0),
        column_by_loops,
        lambda V, E, P: E + (P.T + V).max(axis=1),
        lambda V, E, P: np.array([st.viterbi([V, e], P).score for e in _only(E)]),
    ],
    "structured step": [updated, updated_by_listing],
    "unjustified": [
        sums_before,
        lambda D: np.flatnonzero([v @ d > 0 for v, d in zip(np.cumsum(D, axis=0) - D, D)]) + 1,
        lambda D: tuple(k + 1 for k in range(len(D)) if sum(d @ D[k] for d in D[:k]) > 0),
    ],
    "trap": [
        trapped,
        lambda gap: ([[0.1, 0], [0, 0]], [[0, 0], [gap + 0.1, 0]]),  # 0.35 - 0.1 < 0.25
        lambda gap: (np.float32([[1, 0], [0, 0]]), np.float32([[0, 0], [gap + 1.1, 0]])),
        lambda gap: (np.array([[0, 1], [0, 0]]), np.array([[9 * gap, 0], [0, -9 * gap]])),
        lambda gap: (np.eye(3)[:2], np.array([[0, 0, 0], [0, 0, 2 * gap + 2], [0, 0, 0]])),
    ],
    "structural slack": [structural, by_listing],
}


def _only(E):
    """Yield, per tag, scores that let a path end with no other tag."""
    for s in range(len(E)):
        yield np.where(np.arange(len(E)) == s, E, -1e6)


WRONG_BY_NAME = {
    "column": [
        (lambda V, E, P: E + np.max(V + P, axis=1), "P is turned"),
        (lambda V, E, P: np.max(V[:, None] + P, axis=0), "E_t(s) is missing"),
        (lambda V, E, P: E + V[V.argmax()] + P[V.argmax()], "tries only the r with"),
        (lambda V, E, P: E + np.sum(V[:, None] + P, axis=0), "where the maximum over r"),
        (lambda V, E, P: E + V, "P is missing"),
        (lambda V, E, P: np.max(E + V[:, None] + P), "a vector of"),
    ],
    "structured step": [
        (in_place, "must not change the theta"),
        (always_towards, "nothing is to change"),
        (lambda p, t, x, y, e: t + e * p.f(x, y), "nothing is to change"),
        (lambda p, t, x, y, e: updated(p, t, x, y, 1.0), "the step epsilon is missing"),
        (lambda p, t, x, y, e: updated(p, t, x, y, -e), "wrong way round"),
        (lambda p, t, x, y, e: t, "the rise of theta.(f(x, y) - f(x, y*)) must be 3.2500"),
    ],
    "unjustified": [
        (lambda D: [], "at update 2"),
        (lambda D: [k for k in range(1, len(D)) if D[k - 1] @ D[k] > 0], "at update"),
        (
            lambda D: [k + 1 for k in range(len(D)) if D[: k + 1].sum(axis=0) @ D[k] > 0],
            "at update",
        ),  # the sum after the update
        (lambda D: [k for k in range(len(D)) if D[:k].sum(axis=0) @ D[k] > 0], "updates from 1"),
        (lambda D: [k + 7 for k in range(len(D))], "whole numbers from 1 to 1"),
        (lambda D: "none", "a list of the numbers of updates is expected"),
        (
            lambda D: [k + 1 for k in range(len(D)) if D[:k].sum(axis=0) @ D[k] >= 0],
            "at update",
        ),
        (
            lambda D: [k + 1 for k in range(1, len(D)) if D[k - 1] @ D[k] > 0],
            "the sum of all d before, not the last one",
        ),
        (lambda D: sums_before(D)[:1], "at update"),
    ],
    "trap": [
        (lambda gap: ([[1, 0], [0, 0]], [[0, 0], [0, 0]]), " more"),
        (lambda gap: trapped(5), " more"),
        (lambda gap: 7, "2 values are expected"),
        (lambda gap: ([[1, 0], [0, 0]], 3), "the second value you return, P, is 3"),
        (lambda gap: trapped(gap - 1), " more"),
        (lambda gap: ([[1, 0]], [[0, 0], [gap, gap]]), "E, is [[1, 0]], but a table with 2"),
        (lambda gap: ([[0, -np.inf], [0, 0]], [[0, 0], [0, 0]]), "finite"),
    ],
    "structural slack": [
        (
            lambda p, t, x, y: p.loss(y, p.argmax(t, x)) - t @ (p.f(x, y) - p.f(x, p.argmax(t, x))),
            "add the loss before you take the maximum",
        ),
        (lambda p, t, x, y: max(0.0, 1 - t @ p.f(x, y)), "the largest loss"),
        (lambda p, t, x, y: p.loss(y, p.argmax(t, x, gold=y)), "this is the loss alone"),
        (lambda p, t, x, y: -structural(p, t, x, y), "at least 0"),
    ],
}


WRONG = [(name, *pair) for name, some in WRONG_BY_NAME.items() for pair in some]


def test_the_check_of_columns_knows_the_best_path_from_listing_all():
    E, P = np.array([[0, 1], [2, 0], [1, 1]]), np.array([[1, -3], [0, 2]])
    best = {
        s: max(st.chain_score(E, P, (*y, s)) for y in product(range(2), repeat=2)) for s in (0, 1)
    }
    V, _ = st.forward(E, P)
    assert V[-1].tolist() == [best[0], best[1]]
