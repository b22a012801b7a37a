"""Other solvers for a problem that the first left unproved, where it is small enough to try."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from .. import smo
from ..margins import MaxMargin
from ..svm.free import refined
from ..svm.machine import SVMachine, machine, polished_machine
from ..svm.problem import SVMProblem
from ..svm.training import by_hulls, by_primal, by_program, separation
from .margin import weights_from_margin

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
    fine = refined(problem.K, problem.y, problem.C, alphas[0], problem.offset, problem.loss)
    alpha, w, b = weights_from_margin(problem, [*alphas, *fine], direction)
    better = machine(problem, alpha, run, own=w, own_b=b)
    return better if better.converged else found
