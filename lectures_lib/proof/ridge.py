"""Kernel ridge regression: how far an answer can be from the best, rounding included.

minimise  norm(y - f)^2 + penalty norm(w)^2  over f = w.phi(x) + b, with b free or 0. Any beta gives
a lower bound: with r = y - f, norm(r - penalty beta)^2 >= 0 says
norm(r)^2 >= 2 penalty beta'r - penalty^2 norm(beta)^2; add penalty norm(w)^2, and the right side is
least at w = sum beta_i phi(x_i), where it is

    dual = penalty (2 beta'y - penalty norm(beta)^2 - beta'K beta).

If b is free, that needs a beta of sum 0. The judge takes beta = alpha - m with m the mean of alpha
(0 without an offset). Then, exactly,

    gap = primal - dual = norm(r - penalty beta)^2 + penalty m^2 1'K1,

a sum of squares, which is computed instead of the difference of two large numbers. It is 0 only
for the alpha that solves the equations; an answer is refuted by a better one, one step away.

With weights s_i > 0, minimise sum s_i r_i^2 + penalty norm(w)^2. Now
sum s_i (r_i - penalty beta_i / s_i)^2 >= 0 says sum s_i r_i^2 >= 2 penalty beta'r - penalty^2 sum
beta_i^2 / s_i, and the same steps give

    dual = penalty (2 beta'y - penalty sum beta_i^2 / s_i - beta'K beta),
    gap = sum s_i (r_i - penalty beta_i / s_i)^2 + penalty m^2 1'K1.

The bound needs a K that is positive semi-definite, and a rounded K hardly ever is. So it is stated
for a matrix near K that is: either the true Gram matrix of a kernel, whose entries K_ij are known
up to `rounding` times sqrt(K_ii K_jj); or, where no such bound is given, K + eta diag(K), which the
judge proves to be positive semi-definite (`psd_level`). What separates it from K is counted as an
error of K.

Rounding: the tolerance is RTOL times the objective of w = 0 (of the best constant, where b is
free), bounded from below. With d = y - m for a float m near the mean that is
sum s d^2 - (sum s d)^2 / sum s, whatever m is, and each d is rounded once, relative to itself,
however far from 0 the targets lie. The gap is bounded from above: r = ((y - middle) - b) - K alpha
is off by u times its terms, so its square by 2 abs(r) e + e^2. All of it must fit *inside* the
tolerance; where it does not, the verdict is "undecided".
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from .._result import with_fields
from ..conventions import (
    RTOL,
    check_number,
    check_points,
    check_positive,
    check_vector,
)
from .gram import EXACT_ENTRIES
from .middle import from_middle
from .psd import EXACT_SIZE, exact_level, is_symmetric, psd_level
from .rounding import (
    SAFE,
    TINY,
    UNIT,
    Enclosure,
    enclosed_dot,
    enclosed_product,
    enclosed_sum,
    fractions,
    growth,
    is_exact,
    one_float,
)
from .scores import offset_lost
from .verdict import NOT_ASKED, Proof, Verdict, b_in_words, rounded_down, rounded_up

#: Objectives are printed to this, relative; where they are not known so well, that is printed, too.
SHOWN = 1e-6

#: K alpha, its errors, and 1'K1.
_Product = tuple[np.ndarray, np.ndarray, Enclosure]


@dataclass(frozen=True)
class RidgeCertificate(Proof):
    """No w does better than `dual`, and the answer attains `primal`: their gap bounds its error.

    The gap is computed as a sum of squares, and so much better known than its two ends.
    """

    primal: float  #: norm(y - f)^2 + penalty alpha'K alpha, the objective: known up to `off`
    dual: float  #: penalty (2 beta'y - penalty norm(beta)^2 - beta'K beta): known up to `off`
    gap: float  #: primal - dual, as a sum of squares
    error: float  #: the gap is known up to this: rounding, in K and in the judge
    excess: float  #: another answer is better by this, at least; -inf: none was sought
    residual: float  #: norm(r - penalty beta), weighted; where beta is alpha, its square is the gap
    tolerance: float  #: what may be left: RTOL times the objective of w = 0 (best constant)
    gram: Verdict = "proved"  #: on the claim that K is a Gram matrix, up to its rounding
    off: float = 0.0  #: rounding, in primal and dual: more than in the gap, far from 0
    lost: float = 0.0  #: with the one float b, from the origin, f is off by this; 0: harmless

    @property
    def verdict(self) -> Verdict:
        """Return whether the answer is best up to the tolerance, and K a Gram matrix."""
        if self.gram != "proved":
            return self.gram
        if Enclosure(self.gap, self.error).high <= self.tolerance:
            return "proved"
        return "refuted" if self.excess > self.tolerance else "undecided"

    def __str__(self) -> str:
        """Return one line per number."""
        rows = {"primal objective": self.primal, "dual objective": self.dual}
        rows |= {"duality gap": self.gap, "its error": self.error, "tolerance": self.tolerance}
        rows |= {"both known up to": self.off} if self.off > SHOWN * abs(self.primal) + TINY else {}
        lines = [f"{name:<16} {value:12.6g}" for name, value in rows.items()]
        return "\n".join([*lines, self.reason])

    @property
    def reason(self) -> str:
        """The verdict in words, with the tolerance."""
        if self.gram != "proved":
            return f"{self.gram}: K is a Gram matrix: {self.gram}"
        allowed = f"{rounded_up(self.tolerance)}, which is {RTOL:g} of the objective of w = 0"
        if self.verdict == "proved":
            claim = f"proved: no answer is better than f by more than {allowed}"
            return f"{claim}{b_in_words(self.lost)}; {NOT_ASKED}"
        if self.verdict == "refuted":
            least = rounded_down(self.excess)
            return f"refuted: an answer is better by {least}; allowed are {allowed}"
        most = f"the gap is {self.gap:.3g}, known up to {self.error:.3g}"
        return f"undecided: {most}; allowed are {allowed}"


@explained
def ridge_certificate(
    K: ArrayLike,
    y: ArrayLike,
    penalty: float,
    alpha: ArrayLike,
    b: float | None = None,
    *,
    rounding: float | None = None,
    weights: ArrayLike | None = None,
    middle: float = 0.0,
) -> RidgeCertificate:
    """Return the proof that (alpha, b) is optimal, or the gap by which it can fail to be.

    What is judged is f = K alpha + b + middle. `b` is None where there is no offset. `rounding`:
    the entries of K differ from those of a true Gram matrix by at most this times
    sqrt(K_ii K_jj): see `Kernel.rounding`. None: that K is a Gram matrix is judged, too, of its
    symmetric part. A `K` of fractions is judged without rounding.

    Parameters
    ----------
    K, y : (n, n) the Gram matrix and (n,) the targets
    penalty : the price of norm(w)^2
    alpha, b : the answer; b is None where there is no offset
    rounding : how well K is known; None: exactly, and K itself is judged
    weights : (n,) what the square of each error counts, above 0; default 1
    middle : what b is counted from, where targets lie far from 0

    Examples
    --------
    >>> proof.ridge_certificate([[1.0]], [2.0], 1.0, [1.0]).holds
    True
    """
    K = np.asarray(K) if is_exact(K) else check_points(K, "K", copy=False)
    if K.shape[0] != K.shape[1]:
        raise BadArgument(f"K has shape {K.shape}; a Gram matrix is square.")
    y, alpha = check_vector(y, len(K), "y"), check_vector(alpha, len(K), "alpha")
    penalty, b = check_positive(penalty, "penalty"), None if b is None else check_number(b, "b")
    s = 1.0 if weights is None else check_vector(weights, len(K), "weights")
    if np.min(s) <= 0:
        raise BadArgument("weights must be above 0: leave examples of weight 0 out.")
    t = from_middle(y, middle, offset=b is not None)
    gram, eta = _gram_verdict(K, rounding)
    if is_exact(K):
        return _exact_certificate(K, y, penalty, alpha, b, s, gram, middle)
    K = K if rounding is not None else 0.5 * (K + K.T)
    given, near = (K, t, penalty, alpha, b, s, _tolerance(y, b, s), gram), (rounding or 0.0, eta)
    with np.errstate(over="ignore", invalid="ignore"):  # numbers beyond all floats prove nothing
        if rounding is not None:
            judged = _judged(*given, _product_by_norms(K, alpha, rounding))
            if judged.holds:
                return judged
        return _judged(*given, _product(K, alpha, *near), near)


def _product(K: np.ndarray, alpha: np.ndarray, eps: float, eta: float) -> _Product:
    """Return K alpha for the matrix near K, with errors by the entries of K; and 1'K1."""
    norms = np.sqrt(np.maximum(K.diagonal(), 0.0))
    f, errors = enclosed_product(K, alpha)
    errors = errors + eps * norms * (norms @ np.abs(alpha)) + eta * norms**2 * np.abs(alpha)
    spread = growth(K.size) * np.abs(K).sum() + eps * norms.sum() ** 2 + eta * (norms @ norms)
    return f, errors, Enclosure(float(K.sum()), float(SAFE * spread))


