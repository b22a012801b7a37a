"""Support vector regression with its duality gap; `kernel_methods` exports it.

An error up to epsilon costs nothing, and C a unit beyond it (L4). With f(x) = w.phi(x) + b,

    minimise  half norm(w)^2 + C sum xi   with  abs(y - f(x)) <= epsilon + xi  and  xi >= 0
    maximise  y.beta - epsilon sum abs(beta) - half beta'K beta   over  abs(beta) <= C, sum beta = 0

are dual to each other, and w = sum beta_i phi(x_i). C may be one price for each example: C_i xi_i
and abs(beta_i) <= C_i.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import qp
from .._arguments import BadArgument, explained
from .._result import SEAL, Result, with_fields
from ..conventions import (
    RTOL,
    OneLine,
    as_array,
    as_floats,
    check_count,
    check_number,
    check_positive,
    check_targets,
    check_vector,
)
from ..kernels import Kernel, Linear, centre_of, centred, check_kernel, checked_gram, product
from ..kernels.gram import check_pairs
from ..proof.middle import from_middle, middle_of
from ..proof.regression import (
    SVRCertificate,
    check_tube,
    svr_certificate,
    svr_certificate_of_blocks,
    svr_certificate_of_features,
)
from ..proof.rounding import UNIT
from ..proof.scores import one_block
from ..smo import repeat, second_order_loop
from .free import NEAR_BOUND, POLISH, solved_free
from .machine import same_offset, shift_of, weights
from .problem import TESTED, balanced, balanced_exactly, is_free, tube_offset

#: The violations that SMO is asked for, one after the other, until the answer is proved.
TOLS = (1e-4, 1e-6, 1e-8)
#: A gap above this part of the tolerance has a small problem solved once more.
DOUBT = 1e-3


@dataclass(frozen=True, eq=False, repr=False)
class SVRMachine(OneLine, Result):
    """The flattest function within epsilon of the examples, as far as C pays for it."""

    kernel: Kernel
    X: np.ndarray  #: (n, d) the training examples
    y: np.ndarray  #: (n,) their targets
    C: float | np.ndarray  #: one, or one per example
    epsilon: float
    beta: np.ndarray  #: (n,) > 0 above the tube or on its upper edge, < 0 below; sum beta is 0
    b: float  #: f(x) = sum beta_i K(x_i, x) + b + middle; with a centre: b_centred, from 0, rounded
    b_interval: tuple[float, float]  #: every offset in it is as good; a point if a free one exists
    certificate: SVRCertificate
    centre: np.ndarray | None = None  #: linear: c, where b_centred counts
    b_centred: float | None = None  #: f(x) = sum beta_i (x_i - c).(x - c) + b_centred + middle
    middle: float = 0.0  #: the median of targets that lie far from 0

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
        return np.flatnonzero(is_free(np.abs(self.beta), self.C, NEAR_BOUND[-1]))

    @property
    def bounded(self) -> np.ndarray:
        """The examples with abs(beta) = C: on an edge of the tube or outside."""
        return np.setdiff1d(self.support, self.free)

    @property
    def w(self) -> np.ndarray | None:
        """sum beta x where the kernel is linear, added up from the centre; None elsewhere."""
        return weights(self.X, self.beta, self.centre) if self.centre is not None else None

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return f(x) = sum beta_i K(x_i, x) + b + middle for each row of X, in tiles."""
        s, X = self.support, self.kernel.check(X)
        if len(s) == 0:
            return np.full(len(X), self.b + self.middle)
        if self.centre is None:
            return product(self.kernel, X, self.X[s], self.beta[s]) + self.b + self.middle
        self.kernel(X[:1], self.X[:1])  # the same number of features, or an error
        return (X - self.centre) @ self.w + self.b_centred + self.middle

    def rejudge(self) -> "SVRMachine":
        """Judge beta, b and `middle` anew, for its own X, y, C, epsilon and kernel.

        Examples
        --------
        >>> from dataclasses import replace
        >>> X, y = [[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0]
        >>> fit = kernel_methods.support_vector_regression(X, y, 10.0, epsilon=0.25)
        >>> replace(fit, b=9.0).rejudge().certificate.verdict
        'refuted'
        """
        kernel = check_kernel(self.kernel)
        X = kernel.check(self.X)
        C, epsilon = check_tube(self.C, self.epsilon, len(X))
        beta, b = check_vector(self.beta, len(X), "beta"), check_number(self.b, "b")
        centre = centre_of(kernel, X)
        if fsum(beta) or not same_offset(self, b, shift_of(X, beta, centre), centre):
            centre = None  # f is judged as it is written, from the origin
        b = b if centre is None else float(self.b_centred or 0.0)
        y = from_middle(check_targets(self.y, len(X)), self.middle)
        K = checked_gram(kernel, X if centre is None else X - centre)
        proof = judged_tube(kernel, X, K, y, C, epsilon, beta, b, centre)
        ends = with_offset(K, y, C, epsilon, beta)[1]
        ends = ends if ends[0] <= b <= ends[1] else (b, b)
        return with_fields(self, certificate=proof, **placed(X, beta, b, ends, centre))


