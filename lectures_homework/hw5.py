"""Homework 5: SMO and model selection. Questions, data and the checks students can run."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from lectures_lib import selection, svm
from lectures_lib.conventions import sign

from .language import reading
from .language.checks import Assignment, close, expect
from .language.drawing import drawn, kept
from .student import client
from .verdicts import best, even, expect_lower, expect_upper, expect_verdict

#: The costs of q6.
COSTS = (0.04, 0.6, 7.5)


def data(seed: int) -> dict[str, Any]:
    """Return a student's examples, in two very different units, and their folds.

    Parameters
    ----------
    seed : a whole number of the student

    Examples
    --------
    >>> from lectures_homework import hw5
    >>> sorted(hw5.data(7))
    ['Cs', 'X', 'tests', 'y']
    """
    X, y, tests = mixed_units(np.random.default_rng([5, seed]))
    return {"X": X, "y": y, "tests": tests, "Cs": np.array(COSTS)}


HW = Assignment("hw5", "SMO and model selection", minutes=150, data=data)
HW.question("q1", "segment", "step", hidden=(2, 2))
HW.question("q2", "worst_pair", hidden=(1, 1))
HW.question("q3", "smo", hidden=(2, 2))
HW.question("q4", "standardise", "folds", hidden=(2, 2))
HW.question("q5", "choose", hidden=(1, 1))
HW.question("q6", "cross_validate", hidden=(1, 1))
HW.question("q10", "upper", "lower", "verdict", hidden=(1, 1))


# --- data ----------------------------------------------------------------------------------------


@drawn
def mixed_units(
    rng: np.random.Generator, k: int = 4, n: int = 17
) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Return n examples and k test sets: scaling before the split changes some counts.

    Where no multiplier is free any offset of an interval is right: no count depends on which.
    """
    while True:
        y = rng.permutation(np.where(np.arange(n) < 7 * n // 17, 1.0, -1.0))
        wild = np.exp(1.3 * rng.normal(size=n)) * rng.choice([-40, 40], size=n)
        X = np.column_stack([0.02 * (1.1 * y + rng.normal(size=n)) + 0.5, wild + 25 * y + 300])
        X, tests = np.round(X, 4), list(selection.folds(n, k, rng=rng))
        fair = scores(X, y, tests)
        if np.abs(fair).min() < 0.03:  # rounding could change a prediction
            continue
        if (counts(fair, y, tests) == counts(scores(X, y, tests, leak=True), y, tests)).all():
            continue
        low, high = (scores(X, y, tests, end=end) for end in (0, 1))
        if (low * high > 0).all() and min(np.abs(low).min(), np.abs(high).min()) >= 0.03:
            return X, y, tests


@kept
def scores(
    X: np.ndarray, y: np.ndarray, tests: Sequence, *, leak: bool = False, end: int | None = None
) -> np.ndarray:
    """Return each cost's scores of the examples left out.

    `leak`: all examples set the scale. `end`: the offset is that end of its interval.
    """
    found = np.zeros((len(COSTS), len(y)))
    for test in tests:
        rest = np.setdiff1d(np.arange(len(y)), test)
        seen = X if leak else X[rest]
        Z = (X - seen.mean(axis=0)) / seen.std(axis=0)
        for row, C in zip(found, COSTS):
            machine = svm.train(Z[rest], y[rest], C, tol=1e-7)
            moved = 0.0 if end is None else machine.b_interval[end] - machine.b
            row[test] = machine.decision(Z[test]) + moved
    return found


def counts(found: np.ndarray, y: np.ndarray, tests: Sequence) -> np.ndarray:
    """Return how many scores have the wrong sign, for each cost and each test set."""
    return np.column_stack([(sign(found) != y)[:, test].sum(axis=1) for test in tests])


#: Nine points of the plane, four of them positive, some on the wrong side. For visible checks.
X_NINE = [[0.5, 1.25], [1.75, 0.5], [2.25, 2.0], [-0.75, 0.25], [0.25, -1.5], [-1.25, -0.5]]
X_NINE = np.array([*X_NINE, [1.0, -0.75], [-0.5, 1.75], [1.5, 1.5]])
#: K, y and C for them.
NINE = X_NINE @ X_NINE.T, np.repeat([1.0, -1.0], [4, 5]), 0.75
#: Feasible multipliers for them: some at 0, some at C, some between; sum alpha y = 0.
A_NINE = np.array([0.125, 0.75, 0.5, 0.75, 0.75, 0.0, 0.125, 0.625, 0.625])


# --- multipliers ---------------------------------------------------------------------------------


def wanted(K: np.ndarray, y: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """Return F = y - K (alpha y): what each example still asks for."""
    return y - K @ (alpha * y)


def movable(y: np.ndarray, C: float, alpha: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which alpha_i y_i can grow, and which can shrink."""
    up, down = alpha < C, alpha > 0
    return np.where(y > 0, up, down), np.where(y > 0, down, up)


def expect_feasible(alpha: np.ndarray, y: np.ndarray, C: float) -> None:
    """State that alpha keeps the balance and the box."""
    expect(bool(abs(alpha @ y) <= 1e-4), f"Σ α y must be 0; it is {alpha @ y:.4g}")
    least, most = alpha.min(), alpha.max()
    claim = f"every α lies in [0, C] = [0, {C:g}]; yours go from {least:.4g} to {most:.4g}"
    expect(bool(least >= -1e-5 and most <= C + 1e-5), claim)


def duality_gap(K: np.ndarray, y: np.ndarray, C: float, alpha: np.ndarray) -> float:
    """Return the duality gap of alpha, with the offset that suits it best."""
    low, high = svm.best_offset(wanted(K, y, alpha), y)
    return svm.certificate(K, y, C, alpha, (low + high) / 2).gap


# --- q1 ------------------------------------------------------------------------------------------


def ends(y1: float, y2: float, a1: float, a2: float, C: float) -> tuple[float, float]:
    """Return the ends of a2, by the two bounds of a1."""
    s = y1 * y2
    first, last = sorted([a2 + s * a1, a2 + s * (a1 - C)])
    return max(0.0, first), min(C, last)


@HW.check(
    "q1",
    "segment: L and H, for like and for unlike labels",
    hint="Unlike labels: a2 - a1 stays. Like labels: a1 + a2 stays. Both a1 and a2 must be in "
    "[0, C] at both ends: which of the two stops first?",
    on=[(1.75, [(1, -1, 0.5, 1.25), (-1, 1, 1.25, 0.5), (1, 1, 0.5, 1), (-1, -1, 1.5, 1.25)])],
)
def _(call, C, cases):
    cases = [tuple(map(float, one)) for one in cases]
    for case in cases:  # all of them first: one reply alone fits more than one misconception
        call("segment", *case, C)
    for y1, y2, a1, a2 in cases:
        got = reading.parts(call("segment", y1, y2, a1, a2, C), "L", "H")
        L, H = ends(y1, y2, a1, a2, C)
        stays = f"a2 - a1 = {a2 - a1:g}" if y1 != y2 else f"a1 + a2 = {a1 + a2:g}"
        right = close([reading.number(end, "an end") / C for end in got], (L / C, H / C))
        expect(right, f"{stays} stays, so a2 can go from {L:g} to {H:g}")


def best_step(K: np.ndarray, y: np.ndarray, C: float, alpha: np.ndarray, i: int, j: int) -> Any:
    """Return (alpha after the exact step, the step without the box, the step with it).

    By another route: on beta = alpha y.
    """
    F, beta, low, high = wanted(K, y, alpha), alpha * y, np.minimum(0, C * y), np.maximum(0, C * y)
    top = (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j])
    least = max(low[i] - beta[i], beta[j] - high[j])
    most = min(high[i] - beta[i], beta[j] - low[j])
    t = min(max(top, least), most)
    beta[[i, j]] += (t, -t)
    return beta * y, top, t


@HW.check(
    "q1",
    "step: to the top of the parabola",
    hint="α_j moves by y_j (E_i - E_j) / η, in this order; η has a minus and a 2. E needs the "
    "labels: Σ α y K. Then α_i moves so that Σ α y stays: by the same amount, which way?",
    on=[(*NINE, A_NINE, i, j) for i, j in [(0, 1), (4, 2), (0, 6), (7, 6)]],
)
def _(call, K, y, C, alpha, i, j):  # the box cuts none of these steps
    new = reading.vector(call("step", K, y, C, alpha, i, j), len(y), "α")
    rest = np.delete(np.arange(len(y)), [i, j])
    claim = f"only α_{i} and α_{j} move, the others must stay"
    expect(close(new[rest] / C, alpha[rest] / C), claim)
    end = best_step(K, y, C, alpha, i, j)[0]
    way, want = new - alpha, end - alpha
    size = np.abs(want).max()  # of a step, be it ever so small
    near = close(way / size, want / size, rtol=1e-2, atol=1e-3)
    there, F = near and close(new / C, end / C, atol=1e-5), wanted(K, y, new)
    if not there:
        expect_feasible(new, y, C)
    expect(there, f"at the top of D both errors are equal; yours differ by {abs(F[i] - F[j]):.4g}")


# --- q2 ------------------------------------------------------------------------------------------


@HW.check(
    "q2",
    "the pair violates most of all pairs that can move",
    hint="α y can grow: α < C for a positive example, α > 0 for a negative one. i is the largest F "
    "among those, j the smallest among those that can shrink.",
    on=[(*NINE, A_NINE)],
)
def _(call, K, y, C, alpha):
    expect_worst(call("worst_pair", K, y, C, alpha), K, y, C, alpha)


def expect_worst(got: Any, K: np.ndarray, y: np.ndarray, C: float, alpha: np.ndarray) -> None:
    """State that the answer (i, j, violation) is a most violating pair."""
    names = ("i", "j", "violation")
    i, j, violation = map(reading.number, reading.parts(got, *names), names)
    expect(i in range(len(y)) and j in range(len(y)), f"i and j are indices from 0 to {len(y) - 1}")
    i, j, F, (grow, shrink) = int(i), int(j), wanted(K, y, alpha), movable(y, C, alpha)
    facts = "y = {:+.0f} and α = {:.4g}, so α y cannot {}"
    expect(bool(grow[i]), f"i = {i}: " + facts.format(y[i], alpha[i], "grow"))
    expect(bool(shrink[j]), f"j = {j}: " + facts.format(y[j], alpha[j], "shrink"))
    top, bottom = F[grow].max(), F[shrink].min()
    expect(close(F[i], top, atol=1e-5), f"F_{i} = {F[i]:.4g}, but another that can grow has more")
    expect(close(F[j], bottom, atol=1e-5), f"F_{j} = {F[j]:.4g}; another that can shrink has less")
    expect(close(violation, top - bottom, atol=1e-5), f"F_i - F_j = {top - bottom:.4g}")


# --- q3 ------------------------------------------------------------------------------------------


@HW.check(
    "q3",
    "every step keeps the box and the balance",
    hint="Start at α = 0, where Σ α y = 0. A step moves two, along the segment of q1; C cuts it. "
    "After max_steps steps at most 2 max_steps multipliers have moved.",
    on=[(*NINE, steps) for steps in (1, 2, 3, 2000)],
)
def _(call, K, y, C, steps):
    alpha, _ = machine(call("smo", K, y, C, 1e-4, steps), len(y))
    expect_feasible(alpha, y, C)
    moved = int(np.sum(alpha > 1e-9))
    expect(moved <= 2 * steps, f"{steps} steps can move {2 * steps} multipliers, not {moved}")
    expect(moved > 0, "the first step moves two multipliers away from 0")


@HW.check(
    "q3",
    "the duality gap closes",
    hint="Are all errors brought up to date after a step, not only those of the pair? Does every "
    "example, the last one too, get its turn? Does the loop go on until the violation is <= tol?",
    on=[(*NINE, tol, 2000) for tol in (1e-2, 1e-4)],
)
def _(call, K, y, C, tol, steps):
    alpha, _ = machine(call("smo", K, y, C, tol, steps), len(y))
    expect_optimal(alpha, K, y, C, tol)


def machine(got: Any, n: int) -> tuple[np.ndarray, float]:
    """Return the answer (alpha, b)."""
    alpha, b = reading.parts(got, "alpha", "b")
    alpha, b = reading.vector(alpha, n, "alpha"), reading.number(b, "b")
    expect(bool(np.isfinite(b)), "b is a finite number")
    return alpha, b


def expect_optimal(alpha: np.ndarray, K: np.ndarray, y: np.ndarray, C: float, tol: float) -> None:
    """State that alpha is feasible and its duality gap as small as tol promises, twice over."""
    expect_feasible(alpha, y, C)
    gap, most = duality_gap(K, y, C, alpha), len(y) * C * tol
    expect(bool(gap <= most + 1e-6), f"the duality gap is {gap:.4g}; n C tol = {most:.4g}")


# --- q4 ------------------------------------------------------------------------------------------

TRAIN = np.array([[1.5, 200.0, -3.0], [2.5, 260.0, 4.0], [4.0, 180.0, 1.0], [3.0, 330.0, 0.5]])
TEST = np.array([[2.0, 310.0, 6.0], [5.5, 150.0, 2.0], [3.5, 400.0, -1.0]])


@HW.check(
    "q4",
    "standardise: mean and deviation are those of the training examples",
    hint="One mean and one deviation for each feature (column), both from `train` alone. The test "
    "examples must not be asked: at that moment nobody knows them.",
    on=[(TRAIN, TEST)],
)
def _(call, train, test):
    expect_scaled(call("standardise", train, test), train, test)


def expect_scaled(got: Any, train: np.ndarray, test: np.ndarray) -> None:
    """State that the answer is both sets, scaled by the statistics of the first."""
    names, mean = ("train", "test"), train.mean(axis=0)
    deviation = np.sqrt(np.mean((train - mean) ** 2, axis=0))
    for name, one, X in zip(names, reading.parts(got, *names), (train, test)):
        one = reading.array(one, X.shape, name)
        want = (X - mean) / np.where(np.ptp(train, axis=0) > 0, deviation, 1.0)
        r, c = np.unravel_index(int(np.argmax(np.abs(np.nan_to_num(one, nan=1e9) - want))), X.shape)
        entry = f"{name}[{r}, {c}] = {X[r, c]:g}; in train that column has mean {mean[c]:.4g}"
        expect(close(one, want, atol=1e-5), f"{entry} and deviation {deviation[c]:.4g}")


@HW.check(
    "q4",
    "folds: every example is tested once",
    hint="The folds are the *test* sets. Together they hold each index 0, ..., n - 1 once, also "
    "where k does not divide n.",
    on=[(np.array([1, -1, -1, 1, -1, -1, -1, 1, -1, 1, -1, -1, 1, -1, -1, -1, 1.0]), 3)],
)
def _(call, y, k):
    expect_folds(call("folds", y, k), len(y), k)


def expect_folds(got: Any, n: int, k: int) -> list[np.ndarray]:
    """Return the test sets, after stating that every example is in one of them."""
    tests = reading.parts(got, *(f"fold {f}" for f in range(k)))
    form = "a fold is one list of indices, those of its test set"
    tests = [np.array(reading.wholes(test, n - 1, form), dtype=int) for test in tests]
    found = np.concatenate(tests)
    for index in range(n):
        many = int(np.sum(found == index))
        expect(many == 1, f"every example is tested once; index {index} is in {many} folds")
    expect(found.size == n, f"a fold is a list of indices from 0 to {n - 1}")
    return tests


# --- q5 ------------------------------------------------------------------------------------------


WRONG = np.array([[4, 0, 3], [3, 1, 2], [1, 6, 0], [3, 4, 1]])


@HW.check(
    "q5",
    "the C with the fewest mistakes, and its error",
    hint="Add up the mistakes of each C over its folds, and divide by all examples. The folds "
    "differ in size, so the mean of the folds' shares is something else.",
    on=[(WRONG, np.array([4, 9, 12]), np.array([0.25, 1.5, 6.0, 30.0]))],
)
def _(call, wrong, sizes, Cs):
    expect_choice(call("choose", wrong, sizes, Cs), wrong, sizes, Cs)


def expect_choice(got: Any, wrong: np.ndarray, sizes: np.ndarray, Cs: np.ndarray) -> None:
    """State that the answer is (C, error) by the rule of q5."""
    names = ("C", "error")
    C, error = map(reading.number, reading.parts(got, *names), names)
    total, n = [sum(int(v) for v in row) for row in wrong], int(np.sum(sizes))
    best = min(float(c) for c, t in zip(Cs, total) if t == min(total))
    totals = ", ".join(f"{t} with C = {c:g}" for t, c in zip(total, Cs))
    expect(close(C, best), f"mistakes in all folds: {totals}; so C = {best:g}")
    expect(close(error, min(total) / n), f"{min(total)} mistakes on {n} examples")


# --- q6 ------------------------------------------------------------------------------------------


@HW.check(
    "q6",
    "your table of mistakes on examples left out",
    hint="Train on the examples that are *not* in the fold, and count on those that are. Mean and "
    "deviation come from the training part alone, for both parts. Is b in the score?",
    on=lambda call, _: [mixed_units(np.random.default_rng([5, call.seed]))],
)
def _(call, X, y, tests):
    expect_table(call("cross_validate", X, y, np.array(COSTS), tests), X, y, tests)


def expect_table(
    got: Any, X: np.ndarray, y: np.ndarray, tests: list[np.ndarray], asked: Sequence[int] = ()
) -> None:
    """State that the answer counts the mistakes of each cost on each fold.

    `asked` are the places of the costs in COSTS, in the order of the rows; all if there are none.
    """
    what, rows = "a row for each C, a column for each fold", list(asked) or range(len(COSTS))
    got = reading.array(got, (len(rows), len(tests)), what)
    found, truth = scores(X, y, tests), counts(scores(X, y, tests), y, tests)
    for r, f in np.ndindex(got.shape):
        c, want = rows[r], truth[rows[r], f]
        listed = ", ".join(f"{s:+.2f}" for s in found[c, tests[f]])
        labels = ", ".join(f"{v:+.0f}" for v in y[tests[f]])
        fold = f"C = {COSTS[c]:g}, fold {f}: the scores are {listed}, the labels {labels}"
        expect(close(got[r, f], want), f"{fold}: {want} mistakes")


# --- quizzes and the explanation -----------------------------------------------------------------

HW.quiz(
    "q7",
    "C = 2, labels unlike, a1 = 2 and a2 = 0.5. The top of the parabola is at a2 = 1.25. Where "
    "does the exact step end?",
    {
        "A": "a1 = 2, a2 = 1.25",
        "B": "a1 = 2.75, a2 = 1.25",
        "C": "a1 = 1.25, a2 = 1.25",
        "D": "a1 = 2, a2 = 0.5: nothing moves",
    },
    "D",
    {
        "A": "If a2 moves alone, Σ α y changes by 0.75.",
        "B": "The balance is kept, but a1 leaves the box [0, 2].",
        "C": "That keeps a1 + a2 = 2.5, the line of like labels. These are unlike.",
        "D": "Right. Unlike labels move together, and a1 cannot grow: H = C + a2 - a1 = 0.5.",
    },
)

HW.quiz(
    "q8",
    "40 values of C, 10 folds, 60 examples with labels tossed by a fair coin. The best C has a "
    "cross-validated error of 37 %. What is true?",
    {
        "A": "the machine has learnt something: 37 % is clearly below 50 %",
        "B": "the folds were not stratified",
        "C": "the error on new examples is 50 %; the smallest of 40 noisy numbers is too small",
        "D": "cross-validation is always too optimistic, also for one C fixed before",
    },
    "C",
    {
        "A": "There is nothing to learn from a coin. What else makes the number small?",
        "B": "Stratified or not, a coin is a coin.",
        "C": "Right. Choosing uses the folds up. The winner needs examples that chose nothing.",
        "D": "For one C fixed before, each left-out example is judged fairly.",
    },
)

HW.by_hand["q9"] = 7


# --- q10 -----------------------------------------------------------------------------------------

#: Six examples that no line separates.
X_B = np.array([[1, 7], [6, -1], [-5, -7], [-1, 2], [3, 3], [2, -6]]) / 4
Y_B = np.array([1.0, -1.0, -1.0, 1.0, -1.0, 1.0])


@HW.check(
    "q10",
    "upper and lower: an α that is not feasible bounds nothing",
    hint="upper is the objective of the w and b that were sent. lower needs α alone; below 0, "
    "above C or with Σ α y other than 0 it is -inf.",
    on=[(X_B, Y_B, C, (np.array([-0.75, 0.5]), 1.125), abs(Y_B - 0.8)) for C in (0.4, 3.0)],
)
def _(call, X, y, C, other, unbalanced):
    fit, alpha = best(X, y, C)
    for one in (fit, other):
        expect_upper(call("upper", *one, X, y, C), one, X, y, C)
    for prices in (alpha, even(y, C), 1.3 * alpha, even(y, C) - 0.4 * C, unbalanced):
        expect_lower(call("lower", prices, X, y, C), prices, X, y, C)


@HW.check(
    "q10",
    "verdict: proved by an α, refuted by a better machine, or undecided",
    hint="Proved: some feasible α has upper ≤ (1 + tol) lower. Refuted: one of the others has an "
    "objective that is smaller by more than tol. A gap alone refutes nothing.",
    on=[(X_B, Y_B, 0.4, 1e-3), (X_B, Y_B, 3.0, 0.02)],
)
def _(call, X, y, C, tol):
    fit, alpha = best(X, y, C)
    poor = 0.5 * fit[0], fit[1] + 0.5
    for one, alphas, others, want, why in (
        (fit, [alpha], [], "proved", "the bounds meet"),
        (fit, [even(y, C)], [poor], "undecided", "a poor α, and no better machine"),
        (poor, [even(y, C)], [fit], "refuted", "a better machine is shown"),
        (poor, [alpha], [], "undecided", "no better machine is shown"),
    ):
        got = call("verdict", *one, alphas, others, X, y, C, tol)
        expect_verdict(got, want, why)


check, quiz, finish = client.bind(HW)
