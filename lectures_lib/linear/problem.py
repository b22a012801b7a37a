"""The problem of `linear`: checked data, both objectives, and what its solvers read of them.

A whole w has a last entry more than the examples: the weight of the constant feature. The feature
is never written into X; without an offset it is 0, and so is its weight.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._door import door
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
from ..fast.descent_loops import _sparse_norms2, _sparse_squares
from ..proof.duality import Certificate
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

    @cached_property
    def columns(self) -> np.ndarray | sparse.csc_matrix:
        """X transposed, without a copy; kept, as scipy takes longer for it than for a product."""
        return self.X.T

    @property
    def norms2(self) -> np.ndarray:
        """The squared length of each example, with its constant feature."""
        if sparse.issparse(self.X):
            return _sparse_norms2(*self.rows[1:4:2]) + self.constant**2
        return np.einsum("ij,ij->i", self.X, self.X) + self.constant**2

    @cached_property
    def rows(self) -> tuple:
        """X as the loops take it: the matrix, or the three arrays of a sparse one; the constant."""
        if not sparse.issparse(self.X):
            empty = np.empty(0), np.empty(0, np.uint32), np.empty(0, np.uint32)
            return self.X, *empty, self.constant
        thin: Any = self.X
        data = None if (thin.data == 1.0).all() else thin.data
        whole = thin.indices, thin.indptr
        if max(thin.nnz, *thin.shape) < 2**31:
            whole = tuple(v.astype(np.int32, copy=False).view(np.uint32) for v in whole)
        return None, data, *whole, self.constant

    def loop_data(self) -> tuple:
        """What a pass over the dual reads."""
        diagonal = self.norms2 + self.D
        return *self.rows, self.y, self.C, self.high, self.D, diagonal, self.squared

    def w(self, alpha: np.ndarray) -> np.ndarray:
        """Return the whole w, sum alpha_i y_i x_i."""
        beta = alpha * self.y
        return np.append(self.columns @ beta, self.constant * beta.sum())

    def scores(self, w: np.ndarray) -> np.ndarray:
        """Return w.x + b for each example."""
        return self.X @ w[:-1] + self.constant * w[-1]

    def slacks(self, w: np.ndarray) -> np.ndarray:
        """Return the xi of w: max(0, 1 - y (w.x + b))."""
        return np.maximum(0.0, 1.0 - self.y * self.scores(w))

    def primal(self, w: np.ndarray, xi: np.ndarray) -> float:
        """Return half norm(w)^2 + sum C_i xi_i, or C_i xi_i^2."""
        return float(0.5 * w @ w + self.C @ (xi * xi if self.squared else xi))

    def dual(self, alpha: np.ndarray, w: np.ndarray) -> float:
        """Return sum alpha_i - half norm(w)^2 - half sum D_i alpha_i^2, w being that of alpha."""
        return float(alpha.sum() - 0.5 * w @ w - 0.5 * alpha @ (self.D * alpha))

    def squares(self, s: np.ndarray, cost: np.ndarray) -> np.ndarray:
        """Return sum cost_i x_i x_i^T over the examples s."""
        d, costs = self.X.shape[1], np.zeros_like(self.C)
        costs[s], H = cost, np.zeros((d + 1, d + 1))
        if sparse.issparse(self.X):
            _sparse_squares(*self.rows[1:4], s, cost, H)
        else:
            Z = np.sqrt(cost)[:, None] * self.X[s]
            H[:d, :d] = Z.T @ Z
        if self.constant:
            H[d, :d] = H[:d, d] = self.constant * (self.columns @ costs)
            H[d, d] = self.constant**2 * cost.sum()
        return H

    def certificate(self, alpha: np.ndarray, w: np.ndarray, tol: float) -> Certificate:
        """Judge a whole w and an alpha that bounds it from below."""
        told: dict[str, Any] = {"constant": self.constant, "loss": self.loss, "tol": tol}
        return certificate_of_weights(
            self.X, self.y, self.C, alpha, *self.parted(w), **told
        )  # fmt: skip

    def parted(self, w: np.ndarray) -> tuple[np.ndarray, float]:
        """Return (w, b)."""
        return w[:-1], float(self.constant * w[-1])


@door
def posed(
    X: ArrayLike, y: ArrayLike, C: float | ArrayLike, loss: str, constant: float
) -> LinearProblem:
    """Return the problem, or say what is wrong with it."""
    X, y = _sparse_examples(X, y) if sparse.issparse(X) else _dense_examples(X, y)
    check_choice(loss, LOSSES, "loss")
    constant = check_number(constant, "constant", 0, why="; 0 is for no offset")
    C = np.broadcast_to(check_cost(C, len(y), hard=False, spare=True), y.shape).copy()
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


def _sparse_examples(X, y) -> tuple[sparse.csr_matrix, np.ndarray]:
    """Return X by rows, no entry twice; it is copied only where it was otherwise."""
    if isinstance(getattr(X, "data", None), np.ndarray):
        as_floats(X.data, "X")  # refuses what a float would round
    X = sparse.csr_matrix(X, dtype=float)
    if not (X.has_canonical_format and X.data.flags.carray):
        X = X.copy()
        X.sum_duplicates()
    if 0 in X.shape:
        raise ValueError(f"X has shape {X.shape}; it needs (n, d) with n >= 1 and d >= 1.")
    if X.data.size and not _doubles(X.data):
        if not np.isfinite(X.data).all():
            raise ValueError("X contains NaN or infinity: remove or impute those entries.")
        raise ValueError(f"X has entries above {LARGEST:g}, whose squares overflow: rescale.")
    return X, check_labels(y, X.shape[0], both=False)
