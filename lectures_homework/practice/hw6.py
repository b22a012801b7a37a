"""Practice for homework 6: the visible checks on inputs that are drawn anew."""

from itertools import combinations
from typing import Any

import numpy as np

from lectures_lib import metrics

from ..hw6 import (
    AVERAGES,
    answers,
    capacities,
    expect_area,
    expect_curve,
    expect_rates,
    expect_shattering,
    free_points,
    numbers,
    pairs,
    tied_points,
)
from ..language.checks import Assignment, close, expect
from ..language.drawing import drawn
from ..language.reading import array, number


def four_counts(rng: np.random.Generator) -> Any:
    """Return TN, FN, FP, TP, all different and none below 2."""
    return tuple(int(v) for v in rng.permutation(np.arange(2, 12))[:4])


@drawn
def bunched_set(rng: np.random.Generator, n: int, P: int) -> Any:
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
def class_table(rng: np.random.Generator, k: int) -> Any:
    """Return a table of k classes, said in rows, all totals different, no two averages alike."""
    while True:
        table = rng.integers(0, 5, size=(k, k)) + np.diag(rng.integers(2, 9, size=k))
        totals = [*table.sum(axis=0), *table.sum(axis=1)]
        c = metrics.confusion_matrix(*answers(table, range(k)))
        found = [c.precision("macro"), c.recall("macro"), c.F(average="macro"), c.accuracy]
        if len(set(totals)) > k + 1 and np.diff(np.sort(np.array(found, dtype=float))).min() > 0.01:
            return table


def _add_q1_to_q2(HW: Assignment) -> None:
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
        tables = [np.array([[0, 0], [1, 0]]), rng.integers(20, 90, size=(2, 2))]
        for place in range(2):  # one class alone is said, or is true
            one = np.zeros((2, 2), int)
            one[place] = rng.permutation([4, 12_345])
            tables += [one, one.T]
        for table in tables:
            got = array(call("confusion", *answers(table, [-1, 1])), (2, 2), "the table")
            expect(close(got, table), "one example, or many")
        TN, FN, more, TP = (int(n) for n in rng.permutation([700, 11, 95, 430]))
        for FP in (more, FN):  # hundreds; and as many called + as there are
            y, said = answers(np.array([[TN, FN], [FP, TP]]), [-1, 1])
            mix = rng.permutation(len(y))
            got = array(call("confusion", y[mix], said[mix]), (2, 2), "the table")
            expect(close(got, [[TN, FN], [FP, TP]]), "the table is [[TN, FN], [FP, TP]]")

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


def _add_q3_to_q6(HW: Assignment) -> None:
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


def add_again(HW: Assignment) -> None:
    """Register the visible checks on inputs drawn anew."""
    _add_q1_to_q2(HW)
    _add_q3_to_q6(HW)


@drawn
def untied_set(rng: np.random.Generator, n: int, P: int) -> Any:
    """Return labels and scores, all different, in quarters: some pairs in order, some not."""
    while True:
        y = rng.permutation(np.where(np.arange(n) < P, 1, -1))
        scores = rng.permutation(np.arange(-n, n))[:n] / 4 + 0.5 * y
        won, _, lost = pairs(y, scores)
        if len(set(scores)) == n and min(won, lost) > 3 and won != lost:
            return y, scores
