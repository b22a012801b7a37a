"""Linear support vector machines at scale: dual coordinate descent, Newton's method, Pegasos.

The offset is none, or the weight of a constant feature, penalised like any other weight: then

    minimise  half (norm(w)^2 + (b / constant)^2) + sum C_i xi_i        (or C_i xi_i^2)

which is LinearSVC's problem, and another one than that of `svm`, whose offset is free. Examples
may be a scipy sparse matrix; it is never made dense. Every answer is judged from alpha alone.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse
from scipy.linalg import cho_factor, cho_solve

from ._linear_loops import _descend, _pegasos_steps
from .conventions import LARGEST, check_count, check_examples, check_labels, sign

LOSSES = ("hinge", "squared_hinge")
#: Up to so many entries of X, the gap is computed after each pass; beyond, when it seems small.
CHEAP = 100_000
#: Pegasos draws its examples in blocks of this size.
BLOCK = 2**16


@dataclass(frozen=True, eq=False)
class LinearSVM:
    """A minimiser of half norm(w)^2 + sum C_i loss_i, with its duality gap as proof."""

    w: np.ndarray  #: (d,)
    alpha: np.ndarray  #: (n,) 0 <= alpha_i (<= C_i: hinge) and w = sum alpha_i y_i x_i
    xi: np.ndarray  #: (n,) the slacks max(0, 1 - y (w.x + b))
    primal: float  #: half norm(w, b / constant)^2 + sum C_i xi_i, or C_i xi_i^2
    dual: float  #: sum alpha_i - half norm^2 (- sum alpha_i^2 / 4 C_i): no primal value is lower
    epochs: int  #: passes made; of `newton`, steps
    converged: bool  #: gap <= tol * (1 + primal)
    b: float = 0.0  #: constant times the weight of the constant feature; 0 without one
    loss: str = "hinge"

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


@dataclass(frozen=True, eq=False)
class PegasosRun:
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


@dataclass(frozen=True, eq=False)
class _Problem:
    """Checked data: the rows of X, each example's cost, and the dual's box and diagonal."""

    X: np.ndarray | sparse.csr_matrix
    y: np.ndarray
    C: np.ndarray
    constant: float
    loss: str

    @property
    def squared(self) -> bool:
        return self.loss == "squared_hinge"

    @property
    def high(self) -> np.ndarray:
        """The largest alpha: C_i, or infinity with the squared hinge."""
        return np.where(self.C > 0, np.inf, 0.0) if self.squared else self.C

    @property
    def D(self) -> np.ndarray:
        """What the loss adds to the diagonal of the dual: 1 / (2 C_i) with the squared hinge."""
        nothing = np.zeros_like(self.C)
        return np.divide(0.5, self.C, out=nothing, where=self.C > 0) if self.squared else nothing

    @property
    def norms2(self) -> np.ndarray:
        if sparse.issparse(self.X):
            squares = sparse.csr_matrix(
                (self.X.data**2, self.X.indices, self.X.indptr), self.X.shape
            )
            return squares @ np.ones(self.X.shape[1])
        return np.einsum("ij,ij->i", self.X, self.X)

    @property
    def rows(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """X as the loops take it: the matrix, or the three arrays of a sparse one."""
        none = np.empty(0)
        if not sparse.issparse(self.X):
            return self.X, none, none.astype(np.uint32), none.astype(np.int64)
        places, start = self.X.indices.astype(np.uint32), self.X.indptr.astype(np.int64)
        return np.empty((0, 0)), self.X.data, places, start

    def loop_data(self) -> tuple:
        """What a pass over the dual reads."""
        diagonal = self.norms2 + self.D
        return *self.rows, self.y, self.C, self.high, self.D, diagonal, self.squared

    def w(self, alpha: np.ndarray) -> np.ndarray:
        return self.X.T @ (alpha * self.y)

    def slacks(self, w: np.ndarray) -> np.ndarray:
        return np.maximum(0.0, 1.0 - self.y * (self.X @ w))

    def primal(self, w: np.ndarray, xi: np.ndarray) -> float:
        return float(0.5 * w @ w + self.C @ (xi * xi if self.squared else xi))

    def dual(self, alpha: np.ndarray, w: np.ndarray) -> float:
        return float(alpha.sum() - 0.5 * w @ w - 0.5 * alpha @ (self.D * alpha))

    def parted(self, w: np.ndarray) -> tuple[np.ndarray, float]:
        """Return (w, b)."""
        return (w[:-1], float(self.constant * w[-1])) if self.constant else (w, 0.0)


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
) -> LinearSVM:
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
    tol : stop at a duality gap of tol * (1 + primal).
    """
    problem = _problem(X, y, C, loss, constant)
    most, epochs = check_count(max_epochs, "max_epochs"), 0
    n, d = problem.X.shape
    w, alpha, order = np.zeros(d), np.zeros(n), np.arange(n)
    data, seed = problem.loop_data(), 0 if rng is None else _seed(rng)
    each = problem.X.size <= CHEAP and not shrink
    target = tol * (1.0 + problem.C.sum())
    while True:
        found = np.inf if each else target
        passes, seed = _descend(*data, w, alpha, order, seed, shrink, found, most - epochs)
        epochs += passes
        answer = _certified(problem, alpha, epochs, tol)
        if answer.converged or epochs == most:
            return answer
        target = tol * (1.0 + answer.primal)
        w = problem.w(alpha)  # without the rounding errors of many steps


