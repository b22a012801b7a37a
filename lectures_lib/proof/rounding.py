"""Numbers that know their rounding errors.

One operation in double precision errs by at most u = 2^-53, relative to its result. So a dot
product of n terms, in whatever order it is added up, errs by at most g_n abs(x).abs(y) with
g_n = n u / (1 - n u). A sum of numbers that are given is cut in two (`cut_sum`): the coarse parts
add up without any rounding. The bounds are computed in floating point, too: each is made a little
larger than needed (`SAFE`), which covers their own rounding.
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
from scipy import sparse

from .._arguments import BadArgument
from ..conventions import DOUBLE, as_floats

#: The relative error of one operation in double precision.
UNIT = 2.0**-53
#: Bounds are multiplied by this: it covers their own rounding for up to 2^30 terms.
SAFE = 1.0 + 2.0**-20
#: The error of a product that underflows is below this.
TINY = 2.0**-1074
#: How many numbers fit into a processor's cache.
AT_HAND = 2**16
#: How many entries are looked at first for a sign.
FIRST = 64

Number = float | Fraction


@dataclass(frozen=True)
class Enclosure:
    """A real number that lies within `error` of `value`; a fraction with error 0 is exact."""

    value: Number
    error: Number = 0.0

    def __post_init__(self) -> None:
        """Keep plain numbers: infinity less infinity is NaN, of which nothing is proved."""
        if type(self.value) is type(self.error) is float:
            return  # which is the usual case, and a short way
        for name in ("value", "error"):
            number = getattr(self, name)
            if isinstance(number, np.floating):
                object.__setattr__(self, name, float(number))

    @property
    def low(self) -> Number:
        """Return a number that the true one is not below."""
        if not self.error:
            return self.value  # a fraction less 0.0 would be a float, rounded
        low = self.value - self.error
        return math.nextafter(low, -math.inf) if isinstance(low, float) else low

    @property
    def high(self) -> Number:
        """Return a number that the true one is not above."""
        if not self.error:
            return self.value
        high = self.value + self.error
        return math.nextafter(high, math.inf) if isinstance(high, float) else high

    def __add__(self, other: "Enclosure | Number") -> "Enclosure":
        other = enclosed(other)
        return _rounded(self.value + other.value, self.error + other.error)

    def __sub__(self, other: "Enclosure | Number") -> "Enclosure":
        other = enclosed(other)
        return _rounded(self.value - other.value, self.error + other.error)

    def __neg__(self) -> "Enclosure":
        return Enclosure(-self.value, self.error)

    def __mul__(self, other: "Enclosure | Number") -> "Enclosure":
        other = enclosed(other)
        if not (self.error or other.error):  # of fractions there may be none that is a float
            return _rounded(self.value * other.value, 0.0)
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
    if isinstance(value, float):
        return Enclosure(value, SAFE * (error + UNIT * abs(value)) + TINY)
    return Enclosure(value, error)


def growth(n: Any) -> Any:
    """Return g_n = n u / (1 - n u): what n operations can do, relative to their terms.

    Of one whole number, or of each in an array.
    """
    return n * UNIT / (1.0 - n * UNIT)


def is_exact(*arrays: ArrayLike) -> bool:
    """Return whether all arrays hold fractions or whole numbers of any size; or none of them does.

    An array of objects may hold floats, too, whose sums are rounded: it is refused.
    """
    if all(type(a) is np.ndarray and a.dtype is DOUBLE for a in arrays):
        return False
    given: list[Any] = [a if hasattr(a, "dtype") else np.asarray(a) for a in arrays]  # or sparse
    objects = [a for a in given if a.dtype == object]
    if not objects:
        return False
    kinds = {type(v) for a in objects for v in a.ravel().tolist()}
    if len(objects) < len(arrays) or not kinds <= {int, Fraction}:
        raise BadArgument(
            "Arrays of objects must hold fractions or whole numbers, and none of floats may stand "
            "beside them: convert what is inexact by astype(float)."
        )
    return True


def enclosed_sum(values: np.ndarray, errors: np.ndarray | float = 0.0) -> Enclosure:
    """Return the sum of numbers that are known up to `errors`."""
    if is_exact(values):
        return Enclosure(sum(values.tolist(), Fraction(0)))
    if not np.any(errors):
        return cut_sum(np.ravel(as_floats(values, "values")))
    each = np.broadcast_to(errors, np.shape(values))
    return enclosed_dot(np.ravel(values), np.ones(np.size(values)), np.ravel(each))


def enclosed_dot(
    x: np.ndarray,
    y: np.ndarray,
    x_errors: np.ndarray | float = 0.0,
    y_errors: np.ndarray | float = 0.0,
) -> Enclosure:
    """Return x.y for vectors that are known up to their errors."""
    if is_exact(x, y):
        return enclosed_sum(x * y)
    with np.errstate(over="ignore", invalid="ignore"):
        terms = np.multiply(as_floats(x, "x"), as_floats(y, "y"))
        spread = UNIT * float(np.abs(terms).sum()) + 2 * len(terms) * TINY
        if np.any(x_errors):
            spread += float(((np.abs(y) + y_errors) * x_errors).sum())
        if np.any(y_errors):
            spread += float((np.abs(x) * y_errors).sum())
    return cut_sum(terms, spread)


def cut_sum(x: np.ndarray, spread: float = 0.0) -> Enclosure:
    """Return the sum of n doubles that may be off by `spread` together: hardly rounded, once.

    Let 2^e be above every abs(x), and s a power of 2 with n 2^e < s. Floats from s / 2 to 2 s are
    multiples of u s, and at most 2 u s apart. So q = (s + x) - s, where nothing is rounded but the
    sum, is x up to u s, a multiple of u s, and at most 2^e. No sum of several q exceeds
    s = 2^53 u s: in whatever order, none is rounded. The rest r = x - q is the rounding error of
    one addition, which is a float. Sums of r err by at most g_n n u s. One rounding is left, that
    of sum q + sum r. `SAFE` covers the rounding of `spread`.
    """
    n, largest = len(x), float(np.abs(x).max(initial=0.0))
    if largest == 0.0:
        return Enclosure(0.0, SAFE * spread + TINY)
    exponent = math.frexp(largest)[1] + n.bit_length()
    if not (largest < math.inf and exponent < 1023):  # NaN, or they may overflow: nothing is known
        return Enclosure(math.nan, math.inf)
    s = math.ldexp(1.0, exponent)
    q = (s + x) - s
    value = float(q.sum() + (x - q).sum())
    error = UNIT * abs(value) + growth(n) * n * UNIT * s
    return Enclosure(value, SAFE * (error + spread) + TINY)


def enclosed_product(
    A: np.ndarray, v: np.ndarray, errors: np.ndarray | float = 0.0, norm: float = np.inf
) -> tuple[np.ndarray, np.ndarray]:
    """Return A v and a bound for each entry's error; v is known up to `errors`.

    A may be a scipy sparse matrix. If `norm` is finite it is not below the norm of any row of A,
    and A is read once: by Cauchy-Schwarz no entry of abs(A) size exceeds norm norm(size).
    """
    if is_exact(A, v):
        return A @ v, np.zeros(A.shape[0], dtype=int).astype(object)
    v = as_floats(v, "v")  # then the product of single precision is a double one
    if isinstance(A, np.ndarray) and A.dtype.char not in "fd":
        A = as_floats(A, "A")
    size = growth(A.shape[1] + 1) * np.abs(v) + errors + TINY  # which may have underflowed
    if norm < np.inf:
        most = SAFE * norm * (SAFE * float(np.linalg.norm(size)) + 1e-150)  # as `norm_above`
        return A @ v, np.full(A.shape[0], most + A.shape[1] * TINY)
    return A @ v, SAFE * _mass(A, size) + A.shape[1] * TINY


def norm_above(A: Any) -> float:
    """Return a number not below the root of the sum of all squares; infinity if that overflows.

    What is lost by squares that underflow is below 1e-150 for up to 2^30 entries.
    """
    entries = A.data if sparse.issparse(A) else A
    with np.errstate(over="ignore", under="ignore"):
        return float(np.linalg.norm(entries)) * SAFE + 1e-150


def _mass(A: Any, size: np.ndarray) -> np.ndarray:
    """Return abs(A) @ size; of a large matrix, a piece at a time, so that it stays at hand."""
    if isinstance(A, np.ndarray) and A.size > AT_HAND and min(A.shape) > 1:
        if A.strides[0] < A.strides[1]:  # a transposed one lies in memory column by column
            k = max(1, AT_HAND // len(A))
            pieces = range(0, A.shape[1], k)
            return np.sum([_mass(A[:, i : i + k], size[i : i + k]) for i in pieces], axis=0)
        k = max(1, AT_HAND // A.shape[1])
        return np.concatenate([_mass(A[i : i + k], size) for i in range(0, len(A), k)])
    entries = np.asarray(getattr(A, "data", None) if sparse.issparse(A) else A)
    known = entries.size and entries.dtype.kind in "biuf"  # a sparse matrix may hold lists
    known = known and entries.flat[:FIRST].min() >= 0.0  # most that have signs show one early
    return (A if known and entries.min() >= 0.0 else abs(A)) @ size  # to look costs less than abs


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


def to_float(values: np.ndarray) -> np.ndarray:
    """Return fractions as floats that keep their sign, however small, and may be infinite."""
    if np.asarray(values).dtype != object:
        return np.asarray(values, dtype=float)
    return np.array([one_float(v) for v in np.ravel(values).tolist()], float).reshape(
        np.shape(values)
    )


def one_float(value: Any) -> float:
    """Return one number as a float that keeps its sign, and may be infinite."""
    try:
        near = float(value)
    except OverflowError:
        return np.inf if value > 0 else -np.inf
    return near if near or not value else (TINY if value > 0 else -TINY)


def integers(*arrays: np.ndarray) -> tuple[list[np.ndarray], Fraction]:
    """Return the arrays as whole numbers, and the common unit by which they are multiplied.

    Every float is a whole number over a power of two. So sums and products of floats are those of
    Python's whole numbers, of any size and unrounded, and many times as fast as those of fractions.
    """
    ratios = [[v.as_integer_ratio() for v in np.ravel(a).tolist()] for a in arrays]
    parts = max((below for part in ratios for _, below in part), default=1)
    counted = [
        np.array([above * (parts // below) for above, below in part], dtype=object).reshape(
            np.shape(a)
        )
        for part, a in zip(ratios, arrays, strict=True)
    ]
    return counted, Fraction(1, parts)


def no_mistake(X: np.ndarray, y: np.ndarray, w: np.ndarray, tie_label: float = 0.0) -> bool:
    """Return whether w.x has the sign of its label in each row; where it is 0, of `tie_label`.

    Where a rounded score does not tell, whole numbers do. One beyond all floats may be infinity
    less infinity, which is no number and tells nothing.
    """
    score, error = enclosed_product(X, w)
    side = np.where(score > 0, 1.0, -1.0)
    doubtful = ~(np.abs(score) > error)
    if doubtful.any():
        (rows, weights), _ = integers(X[doubtful], w)
        side[doubtful] = [(s > 0) - (s < 0) for s in (rows @ weights).tolist()]
    return bool(np.where(side == 0, y == tie_label, side == y).all())


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
    near = float(Fraction(math.isqrt(scaled)) * Fraction(2) ** (-shift // 2))
    return Enclosure(near, 4 * UNIT * near + TINY)
