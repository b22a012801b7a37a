"""The perceptrons as estimators; `estimators` exports them."""

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import validate_data

from .. import fast, multiclass, perceptron
from .._arguments import BadArgument, explained
from .._doubles import refuse_rounded
from .._result import with_fields
from ..kernels import Kernel
from .base import Classifier, WithPlane
from .parameters import WithKernel, WithOrders, kernel_of, rng_of


class _LinearPerceptron(WithPlane, Classifier):
    """A perceptron on the features themselves, which can go on learning."""

    _keeps_sparse = True

    def _scores(self, X: np.ndarray) -> np.ndarray:
        if not sparse.issparse(X):
            return super()._scores(X)
        scores = X @ np.column_stack([run.w for run in self._machines])
        return scores if len(self.classes_) > 2 else scores[:, 0]

    @property
    def _constant(self) -> bool:
        return bool(self.fit_intercept)

    @explained
    def partial_fit(self, X: ArrayLike, y: ArrayLike, classes: ArrayLike | None = None) -> Self:
        """Make one more pass, over these examples, from the weights that were learnt so far.

        The first call names all `classes`, unless y has them all.
        """
        first = not hasattr(self, "machine_")
        refuse_rounded(X=X)
        X, y = validate_data(self, X, y, reset=first, accept_sparse=self._sparse)
        check_classification_targets(y)
        if first:
            self.classes_ = np.unique(y if classes is None else classes)
        if unknown := set(np.unique(y)) - set(self.classes_):
            raise BadArgument(f"Unknown classes {unknown}: name all of them in the first call.")
        if len(self.classes_) < 2:
            raise BadArgument("One class is not enough: name all classes in the first call.")
        X, own = self._old(X), self.classes_[1:] if len(self.classes_) == 2 else self.classes_
        before = (None,) * len(own) if first else self._machines
        runs = [self._go_on(X, multiclass.signed(y == c), run) for c, run in zip(own, before)]
        two = len(self.classes_) == 2
        self.machine_ = runs[0] if two else multiclass.OneVsRest(self.classes_, tuple(runs))
        return self


@dataclass(eq=False, repr=False)
class _EpochClassifier(WithOrders, Classifier):
    """A perceptron that makes a given number of passes."""

    epochs: int = 10


@dataclass(eq=False, repr=False)
class Perceptron(WithOrders, _LinearPerceptron):
    """The perceptron, cycling until a pass makes no mistake.

    Parameters
    ----------
    max_epochs : int
        Passes at most.
    patience : int or None
        Give up after this many passes with no fewer mistakes than before: nothing may separate the
        classes. None: never.
    fit_intercept : bool
        Learn an offset, as the weight of a constant feature 1.
    shuffle : bool
        See the examples in a new order in each pass.
    random_state : int, RandomState or None
        The seed of these orders.
    """

    max_epochs: int = 100
    _: KW_ONLY
    patience: int | None = 5

    def _train(self, X: np.ndarray, y: np.ndarray) -> perceptron.PerceptronRun:
        options: dict[str, Any] = {"rng": rng_of(self), "patience": self.patience}
        return fast.perceptron(X, y, max_epochs=self.max_epochs, **options)

    def _go_on(self, X, y, run: perceptron.PerceptronRun | None) -> perceptron.PerceptronRun:
        start = None if run is None else run.w
        return fast.perceptron(X, y, max_epochs=1, rng=rng_of(self), start=start)


class AveragedPerceptron(_LinearPerceptron, _EpochClassifier):
    """The averaged perceptron: the mean of the weights after each example.

    Parameters
    ----------
    epochs : int
        Passes over the examples.
    fit_intercept : bool
        Learn an offset, as the weight of a constant feature 1.
    shuffle : bool
        See the examples in a new order in each pass.
    random_state : int, RandomState or None
        The seed of these orders.
    """

    def _train(self, X: np.ndarray, y: np.ndarray) -> perceptron.AveragedRun:
        return fast.averaged_perceptron(X, y, epochs=self.epochs, rng=rng_of(self))

    def _go_on(self, X, y, run: perceptron.AveragedRun | None) -> perceptron.AveragedRun:
        start = None if run is None else run.w_last
        more = fast.averaged_perceptron(X, y, rng=rng_of(self), start=start)
        if run is None:
            return more
        seen, new = run.counts.sum(), len(y)  # the counts add up to the examples seen
        mean = (seen * run.w + new * more.w) / (seen + new)
        counts = np.append(run.counts, more.counts)
        return with_fields(more, w=mean, counts=counts, epochs=run.epochs + 1)


class VotedPerceptron(_EpochClassifier):
    """The voted perceptron: all hypotheses vote, each as often as it survived an example.

    Parameters
    ----------
    epochs : int
        Passes over the examples.
    fit_intercept : bool
        Learn an offset, as the weight of a constant feature 1.
    shuffle : bool
        See the examples in a new order in each pass.
    random_state : int, RandomState or None
        The seed of these orders.
    """

    @property
    def _constant(self) -> bool:
        return bool(self.fit_intercept)

    def _train(self, X: np.ndarray, y: np.ndarray) -> perceptron.VotedRun:
        return perceptron.voted_perceptron(X, y, epochs=self.epochs, rng=rng_of(self))


@dataclass(eq=False, repr=False)
class KernelPerceptron(WithKernel, WithOrders, Classifier):
    """The kernel perceptron, cycling until a pass makes no mistake.

    Parameters
    ----------
    kernel : {"gaussian" or "rbf", "poly", "linear", "precomputed"}, Kernel or function
        The kernel; a function takes two tables and returns the block of their values.
    sigma : float
        The width of "gaussian".
    degree : int
        The degree of "poly".
    max_epochs : int
        Passes at most.
    fit_intercept : bool
        Append a constant feature 1 to the examples (a Gaussian does not see it).
    shuffle : bool
        See the examples in a new order in each pass.
    random_state : int, RandomState or None
        The seed of these orders.
    """

    kernel: str | Kernel = "gaussian"
    _: KW_ONLY
    max_epochs: int = 100

    @property
    def _constant(self) -> bool:
        return bool(self.fit_intercept) and not self._precomputed

    def _train(self, X: np.ndarray, y: np.ndarray) -> perceptron.KernelRun:
        options: dict[str, Any] = {"max_epochs": self.max_epochs, "rng": rng_of(self)}
        return perceptron.kernel_perceptron(X, y, kernel_of(self), **options)
