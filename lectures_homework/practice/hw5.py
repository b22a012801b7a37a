"""Practice for homework 5: the visible checks on inputs that are drawn anew."""

from typing import Any

import numpy as np

from lectures_lib import smo, svm
from lectures_lib.kernels import Linear

from ..hw5 import best_step, mixed_units, wanted
from ..language.drawing import drawn
from ..verdicts import best
from .draws import Draws

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


again = Draws()
add_again = again.add


@again("q1", "segment: L and H, for like and for unlike labels")
def _(rng):
    for C in (float(rng.choice([1.25, 2.25])), 5e-5, 3e6):
        asked = [(y1, y2, *rng.integers(1, 8, size=2)) for y1 in (1, -1) for y2 in (1, -1)]
        asked += [(1, y2, *rng.permutation([0, 8])) for y2 in (1, -1)]  # both at a bound
        asked += [(y1, y2, a, a) for y1, y2 in ((1, -1), (-1, -1)) for a in (0, 8)]
        asked += [(1, -1, a, b) for a, b in ((8, 3), (7.995, 1e-3))]  # hardly any room
        yield C, [(y1, y2, a * C / 8, b * C / 8) for y1, y2, a, b in asked]


@again("q1", "step: to the top of the parabola")
def _(rng):
    *one, pairs = uncut_steps(rng)
    yield from ((*one, i, j) for i, j in pairs)
    K, y, C, alpha, pair = nearly_there(rng)
    for t in (1.0, 1e6, 1e-5):  # other units: the same step, and no step is too small
        yield K / t, y, t * C, t * alpha, *pair
    for upper in (False, True):
        *one, pair = ends_at_a_hair(rng, upper)
        yield *one, *pair


@again("q2", "the pair violates most of all pairs that can move")
def _(rng):
    return (state(rng) for _ in range(2))


@again("q3", "every step keeps the box and the balance")
def _(rng):
    X, y, _ = problem(rng, Linear(), 11, 5, 0.6)
    return [(X @ X.T, y, 0.6, steps) for steps in (1, 2, STEPS)]


@again("q3", "the duality gap closes")
def _(rng):
    X, y, _ = problem(rng, Linear(), 11, 5, 0.6)
    return [(X @ X.T, y, 0.6, tol, STEPS) for tol in (1e-2, 1e-4)]


@again("q4", "standardise: mean and deviation are those of the training examples")
def _(rng):
    yield [rng.integers(-20, 60, size=(n, 3)) * [0.25, 9.0, 1.5] for n in (6, 4)]


@again("q4", "folds: every example is tested once")
def _(rng):
    yield labels(rng, int(rng.integers(18, 24)), 7), 4


@again("q5", "the C with the fewest mistakes, and its error")
def _(rng):
    wrong, sizes, Cs = tie_table(rng, True)
    yield wrong + 3 * (np.arange(5) != int(rng.integers(5)))[:, None], sizes, Cs  # no tie


@again("q6", "your table of mistakes on examples left out")
def _(rng):
    yield mixed_units(rng)


@again("q10", "upper and lower: an α that is not feasible bounds nothing")
def _(rng):
    X, y, C = claim(rng)
    yield X, y, C, (rng.normal(size=X.shape[1]), -1.3), abs(y - 0.8) * C / 2


@again("q10", "verdict: proved by an α, refuted by a better machine, or undecided")
def _(rng):
    yield *claim(rng), 1e-3
