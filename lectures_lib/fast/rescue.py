"""What is tried where the first answer is not proved: other solvers, and weights from the margin.

w = sum alpha y x cancels where C is large, the margin thin, or the data lie far out: the terms are
many times as large as their sum, and the rounding of alpha alone moves scores by more than the gap
that is to be proved. The dual value of alpha hardly minds. So w is taken from the examples on the
margin, which say y f = 1, and alpha stays what it is: a lower bound. The judge sees both.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
from scipy import sparse

from .. import smo
from ..linear.problem import LinearProblem
from ..margins import MaxMargin
from ..proof.rounding import growth
from ..svm.free import NEAR_BOUND, refined
from ..svm.machine import SVMachine, machine, polished_machine
from ..svm.problem import SVMProblem, best_offset, is_free
from ..svm.training import by_hulls, by_primal, by_program, separation

#: Try other solvers up to this n, and up to the second n with a linear kernel: its solvers are
#: quicker.
RESCUED_EXAMPLES, RESCUED_LINEAR = 300, 1_000
#: Where others can be tried, SMO gives way to them after this many steps.
RESCUE_AFTER = 100_000
#: The violation that the last try asks of SMO: near what double precision can hold.
LAST_TOL = 1e-9


def or_rescued(problem: SVMProblem, found: SVMachine) -> SVMachine:
    """Return a solver's machine; where it is not proved and n is small, a better one if there is.

    Where a separator exists and C is large enough, the hard margin is the answer for C, too; SMO
    is right where a quadratic program in other units is not.
    """
    if found.converged or not can_rescue(problem):
        return found
    verdict, tried = separation(problem), [found]
    for solve in _others(problem, verdict):
        answer = solve(problem)
        tried.append(sharper(problem, answer, answer, [answer.alpha], verdict.w))
        if tried[-1].converged:
            break
    return min(tried, key=lambda answer: (not answer.converged, answer.certificate.gap))


def can_rescue(problem: SVMProblem) -> bool:
    """Say whether a problem is small enough for other solvers."""
    largest = RESCUED_LINEAR if problem.linear else RESCUED_EXAMPLES
    return problem.hard or len(problem.y) <= largest


def _others(problem: SVMProblem, verdict: MaxMargin) -> list[Callable[[SVMProblem], SVMachine]]:
    """Return what else can be tried for a problem of this size, the quickest first."""
    if problem.hard:
        return [partial(by_hulls, verdict=verdict)]
    more = [by_program, by_primal] if problem.linear else [by_program]
    last = [_by_smo] if len(problem.y) <= RESCUED_EXAMPLES else []
    return [partial(by_hulls, verdict=verdict), *more, *last]


def _by_smo(problem: SVMProblem) -> SVMachine:
    """Return the machine of SMO to the last digit, in few steps."""
    high: Any = problem.high
    run = smo.second_order(
        problem.inner, problem.y, high, tol=LAST_TOL, max_iterations=RESCUE_AFTER
    )
    return polished_machine(problem, run.alpha)


def sharper(
    problem: SVMProblem,
    found: SVMachine,
    run: object,
    alphas: Sequence[np.ndarray],
    direction: np.ndarray | None = None,
) -> SVMachine:
    """Return a linear machine; where it is not proved, one with weights of its own, if that is.

    They come from the examples on the margin, and from the direction of a separator.
    """
    if found.converged or not problem.linear or not found.separable:
        return found
    fine = refined(problem, alphas[0])
    alpha, w, b = weights_from_margin(problem, [*alphas, *fine], direction)
    better = machine(problem, alpha, run, own=w, own_b=b)
    return better if better.converged else found


#: What "near a bound" may mean for an alpha of a linear machine, relative to its box or to the
#: largest.
NEAR_BOX = (1e-3, 1e-6, 1e-9)
#: Where C is huge even a slack of rounding size is expensive: lengthen w by these shares. The
#: least is 45 eps; the w with the least objective is taken.
LENGTHENINGS = (0.0, 1e-14, 1e-12, 1e-10, 1e-8)
#: Solve for at most this many entries of X, or examples on the margin.
MAX_ENTRIES, MAX_FREE = 100_000, 2_000


def weights_near(problem: LinearProblem, alpha: np.ndarray) -> np.ndarray:
    """Return the whole w of the least objective among those near alpha's."""
    start = problem.w(alpha)
    found = [start]
    if not sparse.issparse(problem.X) and problem.X.size <= MAX_ENTRIES:
        found += [_near_box(problem, alpha, start, near) for near in NEAR_BOX]
    longer = [(1.0 + hair) * w for w in found for hair in LENGTHENINGS]
    with np.errstate(over="ignore"):  # an infinite objective is not chosen
        return min(longer, key=lambda w: problem.primal(w, _slacks(problem, w)))


def weights_from_margin(
    problem: SVMProblem, alphas: Sequence[np.ndarray], direction: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the alpha of the best dual value, and the w and b of the least objective.

    `direction` is that of a separator, where one is known.
    """
    alpha = max(alphas, key=lambda a: _dual_value(problem, a))
    answers = [((1.0 + hair) * w, (1.0 + hair) * b)
               for w, b in _tried(problem, alphas, direction) for hair in LENGTHENINGS]  # fmt: skip
    w, b = min(answers, key=lambda answer: _objective(problem, *answer))
    return alpha, w, float(b)


def _least_change(w: np.ndarray, rows: np.ndarray, goal: np.ndarray, unit: float) -> np.ndarray:
    """Return w with the least change that gives these rows the scores of the goal, twice."""
    for _ in range(2):
        w = w + np.linalg.lstsq(rows / unit, goal - rows @ w, rcond=None)[0] / unit
    return w


def _near_box(problem: LinearProblem, alpha, w: np.ndarray, near: float) -> np.ndarray:
    """Return w, set right on the examples whose alpha is at none of its bounds."""
    low = near * np.minimum(alpha.max(), problem.high)
    below = alpha < np.where(np.isinf(problem.high), np.inf, (1.0 - near) * problem.high)
    free = (alpha > low) & below
    if not free.any():
        return w
    rows = np.column_stack([problem.X[free], np.full(free.sum(), problem.constant)])
    goal = (problem.y * (1.0 - alpha * problem.D))[free]
    return _least_change(w, rows, goal, np.abs(rows).max() or 1.0)


def _slacks(problem: LinearProblem, w: np.ndarray) -> np.ndarray:
    """Return the slacks that a judge sees, who adds what rounding may hide."""
    mass = abs(problem.X) @ np.abs(w[:-1]) + abs(problem.constant * w[-1]) + 1.0
    hidden = growth(problem.X.shape[1] + 4) * mass
    return np.maximum(0.0, 1.0 - problem.y * problem.scores(w) + hidden)


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
    """Return w and its best b, set right on the free examples."""
    rows, goal = problem.Z[free], problem.y[free]
    if problem.squared:
        goal = goal * (1.0 - (alpha / (2.0 * problem.C))[free])
    unit = np.abs(rows).max() or 1.0
    if not problem.offset:
        return _least_change(w, rows, goal, unit), 0.0
    rows = np.column_stack([rows, np.full(len(rows), unit)])
    fine = _least_change(np.append(w, _best_b(problem, w) / unit), rows, goal, unit)
    return fine[:-1], float(fine[-1] * unit)


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
