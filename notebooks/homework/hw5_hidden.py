"""Hidden checks of homework 5: the subtle misconceptions, on data that the secret chooses."""

import numpy as np

from lectures_lib import smo, svm
from lectures_lib.grading.checks import expect
from lectures_lib.grading.hw5 import (
    best_step,
    expect_choice,
    expect_folds,
    expect_optimal,
    expect_scaled,
    expect_step,
    expect_table,
    expect_worst,
    machine,
    mixed_units,
    movable,
    wanted,
)
from lectures_lib.kernels import Gaussian, Linear

#: More than enough steps for the problems below.
STEPS = 1500


def labels(rng, n, positives):
    """Return labels in a random order."""
    return rng.permutation(np.where(np.arange(n) < positives, 1.0, -1.0))


def state(rng, n=9, positives=4, C=1.75):
    """Return K, y, C and feasible multipliers in eighths of C: some at 0, some at C."""
    while True:
        y = labels(rng, n, positives)
        alpha = np.clip(rng.integers(-2, 11, size=n), 0, 8) * C / 8
        if alpha @ y == 0 and {0.0, C} < set(alpha.tolist()):
            X = rng.integers(-9, 10, size=(n, 3)) / 4
            if len({tuple(x) for x in X}) == n:
                return X @ X.T, y, C, alpha


def cut_steps(rng, first):
    """Return K, y, C, alpha and four pairs whose step the box cuts: like and unlike, at 0 and C.

    `first`: the first of the pair meets its bound and the second does not; else the other way.
    """
    while True:
        K, y, C, alpha = state(rng)
        found = {}
        for i, j in np.ndindex(len(y), len(y)):
            bound = None if i == j else cut_at(K, y, C, alpha, i, j, first)
            if bound is not None:
                found[y[i] * y[j], bound] = (i, j)
        if len(found) == 4:
            return K, y, C, alpha, list(found.values())


def cut_at(K, y, C, alpha, i, j, first):
    """Return the bound that the one of the pair meets, the other meeting none; else None."""
    new, top, t = best_step(K, y, C, alpha, i, j)
    one, other = (new[i], new[j]) if first else (new[j], new[i])
    far = abs(top - t) > 0.05 and abs(t) > 0.05
    return one if far and one in (0.0, C) and other not in (0.0, C) else None


def careless(K, y, C, alpha):
    """Return, for five ways to forget a bound or a label in it, whether the pair is another one."""
    F, (grow, shrink) = wanted(K, y, alpha), movable(y, C, alpha)
    free = (alpha > 0) & (alpha < C)
    ways = [(F.max(), F.min()), (F[alpha < C].max(), F[alpha > 0].min())]
    ways += [(F[free].max(), F[free].min()) if free.any() else (0.0, 0.0)]
    ways += [(F[grow | (y > 0)].max(), F[shrink | (y < 0)].min())]  # no upper bound
    ways += [(F[grow | (y < 0)].max(), F[shrink | (y > 0)].min())]  # no lower bound
    return [not np.allclose(pair, (F[grow].max(), F[shrink].min())) for pair in ways]


def telling_states(rng):
    """Return three states that together expose every careless way."""
    while True:
        states = [state(rng, 11, 5, 1.25) for _ in range(3)]
        if np.any([careless(*one) for one in states], axis=0).all():
            return states


