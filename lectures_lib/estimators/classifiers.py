"""The perceptrons and support vector machines as estimators; `estimators` exports them."""

import numpy as np

from .. import linear, perceptron, svm
from ..kernels import Kernel
from .base import Classifier, kernel_of, rng_of


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


class Perceptron(Classifier):
    """The perceptron, cycling until a pass makes no mistake.

    Parameters
    ----------
    max_epochs : int
        Passes at most.
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
        fit_intercept: bool = True,
        shuffle: bool = True,
        random_state: int | np.random.RandomState | None = 0,
    ) -> None:
        self.max_epochs = max_epochs
        self.fit_intercept = fit_intercept
        self.shuffle = shuffle
        self.random_state = random_state

    def _train(self, X: np.ndarray, y: np.ndarray) -> perceptron.PerceptronRun:
        return perceptron.perceptron(X, y, max_epochs=self.max_epochs, rng=rng_of(self))


class AveragedPerceptron(_EpochClassifier):
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

    def _train(self, X: np.ndarray, y: np.ndarray) -> perceptron.VotedRun:
        return perceptron.voted_perceptron(X, y, epochs=self.epochs, rng=rng_of(self))


class KernelPerceptron(Classifier):
    """The kernel perceptron, cycling until a pass makes no mistake.

    Parameters
    ----------
    kernel : {"gaussian", "poly", "linear"} or Kernel
        The kernel.
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

    def _train(self, X: np.ndarray, y: np.ndarray) -> perceptron.KernelRun:
        options = {"max_epochs": self.max_epochs, "rng": rng_of(self)}
        return perceptron.kernel_perceptron(X, y, kernel_of(self), **options)


class SVM(Classifier):
    """The kernel support vector machine with a free offset, by SMO.

    Parameters
    ----------
    C : float
        The price of slack; inf is the hard margin.
    loss : {"hinge", "squared_hinge"}
        Whether slack costs C xi or C xi^2.
    kernel : {"gaussian", "poly", "linear"} or Kernel
        The kernel.
    sigma : float
        The width of "gaussian".
    degree : int
        The degree of "poly".
    tol : float
        SMO stops where no pair breaks its condition by more.
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
    ) -> None:
        self.C = C
        self.loss = loss
        self.kernel = kernel
        self.sigma = sigma
        self.degree = degree
        self.tol = tol

    def _train(self, X: np.ndarray, y: np.ndarray) -> svm.SVMachine:
        machine = svm.train(X, y, self.C, kernel_of(self), loss=self.loss, tol=self.tol)
        if not machine.separable:
            raise ValueError("With C = inf the classes must be separable: choose a finite C.")
        return machine


class LinearSVM(Classifier):
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
    """

    _sparse = "csr"

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
    ) -> None:
        self.C = C
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.tol = tol
        self.max_epochs = max_epochs
        self.shuffle = shuffle
        self.random_state = random_state

    def _examples(self, X: np.ndarray) -> np.ndarray:
        return X  # the constant feature is the solver's own

    def _train(self, X: np.ndarray, y: np.ndarray) -> linear.LinearMachine:
        options = {"tol": self.tol, "max_epochs": self.max_epochs, "rng": rng_of(self)}
        options |= {"loss": self.loss, "constant": 1.0 if self.fit_intercept else 0.0}
        return linear.fast(X, y, self.C, **options)
