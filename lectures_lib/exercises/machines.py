"""Checks of exercises on programs, duality gaps and when to stop (11 to 13)."""

from collections.abc import Iterator
from functools import partial

import numpy as np

from .. import svm
from .limits import Oracle
from .reading import code, count, named, near, text
from .tries import Answer, Try

MOST_QUESTIONS = 100  # a search by halves needs 22, one by tenths 70
MOST_POINTS = 8  # of a counterexample, so that all subsets can be tried
LARGEST = 1e4  # an entry of it


def search(answer: Answer) -> Iterator[Try]:
    """11: search(possible, low, high) returns the largest possible gamma, to within 1e-6."""
    borders = (0.25, 0.0, 1.0), (2**-0.5, 0.5, 2.0), (1 / 999, 0.0, 4.0), (2.9, 0.0, 3.0)
    for largest, low, high in (*borders, (1 / 3, 0.0, 1.0), (150 / 7, 21.0, 23.0)):
        possible = Oracle(partial(_at_most, largest), "possible")
        given = f"possible = lambda gamma: gamma <= {largest!r}, low = {low!r}, high = {high!r}"
        back = answer(given, possible=possible, low=low, high=high)
        got, asked = back.number(), possible.asked
        many = f"it asked {asked} questions; halving finds it with fewer than {MOST_QUESTIONS}"
        yield asked < MOST_QUESTIONS, many
        yield got <= largest, f"{got!r} is not possible: return the last gamma that is"
        yield got >= largest - 1e-6, f"{largest!r} is possible, and larger by more than 1e-6"


def _at_most(largest: float, gamma: float) -> bool:
    return bool(gamma <= largest)


def program(answer: Answer) -> Iterator[Try]:
    """11: program(X, y) returns P, q, G, h of the hard margin in the unknowns z = (w, b)."""
    rng = np.random.default_rng(111)
    for n, d in ((3, 1), (6, 2), (4, 3)):
        X, y = np.round(rng.normal(size=(n, d)), 2), np.where(np.arange(n) % 2, 1.0, -1.0)
        P, q, G, h = answer(X=X, y=y).parts("P", "q", "G", "h")
        P, q = P.array(d + 1, d + 1), q.vector(d + 1)
        G, h = G.array(n, d + 1), h.vector(n)
        yield np.allclose(P, P.T), "P must be symmetric: a solver may read one half of it only"
        for z in _unknowns(X, y, rng):
            want, got = 0.5 * z[:d] @ z[:d], 0.5 * z @ P @ z + q @ z
            claim = f"at (w, b) = {text(z)} half z'Pz + q.z must be half norm(w)^2 ="
            slips = {"the solver takes the half itself, so P holds ones": 2 * want}
            yield near(got, want, claim, {"b has no price": got} if P[d].any() else slips)
            lack, rows = int(np.sum(y * (X @ z[:d] + z[d]) < 1)), int(np.sum(G @ z > h))
            some = count(lack, "example has", "examples have")
            claim = f"at (w, b) = {text(z)} {some} y f < 1, so in as many rows G z <= h is broken; "
            claim += f"yours breaks {count(rows, 'row', 'rows')}"
            yield lack == rows, claim


