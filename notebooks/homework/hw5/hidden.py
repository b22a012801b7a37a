"""Hidden checks of homework 5: the subtle misconceptions, on data that the secret chooses."""

import numpy as np

from lectures_homework.hw5 import (
    COSTS,
    best_step,
    counts,
    duality_gap,
    ends,
    expect_choice,
    expect_folds,
    expect_optimal,
    expect_scaled,
    expect_table,
    expect_worst,
    machine,
    mixed_units,
    movable,
    scores,
    wanted,
)
from lectures_homework.language import reading
from lectures_homework.language.broadly import (
    beside,
    expect_like,
    factor,
    quarters,
    signs,
    size,
    table,
)
from lectures_homework.language.checks import close, expect
from lectures_homework.language.drawing import drawn
from lectures_homework.language.unchanged import expect_unchanged
from lectures_homework.practice.hw5 import (
    STEPS,
    add_again,
    any_state,
    claim,
    labels,
    problem,
    state,
    tie_table,
)
from lectures_homework.verdicts import (
    HAIR,
    best,
    dual,
    even,
    expect_lower,
    expect_upper,
    expect_verdict,
    primal,
)
from lectures_lib import smo, svm
from lectures_lib.kernels import Gaussian, Linear


@drawn
def cut_steps(rng, first):
    """Return K, y, C, alpha and four pairs whose step the box cuts: like and unlike, at 0 and C.

    `first`: the first of the pair meets its bound and the second does not; else the other way.
    """
    while True:
        K, y, C, alpha = state(rng)
        found = {}
        for i, j in np.ndindex(len(y), len(y)):
            bound = None if i == j else cut_at(K, y, C, alpha, i, j, first)
            if bound is not None:
                found[y[i] * y[j], bound] = (i, j)
        if len(found) == 4:
            return K, y, C, alpha, [found[key] for key in sorted(found)]


def cut_at(K, y, C, alpha, i, j, first):
    """Return the bound that the one of the pair meets, the other meeting none; else None."""
    new, top, t = best_step(K, y, C, alpha, i, j)
    one, other = (new[i], new[j]) if first else (new[j], new[i])
    far = abs(top - t) > 0.05 and abs(t) > 0.05
    return one if far and one in (0.0, C) and other not in (0.0, C) else None


def careless(K, y, C, alpha):
    """Return, for each way to mistake who can move, whether it finds another pair."""
    F, (grow, shrink) = wanted(K, y, alpha), movable(y, C, alpha)
    free = (alpha > 0) & (alpha < C)
    ways = [(free, free), (shrink, grow)]
    ways += [(alpha < C, shrink), (grow, alpha > 0)]  # the label forgotten
    for some in (y > 0, y < 0):
        ways += [(grow | some, shrink), (grow, shrink | some)]  # a bound forgotten
        ways += [(grow & some, shrink), (grow, shrink & some)]  # a class forgotten
    found = [(np.max(F[up], initial=-9e9), np.min(F[down], initial=9e9)) for up, down in ways]
    best = F[grow].max(), F[shrink].min()
    return np.array([not np.allclose(pair, best) and max(map(abs, pair)) < 9e9 for pair in found])


@drawn
def telling_states(rng):
    """Return states that together expose every careless way."""
    states, exposed = [], False
    while not np.all(exposed):
        one = state(rng, 11, 5, 0.875)
        more = exposed | careless(*one)
        if np.sum(more) > np.sum(exposed):
            states.append(one)
            exposed = more
    return states


@drawn
def settled(rng):
    """Return an optimal state without free multipliers: the most violating pair has F_i < F_j.

    All F that can grow are negative, and all that can shrink positive.
    """
    C = 0.125
    while True:
        y, full = labels(rng, 11, 5), rng.random(11) < 0.6
        far = y * np.where(full, 0.75, 4.0)  # those at C lie near the plane
        X = np.round(4 * (far[:, None] * [1.0, 0.5, 0.0] + rng.normal(size=(11, 3)) / 4)) / 4
        K, alpha = X @ X.T, C * full
        F, (grow, shrink) = wanted(K, y, alpha), movable(y, C, alpha)
        if full.any() and alpha @ y == 0 and F[grow].max() < -0.05 and F[shrink].min() > 0.05:
            return K, y, C, alpha


def stalls(K, y, C, tol, kept):
    """True if SMO by the formulas ends far from the optimum, because a hair remains.

    Rounding leaves a multiplier next to its bound, and the same pair comes back. `kept` are the
    bounds to which multipliers are pulled all the same.
    """
    alpha = np.zeros(len(y))
    for _ in range(STEPS):
        F, (grow, shrink) = wanted(K, y, alpha), movable(y, C, alpha)
        i, j = np.argmax(np.where(grow, F, -np.inf)), np.argmin(np.where(shrink, F, np.inf))
        if F[i] - F[j] <= tol:
            break
        alpha = by_formula(K, y, C, alpha, F, i, j)
        for bound in kept:
            alpha[np.abs(alpha - bound) < 1e-12] = bound
    return duality_gap(K, y, C, alpha) > 2 * len(y) * C * tol


