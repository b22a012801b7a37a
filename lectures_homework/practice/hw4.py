"""Practice for homework 4: the visible checks on inputs that are drawn anew."""

from typing import Any

import numpy as np

from ..hw4 import balanced, tangled
from ..language.drawing import drawn
from .draws import Draws


@drawn
def problem(rng: np.random.Generator, n: int, d: int) -> Any:
    """Return X, y and a point (w, b) away from every kink, with slacks of every kind."""
    while True:
        X, w = rng.integers(-16, 17, size=(n, d)) / 8, rng.integers(-8, 9, size=d) / 8
        y, b = rng.choice([-1.0, 1.0], size=n), float(rng.choice([-1.375, -0.875, 0.625, 1.125]))
        t = y * (X @ w + b)
        kinds = (t < 0).any() and ((t > 0) & (t < 1)).any() and (t > 1).any()
        if kinds and np.abs(t - 1).min() > 0.02 and np.abs(t).min() > 0.02 and w @ w > 0.3:
            return X, y, w, b


again = Draws()
add_again = again.add


@again("q1", "objective: ½‖w‖² + C Σ ξ")
@again("q1", "gradient: it agrees with differences of the objective")
def _(rng):
    X, y, w, b = problem(rng, 7, 2)
    yield w, b, X, y, 0.4


@again("q2", "P and q: the program minimises -Q(α)")
def _(rng):
    X, y, _, _ = problem(rng, 7, 3)
    yield X, y, 0.4, rng.uniform(0, 0.4, size=(3, 7))


@again("q2", "G, h, A, b: the box and the balance")
def _(rng):
    y, X, C = rng.permutation([1.0, -1.0] * 3), rng.normal(size=(6, 2)), 0.7
    yield X, y, C, balanced(rng, y, C)


@again("q3", "weights: w = Σ α y x")
def _(rng):
    X, y, _, _ = problem(rng, 7, 3)
    yield rng.permutation([0.0, 0.3, 0.005, 1.0, 5e-4, 0.05, 0.6]), X, y


@again("q3", "offset: from the free examples")
def _(rng):
    for C in (0.6, 0.35):
        yield *tangled(rng, 8, 2, C), C


@again("q4", "at the optimum primal and dual meet")
def _(rng):
    yield *tangled(rng, 8, 2, 0.6), 0.6


@again("q4", "an answer that is not optimal shows a gap")
def _(rng):
    X, _, _, b = problem(rng, 6, 2)
    y = rng.permutation([1.0, -1.0] * 3)
    yield X, y, 0.6, balanced(rng, y, 0.6), b


@again("q5", "your own machine is within 0.1 % of the best")
def _(rng):
    C = float(rng.choice([0.35, 0.6, 1.75, 2.5]))
    yield *tangled(rng, 13, 2, C), C


@again("q6", "gap: what primal and dual differ by is never negative")
def _(rng):
    yield (int(rng.integers(4, 7)),)


@again("q6", "weak: no w has an objective below the dual")
def _(rng):
    yield (int(rng.integers(3, 6)),)
