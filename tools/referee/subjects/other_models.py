"""Models of another form, handed to `certify`: kernels, l1, softmax, clusters, perceptrons.

A model is an object of scikit-learn whose fields are filled in here. What it minimises is stated
here anew, from scikit-learn's documentation; what it costs and what the best costs is computed in
fractions or with 60 digits.
"""

from fractions import Fraction
from functools import cached_property
from itertools import product

import mpmath
import numpy as np
from sklearn.cluster import KMeans
from sklearn.linear_model import ElasticNet, Lasso, LogisticRegression, Perceptron
from sklearn.svm import LinearSVC

from lectures_lib import certify
from tools.referee import draw, truth
from tools.referee.ledger import Ledger
from tools.referee.rational import ZERO, Program, dot, exact, is_psd
from tools.referee.subjects import models, svm_certificate
from tools.referee.subjects.models import DIGITS, KNOWN, _fraction, _mp, compare, least

TOLERANCES = (1e-2, 1e-3, 1e-6)


def filled(model, X: np.ndarray, **fields):
    """Return a model that says of itself that it was trained on X."""
    model.n_features_in_ = X.shape[1]
    for name, value in fields.items():
        setattr(model, name, value)
    return model


def targets(rng: np.random.Generator, X: np.ndarray) -> np.ndarray:
    """Return the targets of a regression."""
    y = rng.normal(size=len(X)).round(3) * draw.power(rng, -2, 2)
    return y + (draw.power(rng, 2, 7) if rng.random() < 0.2 else 0.0)


# --- kernels ---------------------------------------------------------------------------------


class KernelProblem:
    """f = K coef + b with a free offset; an answer is {"coef", "b"}."""

    def __init__(self, K, y, C: Fraction, loss: str, epsilon: float) -> None:
        self.K, self.y, self.C, self.loss, self.epsilon = K, y, C, loss, Fraction(epsilon)
        n = len(K)
        symmetric = all(K[i][j] == K[j][i] for i in range(n) for j in range(i))
        self.valid = symmetric and is_psd(K)

    def cost(self, answer: dict) -> Fraction | None:
        """Return the objective of an answer; None if it is no number."""
        coef, b = answer["coef"], answer["b"]
        if not np.isfinite([*coef, b]).all():
            return None
        found = truth.kernel_answer(self.K, exact(coef), Fraction(float(b)))
        if self.loss == "hinge":
            xi = [max(ZERO, 1 - y * f) for y, f in zip(self.y, found.f)]
        else:
            xi = [max(ZERO, abs(y - f) - self.epsilon) for y, f in zip(self.y, found.f)]
        return found.norm2 / 2 + self.C * sum(xi, ZERO)

    def best(self) -> Fraction:
        """Return the least objective."""
        n = len(self.y)
        if self.loss == "hinge":
            return truth.Classification(self.K, self.y, [self.C] * n).best()
        Q = [row + [-v for v in row] for row in self.K]
        Q += [[-v for v in row] + row for row in self.K]
        c = [self.epsilon - y for y in self.y] + [self.epsilon + y for y in self.y]
        program = Program(Q, c, [self.C] * 2 * n, [Fraction(1)] * n + [Fraction(-1)] * n)
        return -program.value(program.minimise([ZERO] * (2 * n)))


