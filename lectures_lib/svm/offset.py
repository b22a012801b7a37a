"""The offset of a support vector machine, which multipliers count as free, and their balance.

A free offset asks for sum alpha y = 0. The scores K (alpha y) leave b open: it is chosen so that
the slacks cost least.
"""

from math import fsum

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import RTOL
from ..proof.svm import check_loss

#: An alpha this near to 0 or C, relative to the largest, counts as being there.
AT_BOUND = 1e-6


@explained(C="...")
def largest_alpha(C: float | np.ndarray, loss: str = "hinge") -> float | np.ndarray:
    """Return the upper end of alpha's box: C (one, or one per example), inf if squared.

    An example that costs nothing has alpha = 0.
    """
    if loss == "hinge":
        return np.asarray(C, dtype=float)[()]
    return np.inf if np.all(np.asarray(C) > 0) else np.where(np.asarray(C) > 0, np.inf, 0.0)


def smallest_alpha(
    alpha: np.ndarray, high: float | np.ndarray, near: float = AT_BOUND
) -> float | np.ndarray:
    """Return the alpha up to which an example counts as being at 0."""
    return near * np.minimum(alpha.max(), high)


def is_free(alpha: np.ndarray, high: float | np.ndarray, near: float = AT_BOUND) -> np.ndarray:
    """Return where 0 < alpha < high."""
    below = alpha < (high if np.isinf(high).all() else high - near * high)
    return (alpha > smallest_alpha(alpha, high, near)) & below


