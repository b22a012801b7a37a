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
    cases = [(np.zeros(2), np.array([1.5, -0.5]), -1.0)]
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


EXERCISES: dict[str, Callable[[Callable], Iterator[Try]]] = {
    "lift": _lift,
    "update": _update,
    "slope": _hinge_slope,
    "margin": _margin,
    "bound": _bound,
    "average": _average,
}


def _text(v: np.ndarray) -> str:
    return np.array2string(np.asarray(v, dtype=float), precision=2, separator=", ").replace(
        "\n", ""
    )
