"""Planted answers to homework 2: wrong ones that the checks must catch, right ones they must not.

Each function stands for a whole answer. A wrong one names its misconception in words for a student.
"""

import numpy as np

from lectures_homework.language.answers import Answers

A = Answers("hw2")

# The names of the checks, as they are used below.
DISTANCE = "margins are distances from the plane"
SIGN = "margins are negative where the example is on the wrong side"
WORST = "set_margin is the margin of one example, the worst"
OFFSET = "margins: an offset moves the plane and is no part of the length of w"
MISTAKES = "set_margin of a set with mistakes is that of the worst one"
LENGTH = "the bound does not depend on the length of (u, c)"
ALLOWED = "no run makes more mistakes than the bound"
LIFTED = "R and the margin are those of (x, 1)"
NO_BOUND = "no separator, no bound"
REPLAY = "replay adds up y x over the log, from w = 0"
UNIT = "replay measures along a unit vector, however long u is"
AUDIT = "audit finds the entry that was no mistake"
AUDIT_MORE = "audit: the first of several, the very last, and a score of exactly 0"
CONVEX = "your w separates and your weights are convex"
MEET = "your two halves meet"
OTHERS = "the halves meet on other examples and in other dimensions"
NO_SLACK = "without slack the bound is R² ‖u‖²"
REPEATS = "every mistake pays its slack, repeats included"
SLACK = "slack is max(0, 1 - y u·x), for any u"


# --- q1: margins ---------------------------------------------------------------------------------


A["q1", "margins", DISTANCE] = {
    "the functional margin: not divided by the length of w": {
        "(X @ w + b) / np.linalg.norm(w)": "(X @ w + b)",
    },
    "divides by the squared length of w": {"np.linalg.norm(w)": "(w @ w)"},
    "twice the distance: the width of the street": {"return y": "return 2 * y"},
    "divides by the sum of the entries of w": {"np.linalg.norm(w)": "np.abs(w).sum()"},
    "the length of x in place of that of w": {"np.linalg.norm(w)": "np.linalg.norm(X, axis=1)"},
}


A["q1", "margins", SIGN] = {
    "a distance without its sign": {"y * (X @ w + b)": "np.abs(X @ w + b)"},
    "the label is missing: positive means the + side, not the right side": {
        "y * (X @ w + b)": "(X @ w + b)",
    },
    "leaves the offset out": {"w + b": "w"},
}


A["q1", "margins", OFFSET] = {
    "the label multiplies w·x but not b": {"y * (X @ w + b)": "(y * (X @ w) + b)"},
    "divides by the length of (w, b)": {"np.linalg.norm(w)": "np.linalg.norm(np.append(w, b))"},
    "divides w by its length but not b": {
        "(X @ w + b) / np.linalg.norm(w)": "(X @ (w / np.linalg.norm(w)) + b)",
    },
}


@A.right("q1", "loops over lists")
def margins(w, b, X, y):
    length = sum(v * v for v in w) ** 0.5
    return [label * (sum(p * q for p, q in zip(w, x)) + b) / length for x, label in zip(X, y)]


@A.right("q1", "single precision, w and b scaled first")
def margins(w, b, X, y):
    length = np.float32(np.linalg.norm(w))
    return y.astype(np.float32) * (X.astype(np.float32) @ np.float32(w / length) + b / length)


# --- q1: set_margin ------------------------------------------------------------------------------


@A.wrong("q1", "the mean instead of the smallest", caught_by=WORST)
def set_margin(w, b, X, y):
    return np.mean(y * (X @ w + b) / np.linalg.norm(w))


@A.wrong("q1", "the largest instead of the smallest", caught_by=WORST)
def set_margin(w, b, X, y):
    return np.max(y * (X @ w + b) / np.linalg.norm(w))


@A.wrong("q1", "the width of the street for the margin of the set", caught_by=WORST)
def set_margin(w, b, X, y):
    return 2 * np.min(y * (X @ w + b)) / np.linalg.norm(w)


@A.wrong("q1", "the functional margin of the set", caught_by=WORST)
def set_margin(w, b, X, y):
    return np.min(y * (X @ w + b))


@A.wrong("q1", "the margin of the set for a plane through the origin", caught_by=WORST)
def set_margin(w, b, X, y):
    return np.min(y * (X @ w)) / np.linalg.norm(w)


@A.wrong("q1", "the smallest distance, whatever side", caught_by=MISTAKES)
def set_margin(w, b, X, y):
    return np.min(np.abs(X @ w + b)) / np.linalg.norm(w)


