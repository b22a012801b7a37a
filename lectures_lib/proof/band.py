"""Arrays of numbers that are known to lie between two bounds.

In floating point each result is widened by what it was rounded; in fractions the bounds are the
number itself. So one text serves both, and no inequality is decided by rounding.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .rounding import TINY, growth

#: A sum or difference, rounded once, is off by less than this, relative to itself.
STEP = 2.0**-52


@dataclass(frozen=True, eq=False)
class Band:
    """Numbers between `low` and `high`; `value` is for showing. Arrays of one shape, or scalars."""

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray

    def __add__(self, other: "Band") -> "Band":
        low, high = self.low + other.low, self.high + other.high
        return Band(self.value + other.value, lower(low), upper(high))

    def __neg__(self) -> "Band":
        return Band(-self.value, -self.high, -self.low)

    def __sub__(self, other: "Band") -> "Band":
        return self + -other

    def __getitem__(self, chosen) -> "Band":
        return Band(self.value[chosen], self.low[chosen], self.high[chosen])

    def doubled(self) -> "Band":
        """Return twice the numbers: exact in floating point, too."""
        return Band(2 * self.value, 2 * self.low, 2 * self.high)

    def at_least(self, least: int) -> "Band":
        """Return max(least, number); or the numbers, known by definition to be >= least."""
        return Band(*(np.maximum(least, v) for v in (self.value, self.low, self.high)))

    def times(self, other: "Band") -> "Band":
        """Return the products of numbers that are both >= 0."""
        a, b = self.at_least(0), other.at_least(0)
        low, high = a.low * b.low, a.high * b.high
        if not is_rounded(low):
            return Band(a.value * b.value, low, high)
        below = np.where((a.low == 0) | (b.low == 0), 0.0, lower(low) - TINY)
        above = np.where((a.high == 0) | (b.high == 0), 0.0, upper(high) + TINY)
        return Band(a.value * b.value, np.maximum(below, 0.0), above)

    def squared(self) -> "Band":
        """Return the squares."""
        sizes = np.abs(self.low), np.abs(self.high)
        crosses = (self.low < 0) & (self.high > 0)
        near = np.where(crosses, 0 * sizes[0], np.minimum(*sizes))
        size = Band(np.abs(self.value), near, np.maximum(*sizes))
        return size.times(size)

    def summed(self) -> "Band":
        """Return the sums of the first 1, 2, ... numbers."""
        value, low, high = (np.cumsum(v) for v in (self.value, self.low, self.high))
        if not len(value) or not is_rounded(low):
            return Band(value, low, high)
        off = 2 * growth(len(value))
        return Band(
            value,
            low - off * np.cumsum(np.abs(self.low)),
            high + off * np.cumsum(np.abs(self.high)),
        )


def is_rounded(values: np.ndarray) -> bool:
    """Return whether the numbers are floats and not fractions."""
    return np.asarray(values).dtype != object and not isinstance(values, Fraction)


def lower(values: np.ndarray) -> np.ndarray:
    """Return numbers below what was rounded to `values`; 0 stays 0, for sums to 0 are exact."""
    return values - STEP * np.abs(values) if is_rounded(values) else values


def upper(values: np.ndarray) -> np.ndarray:
    """Return numbers above what was rounded to `values`."""
    return values + STEP * np.abs(values) if is_rounded(values) else values


def exactly(values: np.ndarray) -> Band:
    """Return a band without width."""
    return Band(values, values, values)


def within(values: np.ndarray, errors: np.ndarray) -> Band:
    """Return floats that are known up to `errors`."""
    return Band(values, lower(values - errors), upper(values + errors))


def to_float(values: np.ndarray) -> np.ndarray:
    """Return fractions as floats that keep their sign, however small, and may be infinite."""
    if np.asarray(values).dtype != object:
        return np.asarray(values, dtype=float)
    return np.array([_one_float(v) for v in np.ravel(values).tolist()], float).reshape(
        np.shape(values)
    )


def _one_float(value: Fraction | float) -> float:
    try:
        near = float(value)
    except OverflowError:
        return np.inf if value > 0 else -np.inf
    return near if near or not value else (TINY if value > 0 else -TINY)
