"""The problem of a support vector machine, checked once and seen from its middle.

With a linear kernel and a free offset the origin does not matter: moving all examples moves b and
nothing else. So they are seen from their mean. Far from the origin a Gram matrix of the examples
as they are would lose them in its rounding errors; one of the differences does not.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._door import door
from ..conventions import OneLine, check_cost, check_labels, check_positive
from ..kernels import Kernel, Linear, centre_of, check_kernel, checked_gram
from ..proof import svm as judges
from ..proof.scores import Part
from ..proof.scores import whole as at_hand

#: A kernel that may be none is tested on at most this many examples.
TESTED = judges.TESTED


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

    #: What to do about an answer that is not proved.
    advice = "; try fast.svm or estimators.SVM"

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

    @property
    def inner(self) -> np.ndarray:
        """The matrix of the dual: K; with the squared hinge, K + I / (2 C)."""
        return ridged(self.K, self.C) if self.squared else self.K

    @cached_property
    def known(self) -> float | None:
        """How far K may be from the true kernel, relative; None where that is not known."""
        return self.kernel.rounding(self.X) if self.kernel.valid else None

    def scores(self, alpha: np.ndarray) -> np.ndarray:
        """Return sum alpha_j y_j K(z_j, z_i) for each example i."""
        beta = alpha * self.y
        return self.Z @ (beta @ self.Z) if self.linear else self.K @ beta

    def certificate(
        self, alpha: np.ndarray, b: float, w: np.ndarray | None = None
    ) -> judges.Certificate:
        """Judge (alpha, b), b being the offset of z.

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
        told["each"] = self.each
        judged = judges.certificate_of_blocks(self.parts(alpha), diagonal, *given, **told)
        if judged.verdict != "undecided" or len(self.y) ** 2 > judges.SMALL:
            return judged
        K = self.kernel.exact(self.X)
        del told["relative"], told["assumes"], told["each"]
        try:
            return judged if K is None else judges.certificate_in_fractions(K, *given, **told)
        except OverflowError:  # a value beyond all floats: it cannot be shown
            return judged

    def parts(self, alpha: np.ndarray) -> list[Part]:
        """Return what a judge reads of K: the columns where alpha is not 0, which are rows, too."""
        return at_hand(self.K[np.flatnonzero(alpha)].T)

    def each(self, work: Callable, parts: Sequence) -> Iterable:
        """Apply a judge's work to each part."""
        return map(work, parts)


@door
def ridged(K: np.ndarray, C: float | np.ndarray) -> np.ndarray:
    """Return K + I / (2 C): with it the squared hinge's dual is that of a hard margin."""
    K = np.array(K, dtype=float)
    K[np.diag_indices(len(K))] += 0.5 / np.asarray(check_cost(C, len(K)))
    return K


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
