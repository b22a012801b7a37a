"""Losses as functions of t = y f, their subgradients, and descent on the mean loss (L2, L3, L4).

t > 0 means: on the right side. The 0/1 loss counts, but is flat and not convex. The others are
convex, so that one can walk down; the hinge at 1 and the logistic loss over log 2 lie above it.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ._arguments import explained
from .conventions import check_count, check_examples, check_number, check_vector, dot


@dataclass(frozen=True)
class Loss:
    """A loss in t = y f: its value, and the least and greatest slope of a line below it at t.

    Parameters
    ----------
    name : how it is called
    value : its value at t
    slopes : the least and the greatest slope at t

    Examples
    --------
    >>> losses.hinge(1.0)(np.array([-1.0, 0.5, 2.0]))
    array([2. , 0.5, 0. ])
    """

    name: str
    value: Callable[[np.ndarray], np.ndarray]
    slopes: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]

    def __call__(self, t: ArrayLike) -> np.ndarray:
        """Return the loss at `t`, entry by entry."""
        return self.value(np.asarray(t, dtype=float))

    def subgradient(self, t: ArrayLike) -> np.ndarray:
        """Return the slope that the lectures pick: at a kink, the one that still moves w (L2)."""
        return self.slopes(np.asarray(t, dtype=float))[0]

    def subdifferential(self, t: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """Return the ends of the interval of all subgradients at `t`; equal where smooth."""
        return self.slopes(np.asarray(t, dtype=float))


@explained
def hinge(h: float = 1.0) -> Loss:
    """Return max(0, h - t): h = 0 is the perceptron's loss, h = 1 the SVM's (L2).

    Parameters
    ----------
    h : where the loss begins

    Examples
    --------
    >>> losses.hinge(1.0).subgradient(np.array([0.0, 2.0]))
    array([-1.,  0.])
    """
    h = check_number(h, "h", why=": it is the place of the kink")
    return Loss(
        f"hinge(h={h:g})",
        lambda t: np.maximum(0.0, h - t),
        lambda t: (np.where(t <= h, -1.0, 0.0), np.where(t < h, -1.0, 0.0)),
    )


@explained
def perceptron_loss() -> Loss:
    """Return max(0, -t), the hinge at 0 (L2, L4).

    Examples
    --------
    >>> losses.perceptron_loss()(np.array([-1.0, 0.5]))
    array([1., 0.])
    """
    kinked = hinge(0.0)
    return Loss("perceptron", kinked.value, kinked.slopes)


@explained
def logistic() -> Loss:
    """Return log(1 + exp(-t)): smooth, the loss of logistic regression (L2, L4).

    Examples
    --------
    >>> losses.logistic()(np.array([0.0])).round(4)
    array([0.6931])
    """

    def slope(t):
        s = -np.exp(-np.logaddexp(0.0, t))  # -1 / (1 + exp(t)), without overflow
        return s, s

    return Loss("logistic", lambda t: np.logaddexp(0.0, -t), slope)


@explained(t="...")
def zero_one(t: ArrayLike) -> np.ndarray:
    """Return 1 where t <= 0, else 0: the count of mistakes. Not convex, and flat (L2).

    It has no `subgradient`: at t <= 0 no line touches it and stays below; at t > 0 only slope 0.

    Parameters
    ----------
    t : y f, the score times the label

    Examples
    --------
    >>> losses.zero_one([-1.0, 0.0, 1.0])
    array([1., 1., 0.])
    """
    return np.where(np.asarray(t, dtype=float) <= 0, 1.0, 0.0)


@explained
def mean_loss(w: ArrayLike, X: ArrayLike, y: ArrayLike, loss: Callable) -> float:
    """Return J(w), the mean of loss(y w.x) over the examples (L2).

    Parameters
    ----------
    w : (d,) weights
    X, y : (n, d) examples and (n,) labels
    loss : a `Loss`, as `hinge(1.0)`

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> losses.mean_loss([0.5, 0.0], X, y, losses.hinge(1.0))
    0.5
    """
    X, y = check_examples(X, y)
    return float(np.mean(loss(y * (X @ check_vector(w, X.shape[1])))))


@explained
def mean_subgradient(w: ArrayLike, X: ArrayLike, y: ArrayLike, loss: Loss) -> np.ndarray:
    """Return a subgradient of J at w: the mean of slope(y w.x) y x.

    Parameters
    ----------
    w, X, y, loss : as in `mean_loss`

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> losses.mean_subgradient([0.5, 0.0], X, y, losses.hinge(1.0))
    array([-1.,  0.])
    """
    X, y = check_examples(X, y)
    t = y * (X @ check_vector(w, X.shape[1]))
    return (loss.subgradient(t) * y) @ X / len(X)


@dataclass(frozen=True, eq=False)
class Descent:
    """A walk down the mean loss."""

    w: np.ndarray  #: (d,) the last weights
    weights: np.ndarray  #: (steps + 1, d) the start, then the weights after each step
    values: np.ndarray  #: (steps + 1,) J at each of them


@explained
def batch_descent(
    X: ArrayLike, y: ArrayLike, loss: Loss, *, steps: int = 100, step_size: float = 1.0
) -> Descent:
    """Walk against the subgradient of the whole mean loss: one step reads all examples (L2).

    Parameters
    ----------
    X, y, loss : as in `online_descent`
    steps : how many
    step_size : how far along the slope a step goes

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> losses.batch_descent(X, y, losses.hinge(1.0), steps=1).w
    array([1., 0.])
    """
    X, y = check_examples(X, y)
    path = [np.zeros(X.shape[1])]
    for _ in range(check_count(steps, "steps")):
        path.append(path[-1] - step_size * mean_subgradient(path[-1], X, y, loss))
    return _descent(path, X, y, loss)


@explained
def online_descent(
    X: ArrayLike, y: ArrayLike, loss: Loss, *, epochs: int = 1, step_size: float = 1.0
) -> Descent:
    """Walk against the subgradient of one example's loss after another (L2).

    With the perceptron loss and step 1 this *is* the perceptron, step for step.

    Parameters
    ----------
    X, y : (n, d) examples and (n,) labels
    loss : a `Loss`, as `perceptron_loss()`
    epochs : passes over the examples
    step_size : how far along the slope a step goes

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> losses.online_descent(X, y, losses.perceptron_loss()).w
    array([3., 1.])
    """
    X, y = check_examples(X, y)
    path = [np.zeros(X.shape[1])]
    for _ in range(check_count(epochs, "epochs")):
        for x_m, y_m in zip(X, y, strict=True):
            slope = loss.subgradient(y_m * dot(path[-1], x_m))
            path.append(path[-1] - step_size * slope * y_m * x_m)
    return _descent(path, X, y, loss)


def _descent(path: list[np.ndarray], X: np.ndarray, y: np.ndarray, loss: Loss) -> Descent:
    weights = np.array(path)
    return Descent(path[-1], weights, loss(y * (weights @ X.T)).mean(axis=1))
