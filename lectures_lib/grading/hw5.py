"""Homework 5: SMO and model selection. Questions, data and the checks students can run."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import selection, svm
from ..conventions import sign
from . import client
from .checks import Assignment, Call, close, expect

#: The costs of q6, and how exactly its machines are trained.
COSTS, TOL, STEPS = (0.04, 0.6, 7.5), 1e-5, 20_000
#: No left-out example of q6 scores nearer to 0 than this: rounding changes no prediction.
CLEAR = 0.03


def data(seed: int) -> dict[str, Any]:
    """Return a student's examples, in two very different units, and their folds."""
    X, y, tests = mixed_units(np.random.default_rng([5, seed]))
    return {"X": X, "y": y, "tests": tests, "Cs": np.array(COSTS)}


HW = Assignment("hw5", "SMO and model selection", minutes=150, data=data)
HW.question("q1", "segment", "step", hidden=(2, 2))
HW.question("q2", "worst_pair", hidden=(1, 1))
HW.question("q3", "smo", hidden=(2, 2))
HW.question("q4", "standardise", "folds", hidden=(2, 2))
HW.question("q5", "choose", hidden=(1, 1))
HW.question("q6", "cross_validate", hidden=(1, 1))


# --- data ----------------------------------------------------------------------------------------


def mixed_units(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Return X, y and test sets: scaling all examples before the split changes some counts."""
    while True:
        y = rng.permutation(np.where(np.arange(17) < 7, 1.0, -1.0))
        wild = np.exp(1.3 * rng.normal(size=17)) * rng.choice([-40, 40], size=17)
        X = np.column_stack([0.02 * (1.1 * y + rng.normal(size=17)) + 0.5, wild + 25 * y + 300])
        X = np.round(X, 4)
        tests = list(selection.folds(17, 3, rng=rng))
        fair = scores(X, y, tests)
        if min(np.abs(s).min() for row in fair for s in row) < CLEAR:
            continue
        leaky = counts(scores(X, y, tests, leak=True), y, tests)
        if (leaky != counts(fair, y, tests)).any():
            return X, y, tests


def scores(X: np.ndarray, y: np.ndarray, tests: Sequence, *, leak: bool = False) -> list[list]:
    """Return the scores of each cost's machine on each test set; `leak`: all examples scale."""
    table = []
    for C in COSTS:
        row = []
        for test in tests:
            rest = np.setdiff1d(np.arange(len(y)), test)
            seen = X if leak else X[rest]
            Z = (X - seen.mean(axis=0)) / seen.std(axis=0)
            row.append(svm.train(Z[rest], y[rest], C, tol=1e-7).decision(Z[test]))
        table.append(row)
    return table


def counts(table: list[list], y: np.ndarray, tests: Sequence) -> np.ndarray:
    """Return how many scores of each cell have the wrong sign."""
    return np.array([[int(np.sum(sign(s) != y[t])) for s, t in zip(row, tests)] for row in table])


#: Nine points of the plane, four of them positive, some on the wrong side. For visible checks.
X_NINE = [[0.5, 1.25], [1.75, 0.5], [2.25, 2.0], [-0.75, 0.25], [0.25, -1.5], [-1.25, -0.5]]
X_NINE = np.array([*X_NINE, [1.0, -0.75], [-0.5, 1.75], [1.5, 1.5]])
Y_NINE = np.array([1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0, -1.0])
K_NINE, C_NINE = X_NINE @ X_NINE.T, 0.75
#: Feasible multipliers for them: some at 0, some at C, some between; sum alpha y = 0.
A_NINE = np.array([0.125, 0.75, 0.5, 0.75, 0.75, 0.0, 0.125, 0.625, 0.625])


# --- the step by another route: on beta = alpha y ------------------------------------------------


def room(y: np.ndarray, C: float, alpha: np.ndarray, i: int, j: int) -> tuple[float, float]:
    """Return the least and the largest t with alpha_i + y_i t and alpha_j - y_j t in [0, C]."""
    ends_i = sorted(((0 - alpha[i]) * y[i], (C - alpha[i]) * y[i]))
    ends_j = sorted(((alpha[j] - 0) * y[j], (alpha[j] - C) * y[j]))
    return max(ends_i[0], ends_j[0]), min(ends_i[1], ends_j[1])


def wanted(K: np.ndarray, y: np.ndarray, alpha: np.ndarray) -> np.ndarray:
    """Return F = y - K (alpha y): what each example still asks for."""
    return y - K @ (alpha * y)


def best_step(
    K: np.ndarray, y: np.ndarray, C: float, alpha: np.ndarray, i: int, j: int
) -> tuple[np.ndarray, float, float]:
    """Return (alpha after the exact step, the step without the box, the step with it)."""
    F, (low, high) = wanted(K, y, alpha), room(y, C, alpha, i, j)
    top = (F[i] - F[j]) / (K[i, i] + K[j, j] - 2 * K[i, j])
    t = min(max(top, low), high)
    new = alpha.copy()
    new[i] += y[i] * t
    new[j] -= y[j] * t
    return new, float(top), float(t)


def movable(y: np.ndarray, C: float, alpha: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which alpha_i y_i can grow, and which can shrink."""
    up, down = alpha < C, alpha > 0
    return np.where(y > 0, up, down), np.where(y > 0, down, up)


# --- reading answers -----------------------------------------------------------------------------


def vector(got: Any, n: int, name: str = "alpha") -> np.ndarray:
    """Return the answer as n finite numbers, or say what is wrong with its form."""
    found = np.asarray(got, dtype=float)
    expect(found.shape == (n,), f"{name} has one number an example: {n}, not shape {found.shape}")
    expect(np.isfinite(found).all(), f"every number of {name} is finite")
    return found


def expect_step(
    got: Any, K: np.ndarray, y: np.ndarray, C: float, alpha: np.ndarray, i: int, j: int
) -> None:
    """State that the answer is the exact step on the pair (i, j)."""
    new, pair = vector(got, len(y)), f"step(..., {i}, {j})"
    rest = np.delete(np.arange(len(y)), [i, j])
    expect(close(new[rest], alpha[rest]), f"{pair}: the others must stay where they are")
    told = f"{pair}: Σ α y was 0 and must stay 0; now it is {new @ y:.4g}"
    expect(close(new @ y, alpha @ y, atol=1e-5), told)
    inside = new.min() >= -1e-6 and new.max() <= C + 1e-6
    expect(bool(inside), f"{pair}: every α stays in [0, C] = [0, {C:g}]")
    best, top, t = best_step(K, y, C, alpha, i, j)
    F = wanted(K, y, new)
    top_told = f"at the top of D both errors are equal, yours differ by {F[i] - F[j]:.4g}"
    told = top_told if top == t else "the top of D is outside, so the nearest end is best"
    expect(close(new, best, atol=1e-5), f"{pair}: {told}")


def machine(got: Any, n: int) -> tuple[np.ndarray, float]:
    """Return the answer (alpha, b), or say what is wrong with its form."""
    expect(isinstance(got, list | tuple) and len(got) == 2, "the answer is a pair (alpha, b)")
    b = np.asarray(got[1], dtype=float)
    expect(b.size == 1 and bool(np.isfinite(b).all()), "b is one finite number")
    return vector(got[0], n), float(b.ravel()[0])


def judged(K: np.ndarray, y: np.ndarray, C: float, alpha: np.ndarray) -> svm.Certificate:
    """Return the certificate of alpha with the offset that suits it best."""
    low, high = svm.best_offset(wanted(K, y, alpha), y)
    return svm.certificate(K, y, C, alpha, (low + high) / 2)


def expect_feasible(alpha: np.ndarray, y: np.ndarray, C: float) -> None:
    """State that alpha keeps the box and the balance."""
    told = f"every α lies in [0, C] = [0, {C:g}]; yours go from {alpha.min():.4g} to"
    expect(bool(alpha.min() >= -1e-5 and alpha.max() <= C + 1e-5), f"{told} {alpha.max():.4g}")
    expect(bool(abs(alpha @ y) <= 1e-4), f"Σ α y must be 0; it is {alpha @ y:.4g}")


def expect_optimal(alpha: np.ndarray, K: np.ndarray, y: np.ndarray, C: float, tol: float) -> None:
    """State that alpha is feasible and its duality gap as small as tol promises, twice over."""
    expect_feasible(alpha, y, C)
    gap, most = judged(K, y, C, alpha).gap, len(y) * C * tol
    expect(bool(gap <= most + 1e-6), f"the duality gap is {gap:.4g}; n C tol = {most:.4g}")


def expect_folds(got: Any, n: int, k: int) -> list[np.ndarray]:
    """Return the test sets, after stating that every example is in one of them."""
    expect(isinstance(got, list | tuple | np.ndarray) and len(got) == k, f"there are {k} folds")
    tests = [np.asarray(test).ravel() for test in got]
    found = np.concatenate(tests)
    whole = found.dtype.kind in "iuf" and np.array_equal(found, np.round(found))
    expect(bool(whole), "a fold is a list of indices")
    counted = np.bincount(np.clip(found.astype(int), -1, n) + 1, minlength=n + 2)[1 : n + 1]
    missed, often = np.flatnonzero(counted == 0), np.flatnonzero(counted > 1)
    expect(missed.size == 0, f"index {missed[:1]} is in no fold: every example is tested once")
    expect(often.size == 0, f"index {often[:1]} is in {counted[often][:1]} folds, not in one")
    expect(found.size == n, f"the indices are 0, ..., {n - 1}")
    return tests


# --- q1 ------------------------------------------------------------------------------------------

#: (y1, y2, a1, a2) for C = 1.75, and the ends of a2.
SEGMENTS = {
    (1.0, -1.0, 0.5, 1.25): (0.75, 1.75),
    (-1.0, 1.0, 1.25, 0.5): (0.0, 1.0),
    (1.0, 1.0, 0.5, 1.0): (0.0, 1.5),
    (-1.0, -1.0, 1.5, 1.25): (1.0, 1.75),
}


@HW.check(
    "q1",
    "segment: L and H, for like and for unlike labels",
    points=1,
    hint="Unlike labels: a2 - a1 stays. Like labels: a1 + a2 stays. Both a1 and a2 must be in "
    "[0, C] at both ends: which of the two stops first?",
)
def _(call, rng):
    got = [call("segment", *case, 1.75) for case in SEGMENTS]
    for values, ((y1, y2, a1, a2), want) in zip(got, SEGMENTS.items()):
        expect(close(np.size(values), 2), "the answer is a pair (L, H)")
        stays = f"a2 - a1 = {a2 - a1:g}" if y1 != y2 else f"a1 + a2 = {a1 + a2:g}"
        told = f"segment({y1:g}, {y2:g}, {a1}, {a2}, 1.75): {stays} stays, so a2 can go from"
        expect(close(np.ravel(values), want), f"{told} {want[0]:g} to {want[1]:g}")


@HW.check(
    "q1",
    "step: to the top of the parabola",
    points=1,
    hint="α_j moves by y_j (E_i - E_j) / η, in this order; η has a minus and a 2. E needs the "
    "labels: Σ α y K. Then α_i moves so that Σ α y stays: by the same amount, which way?",
)
def _(call, rng):
    pairs = [(0, 6), (4, 2), (0, 1), (7, 6)]
    got = [call("step", K_NINE, Y_NINE, C_NINE, A_NINE, i, j) for i, j in pairs]
    for values, (i, j) in zip(got, pairs):
        expect_step(values, K_NINE, Y_NINE, C_NINE, A_NINE, i, j)


# --- q2 ------------------------------------------------------------------------------------------


@HW.check(
    "q2",
    "the pair violates most of all pairs that can move",
    points=1,
    hint="α y can grow: α < C for a positive example, α > 0 for a negative one. i is the largest F "
    "among those, j the smallest among those that can shrink.",
)
def _(call, rng):
    expect_worst(call("worst_pair", K_NINE, Y_NINE, C_NINE, A_NINE), K_NINE, Y_NINE, C_NINE, A_NINE)


def expect_worst(got: Any, K: np.ndarray, y: np.ndarray, C: float, alpha: np.ndarray) -> None:
    """State that the answer (i, j, violation) is a most violating pair."""
    expect(isinstance(got, list | tuple | np.ndarray) and len(got) == 3, "(i, j, violation)")
    i, j, violation = (float(np.asarray(v, dtype=float).ravel()[0]) for v in got)
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
    points=1,
    hint="Start at α = 0, where Σ α y = 0. A step moves two, along the segment of q1; C cuts it. "
    "After max_steps steps at most 2 max_steps multipliers have moved.",
)
def _(call, rng):
    for steps in (1, 2, 3, 2000):
        alpha, _ = machine(call("smo", K_NINE, Y_NINE, C_NINE, 1e-4, steps), 9)
        expect_feasible(alpha, Y_NINE, C_NINE)
        moved = int(np.sum(alpha > 1e-9))
        expect(moved <= 2 * steps, f"{steps} steps can move {2 * steps} multipliers, not {moved}")
        expect(moved > 0, "the first step moves two multipliers away from 0")


@HW.check(
    "q3",
    "the duality gap closes",
    points=1,
    hint="Are all errors brought up to date after a step, not only those of the pair? Does every "
    "example, the last one too, get its turn? Does the loop go on until the violation is <= tol?",
)
def _(call, rng):
    for tol in (1e-2, 1e-4):
        alpha, _ = machine(call("smo", K_NINE, Y_NINE, C_NINE, tol, 2000), 9)
        expect_optimal(alpha, K_NINE, Y_NINE, C_NINE, tol)


# --- q4 ------------------------------------------------------------------------------------------

TRAIN = np.array([[1.5, 200.0, -3.0], [2.5, 260.0, 4.0], [4.0, 180.0, 1.0], [3.0, 330.0, 0.5]])
TEST = np.array([[2.0, 310.0, 6.0], [5.5, 150.0, 2.0], [3.5, 400.0, -1.0]])


@HW.check(
    "q4",
    "standardise: mean and deviation are those of the training examples",
    points=1,
    hint="One mean and one deviation for each feature (column), both from `train` alone. The test "
    "examples must not be asked: at that moment nobody knows them.",
)
def _(call, rng):
    expect_scaled(call("standardise", TRAIN, TEST), TRAIN, TEST)


def expect_scaled(got: Any, train: np.ndarray, test: np.ndarray) -> None:
    """State that the answer is both sets, scaled by the statistics of the first."""
    expect(isinstance(got, list | tuple) and len(got) == 2, "the answer is a pair (train, test)")
    deviation = np.sqrt(np.mean((train - train.mean(axis=0)) ** 2, axis=0))
    for name, one, X in zip(("train", "test"), got, (train, test)):
        one = np.asarray(one, dtype=float)
        expect(one.shape == X.shape, f"{name} has shape {X.shape}, not {one.shape}")
        want = (X - train.mean(axis=0)) / np.where(deviation > 0, deviation, 1.0)
        r, c = np.unravel_index(int(np.argmax(np.abs(np.nan_to_num(one, nan=1e9) - want))), X.shape)
        m, s = train.mean(axis=0)[c], deviation[c]
        told = f"{name}[{r}, {c}] = {X[r, c]:g}; in train that column has mean {m:.4g}"
        expect(close(one, want, atol=1e-5), f"{told} and deviation {s:.4g}")


@HW.check(
    "q4",
    "folds: every example is tested once",
    points=1,
    hint="The folds are the *test* sets. Together they hold each index 0, ..., n - 1 once, also "
    "where k does not divide n.",
)
def _(call, rng):
    y = np.array([1, -1, -1, 1, -1, -1, -1, 1, -1, 1, -1, -1, 1, -1, -1, -1, 1.0])
    expect_folds(call("folds", y, 3), 17, 3)


# --- q5 ------------------------------------------------------------------------------------------


@HW.check(
    "q5",
    "the C with the fewest mistakes, and its error",
    points=1,
    hint="Add up the mistakes of each C over its folds, and divide by all examples. The folds "
    "differ in size, so the mean of the folds' shares is something else.",
)
def _(call, rng):
    wrong = np.array([[4, 0, 3], [3, 1, 2], [1, 6, 0], [3, 4, 1]])
    sizes, Cs = np.array([4, 9, 12]), np.array([0.25, 1.5, 6.0, 30.0])
    expect_choice(call("choose", wrong, sizes, Cs), wrong, sizes, Cs)


def expect_choice(got: Any, wrong: np.ndarray, sizes: np.ndarray, Cs: np.ndarray) -> None:
    """State that the answer is (C, error) by the rule of q5."""
    expect(isinstance(got, list | tuple | np.ndarray) and len(got) == 2, "the answer is (C, error)")
    total = [sum(int(v) for v in row) for row in wrong]
    C = min(float(c) for c, t in zip(Cs, total) if t == min(total))
    told = ", ".join(f"{t} with C = {c:g}" for t, c in zip(total, Cs))
    expect(close(got[0], C), f"mistakes in all folds: {told}; so C = {C:g}")
    n = int(np.sum(sizes))
    expect(close(got[1], min(total) / n), f"{min(total)} mistakes on {n} examples")


# --- q6 ------------------------------------------------------------------------------------------


@HW.check(
    "q6",
    "your table of mistakes on examples left out",
    points=1,
    hint="Train on the examples that are *not* in the fold, and count on those that are. Mean and "
    "deviation come from the training part alone, for both parts. Is b in the score?",
)
def _(call, rng):
    mine = data(call.seed)
    expect_table(call, mine["X"], mine["y"], mine["tests"])


def expect_table(call: Call, X: np.ndarray, y: np.ndarray, tests: list[np.ndarray]) -> None:
    """State that the answer counts the mistakes of each cost on each fold."""
    got = np.asarray(call("cross_validate", X, y, np.array(COSTS), tests), dtype=float)
    shape = (len(COSTS), len(tests))
    expect(
        got.shape == shape, f"a row for each C, a column for each fold: {shape}, not {got.shape}"
    )
    table = scores(X, y, tests)
    want = counts(table, y, tests)
    for c, f in np.ndindex(shape):
        told = ", ".join(f"{s:+.2f}" for s in table[c][f])
        told = f"C = {COSTS[c]:g}, fold {f}: the scores are {told}, the labels"
        labels = ", ".join(f"{v:+.0f}" for v in y[tests[f]])
        expect(close(got[c, f], want[c, f]), f"{told} {labels}: {want[c, f]} mistakes")


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
    points=1,
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
    points=1,
)

HW.by_hand["q9"] = 10

check, quiz, finish = client.bind(HW)
