"""Wolfe's algorithm in whole numbers and fractions: the verdict of `max_margin` without rounding.

Every float is a whole number over a power of two, so a data set of floats is a data set of
integers, scaled. For small data, and for margins too thin for floating point.
"""

from collections.abc import Callable
from fractions import Fraction
from math import lcm

import numpy as np

Vector = list[Fraction]


def exact_nearest(X: np.ndarray, y: np.ndarray, offset: bool) -> tuple[Vector, np.ndarray]:
    """Return the point nearest to 0, in the units of X, and the convex weights that make it.

    Of the hull of the y x, or with `offset` of the differences between the classes.
    """
    rows, unit = _integers(X)
    signed = [[int(label) * v for v in row] for label, row in zip(y, rows, strict=True)]
    if offset:
        pos, neg = [i for i, v in enumerate(y) if v > 0], [i for i, v in enumerate(y) if v < 0]

        def lowest(p):
            return tuple(min(side, key=lambda i: _dot(p, signed[i])) for side in (pos, neg))

        def point(ij):
            return [a + b for a, b in zip(signed[ij[0]], signed[ij[1]], strict=True)]
    else:

        def lowest(p):
            return (min(range(len(y)), key=lambda i: _dot(p, signed[i])),)

        def point(i):
            return signed[i[0]]

    p, corral, lam = _least_norm_point(lowest, point, X.shape[1])
    weights = np.zeros(len(y), dtype=object)
    for names, share in zip(corral, lam, strict=True):
        for i in names:
            weights[i] += share
    return [v / unit for v in p], weights


def _least_norm_point(lowest: Callable, point: Callable, d: int) -> tuple[Vector, list, Vector]:
    corral, lam = [lowest([0] * d)], [Fraction(1)]
    while True:
        p = _combine(lam, [point(v) for v in corral])
        q = lowest(p)
        if _dot(p, p) <= _dot(p, point(q)):
            return p, corral, lam
        corral, lam = _nearest_inside([*corral, q], [*lam, Fraction(0)], point)


def _nearest_inside(corral: list, lam: Vector, point: Callable) -> tuple[list, Vector]:
    while True:
        mu = _nearest_affine([point(v) for v in corral])
        if min(mu) > 0:
            return corral, mu
        walls = [a / (a - m) for a, m in zip(lam, mu, strict=True) if m <= 0 and a > m]
        theta = min(walls, default=Fraction(0))
        lam = [a + theta * (m - a) for a, m in zip(lam, mu, strict=True)]
        kept = [(v, a) for v, a in zip(corral, lam, strict=True) if a > 0]
        corral, lam = [v for v, _ in kept], [a for _, a in kept]


def _nearest_affine(S: list[list[int]]) -> Vector:
    """Solve (S S') lam = -nu 1, sum lam = 1: the nearest point of the affine hull of the rows."""
    k = len(S)
    system = [[Fraction(_dot(a, b)) for b in S] + [Fraction(1), Fraction(0)] for a in S]
    system.append([Fraction(1)] * k + [Fraction(0), Fraction(1)])
    return _eliminate(system)[:k]


def _eliminate(rows: list[Vector]) -> Vector:
    """Solve a square system, its right-hand side last, by Gauss's elimination."""
    n = len(rows)
    for c in range(n):
        pivot = next(r for r in range(c, n) if rows[r][c] != 0)
        rows[c], rows[pivot] = rows[pivot], rows[c]
        rows[c] = [v / rows[c][c] for v in rows[c]]
        for r in range(n):
            if r != c and rows[r][c] != 0:
                factor = rows[r][c]
                rows[r] = [a - factor * b for a, b in zip(rows[r], rows[c], strict=True)]
    return [row[-1] for row in rows]


def _integers(X: np.ndarray) -> tuple[list[list[int]], int]:
    """Return whole numbers and the unit by which they are X times that unit."""
    exact = [[Fraction(v) for v in row] for row in X.tolist()]
    unit = lcm(*(v.denominator for row in exact for v in row))
    return [[int(v * unit) for v in row] for row in exact], unit


def _combine(lam: Vector, points: list[list[int]]) -> Vector:
    return [
        sum(a * v for a, v in zip(lam, column, strict=True)) for column in zip(*points, strict=True)
    ]


def _dot(a: list, b: list):
    return sum(v * w for v, w in zip(a, b, strict=True))
