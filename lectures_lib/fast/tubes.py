"""Support vector regression in less time: one entry per example, until the gap is proved."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import explained
from .._jit import COMPILED
from .._result import SEAL
from ..conventions import check_targets
from ..kernels import Kernel, Linear, centre_of, check_kernel, checked_gram
from ..proof.middle import middle_of
from ..proof.regression import FLAT, GAP, check_tube
from ..svm import regression as plain
from ..svm.problem import balanced, balanced_exactly
from .loop64 import quick_second_order
from .machines import SURE
from .tiles import kernel as twin

#: The first violation that is asked for, relative to the spread of the targets.
FIRST_VIOLATION = 1e-2
#: Up to this n SMO costs little: solve on to this violation, in MORE steps per example.
FEW_EXAMPLES, TUBE_TOL, MORE = 200, 1e-10, 100
#: How often a smaller violation is asked for, and steps per example in all.
TRIES, STEPS = 16, 2_000


@explained
def regression(
    X: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike = 1.0,
    epsilon: float = 0.1,
    kernel: Kernel | None = None,
) -> plain.SVRMachine:
    """Fit as `kernel_methods.support_vector_regression` does, in less time.

    Where the answer is not proved, that function is asked.

    Parameters
    ----------
    X, y, C, epsilon, kernel : as there

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0]
    >>> fast.regression(X, y, 10.0, epsilon=0.25).predict([[1.0]]).round(4)
    array([1.])
    """
    kernel = twin(Linear() if kernel is None else check_kernel(kernel))
    if not COMPILED:
        return plain.support_vector_regression(X, y, C, epsilon, kernel)
    X = kernel.check(X)
    targets, (C, epsilon) = check_targets(y, len(X)), check_tube(C, epsilon, len(X))
    centre, middle = centre_of(kernel, X), middle_of(targets)
    t = targets - middle
    K = checked_gram(kernel, X if centre is None else X - centre)
    beta = _solved(K, t, C, epsilon)
    side = plain.sides(beta)
    even = balanced if centre is None else _to_the_last_bit
    beta, ends, _ = plain.with_offset(K, t, C, epsilon, side * even(np.abs(beta), side))
    b = float(np.mean(ends))
    proof = plain.judged_tube(kernel, X, K, t, C, epsilon, beta, b, centre)
    if not proof.holds:
        return plain.support_vector_regression(X, targets, C, epsilon, kernel)
    fields: dict[str, Any] = {"certificate": proof, "middle": middle, "_seal": SEAL}
    fields |= plain.placed(X, beta, b, ends, centre)
    return plain.SVRMachine(kernel, X, targets, C, epsilon, beta, **fields)


def _to_the_last_bit(size: np.ndarray, side: np.ndarray) -> np.ndarray:
    return balanced_exactly(balanced(size, side), side)


def _solved(K: np.ndarray, y: np.ndarray, C: float | np.ndarray, epsilon: float) -> np.ndarray:
    """Return beta by SMO: for ever smaller violations, until the gap is small by its own scores."""
    high, beta, left = C + np.zeros(len(y)), np.zeros(len(y)), STEPS * len(y)
    flat = FLAT * float(np.sum(high * np.abs(y - np.median(y))))
    until, F = FIRST_VIOLATION * float(np.ptp(y)), y.copy()
    for _ in range(TRIES):
        made, top, bottom = quick_second_order(K, -high, high, beta, F, until, left, epsilon)
        left -= made
        F = y - K @ beta
        gap, dual = _gap(F, y, high, epsilon, beta)
        allowed = SURE * (GAP * max(dual, 0.0) + flat)
        if gap <= allowed or left <= 0:
            break
        until = min(until, max(top - bottom, 0.0)) * float(np.clip(0.7 * allowed / gap, 0.03, 0.5))
    if len(y) <= FEW_EXAMPLES:
        fine, most = TUBE_TOL * float(np.ptp(y)), MORE * len(y)
        quick_second_order(K, -high, high, beta, F, fine, most, epsilon)
    return beta


def _gap(F, y, C: np.ndarray, epsilon: float, beta) -> tuple[float, float]:
    """Return primal - dual and the dual value, from F = y - K beta: an estimate, no proof."""
    same = C[0] if (C == C[0]).all() else C
    b, size = float(np.mean(plain.tube_offset(F, epsilon, same))), np.abs(beta).sum()
    slack = np.maximum(np.abs(F - b) - epsilon, 0.0)
    dual = 0.5 * float(beta @ (y + F)) - epsilon * size
    return float(C @ slack - beta @ F + epsilon * size), dual
