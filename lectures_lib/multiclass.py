"""Several classes from a binary method: one against the rest, one against one (L4).

A *trainer* is any function of (X, y) with labels -1, +1 whose answer has ``decision(X)``::

    one_vs_rest(X, y, svm.train)
    one_vs_one(X, y, lambda X, y: kernel_perceptron(X, y, Gaussian(1.0)))

Labels may be anything that can be hashed and sorted. The machines are kept, each with its proof.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, Protocol

import numpy as np
from numpy.typing import ArrayLike

from ._arguments import BadArgument, explained
from ._result import Result
from .conventions import check_choice, sign, take_rows

Ties = Literal["decision", "lowest"]


class Machine(Protocol):
    """What a trainer returns: anything that can score examples."""

    def decision(self, X: ArrayLike) -> np.ndarray:
        """Return one number for each row of X: > 0 for the label +1."""


Trainer = Callable[[ArrayLike, np.ndarray], Machine]


class _Several(Result):
    """What is asked of all machines."""

    machines: tuple[Machine, ...]

    @property
    def certificates(self) -> tuple:
        """The certificate of each machine; None where a method has none."""
        return tuple(getattr(machine, "certificate", None) for machine in self.machines)

    @property
    def converged(self) -> bool:
        """Every machine says so of itself: proved, where its method has proofs."""
        several: tuple[Any, ...] = self.machines
        return not self.changed and all(machine.converged for machine in several)


@dataclass(frozen=True, eq=False)
class OneVsRest(_Several):
    """k machines, each of which knows one class from all others."""

    classes: np.ndarray  #: (k,) the labels, sorted
    machines: tuple[Machine, ...]  #: (k,) machine c has +1 for class c and -1 for the rest

    def decision(self, X: ArrayLike) -> np.ndarray:
        """Return the score of each class, (n, k)."""
        return np.column_stack([machine.decision(X) for machine in self.machines])

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the class of the highest score; where several have it, the lowest label."""
        return self.classes[np.argmax(self.decision(X), axis=1)]


@dataclass(frozen=True, eq=False)
class OneVsOne(_Several):
    """k (k - 1) / 2 machines, one for each pair of classes, and their votes."""

    classes: np.ndarray  #: (k,) the labels, sorted
    pairs: tuple[tuple[int, int], ...]  #: (c, d) with c < d: +1 is class c, -1 is class d
    machines: tuple[Machine, ...]  #: one for each pair
    ties: Ties  #: what settles equal numbers of votes, see `one_vs_one`

    def decision(self, X: ArrayLike) -> np.ndarray:
        """Return the score of each pair's first class against its second, (n, pairs)."""
        return np.column_stack([machine.decision(X) for machine in self.machines])

    def votes(self, X: ArrayLike) -> np.ndarray:
        """Return how many of its k - 1 pairs each class wins, (n, k); a score of 0 is the first's.

        A pair's sign is +1 or -1, so won - lost = signs, won + lost = k - 1.
        """
        return self.votes_of(self.decision(X))

    def votes_of(self, D: np.ndarray) -> np.ndarray:
        """Return the votes by the scores of the pairs."""
        won_less_lost = self._gathered(sign(D))
        return ((won_less_lost + len(self.classes) - 1) / 2).astype(int)

    def strengths(self, X: ArrayLike) -> np.ndarray:
        """Return the sum of each class's scores against all others, (n, k)."""
        return self._gathered(self.decision(X))

    def scores(self, X: ArrayLike) -> np.ndarray:
        """Return votes and, as less than half a vote, strengths, (n, k): the highest is best."""
        return self.scores_of(self.decision(X))

    def scores_of(self, D: np.ndarray) -> np.ndarray:
        """Return the `scores` by those of the pairs."""
        s = self._gathered(D)
        return self.votes_of(D) + s / (2.0 * (1.0 + np.abs(s)))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the class with most votes; `ties` and then the lowest label settle the rest."""
        return self.predict_of(self.decision(X))

    def predict_of(self, D: np.ndarray) -> np.ndarray:
        """Return the classes by the scores of the pairs."""
        votes = self.votes_of(D)
        if self.ties == "decision":
            most = votes == votes.max(axis=1, keepdims=True)
            votes = np.where(most, self._gathered(D), -np.inf)
        return self.classes[np.argmax(votes, axis=1)]

    def _gathered(self, D: np.ndarray) -> np.ndarray:
        """Add up each pair's number for its first class, and against its second."""
        k, of_class = len(self.classes), np.argsort(np.transpose(self.pairs).ravel(), kind="stable")
        return np.hstack([D, -D])[:, of_class].reshape(len(D), k, k - 1).sum(axis=2)


