"""Runs that lie about their mistakes are refused by the line that they break."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given

from lectures_lib import bounds, datasets, margins, perceptron
from tests.bounds.test_bounds import LECTURE, by_hand
from tests.strategies import (
    claimed_run,
    separable_integers,
    textbook,
)


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
