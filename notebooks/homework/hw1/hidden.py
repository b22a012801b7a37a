"""Hidden checks of homework 1: the subtle misconceptions, on data that the secret chooses."""

from itertools import product

import numpy as np

from lectures_homework.hw1 import (
    ENOUGH,
    expect_proof,
    expect_separates,
    four,
    pair,
    rounds,
    separable_set,
    tangled_set,
)
from lectures_homework.language.checks import close, expect, same_direction
from lectures_homework.language.drawing import drawn
from lectures_homework.language.reading import vector
from lectures_homework.language.sums import expect_proof as expect_sum
from lectures_homework.language.unchanged import expect_unchanged
from lectures_homework.proofs import no_separator
from lectures_lib.conventions import add_constant
from lectures_lib.perceptron import perceptron


def eventful(X, y):
    """True if the run takes some passes and every shortcut makes another number of mistakes.

    Only the first score is 0, exactly, and none is near 0: rounding and the size of the step
    change no mistake.
    """
    Z = add_constant(X)
    run = perceptron(Z, y, max_epochs=40)
    if not (run.converged and run.epochs >= 4 and len(set(run.epoch_mistakes)) > 2):
        return False
    if np.abs(rounds(X, y, run.epochs)[1][1:]).min() < 0.05:
        return False
    counts = [len(run.mistakes), *shortcuts(Z, y)]
    return len(set(counts)) == len(counts)


def shortcuts(Z, y):
    """Return the mistakes of five runs that are not the lecture's."""
    backwards = perceptron(Z, y, max_epochs=60, order=np.arange(len(Z))[::-1])
    without_last = perceptron(Z[:-1], y[:-1], max_epochs=60)
    S = y[:, None] * Z
    others = [count(S, how) for how in ("stay", "batch", "restart")]
    return [len(backwards.mistakes), len(without_last.mistakes), *others]


def count(S, how):
    """Return the mistakes of a run that stays at an example, freezes w, or starts over."""
    v, mistakes = np.zeros(S.shape[1]), 0
    for _ in range(60):
        frozen, before = v, mistakes
        for z in S:
            while (frozen if how == "batch" else v) @ z <= 0:
                v, mistakes = v + z, mistakes + 1
                if how != "stay":
                    break
            if how == "restart" and mistakes > before:
                break
        if mistakes == before:
            break
    return mistakes


@drawn
def examples(rng, n, d, *, low=-8):
    """Return points on a grid of eighths from `low` upwards, with an eventful run."""
    while True:
        X = rng.integers(low, low + 25, size=(n, d)) / 8
        u = rng.normal(size=d)
        y = np.where(X @ u > np.median(X @ u) - 0.05, 1.0, -1.0)
        if abs(y.sum()) < n - 3 and eventful(X, y):
            return X, y


@drawn
def any_set(rng, separable):
    """Return a set for `certify`, of six to nine points."""
    return (separable_set if separable else tangled_set)(rng, int(rng.integers(6, 10)))


def twins(rng):
    """Return points of which two are the same and have unlike labels: nothing separates them."""
    X, y = any_set(rng, True)
    return np.vstack([X, X[2]]), np.append(y, -y[2])


def by_little(rng, side, lengths=(0.3, 2.5), fars=(0.5, 40.0)):
    """Return (w, b, x) with w.x + b near 0 on that side, w short or long, x near or far."""
    d, length, far = int(rng.integers(1, 7)), rng.choice(lengths), rng.choice(fars)
    w, x = rng.normal(size=d), far * rng.normal(size=d)
    w = w * (length / np.linalg.norm(w))
    little = side * 1e-4 * max(1.0, length * np.linalg.norm(x))  # single precision sees it, too
    return w, float(little - w @ x), x


def on_the_plane(rng):
    """Return (w, b, x) in quarters with w.x + b = 0 exactly and b not 0."""
    while True:
        w, x = rng.integers(-7, 8, size=(2, 3)) / 4
        if w @ x != 0 and np.all(w != 0) and np.all(x != 0):
            return w, -float(w @ x), x


def quiet_end(rng):
    """Return X, y and the passes needed, where an unclean pass ends with a right example."""
    while True:
        X, y = examples(rng, 8, 3)
        needed = perceptron(add_constant(X), y).epochs
        last = rounds(X, y, needed - 2)[1][len(X) - 1 :: len(X)]
        if np.any(y[-1] * last > 0):
            return X, y, needed


def quarters(rng, *size):
    """Return numbers in quarters, none of them 0."""
    return rng.integers(1, 9, size=size) / 4 * rng.choice([-1, 1], size=size)


def met(rng, right):
    """Return (w, b, x, y), where y (w.x + b) is clearly positive, or clearly negative."""
    while True:
        w, x, b = quarters(rng, 3), quarters(rng, 3), float(quarters(rng))
        y = float(rng.choice([-1.0, 1.0]))
        if (1 if right else -1) * y * (w @ x + b) > 0.2:
            return w, b, x, y


