"""scikit-learn's signatures over `lectures_lib.estimators`, for scikit-learn's own tests.

An adapter translates names (gamma to sigma, alpha to penalty, max_iter to max_epochs) and
containers, and answers nothing itself; no answer comes from scikit-learn's code. What we do not
have raises `NotOffered`. Switches of a solver that do not change the problem are let pass.
"""

import numbers
from functools import partial

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin, TransformerMixin
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from lectures_lib import estimators
from lectures_lib.kernels import Constant, Function, Gaussian, Linear

#: What happened in the test that runs: the plugin empties and reads it.
CALLED: set[str] = set()
ASKED: list[str] = []


class NotOffered(NotImplementedError):
    """A test asks for something that our estimators do not have."""

    def __init__(self, what: str) -> None:
        ASKED.append(what)
        super().__init__(what)


def _ours(name: str, *, as_data: bool = False) -> property:
    """Return a field that is read from our estimator, sparse if the data were and `as_data`."""

    def read(self):
        value = getattr(self._model, name)
        return sparse.csr_matrix(value) if as_data and self._was_sparse else value

    return property(read)


class Adapter(BaseEstimator):
    """What all share: our estimator as ``model_``, refusals, sparse answers for sparse data."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = getattr(self, "kernel", None) == "precomputed"
        return tags

    def _refuse(self) -> None:
        """Raise NotOffered for parameters that ours does not have."""

    def _translated(self, X) -> BaseEstimator:
        """Return our estimator with these parameters."""
        raise NotImplementedError

    def fit(self, X, y=None, **weights):
        CALLED.add(type(self).__name__)
        self._refuse()
        if not sparse.issparse(X) and np.asarray(X).dtype.kind in "OUS":
            raise NotOffered("examples that are no rows of numbers")
        weights = {name: value for name, value in weights.items() if value is not None}
        self._was_sparse = sparse.issparse(X)
        self.model_ = self._translated(X).fit(X, y, **weights)
        self.n_features_in_ = self.model_.n_features_in_
        return self

    @property
    def _model(self):
        check_is_fitted(self, "model_")
        return self.model_

    def predict(self, X):
        return self._model.predict(X)


def _refuse_unless(given: object, ours: object, name: str) -> None:
    if given is not ours and given != ours:
        raise NotOffered(f"{name}={given!r}")


def _gamma_of(gamma, X) -> float:
    """Return the number that gamma stands for."""
    if isinstance(gamma, numbers.Real):
        return float(gamma)
    d = X.shape[1] if hasattr(X, "shape") else len(X[0])
    if gamma == "scale":
        spread = (X.toarray() if sparse.issparse(X) else np.asarray(X, dtype=float)).var()
        return 1.0 / (d * spread) if spread > 0 else 1.0
    return 1.0 / d  # "auto" and None


def _kernel_of(name, gamma: float, coef0: float, degree: int):
    """Return our kernel for scikit-learn's name and numbers."""
    if name == "linear":
        return "linear"
    if name == "rbf":
        return Gaussian(1.0 / np.sqrt(2.0 * gamma))
    if name == "poly":
        inner = gamma * Linear()
        return (inner if coef0 == 0 else inner + Constant(coef0)) ** degree
    if name == "cosine":
        return Linear().normalised()
    if name == "precomputed" or callable(name):
        return name
    raise NotOffered(f"kernel={name!r}")


class _Libsvm(Adapter):
    """What SVC and SVR share."""

    def _kernel(self, X):
        self._gamma = _gamma_of(self.gamma, X) if self.kernel in ("rbf", "poly") else 0.0
        return _kernel_of(self.kernel, self._gamma, self.coef0, self.degree)

    def fit(self, X, y, sample_weight=None):
        return super().fit(X, y, sample_weight=sample_weight)

    coef_ = _ours("coef_", as_data=True)
    dual_coef_ = _ours("dual_coef_", as_data=True)
    support_vectors_ = _ours("support_vectors_", as_data=True)
    intercept_ = _ours("intercept_")
    support_ = _ours("support_")
    n_support_ = _ours("n_support_")


