"""Voted and averaged perceptrons, the fast twins, and options that are refused."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectures_lib import conventions, datasets, fast, margins, perceptron
from lectures_lib.fast.passes import fast_pass
from tests.perceptron.test_perceptron import LECTURE, RUNS, visited, visits
from tests.strategies import (
    integer_examples,
    known_problems,
    passes,
    seeds,
    textbook,
    ties,
)


@given(integer_examples(), ties, visits, st.integers(1, 4), st.sampled_from([0, 1]))
def test_survival_counts_are_those_of_the_pseudo_code(examples, tie, how, epochs, new_count):
    X, y = examples
    how = visited(len(X), how)
    run = perceptron.voted_perceptron(X, y, epochs=epochs, tie=tie, new_count=new_count, **how)
    book = textbook(X, y, passes(len(X), epochs, **how), tie)
    counts = [0]
    for t in range(epochs * len(X)):
        if t in book.rounds:
            counts.append(new_count)
        else:
            counts[-1] += 1
    assert run.counts.tolist() == counts
    assert run.mistakes.tolist() == book.mistakes


@given(integer_examples(), ties, visits, st.integers(1, 4))
def test_counts_add_up_to_the_examples_seen_or_to_those_without_the_mistakes(
    examples, tie, how, epochs
):
    X, y = examples
    options = {"epochs": epochs, "tie": tie, **visited(len(X), how)}
    paper = perceptron.voted_perceptron(X, y, new_count=1, **options)
    slide = perceptron.voted_perceptron(X, y, new_count=0, **options)
    assert paper.counts.sum() == epochs * len(X)
    assert slide.counts.sum() == epochs * len(X) - len(slide.mistakes)
    assert (paper.counts[1:] - slide.counts[1:] == 1).all()
    assert paper.weights.tolist() == slide.weights.tolist()


def test_the_slide_and_the_paper_vote_differently():
    X, y = [[0.0, 0.0], [1.0, 2.0], [-2.0, -2.0]], [1, -1, -1]
    paper = perceptron.voted_perceptron(X, y, new_count=1)
    slide = perceptron.voted_perceptron(X, y, new_count=0)
    assert paper.counts.tolist() == [0, 1, 1, 1]
    assert slide.counts.tolist() == [0, 0, 0, 0]
    assert perceptron.vote(paper, [[-1.0, 1.0]]).tolist() == [-1.0]
    assert perceptron.vote(slide, [[-1.0, 1.0]]).tolist() == [1.0]  # nobody votes: 0 is +1


@given(integer_examples(), st.integers(1, 3))
def test_the_vote_is_the_sign_of_the_weighted_signs(examples, epochs):
    X, y = examples
    run = perceptron.voted_perceptron(X, y, epochs=epochs)
    for x, voted in zip(X, perceptron.vote(run, X)):
        total = sum(c * (1 if w @ x >= 0 else -1) for c, w in zip(run.counts, run.weights))
        assert voted == (1 if total >= 0 else -1)


# The fast passes


@given(
    seeds, st.integers(1, 60), st.integers(1, 7), st.booleans(), st.sampled_from([-1.0, 0.0, 1.0])
)
def test_the_fast_passes_give_the_same_run_to_the_bit(seed, n, d, whole, tie_label):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(n, d)) / 1.0 if whole else rng.normal(size=(n, d))
    y, order, start = (
        rng.choice([-1.0, 1.0], size=n),
        rng.permutation(n),
        rng.integers(-1, 2, d) / 1,
    )
    w, w_fast, w_mean = start.copy(), start.copy(), start.copy()
    total, total_fast, largest = np.zeros(d), np.zeros(d), np.abs(X).max()
    mistakes = perceptron.one_pass(X, y, order, tie_label, w)
    assert fast_pass(X, y, order, tie_label, w_fast, largest)[0].tolist() == mistakes.tolist()
    plain = perceptron.averaged_pass(X, y, order, tie_label, start, total)
    found = fast_pass(X, y, order, tie_label, w_mean, largest, total_fast)
    assert [a.tolist() for a in found] == [a.tolist() for a in plain]
    assert w.tobytes() == w_fast.tobytes() == w_mean.tobytes() == start.tobytes()
    assert total.tobytes() == total_fast.tobytes()


@pytest.mark.parametrize("scale", [1e-150, 1.0, 1e3, 1e150])
def test_scores_near_0_are_decided_as_the_sum_from_left_to_right_decides_them(scale):
    rng = np.random.default_rng(0)
    d, n = 37, 400
    w = rng.normal(size=d) * scale
    X = rng.normal(size=(n, d)) * scale
    X[:, -1] = -(X[:, :-1] / scale @ (w[:-1] / scale)) / (w[-1] / scale) * scale  # w.x is near 0
    y, order, largest = rng.choice([-1.0, 1.0], size=n), np.arange(n), np.abs(X).max()
    left_to_right = np.cumsum(X * w, axis=1)[:, -1]
    other = np.array([math.fsum(row) for row in X * w])
    assert scale != 1.0 or (np.sign(other) != np.sign(left_to_right)).sum() > 20  # it does matter
    for i in order:  # each on its own, from the same w
        one, quick = w.copy(), w.copy()
        here = order[i : i + 1]
        found = perceptron.one_pass(X, y, here, 0.0, one)
        assert fast_pass(X, y, here, 0.0, quick, largest)[0].tolist() == found.tolist()
        assert one.tobytes() == quick.tobytes()


@given(integer_examples(), ties, visits, st.integers(1, 4))
def test_the_fast_perceptrons_are_the_lessons_run(examples, tie, how, epochs):
    X, y = examples
    options = {"tie": tie, **visited(len(X), how)}
    for name in ("w", "mistakes", "alpha", "epoch_mistakes", "converged"):
        quick = fast.perceptron(X, y, max_epochs=epochs, **options)
        plain = perceptron.perceptron(X, y, max_epochs=epochs, **options)
        assert np.array_equal(getattr(quick, name), getattr(plain, name)), name
    for name in ("w", "w_last", "counts", "mistakes", "converged"):
        quick = fast.averaged_perceptron(X, y, epochs=epochs, **options)
        plain = perceptron.averaged_perceptron(X, y, epochs=epochs, **options)
        assert np.array_equal(getattr(quick, name), getattr(plain, name)), name


def test_a_run_makes_its_history_when_it_is_asked_for():
    X, y = datasets.noisy(200, 3, rng=0)
    run = perceptron.perceptron(X, y, max_epochs=3)
    assert "weights" not in vars(run) and "rounded" not in vars(run)
    steps = y[run.mistakes, None] * X[run.mistakes]
    exact = [
        all(Fraction(a) + Fraction(d) == Fraction(b) for a, d, b in zip(before, step, after))
        for before, step, after in zip(run.weights[:-1], steps, run.weights[1:])
    ]
    assert run.rounded.tolist() == [not one for one in exact]
    assert run.weights is run.weights and "weights" in vars(run)


def test_a_history_of_examples_that_have_changed_is_refused():
    X, y = datasets.noisy(50, 2, rng=0)
    run = perceptron.perceptron(X, y, max_epochs=2)
    X *= 2.0
    with pytest.raises(ValueError, match="changed since this run"):
        _ = run.weights


@pytest.mark.parametrize("kind", ["read-only", "by columns", "whole numbers", "every other row"])
def test_examples_of_any_layout_are_neither_copied_in_vain_nor_written_to(kind):
    rng = np.random.default_rng(0)
    X = rng.integers(-3, 4, size=(40, 3)) / 1.0
    y = np.where(X @ [1.0, -2.0, 0.5] + 0.1 > 0, 1, -1)
    forms = {
        "read-only": X.copy(),
        "by columns": np.asfortranarray(X),
        "whole numbers": X.astype(int),
        "every other row": np.repeat(X, 2, axis=0)[::2],
    }
    given_X = forms[kind]
    given_X.flags.writeable = False
    run, same = (perceptron.perceptron(form, y, max_epochs=5, rng=0) for form in (given_X, X))
    assert run.w.tolist() == same.w.tolist() and run.mistakes.tolist() == same.mistakes.tolist()
    assert (given_X == X).all() and X.flags.writeable


# VA-2: averaged


@given(integer_examples(), ties, visits, st.integers(1, 4))
def test_the_average_is_taken_after_each_example_mistaken_or_not(examples, tie, how, epochs):
    X, y = examples
    how = visited(len(X), how)
    run = perceptron.averaged_perceptron(X, y, epochs=epochs, tie=tie, **how)
    after_each = textbook(X, y, passes(len(X), epochs, **how), tie).after_each
    assert run.w.tolist() == (after_each.sum(axis=0) / len(after_each)).tolist()
    assert run.w_last.tolist() == after_each[-1].tolist()


@given(integer_examples(), ties, visits, st.integers(1, 4))
def test_averaged_equals_the_weighted_sum_of_the_voted(examples, tie, how, epochs):
    X, y = examples
    options = {"epochs": epochs, "tie": tie, **visited(len(X), how)}
    running = perceptron.averaged_perceptron(X, y, **options)
    voted = perceptron.voted_perceptron(X, y, **options)
    assert running.w.tolist() == voted.w_average.tolist()
    assert running.counts.tolist() == voted.counts.tolist()
    assert running.mistakes.tolist() == voted.mistakes.tolist()
    assert running.converged == voted.converged
    assert running.w_last.tolist() == voted.w.tolist()


@given(known_problems(), seeds)
def test_both_averages_agree_on_floats(problem, seed):
    options = {"epochs": 3, "rng": seed}
    running = perceptron.averaged_perceptron(problem.X, problem.y, **options).w
    voted = perceptron.voted_perceptron(problem.X, problem.y, **options).w_average
    np.testing.assert_allclose(running, voted, rtol=1e-10, atol=1e-12)


def test_the_famous_wrong_averages_differ_from_ours():
    X, y = LECTURE
    run = perceptron.averaged_perceptron(X, y, epochs=2)
    plain = perceptron.perceptron(X, y, max_epochs=2)
    after_each = textbook(X, y, passes(len(X), 2)).after_each
    wrong = {
        "only at mistakes": plain.weights[1:].mean(axis=0),
        "divided by the updates": after_each.sum(axis=0) / len(plain.mistakes),
        "once per epoch": after_each[len(X) - 1 :: len(X)].mean(axis=0),
        "before each example": np.vstack([0 * X[:1], after_each[:-1]]).mean(axis=0),
        "the last w": plain.w,
    }
    assert [name for name, w in wrong.items() if np.allclose(w, run.w, rtol=1e-6)] == []
    assert np.allclose(after_each.mean(axis=0), run.w, rtol=1e-12)


# Bad input and edges


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
@pytest.mark.parametrize(
    ("options", "advice"),
    [
        ({"order": [0, 0, 1, 2, 3, 4]}, r"permutation of 0, \.\.\., 5"),
        ({"order": [1, 2, 3, 4, 5, 6]}, "permutation"),
        ({"order": [0, 1]}, "permutation"),
        ({"order": np.arange(6.0)}, "permutation"),
        ({"order": range(6), "rng": 0}, "not both"),
        ({"tie": "never"}, "'mistake', 'positive', 'negative'"),
    ],
)
def test_a_wrong_option_is_refused_with_advice(run, options, advice):
    with pytest.raises(ValueError, match=advice):
        run(*LECTURE, **options)


@pytest.mark.parametrize("run", [RUNS[name] for name in ("voted", "averaged")])
@pytest.mark.parametrize("epochs", [0, -1, 1.5, True])
def test_epochs_are_whole_numbers_of_at_least_one(run, epochs):
    with pytest.raises(ValueError, match="epochs must be a whole number >= 1"):
        run(*LECTURE, epochs=epochs)


@pytest.mark.parametrize("new_count", [2, -1, None, "1"])
def test_a_new_hypothesis_counts_zero_or_one(new_count):
    with pytest.raises(ValueError, match="the paper"):
        perceptron.voted_perceptron(*LECTURE, new_count=new_count)


@pytest.mark.parametrize("start", [[1.0], [[0.0, 0.0]], [np.nan, 0], ["a", "b"]])
def test_a_wrong_start_is_refused(start):
    with pytest.raises(ValueError, match="start"):
        perceptron.perceptron(*LECTURE, start=start)


def test_the_start_is_not_modified():
    start = np.array([-5.0, 2.0])
    perceptron.perceptron(*LECTURE, start=start)
    assert start.tolist() == [-5.0, 2.0]


def test_a_second_call_starts_afresh():
    first, second = (perceptron.perceptron(*LECTURE) for _ in range(2))
    assert first.weights.tolist() == second.weights.tolist()
    assert not np.shares_memory(first.w, second.w)


def test_a_run_without_mistakes_has_empty_lists():
    run = perceptron.perceptron([[1.0]], [1], tie="positive")
    assert run.mistakes.size == 0
    assert run.weights.tolist() == [[0.0]]
    assert run.epochs == 1
    assert perceptron.voted_perceptron([[1.0]], [1], tie="positive").counts.tolist() == [1]


def test_weights_that_return_because_a_step_was_rounded_away_prove_no_cycle():
    X = np.array([[-3.0, 2e16], [0.0, -1.0], [-1e15, 1.0]])
    run = perceptron.perceptron(X, np.ones(3), max_epochs=50)
    assert margins.max_margin(X, np.ones(3), exact=True).separable
    assert not run.converged
    assert run.rounded.any()
    assert perceptron.find_cycle(run) is None


@pytest.mark.parametrize("seed", range(40))
def test_converged_is_said_of_exact_scores_and_not_of_rounded_ones(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-3, 4, size=(4, 5)) / 10, rng.choice([-1.0, 1.0], size=4)
    for tie in ("mistake", "positive", "negative"):
        run = perceptron.perceptron(X, y, tie=tie, max_epochs=30)
        w = [Fraction(v) for v in run.w.tolist()]
        exact = [sum(a * Fraction(v) for a, v in zip(w, x)) for x in X.tolist()]
        right = [not conventions.is_mistake(float(s > 0) - float(s < 0), v, tie)
                 for s, v in zip(exact, y)]  # fmt: skip
        assert not run.converged or all(right)


@pytest.mark.parametrize("seed", [46, 98, 444])  # their last pass is clean in floats alone
@pytest.mark.parametrize(
    "run_of",
    [perceptron.voted_perceptron, perceptron.averaged_perceptron, fast.averaged_perceptron],
)
def test_a_clean_pass_by_rounded_scores_is_not_called_converged(run_of, seed):
    rng = np.random.default_rng(seed)
    X, y = rng.integers(-3, 4, size=(4, 5)) / 10, rng.choice([-1.0, 1.0], size=4)
    run = run_of(X, y, tie="negative", epochs=30)
    w = [Fraction(v) for v in getattr(run, "w_last", run.w).tolist()]
    exact = [sum(a * Fraction(v) for a, v in zip(w, x)) for x in X.tolist()]
    wrong = [conventions.is_mistake(float(s > 0) - float(s < 0), v, "negative")
             for s, v in zip(exact, y)]  # fmt: skip
    assert run.counts[-1] >= len(y)  # nobody was mistaken in the last pass
    assert any(wrong)
    assert not run.converged
