"""Hidden checks of homework 2: the subtle misconceptions, on data that the secret chooses."""

import numpy as np

from lectures_homework.hw2 import (
    ENOUGH,
    STEPS,
    distances,
    halves,
    history,
    with_false_entry,
)
from lectures_homework.language.checks import close, expect
from lectures_homework.language.drawing import drawn
from lectures_homework.language.reading import number, parts, vector
from lectures_homework.language.sums import expect_proof
from lectures_homework.proofs import cautious
from lectures_lib import datasets
from lectures_lib.conventions import add_constant
from lectures_lib.perceptron import perceptron


def plane(rng, d, length=3.0):
    """Return (w, b): w of about that length, which is not 1, and an offset that matters."""
    w = rng.normal(size=d)
    length = length * rng.uniform(0.7, 1.3)
    return w * (length / np.linalg.norm(w)), float(length * rng.uniform(0.6, 0.8))


#: Lengths of w: a division by what is at least 1, or by 1, is seen on one side or the other.
LENGTHS = (3.0, 0.3, 2e4)
#: A log of no mistakes.
NO_MISTAKES = np.zeros(0, dtype=int)


def separated(rng, n, d):
    """Return (X, y, u, c): examples in eighths that (u, c) separates, with both classes."""
    while True:
        X = rng.integers(-12, 13, size=(n, d)) / 8
        u = rng.integers(-6, 7, size=d) / 4 + 0.125
        c = float(rng.choice([-1.375, -0.875, 0.875, 1.375]))
        t = X @ u + c
        if np.abs(t).min() > 0.2 and n / 4 < np.sum(t > 0) < 3 * n / 4:
            return X, np.where(t > 0, 1.0, -1.0), u, c


@drawn
def long_run(rng, n, d):
    """Return examples and the log of a run in which some example is mistaken again and again."""
    while True:
        X, y, _, _ = separated(rng, n, d - 1)
        X = add_constant(X)
        log = perceptron(X, y, max_epochs=4).mistakes
        before = history(X, y, log)[:-1]
        t = np.abs((before * X[log]).sum(axis=1)[1:])
        distinct = len(set(log.tolist()))
        if len(log) >= 7 and distinct < min(n, len(log) - 2) and t.min() > 0.05:
            return X, y, log


def mixed(rng, n, d):
    """Return a long run and a u, on its mistakes now wrong, now right by little, now by far."""
    while True:  # with few different mistakes no u may do: then another run
        X, y, log = long_run(rng, n, d)
        for u in rng.normal(size=(50, d)):
            t = (y * (X @ u))[log]
            if t.min() < -0.2 and t.max() > 1.3 and np.any((t > 0.1) & (t < 0.9)):
                return X, y, log, u


#: From the first example one step of q4 finds the nearest point. In one set it lies on a segment;
#: in the other it is an example, and a step that is not cut off would go beyond it.
SMALL = [
    [[1.5, 2.0], [2.75, -1.5], [-3.5, 0.5], [1.5, -0.75]],
    [[3.0, 1.0], [2.5, -1.5], [-3.5, 0.5], [1.0, 0.25]],
]
LABELS = np.array([1.0, 1.0, -1.0, 1.0])


def small(rng, points):
    """Return a small set with a constant feature, turned and in another order; all is exact."""
    order = [0, *rng.permutation([1, 2, 3])]
    X = np.array(points)[order][:, rng.permutation(2)] * rng.choice([-1.0, 1.0], size=2)
    return add_constant(X), LABELS[order]


def drawn_set(rng):
    """Return examples in three dimensions for q4."""
    p = datasets.separable(8, 3, gamma=rng.uniform(0.9, 1.2), R=3.0, rng=rng)
    return p.X, p.y


def theorem(X, y, u, c):
    """Return (R / gamma)^2 of the examples (x, 1)."""
    Z, v = add_constant(X), np.append(u, c)
    return float((Z**2).sum(axis=1).max() * (v @ v) / (y * (Z @ v)).min() ** 2)