class SVC(ClassifierMixin, _Libsvm):
    """`estimators.SVM`, one machine for each pair of classes."""

    def __init__(
        self, *, C=1.0, kernel="rbf", degree=3, gamma="scale", coef0=0.0, shrinking=True,
        probability="deprecated", tol=1e-3, cache_size=200, class_weight=None, verbose=False,
        max_iter=-1, decision_function_shape="ovr", break_ties=False, random_state=None,
    ):  # fmt: skip
        self.C, self.kernel, self.degree, self.gamma = C, kernel, degree, gamma
        self.coef0, self.shrinking, self.probability, self.tol = coef0, shrinking, probability, tol
        self.cache_size, self.class_weight, self.verbose = cache_size, class_weight, verbose
        self.max_iter, self.decision_function_shape = max_iter, decision_function_shape
        self.break_ties, self.random_state = break_ties, random_state
        self._refuse()

    def _refuse(self):
        _refuse_unless(self.probability, "deprecated", "probability")
        _refuse_unless(self.max_iter, -1, "max_iter")

    def _translated(self, X):
        options = {"tol": self.tol, "class_weight": self.class_weight}
        kernel = self._kernel(X)
        return estimators.SVM(self.C, kernel=kernel, multiclass="one_vs_one", **options)

    classes_ = _ours("classes_")

    @property
    def n_iter_(self):
        machine = self._model.machine_
        return np.array([m.iterations for m in getattr(machine, "machines", (machine,))])

    def decision_function(self, X):
        if self.decision_function_shape == "ovo" and len(self.classes_) > 2:
            return self._model.pair_decisions(X)
        return self._model.decision_function(X)

    @property
    def probA_(self):
        raise NotOffered("probA_")


class SVR(RegressorMixin, _Libsvm):
    """`estimators.SupportVectorRegression`."""

    def __init__(
        self, *, kernel="rbf", degree=3, gamma="scale", coef0=0.0, tol=1e-3, C=1.0, epsilon=0.1,
        shrinking=True, cache_size=200, verbose=False, max_iter=-1,
    ):  # fmt: skip
        self.kernel, self.degree, self.gamma, self.coef0 = kernel, degree, gamma, coef0
        self.tol, self.C, self.epsilon, self.shrinking = tol, C, epsilon, shrinking
        self.cache_size, self.verbose, self.max_iter = cache_size, verbose, max_iter
        self._refuse()

    def _refuse(self):
        _refuse_unless(self.max_iter, -1, "max_iter")
        _refuse_unless(self.tol, 1e-3, "tol")
        if self.C == np.inf:
            raise NotOffered("C=inf in regression")

    def _translated(self, X):
        options = {"epsilon": self.epsilon, "kernel": self._kernel(X)}
        return estimators.SupportVectorRegression(self.C, **options)

    @property
    def n_iter_(self):
        raise NotOffered("n_iter_ of the regression")


class LinearSVC(ClassifierMixin, Adapter):
    """`estimators.LinearSVM`."""

    def __init__(
        self, penalty="l2", loss="squared_hinge", *, dual="auto", tol=1e-4, C=1.0,
        multi_class="ovr", fit_intercept=True, intercept_scaling=1, class_weight=None, verbose=0,
        random_state=None, max_iter=1000,
    ):  # fmt: skip
        self.penalty, self.loss, self.dual, self.tol, self.C = penalty, loss, dual, tol, C
        self.multi_class, self.fit_intercept = multi_class, fit_intercept
        self.intercept_scaling, self.class_weight = intercept_scaling, class_weight
        self.verbose, self.random_state, self.max_iter = verbose, random_state, max_iter
        self._refuse()

    def _refuse(self):
        _refuse_unless(self.penalty, "l2", "penalty")
        _refuse_unless(self.multi_class, "ovr", "multi_class")
        _refuse_unless(self.intercept_scaling, 1, "intercept_scaling")

    def fit(self, X, y, sample_weight=None):
        return super().fit(X, y, sample_weight=sample_weight)

    def _translated(self, X):
        options = {"loss": self.loss, "fit_intercept": self.fit_intercept, "tol": self.tol}
        options |= {"max_epochs": self.max_iter, "random_state": self.random_state}
        return estimators.LinearSVM(self.C, class_weight=self.class_weight, **options)

    classes_ = _ours("classes_")
    coef_ = _ours("coef_")

    @coef_.setter
    def coef_(self, value):
        raise NotOffered("writing coef_")

    intercept_ = _ours("intercept_")
    n_iter_ = _ours("n_iter_")

    def decision_function(self, X):
        return self._model.decision_function(X)

    def sparsify(self):
        raise NotOffered("sparsify")


