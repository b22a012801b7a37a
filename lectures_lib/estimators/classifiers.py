"""The support vector machines as estimators; `estimators` exports them."""

from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from .. import fast, multiclass
from .._arguments import BadArgument
from .._result import with_fields
from ..fast.several import Decider, machines
from ..fast.sparse_machines import sparse_svm
from ..fast.threads import one_thread
from ..kernels import Linear
from ..svm import SVMachine
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
        machine = self._by_classes(X, y, weight)
        self._decider = Decider(self._rows, getattr(machine, "machines", (machine,)))
        return machine

    def _by_classes(self, X, y, weight):
        """Return the machine of two classes, or those of several."""
        if self.multiclass not in ("one_vs_rest", "one_vs_one"):
            raise BadArgument(
                f'multiclass must be "one_vs_rest" or "one_vs_one", not {self.multiclass!r}.'
            )
        self._codes, every = np.searchsorted(self.classes_, y), np.arange(len(y))
        self._rows = (every,) * len(self.classes_)
        if len(self.classes_) <= 2:
            return super()._trained(X, y, weight)
        C: Any = self.C if weight is None else self.C * weight
        order = every
        if self.multiclass == "one_vs_one":  # the part of two classes then lies in four blocks of K
            order = np.argsort(self._codes, kind="stable")
            X, C = X[order], C if weight is None else C[order]
        way: Any = getattr(multiclass, self.multiclass)
        found = way(every, y[order], lambda rows, s: (rows, s))
        self._rows = tuple(order[rows] for rows, _ in found.machines)
        options: dict[str, Any] = {"loss": self.loss, "tol": self.tol}
        with one_thread():  # a second one waits between products so small
            solved = machines(X, C, kernel_of(self), found.machines, len(self.classes_), **options)
        return with_fields(found, machines=tuple(map(_separated, solved)))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the label of each row of X; at a score of 0, the larger of two.

        Of pairs: the class with most votes, and of those the one with the largest sum of scores.
        """
        if isinstance(getattr(self, "machine_", None), multiclass.OneVsOne):
            return self.machine_.predict_of(self.pair_decisions(X))
        return super().predict(X)

    def _scores(self, X: np.ndarray) -> np.ndarray:
        """Return one score per class; of pairs votes and, as less than half a vote, their sum."""
        D = self._decider(X)
        if isinstance(self.machine_, multiclass.OneVsOne):
            return self.machine_.scores_of(D)
        return D if len(self.classes_) > 2 else D[:, 0]

    def pair_decisions(self, X: ArrayLike) -> np.ndarray:
        """Return the score of each pair's first class against its second, (n, k (k - 1) / 2)."""
        X = self._new(X)
        if not isinstance(self.machine_, multiclass.OneVsOne):
            raise BadArgument(
                'There are no pairs: they need multiclass="one_vs_one" and 3 classes.'
            )
        return self._decider(X)

    def _train(self, X: np.ndarray, y: np.ndarray, weight: np.ndarray | None = None):
        C = self.C if weight is None else self.C * weight
        if sparse.issparse(X):
            return sparse_svm(X, y, C, loss=self.loss, tol=self.tol)
        return _separated(fast.svm(X, y, C, kernel_of(self), loss=self.loss, tol=self.tol))

    @property
    def _keeps_sparse(self) -> bool:  # type: ignore[override]
        """Whether sparse examples stay sparse: those of a linear kernel with slack."""
        named = isinstance(self.kernel, str) and self.kernel == "linear"
        return (named or type(self.kernel) is Linear) and bool(np.all(np.isfinite(self.C)))

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
        check_is_fitted(self)
        found = [rows[machine.support] for rows, machine in zip(self._rows, self._machines)]
        used, one = np.unique(np.concatenate(found), return_index=True)
        own: list[Any] = [machine.X[machine.support] for machine in self._machines]
        table = (sparse.vstack(own, "csr") if sparse.issparse(own[0]) else np.concatenate(own))[one]
        table = table[np.argsort(self._codes[used], kind="stable")]
        return table[:, :0] if self._precomputed else table

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


def _separated(machine: SVMachine) -> SVMachine:
    if not machine.separable:
        raise BadArgument("With C = inf the classes must be separable: choose a finite C.")
    return machine


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
