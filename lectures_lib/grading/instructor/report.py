"""What a graded class is told: grades.csv, checks.csv, a page for each student, a summary.

grades.csv has the columns that Canvas imports; Moodle reads the same file, there one chooses which
column names the student and which holds the grade. moodle.csv is the worksheet that belongs to
Moodle's own download. Everything a student wrote is escaped.
"""

import csv
import os
import re
import statistics
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2

from ..language.checks import Assignment, Verdict
from ..sandbox.session import NOT_STARTED
from .batch import Result, safe_name
from .submissions import printable

#: (student, question) -> (points by hand, comment)
Marks = dict[tuple[str, str], tuple[float, str]]

#: (student, question, check) -> (points, reason)
Overrides = dict[tuple[str, str, str], tuple[float, str]]

OVERRIDES, CHANGED = "overrides.csv", ("student", "question", "check", "points", "reason")
BY_HAND = ("student", "question", "points", "out of", "comment", "answer", "attachments")
#: Between the attachments of one cell.
AND = " | "
CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
MOODLE = ("Identifier", "Full name", "Grade", "Last modified (grade)")
BARS = 10
#: What a spreadsheet would run; quotes in front count, so that what is written can be read back.
FORMULA = re.compile(r"[\s'\"]*[=+\-@＝＋－＠]")
#: Where a spreadsheet, told so or by the custom of its country, begins another cell.
BORDERS = re.compile(r"([;\t\r\n])")


def write(homework: Assignment, results: Sequence[Result], out: Path, marks: Marks | None) -> None:
    """Write every file; `marks` are the points given by hand, None if that is still to be done."""
    out.mkdir(parents=True, exist_ok=True)
    write_grades(homework, results, out / "grades.csv", marks)
    write_worksheet(homework, results, out / "moodle.csv", marks)
    write_checks(results, out / "checks.csv")
    if marks is None:
        write_by_hand(homework, results, out / "by_hand.csv")
    pages = out / "feedback"
    pages.mkdir(exist_ok=True)
    for result in results:
        page = feedback(homework, result, marks, pages)
        (pages / f"{safe_name(result.submission.student)}.html").write_text(page, encoding="utf-8")
    (out / "summary.html").write_text(summary(homework, results, marks), encoding="utf-8")


def told(
    homework: Assignment, results: Sequence[Result], out: Path, marks: Marks | None
) -> list[str]:
    """Return what the command line says at the end."""
    points = [_points(homework, result, marks) for result in results]
    mean, out_of = statistics.fmean(points), _out_of(homework, marks)
    lines = [
        f"{len(results)} submissions, mean {mean:.1f} of {out_of} points: {out / 'summary.html'}"
    ]
    for m in misconceptions(results)[:3]:
        lines.append(f"  {m['count']} x {m['question']}: {m['phrase']}")
    again = sum(map(_waits, results))
    if again:
        lines.append(f"{again} could not be run and have no points yet: run the command again.")
    odd = sum(bool(result.report.notes or result.report.flags) for result in results)
    if odd:
        lines.append(f"{odd} to look at yourself: they stand at the end of the summary.")
    if marks is None and homework.by_hand:
        more = sum(homework.by_hand.values())
        lines.append(f"{more} more points are given by hand: fill in {out / 'by_hand.csv'},")
        lines.append("then run the same command with --by-hand and that file.")
    return lines


# --- tables --------------------------------------------------------------------------------------


def write_grades(
    homework: Assignment, results: Sequence[Result], path: Path, marks: Marks | None
) -> None:
    """Write one row for each student; the last column says in its name what it holds."""
    column = f"{homework.name} {homework.title}"
    column += ", automatic part" if marks is None else ""
    rows = []
    for result in results:
        who = result.submission
        points = "" if _waits(result) else _number(_points(homework, result, marks))
        rows.append([who.student, who.identity, "", who.login, "", points])
    _write(path, (*CANVAS, column), rows)


