"""The structured perceptron of L2, as on the slide; averaged, with a margin.

The learners know the contract and nothing else. A run keeps its mistakes, each with what was said
instead of the right output, because everything the theory says can be recomputed from them.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from .._result import Result
from ..conventions import check_count, check_number, check_positive, check_vector, orders
from .contract import Output, Problem


@dataclass(frozen=True, eq=False)
class Mistake:
    """One update: example i, what was said, and on how much of the example (None: on all)."""

    i: int
    y_star: Output
    length: int | None = None  #: the prefix that was compared; early update stops there


@dataclass(frozen=True, eq=False)
class StructuredRun(Result):
    """A run of the structured perceptron, complete enough to check its mistake bound."""

    theta: np.ndarray  #: (K,) the weights to predict with: the last, or their average
    theta_last: np.ndarray  #: (K,) the last weights
    mistakes: tuple[Mistake, ...]  #: in the order in which they happened
    epochs: int  #: passes made
    epoch_mistakes: np.ndarray  #: (epochs,) mistakes in each pass
    converged: bool  #: the last pass made no mistake
    step: float  #: epsilon


@explained
def structured_perceptron(
    problem: Problem,
    X: Sequence[Any],
    Y: Sequence[Output],
    *,
    step: float = 1.0,
    max_epochs: int = 100,
    price: float = 0.0,
    order: ArrayLike | None = None,
    rng: int | np.random.Generator | None = None,
) -> StructuredRun:
    """Run the structured perceptron until a pass makes no mistake: the loop of the slide (L2).

    Parameters
    ----------
    problem : what f, argmax and loss are
    X, Y : inputs and the right outputs
    step : epsilon > 0, the step size of the slide; with the start 0 it only scales theta
    max_epochs : passes at most
    price : 0 is the slide; above 0 a wrong output is scored price * loss higher (cost-augmented):
        the right one must win by a margin that grows with the loss
    order, rng : a fixed order of the examples, or a seed for a new one in each pass

    Examples
    --------
    >>> problem, X, Y = structured.greedy_example()
    >>> len(structured.structured_perceptron(problem, X, Y).mistakes)
    1
    """
    passes, epsilon = _prepare(X, Y, order, rng, step, price), float(step)
    theta = np.zeros(problem.size)
    found: list[list[Mistake]] = []
    for _ in range(check_count(max_epochs, "max_epochs")):
        found.append([])
        for i in next(passes):
            x, y = X[i], Y[i]
            y_star = prediction(problem, theta, x, y, price)
            if y_star != y:
                theta = theta + epsilon * (problem.f(x, y) - problem.f(x, y_star))
                found[-1].append(Mistake(int(i), y_star))
        if not found[-1]:
            break
    return as_run(theta, theta, found, epsilon)


@explained
def averaged_structured_perceptron(
    problem: Problem,
    X: Sequence[Any],
    Y: Sequence[Output],
    *,
    step: float = 1.0,
    epochs: int = 10,
    price: float = 0.0,
    order: ArrayLike | None = None,
    rng: int | np.random.Generator | None = None,
) -> StructuredRun:
    """Average theta over all rounds: after each example, mistaken or not.

    The sum is touched at mistakes only: what round t (from 0) changes stays in theta for the T - t
    rounds that are left.
    """
    passes, epsilon = _prepare(X, Y, order, rng, step, price), float(step)
    theta, total = np.zeros(problem.size), np.zeros(problem.size)
    T = left = check_count(epochs, "epochs") * len(X)
    found: list[list[Mistake]] = []
    for _ in range(epochs):
        found.append([])
        for i in next(passes):
            x, y = X[i], Y[i]
            y_star = prediction(problem, theta, x, y, price)
            if y_star != y:
                change = epsilon * (problem.f(x, y) - problem.f(x, y_star))
                theta = theta + change
                total = total + left * change
                found[-1].append(Mistake(int(i), y_star))
            left -= 1
    return as_run(total / T, theta, found, epsilon)


def prediction(problem: Problem, theta: np.ndarray, x: Any, y: Output, price: float) -> Output:
    """Return the prediction, or the cost-augmented one if an error has a price."""
    if price == 0:
        return problem.argmax(theta, x)
    return problem.argmax(theta, x, gold=y, price=price)


def as_run(
    theta: np.ndarray, last: np.ndarray, found: list[list[Mistake]], step: float
) -> StructuredRun:
    """Return the run of these passes."""
    return StructuredRun(
        theta=theta,
        theta_last=last,
        mistakes=tuple(mistake for one in found for mistake in one),
        epochs=len(found),
        epoch_mistakes=np.array([len(one) for one in found]),
        converged=not found[-1],
        step=step,
    )


@explained
def update_gain(
    problem: Problem, theta: ArrayLike, x: Any, y: Output, y_star: Output, step: float = 1.0
) -> tuple[float, float, float]:
    """Return theta.(f(x, y) - f(x, y*)) before and after the update, and step * norm^2 (L2).

    The slide: the update raises the difference by epsilon * norm(f(x, y) - f(x, y*))^2 >= 0.

    Parameters
    ----------
    problem, theta : what f is, and the weights
    x, y, y_star : an input, its right output and the one that was said
    step : epsilon

    Examples
    --------
    >>> problem = structured.Classes("ab", 2)
    >>> structured.update_gain(problem, np.zeros(4), [2.0, 3.0], "a", "b")
    (0.0, 26.0, 26.0)
    """
    theta = check_vector(theta, problem.size, "theta")
    difference = problem.f(x, y) - problem.f(x, y_star)
    after = theta + step * difference
    return (
        float(theta @ difference),
        float(after @ difference),
        float(step * (difference @ difference)),
    )


def check_outputs(X: Sequence[Any], Y: Sequence[Output]) -> None:
    """Refuse outputs that are not one per input, or that cannot be compared with a prediction."""
    if len(X) != len(Y) or len(X) == 0:
        raise BadArgument(f"There are {len(X)} inputs and {len(Y)} outputs: one output per input.")
    for i, y in enumerate(Y):
        if not isinstance(y, Hashable):
            kind = type(y).__name__
            raise BadArgument(f"Output {i} is a {kind}, equal to no prediction: write tuple(y).")


def check_steps(step: float, price: float) -> None:
    """Refuse a step size or a price that is no number, or out of range."""
    check_positive(step, "step", ": it is the lecture's epsilon")
    check_number(price, "price", 0, why="; 0 is the lecture's algorithm")


def _prepare(X, Y, order, rng, step: float, price: float = 0.0) -> Iterator[np.ndarray]:
    check_outputs(X, Y)
    check_steps(step, price)
    return orders(len(X), order, rng)


@explained
def radius(problem: Problem, X: Sequence[Any], Y: Sequence[Output]) -> float:
    """Return the theorem's R, the largest norm of f(x, y) - f(x, y'), by listing all outputs y'.

    Parameters
    ----------
    problem, X, Y : what f is, the inputs and the right outputs

    Examples
    --------
    >>> round(structured.radius(*structured.greedy_example()), 4)
    3.1623
    """
    check_outputs(X, Y)
    return max(
        float(np.linalg.norm(problem.f(x, y) - problem.f(x, other)))
        for x, y in zip(X, Y)
        for other in problem.outputs(x)
    )
