"""What proves an answer of a support vector machine; `svm` exports it.

No line is shared with a solver: (alpha, b) and the scores K (alpha y) on the training examples are
all that is needed, so the Gram matrix need not fit into memory.

    hinge            half norm(w)^2 + C sum xi      0 <= alpha <= C
    squared hinge    half norm(w)^2 + C sum xi^2    0 <= alpha, with K + I / (2 C) for K
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .linear import LOSSES

#: An alpha this near to 0 or C, relative to the largest, counts as being there.
AT_BOUND = 1e-6


@dataclass(frozen=True)
class Certificate:
    """Both sides of strong duality for an answer, and how well it keeps each condition (KKT).

    Every residual is 0 for a perfect answer. If `box` and `balance` are 0, no w at all has an
    objective below `dual`, so `gap` bounds how far this answer is from the best.
    """

    primal: float  #: half norm(w)^2 + C sum xi (or xi^2), of w scaled to be feasible if C = inf
    dual: float  #: sum alpha - half norm(w)^2 (- sum alpha^2 / (4 C) with the squared hinge)
    box: float  #: how far an alpha leaves [0, C]; with the squared hinge, how far it is below 0
    balance: float  #: abs(sum alpha y); 0 without an offset
    on_margin: float  #: sum of alpha (y f - 1 + xi): alpha > 0 only on or inside the margin
    at_bound: float  #: sum of (C - alpha) xi, or of (alpha - 2 C xi)^2 / (4 C): alpha = 2 C xi
    largest: float  #: the largest abs(alpha): the unit of `box` and `balance`
    loss: str = "hinge"

    @property
    def gap(self) -> float:
        """primal - dual; if w was not scaled, on_margin + at_bound - b sum alpha y.

        So for a balanced alpha, and without an offset, the two last conditions make up the gap.
        """
        return self.primal - self.dual

    @property
    def relative_gap(self) -> float:
        """The gap in units of the dual objective, which is never 0 for the best answer."""
        return self.gap / abs(self.dual) if self.dual else np.inf

    def holds(self, tol: float = 1e-4) -> bool:
        """The answer is feasible, and its objective within `tol`, relative, of the best.

        The best objective is never 0: so nothing here depends on the units of data and C.
        """
        close = self.gap <= tol * abs(self.dual)
        return bool(close and max(self.box, self.balance) <= tol * self.largest)

    def __str__(self) -> str:
        """Return one line a condition."""
        squared = self.loss == "squared_hinge"
        rows = [("primal objective", self.primal), ("dual objective", self.dual)]
        rows += [("duality gap", self.gap)]
        rows += [("alpha below 0" if squared else "alpha outside [0, C]", self.box)]
        rows += [("abs(sum alpha y)", self.balance), ("alpha (y f - 1 + xi)", self.on_margin)]
        rows += [("(alpha - 2C xi)^2 / 4C" if squared else "(C - alpha) xi", self.at_bound)]
        return "\n".join(f"{name:<22} {round(value, 6) + 0.0:12.6f}" for name, value in rows)


def certificate(
    K: ArrayLike,
    y: ArrayLike,
    C: float,
    alpha: ArrayLike,
    b: float,
    *,
    offset: bool = True,
    loss: str = "hinge",
) -> Certificate:
    """Judge an answer from the problem's data and (alpha, b) alone.

    With C = inf slack is not allowed: w and b are scaled until the nearest example has y f = 1,
    and the primal value is that of the scaled w (inf if some example is on the wrong side).
    """
    scores = np.asarray(K, float) @ (np.asarray(alpha, float) * np.asarray(y, float))
    return certificate_of_scores(scores, y, C, alpha, b, offset=offset, loss=loss)


def certificate_of_scores(
    scores: ArrayLike,
    y: ArrayLike,
    C: float,
    alpha: ArrayLike,
    b: float,
    *,
    offset: bool = True,
    loss: str = "hinge",
) -> Certificate:
    """Judge an answer by its scores K (alpha y), without b, on the training examples."""
    check_loss(loss)
    scores, y, alpha = (np.asarray(v, float) for v in (scores, y, alpha))
    norm2, t = float((alpha * y) @ scores), y * (scores + b)
    xi = np.maximum(0.0, 1.0 - t)
    cost, price, at_bound = _slack_terms(xi, alpha, C, loss)
    primal = 0.5 * norm2 + cost
    if np.isinf(C):
        primal = 0.5 * norm2 / min(t.min(), 1.0) ** 2 if t.min() > 0 else np.inf
    return Certificate(
        primal=float(primal),
        dual=float(alpha.sum() - 0.5 * norm2 - price),
        box=float(max(0.0, -alpha.min(), alpha.max() - largest_alpha(C, loss))),
        balance=float(abs((alpha * y).sum())) if offset else 0.0,
        on_margin=float(alpha @ (t - 1.0 + xi)),
        at_bound=float(at_bound),
        largest=float(np.abs(alpha).max()),
        loss=loss,
    )


def _slack_terms(xi, alpha, C: float, loss: str) -> tuple[float, float, float]:
    """Return what slack costs in the primal, what it takes from the dual, and `at_bound`."""
    if np.isinf(C):
        return 0.0, 0.0, 0.0
    if loss == "hinge":
        return C * xi.sum(), 0.0, (C - alpha) @ xi
    return C * (xi @ xi), alpha @ alpha / (4 * C), np.sum((alpha - 2 * C * xi) ** 2) / (4 * C)


def check_loss(loss: str) -> str:
    """Return `loss` if it names one of the two."""
    if loss not in LOSSES:
        raise ValueError(f"loss must be one of {', '.join(LOSSES)}; not {loss!r}.")
    return loss


def largest_alpha(C: float, loss: str = "hinge") -> float:
    """Return the upper end of alpha's box: C, or inf with the squared hinge."""
    return float(C) if loss == "hinge" else np.inf


