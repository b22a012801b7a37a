"""The contract of structured prediction: a joint feature map, an inference, a loss (L2).

score(x, y) = theta . f(x, y), and the prediction is the y of the highest score. Whatever can say
what f, argmax and loss are can be learnt: several classes, taggings, parses. The learners know
nothing else.

Ties are decided by one rule: of all y with the highest score the first in the problem's order, that
of ``outputs``. For taggings this is the order of a dictionary, tag 0 before tag 1.
"""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import as_array, check_count
from ..proof.structural import exact_numbers

#: An output: hashable, so that it can be compared and counted (a tag, a tuple of tags, a tree).
Output = Any


class Index:
    """Named features and their numbers: "see Det Noun" is feature 5, and the other way round."""

    @explained
    def __init__(self, names: Iterable[Hashable]) -> None:
        self.names = tuple(names)
        self.numbers = {name: k for k, name in enumerate(self.names)}
        if len(self.numbers) < len(self.names):
            raise BadArgument("Two features have the same name: give each its own.")

    def __len__(self) -> int:
        return len(self.names)

    def vector(self, named: Mapping[Hashable, float]) -> np.ndarray:
        """Return the numbered features of named ones; a name that has no number is left out."""
        v = np.zeros(len(self))
        for name, value in named.items():
            if name in self.numbers:
                v[self.numbers[name]] = value
        return v

    def named(self, v: Sequence[float]) -> dict[Hashable, float]:
        """Return the entries of `v` that are not 0, by name."""
        if len(v) != len(self):
            raise BadArgument(f"The vector has {len(v)} entries; there are {len(self)} features.")
        return {name: value for name, value in zip(self.names, v) if value != 0}


class Problem(ABC):
    """What a learner needs to know: ``index``, ``f``, ``argmax`` and ``loss``, and no more."""

    index: Index  #: the names of the features
    exact: bool = True  #: argmax takes theta as an array of whole numbers or fractions, too

    @property
    def size(self) -> int:
        """The number of features."""
        return len(self.index)

    @abstractmethod
    def f(self, x: Any, y: Output) -> np.ndarray:
        """Return the joint features of (x, y), one number per feature."""

    @abstractmethod
    def argmax(
        self, theta: np.ndarray, x: Any, *, gold: Output | None = None, price: float = 1
    ) -> Output:
        """Return the y with the highest theta.f(x, y), the first of several.

        With `gold`, the score of y is raised by price * loss(gold, y): cost-augmented inference.
        """

    @abstractmethod
    def loss(self, y: Output, y_star: Output) -> int:
        """Return how bad it is to say y_star where y is right: 0 if they are equal."""

    def canonical(self, y: Output) -> Output:
        """Return an output in the one form in which outputs are compared, or refuse it.

        f and loss must agree about what an output is, so a judge takes no other form.
        """
        return y

    def outputs(self, x: Any) -> Iterator[Output]:
        """Yield every candidate for x in the order that decides ties, where they can be listed."""
        raise NotImplementedError(f"{type(self).__name__} does not list its outputs.")

    def runner_up(self, theta: np.ndarray, x: Any, y: Output) -> Output | None:
        """Return the best output other than y, or None if there is no other; default by listing."""
        others = [other for other in self.outputs(x) if other != y]
        if not others:
            return None
        if theta.dtype == object:
            return max(others, key=lambda other: theta @ exact_numbers(self.f(x, other)))
        return max(others, key=lambda other: theta @ self.f(x, other))

    def score(self, theta: np.ndarray, x: Any, y: Output) -> float:
        """Return theta . f(x, y)."""
        return float(theta @ self.f(x, y))


@explained(theta="p")
def enumerate_argmax(
    problem: Problem, theta: np.ndarray, x: Any, *, gold: Output | None = None, price: float = 1
) -> Output:
    """Return the best output by listing all of them: the oracle that every decoder must equal.

    Parameters
    ----------
    problem : what f and loss are, and which outputs there are
    theta : the weights
    x : an input
    gold, price : with a right output, the others are scored price * loss higher

    Examples
    --------
    >>> problem = structured.Classes("ab", 2)
    >>> structured.enumerate_argmax(problem, np.array([1.0, 0.0, 0.0, 1.0]), [2.0, 3.0])
    'b'
    """
    best, highest = None, None
    for y in problem.outputs(x):
        f = problem.f(x, y)
        if theta.shape != f.shape:
            raise BadArgument(f"theta has shape {theta.shape}; f(x, y) has {f.shape}.")
        score = theta @ (exact_numbers(f) if theta.dtype == object else f)
        if gold is not None:
            score = score + price * problem.loss(gold, y)
        if highest is None or score > highest:
            best, highest = y, score
    if highest is None:
        raise BadArgument("There is no candidate output for this input.")
    return best


def as_tuple(y: Output, what: str) -> tuple[int, ...]:
    """Return whole numbers in a row as a tuple, or say that they are none."""
    if type(y) is tuple and all(type(s) is int for s in y):
        return y
    given = np.asarray(y) if not hasattr(y, "__len__") else as_array(y, "y")
    if given.ndim != 1 or given.dtype.kind not in "iu":
        raise BadArgument(f"y is no {what}: it needs a tuple of whole numbers, one per place.")
    return tuple(given.tolist())


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
