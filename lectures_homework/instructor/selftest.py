"""The kill matrix: the grader proved by planted answers.

Each planted answer is put into the master in place of the solution and goes the whole way, notebook
and sandbox included. A wrong one must lose points on the check meant for it, and the words must
name the misconception; the reference and every legitimate variant must get full marks, in the whole
homework.
"""

import ast
import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import nbformat

from ..language.answers import Planted
from ..language.checks import Verdict
from . import batch, masters
from .grade import Report


@dataclass(frozen=True)
class Row:
    """What happened to one planted answer."""

    homework: str
    question: str
    answer: str  #: the misconception, or what is special about a right answer
    wrong: bool
    outcome: str  #: of the check meant for it, and the points lost; "full marks" of a right answer
    fault: str  #: "" if all is as it must be

    def __str__(self) -> str:
        """Return one line of the table."""
        mark, fault = ("✗", f"  <- {self.fault}") if self.fault else ("✓", "")
        return f"{mark} {self.homework} {self.question:<3} {self.answer:<58} {self.outcome}{fault}"


def kill_matrix(
    homework: str,
    *,
    folder: Path = masters.FOLDER,
    workers: int | None = None,
    planted: Sequence[Planted] | None = None,
    **options: Any,
) -> list[Row]:
    """Grade the reference and every planted answer of a homework; return one row each.

    `planted` are the answers to try, if not all; `options` are those of a job: secret, trust.
    """
    chosen = masters.load_answers(homework, folder).planted if planted is None else planted
    master = masters.find(homework, folder).read()
    jobs = {}
    for i, answer in enumerate([None, *chosen]):
        content = nbformat.writes(planted_in(master, answer)).encode()
        only = answer.only if answer else ""
        job = batch.Job(homework, str(i), content, (), str(folder), only=only, **options)
        jobs[job] = answer
    rows = {int(job.student): row(job, jobs[job], r) for job, r in batch.run(jobs, workers)}
    return [rows[i] for i in sorted(rows)]


def planted_in(master: nbformat.NotebookNode, answer: Planted | None) -> nbformat.NotebookNode:
    """Return the master with a planted answer in place of the function of that name."""
    notebook = copy.deepcopy(master)
    if answer is None:
        return notebook
    for cell in notebook.cells:
        if "solution" in masters.tags(cell) and (lines := _lines_of(cell.source, answer.name)):
            text = cell.source.splitlines()
            text[lines[0] : lines[1]] = answer.source.splitlines()
            cell.source = "\n".join(text)
            return notebook
    raise masters.MasterError(
        f"No solution cell defines {answer.name}, planted for {answer.question}."
    )


def _lines_of(source: str, function: str) -> tuple[int, int] | None:
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == function:
            return node.lineno - 1, node.end_lineno or node.lineno
    return None


def row(job: batch.Job, answer: Planted | None, report: Report) -> Row:
    """Return what happened to an answer: None stands for the master's solution."""
    if answer is None or not answer.caught_by:
        return _right(job, answer, report)
    asked = (answer.question, answer.caught_by)
    verdict = next((v for v in report.verdicts if (v.question, v.check) == asked), None)
    if verdict is None:
        outcome, fault = "none", "there is no such check"
    else:
        lost = verdict.out_of - verdict.points
        outcome, fault = f"{verdict.status}, -{lost}", fault_in(verdict, answer)
    outcome = f"{answer.caught_by}: {outcome}"
    return Row(job.homework, answer.question, answer.phrase, True, outcome, fault)


def fault_in(verdict: Verdict, answer: Planted) -> str:
    """Return what is wrong with the verdict on a wrong answer; "" if it is caught and named.

    Named is its misconception where it is found by behaviour, or told by the hint.
    """
    if verdict.passed:
        return "NOT CAUGHT"
    named = answer.phrase == verdict.misconception or answer.phrase in verdict.hint
    return "" if named else f"called {verdict.misconception or verdict.hint!r}"


def _right(job: batch.Job, answer: Planted | None, report: Report) -> Row:
    lost = [v for v in report.verdicts if not v.passed]
    what = (answer.question, answer.phrase) if answer else ("all", "the master's solution")
    fault = "; ".join(f"{v.question} {v.check}: {v.status}" for v in lost)
    outcome = f"lost {sum(v.out_of - v.points for v in lost)}" if lost else "full marks"
    return Row(job.homework, *what, False, outcome, fault)


def table(rows: list[Row]) -> Iterator[str]:
    """Yield the lines of the matrix and its sum."""
    yield from map(str, rows)
    wrong, right = ([not row.fault for row in rows if row.wrong == kind] for kind in (True, False))
    yield (
        f"{sum(wrong)} of {len(wrong)} wrong answers caught by the check meant for them and named; "
        f"{sum(right)} of {len(right)} right ones have full marks"
    )
