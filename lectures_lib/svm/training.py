"""Training: by SMO on the Gram matrix, and by the quadratic programs of the lectures."""

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from .. import qp, smo
from .._arguments import BadArgument, explained
from .._result import with_fields
from ..conventions import RTOL, check_positive
from ..kernels import Kernel, centred, embed
from ..kernels.gram import KNOWN_TO
from ..margins import MaxMargin, max_margin
from .machine import SVMachine, inseparable, machine, polished_machine, with_spares
from .problem import SVMProblem, add_ridge, balanced, pose
from .programs import dual_program, general_primal_program

#: SMO is asked for violations of this part of `tol`. Of 1, 0.1, ..., 1e-4 it is the first that
#: proves every machine of notebook 14; it takes 1.0 to 1.4 times the steps of 0.1.
SHARE = 1e-3
#: The hard margin of more examples is found by hulls, unless an engine is named.
QP_EXAMPLES = 300
#: With a finite C the hard margin's w is longer by this share, so that rounding leaves no slack.
STRETCH = 1e-9
#: Below this a float has lost digits.
TINIEST = np.finfo(float).tiny


@explained
def train(
    X: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike = 1.0,
    kernel: Kernel | None = None,
    *,
    loss: str = "hinge",
    solver: Callable[..., smo.SMORun] = smo.second_order,
    tol: float = 1e-4,
) -> SVMachine:
    """Train a kernel SVM with a free offset: pose the problem, solve its dual, judge the answer.

    Where `converged` is False the answer is not proved: `fast.svm` and `estimators.SVM` try harder.

    Parameters
    ----------
    X, y : examples that the kernel takes, and their labels -1 and +1.
    C : the price of slack, one or one per example, which may be 0. inf is the hard margin, which is
        no task for SMO: the nearest points of the two hulls give it, whatever the solver.
    kernel : `kernels.Linear()` if None.
    loss : "hinge", or "squared_hinge": a hard margin for K + I / (2 C), so every solver can do it.
    solver : a function of (K, y, C, tol=...) whose answer has `alpha`, see `smo`. The machine is
        that solver's answer, with b and certificate; only sum alpha y is made 0 where it is not.
    tol : the relative duality gap to be proved; the solver is asked for a thousandth of it.

    Examples
    --------
    >>> X, y = datasets.xor()
    >>> machine = svm.train(X, y, 10.0, kernels.Polynomial(2))
    >>> print(machine.predict(X), machine.certificate.holds)
    [-1.  1.  1. -1.] True
    """
    problem = pose(X, y, C, kernel, loss=loss, tol=tol)
    if problem.hard:
        return by_hulls(problem)
    run = solver(problem.inner, problem.y, problem.high, tol=SHARE * tol)
    return machine(problem, balanced(run.alpha, problem.y), run)


@explained
@with_spares
def dual(
    X: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike = 1.0,
    kernel: Kernel | None = None,
    *,
    loss: str = "hinge",
    offset: bool = True,
    engine: str | None = None,
    tol: float = 1e-4,
) -> SVMachine:
    """Solve the Lagrangian dual as a quadratic program (L1, L4).

    maximise sum alpha - half sum alpha_i alpha_j y_i y_j K_ij over 0 <= alpha <= C and, with an
    offset, sum alpha y = 0. Squared hinge: over 0 <= alpha, with K + I / (2 C) for K.

    Parameters
    ----------
    X, y, C, kernel, loss, tol : as in `train`
    offset : b is free, so alpha balances
    engine : of `qp.solve`

    Examples
    --------
    >>> svm.dual([[1.0], [-1.0]], [1, -1], 9.0).alpha.round(4)
    array([0.5, 0.5])
    """
    problem = pose(X, y, C, kernel, loss=loss, offset=offset, tol=tol)
    return _by_engine(problem, by_program, engine)


@explained
@with_spares
def primal(
    X: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike = 1.0,
    *,
    loss: str = "hinge",
    offset: bool = True,
    engine: str | None = None,
    tol: float = 1e-4,
) -> SVMachine:
    """Solve the soft-margin primal as a quadratic program in w, b and the slacks (L1, L3, L4, L5).

    minimise half norm(w)^2 + C sum xi with y (w.x + b) >= 1 - xi, xi >= 0. The multipliers of the
    first constraints are the alpha of the dual. C = inf drops the slacks: the hard margin. With
    the squared hinge C sum xi^2 needs no xi >= 0: a negative slack would only cost.

    Parameters
    ----------
    X, y, C, loss, tol : as in `train`, of the linear kernel
    offset : there is a b, free of charge
    engine : of `qp.solve`

    Examples
    --------
    >>> svm.primal([[1.0], [-1.0]], [1, -1], 9.0).w.round(4)
    array([1.])
    """
    problem = pose(X, y, C, None, loss=loss, offset=offset, tol=tol)
    return _by_engine(problem, by_primal, engine)


