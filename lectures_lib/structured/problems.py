"""The smallest problem that keeps the contract: several classes."""

from collections.abc import Hashable, Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import check_count
from .contract import Index, Output, Problem, exact_numbers


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
