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
    points=1,
    hint="Double w: the plane w·x = 0 stays where it is, so no distance may change. By which "
    "length of w do you divide, and to which power?",
)
def _(call, rng):
    y = np.where(X_FIVE @ W_FIVE > 0, 1.0, -1.0)
    got = vector(call("margins", W_FIVE, 0.0, X_FIVE, y), 5, "one margin an example")
    for i, far in enumerate(distances(W_FIVE, 0.0, X_FIVE)):
        expect(close(abs(got[i]), far), f"example {i} is {far:.4g} away from the plane")


@HW.check(
    "q1",
    "margins are negative where the example is on the wrong side",
    points=1,
    hint="The side is decided by w·x + b, and right or wrong by the label. A margin of an example "
    "can be negative; a distance cannot.",
)
def _(call, rng):
    b, y = 1.75, np.array([1.0, 1.0, 1.0, -1.0, 1.0])
    got = vector(call("margins", W_FIVE, b, X_FIVE, y), 5, "one margin an example")
    for i, t in enumerate(y * (X_FIVE @ W_FIVE + b)):
        expect(got[i] * t > 0, f"example {i} has y (w·x + b) = {t:.4g}")


@HW.check(
    "q1",
    "set_margin is the margin of one example, the worst",
    points=1,
    hint="L1: the margin of a set is the smallest over its points. Not the mean, and not the "
    "width of the street, which is twice as much.",
)
def _(call, rng):
    b, y = 0.5, np.where(X_FIVE @ W_FIVE + 0.5 > 0, 1.0, -1.0)
    got = number(call("set_margin", W_FIVE, b, X_FIVE, y), "the margin of a set")
    every = distances(W_FIVE, b, X_FIVE)
    listed = ", ".join(f"{far:.4g}" for far in every)
    expect(close(got, every.min()), f"all are right, at the distances {listed}")


# --- q2 ------------------------------------------------------------------------------------------

#: Four points near the origin and a separator (u, c): the constant feature is their longest part.
X_NEAR = np.array([[-0.15, -0.1], [-0.05, 0.0], [0.15, 0.1], [0.15, -0.1]])
Y_NEAR = np.array([1.0, -1.0, -1.0, -1.0])
U_NEAR, C_NEAR = np.array([-1.5, -2.0]), -0.25


@HW.check(
    "q2",
    "the bound does not depend on the length of (u, c)",
    points=1,
    hint="The theorem asks for a separator of length 1. Yours has any length: measure its margin "
    "by dividing.",
)
def _(call, rng):
    once = number(call("bound", X_NEAR, Y_NEAR, U_NEAR, C_NEAR), "the bound")
    again = number(call("bound", X_NEAR, Y_NEAR, 3.5 * U_NEAR, 3.5 * C_NEAR), "the bound")
    expect(close(once, again), f"with (u, c) it was {once:.4g}, with 3.5 (u, c) {again:.4g}")


@HW.check(
    "q2",
    "no run makes more mistakes than the bound",
    points=1,
    hint="The perceptron with offset runs on the examples (x, 1). The theorem speaks of *their* "
    "radius and *their* margin, and of a square.",
)
def _(call, rng):
    allowed = number(call("bound", X_NEAR, Y_NEAR, U_NEAR, C_NEAR), "the bound")
    made = len(perceptron(add_constant(X_NEAR), Y_NEAR).mistakes)
    expect(made <= allowed, f"the perceptron with offset makes {made} mistakes on these examples")
    expect(allowed < 4 * made, "this is far more than the theorem allows")


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
    points=1,
    hint="w_0 = 0 comes first, then one entry a mistake; an example that is in the log twice is "
    "added twice. The second series is the *squared* length.",
)
def _(call, rng):
    u, log = np.array([-0.48, -0.64, 0.6]), LOG[:4]  # u has length 1
    along, norm2 = parts(call("replay", X_LOG, Y_LOG, log, u), "along", "norm2")
    W = history(X_LOG, Y_LOG, log)
    along = vector(along, 5, "along, for the start and 4 mistakes")
    norm2 = vector(norm2, 5, "norm2, for the start and 4 mistakes")
    for k, w in enumerate(W):
        weights = f"w_{k} = ({', '.join(f'{v:g}' for v in w)})"
        expect(close(along[k], w @ u), f"{weights}, so w_{k}·u = {w @ u:.4g}")
        expect(close(norm2[k], w @ w), f"{weights}, so ‖w_{k}‖² = {w @ w:.4g}")


