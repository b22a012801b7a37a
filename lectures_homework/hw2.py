"""Homework 2: margins and mistake bounds. Its questions, its data and the visible checks."""

from typing import Any

import numpy as np

from lectures_lib import datasets
from lectures_lib.conventions import add_constant
from lectures_lib.margins import set_margin
from lectures_lib.perceptron import perceptron

from .language.checks import Assignment, Call, close, expect
from .language.reading import number, parts, vector
from .language.sums import expect_proof
from .proofs import cautious
from .student import client

#: Steps for `certificate`, and the share of the larger half that the smaller one must reach.
STEPS, ENOUGH = 1000, 0.97


def data(seed: int) -> dict[str, np.ndarray]:
    """Return a student's nine examples in the plane, separable through the origin.

    The perceptron's own w and its counts are no good certificate for them.

    Parameters
    ----------
    seed : a whole number of the student

    Examples
    --------
    >>> from lectures_homework import hw2
    >>> hw2.data(7)["X"].shape
    (9, 2)
    """
    rng = np.random.default_rng([2, seed])
    while True:
        problem = datasets.separable(9, 2, gamma=rng.uniform(0.6, 0.8), R=2.0, rng=rng)
        X, y = np.round(problem.X, 3), problem.y
        run = perceptron(X, y)
        upper = np.linalg.norm(run.w) / len(run.mistakes)
        if set_margin(run.w, X, y) < 0.8 * upper:
            return {"X": X, "y": y}


HW = Assignment("hw2", "Margins and mistake bounds", minutes=150, data=data)
HW.question("q1", "margins", "set_margin", hidden=(2, 2))
HW.question("q2", "bound", hidden=(2, 2))
HW.question("q3", "replay", "audit", hidden=(2, 2))
HW.question("q4", "certificate", hidden=(1, 1))
HW.question("q5", "hinge_bound", hidden=(1, 1))
HW.question("q6", "progress", "growth", hidden=(1, 1))


# --- truths by another road ----------------------------------------------------------------------


def distances(w: np.ndarray, b: float, X: np.ndarray) -> np.ndarray:
    """Return the distance of each row from the plane w.x + b = 0, by projecting onto the plane."""
    on_it = -b * w / (w @ w)
    across = np.linalg.svd(w[None, :])[2][1:]  # an orthonormal basis of the plane's directions
    inside = (X - on_it) @ across.T @ across
    return np.linalg.norm(X - on_it - inside, axis=1)


def history(X: np.ndarray, y: np.ndarray, mistakes: np.ndarray) -> np.ndarray:
    """Return w_0 = 0, w_1, ..., w_M as rows."""
    steps = y[mistakes, None] * X[mistakes]
    return np.vstack([np.zeros((1, X.shape[1])), np.cumsum(steps, axis=0)])


def with_false_entry(X: np.ndarray, y: np.ndarray, log: np.ndarray, at: int) -> np.ndarray:
    """Return the log with an example put in at position `at` that is right then, by the least."""
    t = y * (X @ history(X, y, log[:at])[-1])
    return np.insert(log, at, int(np.argmin(np.where(t > 0, t, np.inf))))


def own_examples(call: Call) -> tuple[np.ndarray, np.ndarray]:
    """Return the examples of the notebook's SEED."""
    mine = data(call.seed)
    return mine["X"], mine["y"]


# --- reading answers -----------------------------------------------------------------------------


