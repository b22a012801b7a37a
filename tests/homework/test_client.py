"""What a student sees in the notebook: honest, specific, never more than was checked."""

import linecache
import math
import time

import numpy as np
import pytest
import sklearn.base
from scipy.optimize import minimize

from lectures_homework.instructor import masters
from lectures_homework.instructor.grade import judged
from lectures_homework.language.checks import (
    Assignment,
    close,
    expect,
    judge,
    same_direction,
)
from lectures_homework.language.failures import SECONDS, TIME
from lectures_homework.language.shown import brief
from lectures_homework.sandbox.bubblewrap import Limits
from lectures_homework.student import client
from lectures_lib import estimators, plots


@pytest.fixture
def homework():
    hw = Assignment("hw0", "A test", minutes=5, data=lambda seed: {"x": np.arange(3.0) + seed})
    hw.question("q1", "double", hidden=(2, 3))
    hw.quiz(
        "q2",
        "Which?",
        {"A": "this", "B": "that"},
        "B",
        {"A": "No: think of 0.", "B": "Yes."},
        points=1,
    )
    hw.by_hand["q3"] = 10

    @hw.check("q1", "twice the argument", points=2, hint="add it to itself")
    def _(call, rng):
        x = np.array([1.5, -0.25])
        expect(close(call("double", x), 2 * x), "every entry must be doubled")

    @hw.check("q1", "the argument stays", points=1, hint="work on a copy")
    def _(call, rng):
        expect(close(call("double", [3.0]), [6.0]), "a list is fine too")

    return hw


def double(x):
    return [2 * v for v in x]


double.__module__ = "__main__"  # as if it were written in a notebook


def test_a_failed_check_tells_input_answer_property_and_hint(homework):
    text = client.checked(homework, "q1", {"double": lambda x: 3 * np.asarray(x)})
    assert "0 of 2 visible checks hold" in text
    assert f"double({brief(np.array([1.5, -0.25]))})" in text
    assert brief(np.array([4.5, -0.75])) in text
    assert "every entry must be doubled" in text
    assert "add it to itself" in text


def test_visible_success_never_reads_as_full_marks(homework):
    text = client.checked(homework, "q1", {"double": double})
    assert "all 2 visible checks hold" in text
    assert "2 hidden checks (3 points) will run when the homework is graded" in text
    assert "correct" not in text


def test_what_is_not_written_is_called_so_and_not_wrong(homework):
    def unwritten(x):
        raise NotImplementedError("write double")

    assert client.checked(homework, "q1", {"double": unwritten}) == "q1: double is not written yet."
    assert "there is no function double" in client.checked(homework, "q1", {})


def test_an_error_in_the_students_code_is_shown_with_its_input(homework):
    text = client.checked(homework, "q1", {"double": lambda x: x.no_such_thing})
    assert "AttributeError" in text
    assert "given" in text


def test_a_check_hands_over_copies(homework):
    def spoils(x):
        answer = 2 * np.asarray(x)
        x[:] = 0 if isinstance(x, np.ndarray) else [0.0]
        return answer

    assert "all 2 visible" in client.checked(homework, "q1", {"double": spoils})


def test_an_object_with_a_clever_comparison_earns_nothing(homework):
    class Yes:
        def __eq__(self, other):
            return True

    text = client.checked(homework, "q1", {"double": lambda x: Yes()})
    assert "0 of 2" in text
    assert "must be a plain value" in text


@pytest.mark.parametrize(
    ("value", "reply"),
    [
        ("", "not answered yet"),
        (None, "not answered yet"),
        ("A", "✗ A. No: think of 0."),
        (" b ", "✓ B. Yes."),
        ("C", "is not an option"),
        (2, "is not an option"),
    ],
)
def test_a_quiz_answers_back(homework, value, reply):
    assert reply in client.quizzed(homework, "q2", {"q2": value})


def test_the_last_cell_tells_what_is_missing(homework):
    empty = client.finished(homework, {})
    assert "q1   NOT WRITTEN" in empty
    assert "q2   NOT ANSWERED" in empty
    assert "q3   in words, 10 points" in empty
    done = client.finished(homework, {"double": double, "q2": "A"})
    assert "all 2 visible checks hold; 2 hidden to come" in done
    assert "q2   answered" in done
    assert "NOT" not in done


def lazy(x):
    import sklearn

    return sklearn.__version__


lazy.__module__ = "__main__"


