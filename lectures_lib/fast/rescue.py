"""Other ways to the same answer, for problems so small that a proof is worth a second try."""

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import linear, qp, smo
from ..kernels import centred, embed
from ..margins import MaxMargin, max_margin
from ..svm.machine import SVMachine, inseparable, polished_machine
from ..svm.polish import ridged
from ..svm.problem import SVMProblem
from ..svm.programs import dual_program, general_primal_program

#: Up to so many examples another way is tried where an answer is not proved, in so many steps;
#: of a linear kernel, whose ways are quicker, up to so many.
SMALL, STEPS, LINEAR = 300, 100_000, 1_000
#: The rows that `embed` makes of a Gram matrix are known so well: the root of its rounding.
KNOWN = 1e-7
#: So much longer than needed may w be, relative.
HAIR = 1e-9


def or_another(problem: SVMProblem, found: SVMachine) -> SVMachine:
    """Return a solver's machine; where it is not proved and n is small, a better one if there is.

    Where a separator exists and C is large enough, the hard margin is the answer for C, too; SMO
    is right where a quadratic program in other units is not.
    """
    tried = [found]
    for way in ways(problem):
        if tried[-1].converged:
            break
        tried.append(way(problem))
    return min(tried, key=lambda answer: (not answer.converged, answer.certificate.gap))


def ways(problem: SVMProblem) -> tuple[Callable[[SVMProblem], SVMachine], ...]:
    """Return what else can be tried for a problem of this size, the quickest first."""
    n = len(problem.y)
    if problem.linear and n <= LINEAR:
        return (by_hulls, by_program, by_primal, *([by_smo] if n <= SMALL else []))
    return (by_hulls, by_program, by_smo) if n <= SMALL else (by_hulls,) if problem.hard else ()


def by_primal(problem: SVMProblem, engine: str | None = None) -> SVMachine:
    """Solve the primal as a quadratic program, in units where the largest entry of X is 1."""
    unit = np.abs(problem.Z).max() or 1.0
    scaled = problem.Z / unit, problem.y, problem.C * unit**2
    program = general_primal_program(*scaled, loss=problem.loss, offset=problem.offset)
    answer = qp.solve(**program, engine=engine)
    alpha = np.clip(answer.z / unit**2, 0.0, problem.high)
    return polished_machine(problem, alpha, answer)


def by_program(problem: SVMProblem, engine: str | None = None) -> SVMachine:
    """Solve the dual as a quadratic program, in units where the largest K_ii is 1."""
    inner = _inner_gram(problem)
    unit = inner.diagonal().max()
    inner /= unit
    program = dual_program(inner, problem.y, problem.high * unit, offset=problem.offset)
    answer = qp.solve(**program, engine=engine)
    return polished_machine(problem, np.clip(answer.x / unit, 0.0, problem.high), answer)


def _inner_gram(problem: SVMProblem) -> np.ndarray:
    """Return the matrix of the dual: centred, as sum alpha y = 0 allows, and safely convex."""
    K = problem.K
    if problem.offset and not problem.linear:
        K = centred(K)
        K = 0.5 * (K + K.T)
    K = ridged(K, problem.C) if problem.squared else K.copy()
    lost = 4 * len(K) * np.finfo(float).eps * np.abs(problem.K).max()
    K[np.diag_indices(len(K))] += lost or 1e-300  # what rounding may have taken from it
    return K


def by_smo(problem: SVMProblem) -> SVMachine:
    """Return the machine of a short SMO; without an offset, of a descent in the dual."""
    K = ridged(problem.K, problem.C) if problem.squared else problem.K
    if problem.hard:
        return by_hulls(problem)
    if problem.offset:
        high: Any = problem.high
        alpha = smo.second_order(K, problem.y, high, tol=1e-9, max_iterations=STEPS).alpha
    else:
        rows = problem.Z if problem.linear else embed(problem.K)
        told: dict[str, Any] = {"loss": problem.loss, "tol": problem.tol, "max_epochs": 1000}
        alpha = linear.fast(rows, problem.y, problem.C, **told).alpha
    return polished_machine(problem, alpha)


def by_hulls(problem: SVMProblem, verdict: MaxMargin | None = None) -> SVMachine:
    """Return the hard margin from the nearest points of the two hulls.

    Their convex weights, over half the squared distance, are the multipliers: w = p / (p.p / 2).
    Without an offset p is the point nearest to 0, and w = p / p.p. With a finite C they are cut to
    their box, which changes nothing where C is large enough; and w is made longer by a hair, since
    a huge C makes even a slack of rounding size expensive.
    """
    verdict = separation(problem) if verdict is None else verdict
    if not verdict.separable and problem.hard:
        return inseparable(problem, verdict)
    beta = verdict.weights * problem.y
    norm2 = float(beta @ problem.scores(verdict.weights))
    share = (2.0 if problem.offset else 1.0) / norm2 if norm2 > 0 else 0.0
    share *= 1.0 if problem.hard else 1.0 + HAIR
    alpha = np.minimum(verdict.weights * share, problem.high)
    return polished_machine(problem, alpha, direction=verdict.w)


def separation(problem: SVMProblem) -> MaxMargin:
    """Return the largest margin in phi-space, or the proof that there is none."""
    if problem.linear:
        return max_margin(problem.X, problem.y, offset=problem.offset)
    return max_margin(embed(problem.K), problem.y, offset=problem.offset, known_to=KNOWN)
