"""Kernel principal components with their certificate; `kernel_methods` exports them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import eigvalsh

from .conventions import RTOL, check_count
from .kernels import Kernel, centred

#: Eigenvalues below this, relative to the trace of K, are rounding.
ROUNDING = 1e-12


@dataclass(frozen=True)
class PCACertificate:
    """These are eigenpairs, and there are none larger."""

    residual: float  #: the largest norm(K v - value v), K centred
    skew: float  #: the largest entry of V'V - I: the v are orthonormal
    left: float  #: the largest eigenvalue of K - V diag(values) V': what was left behind
    least: float  #: the least of the values: nothing left behind may exceed it
    tolerance: float  #: what counts as rounding, for these examples

    @property
    def holds(self) -> bool:
        """All of it up to rounding."""
        exact = self.residual <= self.tolerance and self.skew <= RTOL
        return exact and self.left <= self.least + self.tolerance


@dataclass(frozen=True, eq=False)
class KernelPCA:
    """Principal components in phi-space, in order of their variance."""

    kernel: Kernel
    X: np.ndarray  #: (n, d) the training examples
    K: np.ndarray  #: (n, n) their Gram matrix, which holds the mean that new points are centred by
    values: np.ndarray  #: (m,) the largest eigenvalues of the centred Gram matrix
    V: np.ndarray  #: (n, m) their unit eigenvectors; the first largest entry is positive
    explained: np.ndarray  #: (m,) each component's share of the total variance
    certificate: PCACertificate

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
        return centred(self.kernel(X, self.X), self.K) @ (self.V / np.sqrt(self.values))


def kernel_pca(X: ArrayLike, kernel: Kernel, components: int | None = None) -> KernelPCA:
    """Return the directions of phi-space in which the examples vary most, through K alone.

    `components` may not exceed the rank, the number of directions in which they vary at all;
    None asks for that many. Equal variances leave their components free to turn.
    """
    X = kernel.check(X)
    K = kernel.gram(X, X)
    Kc = centred(K)
    values, V = np.linalg.eigh(Kc)
    m = _components(components, values, ROUNDING * float(np.trace(K)))
    largest = np.arange(len(K))[::-1][:m]  # eigh sorts upwards
    values, V = values[largest], _with_signs(V[:, largest])
    proof = pca_certificate(K, values, V)
    return KernelPCA(kernel, X, K, values, V, values / np.trace(Kc), proof)


def pca_certificate(K: ArrayLike, values: ArrayLike, V: ArrayLike) -> PCACertificate:
    """Judge eigenpairs of the centred Gram matrix: exact, orthonormal, and the largest."""
    K, values, V = (np.asarray(a, dtype=float) for a in (K, values, V))
    n = len(K)
    H = np.eye(n) - 1 / n  # takes the mean off
    Kc = H @ K @ H
    rest = Kc - (V * values) @ V.T
    return PCACertificate(
        residual=float(np.linalg.norm(Kc @ V - V * values, axis=0).max()),
        skew=float(np.abs(V.T @ V - np.eye(V.shape[1])).max()),
        left=float(eigvalsh(rest, subset_by_index=[n - 1, n - 1])[0]),
        least=float(values.min()),
        tolerance=float(RTOL * np.trace(Kc) + ROUNDING * np.trace(K)),
    )


def _components(components: int | None, values: np.ndarray, tolerance: float) -> int:
    """Return how many components to keep, of which the eigenvalues must be above `tolerance`."""
    rank = int((values > tolerance).sum())
    if values[0] < -max(tolerance, RTOL * values[-1]):
        raise ValueError(
            f"K has the eigenvalue {values[0]:.4g} < 0: no kernel (ask kernels.psd_certificate)."
        )
    if rank == 0:
        raise ValueError("All examples are the same in phi-space: there is nothing to project on.")
    if check_count(rank if components is None else components, "components") > rank:
        raise ValueError(
            f"The examples vary in {rank} directions of phi-space: components must be <= {rank}."
        )
    return rank if components is None else int(components)


def _with_signs(V: np.ndarray) -> np.ndarray:
    """Turn each column so that its first entry of largest size is positive: the sign is free."""
    sizes = np.abs(V)
    first = np.argmax(sizes >= (1 - 1e-6) * sizes.max(axis=0), axis=0)
    return np.where(V[first, np.arange(V.shape[1])] < 0, -V, V)