def _product_by_norms(K: np.ndarray, alpha: np.ndarray, eps: float) -> _Product:
    """Return the same with errors by Cauchy-Schwarz: K is read once.

    abs(K_ij) is at most 1 + 2 eps times sqrt(K_ii K_jj), and 1'K1 is from 0 to the square of the
    sum of the roots.
    """
    norms = np.sqrt(np.maximum(K.diagonal(), 0.0))
    share = (1.0 + 2.0 * eps) * (growth(len(K) + 1) + eps)
    errors = SAFE * share * norms * (norms @ np.abs(alpha)) + (len(K) + 1) * TINY
    half = 0.5 * float(norms.sum()) ** 2
    return K @ alpha, errors, Enclosure(half, SAFE * (1 + 2 * eps) * half)


def _judged(
    K, t, penalty, alpha, b, s, tolerance, gram, product: _Product, near=None
) -> RidgeCertificate:
    """Return the certificate; with `near`, a better answer is sought where the gap does not do."""
    gap, rest = _gap(t, penalty, alpha, b, s, product)
    here, excess = _primal(t, penalty, alpha, b, s, product), -math.inf
    if not alpha.any() and not (t - (b or 0.0)).any():  # f = y, and w = 0: nothing was rounded
        gap = here = Enclosure(0.0)
    elif near and not gap.high <= tolerance:
        a, c = _better(K, t, penalty, alpha, b, s, rest)
        if np.isfinite(a).all() and math.isfinite(c or 0.0):
            better = _primal(t, penalty, a, c, s, _product(K, a, *near))
            excess = float((here - better).low)
            excess = excess if math.isfinite(excess) else -math.inf
    return RidgeCertificate(
        primal=float(here),
        dual=float(here) - float(gap) if alpha.any() else 0.0,
        gap=float(gap),
        error=float(gap.error),
        off=SAFE * float((here - gap).error + here.error),
        excess=excess,
        residual=float(np.linalg.norm(np.sqrt(s) * rest)),
        tolerance=tolerance,
        gram=gram,
    )


