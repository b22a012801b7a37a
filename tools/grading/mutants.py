"""Small changes to the solutions: a grader that is awake sees every one that matters.

Planted answers are the mistakes we thought of. These are the ones nobody thought of: each solution
is changed at one place, an operator, a number, a condition, a statement left out. A change that
keeps full marks is either as right as the solution (`A.equal` in answers.py says why) or a hole
in the checks.

Usage: ``python -m tools.grading.mutants [hw1 ...]`` lists those that keep full marks.
"""

import ast
import contextlib
import io
import sys
import time
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from lectures_homework.instructor import masters
from lectures_homework.language.checks import Assignment, judge
from lectures_homework.student.clock import time_limit
from tools.grading.naming import Patient
from tools.mutation import changed

#: Seconds of the processor for one check of a changed solution; the clock proves nothing.
PATIENCE = 4.0


@dataclass(frozen=True)
class Mutant:
    """A solution with one change; `name` shows the line before and after."""

    question: str
    name: str
    source: str


def mutants(homework: str) -> Iterator[Mutant]:
    """Yield every changed solution of a homework, one change each."""
    asked = {name: q for q, names in masters.load(homework).functions.items() for name in names}
    for source in solutions(homework):
        tree = ast.parse(source)
        for function in tree.body:
            if isinstance(function, ast.FunctionDef) and function.name in asked:
                yield from _of(tree, function, asked[function.name])


def solutions(homework: str) -> list[str]:
    """Return the text of the solution cells."""
    cells = masters.find(homework).read().cells
    return [cell.source for cell in cells if "solution" in masters.tags(cell)]


def _of(tree: ast.Module, function: ast.FunctionDef, question: str) -> Iterator[Mutant]:
    for name, source in changed(tree, function):
        yield Mutant(question, f"{question} {function.name}: {name}", source)


# --- who keeps full marks ------------------------------------------------------------------------


def survivors(homework: str) -> list[str]:
    """Return the names of the changed solutions that keep full marks on their question."""
    known, cells = masters.load(homework), solutions(homework)
    rest = [cell.source for cell in masters.find(homework).read().cells if _imports(cell)]
    kept = []
    for mutant in mutants(homework):
        changed = [mutant.source if _same_names(mutant.source, cell) else cell for cell in cells]
        if _full_marks(known, mutant.question, [*rest, *changed]):
            kept.append(mutant.name)
    return kept


def _imports(cell: Any) -> bool:
    return cell.cell_type == "code" and "import " in cell.source


def _same_names(one: str, other: str) -> bool:
    return _defined(one) == _defined(other)


def _defined(source: str) -> list[str]:
    return [node.name for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)]


def _full_marks(homework: Assignment, question: str, cells: list[str]) -> bool:
    names = {"SEED": 0}
    try:
        with (
            time_limit(10 * PATIENCE, time.process_time),
            np.errstate(all="ignore"),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("ignore")
            for cell in cells:
                with contextlib.redirect_stdout(io.StringIO()):
                    exec(cell, names)
            call = Patient(names, PATIENCE)
            checks = (check for check in homework.checks if check.question == question)
            return all(judge(check, call).passed for check in checks)
    except Exception:
        return False


if __name__ == "__main__":
    for homework in sys.argv[1:] or masters.names():
        count, kept = sum(1 for _ in mutants(homework)), survivors(homework)
        print(f"{homework}: {count} changes, {len(kept)} keep full marks", *kept, sep="\n  ")
