"""What a graded class is told: grades.csv, checks.csv, a page for each student, a summary.

grades.csv has the columns that Canvas imports; Moodle reads the same file, there one chooses which
column names the student and which holds the grade. moodle.csv is the worksheet that belongs to
Moodle's own download. Everything a student wrote is escaped.
"""

import statistics
from collections import Counter
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2

from ..language.checks import Assignment
from ..sandbox.session import NOT_STARTED
from .batch import GradedSubmission, safe_name
from .by_hand import STALE, Marks, links, waiting, write_by_hand
from .formulas import rendered
from .rubric import Steps
from .submissions import printable
from .tables import counted, in_digits, write_rows

CANVAS = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
MOODLE = ("Identifier", "Full name", "Grade", "Last modified (grade)")
BARS = 10


def write(
    homework: Assignment,
    results: Sequence[GradedSubmission],
    out: Path,
    marks: Marks | None,
    steps: Steps | None = None,
) -> None:
    """Write every file; `marks` are the points given by hand, None if that is still to be done.

    `steps` are the parts of the rubric that the answers have earned.
    """
    out.mkdir(parents=True, exist_ok=True)
    write_grades(homework, results, out / "grades.csv", marks)
    write_worksheet(homework, results, out / "moodle.csv", marks)
    write_checks(results, out / "checks.csv")
    if marks is None:
        write_by_hand(homework, results, out / "by_hand.csv")
    changed = waiting(out / "by_hand.csv") if marks is None else {}
    pages = out / "feedback"
    pages.mkdir(exist_ok=True)
    for result in results:
        page = feedback(homework, result, marks, pages, changed, steps)
        (pages / f"{safe_name(result.submission.student)}.html").write_text(page, encoding="utf-8")
    (out / "summary.html").write_text(summary(homework, results, marks), encoding="utf-8")


def last_lines(
    homework: Assignment, results: Sequence[GradedSubmission], out: Path, marks: Marks | None
) -> list[str]:
    """Return what the command line says at the end."""
    points = [_points(homework, result, marks) for result in results]
    mean, out_of = statistics.fmean(points), _out_of(homework, marks)
    many, page = counted(len(results), "submission"), out / "summary.html"
    lines = [f"{many}, mean {mean:.1f} of {out_of} points: {page}"]
    for m in misconceptions(results)[:3]:
        lines.append(f"  {m['count']} x {m['question']}: {m['phrase']}")
    again = sum(map(_waits, results))
    if again:
        lines.append(f"{again} could not be run and have no points yet: run the command again.")
    odd = sum(bool(result.report.notes or result.report.flags) for result in results)
    if odd:
        lines.append(f"{odd} to look at yourself: they stand at the end of the summary.")
    if marks is None:
        lines += [f"{', '.join(key)}: {STALE}." for key in waiting(out / "by_hand.csv")]
    if marks is None and homework.by_hand:
        more = sum(homework.by_hand.values())
        lines.append(f"{more} more points are given by hand: fill in {out / 'by_hand.csv'},")
        lines.append("then run the same command with --by-hand and that file.")
    return lines


# --- tables --------------------------------------------------------------------------------------


def write_grades(
    homework: Assignment, results: Sequence[GradedSubmission], path: Path, marks: Marks | None
) -> None:
    """Write one row for each student; the last column says in its name what it holds."""
    column = f"{homework.name} {homework.title}"
    column += ", automatic part" if marks is None else ""
    rows = []
    for result in results:
        who = result.submission
        points = _shown_points(homework, result, marks)
        rows.append([who.student, who.identity, "", who.login, "", points])
    write_rows(path, (*CANVAS, column), rows)


def write_worksheet(
    homework: Assignment, results: Sequence[GradedSubmission], path: Path, marks: Marks | None
) -> None:
    """Write Moodle's worksheet for offline grading, of those who are in Moodle's download."""
    rows = []
    for result in results:
        who = result.submission
        if who.participant:
            points = _shown_points(homework, result, marks)
            rows.append([f"Participant {who.identity}", who.login, points, ""])
    if rows:
        write_rows(path, MOODLE, rows)


def write_checks(results: Sequence[GradedSubmission], path: Path) -> None:
    """Write one row for each student and check."""
    columns = ("question", "check", "hidden", "status", "points", "out_of", "misconception")
    columns += ("follows",)
    rows = [
        [result.submission.student, *(getattr(verdict, column) for column in columns)]
        for result in results
        for verdict in result.report.verdicts
    ]
    write_rows(path, ("student", *columns), rows)


def _shown_points(homework: Assignment, result: GradedSubmission, marks: Marks | None) -> str:
    return "" if _waits(result) else in_digits(_points(homework, result, marks))


def _waits(result: GradedSubmission) -> bool:
    """True if the grader could not run the notebook: that is no earned zero."""
    return NOT_STARTED in result.report.notes


def _points(homework: Assignment, result: GradedSubmission, marks: Marks | None) -> float:
    given, student = marks or {}, result.submission.student
    by_hand = homework.by_hand if marks is not None else {}
    earned = result.report.points + sum(float(given[student, q][0]) for q in by_hand)
    return max(0.0, earned - result.submission.costs)


def _out_of(homework: Assignment, marks: Marks | None) -> int:
    return homework.automatic + (sum(homework.by_hand.values()) if marks is not None else 0)