def kernels(rng: np.random.Generator, ledger: Ledger) -> None:
    """`certify.kernel_svm`: multipliers of a given K, right, tampered with, or of no kernel."""
    K, y = svm_certificate.whole_gram(rng)
    unit = bool(np.abs(K).max() < 1e3)
    C, tol = draw.cost(rng, unit), float(rng.choice(TOLERANCES))
    loss = "tube" if rng.random() < 0.4 else "hinge"
    epsilon = float(rng.choice([0.0, 0.1, 1.0])) if loss == "tube" else 0.0
    y = y if loss == "hinge" else targets(rng, K)
    options = {"loss": loss, "epsilon": epsilon, "tol": tol}
    what = f"certify.kernel_svm {loss} C={C:.3g} tol={tol:g}"
    first = ledger.call(what, certify.kernel_svm, np.zeros(len(y)), 0.0, K, y, C, **options)
    if first is None:
        return
    coef = np.array(first.better.get("coef", np.zeros(len(y))))
    alpha, b = coef * (y if loss == "hinge" else 1.0), float(first.better.get("b", 0.0))
    name = str(rng.choice(["none", "none", "one alpha", "one alpha moved", "b", "all alphas",
                           "unbalanced", "zero", "swapped", "indefinite"]))  # fmt: skip
    K, _, alpha, b = svm_certificate.LIES[name](rng, K, np.where(y > 0, 1.0, -1.0), alpha, b)
    judged = ledger.call(what, certify.kernel_svm, alpha, b, K, y, C, **options)
    if judged is None:
        return
    problem = KernelProblem(exact(K), exact(y), Fraction(C), loss, epsilon)
    if not problem.valid:
        ledger.verdict(f"{what}: K is none", judged.verdict, right=False)
        return
    answer = {"coef": alpha * (y if loss == "hinge" else 1.0), "b": b}
    compare(ledger, f"{what} lie={name}", judged, problem, answer, tol, unit)


# --- l1 --------------------------------------------------------------------------------------


class L1Problem:
    """sum l2 w^2 / 2 + l1 abs(w) + prices loss; an offset is free, or the last penalised weight.

    Where no weight may be below 0 (`positive`), the offset may.
    """

    def __init__(self, X, y, prices, loss, l2, l1, offset, *, positive: bool = False) -> None:
        self.offset, self.positive = offset, positive
        self.rows = X if offset == "none" else [[*x, Fraction(1)] for x in X]
        d, last = len(X[0]), {"free": [ZERO], "penalised": None, "none": []}[offset]
        self.l2 = [l2] * d + ([l2] if last is None else last)
        self.l1 = [l1] * d + ([l1] if last is None else last)
        self.parts: list = [self.rows, y, prices, loss, self.l2, self.l1]
        self.signs: list = []

    def cost(self, answer: dict) -> Fraction | None:
        """Return the objective of an answer; None if it is no number."""
        w = [*answer["w"], *([] if self.offset == "none" else [answer["b"]])]
        if not np.isfinite(np.array(w, float)).all():
            return None
        w = exact(np.array(w, float))
        self.signs = [0 if abs(v) <= max(map(abs, w)) / 10**6 else 1 if v > 0 else -1 for v in w]
        return models.objective(*self.parts, w)

    def best(self) -> Fraction | None:
        """Return the least objective: of all signs of the weights, those that duality proves."""
        choices = (0, 1) if self.positive else (0, 1, -1)
        held = [*[True] * len(self.signs)] if self.positive else self.l1
        if self.positive and self.offset == "free":
            held[-1] = False
        every = product(*[choices if q else (1,) for q in held])
        guess = tuple(s if q else 1 for s, q in zip(self.signs, held))
        size = (lambda pull: max(pull, ZERO)) if self.positive else abs
        for signs in (guess, *every):
            w = self._with(signs)
            if w is None or self.below_zero(w):
                continue
            value = models.known(*self.parts, w, size)
            if value is not None:
                return value
        return None

    def below_zero(self, w) -> bool:
        """Return whether a weight is below 0 that may not be."""
        weights = w[:-1] if self.offset == "free" else w
        return self.positive and min(weights, default=0) < 0

    def _with(self, signs: tuple) -> list | None:
        """Return the best weights if those have these signs; None: not found."""
        on = [j for j, s in enumerate(signs) if s]
        w = [ZERO] * len(signs)
        if on:
            rows = [[row[j] for j in on] for row in self.rows]
            l2, slopes = [self.l2[j] for j in on], [signs[j] * self.l1[j] for j in on]
            found = least(rows, *self.parts[1:4], l2, slopes)
            if found is None:
                return None
            for j, v in zip(on, found):
                w[j] = v
        return w


