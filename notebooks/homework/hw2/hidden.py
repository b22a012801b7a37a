"""Hidden checks of homework 2: the subtle misconceptions, on data that the secret chooses."""

import numpy as np

from lectures_homework.hw2 import (
    ENOUGH,
    STEPS,
    distances,
    expect_line,
    halves,
    history,
    theorem,
    with_false_entry,
)
from lectures_homework.language.broadly import (
    beside,
    expect_like,
    factor,
    signs,
    size,
    table,
)
from lectures_homework.language.checks import close, expect
from lectures_homework.language.drawing import drawn
from lectures_homework.language.reading import number, parts, vector
from lectures_homework.practice.hw2 import (
    add_again,
    long_run,
    plane,
    separated,
)
from lectures_lib.conventions import add_constant

#: Lengths of w: a division by what is at least 1, or by 1, is seen on one side or the other.
LENGTHS = (3.0, 0.3, 2e4, 0.04, 1e-6)
#: A log of no mistakes.
NO_MISTAKES = np.zeros(0, dtype=int)


def mixed(rng, n, d):
    """Return a long run and a u, on its mistakes now wrong, now right by little, now by far."""
    while True:  # with few different mistakes no u may do: then another run
        X, y, log = long_run(rng, n, d)
        for u in rng.normal(size=(50, d)):
            t = (y * (X @ u))[log]
            if t.min() < -0.2 and t.max() > 1.3 and np.any((t > 0.1) & (t < 0.9)):
                return X, y, log, u


#: From the first example one step of q4 finds the nearest point. In one set it lies on a segment;
#: in the next it is an example, and a step that is not cut off would go beyond it. In the last one
#: the first example is wrong about all others.
SMALL = [
    [[1.5, 2.0], [2.75, -1.5], [-3.5, 0.5], [1.5, -0.75]],
    [[3.0, 1.0], [2.5, -1.5], [-3.5, 0.5], [1.0, 0.25]],
    [[1.0, 0.5], [-4.0, 0.75], [4.5, -1.0], [-5.0, 1.0]],
]
LABELS = np.array([1.0, 1.0, -1.0, 1.0])


def small(rng, points):
    """Return a small set with a constant feature, turned and in another order; all is exact."""
    order = [0, *rng.permutation([1, 2, 3])]
    X = np.array(points)[order][:, rng.permutation(2)] * rng.choice([-1.0, 1.0], size=2)
    return add_constant(X), LABELS[order]


def any_set(rng):
    """Return (w, b, X, y): a plane of any length, and examples of any size, some next to it."""
    n, d, far, long = size(rng, 300), size(rng, 40), factor(rng, 6.0), factor(rng, 7.0)
    w, X, y = rng.normal(size=d), table(rng, n, d), signs(rng, n)
    w = w * 10.0 ** (rng.choice([0.0, 1.5]) * rng.uniform(-1, 1, size=d))
    if rng.random() < 0.2:  # one point twice or more, with two labels
        X[1:2], X[-1:], y[1:2] = X[0], X[0], -y[0]
    b = beside(rng, X @ w, y) if rng.random() < 0.4 else rng.choice([0.0, 1.0, 9.0, 99.0, -9.0])
    return long * w, float(long * far * b), far * X, y


def any_separated(rng):
    """Return (X, y, u, c): examples of any size that (u, c) separates, if not of one half."""
    u, c, X, y = any_set(rng)
    u, c = [(u, c), (u, c), (u, 0.0), (0 * u, c or 1.0)][rng.integers(4)]
    right = np.where(X @ u + c > 0, 1.0, -1.0) if rng.random() < 0.9 else y
    return X, right, u, c


def separates(X, y, u, c):
    """True if (u, c) is right about every example."""
    return np.all(y * (add_constant(X) @ np.append(u, c)) > 0)


