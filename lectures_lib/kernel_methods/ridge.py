"""Kernel ridge regression with its duality gap; `kernel_methods` exports it."""

from dataclasses import dataclass
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from .._arguments import BadArgument, explained
from .._result import SEAL, Result
from ..conventions import (
    LARGEST,
    OneLine,
    check_number,
    check_positive,
    check_targets,
    check_vector,
)
from ..kernels import (
    Kernel,
    centre_of,
    centred,
    check_kernel,
    checked_gram,
    product,
    rounding_at,
)
from ..proof.middle import middle_of
from ..proof.ridge import RidgeCertificate, ridge_certificate, with_offset_lost
from ..proof.rounding import fractions
from ..svm.problem import balanced_exactly

#: Where floating point leaves the verdict open, judge up to this many examples in fractions.
EXACT_SIZE = 60
#: An equation is solved where no residual is above this part of the largest target.
SOLVED = 1e-14


@dataclass(frozen=True, eq=False, repr=False)
class RidgeFit(OneLine, Result):
    """Ridge regression in phi-space: w = sum alpha_i phi(x_i), never written out."""

    kernel: Kernel
    X: np.ndarray  #: (n, d) the training examples
    alpha: np.ndarray  #: (n,)
    b: float  #: 0 unless asked for: f(x) = sum alpha_i K(x_i, x) + b + middle; x.z: b is rounded
    penalty: float
    certificate: RidgeCertificate
    centre: np.ndarray | None = None  #: (d,) c, the mean of X, where the kernel is x.z, b is free
    at_centre: float = 0.0  #: with c: f(x) = sum alpha_i (x_i - c).(x - c) + at_centre + middle
    middle: float = 0.0  #: the median of targets that lie far from 0

    @property
    def objective(self) -> float:
        """norm(y - f(X))^2 + penalty norm(w)^2."""
        return self.certificate.primal

    @property
    def converged(self) -> bool:
        """The certificate holds."""
        return self.certificate.holds

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return f(x) = sum_i alpha_i K(x_i, x) + b + middle for each row of X, in tiles."""
        if self.centre is None:
            return product(self.kernel, X, self.X, self.alpha) + self.b + self.middle
        inner = product(
            self.kernel, self.kernel.check(X) - self.centre, self.X - self.centre, self.alpha
        )
        return inner + self.at_centre + self.middle

    def rejudge(
        self, y: ArrayLike, *, offset: bool = False, weights: ArrayLike | None = None
    ) -> "RidgeFit":
        """Judge alpha, b and `middle` anew, for its own X, kernel and penalty; all else follows.

        Parameters
        ----------
        y, offset, weights : as they were for `kernel_ridge` or `weighted_kernel_ridge`

        Examples
        --------
        >>> from dataclasses import replace
        >>> X, y = [[1.0], [2.0]], [1.0, 2.0]
        >>> fit = kernel_methods.kernel_ridge(X, y, kernels.Linear(), 5.0)
        >>> replace(fit, alpha=fit.alpha / 2).rejudge(y).certificate.verdict
        'refuted'
        """
        X = check_kernel(self.kernel).check(self.X)
        y, alpha = check_targets(y, len(X)), check_vector(self.alpha, len(X), "alpha")
        on, s = (np.arange(len(X)), None) if weights is None else _weighed(weights, len(X))
        b, middle = check_number(self.b, "b"), check_number(self.middle, "middle")
        if (not offset and (b or middle)) or np.any(np.delete(alpha, on)):
            raise BadArgument(
                "This fit has an offset, or an alpha of an example without weight: give `offset` "
                "and `weights` as they were."
            )
        Z, t, a = X[on], y[on], alpha[on]
        centre = self._own_centre(X, Z, alpha, b) if offset else None
        b = self.at_centre if centre is not None else b
        K = checked_gram(self.kernel, Z if centre is None else Z - centre)
        place = centre, middle
        proof = _judge(self.kernel, Z, K, t, self.penalty, a, b if offset else None, place, s)
        return _fit(self.kernel, X, alpha, b, self.penalty, proof, *place, s)

    def _own_centre(self, X, Z, alpha, b: float) -> np.ndarray | None:
        """Return the centre, where `at_centre` is b seen from there; None: f counts from 0."""
        centre = centre_of(self.kernel, Z)
        if centre is None or self.centre is None or not np.array_equal(self.centre, centre):
            return None
        same = self.at_centre - float(alpha @ (X - centre) @ centre) == b
        return centre if same and not fsum(alpha) else None


@explained
def kernel_ridge(
    X: ArrayLike, y: ArrayLike, kernel: Kernel, penalty: float, *, offset: bool = False
) -> RidgeFit:
    """Minimise norm(y - f(X))^2 + penalty norm(w)^2 over f(x) = w.phi(x).

    The answer is w = sum alpha_i phi(x_i) with (K + penalty I) alpha = y. There is no offset.
    With `offset`, f(x) = w.phi(x) + b and b is free of charge: the same equations for centred phi
    and y, whose alpha sums to 0.

    Parameters
    ----------
    X, y : examples that the kernel takes, and their targets
    kernel : a kernel of `kernels` or `discrete`
    penalty : the price of norm(w)^2, above 0
    offset : f(x) = w.phi(x) + b with b free of charge

    Examples
    --------
    >>> fit = kernel_methods.kernel_ridge([[1.0], [2.0]], [1.0, 2.0], kernels.Linear(), 5.0)
    >>> fit.predict([[4.0]]).round(6)
    array([2.])
    """
    X = check_kernel(kernel).check(X)
    y, penalty = check_targets(y, len(X)), check_positive(penalty, "penalty")
    centre, middle = (centre_of(kernel, X), middle_of(y)) if offset else (None, 0.0)
    K = checked_gram(kernel, X if centre is None else X - centre)
    if offset:
        first = y[0] - middle
        t = (y - middle) - first  # 0 for equal targets, which no mean rounds
        alpha = _solve_ridge(centred(K), t - t.mean(), penalty)
        alpha = _balanced(alpha - alpha.mean(), centre)
        b = float(first + np.mean(t - K @ alpha))
    else:
        alpha, b = _solve_ridge(K, y, penalty), 0.0
    place = centre, middle
    proof = _judge(kernel, X, K, y, penalty, alpha, b if offset else None, place)
    return _fit(kernel, X, alpha, b, penalty, proof, *place)


def _balanced(alpha: np.ndarray, centre: np.ndarray | None) -> np.ndarray:
    """Return alpha whose sum is exactly 0, where the kernel is x.z: far out, rounding moves f."""
    if centre is None:
        return alpha
    sides = np.where(alpha < 0, -1.0, 1.0)
    return sides * balanced_exactly(np.abs(alpha), sides)


def _fit(kernel, X, alpha, b, penalty, proof, centre, middle, s=None) -> RidgeFit:
    """Return the fit; b is the offset from the centre, if there is one."""
    if centre is None:
        return RidgeFit(kernel, X, alpha, b, penalty, proof, middle=middle, _seal=SEAL)
    origin = b - float(alpha @ (X - centre) @ centre)
    weight = len(X) if s is None else float(s.sum())
    proof = with_offset_lost(proof, X, alpha, centre, b, origin, weight)
    return RidgeFit(kernel, X, alpha, origin, penalty, proof, centre, b, middle, _seal=SEAL)


def weighted_kernel_ridge(
    X: ArrayLike,
    y: ArrayLike,
    weights: ArrayLike,
    kernel: Kernel,
    penalty: float,
    *,
    offset: bool = False,
) -> RidgeFit:
    """Minimise sum s_i (y_i - f(x_i))^2 + penalty norm(w)^2 for weights s_i >= 0.

    The answer has (K + penalty diag(1 / s)) alpha = y; a free b takes the means by weight. An
    example of weight 0 is left out: its alpha is 0. A weight of 2 is the example twice.

    Parameters
    ----------
    X, y, kernel, penalty, offset : as in `kernel_ridge`
    weights : (n,) s, not all 0

    Examples
    --------
    >>> X, y, weights = [[1.0], [2.0], [9.0]], [1.0, 2.0, 0.0], [1.0, 1.0, 0.0]
    >>> fit = kernel_methods.weighted_kernel_ridge(X, y, weights, kernels.Linear(), 5.0)
    >>> fit.predict([[4.0]]).round(6)
    array([2.])
    """
    X = check_kernel(kernel).check(X)
    y, penalty = check_targets(y, len(X)), check_positive(penalty, "penalty")
    on, s = _weighed(weights, len(X))
    Z, t, alpha = X[on], y[on], np.zeros(len(X))
    centre, middle = (centre_of(kernel, Z), middle_of(t)) if offset else (None, 0.0)
    K = checked_gram(kernel, Z if centre is None else Z - centre)
    p = s / s.sum()
    if offset:
        mean = K @ p
        inner = K - mean - mean[:, None] + p @ mean
        first = t[0] - middle
        near = (t - middle) - first
        found = _solve_ridge(inner, near - p @ near, penalty / s)
        found = _balanced(found - found.sum() * p, centre)
        b = float(first + p @ (near - K @ found))
    else:
        found, b = _solve_ridge(K, t, penalty / s), 0.0
    alpha[on] = found
    place = centre, middle
    proof = _judge(kernel, Z, K, t, penalty, found, b if offset else None, place, s)
    return _fit(kernel, X, alpha, b, penalty, proof, *place, s)


def _weighed(weights: ArrayLike, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the examples that weigh something, and their weights, or say what is wrong."""
    s = check_vector(weights, n, "weights")
    if s.min() < 0 or s.max() == 0:
        raise BadArgument("weights must be numbers >= 0, and one of them above 0.")
    on = np.flatnonzero(s)
    return on, s[on]


