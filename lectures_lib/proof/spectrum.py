"""Bounds for centred data: what k centres cost, and what no k centres are below.

With k clusters the sum of squared distances is at least the trace of the scatter matrix less its
k - 1 largest eigenvalues (Ding and He 2004): the scatter between clusters has rank k - 1, and is
below the whole. That is as true of weighted sums. A computed eigenvalue is near a true one: let
S = V diag(values) V' + R with V'V = I + E. Then an eigenvalue of S is at most (1 + norm(E)) times
the computed one, and norm(R) more; what rounding did to S is part of R.
"""

import numpy as np

from .rounding import SAFE, Enclosure, enclosed_dot, growth


def centres_above(X: np.ndarray, centres: np.ndarray, weights: np.ndarray) -> Enclosure:
    """Return the sum of squared distances to the nearest centre, each times its weight."""
    near = np.min([((X - c) ** 2).sum(axis=1) for c in centres], axis=0)
    return enclosed_dot(weights, near, 0.0, SAFE * growth(X.shape[1] + 4) * near + 1e-300)


def centres_below(X: np.ndarray, k: int, weights: np.ndarray) -> Enclosure:
    """Return a bound that no k centres cost less than."""
    (n, d), total = X.shape, float(weights.sum())
    Z = np.sqrt(weights)[:, None] * (X - weights @ X / total)
    S = Z.T @ Z
    values, V = np.linalg.eigh(S)
    size = float(np.linalg.norm(Z)) ** 2
    moved = 2 * growth(n + 2) * np.abs(X).max(axis=0)  # the mean is not quite the mean
    off = SAFE * (4 * growth(n + 8) * size + total * float(moved @ moved))
    skew = float(np.linalg.norm(V.T @ V - np.eye(d))) + 4 * growth(d + 2) * d
    rest = float(np.linalg.norm(S - (V * values) @ V.T)) + 4 * growth(d + 2) * d * size
    largest = values[::-1][: k - 1]
    most = float(np.maximum(largest, 0.0).sum()) * (1 + skew) + len(largest) * (rest + off)
    floor = float(S.trace()) - most - 1e-300  # what products below the least float may have lost
    return Enclosure(max(0.0, floor), SAFE * (off + growth(n + d) * size) if floor > 0 else 0.0)
