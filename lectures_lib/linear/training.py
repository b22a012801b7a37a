"""Linear support vector machines at scale: dual coordinate descent, Newton's method, Pegasos.

`fast` is the first two together: the one to use where time matters.

The offset is none, or the weight of a constant feature, penalised like any other weight: then

    minimise  half (norm(w)^2 + (b / constant)^2) + sum C_i xi_i        (or C_i xi_i^2)

which is LinearSVC's problem, and another one than that of `svm`, whose offset is free. Examples
may be a scipy sparse matrix; it is never made dense. Every answer is judged from alpha alone.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from .._door import door
from .._result import Result
from ..conventions import OneLine, check_count, check_points, check_positive, sign
from ..fast.descent_loops import _descend, _pegasos_steps
from ..fast.margin import sharpened
from ..fast.proximal import proximal_newton
from ..fast.threads import one_thread
from ..proof.duality import Certificate
from .problem import LinearProblem, check_tolerance, posed

#: Up to so many entries of X, the gap is computed after each pass; beyond, when it seems small.
CHEAP = 100_000
#: `fast` takes Newton's method where features are at most `FEW` and the descent would still take
#: the work of so many passes, times what one step costs; and at most so many steps of it.
FEW, PATIENCE, STEPS = 1_000, {"hinge": 20, "squared_hinge": 6}, 200
#: While the gap is large, `fast` leaves an example out at this share of the slope of Hsieh et al.
EAGER = 0.6
#: Pegasos draws its examples in blocks of this size.
BLOCK = 2**16


@dataclass(frozen=True, eq=False, repr=False)
class LinearMachine(OneLine, Result):
    """A minimiser of half norm(w)^2 + sum C_i loss_i, with its duality gap as proof."""

    w: np.ndarray  #: (d,)
    alpha: np.ndarray  #: (n,) 0 <= alpha_i (<= C_i: hinge); w = sum alpha_i y_i x_i up to rounding
    xi: np.ndarray  #: (n,) the slacks max(0, 1 - y (w.x + b))
    primal: float  #: half norm(w, b / constant)^2 + sum C_i xi_i, or C_i xi_i^2
    dual: float  #: sum alpha_i - half norm^2 (- sum alpha_i^2 / 4 C_i): no primal value is lower
    epochs: int  #: passes made; of `newton`, steps; of `fast`, both
    certificate: Certificate  #: that the gap is at most tol * dual
    b: float = 0.0  #: constant times the weight of the constant feature; 0 without one
    loss: str = "hinge"

    @property
    def converged(self) -> bool:
        """The duality gap is proved to be at most tol, relative."""
        return self.certificate.holds

    @property
    def gap(self) -> float:
        """primal - dual: how far w can be from the best."""
        return self.primal - self.dual

    def decision(self, X: ArrayLike) -> np.ndarray:
        """Return w.x + b for each row, dense or sparse."""
        return (X if sparse.issparse(X) else np.asarray(X, float)) @ self.w + self.b

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the sign of the decision, never 0."""
        return sign(self.decision(X))


@dataclass(frozen=True, eq=False, repr=False)
class PegasosRun(OneLine, Result):
    """The averaged iterate of Pegasos, and a lower bound that no w can beat."""

    w: np.ndarray  #: (d,) the mean of the iterates
    b: float  #: constant times the mean weight of the constant feature; 0 without one
    last: np.ndarray  #: (d,) the last iterate
    alpha: np.ndarray  #: (n,) a point of the dual, 0 <= alpha_i <= 1 / (n penalty)
    primal: float  #: penalty/2 norm(w)^2 + mean hinge loss, of the mean iterate
    dual: float  #: the dual value of alpha in the same units: no w has a lower primal value
    steps: int

    @property
    def gap(self) -> float:
        """primal - dual: how far w can be from the best."""
        return self.primal - self.dual


@door
def dual_coordinate_descent(
    X: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike = 1.0,
    *,
    loss: str = "hinge",
    constant: float = 0.0,
    rng: int | np.random.Generator | None = None,
    shrink: bool = False,
    tol: float = 1e-8,
    max_epochs: int = 10_000,
) -> LinearMachine:
    """Minimise half norm(w)^2 + sum C_i max(0, 1 - y_i w.x_i) (Hsieh et al. 2008).

    Each step maximises the dual exactly in one alpha_i, kept in [0, C_i].

    Parameters
    ----------
    X, y : (n, d) examples, dense or scipy sparse, and their labels -1 and +1.
    C : the cost of slack, one number or one for each example.
    loss : "hinge" (C xi), or "squared_hinge" (C xi^2): alpha has no upper bound then.
    constant : the value of a constant feature whose weight gives the offset b. The weight is
        penalised; a large constant makes the penalty small and the descent slow. 0: no offset.
    rng : each pass in a new random order, which is often much faster; None: as given.
    shrink : leave examples that stay at their bound out until the others are done.
    tol : stop at a duality gap of tol, relative to the dual objective.
    max_epochs : passes at most.

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> linear.dual_coordinate_descent(X, y, C=10.0).w.round(4)
    array([1., 0.])
    """
    problem, tol = posed(X, y, C, loss, constant), check_tolerance(tol)
    most, patience = check_count(max_epochs, "max_epochs"), np.inf
    return _descended(problem, np.zeros(len(problem.y)), 0, rng, float(shrink), tol, patience, most)