@A.wrong("q1", "skips the examples on the wrong side", caught_by=MISTAKES)
def set_margin(w, b, X, y):
    t = y * (X @ w + b) / np.linalg.norm(w)
    return t[t > 0].min()


@A.wrong("q1", "stops at 0: a set with mistakes gets the margin 0", caught_by=MISTAKES)
def set_margin(w, b, X, y):
    return max(0.0, np.min(y * (X @ w + b)) / np.linalg.norm(w))


@A.right("q1", "a loop that keeps the smallest")
def set_margin(w, b, X, y):
    smallest = float("inf")
    for x_i, y_i in zip(X, y):
        smallest = min(smallest, y_i * (float(np.dot(w, x_i)) + b) / float(np.sqrt(w @ w)))
    return smallest


# --- q2 ------------------------------------------------------------------------------------------


@A.wrong("q2", "the plain bound, though the perceptron has an offset", caught_by=ALLOWED)
def bound(X, y, u, c):
    gamma = np.min(y * (X @ u + c)) / np.linalg.norm(u)
    if gamma <= 0:
        return np.inf
    return (np.linalg.norm(X, axis=1).max() / gamma) ** 2


@A.wrong("q2", "the margin is not divided by the length of the separator", caught_by=LENGTH)
def bound(X, y, u, c):
    gamma = np.min(y * (X @ u + c))
    if gamma <= 0:
        return np.inf
    return (np.max((X**2).sum(axis=1)) + 1) / gamma**2


@A.wrong("q2", "divides by the squared length of the separator", caught_by=LENGTH)
def bound(X, y, u, c):
    gamma = np.min(y * (X @ u + c)) / (u @ u + c * c)
    if gamma <= 0:
        return np.inf
    return (np.max((X**2).sum(axis=1)) + 1) / gamma**2


@A.wrong("q2", "R / γ without the square", caught_by=ALLOWED)
def bound(X, y, u, c):
    gamma = np.min(y * (X @ u + c)) / np.sqrt(u @ u + c * c)
    if gamma <= 0:
        return np.inf
    return np.sqrt(np.max((X**2).sum(axis=1)) + 1) / gamma


@A.wrong("q2", "R² over γ: only one of them is squared", caught_by=ALLOWED)
def bound(X, y, u, c):
    gamma = np.min(y * (X @ u + c)) / np.sqrt(u @ u + c * c)
    if gamma <= 0:
        return np.inf
    return (np.max((X**2).sum(axis=1)) + 1) / gamma


@A.wrong("q2", "upside down: γ over R", caught_by=ALLOWED)
def bound(X, y, u, c):
    gamma = np.min(y * (X @ u + c)) / np.sqrt(u @ u + c * c)
    if gamma <= 0:
        return np.inf
    return gamma**2 / (np.max((X**2).sum(axis=1)) + 1)


@A.wrong("q2", "the mean margin instead of the smallest", caught_by=ALLOWED)
def bound(X, y, u, c):
    gamma = np.mean(y * (X @ u + c)) / np.sqrt(u @ u + c * c)
    if np.min(y * (X @ u + c)) <= 0:
        return np.inf
    return (np.max((X**2).sum(axis=1)) + 1) / gamma**2


@A.wrong("q2", "R without the constant feature", caught_by=LIFTED)
def bound(X, y, u, c):
    gamma = np.min(y * (X @ u + c)) / np.sqrt(u @ u + c * c)
    if gamma <= 0:
        return np.inf
    return np.max((X**2).sum(axis=1)) / gamma**2


@A.wrong("q2", "the margin is divided by the length of u alone", caught_by=LIFTED)
def bound(X, y, u, c):
    gamma = np.min(y * (X @ u + c)) / np.linalg.norm(u)
    if gamma <= 0:
        return np.inf
    return (np.max((X**2).sum(axis=1)) + 1) / gamma**2


@A.wrong("q2", "the mean length instead of the largest", caught_by=LIFTED)
def bound(X, y, u, c):
    gamma = np.min(y * (X @ u + c)) / np.sqrt(u @ u + c * c)
    if gamma <= 0:
        return np.inf
    return np.mean(np.sqrt((X**2).sum(axis=1) + 1)) ** 2 / gamma**2


@A.wrong("q2", "R is measured from the middle of the data, not from the origin", caught_by=LIFTED)
def bound(X, y, u, c):
    gamma = np.min(y * (X @ u + c)) / np.sqrt(u @ u + c * c)
    if gamma <= 0:
        return np.inf
    return (np.max(((X - X.mean(axis=0)) ** 2).sum(axis=1)) + 1) / gamma**2


