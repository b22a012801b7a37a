"""Homework 6: metrics and margin complexity. Questions, data and the checks students can run."""

from collections.abc import Iterable
from itertools import product
from typing import Any

import numpy as np

from lectures_lib import metrics
from lectures_lib.conventions import add_constant, sign

from .language.checks import Assignment, Call, close, expect
from .language.drawing import drawn
from .language.reading import array, number, parts, rows, truth, vector
from .student import client

#: What `rates` returns, in order, and how each is made.
RATES = {
    "accuracy": "(TP + TN) / N",
    "precision": "TP / (TP + FP)",
    "recall": "TP / (TP + FN)",
    "FPR": "FP / (FP + TN)",
    "F1": "2 TP / (2 TP + FP + FN)",
}
#: What `averages` returns, in order.
AVERAGES = ("macro precision", "macro recall", "macro F1", "micro F1")


def data(seed: int) -> dict[str, np.ndarray]:
    """Return a student's labels and scores, and two sets of points: one is shattered.

    Parameters
    ----------
    seed : a whole number of the student

    Examples
    --------
    >>> from lectures_homework import hw6
    >>> sorted(hw6.data(7))
    ['X1', 'X2', 'scores', 'y']
    """
    rng = np.random.default_rng([6, seed])
    y, scores = scored_set(rng, 19, 8)
    sets = [free_points(rng, 4, 3), tied_points(rng, 4, 3)]
    X1, X2 = sets if rng.random() < 0.5 else sets[::-1]
    return {"y": y, "scores": scores, "X1": X1, "X2": X2}


HW = Assignment("hw6", "Metrics and margin complexity", minutes=150, data=data)
HW.question("q1", "confusion", "rates", hidden=(2, 2))
HW.question("q2", "roc", "auc", hidden=(2, 2))
HW.question("q3", "average_precision", hidden=(1, 1))
HW.question("q4", "averages", hidden=(2, 2))
HW.question("q5", "capacity", hidden=(1, 1))
HW.question("q6", "shatter", hidden=(1, 1))


# --- data ----------------------------------------------------------------------------------------


