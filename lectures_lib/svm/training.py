"""Training: by SMO on the Gram matrix, and by the quadratic programs of the lectures."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import smo
from .._door import door
from ..conventions import RTOL, check_count, check_positive
from ..fast.rescue import (
    SMALL,
    STEPS,
    by_hulls,
    by_primal,
    by_program,
    or_another,
    separation,
    ways,
)
from ..fast.threads import one_thread
from ..kernels import Gaussian, Kernel
from ..margins import MaxMargin, max_margin
from ..smo.solvers import second_order_of_valid
from .machine import SVMachine, inseparable, machine, polished_machine
from .polish import balanced, ridged
from .problem import SVMProblem, posed, refuse_false_kernel

#: SMO is asked for ever smaller violations until the gap is proved: each time by this factor.
TIGHTER = 0.01
#: Of the tolerance a gap by scores with rounding errors may take so much: the proof has its own.
SURE = 0.9
#: How often it is asked.
TRIES = 4
#: For a relative gap of this and more single precision is tried first, for so many steps for each
#: example; double precision gets so many, if the caller sets no limit.
SINGLE, QUICK, MOST = 1e-5, 50, 10_000_000


@door
def train(
    X: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike = 1.0,
    kernel: Kernel | None = None,
    *,
    loss: str = "hinge",
    solver: Callable[..., smo.SMORun] | None = None,
    polish: bool | None = None,
    tol: float = 1e-4,
) -> SVMachine:
    """Train a kernel SVM with a free offset by SMO on the Gram matrix.

    Parameters
    ----------
    X, y : examples that the kernel takes, and their labels -1 and +1.
    C : the price of slack, one or one per example. inf is the hard margin, which is no task for
        SMO: the nearest points of the two hulls give it, whatever the solver.
    kernel : `kernels.Linear()` if None.
    loss : "hinge", or "squared_hinge": a hard margin for K + I / (2 C), so every solver can do it.
    solver : a function of (K, y, C, tol=...) whose answer has `alpha`, see `smo`. The machine is
        that solver's answer, with b and certificate; only sum alpha y is made 0 where it is not.
        None: `smo.second_order`, polished, and another way where that leaves a small problem open.
    polish : solve for the free multipliers exactly and keep what is better. None: not if a solver
        is named.
    tol : the relative duality gap to be proved; a solver is asked for smaller violations until it
        is.

    Examples
    --------
    >>> X, y = datasets.xor()
    >>> machine = svm.train(X, y, 10.0, kernels.Polynomial(2))
    >>> print(machine.predict(X), machine.certificate.holds)
    [-1.  1.  1. -1.] True
    """
    problem = posed(X, y, C, kernel, loss=loss, tol=tol)
    if problem.hard:
        return by_hulls(problem)
    if solver is not None:
        return trained(problem, solver, polish=bool(polish))[0]
    told = partial(smo.second_order, **_patience(problem))
    return or_another(problem, trained(problem, told, polish=polish is not False)[0])


@door
def trained(
    problem: SVMProblem,
    solver: Callable[..., smo.SMORun],
    start: np.ndarray | None = None,
    *,
    polish: bool = True,
) -> tuple[SVMachine, smo.SMORun, int]:
    """Return the machine of a solver on the Gram matrix, its last run, and its steps in all.

    `start` is a feasible alpha, for a solver that takes one; `polish` has the free multipliers
    solved for exactly at the end. Without it SMO goes on until the gap is small by its own scores.
    """
    K = ridged(problem.K, problem.C) if problem.squared else problem.K
    again = getattr(solver, "func", solver) is smo.second_order
    if again and problem.kernel.valid:
        goal = None if polish or np.isinf(problem.high).any() else SURE * problem.tol
        solver = partial(second_order_of_valid, gap=goal, **getattr(solver, "keywords", {}))

    def ask(violation, start):
        told = {} if start is None or not again else {"start": start}
        return solver(K, problem.y, problem.high, tol=violation, **told)

    def build(run):
        if polish:
            return polished_machine(problem, run.alpha, run)
        scores = problem.kept(run.alpha, run.F) if again and not problem.linear else None
        return machine(problem, balanced(run.alpha, problem.y), run, scores=scores)

    return _until_proved([ask], build, problem.tol, start)


@door
def train_fast(
    X: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike = 1.0,
    kernel: Kernel | None = None,
    *,
    loss: str = "hinge",
    tol: float = 1e-3,
    **options: object,
) -> SVMachine:
    """Train as `train` does, for many examples: by `smo.fast`, without the whole Gram matrix.

    `options` go to `smo.fast`: memory, max_iterations, start.

    Parameters
    ----------
    X, y, C, kernel, loss, tol : as in `train`
    options : for `smo.fast`: memory, max_iterations, start

    Examples
    --------
    >>> X, y = datasets.noisy(300)
    >>> svm.train_fast(X, y, 1.0, kernels.Gaussian(0.5)).converged
    True
    """
    problem = posed(X, y, C, kernel, loss=loss, tol=tol)
    if problem.hard:
        return by_hulls(problem)
    refuse_false_kernel(problem.kernel, problem.X)
    ridge = 0.5 / problem.C if problem.squared else 0.0
    options = _patience(problem) | options
    limit: Any = options.get("max_iterations", MOST)
    most = check_count(limit, "max_iterations")
    if not problem.squared:
        options = {"gap": SURE * tol} | options

    def ask(violation, start, single=False):
        told: dict[str, Any] = options | {"tol": violation, "ridge": ridge, "single": single}
        told |= {"max_iterations": quick} if single else {}
        if start is not None:  # far out, rounding takes it off balance
            told["start"] = balanced(start, problem.y)
        return smo.fast(problem.kernel, problem.Z, problem.y, problem.high, **told)

    def build(run):
        alpha, scores = balanced(run.alpha, problem.y), problem.kept(run.alpha, run.F)
        return machine(problem, alpha, run, scores=scores, whole=False, sharpen=True)

    asks, quick = [ask], QUICK * len(problem.y)
    if tol >= SINGLE and isinstance(problem.kernel, Gaussian) and quick <= most:
        asks.insert(0, partial(ask, single=True))
    with one_thread():  # a second one waits between products so small, and takes a core to do it
        return or_another(problem, _until_proved(asks, build, tol)[0])


def _patience(problem: SVMProblem) -> dict[str, int]:
    """Return the limit of SMO where another way is tried after it: it may be the faster one."""
    return {"max_iterations": STEPS} if ways(problem) else {}


def _until_proved(asks, build, tol: float, start=None) -> tuple[SVMachine, smo.SMORun, int]:
    """Ask solvers, the quickest first, then the last for ever smaller violations; keep the best.

    The first machine that is proved ends it.
    """
    violation, found, steps = tol, [], 0
    for attempt in range(len(asks) - 1 + TRIES):
        run = asks[min(attempt, len(asks) - 1)](violation, start)
        steps += getattr(run, "iterations", 0)
        found.append((build(run), run))
        last = attempt >= len(asks) - 1
        if found[-1][0].converged or (last and not getattr(run, "reached_tol", False)):
            break
        start, violation = run.alpha, violation * (TIGHTER if last else 1.0)
    best, run = min(found, key=lambda answer: answer[0].certificate.gap)
    return replace(best, iterations=steps), run, steps


@door
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
    problem = posed(X, y, C, kernel, loss=loss, offset=offset, tol=tol)
    return _by_engine(problem, by_program, engine)


@door
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
    problem = posed(X, y, C, None, loss=loss, offset=offset, tol=tol)
    return _by_engine(problem, by_primal, engine)


def _by_engine(problem: SVMProblem, program: Callable[..., SVMachine], engine) -> SVMachine:
    """Solve a quadratic program; a hard margin only where there is one, and few examples."""
    if problem.hard and not (verdict := separation(problem)).separable:
        return inseparable(problem, verdict)
    if problem.hard and engine is None and len(problem.y) > SMALL:
        return by_hulls(problem, verdict)
    return or_another(problem, program(problem, engine))


@door
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


@door
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
        fields = {**vars(best), "separable": False, "w": None}
        return MaxMargin(**fields)
    return best