@A.wrong("q2", "R is the largest entry, not the largest length", caught_by=LIFTED)
def bound(X, y, u, c):
    gamma = np.min(y * (X @ u + c)) / np.sqrt(u @ u + c * c)
    if gamma <= 0:
        return np.inf
    return max(np.abs(X).max(), 1.0) ** 2 / gamma**2


@A.wrong("q2", "a negative margin is squared into a promise", caught_by=NO_BOUND)
def bound(X, y, u, c):
    gamma = np.min(y * (X @ u + c)) / np.sqrt(u @ u + c * c)
    if gamma == 0:
        return np.inf
    return (np.max((X**2).sum(axis=1)) + 1) / gamma**2


@A.wrong("q2", "distances without a sign: any u seems to separate", caught_by=NO_BOUND)
def bound(X, y, u, c):
    gamma = np.min(np.abs(X @ u + c)) / np.sqrt(u @ u + c * c)
    if gamma <= 0:
        return np.inf
    return (np.max((X**2).sum(axis=1)) + 1) / gamma**2


@A.right("q2", "the constant feature added, then the plain theorem")
def bound(X, y, u, c):
    X1, v = np.column_stack([X, np.ones(len(X))]), np.append(u, c)
    v = v / np.linalg.norm(v)
    gamma = (y * (X1 @ v)).min()
    R = np.linalg.norm(X1, axis=1).max()
    return (R / gamma) ** 2 if gamma > 0 else float("inf")


@A.right("q2", "loops, single precision")
def bound(X, y, u, c):
    R2 = max(sum(np.float32(v) ** 2 for v in x) + 1 for x in X)
    v2 = sum(np.float32(v) ** 2 for v in u) + np.float32(c) ** 2
    t = [label * (np.float32(x @ u) + np.float32(c)) for x, label in zip(X, y)]
    return float(R2 * v2 / min(t) ** 2) if min(t) > 0 else np.inf


# --- q3: replay ----------------------------------------------------------------------------------


@A.wrong("q3", "the start w = 0 is missing", caught_by=REPLAY)
def replay(X, y, mistakes, u):
    W = np.cumsum(y[mistakes, None] * X[mistakes], axis=0)
    return W @ u / np.linalg.norm(u), (W**2).sum(axis=1)


@A.wrong("q3", "the length, not its square", caught_by=REPLAY)
def replay(X, y, mistakes, u):
    W = np.vstack([0 * X[:1], np.cumsum(y[mistakes, None] * X[mistakes], axis=0)])
    return W @ u / np.linalg.norm(u), np.linalg.norm(W, axis=1)


@A.wrong("q3", "the labels are missing", caught_by=REPLAY)
def replay(X, y, mistakes, u):
    W = np.vstack([0 * X[:1], np.cumsum(X[mistakes], axis=0)])
    return W @ u / np.linalg.norm(u), (W**2).sum(axis=1)


@A.wrong("q3", "goes through the examples in order instead of the log", caught_by=REPLAY)
def replay(X, y, mistakes, u):
    m = np.arange(len(mistakes)) % len(X)
    W = np.vstack([0 * X[:1], np.cumsum(y[m, None] * X[m], axis=0)])
    return W @ u / np.linalg.norm(u), (W**2).sum(axis=1)


@A.wrong("q3", "does not add up: each step by itself", caught_by=REPLAY)
def replay(X, y, mistakes, u):
    W = np.vstack([0 * X[:1], y[mistakes, None] * X[mistakes]])
    return W @ u / np.linalg.norm(u), (W**2).sum(axis=1)


@A.wrong("q3", "adds up the squared lengths of the steps", caught_by=REPLAY)
def replay(X, y, mistakes, u):
    steps = np.vstack([0 * X[:1], y[mistakes, None] * X[mistakes]])
    W = np.cumsum(steps, axis=0)
    return W @ u / np.linalg.norm(u), np.cumsum((steps**2).sum(axis=1))


@A.wrong("q3", "u is not brought to length 1", caught_by=UNIT)
def replay(X, y, mistakes, u):
    W = np.vstack([0 * X[:1], np.cumsum(y[mistakes, None] * X[mistakes], axis=0)])
    return W @ u, (W**2).sum(axis=1)


@A.wrong("q3", "w is brought to length 1: that is the cosine", caught_by=REPLAY)
def replay(X, y, mistakes, u):
    W = np.vstack([0 * X[:1], np.cumsum(y[mistakes, None] * X[mistakes], axis=0)])
    norm2 = (W**2).sum(axis=1)
    return W @ u / np.linalg.norm(u) / np.sqrt(np.maximum(norm2, 1e-12)), norm2


