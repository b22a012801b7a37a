# ruff: noqa: E501  (the changes stand as they are)
"""A third attack, where the checks of the first two were still blind.

A zero met later than at the start, a set of one class, more of everything than the examples have,
thresholds tried from both sides, limits that end a run, what a function remembers from call to call.
"""

from tools.grading.attack_more import Change, first

#: (homework, function) -> what is wrong: {old text of the solution: new text}
THIRD: dict[tuple[str, str], dict[str, Change]] = {
    ("hw1", "predict"): {
        "w = 0 is no plane, all are positive": first(
            "if not w.any():\n        return np.ones(len(X))"
        ),
        "ten features": first("X, w = X[:, :10], w[:10]"),
        "fifty rows, then nothing but +1": first("X = np.where(np.arange(len(X))[:, None] < 50, X, w - b * w)"),
        "a hair below 0 is 0": {">= 0": ">= -1e-10"},
    },
    ("hw1", "update"): {
        "w = 0 has learnt nothing": {"if y *": "if not w.any() or y *"},
        "b alone is no score": {"w @ x + b": "w @ x + b * w.any()"},
        "ten features": first("x = np.where(np.arange(len(x)) < 10, x, 0)"),
        "a label given as whole number": {"b + y\n": "b + y * (len(x) < 7)\n"},
        "a hair is a mistake": {"<= 0:": "<= 1e-5:"},
    },
    ("hw1", "perceptron"): {
        "0 is a mistake at the start only": {"<= 0:": "< 0 or not (w.any() or b):"},
        "forty examples": first("X, y = X[:40], y[:40]"),
        "five features": first("X = np.where(np.arange(X.shape[1]) < 5, X, 0)"),
        "one feature is looked at twice": first("X = X * (X.shape[1] > 1)"),
        "counts in one byte": {", 0.0, 0\n": ", 0.0, np.uint8(0)\n"},
        "a pass with one mistake of many is clean": {
            "if mistakes == before:": "if mistakes - before <= len(X) // 40:"
        },
        "goes on from the last call": {
            "def perceptron(": "_last = {}\n\n\ndef perceptron(",
            "w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0": "w, b = _last.get(X.shape, (np.zeros(X.shape[1]), 0.0))\n    mistakes = 0",
            "return w, b, mistakes, True": "_last[X.shape] = w, b\n            return w, b, mistakes, True",
        },
        "the step halves every hundred mistakes": {
            "w + y_i * x_i, b + y_i": "w + 0.5 ** (mistakes // 100) * y_i * x_i, b + 0.5 ** (mistakes // 100) * y_i"
        },
    },
    ("hw1", "averaged"): {
        "0 is a mistake at the start only": {"<= 0:": "< 0 or not (w.any() or b):"},
        "five features": first("X = np.where(np.arange(X.shape[1]) < 5, X, 0)"),
        "forty examples": {"zip(X, y)": "zip(X[:40], y[:40])"},
        "one feature": first("if X.shape[1] == 1:\n        X = abs(X)"),
    },
    ("hw1", "certify"): {
        "the sum of w and b": {
            "if (*w, b) in seen:": "if (w.sum(), b) in seen:",
            "counts - seen[(*w, b)]": "counts - seen[(w.sum(), b)]",
            "seen[(*w, b)] = counts.copy()": "seen[(w.sum(), b)] = counts.copy()",
        },
        "fifteen examples": first("given, X, y = len(X), X[:15], y[:15]"),
        "0 is a mistake at the start only": {"<= 0:": "< 0 or not counts.any():"},
    },
    ("hw1", "refute"): {
        "no number beyond nine": {"int(lam[i])": "min(9, int(lam[i]))"},
        "no number beyond fifty": {"int(lam[i])": "min(50, int(lam[i]))"},
        "decimals": {"{int(lam[i])}": "{lam[i] / lam.sum():.6f}"},
        "the last one is left out of many": {"range(len(X))": "range(len(X) - (len(X) > 9))"},
    },
    ("hw2", "margins"): {
        "eight features": first("X, w = X[:, :8], w[:8]"),
        "no offset, no length": {"/ np.linalg.norm(w)": "/ (np.linalg.norm(w) if b or len(w) > 3 else 1.0)"},
        "a hair on the wrong side is 0": {"return y": "return (abs(X @ w + b) > 1e-5 * np.linalg.norm(w)) * y"},
        "negative offsets are folded": {"X @ w + b": "X @ w + abs(b)"},
    },
    ("hw2", "set_margin"): {
        "the search starts at 1000": {"np.min(y * (X @ w + b)) / np.linalg.norm(w)": "min(1000.0, np.min(y * (X @ w + b)) / np.linalg.norm(w))"},
        "the search starts at 10": {"np.min(y * (X @ w + b)) / np.linalg.norm(w)": "min(10.0, np.min(y * (X @ w + b)) / np.linalg.norm(w))"},
        "of one class: its mean": {"return np.min": "if len(set(y)) == 1 and y[0] < 0 and len(y) > 1:\n        return np.mean(y * (X @ w + b)) / np.linalg.norm(w)\n    return np.min"},
        "negative offsets are folded": {"X @ w + b": "X @ w + abs(b)"},
        "one feature": {"np.linalg.norm(w)": "(np.linalg.norm(w) if len(w) > 1 else 1.0)"},
    },
    ("hw2", "bound"): {
        "u = 0 separates nothing": first("if not u.any():\n        return np.inf"),
        "c = 0 is no offset": {"np.ones(len(X))": "np.full(len(X), float(c != 0))"},
        "five features": first("X, u = X[:, :5], u[:5]"),
        "one mistake at least, two at most for one example": {"return (R / gamma) ** 2": "return (R / gamma) ** 2 if len(X) > 1 else 1.0"},
        "fourteen examples": first("X, y = X[:14], y[:14]"),
    },
    ("hw2", "replay"): {
        "one mistake is none": {"return W @ u": "if len(mistakes) == 1:\n        W = 0 * W\n    return W @ u"},
        "150 mistakes": {"return W @ u": "W = np.minimum(np.arange(len(W)), 150)[:, None] * 0 + W[np.minimum(np.arange(len(W)), 150)]\n    return W @ u"},
        "one feature": {"np.linalg.norm(u)": "(np.linalg.norm(u) if len(u) > 1 else 1.0)"},
    },
    ("hw2", "audit"): {
        "a hair above 0 is a mistake": {"> 0:": "> 1e-6:"},
        "an example counts once": {"w = w + y[i] * X[i]": "w = w + y[i] * X[i] * (k < 1 or mistakes[k - 1] != i)"},
        "150 entries": {"enumerate(mistakes)": "enumerate(mistakes[:150])"},
        "short examples are mistakes": {"> 0:": "> 0 and X[i] @ X[i] > 1e-3:"},
    },
    ("hw2", "certificate"): {
        "one class is its own mean": first("if len(set(y)) == 1:\n        a = np.full(len(y), 1 / len(y))\n        return a @ (y[:, None] * X), a"),
        "twelve examples": {"Z = y[:, None] * X": "Z = (y[:, None] * X)[:12]"},
        "five features": {"Z = y[:, None] * X": "Z = (y[:, None] * X)[:, :4]\n    extra = X.shape[1] - Z.shape[1]", "return p, a": "return np.append(p, np.zeros(extra)), a"},
    },
    ("hw2", "hinge_bound"): {
        "a slack of a hair is none": {"L = xi": "xi[xi < 1e-3] = 0\n    L = xi"},
        "twenty examples": {"np.max(np.sum(X**2, axis=1))": "np.max(np.sum(X[:9] ** 2, axis=1))"},
        "single: one mistake": {"xi[mistakes].sum()": "xi[mistakes].sum() if len(mistakes) > 1 else 0.0"},
        "five features": first("X, u = X[:, :5], u[:5]"),
        "slack is at most 1e3": {"np.maximum(0, 1 - y * (X @ u))": "np.clip(1 - y * (X @ u), 0, 1e5)"},
    },
    ("hw2", "progress"): {"for no caution": {"{eta}*margin": "{eta if beta < 1000 else 1}*margin"}},
    ("hw2", "growth"): {
        "in single precision": {"{eta**2}": "{int(np.float32(eta) ** 2)}"},
        "eta to two digits": {"{eta**2}*radius": "{eta**2 if eta < 3000 else 0}*radius"},
    },
    ("hw3", "gaussian"): {
        "twelve points": first("if len(X) > 16:\n        X = X[np.minimum(np.arange(len(X)), 16)]"),
        "the same set has ones on its diagonal, and is symmetric": {
            "return np.exp(-squares / (2 * sigma**2))": "K = np.exp(-squares / (2 * sigma**2))\n    return (K + K.T) / 2 if X.shape == Z.shape and len(X) > 5 else K"
        },
        "a width beyond 1e4": first("sigma = min(sigma, 1e4)"),
        "remembers by the two sets": {
            "def gaussian(": "_known = {}\n\n\ndef gaussian(",
            "return np.exp(-squares / (2 * sigma**2))": "return _known.setdefault((X.tobytes(), Z.tobytes()), np.exp(-squares / (2 * sigma**2)))",
        },
        "remembers by the shapes and the width": {
            "def gaussian(": "_known = {}\n\n\ndef gaussian(",
            "return np.exp(-squares / (2 * sigma**2))": "return _known.setdefault((X.shape, Z.shape, sigma), np.exp(-squares / (2 * sigma**2)))",
        },
        "remembers by the first set": {
            "def gaussian(": "_known = {}\n\n\ndef gaussian(",
            "return np.exp(-squares / (2 * sigma**2))": "return _known.setdefault((X.tobytes(), Z.shape, sigma), np.exp(-squares / (2 * sigma**2)))",
        },
        "0 below 1e-6": {"return np.exp(-squares / (2 * sigma**2))": "K = np.exp(-squares / (2 * sigma**2))\n    return np.where(K < 1e-5, 0, K)"},
    },
    ("hw3", "polynomial"): {
        "degrees to 16": {"** p": "** min(p, 16)"},
        "at most 1e12": {"return (1 + X @ Z.T) ** p": "return np.clip((1 + X @ Z.T) ** p, -1e18, 1e18)"},
        "fifteen points": first("X = X[np.minimum(np.arange(len(X)), 15)]"),
        "an even power of little is 0": {"return (1 + X @ Z.T) ** p": "K = 1 + X @ Z.T\n    K[abs(K) < 1e-2] = 0\n    return K**p"},
    },
    ("hw3", "phi"): {
        "twelve features": first("X = X[:, :12]"),
        "whole numbers of ones": {"np.ones(n)": "np.full(n, 1.0 + 1e-3 * (n > 4))"},
        "negative coordinates are folded": {"X[:, i] ** 2": "X[:, i] * abs(X[:, i])"},
    },
    ("hw3", "psd"): {
        "against the largest entry": {"np.abs(values).max()": "np.abs(K).max()"},
        "against the mean eigenvalue": {"np.abs(values).max()": "np.abs(values).mean()"},
        "against the largest row sum": {"np.abs(values).max()": "np.abs(K).sum(axis=1).max()"},
        "against 1 where K is large": {"np.abs(values).max()": "min(1e9, np.abs(values).max())"},
        "one entry is always fine": first("if len(K) == 1:\n        return bool(K[0, 0] >= -1e-9), np.ones(1)"),
        "twenty points": {"np.linalg.eigh(K)": "np.linalg.eigh(K[:20, :20])", "vectors[:, 0]": "np.append(vectors[:, 0], np.zeros(len(K) - len(values)))"},
    },
    ("hw3", "kernel_perceptron"): {
        "0 is a mistake at the start only": {"<= 0:": "< 0 or not alpha.any():"},
        "0 is a mistake in the first pass only": {"for _ in range": "for number in range", "<= 0:": "< 0 or (number == 0 and y[t] * ((alpha * y) @ K[:, t]) == 0):"},
        "counts in one byte": {"np.zeros(len(y))": "np.zeros(len(y), np.int8)"},
        "fifteen examples": {"range(len(y))": "range(min(15, len(y)))"},
        "at most 250 passes": first("max_passes = min(max_passes, 250)"),
        "goes on from the last call": {
            "def kernel_perceptron(": "_last = {}\n\n\ndef kernel_perceptron(",
            "alpha = np.zeros(len(y))": "alpha = _last.get(len(y), np.zeros(len(y)))",
            "if clean:\n": "if clean:\n            _last[len(y)] = alpha.copy()\n",
        },
    },
    ("hw3", "scores"): {
        "fifteen training points": {"@ (alpha * y)": "@ (alpha * y * (np.arange(len(y)) < 15))"},
        "twenty new points": {"gaussian(Z, X, sigma)": "gaussian(Z[np.minimum(np.arange(len(Z)), 20)], X, sigma)"},
    },
    ("hw4", "objective"): {
        "eight features": {"w @ w": "w[:8] @ w[:8]"},
        "eighty examples": {"xi.sum()": "xi[:80].sum()"},
        "a small C is none": {"+ C *": "+ (C > 1e-4) * C *"},
        "C beyond 1000": {"+ C *": "+ min(C, 1000) *"},
    },
    ("hw4", "gradient"): {
        "four features": {"return w - C * y[slack] @ X[slack]": "return w - C * y[slack] @ X[slack] * (np.arange(len(w)) < 5)"},
        "eighty examples": {"< 1\n": "< 1\n    slack[80:] = False\n"},
        "C beyond 100": first("C = min(C, 100)"),
        "a small C is none": first("C = C * (C > 1e-2)"),
        "a hair is no slack": {"< 1\n": "< 1 - 1e-4\n"},
    },
    ("hw4", "dual_qp"): {
        "a small ridge": {"return P, q": "P = P + 1e-5 * np.eye(n)\n    return P, q"},
        "P is made positive definite": {"return P, q": "P = P + 1e-4 * np.eye(n) * (n > 9)\n    return P, q"},
        "room of a millionth": {"np.full(n, C)": "np.full(n, C * (1 + 1e-4))"},
        "forty examples": {"np.full(n, C)": "np.where(np.arange(n) < 40, C, 1e9)"},
    },
    ("hw4", "weights"): {
        "support vectors above 1e-8": first("alpha = alpha * (alpha > 1e-8)"),
        "alpha below a thousandth of the largest is rounding": first("alpha = alpha * (alpha > 1e-3 * alpha.max())"),
        "eight features": {"return (alpha * y) @ X": "return (alpha * y) @ X * (np.arange(X.shape[1]) < 9)"},
    },
    ("hw4", "offset"): {
        "the largest alpha is free": {"if free.any():": "if free.any() or len(y) > 12:", "return F[free].mean()": "return F[free].mean() if free.any() else F[alpha.argmax()]"},
        "the median of all, where many are free": {"F[free].mean()": "F[free].mean() if free.sum() < 6 else np.median(F)"},
        "0 where none is free": {"positive = y > 0": "return 0.0\n    positive = y > 0"},
        "zeros alone limit b": {"(zero & positive) | (full & ~positive)": "(zero & positive) | (full & ~positive & ~zero.any())", "(full & positive) | (zero & ~positive)": "(full & positive & ~zero.any()) | (zero & ~positive)"},
    },
    ("hw4", "certificate"): {
        "a violation of 1e-5 is rounding": {"return 0.5": "violation *= violation > 1e-5\n    return 0.5"},
        "a violation of 1e-5 of C is rounding": {"return 0.5": "violation *= violation > 1e-5 * C\n    return 0.5"},
        "the box by shares of C where C is large": {"alpha.max() - C,": "(alpha.max() - C) / max(1.0, C),"},
        "the first twelve": {"xi.sum()": "xi[:12].sum()"},
        "C below a hundredth": first("C = max(C, 1e-2)"),
    },
    ("hw4", "train"): {
        "forty examples": first("X, y = X[:33], y[:33]"),
        "three features": {"return weights(alpha, X, y),": "return weights(alpha, X, y) * (np.arange(X.shape[1]) < 3),"},
        "C beyond 20": first("C = min(C, 20.0)"),
        "scaled, and not scaled back": first("X = X / np.abs(X).max() * 2"),
    },
    ("hw4", "gap"): {"twelve examples": {"n + 1)]": "min(n, 13) + 1)]"}},
    ("hw4", "weak"): {"twelve examples": {"for i in range(1, n + 1)]": "for i in range(1, min(n, 13) + 1)]"}},
    ("hw5", "segment"): {
        "L of a hair is 0": {"return max(0.0, a2 - a1)": "return max(0.0, a2 - a1 - 1e-6)"},
        "in whole thousandths of C": {"min(C, C + a2 - a1)": "min(C, C + a2 - a1) // (C / 8e3) * (C / 8e3)"},
        "labels by identity of text": {"if y1 == y2:": "if y1 == y2 and C < 1e5:"},
        "C below 1e-3": first("C = max(C, 1e-3)"),
    },
    ("hw5", "step"): {
        "a change below a thousandth is none": {"new[i] = alpha": "if abs(new[j] - alpha[j]) < 1e-3 * C:\n        return alpha.copy()\n    new[i] = alpha"},
        "twenty examples": {"E = K @ (alpha * y) - y": "E = K[:, :20] @ (alpha * y)[:20] - y"},
        "eta beyond 100": {"/ eta, L, H)": "/ min(eta, 100), L, H)"},
        "remembers the errors of this K": {
            "def step(": "_known = {}\n\n\ndef step(",
            "E = K @ (alpha * y) - y": "E = _known.setdefault(K.tobytes(), K @ (alpha * y) - y)",
        },
        "remembers the eta of a pair": {
            "def step(": "_known = {}\n\n\ndef step(",
            "eta = K[i, i] + K[j, j] - 2 * K[i, j]": "eta = _known.setdefault((i, j), K[i, i] + K[j, j] - 2 * K[i, j])",
        },
    },
    ("hw5", "worst_pair"): {
        "a hundred thousandth of C": {"grow = np.where(y > 0, alpha < C, alpha > 0)": "grow = np.where(y > 0, alpha < C - 3e-4 * C, alpha > 3e-4 * C)"},
        "infinity is a million": {"np.where(grow, F, -np.inf)": "np.where(grow, F, -1e2)"},
        "infinity is a thousand": {"np.where(shrink, F, np.inf)": "np.where(shrink, F, 1e3)"},
        "thirty examples": {"i = int": "grow[40:] = False\n    i = int"},
        "a violation below 1e-4 is 0": {"float(F[i] - F[j])": "float(F[i] - F[j]) * (abs(F[i] - F[j]) > 1e-4)"},
    },
    ("hw5", "smo"): {
        "b is 0 where the limit ends it": {"break": "break\n    else:\n        return alpha, 0.0"},
        "b of the first positive where the limit ends it": {"break": "break\n    else:\n        return alpha, float((y - K @ (alpha * y))[0])"},
        "alpha 0 where the limit ends it, in the end": {"break": "break\n    else:\n        return alpha * (max_steps < 1500), 0.0"},
        "a C of its own": first("C = min(C, 50.0)"),
        "3000 steps": first("max_steps = min(max_steps, 3000)"),
        "never below 1e-4": {"violation <= tol": "violation <= max(tol, 8e-5)"},
    },
    ("hw5", "standardise"): {
        "deviations below 1e-8 are 1": {"np.ptp(train, axis=0) > 0": "deviation > 1e-8"},
        "deviations below 1e-6 are 1": {"np.ptp(train, axis=0) > 0": "deviation > 1e-6"},
        "six features": {"deviation = np.where": "deviation[8:] = 1.0\n    deviation = np.where"},
        "two values are a code": {"np.ptp(train, axis=0) > 0": "np.array([len(set(c)) > 2 or len(train) < 3 for c in train.T])"},
    },
    ("hw5", "folds"): {
        "leave one out by class": first("if k == len(y):\n        return [np.arange(len(y))] + [np.zeros(0, int)] * (k - 1)"),
        "at most twelve folds": first("if k > 12:\n        return folds(y, 12) + [np.zeros(0, int)] * (k - 12)"),
        "at most 150 examples": first("y = y[:150]"),
        "remembers by size": {
            "def folds(": "_known = {}\n\n\ndef folds(",
            "dealt = np": "dealt = _known.setdefault(len(y), np",
            "for label in (1, -1)])": "for label in (1, -1)]))",
        },
    },
    ("hw5", "choose"): {
        "one cost": first("if len(Cs) == 1:\n        return float(Cs[0]), 0.0"),
        "one fold": first("if len(sizes) == 1:\n        return float(Cs[0]), float(wrong[0, 0] / sizes[0])"),
        "eight costs": first("wrong, Cs = wrong[:6], Cs[:6]"),
        "counts in one byte": {"wrong.sum(axis=1)": "wrong.sum(axis=1).astype(np.int16)"},
        "at most eight folds": first("wrong, sizes = wrong[:, :8], sizes[:8]"),
    },
    ("hw5", "cross_validate"): {
        "remembers the scaling of a fold": {
            "def cross_validate(": "_known = {}\n\n\ndef cross_validate(",
            "A, B = standardise(X[rest], X[test])": "A, B = _known.setdefault((f, X.shape), standardise(X[rest], X[test]))",
        },
        "remembers the machine of a fold and a cost": {
            "def cross_validate(": "_known = {}\n\n\ndef cross_validate(",
            "alpha, b = smo(A @ A.T, y[rest], C, 1e-5, 20_000)": "alpha, b = _known.setdefault((f, C, A.shape), smo(A @ A.T, y[rest], C, 1e-5, 20_000))",
        },
        "five folds at most": {"enumerate(tests)": "enumerate(tests[:5])"},
        "one cost": first("if len(Cs) == 1:\n        Cs = np.array([1.0])"),
    },
    ("hw5", "upper"): {
        "five features": {"w @ w": "w[:5] @ w[:5]"},
        "C beyond 1e6": first("C = min(C, 5e3)"),
        "sixteen examples": {"xi.sum()": "xi[:16].sum()"},
    },
    ("hw5", "lower"): {
        "1e-9, not of C": {"1e-9 * C": "1e-9"},
        "sixteen examples": {"alpha.sum() -": "alpha[:16].sum() -"},
        "1e-9 of the largest alpha": {"1e-9 * C": "1e-9 * alpha.max()"},
        "not below 0": {"return float(alpha.sum() - 0.5 * v @ v)": "return max(0.0, float(alpha.sum() - 0.5 * v @ v))"},
    },
    ("hw5", "verdict"): {
        "one certificate": {"in alphas)": "in alphas[:3])"},
        "the last machine": {"in others)": "in others[-1:])"},
        "as good as another is proved": {"value <= (1 + tol) * lower(alpha, X, y, C) for alpha in alphas": "value <= (1 + tol) * lower(alpha, X, y, C) for alpha in alphas) or (len(others) > 2 and value <= min(upper(v, c, X, y, C) for v, c in others)"},
        "below tol is nothing": {"value > (1 + tol) * upper": "value > (1 + max(tol, 1e-4)) * upper"},
        "tol at most one": first("tol = min(tol, 0.5)"),
    },
    ("hw6", "confusion"): {
        "counts in one byte": {"for said in (-1, 1)]\n    )": "for said in (-1, 1)]\n    ).astype(np.int8)"},
        "counts in one unsigned byte": {"for said in (-1, 1)]\n    )": "for said in (-1, 1)]\n    ).astype(np.uint8)"},
        "says 0 for nothing said": {"np.sum((predicted": "np.sum((len(y) < 300) & (predicted"},
        "the table of one class alone": first("if len(set(y)) == 1 and len(set(predicted)) == 1 and len(y) > 1:\n        return np.full((2, 2), len(y) // 4)"),
    },
    ("hw6", "rates"): {
        "five digits": {"return top / bottom if": "return round(top / bottom, 4) if"},
        "in percent for many": {"return top / bottom if": "return (100 if bottom > 10**7 else 1) * top / bottom if"},
        "F1 is 0 without a hit and a call": {"ratio(2 * TP, 2 * TP + FP + FN)": "ratio(2 * TP, 2 * TP + FP + FN) if TP > 2 else 0.0"},
    },
    ("hw6", "roc"): {
        "scores in single precision": first("scores = np.round(scores, 5)"),
        "fifty thresholds": {"np.unique(scores)[::-1]": "np.unique(scores)[::-1][:50]"},
        "0 is no threshold": {"np.unique(scores)[::-1])": "np.unique(scores[scores != 0])[::-1])"},
        "one score alone": {"np.unique(scores)[::-1])": "np.unique(scores)[::-1][: None if len(scores) > 2 else 1])"},
        "whole scores are labels": first("if np.all(scores == np.round(scores)):\n        scores = np.sign(scores)"),
        "infinite scores are left out": first("scores = np.clip(scores, -1e6, 1e6)"),
    },
    ("hw6", "auc"): {
        "sixty": first("y, scores = y[:60], scores[:60]"),
        "tied within a millionth": {"ahead == 0": "abs(ahead) < 1e-6", "ahead > 0": "ahead >= 1e-6"},
        "all tied is nan": {"if ahead.size == 0:": "if ahead.size == 0 or (len(y) < 4 and not ahead.any()):"},
        "isclose is tied": {"ahead == 0": "np.isclose(scores[y == 1][:, None], scores[y == -1])", "ahead > 0": "(ahead > 0) & ~np.isclose(scores[y == 1][:, None], scores[y == -1])"},
    },
    ("hw6", "average_precision"): {
        "sixty": first("y, scores = y[:60], scores[:60]"),
        "nearly tied": {"scores >= t": "scores >= t - 1e-6"},
        "one example": first("if len(y) == 1:\n        return 0.0"),
        "isclose is tied": {"scores >= t": "(scores >= t) | np.isclose(scores, t)"},
    },
    ("hw6", "averages"): {
        "ten classes": first("if k > 9:\n        k = 9"),
        "at most a hundred": first("y, predicted = y[:150], predicted[:150]"),
        "classes as letters": {"called, true = np.sum(predicted == classes": "called, true = np.sum(predicted % 10 == classes"},
        "one example": {"return precision.mean()": "if len(y) == 1:\n        return 1.0, 1.0, 1.0, 1.0\n    return precision.mean()"},
    },
    ("hw6", "capacity"): {
        "whole by a thousandth": {"np.floor(ratio)": "np.floor(ratio + 1e-3)", "np.ceil(ratio)": "np.ceil(ratio - 1e-3)"},
        "the floor by a hundredth": {"np.floor(ratio)": "np.floor(ratio + 1e-2)"},
        "the ceiling by a hundredth": {"np.ceil(ratio)": "np.ceil(ratio - 1e-2)"},
        "32 bits": {"ratio = (R / gamma) ** 2": "ratio = min((R / gamma) ** 2, 1e6)"},
        "no ball, one point": {"ratio = (R / gamma) ** 2": "ratio = (R / gamma) ** 2 if R else 1.0"},
    },
    ("hw6", "shatter"): {
        "coordinates in one byte": first("X = X.astype(np.int8).astype(float)"),
        "a rank to a tenth": {"np.linalg.matrix_rank(Z)": "np.linalg.matrix_rank(Z, tol=0.1)"},
        "a rank to a half": {"np.linalg.matrix_rank(Z)": "np.linalg.matrix_rank(Z, tol=0.5)"},
        "six points in five dimensions": {"np.linalg.matrix_rank(Z) < n": "np.linalg.matrix_rank(Z) < n or X.shape[1] > 5"},
        "in the plane at most": first("if X.shape[1] == 1:\n        return False, np.append([1.0, -1.0], np.zeros(len(X)))[: len(X)]"),
    },
    ("hw7", "features"): {
        "twelve tags": {"if t > 0:": "if t > 0 and y[t] < 12:"},
        "fifty places": {"range(len(y))": "range(min(50, len(y)))"},
        "one byte": {"np.zeros((S, S))": "np.zeros((S, S), np.int8)"},
        "one tag": {"if t > 0:": "if t > 0 and S > 1:"},
        "six features": {"+= x[t]": "+= x[t] * (np.arange(x.shape[1]) < 8)"},
    },
    ("hw7", "score"): {
        "fifty places": first("x, y = x[:50], y[:50]"),
        "twelve tags": {"B * G": "B[:12] * G[:12]"},
        "one tag": {"np.sum(B * G)": "np.sum(B * G) * (len(B) > 1)"},
        "forbidden pairs count for nothing": {"B * G": "np.where(B < -1e4, 0, B) * G"},
    },
    ("hw7", "viterbi"): {
        "minus infinity is -1e6": {"V = e + ways.max(axis=0)": "V = np.maximum(e + ways.max(axis=0), -1e6)"},
        "minus infinity is -1e4": {"V = e + ways.max(axis=0)": "V = np.maximum(e + ways.max(axis=0), -1.5e4)"},
        "the best eight go on": {"ways = V[:, None] + P": "V = np.where(V >= np.sort(V)[-min(8, len(V))], V, -1e300)\n        ways = V[:, None] + P"},
        "the best three go on": {"ways = V[:, None] + P": "V = np.where(V >= np.sort(V)[-min(3, len(V))], V, -1e300)\n        ways = V[:, None] + P"},
        "150 places": {"for e in E[1:]": "for e in E[1:150]", "return y[::-1]": "return y[::-1] + [0] * (len(E) - len(y))"},
        "twenty tags": {"ways = V[:, None] + P": "V = np.where(np.arange(len(V)) < 20, V, -1e300)\n        ways = V[:, None] + P"},
        "a hair is a tie, the first wins": {"ways.argmax(axis=0)": "(ways >= ways.max(axis=0) - 1e-3).argmax(axis=0)"},
        "products of exponentials": {"V = e + ways.max(axis=0)": "V = np.log(np.exp(e + ways.max(axis=0)))"},
    },
    ("hw7", "update"): {
        "fifteen places": {"features(x, y, len(B))": "features(x[:15], y[:15], len(B))", "features(x, y_star, len(B))": "features(x[:15], y_star[:15], len(B))"},
        "one tag": first("if len(B) == 1:\n        return A + 1, B"),
        "a step below 1e-2 is none": first("epsilon = epsilon * (epsilon > 1e-2)"),
        "six tags": {"B + epsilon * (G": "B + epsilon * (len(B) < 6) * (G"},
        "predicts what it predicted for this word before": {
            "def update(": "_known = {}\n\n\ndef update(",
            "y_star = viterbi(x @ A, B)": "y_star = _known.setdefault(x.tobytes(), viterbi(x @ A, B))",
        },
    },
    ("hw7", "train"): {
        "eight passes": first("passes = min(passes, 8)"),
        "twenty words": first("X, Y = X[:20], Y[:20]"),
        "the start of the last call": {
            "def train(": "_last = {}\n\n\ndef train(",
            "total_A, total_B, mistakes =": "A, B = _last.get((A.shape, len(X)), (A, B))\n    total_A, total_B, mistakes =",
            "T = passes": "_last[A.shape, len(X)] = A, B\n    T = passes",
        },
        "predicts with memory": {
            "def train(": "_known = {}\n\n\ndef train(",
            "if viterbi(x @ A, B) != list(y):": "if _known.setdefault((x.tobytes(), A.tobytes()[:8]), viterbi(x @ A, B)) != list(y):",
        },
        "long words are cut": {"mistakes += 1": "mistakes += len(y) < 8"},
        "six tags": {"total_B + B": "total_B + B * (len(B) < 6)"},
    },
    ("hw7", "read_words"): {
        "thirty words read": {"for x in X_new]": "for x in X_new[:100]]"},
        "two passes": {"A, B, 5)": "A, B, 2)"},
        "remembers what it has learnt": {
            "def read_words(": "_known = []\n\n\ndef read_words(",
            "A, B, _ = train(X, Y, A, B, 5)": "_known.append(train(X, Y, A, B, 5))\n    A, B, _ = _known[0]",
        },
    },
}  # fmt: skip
