"""Practice for homework 4: the visible checks on inputs that are drawn anew."""

from typing import Any

import numpy as np

from ..hw4 import (
    Program,
    balanced,
    expect_certificate,
    expect_good_offset,
    expect_trained,
    minus_dual,
    moved,
    primal_value,
    slope,
    solved,
    tangled,
)
from ..language.checks import Assignment, Call, close, expect
from ..language.drawing import drawn
from ..language.reading import number, parts, vector
from ..language.sums import expect_proof
from ..proofs import soft_margin


@drawn
def problem(rng: np.random.Generator, n: int, d: int) -> Any:
    """Return X, y and a point (w, b) away from every kink, with slacks of every kind."""
    while True:
        X, w = rng.integers(-16, 17, size=(n, d)) / 8, rng.integers(-8, 9, size=d) / 8
        y, b = rng.choice([-1.0, 1.0], size=n), float(rng.choice([-1.375, -0.875, 0.625, 1.125]))
        t = y * (X @ w + b)
        kinds = (t < 0).any() and ((t > 0) & (t < 1)).any() and (t > 1).any()
        if kinds and np.abs(t - 1).min() > 0.02 and np.abs(t).min() > 0.02 and w @ w > 0.3:
            return X, y, w, b


def _add_q1_to_q3(HW: Assignment) -> None:
    @HW.again("q1", "objective: ½‖w‖² + C Σ ξ")
    def _(call, rng):
        X, y, w, b = problem(rng, 7, 2)
        got = number(call("objective", w, b, X, y, 0.4), "the objective")
        expect(close(got, primal_value(w, b, X, y, 0.4)), "it is ½‖w‖² + C Σ ξ")

    @HW.again("q1", "gradient: it agrees with differences of the objective")
    def _(call, rng):
        X, y, w, b = problem(rng, 7, 2)
        want = slope(w, b, X, y, 0.4)
        expect(close(slopes(call, w, b, X, y, 0.4), want, atol=1e-4), "the objective's slope")

    @HW.again("q2", "P and q: the program minimises -Q(α)")
    def _(call, rng):
        X, y, _, _ = problem(rng, 7, 3)
        program = Program(call("dual_qp", X @ X.T, y, 0.4), 7)
        for alpha in rng.uniform(0, 0.4, size=(3, 7)):
            expect(close(program.value(alpha), minus_dual(alpha, X @ X.T, y)), "-Q(α)")

    @HW.again("q2", "G, h, A, b: the box and the balance")
    def _(call, rng):
        y, X, C = rng.permutation([1.0, -1.0] * 3), rng.normal(size=(6, 2)), 0.7
        program = Program(call("dual_qp", X @ X.T, y, C), 6)
        inside = balanced(rng, y, C)
        expect(program.allows(inside), "this α is feasible")
        for value in (-0.1 * C, 1.1 * C):
            expect(not program.allows(moved(inside, y, 2, value)), "α_2 leaves [0, C]")
        expect(not program.allows(np.where(y > 0, 0.7, 1.0) * inside), "Σ α y = 0")

    @HW.again("q3", "weights: w = Σ α y x")
    def _(call, rng):
        X, y, _, _ = problem(rng, 7, 3)
        alpha = rng.permutation([0.0, 0.3, 0.005, 1.0, 5e-4, 0.05, 0.6])
        got = vector(call("weights", alpha, X, y), 3, "w")
        expect(close(got, (alpha * y) @ X), "w = Σ α y x")

    @HW.again("q3", "offset: from the free examples")
    def _(call, rng):
        for C in (0.6, 0.35):
            K, machine = solved(*tangled(rng, 8, 2, C), C)
            expect_good_offset(call("offset", machine.alpha, K, machine.y, C), machine)


def _add_q4_to_q6(HW: Assignment) -> None:
    @HW.again("q4", "at the optimum primal and dual meet")
    def _(call, rng):
        K, machine = solved(*tangled(rng, 8, 2, 0.6), 0.6)
        got = call("certificate", machine.alpha, machine.b, K, machine.y, 0.6)
        expect_certificate(got, K, machine.y, 0.6, machine.alpha, machine.b)

    @HW.again("q4", "an answer that is not optimal shows a gap")
    def _(call, rng):
        X, _, _, b = problem(rng, 6, 2)
        y = rng.permutation([1.0, -1.0] * 3)
        K, alpha = X @ X.T, balanced(rng, y, 0.6)
        got = call("certificate", alpha, b, K, y, 0.6)
        expect_certificate(got, K, y, 0.6, alpha, b)

    @HW.again("q5", "your own machine is within 0.1 % of the best")
    def _(call, rng):
        C = float(rng.choice([0.35, 0.6, 1.75, 2.5]))
        X, y = tangled(rng, 13, 2, C)
        expect_trained(call("train", X, y, C), X, y, C)

    @HW.again("q6", "gap: what primal and dual differ by is never negative")
    def _(call, rng):
        n = int(rng.integers(4, 7))
        expect_proof(call("gap", n), soft_margin("gap", n), "gap")

    @HW.again("q6", "weak: no w has an objective below the dual")
    def _(call, rng):
        n = int(rng.integers(3, 6))
        expect_proof(call("weak", n), soft_margin("weak", n), "weak")


def add_again(HW: Assignment) -> None:
    """Register the visible checks on inputs drawn anew."""
    _add_q1_to_q3(HW)
    _add_q4_to_q6(HW)


def slopes(call: Call, w: np.ndarray, b: Any, X: np.ndarray, y: np.ndarray, C: Any) -> Any:
    """Return the answer of `gradient` as one vector."""
    g_w, g_b = parts(call("gradient", w, b, X, y, C), "g_w", "g_b")
    return np.append(vector(g_w, len(w), "g_w"), number(g_b, "g_b"))
