"""Principal components: these are eigenpairs of the centred Gram matrix, and none is larger.

Let K be known up to e sqrt(K_ii K_jj): in norm that is e times the trace of K. Centring by means
errs by at most 6 g_{2n+6} norm(K), in Frobenius' norm, as do the products. That nothing larger was
left behind is proved by Cholesky's algorithm (`psd_level`): c I - (K - V diag(values) V') is
positive semi-definite for a c not above the least of the values, and a tolerance.

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
    K: ArrayLike, values: ArrayLike, V: ArrayLike, *, rounding: float | None = None
) -> PCACertificate:
    """Judge eigenpairs of the centred Gram matrix: exact, orthonormal, and the largest.

    `rounding`: the entries of K are known up to this times sqrt(K_ii K_jj) (`Kernel.rounding`);
    None: K itself is what was asked about.
    """
    K, V = check_points(K, "K", copy=False), check_points(V, "V")
    n, m = V.shape
    if K.shape != (n, n):
        raise BadArgument(f"K has shape {K.shape} and V {V.shape}: (n, n) and (n, m) are needed.")
    values = check_vector(values, m, "values")
    K = 0.5 * (K + K.T)
    means = K.mean(axis=0)
    Kc = K - means - means[:, None] + means.mean()
    W = V * values
    error = _error(K, V, values, rounding or 0.0)
    known = float(np.trace(Kc)) - SAFE * float(np.sqrt(n)) * error
    tolerance = max(0.0, RTOL * (1 - 1e-12) * known)
    return PCACertificate(
        residual=float(np.linalg.norm(Kc @ V - W, axis=0).max()),
        skew=float(np.abs(V.T @ V - np.eye(m)).max()),
        left=_left(Kc - W @ V.T, float(values.min()) + 0.5 * tolerance),
        least=float(values.min()),
        tolerance=tolerance,
        error=error,
        skew_error=float(SAFE * growth(n + 2) * (1 + np.linalg.norm(V, axis=0).max() ** 2)),
    )


def _error(K: np.ndarray, V: np.ndarray, values: np.ndarray, eps: float) -> float:
    """Return what rounding, of K and of the products here, can do to a residual."""
    n, m = V.shape
    size, length = np.linalg.norm(K), np.linalg.norm(V, axis=0).max()
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
