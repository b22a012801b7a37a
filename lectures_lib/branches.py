"""Branches of small programs that are really run, and learners that predict them (L1).

A processor guesses which way a branch will go before it knows. Each branch of a program has a
predictor of its own; what it may look at are the last h outcomes of any branch, the *history*. So
the rounds of one branch are a game of the online model: the example is the history with a constant,
the label says whether the branch was taken, and `online.play` counts the wrong guesses.
"""

from collections.abc import Callable, Sequence

import numpy as np

from ._arguments import BadArgument, explained
from .conventions import check_count
from .online import FixedSequence, Game, Learner, play


class Tape:
    """Records how the branches of a program went: ``if tape("smaller", a < b):``.

    Examples
    --------
    >>> tape = branches.Tape()
    >>> branches.insertion_sort([3, 1, 2], tape), len(tape)
    ([1, 2, 3], 7)
    """

    def __init__(self) -> None:
        self.names: list[str] = []  #: which branch, in the order of the run
        self.taken: list[bool] = []  #: was it taken?

    def __call__(self, name: str, condition: object) -> bool:
        """Write down that branch `name` was reached, and return its condition."""
        self.names.append(name)
        self.taken.append(bool(condition))
        return self.taken[-1]

    def __len__(self) -> int:
        return len(self.names)


# --- programs ------------------------------------------------------------------------------------


@explained
def insertion_sort(values: Sequence[float], tape: Tape) -> list[float]:
    """Return the values in rising order: each is moved to the left past all larger ones.

    Parameters
    ----------
    values : numbers
    tape : where the branches are recorded

    Examples
    --------
    >>> branches.insertion_sort([3, 1, 2], branches.Tape())
    [1, 2, 3]
    """
    a = list(values)
    for i in range(1, len(a)):
        x, j = a[i], i
        while tape("not at the front", j > 0) and tape("left one is larger", a[j - 1] > x):
            a[j] = a[j - 1]
            j -= 1
        a[j] = x
    return a


@explained
def binary_search(values: Sequence[float], x: float, tape: Tape) -> int:
    """Return the first place in the sorted `values` whose entry is not below x.

    Parameters
    ----------
    values : numbers in rising order
    x : the number that is looked for
    tape : where the branches are recorded

    Examples
    --------
    >>> branches.binary_search([1, 4, 9], 4, branches.Tape())
    1
    """
    low, high = 0, len(values)
    while tape("not found yet", low < high):
        middle = (low + high) // 2
        if tape("go right", values[middle] < x):
            low = middle + 1
        else:
            high = middle
    return low


@explained
def find_all(text: str, pattern: str, tape: Tape) -> list[int]:
    """Return the places where `pattern` begins in `text`, letter by letter at each place.

    Parameters
    ----------
    text, pattern : where to look, and for what
    tape : where the branches are recorded

    Examples
    --------
    >>> branches.find_all("abracadabra", "abra", branches.Tape())
    [0, 7]
    """
    found = []
    for i in range(len(text) - len(pattern) + 1):
        k = 0
        while tape("letters left", k < len(pattern)) and tape("equal", text[i + k] == pattern[k]):
            k += 1
        if tape("found", k == len(pattern)):
            found.append(i)
    return found


# --- rounds --------------------------------------------------------------------------------------


