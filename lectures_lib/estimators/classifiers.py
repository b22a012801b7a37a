"""The perceptrons and support vector machines as estimators; `estimators` exports them."""

from dataclasses import replace
from typing import Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from .. import linear, multiclass, perceptron, svm
from ..kernels import Kernel
from .base import Classifier, WithPlane, WithWeights, kernel_of, read_only, rng_of

#: Up to so many examples the Gram matrix is kept whole and the answer polished; else rows of it.
WHOLE = 200


class _LinearPerceptron(WithPlane, Classifier):
    """A perceptron on the features themselves, which can go on learning."""

    @property
    def _constant(self) -> bool:
        return bool(self.fit_intercept)

    def partial_fit(self, X: ArrayLike, y: ArrayLike, classes: ArrayLike | None = None) -> Self:
        """Make one more pass, over these examples, from the weights that were learnt so far.

        The first call names all `classes`, unless y has them all.
        """
        first = not hasattr(self, "machine_")
        X, y = validate_data(self, X, y, reset=first, accept_sparse=self._sparse)
        check_classification_targets(y)
        if first:
            self.classes_ = np.unique(y if classes is None else classes)
        if unknown := set(np.unique(y)) - set(self.classes_):
            raise ValueError(f"Unknown classes {unknown}: name all of them in the first call.")
        if len(self.classes_) < 2:
            raise ValueError("One class is not enough: name all classes in the first call.")
        X, own = self._old(X), self.classes_[1:] if len(self.classes_) == 2 else self.classes_
        before = (None,) * len(own) if first else self._machines
        runs = [self._go_on(X, multiclass.signed(y == c), run) for c, run in zip(own, before)]
        two = len(self.classes_) == 2
        self.machine_ = runs[0] if two else multiclass.OneVsRest(self.classes_, tuple(runs))
        return self