def l1(rng: np.random.Generator, ledger: Ledger) -> None:
    """Lasso, ElasticNet, and classifiers with an l1 penalty."""
    data = draw.examples(rng, 5, 2)
    name, tol = str(rng.choice(list(L1_MODELS))), float(rng.choice(TOLERANCES))
    strength = draw.cost(rng, data.unit)
    make, loss, offset, ratio = L1_MODELS[name]
    labels = loss != "squared"
    X, y, n = data.X, data.y if labels else targets(rng, data.X), len(data.y)
    if labels:
        prices, unit = [Fraction(strength)] * n, Fraction(1)
    else:
        prices, unit = [Fraction(1, n)] * n, Fraction(strength)
    penalties = (unit * Fraction(1 - ratio), unit * Fraction(ratio))
    made = make(strength)
    positive = not labels and made.positive
    problem = L1Problem(exact(X), exact(y), prices, loss, *penalties, offset, positive=positive)
    what = f"{name} {strength:.3g} tol={tol:g} [{data.kind}]"

    def judged(w, b):
        fields = {"coef_": w, "intercept_": b} if not labels else {
            "coef_": w[None], "intercept_": np.array([b]), "classes_": np.array([-1.0, 1.0])
        }  # fmt: skip
        model = filled(make(strength), X, **fields)
        return ledger.call(what, certify.certify, model, X, y, tol=tol)

    first = judged(np.zeros(X.shape[1]), 0.0)
    if first is None:
        return
    w, b = models.tampered(rng, first, X.shape[1], offset)
    if positive and rng.random() < 0.3:
        w[np.argmin(w)] = -(np.abs(w).max() or 1.0) * draw.power(rng, -9, 0)
    again = judged(w, b)
    if again is None:
        return
    if problem.below_zero([*w, b] if offset == "free" else w):
        ledger.verdict(f"{what}: a weight below 0", again.verdict, right=False)
        return
    compare(ledger, what, again, problem, {"w": w, "b": b}, tol, data.unit)


#: name: the model for its alpha or C, the loss, the offset, and the share of l1.
L1_MODELS = {
    "Lasso": (lambda a: Lasso(alpha=a), "squared", "free", 1.0),
    "Lasso, no offset": (lambda a: Lasso(alpha=a, fit_intercept=False), "squared", "none", 1.0),
    "ElasticNet": (lambda a: ElasticNet(alpha=a, l1_ratio=0.25), "squared", "free", 0.25),
    "Lasso from 0 up": (lambda a: Lasso(alpha=a, positive=True), "squared", "free", 1.0),
    "ElasticNet from 0 up": (
        lambda a: ElasticNet(alpha=a, l1_ratio=0.25, positive=True, fit_intercept=False),
        "squared", "none", 0.25),
    "ElasticNet without l1, from 0 up": (
        lambda a: ElasticNet(alpha=a, l1_ratio=0.0, positive=True), "squared", "free", 0.0),
    "LinearSVC l1": (
        lambda C: LinearSVC(C=C, penalty="l1", dual=False), "squared_hinge", "penalised", 1.0),
    "liblinear l1": (
        lambda C: LogisticRegression(C=C, l1_ratio=1.0, solver="liblinear"),
        "logistic", "penalised", 1.0),
    "saga l1": (
        lambda C: LogisticRegression(C=C, l1_ratio=1.0, solver="saga"), "logistic", "free", 1.0),
    "saga half": (
        lambda C: LogisticRegression(C=C, l1_ratio=0.5, solver="saga"), "logistic", "free", 0.5),
}  # fmt: skip


def _exp(t):
    """Return exp(t) of a t below 0; to 800 digits."""
    return mpmath.exp(max(t, mpmath.mpf(-2000)))


# --- several classes ---------------------------------------------------------------------------


