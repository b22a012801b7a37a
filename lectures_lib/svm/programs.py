"""The quadratic programs of the lectures, written down as `qp.solve` takes them."""

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._arguments import explained


@explained(K="n n", y="n", C="...")
def dual_program(K: np.ndarray, y: np.ndarray, C: ArrayLike, *, offset: bool = True) -> dict:
    """Write the dual (L1, L4) down: the unknowns are alpha.

    maximise    sum alpha - half sum_ij alpha_i alpha_j y_i y_j K_ij
    subject to  0 <= alpha <= C  and, with an offset,  sum alpha y = 0

    Parameters
    ----------
    K, y : (n, n) the Gram matrix and (n,) the labels
    C : the price of slack
    offset : b is free, so alpha balances

    Examples
    --------
    >>> program = svm.dual_program(np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0]), 9.0)
    >>> qp.solve(**program).x.round(4)
    array([0.5, 0.5])
    """
    program = {"P": np.outer(y, y) * K, "q": -np.ones(len(y)), "lower": 0.0, "upper": C}
    if offset:
        program |= {"A": y[None, :], "b": [0.0]}
    return program


@explained(X="n d", y="n")
def primal_program(X: np.ndarray, y: np.ndarray, C: float) -> dict:
    """Write the primal (L1, L3, L4, L5) down: the unknowns are w, b and the slacks xi.

    minimise    half norm(w)^2 + C sum xi
    subject to  y (w.x + b) + xi >= 1  and  xi >= 0

    Parameters
    ----------
    X, y : (n, d) examples and (n,) labels
    C : the price of slack

    Examples
    --------
    >>> program = svm.primal_program(np.array([[1.0], [-1.0]]), np.array([1.0, -1.0]), 9.0)
    >>> program["P"].shape
    (4, 4)
    """
    n, d = X.shape
    P = np.diag([1.0] * d + [0.0] * (1 + n))
    q = np.concatenate([np.zeros(d + 1), np.full(n, C)])
    G = -np.hstack([y[:, None] * X, y[:, None], np.eye(n)])  # -(y x, y, ... 1 ...) z <= -1
    lower = np.concatenate([np.full(d + 1, -np.inf), np.zeros(n)])  # xi >= 0
    return {"P": P, "q": q, "G": G, "h": -np.ones(n), "lower": lower}


@explained(X="n d", y="n", C="n")
def general_primal_program(
    X: np.ndarray,
    y: np.ndarray,
    C: ArrayLike,
    *,
    loss: str = "hinge",
    offset: bool = True,
) -> dict:
    """Write `primal_program` down for every loss, with or without offset, in sparse matrices.

    C = inf has no slacks. The squared hinge has t = sqrt(2 C) xi in their place, which costs
    half t^2, and needs no t >= 0: a negative slack would only cost.
    """
    (n, d), one = X.shape, np.ones((len(y), 1 if offset else 0))
    rows = y[:, None] * np.hstack([X, one])
    k, slacks, squared = rows.shape[1], 0 if np.isinf(C).all() else n, loss == "squared_hinge"
    C, free = np.broadcast_to(C, slacks), [-np.inf]
    size = 1.0 / np.sqrt(2 * C) if squared else np.ones(slacks)
    return {
        "P": sparse.diags([1.0] * d + [0.0] * (k - d) + [1.0 if squared else 0.0] * slacks),
        "q": np.append(np.zeros(k), 0.0 * C if squared else C),
        "G": sparse.hstack([-rows, sparse.diags(-size)]) if slacks else -rows,
        "h": -np.ones(n),
        "lower": np.array(free * k + (free if squared else [0.0]) * slacks),
    }
