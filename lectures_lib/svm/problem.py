"""The problem of a support vector machine, checked once and seen from its middle.

With a linear kernel and a free offset the origin does not matter: moving all examples moves b and
nothing else. So they are seen from their mean. Far from the origin a Gram matrix of the examples
as they are would lose them in its rounding errors; one of the differences does not.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import fsum
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import RTOL, OneLine, check_choice, check_cost, check_labels, check_positive
from ..kernels import Kernel, Linear, centre_of, check_kernel, checked_gram, product
from ..proof import svm as judges
from ..proof.gram import TESTED
from ..proof.scores import Part, one_block
from ..proof.svm import LOSSES

#: An alpha this near to 0 or C, relative to the largest, counts as being there.
AT_BOUND = 1e-6


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
    #: How a judge's work is applied to each part: one after the other.
    each: ClassVar[Callable] = map

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
        return judges.certificate_of_blocks(
            self.parts(alpha),
            self.kernel.diagonal(self.X),
            *given,
            relative=known,
            each=self.each,
            exact=partial(self.kernel.exact, self.X),
            terms=replace(terms, assumes=assumes),
        )

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
    check_choice(loss, LOSSES, "loss")
    tol = check_positive(tol, "tol", ": it is a relative duality gap")
    centre = centre_of(kernel, X) if offset else None
    C = check_cost(C, len(X), spare=True)
    if not np.any(C):
        raise BadArgument("C must be above 0 for some examples: it is 0 for all of them.")
    return SVMProblem(kernel, X, y, C, loss, bool(offset), tol, centre)


# --- answers: which multipliers are free, their balance, the best offset ---


@explained(C="...")
def largest_alpha(C: float | np.ndarray, loss: str = "hinge") -> float | np.ndarray:
    """Return the upper end of alpha's box: C (one, or one per example), inf if squared.

    An example that costs nothing has alpha = 0.
    """
    if loss == "hinge":
        return np.asarray(C, dtype=float)[()]
    return np.inf if np.all(np.asarray(C) > 0) else np.where(np.asarray(C) > 0, np.inf, 0.0)


def is_free(alpha: np.ndarray, high: float | np.ndarray, near: float = AT_BOUND) -> np.ndarray:
    """Return where 0 < alpha < high."""
    below = alpha < (high if np.isinf(high).all() else high - near * high)
    return (alpha > near * np.minimum(alpha.max(), high)) & below


def balanced(alpha: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Shrink the heavier class until sum alpha y = 0."""
    heavy = np.where((alpha @ y) * y > 0, alpha, 0.0).sum()
    return np.where((alpha @ y) * y > 0, alpha * (1.0 - abs(alpha @ y) / (heavy or 1.0)), alpha)