def halves(got: Any, X: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Return the margin of w and the length of the point that a makes, once both are in order."""
    w, a = parts(got, "w", "a")
    w, a = vector(w, X.shape[1], "w"), vector(a, len(X), "a, one weight an example")
    expect(np.linalg.norm(w) > 0, "w = 0 has no plane")
    expect((a > -1e-6).all(), "a weight is negative")
    expect(abs(a.sum() - 1) < 1e-4, f"the weights add up to {a.sum():.4g}, not to 1")
    t = y * (X @ w) / np.linalg.norm(w)
    i = int(np.argmin(t))
    expect(t[i] > 0, f"w is wrong about example {i}: y w·x / ‖w‖ = {t[i]:.4g}")
    return float(t[i]), float(np.linalg.norm((a * y) @ X))


# --- q1 ------------------------------------------------------------------------------------------

#: Examples for w = (1.5, -2), of length 2.5. With b = 1.75 the side of two of them changes.
X_FIVE = np.array([[1.25, 0.5], [0.25, 0.75], [-1.75, 0.25], [-0.5, -1.25], [2.25, 1.25]])
W_FIVE = np.array([1.5, -2.0])


@HW.check(
    "q1",
    "margins are distances from the plane",
    hint="Double w: the plane w·x = 0 stays where it is, so no distance may change. By which "
    "length of w do you divide, and to which power?",
    on=[(W_FIVE, X_FIVE)],
)
def _(call, w, X):
    y = np.where(X @ w > 0, 1.0, -1.0)
    got = vector(call("margins", w, 0.0, X, y), len(X), "one margin an example")
    for i, far in enumerate(distances(w, 0.0, X)):
        expect(close(abs(got[i]), far), f"example {i} is {far:.4g} away from the plane")


@HW.check(
    "q1",
    "margins are negative where the example is on the wrong side",
    hint="The side is decided by w·x + b, and right or wrong by the label. A margin of an example "
    "can be negative; a distance cannot.",
    on=[(W_FIVE, 1.75, X_FIVE, np.array([1.0, 1.0, 1.0, -1.0, 1.0]))],
)
def _(call, w, b, X, y):
    got = vector(call("margins", w, b, X, y), len(X), "one margin an example")
    for i, t in enumerate(y * (X @ w + b)):
        expect(got[i] * t > 0, f"example {i} has y (w·x + b) = {t:.4g}")


@HW.check(
    "q1",
    "set_margin is the margin of one example, the worst",
    hint="L1: the margin of a set is the smallest over its points. Not the mean, and not the "
    "width of the street, which is twice as much.",
    on=[(W_FIVE, 0.5, X_FIVE)],
)
def _(call, w, b, X):
    y, every = np.where(X @ w + b > 0, 1.0, -1.0), distances(w, b, X)
    got = number(call("set_margin", w, b, X, y), "the margin of a set")
    listed = ", ".join(f"{far:.4g}" for far in every)
    expect(close(got, every.min()), f"all are right, at the distances {listed}")


# --- q2 ------------------------------------------------------------------------------------------

#: Four points near the origin and a separator (u, c): the constant feature is their longest part.
X_NEAR = np.array([[-0.15, -0.1], [-0.05, 0.0], [0.15, 0.1], [0.15, -0.1]])
Y_NEAR = np.array([1.0, -1.0, -1.0, -1.0])
U_NEAR, C_NEAR = np.array([-1.5, -2.0]), -0.25


def theorem(X: np.ndarray, y: np.ndarray, u: np.ndarray, c: float) -> float:
    """Return (R / gamma)^2 of the examples (x, 1)."""
    Z, v = add_constant(X), np.append(u, c)
    return float((Z**2).sum(axis=1).max() * (v @ v) / (y * (Z @ v)).min() ** 2)


@HW.check(
    "q2",
    "the bound does not depend on the length of (u, c)",
    hint="The theorem asks for a separator of length 1. Yours has any length: measure its margin "
    "by dividing.",
    on=[(3.5, [(X_NEAR, Y_NEAR, U_NEAR, C_NEAR)])],
)
def _(call, t, sets):
    found = []
    for X, y, u, c in sets:
        once = number(call("bound", X, y, u, c), "the bound")
        again = number(call("bound", X, y, t * u, t * c), "the bound")
        claim = f"with (u, c) it was {once:.4g}, with {t:g} (u, c) {again:.4g}"
        expect(close(once, again), claim)
        found.append(once)
    expect(len(found) == 1 or not close(*found), "two very different sets have different bounds")


@HW.check(
    "q2",
    "no run makes more mistakes than the bound",
    hint="The perceptron with offset runs on the examples (x, 1). The theorem speaks of *their* "
    "radius and *their* margin, and of a square.",
    on=[(X_NEAR, Y_NEAR, U_NEAR, C_NEAR)],
)
def _(call, X, y, u, c):
    allowed = number(call("bound", X, y, u, c), "the bound")
    made = len(perceptron(add_constant(X), y).mistakes)
    expect(made <= allowed, f"the perceptron with offset makes {made} mistakes on these examples")
    expect(allowed < 2 * theorem(X, y, u, c), "this is far more than the theorem allows")
    expect(2 * allowed > theorem(X, y, u, c), "this is far less than the theorem allows")


# --- q3 ------------------------------------------------------------------------------------------

#: Six examples, the last feature is the constant; and the log of the perceptron's run on them.
X_LOG = np.array(
    [[1.5, 0.25, 1], [2.5, 4, 1], [3.75, 0.5, 1], [1.75, -0.25, 1], [-1.5, 3, 1], [0.5, 0.75, 1]]
)
Y_LOG = np.array([1.0, -1.0, -1.0, 1.0, -1.0, 1.0])
LOG = perceptron(X_LOG, Y_LOG).mistakes
#: Another order, stopped early: its last w is still wrong about the first entry, and the longest
#: example is not in it.
LOG_BEGUN = perceptron(X_LOG, Y_LOG, order=[2, 0, 5, 1, 4, 3]).mistakes[:5]


@HW.check(
    "q3",
    "replay adds up y x over the log, from w = 0",
    hint="w_0 = 0 comes first, then one entry a mistake; an example that is in the log twice is "
    "added twice. The second series is the *squared* length.",
    on=[(X_LOG, Y_LOG, LOG[:4], np.array([-0.48, -0.64, 0.6]))],
)
def _(call, X, y, log, u):
    along, norm2 = parts(call("replay", X, y, log, u), "along", "norm2")
    many = f"for the start and {len(log)} mistakes"
    along = vector(along, len(log) + 1, f"along, {many}")
    norm2 = vector(norm2, len(log) + 1, f"norm2, {many}")
    for k, w in enumerate(history(X, y, log)):
        weights = f"w_{k} = ({', '.join(f'{v:g}' for v in w)})"
        expect(close(along[k], w @ u), f"{weights}, so w_{k}·u = {w @ u:.4g}")
        expect(close(norm2[k], w @ w), f"{weights}, so ‖w_{k}‖² = {w @ w:.4g}")


@HW.check(
    "q3",
    "audit finds the entry that was no mistake",
    hint="Before each entry: is y w·x <= 0 with the w of that moment? Then add it and go on. "
    "Return the position in the log, from 0, or -1.",
    on=[(X_LOG, Y_LOG, LOG_BEGUN, ()), (X_LOG, Y_LOG, LOG, (6, 4))],
)
def _(call, X, y, log, places):
    found = number(call("audit", X, y, log), "the position")
    expect(found == -1, "this log is that of a real run: every entry was a mistake")
    for at in places:
        false = with_false_entry(X, y, log, at)
        found = number(call("audit", X, y, false), "the position")
        t = y[false[at]] * (X[false[at]] @ history(X, y, false[:at])[-1])
        expect(found == at, f"entry {at} of this log was right: y w·x = {t:.4g} > 0")


# --- q4 ------------------------------------------------------------------------------------------


@HW.check(
    "q4",
    "your w separates and your weights are convex",
    hint="Weights are >= 0 and add up to 1. When the new point gets the share t, the old weights "
    "shrink by 1 - t.",
    on=lambda call, _: [own_examples(call)],
)
def _(call, X, y):
    halves(call("certificate", X, y, STEPS), X, y)


@HW.check(
    "q4",
    "your two halves meet",
    hint="Towards which point do you step, and how far? Any separator gives a lower half, any "
    "weights an upper one; only the nearest point makes both the same.",
    on=lambda call, _: [own_examples(call)],
)
def _(call, X, y):
    low, high = halves(call("certificate", X, y, STEPS), X, y)
    expect(low >= ENOUGH * high, f"w has margin {low:.4g}, the weights allow {high:.4g}")


# --- q5 ------------------------------------------------------------------------------------------


def hinge_bound(call: Call, X: np.ndarray, y: np.ndarray, log: np.ndarray, u: np.ndarray) -> Any:
    """Return the answer (L, bound), and what both are."""
    L, bound = parts(call("hinge_bound", X, y, log, u), "L", "bound")
    slack = float(np.maximum(0.0, 1.0 - y * (X @ u))[log].sum())
    want = float((X**2).sum(axis=1).max() * (u @ u) + 2 * slack)
    return number(L, "L"), number(bound, "the bound"), slack, want


@HW.check(
    "q5",
    "without slack the bound is R² ‖u‖²",
    hint="u is taken as it is, not scaled to length 1. R is the largest norm of all rows. Beyond "
    "the margin of 1 the slack is 0, not negative.",
    on=[(X_LOG, Y_LOG, LOG_BEGUN, np.array([-1.75, -3.25, 4.0]))],
)
def _(call, X, y, log, u):
    u = u * (1.25 / (y * (X @ u)).min())  # u separates
    L, bound, _, want = hinge_bound(call, X, y, log, u)
    expect(close(L, 0.0), "every y u·x is 1.25 or more: no slack")
    expect(close(bound, want), f"R² ‖u‖² = {want:.4g}, with the longest row")


@HW.check(
    "q5",
    "every mistake pays its slack, repeats included",
    hint="Sum over the log, not over the examples: an example mistaken three times pays three "
    "times, one never mistaken pays nothing. In the bound L counts twice.",
    on=[(X_LOG, Y_LOG, LOG, np.array([-0.25, -0.5, 0.5]))],
)
def _(call, X, y, log, u):
    L, bound, slack, want = hinge_bound(call, X, y, log, u)
    slacks = ", ".join(f"{v:g}" for v in np.maximum(0.0, 1.0 - y * (X @ u)))
    expect(close(L, slack), f"the slacks of the {len(X)} examples are {slacks}")
    expect(close(bound, want), "the bound is R² ‖u‖² + 2 L")


# --- q6 ------------------------------------------------------------------------------------------


def expect_line(call: Call, line: str, eta: int, beta: int) -> None:
    """State that the sum proves a line of the bound for this step and this caution."""
    eta, beta = int(eta), int(beta)
    expect_proof(call(line, eta, beta), cautious(line, eta, beta), f"sum_of_{line}")


@HW.check(
    "q6",
    "progress: every update brings η γ",
    hint="After the update (w + η z)·u is w·u + η z·u. Which fact speaks of w·u, which of z·u, and "
    "how often is each needed?",
    on=[(1, 1), (2, 5), (3, 0)],
)
def _(call, eta, beta):
    expect_line(call, "progress", eta, beta)


@HW.check(
    "q6",
    "growth: the length grows slowly",
    hint="Multiply ‖w + η z‖² out: three terms. For each there is one fact that bounds it; the "
    "number before the fact is the number before the term.",
    on=[(1, 1), (1, 0), (2, 5)],
)
def _(call, eta, beta):
    expect_line(call, "growth", eta, beta)


# --- the quiz and the proof ----------------------------------------------------------------------

HW.quiz(
    "q7",
    "All examples are moved by the same vector v, far away from the origin. The perceptron has an "
    "offset. What happens to the bound?",
    {
        "A": "nothing: the offset absorbs the move",
        "B": "it may grow a lot, though the two classes are as far apart as before",
        "C": "it shrinks, because R grows",
        "D": "it does not hold any more",
    },
    "B",
    {
        "A": "The separating line moves along, yes. But R and the margin are those of (x, 1), seen "
        "from the origin.",
        "B": "Right. R grows with v, and in (u, c) the offset grows, so the margin of (x, 1) "
        "shrinks. Centre your data.",
        "C": "R stands in the numerator of (R / γ)². What does a larger R do to it?",
        "D": "It holds for every set that is separable with an offset. It may just promise little.",
    },
)

HW.by_hand["q8"] = 7

check, quiz, finish = client.bind(HW)
