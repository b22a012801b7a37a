"""Arrays of numbers that are known to lie between two bounds.

In floating point each result is widened by what it was rounded; in fractions the bounds are the
number itself. So one text serves both, and no inequality is decided by rounding.
"""

from dataclasses import dataclass

import numpy as np

from .rounding import TINY, growth

#: A sum or difference, rounded once, is off by less than this, relative to itself.
STEP = 2.0**-52
#: What widens low and high of such a result; and of a product that underflows.
OUTWARD = np.array([[-STEP], [STEP]])
BELOW_ABOVE = np.array([[-TINY], [TINY]])
#: The rows of the negative numbers: what was low is high.
FLIPPED = np.array([0, 2, 1])


@dataclass(frozen=True, eq=False)
class Band:
    """Numbers between `low` and `high`; `value` is for showing. One array holds all three."""

    sides: np.ndarray  #: (3, M) value, low, high

    @property
    def value(self) -> np.ndarray:
        """The numbers as they were computed."""
        return self.sides[0]

    @property
    def low(self) -> np.ndarray:
        """What they are not below."""
        return self.sides[1]

    @property
    def high(self) -> np.ndarray:
        """What they are not above."""
        return self.sides[2]

    def __add__(self, other: "Band") -> "Band":
        return Band(_widened(self.sides + other.sides))

    def __neg__(self) -> "Band":
        return Band(-self.sides[FLIPPED])

    def __sub__(self, other: "Band") -> "Band":
        return Band(_widened(self.sides - other.sides[FLIPPED]))

    def __getitem__(self, chosen: np.ndarray) -> "Band":
        return Band(self.sides.take(chosen, axis=1))

    def doubled(self) -> "Band":
        """Return twice the numbers: exact in floating point, too."""
        return Band(2 * self.sides)

    def at_least(self, least: int) -> "Band":
        """Return max(least, number); or the numbers, known by definition to be >= least."""
        return Band(np.maximum(least, self.sides))

    def times(self, other: "Band") -> "Band":
        """Return the products of numbers that are both >= 0."""
        a, b = np.maximum(0, self.sides), np.maximum(0, other.sides)
        sides = _widened(a * b)
        if is_rounded(sides):
            zero = (a[1:] == 0) | (b[1:] == 0)
            sides[1:] = np.where(zero, 0.0, sides[1:] + BELOW_ABOVE)
            sides[1] = np.maximum(sides[1], 0.0)
        return Band(sides)

    def squared(self) -> "Band":
        """Return the squares."""
        sizes = np.abs(self.sides)
        crosses = (self.low < 0) & (self.high > 0)
        near = np.where(crosses, 0 * sizes[1], np.minimum(sizes[1], sizes[2]))
        size = between(sizes[0], near, np.maximum(sizes[1], sizes[2]))
        return size.times(size)

    def summed(self) -> "Band":
        """Return the sums of the first 1, 2, ... numbers."""
        if not self.sides.size or not is_rounded(self.sides):
            return Band(np.cumsum(self.sides, axis=1))
        both = np.concatenate([self.sides, np.abs(self.sides[1:])]).cumsum(axis=1)
        off = 2 * growth(self.sides.shape[1])
        both[1] -= off * both[3]
        both[2] += off * both[4]
        return Band(both[:3])


def _widened(sides: np.ndarray) -> np.ndarray:
    """Widen results that were rounded once, in place; 0 stays 0, for sums to 0 are exact."""
    if is_rounded(sides):
        ends = sides[1:]
        ends += OUTWARD * np.abs(ends)
    return sides


def is_rounded(values: np.ndarray) -> bool:
    """Return whether the numbers are floats and not fractions."""
    return values.dtype != object


def lower(values: np.ndarray) -> np.ndarray:
    """Return numbers below what was rounded to `values`; 0 stays 0, for sums to 0 are exact."""
    return values - STEP * np.abs(values) if is_rounded(values) else values


def upper(values: np.ndarray) -> np.ndarray:
    """Return numbers above what was rounded to `values`."""
    return values + STEP * np.abs(values) if is_rounded(values) else values


def exactly(values: np.ndarray) -> Band:
    """Return a band without width."""
    return between(values, values, values)


def between(value: np.ndarray, low: np.ndarray, high: np.ndarray) -> Band:
    """Return numbers between bounds that are known."""
    return Band(np.array((value, low, high)))


def within(values: np.ndarray, errors: np.ndarray) -> Band:
    """Return floats that are known up to `errors`."""
    return Band(_widened(np.array((values, values - errors, values + errors))))
