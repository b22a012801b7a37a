"""The online model: an example arrives, predict, see the label, maybe update (L1).

Any object with `predict` and `update` is a learner; any object with `example` and `label` is an
adversary. No distribution is assumed: the adversary may look at the prediction first.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from ._arguments import BadArgument, explained
from .conventions import (
    TIES,
    Tie,
    check_choice,
    check_count,
    check_examples,
    check_vector,
    dot,
    is_mistake,
    sign,
)


class Learner(Protocol):
    """Who predicts."""

    def predict(self, x: np.ndarray) -> float:
        """Return -1 or +1 for the example x."""

    def update(self, x: np.ndarray, y: float) -> None:
        """Learn that the label of x was y; called after every round."""


class Adversary(Protocol):
    """Who chooses the examples, and the labels after hearing the prediction."""

    def example(self) -> np.ndarray | None:
        """Return the next example, or None when there are no more."""

    def label(self, x: np.ndarray, prediction: float) -> float:
        """Return the label -1 or +1 of x."""


@dataclass(frozen=True, eq=False)
class Game:
    """The transcript of a game."""

    X: np.ndarray  #: (T, d) the examples, in order
    y: np.ndarray  #: (T,) the labels
    predictions: np.ndarray  #: (T,) what the learner said
    mistakes: np.ndarray  #: (M,) the rounds, from 0, in which it was wrong


@explained
def play(learner: Learner, adversary: Adversary, rounds: int) -> Game:
    """Play `rounds` rounds of the online protocol, or fewer if the adversary runs out (L1).

    Parameters
    ----------
    learner : who has `predict` and `update`
    adversary : who has `example` and `label`
    rounds : how many at most

    Examples
    --------
    >>> game = online.play(online.PerceptronLearner(9), online.OrthogonalAdversary(3.0, 1.0), 20)
    >>> len(game.mistakes)
    9
    """
    X, y, predictions = [], [], []
    for _ in range(check_count(rounds, "rounds")):
        x = adversary.example()
        if x is None:
            break
        said = _as_label(learner.predict(x.copy()), "the learner's prediction")
        truth = _as_label(adversary.label(x.copy(), said), "the adversary's label")
        learner.update(x.copy(), truth)
        X.append(np.array(x))
        y.append(truth)
        predictions.append(said)
    if not X:
        raise ValueError("The adversary gave no example.")
    y, predictions = np.array(y), np.array(predictions)
    return Game(np.array(X), y, predictions, np.flatnonzero(y != predictions))


class PerceptronLearner:
    """L1's perceptron as a player: predict + iff w.x >= 0; on a mistake, w <- w + y x.

    Under the rule ``"mistake"`` a score of 0 also makes it update, though it said +1.

    Parameters
    ----------
    d : how many features
    tie : see `conventions`

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> online.play(online.PerceptronLearner(2), online.FixedSequence(X, y), 6).mistakes
    array([0, 2, 4])
    """

    @explained
    def __init__(self, d: int, tie: Tie = "positive") -> None:
        self.w, self.tie = np.zeros(check_count(d, "d")), check_choice(tie, TIES, "tie")

    def predict(self, x: np.ndarray) -> float:
        """Return the sign of w.x."""
        return float(sign(dot(self.w, x), self.tie))

    def update(self, x: np.ndarray, y: float) -> None:
        """Add y x if w was wrong about x."""
        if is_mistake(dot(self.w, x), y, self.tie):
            self.w = self.w + y * x


class ConstantLearner:
    """Always says the same.

    Parameters
    ----------
    label : what it says

    Examples
    --------
    >>> online.ConstantLearner(-1.0).predict([3.0, 4.0])
    -1.0
    """

    @explained
    def __init__(self, label: float = 1.0) -> None:
        self.answer = _as_label(label, "label")

    def predict(self, x: np.ndarray) -> float:
        """Return the constant."""
        return self.answer

    def update(self, x: np.ndarray, y: float) -> None:
        """Learn nothing."""


class NearestLearner:
    """Says the label of the nearest example seen so far (+1 at first): it forgets nothing.

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> online.play(online.NearestLearner(), online.FixedSequence(X, y), 6).predictions
    array([ 1., -1.,  1., -1., -1.,  1.])
    """

    def __init__(self) -> None:
        self.seen: list[tuple[np.ndarray, float]] = []

    def predict(self, x: np.ndarray) -> float:
        """Return the label of the nearest example."""
        if not self.seen:
            return 1.0
        return min(self.seen, key=lambda pair: float(np.linalg.norm(pair[0] - x)))[1]

    def update(self, x: np.ndarray, y: float) -> None:
        """Remember the pair."""
        self.seen.append((x, y))


class FixedSequence:
    """Shows the rows of X in order, with labels decided beforehand.

    Parameters
    ----------
    X, y : (n, d) examples and (n,) labels

    Examples
    --------
    >>> online.FixedSequence([[1.0], [2.0]], [1, -1]).example()
    array([1.])
    """

    @explained
    def __init__(self, X: ArrayLike, y: ArrayLike) -> None:
        self.X, self.y = check_examples(X, y)
        self.t = -1

    def example(self) -> np.ndarray | None:
        """Return the next row."""
        self.t += 1
        return self.X[self.t] if self.t < len(self.X) else None

    def label(self, x: np.ndarray, prediction: float) -> float:
        """Return the row's label, whatever was predicted."""
        return float(self.y[self.t])


