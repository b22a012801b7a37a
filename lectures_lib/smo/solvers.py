"""Sequential minimal optimisation: solve the SVM's dual two multipliers at a time (L4).

The functions take a Gram matrix and return alpha; `svm` chooses b and computes the certificate.
`platt` is the algorithm as it is taught; `fast` takes a kernel and data, and computes only the rows
of the Gram matrix that it needs. All but `platt` work on beta_i = alpha_i y_i, which lies in [0, C]
for a positive example and in [-C, 0] for a negative one:

    maximise  y.beta - half beta'K beta   subject to  sum beta = 0,  low <= beta <= high

F = y - K beta is what the data still asks for. At the optimum F_i <= b where beta_i can grow
and F_i >= b where it can shrink; a pair that breaks this can be improved.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .._door import door
from .._jit import jit, jit_or
from ..conventions import (
    OneLine,
    check_cost,
    check_count,
    check_labels,
    check_number,
    check_positive,
)
from ..kernels import Kernel
from ..kernels.checks import check_pairs
from .subproblems import Rows, descend

#: The least curvature of a pair, relative to K: equal examples have 0, and steps stay finite.
CURVATURE = 1e-14
#: How often F may be computed again where rounding hid a violation.
AFRESH = 10
#: A gap is sought with violations down to this share of what was asked for.
LEAST = 1e-6
#: F counts as exact if its rounding errors are below this part of tol.
ROUNDED = 0.01
#: What an answer that did not reach its tolerance should be told.
ADVICE = "stopped early: scale the features to similar sizes, lower C, or allow more iterations"


@dataclass(frozen=True, eq=False, repr=False)
class SMORun(OneLine):
    """An answer of SMO."""

    alpha: np.ndarray  #: (n,) 0 <= alpha <= C
    violation: float  #: the largest F_i - F_j over pairs that could still be improved
    iterations: int  #: pairs moved
    reached_tol: bool  #: violation <= tol; of `platt`, which asks for tol on each side of b, 2 tol
    F: np.ndarray  #: (n,) y - K (alpha y), rounding errors far below tol

    @property
    def message(self) -> str:
        """What happened, in words."""
        how = "reached its tolerance" if self.reached_tol else ADVICE
        return f"{how}; violation {self.violation:.3g} after {self.iterations} steps"


@door
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
    K, y = _check(K, y, C, tol)
    alpha, E = np.zeros(len(y)), -y  # E_i = f(x_i) - y_i, and f = 0 at the start
    steps = _platt(
        K, y, float(C), float(tol), check_count(max_iterations, "max_iterations"), alpha, E
    )
    F = y - K @ (alpha * y)
    _, _, top, bottom = _extremes(F, alpha * y, *_box(y, C))
    return SMORun(alpha, top - bottom, steps, bool(top - bottom <= 2 * tol), F)


@door
def most_violating(
    K: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike,
    *,
    tol: float = 1e-3,
    max_iterations: int = 10_000_000,
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
    return _run(_first_order, K, y, C, tol, max_iterations)


@door
def second_order(
    K: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike,
    *,
    tol: float = 1e-3,
    max_iterations: int = 10_000_000,
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
    return _run(_second_order, K, y, C, tol, max_iterations, start)


@door
def fast(
    kernel: Kernel,
    X: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike,
    *,
    tol: float = 1e-3,
    memory: int = 2**30,
    max_iterations: int = 10_000_000,
    start: ArrayLike | None = None,
    ridge: float | np.ndarray = 0.0,
    gap: float | None = None,
) -> SMORun:
    """Solve as `second_order` does, for large n: in sub-problems, with rows of K as needed.

    At most `memory` bytes of K are held at a time; rows that were not used for longest go first.
    `ridge` is added to the diagonal of K: C = inf with ridge 1 / (2 C') is the squared hinge.

    Parameters
    ----------
    kernel, X : K is the kernel's on the rows of X
    y, C, tol, max_iterations, start : as in `second_order`
    memory : bytes of K that may be held
    ridge : is added to the diagonal of K
    gap : go on, with a smaller `tol`, until the duality gap is at most this share of the dual

    Examples
    --------
    >>> X, y = datasets.noisy(300)
    >>> smo.fast(kernels.Gaussian(0.5), X, y, 1.0).reached_tol
    True
    """
    X, y = _check_data(kernel, X, y, C, tol, memory, ridge)
    rows = Rows(kernel, X, int(memory), ridge)

    def loop(*arguments):
        return descend(rows, *arguments)

    return _repeat(loop, rows.times, lambda: rows.error, y, C, tol, max_iterations, start, gap)


def _run(loop, K, y, C, tol, max_iterations, start=None) -> SMORun:
    K, y = _check(K, y, C, tol)

    def steps(*arguments):
        return loop(K, *arguments)[0]

    return _repeat(steps, K.__matmul__, lambda: np.inf, y, C, tol, max_iterations, start)


def _repeat(loop, times, error, y, C, asked, max_iterations, start, gap=None) -> SMORun:
    """Run the loop; again, where the rounding errors of its own F hid a violation.

    And again, for a smaller violation than is asked for, while the `gap` is not reached.
    """
    low, high = _box(y, C)
    beta = np.zeros(len(y)) if start is None else _feasible(start, y, low, high)
    steps, most = 0, check_count(max_iterations, "max_iterations")
    F, tol = y - times(beta), asked
    for again in range(AFRESH + 1):
        _, _, top, bottom = _extremes(F, beta, low, high)
        if top - bottom <= tol and gap is not None:
            found = relative_gap(beta, F, y, C)
            if found > gap:  # it shrinks with the violation, about as much
                tol = max(tol * np.clip(0.7 * gap / found, 0.03, 0.5), LEAST * asked)
        if top - bottom <= tol or steps >= most or again == AFRESH:
            break
        before = beta.copy(), F.copy()
        with np.errstate(over="ignore", invalid="ignore"):  # looked at below
            steps += loop(low, high, beta, F, float(tol), most - steps)
            if error() > ROUNDED * tol:
                F = y - times(beta)
        if not np.isfinite(F).all():  # scores beyond all floats: back to where they were not
            beta, F = before
            break
    return SMORun(y * beta, top - bottom, steps, bool(top - bottom <= asked), F)


def relative_gap(beta: np.ndarray, F: np.ndarray, y: np.ndarray, C: float | np.ndarray) -> float:
    """Return (primal - dual) / dual of the hinge loss, from F = y - K beta: an estimate, no proof.

    The slacks are y (F - b) where that is positive, norm(w)^2 is beta.(y - F): the gap is
    C sum xi - beta.F. One b for all examples of one C is best with as many F below it as positives.
    """
    positives = int(np.sum(y > 0))
    b = np.partition(F, positives - 1)[positives - 1] if positives else F.min()
    dual = 0.5 * (beta @ (y + F))
    return float((np.sum(C * np.maximum(y * (F - b), 0.0)) - beta @ F) / dual) if dual > 0 else 0.0


def _check(K, y, C: float | ArrayLike, tol: float) -> tuple[np.ndarray, np.ndarray]:
    K = np.ascontiguousarray(K)
    if K.dtype.kind not in "biuf":
        raise ValueError(f"K must hold real numbers, not {K.dtype}.")
    if K.dtype not in (np.float32, np.float64):
        K = K.astype(float)
    y = check_labels(y, len(K))
    if K.shape != (len(y), len(y)):
        raise ValueError(f"K has shape {K.shape}; a Gram matrix of {len(y)} examples is square.")
    if not (np.isfinite(K.min()) and np.isfinite(K.max())):
        raise ValueError("K contains NaN or infinity: check the data and the kernel.")
    check_pairs(K)
    _check_goal(C, len(y), tol)
    return K, y


def _check_data(kernel, X, y, C, tol, memory, ridge) -> tuple[np.ndarray, np.ndarray]:
    if not isinstance(kernel, Kernel):
        raise ValueError(f"kernel must be a kernel, not {kernel!r}; wrap functions: Function(f).")
    X = kernel.check(X)
    y = check_labels(y, len(X))
    _check_goal(C, len(y), tol)
    check_number(memory, "memory", 32 * len(y), why=", the bytes of four rows of K")
    if np.shape(ridge) not in ((), y.shape) or not np.all((0 <= ridge) & (ridge < np.inf)):
        raise ValueError(f"ridge must be a number >= 0, or one per example; not {ridge!r}.")
    return X, y


def _check_goal(C: float | ArrayLike, n: int, tol: float) -> None:
    check_cost(C, n)
    check_positive(tol, "tol")


def _box(y: np.ndarray, C: float | ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    C = np.broadcast_to(np.asarray(C, dtype=float), y.shape)
    return np.where(y > 0, 0.0, -C), np.where(y > 0, C, 0.0)


def _feasible(start, y, low, high) -> np.ndarray:
    alpha = np.asarray(start, dtype=float)
    beta = alpha * y if alpha.shape == y.shape else np.full(y.shape, np.nan)
    if not ((low <= beta) & (beta <= high) & np.isfinite(beta)).all():
        raise ValueError("start must hold one alpha in [0, C] for each example.")
    if abs(beta.sum()) > 1e-8 * max(np.abs(beta).max(), 1e-300):
        raise ValueError("start must satisfy sum alpha y = 0.")
    return beta


# The loops of the fast versions, on beta and F; without numba those by arrays give the same bits.


def _extremes_by_arrays(F, beta, low, high):
    known = F == F  # nan is neither
    above = np.where((beta < high) & known, F, -np.inf)
    below = np.where((beta > low) & known, F, np.inf)
    i, j = int(above.argmax()), int(below.argmin())
    top, bottom = above[i], below[j]
    return (i if top > -np.inf else -1), (j if bottom < np.inf else -1), top, bottom


def _shift_by_arrays(K, F, i, j, step):
    with np.errstate(over="ignore", invalid="ignore"):
        F -= step * (K[i].astype(float) - K[j].astype(float))


def _partner_by_arrays(K, F, beta, low, i):
    """Do as `partner`, from whole arrays."""
    k_ii, k_jj, k_ij = float(K[i, i]), K.diagonal().astype(float), K[i].astype(float)
    with np.errstate(over="ignore", invalid="ignore"):
        curvature = np.maximum(k_ii + k_jj - 2.0 * k_ij, CURVATURE * (k_ii + k_jj))
        gain = F[i] - F
        gain = gain * gain / np.maximum(curvature, 1e-200)
        gain = np.where((beta > low) & (F < F[i]) & (gain > 0.0), gain, 0.0)
    j = int(gain.argmax())
    return j if gain[j] > 0.0 else -1


@jit_or(_extremes_by_arrays)
def _extremes(F, beta, low, high):
    i, j = -1, -1
    top, bottom = -np.inf, np.inf
    for t in range(F.size):
        if beta[t] < high[t] and F[t] > top:
            top, i = F[t], t
        if beta[t] > low[t] and F[t] < bottom:
            bottom, j = F[t], t
    return i, j, top, bottom


@jit
def _curvature(K, i, j):
    """Return norm(phi_i - phi_j)^2, in double precision whatever K holds."""
    k_ii, k_jj, k_ij = np.float64(K[i, i]), np.float64(K[j, j]), np.float64(K[i, j])
    return max(k_ii + k_jj - 2.0 * k_ij, CURVATURE * (k_ii + k_jj), 1e-200)


@jit_or(_shift_by_arrays)
def _shift(K, F, i, j, step):
    for t in range(F.size):
        F[t] -= step * (np.float64(K[i, t]) - np.float64(K[j, t]))


@jit
def _move(K, low, high, beta, F, i, j):
    room_i, room_j = high[i] - beta[i], beta[j] - low[j]
    step = min((F[i] - F[j]) / _curvature(K, i, j), room_i, room_j)
    beta[i] = high[i] if step == room_i else beta[i] + step
    beta[j] = low[j] if step == room_j else beta[j] - step
    _shift(K, F, i, j, step)


@jit
def _first_order(K, low, high, beta, F, tol, most):
    steps = 0
    i, j, top, bottom = _extremes(F, beta, low, high)
    while top - bottom > tol and steps < most:
        _move(K, low, high, beta, F, i, j)
        i, j, top, bottom = _extremes(F, beta, low, high)
        steps += 1
    return steps, top, bottom


@jit_or(_partner_by_arrays)
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
    >>> smo.partner(K, y, np.zeros(2), np.array([0.0, -1.0]), 0)
    1
    """
    j, most = -1, 0.0
    for t in range(F.size):
        if beta[t] > low[t] and F[t] < F[i]:
            gain = F[i] - F[t]
            gain = gain * gain / _curvature(K, i, t)
            if gain > most:
                most, j = gain, t
    return j


@jit
def _second_order(K, low, high, beta, F, tol, most):
    steps = 0
    i, _, top, bottom = _extremes(F, beta, low, high)
    while top - bottom > tol and steps < most:
        _move(K, low, high, beta, F, i, partner(K, F, beta, low, i))
        i, _, top, bottom = _extremes(F, beta, low, high)
        steps += 1
    return steps, top, bottom


# Platt's loops, on alpha and the errors E, without the offset: it cancels in E1 - E2.


@jit
def take_step(K, y, C, alpha, E, i1, i2):
    """Move alpha_i1 and alpha_i2 to the best pair, as Platt (1999) does; say whether they moved.

    Parameters
    ----------
    K, y, C : as in `platt`, unchecked
    alpha, E : (n,) the multipliers and the errors sum_j alpha_j y_j K_ij - y_i, changed
    i1, i2 : the pair

    Examples
    --------
    >>> K, y, alpha = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0]), np.zeros(2)
    >>> smo.take_step(K, y, 1.0, alpha, -y, 0, 1), alpha
    (True, array([0.5, 0.5]))
    """
    if i1 == i2:
        return False
    s = y[i1] * y[i2]
    if s < 0:
        L, H = max(0.0, alpha[i2] - alpha[i1]), min(C, C + alpha[i2] - alpha[i1])
    else:
        L, H = max(0.0, alpha[i1] + alpha[i2] - C), min(C, alpha[i1] + alpha[i2])
    if L >= H:
        return False
    eta = _curvature(K, i1, i2)
    a2 = min(max(alpha[i2] + y[i2] * (E[i1] - E[i2]) / eta, L), H)
    if abs(a2 - alpha[i2]) <= 1e-12 * (a2 + alpha[i2]):
        return False
    a1 = alpha[i1] + s * (alpha[i2] - a2)
    if a1 < 1e-14 * a2:
        a1 = 0.0
    elif a1 > C * (1.0 - 1e-14):
        a1 = C
    d1, d2 = y[i1] * (a1 - alpha[i1]), y[i2] * (a2 - alpha[i2])
    for t in range(E.size):
        E[t] += d1 * K[i1, t] + d2 * K[i2, t]
    alpha[i1], alpha[i2] = a1, a2
    return True


@jit
def _offset(y, C, alpha, E):
    """Return b: the mean of y - f over free examples, else the middle of what the rest allows."""
    total, free = 0.0, 0
    low, high = -np.inf, np.inf
    for t in range(y.size):
        if 0.0 < alpha[t] < C:
            total -= E[t]
            free += 1
        elif (y[t] > 0) == (alpha[t] <= 0.0):
            low = max(low, -E[t])
        else:
            high = min(high, -E[t])
    if free > 0:
        return total / free
    return 0.5 * (low + high)


@jit
def examine(K, y, C, tol, alpha, E, b, i2):
    """Move i2 with a partner if it breaks the conditions: the farthest, then the free, then all.

    Parameters
    ----------
    K, y, C, tol : as in `platt`, unchecked
    alpha, E : (n,) the multipliers and the errors without b, changed
    b : the offset
    i2 : the example

    Examples
    --------
    >>> K, y, alpha = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0]), np.zeros(2)
    >>> smo.examine(K, y, 1.0, 0.001, alpha, -y, 0.0, 1), alpha
    (True, array([0.5, 0.5]))
    """
    r2 = (E[i2] + b) * y[i2]
    if not ((r2 < -tol and alpha[i2] < C) or (r2 > tol and alpha[i2] > 0.0)):
        return False
    best, far = -1, -1.0
    for t in range(y.size):
        if 0.0 < alpha[t] < C and abs(E[t] - E[i2]) > far:
            best, far = t, abs(E[t] - E[i2])
    if best >= 0 and take_step(K, y, C, alpha, E, best, i2):
        return True
    for t in range(y.size):
        if 0.0 < alpha[t] < C and take_step(K, y, C, alpha, E, t, i2):
            return True
    for t in range(y.size):
        if take_step(K, y, C, alpha, E, t, i2):
            return True
    return False


@jit
def _platt(K, y, C, tol, most, alpha, E):
    steps, changed, all_examples = 0, 0, True
    while (changed > 0 or all_examples) and steps < most:
        changed = 0
        for i2 in range(y.size):
            if steps < most and (all_examples or 0.0 < alpha[i2] < C):
                b = _offset(y, C, alpha, E)
                if examine(K, y, C, tol, alpha, E, b, i2):
                    changed += 1
                    steps += 1
        if all_examples:
            all_examples = False
        elif changed == 0:
            all_examples = True
    return steps
