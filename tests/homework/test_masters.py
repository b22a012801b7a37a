"""Every homework: what the master promises, and what students get instead of the solutions."""

import ast
import re
import zipfile

import nbformat
import numpy as np
import pytest
from nbclient import NotebookClient

from lectures_homework.instructor import export, masters
from lectures_homework.language.failures import SECONDS
from lectures_homework.sandbox.bubblewrap import Limits
from lectures_homework.sandbox.inside import values
from tools.environment import ROOT

NAMES = masters.names()
SHORT = 16  #: lines of a code cell


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def words(notebook):
    return "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")


def solution_lines(notebook):
    """Return the lines that only the solutions have, trivial ones left out."""
    lines = []
    for cell in notebook.cells:
        if "solution" in masters.tags(cell) and masters.BEGIN in cell.source:
            for part in cell.source.split(masters.BEGIN)[1:]:
                lines += part.split(masters.END)[0].splitlines()
    stripped = {line.strip() for line in lines}
    return {line for line in stripped if len(line) > 12}


def docstrings(notebook):
    """Return the text that the stubs keep: signatures and docstrings."""
    return "\n".join(
        masters.stub(c.source) for c in code(notebook) if "solution" in masters.tags(c)
    )


def test_there_are_seven():
    assert NAMES == [f"hw{i}" for i in range(1, 8)]


@pytest.fixture(params=NAMES)
def name(request):
    return request.param


@pytest.fixture
def master(name):
    return masters.find(name).read()


@pytest.fixture
def homework(name):
    return masters.load(name)


def test_of_30_points_20_to_23_are_automatic_and_the_rest_is_by_hand(homework):
    assert 20 <= homework.automatic <= 23
    assert homework.automatic + sum(homework.by_hand.values()) == 30
    assert homework.quizzes
    assert 60 <= homework.minutes <= 240


def test_every_question_has_visible_and_hidden_checks_with_hints(homework):
    for question in homework.functions:
        kinds = {check.hidden for check in homework.checks if check.question == question}
        assert kinds == {True, False}, question
    assert all(len(check.hint) > 15 for check in homework.checks)
    names = [(check.question, check.name) for check in homework.checks]
    assert len(set(names)) == len(names)