@door
def fast(
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
    """Solve the problem of `dual_coordinate_descent` by what is fastest; its arguments.

    The descent, in random order and with shrinking, comes near the answer in few passes; the rest
    of the way grows with C. Newton's method goes it in some dozen steps, whatever C is, but each
    costs d^2 for an example and d^3 for itself. So where features are few the descent gives way as
    soon as it is slow. `epochs` counts passes and steps.

    Parameters
    ----------
    X, y, C, loss, constant, rng, tol, max_epochs : as in `dual_coordinate_descent`

    Examples
    --------
    >>> X, y = datasets.noisy(500, 10)
    >>> linear.fast(X, y).converged
    True
    """
    problem, most = posed(X, y, C, loss, constant), check_count(max_epochs, "max_epochs")
    tol = check_tolerance(tol)
    with one_thread():  # a second one waits between products so small, and takes a core to do it
        return _fastest(problem, rng, tol, most)


def _fastest(problem: LinearProblem, rng, tol: float, most: int) -> LinearMachine:
    """Descend; where that is slow, go on by Newton's method; and where that ends, descend again."""
    n, d = problem.X.shape
    size = problem.X.size + 1  # and what a step costs, in passes: the rows' squares, d^3, calls
    step = 1 + size / n / (5 if sparse.issparse(problem.X) else 50) + (d**3 / 30 + CHEAP) / size
    patience = PATIENCE[problem.loss] * step if d <= min(n, FEW) else np.inf
    answer = _descended(problem, np.zeros(n), 0, rng, EAGER, tol, patience, most)
    if answer.converged or answer.epochs == most:
        return answer
    left = min(most - answer.epochs, STEPS)
    alpha, w, steps = proximal_newton(problem, answer.alpha, tol, left)
    answer = _or_with(problem, _judged(problem, alpha, answer.epochs + steps, tol), w, tol)
    if answer.converged or answer.epochs == most:
        return answer
    answer = _or_by_margin(problem, answer, tol)
    if answer.converged:
        return answer
    last = _descended(problem, answer.alpha.copy(), answer.epochs, rng, EAGER, tol, np.inf, most)
    return _or_by_margin(problem, last, tol)


@door
def newton(
    X: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike = 1.0,
    *,
    constant: float = 0.0,
    tol: float = 1e-8,
    max_iterations: int = 100,
) -> LinearMachine:
    """Minimise half norm(w)^2 + sum C_i xi_i^2 by Newton's method on w (Keerthi, DeCoste 2005).

    The squared hinge is smooth: with the examples that have slack fixed, w solves a linear system
    of d equations. Made for few features (d up to some thousands); the same answer as
    `dual_coordinate_descent` with ``loss="squared_hinge"``.
    """
    problem, tol = posed(X, y, C, "squared_hinge", constant), check_tolerance(tol)
    w = np.zeros(problem.X.shape[1] + 1)
    xi = problem.slacks(w)
    for step in range(check_count(max_iterations, "max_iterations")):  # noqa: B007  (counted below)
        w, xi = _newton_step(problem, w, xi)
        alpha = 2.0 * problem.C * xi
        slope = w - problem.w(alpha)
        if slope @ slope <= tol * problem.primal(w, xi) and _small_gap(problem, alpha, tol):
            break
    return _or_by_margin(problem, _judged(problem, alpha, step + 1, tol), tol)


@door
def pegasos(
    X: ArrayLike,
    y: ArrayLike,
    penalty: float,
    *,
    steps: int,
    constant: float = 0.0,
    project: bool = False,
    rng: int | np.random.Generator | None = None,
) -> PegasosRun:
    """Minimise penalty/2 norm(w)^2 + mean max(0, 1 - y w.x) by stochastic subgradients.

    Step t draws an example and moves w by 1 / (penalty t) against the slope of its term
    (Shalev-Shwartz et al. 2007, 2011); with `project`, w stays in the ball of radius
    1 / sqrt(penalty), which holds the minimiser. The cost of a step does not depend on n.

    w is always sum alpha_i y_i x_i, alpha_i counting the steps at example i. Cut to the box of the
    dual, alpha gives a lower bound, so the gap is proved and not only expected. It falls slowly:
    random draws visit some examples more often than the box allows.
    """
    n = np.shape(X)[0] if sparse.issparse(X) else len(check_points(X))
    problem = posed(X, y, C_from_penalty(penalty, n), "hinge", constant)
    rng, left, done = np.random.default_rng(rng), check_count(steps, "steps"), 0
    v, weight, debt = np.zeros(problem.X.shape[1] + 1), np.zeros(n), np.zeros(n)
    state = np.array([1.0, 0.0, 0.0])
    radius = 1.0 / np.sqrt(penalty) if project else np.inf
    rows, norms2 = problem.rows, problem.norms2
    while done < left:
        draw = rng.integers(n, size=min(BLOCK, left - done))
        _pegasos_steps(
            *rows, problem.y, norms2, penalty, radius, draw, done, v, weight, debt, state
        )
        done += len(draw)
    last, mean = state[0] * weight / (penalty * done), (state[1] * weight - debt) / (penalty * done)
    return _bounded(problem, penalty, last, mean, done)


@door
def C_from_penalty(penalty: float, n: int) -> float:
    """Return the C with which half norm(w)^2 + C sum xi has the minimiser of Pegasos' problem."""
    return 1.0 / (check_count(n, "n") * check_positive(penalty, "penalty", ": it is 1 / (n C)"))


@door
def penalty_from_C(C: float, n: int) -> float:
    """Return the penalty with which Pegasos' problem has the minimiser of the standard one."""
    return 1.0 / (check_count(n, "n") * check_positive(C, "C", ": the penalty is 1 / (n C)"))


def _descended(problem, alpha, epochs, rng, shrink, tol, patience, most) -> LinearMachine:
    """Go on from alpha, which is written to, until the gap is small; judge it when it seems so."""
    data, seed = problem.loop_data(), 0 if rng is None else _seed(rng)
    enough = np.inf if problem.X.size <= CHEAP and not shrink else tol
    w, order = problem.w(alpha), np.arange(len(alpha), dtype=np.uint32)
    dual, done, memory = problem.dual(alpha, w), 0, np.array([1.0, np.inf, -np.inf])
    while True:
        state = w, alpha, order, seed, shrink, dual
        limits = enough, patience, most - epochs, done, memory
        passes, seed, far = _descend(*data, *state, *limits)
        done, epochs = done + passes, epochs + passes
        w = problem.w(alpha)  # without the rounding errors of many steps
        dual, xi = problem.dual(alpha, w), problem.slacks(w)
        if epochs == most or far or problem.primal(w, xi) - dual <= tol * dual:
            return _machine(problem, alpha, w, xi, epochs, tol)


def _seed(rng) -> int:
    return int(np.random.default_rng(rng).integers(1, 2**31 - 1))


def _small_gap(problem: LinearProblem, alpha, tol: float) -> bool:
    """Return whether the gap is small enough as computed; the judge comes after."""
    w = problem.w(alpha)
    dual = problem.dual(alpha, w)
    return bool(problem.primal(w, problem.slacks(w)) - dual <= tol * dual)


def _judged(problem: LinearProblem, alpha, epochs: int, tol: float) -> LinearMachine:
    w = problem.w(alpha)
    return _machine(problem, alpha, w, problem.slacks(w), epochs, tol)


def _machine(problem: LinearProblem, alpha, whole, xi, epochs: int, tol: float) -> LinearMachine:
    judged, (w, b) = problem.certificate(alpha, whole, tol), problem.parted(whole)
    return LinearMachine(w, alpha, xi, judged.primal, judged.dual, epochs, judged, b, problem.loss)


def _or_by_margin(problem: LinearProblem, answer: LinearMachine, tol: float) -> LinearMachine:
    """Return a last answer; where it is not proved, the one of its margin, if that is."""
    return (
        answer
        if answer.converged
        else _or_with(problem, answer, sharpened(problem, answer.alpha), tol)
    )


def _or_with(
    problem: LinearProblem, answer: LinearMachine, w: np.ndarray, tol: float
) -> LinearMachine:
    """Return an answer; where it is not proved, the same alpha beside another w, if that is."""
    if answer.converged:
        return answer
    better = _machine(problem, answer.alpha, w, problem.slacks(w), answer.epochs, tol)
    return better if better.converged else answer


def _newton_step(problem: LinearProblem, w, xi) -> tuple[np.ndarray, np.ndarray]:
    """Solve for w with the examples that have slack; go there as far as the objective falls."""
    s = np.flatnonzero(xi * problem.C)
    H = problem.squares(s, 2.0 * problem.C[s])
    H[np.diag_indices(len(H))] += 1.0
    goal = _solved(H, problem.w(2.0 * problem.C * (xi > 0)))
    t, before = 1.0, problem.primal(w, xi)
    while True:
        new = w + t * (goal - w)
        xi = problem.slacks(new)
        if problem.primal(new, xi) <= before or t < 1e-9:
            return new, xi
        t *= 0.5


def _solved(H: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return H^-1 right; where rounding makes H singular, the shortest solution."""
    try:
        return cho_solve(cho_factor(H), right)
    except LinAlgError:
        return np.linalg.lstsq(H, right, rcond=None)[0]


def _bounded(problem: LinearProblem, penalty: float, last, mean, steps: int) -> PegasosRun:
    """Judge the mean iterate by the better of two points of the dual."""
    points = [np.clip(alpha, 0.0, problem.high) for alpha in (mean, last)]
    duals = [problem.dual(point, problem.w(point)) for point in points]
    best = int(np.argmax(duals))
    whole, w_last = problem.w(mean), problem.parted(problem.w(last))[0]
    primal = penalty * problem.primal(whole, problem.slacks(whole))
    w, b = problem.parted(whole)
    return PegasosRun(w, b, w_last, points[best], primal, penalty * duals[best], steps)
