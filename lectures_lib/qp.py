"""Convex quadratic programs: arrays in, arrays out, with the multipliers that prove the answer.

    minimise  half x'Px + q'x   subject to  Gx <= h,  Ax = b,  lower <= x <= upper

cvxopt is the engine where it is installed; elsewhere (the browser) a primal-dual interior-point
method of our own with the same signature. Bounds are kept apart from G, and G may be sparse: no
engine ever sees a dense identity block. The certificate is computed from data and answer alone.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.linalg import LinAlgError, cho_factor, cho_solve, qr
from scipy.sparse.linalg import splu

try:
    import cvxopt
    import cvxopt.solvers
except ImportError:
    cvxopt = None

#: The engine used by default.
ENGINE = "own" if cvxopt is None else "cvxopt"
MAX_ITERATIONS = 200


@dataclass(frozen=True, eq=False)
class QP:
    """A quadratic program with every part present: absent constraints have no rows."""

    P: np.ndarray  #: (n, n) symmetric PSD, dense or sparse
    q: np.ndarray  #: (n,)
    G: np.ndarray  #: (m, n) dense or sparse
    h: np.ndarray  #: (m,)
    A: np.ndarray  #: (p, n)
    b: np.ndarray  #: (p,)
    lower: np.ndarray  #: (n,) -inf where free
    upper: np.ndarray  #: (n,) inf where free


@dataclass(frozen=True, eq=False)
class Solution:
    """A point, its multipliers, and how nearly they satisfy the optimality conditions."""

    x: np.ndarray  #: (n,) the point
    z: np.ndarray  #: (m,) multipliers of Gx <= h, at least 0
    v: np.ndarray  #: (p,) multipliers of Ax = b
    z_lower: np.ndarray  #: (n,) multipliers of lower <= x, at least 0
    z_upper: np.ndarray  #: (n,) multipliers of x <= upper, at least 0
    primal: float  #: half x'Px + q'x
    dual: float  #: the Lagrangian at x: no feasible point is lower, up to `stationarity`
    infeasibility: float  #: the largest violation of a constraint
    stationarity: float  #: the largest entry of Px + q + G'z + A'v - z_lower + z_upper
    converged: bool  #: gap, infeasibility and stationarity are small against their terms

    @property
    def gap(self) -> float:
        """primal - dual."""
        return self.primal - self.dual


def solve(
    P: ArrayLike,
    q: ArrayLike,
    *,
    G: ArrayLike | None = None,
    h: ArrayLike | None = None,
    A: ArrayLike | None = None,
    b: ArrayLike | None = None,
    lower: ArrayLike | float = -np.inf,
    upper: ArrayLike | float = np.inf,
    tol: float = 1e-7,
    engine: str | None = None,
) -> Solution:
    """Solve the program; bounds are given per entry, or one number for all."""
    qp = _complete(P, q, G, h, A, b, lower, upper)
    engine = engine or ENGINE
    if engine not in ("own", "cvxopt") or (engine == "cvxopt" and cvxopt is None):
        raise ValueError(f"engine is 'own' or 'cvxopt' (where installed), not {engine!r}.")
    answer = _solve(qp, _by_cvxopt if engine == "cvxopt" else _predictor_corrector, tol)
    if engine == "cvxopt" and not answer.converged:
        other = _solve(qp, _predictor_corrector, tol)
        return other if other.converged else answer
    return answer


def _solve(qp: QP, method, tol: float) -> Solution:
    """Solve in units where bounds and costs are about 1, without equalities that repeat others."""
    length, cost = _units(qp)
    K, rows, v = _Inequalities(qp), _independent(qp.A), np.zeros(len(qp.b))
    K.k = K.k / length
    P, A, b = qp.P * (length / cost), qp.A[rows], qp.b[rows] / length
    x, z, v[rows] = method(replace(qp, P=P, q=qp.q / cost, A=A, b=b), K)
    return _certified(qp, length * x, cost * z, cost * v, tol)


def _independent(A: np.ndarray) -> np.ndarray:
    """Return rows of A that span all its rows."""
    if len(A) == 0:
        return np.arange(0)
    _, R, order = qr(A.T, mode="economic", pivoting=True)
    size = np.abs(np.diag(R))
    return np.sort(order[: int(np.sum(size > 1e-10 * size[0]))])


def _complete(P, q, G, h, A, b, lower, upper) -> QP:
    q = np.array(q, dtype=float).ravel()
    n = len(q)
    if n == 0:
        raise ValueError("q is empty: there is no unknown to solve for.")
    lower, upper = (np.broadcast_to(np.asarray(v, float), (n,)).copy() for v in (lower, upper))
    parts = [_matrix(M, n) for M in (P, G, A)]
    sides = [np.zeros(0) if v is None else np.array(v, dtype=float).ravel() for v in (h, b)]
    if parts[0].shape[0] != n or [len(v) for v in sides] != [M.shape[0] for M in parts[1:]]:
        raise ValueError(f"The shapes do not fit: q has {n} entries, P {parts[0].shape}.")
    if not (lower < upper).all():
        raise ValueError("Every lower bound must be below its upper bound; fix equal ones by A.")
    for values in (q, *sides, *(M.data if sparse.issparse(M) else M for M in parts)):
        if not np.isfinite(values).all():
            raise ValueError("Only bounds may be infinite: leave such rows of G and h out.")
    _check_convex(parts[0])
    parts[2] = parts[2].toarray() if sparse.issparse(parts[2]) else parts[2]
    return QP(parts[0], q, parts[1], sides[0], parts[2], sides[1], lower, upper)


def _matrix(M, n: int):
    if M is None:
        return np.zeros((0, n))
    M = sparse.csr_matrix(M, dtype=float) if sparse.issparse(M) else np.array(M, dtype=float)
    if M.ndim != 2 or M.shape[1] != n:
        raise ValueError(f"A matrix of shape {M.shape} meets {n} unknowns.")
    return M


def _check_convex(P) -> None:
    """Refuse a P for which a stationary point need not be a minimum."""
    size = np.abs(P.diagonal()).max()
    if np.abs(P - P.T).max() > 1e-9 * size:
        raise ValueError("P must be symmetric: x'Px is the same for (P + P') / 2.")
    if not _positive_definite(P, 1e-9 * size if size > 0 else 1e-300):
        raise ValueError("P must be positive semi-definite: else the problem is not convex.")


def _positive_definite(P, shift: float) -> bool:
    """Try to factor P + shift I; a sparse P stays sparse."""
    try:
        if not sparse.issparse(P):
            _factor(P, shift)
            return True
        if P.nnz == P.diagonal().nonzero()[0].size:
            return bool((P.diagonal() > -shift).all())
        options = {"SymmetricMode": True}
        shifted = (P + shift * sparse.identity(P.shape[0])).tocsc()
        lu = splu(shifted, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)
    except (LinAlgError, RuntimeError):
        return False
    return bool((lu.perm_r == lu.perm_c).all() and (lu.U.diagonal() > 0).all())


def _units(qp: QP) -> tuple[float, float]:
    """Return the units of x and of its price, in which the largest bound and cost are 1."""
    sides = (qp.h, qp.b, qp.lower[np.isfinite(qp.lower)], qp.upper[np.isfinite(qp.upper)])
    length = max(float(np.abs(side).max(initial=0.0)) for side in sides)
    cost, curvature = float(np.abs(qp.q).max()), float(qp.P.diagonal().max())
    length = length or (cost / curvature if cost > 0 and curvature > 0 else 1.0)
    return length, cost or length * curvature or 1.0


class _Inequalities:
    """All inequalities as one operator K x <= k: G's rows, then the finite bounds."""

    def __init__(self, qp: QP) -> None:
        self.G = qp.G
        self.low, self.up = np.flatnonzero(qp.lower > -np.inf), np.flatnonzero(qp.upper < np.inf)
        self.k = np.concatenate([qp.h, -qp.lower[self.low], qp.upper[self.up]])
        self.cuts = np.cumsum([len(qp.h), len(self.low)])

    def times(self, x: np.ndarray) -> np.ndarray:
        """Return K x."""
        return np.concatenate([self.G @ x, -x[self.low], x[self.up]])

    def transposed(self, z: np.ndarray) -> np.ndarray:
        """Return K' z."""
        z_G, z_low, z_up = np.split(z, self.cuts)
        out = np.asarray(self.G.T @ z_G).ravel()
        out[self.low] -= z_low
        out[self.up] += z_up
        return out

    def add_squares(self, H: np.ndarray, d: np.ndarray) -> None:
        """Add K' diag(d) K to H in place."""
        d_G, d_low, d_up = np.split(d, self.cuts)
        if len(d_G):
            scaled = (
                self.G.multiply(d_G[:, None]) if sparse.issparse(self.G) else d_G[:, None] * self.G
            )
            H += (self.G.T @ scaled).toarray() if sparse.issparse(self.G) else self.G.T @ scaled
        H[self.low, self.low] += d_low
        H[self.up, self.up] += d_up


