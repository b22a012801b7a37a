"""The perceptron over parts: iterative parameter mixing (McDonald, Hall and Mann 2010).

In each epoch every part starts from the same weights and makes one pass; the weights they end with
are averaged, and sent out again. What is sent are d numbers per part and epoch, never an example.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from .._result import Result
from ..conventions import OneLine, check_choice, check_count, check_vector, sign
from ..perceptron import one_pass
from ..proof.bounds import EXACT_OPERATIONS
from ..proof.mixing import MixingBound, judge_mixing, shares
from ..proof.rounding import no_mistake
from ..proof.shards import extremes, shard_facts
from .parts import AnyPart, FilePart, Part, check_parts
from .workers import workers_of

Votes = Literal["mistakes", "equal"]


@dataclass(frozen=True, eq=False, repr=False)
class MixingRun(OneLine, Result):
    """A run of parameter mixing, complete enough to check every line of its bound."""

    w: np.ndarray  #: (d,) the last mixed weights
    weights: np.ndarray  #: (N + 1, d) the start, then the mixed weights after each epoch
    mistakes: tuple[tuple[np.ndarray, ...], ...]  #: of each epoch and part, in their order
    votes: np.ndarray  #: (N, S) whole numbers: part i has the share votes_in / sum of the epoch
    epochs: int  #: N
    converged: bool  #: w makes no mistake on any part: by exact scores, not rounded ones

    @property
    def counts(self) -> np.ndarray:
        """(N, S) how many mistakes each part made in each epoch."""
        return np.array([[len(part) for part in epoch] for epoch in self.mistakes])

    @property
    def shares(self) -> list[list[Fraction]]:
        """mu_in of each epoch and part: they add up to 1 exactly in each epoch."""
        return [shares(votes) for votes in self.votes]

    @property
    def mixed(self) -> Fraction:
        """The mistakes in the count of the theorem: sum of mu_in k_in."""
        epochs = zip(self.counts.tolist(), self.shares)
        return sum((k * mu for ks, mus in epochs for k, mu in zip(ks, mus)), Fraction(0))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the sign of w.x for each row, never 0."""
        return sign(np.asarray(X, dtype=float) @ self.w.astype(float))


@explained
def parameter_mixing(
    parts: Sequence[AnyPart],
    *,
    votes: Votes = "mistakes",
    max_epochs: int = 1000,
    client: Any | None = None,
) -> MixingRun:
    """Run the perceptron over parts, mixing the weights after each epoch.

    Ends with the first epoch in which no part makes a mistake.

    Parameters
    ----------
    parts : pairs (X, y), `split`, or files of `save`
    votes : a part's share in the mix is that of its "mistakes", or "equal" for all
    max_epochs : epochs at most
    client : a distributed.Client whose workers do the passes; None: this process, to the same bit

    Examples
    --------
    >>> problem = datasets.separable(40)
    >>> run = partitions.parameter_mixing(partitions.split(problem.X, problem.y, 4))
    >>> print(run.converged, run.mixed <= run.counts.sum())
    True True
    """
    check_choice(votes, ("mistakes", "equal"), "votes")
    known, workers = check_parts(parts), workers_of(client)
    held, v = workers.hold(known), np.zeros(known[0].shape[1])
    weights, mistakes, given = [v], [], []
    for _ in range(check_count(max_epochs, "max_epochs")):
        found = workers.gather([workers.submit(epoch_on_part, part, v) for part in held])
        counts = np.array([len(wrong) for wrong, _, _ in found])
        given.append(counts if votes == "mistakes" and counts.any() else np.ones_like(counts))
        if counts.any():
            v = average([w for _, w, _ in found], given[-1])
        weights.append(v)
        mistakes.append(tuple(wrong for wrong, _, _ in found))
        if not counts.any():
            break
    clean = not counts.any() and all(clean for _, _, clean in found)
    N = len(mistakes)
    return MixingRun(v, np.array(weights), tuple(mistakes), np.array(given), N, clean)


def epoch_on_part(part: Part | FilePart, v: np.ndarray) -> tuple[np.ndarray, np.ndarray, bool]:
    """Return the mistakes of one pass from v, the weights after it, and whether v is clean."""
    X, y = part.load()
    w = v.copy()
    wrong = one_pass(X, y, np.arange(len(y)), 0.0, w)
    return wrong, w, not len(wrong) and no_mistake(X, y, v)


def average(ends: Sequence[np.ndarray], votes: np.ndarray) -> np.ndarray:
    """Return sum votes_i w_i / sum votes_i, added up in the order of the parts."""
    total = np.zeros_like(ends[0])
    for vote, w in zip(votes, ends, strict=True):
        total += vote * w
    return total / votes.sum()


