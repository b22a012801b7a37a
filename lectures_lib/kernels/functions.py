"""Kernels given directly: a function of two examples or of two tables, a number, the values.

Nobody vouches for functions and values, and nothing is known of their rounding: they are tested.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument
from ..conventions import as_floats, check_number, check_points
from .algebra import Kernel
from .rounding import in_range


@dataclass(frozen=True, repr=False)
class Function(Kernel):
    """A function of two examples, kernel or not: `psd_certificate` and `refute` tell.

    Parameters
    ----------
    f : a function of two examples that returns a number
    name : how the formula prints

    Examples
    --------
    >>> kernels.Function(lambda x, z: min(x[0], z[0]), "min(x, z)")([[1.0], [3.0]])
    array([[1., 1.],
           [1., 3.]])
    """

    f: Callable[[np.ndarray, np.ndarray], float]
    name: str = "k(x, z)"

    def check(self, X: Any) -> np.ndarray:
        """Return rows of numbers, checked; strings, sets, graphs and other objects as they are."""
        if not isinstance(X, list | tuple | np.ndarray) or len(X) == 0 or not _is_object(X[0]):
            return check_points(X)
        return np.fromiter(X, dtype=object, count=len(X))

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return np.array([[float(self.f(x, z)) for z in Z] for x in X])

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.array([float(self.f(x, x)) for x in X])

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, repr=False)
class Constant(Kernel):
    """K(x, z) = c >= 0: phi(x) = sqrt(c) for every x. ``(a * Linear() + Constant(c)) ** p``."""

    proved = True

    c: float = 1.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "c", check_number(self.c, "c", 0, why=": phi(x) is sqrt(c)"))

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return np.full((len(X), len(Z)), float(self.c))

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.full(len(X), float(self.c))

    def bound(self, X: np.ndarray) -> float | None:
        """Return 0: nothing is rounded."""
        return 0.0 if in_range(self.diagonal(X), np.full(len(X), self.c == 0)) else None

    def exact(self, X: np.ndarray) -> np.ndarray | None:
        return np.full((len(X), len(X)), Fraction(self.c))

    def __repr__(self) -> str:
        return f"{self.c:g}"


def _is_object(x: object) -> bool:
    """Say whether an example is something other than numbers: a string, a set, a graph."""
    if isinstance(x, str | set | frozenset):
        return True
    return not np.iterable(x) and not isinstance(x, Number | np.generic)


@dataclass(frozen=True, repr=False)
class Given(Kernel):
    """A kernel known by its values: an example is its row of K, then its own number.

    `Given.rows` makes such examples of a Gram matrix, or of the block K(new, old), whose examples
    have no number of their own.
    """

    @staticmethod
    def rows(K: ArrayLike, n: int | None = None) -> np.ndarray:
        """Return examples for this kernel: of a square K, or of n values for each new one."""
        K = check_points(K, "K", copy=False)
        if n is None and K.shape[0] != K.shape[1]:
            raise BadArgument(f"K has shape {K.shape}; a Gram matrix is square.")
        own = np.arange(len(K)) if n is None else np.full(len(K), -1)
        return np.column_stack([K, own])

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        known = Z[:, -1].astype(int)
        if (known < 0).any():
            raise BadArgument("Values between two new examples are not known: give them in K.")
        return X[:, known[0] : known[-1] + 1].copy() if _in_a_row(known) else X.take(known, axis=1)

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        self.gram(X[:0], X)  # values between new examples are not known
        return X[np.arange(len(X)), X[:, -1].astype(int)]

    def __repr__(self) -> str:
        return "K as given"


def _in_a_row(numbers: np.ndarray) -> bool:
    return len(numbers) > 0 and bool((np.diff(numbers) == 1).all())


@dataclass(frozen=True, repr=False)
class Tables(Kernel):
    """A function of two tables (n, d) and (m, d) that returns the block (n, m), kernel or not."""

    f: Callable[[np.ndarray, np.ndarray], np.ndarray]
    name: str = "k(X, Z)"

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        block = as_floats(self.f(X, Z), "the kernel function's block")
        if block.shape != (len(X), len(Z)):
            raise BadArgument(
                f"The kernel function returned shape {block.shape} for {len(X)} and {len(Z)} rows; "
                f"it must return ({len(X)}, {len(Z)}). Of two rows: kernels.Function(f)."
            )
        return block.copy()

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.array([self.gram(x[None], x[None])[0, 0] for x in X])

    def __repr__(self) -> str:
        return self.name
