"""What `make homework` writes: a bundle for students, and the same homework for nbgrader.

nbgrader gives points by cell: so each check becomes a cell of its own, and the hidden ones stand
between its markers, which its `generate_assignment` removes. Every student gets a kernel that runs
the whole notebook: so what only shows something, or tells how far one is, is marked to be skipped.
"""

import copy
import re
import zipfile
from pathlib import Path

import nbformat

from ..language.checks import Assignment, Check
from . import masters
from .archives import add

HIDDEN_BEGIN, HIDDEN_END = "### BEGIN HIDDEN TESTS", "### END HIDDEN TESTS"
#: The tag of a cell that nbgrader does not run; JupyterLab does.
SKIP = "skip-execution"

CONFIG = """\
import os

c = get_config()
c.CourseDirectory.course_id = "lectures"
# Every submission has its own kernel: to load numba there takes longer than it saves.
os.environ.setdefault("LECTURES_LIB_JIT", "0")
"""

README = """{title}

Unpack this archive in the folder `notebooks` of the course: then there is
notebooks/{name}/{notebook}. Open it in JupyterLab: `make lab` in the folder of the course, or
upload it on the course's page in the browser. Each question has a cell `check("q1")`: it works
offline and tells you what holds and what does not. Hidden checks run when the homework is graded.
The last cell tells what is missing. Save the notebook and hand in that one file.
"""


def files(name: str, *, seed: int = 0, folder: Path = masters.FOLDER) -> dict[str, str]:
    """Return one student's homework: the notebook and a few words, by their places."""
    master = masters.find(name, folder)
    text = nbformat.writes(masters.student(master.read(), seed))
    title = f"{masters.load(name, folder).title} ({name})"
    mine = f"my_{master.notebook.name}"  # never the name of the solved one
    words = README.format(title=title, notebook=mine, name=name)
    return {f"{name}/{mine}": text, f"{name}/README.txt": words}


def bundle(name: str, out: Path, *, seed: int = 0, folder: Path = masters.FOLDER) -> Path:
    """Write one student's homework as a zip; return its path."""
    content = files(name, seed=seed, folder=folder)
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{name}.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bundled:
        for place, text in content.items():
            add(bundled, place, text)
    return path


def nbgrader(name: str, out: Path, *, folder: Path = masters.FOLDER) -> Path:
    """Write a homework as nbgrader's source: out/source/hw1/hw1_topic.ipynb. Return its path."""
    master = masters.find(name, folder)
    path = out / "source" / name / master.notebook.name
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(for_nbgrader(master, masters.load(name, folder)), path)
    config = out / "nbgrader_config.py"
    if not config.exists():
        config.write_text(CONFIG, encoding="utf-8")
    return path


def for_nbgrader(master: masters.Master, homework: Assignment) -> nbformat.NotebookNode:
    """Return the master with nbgrader's metadata and a cell of its own for each check."""
    notebook = copy.deepcopy(master.read())
    cells: list[nbformat.NotebookNode] = []
    hidden, question = master.hidden.read_text(encoding="utf-8"), ""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        if found := re.match(r"## (q\d+)\.", cell.source):
            question = found[1]
        if "rubric" not in masters.tags(cell):
            cells.append(_marked(cell, len(cells), question, homework))
        if cell.cell_type == "code" and cell.source.strip() in _asking(question):
            cells += [
                _test(c, i, homework, hidden) for i, c in enumerate(_tests(question, homework))
            ]
    notebook.cells = cells
    notebook.nbformat_minor = max(notebook.nbformat_minor, 5)
    return notebook


def _asking(question: str) -> tuple[str, str]:
    return f'check("{question}")', f'quiz("{question}")'


def _tests(question: str, homework: Assignment) -> list[Check | str]:
    """Return the checks of a question, or its quiz by name."""
    if question in homework.quizzes:
        return [question]
    return [check for check in homework.checks if check.question == question]


def _marked(cell, place: int, question: str, homework: Assignment):
    """Give the metadata that nbgrader reads to a solution, an answer by hand, a cell to skip."""
    tags = masters.tags(cell)
    if "solution" in tags:
        if masters.BEGIN not in cell.source:
            asked = [f'# Set {question} to a letter: {question} = "A", or another one.']
            words = asked if question in homework.quizzes else []
            cell.source = "\n".join([*words, masters.BEGIN, cell.source, masters.END])
        names = re.findall(r"^def (\w+)", cell.source, re.MULTILINE)
        _stamp(cell, "-".join([question, "answer", *names]), solution=True)
    elif "answer" in tags:
        points = homework.by_hand[question]
        _stamp(cell, f"{question}-by-hand", solution=True, grade=True, points=points)
    elif _only_shows(cell, question):
        cell.metadata["tags"] = [*tags, SKIP]
        _stamp(cell, f"shown-{place}")  # read-only: no answer can hide in what is skipped
    return cell


def _only_shows(cell, question: str) -> bool:
    """True for figures and for what tells the student how far he is: grading needs neither."""
    if cell.cell_type != "code":
        return False
    return "plots.show(" in cell.source or cell.source.strip() in (*_asking(question), "finish()")


def _test(check: Check | str, index: int, homework: Assignment, hidden: str):
    """Return the cell of one check: an error in it costs its points, and only those."""
    if isinstance(check, str):
        points = homework.quizzes[check].points
        lines = [f"# {check}: the quiz", "from lectures_homework.student import client", ""]
        lines += [HIDDEN_BEGIN, f'client.verify_quiz("{homework.name}", "{check}")', HIDDEN_END]
        return _stamp(_code(lines), f"{check}-quiz", grade=True, points=points)
    call = f'client.verify("{homework.name}", "{check.question}", {check.name!r}'
    lines = ["from lectures_homework.student import client", ""]
    if check.hidden:
        lines = [f"# {check.question}: a hidden check", *lines, HIDDEN_BEGIN]
        lines += [f"{call}, hidden={hidden!r})", HIDDEN_END]
    else:
        lines = [f"# {check.question}: {check.name}", *lines, f"{call})"]
    return _stamp(_code(lines), f"{check.question}-check-{index}", grade=True, points=check.points)


def _code(lines: list[str]):
    return nbformat.v4.new_code_cell("\n".join(lines))


def _stamp(cell, identity: str, *, solution: bool = False, grade: bool = False, points: int = 0):
    """Write nbgrader's metadata, schema 3."""
    facts = {"grade_id": identity, "schema_version": 3, "task": False}
    facts |= {"solution": solution, "grade": grade, "locked": not solution}
    cell.metadata["nbgrader"] = facts | ({"points": points} if grade else {})
    return cell
