"""Margins: of an example, of a set for a given w, of a set (L1's three definitions).

The third, the largest margin any separator has, is the distance from the origin to the convex
hull of the points y x; with an offset, half the distance between the hulls of the two classes.
So one algorithm (Wolfe 1976: the point of least norm in a polytope) gives both answers: where
the distance is positive, the separator; where it is 0, the weights that prove there is none.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ._exact_margin import exact_nearest
from .conventions import check_examples, check_points, check_vector

#: Rounding, relative to data scaled to norm 1: smaller differences mean nothing.
ROUNDING = 1e-14
#: Convex weights whose point is this near to 0, relative to the data, prove that hulls meet.
TOUCH = 1e-13
#: Wolfe's algorithm ends by itself; this only guards against a cycle of rounding errors.
MAX_STEPS = 10_000


@dataclass(frozen=True, eq=False)
class MaxMargin:
    """The largest margin of a set with its proof, or the proof that no separator exists.

    The proof is a pair: `w` shows a margin of `gamma` (anyone can measure it), and the convex
    `weights` show that no separator has more than `dual`, the length of the point they make.
    """

    separable: bool  #: some w (and b) has y (w.x + b) > 0 on every example
    w: np.ndarray | None  #: (d,) the unit separator of largest margin; None if not separable
    b: float  #: its offset; 0 for separators through the origin
    gamma: float  #: the margin that w attains; 0.0 if not separable
    dual: float  #: what no separator can exceed: the distance that `weights` realise
    weights: np.ndarray  #: (n,) sum 1; with an offset, sum 1 in each class
    residual: float  #: not separable: length of sum weights y x, which proves it by being 0
    converged: bool  #: gamma and dual agree to rounding

    @property
    def gap(self) -> float:
        """dual - gamma: how far `w` can be from the best."""
        return self.dual - self.gamma


def margin(w: ArrayLike, x: ArrayLike, y: ArrayLike, b: float = 0.0) -> float | np.ndarray:
    """Return y (w.x + b) / norm(w): the distance of x from the plane, negative on the wrong side.

    `x` is one example (d,) with a label, or several (n, d) with labels (n,).
    """
    if np.ndim(x) == 1:
        return float(margin(w, np.asarray(x)[None, :], np.atleast_1d(y), b)[0])
    X, y = check_examples(x, y)
    w = check_vector(w, X.shape[1])
    norm = np.linalg.norm(w)
    if norm == 0:
        raise ValueError("w is the zero vector: it has no plane, so no distance to it.")
    if not np.isfinite(b):
        raise ValueError(f"b must be a number, not {b}.")
    return y * (X @ w + b) / norm


def set_margin(w: ArrayLike, X: ArrayLike, y: ArrayLike, b: float = 0.0) -> float:
    """Return the margin of the set: the smallest over its examples (L1)."""
    return float(np.min(margin(w, check_points(X), y, b)))


def max_margin(
    X: ArrayLike, y: ArrayLike, *, offset: bool = False, exact: bool = False
) -> MaxMargin:
    """Return the margin of the set, the largest over all separators, with its proof (L1).

    Without `offset` the separators pass through the origin. Scaling the data scales the answer.
    A margin below 1e-13 times the data cannot be told from none in floating point;
    ``exact=True`` decides in fractions. It is slower, and also used by itself where rounding
    leaves a doubt and there are at most 20 features.
    """
    X, y = check_examples(X, y, both=offset)
    if exact:
        return _exactly(X, y, offset)
    answer = _in_floating_point(X, y, offset)
    doubtful = not answer.converged and X.shape[1] <= 20
    return _exactly(X, y, offset) if doubtful else answer


def _in_floating_point(X: np.ndarray, y: np.ndarray, offset: bool) -> MaxMargin:
    scale = np.abs(X).max() or 1.0
    solve = _between_hulls if offset else _from_origin
    p, weights = solve(X / scale, y)
    return _with_proof(X, y, p, weights, scale, offset)


def _from_origin(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    Z = y[:, None] * X
    p, corral, lam = _least_norm_point(lambda v: int(np.argmin(Z @ v)), Z.__getitem__, Z.shape[1])
    return p, _spread(corral, lam, len(X))


def _between_hulls(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    pos, neg = np.flatnonzero(y > 0), np.flatnonzero(y < 0)

    def lowest(v):
        return int(pos[np.argmin(X[pos] @ v)]), int(neg[np.argmax(X[neg] @ v)])

    p, corral, lam = _least_norm_point(lowest, lambda ij: X[ij[0]] - X[ij[1]], X.shape[1])
    ends = [[i for i, _ in corral], [j for _, j in corral]]
    return p, _spread(ends[0], lam, len(X)) + _spread(ends[1], lam, len(X))


def _spread(indices: list[int], lam: np.ndarray, n: int) -> np.ndarray:
    return np.bincount(indices, weights=lam, minlength=n)


def _with_proof(X, y, p, weights, scale, offset) -> MaxMargin:
    """Measure both sides of the answer on the data itself."""
    residual = float(np.linalg.norm((weights * y) @ X))
    dual = residual / 2 if offset else residual
    norm = np.linalg.norm(p)
    w = p / norm if norm > 0 else p
    b = -0.5 * float((X @ w)[y > 0].min() + (X @ w)[y < 0].max()) if offset else 0.0
    gamma = set_margin(w, X, y, b) if norm > 0 else 0.0
    if gamma > ROUNDING * scale:
        tight = bool(dual - gamma <= 1e-7 * dual)
        return MaxMargin(True, w, b, gamma, dual, weights, residual, tight)
    touch = bool(residual <= TOUCH * scale)
    return MaxMargin(False, None, 0.0, 0.0, dual, weights, residual, touch)


def _exactly(X: np.ndarray, y: np.ndarray, offset: bool) -> MaxMargin:
    p, lam = exact_nearest(X, y, offset)
    weights = lam.astype(float)
    if not any(p):
        return MaxMargin(False, None, 0.0, 0.0, 0.0, weights, 0.0, True)
    largest = max(abs(v) for v in p)
    direction = np.array([float(v / largest) for v in p])
    norm = float(largest) * float(np.linalg.norm(direction))
    w = direction / np.linalg.norm(direction)
    gamma = norm / 2 if offset else norm
    b = -0.5 * float((X @ w)[y > 0].min() + (X @ w)[y < 0].max()) if offset else 0.0
    return MaxMargin(True, w, b, gamma, gamma, weights, norm, True)


def _least_norm_point(
    lowest: Callable, point: Callable, d: int
) -> tuple[np.ndarray, list, np.ndarray]:
    """Wolfe's algorithm: the point of least norm in the hull of points known by an oracle.

    `lowest(p)` names a point z with the least p.z. A corral of affinely independent points is
    kept; p is the nearest point to 0 of its affine hull, with positive weights `lam`.
    """
    corral, lam = [lowest(np.zeros(d))], np.ones(1)
    p = point(corral[0])
    for _ in range(MAX_STEPS):
        q = lowest(p)
        if np.linalg.norm(p) <= ROUNDING:
            break  # p is 0 up to rounding, and so is every p.z from here on
        if q in corral or p @ p - p @ point(q) <= ROUNDING * np.linalg.norm(p):
            break  # every point lies beyond the plane across p: p is nearest
        tried = _nearest_inside([*corral, q], np.append(lam, 0.0), point)
        nearer = tried[1] @ np.array([point(v) for v in tried[0]])
        if nearer @ nearer >= p @ p:
            break  # what is left to gain is rounding
        (corral, lam), p = tried, nearer
    return p, corral, lam


def _nearest_inside(corral: list, lam: np.ndarray, point: Callable) -> tuple[list, np.ndarray]:
    """Walk towards the affine hull's nearest point; drop a corral point at each wall we meet."""
    while True:
        mu = _nearest_affine(np.array([point(v) for v in corral]))
        if (mu > ROUNDING).all():
            return corral, mu
        out = mu <= ROUNDING
        theta = np.min(lam[out] / np.maximum(lam[out] - mu[out], ROUNDING))
        lam = lam + min(theta, 1.0) * (mu - lam)
        keep = lam > ROUNDING
        keep[out & (lam == lam[out].min())] = False
        corral, lam = [v for v, k in zip(corral, keep, strict=True) if k], lam[keep]
        lam = lam / lam.sum()


def _nearest_affine(S: np.ndarray) -> np.ndarray:
    """Return weights with sum 1 of the point of least norm in the affine hull of the rows of S."""
    beta = np.linalg.lstsq((S[1:] - S[0]).T, -S[0], rcond=None)[0]
    return np.concatenate([[1.0 - beta.sum()], beta])
