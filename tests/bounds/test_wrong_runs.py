"""The mistake bounds as proofs: true runs pass, broken assumptions and wrong runs are named."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectures_lib import bounds, conventions, datasets, linear, margins, perceptron
from tests.strategies import (
    claimed_run,
    integer_examples,
    known_problems,
    seeds,
    separable_integers,
    textbook,
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


def flipped(X, y, w, i):
    return w - y[i] * X[i]


def without_label(X, y, w, i):
    return w + X[i]


def doubled(X, y, w, i):
    return w + 2 * y[i] * X[i]  # (y - yhat) x


def real_error(X, y, w, i):
    return w + (y[i] - w @ X[i]) * X[i]


def planted(X, y, update, epochs=3, every=False):
    """Run a perceptron with a wrong update (or a right one on every example); claim it is one."""
    w, mistakes, weights = np.zeros(X.shape[1]), [], [np.zeros(X.shape[1])]
    for _, i in product(range(epochs), range(len(X))):
        if every or y[i] * (w @ X[i]) <= 0:
            w = update(X, y, w, i)
            mistakes.append(i)
            weights.append(w)
    return claimed_run(X, y, mistakes, weights)


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("update", [flipped, without_label, doubled, real_error])
def test_a_wrong_update_is_rejected_by_the_update_line(update, exact):
    X, y = LECTURE
    proof = bounds.mistake_bound(planted(X, y, update), X, y, exact=exact)
    assert not proof.holds
    assert "update" in proof.failed


@given(separable_integers())
def test_a_flipped_sign_is_rejected_on_any_data(problem):
    X, y, u = problem
    assert "update" in bounds.mistake_bound(planted(X, y, flipped), X, y, u).failed


@pytest.mark.parametrize("exact", [False, True])
def test_updates_on_every_example_are_rejected_by_the_mistake_line(exact):
    X, y = LECTURE
    run = planted(X, y, lambda X, y, w, i: w + y[i] * X[i], every=True)
    proof = bounds.mistake_bound(run, X, y, exact=exact)
    assert proof.failed[0] == "mistake"
    assert proof.line("update").holds


def test_a_batch_pass_with_w_frozen_is_rejected():
    X, y = LECTURE
    mistakes = np.arange(len(X))  # all wrong at w = 0, all added at once
    weights = np.cumsum(np.vstack([np.zeros(2), y[:, None] * X]), axis=0)
    assert "mistake" in bounds.mistake_bound(claimed_run(X, y, mistakes, weights), X, y).failed


@pytest.mark.parametrize("exact", [False, True])
def test_an_omitted_mistake_is_rejected(exact):
    X, y = LECTURE
    run = perceptron.perceptron(X, y)
    kept = np.delete(run.weights, 2, axis=0)
    omitted = claimed_run(X, y, np.delete(run.mistakes, 1), kept)
    assert "update" in bounds.mistake_bound(omitted, X, y, exact=exact).failed


@pytest.mark.parametrize("exact", [False, True])
def test_an_invented_mistake_is_rejected_however_the_weights_are_told(exact):
    X, y = LECTURE
    run = perceptron.perceptron(X, y)
    mistakes = np.insert(run.mistakes, 1, 1)  # the second example, which was right
    told_unchanged = np.insert(run.weights, 1, run.weights[1], axis=0)
    told_replayed = np.cumsum(np.vstack([[0, 0], y[mistakes, None] * X[mistakes]]), axis=0)
    for weights, line in [(told_unchanged, "update"), (told_replayed, "mistake")]:
        wrong = claimed_run(X, y, mistakes, weights)
        assert line in bounds.mistake_bound(wrong, X, y, exact=exact).failed


def test_the_mistakes_of_other_labels_are_rejected():
    X, y = LECTURE
    run = perceptron.perceptron(X, y)
    assert not bounds.mistake_bound(run, X, -y).holds
    assert not bounds.hinge_mistake_bound(run, X, -y).holds


def test_the_hinge_bound_rejects_wrong_runs_too():
    X, y = datasets.xor()
    for update, line in [(flipped, "update"), (without_label, "update")]:
        assert line in bounds.hinge_mistake_bound(planted(X, y, update), X, y).failed
    X, y = np.array([[1.0], [2.0], [-1.0]]), np.array([1.0, 1.0, 1.0])
    every = planted(X, y, lambda X, y, w, i: w + y[i] * X[i], every=True)
    assert "mistake" in bounds.hinge_mistake_bound(every, X, y).failed


def test_the_run_of_the_textbook_is_accepted():
    X, y = LECTURE
    mistakes, rounds, after_each = textbook(X, y, [np.arange(len(X))] * 2)
    weights = np.vstack([np.zeros(2), after_each[rounds]])
    assert bounds.mistake_bound(claimed_run(X, y, mistakes, weights), X, y, exact=True).holds


# The report


def test_a_line_names_the_first_mistake_at_which_it_fails():
    run = perceptron.perceptron(*LECTURE)
    line = bounds.mistake_bound(run, *LECTURE, R=2.0).line("growth")
    assert line.ok.tolist() == [s >= 0 for s in line.slack.tolist()]
    assert line.first_failure == line.ok.tolist().index(False) + 1
    assert bounds.mistake_bound(run, *LECTURE).line("growth").first_failure is None


def test_the_printed_proof_says_what_holds_and_what_fails():
    run = perceptron.perceptron(*LECTURE)
    good, bad = (bounds.mistake_bound(run, *LECTURE, R=R) for R in (None, 1.0))
    assert ": proved in floating point" in str(good)
    assert "fails" not in str(good)
    assert "NOT proved" in str(bad)
    assert "growth" in str(bad)
    assert f"fails at mistake {bad.line('growth').first_failure}" in str(bad)
    assert "proved exactly" in str(bounds.mistake_bound(run, *LECTURE, exact=True))


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("bound", [bounds.mistake_bound, bounds.hinge_mistake_bound])
def test_a_run_without_mistakes_is_proved_at_once(bound, exact):
    X, y = np.array([[1.0], [2.0]]), np.array([1.0, 1.0])
    proof = bound(perceptron.perceptron(X, y, tie="positive"), X, y, exact=exact)
    assert proof.holds
    assert proof.mistakes == 0
    assert "M = 0" in str(proof)


def test_an_unknown_line_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="Cauchy-Schwarz"):
        bounds.mistake_bound(perceptron.perceptron(*LECTURE), *LECTURE).line("magic")


@pytest.mark.parametrize("bound", [bounds.mistake_bound, bounds.hinge_mistake_bound])
@pytest.mark.parametrize("u", [[1.0], [1.0, 2.0, 3.0], [np.nan, 1.0], [["a", "b"]]])
def test_a_wrong_u_is_refused(bound, u):
    with pytest.raises(ValueError, match=r"u (has shape|contains|must hold)"):
        bound(perceptron.perceptron(*LECTURE), *LECTURE, u)


def test_neither_run_nor_data_are_modified():
    X, y = LECTURE[0].copy(), LECTURE[1].copy()
    run = perceptron.perceptron(X, y)
    weights, mistakes = run.weights.copy(), run.mistakes.copy()
    for exact in (False, True):
        bounds.mistake_bound(run, X, y, exact=exact)
        bounds.hinge_mistake_bound(run, X, y, exact=exact)
    np.testing.assert_array_equal(run.weights, weights)
    np.testing.assert_array_equal(run.mistakes, mistakes)
    np.testing.assert_array_equal(X, LECTURE[0])
    np.testing.assert_array_equal(y, LECTURE[1])


# Verdicts: proved, refuted, undecided


def false_lines(run, X, y, u, hinge):
    """Return the names of the lines that are false, in fractions, of a run with these weights."""
    table = by_hand(run, X, y, u, hinge)
    found = {name for name, sides in table.items() if any(s > l for s, l in sides)}
    w = np.array(run.weights[0], dtype=float)
    for k, i in enumerate(run.mistakes):
        w = w + y[i] * X[i]  # the sum, rounded once, as a run must round it
        if not np.array_equal(w, run.weights[k + 1]):
            found.add("update")
    return found if np.array_equal(run.w, run.weights[-1]) else found | {"update"}


def spoiled(run, X, y, how, rng):
    """Return a run with one thing wrong, and labels."""
    mistakes, weights, w, y = run.mistakes.copy(), run.weights.copy(), run.w.copy(), y.copy()
    k = int(rng.integers(len(mistakes)))
    if how == "two mistakes swapped":
        mistakes[[k, 0]] = mistakes[[0, k]]
    elif how == "a weight moved by one rounding":
        j = int(rng.integers(X.shape[1]))
        weights[k + 1, j] = np.nextafter(weights[k + 1, j], np.inf)
    elif how == "a label turned":
        y[mistakes[k]] *= -1
    elif how == "NaN":
        weights[k + 1, 0] = np.nan
    elif how == "another w":
        w = np.nextafter(w, np.inf)
    elif how == "a mistake invented":
        mistakes = np.append(mistakes, rng.integers(len(X)))
        weights = np.vstack([weights, weights[-1] + y[mistakes[-1]] * X[mistakes[-1]]])
        w = weights[-1]
    alpha = np.bincount(mistakes, minlength=len(X))
    return replace(run, mistakes=mistakes, weights=weights, w=w, alpha=alpha), y


HOW = (
    "nothing",
    "two mistakes swapped",
    "a weight moved by one rounding",
    "a label turned",
    "NaN",
    "another w",
    "a mistake invented",
)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("scale", [1e-8, 1.0, 0.1, 1e8])
def test_no_line_is_proved_that_fractions_refute_nor_refuted_that_they_prove(how, scale):
    for seed in range(6):
        rng = np.random.default_rng(seed)
        X = (
            rng.integers(-3, 4, size=(6, 3)) * scale
            if seed % 2
            else rng.normal(size=(6, 3)) * scale
        )
        u = rng.normal(size=3)
        y = np.where(X @ u > 0, 1.0, -1.0)
        run, labels = spoiled(perceptron.perceptron(X, y, max_epochs=9), X, y, how, rng)
        proof = bounds.hinge_mistake_bound(run, X, labels, u / scale)
        wrong = false_lines(run, X, labels, u / scale, hinge=True)
        assert not {line.name for line in proof.lines if line.holds} & wrong
        assert set(proof.failed) <= wrong
        assert proof.holds == (not wrong)
        assert how not in HOW[4:6] or "update" in proof.failed


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize("bound", [bounds.mistake_bound, bounds.hinge_mistake_bound])
def test_weights_of_nan_are_refuted(bound, exact):
    run = perceptron.perceptron(*LECTURE)
    for rows in ([1, 2, 3], [2]):
        weights = run.weights.copy()
        weights[rows] = np.nan
        proof = bound(replace(run, weights=weights), *LECTURE, exact=exact)
        assert proof.failed == ("update",)
        assert proof.line("update").first_failure == rows[0]
    assert bound(replace(run, w=np.full(2, np.nan)), *LECTURE, exact=exact).failed == ("update",)


@pytest.mark.parametrize("exact", [False, True])
def test_the_last_weights_must_be_the_answer(exact):
    run = perceptron.perceptron(*LECTURE)
    for w in (-run.w, np.nextafter(run.w, 9)):
        lying = replace(run, w=w)
        assert bounds.mistake_bound(lying, *LECTURE, exact=exact).failed == ("update",)
    X, y = np.array([[1.0], [2.0]]), np.array([1.0, 1.0])
    idle = perceptron.perceptron(X, y, tie="positive")
    assert bounds.hinge_mistake_bound(replace(idle, w=idle.w + 1), X, y).failed == ("update",)


def test_weights_that_drift_by_less_than_any_tolerance_are_refuted_on_whole_numbers():
    run = perceptron.perceptron(*LECTURE)
    weights = run.weights + 5e-9 * (np.arange(4) > 0)[:, None]
    moved = replace(run, weights=weights, w=weights[-1])
    assert bounds.mistake_bound(moved, *LECTURE, exact=True).failed == ("update",)


@pytest.mark.parametrize(
    "bad", [{"gamma": np.inf}, {"gamma": np.nan}, {"R": np.inf}, {"R": np.nan}]
)
@pytest.mark.parametrize("exact", [False, True])
def test_a_radius_or_margin_that_is_no_number_is_refused(bad, exact):
    with pytest.raises(ValueError, match=r"it is a radius|gamma must be a (finite )?number"):
        bounds.mistake_bound(perceptron.perceptron(*LECTURE), *LECTURE, exact=exact, **bad)


@pytest.mark.parametrize("exact", [False, True])
def test_no_mistake_on_data_that_u_does_not_separate_proves_no_bound(exact):
    X, y = np.array([[1.0], [-1.0]]), np.array([1.0, 1.0])
    run = perceptron.perceptron(X, y, max_epochs=1)
    idle = replace(
        run,
        mistakes=run.mistakes[:0],
        weights=run.weights[:1],
        w=run.weights[0],
        alpha=0 * run.alpha,
    )
    proof = bounds.mistake_bound(idle, X, y, u=[1.0], exact=exact)
    assert proof.failed == ("positive",)
    assert "NOT proved" in str(proof)


@pytest.mark.parametrize("seed", range(8))
def test_the_seven_lines_on_the_slide_are_the_lines_that_are_judged(seed):
    problem = datasets.separable(30, 3, gamma=0.05, rng=seed)
    run = perceptron.perceptron(problem.X, problem.y)
    judged = bounds.mistake_bound(run, problem.X, problem.y, u=problem.u)
    sides = {line.name: (line.smaller, line.larger) for line in judged.lines}
    written = bounds.seven_lines(run, problem.X, problem.y, problem.u)
    assert len(written) == 7 and len(run.mistakes) > 0
    assert sides.keys() - written.keys() == {"positive", "update"}  # what the proof assumes
    for name, (smaller, larger) in written.items():
        size = np.abs(larger).max() + np.abs(smaller).max()
        np.testing.assert_allclose(smaller, sides[name][0], rtol=0, atol=1e-12 * size)
        np.testing.assert_allclose(larger, sides[name][1], rtol=0, atol=1e-12 * size)
        assert (smaller <= larger + 1e-12 * size).all()


def test_where_a_separator_could_not_be_decided_the_bound_asks_for_u(monkeypatch):
    undecided = replace(margins.max_margin([[1.0], [-1.0]], [1, 1]), converged=False)
    monkeypatch.setattr(bounds, "max_margin", lambda X, y: undecided)
    with pytest.raises(ValueError, match="could not be decided: give u"):
        bounds.mistake_bound(perceptron.perceptron(*LECTURE), *LECTURE)


@pytest.mark.parametrize("scale", [1e-5, 1.0, 1e5])
def test_the_default_u_is_the_best_at_every_scale(scale):
    X, y = datasets.noisy(300, 2, flips=0.1, rng=1)
    run = perceptron.perceptron(X, y, max_epochs=1)
    least = bounds.hinge_mistake_bound(run, X, y).bound
    again = perceptron.perceptron(scale * X, y, max_epochs=1)
    scaled = bounds.hinge_mistake_bound(again, scale * X, y)
    assert again.mistakes.tolist() == run.mistakes.tolist()
    assert scaled.bound == pytest.approx(least, rel=1e-6)
    assert scaled.bound <= 2 * scaled.mistakes  # what u = 0 gives


def test_a_long_run_is_proved_in_floating_point_and_ties_in_fractions():
    problem = datasets.separable(400, 60, gamma=0.02, rng=3)
    run = perceptron.perceptron(problem.X, problem.y)
    long = bounds.mistake_bound(run, problem.X, problem.y, problem.u)
    assert len(run.mistakes) * 60 > 10_000
    assert long.holds
    assert not long.exact
    tight = datasets.orthogonal(16, R=3)
    proof = bounds.mistake_bound(perceptron.perceptron(tight.X, tight.y), tight.X, tight.y)
    assert proof.holds
    assert proof.exact
    assert isinstance(proof.bound, float)


def test_a_tie_that_the_run_rounded_to_the_wrong_side_is_left_open():
    X, y = np.array([[0.1, 0.3], [0.3, -0.1]]), np.array([1.0, 1.0])
    found = set()
    for seed in range(60):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(-3, 4, size=(4, 6)) / 10, rng.choice([-1.0, 1.0], size=4)
        run = perceptron.perceptron(X, y, max_epochs=6)
        for exact in (False, True):
            proof = bounds.hinge_mistake_bound(run, X, y, np.ones(6), exact=exact)
            wrong = false_lines(run, X, y, np.ones(6), hinge=True)
            assert not proof.failed
            assert proof.verdict == ("undecided" if wrong else "proved")
        found.add(proof.verdict)
    assert found == {"proved", "undecided"}
    assert "undecided" in str(proof) or proof.holds


@pytest.mark.parametrize("tiny", [1.0, 2.0**-664])
def test_a_sum_that_rounded_to_0_stays_open_though_its_products_vanish(tiny):
    # In floats the third step ends at w = 0, exactly it ends at 2^-52: a score of 2^-52 tiny^2 > 0.
    near, far = 1 + 2.0**-52, 5.0
    line = np.array([near, -far, far - near, 1.0]) * tiny
    X, y = np.vstack([np.column_stack([line, 0 * line]), [[0.0, 1.0]]]), np.ones(5)
    weights = np.cumsum(np.vstack([[0.0, 0.0], X[:4]]), axis=0)
    run = claimed_run(X, y, np.arange(4), weights)
    assert weights[3, 0] == 0.0
    for exact in (False, True):
        proof = bounds.mistake_bound(run, X, y, [1.0, 1.0], exact=exact)
        assert proof.line("mistake").verdict == "undecided"
        assert proof.line("mistake").first_open == 4
