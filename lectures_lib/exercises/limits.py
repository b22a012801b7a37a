"""What one call of a student's function may cost: lines, processor time, memory, questions.

The browser has neither threads nor signals, so the limits are counted: Python tells `sys.settrace`
of every line of the student's own code, and of every call that it makes. Only what happens inside
one call of C is not seen. Where somebody else traces already (a debugger), nothing is counted.
"""

import ast
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np

LINES, SECONDS, MEGABYTES, QUESTIONS = 2_000_000, 10.0, 500, 1000
EVERY = 50  # lines between two looks at the clock and at the sizes, after the first EVERY**2
#: code below these folders is the library's, numpy's or Python's own
INSTALLED = tuple(
    str(Path(file).resolve().parents[up])
    for file, up in ((__file__, 1), (np.__file__, 1), (ast.__file__, 0))
)


class TooMuch(BaseException):
    """The call costs more than is allowed; no `except Exception` of a student's stops it."""


class Oracle:
    """A function handed to a student's function, which counts what it is asked."""

    def __init__(self, answers: Callable[..., Any], name: str):
        self.answers, self.__name__, self.asked = answers, name, 0

    def __call__(self, *question: Any) -> Any:
        """Return the answer; stop after QUESTIONS questions."""
        self.asked += 1
        if self.asked >= QUESTIONS:
            self.asked = 0
            raise TooMuch(f"it asked {QUESTIONS:,} questions: when does it stop?")
        return self.answers(*question)

    def __deepcopy__(self, memo: dict) -> "Oracle":
        """Return the oracle itself, so that the check sees what was asked."""
        return self


@contextmanager
def limited() -> Iterator[None]:
    """Stop the block with TooMuch when it takes too many lines, too much time or memory."""
    if sys.gettrace() is not None:
        yield
        return
    sys.settrace(_Count().call)
    try:
        yield
    finally:
        sys.settrace(None)


class _Count:
    """The lines of one call."""

    def __init__(self) -> None:
        self.lines, self.start, self.most = 0, time.process_time(), _peak() + MEGABYTES

    def call(self, frame: FrameType, event: str, _: Any) -> Callable | None:
        """Count a call; follow its lines only where they are a student's."""
        self._one(frame)
        return self.line if _is_a_students(frame.f_code.co_filename) else None

    def line(self, frame: FrameType, event: str, _: Any) -> Callable:
        """Count a line."""
        self._one(frame)
        return self.line

    def _one(self, frame: FrameType) -> None:
        self.lines += 1
        if self.lines > LINES:
            raise TooMuch(f"it has taken {LINES:,} steps: when does it stop?")
        if self.lines % EVERY and self.lines > EVERY**2:
            return
        if time.process_time() - self.start > SECONDS:
            raise TooMuch(f"it has worked for {SECONDS:g} seconds: when does it stop?")
        held = sum(map(_size, list(frame.f_locals.values()))) / 2**20
        if held > MEGABYTES or _peak() > self.most:
            raise TooMuch(f"it holds more than {MEGABYTES} MB: does something grow without end?")


def _size(value: Any) -> int:
    """Return the bytes of a value that can grow; objects of a student's own are not asked."""
    if type(value) is np.ndarray:
        return value.nbytes
    return sys.getsizeof(value) if type(value) in (str, bytes, list, tuple, dict, set, int) else 0


def _peak() -> float:
    """Return the most megabytes that this process has held; 0 where nobody says."""
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:  # Windows has no such module, the browser's is empty
        return 0.0
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return getrusage(RUSAGE_SELF).ru_maxrss / unit


@cache
def _is_a_students(file: str) -> bool:
    """Say whether code is a student's: of a cell, or of a file outside library and Python."""
    return not file.startswith(("<frozen", "<__array", *INSTALLED))