def placed(
    X: Any, beta: np.ndarray, b: float, ends: tuple[float, float], centre: np.ndarray | None
) -> dict[str, Any]:
    """Return the fields of an offset from the centre, if there is one, and of the same from 0."""
    shift, own = shift_of(X, beta, centre), None if centre is None else b
    seen = {"b": b - shift, "b_interval": (ends[0] - shift, ends[1] - shift)}
    return seen | {"centre": centre, "b_centred": own}


@explained
def svr_smo(
    K: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike,
    epsilon: float,
    *,
    tol: float = 1e-4,
    max_iterations: int | None = None,
    start: ArrayLike | None = None,
) -> np.ndarray:
    """Return beta = up + down by SMO: two entries at a time, one grows and one shrinks.

    With up in [0, C] and down in [-C, 0] the dual is an SVM's with 2n entries, whose targets are
    y - epsilon for up and y + epsilon for down. After `max_iterations` (None: a thousand for each
    example) beta is what it is: feasible, at least. `start` is a feasible beta to go on from.
    """
    K, y, C = _check_problem(K, y, C, epsilon)
    tol = check_positive(tol, "tol")
    steps = 1000 * len(y) if max_iterations is None else max_iterations
    zero, most = np.zeros(len(y)), check_count(steps, "max_iterations")
    beta = zero if start is None else check_vector(start, len(y), "start")
    target = np.r_[y - epsilon, y + epsilon]
    low, high = np.r_[zero, zero - C], np.r_[zero + C, zero]
    both, twice = np.r_[np.maximum(beta, 0.0), np.minimum(beta, 0.0)], np.tile(K, (2, 2))
    both = repeat(second_order_loop, twice, (target, low, high, both), tol, most)[0]
    return both[: len(y)] + both[len(y) :]


def _check_problem(K, y, C, epsilon: float) -> tuple[np.ndarray, np.ndarray, float | np.ndarray]:
    """Return K, y and C as arrays that fit, or say what is wrong with them."""
    K, y = np.ascontiguousarray(as_array(K, "K")), as_array(y, "y")
    if y.ndim != 1 or K.shape != (len(y), len(y)) or len(y) == 0:
        raise BadArgument(f"K has shape {K.shape} and y {y.shape}: K needs one row per target.")
    if K.dtype.kind not in "biuf" or y.dtype.kind not in "biuf":
        raise BadArgument(f"K and y must hold real numbers, not {K.dtype} and {y.dtype}.")
    K, y = as_floats(K, "K"), as_floats(y, "y")
    if not (np.isfinite(K).all() and np.isfinite(y).all()):
        raise BadArgument("K or y contains NaN or infinity: check the data and the kernel.")
    check_pairs(K)
    return K, y, check_tube(C, epsilon, len(y))[0]


