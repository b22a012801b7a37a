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
    slopes,
    solved,
    tangled,
)
from lectures_homework.language.broadly import (
    beside,
    expect_like,
    factor,
    near,
    quarters,
    signs,
    size,
    table,
)
from lectures_homework.language.checks import close, expect
from lectures_homework.language.drawing import drawn
from lectures_homework.language.reading import number, vector
from lectures_homework.language.sums import expect_proof
from lectures_homework.practice.hw4 import (
    add_again,
    problem,
)
from lectures_homework.proofs import soft_margin
from lectures_lib.kernels import Gaussian, Polynomial


@drawn
def at_kinks(rng, n, d, other):
    """Return X, y, w, b where two examples, one of label +1, have y f = 1 exactly."""
    while True:
        X, y, w, b = problem(rng, n, d)
        j = int(np.argmax(np.abs(w)))
        if abs(w[j]) not in (0.25, 0.5, 1.0):  # so that the division below is exact
            continue
        y[:2] = 1.0, other
        X[:2, j] += (y[:2] - X[:2] @ w - b) / w[j]
        if np.array_equal(X[:2] @ w + b, y[:2]):
            return X, y, w, b


def by_little(rng, d, hair=1e-3):
    """Return X, y, w, b: y f is 1 but for a hair, on either side, or far above 1."""
    w = rng.normal(size=d)
    w = w * (0.3 / np.linalg.norm(w))
    y, t = np.array([1.0, -1.0, -1.0, 1.0]), np.array([1 - hair, 1 - hair, 1 + hair, 9.0])
    X = rng.normal(size=(4, d))
    b = float(rng.choice([-0.375, 0.625]))
    X += ((y * t - X @ w - b) / (w @ w))[:, None] * w
    return X, y, w, b


def from_slack(w, b, X, y, C):
    """Return the slopes of the objective away from kinks, by the examples that have slack."""
    missed = y * (y * (X @ w + b) < 1)
    return np.append(w - C * missed @ X, -C * missed.sum())


def several(alpha, y, C, label):
    """Return alpha with one above C, one below 0, and sum alpha y far off on the label's side."""
    changed = alpha.copy()
    changed[np.argmax(y == label)] = C + 0.5
    changed[np.argmax(y == -label)] = -0.375
    return changed


@drawn
def costly(rng):
    """Return X, y and a large C, for which a tenth of it, or 30 times, makes a worse machine."""
    C = float(rng.uniform(150.0, 300.0))
    while True:
        n, d = int(rng.integers(40, 50)), int(rng.integers(4, 6))
        X, u = rng.normal(size=(n, d)) + 0.5, rng.normal(size=d)
        y = np.where(X @ u > 0.3, 1.0, -1.0)
        j = int(np.argmin(np.abs(X @ u - 0.3)))
        y[j] = -y[j]  # one example makes it inseparable, at a price that depends on C
        if abs(y.sum()) > n / 2:
            continue
        best, cheap = (solved(X, y, c)[1] for c in (C, C / 10))
        least = best.certificate.dual
        if not best.certificate.within(1e-6):
            continue
        if primal_value(cheap.w, cheap.b, X, y, C) > 1.01 * least:
            dear = solved(X, y, 30 * C)[1]
            if primal_value(dear.w, dear.b, X, y, C) > 1.005 * least:
                return X, y, C


@drawn
def any_few(rng, many=8):
    """Return few examples of both classes, at times equal ones, and any cost."""
    found = []
    while len(found) < many:
        n, d, C = size(rng, 14, 2), size(rng, 4), float(np.exp(rng.uniform(-3, 2)))
        X, y = rng.normal(size=(n, d)) + 0.5, rng.permutation(np.arange(n) % 2 * 2.0 - 1)
        X = np.round(X) if rng.random() < 0.5 else X
        if solved(X, y, C)[1].certificate.within(1e-6):
            found.append((X, y, C))
    return found


@drawn
def many_free(rng):
    """Return K, a machine with six free examples or more, and its C: the median F is not b."""
    while True:
        X, y = tangled(rng, 26, 8, 2.5)
        K, machine = solved(X, y, 2.5)
        F = y - K @ (machine.alpha * y)
        if len(machine.free) > 5 and abs(np.median(F) - machine.b) > 0.05:
            return K, machine, 2.5


