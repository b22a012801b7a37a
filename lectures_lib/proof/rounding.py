"""Numbers that know their rounding errors.

One operation in double precision errs by at most u = 2^-53, relative to its result. So a dot
product of n terms, in whatever order it is added up, errs by at most g_n abs(x).abs(y) with
g_n = n u / (1 - n u). A sum by `math.fsum` is rounded once. The bounds are computed in floating
point, too: each is made a little larger than needed (`SAFE`), which covers their own rounding.
Fractions have no rounding errors: the same functions then return exact numbers.

What is assumed: IEEE double precision, round to nearest, and no overflow; entries that underflow
are covered by `TINY`.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._door import door

#: The relative error of one operation in double precision.
UNIT = 2.0**-53
#: Bounds are multiplied by this: it covers their own rounding for up to 2^30 terms.
SAFE = 1.0 + 2.0**-20
#: The error of a product that underflows is below this.
TINY = 2.0**-1074
#: So many numbers fit into a processor's cache.
AT_HAND = 2**16

Number = float | Fraction


@dataclass(frozen=True)
class Enclosure:
    """A real number that lies within `error` of `value`; a fraction with error 0 is exact."""

    value: Number
    error: Number = 0.0

    def __post_init__(self) -> None:
        """Keep plain numbers: infinity less infinity is NaN, of which nothing is proved."""
        for name in ("value", "error"):
            number = getattr(self, name)
            if isinstance(number, np.floating):
                object.__setattr__(self, name, float(number))

    @property
    def low(self) -> Number:
        """Return a number that the true one is not below."""
        if not self.error:
            return self.value  # a fraction less 0.0 would be a float, rounded
        if isinstance(self.value, Fraction):
            return self.value - self.error
        return math.nextafter(self.value - self.error, -math.inf)

    @property
    def high(self) -> Number:
        """Return a number that the true one is not above."""
        if not self.error:
            return self.value
        if isinstance(self.value, Fraction):
            return self.value + self.error
        return math.nextafter(self.value + self.error, math.inf)

    def __add__(self, other: "Enclosure | Number") -> "Enclosure":
        other = enclosed(other)
        return _rounded(self.value + other.value, self.error + other.error)

    def __sub__(self, other: "Enclosure | Number") -> "Enclosure":
        return self + -enclosed(other)

    def __neg__(self) -> "Enclosure":
        return Enclosure(-self.value, self.error)

    def __mul__(self, other: "Enclosure | Number") -> "Enclosure":
        other = enclosed(other)
        own, others = max(self.value, -self.value), max(other.value, -other.value)
        cross = own * other.error + others * self.error
        return _rounded(self.value * other.value, cross + self.error * other.error)

    __radd__, __rmul__ = __add__, __mul__

    def __float__(self) -> float:
        return float(self.value)


def enclosed(value: Enclosure | Number) -> Enclosure:
    """Return a given number as one that is known exactly."""
    return value if isinstance(value, Enclosure) else Enclosure(value)


def _rounded(value: Number, error: Number) -> Enclosure:
    """Return the enclosure of a result that was just rounded once."""
    if isinstance(value, Fraction):
        return Enclosure(value, error)
    return Enclosure(value, SAFE * (error + UNIT * abs(value)) + TINY)


@door
def growth(n: int) -> float:
    """Return g_n = n u / (1 - n u): what n operations can do, relative to their terms."""
    return n * UNIT / (1.0 - n * UNIT)


def is_exact(*arrays: ArrayLike) -> bool:
    """Return whether all arrays hold fractions (or other exact numbers)."""
    return all(np.asarray(a).dtype == object for a in arrays)


@door
def enclosed_sum(values: np.ndarray, errors: np.ndarray | float = 0.0) -> Enclosure:
    """Return the sum of numbers that are known up to `errors`."""
    if is_exact(values):
        return Enclosure(sum(values.tolist(), Fraction(0)))
    with np.errstate(over="ignore", invalid="ignore"):
        spread = float(
            np.broadcast_to(errors, np.shape(values)).sum()
        )  # `SAFE` covers its rounding
    try:
        value = math.fsum(np.ravel(values).tolist())
    except (ValueError, OverflowError):  # beyond all floats: nothing is known
        return Enclosure(math.nan, math.inf)
    return Enclosure(value, SAFE * (spread + UNIT * abs(value)) + TINY)


@door
def enclosed_dot(
    x: np.ndarray,
    y: np.ndarray,
    x_errors: np.ndarray | float = 0.0,
    y_errors: np.ndarray | float = 0.0,
) -> Enclosure:
    """Return x.y for vectors that are known up to their errors."""
    if is_exact(x, y):
        return enclosed_sum(x * y)
    terms = x * y
    errors = np.abs(x) * y_errors + np.abs(y) * x_errors + np.multiply(x_errors, y_errors)
    return enclosed_sum(terms, errors + UNIT * np.abs(terms) + TINY)


@door
def enclosed_product(
    A: np.ndarray, v: np.ndarray, errors: np.ndarray | float = 0.0
) -> tuple[np.ndarray, np.ndarray]:
    """Return A v and a bound for each entry's error; v is known up to `errors`.

    A may be a scipy sparse matrix.
    """
    if is_exact(A, v):
        return A @ v, np.zeros(A.shape[0], dtype=int).astype(object)
    size = growth(A.shape[1] + 1) * np.abs(v) + errors + TINY  # which may have underflowed
    return A @ v, SAFE * _mass(A, size) + A.shape[1] * TINY


def _mass(A: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Return abs(A) @ size; of a large matrix, some rows at a time, so that they stay at hand."""
    rows = max(1, AT_HAND // max(A.shape[1], 1))
    if not isinstance(A, np.ndarray):
        return abs(A) @ size
    if len(A) <= rows:
        return _without_signs(A) @ size
    parts = (A[i : i + rows] for i in range(0, len(A), rows))
    return np.concatenate([_without_signs(part) @ size for part in parts])


def _without_signs(A: np.ndarray) -> np.ndarray:
    """Return abs(A), which many a Gram matrix is already: to look costs less than to copy."""
    return A if A.size and A.min() >= 0.0 else np.abs(A)


def above_zero(value: np.ndarray, error: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return max(0, value) and its error: none where the value is below 0 for certain."""
    if value.dtype == object:
        return np.maximum(0, value), error
    low, high = np.maximum(0.0, value - error), np.maximum(0.0, value + error)
    return 0.5 * (low + high), 0.5 * (high - low) * (1 + 2.0**-50) + ulp(high) * (high > 0)


def ulp(values: Any) -> Any:
    """Return a bound for the error of a result that was rounded once: numbers, or an array."""
    if isinstance(values, Fraction) or np.asarray(values).dtype == object:
        return 0 * values
    return 2.0**-53 * np.abs(values) + 2.0**-1074
