"""Points that people give: the table to be filled in, and what was changed afterwards.

Points belong to what they were given for. A row of the table holds a digest of the answer, a change
of an automatic point one of the file; where that is no longer what is handed in, the points do not
count, and it is said.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from ..language.checks import Assignment, Verdict
from .batch import GradedSubmission
from .grade import Report
from .tables import in_digits, read_table, write_rows

#: (student, question) -> (points by hand, comment)
Marks = dict[tuple[str, str], tuple[float, str]]


class Change(NamedTuple):
    """The points of one check, changed by hand."""

    points: float
    reason: str
    digest: str = ""  #: of the file handed in; "": not known


#: (student, question, check) -> what was changed
Overrides = dict[tuple[str, str, str], Change]


OVERRIDES = "overrides.csv"
CHANGED = ("student", "question", "check", "points", "reason", "digest")
BY_HAND = ("student", "question", "points", "out of", "comment", "answer", "attachments")
BY_HAND += ("earlier", "digest", "parts")
STALE = "the answer has changed since it was marked"


def write_by_hand(homework: Assignment, results: Sequence[GradedSubmission], path: Path) -> None:
    """Write the table in which a person fills in points.

    What was filled in stays as it is, unless the answer is another one now: then the points wait
    in the column `earlier`, and the new answer has none.
    """
    rows = rows_by_hand(path) if path.exists() else []
    there = {(row.get("student"), row.get("question")): row for row in rows}
    for result in results:
        for question, most in homework.by_hand.items():
            row = there.get((result.submission.student, question))
            if row is None:
                row = dict.fromkeys(BY_HAND, "")
                row |= {"student": result.submission.student, "question": question}
                rows.append(row)
            if _is_stale(row, result, question):
                said = f": {row['comment']}" if row.get("comment") else ""
                earlier = f"{row['points']} of {most} for an earlier answer{said}"
                row |= {"points": "", "comment": "", "parts": "", "earlier": earlier}
            shown = result.report.by_hand.get(question, "")
            row |= {"out of": str(most), "answer": shown, "digest": digest(result, question)}
            row["attachments"] = json.dumps(links(result, path.parent)) if _files(result) else ""
    save_by_hand(path, rows)


def digest(result: GradedSubmission, question: str) -> str:
    """Return in one word what a person reads: the answer, and what came with it."""
    files = hashlib.sha256()
    for path in _files(result):
        files.update(path.read_bytes() if path.is_file() else b"")
    more = files.hexdigest()[:12] if _files(result) else "none"
    return f"{_digest_of(result.report.by_hand.get(question, ''))}-{more}"


def _digest_of(text: str) -> str:
    return "d" + hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:12]


def _files(result: GradedSubmission) -> tuple[Path, ...]:
    return result.submission.attachments


def _is_stale(row: Mapping[str, str], result: GradedSubmission, question: str) -> bool:
    """True if a row has points for another answer than the one that is handed in now."""
    if not (row.get("points") or "").strip():
        return False
    now = digest(result, question)
    if row.get("digest"):
        return row["digest"] != now
    old = row.get("answer")  # a table of an earlier version
    return old is not None and _digest_of(old) != now.partition("-")[0]


def save_by_hand(path: Path, rows: Iterable[dict]) -> None:
    """Write the table of points by hand, whole or not at all."""
    write_rows(path, BY_HAND, ([row.get(column) for column in BY_HAND] for row in rows))


def rows_by_hand(path: Path) -> list[dict[str, str]]:
    """Read that table as it is, filled in or not."""
    return read_table(path, "student", "question", "points")


def waiting(path: Path) -> dict[tuple[str, str], str]:
    """Return (student, question) -> the earlier points, where a changed answer has none yet."""
    rows = rows_by_hand(path) if path.is_file() else []
    return {
        (row["student"], row["question"]): row["earlier"]
        for row in rows
        if row.get("earlier") and not (row["points"] or "").strip()
    }


def attached(row: Mapping[str, str]) -> list[str]:
    """Return the attachments of a row, seen from the table's folder."""
    text = row.get("attachments") or ""
    try:
        found = json.loads(text or "[]")
    except ValueError:
        found = [text]  # a table of an earlier version
    return [name for name in found if isinstance(name, str)] if isinstance(found, list) else []


def read_overrides(path: Path) -> Overrides:
    """Read the changes of single automatic points; none if there is no file."""
    if not path.is_file():
        return {}
    rows = read_table(path, *CHANGED[:-1])
    try:
        return {
            (row["student"], row["question"], row["check"]): Change(
                float(row["points"]), row["reason"], row.get("digest") or ""
            )
            for row in rows
        }
    except (TypeError, ValueError):
        raise ValueError(f"{path.name} has points that are no number.") from None


def save_overrides(path: Path, changes: Overrides) -> None:
    """Write the changes of single automatic points."""
    rows = ([*key, in_digits(one.points), one.reason, one.digest] for key, one in changes.items())
    write_rows(path, CHANGED, rows)


def overridden(results: Iterable[GradedSubmission], changes: Overrides) -> list[GradedSubmission]:
    """Return the results with single points changed by hand, each with its reason."""

    def report(one: GradedSubmission) -> Report:
        verdicts = tuple(_changed(one, verdict, changes) for verdict in one.report.verdicts)
        return replace(one.report, verdicts=verdicts)

    return [replace(one, report=report(one)) for one in results]


def _changed(one: GradedSubmission, verdict: Verdict, changes: Overrides) -> Verdict:
    """Return a verdict as a person changed it.

    A change that was made for an earlier file does not count, nor one that a pass has overtaken.
    """
    found = changes.get((one.submission.student, verdict.question, verdict.check))
    if found is None or is_outdated(found, one.report.digest):
        return verdict
    overtaken = not found.digest and verdict.passed
    if overtaken or not found.reason or not 0 <= found.points <= verdict.out_of:
        return verdict
    return replace(verdict, points=found.points, reason=found.reason)


def is_outdated(change: Change, now: str) -> bool:
    """True if a change was made for another file than the one of this digest."""
    return bool(change.digest and now) and change.digest != now


def outdated(results: Iterable[GradedSubmission], changes: Overrides) -> list[str]:
    """Return a sentence for each change that was made for an earlier file."""
    now = {result.submission.student: result.report.digest for result in results}
    return [
        f"{student}, {question}, {check}: {in_digits(change.points)} points were given by hand for "
        "an earlier file and do not count now. Look at it once more on the page of `mark`."
        for (student, question, check), change in changes.items()
        if student in now and is_outdated(change, now[student])
    ]


def read_by_hand(
    homework: Assignment,
    path: Path,
    students: Iterable[str],
    results: Iterable[GradedSubmission] = (),
) -> Marks:
    """Read the points given by hand; every student and question must be there and in range.

    Points that were given for another answer than that of `results` are refused.
    """
    marks: Marks = {}
    now = {result.submission.student: result for result in results}
    for number, row in enumerate(rows_by_hand(path), start=1):
        try:
            who, question = row["student"], row["question"]
            empty = row.get("earlier") and not (row["points"] or "").strip()
            if empty or (who in now and _is_stale(row, now[who], question)):
                raise ValueError(f"{who}, {question}: {STALE}. Mark it once more.")
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


def links(result: GradedSubmission, start: Path) -> list[str]:
    """Return where the attachments of a student are, as seen from a folder."""
    return [Path(os.path.relpath(path, start)).as_posix() for path in _files(result)]
