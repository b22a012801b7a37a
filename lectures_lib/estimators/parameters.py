"""The parameters that several estimators have, and what their values mean.

An estimator is a dataclass: its parameters are declared once, and the `__init__` that scikit-learn
reads, with every parameter by name, is written by Python.
"""

from dataclasses import KW_ONLY, dataclass
from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state

from .. import fast
from .._arguments import BadArgument
from ..kernels import Gaussian, Given, Kernel, Linear, Polynomial, Tables

_KERNELS = {
    "linear": lambda sigma, degree: Linear(),
    "poly": lambda sigma, degree: Polynomial(degree),
    "gaussian": lambda sigma, degree: Gaussian(sigma),
    "rbf": lambda sigma, degree: Gaussian(sigma),
    "precomputed": lambda sigma, degree: Given(),
}


@dataclass(eq=False, repr=False)
class WithKernel:
    """A kernel, by its name with a width or a degree, or as it is."""

    _: KW_ONLY
    kernel: str | Kernel = "gaussian"
    sigma: float = 1.0
    degree: int = 3


@dataclass(eq=False, repr=False)
class WithOrders:
    """Passes over the examples in new orders, with or without an offset."""

    _: KW_ONLY
    fit_intercept: bool = True
    shuffle: bool = True
    random_state: int | np.random.RandomState | None = 0


def kernel_of(estimator: BaseEstimator) -> Kernel:
    """Return the kernel that the estimator's parameters name."""
    kernel = estimator.kernel
    if isinstance(kernel, Kernel):
        return fast.kernel(kernel)
    if callable(kernel):
        return Tables(kernel, getattr(kernel, "__name__", "k(X, Z)"))
    if not isinstance(kernel, str) or kernel not in _KERNELS:
        names = ", ".join(f'"{name}"' for name in _KERNELS)
        raise BadArgument(
            f"kernel must be one of {names}, a kernels.Kernel, or a function of two tables that "
            f"returns the block of their kernel values; not {kernel!r}."
        )
    return fast.kernel(_KERNELS[kernel](estimator.sigma, estimator.degree))


def rng_of(estimator: BaseEstimator) -> int | None:
    """Return the seed for the orders of a perceptron; None: as given."""
    return seed_of(estimator.random_state) if estimator.shuffle else None


def seed_of(random_state: int | np.random.RandomState | None) -> int:
    """Return a seed for the library: the one that is given, or one drawn as scikit-learn does."""
    if isinstance(random_state, Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))


def with_constant(X: np.ndarray) -> np.ndarray:
    """Return what `conventions.add_constant` does, for examples that were checked."""
    if sparse.issparse(X):
        return _thin_with_constant(X)
    longer = np.empty((len(X), X.shape[1] + 1))
    longer[:, :-1], longer[:, -1] = X, 1.0
    return longer


def _thin_with_constant(X: Any) -> sparse.csr_matrix:
    """Return sparse rows with one entry more, the last of each."""
    (n, d), start = X.shape, X.indptr + np.arange(X.shape[0] + 1, dtype=X.indptr.dtype)
    data, places, own = np.ones(X.nnz + n), np.full(X.nnz + n, d, X.indices.dtype), start[1:] - 1
    given = np.ones(len(data), dtype=bool)
    given[own] = False
    data[given], places[given] = X.data, X.indices
    return sparse.csr_matrix((data, places, start), shape=(n, d + 1))
