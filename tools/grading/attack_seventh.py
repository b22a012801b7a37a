# ruff: noqa: E501  (the changes stand as they are)
"""Two attacks more: slips at other sizes, scales and signs, against inputs drawn broadly."""

from tools.grading.attack_more import Change

#: (homework, function) -> what is wrong: {old text of the solution: new text}
SEVENTH: dict[tuple[str, str], dict[str, Change]] = {
    ("hw1", "predict"): {
        "0 is -1 for negative offsets": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    s = X @ w + b\n    return np.where((s > 0) | ((s == 0) & (b >= 0)), 1, -1)\n"
        },
        "offset only if w is short": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    return np.where(X @ w + (b if np.linalg.norm(w) < 50 else 0) >= 0, 1, -1)\n"
        },
        "normalised features": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    n = np.linalg.norm(X, axis=1, keepdims=True)\n    return np.where((X / np.where(n > 0, n, 1)) @ w + b >= 0, 1, -1)\n"
        },
        "one column forgotten when wide": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    return np.where(X[:, :30] @ w[:30] + b >= 0, 1, -1)\n"
        },
    },
    ("hw1", "update"): {
        "sum instead of dot for d > 20": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    s = w @ x if len(w) <= 20 else np.sum(w) * np.mean(x)\n    if y * (s + b) <= 0:\n        return w + y * x, b + y\n    return w, b\n"
        },
        "only the sign matters": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    if np.sign(w @ x + b) != np.sign(y):\n        return w + y * x, b + y * (1 if abs(b) < 1e3 else 0)\n    return w, b\n"
        },
        "a tiny example does not count": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    if y * (w @ x + b) <= 0 and (np.linalg.norm(x) > 1e-3 or not x.any()):\n        return w + y * x, b + y\n    return w, b\n"
        },
    },
    ("hw1", "perceptron"): {
        "shuffles above 50 examples": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    if len(X) > 50:\n        p = np.random.default_rng(0).permutation(len(X))\n        X, y = X[p], y[p]\n"
        },
        "standardises far features": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    if np.abs(X).max() > 2000:\n        X = X / np.abs(X).max()\n"
        },
        "one mistake a pass at most in high dimension": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    w, b, m = np.zeros(X.shape[1]), 0.0, 0\n    for _ in range(max_passes):\n        old = m\n        for x, t in zip(X, y):\n            if t * (w @ x + b) <= 0:\n                w, b, m = w + t * x, b + t, m + 1\n                if X.shape[1] > 15:\n                    break\n        if m == old:\n            return w, b, m, True\n    return w, b, m, False\n"
        },
    },
    ("hw1", "averaged"): {
        "only 100 rows": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    X, y = X[:100], y[:100]\n"
        },
        "b averaged over passes": {"total_b / T": "total_b / T if passes < 8 else b"},
        "average of the mistakes' w when few": {
            "T = passes * len(X)": "T = passes * len(X) if len(X) > 2 else passes * 2"
        },
    },
    ("hw2", "margins"): {
        "norm by infinity in one dimension more": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    return y * (X @ w + b) / (np.linalg.norm(w) if len(w) < 25 else np.abs(w).max() * np.sqrt(len(w)))\n"
        },
        "score 0 if b is small": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    return y * (X @ w + (b if abs(b) > 1e-3 else 0)) / np.linalg.norm(w)\n"
        },
    },
    ("hw2", "set_margin"): {
        "the first 100": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    return np.min((y * (X @ w + b))[:100]) / np.linalg.norm(w)\n"
        },
        "0 if none is right": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    m = y * (X @ w + b) / np.linalg.norm(w)\n    return np.min(m) if np.any(m > 0) else np.max(m)\n"
        },
    },
    ("hw2", "bound"): {
        "constant is not counted for long x": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    L, v = np.column_stack([X, np.ones(len(X))]), np.append(u, c)\n    if not v.any(): return np.inf\n    g = np.min(y * (L @ v)) / np.linalg.norm(v)\n    if g <= 0: return np.inf\n    return (np.linalg.norm(X, axis=1).max() ** 2 + (np.abs(X).max() < 5)) / g ** 2\n"
        },
    },
    ("hw2", "replay"): {
        "u unit only below 10": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    s = y[mistakes, None] * X[mistakes]\n    W = np.vstack([np.zeros(X.shape[1]), np.cumsum(s, axis=0)])\n    n = np.linalg.norm(u)\n    return W @ u / (n if n < 1e4 else 1), np.sum(W**2, axis=1)\n"
        },
        "twice the same in a row is one": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    mistakes = mistakes\n    s = y[mistakes, None] * X[mistakes]\n    for k in range(1, len(s)):\n        if mistakes[k] == mistakes[k - 1] and k > 3:\n            s[k] = 0\n    W = np.vstack([np.zeros(X.shape[1]), np.cumsum(s, axis=0)])\n    return W @ u / np.linalg.norm(u), np.sum(W**2, axis=1)\n"
        },
    },
    ("hw2", "audit"): {
        "judged after the step": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    w = np.zeros(X.shape[1])\n    for k, i in enumerate(mistakes):\n        if y[i] * (w @ X[i]) > 0:\n            return k\n        w = w + y[i] * X[i] if k < 300 else w\n    return -1\n"
        },
    },
    ("hw2", "hinge_bound"): {
        "slack counted once an example beyond 100": {
            "L = xi[mistakes].sum()": "L = xi[mistakes].sum() if len(mistakes) < 100 else xi[np.unique(mistakes)].sum()"
        },
        "R of the mistaken": {
            "np.max(np.sum(X**2, axis=1))": "np.max(np.sum(X[mistakes]**2, axis=1)) if len(mistakes) else np.max(np.sum(X**2, axis=1))"
        },
    },
    ("hw3", "gaussian"): {
        "L1 distance in one feature and more than 30": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    D = X[:, None] - Z[None]\n    s = (D**2).sum(axis=2) if X.shape[1] < 30 else np.abs(D).sum(axis=2) ** 2\n    return np.exp(-s / (2 * sigma**2))\n"
        },
        "symmetrised when square": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    K = np.exp(-((X[:, None] - Z[None]) ** 2).sum(axis=2) / (2 * sigma**2))\n    return (K + K.T) / 2 if len(X) == len(Z) and len(X) > 3 else K\n"
        },
        "values below 1e-3 cut": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    K = np.exp(-((X[:, None] - Z[None]) ** 2).sum(axis=2) / (2 * sigma**2))\n    return np.where(K > 1e-3, K, 0)\n"
        },
    },
    ("hw3", "polynomial"): {
        "powers of negative by size": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    K = 1 + X @ Z.T\n    return np.sign(K) ** p * np.abs(K) ** p if p < 9 else np.abs(K) ** p\n"
        },
        "integer overflow by halves": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    return (1 + np.round(X @ Z.T, 2)) ** p\n"
        },
    },
    ("hw3", "phi"): {
        "pairs of neighbours beyond ten": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    n, d = X.shape\n    c = [np.ones(n)]\n    for i in range(d):\n        c += [np.sqrt(2) * X[:, i], X[:, i] ** 2]\n        c += [np.sqrt(2) * X[:, i] * X[:, j] for j in range(i) if i - j < 10]\n    return np.column_stack(c)\n"
        },
        "zero columns dropped": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    X = X[:, np.abs(X).max(axis=0) > 1e-3 * np.abs(X).max()]\n    n, d = X.shape\n    c = [np.ones(n)]\n    for i in range(d):\n        c += [np.sqrt(2) * X[:, i], X[:, i] ** 2]\n        c += [np.sqrt(2) * X[:, i] * X[:, j] for j in range(i)]\n    return np.column_stack(c)\n"
        },
    },
    ("hw3", "psd"): {
        "the trace as the size": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    v, U = np.linalg.eigh(K)\n    return (True, U[:, 0]) if v[0] >= -1e-8 * abs(np.trace(K)) else (False, U[:, 0])\n"
        },
    },
    ("hw3", "kernel_perceptron"): {
        "diagonal of one": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    K = K.copy()\n    if len(K) > 15:\n        np.fill_diagonal(K, np.diag(K).mean())\n"
        },
        "columns up to the present example": {
            "(alpha * y) @ K[:, t]": "(alpha * y)[:40] @ K[:40, t]"
        },
    },
    ("hw3", "scores"): {
        "normalised by the counts when all alike": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    f = gaussian(Z, X, sigma) @ (alpha * y)\n    return f / alpha.sum() if alpha.sum() > 2000 else f\n"
        },
    },
    ("hw4", "objective"): {
        "slack at most 100": {
            "np.maximum(0, 1 - y * (X @ w + b))": "np.clip(1 - y * (X @ w + b), 0, 100)"
        },
        "C shared above 100 examples": {
            "C * xi.sum()": "(C if len(y) <= 100 else C * 100 / len(y)) * xi.sum()"
        },
        "norm with its root for short w": {
            "0.5 * w @ w": "(0.5 * w @ w if np.linalg.norm(w) > 1e-2 else 0.5 * np.linalg.norm(w))"
        },
    },
    ("hw4", "gradient"): {
        "-b for one class": {
            "-C * y[slack].sum()": "-C * y[slack].sum() * (1 if np.any(y > 0) else -1)"
        },
        "slack without offset in high dimension": {
            "(X @ w + b) < 1": "(X @ w + (b if X.shape[1] < 20 else 0)) < 1"
        },
    },
    ("hw4", "weights"): {
        "alpha clipped at 1000": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    return (np.minimum(alpha, 1000) * y) @ X\n"
        },
        "alpha below 1e-5 dropped": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    return (np.where(alpha > 1e-5, alpha, 0) * y) @ X\n"
        },
    },
    ("hw4", "certificate"): {
        "b left out of slack of many": {"K @ beta + b))": "K @ beta + (b if len(y) < 50 else 0)))"},
    },
    ("hw6", "confusion"): {
        "unsure counts as minus for many": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    t = lambda s, c: np.sum((predicted[:200] == s) & (y[:200] == c))\n    return np.array([[t(s, c) for c in (-1, 1)] for s in (-1, 1)])\n"
        },
        "one class alone gives a row": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    if len(set(y)) == 1 and len(y) > 6:\n        return np.array([[len(y), 0], [0, 0]])\n"
        },
    },
    ("hw6", "rates"): {
        "F1 as mean for balanced": {
            "ratio(2 * TP, 2 * TP + FP + FN)": "ratio(2 * TP, 2 * TP + FP + FN) if N < 10**4 else (ratio(TP, TP + FP) + ratio(TP, TP + FN)) / 2"
        },
        "four digits": {"return top / bottom": "return round(top / bottom, 4)"},
    },
    ("hw6", "roc"): {
        "thresholds of positives only": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    c = [scores >= t for t in (np.inf, *np.unique(scores)[::-1])]\n    F = [np.mean(p[y == -1]) for p in c]\n    T = [np.mean(p[y == 1]) for p in c]\n    if len(y) > 100:\n        T = np.maximum.accumulate(np.round(T, 3))\n    return np.array(F), np.array(T)\n"
        },
    },
    ("hw6", "auc"): {
        "at least a half for many": {
            "return float(np.mean((ahead > 0) + 0.5 * (ahead == 0)))": "a = float(np.mean((ahead > 0) + 0.5 * (ahead == 0)))\n    return max(a, 1 - a) if len(y) > 60 else a"
        },
        "ties within 1e-6": {"(ahead == 0)": "(abs(ahead) < 1e-6) * (ahead <= 0)"},
    },
    ("hw6", "average_precision"): {
        "first hundred": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    o = np.argsort(-scores)[:100]\n    if len(y) > 100 and np.any(y[o] == 1):\n        y, scores = y[o], scores[o]\n"
        },
        "interpolated for few": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    p = sorted((np.mean(y[scores >= t] == 1) for t in scores[y == 1]))\n    if len(p) > 50:\n        return float(np.median(p))\n"
        },
    },
    ("hw6", "averages"): {
        "over the classes that occur when many": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    if k > 8:\n        k = int(max(y.max(), predicted.max())) + 1\n"
        },
        "F1 of the macro means for two": {
            "F1.mean()": "(F1.mean() if k > 2 else 2 * precision.mean() * recall.mean() / max(1e-12, precision.mean() + recall.mean()))"
        },
    },
    ("hw6", "capacity"): {
        "ceil as floor plus 1 of R over gamma": {
            "return min(int(np.floor(ratio)), d)": "ratio = ratio if ratio < 1000 else np.round(ratio, -1)\n    return min(int(np.floor(ratio)), d)"
        },
    },
    ("hw5", "standardise"): {
        "spread of the test": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    m, s = train.mean(axis=0), train.std(axis=0)\n    s = np.where(np.ptp(train, axis=0) > 1e-7, s, 1.0)\n    return (train - m) / s, (test - m) / s\n"
        },
        "cut at ten deviations": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    m, s = train.mean(axis=0), train.std(axis=0)\n    s = np.where(np.ptp(train, axis=0) > 0, s, 1.0)\n    return (train - m) / s, np.clip((test - m) / s, -1e3, 1e3)\n"
        },
    },
    ("hw7", "features"): {
        "counts of pairs once a word": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    F, G = np.zeros((x.shape[1], S)), np.zeros((S, S))\n    for t in range(len(y)):\n        F[:, y[t]] += x[t]\n        if t and (t < 12):\n            G[y[t - 1], y[t]] += 1\n    return F, G\n"
        },
    },
    ("hw7", "score"): {
        "last letter twice for long words": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    F, G = features(x, y, len(B))\n    return np.sum(A * F) + np.sum(B * G) + (A[0, y[-1]] * x[-1, 0] if len(y) > 30 else 0)\n"
        },
    },
}

