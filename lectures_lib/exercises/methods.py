"""Checks of the exercises on kernel methods: centring, and a trap for k-means (18)."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from .reading import apart, named, text
from .tries import Answer, Try

#: stuck: how many times the best J the trap must cost
RATIO = 100


def centred(answer: Answer) -> Iterator[Try]:
    """18: centred(K) returns the Gram matrix of phi(x_i) minus their mean."""
    rng = np.random.default_rng(18)
    for n, d in ((3, 2), (5, 2), (4, 7)):
        Phi = rng.integers(0, 7, size=(n, d)).astype(float)
        back = answer(K=Phi @ Phi.T)
        new = back.array(n, n)
        yield "K" not in back.changed, "it must not change the K it was given"
        K = Phi @ Phi.T
        sums = [np.round(new.sum(axis=k), 9) for k in (1, 0)]
        claim = "every row and every column must sum to 0, because what is centred has the mean 0: "
        claim += f"the rows sum to {text(sums[0])}, the columns to {text(sums[1])}"
        yield np.abs(sums).max() < 1e-6 * np.abs(K).max(), claim + named(new, _half_centred(K))
        Z = Phi - Phi.mean(axis=0)
        squares = np.array([[(a - b) @ (a - b) for b in Phi] for a in Phi])
        found = np.diag(new)[:, None] - 2 * new + np.diag(new)
        i, j = np.unravel_index(np.argmax(abs(found - squares)), squares.shape)
        due, made = apart(squares[i, j], found[i, j])
        claim = "moving all points must not change their distances: by K the squared distance "
        claim += f"K[i, i] - 2 K[i, j] + K[j, j] of i = {i} and j = {j} is {due}, by yours {made}"
        yield np.allclose(found, squares), claim
        yield np.allclose(new, Z @ Z.T), "it must be the Gram matrix of the centred points"


def _half_centred(K: np.ndarray) -> dict[str, np.ndarray]:
    """Return what known slips make of a Gram matrix."""
    row, column, everything = K.mean(axis=0), K.mean(axis=1)[:, None], K.mean()
    return {
        "this is K itself": K,
        "only the mean of all entries was taken off": K - everything,
        "only the column means were taken off": K - row,
        "only the row means were taken off": K - column,
        "the mean of all was taken off twice: give it back once": K - row - column,
        "the mean of all is to be given back, not taken off": K - row - column - everything,
        "the row means need [:, None]": K - 2 * row + everything,
    }


def stuck(answer: Answer) -> Iterator[Try]:
    """18: stuck() returns points and labels that are stable and RATIO times too expensive."""
    back = answer()
    points, sides = back.parts("X", "labels")
    X = points.table(2)
    yield 2 <= len(X) <= 10, f"X must have 2 to 10 rows, and it has {len(X)}", back
    labels = sides.vector(len(X))
    yield set(labels.tolist()) == {0.0, 1.0}, "the labels must be 0 and 1, and both occur", back
    means = np.array([X[labels == c].mean(axis=0) for c in (0, 1)])
    apart = np.linalg.norm(X[:, None] - means, axis=2)
    own = labels.astype(int)
    lead = apart[np.arange(len(X)), 1 - own] - apart[np.arange(len(X)), own]
    worst = int(np.argmin(lead))
    claim = f"point {text(X[worst])} is not nearer to the mean of its own cluster: it would move"
    yield lead[worst] > 1e-9 * (1 + np.abs(X).max()), claim, back
    J, best = _cost(X, own), min(_cost(X, np.array(v)) for v in _divisions(len(X)))
    claim = f"J is {J:.4g} and the best is {best:.4g}: that is not {RATIO} times as much"
    yield J >= RATIO * best and J > 1e-9 * np.ptp(X) ** 2, claim, back


def _cost(X: np.ndarray, labels: np.ndarray) -> float:
    """Return the sum of squared distances to the mean of the own cluster."""
    parts = (X[labels == c] for c in (0, 1))
    return float(sum(((P - P.mean(axis=0)) ** 2).sum() for P in parts if len(P)))


def _divisions(n: int) -> Iterator[tuple[int, ...]]:
    """Yield every division into two clusters, neither of them empty."""
    return (v for v in product((0, 1), repeat=n) if 0 < sum(v) < n)


CHECKS = {"centred": centred, "stuck": stuck}