class _EpochClassifier(Classifier):
    """A perceptron that makes a given number of passes."""

    def __init__(
        self,
        epochs: int = 10,
        *,
        fit_intercept: bool = True,
        shuffle: bool = True,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.epochs = epochs
        self.fit_intercept = fit_intercept
        self.shuffle = shuffle
        self.random_state = random_state


class Perceptron(_LinearPerceptron):
    """The perceptron, cycling until a pass makes no mistake.

    Parameters
    ----------
    max_epochs : int
        Passes at most.
    patience : int or None
        Give up after so many passes with no fewer mistakes than before: nothing may separate the
        classes. None: never.
    fit_intercept : bool
        Learn an offset, as the weight of a constant feature 1.
    shuffle : bool
        See the examples in a new order in each pass.
    random_state : int, RandomState or None
        The seed of these orders.
    """

    def __init__(
        self,
        max_epochs: int = 100,
        *,
        patience: int | None = 5,
        fit_intercept: bool = True,
        shuffle: bool = True,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.max_epochs = max_epochs
        self.patience = patience
        self.fit_intercept = fit_intercept
        self.shuffle = shuffle
        self.random_state = random_state

    def _train(self, X: np.ndarray, y: np.ndarray) -> perceptron.PerceptronRun:
        options = {"rng": rng_of(self), "patience": self.patience, "history": False}
        return perceptron.perceptron(X, y, max_epochs=self.max_epochs, **options)

    def _go_on(self, X, y, run: perceptron.PerceptronRun | None) -> perceptron.PerceptronRun:
        start = None if run is None else run.w
        options = {"rng": rng_of(self), "start": start, "history": False}
        return perceptron.perceptron(X, y, max_epochs=1, **options)


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
        return perceptron.averaged_perceptron(X, y, epochs=self.epochs, rng=rng_of(self))

    def _go_on(self, X, y, run: perceptron.AveragedRun | None) -> perceptron.AveragedRun:
        start = None if run is None else run.w_last
        more = perceptron.averaged_perceptron(X, y, rng=rng_of(self), start=start)
        if run is None:
            return more
        seen, new = run.counts.sum(), len(y)  # the counts add up to the examples seen
        mean = (seen * run.w + new * more.w) / (seen + new)
        counts = np.append(run.counts, more.counts)
        return replace(more, w=mean, counts=counts, epochs=run.epochs + 1)


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


class KernelPerceptron(Classifier):
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

    def __init__(
        self,
        kernel: str | Kernel = "gaussian",
        *,
        sigma: float = 1.0,
        degree: int = 3,
        max_epochs: int = 100,
        fit_intercept: bool = True,
        shuffle: bool = True,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.kernel = kernel
        self.sigma = sigma
        self.degree = degree
        self.max_epochs = max_epochs
        self.fit_intercept = fit_intercept
        self.shuffle = shuffle
        self.random_state = random_state

    @property
    def _constant(self) -> bool:
        return bool(self.fit_intercept) and not self._precomputed

    def _train(self, X: np.ndarray, y: np.ndarray) -> perceptron.KernelRun:
        options = {"max_epochs": self.max_epochs, "rng": rng_of(self)}
        return perceptron.kernel_perceptron(X, y, kernel_of(self), **options)


class SVM(WithPlane, WithWeights, Classifier):
    """The kernel support vector machine with a free offset, by SMO.

    Parameters
    ----------
    C : float
        The price of slack; inf is the hard margin.
    loss : {"hinge", "squared_hinge"}
        Whether slack costs C xi or C xi^2.
    kernel : {"gaussian" or "rbf", "poly", "linear", "precomputed"}, Kernel or function
        The kernel; a function takes two tables and returns the block of their values.
    sigma : float
        The width of "gaussian".
    degree : int
        The degree of "poly".
    tol : float
        The relative duality gap to be proved.
    class_weight : dict, "balanced" or None
        What the price of slack is multiplied by for each class.
    multiclass : {"one_vs_rest", "one_vs_one"}
        Of more than two classes: a machine for each of them, or for each pair of them.
    """

    def __init__(
        self,
        C: float = 1.0,
        *,
        loss: str = "hinge",
        kernel: str | Kernel = "gaussian",
        sigma: float = 1.0,
        degree: int = 3,
        tol: float = 1e-3,
        class_weight: dict | str | None = None,
        multiclass: str = "one_vs_rest",
    ) -> None:
        self.C = C
        self.loss = loss
        self.kernel = kernel
        self.sigma = sigma
        self.degree = degree
        self.tol = tol
        self.class_weight = class_weight
        self.multiclass = multiclass

    def _trained(self, X, y, weight):
        if self.multiclass not in ("one_vs_rest", "one_vs_one"):
            raise ValueError(
                f'multiclass must be "one_vs_rest" or "one_vs_one", not {self.multiclass!r}.'
            )
        self._codes, every = np.searchsorted(self.classes_, y), np.arange(len(y))
        if self.multiclass == "one_vs_rest" or len(self.classes_) == 2:
            self._rows = (every,) * len(self.classes_)
            return super()._trained(X, y, weight)
        machine = multiclass.one_vs_one(
            every,
            y,
            lambda rows, s: self._train(X[rows], s, None if weight is None else weight[rows]),
        )
        self._rows = tuple(np.flatnonzero(np.isin(self._codes, pair)) for pair in machine.pairs)
        return machine

    def decision_function(self, X: ArrayLike) -> np.ndarray:
        """Return the scores: (n,), > 0 for ``classes_[1]``; (n, k) for more than two classes.

        Of pairs they are votes and, as less than half a vote, the sum of the pairs' scores.
        """
        X = self._new(X)
        if isinstance(self.machine_, multiclass.OneVsOne):
            return self.machine_.scores(X)
        return self.machine_.decision(X)

    def pair_decisions(self, X: ArrayLike) -> np.ndarray:
        """Return the score of each pair's first class against its second, (n, k (k - 1) / 2)."""
        X = self._new(X)
        if not isinstance(self.machine_, multiclass.OneVsOne):
            raise ValueError('There are no pairs: they need multiclass="one_vs_one" and 3 classes.')
        return self.machine_.decision(X)

    def _train(self, X: np.ndarray, y: np.ndarray, weight: np.ndarray | None = None):
        C = self.C if weight is None else self.C * weight
        train = svm.train if len(y) <= WHOLE else svm.train_fast
        machine = train(X, y, C, kernel_of(self), loss=self.loss, tol=self.tol)
        if not machine.separable:
            raise ValueError("With C = inf the classes must be separable: choose a finite C.")
        return machine

    @property
    def _used(self) -> np.ndarray:
        """The rows with alpha > 0 in some machine, class after class."""
        check_is_fitted(self)
        found = [rows[machine.support] for rows, machine in zip(self._rows, self._machines)]
        used = np.unique(np.concatenate(found))
        return used[np.argsort(self._codes[used], kind="stable")]

    @property
    def support_(self) -> np.ndarray:
        """The numbers of the examples with alpha > 0 in some machine, class after class."""
        return self._used if self._kept is None else self._kept[self._used]

    @property
    def support_vectors_(self) -> np.ndarray:
        """Those examples; none for "precomputed"."""
        used, X = self._used, self._machines[0].X
        table = np.zeros((len(self._codes), X.shape[1]))
        for rows, machine in zip(self._rows, self._machines):
            table[rows[machine.support]] = machine.X[machine.support]
        return table[used, :0] if self._precomputed else table[used]

    @property
    def dual_coef_(self) -> np.ndarray:
        """alpha y of each machine (row) and each of them (column)."""
        table = np.zeros((len(self._machines), len(self._codes)))
        for row, rows, machine in zip(table, self._rows, self._machines):
            row[rows] = machine.alpha * machine.y
        return read_only(table[:, self._used])

    @property
    def n_support_(self) -> np.ndarray:
        """How many of them each class has."""
        return np.bincount(self._codes[self._used], minlength=len(self.classes_))


class LinearSVM(WithPlane, WithWeights, Classifier):
    """The linear support vector machine by `linear.fast`, for dense and sparse examples.

    Parameters
    ----------
    C : float
        The price of slack.
    loss : {"hinge", "squared_hinge"}
        Whether slack costs C xi or C xi^2.
    fit_intercept : bool
        Learn an offset, as the weight of a constant feature 1; it is penalised like the others.
    tol : float
        Stop at this relative duality gap.
    max_epochs : int
        Passes at most.
    shuffle : bool
        See the examples in a new order in each pass.
    random_state : int, RandomState or None
        The seed of these orders.
    class_weight : dict, "balanced" or None
        What the price of slack is multiplied by for each class.
    """

    _keeps_sparse = True

    def __init__(
        self,
        C: float = 1.0,
        *,
        loss: str = "hinge",
        fit_intercept: bool = True,
        tol: float = 1e-4,
        max_epochs: int = 1000,
        shuffle: bool = True,
        random_state: int | np.random.RandomState | None = 0,
        class_weight: dict | str | None = None,
    ) -> None:
        self.C = C
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_epochs = max_epochs
        self.shuffle = shuffle
        self.random_state = random_state
        self.class_weight = class_weight

    def _train(self, X: np.ndarray, y: np.ndarray, weight: np.ndarray | None = None):
        options = {"tol": self.tol, "max_epochs": self.max_epochs, "rng": rng_of(self)}
        options |= {"loss": self.loss, "constant": 1.0 if self.fit_intercept else 0.0}
        return linear.fast(X, y, self.C if weight is None else self.C * weight, **options)