class SoftmaxProblem:
    """half norm(W)^2 + C sum (log sum_k exp f_k - f_y); an answer is {"w": (k, d), "b": (k,)}."""

    def __init__(self, X, codes, C: float, k: int, *, offset: bool) -> None:
        self.X, self.codes, self.C, self.k, self.offset = X, codes, Fraction(C), k, offset

    def cost(self, answer: dict) -> Fraction | None:
        """Return the objective of an answer; None if it is no number."""
        if not (np.isfinite(answer["w"]).all() and np.isfinite(answer["b"]).all()):
            return None
        return self.objective(exact(answer["w"]), exact(answer["b"]))

    def objective(self, W, b) -> Fraction:
        """Return the objective of weights and offsets that are fractions."""
        total = sum((dot(w, w) for w in W), ZERO) / 2
        for x, own in zip(self.X, self.codes):
            f = [dot(w, x) + c for w, c in zip(W, b)]
            top = max(f)
            with mpmath.workdps(DIGITS):
                soft = mpmath.log(sum(_exp(_mp(v - top)) for v in f))
            total += self.C * (_fraction(soft) + top - f[own])
        return total

    def best(self) -> Fraction | None:
        """Return the least objective; None if none is proved to be the least, but for `KNOWN`."""
        found = self._newton()
        if found is None:
            return None
        value, floor = self.objective(*found), self.floor(*found)
        return value if value - floor <= KNOWN * value else None

    def floor(self, W, b) -> Fraction:
        """Return a number that no objective is below, by weak duality, from probabilities at W, b.

        For rows p of sum 1 no answer costs less than C sum H(p) - norm(V)^2 / 2, where V is
        C sum (e_y - p) x; a free offset asks for sum (e_y - p) = 0. Both are made true exactly:
        a row's largest entry is 1 less the others, and a class that gets too much hands it on.
        """
        rows = []
        for x in self.X:
            f = [dot(w, x) + c for w, c in zip(W, b)]
            with mpmath.workdps(DIGITS):
                e = [_exp(_mp(v - max(f))) for v in f]
                p = [_fraction(t / sum(e)) for t in e]
            top = p.index(max(p))
            p[top] += 1 - sum(p, ZERO)
            rows.append(p)
        if self.offset:
            self._even(rows)
        if min(map(min, rows)) < 0:
            return ZERO
        norm2 = ZERO
        for a in range(self.k):
            pull = [(own == a) - p[a] for own, p in zip(self.codes, rows)]
            v = [self.C * dot(pull, column) for column in zip(*self.X)]
            norm2 += dot(v, v)
        with mpmath.workdps(DIGITS):
            entropy = sum((-t * _fraction(mpmath.log(_mp(t))) for p in rows for t in p if t), ZERO)
        return self.C * entropy - norm2 / 2

    def _even(self, rows: list) -> None:
        """Let every class get as much as it has examples: what is too much goes to class 0."""
        for a in range(1, self.k):
            much = sum((p[a] for p in rows), ZERO) - self.codes.count(a)
            source, sink = (a, 0) if much > 0 else (0, a)
            row = max(rows, key=lambda p, of=source: p[of])
            row[source] -= abs(much)
            row[sink] += abs(much)

    def _newton(self) -> tuple[list, list] | None:
        """Return weights and offsets by Newton's method; the last class has no offset."""
        d = len(self.X[0]) + self.offset
        with mpmath.workdps(DIGITS):
            rows = [[_mp(v) for v in x] + [mpmath.mpf(1)] * self.offset for x in self.X]
            C, size = _mp(self.C), self.k * d
            fixed = [size - 1] if self.offset else []
            free = [i for i in range(size) if i not in fixed]
            penalty = [mpmath.mpf(0 if self.offset and i % d == d - 1 else 1) for i in range(size)]

            def scores(v):
                return [[mpmath.fdot(r, v[a * d : a * d + d]) for a in range(self.k)] for r in rows]

            def value(v):
                soft = sum(
                    mpmath.log(sum(_exp(t - max(f)) for t in f)) + max(f) - f[own]
                    for f, own in zip(scores(v), self.codes)
                )
                return sum(p * w * w for p, w in zip(penalty, v)) / 2 + C * soft

            v = [mpmath.mpf(0)] * size
            for _ in range(200):
                g, H = self._system(rows, scores(v), C, penalty, v, d)
                H = mpmath.matrix([[H[i][j] for j in free] for i in free])
                try:
                    step = mpmath.lu_solve(H, mpmath.matrix([-g[i] for i in free]))
                except ZeroDivisionError:
                    return None
                whole = [mpmath.mpf(0)] * size
                for i, s in zip(free, step):
                    whole[i] = s
                here, far = value(v), mpmath.mpf(1)
                decrement = -mpmath.fdot(g, whole)
                if abs(decrement) <= here * mpmath.mpf(10) ** (-40):
                    return self._split([_fraction(a + s) for a, s in zip(v, whole)], d)
                while value([a + far * s for a, s in zip(v, whole)]) > here - far * decrement / 4:
                    far /= 2
                    if far < mpmath.mpf(10) ** -30:
                        return None
                v = [a + far * s for a, s in zip(v, whole)]
        return None

    def _split(self, v: list, d: int) -> tuple[list, list]:
        """Return weights and offsets of a vector that holds them class after class."""
        parts = [v[a * d : a * d + d] for a in range(self.k)]
        if not self.offset:
            return parts, [ZERO] * self.k
        return [part[:-1] for part in parts], [part[-1] for part in parts]

    def _system(self, rows, scores, C, penalty, v, d) -> tuple[list, list]:
        """Return gradient and second derivatives."""
        size = self.k * d
        g = [p * w for p, w in zip(penalty, v)]
        H = [[penalty[i] if i == j else mpmath.mpf(0) for j in range(size)] for i in range(size)]
        for row, f, own in zip(rows, scores, self.codes):
            e = [_exp(t - max(f)) for t in f]
            p = [t / sum(e) for t in e]
            for a in range(self.k):
                for i in range(d):
                    g[a * d + i] += C * (p[a] - (a == own)) * row[i]
                for c in range(self.k):
                    bend = C * p[a] * ((a == c) - p[c])
                    for i in range(d):
                        for j in range(d):
                            H[a * d + i][c * d + j] += bend * row[i] * row[j]
        return g, H