@HW.check(
    "q3",
    "audit finds the entry that was no mistake",
    points=1,
    hint="Before each entry: is y w·x <= 0 with the w of that moment? Then add it and go on. "
    "Return the position in the log, from 0, or -1.",
)
def _(call, rng):
    for log in (LOG_BEGUN, LOG):
        found = number(call("audit", X_LOG, Y_LOG, log), "the position")
        expect(found == -1, "this log is that of a real run: every entry was a mistake")
    for at in (6, 4):
        log = with_false_entry(X_LOG, Y_LOG, LOG, at)
        found = number(call("audit", X_LOG, Y_LOG, log), "the position")
        t = Y_LOG[log[at]] * (X_LOG[log[at]] @ history(X_LOG, Y_LOG, log[:at])[-1])
        expect(found == at, f"entry {at} of this log was right: y w·x = {t:.4g} > 0")


# --- q4 ------------------------------------------------------------------------------------------


@HW.check(
    "q4",
    "your w separates and your weights are convex",
    points=1,
    hint="Weights are >= 0 and add up to 1. When the new point gets the share t, the old weights "
    "shrink by 1 - t.",
)
def _(call, rng):
    X, y = own_examples(call)
    halves(call("certificate", X, y, STEPS), X, y)


@HW.check(
    "q4",
    "your two halves meet",
    points=1,
    hint="Towards which point do you step, and how far? Any separator gives a lower half, any "
    "weights an upper one; only the nearest point makes both the same.",
)
def _(call, rng):
    X, y = own_examples(call)
    low, high = halves(call("certificate", X, y, STEPS), X, y)
    expect(low >= ENOUGH * high, f"w has margin {low:.4g}, the weights allow {high:.4g}")


# --- q5 ------------------------------------------------------------------------------------------


@HW.check(
    "q5",
    "without slack the bound is R² ‖u‖²",
    points=1,
    hint="u is taken as it is, not scaled to length 1. R is the largest norm of all rows. Beyond "
    "the margin of 1 the slack is 0, not negative.",
)
def _(call, rng):
    u = np.array([-1.75, -3.25, 4.0])  # separates
    t = Y_LOG * (X_LOG @ u)
    u = u * (1.25 / t.min())
    L, bound = parts(call("hinge_bound", X_LOG, Y_LOG, LOG_BEGUN, u), "L", "bound")
    want = float((X_LOG**2).sum(axis=1).max() * (u @ u))
    expect(close(number(L, "L"), 0.0), "every y u·x is 1.25 or more: no slack")
    expect(close(number(bound, "the bound"), want), f"R² ‖u‖² = {want:.4g}, with the longest row")


@HW.check(
    "q5",
    "every mistake pays its slack, repeats included",
    points=1,
    hint="Sum over the log, not over the examples: an example mistaken three times pays three "
    "times, one never mistaken pays nothing. In the bound L counts twice.",
)
def _(call, rng):
    u = np.array([-0.25, -0.5, 0.5])
    xi = np.maximum(0.0, 1.0 - Y_LOG * (X_LOG @ u))
    L, bound = parts(call("hinge_bound", X_LOG, Y_LOG, LOG, u), "L", "bound")
    slacks = ", ".join(f"{v:g}" for v in xi)
    expect(close(number(L, "L"), xi[LOG].sum()), f"the slacks of the six examples are {slacks}")
    want = float((X_LOG**2).sum(axis=1).max() * (u @ u) + 2 * xi[LOG].sum())
    expect(close(number(bound, "the bound"), want), "the bound is R² ‖u‖² + 2 L")


# --- q6 ------------------------------------------------------------------------------------------


@HW.check(
    "q6",
    "progress: every update brings η γ",
    points=1,
    hint="After the update (w + η z)·u is w·u + η z·u. Which fact speaks of w·u, which of z·u, and "
    "how often is each needed?",
)
def _(call, rng):
    for eta, beta in ((1, 1), (2, 5), (3, 0)):
        expect_proof(
            call("progress", eta, beta), cautious("progress", eta, beta), "sum_of_progress"
        )


@HW.check(
    "q6",
    "growth: the length grows slowly",
    points=1,
    hint="Multiply ‖w + η z‖² out: three terms. For each there is one fact that bounds it; the "
    "number before the fact is the number before the term.",
)
def _(call, rng):
    for eta, beta in ((1, 1), (1, 0), (2, 5)):
        expect_proof(call("growth", eta, beta), cautious("growth", eta, beta), "sum_of_growth")


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
    points=1,
)

HW.by_hand["q8"] = 7

check, quiz, finish = client.bind(HW)