@A.wrong("q3", "an example that comes back is added only once", caught_by=UNIT)
def replay(X, y, mistakes, u):
    w, seen, along, norm2 = np.zeros(X.shape[1]), set(), [0.0], [0.0]
    for i in mistakes:
        if i not in seen:
            w = w + y[i] * X[i]
        seen.add(i)
        along.append(w @ u / np.linalg.norm(u))
        norm2.append(w @ w)
    return np.array(along), np.array(norm2)


@A.right("q3", "a loop that returns lists")
def replay(X, y, mistakes, u):
    w, unit = [0.0] * len(X[0]), [v / float(np.linalg.norm(u)) for v in u]
    along, norm2 = [0.0], [0.0]
    for i in mistakes:
        w = [p + y[i] * q for p, q in zip(w, X[i])]
        along.append(sum(p * q for p, q in zip(w, unit)))
        norm2.append(sum(p * p for p in w))
    return [along, norm2]


@A.right("q3", "through the Gram matrix, without w")
def replay(X, y, mistakes, u):
    Z = y[mistakes, None] * X[mistakes]
    K, M = Z @ Z.T, len(Z)
    norm2 = np.array([K[:k, :k].sum() for k in range(M + 1)])
    along = np.append(0.0, np.cumsum(Z @ u)) / np.sqrt(u @ u)
    return along, norm2


# --- q3: audit -----------------------------------------------------------------------------------


A["q3", "audit", AUDIT] = {
    "the first entry is a mistake: its score was 0, before the update": {
        "(w @ X[i]) > 0": "(w @ X[i]) >= 0",
    },
    "counts positions from 1": {"return k": "return k + 1"},
    "returns the example instead of the position": {
        "k, i in enumerate(mistakes)": "i in mistakes",
        "return k": "return int(i)",
    },
}


@A.wrong("q3", "the first entry is a mistake: its score was 0, before the update", caught_by=AUDIT)
def audit(X, y, mistakes):
    w = np.zeros(X.shape[1])
    for k, i in enumerate(mistakes):
        w = w + y[i] * X[i]
        if y[i] * (w @ X[i]) > 0:
            return k
    return -1


@A.wrong("q3", "never updates w, so nothing is ever found", caught_by=AUDIT)
def audit(X, y, mistakes):
    w = np.zeros(X.shape[1])
    for k, i in enumerate(mistakes):
        if y[i] * (w @ X[i]) > 0:
            return k
    return -1


@A.wrong("q3", "judges every entry by the final w", caught_by=AUDIT)
def audit(X, y, mistakes):
    w = y[mistakes] @ X[mistakes]
    for k, i in enumerate(mistakes):
        if y[i] * (w @ X[i]) > 0:
            return k
    return -1


A["q3", "audit", AUDIT] = {
    "forgets the label in the test": {"y[i] * (w @ X[i])": "w @ X[i]"},
}


@A.wrong("q3", "returns the last false entry, not the first", caught_by=AUDIT_MORE)
def audit(X, y, mistakes):
    w, found = np.zeros(X.shape[1]), -1
    for k, i in enumerate(mistakes):
        if y[i] * (w @ X[i]) > 0:
            found = k
        else:
            w = w + y[i] * X[i]
    return found


A["q3", "audit", AUDIT] = {
    "takes a right example near the plane for a mistake: y w·x <= 1": {"0:": "1:"},
}


@A.wrong("q3", "never looks at the last entry", caught_by=AUDIT_MORE)
def audit(X, y, mistakes):
    w = np.zeros(X.shape[1])
    for k in range(len(mistakes) - 1):
        i = mistakes[k]
        if y[i] * (w @ X[i]) > 0:
            return k
        w = w + y[i] * X[i]
    return -1


A["q3", "audit", AUDIT_MORE] = {
    "a score of 0 is a mistake at the start only": {
        "y[i] * (w @ X[i]) > 0": "k > 0 and y[i] * (w @ X[i]) >= 0",
    },
}


@A.right("q3", "all at once, by growth of the squared length")
def audit(X, y, mistakes):
    Z = y[mistakes, None] * X[mistakes]
    before = np.vstack([np.zeros((1, X.shape[1])), np.cumsum(Z, axis=0)[:-1]])
    false = np.flatnonzero((before * Z).sum(axis=1) > 0)
    return false[0] if len(false) else -1


