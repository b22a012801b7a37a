"""Principal components: these are eigenpairs of the centred Gram matrix, and none is larger.

Let K be known up to e sqrt(K_ii K_jj): in norm that is e times the trace of K. Centring by means
errs by at most 6 g_{2n+6} norm(K), in Frobenius' norm, as do the products.

That nothing larger was left behind in R = K - V diag(values) V' is seen by what follows: let U, t
be more pairs, whoever found them, U'U = I + G, and E = R - U diag(t) U'. Take x = a + z with a in
the span of U, and z orthogonal to it. Then x'U diag(t) U'x <= max(t, 0) (1 + norm(G)) a'a, and
with s = norm(E U) / sqrt(1 - norm(G)) we have norm(E a) <= s norm(a), so that

    x'Rx <= (max(t, 0) (1 + norm(G)) + s) a'a + 2 s norm(a) norm(z) + norm(E) z'z,

at most the larger of the two factors, and s: few pairs leave an E that is small even in Frobenius'
norm. Where it is not, Cholesky's algorithm decides (`psd_level`): c I - R is positive
semi-definite for a c not above the least of the values, and a tolerance.

The tolerance is RTOL times the trace of the centred K, bounded from below: n diagonal entries are
off by at most sqrt(n) times what the matrix is, in norm. All errors must fit inside it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import RTOL, check_points, check_vector
from .psd import psd_level
from .rounding import SAFE, growth
from .verdict import Proof, Verdict, rounded_up, small, worst


@dataclass(frozen=True)
class PCACertificate(Proof):
    """These are eigenpairs, and there are none larger."""

    residual: float  #: the largest norm(K v - value v), K centred
    skew: float  #: the largest entry of V'V - I: the v are orthonormal
    left: float  #: the largest eigenvalue of K - V diag(values) V', what was left behind: a bound
    least: float  #: the least of the values: nothing left behind may exceed it
    tolerance: float  #: what may be missing: RTOL times the trace of the centred K, or less
    error: float  #: `residual` and `left` are known up to this
    skew_error: float  #: and `skew` up to this

    @property
    def verdict(self) -> Verdict:
        """Return whether all of it is true up to the tolerance."""
        return worst(
            [
                small(self.residual, self.error, self.tolerance),
                small(self.skew, self.skew_error, RTOL),
                small(self.left - self.least, self.error, self.tolerance),
            ]
        )

    def __str__(self) -> str:
        """Return one line per number."""
        rows = {"residual": self.residual, "V'V - I": self.skew, "left behind": self.left}
        rows |= {"least value": self.least, "error": self.error, "tolerance": self.tolerance}
        lines = [f"{name:<16} {value:12.6g}" for name, value in rows.items()]
        return "\n".join([*lines, self.reason])

    @property
    def reason(self) -> str:
        """The verdict in words, with the tolerance."""
        allowed = f"{rounded_up(self.tolerance)}, which is {RTOL:g} of the trace of the centred K"
        claim = "these are its largest eigenpairs, orthonormal"
        return f"{self.verdict}: {claim} to {RTOL:g}, and right to {allowed}"


@explained
def pca_certificate(
    K: ArrayLike,
    values: ArrayLike,
    V: ArrayLike,
    *,
    rounding: float | None = None,
    more: tuple[ArrayLike, ArrayLike] | None = None,
) -> PCACertificate:
    """Judge eigenpairs of the centred Gram matrix: exact, orthonormal, and the largest.

    `rounding`: the entries of K are known up to this times sqrt(K_ii K_jj) (`Kernel.rounding`);
    None: K itself is what was asked about. `more` are the values and vectors of pairs that follow:
    a proof may be quick with them, and false ones prove nothing.
    """
    K, V = check_points(K, "K", copy=False), check_points(V, "V")
    n, m = V.shape
    if K.shape != (n, n):
        raise BadArgument(f"K has shape {K.shape} and V {V.shape}: (n, n) and (n, m) are needed.")
    values = check_vector(values, m, "values")
    K = K if (K == K.T).all() else 0.5 * (K + K.T)
    means, size = K.mean(axis=0), float(np.sqrt(np.einsum("ij,ij->i", K, K).sum()))
    U, t = (V[:, :0], values[:0]) if more is None else _pairs(n, *more)
    Q, every = np.hstack([V, U]), np.concatenate([values, t])
    KQ = K @ (Q - Q.mean(axis=0))
    KQ -= KQ.mean(axis=0)
    error, least = _error(K, size, V, values, rounding or 0.0), float(values.min())
    trace = float((K.diagonal() - 2.0 * means + means.mean()).sum())
    trace -= SAFE * float(np.sqrt(n)) * error
    tolerance = max(0.0, RTOL * (1 - 1e-12) * trace)
    left = _left_by_pairs(size, means, Q, every, KQ, m)
    if small(left - least, error, tolerance) != "proved":
        rest = K - means - means[:, None] + means.mean() - (V * values) @ V.T
        left = _left(rest, least + 0.5 * tolerance)
    return PCACertificate(
        residual=float(np.linalg.norm(KQ[:, :m] - V * values, axis=0).max()),
        skew=float(np.abs(V.T @ V - np.eye(m)).max()),
        left=left,
        least=least,
        tolerance=tolerance,
        error=error,
        skew_error=_skew_error(V),
    )


def _pairs(n: int, values: ArrayLike, vectors: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the vectors and values of pairs that follow; there may be none."""
    if not np.size(values):
        return np.zeros((n, 0)), np.zeros(0)
    U = check_points(vectors, "the vectors of more")
    if len(U) != n:
        raise BadArgument(f"more has shape {U.shape}; it needs vectors with {n} entries.")
    return U, check_vector(values, U.shape[1], "the values of more")


