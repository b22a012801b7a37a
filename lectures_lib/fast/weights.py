"""The weights of a linear machine where its multipliers are too coarse to make them.

w = sum alpha y x cancels: where C or 1 / gamma^2 is large, the terms are many times as large as
their sum, and the rounding of alpha alone moves scores by more than a margin. The dual value of
alpha hardly minds. So w is taken from the examples on the margin, which say y f = 1, and alpha
stays what it is: a lower bound. The judge sees both.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from ..proof.rounding import growth
from ..svm.free import NEAR_BOUND
from ..svm.offset import best_offset, is_free
from ..svm.problem import SVMProblem
from .margin import LENGTHENINGS

#: Solve for at most this many examples on the margin.
MAX_FREE = 2_000


def weights_from_margin(
    problem: SVMProblem, alphas: Sequence[np.ndarray], direction: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the alpha of the best dual value, and the w and b of the least objective.

    `direction` is that of a separator, where one is known.
    """
    alpha = max(alphas, key=lambda a: _dual_value(problem, a))
    answers = [(hair * w, hair * b) for w, b in _tried(problem, alphas, direction)
               for hair in (1.0 + np.array(LENGTHENINGS))]  # fmt: skip
    w, b = min(answers, key=lambda answer: _objective(problem, *answer))
    return alpha, w, float(b)


def _tried(problem: SVMProblem, alphas, direction) -> Iterator[tuple[np.ndarray, float]]:
    """Yield weights and offsets: those of alpha, set right on the margin; those of a separator."""
    for alpha in alphas:
        w = (alpha * problem.y) @ problem.Z
        for near in NEAR_BOUND:
            free = is_free(alpha, problem.high, near)
            if 0 < free.sum() <= MAX_FREE:
                fine, b = _on_margin(problem, alpha, w, free)
                yield fine, b
                yield fine, _best_b(problem, fine)
    if direction is not None:
        b = _best_b(problem, direction, hard=True)
        room = float((problem.y * (problem.Z @ direction + b)).min())
        if room > 0:
            yield direction / room, b / room
    w = (alphas[0] * problem.y) @ problem.Z
    yield w, _best_b(problem, w)


def _on_margin(problem: SVMProblem, alpha, w, free) -> tuple[np.ndarray, float]:
    """Return w with the least change that puts the free examples where they belong, twice."""
    rows, b = problem.Z[free], _best_b(problem, w)
    goal = problem.y[free]
    if problem.squared:
        goal = goal * (1.0 - (alpha / (2.0 * problem.C))[free])
    unit = np.abs(rows).max() or 1.0
    system = np.hstack([rows / unit, np.ones((len(rows), 1))]) if problem.offset else rows / unit
    for _ in range(2):
        step = np.linalg.lstsq(system, goal - (rows @ w + b), rcond=None)[0]
        w = w + step[: len(w)] / unit
        b = b + (step[-1] if problem.offset else 0.0)
    return w, float(b)


def _best_b(problem: SVMProblem, w: np.ndarray, *, hard: bool = False) -> float:
    """Return the offset of the least slack, or the one halfway between the classes."""
    if not problem.offset:
        return 0.0
    y, scores = problem.y, problem.Z @ w
    if hard or problem.hard:
        return -0.5 * float(scores[y > 0].min() + scores[y < 0].max())
    costs = problem.C if np.ndim(problem.C) else None
    ends = best_offset(y - scores, y, problem.loss, costs)
    return float(np.mean([v for v in ends if np.isfinite(v)]))


def _objective(problem: SVMProblem, w: np.ndarray, b: float) -> float:
    """Return the primal objective that a judge sees, who adds what rounding may hide."""
    hidden = growth(len(w) + 4) * (np.abs(problem.Z) @ np.abs(w) + abs(b) + 1.0)
    t = problem.y * (problem.Z @ w + b) - hidden
    if problem.hard:
        room = min(float(t.min()), 1.0)
        return 0.5 * float(w @ w) / room**2 if room > 0 else np.inf
    xi = np.maximum(0.0, 1.0 - t)
    return 0.5 * float(w @ w) + float(np.sum(problem.C * (xi * xi if problem.squared else xi)))


def _dual_value(problem: SVMProblem, alpha: np.ndarray) -> float:
    w = (alpha * problem.y) @ problem.Z
    value = float(alpha.sum() - 0.5 * w @ w)
    return value - float(np.sum(alpha * alpha / (4 * problem.C))) if problem.squared else value