@A.right("q3", "a loop over lists")
def audit(X, y, mistakes):
    w = [0.0] * X.shape[1]
    for k, i in enumerate(mistakes.tolist()):
        if sum(p * q for p, q in zip(w, X[i])) * y[i] > 0:
            return k
        w = [p + y[i] * q for p, q in zip(w, X[i])]
    return -1


# --- q4 ------------------------------------------------------------------------------------------


@A.wrong("q4", "any separator will do: the perceptron's w and its counts", caught_by=MEET)
def certificate(X, y, steps):
    w, counts = np.zeros(X.shape[1]), np.zeros(len(X))
    for _ in range(steps):
        for i in range(len(X)):
            if y[i] * (w @ X[i]) <= 0:
                w = w + y[i] * X[i]
                counts[i] += 1
    return w, counts / counts.sum()


@A.wrong("q4", "equal weights: the mean of the points instead of the nearest", caught_by=OTHERS)
def certificate(X, y, steps):
    a = np.full(len(X), 1 / len(X))
    return a @ (y[:, None] * X), a


@A.wrong("q4", "the weights do not add up to 1", caught_by=CONVEX)
def certificate(X, y, steps):
    Z = y[:, None] * X
    p, a = Z[0], np.eye(len(Z))[0]
    for _ in range(steps):
        i = np.argmin(Z @ p)
        d = Z[i] - p
        t = min(1.0, max(0.0, -(p @ d) / max(d @ d, 1e-300)))
        p = p + t * d
        a[i] += t
    return p, a


@A.wrong("q4", "the labels are missing: the points are not folded", caught_by=CONVEX)
def certificate(X, y, steps):
    p, a = X[0], np.eye(len(X))[0]
    for _ in range(steps):
        i = np.argmin(X @ p)
        d = X[i] - p
        t = min(1.0, max(0.0, -(p @ d) / max(d @ d, 1e-300)))
        p, a = p + t * d, a * (1 - t) + t * np.eye(len(X))[i]
    return p, a


@A.wrong("q4", "goes all the way to the lowest point instead of the nearest", caught_by=MEET)
def certificate(X, y, steps):
    Z = y[:, None] * X
    a = np.eye(len(Z))[0]
    for _ in range(steps):
        a = np.eye(len(Z))[np.argmin(Z @ (a @ Z))]
    w = Z.mean(axis=0)
    while np.min(Z @ w) <= 0:
        w = w + Z[np.argmin(Z @ w)]
    return w, a


@A.wrong("q4", "always steps half of the way", caught_by=OTHERS)
def certificate(X, y, steps):
    Z = y[:, None] * X
    p, a = Z[0], np.eye(len(Z))[0]
    for _ in range(steps):
        i = np.argmin(Z @ p)
        p, a = (p + Z[i]) / 2, (a + np.eye(len(Z))[i]) / 2
    return p, a


@A.wrong("q4", "makes one step only", caught_by=OTHERS)
def certificate(X, y, steps):
    Z = y[:, None] * X
    p, a = Z[0], np.eye(len(Z))[0]
    i = np.argmin(Z @ p)
    d = Z[i] - p
    t = min(1.0, max(0.0, -(p @ d) / max(d @ d, 1e-300)))
    return p + t * d, a * (1 - t) + t * np.eye(len(Z))[i]


@A.wrong("q4", "steps to the point with the largest p·z", caught_by=MEET)
def certificate(X, y, steps):
    Z = y[:, None] * X
    p, a = Z[0], np.eye(len(Z))[0]
    for _ in range(steps):
        i = np.argmax(Z @ p)
        d = Z[i] - p
        t = min(1.0, max(0.0, -(p @ d) / max(d @ d, 1e-300)))
        p, a = p + t * d, a * (1 - t) + t * np.eye(len(Z))[i]
    return p, a


@A.wrong("q4", "p starts at a point, the weights somewhere else", caught_by=OTHERS)
def certificate(X, y, steps):
    Z = y[:, None] * X
    p, a = Z[0], np.full(len(Z), 1 / len(Z))
    for _ in range(steps):
        i = np.argmin(Z @ p)
        d = Z[i] - p
        t = min(1.0, max(0.0, -(p @ d) / max(d @ d, 1e-300)))
        p, a = p + t * d, a * (1 - t) + t * np.eye(len(Z))[i]
    return p, a


@A.wrong("q4", "divides 0 by 0 where p has reached the point itself: d = 0", caught_by=OTHERS)
def certificate(X, y, steps):
    Z = y[:, None] * X
    p, a = Z[0], np.eye(len(Z))[0]
    for _ in range(steps):
        i = np.argmin(Z @ p)
        d = Z[i] - p
        t = np.clip(-(p @ d) / (d @ d), 0, 1)
        p, a = p + t * d, a * (1 - t) + t * np.eye(len(Z))[i]
    return p, a


