"""Branches: programs that do what they say, histories that are histories, predictors as claimed."""

import bisect
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectures_lib import bounds, branches, margins, online, perceptron

NUMBERS = st.lists(st.integers(-9, 9), max_size=12)


def searches(n: int, runs: int = 200, rng: int = 0) -> branches.Tape:
    """Record binary searches among 2^n - 1 values: n rounds each, whatever is searched for."""
    tape, draw = branches.Tape(), np.random.default_rng(rng)
    values = sorted(draw.integers(0, 1000, 2**n - 1).tolist())
    for x in draw.integers(0, 1000, runs).tolist():
        branches.binary_search(values, x, tape)
    return tape


# --- programs ------------------------------------------------------------------------------------


@given(NUMBERS)
def test_the_sort_sorts_and_takes_its_loop_once_for_each_inversion(values):
    tape = branches.Tape()
    assert branches.insertion_sort(values, tape) == sorted(values)
    inversions = sum(a > b for i, a in enumerate(values) for b in values[i + 1 :])
    larger = [t for name, t in zip(tape.names, tape.taken) if name == "left one is larger"]
    assert sum(larger) == inversions


@given(NUMBERS, st.integers(-10, 10))
def test_the_search_finds_the_place_that_bisect_finds(values, x):
    values = sorted(values)
    assert branches.binary_search(values, x, branches.Tape()) == bisect.bisect_left(values, x)


@given(st.text("ab", max_size=20), st.text("ab", min_size=1, max_size=4))
def test_every_place_of_a_pattern_is_found(text, pattern):
    found = branches.find_all(text, pattern, branches.Tape())
    assert found == [m.start() for m in re.finditer(f"(?={pattern})", text)]


def test_a_tape_returns_what_it_is_given_and_writes_it_down():
    tape = branches.Tape()
    assert [tape("a", 3 > 2), tape("b", []), tape("a", "x")] == [True, False, True]
    assert (tape.names, tape.taken, len(tape)) == (["a", "b", "a"], [True, False, True], 3)


# --- rounds --------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.sampled_from("pq"), st.booleans()), min_size=1), st.integers(0, 6))
def test_a_round_holds_the_last_outcomes_of_any_branch_and_a_constant(steps, h):
    tape = branches.Tape()
    for name, taken in steps:
        tape(name, taken)
    rounds = branches.rounds(tape, h)
    assert list(rounds) == list(dict.fromkeys(name for name, _ in steps))
    for name, (X, y) in rounds.items():
        at = [i for i, step in enumerate(steps) if step[0] == name]
        assert X.shape == (len(at), h + 1)
        assert (X[:, -1] == 1).all()
        for row, label, i in zip(X, y, at):
            before = [steps[k][1] if k >= 0 else False for k in range(i - h, i)]
            assert row[:-1].tolist() == [1.0 if taken else -1.0 for taken in before]
            assert label == (1.0 if steps[i][1] else -1.0)


def test_an_empty_tape_and_a_negative_history_are_refused():
    with pytest.raises(ValueError, match="The tape is empty: run a program"):
        branches.rounds(branches.Tape(), 3)
    with pytest.raises(ValueError, match="h must be a whole number >= 0"):
        branches.rounds(searches(2, 1), -1)


# --- predictors ----------------------------------------------------------------------------------


def test_the_counter_is_the_table_of_its_states():
    after = {(s, y): None for s in range(4) for y in (1.0, -1.0)}
    for state, y in after:
        counter = branches.TwoBitCounter()
        counter.state = state
        assert counter.predict(np.ones(1)) == (1.0 if state in (2, 3) else -1.0)
        counter.update(np.ones(1), y)
        after[state, y] = counter.state
    assert [after[s, 1.0] for s in range(4)] == [1, 2, 3, 3]
    assert [after[s, -1.0] for s in range(4)] == [0, 0, 1, 2]


def test_one_odd_outcome_costs_the_counter_one_mistake_and_alternation_all():
    steady = np.array([1.0] * 5 + [-1.0] + [1.0] * 5)
    turns = np.array([-1.0, 1.0] * 6)
    for y, wrong in ((steady, [5]), (turns, list(range(12)))):
        game = online.play(
            branches.TwoBitCounter(), online.FixedSequence(np.ones((len(y), 1)), y), len(y)
        )
        assert game.mistakes.tolist() == wrong


