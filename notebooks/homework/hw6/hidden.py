"""Hidden checks of homework 6: the subtle misconceptions, on data that the secret chooses."""

import numpy as np

from lectures_homework.hw6 import (
    AVERAGES,
    RATES,
    answers,
    capacities,
    expect_area,
    expect_curve,
    expect_rates,
    expect_shattering,
    free_points,
    numbers,
    pairs,
    scored_set,
    tied_points,
)
from lectures_homework.language.broadly import expect_like, factor, signs, size
from lectures_homework.language.checks import close, expect
from lectures_homework.language.drawing import drawn
from lectures_homework.language.reading import number
from lectures_homework.practice.hw6 import (
    add_again,
    bunched_set,
    class_table,
    four_counts,
    untied_set,
)
from lectures_lib import metrics

#: TN, FN, FP, TP with a 0/0 somewhere: nothing -, nothing called +, nothing +, nothing found.
EMPTY = [(0, 4, 0, 5), (7, 4, 0, 0), (6, 0, 3, 0), (0, 0, 3, 4), (8, 2, 3, 0), (9, 0, 0, 0)]
#: Few examples.
EMPTY += [(1, 1, 1, 1), (0, 0, 0, 1), (1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0)]
EMPTY += [(1, 0, 0, 1), (0, 1, 1, 0), (1, 0, 1, 0), (0, 1, 0, 1)]


@drawn
def reversed_set(rng, n, P):
    """Return labels and scores of an area clearly below a half, with ties."""
    y, scores = scored_set(rng, n, P)
    return -y, scores


def expect_averages(call, tables):
    """State that the averages are right for the answers of each table."""
    asked = [(*answers(table, range(len(table))), len(table)) for table in tables]
    replies = [call("averages", *one) for one in asked]  # all first: one alone fits many mistakes
    for (y, predicted, k), reply in zip(asked, replies):
        for name, got, value in zip(AVERAGES, numbers(reply, AVERAGES), averages(y, predicted, k)):
            expect(close(got, value), f"{name} is {value:.4g}")


def otherwise(rng):
    """Return labels and scores: all tied, hardly apart, huge, and one positive alone."""
    n = int(rng.integers(9, 15))
    y, scores = untied_set(rng, n, 4)
    alone = np.where(np.arange(n) == int(rng.integers(n)), 1, -1)
    many = rng.permutation(np.where(np.arange(150) < int(rng.integers(40, 110)), 1, -1))
    return [
        (y, np.full(n, 0.3)),
        (y, 0.3 + 1e-4 * scores),
        (alone, scores),
        (many, np.round(50 * (rng.normal(size=150) + 0.4 * many)) / 50),  # and some of them tie
        (np.array([1, -1]), rng.permutation([-0.25, 1.5])),
        (np.array([-1, 1]), np.full(2, -0.7)),
    ]


def any_scores(rng):
    """Return (y, scores) of any number of examples, of both classes; tied, sorted, or not."""
    n = size(rng, 300, 2)
    y, scores = signs(rng, n).astype(int), rng.normal(size=n)
    y[rng.permutation(n)[:2]] = 1, -1
    scores = scores + rng.choice([-2.0, 0.0, 0.6, 3.0]) * y
    scores = np.round(scores * rng.choice([1.0, 4.0, 1e4])) + rng.integers(-3, 9)
    scores = scores * min(factor(rng, 12.0), 1e8)
    order = np.argsort(scores)[:: rng.choice([-1, 1])] if rng.random() < 0.3 else np.arange(n)
    return y[order], scores[order]


def any_counts(rng):
    """Return TN, FN, FP, TP: few and many, at times none."""
    some = tuple(int(size(rng, 10**11) * (rng.random() < 0.8)) for _ in range(4))
    return some if any(some) else any_counts(rng)


def any_classes(rng):
    """Return (y, predicted, k) of any number of examples and classes; some never occur."""
    n, k = size(rng, 300), size(rng, 15, 2)
    y, said = rng.integers(0, rng.integers(1, k + 1, size=2)[:, None], size=(2, n))
    return y, np.where(rng.random(n) < rng.choice([0.0, 0.5, 0.95]), y, said), k


def any_ball(rng):
    """Return (R, gamma, d): the ratio between whole numbers, d below and above it."""
    gamma, ratio = factor(rng), size(rng, 10**4) - rng.uniform(0.01, 0.99)
    return float(np.sqrt(ratio)) * gamma, gamma, size(rng, 10**4)


def any_points(rng):
    """Return few points with whole coordinates, far apart or not; some may depend on others."""
    n, d, far = size(rng, 6), size(rng, 8), int(rng.choice([1, 3, 30, 500]))
    X = rng.integers(-far, far + 1, size=(n, d)).astype(float)
    if rng.random() < 0.4:
        X[-1] = 2 * X[0] - X[rng.integers(n)]
    return X


