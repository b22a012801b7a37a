"""Problems for property tests, and textbook algorithms that share no code with the library."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from hypothesis import assume, settings
from hypothesis import strategies as st

from lectures_lib import datasets, perceptron

settings.register_profile("library", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("library")

TIES = ("mistake", "positive", "negative")
seeds = st.integers(0, 2**32 - 1)
ties = st.sampled_from(TIES)


@st.composite
def integer_points(draw, min_n=1, max_n=6, max_d=3, size=3):
    """Whole-number points: every sum and product of theirs is exact in floating point."""
    n, d = draw(st.integers(min_n, max_n)), draw(st.integers(1, max_d))
    entry = st.integers(-size, size)
    rows = draw(st.lists(st.lists(entry, min_size=d, max_size=d), min_size=n, max_size=n))
    return np.array(rows, dtype=float)


@st.composite
def integer_examples(draw, min_n=1, both=False, **options):
    """Points with arbitrary labels: separable or not."""
    X = draw(integer_points(min_n=max(min_n, 2 if both else 1), **options))
    y = np.array(draw(st.lists(st.sampled_from([-1.0, 1.0]), min_size=len(X), max_size=len(X))))
    if both:
        y[:2] = 1.0, -1.0
    return X, y


@st.composite
def separable_integers(draw, **options):
    """(X, y, u) with y u.x >= 1 on every example, all of them whole numbers."""
    X = draw(integer_points(**options))
    u = np.array(draw(st.lists(st.integers(-2, 2), min_size=X.shape[1], max_size=X.shape[1])))
    assume(u.any())
    X = np.vstack([X, u])[np.append(X @ u != 0, True)]
    return X, np.where(X @ u > 0, 1.0, -1.0), u.astype(float)


@st.composite
def known_problems(draw):
    """`KnownData` with gamma, R and separator known by construction."""
    gamma, R = draw(st.sampled_from([0.05, 0.2, 0.5, 0.9])), draw(st.sampled_from([1.0, 3.7]))
    n, d = draw(st.integers(2, 30)), draw(st.integers(2, 6))
    return datasets.separable(n, d, gamma=gamma * R, R=R, rng=draw(seeds))


class Textbook(NamedTuple):
    """What the pseudo-code does, round by round."""

    mistakes: list  #: the example of each mistake
    rounds: list  #: the round of each mistake, from 0
    after_each: np.ndarray  #: (rounds, d) the weights after each example


def textbook(X, y, orders, tie="mistake", start=None):
    """Run the perceptron as L1, L2 and L5 write it, in plain Python."""
    w = np.zeros(X.shape[1]) if start is None else np.array(start, dtype=float)
    at_zero = {"mistake": 0, "positive": 1, "negative": -1}[tie]
    mistakes, rounds, after_each = [], [], []
    for i in np.concatenate(orders).tolist():
        f = sum(a * b for a, b in zip(w.tolist(), X[i].tolist()))
        if (at_zero if f == 0 else np.copysign(1, f)) != y[i]:
            w = w + y[i] * X[i]
            mistakes.append(i)
            rounds.append(len(after_each))
        after_each.append(w)
    return Textbook(mistakes, rounds, np.array(after_each))


def passes(n, epochs, order=None, rng=None):
    """Return the orders of `epochs` passes, drawn like the library says it draws them."""
    if rng is None:
        return [np.arange(n) if order is None else order] * epochs
    generator = np.random.default_rng(rng)
    return [generator.permutation(n) for _ in range(epochs)]


def claimed_run(X, y, mistakes, weights):
    """Return a run that claims these mistakes and weights, whatever is true."""
    honest = perceptron.perceptron(X, y, max_epochs=1)
    mistakes = np.asarray(mistakes, dtype=np.int64)
    return replace(
        honest,
        w=weights[-1],
        mistakes=mistakes,
        weights=np.asarray(weights, dtype=float),
        alpha=np.bincount(mistakes, minlength=len(X)),
    )
