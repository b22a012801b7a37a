"""The real nbgrader takes every homework: it releases it and gives the points that ours gives."""

import fnmatch
import importlib.util
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import nbformat
import pytest

from lectures_homework.instructor import export, masters, selftest
from tools.environment import ROOT, fixed_environment

#: What its commands are told: some homeworks at once, because to load nbgrader takes long. Each is
#: a test with its own course, not a fixture: two run at a time, and none twice.
ASKED = ("hw[1-3]", "hw[!1-3]")

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("nbgrader") is None,
    reason="nbgrader is an extra: pip install .[nbgrader]",
)


def nbgrader(course, *arguments):
    """Run a command of the real nbgrader in a course."""
    program = [sys.executable, "-m", "nbgrader", *arguments]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = fixed_environment() | {"PYTHONPATH": str(ROOT), "PATH": path}
    done = subprocess.run(program, cwd=course, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[-3000:]


def scores(course):
    """Return (student, homework) -> cell -> points that nbgrader gave without a hand."""
    query = """
        SELECT a_student.id, assignment.name, base_cell.name, COALESCE(grade.auto_score, 0)
        FROM grade JOIN base_cell ON grade.cell_id = base_cell.id
        JOIN submitted_notebook n ON grade.notebook_id = n.id
        JOIN submitted_assignment a ON n.assignment_id = a.id
        JOIN assignment ON a.assignment_id = assignment.id
        JOIN student a_student ON a.student_id = a_student.id"""
    found = {}
    with closing(sqlite3.connect(course / "gradebook.db")) as database:  # or it would stay open
        for student, homework, cell, points in database.execute(query):
            found.setdefault((student, homework), {})[cell] = points
    return found


def wrong_answer(name):
    """Return a planted answer that a hidden check must see, and the name of that check's cell.

    No other function calls its function: nbgrader knows no follow-through.
    """
    checks, called = masters.load(name).checks, set().union(*calls(name).values())
    for answer in masters.load_answers(name).planted:
        names = [c.name for c in checks if c.question == answer.question]
        hidden = [c.name for c in checks if c.question == answer.question and c.hidden]
        if answer.caught_by in hidden and not answer.endless and answer.name not in called:
            return answer, f"{answer.question}-check-{names.index(answer.caught_by)}"
    raise AssertionError(f"{name} has no wrong answer for its hidden checks")


def calls(name):
    """Return for each function of a homework the others that its solution calls."""
    texts = masters.solutions(name)
    return {f: {g for g in texts if g != f and f"{g}(" in text} for f, text in texts.items()}


def hand_in(course, name, source):
    """Hand in two notebooks that together show every cell with a right and with no right answer.

    "wrong" has all of the master's answers but one, "stub" is the released version with the right
    answer to that one, and to what it calls.
    """
    answer, _ = wrong_answer(name)
    for student in ("wrong", "stub"):
        (course / "submitted" / student / name).mkdir(parents=True)
    planted = selftest.planted_in(nbformat.read(source, as_version=4), answer)
    nbformat.write(planted, course / "submitted" / "wrong" / name / source.name)
    stub = nbformat.read(course / "release" / name / source.name, as_version=4)
    for function in {answer.name, *calls(name)[answer.name]}:
        cell = next(c for c in stub.cells if f"def {function}(" in c.source)
        cell.source += f"\n\n\n{masters.solutions(name)[function]}"
    nbformat.write(stub, course / "submitted" / "stub" / name / source.name)


def check_release(name, path):
    """The released version has no solutions and nothing of the hidden checks."""
    text = path.read_text(encoding="utf-8")
    assert "BEGIN SOLUTION" not in text
    assert "HIDDEN TESTS" not in text
    assert "raise NotImplementedError()" in text
    assert "YOUR ANSWER HERE" in text
    assert hidden_lines(name, text) == []


def hidden_lines(name, text):
    """Return the longer lines of the hidden checks that a text has."""
    hidden = masters.find(name).hidden.read_text(encoding="utf-8").splitlines()
    return [line for line in hidden if len(line.strip()) > 40 and line.strip() in text]


def check_outputs(name, path):
    """What failed says so in its own words: the code of the hidden checks is in no output."""
    cells = nbformat.read(path, as_version=4).cells
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    told = "\n".join("\n".join(output.get("traceback", [])) for output in outputs)
    assert "is not written yet" in told
    assert hidden_lines(name, told) == []


def check_scores(name, found):
    """Right answers have all their points, stubs and the wrong answer none."""
    homework = masters.load(name)
    stub, wrong = (found[student, name] for student in ("stub", "wrong"))
    answer, cell = wrong_answer(name)
    lost = {c for c, points in wrong.items() if not points and not c.endswith("by-hand")}
    assert cell in lost, (name, answer.phrase, wrong)
    asked = points_of(homework, {answer.question})
    assert lost <= set(asked), (name, wrong)
    assert sum(wrong.values()) == homework.automatic - sum(asked[c] for c in lost)
    written = {answer.name, *calls(name)[answer.name]}
    open_to = points_of(homework, {q for q, fs in homework.functions.items() if written & {*fs}})
    earned = {c: points for c, points in stub.items() if points}
    assert set(earned) <= set(open_to), (name, stub)
    assert {c: earned.get(c, 0) for c in lost} == {c: asked[c] for c in lost}, (name, stub)


def points_of(homework, questions):
    """Return the points of each cell of some questions."""
    found = {}
    for question in questions:
        checks = [check for check in homework.checks if check.question == question]
        found |= {f"{question}-check-{i}": check.points for i, check in enumerate(checks)}
    return found


def test_no_homework_is_left_out():
    taken = [name for asked in ASKED for name in fnmatch.filter(masters.names(), asked)]
    assert sorted(taken) == sorted(masters.names())


@pytest.mark.parametrize("asked", ASKED)
def test_nbgrader_releases_our_homework_and_gives_the_points_that_ours_gives(asked, tmp_path):
    names = fnmatch.filter(masters.names(), asked)
    sources = {name: export.nbgrader(name, tmp_path) for name in names}
    nbgrader(tmp_path, "generate_assignment", asked)
    for name, source in sources.items():
        check_release(name, tmp_path / "release" / name / source.name)
        hand_in(tmp_path, name, source)
    nbgrader(tmp_path, "autograde", asked)
    found = scores(tmp_path)
    for name, source in sources.items():
        check_scores(name, found)
        check_outputs(name, tmp_path / "autograded" / "stub" / name / source.name)