# --- pages ---------------------------------------------------------------------------------------


@cache
def _template(name: str) -> jinja2.Template:
    loader = jinja2.PackageLoader(__package__, "templates")
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True)
    environment.filters["formulas"] = rendered
    return environment.get_template(name)


def page(name: str, **facts: Any) -> str:
    """Return a page made of a template."""
    return _template(name).render(**facts)


def feedback(
    homework: Assignment,
    result: GradedSubmission,
    marks: Marks | None,
    place: Path = Path(),
    changed: Collection[tuple[str, str]] = (),
    steps: Steps | None = None,
) -> str:
    """Return the page of one student; `place` is the folder of the page.

    `changed` names the answers that are other ones than those that were marked.
    """
    questions = [_question(homework, result, q, marks, changed) for q in homework.questions]
    for shown in questions if marks is not None else ():
        shown["steps"] = (steps or {}).get((result.submission.student, shown["name"]), [])
    return _template("feedback.html").render(
        name=homework.name,
        title=homework.title,
        student=result.submission.student,
        points=in_digits(_points(homework, result, marks)),
        out_of=_out_of(homework, marks),
        complete=marks is not None or not homework.by_hand,
        by_hand_points=sum(homework.by_hand.values()),
        waits=_waits(result),
        notes=result.report.notes,
        attachments=[
            (printable(Path(link).name), f"./{quote(link, errors='surrogateescape')}")
            for link in links(result, place)
        ],
        questions=questions,
    )


def _question(
    homework: Assignment,
    result: GradedSubmission,
    name: str,
    marks: Marks | None,
    changed: Collection[tuple[str, str]],
) -> dict:
    verdicts = [v for v in result.report.verdicts if v.question == name]
    points, out_of = sum(v.points for v in verdicts), sum(v.out_of for v in verdicts)
    shown = {"name": name, "verdicts": verdicts, "points": in_digits(points), "out_of": out_of}
    if name not in homework.by_hand:
        return shown
    most = homework.by_hand[name]
    mark, comment = (None, "") if marks is None else marks[result.submission.student, name]
    sentence = "Not graded yet." if mark is None else f"{in_digits(mark)} of {most}, given by hand."
    if (result.submission.student, name) in changed:
        sentence += " Your answer has changed since an earlier one was marked."
    shown |= {"points": "?" if mark is None else in_digits(mark), "out_of": most, "mark": sentence}
    return shown | {"by_hand": True, "text": result.report.by_hand.get(name), "comment": comment}


def summary(homework: Assignment, results: Sequence[GradedSubmission], marks: Marks | None) -> str:
    """Return the page about the class."""
    points = [_points(homework, result, marks) for result in results]
    out_of = _out_of(homework, marks)
    bars = _bars(points, out_of)
    histogram = ", ".join(f"{bar['count']} in {bar['label']}" for bar in bars if bar["count"])
    return _template("summary.html").render(
        name=homework.name,
        title=homework.title,
        kind="automatic part" if marks is None else "all points",
        count=len(results),
        handed_in=counted(len(results), "submission"),
        mean=statistics.fmean(points),
        median=statistics.median(points),
        out_of=out_of,
        bars=bars,
        words=f"Submissions by points: {histogram}.",
        misconceptions=misconceptions(results),
        checks=_checks(results),
        students=[_student(homework, result, marks) for result in results],
        odd=[
            {"student": r.submission.student, "notes": (*r.report.flags, *r.report.notes)}
            for r in results
            if r.report.notes or r.report.flags
        ],
    )


def _student(homework: Assignment, result: GradedSubmission, marks: Marks | None) -> dict:
    """Return a row of the table of students."""
    who = result.submission.student
    points = _shown_points(homework, result, marks)
    return {"name": who, "points": points, "page": f"feedback/{quote(safe_name(who))}.html"}


def separation(results: Sequence[GradedSubmission], question: str, check: str) -> float | None:
    """Return how much more often the better part of the class passes a check than the other part.

    The parts, by the points of all other checks, are as equal as ties allow; None if all tie.
    """
    tried = [
        (result.report.points - v.points, v.passed)
        for result in results
        for v in result.report.verdicts
        if (v.question, v.check) == (question, check)
    ]
    cuts = sorted({points for points, _ in tried})[1:]
    if not cuts:
        return None
    cut = min(cuts, key=lambda cut: abs(sum(1 if rest >= cut else -1 for rest, _ in tried)))
    high, low = ([held for rest, held in tried if (rest >= cut) == good] for good in (True, False))
    return statistics.fmean(high) - statistics.fmean(low)


def misconceptions(results: Sequence[GradedSubmission]) -> list[dict]:
    """Return how many students met each known misconception, the most frequent first."""
    met = Counter(
        pair
        for result in results
        for pair in {(v.question, v.misconception) for v in result.report.verdicts}
        if pair[1]
    )
    ordered = sorted(met.items(), key=lambda item: (-item[1], item[0]))
    return [{"question": q, "phrase": phrase, "count": n} for (q, phrase), n in ordered]


def _checks(results: Sequence[GradedSubmission]) -> list[dict]:
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
            "separates": separation(results, question, check),
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
            "label": f"{in_digits(round(i * width, 1))} to {in_digits(round((i + 1) * width, 1))}",
            "start": in_digits(round(i * width, 1)),
        }
        for i in range(BARS)
    ]