def far_apart(rng):
    """Return two sets with their separators: the bounds differ by a factor of 5."""
    while True:
        two = [separated(rng, n, 2) for n in (6, 9)]
        low, high = sorted(theorem(*one) for one in two)
        if high > 5 * low:
            return two


def add_again(HW):
    """Register the visible checks on inputs drawn anew."""

    @HW.again("q1", "margins are distances from the plane")
    def _(call, rng):
        w, _ = plane(rng, 3)
        X = rng.normal(size=(6, 3))
        y = np.where(X @ w > 0, 1.0, -1.0)
        got = vector(call("margins", w, 0.0, X, y), 6, "one margin an example")
        expect(close(np.abs(got), distances(w, 0.0, X)), "margins are distances from the plane")

    @HW.again("q1", "margins are negative where the example is on the wrong side")
    def _(call, rng):
        w, b = plane(rng, 3)
        X = rng.normal(size=(9, 3))
        X = X[np.abs(X @ w + b) > 0.05]
        y = rng.permutation(np.where(np.arange(len(X)) % 2, 1.0, -1.0))
        got = vector(call("margins", w, b, X, y), len(X), "one margin an example")
        expect((got * y * (X @ w + b) > 0).all(), "negative on the wrong side, positive else")

    @HW.again("q1", "set_margin is the margin of one example, the worst")
    def _(call, rng):
        w, b = plane(rng, 2)
        X = rng.normal(size=(6, 2))
        y = np.where(X @ w + b > 0, 1.0, -1.0)
        got = number(call("set_margin", w, b, X, y), "the margin of a set")
        expect(close(got, distances(w, b, X).min()), "the smallest of the distances")

    @HW.again("q2", "the bound does not depend on the length of (u, c)")
    def _(call, rng):
        found = []
        for X, y, u, c in far_apart(rng):
            once, again = (number(call("bound", X, y, t * u, t * c), "the bound") for t in (1, 2.5))
            expect(close(once, again), "with 2.5 (u, c) it is another one")
            found.append(once)
        expect(not close(*found), "two very different sets have different bounds")

    @HW.again("q2", "no run makes more mistakes than the bound")
    def _(call, rng):
        for X, y, u, c in far_apart(rng):
            allowed = number(call("bound", X, y, u, c), "the bound")
            made = len(perceptron(add_constant(X), y).mistakes)
            expect(made <= allowed, f"the perceptron with offset makes {made} mistakes")
            expect(allowed < 2 * theorem(X, y, u, c), "this is far more than the theorem allows")
            expect(2 * allowed > theorem(X, y, u, c), "this is far less than the theorem allows")

    @HW.again("q3", "replay adds up y x over the log, from w = 0")
    def _(call, rng):
        X, y, log = long_run(rng, 7, 3)
        u = plane(rng, 3)[0]
        u, W = u / np.linalg.norm(u), history(X, y, log)
        along, norm2 = parts(call("replay", X, y, log, u), "along", "norm2")
        expect(close(vector(along, len(W), "along"), W @ u), "w_k·u")
        expect(close(vector(norm2, len(W), "norm2"), (W**2).sum(axis=1)), "‖w_k‖²")

    @HW.again("q3", "audit finds the entry that was no mistake")
    def _(call, rng):
        X, y, log = long_run(rng, 8, 3)
        for at in (3, 5):
            false = with_false_entry(X, y, log, at)
            expect(number(call("audit", X, y, false), "the position") == at, f"entry {at} is false")
        expect(number(call("audit", X, y, log), "the position") == -1, "all were mistakes")

    @HW.again("q4", "your w separates and your weights are convex")
    def _(call, rng):
        X, y = drawn_set(rng)
        halves(call("certificate", X, y, STEPS), X, y)

    @HW.again("q4", "your two halves meet")
    def _(call, rng):
        X, y = drawn_set(rng)
        low, high = halves(call("certificate", X, y, STEPS), X, y)
        expect(low >= ENOUGH * high, f"w has margin {low:.4g}, the weights allow {high:.4g}")

    @HW.again("q5", "without slack the bound is R² ‖u‖²")
    def _(call, rng):
        X, y, log = long_run(rng, 8, 3)
        u = perceptron(X, y).w
        u = u * (1.25 / (y * (X @ u)).min())
        L, bound = parts(call("hinge_bound", X, y, log, u), "L", "bound")
        expect(close(number(L, "L"), 0.0), "every y u·x is 1.25 or more: no slack")
        want = (X**2).sum(axis=1).max() * (u @ u)
        expect(close(number(bound, "the bound"), want), "R² ‖u‖², with the longest row")

    @HW.again("q5", "every mistake pays its slack, repeats included")
    def _(call, rng):
        X, y, log = long_run(rng, 8, 3)
        u = rng.normal(size=3) / 4
        L = np.maximum(0.0, 1.0 - y * (X @ u))[log].sum()
        got, bound = parts(call("hinge_bound", X, y, log, u), "L", "bound")
        expect(close(number(got, "L"), L), "every mistake pays its slack")
        want = (X**2).sum(axis=1).max() * (u @ u) + 2 * L
        expect(close(number(bound, "the bound"), want), "the bound is R² ‖u‖² + 2 L")

    @HW.again("q6", "progress: every update brings η γ")
    def _(call, rng):
        expect_line(call, "progress", *rng.integers(4, 12, size=2))

    @HW.again("q6", "growth: the length grows slowly")
    def _(call, rng):
        expect_line(call, "growth", *rng.integers(4, 12, size=2))


