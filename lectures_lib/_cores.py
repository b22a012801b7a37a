"""Several cores for one result, which is the same to the bit whatever their number.

Work is cut into parts by its size alone, never by the number of cores; each part is computed as
one core would, and writes where no other part does. ``LECTURES_LIB_CORES=1`` switches it off.
"""

import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from functools import cache

from threadpoolctl import ThreadpoolController


def cores() -> int:
    """Return how many cores one result may use: LECTURES_LIB_CORES, else all of this process."""
    told = os.environ.get("LECTURES_LIB_CORES", "")
    if told.isdecimal() and int(told) > 0:
        return int(told)
    if sys.platform == "emscripten":  # a browser's Python has no threads
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def _libraries() -> ThreadpoolController:
    return ThreadpoolController()


def one_thread() -> AbstractContextManager:
    """Return a context in which a matrix product has one thread; in a browser it has no other."""
    if sys.platform == "emscripten":
        return nullcontext()
    return _libraries().limit(limits=1, user_api="blas")


def for_each(work: Callable, parts: Sequence) -> list:
    """Return work(part) of each part, in their order; the work should leave Python's lock.

    Matrix products inside have one thread each: the cores are busy with the parts.
    """
    with one_thread():
        return _shared(work, parts, min(cores(), len(parts)))


def _shared(work: Callable[[object], object], parts: Sequence, workers: int) -> list:
    if workers < 2:
        return [work(part) for part in parts]
    try:
        pool = ThreadPoolExecutor(workers)
        tasks = [pool.submit(work, part) for part in parts]
    except RuntimeError:  # a sandbox that allows no more threads
        return [work(part) for part in parts]
    with pool:
        return [task.result() for task in tasks]
