"""What a run of the perceptron leaves behind, and what a cycle of its weights proves."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from .._result import Result
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


@explained
def find_cycle(run: PerceptronRun) -> Cycle | None:
    """Return the first cycle of weights at the ends of passes, or None if none was seen.

    The order must be the same in every pass: then equal weights have equal futures. Where
    floating point rounded an update on the way round, equal weights prove nothing about the data
    (a small x may vanish beside a large w): such a return is passed over.

    Parameters
    ----------
    run : what `perceptron` returned, without shuffling

    Examples
    --------
    >>> X, y = datasets.xor()
    >>> perceptron.find_cycle(perceptron.perceptron(X, y, max_epochs=9)).period
    1
    """
    if run.shuffled:
        raise BadArgument("The passes were shuffled: equal weights need not have equal futures.")
    weights = kept_weights(run)
    ends = np.concatenate([[0], np.cumsum(run.epoch_mistakes)])
    seen: dict[bytes, int] = {}
    for epoch, end in enumerate(ends):
        state = (weights[end] + 0.0).tobytes()  # + 0.0 turns -0.0 into 0.0
        first = seen.setdefault(state, epoch)
        round_trip = slice(ends[first], end)
        exact = run.rounded is not None and not run.rounded[round_trip].any()
        if first < epoch and exact and run.epoch_mistakes[first:epoch].all():
            return Cycle(first, epoch - first, weights[ends[first] : end + 1])
    return None


def kept_weights(run: PerceptronRun) -> np.ndarray:
    """Return the weights after each mistake of a run, the start first, if it knows them."""
    if run.weights is None:
        raise BadArgument("This run has no history of its weights: run `perceptron.perceptron`.")
    return run.weights
