"""Slips: planted answers that are written as changes to the master's solution."""

import pytest

from lectures_homework.instructor import masters
from lectures_homework.language.answers import Answers

SOLUTION = {"half": "import numpy as np\ndef half(x):\n    return 0.5 * np.sum(x)"}


def slipped(change, names=None):
    answers = Answers("hw0")
    answers["q1", "half", "its check"] = {"words": change}
    answers.write_out(SOLUTION, names or {})
    return answers.planted[0]


def test_a_slip_is_the_solution_with_its_change():
    slip = slipped({"0.5 * np": "2 * np"})
    assert slip.function([1, 2]) == 6 and slip.name == "half"
    assert slip.source == "def half(x):\n    return 2 * np.sum(x)"
    assert (slip.question, slip.misconception, slip.caught_by) == ("q1", "words", "its check")


def test_a_slip_may_have_several_changes_and_the_names_of_its_file():
    slip = slipped({"0.5": "FACTOR", "sum": "max"}, {"FACTOR": 10})
    assert slip.function([1, 2]) == 20


@pytest.mark.parametrize("old, times", [("0.25", 0), ("x", 2)])
def test_what_does_not_stand_in_the_solution_once_is_told(old, times):
    with pytest.raises(ValueError, match=f"'words': '{old}' stands {times} times in the solution"):
        slipped({old: "1"})


def test_a_slip_that_is_not_written_out_says_so():
    answers = Answers("hw0")
    answers["q1", "half", "its check"] = {"words": {"0.5": "2"}}
    with pytest.raises(NotImplementedError, match="half is written out with the solutions"):
        answers.planted[0].function(1)


@pytest.mark.parametrize("check, change", [("", {"0.5": "2"}), ("its check", {})])
def test_a_slip_needs_a_check_and_a_change(check, change):
    with pytest.raises(ValueError, match="which check catches it"):
        Answers("hw0")["q1", "half", check] = {"words": change}


@pytest.mark.parametrize("name", masters.names())
def test_every_homework_has_slips_and_each_is_another_program_than_its_solution(name):
    slips = [p for p in masters.load_answers(name).planted if p.change]
    solutions = masters.solutions(name)
    assert slips and all(not solutions[slip.name].endswith(slip.source) for slip in slips)