def _left_by_pairs(size: float, means, Q, values, KQ, m: int) -> float:
    """Return a bound of all eigenvalues of U diag(t) U' + E, as the module derives it.

    Q = [V, U] has m columns in V, KQ are the images under the centred K, and `size` is norm(K).
    norm(E)^2 = norm(Kc)^2 - 2 sum_i q_i q_i'Kc q_i + sum_ij q_i q_j (Q'Q)_ij^2, q the values.
    """
    n, G, U = len(Q), Q.T @ Q, Q[:, m:]
    weight = size + float(np.abs(values) @ G.diagonal())
    rounded = SAFE * growth(4 * n + 40)
    square = size**2 - 2.0 * n * float(means @ means) + (n * float(means.mean())) ** 2
    square += values @ (G * G) @ values - 2.0 * float(values @ np.einsum("ij,ij->j", Q, KQ))
    whole = float(np.sqrt(max(0.0, square) + 16.0 * rounded * weight**2))
    if m == Q.shape[1]:
        return SAFE * whole
    skew = float(np.linalg.norm(G[m:, m:] - np.eye(U.shape[1]))) + U.shape[1] * _skew_error(U)
    if not skew < 0.5:
        return np.inf
    s = float(np.linalg.norm(KQ[:, m:] - (Q * values) @ G[:, m:]))
    s = (s + 8.0 * rounded * weight * float(G.trace())) / np.sqrt(1.0 - skew)
    inside = max(0.0, float(values[m:].max())) * (1.0 + skew) + s
    return float(SAFE * (max(inside, whole) + s))


def _skew_error(V: np.ndarray) -> float:
    return float(SAFE * growth(len(V) + 2) * (1 + np.linalg.norm(V, axis=0).max() ** 2))


def _error(K: np.ndarray, size: float, V: np.ndarray, values: np.ndarray, eps: float) -> float:
    """Return what rounding, of K and of the products here, can do to a residual."""
    n, m = V.shape
    length = np.linalg.norm(V, axis=0).max()
    of_K = eps * np.abs(K.diagonal()).sum() + 6 * growth(2 * n + 6) * size
    products = growth(max(n, m) + 4) * (4 * size + np.abs(values).sum() * max(1.0, length))
    return float(SAFE * max(1.0, length) * (of_K + products))


def _left(rest: np.ndarray, c: float) -> float:
    """Return c + eta if that is proved to be above all eigenvalues, else the largest computed."""
    M = c * np.eye(len(rest)) - 0.5 * (rest + rest.T)
    level = psd_level(M, most=1e-9)
    if level.eta is not None:
        return c + level.eta * float(M.diagonal().max(initial=0.0))
    x = np.linalg.eigh(rest)[1][:, -1]
    return float(x @ rest @ x / (x @ x))  # no eigenvalue is largest that is below this
