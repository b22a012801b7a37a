"""Hidden checks of homework 1: the subtle misconceptions, on data that the secret chooses."""

from itertools import product

import numpy as np

from lectures_homework.hw1 import (
    ENOUGH,
    expect_proof,
    expect_refuted,
    first_return,
    four,
    pair,
    rounds,
)
from lectures_homework.language.broadly import (
    beside,
    expect_like,
    factor,
    quarters,
    signs,
    size,
    table,
)
from lectures_homework.language.checks import close, expect, same_direction
from lectures_homework.language.drawing import drawn
from lectures_homework.language.reading import vector
from lectures_homework.practice.hw1 import (
    add_again,
    any_set,
    examples,
)
from lectures_lib.conventions import add_constant
from lectures_lib.perceptron import perceptron


def twins(rng):
    """Return points of which two are the same with unlike labels: (w, b) comes back, and soon."""
    while True:
        X, y = any_set(rng, True)
        X, y = np.vstack([X, X[2]]), np.append(y, -y[2])
        run = perceptron(add_constant(X), y, max_epochs=ENOUGH // 2)
        if first_return(np.asarray(run.weights)) is not None:
            return X, y


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


@drawn
def any_run(rng, n, d, scale, passes):
    """Return points of that size with labels by chance, where no score is near 0 but the first."""
    while True:
        X, y = scale * rng.normal(size=(n, d)), rng.choice([-1.0, 1.0], size=n)
        met = np.abs(rounds(X, y, passes)[1][1:])
        if met.min(initial=np.inf) > 1e-4 * met.max(initial=0.0) and len(set(y)) > 1:
            return X, y


def any_plane(rng):
    """Return (w, b, X): a plane of any length, and points around it."""
    n, d, far, long = size(rng, 300), size(rng, 40), factor(rng, 5.0), factor(rng)
    near, w, X = rng.random() < 0.4, rng.normal(size=d), table(rng, n, d)
    w, X = (quarters(one) if near else one for one in (w, X))
    b = beside(rng, X @ w, signs(rng, n)) if near else float(rng.normal())
    w, b = w * rng.choice([0.0, *[1.0] * 9]), b * rng.choice([0.0, *[1.0] * 5])
    return long * w, long * far * b, far * X


def any_example(rng):
    """Return (w, b, x, y): an example and a plane."""
    w, b, X = any_plane(rng)
    return w, b, X[0] * rng.choice([0.0, *[1.0] * 9]), float(rng.choice([-1.0, 1.0]))


#: What is right, and what is asked.
BROAD = {
    "predict": (lambda w, b, X: np.where(X @ w + b >= 0, 1.0, -1.0), any_plane),
    "update": (lambda w, b, x, y: (w + (t := y * (y * (w @ x + b) <= 0)) * x, b + t), any_example),
}


@drawn
def broad_runs(rng, many=40):
    """Return (X, y, passes) of any size, where no score is near 0 but the first."""
    found = []
    while len(found) < many:
        n, d, passes = size(rng, 250), size(rng, 30), size(rng, 9)
        X, y = factor(rng) * table(rng, n, d), signs(rng, n)
        after, met = rounds(X, y, passes)
        met = np.abs(met[1:])  # and w is not 0 at last: it may come back scaled
        if after[-1, :-1].any() and met.min(initial=np.inf) > 1e-4 * met.max(initial=0.0):
            found.append((X, y, passes))
    return found


@drawn
def broad_sets(rng, many=50):
    """Return (X, y, separable): few points, repeated or not, whose proof is found in time."""
    found = []
    while len(found) < many:
        n, far = size(rng, int(rng.choice([9, 18]))), int(rng.choice([1, 1, 3, 12]))
        X, y = rng.integers(-far, far + 1, size=(n, 2)).astype(float), signs(rng, n)
        X, u = X + rng.choice([0, 0, 5], size=2), rng.normal(size=2)
        if rng.random() < 0.5:  # a line separates all, or all but the last
            t = X @ u - np.median(X @ u) + 0.05
            X, y = X[order := np.argsort(-np.abs(t))], np.where(t > 0, 1.0, -1.0)[order]
            y[-1] *= rng.choice([-1, 1, 1])
        run = perceptron(add_constant(X), y, max_epochs=ENOUGH // 2)
        again = run.converged or first_return(np.asarray(run.weights))
        if (
            not (X.any() or run.converged)
            or not again
            or (again is not True and again[1] - again[0] > 400)
        ):
            continue
        ends = None if run.converged else rounds(X, y, ENOUGH)[0][n - 1 :: n]
        if run.converged or first_return(ends):  # who looks at the ends of passes alone
            found.append((X, y, run.converged))
    return found


@drawn
def other_runs(rng):
    """Return (X, y, passes): many points, far ones, many passes; one class, a point twice, one."""
    d = int(rng.integers(2, 6))
    passes = int(rng.integers(120, 180))
    endless = (*any_run(rng, 6, 2, 1.0, passes), passes)
    while perceptron(add_constant(endless[0]), endless[1], max_epochs=passes).converged:
        endless = (*any_run(rng, 6, 2, 1.0, passes), passes)
    X, _ = any_run(rng, 4, d, 1.0, 3)
    sets = [endless, *((X, np.full(4, label), 9) for label in (-1.0, 1.0))]
    sets += [(*doubled(rng, d), 9), (X[:1], np.array([-1.0]), 9)]
    X, y = any_run(rng, 6, d, 1.0, 3)
    sets += [(np.vstack([0 * X[:1], X]), np.append(-y[0], y), 3)]  # the first example is x = 0
    return [*sets, *((*met_at_0(rng, label), 1) for label in (-1.0, 1.0, -1.0, 1.0))]


def met_at_0(rng, label):
    """Return two points: whatever the step, the score of the second is exactly 0 in round 2."""
    far, place = 2.0 ** int(rng.integers(-3, 9)) * rng.choice([-1, 1]), int(rng.integers(3))
    X = np.zeros((2, 3))
    X[0, place], X[1] = far, rng.integers(1, 9, size=3) / 8
    X[1, place] = -1 / far
    return X, np.array([rng.choice([-1.0, 1.0]), label])


@drawn
def far_off(rng):
    """Return two points far from 0 and a limit: 1600 mistakes or more, and b grows beyond 20."""
    while True:
        X = np.array([[0.0], [1.0]]) + float(rng.uniform(21, 26)) * rng.choice([-1.0, 1.0])
        y, passes = np.array([1.0, -1.0]), int(rng.integers(800, 900))
        after, met = rounds(X, y, passes)
        if np.abs(after[-1, 1]) > 20 and np.abs(met[1:]).min() > 1e-4:
            return X, y, passes


@drawn
def nearly_clean(rng):
    """Return many points and a limit that ends the run after a pass with one mistake."""
    while True:
        n = int(rng.integers(50, 70))
        X, u = rng.normal(size=(n, 2)), rng.normal(size=2)
        y = np.where(X @ u > 0.1, 1.0, -1.0)
        run = perceptron(add_constant(X), y, max_epochs=40)
        if not run.converged or 1 not in run.epoch_mistakes[1:]:
            continue
        met = np.abs(rounds(X, y, run.epochs)[1][1:])
        if met.min() > 1e-5 * met.max():
            return X, y, 1 + run.epoch_mistakes.tolist().index(1, 1)


def doubled(rng, d):
    """Return points of which some come twice, one in a row: who meets them once runs otherwise."""
    while True:
        X, y = any_run(rng, 6, d, 1.0, 9)
        orders = [0, 1, 0, 2, 2, 3, 4, 1, 5], [0, 1, 0, 2, 3, 4, 1, 5], [0, 1, 2, 3, 4, 5]
        runs = [perceptron(add_constant(X)[k], y[k], max_epochs=9) for k in orders]
        twice = X[orders[0]], y[orders[0]]
        met = np.abs(rounds(*twice, 9)[1][1:])
        unlike = len(runs[0].mistakes) not in [len(run.mistakes) for run in runs[1:]]
        if unlike and met.min() > 1e-4 * met.max():
            return twice


@drawn
def slow_set(rng):
    """Return whole-numbered points that a line separates, after more than a hundred passes."""
    while True:
        X, u = rng.integers(-9, 15, size=(8, 2)).astype(float), rng.normal(size=2)
        y = np.where(X @ u > np.median(X @ u) - 0.05, 1.0, -1.0)
        run = perceptron(add_constant(X), y, max_epochs=3 * ENOUGH // 4)
        if run.converged and run.epochs > ENOUGH // 3:
            return X, y


@drawn
def late_set(rng, sizes=(11, 14)):
    """Return points that no line separates, because of the last ones: numbers of two digits."""
    while True:
        n = int(rng.integers(*sizes))
        X, u = rng.integers(-4, 8, size=(n, 2)).astype(float), rng.normal(size=2)
        y = np.where(X @ u > np.median(X @ u) - 0.05, 1.0, -1.0)
        y[9:] *= -1
        few = perceptron(add_constant(X[:9]), y[:9], max_epochs=ENOUGH)
        run = perceptron(add_constant(X), y, max_epochs=ENOUGH // 4)
        if few.converged and first_return(np.asarray(run.weights)) is not None:
            return X, y


@drawn
def often(rng):
    """Return points for which (w, b) comes back after a hundred mistakes of one and many passes."""
    while True:
        n = int(rng.integers(6, 10))
        X, u = rng.integers(-9, 15, size=(n, 2)).astype(float), rng.normal(size=2)
        y = np.where(X @ u > np.median(X @ u) - 0.05, 1.0, -1.0)
        y[rng.integers(n)] *= -1
        run = perceptron(add_constant(X), y, max_epochs=3 * ENOUGH // 4)
        first = first_return(np.asarray(run.weights))
        if first is None or first[1] - first[0] > 400:  # more facts one by one are no text to read
            continue
        late = first[1] > np.sum(run.epoch_mistakes[: ENOUGH // 3])
        if late and np.bincount(run.mistakes[slice(*first)]).max() > 100:
            return X, y


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
        w, b, x = on_the_plane(rng)
        while not 1.0 < abs(b) < 8.0:
            w, b, x = on_the_plane(rng)
        for hair in (-(2.0**-21), 2.0**-21):
            (label,) = vector(call("predict", w, b + hair, x[None]), 1, "one label a row")
            expect(label == np.sign(hair), "exact in single precision too: a hair decides")
            hair *= 1e-5  # where x = 0 the offset is the score
            (label,) = vector(call("predict", w, hair, 0 * x[None]), 1, "one label a row")
            expect(label == np.sign(hair), "no score but 0 itself is 0")
        expect_like(call, rng, "predict", *BROAD["predict"], 120)

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
        far = 2.0 ** int(rng.integers(11, 15))
        large = np.array([-2 * far, 0.75, 0.25]), far, np.array([0.5, 0.0, 0.0])
        for w, b, x in (zero, large, on_the_plane(rng), on_the_plane(rng)):
            for y in (-1.0, 1.0):
                new_w, new_b = pair(call("update", w, b, x, y), 3)
                expect(close(new_w, w + y * x) and close(new_b - b, y), "0 is a mistake")
        for side in (-1.0, 1.0):
            for y in (-1.0, 1.0):
                w, b, x = by_little(rng, side)
                new_w, new_b = pair(call("update", w, b, x, y), len(w))
                moves = y * (side < 0 if y > 0 else side > 0)
                told = "y (w·x + b) below 0 is a mistake, above it is none, by however little"
                moved = [*(new_w - w), new_b - b]
                expect(close(moved, [*(moves * x), moves], rtol=1e-3, atol=1e-3), told)
        for y in (-1.0, 1.0):  # a small offset is an offset, and alone decides where w·x = 0
            w, x = np.array([0.75, -1.5, 0.25]), np.array([0.5, 0.25, 0.0])
            for v, hair in ((w, 2.0**-14), (w, 2.0**-28), (0 * w, 0.5)):
                new_w, new_b = pair(call("update", v, y * hair, x, y), 3)
                expect(close([*new_w, new_b], [*v, y * hair]), "y (w·x + b) above 0 is no mistake")
        expect_like(call, rng, "update", *BROAD["update"], 90)

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
                expect_run(call, -X, y, limit)
        expect_run(call, *far_off(rng))
        for X, y, limit in [*other_runs(rng), *broad_runs(rng)]:
            expect_run(call, X, y, limit)
        X, y, limit = nearly_clean(rng)
        converged = four(call("perceptron", X, y, limit), 2)[3]
        expect(not converged, "one mistake among many examples is a mistake")

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
        for passes in (2, 3, needed + 2, needed + 9):
            expect_average(call, X, y, passes)
        for X, y, passes in [*other_runs(rng), *broad_runs(rng)]:
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
        sets += [(twins(rng), False), (late_set(rng), False), (slow_set(rng), True)]
        sets += [(late_set(rng, (17, 26)), False), (often(rng), False)]
        X, y = slow_set(rng)
        sets += [((X, np.full(len(X), label)), True) for label in (-1.0, 1.0)]
        sets += [((X[:1], -y[:1]), True)]
        sets += [((X, y), separable) for X, y, separable in broad_sets(rng)]
        for (X, y), separable in sets:
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
        sets = [(X, y) for X, y, separable in broad_sets(rng) if not separable]
        for X, y in (late_set(rng), late_set(rng, (17, 26)), often(rng), *sets):
            expect_refuted(call, X, y)


def expect_run(call, X, y, limit):
    """State that the run ends where the library's does, up to the size of the step."""
    run = perceptron(add_constant(X), y, max_epochs=limit)
    w, b, count, converged = four(call("perceptron", X, y, limit), X.shape[1])
    expect(converged == run.converged, "converged: the last pass had no mistake")
    expect(count == len(run.mistakes), "the number of mistakes is that of the lecture's run")
    expect(same_direction([*w, b], run.w), "(w, b) is that of the lecture's run, up to a factor")


def expect_average(call, X, y, passes):
    """State that the answer is the average of (w, b) after each round."""
    after, _ = rounds(X, y, passes)
    w, b = pair(call("averaged", X, y, passes), X.shape[1])
    want = after.mean(axis=0)  # single precision rounds in parts of the largest that is added
    rounded = 1e-6 * (1 + np.abs(after).max())
    expect(close([*w, b], want, atol=rounded), "the average is over all rounds")
