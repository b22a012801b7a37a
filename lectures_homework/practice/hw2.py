"""Practice for homework 2: the visible checks on inputs that are drawn anew."""

from typing import Any

import numpy as np

from lectures_lib import datasets
from lectures_lib.conventions import add_constant
from lectures_lib.perceptron import perceptron

from ..hw2 import history, theorem
from ..language.drawing import drawn
from .draws import Draws


def plane(rng: np.random.Generator, d: int, length: float = 3.0) -> Any:
    """Return (w, b): w of about that length, which is not 1, and an offset that matters."""
    w = rng.normal(size=d)
    length = length * rng.uniform(0.7, 1.3)
    b = float(length * rng.uniform(0.6, 0.8) * rng.choice([-1.0, 1.0]))
    return w * (length / np.linalg.norm(w)), b


def separated(rng: np.random.Generator, n: int, d: int) -> Any:
    """Return (X, y, u, c): examples in eighths that (u, c) separates, with both classes."""
    while True:
        X = rng.integers(-12, 13, size=(n, d)) / 8
        u = rng.integers(-6, 7, size=d) / 4 + 0.125
        c = float(rng.choice([-1.375, -0.875, 0.875, 1.375]))
        t = X @ u + c
        if np.abs(t).min() > 0.2 and n / 4 < np.sum(t > 0) < 3 * n / 4:
            return X, np.where(t > 0, 1.0, -1.0), u, c


@drawn
def long_run(rng: np.random.Generator, n: int, d: int) -> Any:
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


def far_apart(rng: np.random.Generator) -> Any:
    """Return two sets with their separators: the bounds differ by a factor of 5."""
    while True:
        two = [separated(rng, n, 2) for n in (6, 9)]
        low, high = sorted(theorem(*one) for one in two)
        if high > 5 * low:
            return two


again = Draws()
add_again = again.add


@again("q1", "margins are distances from the plane")
def _(rng):
    yield plane(rng, 3)[0], rng.normal(size=(6, 3))


@again("q1", "margins are negative where the example is on the wrong side")
def _(rng):
    w, b = plane(rng, 3)
    X = rng.normal(size=(9, 3))
    X = X[np.abs(X @ w + b) > 0.05]
    yield w, b, X, rng.permutation(np.where(np.arange(len(X)) % 2, 1.0, -1.0))


@again("q1", "set_margin is the margin of one example, the worst")
def _(rng):
    yield *plane(rng, 2), rng.normal(size=(6, 2))


@again("q2", "the bound does not depend on the length of (u, c)")
def _(rng):
    yield 2.5, far_apart(rng)


@again("q2", "no run makes more mistakes than the bound")
def _(rng):
    return far_apart(rng)


@again("q3", "replay adds up y x over the log, from w = 0")
def _(rng):
    X, y, log = long_run(rng, 7, 3)
    u = plane(rng, 3)[0]
    yield X, y, log, u / np.linalg.norm(u)


@again("q3", "audit finds the entry that was no mistake")
def _(rng):
    yield *long_run(rng, 8, 3), (3, 5)


@again("q4", "your w separates and your weights are convex")
@again("q4", "your two halves meet")
def _(rng):
    p = datasets.separable(8, 3, gamma=rng.uniform(0.9, 1.2), R=3.0, rng=rng)
    yield p.X, p.y


@again("q5", "without slack the bound is R² ‖u‖²")
def _(rng):
    X, y, log = long_run(rng, 8, 3)
    yield X, y, log, perceptron(X, y).w


@again("q5", "every mistake pays its slack, repeats included")
def _(rng):
    yield *long_run(rng, 8, 3), rng.normal(size=3) / 4


@again("q6", "progress: every update brings η γ")
@again("q6", "growth: the length grows slowly")
def _(rng):
    yield rng.integers(4, 12, size=2)
