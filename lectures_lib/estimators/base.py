"""What the estimators share: checks, labels, weights."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Self, TypeGuard

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags, compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from .. import multiclass
from .._arguments import BadArgument, explained
from .._doubles import refuse_rounded
from ..conventions import DOUBLE, sign
from ..fast.threads import one_thread
from ..kernels import Given
from .parameters import with_constant

#: Sparse examples of kernel methods are made dense up to this many bytes.
DENSE = 2**31


class Shell(BaseEstimator):
    """What every estimator does with examples: dense rows, or rows of values for "precomputed"."""

    _sparse = "csr"  #: the format of sparse examples
    _keeps_sparse = False  #: the method works on them as they are

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = bool(self._sparse)
        tags.input_tags.pairwise = self._precomputed
        return tags

    @property
    def _precomputed(self) -> bool:
        return isinstance(getattr(self, "kernel", None), str) and self.kernel == "precomputed"

    def _old(self, X: np.ndarray) -> np.ndarray:
        """Return training examples as the lecture's function takes them."""
        if self._precomputed:
            return Given.rows(dense(X))
        return self._with_constant(X if self._keeps_sparse else dense(X))

    def _new(self, X: ArrayLike) -> np.ndarray:
        """Return new examples likewise."""
        X = checked(self, X, accept_sparse=self._sparse)
        if self._precomputed:
            return Given.rows(dense(X), self.n_features_in_)
        return self._with_constant(X if self._keeps_sparse else dense(X))

    def _with_constant(self, X: np.ndarray) -> np.ndarray:
        """Return the examples with the constant feature 1 where an offset is asked for."""
        return with_constant(X) if self._constant else X

    @property
    def _constant(self) -> bool:
        return False


class Classifier(ClassifierMixin, Shell):
    """What all classifiers share; a subclass says how to `_train` on labels -1, +1."""

    @explained
    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Train on examples (n, d) and n labels of any kind."""
        return self._fit(X, y, None)

    def _fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None) -> Self:
        X, y = checked_pair(self, X, y, accept_sparse=self._sparse)
        weight, kept = self._weights(X, y, sample_weight)
        self.classes_ = np.unique(y)
        X, y = self._old(X), y if kept is None else y[kept]
        X = X if kept is None else X[kept]
        self._kept, present = kept, self.classes_ if kept is None else np.unique(y)
        if lost := set(self.classes_) - set(present):
            raise BadArgument(f"All weights of the class {lost} are 0.")
        self.machine_ = self._trained(X, y, weight)
        warn_if_unproved(self, self._machines)
        return self

    def _trained(self, X, y, weight):
        """Return the machine of two classes, or those of each class against the rest."""
        train = self._train if weight is None else lambda X, y: self._train(X, y, weight)
        if len(self.classes_) == 2:
            return train(X, multiclass.signed(y == self.classes_[1]))
        with one_thread():  # to ask for it costs time, and each class would ask
            return multiclass.one_vs_rest(X, y, train)

    def _weights(self, X, y, sample_weight) -> tuple[np.ndarray | None, np.ndarray | None]:
        """Return the examples' weights, and which have one: None where all weigh the same."""
        of_classes = getattr(self, "class_weight", None)
        if sample_weight is None and of_classes is None:
            return None, None
        weight = checked_weights(sample_weight, X)
        classes, codes = np.unique(y, return_inverse=True)
        weight = weight * compute_class_weight(of_classes, classes=classes, y=y)[codes]
        return positive(weight)

    @property
    def _machines(self) -> tuple:
        return getattr(self.machine_, "machines", (self.machine_,))

    @property
    def n_iter_(self) -> int:
        """The passes or steps of the solver, the most of any machine."""
        check_is_fitted(self)
        return max(1, *(_rounds(machine) for machine in self._machines))

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Return the scores: (n,), > 0 for ``classes_[1]``; (n, k) for more than two classes."""
        X = self._new(X)
        return self._scores(X)

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the label of each row of X; at a score of 0, the larger of two."""
        X = self._new(X)
        scores = self._scores(X)
        if len(self.classes_) > 2:
            return self.classes_[np.argmax(scores, axis=1)]
        return self.classes_[(sign(scores) > 0).astype(int)]

    def _scores(self, X: np.ndarray) -> np.ndarray:
        """Return the scores of checked examples, (n,) or (n, k)."""
        return self.machine_.decision(X)


