"""The points by hand: what the local page shows (`serving` serves it), and what it saves.

Every change is saved at once: points and comments into by_hand.csv, changes of a single automatic
point, with a reason, into overrides.csv. Names are hidden unless asked for.
"""

import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..language.checks import Assignment
from . import by_hand, masters
from .grade import Report
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

    @property
    def table(self) -> Path:
        """The file with the points."""
        return self.folder / "by_hand.csv"

    def state(self) -> dict:
        """Return all that the page shows, as plain values."""
        return {
            "homework": self.homework.name,
            "title": self.homework.title,
            "rubric": masters.rubrics(self.homework.name, self.home),
            "items": [self.item(number) for number in range(len(self.rows))],
        }

    def item(self, number: int) -> dict:
        """Return what the page shows of one answer."""
        row = self.rows[number]
        student = row["student"]
        order = list(dict.fromkeys(r["student"] for r in self.rows))
        shown = student if self.names else f"submission {order.index(student) + 1}"
        files = [Path(name).name for name in by_hand.attached(row)]
        verdicts = self.reports[student].verdicts if student in self.reports else ()
        return {
            "who": shown,
            "question": row["question"],
            "points": row.get("points") or "",
            "most": self.homework.by_hand.get(row["question"], 0),
            "comment": row.get("comment") or "",
            "earlier": row.get("earlier") or "",
            "answer": row.get("answer") or "",
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

    def mark(self, number: int, points: str, comment: str) -> None:
        """Set points and comment of one answer, and save; "" takes the points away."""
        row, points = self.rows[number], points.strip().replace(",", ".")
        most = self.homework.by_hand[row["question"]]
        if points and not _between(points, most):
            raise ValueError(f"points are a number from 0 to {most}")
        with self._lock:
            row |= {"points": points, "comment": comment}
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
