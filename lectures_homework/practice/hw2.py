"""Practice for homework 2: the visible checks on inputs that are drawn anew."""

from typing import Any

import numpy as np

from lectures_lib import datasets
from lectures_lib.conventions import add_constant
from lectures_lib.perceptron import perceptron

from ..hw2 import (
    ENOUGH,
    STEPS,
    distances,
    halves,
    history,
    with_false_entry,
)
from ..language.checks import Assignment, Call, close, expect
from ..language.drawing import drawn
from ..language.reading import number, parts, vector
from ..language.sums import expect_proof
from ..proofs import cautious


def plane(rng: np.random.Generator, d: int, length: float = 3.0) -> Any:
    """Return (w, b): w of about that length, which is not 1, and an offset that matters."""
    w = rng.normal(size=d)
    length = length * rng.uniform(0.7, 1.3)
    b = float(length * rng.uniform(0.6, 0.8) * rng.choice([-1.0, 1.0]))
    return w * (length / np.linalg.norm(w)), b


def separated(rng: np.random.Generator, n: int, d: int) -> Any:
    """Return (X, y, u, c): examples in eighths that (u, c) separates, with both classes."""
    while True:
        X = rng.integers(-12, 13, size=(n, d)) / 8
        u = rng.integers(-6, 7, size=d) / 4 + 0.125
        c = float(rng.choice([-1.375, -0.875, 0.875, 1.375]))
        t = X @ u + c
        if np.abs(t).min() > 0.2 and n / 4 < np.sum(t > 0) < 3 * n / 4:
            return X, np.where(t > 0, 1.0, -1.0), u, c


@drawn
def long_run(rng: np.random.Generator, n: int, d: int) -> Any:
    """Return examples and the log of a run in which some example is mistaken again and again."""
    while True:
        X, y, _, _ = separated(rng, n, d - 1)
        X = add_constant(X)
        log = perceptron(X, y, max_epochs=4).mistakes
        before = history(X, y, log)[:-1]
        t = np.abs((before * X[log]).sum(axis=1)[1:])
        distinct = len(set(log.tolist()))
        if len(log) >= 7 and distinct < min(n, len(log) - 2) and t.min() > 0.05:
            return X, y, log


def drawn_set(rng: np.random.Generator) -> Any:
    """Return examples in three dimensions for q4."""
    p = datasets.separable(8, 3, gamma=rng.uniform(0.9, 1.2), R=3.0, rng=rng)
    return p.X, p.y


def theorem(X: np.ndarray, y: np.ndarray, u: np.ndarray, c: Any) -> Any:
    """Return (R / gamma)^2 of the examples (x, 1)."""
    Z, v = add_constant(X), np.append(u, c)
    return float((Z**2).sum(axis=1).max() * (v @ v) / (y * (Z @ v)).min() ** 2)


def far_apart(rng: np.random.Generator) -> Any:
    """Return two sets with their separators: the bounds differ by a factor of 5."""
    while True:
        two = [separated(rng, n, 2) for n in (6, 9)]
        low, high = sorted(theorem(*one) for one in two)
        if high > 5 * low:
            return two


def _add_q1(HW: Assignment) -> None:
    @HW.again("q1", "margins are distances from the plane")
    def _(call, rng):
        w, _ = plane(rng, 3)
        X = rng.normal(size=(6, 3))
        y = np.where(X @ w > 0, 1.0, -1.0)
        got = vector(call("margins", w, 0.0, X, y), 6, "one margin an example")
        expect(close(np.abs(got), distances(w, 0.0, X)), "margins are distances from the plane")

    @HW.again("q1", "margins are negative where the example is on the wrong side")
    def _(call, rng):
        w, b = plane(rng, 3)
        X = rng.normal(size=(9, 3))
        X = X[np.abs(X @ w + b) > 0.05]
        y = rng.permutation(np.where(np.arange(len(X)) % 2, 1.0, -1.0))
        got = vector(call("margins", w, b, X, y), len(X), "one margin an example")
        expect((got * y * (X @ w + b) > 0).all(), "negative on the wrong side, positive else")

    @HW.again("q1", "set_margin is the margin of one example, the worst")
    def _(call, rng):
        w, b = plane(rng, 2)
        X = rng.normal(size=(6, 2))
        y = np.where(X @ w + b > 0, 1.0, -1.0)
        got = number(call("set_margin", w, b, X, y), "the margin of a set")
        expect(close(got, distances(w, b, X).min()), "the smallest of the distances")