def by_formula(K, y, C, alpha, F, i, j):
    """Return alpha after the step on (i, j), with the rounding errors of the formulas of q1."""
    L, H = max(0.0, alpha[j] - alpha[i]), min(C, C + alpha[j] - alpha[i])
    if y[i] == y[j]:
        L, H = max(0.0, alpha[i] + alpha[j] - C), min(C, alpha[i] + alpha[j])
    new, eta = alpha.copy(), K[i, i] + K[j, j] - 2 * K[i, j]
    new[j] = np.clip(alpha[j] + y[j] * (F[j] - F[i]) / eta, L, H)
    new[i] = alpha[i] + y[i] * y[j] * (alpha[j] - new[j])
    return new


@drawn
def stalling(rng, kernel, n, C, tol, kept):
    """Return K and y of a problem on which the formulas stall, with `kept` bounds or with none."""
    while True:
        X, y, _ = problem(rng, kernel, n, n // 2 - 1, C)
        K = kernel(X)
        if stalls(K, y, C, tol, kept) and stalls(K, y, C, tol, ()):
            return K, y


@drawn
def off_set(rng, shift):
    """Return a problem in the plane whose offset is large and whose first support is bounded."""
    while True:
        X, y, best = problem(rng, Linear(), 13, 5, 0.35, shift)
        F = wanted(X @ X.T, y, best.alpha)
        others = (0.0, -best.b, F[best.support].mean(), F.mean(), F[best.bounded].mean())
        if best.support[0] in best.bounded and min(abs(best.b - b) for b in others) > 0.15:
            return X, y, best


def tied(rng):
    """Return X, y and one test set: between two mirrored examples, where the score is exactly 0."""
    middle, half = rng.integers(-9, 10, size=(2, 2)) / 2
    half = np.abs(half) + 0.5
    X = np.array([middle, middle - half, middle, middle + half, middle])
    return X, np.array([1.0, -1.0, -1.0, 1.0, 1.0]), [np.array([0, 2, 4])]


def elsewhere(rng, side, t=1.0):
    """Return a state whose points lie far off: every F has the same sign, beyond -1 and +1.

    K is t times as large as it was: beyond -t and +t, then.
    """
    while True:
        _, y, C, alpha = state(rng)
        X = rng.integers(-9, 10, size=(len(y), 3)) / 4
        w = (alpha * y) @ X
        if w @ w > 0.3:
            X = X + side * (30.0 / (w @ w)) * w
            return t * (X @ X.T), y, C, alpha


@drawn
def none_free(rng, side):
    """Return a problem whose solution has every multiplier at C, and an offset far from 0.

    The points lie so far off that each has w.x of about 3 on that side.
    """
    C, n = 0.01, 2 * int(rng.integers(4, 7))
    while True:
        y = labels(rng, n, n // 2)
        X = rng.normal(size=(n, 2)) + 0.6 * y[:, None]
        w = C * y @ X
        X = X + side * 3.0 / (w @ w) * w
        low, high = svm.best_offset(wanted(X @ X.T, y, np.full(n, C)), y)
        if high - low > 0.5 and low * high > 0:
            return X, y, C, low, high


@drawn
def long_way(rng):
    """Return K, y, C, tol: the lecture's pairs need some thousand steps."""
    C, tol = 100.0, 1e-3
    while True:
        y = labels(rng, 20, 10)
        X = rng.normal(size=(20, 2)) + 0.6 * y[:, None]
        run = smo.most_violating(X @ X.T, y, C, tol=tol, max_iterations=6000)
        if run.reached_tol and run.iterations > 3200:
            return X @ X.T, y, C, tol


@drawn
def steep(rng):
    """Return K, y and C of a problem whose multipliers are all below a thousandth of C."""
    while True:
        y, u = labels(rng, 12, 6), rng.normal(size=3)
        K = np.outer(y, y) * (u @ u) + (Z := rng.normal(size=(12, 3))) @ Z.T
        run = smo.most_violating(K, y, 3e3, tol=1e-3, max_iterations=STEPS // 2)
        if run.reached_tol and 0 < run.alpha.max() < 1.5:
            return K, y, 3e3


@drawn
def a_near_second(rng):
    """Return a state in which a pair that comes first violates nearly as much as the worst."""
    while True:
        K, y, C, alpha = any_state(rng)
        F, (grow, shrink) = wanted(K, y, alpha), movable(y, C, alpha)
        second, first = np.argsort(np.where(grow, F, -np.inf))[-2:]
        last, other = np.argsort(np.where(shrink, F, np.inf))[:2]
        near = 1e-3 < F[first] - F[second] < 0.03 and 1e-3 < F[other] - F[last] < 0.06
        if near and second < first and other < last:
            return K, y, C, alpha


@drawn
def nearly_optimal(rng):
    """Return a state whose most violating pair violates by a few hundred-thousandths."""
    while True:
        X, y, _ = problem(rng, Linear(), 40, 17, 0.6)
        K = X @ X.T
        alpha = np.array(smo.most_violating(K, y, 0.6, tol=7e-5, max_iterations=STEPS).alpha)
        F, (grow, shrink) = wanted(K, y, alpha), movable(y, 0.6, alpha)
        if 3e-5 < F[grow].max() - F[shrink].min() < 8e-5:
            return K, y, 0.6, alpha


@drawn
def by_a_hair(rng):
    """Return a state whose pair is another one for whoever takes a hair for the bound itself."""
    while True:
        K, y, C, alpha = any_state(rng, 2e-5)
        F, found = wanted(K, y, alpha), []
        for room in (0.0, 1e-3 * C):
            grow, shrink = movable(y, C, np.clip(alpha + room * np.sign(alpha - C / 2), 0, C))
            found += [F[grow].max(), F[shrink].min()]
        if min(found[0] - found[2], found[3] - found[1]) > 0.05:
            return K, y, C, alpha


def liars(X, y, C):
    """Return three alphas that are not feasible, with a D above every objective that is best.

    One is above C, one is not balanced, and one has a negative entry; each breaks one rule only.
    """
    (w, b), alpha = best(X, y, C)
    above = best(X, y, 2 * C)[1]
    unbalanced = np.array(svm.dual(X, y, C, offset=False).alpha)
    i = int(np.argmax(np.where(alpha == 0, y * (X @ w + b), -np.inf)))
    j = int(np.argmin(abs(alpha - C / 2)))
    s = (y[i] * (X[i] @ w + b) - 1) / np.sum((X[i] - X[j]) ** 2)
    s = min(s, 0.9 * (C - alpha[j] if y[i] == y[j] else alpha[j]))
    negative = alpha.copy()
    negative[i], negative[j] = -s, alpha[j] + s * y[i] * y[j]
    return above, unbalanced, negative


@drawn
def tempting(rng):
    """Return X, y and C for which each of the liars would prove the best machine."""
    while True:
        X, y, C = claim(rng)
        fit, _ = best(X, y, C)
        lies = [dual(liar, X, y) for liar in liars(X, y, C)]
        if min(lies) > (1 + 1e-4) * primal(fit, X, y, C) > 0 and abs(liars(X, y, C)[1] @ y) > 0.01:
            return X, y, C


def a_hair(y, C, share):
    """Return alphas that break one rule each, by that share of C."""
    inside, hair = even(y, C), share * C
    i, j = (int(np.argmax(y == label)) for label in (1, -1))
    full, empty = inside.copy(), inside.copy()
    full[i] = full[j] = C + hair
    empty[i] = empty[j] = -hair
    for alpha in (full, empty):  # in balance again, by the others of one class
        rest = (np.arange(len(y)) != i) & (y > 0)
        alpha[rest] -= (alpha @ y) / rest.sum()
    heavy, light = inside.copy(), inside.copy()
    heavy[i] += hair
    light[i] -= hair
    return full, empty, heavy, light


def any_pair(rng):
    """Return (y1, y2, a1, a2, C): a pair of any labels, free or at a bound, and any cost."""
    C = float(rng.integers(1, 9000)) if rng.random() < 0.5 else factor(rng, 3.0)
    shares = rng.choice([0.0, 1.0, *rng.random(4)], size=2)
    return *rng.choice([-1.0, 1.0], size=2).tolist(), *(C * shares).tolist(), C


def any_pair_of_many(rng, decades=7.0):
    """Return (K, y, C, alpha, i, j): a state of any size and cost, and two of its examples."""
    n, d = size(rng, 200), size(rng, 40)
    y, C = np.repeat([1.0, -1.0], n), factor(rng, decades)
    alpha = C * np.tile(rng.choice([0.0, 1.0, *rng.random(6)], size=n), 2)
    mix, X = rng.permutation(2 * n), rng.normal(size=(2 * n, d)) / np.sqrt(C)
    K = X @ X.T if rng.random() < 0.5 else Gaussian(1.0)(X) / C
    i, j = rng.permutation(2 * n)[:2].tolist()
    return K, y[mix], C, alpha[mix], i, j


def any_sets(rng):
    """Return (train, test) of any size and any units; features may be constant in train."""
    d, t = size(rng, 40), factor(rng)
    train = t * table(rng, size(rng, 300, 2), d)
    constant = (rng.random(d) < 0.2) | (np.ptp(train, axis=0) == 0)
    train = np.where(constant, rng.normal(size=d), train)
    test = rng.normal(size=(size(rng, 300), d))
    return train, train.mean(axis=0) + np.where(constant, 1.0, np.ptp(train, axis=0)) * test


def scaled(train, test):
    """Return both sets, scaled by what holds in train."""
    deviation = np.where(np.ptp(train, axis=0) > 0, train.std(axis=0), 1.0)
    return (train - train.mean(axis=0)) / deviation, (test - train.mean(axis=0)) / deviation


def any_mistakes(rng):
    """Return (wrong, sizes, Cs): few costs or many, folds of one example or of thousands."""
    c, k = size(rng, 40), size(rng, 60)
    sizes = rng.integers(1, size(rng, 5000, 2) + 1, size=k)
    wrong = (sizes * rng.random((c, k)) * rng.choice([0.01, 0.3, 1.0])).round().astype(int)
    if rng.random() < 0.3:  # by one mistake, or none
        wrong = np.minimum(sizes, wrong[:1] + (rng.random((c, k)) < 1 / k))
    return wrong, sizes, rng.permutation(np.logspace(-4, 4, c) * 1.1)


def chosen(wrong, sizes, Cs):
    """Return the cost with the fewest mistakes, of tied ones the smallest, and its error."""
    total = wrong.sum(axis=1)
    return Cs[total == total.min()].min(), total.min() / sizes.sum()


def any_machine(rng):
    """Return (w, b, X, y, C): any machine, examples of any size, any cost."""
    n, d, far = size(rng, 300), size(rng, 40), factor(rng)
    near, X, w, y = rng.random() < 0.4, table(rng, n, d), rng.normal(size=d), signs(rng, n)
    X, w = (quarters(one) if near else one for one in (X, w))
    w = w * rng.choice([0.0, 0.25, 1.0, factor(rng, 3.0)])
    b = beside(rng, X @ w, y, 1.0) if near else rng.normal() * rng.choice([1.0, 1e4])
    if rng.random() < 0.2:  # one class, and no slack
        w, y = w * factor(rng), np.full(n, y[0])
        b = y[0] * (1.1 + np.abs(X @ w).max())
    return w / far, float(b), far * X, y, factor(rng, 8.0)


def any_price(rng):
    """Return (alpha, X, y, C): prices for examples of any size, feasible or not."""
    n, d, far = size(rng, 60), size(rng, 20), factor(rng)
    y, C = np.repeat([1.0, -1.0], n), factor(rng, 5.0)
    alpha = C * np.tile(rng.choice([0.0, 1.0, *rng.random(3)], size=n), 2)
    mix, odd = rng.permutation(2 * n - (rng.random() < 0.3)), int(rng.integers(2 * n))
    twin = [odd, (odd + n) % (2 * n)][: int(rng.integers(1, 3))]  # in balance, or not
    alpha[twin] += rng.choice([0.0, 0.0, 0.0, 0.3, -0.3, 1e-4, -1e-4, 1e-7, 3e-9, -3e-9]) * C
    return alpha[mix], far / np.sqrt(C) * table(rng, 2 * n, d)[mix], y[mix], C


def priced(alpha, X, y, C):
    """Return D(alpha), or -inf."""
    outside = max(-alpha.min(), alpha.max() - C, abs(alpha @ y))
    return dual(alpha, X, y) if outside <= HAIR * C else -np.inf


@drawn
def any_claims(rng, many=40):
    """Return (w, b, alphas, others, X, y, C, tol) with a clear verdict, and the verdict."""
    found = []
    while len(found) < many:
        n, d = size(rng, 30, 2), size(rng, 6)
        X, y, C = table(rng, n, d), labels(rng, n, int(rng.integers(1, n))), factor(rng, 3.0)
        if not X.any():
            continue
        fit, alpha = best(X, y, C)
        w, b = fit if rng.random() < 0.5 else (fit[0] + 0.3 * rng.normal(size=d), fit[1] + 0.1)
        near = [(fit[0] * t, fit[1] + s) for t, s in rng.normal(1.0, 0.2, size=(3, 2)) - [0, 1]]
        others = [[fit, *near][k] for k in rng.permutation(4)[: int(rng.integers(4))]]
        prices = [alpha, even(y, C), 0.0 * alpha, 1.1 * alpha, -alpha]
        prices = [prices[k] for k in rng.permutation(5)[: int(rng.integers(5))]]
        tol, value = float(10.0 ** rng.uniform(-4, 1)), primal((w, b), X, y, C)
        low = max([priced(one, X, y, C) for one in prices], default=-np.inf)
        high = min([primal(one, X, y, C) for one in others], default=np.inf)
        apart = [abs(value / (1 + tol) - one) / value for one in (low, high)] if value else [0.0]
        if min(apart) > 1e-5:
            said = "proved" if value < (1 + tol) * low else "undecided"
            said = "refuted" if value > (1 + tol) * high else said
            found.append(((w, b, prices, others, X, y, C, tol), said))
    return found


@drawn
def small_tables(rng, many=12):
    """Return (X, y, tests, wrong): few examples, any folds of them, and the table of q6."""
    found = []
    while len(found) < many:
        n, d, k = size(rng, 14, 3), size(rng, 4), size(rng, 4)
        X, y = factor(rng) * table(rng, n, d), labels(rng, n, size(rng, n))
        tests = [np.sort(part) for part in np.array_split(rng.permutation(n), k + 1)][:k]
        rest = [np.setdiff1d(np.arange(n), test) for test in tests]
        if not all(map(len, tests)) or not all(len(set(y[some])) == 2 for some in rest):
            continue
        if any(len(np.unique(X[some], axis=0)) < len(some) for some in rest):
            continue  # two equal examples have eta = 0
        if min(np.ptp(X[some], axis=0).min() for some in rest) == 0:
            continue
        ends = [scores(X, y, tests, end=end) for end in (None, 0, 1)]
        inside = np.concatenate(tests)
        if np.abs(ends)[:, :, inside].min() > 0.02 and np.all(ends[1] * ends[2] >= 0):
            found.append((X, y, tests, counts(ends[0], y, tests)))
    return found


@drawn
def any_problems(rng, many=25):
    """Return (K, y, C, tol): small problems in any units, that the lecture's pairs solve soon."""
    found = []
    while len(found) < many:
        n, d, unit = size(rng, 30, 2), size(rng, 9), 2.0 ** -int(rng.integers(9))
        X, y = rng.normal(size=(n, d)), labels(rng, n, int(rng.integers(1, n)))
        K = Gaussian(d**0.5)(X) if rng.random() < 0.5 else X @ X.T
        C, tol = factor(rng, 0.5) * unit, float(rng.choice([1e-2, 1e-3]))
        run = smo.most_violating(K / unit, y, C, tol=tol / 2, max_iterations=STEPS // 4)
        if run.reached_tol:
            found.append((K / unit, y, C, tol))
    return found


@drawn
def any_states(rng, many=40):
    """Return (K, y, C, alpha): feasible states of any size, in any units; some are optimal."""
    found = []
    while len(found) < many:
        K, y, C, alpha, *_ = any_pair_of_many(rng, 2.0)
        if rng.random() < 0.4:
            alpha = np.array(smo.most_violating(K, y, C, tol=1e-3, max_iterations=200).alpha)
        some = rng.random(len(y)) < 0.2
        hair = np.where(rng.random(len(y)) < 0.5, 2e-4, 1 - 2e-4) * C
        alpha = np.where(some, hair, alpha) if rng.random() < 0.3 else alpha
        F, (grow, shrink) = wanted(K, y, alpha), movable(y, C, alpha)
        if grow.any() and shrink.any() and np.abs(F).max() < 1e4:
            found.append((K, y, C, alpha))
    return found


#: What is right, and what is asked.
BROAD = {
    "segment": (ends, any_pair),
    "step": (lambda *one: best_step(*one)[0], any_pair_of_many),
    "standardise": (scaled, any_sets),
    "choose": (chosen, any_mistakes),
    "lower": (priced, any_price),
    "upper": (lambda w, b, *one: primal((w, b), *one), any_machine),
}


def add(HW):
    """Register the hidden checks, and the visible ones on inputs drawn anew."""
    add_again(HW)

    @HW.check(
        "q1",
        "step: cut where the second multiplier meets its bound",
        points=1,
        hint="If the top of the parabola lies outside [L, H], the nearest end is best: 0 or C, or "
        "what the partner allows. Both bounds count, the upper one too.",
        hidden=True,
    )
    def _(call, rng):
        for _ in range(2):
            expect_cut(call, *cut_steps(rng, False))
        one = any_state(rng)
        two = np.array([[1.04, 0.2], [0.2, 0.93]]), labels(rng, 2, 1), 1.3, np.full(2, 0.4)
        full = 2 * two[0], np.array([1.0, -1.0]), 1.3, np.full(2, 1.3)  # both come back from C
        small = 1e-8 * one[0], one[1], 1e8 * one[2], 1e8 * one[3]  # in other units
        for K, y, C, alpha in (one, (*one[:3], 0.5 * one[3]), two, full, small):
            for i, j in rng.permutation(len(y))[: min(6, len(y))].reshape(-1, 2).tolist():
                new = reading.vector(call("step", K, y, C, alpha, i, j), len(y), "alpha")
                want = best_step(K, y, C, alpha, i, j)[0]
                expect(close(new / C, want / C, atol=1e-5), "the step from this very alpha")
        for name in ("segment", "step"):
            expect_like(call, rng, name, *BROAD[name])

    @HW.check(
        "q1",
        "step: cut where the first multiplier meets its bound",
        points=1,
        hint="α_i must stay in [0, C] too, and Σ α y must stay. So L and H depend on both. If "
        "each is cut by itself, one of them stops and the other does not know.",
        hidden=True,
    )
    def _(call, rng):
        for _ in range(2):
            expect_cut(call, *cut_steps(rng, True))

    @HW.check(
        "q2",
        "those at 0 and at C can move one way only, by their label",
        points=1,
        hint="A positive example at C cannot grow; a negative one at C cannot shrink, because α y "
        "is -C already. At α = 0 it is the other way round. Free ones can do both. The F "
        "of all that can grow may be negative, and at an optimum so may be the violation.",
        hidden=True,
    )
    def _(call, rng):
        states = telling_states(rng)
        K, y, C, _ = states[0]
        states += [(K, y, C, np.zeros(len(y))), settled(rng), elsewhere(rng, 1), elsewhere(rng, -1)]
        states += [by_a_hair(rng), any_state(rng, 0.0, 30), a_near_second(rng), nearly_optimal(rng)]
        states += [elsewhere(rng, side, 1e3) for side in (1, -1)]
        K, y, C, alpha = any_state(rng)
        states += [(K / t, y, t * C, t * alpha) for t in (1e-4, 1e5)]  # any cost
        half = np.diag([8 - 2.0**-18, 8.0]), np.array([1.0, -1.0]), 1.0, np.full(2, 0.125)
        _, _, hair = reading.parts(call("worst_pair", *half), "i", "j", "violation")
        told = "F_i - F_j, however small"
        expect(close(2.0**20 * reading.number(hair, "violation"), 0.5, rtol=0.1), told)
        states += any_states(rng)
        got = [call("worst_pair", *one) for one in states]
        for values, one in zip(got, states):
            expect_worst(values, *one)

    @HW.check(
        "q3",
        "the gap closes for other kernels and costs",
        points=1,
        hint="Nothing may depend on the size of C, K or tol by accident. Is the stopping rule the "
        "violation against tol? Are all errors fresh? If rounding leaves a multiplier a hair from "
        "its bound, the same pair comes back for ever: put it *at* the bound.",
        hidden=True,
    )
    def _(call, rng):
        X, y, _ = problem(rng, Linear(), 15, 6, 0.08)
        cases = [(X @ X.T, y, 0.08)]
        cases += [(*stalling(rng, Linear(), 14, 2.5, 1e-4, (2.5,)), 2.5)]
        cases += [(*stalling(rng, Gaussian(0.75), 12, 6.0, 1e-4, (0.0,)), 6.0)]
        for K, y, C in cases:
            for tol in (1e-2, 1e-4):
                alpha, _ = machine(call("smo", K, y, C, tol, STEPS), len(y))
                expect_optimal(alpha, K, y, C, tol)
        alpha, _ = machine(call("smo", K, y, C, 2e-5, 20 * STEPS), len(y))
        expect_optimal(alpha, K, y, C, 2e-5)
        expect_settled(alpha, K, y, C, 2e-5)
        for K, y, C, tol in any_problems(rng):
            alpha, _ = machine(call("smo", K, y, C, tol, STEPS), len(y))
            told = "the box and the balance, in any units"
            expect(bool(-1e-5 * C <= min(alpha) <= max(alpha) <= (1 + 1e-5) * C), told)
            expect(bool(abs(alpha @ y) <= 1e-5 * C * len(y)), told)
            expect(bool(duality_gap(K, y, C, alpha) <= len(y) * C * (tol + 1e-6)), "the gap closes")
        K, y, C = steep(rng)
        alpha, _ = machine(call("smo", K, y, C, 1e-3, 20 * STEPS), len(y))
        expect_settled(alpha, K, y, C, 1e-3)
        K, y, C, tol = long_way(rng)  # as many steps as it takes, and no more than are allowed
        alpha, _ = machine(call("smo", K, y, C, tol, 20 * STEPS), len(y))
        expect_settled(alpha, K, y, C, tol)

    @HW.check(
        "q3",
        "the scores of new examples are right, offset included",
        points=1,
        hint="b lies between the largest F that can grow and the smallest that can shrink; free "
        "examples have F = b. Bounded ones have not, and b is not minus that.",
        hidden=True,
    )
    def _(call, rng):
        for shift in (2.5, -1.75):
            X, y, best = off_set(rng, shift)
            new = X[rng.permutation(len(X))[:6]] + rng.normal(size=(6, 2))
            alpha, b = machine(call("smo", X @ X.T, y, 0.35, 1e-5, STEPS), len(y))
            score, want = (new @ X.T) @ (alpha * y) + b, best.decision(new)
            near = np.abs(score - want) <= 0.02 * np.maximum(1.0, np.abs(want))
            expect(bool(near.all()), "the scores of new examples")
            X, y, C, low, high = none_free(rng, np.sign(shift))
            _, b = machine(call("smo", X @ X.T, y, C, 1e-5, STEPS), len(y))
            expect(low - 0.01 <= b <= high + 0.01, "where none is free, b lies between the two F")

    @HW.check(
        "q4",
        "standardise: a constant feature is divided by 1",
        points=1,
        hint="A feature that never changes in train has deviation 0: divide it by 1, in both sets. "
        "And a test set of one row has no deviation of its own worth asking for. What is small is "
        "not constant: a length may be given in metres or in micrometres.",
        hidden=True,
    )
    def _(call, rng):
        for rows in (1, 5):
            units = np.array([0.25, 1.5, 100.0, 1.0, *[0.5] * 8, 2e-6, 3e-11])  # in metres
            far = np.where(units == 1.5, 2.0**17, 0.0)  # small beside its mean, and not constant
            train = rng.integers(-20, 60, size=(7, len(units))) * units + far
            train[:, 3] = rng.choice([1.1, 0.7, 2.3])  # no short binary number
            test = rng.integers(-20, 60, size=(rows, len(units))) * units + far
            expect_scaled(call("standardise", train, test), train, test)
        expect_unchanged(call, "standardise", train, test)
        expect_scaled(call("standardise", train[:1], test), train[:1], test)
        expect_like(call, rng, "standardise", *BROAD["standardise"])

    @HW.check(
        "q4",
        "folds: every fold has its share of each class",
        points=1,
        hint="Deal the positives like cards, then the negatives: in each class the folds differ by "
        "one example at most. Do not trust the order of the labels; and drop nobody.",
        hidden=True,
    )
    def _(call, rng):
        cases = [(np.repeat([-1.0, 1.0], [19, 8]), 4), (labels(rng, 26, 9), 5)]
        cases += [(np.tile([1.0, -1.0, -1.0], 7), 3), (np.repeat([1.0, -1.0], [6, 23]), 3)]
        cases += [(labels(rng, 11, 2), 5), (labels(rng, int(rng.integers(7, 12)), 4), 2)]
        cases += [(labels(rng, int(rng.integers(40, 70)), 15), 7), (np.full(9, -1.0), 4)]
        many = int(rng.integers(300, 400))
        cases += [(labels(rng, many, 37 * k), k) for k in (int(rng.integers(8, 12)), 14)]
        cases += [(labels(rng, many, 90), 5), (labels(rng, many, 90), 5)]  # as many, but others
        for n, k in ((9, 9), (34, 34), (9, 1), (7, 9)):  # one is left out at a time, or all at once
            cases += [(labels(rng, n, 4), k)]
        for _ in range(30):
            n = size(rng, 200)
            cases += [(labels(rng, n, int(rng.integers(n + 1))), size(rng, 30))]
        for y, k in cases:  # a class may be smaller than k: then some folds have none of it
            tests = expect_folds(call("folds", y, k), len(y), k)
            for label in (-1.0, 1.0):
                parts = [int(np.sum(y[test] == label)) for test in tests]
                expect(max(parts) - min(parts) <= 1, "each class is dealt evenly")

    @HW.check(
        "q5",
        "ties go to the smallest C, and folds count by their size",
        points=1,
        hint="The costs need not be sorted. Of those with the fewest mistakes take the smallest C. "
        "A fold of 21 weighs more than one of 5.",
        hidden=True,
    )
    def _(call, rng):
        for later in (False, True, False):
            table = tie_table(rng, later)
            expect_choice(call("choose", *table), *table)
        some = np.sort(rng.permutation(5)[: int(rng.integers(2, 5))])
        wrong, sizes, Cs = table[0][some][:, :2], table[1][:2], table[2][some]
        expect_choice(call("choose", wrong, sizes, Cs), wrong, sizes, Cs)
        even = np.full((3, 2), 2), np.array([7, 40]), rng.permutation([1e-4, 0.3, 2e4])
        expect_choice(call("choose", *even), *even)
        left_out = rng.integers(0, 2, size=(12, 9)), np.ones(9, int)  # one by one
        expect_choice(call("choose", *left_out, costs := 1e4 ** rng.random(12)), *left_out, costs)
        for worse in (0, 1):
            least = np.array([[1], [worse]]), np.array([1]), np.array([1.3, 1234.5])
            expect_choice(call("choose", *least), *least)
        one = np.array([[3]]), np.array([11]), np.array([0.7])
        expect_choice(call("choose", *one), *one)
        single = np.array([[5], [3], [4]]), np.array([11]), np.array([0.7, 20.0, 0.02])
        expect_choice(call("choose", *single), *single)
        none = np.zeros((3, 2), int), np.array([7, 40]), np.array([0.3, 20.0, 0.02])
        expect_choice(call("choose", *none), *none)
        expect_like(call, rng, "choose", *BROAD["choose"], 60)

    @HW.check(
        "q6",
        "other tables, too",
        points=1,
        hint="The same on examples you have not seen. Whatever is learnt from data, scaling "
        "included, is learnt from the training part of each fold. And a score of 0 predicts +1.",
        hidden=True,
    )
    def _(call, rng):
        X, y, tests = tied(rng)
        got = reading.array(
            call("cross_validate", X, y, np.array(COSTS), tests), (3, 1), "one fold"
        )
        expect(close(got, np.ones((3, 1))), "a score of 0 predicts +1")
        X, y, near = tied(rng)  # next to the middle the score decides, by however little
        X[[0, 2, 4]] += 0.005 * np.outer([1, -1, 1], X[3] - X[1])
        got = reading.array(call("cross_validate", X, y, np.array(COSTS), near), (3, 1), "one fold")
        expect(close(got, np.zeros((3, 1))), "a score above 0 predicts +1, one below -1")
        costs = [rng.permutation(3)[:many] for many in (2, 3, 1, 1, 2, 3)]  # in any order
        sizes = (4, 17), (6, 17), (4, 17), (9, 9), (3, 40), (4, 17)  # folds and examples
        sets = [(*mixed_units(rng, *size), asked) for size, asked in zip(sizes, costs)]
        tables = [
            call("cross_validate", X, y, np.array(COSTS)[asked], tests)
            for X, y, tests, asked in sets
        ]  # all of them at once: one table alone may not tell two slips apart
        for got, (X, y, tests, asked) in zip(tables, sets):
            expect_table(got, X, y, tests, asked.tolist())
            told = "a row for each cost, a column for each fold, also where there is one alone"
            expect(np.shape(got) == (len(asked), len(tests)), told)
        for A, a, some, wrong in small_tables(rng):
            got = call("cross_validate", A, a, np.array(COSTS), some)
            got = reading.array(got, wrong.shape, "a row for each cost, a column for each fold")
            expect(close(got, wrong), "few examples, and folds that leave some out")
        more = np.column_stack(
            [np.full((len(y), 2), [1.1, -3.7]), X]
        )  # constant features change nothing
        got = call("cross_validate", more, y, np.array(COSTS)[asked], tests)
        expect_table(got, X, y, tests, asked.tolist())

    @HW.check(
        "q10",
        "no liar is believed, and no gap refutes",
        points=1,
        hint="Many α and many machines may be handed over, or none: one good one is enough. The α "
        "may belong to other data or to another C. What exactly is compared with 1 + tol?",
        hidden=True,
    )
    def _(call, rng):
        for scale in (1.0, 1e4, 0.03):  # other units of X: the same problem, C and α scaled
            X, y, C = tempting(rng)
            X, C = scale * X, C / scale**2
            fit, alpha = best(X, y, C)
            worse = fit[0] * float(rng.uniform(0.6, 0.8)), fit[1] + float(rng.uniform(0.3, 0.5))
            least, most, bound = primal(fit, X, y, C), primal(worse, X, y, C), dual(alpha, X, y)
            for one in (fit, worse, (0 * fit[0], 0.3), (40 * fit[0], -7.1)):
                expect_upper(call("upper", *one, X, y, C), one, X, y, C)
            certificates = [alpha, even(y, C), 0 * alpha, *liars(X, y, C)]
            for share in (1e-4, 1.5 * HAIR, 0.6 * HAIR):
                certificates += a_hair(y, C, share)
            for one in certificates:
                expect_lower(call("lower", one, X, y, C), one, X, y, C)
            elsewhere = best(X[::-1], y, C)[1]  # feasible here, too, but for other data
            weak, lies = [even(y, C), elsewhere], [*liars(X, y, C)]
            near, apart = most / bound - 1, most / least - 1
            cases = [(fit, [one], [], 1e-5, "undecided") for one in lies]
            cases += [(fit, [one], [worse], 1e-5, "undecided") for one in (*weak, 0 * alpha)]
            cases += [(fit, [], [], 1e-3, "undecided"), (fit, lies, [fit], 1e-3, "undecided")]
            for many in ([alpha, *weak, *lies], [*lies, *weak, alpha]):
                cases += [(fit, many, [worse], 1e-5, "proved")]
                cases += [(worse, many, [], near + 1e-4, "proved")]
                cases += [(worse, many, [], near - 1e-4, "undecided")]
            for shown in ([fit, worse], [worse, fit]):
                cases += [(worse, weak, shown, apart - 1e-4, "refuted")]
                cases += [(worse, weak, shown, apart + 1e-4, "undecided")]
            for one, alphas, others, tol, want in cases:
                got = call("verdict", *one, alphas, others, X, y, C, tol)
                expect_verdict(got, want, "what was handed over")
        expect_close_calls(call, rng, X, y, C)
        Z = X + (fit[1] / (fit[0] @ fit[0])) * fit[0]  # moved so that the best has no offset
        got = call("verdict", *worse, [], [(fit[0], 0.0)], Z, y, C, 1e-5)
        want = primal(worse, Z, y, C) > 1.001 * primal((fit[0], 0.0), Z, y, C)
        expect_verdict(got, "refuted" if want else "undecided", "a machine without an offset")
        y, X = (
            np.ones(4),
            rng.normal(size=(4, 3)),
        )  # one class: w = 0 is the best, and costs nothing
        zero, some = (np.zeros(3), 1.0), np.full(4, 0.1)
        expect_lower(call("lower", some, X, y, 0.7), some, X, y, 0.7)
        for b, want in ((1.0, "proved"), (0.9999, "refuted")):
            got = call("verdict", zero[0], b, [np.zeros(4)], [zero], X, y, 0.7, 1e-3)
            expect_verdict(got, want, "one class alone")
        got = call("verdict", *zero, [], [zero], X, y, 0.7, 1e-3)
        expect_verdict(got, "undecided", "an equal is not better")


def expect_close_calls(call, rng, X, y, C):
    """State what holds by little or by much: a small tol, a large one; many others; any size."""
    fit, alpha = best(X, y, C)
    poor = [(0.5 * fit[0], fit[1] + t) for t in (0.5, 0.3, -0.4)]
    got = call("verdict", *fit, [even(y, C)], poor, X, y, C, 1e-3)
    expect_verdict(got, "undecided", "better than all others is not the best")
    least, t = primal(fit, X, y, C), 1.0
    while primal((fit[0], fit[1] + t), X, y, C) > (1 + 8e-5) * least:
        t /= 2
    near, far = (fit[0], fit[1] + t), (40 * fit[0], -7.1)
    for one in (near, far):
        apart = primal(one, X, y, C) / least - 1
        for share, want in ((0.9, "refuted"), (1.1, "undecided")):
            got = call("verdict", *one, [0 * alpha], [fit, *poor], X, y, C, share * apart)
            expect_verdict(got, want, "by little or by much")
    n, d = int(rng.integers(30, 50)), int(rng.integers(8, 15))
    X, y = rng.normal(size=(n, d)), labels(rng, n, n // 2)
    for C in (1e-3, 1.0, 1e7):
        prices = C * even(y, 1.0) * (1 if C > 1 else 0.1)
        expect_lower(call("lower", prices, X, y, C), prices, X, y, C)
    for name in ("upper", "lower"):
        expect_like(call, rng, name, *BROAD[name], 90)
    for given, want in any_claims(rng):
        expect_verdict(call("verdict", *given), want, "whatever was handed over")


def expect_settled(alpha, K, y, C, tol):
    """State that all F fit a common b up to 3 tol; who is a hair from a bound is at it.

    The statement promises the gap alone: whoever skips tiny steps may leave more than tol.
    """
    near = 1e-5 * alpha.max()
    alpha = np.where(alpha < near, 0.0, np.where(alpha > C - near, C, alpha))
    F, (grow, shrink) = wanted(K, y, alpha), movable(y, C, alpha)
    most = F[grow].max(initial=-np.inf) - F[shrink].min(initial=np.inf)
    expect(bool(most <= 3 * tol), "no example violates by much more than tol")


def expect_cut(call, K, y, C, alpha, pairs):
    """State that these steps, cut by the box, are exact."""
    got = [call("step", K, y, C, alpha, *pair) for pair in pairs]
    for new, pair in zip(got, pairs):
        new = reading.vector(new, len(y), "alpha")
        expect(close(new, best_step(K, y, C, alpha, *pair)[0], atol=1e-5), "the nearest end")
