"""Hidden checks of homework 3: the subtle misconceptions, on data that the secret chooses."""

import numpy as np

from lectures_homework.hw3 import (
    DIRECTIONS,
    ENOUGH,
    counts,
    expect_degree,
    expect_inner,
    expect_refuted,
    expect_valid,
    features,
    line_set,
)
from lectures_homework.language.broadly import expect_like, factor, signs, size, table
from lectures_homework.language.checks import close, expect
from lectures_homework.language.drawing import drawn
from lectures_homework.language.reading import array, vector
from lectures_homework.practice.hw3 import (
    add_again,
    examples,
    grid,
    turned,
)
from lectures_lib.kernels import Gaussian, Polynomial
from lectures_lib.perceptron import kernel_perceptron


@drawn
def pairwise(rng, n=4):
    """Return a false Gram matrix whose 2 x 2 minors, diagonal and entries' sum are all fine."""
    while True:
        K = np.eye(n) * 1.5 + rng.uniform(0.75, 0.9, size=(n, n)) * rng.choice([-1, 1], (n, n))
        K = np.triu(K) + np.triu(K, 1).T
        np.fill_diagonal(K, 1.5)
        if np.linalg.eigvalsh(K)[0] < -0.2 and K.sum() > 1 and np.linalg.det(K) < -0.1:
            return K


@drawn
def twins(rng):
    """Return a false Gram matrix whose first two points are the same: leading minors are 0."""
    K = pairwise(rng)
    index = [0, 0, 1, 2, 3]
    return K[np.ix_(index, index)]


def clear(X, y, p, passes):
    """True if no score of the run but the first is so near 0 that rounding decides it."""
    K, alpha = Polynomial(p)(X), np.zeros(len(y))
    for t in np.tile(np.arange(len(y)), passes):
        terms = alpha * y * K[t]
        if alpha.any() and abs(terms.sum()) < 1e-11 * np.abs(terms).sum():
            return False
        alpha[t] += y[t] * terms.sum() <= 0
    return True