def expect_line(call, line, eta, beta):
    """State that the sum proves a line of the bound for this step and this caution."""
    eta, beta = int(eta), int(beta)
    expect_proof(call(line, eta, beta), cautious(line, eta, beta), line)


def add(HW):
    """Register the hidden checks, and the visible ones on inputs drawn anew."""
    add_again(HW)

    @HW.check(
        "q1",
        "margins: an offset moves the plane and is no part of the length of w",
        points=1,
        hint="The plane is w·x + b = 0, and its normal is w alone. Check yourself in one "
        "dimension: how far is x = 5 from the point where 2 x - 6 = 0?",
        hidden=True,
    )
    def _(call, rng):
        for length in LENGTHS:
            n, d = int(rng.integers(1, 8)), int(rng.integers(2, 7))
            w, b = plane(rng, d, length)
            X, y = rng.normal(size=(n, d)), rng.choice([-1.0, 1.0], size=n)
            want = np.sign(y * (X @ w + b)) * distances(w, b, X)
            got = vector(call("margins", w, b, X, y), n, "one margin an example")
            expect(close(got, want), "margins are signed distances from the plane")

    @HW.check(
        "q1",
        "set_margin of a set with mistakes is that of the worst one",
        points=1,
        hint="Some examples are on the wrong side: their margins are negative, and the smallest "
        "of all is the one furthest on the wrong side.",
        hidden=True,
    )
    def _(call, rng):
        for length, n in zip(LENGTHS, (6, int(rng.integers(5, 9)), 3)):
            d = int(rng.integers(2, 6))
            w, b = plane(rng, d, length)
            X = rng.normal(size=(n, d)) * rng.choice([1.0, 50.0])
            y = np.where(X @ w + b > 0, 1.0, -1.0)
            y[np.argsort(np.abs(X @ w + b))[[0, 2]]] *= -1
            want = np.min(y * np.sign(X @ w + b) * distances(w, b, X))
            got = number(call("set_margin", w, b, X, y), "the margin of a set")
            expect(close(got, want), "the margin of a set is the smallest")
        w, b = plane(rng, 2, 0.3)
        x, y = rng.normal(size=(1, 2)), np.array([-1.0])
        want = -(x[0] @ w + b) / np.linalg.norm(w)
        got = number(call("set_margin", w, b, x, y), "the margin of a set")
        expect(close(got, want), "one example is a set, too")

    @HW.check(
        "q2",
        "R and the margin are those of (x, 1)",
        points=1,
        hint="Both of them: the radius of the examples with their constant feature, and the "
        "length of u together with c. The largest norm, the smallest margin, squared.",
        hidden=True,
    )
    def _(call, rng):
        for d, length in ((2, 1.0), (3, 1e-3), (4, 1e4)):
            X, y, u, c = separated(rng, int(rng.integers(6, 11)), d)
            u, c = length * u, length * c
            lifted, v = add_constant(X), np.append(u, c)
            gamma = np.min(np.sign(y * (lifted @ v)) * distances(v, 0.0, lifted))
            want = np.max((lifted**2).sum(axis=1)) / gamma**2
            expect(close(number(call("bound", X, y, u, c), "the bound"), want), "(R / gamma)^2")

    @HW.check(
        "q2",
        "no separator, no bound",
        points=1,
        hint="What does your function promise when (u, c) is wrong about an example? A square "
        "hides the sign. The theorem needs a margin > 0; without it, return infinity.",
        hidden=True,
    )
    def _(call, rng):
        X, y, u, c = separated(rng, 8, 3)
        y[rng.integers(8)] *= -1
        expect(number(call("bound", X, y, u, c), "the bound") == np.inf, "the bound is infinite")
        u = np.array([1.0, 0.0, 0.0])
        X[:, 0] = y * np.arange(8)
        found = number(call("bound", X, y, u, 0.0), "the bound")
        expect(found == np.inf, "a margin of 0 promises nothing")
        for least in (1e-4, -1e-4):  # a margin of little is a margin, and no more than that
            X[:, 0] = y * np.where(np.arange(8) == 3, least, 1 + np.arange(8))
            found = number(call("bound", X, y, u, 0.0), "the bound")
            want = np.max((X**2).sum(axis=1) + 1) / least**2 if least > 0 else np.inf
            expect(close(found, want) or found == want, "any margin above 0 will do, and only that")

    @HW.check(
        "q3",
        "replay measures along a unit vector, however long u is",
        points=1,
        hint="The line of the proof is k γ <= w_k·u with ‖u‖ = 1. If u comes with another length, "
        "what has to be divided, and what not?",
        hidden=True,
    )
    def _(call, rng):
        for (n, d), length in zip(((7, 3), (9, 4), (8, 3)), LENGTHS):
            X, y, log = long_run(rng, n, d)
            u = plane(rng, d, length)[0]
            along, norm2 = parts(call("replay", X, y, log, u), "along", "norm2")
            W = history(X, y, log)
            along, norm2 = vector(along, len(W), "along"), vector(norm2, len(W), "norm2")
            expect(close(along, W @ u / np.linalg.norm(u)), "w_k·u / ‖u‖")
            expect(close(norm2, (W**2).sum(axis=1)), "‖w_k‖²")
        along, norm2 = parts(call("replay", X, y, NO_MISTAKES, u), "along", "norm2")
        told = "a log without a mistake has one w, the start"
        expect(close([vector(along, 1, "along"), vector(norm2, 1, "norm2")], [[0.0], [0.0]]), told)

    @HW.check(
        "q3",
        "audit: the first of several, the very last, and a score of exactly 0",
        points=1,
        hint="A score of 0 is a mistake, also in the middle of a run; any score above is none. Of "
        "two false entries the first counts. The last entry is judged like all others.",
        hidden=True,
    )
    def _(call, rng):
        X, y, log = long_run(rng, 8, 3)
        false_end = with_false_entry(X, y, log, len(log))
        twice = with_false_entry(X, y, with_false_entry(X, y, log, 2), 6)
        axes, signs = np.diag(rng.integers(3, 8, size=4) / 64), np.array([1.0, -1.0, -1.0, 1.0])
        questions = [
            (X, y, log, -1),
            (X, y, false_end, len(log)),
            (X, y, twice, 2),
            (axes, signs, np.array([2, 0, 3, 1]), -1),
            (axes, signs, np.array([2, 0, 3, 0, 1]), 3),
            (X, y, NO_MISTAKES, -1),
        ]
        for tilt, want in ((1e-4, 1), (-1e-4, -1)):  # of two examples the second scores that much
            two = np.array([[1.0, 0.0], [tilt, 0.75]])
            questions += [(s * two, np.ones(2), np.array([0, 1]), want) for s in (1.0, 100.0)]
        for A, a, entries, want in questions:
            found = number(call("audit", A, a, entries), "the position")
            expect(found == want, "the first entry with y w·x > 0")

    @HW.check(
        "q4",
        "the halves meet on other examples and in other dimensions",
        points=1,
        hint="The same question in three and four dimensions, where nobody can try all directions. "
        "The nearest point may be an example itself: then t is cut off at 1, and d becomes 0.",
        hidden=True,
    )
    def _(call, rng):
        sets = [small(rng, points) for points in SMALL]
        for d, scale in ((3, 1.0), (2, 0.02), (4, 50.0), (5, 1.0)):
            n = int(rng.integers(6, 12))
            p = datasets.separable(n, d, gamma=rng.uniform(0.9, 1.2), R=3.0, rng=rng)
            sets.append((scale * p.X, p.y))
        sets.append((sets[-1][0][:1], sets[-1][1][:1]))  # one example is its own nearest point
        for X, y in sets:
            low, high = halves(call("certificate", X, y, STEPS), X, y)
            expect(low >= ENOUGH * high, "the margin of w reaches what the weights allow")

    @HW.check(
        "q5",
        "slack is max(0, 1 - y u·x), for any u",
        points=1,
        hint="Right is not enough: between 0 and 1 an example still has slack. And an example far "
        "on the right side has slack 0, it does not pay others back.",
        hidden=True,
    )
    def _(call, rng):
        for n, d in ((8, 3), (9, 4)):
            X, y, log, u = mixed(rng, n, d)
            xi = np.array([max(0.0, 1.0 - a * float(x @ u)) for x, a in zip(X, y)])
            want = sum(xi[i] for i in log)
            L, bound = parts(call("hinge_bound", X, y, log, u), "L", "bound")
            expect(close(number(L, "L"), want), "L adds up the slacks of the mistakes")
            most = max(float(x @ x) for x in X) * float(u @ u) + 2 * want
            expect(close(number(bound, "the bound"), most), "R^2 norm(u)^2 + 2 L")
        for slack in (2e-3, -2e-3):  # little slack is slack, and a little too much is none
            X, u = np.diag([1.0 - slack, 2.0, 3.0])[:2], np.ones(3)
            got = call("hinge_bound", X, np.ones(2), np.array([0, 1, 0]), u)
            L, bound = (number(part, "L and the bound") for part in parts(got, "L", "bound"))
            want = 2 * max(0.0, slack)
            expect(
                close([L, bound], [want, 12.0 + 2 * want]), "the slacks of 0 to 1, however small"
            )
        L, bound = parts(call("hinge_bound", X, np.ones(2), NO_MISTAKES, u), "L", "bound")
        got = [number(L, "L"), number(bound, "the bound")]
        expect(close(got, [0.0, 12.0]), "without a mistake nothing is paid: L = 0")

    @HW.check(
        "q6",
        "any step and any caution",
        points=1,
        hint="Both lines for other η and β, large and small. Where does η stand squared, and where "
        "does β need no place at all?",
        hidden=True,
    )
    def _(call, rng):
        for eta in (1, int(rng.integers(3, 30)), int(rng.integers(30, 300))):
            for beta in (0, int(rng.integers(2, 40))):
                expect_line(call, "growth", eta, beta)
                expect_line(call, "progress", eta, beta)
