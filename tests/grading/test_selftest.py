"""The kill matrix in CI: every planted answer goes through notebook and sandbox."""

import pytest

from lectures_lib.grading import masters, selftest

pytestmark = pytest.mark.usefixtures("box")


@pytest.mark.parametrize("name", masters.names())
def test_every_planted_wrong_answer_is_caught_and_named_and_every_right_one_has_full_marks(name):
    rows = selftest.kill_matrix(name, workers=1)
    assert [str(row) for row in rows if row.fault] == []
    assert sum(row.wrong for row in rows) >= 15
    assert sum(not row.wrong for row in rows) >= 4


def test_the_matrix_sees_a_wrong_answer_that_nothing_catches():
    name = masters.names()[0]
    answers = masters.load_answers(name)
    right = next(p for p in answers.planted if not p.caught_by)
    wrong = next(answers.wrong_for(right.question))
    master = masters.find(name).read()
    assert selftest.planted_in(master, right) != master
    verdict = selftest.Verdict(wrong.caught_by, right.question, False, "pass", 1, 1)
    assert "NOT CAUGHT" in selftest._fault(verdict, wrong)
