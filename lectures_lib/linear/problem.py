"""The problem of `linear`: checked data and both objectives.

A whole w has a last entry more than the examples: the weight of the constant feature. The feature
is never written into X; without an offset it is 0, and so is its weight.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._arguments import BadArgument, explained
from ..conventions import (
    LARGEST,
    OneLine,
    as_floats,
    check_choice,
    check_cost,
    check_examples,
    check_labels,
    check_number,
    check_positive,
)
from ..proof.duality import ASK, Certificate
from ..proof.svm import LOSSES, certificate_of_weights


@dataclass(frozen=True, eq=False, repr=False)
class LinearProblem(OneLine):
    """Checked data: the rows of X, each example's cost, and the dual's box and diagonal."""

    X: np.ndarray | sparse.csr_matrix
    y: np.ndarray
    C: np.ndarray
    constant: float
    loss: str
    high: np.ndarray  #: the largest alpha: C_i, or infinity with the squared hinge
    D: np.ndarray  #: what the loss adds to the dual's diagonal: 1 / (2 C_i) if squared, else 0

    @property
    def squared(self) -> bool:
        """Whether slacks cost their square."""
        return self.loss == "squared_hinge"

    def with_constant(self) -> np.ndarray:
        """Return the examples with their constant feature, as the lesson's loops take them."""
        if sparse.issparse(self.X):
            raise BadArgument("These examples are sparse: `fast.linear` takes them as they are.")
        return np.column_stack([self.X, np.full(len(self.y), self.constant)])

    def w(self, alpha: np.ndarray) -> np.ndarray:
        """Return the whole w, sum alpha_i y_i x_i."""
        beta = alpha * self.y
        return np.append(self.X.T @ beta, self.constant * beta.sum())

    def scores(self, w: np.ndarray) -> np.ndarray:
        """Return w.x + b for each example."""
        return self.X @ w[:-1] + self.constant * w[-1]

    def slacks(self, w: np.ndarray) -> np.ndarray:
        """Return the xi of w: max(0, 1 - y (w.x + b))."""
        return np.maximum(0.0, 1.0 - self.y * self.scores(w))

    def primal(self, w: np.ndarray, xi: np.ndarray) -> float:
        """Return half norm(w)^2 + sum C_i xi_i, or C_i xi_i^2."""
        with np.errstate(over="ignore"):  # then it is infinite
            return float(0.5 * w @ w + self.C @ (xi * xi if self.squared else xi))

    def dual(self, alpha: np.ndarray, w: np.ndarray) -> float:
        """Return sum alpha_i - half norm(w)^2 - half sum D_i alpha_i^2, w being that of alpha."""
        return float(alpha.sum() - 0.5 * w @ w - 0.5 * alpha @ (self.D * alpha))

    def certificate(self, alpha: np.ndarray, w: np.ndarray, tol: float) -> Certificate:
        """Judge a whole w and an alpha that bounds it from below."""
        return self.certificate_of(alpha, *self.parted(w), tol)

    def certificate_of(self, alpha: np.ndarray, w: np.ndarray, b: float, tol: float) -> Certificate:
        """Judge w and b, and an alpha that bounds them from below."""
        options: dict[str, Any] = {"constant": self.constant, "loss": self.loss, "tol": tol}
        given = self.X, self.y, self.C, alpha, w, b
        judged = certificate_of_weights(*given, **options)
        if not judged.holds or judged.off <= ASK:
            return judged
        with np.errstate(all="ignore"):  # the judge is to see what rounding makes of w.x + b
            return certificate_of_weights(*given, **options, shown=self.X @ w + b)

    def parted(self, w: np.ndarray) -> tuple[np.ndarray, float]:
        """Return (w, b)."""
        return w[:-1], float(self.constant * w[-1])


@explained
def pose(
    X: ArrayLike, y: ArrayLike, C: float | ArrayLike, loss: str, constant: float
) -> LinearProblem:
    """Return the problem, or say what is wrong with it."""
    X, y = sparse_examples(X, y) if sparse.issparse(X) else _dense_examples(X, y)
    check_choice(loss, LOSSES, "loss")
    constant = check_number(constant, "constant", 0, LARGEST, why="; 0 is for no offset")
    C = np.broadcast_to(check_cost(C, len(y), hard=False, spare=True), y.shape).copy()
    if C.max() > LARGEST:
        raise BadArgument(f"C = {C.max():g} is above {LARGEST:g}: its square overflows.")
    high, D = C, np.zeros_like(C)
    if loss == "squared_hinge":
        high = np.where(C > 0, np.inf, 0.0)
        np.divide(0.5, C, out=D, where=C > 0)
    return LinearProblem(X, y, C, float(constant), loss, high, D)


def check_tolerance(tol: float) -> float:
    """Return tol, the relative duality gap to be proved, if it is a number > 0."""
    return check_positive(tol, "tol", ": it is a relative duality gap")


def _doubles(values: np.ndarray) -> bool:
    """Return whether these are doubles, some, and all of a size whose squares do not overflow."""
    if values.dtype != float or not values.size:
        return False
    return bool(-LARGEST <= values.min() and values.max() <= LARGEST)


def _dense_examples(X, y) -> tuple[np.ndarray, np.ndarray]:
    """Take doubles as they lie in memory (no solver writes to them); check and copy the others.

    Read-only ones are copied: to numba they are another type, and the loops would be compiled anew.
    """
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.flags.carray and _doubles(X):
        return X, check_labels(y, len(X), both=False)
    return check_examples(X, y)


def sparse_examples(X: Any, y: ArrayLike) -> tuple[sparse.csr_matrix, np.ndarray]:
    """Return X by rows, no entry twice; it is copied only where it was otherwise."""
    if isinstance(getattr(X, "data", None), np.ndarray):
        as_floats(X.data, "X")  # refuses what a float would round
    X = sparse.csr_matrix(X, dtype=float)
    if not (X.has_canonical_format and X.data.flags.carray):
        X = X.copy()
        X.sum_duplicates()
    if 0 in X.shape:
        raise BadArgument(f"X has shape {X.shape}; it needs (n, d) with n >= 1 and d >= 1.")
    if X.data.size and not _doubles(X.data):
        if not np.isfinite(X.data).all():
            raise BadArgument("X contains NaN or infinity: remove or impute those entries.")
        raise BadArgument(f"X has entries above {LARGEST:g}, whose squares overflow: rescale.")
    return X, check_labels(y, X.shape[0], both=False)