def _rounds(machine: object) -> int:
    found = (getattr(machine, name, None) for name in ("epochs", "iterations"))
    return int(next((number for number in found if number is not None), 1))


class WithWeights:
    """A classifier whose slack costs C times the weight of its example."""

    _fit: Callable[..., Self]  # of the classifier that it is mixed with

    @explained
    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Self:
        """Train on examples (n, d), n labels of any kind and perhaps n weights >= 0."""
        return self._fit(X, y, sample_weight)


class WithPlane:
    """A classifier that has weights for features: ``coef_`` and ``intercept_``."""

    _machines: Any  # of the classifier that it is mixed with
    _constant: Any

    @property
    def coef_(self) -> np.ndarray:
        """The weights, (1, d); for more than two classes (k, d)."""
        check_is_fitted(self)
        planes: list[Any] = [self._plane(machine)[0] for machine in self._machines]
        if planes[0] is None:
            raise AttributeError('coef_ is there only for kernel="linear".')
        return read_only(np.vstack(planes))

    @property
    def intercept_(self) -> np.ndarray:
        """The offsets, (1,); for more than two classes (k,)."""
        check_is_fitted(self)
        return np.array([self._plane(machine)[1] for machine in self._machines])

    def _plane(self, machine: Any) -> tuple[np.ndarray | None, float]:
        if self._constant:
            return machine.w[:-1], float(machine.w[-1])
        return machine.w, float(getattr(machine, "b", 0.0))


class Regressor(RegressorMixin, Shell):
    """What both regressors share; a subclass says how to `_train`."""

    machine_: Any

    _several_targets = False  #: y may be (n, k)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.single_output = not self._several_targets
        tags.target_tags.multi_output = self._several_targets
        return tags

    @explained
    def fit(self, X: ArrayLike, y: ArrayLike) -> Self:
        """Train on examples (n, d) and n numbers."""
        return self._fit(X, y, None)

    def _fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None) -> Self:
        options = {"accept_sparse": self._sparse, "multi_output": self._several_targets}
        X, y = checked_targets(self, X, y, **options)
        weight, self._kept, self._examples = None, None, len(y)
        if sample_weight is not None:
            weight, self._kept = positive(checked_weights(sample_weight, X))
        X, y = (a if self._kept is None else a[self._kept] for a in (self._old(X), y))
        train = self._train if weight is None else partial(self._train, weight=weight)
        one = y.ndim == 1
        self.machine_ = train(X, y) if one else PerTarget(tuple(train(X, t) for t in y.T))
        warn_if_unproved(self, getattr(self.machine_, "machines", (self.machine_,)))
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return f(x) for each row of X."""
        X = self._new(X)
        return self.machine_.predict(X)


@dataclass(frozen=True, eq=False)
class PerTarget:
    """One machine for each column of targets, each with its proof."""

    machines: tuple

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the answer of each machine, (n, k)."""
        return np.column_stack([machine.predict(X) for machine in self.machines])


def read_only(table: np.ndarray) -> np.ndarray:
    """Return an array that refuses to be written to: the machine would not notice."""
    table.flags.writeable = False
    return table


def dense(X: Any) -> np.ndarray:
    """Return sparse examples as an array, where it fits: kernel methods look at whole rows."""
    if not sparse.issparse(X):
        return X
    size = 8 * X.shape[0] * X.shape[1]
    if size > DENSE:
        raise BadArgument(
            f"These sparse examples would take {size / 2**30:.0f} GB as a dense array. LinearSVM "
            "takes them as they are; for a kernel, reduce the features first."
        )
    return X.toarray()


