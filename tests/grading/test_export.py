"""What instructors hand out: the same bundle each time, and a homework that nbgrader accepts."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from pathlib import Path

import nbformat
import pytest

from lectures_lib.grading import __main__ as command_line
from lectures_lib.grading import export, masters, selftest
from tests.environment import ROOT, fixed_environment


def test_a_bundle_is_one_notebook_and_a_few_words_the_same_each_time(tmp_path):
    first = export.bundle("hw1", tmp_path / "a").read_bytes()
    second = export.bundle("hw1", tmp_path / "b").read_bytes()
    assert first == second
    with zipfile.ZipFile(tmp_path / "a" / "hw1.zip") as bundled:
        assert bundled.namelist() == ["hw1/hw1_perceptron.ipynb", "hw1/README.txt"]
        assert "hand in that one file" in bundled.read("hw1/README.txt").decode()


def test_make_writes_a_bundle_for_each_student_with_data_of_his_own(tmp_path, capsys):
    roster = tmp_path / "students.csv"
    roster.write_text("student,section\nalice,1\nbob,2\n")
    arguments = ["make", "hw1", "--out", str(tmp_path / "out"), "--students", str(roster)]
    assert command_line.main(arguments) == 0
    seeds = set()
    for student in ("alice", "bob"):
        with zipfile.ZipFile(tmp_path / "out" / student / "hw1.zip") as bundled:
            text = bundled.read("hw1/hw1_perceptron.ipynb").decode()
        seed = json.loads(text)["metadata"]["lectures_lib"]["seed"]
        assert seed == masters.seed_of(student)
        seeds.add(seed)
    assert len(seeds) == 2
    assert capsys.readouterr().out.count("hw1.zip") == 2


def test_make_takes_one_seed_and_refuses_a_list_without_names(tmp_path, capsys):
    out = tmp_path / "out"
    assert command_line.main(["make", "hw1", "--out", str(out), "--student-seed", "7"]) == 0
    with zipfile.ZipFile(out / "hw1.zip") as bundled:
        assert "SEED = 7" in bundled.read("hw1/hw1_perceptron.ipynb").decode()
    roster = tmp_path / "students.csv"
    roster.write_text("name\nalice\n")
    assert command_line.main(["make", "hw1", "--students", str(roster)]) == 2
    assert "needs a column student" in capsys.readouterr().err


# --- nbgrader ------------------------------------------------------------------------------------


def nbgrader(course, *arguments):
    """Run a command of the real nbgrader in a course."""
    program = [sys.executable, "-m", "nbgrader", *arguments]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = fixed_environment() | {"PYTHONPATH": str(ROOT), "PATH": path}
    done = subprocess.run(program, cwd=course, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr[-3000:]


def scores(course):
    """Return student -> points that nbgrader gave without a hand, from its database."""
    query = """
        SELECT student.id, SUM(COALESCE(grade.auto_score, 0))
        FROM grade JOIN submitted_notebook n ON grade.notebook_id = n.id
        JOIN submitted_assignment a ON n.assignment_id = a.id
        JOIN student ON a.student_id = student.id GROUP BY student.id"""
    with sqlite3.connect(course / "gradebook.db") as database:
        return dict(database.execute(query).fetchall())


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A course in which nbgrader has generated hw1 and graded four submissions of it."""
    pytest.importorskip("nbgrader", reason="nbgrader is an extra: pip install .[nbgrader]")
    place = tmp_path_factory.mktemp("course")
    source = export.nbgrader("hw1", place)
    nbgrader(place, "generate_assignment", "hw1")
    released = place / "release" / "hw1" / source.name
    wrong = next(masters.load_answers("hw1").wrong_for("q1"))
    planted = selftest.planted_in(nbformat.read(source, as_version=4), wrong)
    for student, notebook in (("right", None), ("wrong", planted), ("stub", released)):
        folder = place / "submitted" / student / "hw1"
        folder.mkdir(parents=True)
        if student == "wrong":
            nbformat.write(notebook, folder / source.name)
        else:
            shutil.copy(notebook or source, folder / source.name)
    nbgrader(place, "autograde", "hw1")
    return place


def test_nbgrader_generates_a_version_without_solutions_and_hidden_tests(course):
    text = next((course / "release" / "hw1").glob("*.ipynb")).read_text(encoding="utf-8")
    assert "BEGIN SOLUTION" not in text
    assert "HIDDEN TESTS" not in text
    assert "raise NotImplementedError()" in text
    hidden = masters.find("hw1").hidden.read_text(encoding="utf-8").splitlines()
    assert [line for line in hidden if len(line.strip()) > 40 and line.strip() in text] == []
    assert "YOUR ANSWER HERE" in text


def test_nbgraders_autograde_gives_the_points_that_ours_gives(course):
    full = masters.load("hw1").automatic
    found = scores(course)
    assert found["right"] == full
    assert found["stub"] == 0
    assert 0 < found["wrong"] < full


def test_in_nbgrader_each_check_has_its_own_points_and_the_proof_waits_for_a_hand(course):
    source = nbformat.read(next((course / "source" / "hw1").glob("*.ipynb")), as_version=4)
    marks = [c.metadata["nbgrader"] for c in source.cells if "nbgrader" in c.metadata]
    homework = masters.load("hw1")
    tests = [m for m in marks if m["grade"] and not m["solution"]]
    assert len(tests) == len(homework.checks) + len(homework.quizzes)
    assert sum(m["points"] for m in tests) == homework.automatic
    by_hand = [m["points"] for m in marks if m["grade"] and m["solution"]]
    assert by_hand == list(homework.by_hand.values())


@pytest.mark.parametrize("name", masters.names())
def test_every_homework_has_an_nbgrader_form_with_all_its_checks(name, tmp_path):
    notebook = nbformat.read(export.nbgrader(name, tmp_path), as_version=4)
    nbformat.validate(notebook)
    homework = masters.load(name)
    text = "\n".join(cell.source for cell in notebook.cells)
    assert all(repr(check.name) in text for check in homework.checks)
    identities = [c.metadata.nbgrader.grade_id for c in notebook.cells if "nbgrader" in c.metadata]
    assert len(set(identities)) == len(identities)
