"""The points by hand, on one local page: answer, rubric, points, comment, the next by keyboard.

The page is served on 127.0.0.1 alone, needs no network, and saves every change at once: points and
comments into by_hand.csv, changes of a single automatic point, with a reason, into overrides.csv.
Names are hidden unless asked for. Only who has the address with its secret word can read or write.
"""

import json
import mimetypes
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ..language.checks import Assignment
from . import masters, report
from .grade import Report

#: What a browser may show; everything else is only offered for download.
SHOWN = ("application/pdf", "image/png", "image/jpeg", "image/gif", "image/webp", "text/plain")
#: The longest message that is read.
LONGEST = 100_000


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
        self.rows = report.rows_by_hand(self.table)
        self.overrides = report.read_overrides(self.folder / report.OVERRIDES)
        self.verdicts = dict(_verdicts(self.folder / "results"))

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
            "items": [self._item(number) for number in range(len(self.rows))],
        }

    def _item(self, number: int) -> dict:
        row = self.rows[number]
        student = row["student"]
        order = list(dict.fromkeys(r["student"] for r in self.rows))
        shown = student if self.names else f"submission {order.index(student) + 1}"
        files = [Path(name).name for name in self._attached(number)]
        return {
            "who": shown,
            "question": row["question"],
            "points": row.get("points") or "",
            "most": self.homework.by_hand.get(row["question"], 0),
            "comment": row.get("comment") or "",
            "answer": row.get("answer") or "",
            "attachments": files if self.names else [f"file {i + 1}" for i in range(len(files))],
            "checks": [self._check(student, v) for v in self.verdicts.get(student, ())],
        }

    def _check(self, student: str, verdict: Any) -> dict:
        changed = self.overrides.get((student, verdict.question, verdict.check))
        points, reason = changed or (verdict.points, "")
        facts = {"question": verdict.question, "check": verdict.check, "status": verdict.status}
        return facts | {"points": points, "out_of": verdict.out_of, "reason": reason}

    def _attached(self, number: int) -> list[str]:
        return list(filter(None, (self.rows[number].get("attachments") or "").split(report.AND)))

    def attachment(self, number: int, which: int) -> Path:
        """Return the file of an attachment."""
        return self.folder / self._attached(number)[which]

    def mark(self, number: int, points: str, comment: str) -> None:
        """Set points and comment of one answer, and save; "" takes the points away."""
        row, points = self.rows[number], points.strip().replace(",", ".")
        most = self.homework.by_hand[row["question"]]
        if points and not _between(points, most):
            raise ValueError(f"points are a number from 0 to {most}")
        with self._lock:
            row |= {"points": points, "comment": comment}
            report.save_by_hand(self.table, self.rows)

    def override(self, number: int, question: str, check: str, points: str, reason: str) -> None:
        """Change what a check has earned, and save; without points the change is taken back."""
        student = self.rows[number]["student"]
        verdicts = [v for v in self.verdicts[student] if (v.question, v.check) == (question, check)]
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
                self.overrides[key] = float(points), reason.strip()
            report.save_overrides(self.folder / report.OVERRIDES, self.overrides)


def _between(text: str, most: float) -> bool:
    try:
        return 0 <= float(text) <= most
    except ValueError:
        return False


def _verdicts(folder: Path):
    for path in sorted(folder.glob("*.json")):
        try:
            kept = json.loads(path.read_text(encoding="utf-8"))
            yield kept["student"], Report.from_dict(kept["report"]).verdicts
        except (ValueError, KeyError, TypeError):
            continue


# --- the server ----------------------------------------------------------------------------------


def serve(sheet: Sheet, port: int = 0) -> tuple[ThreadingHTTPServer, str]:
    """Return a server on this machine alone, not yet running, and the address of the page."""
    word = secrets.token_urlsafe(16)
    server = ThreadingHTTPServer(("127.0.0.1", port), _handler(sheet, word))
    return server, f"http://127.0.0.1:{server.server_address[1]}/{word}/"


def _handler(sheet: Sheet, word: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        """Answers the page; whoever does not know the word gets nothing."""

        server_version, sys_version = "marking", ""

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            """Answer with the page, the state, or an attachment."""
            self._answer(self._get)

        def do_POST(self) -> None:
            """Save a change."""
            self._answer(self._post)

        def _answer(self, how: Callable[[list[str]], None]) -> None:
            host = f"127.0.0.1:{self.server.server_address[1]}"
            _, given, *rest = self.path.split("/")
            if self.headers.get("Host") != host or not secrets.compare_digest(
                given.encode(), word.encode()
            ):
                return self._send(403, b"")
            try:
                how(rest)
            except (ValueError, KeyError, IndexError, TypeError, OSError) as error:
                self._send(400, json.dumps({"error": str(error)}).encode(), "application/json")

        def _get(self, rest: list[str]) -> None:
            if rest in ([""], []):
                nonce = secrets.token_urlsafe(12)
                page = report.page("mark.html", nonce=nonce).encode()
                rule = f"default-src 'none'; connect-src 'self'; script-src 'nonce-{nonce}'; "
                self._send(200, page, "text/html", policy=rule + "style-src 'unsafe-inline'")
            elif rest == ["state"]:
                self._send(200, json.dumps(sheet.state()).encode(), "application/json")
            elif len(rest) == 3 and rest[0] == "file":
                self._file(sheet.attachment(int(rest[1]), int(rest[2])))
            else:
                self._send(404, b"")

        def _file(self, path: Path) -> None:
            kind = mimetypes.guess_type(path.name)[0]
            how = "inline" if kind in SHOWN else "attachment"
            named = f"{how}; filename*=UTF-8''{quote(path.name)}"
            told = kind if kind in SHOWN else "application/octet-stream"
            self._send(200, path.read_bytes(), told, disposition=named)

        def _post(self, rest: list[str]) -> None:
            if self.headers.get("Content-Type") != "application/json":
                raise ValueError("only JSON is read")
            length = int(self.headers.get("Content-Length", 0))
            if not 0 < length <= LONGEST:
                raise ValueError("too long")
            given = json.loads(self.rfile.read(length))
            save = {"mark": sheet.mark, "override": sheet.override}[rest[0]]
            number = int(given.pop("number"))
            if not 0 <= number < len(sheet.rows):
                raise ValueError("there is no such answer")
            save(number, **{name: str(text) for name, text in given.items()})
            self._send(200, json.dumps(sheet._item(number)).encode(), "application/json")

        def _send(
            self,
            status: int,
            body: bytes,
            kind: str = "text/plain",
            *,
            policy: str = "default-src 'none'; sandbox",
            disposition: str = "",
        ) -> None:
            self.send_response(status)
            coding = "; charset=utf-8" if kind.startswith("text/") else ""
            headers = {"Content-Type": kind + coding, "Content-Length": str(len(body))}
            headers |= {"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff"}
            headers |= {"Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
            headers |= {"Content-Disposition": disposition} if disposition else {}
            for name, text in headers.items():
                self.send_header(name, text)
            self.end_headers()
            self.wfile.write(body)

    return Handler