def _add_q2_to_q3(HW: Assignment) -> None:
    @HW.again("q2", "the bound does not depend on the length of (u, c)")
    def _(call, rng):
        found = []
        for X, y, u, c in far_apart(rng):
            once, again = (number(call("bound", X, y, t * u, t * c), "the bound") for t in (1, 2.5))
            expect(close(once, again), "with 2.5 (u, c) it is another one")
            found.append(once)
        expect(not close(*found), "two very different sets have different bounds")

    @HW.again("q2", "no run makes more mistakes than the bound")
    def _(call, rng):
        for X, y, u, c in far_apart(rng):
            allowed = number(call("bound", X, y, u, c), "the bound")
            made = len(perceptron(add_constant(X), y).mistakes)
            expect(made <= allowed, f"the perceptron with offset makes {made} mistakes")
            expect(allowed < 2 * theorem(X, y, u, c), "this is far more than the theorem allows")
            expect(2 * allowed > theorem(X, y, u, c), "this is far less than the theorem allows")

    @HW.again("q3", "replay adds up y x over the log, from w = 0")
    def _(call, rng):
        X, y, log = long_run(rng, 7, 3)
        u = plane(rng, 3)[0]
        u, W = u / np.linalg.norm(u), history(X, y, log)
        along, norm2 = parts(call("replay", X, y, log, u), "along", "norm2")
        expect(close(vector(along, len(W), "along"), W @ u), "w_k·u")
        expect(close(vector(norm2, len(W), "norm2"), (W**2).sum(axis=1)), "‖w_k‖²")

    @HW.again("q3", "audit finds the entry that was no mistake")
    def _(call, rng):
        X, y, log = long_run(rng, 8, 3)
        for at in (3, 5):
            false = with_false_entry(X, y, log, at)
            expect(number(call("audit", X, y, false), "the position") == at, f"entry {at} is false")
        expect(number(call("audit", X, y, log), "the position") == -1, "all were mistakes")


def _add_q4_to_q6(HW: Assignment) -> None:
    @HW.again("q4", "your w separates and your weights are convex")
    def _(call, rng):
        X, y = drawn_set(rng)
        halves(call("certificate", X, y, STEPS), X, y)

    @HW.again("q4", "your two halves meet")
    def _(call, rng):
        X, y = drawn_set(rng)
        low, high = halves(call("certificate", X, y, STEPS), X, y)
        expect(low >= ENOUGH * high, f"w has margin {low:.4g}, the weights allow {high:.4g}")

    @HW.again("q5", "without slack the bound is R² ‖u‖²")
    def _(call, rng):
        X, y, log = long_run(rng, 8, 3)
        u = perceptron(X, y).w
        u = u * (1.25 / (y * (X @ u)).min())
        L, bound = parts(call("hinge_bound", X, y, log, u), "L", "bound")
        expect(close(number(L, "L"), 0.0), "every y u·x is 1.25 or more: no slack")
        want = (X**2).sum(axis=1).max() * (u @ u)
        expect(close(number(bound, "the bound"), want), "R² ‖u‖², with the longest row")

    @HW.again("q5", "every mistake pays its slack, repeats included")
    def _(call, rng):
        X, y, log = long_run(rng, 8, 3)
        u = rng.normal(size=3) / 4
        L = np.maximum(0.0, 1.0 - y * (X @ u))[log].sum()
        got, bound = parts(call("hinge_bound", X, y, log, u), "L", "bound")
        expect(close(number(got, "L"), L), "every mistake pays its slack")
        want = (X**2).sum(axis=1).max() * (u @ u) + 2 * L
        expect(close(number(bound, "the bound"), want), "the bound is R² ‖u‖² + 2 L")

    @HW.again("q6", "progress: every update brings η γ")
    def _(call, rng):
        expect_line(call, "progress", *rng.integers(4, 12, size=2))

    @HW.again("q6", "growth: the length grows slowly")
    def _(call, rng):
        expect_line(call, "growth", *rng.integers(4, 12, size=2))


def add_again(HW: Assignment) -> None:
    """Register the visible checks on inputs drawn anew."""
    _add_q1(HW)
    _add_q2_to_q3(HW)
    _add_q4_to_q6(HW)


def expect_line(call: Call, line: Any, eta: Any, beta: Any) -> None:
    """State that the sum proves a line of the bound for this step and this caution."""
    eta, beta = int(eta), int(beta)
    expect_proof(call(line, eta, beta), cautious(line, eta, beta), f"sum_of_{line}")
