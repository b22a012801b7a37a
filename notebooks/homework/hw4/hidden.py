"""Hidden checks of homework 4: the subtle misconceptions, on data that the secret chooses."""

import numpy as np

from lectures_homework.hw4 import (
    Program,
    balanced,
    expect_certificate,
    expect_good_offset,
    expect_trained,
    minus_dual,
    moved,
    primal_value,
    slope,
    solved,
    tangled,
)
from lectures_homework.language.checks import close, expect
from lectures_homework.language.drawing import drawn
from lectures_homework.language.reading import number, parts, vector
from lectures_homework.language.sums import expect_proof
from lectures_homework.proofs import soft_margin
from lectures_lib.kernels import Gaussian, Polynomial


@drawn
def problem(rng, n, d):
    """Return X, y and a point (w, b) away from every kink, with slacks of every kind."""
    while True:
        X, w = rng.integers(-16, 17, size=(n, d)) / 8, rng.integers(-8, 9, size=d) / 8
        y, b = rng.choice([-1.0, 1.0], size=n), float(rng.choice([-1.375, -0.875, 0.625, 1.125]))
        t = y * (X @ w + b)
        kinds = (t < 0).any() and ((t > 0) & (t < 1)).any() and (t > 1).any()
        if kinds and np.abs(t - 1).min() > 0.02 and np.abs(t).min() > 0.02 and w @ w > 0.3:
            return X, y, w, b


@drawn
def at_kinks(rng, n, d):
    """Return X, y, w, b where two examples, one of each label, have y f = 1 exactly."""
    while True:
        X, y, w, b = problem(rng, n, d)
        j = int(np.argmax(np.abs(w)))
        if abs(w[j]) not in (0.25, 0.5, 1.0):  # so that the division below is exact
            continue
        y[:2] = 1.0, -1.0
        X[:2, j] += (y[:2] - X[:2] @ w - b) / w[j]
        if np.array_equal(X[:2] @ w + b, y[:2]):
            return X, y, w, b


def by_little(rng, d):
    """Return X, y, w, b: y f is 1 but for a hair, on either side, or far above 1."""
    w = rng.normal(size=d)
    w = w * (0.3 / np.linalg.norm(w))
    y, t = np.array([1.0, -1.0, -1.0, 1.0]), np.array([1 - 1e-3, 1 - 1e-3, 1 + 1e-3, 9.0])
    X = rng.normal(size=(4, d))
    b = float(rng.choice([-0.375, 0.625]))
    X += ((y * t - X @ w - b) / (w @ w))[:, None] * w
    return X, y, w, b


def several(alpha, y, C, label):
    """Return alpha with one above C, one below 0, and sum alpha y far off on the label's side."""
    changed = alpha.copy()
    changed[np.argmax(y == label)] = C + 0.5
    changed[np.argmax(y == -label)] = -0.375
    return changed


