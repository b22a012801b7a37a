"""Floats as whole numbers: every float is a whole number over a power of two.

So sums and products of floats are those of Python's whole numbers, of any size and without
rounding, and many times as fast as those of fractions.
"""

from fractions import Fraction
from math import isqrt

import numpy as np

from .rounding import TINY, UNIT, Enclosure, enclosed_product


def integers(*arrays: np.ndarray) -> tuple[list[np.ndarray], Fraction]:
    """Return the arrays as whole numbers, and the common unit by which they are multiplied."""
    ratios = [[v.as_integer_ratio() for v in np.ravel(a).tolist()] for a in arrays]
    parts = max((below for part in ratios for _, below in part), default=1)
    counted = [
        np.array([above * (parts // below) for above, below in part], dtype=object).reshape(
            np.shape(a)
        )
        for part, a in zip(ratios, arrays, strict=True)
    ]
    return counted, Fraction(1, parts)


def exact_signs(X: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return the sign, -1, 0 or +1, of w.x for each row of X, decided without rounding."""
    (rows,), _ = integers(X)
    (weights,), _ = integers(w)
    return np.array([(s > 0) - (s < 0) for s in (rows @ weights).tolist()], dtype=float)


def sure_signs(X: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return the same signs; only where a rounded score does not tell, exactly.

    A score beyond all floats may be infinity less infinity, which is no number and tells nothing.
    """
    score, error = enclosed_product(X, w)
    side = np.where(score > 0, 1.0, -1.0)
    doubtful = ~(np.abs(score) > error)
    if doubtful.any():
        side[doubtful] = exact_signs(X[doubtful], w)
    return side


def fractions(values: np.ndarray) -> np.ndarray:
    """Return the floats as fractions, in an array of the same shape."""
    counted = [Fraction(v) for v in np.ravel(values).tolist()]
    return np.array(counted, dtype=object).reshape(np.shape(values))


def root(square: Fraction) -> Enclosure:
    """Return the square root of a fraction, between bounds; that of 0 is exactly 0."""
    if square == 0:
        return Enclosure(0.0)
    shift = 128 - (square.numerator.bit_length() - square.denominator.bit_length())
    shift += shift % 2
    scaled = (square.numerator << max(shift, 0)) // (square.denominator << max(-shift, 0))
    near = float(Fraction(isqrt(scaled)) * Fraction(2) ** (-shift // 2))
    return Enclosure(near, 4 * UNIT * near + TINY)
