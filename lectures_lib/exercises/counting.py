"""Checks of the exercises that count: pairs, chances, labellings (16, 17)."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import numpy as np

from .reading import count, named, near
from .tries import Answer, Try


def area(answer: Answer) -> Iterator[Try]:
    """16: area(y, scores) returns the share of pairs in order, a tie counting 1/2."""
    rng = np.random.default_rng(16)
    cases: list[tuple[Any, Any]] = [
        ([1, -1], [2.0, 1.0]),
        ([-1, 1], [0.5, 0.5]),
        ([1, -1, 1], [-3.0, -1.0, -2.0]),
        ([1, -1, -1], [1.0, 1 - 2.0**-30, 1.75]),  # no tie, by a hair
    ]
    cases += [(rng.permutation([1, 1, 1, -1, -1, -1, -1]), rng.integers(0, 4, 7)) for _ in range(5)]
    for y, s in cases:
        y, s = np.array(y), np.array(s, dtype=float)
        value = answer(y=y, scores=s).number()
        pairs = [(a, b) for a, u in zip(s, y) if u > 0 for b, v in zip(s, y) if v < 0]
        won, tied = sum(a > b for a, b in pairs), sum(a == b for a, b in pairs)
        some, right = count(len(pairs), "pair", "pairs"), count(won, "is", "are")
        n, due = len(pairs), (won + tied / 2) / len(pairs)
        claim = f"of {some} {right} in order and {tied} tied, so it must be "
        claim += f"({won} + {tied}/2) / {n} ="
        slips = {
            "the order is the wrong way round": 1 - due,
            "a tie counts 1/2, not 0": won / n,
            "a tie counts 1/2, not 1": (won + tied) / n,
            "divide by the number of pairs": won + tied / 2,
            "this is 2 area - 1": 2 * due - 1,
        }
        yield near(value, due, claim, slips)


def upper(answer: Answer) -> Iterator[Try]:
    """16: upper(k, n, tail) returns the p with P[at most k of n] = tail."""
    for k, n, tail in ((0, 1, 0.5), (0, 50, 0.025), (3, 20, 0.025), (9, 10, 0.05), (40, 90, 0.1)):
        p = answer(k=k, n=n, tail=tail).number()
        yield 0 <= p <= 1, "p is a probability: it must lie between 0 and 1"
        chance = sum(
            comb(n, j) * Fraction(p) ** j * (1 - Fraction(p)) ** (n - j) for j in range(k + 1)
        )
        off = abs(float(chance) - tail)
        claim = f"with this p the chance of at most {k} of {n} is {float(chance):.8g}, not {tail}: "
        claim += f"off by {off:.2g}, and 1e-5 is allowed"
        fewer = chance - comb(n, k) * Fraction(p) ** k * (1 - Fraction(p)) ** (n - k)
        slips = {"that is the lower end": 1 - tail, "the tail is not to be halved": tail / 2}
        claim += named(float(chance), slips)
        claim += named(float(fewer), {"yours leaves k itself out": tail})
        yield off < 1e-5, claim


def sauer(answer: Answer) -> Iterator[Try]:
    """17: sauer(n, h) returns the number of labellings of n points with at most h plus signs."""
    for n, h in ((3, 1), (5, 2), (1, 0), (4, 4), (6, 3), (3, 7), (9, 1), (8, 5)):
        value = answer(n=n, h=h).whole(0)
        few = sum(row.count(1) <= h for row in product((-1, 1), repeat=n))
        signs = f"at most {count(h, 'plus sign', 'plus signs')}"
        claim = f"of the {2**n} labellings {count(few, 'has', 'have')} {signs}"
        slips = {
            "yours counts all labellings": 2**n,
            "yours counts those with exactly h": comb(n, h),
            "yours leaves h itself out": few - comb(n, h),
        }
        yield value == few, claim + named(value, slips)


def hard_labels(answer: Answer) -> Iterator[Try]:
    """17: hard_labels(X) returns labels y with norm(sum y x) <= R sqrt(m)."""
    for X in _points_to_label():
        m, R = len(X), float(np.linalg.norm(X, axis=1).max())
        y = answer(X=X).vector(m)
        yield np.isin(y, (-1.0, 1.0)).all(), "every label must be -1 or +1"
        length, limit = float(np.linalg.norm(y @ X)), R * np.sqrt(m)
        claim = f"the sum of y x has length {length:.4f}, more than R sqrt(m) = {limit:.4f}"
        yield length <= limit * (1 + 1e-9), claim


def _points_to_label() -> Iterator[np.ndarray]:
    """Yield sets on which no labels that ignore the points will do, small ones first."""
    rng = np.random.default_rng(17)
    yield np.array([[1.0, 0.0], [1.0, 0.0]])
    yield np.array([[1.0, 0.0], [-1.0, 0.0]])
    yield np.round(rng.normal(size=(5, 2)), 1)
    yield np.tile(np.eye(2), (4, 1))  # neighbours are orthogonal, and say nothing of the others
    for k in range(12):  # all along one line, almost; by turns, or with random signs
        signs = rng.choice([-1.0, 1.0], size=40) if k else (-1.0) ** np.arange(40)
        near = rng.normal(size=12) + 0.1 * rng.normal(size=(40, 12))
        yield np.round(signs[:, None] * near, 2)
    yield np.round(rng.normal(size=(60, 300)), 2)


CHECKS = {"area": area, "upper": upper, "sauer": sauer, "hard labels": hard_labels}