def add_again(HW):
    """Register the visible checks on inputs drawn anew."""

    @HW.again("q1", "objective: ½‖w‖² + C Σ ξ")
    def _(call, rng):
        X, y, w, b = problem(rng, 7, 2)
        got = number(call("objective", w, b, X, y, 0.4), "the objective")
        expect(close(got, primal_value(w, b, X, y, 0.4)), "it is ½‖w‖² + C Σ ξ")

    @HW.again("q1", "gradient: it agrees with differences of the objective")
    def _(call, rng):
        X, y, w, b = problem(rng, 7, 2)
        want = slope(w, b, X, y, 0.4)
        expect(close(told(call, w, b, X, y, 0.4), want, atol=1e-4), "the slope of the objective")

    @HW.again("q2", "P and q: the program minimises -Q(α)")
    def _(call, rng):
        X, y, _, _ = problem(rng, 7, 3)
        program = Program(call("dual_qp", X @ X.T, y, 0.4), 7)
        for alpha in rng.uniform(0, 0.4, size=(3, 7)):
            expect(close(program.value(alpha), minus_dual(alpha, X @ X.T, y)), "-Q(α)")

    @HW.again("q2", "G, h, A, b: the box and the balance")
    def _(call, rng):
        y, X, C = rng.permutation([1.0, -1.0] * 3), rng.normal(size=(6, 2)), 0.7
        program = Program(call("dual_qp", X @ X.T, y, C), 6)
        inside = balanced(rng, y, C)
        expect(program.allows(inside), "this α is feasible")
        for value in (-0.1 * C, 1.1 * C):
            expect(not program.allows(moved(inside, y, 2, value)), "α_2 leaves [0, C]")
        expect(not program.allows(np.where(y > 0, 0.7, 1.0) * inside), "Σ α y = 0")

    @HW.again("q3", "weights: w = Σ α y x")
    def _(call, rng):
        X, y, _, _ = problem(rng, 7, 3)
        alpha = rng.permutation([0.0, 0.3, 0.005, 1.0, 5e-4, 0.05, 0.6])
        got = vector(call("weights", alpha, X, y), 3, "w")
        expect(close(got, (alpha * y) @ X), "w = Σ α y x")

    @HW.again("q3", "offset: from the free examples")
    def _(call, rng):
        for C in (0.6, 0.35):
            K, machine = solved(*tangled(rng, 8, 2, C), C)
            expect_good_offset(call("offset", machine.alpha, K, machine.y, C), machine)

    @HW.again("q4", "at the optimum primal and dual meet")
    def _(call, rng):
        K, machine = solved(*tangled(rng, 8, 2, 0.6), 0.6)
        got = call("certificate", machine.alpha, machine.b, K, machine.y, 0.6)
        expect_certificate(got, K, machine.y, 0.6, machine.alpha, machine.b)

    @HW.again("q4", "an answer that is not optimal shows a gap")
    def _(call, rng):
        X, _, _, b = problem(rng, 6, 2)
        y = rng.permutation([1.0, -1.0] * 3)
        K, alpha = X @ X.T, balanced(rng, y, 0.6)
        got = call("certificate", alpha, b, K, y, 0.6)
        expect_certificate(got, K, y, 0.6, alpha, b)

    @HW.again("q5", "your own machine is within 0.1 % of the best")
    def _(call, rng):
        C = float(rng.choice([0.35, 0.6, 1.75, 2.5]))
        X, y = tangled(rng, 13, 2, C)
        expect_trained(call("train", X, y, C), X, y, C)

    @HW.again("q6", "gap: what primal and dual differ by is never negative")
    def _(call, rng):
        n = int(rng.integers(4, 7))
        expect_proof(call("gap", n), soft_margin("gap", n), "gap")

    @HW.again("q6", "weak: no w has an objective below the dual")
    def _(call, rng):
        n = int(rng.integers(3, 6))
        expect_proof(call("weak", n), soft_margin("weak", n), "weak")


