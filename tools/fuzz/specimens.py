"""One honest result of every kind, by introspection: what a right call of each function returns."""

import importlib
import inspect
import warnings
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path

import numpy as np

import lectures_lib
from tools.fuzz.calls import Call, calls

LIBRARY = Path(lectures_lib.__file__).parent

#: Who has one of these says something about itself.
STATEMENTS = ("holds verdict converged separable valid stable shattered proved").split()
#: Rooms whose right calls draw, or judge students.
SILENT = ("plots", "widgets", "exercises")


def speakers() -> dict[str, type]:
    """Return every class of the library that has a statement."""
    return {kind.__name__: kind for kind in records() if says(kind)}


@cache
def records() -> tuple[type, ...]:
    """Return every public dataclass of the library."""
    found = []
    for path in sorted(LIBRARY.rglob("*.py")):
        parts = path.relative_to(LIBRARY.parent).with_suffix("").parts
        if path.name.startswith("__") or parts[1] in ("grading", "homework"):
            continue  # the grader's old names: its own package says nothing of proofs
        module = ".".join(parts)
        for name, thing in vars(importlib.import_module(module)).items():
            own = inspect.isclass(thing) and thing.__module__ == module
            if own and is_dataclass(thing) and not name.startswith("_"):
                found.append(thing)
    return tuple(found)


def says(kind: type) -> list[str]:
    """Return the statements that a class can make."""
    known = {f.name for f in fields(kind)} | set(dir(kind))
    return [name for name in STATEMENTS if name in known]


@cache
def returned() -> tuple[tuple[Call, object], ...]:
    """Return every call of the fuzz with what it returns."""
    some = [call for call in calls() if call.name.split(".")[0] not in SILENT]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return tuple((call, call.function(**call.right, **call.fixed)) for call in some)


@cache
def specimens() -> dict[str, list]:
    """Return the results of every call by the name of their class, with the results inside them."""
    found: dict[str, list] = {}
    for _, thing in returned():
        for result in inside(thing):
            found.setdefault(type(result).__name__, []).append(result)
    return found


def inside(thing: object, depth: int = 0) -> Iterator:
    """Yield the dataclasses that a thing is or holds."""
    if isinstance(thing, (list, tuple)) and depth < 4:
        for entry in thing:
            yield from inside(entry, depth + 1)
    elif is_dataclass(thing) and not isinstance(thing, type):
        yield thing
        for f in fields(thing):
            yield from inside(getattr(thing, f.name), depth + 1)


def arrays(thing: object, depth: int = 0) -> Iterator[np.ndarray]:
    """Yield every array that can be reached from a thing."""
    if isinstance(thing, np.ndarray):
        yield thing
    elif isinstance(thing, dict):
        yield from arrays(tuple(thing.values()), depth + 1)
    elif isinstance(thing, (list, tuple)) and depth < 6:
        for entry in thing:
            yield from arrays(entry, depth + 1)
    elif is_dataclass(thing) and not isinstance(thing, type):
        yield from arrays(tuple(getattr(thing, f.name) for f in fields(thing)), depth + 1)
