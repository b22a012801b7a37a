"""Wrong answers that once kept full marks: each loses points in its own question.

They are slips of the solution, and worth more as a class than one by one: sizes and constants of
the statement's example, thresholds with a width, scales, degenerate cases, what a limit leaves,
arguments that are changed.
"""

import warnings

import numpy as np
import pytest

from lectures_homework.instructor import batch, masters
from lectures_homework.language.checks import judge
from lectures_homework.student.client import LocalCall

SECRETS = ("one", "two")
#: (homework, question, function) -> what is wrong: {old text of the solution: new text}
HOLES = {
    ("hw1", "q1", "predict"): {
        "a threshold below 0": {"X @ w + b >= 0": "X @ w + b > -1e-2"},
        "a threshold above 0": {"X @ w + b >= 0": "X @ w + b > 1e-3"},
    },
    ("hw1", "q1", "update"): {
        "a mistake needs 0.01": {"<= 0:": "<= -1e-2:"},
        "right needs 0.01": {"<= 0:": "<= 1e-2:"},
        "in place": {"return w + y * x, b + y": "w += y * x\n        return w, b + y"},
    },
    ("hw1", "q2", "perceptron"): {
        "nothing where the limit ends it": {
            "return w, b, mistakes, False": "return np.zeros(X.shape[1]), 0.0, mistakes, False"
        },
    },
    ("hw2", "q1", "margins"): {
        "short vectors": {"/ np.linalg.norm(w)": "/ max(1.0, np.linalg.norm(w))"},
        "long vectors": {"/ np.linalg.norm(w)": "/ min(100.0, np.linalg.norm(w))"},
    },
    ("hw2", "q2", "bound"): {"little is nothing": {"gamma <= 0": "gamma <= 1e-3"}},
    ("hw2", "q3", "audit"): {"little is nothing": {"> 0:": "> 1e-2:"}},
    ("hw2", "q5", "hinge_bound"): {
        "little slack": {"L = xi": "xi = np.where(xi > 0.01, xi, 0)\n    L = xi"},
    },
    ("hw3", "q2", "polynomial"): {"degrees to 5": {"** p": "** min(p, 5)"}},
    ("hw3", "q3", "psd"): {
        "a coarser tolerance": {"-1e-9 *": "-1e-8 *"},
        "a finer tolerance": {"-1e-9 *": "-1e-12 *"},
    },
    ("hw3", "q4", "kernel_perceptron"): {
        "a mistake needs 0.01": {"<= 0:": "<= -1e-2:"},
        "nothing where the limit ends it": {"return alpha, False": "return 0 * alpha, False"},
    },
    ("hw3", "q5", "smallest_degree"): {"degrees to 4": {"range(1, 7)": "range(1, 5)"}},
    ("hw4", "q1", "objective"): {
        "little slack": {"C * xi.sum()": "C * np.where(xi > 0.01, xi, 0).sum()"},
    },
    ("hw4", "q1", "gradient"): {"little slack": {"< 1\n": "< 0.99\n"}},
    ("hw4", "q3", "weights"): {
        "small alphas": {"(alpha * y)": "(np.where(alpha > 1e-5, alpha, 0) * y)"}
    },
    ("hw4", "q6", "gap"): {"up to seven": {"n + 1)]": "min(n, 7) + 1)]"}},
    ("hw5", "q1", "step"): {
        "Platt's eps": {
            "new[i] = alpha[i]": "if abs(new[j] - alpha[j]) < 1e-3 * (new[j] + alpha[j] + 1e-3):\n"
            "        return alpha.copy()\n    new[i] = alpha[i]"
        },
        "in place": {"new = alpha.copy()": "new, alpha = alpha, alpha.copy()"},
    },
    ("hw5", "q2", "worst_pair"): {
        "-1 for infinity": {"-np.inf": "-1.0"},
        "1 for infinity": {"F, np.inf": "F, 1.0"},
    },
    ("hw5", "q3", "smo"): {
        "no free, no offset": {
            "return alpha, float(F[i] + F[j]) / 2": "free = (alpha > 0) & (alpha < C)\n"
            "    return alpha, float(F[i] + F[j]) / 2 if free.any() else 0.0"
        },
    },
    ("hw5", "q4", "standardise"): {
        "rounding is no deviation": {"np.ptp(train, axis=0) > 0": "deviation > 0"},
        "in place": {
            "    return (train": "    train -= mean\n    mean = 0 * mean\n    return (train"
        },
    },
    ("hw5", "q4", "folds"): {
        "refuses small classes": {
            "    dealt": "    if min(np.sum(y == 1), np.sum(y == -1)) < k:\n"
            "        raise ValueError\n    dealt"
        },
    },
    ("hw5", "q6", "cross_validate"): {
        "reads the notebook's costs": {
            "    wrong = np": "    Cs = np.array([0.05, 0.5, 5.0])\n    wrong = np"
        },
    },
    ("hw6", "q1", "confusion"): {
        "labels that occur": {"for true in (-1, 1)": "for true in np.unique(y)"},
    },
    ("hw6", "q2", "roc"): {
        "two digits": {"    called": "    scores = np.round(scores, 2)\n    called"},
    },
    ("hw6", "q2", "auc"): {
        "all tied": {
            "    if ahead": "    if np.ptp(scores) == 0:\n        return 0.0\n    if ahead"
        },
    },
    ("hw6", "q5", "capacity"): {
        "one point at least": {"min(int(np.floor(ratio)), d)": "max(1, min(int(ratio), d))"},
    },
    ("hw6", "q6", "shatter"): {
        "the first columns": {
            "np.linalg.matrix_rank(Z) < n": "n > Z.shape[1] or abs(np.linalg.det(Z[:, :n])) < 1e-9"
        },
    },
    ("hw7", "q2", "viterbi"): {
        "a start at -100": {
            "V = e + ways.max(axis=0)": "V = e + np.maximum(ways.max(axis=0), -100.0)"
        },
    },
    ("hw7", "q3", "update"): {
        "one wrong tag is no mistake": {
            "    F, G": "    if np.sum(np.array(y) != y_star) == 1:\n        return A, B\n    F, G"
        },
        "in place": {
            "return A + epsilon * (F - F_star),": "A += epsilon * (F - F_star)\n    return A,"
        },
    },
    ("hw7", "q5", "read_words"): {"33 features": {"X[0].shape[1], 26": "33, 26"}},
}
CASES = {
    f"{homework} {function}: {words}": (homework, question, function, change)
    for (homework, question, function), slips in HOLES.items()
    for words, change in slips.items()
}