@np.errstate(over="ignore", invalid="ignore", divide="ignore")  # without a solution it diverges
def _predictor_corrector(qp: QP, K: _Inequalities) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Mehrotra's method: Newton steps on the optimality conditions, kept inside s, z > 0."""
    P = qp.P.toarray() if sparse.issparse(qp.P) else qp.P
    x, v = np.zeros(len(qp.q)), np.zeros(len(qp.b))
    s, z = np.maximum(1.0, K.k - K.times(x)), np.ones(len(K.k))
    best, since = (np.inf, x, z, v), 0
    for _ in range(MAX_ITERATIONS):
        r_d = P @ x + qp.q + K.transposed(z) + qp.A.T @ v
        r_p, r_e = K.times(x) + s - K.k, qp.A @ x - qp.b
        mu = s @ z / max(len(s), 1)
        worst = max(np.abs(r).max(initial=mu) for r in (r_d, r_p, r_e))
        best, since = ((worst, x, z, v), 0) if worst < 0.9 * best[0] else (best, since + 1)
        if worst <= 1e-12 or since > 15 or not np.isfinite(worst):
            break
        try:
            solve = _newton(P, qp.A, K, s, z, r_d, r_p, r_e)
        except LinAlgError:
            break
        dx, ds, dz, dv = solve(s * z)
        step = min(_longest(s, ds), _longest(z, dz))
        ahead = (s + step * ds) @ (z + step * dz) / max(len(s), 1)
        sigma = (ahead / mu) ** 3 if len(s) else 0.0
        dx, ds, dz, dv = solve(s * z + ds * dz - sigma * mu)
        step = 0.995 * min(_longest(s, ds), _longest(z, dz)) if len(s) else 1.0
        x, s, z, v = x + step * dx, s + step * ds, z + step * dz, v + step * dv
    return best[1:]