def with_offset_lost(
    judged: RidgeCertificate,
    X: Any,
    alpha: Any,
    centre: Any,
    b: float,
    origin: float,
    weight: float,
) -> RidgeCertificate:
    """Return the certificate with what f loses by `origin`, the float shown as b from the origin.

    With s that add up to `weight`, moving f by e adds 2 e sqrt(weight sum s r^2) + e^2 weight at
    most, by Cauchy-Schwarz. Where that fits into the tolerance, nothing is said.
    """
    lost = offset_lost(X, alpha, centre, None, b, origin, exact=X.size <= EXACT_ENTRIES)
    more = lost * (2 * math.sqrt(weight * max(0.0, judged.primal + judged.off)) + lost * weight)
    harmless = SAFE * (judged.gap + judged.error + more) <= judged.tolerance
    return with_fields(judged, lost=0.0 if harmless else lost)


def _gram_verdict(K: np.ndarray, rounding: float | None) -> tuple[Verdict, float]:
    """Return whether K + eta diag(K) is a Gram matrix, and eta; `rounding` vouches for K itself."""
    if rounding is not None:
        check_number(rounding, "rounding", 0, 1)
        return "proved", 0.0
    if is_exact(K):
        return (exact_level(K).verdict if len(K) <= EXACT_SIZE else "undecided"), 0.0
    if not is_symmetric(K):
        return "refuted", 0.0
    level = psd_level(K)
    return level.verdict, level.eta or 0.0


