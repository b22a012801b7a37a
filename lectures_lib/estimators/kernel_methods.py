"""Regression, clusters and components in phi-space as estimators; `estimators` exports them."""

from dataclasses import KW_ONLY, dataclass
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import (
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    TransformerMixin,
)
from sklearn.utils.validation import check_array, check_is_fitted, validate_data

from .. import fast, kernel_methods
from .._arguments import BadArgument, explained
from .._doubles import refuse_rounded
from .._jit import COMPILED
from ..conventions import check_count
from ..kernel_methods.pca import TooFewDirections
from ..kernels import centre_of
from .base import PerTarget, Regressor, Shell, read_only, warn_if_unproved
from .parameters import WithKernel, kernel_of, seed_of


@dataclass(eq=False, repr=False)
class SupportVectorRegression(WithKernel, Regressor):
    """Support vector regression: errors up to epsilon are free.

    Parameters
    ----------
    C : float
        The price of an error beyond epsilon.
    epsilon : float
        Half the width of the tube.
    kernel : {"gaussian" or "rbf", "poly", "linear", "precomputed"}, Kernel or function
        The kernel; a function takes two tables and returns the block of their values.
    sigma : float
        The width of "gaussian".
    degree : int
        The degree of "poly".
    """

    C: float = 1.0
    _: KW_ONLY
    epsilon: float = 0.1

    @explained
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train on examples (n, d), n numbers and perhaps n weights >= 0 of the price C."""
        return self._fit(X, y, sample_weight)

    def _train(self, X, y, weight: np.ndarray | None = None) -> kernel_methods.SVRMachine:
        C, kernel = self.C if weight is None else self.C * weight, kernel_of(self)
        return fast.regression(X, y, C, self.epsilon, kernel)

    @property
    def coef_(self) -> np.ndarray:
        """The weights, (1, d), of a linear kernel."""
        check_is_fitted(self)
        if self.machine_.w is None:
            raise AttributeError('coef_ is there only for kernel="linear".')
        return read_only(self.machine_.w[None].copy())

    @property
    def intercept_(self) -> np.ndarray:
        """The offset, (1,)."""
        check_is_fitted(self)
        return np.array([self.machine_.b])

    @property
    def support_(self) -> np.ndarray:
        """The numbers of the examples with beta != 0."""
        check_is_fitted(self)
        own = self.machine_.support
        return own if self._kept is None else self._kept[own]

    @property
    def support_vectors_(self) -> np.ndarray:
        """Those examples; none for "precomputed"."""
        check_is_fitted(self)
        own = self.machine_.X[self.machine_.support]
        return own[:, :0] if self._precomputed else own

    @property
    def dual_coef_(self) -> np.ndarray:
        """beta of each of them, (1, m)."""
        check_is_fitted(self)
        return read_only(self.machine_.beta[None, self.machine_.support])

    @property
    def n_support_(self) -> np.ndarray:
        """How many they are, (1,)."""
        return np.array([len(self.support_)])


@dataclass(eq=False, repr=False)
class KernelRidge(WithKernel, Regressor):
    """Ridge regression in phi-space.

    Parameters
    ----------
    penalty : float
        The price of norm(w)^2.
    kernel : {"gaussian" or "rbf", "poly", "linear", "precomputed"}, Kernel or function
        The kernel; a function takes two tables and returns the block of their values.
    sigma : float
        The width of "gaussian".
    degree : int
        The degree of "poly".
    fit_intercept : bool
        Learn an offset, free of charge.

    The targets may be several, (n, k): then ``machine_.machines`` has one answer for each.
    """

    _several_targets = True

    penalty: float = 1.0
    _: KW_ONLY
    fit_intercept: bool = True

    @explained
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train on examples (n, d), n numbers and perhaps n weights >= 0 of the squared errors."""
        return self._fit(X, y, sample_weight)

    def _train(self, X, y, weight: np.ndarray | None = None) -> kernel_methods.RidgeFit:
        problem = X, y, *([] if weight is None else [weight]), kernel_of(self), self.penalty
        way = "kernel_ridge" if weight is None else "weighted_kernel_ridge"
        return getattr(kernel_methods, way)(*problem, offset=self.fit_intercept)

    @property
    def dual_coef_(self) -> np.ndarray:
        """alpha, (n,), or (n, k) of several targets; 0 where an example had the weight 0."""
        check_is_fitted(self)
        if isinstance(self.machine_, PerTarget):
            found = np.column_stack([fit.alpha for fit in self.machine_.machines])
        else:
            found = self.machine_.alpha
        whole = np.zeros((self._examples, *found.shape[1:]))
        whole[slice(None) if self._kept is None else self._kept] = found
        return read_only(whole)


