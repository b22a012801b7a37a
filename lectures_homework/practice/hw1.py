"""Practice for homework 1: the visible checks on inputs that are drawn anew."""

from typing import Any

import numpy as np

from lectures_lib.conventions import add_constant
from lectures_lib.perceptron import perceptron

from ..hw1 import ENOUGH, rounds, separable_set, tangled_set
from ..language.drawing import drawn
from .draws import Draws


def eventful(X: np.ndarray, y: np.ndarray) -> Any:
    """True if the run takes some passes and every shortcut makes another number of mistakes.

    Only the first score is 0, exactly, and none is near 0: rounding and the size of the step
    change no mistake.
    """
    Z = add_constant(X)
    run = perceptron(Z, y, max_epochs=40)
    if not (run.converged and run.epochs >= 4 and len(set(run.epoch_mistakes)) > 2):
        return False
    if np.abs(rounds(X, y, run.epochs)[1][1:]).min() < 0.05:
        return False
    counts = [len(run.mistakes), *shortcuts(Z, y)]
    return len(set(counts)) == len(counts)


def shortcuts(Z: np.ndarray, y: np.ndarray) -> Any:
    """Return the mistakes of five runs that are not the lecture's."""
    backwards = perceptron(Z, y, max_epochs=60, order=np.arange(len(Z))[::-1])
    without_last = perceptron(Z[:-1], y[:-1], max_epochs=60)
    S = y[:, None] * Z
    others = [count(S, how) for how in ("stay", "batch", "restart")]
    return [len(backwards.mistakes), len(without_last.mistakes), *others]


def count(S: np.ndarray, how: Any) -> Any:
    """Return the mistakes of a run that stays at an example, freezes w, or starts over."""
    v, mistakes = np.zeros(S.shape[1]), 0
    for _ in range(60):
        frozen, before = v, mistakes
        for z in S:
            while (frozen if how == "batch" else v) @ z <= 0:
                v, mistakes = v + z, mistakes + 1
                if how != "stay":
                    break
            if how == "restart" and mistakes > before:
                break
        if mistakes == before:
            break
    return mistakes


@drawn
def examples(rng: np.random.Generator, n: int, d: int, *, low: int = -8) -> Any:
    """Return points on a grid of eighths from `low` upwards, with an eventful run."""
    while True:
        X = rng.integers(low, low + 25, size=(n, d)) / 8
        u = rng.normal(size=d)
        y = np.where(X @ u > np.median(X @ u) - 0.05, 1.0, -1.0)
        if abs(y.sum()) < n - 3 and eventful(X, y):
            return X, y


@drawn
def any_set(rng: np.random.Generator, separable: Any) -> Any:
    """Return a set for `certify`, of six to nine points."""
    return (separable_set if separable else tangled_set)(rng, int(rng.integers(6, 10)))


@drawn
def clear_set(rng: np.random.Generator, separable: Any) -> Any:
    """Return such a set: only the first score of its run is 0, and w is not 0 at its end.

    So steps of any size will do, and weights of any length.
    """
    while True:
        X, y = any_set(rng, separable)
        after, met = rounds(X, y, ENOUGH if separable else 6)
        if np.abs(met[1:]).min() > 1e-3 and after[-1, :-1].any():
            return X, y


def quarters(rng: np.random.Generator, *size: int) -> Any:
    """Return numbers in quarters, none of them 0."""
    return rng.integers(1, 9, size=size) / 4 * rng.choice([-1, 1], size=size)


def met(rng: np.random.Generator, right: Any) -> Any:
    """Return (w, b, x, y), where y (w.x + b) is clearly positive, or clearly negative."""
    while True:
        w, x, b = quarters(rng, 3), quarters(rng, 3), float(quarters(rng))
        y = float(rng.choice([-1.0, 1.0]))
        if (1 if right else -1) * y * (w @ x + b) > 0.2:
            return w, b, x, y


again = Draws()
add_again = again.add


@again("q1", "predict names the side of each row")
def _(rng):
    for n in (5, 9):
        w, b, X = quarters(rng, 3), float(quarters(rng)), quarters(rng, n, 3)
        yield w, b, X[np.abs(X @ w + b) > 0.1]


@again("q1", "update: no mistake, no change")
def _(rng):
    return (met(rng, True) for _ in range(4))


@again("q1", "update: a mistake moves w by y x and b by y")
def _(rng):
    return (met(rng, False) for _ in range(4))


@again("q2", "it finds a separator where one exists")
def _(rng):
    yield *clear_set(rng, True), ENOUGH


@again("q2", "it stops at the pass limit and admits it")
def _(rng):
    for separable in (False, True):
        yield *clear_set(rng, separable), ENOUGH if separable else 6, separable


@again("q2", "mistakes of all passes are counted")
def _(rng):
    X, y = examples(rng, 8, 2)  # no score is 0 but the first: any size of the step will do
    return [(X, y, 60), (X, y, 2)]


@again("q3", "w is an average, not the last w")
def _(rng):
    X, y = any_set(rng, True)
    return [(X[:3], y[:3])]


@again("q3", "b is averaged like w")
def _(rng):
    for n in (3, 5):  # the mean of few whole numbers may be any other's, too
        X, y = any_set(rng, True)
        yield X[:n], y[:n]


@again("q4", "your separable set gets a separator")
def _(rng):
    yield any_set(rng, True)


@again("q4", "your other set gets weights that refute every separator")
@again("q5", "your other set: the facts add up to 0 > 0")
def _(rng):
    yield any_set(rng, False)