def answers(table: Any, labels: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return truth and prediction that make this table, rows = said, in a mixed order."""
    table = np.asarray(table)
    cells = [
        (true, said) for said, true in np.ndindex(table.shape) for _ in range(table[said, true])
    ]
    order = np.argsort(np.arange(len(cells)) * 7 % len(cells), kind="stable")
    y, predicted = np.asarray(labels)[np.array(cells)[order]].T
    return y, predicted


def scored_set(rng: np.random.Generator, n: int, P: int) -> tuple[np.ndarray, np.ndarray]:
    """Return n labels, P of them +1, and scores in quarters: some pairs tie, most are in order."""
    while True:
        y = rng.permutation(np.where(np.arange(n) < P, 1, -1))
        scores = np.round(2 * (rng.normal(size=n) + 0.6 * y)) / 4 + 0.5
        won, tied, lost = pairs(y, scores)
        if tied >= 3 and won > lost > 3 and len(set(scores)) > n // 3:
            return y, scores


def pairs(y: np.ndarray, scores: np.ndarray) -> tuple[int, int, int]:
    """Return how many pairs (positive, negative) are in order, tied, in reverse order."""
    proof = metrics.area_certificate(y, scores, 0.0)
    return proof.won, proof.tied, proof.lost


def free_points(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Return n <= d + 1 whole-numbered points, affinely independent."""
    while True:
        X = rng.integers(-4, 8, size=(n, d)).astype(float)
        if np.linalg.matrix_rank(add_constant(X)) == n:
            return X


@drawn
def tied_points(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Return n whole-numbered points, affinely dependent in one way, with unequal weights.

    The x alone have rank d.
    """
    while True:
        X = rng.integers(-4, 8, size=(n, d)).astype(float)
        ranks = np.linalg.matrix_rank(add_constant(X)), np.linalg.matrix_rank(X)
        if ranks == (n - 1, min(n - 1, d)) and len({tuple(x) for x in X}) == n:
            a = np.abs(np.linalg.svd(add_constant(X).T)[2][-1])
            if np.ptp(a) > 0.05:  # no parallelogram: there the labels alone would do
                return X


# --- reading answers -----------------------------------------------------------------------------


def numbers(got: Any, names: Iterable[str]) -> list[float]:
    """Return the answer as one number a name."""
    names = list(names)
    return [number(part, name) for part, name in zip(parts(got, *names), names)]


def expect_curve(got: Any, y: np.ndarray, scores: np.ndarray) -> None:
    """State that the answer of `roc` has the points of the curve, from (0, 0) to (1, 1)."""
    FPR, TPR = parts(got, "FPR", "TPR")
    curve = metrics.roc(y, scores)
    k = len(curve.FPR)
    reason = f"{k - 1} distinct scores and the start (0, 0)"
    FPR, TPR = vector(FPR, k, f"{reason}, so FPR"), vector(TPR, k, f"{reason}, so TPR")
    for i, threshold in enumerate(curve.thresholds):
        c, where = curve.at(i), f"where + is said from score {threshold:g} on"
        where = where if np.isfinite(threshold) else "where nothing is called +"
        expect(close(FPR[i], curve.FPR[i]), f"{where}, FP = {c.FP} of {c.negatives} negatives")
        expect(close(TPR[i], curve.TPR[i]), f"{where}, TP = {c.TP} of {c.positives} positives")


def expect_area(got: Any, y: np.ndarray, scores: np.ndarray) -> None:
    """State that the answer of `auc` is the share of pairs in order."""
    won, tied, lost = pairs(y, scores)
    total = won + tied + lost
    counts = f"of {total} pairs (+, -) {won} are in order, {tied} tied, {lost} reversed"
    expect(close(number(got, "the area"), (won + tied / 2) / total), counts)


def expect_shattering(got: Any, X: np.ndarray) -> None:
    """State that the answer of `shatter` is true, and that its proof proves it."""
    said, proof = parts(got, "shattered", "proof")
    free = np.linalg.matrix_rank(add_constant(X)) == len(X)
    claim = "every labelling of these points has a separator"
    right = truth(said, "shattered") == free
    expect(right, claim if free else "some labelling here has no separator")
    if free:
        form = f"each row of the proof is (w, b): {X.shape[1] + 1} numbers"
        expect_separators(rows(proof, form, width=X.shape[1] + 1), X)
    else:
        expect_dependence(vector(proof, len(X), "the proof, one number a point"), X)


def expect_separators(V: np.ndarray, X: np.ndarray) -> None:
    """State that the rows (w, b) of V realise every labelling of X."""
    scores = V @ add_constant(X).T
    clear = np.abs(scores) > 1e-7 * (1e-9 + np.abs(V) @ np.abs(add_constant(X)).T)
    done = {tuple(row) for row in sign(scores[clear.all(axis=1)])}
    for y in product((-1.0, 1.0), repeat=len(X)):
        signs = " ".join("+" if v > 0 else "-" for v in y)
        expect(y in done, f"no row of the proof gives the labels {signs}")


def expect_dependence(a: np.ndarray, X: np.ndarray) -> None:
    """State that a is not 0, and that sum a x = 0 and sum a = 0."""
    expect(np.abs(a).max() > 1e-9, "a = 0 proves nothing")
    left = a / np.abs(a).max() @ add_constant(X)
    expect(abs(left[-1]) < 1e-5, f"Σ a must be 0, not {left[-1]:.4g} (largest a scaled to 1)")
    expect(np.abs(left[:-1]).max() <= 1e-5 * np.abs(X).max(), "Σ a x must be the zero vector")


def own_points(call: Call, free: bool) -> np.ndarray:
    """Return the set of the notebook's SEED that is shattered, or the other one."""
    mine = data(call.seed)
    rank = np.linalg.matrix_rank(add_constant(mine["X1"]))
    return mine["X1"] if (rank == 4) == free else mine["X2"]


# --- q1 ------------------------------------------------------------------------------------------


@HW.check(
    "q1",
    "the table is L4's: what was said in the rows",
    hint="Row: what was said. Column: what is true. The first is -1 in both. Which example goes "
    "where: one that is + and was called -? The arguments are (y, predicted), in this order.",
    on=[([[9, 2], [4, 5]],)],
)
def _(call, table, mix=None):
    y, said = answers(table, [-1, 1])
    mix = np.arange(len(y)) if mix is None else mix
    got = array(call("confusion", y[mix], said[mix]), (2, 2), "the table")
    (TN, FN), (FP, TP) = table
    claim = f"there are {len(y)} examples; your table counts {got.sum():g}"
    expect(close(got.sum(), len(y)), claim)
    claim = f"{TN} are - and called -: top left; {TP} are + and called +"
    expect(close(got.diagonal(), [TN, TP]), claim)
    expect(close(got[0, 1], FN), f"{FN} are + and were called -: first row, second column")
    expect(close(got[1, 0], FP), f"{FP} are - and were called +: second row, first column")


@HW.check(
    "q1",
    "accuracy, precision and recall divide by the right totals",
    hint="Accuracy: of all. Precision: of those *called* positive. Recall: of those that *are* "
    "positive. Which of FP and FN was called positive?",
    on=[(9, 2, 4, 5)],
)
def _(call, *counts):
    expect_rates(call("rates", *counts), counts, ("accuracy", "precision", "recall"))


def expect_rates(got: Any, counts: tuple[int, ...], names: Iterable[str]) -> None:
    """State that the rates of these names are right; counts are TN, FN, FP, TP."""
    values = dict(zip(RATES, numbers(got, RATES)))
    TN, FN, FP, TP = counts
    known = metrics.Confusion(TN=TN, FN=FN, FP=FP, TP=TP)
    for name in names:
        want = getattr(known, name)
        expect(close(values[name], want), f"{name} = {RATES[name]} = {want:.4g}")


# --- q2 ------------------------------------------------------------------------------------------

#: Labels and scores: no two alike, and some tied.
UNTIED = (
    np.array([1, -1, 1, -1, 1, -1, 1, -1, -1]),
    np.array([0.5, -1.75, 2.25, 1.25, -0.25, 0.75, 1.5, -0.5, 0.25]),
)
TIED = (
    np.array([1, -1, -1, 1, -1, 1, -1]),
    np.array([0.75, 0.75, -0.5, 0.25, 0.25, -0.5, 1.25]),
)


def own_scores(call: Call) -> tuple[np.ndarray, np.ndarray]:
    """Return the labels and the scores of the notebook's SEED."""
    mine = data(call.seed)
    return mine["y"], mine["scores"]


@HW.check(
    "q2",
    "roc has a point for each threshold, from (0, 0) to (1, 1)",
    hint="Each score is a threshold: say + for this score and all above. Start where nothing is "
    "called +, end where all are. FPR divides by the negatives, TPR by the positives.",
    on=[UNTIED],
)
def _(call, y, scores):
    expect_curve(call("roc", y, scores), y, scores)


@HW.check(
    "q2",
    "auc: a tied pair counts half",
    hint="A pair is one positive and one negative. In order: 1. Reversed: 0. Equal scores tell "
    "nothing about the pair, so: half. The curve says the same, if its slanted pieces are slanted.",
    on=lambda call, _: [TIED, own_scores(call)],
)
def _(call, y, scores):
    expect_area(call("auc", y, scores), y, scores)


# --- q3 ------------------------------------------------------------------------------------------


@HW.check(
    "q3",
    "precision is weighed by the steps of recall",
    hint="Sort from the highest score down. Recall only grows when a positive is passed: so only "
    "the precisions at the positives count, each with the weight 1/P. No line is drawn between.",
    on=[
        (
            np.array([-1, 1, -1, -1, 1, -1, -1, 1]),
            np.array([0.25, -1.5, 0.75, -0.5, 2.5, -0.25, 1.25, -2.25]),
        )
    ],
)
def _(call, y, scores):
    got = number(call("average_precision", y, scores), "the average")
    want = metrics.average_precision(y, scores)
    ranked = y[np.argsort(-scores)] > 0
    each = [f"{k}/{n}" for k, n in enumerate(np.flatnonzero(ranked) + 1, start=1)]
    ranking = " ".join(np.where(ranked, "+", "-"))
    claim = f"from the top: {ranking}, so ({' + '.join(each)}) / {len(each)} = {want:.4g}"
    expect(close(got, want), claim)


# --- q4 ------------------------------------------------------------------------------------------


@HW.check(
    "q4",
    "macro: each class counts the same",
    hint="First a number for each class, against all others together; then the plain mean of k "
    "numbers. Macro F1 is the mean of the F1s. Precision divides by how often a class was *said*.",
    on=[(np.array([[9, 2, 4], [1, 3, 0], [0, 1, 2]]),)],
)
def _(call, table):
    k = len(table)
    y, predicted = answers(table, range(k))
    got = numbers(call("averages", y, predicted, k), AVERAGES)
    each = metrics.confusion_matrix(y, predicted)
    truth = [np.asarray(v) for v in (each.precision(), each.recall(), each.F())]
    for name, value, known in zip(AVERAGES, got, truth):
        terms = " + ".join(f"{v:.4g}" for v in known)
        expect(close(value, known.mean()), f"{name} = ({terms}) / {k} = {known.mean():.4g}")


# --- q5 ------------------------------------------------------------------------------------------


def capacities(R: float, gamma: float, d: int) -> tuple[int, int]:
    """Return (points, h), for numbers whose ratio is far from whole or whole exactly."""
    ratio = (R / gamma) ** 2
    return min(int(np.floor(ratio)), d), min(int(np.ceil(ratio)), d) + 1


@HW.check(
    "q5",
    "points and h from R, gamma and d",
    hint="Squared? D is a diameter and ρ the full width of the street: what is D/ρ in terms of R "
    "and γ? Which of the two numbers is rounded down, which up? Where does the + 1 stand?",
    on=[(3.5, 0.75, 6), (3.5, 0.75, 40)],
)
def _(call, R, gamma, d):
    points, h = numbers(call("capacity", R, gamma, d), ("points", "h"))
    facts, want = f"(R/γ)² = {(R / gamma) ** 2:.4g} and d = {d}", capacities(R, gamma, d)
    expect(close(points, want[0]), f"{facts}, so {want[0]} points, not {points:g}")
    expect(close(h, want[1]), f"{facts}, so h = {want[1]}, not {h:g}")


# --- q6 ------------------------------------------------------------------------------------------


@HW.check(
    "q6",
    "your shattered set gets a separator for each labelling",
    hint="4 points have 16 labellings, + + + + and - - - - among them; labels are -1 and +1. With "
    "the offset, 4 equations for 4 unknowns: is the matrix with rows (x, 1) invertible?",
    on=lambda call, _: [(own_points(call, True),)],
)
def _(call, X):
    expect_shattering(call("shatter", X), X)


@HW.check(
    "q6",
    "your other set gets a dependence that refutes a labelling",
    hint="These four points lie in one plane, so n <= d + 1 alone decides nothing. Both sums must "
    "vanish, Σ a x and Σ a, and the signs of a belong to it.",
    on=lambda call, _: [(own_points(call, False),)],
)
def _(call, X):
    expect_shattering(call("shatter", X), X)


# --- quizzes and the proof -----------------------------------------------------------------------

HW.quiz(
    "q7",
    "A test has TPR 0.9 and FPR 0.1, measured where half of the people are ill. It moves to a "
    "screening where 1 in 100 is ill; the ill and the healthy look as before. What happens?",
    {
        "A": "precision stays 0.9, because the test is the same",
        "B": "precision falls to about 0.08; TPR, FPR and the area under the ROC curve stay",
        "C": "TPR falls, because there are fewer ill people to find",
        "D": "accuracy falls to about 0.5, because the classes are unbalanced",
    },
    "B",
    {
        "A": "Of 1000 people 10 are ill: 9 are found. And how many of the 990 healthy are called?",
        "B": "Right. 9 of 10 ill and 99 of 990 healthy are called: 9/108. Rates within one class "
        "do not ask how large the class is.",
        "C": "TPR is a share of the ill. Fewer of them are found, but out of fewer.",
        "D": "Accuracy stays, too: 0.01 · 0.9 + 0.99 · 0.9 = 0.9. It just says little there.",
    },
)

HW.quiz(
    "q8",
    "All points lie in a ball of radius R around the origin, in a million dimensions. You ask for "
    "twice the margin γ. How does the number of points change that can be shattered at the margin "
    "asked for? ((R/γ)² is far below a million.)",
    {
        "A": "not at all: with so many dimensions the dimension decides",
        "B": "it is halved",
        "C": "it is divided by about four",
        "D": "it is doubled: a larger margin is better",
    },
    "C",
    {
        "A": "That many points can be shattered at some tiny margin. At margin γ (R/γ)² decides.",
        "B": "R/γ is halved. And the number of points?",
        "C": "Right. (R/γ)² is divided by four, and axes of length R attain it: see q9, part 3.",
        "D": "More margin is more to ask for, so fewer labellings can be had. That is its worth.",
    },
)

HW.by_hand["q9"] = 10

check, quiz, finish = client.bind(HW)
