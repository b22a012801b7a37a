"""Hidden checks of homework 6: the subtle misconceptions, on data that the secret chooses."""

from itertools import combinations

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
from lectures_homework.language.checks import close, expect
from lectures_homework.language.drawing import drawn
from lectures_homework.language.reading import array, number
from lectures_lib import metrics

#: TN, FN, FP, TP with a 0/0 somewhere: nothing -, nothing called +, nothing +, nothing found.
EMPTY = [(0, 4, 0, 5), (7, 4, 0, 0), (6, 0, 3, 0), (0, 0, 3, 4), (8, 2, 3, 0), (9, 0, 0, 0)]


def four_counts(rng):
    """Return TN, FN, FP, TP, all different and none below 2."""
    return tuple(int(v) for v in rng.permutation(np.arange(2, 12))[:4])


@drawn
def reversed_set(rng, n, P):
    """Return labels and scores of an area clearly below a half, with ties."""
    y, scores = scored_set(rng, n, P)
    return -y, scores


@drawn
def bunched_set(rng, n, P):
    """Return labels and scores with few distinct values; in ties either label comes first."""
    while True:
        y = rng.permutation(np.where(np.arange(n) < P, 1, -1))
        scores = rng.integers(-2, 4, size=n) * 0.75 + 0.25 * y
        scores = np.round(scores * 2) / 2
        won, tied, lost = pairs(y, scores)
        ties = [y[i] - y[j] for i, j in combinations(range(n), 2) if scores[i] == scores[j]]
        if tied >= 6 and won != lost and min(ties) < 0 < max(ties) and len(set(scores)) < n / 2:
            return y, scores


@drawn
def class_table(rng, k):
    """Return a table of k classes, said in rows, all totals different, no two averages alike."""
    while True:
        table = rng.integers(0, 5, size=(k, k)) + np.diag(rng.integers(2, 9, size=k))
        totals = [*table.sum(axis=0), *table.sum(axis=1)]
        c = metrics.confusion_matrix(*answers(table, range(k)))
        found = [c.precision("macro"), c.recall("macro"), c.F(average="macro"), c.accuracy]
        if len(set(totals)) > k + 1 and np.diff(np.sort(found)).min() > 0.01:
            return table


def expect_averages(call, tables):
    """State that the averages are right for the answers of each table."""
    asked = [(*answers(table, range(len(table))), len(table)) for table in tables]
    replies = [call("averages", *one) for one in asked]  # all first: one alone fits many mistakes
    for (y, predicted, k), reply in zip(asked, replies):
        c = metrics.confusion_matrix(y, predicted, labels=range(k))
        want = (c.precision("macro"), c.recall("macro"), c.F(average="macro"), c.F(average="micro"))
        for name, got, value in zip(AVERAGES, numbers(reply, AVERAGES), want):
            expect(close(got, value), f"{name} is {value:.4g}")


