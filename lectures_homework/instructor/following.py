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

from ..language.checks import MISSING, NO_REPLY, PASS, Assignment, Exchange
from .diagnosis import Tried, alike

#: Runs checks on a submission with these texts, by function, in the place of its own.
Judge = Callable[[ExitStack, Mapping[str, str]], Callable[[Tried], Tried]]
#: The forms to try where nobody knows in which types the student would have answered.
GUESSES = ("lists", "scalars")
#: In longer lists the first part speaks for all; the parts of shorter ones are compared.
TYPED_PARTS = 8

#: What stands around a solution in its sandbox. `form` says in which types the student answers.
STYLE = """
def _in_style(solution, form):
    import functools, inspect
    import numpy as np

    def taken(value):
        if not isinstance(value, (list, tuple)):
            return value
        try:
            array = np.asarray(value)
        except ValueError:
            return [taken(part) for part in value]
        return array if array.dtype.kind in "biuf" else value

    def given(value, form):
        if form == "array":
            return np.asarray(value)
        if form == "scalar":
            return np.asarray(value)[()]
        if form == "plain":
            return value.item() if isinstance(value, np.generic) else value
        if form == "scalars" and isinstance(value, (bool, int, float)):
            return np.asarray(value)[()]
        if form == "lists" and isinstance(value, (np.ndarray, np.generic)):
            return value.tolist()
        if form in ("lists", "scalars"):
            form = [type(value).__name__, form]
        if not form or not isinstance(value, (list, tuple, np.ndarray)):
            return value
        kind, *inner = form
        if len(inner) != len(value):
            inner = inner[:1] * len(value)
        parts = [given(part, one) for part, one in zip(value, inner)]
        return tuple(parts) if kind == "tuple" else parts

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
            sources, new = [f"{f} ({order[f][1]})" for f in key], one
            for unknown in _unknown(key, tried):
                if (*key, unknown) not in again:
                    texts = {f: in_style(f, solutions[f], tried, unknown) for f in key}
                    again[*key, unknown] = judge(stack, texts)
                second = again[*key, unknown](one)
                new = _blamed(one, second, sources)
                if second.verdict.status in (PASS, MISSING):
                    break
            tried[tried.index(one)] = new
            if not new.verdict.passed:
                broken |= {exchange.function for exchange in one.log}
    return tried


def in_style(name: str, solution: str, tried: Iterable[Tried], unknown: str = "") -> str:
    """Return a solution that takes and gives what the student's own function does.

    Where that never answered, `unknown` is the form: the solution's own, or one of `GUESSES`.
    """
    form = _known(name, tried) or unknown
    return f"{solution}\n{STYLE}\n{name} = _in_style({name}, {form!r})"


def _unknown(names: Sequence[str], tried: Sequence[Tried]) -> tuple[str, ...]:
    """Return the forms to try for functions that never answered: nobody knows the style then."""
    if not names:
        return ()
    return ("",) if all(_known(name, tried) for name in names) else ("", *GUESSES)


def _known(name: str, tried: Iterable[Tried]) -> str | list:
    """Return the form of what the student's function answered; "" if it never did."""
    replies = (e.reply for one in tried for e in one.log if e.function == name)
    return next((form for reply in replies if (form := _form(reply))), "")


def _form(reply: Any) -> str | list:
    """Return the types of a reply: "array", "scalar", "plain", or those of its parts.

    Of a long list one part speaks for all; "" is the form of what is none of these.
    """
    if isinstance(reply, list | tuple):
        parts = [_form(part) for part in reply[:TYPED_PARTS]]
        same = len(reply) > TYPED_PARTS or all(part == parts[0] for part in parts)
        return [type(reply).__name__, *(parts[:1] if same and isinstance(reply, list) else parts)]
    if isinstance(reply, np.ndarray):
        return "array"
    if isinstance(reply, np.generic):
        return "scalar"
    return "plain" if isinstance(reply, bool | int | float) else ""


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