@A.wrong("q4", "stops where one coordinate of d is 0, not all of them", caught_by=OTHERS)
def certificate(X, y, steps):
    Z = y[:, None] * X
    p, a = Z[0], np.eye(len(Z))[0]
    for _ in range(steps):
        i = np.argmin(Z @ p)
        d = Z[i] - p
        if np.any(d == 0):
            break
        t = np.clip(-(p @ d) / (d @ d), 0, 1)
        p, a = p + t * d, a * (1 - t) + t * np.eye(len(Z))[i]
    return p, a


@A.wrong("q4", "the share t is not cut off at 1: beyond the point the hull ends", caught_by=OTHERS)
def certificate(X, y, steps):
    Z = y[:, None] * X
    p, a = Z[0], np.eye(len(Z))[0]
    for _ in range(steps):
        i = np.argmin(Z @ p)
        d = Z[i] - p
        t = -(p @ d) / max(d @ d, 1e-300)
        p, a = p + t * d, a * (1 - t) + t * np.eye(len(Z))[i]
    return p, a


@A.wrong("q4", "works in two dimensions only: tries all directions", caught_by=OTHERS)
def certificate(X, y, steps):
    Z = y[:, None] * X[:, :2]
    turns = np.linspace(0, 2 * np.pi, 4 * steps)
    W = np.column_stack([np.cos(turns), np.sin(turns)])
    w = W[np.argmax((W @ Z.T).min(axis=1))]
    best, a = np.inf, np.eye(len(Z))[0]
    for i in range(len(Z)):
        for j in range(len(Z)):
            d = Z[j] - Z[i]
            t = min(1.0, max(0.0, -(Z[i] @ d) / max(d @ d, 1e-300)))
            far = np.linalg.norm(Z[i] + t * d)
            if far < best:
                best, a = far, (1 - t) * np.eye(len(Z))[i] + t * np.eye(len(Z))[j]
    return w, a


@A.right("q4", "fixed shares 2 / (k + 2) instead of a line search, w of length 1")
def certificate(X, y, steps):
    Z = y[:, None] * X
    a = np.full(len(Z), 1 / len(Z))
    for k in range(20 * steps):
        a = a * (1 - 2 / (k + 2))
        a[np.argmin(Z @ (a @ Z))] += 2 / (k + 2)
    w = a @ Z
    return w / np.linalg.norm(w), a


@A.right("q4", "lists, w three times as long")
def certificate(X, y, steps):
    Z = [[label * v for v in x] for x, label in zip(X.tolist(), y.tolist())]
    p, a = Z[0], [1.0] + [0.0] * (len(Z) - 1)
    for _ in range(steps):
        i = min(range(len(Z)), key=lambda k: sum(u * v for u, v in zip(p, Z[k])))
        d = [u - v for u, v in zip(Z[i], p)]
        t = -sum(u * v for u, v in zip(p, d)) / max(sum(v * v for v in d), 1e-300)
        t = min(1.0, max(0.0, t))
        p, a = [u + t * v for u, v in zip(p, d)], [(1 - t) * v for v in a]
        a[i] += t
    return [[3 * v for v in p], a]


@A.right("q4", "a perceptron that demands an ever larger margin, and weights from its counts")
def certificate(X, y, steps):
    Z = y[:, None] * X
    w, counts = np.zeros(X.shape[1]), np.zeros(len(X))
    for _ in range(20 * steps):
        i = np.argmin(Z @ w)
        w = w + Z[i]
        counts[i] += 1
    return w, counts / counts.sum()


# --- q5 ------------------------------------------------------------------------------------------


@A.wrong("q5", "each mistaken example pays once, however often it was mistaken", caught_by=REPEATS)
def hinge_bound(X, y, mistakes, u):
    xi = np.maximum(0, 1 - y * (X @ u))
    L = xi[np.unique(mistakes)].sum()
    return L, np.max((X**2).sum(axis=1)) * (u @ u) + 2 * L


@A.wrong("q5", "all examples pay, mistaken or not", caught_by=REPEATS)
def hinge_bound(X, y, mistakes, u):
    L = np.maximum(0, 1 - y * (X @ u)).sum()
    return L, np.max((X**2).sum(axis=1)) * (u @ u) + 2 * L


