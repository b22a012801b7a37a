"""Anybody's linear model, near its best or tampered with, handed to `certify`.

The claim, as it is printed: the objective is at most (1 + tol) times the least; or another answer
is shown, and (1 + tol) times its objective is still less. Both are decided here: in fractions, and
the logistic loss with 60 digits.
"""

from fractions import Fraction

import mpmath
import numpy as np

from lectures_lib import certify
from tools.referee import draw, truth
from tools.referee.ledger import Ledger
from tools.referee.rational import ZERO, Program, dot, exact, words

LOSSES = ("hinge", "squared_hinge", "logistic", "squared", "tube", "squared_tube")
DIGITS = 60
#: A least value that was computed with `DIGITS` is known to this, relative.
KNOWN = Fraction(1, 10**25)


def case(rng: np.random.Generator, ledger: Ledger) -> None:
    """Judge weights for one of the losses."""
    loss, way = str(rng.choice(LOSSES)), str(rng.choice(["free", "penalised", "none"]))
    data = draw.examples(rng, 5, 2)
    y = (
        data.y
        if loss in LOSSES[:3]
        else rng.normal(size=len(data.y)).round(3) * draw.power(rng, -2, 2)
    )
    C, epsilon = draw.cost(rng, data.unit), float(rng.choice([0.0, 0.1, 1.0]))
    options = {
        "loss": loss,
        "offset": way,
        "epsilon": epsilon,
        "tol": float(rng.choice([1e-3, 1e-2, 1e-6])),
    }
    what = f"certify.svm {loss} {way} C={C:.3g} tol={options['tol']:g} [{data.kind}]"
    first = ledger.call(what, certify.svm, np.zeros(data.X.shape[1]), 0.0, data.X, y, C, **options)
    if first is None:
        return
    w, b = tampered(rng, first, data.X.shape[1], way)
    judged = ledger.call(what, certify.svm, w, b, data.X, y, C, **options)
    if judged is None:
        return
    problem = Problem(exact(data.X), exact(y), Fraction(C), loss, way, Fraction(epsilon))
    compare(ledger, what, judged, problem, {"w": w, "b": b}, options["tol"], data.unit)


def tampered(rng: np.random.Generator, first, d: int, way: str) -> tuple[np.ndarray, float]:
    """Return the other answer that a judgement shows, perhaps moved by a little or by much."""
    w = np.array(first.better.get("w", np.zeros(d)))
    b = float(first.better.get("b", 0.0))
    lie = str(rng.choice(["none", "none", "weights", "one", "b"]))
    if lie == "weights":
        w = w * (1 + draw.power(rng, -9, 0) * rng.choice([-1.0, 1.0]))
    if lie == "one":
        w[rng.integers(d)] += (np.abs(w).max() or 1.0) * draw.power(rng, -9, 0)
    if lie == "b" and way != "none":
        b = b + (1 + abs(b)) * draw.power(rng, -9, 0)
    return w, b


class Problem:
    """The exact problem: what an answer costs, and what the best one does."""

    def __init__(self, X, y, C, loss, way, epsilon) -> None:
        self.X, self.y, self.C, self.loss, self.way, self.epsilon = X, y, C, loss, way, epsilon

    def cost(self, answer: dict) -> Fraction | None:
        """Return the objective of an answer; None if it is no number."""
        w, b = answer["w"], answer["b"]
        if not np.isfinite([*w, b]).all():
            return None
        w, b = exact(w), Fraction(float(b))
        norm2 = dot(w, w) + (b * b if self.way == "penalised" else 0)
        return norm2 / 2 + self.C * sum(self.losses([dot(w, x) + b for x in self.X]), ZERO)

    def losses(self, f: list) -> list:
        """Return the loss of each score."""
        if self.loss == "logistic":
            return [_softplus(-y * v) for y, v in zip(self.y, f)]
        if self.loss in ("hinge", "squared_hinge"):
            slack = [max(ZERO, 1 - y * v) for y, v in zip(self.y, f)]
        elif self.loss == "squared":
            return [(y - v) ** 2 / 2 for y, v in zip(self.y, f)]
        else:
            slack = [max(ZERO, abs(y - v) - self.epsilon) for y, v in zip(self.y, f)]
        return [s * s for s in slack] if self.loss.startswith("squared") else slack

    def best(self) -> Fraction | None:
        """Return the least objective; None: not found."""
        if self.loss == "logistic":
            return _least_logistic(self)
        K = [[dot(x, z) + (1 if self.way == "penalised" else 0) for z in self.X] for x in self.X]
        free, n = self.way == "free", len(self.y)
        if self.loss in ("hinge", "squared_hinge"):
            squared = self.loss == "squared_hinge"
            return truth.Classification(K, self.y, [self.C] * n, free, squared).best()
        share = {"squared": 1 / self.C, "tube": ZERO, "squared_tube": 1 / (2 * self.C)}[self.loss]
        K = [[v + (share if i == j else 0) for j, v in enumerate(row)] for i, row in enumerate(K)]
        Q = [row + [-v for v in row] for row in K] + [[-v for v in row] + row for row in K]
        width = ZERO if self.loss == "squared" else self.epsilon
        c = [width - y for y in self.y] + [width + y for y in self.y]
        upper = [self.C if self.loss == "tube" else None] * (2 * n)
        even = [Fraction(1)] * n + [Fraction(-1)] * n
        program = Program(Q, c, upper, even if free else None)
        return -program.value(program.minimise([ZERO] * (2 * n)))