def kept_full_marks(homework: str, question: str, function: str, change: dict, secret: str) -> bool:
    """True if a changed solution passes all checks of its question."""
    solutions = dict(masters.solutions(homework))
    for old, new in change.items():
        assert solutions[function].count(old) == 1, f"{old!r} stands not once in {function}"
        solutions[function] = solutions[function].replace(old, new)
    names: dict = {"SEED": 0}
    exec("\n".join(solutions.values()), names)
    call = LocalCall(names)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        checks = [
            c
            for c in batch.loaded(homework, str(masters.FOLDER))[0].checks
            if c.question == question
        ]
        return all(judge(check, call, secret=secret).passed for check in checks)


@pytest.mark.parametrize("asked", HOLES, ids=lambda asked: " ".join(asked))
def test_the_solution_itself_keeps_full_marks(asked):
    assert kept_full_marks(*asked, {}, SECRETS[0])


@pytest.mark.parametrize(
    "asked", [("hw2", "q4", "certificate"), ("hw3", "q1", "gaussian")], ids=lambda asked: asked[0]
)
def test_it_keeps_them_under_each_of_thirty_secrets(asked):
    for number in range(30):
        assert kept_full_marks(*asked, {}, f"h {number}")


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("case", CASES)
def test_it_loses_points_in_its_own_question(case, secret):
    assert not kept_full_marks(*CASES[case], secret)
