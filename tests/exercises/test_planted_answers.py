"""Self-checks: right answers pass in any honest form, planted wrong ones fail for the reason."""

from importlib import import_module
from pathlib import Path

import pytest

from lectures_lib import exercises
from tests.exercises.test_exercises import RIGHT

#: the answers planted in the files test_exercises*.py
FILES = sorted(Path(__file__).parent.glob("test_exercises*.py"))
PLANTED = [import_module(f"tests.exercises.{path.stem}") for path in FILES]
ALL_RIGHT = [pair for module in PLANTED for pair in module.RIGHT.items()]
ALL_WRONG = [wrong for module in PLANTED for wrong in module.WRONG]


def test_every_exercise_has_right_and_wrong_answers_planted():
    assert sorted(name for name, _ in ALL_RIGHT) == sorted(exercises.EXERCISES)
    assert {name for name, _, _ in ALL_WRONG} == set(exercises.EXERCISES)


@pytest.mark.parametrize(("exercise", "answers"), ALL_RIGHT)
def test_honest_answers_pass_in_either_form(exercise, answers):
    assert len(answers) >= 2 or exercise not in RIGHT
    for answer in answers:
        verdict = exercises.judge(exercise, answer)
        assert verdict.passed, verdict.message


@pytest.mark.parametrize(("exercise", "answer", "reason"), ALL_WRONG)
def test_a_planted_wrong_answer_fails_and_the_verdict_names_the_reason(exercise, answer, reason):
    verdict = exercises.judge(exercise, answer)
    assert not verdict.passed
    assert reason in verdict.message
    assert not verdict.message.endswith("..")