def _newton(P, A, K: _Inequalities, s, z, r_d, r_p, r_e):
    """Factor the Newton system once; return a function that solves it for a complementarity."""
    H = P + A.T @ A  # A dx = -r_e, so A'A dx is known: it helps where P is singular
    K.add_squares(H, z / s)
    factor = _factor_shifted(H)
    AH = cho_solve(factor, A.T) if len(A) else np.zeros((len(H), 0))
    schur = _factor_shifted(A @ AH) if len(A) else None

    def solve(r_c):
        right = -r_d - K.transposed((z * r_p - r_c) / s) - A.T @ r_e
        dx = cho_solve(factor, right)
        dv = np.zeros(0)
        if schur is not None:
            dv = cho_solve(schur, A @ dx + r_e)
            dx = dx - AH @ dv
        ds = -r_p - K.times(dx)
        return dx, ds, -(r_c + z * ds) / s, dv

    return solve


def _factor_shifted(H: np.ndarray):
    """Cholesky of H, with as little added to the diagonal as rounding makes it need."""
    shift = 1e-14 * max(float(np.abs(np.diag(H)).max()), 1e-300)
    for _ in range(12):
        try:
            return _factor(H, shift)
        except LinAlgError:
            shift *= 100
    raise LinAlgError("not positive definite, nor near to it")