def newton(
    X: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike = 1.0,
    *,
    constant: float = 0.0,
    tol: float = 1e-8,
    max_steps: int = 100,
) -> LinearSVM:
    """Minimise half norm(w)^2 + sum C_i xi_i^2 by Newton's method on w (Keerthi, DeCoste 2005).

    The squared hinge is smooth: with the examples that have slack fixed, w solves a linear system
    of d equations. Made for few features (d up to some thousands); the same answer as
    `dual_coordinate_descent` with ``loss="squared_hinge"``.
    """
    problem = _problem(X, y, C, "squared_hinge", constant)
    w = np.zeros(problem.X.shape[1])
    xi = problem.slacks(w)
    for step in range(1, check_count(max_steps, "max_steps") + 1):
        w, xi = _newton_step(problem, w, xi)
        alpha = 2.0 * problem.C * xi
        slope = w - problem.w(alpha)
        if slope @ slope <= tol * (1.0 + problem.primal(w, xi)) or step == max_steps:
            answer = _certified(problem, alpha, step, tol)
            if answer.converged:
                break
    return answer


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
    n = X.shape[0] if sparse.issparse(X) else len(X)
    problem = _problem(X, y, C_from_penalty(penalty, n), "hinge", constant)
    rng, left, done = np.random.default_rng(rng), check_count(steps, "steps"), 0
    v, weight, debt = np.zeros(problem.X.shape[1]), np.zeros(n), np.zeros(n)
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


def C_from_penalty(penalty: float, n: int) -> float:
    """Return the C with which half norm(w)^2 + C sum xi has the minimiser of Pegasos' problem."""
    if not (np.isscalar(penalty) and 0 < penalty < np.inf):
        raise ValueError(f"penalty must be a number > 0, not {penalty!r}: it is 1 / (n C).")
    return 1.0 / (check_count(n, "n") * float(penalty))


def penalty_from_C(C: float, n: int) -> float:
    """Return the penalty with which Pegasos' problem has the minimiser of the standard one."""
    if not (np.isscalar(C) and 0 < C < np.inf):
        raise ValueError(f"C must be a finite number > 0, not {C!r}: the penalty is 1 / (n C).")
    return 1.0 / (check_count(n, "n") * float(C))


def _problem(X, y, C, loss: str, constant: float) -> _Problem:
    X, y = _sparse_examples(X, y) if sparse.issparse(X) else check_examples(X, y)
    C = np.asarray(C, dtype=float)
    if C.shape not in ((), y.shape) or not (np.isfinite(C).all() and (C >= 0).all()):
        raise ValueError(
            f"C must be finite and >= 0: one number, or one for each of {len(y)} examples."
        )
    if loss not in LOSSES:
        raise ValueError(f"loss must be one of {', '.join(LOSSES)}; not {loss!r}.")
    if not 0 <= constant < np.inf:
        raise ValueError(f"constant must be a number > 0, or 0 for no offset; not {constant!r}.")
    if constant:
        column = np.full((len(y), 1), float(constant))
        sparse_X = sparse.issparse(X)
        X = sparse.hstack([X, column], format="csr") if sparse_X else np.hstack([X, column])
    return _Problem(X, y, np.broadcast_to(C, y.shape).copy(), float(constant), loss)


def _sparse_examples(X, y) -> tuple[sparse.csr_matrix, np.ndarray]:
    X = sparse.csr_matrix(X, dtype=float, copy=True)
    X.sum_duplicates()
    if 0 in X.shape:
        raise ValueError(f"X has shape {X.shape}; it needs (n, d) with n >= 1 and d >= 1.")
    if not np.isfinite(X.data).all():
        raise ValueError("X contains NaN or infinity: remove or impute those entries.")
    if np.abs(X.data).max(initial=0.0) > LARGEST:
        raise ValueError(f"X has entries above {LARGEST:g}, whose squares overflow: rescale.")
    return X, check_labels(y, X.shape[0], both=False)


def _seed(rng) -> int:
    return int(np.random.default_rng(rng).integers(1, 2**31 - 1))


def _certified(problem: _Problem, alpha, epochs: int, tol: float) -> LinearSVM:
    whole = problem.w(alpha)
    xi = problem.slacks(whole)
    primal, dual = problem.primal(whole, xi), problem.dual(alpha, whole)
    w, b = problem.parted(whole)
    done = bool(primal - dual <= tol * (1.0 + primal))
    return LinearSVM(w, alpha, xi, primal, dual, epochs, done, b, problem.loss)


def _newton_step(problem: _Problem, w, xi) -> tuple[np.ndarray, np.ndarray]:
    """Solve for w with the examples that have slack; go there as far as the objective falls."""
    s = np.flatnonzero(xi * problem.C)
    X, cost = problem.X[s], 2.0 * problem.C[s]
    H = X.T @ (X.multiply(cost[:, None]) if sparse.issparse(X) else cost[:, None] * X)
    H = H.toarray() if sparse.issparse(H) else H
    H[np.diag_indices(len(H))] += 1.0
    goal = cho_solve(cho_factor(H, overwrite_a=True), X.T @ (cost * problem.y[s]))
    t, before = 1.0, problem.primal(w, xi)
    while True:
        new = w + t * (goal - w)
        xi = problem.slacks(new)
        if problem.primal(new, xi) <= before or t < 1e-9:
            return new, xi
        t *= 0.5


def _bounded(problem: _Problem, penalty: float, last, mean, steps: int) -> PegasosRun:
    """Judge the mean iterate by the better of two points of the dual."""
    points = [np.clip(alpha, 0.0, problem.high) for alpha in (mean, last)]
    duals = [problem.dual(point, problem.w(point)) for point in points]
    best = int(np.argmax(duals))
    whole, w_last = problem.w(mean), problem.parted(problem.w(last))[0]
    primal = penalty * problem.primal(whole, problem.slacks(whole))
    w, b = problem.parted(whole)
    return PegasosRun(w, b, w_last, points[best], primal, penalty * duals[best], steps)
