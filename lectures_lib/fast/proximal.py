"""Newton's method for both losses where features are few: steps that do not care about C.

The squared hinge is smooth, the hinge is not. So the dual is solved in stages, each of which keeps
alpha near the last stage's, `old`:

    maximise  dual(alpha) - sum (alpha_i - old_i)^2 / (2 reach C_i)      (proximal points)

In its primal each example's loss has a round corner, and with r_i = 1 - y_i w.x_i the alpha of w is

    alpha_i = (pull_i + r_i) / soft_i, kept in [0, high_i]

where soft_i = D_i + 1 / (reach C_i) and pull_i = old_i / (reach C_i). Only the alphas that are free
bend the objective, and they are few. The squared hinge needs one stage, with reach infinite.
"""

import numpy as np
from scipy.linalg.lapack import dposv

from .._jit import jit
from .descent_loops import QuickLinearProblem

#: The reach of the first stage, and how it grows from one to the next.
REACH, GROWTH = 10.0, 3.0
#: A stage is over when what is missing in it is this share of the whole gap.
STAGE_OVER = 0.1
#: A line search is over when the slope has fallen to this share; it may be as long as a step of
#: the slope itself is too long, in halvings: data of size 1e8 and a huge C need a hundred.
FLAT, HALVINGS = 0.1, 200
#: With a gap of this share of what is allowed, alpha's own w will not become good enough any more.
LEFT = 1e-3
#: Where rounding makes the bent matrix singular, its diagonal is raised by this, relative.
HEAVIER = (1e-15, 1e-13, 1e-11, 1e-9)


@jit
def _along(t, r, q, pull, soft, high, alpha):
    """Write the alpha of r - t q; return sum alpha q, and how fast it falls with t."""
    total, bend = 0.0, 0.0
    for i in range(r.size):
        a = (pull[i] + r[i] - t * q[i]) / soft[i]
        if a <= 0.0:
            a = 0.0
        elif a >= high[i]:
            a = high[i]
        else:
            bend += q[i] * q[i] / soft[i]
        alpha[i] = a
        total += a * q[i]
    return total, bend


def proximal_newton(
    problem: QuickLinearProblem, alpha: np.ndarray, tol: float, most: int
) -> tuple[np.ndarray, np.ndarray, int]:
    """Return alpha and w whose gap is at most tol * dual, if `most` steps suffice; the steps.

    Where the w that alpha makes is good enough, both are the same up to rounding; where C is huge,
    rounding alpha would spoil it, and the w at hand is the better one.
    w and alpha(w) prove each other: to know the gap takes no product with X that a step does not.
    """
    y, high, reach = problem.y, problem.high, np.inf if problem.squared else REACH
    w = problem.w(alpha)
    r = 1.0 - y * problem.scores(w)
    (pull, soft), H, free = _stage(problem, alpha, reach), np.eye(w.size), np.zeros(y.size, bool)
    alpha = np.empty_like(alpha)
    _along(0.0, r, r, pull, soft, high, alpha)
    for step in range(most):
        u = problem.w(alpha)
        missing = 0.5 * (w - u) @ (w - u)  # the duality gap of the stage
        primal = problem.primal(w, np.maximum(r, 0.0))
        dual = problem.dual(alpha, u)
        gap = primal - dual
        if gap <= tol * dual and (gap <= LEFT * tol * dual or _enough(problem, alpha, u, tol)):
            return alpha, w, step
        if missing <= STAGE_OVER * gap and not problem.squared:
            reach *= GROWTH
            (pull, soft), H, free = _stage(problem, alpha, reach), np.eye(w.size), free & False
            _along(0.0, r, r, pull, soft, high, alpha)
            continue
        was, free = free, (alpha > 0.0) & (alpha < high)
        H = _bent(problem, H, was, free, 1.0 / soft)
        p = _direction(H, u - w)
        if p is None:  # what came and went has left its rounding errors
            H = _bent(problem, H, free & False, free, 1.0 / soft)
            p = _direction(H, u - w, HEAVIER)
        if p is None:
            return alpha, w, step
        q = y * problem.scores(p)
        t = _search(w @ p, p @ p, r, q, pull, soft, high, alpha)
        w, r = w + t * p, r - t * q
    return alpha, w, most


def _stage(
    problem: QuickLinearProblem, old: np.ndarray, reach: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return (pull, soft); an example without cost has alpha 0 whatever they are."""
    near = np.divide(1.0 / reach, problem.C, out=np.ones_like(old), where=problem.C > 0)
    return near * old, problem.D + near


def _enough(problem: QuickLinearProblem, alpha: np.ndarray, u: np.ndarray, tol: float) -> bool:
    """Return whether alpha is enough by itself: with the w it makes, not with the one at hand."""
    primal, dual = problem.primal(u, problem.slacks(u)), problem.dual(alpha, u)
    return primal - dual <= tol * dual


def _bent(
    problem: QuickLinearProblem, H, was: np.ndarray, free: np.ndarray, cost: np.ndarray
) -> np.ndarray:
    """Return I + sum cost_i x_i x_i^T over the free examples, updating H of the previous ones."""
    come, gone = np.flatnonzero(free & ~was), np.flatnonzero(was & ~free)
    if come.size + gone.size > np.count_nonzero(free):
        come, gone, H = np.flatnonzero(free), gone[:0], np.eye(len(H))
    H = H + problem.squares(come, cost[come])
    return H - problem.squares(gone, cost[gone]) if gone.size else H


def _direction(H: np.ndarray, slope: np.ndarray, heavier=(0.0,)) -> np.ndarray | None:
    """Return H^-1 slope; or, with the first diagonal that is heavy enough, what goes down as well.

    None: no such diagonal was.
    """
    for share in heavier:
        _, p, failed = dposv(H + np.diag(share * H.diagonal()) if share else H, slope)
        if not failed and np.isfinite(p).all():
            return p
    return None


def _search(wp, pp, r, q, pull, soft, high, alpha) -> float:
    """Return the t where w + t p is nearly lowest, and write its alpha: Newton within bounds."""
    total, _ = _along(0.0, r, q, pull, soft, high, alpha)
    enough, t, low, top = FLAT * abs(wp - total), 1.0, 0.0, np.inf
    for _ in range(HALVINGS):
        total, bend = _along(t, r, q, pull, soft, high, alpha)
        slope = wp + t * pp - total
        if abs(slope) <= enough:
            break
        low, top = (t, top) if slope < 0 else (low, t)
        t -= slope / (pp + bend)
        if not low < t < top:
            t = 0.5 * (low + top) if top < np.inf else 2.0 * low
    return t
