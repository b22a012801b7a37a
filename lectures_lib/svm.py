"""Support vector machines as the lectures pose them, each answer with its certificate.

The standard problem is  half norm(w)^2 + C sum xi  with y (w.x + b) >= 1 - xi and xi >= 0; C = inf
is the hard margin. The dual has a box 0 <= alpha <= C and, with a free offset, sum alpha y = 0.
Strong duality makes every answer checkable: `certificate` takes (K, y, C, alpha, b) alone.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from . import qp, smo
from .conventions import RTOL, check_examples, check_labels, sign
from .kernels import Kernel, Linear, centred, embed, product
from .margins import MaxMargin, max_margin

#: With more free examples than this the exact solve for them would cost more than it gives.
POLISH = 500
#: An alpha this near to 0 or C, relative to the largest, counts as being there.
AT_BOUND = 1e-6
#: What "near a bound" may mean for the multipliers of a solver; the best certified answer decides.
NEAR = (1e-3, 1e-5, 1e-8)


@dataclass(frozen=True)
class Certificate:
    """Both sides of strong duality for an answer, and how well it keeps each condition (KKT).

    Every residual is 0 for a perfect answer. If `box` and `balance` are 0, no w at all has an
    objective below `dual`, so `gap` bounds how far this answer is from the best.
    """

    primal: float  #: half norm(w)^2 + C sum xi, of w scaled to be feasible if C = inf
    dual: float  #: sum alpha - half norm(w)^2
    box: float  #: how far an alpha leaves [0, C]
    balance: float  #: abs(sum alpha y); 0 without an offset
    on_margin: float  #: sum of alpha (y f - 1 + xi): alpha > 0 only on or inside the margin
    at_bound: float  #: sum of (C - alpha) xi: slack only at alpha = C
    largest: float  #: the largest abs(alpha): the unit of `box` and `balance`

    @property
    def gap(self) -> float:
        """primal - dual; without scaling it is on_margin + at_bound."""
        return self.primal - self.dual

    def holds(self, tol: float = 1e-4) -> bool:
        """The answer is feasible, and its objective within `tol`, relative, of the best.

        The best objective is never 0: so nothing here depends on the units of data and C.
        """
        close = self.gap <= tol * abs(self.dual)
        return bool(close and max(self.box, self.balance) <= tol * self.largest)

    def __str__(self) -> str:
        """Return one line a condition."""
        rows = [("primal objective", self.primal), ("dual objective", self.dual)]
        rows += [("duality gap", self.gap), ("alpha outside [0, C]", self.box)]
        rows += [("abs(sum alpha y)", self.balance), ("alpha (y f - 1 + xi)", self.on_margin)]
        rows += [("(C - alpha) xi", self.at_bound)]
        return "\n".join(f"{name:<22} {value:12.6f}" for name, value in rows)


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
    separation: MaxMargin | None  #: C = inf and no separator: the weights that prove it

    @property
    def separable(self) -> bool:
        """False only where C = inf and the hulls of the classes meet."""
        return self.separation is None

    @property
    def support(self) -> np.ndarray:
        """The examples with alpha > 0."""
        return np.flatnonzero(self.alpha > _zero(self.alpha, self.C))

    @property
    def free(self) -> np.ndarray:
        """The examples with 0 < alpha < C: they lie on the margin."""
        return np.flatnonzero(_is_free(self.alpha, self.C))

    @property
    def bounded(self) -> np.ndarray:
        """The examples with alpha = C: on the margin, inside it or beyond."""
        return np.setdiff1d(self.support, self.free)

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


def certificate(
    K: ArrayLike, y: ArrayLike, C: float, alpha: ArrayLike, b: float, *, offset: bool = True
) -> Certificate:
    """Judge an answer from the problem's data and (alpha, b) alone.

    With C = inf slack is not allowed: w and b are scaled until the nearest example has y f = 1,
    and the primal value is that of the scaled w (inf if some example is on the wrong side).
    """
    K, y, alpha = np.asarray(K, float), np.asarray(y, float), np.asarray(alpha, float)
    beta = alpha * y
    scores = K @ beta
    norm2 = float(beta @ scores)
    t = y * (scores + b)
    xi = np.maximum(0.0, 1.0 - t)
    if np.isinf(C):
        primal = 0.5 * norm2 / min(t.min(), 1.0) ** 2 if t.min() > 0 else np.inf
        at_bound = 0.0
    else:
        primal, at_bound = 0.5 * norm2 + C * xi.sum(), float((C - alpha) @ xi)
    return Certificate(
        primal=float(primal),
        dual=float(alpha.sum() - 0.5 * norm2),
        box=float(max(0.0, -alpha.min(), alpha.max() - C)),
        balance=float(abs(beta.sum())) if offset else 0.0,
        on_margin=float(alpha @ (t - 1.0 + xi)),
        at_bound=at_bound,
        largest=float(np.abs(alpha).max()),
    )


def best_offset(F: ArrayLike, y: ArrayLike) -> tuple[float, float]:
    """Return the interval of offsets that minimise sum max(0, 1 - y (f + b)), F = y - f.

    A positive example wants b >= F_i, a negative b <= F_i. Going up from -inf the slope starts at
    minus the number of positives and rises by 1 at each F_i: it is 0 after as many of them.
    """
    F = np.concatenate([[-np.inf], np.sort(np.asarray(F, float)), [np.inf]])
    positives = int(np.sum(np.asarray(y) > 0))
    return float(F[positives]), float(F[positives + 1])


def train(
    X: ArrayLike,
    y: ArrayLike,
    C: float = 1.0,
    kernel: Kernel | None = None,
    *,
    solver: Callable[..., smo.SMORun] = smo.second_order,
    tol: float = 1e-4,
) -> SVM:
    """Train a kernel SVM with a free offset by SMO on the Gram matrix; C = inf: hard margin.

    `solver` is any function of (K, y, C, tol=...) whose answer has `alpha`: see `smo`.
    """
    kernel = kernel or Linear()
    X = kernel.check(X)
    y, C = check_labels(y, len(X)), _check_cost(C)
    K = kernel.gram(X, X)
    if np.isinf(C):
        verdict = max_margin(X if isinstance(kernel, Linear) else embed(K), y, offset=True)
        if not verdict.separable:
            return _inseparable(kernel, X, y, verdict)
    return _machine(kernel, X, y, C, solver(K, y, C, tol=tol).alpha, K)


def dual(
    X: ArrayLike,
    y: ArrayLike,
    C: float = 1.0,
    kernel: Kernel | None = None,
    *,
    offset: bool = True,
    engine: str | None = None,
) -> SVM:
    """Solve the Lagrangian dual as a quadratic program (L1, L4).

    maximise sum alpha - half sum alpha_i alpha_j y_i y_j K_ij over 0 <= alpha <= C and, with an
    offset, sum alpha y = 0.
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
    unit = inner.diagonal().max() or 1.0
    Q = y[:, None] * inner * y[None, :] / unit
    answer = qp.solve(Q, -np.ones(len(y)), lower=0.0, upper=C * unit, engine=engine, **equality)
    return _machine(kernel, X, y, C, np.clip(answer.x / unit, 0.0, C), K, offset=offset)