def add_again(HW):
    """Register the visible checks on inputs drawn anew."""

    @HW.again("q1", "predict names the side of each row")
    def _(call, rng):
        for n in (5, 9):
            w, b, X = quarters(rng, 3), float(quarters(rng)), quarters(rng, n, 3)
            X = X[np.abs(X @ w + b) > 0.1]
            got = vector(call("predict", w, b, X), len(X), "one label for each row")
            expect(np.isin(got, [-1, 1]).all(), "every label is -1 or +1")
            expect((got * (X @ w + b) > 0).all(), "the label is the sign of w·x + b")

    @HW.again("q1", "update: no mistake, no change")
    def _(call, rng):
        for _ in range(4):
            w, b, x, y = met(rng, True)
            new_w, new_b = pair(call("update", w, b, x, y), 3)
            expect(close([*new_w, new_b], [*w, b]), "no mistake, so w and b stay")

    @HW.again("q1", "update: a mistake moves w by y x and b by y")
    def _(call, rng):
        for _ in range(4):
            w, b, x, y = met(rng, False)
            new_w, new_b = pair(call("update", w, b, x, y), 3)
            expect(close([*new_w, new_b], [*(w + y * x), b + y]), "w moves by y x and b by y")
        expect_unchanged(call, "update", w, b, x, y)

    @HW.again("q2", "it finds a separator where one exists")
    def _(call, rng):
        X, y = any_set(rng, True)
        w, b, _, converged = four(call("perceptron", X, y, ENOUGH), 2)
        expect_separates(w, b, X, y)
        expect(converged, "the last pass was clean, so converged is True")

    @HW.again("q2", "it stops at the pass limit and admits it")
    def _(call, rng):
        for separable in (False, True):
            X, y = any_set(rng, separable)
            converged = four(call("perceptron", X, y, ENOUGH if separable else 6), 2)[3]
            expect(converged == separable, "converged only where a line separates the examples")

    @HW.again("q2", "mistakes of all passes are counted")
    def _(call, rng):
        X, y = examples(rng, 8, 2)  # no score is 0 but the first: any size of the step will do
        for limit in (60, 2):
            run = perceptron(add_constant(X), y, max_epochs=limit)
            count = four(call("perceptron", X, y, limit), 2)[2]
            expect(count == len(run.mistakes), f"with max_passes = {limit}: {len(run.mistakes)}")

    @HW.again("q3", "w is an average, not the last w")
    def _(call, rng):
        X, y = any_set(rng, True)
        w, _ = pair(call("averaged", X[:3], y[:3], 1), 2)
        expect(close(w, rounds(X[:3], y[:3], 1)[0][:, :2].mean(axis=0)), "the mean of the three w")

    @HW.again("q3", "b is averaged like w")
    def _(call, rng):
        for n in (3, 5):  # the mean of few whole numbers may be any other's, too
            X, y = any_set(rng, True)
            _, b = pair(call("averaged", X[:n], y[:n], 1), 2)
            expect(close(b, rounds(X[:n], y[:n], 1)[0][:, 2].mean()), f"the mean of the {n} b")

    @HW.again("q4", "your separable set gets a separator")
    def _(call, rng):
        X, y = any_set(rng, True)
        expect_proof(call("certify", X, y, ENOUGH), X, y, True)

    @HW.again("q4", "your other set gets weights that refute every separator")
    def _(call, rng):
        X, y = any_set(rng, False)
        expect_proof(call("certify", X, y, ENOUGH), X, y, False)

    @HW.again("q5", "your other set: the facts add up to 0 > 0")
    def _(call, rng):
        expect_refuted(call, *any_set(rng, False))


