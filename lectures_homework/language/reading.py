"""Read an answer: as a number, a vector, its parts; or say what is wrong with its form.

One policy for exercises and homework, `lectures_lib.exercises.reading`: lists, tuples and arrays of
any type of number are read alike, one number may come in brackets, a vector as a row or a column.
A check never touches a raw answer.
"""

from collections.abc import Sequence
from typing import Any, NoReturn

import numpy as np

from lectures_lib.exercises.reading import Returned

from .failures import Malformed


class Reply(Returned):
    """What the student's function returned, or a part of it, by name."""

    def refuse(self, claim: str) -> NoReturn:
        """Stop with what must hold instead; what came back is shown beside it."""
        raise Malformed(f"{self.name}: {claim}")


def number(got: Any, what: str) -> float:
    """Return the answer as one number; nan and infinity are numbers here."""
    return _read(got, what).number(finite=False)


def truth(got: Any, what: str) -> bool:
    """Return the answer as True or False; 1 and 0 will do."""
    return _read(got, what).yes()


def word(got: Any, among: Sequence[str], what: str) -> str:
    """Return the answer as one of these words."""
    if not isinstance(got, str) or got not in among:
        raise Malformed(f"{what} is one of the texts {', '.join(map(repr, among))}")
    return got


def vector(got: Any, n: int, what: str) -> np.ndarray:
    """Return the answer as n finite numbers."""
    one = _read(got, what)
    return one.vector(n) if n else one.array(0)


def array(got: Any, shape: tuple[int, ...], what: str) -> np.ndarray:
    """Return the answer as an array of that shape."""
    return _read(got, what).array(*shape, finite=False)


def rows(got: Any, what: str, *, width: int | None = None, height: int | None = None) -> np.ndarray:
    """Return the answer as a finite table, of `width` columns and `height` rows if these are known.

    As many numbers as there are columns are one row, as many as there are rows one column; a table
    of known width may be empty.
    """
    one = _read(got, what)
    if width and not height and (flat := one.entries()).size in (0, width):
        return flat.reshape(-1, width)
    return one.table(width, height=height)


def wholes(got: Any, high: int, what: str, *, n: int | None = None) -> list[int]:
    """Return the answer as n whole numbers from 0 to high, or any number of them, in order."""
    answer = _read(got, what)
    entries = got.size if isinstance(got, np.ndarray) else 1
    if n is None and (not entries or (isinstance(got, list | tuple) and not got)):
        return []
    found = answer.vector(n)
    if not np.isin(found, range(high + 1)).all():
        answer.refuse(f"whole numbers from 0 to {high} are expected")
    return [int(one) for one in found]


def parts(got: Any, *names: str) -> list:
    """Return the parts of an answer, one for each name."""
    return several(got, len(names), f"the answer has {len(names)} parts: ({', '.join(names)})")


def several(got: Any, n: int, what: str) -> list:
    """Return the n things that an answer lists, whatever they are."""
    many = isinstance(got, list | tuple) or (isinstance(got, np.ndarray) and got.ndim > 0)
    if not many or len(got) != n:
        raise Malformed(what)
    return list(got)


def _read(got: Any, what: str) -> Reply:
    return Reply(given="", value=got, name=what)
