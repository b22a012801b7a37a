"""Answers to the exercises of 14 and 15: right ones in unusual forms, wrong ones with the reason.

tests/exercises/test_planted_answers.py tries them all.
"""

from itertools import combinations

import numpy as np

from lectures_lib import qp


def memory(y, *, offset=None):
    b = np.mean(y) if offset is None else offset
    return 1 - b * y, b


def memory_by_equations(y):
    n = len(y)
    system = np.block([[np.diag(y), np.ones((n, 1))], [y[None], np.zeros((1, 1))]])
    *alpha, b = np.linalg.solve(system, np.append(y, 0.0))
    return [alpha, b]


def memory_by_program(y):
    n = len(y)
    answer = qp.solve(np.eye(n), -np.ones(n), A=y[None], b=np.zeros(1))
    return answer.x[:, None], float(np.mean(y - answer.x * y))


def left_out(X, y, folds, fit):
    errors = 0
    for fold in folds:
        rest = np.setdiff1d(np.arange(len(y)), fold)
        errors += np.sum(fit(X[rest], y[rest])(X[fold]) != y[fold])
    return errors


def left_out_one_by_one(X, y, folds, fit):
    wrong = []
    for fold in folds:
        mask = [i not in set(fold.tolist()) for i in range(len(y))]
        predict = fit(X[mask], y[mask])
        wrong.append(sum(float(t) != float(s) for s, t in zip(predict(X[fold]), y[fold])))
    return np.float32(sum(wrong))


def trained_on_all(X, y, folds, fit):
    return sum(np.sum(fit(X, y)(X[fold]) != y[fold]) for fold in folds)


def one_fold_only(X, y, folds, fit):
    return left_out(X, y, folds[:1], fit)


def trained_on_the_fold(X, y, folds, fit):
    """Learn the fold and predict the rest: the two exchanged."""
    errors = 0
    for fold in folds:
        rest = np.setdiff1d(np.arange(len(y)), fold)
        errors += np.sum(fit(X[fold], y[fold])(X[rest]) != y[rest])
    return errors


def next_fold_only(X, y, folds, fit):
    """Learn one other fold instead of all the others."""
    errors = 0
    for fold, other in zip(folds, [*folds[1:], folds[0]]):
        errors += np.sum(fit(X[other], y[other])(X[fold]) != y[fold])
    return errors


def labels_of_others(X, y, folds, fit):
    errors = 0
    for fold in folds:
        rest = np.setdiff1d(np.arange(len(y)), fold)
        errors += np.sum(fit(X[rest], y[: len(rest)])(X[fold]) != y[fold])
    return errors


ROW = [[0.0], [1.0], [6.0], [4.0], [1.0]]
SIDES = [-1, -1, 1, -1, 1]


def more(C1=0.1, C2=1.0, X=ROW, y=SIDES):
    return X, y, C1, C2


def lines(signs=(1, 1, 1), at=-1.0):
    s = np.array(signs, dtype=float)
    return s[:, None] * np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), s * [0.0, 0.0, at]


def upset():
    """Class 3 has 3 votes, the others 1, 2, 2 and 2; class 4 beats it."""
    return [(1, 0), (2, 0), (3, 0), (0, 4), (2, 1), (3, 1), (1, 4), (3, 2), (4, 2), (4, 3)]


def straight(k):
    return list(combinations(range(k), 2))


def vote(scores, pairs, k):
    winners = [c if s >= 0 else d for (c, d), s in zip(pairs, scores)]
    return max(range(k), key=winners.count)


def in_the_usual_order(scores, pairs, k):
    return vote(scores, list(combinations(range(k), 2)), k)


RIGHT = {
    "memory": [memory, memory_by_equations, memory_by_program],
    "left out": [left_out, left_out_one_by_one, lambda *a: int(left_out(*a))],
    "more errors": [more, lambda: [*more(X=np.array(ROW), y=np.array(SIDES)[:, None])],
                    lambda: more(0.01, 0.1, [[6, 0], [-6, 0], [1, 0], [-6, 0], [0, 0]],
                                 [1, 1, -1, 1, -1])],
    "two claims": [lines, lambda: lines((-1, -1, -1), at=3.0), lambda: [*map(list, lines(at=-7))]],
    "upset": [upset, lambda: np.array(upset(), dtype=np.int8), lambda: upset()[::-1]],
}  # fmt: skip

