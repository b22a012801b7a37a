"""The problem of a support vector machine, checked once and seen from its middle.

With a linear kernel and a free offset the origin does not matter: moving all examples moves b and
nothing else. So they are seen from their mean. Far from the origin a Gram matrix of the examples
as they are would lose them in its rounding errors; one of the differences does not.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._door import door
from .._jit import jit_or
from ..conventions import OneLine, check_cost, check_labels, check_positive
from ..kernels import Kernel, Linear, centre_of, check_kernel, checked_gram
from ..kernels.gram import pieces
from ..proof import svm as judges
from ..proof.scores import whole as at_hand

#: A kernel that may be none is tested on at most so many examples.
TESTED = judges.TESTED

#: A judge looks at tiles of K of so many bytes at most: they stay in the processor's cache.
TILE = 2**21
#: A copy of the columns that matter is worth it where they are less than this part of all.
FEW = 3


@dataclass(frozen=True, eq=False, repr=False)
class SVMProblem(OneLine):
    """half norm(w)^2 + C sum xi (or xi^2) over checked examples."""

    kernel: Kernel
    X: np.ndarray  #: (n, d) as they were given
    y: np.ndarray  #: (n,)
    C: float | np.ndarray  #: one, or one per example
    loss: str
    offset: bool
    tol: float  #: the relative duality gap that counts as solved
    centre: np.ndarray | None  #: (d,) where a linear kernel's examples are seen from

    @property
    def linear(self) -> bool:
        """Whether phi(x) = x."""
        return isinstance(self.kernel, Linear)

    @property
    def squared(self) -> bool:
        """Whether slacks cost their square."""
        return self.loss == "squared_hinge"

    @property
    def high(self) -> float | np.ndarray:
        """The upper end of alpha's box: C, or inf with the squared hinge."""
        return np.inf if self.squared else self.C

    @property
    def hard(self) -> bool:
        """Whether no slack is allowed."""
        return bool(np.isinf(self.C).all())

    @cached_property
    def Z(self) -> np.ndarray:
        """The examples, seen from the centre."""
        return self.X if self.centre is None else self.X - self.centre

    @cached_property
    def K(self) -> np.ndarray:
        """The Gram matrix of Z."""
        return checked_gram(self.kernel, self.Z)

    @cached_property
    def known(self) -> float | None:
        """How far K may be from the true kernel, relative; None where that is not known."""
        return self.kernel.rounding(self.X) if self.kernel.valid else None

    def at_cost(self, C: float) -> "SVMProblem":
        """Return the same problem with another price of slack; the Gram matrix is shared."""
        other = replace(self, C=check_cost(C))
        vars(other).update(Z=self.Z, K=self.K, known=self.known)
        return other

    def part(self, rows: np.ndarray) -> "SVMProblem":
        """Return the problem of some of the examples, seen from the same centre."""
        C = self.C[rows] if isinstance(self.C, np.ndarray) else self.C
        part = replace(self, X=self.X[rows], y=self.y[rows], C=C)
        vars(part).update(Z=self.Z[rows], K=self.block(rows, rows), known=self.known)
        return part

    def block(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return K[rows, columns], all pairs."""
        block = np.empty((len(rows), len(columns)))
        _copy(self.K, rows, columns, block)
        return block

    def scores(self, alpha: np.ndarray) -> np.ndarray:
        """Return sum alpha_j y_j K(z_j, z_i) for each example i."""
        beta = alpha * self.y
        return self.Z @ (beta @ self.Z) if self.linear else self.K @ beta

    def kept(self, alpha: np.ndarray, F: np.ndarray) -> np.ndarray:
        """Return the scores of alpha from the F = y - K (alpha y) that SMO kept for it."""
        ridge = 0.5 / self.C if self.squared else 0.0
        return self.y - F - ridge * alpha * self.y

    def certificate(
        self, alpha: np.ndarray, b: float, *, whole: bool, w: np.ndarray | None = None
    ) -> judges.Certificate:
        """Judge (alpha, b), b being the offset of z; `whole` says that K may be held in memory.

        `w` are a linear machine's weights, where they are not those of alpha.
        """
        told: dict[str, Any] = {"offset": self.offset, "loss": self.loss, "tol": self.tol}
        given: tuple[Any, ...] = self.y, self.C, alpha, b
        if self.linear:
            told |= {"centre": self.centre, "w": w}
            return judges.certificate_of_features(self.X, *given, **told)
        known = self.known
        if known is None and len(self.y) <= TESTED:
            return judges.certificate(self.K, *given, **told)
        assumes = "" if self.kernel.valid else "the kernel is valid (not tested)"
        told |= {"relative": known, "assumes": assumes}
        diagonal = self.kernel.diagonal(self.X)
        judged = judges.certificate_of_blocks(self._parts(alpha, whole), diagonal, *given, **told)
        if judged.verdict != "undecided" or len(self.y) ** 2 > judges.SMALL:
            return judged
        K = self.kernel.exact(self.X)
        del told["relative"], told["assumes"]
        try:
            return judged if K is None else judges.certificate_in_fractions(K, *given, **told)
        except OverflowError:  # a value beyond all floats: it cannot be shown
            return judged

    def _parts(self, alpha, whole: bool):
        s = np.flatnonzero(alpha)
        if len(s) == 0:
            return at_hand(np.zeros((len(self.y), 0)))
        if whole and self.known is not None and FEW * len(s) > len(self.y):
            return at_hand(self.K)  # of a kernel whose rounding is known all may be given
        if whole:
            return at_hand(self.K[s].T)  # K is symmetric, and rows lie together in memory
        return pieces(self.kernel, self.X, self.X[s], TILE)


def _copy_by_arrays(K, rows, columns, block):
    block[:] = K[np.ix_(rows, columns)]


@jit_or(_copy_by_arrays)
def _copy(K, rows, columns, block):
    """Copy K[rows, columns], row by row: numpy would look up each place in two lists."""
    for a in range(rows.size):
        K_a, block_a = K[rows[a]], block[a]
        for b in range(columns.size):
            block_a[b] = K_a[columns[b]]


@door
def posed(
    X: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike,
    kernel: Kernel | None,
    *,
    loss: str = "hinge",
    offset: bool = True,
    tol: float = 1e-4,
) -> SVMProblem:
    """Check the parts of a problem, or say what is wrong with them."""
    kernel = Linear() if kernel is None else check_kernel(kernel)
    X = kernel.check(X)
    y = check_labels(y, len(X), both=offset)
    judges.check_loss(loss)
    tol = check_positive(tol, "tol", ": it is a relative duality gap")
    centre = centre_of(kernel, X) if offset else None
    return SVMProblem(kernel, X, y, check_cost(C, len(X)), loss, bool(offset), tol, centre)


def refuse_false_kernel(kernel: Kernel, X: np.ndarray) -> None:
    """Raise if some `TESTED` of these examples refute the kernel; a valid one is not tested."""
    some = np.unique(np.linspace(0, len(X) - 1, TESTED).astype(int))
    if not kernel.valid:
        checked_gram(kernel, X[some])
