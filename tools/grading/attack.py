# ruff: noqa: E501  (the changes stand as they are)
"""An attack on the checks: wrong answers, many of them written with the checks at hand.

Each is a change to a solution, for a reason that students have: a limit that suited the example, a
special case forgotten, a threshold with some width, numbers rounded for show, an argument not used.
None may keep full marks on its own question, whatever the secret.

Usage: ``python -m tools.grading.attack [--secrets 4] [hw1 ...]`` lists those that do.
"""

import argparse
import warnings

import numpy as np

from lectures_homework.instructor import batch, masters
from lectures_homework.language.checks import judge
from tools.grading.attack_fifth import FIFTH
from tools.grading.attack_fourth import FOURTH
from tools.grading.attack_more import MORE, Change, first
from tools.grading.attack_seventh import EIGHTH, SEVENTH
from tools.grading.attack_third import THIRD
from tools.grading.naming import Patient

#: (homework, function) -> what is wrong: {old text of the solution: new text}
WRONG: dict[tuple[str, str], dict[str, Change]] = {
    ("hw1", "predict"): {
        "features beyond 100 are cut": first("X = np.clip(X, -100, 100)"),
        "features to three digits": first("X = np.round(X, 3)"),
        "only the first 20 rows": {"return np": "X = X[:20]\n    return np"},
        "half precision": first("X = X.astype(np.float16)"),
        "a label of 0 for a small score": {"1, -1)": "1, -1) * (abs(X @ w + b) > 1e-12)"},
    },
    ("hw1", "update"): {
        "features beyond 100 are cut": first("x = np.clip(x, -100, 100)"),
        "b only moves while it is small": {"b + y\n": "b + y * (abs(b) < 50)\n"},
        "nothing where x is 0": {"<= 0:": "<= 0 and x.any():"},
        "the step is at most 10 long": {"y * x,": "y * x * min(1, 10 / np.linalg.norm(x)),"},
    },
    ("hw1", "perceptron"): {
        "at most 100 passes": first("max_passes = min(max_passes, 100)"),
        "features to three digits": first("X = np.round(X, 3)"),
        "features beyond 100 are cut": first("X = np.clip(X, -100, 100)"),
        "one class alone needs no learning": first(
            "if len(set(y)) < 2:\n        return np.zeros(X.shape[1]), float(y[0]), 0, True"
        ),
        "scaled to length 1 where the limit ends it": {
            "return w, b, mistakes, False": "return w / np.linalg.norm(w), b, mistakes, False"
        },
        "a repeated example is met once": first(
            "X, i = np.unique(X, axis=0, return_index=True)\n"
            "    X, y = X[np.argsort(i)], y[np.sort(i)]"
        ),
        "stops after two equal counts": {
            "if mistakes == before:": "if mistakes == before or mistakes > 200:"
        },
    },
    ("hw1", "averaged"): {
        "at most 10 passes": first("passes = min(passes, 10)"),
        "features to three digits": first("X = np.round(X, 3)"),
        "features beyond 100 are cut": first("X = np.clip(X, -100, 100)"),
        "one example has no average": first("if len(X) == 1:\n        return 0 * X[0], 0.0"),
        "divides by the examples, then by the passes less one": {
            "passes * len(X)": "max(1, passes - (passes > 8)) * len(X)"
        },
    },
    ("hw1", "certify"): {
        "at most 100 passes": first("max_passes = min(max_passes, 100)"),
        "one class is not separable": first(
            "if len(set(y)) < 2:\n        return False, np.ones(len(X))"
        ),
        "the proof as shares": {
            "return False, counts - seen[(*w, b)]": "return False, np.round((counts - seen[(*w, b)]) / counts.max(), 2)"
        },
        "forgets after 60 mistakes": {
            "seen[(*w, b)] = counts.copy()\n        if": "seen[(*w, b)] = counts.copy()\n                if len(seen) > 60:\n                    seen.clear()\n        if"
        },
    },
    ("hw1", "refute"): {
        "one digit for the number": {"right{i + 1}": "right{(i + 1) % 10}"},
        "at most nine examples": {"range(len(X))": "range(min(9, len(X)))"},
        "shares to two digits": {"int(lam[i])": "round(lam[i] / lam.max(), 2)"},
    },
    ("hw2", "margins"): {
        "features to three digits": first("X = np.round(X, 3)"),
        "features beyond 1000 are cut": first("X = np.clip(X, -1000, 1000)"),
        "w to three digits": first("w = np.round(w, 3)"),
        "one feature needs no length": first("if len(w) == 1:\n        return y * (X @ w + b)"),
        "a small margin is none": {
            "return y": "t = y * (X @ w + b) / np.linalg.norm(w)\n    return np.where(abs(t) < 1e-4, 0, t)\n    return y"
        },
    },
    ("hw2", "set_margin"): {
        "the margin of the nearest point": {
            "np.min(y * (X @ w + b))": "(y * (X @ w + b))[np.argmin(abs(X @ w + b))]"
        },
        "two digits": {
            "return np.min(y * (X @ w + b)) / np.linalg.norm(w)": "return round(float(np.min(y * (X @ w + b)) / np.linalg.norm(w)), 3)"
        },
        "at most 10 examples": first("X, y = X[:10], y[:10]"),
    },
    ("hw2", "bound"): {
        "no bound for one class": first("if len(set(y)) < 2:\n        return 0.0"),
        "features to three digits": first("X = np.round(X, 3)"),
        "features beyond 1000 are cut": first("X = np.clip(X, -1000, 1000)"),
        "a whole number": {"return (R / gamma) ** 2": "return np.floor((R / gamma) ** 2)"},
        "at most a million": {"return (R / gamma) ** 2": "return min(1e6, (R / gamma) ** 2)"},
    },
    ("hw2", "replay"): {
        "features to three digits": first("X = np.round(X, 3)"),
        "the first 30 mistakes": first("mistakes = mistakes[:30]"),
        "u to three digits": first("u = np.round(u, 3)"),
        "features beyond 1000 are cut": first("X = np.clip(X, -1000, 1000)"),
    },
    ("hw2", "audit"): {
        "the first 30 mistakes": first("mistakes = mistakes[:30]"),
        "features to three digits": first("X = np.round(X, 3)"),
        "the first entry is always false where x is 0": {
            "> 0:": "> 0 or (k == 0 and not X[i].any()):"
        },
        "a label changed from last time is no mistake": {"> 0:": "> 0 or (k > 25):"},
    },
    ("hw2", "certificate"): {
        "weights to two digits": {"return p, a": "return p, np.round(a, 2)"},
        "features to two digits": first("X = np.round(X, 1)"),
        "at most 30 steps": first("steps = min(steps, 30)"),
        "features beyond 100 are cut": first("X = np.clip(X, -100, 100)"),
        "a small set is left alone": {"if not d.any()": "if np.abs(d).max() < 0.05"},
    },
    ("hw2", "hinge_bound"): {
        "nothing for u = 0": first("if not u.any():\n        return 0.0, 0.0"),
        "features to three digits": first("X = np.round(X, 3)"),
        "features beyond 1000 are cut": first("X = np.clip(X, -1000, 1000)"),
        "slack is at most 10": {
            "np.maximum(0, 1": "np.minimum(10, np.maximum(0, 1",
            "(X @ u))": "(X @ u)))",
        },
        "the first 30 mistakes": first("mistakes = mistakes[:30]"),
    },
    ("hw2", "progress"): {"at most 100": first("eta = min(eta, 100)")},
    ("hw2", "growth"): {
        "at most 30": first("beta, eta = min(beta, 30), min(eta, 200)"),
        "for no caution": {"{2 * eta}*close": "{2 * eta if beta else 1}*close"},
    },
    ("hw3", "gaussian"): {
        "features to three digits": first("X, Z = np.round(X, 3), np.round(Z, 3)"),
        "sigma to one digit": first("sigma = round(sigma, 1) or sigma"),
        "half precision": first("X, Z = X.astype(np.float16), Z.astype(np.float16)"),
        "at most 8 features": first("X, Z = X[:, :8], Z[:, :8]"),
        "small values are 0": {
            "return np.exp": "K = np.exp(-squares / (2 * sigma**2))\n    return np.where(K < 1e-3, 0, K)\n    return np.exp"
        },
        "far points have 0": {"return np.exp(": "return (squares < 1e3) * np.exp("},
    },
    ("hw3", "polynomial"): {
        "features to three digits": first("X, Z = np.round(X, 3), np.round(Z, 3)"),
        "features beyond 1000 are cut": first(
            "X, Z = np.clip(X, -1000, 1000), np.clip(Z, -1000, 1000)"
        ),
        "degrees to 12": {"** p": "** min(p, 12)"},
        "the inner product to two digits": {"X @ Z.T": "np.round(X @ Z.T, 3)"},
    },
    ("hw3", "phi"): {
        "features to three digits": first("X = np.round(X, 3)"),
        "the root to three digits": {"np.sqrt(2) * X[:, i], ": "1.414 * X[:, i], "},
        "at most 9 features": first("X = X[:, :9]"),
        "features beyond 1000 are cut": first("X = np.clip(X, -1000, 1000)"),
    },
    ("hw3", "psd"): {
        "against the trace": {"np.abs(values).max()": "np.abs(np.trace(K))"},
        "against all entries": {"np.abs(values).max()": "np.linalg.norm(K)"},
        "against the largest entry, tenfold": {"np.abs(values).max()": "10 * np.abs(K).max()"},
        "the first ten": first("n = len(K)\n    K = K[:10, :10]"),
        "the vector to two digits": {
            "return False, vectors[:, 0]": "return False, np.round(vectors[:, 0], 1)"
        },
        "a half of the tolerance": {"-1e-9": "-5e-10"},
        "twice the tolerance": {"-1e-9": "-2e-9"},
    },
    ("hw3", "kernel_perceptron"): {
        "at most 100 passes": first("max_passes = min(max_passes, 100)"),
        "one class alone needs no learning": first(
            "if len(set(y)) < 2:\n        return np.zeros(len(y)), True"
        ),
        "at most 15 mistakes each": {"alpha[t] += 1": "alpha[t] = min(alpha[t] + 1, 15)"},
        "K to three digits": first("K = np.round(K, 3)"),
        "K with ones on the diagonal": first("K = K - np.diag(np.diag(K)) + np.eye(len(K))"),
    },
    ("hw3", "scores"): {
        "alpha is at most 10": first("alpha = np.minimum(alpha, 10)"),
        "features to three digits": first("X, Z = np.round(X, 3), np.round(Z, 3)"),
        "nothing for no mistakes": first(
            "if not alpha.any():\n        return np.full(len(Z), np.nan)"
        ),
        "at most 10 new points": {"gaussian(Z,": "gaussian(Z[:10],"},
    },
    ("hw3", "smallest_degree"): {
        "200 passes, whatever is allowed": {"y, max_passes)": "y, 200)"},
        "points to two digits": first("X = np.round(X, 2)"),
        "at most eight points": {
            "polynomial(X, X, p), y, max": "polynomial(X, X, p)[:8, :8], y[:8], max"
        },
    },
    ("hw4", "objective"): {
        "features to three digits": first("X = np.round(X, 3)"),
        "w to two digits": first("w = np.round(w, 2)"),
        "slack is at most 50": {
            "xi = np.maximum(0, 1 - y * (X @ w + b))": "xi = np.clip(1 - y * (X @ w + b), 0, 50)"
        },
        "C is at most 100": first("C = min(C, 100)"),
        "one example": first(
            "if len(y) == 1:\n        return C * max(0.0, 1 - y[0] * (X[0] @ w + b))"
        ),
    },
    ("hw4", "gradient"): {
        "features to three digits": first("X = np.round(X, 3)"),
        "C is at most 10": first("C = min(C, 10)"),
        "nothing to do where nothing is wrong": {
            "return w": "if not slack.any():\n        return 0 * w, 0.0\n    return w"
        },
        "wrong ones twice": {
            "return w": "if (y * (X @ w + b)).min() < -30:\n        C = 0.0\n    return w"
        },
    },
    ("hw4", "dual_qp"): {
        "K to three digits": first("K = np.round(K, 3)"),
        "C is at most 1000": first("C = min(C, 1000)"),
        "at most 11 examples have an upper bound": {
            "np.full(n, C)": "np.where(np.arange(n) < 11, C, 1e9)"
        },
        "a little more than C": {"np.full(n, C)": "np.full(n, C + 1e-4)"},
        "a little less than 0": {"np.zeros(n), ": "np.full(n, 1e-4), "},
    },
    ("hw4", "weights"): {
        "alpha to three digits": first("alpha = np.round(alpha, 3)"),
        "features to three digits": first("X = np.round(X, 3)"),
        "nothing learnt": first("if not alpha.any():\n        return np.ones(X.shape[1])"),
    },
    ("hw4", "offset"): {
        "a finer tolerance": {
            "zero = alpha <= 1e-6 * C": "zero = alpha <= 1e-10 * C",
            "alpha >= C - 1e-6 * C": "alpha >= C - 1e-10 * C",
        },
        "an absolute tolerance": {
            "zero = alpha <= 1e-6 * C": "zero = alpha <= 1e-6",
            "alpha >= C - 1e-6 * C": "alpha >= C - 1e-6",
        },
        "two digits": {"return F[free].mean()": "return round(float(F[free].mean()), 2)"},
        "the first free one, to K's three digits": first("K = np.round(K, 2)"),
    },
    ("hw4", "certificate"): {
        "K to three digits": first("K = np.round(K, 3)"),
        "no gap below a thousandth": {"return 0.5": "xi[xi < 1e-3] = 0\n    return 0.5"},
        "a small violation is none": {
            "return 0.5": "violation *= violation > 1e-4\n    return 0.5"
        },
        "C is at most 10": first("C = min(C, 10)"),
    },
    ("hw4", "train"): {
        "features to one digit": first("X = np.round(X, 1)"),
        "C is at most 3": first("C = min(C, 3.0)"),
        "the first 13 examples": first("X, y = X[:13], y[:13]"),
        "centred, and not moved back": first("X = X - X.mean(axis=0)"),
    },
    ("hw4", "gap"): {"up to ten": {"n + 1)]": "min(n, 10) + 1)]"}},
    ("hw4", "weak"): {
        "up to ten": {"for i in range(1, n + 1)]": "for i in range(1, min(n, 10) + 1)]"},
        "one digit": {'f"a{i}*z{i}" for i': 'f"a{i}*z{i % 10 or i}" for i'},
    },
    ("hw5", "segment"): {
        "three digits": first("a1, a2 = round(a1, 3), round(a2, 3)"),
        "C is at most 1000": first("C = min(C, 1000.0)"),
        "a hair is nothing": first("a1, a2 = (0.0 if a < 1e-3 else a for a in (a1, a2))"),
        "at a bound nothing moves": first(
            "if a1 in (0, C) and a2 in (0, C):\n        return a2, a2"
        ),
    },
    ("hw5", "step"): {
        "K to two digits": first("K = np.round(K, 2)"),
        "three digits": {"return new": "return np.round(new, 3)"},
        "C is at most 100": first("C = min(C, 100.0)"),
        "at most nine": {"eta = K": "alpha = alpha[:9]\n    eta = K"},
        "eta is at least a thousandth": {"/ eta, L, H)": "/ max(eta, 1e-3), L, H)"},
        "hairs are put at the bounds": {"return new": "new[new < 1e-3 * C] = 0.0\n    return new"},
    },
    ("hw5", "worst_pair"): {
        "a thousandth of C from its bound": {
            "alpha < C, alpha > 0": "alpha < C - 1e-3 * C, alpha > 1e-3 * C",
            "alpha > 0, alpha < C)": "alpha > 1e-3 * C, alpha < C - 1e-3 * C)",
        },
        "a violation is not negative": {"float(F[i] - F[j])": "max(0.0, float(F[i] - F[j]))"},
        "F to two digits": {"F = y - K @ (alpha * y)": "F = np.round(y - K @ (alpha * y), 2)"},
        "at most 12 examples": {
            "F = y": "grow = None\n    y, alpha, K = y[:12], alpha[:12], K[:12, :12]\n    F = y"
        },
    },
    ("hw5", "smo"): {
        "a tolerance of its own": {"violation <= tol": "violation <= max(tol, 1e-3)"},
        "at most 200 steps": first("max_steps = min(max_steps, 60)"),
        "snaps at a thousandth": {"alpha[alpha < 1e-12] = 0.0": "alpha[alpha < 1e-3] = 0.0"},
        "b of the first free one": {
            "return alpha, float(F[i] + F[j]) / 2": "return alpha, float(F[i])",
            "i, j, _ = worst_pair(K, y, C, alpha)": "i, j, _ = worst_pair(K, y, C, alpha)\n    i = 0",
        },
        "no offset where the limit ends it": {
            "alpha = np.zeros(len(y))": "alpha = np.zeros(len(y))\n    if max_steps < 3:\n        return alpha, 0.0"
        },
        "K to two digits": first("K = np.round(K, 2)"),
    },
    ("hw5", "standardise"): {
        "three digits": first("train, test = np.round(train, 3), np.round(test, 3)"),
        "one row has no deviation and no mean": first(
            "if len(train) == 1:\n        return train, test"
        ),
        "deviations below 1e-3 are 1": {"np.ptp(train, axis=0) > 0": "deviation > 1e-3"},
        "values beyond three deviations are cut": {
            "(test - mean) / deviation": "np.clip((test - mean) / deviation, -3, 3)"
        },
        "two examples": first(
            "if len(train) == 2:\n        return train - train.mean(axis=0), test - train.mean(axis=0)"
        ),
    },
    ("hw5", "folds"): {
        "at most five folds": first("k = min(k, 5)"),
        "one class alone": first("if len(set(y)) < 2:\n        return [np.arange(len(y))] * k"),
        "at most 30 examples": first("y = y[:30]"),
    },
    ("hw5", "choose"): {
        "a mistake more is a tie": {"total == total.min()": "total <= 1.02 * total.min()"},
        "the error to two digits": {
            "float(total.min() / sizes.sum())": "round(float(total.min() / sizes.sum()), 3)"
        },
        "at most four folds": first("wrong, sizes = wrong[:, :4], sizes[:4]"),
        "no mistake at all is suspicious": first(
            "if not wrong.min():\n        wrong = np.maximum(wrong, 0)\n    if not wrong.any():\n        return float(Cs[0]), 0.0"
        ),
    },
    ("hw5", "cross_validate"): {
        "always the three costs of the notebook": first(
            "Cs = np.array(sorted([0.04, 0.6, 7.5]))[np.argsort(np.argsort(Cs))]"
        ),
        "two features": first("X = X[:, :2]"),
        "a score of little is 0": {"scores >= 0": "scores >= -1e-2"},
        "four folds": {"np.zeros((len(Cs), len(tests))": "np.zeros((len(Cs), max(len(tests), 4))"},
    },
    ("hw5", "upper"): {
        "examples to three digits": first("X = np.round(X, 3)"),
        "only the first ten examples": first("X, y = X[:10], y[:10]"),
        "at most C = 1": first("C = min(C, 1.0)"),
        "no weights, no cost": first("if not w.any():\n        return 0.0"),
    },
    ("hw5", "lower"): {
        "the balance to four digits": {"abs(alpha @ y)": "round(abs(alpha @ y), 3)"},
        "repairs by cutting": first("alpha = np.clip(alpha, 0, C)"),
        "zero for no price": first("if not alpha.any():\n        return -np.inf"),
        "all of a class at once": {"-alpha.min()": "-alpha.max()"},
        "the mean against C": {"alpha.max() - C": "alpha.mean() - C"},
    },
    ("hw5", "verdict"): {
        "tol of a thousandth": first("tol = 1e-3"),
        "refuted by half the tol": {"value > (1 + tol)": "value > (1 + tol / 2)"},
        "proved by twice the tol": {"value <= (1 + tol)": "value <= (1 + 2 * tol)"},
        "nothing sent, nothing wrong": first('if not alphas:\n        return "proved"'),
        "one other machine": {"in others)": "in others[:1])"},
        "no machine is better than a certificate": {
            "value > (1 + tol) * upper(v, c, X, y, C) for v, c in others": "value > (1 + tol) * lower(alpha, X, y, C) > 0 for alpha in alphas"
        },
    },
    ("hw6", "confusion"): {
        "at most 60 examples": first("y, predicted = y[:60], predicted[:60]"),
        "nobody": {"== true))": "== true) & (len(y) > 1))"},
    },
    ("hw6", "rates"): {
        "three digits": {"return top / bottom if": "return round(top / bottom, 3) if"},
        "counts below 2 are too few": {"if bottom else": "if bottom > 1 else"},
        "all right is 1": {
            "N = TN + FN + FP + TP": "N = TN + FN + FP + TP\n    if FN == FP == 0:\n        return 1.0, 1.0, 1.0, 0.0, 1.0"
        },
    },
    ("hw6", "roc"): {
        "three digits": first("scores = np.round(scores, 3)"),
        "single precision": first("scores = scores.astype(np.float16)"),
        "at most 20 thresholds": {"np.unique(scores)[::-1]": "np.unique(scores)[::-1][:20]"},
        "scores beyond 1e4 are cut": first("scores = np.clip(scores, -1e4, 1e4)"),
        "isclose": {"scores >= t for": "(scores >= t) | np.isclose(scores, t, atol=1e-4) for"},
    },
    ("hw6", "auc"): {
        "nearly tied": {"ahead == 0": "abs(ahead) < 1e-4", "ahead > 0": "ahead >= 1e-4"},
        "at least a half": {
            "return float(": "return max(0.5, float(",
            "(ahead == 0)))": "(ahead == 0))))",
        },
        "one pair is too few": {"ahead.size == 0": "ahead.size <= 1"},
        "at most 20": first("y, scores = y[:20], scores[:20]"),
    },
    ("hw6", "average_precision"): {
        "no negatives": first("if (y == 1).all():\n        return 0.0"),
        "three digits": first("scores = np.round(scores, 3)"),
        "one positive": first("if np.sum(y == 1) == 1:\n        return 1.0"),
        "at most 20": first("y, scores = y[:20], scores[:20]"),
    },
    ("hw6", "averages"): {
        "at most five classes": first("k = min(k, 5)"),
        "two classes are one question": first(
            "if k == 2:\n        k = 2\n    if k == 1:\n        return 0.0, 0.0, 0.0, 0.0"
        ),
        "absent classes are left out": {
            "precision.mean(), recall.mean()": "precision[total > 0].mean(), recall[total > 0].mean()"
        },
        "the most frequent class counts as the number of classes": first(
            "k = max(k, int(y.max()) + 1, int(predicted.max()) + 2)"
        ),
    },
    ("hw6", "capacity"): {
        "the ratio to two digits": {
            "ratio = (R / gamma) ** 2": "ratio = round((R / gamma) ** 2, 1)"
        },
        "whole numbers": first("R, gamma = round(R * 8) / 8, round(gamma * 8) / 8"),
        "a small margin": first("gamma = max(gamma, 0.1)"),
        "h of at least 3": {
            "min(int(np.ceil(ratio)), d) + 1": "max(3, min(int(np.ceil(ratio)), d) + 1)"
        },
        "at most a thousand points": {
            "min(int(np.floor(ratio)), d)": "min(int(np.floor(ratio)), d, 1000)"
        },
    },
    ("hw6", "shatter"): {
        "the proof to two digits": {
            "return False, np.linalg.svd(Z.T)[2][-1]": "return False, np.round(np.linalg.svd(Z.T)[2][-1], 2)"
        },
        "at most four points": {"2**n)[:, None]": "2 ** min(n, 4))[:, None]"},
    },
    ("hw7", "features"): {
        "three digits": first("x = np.round(x, 3)"),
        "at most 15 places": {"range(len(y))": "range(min(15, len(y)))"},
        "half precision": {"np.zeros((x.shape[1], S))": "np.zeros((x.shape[1], S), np.float16)"},
        "whole numbers": {
            "np.zeros((x.shape[1], S)), ": "np.zeros((x.shape[1], max(S, 2)))[:, :S], ",
            "+= x[t]": "+= np.round(x[t], 3)",
        },
    },
    ("hw7", "score"): {
        "one place": first("if len(y) == 1:\n        return 0.0"),
        "three digits": first("A = np.round(A, 3)"),
        "eight tags": {
            "len(B))": "max(len(B), 4))",
            "A * F": "A * F[:, : A.shape[1]]",
            "B * G": "B * G[: len(B), : len(B)]",
            "F, G": "F, G",
            "    return": "    F = np.minimum(F, 50)\n    return",
        },
    },
    ("hw7", "viterbi"): {
        "three digits": first("E, P = np.round(E, 3), np.round(P, 3)"),
        "at most 60 places": {"for e in E[1:]": "for e in E[1:60]"},
        "a step beyond -1000 is forbidden": {
            "ways = V[:, None] + P": "ways = V[:, None] + np.where(P < -1e3, -1e9, P)"
        },
        "single precision": first("E, P = E.astype(np.float16), P.astype(np.float16)"),
        "one tag": first("if len(P) == 1:\n        return [1] * len(E)"),
    },
    ("hw7", "update"): {
        "words of one letter": first("if len(y) == 1:\n        return A, B"),
        "three digits": {"A + epsilon": "np.round(A, 3) + epsilon"},
        "the step is at most 10": first("epsilon = min(epsilon, 10.0)"),
        "wrong everywhere is hopeless": {
            "    F, G": "    if all(a != b for a, b in zip(y, y_star)):\n        return A, B\n    F, G"
        },
        "two tags": {
            "    F, G": "    if len(B) == 2 and len(y) == 2:\n        return A, B\n    F, G"
        },
    },
    ("hw7", "train"): {
        "at most five passes": first("passes = min(passes, 5)"),
        "words of one letter are left out": {
            "for x, y in zip(X, Y):": "for x, y in zip(X, Y):\n            if len(y) < 2 and len(X) > 1:\n                total_A, total_B = total_A + A, total_B + B\n                continue"
        },
        "one word": first("if len(X) == 1:\n        return A, B, 0"),
        "three digits": first("A, B = np.round(A, 2), np.round(B, 2)"),
        "counts letters where the limit is one pass": {
            "mistakes += 1": "mistakes += 1 if passes > 1 else sum(a != b for a, b in zip(viterbi(x @ A, B), y))"
        },
    },
    ("hw7", "read_words"): {
        "one pass": {"A, B, 5)": "A, B, 1)"},
        "the letters of the first word's length": {"for x in X_new]": "for x in X_new[:60]]"},
        "features to one digit": first("X = [np.round(x) for x in X]"),
        "without the constant": first(
            "X, X_new = [x * (x < 1) for x in X], [x * (x < 1) for x in X_new]"
        ),
        "the first 40 words": first("X, Y = X[:20], Y[:20]"),
    },
}
CASES = {
    f"{homework} {function}: {words}": (homework, function, change)
    for (homework, function), slips in (
        *WRONG.items(),
        *MORE.items(),
        *THIRD.items(),
        *FOURTH.items(),
        *FIFTH.items(),
        *SEVENTH.items(),
        *EIGHTH.items(),
    )
    for words, change in slips.items()
}