def _unknowns(X: np.ndarray, y: np.ndarray, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Yield (w, b): any, an offset alone, and those at which one y f is almost 1."""
    for scale in (0.3, 1.0, 3.0, 10.0, 10.0, 10.0):
        yield scale * rng.normal(size=X.shape[1] + 1)
    yield np.append(np.zeros(X.shape[1]), 10.0)
    for x, label in zip(X, y):
        for t in (0.99, 0.9998, 1.0002, 1.01):
            w = np.round(rng.normal(size=len(x)), 1)
            yield np.append(w, label * t - w @ x)


def outvoted(answer: Answer) -> Iterator[Try]:
    """11: outvoted() returns X, y where the soft margin errs more often than some line does."""
    rows, labels = answer().parts("X", "y")
    y = labels.vector()
    X = rows.table(height=len(y))
    yield 2 <= len(y) <= MOST_POINTS, f"2 to {MOST_POINTS} examples are asked for"
    yield np.abs(X).max() <= LARGEST, f"the entries of X must be numbers up to {LARGEST:.0e}"
    yield set(y) == {-1.0, 1.0}, "each label must be -1 or +1, and both must occur"
    f = svm.primal(X, y, 10.0).decision(X)
    yield np.abs(f).min() > 1e-6, f"no example may lie on the line, and f is {text(f)}"
    made, fewest = int(np.sum(y * f < 0)), svm.fewest_mistakes(X, y).mistakes
    claim = f"the soft margin makes {count(made, 'mistake', 'mistakes')}, "
    claim += f"and no line makes fewer than {fewest}"
    yield made > fewest, claim


def gap(answer: Answer) -> Iterator[Try]:
    """12: gap(K, y, C, alpha, b) returns the primal value minus the dual value of an answer."""
    for X, y, C, alpha, b in _answers():
        given = f"K = X @ X.T for X = {code(X)}, y = {code(y)}, C = {C:g}, alpha = {code(alpha)}"
        got = answer(f"{given}, b = {b!r}", K=X @ X.T, y=y, C=C, alpha=alpha, b=b).number()
        w = np.sum([a * s * x for a, s, x in zip(alpha, y, X)], axis=0)
        rest = [1 - s * (float(w @ x) + b) for s, x in zip(y, X)]
        primal, dual, slips = both_values(C, alpha, w, w, rest)
        claim = f"the primal value is {primal:.4f} and the dual value {dual:.4f}: it must be"
        only = "yours holds only where the sum of alpha y is 0"
        slips[only] = primal - dual + b * float(alpha @ y)
        slips["the offset b is missing"] = both_values(C, alpha, w, w, 1 - y * (X @ w))[0] - dual
        yield near(got, primal - dual, claim, slips, atol=1e-8)


def both_values(C: float, alpha, w, made, rest) -> tuple[float, float, dict[str, float]]:
    """Return primal and dual value, and what known slips make of their difference.

    The primal value is that of w, the dual one that of the vector made of alpha; rest: 1 - y f.
    """
    half, of_alpha, total = float(w @ w) / 2, float(made @ made) / 2, float(np.sum(alpha))
    slacks = sum(max(0.0, float(r)) for r in rest)
    primal, dual = half + C * slacks, total - of_alpha
    slips = {
        "the wrong way round": dual - primal,
        "each squared norm needs its half": primal - dual + half + of_alpha,
        "the slacks have the price C": half + slacks - dual,
        "a slack is never negative": half + C * float(np.sum(rest)) - dual,
        "a gap may be negative here": max(0.0, primal - dual),
        "this is the primal value alone": primal,
        "this is the dual value alone": dual,
    }
    return primal, dual, slips


def _answers() -> Iterator[tuple]:
    """Yield data with feasible multipliers and an offset: far from the best, and the best."""
    rng = np.random.default_rng(121)
    for n, C in ((4, 2.0), (6, 0.5), (6, 3.0)):
        y = np.where(np.arange(n) % 2, 1.0, -1.0)
        X = np.round(rng.normal(size=(n, 2)) + y[:, None], 2)
        pairs = np.round(rng.uniform(0, C, size=n // 2), 2)
        yield X, y, C, np.repeat(pairs, 2), 0.3
        best = svm.dual(X, y, C)
        yield X, y, C, best.alpha, float(best.b)
    # not feasible: there a gap may be negative, and the offset does not cancel
    yield np.round(0.2 * X, 2), y, 0.5, np.full(6, 1.5), 0.5
    yield X, y, 2.0, np.linspace(0.25, 1.5, 6), 0.5


def lie(answer: Answer) -> Iterator[Try]:
    """12: lie() returns alpha, b on two points: box kept, gap 0, and not the best."""
    alpha, b = answer().parts("alpha", "b")
    alpha, b = alpha.vector(2), b.number()
    yield bool((alpha >= 0).all() and (alpha <= 1).all()), "each alpha must lie in [0, C] = [0, 1]"
    w, Q = 2 * alpha[0], alpha.sum() - 2 * alpha[0] ** 2
    primal = 0.5 * w**2 + np.maximum(0, [1 - (2 * w + b), 1 + b]).sum()
    claim = f"the primal value is {primal:.6g} and Q is {Q:.6g}: the gap is {primal - Q:.6g}, not 0"
    yield abs(primal - Q) <= 1e-9, claim
    claim = f"it costs {primal:.4f}, hardly more than the best, 0.5: no lie. Reach 0.6"
    yield primal >= 0.6 - 1e-9, claim


def violation(answer: Answer) -> Iterator[Try]:
    """13: violation(K, y, C, alpha) returns the largest F_i - F_j of a pair that can move."""
    for X, y, C, alpha in _states():
        K = X @ X.T
        given = f"K = X @ X.T for X = {code(X)}, y = {code(y)}, C = {C:g}, alpha = {code(alpha)}"
        got = answer(given, K=K, y=y, C=C, alpha=alpha).number()
        F = y - K @ (alpha * y)
        able = [(F[i] - F[j], i, j) for i, j in np.ndindex(K.shape) if _can(y, C, alpha, i, j)]
        worst, i, j = max(f for f in able if f[1] != f[2])
        claim = f"the pair ({i}, {j}) has F_i - F_j = {worst:.4f}"
        if got > worst + 1e-9:
            claim = f"no pair that can move has more than {worst:.4f}"
        right = np.isclose(got, [worst, max(able)[0]], atol=1e-8).any()  # one free vector: 0
        free = F[(alpha > 0) & (alpha < C)]
        slips = {
            "the box was forgotten": np.ptp(F),
            "no maximum with 0 is asked for": max(0.0, worst),
            "the wrong way round": -worst,
            "a vector at a bound can move, too": np.ptp(free) if len(free) else np.nan,
        }
        yield bool(right), claim + named(got, slips)


def _can(y, C, alpha, i: int, j: int) -> bool:
    """Say whether beta_i can grow while beta_j shrinks: a small step stays in the box."""
    moved = [(alpha[i], y[i]), (alpha[j], -y[j])]
    return all(a < C if direction > 0 else a > 0 for a, direction in moved)


def _states() -> Iterator[tuple]:
    """Yield multipliers at 0, inside, at C, and the best ones."""
    rng = np.random.default_rng(131)
    y = np.array([1.0, -1.0, 1.0, -1.0, -1.0, 1.0])
    for C in (1.0, 4.0):
        X = np.round(rng.normal(size=(6, 2)) + 0.7 * y[:, None], 2)
        for share in ([0, 0, 0], [1, 0, 1], [1, 1, 0.5], [0.25, 0, 1], [0.5, 0.5, 0.5]):
            yield X, y, C, C * np.array(share)[[0, 0, 1, 1, 2, 2]]
        hair = 2.0**-12  # so near to the bounds, and none is at one
        yield X, y, C, C * np.array([hair, 1 - hair, hair])[[0, 0, 1, 1, 2, 2]]
        yield X, y, C, solved(X, y, C)
    X = np.array([[5.0], [4.0]])  # none is free at the optimum: no pair that can move climbs
    yield X, y[:2], 1.0, np.ones(2)


def solved(X: np.ndarray, y: np.ndarray, C: float) -> np.ndarray:
    """Return the multipliers, those at a bound being exactly there."""
    machine, alpha = svm.dual(X, y, C), np.zeros(len(y))
    alpha[machine.free], alpha[machine.bounded] = machine.alpha[machine.free], C
    return alpha


CHECKS = {
    "search": search,
    "program": program,
    "outvoted": outvoted,
    "gap": gap,
    "lie": lie,
    "violation": violation,
}
