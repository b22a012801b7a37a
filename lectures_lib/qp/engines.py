"""cvxopt as the engine: bounds as dense rows (the slide), as sparse rows, or not as rows at all.

The dual of a support vector machine (L4) is a box and at most one equation:

    minimise  half alpha'Q alpha - sum alpha   subject to  0 <= alpha <= C,  y'alpha = 0

with Q_ij = y_i y_j K_ij. Each Newton step of an interior-point method solves, for the steps u of
alpha, v of the multiplier of the equation (the offset b) and z of those of the bounds (of alpha
<= C: the slacks xi),

    Q u + A'v + G'z    = r         A = y',  G = [-I; I]
    A u                = s
    G u       - W^2 z  = t         W diagonal: how near alpha is to its bounds

The last line says z = W^-2 (G u - t). Put into the first one, it leaves

    (Q + D) u + A'v = r + G'W^-2 t       D = G'W^-2 G

Each row of G has one entry, so D is diagonal: D_ii = 1 / W_i^2, summed over the bounds of alpha_i.
With L L' = Q + D (Cholesky, n^3 / 3 flops), M = L^-1 A' and p = L^-1 (r + G'W^-2 t) the
equation is one border:

    M'M v = M'p - s          one number
    L'u = p - M v

cvxopt given the rows of G as a dense matrix forms D as a product: 2 n^3 flops more per step.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from .interior_point import QP, Inequalities, predictor_corrector

try:
    import cvxopt
    import cvxopt.blas
    import cvxopt.lapack
    import cvxopt.solvers
except ImportError:
    cvxopt = None

engine: Any = cvxopt
#: cvxopt's tolerances: a proof of 1e-7 is to be had from them in any units.
OPTIONS = {"show_progress": False, "abstol": 1e-10, "reltol": 1e-10, "feastol": 1e-10}
#: What rounding may make a diagonal need, relative to its largest entry.
SHIFTS = (0.0, 1e-16, 1e-14, 1e-12, 1e-10)
Answer = tuple[np.ndarray, np.ndarray, np.ndarray, int]


def by_cvxopt(qp: QP, K: Inequalities) -> Answer:
    """Let cvxopt solve it; where it wants full rank and there is none, our own method does."""
    try:
        return by_box(qp, K) if is_box(qp) else by_sparse_rows(qp, K)
    except (ValueError, ArithmeticError):
        return predictor_corrector(qp, K)


def is_box(qp: QP) -> bool:
    """Return whether bounds are the only inequalities, one at least for each unknown."""
    bounded = np.isfinite(qp.lower) | np.isfinite(qp.upper)
    return not len(qp.h) and not sparse.issparse(qp.P) and bool(bounded.all())


def by_sparse_rows(qp: QP, K: Inequalities) -> Answer:
    """Solve with the bounds as sparse rows, beside those of G."""
    return _asked(qp, K, _cvx(qp.P), _cvx(_rows(qp, K)))


@np.errstate(over="ignore", invalid="ignore", divide="ignore")  # without a solution it diverges
def by_box(qp: QP, K: Inequalities) -> Answer:
    """Solve a program whose inequalities are bounds: no rows at all, and steps of `box_steps`."""

    def rows(x, out, trans="N", alpha=1.0, beta=0.0):
        """Write alpha G x + beta out, or G' in the place of G."""
        product = K.times if trans == "N" else K.transposed
        vector(out)[:] = alpha * product(vector(x)) + beta * vector(out)

    Q = _cvx(qp.P)
    return _asked(qp, K, Q, rows, kktsolver=box_steps(Q, qp.A, K))


def box_steps(Q: Any, A: np.ndarray, K: Inequalities) -> Callable[[dict], Callable]:
    """Return the KKT solver of a box for cvxopt: of W, a function of (r, s, t).

    It writes the step (u, v, W z) over them; the symbols are those of this module's first lines.
    All steps share one L in memory: the function is good until the next W.
    """
    blas = engine.blas
    L = +Q

    def at(W: dict) -> Callable[[Any, Any, Any], None]:
        scale, column = 1.0 / vector(W["d"]), _cvx(A.T)
        _cholesky(Q, K.diagonal(scale**2), L)
        blas.trsm(L, column)
        M = np.asarray(column)

        def solve(r: Any, s: Any, t: Any) -> None:
            u, v, z = vector(r), vector(s), vector(t)
            u += K.transposed(scale**2 * z)
            blas.trsv(L, r)
            v[:] = np.linalg.solve(M.T @ M, M.T @ u - v)
            u -= M @ v
            blas.trsv(L, r, trans="T")
            z[:] = scale * (K.times(u) - z)

        return solve

    return at


def _cholesky(Q: Any, diagonal: np.ndarray, L: Any) -> None:
    """Write L of L L' = Q + diagonal, with as little more as rounding makes it need."""
    most = float(np.abs(np.asarray(Q).diagonal() + diagonal).max())
    for share in SHIFTS:
        engine.blas.copy(Q, L)
        L[:: len(diagonal) + 1] += engine.matrix(diagonal + share * most)
        try:
            return engine.lapack.potrf(L)
        except ArithmeticError:
            continue
    raise ArithmeticError("not positive definite, nor near to it")


def _rows(qp: QP, K: Inequalities) -> sparse.csr_matrix:
    """Return all inequalities as rows."""
    eye = sparse.identity(len(qp.q), format="csr")
    return sparse.vstack([sparse.csr_matrix(qp.G), -eye[K.low], eye[K.up]])


def _asked(qp: QP, K: Inequalities, Q: Any, rows: Any, kktsolver=None) -> Answer:
    """Ask cvxopt, and return x, z, v and the order of what it factors."""
    program = [Q, engine.matrix(qp.q), rows, engine.matrix(K.k)]
    program += [_cvx(qp.A), engine.matrix(qp.b)] if len(qp.b) else []
    answer = engine.solvers.qp(*program, kktsolver=kktsolver, options=OPTIONS)
    x, z, y = (np.array(answer[name]).ravel() for name in ("x", "z", "y"))
    return x, z, y, len(qp.q)


def _cvx(M: Any) -> Any:
    if not sparse.issparse(M):
        return engine.matrix(M)
    M = M.tocoo()
    return engine.spmatrix(M.data, M.row.tolist(), M.col.tolist(), M.shape)


def vector(column: Any) -> np.ndarray:
    """Return a column of cvxopt as a vector: the same numbers in memory, not a copy."""
    return np.asarray(column).reshape(-1)
