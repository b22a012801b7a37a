"""Kernels of sets: shared elements and shared subsets; `discrete` exports them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arguments import BadArgument
from ..kernels import Kernel
from ..kernels.rounding import FUNCTION
from .counted import Counted, checked

#: 2^n is a float up to this n.
LARGEST_EXPONENT = 1023


@dataclass(frozen=True, repr=False)
class Intersection(Counted):
    """|A ∩ B|: phi_e(A) is 1 if e is in A, for each possible element e.

    Examples
    --------
    >>> discrete.Intersection()([{"a", "b"}, {"b", "c"}])
    array([[2., 1.],
           [1., 2.]])
    """

    def check(self, X: Any) -> np.ndarray:
        return checked(X, (set, frozenset), frozenset, "set")

    def counts(self, X: Iterable[set]) -> list[Counter]:
        return [Counter(dict.fromkeys(A, 1)) for A in X]

    def __repr__(self) -> str:
        return "|x ∩ z|"


@dataclass(frozen=True, repr=False)
class CommonSubsets(Kernel):
    """2^|A ∩ B|: phi_S(A) is 1 if S is a subset of A, for each set S of possible elements.

    A set of n elements has 2^n features that are not 0 (Shawe-Taylor, Cristianini 2004).

    Examples
    --------
    >>> discrete.CommonSubsets()([{"a", "b"}, {"b", "c"}])
    array([[4., 2.],
           [2., 4.]])
    """

    proved = True

    def check(self, X: Any) -> np.ndarray:
        X = Intersection().check(X)
        if max(map(len, X)) > LARGEST_EXPONENT:
            raise BadArgument(f"A set has over {LARGEST_EXPONENT} elements: 2^|A| overflows.")
        return X

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return np.exp2(Intersection().gram(X, Z))

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.exp2(Intersection().diagonal(X))

    def bound(self, X: np.ndarray) -> float | None:
        """Return the error of a power of 2."""
        return FUNCTION

    def __repr__(self) -> str:
        return "2^|x ∩ z|"
