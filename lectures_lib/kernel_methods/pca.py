"""Kernel principal components with their certificate; `kernel_methods` exports them."""

from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse.linalg import ArpackError, LinearOperator, eigsh

from .._arguments import BadArgument, explained
from .._result import SEAL, Result
from ..conventions import OneLine, check_count
from ..kernels import Kernel, centre_of, centred, check_kernel, checked_gram, rounding_at
from ..proof.pca import PCACertificate, pca_certificate

#: Eigenvalues below this, relative to the trace of K, are rounding.
ROUNDING = 1e-12
#: Of more than LANCZOS examples few eigenvectors are sought alone: one per ROWS_EACH rows.
LANCZOS, ROWS_EACH = 200, 20
#: Components beyond those asked for that the proof looks at, tried in turn; the largest residual
#: that Lanczos may leave, relative to their values.
MORE, LANCZOS_TOL = (12, 24), 1e-8

#: Values and vectors of a matrix.
Pairs = tuple[np.ndarray, np.ndarray]


class TooFewDirections(ValueError):
    """More components are asked for than there are directions in which the examples vary."""


@dataclass(frozen=True, eq=False, repr=False)
class PCAFit(OneLine, Result):
    """Principal components in phi-space, in order of their variance."""

    kernel: Kernel
    X: np.ndarray  #: (n, d) the training examples
    K: np.ndarray  #: (n, n) their Gram matrix, which holds the mean that new points are centred by
    values: np.ndarray  #: (m,) the largest eigenvalues of the centred Gram matrix
    V: np.ndarray  #: (n, m) their unit eigenvectors; the first largest entry is positive
    explained: np.ndarray  #: (m,) each component's share of the total variance
    certificate: PCACertificate
    centre: np.ndarray | None = None  #: (d,) the mean of X, taken off first where the kernel is x.z

    @property
    def variances(self) -> np.ndarray:
        """The mean squared projection on each component: value / n."""
        return self.values / len(self.K)

    @property
    def scores(self) -> np.ndarray:
        """The projections of the training examples, (n, m): sqrt(value) v."""
        return self.V * np.sqrt(self.values)

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Return the projections of each row of X, less the training mean, on the m components.

        A component is sum_i v_i (phi(x_i) - mean) / sqrt(value), a unit vector of phi-space.
        """
        X, own = self.kernel.check(X), self.X
        if self.centre is not None:
            X, own = X - self.centre, own - self.centre
        return centred(self.kernel(X, own), self.K) @ (self.V / np.sqrt(self.values))

    def rejudge(self) -> "PCAFit":
        """Judge values and V anew, for its own X and kernel; all else follows from them.

        Examples
        --------
        >>> from dataclasses import replace
        >>> X = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 1.0], [2.0, 1.0]])
        >>> fit = kernel_methods.kernel_pca(X, kernels.Linear())
        >>> replace(fit, values=2 * fit.values).rejudge().certificate.verdict
        'refuted'
        """
        X = check_kernel(self.kernel).check(self.X)
        centre = centre_of(self.kernel, X)
        K = checked_gram(self.kernel, X if centre is None else X - centre)
        more = _leading(K, len(self.values))[1]
        return _fit(self.kernel, X, K, self.values, self.V, centre, more)


@explained
def kernel_pca(X: ArrayLike, kernel: Kernel, components: int | None = None) -> PCAFit:
    """Return the directions of phi-space in which the examples vary most, through K alone.

    `components` may not exceed the rank, the number of directions in which they vary at all;
    None asks for that many. Equal variances leave their components free to turn.

    Parameters
    ----------
    X : examples that the kernel takes
    kernel : a kernel of `kernels` or `discrete`
    components : how many directions; None: all there are

    Examples
    --------
    >>> X = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 1.0], [2.0, 1.0]])
    >>> kernel_methods.kernel_pca(X, kernels.Linear()).explained.round(6)
    array([0.8, 0.2])
    """
    X = check_kernel(kernel).check(X)
    centre = centre_of(kernel, X)
    K = checked_gram(kernel, X if centre is None else X - centre)
    found = _few(kernel, X, K, components, centre)
    if found is not None:
        return found
    values, V = np.linalg.eigh(centred(K))  # which sorts upwards
    m = _components(components, values, ROUNDING * float(np.trace(K)), X)
    return _fit(kernel, X, K, values[::-1][:m], V[:, ::-1][:, :m], centre)


def _few(kernel: Kernel, X, K, components: int | None, centre) -> PCAFit | None:
    """Return few components, sought alone; None: they are not proved, or not few."""
    m = 0 if components is None else check_count(components, "components")
    (values, V), more = _leading(K, m)
    if not len(values) or values[-1] <= ROUNDING * np.trace(K):
        return None
    found = _fit(kernel, X, K, values, V, centre, more)
    return found if found.certificate.holds else None


def _leading(K: np.ndarray, m: int) -> tuple[Pairs, Pairs]:
    """Return m pairs, sought alone, and some that follow, for the proof; none where n is small.

    Lanczos' method may miss one of several equal values.
    """
    n, start = len(K), np.cos(np.arange(len(K)) ** 2)
    values, V = np.zeros(0), np.zeros((n, 0))
    if n > LANCZOS and 0 < ROWS_EACH * m <= n:
        inner = LinearOperator(K.shape, lambda v: _less_mean(K @ _less_mean(v)), dtype=float)
        means = K.mean(axis=0)
        whole = np.vdot(K, K) - 2 * n * (means @ means) + (n * means.mean()) ** 2  # norm(Kc)^2
        with suppress(ArpackError):
            for more in MORE:
                values, V = eigsh(inner, m + more, which="LA", v0=start, tol=LANCZOS_TOL)
                values, V = values[::-1], V[:, ::-1]
                short = whole - values @ values - values[m - 1] ** 2  # above 0: more are needed
                if not 0 < short < (MORE[-1] - more) * values[0] ** 2:
                    break
    return (values[:m], V[:, :m]), (values[m:], V[:, m:])


def _less_mean(v: np.ndarray) -> np.ndarray:
    return v - v.mean()


def _fit(kernel: Kernel, X, K, values, V, centre, more: Pairs | None = None) -> PCAFit:
    """Return components with their proof, which may look at the pairs that follow."""
    values, V = values.copy(), _with_signs(V)
    rounding = rounding_at(kernel, X, centre)
    proof = pca_certificate(K, values, V, rounding=rounding, more=more)
    total = (K.diagonal() - K.mean(axis=0)).sum()  # the trace of the centred matrix
    return PCAFit(kernel, X, K, values, V, values / total, proof, centre, _seal=SEAL)


def _components(components: int | None, values: np.ndarray, tolerance: float, X) -> int:
    """Return how many components to keep, of which the eigenvalues must be above `tolerance`."""
    rank = int((values > tolerance).sum())
    if rank == 0 and all(np.array_equal(x, X[0]) for x in X):
        raise BadArgument("All examples are the same in phi-space: there is nothing to project on.")
    if rank == 0:
        raise BadArgument(
            "The examples do not vary in phi-space, or their variation is lost in rounding: "
            "centre or scale them first."
        )
    if check_count(rank if components is None else components, "components") > rank:
        raise TooFewDirections(
            f"The examples vary in {rank} directions of phi-space: components must be <= {rank}."
        )
    return rank if components is None else int(components)


def _with_signs(V: np.ndarray) -> np.ndarray:
    """Turn each column so that its first entry of largest size is positive: the sign is free."""
    sizes = np.abs(V)
    first = np.argmax(sizes >= (1 - 1e-6) * sizes.max(axis=0), axis=0)
    return np.where(V[first, np.arange(V.shape[1])] < 0, -V, V)