@explained
def svr_qp(
    K: ArrayLike, y: ArrayLike, C: float | ArrayLike, epsilon: float, *, engine: str | None = None
) -> np.ndarray:
    """Return beta = up - down, the dual as a quadratic program in up and down, both in [0, C]."""
    K, y, C = _check_problem(K, y, C, epsilon)
    n, lost = len(y), 4 * len(y) * np.finfo(float).eps * np.abs(K).max()
    K = 0.5 * (K + K.T) + np.diag(np.full(n, lost))  # what rounding may have taken from it
    answer = qp.solve(
        np.block([[K, -K], [-K, K]]),
        np.concatenate([epsilon - y, epsilon + y]),
        A=np.repeat([[1.0, -1.0]], n, axis=1),
        b=[0.0],
        lower=0.0,
        upper=np.tile(C + np.zeros(n), 2),
        engine=engine,
    )
    return np.clip(answer.x[:n] - answer.x[n:], -C, C)


@explained
def support_vector_regression(
    X: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike = 1.0,
    epsilon: float = 0.1,
    kernel: Kernel | None = None,
    *,
    solver: Callable[..., np.ndarray] | None = None,
) -> SVRMachine:
    """Fit a tube of half-width epsilon: half norm(w)^2 + C sum max(0, abs(y - f(x)) - epsilon).

    C is one price, or one per example. `solver` is a function of (K, y, C, epsilon) that returns
    beta. Default: `svr_smo`, and `svr_qp` for a small problem that it does not solve well (a C that
    is huge for the data). A solver sees the problem in units where K and y are about 1, and
    centred, which changes b only.

    Parameters
    ----------
    X, y : examples that the kernel takes, and their targets
    C : the price of what leaves the tube, one or one per example
    epsilon : half the width of the tube
    kernel : `kernels.Linear()` if None
    solver : a function of (K, y, C, epsilon) that returns beta

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0]
    >>> fit = kernel_methods.support_vector_regression(X, y, 10.0, epsilon=0.25)
    >>> fit.predict([[1.0]]).round(4)
    array([1.])
    """
    kernel = Linear() if kernel is None else check_kernel(kernel)
    X = kernel.check(X)
    targets, (C, epsilon) = check_targets(y, len(X)), check_tube(C, epsilon, len(X))
    centre, middle = centre_of(kernel, X), middle_of(targets)
    y = targets - middle  # exact; all that follows counts from there
    K = checked_gram(kernel, X if centre is None else X - centre)
    found: list[tuple[np.ndarray, tuple[float, float], float]] = []
    for solve in [solver] if solver is not None else _solvers(len(y)):
        found.append(_best(K, y, C, epsilon, solve))
        beta, interval, _ = min(found, key=lambda answer: answer[2])
        if centre is not None:  # far out, rounding of sum beta would move f
            beta = sides(beta) * balanced_exactly(np.abs(beta), sides(beta))
        b = float(np.mean(interval))
        proof = judged_tube(kernel, X, K, y, C, epsilon, beta, b, centre)
        doubtful = len(found) == 1 and len(y) <= POLISH and proof.gap > DOUBT * proof.tolerance
        if proof.holds and not doubtful:
            break
    place = placed(X, beta, b, interval, centre)
    place |= {"certificate": proof, "middle": middle, "_seal": SEAL}
    return SVRMachine(kernel, X, targets, C, epsilon, beta, **place)


def judged_tube(
    kernel: Kernel,
    X: Any,
    K: np.ndarray,
    y: np.ndarray,
    C: float | np.ndarray,
    epsilon: float,
    beta: np.ndarray,
    b: float,
    centre: np.ndarray | None,
) -> SVRCertificate:
    """Judge an answer for the true kernel, rounding of K included."""
    answer = y, C, epsilon, beta, b
    if centre is not None:
        return svr_certificate_of_features(X, *answer, centre, b - shift_of(X, beta, centre))
    known = kernel.rounding(X) if kernel.valid else None
    if known is None and len(y) <= TESTED:
        return svr_certificate(K, *answer)
    assumes = "" if kernel.valid else "the kernel is valid (not tested)"
    parts = one_block(K[np.flatnonzero(beta)].T)
    options: dict[str, Any] = {"relative": known, "assumes": assumes}
    options["exact"] = partial(kernel.exact, X)
    return svr_certificate_of_blocks(parts, kernel.diagonal(X), *answer, **options)


