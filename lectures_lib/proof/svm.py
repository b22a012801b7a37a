"""What proves an answer of a support vector machine.

    hinge            half norm(w)^2 + C sum xi      0 <= alpha <= C
    squared hinge    half norm(w)^2 + C sum xi^2    0 <= alpha, with K + I / (2 C) for K

Weak duality: the dual value of any feasible alpha is below the objective of every w and b. So an
answer whose two values are near is near the best, whoever found it. With an offset feasible means
sum alpha y = 0, which rounding never grants: the heavier class is shrunk until it is true, on
paper, and `lower` is the dual value of the alpha that results.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from ..conventions import check_labels
from . import scores as scored
from .psd import exact_level, psd_level
from .rounding import Enclosure, enclosed, enclosed_dot, enclosed_sum
from .scores import Scores, fractions
from .verdict import Proof, Verdict, decided

LOSSES = ("hinge", "squared_hinge")
#: Up to so many examples it is tested whether a matrix of unknown origin is a Gram matrix.
TESTED = 1_000
#: Where rounding leaves it open, at most so many entries are multiplied as fractions.
SMALL = 2_500
#: Two mirrored entries of K that differ by more, relative to its diagonal, are no rounding error.
SKEW = 1e-9


@dataclass(frozen=True)
class Certificate(Proof):
    """Both sides of strong duality for an answer, and how well it keeps each condition (KKT).

    The claim is: alpha is in its box, and the objective of this answer exceeds that of the best
    one by at most `tol`, relative. Every residual is 0 for a perfect answer.
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

    @property
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
        if self.verdict == "refuted":
            return f"refuted: the gap is {self.relative_gap:.3g} of the dual objective"
        if self.verdict == "undecided":
            width = float(self.above.error) + float(self.below.error)
            return f"undecided: rounding errors may be {width:.3g}, the gap is {self.gap:.3g}"
        given = f", if {self.assumes}" if self.assumes else ""
        return f"proved: within {self.tol:g} of the best{given}"

    def __str__(self) -> str:
        """Return one line per condition, and the verdict."""
        squared = self.loss == "squared_hinge"
        rows = [("primal objective", self.primal), ("dual objective", self.dual)]
        rows += [("duality gap", self.gap)]
        rows += [("alpha below 0" if squared else "alpha outside [0, C]", self.box)]
        rows += [("abs(sum alpha y)", self.balance), ("alpha (y f - 1 + xi)", self.on_margin)]
        rows += [("(alpha - 2C xi)^2 / 4C" if squared else "(C - alpha) xi", self.at_bound)]
        lines = [f"{name:<22} {round(value, 6) + 0.0:12.6f}" for name, value in rows]
        return "\n".join([*lines, self.reason])


def certificate(
    K: ArrayLike,
    y: ArrayLike,
    C: float,
    alpha: ArrayLike,
    b: float,
    *,
    offset: bool = True,
    loss: str = "hinge",
    tol: float = 1e-4,
    exact: bool = False,
) -> Certificate:
    """Judge an answer from the problem's data and (alpha, b) alone.

    With C = inf slack is not allowed: w and b are scaled until the nearest example has y f = 1,
    and the primal value is that of the scaled w (inf if some example is on the wrong side).
    K is taken as it is. That it is positive semi-definite, up to rounding, is tested for up to
    `TESTED` examples; for more it is assumed, and the certificate says so. `exact` computes in
    fractions (if K is a Gram matrix only up to eta, of K + eta diag(K), which is one); where
    rounding leaves a small case open, that is done without being asked.
    """
    K, y, alpha, b = _checked(K, y, alpha, b, offset)
    cost = check_costs(C, loss, len(y))
    wrong, relative, ridge = not_a_gram_matrix(K)
    options = {"offset": offset, "loss": loss, "tol": tol, "wrong": wrong}
    if not (np.isfinite(alpha).all() and np.isfinite(b)):
        return _no_answer(loss, tol)
    if wrong:
        relative = ridge = 0.0
    elif len(K) > TESTED:
        options["assumes"] = "K is positive semi-definite (not tested)"
    if not exact:
        s, beta = np.flatnonzero(alpha), alpha * y
        part = [(slice(None), K if len(s) == len(K) else K[:, s])]
        with np.errstate(invalid="ignore"):  # an infinite ridge: nothing is known, nothing decided
            found = scored.of_gram(part, K.diagonal(), beta, relative=relative, ridge=ridge)
            judged = judge(found, y, cost, alpha, b, **options)
        if judged.verdict != "undecided" or K.size > SMALL:
            return judged
    Q, lifted = _gram_in_fractions(K, ridge)
    if lifted and ridge == np.inf:
        options["wrong"] = "K is not positive semi-definite"
    decision = _exact(lambda beta: _exact_gram(Q, beta), y, cost, alpha, b, options)
    return decision if exact or not lifted or decision.holds else judged


