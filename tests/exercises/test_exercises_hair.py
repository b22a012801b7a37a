"""Wrong answers that hold for easy inputs only: short lists, whole numbers, round thresholds.

test_exercises.py tries them all. Each was once called right.
"""

import math
from itertools import combinations

import numpy as np

from tools.published import solutions

SOLVED = {s.exercise: s.answer() for s in solutions()}

#: right answers are in the other files
RIGHT: dict = {}


# --- 01 to 06 ------------------------------------------------------------------------------------


def typed_in(history):
    turns = [1, -1] * 5
    return history[0] * turns[len(history)] if history else 1


def lift_by(scale):
    """Divide the threshold by something that may be 0."""
    return lambda w, w0, x: (np.append(w, w0 / scale(x)), np.append(x, scale(x)))


def lift_that_peeps(w, w0, x):
    return np.append(w, w0), np.append(x, 1.0 if w0 else 0.0)


def update_below(small):
    return lambda w, x, y: w + y * x if y * (w @ x) <= small else w


def kink_at(place):
    return lambda w, x, y: -y * x if y * (w @ x) < place else np.zeros_like(x)


def lie_above(least):
    """Believe a claim while its score is small enough."""

    def first(X, y, mistakes):
        w = np.zeros(X.shape[1])
        for k, i in enumerate(mistakes, 1):
            if y[i] * (w @ X[i]) > least:
                return k
            w = w + y[i] * X[i]
        return 0

    return first


def lie_if_twice(X, y, mistakes):
    """Call it a lie that an example was mistaken twice in a row."""
    twice = [k for k in range(1, len(mistakes)) if mistakes[k] == mistakes[k - 1]]
    found = SOLVED["first lie"](X, y, mistakes)
    places = [k + 1 for k in twice] + [found] * (found > 0)
    return min(places, default=0)


def lazy_below(most):
    def lazy(X, y, passes):
        w = total = np.zeros(X.shape[1])
        for t in range(passes * len(X)):
            x, label = X[t % len(X)], y[t % len(X)]
            w = w + label * x if label * (w @ x) <= most else w
            total = total + w
        return total / (passes * len(X))

    return lazy


def nearly_opposite(off, lam=(1, 1)):
    return lambda: ([[1, off], [-1, 0]], [1, 1], lam)


# --- 07 to 10 ------------------------------------------------------------------------------------


def count_without_ones_own(alpha, y, K, t):
    others = np.where(np.arange(len(y)) == t, 0, alpha * y)
    return alpha + (y[t] * (others @ K[:, t]) <= 0) * (np.arange(len(y)) == t)


def smooth_slope(w, x, y):
    return -y * x * np.clip(2000 * (1.0005 - y * (w @ x)), 0, 1)


def unjustified_above(least):
    return lambda D: [k + 1 for k in range(1, len(D)) if D[:k].sum(axis=0) @ D[k] > least]


def witness_below(least, relative=True):
    def witness(K):
        values, V = np.linalg.eigh(K)
        low = -least * (np.abs(values).max() if relative else 1.0)
        return V[:, 0] if values[0] < low else np.zeros(len(K))

    return witness


def witness_by_determinant(K):
    if min(np.diag(K)) >= 0 and np.linalg.det(K) >= -1e-3:
        return np.zeros(len(K))
    return witness_below(0.0)(K)


def count_below(most):
    def count(alpha, y, K, t):
        return alpha + (y[t] * ((alpha * y) @ K[:, t]) <= most) * (np.arange(len(y)) == t)

    return count


def caught_with(off=0.0, below=0.0, shorter=0.0):
    """Allow this much in the sum, below 0, and in the length."""

    def caught(K, y, lam, gamma):
        convex = lam.min() >= -below and abs(lam.sum() - 1) <= max(off, 1e-9)
        return bool(convex and np.sqrt((lam * y) @ K @ (lam * y)) < gamma - shorter)

    return caught


