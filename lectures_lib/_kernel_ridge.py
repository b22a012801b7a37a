"""Kernel ridge regression with its duality gap; `kernel_methods` exports it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from .conventions import RTOL
from .kernels import Kernel, centred, product


@dataclass(frozen=True)
class RidgeCertificate:
    """No w does better than `dual`, and the answer attains `primal`: their gap bounds its error."""

    primal: float  #: norm(y - K alpha - b)^2 + penalty alpha'K alpha, the objective of the answer
    dual: float  #: 2 penalty alpha'y - penalty^2 norm(alpha)^2 - penalty alpha'K alpha
    residual: float  #: norm(y - b - (K + penalty I) alpha); its square is the gap
    tolerance: float  #: what counts as rounding: RTOL times the objective of w = 0

    @property
    def gap(self) -> float:
        """primal - dual: how far the answer can be from the best."""
        return self.primal - self.dual

    @property
    def holds(self) -> bool:
        """The gap is rounding."""
        return abs(self.gap) <= self.tolerance


@dataclass(frozen=True, eq=False)
class KernelRidge:
    """Ridge regression in phi-space: w = sum alpha_i phi(x_i), never written out."""

    kernel: Kernel
    X: np.ndarray  #: (n, d) the training examples
    alpha: np.ndarray  #: (n,)
    b: float  #: the offset; 0 unless asked for
    penalty: float
    certificate: RidgeCertificate

    @property
    def objective(self) -> float:
        """norm(y - f(X))^2 + penalty norm(w)^2."""
        return self.certificate.primal

    @property
    def converged(self) -> bool:
        """The certificate holds."""
        return self.certificate.holds

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return f(x) = sum_i alpha_i K(x_i, x) + b for each row of X, in tiles."""
        return product(self.kernel, X, self.X, self.alpha) + self.b


def kernel_ridge(
    X: ArrayLike, y: ArrayLike, kernel: Kernel, penalty: float, *, offset: bool = False
) -> KernelRidge:
    """Minimise norm(y - f(X))^2 + penalty norm(w)^2 over f(x) = w.phi(x).

    The answer is w = sum alpha_i phi(x_i) with (K + penalty I) alpha = y. There is no offset.
    With `offset`, f(x) = w.phi(x) + b and b is free of charge: the same equations for centred phi
    and y, whose alpha sums to 0.
    """
    X = kernel.check(X)
    y, penalty = _check_targets(y, len(X)), _check_penalty(penalty)
    K = kernel.gram(X, X)
    if offset:
        alpha = _solve_ridge(centred(K), y - y.mean(), penalty)
        b = float(np.mean(y - K @ alpha))
    else:
        alpha, b = _solve_ridge(K, y, penalty), 0.0
    proof = ridge_certificate(K, y, penalty, alpha, b if offset else None)
    return KernelRidge(kernel, X, alpha, b, penalty, proof)


def ridge_certificate(
    K: ArrayLike, y: ArrayLike, penalty: float, alpha: ArrayLike, b: float | None = None
) -> RidgeCertificate:
    """Return the proof that (alpha, b) is optimal, or the gap by which it can fail to be.

    Any alpha gives a lower bound. With r = y - f(X), norm(r - penalty alpha)^2 >= 0 says
    norm(r)^2 >= 2 penalty alpha'r - penalty^2 norm(alpha)^2; add penalty norm(w)^2, and the right
    side is least at w = sum alpha_i phi(x_i), where it is `dual`. If b is free (a number, not
    None), that needs an alpha of sum 0: its mean is taken off first.
    """
    K, y, alpha = (np.asarray(a, dtype=float) for a in (K, y, alpha))
    beta, t = (alpha, y) if b is None else (alpha - alpha.mean(), y - y.mean())
    error = y - K @ alpha - (b or 0.0)
    return RidgeCertificate(
        primal=float(error @ error + penalty * alpha @ K @ alpha),
        dual=float(penalty * (2 * beta @ t - penalty * beta @ beta - beta @ K @ beta)),
        residual=float(np.linalg.norm(error - penalty * alpha)),
        tolerance=float(RTOL * (t @ t + RTOL * y @ y)),
    )


def _solve_ridge(K: np.ndarray, y: np.ndarray, penalty: float) -> np.ndarray:
    try:
        return cho_solve(cho_factor(K + penalty * np.eye(len(K))), y)
    except LinAlgError:
        raise ValueError(
            f"K + {penalty:g} I is not positive definite: the penalty is lost in rounding, or "
            "the function is no kernel (ask kernels.psd_certificate)."
        ) from None


def _check_targets(y: ArrayLike, n: int) -> np.ndarray:
    raw = np.asarray(y)
    if raw.dtype.kind not in "iuf" or raw.shape != (n,):
        raise ValueError(
            f"y is {raw.dtype} {raw.shape}; it needs {n} real numbers, one a row of X."
        )
    if not np.isfinite(raw).all():
        raise ValueError("y contains NaN or infinity: remove those examples.")
    return raw.astype(float)


def _check_penalty(penalty: float) -> float:
    if not isinstance(penalty, (int, float, np.number)) or not 0 < penalty < np.inf:
        raise ValueError(f"penalty must be a number > 0, not {penalty!r}.")
    return float(penalty)