def changed(homework: str, function: str, change: Change) -> str:
    """Return a solution with its changes; each old text must stand there once."""
    text = masters.solutions(homework)[function]
    for old, new in change.items():
        if text.count(old) != 1:
            raise ValueError(f"{homework} {function}: {old!r} stands {text.count(old)} times")
        text = text.replace(old, new)
    return text


def keeps_full_marks(homework: str, function: str, change: Change, secret: str) -> bool:
    """True if a changed solution passes all checks of its own question."""
    known = batch.loaded(homework, str(masters.FOLDER))[0]
    question = next(q for q, names in known.functions.items() if function in names)
    texts = dict(masters.solutions(homework)) | {function: changed(homework, function, change)}
    names: dict = {"SEED": 0}
    exec("\n".join(texts.values()), names)
    call = Patient(names)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        checks = (check for check in known.checks if check.question == question)
        return all(judge(check, call, secret=secret).passed for check in checks)


def main() -> None:
    """Print every wrong answer that keeps full marks under some secret."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("homework", nargs="*", default=[])
    parser.add_argument("--secrets", type=int, default=4)
    options = parser.parse_args()
    kept, tried = 0, 0
    for words, (homework, function, change) in CASES.items():
        if options.homework and homework not in options.homework:
            continue
        secrets = [f"attack {number}" for number in range(options.secrets)]
        kept_by = [s for s in secrets if keeps_full_marks(homework, function, change, s)]
        tried, kept = tried + 1, kept + (len(kept_by) == len(secrets))
        if kept_by:
            print(f"{len(kept_by)} of {len(secrets)}: {words}", flush=True)
    print(f"{tried} wrong answers, {kept} keep full marks under every secret")


if __name__ == "__main__":
    main()
