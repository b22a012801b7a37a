"""Floats as whole numbers: every float is a whole number over a power of two.

So sums and products of floats are those of Python's whole numbers, of any size and without
rounding, and many times as fast as those of fractions.
"""

from fractions import Fraction

import numpy as np


def whole(*arrays: np.ndarray) -> tuple[list[np.ndarray], Fraction]:
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
    (rows,), _ = whole(X)
    (weights,), _ = whole(w)
    return np.array([(s > 0) - (s < 0) for s in (rows @ weights).tolist()], dtype=float)
