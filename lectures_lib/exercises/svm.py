"""Checks of the exercises on support vector machines (11 to 15)."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from .. import svm
from .machines import solved
from .reading import apart, code, named, text
from .tries import Answer, Try


def slack(answer: Answer) -> Iterator[Try]:
    """11: slacks(w, b, X, y) returns xi = max(0, 1 - y (w.x + b)) for each example."""
    rng = np.random.default_rng(11)
    for n, d in ((4, 2), (6, 3), (9, 1)):
        w, b = np.round(rng.normal(size=d), 2), round(float(rng.normal()), 2)
        X = np.round(1.5 * rng.normal(size=(n, d)), 1)
        y = rng.choice([-1.0, 1.0], size=n)
        xi = answer(w=w, b=b, X=X, y=y).vector(n)
        yield (xi >= -1e-6).all(), "no slack may be negative"
        t = y * (X @ w + b)
        slips = {
            "the offset b is missing": np.maximum(0, 1 - y * (X @ w)),
            "the labels are missing": np.maximum(0, 1 - X @ w - b),
            "the edge is at 1, not at 0": np.maximum(0, -t),
            "an example with y f > 1 has no slack": abs(1 - t),
            "yours is squared": np.maximum(0, 1 - t) ** 2,
            "the sign of y f is wrong": np.maximum(0, 1 + t),
        }
        slip = f"y f is {text(t)}{named(xi, slips)}"
        lacking = (t >= 1 - xi - 1e-6).all()
        yield lacking, f"every example must keep y f >= 1 - xi, and {slip}"
        yield np.minimum(xi, t - 1 + xi).max() <= 1e-6, f"a smaller slack would do: {slip}"


def offset(answer: Answer) -> Iterator[Try]:
    """12: offset(K, y, C, alpha) returns b from the free vectors of a solved soft margin."""
    for X, y, C in _soft_margins():
        K, alpha = X @ X.T, solved(X, y, C)
        given = f"K = X @ X.T for X = {code(X)}, y = {code(y)}, C = {C:g}, alpha = {code(alpha)}"
        b = answer(given, K=K, y=y, C=C, alpha=alpha).number(finite=False)
        yield np.isfinite(b), "b must be a number (is it the mean of no vector at all?)"
        gap = svm.certificate(K, y, C, alpha, b).gap
        claim = f"{_offset_claim(K, y, C, alpha, b)}: the duality gap is {gap:.3g}, not 0"
        yield abs(gap) <= 1e-6, claim


def _soft_margins() -> Iterator[tuple[np.ndarray, np.ndarray, float]]:
    """Yield problems with bounded and free vectors, with free ones only, with bounded ones only."""
    rng = np.random.default_rng(12)
    y = np.array([-1.0, -1.0, 1.0, 1.0, 1.0, 1.0, 1.0, -1.0])
    for C in (0.4, 0.3):  # the first and the last support vector are bounded
        X = rng.normal(size=(8, 2)) + np.outer(y, [0.7, 0.4]) + [1.0, 0.0]
        yield np.round(X, 2), y, C
    yield np.array([[3.0, 1.0], [4.0, 3.0], [0.0, 1.0], [1.0, -1.0]]), np.repeat([1.0, -1], 2), 5.0
    yield np.array([[5.0], [4.0]]), np.array([1.0, -1.0]), 1.0
    yield np.array([[5.0], [12.5], [3.0], [9.5]]), np.array([1.0, 1.0, -1.0, -1.0]), 0.04


def _offset_claim(K, y, C, alpha, b: float) -> str:
    """Say what an offset must do here, and which famous mistake this one is."""
    F = y - K @ (alpha * y)
    free, at_C = (alpha > 0) & (alpha < C), alpha >= min(C, alpha.max())
    if not free.any():
        low, high = svm.best_offset(F, y)
        return f"no vector is free here, so any b from {low:.4f} to {high:.4f} will do"
    claim = f"the free vectors {np.flatnonzero(free).tolist()} must have y f = 1, and theirs is "
    claim += text((y * (y - F + b))[free])
    mistakes = {
        "the sign is the wrong way round": -F[free].mean(),
        "the mean was taken over all support vectors, bounded ones too": F[alpha > 0].mean(),
        "the mean was taken over all examples": F.mean(),
        "b was read off vectors at the bound C, which may lie inside": F[at_C].mean(),
        "b was read off a vector at the bound C, which may lie inside": F[at_C],
    }
    one_of = [name for name, values in mistakes.items() if np.isclose(b, values, rtol=1e-6).any()]
    return f"{claim} ({one_of[0]})" if one_of else claim


def pair(answer: Answer) -> Iterator[Try]:
    """13: pair(K, y, C, alpha, i, j) returns alpha after SMO's exact step on the pair (i, j)."""
    for K, y, C, alpha, i, j in _pairs():
        back = answer(K=K, y=y, C=C, alpha=alpha, i=i, j=j)
        yield "alpha" not in back.changed, "alpha itself must not be changed"
        new = back.vector(len(y), finite=False)
        equal = ": two equal examples have eta = 0" if K[i, i] + K[j, j] == 2 * K[i, j] else ""
        yield bool(np.isfinite(new).all()), f"every alpha must be a number{equal}"
        others = np.delete(new - alpha, [i, j])
        yield (others == 0).all(), f"only alphas {i} and {j} may move"
        inside = (new >= -1e-9).all() and (new <= C + 1e-9).all()
        yield inside, f"every alpha must stay in [0, C] = [0, {C:g}]"
        moved = float((new - alpha) @ y)
        claim = f"sum alpha y must stay {round(alpha @ y, 4) + 0.0:.4f}; it moved by {moved:.4g}"
        yield abs(moved) <= 1e-9, claim
        yield _best_on_segment(K, y, C, alpha, new, i, j)


