"""Sequential minimal optimisation: solve the SVM's dual two multipliers at a time (L4).

The functions take a Gram matrix and return alpha; `svm` chooses b and computes the certificate.
`platt` is the algorithm as it is taught. The others work on beta_i = alpha_i y_i, which lies in
[0, C] for a positive example and in [-C, 0] for a negative one:

    maximise  y.beta - half beta'K beta   subject to  sum beta = 0,  low <= beta <= high

F = y - K beta is what the data still asks for. At the optimum F_i <= b where beta_i can grow
and F_i >= b where it can shrink; a pair that breaks this can be improved.

The loops come first, as the slides have them; the solvers check their arguments and call them.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ._arguments import BadArgument, explained
from ._jit import jit
from ._moved import smo as __getattr__  # noqa: F401
from ._result import Result
from .conventions import OneLine, as_floats, check_cost, check_count, check_labels, check_positive
from .kernels.gram import check_pairs

__all__ = [
    "SMORun",
    "examine",
    "most_violating",
    "partner",
    "platt",
    "platt_loop",
    "second_order",
    "take_step",
]

#: The least curvature of a pair, relative to K: equal examples have 0, and steps stay finite.
CURVATURE = 1e-14
#: Added to it: examples that are all 0 have a curvature, too.
LEAST_CURVATURE = 1e-200
#: How often F may be computed again where rounding hid a violation.
AFRESH = 10
#: What to do about an answer that did not reach its tolerance.
ADVICE = "stopped early: scale the features to similar sizes, lower C, or allow more iterations"


@jit
def extremes(F, beta, low, high):
    """Return the worst pair: the largest F that can grow, the smallest that can shrink."""
    above, below = F.copy(), F.copy()
    above[beta >= high] = -np.inf
    below[beta <= low] = np.inf
    i, j = above.argmax(), below.argmin()
    return i, j, above[i], below[j]


@jit
def _curvature(k_ii, k_jj, k_ij):
    """Return norm(phi_i - phi_j)^2, for one pair or for many; never 0."""
    both = k_ii + k_jj
    return np.maximum(both - 2.0 * k_ij, CURVATURE * both + LEAST_CURVATURE)


@jit
def _move(K, low, high, beta, F, i, j):
    """Move beta_i up and beta_j down to the best pair, and bring F up to date."""
    room_i, room_j = high[i] - beta[i], beta[j] - low[j]
    step = min((F[i] - F[j]) / _curvature(K[i, i], K[j, j], K[i, j]), room_i, room_j)
    beta[i] = high[i] if step == room_i else beta[i] + step
    beta[j] = low[j] if step == room_j else beta[j] - step
    F -= step * (K[i] - K[j])


@jit
def first_order_loop(K, low, high, beta, F, tol, most):
    """Move the worst pair until none breaks the conditions by more than tol."""
    steps = 0
    i, j, top, bottom = extremes(F, beta, low, high)
    while top - bottom > tol and steps < most:
        _move(K, low, high, beta, F, i, j)
        i, j, top, bottom = extremes(F, beta, low, high)
        steps += 1
    return steps, top, bottom


@jit
def partner(K, F, beta, low, i):
    """Return the j that gains most with i, judged by slope and curvature; -1 if none gains.

    Parameters
    ----------
    K : (n, n) the Gram matrix
    F : (n,) y - K (alpha y)
    beta, low : (n,) alpha y, and the least that it may be
    i : the example whose partner is looked for

    Examples
    --------
    >>> K, y = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0])
    >>> int(smo.partner(K, y, np.zeros(2), np.array([0.0, -1.0]), 0))
    1
    """
    gain = F[i] - F
    gain[(beta <= low) | (gain < 0.0)] = 0.0
    gain *= gain / _curvature(K[i, i], np.diag(K), K[i])
    j = gain.argmax()
    return j if gain[j] > 0.0 else -1


@jit
def second_order_loop(K, low, high, beta, F, tol, most):
    """Move the worst i with the partner that gains most, until the worst pair is within tol."""
    steps = 0
    i, _, top, bottom = extremes(F, beta, low, high)
    while top - bottom > tol and steps < most:
        _move(K, low, high, beta, F, i, partner(K, F, beta, low, i))
        i, _, top, bottom = extremes(F, beta, low, high)
        steps += 1
    return steps, top, bottom


# Platt's loops, on alpha and F. His errors are E_i = b - F_i, and b cancels in E_1 - E_2.


@jit
def take_step(K, y, C, alpha, F, i, j):
    """Move alpha_i and alpha_j to the best pair, as Platt (1999) does; say whether they moved.

    Parameters
    ----------
    K, y, C : as in `platt`, unchecked
    alpha, F : (n,) the multipliers and y - K (alpha y), changed
    i, j : the pair

    Examples
    --------
    >>> K, y, alpha = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0]), np.zeros(2)
    >>> smo.take_step(K, y, 1.0, alpha, y.copy(), 0, 1), alpha
    (True, array([0.5, 0.5]))
    """
    if i == j:
        return False
    s = y[i] * y[j]
    if s < 0:
        L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    else:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    if L >= H:
        return False
    eta = _curvature(K[i, i], K[j, j], K[i, j])
    a_j = min(max(alpha[j] + y[j] * (F[j] - F[i]) / eta, L), H)
    if abs(a_j - alpha[j]) <= 1e-12 * (a_j + alpha[j]):
        return False
    a_i = alpha[i] + s * (alpha[j] - a_j)
    if a_i < 1e-14 * a_j:
        a_i = 0.0
    elif a_i > C * (1.0 - 1e-14):
        a_i = C
    d_i, d_j = y[i] * (a_i - alpha[i]), y[j] * (a_j - alpha[j])
    F -= d_i * K[i] + d_j * K[j]
    alpha[i], alpha[j] = a_i, a_j
    return True


@jit
def _offset(y, C, alpha, F):
    """Return b: the mean of y - f over free examples, else the middle of what the rest allows."""
    total, free = 0.0, 0
    low, high = -np.inf, np.inf
    for t in range(y.size):
        if 0.0 < alpha[t] < C:
            total += F[t]
            free += 1
        elif (y[t] > 0) == (alpha[t] <= 0.0):
            low = max(low, F[t])
        else:
            high = min(high, F[t])
    if free > 0:
        return total / free
    return 0.5 * (low + high)


@jit
def examine(K, y, C, tol, alpha, F, b, j):
    """Move j with a partner if it breaks the conditions: the farthest, then the free, then all.

    Parameters
    ----------
    K, y, C, tol : as in `platt`, unchecked
    alpha, F : (n,) the multipliers and y - K (alpha y), changed
    b : the offset
    j : the example

    Examples
    --------
    >>> K, y, alpha = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0]), np.zeros(2)
    >>> smo.examine(K, y, 1.0, 0.001, alpha, y.copy(), 0.0, 1), alpha
    (True, array([0.5, 0.5]))
    """
    r = (b - F[j]) * y[j]
    if not ((r < -tol and alpha[j] < C) or (r > tol and alpha[j] > 0.0)):
        return False
    free = (0.0 < alpha) & (alpha < C)
    farthest = (free * np.abs(F - F[j])).argmax()
    if free[farthest] and take_step(K, y, C, alpha, F, farthest, j):
        return True
    for i in range(y.size):
        if free[i] and take_step(K, y, C, alpha, F, i, j):
            return True
    for i in range(y.size):
        if take_step(K, y, C, alpha, F, i, j):
            return True
    return False


@jit
def platt_loop(K, y, C, tol, most, alpha, F):
    """Sweep over all examples, then over the free ones, until no sweep changes anything (L4).

    Parameters
    ----------
    K, y, C, tol : as in `platt`, unchecked
    most : steps at most
    alpha, F : (n,) the multipliers and y - K (alpha y), changed

    Examples
    --------
    >>> K, y, alpha = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0]), np.zeros(2)
    >>> smo.platt_loop(K, y, 1.0, 0.001, 9, alpha, y.copy()), alpha
    (1, array([0.5, 0.5]))
    """
    steps, changed, all_examples = 0, 0, True
    b = _offset(y, C, alpha, F)
    while (changed > 0 or all_examples) and steps < most:
        changed = 0
        for j in range(y.size):
            if steps < most and (all_examples or 0.0 < alpha[j] < C):
                if examine(K, y, C, tol, alpha, F, b, j):
                    b = _offset(y, C, alpha, F)
                    changed += 1
                    steps += 1
        if all_examples:
            all_examples = False
        elif changed == 0:
            all_examples = True
    return steps


# --- solvers: from checked arrays to an `SMORun` ---


@dataclass(frozen=True, eq=False, repr=False)
class SMORun(OneLine, Result):
    """An answer of SMO."""

    alpha: np.ndarray  #: (n,) 0 <= alpha <= C
    violation: float  #: the largest F_i - F_j over pairs that could still be improved
    iterations: int  #: pairs moved
    reached_tol: bool  #: violation <= tol; of `platt`, which asks for tol on each side of b, 2 tol
    F: np.ndarray  #: (n,) y - K (alpha y) of the K that was held, rounding errors far below tol

    @property
    def message(self) -> str:
        """What happened, in words."""
        how = "reached its tolerance" if self.reached_tol else ADVICE
        return f"{how}; violation {self.violation:.3g} after {self.iterations} steps"


@explained
def platt(
    K: ArrayLike,
    y: ArrayLike,
    C: float,
    *,
    tol: float = 1e-3,
    max_iterations: int = 1_000_000,
) -> SMORun:
    """Run SMO as Platt (1999) tells it, for a Gram matrix K.

    Sweep over the examples; where one breaks its condition by more than `tol`, pair it with the
    one whose error differs most, else with any other; solve the pair exactly. Sweeps over all
    examples alternate with sweeps over those with 0 < alpha < C.

    Parameters
    ----------
    K, y : (n, n) the Gram matrix and (n,) the labels
    C : the price of slack
    tol : how far an example may break its condition
    max_iterations : steps at most

    Examples
    --------
    >>> K, y = np.array([[1.0, -1.0], [-1.0, 1.0]]), [1, -1]
    >>> smo.platt(K, y, 1.0).alpha
    array([0.5, 0.5])
    """
    K, y = check_problem(K, y, C, tol)
    alpha, F = np.zeros(len(y)), y.copy()  # F = y - K (alpha y), and alpha = 0 at the start
    most = check_count(max_iterations, "max_iterations")
    steps = platt_loop(K, y, float(C), float(tol), most, alpha, F)
    F = y - K @ (alpha * y)
    _, _, top, bottom = extremes(F, alpha * y, *box(y, C))
    return SMORun(alpha, top - bottom, steps, bool(top - bottom <= 2 * tol), F)


@explained
def most_violating(
    K: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike,
    *,
    tol: float = 1e-3,
    max_iterations: int = 1_000_000,
) -> SMORun:
    """Move the pair that breaks the conditions most (Keerthi et al. 2001).

    Parameters
    ----------
    K, y : (n, n) the Gram matrix and (n,) the labels
    C : the price of slack, one or one per example
    tol : the largest violation that may be left
    max_iterations : steps at most

    Examples
    --------
    >>> K, y = np.array([[1.0, -1.0], [-1.0, 1.0]]), [1, -1]
    >>> smo.most_violating(K, y, 1.0).alpha
    array([0.5, 0.5])
    """
    return _run(first_order_loop, K, y, C, tol, max_iterations)


@explained
def second_order(
    K: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike,
    *,
    tol: float = 1e-3,
    max_iterations: int = 1_000_000,
    start: ArrayLike | None = None,
) -> SMORun:
    """Move the worst i with the j that gains most by the curvature (Fan, Chen, Lin 2005).

    `start` is a feasible alpha to begin with: the answer for a neighbouring C or kernel.

    Parameters
    ----------
    K, y, C, tol, max_iterations : as in `most_violating`
    start : a feasible alpha to begin with; default 0

    Examples
    --------
    >>> K, y = np.array([[1.0, -1.0], [-1.0, 1.0]]), [1, -1]
    >>> smo.second_order(K, y, 1.0).alpha
    array([0.5, 0.5])
    """
    return _run(second_order_loop, K, y, C, tol, max_iterations, start)


def _run(loop: Callable, K, y, C, tol, max_iterations, start=None) -> SMORun:
    K, y = check_problem(K, y, C, tol)
    low, high = box(y, C)
    beta = np.zeros(len(y)) if start is None else feasible(start, y, low, high)
    most = check_count(max_iterations, "max_iterations")
    beta, F, violation, steps = repeat(loop, K, (y, low, high, beta), tol, most)
    return SMORun(y * beta, violation, steps, bool(violation <= tol), F)


def repeat(
    loop: Callable, K: np.ndarray, problem: tuple[np.ndarray, ...], tol: float, most: int
) -> tuple[np.ndarray, np.ndarray, float, int]:
    """Maximise target.beta - half beta'K beta over low <= beta <= high, sum beta kept; unchecked.

    Run the loop; again, from an F computed afresh, where rounding errors hid a violation.
    Return beta, F, the violation and the number of steps.
    """
    target, low, high, beta = problem  # where to begin
    before, steps = (beta, target), 0
    for again in range(AFRESH + 1):
        with np.errstate(over="ignore", invalid="ignore"):  # looked at below
            F = target - K @ beta
        if again and not np.isfinite(F).all():  # scores beyond all floats: back to the last others
            beta, F = before
            break
        _, _, top, bottom = extremes(F, beta, low, high)
        if top - bottom <= tol or steps >= most or again == AFRESH:
            break
        before = beta.copy(), F
        with np.errstate(over="ignore", invalid="ignore"):
            steps += loop(K, low, high, beta, F.copy(), float(tol), most - steps)[0]
    return beta, F, top - bottom, steps


def check_problem(
    K: ArrayLike, y: ArrayLike, C: float | ArrayLike, tol: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return K and y as arrays that fit, or say what is wrong with them."""
    K = np.ascontiguousarray(K)
    if K.dtype.kind not in "biuf":
        raise BadArgument(f"K must hold real numbers, not {K.dtype}.")
    K = as_floats(K, "K")
    y = check_labels(y, len(K))
    if K.shape != (len(y), len(y)):
        raise BadArgument(f"K has shape {K.shape}; a Gram matrix of {len(y)} examples is square.")
    if not (np.isfinite(K.min()) and np.isfinite(K.max())):
        raise BadArgument("K contains NaN or infinity: check the data and the kernel.")
    check_pairs(K)
    check_goal(C, len(y), tol)
    return K, y


def check_goal(C: float | ArrayLike, n: int, tol: float) -> None:
    """Refuse a price of slack or a tolerance that is none."""
    top = np.asarray(C)  # without an upper end, as for the squared hinge: any will do
    every = top.ndim == 1 and top.dtype.kind == "f" and len(top) == n
    check_cost(np.where(top == np.inf, 1.0, top) if every else C, n, spare=True)
    check_positive(tol, "tol")


def box(y: np.ndarray, C: float | ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the bounds of beta = alpha y."""
    C = np.broadcast_to(np.asarray(C, dtype=float), y.shape)
    return np.where(y > 0, 0.0, -C), np.where(y > 0, C, 0.0)


def feasible(start: ArrayLike, y: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """Return beta of an alpha to begin with, or say what is wrong with it."""
    alpha = np.asarray(start, dtype=float)
    beta = alpha * y if alpha.shape == y.shape else np.full(y.shape, np.nan)
    if not ((low <= beta) & (beta <= high) & np.isfinite(beta)).all():
        raise BadArgument("start must hold one alpha in [0, C] for each example.")
    if abs(beta.sum()) > 1e-8 * max(np.abs(beta).max(), 1e-300):
        raise BadArgument("start must satisfy sum alpha y = 0.")
    return beta
