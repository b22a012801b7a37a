"""A table of the visible answers is no homework: it earns the quizzes at most, and is noticed."""

import base64
from functools import cache

import nbformat
import pytest

from lectures_homework.instructor import batch, masters
from lectures_homework.instructor.grade import ONLY_VISIBLE, RECITED, _flags, judged
from lectures_homework.sandbox.inside import values
from lectures_homework.student import client
from lectures_homework.student.client import LocalCall
from tools.grading.naming import solved

NAMES = masters.names()


class Writing(LocalCall):
    """Notes what the solutions answer to the checks that students have."""

    def __init__(self, names, table):
        super().__init__(names)
        self.table = table

    def ask(self, function, arguments):
        reply = super().ask(function, arguments)
        self.table[function, values.encode(list(arguments))] = values.encode(reply)
        return reply


@cache
def known_answers(name):
    """Return (function, arguments) -> reply of everything that the visible checks ask."""
    table, homework = {}, client.visible(name)
    tried = judged(homework.checks, Writing(solved(name), table))
    assert all(one.verdict.passed for one in tried)
    return table


class Reciting(LocalCall):
    """Answers from the table alone; where it has nothing, with the last answer it gave."""

    def __init__(self, table):
        super().__init__({"SEED": 0})
        self.table, self.last = table, {}

    def ask(self, function, arguments):
        told = self.table.get((function, values.encode(list(arguments))))
        if told is not None:
            self.last[function] = told
        return values.decode(self.last.get(function, "null"))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("secret", ["", "any words"])
def test_a_table_of_the_visible_answers_earns_at_most_the_quizzes(name, secret):
    homework = masters.load(name)
    tried = judged(homework.checks, Reciting(known_answers(name)), secret)
    held = [one.check.name for one in tried if one.verdict.passed]
    assert held == []
    assert RECITED in " ".join(_flags(homework, [one.verdict for one in tried]))


@pytest.mark.parametrize("name", NAMES)
def test_every_visible_check_is_asked_again_where_it_is_graded(name):
    homework = masters.load(name)
    assert all((check.again is None) == check.hidden for check in homework.checks)
    assert all(check.again is None for check in client.visible(name).checks)


def test_whoever_holds_all_visible_and_no_hidden_check_is_flagged():
    homework = masters.load("hw1")
    verdicts = [one.verdict for one in judged(homework.checks, LocalCall(solved("hw1")))]
    assert [*_flags(homework, verdicts)] == []
    assert [*_flags(homework, [v for v in verdicts if not v.hidden])] == []
    lost = [
        v if not v.hidden else type(v)(v.check, v.question, True, "fail", 0, 1) for v in verdicts
    ]
    assert [*_flags(homework, lost)] == [ONLY_VISIBLE]


@pytest.mark.usefixtures("box")
def test_a_notebook_that_recites_is_told_to_the_instructor_and_not_to_the_student(tmp_path):
    told = base64.b64encode(repr(known_answers("hw6")).encode()).decode()
    cell = f"""
import base64
from types import SimpleNamespace
TABLE = eval(base64.b64decode("{told}"))
def answer(name):
    import json, sys
    values = sys.modules["values"]
    def recite(*arguments):
        return values.decode(TABLE.get((name, values.encode(list(arguments))), "null"))
    return recite
""" + "\n".join(f"{name} = answer('{name}')" for name in masters.solutions("hw6"))
    cells = [nbformat.v4.new_code_cell(text) for text in (cell, 'q7 = "B"', 'q8 = "C"')]
    content = nbformat.writes(nbformat.v4.new_notebook(cells=cells)).encode()
    report = batch.work(batch.Job("hw6", "eve", content, (), str(masters.FOLDER)))
    assert report.points == 2
    assert RECITED in " ".join(report.flags)
    assert RECITED not in " ".join(report.notes)