class Perceptron(ClassifierMixin, Adapter):
    """`estimators.Perceptron`; where tol is None it never gives up."""

    def __init__(
        self, *, penalty=None, alpha=1e-4, l1_ratio=0.15, fit_intercept=True, max_iter=1000,
        tol=1e-3, shuffle=True, verbose=0, eta0=1.0, n_jobs=None, random_state=0,
        early_stopping=False, validation_fraction=0.1, n_iter_no_change=5, class_weight=None,
        warm_start=False,
    ):  # fmt: skip
        self.penalty, self.alpha, self.l1_ratio = penalty, alpha, l1_ratio
        self.fit_intercept, self.max_iter, self.tol, self.shuffle = (
            fit_intercept, max_iter, tol, shuffle,
        )  # fmt: skip
        self.verbose, self.eta0, self.n_jobs, self.random_state = (
            verbose, eta0, n_jobs, random_state,
        )  # fmt: skip
        self.early_stopping, self.validation_fraction = early_stopping, validation_fraction
        self.n_iter_no_change, self.class_weight = n_iter_no_change, class_weight
        self.warm_start = warm_start
        self._refuse()

    def _refuse(self):
        ours = {"penalty": None, "eta0": 1.0, "early_stopping": False}
        for name, value in (ours | {"class_weight": None, "warm_start": False}).items():
            _refuse_unless(getattr(self, name), value, name)

    def _translated(self, X):
        options = {"fit_intercept": self.fit_intercept, "shuffle": self.shuffle}
        options |= {"patience": None if self.tol is None else self.n_iter_no_change}
        return estimators.Perceptron(self.max_iter, random_state=self.random_state, **options)

    classes_ = _ours("classes_")
    coef_ = _ours("coef_")
    intercept_ = _ours("intercept_")

    def decision_function(self, X):
        return self._model.decision_function(X)


def _pairwise_kernel(adapter, X):
    """Return the kernel of KernelRidge and KernelPCA, whose functions take two rows."""
    adapter.gamma_ = _gamma_of(adapter.gamma, X)
    if callable(adapter.kernel):
        return Function(partial(adapter.kernel, **(adapter.kernel_params or {})))
    return _kernel_of(adapter.kernel, adapter.gamma_, adapter.coef0, adapter.degree)


class KernelRidge(RegressorMixin, Adapter):
    """`estimators.KernelRidge` without an offset."""

    def __init__(
        self, alpha=1, *, kernel="linear", gamma=None, degree=3, coef0=1, kernel_params=None
    ):
        self.alpha, self.kernel, self.gamma, self.degree = alpha, kernel, gamma, degree
        self.coef0, self.kernel_params = coef0, kernel_params

    def fit(self, X, y, sample_weight=None):
        return super().fit(X, y, sample_weight=sample_weight)

    def _refuse(self):
        if np.ndim(self.alpha) == 0 and self.alpha == 0:
            raise NotOffered("alpha=0")
        if np.ndim(self.alpha) == 1:
            raise NotOffered("one alpha per target")

    def _translated(self, X):
        kernel = _pairwise_kernel(self, X)
        return estimators.KernelRidge(self.alpha, kernel=kernel, fit_intercept=False)

    dual_coef_ = _ours("dual_coef_")


class KernelPCA(TransformerMixin, Adapter):
    """`estimators.KernelPCA`; the eigenvalues are always those of the whole matrix."""

    def __init__(
        self, n_components=None, *, kernel="linear", gamma=None, degree=3, coef0=1,
        kernel_params=None, alpha=1.0, fit_inverse_transform=False, eigen_solver="auto", tol=0,
        max_iter=None, iterated_power="auto", remove_zero_eig=False, random_state=None,
        copy_X=True, n_jobs=None,
    ):  # fmt: skip
        self.n_components, self.kernel, self.gamma, self.degree = (
            n_components, kernel, gamma, degree,
        )  # fmt: skip
        self.coef0, self.kernel_params, self.alpha = coef0, kernel_params, alpha
        self.fit_inverse_transform, self.eigen_solver = fit_inverse_transform, eigen_solver
        self.tol, self.max_iter, self.iterated_power = tol, max_iter, iterated_power
        self.remove_zero_eig, self.random_state = remove_zero_eig, random_state
        self.copy_X, self.n_jobs = copy_X, n_jobs
        self._refuse()

    def _refuse(self):
        _refuse_unless(self.remove_zero_eig, False, "remove_zero_eig")

    def _translated(self, X):
        kernel = _pairwise_kernel(self, X)
        return estimators.KernelPCA(self.n_components, kernel=kernel, penalty=self.alpha)

    def transform(self, X):
        return self._model.transform(X)

    def inverse_transform(self, X):
        if not self.fit_inverse_transform:
            raise NotFittedError("fit_inverse_transform is off.")
        return self._model.inverse_transform(X)

    def get_feature_names_out(self, names=None):
        return self._model.get_feature_names_out(names)

    eigenvalues_ = _ours("eigenvalues_")

    @property
    def eigenvectors_(self):
        return self._model.machine_.V
