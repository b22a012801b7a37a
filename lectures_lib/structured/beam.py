"""Inexact inference: beam search for taggings, and how to learn with it (L2).

A beam keeps the `width` best beginnings of a tagging. It may lose the best tagging on the way: then
the prediction need not score higher than the right output, and an update need not be justified. Two
cures compare beginnings instead: *early update* stops where the right beginning falls out of the
beam (Collins and Roark 2004), *max-violation* where the beam leads by most (Huang and others 2012).
"""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import explained
from ..conventions import check_choice, check_count
from .chains import Chain
from .decoders import Decoded, Tagging, check_scores
from .learners import Mistake, StructuredRun, _prepare, as_run

Update = Literal["standard", "early", "max-violation"]


@explained
def beam_search(
    E: ArrayLike, P: ArrayLike, width: int, *, Q: ArrayLike | None = None
) -> list[list[Decoded]]:
    """Return the beam after each position: at most `width` beginnings, the best first.

    Ties are decided by the order of a dictionary. With a width of S^n nothing is lost.

    Parameters
    ----------
    E, P, Q : as in `viterbi`
    width : how many beginnings are kept

    Examples
    --------
    >>> structured.beam_search([[1, 0], [0, 2]], [[0, 0], [0, 3]], 1)[-1]
    [Decoded(y=(0, 1), score=np.float64(3.0))]
    """
    E, P, Q = check_scores(E, P, Q)
    check_count(width, "width")
    beam, beams = [Decoded((), 0)], []
    for _ in range(len(E)):
        longer = [
            Decoded((*one.y, s), one.score + _step(E, P, Q, one.y, s))
            for one in beam
            for s in range(E.shape[1])
        ]
        beam = sorted(longer, key=lambda one: (-one.score, one.y))[:width]
        beams.append(beam)
    return beams


@explained
def beam_perceptron(
    problem: Chain,
    X: Sequence[ArrayLike],
    Y: Sequence[Tagging],
    width: int,
    *,
    update: Update = "early",
    step: float = 1.0,
    max_epochs: int = 100,
    order: ArrayLike | None = None,
    rng: int | np.random.Generator | None = None,
) -> StructuredRun:
    """Run the structured perceptron with a beam for its inference.

    Parameters
    ----------
    problem : a `Chain`
    X, Y, step, order, rng : as in `structured_perceptron`
    width : how many beginnings the beam keeps
    update : "standard" compares whole taggings, as if the beam were exact; "early" and
        "max-violation" compare beginnings, and every update raises a score that was too low
    max_epochs : passes at most

    Examples
    --------
    >>> problem, X, Y = structured.greedy_example()
    >>> len(structured.beam_perceptron(problem, X, Y, 1).mistakes)
    4
    """
    check_choice(update, ("standard", "early", "max-violation"), "update")
    Y = [tuple(y) for y in Y]
    passes, theta = _prepare(X, Y, order, rng, step), np.zeros(problem.size)
    found: list[list[Mistake]] = []
    for _ in range(check_count(max_epochs, "max_epochs")):
        found.append([])
        for i in next(passes):
            x, y = np.asarray(X[i], float), Y[i]
            mistake = _mistake(problem, theta, x, y, width, update)
            if mistake is not None:
                m, y_star = mistake
                theta = theta + step * (problem.f(x[:m], y[:m]) - problem.f(x[:m], y_star))
                found[-1].append(Mistake(int(i), y_star, m))
        if not found[-1]:
            break
    return as_run(theta, theta, found, float(step))


@explained
def greedy_example() -> tuple[Chain, list[np.ndarray], list[Tagging]]:
    """Return the smallest example on which a beam of 1 needs early updates.

    One word, "aab", tagged 1, 0, 1; two letters, two tags. With exact search one mistake is made;
    with a beam of 1 and whole taggings compared, mistakes without end, because some updates raise a
    score that was the higher one already; early update and max-violation end after four. No word of
    one or two letters is such a trap, and of the words of three letters a or b only this one and
    "bba" are cured. ("aaa", tagged 0, 0, 1, is not: a after tag 0 must be 0, and then 1.)

    Examples
    --------
    >>> problem, X, Y = structured.greedy_example()
    >>> structured.structured_perceptron(problem, X, Y).converged
    True
    """
    a, b = [1.0, 0.0], [0.0, 1.0]
    return Chain(2, ("a", "b")), [np.array([a, a, b])], [(1, 0, 1)]


def _mistake(
    problem: Chain, theta: np.ndarray, x: np.ndarray, y: Tagging, width: int, update: Update
) -> tuple[int, Tagging] | None:
    """Return where to compare and what the beam says up to there, or None if it is right."""
    E, P, Q = problem.scores(theta, x)
    beams = beam_search(E, P, width, Q=Q)
    n = len(y)
    lost = next((m for m in range(1, n + 1) if all(y[:m] != b.y for b in beams[m - 1])), n)
    if beams[-1][0].y == y:
        return None
    if update == "standard":
        m = n
    elif update == "early":
        m = lost
    else:
        m = max(range(1, n + 1), key=lambda m: _lead(problem, theta, x, y, beams, m))
    return m, beams[m - 1][0].y


def _lead(problem: Chain, theta, x, y: Tagging, beams: list[list[Decoded]], m: int) -> float:
    """Return by how much the best beginning of m tags leads; equal ones do not count."""
    best = beams[m - 1][0]
    if best.y == y[:m]:
        return -np.inf
    right = Decoded((), 0)
    E, P, Q = problem.scores(theta, x[:m])
    for s in y[:m]:
        right = Decoded((*right.y, s), right.score + _step(E, P, Q, right.y, s))
    return best.score - right.score


def _step(E: np.ndarray, P: np.ndarray, Q: np.ndarray | None, y: Tagging, s: int) -> float:
    """Return what it adds to put tag s after the beginning y."""
    t = len(y)
    value = E[t, s]
    if t > 0:
        value = value + P[y[-1], s]
    if t > 1 and Q is not None:
        value = value + Q[y[-2], y[-1], s]
    return value