def any_log(rng):
    """Return (X, y, log, u): examples of any size, and any log, of a run or not.

    At times u.x is 1 for an example, or nearly: there slack begins.
    """
    u, _, X, y = any_set(rng)
    log = np.r_[: len(X)] if rng.random() < 0.1 else rng.integers(len(X), size=size(rng, 300))
    if rng.random() < 0.4:
        i, j = int(rng.integers(len(X))), int(rng.integers(len(u)))
        u[j] = 2.0 ** round(np.log2(np.abs(u).max()))
        X[i] = 0.0
        X[i, j] = beside(rng, np.zeros(1), y[i : i + 1], 1.0) / u[j]
    return X, y, log, u


def any_paid(rng):
    """Return the same; u may be 0."""
    X, y, log, u = any_log(rng)
    return X, y, log, u * rng.choice([0.0, *[1.0] * 9])


def any_audited(rng):
    """Return (X, y, log): the log of a run, at times with false entries, or any log."""
    X, y, log, _ = any_log(rng)
    w, found, many = 0 * X[0], [int(log[0])], size(rng, 400)
    while len(found) < many:
        w = w + y[found[-1]] * X[found[-1]]
        wrong = np.flatnonzero(y * (X @ w) <= 0)
        if not wrong.size:
            break
        again = found[-1] in wrong and rng.random() < 0.5
        found += found[-1:] if again else [int(rng.choice(wrong))]
    if rng.random() < 0.8:
        log = np.array(found)
        for _ in range(int(rng.integers(3))):
            log = with_false_entry(X, y, log, int(rng.choice([rng.integers(len(log)), len(log)])))
    return X, y, log


def audited(X, y, log):
    """Return the place of the first entry that was right then, or -1."""
    right = y[log] * np.sum(history(X, y, log)[:-1] * X[log], axis=1) > 0
    return int(np.argmax(right)) if right.any() else -1


def soon_enough(Z):
    """True if the halves meet at every step from the first third on: a margin may fall again."""
    p = Z[0]
    for k in range(STEPS):
        i = np.argmin(Z @ p)
        if k > STEPS // 3 and not Z[i] @ p > (1 + ENOUGH) / 2 * (p @ p) > 0:
            return False
        step = Z[i] - p
        p = p + np.clip(-(p @ step) / max(step @ step, 1e-300), 0.0, 1.0) * step
    return bool(p @ p > 0.02**2 * (Z**2).sum(axis=1).max())  # other methods need a margin


@drawn
def hulls(rng, many=25):
    """Return (X, y), separable by planes through 0, for which the steps of q4 are enough."""
    found = []
    while len(found) < many:
        n, d, far = size(rng, 40), size(rng, 9), factor(rng)
        X, u = table(rng, n, d), rng.normal(size=d)
        y = np.where(X @ u > 0, 1.0, -1.0)
        Z = y[:, None] * (X + 0.2 * y[:, None] * u)
        if soon_enough(Z):
            found.append((far * y[:, None] * Z, y))
    return found


def replayed(X, y, log, u):
    """Return the two series."""
    W = history(X, y, log)
    return W @ u / np.linalg.norm(u), (W**2).sum(axis=1)


def paid(X, y, log, u):
    """Return the sum of slacks and the bound."""
    L = np.maximum(0.0, 1.0 - y * (X @ u))[log].sum()
    return L, (X**2).sum(axis=1).max() * (u @ u) + 2 * L


