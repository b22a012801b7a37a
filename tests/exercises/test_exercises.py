"""Right and wrong answers to the exercises of the first notebooks; see `test_planted_answers`."""

import numpy as np
from scipy.spatial.distance import cdist


def norm(v):
    return np.linalg.norm(v)


def lifted(X):
    return np.column_stack([X, np.ones(len(X))])


def counts(y, said):
    """Return TN, FP, FN, TP."""
    return [int(np.sum((y == a) & (said == b))) for a in (-1, 1) for b in (-1, 1)]


def rates(top, *bottoms):
    return tuple(top / bottom if bottom else 0.0 for bottom in bottoms)


def precision_recall(y, said):
    _, FP, FN, TP = counts(y, said)
    return rates(TP, TP + FP, TP + FN)


def listed(y, said):
    found = sum(a == b == 1 for a, b in zip(y, said))
    return np.array([found / max(1, list(v).count(1)) for v in (said, y)], dtype=np.float32)


def crashing(y, said):
    _, FP, FN, TP = counts(y, said)
    return TP / (TP + FP), TP / (TP + FN)


def one_at_0_over_0(y, said):
    _, FP, FN, TP = counts(y, said)
    return (TP / (TP + FP) if TP + FP else 1.0), (TP / (TP + FN) if TP + FN else 1.0)


def over_positives(y, said):
    _, _, FN, TP = counts(y, said)
    return rates(TP, TP + FN, TP + FN)


def false_positive_rate(y, said):
    TN, FP, _, TP = counts(y, said)
    return rates(TP, TP + FP)[0], rates(FP, FP + TN)[0]


def nan_at_0_over_0(y, said):
    _, FP, FN, TP = counts(y, said)
    return TP / (TP + FP or np.nan), TP / (TP + FN or np.nan)


def slacks(w, b, X, y):
    return np.maximum(0, 1 - y * (X @ w + b))


def free(alpha, C):
    return (alpha > 1e-9) & (alpha < C - 1e-9)


def residuals(K, y, alpha):
    return y - K @ (alpha * y)


def offset(K, y, C, alpha):
    F, inside = residuals(K, y, alpha), free(alpha, C)
    if inside.any():
        return F[inside].mean()
    above = (y > 0) == (alpha < C / 2)
    return 0.5 * (F[above].max(initial=-np.inf) + F[~above].min(initial=np.inf))


def offset_by_descent(K, y, C, alpha):
    """Minimise the sum of slacks over the offsets at which a slack vanishes."""
    F = residuals(K, y, alpha)
    return min(F, key=lambda b: np.maximum(0, 1 - y * (y - F + b)).sum())


def offset_from(choose):
    """Return the mean of F over the chosen vectors, and over all where there is none."""

    def answer(K, y, C, alpha):
        chosen = choose(alpha, C)
        return residuals(K, y, alpha)[chosen if chosen.any() else slice(None)].mean()

    return answer


def offset_of_free_ones_else(b):
    def answer(K, y, C, alpha):
        return offset(K, y, C, alpha) if free(alpha, C).any() else b

    return answer


def pair_step(K, y, C, alpha, i, j, *, factor=1.0, clip=True, least=1e-12):
    """Move beta_i up and beta_j down by the same amount."""
    F = residuals(K, y, alpha)
    with np.errstate(invalid="ignore", divide="ignore"):
        step = factor * (F[i] - F[j]) / max(K[i, i] + K[j, j] - 2 * K[i, j], least)
    ends = [sorted(s * (v - alpha[t]) for v in (0, C)) for t, s in ((i, y[i]), (j, -y[j]))]
    if clip:
        step = np.clip(step, max(low for low, _ in ends), min(high for _, high in ends))
    new = alpha.copy()
    new[i] += y[i] * step
    new[j] -= y[j] * step
    return new