def certificate_of_features(
    X: np.ndarray,
    y: np.ndarray,
    C: float | ArrayLike,
    alpha: np.ndarray,
    b: float,
    *,
    centre: np.ndarray | None = None,
    offset: bool = True,
    loss: str = "hinge",
    tol: float = 1e-4,
) -> Certificate:
    """Judge a linear machine f(x) = w.(x - centre) + b, w = sum alpha y x, for the features given.

    No Gram matrix is rounded: differences x - centre are exact up to their own last digit.
    """
    cost, alpha = check_costs(C, loss, len(y)), np.asarray(alpha, dtype=float)
    options = {"offset": offset, "loss": loss, "tol": tol}
    if not (np.isfinite(alpha).all() and np.isfinite(b)):
        return _no_answer(loss, tol)
    judged = judge(scored.of_features(X, alpha * y, centre), y, cost, alpha, float(b), **options)
    if judged.verdict != "undecided" or X.size > SMALL or sparse.issparse(X):
        return judged
    return _exact(lambda v: scored.of_features(X, v, centre), y, cost, alpha, float(b), options)


def certificate_of_weights(
    X: np.ndarray,
    y: np.ndarray,
    C: float | ArrayLike,
    alpha: np.ndarray,
    w: np.ndarray,
    b: float,
    *,
    constant: float = 0.0,
    loss: str = "hinge",
    tol: float = 1e-4,
) -> Certificate:
    """Judge weights w and b, with an alpha that bounds all others from below; no free offset.

    b is `constant` times the weight of a constant feature, penalised like the others; 0: none.
    X may be sparse. C is one number, or one per example.
    """
    cost, alpha = check_costs(C, loss, len(y)), np.asarray(alpha, dtype=float)
    options = {"offset": False, "loss": loss, "tol": tol}
    if not (np.isfinite(w).all() and np.isfinite(alpha).all() and np.isfinite(b)):
        return _no_answer(loss, tol)
    judged = judge(
        scored.of_weights(X, alpha * y, w, b, constant), y, cost, alpha, 0.0, **options
    )  # fmt: skip
    if judged.verdict != "undecided" or sparse.issparse(X) or X.size > SMALL:
        return judged

    def score(beta):
        return scored.of_weights(X, beta, w, b, constant)

    return _exact(score, y, cost, alpha, 0.0, options)


def certificate_of_blocks(
    parts: Iterable[tuple[slice, np.ndarray]],
    diagonal: np.ndarray,
    y: np.ndarray,
    C: float,
    alpha: np.ndarray,
    b: float,
    *,
    relative: float = 0.0,
    assumes: str = "",
    offset: bool = True,
    loss: str = "hinge",
    tol: float = 1e-4,
) -> Certificate:
    """Judge a machine from blocks of rows of K, of the columns where alpha is not 0.

    The true K may differ by `relative` sqrt(K_ii K_jj) in each entry: the claim is about it.
    """
    cost, alpha = check_costs(C, loss, len(y)), np.asarray(alpha, dtype=float)
    if not (np.isfinite(alpha).all() and np.isfinite(b)):
        return _no_answer(loss, tol)
    found = scored.of_gram(parts, diagonal, alpha * y, relative=relative)
    options = {"offset": offset, "loss": loss, "tol": tol, "assumes": assumes}
    return judge(found, y, cost, alpha, float(b), **options)


def certificate_in_fractions(
    K: np.ndarray,
    y: np.ndarray,
    C: float,
    alpha: np.ndarray,
    b: float,
    *,
    offset: bool = True,
    loss: str = "hinge",
    tol: float = 1e-4,
) -> Certificate:
    """Judge a machine by a Gram matrix of fractions, symmetric and of a valid kernel."""
    cost, options = check_costs(C, loss, len(y)), {"offset": offset, "loss": loss, "tol": tol}
    return _exact(lambda beta: _exact_gram(K, beta), y, cost, alpha, float(b), options)


