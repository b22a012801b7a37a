"""A wrong answer is called by its name: by all it replied, not by one check alone."""

import numpy as np
import pytest

from lectures_homework.instructor.diagnosis import named
from lectures_homework.instructor.grade import judged
from lectures_homework.language.answers import Answers
from lectures_homework.language.checks import Assignment, close, expect
from lectures_homework.student.client import LocalCall

HW = Assignment("hw8", "A square", minutes=1, data=lambda seed: {})
HW.question("q1", "square", "twice")
A = Answers("hw8")


@HW.check("q1", "two squared", points=1, hint="x times x")
def _(call, rng):
    expect(close(call("square", 2.0), 4.0), "2 times 2 is 4")


@HW.check("q1", "three squared", points=1, hint="x times x")
def _(call, rng):
    expect(close(call("square", 3.0), 9.0), "3 times 3 is 9")


@A.wrong("q1", "always 6", caught_by="three squared")
def square(x):
    return 6.0


@A.wrong("q1", "twice x", caught_by="three squared")
def square(x):  # noqa: F811
    return 2.0 * x


@A.wrong("q1", "crashes", caught_by="two squared")
def square(x):  # noqa: F811
    raise ZeroDivisionError


@A.wrong("q1", "overflows above 2", caught_by="three squared")
def square(x):  # noqa: F811
    if x > 2:
        raise OverflowError
    return 4.0


@A.wrong("q1", "never ends", caught_by="two squared", endless=True)
def square(x):  # noqa: F811
    while True:
        pass


def names(function):
    """Return check -> what the answer is called, of the checks that failed."""
    tried = judged(HW.checks, LocalCall({"square": function}, patience=1.0))
    found = named(tried, A)
    assert [v.check for v in found] == [check.name for check in HW.checks]
    return {v.check: v.misconception for v in found if not v.passed}


def test_of_two_names_that_fit_a_check_the_one_that_fits_all_replies_is_given():
    assert names(lambda x: 6.0) == {"two squared": "always 6", "three squared": "always 6"}
    assert names(lambda x: 2 * x) == {"three squared": "twice x"}


def test_an_answer_that_fits_a_name_in_one_check_only_has_no_name():
    def mixed(x):
        return 6.0 if x == 3 else 5.0

    assert names(mixed) == {"two squared": "", "three squared": ""}


def test_errors_alone_are_no_evidence():
    def crash(x):
        raise ZeroDivisionError

    assert names(crash) == {"two squared": "", "three squared": ""}


@pytest.mark.parametrize(
    ("error", "name"),
    [
        (OverflowError, "overflows above 2"),
        (KeyError, ""),
        (ValueError, ""),
        *[(slip, "") for slip in (NameError, TypeError, AttributeError, ImportError)],
    ],
)
def test_an_error_is_named_if_it_is_of_the_same_class_and_the_replies_agree(error, name):
    def square(x):
        if x > 2:
            raise error("x")
        return 4.0

    assert names(square) == {"three squared": name}
    slip = Answers("hw8")

    @slip.wrong("q1", "slips above 2", caught_by="three squared")
    def square(x):
        return 4.0 if x == 2 else y  # noqa: F821

    tried = judged(HW.checks, LocalCall({"square": square}, patience=1.0))
    assert {verdict.misconception for verdict in named(tried, slip)} == {""}


def test_an_endless_loop_is_named():
    def endless(x):
        while x:
            pass

    assert names(endless) == {"two squared": "never ends", "three squared": ""}


def test_a_new_mistake_has_no_name():
    assert names(lambda x: np.nan) == {"two squared": "", "three squared": ""}


@pytest.mark.parametrize("answers", [None, A])
def test_a_right_answer_is_called_nothing(answers):
    tried = judged(HW.checks, LocalCall({"square": lambda x: x * x}))
    assert [v.misconception for v in named(tried, answers)] == ["", ""]
    assert all(v.passed for v in named(tried, answers))


def test_a_mistake_whose_own_check_holds_is_not_named():
    def right_for_three(x):
        return 9.0 if x == 3 else 6.0

    assert names(right_for_three) == {"two squared": ""}


def test_a_check_that_goes_on_with_its_arrays_changes_no_evidence():
    homework, answers = Assignment("hw8", "A sum", minutes=1, data=lambda seed: {}), Answers("hw8")
    homework.question("q1", "total")

    @homework.check("q1", "a sum", points=1, hint="")
    def _(call, rng):
        x = np.array([1.0, 2.0])
        got = call("total", x)
        x[:] = 7.0
        expect(close(got, 3.0), "1 + 2 is 3")

    @answers.wrong("q1", "the first alone", caught_by="a sum")
    def total(x):
        return x[0]

    (found,) = named(judged(homework.checks, LocalCall({"total": total})), answers)
    assert found.misconception == "the first alone"


def test_a_reply_is_worked_out_once_for_a_whole_class_and_by_value():
    asked = []

    def counted(x):
        asked.append(x)
        return x + 1.0

    answers = Answers("hw8")
    answers.wrong("q1", "adds 1", caught_by="two squared")(named_square(counted))
    for _ in range(3):
        tried = judged(HW.checks, LocalCall({"square": lambda x: x + 1.0}))
        assert [v.misconception for v in named(tried, answers) if not v.passed] == ["adds 1"] * 2
    assert asked == [2.0, 3.0]


def named_square(function):
    """Return the function under the name that the question asks for."""
    function.__name__ = "square"
    return function
