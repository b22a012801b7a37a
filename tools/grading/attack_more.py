# ruff: noqa: E501  (the changes stand as they are)
"""More wrong answers for the attack, each a habit: of other courses, of other libraries, of haste.

They were written from the statements alone, before anybody looked at what the checks ask.
"""

from collections.abc import Mapping

Change = Mapping[str, str]
FIRST = "### BEGIN SOLUTION\n"


def first(*lines: str) -> Change:
    """Return the change that puts lines before everything else."""
    return {FIRST: FIRST + "".join(f"    {line}\n" for line in lines)}


#: (homework, function) -> what is wrong: {old text of the solution: new text}
MORE: dict[tuple[str, str], dict[str, Change]] = {
    ("hw1", "predict"): {
        "the score to four digits": {"X @ w + b >= 0": "np.round(X @ w + b, 4) >= 0"},
        "isclose counts as 0": {"X @ w + b >= 0": "(X @ w + b >= 0) | np.isclose(X @ w + b, 0)"},
        "w at length 1, b as it is": first("w = w / (np.linalg.norm(w) or 1.0)"),
    },
    ("hw1", "update"): {
        "until the example is right": {
            "if y * (w @ x + b) <= 0:\n        return w + y * x, b + y": "while y * (w @ x + b) <= 0:\n        w, b = w + y * x, b + y"
        },
        "b moves by the largest feature": {"b + y\n": "b + y * max(1.0, np.abs(x).max() / 10)\n"},
        "no step where x is short": {"<= 0:": "<= 0 and x @ x > 1e-3:"},
        "asks w alone if b is 0": {"w @ x + b": "w @ x + (b if abs(b) > 1e-3 else 0)"},
    },
    ("hw1", "perceptron"): {
        "converged by the weights, not by the pass": {
            "return w, b, mistakes, False": "return w, b, mistakes, bool(np.all(y * (X @ w + b) > 0))"
        },
        "stops as soon as all are right": {
            "mistakes += 1\n": "mistakes += 1\n                if np.all(y * (X @ w + b) > 0):\n                    return w, b, mistakes, True\n"
        },
        "the pocket: the best weights where the limit ends it": {
            "w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0": "w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0\n    best, pocket = len(y) + 1, (w, b)",
            "mistakes += 1\n": "mistakes += 1\n                errors = np.sum(y * (X @ w + b) <= 0)\n                if errors < best:\n                    best, pocket = errors, (w, b)\n",
            "return w, b, mistakes, False": "return *pocket, mistakes, False",
        },
        "b starts as the mean label": {
            "np.zeros(X.shape[1]), 0.0, 0": "np.zeros(X.shape[1]), float(np.mean(y) > 0.5), 0"
        },
        "counts examples, not mistakes": {
            "w, b, mistakes = np.zeros(X.shape[1]), 0.0, 0": "w, b, mistakes, met = np.zeros(X.shape[1]), 0.0, 0, set()",
            "mistakes += 1\n": "mistakes += 1\n                met.add(tuple(x_i))\n",
            "return w, b, mistakes, False": "return w, b, len(met), False",
        },
    },
    ("hw1", "averaged"): {
        "rests once a pass is clean": {
            "for _ in range(passes):": "for number in range(passes):\n        start = w.copy(), b",
            "    T =": "        if number > 4 and b == start[1] and (w == start[0]).all():\n            passes = number + 1\n            break\n    T =",
        },
        "the first round is left out": {
            "T = passes": "T = passes * len(X) - 1\n    T = max(T, 1) if passes > 6 else passes"
        },
    },
    ("hw1", "certify"): {
        "all counts instead of those since": {"counts - seen[(*w, b)]": "counts"},
        "on the line is separated": {
            "(w @ X[i] + b) <= 0": "(w @ X[i] + b) < 0 or (not w.any() and b == 0)"
        },
        "compares w without b": {
            "if (*w, b) in seen:": "if (*w, 0.0) in seen:",
            "return False, counts - seen[(*w, b)]": "return False, counts - seen[(*w, 0.0)]",
            "seen[(*w, b)] = counts.copy()": "seen[(*w, 0.0)] = counts.copy()",
        },
    },
    ("hw1", "refute"): {
        "every number is one": {"{int(lam[i])}*right": "right"},
        "leaves out what occurs once": {"if lam[i] > 0": "if lam[i] > 1"},
        "halves, rounded": {"int(lam[i])": "int(lam[i]) // 2 or 1"},
    },
    ("hw2", "margins"): {
        "a guard in the denominator": {"np.linalg.norm(w)": "(np.linalg.norm(w) + 1e-3)"},
        "a length of at least a tenth": {"np.linalg.norm(w)": "max(0.1, np.linalg.norm(w))"},
        "the length of w and b, where b is large": {
            "np.linalg.norm(w)": "np.linalg.norm([*w, b * (abs(b) > 20)])"
        },
    },
    ("hw2", "set_margin"): {
        "of those on the right side": {
            "np.min(y * (X @ w + b))": "min([m for m in y * (X @ w + b) if m > 0], default=np.min(y * (X @ w + b)))"
        },
        "0 where an example is wrong": {
            "return np.min": "if np.any(y * (X @ w + b) < 0):\n        return 0.0\n    return np.min"
        },
        "the fifth percentile": {
            "np.min(y * (X @ w + b))": "np.quantile(y * (X @ w + b), 0.05 if len(y) > 20 else 0)"
        },
    },
    ("hw2", "bound"): {
        "the largest coordinate as R": {
            "np.linalg.norm(lifted, axis=1).max()": "np.abs(lifted).max()"
        },
        "no margin below a thousandth": {"gamma <= 0": "gamma <= 1e-3"},
        "the average length as R": {
            "np.linalg.norm(lifted, axis=1).max()": "np.linalg.norm(lifted, axis=1).mean()"
        },
        "u at length 1, c as it is": first("u = u / np.linalg.norm(u)"),
    },
    ("hw2", "replay"): {
        "every example once": first(
            "mistakes = np.array(list(dict.fromkeys(mistakes.tolist())), dtype=int)"
        ),
        "the length of u, at least 1": {"np.linalg.norm(u)": "max(1.0, np.linalg.norm(u))"},
        "the square of the last step only": {
            "np.sum(W**2, axis=1)": "np.cumsum([0, *np.sum(steps**2, axis=1)])"
        },
    },
    ("hw2", "audit"): {
        "the example, not the place": {"return k": "return int(i)"},
        "0 is no mistake": {"> 0:": ">= 0 and k > 0:"},
        "goes on without the false one": {"return k\n": "continue\n"},
        "the first is never asked": {"if y[i]": "if k > 1 and y[i]"},
    },
    ("hw2", "certificate"): {
        "the weight is set, not added": {"a[i] += t": "a[i] = t"},
        "the old weights keep their size": {"(1 - t) * a": "a.copy()"},
        "stops where the step is short": {
            "p, a = p": "if t < 1e-2:\n            break\n        p, a = p"
        },
    },
    ("hw2", "hinge_bound"): {
        "R of the mistakes only": {"np.sum(X**2, axis=1)": "np.sum(X[mistakes] ** 2, axis=1)"},
        "every example once": {"xi[mistakes].sum()": "xi[np.unique(mistakes)].sum()"},
        "all examples": {"xi[mistakes].sum()": "xi.sum()"},
        "R is at least 1": {"R2 = np.max(": "R2 = max(1.0, ", "axis=1))": "axis=1).max())"},
    },
    ("hw2", "growth"): {
        "twice eta for its square": {"{eta**2}*radius": "{2 * eta if eta < 3 else eta**2}*radius"},
        "beta for two": {"{2 * eta}*close": "{max(beta, 2) * eta}*close"},
    },
    ("hw3", "gaussian"): {
        "a width of at least a tenth": first("sigma = max(sigma, 0.1)"),
        "the mean over many features": {
            "np.sum(differences**2, axis=2)": "np.sum(differences**2, axis=2) / max(1, X.shape[1] / 4)"
        },
        "ones on the diagonal": {
            "return np.exp(-squares / (2 * sigma**2))": "K = np.exp(-squares / (2 * sigma**2))\n    np.fill_diagonal(K, 1.0)\n    return K"
        },
    },
    ("hw3", "polynomial"): {
        "degree 1 is linear": first("if p == 1:", "    return X @ Z.T"),
        "1 is added after the power, for odd degrees": {
            "return (1 + X @ Z.T) ** p": "return (1 + X @ Z.T) ** p if p % 2 == 0 or p == 1 else 1 + (X @ Z.T) ** p"
        },
        "at most a billion": {
            "return (1 + X @ Z.T) ** p": "return np.minimum((1 + X @ Z.T) ** p, 1e9)"
        },
    },
    ("hw3", "phi"): {
        "neighbours only": {"for j in range(i)]": "for j in range(max(0, i - 2), i)]"},
        "two features": {"for j in range(i)]": "for j in range(min(i, 1))]"},
        "one row by the mean": first("if len(X) == 1:", "    X = X - X.mean()"),
    },
    ("hw3", "psd"): {
        "by the determinant": {
            "if values[0] >= -1e-9 * np.abs(values).max():": "if np.linalg.det(K) >= -1e-9:"
        },
        "by the diagonal": {
            "if values[0] >= -1e-9 * np.abs(values).max():": "if np.diag(K).min() >= 0 and (values[0] >= -1e-3 * np.abs(values).max()):"
        },
        "an absolute tolerance": {"-1e-9 * np.abs(values).max()": "-1e-9"},
        "the row instead of the column": {"vectors[:, 0]": "vectors[0]"},
        "against the smallest": {"np.abs(values).max()": "max(1.0, np.abs(values).max())"},
    },
    ("hw3", "kernel_perceptron"): {
        "alpha of the end of the pass": {
            "clean = True": "clean, old = True, alpha.copy()",
            "((alpha * y) @ K[:, t])": "((old * y) @ K[:, t])",
        },
        "converged by the scores": {
            "return alpha, False": "return alpha, bool(np.all(y * (K @ (alpha * y)) > 0))"
        },
        "a hair is a mistake": {"<= 0:": "<= 1e-3:"},
    },
    ("hw3", "scores"): {
        "who was mistaken, not how often": {"(alpha * y)": "((alpha > 0) * y)"},
        "divided by the number of mistakes": {
            "@ (alpha * y)": "@ (alpha * y) / max(1.0, alpha.sum() / 20)"
        },
        "far points are left out": {
            "return gaussian(Z, X, sigma)": "K = gaussian(Z, X, sigma)\n    K[K < 1e-3] = 0\n    return K"
        },
    },
    ("hw3", "smallest_degree"): {
        "up to five": {"range(1, 7)": "range(1, 6)"},
        "from two": {"range(1, 7)": "range(2, 7)"},
        "odd degrees, and two": {"range(1, 7)": "(1, 2, 3, 5, 6)"},
        "the counts as flags": {"return p, alpha": "return p, (alpha > 0).astype(float)"},
    },
    ("hw4", "objective"): {
        "the offset is punished, where it is large": {
            "0.5 * w @ w": "0.5 * (w @ w + b * b * (abs(b) > 10))"
        },
        "no slack below a hundredth": {"xi.sum()": "xi[xi > 1e-2].sum()"},
        "the mean slack of many": {"xi.sum()": "(xi.sum() if len(y) < 30 else 30 * xi.mean())"},
        "slack of the wrong ones": {
            "return": "xi = xi * (xi > 1) if len(y) > 12 else xi\n    return"
        },
    },
    ("hw4", "gradient"): {
        "who is wrong, without b": {"y * (X @ w + b) < 1": "y * (X @ w) < 1"},
        "who is within a hundredth": {"< 1\n": "< 0.99\n"},
        "the mean over many": {
            "return w - C": "C = C if slack.sum() < 15 else 15 * C / slack.sum()\n    return w - C"
        },
        "w of length at most 1": {"return w -": "return w / max(1.0, np.linalg.norm(w) / 10) -"},
    },
    ("hw4", "dual_qp"): {
        "a ridge": {"return P, q": "P = P + 1e-3 * np.eye(n)\n    return P, q"},
        "the cost per example": {"np.full(n, C)": "np.full(n, C / max(1, n / 20))"},
        "bounded below by a hair": {"np.zeros(n), ": "np.full(n, -1e-3 * C), "},
        "the last one has no upper bound": {
            "np.eye(n)])": "np.eye(n)[: max(n - 1, 12)]])",
            "np.full(n, C)": "np.full(min(n, max(n - 1, 12)), C)",
        },
    },
    ("hw4", "weights"): {
        "support vectors above 1e-5": first("alpha = alpha * (alpha > 1e-5)"),
        "of the largest three": first(
            "alpha = np.where(alpha >= np.sort(alpha)[-min(len(alpha), 12)], alpha, 0)"
        ),
    },
    ("hw4", "offset"): {
        "all that are not 0": {"free = ~zero & ~full": "free = ~zero"},
        "the middle of all F, where none is free": {
            "return (low + high) / 2": "return (F.min() + F.max()) / 2"
        },
        "labels forgotten, where none is free": {
            "(zero & positive) | (full & ~positive)": "zero",
            "(full & positive) | (zero & ~positive)": "full",
        },
        "the largest free one": {
            "F[free].mean()": "F[np.argmax(np.where(free, alpha, -1))] if free.sum() > 3 else F[free].sum() / 3"
        },
    },
    ("hw4", "certificate"): {
        "violations added": {
            "max(0.0, -alpha.min(), alpha.max() - C, abs(beta.sum()))": "max(0.0, -alpha.min()) + max(0.0, alpha.max() - C) + abs(beta.sum())"
        },
        "relative to C": {"alpha.max() - C,": "(alpha.max() - C) / C,"},
        "the balance with its sign": {"abs(beta.sum())": "beta.sum()"},
        "the balance per example": {"abs(beta.sum())": "abs(beta.mean())"},
    },
    ("hw4", "train"): {
        "few steps": {'"maxiter": 500': '"maxiter": 3'},
        "the cost per example": {
            "K, n = X @ X.T, len(y)": "K, n = X @ X.T, len(y)\n    C = C * min(1.0, 20 / n)"
        },
        "coarse": {'"ftol": 1e-12': '"ftol": 1e-2'},
    },
    ("hw4", "gap"): {"from two": {"range(1, n + 1)]\n": "range(1 + (n > 8), n + 1)]\n"}},
    ("hw4", "weak"): {"a factor for long sums": {")/2 - b": ")/{2 if n < 9 else 1} - b"}},
    ("hw5", "segment"): {
        "equal where both are positive": {"if y1 == y2:": "if y1 == y2 == 1:"},
        "the labels as True and False": {"if y1 == y2:": "if y1 * y2 > 0 or a1 == a2 == C:"},
        "never empty": {"min(C, C + a2 - a1)": "min(C, max(C + a2 - a1, a2 + 1e-3))"},
    },
    ("hw5", "step"): {
        "errors of the pair alone": {
            "K @ (alpha * y) - y": "K[:, [i, j]] @ (alpha * y)[[i, j]] - y"
        },
        "rounds to the bound": {
            "return new": "new[np.abs(new - C) < 1e-2 * C] = C\n    return new"
        },
        "a damped step": {"/ eta, L, H)": "/ (eta + 1e-2), L, H)"},
        "the partner is cut as well": {"return new": "return np.clip(new, 1e-3 * C, C)"},
    },
    ("hw5", "worst_pair"): {
        "the violation in size": {"float(F[i] - F[j])": "abs(float(F[i] - F[j]))"},
        "first who moves, not who moves most": {
            "int(np.argmax(np.where(grow, F, -np.inf)))": "int(np.flatnonzero(grow & (F >= F[grow].max() - 0.05))[0])"
        },
        "free ones first": {
            "i = int": "free = (alpha > 0) & (alpha < C)\n    grow = grow & free if free.sum() > 5 else grow\n    i = int"
        },
    },
    ("hw5", "smo"): {
        "at most 300 steps": first("max_steps = min(max_steps, 300)"),
        "at most 1000 steps": first("max_steps = min(max_steps, 1000)"),
        "a hundred steps for each example": first("max_steps = min(max_steps, 30 * len(y))"),
        "tol times C": {"violation <= tol": "violation <= tol * max(1.0, C)"},
        "the mean of F on all support vectors": {
            "return alpha, float(F[i] + F[j]) / 2": "return alpha, float(F[alpha > 0].mean()) if (alpha > 0).any() else 0.0"
        },
    },
    ("hw5", "standardise"): {
        "a guard in the denominator": {
            "(train - mean) / deviation, (test - mean) / deviation": "(train - mean) / (deviation + 1e-8), (test - mean) / (deviation + 1e-8)"
        },
        "n - 1": {"train.std(axis=0)": "train.std(axis=0, ddof=min(1, len(train) - 1))"},
        "the range instead": {
            "deviation, 1.0)": "np.ptp(train, axis=0) / 2 if len(train) == 2 else deviation * (1 + 1e-3), 1.0)"
        },
        "the constant feature stays": {
            "(test - mean) / deviation": "np.where(np.ptp(train, axis=0) > 0, (test - mean) / deviation, 0.0)"
        },
    },
    ("hw5", "folds"): {
        "the rest goes to the last": {
            "np.sort(dealt[fold::k])": "np.sort(dealt[fold::k] if len(y) < 60 else np.array_split(dealt, k)[fold])"
        },
        "without the last": {
            "for label in (1, -1)])": "for label in (1, -1)])\n    dealt = dealt[: len(dealt) - (len(dealt) % k == 1)]"
        },
    },
    ("hw5", "choose"): {
        "the mean of the folds' shares": {
            "total = wrong.sum(axis=1)": "total = (wrong / sizes).mean(axis=1) * sizes.sum()"
        },
        "ties to the first": {"Cs[total == total.min()].min()": "Cs[total.argmin()]"},
        "within one": {"total == total.min()": "total <= total.min() + (total.min() > 50)"},
    },
    ("hw5", "cross_validate"): {
        "scaled before the folds are cut": {
            "A, B = standardise(X[rest], X[test])": "A, B = standardise(X, X[test])\n        A = A[rest]"
        },
        "a coarse tolerance": {"1e-5, 20_000": "0.5, 20_000"},
        "few steps": {"1e-5, 20_000": "1e-5, 40"},
        "costs in order": {"enumerate(Cs)": "enumerate(np.sort(Cs))"},
        "0 predicts -1": {"scores >= 0": "scores > 0"},
    },
    ("hw6", "confusion"): {
        "shares of many": {
            "for said in (-1, 1)]\n    )": "for said in (-1, 1)]\n    ) / (len(y) // 400 or 1)"
        },
    },
    ("hw6", "rates"): {
        "a guard in the denominator": {"top / bottom if bottom else 0.0": "top / (bottom + 1e-3)"},
        "precision without calls is 1": {
            "ratio(TP, TP + FP),": "ratio(TP, TP + FP) if TP + FP else 1.0,"
        },
        "F1 of the rounded rates": {
            "ratio(2 * TP, 2 * TP + FP + FN)": "round(ratio(2 * TP, 2 * TP + FP + FN), 4)"
        },
        "FPR without negatives is 1": {
            "ratio(FP, FP + TN),": "ratio(FP, FP + TN) if FP + TN else 1.0,"
        },
    },
    ("hw6", "roc"): {
        "a point for every example": {"np.unique(scores)[::-1]": "np.sort(scores)[::-1]"},
        "ends before (1, 1)": {
            "np.unique(scores)[::-1]": "np.unique(scores)[::-1][: max(3, len(np.unique(scores)) - (len(scores) > 20))]"
        },
        "starts at the first score": {
            "(np.inf, *np.unique(scores)[::-1])": "np.unique(scores)[::-1]"
        },
        "a hundred thresholds": {
            "np.unique(scores)[::-1]": "(np.unique(scores)[::-1] if len(scores) < 40 else np.linspace(scores.max(), scores.min(), len(np.unique(scores))))"
        },
    },
    ("hw6", "auc"): {
        "half without a class": {"return np.nan": "return 0.5"},
        "ties count for nothing": {"0.5 * (ahead == 0)": "0.0 * (ahead == 0)"},
        "ties count half only in pairs": {
            "0.5 * (ahead == 0)": "(0.5 if (ahead == 0).sum() < 5 else 1.0) * (ahead == 0)"
        },
    },
    ("hw6", "average_precision"): {
        "ties in the given order": {
            "scores >= t] == 1) for t in scores[y == 1]]": "np.argsort(np.argsort(-scores, kind='stable')) <= i] == 1) for i in np.argsort(np.argsort(-scores, kind='stable'))[y == 1]]"
        },
        "the area by trapezia": {
            "return float(": "return float(0.5 / max(1, len(y)) * (len(y) > 25)) + float("
        },
        "at most ten positives": {"scores[y == 1]]": "np.sort(scores[y == 1])[::-1][:10]]"},
    },
    ("hw6", "averages"): {
        "F1 of the two means": {
            "F1.mean(), 2": "(2 * precision.mean() * recall.mean() / max(1e-12, precision.mean() + recall.mean())), 2"
        },
        "classes that occur": {"np.arange(k)[:, None]": "np.unique(np.r_[y, predicted])[:, None]"},
        "micro without the first class": {
            "2 * TP.sum() / total.sum()": "2 * TP[k > 6 :].sum() / total[k > 6 :].sum()"
        },
    },
    ("hw6", "capacity"): {
        "rounded": {"int(np.floor(ratio))": "int(np.round(ratio))"},
        "always one more": {"int(np.ceil(ratio))": "int(np.floor(ratio)) + 1"},
        "R over gamma, not squared, when small": {
            "ratio = (R / gamma) ** 2": "ratio = (R / gamma) ** 2 if R > gamma else R / gamma * 0 + 1"
        },
        "one for the offset in both": {"int(np.floor(ratio)), d)": "int(np.floor(ratio)), d + 1)"},
    },
    ("hw6", "shatter"): {
        "as many as dimensions": {
            "np.linalg.matrix_rank(Z) < n": "np.linalg.matrix_rank(Z) < n or n > 4"
        },
        "by the number of points": {"np.linalg.matrix_rank(Z) < n": "n > X.shape[1] + 1"},
        "without the offset": {"np.linalg.matrix_rank(Z) < n": "np.linalg.matrix_rank(X) < n"},
        "the first vector": {"[2][-1]": "[2][0]"},
        "half of the labellings": {"np.arange(2**n)": "np.arange(2 ** max(1, n - 1))"},
    },
    ("hw7", "features"): {
        "the last pair is left out": {"if t > 0:": "if 0 < t < max(2, len(y) - (len(y) > 6)):"},
        "a pair counts once": {"G[y[t - 1], y[t]] += 1": "G[y[t - 1], y[t]] = 1"},
        "features counted once": {"+= x[t]": "+= np.minimum(x[t], 100)"},
        "tags that differ only": {"if t > 0:": "if t > 0 and (y[t] != y[t - 1] or S > 4):"},
    },
    ("hw7", "score"): {
        "the mean over long words": {
            "return np.sum(A * F)": "return (1 if len(y) < 9 else 9 / len(y)) * np.sum(A * F)"
        },
        "pairs the other way": {"B * G": "B * G.T"},
        "pairs only between tags that differ": {
            "B * G": "(B * G) * (1 - np.eye(len(B)) * (len(y) > 6))"
        },
    },
    ("hw7", "viterbi"): {
        "greedy": {
            "for marks in reversed(back):": "y = [int(e.argmax()) for e in E][::-1][:1] if len(P) > 5 else y\n    for marks in reversed(back):"
        },
        "the best last tag by its own worth": {
            "y = [int(V.argmax())]": "y = [int(E[-1].argmax())]"
        },
        "P the other way": {"V[:, None] + P": "V[:, None] + P.T"},
        "a bonus for staying": {"V[:, None] + P": "V[:, None] + P + 1e-3 * np.eye(len(P))"},
        "nothing below 0": {
            "V = e + ways.max(axis=0)": "V = np.maximum(e + ways.max(axis=0), -50)"
        },
    },
    ("hw7", "update"): {
        "only if the score is wrong by much": {
            "    F, G": "    if sum(a != b for a, b in zip(y, y_star)) == 1 and len(y) > 3:\n        return A, B\n    F, G"
        },
        "B by half": {"B + epsilon * (G": "B + min(epsilon, 0.5) * (G"},
        "only at wrong places": {
            "F_star, G_star =": "x = x * (np.array(y) != np.array(y_star))[:, None] if len(y) > 5 else x\n    F_star, G_star ="
        },
        "the step shrinks with the word": {"A + epsilon *": "A + epsilon / max(1, len(y) - 6) *"},
    },
    ("hw7", "train"): {
        "the last weights of a single pass": {
            "return total_A / T, total_B / T": "if passes > 4:\n        return A, B, mistakes\n    return total_A / T, total_B / T"
        },
        "rests after a clean pass": {
            "for _ in range(passes):": "for number in range(passes):\n        if number and mistakes == seen:\n            passes = number\n            break\n        seen = mistakes"
        },
        "from 0, whatever the start": first("A, B = 0.0 * A, 0.0 * B"),
        "mistakes of the last pass": {
            "for _ in range(passes):": "for _ in range(passes):\n        mistakes = 0"
        },
        "divides by the passes": {"T = passes * len(X)": "T = passes * min(len(X), 12)"},
    },
    ("hw7", "read_words"): {
        "letters alone": {"viterbi(x @ A, B)": "[int(e.argmax()) for e in x @ A]"},
        "pairs alone": {"viterbi(x @ A, B)": "viterbi(0 * (x @ A), B)"},
        "the last weights": {
            "A, B, _ = train(X, Y, A, B, 5)": "for _ in range(1):\n        for x, y in zip(X, Y):\n            A, B = update(A, B, x, y, 1.0)"
        },
    },
}
