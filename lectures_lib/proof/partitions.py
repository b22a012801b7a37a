"""The duality gap of a linear machine whose examples lie in parts, from one look at each.

    P(w) = half norm(w)^2 + C sum xi
    D(alpha) = sum alpha - half norm(sum alpha y x)^2

Both are sums over the parts, up to norms of vectors with d entries: each part tells its own sums
with bounds for their rounding, and here they are added up. Weak duality does the rest: D(alpha) of
any alpha in the box is below P of every w. No part needs another, and no example travels.

Rounding: each sum and product carries a bound for its own error (`rounding`), so both sides lie
between bounds; where these leave the claim open, the same sums are made of fractions.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .._arguments import BadArgument
from ..conventions import as_floats
from .duality import Certificate, no_answer, seen
from .gram import EXACT_ENTRIES
from .rounding import (
    SAFE,
    TINY,
    Enclosure,
    above_zero,
    enclosed_dot,
    enclosed_product,
    enclosed_sum,
    fractions,
    growth,
    one_float,
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
    off: float  #: how far a rounded w.x may be from w.x
    doubts: int  #: examples at which its sign may be another one
    entries: int  #: of X


def part_sums(
    X: np.ndarray,
    y: np.ndarray,
    C: float,
    alpha: np.ndarray,
    w: np.ndarray,
    exact: bool = False,
) -> PartSums | None:
    """Return one part's sums, rounding bounded, or in fractions; None if a number is none."""
    alpha = as_floats(alpha, "alpha")
    if alpha.shape != y.shape:
        raise BadArgument(f"alpha must hold {len(y)} numbers for this part, one per example.")
    if not np.isfinite(alpha).all() or not np.isfinite(w).all():
        return None
    if exact:
        X, y, alpha, w = (fractions(values) for values in (X, y, alpha, w))
    with np.errstate(all="ignore"):  # what overflows is infinite or no number: it proves nothing
        return _sums(X, y, Fraction(C) if exact else C, alpha, w)


def _sums(X, y, C, alpha, w) -> PartSums:
    """Return the sums of floats with their bounds; of fractions, the numbers themselves."""
    made, made_error = enclosed_product(X.T, alpha * y)
    f, f_error = enclosed_product(X, w)
    t = y * f
    xi, xi_error = above_zero(1 - t, f_error + ulp(1 - t))
    cost, (off, _, doubts) = np.full(len(y), C), seen(f, f_error, None)
    return PartSums(
        alpha=enclosed_sum(alpha),
        made=made,
        made_error=made_error,
        slack=enclosed_dot(cost, xi, 0.0, xi_error),
        box=one_float(max(0.0, -alpha.min(), (alpha - C).max())),
        largest=one_float(np.abs(alpha).max()),
        on_margin=one_float(alpha @ (t - 1 + xi)),
        at_bound=one_float((C - alpha) @ xi),
        off=off,
        doubts=doubts,
        entries=X.size,
    )


def judge_parts(
    ask_sums: Callable[[bool], list[PartSums | None]],
    w: np.ndarray,
    tol: float,
    *,
    exact: bool = False,
) -> Certificate:
    """Judge weights w and the alpha of all parts together (hinge loss, no offset).

    `ask_sums(exact)` returns `part_sums` of each part, wherever it lies. What rounding leaves open
    in a small case is decided in fractions.
    """
    answers = ask_sums(exact)
    sums = [one for one in answers if one is not None]
    if len(sums) < len(answers):
        return no_answer("hinge", tol)
    judged = _judged(sums, fractions(w) if exact else w, tol)
    if exact or judged.verdict != "undecided" or sum(one.entries for one in sums) > EXACT_ENTRIES:
        return judged
    return judge_parts(ask_sums, w, tol, exact=True)


def _judged(sums: Sequence[PartSums], w: np.ndarray, tol: float) -> Certificate:
    """Return the certificate that the sums of all parts make."""
    made, made_error = _added(sums)
    total, slack = sums[0].alpha, sums[0].slack
    for one in sums[1:]:
        total, slack = total + one.alpha, slack + one.slack
    half = Fraction(1, 2) if made.dtype == object else 0.5
    above = enclosed_dot(w, w) * half + slack
    below = total - enclosed_dot(made, made, made_error, made_error) * half
    box = max(one.box for one in sums)
    return Certificate(
        primal=one_float(above.value),
        dual=one_float(below.value),
        box=box,
        balance=0.0,
        on_margin=sum(one.on_margin for one in sums),
        at_bound=sum(one.at_bound for one in sums),
        largest=max(one.largest for one in sums),
        above=above,
        below=below,
        tol=tol,
        wrong="an alpha lies outside its box" if box > 0 else "",
        off=max(one.off for one in sums),
        doubts=sum(one.doubts for one in sums),
    )


def _added(sums: Sequence[PartSums]) -> tuple[np.ndarray, np.ndarray]:
    """Return the sum of the parts' vectors, and how far each entry may be off."""
    made = np.sum([one.made for one in sums], axis=0)
    if made.dtype == object:
        return made, 0 * made
    mass = np.sum([np.abs(one.made) for one in sums], axis=0)
    off = np.sum([one.made_error for one in sums], axis=0)
    return made, SAFE * (off + growth(len(sums)) * (mass + off)) + TINY
