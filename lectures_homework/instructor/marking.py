"""The points by hand: what the local page shows (`serving` serves it), and what it saves.

Every change is saved at once: points and comments into by_hand.csv, changes of a single automatic
point, with a reason, into overrides.csv. Names are hidden unless asked for.
"""

import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..language.checks import Assignment
from . import by_hand, masters, rubric
from .formulas import rendered
from .grade import Report
from .submissions import printable
from .tables import in_digits


@dataclass
class Sheet:
    """The table of points by hand of one homework, and the changes of automatic points."""

    homework: Assignment
    folder: Path  #: grades/hw1
    home: Path = masters.FOLDER
    names: bool = False  #: show who it is
    rows: list[dict] = field(init=False)
    overrides: dict = field(init=False)

    def __post_init__(self) -> None:
        """Read what is there."""
        if not self.table.is_file():
            raise ValueError(f"There is no {self.table}: grade {self.homework.name} first.")
        self._lock = threading.Lock()
        self.rows = by_hand.rows_by_hand(self.table)
        self.overrides = by_hand.read_overrides(self.folder / by_hand.OVERRIDES)
        self.reports = dict(_reports(self.folder / "results"))
        self.parts = rubric.parts(self.homework.name, self.folder, self.home)
        self.groups = self._groups()

    def _groups(self) -> list[int]:
        """Return for each row the first row of the same question with an answer like it."""
        found = list(range(len(self.rows)))
        for question in self.homework.by_hand:
            own = [k for k, row in enumerate(self.rows) if row["question"] == question]
            first = rubric.groups([self.rows[k].get("answer") or "" for k in own])
            for k, place in zip(own, first):
                found[k] = own[place]
        return found

    @property
    def table(self) -> Path:
        """The file with the points."""
        return self.folder / "by_hand.csv"

    def state(self) -> dict:
        """Return all that the page shows, as plain values."""
        return {
            "homework": self.homework.name,
            "title": self.homework.title,
            "rubric": {
                question: rendered(_in_paragraphs(text))
                for question, text in masters.rubrics(self.homework.name, self.home).items()
            },
            "parts": {
                question: [one | {"shown": rendered(one["step"])} for one in own]
                for question, own in self.parts.items()
            },
            "items": [self.item(number) for number in range(len(self.rows))],
        }

    def item(self, number: int) -> dict:
        """Return what the page shows of one answer."""
        row = self.rows[number]
        student = row["student"]
        order = list(dict.fromkeys(r["student"] for r in self.rows))
        shown = student if self.names else f"submission {order.index(student) + 1}"
        files = [printable(Path(name).name) for name in by_hand.attached(row)]
        verdicts = self.reports[student].verdicts if student in self.reports else ()
        return {
            "who": shown,
            "question": row["question"],
            "points": row.get("points") or "",
            "most": self.homework.by_hand.get(row["question"], 0),
            "comment": row.get("comment") or "",
            "earlier": row.get("earlier") or "",
            "answer": row.get("answer") or "",
            "shown": rendered(row.get("answer") or ""),
            "parts": rubric.given(row),
            "alike": [k for k, first in enumerate(self.groups) if first == self.groups[number]],
            "attachments": files if self.names else [f"file {i + 1}" for i in range(len(files))],
            "checks": [self._check(student, verdict) for verdict in verdicts],
        }

    def _check(self, student: str, verdict: Any) -> dict:
        change = self.overrides.get((student, verdict.question, verdict.check))
        points, reason, earlier = verdict.points, "", ""
        if change and by_hand.is_outdated(change, self.reports[student].digest):
            earlier = f"{in_digits(change.points)} given for an earlier file: {change.reason}"
        elif change:
            points, reason = change.points, change.reason
        facts = {"question": verdict.question, "check": verdict.check, "status": verdict.status}
        facts |= {"points": points, "out_of": verdict.out_of}
        return facts | {"reason": reason, "earlier": earlier}

    def attachment(self, number: int, which: int) -> Path:
        """Return the file of an attachment."""
        path = self.folder / by_hand.attached(self.rows[number])[which]
        if path.is_symlink():
            raise ValueError("a link is not followed")
        return path

    def mark(self, number: int, points: str, comment: str, parts: str = "") -> None:
        """Set points and comment of one answer, and save; "" takes the points away.

        `parts` are the places of the rubric's parts that it earns: then the points are their sum.
        """
        row, points = self.rows[number], points.strip().replace(",", ".")
        most = self.homework.by_hand[row["question"]]
        places = [int(text) for text in parts.split()]
        if places:
            points = self._sum(row["question"], places)
        if points and not _between(points, most):
            raise ValueError(f"points are a number from 0 to {most}")
        with self._lock:
            row |= {"points": points, "comment": comment, "parts": " ".join(map(str, places))}
            by_hand.save_by_hand(self.table, self.rows)

    def _sum(self, question: str, places: list[int]) -> str:
        own, most = self.parts[question], self.homework.by_hand[question]
        return in_digits(min(most, sum(own[place]["points"] for place in set(places))))

    def weigh(self, number: int, place: str, points: str) -> None:
        """Change the points of a part of the rubric, for all who have it, and save."""
        question = self.rows[number]["question"]
        most, points = self.homework.by_hand[question], points.strip().replace(",", ".")
        if not _between(points, most):
            raise ValueError(f"points are a number from 0 to {most}")
        with self._lock:
            self.parts[question][int(place)]["points"] = float(points)
            rubric.save(self.folder, self.parts)
            for row in self.rows:
                if row["question"] == question and (given := rubric.given(row)):
                    row["points"] = self._sum(question, given)
            by_hand.save_by_hand(self.table, self.rows)

    def share(self, number: int) -> None:
        """Give the points and the comment of an answer to all alike that have no points yet."""
        row = self.rows[number]
        if not (row.get("points") or "").strip():
            raise ValueError("give points first")
        with self._lock:
            for k, first in enumerate(self.groups):
                other = self.rows[k]
                if first == self.groups[number] and not (other.get("points") or "").strip():
                    other |= {name: row.get(name) for name in ("points", "comment", "parts")}
            by_hand.save_by_hand(self.table, self.rows)

    def override(self, number: int, question: str, check: str, points: str, reason: str) -> None:
        """Change what a check has earned, and save; without points the change is taken back."""
        student = self.rows[number]["student"]
        report = self.reports[student]
        verdicts = [v for v in report.verdicts if (v.question, v.check) == (question, check)]
        if not verdicts:
            raise ValueError(f"there is no check {check!r} in {question}")
        key, points = (student, question, check), points.strip().replace(",", ".")
        if points and not _between(points, verdicts[0].out_of):
            raise ValueError(f"points are a number from 0 to {verdicts[0].out_of}")
        if points and not reason.strip():
            raise ValueError("a change needs a reason: the student reads it")
        with self._lock:
            self.overrides.pop(key, None)
            if points:
                self.overrides[key] = by_hand.Change(float(points), reason.strip(), report.digest)
            by_hand.save_overrides(self.folder / by_hand.OVERRIDES, self.overrides)


def _in_paragraphs(text: str) -> str:
    """Return a rubric with a line for each paragraph, and without its table: that stands above."""
    plain = re.sub(r"(?m)^\|.*\|\n?", "", text)
    return re.sub(r"\n{3,}", "\n\n", re.sub(r"(?<!\n)\n(?!\n|[-*] |\d+\. )", " ", plain))


def _between(text: str, most: float) -> bool:
    try:
        return 0 <= float(text) <= most
    except ValueError:
        return False


def _reports(folder: Path) -> Iterator[tuple[str, Report]]:
    for path in sorted(folder.glob("*.json")):
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            yield kept["student"], Report.from_dict(kept["report"])
        except (ValueError, KeyError, TypeError):
            continue
