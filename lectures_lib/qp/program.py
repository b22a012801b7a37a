"""The program checked, solved in units that suit it, and its answer measured; see `qp`."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.linalg import LinAlgError, qr
from scipy.sparse.linalg import splu

from .._arguments import BadArgument, explained
from .._result import Result, with_fields
from ..conventions import NUMBERS, OneLine, as_array
from .engines import by_cvxopt, cvxopt
from .interior_point import QP, Inequalities, factor, predictor_corrector

#: What to do about an answer that did not reach its tolerance.
ADVICE = "stopped early: scale the data to similar sizes, or ask whether there is a solution"
#: The engine used by default.
ENGINE = "own" if cvxopt is None else "cvxopt"


@dataclass(frozen=True, eq=False, repr=False)
class Solution(OneLine, Result):
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
    reached_tol: bool  #: gap, infeasibility and stationarity are small against their terms
    order: int = 0  #: of the matrix that each step of the engine factors: what a step costs

    @property
    def gap(self) -> float:
        """primal - dual."""
        return self.primal - self.dual

    @property
    def message(self) -> str:
        """What happened, in words."""
        how = "reached its tolerance" if self.reached_tol else ADVICE
        residuals = f"infeasibility {self.infeasibility:.3g}, stationarity {self.stationarity:.3g}"
        return f"{how}; {residuals}, systems of order {self.order}"


@explained
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
    """Solve the program; bounds are given per entry, or one number for all.

    Parameters
    ----------
    P, q : minimise half x'Px + q'x; P is symmetric PSD, dense or sparse
    G, h : subject to Gx <= h
    A, b : and Ax = b
    lower, upper : and lower <= x <= upper, one number or one per entry
    tol : how large gap and violations may be, relative to their terms
    engine : "cvxopt" or "own"; None: cvxopt where it is installed

    Examples
    --------
    >>> qp.solve(np.eye(2), [-1.0, -3.0], upper=2.0).x.round(4)
    array([1., 2.])
    """
    qp = _complete(P, q, G, h, A, b, lower, upper)
    engine = engine or ENGINE
    if engine not in ("own", "cvxopt") or (engine == "cvxopt" and cvxopt is None):
        raise BadArgument(f"engine is 'own' or 'cvxopt' (where installed), not {engine!r}.")
    answer = _solve(qp, by_cvxopt if engine == "cvxopt" else predictor_corrector, tol)
    if engine == "cvxopt" and not answer.reached_tol:
        other = _solve(qp, predictor_corrector, tol)
        return other if other.reached_tol else answer
    return answer


def _solve(qp: QP, method, tol: float) -> Solution:
    """Solve in units of the largest bound and cost; where that fails, in those of the curvature."""
    answer = _solve_in(qp, method, tol, *_units(qp))
    if answer.reached_tol or not qp.P.diagonal().max() > 0:
        return answer
    other = _solve_in(qp, method, tol, *_inner_units(qp))
    return other if other.reached_tol else answer


def _solve_in(qp: QP, method, tol: float, length: float, cost: float) -> Solution:
    """Solve in these units of x and its price, without equalities that repeat others."""
    K, rows, v = Inequalities(qp), _independent(qp.A), np.zeros(len(qp.b))
    K.k = K.k / length
    P, A, b = qp.P * (length / cost), qp.A[rows], qp.b[rows] / length
    x, z, v[rows], order = method(replace(qp, P=P, q=qp.q / cost, A=A, b=b), K)
    return with_fields(_certified(qp, length * x, cost * z, cost * v, tol), order=order)


def _independent(A: np.ndarray) -> np.ndarray:
    """Return rows of A that span all its rows."""
    if len(A) == 0:
        return np.arange(0)
    _, R, order = qr(A.T, mode="economic", pivoting=True)
    size = np.abs(np.diag(R))
    return np.sort(order[: int(np.sum(size > 1e-10 * size[0]))])


def _complete(P, q, G, h, A, b, lower, upper) -> QP:
    q = np.array(as_array(q, "q", NUMBERS), float).ravel()
    n = len(q)
    if n == 0:
        raise BadArgument("q is empty: there is no unknown to solve for.")
    lower, upper = _bound(lower, "lower", n), _bound(upper, "upper", n)
    parts = [_matrix(M, n) for M in (P, G, A)]
    sides = [
        np.zeros(0) if v is None else np.array(as_array(v, "h or b", NUMBERS), float).ravel()
        for v in (h, b)
    ]
    if parts[0].shape[0] != n or [len(v) for v in sides] != [M.shape[0] for M in parts[1:]]:
        raise BadArgument(f"The shapes do not fit: q has {n} entries, P {parts[0].shape}.")
    if not (lower < upper).all():
        raise BadArgument("Every lower bound must be below its upper bound; fix equal ones by A.")
    for values in (q, *sides, *(M.data if sparse.issparse(M) else M for M in parts)):
        if not np.isfinite(values).all():
            raise BadArgument("Only bounds may be infinite: leave such rows of G and h out.")
    _check_convex(parts[0])
    parts[2] = parts[2].toarray() if sparse.issparse(parts[2]) else parts[2]
    return QP(parts[0], q, parts[1], sides[0], parts[2], sides[1], lower, upper)


def _bound(values: ArrayLike, name: str, n: int) -> np.ndarray:
    bound = as_array(values, name, NUMBERS)
    if bound.shape not in ((), (1,), (n,)):
        raise BadArgument(f"{name} has shape {bound.shape}; it needs one number, or {n}.")
    return np.array(np.broadcast_to(bound, (n,)), float)


def _matrix(M, n: int):
    if M is None:
        return np.zeros((0, n))
    M = (
        sparse.csr_matrix(M, dtype=float)
        if sparse.issparse(M)
        else as_array(M, "A matrix", NUMBERS).astype(float)
    )
    if M.ndim != 2 or M.shape[1] != n:
        raise BadArgument(f"A matrix of shape {M.shape} meets {n} unknowns.")
    return M


def _check_convex(P) -> None:
    """Refuse a P for which a stationary point need not be a minimum."""
    size = np.abs(P.diagonal()).max()
    if np.abs(P - P.T).max() > 1e-9 * size:
        raise BadArgument("P must be symmetric: x'Px is the same for (P + P') / 2.")
    if not _positive_definite(P, 1e-9 * size if size > 0 else 1e-300):
        raise BadArgument("P must be positive semi-definite: else the problem is not convex.")


def _positive_definite(P, shift: float) -> bool:
    """Try to factor P + shift I; a sparse P stays sparse."""
    try:
        if not sparse.issparse(P):
            factor(P, shift)
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


def _inner_units(qp: QP) -> tuple[float, float]:
    """Return smaller units: those of a solution that far bounds and high costs do not touch."""
    length, cost = _units(qp)
    curvature = float(qp.P.diagonal().max())
    length = min(length, cost / curvature)
    return length, min(cost, length * curvature)


def _certified(qp: QP, x, z, v, tol: float) -> Solution:
    K = Inequalities(qp)
    z = np.maximum(z, 0.0)
    Px, Kz, Av = qp.P @ x, K.transposed(z), np.asarray(qp.A.T @ v).ravel()
    over = K.times(x) - K.k
    primal = float(0.5 * x @ Px + qp.q @ x)
    dual = float(primal + z @ over + v @ (qp.A @ x - qp.b))
    infeasible = max(np.maximum(over, 0).max(initial=0), np.abs(qp.A @ x - qp.b).max(initial=0))
    stationary = float(np.abs(Px + qp.q + Kz + Av).max())
    length, cost = _inner_units(qp) if qp.P.diagonal().max() > 0 else _units(qp)
    terms = cost + max(np.abs(t).max(initial=0.0) for t in (Px, qp.q, Kz, Av))
    reach = length + max(np.abs(t).max(initial=0.0) for t in (K.times(x), qp.h, qp.b))
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
