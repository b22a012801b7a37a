"""An interior-point method for the quadratic programs of `qp`, where cvxopt is not installed."""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.linalg import LinAlgError, cho_factor, cho_solve

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


class Inequalities:
    """All inequalities as one operator K x <= k: G's rows, then the finite bounds."""

    def __init__(self, qp: QP) -> None:
        self.G, self.n = qp.G, len(qp.q)
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

    def diagonal(self, d: np.ndarray) -> np.ndarray:
        """Return the diagonal of B'dB, B being the rows of the bounds: each has one entry."""
        _, d_low, d_up = np.split(d, self.cuts)
        out = np.zeros(self.n)
        out[self.low] += d_low
        out[self.up] += d_up
        return out


class _Matrix:
    """The matrix H = P + A'A + K'dK of a Newton step, whatever d > 0.

    An unknown that no other meets except in one row of G (the slack of that row) has one entry in
    H besides that row's. It is eliminated, so that only the `shared` unknowns are left to factor;
    the row then weighs d p / (p + g^2 d), p being what else holds its slack.
    """

    def __init__(self, qp: QP, K: Inequalities) -> None:
        self.K, self.n = K, len(qp.q)
        self.lone, self.rows, self.g = _lone(qp.P, qp.A, qp.G)
        self.shared = np.setdiff1d(np.arange(self.n), self.lone)
        P = sparse.csr_matrix(qp.P)[self.shared][:, self.shared].toarray()
        A = qp.A[:, self.shared]
        self.P = P + A.T @ A  # A dx = -r_e, so A'A dx is known: it helps where P is singular
        self.p = qp.P.diagonal()[self.lone]
        self.G = qp.G[:, self.shared]
        self.own = self.G[self.rows]

    def inverse(self, d: np.ndarray):
        """Factor H once; return a function that solves H x = right."""
        bounds, (d, _, _) = self.K.diagonal(d), np.split(d, self.K.cuts)
        p, d_own = self.p + bounds[self.lone], d[self.rows].copy()
        h = p + self.g**2 * d_own
        d[self.rows] *= p / h
        H = self.P + _weighted_squares(self.G, d)
        factor, pull = factor_shifted(H, bounds[self.shared]), self.g * d_own / h

        def solve(right):
            x = np.empty(self.n)
            inner = right[self.shared] - self.own.T @ (pull * right[self.lone])
            x[self.shared] = cho_solve(factor, inner, check_finite=False)
            x[self.lone] = right[self.lone] / h - pull * (self.own @ x[self.shared])
            return x

        return solve


def _lone(P, A, G) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return unknowns that meet others in one row of G only, at most one a row: (them, rows, g)."""
    P, G = sparse.csc_matrix(P), sparse.csc_matrix(G)
    P.eliminate_zeros()
    G.eliminate_zeros()
    alone = (np.diff(P.indptr) == (P.diagonal() != 0)) & (np.diff(G.indptr) == 1)
    columns = np.flatnonzero(alone & (A == 0).all(axis=0))[1 if alone.all() else 0 :]
    rows, first = np.unique(G.indices[G.indptr[columns]], return_index=True)
    columns = columns[first]
    return columns, rows, G.data[G.indptr[columns]]


def _weighted_squares(G, d: np.ndarray) -> np.ndarray:
    """Return G' diag(d) G."""
    if sparse.issparse(G):
        return (G.T @ G.multiply(d[:, None])).toarray()
    return G.T @ (d[:, None] * G)


@np.errstate(over="ignore", invalid="ignore", divide="ignore")  # without a solution it diverges
def predictor_corrector(qp: QP, K: Inequalities) -> tuple[np.ndarray, np.ndarray, np.ndarray, int]:
    """Mehrotra's method: Newton steps on the optimality conditions, kept inside s, z > 0.

    Returns x, z, v and the order of the matrix that each step factors.
    """
    H = _Matrix(qp, K)
    x, v = np.zeros(len(qp.q)), np.zeros(len(qp.b))
    s, z = np.maximum(1.0, K.k - K.times(x)), np.ones(len(K.k))
    best, since = (np.inf, x, z, v), 0
    for _ in range(MAX_ITERATIONS):
        r_d = qp.P @ x + qp.q + K.transposed(z) + qp.A.T @ v
        r_p, r_e = K.times(x) + s - K.k, qp.A @ x - qp.b
        mu = s @ z / max(len(s), 1)
        worst = max(np.abs(r).max(initial=mu) for r in (r_d, r_p, r_e))
        best, since = ((worst, x, z, v), 0) if worst < 0.9 * best[0] else (best, since + 1)
        if worst <= 1e-12 or since > 15 or not np.isfinite(worst):
            break
        try:
            solve = _newton(H, qp.A, K, s, z, r_d, r_p, r_e)
        except LinAlgError:
            break
        dx, ds, dz, dv = solve(s * z)
        step = min(_longest(s, ds), _longest(z, dz))
        ahead = (s + step * ds) @ (z + step * dz) / max(len(s), 1)
        sigma = (ahead / mu) ** 3 if len(s) else 0.0
        dx, ds, dz, dv = solve(s * z + ds * dz - sigma * mu)
        step = 0.995 * min(_longest(s, ds), _longest(z, dz)) if len(s) else 1.0
        x, s, z, v = x + step * dx, s + step * ds, z + step * dz, v + step * dv
    return *best[1:], len(H.shared)


def _newton(H: _Matrix, A, K: Inequalities, s, z, r_d, r_p, r_e):
    """Factor the Newton system once; return a function that solves it for a complementarity."""
    inverse = H.inverse(z / s)
    AH = np.array([inverse(a) for a in A]).T
    schur = factor_shifted(A @ AH) if len(A) else None

    def solve(r_c):
        right = -r_d - K.transposed((z * r_p - r_c) / s) - A.T @ r_e
        dx = inverse(right)  # not finite: the loop ends by itself
        dv = np.zeros(0)
        if schur is not None:
            dv = cho_solve(schur, A @ dx + r_e, check_finite=False)
            dx = dx - AH @ dv
        ds = -r_p - K.times(dx)
        return dx, ds, -(r_c + z * ds) / s, dv

    return solve


def factor_shifted(H: np.ndarray, diagonal: np.ndarray | float = 0.0) -> tuple[np.ndarray, bool]:
    """Cholesky of H + diagonal, with as little added to it as rounding makes it need."""
    shift = 1e-18 * max(float(np.abs(H.diagonal() + diagonal).max()), 1e-300)
    for _ in range(12):
        try:
            return factor(H, diagonal + shift)
        except LinAlgError:
            shift *= 100
    raise LinAlgError("not positive definite, nor near to it")


def factor(H: np.ndarray, diagonal: np.ndarray | float) -> tuple[np.ndarray, bool]:
    """Cholesky of H + diagonal, H being symmetric."""
    H = H.copy()
    H[np.diag_indices(len(H))] += diagonal
    if not np.isfinite(H).all():
        raise LinAlgError("overflow")
    return cho_factor(H.T, overwrite_a=True, check_finite=False)  # H' = H lies as LAPACK wants it


def _longest(v: np.ndarray, dv: np.ndarray) -> float:
    """Return the longest step, 1 at most, that keeps v >= 0."""
    down = dv < 0
    return float(min(1.0, np.min(-v[down] / dv[down], initial=np.inf)))
