"""The engine of the exercises: it calls a student's function and reads what comes back.

Only the student's own call stands inside a try: what goes wrong there is the student's, and is
told with the line and the input. What goes wrong in a check is the course's, and is never hidden
behind "your function".
"""

import copy
import dis
import os
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from .._door import door

#: One try of an answer: does the property hold, and the property in words. A third entry may say
#: which call it is about; without it, it is about the last one.
Try = tuple

#: what a check is: a function of the answer that yields one try after the other
Check = Callable[["Answer"], Iterator[Try]]


class NotYet(Exception):
    """The reason, in words for a beginner, why an answer is not right yet."""


@dataclass(frozen=True)
class Returned:
    """What the student's function returned, for which input."""

    given: str
    value: Any
    changed: tuple[str, ...]

    def number(self) -> float:
        """Return the value as a number; refuse anything else."""
        return float(self._shaped((), "one number"))

    def vector(self, length: int, *, flat: bool = False) -> np.ndarray:
        """Return the value as a vector; with `flat`, rows and columns count as vectors too."""
        array = self._numbers()
        array = array.ravel() if flat else array
        return self._shaped((length,), f"a vector of {length} numbers", array)

    def array(self, *shape: int) -> np.ndarray:
        """Return the value as an array of this shape; refuse any other."""
        return self._shaped(shape, "an array")

    def table(self, name: str) -> np.ndarray:
        """Return the value as a table of finite numbers, one row per example, of any size."""
        rows = self.value if isinstance(self.value, list | tuple | np.ndarray) else []
        lengths = {np.size(row) for row in rows}
        if len(lengths) != 1 or any(np.ndim(row) != 1 for row in rows) or lengths == {0}:
            self.refuse(f"{name} must be a table: one row per vector, all of one length")
        table = self.array(len(rows), *lengths)
        if not np.isfinite(table).all():
            self.refuse(f"the entries of {name} must be finite numbers")
        return table

    def parts(self, count: int) -> list["Returned"]:
        """Return the value's parts where several are to be returned, as in `return a, b`."""
        value = self.value
        if not isinstance(value, tuple | list | np.ndarray) or len(value) != count:
            names = ", ".join("abcdef"[:count])
            self.refuse(f"{count} values are expected, as in `return {names}`")
        return [Returned(self.given, part, self.changed) for part in value]

    def refuse(self, claim: str) -> NoReturn:
        """Stop with the input, what came back, and what must hold instead."""
        given = f" Given {self.given}\nyour" if self.given else " Your"
        raise NotYet(f"Not yet.{given} answer is {text(self.value)}, but {claim}.")

    def _numbers(self) -> np.ndarray:
        try:
            array = np.asarray(self.value)
            if array.dtype.kind in "biufO":
                return array.astype(float)
        except (TypeError, ValueError):
            pass
        self.refuse("numbers are expected")

    def _shaped(self, shape: tuple, what: str, array: np.ndarray | None = None) -> np.ndarray:
        array = self._numbers() if array is None else array
        if array.shape != shape:
            came = (
                f"an array of shape {np.shape(self.value)}" if np.ndim(self.value) else "a number"
            )
            expected = f"{what} is expected, of shape {shape}" if shape else f"{what} is expected"
            self.refuse(f"{expected}, and this is {came}")
        return array


class Answer:
    """A student's answer; call it with the inputs by name, it gets copies of them by position."""

    def __init__(self, answer: Any):
        self.answer, self.last = answer, Returned("", answer, ())

    def __call__(self, /, given: str | None = None, **inputs: Any) -> Returned:
        """Return what the function returns; `given` may say the inputs in other words."""
        if given is None:
            given = ", ".join(f"{name} = {text(value)}" for name, value in inputs.items())
        handed = [copy.deepcopy(value) for value in inputs.values()]
        value = self._call(handed, given)
        if value is ... or (value is None and is_a_stub(self.answer)):
            raise NotYet("Not written yet: the function returns None.")
        if value is None:
            raise NotYet(
                "Not yet. Your function returns None. Is the `return` missing?" + it(given)
            )
        changed = (n for (n, v), h in zip(inputs.items(), handed) if not np.array_equal(v, h))
        self.last = Returned(given, value, tuple(changed))
        return self.last

    def _call(self, handed: list, given: str) -> object:
        try:
            return self.answer(*handed)
        except Exception as error:
            kind = f"{type(error).__name__}: {error}"
            place = line_of(error, self.answer)
            raise NotYet(f"Not yet: your function stopped{place} with {kind}" + it(given)) from None


def it(given: str) -> str:
    """Return a line that says the input, if there is one."""
    return f"\nIt was given {given}" if given else ""


def is_a_stub(function: Callable) -> bool:
    """Say whether the body of a function is only `...`, pass or a docstring."""
    if not hasattr(function, "__code__"):
        return False
    names = {step.opname for step in dis.get_instructions(function.__code__)}
    nothing = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE", "COPY_FREE_VARS"}
    return names <= nothing


def line_of(error: Exception, function: Callable) -> str:
    """Return the line of the student's own code, in this cell or another, that raised the error."""
    own = getattr(getattr(function, "__code__", None), "co_filename", None)

    def is_a_students(file: str) -> bool:
        return file == own or not (file.startswith("<") or os.path.exists(file))

    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame for frame in frames if is_a_students(frame.filename)]
    if not lines:
        return ""
    words = f", `{lines[-1].line}`," if lines[-1].line else ""
    return f" in line {lines[-1].lineno}{words}"


@door
def text(v: object) -> str:
    """Return an input or an answer on one line; arrays with two decimals."""
    if isinstance(v, tuple):
        return f"({', '.join(map(text, v))})"
    if isinstance(v, float | np.floating):
        return f"{v:.6g}"
    try:
        array = np.asarray(v)
    except ValueError:  # rows of different lengths
        return repr(v)
    if array.dtype.kind not in "biuf" or not array.ndim:
        return getattr(v, "__name__", None) or str(v)
    return " ".join(np.array2string(array, precision=2, separator=", ").split())
