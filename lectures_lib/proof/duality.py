"""The two sides of strong duality for a support vector machine, judged by its scores.

    hinge            half norm(w)^2 + C sum xi      0 <= alpha <= C
    squared hinge    half norm(w)^2 + C sum xi^2    0 <= alpha, with K + I / (2 C) for K

Weak duality: the dual value of any feasible alpha is below the objective of every w and b. So an
answer whose two values are near is near the best, whoever found it. With an offset feasible means
sum alpha y = 0, which rounding never grants: the heavier class is shrunk until it is true, on
paper, and `lower` is the dual value of the alpha that results.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from .._result import with_fields
from .rounding import (
    SAFE,
    Enclosure,
    above_zero,
    enclosed,
    enclosed_dot,
    enclosed_sum,
    fractions,
    one_float,
    to_float,
    ulp,
)
from .scores import Scores
from .verdict import Proof, Verdict, b_in_words, decided, rounded_up, shortest

#: Decisions that may be off by more than this are looked at; f is 1 on the margin.
ASK = 1e-6
#: Exact in fractions, and of a float.
HALF = Fraction(1, 2)


@dataclass(frozen=True)
class Certificate(Proof):
    """Both sides of strong duality for an answer, and how well it keeps each condition (KKT).

    The claim is about w and alpha together: alpha is in its box, and the gap between both sides is
    at most `tol` of the dual value. Proved, no answer is better than this one by more than that.
    Refuted, the gap is larger for certain, or alpha leaves its box: then this pair proves no such
    thing. It does not say that w is wrong: a good w beside a poor alpha is refuted, too. Every
    residual is 0 for a perfect answer. The claim is about f in exact arithmetic. What a machine's
    `decision` makes of it in floating point may differ by `off` at the training examples; where
    that is more than `ASK`, the judge is shown those decisions, and says how far they are off, and
    at how many examples they have the wrong sign, or may have it: rounding leaves that open. No
    word about it means: by `ASK` at most, so that the signs agree wherever abs(f) > `ASK`.
    """

    primal: float  #: half norm(w)^2 + C sum xi (or xi^2), of w scaled to be feasible if C = inf
    dual: float  #: sum alpha - half norm(w)^2 (- sum alpha^2 / (4 C) with the squared hinge)
    box: float  #: how far an alpha leaves [0, C]; with the squared hinge, how far it is below 0
    balance: float  #: abs(sum alpha y); 0 without an offset
    on_margin: float  #: sum of alpha (y f - 1 + xi): alpha > 0 only on or inside the margin
    at_bound: float  #: sum of (C - alpha) xi, or of (alpha - 2 C xi)^2 / (4 C): alpha = 2 C xi
    largest: float  #: the largest abs(alpha): the unit of `box` and `balance`
    above: Enclosure  #: the objective of this answer, rounding included
    below: Enclosure  #: the dual value of the balanced alpha, rounding included
    loss: str = "hinge"
    tol: float = 1e-4  #: the relative gap that the verdict asks for
    wrong: str = ""  #: what refutes the answer whatever its objective, in words
    assumes: str = ""  #: what was not tested, in words
    off: float = np.nan  #: decision(X), rounded, differs from f by at most this; nan: not known
    flips: int = 0  #: examples at which decision(X), as the judge saw it, has another sign than f
    doubts: int = 0  #: examples, those among them, at which its sign is not proved to be that of f
    lost: float = 0.0  #: with the one float `b`, seen from the origin, f differs by at most this
    by_b: Enclosure | None = None  #: then the objective is not above the upper end of this

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

    @property
    def upper(self) -> float | Fraction:
        """The objective of this answer is not above this number."""
        return self.above.high

    @property
    def lower(self) -> float | Fraction:
        """No w and b has an objective below this number."""
        return self.below.low

    @cached_property
    def verdict(self) -> Verdict:
        """The verdict on the claim at `tol`."""
        return self.verdict_at(self.tol)

    def verdict_at(self, tol: float) -> Verdict:
        """Return the verdict for another tolerance.

        The best objective is never 0: so nothing here depends on the units of data and C.
        """
        if self.wrong or self.above.low == np.inf:
            return "refuted"
        rate = Fraction(tol) if isinstance(self.below.value, Fraction) else float(tol)
        return decided(self.above - self.below, self.below * rate)

    def within(self, tol: float) -> bool:
        """Return whether the answer is proved to be within `tol`, relative, of the best."""
        return self.verdict_at(tol) == "proved"

    @property
    def reason(self) -> str:
        """The verdict in words."""
        if self.wrong:
            return f"refuted: {self.wrong}"
        verdict = self.verdict
        if verdict == "refuted":
            most = f"more than tol = {shortest(self.tol)}"
            return f"refuted: the gap is {self.relative_gap:.3g} of the dual objective, {most}"
        if verdict == "undecided":
            width = float(self.above.error) + float(self.below.error)
            return f"undecided: rounding errors may be {width:.3g}, the gap is {self.gap:.3g}"
        given = f", if {self.assumes}" if self.assumes else ""
        claim = f"proved: f, not rounded, is within {rounded_up(self.tol, 6)} of the best{given}"
        if self.by_b is not None:
            claim += self._b_in_words
        return claim if self.off <= ASK else claim + self._rounding_in_words

    @property
    def _b_in_words(self) -> str:
        """What is lost if f is made of alpha and `b`, where that is worth a word."""
        if self.by_b is None:
            return ""
        rate = Fraction(self.tol) if isinstance(self.below.value, Fraction) else float(self.tol)
        if self.lost <= ASK and decided(self.by_b - self.below, self.below * rate) == "proved":
            return ""
        low = self.lower
        off = b_in_words(self.lost)
        if not (low > 0 and self.by_b.high < np.inf):
            return off
        share = Fraction(self.by_b.high) / Fraction(low) - 1
        return f"{off}, and within {rounded_up(share, 2)} of the best"

    @property
    def _rounding_in_words(self) -> str:
        """What rounding makes of f, where that is worth a word."""
        if np.isnan(self.off):
            return "; what rounding makes of f was not asked"
        most = rounded_up(self.off, 2) if self.off < np.inf else "any amount"
        wrong = f", and has the wrong sign at {self.flips} of them" if self.flips else ""
        if self.doubts > self.flips:
            wrong = f", and may have the wrong sign at {self.doubts} of them"
        return f"; decision(X) is rounded: off by up to {most} at the training examples{wrong}"

    def __str__(self) -> str:
        """Return one line per condition, and the verdict."""
        squared = self.loss == "squared_hinge"
        rows = [("primal objective", self.primal), ("dual objective", self.dual)]
        rows += [("duality gap", self.gap)]
        rows += [("alpha below 0" if squared else "alpha outside [0, C]", self.box)]
        rows += [("abs(sum alpha y)", self.balance), ("alpha (y f - 1 + xi)", self.on_margin)]
        rows += [("(alpha - 2C xi)^2 / 4C" if squared else "(C - alpha) xi", self.at_bound)]
        rows += [("decision(X) - f", self.off)] if self.off > ASK else []
        lines = [f"{name:<22} {round(value, 6) + 0.0:12.6f}" for name, value in rows]
        return "\n".join([*lines, self.reason])


@dataclass(frozen=True)
class Terms:
    """Under which terms an answer is judged."""

    offset: bool = True  #: b was free: alpha must balance
    loss: str = "hinge"  #: or "squared_hinge"
    tol: float = 1e-4  #: the relative gap that counts as optimal
    wrong: str = ""  #: what is already known to be wrong, in words
    assumes: str = ""  #: what was not tested, in words
    shown: np.ndarray | None = None  #: (n,) the machine's own decisions, in floating point
    lost: float = 0.0  #: how far the offset that is shown may be from the one that is judged


@np.errstate(over="ignore", invalid="ignore")  # infinite or no number: it proves nothing
def judge(
    found: Scores, y: np.ndarray, C: np.ndarray, alpha: np.ndarray, b: float, terms: Terms
) -> Certificate:
    """Judge an answer by its scores; C holds one cost per example."""
    squared, hard = terms.loss == "squared_hinge", bool(np.isinf(to_float(C)).any())
    offset = terms.offset
    high = np.where(C > 0, np.inf, 0) if squared else C
    f, balance = found.lifted + b, enclosed_sum(alpha * y)
    t, t_error = y * f, found.lifted_error + ulp(f)
    short = 1 - t
    xi, _ = above_zero(short, t_error + ulp(short))
    above = _above(found, t, t_error, C, squared)
    lost: Any = Fraction(terms.lost) if t.dtype == object else terms.lost
    less = t - lost
    dual = _dual(enclosed_sum(alpha), found.norm2, alpha, C, squared)
    below = dual - _balancing(found, alpha, y, balance) if offset else dual
    box = max(0, -alpha.min(), (alpha - high).max())
    off, flips, doubts = seen(f, t_error, terms.shown)
    return Certificate(
        primal=one_float(above.value),
        dual=one_float(dual.value),
        box=one_float(box),
        balance=abs(one_float(balance.value)) if offset else 0.0,
        on_margin=one_float(alpha @ (xi - short)),
        at_bound=_at_bound(to_float(xi), to_float(alpha), to_float(C), squared),
        largest=one_float(abs(alpha).max()),
        above=above,
        below=below,
        loss=terms.loss,
        tol=terms.tol,
        wrong=terms.wrong or refuted(box, found.norm2, below, None if hard else enclosed_sum(C)),
        assumes=terms.assumes,
        off=off,
        flips=flips,
        doubts=doubts,
        lost=terms.lost,
        by_b=_above(found, less, t_error + ulp(less), C, squared) if terms.lost else None,
    )


def seen(f: np.ndarray, error: np.ndarray, shown: np.ndarray | None) -> tuple[float, int, int]:
    """Return how far decisions in floating point are from f at most, and how many change sides.

    The second count is of those whose sign is not proved to be that of f. The error bound of the
    judge's own f holds for sums in any order, so for the machine's as well: a decision that was not
    shown is at most twice as far from the judge's. Fractions tell nothing of that.
    """
    if shown is None:
        known = np.abs(f) > 2 * error if f.dtype != object else np.ones(len(f), bool)
        return np.nan if f.dtype == object else float(np.max(error)), 0, int(np.sum(~known))
    d = fractions(shown) if f.dtype == object and np.isfinite(shown).all() else shown
    if f.dtype == object and d is shown:
        return np.inf, 0, len(f)
    below = d < 0
    wrong = np.where(below, f - error >= 0, f + error < 0)
    sure = np.where(below, f + error < 0, f - error >= 0) & (d == d)
    most = (np.abs(f - d) + error).max() * (1 + Fraction(1, 2**50) if f.dtype == object else SAFE)
    return one_float(most), int(wrong.sum()), int(len(f) - sure.sum())


def judge_exactly(
    score: Callable, y: np.ndarray, C: np.ndarray, alpha: np.ndarray, b: float, terms: Terms
) -> Certificate:
    """Judge in fractions: both sides of the balanced alpha are computed, not bounded."""
    a, q = fractions(alpha), np.array([int(v) for v in y], dtype=object)
    cost = fractions(C) if np.isfinite(C).all() else C.astype(object)
    given = score(a * q)
    exact: Any = Fraction(b)
    judged = judge(given, q, cost, a, exact, replace(terms, offset=False))
    balanced = a
    if terms.offset:
        sums = [a[q > 0].sum(), a[q < 0].sum()]
        e, heavy = sums[0] - sums[1], max(sums)
        if e:
            balanced = np.where(q * e > 0, a * (1 - abs(e) / heavy), a)
    norm2 = score(balanced * q).norm2
    below = _dual(enclosed_sum(balanced), norm2, balanced, cost, terms.loss == "squared_hinge")
    balance = one_float(abs((a * q).sum())) if terms.offset else judged.balance
    return with_fields(judged, below=below, balance=balance)


def _above(found: Scores, t, t_error, C, squared: bool) -> Enclosure:
    """Return the objective of the answer, t being y f."""
    short = 1 - t
    xi, xi_error = above_zero(short, t_error + ulp(short))
    if np.isinf(to_float(C)).any():
        return _scaled(found.lifted_norm2, t, t_error)
    price, error = (C * xi, C * xi_error + ulp(C * xi)) if squared else (C, 0.0)
    return found.lifted_norm2 * HALF + enclosed_dot(price, xi, error, xi_error)


def _scaled(norm2: Enclosure, t, t_error) -> Enclosure:
    """Return half norm(w)^2 for w scaled until the nearest example has y f = 1."""
    if t.dtype == object:
        near = min(min(t), Fraction(1))
        return Enclosure(norm2.value / 2 / near**2 if near > 0 else np.inf)
    low, high = (min((t + side * t_error).min() + side * 1e-300, 1.0) for side in (-1.0, 1.0))
    low, high = low * (1 - 1e-15), high * (1 + 1e-15)
    if not low > 0:
        return Enclosure(np.inf, 0.0 if high <= 0 else np.inf)
    ends = 0.5 * norm2.high / low**2 * (1 + 1e-15), 0.5 * norm2.low / high**2 * (1 - 1e-15)
    return Enclosure(0.5 * sum(ends), 0.5 * (ends[0] - ends[1]) * (1 + 1e-15) + 1e-15 * ends[0])


def _dual(total: Enclosure, norm2: Enclosure, alpha, C, squared: bool) -> Enclosure:
    """Return sum alpha - half norm(w)^2, less sum alpha^2 / (4 C) with the squared hinge."""
    value = total - norm2 * HALF
    if not squared or np.isinf(to_float(C)).all():
        return value
    share = np.divide(alpha, 4 * C, out=np.zeros_like(alpha), where=C > 0)
    return value - enclosed_dot(alpha, share, 0.0, ulp(share))


def _balancing(found: Scores, alpha, y, e: Enclosure) -> Enclosure:
    """Return what the dual value loses as the heavier class is shrunk until e = sum alpha y = 0.

    With alpha - r alpha on the heavier side H it loses r sum_H alpha (1 - y s), and see `shrunk`.
    """
    side = y > 0 if e.value > 0 else y < 0
    short = 1 - (y * found.value)[side]
    return shrunk(e, alpha[side], short, found.error[side] + ulp(short), found.size[side])


def shrunk(
    e: Enclosure,
    part: np.ndarray,
    slope: np.ndarray,
    slope_error: np.ndarray,
    size: np.ndarray,
    less: float = 0.0,
) -> Enclosure:
    """Return what a dual value loses as the multipliers `part` are shrunk until e is 0.

    That is r (part.slope - less sum abs(part)) with r = abs(e) / sum abs(part), and at most half
    (r sum abs(part) norm(phi))^2 more; `size` holds norms that are not below those of phi.
    """
    heavy = enclosed_sum(np.abs(part))
    if not heavy.value > 0 or e == Enclosure(0 * heavy.value):
        return enclosed(0 * heavy.value)
    if isinstance(heavy.value, Fraction):
        raise AssertionError("Fractions are balanced before they are judged.")
    r = abs(float(e.value)) / heavy.value
    first = enclosed_dot(part, slope, 0.0, slope_error) - heavy * less
    rate = Enclosure(r, (e.error + r * heavy.error) / heavy.value * (1 + 1e-9) + float(ulp(r)))
    most = (rate.high * (np.abs(part) @ size)) ** 2 * (1 + 1e-9)
    return first * rate + Enclosure(0.25 * most, 0.25 * most)


def no_answer(loss: str, tol: float) -> Certificate:
    """Return the certificate of an answer that is no number."""
    nan, unknown = float("nan"), Enclosure(float("nan"))
    wrong = "alpha or b is not a finite number"
    return Certificate(nan, nan, nan, nan, nan, nan, nan, unknown, unknown, loss, tol, wrong)


def refuted(box: Any, norm2: Enclosure, below: Enclosure, most: Enclosure | None) -> str:
    """Return what is wrong with the answer, or with K, if anything is for certain.

    `most` is the objective of w = 0, the sum of all C; None if C is infinite.
    """
    if box > 0:
        return "an alpha lies outside its box"
    if norm2.high < 0:
        return "norm(w)^2 is negative: K is not positive semi-definite"
    if most is not None and below.low > most.high:
        return "the dual value exceeds the objective of w = 0: K is not positive semi-definite"
    return ""


def _at_bound(xi, alpha, C, squared: bool) -> float:
    if np.isinf(C).any():
        return 0.0
    safe = np.where(C > 0, C, 1.0)
    with np.errstate(over="ignore", invalid="ignore"):  # it is shown, and decides nothing
        if not squared:
            return float((C - alpha) @ xi)
        return float(np.sum((alpha - 2 * C * xi) ** 2 / (4 * safe)))