def write_worksheet(
    homework: Assignment, results: Sequence[Result], path: Path, marks: Marks | None
) -> None:
    """Write Moodle's worksheet for offline grading, of those who are in Moodle's download."""
    rows = []
    for result in results:
        who = result.submission
        if who.participant:
            points = "" if _waits(result) else _number(_points(homework, result, marks))
            rows.append([f"Participant {who.identity}", who.login, points, ""])
    if rows:
        _write(path, MOODLE, rows)


def write_checks(results: Sequence[Result], path: Path) -> None:
    """Write one row for each student and check."""
    columns = ("question", "check", "hidden", "status", "points", "out_of", "misconception")
    columns += ("follows",)
    rows = [
        [result.submission.student, *(getattr(verdict, column) for column in columns)]
        for result in results
        for verdict in result.report.verdicts
    ]
    _write(path, ("student", *columns), rows)


def write_by_hand(homework: Assignment, results: Sequence[Result], path: Path) -> None:
    """Write the table in which a person fills in points; what was filled in stays as it is."""
    rows = _rows(path) if path.exists() else []
    there = {(row.get("student"), row.get("question")): row for row in rows}
    for result in results:
        student, texts = result.submission.student, result.report.by_hand
        more = AND.join(_links(result, path.parent))
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
    _write(path, BY_HAND, ([row.get(column) for column in BY_HAND] for row in rows))


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
    _write(path, CHANGED, ([*key, _number(points), why] for key, (points, why) in changes.items()))


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


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence]) -> None:
    """Write a table, numbers to two digits; nothing in it becomes a formula."""
    path.parent.mkdir(parents=True, exist_ok=True)
    rounded = ([round(v, 2) if isinstance(v, float) else v for v in row] for row in rows)
    _write(path, columns, rounded)


def _write(path: Path, columns: Sequence[str], rows: Iterable[Sequence]) -> None:
    half = path.with_suffix(".part")
    with half.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows([_cell(value) for value in row] for row in rows)
    half.replace(path)


def _cell(value: Any) -> Any:
    """Keep a spreadsheet from running what a student wrote: a formula becomes a text."""
    return _by_parts(value, lambda part: f"'{part}" if FORMULA.match(part) else part)


def read_cell(text: Any) -> Any:
    """Return what `_cell` was given."""
    return _by_parts(
        text, lambda part: part[1:] if part[:1] == "'" and FORMULA.match(part[1:]) else part
    )


def _by_parts(value: Any, change: Callable[[str], str]) -> Any:
    """Change each part of a text that may become a cell of its own."""
    return "".join(map(change, BORDERS.split(value))) if isinstance(value, str) else value


def _links(result: Result, start: Path) -> list[str]:
    """Return where the attachments of a student are, as seen from a folder."""
    return [
        printable(os.path.relpath(path, start)).replace(os.sep, "/")
        for path in result.submission.attachments
    ]


def _waits(result: Result) -> bool:
    """True if the grader could not run the notebook: that is no earned zero."""
    return NOT_STARTED in result.report.notes


def _number(points: float) -> str:
    return f"{points:g}"


def _points(homework: Assignment, result: Result, marks: Marks | None) -> float:
    given, student = marks or {}, result.submission.student
    by_hand = homework.by_hand if marks is not None else {}
    return result.report.points + sum(float(given[student, q][0]) for q in by_hand)


def _out_of(homework: Assignment, marks: Marks | None) -> int:
    return homework.automatic + (sum(homework.by_hand.values()) if marks is not None else 0)


# --- pages ---------------------------------------------------------------------------------------


@cache
def _template(name: str) -> jinja2.Template:
    loader = jinja2.PackageLoader(__package__, "templates")
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True)
    return environment.get_template(name)


def page(name: str, **facts: Any) -> str:
    """Return a page made of a template."""
    return _template(name).render(**facts)