def primal(
    X: ArrayLike, y: ArrayLike, C: float = 1.0, *, offset: bool = True, engine: str | None = None
) -> SVM:
    """Solve the soft-margin primal as a quadratic program in w, b and the slacks (L1, L3, L4, L5).

    minimise half norm(w)^2 + C sum xi with y (w.x + b) >= 1 - xi, xi >= 0. The multipliers of the
    first constraints are the alpha of the dual. C = inf drops the slacks: the hard margin.
    """
    X, y = check_examples(X, y, both=offset)
    (n, d), C = X.shape, _check_cost(C)
    if np.isinf(C):
        verdict = max_margin(X, y, offset=offset)
        if not verdict.separable:
            return _inseparable(Linear(), X, y, verdict)
    k = d + int(offset)
    slacks = 0 if np.isinf(C) else n
    inner = X - X.mean(axis=0) if offset else X  # the same w, another b; better conditioned
    unit = np.abs(inner).max() or 1.0
    rows = y[:, None] * (np.hstack([inner / unit, np.ones((n, 1))]) if offset else inner / unit)
    G = sparse.hstack([-rows, -sparse.identity(n)]) if slacks else -rows
    P = sparse.diags([1.0] * d + [0.0] * (k - d + slacks))
    q = np.concatenate([np.zeros(k), np.full(slacks, C * unit**2 if slacks else 0.0)])
    lower = np.concatenate([np.full(k, -np.inf), np.zeros(slacks)])
    answer = qp.solve(P, q, G=G, h=-np.ones(n), lower=lower, engine=engine)
    return _machine(Linear(), X, y, C, np.clip(answer.z / unit**2, 0.0, C), X @ X.T, offset=offset)


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