@pytest.mark.parametrize("h", [0, 3, 8])
def test_with_threshold_0_the_hardware_perceptron_is_L2_s(h):
    for X, y in branches.rounds(searches(4, 40), h).values():
        hardware = branches.HardwarePerceptron(h + 1, threshold=0)
        lecture = online.PerceptronLearner(h + 1, tie="mistake")
        games = [online.play(p, online.FixedSequence(X, y), len(y)) for p in (hardware, lecture)]
        assert np.array_equal(games[0].predictions, games[1].predictions)
        assert np.array_equal(hardware.w, lecture.w)


@pytest.mark.parametrize(("h", "threshold"), [(0, 14), (12, 37), (28, 68), (59, 127), (100, 207)])
def test_the_threshold_is_the_published_formula_rounded_down(h, threshold):
    assert branches.HardwarePerceptron(h + 1).threshold == threshold


def test_a_history_table_learns_xor_and_no_perceptron_does():
    tape, rng = branches.Tape(), np.random.default_rng(1)
    for a, b in rng.integers(0, 2, size=(200, 2)):
        tape("a", a)
        tape("b", b)
        tape("differ", a != b)
    wrong = {
        make: len(branches.games(tape, 2, make)["differ"].mistakes)
        for make in (branches.HistoryTable, online.PerceptronLearner, branches.HardwarePerceptron)
    }
    assert wrong.pop(branches.HistoryTable) <= 4  # at most one for each history
    assert min(wrong.values()) > 50
    assert not margins.max_margin(*branches.rounds(tape, 2)["differ"]).separable


def test_the_mistakes_of_a_run_are_those_of_its_branches():
    tape = searches(3, 20)
    games = branches.games(tape, 4, branches.HistoryTable)
    assert sum(len(g.y) for g in games.values()) == len(tape)
    total = branches.mistakes(tape, 4, branches.HistoryTable)
    assert total == sum(len(g.mistakes) for g in games.values()) > 0


# --- the loop of n rounds ------------------------------------------------------------------------


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_the_exit_of_a_loop_is_separable_from_the_history_that_holds_the_last_exit(n):
    tape = searches(n)
    X, y = branches.rounds(tape, 2 * n)["not found yet"]
    rows = {}
    for x, label in zip(X, y):
        rows.setdefault(x.tobytes(), set()).add(label)
    assert any(len(labels) == 2 for labels in rows.values())  # one history, both outcomes
    X, y = branches.rounds(tape, 2 * n + 1)["not found yet"]
    assert margins.max_margin(X, y).separable


@given(st.integers(1, 5), st.lists(st.integers(-1, 40), min_size=1, max_size=12))
def test_three_weights_predict_every_loop_of_n_rounds_with_margin_one_over_root_three(n, wanted):
    tape = branches.Tape()
    for x in wanted:
        branches.binary_search(list(range(2**n - 1)), x, tape)
    X, y = branches.rounds(tape, 2 * n + 1)["not found yet"]
    assert (y * (X[:, 0] - X[:, 1] + 1) >= 1).all()


@pytest.mark.parametrize("h", [13, 16, 24])
def test_the_perceptron_keeps_its_bound_where_a_counter_errs_at_every_exit(h):
    tape = searches(6)
    X, y = branches.rounds(tape, h)["not found yet"]
    best = margins.max_margin(X, y)
    bound = (h + 1) / best.gamma**2
    game = branches.games(tape, h, online.PerceptronLearner)["not found yet"]
    assert best.separable
    assert len(game.mistakes) <= bound < 200
    assert len(branches.games(tape, h, branches.TwoBitCounter)["not found yet"].mistakes) == 200
    run = perceptron.perceptron(X, y, tie="positive", max_epochs=1)
    assert np.array_equal(run.mistakes, game.mistakes)
    assert bounds.mistake_bound(run, X, y, exact=True).holds


def test_a_longer_history_is_worse_for_the_table_and_not_for_the_perceptron():
    wrong = {
        (make, h): len(branches.games(searches(6), h, make)["not found yet"].mistakes)
        for make in (branches.HistoryTable, online.PerceptronLearner)
        for h in (13, 32)
    }
    assert wrong[branches.HistoryTable, 32] > 3 * wrong[branches.HistoryTable, 13]
    assert wrong[online.PerceptronLearner, 32] <= 15
