"""Linear support vector machines at scale: dual coordinate descent, then Newton's method."""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._arguments import explained
from ..conventions import check_count, check_rng
from ..linear.problem import check_tolerance, pose
from ..linear.training import LinearMachine, judged
from .descent_loops import Goal, QuickLinearProblem, _descend
from .proximal import proximal_newton
from .rescue import weights_near
from .threads import one_thread

#: Calls cost as much as a pass over this many entries of X.
CHEAP = 100_000
#: A table with more entries, of which one in SPARSE_PART is not 0, is read as a sparse one.
SPARSE_PART = 2
#: Newton's method takes over where features are at most MAX_FEATURES and the descent would still
#: take the work of PATIENCE passes, times what a Newton step costs; for at most MAX_NEWTON_STEPS.
MAX_FEATURES, PATIENCE, MAX_NEWTON_STEPS = 1_000, {"hinge": 20, "squared_hinge": 6}, 200
#: While the gap is large, an example is left out at this share of the slope of Hsieh et al.
EAGER = 0.6


@explained
def linear(
    X: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike = 1.0,
    *,
    loss: str = "hinge",
    constant: float = 0.0,
    rng: int | np.random.Generator | None = 0,
    tol: float = 1e-8,
    max_epochs: int = 10_000,
) -> LinearMachine:
    """Solve the problem of `linear.dual_coordinate_descent` by what is fastest; X may be sparse.

    The descent, in random order and with shrinking, comes near the answer in few passes; the rest
    of the way grows with C. Newton's method goes it in some dozen steps, whatever C is, but each
    costs d^2 for an example and d^3 for itself. So where features are few the descent gives way as
    soon as it is slow. `epochs` counts passes and steps. A sparse X is never made dense.

    Parameters
    ----------
    X, y, C, loss, constant, rng, tol, max_epochs : as in `linear.dual_coordinate_descent`

    Examples
    --------
    >>> X, y = datasets.noisy(500, 10)
    >>> fast.linear(X, y).converged
    True
    """
    found, most = pose(X, y, C, loss, constant), check_count(max_epochs, "max_epochs")
    if found.X.size > CHEAP and not sparse.issparse(found.X):
        if SPARSE_PART * np.count_nonzero(found.X) <= found.X.size:
            found = replace(found, X=sparse.csr_matrix(found.X))
    problem, tol = QuickLinearProblem(**vars(found)), check_tolerance(tol)
    with one_thread():  # a second one waits between products so small, and takes a core to do it
        return _fastest(problem, rng, tol, most)


def _fastest(problem: QuickLinearProblem, rng, tol: float, most: int) -> LinearMachine:
    """Descend; where that is slow, go on by Newton's method; and where that ends, descend again."""
    n, d = problem.X.shape
    size = problem.X.size + 1  # and what a step costs, in passes: the rows' squares, d^3, calls
    step = 1 + size / n / (5 if sparse.issparse(problem.X) else 50) + (d**3 / 30 + CHEAP) / size
    patience = PATIENCE[problem.loss] * step if d <= min(n, MAX_FEATURES) else np.inf
    alpha, epochs, over = _descended(problem, np.zeros(n), 0, rng, tol, patience, most)
    if over:
        answer = judged(problem, alpha, epochs, tol)
        if answer.converged or epochs == most:
            return answer
    alpha, w, steps = proximal_newton(problem, alpha, tol, min(most - epochs, MAX_NEWTON_STEPS))
    answer = _or_with(problem, judged(problem, alpha, epochs + steps, tol), w, tol)
    if answer.converged or answer.epochs == most:
        return answer
    answer = _or_by_margin(problem, answer, tol)
    if answer.converged:
        return answer
    start = answer.alpha.copy(), answer.epochs
    alpha, epochs, _ = _descended(problem, *start, rng, tol, np.inf, most)
    return _or_by_margin(problem, judged(problem, alpha, epochs, tol), tol)


def _descended(
    problem: QuickLinearProblem, alpha, epochs, rng, tol, patience, most
) -> tuple[np.ndarray, int, bool]:
    """Go on from alpha, which is written to, until the gap seems small, the passes are made, or
    the way is long: then, only then, the last answer is False, and nothing is to be judged.
    """
    data, seed = problem.loop_data(), 0 if rng is None else _seed(rng)
    w, order = problem.w(alpha), np.arange(len(alpha), dtype=np.uint32)
    dual, memory = problem.dual(alpha, w), (1.0, np.inf, -np.inf, 0)
    while True:
        goal = Goal(EAGER, tol, float(patience), most - epochs)
        with np.errstate(over="ignore", invalid="ignore"):  # compiled or not: the judge sees it
            passes, seed, far, memory = _descend(*data, w, alpha, order, seed, dual, goal, memory)
        epochs += passes
        w = problem.w(alpha)  # without the rounding errors of many steps
        dual, xi = problem.dual(alpha, w), problem.slacks(w)
        over = epochs == most or bool(problem.primal(w, xi) - dual <= tol * dual)
        if over or far:
            return alpha, epochs, over


def _seed(rng) -> int:
    return int(check_rng(rng).integers(1, 2**31 - 1))


def _or_by_margin(problem: QuickLinearProblem, answer: LinearMachine, tol: float) -> LinearMachine:
    """Return a last answer; where it is not proved, the one of its margin, if that is."""
    return (
        answer
        if answer.converged
        else _or_with(problem, answer, weights_near(problem, answer.alpha), tol)
    )


def _or_with(
    problem: QuickLinearProblem, answer: LinearMachine, w: np.ndarray, tol: float
) -> LinearMachine:
    """Return an answer; where it is not proved, the same alpha beside another w, if that is."""
    if answer.converged:
        return answer
    better = judged(problem, answer.alpha, answer.epochs, tol, w)
    return better if better.converged else answer