@explained
def parameter_mixing_by_hand(
    parts: Sequence[AnyPart], *, votes: Votes = "mistakes", max_epochs: int = 1000
) -> MixingRun:
    """Run the same algorithm as it stands on paper, in fractions: nothing is ever rounded.

    Slow, and its numbers grow longer with each epoch: for small sets, to be read.

    Parameters
    ----------
    parts, votes, max_epochs : as in `parameter_mixing`

    Examples
    --------
    >>> parts = [([[1, 0]], [1]), ([[0, 1]], [1]), ([[1, -1]], [-1])]
    >>> run = partitions.parameter_mixing_by_hand(parts)
    >>> print(*run.weights[1])
    0 2/3
    """
    check_choice(votes, ("mistakes", "equal"), "votes")
    shards = [_in_fractions(part) for part in check_parts(parts)]
    v = [Fraction(0)] * (len(shards[0][0]) - 1)
    weights, mistakes, given = [v], [], []
    for _ in range(check_count(max_epochs, "max_epochs")):
        ends, wrong = zip(*(_pass_by_hand(examples, v) for examples in shards))
        k = [len(some) for some in wrong]
        vote = k if votes == "mistakes" and any(k) else [1] * len(k)
        mu = [Fraction(one, sum(vote)) for one in vote]
        v = [sum((m * w[j] for m, w in zip(mu, ends)), Fraction(0)) for j in range(len(v))]
        weights.append(v)
        mistakes.append(tuple(np.array(some, dtype=int) for some in wrong))
        given.append(vote)
        if not any(k):
            break
    W = np.array(weights, dtype=object)
    return MixingRun(W[-1], W, tuple(mistakes), np.array(given), len(mistakes), not any(k))


def _pass_by_hand(examples, v: list[Fraction]) -> tuple[list[Fraction], list[int]]:
    """On a mistake, y w.x <= 0, add y x to w."""
    w, wrong = list(v), []
    for i, (*x, y) in enumerate(examples):
        if y * sum(a * b for a, b in zip(w, x)) <= 0:
            w = [a + y * b for a, b in zip(w, x)]
            wrong.append(i)
    return w, wrong


def _in_fractions(part) -> list[list[Fraction]]:
    """Return the examples of a part, each with its label as the last entry."""
    X, y = part.load()
    return [[Fraction(v) for v in (*x, label)] for x, label in zip(X.tolist(), y.tolist())]


@explained
def mixing_bound(
    run: MixingRun,
    parts: Sequence[AnyPart],
    u: ArrayLike | None = None,
    *,
    exact: bool = False,
    client: Any | None = None,
) -> MixingBound:
    """Check the proof that the mixed number of mistakes is at most (R / gamma)^2, on this run.

    Each part is read twice: for R and gamma, then for the replay of its mistakes. What rounding
    leaves open in a small case is decided in fractions.

    Parameters
    ----------
    run, parts : a run, and the parts it was made on, in their order
    u : a separator of all parts to compare with; default the run's own w. A larger margin is a
        smaller bound: margins.max_margin(X, y).w, where all examples fit into memory
    exact : decide every line in fractions
    client : a distributed.Client whose workers replay their parts

    Examples
    --------
    >>> parts = [([[1, 0]], [1]), ([[0, 1]], [1]), ([[1, -1]], [-1])]
    >>> run = partitions.parameter_mixing_by_hand(parts)
    >>> proof = partitions.mixing_bound(run, parts, [1.0, 3.0], exact=True)
    >>> print(proof.mixed, proof.verdict)
    4 proved
    """
    known, workers = check_parts(parts), workers_of(client)
    if any(len(epoch) != len(known) for epoch in run.mistakes):
        raise BadArgument(f"The run was made on other parts: {len(known)} are given.")
    u = _own_separator(run) if u is None else check_vector(u, known[0].shape[1], "u")
    held = workers.hold(known)
    starts = run.weights[:-1]

    def ask_extremes(exact):
        return workers.gather([workers.submit(_extremes, part, u, exact) for part in held])

    def ask_facts(R2, gamma, exact):
        tasks = (
            (part, u, starts, [epoch[i] for epoch in run.mistakes], R2, gamma, exact)
            for i, part in enumerate(held)
        )
        return workers.gather([workers.submit(_facts, *task) for task in tasks])

    judged = judge_mixing(run, u, ask_extremes, ask_facts, exact=exact)
    cost = (int(run.counts.sum()) + sum(p.shape[0] for p in known)) * len(u)
    if judged.undecided and not judged.failed and not judged.exact and cost <= EXACT_OPERATIONS:
        return judge_mixing(run, u, ask_extremes, ask_facts, exact=True)
    return judged


def _extremes(part, u, exact):
    X, y = part.load()
    return extremes(X, y, u, exact)


def _facts(part, u, starts, mistakes, R2, gamma, exact):
    X, y = part.load()
    return shard_facts(X, y, u, starts, mistakes, R2, gamma, exact)


def _own_separator(run: MixingRun) -> np.ndarray:
    if not run.converged:
        raise BadArgument("This run has not converged, so its w separates nothing: give u.")
    w = run.w.astype(float)
    if not np.isfinite(w).all():
        raise BadArgument("The run does not fit: its w must be finite numbers.")
    return w / (np.abs(w).max() or 1.0)
