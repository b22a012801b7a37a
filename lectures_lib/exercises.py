"""Self-checks for the exercises in the notebooks: they test what an answer must satisfy.

A check never compares with a stored answer: it tries the function on inputs and asks whether the
property of the lecture holds. The verdict names the property, the input and what came back.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Verdict:
    """What a check found."""

    passed: bool
    message: str


#: One try of an answer: did it hold, the property it tests, the input, what came back.
Try = tuple[bool, str, str, object]


def check(exercise: str, answer: Callable) -> None:
    """Print whether `answer` solves the exercise, and if not, what it breaks and on what input."""
    print(judge(exercise, answer).message)


def judge(exercise: str, answer: Callable) -> Verdict:
    """Return the verdict on `answer`: the first property that it breaks, or that all hold."""
    if exercise not in EXERCISES:
        raise ValueError(f"No exercise is called {exercise!r}; there are {sorted(EXERCISES)}.")
    count = 0
    try:
        for holds, claim, given, got in EXERCISES[exercise](answer):
            if got is None:
                return Verdict(False, "Not written yet: the function returns None.")
            if not holds:
                return Verdict(False, f"Not yet. Given {given}\nyour answer is {got}, but {claim}.")
            count += 1
    except Exception as error:
        return Verdict(
            False, f"Not yet: your function stopped with {type(error).__name__}: {error}"
        )
    return Verdict(True, f"Right: the property held in all {count} tries.")


def _lift(answer: Callable) -> Iterator[Try]:
    """01: lift(w, w0, x) returns (w', x') with w'.x' = w.x + w0 and x' = (x, 1)."""
    rng = np.random.default_rng(1)
    for d in (1, 2, 5):
        w, w0, x = rng.normal(size=d), float(rng.normal()), rng.normal(size=d)
        given = f"w = {_text(w)}, w0 = {w0:.2f}, x = {_text(x)}"
        got = answer(w.copy(), w0, x.copy())
        if got is None:
            yield False, "", given, None
        w1, x1 = (np.asarray(v, dtype=float).ravel() for v in got)
        pair = f"({_text(w1)}, {_text(x1)})"
        yield x1.shape == (d + 1,), f"the new example needs {d + 1} entries", given, pair
        yield w1.shape == x1.shape, "both need the same length", given, pair
        value = w @ x + w0
        same = bool(np.isclose(w1 @ x1, value, rtol=1e-6, atol=1e-9))
        yield same, f"the product must be w.x + w0 = {value:.4f}", given, pair
        fixed = bool(np.isclose(x1, 1.0).any() and np.allclose(np.sort(x1), np.sort([*x, 1.0])))
        yield fixed, "the new example is the old one and a 1, whatever w is", given, pair


def _update(answer: Callable) -> Iterator[Try]:
    """02: update(w, x, y) returns the weights after the perceptron has seen (x, y)."""
    rng = np.random.default_rng(2)
    cases = [(np.zeros(2), np.array([1.5, -0.5]), y) for y in (-1.0, 1.0)]
    cases += [(rng.normal(size=3), rng.normal(size=3), y) for y in (1.0, -1.0) for _ in range(6)]
    for w, x, y in cases:
        given = f"w = {_text(w)}, x = {_text(x)}, y = {y:+.0f}"
        kept = w.copy()
        got = answer(w, x.copy(), y)
        if got is None:
            yield False, "", given, None
        new = np.asarray(got, dtype=float)
        yield np.array_equal(w, kept), "it must not change the w it was given", given, _text(new)
        before, after = y * (kept @ x), y * (new @ x)
        if before > 0:
            same = np.array_equal(new, kept)
            yield same, f"y w.x = {before:.3f} > 0: no mistake, no update", given, _text(new)
        else:
            claim = f"y w.x must grow by norm(x)^2 = {x @ x:.4f}; it grew by {after - before:.4f}"
            yield bool(np.isclose(after - before, x @ x)), claim, given, _text(new)
            along = np.allclose(new - kept, (new - kept) @ x / (x @ x) * x)
            yield along, "the step must go along x", given, _text(new)


