"""Dual coordinate descent and Pegasos, each answer judged; `linear` says for which problem."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._arguments import BadArgument, explained
from .._result import SEAL, Result, with_fields
from ..conventions import (
    OneLine,
    check_count,
    check_number,
    check_points,
    check_positive,
    check_rng,
    check_vector,
    orders,
    sign,
)
from ..proof.duality import Certificate
from .passes import descent_pass, pegasos_steps
from .problem import LinearProblem, check_tolerance, pose


@dataclass(frozen=True, eq=False, repr=False)
class LinearMachine(OneLine, Result):
    """A minimiser of half norm(w)^2 + sum C_i loss_i, with its duality gap as proof."""

    w: np.ndarray  #: (d,)
    alpha: np.ndarray  #: (n,) 0 <= alpha_i (<= C_i: hinge); w = sum alpha_i y_i x_i up to rounding
    xi: np.ndarray  #: (n,) the slacks max(0, 1 - y (w.x + b))
    primal: float  #: half norm(w, b / constant)^2 + sum C_i xi_i, or C_i xi_i^2
    dual: float  #: sum alpha - half norm^2 (- sum alpha^2 / 4 C), rounded; certificate.lower bounds
    epochs: int  #: passes made; of `fast.linear`, Newton steps as well
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

    def rejudge(
        self,
        X: ArrayLike,
        y: ArrayLike,
        C: float | ArrayLike = 1.0,
        *,
        constant: float = 0.0,
        tol: float = 1e-8,
    ) -> "LinearMachine":
        """Judge w, b and alpha anew, also of a changed copy; all else follows from them.

        Parameters
        ----------
        X, y, C, constant, tol : as they were for the function that trained it

        Examples
        --------
        >>> from dataclasses import replace
        >>> X, y = datasets.lecture_example()
        >>> machine = linear.dual_coordinate_descent(X, y, C=10.0)
        >>> replace(machine, w=-machine.w).rejudge(X, y, C=10.0).certificate.verdict
        'refuted'
        """
        problem, tol = pose(X, y, C, self.loss, constant), check_tolerance(tol)
        w, b = check_vector(self.w, problem.X.shape[1]), check_number(self.b, "b")
        alpha = check_vector(self.alpha, len(problem.y), "alpha")
        if b and not problem.constant:
            raise BadArgument(
                f"This machine has an offset b = {b:g}: give the constant it was for."
            )
        proof = problem.certificate_of(alpha, w, b, tol)
        xi = np.maximum(0.0, 1.0 - problem.y * (problem.X @ w + b))
        return with_fields(self, xi=xi, primal=proof.primal, dual=proof.dual, certificate=proof)


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


@explained
def dual_coordinate_descent(
    X: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike = 1.0,
    *,
    loss: str = "hinge",
    constant: float = 0.0,
    rng: int | np.random.Generator | None = None,
    tol: float = 1e-8,
    max_epochs: int = 10_000,
) -> LinearMachine:
    """Minimise half norm(w)^2 + sum C_i max(0, 1 - y_i w.x_i) (Hsieh et al. 2008).

    Each step maximises the dual exactly in one alpha_i, kept in [0, C_i] (`descent_pass`). For many
    or sparse examples use `fast.linear`.

    Parameters
    ----------
    X, y : (n, d) examples and their labels -1 and +1.
    C : the cost of slack, one number or one for each example.
    loss : "hinge" (C xi), or "squared_hinge" (C xi^2): alpha has no upper bound then.
    constant : the value of a constant feature whose weight gives the offset b. The weight is
        penalised; a large constant makes the penalty small and the descent slow. 0: no offset.
    rng : each pass in a new random order, which is often much faster; None: as given.
    tol : stop at a duality gap of tol, relative to the dual objective.
    max_epochs : passes at most.

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> linear.dual_coordinate_descent(X, y, C=10.0).w.round(4)
    array([1., 0.])
    """
    problem, tol = pose(X, y, C, loss, constant), check_tolerance(tol)
    rows, passes = problem.with_constant(), orders(len(problem.y), None, rng)
    w, alpha = np.zeros(rows.shape[1]), np.zeros(len(problem.y))
    for epoch in range(1, check_count(max_epochs, "max_epochs") + 1):  # noqa: B007 (counted below)
        descent_pass(rows, problem.y, problem.high, problem.D, w, alpha, next(passes))
        if small_gap(problem, alpha, tol):
            break
    return judged(problem, alpha, epoch, tol)


@explained
def pegasos(
    X: ArrayLike,
    y: ArrayLike,
    penalty: float,
    *,
    steps: int,
    constant: float = 0.0,
    rng: int | np.random.Generator | None = None,
) -> PegasosRun:
    """Minimise penalty/2 norm(w)^2 + mean max(0, 1 - y w.x) by stochastic subgradients.

    Step t draws an example and moves w by 1 / (penalty t) against the slope of its term
    (Shalev-Shwartz et al. 2007, 2011). The cost of a step does not depend on n.

    w is always sum alpha_i y_i x_i, alpha_i counting the steps at example i. Cut to the box of the
    dual, alpha gives a lower bound, so the gap is proved and not only expected. It falls slowly:
    random draws visit some examples more often than the box allows.

    Parameters
    ----------
    X, y : (n, d) examples and their labels -1 and +1
    penalty : of norm(w)^2 / 2, above 0
    steps : how many are made
    constant : the value of a constant feature whose weight gives the offset b; 0: no offset
    rng : a seed or generator for the draws

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> run = linear.pegasos(X, y, 0.1, steps=1000, rng=0)
    >>> run.dual <= run.primal
    True
    """
    n = len(check_points(X))
    problem = pose(X, y, C_from_penalty(penalty, n), "hinge", constant)
    draws = check_rng(rng).integers(n, size=check_count(steps, "steps"))
    *_, short = pegasos_steps(problem.with_constant(), problem.y, float(penalty), draws)
    times = np.flatnonzero(short)  # step t stays in w, and in the mean with shares 1/t ... 1/steps
    shares = np.cumsum((1.0 / np.arange(1, steps + 1))[::-1])[::-1]
    last = np.bincount(draws[times], minlength=n) / (penalty * steps)
    mean = np.bincount(draws[times], shares[times], minlength=n) / (penalty * steps)
    return _bounded(problem, penalty, last, mean, steps)


@explained
def C_from_penalty(penalty: float, n: int) -> float:
    """Return the C with which half norm(w)^2 + C sum xi has the minimiser of Pegasos' problem."""
    return 1.0 / (check_count(n, "n") * check_positive(penalty, "penalty", ": it is 1 / (n C)"))


