"""One submission in its sandbox: its statements run once, then its functions are called.

A child that dies or hangs at a statement is started anew without that statement; one that dies or
hangs later is started anew as well. Nothing it says is believed beyond its form.
"""

import secrets
import sys
import tempfile
import time
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

from ..language.checks import Call
from ..language.failures import Crashed, Exhausted, Malformed, Missing, TimedOut
from .bubblewrap import Limits, Sandbox
from .inside import values
from .process import Child, Gone, NoReply
from .usage import MOST_FILES

#: How often a child is started for one submission; starts that fail by themselves count apart.
MOST_STARTS = 6
#: Seconds that a child may be late before it counts as hanging, on a busy machine too.
GRACE = 3.0
#: The longest reply; the most that is told, and at what length, while the statements run.
LONGEST_REPLY, MOST_MESSAGES, LONGEST_MESSAGE = values.MAX_TEXT + 2000, 30_000, 10_000
#: What is said when the machine is to blame, not the submission.
SANDBOX = "The sandbox "  #: once it has started, what kept it from starting is no longer true
NOT_STARTED = f"{SANDBOX}did not start: grade this one again."
#: What is counted from outside may be so much more than the child's own limits, which come first:
#: seconds of the processor, and bytes.
SPARE, SPARE_MEMORY = 1.5, 64 << 20
#: A function that was late may take this share of a check's time for its next call.
SECOND_CHANCE = 0.1
#: What is said of a line that this Python cannot read; a newer one may.
UNREAD = f"cannot be read by Python {sys.version_info.major}.{sys.version_info.minor}"
#: How much of it is kept for one start.
MOST_TOLD = 100


class Spent(Exception):
    """The child uses more of something than it may."""


@dataclass(frozen=True)
class Work:
    """What is handed in, as the child needs it."""

    homework: str
    cells: tuple[str, ...]
    data: str = "{}"  #: the student's own data, encoded
    quizzes: tuple[str, ...] = ()


@dataclass
class Story:
    """What happened while the statements ran: one sentence each."""

    notes: list[str] = field(default_factory=list)
    at: tuple[int, int, int] | None = None  #: number, cell and line of the statement it is at


