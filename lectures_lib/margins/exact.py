"""Wolfe's algorithm in whole numbers: the verdict of `max_margin` without rounding.

Every float is a whole number over a power of two, so a data set of floats is a data set of
integers, scaled. It starts from the corral that floating point has found: where that was right,
one system of equations proves it. Floats with error bounds say which points can be lowest; the
whole numbers decide between those alone.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import gcd

import numpy as np

from ..proof.rounding import SAFE, UNIT, integers

Vector = list[Fraction]


class OverBudget(Exception):
    """More work than was allowed."""


def exact_nearest(
    X: np.ndarray,
    y: np.ndarray,
    offset: bool,
    start: Sequence[tuple[int, ...]] = (),
    budget: float = np.inf,
) -> tuple[Vector, np.ndarray]:
    """Return the point nearest to 0, in the units of X, and the convex weights that make it.

    Of the hull of the y x, or with `offset` of the differences between the classes. `start` names
    points to begin with, each by its example (or pair of examples). `budget` limits the number of
    products; beyond it `OverBudget` is raised.
    """
    (rows,), unit = integers(X)
    signed = y.astype(int).astype(object)[:, None] * rows
    sides = [np.flatnonzero(y > 0), np.flatnonzero(y < 0)] if offset else [np.arange(len(y))]
    Z = y[:, None] * X

    def lowest(p):
        return tuple(_lowest(p, Z, signed, side) for side in sides)

    def point(names):
        return sum(signed[i] for i in names)

    search = _Search(point, budget)
    p, corral, lam = search.least_norm_point(lowest, list(start), X.shape[1])
    weights = np.full(len(y), Fraction(0), dtype=object)
    for names, share in zip(corral, lam, strict=True):
        for i in names:
            weights[i] += share
    return [v * unit for v in p], weights


def _lowest(p: list, Z: np.ndarray, signed: np.ndarray, side: np.ndarray) -> int:
    """Return the example of `side` with the least p.z; p holds whole numbers."""
    largest = max(abs(v) for v in p)
    if largest == 0:
        return int(side[0])
    direction = np.array([float(Fraction(v, largest)) for v in p])
    with np.errstate(all="ignore"):
        score, mass = Z[side] @ direction, np.abs(Z[side]) @ np.abs(direction)
        off = SAFE * (len(p) + 4) * UNIT * mass + 1e-300
        near = side[~(score - off > np.min(score + off))]
    exact = (signed[near] @ np.array(p, dtype=object)).tolist()
    return int(near[min(range(len(near)), key=exact.__getitem__)])


class _Search:
    """Wolfe's algorithm with points given by name; counts its products."""

    def __init__(self, point: Callable, budget: float):
        self.point, self.left = point, budget

    def least_norm_point(self, lowest: Callable, start: list, d: int):
        corral = self.independent(start) or [lowest([0] * d)]
        corral, lam = self.nearest_inside(corral, [Fraction(1, len(corral))] * len(corral))
        while True:
            p, below = self.combine(lam, corral)
            q = lowest(p)
            made = [Fraction(v, below) for v in p]
            if sum(v * v for v in p) <= below * sum(v * w for v, w in zip(p, self.point(q))):
                return made, corral, lam
            corral, lam = self.nearest_inside([*corral, q], [*lam, Fraction(0)])

    def nearest_inside(self, corral: list, lam: Vector) -> tuple[list, Vector]:
        while True:
            mu = self.nearest_affine(corral)
            if min(mu) > 0:
                return corral, mu
            walls = [a / (a - m) for a, m in zip(lam, mu, strict=True) if m <= 0 and a > m]
            theta = min(walls, default=Fraction(0))
            lam = [a + theta * (m - a) for a, m in zip(lam, mu, strict=True)]
            kept = [(v, a) for v, a in zip(corral, lam, strict=True) if a > 0]
            corral, lam = [v for v, _ in kept], [a for _, a in kept]

    def nearest_affine(self, corral: list) -> Vector:
        """Return weights with sum 1 of the nearest point to 0 of the affine hull."""
        edges, first = self.edges(corral)
        if not len(edges):
            return [Fraction(1)]
        self.spend(len(corral))
        beta = _solve(edges @ edges.T, -(edges @ first))
        return [1 - sum(beta, Fraction(0)), *beta]

    def edges(self, corral: list) -> tuple[np.ndarray, np.ndarray]:
        S = np.array([self.point(v) for v in corral], dtype=object)
        return S[1:] - S[0], S[0]

    def independent(self, names: list) -> list:
        """Return names of affinely independent points among those given."""
        kept: list = []
        rows: list[list] = []
        for name in names:
            if kept:
                row = list(self.point(name) - self.point(kept[0]))
                row = _reduced(row, rows)
                if row is None:
                    continue
                rows.append(row)
            kept.append(name)
        self.spend(len(kept))
        return kept

    def combine(self, lam: Vector, corral: list) -> tuple[list[int], int]:
        """Return whole numbers p and a denominator: the point is p / denominator."""
        below = 1
        for a in lam:
            below = below * a.denominator // gcd(below, a.denominator)
        p = sum(int(a * below) * self.point(v) for a, v in zip(lam, corral, strict=True)).tolist()
        common = gcd(below, *p)
        return [v // common for v in p], below // common

    def spend(self, k: int) -> None:
        """Pay for a system of k equations: larger systems have longer numbers, too."""
        self.left -= k**3 * (1 + k / 16)
        if self.left < 0:
            raise OverBudget


def _reduced(row: list[int], rows: list[list[int]]) -> list[int] | None:
    """Return `row` less its part along `rows` (in echelon form); None if nothing is left."""
    for base in rows:
        lead = next(j for j, v in enumerate(base) if v)
        if row[lead]:
            row = [base[lead] * v - row[lead] * u for v, u in zip(row, base)]
            common = gcd(*row)
            row = [v // common for v in row] if common > 1 else row
    return row if any(row) else None


def _solve(A: np.ndarray, b: np.ndarray) -> Vector:
    """Solve a positive definite system of whole numbers by fraction-free elimination."""
    M = np.column_stack([A, b])
    before = 1
    for c in range(len(M)):
        rest = np.arange(len(M)) != c
        M[rest] = (M[c, c] * M[rest] - M[rest, c][:, None] * M[c]) // before
        before = M[c, c]
    return [Fraction(v, before) for v in M[:, -1].tolist()]