@explained
def penalty_from_C(C: float, n: int) -> float:
    """Return the penalty with which Pegasos' problem has the minimiser of the standard one.

    Parameters
    ----------
    C : the price of slack
    n : how many examples

    Examples
    --------
    >>> linear.penalty_from_C(0.5, 10)
    0.2
    """
    return 1.0 / (check_count(n, "n") * check_positive(C, "C", ": the penalty is 1 / (n C)"))


def small_gap(problem: LinearProblem, alpha: np.ndarray, tol: float) -> bool:
    """Return whether the gap is small enough as computed; the judge comes after."""
    w = problem.w(alpha)
    dual = problem.dual(alpha, w)
    return bool(problem.primal(w, problem.slacks(w)) - dual <= tol * dual)


def judged(
    problem: LinearProblem,
    alpha: np.ndarray,
    epochs: int,
    tol: float,
    whole: np.ndarray | None = None,
) -> LinearMachine:
    """Return the machine of alpha with its proof; or of weights of its own beside alpha."""
    whole = problem.w(alpha) if whole is None else whole
    proof, (w, b) = problem.certificate(alpha, whole, tol), problem.parted(whole)
    xi = problem.slacks(whole)
    return LinearMachine(
        w, alpha, xi, proof.primal, proof.dual, epochs, proof, b, problem.loss, _seal=SEAL
    )


def _bounded(problem: LinearProblem, penalty: float, last, mean, steps: int) -> PegasosRun:
    """Judge the mean iterate by the better of two points of the dual."""
    points = [np.clip(alpha, 0.0, problem.high) for alpha in (mean, last)]
    duals = [problem.dual(point, problem.w(point)) for point in points]
    best = int(np.argmax(duals))
    whole, w_last = problem.w(mean), problem.parted(problem.w(last))[0]
    primal = penalty * problem.primal(whole, problem.slacks(whole))
    w, b = problem.parted(whole)
    return PegasosRun(w, b, w_last, points[best], primal, penalty * duals[best], steps)
