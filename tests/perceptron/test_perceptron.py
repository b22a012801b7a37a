"""The perceptron, plain, voted and averaged, against the pseudo-code of the lectures."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectures_lib import conventions, datasets, margins, perceptron
from tests.strategies import (
    TIES,
    integer_examples,
    known_problems,
    passes,
    seeds,
    separable_integers,
    textbook,
    ties,
)

LECTURE = datasets.lecture_example()
XOR = (conventions.add_constant(datasets.xor()[0]), datasets.xor()[1])
RUNS = {
    "plain": perceptron.perceptron,
    "voted": perceptron.voted_perceptron,
    "averaged": perceptron.averaged_perceptron,
}
#: How the examples are visited: as given, in a fixed order, or shuffled anew each pass.
visits = st.one_of(st.just({}), seeds.map(lambda s: {"rng": s}), st.just({"order": "reversed"}))


def visited(n, how):
    return {"order": np.arange(n)[::-1]} if how.get("order") == "reversed" else how


# PE-1, PE-2: the algorithm


@pytest.mark.parametrize("tie", ["positive", "mistake"])
def test_the_worked_example_errs_on_1_3_5_and_w_goes_as_on_the_slide(tie):
    run = perceptron.perceptron(*LECTURE, max_epochs=1, tie=tie)
    assert (run.mistakes + 1).tolist() == [1, 3, 5]
    assert run.weights.tolist() == [[0, 0], [1, -2], [2, -1], [3, 1]]


def test_the_worked_example_is_separated_after_one_pass():
    run = perceptron.perceptron(*LECTURE)
    assert run.converged
    assert run.epoch_mistakes.tolist() == [3, 0]
    assert run.w.tolist() == [3, 1]


@given(integer_examples(), ties, visits, st.integers(1, 5))
def test_the_run_is_the_pseudo_code_step_for_step(examples, tie, how, epochs):
    X, y = examples
    how = visited(len(X), how)
    run = perceptron.perceptron(X, y, max_epochs=epochs, tie=tie, **how)
    mistakes, _, after_each = textbook(X, y, passes(len(X), run.epochs, **how), tie)
    assert run.mistakes.tolist() == mistakes
    assert run.w.tolist() == after_each[-1].tolist()
    assert run.epoch_mistakes.sum() == len(mistakes)
    assert run.converged == (run.epoch_mistakes[-1] == 0)
    assert run.converged or run.epochs == epochs
    assert (run.epoch_mistakes[:-1] > 0).all()


@given(integer_examples(), ties, seeds)
def test_one_pass_visits_every_example_once(examples, tie, seed):
    run = perceptron.perceptron(*examples, max_epochs=1, tie=tie, rng=seed)
    assert run.epochs == 1
    assert run.alpha.max() <= 1


def test_a_generator_goes_on_where_a_seed_starts_again():
    problem = datasets.separable(30, rng=0)
    rng = np.random.default_rng(5)
    first, second = (perceptron.perceptron(problem.X, problem.y, rng=rng) for _ in range(2))
    again = perceptron.perceptron(problem.X, problem.y, rng=5)
    assert first.mistakes.tolist() == again.mistakes.tolist() != second.mistakes.tolist()


# PE-3, PE-4: what the weights are, what an update does


@given(integer_examples(), ties, st.integers(1, 8))
def test_w_is_the_sum_of_the_mistaken_examples_and_counts_add_up(examples, tie, epochs):
    X, y = examples
    run = perceptron.perceptron(X, y, max_epochs=epochs, tie=tie)
    assert run.w.tolist() == ((run.alpha * y) @ X).tolist()
    assert run.alpha.tolist() == [run.mistakes.tolist().count(i) for i in range(len(X))]
    assert run.alpha.sum() == len(run.mistakes)


@given(integer_examples(), ties, st.integers(1, 8))
def test_an_update_raises_y_w_x_by_the_squared_norm_of_x(examples, tie, epochs):
    X, y = examples
    run = perceptron.perceptron(X, y, max_epochs=epochs, tie=tie)
    x, label = X[run.mistakes], y[run.mistakes]
    before, after = ((w * x).sum(axis=1) * label for w in (run.weights[:-1], run.weights[1:]))
    assert (after - before).tolist() == (x * x).sum(axis=1).tolist()


def test_an_update_need_not_correct_the_example():
    run = perceptron.perceptron([[3.0], [1.0]], [1, -1], max_epochs=1)
    assert run.mistakes.tolist() == [0, 1]
    assert -1.0 * (run.w @ [1.0]) < 0  # still wrong about the second


@given(integer_examples(), st.integers(1, 6))
def test_the_history_starts_at_the_start_and_ends_at_w_bit_for_bit(examples, epochs):
    X, y = examples[0] / 10, examples[1]
    start = np.full(X.shape[1], 0.1)
    run = perceptron.perceptron(X, y, max_epochs=epochs, start=start)
    assert run.weights[0].tolist() == start.tolist()
    assert run.weights[-1].tolist() == run.w.tolist()
    assert len(run.weights) == len(run.mistakes) + 1


# PE-5: when it stops


@given(separable_integers())
def test_cycling_separates_within_the_promised_passes(problem):
    X, y, u = problem
    promised = (X * X).sum(axis=1).max() * (u @ u) / min(y * (X @ u)) ** 2
    run = perceptron.perceptron(X, y, max_epochs=int(promised) + 1)
    assert run.converged
    assert margins.set_margin(run.w, X, y) > 0


@given(integer_examples(), st.integers(1, 20))
def test_converged_means_every_example_is_strictly_on_its_side(examples, epochs):
    X, y = examples
    run = perceptron.perceptron(X, y, max_epochs=epochs)
    assert not run.converged or min(y * (X @ run.w)) > 0


NEVER_SEPARABLE = {
    "xor": XOR,
    "xor without offset": datasets.xor(),
    "one point, both labels": ([[2.0, 1.0], [2.0, 1.0]], [1, -1]),
    "three on a line": (conventions.add_constant([[0.0], [1.0], [2.0]]), [1, -1, 1]),
    "a point at the origin": ([[0.0, 0.0], [1.0, 2.0]], [1, -1]),
}


@pytest.mark.parametrize("name", NEVER_SEPARABLE)
@pytest.mark.parametrize("order", ["given", "reversed"])
def test_without_a_separator_the_weights_return_and_it_never_stops(name, order):
    X, y = (np.array(part, dtype=float) for part in NEVER_SEPARABLE[name])
    order = np.arange(len(X)) if order == "given" else np.arange(len(X))[::-1]
    run = perceptron.perceptron(X, y, max_epochs=200, order=order)
    cycle = perceptron.find_cycle(run)
    assert not run.converged
    assert cycle is not None
    mistakes, _, after_each = textbook(X, y, [order] * cycle.period, start=cycle.weights[0])
    assert mistakes  # it errs on the way round ...
    assert after_each[-1].tolist() == cycle.weights[0].tolist()  # ... and comes back
    assert cycle.weights[-1].tolist() == cycle.weights[0].tolist()
    visited = [cycle.weights[0].tolist(), *after_each.tolist()]
    assert {tuple(w) for w in visited} == {tuple(w) for w in cycle.weights.tolist()}
    assert not margins.max_margin(X, y).separable


@given(separable_integers())
def test_a_run_that_stops_has_no_cycle(problem):
    X, y, _ = problem
    run = perceptron.perceptron(X, y, max_epochs=2000)
    assert run.converged
    assert perceptron.find_cycle(run) is None


def test_a_run_cut_short_shows_no_cycle_yet():
    assert perceptron.find_cycle(perceptron.perceptron(*LECTURE, max_epochs=1)) is None


def test_shuffled_passes_prove_no_cycle():
    run = perceptron.perceptron(*XOR, max_epochs=50, rng=0)
    with pytest.raises(ValueError, match="equal futures"):
        perceptron.find_cycle(run)


# PE-6: order and start


def test_the_answer_depends_on_the_order():
    X, y = LECTURE
    answers = {
        tuple(perceptron.perceptron(X, y, order=order).w) for order in passes(len(X), 20, rng=0)
    }
    assert len(answers) > 1
    assert all(margins.set_margin(w, X, y) > 0 for w in answers)  # all of them consistent


def test_the_answer_depends_on_the_start():
    X, y = LECTURE
    runs = [perceptron.perceptron(X, y, start=start) for start in ([0, 0], [0, 7])]
    assert all(run.converged for run in runs)
    assert len({tuple(run.w) for run in runs}) == 2


def test_a_bad_order_can_cost_many_more_passes_than_a_random_one():
    X = np.array([[1.0, k / 10] for k in range(-10, 11)])
    y = np.where(X[:, 1] > 0.05, 1.0, -1.0)
    sorted_run = perceptron.perceptron(X, y)
    shuffled = [perceptron.perceptron(X, y, rng=seed).epochs for seed in range(20)]
    assert np.median(shuffled) < sorted_run.epochs


# PE-7: early stopping


@given(integer_examples(min_n=3), integer_examples(max_d=1), st.integers(1, 4), seeds)
def test_early_stopping_keeps_the_first_best_pass_on_held_out_data(train, held, patience, seed):
    (X, y), (X_held, y_held) = train, held
    X_held = np.repeat(X_held, X.shape[1], axis=1)
    stop = perceptron.early_stopping(
        X, y, X_held, y_held, max_epochs=12, patience=patience, rng=seed
    )
    after_each = textbook(X, y, passes(len(X), stop.epochs, rng=seed)).after_each
    ends = np.vstack([np.zeros(X.shape[1]), after_each[len(X) - 1 :: len(X)]])
    errors = [np.mean(np.where(X_held @ w >= 0, 1, -1) != y_held) for w in ends]
    assert stop.held_out_errors.tolist() == errors
    assert stop.best_epoch == int(np.argmin(errors))
    assert stop.w.tolist() == ends[stop.best_epoch].tolist()
    clean = min(y * (X @ ends[-1])) > 0
    assert stop.epochs - stop.best_epoch == patience or stop.epochs == 12 or clean


def test_early_stopping_can_beat_the_last_pass_on_held_out_data():
    X, y = datasets.noisy(60, 3, flips=0.2, rng=3)
    X_held, y_held = datasets.noisy(60, 3, flips=0.2, rng=4)
    stop = perceptron.early_stopping(X, y, X_held, y_held, patience=20)
    assert stop.held_out_errors[stop.best_epoch] < stop.held_out_errors[-1]


# PE-8: scaling


@given(known_problems(), st.integers(-20, 20), ties)
def test_scaling_all_points_by_a_power_of_two_changes_no_mistake(problem, power, tie):
    X, y, c = problem.X, problem.y, 2.0**power
    plain = perceptron.perceptron(X, y, max_epochs=30, tie=tie)
    scaled = perceptron.perceptron(c * X, y, max_epochs=30, tie=tie)
    assert plain.mistakes.tolist() == scaled.mistakes.tolist()
    assert (c * plain.weights).tolist() == scaled.weights.tolist()


@given(integer_examples(), ties)
def test_scaling_whole_numbers_by_a_hundred_changes_no_mistake(examples, tie):
    X, y = examples
    runs = [perceptron.perceptron(c * X, y, max_epochs=9, tie=tie) for c in (1, 100)]
    assert runs[0].mistakes.tolist() == runs[1].mistakes.tolist()


# PE-9: ties


def test_the_three_tie_rules_are_three_algorithms():
    X = np.array([[-2.0, 1.0], [0.0, 1.0], [-1.0, -2.0], [1.0, -2.0]])
    y = np.array([1.0, 1.0, -1.0, -1.0])
    runs = {tie: perceptron.perceptron(X, y, tie=tie) for tie in TIES}
    assert {tie: run.mistakes.tolist() for tie, run in runs.items()} == {
        "mistake": [0, 2],
        "positive": [2],
        "negative": [0],
    }
    assert len({tuple(run.w) for run in runs.values()}) == 3
    assert all(run.converged for run in runs.values())


def test_under_a_sparing_rule_converged_need_not_mean_a_positive_margin():
    run = perceptron.perceptron([[1.0], [2.0]], [1, 1], tie="positive")
    assert run.converged
    assert not run.w.any()


# PE-10: not the largest margin


def test_the_perceptron_stops_short_of_the_largest_margin():
    X, y = LECTURE
    found = margins.set_margin(perceptron.perceptron(X, y).w, X, y)
    assert 0 < found < 0.9 * margins.max_margin(X, y).gamma


@given(known_problems())
def test_the_perceptron_never_exceeds_the_largest_margin(problem):
    run = perceptron.perceptron(problem.X, problem.y, max_epochs=2000)
    assert run.converged
    assert margins.set_margin(run.w, problem.X, problem.y) <= problem.gamma * (1 + 1e-9)


# PE-11: applications


@given(seeds, st.integers(2, 10))
def test_a_branch_predictor_errs_at_most_three_times_its_inputs(seed, history):
    X, y = datasets.branch_trace(150, history=history, rng=seed)
    run = perceptron.perceptron(X, y)
    assert run.converged
    assert len(run.mistakes) <= 3 * (history + 1)  # R^2 = history + 1, gamma = 1 / sqrt(3)


def test_a_branch_on_xor_defeats_the_predictor_for_ever():
    X, y = datasets.branch_trace(60, rule="xor", history=2)
    run = perceptron.perceptron(X, y, max_epochs=500)
    assert not run.converged
    assert perceptron.find_cycle(run) is not None


def test_pictures_of_two_digits_are_separated_in_pixel_representation():
    X, y = datasets.digits(0, 1)
    run = perceptron.perceptron(X, y)
    assert run.converged
    assert (perceptron.predict(run.w, X) == y).all()


# PE-12: layers


def test_two_perceptrons_and_a_third_compute_xor():
    X, y = datasets.xor()
    hidden = perceptron.layer(X, [[1, 1, 1], [-1, -1, 1]])  # x1 or x2; not both
    assert perceptron.layer(hidden, [[1, 1, -1]])[:, 0].tolist() == y.tolist()
    assert not margins.max_margin(X, y, offset=True).separable  # one cannot


@pytest.mark.parametrize("seed", range(5))
def test_a_random_layer_makes_xor_learnable(seed):
    X, y = datasets.xor()
    hidden = perceptron.layer(X, np.random.default_rng(seed).normal(size=(30, 3)))
    features = conventions.add_constant(hidden)
    run = perceptron.perceptron(features, y)
    assert run.converged
    assert perceptron.predict(run.w, features).tolist() == y.tolist()


def test_a_layer_needs_an_offset_for_each_perceptron():
    with pytest.raises(ValueError, match="d weights and b"):
        perceptron.layer(np.ones((2, 2)), np.ones((3, 2)))


# VA-1: voted
