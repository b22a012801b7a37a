"""`svm.certificate` itself: honest answers and corrupted ones, on exact Gram matrices."""

from fractions import Fraction

import numpy as np

from tools.referee import api, draw, truth
from tools.referee.ledger import Ledger
from tools.referee.rational import dot, exact, is_psd


def case(rng: np.random.Generator, ledger: Ledger) -> None:
    """Hand the certificate an answer, right or wrong, and compare its verdict with the truth."""
    K, y = whole_gram(rng)
    C, offset = draw.cost(rng, bool(rng.random() < 0.5)), bool(rng.random() < 0.7)
    loss = "squared_hinge" if rng.random() < 0.3 else "hinge"
    if rng.random() < 0.1:
        C, loss = np.inf, "hinge"
    cost = None if C == np.inf else Fraction(C)
    problem = truth.Classification(exact(K), exact(y), [cost] * len(y), offset, loss != "hinge")
    found = best_pair(problem)
    if found is None:
        return
    name = str(rng.choice(list(LIES)))
    K, y, alpha, b = LIES[name](rng, K, y, *found)
    tol = float(rng.choice([1e-2, 1e-4, 1e-6, 1e-8]))
    options = {"offset": offset, "loss": loss, "tol": tol, "exact": bool(rng.random() < 0.3)}
    what = f"svm.certificate C={C:.3g} {loss} offset={offset} tol={tol:g} lie={name}"
    legal = name not in ("nan in alpha", "nan in b", "nan in K", "infinite alpha", "asymmetric")
    with np.errstate(all="ignore"):
        said = ledger.call(what, api.svm_certificate, K, y, C, alpha, b, legal=legal, **options)
    if said is not None:
        right, tight = truth_of(K, y, cost, alpha, b, tol, offset, loss)
        ledger.verdict(what, said.verdict, right=right, tight=tight)
        if name == "none" and right and tight and np.isfinite(C) and 1e-2 <= C <= 1e2:
            ledger.ordinary(what, said.verdict == "proved")


def whole_gram(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return a Gram matrix of whole numbers, as exact as they are, and labels."""
    n, d = int(rng.integers(2, 8)), int(rng.integers(1, 4))
    X = rng.integers(-5, 6, size=(n, d)).astype(float)
    if rng.random() < 0.4:
        X += np.round(draw.power(rng, 1, 6))
    K = X @ X.T
    if np.abs(X).max() < 100 and rng.random() < 0.3:
        K = (1.0 + K) ** 2
    return K, draw.labels(rng, X)


def best_pair(problem: truth.Classification) -> tuple[np.ndarray, float] | None:
    """Return the best alpha and b, rounded once; None if there is no separator."""
    alpha = problem.solution()
    if alpha is None:
        return None
    ends = [v for v in problem.program.prices(alpha) if v is not None]
    b = float(sum(ends) / len(ends)) if problem.offset else 0.0
    top = problem.costs[0]
    floats = [float(a) for a in alpha]
    if top is not None and not problem.squared:
        floats = [min(a, float(top)) for a in floats]
    return np.array(floats), b


def truth_of(K, y, cost, alpha, b, tol, offset, loss) -> tuple[bool, bool]:
    """Return whether the answer is within tol of the best, and whether it proves it itself."""
    if not (np.isfinite(K).all() and np.isfinite(alpha).all() and np.isfinite(b)):
        return False, False
    Kq, yq, a = exact(K), exact(y), exact(alpha)
    if any(Kq[i][j] != Kq[j][i] for i in range(len(y)) for j in range(i)) or not is_psd(Kq):
        return False, False
    problem = truth.Classification(Kq, yq, [cost] * len(y), offset, loss != "hinge")
    answer = truth.kernel_answer(Kq, [v * s for v, s in zip(a, yq)], Fraction(float(b)))
    if not problem.in_box(a):
        return False, False
    right = truth.within(problem.primal(answer), problem.best(alpha.tolist()), tol)
    return right, right and truth.tight(problem, answer, a, tol)


def _one(rng, v, f):
    v = v.copy()
    i = rng.integers(len(v))
    v[i] = f(v[i])
    return v


def _unbalanced(rng, K, y, alpha, b):
    """An imbalance far from the origin raises the dual by b times it: the classic false proof."""
    factor = 1.0 - draw.power(rng, -9, -1)
    return K, y, np.where(y == rng.choice([-1.0, 1.0]), factor * alpha, alpha), b


def _norm_gone(rng, K, y, alpha, b):
    """Make w = 0 along the first example by shrinking one class."""
    beta = alpha * y
    up, down = (K[0] * beta)[y > 0].sum(), -(K[0] * beta)[y < 0].sum()
    factor = min(down / up, 1.0) if up > 0 and down > 0 else 1.0
    return K, y, np.where(y > 0, factor * alpha, alpha), b * float(rng.choice([0.0, 1.0]))


def _swapped(rng, K, y, alpha, b):
    i, j = rng.integers(len(y), size=2)
    alpha = alpha.copy()
    alpha[[i, j]] = alpha[[j, i]]
    return K, y, alpha, b


def _asymmetric(rng, K, y, alpha, b):
    K = K.copy()
    i, j = rng.choice(len(y), size=2, replace=False)
    K[i, j] += draw.power(rng, -6, 1) * (1 + np.abs(K).max())
    return K, y, alpha, b


def _indefinite(rng, K, y, alpha, b):
    v = rng.integers(-3, 4, size=len(y)).astype(float)
    v[rng.integers(len(y))] = 3.0
    size = max(1.0, np.round(draw.power(rng, 0, 2) * np.abs(K).max() / dot(v, v)))
    return K - size * np.outer(v, v), y, alpha, b


def _flipped(rng, K, y, alpha, b):
    y = _one(rng, y, lambda v: -v)
    if abs(y.sum()) == len(y):
        y[0] = -y[0]
    return K, y, alpha, b


LIES = {
    "none": lambda rng, *it: it,
    "one alpha": lambda rng, K, y, a, b: (
        K, y, _one(rng, a, lambda v: v * (1 + draw.power(rng, -14, 0))), b),
    "one alpha moved": lambda rng, K, y, a, b: (
        K, y, _one(rng, a, lambda v: v + a.max() * draw.power(rng, -14, 0)), b),
    "b": lambda rng, K, y, a, b: (K, y, a, b + draw.power(rng, -14, 1) * (1 + abs(b))),
    "all alphas": lambda rng, K, y, a, b: (K, y, a * (1 - draw.power(rng, -9, 0)), b),
    "unbalanced": _unbalanced,
    "norm gone": _norm_gone,
    "swapped": _swapped,
    "a label": _flipped,
    "negative": lambda rng, K, y, a, b: (
        K, y, _one(rng, a, lambda v: -draw.power(rng, -16, 0) * a.max()), b),
    "nan in alpha": lambda rng, K, y, a, b: (K, y, _one(rng, a, lambda v: np.nan), b),
    "nan in b": lambda rng, K, y, a, b: (K, y, a, np.nan),
    "nan in K": lambda rng, K, y, a, b: (_one(rng, K, lambda v: v * np.nan), y, a, b),
    "infinite alpha": lambda rng, K, y, a, b: (K, y, _one(rng, a, lambda v: np.inf), b),
    "zero": lambda rng, K, y, a, b: (K, y, 0 * a, 0.0),
    "asymmetric": _asymmetric,
    "indefinite": _indefinite,
}  # fmt: skip
