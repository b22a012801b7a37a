"""Practice for homework 5: the visible checks on inputs that are drawn anew."""

from typing import Any

import numpy as np

from lectures_lib import smo, svm
from lectures_lib.kernels import Linear

from ..hw5 import (
    COSTS,
    expect_choice,
    expect_feasible,
    expect_folds,
    expect_optimal,
    expect_scaled,
    expect_table,
    expect_worst,
    machine,
    mixed_units,
    wanted,
)
from ..language import reading
from ..language.checks import Assignment, close, expect
from ..language.drawing import drawn
from ..language.unchanged import expect_unchanged
from ..verdicts import best, even, expect_lower, expect_upper, expect_verdict

#: More than enough steps for the problems below.
STEPS = 1500


def labels(rng: np.random.Generator, n: int, positives: int) -> Any:
    """Return labels in a random order."""
    return rng.permutation(np.where(np.arange(n) < positives, 1.0, -1.0))


def state(rng: np.random.Generator, n: int = 9, positives: int = 4, C: float = 1.75) -> Any:
    """Return K, y, C and feasible multipliers in eighths of C: some at 0, some at C."""
    while True:
        y = labels(rng, n, positives)
        alpha = np.clip(rng.integers(-2, 11, size=n), 0, 8) * C / 8
        if alpha @ y == 0 and {0.0, C} < set(alpha.tolist()):
            X = rng.integers(-9, 10, size=(n, 3)) / 4
            if len({tuple(x) for x in X}) == n:
                return X @ X.T, y, C, alpha


def best_step(K: np.ndarray, y: np.ndarray, C: Any, alpha: np.ndarray, i: int, j: int) -> Any:
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


