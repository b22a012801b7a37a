"""The server of the page for points by hand: on 127.0.0.1 alone, no network needed.

Only who has the address with its secret word can read or write; what students attached is shown
or offered for download, and never run.
"""

import json
import mimetypes
import secrets
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import quote

from . import report
from .marking import Sheet
from .submissions import printable

#: What a browser may show; everything else is only offered for download.
SHOWN = ("application/pdf", "image/png", "image/jpeg", "image/gif", "image/webp", "text/plain")
#: The longest message that is read.
MAX_MESSAGE = 100_000
#: What a page may load: nothing; the page itself adds its own script and its own style.
NOTHING = "default-src 'none'; "


class Server(ThreadingHTTPServer):
    """Serves one sheet to whoever knows the word."""

    def __init__(self, sheet: Sheet, port: int = 0):
        super().__init__(("127.0.0.1", port), Handler)
        self.sheet, self.word = sheet, secrets.token_urlsafe(16)
        self.host = f"127.0.0.1:{self.server_address[1]}"

    @property
    def address(self) -> str:
        """The address of the page, with its secret word."""
        return f"http://{self.host}/{self.word}/"


class Handler(BaseHTTPRequestHandler):
    """Answers one request; whoever does not know the word gets nothing."""

    server: Server
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
        _, given, *rest = self.path.split("/")
        known = secrets.compare_digest(given.encode(), self.server.word.encode())
        if self.headers.get("Host") != self.server.host or not known:
            return self._send(403, b"")
        try:
            how(rest)
        except (ValueError, KeyError, IndexError, TypeError, OSError) as error:
            self._say({"error": str(error)}, 400)

    def _get(self, rest: list[str]) -> None:
        if rest in ([""], []):
            self._page()
        elif rest == ["state"]:
            self._say(self.server.sheet.state())
        elif len(rest) == 3 and rest[0] == "file":
            self._file(self.server.sheet.attachment(int(rest[1]), int(rest[2])))
        else:
            self._send(404, b"")

    def _page(self) -> None:
        nonce = secrets.token_urlsafe(12)
        page = report.page("mark.html", nonce=nonce).encode()
        rule = f"{NOTHING}connect-src 'self'; script-src 'nonce-{nonce}'; "
        self._send(200, page, "text/html", policy=rule + "style-src 'unsafe-inline'")

    def _file(self, path: Path) -> None:
        kind = mimetypes.guess_type(path.name)[0]
        how = "inline" if kind in SHOWN else "attachment"
        named = f"{how}; filename*=UTF-8''{quote(printable(path.name))}"
        content_type = kind if kind in SHOWN else "application/octet-stream"
        self._send(200, path.read_bytes(), content_type, disposition=named)

    def _post(self, rest: list[str]) -> None:
        sheet, given = self.server.sheet, self._given()
        saves: dict[str, Callable[..., None]] = {"mark": sheet.mark, "override": sheet.override}
        saves |= {"weigh": sheet.weigh, "share": sheet.share}
        save = saves[rest[0]]
        number = int(given.pop("number"))
        if not 0 <= number < len(sheet.rows):
            raise ValueError("there is no such answer")
        save(number, **{name: str(text) for name, text in given.items()})
        self._say(sheet.item(number))

    def _given(self) -> dict:
        """Return what the page sent."""
        if self.headers.get("Content-Type") != "application/json":
            raise ValueError("only JSON is read")
        length = int(self.headers.get("Content-Length", 0))
        if not 0 < length <= MAX_MESSAGE:
            raise ValueError("too long")
        return json.loads(self.rfile.read(length))

    def _say(self, facts: dict, status: int = 200) -> None:
        self._send(status, json.dumps(facts).encode(), "application/json")

    def _send(
        self,
        status: int,
        body: bytes,
        kind: str = "text/plain",
        *,
        policy: str = NOTHING + "sandbox",
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
