"""Bounds for a regularised risk: what a model costs, and what no model can cost less than.

    minimise  l2 / 2 norm(w)^2 + l1 sum abs(w_j) + sum C_i loss(y_i, f_i),   f_i = w.phi(x_i) + b

with b free, or 0. A penalised offset is the weight of a constant feature. By Fenchel, for every
beta in the domain of the loss (and of sum 0, if b is free), no w and b costs less than

    gain(beta) - sum_j max(0, abs(v_j) - l1)^2 / (2 l2),   v = sum beta_i phi(x_i)

where gain is, with alpha = y beta for labels,

    hinge            max(0, 1 - y f)                sum alpha                      0 <= alpha <= C
    squared_hinge    max(0, 1 - y f)^2              sum alpha - alpha^2 / 4C       0 <= alpha
    logistic         log(1 + exp(-y f))             sum C H(alpha / C)             0 <= alpha <= C
    squared          (y - f)^2 / 2                  sum y beta - beta^2 / 2C
    tube             max(0, abs(y - f) - epsilon)   sum y beta - epsilon abs(beta)   abs(beta) <= C
    squared_tube     its square                     the same - beta^2 / 4C

and H(a) = -a log a - (1 - a) log(1 - a). If l2 = 0 the bound needs abs(v_j) <= l1. Where no weight
may be below 0, v_j takes the place of abs(v_j).

Rounding never grants sum beta = 0. So the heavier side is shrunk, by 1 - r, until it is true on
paper: gain is concave and 0 at 0, so it loses at most r times itself, and v moves by at most
r sum abs(beta) abs(x - c). For such a beta the origin does not matter: v is added up from a
centre c, the targets are seen from their median.

What is assumed: exp, log and log1p of numpy err by at most 4 units in the last place.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from .._arguments import BadArgument
from .rounding import (
    SAFE,
    TINY,
    UNIT,
    Enclosure,
    above_zero,
    cut_sum,
    enclosed_dot,
    enclosed_product,
    enclosed_sum,
    growth,
    ulp,
)
from .scores import Scores

#: exp, log and log1p err by at most this, relative: 4 units in the last place.
FUNCTION = 8 * UNIT
#: Prices and penalties are products of a model's parameters: off by this, relative.
PRODUCTS = 8 * UNIT
#: Multipliers whose sum is this much of their size or less need no balance: little is lost by it.
EVEN = 1e-12
#: The losses whose targets are labels -1 and +1.
OF_LABELS = ("hinge", "squared_hinge", "logistic")
LOSSES = (*OF_LABELS, "squared", "tube", "squared_tube")
#: How a loss is written.
WRITTEN = {
    "hinge": "max(0, 1 - y f)",
    "squared_hinge": "max(0, 1 - y f)^2",
    "logistic": "log(1 + exp(-y f))",
    "squared": "(y - f)^2 / 2",
    "tube": "max(0, abs(y - f) - epsilon)",
    "squared_tube": "max(0, abs(y - f) - epsilon)^2",
}


@dataclass(frozen=True, eq=False)
class Risk:
    """What is to be minimised: a loss of targets y with its prices C, and the penalties of w."""

    loss: str
    y: np.ndarray  #: (n,) labels -1 and +1, or targets
    C: np.ndarray  #: (n,) the price of each example's loss, not below 0
    l2: float = 1.0
    l1: float = 0.0
    epsilon: float = 0.0  #: half the width of the tube
    offset: bool = True  #: b is free; else there is none
    positive: bool = False  #: no weight may be below 0

    def __post_init__(self) -> None:
        """Refuse what is no problem: the bounds are true of penalties and prices from 0 up."""
        if np.ndim(self.y) != 1 or np.shape(self.y) != np.shape(self.C):
            raise BadArgument(f"One target for each example is needed: y has {np.shape(self.y)}.")
        numbers: dict[str, Any] = {"C (times the weights)": self.C, "epsilon": self.epsilon}
        numbers |= {"the penalty": self.l2, "the l1 penalty": self.l1}
        for name, given in numbers.items():
            value = np.asarray(given)
            if not (np.isfinite(value).all() and (value >= 0).all()):
                least = float(value.min())
                raise BadArgument(f"{name} must be finite and not below 0, and is {least!r}.")
        if not self.loss.endswith("tube"):  # other losses have no width, whatever a model says
            object.__setattr__(self, "epsilon", 0.0)

    def feasible(self, beta: np.ndarray) -> bool:
        """Return whether beta is in the domain where the bound is true, sum and v apart."""
        boxed = self.loss in ("hinge", "logistic", "tube")
        alpha = self.y * beta if self.loss in OF_LABELS else np.abs(beta)
        high = self.C if boxed else np.where(self.C > 0, np.finfo(float).max, 0)
        return bool(alpha.min() >= 0 and (alpha <= high).all())  # NaN is neither

    @cached_property
    def median(self) -> float:
        """A target in the middle; to find it takes longer than to go through them."""
        middle = len(self.y) // 2
        return float(np.partition(self.y, middle)[middle])


def cost(risk: Risk, f: np.ndarray, f_error: np.ndarray) -> Enclosure:
    """Return sum C loss(y, f) of scores that are known up to their errors."""
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        if risk.loss == "logistic":
            t = risk.y * f
            soft = np.log1p(np.exp(-np.abs(t)))
            value = np.maximum(0.0, -t) + soft
            return enclosed_dot(
                risk.C, value, 0.0, SAFE * (f_error + 3 * FUNCTION * soft) + ulp(value)
            )
        if risk.loss in OF_LABELS:
            short = 1.0 - risk.y * f
            slack, error = above_zero(short, SAFE * (f_error + ulp(short)))
        else:
            r = risk.y - f
            slack = np.abs(r)
            error = SAFE * (f_error + ulp(r))
            if risk.loss != "squared":
                slack, error = above_zero(
                    slack - risk.epsilon, SAFE * (error + ulp(slack - risk.epsilon))
                )
        if not (slack + error).any():
            return Enclosure(0.0)  # nothing was rounded
        if risk.loss in ("hinge", "tube"):
            return enclosed_dot(risk.C, slack, 0.0, error)
        whole = _weighted_squares(slack, error, risk.C)
        return whole * 0.5 if risk.loss == "squared" else whole


def _weighted_squares(x: np.ndarray, error: np.ndarray, C: np.ndarray) -> Enclosure:
    """Return sum C x^2 for x from 0 up that is known up to its error: each term is rounded twice.

    A product that underflows errs by `TINY`, and the first one is multiplied by x.
    """
    terms = C * x * x
    rounded = 2 * UNIT * float(terms.sum()) + TINY * float(x.sum() + 2 * len(x))
    return cut_sum(terms, SAFE * (rounded + float(C @ ((2 * x + error) * error))))


def gain(risk: Risk, beta: np.ndarray) -> Enclosure:
    """Return the gain of a feasible beta; of one of sum 0, where b is free."""
    size, C = np.abs(beta), risk.C
    if risk.loss == "hinge":
        return enclosed_sum(size)
    if risk.loss == "logistic":
        return _entropies(size, C)
    if risk.loss == "squared_hinge":
        return _less_squares(size, np.ones_like(size), 4 * C)
    t = risk.y - (risk.median if risk.offset else 0.0)
    if risk.loss == "squared":
        return _less_squares(beta, t, 2 * C)
    tube = enclosed_sum(size) * risk.epsilon
    if risk.loss == "tube":
        return enclosed_dot(beta, t, 0.0, ulp(t)) - tube
    return _less_squares(beta, t, 4 * C) - tube


def _entropies(alpha: np.ndarray, C: np.ndarray) -> Enclosure:
    """Return sum -alpha log(alpha / C) - (C - alpha) log((C - alpha) / C)."""
    price = np.where(C > 0, C, 1.0)
    return entropy(alpha, price) + entropy(C - alpha, price)


def entropy(part: np.ndarray, price: np.ndarray) -> Enclosure:
    """Return sum -part log(part / price); a part may be off by one rounding, relative.

    Shares below 1e-300 count as that: -log is then off by less than 1000.
    """
    share = np.where(part > 0, part, price) / price
    log = -np.log(np.maximum(share, 1e-300))
    error = 16 * UNIT * part * (1.0 + np.abs(log)) + TINY
    return enclosed_sum(part * log, error + np.where(share < 1e-290, 1000.0 * part, 0.0))


def _less_squares(beta: np.ndarray, t: np.ndarray, price: np.ndarray) -> Enclosure:
    """Return sum beta (t - beta / price); t was rounded once, and beta is 0 where the price is."""
    share = np.divide(beta, price, out=np.zeros_like(beta), where=price > 0)
    off = 2 * SAFE * UNIT * (np.abs(t) + np.abs(share)) + 4 * TINY  # of t, share, and their rest
    return enclosed_dot(beta, t - share, 0.0, off)


def balanced(beta: np.ndarray) -> np.ndarray:
    """Return beta with its heavier side shrunk until its sum is next to nothing."""
    for _ in range(3):
        total, size = float(beta.sum()), float(np.abs(beta).sum())
        if abs(total) <= EVEN * size:
            return beta
        light = max(0.0, (size - abs(total)) / (size + abs(total)))
        beta = np.where(beta > 0 if total > 0 else beta < 0, light * beta, beta)
    return beta


def _shrinking(beta: np.ndarray) -> float:
    """Return an r not below the one that takes the heavier side to balance.

    That side is at least half of sum abs(beta); both sums err by g_n of that.
    """
    size = float(np.abs(beta).sum())
    off = abs(float(beta.sum())) + SAFE * growth(len(beta)) * size
    return 2 * off / size * SAFE if size > 0 else 0.0


def _lost(risk: Risk, beta: np.ndarray, r: float) -> float:
    """Return what shrinking by r can take from the gain, at most: r times a bound of it."""
    if risk.loss == "logistic":
        most = 0.7 * float(risk.C.sum())
    elif risk.loss in OF_LABELS:
        most = float(np.abs(beta).sum())
    else:
        most = float(np.abs(beta) @ np.abs(risk.y - risk.median))
    return r * most * (1 + 1e-9)


# Linear models: w and b are given, and X may be sparse.


def linear_above(
    risk: Risk,
    X: Any,
    w: np.ndarray,
    b: float = 0.0,
    w_error: np.ndarray | float = 0.0,
    norm: float = np.inf,
    made: tuple[np.ndarray, np.ndarray] | None = None,
) -> Enclosure:
    """Return what the weights w and the offset b cost; each weight is known up to `w_error`.

    With `norm`, which is not below that of X, X is read once, and its origin should be near. `made`
    is what `enclosed_product` says of X w, where that is known.
    """
    if risk.positive and (w < 0).any():
        return Enclosure(np.inf)
    product, error = made or enclosed_product(X, w, w_error, norm)
    f = product + b
    whole = cost(risk, f, SAFE * (error + (ulp(f) if b else 0.0)))
    if not (w.any() or np.any(w_error)):
        return widened(whole)
    if risk.l2:
        whole = whole + enclosed_dot(w, w, w_error, w_error) * (0.5 * risk.l2)
    if risk.l1:
        whole = whole + enclosed_sum(np.abs(w), w_error) * risk.l1
    return widened(whole)


def linear_below(risk: Risk, X: Any, beta: np.ndarray, norm: float = np.inf) -> Enclosure:
    """Return a bound that no w and b can cost less than; -inf if beta is not feasible.

    If b is free the beta that counts is the balanced one. With `norm`: as in `linear_above`.
    """
    beta = balanced(beta) if risk.offset else beta
    if not beta.any():
        return Enclosure(0.0)  # no objective is below 0
    if not risk.feasible(beta):
        return Enclosure(-np.inf)
    v, error, r = weights_made(risk, X, beta, norm)
    lost = Enclosure(_lost(risk, beta, r) if r else 0.0)
    size = v if risk.positive else np.abs(v)
    return widened(gain(risk, beta) - conjugate(size, error, risk.l2, risk.l1) - lost)


def weights_made(
    risk: Risk, X: Any, beta: np.ndarray, norm: float = np.inf
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return v = sum beta x of the balanced beta, its error, and how far beta is off balance."""
    norm = norm if risk.l2 else np.inf  # a lone l1 forbids v that are too large, by rounding, too
    Z = X if sparse.issparse(X) or not risk.offset or norm < np.inf else X - X.mean(axis=0)
    rounded = 0.0 if Z is X else 2 * UNIT
    r = _shrinking(beta) if risk.offset else 0.0
    v, error = enclosed_product(Z.T, beta, SAFE * (r + rounded) * np.abs(beta), norm)
    return v, error, r


