"""The kill matrix in CI: every planted wrong answer is caught and named, every right one is not.

All of them are judged in this process. Through notebook and sandbox, as
`python -m lectures_homework selftest` does it with all, go one wrong answer for each check of
one homework and its right ones; of the others the solution and the answers that never end.
"""

import pytest

from lectures_homework.instructor import batch, masters, selftest
from lectures_homework.instructor.diagnosis import named
from lectures_homework.instructor.grade import Report, judged
from lectures_homework.sandbox.bubblewrap import Limits
from lectures_homework.student.client import LocalCall

pytestmark = pytest.mark.usefixtures("box")
WHOLE_WAY = "hw1"
NAMES = masters.names()
SOON = Limits(check=4, wall=15)  #: what never ends need not wait for the usual limit


def judged_here(name, answer):
    """Return the report on a planted answer, without a sandbox: a right one in its homework."""
    homework, answers = batch.loaded(name, str(masters.FOLDER), answer.only)
    names = solved(selftest.planted_in(masters.find(name).read(), answer))
    tried = judged(homework.checks, LocalCall(names))
    return Report(name, tuple(named(tried, answers)))


def solved(notebook):
    """Return the names that the solution cells of a master define."""
    names = {"SEED": 0}
    for cell in notebook.cells:
        solution = "solution" in masters.tags(cell)
        if cell.cell_type == "code" and (solution or "import " in cell.source):
            exec(cell.source, names)
    return names


def faults(rows):
    return [str(row) for row in rows if row.fault]


@pytest.mark.filterwarnings("ignore")  # of planted answers, as in the sandbox
@pytest.mark.parametrize("name", NAMES)
def test_every_planted_wrong_answer_is_caught_and_named_and_every_right_one_has_full_marks(name):
    planted = [p for p in masters.load_answers(name).planted if not p.endless]
    job = batch.Job(name, "planted", b"", (), str(masters.FOLDER))
    rows = [selftest.row(job, answer, judged_here(name, answer)) for answer in planted]
    assert faults(rows) == []
    assert sum(row.wrong for row in rows) >= 60
    assert sum(not row.wrong for row in rows) >= 10


def test_through_notebook_and_sandbox_the_matrix_of_one_homework_is_the_same():
    planted = masters.load_answers(WHOLE_WAY).planted
    one_each = {(p.question, p.caught_by): p for p in planted if p.caught_by}
    right = [p for p in planted if not p.caught_by]
    endless = [p for p in planted if p.endless]
    chosen = [*dict.fromkeys([*one_each.values(), *endless, *right])]
    rows = selftest.kill_matrix(WHOLE_WAY, workers=1, planted=chosen, limits=SOON)
    assert faults(rows) == []
    checks = {(c.question, c.name) for c in masters.load(WHOLE_WAY).checks}
    assert set(one_each) == checks  # each of them is meant for a wrong answer that was tried


@pytest.mark.parametrize("name", [name for name in NAMES if name != WHOLE_WAY])
def test_in_the_sandbox_the_solution_has_full_marks_and_what_never_ends_is_caught(name):
    endless = [p for p in masters.load_answers(name).planted if p.endless]
    assert faults(selftest.kill_matrix(name, workers=1, planted=endless, limits=SOON)) == []


@pytest.mark.parametrize("name", NAMES)
def test_with_another_secret_and_seed_the_solution_has_full_marks(name):
    homework, names = masters.load(name), solved(masters.find(name).read())
    tried = judged(homework.checks, LocalCall(names | {"SEED": 1000}), secret="other words")
    assert [one.verdict for one in tried if not one.verdict.passed] == []


def test_the_matrix_sees_a_wrong_answer_that_nothing_catches():
    answers = masters.load_answers(WHOLE_WAY)
    right = next(p for p in answers.planted if not p.caught_by)
    wrong = next(answers.wrong_for(right.question))
    master = masters.find(WHOLE_WAY).read()
    assert selftest.planted_in(master, right) != master
    verdict = selftest.Verdict(wrong.caught_by, right.question, False, "pass", 1, 1)
    assert "NOT CAUGHT" in selftest.fault_in(verdict, wrong)