def balanced_exactly(alpha: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return alpha with sum alpha y = 0 without any rounding; alpha was balanced but for that.

    All entries are cut to multiples of g, the distance of the largest from the next float. Then
    their sum is a multiple of g, too, which `fsum` finds exactly; the heavier class gives it back,
    its largest entries first. No entry grows, and those that equal the largest come last.
    """
    g = np.spacing(alpha.max(initial=0.0))
    even = np.floor(alpha / g) * g
    left = fsum(even * y)
    below = np.where((y * left > 0) & (even < even.max(initial=0.0)), even, -even)
    for i in np.argsort(-below, kind="stable").tolist():
        if not left:
            break
        if y[i] * left > 0:
            take = min(even[i], abs(left))
            even[i], left = even[i] - take, left - take * y[i]
    return even


@explained(F="n", y="n")
def best_offset(
    F: ArrayLike, y: ArrayLike, loss: str = "hinge", costs: ArrayLike | None = None
) -> tuple[float, float]:
    """Return the interval of offsets that minimise the sum of slacks (or squares), F = y - f.

    A positive example wants b >= F_i, a negative b <= F_i. Going up from -inf the slope of the
    sum starts at minus the number of positives and rises by 1 at each F_i: it is 0 after as many.
    With `costs`, one per example, it rises by C_i.

    Parameters
    ----------
    F : (n,) y - f, f the scores without b
    y : (n,) the labels
    loss : "hinge" or "squared_hinge"
    costs : (n,) the price of each slack; default 1

    Examples
    --------
    >>> svm.best_offset([0.5, 0.0], [1, -1])
    (0.0, 0.5)
    """
    F, y = np.asarray(F, dtype=float), np.asarray(y, dtype=float)
    if F.shape != y.shape or F.ndim != 1:
        raise BadArgument(f"F has shape {F.shape} and y {y.shape}: one number per example each.")
    if check_choice(loss, LOSSES, "loss") == "squared_hinge":
        shares = np.ones(len(F)) if costs is None else np.asarray(costs, dtype=float)
        return _least_squares_offset(F, y, shares)
    if costs is not None:
        return _weighted_offset(F, y, np.asarray(costs, dtype=float))
    F, positives = np.concatenate([[-np.inf], np.sort(F), [np.inf]]), int(np.sum(y > 0))
    return float(F[positives]), float(F[positives + 1])


def _weighted_offset(F: np.ndarray, y: np.ndarray, C: np.ndarray) -> tuple[float, float]:
    """Return where the slope, a sum of costs, changes its sign; equal sums up to rounding."""
    order = np.argsort(F)
    slope = np.cumsum(C[order]) - C[y > 0].sum()
    k = int(np.searchsorted(slope, -1e-12 * C.sum()))
    flat = k + 1 < len(F) and abs(slope[k]) <= 1e-12 * C.sum()
    return float(F[order[k]]), float(F[order[k + 1 if flat else k]])


def _least_squares_offset(F: np.ndarray, y: np.ndarray, C: np.ndarray) -> tuple[float, float]:
    """Between two F_i the examples with slack are fixed: the best b is the mean of their F."""
    low, high = F[(y > 0) & (C > 0)].max(), F[(y < 0) & (C > 0)].min()
    if low <= high:
        return float(low), float(high)
    order = np.argsort(F)
    F, negative, positive = F[order], (C * (y < 0))[order], (C * (y > 0))[order]
    number = np.cumsum(negative) + np.sum(positive) - np.cumsum(positive)  # those with slack
    total = np.cumsum(F * negative) + np.sum(F * positive) - np.cumsum(F * positive)
    b = total[:-1] / number[:-1]
    k = np.argmin(np.maximum(F[:-1] - b, b - F[1:]))  # the b that lies between its own two F_i
    return float(b[k]), float(b[k])


@explained(scores="n", y="n", alpha="n", C="n")
def offset_interval(
    scores: ArrayLike,
    y: ArrayLike,
    C: float | np.ndarray,
    alpha: ArrayLike,
    *,
    loss: str = "hinge",
) -> tuple[float, float]:
    """Return the best offsets for these scores K (alpha y): a point, or an interval.

    A free example lies on the margin: b is the mean of F = y - f over them, where that is a best
    offset. With the squared hinge every support vector has slack, and the best offset is unique.
    """
    scores, y, alpha = (np.asarray(v, float) for v in (scores, y, alpha))
    F = y - scores
    if np.isinf(C).all():
        return (0.5 * float(F[y > 0].max() + F[y < 0].min()),) * 2
    interval = best_offset(F, y, loss, C if np.ndim(C) else None)
    free = is_free(alpha, np.asarray(C, float))
    if loss == "squared_hinge" or not free.any():
        return interval
    mean = float(F[free].mean())
    near = 1e-6 * (1.0 + abs(mean))  # rounding; a mean farther off is not the offset of this w
    return (mean, mean) if interval[0] - near <= mean <= interval[1] + near else interval


@explained(r="n")
def tube_offset(
    r: ArrayLike, epsilon: float, costs: ArrayLike | None = None
) -> tuple[float, float]:
    """Return the interval of offsets b that minimise sum max(0, abs(r - b) - epsilon).

    Going up from -inf the slope starts at -n and rises by 1 at each r_i - epsilon and at each
    r_i + epsilon: it is 0 between the n-th and the next of these 2n numbers. With `costs` C_i it
    starts at -sum C_i and rises by C_i.
    """
    r = np.asarray(r, dtype=float)
    turns = np.concatenate([r - epsilon, r + epsilon])
    if costs is None or np.ndim(costs) == 0:
        turns = np.sort(turns)
        return float(turns[len(r) - 1]), float(turns[len(r)])
    order = np.argsort(turns, kind="stable")
    slope = np.cumsum(np.tile(costs, 2)[order]) - np.sum(costs)
    near = RTOL * np.sum(costs)  # a slope of rounding size is 0
    first, last = np.argmax(slope >= -near), np.argmax(slope > near)
    return float(turns[order[first]]), float(turns[order[last]])