def judge(
    found: Scores,
    y: np.ndarray,
    C: np.ndarray,
    alpha: np.ndarray,
    b: float,
    *,
    offset: bool,
    loss: str,
    tol: float,
    wrong: str = "",
    assumes: str = "",
) -> Certificate:
    """Judge an answer by its scores; C holds one cost per example."""
    squared, high = loss == "squared_hinge", C if loss == "hinge" else np.where(C > 0, np.inf, 0)
    t, t_error = y * (found.lifted + b), found.lifted_error + ulp(found.lifted + b)
    beta, (xi, xi_error) = alpha * y, above_zero(1 - t, t_error + ulp(1 - t))
    above = found.lifted_norm2 * _half(b) + _slack_cost(xi, xi_error, C, squared)
    if np.isinf(_as_floats(C)).any():
        above = _scaled(found.lifted_norm2, t, t_error)
    dual = _dual(enclosed_sum(alpha), found.norm2, alpha, C, squared)
    below = dual - _balancing(found, alpha, y) if offset else dual
    box = max(0, -alpha.min(), (alpha - high).max())
    wrong = wrong or _refuted(box, found, below, C)
    return Certificate(
        primal=float(above.value),
        dual=float(dual.value),
        box=float(box),
        balance=float(abs(enclosed_sum(beta).value)) if offset else 0.0,
        on_margin=float(enclosed_dot(alpha, t - 1 + xi).value),
        at_bound=_at_bound(*(_as_floats(v) for v in (xi, alpha, C)), squared),
        largest=float(abs(alpha).max()),
        above=above,
        below=below,
        loss=loss,
        tol=tol,
        wrong=wrong,
        assumes=assumes,
    )


