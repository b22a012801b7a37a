"""Kernels given directly: any function of two examples, and a number; `kernels` exports them."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from numbers import Number
from typing import Any

import numpy as np

from ..conventions import check_number, check_points
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