@dataclass(eq=False, repr=False)
class KernelKMeans(WithKernel, ClusterMixin, Shell):
    """k-means in phi-space, the best of several starts.

    Parameters
    ----------
    n_clusters : int
        The number of clusters.
    kernel : {"gaussian" or "rbf", "poly", "linear", "precomputed"}, Kernel or function
        The kernel; a function takes two tables and returns the block of their values.
    sigma : float
        The width of "gaussian".
    degree : int
        The degree of "poly".
    n_init : int
        Starts, of which the best is kept.
    max_iterations : int
        Steps at most from each start.
    random_state : int, RandomState or None
        The seed of the starts.
    """

    n_clusters: int = 8
    _: KW_ONLY
    n_init: int = 10
    max_iterations: int = 300
    random_state: int | np.random.RandomState | None = 0

    @explained
    def fit(self, X: ArrayLike, y: None = None) -> Self:
        """Cluster the examples (n, d)."""
        k = check_count(self.n_clusters, "n_clusters")
        refuse_rounded(X=X)
        X = validate_data(self, X, ensure_min_samples=k, accept_sparse=self._sparse)
        X = self._old(X)
        options: dict[str, Any] = {"restarts": self.n_init, "max_iterations": self.max_iterations}
        kernel, options["rng"] = kernel_of(self), seed_of(self.random_state)
        if COMPILED:
            centre = centre_of(kernel, X)
            options["solver"] = partial(fast.lloyd, rows=None if centre is None else X - centre)
        self.machine_ = kernel_methods.kernel_kmeans(X, kernel, k, **options)
        self.labels_ = self.machine_.labels
        self.inertia_ = float(self.machine_.objectives[-1])
        self.n_iter_ = len(self.machine_.objectives)
        warn_if_unproved(self, (self.machine_,))
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the cluster of the nearest mean for each row of X."""
        X = self._new(X)
        return self.machine_.predict(X)


@dataclass(eq=False, repr=False)
class KernelPCA(WithKernel, ClassNamePrefixFeaturesOutMixin, TransformerMixin, Shell):
    """Principal components in phi-space.

    Parameters
    ----------
    n_components : int or None
        Components to keep; None keeps all directions in which the examples vary. Where they vary in
        fewer directions than asked for, the columns that are left hold 0.
    kernel : {"gaussian" or "rbf", "poly", "linear", "precomputed"}, Kernel or function
        The kernel; a function takes two tables and returns the block of their values.
    sigma : float
        The width of "gaussian".
    degree : int
        The degree of "poly".
    penalty : float
        The price of norm(w)^2 in the regression of `inverse_transform`.
    """

    n_components: int | None = None
    _: KW_ONLY
    penalty: float = 1e-3

    @explained
    def fit(self, X: ArrayLike, y: None = None) -> Self:
        """Find the components of the examples (n, d)."""
        refuse_rounded(X=X)
        X = validate_data(self, X, ensure_min_samples=2, accept_sparse=self._sparse)
        X = self._old(X)
        try:
            self.machine_ = kernel_methods.kernel_pca(X, kernel_of(self), self.n_components)
        except TooFewDirections:
            self.machine_ = kernel_methods.kernel_pca(X, kernel_of(self))
        warn_if_unproved(self, (self.machine_,))
        return self

    def transform(self, X: ArrayLike) -> np.ndarray:
        """Return the projections of each row of X on the components."""
        X = self._new(X)
        return self._filled(self.machine_.transform(X))

    def _filled(self, columns: np.ndarray) -> np.ndarray:
        """Return as many columns as were asked for: 0 where the examples do not vary."""
        missing = self._n_features_out - columns.shape[-1]
        return np.pad(columns, [(0, 0)] * (columns.ndim - 1) + [(0, missing)])

    @property
    def eigenvalues_(self) -> np.ndarray:
        """The eigenvalues of the centred Gram matrix that are kept; 0 for a column of zeros."""
        check_is_fitted(self)
        return self._filled(self.machine_.values)

    def inverse_transform(self, scores: ArrayLike) -> np.ndarray:
        """Return examples whose projections are near to these, learnt from the training examples.

        Not every point of phi-space is some phi(x). So the way back is ridge regression of x on
        the scores, with the same kernel (Bakir, Weston, Schoelkopf 2004); `penalty` is its price.
        """
        check_is_fitted(self)
        if self._precomputed:
            raise BadArgument("Of a precomputed kernel no examples are known to go back to.")
        scores, own = check_array(scores), self._filled(self.machine_.scores)
        kernel = kernel_of(self)
        back = [
            kernel_methods.kernel_ridge(own, x, kernel, self.penalty, offset=True)
            for x in self.machine_.X.T
        ]
        return np.column_stack([machine.predict(scores) for machine in back])

    @property
    def _n_features_out(self) -> int:
        return len(self.machine_.values) if self.n_components is None else int(self.n_components)
