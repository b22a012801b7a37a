"""Homework 1: the perceptron. Its questions, its data and the checks that students can run."""

from typing import Any

import numpy as np

from lectures_lib.conventions import add_constant
from lectures_lib.perceptron import perceptron, voted_perceptron

from .language.checks import Assignment, Call, close, expect
from .language.reading import number, parts, truth, vector
from .language.sums import expect_proof as expect_sum
from .proofs import no_separator
from .student import client

#: Passes after which the sets of q4 have long given themselves away.
ENOUGH = 400


def data(seed: int) -> dict[str, np.ndarray]:
    """Return a student's two sets of examples: a line separates one of them, which one varies.

    Parameters
    ----------
    seed : a whole number of the student

    Examples
    --------
    >>> from lectures_homework import hw1
    >>> sorted(hw1.data(7))
    ['X1', 'X2', 'y1', 'y2']
    """
    rng = np.random.default_rng([1, seed])
    sets = [separable_set(rng), tangled_set(rng)]
    (X1, y1), (X2, y2) = sets if rng.random() < 0.5 else sets[::-1]
    return {"X1": X1, "y1": y1, "X2": X2, "y2": y2}


HW = Assignment("hw1", "The perceptron", minutes=150, data=data)
HW.question("q1", "predict", "update", hidden=(2, 2))
HW.question("q2", "perceptron", hidden=(3, 3))
HW.question("q3", "averaged", hidden=(2, 2))
HW.question("q4", "certify", hidden=(1, 1))
HW.question("q5", "refute", hidden=(1, 1))


# --- data ----------------------------------------------------------------------------------------