def _pairs() -> Iterator[tuple]:
    """Yield pairs of unlike and of like labels, from inside, 0 and C; two examples are equal."""
    rng = np.random.default_rng(13)
    y = np.array([1.0, 1.0, -1.0, -1.0])
    for start in (0.5, 0.0, 0.2):
        for C in (10.0, 0.6):
            X = np.round(2 * rng.normal(size=(4, 2)) + y[:, None]) / 2
            for i, j in ((0, 2), (1, 0), (3, 1), (2, 3)):
                yield X @ X.T, y, C, start * np.array([1.0, 0.4, 0.6, 0.8]), i, j
    X = np.array([[3.0], [2.5], [0.0], [1.0]])  # the first alpha ends at 0, the others inside
    for i, j in ((0, 1), (1, 0)):
        yield X @ X.T, y, 10.0, np.full(4, 0.2), i, j
    near = np.array([[0.5], [0.53125]])  # eta is 1/1024
    yield near @ near.T, np.array([1.0, -1.0]), 1e4, np.zeros(2), 0, 1
    X = np.array([[3.0, 1.0], [0.5, -1.0], [3.0, 1.0], [-1.0, 0.0], [0.5, -1.0]])
    y, alpha = np.array([1.0, 1, -1, -1, 1]), np.array([0.6, 0.2, 0.6, 0.6, 0.4])
    for i, j in ((0, 2), (0, 3), (2, 1), (0, 1), (1, 4), (3, 2), (4, 3)):
        yield X @ X.T, y, 0.6, alpha, i, j
        yield X @ X.T, y, 2.0, 0.5 * alpha, i, j


def _best_on_segment(K, y, C, alpha, new, i, j) -> Try:
    """Compare with the top of the parabola that the dual objective is along the segment."""

    def W(a):
        return float(a.sum() - 0.5 * (a * y) @ K @ (a * y))

    direction = np.zeros(len(y))
    direction[i], direction[j] = y[i], -y[j]
    ends = np.sort([[-alpha[t] / direction[t], (C - alpha[t]) / direction[t]] for t in (i, j)])
    low, high = ends[:, 0].max(), ends[:, 1].min()
    bend, slope, _ = np.polyfit([-1.0, 0.0, 1.0], [W(alpha + t * direction) for t in (-1, 0, 1)], 2)
    top = np.clip(-slope / (2 * bend), low, high) if bend < -1e-12 else high
    best = max(W(alpha + t * direction) for t in (low, high, top))
    if W(new) < W(alpha) - 1e-9:
        claim = f"the dual objective falls from {W(alpha):.4f} to {W(new):.4f}"
        return False, claim
    reached, made = apart(best, W(new))
    claim = f"the dual objective is {made}, and this pair alone can reach {reached}"
    return W(new) >= best - 1e-9, claim