def platt_step(K, y, C, alpha, i, j):
    """Write the same step as Platt does: L, H, eta, and the second multiplier first."""
    s, E = y[i] * y[j], K @ (alpha * y) - y
    if s < 0:
        L, H = max(0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    else:
        L, H = max(0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    eta = K[i, i] + K[j, j] - 2 * K[i, j] or 1e-12
    new = list(alpha)
    new[j] = min(max(alpha[j] + y[j] * (E[i] - E[j]) / eta, L), H)
    new[i] = alpha[i] + s * (alpha[j] - new[j])
    return new


def pair_that_skips(skip):
    """Leave alpha as it is where skip(alpha, C) holds for one of the two."""

    def answer(K, y, C, alpha, i, j):
        stays = skip(alpha[i], C) or skip(alpha[j], C)
        return alpha.copy() if stays else pair_step(K, y, C, alpha, i, j)

    return answer


def pair_skipping_equal_examples(K, y, C, alpha, i, j):
    equal = K[i, i] + K[j, j] - 2 * K[i, j] < 1e-9
    return alpha.copy() if equal else pair_step(K, y, C, alpha, i, j)


def pair_one_sided(K, y, C, alpha, i, j):
    new = pair_step(K, y, C, alpha, i, j)
    new[j] = alpha[j]
    return new


def pair_clipped_apart(K, y, C, alpha, i, j):
    return np.clip(pair_step(K, y, C, alpha, i, j, clip=False), 0, C)


def pair_in_place(K, y, C, alpha, i, j):
    alpha[:] = pair_step(K, y, C, alpha, i, j)
    return alpha


def pair_without_labels(K, y, C, alpha, i, j):
    return pair_step(K, np.ones_like(y), C, alpha, i, j)


def not_constant(data):
    return np.ptp(data, axis=0) > 0


def standardised(fit, flat=1.0, varies=not_constant):
    """Return a scale that learns mean and deviation from fit(train, test)."""

    def answer(train, test):
        m, s = fit(train, test).mean(axis=0), fit(train, test).std(axis=0)
        s = np.where(varies(fit(train, test)), s, flat)
        with np.errstate(invalid="ignore", divide="ignore"):
            return (train - m) / s, (test - m) / s

    return answer


def of_train(train, test):
    return train


def scale_apart(train, test):
    return standardised(of_train)(train, test)[0], standardised(of_train)(test, test)[0]


def scale_to_unit_interval(train, test):
    low, width = train.min(axis=0), np.ptp(train, axis=0)
    width = np.where(width > 0, width, 1.0)
    return (train - low) / width, (test - low) / width


def vote(scores, pairs, k):
    winners = [c if score >= 0 else d for (c, d), score in zip(pairs, scores)]
    return np.argmax(np.bincount(winners, minlength=k))


def vote_by_matrix(scores, pairs, k):
    won = np.zeros((k, k))
    for (c, d), score in zip(pairs, scores):
        won[c, d], won[d, c] = score >= 0, score < 0
    return max(range(k), key=lambda c: (won[c].sum(), -c))


def vote_to_the_highest(scores, pairs, k):
    return k - 1 - np.argmax(votes_of(scores, pairs, k)[::-1])


def votes_of(scores, pairs, k):
    return np.bincount([c if v >= 0 else d for (c, d), v in zip(pairs, scores)], minlength=k)


def vote_by_scores(scores, pairs, k):
    total = np.zeros(k)
    for (c, d), score in zip(pairs, scores):
        total[c] += score
        total[d] -= score
    return np.argmax(total)


def vote_of_the_surest(scores, pairs, k):
    surest = np.argmax(np.abs(scores))
    return pairs[surest][int(scores[surest] < 0)]


def vote_for_first_classes(scores, pairs, k):
    return np.argmax(votes_of(*zip(*((s, p) for s, p in zip(scores, pairs) if s >= 0)), k))


def slope_with_kink_at(t):
    return lambda w, x, y: -y * x if y * (w @ x) < t else 0 * x


def nothing_at_the_kink(w, x, y):
    t = y * (w @ x)
    if t < 1:
        return -y * x
    if t > 1:
        return 0 * x


def right_at_0_alone(w, x, y):
    return w + y * x if y * (w @ x) < 0 or not w.any() else w


RIGHT = {
    "slack": [
        slacks,
        lambda w, b, X, y: [max(0.0, 1 - t * (np.dot(w, x) + b)) for x, t in zip(X, y)],
    ],
    "offset": [offset, offset_by_descent],
    "pair": [pair_step, platt_step],
    "scale": [
        standardised(of_train),
        lambda a, b: [(v - a.mean(0)) / (a.std(0, ddof=1) + (np.ptp(a, 0) == 0)) for v in (a, b)],
    ],
    "vote": [vote, vote_by_matrix],
    "precision": [precision_recall, listed],
    "lift": [
        lambda w, w0, x: (np.append(w, w0), np.append(x, 1.0)),
        lambda w, w0, x: ([w0, *w], [1, *x]),
        lambda w, w0, x: (np.append(w, -w0), np.append(x, -1.0)),
        lambda w, w0, x: [np.append(w, w0 / 2)[:, None], np.append(x, 2.0)[:, None]],
    ],
    "update": [
        lambda w, x, y: np.float32(w + y * x if y * (w @ x) <= 0 else w),
        lambda w, x, y: w + y * x if y * (w @ x) <= 0 else w,
        lambda w, x, y: [a + y * b * (y * np.dot(w, x) <= 0) for a, b in zip(w, x, strict=True)],
    ],
    "slope": [
        lambda w, x, y: -y * x if y * (w @ x) < 1 else 0 * x,
        lambda w, x, y: -y * x * (y * (w @ x) <= 1),
    ],
    "margin": [
        lambda w, x, y: y * (w @ x) / norm(w),
        lambda w, x, y: np.float32(y * (w @ x) / norm(w)),
    ],
    "bound": [
        lambda X, y, u: (X**2).sum(axis=1).max() * (u @ u) / min(y * (X @ u)) ** 2,
        lambda X, y, u: (max(map(norm, X)) / min(y * (X @ (u / norm(u))))) ** 2,
    ],
    "average": [
        lambda W, c: c @ W / c.sum(),
        lambda W, c: np.average(W, axis=0, weights=c),
    ],
    "map": [
        lambda x: [1, 2**0.5 * x[0], 2**0.5 * x[1], x[0] ** 2, 2**0.5 * x[0] * x[1], x[1] ** 2],
        lambda x: np.outer([1, *x], [1, *x]).ravel(),
    ],
    "gaussian": [
        lambda X, Z, s: np.exp(-((X[:, None] - Z[None]) ** 2).sum(axis=2) / (2 * s**2)),
        lambda X, Z, s: [[np.exp(-(norm(x - z) ** 2) / (2 * s * s)) for z in Z] for x in X],
    ],
    "score": [lambda a, y, K: (a * y) @ K, lambda a, y, K: K.T @ (a * y)],
    "ridge": [
        lambda K, y, c: np.linalg.solve(K + c * np.eye(len(K)), y),
        lambda K, y, c: np.linalg.inv(K + c * np.eye(len(K))) @ y,
    ],
    "above": [
        lambda: "low*slope + high*sign + wrong",
        lambda: "(1 - e)*sign + e*(xi - 1 + t) + wrong",
    ],
    "growth": [
        lambda: "sum_of_growth + 2*mistake + radius",
        lambda: "(R^2 - z.z) + mistake - w.z + sum_of_growth",
    ],
    "detour": [
        lambda: "norm(R^2*u - w) + 2*R^2*sum_of_progress + sum_of_growth",
        lambda: "norm(w - R^2*u) + (T*R^2 - w.w) + size^2*sum_of_progress*2",
    ],
    "terms": [
        lambda: "terms + upper*slack + lower*margin",
        lambda: "terms + (C - alpha)*slack + alpha*margin",
    ],
    "segment": [
        lambda: "up*high + down*low + curved/2*sq(q - t) + (q - t)*slope - at_h - at_l",
        lambda: "a*high + d*low + curved*sq(t - q)/2 - at_l - at_h - slope*(t - q)",
    ],
    "radon": [
        lambda X: np.linalg.svd(lifted(X).T)[2][-1],
        lambda X: [*np.linalg.solve(lifted(X)[:-1].T, -lifted(X)[-1]), 1],
    ],
}

#: exercise, planted wrong answer, the words by which the verdict must name what it breaks
WRONG = [
    ("lift", lambda w, w0, x: (w, x), "first value you return, w~, is [0.33, -1.3]"),
    ("lift", lambda w, w0, x: (np.append(w, 1.0), np.append(x, w0)), "the same for every w"),
    ("lift", lambda w, w0, x: (np.append(w, -w0), np.append(x, 1.0)), "w0 is subtracted"),
    ("update", lambda w, x, y: w + y * x, "no mistake, no update"),
    ("update", lambda w, x, y: w + y * x if y * (w @ x) < 0 else w, "a tie is a mistake (<= 0)"),
    ("update", right_at_0_alone, "y w.x = 0 is a tie, and a tie is a mistake (<= 0)"),
    ("update", lambda w, x, y: w + y * x if y != (1 if w @ x >= 0 else -1) else w, "the growth of"),
    ("update", lambda w, x, y: w + y * x if y * (w @ x) <= 0.02 else w, "no mistake, no update"),
    ("update", lambda w, x, y: w + y * x if y * (w @ x) < 1e-4 else w, "6.1e-05 > 0: no mistake"),
    ("update", lambda w, x, y: w + x if y * (w @ x) <= 0 else w, "the label is missing"),
    ("update", lambda w, x, y: w - y * x if y * (w @ x) <= 0 else w, "the growth of y w.x must be"),
    ("update", lambda w, x, y: w + 2 * y * x if y * (w @ x) <= 0 else w, "it was added twice"),
    ("update", lambda w, x, y: w.__iadd__(y * x * (y * (w @ x) <= 0)), "not change the w"),
    ("slope", lambda w, x, y: -y * x if y * (w @ x) < 0 else 0 * x, "right for y w.x > 1"),
    ("slope", nothing_at_the_kink, "Is a `return` missing"),
    ("slope", lambda w, x, y: y * x if y * (w @ x) == 1 else -y * x * (y * (w @ x) < 1),
     "y w.x = 1, and at v = "),
    ("slope", lambda w, x, y: -y * x if y * (w @ x) < 1 else np.zeros(3), "a vector of 4 numbers"),
    ("slope", slope_with_kink_at(0.8), "y w.x = 0.9, and at v = "),
    ("slope", slope_with_kink_at(0.95), "(that is right for y w.x > 1)"),
    ("slope", slope_with_kink_at(1.05), "is 2.0000, above L(v) = 1.9900"),
    ("slope", slope_with_kink_at(1.5), "y w.x = 1.01, and at v"),
    ("slope", slope_with_kink_at(2.0), "y w.x = 1.01, and at v"),
    ("slope", lambda w, x, y: y * x if y * (w @ x) < 1 else 0 * x, "the sign is wrong"),
    ("slope", lambda w, x, y: -x if y * (w @ x) < 1 else 0 * x, "the label is missing"),
    ("slope", lambda w, x, y: -y * x, "that is right for y w.x < 1"),
    ("margin", lambda w, x, y: y * (w @ x), "this is y w.x: divide it by norm(w)"),
    ("margin", lambda w, x, y: y * (w @ x) / (w @ w), "divide by norm(w), not by its square"),
    ("margin", lambda w, x, y: abs(w @ x) / norm(w), "this is the distance without its sign"),
    ("margin", lambda w, x, y: (w @ x) / norm(w), "the label is missing"),
    ("margin", lambda w, x, y: 2 * y * (w @ x) / norm(w), "the distance of x"),
    ("bound", lambda X, y, u: (X**2).sum(axis=1).max() / min(y * (X @ u)) ** 2, "when u grows"),
    ("bound", lambda X, y, u: max(map(norm, X)) * norm(u) / min(y * (X @ u)), "square it"),
    ("bound", lambda X, y, u: norm(u) ** 2 / min(y * (X @ u)) ** 2, "when X grows"),
    ("bound", lambda X, y, u: (X**2).sum(1).max() * (u @ u) / np.mean(y * (X @ u)) ** 2, "R^2"),
    ("average", lambda W, c: W.mean(axis=0), "yours is the mean without the counts"),
    ("average", lambda W, c: W[-1], "yours is the last hypothesis"),
    ("average", lambda W, c: c @ W / len(c), "yours is the sum divided by the number of rows"),
    ("map", lambda x: [1, x[0], x[1], x[0] ** 2, x[0] * x[1], x[1] ** 2], "must be (1 + x.z)^2"),
    ("map", lambda x: [x[0] ** 2, x[1] ** 2, 2**0.5 * x[0] * x[1]], "must be (1 + x.z)^2"),
    ("gaussian", lambda X, Z, s: np.exp(-cdist(X, Z) / (2 * s**2)), "distance is not squared"),
    ("gaussian", lambda X, Z, s: np.exp(-(cdist(X[:, :2], Z[:, :2]) ** 2) / (2 * s**2)), "K[0, 0]"),
    ("gaussian", lambda X, Z, s: np.exp(-(cdist(X, Z) ** 2) / (2 * s)), "sigma is not squared"),
    ("gaussian", lambda X, Z, s: np.exp(-(cdist(X, Z) ** 2) / (2 * s) ** 2), "2 sigma)^2"),
    ("gaussian", lambda X, Z, s: np.exp(-(cdist(X, Z) ** 2) / s**2), "2 sigma^2 is missing"),
    ("gaussian", lambda X, Z, s: np.exp(cdist(X, Z) ** 2 / (2 * s**2)), "minus sign is missing"),
    ("gaussian", lambda X, Z, s: np.exp(-(cdist(X, Z) ** 2) / 2 * s**2), "brackets around"),
    ("gaussian", lambda X, Z, s: np.exp(-(cdist(X, Z) ** 2) / 2), "(sigma is missing)"),
    ("gaussian", lambda X, Z, s: np.exp(-(cdist(Z, X) ** 2) / (2 * s**2)), "of shape (2, 3)"),
    ("gaussian", lambda X, Z, s: np.exp(-(cdist(X, -Z) ** 2) / (2 * s**2)), "must give 1"),
    ("score", lambda a, y, K: a @ K, "the labels are missing"),
    ("score", lambda a, y, K: (a > 0) * y @ K, "must be w.z"),
    ("score", lambda a, y, K: (a * y * y) @ K, "the labels are missing"),
    ("score", lambda a, y, K: np.where((a * y) @ K >= 0, 1, -1), "must be w.z"),
    ("slack", lambda w, b, X, y: 1 - y * (X @ w + b), "may be negative"),
    ("slack", lambda w, b, X, y: slacks(w, 0, X, y), "the offset b is missing"),
    ("slack", lambda w, b, X, y: np.maximum(0, -y * (X @ w + b)), "the edge is at 1, not at 0"),
    ("slack", lambda w, b, X, y: slacks(w, b, X, y) * (y * (X @ w + b) < 0), "y f >= 1 - xi"),
    ("slack", lambda w, b, X, y: slacks(w, b, X, y) ** 2, "yours is squared"),
    ("slack", lambda w, b, X, y: abs(1 - y * (X @ w + b)), "an example with y f > 1 has no slack"),
    ("slack", lambda w, b, X, y: 1 + slacks(w, b, X, y), "smaller slack would do"),
    ("slack", lambda w, b, X, y: slacks(w, b, X, y).sum(), "and this is a number"),
    ("offset", offset_from(lambda alpha, C: alpha > 0), "over all support vectors"),
    ("offset", offset_from(lambda alpha, C: alpha >= 0), "over all examples"),
    ("offset", offset_from(lambda alpha, C: alpha >= C), "at the bound C"),
    ("offset", lambda K, y, C, a: residuals(K, y, a)[np.argmax(a)], "at the bound C"),
    ("offset", lambda K, y, C, a: residuals(K, y, a)[np.argmax(a > 0)], "must have y f = 1"),
    ("offset", lambda K, y, C, a: residuals(K, y, a)[np.flatnonzero(a)[-1]], "must have y f = 1"),
    ("offset", lambda *args: -offset(*args), "wrong way round"),
    ("offset", lambda *args: 0.0, "must have y f = 1"),
    ("offset", offset_of_free_ones_else(0.0), "no vector is free"),
    ("offset", offset_of_free_ones_else(np.nan), "the mean of no vector at all"),
    ("pair", lambda *args: pair_step(*args, clip=False), "must stay in [0, C]"),
    ("pair", lambda *args: pair_step(*args, factor=-1), "objective falls"),
    ("pair", lambda *args: pair_step(*args, factor=0.5), "this pair alone can reach"),
    ("pair", lambda *args: pair_step(*args, factor=1.5), "this pair alone can reach"),
    ("pair", lambda K, y, C, alpha, i, j: alpha.copy(), "this pair alone can reach"),
    ("pair", lambda *v: pair_step(*v) if v[3].any() else v[3].copy(), "this pair alone can reach"),
    ("pair", pair_that_skips(lambda a, C: a >= C), "this pair alone can reach"),
    ("pair", pair_that_skips(lambda a, C: a <= 0), "this pair alone can reach"),
    ("pair", pair_skipping_equal_examples, "this pair alone can reach"),
    ("pair", lambda *args: pair_step(*args, least=0.0), "two equal examples have eta = 0"),
    ("pair", pair_clipped_apart, "sum alpha y must stay"),
    ("pair", pair_one_sided, "sum alpha y must stay"),
    ("pair", pair_without_labels, "sum alpha y must stay"),
    ("pair", pair_in_place, "must not be changed"),
    ("pair", lambda *args: pair_step(*args)[[args[-2], args[-1]]], "a vector of 4 numbers"),
    ("pair", lambda K, y, C, alpha, i, j: pair_step(K, y, C, alpha, 0, 3), "may move"),
    ("scale", standardised(lambda a, b: np.vstack([a, b])), "get the mean 0"),
    ("scale", standardised(of_train, varies=lambda a: a.std(axis=0) > 0), "deviation 1.4e-17"),
    ("scale", scale_apart, "test has its own mean and deviation"),
    ("scale", standardised(of_train, flat=0.0), "(6 times -2 have the deviation 0"),
    ("scale", lambda a, b: (a - a.mean(0), b - a.mean(0)), "deviation 1"),
    ("scale", lambda a, b: ((a - a.mean()) / a.std(), (b - a.mean()) / a.std()), "axis=0 is"),
    ("scale", scale_to_unit_interval, "the mean 0"),
    ("scale", lambda a, b: (standardised(of_train)(a, b)[0], b), "test came back as it was"),
    ("scale", lambda a, b: standardised(of_train)(a.T, a.T), "an array of shape (6, 3)"),
    ("vote", vote_to_the_highest, "the lowest class wins"),
    ("vote", vote_by_scores, "the votes are"),
    ("vote", vote_of_the_surest, "the votes are"),
    ("vote", lambda s, pairs, k: vote(-s, pairs, k), "the votes are"),
    ("vote", lambda s, pairs, k: vote(s - 1e-300, pairs, k), "score >= 0 being the first"),
    ("vote", vote_for_first_classes, "the votes are"),
    ("vote", votes_of, "the class must be a whole number, 0 to 2, and this is an array"),
    ("vote", lambda s, pairs, k: vote(s, pairs, k) + 1, "the votes are"),
    ("ridge", lambda K, y, c: np.linalg.lstsq(K, y, rcond=None)[0], "the penalty is missing"),
    ("ridge", lambda K, y, c: np.linalg.solve(K + 2 * c * np.eye(len(K)), y), "slope of J"),
    ("ridge", lambda K, y, c: np.linalg.solve(K + c * np.eye(4), y), "with ValueError"),
    ("ridge", lambda K, y, c: np.linalg.solve(K + c, y), "diagonal only"),
    ("precision", lambda y, s: precision_recall(y, s)[::-1], "you return the recall first"),
    ("precision", lambda y, s: precision_recall(s, y), "you return the recall first"),
    ("precision", over_positives, "called +"),
    ("precision", false_positive_rate, "that are +"),
    ("precision", lambda y, s: precision_recall(-y, -s), "takes - for the positive"),
    ("precision", lambda y, s: [np.mean(y == s)] * 2, "this is the accuracy"),
    ("precision", crashing, "ZeroDivisionError"),
    ("precision", nan_at_0_over_0, "0/0, which counts as 0"),
    ("precision", one_at_0_over_0, "0/0, which counts as 0"),
    ("above", lambda: "slope + wrong", "left over"),
    ("above", lambda: "e*slope + (1 - e)*sign", "left over: −t e"),
    ("above", lambda: "e*slope + xi - xi*e - t*e", "has no known sign"),
    ("growth", lambda: "sum_of_growth + radius", "left over: −2 w·z"),
    ("growth", lambda: "sum_of_growth + mistake + radius", "left over: −w·z"),
    ("growth", lambda: "sum_of_growth + 2*margin + radius", "left over"),
    ("growth", lambda: "sum_of_growth + 2*mistake - radius", "left over: 2 R² − 2 ‖z‖²"),
    ("growth", lambda: "sum_of_growth + 2*mistake + z.z", "left over: R² − 2 ‖z‖²"),
    ("growth", lambda: "(k + 1)*R^2 - norm(w + z)", "is negative"),
    ("growth", lambda: "sum_of_growth + 2 mistake + radius", "is no expression"),
    ("growth", lambda: "grow + 2*mistake + radius", "'grow' is neither"),
    ("growth", lambda: {"growth": 1, "mistake": 2}, "must be a text"),
    ("detour", lambda: "norm(u - w) + 2*sum_of_progress + sum_of_growth", "left over"),
    ("detour", lambda: "2*R^2*sum_of_progress + sum_of_growth", "left over: R⁴ ‖u‖²"),
    (
        "detour",
        lambda: "R^4*u.u - 2*R^2*w.u + w.w + 2*R^2*sum_of_progress + sum_of_growth",
        "no known sign",
    ),
    ("terms", lambda: "terms + lower*margin", "left over: C ξ − α ξ"),
    ("terms", lambda: "terms + C*slack + lower*margin", "left over: −α ξ"),
    ("terms", lambda: "terms + upper*slack + lower*margin + balance", "'balance' is neither"),
    ("segment", lambda: "curved/2*sq(q - t)", "left over"),
    ("segment", lambda: "curved/2*sq(q - t) + (q - t)*(s - eta*q)", "no known sign"),
    ("segment", lambda: "up*high - down*low + curved/2*sq(q - t) + (q - t)*slope", "left over"),
    ("radon", lambda X: np.zeros(len(X)), "must not be 0"),
    ("radon", lambda X: np.ones(len(X)), "sum of a must be 0"),
    ("radon", lambda X: np.ones(len(X) - 1), "a vector of 3 numbers"),
    ("radon", lambda X: np.linalg.svd(X.T)[2][-1], "sum of a must be 0"),
    ("radon", lambda X: np.arange(len(X)) - (len(X) - 1) / 2, "the same point"),
    ("radon", lambda X: np.linalg.svd(lifted(X).T)[2][0], "sum of a must be 0"),
]  # fmt: skip