def warn_if_unproved(estimator: BaseEstimator, machines: tuple) -> None:
    """Warn, as scikit-learn does, where an answer is not what was asked for."""
    unproved = [machine for machine in machines if not _finished(estimator, machine)]
    if unproved:
        proof = getattr(unproved[0], "certificate", None)
        why = "its last pass made mistakes"
        if proof is not None:
            why = getattr(proof, "reason", proof.verdict)

        known = vars(estimator)
        lower = ", lower C" if "C" in known else ""
        more = known.keys() & {"max_epochs", "max_iterations"}
        allow = f", or raise {min(more)}" if more else ""
        warnings.warn(
            f"{type(estimator).__name__} did not converge on {len(unproved)} of {len(machines)} "
            f"problems; the first: {why}. Scale the features to similar sizes{lower}{allow}.",
            ConvergenceWarning,
            stacklevel=4,
        )


def _finished(estimator: BaseEstimator, machine: Any) -> bool:
    """Return whether an answer is proved; of a perceptron, whether its last pass was clean."""
    proof = getattr(machine, "certificate", None)
    if proof is None:  # averaged and voted ones make as many passes as they are told
        return not hasattr(estimator, "max_epochs") or machine.converged
    return proof.holds


def checked_pair(
    estimator: BaseEstimator, X: ArrayLike, y: ArrayLike, **options: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Return training examples and labels, or say what is wrong with them, as scikit-learn does.

    Of tables of floats beside whole numbers or words its checks say nothing, and take their time.
    """
    if is_table(X) and _are_labels(y, len(X)):
        return validate_data(estimator, X, y, skip_check_array=True, **options)
    refuse_rounded(X=X)
    X, y = validate_data(estimator, X, y, **options)
    check_classification_targets(y)
    return X, y


def checked_targets(
    estimator: BaseEstimator, X: ArrayLike, y: ArrayLike, **options: Any
) -> tuple[np.ndarray, np.ndarray]:
    """Return training examples and numbers, likewise."""
    plain = is_table(X) and type(y) is np.ndarray and y.dtype is DOUBLE and y.shape == (len(X),)
    plain = plain and bool(np.isfinite(y).all())
    refuse_rounded(X=X, y=y)
    return validate_data(estimator, X, y, y_numeric=True, skip_check_array=plain, **options)


def is_table(X: Any) -> TypeGuard[np.ndarray]:
    """Return whether X is a table of finite floats: nothing about it is to be changed."""
    if type(X) is not np.ndarray or X.dtype is not DOUBLE or X.ndim != 2 or not X.size:
        return False
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(X.sum()))  # or so large that scikit-learn may look


def _are_labels(y: Any, n: int) -> bool:
    """Return whether y is an array of n labels, words or whole numbers."""
    if type(y) is not np.ndarray or y.shape != (n,):
        return False
    with np.errstate(invalid="ignore"):
        if y.dtype.kind not in "iubU" and (y.dtype is not DOUBLE or (y % 1.0).any()):
            return False
    return 2 * len(np.unique(y)) <= n  # else scikit-learn has a warning to give


def checked(
    estimator: BaseEstimator, X: ArrayLike, *, accept_sparse: str | bool = False
) -> np.ndarray:
    """Return new examples as an array with the features of the training examples."""
    check_is_fitted(estimator)
    plain = is_table(X)
    return validate_data(
        estimator, X, reset=False, accept_sparse=accept_sparse, skip_check_array=plain
    )


def checked_weights(sample_weight: ArrayLike | None, X: np.ndarray) -> np.ndarray:
    """Return one weight >= 0 for each example, of which one is not 0."""
    return _check_sample_weight(sample_weight, X, dtype=float, ensure_non_negative=True)


def positive(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """Return the weights > 0, and where they are; None: everywhere."""
    kept = np.flatnonzero(weight)
    return weight[kept], None if len(kept) == len(weight) else kept