def _judge(kernel, X, K, y, penalty, alpha, b, place, weights=None) -> RidgeCertificate:
    """Return the certificate; small cases that rounding leaves open are judged in fractions."""
    centre, middle = place
    rounding = rounding_at(kernel, X, centre)
    options: dict[str, Any] = {"weights": weights, "middle": middle}
    proof = ridge_certificate(K, y, penalty, alpha, b, rounding=rounding, **options)
    if proof.verdict != "undecided" or len(y) > EXACT_SIZE or not kernel.valid:
        return proof
    exact = kernel.exact(X if centre is None else fractions(X) - fractions(centre))
    if exact is None:
        return proof
    return ridge_certificate(exact, y, penalty, alpha, b, rounding=0.0, **options)


def _solve_ridge(K: np.ndarray, y: np.ndarray, penalty: float | np.ndarray) -> np.ndarray:
    """Solve (K + penalty I) alpha = y, with two steps of iterative refinement, or until none helps.

    `penalty` is one number, or one per example.
    """
    solve = _solver(K, penalty)
    with np.errstate(over="ignore", invalid="ignore"):
        alpha = solve(y)
        for _ in range(2):
            left = y - K @ alpha - penalty * alpha
            if np.abs(left).max() <= SOLVED * np.abs(y).max():
                break
            alpha = alpha + solve(left)
    if not np.abs(alpha).max() <= LARGEST:
        raise BadArgument(
            f"The penalty {np.min(penalty):g} is lost in rounding beside a K of size "
            f"{np.abs(K).max():.1g}: scale X."
        )
    return alpha


def _solver(K: np.ndarray, penalty: float | np.ndarray):
    try:
        lifted = K.copy()
        lifted[np.diag_indices(len(K))] += penalty
        factors = cho_factor(lifted.T, overwrite_a=True)  # LAPACK's order, so it copies nothing
        return lambda t: cho_solve(factors, t, check_finite=False)
    except LinAlgError:  # the penalty is lost in the rounding of K
        unit = np.sqrt(penalty / np.min(penalty))  # K + penalty = unit (K / unit^2 + least) unit
        values, V = np.linalg.eigh(K / (unit[:, None] * unit) if np.ndim(unit) else K)
        divided = np.maximum(values, 0.0) + np.min(penalty)
        return lambda t: V @ ((V.T @ (t / unit)) / divided) / unit
