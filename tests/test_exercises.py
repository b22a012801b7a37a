"""Self-checks: right answers pass in any honest form, planted wrong ones fail for the reason."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from lectures_lib import exercises


def norm(v):
    return np.linalg.norm(v)


def lifted(X):
    return np.column_stack([X, np.ones(len(X))])


def counts(y, said):
    """Return TN, FP, FN, TP."""
    return [int(np.sum((y == a) & (said == b))) for a in (-1, 1) for b in (-1, 1)]


def rates(top, *bottoms):
    return tuple(top / bottom if bottom else 0.0 for bottom in bottoms)


def precision_recall(y, said):
    _, FP, FN, TP = counts(y, said)
    return rates(TP, TP + FP, TP + FN)


def listed(y, said):
    found = sum(a == b == 1 for a, b in zip(y, said))
    return np.array([found / max(1, list(v).count(1)) for v in (said, y)], dtype=np.float32)


def crashing(y, said):
    _, FP, FN, TP = counts(y, said)
    return TP / (TP + FP), TP / (TP + FN)


def one_at_0_over_0(y, said):
    _, FP, FN, TP = counts(y, said)
    return (TP / (TP + FP) if TP + FP else 1.0), (TP / (TP + FN) if TP + FN else 1.0)


def over_positives(y, said):
    _, _, FN, TP = counts(y, said)
    return rates(TP, TP + FN, TP + FN)


def false_positive_rate(y, said):
    TN, FP, _, TP = counts(y, said)
    return rates(TP, TP + FP)[0], rates(FP, FP + TN)[0]


def nan_at_0_over_0(y, said):
    _, FP, FN, TP = counts(y, said)
    return TP / (TP + FP or np.nan), TP / (TP + FN or np.nan)


RIGHT = {
    "precision": [precision_recall, listed],
    "lift": [
        lambda w, w0, x: (np.append(w, w0), np.append(x, 1.0)),
        lambda w, w0, x: ([w0, *w], [1, *x]),
    ],
    "update": [
        lambda w, x, y: w + y * x if y * (w @ x) <= 0 else w,
        lambda w, x, y: [a + y * b * (y * np.dot(w, x) <= 0) for a, b in zip(w, x, strict=True)],
    ],
    "slope": [
        lambda w, x, y: -y * x if y * (w @ x) < 1 else 0 * x,
        lambda w, x, y: -y * x * (y * (w @ x) <= 1),
    ],
    "margin": [
        lambda w, x, y: y * (w @ x) / norm(w),
        lambda w, x, y: np.float32(y * (w @ x) / norm(w)),
    ],
    "bound": [
        lambda X, y, u: (X**2).sum(axis=1).max() * (u @ u) / min(y * (X @ u)) ** 2,
        lambda X, y, u: (max(map(norm, X)) / min(y * (X @ (u / norm(u))))) ** 2,
    ],
    "average": [
        lambda W, c: c @ W / c.sum(),
        lambda W, c: np.average(W, axis=0, weights=c),
    ],
    "map": [
        lambda x: [1, 2**0.5 * x[0], 2**0.5 * x[1], x[0] ** 2, 2**0.5 * x[0] * x[1], x[1] ** 2],
        lambda x: np.outer([1, *x], [1, *x]).ravel(),
    ],
    "gaussian": [
        lambda X, Z, s: np.exp(-((X[:, None] - Z[None]) ** 2).sum(axis=2) / (2 * s**2)),
        lambda X, Z, s: [[np.exp(-(norm(x - z) ** 2) / (2 * s * s)) for z in Z] for x in X],
    ],
    "score": [lambda a, y, K: (a * y) @ K, lambda a, y, K: K.T @ (a * y)],
    "ridge": [
        lambda K, y, c: np.linalg.solve(K + c * np.eye(len(K)), y),
        lambda K, y, c: np.linalg.inv(K + c * np.eye(len(K))) @ y,
    ],
    "radon": [
        lambda X: np.linalg.svd(lifted(X).T)[2][-1],
        lambda X: [*np.linalg.solve(lifted(X)[:-1].T, -lifted(X)[-1]), 1],
    ],
}

#: exercise, planted wrong answer, the words by which the verdict must name what it breaks
WRONG = [
    ("lift", lambda w, w0, x: (w, x), "needs 2 entries"),
    ("lift", lambda w, w0, x: (np.append(w, 1.0), np.append(x, w0)), "a 1, whatever w is"),
    ("lift", lambda w, w0, x: (np.append(w, -w0), np.append(x, 1.0)), "product must be"),
    ("update", lambda w, x, y: w + y * x, "no mistake, no update"),
    ("update", lambda w, x, y: w + y * x if y * (w @ x) < 0 else w, "must grow by"),
    ("update", lambda w, x, y: w + y * x if y != (1 if w @ x >= 0 else -1) else w, "must grow by"),
    ("update", lambda w, x, y: w + x if y * (w @ x) <= 0 else w, "must grow by"),
    ("update", lambda w, x, y: w - y * x if y * (w @ x) <= 0 else w, "must grow by"),
    ("update", lambda w, x, y: w + 2 * y * x if y * (w @ x) <= 0 else w, "must grow by"),
    ("update", lambda w, x, y: w.__iadd__(y * x * (y * (w @ x) <= 0)), "not change the w"),
    ("slope", lambda w, x, y: -y * x if y * (w @ x) < 0 else 0 * x, "rises above"),
    ("slope", lambda w, x, y: y * x if y * (w @ x) < 1 else 0 * x, "rises above"),
    ("slope", lambda w, x, y: -x if y * (w @ x) < 1 else 0 * x, "rises above"),
    ("slope", lambda w, x, y: -y * x, "rises above"),
    ("margin", lambda w, x, y: y * (w @ x), "the distance of x"),
    ("margin", lambda w, x, y: y * (w @ x) / (w @ w), "the distance of x"),
    ("margin", lambda w, x, y: abs(w @ x) / norm(w), "sign must be"),
    ("margin", lambda w, x, y: (w @ x) / norm(w), "sign must be"),
    ("margin", lambda w, x, y: 2 * y * (w @ x) / norm(w), "the distance of x"),
    ("bound", lambda X, y, u: (X**2).sum(axis=1).max() / min(y * (X @ u)) ** 2, "when u grows"),
    ("bound", lambda X, y, u: max(map(norm, X)) * norm(u) / min(y * (X @ u)), "must be R^2"),
    ("bound", lambda X, y, u: norm(u) ** 2 / min(y * (X @ u)) ** 2, "when X grows"),
    ("bound", lambda X, y, u: (X**2).sum(1).max() * (u @ u) / np.mean(y * (X @ u)) ** 2, "R^2"),
    ("average", lambda W, c: W.mean(axis=0), "must balance"),
    ("average", lambda W, c: W[-1], "must balance"),
    ("average", lambda W, c: c @ W / len(c), "must balance"),
    ("map", lambda x: [1, x[0], x[1], x[0] ** 2, x[0] * x[1], x[1] ** 2], "must be (1 + x.z)^2"),
    ("map", lambda x: [x[0] ** 2, x[1] ** 2, 2**0.5 * x[0] * x[1]], "must be (1 + x.z)^2"),
    ("gaussian", lambda X, Z, s: np.exp(-cdist(X, Z) / (2 * s**2)), "squared distances"),
    ("gaussian", lambda X, Z, s: np.exp(-(cdist(X, Z) ** 2) / (2 * s)), "squared distances"),
    ("gaussian", lambda X, Z, s: np.exp(-(cdist(X, Z) ** 2) / s**2), "squared distances"),
    ("gaussian", lambda X, Z, s: np.exp(cdist(X, Z) ** 2 / (2 * s**2)), "squared distances"),
    ("gaussian", lambda X, Z, s: np.exp(-(cdist(Z, X) ** 2) / (2 * s**2)), "a row an x"),
    ("gaussian", lambda X, Z, s: np.exp(-(cdist(X, -Z) ** 2) / (2 * s**2)), "must give 1"),
    ("score", lambda a, y, K: a @ K, "must be w.z"),
    ("score", lambda a, y, K: (a > 0) * y @ K, "must be w.z"),
    ("score", lambda a, y, K: (a * y * y) @ K, "must be w.z"),
    ("score", lambda a, y, K: np.where((a * y) @ K >= 0, 1, -1), "must be w.z"),
    ("ridge", lambda K, y, c: np.linalg.lstsq(K, y, rcond=None)[0], "slope"),
    ("ridge", lambda K, y, c: np.linalg.solve(K + 2 * c * np.eye(len(K)), y), "slope"),
    ("ridge", lambda K, y, c: np.linalg.solve(K + c, y), "slope"),
    ("precision", lambda y, s: precision_recall(y, s)[::-1], "called +"),  # FP and FN swapped
    ("precision", lambda y, s: precision_recall(s, y), "called +"),  # arguments swapped
    ("precision", over_positives, "called +"),
    ("precision", false_positive_rate, "that are +"),
    ("precision", lambda y, s: precision_recall(-y, -s), "called +"),  # - counted as positive
    ("precision", lambda y, s: [np.mean(y == s)] * 2, "called +"),
    ("precision", crashing, "ZeroDivisionError"),
    ("precision", nan_at_0_over_0, "0/0, which counts as 0"),
    ("precision", one_at_0_over_0, "0/0, which counts as 0"),
    ("radon", lambda X: np.zeros(len(X)), "must not be 0"),
    ("radon", lambda X: np.ones(len(X)), "sum of a must be 0"),
    ("radon", lambda X: np.ones(len(X) - 1), "one number a point"),
    ("radon", lambda X: np.linalg.svd(X.T)[2][-1], "sum of a must be 0"),
    ("radon", lambda X: np.arange(len(X)) - (len(X) - 1) / 2, "the same point"),
    ("radon", lambda X: np.linalg.svd(lifted(X).T)[2][0], "sum of a must be 0"),
]  # fmt: skip


@pytest.mark.parametrize("exercise", exercises.EXERCISES)
def test_honest_answers_pass_in_either_form(exercise):
    for answer in RIGHT[exercise]:
        verdict = exercises.judge(exercise, answer)
        assert verdict.passed, verdict.message


@pytest.mark.parametrize(("exercise", "answer", "reason"), WRONG)
def test_a_planted_wrong_answer_fails_and_the_verdict_names_the_reason(exercise, answer, reason):
    verdict = exercises.judge(exercise, answer)
    assert not verdict.passed
    assert reason in verdict.message


@pytest.mark.parametrize("exercise", exercises.EXERCISES)
def test_an_unwritten_answer_is_called_unwritten(exercise, capsys):
    exercises.check(exercise, lambda *_: None)
    assert capsys.readouterr().out == "Not written yet: the function returns None.\n"


def test_an_answer_that_stops_with_an_error_is_told_which():
    verdict = exercises.judge("average", lambda W, c: W[99])
    assert not verdict.passed
    assert "IndexError" in verdict.message


def test_an_unknown_exercise_lists_the_known_ones():
    with pytest.raises(ValueError, match="average"):
        exercises.judge("nope", len)