def _by_engine(problem: SVMProblem, program: Callable[..., SVMachine], engine) -> SVMachine:
    """Solve a quadratic program; for C = inf ask first whether a separator exists.

    Many examples with a hard margin are left to `by_hulls`, unless an engine is named.
    """
    if problem.hard and not (verdict := separation(problem)).separable:
        return inseparable(problem, verdict)
    if problem.hard and engine is None and len(problem.y) > QP_EXAMPLES:
        return by_hulls(problem, verdict)
    _check_price(problem)
    return program(problem, engine)


def _check_price(problem: SVMProblem) -> None:
    """Say so where C K(x, x), by which a program is scaled, is 0 or infinite in floating point."""
    with np.errstate(over="ignore", under="ignore"):
        price = np.asarray(problem.C) * max(float(problem.K.diagonal().max()), 1e-300)
    if not problem.hard and not (price.min() >= TINIEST and price.max() < 1e290):
        raise BadArgument(
            f"C times K(x, x) is about {float(price.min()):.1g}, too far from 1 for a quadratic "
            "program in floating point: scale X, or choose another C."
        )


@explained
def hard_margin(X: ArrayLike, y: ArrayLike, *, offset: bool = True) -> SVMachine:
    """Minimise half norm(w)^2 with y (w.x + b) >= 1: the primal with C = inf (L1, L4, L5).

    Parameters
    ----------
    X, y : (n, d) examples and (n,) labels
    offset : there is a b, free of charge

    Examples
    --------
    >>> machine = svm.hard_margin([[1.0], [3.0]], [-1, 1])
    >>> print(machine.w.round(4), round(machine.b, 4))
    [1.] -2.0
    """
    return primal(X, y, np.inf, offset=offset)


@explained
def with_known_margin(X: ArrayLike, y: ArrayLike, gamma: float) -> MaxMargin:
    """Find a unit w with y w.x >= gamma for all examples, gamma being known (L1).

    The answer's `separable` says whether there is one; if not, `dual` < gamma proves it.

    Parameters
    ----------
    X, y : (n, d) examples and (n,) labels
    gamma : the margin, above 0

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> svm.with_known_margin(X, y, 0.9).separable
    True
    """
    gamma = check_positive(gamma, "gamma")
    best = max_margin(X, y)
    if best.separable and best.gamma < gamma * (1.0 - RTOL):
        impossible = best.certificate is not None and best.certificate.dual.high < gamma
        return with_fields(best, separable=False, w=None, asked=gamma, converged=impossible)
    return best


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
    K = add_ridge(K, problem.C) if problem.squared else K.copy()
    lost = 4 * len(K) * np.finfo(float).eps * np.abs(problem.K).max()
    K[np.diag_indices(len(K))] += lost or 1e-300  # what rounding may have taken from it
    return K


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
    share *= 1.0 if problem.hard else 1.0 + STRETCH
    alpha = np.minimum(verdict.weights * share, problem.high)
    found = polished_machine(problem, alpha)
    if found.converged or verdict.w is None or not (problem.hard and problem.linear):
        return found
    w, b = _separator(problem, verdict.w)  # alpha is too coarse to make them
    return machine(problem, found.alpha, own=w, own_b=b)


def _separator(problem: SVMProblem, direction: np.ndarray) -> tuple[np.ndarray, float]:
    """Return w and b along a direction such that the nearest example has y f = 1."""
    scores = problem.Z @ direction
    ends = scores[problem.y > 0].min(), scores[problem.y < 0].max()
    b = -0.5 * (ends[0] + ends[1]) if problem.offset else 0.0
    room = float((problem.y * (scores + b)).min())
    return direction / room, float(b) / room


def separation(problem: SVMProblem) -> MaxMargin:
    """Return the largest margin in phi-space, or the proof that there is none."""
    if problem.linear:
        return max_margin(problem.X, problem.y, offset=problem.offset)
    return max_margin(embed(problem.K), problem.y, offset=problem.offset, known_to=KNOWN_TO)
