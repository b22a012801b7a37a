"""Checks of the exercises on separators, measures and points (01 to 06, 16, 17)."""

from collections.abc import Callable, Iterator

import numpy as np

from .tries import Try, text


def lift(answer: Callable) -> Iterator[Try]:
    """01: lift(w, w0, x) returns (w', x') with w'.x' = w.x + w0 and x' = (x, 1)."""
    rng = np.random.default_rng(1)
    for d in (1, 2, 5):
        w, w0, x = rng.normal(size=d), float(rng.normal()), rng.normal(size=d)
        given = f"w = {text(w)}, w0 = {w0:.2f}, x = {text(x)}"
        got = answer(w.copy(), w0, x.copy())
        if got is None:
            yield False, "", given, None
        w1, x1 = (np.asarray(v, dtype=float).ravel() for v in got)
        pair = f"({text(w1)}, {text(x1)})"
        yield x1.shape == (d + 1,), f"the new example needs {d + 1} entries", given, pair
        yield w1.shape == x1.shape, "both need the same length", given, pair
        value = w @ x + w0
        same = bool(np.isclose(w1 @ x1, value, rtol=1e-6, atol=1e-9))
        yield same, f"the product must be w.x + w0 = {value:.4f}", given, pair
        fixed = bool(np.isclose(x1, 1.0).any() and np.allclose(np.sort(x1), np.sort([*x, 1.0])))
        yield fixed, "the new example is the old one and a 1, whatever w is", given, pair


def update(answer: Callable) -> Iterator[Try]:
    """02: update(w, x, y) returns the weights after the perceptron has seen (x, y)."""
    rng = np.random.default_rng(2)
    cases = [(np.zeros(2), np.array([1.5, -0.5]), y) for y in (-1.0, 1.0)]
    cases += [(rng.normal(size=3), rng.normal(size=3), y) for y in (1.0, -1.0) for _ in range(6)]
    for w, x, y in cases:
        given = f"w = {text(w)}, x = {text(x)}, y = {y:+.0f}"
        kept = w.copy()
        got = answer(w, x.copy(), y)
        if got is None:
            yield False, "", given, None
        new = np.asarray(got, dtype=float)
        yield np.array_equal(w, kept), "it must not change the w it was given", given, text(new)
        before, after = y * (kept @ x), y * (new @ x)
        if before > 0:
            same = np.array_equal(new, kept)
            yield same, f"y w.x = {before:.3f} > 0: no mistake, no update", given, text(new)
        else:
            claim = f"y w.x must grow by norm(x)^2 = {x @ x:.4f}; it grew by {after - before:.4f}"
            yield bool(np.isclose(after - before, x @ x)), claim, given, text(new)
            along = np.allclose(new - kept, (new - kept) @ x / (x @ x) * x)
            yield along, "the step must go along x", given, text(new)


def hinge_slope(answer: Callable) -> Iterator[Try]:
    """03: slope(w, x, y) returns a subgradient of max(0, 1 - y w.x) with respect to w."""
    rng = np.random.default_rng(3)
    for _ in range(12):
        w, x, y = rng.normal(size=3), rng.normal(size=3), float(rng.choice([-1, 1]))
        given = f"w = {text(w)}, x = {text(x)}, y = {y:+.0f}"
        got = answer(w.copy(), x.copy(), y)
        if got is None:
            yield False, "", given, None
        g = np.asarray(got, dtype=float)
        here = max(0.0, 1 - y * (w @ x))
        for v in w + rng.normal(size=(20, 3)):
            below = here + g @ (v - w) <= max(0.0, 1 - y * (v @ x)) + 1e-9
            yield (
                bool(below),
                f"the line it makes rises above the loss at {text(v)}",
                given,
                text(g),
            )


def margin(answer: Callable) -> Iterator[Try]:
    """04: margin(w, x, y) returns the signed distance of x from the plane w.x = 0."""
    rng = np.random.default_rng(4)
    for _ in range(8):
        w, x, y = 3 * rng.normal(size=3), rng.normal(size=3), float(rng.choice([-1, 1]))
        given = f"w = {text(w)}, x = {text(x)}, y = {y:+.0f}"
        got = answer(w.copy(), x.copy(), y)
        if got is None:
            yield False, "", given, None
        value = float(got)
        across = np.linalg.svd(w[None, :])[2][1:]  # an orthonormal basis of the plane itself
        distance = float(np.linalg.norm(x - across.T @ (across @ x)))
        claim = f"the distance of x from the plane is {distance:.4f}"
        yield bool(np.isclose(abs(value), distance)), claim, given, f"{value:.4f}"
        side = "+" if y * (w @ x) > 0 else "-"
        yield (value > 0) == (side == "+"), f"its sign must be {side}", given, f"{value:.4f}"


