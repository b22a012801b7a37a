"""Name the misunderstanding behind a wrong answer: it behaves like a planted one.

What a failed check asked and what came back is replayed on the planted wrong answers of the
question. They are ours, so they run here; a student's values may have become their arguments, so
they run on copies and against the clock.
"""

import ctypes
import threading
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from . import values
from .answers import Answers, Planted
from .checks import CRASH, FAIL, NO_REPLY, TIMEOUT, Check, Exchange, Verdict, close

#: Seconds for one planted answer.
PATIENCE = 2.0


class Overtime(Exception):
    """Code of ours that takes too long, because of what a student's function returned."""


def misconception(
    check: Check, verdict: Verdict, log: Sequence[Exchange], answers: Answers | None
) -> str:
    """Return the words for the planted answer that behaves like the student's; "" if none does."""
    if answers is None or verdict.passed:
        return ""
    planted = list(answers.wrong_for(check.question))
    planted.sort(key=lambda one: one.caught_by != check.name)  # meant for this check: first
    for one in planted:
        if _fits(one, check, verdict, log):
            return one.misconception
    return ""


def _fits(planted: Planted, check: Check, verdict: Verdict, log: Sequence[Exchange]) -> bool:
    if planted.endless:
        late = verdict.status == TIMEOUT and planted.caught_by == check.name
        return late and bool(log) and log[-1].function == planted.name
    if verdict.status not in (FAIL, CRASH):
        return False
    asked = [exchange for exchange in log if exchange.function == planted.name]
    try:
        with time_limit(PATIENCE):
            return bool(asked) and all(_replies_alike(planted, exchange) for exchange in asked)
    except Overtime:
        return False


def _replies_alike(planted: Planted, exchange: Exchange) -> bool:
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            reply = values.copy(planted.function(*values.copy(list(exchange.arguments))))
    except Overtime:
        raise
    except Exception:
        return exchange.reply is NO_REPLY
    return exchange.reply is not NO_REPLY and alike(exchange.reply, reply)


def alike(one: Any, other: Any) -> bool:
    """True if two plain values are equal up to rounding, whatever holds the numbers."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[k], other[k]) for k in one)
    if isinstance(one, str | None) or isinstance(other, str | None):
        return type(one) is type(other) and one == other
    return _close(one, other) or (_many(one, other) and all(map(alike, one, other)))


def _many(one: Any, other: Any) -> bool:
    both = isinstance(one, list | tuple) and isinstance(other, list | tuple)
    return both and len(one) == len(other) > 0


def _close(one: Any, other: Any) -> bool:
    try:
        one, other = np.asarray(one, dtype=float), np.asarray(other, dtype=float)
    except (TypeError, ValueError, OverflowError):
        return False
    if one.shape != other.shape or not np.array_equal(np.isnan(one), np.isnan(other)):
        return False
    return close(np.nan_to_num(one), np.nan_to_num(other))


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise Overtime in this thread when the block has not ended in time (in Python code)."""
    thread, guard, over = threading.get_ident(), threading.Lock(), []

    def ring() -> None:
        with guard:
            if not over:
                raise_in = ctypes.pythonapi.PyThreadState_SetAsyncExc
                raise_in(ctypes.c_ulong(thread), ctypes.py_object(Overtime))

    timer = threading.Timer(seconds, ring)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        with guard:
            over.append(True)
        timer.cancel()