def _factor(H: np.ndarray, shift: float):
    """Cholesky of H + shift I."""
    H = H.copy()
    H[np.diag_indices(len(H))] += shift
    if not np.isfinite(H).all():
        raise LinAlgError("overflow")
    return cho_factor(H, overwrite_a=True)


def _longest(v: np.ndarray, dv: np.ndarray) -> float:
    """Return the longest step, 1 at most, that keeps v >= 0."""
    down = dv < 0
    return float(min(1.0, np.min(-v[down] / dv[down], initial=np.inf)))


def _by_cvxopt(qp: QP, K: _Inequalities) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    eye = sparse.identity(len(qp.q), format="csr")
    rows = sparse.vstack([sparse.csr_matrix(qp.G), -eye[K.low], eye[K.up]])
    options = {"show_progress": False, "abstol": 1e-10, "reltol": 1e-10, "feastol": 1e-10}
    args = [_cvx(qp.P), cvxopt.matrix(qp.q), _cvx(rows), cvxopt.matrix(K.k)]
    if len(qp.b):
        args += [_cvx(qp.A), cvxopt.matrix(qp.b)]
    try:
        answer = cvxopt.solvers.qp(*args, options=options)
    except (ValueError, ArithmeticError):  # cvxopt wants full rank; our own method does not
        return _predictor_corrector(qp, K)
    return tuple(np.array(answer[name]).ravel() for name in ("x", "z", "y"))


def _cvx(M):
    if not sparse.issparse(M):
        return cvxopt.matrix(M)
    M = M.tocoo()
    return cvxopt.spmatrix(M.data, M.row.tolist(), M.col.tolist(), M.shape)


def _certified(qp: QP, x, z, v, tol: float) -> Solution:
    K = _Inequalities(qp)
    z = np.maximum(z, 0.0)
    Px, Kz, Av = qp.P @ x, K.transposed(z), np.asarray(qp.A.T @ v).ravel()
    over = K.times(x) - K.k
    primal = float(0.5 * x @ Px + qp.q @ x)
    dual = float(primal + z @ over + v @ (qp.A @ x - qp.b))
    infeasible = max(np.maximum(over, 0).max(initial=0), np.abs(qp.A @ x - qp.b).max(initial=0))
    stationary = float(np.abs(Px + qp.q + Kz + Av).max())
    length, cost = _units(qp)
    terms = cost + max(np.abs(t).max(initial=0.0) for t in (Px, qp.q, Kz, Av))
    reach = length + max(np.abs(t).max(initial=0.0) for t in (K.times(x), K.k, qp.b))
    worth = 0.5 * x @ Px + np.abs(qp.q) @ np.abs(x) + z @ np.abs(K.k) + np.abs(v) @ np.abs(qp.b)
    good = (
        abs(primal - dual) <= tol * (worth + 1e-3 * length * cost)
        and infeasible <= tol * reach
        and stationary <= tol * terms
    )
    z_G, low, up = np.split(z, K.cuts)
    z_lower, z_upper = np.zeros(len(x)), np.zeros(len(x))
    z_lower[K.low], z_upper[K.up] = low, up
    return Solution(
        x, z_G, v, z_lower, z_upper, primal, dual, float(infeasible), stationary, bool(good)
    )