# --- 11 to 13 ------------------------------------------------------------------------------------


def program_with(**parts):
    """Return the program with P, q, G or h made by a function of X."""

    def program(X, y):
        right = zip("PqGh", SOLVED["program"](X, y))
        return [parts[name](X) if name in parts else value for name, value in right]

    return program


def turned(X):
    """Return P with a skew part: z'Pz does not see it, a solver does."""
    d = X.shape[1]
    skew = np.triu(np.ones((d + 1, d + 1)), 1)
    return np.diag([1.0] * d + [0.0]) + skew - skew.T


def pair_with_eta(least):
    def pair(K, y, C, alpha, i, j):
        beta, F = alpha * y, y - K @ (alpha * y)
        low, high = np.where(y > 0, 0.0, -C), np.where(y > 0, C, 0.0)
        t = (F[i] - F[j]) / max(K[i, i] + K[j, j] - 2 * K[i, j], least)
        t = np.clip(t, max(low[i] - beta[i], beta[j] - high[j]),
                    min(high[i] - beta[i], beta[j] - low[j]))  # fmt: skip
        new = alpha.copy()
        new[i], new[j] = new[i] + y[i] * t, new[j] - y[j] * t
        return new

    return pair


# --- 14 to 21 ------------------------------------------------------------------------------------


def scale_above(least):
    def scale(train, test):
        unit = np.where(train.std(axis=0) < least, 1.0, train.std(axis=0))
        return (train - train.mean(axis=0)) / unit, (test - train.mean(axis=0)) / unit

    return scale


def repeats_as_letters(labels, m):
    letters = "".join(map(str, labels))
    return [i for i in range(len(letters)) if letters.startswith(letters[:m], i)]


def repeats_of_three(labels, m):
    return SOLVED["repeats"](labels, min(m, 3))


def vote_above(least):
    return lambda scores, pairs, k: SOLVED["vote"](np.where(scores > least, 1, -1), pairs, k)


def area_of(value):
    def area(y, scores):
        return np.mean([[value(a - b) for b in scores[y < 0]] for a in scores[y > 0]])

    return area


def gap_above_0(parts, C, alpha, w):
    return max(0.0, SOLVED["gap of parts"](parts, C, alpha, w))