def several(rng: np.random.Generator, ledger: Ledger) -> None:
    """LogisticRegression of three classes."""
    X, kind, unit = draw.points(rng, 4, 6, 2)
    codes = np.append(np.arange(3), rng.integers(3, size=len(X) - 3))
    C, tol = draw.cost(rng, unit), float(rng.choice(TOLERANCES))
    offset = bool(rng.random() < 0.6)
    if rng.random() < 0.2:  # each example has a feature of its own: others get 1e-16 or less
        X, codes, kind, unit = np.diag(10 ** rng.uniform(-1, 1, 3)), np.arange(3), "certain", False
        C, offset = draw.power(rng, 15, 19), False
    what = f"softmax C={C:.3g} offset={offset} tol={tol:g} [{kind}]"

    def judged(W, b):
        fields = {"coef_": W, "intercept_": b, "classes_": np.arange(3)}
        model = filled(LogisticRegression(C=C, fit_intercept=offset), X, **fields)
        return ledger.call(what, certify.certify, model, X, codes, tol=tol)

    first = judged(np.zeros((3, X.shape[1])), np.zeros(3))
    if first is None:
        return
    W = np.array(first.better.get("w", np.zeros((3, X.shape[1]))))
    b = np.array(first.better.get("b", np.zeros(3)), dtype=float)
    lie = str(rng.choice(["none", "none", "weights", "one", "b", "all b"]))
    if lie == "weights":
        W = W * (1 + draw.power(rng, -9, 0) * rng.choice([-1.0, 1.0]))
    if lie == "one":
        W[rng.integers(3), rng.integers(W.shape[1])] += (np.abs(W).max() or 1) * draw.power(
            rng, -9, 0
        )
    if lie == "b" and offset:
        b[rng.integers(3)] += (1 + np.abs(b).max()) * draw.power(rng, -9, 0)
    if lie == "all b" and offset:
        b = b + draw.power(rng, -3, 3)  # the same model, but for rounding
    again = judged(W, b)
    if again is not None:
        problem = SoftmaxProblem(exact(X), codes.tolist(), C, 3, offset=offset)
        compare(ledger, f"{what} lie={lie}", again, problem, {"w": W, "b": b}, tol, unit)


# --- clusters and separators -------------------------------------------------------------------


