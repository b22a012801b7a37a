"""The duality gap of a linear machine whose examples lie in parts, from one look at each.

    P(w) = half norm(w)^2 + C sum xi
    D(alpha) = sum alpha - half norm(sum alpha y x)^2

Both are sums over the parts, up to norms of vectors with d entries: each part tells its own sums
with bounds for their rounding, and here they are added up. Weak duality does the rest: D(alpha) of
any alpha in the box is below P of every w. No part needs another, and no example travels.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .duality import Certificate, no_answer
from .rounding import (
    SAFE,
    TINY,
    Enclosure,
    above_zero,
    enclosed_dot,
    enclosed_product,
    enclosed_sum,
    growth,
    ulp,
)


@dataclass(frozen=True, eq=False)
class PartSums:
    """What one part adds to both sides of duality."""

    alpha: Enclosure  #: sum alpha
    made: np.ndarray  #: (d,) sum alpha y x
    made_error: np.ndarray
    slack: Enclosure  #: C sum xi
    box: float  #: how far an alpha leaves [0, C]
    largest: float
    on_margin: float  #: sum alpha (y f - 1 + xi)
    at_bound: float  #: sum (C - alpha) xi
    finite: bool


def part_sums(X: np.ndarray, y: np.ndarray, C: float, alpha: np.ndarray, w: np.ndarray) -> PartSums:
    """Return one part's sums, their rounding bounded."""
    alpha = np.asarray(alpha, dtype=float)
    if alpha.shape != y.shape:
        raise ValueError(f"alpha must hold {len(y)} numbers for this part, one per example.")
    made, made_error = enclosed_product(X.T, alpha * y)
    f, f_error = enclosed_product(X, w)
    t = y * f
    xi, xi_error = above_zero(1 - t, f_error + ulp(1 - t))
    cost = np.full(len(y), float(C))
    return PartSums(
        alpha=enclosed_sum(alpha),
        made=made,
        made_error=made_error,
        slack=enclosed_dot(cost, xi, 0.0, xi_error),
        box=float(max(0.0, -alpha.min(), (alpha - C).max())),
        largest=float(np.abs(alpha).max()),
        on_margin=float(alpha @ (t - 1 + xi)),
        at_bound=float((C - alpha) @ xi),
        finite=bool(np.isfinite(alpha).all()),
    )


def judge_parts(sums: Sequence[PartSums], w: np.ndarray, tol: float) -> Certificate:
    """Judge weights w and the alpha of all parts together (hinge loss, no offset)."""
    if not all(s.finite for s in sums) or not np.isfinite(w).all():
        return no_answer("hinge", tol)
    made, made_error = _added(sums)
    total, slack = Enclosure(0.0), Enclosure(0.0)
    for one in sums:
        total, slack = total + one.alpha, slack + one.slack
    above = enclosed_dot(w, w) * 0.5 + slack
    below = total - enclosed_dot(made, made, made_error, made_error) * 0.5
    box = max(one.box for one in sums)
    return Certificate(
        primal=float(above.value),
        dual=float(below.value),
        box=box,
        balance=0.0,
        on_margin=sum(one.on_margin for one in sums),
        at_bound=sum(one.at_bound for one in sums),
        largest=max(one.largest for one in sums),
        above=above,
        below=below,
        tol=tol,
        wrong="an alpha lies outside its box" if box > 0 else "",
    )


def _added(sums: Sequence[PartSums]) -> tuple[np.ndarray, np.ndarray]:
    """Return the sum of the parts' vectors, and how far each entry may be off."""
    made = np.sum([one.made for one in sums], axis=0)
    mass = np.sum([np.abs(one.made) for one in sums], axis=0)
    off = np.sum([one.made_error for one in sums], axis=0)
    return made, SAFE * (off + growth(len(sums)) * (mass + off)) + TINY