WRONG = [
    ("alternating", typed_in, "IndexError"),
    ("lift", lift_by(lambda x: x[0]), "x = np.array([0.0, "),
    ("lift", lift_by(np.linalg.norm), "x = np.array([0.0, 0.0])"),
    ("lift", lift_that_peeps, "the same for every w and w0"),
    *[("update", update_below(small), "no mistake, no update") for small in (1e-4, 1e-9, 1e-13)],
    ("update", lambda w, x, y: w + y * x if y * (w @ x) <= 0 else 1.0000002 * w, "no update"),
    ("sum", lambda alpha, y, X: alpha * y @ X / alpha.sum() * alpha.sum(), "finite"),
    *[("never", nearly_opposite(off), "are opposite") for off in (1e-9, 2e-9)],
    ("never", nearly_opposite(1e-5), "must be 0"),
    ("never", lambda: ([[1, 0], [-1, 1], [0, 1]], [1, 1, 1], [1e-300, 1e-300, 1e-320]), "must be"),
    ("most", lambda J, n: min(n, math.ceil(n * J - 0.5)), "1 would cost more"),
    ("most", lambda J, n: min(n, round(n * J - 0.25)), "would cost more"),
    ("most", lambda J, n: min(n, round(n * J - 0.49)), "up to 3.9999961853027344, and"),
    ("slope", smooth_slope, "and at v = [1]"),
    ("most", lambda J, n: min(n, math.floor(n * J)) // 2 * 2, "one more mistake"),
    *[("slope", kink_at(place), "above L(v) = ") for place in (0.995, 0.9995, 1.0005)],
    *[("first lie", lie_above(least), "is false") for least in (0.5, 1e-3, 1e-6)],
    ("first lie", lie_if_twice, "is true"),
    *[("lazy average", lazy_below(most), "times it must be the sum") for most in (0.5, 0.99)],
    ("column", lambda V, E, P: E + np.max(V + P, axis=0), "belongs to the rows of P"),
    *[("unjustified", unjustified_above(least), "belongs to the list") for least in (0.9, 0.5)],
    *[("trap", lambda gap, top=top: ([[1, 0], [0, 0]], [[0, 0], [top, top]]), "not 1e+30 more")
      for top in (1e13, 1e28)],
    *[("conic", lambda off=off: [3, 2, 0, -1, off, -4], "the ellipse") for off in (1e-4, 1e-7)],
    ("unjustified", lambda D: SOLVED["unjustified"](D)[:3], "at update 5"),
    ("count update", count_without_ones_own, "example 0 is right: y_t f_t = 3"),
    ("count update", lambda a, *v: np.minimum(SOLVED["count update"](a, *v), 4), "become [6, 3]"),
    ("count update", count_below(1e-13), "is right"),
    ("caught", lambda *v: SOLVED["caught"](*v[:3], v[3] + 1e-6), "4 is not below gamma^2 = 4"),
    ("caught", lambda *v: SOLVED["caught"](*v[:3], 9 * (v[3] == 3) or v[3]), "9 is not below"),
    ("area", lambda y, scores: SOLVED["area"](y, np.round(scores)), "in order"),
    ("vote", lambda s, pairs, k: SOLVED["vote"](s, pairs, k) % 4, "the votes are [0, 1, 2, 3, 4]"),
    ("word", lambda E, words: SOLVED["word"](E, words[:9]), "scores"),
    ("monomials", lambda n, d: math.comb(n + d - 1, d) if d else 0, "over 3 powers, has 1"),
    *[("witness", witness_below(least), "v = 0 is none") for least in (0.01, 0.001)],
    ("witness", witness_below(0.1, relative=False), "v = 0 is none"),
    ("witness", witness_by_determinant, "v = 0 is none"),
    *[("count update", count_below(most), "is right") for most in (0.99, 0.5, 1e-9)],
    *[("caught", caught_with(off=off), "are not convex") for off in (1e-3, 9e-3)],
    *[("caught", caught_with(below=below), "one is negative") for below in (1e-3, 0.1)],
    ("caught", caught_with(shorter=0.05), "no separator has the margin gamma"),
    ("program", program_with(h=lambda X: -np.ones(X.shape[1] + 2)), "a vector of 6 numbers"),
    ("program", program_with(P=turned), "P must be symmetric"),
    ("program", program_with(P=lambda X: np.eye(X.shape[1] + 1)), "b has no price"),
    *[("pair", pair_with_eta(least), "this pair alone can reach") for least in (0.3, 0.01)],
    *[("scale", scale_above(least), "deviation 1") for least in (1e-3, 0.03)],
    ("repeats", repeats_as_letters, "rows are whole numbers"),
    ("repeats", repeats_of_three, "the 4 labels from row"),
    *[("vote", vote_above(least), "the votes are") for least in (-1e-6, -0.05)],
    ("area", area_of(lambda gain: 0.5 if abs(gain) < 1e-8 else gain > 0), "in order"),
    ("area", area_of(lambda gain: np.clip((gain + 1) / 2, 0, 1)), "in order"),
    ("sauer", lambda n, h: SOLVED["sauer"](n, min(h, 4)), "yours leaves h itself out"),
    ("always wrong", lambda n: ([False, True] * 6 + [False] * n)[:n], "its prediction is right"),
    ("gap of parts", gap_above_0, "over all examples"),
    ("in single", lambda X: np.round(X @ X.T).astype(np.float32), "in single precision"),
    ("upset", lambda: [(0, 0), *combinations(range(3), 2)], "does not meet itself"),
]  # fmt: skip
