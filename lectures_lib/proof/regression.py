"""What proves an answer of support vector regression.

    minimise  half norm(w)^2 + C sum xi   with  abs(y - f(x)) <= epsilon + xi  and  xi >= 0
    maximise  y.beta - epsilon sum abs(beta) - half beta'K beta   over  abs(beta) <= C, sum beta = 0

As for classification, rounding never grants sum beta = 0: the heavier side is shrunk until it is
true, on paper. The targets are seen from their median, which a balanced beta does not notice.

What is allowed is one number: GAP times the best objective, of which the dual value is a lower
bound, and FLAT times C sum abs(y - median), because the best objective may be 0. The median is the
lower one, a target.

Rounding is inside it: both sides lie between bounds, and the allowance is rounded down. The error
y - f is ((y - middle) - b) - w.phi(x): the first difference is exact (`from_middle`), and each of
the others is rounded relative to itself, however far from 0 the targets lie. What that leaves open
about a small problem with a linear or polynomial kernel, or with a given K, fractions decide.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from .._result import with_fields
from ..conventions import as_array, as_float, as_floats, check_cost, check_number
from . import scores as scored
from .duality import shrunk
from .gram import EXACT_ENTRIES, TESTED, exact_scores, gram_in_fractions, not_a_gram_matrix
from .middle import from_middle
from .rounding import (
    SAFE,
    UNIT,
    Enclosure,
    above_zero,
    enclosed_dot,
    enclosed_sum,
    fractions,
    one_float,
    ulp,
)
from .scores import Scores
from .verdict import NOT_ASKED, Proof, Verdict, b_in_words, decided, rounded_up

#: An answer counts as the best if its objective is this close, relative ...
GAP = 1e-4
#: ... or this close compared with the cost of the best constant: the best objective may be 0.
FLAT = 1e-9


@dataclass(frozen=True)
class SVRCertificate(Proof):
    """Both sides of strong duality for an answer, and how well it keeps each condition.

    The claim is: beta is in its box, and the gap between both sides is at most `tolerance`. Proved,
    no answer is better than this one by more than that. Refuted, the gap is larger for certain, or
    beta leaves its box.
    """

    primal: float  #: half norm(w)^2 + C sum xi
    dual: float  #: y.beta - epsilon sum abs(beta) - half norm(w)^2
    box: float  #: how far abs(beta) exceeds C
    balance: float  #: abs(sum beta)
    on_tube: float  #: sum of abs(beta) (epsilon + xi) - beta (y - f): beta pulls to its own side
    at_bound: float  #: sum of (C - abs(beta)) xi: outside the tube only at abs(beta) = C
    largest: float  #: the largest abs(beta): the unit of `box` and `balance`
    tolerance: float  #: `GAP` of the best objective and `FLAT` of C sum abs(y - median), or less
    above: Enclosure  #: the objective of this answer, rounding included
    below: Enclosure  #: the dual value of the balanced beta, rounding included
    wrong: str = ""  #: what refutes the answer whatever its objective, in words
    assumes: str = ""  #: what was not tested, in words
    lost: float = 0.0  #: with the one float b, from the origin, f is off by this; 0: harmless

    @property
    def gap(self) -> float:
        """primal - dual; where beta sums to 0 it is on_tube + at_bound."""
        return self.primal - self.dual

    @property
    def verdict(self) -> Verdict:
        """The verdict on the claim."""
        if self.wrong:
            return "refuted"
        if self.above.high <= self.below.low:
            return "proved"  # nothing is missing: both are 0, where a constant fits
        return decided(self.above - self.below, Enclosure(self.tolerance))

    @property
    def reason(self) -> str:
        """The verdict in words."""
        if self.wrong:
            return f"refuted: {self.wrong}"
        parts = f"{GAP:g} of the best objective and {FLAT:g} of C sum abs(y - median)"
        allowed = f"{rounded_up(self.tolerance)}, which is {parts}"
        if self.verdict == "refuted":
            return f"refuted: the gap is {self.gap:.3g}; allowed are {allowed}"
        if self.verdict == "undecided":
            width = float(self.above.error) + float(self.below.error)
            known = f"the gap is {self.gap:.3g}, known up to {width:.3g}"
            return f"undecided: {known}; allowed are {allowed}"
        given = f", if {self.assumes}" if self.assumes else ""
        claim = f"proved: no answer is better than f by more than {allowed}{given}"
        return f"{claim}{b_in_words(self.lost)}; {NOT_ASKED}"

    def __str__(self) -> str:
        """Return one line per condition, and the verdict."""
        rows = [("primal objective", self.primal), ("dual objective", self.dual)]
        rows += [("duality gap", self.gap), ("abs(beta) beyond C", self.box)]
        rows += [("abs(sum beta)", self.balance), ("beta against the tube", self.on_tube)]
        rows += [("(C - abs(beta)) xi", self.at_bound)]
        lines = [f"{name:<22} {round(value, 6) + 0.0:12.6f}" for name, value in rows]
        return "\n".join([*lines, self.reason])


@explained
def svr_certificate(
    K: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike,
    epsilon: float,
    beta: ArrayLike,
    b: float,
    *,
    middle: float = 0.0,
    exact: bool = False,
) -> SVRCertificate:
    """Judge an answer from the problem's data and (beta, b) alone; C is one or one per example.

    What is judged is f = K beta + b + middle; `middle` is near the targets, where they are far.
    That K is positive semi-definite, up to rounding, is tested for up to `TESTED` examples.
    `exact` computes in fractions (if K is a Gram matrix only up to eta, of K + eta diag(K), which
    is one); where rounding leaves a small case open, that is done without being asked.
    """
    K, y, beta = as_array(K, "K"), as_array(y, "y"), as_array(beta, "beta")
    shapes = y.ndim == 1 and K.shape == (len(y), len(y)) and beta.shape == y.shape
    if not shapes or any(a.dtype.kind not in "biuf" for a in (K, y, beta)):
        raise BadArgument(f"K {K.shape}, y {y.shape} and beta {beta.shape} must be real and fit.")
    K, y, beta = as_floats(K, "K"), as_floats(y, "y"), as_floats(beta, "beta")
    b = as_float(b, "b")
    if not (np.isfinite(K).all() and np.isfinite(y).all()):
        raise BadArgument("K or y contains NaN or infinity: check the data and the kernel.")
    C, epsilon = check_tube(C, epsilon, len(y))
    if not (np.isfinite(beta).all() and np.isfinite(b)):
        no, unknown = float("nan"), Enclosure(float("nan"))
        numbers = no, no, no, no, no, no, no, no
        return SVRCertificate(*numbers, unknown, unknown, "beta or b is not a finite number")
    t = from_middle(y, middle)
    wrong, relative, ridge = not_a_gram_matrix(K)
    assumes = "" if len(K) <= TESTED else "K is positive semi-definite (not tested)"
    s = np.flatnonzero(beta)
    errors: dict[str, Any] = {} if wrong else {"relative": relative, "ridge": ridge}
    found = scored.of_gram(scored.one_block(K[:, s]), K.diagonal(), beta, **errors)
    judged = judge_tube(found, t, C, epsilon, beta, b, wrong=wrong, assumes=assumes)
    if not exact and (judged.verdict != "undecided" or K.size > EXACT_ENTRIES):
        return judged
    Q, lifted = gram_in_fractions(K, errors.get("ridge", 0.0))
    decision = _in_fractions(judged, lambda v: exact_scores(Q, v), t, C, epsilon, beta, b)
    if lifted and ridge == np.inf:
        decision = with_fields(decision, wrong=wrong or "K is not positive semi-definite")
    return decision if exact or not lifted or decision.holds else judged


def svr_certificate_of_features(
    X: np.ndarray,
    y: np.ndarray,
    C: float | np.ndarray,
    epsilon: float,
    beta: np.ndarray,
    b: float,
    centre: np.ndarray,
    origin: float,
) -> SVRCertificate:
    """Judge a linear answer f(x) = w.(x - centre) + b from the features themselves.

    In this and the one that follows y are the targets less their `middle`. `origin` is the float
    that is shown as the offset from the origin: where by it the claim might not hold, the judge
    says what f loses.
    """

    def score(v):
        return scored.of_features(X, v, centre)

    small = X.size <= EXACT_ENTRIES
    judged = judge_tube(score(beta), y, C, epsilon, beta, b)
    if judged.verdict == "undecided" and small:
        judged = _in_fractions(judged, score, y, C, epsilon, beta, b)
    lost = scored.offset_lost(X, beta, centre, None, b, origin, exact=small)
    gap, more = (judged.above - judged.below).high, math.fsum(C + np.zeros(len(y))) * lost
    harmless = SAFE * (max(0.0, one_float(gap)) + more) <= judged.tolerance
    return with_fields(judged, lost=0.0 if harmless else lost)


def svr_certificate_of_blocks(
    parts: Sequence[scored.Part],
    diagonal: np.ndarray,
    y: np.ndarray,
    C: float | np.ndarray,
    epsilon: float,
    beta: np.ndarray,
    b: float,
    *,
    relative: float | None,
    exact: Callable[[], np.ndarray | None],
    assumes: str = "",
) -> SVRCertificate:
    """Judge an answer from parts of rows of K, off by `relative` from a Gram matrix.

    None: the claim is about the numbers given, of which nothing is known. `exact` returns the K of
    a valid kernel in fractions, for small cases left open, or None.
    """
    sure = relative is not None
    found = scored.of_gram(parts, diagonal, beta, relative=relative or 0.0, valid=sure)
    judged = judge_tube(found, y, C, epsilon, beta, b, assumes=assumes)
    if judged.verdict != "undecided" or len(y) ** 2 > EXACT_ENTRIES or (K := exact()) is None:
        return judged
    return _in_fractions(judged, lambda v: exact_scores(K, v), y, C, epsilon, beta, b)


def _in_fractions(
    judged: SVRCertificate, score: Callable[[np.ndarray], Scores], y, C, epsilon, beta, b
) -> SVRCertificate:
    """Return the same with both sides computed, not bounded; the lower one of a balanced beta."""
    v, targets, cost = (fractions(a) for a in (beta, y, C + np.zeros(len(y))))
    width, found, even = Fraction(epsilon), score(v), _balanced(v)
    xi = np.maximum(0, np.abs(targets - found.lifted - Fraction(b)) - width)
    upper = found.lifted_norm2.value / 2 + cost @ xi
    lower = even @ targets - width * np.abs(even).sum() - score(even).norm2.value / 2
    above, below = Enclosure(upper), Enclosure(lower)
    flat = cost @ np.abs(targets - _median(targets))
    allowed = Fraction(GAP) * max(lower, Fraction(0)) + Fraction(FLAT) * flat
    tolerance = math.nextafter(one_float(allowed), 0.0)
    known = {"primal": one_float(upper), "tolerance": tolerance}
    return with_fields(judged, above=above, below=below, **known)


def _balanced(beta: np.ndarray) -> np.ndarray:
    """Return fractions of which the heavier side was shrunk until they add up to 0."""
    e = beta.sum()
    heavy = beta * e > 0
    return np.where(heavy, beta * (1 - e / beta[heavy].sum()), beta) if e else beta


def judge_tube(
    found: Scores,
    y: np.ndarray,
    C: float | np.ndarray,
    epsilon: float,
    beta: np.ndarray,
    b: float,
    *,
    wrong: str = "",
    assumes: str = "",
) -> SVRCertificate:
    """Judge an answer by its scores."""
    size, near, cost = np.abs(beta), y - b, C + np.zeros(len(y))
    none = not beta.any()  # then w = 0, and nothing about it is rounded
    error = near if none else near - found.lifted
    off = UNIT * np.abs(near) + (0.0 if none else found.lifted_error + UNIT * np.abs(error))
    excess = np.abs(error) - epsilon
    xi, xi_error = above_zero(excess, SAFE * (off + UNIT * np.abs(excess)))
    slack = enclosed_dot(cost, xi, 0.0, xi_error) if (xi + xi_error).any() else Enclosure(0.0)
    above = slack if none else found.lifted_norm2 * 0.5 + slack
    median = float(_median(y))
    t = y - median
    flat = enclosed_dot(cost, np.abs(t), 0.0, ulp(t))
    dual = enclosed_dot(beta, t, 0.0, ulp(t)) - enclosed_sum(size) * epsilon - found.norm2 * 0.5
    below = Enclosure(0.0) if none else dual - _balancing(found, t, epsilon, beta)
    allowed = Enclosure(max(float(below.low), 0.0)) * GAP + flat * FLAT
    box = max(0.0, float((size - C).max()))
    wrong = wrong or ("a beta lies outside its box" if box > 0 else "")
    return SVRCertificate(
        primal=float(above.value),
        dual=float(dual.value + median * enclosed_sum(beta).value),
        box=box,
        balance=abs(float(enclosed_sum(beta).value)),
        on_tube=float(size @ (epsilon + xi) - beta @ error),
        at_bound=float((C - size) @ xi),
        largest=float(size.max()),
        tolerance=max(0.0, float(allowed.low)),
        above=above,
        below=below,
        wrong=wrong,
        assumes=assumes,
    )


def _median(y: np.ndarray) -> Any:
    """Return the lower median, which is one of the targets."""
    return np.sort(y)[(len(y) - 1) // 2]


def _balancing(found: Scores, t, epsilon: float, beta) -> Enclosure:
    """Return what the dual value loses as the heavier side is shrunk until sum beta = 0."""
    e = enclosed_sum(beta)
    side = beta > 0 if e.value > 0 else beta < 0
    F = (t - found.value)[side]
    off = found.error[side] + ulp(t[side]) + ulp(F)
    return shrunk(e, beta[side], F, off, found.size[side], less=epsilon)


def check_tube(
    C: float | ArrayLike, epsilon: float, n: int | None = None
) -> tuple[float | np.ndarray, float]:
    """Return C, one or one for each of n examples, and epsilon, or say what is wrong with them."""
    cost = check_cost(C, n, hard=False)
    return cost, check_number(epsilon, "epsilon", 0, why=": it is half the width of the tube")
