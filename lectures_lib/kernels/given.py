"""Kernels that are given by their values or by a function of whole tables; `kernels` exports them.

Nothing is known of their rounding, and nothing vouches for them: they are tested like any function.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument
from ..conventions import as_floats, check_points
from .algebra import Kernel


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
