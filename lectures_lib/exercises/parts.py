"""Checks of the exercises of 20: what mixing counts, what it loses, a gap over parts."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from .machines import both_values
from .reading import near
from .tries import Answer, Try


def mixed_count(answer: Answer) -> Iterator[Try]:
    """20: mixed_count(votes, counts) returns the sum of mu k over epochs and parts."""
    rng = np.random.default_rng(20)
    cases: list[tuple[Any, Any]] = [
        ([[1, 1]], [[2, 4]]),
        ([[2, 4]], [[2, 4]]),
        ([[0, 3], [1, 1]], [[5, 1], [2, 2]]),
    ]
    cases += [(rng.integers(1, 5, (3, 4)), rng.integers(0, 6, (3, 4))) for _ in range(3)]
    for votes, counts in cases:
        votes, counts = np.array(votes), np.array(counts)
        value = answer(votes=votes, counts=counts).number()
        K = sum(
            (Fraction(int(v) * int(k), int(row.sum()))
             for row, ks in zip(votes, counts) for v, k in zip(row, ks)),
            Fraction(0),
        )  # fmt: skip
        claim = "each epoch's shares add up to 1, and then the sum of mu k must be"
        slips = {
            "the shares are missing": counts.sum(),
            "take the shares of the votes, not equal ones": counts.mean(axis=1).sum(),
            "take the shares of each epoch by itself": (votes * counts).sum() / votes.sum(),
        }
        yield near(value, float(K), claim, slips, rtol=1e-6)


def lost(answer: Answer) -> Iterator[Try]:
    """20: lost(mu, W) returns sum mu norm(w)^2 - norm(sum mu w)^2."""
    rng = np.random.default_rng(21)
    cases: list[tuple[Any, Any]] = [
        ([0.5, 0.5], [[1.0, 0.0], [-1.0, 0.0]]),
        ([0.25, 0.75], [[2.0, 1.0], [2.0, 1.0]]),
        ([1.0, 0.0], [[3.0, 0.0], [0.0, 5.0]]),
    ]
    cases += [
        (np.array([0.1, 0.2, 0.3, 0.4]), np.round(rng.normal(size=(4, 3)) + 2, 1)) for _ in range(3)
    ]
    for mu, W in cases:
        mu, W = np.array(mu), np.array(W)
        value = answer(mu=mu, W=W).number()
        middle = sum(m * w for m, w in zip(mu, W))
        apart = sum(m * float((w - middle) @ (w - middle)) for m, w in zip(mu, W))
        claim = "the mean squared distance of the weights from their mix, with shares mu, must be"
        lengths = np.linalg.norm(W, axis=1)
        slips = {
            "the wrong way round": -apart,
            "take the shares mu, not equal ones": W.var(axis=0).sum(),
            "the mix is sum mu w, not the mean": mu @ lengths**2 - (W.mean(axis=0) ** 2).sum(),
            "the lengths are to be squared": mu @ lengths - np.linalg.norm(mu @ W),
        }
        yield near(value, apart, claim, slips, rtol=0, atol=1e-6 * (1 + float(np.max(W**2))))


def gap(answer: Answer) -> Iterator[Try]:
    """20: gap(parts, C, alpha, w) returns P(w) - D(alpha) over all parts."""
    for parts, C, alpha, w in _divided():
        value = answer(parts=parts, C=C, alpha=alpha, w=w).number()
        each = [a * y @ X for (X, y), a in zip(parts, alpha)]
        rest = np.concatenate([1 - y * (X @ w) for X, y in parts])
        P, D, slips = both_values(C, np.concatenate(alpha), w, sum(each), rest)
        claim = f"P(w) = {P:.4f} and D(alpha) = {D:.4f} over all examples: it must be"
        total, apart = D + sum(each) @ sum(each) / 2, sum(v @ v for v in each) / 2
        trusting = "D was computed with the w that you were given, not with alpha's"
        slips[trusting] = P - total + w @ w / 2
        slips["the w of each part was squared alone: add them first"] = P - total + apart
        yield near(value, P - D, claim, slips, rtol=0, atol=1e-6 * (1 + abs(P) + abs(D)))


def _divided() -> Iterator[tuple]:
    """Yield parts, C, alpha and w; in the last alpha is above C, and the gap is negative."""
    rng = np.random.default_rng(22)
    cases = ((1, 1), 1.0, 2), ((2, 3), 0.5, 2), ((4, 1, 2), 2.0, 3), ((3, 3, 3), 1.0, 1)
    for sizes, C, d in cases:
        parts = [(rng.integers(-3, 4, (n, d)).astype(float), rng.choice([-1.0, 1.0], n))
                 for n in sizes]  # fmt: skip
        alpha = [rng.uniform(0, C, n).round(2) for n in sizes]
        yield parts, C, alpha, rng.normal(size=d).round(2)
    one = np.ones(1)
    yield [(one[:, None], one), (0 * one[:, None], -one)], 0.5, [2 * one, 3 * one], one


CHECKS = {"mixed count": mixed_count, "lost": lost, "gap of parts": gap}