def _machine(kernel, X, y, C, alpha, K, offset: bool = True) -> SVM:
    """Keep the best certified of these multipliers and what `_polished` makes of them."""
    found = [_judged(K, y, C, _balanced(alpha, y) if offset else alpha, offset)]
    for near in NEAR:
        fine = _judged(K, y, C, _polished(K, y, C, alpha, offset, near), offset)
        if max(fine[2].box, fine[2].balance) <= 1e-9 * fine[2].largest:
            found.append(fine)
    alpha, interval, judged = min(found, key=lambda answer: answer[2].gap)
    return SVM(kernel, X, y, float(C), alpha, float(np.mean(interval)), interval, judged, None)


def _judged(K, y, C, alpha, offset: bool) -> tuple[np.ndarray, tuple[float, float], Certificate]:
    """Choose the offset for these multipliers and certify the pair."""
    F = y - K @ (alpha * y)
    interval = _offsets(F, y, C, _is_free(alpha, C)) if offset else (0.0, 0.0)
    return alpha, interval, certificate(K, y, C, alpha, float(np.mean(interval)), offset=offset)


def _offsets(F, y, C, free) -> tuple[float, float]:
    """Return the best offsets for a w: the mean of F over free examples where that is one."""
    if np.isinf(C):
        return (0.5 * float(F[y > 0].max() + F[y < 0].min()),) * 2
    interval = best_offset(F, y)
    if not free.any():
        return interval
    mean = float(F[free].mean())
    near = 1e-6 * (1.0 + abs(mean))  # rounding; a mean farther off is not the offset of this w
    return (mean, mean) if interval[0] - near <= mean <= interval[1] + near else interval


def _balanced(alpha: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Shrink the heavier class until sum alpha y = 0."""
    heavy = np.where((alpha @ y) * y > 0, alpha, 0.0).sum()
    return np.where((alpha @ y) * y > 0, alpha * (1.0 - abs(alpha @ y) / (heavy or 1.0)), alpha)


def _polished(K, y, C, alpha, offset: bool, near: float) -> np.ndarray:
    """Put alphas near a bound on it, and solve y f = 1 for the free ones exactly."""
    free = _is_free(alpha, C, near)
    snapped = np.where(alpha > 0.5 * C, C, 0.0) if np.isfinite(C) else np.zeros_like(alpha)
    beta = np.where(free, 0.0, snapped) * y
    m = int(free.sum())
    if m > POLISH:
        return alpha
    unit = np.abs(K[np.ix_(free, free)]).max(initial=0.0) or 1.0
    system = np.zeros((m + 1, m + 1))
    system[:m, :m] = K[np.ix_(free, free)] / unit
    system[:m, m], system[m, :m] = (1.0, 1.0) if offset else (0.0, 0.0)
    right = np.append((y - K @ beta)[free], -unit * beta.sum() if offset else 0.0)
    beta[free] = np.linalg.lstsq(system, right, rcond=None)[0][:m] / unit
    return np.clip(beta * y, 0.0, C)


def _inseparable(kernel, X, y, verdict: MaxMargin) -> SVM:
    nothing = np.zeros(len(y))
    judged = Certificate(np.inf, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    return SVM(kernel, X, y, np.inf, nothing, np.nan, (np.nan, np.nan), judged, verdict)


def _check_cost(C: float) -> float:
    if not isinstance(C, (int, float, np.number)) or not C > 0:
        raise ValueError(f"C must be a number > 0 (or inf: the hard margin), not {C!r}.")
    return float(C)


def _zero(alpha: np.ndarray, C: float, near: float = AT_BOUND) -> float:
    return near * min(alpha.max(), C)


def _is_free(alpha: np.ndarray, C: float, near: float = AT_BOUND) -> np.ndarray:
    below = alpha < (C if np.isinf(C) else C - near * C)
    return (alpha > _zero(alpha, C, near)) & below
