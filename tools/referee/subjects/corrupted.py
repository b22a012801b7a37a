"""Answers of regressions and components that were tampered with, handed to their certificates.

The Gram matrices are whole numbers: what the certificate is given is exactly what is judged.
"""

from fractions import Fraction
from functools import partial

import numpy as np

from lectures_lib import kernel_methods
from tools.referee import api, draw, truth
from tools.referee.ledger import Ledger
from tools.referee.rational import ZERO, Matrix, dot, exact, is_psd
from tools.referee.subjects import kernel_validity, regressions, svm_certificate

LIES = ("none", "one entry", "all", "b", "zero", "nan", "asymmetric", "indefinite")


def tampered(rng, name: str, K: np.ndarray, v: np.ndarray, b: float) -> tuple:
    """Return (K, coefficients, b) after one of the lies."""
    v = v.copy()
    size = np.abs(v).max() or 1.0
    if name in ("asymmetric", "indefinite"):
        ones = np.ones(len(v))
        lie = svm_certificate.LIES[name]
        return lie(rng, K, ones, v, b)[0], v, b
    if name == "one entry":
        v[rng.integers(len(v))] += size * draw.power(rng, -12, 1)
    if name == "all":
        v *= 1 + draw.power(rng, -9, 0)
    if name == "nan":
        v[rng.integers(len(v))] = np.nan
    if name == "b":
        b = b + (1 + abs(b)) * draw.power(rng, -12, 1)
    if name == "zero":
        v *= 0
    return K, v, b


def is_gram(K: np.ndarray) -> bool:
    """Return whether a matrix of floats is symmetric and positive semi-definite, exactly."""
    Q = exact(K)
    return kernel_validity.symmetric(Q) and is_psd(Q)


def svr(rng: np.random.Generator, ledger: Ledger) -> None:
    """Hand `svr_certificate` a tube, right or wrong."""
    K, _ = svm_certificate.whole_gram(rng)
    y = regressions.targets(rng, K)
    C, epsilon = draw.cost(rng, bool(rng.random() < 0.5)), float(rng.choice([0.0, 0.1, 1.0]))
    beta, b = best_tube(exact(K), exact(y), Fraction(C), Fraction(epsilon))
    name = str(rng.choice(LIES))
    K, beta, b = tampered(rng, name, K, beta, b)
    exactly = bool(rng.random() < 0.3)
    what = f"svr_certificate C={C:.3g} epsilon={epsilon:g} lie={name} exact={exactly}"
    judge, legal = kernel_methods.svr_certificate, name not in ("nan", "asymmetric", "indefinite")
    proof = ledger.call(what, judge, K, y, C, epsilon, beta, b, exact=exactly, legal=legal)
    if proof is None:
        return
    tight = False
    right = bool(np.isfinite(beta).all() and is_gram(K) and np.abs(beta).max() <= C)
    if right:
        answer = truth.kernel_answer(exact(K), exact(beta), Fraction(b))
        value = regressions.tube_cost(answer, exact(y), Fraction(C), Fraction(epsilon))
        best = regressions.tube_best(exact(K), exact(y), Fraction(C), Fraction(epsilon))
        allowed = regressions.tube_allowance(best, exact(y), Fraction(C))
        right = value - best <= allowed
        bound = regressions.tube_bound(exact(K), exact(y), Fraction(epsilon), exact(beta))
        tight = bound is not None and value - bound <= allowed
    ledger.verdict(what, api.verdict(proof), right=right, tight=right and tight)


def best_tube(K: Matrix, y, C: Fraction, epsilon: Fraction) -> tuple[np.ndarray, float]:
    """Return the best beta and b, rounded once."""
    program = regressions.tube_program(K, y, C, epsilon)
    n = len(y)
    x = program.minimise([ZERO] * (2 * n))
    ends = [v for v in program.prices(x) if v is not None]
    limit = float(C)
    beta = [min(max(float(x[i] - x[n + i]), -limit), limit) for i in range(n)]
    return np.array(beta), float(sum(ends) / len(ends))


def ridge(rng: np.random.Generator, ledger: Ledger) -> None:
    """Hand `ridge_certificate` a solution, right or wrong."""
    K, _ = svm_certificate.whole_gram(rng)
    y, penalty = regressions.targets(rng, K), draw.power(rng, -3, 3)
    offset = bool(rng.random() < 0.5)
    yq, rate = exact(y), Fraction(penalty)
    weights = regressions.weights(rng, len(K))
    s = [Fraction(1)] * len(K) if weights is None else exact(weights)
    alpha, b = regressions.ridge_solution(exact(K), yq, rate, offset, s)
    name = str(rng.choice(LIES))
    if name == "b" and not offset:
        return
    floats = np.array([float(v) for v in alpha])
    K, floats, b = tampered(rng, name, K, floats, float(b))
    what = f"ridge_certificate penalty={penalty:.3g} offset={offset} lie={name}"
    given = (K, y, penalty, floats, b if offset else None)
    legal = name not in ("nan", "asymmetric", "indefinite")
    judge = partial(kernel_methods.ridge_certificate, weights=weights)
    proof = ledger.call(what, judge, *given, legal=legal)
    if proof is None:
        return
    right = bool(np.isfinite(floats).all() and is_gram(K))
    if right:
        answer = truth.kernel_answer(exact(K), exact(floats), Fraction(b))
        value = regressions.ridge_value(answer, yq, rate, s)
        best = regressions.ridge_best(exact(K), yq, rate, offset, s)
        right = value - best <= regressions.RIDGE * regressions.trivial(yq, offset, s)
    ledger.verdict(what, api.verdict(proof), right=right, tight=right and name == "none")


def components(rng: np.random.Generator, ledger: Ledger) -> None:
    """Hand `pca_certificate` an eigenpair: the first, the last, or one that was bent."""
    K, _ = svm_certificate.whole_gram(rng)
    H = regressions.centred(exact(K))
    total = sum((H[i][i] for i in range(len(H))), ZERO)
    if total == 0:
        return
    values, V = np.linalg.eigh(np.array([[float(v) for v in row] for row in H]))
    name = str(rng.choice(["none", "value", "vector", "another", "nan"]))
    value, v = float(values[-1]), V[:, -1].copy()
    if name == "another":
        value, v = float(values[-2]), V[:, -2].copy()
    if name == "value":
        value *= 1 + draw.power(rng, -5, 0)
    if name == "vector":
        v += draw.power(rng, -4, 0) * rng.normal(size=len(v))
    if name == "nan":
        v[0] = np.nan
    what, judge = f"pca_certificate lie={name}", kernel_methods.pca_certificate
    legal = name == "none" or name == "another"
    with np.errstate(all="ignore"):
        proof = ledger.call(what, judge, K, np.array([value]), v[:, None], legal=legal)
    if proof is None:
        return
    right = name != "nan" and leading(H, total, Fraction(value), exact(v))
    ledger.verdict(what, api.verdict(proof), right=right, tight=right and name == "none")


def leading(H: Matrix, total: Fraction, value: Fraction, v) -> bool:
    """Return whether this is a unit eigenvector of the largest eigenvalue, to six digits."""
    image = [dot(row, v) for row in H]
    residual = max(abs(a - value * b) for a, b in zip(image, v))
    near = regressions.SAME * total
    most = regressions.largest_eigenvalue(H)
    unit = abs(dot(v, v) - 1) <= regressions.SAME
    return bool(unit and residual <= near and abs(value - most) <= near)
