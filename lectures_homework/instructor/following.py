"""Follow-through: one mistake costs once.

A later question may use a function of an earlier one. Where a check fails and functions that come
before it are wrong, it is asked again with the master's solutions in their place. If it holds then,
the mistake was theirs and has been paid for. That second run happens in a sandbox of its own, and
nothing that it says is told but whether the check held: its process holds solutions.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

from ..language.checks import NO_REPLY, PASS, Assignment, Exchange
from .diagnosis import Tried, alike

#: Runs checks on a submission with these texts added to its code.
Judge = Callable[[ExitStack, Sequence[str]], Callable[[Tried], Tried]]


def followed(
    homework: Assignment, tried: Iterable[Tried], solutions: Mapping[str, str], judge: Judge
) -> list[Tried]:
    """Return the checks as they went; those that failed because of an earlier function hold.

    `judge(stack, texts)` returns what asks one check again, with these texts after the code.
    """
    order = {name: (place, q) for place, (q, name) in enumerate(_asked(homework))}
    tried = list(tried)
    failed = [one for one in tried if not one.verdict.passed and _places(one, order)]
    failed.sort(key=lambda one: min(_places(one, order)))
    broken: set[str] = set()
    again: dict[tuple[str, ...], Callable] = {}
    with ExitStack() as stack:
        for one in failed:
            before = [f for f in order if f in broken and order[f][0] < min(_places(one, order))]
            key = tuple(f for f in before if f in solutions)
            if key and key not in again:
                again[key] = judge(stack, [solutions[f] for f in key])
            told = [f"{f} ({order[f][1]})" for f in key]
            new = _blamed(one, again[key](one), told) if key else one
            tried[tried.index(one)] = new
            if not new.verdict.passed:
                broken |= {exchange.function for exchange in one.log}
    return tried


def _asked(homework: Assignment) -> list[tuple[str, str]]:
    return [(q, name) for q, functions in homework.functions.items() for name in functions]


def _places(one: Tried, order: Mapping[str, tuple[int, str]]) -> list[int]:
    """Return the places of the functions that a check has asked."""
    return [order[e.function][0] for e in one.log if e.function in order]


def _blamed(first: Tried, second: Tried, names: list[str]) -> Tried:
    """Return the outcome of a check that was asked twice, without what the second run said.

    Its replies stay as evidence of what is wrong with the later function itself.
    """
    uses = ", ".join(names)
    if second.verdict.passed:
        earned: dict[str, Any] = {"status": PASS, "points": first.verdict.out_of, "follows": uses}
        cleared: dict[str, Any] = {"claim": "", "given": "", "got": "", "hint": ""}
        return replace(first, verdict=replace(first.verdict, **earned, **cleared), log=())
    if _same(first.log, second.log):  # it does not use them
        return first
    return replace(first, verdict=replace(first.verdict, follows=uses), log=second.log)


def _same(first: Sequence[Exchange], second: Sequence[Exchange]) -> bool:
    return len(first) == len(second) and all(map(_alike, first, second))


def _alike(one: Exchange, other: Exchange) -> bool:
    if one.reply is NO_REPLY or other.reply is NO_REPLY:
        return one.reply is other.reply and one.error == other.error
    return alike(one.reply, other.reply)
