"""Points that people give: the table to be filled in, and what was changed afterwards."""

import csv
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..language.checks import Assignment, Verdict
from .batch import Result
from .submissions import printable
from .tables import in_digits, read_cell, write_rows

#: (student, question) -> (points by hand, comment)
Marks = dict[tuple[str, str], tuple[float, str]]


#: (student, question, check) -> (points, reason)
Overrides = dict[tuple[str, str, str], tuple[float, str]]


OVERRIDES, CHANGED = "overrides.csv", ("student", "question", "check", "points", "reason")
BY_HAND = ("student", "question", "points", "out of", "comment", "answer", "attachments")
#: Between the attachments of one cell.
AND = " | "


def write_by_hand(homework: Assignment, results: Sequence[Result], path: Path) -> None:
    """Write the table in which a person fills in points; what was filled in stays as it is."""
    rows = _rows(path) if path.exists() else []
    there = {(row.get("student"), row.get("question")): row for row in rows}
    for result in results:
        student, texts = result.submission.student, result.report.by_hand
        more = AND.join(links(result, path.parent))
        for question, points in homework.by_hand.items():
            if row := there.get((student, question)):
                if not (row.get("points") or "").strip():  # not read yet: show the latest answer
                    row |= {"answer": texts.get(question, ""), "attachments": more}
            else:
                facts: tuple[Any, ...] = (
                    student,
                    question,
                    "",
                    points,
                    "",
                    texts.get(question, ""),
                    more,
                )
                rows.append(dict(zip(BY_HAND, facts)))
    save_by_hand(path, rows)


def save_by_hand(path: Path, rows: Iterable[dict]) -> None:
    """Write the table of points by hand, whole or not at all."""
    write_rows(path, BY_HAND, ([row.get(column) for column in BY_HAND] for row in rows))


def rows_by_hand(path: Path) -> list[dict[str, str]]:
    """Read that table as it is, filled in or not."""
    return _rows(path)


def read_overrides(path: Path) -> Overrides:
    """Read the changes of single automatic points; none if there is no file."""
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = [{k: read_cell(text) for k, text in row.items()} for row in csv.DictReader(file)]
    try:
        return {
            (row["student"], row["question"], row["check"]): (float(row["points"]), row["reason"])
            for row in rows
        }
    except (KeyError, TypeError, ValueError):
        raise ValueError(f"{path.name} needs the columns {', '.join(CHANGED)}.") from None


def save_overrides(path: Path, changes: Overrides) -> None:
    """Write the changes of single automatic points."""
    write_rows(
        path, CHANGED, ([*key, in_digits(points), why] for key, (points, why) in changes.items())
    )


def overridden(results: Iterable[Result], changes: Overrides) -> list[Result]:
    """Return the results with single points changed by hand, each with its reason."""

    def changed(student: str, verdict: Verdict) -> Verdict:
        found = changes.get((student, verdict.question, verdict.check))
        points, reason = found or (0.0, "")
        good = bool(reason) and 0 <= points <= verdict.out_of
        return replace(verdict, points=points, reason=reason) if good else verdict

    return [
        replace(
            one,
            report=replace(
                one.report,
                verdicts=tuple(changed(one.submission.student, v) for v in one.report.verdicts),
            ),
        )
        for one in results
    ]


def _rows(path: Path) -> list[dict[str, str]]:
    """Read the table back, as a spreadsheet may have saved it; never half of it."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            first = file.readline()
            file.seek(0)
            table = csv.DictReader(file, delimiter=max(",;\t", key=first.count))
            rows = [{k: read_cell(text) for k, text in row.items()} for row in table]
    except UnicodeDecodeError:
        raise ValueError(f"{path.name} is not in UTF-8: save it as CSV UTF-8.") from None
    if not {"student", "question", "points"} <= set(table.fieldnames or ()):
        raise ValueError(f"{path.name} needs the columns student, question and points.")
    return rows


def read_by_hand(homework: Assignment, path: Path, students: Iterable[str]) -> Marks:
    """Read the points given by hand; every student and question must be there and in range."""
    marks: Marks = {}
    for number, row in enumerate(_rows(path), start=1):
        try:
            key, mark = _mark(homework, row)
        except (KeyError, TypeError, ValueError) as error:
            raise ValueError(f"{path.name}, row {number}: {error}") from None
        if marks.setdefault(key, mark)[0] != mark[0]:
            raise ValueError(f"{path.name}, row {number}: other points for {', '.join(key)}")
    wanted = {(student, q) for student in students for q in homework.by_hand}
    if missing := sorted(wanted - set(marks)):
        student, question = missing[0]
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise ValueError(
            f"{path.name} has no points for {student}, {question}{more}. Run the command without "
            "--by-hand: it adds the rows that are missing to by_hand.csv."
        )
    return marks


def _mark(homework: Assignment, row: dict[str, str]) -> tuple[tuple[str, str], tuple[float, str]]:
    question, text = row["question"], (row["points"] or "").strip()
    if question not in homework.by_hand:
        raise ValueError(f"{homework.name} has no question {question!r} graded by hand")
    most = homework.by_hand[question]
    try:
        points = float(text.replace(",", "."))
    except ValueError:
        points = float("nan")
    if not 0 <= points <= most:
        who = f"points of {row['student']}, {question}"
        raise ValueError(f"the {who} must be a number from 0 to {most}, not {text!r}")
    return (row["student"], question), (points, row.get("comment") or "")


def links(result: Result, start: Path) -> list[str]:
    """Return where the attachments of a student are, as seen from a folder."""
    return [
        printable(os.path.relpath(path, start)).replace(os.sep, "/")
        for path in result.submission.attachments
    ]