class SandboxCall(Call):
    """Calls the functions of a submission in its sandbox. Close it when done."""

    def __init__(self, work: Work, sandbox: Sandbox, limits: Limits):
        super().__init__()
        self.work, self.sandbox, self.limits = work, sandbox, limits
        self.notes: list[str] = []
        self._end = time.monotonic() + limits.total
        self._child: Child | None = None
        self._skip: set[int] = set()
        self._starts = self._lost = self._check = 0  # lost: before its first statement
        self._began, self._used = 0.0, 0.0  # when the check began; the processor's time till then
        self.late: dict[str, int] = {}  # how often a function did not return in time

    def __enter__(self) -> "SandboxCall":
        return self

    def __exit__(self, *_: object) -> None:
        self._stop()

    @property
    def left(self) -> float:  # type: ignore[override]  # what is left falls by itself
        """The seconds that are left for this submission, by the clock."""
        return max(0.0, self._end - time.monotonic())

    def fresh(self) -> None:
        """Begin another check: what earlier calls left behind in memory is forgotten, too."""
        super().fresh()
        self._check += 1
        self._began = time.monotonic()
        self._used = self._child.usage().seconds if self._child else 0.0

    def ask(self, function: str, arguments: tuple, *, leaves: bool = False) -> Any:
        """Call a function of the submission on copies of the arguments."""
        packed = values.pack(list(arguments))
        what = "left" if leaves else "call"
        return self._read(self._exchange(what, function, packed), function)

    def value(self, name: str) -> Any:
        """Return the value of a variable of the submission; None if there is none."""
        return self._read(self._exchange("value", name, None), name)

    # --- one request and its reply

    def _exchange(self, what: str, name: str, arguments: Any) -> dict:
        seconds = self._patience(name)
        self.start()
        key = secrets.token_hex(8)
        request = {"id": key, "what": what, "name": name, "arguments": arguments}
        request |= {"check": self._check, "seconds": seconds}
        deadline = min(self._end, time.monotonic() + seconds + GRACE)
        try:
            self._open().send(request, deadline)
            reply = self._open().receive(deadline, LONGEST_REPLY, self._look)
            if time.monotonic() - self._began > self.limits.check:
                self._look()
        except NoReply:
            self._stop()
            self.late[name] = self.late.get(name, 0) + 1
            raise TimedOut(f"{name} did not return in time") from None
        except Spent as spent:
            self._stop()
            raise Exhausted(f"{name} used up its {spent}") from None
        except Gone:
            self._stop()
            raise Crashed("a lost process", "it ended or gave no proper reply") from None
        if reply == {"id": key, "ended": "timeout"}:
            self.late[name] = self.late.get(name, 0) + 1
        if reply.pop("id", None) != key or len(reply) != 1:
            self._stop()
            raise Crashed("a false reply", "what came back is no answer to the call")
        return reply

    def _patience(self, name: str) -> float:
        """Return the seconds that a call may take, by the clock; one that hangs, hangs once.

        A function that did not return in time has a little for its next call, and after a second
        time it is not asked any more: one endless loop costs one limit.
        """
        often = self.late.get(name, 0)
        if often > 1:
            raise TimedOut(f"{name} did not return in time twice, so it was not asked again")
        return self.limits.check * SECOND_CHANCE if often else self.limits.wall

    def _look(self) -> None:
        """Look from outside at what is used; NoReply or Spent where that is more than allowed."""
        if not self.sandbox.bwrap:
            return  # without a sandbox there is nothing to count from outside
        used = self._open().usage()
        if self._check and used.seconds - self._used > self.limits.check + SPARE:
            raise NoReply
        if used.memory > self.limits.memory + SPARE_MEMORY:
            raise Spent("memory")
        if used.files > MOST_FILES:
            raise Spent("room for files")

    def _read(self, reply: dict, name: str) -> Any:
        ((form, content),) = reply.items()
        if form == "value":
            try:
                return values.unpack(content)
            except (ValueError, RecursionError):
                raise Malformed("the answer must be a plain value") from None
        raise _failure(form, content, name, self.work.cells)

    # --- starting

    def start(self) -> None:
        """Have a child that has run the statements; TimedOut or Crashed if that cannot be had."""
        while self._child is None:
            if time.monotonic() > self._end:
                raise TimedOut("the time for this homework was used up")
            if max(self._starts, self._lost) >= MOST_STARTS:
                raise Crashed("too many breakdowns", "the notebook's process ended again and again")
            self._try_once()

    def _try_once(self) -> None:
        story = Story()
        with tempfile.TemporaryFile() as errors:  # until it says hello; nothing of the student's
            try:
                self._child = self.sandbox.start(self.limits, errors.fileno())
                self._load(story)
            except (Gone, NoReply, Spent, OSError) as end:
                self._stop()
                story.notes += self._ended(story, end, errors)
        lost = self._child is None and story.at is None  # a busy machine is not the student's fault
        self._lost, self._starts = self._lost + lost, self._starts + (not lost)
        if self._check == 0:  # later nothing may be told: hidden inputs have been seen
            notes = dict.fromkeys([*self.notes, *story.notes])
            self.notes = [n for n in notes if self._child is None or not n.startswith(SANDBOX)]

    def _ended(self, story: Story, end: Exception, errors: IO[bytes]) -> list[str]:
        """Return what is said of a child that did not get through its statements."""
        if story.at is not None:
            self._skip.add(story.at[0])
            how = "did not end" if isinstance(end, NoReply) else "ended the process"
            how = f"used up its {end}" if isinstance(end, Spent) else how
            return [f"{_place(story.at)} {how} and was skipped."]
        errors.seek(0)
        said = errors.read(10_000).decode("utf-8", "replace").strip().splitlines()
        words = clean(said[-1] if said else getattr(end, "strerror", ""))
        return [NOT_STARTED, *([f"{SANDBOX}said: {words}"] if words else [])]

    def _load(self, story: Story) -> None:
        """Send the statements and follow what is told about them until all are done."""
        start, limits = time.monotonic(), self.limits
        last = min(self._end, start + limits.load + 3 * limits.statement + 10 * GRACE)
        self._open().send(self._first(), last)
        patience = 10 * GRACE  # Python and numpy start
        for _ in range(MOST_MESSAGES):
            deadline = min(last, time.monotonic() + patience)
            message = self._open().receive(deadline, LONGEST_MESSAGE, self._look)
            if "ready" in message:
                return
            patience = 3 * limits.statement + GRACE
            _follow(message, story)
            del story.notes[MOST_TOLD:]
        raise Gone

    def _open(self) -> Child:
        if self._child is None:
            raise Gone
        return self._child

    def _first(self) -> dict:
        work: dict[str, Any] = {"homework": self.work.homework, "data": self.work.data}
        work |= {"cells": list(self.work.cells), "quizzes": list(self.work.quizzes)}
        return work | {"skip": sorted(self._skip)} | self.sandbox.settings(self.limits)

    def _stop(self) -> None:
        if self._child is not None:
            self._child.close()
            self._child = None


