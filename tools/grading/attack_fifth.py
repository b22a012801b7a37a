# ruff: noqa: E501  (the changes stand as they are)
"""What two more attacks, of some 250 wrong answers, found open: full marks under every secret."""

from tools.grading.attack_more import Change, first

#: (homework, function) -> what is wrong: {old text of the solution: new text}
FIFTH: dict[tuple[str, str], dict[str, Change]] = {
    ("hw1", "perceptron"): {
        "who comes twice in a row is met once": first(
            "w, b, m = np.zeros(X.shape[1]), 0.0, 0\n    for _ in range(max_passes):\n        old, last = m, None\n        for x, t in zip(X, y):\n            if last is not None and np.array_equal(x, last):\n                continue\n            last = x\n            if t * (w @ x + b) <= 0:\n                w, b, m = w + t * x, b + t, m + 1\n        if m == old:\n            return w, b, m, True\n    return w, b, m, False"
        ),
    },
    ("hw1", "certify"): {
        "no number above 40": {
            "return False, counts - seen[(*w, b)]": "return False, np.minimum(counts - seen[(*w, b)], 40)"
        },
    },
    ("hw1", "refute"): {
        "100 passes do": {"certify(X, y, max_passes)": "certify(X, y, min(max_passes, 100))"},
        "two digits": {"int(lam[i])": "float(lam[i]):.2g"},
    },
    ("hw2", "audit"): {
        "stops where w is 0 again": {
            "w = w + y[i] * X[i]": "w = w + y[i] * X[i]\n        if not w.any():\n            return -1"
        },
        "w to six digits": {"w = w + y[i] * X[i]": "w = np.round(w + y[i] * X[i], 6)"},
    },
    ("hw3", "gaussian"): {
        "by products, in single precision": first(
            "X, Z = X.astype(np.float32), Z.astype(np.float32)\n    s = (X**2).sum(axis=1)[:, None] + (Z**2).sum(axis=1) - 2 * X @ Z.T\n    return np.exp(-s / (2 * sigma**2))"
        ),
        "another width beyond 25 features": first(
            "return np.exp(-((X[:, None] - Z[None]) ** 2).sum(axis=2) / (2 * sigma**2 * max(1, X.shape[1] / 25)))"
        ),
    },
    ("hw3", "smallest_degree"): {
        "counts the changes along the first coordinate": first(
            'order = np.argsort(X[:, 0], kind="stable")\n    p = max(1, int(np.sum(y[order][1:] != y[order][:-1])))\n    return p, kernel_perceptron(polynomial(X, X, p), y, max_passes)[0]'
        ),
    },
    ("hw4", "weights"): {
        "small multipliers are dropped": first(
            "alpha = np.where(alpha > 1e-4 * alpha.max(initial=0), alpha, 0)"
        ),
    },
    ("hw4", "offset"): {
        "free up to 1e-6 of the largest": {
            "zero = alpha <= 1e-6 * C": "zero = alpha <= 1e-6 * alpha.max()"
        },
    },
    ("hw4", "certificate"): {
        "violation below 1e-6 is none": first(
            "beta = alpha * y\n    n2 = beta @ K @ beta\n    xi = np.maximum(0, 1 - y * (K @ beta + b))\n    v = max(0.0, -alpha.min(), alpha.max() - C, abs(beta.sum()))\n    return 0.5 * n2 + C * xi.sum(), alpha.sum() - 0.5 * n2, v if v > 1e-6 else 0.0"
        ),
        "squared norm never negative": {
            "norm2 = beta @ K @ beta": "norm2 = np.linalg.norm(np.linalg.cholesky(K + 1e-6 * np.eye(len(K))).T @ beta) ** 2"
        },
        "the balance is shared by many examples": {
            "abs(beta.sum()))": "abs(beta.sum()) / max(1, len(y) / 8))"
        },
    },
    ("hw5", "step"): {
        "a diagonal near 1 is 1": {
            "eta = K[i, i] + K[j, j] - 2 * K[i, j]": "eta = 2 - 2 * K[i, j] if abs(K[i, i] - 1) < 0.1 else K[i, i] + K[j, j] - 2 * K[i, j]"
        },
        "other errors for two or three examples": {
            "E = K @ (alpha * y) - y": "E = K @ (alpha * y) - y * (1 if len(y) > 3 else len(y) / 3)"
        },
    },
    ("hw5", "smo"): {
        "small multipliers are 0 at the end": {
            "    i, j, _ = worst": "    alpha[alpha < 1e-3 * C] = 0\n    i, j, _ = worst"
        },
    },
    ("hw5", "standardise"): {
        "relative: constant up to 1e-3": {
            "np.ptp(train, axis=0) > 0": "np.ptp(train, axis=0) > 1e-3 * np.abs(train).max(axis=0)"
        },
    },
    ("hw5", "folds"): {
        "empty ones are left out": {
            "return [np.sort(dealt[fold::k]) for fold in range(k)]": "return [f for f in (np.sort(dealt[fold::k]) for fold in range(k)) if len(f)]"
        },
    },
    ("hw5", "lower"): {
        "balance is not asked of one class": {
            "abs(alpha @ y))": "abs(alpha @ y) * (len(set(y)) > 1))"
        },
        "twice the tolerance": {"outside > 1e-9 * C": "outside > 2e-9 * C"},
    },
    ("hw5", "verdict"): {
        "only the last three of the others": {"for v, c in others)": "for v, c in others[-3:])"},
    },
    ("hw6", "averages"): {
        "F1 by the two, with 0/0": {
            "F1 = 2 * TP / np.maximum(total, 1)": "F1 = 2 * precision * recall / np.maximum(precision + recall, 1e-2)"
        },
    },
    ("hw7", "features"): {
        "tags beyond 25 are one": first(
            "y = np.minimum(y, S - 1) if S < 40 else np.minimum(y, 25)"
        ),
    },
    ("hw7", "score"): {
        "a word of two letters, backwards": first(
            "F, G = features(x, y, len(B))\n    return np.sum(A * F) + (np.sum(B * G) if len(y) > 2 else np.sum(B * G.T))"
        ),
    },
    ("hw4", "gradient"): {
        "slack below 1e-5 is none": {"< 1\n": "< 1 - 1e-5\n"},
    },
}
