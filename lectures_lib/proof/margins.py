"""The judge of margins: what a separator reaches, what convex weights forbid, rounding included.

`w` (and `b`) show a margin: it is measured. Convex weights show that no separator has more than
the length of the point they make of the y x (half of it, with an offset): if that point is
exactly 0, there is none. Both numbers come with error bounds; the few examples and weights that
decide are counted in whole numbers, which floats are, so nothing is lost to rounding there.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import gcd

import numpy as np

from .rounding import SAFE, TINY, UNIT, Enclosure, enclosed_product, integers, root
from .verdict import Proof, Verdict, rounded_down, rounded_up

#: Whole numbers are used for up to this many products; beyond, floats with error bounds.
MOST_PRODUCTS = 500_000
#: Margins that agree to this, relative to the larger, are called the same.
AGREE = 1e-7


@dataclass(frozen=True, eq=False)
class MarginProof(Proof):
    """Separable: w has a margin, and none has one larger by more than `AGREE`. Or: none exists."""

    separable: bool  #: the claim
    margin: Enclosure  #: of w and b, measured; 0 if there is none
    dual: Enclosure  #: what no separator exceeds, by the convex weights

    @property
    def gap(self) -> float:
        """How far the margin of w can be from the largest, at most."""
        return float(self.dual.high) - float(self.margin.low)

    @property
    def verdict(self) -> Verdict:
        """A separator of margin 0 is none; weights prove that there is none by making exactly 0."""
        if not self.separable:
            return "proved" if self.dual.high == 0 else "undecided"
        if not self.margin.high > 0:
            return "undecided" if np.isnan(float(self.margin.high)) else "refuted"
        most = float(self.dual.high)
        best = self.margin.low > 0 and most < np.inf and self.gap <= AGREE * most
        return "proved" if best else "undecided"

    def __str__(self) -> str:
        """Return the two sides and the verdict."""
        most = rounded_up(self.dual.high, 6)
        if not self.separable:
            return f"no separator: weights make a point of length at most {most}: {self.verdict}"
        least = rounded_down(self.margin.low, 6)
        return f"margin at least {least}, and no separator above {most}: {self.verdict}"


def judge_margin(
    X: np.ndarray,
    y: np.ndarray,
    w: np.ndarray | None,
    b: float,
    weights: np.ndarray,
    *,
    offset: bool = False,
) -> MarginProof:
    """Judge a separator (None: the claim that there is none) and convex weights."""
    dual = hull_distance(X, y, weights, offset=offset)
    if w is None:
        return MarginProof(False, Enclosure(0.0), dual)
    return MarginProof(True, measured_margin(X, y, w, b), dual)


def measured_margin(X: np.ndarray, y: np.ndarray, w: np.ndarray, b: float = 0.0) -> Enclosure:
    """Return the least y (w.x + b) / norm(w), between bounds."""
    if not (np.isfinite(w).all() and np.isfinite(b) and np.any(w)):
        return Enclosure(np.nan, np.nan)
    with np.errstate(all="ignore"):
        score, error = enclosed_product(X, w)
        edge = y * (score + b)
        off = SAFE * (error + UNIT * (np.abs(edge) + abs(b))) + TINY
        near = edge - 2 * off <= np.min(edge + 2 * off)  # one of these is the least
    least, spread, length = float(edge.min()), float(off[near].max()), float(np.linalg.norm(w))
    clear = spread <= 1e-12 * least and 1e-100 < length < 1e100
    if not clear and near.sum() * len(w) <= MOST_PRODUCTS:
        least = _least_edge(X[near], y[near], w, b)
        size = root(least**2 / _square(w))
        return -size if least < 0 else size
    if not 1e-100 < length < 1e100:
        return Enclosure(np.nan, np.nan)
    size = len(w) * 4 * UNIT
    return Enclosure(least / length, SAFE * (spread / length + (size + UNIT) * abs(least / length)))


def is_clear(X: np.ndarray, y: np.ndarray, w: np.ndarray, b: float = 0.0) -> bool:
    """Return whether w still separates if each feature is moved by a few roundings of its size.

    What does not has a margin that the last digits of the data decide.
    """
    with np.errstate(all="ignore"):
        score, error = enclosed_product(X, w)
        edge, mass = y * (score + b), np.abs(X).max(axis=0) @ np.abs(w) + abs(b)
    return bool((edge > 2 * error + 8 * UNIT * mass).all())


def hull_distance(
    X: np.ndarray, y: np.ndarray, weights: np.ndarray, *, offset: bool = False
) -> Enclosure:
    """Return the length of the point that convex weights make of the y x; half, with an offset.

    Weights are divided by their sum (in each class, with an offset). What is not convex proves
    nothing: infinity.
    """
    groups = [y > 0, y < 0] if offset else [np.ones(len(y), dtype=bool)]
    values = np.asarray(weights)
    fine = values.shape == y.shape and (values.dtype == object or np.isfinite(values).all())
    if not fine or (values < 0).any() or not all(values[g].any() for g in groups):
        return Enclosure(np.inf)
    used = np.flatnonzero(values)
    if len(used) * X.shape[1] <= MOST_PRODUCTS:
        found = _exact_point(X[used], y[used], values[used], [g[used] for g in groups])
        return root(found / (4 if offset else 1))
    return _rounded_point(X[used], y[used], values[used].astype(float), [g[used] for g in groups])


def _exact_point(X, y, values, groups) -> Fraction:
    """Return the square of the point's length."""
    (rows,), unit = integers(X)
    shares = np.array([Fraction(v) for v in values.tolist()], dtype=object)
    for g in groups:
        shares[g] = shares[g] / sum(shares[g])
    top, below = _common(shares)
    made = (top * y.astype(int).astype(object)) @ rows
    return (made @ made) * unit**2 / below**2


def _common(shares: np.ndarray) -> tuple[np.ndarray, int]:
    """Return the numerators over one denominator."""
    below = 1
    for v in shares.tolist():
        below = below * v.denominator // gcd(below, v.denominator)
    return np.array([int(v * below) for v in shares.tolist()], dtype=object), below


def _rounded_point(X, y, values, groups) -> Enclosure:
    share = values.copy()
    for g in groups:
        share[g] /= share[g].sum()
    errors = (len(values) + 4) * UNIT * share
    made, off = enclosed_product((y[:, None] * X).T, share, errors)
    length, slip = float(np.linalg.norm(made)), float(np.linalg.norm(off))
    half = 0.5 if len(groups) == 2 else 1.0
    return Enclosure(half * length, half * SAFE * (slip + (len(made) + 4) * UNIT * length) + TINY)


def _least_edge(X, y, w, b) -> Fraction:
    (rows,), unit = integers(X)
    (weights, shift), part = integers(w, np.array([b]))
    scores = (rows @ weights) * unit.numerator + shift[0] * unit.denominator
    return min(int(s) * v for s, v in zip(y.tolist(), scores.tolist())) * part / unit.denominator


def _square(w: np.ndarray) -> Fraction:
    (weights,), unit = integers(w)
    return (weights @ weights) * unit**2