@pytest.mark.parametrize(
    ("names", "package"),
    [
        ({"SVC": estimators.KernelRidge}, "lectures_lib.estimators"),
        ({"base": sklearn.base}, "sklearn"),
        ({"clone": sklearn.base.clone}, "sklearn"),
        ({"lazy": lazy}, "sklearn"),
    ],
)
def test_the_last_cell_warns_of_what_the_grader_does_not_have(homework, names, package):
    assert f"{package}: the grader has only" in client.finished(homework, names)


def test_the_last_cell_does_not_warn_of_what_the_grader_has(homework):
    names = {"np": np, "math": math, "minimize": minimize, "double": double, "quiz": client.bind}
    names |= {"plots": plots}
    assert "NOTE" not in client.finished(homework, names)


def test_an_endless_loop_is_stopped_and_told(homework):
    def double(x):
        while True:
            pass

    tried = judged(homework.checks, client.LocalCall({"double": double}, patience=0.1))
    assert [one.verdict.status for one in tried] == ["timeout", "timeout"]
    assert "did not return within 0.1 seconds" in tried[0].verdict.claim


def test_a_question_that_is_not_there_is_named(homework):
    with pytest.raises(ValueError, match="has them for q1"):
        client.checked(homework, "q9", {})
    with pytest.raises(ValueError, match="hw0 has q2"):
        client.quizzed(homework, "q1", {})


def test_check_quiz_and_finish_print_for_the_notebook(homework, capsys):
    check, quiz, finish = client.bind(homework, {"double": double, "q2": "B"})
    check("q1")
    quiz("q2")
    finish()
    printed = capsys.readouterr().out
    assert "all 2 visible" in printed
    assert "✓ B." in printed
    assert "before you hand in" in printed


@pytest.mark.parametrize("value", [np.array([1, 2]), object(), [[]], {"A"}])
def test_a_quiz_answers_back_whatever_is_chosen(homework, value):
    assert "is not an option" in client.quizzed(homework, "q2", {"q2": value})


def test_a_call_of_exit_is_an_error_like_others(homework):
    text = client.checked(homework, "q1", {"double": lambda *_: exit(3)})
    assert "stopped with SystemExit" in text


def test_huge_numbers_have_the_direction_they_have():
    assert same_direction([1.5e308, 1.5e308], [2.0, 2.0])
    assert not same_direction([1.5e308, 1.5e308], [2.0, 1.0])
    assert same_direction([1e-300, 2e-300], [1.0, 2.0])
    assert not same_direction([], [])


def test_any_value_is_told_in_few_words():
    start = time.process_time()
    for value in (np.ones((6,) * 8, dtype=bool), [1.5] * 10**6, np.ones(10**6)):
        assert len(brief(value)) <= 400
    assert time.process_time() - start < 1


def test_a_wrong_form_gets_a_hint_about_the_form_and_text_is_no_number(homework):
    def named(x):
        return {"value": set()}

    text = client.checked(homework, "q1", {"double": named})
    assert "about the form of the answer only" in text
    assert "add it to itself" not in text
    assert not close(["3.0", "-0.5"], [3.0, -0.5])
    assert not close([None], [0.0])
    assert not same_direction(["1", "2"], [1.0, 2.0])


def test_the_grader_is_never_stricter_than_the_check():
    usual = Limits()
    assert usual.check >= 2 * SECONDS
    assert usual.wall > client.ASLEEP * SECONDS
    assert usual.total > 4 * usual.wall


def test_the_time_of_a_check_is_processor_time_of_all_its_calls(homework):
    def waits(x):
        time.sleep(0.3)
        return [2 * v for v in x]

    def works(x):
        end = time.process_time() + 0.2
        while time.process_time() < end:
            pass
        return [2 * v for v in x]

    @homework.check("q1", "again and again", points=1, hint="")
    def _(call, rng):
        for _ in range(3):
            call("double", [1.0])

    def statuses(function):
        call = client.LocalCall({"double": function}, patience=0.5)
        call.asleep = 1000  # work takes long by the clock on a busy machine
        return [one.verdict.status for one in judged(homework.checks, call)]

    assert statuses(waits) == ["pass"] * 3
    assert statuses(works) == ["pass", "pass", "timeout"]


def test_whoever_sleeps_for_ever_is_woken(homework, monkeypatch):
    monkeypatch.setattr(client, "ASLEEP", 2)

    def sleeps(x):
        while True:
            time.sleep(0.01)

    call = client.LocalCall({"double": sleeps}, patience=0.2)
    assert [one.verdict.status for one in judged(homework.checks, call)] == ["timeout"] * 2