def _hinge_slope(answer: Callable) -> Iterator[Try]:
    """03: slope(w, x, y) returns a subgradient of max(0, 1 - y w.x) with respect to w."""
    rng = np.random.default_rng(3)
    for _ in range(12):
        w, x, y = rng.normal(size=3), rng.normal(size=3), float(rng.choice([-1, 1]))
        given = f"w = {_text(w)}, x = {_text(x)}, y = {y:+.0f}"
        got = answer(w.copy(), x.copy(), y)
        if got is None:
            yield False, "", given, None
        g = np.asarray(got, dtype=float)
        here = max(0.0, 1 - y * (w @ x))
        for v in w + rng.normal(size=(20, 3)):
            below = here + g @ (v - w) <= max(0.0, 1 - y * (v @ x)) + 1e-9
            yield (
                bool(below),
                f"the line it makes rises above the loss at {_text(v)}",
                given,
                _text(g),
            )


def _margin(answer: Callable) -> Iterator[Try]:
    """04: margin(w, x, y) returns the signed distance of x from the plane w.x = 0."""
    rng = np.random.default_rng(4)
    for _ in range(8):
        w, x, y = 3 * rng.normal(size=3), rng.normal(size=3), float(rng.choice([-1, 1]))
        given = f"w = {_text(w)}, x = {_text(x)}, y = {y:+.0f}"
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


def _bound(answer: Callable) -> Iterator[Try]:
    """05: bound(X, y, u) returns (R / gamma)^2 for the separator u, of any length."""
    rng = np.random.default_rng(5)
    for n in (3, 5, 8):
        u = rng.normal(size=4)
        X = rng.normal(size=(n, 4))
        y = np.where(X @ u > 0, 1.0, -1.0)
        given = f"X = {_text(X)}, y = {_text(y)}, u = {_text(u)}"
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


def _average(answer: Callable) -> Iterator[Try]:
    """06: average(weights, counts) returns the survival-weighted mean of the hypotheses."""
    rng = np.random.default_rng(6)
    for m in (2, 4, 7):
        W, c = rng.normal(size=(m, 2)), rng.integers(1, 9, size=m)
        given = f"weights = {_text(W)}, counts = {_text(c)}"
        got = answer(W.copy(), c.copy())
        if got is None:
            yield False, "", given, None
        a = np.asarray(got, dtype=float)
        balance = np.repeat(W, c, axis=0) - a
        claim = "the hypotheses, each repeated c times, must balance around it"
        yield bool(np.allclose(balance.sum(axis=0), 0, atol=1e-8)), claim, given, _text(a)


def _map(answer: Callable) -> Iterator[Try]:
    """08: phi(x) for x in the plane, with phi(x).phi(z) = (1 + x.z)^2."""
    rng = np.random.default_rng(8)
    for x, z in rng.normal(size=(10, 2, 2)):
        given = f"x = {_text(x)}, z = {_text(z)}"
        got = answer(x.copy())
        if got is None:
            yield False, "", given, None
        a, b = (np.asarray(v, dtype=float).ravel() for v in (got, answer(z.copy())))
        yield a.shape == b.shape, "phi must have the same length for x and z", given, len(a)
        wish = (1 + x @ z) ** 2
        claim = f"phi(x).phi(z) must be (1 + x.z)^2 = {wish:.4f}"
        yield bool(np.isclose(a @ b, wish)), claim, given, f"{a @ b:.4f}"


def _gaussian(answer: Callable) -> Iterator[Try]:
    """09: gaussian(X, Z, sigma) returns the Gram block exp(-norm(x - z)^2 / (2 sigma^2))."""
    rng = np.random.default_rng(9)
    for sigma in (0.7, 1.6):
        X, Z = rng.normal(size=(3, 2)), rng.normal(size=(5, 2))
        given = f"X = {_text(X)}, Z = {_text(Z)}, sigma = {sigma}"
        got = answer(X.copy(), Z.copy(), sigma)
        if got is None:
            yield False, "", given, None
        K = np.asarray(got, dtype=float)
        yield (
            K.shape == (3, 5),
            "the block needs a row an x and a column a z: (3, 5)",
            given,
            K.shape,
        )
        same = np.asarray(answer(X.copy(), X.copy(), sigma), dtype=float)
        unit = np.allclose(np.diag(same), 1.0)
        yield unit, "a point with itself must give 1", given, _text(np.diag(same))
        squares = np.array([[float((x - z) @ (x - z)) for z in Z] for x in X])
        found = -2 * sigma**2 * np.log(np.clip(K, 1e-300, None))
        claim = f"-2 sigma^2 log K must be the squared distances {_text(squares)}"
        yield bool(np.allclose(found, squares)), claim, given, _text(K)