class OrthogonalAdversary:
    """Forces floor((R / gamma)^2) mistakes on *any* learner, and still has margin gamma.

    It shows m orthogonal examples of norm R and each time says the opposite of the prediction.
    Afterwards u = sum y_i e_i / sqrt(m) separates them with margin R / sqrt(m) >= gamma.

    Parameters
    ----------
    R : the norm of each example
    gamma : the margin to be kept

    Examples
    --------
    >>> online.play(online.ConstantLearner(), online.OrthogonalAdversary(2.0, 1.0), 9).mistakes
    array([0, 1, 2, 3])
    """

    @explained
    def __init__(self, R: float, gamma: float) -> None:
        if not 0 < gamma <= R < np.inf:
            raise BadArgument(f"Need 0 < gamma <= R, not gamma = {gamma} and R = {R}.")
        if R / gamma > 1e8:
            raise BadArgument(f"(R / gamma)^2 examples are too many: {R} / {gamma}; take less.")
        self.R, self.m = float(R), int(np.floor((R / gamma) ** 2 * (1 + 1e-12)))
        self.labels: list[float] = []

    def example(self) -> np.ndarray | None:
        """Return R e_t, or None after m examples.

        Examples
        --------
        >>> online.OrthogonalAdversary(2.0, 1.0).example()
        array([2., 0., 0., 0.])
        """
        t = len(self.labels)
        return self.R * np.eye(1, self.m, t)[0] if t < self.m else None

    def label(self, x: np.ndarray, prediction: float) -> float:
        """Return the opposite of the prediction.

        Parameters
        ----------
        x, prediction : the example, and what was said of it

        Examples
        --------
        >>> online.OrthogonalAdversary(2.0, 1.0).label([2.0, 0.0, 0.0, 0.0], 1.0)
        -1.0
        """
        self.labels.append(-prediction)
        return -prediction

    def separator(self) -> np.ndarray:
        """Return the unit vector u that was right all along."""
        u = np.append(self.labels, np.zeros(self.m - len(self.labels)))
        return check_vector(u, self.m, "u") / np.sqrt(max(len(self.labels), 1))


class BisectionAdversary:
    """Forces a mistake in every round: without a margin there is no mistake bound.

    The examples are (x, 1) with x in [0, 1]. It halves the interval in which the threshold can
    still lie, always against the learner; some threshold stays consistent. It stops after 50
    rounds: near 1 the interval soon holds no further float.

    Examples
    --------
    >>> len(online.play(online.PerceptronLearner(2), online.BisectionAdversary(), 30).mistakes)
    30
    """

    def __init__(self) -> None:
        self.low, self.high, self.t = 0.0, 1.0, 0

    def example(self) -> np.ndarray | None:
        """Return the middle of what is left."""
        self.t += 1
        return np.array([(self.low + self.high) / 2, 1.0]) if self.t <= 50 else None

    def label(self, x: np.ndarray, prediction: float) -> float:
        """Return the opposite of the prediction, and keep the half where that is right.

        Parameters
        ----------
        x, prediction : the example, and what was said of it

        Examples
        --------
        >>> adversary = online.BisectionAdversary()
        >>> adversary.label(adversary.example(), 1.0)
        -1.0
        """
        if prediction > 0:
            self.low = float(x[0])
        else:
            self.high = float(x[0])
        return -prediction

    def separator(self) -> np.ndarray:
        """Return weights (1, -threshold) that agree with every label given."""
        return np.array([1.0, -(self.low + self.high) / 2])


def _as_label(value: float, what: str) -> float:
    if float(value) not in (-1.0, 1.0):
        raise BadArgument(f"{what} must be -1 or +1, not {value!r}.")
    return float(value)
