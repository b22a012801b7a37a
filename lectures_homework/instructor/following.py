"""Follow-through: one mistake costs once.

A later question may use a function of an earlier one. Where a check fails and functions that come
before it are wrong, it is asked again with the master's solutions in their place. If it holds then,
the mistake was theirs and has been paid for. That second run happens in a sandbox of its own, and
nothing that it says is told but whether the check held: its process holds solutions. A solution
takes what the student's style hands it, lists for arrays, and answers in the types in which the
student's own function answered.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import numpy as np

from ..language.checks import NO_REPLY, PASS, Assignment, Exchange
from .diagnosis import Tried, alike

#: Runs checks on a submission with these texts, by function, in the place of its own.
Judge = Callable[[ExitStack, Mapping[str, str]], Callable[[Tried], Tried]]

#: What stands around a solution in its sandbox. `form` says in which types the student answers.
STYLE = """
def _in_style(solution, form):
    import functools, inspect
    import numpy as np

    def taken(value):
        if isinstance(value, (list, tuple)):
            try:
                array = np.asarray(value)
            except ValueError:
                return value
            return array if array.dtype.kind in "biuf" else value
        return value

    def given(value, form):
        if isinstance(form, list) and isinstance(value, (tuple, list)) and len(form) == len(value):
            return tuple(given(part, one) for part, one in zip(value, form))
        if form == "array":
            return np.asarray(value)
        if form == "list" and isinstance(value, (np.ndarray, tuple)):
            return value.tolist() if isinstance(value, np.ndarray) else list(value)
        return value

    names = list(inspect.signature(solution).parameters)

    @functools.wraps(solution)
    def wrapped(*values, **more):
        more = {name: taken(value) for name, value in more.items() if name in names}
        return given(solution(*map(taken, values[: len(names)]), **more), form)

    return wrapped
"""


def followed(
    homework: Assignment, tried: Iterable[Tried], solutions: Mapping[str, str], judge: Judge
) -> list[Tried]:
    """Return the checks as they went; those that failed because of an earlier function hold.

    `judge(stack, texts)` returns what asks one check again, with these texts in the code.
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
                texts = {f: in_style(f, solutions[f], tried) for f in key}
                again[key] = judge(stack, texts)
            told = [f"{f} ({order[f][1]})" for f in key]
            new = _blamed(one, again[key](one), told) if key else one
            tried[tried.index(one)] = new
            if not new.verdict.passed:
                broken |= {exchange.function for exchange in one.log}
    return tried


def in_style(name: str, solution: str, tried: Iterable[Tried]) -> str:
    """Return a solution that takes and gives what the student's own function does."""
    replies = [e.reply for one in tried for e in one.log if e.function == name]
    form = next((_form(reply) for reply in replies if _form(reply)), "")
    return f"{solution}\n{STYLE}\n{name} = _in_style({name}, {form!r})"


def _form(reply: Any) -> str | list:
    """Return the types of a reply: "array", "list", those of its parts, or "" where any will do."""
    if isinstance(reply, tuple):
        return [_form(part) for part in reply]
    if isinstance(reply, np.ndarray):
        return "array"
    return "list" if isinstance(reply, list) else ""


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