WRONG = [
    ("memory", lambda y: memory(y, offset=0.0), "the sum of alpha_i y_i must be 0"),
    ("memory", lambda y: (np.ones(len(y)), np.mean(y)), "the sum of alpha_i y_i must be 0"),
    ("memory", lambda y: (np.where(y > 0, 1 / np.sum(y > 0), 1 / np.sum(y < 0)), np.mean(y)),
     "must lie on its edge"),
    ("memory", lambda y: (memory(y)[0], -np.mean(y)), "must lie on its edge"),
    ("memory", lambda y: (y * memory(y)[0], np.mean(y)), "no multiplier may be negative"),
    ("memory", lambda y: memory(y)[0], "2 values are expected"),
    ("memory", lambda y: (0 * y, 0.0), "must lie on its edge"),
    ("left out", trained_on_all, "they learnt [6]"),
    ("left out", one_fold_only, "they learnt [4]"),
    ("left out", trained_on_the_fold, "they learnt [2, 2, 2]"),
    ("left out", next_fold_only, "all but one fold"),
    ("left out", labels_of_others, "labels that belong to other examples"),
    ("left out", lambda X, y, f, fit: left_out(X, y, f, fit) / len(y), "must be a whole"),
    ("left out", lambda X, y, f, fit: len(y) - left_out(X, y, f, fit), "these are the right ones"),
    ("left out", lambda X, y, f, fit: 0, "they learnt []"),
    ("more errors", lambda: more(1.0, 0.1), "0 < C1 < C2"),
    ("more errors", lambda: more(0.01, 0.1), "makes 2 training errors and the one with C2 1"),
    ("more errors", lambda: more(y=[1] * 5), "both must occur"),
    ("more errors", lambda: more(y=[0, 0, 1, 0, 1]), "each label must be -1 or +1"),
    ("more errors", lambda: more(X=[0.0, 1, 6, 4]), "a table with 5 rows of equal length"),
    ("more errors", lambda: more()[:3], "4 values are expected"),
    ("more errors", lambda: more(X=[[0.0], [0.0]], y=[1, -1]), "lie on a border"),
    ("more errors", lambda: more(X=np.array(ROW) * 1e5), "numbers up to 1e+04"),
    ("more errors", lambda: more(X=ROW * 7, y=SIDES * 7), "2 to 30 examples"),
    ("two claims", lambda: lines((-1, -1, -1)), "1 of the 3 scores are positive, not 2"),
    ("two claims", lambda: lines((1, 1, -1)), "3 of the 3 scores are positive, not 2"),
    ("two claims", lambda: lines((-1, -1, 1)), "0 of the 3 scores are positive, not 2"),
    ("two claims", lambda: lines(at=0.0), "meet in one point"),
    ("two claims", lambda: ([[1, 0], [2, 0], [1, 1]], [0, 1, 2]), "must cross"),
    ("two claims", lambda: (np.zeros((3, 2)), np.ones(3)), "must cross"),
    ("two claims", lambda: lines()[0], "2 values are expected"),
    ("two claims", lambda: (np.ones((2, 3)), np.ones(3)), "of shape (3, 2)"),
    ("two claims", lambda: (np.full((3, 2), np.inf), np.ones(3)), "inf is no finite"),
    ("upset", lambda: straight(3), "has lost to nobody"),
    ("upset", lambda: straight(5), "class 0 has lost to nobody"),
    ("upset", lambda: [(0, 1), (1, 2), (2, 0)], "must be one class's"),
    ("upset", lambda: upset()[:-1], "must meet exactly once: 10 pairs"),
    ("upset", lambda: [(0, 10**9)], "at most 30 classes are asked for"),
    ("upset", lambda: [(0, 1e300)], "at most 30 classes are asked for"),
    ("upset", lambda: [*upset(), (1, 0)], "must meet exactly once"),
    ("upset", lambda: [(c + 1, d + 1) for c, d in upset()], "must meet exactly once"),
    ("upset", lambda: [(c, d, 0) for c, d in upset()], "a table with rows of 2 numbers"),
    ("upset", lambda: [(c - 1, d - 1) for c, d in upset()], "must be 0, 1, 2"),
    ("vote", in_the_usual_order, "the votes are"),
]  # fmt: skip


def test_both_notebooks_have_their_answers_here():
    assert len(RIGHT) == 5 == len({name for name, _, _ in WRONG} - {"vote"})