def _failure(form: str, content: Any, name: str, cells: Sequence[str]) -> Exception:
    """Return the error that a reply without a value stands for."""
    if form == "missing":
        unwritten = content == "unwritten"
        return Missing(f"{name} is not written yet" if unwritten else f"there is no {name}")
    if form == "odd":
        return Malformed(f"the answer must be a plain value: {clean(content)}")
    if form == "ended" and content == "memory":
        return Exhausted(f"{name} used up its memory")
    if form == "ended" and content == "timeout":
        return TimedOut(f"{name} did not return in time")
    if form == "error" and isinstance(content, list) and len(content) == 4:
        kind, text = (clean(part) for part in content[:2])
        spent = Exhausted(f"{name} used up its memory")
        line = clean(_line(cells, *content[2:]), 120)
        return spent if kind == "MemoryError" else Crashed(kind, text, line)
    return Crashed("the end of its process", "it called exit, was killed, or broke the interpreter")


def _line(cells: Sequence[str], cell: Any, line: Any) -> str:
    """Return a line of the notebook; "" if there is none of these numbers."""
    if not (type(cell) is int and type(line) is int and 0 < cell <= len(cells)):
        return ""
    lines = cells[cell - 1].split("\n")
    return lines[line - 1] if 0 < line <= len(lines) else ""


# --- what the child tells ------------------------------------------------------------------------


def _follow(message: dict, story: Story) -> None:
    """Note what a message says about a statement. Messages of no known form are passed over."""
    tellers: dict[str, Callable[[dict], str]] = {
        "lost": _lost,
        "stub": lambda m: f"{_place(m['stub'])} is an empty copy of an answer and was left out.",
        "skipped": _skipped,
        "failed": _failed,
    }
    try:
        if "at" in message:
            story.at = _numbers(message["at"])
        for form in message.keys() & tellers.keys():
            story.notes += filter(None, [tellers[form](message)])
    except (TypeError, ValueError, KeyError):
        return


def _lost(message: dict) -> str:
    words = clean(message.get("text"))
    why = f": {words}" if words else ""
    return f"{_place([0, *message['lost']])} {UNREAD}{why}. The statement was left out."


def _skipped(message: dict) -> str:
    late = f"{_place(message['skipped'])} was left out: the cells above took too long."
    return late if message.get("late") is True else ""


def _failed(message: dict) -> str:
    kind, text = clean(message["kind"]), clean(message["text"])
    if kind == "Late":
        return f"{_place(message['failed'])} did not end and was stopped."
    if kind == "NotImplementedError":
        return ""
    said = f"{kind}: {text}" if text else kind
    return f"{_place(message['failed'])} stopped with {said}."


def _numbers(where: Any) -> tuple[int, int, int]:
    number, cell, line = where
    if not all(type(n) is int and 0 <= n < 1_000_000_000 for n in (number, cell, line)):
        raise ValueError
    return number, cell, line


def _place(where: Iterable) -> str:
    _, cell, line = _numbers(where)
    return f"Line {line} of code cell {cell}"


def clean(text: Any, most: int = 200) -> str:
    """Return a stranger's text on one line of bounded length, without invisible characters."""
    shown = " ".join(text[: 4 * most].split()) if isinstance(text, str) else ""
    shown = "".join("?" if unicodedata.category(c)[0] == "C" else c for c in shown)
    return shown if len(shown) <= most else shown[: most - 3] + "..."
