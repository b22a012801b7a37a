"""What the estimators share: checks, labels, the kernel that a parameter names."""

import warnings
from numbers import Integral
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags, check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from .. import multiclass
from ..conventions import add_constant, sign
from ..kernels import Gaussian, Kernel, Linear, Polynomial

_KERNELS = {
    "linear": lambda sigma, degree: Linear(),
    "poly": lambda sigma, degree: Polynomial(degree),
    "gaussian": lambda sigma, degree: Gaussian(sigma),
}


class Classifier(ClassifierMixin, BaseEstimator):
    """What all classifiers share; a subclass says how to `_train` on labels -1, +1."""

    _sparse = False  #: the format of sparse examples, where a method takes them

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Train on examples (n, d) and n labels of any kind."""
        X, y = validate_data(self, X, y, accept_sparse=self._sparse)
        check_classification_targets(y)
        self.classes_ = np.unique(y)
        X = self._examples(X)
        if len(self.classes_) == 2:
            self.machine_ = self._train(X, multiclass.signed(y == self.classes_[1]))
        else:
            self.machine_ = multiclass.one_vs_rest(X, y, self._train)
        warn_if_unproved(self, getattr(self.machine_, "machines", (self.machine_,)))
        return self

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Return the scores: (n,), > 0 for ``classes_[1]``; (n, k) for more than two classes."""
        X = self._new(X)
        return self.machine_.decision(X)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the label of each row of X; at a score of 0, the larger of two."""
        X = self._new(X)
        if len(self.classes_) > 2:
            return self.machine_.predict(X)
        return self.classes_[(sign(self.machine_.decision(X)) > 0).astype(int)]

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = bool(self._sparse)
        return tags

    def _new(self, X: ArrayLike) -> np.ndarray:
        return self._examples(checked(self, X, accept_sparse=self._sparse))

    def _examples(self, X: np.ndarray) -> np.ndarray:
        """Return the examples with the constant feature 1 where an offset is asked for."""
        return add_constant(X) if getattr(self, "fit_intercept", False) else X


class Regressor(RegressorMixin, BaseEstimator):
    """What both regressors share; a subclass says how to `_train`."""

    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Train on examples (n, d) and n numbers."""
        X, y = validate_data(self, X, y, y_numeric=True)
        self.machine_ = self._train(X, y)
        warn_if_unproved(self, (self.machine_,))
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return f(x) for each row of X."""
        X = checked(self, X)
        return self.machine_.predict(X)


def warn_if_unproved(estimator: BaseEstimator, machines: tuple) -> None:
    """Warn, as scikit-learn does, where an answer is not what was asked for."""
    unproved = [machine for machine in machines if not _finished(estimator, machine)]
    if unproved:
        proof = getattr(unproved[0], "certificate", None)
        why = "its last pass made mistakes"
        if proof is not None:
            why = getattr(proof, "reason", proof.verdict)

        warnings.warn(
            f"{type(estimator).__name__} did not converge on {len(unproved)} of {len(machines)} "
            f"problems; the first: {why}. Scale the features to similar sizes, lower C, or allow "
            "more iterations.",
            ConvergenceWarning,
            stacklevel=3,
        )


def _finished(estimator: BaseEstimator, machine: object) -> bool:
    """Return whether an answer is proved; of a perceptron, whether its last pass was clean."""
    proof = getattr(machine, "certificate", None)
    if proof is None:  # averaged and voted ones make as many passes as they are told
        return not hasattr(estimator, "max_epochs") or machine.converged
    return proof.holds


def checked(
    estimator: BaseEstimator, X: ArrayLike, *, accept_sparse: str | bool = False
) -> np.ndarray:
    """Return new examples as an array with the features of the training examples."""
    check_is_fitted(estimator)
    return validate_data(estimator, X, reset=False, accept_sparse=accept_sparse)


def kernel_of(estimator: BaseEstimator) -> Kernel:
    """Return the kernel that the estimator's parameters name."""
    kernel = estimator.kernel
    if isinstance(kernel, Kernel):
        return kernel
    if not isinstance(kernel, str) or kernel not in _KERNELS:
        names = ", ".join(f'"{name}"' for name in _KERNELS)
        raise ValueError(f"kernel must be one of {names} or a kernels.Kernel, not {kernel!r}.")
    return _KERNELS[kernel](estimator.sigma, estimator.degree)


def rng_of(estimator: BaseEstimator) -> int | None:
    """Return the seed for the orders of a perceptron; None: as given."""
    return seed_of(estimator.random_state) if estimator.shuffle else None


def seed_of(random_state: int | np.random.RandomState | None) -> int:
    """Return a seed for the library: the one that is given, or one drawn as scikit-learn does."""
    if isinstance(random_state, Integral):
        return int(random_state)
    return int(check_random_state(random_state).randint(2**31 - 1))
