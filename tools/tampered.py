"""Tampered models: `python -m tools.tampered --cases 10000` counts those still proved.

A model is trained well, then its weights, its offset, C or some labels are changed. What the change
costs is computed here in long double: a model whose objective is above (1 + 2 tol) times that of
the best answer that is known is a lie, and none of them may be proved.
"""

import argparse
import sys
import warnings
from collections import Counter

import numpy as np
from sklearn.linear_model import ElasticNet, LogisticRegression, Ridge
from sklearn.svm import SVC, SVR, LinearSVC, LinearSVR

from lectures_lib import certify

TOL = 1e-3
KINDS = ("weights", "one weight", "offset", "C", "labels")


def loss(name: str, y: np.ndarray, f: np.ndarray) -> np.ndarray:
    """Return the loss of each score, in long double."""
    if name == "logistic":
        return np.logaddexp(np.longdouble(0), -y * f)
    if name == "squared":
        return (y - f) ** 2 / 2
    if name == "tube":
        return np.maximum(0, np.abs(y - f) - np.longdouble(0.1))
    short = np.maximum(0, 1 - y * f)
    return short if name == "hinge" else short**2


#: name: the model for a C, its loss, and whether its offset is penalised.
MODELS = {
    "SVC linear": (lambda C: SVC(kernel="linear", C=C, tol=1e-7), "hinge", False),
    "LinearSVC": (lambda C: LinearSVC(C=C, tol=1e-9), "squared_hinge", True),
    "LinearSVC hinge": (
        lambda C: LinearSVC(C=C, loss="hinge", tol=1e-8, max_iter=50_000),
        "hinge",
        True,
    ),
    "LogisticRegression": (lambda C: LogisticRegression(C=C, tol=1e-9), "logistic", False),
    "Ridge": (lambda C: Ridge(alpha=1 / C), "squared", False),
    "SVR linear": (lambda C: SVR(kernel="linear", C=C, tol=1e-7), "tube", False),
    "LinearSVR": (lambda C: LinearSVR(C=C, epsilon=0.1, tol=1e-8, max_iter=50_000), "tube", True),
    "ElasticNet": (lambda C: ElasticNet(alpha=1 / C, l1_ratio=0.5, tol=1e-10), "squared", False),
}


class Plain:
    """One model beside its problem, all in long double; w and b are read once."""

    def __init__(self, name: str, model, X: np.ndarray, y: np.ndarray, C: float) -> None:
        self.name, self.loss, self.penalised = name, MODELS[name][1], MODELS[name][2]
        self.X, self.y, self.C = X.astype(np.longdouble), y.astype(np.longdouble), C
        self.w = np.ravel(model.coef_).astype(np.longdouble)
        self.b = np.longdouble(np.ravel(model.intercept_)[0])

    def cost(self, w, b) -> np.longdouble:
        """Return the objective of an answer."""
        losses = loss(self.loss, self.y, self.X @ w + b).sum()
        if self.name == "ElasticNet":
            return losses / len(self.y) + (np.abs(w).sum() / 2 + w @ w / 4) / self.C
        if self.name == "Ridge":
            return losses + w @ w / 2 / self.C
        return (w @ w + (b * b if self.penalised else 0)) / 2 + self.C * losses


def tampered(rng: np.random.Generator, kind: str, name: str, model, X, y, C: float):
    """Change the model or what it claims to have been trained on; return (model, y, C)."""
    if kind in ("weights", "one weight"):
        factor = np.ones(X.shape[1])
        if kind == "weights":
            factor[:] = rng.choice([0.5, 0.8, 0.9, 1.1, 1.3, 2.0])
        else:
            factor[rng.integers(len(factor))] = rng.choice([-1.0, 0.0, 2.0])
        change_weights(model, factor)
    elif kind == "offset":
        model.intercept_ = model.intercept_ + rng.choice([-1.0, 1.0]) * rng.uniform(0.1, 2.0)
    elif kind == "C":
        C = C * float(rng.choice([0.2, 0.5, 2.0, 5.0]))
        model.set_params(**({"alpha": 1 / C} if hasattr(model, "alpha") else {"C": C}))
    else:
        some = rng.choice(len(y), max(1, len(y) // int(rng.integers(3, 20))), replace=False)
        y = y.copy()
        y[some] = -y[some]
    return model, y, C


def change_weights(model, factor: np.ndarray) -> None:
    """Multiply the weights; of a support vector machine, all its coefficients at once."""
    if hasattr(model, "dual_coef_"):
        model.dual_coef_ = model._dual_coef_ = model.dual_coef_ * factor[0]
    else:
        model.coef_ = model.coef_ * factor


def case(seed: int, number: int) -> tuple[str, str, str]:
    """Return (model, kind of lie or "true", verdict) of one case."""
    rng = np.random.default_rng([seed, number])
    name, kind = list(MODELS)[number % len(MODELS)], str(rng.choice(KINDS))
    n, d, C = int(rng.integers(12, 60)), int(rng.integers(1, 5)), float(10 ** rng.uniform(-1.5, 1))
    X = rng.normal(size=(n, d)) * 10 ** rng.uniform(-0.5, 0.5, d) + rng.normal(size=d)
    y = X @ rng.normal(size=d) + rng.normal(size=n)
    if MODELS[name][1] in ("hinge", "squared_hinge", "logistic"):
        y = np.where(y > np.median(y), 1.0, -1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = MODELS[name][0](C).fit(X, y)
        model, y, C = tampered(rng, kind, name, model, X, y, C)
        best = MODELS[name][0](C).fit(X, y)
    found, other = Plain(name, model, X, y, C), Plain(name, best, X, y, C)
    lie = found.cost(found.w, found.b) > (1 + 2 * TOL) * other.cost(other.w, other.b)
    try:
        verdict = certify.certify(model, X, y, tol=TOL).verdict
    except ValueError as error:  # it knows the labels of its support vectors, and keeps b twice
        assert "is not judged" in str(error), error
        verdict = "refused"
    return name, kind if lie else "true", verdict


def main() -> int:
    """Print how many lies of each kind had which verdict; 1 if one of them was proved."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    counts = Counter(case(given.seed, k) for k in range(given.cases))
    print(
        f"{'model':<20} {'changed':<12} {'proved':>7} {'refuted':>8} {'undecided':>10} "
        f"{'refused':>8}"
    )
    for name, kind in sorted({key[:2] for key in counts}):
        row = [counts[name, kind, v] for v in ("proved", "refuted", "undecided", "refused")]
        print(f"{name:<20} {kind:<12} {row[0]:>7} {row[1]:>8} {row[2]:>10} {row[3]:>8}")
    lies = sum(v for key, v in counts.items() if key[1] != "true")
    proved = sum(v for key, v in counts.items() if key[1] != "true" and key[2] == "proved")
    print(f"{given.cases} models, {lies} of them lies, {proved} lies proved")
    return int(proved > 0)


if __name__ == "__main__":
    sys.exit(main())