def bound(answer: Callable) -> Iterator[Try]:
    """05: bound(X, y, u) returns (R / gamma)^2 for the separator u, of any length."""
    rng = np.random.default_rng(5)
    for n in (3, 5, 8):
        u = rng.normal(size=4)
        X = rng.normal(size=(n, 4))
        y = np.where(X @ u > 0, 1.0, -1.0)
        given = f"X = {text(X)}, y = {text(y)}, u = {text(u)}"
        got = answer(X.copy(), y.copy(), u.copy())
        if got is None:
            yield False, "", given, None
        value = float(got)
        stretched = float(answer(X.copy(), y.copy(), 3 * u))
        yield bool(np.isclose(value, stretched)), "it must not change when u grows", given, value
        scaled = float(answer(7 * X, y.copy(), u.copy()))
        yield bool(np.isclose(value, scaled)), "it must not change when X grows", given, value
        nearest = min(y * (X @ u)) / np.linalg.norm(u)
        allowed = max(float(x @ x) for x in X)
        claim = f"it times gamma^2 must be R^2 = {allowed:.4f}"
        yield bool(np.isclose(value * nearest**2, allowed)), claim, given, f"{value:.4f}"


def average(answer: Callable) -> Iterator[Try]:
    """06: average(weights, counts) returns the survival-weighted mean of the hypotheses."""
    rng = np.random.default_rng(6)
    for m in (2, 4, 7):
        W, c = rng.normal(size=(m, 2)), rng.integers(1, 9, size=m)
        given = f"weights = {text(W)}, counts = {text(c)}"
        got = answer(W.copy(), c.copy())
        if got is None:
            yield False, "", given, None
        a = np.asarray(got, dtype=float)
        balance = np.repeat(W, c, axis=0) - a
        claim = "the hypotheses, each repeated c times, must balance around it"
        yield bool(np.allclose(balance.sum(axis=0), 0, atol=1e-8)), claim, given, text(a)


def precision(answer: Callable) -> Iterator[Try]:
    """16: precision_recall(y, predicted) returns both for labels -1, +1; 0/0 counts as 0."""
    rng = np.random.default_rng(16)
    y = rng.choice([-1, 1], size=(4, 9), p=[0.6, 0.4])
    cases = [(row, rng.choice([-1, 1], size=9)) for row in y]
    cases += [(y[0], y[0]), (y[0], -np.ones(9)), (-np.ones(9), y[1]), (y[2], np.ones(9))]
    for truth, said in cases:
        given = f"y = {text(truth)}, predicted = {text(said)}"
        got = answer(truth.copy(), said.copy())
        if got is None:
            yield False, "", given, None
        precision, recall = (float(v) for v in got)
        pair = f"({precision:.4f}, {recall:.4f})"
        found = sum(1 for a, b in zip(truth, said, strict=True) if a == b == 1)
        for name, value, group, of in (
            ("precision", precision, said, "called +"),
            ("recall", recall, truth, "that are +"),
        ):
            size = int(np.sum(group == 1))
            claim = f"{name} times the {size} examples {of} must be the {found} found"
            if size == 0:
                claim = f"no example is among those {of}: {name} is 0/0, which counts as 0"
            wish = found / size if size else 0.0
            yield bool(np.isclose(value, wish)), claim, given, pair


def radon(answer: Callable) -> Iterator[Try]:
    """17: radon(X) for d + 2 points in R^d returns a: sum a = 0, sum a x = 0, a not 0."""
    rng = np.random.default_rng(17)
    for d in (1, 2, 3, 6):
        X = rng.normal(size=(d + 2, d))
        given = f"X = {text(X)}"
        got = answer(X.copy())
        if got is None:
            yield False, "", given, None
        a = np.asarray(got, dtype=float).ravel()
        yield a.shape == (d + 2,), f"one number a point is needed: {d + 2}", given, text(a)
        size = float(np.abs(a).max())
        yield bool(np.isfinite(size) and size > 0), "a must not be 0", given, text(a)
        a = a / size
        yield abs(a.sum()) < 1e-8, f"the sum of a must be 0, not {a.sum():.4f}", given, text(a)
        up, down = (np.where(side, abs(a), 0) for side in (a > 0, a < 0))
        apart = np.linalg.norm(up @ X / up.sum() - down @ X / down.sum())
        claim = f"the two sides must make the same point; theirs are {apart:.4f} apart"
        yield bool(apart < 1e-8), claim, given, text(a)
