"""Support vector machines as the lectures pose them, each answer with its certificate.

The standard problem is  half norm(w)^2 + C sum xi  with y (w.x + b) >= 1 - xi and xi >= 0; C = inf
is the hard margin. The dual has a box 0 <= alpha <= C and, with a free offset, sum alpha y = 0.
With ``loss="squared_hinge"`` slack costs C xi^2: the dual loses its upper bound and has
K + I / (2 C) in the place of K, and alpha = 2 C xi. Strong duality makes every answer checkable:
`certificate` takes (K, y, C, alpha, b) alone.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from . import qp, smo
from ._fewest_mistakes import FewestMistakes, fewest_mistakes
from ._svm_certificate import (
    Certificate,
    best_offset,
    certificate,
    certificate_of_scores,
    check_loss,
    is_free,
    largest_alpha,
    offset_interval,
    smallest_alpha,
)
from ._svm_polish import refined, ridged
from .conventions import RTOL, check_examples, check_labels, sign
from .kernels import Kernel, Linear, centred, embed, product
from .margins import MaxMargin, max_margin

__all__ = [
    "SVM",
    "Certificate",
    "FewestMistakes",
    "best_offset",
    "certificate",
    "certificate_of_scores",
    "dual",
    "fewest_mistakes",
    "from_gram",
    "from_scores",
    "hard_margin",
    "largest_alpha",
    "offset_interval",
    "primal",
    "ridged",
    "train",
    "train_fast",
    "with_known_margin",
]


@dataclass(frozen=True, eq=False)
class SVM:
    """A trained machine with its multipliers and its certificate."""

    kernel: Kernel
    X: np.ndarray  #: (n, d) the training examples
    y: np.ndarray  #: (n,)
    C: float
    alpha: np.ndarray  #: (n,)
    b: float
    b_interval: tuple[float, float]  #: every offset in it is as good; a point if a free one exists
    certificate: Certificate
    separation: MaxMargin | None = None  #: C = inf and no separator: the weights that prove it
    loss: str = "hinge"
    converged: bool = True  #: the solver met its tolerance, or the certificate holds
    message: str = ""  #: the solver's own words, and the duality gap
    order: int | None = None  #: of the linear systems that a QP engine solved; SMO solves none

    @property
    def separable(self) -> bool:
        """False only where C = inf and the hulls of the classes meet."""
        return self.separation is None

    @property
    def support(self) -> np.ndarray:
        """The examples with alpha > 0."""
        return np.flatnonzero(self.alpha > smallest_alpha(self.alpha, self._high))

    @property
    def free(self) -> np.ndarray:
        """The examples with 0 < alpha < C, on the margin; squared hinge: those with alpha > 0."""
        return np.flatnonzero(is_free(self.alpha, self._high))

    @property
    def bounded(self) -> np.ndarray:
        """The examples with alpha = C: on the margin, inside it or beyond; squared hinge: none."""
        return np.setdiff1d(self.support, self.free)

    @property
    def _high(self) -> float:
        return largest_alpha(self.C, self.loss)

    @property
    def w(self) -> np.ndarray | None:
        """sum alpha y x where the kernel is linear; None elsewhere."""
        linear = isinstance(self.kernel, Linear) and self.separable
        return (self.alpha * self.y) @ self.X if linear else None

    def decision(self, X: ArrayLike) -> np.ndarray:
        """Return f(x) = sum alpha_i y_i K(x_i, x) + b for each row, over all alpha_i > 0."""
        s = np.flatnonzero(self.alpha)
        if len(s) == 0:
            return np.full(len(self.kernel.check(X)), self.b)
        return product(self.kernel, X, self.X[s], (self.alpha * self.y)[s]) + self.b

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the sign of the decision, never 0."""
        return sign(self.decision(X))


def train(
    X: ArrayLike,
    y: ArrayLike,
    C: float = 1.0,
    kernel: Kernel | None = None,
    *,
    loss: str = "hinge",
    solver: Callable[..., smo.SMORun] = smo.second_order,
    tol: float = 1e-4,
) -> SVM:
    """Train a kernel SVM with a free offset by SMO on the Gram matrix; C = inf: hard margin.

    `solver` is any function of (K, y, C, tol=...) whose answer has `alpha`: see `smo`. The squared
    hinge is a hard margin for K + I / (2 C), so every solver can do it.
    """
    kernel = kernel or Linear()
    X = kernel.check(X)
    y, C = check_labels(y, len(X)), _check_cost(C)
    K = kernel.gram(X, X)
    if np.isinf(C):
        verdict = max_margin(X if isinstance(kernel, Linear) else embed(K), y, offset=True)
        if not verdict.separable:
            return _inseparable(kernel, X, y, verdict)
    squared = check_loss(loss) == "squared_hinge"
    run = solver(ridged(K, C) if squared else K, y, largest_alpha(C, loss), tol=tol)
    return from_gram(kernel, X, y, C, run.alpha, K, loss=loss, run=run)