@explained
def one_vs_rest(X: ArrayLike, y: Sequence[Hashable], train: Trainer) -> OneVsRest:
    """Train one machine for each class against all others; the highest score wins.

    Two classes too get two machines (mirror images, for a method without preferences). The scores
    come from different machines and are compared as they are: that is the method's assumption.

    Parameters
    ----------
    X : (n, d) examples
    y : (n,) labels of any kind
    train : makes of (X, y), labels -1 and +1, a machine with `decision`

    Examples
    --------
    >>> X, y = datasets.iris()
    >>> machines = multiclass.one_vs_rest(X, y, fast.linear)
    >>> print(machines.classes, machines.predict(X[:2]))
    ['setosa' 'versicolor' 'virginica'] ['setosa' 'setosa']
    """
    codes, classes = _coded(y, _count(X))
    machines = tuple(train(X, signed(codes == c)) for c in range(len(classes)))
    return OneVsRest(classes, machines)


@explained
def one_vs_one(
    X: ArrayLike, y: Sequence[Hashable], train: Trainer, *, ties: Ties = "decision"
) -> OneVsOne:
    """Train one machine for each pair of classes, on the examples of these two; they vote.

    Equal votes are settled by `ties`: ``"decision"``, by the sum of scores against all others and
    then by the lowest label; ``"lowest"``, by the lowest label at once (LIBSVM's rule).

    Parameters
    ----------
    X, y, train : as in `one_vs_rest`
    ties : "decision" or "lowest"

    Examples
    --------
    >>> X, y = datasets.iris()
    >>> len(multiclass.one_vs_one(X, y, fast.linear).pairs)
    3
    """
    check_choice(ties, ("decision", "lowest"), "ties")
    codes, classes = _coded(y, _count(X))
    pairs = tuple(combinations(range(len(classes)), 2))
    machines = []
    for c, d in pairs:
        rows = np.flatnonzero((codes == c) | (codes == d))
        machines.append(train(take_rows(X, rows), signed(codes[rows] == c)))
    return OneVsOne(classes, pairs, tuple(machines), ties)


@explained
def signed(positive: ArrayLike) -> np.ndarray:
    """Return the labels of one class against the others: +1 where `positive`, -1 elsewhere."""
    return np.where(positive, 1.0, -1.0)


def _count(X: ArrayLike) -> int:
    shape = X.shape if hasattr(X, "shape") else np.shape(X)  # a sparse matrix has no len
    if not shape:
        raise BadArgument(f"X must have one row per example, not {X!r}.")
    return shape[0]


def _coded(y: Sequence[Hashable], n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return (codes, classes) with y = classes[codes] and classes sorted, or say what is wrong."""
    labels = y if isinstance(y, np.ndarray) else _vector(list(y))
    if labels.shape != (n,):
        raise BadArgument(f"y has shape {labels.shape}; it needs ({n},), one label per row of X.")
    values = labels.tolist()
    if any(value != value for value in values):  # only NaN differs from itself
        raise BadArgument("y contains NaN: remove those examples, or name a class for them.")
    try:
        code = {value: c for c, value in enumerate(sorted(set(values)))}
    except TypeError:
        raise BadArgument(
            "Labels must be of one kind that can be hashed and sorted: map them to strings first."
        ) from None
    if len(code) < 2:
        raise BadArgument(f"y has one class, {values[0]!r}: there is nothing to tell apart.")
    codes = np.array([code[value] for value in values])
    return codes, labels[np.unique(codes, return_index=True)[1]]


def _vector(values: list) -> np.ndarray:
    """Return a vector of these values; of a type that numpy would change, one of objects."""
    kinds = {type(value) for value in values}
    if len(kinds) == 1 and kinds <= {bool, int, float, str}:
        return np.array(values)
    vector = np.empty(len(values), dtype=object)
    vector[:] = values
    return vector