def _mp(value: Fraction):
    return mpmath.mpf(value.numerator) / mpmath.mpf(value.denominator)


def _fraction(value) -> Fraction:
    sign, man, exp, _ = value._mpf_
    whole = Fraction(int(man)) * Fraction(2) ** int(exp)
    return -whole if sign else whole


def _softplus(t: Fraction) -> Fraction:
    if abs(t) > 2000:
        return max(t, ZERO)  # to 800 digits
    with mpmath.workdps(DIGITS):
        v = _mp(t)
        soft = mpmath.log1p(mpmath.exp(-abs(v)))
        return _fraction(soft) + max(t, ZERO)


def known(rows, y, prices, loss: str, l2, l1, v: list, size=abs) -> Fraction | None:
    """Return the objective at v if no other point is better by more than `KNOWN`, else None."""
    value = objective(rows, y, prices, loss, l2, l1, v)
    least = floor(rows, y, prices, loss, l2, l1, v, size)
    return value if value - least <= KNOWN * value else None


def objective(rows, y, prices, loss: str, l2, l1, v: list) -> Fraction:
    """Return sum l2 v^2 / 2 + l1 abs(v) + sum C loss(y, row.v)."""
    size = sum((p * t * t / 2 + q * abs(t) for p, q, t in zip(l2, l1, v)), ZERO)
    f = [dot(v, row) for row in rows]
    if loss == "logistic":
        losses = [_softplus(-t * z) for t, z in zip(y, f)]
    elif loss == "squared":
        losses = [(t - z) ** 2 / 2 for t, z in zip(y, f)]
    else:
        losses = [max(ZERO, 1 - t * z) ** 2 for t, z in zip(y, f)]
    return size + dot(prices, losses)


def floor(rows, y, prices, loss: str, l2, l1, v: list, size=abs) -> Fraction:
    """Return a number that no objective is below, by weak duality, from the slopes at v.

    For every u, C loss(f) >= C u f - C loss*(u). The slopes u at v may break what the dual asks,
    by rounding: those of one sign shrink until C.u = 0 if the offset is free, and all of them
    until abs(column.(C u)) <= l1 where nothing else holds the weight. The pull on a weight that may
    not be below 0 counts only where it is above 0: `size` says so.
    """
    with mpmath.workdps(DIGITS):
        u = [_fraction(_bent(loss, _mp(t), _mp(dot(v, row)))[1]) for t, row in zip(y, rows)]
    if any(p == q == 0 for p, q in zip(l2, l1)):
        up = sum((c * s for c, s in zip(prices, u) if s > 0), ZERO)
        down = -sum((c * s for c, s in zip(prices, u) if s < 0), ZERO)
        both = min(up, down)
        u = [s * both / up if s > 0 else s * both / down if s < 0 else s for s in u]
    pulls = [size(-dot(column, [c * s for c, s in zip(prices, u)])) for column in zip(*rows)]
    held = [q / z for p, q, z in zip(l2, l1, pulls) if p == 0 and z > q]
    share = min([Fraction(1), *held])
    lost = [(share * z - q) ** 2 / (2 * p) for p, q, z in zip(l2, l1, pulls) if p and share * z > q]
    conjugates = [_conjugate(loss, t, share * s) for t, s in zip(y, u)]
    return -sum(lost, ZERO) - dot(prices, conjugates)


def _conjugate(loss: str, y: Fraction, u: Fraction) -> Fraction:
    """Return the largest u f - loss(y, f) over all f."""
    if loss == "squared":
        return u * u / 2 + u * y
    q = -u * y
    if loss == "squared_hinge":
        return q * q / 4 - q
    with mpmath.workdps(DIGITS):
        return sum((t * _fraction(mpmath.log(_mp(t))) for t in (q, 1 - q) if t), ZERO)


