"""Support vector machines as the lectures pose them, each answer with its certificate.

The standard problem is  half norm(w)^2 + C sum xi  with y (w.x + b) >= 1 - xi and xi >= 0; C = inf
is the hard margin. The dual has a box 0 <= alpha <= C and, with a free offset, sum alpha y = 0.
With ``loss="squared_hinge"`` slack costs C xi^2: the dual loses its upper bound and has
K + I / (2 C) in the place of K, and alpha = 2 C xi. Strong duality makes every answer checkable:
`certificate` takes (K, y, C, alpha, b) alone. `tol` is everywhere the relative duality gap that is
to be proved; `converged` says that it was.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .. import linear, qp, smo
from ..conventions import RTOL
from ..kernels import Kernel, centred, embed
from ..margins import MaxMargin, max_margin
from .machine import SVMachine, inseparable, machine, polished_machine
from .polish import balanced, ridged
from .problem import Problem, posed, refuse_false_kernel

#: SMO is asked for ever smaller violations until the gap is proved: each time by this factor.
TIGHTER = 0.01
#: How often it is asked.
TRIES = 4
#: Up to so many examples another way is tried where an answer is not proved, in so many steps;
#: of a linear kernel, whose ways are quicker, up to so many.
SMALL, STEPS, LINEAR = 300, 100_000, 1_000
#: The rows that `embed` makes of a Gram matrix are known so well: the root of its rounding.
KNOWN = 1e-7
#: So much longer than needed may w be, relative.
HAIR = 1e-9


def train(
    X: ArrayLike,
    y: ArrayLike,
    C: float = 1.0,
    kernel: Kernel | None = None,
    *,
    loss: str = "hinge",
    solver: Callable[..., smo.SMORun] = smo.second_order,
    tol: float = 1e-4,
) -> SVMachine:
    """Train a kernel SVM with a free offset by SMO on the Gram matrix; C = inf: hard margin.

    `solver` is any function of (K, y, C, tol=...) whose answer has `alpha`: see `smo`. It is asked
    for smaller violations until the duality gap is proved to be within `tol`. The squared hinge is
    a hard margin for K + I / (2 C), so every solver can do it.
    """
    problem = posed(X, y, C, kernel, loss=loss, tol=tol)
    if problem.hard:
        return _hard(problem)
    if solver is not smo.second_order:
        return trained(problem, solver)[0]
    return _or_another(problem, trained(problem, partial(solver, **_patience(problem)))[0])


def trained(
    problem: Problem,
    solver: Callable[..., smo.SMORun],
    start: np.ndarray | None = None,
    *,
    polish: bool = True,
) -> tuple[SVMachine, smo.SMORun, int]:
    """Return the machine of a solver on the Gram matrix, its last run, and its steps in all.

    `start` is a feasible alpha, for a solver that takes one; `polish` has the free multipliers
    solved for exactly at the end.
    """
    K = ridged(problem.K, problem.C) if problem.squared else problem.K
    again = getattr(solver, "func", solver) is smo.second_order

    def ask(violation, start):
        told = {} if start is None or not again else {"start": start}
        return solver(K, problem.y, problem.high, tol=violation, **told)

    def build(run):
        if polish:
            return polished_machine(problem, run.alpha, run)
        return machine(problem, balanced(run.alpha, problem.y), run)

    return _until_proved(ask, build, problem.tol, start)


def train_fast(
    X: ArrayLike,
    y: ArrayLike,
    C: float = 1.0,
    kernel: Kernel | None = None,
    *,
    loss: str = "hinge",
    tol: float = 1e-3,
    **options: object,
) -> SVMachine:
    """Train as `train` does, for many examples: by `smo.fast`, without the whole Gram matrix.

    `options` go to `smo.fast`: memory, max_iterations, start.
    """
    problem = posed(X, y, C, kernel, loss=loss, tol=tol)
    if problem.hard:
        return _hard(problem)
    refuse_false_kernel(problem.kernel, problem.X)
    ridge = 0.5 / problem.C if problem.squared else 0.0
    options = _patience(problem) | options

    def ask(violation, start):
        told = options if start is None else options | {"start": start}
        told = told | {"tol": violation, "ridge": ridge}
        return smo.fast(problem.kernel, problem.Z, problem.y, problem.high, **told)

    def build(run):
        return machine(problem, balanced(run.alpha, problem.y), run, whole=False)

    return _or_another(problem, _until_proved(ask, build, tol)[0])


def _patience(problem: Problem) -> dict[str, int]:
    """Return the limit of SMO where another way is tried after it: it may be the faster one."""
    return {"max_iterations": STEPS} if _ways(problem) else {}


def _until_proved(ask, build, tol: float, start=None) -> tuple[SVMachine, smo.SMORun, int]:
    """Ask a solver for ever smaller violations until its machine is proved; keep the best."""
    violation, found, steps = tol, [], 0
    for _ in range(TRIES):
        run = ask(violation, start)
        steps += getattr(run, "iterations", 0)
        found.append((build(run), run))
        if found[-1][0].converged or not getattr(run, "reached_tol", False):
            break
        violation, start = violation * TIGHTER, run.alpha
    best, run = min(found, key=lambda answer: answer[0].certificate.gap)
    return best, run, steps


def dual(
    X: ArrayLike,
    y: ArrayLike,
    C: float = 1.0,
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
    """
    problem = posed(X, y, C, kernel, loss=loss, offset=offset, tol=tol)
    if problem.hard and not (verdict := _separation(problem)).separable:
        return inseparable(problem, verdict)
    if problem.hard and engine is None and len(problem.y) > SMALL:
        return _hard(problem, verdict)
    return _or_another(problem, _by_program(problem, engine))