def add(HW):
    """Register the hidden checks, and the visible ones on inputs drawn anew."""
    add_again(HW)

    @HW.check(
        "q1",
        "predict: a score of exactly 0 is +1",
        points=1,
        hint="What does your function say when w·x + b is exactly 0? The lecture predicts + there, "
        "and no example has the label 0.",
        hidden=True,
    )
    def _(call, rng):
        for _ in range(3):
            w, b, x = on_the_plane(rng)
            X = np.array([x + w, x, x - w, 2 * x][: int(rng.integers(2, 5))])
            want = np.where(X @ w + b >= 0, 1.0, -1.0)
            got = vector(call("predict", w, b, X), len(X), "one label a row")
            expect(close(got, want), "a score of 0 predicts +1")
        got = vector(call("predict", np.zeros(2), 0.0, np.eye(2)), 2, "one label a row")
        expect(close(got, np.ones(2)), "0 predicts +1")
        nearest = {"lengths": (0.3,), "fars": (0.5,)}  # a score of 1e-4, whatever is drawn
        for side, how in product((-1.0, 1.0), (nearest, {"lengths": (0.3, 2.5, 1e3)})):
            w, b, x = by_little(rng, side, **how)
            (label,) = vector(call("predict", w, b, x[None]), 1, "one label a row")
            expect(label == side, "a score below 0 predicts -1, one above +1, by however little")

    @HW.check(
        "q1",
        "update: a score of exactly 0 is a mistake",
        points=1,
        hint="From w = 0 and b = 0 every score is 0. If 0 is no mistake, nothing is ever learnt. "
        "This holds for both labels.",
        hidden=True,
    )
    def _(call, rng):
        zero = np.zeros(3), 0.0, rng.integers(1, 9, size=3) / 4  # first: here b plays no part
        for w, b, x in (zero, on_the_plane(rng), on_the_plane(rng)):
            for y in (-1.0, 1.0):
                new_w, new_b = pair(call("update", w, b, x, y), 3)
                expect(close(new_w, w + y * x) and close(new_b, b + y), "0 is a mistake")
        for side in (-1.0, 1.0):
            for y in (-1.0, 1.0):
                w, b, x = by_little(rng, side)
                new_w, new_b = pair(call("update", w, b, x, y), len(w))
                moves = y * (side < 0 if y > 0 else side > 0)
                told = "y (w·x + b) below 0 is a mistake, above it is none, by however little"
                moved = [*(new_w - w), new_b - b]
                expect(close(moved, [*(moves * x), moves], rtol=1e-3, atol=1e-3), told)

    @HW.check(
        "q2",
        "every example meets the weights of that moment, in the given order",
        points=1,
        hint="Does w change at once, within the pass? Only at mistakes? Do you go through the "
        "examples from the first to the last, in every pass?",
        hidden=True,
    )
    def _(call, rng):
        for d in rng.permutation([2, 3, 4, 5])[:3]:
            X, y = examples(rng, int(rng.integers(7, 12)), int(d))
            for limit in (60, 3, 2, 1):  # what comes back where the limit ends the run counts, too
                expect_run(call, X, y, limit)

    @HW.check(
        "q2",
        "the offset takes part",
        points=1,
        hint="These points lie on one side of the origin. Is b in the test for a mistake? Does it "
        "move by y when w moves by y x?",
        hidden=True,
    )
    def _(call, rng):
        for d in (2, 3):
            X, y = examples(rng, int(rng.integers(7, 10)), d, low=4)
            expect_run(call, X, y, 60)
            expect_run(call, X, y, 2)

    @HW.check(
        "q2",
        "converged says whether the last pass was clean",
        points=1,
        hint="Try the limit itself: what if the very last pass allowed is the first clean one? And "
        "what if the limit comes just before it? Then the weights separate, but no pass was clean.",
        hidden=True,
    )
    def _(call, rng):
        X, y, needed = quiet_end(rng)
        for limit in (needed, needed + 1, needed + 30, *range(1, needed)):
            converged = four(call("perceptron", X, y, limit), 3)[3]
            expect(converged == (limit >= needed), "converged: the last pass had no mistake")

    @HW.check(
        "q3",
        "every round counts, with a mistake or without",
        points=1,
        hint="How often does a w that survives five examples enter the sum? What is the sum "
        "divided by: rounds, or updates?",
        hidden=True,
    )
    def _(call, rng):
        for d in (int(rng.integers(3, 6)), 2):
            X, y = examples(rng, int(rng.integers(8, 12)), d)
            expect_average(call, X, y, 1)

    @HW.check(
        "q3",
        "the average runs over all passes",
        points=1,
        hint="w goes on from pass to pass, the sum too. All passes are made and all their rounds "
        "counted, clean or not.",
        hidden=True,
    )
    def _(call, rng):
        X, y = examples(rng, 8, 3)
        needed = perceptron(add_constant(X), y).epochs
        for passes in (2, 3, needed + 2):
            expect_average(call, X, y, passes)

    @HW.check(
        "q4",
        "other sets get their proof too",
        points=1,
        hint="The same two questions on sets you have not seen, some separable and some not. A "
        "pass limit is no proof; a return of w alone, without b, is none either.",
        hidden=True,
    )
    def _(call, rng):
        sets = [(any_set(rng, one), one) for one in (False, True, False, True, False)]
        for (X, y), separable in [*sets, (twins(rng), False)]:
            expect_proof(call("certify", X, y, ENOUGH), X, y, separable)

    @HW.check(
        "q5",
        "other sets are refuted, too",
        points=1,
        hint="The same on sets that you have not seen: the numbers before the facts come from the "
        "examples given, each time anew.",
        hidden=True,
    )
    def _(call, rng):
        for _ in range(3):
            expect_refuted(call, *any_set(rng, False))
        expect_refuted(call, *twins(rng))


def expect_refuted(call, X, y):
    """State that the sum proves 0 > 0 from a separator of these examples."""
    expect_sum(call("refute", X, y, ENOUGH), no_separator(X, y), "absurd")


def expect_run(call, X, y, limit):
    """State that the run ends where the library's does, up to the size of the step."""
    run = perceptron(add_constant(X), y, max_epochs=limit)
    w, b, count, _ = four(call("perceptron", X, y, limit), X.shape[1])
    expect(count == len(run.mistakes), "the number of mistakes is that of the lecture's run")
    expect(same_direction([*w, b], run.w), "(w, b) is that of the lecture's run, up to a factor")


def expect_average(call, X, y, passes):
    """State that the answer is the average of (w, b) after each round."""
    after, _ = rounds(X, y, passes)
    w, b = pair(call("averaged", X, y, passes), X.shape[1])
    expect(close([*w, b], after.mean(axis=0)), "the average is over all rounds")