@drawn
def any_solved(rng, many=20):
    """Return solved machines of any size, all free F alike; no multiplier is doubtful.

    What single precision loses of K alpha is less than the tolerance.
    """
    found = []
    while len(found) < many:
        X, C = table(rng, size(rng, 70, 2), size(rng, 9)), float(np.exp(rng.uniform(-5, 3)))
        y, kernel = signs(rng, len(X)), Gaussian(1.75) if rng.random() < 0.5 else None
        if abs(y.sum()) == len(y):
            continue
        K, machine = solved(X, y, C, kernel)
        F, (low, high) = y - K @ (machine.alpha * y), machine.b_interval
        share = np.minimum(machine.alpha, C - machine.alpha) / C
        doubtful = np.any((share > 1e-9) & (share < 0.02)) or not machine.certificate.within(1e-7)
        lost = 70 * 2.0**-24 * float((np.abs(K) @ machine.alpha).max())
        doubtful |= lost > 1e-4 * (1 + abs(low) + abs(high))
        here = F[share >= 0.02]
        if not doubtful and (np.ptp(here) < 1e-6 if len(here) else high > low + 1e-3):
            found.append((K, machine, C))
    return found


def any_machine(rng):
    """Return (w, b, X, y, C): any machine and examples of any size, some with little slack."""
    n, d, far = size(rng, 300), size(rng, 40), factor(rng, 3.0)
    near, X, w, y = rng.random() < 0.4, table(rng, n, d), rng.normal(size=d), signs(rng, n)
    X, w = (quarters(one) if near else one for one in (X, w))
    w = w * rng.choice([0.0, 0.25, 1.0, factor(rng, 3.0)])
    b = beside(rng, X @ w, y, 1.0) if near else rng.normal() * rng.choice([0.0, 1.0, 30.0, 1e4])
    if rng.random() < 0.2:  # one class, and no slack
        w, y = w * factor(rng), np.full(n, y[0])
        b = y[0] * (1.1 + np.abs(X @ w).max())
    C = 2.0 ** int(rng.integers(-20, 21))  # any sum of some C and -C is exact
    return w / far, float(b), far * X, y, C


def off_kinks(rng):
    """Return such a machine where no y f is 1: elsewhere more than one slope is right."""
    while True:
        w, b, X, y, C = any_machine(rng)
        if np.all(y * (X @ w + b) != 1):
            return w, b, X, y, C


def any_multipliers(rng):
    """Return (alpha, X, y): multipliers, many of them 0, and examples of any size."""
    n, d = size(rng, 300), size(rng, 40)
    alpha = factor(rng) * rng.uniform(size=n) * (rng.random(n) < rng.choice([0.1, 1.0]))
    return alpha, factor(rng) * table(rng, n, d), signs(rng, n)


def any_answer(rng):
    """Return (alpha, b, K, y, C): any answer to the dual, feasible or not."""
    alpha, X, y = any_multipliers(rng)
    alpha, X, y = alpha[:90], X[:90], y[:90]
    K = X @ X.T if rng.random() < 0.5 else Gaussian(float(np.abs(X).max() + 1e-3))(X)
    C = float(alpha.max() * rng.choice([0.5, 1.0, 3.0])) or factor(rng)
    alpha, b = alpha - rng.choice([0.0, 0.0, 0.3]) * C, float(rng.normal())
    if rng.random() < 0.3:  # feasible, or but for a little; the sums are exact
        C, n = 2.0 ** int(rng.integers(-9, 10)), len(y) // 2
        some = rng.integers(0, 9, size=n) / 8 * C
        alpha, y[n : 2 * n] = np.concatenate([some, some, 0 * y[2 * n :]]), -y[:n]
        alpha[:1] += rng.choice([0.0, 2.0**-9, 2.0**-13]) * C
    if rng.random() < 0.3:
        b = beside(rng, K @ (alpha * y), y, 1.0)
    return alpha, b, K, y, C


def judged(alpha, b, K, y, C):
    """Return primal, dual and violation."""
    beta = alpha * y
    half = 0.5 * beta @ K @ beta
    violation = max(0.0, -alpha.min(), alpha.max() - C, abs(beta.sum()))
    xi = np.maximum(0, 1 - y * (K @ beta + b))
    return half + C * xi.sum(), alpha.sum() - half, violation