def averages(y, predicted, k):
    """Return the four averages."""
    c = metrics.confusion_matrix(y, predicted, labels=range(k))
    return c.precision("macro"), c.recall("macro"), c.F(average="macro"), c.F(average="micro")


def rates(TN, FN, FP, TP):
    """Return the five rates."""
    known = metrics.Confusion(TN=TN, FN=FN, FP=FP, TP=TP)
    return tuple(getattr(known, name) for name in RATES)


def area(y, scores):
    """Return the share of pairs in order."""
    won, tied, lost = pairs(y, scores)
    return (won + tied / 2) / (won + tied + lost)


#: What is right, and what is asked.
BROAD = {
    "rates": (rates, any_counts),
    "roc": (lambda *one: ((curve := metrics.roc(*one)).FPR, curve.TPR), any_scores),
    "auc": (area, any_scores),
    "average_precision": (metrics.average_precision, any_scores),
    "averages": (averages, any_classes),
    "capacity": (capacities, any_ball),
}


def add(HW):
    """Register the hidden checks, and the visible ones on inputs drawn anew."""
    add_again(HW)

    @HW.check(
        "q1",
        "FPR and F1, whatever the counts",
        points=1,
        hint="FPR divides by the examples that are negative. F1 is the harmonic mean of precision "
        "and recall: below both the arithmetic and the geometric mean.",
        hidden=True,
    )
    def _(call, rng):
        rare = int(rng.integers(600, 900)), 431, int(rng.integers(300, 400)), 3  # F1 below 0.01
        rarer = 600, 431, 3 * 10**5, 3  # F1 of a few hundred-thousandths
        for counts in [*(four_counts(rng) for _ in range(3)), rare, rarer]:
            expect_rates(call("rates", *counts), counts, ("FPR", "F1"))

    @HW.check(
        "q1",
        "0/0 counts as 0, and the other rates stay",
        points=1,
        hint="Nothing called positive, nothing positive, nothing negative, nothing found: which of "
        "the five is 0/0 then? It counts as 0; the others keep their value.",
        hidden=True,
    )
    def _(call, rng):
        for counts in EMPTY:
            expect_rates(call("rates", *counts), counts, RATES)
        expect_like(call, rng, "rates", *BROAD["rates"], 60)

    @HW.check(
        "q2",
        "roc: examples of equal score cross the threshold together",
        points=1,
        hint="A threshold cannot tell equal scores apart. One point for each *distinct* score, "
        "however many examples have it; the order in which they came does not matter.",
        hidden=True,
    )
    def _(call, rng):
        for n, P in ((17, 7), (14, int(rng.integers(4, 10)))):
            y, scores = bunched_set(rng, n, P)
            expect_curve(call("roc", y, scores), y, scores)
        for other in otherwise(rng):
            expect_curve(call("roc", *other), *other)
        expect_like(call, rng, "roc", *BROAD["roc"])

    @HW.check(
        "q2",
        "auc: the share of pairs in order, and nan where there is no pair",
        points=1,
        hint="The area can be below a half: then the score knows something, with the wrong sign. "
        "With one class only there are no pairs: neither 0 nor a half is true of them.",
        hidden=True,
    )
    def _(call, rng):
        one_pair = np.array([-1, 1]), rng.permutation([-0.25, 1.5])
        cases = [scored_set(rng, 17, 6), reversed_set(rng, 16, 7), bunched_set(rng, 15, 9)]
        for y, scores in [*cases, one_pair, *otherwise(rng)]:
            expect_area(call("auc", y, scores), y, scores)
        for label in (1, -1):
            nothing = number(call("auc", np.full(5, label), rng.normal(size=5)), "the area")
            expect(np.isnan(nothing), "no pairs: the area is nan")
        expect_like(call, rng, "auc", *BROAD["auc"])

    @HW.check(
        "q3",
        "tied examples are passed together",
        points=1,
        hint="A threshold passes all examples of one score at once. So the precision at a positive "
        "counts everybody with that score or more, in whatever order they came.",
        hidden=True,
    )
    def _(call, rng):
        cases = [bunched_set(rng, 16, 6), scored_set(rng, 18, 7), bunched_set(rng, 13, 8)]
        cases += [reversed_set(rng, 16, 7)]
        for y, scores in [*cases, *otherwise(rng)]:
            got = number(call("average_precision", y, scores), "the average")
            expect(close(got, metrics.average_precision(y, scores)), "tied: together")
        for n in (4, 1):
            answer = call("average_precision", np.ones(n, int), rng.normal(size=n))
            got = number(answer, "the average")
            expect(close(got, 1.0), "where all are positive, every precision is 1")
        expect_like(call, rng, "average_precision", *BROAD["average_precision"])

    @HW.check(
        "q4",
        "micro: each example counts the same",
        points=1,
        hint="Add up TP, FP and FN over the classes first, then divide once. Every wrong answer is "
        "a FP of one class and a FN of another. What known number comes out?",
        hidden=True,
    )
    def _(call, rng):
        tables = [class_table(rng, k) for k in (4, 2, int(rng.choice([3, 5])))]
        tables += [rng.integers(1, 9, size=(7, 7)), np.array([[4]])]  # one class is always right
        tables += [rng.integers(0, 5, size=(13, 13)) + np.eye(13, dtype=int)]
        tables += [np.array([[3, 0], [2, 0]]), np.array([[3, 4], [0, 0]])]
        tables += [np.eye(3, dtype=int)[[2]].T @ np.eye(3, dtype=int)[[k]] for k in (0, 2)]
        expect_averages(call, tables)
        expect_like(call, rng, "averages", *BROAD["averages"])

    @HW.check(
        "q4",
        "a class that is rare, never said or never true still counts",
        points=1,
        hint="There are k classes, whoever turns up. One that nobody says has precision 0/0, one "
        "that never occurs recall 0/0: both count as 0, and the mean is over all k. One that is "
        "said once, and rightly, has precision 1.",
        hidden=True,
    )
    def _(call, rng):
        tables = []
        for k, c in ((4, 1), (5, 3), (4, 3)):  # c: a class in the middle, or the last one
            unsaid, untrue, both = (class_table(rng, k) for _ in range(3))
            unsaid[c], unsaid[0, c] = 0, 3  # never said, but true three times
            untrue[:, c], untrue[c, 0] = 0, 3
            both[c], both[:, c] = 0, 0
            tables += [unsaid, untrue, both]
        rare = class_table(rng, 4)
        rare[2], rare[:, 1] = 0, 0
        rare[2, 2] = rare[1, 1] = 1
        poor = np.array(
            [[1, 400, 0], [400, 300, 2], [0, 1, 5]]
        )  # nearly always wrong, but not always
        expect_averages(call, [*tables, rare, poor])

    @HW.check(
        "q5",
        "also where the ratio is whole",
        points=1,
        hint="If (R/γ)² is a whole number, rounding up and down change nothing: points and the "
        "first part of h agree. And where d is small, d decides both.",
        hidden=True,
    )
    def _(call, rng):
        k, m = (int(v) for v in rng.permutation(np.arange(3, 7))[:2])
        cases = [(k * 0.75, 0.75, k * k + 5), (m * 1.25, 1.25, m * m - 2), (k * 2.5, 2.5, k * k)]
        cases += [(m + 0.25, 0.5, 900), (1.75, 0.25 * k, 900), (0.75, 1.0, 9), (2.5, 4.0, 1)]
        cases += [(400.5, 1.5, 10**6), (2.0, 2.0, 7), (5.25, 0.75, 1)]
        cases += [(3.5e3, 0.75, 10**9), (0.0, 0.75, 4)]  # many; and all points are the origin
        for gamma, more in ((0.3, 0.02), (0.013, -0.02), (7e3, 0.4), (2.0, 1e-5), (0.7, -1e-5)):
            ratio = int(rng.integers(5, 60)) + more  # next to a whole number
            cases += [(gamma * float(np.sqrt(ratio)), gamma, 10**4)]
        for case in cases:
            got = numbers(call("capacity", *case), ("points", "h"))
            expect(close(got, capacities(*case)), f"{case}: {capacities(*case)}")
        expect_like(call, rng, "capacity", *BROAD["capacity"])

    @HW.check(
        "q6",
        "other sets get their proof too",
        points=1,
        hint="Few points and many, in other dimensions: three on a line in space, five in the "
        "plane, a set whose first points depend on each other while the last takes no part.",
        hidden=True,
    )
    def _(call, rng):
        line = rng.integers(-3, 6, size=(1, 3)) + np.outer([1.0, 3.0, -2.0], [2.0, 1.0, -1.0])
        plane = np.vstack([np.outer([0.0, 1.0, 3.0], [2.0, 1.0]) + 1.0, [[0.0, 5.0]]])
        sets = [free_points(rng, 3, 4), plane, line, free_points(rng, 5, 4), tied_points(rng, 5, 4)]
        sets += [rng.integers(-4, 8, size=(6, 2)).astype(float), free_points(rng, 3, 2)]
        flat = free_points(rng, 3, 3)  # the first feature is 0 everywhere, and no help
        sets += [np.column_stack([np.zeros(3), flat]), flat[:1], flat[[0, 1, 0]], flat[[2, 2]]]
        sets += [free_points(rng, int(n), 5) for n in (2, 4, 6)]
        sets += [free_points(rng, 3, int(rng.integers(7, 12)))]
        sets += [np.array([[3.0], [-2.0]]), np.array([[3.0], [-2.0], [1.0]])]  # on a line
        sets += [256.0 * free_points(rng, 3, 2), np.array([[7.0, 6.0], [6.0, 5.0], [0.0, 0.0]])]
        sets += [np.zeros((1, 2)), np.zeros((2, 3))]  # the origin, once and twice
        sets += [any_points(rng) for _ in range(40)]
        for X in sets:
            expect_shattering(call("shatter", X), X)