#: What is right, and what is asked.
BROAD = {
    "margins": (lambda w, b, X, y: y * (X @ w + b) / np.linalg.norm(w), any_set),
    "set_margin": (lambda w, b, X, y: np.min(y * (X @ w + b)) / np.linalg.norm(w), any_set),
    "bound": (lambda *one: theorem(*one) if separates(*one) else np.inf, any_separated),
    "replay": (replayed, any_log),
    "audit": (audited, any_audited),
    "hinge_bound": (paid, any_paid),
}


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
        expect_like(call, rng, "margins", *BROAD["margins"], 60)

    @HW.check(
        "q1",
        "set_margin of a set with mistakes is that of the worst one",
        points=1,
        hint="Some examples are on the wrong side: their margins are negative, and the smallest "
        "of all is the one furthest on the wrong side.",
        hidden=True,
    )
    def _(call, rng):
        w, b = plane(rng, 3, 0.3)
        X = rng.normal(size=(6, 3))
        y = np.where(X @ w + b > 0, 1.0, -1.0)
        y[np.argsort(np.abs(X @ w + b))[[0, 2]]] *= -1  # the nearest is wrong, the next is right
        got = number(call("set_margin", w, b, X, y), "the margin of a set")
        expect(close(got, np.min(y * (X @ w + b)) / np.linalg.norm(w)), "the smallest of all")
        expect_like(call, rng, "set_margin", *BROAD["set_margin"], 90)

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
        expect_like(call, rng, "bound", *BROAD["bound"])

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
        found = [number(call("bound", X, y, 0 * u, 0.0), "the bound")]
        found += [number(call("bound", X[:1], s * y[:1], s * u, 0.0), "the bound") for s in (0, 1)]
        found += [number(call("bound", X[-1:], -y[-1:], u, 0.0), "the bound")]
        expect(close(np.isinf(found), [1, 1, 1, 1]), "u = 0, c = 0 separates nothing")
        for least in (1e-4, -1e-4, 1e-6, -1e-6):  # a margin of little is a margin, and no more
            X[:, 0] = y * np.where(np.arange(8) == 3, least, 1 + np.arange(8))
            found = number(call("bound", X, y, u, 0.0), "the bound")
            want = np.max((X**2).sum(axis=1) + 1) / least**2 if least > 0 else np.inf
            expect(close(found, want) or found == want, "any margin above 0 will do, and only that")
        expect_like(call, rng, "bound", *BROAD["bound"])

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
        expect_like(call, rng, "replay", *BROAD["replay"], 60)

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
            (axes[[0, 0, 2]], signs[:3], np.array([0, 1, 2, 2]), 3),  # w is 0 again, in between
            (X, y, NO_MISTAKES, -1),
        ]
        tilted = []
        little = ((1e-4, 1), (-1e-4, -1), (1e-6, 1), (-1e-6, -1))
        for tilt, want in little:  # of two examples the second scores that much
            two = np.array([[1.0, 0.0], [tilt, 0.75]])
            tilted += [(two, want)]
            questions += [(s * two, np.ones(2), np.array([0, 1]), want) for s in (1.0, 100.0)]
        hard = np.array([[-0.75, 0.0], [4.0, 0.5]])  # the first stays wrong for a while
        hard = hard[:, ::-1] if rng.random() < 0.5 else hard
        for many, want in ((int(rng.integers(3, 7)), -1), (int(rng.integers(7, 10)), 7)):
            questions += [(hard, np.ones(2), np.array([1, *[0] * many]), want)]
        questions += [(1e-8 * two, np.ones(2), np.array([0, 1]), want) for two, want in tilted]
        zero = np.array([[0.0, 0.0], [0.3, 0.7]])  # no w is right about x = 0
        questions += [(zero, np.ones(2), np.array([0, 1, 0]), -1)]
        for A, a, entries, want in questions:
            found = number(call("audit", A, a, entries), "the position")
            expect(found == want, "the first entry with y w·x > 0")
        expect_like(call, rng, "audit", *BROAD["audit"], 150)

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
        sets += hulls(rng)
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
        for slack in (
            2e-3,
            -2e-3,
            2.0**-13,
        ):  # little slack is slack, and a little too much is none
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
        expect_like(call, rng, "hinge_bound", *BROAD["hinge_bound"], 60)

    @HW.check(
        "q6",
        "any step and any caution",
        points=1,
        hint="Both lines for other η and β, large and small. Where does η stand squared, and where "
        "does β need no place at all?",
        hidden=True,
    )
    def _(call, rng):
        for eta in (1, 2, int(rng.integers(3, 30)), int(rng.integers(300, 3000)), 10**5 + 7):
            for beta in (0, 1, int(rng.integers(2, 40)), int(rng.integers(10**3, 10**6))):
                expect_line(call, "growth", eta, beta)
                expect_line(call, "progress", eta, beta)