def _by_program(problem: Problem, engine: str | None = None) -> SVMachine:
    """Solve the dual as a quadratic program, in units where the largest K_ii is 1."""
    y, inner = problem.y, _inner_gram(problem)
    unit = inner.diagonal().max()
    Q = y[:, None] * inner * y[None, :] / unit
    equality = {"A": y[None, :], "b": [0.0]} if problem.offset else {}
    upper = problem.high * unit
    answer = qp.solve(Q, -np.ones(len(y)), lower=0.0, upper=upper, engine=engine, **equality)
    return polished_machine(problem, np.clip(answer.x / unit, 0.0, problem.high), answer)


def _inner_gram(problem: Problem) -> np.ndarray:
    """Return the matrix of the dual: centred, as sum alpha y = 0 allows, and safely convex."""
    K = problem.K
    if problem.offset and not problem.linear:
        K = centred(K)
        K = 0.5 * (K + K.T)
    K = ridged(K, problem.C) if problem.squared else K.copy()
    lost = 4 * len(K) * np.finfo(float).eps * np.abs(problem.K).max()
    K[np.diag_indices(len(K))] += lost or 1e-300  # what rounding may have taken from it
    return K


def primal(
    X: ArrayLike,
    y: ArrayLike,
    C: float = 1.0,
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
    """
    problem = posed(X, y, C, None, loss=loss, offset=offset, tol=tol)
    if problem.hard and not (verdict := _separation(problem)).separable:
        return inseparable(problem, verdict)
    if problem.hard and engine is None and len(problem.y) > SMALL:
        return _hard(problem, verdict)
    return _or_another(problem, _by_primal(problem, engine))


def _by_primal(problem: Problem, engine: str | None = None) -> SVMachine:
    """Solve the primal as a quadratic program, in units where the largest entry of X is 1."""
    Z, (n, d) = problem.Z, problem.Z.shape
    unit = np.abs(Z).max() or 1.0
    rows = np.hstack([Z / unit, np.ones((n, 1))]) if problem.offset else Z / unit
    program = _program(problem.y[:, None] * rows, d, problem.C * unit**2, problem.loss)
    answer = qp.solve(**program, engine=engine)
    alpha = np.clip(answer.z / unit**2, 0.0, problem.high)
    return polished_machine(problem, alpha, answer)


def _program(rows: np.ndarray, d: int, C: float, loss: str) -> dict:
    """Write the primal for rows y (x, 1): unknowns w, perhaps b, and a slack for each row."""
    n, k = rows.shape
    slacks = 0 if np.isinf(C) else n
    squared = loss == "squared_hinge"
    size = 1.0 / np.sqrt(2 * C) if squared else 1.0  # of a slack whose square costs a half
    P = sparse.diags([1.0] * d + [0.0] * (k - d) + [1.0 if squared else 0.0] * slacks)
    q = np.concatenate([np.zeros(k), np.full(slacks, 0.0 if squared or not slacks else C)])
    G = sparse.hstack([-rows, -size * sparse.identity(n)]) if slacks else -rows
    lower = np.concatenate([np.full(k, -np.inf), np.full(slacks, -np.inf if squared else 0.0)])
    return {"P": P, "q": q, "G": G, "h": -np.ones(n), "lower": lower}


def hard_margin(X: ArrayLike, y: ArrayLike, *, offset: bool = True) -> SVMachine:
    """Minimise half norm(w)^2 with y (w.x + b) >= 1: the primal with C = inf (L1, L4, L5)."""
    return primal(X, y, np.inf, offset=offset)


def with_known_margin(X: ArrayLike, y: ArrayLike, gamma: float) -> MaxMargin:
    """Find a unit w with y w.x >= gamma for all examples, gamma being known (L1).

    The answer's `separable` says whether there is one; if not, `dual` < gamma proves it.
    """
    if not gamma > 0:
        raise ValueError(f"gamma must be a number > 0, not {gamma}.")
    best = max_margin(X, y)
    if best.separable and best.gamma < gamma * (1.0 - RTOL):
        fields = {**vars(best), "separable": False, "w": None}
        return MaxMargin(**fields)
    return best


def _or_another(problem: Problem, found: SVMachine) -> SVMachine:
    """Return a solver's machine; where it is not proved and n is small, a better one if there is.

    Where a separator exists and C is large enough, the hard margin is the answer for C, too; SMO
    is right where a quadratic program in other units is not.
    """
    tried = [found]
    for way in _ways(problem):
        if tried[-1].converged:
            break
        tried.append(way(problem))
    return min(tried, key=lambda answer: (not answer.converged, answer.certificate.gap))


def _ways(problem: Problem) -> tuple[Callable[[Problem], SVMachine], ...]:
    """Return what else can be tried for a problem of this size, the quickest first."""
    n = len(problem.y)
    if problem.linear and n <= LINEAR:
        return (_hard, _by_program, _by_primal, *([_by_smo] if n <= SMALL else []))
    return (_hard, _by_program, _by_smo) if n <= SMALL else (_hard,) if problem.hard else ()


def _by_smo(problem: Problem) -> SVMachine:
    """Return the machine of a short SMO; without an offset, of a descent in the dual."""
    K = ridged(problem.K, problem.C) if problem.squared else problem.K
    if problem.hard:
        return _hard(problem)
    if problem.offset:
        alpha = smo.second_order(K, problem.y, problem.high, tol=1e-9, max_iterations=STEPS).alpha
    else:
        rows = problem.Z if problem.linear else embed(problem.K)
        told = {"loss": problem.loss, "tol": problem.tol, "max_epochs": 1000}
        alpha = linear.fast(rows, problem.y, problem.C, **told).alpha
    return polished_machine(problem, alpha)


def _hard(problem: Problem, verdict: MaxMargin | None = None) -> SVMachine:
    """Return the hard margin from the nearest points of the two hulls.

    Their convex weights, over half the squared distance, are the multipliers: w = p / (p.p / 2).
    Without an offset p is the point nearest to 0, and w = p / p.p. With a finite C they are cut to
    their box, which changes nothing where C is large enough; and w is made longer by a hair, since
    a huge C makes even a slack of rounding size expensive.
    """
    verdict = _separation(problem) if verdict is None else verdict
    if not verdict.separable and problem.hard:
        return inseparable(problem, verdict)
    beta = verdict.weights * problem.y
    norm2 = float(beta @ problem.scores(verdict.weights))
    share = (2.0 if problem.offset else 1.0) / norm2 if norm2 > 0 else 0.0
    share *= 1.0 if problem.hard else 1.0 + HAIR
    alpha = np.minimum(verdict.weights * share, problem.high)
    return polished_machine(problem, alpha, direction=verdict.w)


def _separation(problem: Problem) -> MaxMargin:
    if problem.linear:
        return max_margin(problem.X, problem.y, offset=problem.offset)
    return max_margin(embed(problem.K), problem.y, offset=problem.offset, known_to=KNOWN)