def add_again(HW):
    """Register the visible checks on inputs drawn anew."""

    @HW.again("q1", "the table is L4's: what was said in the rows")
    def _(call, rng):
        table = np.array(four_counts(rng)).reshape(2, 2)
        got = array(call("confusion", *answers(table, [-1, 1])), (2, 2), "the table")
        expect(close(got, table), "what was said in the rows, what is true in the columns")
        for said, true in np.ndindex(2, 2):  # the table keeps its four places
            table = np.zeros((2, 2), int)
            table[said, true] = int(rng.integers(1, 6))
            got = array(call("confusion", *answers(table, [-1, 1])), (2, 2), "the table")
            expect(close(got, table), "a label that does not occur counts 0")

    @HW.again("q1", "accuracy, precision and recall divide by the right totals")
    def _(call, rng):
        for counts in [four_counts(rng) for _ in range(3)]:
            expect_rates(call("rates", *counts), counts, ("accuracy", "precision", "recall"))

    @HW.again("q2", "roc has a point for each threshold, from (0, 0) to (1, 1)")
    def _(call, rng):
        y, scores = untied_set(rng, 11, 5)
        expect_curve(call("roc", y, scores), y, scores)

    @HW.again("q2", "auc: a tied pair counts half")
    def _(call, rng):
        for n, P in ((9, 4), (13, 6)):
            y, scores = bunched_set(rng, n, P)
            expect_area(call("auc", y, scores), y, scores)

    @HW.again("q3", "precision is weighed by the steps of recall")
    def _(call, rng):
        for n, P in ((9, 4), (12, 5)):
            y, scores = untied_set(rng, n, P)
            got = number(call("average_precision", y, scores), "the average")
            expect(close(got, metrics.average_precision(y, scores)), "a step for each positive")

    @HW.again("q4", "macro: each class counts the same")
    def _(call, rng):
        table = class_table(rng, 3)
        got = numbers(call("averages", *answers(table, range(3)), 3), AVERAGES)
        c = metrics.confusion_matrix(*answers(table, range(3)))
        want = c.precision("macro"), c.recall("macro"), c.F(average="macro")
        expect(close(got[:3], want), "the mean of one number for each class")

    @HW.again("q5", "points and h from R, gamma and d")
    def _(call, rng):
        for _ in range(2):
            case = float(rng.integers(9, 20)) / 4 + 0.125, 0.75, int(rng.choice([3, 60]))
            got = numbers(call("capacity", *case), ("points", "h"))
            expect(close(got, capacities(*case)), f"{case}: {capacities(*case)}")

    @HW.again("q6", "your shattered set gets a separator for each labelling")
    def _(call, rng):
        X = free_points(rng, 4, 3)
        expect_shattering(call("shatter", X), X)

    @HW.again("q6", "your other set gets a dependence that refutes a labelling")
    def _(call, rng):
        X = tied_points(rng, 4, 3)
        expect_shattering(call("shatter", X), X)


def otherwise(rng):
    """Return labels and scores: all tied, hardly apart, huge, and one positive alone."""
    n = int(rng.integers(9, 15))
    y, scores = untied_set(rng, n, 4)
    alone = np.where(np.arange(n) == int(rng.integers(n)), 1, -1)
    return [(y, np.full(n, 0.3)), (y, 0.3 + 1e-4 * scores), (y, 3e4 * scores), (alone, scores)]


@drawn
def untied_set(rng, n, P):
    """Return labels and scores, all different, in quarters: some pairs in order, some not."""
    while True:
        y = rng.permutation(np.where(np.arange(n) < P, 1, -1))
        scores = rng.permutation(np.arange(-n, n))[:n] / 4 + 0.5 * y
        won, _, lost = pairs(y, scores)
        if len(set(scores)) == n and min(won, lost) > 3 and won != lost:
            return y, scores


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
        many = tuple(int(v) * 10**5 for v in four_counts(rng))
        for counts in [*(four_counts(rng) for _ in range(3)), many]:
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
            area = number(call("auc", np.full(5, label), rng.normal(size=5)), "the area")
            expect(np.isnan(area), "no pairs: the area is nan")

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
        for y, scores in [*cases, *otherwise(rng)]:
            got = number(call("average_precision", y, scores), "the average")
            expect(close(got, metrics.average_precision(y, scores)), "tied: together")

    @HW.check(
        "q4",
        "micro: each example counts the same",
        points=1,
        hint="Add up TP, FP and FN over the classes first, then divide once. Every wrong answer is "
        "a FP of one class and a FN of another. What known number comes out?",
        hidden=True,
    )
    def _(call, rng):
        expect_averages(call, [class_table(rng, k) for k in (4, 2, int(rng.choice([3, 5])))])

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
        expect_averages(call, [*tables, rare])

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
        for case in cases:
            got = numbers(call("capacity", *case), ("points", "h"))
            expect(close(got, capacities(*case)), f"{case}: {capacities(*case)}")

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
        sets += [free_points(rng, int(n), 5) for n in rng.permutation([2, 4, 6])[:2]]
        for X in sets:
            expect_shattering(call("shatter", X), X)
