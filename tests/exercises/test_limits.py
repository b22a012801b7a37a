"""An answer that takes too long, too much or asks too often is stopped, kindly."""

import itertools
import math
import re
import signal
import sys
import threading
import time
import types
from itertools import cycle
from time import sleep as nap

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


# --- what hides from a count of lines ------------------------------------------------------------


def on_one_line(w, x, y):
    while True: pass  # fmt: skip # noqa: E701


def past_a_bare_except(w, x, y):
    while True:
        try: w = w + 0  # fmt: skip # noqa: E701
        except: pass  # fmt: skip # noqa: E701, E722


def past_two_bare_excepts(w, x, y):
    while True:
        try:
            while True:
                try:
                    w = w + 0
                except:  # noqa: E722
                    continue
        except:  # noqa: E722
            w = w + 1


@pytest.mark.parametrize("answer", [on_one_line, past_a_bare_except, past_two_bare_excepts])
def test_a_loop_that_swallows_every_exception_is_stopped(answer, monkeypatch):
    monkeypatch.setattr(limits, "LINES", 20_000)
    said = exercises.judge("update", answer).message
    assert "your function was stopped, because it has taken 20,000 steps" in said
    assert sys.gettrace() is None


ENDLESS = {
    "sum": lambda w, x, y: sum(itertools.count()),
    "max": lambda w, x, y: max(itertools.cycle([1, 2])),
    "in": lambda w, x, y: 0.5 in itertools.count(),
    "any": lambda w, x, y: any(itertools.repeat(0)),
    "imported by name": lambda w, x, y: sum(cycle([0])),
    "a map": lambda w, x, y: sum(map(abs, itertools.count())),
    "a long range": lambda w, x, y: sum(range(10**12)),
    "a range backwards": lambda w, x, y: max(range(10**12, 0, -1)),
    "every order": lambda w, x, y: max(itertools.permutations(range(30))),
    "every choice": lambda w, x, y: min(itertools.combinations(range(60), 30)),
    "every product": lambda w, x, y: sum(map(len, itertools.product([1, -1], repeat=60))),
}


@pytest.mark.parametrize("answer", ENDLESS.values(), ids=ENDLESS)
def test_an_endless_iterator_is_counted_where_c_asks_it(answer, monkeypatch):
    monkeypatch.setattr(limits, "LINES", 20_000)
    before = itertools.count, itertools.cycle, itertools.repeat, cycle
    said = exercises.judge("update", answer).message
    assert "your function was stopped, because it has taken 20,000 steps" in said
    assert (itertools.count, itertools.cycle, itertools.repeat, cycle) == before


def test_iterators_that_end_and_are_asked_by_hand_work_as_ever():
    def lift(w, w0, x):
        numbers = itertools.count(5, 2)
        assert [next(numbers), next(numbers)] == [5, 7]
        assert list(itertools.repeat("a", 2)) == ["a", "a"]
        assert list(itertools.islice(itertools.cycle("ab"), 3)) == ["a", "b", "a"]
        return np.append(w, w0), np.append(x, 1.0)

    assert exercises.judge("lift", lift).passed


def test_a_long_range_is_still_a_range():
    def lift(w, w0, x):
        assert [len(range(10**10)), range(10**10)[7], range(10**10)[-1]] == [10**10, 7, 10**10 - 1]
        assert 5 in range(10**10) and -5 not in range(10**10)
        assert next(iter(range(3, 10**10))) == 3
        assert type(range(9)) is type(range_outside)
        return np.append(w, w0), np.append(x, 1.0)

    range_outside = range(9)
    assert exercises.judge("lift", lift).passed
    assert "range" not in globals()


def test_a_range_of_ones_own_stays_ones_own():
    own = {"np": np}
    exec("def range(n): return [7]\ndef f(w, w0, x): return range(3), w0", own)
    assert "the first value you return, w~, is [7]" in exercises.judge("lift", own["f"]).message
    assert own["range"](1) == [7]