def _score(answer: Callable) -> Iterator[Try]:
    """10: score(alpha, y, K) returns sum_i alpha_i y_i K[i, t] for each column t."""
    rng = np.random.default_rng(10)
    for n, m in ((4, 3), (3, 6)):
        X, Z = rng.normal(size=(n, 2)), rng.normal(size=(m, 2))
        alpha, y = rng.integers(0, 4, size=n), rng.choice([-1.0, 1.0], size=n)
        K = X @ Z.T
        given = f"alpha = {_text(alpha)}, y = {_text(y)}, K = {_text(K)}"
        got = answer(alpha.copy(), y.copy(), K.copy())
        if got is None:
            yield False, "", given, None
        f = np.asarray(got, dtype=float)
        yield f.shape == (m,), f"it needs one score a column of K: {m}", given, f.shape
        w = sum(a * label * x for a, label, x in zip(alpha, y, X, strict=True))
        claim = f"with K = X Z' it must be w.z for w = sum alpha y x: {_text(Z @ w)}"
        yield bool(np.allclose(f, Z @ w)), claim, given, _text(f)


def _ridge(answer: Callable) -> Iterator[Try]:
    """18: ridge(K, y, penalty) returns the coefficients of kernel ridge regression."""
    rng = np.random.default_rng(18)
    for penalty in (0.3, 4.0):
        Phi, y = rng.normal(size=(6, 3)), rng.normal(size=6)
        K = Phi @ Phi.T
        given = f"K = Phi Phi' of shape (6, 6), y = {_text(y)}, penalty = {penalty}"
        got = answer(K.copy(), y.copy(), penalty)
        if got is None:
            yield False, "", given, None
        alpha = np.asarray(got, dtype=float).ravel()
        yield alpha.shape == (6,), "one coefficient an example is needed: 6", given, alpha.shape
        w = Phi.T @ alpha
        slope = Phi.T @ (Phi @ w - y) + penalty * w
        claim = "w = sum alpha phi must make the slope of half the squared errors + penalty 0"
        yield bool(np.allclose(slope, 0, atol=1e-8)), claim, given, _text(alpha)


def _precision(answer: Callable) -> Iterator[Try]:
    """16: precision_recall(y, predicted) returns both for labels -1, +1; 0/0 counts as 0."""
    rng = np.random.default_rng(16)
    y = rng.choice([-1, 1], size=(4, 9), p=[0.6, 0.4])
    cases = [(row, rng.choice([-1, 1], size=9)) for row in y]
    cases += [(y[0], y[0]), (y[0], -np.ones(9)), (-np.ones(9), y[1]), (y[2], np.ones(9))]
    for truth, said in cases:
        given = f"y = {_text(truth)}, predicted = {_text(said)}"
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


def _radon(answer: Callable) -> Iterator[Try]:
    """17: radon(X) for d + 2 points in R^d returns a: sum a = 0, sum a x = 0, a not 0."""
    rng = np.random.default_rng(17)
    for d in (1, 2, 3, 6):
        X = rng.normal(size=(d + 2, d))
        given = f"X = {_text(X)}"
        got = answer(X.copy())
        if got is None:
            yield False, "", given, None
        a = np.asarray(got, dtype=float).ravel()
        yield a.shape == (d + 2,), f"one number a point is needed: {d + 2}", given, _text(a)
        size = float(np.abs(a).max())
        yield bool(np.isfinite(size) and size > 0), "a must not be 0", given, _text(a)
        a = a / size
        yield abs(a.sum()) < 1e-8, f"the sum of a must be 0, not {a.sum():.4f}", given, _text(a)
        up, down = (np.where(side, abs(a), 0) for side in (a > 0, a < 0))
        apart = np.linalg.norm(up @ X / up.sum() - down @ X / down.sum())
        claim = f"the two sides must make the same point; theirs are {apart:.4f} apart"
        yield bool(apart < 1e-8), claim, given, _text(a)


EXERCISES: dict[str, Callable[[Callable], Iterator[Try]]] = {
    "lift": _lift,
    "update": _update,
    "slope": _hinge_slope,
    "margin": _margin,
    "bound": _bound,
    "average": _average,
    "map": _map,
    "gaussian": _gaussian,
    "score": _score,
    "ridge": _ridge,
    "precision": _precision,
    "radon": _radon,
}


def _text(v: np.ndarray) -> str:
    return np.array2string(np.asarray(v, dtype=float), precision=2, separator=", ").replace(
        "\n", ""
    )
