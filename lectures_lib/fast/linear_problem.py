"""The problem of a linear machine as the compiled loops read it, dense or sparse."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from ..linear.problem import LinearProblem
from .descent_loops import DualBox, SparseRows, _sparse_norms2, _sparse_squares


@dataclass(frozen=True, eq=False, repr=False)
class QuickLinearProblem(LinearProblem):
    """The same problem, with X as the compiled loops take it."""

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

    def loop_data(self) -> tuple[np.ndarray | None, SparseRows, DualBox]:
        """What a pass over the dual reads."""
        X, *entries = self.rows
        curvature = self.norms2 + self.D
        box = DualBox(self.y, self.C, self.high, self.D, curvature, self.squared)
        return X, SparseRows(*entries), box

    def w(self, alpha: np.ndarray) -> np.ndarray:
        """Return the whole w, sum alpha_i y_i x_i."""
        beta = alpha * self.y
        return np.append(self.columns @ beta, self.constant * beta.sum())

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
