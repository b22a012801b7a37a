"""A time limit for a block of Python code.

One thread watches all limits: starting one for each would cost more than most blocks. The browser
has no threads; there the clock is read at every line of the functions that the block calls.
"""

import ctypes
import heapq
import itertools
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from .browser import inside

_watch: "_Steps | _Watch"


class Overtime(Exception):
    """The block took too long."""


@contextmanager
def time_limit(seconds: float, clock: Callable[[], float] = time.monotonic) -> Iterator[None]:
    """Raise Overtime in this thread when the block has not ended in time.

    `clock` says what counts as time: with `time.process_time` it is the processor's.
    """
    entry = _watch.enter(seconds, clock)
    try:
        yield
    finally:
        _watch.leave(entry)


class _Watch:
    """The deadlines of all blocks, and the thread that rings."""

    def __init__(self) -> None:
        self._lock = threading.Lock()  # taken as it is: Overtime may come at any step of Python
        self._changed = threading.Condition(self._lock)
        self._numbers = itertools.count()
        self._inside: dict[int, tuple[int, Callable, float]] = {}  # by the block's number
        self._deadlines: list[tuple[float, int]] = []
        self._thread: threading.Thread | None = None

    def enter(self, seconds: float, clock: Callable[[], float]) -> int:
        """Note a block of this thread; return its number."""
        with self._lock:
            number = next(self._numbers)
            self._inside[number] = threading.get_ident(), clock, clock() + seconds
            heapq.heappush(self._deadlines, (time.monotonic() + seconds, number))
            if self._thread is None:
                self._start()
            if self._deadlines[0][1] == number:  # it comes before all others
                self._changed.notify()
            return number

    def leave(self, number: int) -> None:
        """Forget a block."""
        with self._lock:
            self._inside.pop(number, None)

    def _start(self) -> None:
        self._thread = threading.Thread(target=self._run, name="time limits", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        with self._changed:
            while True:
                while self._deadlines and self._deadlines[0][0] <= time.monotonic():
                    self._ring(heapq.heappop(self._deadlines)[1])
                later = self._deadlines[0][0] - time.monotonic() if self._deadlines else None
                self._changed.wait(later if later is None else max(0.0, later))

    def _ring(self, number: int) -> None:
        if number not in self._inside:
            return
        thread, clock, end = self._inside[number]
        if clock is not time.monotonic and clock() < end:  # no processor is faster than the clock
            again = time.monotonic() + max(end - clock(), 0.02)
            heapq.heappush(self._deadlines, (again, number))
            return
        raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
        raise_in(ctypes.c_ulong(thread), ctypes.py_object(Overtime))


class _Steps:
    """The deadlines of nested blocks, where no thread can ring."""

    def __init__(self) -> None:
        self._deadlines: list[float] = []
        self._before: Callable | None = None

    def enter(self, seconds: float, clock: Callable[[], float]) -> int:
        """Note a block; return how many there are around it. The browser has one clock."""
        if not self._deadlines:
            self._before = sys.gettrace()
        self._deadlines.append(time.monotonic() + seconds)
        sys.settrace(self._look)
        return len(self._deadlines) - 1

    def leave(self, number: int) -> None:
        """Forget a block, and those inside it."""
        del self._deadlines[number:]
        sys.settrace(self._look if self._deadlines else self._before)

    def _look(self, *_: object) -> Callable:
        if self._deadlines and time.monotonic() > min(self._deadlines):
            raise Overtime
        return self._look


def _renew() -> None:
    """Begin anew: a copied process has no other thread."""
    global _watch
    _watch = _Steps() if inside() else _Watch()


_renew()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)