# In what follows s is 1.0, or one weight per example; by np.ndim(s) more roundings are counted.


def _gap(y, penalty, alpha, b, s, product: _Product) -> tuple[Enclosure, np.ndarray]:
    """Return the gap with its error, and r - penalty beta / s."""
    m, m_error = (0.0, 0.0) if b is None else _mean(alpha)
    f, errors, total = product
    (r, off), beta, rate = _residual(y, b, f), alpha - m, penalty / s
    rest, more = r - rate * beta, np.ndim(s)
    rounded = np.abs(rest) + (4 + more) * rate * np.abs(beta)
    errors = SAFE * (errors + off + UNIT * (rounded + np.abs(f)) + rate * m_error)
    errors = errors + 8 * TINY + more * TINY * (np.abs(beta) + m_error)
    weighted = s * rest
    square = float(weighted @ rest)
    spread = 2 * np.abs(weighted) @ errors + (s * errors) @ errors
    spread += growth(len(y) + more) * square + more * TINY * (len(y) + np.abs(rest).sum())
    gap = Enclosure(square, float(SAFE * spread))
    if b is None:
        return gap, rest
    mean = Enclosure(m, m_error)  # an alpha that does not sum to 0 costs penalty m^2 1'K1
    return gap + mean * mean * total * penalty, rest