def above_zero(value: np.ndarray, error: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return max(0, value) and its error: none where the value is below 0 for certain."""
    if value.dtype == object:
        return np.maximum(0, value), error
    low, high = np.maximum(0.0, value - error), np.maximum(0.0, value + error)
    return 0.5 * (low + high), 0.5 * (high - low) * (1 + 2.0**-50) + ulp(high) * (high > 0)


def _slack_cost(xi, xi_error, C, squared: bool) -> Enclosure:
    """Return sum C xi, or sum C xi^2."""
    C = np.where(np.isinf(_as_floats(C)), 0, C)
    if not squared:
        return enclosed_dot(C, xi, 0.0, xi_error)
    return enclosed_dot(C * xi, xi, C * xi_error + ulp(C * xi), xi_error)


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
    value = total - norm2 * _half(norm2.value)
    if not squared or np.isinf(_as_floats(C)).all():
        return value
    share = np.divide(alpha, 4 * C, out=np.zeros_like(alpha), where=C > 0)
    return value - enclosed_dot(alpha, share, 0.0, ulp(share))


def _balancing(found: Scores, alpha, y) -> Enclosure:
    """Return what the dual value loses as the heavier class is shrunk until sum alpha y = 0.

    With alpha - r alpha on the heavier side H it loses r sum_H alpha (1 - y s), and at most half
    (r sum_H alpha norm(phi))^2 more.
    """
    e = enclosed_sum(alpha * y)
    side = y > 0 if e.value > 0 else y < 0
    heavy = enclosed_sum(alpha[side])
    if not heavy.value > 0 or e == Enclosure(0 * heavy.value):
        return enclosed(0 * heavy.value)
    if isinstance(heavy.value, Fraction):
        raise AssertionError("Fractions are balanced before they are judged.")
    r = abs(e.value) / heavy.value
    part, t = alpha[side], (y * found.value)[side]
    first = enclosed_dot(part, 1.0 - t, 0.0, found.error[side] + ulp(1.0 - t))
    rate = Enclosure(r, (e.error + r * heavy.error) / heavy.value * (1 + 1e-9) + ulp(r))
    most = (rate.high * (part @ found.size[side])) ** 2 * (1 + 1e-9)
    return first * rate + Enclosure(0.25 * most, 0.25 * most)


def _no_answer(loss: str, tol: float) -> Certificate:
    nan, unknown = float("nan"), Enclosure(float("nan"))
    wrong = "alpha or b is not a finite number"
    return Certificate(nan, nan, nan, nan, nan, nan, nan, unknown, unknown, loss, tol, wrong)


def _refuted(box, found: Scores, below: Enclosure, C) -> str:
    """Return what is wrong with the answer, or with K, if anything is for certain."""
    if box > 0:
        return "an alpha lies outside its box"
    if found.norm2.high < 0:
        return "norm(w)^2 is negative: K is not positive semi-definite"
    if below.low > enclosed_sum(C).high:
        return "the dual value exceeds the objective of w = 0: K is not positive semi-definite"
    return ""


def _at_bound(xi, alpha, C, squared: bool) -> float:
    if np.isinf(C).any():
        return 0.0
    if not squared:
        return float((C - alpha) @ xi)
    safe = np.where(C > 0, C, 1.0)
    return float(np.sum((alpha - 2 * C * xi) ** 2 / (4 * safe)))


def _exact(score, y, C, alpha, b, options) -> Certificate:
    """Judge in fractions: both sides of the balanced alpha are computed, not bounded."""
    a, q = fractions(alpha), np.array([int(v) for v in y], dtype=object)
    cost = fractions(C) if np.isfinite(C).all() else C.astype(object)
    given = score(a * q)
    judged = judge(given, q, cost, a, Fraction(b), **(options | {"offset": False}))
    balanced = a
    if options["offset"]:
        sums = [a[q > 0].sum(), a[q < 0].sum()]
        e, heavy = sums[0] - sums[1], max(sums)
        if e:
            balanced = np.where(q * e > 0, a * (1 - abs(e) / heavy), a)
    squared = options["loss"] == "squared_hinge"
    norm2 = score(balanced * q).norm2
    below = _dual(enclosed_sum(balanced), norm2, balanced, cost, squared)
    fields = vars(judged) | {"below": below}
    if options["offset"]:
        fields["balance"] = float(abs((a * q).sum()))
    return Certificate(**fields)


def _gram_in_fractions(K: np.ndarray, ridge: float) -> tuple[np.ndarray, bool]:
    """Return the symmetric part of K, and whether it needs the `ridge` to be a Gram matrix.

    Then its diagonal is raised by it, relative (if it is finite): rounded products of far away
    vectors make no Gram matrix, and weak duality is false for what is none.
    """
    Q = fractions(K) * Fraction(1, 2)
    Q = Q + Q.T
    lifted = ridge > 0 and exact_level(Q).verdict == "refuted"
    if lifted and ridge < np.inf:
        Q[np.diag_indices(len(Q))] *= 1 + Fraction(ridge)
    return Q, lifted


def _exact_gram(K: np.ndarray, beta: np.ndarray) -> Scores:
    value = K @ beta
    none, norm2 = 0 * value, Enclosure(beta @ value)
    return Scores(value, none, norm2, np.ones(len(beta)), value, none, norm2)


def not_a_gram_matrix(K: np.ndarray) -> tuple[str, float, float]:
    """Return what is wrong with K; else its asymmetry, and what its diagonal lacks to be PSD."""
    diagonal = K.diagonal()
    if diagonal.min() < 0:
        return "K has a negative entry on its diagonal", 0.0, 0.0
    skew = np.abs(K - K.T)
    relative = 0.0
    if skew.max() > 0:
        size = np.sqrt(np.outer(diagonal, diagonal))
        if (skew > SKEW * size).any():
            return "K is not symmetric", 0.0, 0.0
        relative = float(np.max(np.divide(skew, size, out=np.zeros_like(skew), where=size > 0)))
    if len(K) > TESTED:
        return "", relative, 0.0
    level = psd_level(K)
    if level.verdict == "refuted":
        return "K is not positive semi-definite", 0.0, 0.0
    return "", relative, np.inf if level.eta is None else level.eta


def _checked(K, y, alpha, b, offset: bool):
    """Return what a judge is given, or say what is wrong with it."""
    K = np.asarray(K)
    if K.dtype.kind not in "biuf" or K.ndim != 2 or K.shape[0] != K.shape[1]:
        raise ValueError(f"K is {K.dtype} of shape {K.shape}; a Gram matrix is square and real.")
    K = K.astype(float, copy=False)
    if not np.isfinite(K).all():
        raise ValueError("K contains NaN or infinity: check the data and the kernel.")
    y = check_labels(y, len(K), both=offset)
    alpha = np.asarray(alpha)
    if alpha.dtype.kind not in "biuf" or alpha.shape != y.shape:
        raise ValueError(f"alpha must hold {len(y)} numbers, one per example.")
    return K, y, alpha.astype(float), float(b)


def check_costs(C: float | ArrayLike, loss: str, n: int) -> np.ndarray:
    """Return one cost of slack per example, or say what is wrong with them."""
    check_loss(loss)
    given = np.asarray(C)
    if given.dtype.kind not in "biuf" or given.shape not in ((), (n,)):
        raise ValueError(f"C must be a number > 0 (or inf: the hard margin), not {C!r}.")
    if not (given >= 0).all() or (given.shape == () and not given > 0):
        raise ValueError(f"C must be a number > 0 (or inf: the hard margin), not {C!r}.")
    return np.broadcast_to(given.astype(float), (n,)).copy()


def check_loss(loss: str) -> str:
    """Return `loss` if it names one of the two."""
    if loss not in LOSSES:
        raise ValueError(f"loss must be one of {', '.join(LOSSES)}; not {loss!r}.")
    return loss


def ulp(values: np.ndarray | float | Fraction) -> np.ndarray | float | Fraction:
    """Return a bound for the error of a result that was rounded once."""
    if isinstance(values, Fraction) or np.asarray(values).dtype == object:
        return 0 * values
    return 2.0**-53 * np.abs(values) + 2.0**-1074


def _half(like) -> float | Fraction:
    return Fraction(1, 2) if isinstance(like, Fraction) else 0.5


def _as_floats(values: np.ndarray) -> np.ndarray:
    return np.asarray(values, dtype=float)
