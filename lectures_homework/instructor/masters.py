"""The masters with their solutions: found, loaded, and turned into what students get.

A homework is a folder of `notebooks/homework` with three files: `hw1/hw1_topic.ipynb` with the
solutions, `hidden.py` with the hidden checks and `answers.py` with the planted answers. The visible
checks are in `lectures_homework.hw1`.
"""

import ast
import copy
import hashlib
import importlib.util
import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from ..language.answers import Answers
from ..language.checks import Assignment
from ..language.unchanged import and_unchanged
from ..student.client import visible

if TYPE_CHECKING:
    import nbformat

#: Where the masters are in a clone of the course.
FOLDER = Path(__file__).resolve().parents[2] / "notebooks" / "homework"

BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
BLANK = "*Write here.*"


class MasterError(ValueError):
    """A master that cannot be used, and what to do about it."""


@dataclass(frozen=True)
class Master:
    """The three files of a homework."""

    name: str
    notebook: Path
    hidden: Path
    answers: Path

    def cells(self) -> list[dict]:
        """Return the notebook's cells, as they are in the file."""
        return json.loads(self.notebook.read_text(encoding="utf-8"))["cells"]

    def read(self) -> "nbformat.NotebookNode":
        """Return the notebook with its solutions."""
        import nbformat  # here, because it takes two seconds and the graders need no master

        return nbformat.read(self.notebook, as_version=4)


def names(folder: Path = FOLDER) -> list[str]:
    """Return the names of the homeworks in a folder: hw1, hw2, ..."""
    return sorted(path.parent.name for path in folder.glob("hw*/hw*_*.ipynb"))


def find(name: str, folder: Path = FOLDER) -> Master:
    """Return the files of a homework."""
    notebooks = sorted(folder.glob(f"{name}/{name}_*.ipynb"))
    if len(notebooks) != 1:
        known = ", ".join(names(folder)) or "none at all"
        raise MasterError(f"No homework {name!r} in {folder.name}: there is {known}.")
    hidden, answers = folder / name / "hidden.py", folder / name / "answers.py"
    for path in (hidden, answers):
        if not path.is_file():
            raise MasterError(f"{path.name} is missing beside {notebooks[0].name}.")
    return Master(name, notebooks[0], hidden, answers)


def load(name: str, folder: Path = FOLDER) -> Assignment:
    """Return a homework with its visible and its hidden checks."""
    homework = visible(name)
    _module(find(name, folder).hidden).add(homework)
    homework.checks = [and_unchanged(check) for check in homework.checks]
    for question in homework.functions:
        hidden = [c for c in homework.checks if c.question == question and c.hidden]
        found = (len(hidden), sum(check.points for check in hidden))
        if found != homework.hidden_points[question]:
            stated = homework.hidden_points[question]
            raise MasterError(f"{name} {question} tells students {stated}, but {found} is hidden.")
    return homework


def load_answers(name: str, folder: Path = FOLDER) -> Answers:
    """Return the planted answers of a homework, its slips written out with the solutions."""
    module = _module(find(name, folder).answers)
    module.A.write_out(solutions(name, folder), vars(module))
    return module.A


@cache
def solutions(name: str, folder: Path = FOLDER) -> dict[str, str]:
    """Return the text of each solution by the name of its function, with what it imports."""
    cells = find(name, folder).cells()
    code = [(c, "".join(c["source"])) for c in cells if c["cell_type"] == "code"]
    imports = [n for _, text in code for n in _top(text, ast.Import, ast.ImportFrom)]
    needed = [line for n in imports if "lectures_" not in (line := ast.unparse(n))]
    return {
        function.name: "\n".join([*needed, ast.get_source_segment(text, function) or ""])
        for cell, text in code
        if "solution" in cell["metadata"].get("tags", [])
        for function in _top(text, ast.FunctionDef)
    }


def rubrics(name: str, folder: Path = FOLDER) -> dict[str, str]:
    """Return the model answer and the rubric of each question that is graded by hand."""
    found: dict[str, list[str]] = {}
    question = ""
    for cell in find(name, folder).cells():
        text = "".join(cell["source"])
        question = next(iter(re.findall(r"^## (q\d+)\.", text, re.MULTILINE)), question)
        if {"answer", "rubric"} & set(cell["metadata"].get("tags", [])):
            found.setdefault(question, []).append(text)
    return {question: "\n\n".join(texts) for question, texts in found.items()}


def _top(text: str, *kinds: type) -> list:
    """Return the statements of a cell that are of a kind; lines for IPython have none."""
    try:
        return [node for node in ast.parse(text).body if isinstance(node, kinds)]
    except SyntaxError:
        return []


def _module(path: Path) -> ModuleType:
    """Run a file as a module of its own, without leaving it importable."""
    spec = importlib.util.spec_from_file_location(f"{path.parent.name}_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise MasterError(f"{path} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def student(notebook: "nbformat.NotebookNode", seed: int = 0) -> "nbformat.NotebookNode":
    """Return the student version: stubs for solutions, no outputs, no rubric, this seed."""
    made = copy.deepcopy(notebook)
    made.cells = [cell for cell in made.cells if "rubric" not in tags(cell)]
    for cell in made.cells:
        if "solution" in tags(cell):
            cell.source = stub(cell.source)
            cell.id = f"answer-{made.cells.index(cell)}"  # ids are made of the text: q5 = "B", q5-b
        elif "answer" in tags(cell):
            cell.source = f"{_answer_heading(cell.source)} {BLANK}"
        if cell.cell_type == "code":
            cell.source = re.sub(r"^SEED = \d+", f"SEED = {seed}", cell.source)
            cell.outputs, cell.execution_count = [], None
    made.metadata["lectures_lib"] = {"homework": _homework(notebook), "seed": seed}
    return made


def stub(source: str) -> str:
    """Return a solution cell without its solutions.

    Of a function the signature and the docstring stay, and it raises NotImplementedError; the
    variable of a quiz becomes "".
    """
    if BEGIN not in source:
        return re.sub(r'^(q\d+) = "\w"$', r'\1 = ""', source, flags=re.MULTILINE)
    lines, function, keep = [], "", True
    for line in source.splitlines():
        if found := re.match(r"def (\w+)\(", line):
            function = found[1]
        if line.strip() == BEGIN:
            indent = line[: len(line) - len(line.lstrip())]
            lines.append(f'{indent}raise NotImplementedError("write {function}")')
        keep = keep and line.strip() != BEGIN
        if keep:
            lines.append(line)
        keep = keep or line.strip() == END
    if not keep:
        raise MasterError(f"{BEGIN} without {END} in the cell of {function}.")
    return "\n".join(lines)


def seed_of(student: str) -> int:
    """Return the seed of a student's own data, from 1 to a million, the same wherever asked."""
    return 1 + int.from_bytes(hashlib.sha256(student.encode()).digest()[:4], "big") % 1_000_000


def tags(cell: "nbformat.NotebookNode") -> list[str]:
    """Return the tags of a cell."""
    return cell.metadata.get("tags", [])


def _answer_heading(source: str) -> str:
    found = re.match(r"\*\*Answer q\d+\.\*\*", source)
    if not found:
        raise MasterError("An answer cell begins with its question, like **Answer q6.**")
    return found[0]


def _homework(notebook: "nbformat.NotebookNode") -> str:
    for cell in notebook.cells:
        if found := re.search(r"from lectures_homework\.(hw\d+) import", cell.source):
            return found[1]
    raise MasterError("The master imports nothing from lectures_homework.hwN.")
