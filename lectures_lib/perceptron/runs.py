"""What a run of the perceptron leaves behind; `perceptron` exports it."""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument
from .._result import Result, frozen
from ..conventions import (
    OneLine,
    Tie,
    check_points,
    check_vector,
)
from ..conventions import sign as predicted_label


@dataclass(frozen=True, eq=False, repr=False)
class PerceptronRun(OneLine, Result):
    """A run of the perceptron, complete enough to check every line of its mistake bound."""

    w: np.ndarray  #: (d,) the last weights
    mistakes: np.ndarray  #: (M,) the example of each mistake, in the order they happened
    weights: np.ndarray | None  #: (M + 1, d) the start, then those after each mistake, if kept
    alpha: np.ndarray  #: (n,) how often each example was mistaken; w = start + sum alpha y x
    epochs: int  #: passes made
    epoch_mistakes: np.ndarray  #: (epochs,) mistakes in each pass
    converged: bool  #: w makes no mistake under the tie rule: by exact scores, not rounded ones
    shuffled: bool  #: each pass had a new random order
    rounded: np.ndarray | None = None  #: (M,) where floating point rounded the update, if kept

    def decision(self, X: ArrayLike) -> np.ndarray:
        """Return w.x for each row of X."""
        return scores(self.w, X)


class RunWithHistory(PerceptronRun):
    """A run whose history of weights is made when somebody asks for it: M + 1 vectors."""

    _begun: tuple[np.ndarray, np.ndarray, np.ndarray]  # the start, X and y

    @classmethod
    def of(cls, run: PerceptronRun, start: np.ndarray, X: np.ndarray, y: np.ndarray) -> Self:
        """Return a run that remembers its start and its examples."""
        made = object.__new__(cls)
        known = {name: value for name, value in vars(run).items() if name in WITHOUT_HISTORY}
        vars(made).update(known, _begun=(start, X, y))
        return made

    @cached_property
    def weights(self) -> np.ndarray:
        """The start, then the weights after each mistake."""
        start, X, y = self._begun
        weights = history(start, X, y, self.mistakes)
        if not np.array_equal(weights[-1], self.w):
            raise BadArgument("The examples have changed since this run: train again.")
        return frozen(weights)

    @cached_property
    def rounded(self) -> np.ndarray:
        """Where w + y x is not what floating point made of it (Knuth's two-sum)."""
        _, X, y = self._begun
        before, after = self.weights[:-1], self.weights[1:]
        step, gained = y[self.mistakes, None] * X[self.mistakes], after - before
        lost = (before - (after - gained)) + (step - gained)
        return frozen((lost != 0).any(axis=1))


@dataclass(frozen=True, eq=False, repr=False)
class VotedRun(OneLine, Result):
    """All hypotheses of a run with their survival counts (L2, Freund and Schapire 1998)."""

    weights: np.ndarray  #: (M + 1, d) the hypotheses w_0, ..., w_M
    counts: np.ndarray  #: (M + 1,) c_n, how many examples hypothesis n survived
    mistakes: np.ndarray  #: (M,) the example of each mistake
    epochs: int  #: passes made
    converged: bool  #: the last pass made no mistake: by exact scores, not rounded ones

    @property
    def w(self) -> np.ndarray:
        """The last hypothesis: the plain perceptron's answer."""
        return self.weights[-1]

    @property
    def w_average(self) -> np.ndarray:
        """The average sum c_n w_n / sum c_n; the zero vector when nobody survived anything."""
        return self.counts @ self.weights / max(self.counts.sum(), 1)

    def decision(self, X: ArrayLike) -> np.ndarray:
        """Return the votes for +1 less those for -1, sum c_n sign(w_n.x), for each row of X."""
        return votes(self, X, "mistake")


@dataclass(frozen=True, eq=False, repr=False)
class AveragedRun(OneLine, Result):
    """The averaged perceptron: one vector, no hypotheses stored."""

    w: np.ndarray  #: (d,) the average of the weights after each example
    w_last: np.ndarray  #: (d,) the last weights: the plain perceptron's answer
    counts: np.ndarray  #: (M + 1,) the survival counts (numbers, not vectors)
    mistakes: np.ndarray  #: (M,) the example of each mistake
    epochs: int  #: passes made
    converged: bool  #: the last pass made no mistake: by exact scores, not rounded ones

    def decision(self, X: ArrayLike) -> np.ndarray:
        """Return w.x for each row of X, with the averaged w."""
        return scores(self.w, X)


@dataclass(frozen=True, eq=False, repr=False)
class EarlyStop(OneLine, Result):
    """The weights after the pass that did best on held-out data."""

    w: np.ndarray  #: (d,) the weights after pass `best_epoch`
    best_epoch: int  #: 1, 2, ...; 0 is the start
    held_out_errors: np.ndarray  #: (epochs + 1,) error rate at the start and after each pass
    epochs: int  #: passes made


@dataclass(frozen=True, eq=False, repr=False)
class Cycle(OneLine, Result):
    """A proof that a run never ends: the weights after two passes are equal, so all repeats.

    No update on the way round was rounded, so the y x of its mistakes add up to exactly 0: no
    separator exists.
    """

    first_epoch: int  #: the weights after this pass ...
    period: int  #: ... return after this many passes
    weights: np.ndarray  #: (m, d) every weight vector visited on the way round


#: What a run knows without its history.
WITHOUT_HISTORY = {field.name for field in fields(PerceptronRun)} - {"weights", "rounded"}


def history(start: np.ndarray, X: np.ndarray, y: np.ndarray, mistakes: np.ndarray) -> np.ndarray:
    """Return the start and the weights after each mistake, added up as a run does."""
    return np.cumsum(np.vstack([start, y[mistakes, None] * X[mistakes]]), axis=0)


def scores(w: ArrayLike, X: ArrayLike) -> np.ndarray:
    """Return w.x for each row of X."""
    X = check_points(X)
    return X @ check_vector(w, X.shape[1])


def votes(run: VotedRun, X: ArrayLike, tie: Tie) -> np.ndarray:
    """Return sum c_n sign(w_n.x) for each row of X."""
    X = check_points(X)
    check_vector(np.zeros(X.shape[1]), run.weights.shape[1], "a row of X")
    return predicted_label(X @ run.weights.T, tie) @ run.counts