def _solvers(n: int) -> list[Callable[..., np.ndarray]]:
    """Return what is asked in turn until the answer is proved: SMO, to ever smaller violations.

    Each goes on where the one before has ended. Of few examples SMO gets the steps that are worth
    taking before `svr_qp` is faster, and that comes next.
    """
    last: list[np.ndarray] = []

    def smo_to(tol: float, most: int) -> Callable[..., np.ndarray]:
        def solve(K, y, C, epsilon):
            start = last[-1] if last else None
            last.append(svr_smo(K, y, C, epsilon, tol=tol, max_iterations=most, start=start))
            return last[-1]

        return solve

    first, *others = TOLS
    if n <= POLISH:
        return [smo_to(first, 100 * n), _qp_of_rounded, *(smo_to(t, 1000 * n) for t in others)]
    return [smo_to(tol, 1000 * n) for tol in TOLS]


def _qp_of_rounded(K, y, C, epsilon) -> np.ndarray:
    """Return `svr_qp` for a kernel's matrix that rounding, far from the origin, has bent.

    Its least eigenvalue is lifted above 0; what the answer is worth, the certificate decides.
    """
    bent = max(0.0, -float(np.linalg.eigvalsh(K)[0]))
    return svr_qp(K + np.diag(np.full(len(y), 2.0 * bent)), y, C, epsilon)


def _best(K, y, C, epsilon, solver) -> tuple[np.ndarray, tuple[float, float], float]:
    """Return (beta, offsets, gap) of the best of the solver's beta and what `_polished` makes."""
    Kc, yc = centred(K), y - y.mean()
    Kc = 0.5 * (Kc + Kc.T) + np.diag(np.full(len(y), 4 * len(y) * UNIT * np.abs(K).max()))
    unit, reach = max(Kc.diagonal().max(), 0.0) or 1.0, np.abs(yc).max() or 1.0
    problem = Kc / unit, yc / reach, C * unit / reach, epsilon / reach
    beta = solver(*problem)
    guesses = [0.0 * beta, beta] + [_polished(*problem, beta, near) for near in NEAR_BOUND]
    even = [sides(guess) * balanced(np.abs(guess), sides(guess)) for guess in guesses]
    scaled = [np.clip(guess * (reach / unit), -C, C) for guess in even]
    return min((with_offset(K, y, C, epsilon, b) for b in scaled), key=lambda found: found[2])


def _polished(K, y, C, epsilon, beta, near: float) -> np.ndarray:
    """Put entries near 0 or C there, and solve y - f = +-epsilon for the free ones exactly."""
    free, side = is_free(np.abs(beta), C, near), sides(beta)
    if free.sum() > POLISH:
        return beta
    fixed = np.where(~free & (np.abs(beta) > 0.5 * C), C * side, 0.0)
    fixed = solved_free(K, y - epsilon * side, fixed, free)
    return side * np.clip(side * fixed, 0.0, C)


def sides(beta: np.ndarray) -> np.ndarray:
    """Return +1 where y is above the tube, -1 below: what the labels are for a classifier."""
    return np.where(beta < 0, -1.0, 1.0)


def with_offset(
    K: np.ndarray, y: np.ndarray, C: float | np.ndarray, epsilon: float, beta: np.ndarray
) -> tuple[np.ndarray, tuple[float, float], float]:
    """Choose the offset for this beta; return both with the gap as computed."""
    scores = K @ beta
    r = y - scores
    interval = tube_offset(r, epsilon, C)
    free = is_free(np.abs(beta), C, NEAR_BOUND[-1])
    if free.any():
        mean = float(np.mean((r - epsilon * sides(beta))[free]))
        near = RTOL * (np.abs(r).max() + epsilon)  # a mean farther off is not this w's offset
        inside = interval[0] - near <= mean <= interval[1] + near
        interval = (mean, mean) if inside else interval
    xi = np.maximum(np.abs(r - np.mean(interval)) - epsilon, 0.0)
    value = (y - y.mean()) @ beta - epsilon * np.abs(beta).sum()
    return beta, interval, float(beta @ scores + np.sum(C * xi) - value)