#: What is right, and what is asked.
BROAD = {
    "objective": (primal_value, any_machine),
    "gradient": (lambda *one: ((g := from_slack(*one))[:-1], g[-1]), off_kinks),
    "weights": (lambda alpha, X, y: (alpha * y) @ X, any_multipliers),
    "certificate": (judged, any_answer),
}


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
        sets += [(*by_little(rng, int(rng.integers(1, 6)), 4e-3), C) for C in (1e3, 40.0)]
        X, y, w, b = problem(rng, 6, 3)
        sets += [(X, y, 0 * w, 0.0, 1e-3), (1e4 * X, y, 1e-4 * w, b, 1e-5)]
        sets += [(X, np.full(6, label), w, b, 1.7) for label in (-1.0, 1.0)]  # of one class
        sets += [(1e4 * X, y, w, b, 0.3), (X[:1], y[:1], w, -2.5 * y[0], 0.7)]
        for X, y, w, b, C in sets:
            got = number(call("objective", w, b, X, y, C), "the objective")
            want = primal_value(w, b, X, y, C)
            expect(close(got, want, atol=1e-9), "it is ½‖w‖² + C Σ ξ")
        expect_like(call, rng, "objective", *BROAD["objective"])

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
            got, want = slopes(call, w, b, X, y, C), slope(w, b, X, y, C)
            expect(close(got, want, atol=1e-4), "the slope")
            for hair in (1e-3, 5e-6):
                X, y, w, b = by_little(rng, d, hair)
                got, want = slopes(call, w, b, X, y, C), from_slack(w, b, X, y, C)
                expect(close(got, want), "slack of a hair is slack")
            for X, y, w, b in (at_kinks(rng, n, d, other) for other in (-1.0, 1.0)):
                g, here = slopes(call, w, b, X, y, C), primal_value(w, b, X, y, C)
                steps = rng.normal(size=(60, d + 1)) * rng.choice([0.01, 0.3, 3.0], size=(60, 1))
                for step in steps:
                    there = primal_value(w + step[:-1], b + step[-1], X, y, C)
                    expect(there >= here + g @ step - 1e-5 * (1 + here), "g is a subgradient")
        X, y, w, b = problem(rng, 8, 3)
        far = X + ((9 * y - X @ w) / (w @ w))[:, None] * w  # every y f is far above 1
        for Z, labels, v, C in (
            (X + 1e-3, y, w, 60.0),
            (1e4 * X, y, w, 0.7),
            (far, y, w, 2.5),
        ):
            got, want = slopes(call, v, b, Z, labels, C), from_slack(v, b, Z, labels, C)
            expect(near(got, want), "any size, any C; and where none has slack")
        expect_like(call, rng, "gradient", *BROAD["gradient"])

    @HW.check(
        "q2",
        "P and q for other Gram matrices",
        points=1,
        hint="K may come from any kernel. P has the labels of both examples, q is -1 everywhere, "
        "and neither depends on C.",
        hidden=True,
    )
    def _(call, rng):
        for _ in range(20):
            n, t = size(rng, 150), factor(rng)
            X, y = rng.normal(size=(n, size(rng, 9))), signs(rng, n)
            K = (X @ X.T if rng.random() < 0.5 else Gaussian(1.0)(X)) / t
            program = Program(call("dual_qp", K, y, t), n)
            alpha = t * rng.random(n)
            expect(near(program.value(alpha), minus_dual(alpha, K, y)), "-Q(α)")
        for kernel, t, C in (
            (Gaussian(1.5), 1.0, 2.5),
            (Polynomial(3), 1.0, 0.3),
            (Gaussian(0.6), 1.0, 1e4),
            (Gaussian(0.9), 1e-4, 6e4),  # other units: K is small where C is large
        ):
            n = int(rng.integers(4, 11)) if t == 1 else int(rng.integers(80, 110))
            X, y, _, _ = problem(rng, n, 3)
            K = t * kernel(X)
            program = Program(call("dual_qp", K, y, C), n)
            for alpha in C * rng.random((8, n)):
                trace = 1e-9 * alpha @ alpha  # what some add to the diagonal of P, for the solver
                got, want = program.value(alpha), minus_dual(alpha, K, y)
                expect(close(got, want, atol=1e-6 + trace), "-Q(α)")

    @HW.check(
        "q2",
        "every multiplier has both bounds, and nothing else has",
        points=1,
        hint="Each α_i by itself lies between 0 and C: not their sum, and not only those of one "
        "class. All of 0 and C themselves are allowed.",
        hidden=True,
    )
    def _(call, rng):
        sizes = (2 * int(rng.integers(1, 6)), 14, 4, 6, 2 * int(rng.integers(25, 35)))
        for n, C in zip(sizes, (2.5, 0.3, 6e6, 1e-3, 0.7)):
            y = rng.permutation(np.where(np.arange(n) % 2 == 0, 1.0, -1.0))
            X = rng.normal(size=(n, 3))
            program = Program(call("dual_qp", X @ X.T, y, C), n)
            inside = balanced(rng, y, C)
            for alpha in (inside, np.zeros(n), np.full(n, C)):
                expect(program.allows(alpha), "this α is feasible")
            for i in range(n):
                for value in (-0.1 * C, 1.1 * C, -5e-6 * C, (1 + 5e-6) * C):
                    expect(not program.allows(moved(inside, y, i, value)), "α_i leaves [0, C]")
            for share in (0.6, 1.05, 1.001):
                expect(not program.allows(np.where(y > 0, share, 1.0) * inside), "Σ α y = 0")
            program = Program(call("dual_qp", X @ X.T, np.full(n, y[0]), C), n)
            some = [program.allows(t * inside) for t in (0, 1e-3, 1)]
            expect(some == [True, False, False], "of one class alone: Σ α y = 0, too")

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
            for hair in (5e-9, 1e-11):  # far below the tolerance of the question
                noise = hair * C * rng.uniform(0.5, 1.0, size=n)
                inwards = np.where(machine.alpha > 0.5 * C, -noise, noise)
                alpha = machine.alpha + inwards
                for t in (1.0, 2.0**-20, 2.0**20):  # other units of K: b stays, alpha and C do not
                    got = call("offset", t * alpha, K / t, machine.y, t * C)
                    expect_good_offset(got, machine)
            if kernel is None:
                w = vector(call("weights", alpha, machine.X, machine.y), d, "w")
                expect(close(w, machine.w), "w = Σ α y x")
                w = vector(call("weights", 1e-8 * alpha, 1e8 * machine.X, machine.y), d, "w")
                expect(close(w, machine.w), "however small an α is, it counts: w = Σ α y x")
        u = rng.normal(size=2)
        X = rng.normal(size=(9, 2))
        y = np.where(X @ u > np.median(X @ u) - 1e-9, 1.0, -1.0)
        K, machine = solved(X + np.outer(y, u / np.linalg.norm(u)), y, 1e3)
        C = 500 * machine.alpha.max()  # no α comes near it
        alpha = machine.alpha + 3e-9 * C * (machine.alpha < 1e-9 * C)
        expect_good_offset(call("offset", alpha, K, y, C), machine)
        n, d = int(rng.integers(30, 60)), int(rng.integers(10, 20))
        X, y, alpha = rng.normal(size=(n, d)), rng.choice([-1.0, 1.0], n), rng.uniform(size=n)
        some = 10.0 ** rng.integers(-4, 1, size=n)  # a small α of a far example counts
        w = vector(call("weights", some * alpha, X / some[:, None], y), d, "w")
        expect(close(w, (alpha * y) @ X), "w = Σ α y x")
        expect_like(call, rng, "weights", *BROAD["weights"])

    @HW.check(
        "q3",
        "offset: none is free, and any b of the interval will do",
        points=1,
        hint="A mean over no example is nan. With α = 0 an example must have y f ≥ 1, with α = C "
        "y f ≤ 1: each gives b a lower or an upper limit.",
        hidden=True,
    )
    def _(call, rng):
        more = int(rng.integers(15, 20))
        for n, d, C in ((int(rng.integers(8, 12)), 3, 0.04), (8, 2, 0.05), (more, 2, 0.03)):
            K, machine = solved(*tangled(rng, n, d, C, free=False), C)
            expect_good_offset(call("offset", machine.alpha, K, machine.y, C), machine)
        a, far, near = rng.uniform((0.7, 4.0, 2.0), (0.95, 8.0, 2.5))
        y = rng.choice([-1.0, 1.0]) * np.array([1.0, -1.0, 1.0, -1.0])
        K, machine = solved(np.array([[a], [-a], [far], [-near]]), y, C := 0.5 / a)
        expect_good_offset(call("offset", machine.alpha, K, y, C), machine)  # those at C limit b
        for n, label in ((4, -1.0), (4, 1.0), (1, -1.0), (1, 1.0), (150, rng.choice([-1.0, 1.0]))):
            X = rng.normal(size=(n, 2))  # of one class: the balance leaves α = 0, and one limit
            b = number(call("offset", np.zeros(n), X @ X.T, np.full(n, label), 0.7), "b")
            expect(bool(np.isfinite(b)) and label * b >= 1 - 1e-4, "one class: y f ≥ 1 for all")
        for K, machine, C in any_solved(rng):
            t = 2.0 ** int(rng.integers(-20, 21))
            got = call("offset", t * machine.alpha, K / t, machine.y, t * C)
            expect_good_offset(got, machine)
        K, machine, C = many_free(rng)
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
        n = 2 * int(rng.integers(5, 9))
        X, y, _, b = problem(rng, n, 3)
        y = rng.permutation([1.0, -1.0] * (n // 2))
        K, C = X @ X.T, 0.6
        inside = balanced(rng, y, C)
        bad = [several(inside, y, C, label) for label in (1.0, -1.0)]
        bad += [moved(inside, y, 0, -0.25), moved(inside, y, 3, C + 0.375), inside]
        bad += [inside * np.where(y == label, 0.5, 1.0) for label in (1.0, -1.0)]
        bad += [moved(inside, y, 1, -3e-4), moved(inside, y, 2, C + 3e-4), np.zeros(n)]
        bad += [inside * np.where(y == label, 1 - 1e-3, 1.0) for label in (1.0, -1.0)]
        bad += [moved(inside, y, 1, -t) for t in (3e-5, 4e-6)]
        bad += [moved(inside, y, 2, C + t) for t in (3e-5, 4e-6)]
        for alpha in bad:
            expect_certificate(call("certificate", alpha, b, K, y, C), K, y, C, alpha, b)
        for C in (50.0, 3e-3):
            inside = balanced(rng, y, C)
            bad = [moved(inside, y, 2, 1.5 * C), moved(inside, y, 0, -0.5 * C)]
            for alpha in (inside, *bad, moved(inside, y, 1, -2e-4 * C)):
                expect_certificate(call("certificate", alpha, b, K, y, C), K, y, C, alpha, b)
            a, J, most = 1e4 * inside, K / 1e4, 1e4 * C  # in other units of K
            expect_certificate(call("certificate", a, b, J, y, most), J, y, most, a, b)
        expect_like(call, rng, "certificate", *BROAD["certificate"])

    @HW.check(
        "q4",
        "other kernels: the gap is never negative, and 0 at the optimum",
        points=1,
        hint="w cannot be written down here, and need not: ‖w‖² and all f come from K, α and y.",
        hidden=True,
    )
    def _(call, rng):
        for kernel, C, least in ((Gaussian(1.25), 2.5, 3), (Polynomial(2), 0.3, 12)):
            n = 2 * int(rng.integers(least, 2 * least))
            X, y, _, b = problem(rng, n, 2)
            y = rng.permutation([1.0, -1.0] * (n // 2))
            K, machine = solved(X, y, C, kernel)
            alpha = balanced(rng, y, C)
            cases = [(alpha, b), (alpha, 4e-3), (machine.alpha, machine.b)]
            cases += [(t * machine.alpha, machine.b) for t in (0.99, 0.999)]  # nearly optimal
            for a, c in cases:
                got = call("certificate", a, c, K, y, C)
                primal, dual = expect_certificate(got, K, y, C, a, c)
                expect(primal >= dual - 1e-4 * (1 + abs(dual)), "primal >= dual")
        for slack, C in ((5e-4, 50.0), (5e-5, 50.0), (0.3, 4e3)):  # that much for each of two
            K, y, alpha = 2 * (1 - slack) * np.eye(2), np.array([1.0, -1.0]), np.full(2, 0.5)
            got = call("certificate", alpha, 0.0, K, y, C)
            expect_certificate(got, K, y, C, alpha, 0.0)

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
        more = int(rng.integers(24, 32)), int(rng.integers(2, 4)), 30.0, True
        many = int(rng.integers(36, 42)), 2, float(rng.uniform(0.05, 0.2)), True
        few = (13, 3, 2.5, True), (10, 2, 0.04, False), (9, 2, cost, True)
        for n, d, C, free in (*few, more, many):
            X, y = tangled(rng, n, d, C, free=free)
            expect_trained(call("train", X, y, C), X, y, C)
        expect_trained(call("train", 8 * X, y, C / 64), 8 * X, y, C / 64)  # in other units
        for X, y, C in any_few(rng):
            expect_trained(call("train", X, y, C), X, y, C)
        X, y, C = costly(rng)
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
            for n in (1, 2, int(rng.integers(3, 6)), int(rng.integers(17, 22))):
                expect_proof(call(line, n), soft_margin(line, n), line)
