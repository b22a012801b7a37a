"""Practice for homework 6: the visible checks on inputs that are drawn anew."""

from itertools import combinations
from typing import Any

import numpy as np

from lectures_lib import metrics

from ..hw6 import answers, free_points, pairs, tied_points
from ..language.drawing import drawn
from .draws import Draws


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


@drawn
def untied_set(rng: np.random.Generator, n: int, P: int) -> Any:
    """Return labels and scores, all different, in quarters: some pairs in order, some not."""
    while True:
        y = rng.permutation(np.where(np.arange(n) < P, 1, -1))
        scores = rng.permutation(np.arange(-n, n))[:n] / 4 + 0.5 * y
        won, _, lost = pairs(y, scores)
        if len(set(scores)) == n and min(won, lost) > 3 and won != lost:
            return y, scores


again = Draws()
add_again = again.add


@again("q1", "the table is L4's: what was said in the rows")
def _(rng):
    yield (np.array(four_counts(rng)).reshape(2, 2),)
    for place in np.ndindex(2, 2):  # a label that does not occur: the table keeps its four places
        table = np.zeros((2, 2), int)
        table[place] = int(rng.integers(1, 6))
        yield (table,)
    yield (np.array([[0, 0], [1, 0]]),)  # one example, or many
    yield (rng.integers(20, 90, size=(2, 2)),)
    for place in range(2):  # one class alone is said, or is true
        one = np.zeros((2, 2), int)
        one[place] = rng.permutation([4, 12_345])
        yield from [(one,), (one.T,)]
    TN, FN, more, TP = (int(n) for n in rng.permutation([700, 11, 95, 430]))
    for FP in (more, FN):  # hundreds; and as many called + as there are
        yield np.array([[TN, FN], [FP, TP]]), rng.permutation(TN + FN + FP + TP)
    for _ in range(20):  # any number of examples, any shares, in any order
        shares = rng.dirichlet(np.full(4, 0.4))
        table = rng.multinomial(int(10 ** rng.uniform(0.0, 2.95)), shares).reshape(2, 2)
        yield table, rng.permutation(table.sum())


@again("q1", "accuracy, precision and recall divide by the right totals")
def _(rng):
    return (four_counts(rng) for _ in range(3))


@again("q2", "roc has a point for each threshold, from (0, 0) to (1, 1)")
def _(rng):
    yield untied_set(rng, 11, 5)


@again("q2", "auc: a tied pair counts half")
def _(rng):
    return (bunched_set(rng, n, P) for n, P in ((9, 4), (13, 6)))


@again("q3", "precision is weighed by the steps of recall")
def _(rng):
    return (untied_set(rng, n, P) for n, P in ((9, 4), (12, 5)))


@again("q4", "macro: each class counts the same")
def _(rng):
    yield (class_table(rng, 3),)


@again("q5", "points and h from R, gamma and d")
def _(rng):
    for _ in range(2):
        yield float(rng.integers(9, 20)) / 4 + 0.125, 0.75, int(rng.choice([3, 60]))


@again("q6", "your shattered set gets a separator for each labelling")
def _(rng):
    yield (free_points(rng, 4, 3),)


@again("q6", "your other set gets a dependence that refutes a labelling")
def _(rng):
    yield (tied_points(rng, 4, 3),)