@A.wrong("q5", "L counts once in the bound", caught_by=REPEATS)
def hinge_bound(X, y, mistakes, u):
    L = np.maximum(0, 1 - y * (X @ u))[mistakes].sum()
    return L, np.max((X**2).sum(axis=1)) * (u @ u) + L


@A.wrong(
    "q5",
    "slack without the max: examples far on the right side pay others back",
    caught_by=NO_SLACK,
)
def hinge_bound(X, y, mistakes, u):
    L = (1 - y * (X @ u))[mistakes].sum()
    return L, np.max((X**2).sum(axis=1)) * (u @ u) + 2 * L


@A.wrong("q5", "the max is taken over the sum, not over each slack", caught_by=SLACK)
def hinge_bound(X, y, mistakes, u):
    L = max(0.0, (1 - y * (X @ u))[mistakes].sum())
    return L, np.max((X**2).sum(axis=1)) * (u @ u) + 2 * L


@A.wrong("q5", "slack without the 1: right examples near the plane pay nothing", caught_by=SLACK)
def hinge_bound(X, y, mistakes, u):
    L = np.maximum(0, -y * (X @ u))[mistakes].sum()
    return L, np.max((X**2).sum(axis=1)) * (u @ u) + 2 * L


@A.wrong("q5", "u is scaled to length 1", caught_by=NO_SLACK)
def hinge_bound(X, y, mistakes, u):
    u = u / np.linalg.norm(u)
    L = np.maximum(0, 1 - y * (X @ u))[mistakes].sum()
    return L, np.max((X**2).sum(axis=1)) * (u @ u) + 2 * L


@A.wrong("q5", "R is the longest of the mistakes, not of all examples", caught_by=NO_SLACK)
def hinge_bound(X, y, mistakes, u):
    L = np.maximum(0, 1 - y * (X @ u))[mistakes].sum()
    return L, np.max((X[mistakes] ** 2).sum(axis=1)) * (u @ u) + 2 * L


@A.wrong("q5", "R is left out", caught_by=NO_SLACK)
def hinge_bound(X, y, mistakes, u):
    L = np.maximum(0, 1 - y * (X @ u))[mistakes].sum()
    return L, u @ u + 2 * L


@A.wrong("q5", "the lengths are not squared", caught_by=NO_SLACK)
def hinge_bound(X, y, mistakes, u):
    L = np.maximum(0, 1 - y * (X @ u))[mistakes].sum()
    return L, np.sqrt(np.max((X**2).sum(axis=1)) * (u @ u)) + 2 * L


@A.wrong("q5", "the label is missing in the slack", caught_by=NO_SLACK)
def hinge_bound(X, y, mistakes, u):
    L = np.maximum(0, 1 - X @ u)[mistakes].sum()
    return L, np.max((X**2).sum(axis=1)) * (u @ u) + 2 * L


@A.wrong("q5", "counts the mistakes of u instead of their slack", caught_by=SLACK)
def hinge_bound(X, y, mistakes, u):
    L = np.sum(y[mistakes] * (X[mistakes] @ u) <= 0)
    return L, np.max((X**2).sum(axis=1)) * (u @ u) + 2 * L


@A.right("q5", "a loop over the log")
def hinge_bound(X, y, mistakes, u):
    L = 0.0
    for i in mistakes:
        L += max(0.0, 1.0 - float(y[i]) * sum(float(p) * float(q) for p, q in zip(X[i], u)))
    R = max(np.linalg.norm(x) for x in X)
    return [L, (R * np.linalg.norm(u)) ** 2 + 2 * L]


@A.right("q5", "counts times slacks, single precision")
def hinge_bound(X, y, mistakes, u):
    X, y, u = np.float32(X), np.float32(y), np.float32(u)
    alpha = np.bincount(mistakes, minlength=len(X)).astype(np.float32)
    L = alpha @ np.clip(1 - y * (X @ u), 0, None)
    return L, (X * X).sum(axis=1).max() * (u @ u) + 2 * L


# --- q6 ------------------------------------------------------------------------------------------

PROGRESS = "progress: every update brings η γ"
GROWTH = "growth: the length grows slowly"
ANY_STEP = "any step and any caution"


A["q6", "progress", PROGRESS] = {
    "forgets the step: an update brings η γ, not γ": {
        'f"sum_of_progress + {eta}*margin"': '"sum_of_progress + margin"',
    },
    "forgets what held before the update": {"sum_of_progress + {eta}": "{eta}"},
    "takes the progress of before η times, too": {
        "sum_of_progress + {eta}*margin": "{eta}*(sum_of_progress + margin)",
    },
    "brings β in: progress does not depend on the caution": {
        "{eta}*margin": "{eta}*margin + {beta}*close",
    },
    "squares the step: that belongs to growth": {"{eta}": "{eta**2}"},
    "subtracts the margin": {"sum_of_progress + {eta}": "sum_of_progress - {eta}"},
    "writes η as a letter: here it is a number": {
        'f"sum_of_progress + {eta}*margin"': '"sum_of_progress + eta*margin"',
    },
}


