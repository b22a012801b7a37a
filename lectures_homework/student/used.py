"""Which functions of a notebook use which: whose mistake it may be."""

from collections.abc import Mapping
from typing import Any


def used_by(function: str, names: Mapping[str, object]) -> set[str]:
    """Return the names of functions that a function of a notebook calls, directly or not."""
    found: set[str] = set()
    waiting = [function]
    while waiting:
        code = getattr(names.get(waiting.pop()), "__code__", None)
        for name in _names_in(code) - found:
            if callable(names.get(name)):
                found.add(name)
                waiting.append(name)
    return found - {function}


def _names_in(code: Any) -> set[str]:
    if code is None:
        return set()
    inner = [_names_in(const) for const in code.co_consts if hasattr(const, "co_names")]
    return set(code.co_names).union(*inner)