def problem(rng, kernel, n, positives, C, shift=0.0):
    """Return X, y and the machine: solved in few steps, with free and bounded examples."""
    while True:
        y = labels(rng, n, positives)
        X = np.round(8 * (rng.normal(size=(n, 2)) + 0.5 * y[:, None])) / 8 + shift
        run = smo.most_violating(kernel(X), y, C, tol=1e-5, max_iterations=STEPS)
        if not (run.converged and run.iterations < STEPS // 4 and run.alpha[-1] > 0.1 * C):
            continue
        best = svm.train(X, y, C, kernel, tol=1e-8)
        if len(best.free) >= 2 and len(best.bounded) >= 2:
            return X, y, best


def off_set(rng, shift):
    """Return a problem in the plane whose offset is large and whose first support is bounded."""
    while True:
        X, y, best = problem(rng, Linear(), 13, 5, 0.35, shift)
        F = wanted(X @ X.T, y, best.alpha)
        others = (0.0, -best.b, F[best.support].mean(), F.mean(), F[best.bounded].mean())
        if best.support[0] in best.bounded and min(abs(best.b - b) for b in others) > 0.15:
            return X, y, best


def tie_table(rng, later):
    """Return mistakes, sizes and costs: two costs tie; does the smaller stand later in the list?"""
    sizes = np.array([5, 8, 14, 21])
    while True:
        wrong = np.array([rng.integers(0, s // 2 + 1, size=5) for s in sizes]).T
        total, Cs = wrong.sum(axis=1), rng.permutation([0.2, 0.75, 3.0, 12.5, 40.0])
        best = np.flatnonzero(total == total.min())
        shares = (wrong / sizes).mean(axis=1)
        if len(best) != 2 or np.argmin(shares) in best:
            continue
        if (Cs[best[1]] < Cs[best[0]]) == later:
            return wrong, sizes, Cs


def add(HW):
    """Register the hidden checks."""

    @HW.check(
        "q1",
        "step: cut where the second multiplier meets its bound",
        points=1,
        hint="If the top of the parabola lies outside [L, H], the nearest end is best: 0 or C, or "
        "what the partner allows. Both bounds count, the upper one too.",
        hidden=True,
    )
    def _(call, rng):
        for _ in range(2):
            expect_cut(call, *cut_steps(rng, False))

    @HW.check(
        "q1",
        "step: cut where the first multiplier meets its bound",
        points=1,
        hint="α_i must stay in [0, C] too, and Σ α y must stay. So L and H depend on both. If "
        "each is cut by itself, one of them stops and the other does not know.",
        hidden=True,
    )
    def _(call, rng):
        for _ in range(2):
            expect_cut(call, *cut_steps(rng, True))

    @HW.check(
        "q2",
        "those at 0 and at C can move one way only, by their label",
        points=1,
        hint="A positive example at C cannot grow; a negative one at C cannot shrink, because α y "
        "is -C already. At α = 0 it is the other way round. Free ones can do both.",
        hidden=True,
    )
    def _(call, rng):
        states = telling_states(rng)
        K, y, C, _ = states[0]
        states.append((K, y, C, np.zeros(len(y))))
        got = [call("worst_pair", *one) for one in states]
        for values, one in zip(got, states):
            expect_worst(values, *one)

    @HW.check(
        "q3",
        "the gap closes for other kernels and costs",
        points=1,
        hint="Nothing may depend on the size of C, K or tol by accident. Is the stopping rule the "
        "violation against tol? Are all errors fresh, and has the last example its turn?",
        hidden=True,
    )
    def _(call, rng):
        for kernel, n, C in ((Linear(), 14, 2.5), (Gaussian(0.75), 12, 6.0), (Linear(), 15, 0.08)):
            X, y, _ = problem(rng, kernel, n, n // 2 - 1, C)
            K = kernel(X)
            for tol in (1e-2, 1e-4):
                alpha = machine(call("smo", K, y, C, tol, STEPS), n)[0]
                expect_optimal(alpha, K, y, C, tol)

    @HW.check(
        "q3",
        "the scores of new examples are right, offset included",
        points=1,
        hint="b lies between the largest F that can grow and the smallest that can shrink; free "
        "examples have F = b. Bounded ones have not, and b is not minus that.",
        hidden=True,
    )
    def _(call, rng):
        for shift in (2.5, -1.75):
            X, y, best = off_set(rng, shift)
            new = X[rng.permutation(len(X))[:6]] + rng.normal(size=(6, 2))
            alpha, b = machine(call("smo", X @ X.T, y, 0.35, 1e-5, STEPS), len(y))
            score, want = (new @ X.T) @ (alpha * y) + b, best.decision(new)
            near = np.abs(score - want) <= 0.02 * np.maximum(1.0, np.abs(want))
            expect(bool(near.all()), "the scores of new examples")

    @HW.check(
        "q4",
        "standardise: a constant feature is divided by 1",
        points=1,
        hint="A feature that never changes in train has deviation 0: divide it by 1, in both sets. "
        "And a test set of one row has no deviation of its own worth asking for.",
        hidden=True,
    )
    def _(call, rng):
        for rows in (1, 5):
            train = rng.integers(-20, 60, size=(7, 4)) * np.array([0.25, 1.5, 100.0, 1.0])
            train[:, 3] = 3.5
            test = rng.integers(-20, 60, size=(rows, 4)) * np.array([0.25, 1.5, 100.0, 1.0])
            expect_scaled(call("standardise", train, test), train, test)

    @HW.check(
        "q4",
        "folds: every fold has its share of each class",
        points=1,
        hint="Deal the positives like cards, then the negatives: in each class the folds differ by "
        "one example at most. Do not trust the order of the labels; and drop nobody.",
        hidden=True,
    )
    def _(call, rng):
        cases = [(np.repeat([-1.0, 1.0], [19, 8]), 4), (labels(rng, 26, 9), 5)]
        cases += [(np.tile([1.0, -1.0, -1.0], 7), 3), (np.repeat([1.0, -1.0], [6, 23]), 3)]
        got = [call("folds", y, k) for y, k in cases]
        for values, (y, k) in zip(got, cases):
            tests = expect_folds(values, len(y), k)
            for label in (-1.0, 1.0):
                parts = [int(np.sum(y[test.astype(int)] == label)) for test in tests]
                expect(max(parts) - min(parts) <= 1, "each class is dealt evenly")

    @HW.check(
        "q5",
        "ties go to the smallest C, and folds count by their size",
        points=1,
        hint="The costs need not be sorted. Of those with the fewest mistakes take the smallest C. "
        "A fold of 21 weighs more than one of 5.",
        hidden=True,
    )
    def _(call, rng):
        tables = [tie_table(rng, later) for later in (True, False, True)]
        got = [call("choose", *table) for table in tables]
        for values, table in zip(got, tables):
            expect_choice(values, *table)

    @HW.check(
        "q6",
        "other tables, too",
        points=1,
        hint="The same on examples you have not seen. Whatever is learnt from data, scaling "
        "included, is learnt from the training part of each fold.",
        hidden=True,
    )
    def _(call, rng):
        for _ in range(2):
            expect_table(call, *mixed_units(rng))


def expect_cut(call, K, y, C, alpha, pairs):
    """State that these steps, cut by the box, are exact."""
    got = [call("step", K, y, C, alpha, i, j) for i, j in pairs]
    for values, (i, j) in zip(got, pairs):
        expect_step(values, K, y, C, alpha, i, j)