def test_the_master_states_points_and_time_and_two_hints_a_question(homework, master):
    text = words(master)
    assert str(homework.minutes) in text or f"{homework.minutes / 60:g} hours" in text
    sections = dict(re.findall(r"^## (q\d+)\.(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    assert [*sections] == homework.questions
    for question, section in sections.items():
        points = [c.points for c in homework.checks if c.question == question]
        quiz, hand = homework.quizzes.get(question), homework.by_hand.get(question, 0)
        total = sum(points) + (quiz.points if quiz else 0) + hand
        assert re.match(rf".*\({total} points?\b", section), f"{question} is worth {total}"
        if question in homework.functions:
            assert "<summary>Hint 1</summary>" in section
            assert "<summary>Hint 2</summary>" in section


def test_the_master_states_the_limit_of_time(master):
    stated = "may take {:g} seconds of processor time;\nwhen the homework is graded, {:g}."
    assert stated.format(SECONDS, Limits().check) in words(master)


def test_every_asked_function_has_a_signature_with_types_and_a_docstring(homework, master):
    stubs = [masters.stub(c.source) for c in code(master) if "solution" in masters.tags(c)]
    found = {n.name: n for text in stubs for n in ast.parse(text).body if hasattr(n, "args")}
    asked = {f for functions in homework.functions.values() for f in functions}
    assert set(found) == asked
    for node in found.values():
        assert ast.get_docstring(node), node.name
        assert node.returns and all(a.annotation for a in node.args.args), node.name
        assert isinstance(node.body[-1], ast.Raise), node.name
        assert len(node.body) == 2, node.name


def test_no_solution_model_answer_or_rubric_is_in_what_students_get(name, master, tmp_path):
    with zipfile.ZipFile(export.bundle(name, tmp_path)) as bundled:
        text = "\n".join(bundled.read(entry).decode() for entry in bundled.namelist())
        entry = next(entry for entry in bundled.namelist() if entry.endswith(".ipynb"))
        given = nbformat.reads(bundled.read(entry).decode(), as_version=4)
    lines = "\n".join(cell.source for cell in given.cells)
    kept = docstrings(master)
    leaked = [line for line in solution_lines(master) if line in lines and line not in kept]
    assert leaked == []
    assert "SOLUTION" not in text
    hidden = masters.find(name).hidden.read_text(encoding="utf-8")
    secret = re.findall(r'"([^"\n]{40,})"', hidden)
    assert secret
    assert [phrase for phrase in secret if phrase in text] == []
    for cell in master.cells:
        if {"answer", "rubric"} & set(masters.tags(cell)):
            rest = [line for line in cell.source.splitlines()[1:] if len(line) > 25]
            assert [line for line in rest if line in lines] == []
    assert not any(cell.get("outputs") for cell in given.cells)
    letters = [cell.id for cell in given.cells if re.search(r"q\d+.?[a-e]$", cell.id)]
    assert letters == [], "a cell's id must not tell the letter of a quiz"
    assert re.search(r'^q\d+ = ""$', lines, re.MULTILINE)
    assert not re.search(r'^q\d+ = "\w+"$', lines, re.MULTILINE)


def test_a_code_cell_of_the_student_version_fits_on_a_small_screen(master):
    lengths = {len(cell.source.splitlines()) for cell in code(masters.student(master))}
    assert max(lengths) <= SHORT


def test_the_student_version_runs_to_not_implemented_and_nothing_worse(master, homework):
    given = masters.student(master, seed=5)
    assert given.metadata["lectures_lib"] == {"homework": homework.name, "seed": 5}
    assert "SEED = 5" in "\n".join(cell.source for cell in code(given))
    NotebookClient(
        given, timeout=120, allow_errors=True, resources={"metadata": {"path": str(ROOT)}}
    ).execute()
    outputs = [output for cell in code(given) for output in cell.outputs]
    errors = {o.ename for o in outputs if o.output_type == "error"}
    assert errors <= {"NotImplementedError"}
    printed = "".join(o.text for o in outputs if o.output_type == "stream")
    assert "not written yet" in printed
    assert "NOT WRITTEN" in printed
    assert "NOT ANSWERED" in printed
    assert "✓" not in printed


def test_every_student_has_data_of_his_own(homework):
    mine, other = homework.data(1), homework.data(2)
    assert values.encode(homework.data(1)) == values.encode(mine)
    assert mine.keys() == other.keys()
    flat = [np.concatenate([np.ravel(v) for v in every(one)]) for one in (mine, other)]
    assert len(flat[0]) != len(flat[1]) or not np.allclose(*flat)


def every(data):
    """Yield all arrays and numbers of a student's data, those in lists, too."""
    for value in data.values():
        yield from value if isinstance(value, list) else [value]


def test_seeds_depend_on_the_student_alone():
    assert masters.seed_of("alice") == masters.seed_of("alice") != masters.seed_of("bob")


def test_a_stub_keeps_signature_and_docstring_and_loses_the_rest():
    source = (
        'def f(x: int) -> int:\n    """Say f."""\n    ### BEGIN SOLUTION\n    return 7 * x\n'
        "    ### END SOLUTION"
    )
    stub = masters.stub(source)
    assert stub == (
        'def f(x: int) -> int:\n    """Say f."""\n    raise NotImplementedError("write f")'
    )
    assert masters.stub('q5 = "C"') == 'q5 = ""'
    with pytest.raises(masters.MasterError, match="without"):
        masters.stub(source.replace(masters.END, ""))


def test_a_homework_that_is_not_there_is_named():
    with pytest.raises(masters.MasterError, match="there is hw1"):
        masters.find("hw77")