def feedback(
    homework: Assignment, result: Result, marks: Marks | None, place: Path = Path()
) -> str:
    """Return the page of one student; `place` is the folder of the page."""
    return _template("feedback.html").render(
        name=homework.name,
        title=homework.title,
        student=result.submission.student,
        points=_number(_points(homework, result, marks)),
        out_of=_out_of(homework, marks),
        complete=marks is not None or not homework.by_hand,
        by_hand_points=sum(homework.by_hand.values()),
        waits=_waits(result),
        notes=result.report.notes,
        attachments=[(Path(link).name, f"./{quote(link)}") for link in _links(result, place)],
        questions=[_question(homework, result, q, marks) for q in homework.questions],
    )


def _question(homework: Assignment, result: Result, name: str, marks: Marks | None) -> dict:
    verdicts = [v for v in result.report.verdicts if v.question == name]
    points, out_of = sum(v.points for v in verdicts), sum(v.out_of for v in verdicts)
    shown = {"name": name, "verdicts": verdicts, "points": _number(points), "out_of": out_of}
    if name not in homework.by_hand:
        return shown
    most = homework.by_hand[name]
    mark, comment = (None, "") if marks is None else marks[result.submission.student, name]
    told = "Not graded yet." if mark is None else f"{_number(mark)} of {most}, given by hand."
    shown |= {"points": "?" if mark is None else _number(mark), "out_of": most, "mark": told}
    return shown | {"by_hand": True, "text": result.report.by_hand.get(name), "comment": comment}


def summary(homework: Assignment, results: Sequence[Result], marks: Marks | None) -> str:
    """Return the page about the class."""
    points = [_points(homework, result, marks) for result in results]
    out_of = _out_of(homework, marks)
    bars = _bars(points, out_of)
    told = ", ".join(f"{bar['count']} in {bar['label']}" for bar in bars if bar["count"])
    return _template("summary.html").render(
        name=homework.name,
        title=homework.title,
        kind="automatic part" if marks is None else "all points",
        count=len(results),
        mean=statistics.fmean(points),
        median=statistics.median(points),
        out_of=out_of,
        bars=bars,
        words=f"Submissions by points: {told}.",
        misconceptions=misconceptions(results),
        checks=_checks(results),
        odd=[
            {"student": r.submission.student, "notes": (*r.report.flags, *r.report.notes)}
            for r in results
            if r.report.notes or r.report.flags
        ],
    )


def misconceptions(results: Sequence[Result]) -> list[dict]:
    """Return how many students met each known misconception, the most frequent first."""
    met = Counter(
        pair
        for result in results
        for pair in {(v.question, v.misconception) for v in result.report.verdicts}
        if pair[1]
    )
    ordered = sorted(met.items(), key=lambda item: (-item[1], item[0]))
    return [{"question": q, "phrase": phrase, "count": n} for (q, phrase), n in ordered]


def _checks(results: Sequence[Result]) -> list[dict]:
    rows: dict[tuple, Counter] = {}
    for result in results:
        for v in result.report.verdicts:
            rows.setdefault((v.question, v.check, v.hidden), Counter())[v.status] += 1
    return [
        {
            "question": question,
            "check": check,
            "hidden": hidden,
            "held": found.pop("pass", 0),
            "otherwise": ", ".join(f"{n} {status}" for status, n in found.most_common()),
        }
        for (question, check, hidden), found in rows.items()
    ]


def _bars(points: Sequence[float], out_of: int) -> list[dict]:
    """Return the bars of the histogram: equal intervals, the last with its upper end."""
    width = max(out_of, 1) / BARS
    counts = Counter(min(int(p / width), BARS - 1) for p in points)
    most = max(counts.values())
    return [
        {
            "x": 24 + 60 * i,
            "width": 52,
            "height": round(150 * counts[i] / most),
            "count": counts[i],
            "label": f"{_number(i * width)}–{_number((i + 1) * width)}",
        }
        for i in range(BARS)
    ]
