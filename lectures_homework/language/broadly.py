"""Inputs drawn broadly, and what a reference says of them: there most slips show, foreseen or not.

An answer that suits the statement's example, or some size, or some scale, does not suit them all.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from .checks import ATOL, RTOL, Call, close, expect
from .drawing import drawn
from .reading import array, number, several


def size(rng: np.random.Generator, most: int, least: int = 1) -> int:
    """Return a whole number from least to most: the least itself, any number, or any power."""
    power = int(least * np.exp(rng.uniform(0, np.log((most + 1) / least))))
    return int(rng.choice([least, power, power, int(rng.integers(least, most + 1))]))


def factor(rng: np.random.Generator, decades: float = 4.0) -> float:
    """Return a factor between 10^-decades and 10^decades: 1, a power of two, or any number."""
    power = rng.uniform(-decades, decades)
    return float(rng.choice([1.0, 2.0 ** round(power / np.log10(2)), 10.0**power]))


def quarters(values: np.ndarray) -> np.ndarray:
    """Return the numbers in quarters: sums of their products are exact."""
    return np.round(4 * values) / 4


def beside(
    rng: np.random.Generator, scores: np.ndarray, y: np.ndarray, at: float = 0.0, unit: float = 1.0
) -> float:
    """Return an offset that puts y times one score at a threshold, or next to it by a hair."""
    i = int(rng.integers(len(scores)))
    hair = rng.choice([-1.0, 0.0, 1.0]) * unit * 2.0 ** -int(rng.integers(4, 18))
    return float(y[i] * (at + hair) - scores[i])


def table(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Return n rows of d numbers about 1: whole or not, far from 0, repeated, sorted, with zeros.

    At times they lie in memory column by column.
    """
    X = rng.normal(size=(n, d))
    changes = [
        lambda X: np.round(2 * X),
        lambda X: X + 2 * rng.normal(size=d),
        lambda X: X[rng.integers(n, size=n)],
        lambda X: X[rng.integers(n, size=n)],
        lambda X: X * (rng.random(X.shape) < 0.5),
        lambda X: X[np.argsort(X[:, 0])],
        lambda X: np.abs(X),
        lambda X: X * 10.0 ** rng.uniform(-2, 2, size=d),
        lambda X: X * 10.0 ** rng.uniform(-1, 1, size=(n, 1)),
    ]
    for k in rng.choice(len(changes), size=rng.integers(3), replace=False):
        X = changes[k](X)
    return np.asfortranarray(X) if rng.random() < 0.3 else X


def signs(rng: np.random.Generator, n: int) -> np.ndarray:
    """Return n labels: of both classes, of one that is rare, or of one class alone."""
    return np.where(rng.random(n) < rng.choice([0.0, 0.1, 0.5, 0.5, 0.9, 1.0]), 1.0, -1.0)


def expect_like(
    call: Call, rng: np.random.Generator, name: str, truth: Callable, draw: Callable, many: int = 60
) -> None:
    """State that the student's function answers like `truth`, on as many inputs of `draw(rng)`."""
    for given, want in cases(rng, truth, draw, many):
        got = call(name, *given)
        parts = several(got, len(want), name) if isinstance(want, tuple) else [got]
        for part, value in zip(parts, want if isinstance(want, tuple) else [want]):
            shape = np.shape(value)
            part = array(part, shape, name) if shape else number(part, name)
            expect(near(part, value), f"{name} answers rightly, whatever it is given")


@drawn
def cases(rng: np.random.Generator, truth: Callable, draw: Callable, many: int) -> list:
    """Return (input, answer) of draws whose answer does not hang on how numbers are rounded.

    At times it is the input before, with another table: nothing is remembered by the rest.
    """
    found: list = []
    while len(found) < many:
        given = draw(rng)
        if found and rng.random() < 0.1:
            given = tuple(1.5 * one if np.ndim(one) == 2 else one for one in found[-1][0])
        want = truth(*given)
        if all(steady(truth(*(shaken(one, rng) for one in given)), want) for _ in range(12)):
            found.append((given, want))
    return found


def shaken(one: Any, rng: np.random.Generator) -> Any:
    """Return the number or array with each entry changed in its sixth digit, equal ones alike.

    Numbers of few binary digits stay, since no precision rounds them: labels, counts, quarters.
    """
    digits = 13 if np.ndim(one) else 22
    unit = 2.0 ** (np.frexp(np.abs(one).max(initial=0))[1] - digits)
    if isinstance(one, int) or np.all(one % unit == 0):
        return one
    values, place = np.unique(one, return_inverse=True)
    values = values * (1 + 1e-6 * rng.normal(size=len(values)))
    return values[place].reshape(np.shape(one))[()]


def steady(got: Any, want: Any) -> bool:
    """True if the answer, part by part, is so near that rounding cannot decide."""
    if isinstance(want, tuple):
        return all(map(steady, got, want))
    return near(got, want, 0.3)


def near(got: Any, want: Any, share: float = 1.0) -> bool:
    """True if the numbers agree, up to a share of the tolerance: of each, and of the largest."""
    entries = np.abs(np.asarray(want, dtype=float))
    largest = entries[np.isfinite(entries)].max(initial=0.0) or 1.0
    return close(got, want, rtol=share * RTOL, atol=share * ATOL * largest)