def _residual(t: np.ndarray, b: float | None, f: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (t - b) - f, and what rounding did to the two differences.

    b comes first: far from 0 it takes away what the targets have in common.
    """
    near = t - (b or 0.0)
    r = near - f
    return r, UNIT * (np.abs(near) + np.abs(r))


def _primal(y, penalty, alpha, b, s, product: _Product) -> Enclosure:
    """Return sum s (y - K alpha - b)^2 + penalty alpha'K alpha, for the matrix near K."""
    f, errors, _ = product
    r, off = _residual(y, b, f)
    r_errors = SAFE * (errors + off)
    weighted, more = s * r, np.ndim(s)
    w_errors = s * r_errors + more * (SAFE * UNIT * (np.abs(weighted) + s * r_errors) + TINY)
    squares = enclosed_dot(weighted, r, w_errors, r_errors)
    return squares + enclosed_dot(alpha, f, 0.0, errors) * penalty


def _better(K, y, penalty, alpha, b, s, rest) -> tuple[np.ndarray, float | None]:
    """Return the best answer on the line from alpha along s times the residual; b follows."""
    step = s * rest if b is None else s * rest - np.mean(s * rest)
    step = step / (np.abs(step).max() or 1.0)
    r, q = _residual(y, b, K @ alpha)[0], K @ step
    r_mean, q_mean = (0.0, 0.0) if b is None else (_average(r, s), _average(q, s))
    bend = (s * (q - q_mean)) @ (q - q_mean) + penalty * (step @ q)
    far = (s * (r - r_mean)) @ (q - q_mean) - penalty * (alpha @ q)
    far = far / bend if bend > 0 else 0.0
    return alpha + far * step, None if b is None else float(b + r_mean - far * q_mean)


def _average(v: np.ndarray, s: float | np.ndarray) -> float:
    """Return the mean of v by the weights s."""
    return (s @ v) / s.sum() if isinstance(s, np.ndarray) else v.mean()


def _mean(alpha: np.ndarray) -> tuple[float, float]:
    m = math.fsum(alpha) / len(alpha)
    return m, 3 * UNIT * abs(m) + TINY


def _exact_certificate(K, y, penalty, alpha, b, s, gram: Verdict, middle) -> RidgeCertificate:
    """Return the same in fractions: the gap is known, and shown as a float that is not below it."""
    primal, gap, square, rest = _exact_gap(K, y, penalty, alpha, b, s, middle)
    with np.errstate(over="ignore", invalid="ignore"):
        floats = np.array([one_float(entry) for entry in K.ravel()]).reshape(K.shape)
        left = np.array([one_float(v) for v in rest])
        better = _better(floats, y - middle, penalty, alpha, b, s, left)
    finite = np.isfinite(better[0]).all() and math.isfinite(better[1] or 0.0)
    nearby = better if finite else (alpha, b)
    excess = primal - _exact_gap(K, y, penalty, nearby[0], nearby[1], s, middle)[0]
    return RidgeCertificate(
        primal=one_float(primal),
        dual=one_float(primal - gap),
        gap=math.nextafter(one_float(gap), math.inf) if gap else 0.0,
        error=0.0,
        excess=math.nextafter(one_float(excess), -math.inf),
        residual=math.sqrt(one_float(square)),
        tolerance=_exact_tolerance(y, b, s),
        gram=gram,
        off=SAFE * UNIT * one_float(primal + gap) + TINY,
    )


def _exact_gap(
    K, y, penalty, alpha, b, s, middle
) -> tuple[Fraction, Fraction, Fraction, np.ndarray]:
    """Return (primal, gap, sum s rest^2, rest), rest being r - penalty beta / s."""
    y, alpha, s = (fractions(a) for a in (y, alpha, np.broadcast_to(s, len(y))))
    penalty, m = Fraction(penalty), Fraction(0) if b is None else sum(alpha) / len(alpha)
    f = K @ alpha
    r = y - f - Fraction(b or 0.0) - Fraction(middle)
    rest = r - penalty * (alpha - m) / s
    square = sum(s * rest * rest)
    gap = square + penalty * m * m * sum(K.ravel().tolist())
    return sum(s * r * r) + penalty * sum(alpha * f), gap, square, rest


def _tolerance(y: np.ndarray, b: float | None, s: float | np.ndarray) -> float:
    """Return a number not above RTOL times the least of sum s (y - c)^2, c being 0 without a b."""
    d = y if b is None else y - float(_average(y, s))
    s, off = np.broadcast_to(s, len(y)), UNIT * np.abs(d)
    flat = enclosed_dot(s * d, d, SAFE * (s * off + UNIT * np.abs(s * d)) + TINY, off)
    if b is not None:
        pull, total = enclosed_dot(s, d, 0.0, off), enclosed_sum(np.array(s))
        most = max(abs(float(pull.low)), abs(float(pull.high)))
        flat = flat - Enclosure(0.0, SAFE * most**2 / float(total.low))
    return max(0.0, float((flat * RTOL).low))


def _exact_tolerance(y: np.ndarray, b: float | None, s: float | np.ndarray) -> float:
    """Return the same from fractions, rounded down."""
    y, s = fractions(y), fractions(np.broadcast_to(s, len(y)))
    mean = 0 if b is None else sum(s * y) / sum(s)
    allowed = Fraction(RTOL) * sum(s * (y - mean) * (y - mean))
    return math.nextafter(one_float(allowed), 0.0)