def train_fast(
    X: ArrayLike,
    y: ArrayLike,
    C: float = 1.0,
    kernel: Kernel | None = None,
    *,
    loss: str = "hinge",
    tol: float = 1e-3,
    **options: object,
) -> SVM:
    """Train as `train` does, for many examples: by `smo.fast`, without the whole Gram matrix.

    `options` go to `smo.fast`: memory, max_iterations, start. With C = inf it is not decided here
    whether a separator exists: without one the answer is that the solver did not converge.
    """
    kernel = kernel or Linear()
    X = kernel.check(X)
    y, C = check_labels(y, len(X)), _check_cost(C)
    ridge = 0.5 / C if check_loss(loss) == "squared_hinge" else 0.0
    run = smo.fast(kernel, X, y, largest_alpha(C, loss), tol=tol, ridge=ridge, **options)
    scores = y - run.F - ridge * run.alpha * y
    return from_scores(kernel, X, y, C, run.alpha, scores, loss=loss, run=run)


def dual(
    X: ArrayLike,
    y: ArrayLike,
    C: float = 1.0,
    kernel: Kernel | None = None,
    *,
    loss: str = "hinge",
    offset: bool = True,
    engine: str | None = None,
) -> SVM:
    """Solve the Lagrangian dual as a quadratic program (L1, L4).

    maximise sum alpha - half sum alpha_i alpha_j y_i y_j K_ij over 0 <= alpha <= C and, with an
    offset, sum alpha y = 0. Squared hinge: over 0 <= alpha, with K + I / (2 C) for K.
    """
    kernel = kernel or Linear()
    X = kernel.check(X)
    y, C = check_labels(y, len(X), both=offset), _check_cost(C)
    K = kernel.gram(X, X)
    if np.isinf(C):
        verdict = max_margin(X if isinstance(kernel, Linear) else embed(K), y, offset=offset)
        if not verdict.separable:
            return _inseparable(kernel, X, y, verdict)
    equality = {"A": y[None, :], "b": [0.0]} if offset else {}
    inner = centred(K) if offset else K  # the same dual, as sum alpha y = 0; better conditioned
    inner = ridged(inner, C) if check_loss(loss) == "squared_hinge" else inner
    unit, high = inner.diagonal().max() or 1.0, largest_alpha(C, loss)
    Q = y[:, None] * inner * y[None, :] / unit
    answer = qp.solve(Q, -np.ones(len(y)), lower=0.0, upper=high * unit, engine=engine, **equality)
    alpha = np.clip(answer.x / unit, 0.0, high)
    return from_gram(kernel, X, y, C, alpha, K, offset=offset, loss=loss, run=answer)


def primal(
    X: ArrayLike,
    y: ArrayLike,
    C: float = 1.0,
    *,
    loss: str = "hinge",
    offset: bool = True,
    engine: str | None = None,
) -> SVM:
    """Solve the soft-margin primal as a quadratic program in w, b and the slacks (L1, L3, L4, L5).

    minimise half norm(w)^2 + C sum xi with y (w.x + b) >= 1 - xi, xi >= 0. The multipliers of the
    first constraints are the alpha of the dual. C = inf drops the slacks: the hard margin. With
    the squared hinge C sum xi^2 needs no xi >= 0: a negative slack would only cost.
    """
    X, y = check_examples(X, y, both=offset)
    (n, d), C = X.shape, _check_cost(C)
    check_loss(loss)
    if np.isinf(C):
        verdict = max_margin(X, y, offset=offset)
        if not verdict.separable:
            return _inseparable(Linear(), X, y, verdict)
    inner = X - X.mean(axis=0) if offset else X  # the same w, another b; better conditioned
    unit = np.abs(inner).max() or 1.0
    rows = y[:, None] * (np.hstack([inner / unit, np.ones((n, 1))]) if offset else inner / unit)
    answer = qp.solve(**_program(rows, d, C * unit**2, loss), engine=engine)
    alpha = np.clip(answer.z / unit**2, 0.0, largest_alpha(C, loss))
    return from_gram(Linear(), X, y, C, alpha, X @ X.T, offset=offset, loss=loss, run=answer)


