"""Problems that keep the contract with little effort: several classes, and assignments by scipy."""

import math
from collections.abc import Hashable, Iterator, Sequence
from itertools import permutations

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import linear_sum_assignment

from .._arguments import BadArgument, explained
from ..conventions import as_floats, check_count
from .contract import Index, Output, Problem, as_tuple, exact_numbers


class Classes(Problem):
    """Several classes: f(x, y) is x in the block of class y, and 0 elsewhere.

    So theta holds one weight vector per class, and the structured perceptron is the multiclass
    perceptron: the right class moves towards x, the one that was said away from it.

    Parameters
    ----------
    classes : their names
    d : how many features an input has

    Examples
    --------
    >>> structured.Classes("ab", 2).f([2.0, 3.0], "b")
    array([0., 0., 2., 3.])
    """

    @explained
    def __init__(self, classes: Sequence[Hashable], d: int) -> None:
        self.classes = tuple(classes)
        self.d = check_count(d, "d")
        self.index = Index((c, j) for c in self.classes for j in range(self.d))

    def f(self, x: ArrayLike, y: Output) -> np.ndarray:
        """Return x in the block of class y."""
        blocks = np.zeros((len(self.classes), self.d))
        blocks[self._number(y)] = x
        return blocks.ravel()

    def argmax(
        self, theta: np.ndarray, x: ArrayLike, *, gold: Output | None = None, price: float = 1
    ) -> Output:
        """Return the class with the highest score, the first of several."""
        x = np.asarray(x)
        if theta.dtype == object:
            x = exact_numbers(x)
        scores = list(theta.reshape(len(self.classes), self.d) @ x)
        if gold is not None:
            scores = [v + price * self.loss(gold, c) for v, c in zip(scores, self.classes)]
        return self.classes[max(range(len(scores)), key=lambda c: scores[c])]

    def loss(self, y: Output, y_star: Output) -> int:
        """Return 1 for a wrong class."""
        return int(y != y_star)

    def outputs(self, x: ArrayLike) -> Iterator[Output]:
        """Yield the classes."""
        return iter(self.classes)

    def canonical(self, y: Output) -> Output:
        """Return the class as it was named: True is the class 1, where 1 is one."""
        return self.classes[self._number(y)]

    def _number(self, y: Output) -> int:
        if y not in self.classes:
            raise BadArgument(f"{y!r} is not one of the classes {self.classes[:5]} ...")
        return self.classes.index(y)


class Assignments(Problem):
    """Who does what: x[i, j] are the features of worker i on task j, y[i] is i's task.

    f(x, y) is the sum of x[i, y[i]]; inference is scipy's assignment. Among several best ones the
    first in the order of a dictionary is searched for, which takes n^2 assignments.
    """

    exact = False  # scipy computes in floating point

    @explained
    def __init__(self, names: Sequence[Hashable]) -> None:
        self.index = Index(names)

    def f(self, x: ArrayLike, y: Output) -> np.ndarray:
        """Return the sum of the features of the pairs."""
        x, y = self._checked(x), self.canonical(y)
        if sorted(y) != list(range(len(x))):
            raise BadArgument(f"{y!r} is no assignment: each of 0 to {len(x) - 1} occurs once.")
        return x[np.arange(len(x)), list(y)].sum(axis=0)

    def argmax(
        self, theta: np.ndarray, x: ArrayLike, *, gold: Output | None = None, price: float = 1
    ) -> Output:
        """Return the assignment with the highest score, the first of several."""
        scores = self._checked(x) @ np.asarray(theta, float)
        if gold is not None:
            wrong = np.arange(len(scores)) != np.asarray(gold)[:, None]
            scores = np.where(wrong, scores + price, scores)
        return first_assignment(scores)

    def loss(self, y: Output, y_star: Output) -> int:
        """Return how many have a wrong task."""
        y, y_star = self.canonical(y), self.canonical(y_star)
        return sum(a != b for a, b in zip(y, y_star, strict=True))

    def canonical(self, y: Output) -> Output:
        """Return an assignment as a tuple of tasks."""
        return as_tuple(y, "assignment")

    def outputs(self, x: ArrayLike) -> Iterator[Output]:
        """Yield all permutations."""
        return permutations(range(len(np.asarray(x))))

    def _checked(self, x: ArrayLike) -> np.ndarray:
        x = as_floats(x, "x")
        if x.ndim != 3 or x.shape[0] != x.shape[1] or x.shape[2] != len(self.index):
            raise BadArgument(f"x has shape {x.shape}; it needs (n, n, {len(self.index)}).")
        return x


def first_assignment(scores: np.ndarray) -> tuple[int, ...]:
    """Return the assignment of highest total score, the first in the order of a dictionary.

    Totals are exact sums rounded once (fsum): equal wherever they are whole numbers and equal.
    """
    n = len(scores)
    y = linear_sum_assignment(scores, maximize=True)[1].tolist()
    best = _total(scores, y)
    for i in range(n):
        for j in sorted(set(range(n)) - set(y[:i])):
            if j == y[i]:
                break
            trial = _completed(scores, [*y[:i], j])
            if _total(scores, trial) >= best:
                y = trial
                break
    return tuple(y)


def _completed(scores: np.ndarray, head: list[int]) -> list[int]:
    """Return the best assignment that begins like this."""
    rest = [j for j in range(len(scores)) if j not in head]
    if not rest:
        return head
    block = scores[len(head) :][:, rest]
    return head + [rest[j] for j in linear_sum_assignment(block, maximize=True)[1]]


def _total(scores: np.ndarray, y: Sequence[int]) -> float:
    return math.fsum(scores[i, j] for i, j in enumerate(y))