@drawn
def zigzag(rng, changes, upright=False):
    """Return points at nearly equal distances on a line; each has another label than the next."""
    while True:
        t, mix = np.arange(changes + 1) - changes / 2, rng.permutation(changes + 1)
        t += rng.uniform(-0.1, 0.1, size=len(t))  # else many scores are 0 but for rounding
        u = np.array([0.0, 1.0]) if upright else rng.choice(DIRECTIONS)
        X = (t[:, None] * u + rng.choice([-0.5, 0.5]) * np.array([-u[1], u[0]]))[mix]
        y = (rng.choice([-1.0, 1.0]) * (-1.0) ** np.arange(changes + 1))[mix]
        run = kernel_perceptron(X, y, Polynomial(changes), max_epochs=3 * ENOUGH // 4)
        if run.converged and clear(X, y, changes, run.epochs):
            return X, y


@drawn
def long_line(rng):
    """Return ten points on a line, of degree 1, whose run takes more than ENOUGH passes."""
    while True:
        t, cuts = np.sort(rng.permutation(np.arange(-20, 20))[:10]) / 16, rng.permutation(9)[:1] + 1
        signs = (-1.0) ** np.searchsorted(np.sort(cuts), np.arange(10), side="right")
        u, mix = rng.choice(DIRECTIONS), rng.permutation(10)
        X, y = (t[:, None] * u + 0.5 * np.array([-u[1], u[0]]))[mix], signs[mix]
        run = kernel_perceptron(X, y, Polynomial(1), max_epochs=3 * ENOUGH // 2)
        if run.converged and run.epochs > ENOUGH + 10:
            return X, y


@drawn
def any_lines(rng, many=20):
    """Return sets of points on a line, two or more, of both classes, at any distances."""
    found = []
    while len(found) < many:
        n, u = size(rng, 30, 2), rng.choice(DIRECTIONS)
        changes = min(n - 1, int(rng.integers(1, 5)))
        cuts = np.sort(rng.choice(np.arange(1, n), changes, replace=False))
        if rng.random() < 0.5:  # all labels but a few are alike
            cuts = int(rng.integers(1, n - changes + 1)) + np.arange(changes)
        labels = rng.choice([-1.0, 1.0]) * (-1.0) ** np.searchsorted(cuts, np.arange(n), "right")
        t, mix = np.sort(rng.normal(size=n)), rng.permutation(n)
        X, y = (
            (t[:, None] * u + rng.choice([-0.5, 0.5]) * np.array([-u[1], u[0]]))[mix],
            labels[mix],
        )
        run = kernel_perceptron(X, y, Polynomial(changes), max_epochs=3 * ENOUGH // 4)
        if run.converged and clear(X, y, changes, run.epochs):
            found.append((X, y))
    return found


@drawn
def endless(rng, passes):
    """Return K, y and alpha of a run that finds no clean pass; no score is near 0 but the first."""
    while True:
        X, y = rng.normal(size=(6, 2)), rng.choice([-1.0, 1.0], size=6)
        K, alpha, least = X @ X.T, np.zeros(6), np.inf
        for t in np.tile(np.arange(6), passes):
            score = y[t] * (K[t] @ (alpha * y))
            least = min(least, abs(score)) if alpha.any() else least
            alpha[t] += score <= 0
        if alpha.sum() > 2 * passes and least > 1e-4:
            return K, y, alpha


@drawn
def nearly_clean(rng):
    """Return K, y and a limit that ends the run after a later pass with one mistake."""
    while True:
        X, u = rng.normal(size=(int(rng.integers(30, 40)), 2)), rng.normal(size=2)
        y = np.where(X @ u > 0, 1.0, -1.0)
        run = kernel_perceptron(X, y, Polynomial(1), max_epochs=40)
        for limit in range(2, run.epochs):
            before = kernel_perceptron(X, y, Polynomial(1), max_epochs=limit - 1)
            after = kernel_perceptron(X, y, Polynomial(1), max_epochs=limit)
            one = np.sum(after.alpha) == np.sum(before.alpha) + 1
            if one and not after.converged and clear(X, y, 1, limit):
                return Polynomial(1)(X), y, limit


@drawn
def met_at_0(rng):
    """Return K, y and alpha of a run whose passes after the first have scores of exactly 0.

    Whoever takes such a score for right, in the first pass or later, ends with other counts.
    """
    while True:
        X, y = rng.integers(-3, 4, size=(6, 2)).astype(float), rng.choice([-1.0, 1.0], size=6)
        K, (alpha, *others) = X @ X.T, np.zeros((3, 6))
        for number, t in enumerate(np.tile(np.arange(6), 5)):
            alpha[t] += y[t] * (K[t] @ (alpha * y)) <= 0
            for some, early in zip(others, (False, True)):
                score = y[t] * (K[t] @ (some * y))
                some[t] += score < 0 or (score == 0 and (not some.any() or (early and number < 6)))
        if not any(np.array_equal(alpha, some) for some in others):
            return K, y, alpha


def any_pairs(rng):
    """Return (X, Z, sigma): two sets of points of any size, and a width of theirs."""
    n, m, d, far = size(rng, 90), size(rng, 90), size(rng, 40), factor(rng, 5.0)
    m = n if rng.random() < 0.2 else m
    return far * table(rng, n, d), far * table(rng, m, d), far * float(rng.uniform(0.4, 3) * d**0.5)


def any_powers(rng):
    """Return (X, Z, p): two sets of points of any size, and a degree."""
    X, Z, _ = any_pairs(rng)
    large = max(1.0, float(np.abs(X @ Z.T).max()) / 10) ** 0.5  # single precision ends at 1e38
    X, Z = X / large, Z / large
    if rng.random() < 0.4:  # 1 + x.z = 0
        X[0], Z[0], some = 0.0, 0.0, 2.0 ** int(rng.integers(-9, 9))
        X[0, -1], Z[0, -1] = some, -1 / some
    return X, Z, size(rng, 12)


def any_scores(rng):
    """Return (X, y, alpha, Z, sigma): points, labels, counts, new points and a width."""
    X, Z, sigma = any_pairs(rng)
    n = len(X)
    alpha = rng.integers(0, size(rng, 500, 2), size=n) * (
        rng.random(n) < rng.choice([0.0, 0.2, 1.0])
    )
    return X, signs(rng, n), alpha.astype(float), Z, sigma


#: What is right, and what is asked.
BROAD = {
    "gaussian": (lambda X, Z, sigma: Gaussian(sigma)(X, Z), any_pairs),
    "polynomial": (lambda X, Z, p: Polynomial(p)(X, Z), any_powers),
    "scores": (lambda X, y, alpha, Z, sigma: Gaussian(sigma)(Z, X) @ (alpha * y), any_scores),
}


@drawn
def broad_runs(rng, many=40):
    """Return (K, y, passes, alpha, converged) of runs; no score is near 0 but the first."""
    found = []
    while len(found) < many:
        n, d, passes = size(rng, 60), size(rng, 20), size(rng, 9)
        X, y = table(rng, n, d), signs(rng, n)
        K = factor(rng) * (Gaussian(d**0.5)(X) if rng.random() < 0.5 else X @ X.T)
        alpha, least, last = np.zeros(n), np.inf, -1
        for number, t in enumerate(np.tile(np.arange(n), passes)):
            terms = alpha * y * K[t]
            if alpha.any():
                least = min(least, abs(terms.sum()) / max(np.abs(terms).sum(), 1e-300))
            if y[t] * terms.sum() <= 0:
                alpha[t], last = alpha[t] + 1, number
        if least > 1e-5:
            found.append((K, y, passes, alpha, last < n * (passes - 1)))
    return found


def add(HW):
    """Register the hidden checks, and the visible ones on inputs drawn anew."""
    add_again(HW)

    @HW.check(
        "q1",
        "other widths, other shapes, far from the origin",
        points=1,
        hint="Moving X and Z together changes no distance; moving them apart does. A point meets "
        "itself with 1: K is no density. One feature and one row are allowed, too.",
        hidden=True,
    )
    def _(call, rng):
        cases = [(3, 5, 4, 1.75), (6, 2, 1, 0.8), (1, 4, 3, 2.5), (5, 5, 2, 0.4)]
        cases += [(*(int(k) for k in rng.integers(2, 8, size=3)), s) for s in (0.07, 35.0)]
        for n, m, d, sigma in cases:
            far = rng.integers(15, 25, size=d)
            X, Z = grid(rng, n, d) + far, grid(rng, m, d) + far
            Z[0] = X[-1]
            K = array(call("gaussian", X, Z, sigma), (n, m), "a row for x, a column for z")
            expect(close(K, Gaussian(sigma)(X, Z)), "K is L1's Gaussian")
        X, Z = grid(rng, 3, 2) + 2.0**14, grid(rng, 4, 2) + 2.0**14
        K = array(call("gaussian", X, Z, 0.7), (3, 4), "a row for x, a column for z")
        expect(close(K, Gaussian(0.7)(X, Z)), "only differences count, however far off the points")
        m, n, d = (int(k) for k in rng.integers((110, 60, 26), (140, 80, 40)))
        X, Z = rng.normal(size=(n, d)), rng.normal(size=(m, d))
        for one, other, sigma in ((X, Z, 3.1), (X + 0.2, Z, 3.1), (X, 0.5 * Z, 3.1), (X, Z, 1.9)):
            K = array(call("gaussian", one, other, sigma), (n, m), "all pairs")
            expect(close(K, Gaussian(sigma)(one, other)), "each call is about its own arguments")
        far = np.array([[4.95 * 0.7]])  # there K is 5e-6
        K = array(call("gaussian", far, 0 * far, 0.7), (1, 1), "all pairs")
        expect(close(K, Gaussian(0.7)(far, 0 * far), atol=1e-8), "small values are values")
        expect_like(call, rng, "gaussian", *BROAD["gaussian"])

    @HW.check(
        "q2",
        "polynomial: negative inner products and other degrees",
        points=1,
        hint="1 + x·z may be negative or 0. An odd power keeps its sign, and p = 1 is a degree.",
        hidden=True,
    )
    def _(call, rng):
        cases = [(3, 5, 4, 3), (4, 2, 3, 1), (2, 6, 5, 5), (5, 3, 2, 4)]
        cases += [(*(int(k) for k in rng.integers(1, 8, size=3)), p) for p in (8, 7, 11)]
        cases += [(1, 4, 3, int(rng.integers(3, 6)))]
        for n, m, d, p in cases:
            X, Z = grid(rng, n, d), grid(rng, m, d)
            Z[0] = -X[0] * (1.75 / max(X[0] @ X[0], 0.1))  # 1 + x.z = -0.75
            K = array(call("polynomial", X, Z, p), (n, m), "a row for x, a column for z")
            expect(close(K, Polynomial(p)(X, Z)), "K is (1 + x·z)^p")
        n, m, d = (int(k) for k in rng.integers((30, 20, 9), (40, 30, 14)))
        X, Z = rng.normal(size=(n, d)) / 3, rng.normal(size=(m, d)) / 3
        Z[0] = X[0] * (2e-3 - 1) / (X[0] @ X[0])  # 1 + x.z is little
        for unit, p in ((1.0, int(rng.integers(21, 26))), (1.0, 1), (3e4, 3)):
            if unit > 1:  # nothing cancels: single precision will do
                X, Z = np.abs(X), np.abs(Z)
            K = array(call("polynomial", unit * X, unit * Z, p), (n, m), "all pairs")
            expect(close(K, Polynomial(p)(unit * X, unit * Z)), "K is (1 + x·z)^p")
        expect_like(call, rng, "polynomial", *BROAD["polynomial"])

    @HW.check(
        "q2",
        "phi: any number of features",
        points=1,
        hint="With d features there are d squares and d (d - 1) / 2 mixed products, of all pairs "
        "and not only of neighbours. One feature has no mixed product at all.",
        hidden=True,
    )
    def _(call, rng):
        for n, m, d in ((3, 5, 4), (4, 2, 3), (3, 2, 1), (1, 2, int(rng.integers(5, 9)))):
            X, Z = grid(rng, n, d), grid(rng, m, d)
            left, right = features(call("phi", X), n), features(call("phi", Z), m)
            expect_inner(left, right, X, Z)
        for _ in range(15):
            n, m, d = size(rng, 90), size(rng, 20), size(rng, 25)
            X, Z = (factor(rng) * np.abs(table(rng, k, d)) for k in (n, m))  # nothing cancels
            left, right = features(call("phi", X), n), features(call("phi", Z), m)
            expect(close(left @ right.T, (1 + X @ Z.T) ** 2), "phi(x)·phi(z) = (1 + x·z)²")

    @HW.check(
        "q3",
        "the size of K does not matter",
        points=1,
        hint="K and 10⁹ K get the same verdict, since v·Kv has the same sign. Is your tolerance "
        "measured against the largest eigenvalue, or is it one fixed number?",
        hidden=True,
    )
    def _(call, rng):
        bad, good = [3.5, 1.75, 0.5, -0.25, -0.125], [4.5, 2.25, 0.75, 1e-13, -1e-13, -7e-10]
        scales = (2.0**30, 2.0**-27, 2.0**-40, 2.0**33)
        for scale in scales:
            K = scale * turned(rng, np.array(bad))
            expect_refuted(call("psd", K), K)
        for scale in scales:
            K = scale * turned(rng, np.array(good))
            expect_valid(call("psd", K), K)
        for K in (np.zeros((3, 3)), np.zeros((1, 1)), np.array([[2.5]])):
            expect_valid(call("psd", K), K)
        for little in (-1e-5, -1e-12):
            expect_refuted(call("psd", np.array([[little]])), np.array([[little]]))
        empty = 0.7 * np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
        for K in (empty, -empty, np.diag([-2.5, 0.0]), np.diag([0.0, 0.0, -1e-7])):
            expect_refuted(call("psd", K), K)

    @HW.check(
        "q3",
        "one bad direction is found, wherever it hides",
        points=1,
        hint="Pairs of points, leading minors, row sums and random vectors all miss directions. "
        "The smallest eigenvalue misses none, and its eigenvector is the proof. What is rounding, "
        "and what is not? The tolerance is 10⁻⁹ of the largest eigenvalue.",
        hidden=True,
    )
    def _(call, rng):
        hides = [turned(rng, np.append(np.arange(1, 9) / 2, s)) for s in (-1e-3, -2e-4, -2e-8)]
        many = np.append(np.full(int(rng.integers(12, 17)), 4.0), [1.0, 0.3])
        hides += [turned(rng, np.append(many, -1.25e-9 * 4.0))]  # beyond the tolerance
        for K in (twins(rng), pairwise(rng), *hides):
            expect_refuted(call("psd", K), K)
        K = turned(rng, np.append(many, -0.8e-9 * 4.0))  # and within it
        expect_valid(call("psd", K), K)
        n = int(rng.integers(24, 32))  # now one eigenvalue is far larger than any entry
        spectrum = np.r_[float(n), np.full(n - 2, 0.01), 0.0]
        for share, expected in ((-1.25e-9, expect_refuted), (-0.8e-9, expect_valid)):
            spectrum[-1] = share * n
            U = np.linalg.qr(np.column_stack([np.ones(n), rng.normal(size=(n, n - 1))]))[0]
            K = (U * spectrum) @ U.T
            expected(call("psd", (K + K.T) / 2), (K + K.T) / 2)
        for d in (2, 5):
            K = Polynomial(1)(grid(rng, 9, d))
            expect_valid(call("psd", K), K)
        for _ in range(30):
            X, low = table(rng, size(rng, 25), size(rng, 25)), 10.0 ** -rng.uniform(1, 6)
            K = X @ X.T * factor(rng)
            expect_valid(call("psd", K), K)
            v = rng.normal(size=len(K)) * (rng.random(len(K)) < rng.choice([0.3, 1.0]))
            v = v / max(np.linalg.norm(v), 1e-9)
            K = K - (v @ K @ v + low * np.abs(K).max()) * np.outer(v, v)
            if v.any() and K.any():
                expect_refuted(call("psd", K), K)

    @HW.check(
        "q4",
        "the same mistakes as the perceptron in feature space",
        points=1,
        hint="Each example meets the counts of that moment, itself included. A score of 0 is a "
        "mistake for either label. One visit a pass, in the given order.",
        hidden=True,
    )
    def _(call, rng):
        for d, kernel in ((2, Gaussian(1.25)), (3, Polynomial(2)), (4, Polynomial(3))):
            n = int(rng.integers(7, 12))
            X, y, run = examples(rng, n, d, kernel)
            for passes in (60, 2):
                run = kernel_perceptron(X, y, kernel, max_epochs=passes)
                alpha, _ = counts(call("kernel_perceptron", kernel(X), y, passes), n)
                expect(close(alpha, run.alpha), "alpha counts the mistakes of the lecture's run")
        for K, y, want in (met_at_0(rng), met_at_0(rng)):
            alpha, _ = counts(call("kernel_perceptron", K, y, 5), 6)
            expect(close(alpha, want), "a score of 0 is a mistake, whenever it is met")
        X, y, run = examples(rng, 10, 4, kernel)
        for tilt in (1e-4, -1e-4, 5e-8, -5e-8):  # the second of two positive ones scores that
            K = np.array([[1.5, tilt], [tilt, 1.5]])
            alpha, _ = counts(call("kernel_perceptron", K, np.ones(2), 1), 2)
            expect(close(alpha, [1.0, float(tilt < 0)]), "a mistake is y f <= 0, by however little")
        for K, y, passes, *want in broad_runs(rng):
            alpha, converged = counts(call("kernel_perceptron", K, y, passes), len(y))
            expect(close(alpha, want[0]), "any number of examples, any kernel")
            expect(converged == want[1], "converged: the last pass had no mistake")
        passes = int(rng.integers(260, 400))
        K, y, want = endless(rng, passes)
        alpha, converged = counts(call("kernel_perceptron", K, y, passes), 6)
        expect(close(alpha, want) and not converged, "as many passes as allowed")
        for label in (-1.0, 1.0):
            alpha, _ = counts(call("kernel_perceptron", np.array([[0.3]]), np.array([label]), 5), 1)
            expect(close(alpha, [1.0]), "one example is mistaken once")

    @HW.check(
        "q4",
        "it stops at a clean pass or at the limit, and says which",
        points=1,
        hint="converged is True if the last pass had no mistake, also when it was the last one "
        "allowed. Two equal points with different labels never get a clean pass.",
        hidden=True,
    )
    def _(call, rng):
        kernel = Gaussian(1.25)
        X, y, run = examples(rng, 9, 2, kernel)
        never = kernel(X[[*range(9), 4]]), np.append(y, -y[4])
        _, converged = counts(call("kernel_perceptron", *never, 30), 10)
        expect(not converged, "no pass can be clean")
        _, converged = counts(call("kernel_perceptron", np.array([[0.3]]), -np.ones(1), 1), 1)
        expect(not converged, "the only pass had a mistake")
        K, many = np.diag([0.0, 2.0]), int(rng.integers(20, 40))
        alpha, converged = counts(call("kernel_perceptron", K, np.ones(2), many), 2)
        expect(close(alpha, [many, 1.0]) and not converged, "a score of 0 is a mistake, always")
        K, signs, limit = nearly_clean(rng)
        _, converged = counts(call("kernel_perceptron", K, signs, limit), len(signs))
        expect(not converged, "one mistake among many examples is a mistake")
        for limit in (run.epochs, run.epochs + 20, *range(1, run.epochs)):
            alpha, converged = counts(call("kernel_perceptron", kernel(X), y, limit), 9)
            expect(converged == (limit >= run.epochs), "converged: the last pass had no mistake")
            want = kernel_perceptron(X, y, kernel, max_epochs=limit).alpha
            expect(close(alpha, want), "alpha counts the mistakes up to where the limit ends it")

    @HW.check(
        "q4",
        "scores: any number of new points",
        points=1,
        hint="More or fewer new points than training points, or one alone. Where α_i = 0 the "
        "example has no say; where it is 5 it counts five times, with its label.",
        hidden=True,
    )
    def _(call, rng):
        few, more, many = map(int, rng.integers((2, 1, 3), (6, 4, 7)))
        for n, m, d, sigma in ((4, 4, 5, 2.25), (few, few + more, 3, 1.75), (many, 1, 2, 0.3)):
            X, Z = grid(rng, n, d), grid(rng, m, d)
            y, alpha = rng.permutation([1.0, -1.0, 1.0, -1.0, 1.0, -1.0][:n]), rng.permutation(n)
            got = call("scores", X, y, alpha.astype(float), Z, sigma)
            f = vector(got, m, "one score a new point")
            expect(close(f, Gaussian(sigma)(Z, X) @ (alpha * y)), "f(z) = Σ α y K(x, z)")
        X, Z = np.array([[0.3, 0.2]]), np.array([[3.6, 3.3], [1.1, 0.4]])  # far away counts, too
        f = vector(call("scores", X, -np.ones(1), np.array([7.0]), Z, 1.05), 2, "the scores")
        expect(
            close(f, -7.0 * Gaussian(1.05)(Z, X)[:, 0]), "f(z) = Σ α y K(x, z), however far z is"
        )
        expect_like(call, rng, "scores", *BROAD["scores"])

    @HW.check(
        "q5",
        "other sets: the smallest degree, with its proof",
        points=1,
        hint="Sets on other lines, from degree 1 on. Fewer passes than needed make the degree too "
        "large; a kernel other than (1 + x·z)^p makes alpha worthless.",
        hidden=True,
    )
    def _(call, rng):
        sets = [line_set(rng, changes) for changes in (1, 3, 2, 4)]
        for X, y in [*sets, zigzag(rng, 1), zigzag(rng, 5), zigzag(rng, 6)]:
            expect_degree(call("smallest_degree", X, y, ENOUGH), X, y)
        for changes in (1, 2, 3, 4):
            X, y = zigzag(rng, changes, True)
            expect_degree(call("smallest_degree", X, y, ENOUGH), X, y)
        for X, y in any_lines(rng):
            expect_degree(call("smallest_degree", X, y, ENOUGH), X, y)
        X, y = long_line(rng)  # more points, and more passes allowed
        expect_degree(call("smallest_degree", X, y, 3 * ENOUGH // 2), X, y)
