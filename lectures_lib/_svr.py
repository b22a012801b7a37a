"""Support vector regression with its duality gap; `kernel_methods` exports it.

An error up to epsilon costs nothing, and C a unit beyond it (L4). With f(x) = w.phi(x) + b,

    minimise  half norm(w)^2 + C sum xi   with  abs(y - f(x)) <= epsilon + xi  and  xi >= 0
    maximise  y.beta - epsilon sum abs(beta) - half beta'K beta   over  abs(beta) <= C, sum beta = 0

are dual to each other, and w = sum beta_i phi(x_i).
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from . import qp
from ._jit import jit
from ._kernel_ridge import _check_targets
from .conventions import RTOL, check_count
from .kernels import Kernel, Linear, centred, product

#: An answer counts as the best if its objective is this close, relative.
GAP = 1e-4
#: A gap above this part of the tolerance has a small problem solved once more.
DOUBT = 1e-3
#: A beta this near to 0 or C, relative, counts as being there; the best certified guess decides.
NEAR = (1e-3, 1e-5, 1e-8)
#: With more examples than this an exact solve would cost more than it gives.
POLISH = 500


@dataclass(frozen=True)
class SVRCertificate:
    """Both sides of strong duality for an answer, and how well it keeps each condition.

    If `box` and `balance` are 0, no w and b have an objective below `dual`: `gap` bounds the error.
    """

    primal: float  #: half norm(w)^2 + C sum xi
    dual: float  #: y.beta - epsilon sum abs(beta) - half norm(w)^2
    box: float  #: how far abs(beta) exceeds C
    balance: float  #: abs(sum beta)
    on_tube: float  #: sum of abs(beta) (epsilon + xi) - beta (y - f): beta pulls to its own side
    at_bound: float  #: sum of (C - abs(beta)) xi: outside the tube only at abs(beta) = C
    largest: float  #: the largest abs(beta): the unit of `box` and `balance`
    tolerance: float  #: GAP times the objective, and the rounding of y

    @property
    def gap(self) -> float:
        """primal - dual; where beta sums to 0 it is on_tube + at_bound."""
        return self.primal - self.dual

    @property
    def holds(self) -> bool:
        """The answer is feasible, and its objective as good as the best."""
        feasible = max(self.box, self.balance) <= RTOL * self.largest
        return bool(feasible and abs(self.gap) <= self.tolerance)

    def __str__(self) -> str:
        """Return one line a condition."""
        rows = [("primal objective", self.primal), ("dual objective", self.dual)]
        rows += [("duality gap", self.gap), ("abs(beta) beyond C", self.box)]
        rows += [("abs(sum beta)", self.balance), ("beta against the tube", self.on_tube)]
        rows += [("(C - abs(beta)) xi", self.at_bound)]
        return "\n".join(f"{name:<22} {value:12.6f}" for name, value in rows)


@dataclass(frozen=True, eq=False)
class SupportVectorRegression:
    """The flattest function within epsilon of the examples, as far as C pays for it."""

    kernel: Kernel
    X: np.ndarray  #: (n, d) the training examples
    y: np.ndarray  #: (n,) their targets
    C: float
    epsilon: float
    beta: np.ndarray  #: (n,) > 0 where y is above the tube or on its upper edge, < 0 below
    b: float
    b_interval: tuple[float, float]  #: every offset in it is as good; a point if a free one exists
    certificate: SVRCertificate

    @property
    def converged(self) -> bool:
        """The certificate holds."""
        return self.certificate.holds

    @property
    def support(self) -> np.ndarray:
        """The examples with beta != 0: none of them is strictly inside the tube."""
        return np.flatnonzero(self.beta)

    @property
    def free(self) -> np.ndarray:
        """The examples with 0 < abs(beta) < C: they lie on an edge of the tube."""
        return np.flatnonzero(_is_free(self.beta, self.C, NEAR[-1]))

    @property
    def bounded(self) -> np.ndarray:
        """The examples with abs(beta) = C: on an edge of the tube or outside."""
        return np.setdiff1d(self.support, self.free)

    @property
    def w(self) -> np.ndarray | None:
        """sum beta x where the kernel is linear; None elsewhere."""
        return self.beta @ self.X if isinstance(self.kernel, Linear) else None

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return f(x) = sum beta_i K(x_i, x) + b for each row of X, in tiles."""
        s = self.support
        if len(s) == 0:
            return np.full(len(self.kernel.check(X)), self.b)
        return product(self.kernel, X, self.X[s], self.beta[s]) + self.b