@pytest.mark.skipif(not hasattr(signal, "SIGVTALRM"), reason="no such signal")
@pytest.mark.parametrize(
    "answer",
    [
        lambda w, x, y: re.match("(a+)+$", "a" * 40 + "b"),
        lambda w, x, y: 3**10**8,
        lambda w, x, y: math.factorial(10**7),
    ],
    ids=["a regular expression", "a power", "a factorial"],
)
def test_one_call_that_looks_at_signals_is_stopped_by_the_timer(answer, monkeypatch):
    monkeypatch.setattr(limits, "SECONDS", 0.2)
    before, start = signal.getsignal(signal.SIGVTALRM), time.process_time()
    assert "has worked for 0.2 seconds" in exercises.judge("update", answer).message
    assert time.process_time() - start < 5
    assert signal.getsignal(signal.SIGVTALRM) is before
    assert signal.getitimer(signal.ITIMER_VIRTUAL)[0] == 0


def test_in_another_thread_nothing_rings_and_the_check_works(monkeypatch):
    from concurrent.futures import ThreadPoolExecutor

    monkeypatch.setattr(limits, "LINES", 20_000)
    with ThreadPoolExecutor(1) as pool:
        said = pool.submit(exercises.judge, "update", without_end_in_one_line).result()
    assert "it has taken 20,000 steps" in said.message


def test_who_waits_for_one_long_call_is_told_why(monkeypatch, capsys):
    monkeypatch.setattr(limits, "PATIENCE", 0.05)
    waited = threading.Event()

    def slow(w, x, y):  # as numpy does, it leaves others to work meanwhile
        waited.wait(0.5)
        return w

    exercises.judge("update", slow)
    assert "This takes more than 0.05 seconds." in capsys.readouterr().out


def test_a_quick_answer_leaves_no_thread_behind_and_nothing_to_say(capsys):
    before = set(threading.enumerate())
    exercises.judge("update", lambda w, x, y: w)
    for thread in set(threading.enumerate()) - before:
        thread.join(5)
        assert not thread.is_alive()
    assert capsys.readouterr().out == ""


def all_labellings(X):
    return np.array([*itertools.repeat([-1, 1], 1)] * (len(X) << 28))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits what a process may ask for")
@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        ("hard labels", all_labellings),
        ("update", lambda w, x, y: list(range(10**12))),
        ("update", lambda w, x, y: [0.0] * 10**9),
        ("update", lambda w, x, y: np.ones(10**9)),
        ("update", lambda w, x, y: "a" * 10**10),
    ],
)
def test_one_call_that_fills_the_memory_is_stopped_before_it_does(exercise, answer, monkeypatch):
    monkeypatch.setattr(limits, "ROOM", 400)
    before = resource_limit()
    assert "it holds more than 500 MB" in exercises.judge(exercise, answer).message
    assert resource_limit() == before


def resource_limit():
    import resource

    return resource.getrlimit(resource.RLIMIT_AS)


def test_a_number_that_grows_without_end_is_stopped():
    def squaring(w, x, y):
        power = 3
        while True:
            power = power * power

    start = time.process_time()
    assert "does something grow without end?" in exercises.judge("update", squaring).message
    assert time.process_time() - start < 5


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (lambda w, x, y: input("w? "), "it asks for `input()`: nobody types here"),
        (lambda w, x, y: time.sleep(1000), "it sleeps: nothing here is worth waiting for"),
        (lambda w, x, y: nap(1000), "it sleeps: nothing here is worth waiting for"),
        (lambda w, x, y: sys.exit(), "with SystemExit: end a function with `return`"),
        (lambda w, x, y: exit(), "with SystemExit: end a function with `return`"),
    ],
)
def test_nothing_waits_and_nothing_ends_the_session(answer, said):
    before = input, time.sleep
    message = exercises.judge("update", answer).message
    assert said in message
    assert "w = np.array([0.0, 0.0])" in message
    assert (input, time.sleep) == before


def test_who_presses_stop_is_obeyed():
    def interrupted(w, x, y):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        exercises.judge("update", interrupted)