def test_a_timeout_has_a_hint_about_time(homework):
    def double(x):
        while True:
            pass

    tried = judged(homework.checks, client.LocalCall({"double": double}, patience=0.1))
    assert {one.verdict.hint for one in tried} == {TIME}
    assert f"{SECONDS:g} seconds" in TIME
    assert f"{2 * SECONDS:g}" in TIME


def test_an_error_is_told_with_the_students_line_and_a_hint_about_python(homework):
    source = "def double(x):\n    y = 3\n    return undefined + y"
    linecache.cache["<a cell>"] = (len(source), None, source.splitlines(keepends=True), "<a cell>")
    names = {}
    exec(compile(source, "<a cell>", "exec"), names)
    text = client.checked(homework, "q1", names)
    assert "NameError: name 'undefined' is not defined, in the line `return undefined + y`" in (
        " ".join(text.split())
    )
    assert "A name in this line has no value" in text
    assert "add it to itself" not in text


# --- practice and the log of tries ---------------------------------------------------------------


def hw1_answers(**changed):
    names = {"SEED": 0}
    exec("\n".join(masters.solutions("hw1").values()), names)
    return names | changed


@pytest.mark.parametrize("homework", masters.names())
def test_the_visible_checks_of_every_homework_can_be_practised(homework):
    known = client.visible(homework)
    visible = {(c.question, c.name) for c in known.checks}
    assert {(c.question, c.name) for c in client.drawn_anew(known)} == visible


def test_practice_holds_for_a_right_answer_and_names_its_draw():
    known = client.visible("hw1")
    for draw in range(3):
        told = client.checked(known, "q1", hw1_answers(), draw)
        assert told.startswith(f"q1, practice {draw}: all 3 visible checks hold.")
        assert f'check("q1", practice={draw}) asks the same once more.' in told


def test_practice_finds_what_the_known_inputs_do_not():
    seen = {}

    def recited(w, b, X):  # right about what was practised with draw 1, and about nothing else
        return seen.setdefault(X.tobytes(), np.where(X @ w + b >= 0, 1, -1))

    known, names = client.visible("hw1"), hw1_answers(predict=recited)
    assert "all 3 visible" in client.checked(known, "q1", names, 1)
    names["predict"] = lambda w, b, X: seen.get(X.tobytes(), np.ones(len(X)))
    assert "all 3 visible" in client.checked(known, "q1", names, 1)
    assert "2 of 3 visible" in client.checked(known, "q1", names, 2)


def test_practice_says_that_a_function_changes_what_it_is_given():
    def update(w, b, x, y):
        if y * (w @ x + b) <= 0:
            w += y * x
            b += y
        return w, b

    told = client.checked(client.visible("hw1"), "q1", hw1_answers(update=update), 1)
    assert "update changes what it is given" in told


def test_what_a_check_states_of_its_inputs_it_states_of_inputs_drawn_anew():
    homework = Assignment("hw0", "", 1, data=lambda seed: {})
    homework.question("q1", "same")

    @homework.check("q1", "same returns what it is given", points=1, hint="", on=[(1,), (2,)])
    def _(call, n):
        expect(call("same", n) == n, f"it is {n}")

    @homework.again("q1", "same returns what it is given")
    def _(rng):
        yield (int(rng.integers(10, 20)),)

    def told(same):
        return judge(homework.checks[0], client.LocalCall({"same": same}))

    assert told(lambda n: n).passed
    assert told(lambda n: 1).claim == "it is 2"
    recited = told(lambda n: min(n, 2))
    assert recited.recited and recited.claim in {f"it is {n}" for n in range(10, 20)}


@pytest.mark.parametrize("practice", [-1, 2.5, "seven"])
def test_what_is_no_draw_is_told(practice):
    check, _, _ = client.bind(client.visible("hw1"), hw1_answers())
    with pytest.raises(ValueError, match="practice is True or a whole number"):
        check("q1", practice=practice)


def test_tries_are_noted_only_if_the_student_wants_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    check, _, _ = client.bind(client.visible("hw1"), hw1_answers())
    check("q1")
    assert not list(tmp_path.iterdir())
    check("q1", log=True)
    check("q3", practice=5)
    lines = (tmp_path / "hw1_tries.txt").read_text(encoding="utf-8").splitlines()
    assert [line[21:] for line in lines] == [
        "q1: all 3 visible checks hold.",
        "q3, practice 5: all 2 visible checks hold.",
    ]
    (tmp_path / "hw1_tries.txt").unlink()
    check("q1")
    assert not list(tmp_path.iterdir())
    assert "hw1_tries.txt" in capsys.readouterr().out
