"""The problem of a support vector machine, for solvers that do not hold K, and for folds of it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..conventions import check_cost
from ..kernels import Given, Kernel, checked_gram
from ..kernels.gram import SOME
from ..proof.scores import Part, one_block
from ..svm.problem import TESTED, SVMProblem, pose
from .threads import for_each
from .tiles import kernel as twin
from .tiles import pieces

#: A judge looks at tiles of K of at most this many bytes: they stay in the processor's cache.
TILE = 2**21
#: Copy the columns that matter where they are less than this part of all.
COPIED_PART = 3


@dataclass(frozen=True, eq=False, repr=False)
class QuickProblem(SVMProblem):
    """The same problem, whose Gram matrix is shared by folds or never held as a whole."""

    in_tiles: bool = False  #: K is made tile by tile, and never held
    advice = ""  # a problem of `fast` has been tried in every way

    def at_cost(self, C: float) -> "QuickProblem":
        """Return the same problem with another price of slack; the Gram matrix is shared."""
        other = replace(self, C=check_cost(C))
        vars(other).update(Z=self.Z, K=self.K, known=self.known)
        return other

    def part(self, rows: np.ndarray) -> "QuickProblem":
        """Return the problem of some of the examples, seen from the same centre."""
        C = self.C[rows] if isinstance(self.C, np.ndarray) else self.C
        part = replace(self, X=self.X[rows], y=self.y[rows], C=C)
        vars(part).update(Z=self.Z[rows], K=self.block(rows, rows), known=self.known)
        return part

    def block(self, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
        """Return K[rows, columns], all pairs."""
        return self.K.take(rows, axis=0).take(columns, axis=1)

    def kept(self, alpha: np.ndarray, F: np.ndarray) -> np.ndarray:
        """Return the scores of alpha from the F = y - K (alpha y) that SMO kept for it."""
        ridge = 0.5 / self.C if self.squared else 0.0
        return self.y - F - ridge * alpha * self.y

    def parts(self, alpha: np.ndarray) -> list[Part]:
        """Return what a judge reads of K: tiles of the columns where alpha is not 0, or all."""
        s = np.flatnonzero(alpha)
        if self.in_tiles and len(s):
            return pieces(self.kernel, self.X, self.X[s], TILE)
        if self.known is not None and COPIED_PART * len(s) > len(self.y):
            return one_block(self.K)  # of a kernel whose rounding is known all may be given
        return [partial(_columns, self.K, s)] if len(s) else one_block(np.zeros((len(self.y), 0)))

    def each(self, work: Callable, parts: Sequence) -> list:
        """Apply a judge's work to each part, by several cores."""
        return for_each(work, parts) if len(parts) > 1 else [work(part) for part in parts]


def quick_problem(
    X: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike,
    kernel: Kernel | None,
    *,
    loss: str = "hinge",
    tol: float = 1e-4,
    in_tiles: bool = False,
) -> QuickProblem:
    """Check the parts of a problem as `svm.pose` does; K is that of the kernel's quick twin."""
    found = pose(X, y, C, kernel, loss=loss, tol=tol)
    check_cost(found.C, len(found.y))  # who leaves examples out does so before
    return _quick(found, in_tiles)


def with_all(X: ArrayLike, *given: Any, **options: Any) -> QuickProblem:
    """Return the problem of all examples, those that cost nothing among them: for the judge."""
    found = pose(X, *given, **options)
    return _quick(found, not isinstance(found.kernel, Given))


def _quick(found: SVMProblem, in_tiles: bool) -> QuickProblem:
    return QuickProblem(**vars(found) | {"kernel": twin(found.kernel), "in_tiles": in_tiles})


def _columns(K: np.ndarray, s: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield the columns s of a symmetric K, which are rows, in tiles that stay at hand."""
    width = max(1, TILE // (8 * len(K)))
    for first in range(0, len(s), width):
        some = slice(first, min(first + width, len(s)))
        yield some, K[s[some]].T


def refuse_false_kernel(kernel: Kernel, X: np.ndarray) -> None:
    """Raise if some of these examples refute the kernel; a valid one is not tested."""
    if not kernel.valid:
        most = TESTED if len(X) <= TESTED else SOME
        some = np.unique(np.linspace(0, len(X) - 1, most).astype(int))
        checked_gram(kernel, X[some])
