"""Several cores for one result, which is the same to the bit whatever their number.

Work is cut into parts by its size alone, never by the number of cores; each part is computed as
one core would, and writes where no other part does. ``LECTURES_LIB_CORES=1`` switches it off.
"""

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import cache
from threading import Lock

from threadpoolctl import ThreadpoolController


def cores() -> int:
    """Return how many cores one result may use: LECTURES_LIB_CORES, else all of this process."""
    wanted = os.environ.get("LECTURES_LIB_CORES", "")
    if wanted.isdecimal() and int(wanted) > 0:
        return int(wanted)
    if sys.platform == "emscripten":  # a browser's Python has no threads
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()


class _Limit:
    """How many contexts ask for one thread; the first sets the limit, the last takes it back."""

    def __init__(self) -> None:
        self.lock, self.asking = Lock(), 0

    def ask(self) -> None:
        with self.lock:
            self.asking += 1
            if self.asking == 1:
                self.limits = _libraries().limit(limits=1, user_api="blas")

    def release(self) -> None:
        with self.lock:
            self.asking -= 1
            if self.asking == 0:
                self.limits.restore_original_limits()


_limit = _Limit()


@contextmanager
def one_thread() -> Iterator[None]:
    """Let matrix products have one thread in this context; in a browser they have no other."""
    if sys.platform == "emscripten":
        yield
        return
    _limit.ask()
    try:
        yield
    finally:
        _limit.release()


@cache
def _helpers() -> ThreadPoolExecutor:
    """Return threads that wait for work: to start one takes as long as many a part."""
    return ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="lectures_lib")


if hasattr(os, "register_at_fork"):  # a copy of this process has none of its threads
    os.register_at_fork(after_in_child=_helpers.cache_clear)


def _asked(work: Callable[[], None], count: int) -> list[Future]:
    """Return `work` as begun, sooner or later, by `count` helpers; by fewer in a narrow sandbox."""
    tasks: list[Future] = []
    try:
        for _ in range(count):
            tasks.append(_helpers().submit(work))
    except RuntimeError:  # no more threads
        pass
    return tasks


def for_each(work: Callable, parts: Sequence) -> list:
    """Return work(part) of each part, in their order; the work should leave Python's lock.

    Matrix products inside have one thread each: the cores are busy with the parts.
    """
    found, waiting = [None] * len(parts), iter(range(len(parts)))

    def take_turns() -> None:
        for i in waiting:  # whoever is free takes the next
            found[i] = work(parts[i])

    with one_thread():
        others = _asked(take_turns, min(cores(), len(parts)) - 1)
        try:
            take_turns()
        finally:
            begun = [other for other in others if not other.cancel()]
            wait(begun)
    for other in begun:
        other.result()  # or its error
    return found