def svr_certificate(
    K: ArrayLike, y: ArrayLike, C: float, epsilon: float, beta: ArrayLike, b: float
) -> SVRCertificate:
    """Judge an answer from the problem's data and (beta, b) alone."""
    K, y, beta = (np.asarray(a, dtype=float) for a in (K, y, beta))
    size, scores = np.abs(beta), K @ beta
    error = y - scores - b
    xi = np.maximum(np.abs(error) - epsilon, 0.0)
    primal = 0.5 * beta @ scores + C * xi.sum()
    spread = np.abs(y - np.median(y)).sum() + RTOL * np.abs(y).sum()
    return SVRCertificate(
        primal=float(primal),
        dual=float(y @ beta - epsilon * size.sum() - 0.5 * beta @ scores),
        box=float(max(0.0, size.max() - C)),
        balance=float(abs(beta.sum())),
        on_tube=float(size @ (epsilon + xi) - beta @ error),
        at_bound=float((C - size) @ xi),
        largest=float(size.max()),
        tolerance=float(GAP * primal + RTOL * C * spread),
    )


def tube_offset(r: ArrayLike, epsilon: float) -> tuple[float, float]:
    """Return the interval of offsets b that minimise sum max(0, abs(r - b) - epsilon).

    Going up from -inf the slope starts at -n and rises by 1 at each r_i - epsilon and at each
    r_i + epsilon: it is 0 between the n-th and the next of these 2n numbers.
    """
    r = np.asarray(r, dtype=float)
    turns = np.sort(np.concatenate([r - epsilon, r + epsilon]))
    return float(turns[len(r) - 1]), float(turns[len(r)])


def svr_smo(
    K: ArrayLike,
    y: ArrayLike,
    C: float,
    epsilon: float,
    *,
    tol: float = 1e-4,
    max_iterations: int | None = None,
) -> np.ndarray:
    """Return beta by moving two entries at a time, one up and one down, as SMO does.

    A step stops where an entry reaches 0: there the price of epsilon changes its sign. After
    `max_iterations` (None: a thousand for each example) beta is what it is: feasible, at least.
    """
    K, y = np.ascontiguousarray(K, dtype=float), np.asarray(y, dtype=float)
    beta, F = np.zeros(len(y)), y.copy()  # F = y - K beta, what the data still asks for
    most = 1000 * len(y) if max_iterations is None else max_iterations
    _pairs(K, float(C), float(epsilon), beta, F, tol, check_count(most, "max_iterations"))
    return beta


def svr_qp(
    K: ArrayLike, y: ArrayLike, C: float, epsilon: float, *, engine: str | None = None
) -> np.ndarray:
    """Return beta = up - down, the dual as a quadratic program in up and down, both in [0, C]."""
    K, y = np.asarray(K, dtype=float), np.asarray(y, dtype=float)
    n = len(y)
    answer = qp.solve(
        np.block([[K, -K], [-K, K]]),
        np.concatenate([epsilon - y, epsilon + y]),
        A=np.repeat([[1.0, -1.0]], n, axis=1),
        b=[0.0],
        lower=0.0,
        upper=C,
        engine=engine,
    )
    return np.clip(answer.x[:n] - answer.x[n:], -C, C)


def support_vector_regression(
    X: ArrayLike,
    y: ArrayLike,
    C: float = 1.0,
    epsilon: float = 0.1,
    kernel: Kernel | None = None,
    *,
    solver: Callable[..., np.ndarray] | None = None,
) -> SupportVectorRegression:
    """Fit a tube of half-width epsilon: half norm(w)^2 + C sum max(0, abs(y - f(x)) - epsilon).

    `solver` is a function of (K, y, C, epsilon) that returns beta. Default: `svr_smo`, and `svr_qp`
    for a small problem that it does not solve well (a C that is huge for the data). A solver sees
    the problem in units where K and y are about 1, and centred, which changes b only.
    """
    kernel = kernel or Linear()
    X = kernel.check(X)
    y, C, epsilon = _check_targets(y, len(X)), _check_C(C), _check_epsilon(epsilon)
    K = kernel.gram(X, X)
    found = [_best(K, y, C, epsilon, solver or _smo_within(len(y)))]
    if solver is None and found[0][2].gap > DOUBT * found[0][2].tolerance and len(y) <= POLISH:
        found.append(_best(K, y, C, epsilon, svr_qp))
    beta, interval, proof = min(found, key=lambda answer: answer[2].gap)
    b = float(np.mean(interval))
    return SupportVectorRegression(kernel, X, y, C, epsilon, beta, b, interval, proof)


def _smo_within(n: int) -> Callable[..., np.ndarray]:
    """Return SMO with the steps that are worth taking before `svr_qp` is faster."""
    return partial(svr_smo, max_iterations=100 * n) if n <= POLISH else svr_smo


def _best(K, y, C, epsilon, solver) -> tuple[np.ndarray, tuple[float, float], SVRCertificate]:
    """Return the best certified of the solver's beta and what `_polished` makes of it."""
    Kc, yc = centred(K), y - y.mean()
    unit, reach = Kc.diagonal().max() or 1.0, np.abs(yc).max() or 1.0
    problem = Kc / unit, yc / reach, C * unit / reach, epsilon / reach
    beta = solver(*problem)
    guesses = [beta] + [_polished(*problem, beta, near) for near in NEAR]
    scaled = [np.clip(_balanced(guess) * (reach / unit), -C, C) for guess in guesses]
    found = [_judged(K, y, C, epsilon, beta) for beta in scaled]
    return min(found, key=lambda answer: answer[2].gap)