def add(HW):
    """Register the hidden checks, and the visible ones on inputs drawn anew."""
    add_again(HW)

    @HW.check(
        "q1",
        "objective: every kind of slack, any C",
        points=1,
        hint="A right example inside the street has slack, one far on its side has none, and never "
        "a negative one. The offset is in f but not in the norm.",
        hidden=True,
    )
    def _(call, rng):
        sets = [(*problem(rng, int(n), d), C) for n, d, C in zip(
            rng.integers(5, 11, size=3), (3, 2, 4), (2.5, 0.3, 7.0))]  # fmt: skip
        sets += [(*by_little(rng, int(rng.integers(1, 6))), C) for C in (1e3, 40.0)]
        X, y, w, b = problem(rng, 6, 3)
        sets += [(X, y, 0 * w, 0.0, 1e-3), (1e4 * X, y, 1e-4 * w, b, 1e-5)]
        for X, y, w, b, C in sets:
            got = number(call("objective", w, b, X, y, C), "the objective")
            want = primal_value(w, b, X, y, C)
            expect(close(got, want, atol=1e-9), "it is ½‖w‖² + C Σ ξ")

    @HW.check(
        "q1",
        "gradient: also at a kink it supports the objective from below",
        points=1,
        hint="At y f = 1 exactly any value between the slopes of the two sides will do, but the "
        "same share for w and for b. Is the norm's part there for w, and only for w?",
        hidden=True,
    )
    def _(call, rng):
        for n, d, C in ((7, 3, 0.6), (6, 2, 3.5)):
            X, y, w, b = problem(rng, n, d)
            expect(close(told(call, w, b, X, y, C), slope(w, b, X, y, C), atol=1e-4), "the slope")
            X, y, w, b = by_little(rng, d)
            want = slope(w, b, X, y, C)
            expect(close(told(call, w, b, X, y, C), want, atol=1e-4), "slack of a hair is slack")
            X, y, w, b = at_kinks(rng, n, d)
            g, here = told(call, w, b, X, y, C), primal_value(w, b, X, y, C)
            for step in rng.normal(size=(60, d + 1)) * rng.choice([0.01, 0.3, 3.0], size=(60, 1)):
                there = primal_value(w + step[:-1], b + step[-1], X, y, C)
                expect(there >= here + g @ step - 1e-5 * (1 + here), "g is a subgradient")

    @HW.check(
        "q2",
        "P and q for other Gram matrices",
        points=1,
        hint="K may come from any kernel. P has the labels of both examples, q is -1 everywhere, "
        "and neither depends on C.",
        hidden=True,
    )
    def _(call, rng):
        for kernel, C in ((Gaussian(1.5), 2.5), (Polynomial(3), 0.3), (Gaussian(0.6), 1e4)):
            n = int(rng.integers(4, 11))
            X, y, _, _ = problem(rng, n, 3)
            program = Program(call("dual_qp", kernel(X), y, C), n)
            for alpha in rng.uniform(0, C, size=(8, n)):
                expect(close(program.value(alpha), minus_dual(alpha, kernel(X), y)), "-Q(α)")

    @HW.check(
        "q2",
        "every multiplier has both bounds, and nothing else has",
        points=1,
        hint="Each α_i by itself lies between 0 and C: not their sum, and not only those of one "
        "class. All of 0 and C themselves are allowed.",
        hidden=True,
    )
    def _(call, rng):
        for n, C in ((2 * int(rng.integers(1, 6)), 2.5), (8, 0.3), (4, 500.0), (6, 1e-3)):
            y = rng.permutation(np.where(np.arange(n) % 2 == 0, 1.0, -1.0))
            X = rng.normal(size=(n, 3))
            program = Program(call("dual_qp", X @ X.T, y, C), n)
            inside = balanced(rng, y, C)
            for alpha in (inside, np.zeros(n), np.full(n, C)):
                expect(program.allows(alpha), "this α is feasible")
            for i in range(n):
                for value in (-0.1 * C, 1.1 * C, -1e-3 * C, 1.001 * C):
                    expect(not program.allows(moved(inside, y, i, value)), "α_i leaves [0, C]")
            for factor in (0.6, 1.05, 1.001):
                expect(not program.allows(np.where(y > 0, factor, 1.0) * inside), "Σ α y = 0")

    @HW.check(
        "q3",
        "offset: rounding does not make a bounded example free",
        points=1,
        hint="A solver returns α = 0.3999999999 and means C = 0.4, or 0.0000000001 and means 0. "
        "Compare with a tolerance, as the question says: it goes with C, which may be a millionth "
        "or a million. And K may be any kernel's.",
        hidden=True,
    )
    def _(call, rng):
        for n, d, C, kernel in (
            (9, 2, 0.6, None),
            (10, 3, 2.5, Gaussian(1.75)),
            (8, 2, 0.35, None),
        ):
            K, machine = solved(*tangled(rng, n, d, C), C, kernel)
            while not len(machine.free) or len(machine.bounded) < 2:
                K, machine = solved(*tangled(rng, n, d, C), C, kernel)
            noise = 1e-11 * C * rng.uniform(0.5, 1.0, size=n)
            alpha = np.where(machine.alpha > 0.5 * C, machine.alpha - noise, machine.alpha + noise)
            for t in (1.0, 2.0**-20, 2.0**20):  # other units of K: b stays, alpha and C do not
                got = call("offset", t * alpha, K / t, machine.y, t * C)
                expect_good_offset(got, machine)
            if kernel is None:
                w = vector(call("weights", alpha, machine.X, machine.y), d, "w")
                expect(close(w, machine.w), "w = Σ α y x")
                w = vector(call("weights", 1e-8 * alpha, 1e8 * machine.X, machine.y), d, "w")
                expect(close(w, machine.w), "however small an α is, it counts: w = Σ α y x")

    @HW.check(
        "q3",
        "offset: none is free, and any b of the interval will do",
        points=1,
        hint="A mean over no example is nan. With α = 0 an example must have y f ≥ 1, with α = C "
        "y f ≤ 1: each gives b a lower or an upper limit.",
        hidden=True,
    )
    def _(call, rng):
        for n, d, C in ((int(rng.integers(8, 12)), 3, 0.04), (8, 2, 0.05), (9, 2, 0.03)):
            K, machine = solved(*tangled(rng, n, d, C, free=False), C)
            expect_good_offset(call("offset", machine.alpha, K, machine.y, C), machine)

    @HW.check(
        "q4",
        "every violation is seen",
        points=1,
        hint="An α below 0, an α above C, and Σ α y on either side of 0: three ways to be "
        "infeasible. The violation is the largest of them, and 0 if there is none.",
        hidden=True,
    )
    def _(call, rng):
        X, y, _, b = problem(rng, 8, 3)
        y = rng.permutation([1.0, -1.0] * 4)
        K, C = X @ X.T, 0.6
        inside = balanced(rng, y, C)
        bad = [several(inside, y, C, label) for label in (1.0, -1.0)]
        bad += [moved(inside, y, 0, -0.25), moved(inside, y, 3, C + 0.375), inside]
        bad += [inside * np.where(y == label, 0.5, 1.0) for label in (1.0, -1.0)]
        bad += [moved(inside, y, 1, -3e-4), moved(inside, y, 2, C + 3e-4), np.zeros(8)]
        bad += [inside * np.where(y == label, 1 - 1e-3, 1.0) for label in (1.0, -1.0)]
        for alpha in bad:
            expect_certificate(call("certificate", alpha, b, K, y, C), K, y, C, alpha, b)

    @HW.check(
        "q4",
        "other kernels: the gap is never negative, and 0 at the optimum",
        points=1,
        hint="w cannot be written down here, and need not: ‖w‖² and all f come from K, α and y.",
        hidden=True,
    )
    def _(call, rng):
        for kernel, C in ((Gaussian(1.25), 2.5), (Polynomial(2), 0.3)):
            n = 2 * int(rng.integers(3, 7))
            X, y, _, b = problem(rng, n, 2)
            y = rng.permutation([1.0, -1.0] * (n // 2))
            K, machine = solved(X, y, C, kernel)
            alpha = balanced(rng, y, C)
            for a, c in ((alpha, b), (machine.alpha, machine.b)):
                got = call("certificate", a, c, K, y, C)
                primal, dual = expect_certificate(got, K, y, C, a, c)
                expect(primal >= dual - 1e-4 * (1 + abs(dual)), "primal >= dual")

    @HW.check(
        "q5",
        "other sets, other costs",
        points=1,
        hint="More features, a large C and a C so small that no example is free. Is the answer the "
        "minimum of this very objective, with a free offset?",
        hidden=True,
    )
    def _(call, rng):
        cost = float(rng.choice([0.45, 0.9, 1.3]))
        for n, d, C, free in ((13, 3, 2.5, True), (10, 2, 0.04, False), (9, 2, cost, True)):
            X, y = tangled(rng, n, d, C, free=free)
            expect_trained(call("train", X, y, C), X, y, C)

    @HW.check(
        "q6",
        "any number of examples",
        points=1,
        hint="Both sums for more examples than you have tried. Does every example, the last one "
        "too, have its two products?",
        hidden=True,
    )
    def _(call, rng):
        for line in ("gap", "weak"):
            for n in (1, int(rng.integers(2, 6)), int(rng.integers(8, 11))):
                expect_proof(call(line, n), soft_margin(line, n), line)


def told(call, w, b, X, y, C):
    """Return the answer of `gradient` as one vector."""
    g_w, g_b = parts(call("gradient", w, b, X, y, C), "g_w", "g_b")
    return np.append(vector(g_w, len(w), "g_w"), number(g_b, "g_b"))
