"""The mistake bounds as proofs: true runs pass, broken assumptions and wrong runs are named."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectures_lib import bounds, conventions, datasets, linear, margins, perceptron
from tests.strategies import (
    integer_examples,
    known_problems,
    seeds,
    separable_integers,
    ties,
)

LINES = (
    "positive",
    "update",
    "mistake",
    "progress",
    "growth",
    "sum of progress",
    "sum of growth",
    "Cauchy-Schwarz",
    "conclusion",
)
LECTURE = datasets.lecture_example()


def fractions(values):
    return [Fraction(v) for v in np.asarray(values, dtype=float).tolist()]


def dot(a, b):
    return sum((p * q for p, q in zip(a, b)), Fraction(0))


def by_hand(run, X, y, u, hinge=False):
    """Return {line: [(smaller, larger) at each mistake]} in fractions, from the mistakes alone."""
    rows, labels, u = [fractions(x) for x in X], fractions(y), fractions(u)
    R2 = max(dot(x, x) for x in rows)
    edge = [label * dot(u, x) for label, x in zip(labels, rows)]
    xi = [max(Fraction(0), 1 - e) for e in edge]
    w, total, L, table = fractions(run.weights[0]), Fraction(0), Fraction(0), {}
    for k, i in enumerate(run.mistakes.tolist(), start=1):
        step = [labels[i] * v for v in rows[i]]
        new = [a + b for a, b in zip(w, step)]
        gain = 1 - xi[i] if hinge else min(edge)
        total, L = total + gain, L + xi[i]
        lines = {
            "mistake": (dot(w, step), 0),
            "progress": (dot(w, u) + gain, dot(new, u)),
            "growth": (dot(new, new), dot(w, w) + R2),
            "sum of progress": (total, dot(new, u)),
            "sum of growth": (dot(new, new), k * R2),
            "Cauchy-Schwarz": (dot(new, u) ** 2, dot(new, new) * dot(u, u)),
        }
        if hinge:
            lines["squares"] = (max(0, k - L) ** 2, k * R2 * dot(u, u))
            lines["conclusion"] = (k, R2 * dot(u, u) + 2 * L)
        else:
            lines["conclusion"] = (k, R2 * dot(u, u) / min(edge) ** 2)
        for name, sides in lines.items():
            table.setdefault(name, []).append(sides)
        w = new
    return table


def assert_agrees_with(proof, table):
    for name, sides in table.items():
        line = proof.line(name)
        assert list(zip(line.smaller, line.larger)) == sides, name
        assert line.holds == all(s <= l for s, l in sides)


# MB-1: the theorem, line by line


@given(known_problems(), ties, seeds)
def test_mistakes_never_exceed_R_over_gamma_squared(problem, tie, seed):
    X, y = problem.X, problem.y
    run = perceptron.perceptron(X, y, max_epochs=2000, tie=tie, rng=seed)
    proof = bounds.mistake_bound(run, X, y, problem.u)
    assert len(run.mistakes) <= (problem.R / problem.gamma) ** 2 * (1 + 1e-9)
    assert proof.holds, str(proof)
    assert proof.bound == pytest.approx((problem.R / problem.gamma) ** 2, rel=1e-6)
    assert proof.gamma == pytest.approx(problem.gamma, rel=1e-6)
    assert proof.R == pytest.approx(problem.R, rel=1e-12)
    assert tuple(line.name for line in proof.lines) == LINES


@given(separable_integers(), ties, seeds)
def test_every_line_of_the_proof_holds_on_every_separable_run(problem, tie, seed):
    X, y, u = problem
    run = perceptron.perceptron(X, y, max_epochs=50, tie=tie, rng=seed)
    proof = bounds.mistake_bound(run, X, y, u, exact=True)
    assert proof.holds, str(proof)
    assert proof.mistakes == len(run.mistakes) <= proof.bound


@given(separable_integers(), ties)
def test_exact_mode_decides_every_line_in_fractions(problem, tie):
    X, y, u = problem
    run = perceptron.perceptron(X, y, max_epochs=20, tie=tie)
    proof = bounds.mistake_bound(run, X, y, u, exact=True)
    assert_agrees_with(proof, by_hand(run, X, y, proof.u))
    assert all(type(v) is Fraction for v in proof.line("growth").larger)
    assert proof.bound == by_hand_bound(X, y, proof.u)


def by_hand_bound(X, y, u):
    rows, u = [fractions(x) for x in X], fractions(u)
    gamma = min(Fraction(label) * dot(u, x) for label, x in zip(y, rows))
    return max(dot(x, x) for x in rows) * dot(u, u) / gamma**2


@given(known_problems())
def test_floating_point_and_fractions_give_the_same_proof(problem):
    X, y = problem.X, problem.y
    run = perceptron.perceptron(X, y, max_epochs=3)
    rough, exact = (bounds.mistake_bound(run, X, y, problem.u, exact=e) for e in (False, True))
    for line in rough.lines[2:]:
        for side in ("smaller", "larger"):
            np.testing.assert_allclose(
                getattr(line, side),
                getattr(exact.line(line.name), side).astype(float),
                rtol=1e-9,
                atol=1e-9,
            )


@given(separable_integers())
def test_the_default_comparison_is_the_separator_of_largest_margin(problem):
    X, y, u = problem
    run = perceptron.perceptron(X, y, max_epochs=50)
    best = bounds.mistake_bound(run, X, y)
    assert best.holds, str(best)
    assert best.gamma == pytest.approx(margins.max_margin(X, y).gamma, rel=1e-9)
    assert best.bound <= bounds.mistake_bound(run, X, y, u).bound * (1 + 1e-9)


# MB-2: the cosine


@given(separable_integers())
def test_the_cosine_form_is_the_same_numbers_and_never_exceeds_one(problem):
    X, y, u = problem
    run = perceptron.perceptron(X, y, max_epochs=50)
    proof = bounds.mistake_bound(run, X, y, u)
    w = run.weights[1:]
    cosine = (w @ u) / np.linalg.norm(w, axis=1) / np.linalg.norm(u)
    np.testing.assert_allclose(proof.cosine, cosine, rtol=1e-9)
    assert (proof.cosine <= 1 + 1e-12).all()
    k = np.arange(1, len(w) + 1)
    assert (proof.cosine >= np.sqrt(k) * proof.gamma / proof.R * (1 - 1e-9)).all()  # L2's line


def test_the_cosine_is_the_same_in_exact_mode():
    run = perceptron.perceptron(*LECTURE)
    rough, exact = (bounds.mistake_bound(run, *LECTURE, [3, 1], exact=e) for e in (False, True))
    np.testing.assert_allclose(rough.cosine, exact.cosine, rtol=1e-12)


# MB-3: tight


@pytest.mark.parametrize("m", [2, 3, 7, 16, 50])
@pytest.mark.parametrize("R", [1.0, 4.0])
def test_orthogonal_examples_attain_the_bound(m, R):
    problem = datasets.orthogonal(m, R=R)
    run = perceptron.perceptron(problem.X, problem.y)
    proof = bounds.mistake_bound(run, problem.X, problem.y, exact=R == 1.0 and m == 16)
    assert run.converged
    assert len(run.mistakes) == m
    assert proof.holds
    assert float(proof.bound) == pytest.approx(m, rel=1e-9)


# MB-4: break an assumption, and the line that needed it fails


def test_an_offset_not_counted_in_R_and_gamma_gives_5_mistakes_against_4():
    X, y = datasets.offset_example()
    extended = conventions.add_constant(X)
    run = perceptron.perceptron(extended, y)
    naive = margins.max_margin(X, y, offset=True)
    R = np.abs(X).max()
    assert (len(run.mistakes), (R / naive.gamma) ** 2) == (5, 4.0)
    u = [*naive.w, naive.b]
    wrong = bounds.mistake_bound(run, extended, y, u, R=R, gamma=naive.gamma)
    assert not wrong.holds
    assert "conclusion" in wrong.failed
    assert wrong.line("conclusion").first_failure == 5
    assert "growth" in wrong.failed  # the norm of (x, 1) is not in R
    right = bounds.mistake_bound(run, extended, y)
    assert right.holds
    assert right.bound == pytest.approx(10, rel=1e-9)


def test_a_start_away_from_zero_breaks_the_sums_but_no_single_step():
    X, y = LECTURE
    run = perceptron.perceptron(X, y, start=[-30.0, -10.0])
    proof = bounds.mistake_bound(run, X, y, exact=True)
    assert run.converged
    assert {"sum of progress", "sum of growth", "conclusion"} <= set(proof.failed)
    for name in ("positive", "update", "mistake", "progress", "growth", "Cauchy-Schwarz"):
        assert proof.line(name).holds


def test_a_radius_too_small_breaks_growth():
    run = perceptron.perceptron(*LECTURE)
    proof = bounds.mistake_bound(run, *LECTURE, R=1.0)
    assert "growth" in proof.failed
    assert proof.line("progress").holds


def test_a_margin_too_large_breaks_progress():
    run = perceptron.perceptron(*LECTURE)
    proof = bounds.mistake_bound(run, *LECTURE, gamma=2.0)
    assert "progress" in proof.failed
    assert proof.line("growth").holds


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("u", [[1.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
def test_without_a_margin_only_the_margin_line_fails_and_the_bound_is_infinite(u, exact):
    X, y = datasets.xor()
    X = conventions.add_constant(X)
    run = perceptron.perceptron(X, y, max_epochs=5)
    proof = bounds.mistake_bound(run, X, y, u, exact=exact)
    assert proof.failed == ("positive",)
    assert proof.bound == float("inf")


def test_data_without_a_separator_is_told_what_to_do():
    X, y = datasets.xor()
    with pytest.raises(ValueError, match="use hinge_mistake_bound, add a constant feature"):
        bounds.mistake_bound(perceptron.perceptron(X, y, max_epochs=2), X, y)


# MB-5: not separable


@given(integer_examples(max_n=5), ties, st.integers(1, 6), st.data())
def test_the_hinge_bound_holds_on_any_data_for_any_u(examples, tie, epochs, data):
    X, y = examples
    entry = st.integers(-3, 3)
    u = data.draw(st.lists(entry, min_size=X.shape[1], max_size=X.shape[1]))
    run = perceptron.perceptron(X, y, max_epochs=epochs, tie=tie)
    proof = bounds.hinge_mistake_bound(run, X, y, u, exact=True)
    assert proof.holds, str(proof)
    assert len(run.mistakes) <= proof.bound
    assert_agrees_with(proof, by_hand(run, X, y, u, hinge=True))


@given(st.integers(2, 60), st.integers(2, 5), st.floats(0, 0.5), seeds)
def test_the_hinge_bound_holds_on_noisy_floats(n, d, flips, seed):
    X, y = datasets.noisy(n, d, flips=flips, rng=seed)
    run = perceptron.perceptron(X, y, max_epochs=4, rng=seed)
    u = np.random.default_rng(seed).normal(size=d)
    R2 = (X * X).sum(axis=1).max()
    L = sum(max(0.0, 1 - y[i] * (u @ X[i])) for i in run.mistakes)
    proof = bounds.hinge_mistake_bound(run, X, y, u)
    assert len(run.mistakes) <= proof.bound * (1 + 1e-9)
    assert proof.bound == pytest.approx(R2 * (u @ u) + 2 * L, rel=1e-9)
    assert proof.hinge_sum == pytest.approx(L, rel=1e-9, abs=1e-12)


@given(integer_examples(max_n=5), seeds)
def test_the_default_u_has_the_least_hinge_bound(examples, seed):
    X, y = examples
    run = perceptron.perceptron(X, y, max_epochs=4)
    least, R2 = bounds.hinge_mistake_bound(run, X, y).bound, (X * X).sum(axis=1).max()
    others = np.random.default_rng(seed).normal(size=(15, X.shape[1]))
    for u in [*others, linear.dual_coordinate_descent(X, y).w]:
        slack = np.maximum(0.0, 1.0 - y * (X @ u))[run.mistakes]
        assert least <= (R2 * (u @ u) + 2 * slack.sum()) * (1 + 1e-6) + 1e-6


@given(separable_integers())
def test_on_separable_data_the_hinge_bound_contains_the_first_bound(problem):
    X, y, u = problem
    u = u / min(y * (X @ u))  # functional margin 1: no slack
    run = perceptron.perceptron(X, y, max_epochs=30)
    hinge = bounds.hinge_mistake_bound(run, X, y, u)
    assert hinge.hinge_sum == pytest.approx(0, abs=1e-9)
    assert hinge.bound == pytest.approx(bounds.mistake_bound(run, X, y, u).bound, rel=1e-9)
    assert hinge.gamma == pytest.approx(margins.set_margin(u, X, y), rel=1e-9)


def test_slacks_summed_over_distinct_examples_are_no_bound():
    X, y = datasets.xor()
    run = perceptron.perceptron(X, y, max_epochs=10)
    u = np.zeros(2)  # every slack is 1
    proof = bounds.hinge_mistake_bound(run, X, y, u, exact=True)
    over_examples = proof.R**2 * (u @ u) + 2 * proof.xi.sum()
    assert over_examples == 8
    assert len(run.mistakes) > over_examples
    assert proof.holds
    assert proof.hinge_sum == len(run.mistakes)  # repeats included


def test_slacks_over_distinct_examples_fail_for_a_u_that_is_not_zero_too():
    X = np.array([[0.0, 0.0], [1.0, 2.0], [-2.0, -2.0], [2.0, 2.0]])
    y, u = np.array([-1.0, -1.0, 1.0, -1.0]), np.array([-1.0, 0.0])
    run = perceptron.perceptron(X, y, max_epochs=10)
    slacks = [max(0.0, 1 - label * (u @ x)) for x, label in zip(X, y)]
    assert len(run.mistakes) > (X * X).sum(axis=1).max() * (u @ u) + 2 * sum(slacks)
    assert bounds.hinge_mistake_bound(run, X, y, u, exact=True).holds


def test_squaring_in_the_proof_needs_T_at_least_L():
    X, y, u = np.array([[2.0, 2.0], [2.0, 2.0]]), np.array([1.0, -1.0]), np.array([-3.0, -3.0])
    run = perceptron.perceptron(X, y, max_epochs=3)
    proof = bounds.hinge_mistake_bound(run, X, y, u, exact=True)
    T, L, R2 = len(run.mistakes), proof.hinge_sum, Fraction(8)
    assert T < L
    assert (T - L) ** 2 > T * R2 * 18  # L3's line, unclipped, is false here ...
    assert T <= proof.bound  # ... the theorem is not
    assert proof.holds
    assert proof.line("squares").smaller[-1] == 0


def test_one_over_norm_u_is_not_the_margin_of_a_set_with_slack():
    X, y = datasets.xor()
    run = perceptron.perceptron(X, y, max_epochs=3)
    proof = bounds.hinge_mistake_bound(run, X, y, [1.0, 1.0])
    assert proof.gamma == pytest.approx(1 / np.sqrt(2), rel=1e-12)
    assert margins.set_margin([1.0, 1.0], X, y) < 0


# MB-6: the square of the margin


def test_mistakes_grow_with_the_inverse_square_of_the_margin_not_the_inverse():
    products = []
    for m in (4, 16, 64):
        problem = datasets.orthogonal(m)
        run = perceptron.perceptron(problem.X, problem.y)
        assert len(run.mistakes) * problem.gamma**2 == pytest.approx(1.0, rel=1e-12)
        products.append(len(run.mistakes) * problem.gamma)
    assert products == pytest.approx([2, 4, 8], rel=1e-12)  # "inversely proportional": constant


def test_halving_the_margin_quadruples_the_bound():
    run = perceptron.perceptron(*LECTURE)
    whole, half = (bounds.mistake_bound(run, *LECTURE, gamma=g).bound for g in (0.5, 0.25))
    assert half == 4 * whole


# Wrong runs are rejected