@drawn
def problem(
    rng: np.random.Generator, kernel: Any, n: int, positives: int, C: Any, shift: float = 0.0
) -> Any:
    """Return X, y and the machine: solved in few steps, with free and bounded examples."""
    while True:
        y = labels(rng, n, positives)
        X = np.round(8 * (rng.normal(size=(n, 2)) + 0.5 * y[:, None])) / 8 + shift
        if len(np.unique(X, axis=0)) < n:  # two equal examples have eta = 0
            continue
        run = smo.most_violating(kernel(X), y, C, tol=1e-5, max_iterations=STEPS)
        if not (run.reached_tol and run.iterations < STEPS // 4 and run.alpha[-1] > 0.1 * C):
            continue
        best = svm.train(X, y, C, kernel, tol=1e-8)
        if len(best.free) >= 2 and len(best.bounded) >= 2:
            return X, y, best


@drawn
def tie_table(rng: np.random.Generator, later: Any) -> Any:
    """Return mistakes, sizes and costs: two costs tie; does the smaller stand later in the list?"""
    sizes = np.array([5, 8, 14, 21])
    while True:
        wrong = np.array([rng.integers(0, s // 2 + 1, size=5) for s in sizes]).T
        total, Cs = wrong.sum(axis=1), rng.permutation([0.2, 0.75, 3.0, 12.5, 40.0])
        best = np.flatnonzero(total == total.min())
        shares = (wrong / sizes).mean(axis=1)
        if len(best) != 2 or np.argmin(shares) in best:
            continue
        if (Cs[best[1]] < Cs[best[0]]) == later:
            return wrong, sizes, Cs


@drawn
def nearly_there(rng: np.random.Generator) -> Any:
    """Return K, y, C, alpha, pairs: a step to the top is left, a ten-thousandth of a usual one."""
    while True:
        K, y, C, alpha, pairs = uncut_steps(rng)
        i, j = pairs[0]
        end = best_step(K, y, C, alpha, i, j)[0]
        alpha = alpha + (1 - 1e-4) * (end - alpha)
        if min(alpha[i], alpha[j]) > 0.1 * C:
            return K, y, C, alpha, (i, j)


def ends(y1: Any, y2: Any, a1: Any, a2: Any, C: Any) -> Any:
    """Return the ends of a2, by the two bounds of a1."""
    s = y1 * y2
    first, last = sorted([a2 + s * a1, a2 + s * (a1 - C)])
    return max(0.0, first), min(C, last)


@drawn
def uncut_steps(rng: np.random.Generator) -> Any:
    """Return K, y, C, alpha and three pairs whose step the box does not cut."""
    while True:
        K, y, C, alpha = state(rng)
        found = []
        for i, j in rng.permutation([*np.ndindex(9, 9)]).tolist():
            if i != j:
                _, top, t = best_step(K, y, C, alpha, i, j)
                found += [(i, j)] if top == t and abs(t) > 0.02 else []
        if len(found) >= 3:
            return K, y, C, alpha, found[:3]


def any_state(rng: np.random.Generator, hairs: float = 0.0, n: int = 0) -> Any:
    """Return K, y, C and feasible multipliers, no short numbers; some a hair from their bounds."""
    n, C = n or int(rng.integers(10, 19)), float(rng.uniform(0.4, 3.0))
    X, half = rng.normal(size=(2 * n, 3)), rng.uniform(0.02, 0.98, size=n)
    half[: n // 2] = np.where(np.arange(n // 2) % 2, hairs, 1 - hairs)
    mix = rng.permutation(2 * n)
    y, alpha = np.repeat([1.0, -1.0], n)[mix], C * np.tile(half, 2)[mix]
    return X @ X.T, y, C, alpha


@drawn
def ends_at_a_hair(rng: np.random.Generator, upper: bool) -> Any:
    """Return K, y, C, alpha and a pair whose step ends next to a bound, 0 or C, and not at it."""
    while True:
        K, y, C, alpha = any_state(rng)
        F, beta, size = wanted(K, y, alpha), alpha * y, np.diag(K)
        t = (F[:, None] - F) / (size[:, None] + size - 2 * K + np.eye(len(y)))  # of every pair
        new = np.array([y[:, None] * (beta[:, None] + t), y * (beta - t)]) / C
        new = 1 - new if upper else new  # so far from the bound
        fits = (new.min(axis=0) > 2e-4) & (new.min(axis=0) < 8e-4) & (new.max(axis=0) < 0.98)
        if (found := np.argwhere(fits & (np.abs(t) > 0.05))).size:
            return K, y, C, alpha, tuple(found[0].tolist())


def _add_q1(HW: Assignment) -> None:
    @HW.again("q1", "segment: L and H, for like and for unlike labels")
    def _(call, rng):
        for C in (float(rng.choice([1.25, 2.25])), 5e-5, 3e6):
            asked = [(y1, y2, *rng.integers(1, 8, size=2)) for y1 in (1, -1) for y2 in (1, -1)]
            asked += [(1, y2, *rng.permutation([0, 8])) for y2 in (1, -1)]  # both at a bound
            asked += [(y1, y2, a, a) for y1, y2 in ((1, -1), (-1, -1)) for a in (0, 8)]
            asked += [(1, -1, a, b) for a, b in ((8, 3), (7.995, 1e-3))]  # hardly any room
            asked = [(float(y1), float(y2), a * C / 8, b * C / 8) for y1, y2, a, b in asked]
            got = [reading.parts(call("segment", *one, C), "L", "H") for one in asked]
            for (y1, y2, a1, a2), pair in zip(asked, got):
                found = [reading.number(end, "an end") / C for end in pair]
                want = [end / C for end in ends(y1, y2, a1, a2, C)]
                expect(close(found, want), "both multipliers stay in [0, C]")

    @HW.again("q1", "step: to the top of the parabola")
    def _(call, rng):
        K, y, C, alpha, pairs = uncut_steps(rng)
        for i, j in pairs:
            new = reading.vector(call("step", K, y, C, alpha, i, j), 9, "α")
            expect(close(new, best_step(K, y, C, alpha, i, j)[0], atol=1e-5), "the top of D")
        K, y, C, alpha, (i, j) = nearly_there(rng)
        for t in (1.0, 1e6, 1e-5):  # other units: the same step, and no step is too small
            new = reading.vector(call("step", K / t, y, t * C, t * alpha, i, j), 9, "α")
            want = best_step(K, y, C, alpha, i, j)[0] - alpha
            size = np.abs(want).max()
            near = close((new / t - alpha) / size, want / size, rtol=1e-2, atol=1e-3)
            expect(near, "the top of D, be it ever so near")
        expect_unchanged(call, "step", K, y, C, alpha, i, j)
        for upper in (False, True):
            K, y, C, alpha, (i, j) = ends_at_a_hair(rng, upper)
            new = reading.vector(call("step", K, y, C, alpha, i, j), len(y), "α")
            want = best_step(K, y, C, alpha, i, j)[0]
            expect(close(new / C, want / C, atol=1e-5), "the top of D, next to a bound")


def _add_q2_to_q4(HW: Assignment) -> None:
    @HW.again("q2", "the pair violates most of all pairs that can move")
    def _(call, rng):
        for _ in range(2):
            one = state(rng)
            expect_worst(call("worst_pair", *one), *one)

    @HW.again("q3", "every step keeps the box and the balance")
    def _(call, rng):
        X, y, _ = problem(rng, Linear(), 11, 5, 0.6)
        for steps in (1, 2, STEPS):
            alpha, _ = machine(call("smo", X @ X.T, y, 0.6, 1e-4, steps), 11)
            expect_feasible(alpha, y, 0.6)
            expect(0 < np.sum(alpha > 1e-9) <= 2 * steps, "each step moves two multipliers")

    @HW.again("q3", "the duality gap closes")
    def _(call, rng):
        X, y, _ = problem(rng, Linear(), 11, 5, 0.6)
        for tol in (1e-2, 1e-4):
            alpha, _ = machine(call("smo", X @ X.T, y, 0.6, tol, STEPS), 11)
            expect_optimal(alpha, X @ X.T, y, 0.6, tol)

    @HW.again("q4", "standardise: mean and deviation are those of the training examples")
    def _(call, rng):
        train, test = (rng.integers(-20, 60, size=(n, 3)) * [0.25, 9.0, 1.5] for n in (6, 4))
        expect_scaled(call("standardise", train, test), train, test)

    @HW.again("q4", "folds: every example is tested once")
    def _(call, rng):
        n = int(rng.integers(18, 24))
        expect_folds(call("folds", labels(rng, n, 7), 4), n, 4)


def _add_q5_to_q10(HW: Assignment) -> None:
    @HW.again("q5", "the C with the fewest mistakes, and its error")
    def _(call, rng):
        table = tie_table(rng, True)
        wrong = table[0] + 3 * (np.arange(5) != int(rng.integers(5)))[:, None]  # no tie
        expect_choice(call("choose", wrong, *table[1:]), wrong, *table[1:])

    @HW.again("q6", "your table of mistakes on examples left out")
    def _(call, rng):
        X, y, tests = mixed_units(rng)
        expect_table(call("cross_validate", X, y, np.array(COSTS), tests), X, y, tests)

    @HW.again("q10", "upper and lower: an α that is not feasible bounds nothing")
    def _(call, rng):
        X, y, C = claim(rng)
        fit, alpha = best(X, y, C)
        for one in (fit, (rng.normal(size=X.shape[1]), -1.3)):
            expect_upper(call("upper", *one, X, y, C), one, X, y, C)
        for prices in (alpha, even(y, C), 1.3 * alpha, even(y, C) - 0.4 * C, abs(y - 0.8) * C / 2):
            expect_lower(call("lower", prices, X, y, C), prices, X, y, C)

    @HW.again("q10", "verdict: proved by an α, refuted by a better machine, or undecided")
    def _(call, rng):
        X, y, C = claim(rng)
        fit, alpha = best(X, y, C)
        poor = 0.5 * fit[0], fit[1] + 0.5
        for one, alphas, others, want in (
            (poor, [alpha], [], "undecided"),
            (poor, [even(y, C)], [fit], "refuted"),
            (fit, [even(y, C)], [poor], "undecided"),
            (fit, [alpha], [], "proved"),
        ):
            got = call("verdict", *one, alphas, others, X, y, C, 1e-3)
            expect_verdict(got, want, "what was handed over")


def add_again(HW: Assignment) -> None:
    """Register the visible checks on inputs drawn anew."""
    _add_q1(HW)
    _add_q2_to_q4(HW)
    _add_q5_to_q10(HW)


@drawn
def claim(rng: np.random.Generator) -> Any:
    """Return X, y and C: examples that no plane separates, some with alpha = C, 0 and between."""
    while True:
        n, d = int(rng.integers(9, 16)), int(rng.integers(2, 5))
        y, C = labels(rng, n, n // 2 + 1), float(rng.uniform(0.3, 3.0))
        X = rng.normal(size=(n, d)) + 0.6 * y[:, None] + 0.4
        (w, b), alpha = best(X, y, C)
        free = (alpha > 0.05 * C) & (alpha < 0.95 * C)
        far = (alpha == 0) & (y * (X @ w + b) > 1.2)
        if free.any() and far.any() and (alpha == C).any():
            return X, y, C
