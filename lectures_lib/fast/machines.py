"""Support vector machines for many examples, for folds, and for problems that resist."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import smo as plain
from .._arguments import explained
from .._result import with_fields
from ..conventions import check_count
from ..kernels import Gaussian, Given, Kernel
from ..svm.machine import SVMachine, machine, polished_machine, with_spares
from ..svm.problem import balanced
from ..svm.training import by_hulls, separation
from .decomposition import second_order_of_valid, solved, steps_by_rows
from .problems import QuickProblem, quick_problem, refuse_false_kernel, with_all
from .rescue import RESCUE_AFTER, can_rescue, or_rescued, sharper
from .threads import one_thread

#: Up to this n the Gram matrix is held; beyond, rows of K as needed.
HELD_EXAMPLES = 600
#: Up to this n SMO costs little: without a polish ask it for this part of the violation.
FEW_EXAMPLES, FINE_TOL = 200, 1e-6
#: SMO is asked for ever smaller violations until the gap is proved: each time by this factor.
TIGHTER = 0.01
#: A gap by scores with rounding errors may take this part of the tolerance: the proof adds its own.
SURE = 0.9
#: How often the last solver is asked.
TRIES = 4
#: Single precision is tried first for a relative gap of SINGLE and more, QUICK steps per example.
SINGLE, QUICK = 1e-5, 50
#: Steps in double precision at most, if the caller sets no limit.
MAX_ITERATIONS = 10_000_000


@explained
@partial(with_spares, pose=with_all)
def svm(
    X: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike = 1.0,
    kernel: Kernel | None = None,
    *,
    loss: str = "hinge",
    tol: float = 1e-3,
    **options: object,
) -> SVMachine:
    """Train as `svm.train` does, for many examples and for hard cases.

    Few examples have their Gram matrix held; many are solved by `fast.smo`, which holds some rows.
    Where the answer is not proved, it is polished, and other solvers are tried, if n allows.

    Parameters
    ----------
    X, y, C, kernel, loss, tol : as in `svm.train`; of several C some may be 0
    options : for `fast.smo`: memory, max_iterations, start

    Examples
    --------
    >>> X, y = datasets.noisy(300)
    >>> fast.svm(X, y, 1.0, kernels.Gaussian(0.5)).converged
    True
    """
    few = len(np.shape(X)) > 0 and np.shape(X)[0] <= HELD_EXAMPLES and not options
    tiles = not (few or isinstance(kernel, Given))
    problem = quick_problem(X, y, C, kernel, loss=loss, tol=tol, in_tiles=tiles)
    if problem.hard:
        verdict = separation(problem)
        found = by_hulls(problem, verdict)
        return sharper(problem, found, found, [found.alpha], verdict.w)
    if few:
        most = RESCUE_AFTER if can_rescue(problem) else MAX_ITERATIONS
        found = from_gram(problem, polish=False, max_iterations=most)[0]
        if not found.converged:
            found = from_gram(problem, max_iterations=most)[0]
        return or_rescued(problem, found)
    if problem.in_tiles:
        refuse_false_kernel(problem.kernel, problem.X)
    with one_thread():  # a second one waits between products so small, and takes a core to do it
        return or_rescued(problem, _in_subproblems(problem, options))


def from_gram(
    problem: QuickProblem,
    start: np.ndarray | None = None,
    *,
    polish: bool = True,
    max_iterations: int = MAX_ITERATIONS,
) -> tuple[SVMachine, plain.SMORun, int]:
    """Return the machine of SMO on the Gram matrix, its last run, and its steps in all.

    `start` is a feasible alpha; `polish` has the free multipliers solved for exactly at the end.
    Without it SMO goes on until the gap is small by its own scores.
    """
    solver: Callable[..., plain.SMORun] = partial(plain.second_order, max_iterations=max_iterations)
    if problem.kernel.valid:
        goal = None if polish or np.isinf(problem.high).any() else SURE * problem.tol
        solver = partial(second_order_of_valid, gap=goal, max_iterations=max_iterations)
    inner = problem.inner

    def ask(violation, start):
        return solver(inner, problem.y, problem.high, tol=violation, start=start)

    def build(run):
        if polish:
            found = polished_machine(problem, run.alpha, run)
            return sharper(problem, found, run, [found.alpha])
        scores = None if problem.linear else problem.kept(run.alpha, run.F)
        return machine(problem, balanced(run.alpha, problem.y), run, scores=scores)

    few = len(problem.y) <= FEW_EXAMPLES and not polish
    return until_proved([ask], build, problem.tol * (FINE_TOL if few else 1.0), start)


def _in_subproblems(problem: QuickProblem, options: dict[str, Any]) -> SVMachine:
    """Return the machine of `fast.smo`: in single precision where that will do, then in double."""
    if can_rescue(problem):  # another solver may then be the faster one
        options = {"max_iterations": RESCUE_AFTER} | options
    most = check_count(options.get("max_iterations", MAX_ITERATIONS), "max_iterations")
    held = isinstance(problem.kernel, Given) and "memory" not in options  # as it was given
    memory = {"memory": options["memory"]} if "memory" in options else {}
    options = {name: v for name, v in options.items() if name != "memory"}
    if not problem.squared:
        options = {"gap": SURE * problem.tol} | options

    def ask(violation, start, single=False, **more):
        if start is not None:  # far out, rounding takes it off balance
            more["start"] = balanced(start, problem.y)
        given = options | {"tol": violation} | more
        if held:
            return second_order_of_valid(problem.inner, problem.y, problem.high, **given)
        ridge = 0.5 / problem.C if problem.squared else 0.0
        steps = steps_by_rows(problem.kernel, problem.Z, ridge, single=single, **memory)
        return solved(steps, problem.y, problem.high, **given)

    def build(run):
        alpha, scores = balanced(run.alpha, problem.y), problem.kept(run.alpha, run.F)
        return sharper(problem, machine(problem, alpha, run, scores=scores), run, [alpha])

    asks, quick = [ask], QUICK * len(problem.y)
    if problem.tol >= SINGLE and isinstance(problem.kernel, Gaussian) and quick <= most:
        asks.insert(0, partial(ask, single=True, max_iterations=quick))
    return until_proved(asks, build, problem.tol)[0]


def until_proved(
    asks: Sequence[Callable], build: Callable, violation: float, start: np.ndarray | None = None
) -> tuple[SVMachine, plain.SMORun, int]:
    """Ask solvers, the quickest first, then the last for ever smaller violations; keep the best.

    The first machine that is proved ends it.
    """
    found, steps = [], 0
    for attempt in range(len(asks) - 1 + TRIES):
        run = asks[min(attempt, len(asks) - 1)](violation, start)
        run = with_fields(run, iterations=steps + run.iterations) if steps else run
        steps = run.iterations
        found.append((build(run), run))
        last = attempt >= len(asks) - 1
        if found[-1][0].converged or (last and not run.reached_tol):
            break
        start, violation = run.alpha, violation * (TIGHTER if last else 1.0)
    best, run = min(found, key=lambda answer: answer[0].certificate.gap)
    return best, run, steps