def smallest_alpha(alpha: np.ndarray, high: float, near: float = AT_BOUND) -> float:
    """Return the alpha up to which an example counts as being at 0."""
    return near * min(alpha.max(), high)


def is_free(alpha: np.ndarray, high: float, near: float = AT_BOUND) -> np.ndarray:
    """Return where 0 < alpha < high."""
    below = alpha < (high if np.isinf(high) else high - near * high)
    return (alpha > smallest_alpha(alpha, high, near)) & below


def best_offset(F: ArrayLike, y: ArrayLike, loss: str = "hinge") -> tuple[float, float]:
    """Return the interval of offsets that minimise the sum of slacks (or squares), F = y - f.

    A positive example wants b >= F_i, a negative b <= F_i. Going up from -inf the slope of the
    sum starts at minus the number of positives and rises by 1 at each F_i: it is 0 after as many.
    """
    F, y = np.asarray(F, float), np.asarray(y, float)
    if check_loss(loss) == "squared_hinge":
        return _least_squares_offset(F, y)
    F, positives = np.concatenate([[-np.inf], np.sort(F), [np.inf]]), int(np.sum(y > 0))
    return float(F[positives]), float(F[positives + 1])


def _least_squares_offset(F: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Between two F_i the examples with slack are fixed: the best b is the mean of their F."""
    low, high = F[y > 0].max(), F[y < 0].min()
    if low <= high:
        return float(low), float(high)
    F, y = F[np.argsort(F)], y[np.argsort(F)]
    number = np.cumsum(y < 0) + np.sum(y > 0) - np.cumsum(y > 0)  # negatives below, positives above
    total = np.cumsum(F * (y < 0)) + np.sum(F * (y > 0)) - np.cumsum(F * (y > 0))
    b = total[:-1] / number[:-1]
    k = np.argmin(np.maximum(F[:-1] - b, b - F[1:]))  # the b that lies between its own two F_i
    return float(b[k]), float(b[k])


def offset_interval(
    scores: ArrayLike, y: ArrayLike, C: float, alpha: ArrayLike, *, loss: str = "hinge"
) -> tuple[float, float]:
    """Return the best offsets for these scores K (alpha y): a point, or an interval.

    A free example lies on the margin: b is the mean of F = y - f over them, where that is a best
    offset. With the squared hinge every support vector has slack, and the best offset is unique.
    """
    scores, y, alpha = (np.asarray(v, float) for v in (scores, y, alpha))
    F = y - scores
    if np.isinf(C):
        return (0.5 * float(F[y > 0].max() + F[y < 0].min()),) * 2
    interval, free = best_offset(F, y, loss), is_free(alpha, float(C))
    if loss == "squared_hinge" or not free.any():
        return interval
    mean = float(F[free].mean())
    near = 1e-6 * (1.0 + abs(mean))  # rounding; a mean farther off is not the offset of this w
    return (mean, mean) if interval[0] - near <= mean <= interval[1] + near else interval