@explained
def rounds(tape: Tape, h: int) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return (X, y) of each branch: a row of X is the last h outcomes of any branch, newest last.

    Outcomes are -1 and +1 (taken); before the program began they count as -1. The last column of X
    is the constant 1. y has the outcome of the branch itself.

    Parameters
    ----------
    tape : the record of a run
    h : how many outcomes are remembered

    Examples
    --------
    >>> tape = branches.Tape()
    >>> place = branches.binary_search([1, 4, 9], 4, tape)
    >>> branches.rounds(tape, 2)["go right"]
    (array([[-1.,  1.,  1.],
           [-1.,  1.,  1.]]), array([-1.,  1.]))
    """
    if len(tape) == 0:
        raise BadArgument("The tape is empty: run a program that asks it at each branch.")
    outcomes = np.where(tape.taken, 1.0, -1.0)
    since = np.append(-np.ones(check_count(h, "h", 0)), outcomes)
    columns = [since[k : k + len(tape)] for k in range(h)]  # column k is the outcome h - k ago
    X = np.column_stack([*columns, np.ones(len(tape))])
    names = np.array(tape.names)
    return {name: (X[names == name], outcomes[names == name]) for name in dict.fromkeys(tape.names)}


@explained
def games(tape: Tape, h: int, make: Callable[[int], Learner]) -> dict[str, Game]:
    """Play the rounds of each branch against a learner of its own, make(h + 1).

    Parameters
    ----------
    tape, h : as in `rounds`
    make : returns a learner for a given number of features

    Examples
    --------
    >>> tape = branches.Tape()
    >>> values = branches.insertion_sort(range(9, 0, -1), tape)
    >>> games = branches.games(tape, 2, branches.TwoBitCounter)
    >>> {name: len(game.mistakes) for name, game in games.items()}
    {'not at the front': 8, 'left one is larger': 0}
    """
    return {
        name: play(make(h + 1), FixedSequence(X, y), len(y))
        for name, (X, y) in rounds(tape, h).items()
    }


@explained
def mistakes(tape: Tape, h: int, make: Callable[[int], Learner]) -> int:
    """Return how many branches of the whole run are predicted wrongly.

    Parameters
    ----------
    tape, h, make : as in `games`

    Examples
    --------
    >>> tape = branches.Tape()
    >>> values = branches.insertion_sort(range(9, 0, -1), tape)
    >>> branches.mistakes(tape, 2, branches.HistoryTable)
    10
    """
    return sum(len(game.mistakes) for game in games(tape, h, make).values())


# --- learners ------------------------------------------------------------------------------------


class TwoBitCounter:
    """A number from 0 to 3, at first 2: up if taken, down if not; 2 and 3 say "taken" (Smith 1981).

    In a long run of equal outcomes a single other one costs one mistake, not two. It does not look
    at the history.

    Parameters
    ----------
    d : how many features there are; none is looked at

    Examples
    --------
    >>> branches.TwoBitCounter().predict(np.ones(1))
    1.0
    """

    @explained
    def __init__(self, d: int = 1) -> None:
        self.state = 2

    def predict(self, x: np.ndarray) -> float:
        """Return +1 in the upper half."""
        return 1.0 if self.state >= 2 else -1.0

    def update(self, x: np.ndarray, y: float) -> None:
        """Go one step towards the outcome, but not beyond 0 and 3."""
        self.state = min(3, self.state + 1) if y > 0 else max(0, self.state - 1)


class HistoryTable:
    """A two-bit counter for each history: any rule can be learnt, but there are 2^h histories.

    The two-level predictor of Yeh and Patt (1991) without its limits: each history has a counter.

    Parameters
    ----------
    d : how many features there are: h outcomes and a constant

    Examples
    --------
    >>> branches.HistoryTable(3).predict(np.ones(3))
    1.0
    """

    @explained
    def __init__(self, d: int = 1) -> None:
        self.counters: dict[bytes, TwoBitCounter] = {}

    def predict(self, x: np.ndarray) -> float:
        """Return what the counter of this history says."""
        return self._counter(x).predict(x)

    def update(self, x: np.ndarray, y: float) -> None:
        """Move the counter of this history."""
        self._counter(x).update(x, y)

    def _counter(self, x: np.ndarray) -> TwoBitCounter:
        return self.counters.setdefault((x > 0).tobytes(), TwoBitCounter())


class HardwarePerceptron:
    """The perceptron of Jimenez and Lin (2001): it also learns where it was right but not sure.

    w moves by y x wherever y w.x <= threshold, by default floor(1.93 h + 14) for h = d - 1. With
    the threshold 0 it is L2's perceptron. (Theirs keeps each weight in a few bits and shares a
    table of limited size; ours may grow, and every branch has its own.)

    Parameters
    ----------
    d : how many features there are: h outcomes and a constant
    threshold : up to which y w.x it learns

    Examples
    --------
    >>> branches.HardwarePerceptron(9).threshold
    29
    """

    @explained
    def __init__(self, d: int, threshold: float | None = None) -> None:
        self.w = np.zeros(check_count(d, "d"))
        self.threshold = 193 * (d - 1) // 100 + 14 if threshold is None else threshold

    def predict(self, x: np.ndarray) -> float:
        """Return the sign of w.x; a score of 0 says "taken"."""
        return 1.0 if self.w @ x >= 0 else -1.0

    def update(self, x: np.ndarray, y: float) -> None:
        """Add y x after a mistake, and after an answer that was not sure."""
        if y * (self.w @ x) <= self.threshold:
            self.w = self.w + y * x
