"""Name the misunderstanding behind a wrong answer: it behaves like a planted one.

What was asked and what came back is replayed on the planted wrong answers of the
question. They are ours, so they run here; a student's values may have become their arguments, so
they run on copies and against the clock.
"""

import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from hashlib import sha256
from typing import Any

import numpy as np

from ..language.answers import Answers, Planted
from ..language.checks import CRASH, FAIL, NO_REPLY, TIMEOUT, Check, Exchange, Verdict, close
from ..language.failures import SLIPS
from ..language.sums import same
from ..sandbox.inside import values
from ..student.clock import Overtime, time_limit

#: Seconds of processor time for one planted answer.
PATIENCE = 2.0
#: So many replies of planted answers are kept: a whole class is asked the same.
REMEMBERED = 10_000
_replies: dict[tuple[Planted, bytes], tuple[Any, str]] = {}


@dataclass(frozen=True, eq=False)
class Tried:
    """One check as it went: its verdict, and what was asked and came back."""

    check: Check
    verdict: Verdict
    log: tuple[Exchange, ...]


def named(tried: Sequence[Tried], answers: Answers | None) -> list[Verdict]:
    """Return the verdicts; those that failed with the misconception behind them, if one is known.

    A planted answer is meant if it explains every reply to the question, and what the check saw is
    among them. One whose own check holds is never meant. Better no name than a wrong one.
    """
    if answers is None:
        return [one.verdict for one in tried]
    evidence: dict[str, list] = defaultdict(list)
    held: dict[str, set[str]] = defaultdict(set)
    for one in tried:
        evidence[one.check.question] += one.log
        held[one.check.question] |= {one.check.name} if one.verdict.passed else set()
    planted = {q: [p for p in answers.wrong_for(q) if p.caught_by not in held[q]] for q in evidence}
    explains = {q: cache(partial(_explains, evidence=log)) for q, log in evidence.items()}
    return [_with_name(t, planted[t.check.question], explains[t.check.question]) for t in tried]


def _with_name(
    tried: Tried, known: Iterable[Planted], explains: Callable[[Planted], bool]
) -> Verdict:
    if tried.verdict.passed:
        return tried.verdict
    planted = list(known)
    planted.sort(key=lambda one: one.caught_by != tried.check.name)  # meant for this check: first
    fitting = (one for one in planted if _fits(one, tried, explains))
    meant = next(fitting, None)
    return replace(tried.verdict, misconception=meant.misconception if meant else "")


def _fits(planted: Planted, tried: Tried, explains: Callable[[Planted], bool]) -> bool:
    """True if a planted answer behaves as the student's did, in this check and in all others."""
    status, log = tried.verdict.status, tried.log
    if planted.endless:
        late = status == TIMEOUT and planted.caught_by == tried.check.name
        return late and bool(log) and log[-1].function == planted.name
    seen = any(exchange.function == planted.name for exchange in log)
    return status in (FAIL, CRASH) and seen and explains(planted)


def _explains(planted: Planted, evidence: Sequence[Exchange]) -> bool:
    """True if a planted answer replies to every call of its function as the student's did.

    At least one of them must be a value: errors alone are no evidence.
    """
    asked = [exchange for exchange in evidence if exchange.function == planted.name]
    if all(exchange.reply is NO_REPLY for exchange in asked):
        return False
    try:
        with time_limit(PATIENCE, time.process_time):
            return all(_replies_alike(planted, exchange) for exchange in asked)
    except Overtime:
        return False


def _replies_alike(planted: Planted, exchange: Exchange) -> bool:
    reply, error = _reply(planted, values.encode(list(exchange.arguments)))
    if error:
        return exchange.error == error and error not in SLIPS
    return exchange.reply is not NO_REPLY and alike(exchange.reply, reply)


def _reply(planted: Planted, arguments: str) -> tuple[Any, str]:
    """Return what a planted answer replies, or the class of its error, worked out once."""
    key = planted, sha256(arguments.encode()).digest()
    if key not in _replies:
        if len(_replies) >= REMEMBERED:
            _replies.clear()
        _replies[key] = _called(planted, arguments)
    return _replies[key]


def _called(planted: Planted, arguments: str) -> tuple[Any, str]:
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return values.copy(planted.function(*values.decode(arguments))), ""
    except Overtime:
        raise
    except Exception as error:
        return NO_REPLY, type(error).__name__


def alike(one: Any, other: Any) -> bool:
    """True if two plain values are equal up to rounding, whatever holds the numbers."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(alike(one[k], other[k]) for k in one)
    if isinstance(one, str | None) or isinstance(other, str | None):
        return type(one) is type(other) and (one == other or _one_sum(one, other))
    return _close(one, other) or (_many(one, other) and all(map(alike, one, other)))


def _one_sum(one: Any, other: Any) -> bool:
    """True if two texts are proofs by one and the same sum."""
    return isinstance(one, str) and same(one, other)


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