def least(rows, y, prices, loss: str, l2, slopes) -> list | None:
    """Minimise sum l2 v^2 / 2 + slopes v + sum C loss(y, row.v) by Newton's method.

    Returns v; None if it was not found. How good it is, `known` says.
    """
    with mpmath.workdps(DIGITS):
        rows, d = [[_mp(v) for v in row] for row in rows], len(rows[0])
        y, prices, l2, slopes = ([_mp(Fraction(v)) for v in a] for a in (y, prices, l2, slopes))

        def value(v):
            smooth = sum(p * w * w / 2 + s * w for p, s, w in zip(l2, slopes, v))
            f = [mpmath.fdot(r, v) for r in rows]
            return smooth + sum(c * _bent(loss, t, z)[0] for c, t, z in zip(prices, y, f))

        v = [mpmath.mpf(0)] * d
        for _ in range(300):
            bent = [_bent(loss, t, mpmath.fdot(r, v)) for t, r in zip(y, rows)]
            first = [c * b[1] for c, b in zip(prices, bent)]
            second = [c * b[2] for c, b in zip(prices, bent)]
            g = [p * w + mpmath.fdot(first, col) for p, w, col in zip(l2, v, zip(*rows))]
            H = mpmath.matrix(d, d)
            for j in range(d):
                for k in range(d):
                    H[j, k] = sum(h * r[j] * r[k] for h, r in zip(second, rows))
                H[j, j] += l2[j]
            slope = [a + s for a, s in zip(g, slopes)]
            if max(map(abs, slope)) == 0:
                return [_fraction(w) for w in v]
            try:
                step = mpmath.lu_solve(H, mpmath.matrix([-a for a in slope]))
            except (ZeroDivisionError, TypeError):  # singular: a row, or a column, is 0
                return None
            here, size = value(v), mpmath.mpf(1)
            decrement = -sum(a * s for a, s in zip(slope, step))
            if abs(decrement) <= abs(here) * mpmath.mpf(10) ** (-40):
                return [_fraction(w + s) for w, s in zip(v, step)]
            while value([a + size * s for a, s in zip(v, step)]) > here - size * decrement / 4:
                size /= 2
                if size < mpmath.mpf(10) ** -30:
                    return None
            v = [a + size * s for a, s in zip(v, step)]
    return None


def _bent(loss: str, y, f) -> tuple:
    """Return the loss of a score, and its first and second derivative."""
    if loss == "logistic":
        t = y * f
        small = mpmath.exp(-min(abs(t), mpmath.mpf(2000)))  # beyond that, 0 to 800 digits
        p = small / (1 + small) if t > 0 else 1 / (1 + small)
        return mpmath.log1p(small) + max(-t, 0), -y * p, p * (1 - p)
    if loss == "squared":
        return (y - f) ** 2 / 2, f - y, mpmath.mpf(1)
    short = max(1 - y * f, mpmath.mpf(0))
    return short**2, -2 * y * short, mpmath.mpf(2 if short > 0 else 0)


def _least_logistic(problem: "Problem") -> Fraction | None:
    """Return the least objective of a logistic regression; None: not found."""
    one = [] if problem.way == "none" else [Fraction(1)]
    rows, d = [[*x, *one] for x in problem.X], len(problem.X[0])
    l2 = [1] * d + [int(problem.way == "penalised")] * len(one)
    parts = (rows, problem.y, [problem.C] * len(rows), "logistic", l2)
    found = least(*parts, [0] * len(l2))
    return None if found is None else known(*parts, [0] * len(l2), found)


def compare(
    ledger: Ledger, what: str, judged, problem, answer: dict, tol: float, unit: bool
) -> None:
    """Compare a judgement, its numbers and the answer that it shows with the truth.

    A problem can say what an answer costs, and what the best one does.
    """
    value, best = problem.cost(answer), problem.best()
    if value is None or best is None:
        return
    off = f"{words(value / best - 1)} off" if best else "best 0"
    allowed = (1 + Fraction(tol)) * best
    right = value <= allowed * (1 + KNOWN)
    ledger.verdict(
        f"{what}: {off}", judged.verdict, right=right, tight=value <= allowed * (1 - KNOWN)
    )
    if judged.verdict == "refuted":
        shown = problem.cost(judged.better)
        if shown is None or not value > (1 + Fraction(tol)) * shown * (1 - KNOWN):
            ledger.fail("false refutations", f"{what}: the answer shown is not better")
    numbers(ledger, f"{what}: {off}", judged, value, best)
    if unit and best and value <= (1 + Fraction(tol) / 2) * best:
        ledger.ordinary(what, judged.verdict == "proved")


def numbers(ledger: Ledger, what: str, judged, value: Fraction, best: Fraction) -> None:
    """The bound is below the best, and the best is between what `excess` and `gap` say."""
    if np.isfinite(judged.bound) and Fraction(judged.bound) > best * (1 + KNOWN):
        ledger.fail("false proofs", f"{what}: the bound {judged.bound:g} is above the best")
    if np.isfinite(judged.gap) and value > best * (1 + Fraction(judged.gap)) * (1 + KNOWN):
        ledger.fail("false proofs", f"{what}: the gap {judged.gap:g} is too small")
    if value < best * (1 + Fraction(judged.excess)) * (1 - KNOWN):
        ledger.fail("false refutations", f"{what}: the excess {judged.excess:g} is too large")
