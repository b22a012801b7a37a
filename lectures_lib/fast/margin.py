"""Weights from the examples on the margin, where alpha is too coarse to make them.

w = sum alpha y x cancels where C is large or the data lie far out: the rounding of alpha alone
moves w.x by more than the gap that is to be proved. The dual value of alpha hardly minds.
"""

import numpy as np
from scipy import sparse

from ..linear.problem import LinearProblem
from ..proof.rounding import growth

#: What "near a bound" may mean for an alpha, relative to its box or to the largest.
NEAR_BOX = (1e-3, 1e-6, 1e-9)
#: Where C is huge even a slack of rounding size is expensive: lengthen w by these shares. The
#: least is 45 eps; the w with the least objective is taken.
LENGTHENINGS = (0.0, 1e-14, 1e-12, 1e-10, 1e-8)
#: Solve for at most this many entries of X.
MAX_ENTRIES = 100_000


def weights_near(problem: LinearProblem, alpha: np.ndarray) -> np.ndarray:
    """Return the whole w of the least objective among those near alpha's."""
    start = problem.w(alpha)
    found = [start]
    if not sparse.issparse(problem.X) and problem.X.size <= MAX_ENTRIES:
        found += [_on_margin(problem, alpha, start, near) for near in NEAR_BOX]
    longer = [(1.0 + hair) * w for w in found for hair in LENGTHENINGS]
    with np.errstate(over="ignore"):  # an infinite objective is not chosen
        return min(longer, key=lambda w: problem.primal(w, _slacks(problem, w)))


def _slacks(problem: LinearProblem, w: np.ndarray) -> np.ndarray:
    """Return the slacks that a judge sees, who adds what rounding may hide."""
    mass = abs(problem.X) @ np.abs(w[:-1]) + abs(problem.constant * w[-1]) + 1.0
    hidden = growth(problem.X.shape[1] + 4) * mass
    return np.maximum(0.0, 1.0 - problem.y * problem.scores(w) + hidden)


def _on_margin(problem: LinearProblem, alpha, w: np.ndarray, near: float) -> np.ndarray:
    """Return w with the least change that puts the free examples where they belong, twice."""
    low = near * np.minimum(alpha.max(), problem.high)
    below = alpha < np.where(np.isinf(problem.high), np.inf, (1.0 - near) * problem.high)
    free = (alpha > low) & below
    if not free.any():
        return w
    rows = np.column_stack([problem.X[free], np.full(free.sum(), problem.constant)])
    goal = (problem.y * (1.0 - alpha * problem.D))[free]
    unit = np.abs(rows).max() or 1.0
    for _ in range(2):
        w = w + np.linalg.lstsq(rows / unit, goal - rows @ w, rcond=None)[0] / unit
    return w
