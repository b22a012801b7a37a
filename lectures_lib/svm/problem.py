"""The problem of a support vector machine, checked once and seen from its middle.

With a linear kernel and a free offset the origin does not matter: moving all examples moves b and
nothing else. So they are seen from their mean. Far from the origin a Gram matrix of the examples
as they are would lose them in its rounding errors; one of the differences does not.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import OneLine, check_cost, check_labels, check_positive
from ..kernels import Kernel, Linear, centre_of, check_kernel, checked_gram, product
from ..proof import svm as judges
from ..proof.gram import EXACT_ENTRIES, TESTED
from ..proof.scores import Part, one_block
from .offset import largest_alpha


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
        return largest_alpha(self.C, self.loss)

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
        return add_ridge(self.K, self.C) if self.squared else self.K

    @cached_property
    def known(self) -> float | None:
        """How far K may be from the true kernel, relative; None where that is not known."""
        return self.kernel.rounding(self.X) if self.kernel.valid else None

    def scores(self, alpha: np.ndarray) -> np.ndarray:
        """Return sum alpha_j y_j K(z_j, z_i) for each example i."""
        beta = alpha * self.y
        if self.linear:
            return self.Z @ (beta @ self.Z)
        return self.K @ beta if self._at_hand else product(self.kernel, self.Z, self.Z, beta)

    def certificate(
        self,
        alpha: np.ndarray,
        b: float,
        w: np.ndarray | None = None,
        shown: np.ndarray | None = None,
        origin: float | None = None,
    ) -> judges.Certificate:
        """Judge (alpha, b), b being the offset of z.

        `w` are a linear machine's weights, where they are not those of alpha; `shown` its decisions
        at the examples, `origin` its offset from the origin.
        """
        terms = judges.Terms(self.offset, self.loss, self.tol, shown=shown)
        given: tuple[Any, ...] = self.y, self.C, alpha, b
        if self.linear:
            places: dict[str, Any] = {"centre": self.centre, "w": w, "origin": origin}
            places["terms"] = terms
            return judges.certificate_of_features(self.X, *given, **places)
        known = self.known
        if known is None and len(self.y) <= TESTED:
            options: dict[str, Any] = {"offset": self.offset, "loss": self.loss, "tol": self.tol}
            return judges.certificate(self.K, *given, **options, shown=shown)
        assumes = "" if self.kernel.valid else "the kernel is valid (not tested)"
        judged = judges.certificate_of_blocks(
            self.parts(alpha),
            self.kernel.diagonal(self.X),
            *given,
            relative=known,
            each=self.each,
            terms=replace(terms, assumes=assumes),
        )
        if judged.verdict != "undecided" or len(self.y) ** 2 > EXACT_ENTRIES:
            return judged
        K = self.kernel.exact(self.X)
        try:
            return (
                judged
                if K is None
                else judges.certificate_in_fractions(K, self.y, self.C, alpha, b, terms)
            )
        except OverflowError:  # a value beyond all floats: it cannot be shown
            return judged

    def parts(self, alpha: np.ndarray) -> list[Part]:
        """Return what a judge reads of K: the columns where alpha is not 0, which are rows, too.

        If nobody has needed K so far, they are made for some rows at a time.
        """
        s = np.flatnonzero(alpha)
        if self._at_hand:
            return one_block(self.K[s].T)
        some = [slice(i, i + TESTED) for i in range(0, len(self.y), TESTED)]
        return [partial(self._rows, rows, s) for rows in some]

    def _rows(self, rows: slice, columns: np.ndarray) -> list[tuple[slice, np.ndarray]]:
        return [(slice(None), self.kernel(self.X[rows], self.X[columns]))]

    @property
    def _at_hand(self) -> bool:
        return "K" in vars(self) or len(self.y) <= TESTED

    def each(self, work: Callable, parts: Sequence) -> Iterable:
        """Apply a judge's work to each part."""
        return map(work, parts)


@explained(K="n n")
def add_ridge(K: np.ndarray, C: float | np.ndarray) -> np.ndarray:
    """Return K + I / (2 C): with it the squared hinge's dual is that of a hard margin."""
    K = np.array(K, dtype=float)
    C = np.broadcast_to(np.asarray(check_cost(C, len(K), spare=True)), len(K))
    K[np.diag_indices(len(K))] += np.divide(0.5, C, out=np.zeros(len(K)), where=C > 0)
    return K


@explained
def pose(
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
    C = check_cost(C, len(X), spare=True)
    if not np.any(C):
        raise BadArgument("C must be above 0 for some examples: it is 0 for all of them.")
    return SVMProblem(kernel, X, y, C, loss, bool(offset), tol, centre)