def balanced(alpha: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Shrink the heavier class until sum alpha y = 0."""
    heavy = np.where((alpha @ y) * y > 0, alpha, 0.0).sum()
    return np.where((alpha @ y) * y > 0, alpha * (1.0 - abs(alpha @ y) / (heavy or 1.0)), alpha)


def balanced_exactly(alpha: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return alpha with sum alpha y = 0 without any rounding; alpha was balanced but for that.

    All entries are cut to multiples of g, the distance of the largest from the next float. Then
    their sum is a multiple of g, too, which `fsum` finds exactly; the heavier class gives it back,
    its largest entries first. No entry grows, and those that equal the largest come last.
    """
    g = np.spacing(alpha.max(initial=0.0))
    even = np.floor(alpha / g) * g
    left = fsum(even * y)
    below = np.where((y * left > 0) & (even < even.max(initial=0.0)), even, -even)
    for i in np.argsort(-below, kind="stable").tolist():
        if not left:
            break
        if y[i] * left > 0:
            take = min(even[i], abs(left))
            even[i], left = even[i] - take, left - take * y[i]
    return even


@explained(F="n", y="n")
def best_offset(
    F: ArrayLike, y: ArrayLike, loss: str = "hinge", costs: ArrayLike | None = None
) -> tuple[float, float]:
    """Return the interval of offsets that minimise the sum of slacks (or squares), F = y - f.

    A positive example wants b >= F_i, a negative b <= F_i. Going up from -inf the slope of the
    sum starts at minus the number of positives and rises by 1 at each F_i: it is 0 after as many.
    With `costs`, one per example, it rises by C_i.

    Parameters
    ----------
    F : (n,) y - f, f the scores without b
    y : (n,) the labels
    loss : "hinge" or "squared_hinge"
    costs : (n,) the price of each slack; default 1

    Examples
    --------
    >>> svm.best_offset([0.5, 0.0], [1, -1])
    (0.0, 0.5)
    """
    F, y = np.asarray(F, dtype=float), np.asarray(y, dtype=float)
    if F.shape != y.shape or F.ndim != 1:
        raise BadArgument(f"F has shape {F.shape} and y {y.shape}: one number per example each.")
    if check_loss(loss) == "squared_hinge":
        shares = np.ones(len(F)) if costs is None else np.asarray(costs, dtype=float)
        return _least_squares_offset(F, y, shares)
    if costs is not None:
        return _weighted_offset(F, y, np.asarray(costs, dtype=float))
    F, positives = np.concatenate([[-np.inf], np.sort(F), [np.inf]]), int(np.sum(y > 0))
    return float(F[positives]), float(F[positives + 1])


def _weighted_offset(F: np.ndarray, y: np.ndarray, C: np.ndarray) -> tuple[float, float]:
    """Return where the slope, a sum of costs, changes its sign; equal sums up to rounding."""
    order = np.argsort(F)
    slope = np.cumsum(C[order]) - C[y > 0].sum()
    k = int(np.searchsorted(slope, -1e-12 * C.sum()))
    flat = k + 1 < len(F) and abs(slope[k]) <= 1e-12 * C.sum()
    return float(F[order[k]]), float(F[order[k + 1 if flat else k]])


def _least_squares_offset(F: np.ndarray, y: np.ndarray, C: np.ndarray) -> tuple[float, float]:
    """Between two F_i the examples with slack are fixed: the best b is the mean of their F."""
    low, high = F[(y > 0) & (C > 0)].max(), F[(y < 0) & (C > 0)].min()
    if low <= high:
        return float(low), float(high)
    order = np.argsort(F)
    F, negative, positive = F[order], (C * (y < 0))[order], (C * (y > 0))[order]
    number = np.cumsum(negative) + np.sum(positive) - np.cumsum(positive)  # those with slack
    total = np.cumsum(F * negative) + np.sum(F * positive) - np.cumsum(F * positive)
    b = total[:-1] / number[:-1]
    k = np.argmin(np.maximum(F[:-1] - b, b - F[1:]))  # the b that lies between its own two F_i
    return float(b[k]), float(b[k])


@explained(scores="n", y="n", alpha="n", C="n")
def offset_interval(
    scores: ArrayLike,
    y: ArrayLike,
    C: float | np.ndarray,
    alpha: ArrayLike,
    *,
    loss: str = "hinge",
) -> tuple[float, float]:
    """Return the best offsets for these scores K (alpha y): a point, or an interval.

    A free example lies on the margin: b is the mean of F = y - f over them, where that is a best
    offset. With the squared hinge every support vector has slack, and the best offset is unique.
    """
    scores, y, alpha = (np.asarray(v, float) for v in (scores, y, alpha))
    F = y - scores
    if np.isinf(C).all():
        return (0.5 * float(F[y > 0].max() + F[y < 0].min()),) * 2
    interval = best_offset(F, y, loss, C if np.ndim(C) else None)
    free = is_free(alpha, largest_alpha(C))
    if loss == "squared_hinge" or not free.any():
        return interval
    mean = float(F[free].mean())
    near = 1e-6 * (1.0 + abs(mean))  # rounding; a mean farther off is not the offset of this w
    return (mean, mean) if interval[0] - near <= mean <= interval[1] + near else interval


@explained(r="n")
def tube_offset(
    r: ArrayLike, epsilon: float, costs: ArrayLike | None = None
) -> tuple[float, float]:
    """Return the interval of offsets b that minimise sum max(0, abs(r - b) - epsilon).

    Going up from -inf the slope starts at -n and rises by 1 at each r_i - epsilon and at each
    r_i + epsilon: it is 0 between the n-th and the next of these 2n numbers. With `costs` C_i it
    starts at -sum C_i and rises by C_i.
    """
    r = np.asarray(r, dtype=float)
    turns = np.concatenate([r - epsilon, r + epsilon])
    if costs is None or np.ndim(costs) == 0:
        turns = np.sort(turns)
        return float(turns[len(r) - 1]), float(turns[len(r)])
    order = np.argsort(turns, kind="stable")
    slope = np.cumsum(np.tile(costs, 2)[order]) - np.sum(costs)
    near = RTOL * np.sum(costs)  # a slope of rounding size is 0
    first, last = np.argmax(slope >= -near), np.argmax(slope > near)
    return float(turns[order[first]]), float(turns[order[last]])