def conjugate(size: np.ndarray, error: np.ndarray, l2: float, l1: float) -> Enclosure:
    """Return sum max(0, size - l1)^2 / (2 l2), not below it; inf where l2 = 0 forbids a size.

    A size is abs(v), or v itself where no weight may be below 0.
    """
    rest, rest_error = size, error
    if l1 or (size < 0).any():
        rest, rest_error = above_zero(size - l1, SAFE * (error + ulp(size - l1)))
    if l2 == 0:
        return Enclosure(0.0 if not (rest + rest_error).any() else np.inf)
    share = 0.5 / l2
    return enclosed_dot(rest, rest, rest_error, rest_error) * Enclosure(share, float(ulp(share)))


# Kernel machines: w = sum beta phi(x) / l2, through its scores; no l1.


def kernel_above(risk: Risk, found: Scores, b: float = 0.0) -> Enclosure:
    """Return what w = sum coef phi(x) and b cost; `found` are the scores of coef."""
    f = found.value + b
    losses = cost(risk, f, SAFE * (found.error + (ulp(f) if b else 0.0)))
    return widened(losses + found.norm2 * (0.5 * risk.l2))


def kernel_below(risk: Risk, found: Scores, beta: np.ndarray) -> Enclosure:
    """Return a bound that no w and b can cost less than, from the scores of a beta.

    If b is free, have beta `balanced` first.
    """
    if not beta.any():
        return Enclosure(0.0)
    if not risk.feasible(beta):
        return Enclosure(-np.inf)
    r = _shrinking(beta) if risk.offset else 0.0
    norm2, share = found.norm2, 0.5 / risk.l2
    if r:
        moved = r * float(found.size @ np.abs(beta)) * (1 + 1e-9)
        long = float(np.sqrt(max(float(norm2.high), 0.0))) * (1 + 1e-9)
        norm2 = norm2 + Enclosure(0.0, moved * (2 * long + moved) * (1 + 1e-9))
    lost = Enclosure(_lost(risk, beta, r) if r else 0.0)
    return widened(gain(risk, beta) - norm2 * Enclosure(share, float(ulp(share))) - lost)


def widened(value: Enclosure) -> Enclosure:
    """Return the enclosure for prices and penalties that are off by `PRODUCTS`, relative.

    All terms of the objective are above 0: prices off by e change it, and its least value, by
    e of itself. The bound is below the least value, and this widens it by a part of itself.
    """
    if not np.isfinite(float(value.value)):
        return value
    return Enclosure(value.value, float(value.error) + SAFE * PRODUCTS * abs(float(value.value)))