class ClusterProblem:
    """The weighted squared distances to the nearest of k centres; an answer is {"centres"}."""

    def __init__(self, X, k: int, weights) -> None:
        self.X, self.k, self.weights = X, k, weights

    def cost(self, answer: dict) -> Fraction | None:
        """Return the objective of an answer."""
        centres = exact(answer["centres"])
        return dot(self.weights, [min(_distance(x, c) for c in centres) for x in self.X])

    @cached_property
    def partition(self) -> tuple[Fraction, tuple]:
        """The least objective of all partitions, and one that has it."""
        every = (own for own in product(range(self.k), repeat=len(self.X) - 1))
        return min((self._within((0, *own)), (0, *own)) for own in every)

    def best(self) -> Fraction:
        """Return the least objective."""
        return self.partition[0]

    def _within(self, own: tuple) -> Fraction:
        means = self.means(own)
        return dot(self.weights, [_distance(x, means[o]) for x, o in zip(self.X, own)])

    def means(self, own: tuple) -> dict:
        """Return the mean of each cluster."""
        found = {}
        for k in set(own):
            share = [s if o == k else ZERO for s, o in zip(self.weights, own)]
            found[k] = [dot(share, column) / sum(share, ZERO) for column in zip(*self.X)]
        return found


def _distance(x, c) -> Fraction:
    return sum(((a - b) ** 2 for a, b in zip(x, c)), ZERO)


def clusters(rng: np.random.Generator, ledger: Ledger) -> None:
    """KMeans: the best centres of few points, tampered with, or some points themselves."""
    X, kind, unit = draw.points(rng, 3, 6, 2)
    k, tol = int(rng.integers(1, min(3, len(X)) + 1)), float(rng.choice([0.01, 0.5, 3.0]))
    weights = 10 ** rng.uniform(-3, 3, len(X)) if rng.random() < 0.4 else np.ones(len(X))
    problem = ClusterProblem(exact(X), k, exact(weights))
    centres = X[rng.choice(len(X), k, replace=False)]
    if rng.random() < 0.6:
        for j, mean in problem.means(problem.partition[1]).items():
            centres[j] = [float(v) for v in mean]
    if rng.random() < 0.4:
        centres = centres + np.abs(centres).max() * draw.power(rng, -9, 0) * rng.normal(
            size=centres.shape
        )
    labels = np.argmin([((X - c) ** 2).sum(axis=1) for c in centres], axis=0)
    model = filled(KMeans(k), X, cluster_centers_=centres, labels_=labels.astype(np.int32))
    what = f"KMeans k={k} tol={tol:g} [{kind}]"
    judged = ledger.call(what, certify.certify, model, X, tol=tol, sample_weight=weights)
    if judged is not None:
        unit = unit and k == 1 and np.ptp(weights) == 0
        compare(ledger, what, judged, problem, {"centres": centres}, tol, unit)


def separators(rng: np.random.Generator, ledger: Ledger) -> None:
    """Perceptron: does it separate, and does the separator that is shown?"""
    data, offset = draw.examples(rng, 7, 2), bool(rng.random() < 0.5)
    w, b = rng.normal(size=data.X.shape[1]), float(rng.normal()) if offset else 0.0
    what = f"Perceptron offset={offset} [{data.kind}]"

    def judged(w, b):
        fields = {"coef_": w[None], "intercept_": np.array([b]), "classes_": np.array([-1.0, 1.0])}
        model = filled(Perceptron(fit_intercept=offset), data.X, **fields)
        return ledger.call(what, certify.certify, model, data.X, data.y)

    def mistakes(w, b):
        w, b = exact(w), Fraction(float(b))
        return sum(y * (dot(w, x) + b) <= 0 for x, y in zip(exact(data.X), exact(data.y)))

    found = judged(w, b)
    if found is not None and found.better and rng.random() < 0.5:
        w, b = np.array(found.better["w"]), found.better["b"]
        found = judged(w, b)
    if found is None:
        return
    wrong = mistakes(w, b)
    ledger.verdict(f"{what}: {wrong} mistakes", found.verdict, right=wrong == 0)
    if found.verdict == "refuted" and mistakes(found.better["w"], found.better["b"]) > 0:
        ledger.fail("false refutations", f"{what}: the answer shown does not separate")
    if data.unit and wrong == 0:
        ledger.ordinary(what, found.verdict == "proved")