def _program(rows: np.ndarray, d: int, C: float, loss: str) -> dict:
    """Write the primal for rows y (x, 1): unknowns w, perhaps b, and a slack for each row."""
    n, k = rows.shape
    slacks = 0 if np.isinf(C) else n
    squared = loss == "squared_hinge"
    size = 1.0 / np.sqrt(2 * C) if squared else 1.0  # of a slack whose square costs a half
    P = sparse.diags([1.0] * d + [0.0] * (k - d) + [1.0 if squared else 0.0] * slacks)
    q = np.concatenate([np.zeros(k), np.full(slacks, 0.0 if squared or not slacks else C)])
    G = sparse.hstack([-rows, -size * sparse.identity(n)]) if slacks else -rows
    lower = np.concatenate([np.full(k, -np.inf), np.full(slacks, -np.inf if squared else 0.0)])
    return {"P": P, "q": q, "G": G, "h": -np.ones(n), "lower": lower}


def hard_margin(X: ArrayLike, y: ArrayLike, *, offset: bool = True) -> SVM:
    """Minimise half norm(w)^2 with y (w.x + b) >= 1: the primal with C = inf (L1, L4, L5)."""
    return primal(X, y, np.inf, offset=offset)


def with_known_margin(X: ArrayLike, y: ArrayLike, gamma: float) -> MaxMargin:
    """Find a unit w with y w.x >= gamma for all examples, gamma being known (L1).

    The answer's `separable` says whether there is one; if not, `dual` < gamma proves it.
    """
    if not gamma > 0:
        raise ValueError(f"gamma must be a number > 0, not {gamma}.")
    best = max_margin(X, y)
    if best.separable and best.gamma < gamma * (1.0 - RTOL):
        fields = {**vars(best), "separable": False, "w": None}
        return MaxMargin(**fields)
    return best


def from_gram(
    kernel: Kernel,
    X: ArrayLike,
    y: np.ndarray,
    C: float,
    alpha: np.ndarray,
    K: np.ndarray,
    *,
    offset: bool = True,
    loss: str = "hinge",
    run: object = None,
) -> SVM:
    """Return the machine of a solver's multipliers, or of better ones that K gives (`refined`)."""
    tried = refined(K, y, C, alpha, offset, loss)
    options = {"offset": offset, "loss": loss, "run": run}
    found = [from_scores(kernel, X, y, C, a, K @ (a * y), **options) for a in tried]
    return min(found, key=lambda machine: machine.certificate.gap)


def from_scores(
    kernel: Kernel,
    X: ArrayLike,
    y: np.ndarray,
    C: float,
    alpha: np.ndarray,
    scores: np.ndarray,
    *,
    offset: bool = True,
    loss: str = "hinge",
    run: object = None,
) -> SVM:
    """Return the machine of a solver's multipliers and their scores K (alpha y), with its proof.

    `run` is what the solver returned: its `converged`, `message` and `order`, where it has them.
    """
    interval = offset_interval(scores, y, C, alpha, loss=loss) if offset else (0.0, 0.0)
    b = float(np.mean(interval))
    judged = certificate_of_scores(scores, y, C, alpha, b, offset=offset, loss=loss)
    converged = bool(getattr(run, "converged", False)) or judged.holds()
    said = getattr(run, "message", "solved")
    message = f"{said}; duality gap {judged.gap:.3g}, relative {judged.relative_gap:.3g}"
    return SVM(
        kernel, X, y, float(C), alpha, b, interval, judged, None, loss,
        converged, message, getattr(run, "order", None),
    )  # fmt: skip


def _inseparable(kernel, X, y, verdict: MaxMargin) -> SVM:
    nothing, nowhere = np.zeros(len(y)), (np.nan, np.nan)
    judged = Certificate(np.inf, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    message = "no separator exists: weighted by `separation.weights`, sum y x is 0"
    return SVM(
        kernel, X, y, np.inf, nothing, np.nan, nowhere, judged, verdict,
        converged=verdict.converged, message=message,
    )  # fmt: skip


def _check_cost(C: float) -> float:
    if not isinstance(C, (int, float, np.number)) or not C > 0:
        raise ValueError(f"C must be a number > 0 (or inf: the hard margin), not {C!r}.")
    return float(C)
