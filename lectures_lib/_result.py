"""Results cannot change: their arrays are read-only, and a changed copy has no proof.

A proof speaks of the numbers that its judge saw. So what a solver or a judge returns is a `Result`:

- its arrays refuse to be written to, whatever flag is set; its lists are tuples, its dictionaries
  refuse new entries;
- `dataclasses.replace` gives a copy without certificate, whose `converged` is False. So does the
  constructor, whoever's certificate it is handed: only who solves and judges may `SEAL` a result.
  Such a copy is a claim. Where a result has a certificate, `rejudge` proves or refutes the claim:
  it takes what the result does not keep (often X and y), by the names of the function that made it,
  and returns the same answer with a new certificate; what follows from it is computed anew;
- copies and pickles of the whole keep the proof, for nothing in them has changed.

That is to keep apart what was proved and what was not, not to stop who goes around the language:
`object.__setattr__`, or a write into `vars(result)`, is not seen.
"""

import sys
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from typing import Any, NoReturn, TypeVar

#: What a changed copy says instead of a proof.
UNJUDGED = (
    "not judged: these fields are not the ones that were proved; have them judged anew (rejudge)"
)

#: Who judged a result hands it this: the proof that it carries is its own.
SEAL = "judged"
#: A result with one of these fields is a claim unless it was sealed.
CARRIED = ("certificate", "lines", "proved", "verdict")

#: What cannot change whoever holds it.
PLAIN = frozenset({float, int, bool, str, type(None)})
#: Whose parts may be made read-only.
OURS = f"{__package__}."


class BadArgument(ValueError):
    """A refusal in the words of the function itself, which no other sentence replaces."""


class NotJudged:
    """Stands where a changed copy had its certificate: nothing is proved."""

    verdict, holds, reason, wrong = "undecided", False, UNJUDGED, UNJUDGED

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"There is no {name!r}: {UNJUDGED}.")

    def __str__(self) -> str:
        return UNJUDGED


#: What a changed copy has in the fields that tell of a proof.
WITHOUT = {
    "certificate": NotJudged(),
    "converged": False,
    "lines": (),
    "message": UNJUDGED,
    "reason": UNJUDGED,
    "verdict": "undecided",
}


@dataclass(frozen=True, eq=False, repr=False)
class Result:
    """What a solver or a judge returns: it cannot change, and a changed copy has no proof."""

    #: `SEAL`, or nothing, while a result is made; "whole" or "changed" ever after. `replace` hands
    #: that on with all fields: so a copy knows itself.
    _seal: str = field(default="", kw_only=True, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Make the fields read-only; a changed copy loses its proof."""
        carries = any(name in self.__dataclass_fields__ for name in CARRIED)
        changed = self._seal != SEAL and (carries or self._seal != "")
        object.__setattr__(self, "_seal", "changed" if changed else "whole")
        if changed:
            self._lose_proof()
        _freeze_fields(self)

    @property
    def changed(self) -> bool:
        """This copy was made by `dataclasses.replace` or by hand: nothing is proved of it."""
        return self._seal == "changed"

    def _lose_proof(self) -> None:
        """Give up what was proved: this copy may be another answer."""
        for name in {f.name for f in fields(self)} & WITHOUT.keys():
            object.__setattr__(self, name, WITHOUT[name])

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a copy or a pickle; numpy gives writable arrays back."""
        vars(self).update(state)
        _freeze_fields(self)


R = TypeVar("R", bound=Result)


def with_fields(result: R, **changes: Any) -> R:
    """Return a copy that keeps its proof: for a judge or solver that knows that it still holds."""
    return replace(result, _seal=SEAL, **changes)


class FrozenDict(dict):
    """A dictionary that cannot change."""

    def _refuse(self, *_args: Any, **_named: Any) -> NoReturn:
        """Say that a result cannot change."""
        raise TypeError("This dictionary belongs to a result, which cannot change: copy it first.")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __reduce__(self) -> tuple:
        """Copies and pickles are made at once, for entries cannot follow; arrays stay locked."""
        return frozen, (dict(self),)


def frozen(value: Any) -> Any:
    """Return the value so that nobody can write to it; an array that owns its numbers is locked."""
    if type(value) in (list, tuple):
        return tuple(map(frozen, value))
    if type(value) is dict:
        return FrozenDict((key, frozen(entry)) for key, entry in value.items())
    if not hasattr(value, "setflags") or type(value.base) is memoryview:
        return value  # no array (theorems need no numpy), or one that is locked
    if value.flags.writeable:
        value = value if value.base is None else value.view()
        value.setflags(write=False)
    try:  # over a read-only buffer no flag lets anybody write
        return sys.modules["numpy"].asarray(memoryview(value).toreadonly())
    except (BufferError, ValueError):  # dates have no buffer: they keep the flag alone
        return value


@cache
def _names(kind: type) -> tuple[str, ...]:
    """Return the names of the fields of a class: to ask for them takes longer than to look."""
    return tuple(f.name for f in fields(kind))


def _freeze_fields(record: Any) -> None:
    kind: Any = type(record)
    for name in _names(kind):
        value = getattr(record, name)
        if type(value) in PLAIN:
            continue
        safe = frozen(value)
        if safe is not value:
            object.__setattr__(record, name, safe)
        elif is_dataclass(value) and type(value).__module__.startswith(OURS):
            _freeze_fields(value)  # a band of numbers, a kernel: not what somebody else wrote