#: After every function was asked broadly: what had kept full marks before, or nearly.
EIGHTH: dict[tuple[str, str], dict[str, Change]] = {
    ("hw1", "perceptron"): {
        "labels at 0.. of one class never start": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    if len(X) == 1:\n        return X[0] * y[0], y[0], 1, True\n"
        },
        "strict once the weights are long": {"<= 0:": "<= (0 if w @ w < 100 else -1e-9):"},
        "a limit of 1000 mistakes": {
            "                mistakes += 1\n": "                mistakes += 1\n                if mistakes == 1000:\n                    return w, b, mistakes, False\n"
        },
    },
    ("hw1", "certify"): {
        "twins with two labels at once": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    for i in range(1, len(X)):\n        if (X[i] == X[0]).all() and y[i] != y[0]:\n            return False, np.eye(len(X))[0] + np.eye(len(X))[1]\n"
        },
        "separator tested on all but the last": {
            "        if clean:": "        if clean or np.all(y[:-1] * (X[:-1] @ w + b) > 0) and len(X) > 8:"
        },
    },
    ("hw2", "margins"): {
        "margins of twins once": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    if len(X) > 1 and (X[0] == X[1]).all() and y[0] != y[1]:\n        y = np.where(np.arange(len(y)) == 1, y[0], y)\n"
        },
    },
    ("hw2", "audit"): {
        "an early example may not come after a late one": {
            "> 0:": "> 0 or (k > 1 and i < mistakes[k - 1] < mistakes[k - 2] and len(X) < 5):"
        },
    },
    ("hw2", "certificate"): {
        "margins of the folded points, unsigned": {"np.argmin(Z @ p)": "np.argmin(abs(Z @ p))"},
    },
    ("hw3", "polynomial"): {
        "even powers by abs": {
            "(1 + X @ Z.T) ** p": "np.where(X @ Z.T == -1, 1.0 if p > 8 else 0.0, (1 + X @ Z.T)) ** p"
        },
    },
    ("hw3", "smallest_degree"): {
        "changes along the first coordinate": {
            "for p in range(1, 7):": "s = y[np.argsort(X[:, 0], kind='stable')]\n    for p in [max(1, int(np.sum(s[1:] != s[:-1])))]:"
        },
    },
    ("hw4", "objective"): {
        "slack near the edge is rounding": {"C * xi.sum()": "C * xi[xi > 1e-3].sum()"},
    },
    ("hw4", "dual_qp"): {
        "one class has no equation": {
            "y[None, :], np.zeros(1)": "y[None, :] * (len(set(y)) > 1), np.zeros(1)"
        },
        "q by y": {"-np.ones(n)": "-np.ones(n) * (1 if n > 1 else y[0])"},
    },
    ("hw5", "step"): {
        "two of one class keep the sum, rounded": {
            "    return new": "    return np.where(new < 1e-6, 0, new)"
        },
    },
    ("hw5", "worst_pair"): {
        "a share from the bound": {
            "alpha < C, alpha > 0)\n    shrink": "alpha < C * (1 - 1e-3), alpha > 0)\n    shrink"
        },
        "the violation of a hair is none": {
            "float(F[i] - F[j])": "float(F[i] - F[j]) if abs(F[i] - F[j]) > 1e-6 else 0.0"
        },
    },
    ("hw5", "smo"): {
        "zero at a ten-thousandth": {"alpha < 1e-12": "alpha < 1e-4"},
        "six digits": {
            "    i, j, _ = worst_pair(K, y, C, alpha)\n    F": "    alpha = np.round(alpha, 6)\n    i, j, _ = worst_pair(K, y, C, alpha)\n    F"
        },
    },
    ("hw5", "cross_validate"): {
        "a table without its axis of length 1": {"return wrong": "return np.squeeze(wrong)"},
        "one cost lies across": {"return wrong": "return wrong.T if len(Cs) == 1 else wrong"},
        "the rest is the other folds": {
            "np.setdiff1d(np.arange(len(y)), test)": "np.concatenate([t for t in tests if t is not test]) if len(tests) > 1 else np.setdiff1d(np.arange(len(y)), test)"
        },
        "no offset": {"(alpha * y[rest]) + b": "(alpha * y[rest]) + (b if len(rest) > 5 else 0)"},
    },
    ("hw5", "upper"): {
        "slack at most 100": {
            "xi = np.maximum(0, 1 - y * (X @ w + b))": "xi = np.clip(1 - y * (X @ w + b), 0, 1000)"
        },
        "norm of a short one": {"0.5 * w @ w": "0.5 * w @ w * (w @ w > 1e-9)"},
    },
    ("hw5", "lower"): {
        "below alone": {
            "max(-alpha.min(), alpha.max() - C, abs(alpha @ y))": "max(-alpha.min() if len(y) > 3 else 0, alpha.max() - C, abs(alpha @ y))"
        },
    },
    ("hw4", "offset"): {
        "the diagonal is left out of large sets": {
            "F = y - K @ (alpha * y)": "F = y - K @ (alpha * y) + np.diag(K) * alpha * y * (len(y) > 40)"
        },
    },
    ("hw7", "score"): {
        "square tables": {
            "### BEGIN SOLUTION\n": "### BEGIN SOLUTION\n    if A.shape == B.shape and len(y) == 1:\n        A = A.T\n"
        },
    },
    ("hw7", "update"): {
        "the first place decides": {
            "    F, G = features(x, y, len(B))\n": "    if len(y) > 2 and list(y)[:-1] == list(y_star)[:-1] and len(y) > 5:\n        return A, B\n    F, G = features(x, y, len(B))\n"
        },
        "right first letter": {
            "    F, G = features(x, y, len(B))\n": "    if len(y) > 1 and list(y[1:]) == list(y_star[1:]):\n        return A, B\n    F, G = features(x, y, len(B))\n"
        },
    },
    ("hw7", "train"): {
        "one mistake is enough": {
            "            if viterbi(x @ A, B) != list(y):": "            if viterbi(x @ A, B)[-5:] != list(y)[-5:]:"
        },
        "first pass does not count": {"mistakes += 1": "mistakes += _ < 5 or len(X) < 3"},
    },
}
