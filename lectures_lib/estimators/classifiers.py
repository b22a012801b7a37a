"""The support vector machines as estimators; `estimators` exports them."""

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils.validation import check_is_fitted

from .. import fast, multiclass
from .base import Classifier, WithPlane, WithWeights, read_only
from .parameters import WithKernel, WithOrders, kernel_of, rng_of


@dataclass(eq=False, repr=False)
class SVM(WithKernel, WithPlane, WithWeights, Classifier):
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

    C: float = 1.0
    _: KW_ONLY
    loss: str = "hinge"
    tol: float = 1e-3
    class_weight: dict | str | None = None
    multiclass: str = "one_vs_rest"

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
        machine = fast.svm(X, y, C, kernel_of(self), loss=self.loss, tol=self.tol)
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


@dataclass(eq=False, repr=False)
class LinearSVM(WithOrders, WithPlane, WithWeights, Classifier):
    """The linear support vector machine by `fast.linear`, for dense and sparse examples.

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

    C: float = 1.0
    _: KW_ONLY
    loss: str = "hinge"
    tol: float = 1e-4
    max_epochs: int = 1000
    class_weight: dict | str | None = None

    def _train(self, X: np.ndarray, y: np.ndarray, weight: np.ndarray | None = None):
        options: dict[str, Any] = {
            "tol": self.tol,
            "max_epochs": self.max_epochs,
            "rng": rng_of(self),
        }
        options |= {"loss": self.loss, "constant": 1.0 if self.fit_intercept else 0.0}
        return fast.linear(X, y, self.C if weight is None else self.C * weight, **options)