def _polished(K, y, C, epsilon, beta, near: float) -> np.ndarray:
    """Put entries near 0 or C there, and solve y - f = +-epsilon for the free ones exactly."""
    free = _is_free(beta, C, near)
    m, side = int(free.sum()), np.where(beta < 0, -1.0, 1.0)
    if m > POLISH:
        return beta
    fixed = np.where(~free & (np.abs(beta) > 0.5 * C), C * side, 0.0)
    system = np.ones((m + 1, m + 1))
    system[:m, :m], system[m, m] = K[np.ix_(free, free)], 0.0
    right = np.append((y - epsilon * side - K @ fixed)[free], -fixed.sum())
    fixed[free] = np.linalg.lstsq(system, right, rcond=None)[0][:m]
    return side * np.clip(side * fixed, 0.0, C)


def _balanced(beta: np.ndarray) -> np.ndarray:
    """Shrink the heavier side until the sum is 0."""
    up, down = np.maximum(beta, 0.0).sum(), np.maximum(-beta, 0.0).sum()
    heavy = beta > 0 if up > down else beta < 0
    return np.where(heavy, beta * (min(up, down) / (max(up, down) or 1.0)), beta)


def _judged(K, y, C, epsilon, beta) -> tuple[np.ndarray, tuple[float, float], SVRCertificate]:
    """Choose the offset for this beta and certify the pair."""
    r = y - K @ beta
    interval = tube_offset(r, epsilon)
    free = _is_free(beta, C, NEAR[-1])
    if free.any():
        mean = float(np.mean((r - epsilon * np.where(beta < 0, -1.0, 1.0))[free]))
        near = RTOL * (np.abs(r).max() + epsilon)  # a mean farther off is not this w's offset
        inside = interval[0] - near <= mean <= interval[1] + near
        interval = (mean, mean) if inside else interval
    b = float(np.mean(interval))
    return beta, interval, svr_certificate(K, y, C, epsilon, beta, b)


def _is_free(beta: np.ndarray, C: float, near: float) -> np.ndarray:
    size = np.abs(beta)
    return (size > near * size.max()) & (size < C - near * C)


def _check_C(C: float) -> float:
    if not isinstance(C, (int, float, np.number)) or not 0 < C < np.inf:
        raise ValueError(f"C must be a finite number > 0, not {C!r}: for a hard tube, a large one.")
    return float(C)


def _check_epsilon(epsilon: float) -> float:
    if not isinstance(epsilon, (int, float, np.number)) or not 0 <= epsilon < np.inf:
        raise ValueError(f"epsilon is half the width of the tube, a number >= 0, not {epsilon!r}.")
    return float(epsilon)


@jit
def _slopes(f, beta, epsilon):
    """Return how fast the dual rises as beta grows, and how fast it falls as beta shrinks."""
    up = f - epsilon if beta >= 0.0 else f + epsilon
    down = f - epsilon if beta > 0.0 else f + epsilon
    return up, down


@jit
def _worst(F, beta, C, epsilon):
    i, top, bottom = -1, -np.inf, np.inf
    for t in range(F.size):
        up, down = _slopes(F[t], beta[t], epsilon)
        if beta[t] < C and up > top:
            top, i = up, t
        if beta[t] > -C and down < bottom:
            bottom = down
    return i, top, bottom


@jit
def _partner(K, F, beta, C, epsilon, i, top):
    """Return the j that gains most when beta_i grows and beta_j shrinks, and the step."""
    j, most, step = -1, 0.0, 0.0
    for t in range(F.size):
        gain = top - _slopes(F[t], beta[t], epsilon)[1]
        if beta[t] > -C and gain > 0.0:
            curvature = max(K[i, i] + K[t, t] - 2.0 * K[i, t], 1e-14)
            if gain * gain / curvature > most:
                j, most, step = t, gain * gain / curvature, gain / curvature
    return j, step


@jit
def _pairs(K, C, epsilon, beta, F, tol, most):
    steps = 0
    i, top, bottom = _worst(F, beta, C, epsilon)
    while top - bottom > tol and steps < most:
        j, step = _partner(K, F, beta, C, epsilon, i, top)
        goal_i = 0.0 if beta[i] < 0.0 else C
        goal_j = 0.0 if beta[j] > 0.0 else -C
        room_i, room_j = goal_i - beta[i], beta[j] - goal_j
        step = min(step, room_i, room_j)
        beta[i] = goal_i if step == room_i else beta[i] + step
        beta[j] = goal_j if step == room_j else beta[j] - step
        for t in range(F.size):
            F[t] -= step * (K[i, t] - K[j, t])
        i, top, bottom = _worst(F, beta, C, epsilon)
        steps += 1
    return steps
