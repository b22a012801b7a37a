"""An answer that takes too long, too much or asks too often is stopped, kindly."""

import itertools
import sys
import time
import types

import numpy as np
import pytest

from lectures_lib import exercises
from lectures_lib.exercises import limits
from tests.exercises.test_exercise_answers import each

# --- limits --------------------------------------------------------------------------------------


def until_they_meet(possible, low, high):
    while high - low > 0:
        middle = (low + high) / 2
        low, high = (middle, high) if possible(middle) else (low, middle)
    return low


def test_a_search_without_end_is_stopped_after_a_thousand_questions():
    said = exercises.judge("search", until_they_meet).message
    assert "was stopped, because it asked 1,000 questions: when does it stop?" in said


def without_end(w, x, y):
    while True:
        w = w + 0


def without_end_in_one_line(w, x, y):
    return [v for v in itertools.count() if v < 0]


def hiding(w, x, y):
    try:
        return without_end(w, x, y)
    except Exception:
        return w


def calling(w, x, y):
    return calling(w, x, y) if len(w) else w


@pytest.mark.parametrize("answer", [without_end, without_end_in_one_line, hiding])
def test_a_loop_without_end_is_stopped(answer, monkeypatch):
    monkeypatch.setattr(limits, "LINES", 20_000)
    said = exercises.judge("update", answer).message
    assert "your function was stopped, because it has taken 20,000 steps" in said
    assert "It was given w = np.array([0.0, 0.0])" in said


def test_a_slow_answer_is_stopped_by_the_processors_clock(monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0.2)
    start = time.process_time()
    assert "has worked for 0.2 seconds" in exercises.judge("update", without_end).message
    assert time.process_time() - start < 5


def doubling(w, x, y):
    held = [1.0]
    while True:
        held = held + held


def hoarding(w, x, y):
    held = []
    while True:
        held.append(np.ones(200_000))


@pytest.mark.parametrize("answer", [doubling, hoarding])
def test_an_answer_that_grows_is_stopped_before_the_machine_is_full(answer, monkeypatch):
    monkeypatch.setattr(limits, "MEGABYTES", 60)
    assert "it holds more than 60 MB" in exercises.judge("update", answer).message


def test_growth_is_seen_where_nobody_says_how_much_the_process_holds(monkeypatch):
    monkeypatch.setattr(limits, "_peak", lambda: 0.0)
    monkeypatch.setattr(limits, "MEGABYTES", 60)
    assert "it holds more than 60 MB" in exercises.judge("update", doubling).message


def test_endless_recursion_is_told_as_pythons_own_error():
    assert "RecursionError" in exercises.judge("update", calling).message


def test_a_tracer_that_is_at_work_is_left_alone_and_given_back():
    import sys

    seen = []

    def tracer(frame, event, arg):
        seen.append(event)

    sys.settrace(tracer)
    try:
        with limits.limited():
            assert sys.gettrace() is tracer
    finally:
        sys.settrace(None)
    with limits.limited():
        assert sys.gettrace() is not None
    assert sys.gettrace() is None


# --- the input can be pasted back ----------------------------------------------------------------


def test_the_input_of_a_message_can_be_pasted_back_and_last_returns_it(capsys):
    exercises.check("margin", lambda w, x, y: 0.0)
    said, given = capsys.readouterr().out, exercises.last()
    assert said.endswith("(`exercises.last()` returns this input.)\n")
    line = said.partition("Given ")[2].partition("\n")[0]
    pasted = eval(f"dict({line})", {"np": np})
    assert pasted.keys() == given.keys()
    for name, value in given.items():
        np.testing.assert_array_equal(pasted[name], value)
    exercises.check("margin", lambda w, x, y: y * (w @ x) / np.linalg.norm(w))
    assert exercises.last() == {}


@each
def test_every_input_can_be_pasted_back_or_is_returned_by_last(solution):
    calls = []

    def spy(*args):
        calls.append(args)
        return solution.answer()(*args)

    exercises.judge(solution.exercise, spy)
    said = exercises.judge(solution.exercise, lambda *args: "no number")
    if calls[0] and solution.exercise != "word":
        assert said.inputs
        assert len(said.inputs) == len(calls[0])
        assert "for X" in said.message or all(f"{name} = " in said.message for name in said.inputs)


def test_a_check_works_where_nobody_says_how_much_memory_is_used(monkeypatch):
    empty = types.ModuleType("resource")  # as in the browser: there, and empty
    monkeypatch.setitem(sys.modules, "resource", empty)
    assert limits._peak() == 0.0
