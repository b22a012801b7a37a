"""Linear support vector machines by dual coordinate descent (Hsieh et al. 2008)."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ._jit import jit
from .conventions import check_count, check_examples


@dataclass(frozen=True, eq=False)
class LinearSVM:
    """A minimiser of half norm(w)^2 + sum C_i xi_i, with its duality gap as proof."""

    w: np.ndarray  #: (d,)
    alpha: np.ndarray  #: (n,) 0 <= alpha_i <= C_i and w = sum alpha_i y_i x_i
    xi: np.ndarray  #: (n,) the slacks max(0, 1 - y w.x)
    primal: float  #: half norm(w)^2 + sum C_i xi_i
    dual: float  #: sum alpha_i - half norm(w)^2; no w has a lower primal value
    epochs: int  #: passes made
    converged: bool  #: gap <= tol * (1 + primal)

    @property
    def gap(self) -> float:
        """primal - dual: how far w can be from the best."""
        return self.primal - self.dual


def dual_coordinate_descent(
    X: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike = 1.0,
    *,
    tol: float = 1e-8,
    max_epochs: int = 10_000,
) -> LinearSVM:
    """Minimise half norm(w)^2 + sum C_i max(0, 1 - y_i w.x_i), without offset.

    Each step maximises the dual exactly in one alpha_i, kept in [0, C_i].
    """
    X, y = check_examples(X, y)
    C = np.asarray(C, dtype=float)
    if C.shape not in ((), y.shape) or not (np.isfinite(C).all() and (C >= 0).all()):
        raise ValueError(
            f"C must be finite and >= 0: one number, or one for each of {len(y)} examples."
        )
    C = np.broadcast_to(C, y.shape).copy()
    w, alpha, norms = np.zeros(X.shape[1]), np.zeros(len(X)), np.einsum("ij,ij->i", X, X)
    for epoch in range(1, check_count(max_epochs, "max_epochs") + 1):
        _dual_pass(X, y, C, norms, w, alpha)
        answer = _certified(X, y, C, w, alpha, epoch, tol)
        if answer.converged:
            break
    return answer


def _certified(X, y, C, w, alpha, epoch: int, tol: float) -> LinearSVM:
    xi = np.maximum(0.0, 1.0 - y * (X @ w))
    primal, dual = 0.5 * w @ w + C @ xi, alpha.sum() - 0.5 * w @ w
    done = bool(primal - dual <= tol * (1.0 + primal))
    return LinearSVM(w, alpha, xi, float(primal), float(dual), epoch, done)


@jit
def _dual_pass(X, y, C, norms, w, alpha):
    for i in range(y.size):
        if norms[i] == 0:
            alpha[i] = C[i]
            continue
        f = 0.0
        for j in range(w.size):
            f += w[j] * X[i, j]
        new = min(max(alpha[i] + (1.0 - y[i] * f) / norms[i], 0.0), C[i])
        w += (new - alpha[i]) * y[i] * X[i]
        alpha[i] = new