@A.wrong("q6", "knows the step of the visible checks only", caught_by=ANY_STEP)
def progress(eta, beta):
    return f"sum_of_progress + {min(eta, 3)}*margin"


@A.wrong("q6", "forgets the 2 of the mixed term", caught_by=GROWTH)
def growth(eta, beta):
    return f"sum_of_growth + {eta}*close + {eta**2}*radius"


@A.wrong("q6", "does not square the step before ‖z‖²", caught_by=GROWTH)
def growth(eta, beta):
    return f"sum_of_growth + {2 * eta}*close + {eta}*radius"


@A.wrong("q6", "leaves the step out: that is the lecture's perceptron", caught_by=GROWTH)
def growth(eta, beta):
    return "sum_of_growth + 2*close + radius"


@A.wrong("q6", "forgets what held before the update: the growth up to now", caught_by=GROWTH)
def growth(eta, beta):
    return f"{2 * eta}*close + {eta**2}*radius"


@A.wrong("q6", "drops the mixed term, as if every update were a mistake", caught_by=GROWTH)
def growth(eta, beta):
    return f"sum_of_growth + {eta**2}*radius"


@A.wrong("q6", "forgets ‖z‖² ≤ R²", caught_by=GROWTH)
def growth(eta, beta):
    return f"sum_of_growth + {2 * eta}*close"


@A.wrong("q6", "multiplies with β: it is inside the fact close", caught_by=GROWTH)
def growth(eta, beta):
    return f"sum_of_growth + {2 * eta * beta}*close + {eta**2}*radius"


@A.wrong("q6", "subtracts the mixed term", caught_by=GROWTH)
def growth(eta, beta):
    return f"sum_of_growth - {2 * eta}*close + {eta**2}*radius"


@A.wrong("q6", "calls the fact mistake, but the update was made for w·z ≤ β", caught_by=GROWTH)
def growth(eta, beta):
    return f"sum_of_growth + {2 * eta}*mistake + {eta**2}*radius"


@A.wrong("q6", "squares the step in the mixed term", caught_by=GROWTH)
def growth(eta, beta):
    return f"sum_of_growth + {2 * eta**2}*close + {eta**2}*radius"


@A.wrong("q6", "takes the margin for the mixed term: z·u is not w·z", caught_by=GROWTH)
def growth(eta, beta):
    return f"sum_of_growth + {2 * eta}*margin + {eta**2}*radius"


@A.wrong("q6", "adds a square that nothing needs", caught_by=GROWTH)
def growth(eta, beta):
    return f"sum_of_growth + {2 * eta}*close + {eta**2}*radius + norm(w)"


@A.wrong("q6", "returns the facts as a list, not a sum", caught_by=GROWTH)
def growth(eta, beta):
    return ["sum_of_growth", f"{2 * eta}*close", f"{eta**2}*radius"]


@A.wrong("q6", "knows the steps 1 and 2 only", caught_by=ANY_STEP)
def growth(eta, beta):
    return f"sum_of_growth + {2 * eta}*close + {4 if eta > 1 else 1}*radius"


@A.right("q6", "the facts in another order, and with brackets")
def progress(eta, beta):
    return f"({eta})*(margin) + 1*sum_of_progress"


@A.right("q6", "adds the margin up, one by one")
def progress(eta, beta):
    total = f"sum_of_progress + {eta - eta % 20}*margin"
    return total + " + margin" * (eta % 20)


@A.right("q6", "the step taken out of the bracket")
def growth(eta, beta):
    return f"{eta}*({eta}*radius + 2*close) + sum_of_growth"


@A.right("q6", "with powers, decimals and something that cancels")
def growth(eta, beta):
    return f"sum_of_growth + 2.0*{eta}*close + {eta}^2*radius + margin - margin"


@A.right("q6", "in quarters")
def growth(eta, beta):
    return f"(4*sum_of_growth + {8 * eta}*close + {4 * eta * eta}*radius)/4"


# --- changes to the solution that are as right as it is ------------------------------------------

A.equal["q2 bound: if gamma <= 0:  ->  if gamma < 0:"] = "R / 0.0 is infinity in numpy"