def scale(answer: Answer) -> Iterator[Try]:
    """14: scale(train, test) standardises both with the mean and deviation of train alone."""
    rng = np.random.default_rng(14)
    for flat in (None, -2.0, 0.1, 5.1):  # the deviation of six times 0.1 is 1.4e-17 in floats
        train = np.round(rng.normal(size=(6, 3)) * [1.0, 20.0, 0.1] + [5.0, 0.0, -2.0], 2)
        train[:, 2] = train[:, 2] if flat is None else flat
        drawn = np.round(rng.normal(size=(3, 3)) * [3.0, 10.0, 1.0] + 1.0, 2)
        yield from _both_scaled(answer, train, np.vstack([train[1], drawn]))
    small = np.round(rng.normal(size=(6, 2)) * [3.0, 0.2] - 1.0, 2)
    yield from _both_scaled(answer, small[:4], small[[1, 4, 5]])
    tiny = np.array([[1.0], [2.0], [4.0], [2.0]]) * 1e-5  # varies, by little
    yield from _both_scaled(answer, tiny, tiny[[1, 0]])


def _both_scaled(answer: Answer, train: np.ndarray, test: np.ndarray) -> Iterator[Try]:
    a, b = answer(train=train, test=test).parts("train", "test")
    a, b = a.array(*train.shape, finite=False), b.array(*test.shape, finite=False)
    yield from _scaled(train, test, a, b)


def _scaled(train, test, a, b) -> Iterator[Try]:
    varies, both = np.ptp(train, axis=0) > 0, np.vstack([train, test])
    finite, claim = np.isfinite(a).all() and np.isfinite(b).all(), "every entry must be a number"
    for column in train[:, ~varies].T:
        claim = "a constant column must be divided by 1, not by its deviation, which is 0 up to "
        claim += (
            f"rounding ({len(column)} times {column[0]:g} have the deviation {column.std():.2g})"
        )
    yield finite and np.abs(a[:, ~varies]).max(initial=0.0) < 1e-6, claim
    claim = (
        f"each column of train must get the mean 0; theirs is {text(np.round(a.mean(axis=0), 9))}"
    )
    slips = {
        "axis=0 is missing: this is one mean for all columns": (train - train.mean()) / train.std(),
        "this is the mean of train and test together": (train - both.mean(0)) / both.std(0),
    }
    yield np.allclose(a.mean(axis=0), 0, atol=1e-6), claim + named(a, slips)
    spread = [a[:, varies].std(axis=0, ddof=k) for k in (0, 1)]  # over n or over n - 1
    unit = any(np.allclose(s, 1.0) for s in spread)
    yield unit, f"each column of train must get the deviation 1; theirs is {text(spread[0])}"
    claim = "the first row of test is the second of train, and both must come out alike"
    slips = {
        "test has its own mean and deviation": (test - test.mean(0)) / test.std(0),
        "test came back as it was": test,
        "test was not divided": test - train.mean(0),
    }
    yield np.allclose(a[1], b[0], atol=1e-6), claim + named(b, slips)
    ratio = np.where(varies, a.std(axis=0), 1.0) / np.where(varies, train.std(axis=0), 1.0)
    claim = "test needs the mean and the deviation of train (1 for a constant column)"
    yield np.allclose(b, (test - train.mean(axis=0)) * ratio, atol=1e-6), claim


def vote(answer: Answer) -> Iterator[Try]:
    """15: vote(scores, pairs, k) returns the class that wins most pairs; ties: the lowest."""
    rng = np.random.default_rng(15)
    cases: list[tuple[int, Any]] = [
        (3, [5.0, 0.1, 0.2]),
        (3, [-0.1, 4.0, -0.3]),
        (3, [-1.0, 2.0, -3.0]),
    ]
    cases += [(3, [-(2.0**-24), 1.0, 1.0]), (5, -np.ones(10))]  # below 0, by a hair; the last wins
    cases += [(3, [1.0, -1.0, 1.0]), (3, [0.0, 0.0, -1.0]), (4, [-1.0, -9, 1, 2, -1, -1])]
    cases += [(k, np.round(rng.normal(size=k * (k - 1) // 2), 1)) for k in (2, 4, 5, 5)]
    for k, scores in cases:
        order = rng.permutation(len(scores))  # the pairs may come in any order
        pairs = [list(combinations(range(k), 2))[i] for i in order]
        scores = np.array(scores)[order]
        got = answer(scores=scores, pairs=pairs, k=k).whole(0, k - 1, "the class")
        winners = [c if score >= 0 else d for (c, d), score in zip(pairs, scores, strict=True)]
        votes = [winners.count(c) for c in range(k)]
        claim = f"the votes are {votes}, a score >= 0 being the first class's"
        yield votes[got] == max(votes), claim
        claim = f"the votes are {votes}: among equals the lowest class wins"
        yield got == votes.index(max(votes)), claim


CHECKS = {"slack": slack, "offset": offset, "pair": pair, "scale": scale, "vote": vote}
