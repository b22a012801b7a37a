"""A time limit for a block of Python code, wherever there are threads.

One thread watches all limits: starting one for each would cost more than most blocks.
"""

import ctypes
import heapq
import itertools
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager


class Overtime(Exception):
    """The block took too long."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise Overtime in this thread when the block has not ended in time.

    In the browser there are no threads, and so no limit.
    """
    entry = _watch.enter(time.monotonic() + seconds)
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
        self._inside: dict[int, int] = {}  # the block's number -> its thread
        self._deadlines: list[tuple[float, int]] = []
        self._thread: threading.Thread | None = None

    def enter(self, deadline: float) -> int:
        """Note a block of this thread; return its number."""
        with self._lock:
            number = next(self._numbers)
            self._inside[number] = threading.get_ident()
            heapq.heappush(self._deadlines, (deadline, number))
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
        try:
            self._thread.start()
        except RuntimeError:  # the browser cannot start one, and is not asked again
            return

    def _run(self) -> None:
        with self._changed:
            while True:
                while self._deadlines and self._deadlines[0][0] <= time.monotonic():
                    self._ring(heapq.heappop(self._deadlines)[1])
                later = self._deadlines[0][0] - time.monotonic() if self._deadlines else None
                self._changed.wait(later if later is None else max(0.0, later))

    def _ring(self, number: int) -> None:
        thread = self._inside.get(number)
        if thread is not None:
            raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
            raise_in(ctypes.c_ulong(thread), ctypes.py_object(Overtime))


def _renew() -> None:
    """Begin anew: a copied process has no other thread."""
    global _watch
    _watch = _Watch()


_renew()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew)