def rounds(X: np.ndarray, y: np.ndarray, passes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (w, b) after each round, shape (rounds, d + 1), and the score met in each round."""
    lifted = add_constant(X)
    run = voted_perceptron(lifted, y, epochs=passes)
    after = np.repeat(run.weights, run.counts, axis=0)
    before = np.vstack([np.zeros((1, lifted.shape[1])), after[:-1]])
    return after, (before * np.tile(lifted, (passes, 1))).sum(axis=1)


def separable_set(rng: np.random.Generator, n: int = 7) -> tuple[np.ndarray, np.ndarray]:
    """Return n whole-numbered points that a line separates, with little room to spare."""
    while True:
        X, u = rng.integers(-4, 8, size=(n, 2)).astype(float), rng.normal(size=2)
        y = np.where(X @ u > np.median(X @ u) - 0.05, 1.0, -1.0)
        run = perceptron(add_constant(X), y, max_epochs=ENOUGH // 4)
        if run.converged and run.epochs >= 12 and not perceptron(X, y, max_epochs=200).converged:
            return X, y


def tangled_set(rng: np.random.Generator, n: int = 7) -> tuple[np.ndarray, np.ndarray]:
    """Return n whole-numbered points that no line separates; w comes back before (w, b)."""
    while True:
        X, y = rng.integers(-4, 8, size=(n, 2)).astype(float), rng.choice([-1.0, 1.0], size=n)
        run = perceptron(add_constant(X), y, max_epochs=ENOUGH // 4)
        if run.converged or abs(y.sum()) > 3:
            continue
        W = np.asarray(run.weights)
        first, first_w = first_return(W), first_return(W[:, :2])
        if first is not None and first_w is not None and first[0] > 3 and first_w[1] < first[1]:
            return X, y


def first_return(W: np.ndarray) -> tuple[int, int] | None:
    """Return (when, again): the first row of W that an earlier row equals."""
    seen: dict[tuple, int] = {}
    for k, row in enumerate(map(tuple, W + 0.0)):
        if row in seen:
            return seen[row], k
        seen[row] = k
    return None


#: Six points that a line separates, but no line through the origin. Used by the visible checks.
X_SIX = np.array([[1.5, 0.25], [2.5, 4.0], [3.75, 0.5], [1.75, -0.25], [-1.5, 3.0], [0.5, 0.75]])
Y_SIX = np.array([1.0, -1.0, -1.0, 1.0, -1.0, 1.0])
#: The one positive point lies between the others: no line separates. In pass 7 the last is wrong.
X_MIX = np.array([[1.25, 0.5], [-0.75, 2.5], [0.25, 0.75], [1.5, 1.75], [3.5, -0.75]])
Y_MIX = np.array([1.0, -1.0, -1.0, -1.0, -1.0])


# --- reading answers -----------------------------------------------------------------------------


def pair(got: Any, d: int) -> tuple[np.ndarray, float]:
    """Return the answer (w, b)."""
    w, b = parts(got, "w", "b")
    return vector(w, d, "w"), number(b, "b")


def four(got: Any, d: int) -> tuple[np.ndarray, float, float, bool]:
    """Return the answer (w, b, mistakes, converged)."""
    w, b, mistakes, converged = parts(got, "w", "b", "mistakes", "converged")
    return *pair((w, b), d), number(mistakes, "mistakes"), truth(converged, "converged")


def expect_separates(w: np.ndarray, b: float, X: np.ndarray, y: np.ndarray) -> None:
    """State that (w, b) is right about every example."""
    t = y * (X @ w + b)
    i = int(np.argmin(t))
    expect(t[i] > 0, f"example {i} is not right: y (w·x + b) = {t[i]:.4g}, not > 0")


def expect_proof(got: Any, X: np.ndarray, y: np.ndarray, separable: bool) -> None:
    """State that the answer of `certify` is true and that its proof proves it."""
    said, proof = parts(got, "separable", "proof")
    claim = "a line separates these examples" if separable else "no line separates these examples"
    expect(truth(said, "separable") == separable, claim)
    if separable:
        proof = vector(proof, 3, "the proof is (w_1, w_2, b)")
        expect_separates(proof[:2], proof[2], X, y)
    else:
        expect_balance(vector(proof, len(y), "the proof has one λ an example"), X, y)


def expect_balance(lam: np.ndarray, X: np.ndarray, y: np.ndarray) -> None:
    """State that lam >= 0 is not 0 and that sum lam y (x, 1) = 0."""
    expect((lam > -1e-9).all(), "every λ must be >= 0")
    expect(lam.max() > 1e-9, "all λ are 0: that proves nothing")
    lam = lam / lam.max()  # first: a sum of huge numbers would be infinite
    left = (lam / lam.sum() * y) @ add_constant(X)
    size = np.abs(X).max()
    expect(np.abs(left[:-1]).max() < 1e-5 * size, "Σ λ y x must be the zero vector")
    expect(abs(left[-1]) < 1e-5, "Σ λ y must be 0 too: the offset is a feature like any other")


def own_sets(call: Call) -> dict[bool, tuple[np.ndarray, np.ndarray]]:
    """Return the sets of the notebook's SEED: {True: the separable one, False: the other}."""
    mine = data(call.seed)
    sets = [(mine["X1"], mine["y1"]), (mine["X2"], mine["y2"])]
    return {perceptron(add_constant(X), y, max_epochs=ENOUGH).converged: (X, y) for X, y in sets}


# --- q1 ------------------------------------------------------------------------------------------

#: A plane (w, b) and six points on both sides of it; b decides some.
PLANE = np.array([0.5, -1.5]), 0.75
ROWS = [[1.25, 0.5], [0.25, 0.5], [-1.75, 0.25], [-0.5, -1.25], [1.5, 1.25], [1.5, 0.25]]
#: (w, b, x, y) that are right: by far; then twice thanks to b alone; the last by little.
RIGHT = [
    (np.array([0.5, -1.5]), 0.25, np.array([1.75, -0.5]), 1.0),
    (np.array([0.5, -1.5]), 3.25, np.array([0.75, 1.25]), 1.0),
    (np.array([-0.75, 0.5]), -2.75, np.array([-1.25, 0.5]), -1.0),
    (np.array([1.25, 0.75]), -0.5, np.array([0.5, 0.25]), 1.0),
]
#: (w, b, x, y) that are mistakes: the first two by b alone.
WRONG = [
    (np.array([0.5, -1.5]), -1.25, np.array([2.25, 0.25]), 1.0),
    (np.array([-0.75, 0.5]), 1.5, np.array([1.25, 0.75]), -1.0),
    (np.array([1.5, 0.25]), 0.75, np.array([-1.75, 0.5]), 1.0),
    (np.array([1.5, 0.25]), 0.75, np.array([0.5, -2.75]), -1.0),
]


@HW.check(
    "q1",
    "predict names the side of each row",
    hint="The score of a row is w·x + b. Is b in it? Is there one label for every row?",
    on=[(*PLANE, np.array(ROWS))],
)
def _(call, w, b, X):
    got = vector(call("predict", w, b, X), len(X), f"one label for each of the {len(X)} rows")
    expect(np.isin(got, [-1, 1]).all(), "every label is -1 or +1")
    for i, score in enumerate(X @ w + b):
        expect(got[i] * score > 0, f"row {i} scores w·x + b = {score:.4g}, so which side?")


@HW.check(
    "q1",
    "update: no mistake, no change",
    hint="When exactly do you update? The test is on y (w·x + b), with the offset, against 0.",
    on=RIGHT,
)
def _(call, w, b, x, y):
    new_w, new_b = pair(call("update", w, b, x, y), len(w))
    right = f"y (w·x + b) = {y * (w @ x + b):.4g} > 0 is no mistake"
    expect(close(new_w, w), f"{right}, so w stays {[*map(float, w)]}")
    expect(close(new_b, b), f"{right}, so b stays {b}")


@HW.check(
    "q1",
    "update: a mistake moves w by y x and b by y",
    hint="Which way, and how far? The step is the label times (x, 1); the score only says when.",
    on=WRONG,
)
def _(call, w, b, x, y):
    new_w, new_b = pair(call("update", w, b, x, y), len(w))
    what = f"y (w·x + b) = {y * (w @ x + b):.4g} is a mistake with y = {y:+.0f}"
    expect(close(new_w - w, y * x), f"{what}: w must move by {y * x}")
    expect(close(new_b - b, y), f"{what}: b must move by {y:+.0f}, not {new_b - b:+.4g}")


# --- q2 ------------------------------------------------------------------------------------------


@HW.check(
    "q2",
    "it finds a separator where one exists",
    hint="One pass is rarely enough, and a line through the origin may not do. "
    "From w = 0, does your test let the first example count as a mistake?",
    on=[(X_SIX, Y_SIX, 100)],
)
def _(call, X, y, limit):
    w, b, _, converged = four(call("perceptron", X, y, limit), 2)
    expect_separates(w, b, X, y)
    expect(converged, "the last pass was clean, so converged is True")


@HW.check(
    "q2",
    "it stops at the pass limit and admits it",
    hint="These examples cannot be separated: no pass is ever clean. What ends your loop then, "
    "and what is `converged` when the limit ended it?",
    on=[(X_MIX, Y_MIX, 7, False)],
)
def _(call, X, y, limit, separable):
    converged = four(call("perceptron", X, y, limit), 2)[3]
    no = "no line separates these examples, so no pass was clean"
    expect(converged == separable, "a line separates, so a pass was clean" if separable else no)


@HW.check(
    "q2",
    "mistakes of all passes are counted",
    hint="The count starts at 0 once, before the first pass, and grows by one at each mistake. "
    "Where no pass is clean, how many passes do you make?",
    on=[(X_SIX, Y_SIX, 100), (X_MIX, Y_MIX, 7)],
)
def _(call, X, y, limit):
    run = perceptron(add_constant(X), y, max_epochs=limit)
    count = four(call("perceptron", X, y, limit), 2)[2]
    each = " + ".join(str(m) for m in run.epoch_mistakes)
    claim = f"with max_passes = {limit} the mistakes are {each}, pass by pass"
    expect(count == len(run.mistakes), claim)


# --- q3 ------------------------------------------------------------------------------------------


@HW.check(
    "q3",
    "w is an average, not the last w",
    hint="The sum takes w after each round, update included; the start w = 0 is not one of them.",
    on=[(np.array([[1.5, 0.5], [1.25, 0.25], [-0.5, -1.75]]), np.array([1.0, -1.0, 1.0]))],
)
def _(call, X, y):
    after, _ = rounds(X, y, 1)
    w, _ = pair(call("averaged", X, y, 1), 2)
    steps = ", then ".join(f"({a:g}, {c:g})" for a, c in after[:, :2])
    expect(close(w, after[:, :2].mean(axis=0)), f"after each of the {len(X)} rounds w is {steps}")


@HW.check(
    "q3",
    "b is averaged like w",
    hint="The offset is the weight of a feature that is always 1: whatever happens to w, happens "
    "to b.",
    on=[(np.array([[1.5, 0.5], [-0.5, 0.25], [-0.75, 1.25]]), np.array([-1.0, 1.0, -1.0]))],
)
def _(call, X, y):
    after, _ = rounds(X, y, 1)
    _, b = pair(call("averaged", X, y, 1), 2)
    steps = ", then ".join(f"{c:g}" for c in after[:, 2])
    expect(close(b, after[:, 2].mean()), f"after each of the {len(X)} rounds b is {steps}")


# --- q4 ------------------------------------------------------------------------------------------


@HW.check(
    "q4",
    "your separable set gets a separator",
    hint="A clean pass proves it. Give the loop enough passes, and return w_1, w_2 and b in a row.",
    on=lambda call, _: [own_sets(call)[True]],
)
def _(call, X, y):
    expect_proof(call("certify", X, y, ENOUGH), X, y, True)


@HW.check(
    "q4",
    "your other set gets weights that refute every separator",
    hint="Which mistakes happened between two visits of the same (w, b)? Count those, not all. "
    "Both w and b must have come back.",
    on=lambda call, _: [own_sets(call)[False]],
)
def _(call, X, y):
    expect_proof(call("certify", X, y, ENOUGH), X, y, False)


# --- q5 ------------------------------------------------------------------------------------------


@HW.check(
    "q5",
    "your other set: the facts add up to 0 > 0",
    points=2,
    hint="What is left over must be 0 for all w and b. How often is each fact taken? Its label is "
    "inside it already; the examples are numbered from 1; nothing at all is not > 0.",
    on=lambda call, _: [own_sets(call)[False]],
)
def expect_refuted(call: Call, X: np.ndarray, y: np.ndarray) -> None:
    """State that the sum proves 0 > 0 from a separator of these examples."""
    expect_sum(call("refute", X, y, ENOUGH), no_separator(X, y), "absurd")


# --- quizzes and the proof -----------------------------------------------------------------------

HW.quiz(
    "q6",
    "An example has ‖x‖² = 3 and y (w·x + b) = -9. The perceptron with offset meets it again and "
    "again, nothing else in between. After how many updates is it right?",
    {"A": "one", "B": "three", "C": "four", "D": "nine"},
    "B",
    {
        "A": "An update moves the score the right way, but not always far enough. By how much?",
        "B": "Right. Each update adds ‖x‖² + 1 = 4, the 1 from the offset: -9, -5, -1, 3.",
        "C": "Each update would add 3 if there were no offset. But b moves too: that adds 1 more.",
        "D": "That would be a gain of about 1 an update: the offset's part. And what x adds?",
    },
)

HW.quiz(
    "q7",
    "A perceptron has made 1000 passes and every one had mistakes. What do you know?",
    {
        "A": "the data are not linearly separable",
        "B": "there is a bug in the program",
        "C": "the data are separable, the margin is just small",
        "D": "none of these: it could be either, and a repeated (w, b) would settle it",
    },
    "D",
    {
        "A": "A small margin can cost thousands of passes. Patience is no proof.",
        "B": "On data that cannot be separated a right program never has a clean pass.",
        "C": "It may be so. But data that cannot be separated look just the same from here.",
        "D": "Right. One repetition of (w, b) proves that no separator exists; passes never do.",
    },
)

HW.by_hand["q8"] = 7

check, quiz, finish = client.bind(HW)
