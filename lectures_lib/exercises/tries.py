"""The engine of the exercises: it calls a student's function and keeps what comes back.

Only the student's own call stands inside a try: what goes wrong there is the student's, and is
told with the line and the input. What goes wrong in a check is the course's, and is never hidden
behind "your function".
"""

import copy
import dis
import os
import traceback
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

import numpy as np

from .limits import TooMuch, full, limited
from .reading import NotYet, Returned, code, settled, text

#: One try of an answer: does the property hold, and the property in words. A third entry may say
#: which call it is about; without it, it is about the last one.
Try = tuple

#: what a check is: a function of the answer that yields one try after the other
Check = Callable[["Answer"], Iterator[Try]]


class Answer:
    """A student's answer; call it with the inputs by name, it gets copies of them by position."""

    def __init__(self, answer: Any, exercise: str = "name"):
        self.answer, self.exercise, self.last = answer, exercise, Returned("", answer)
        self.state = np.geterr()  # what the student has numpy say of overflows and the like

    def __call__(self, /, given: str | None = None, **inputs: Any) -> Returned:
        """Return what the function returns; `given` may say the inputs in other words."""
        if given is None:
            given = ", ".join(f"{name} = {code(value)}" for name, value in inputs.items())
        handed = [copy.deepcopy(value) for value in inputs.values()]
        self.last = Returned(given, None, inputs=inputs)
        value = self._call(handed)
        if value is ... or (value is None and is_a_stub(self.answer)):
            raise NotYet("Not written yet: the function returns None.")
        if value is None:
            missing = "Is a `return` missing, or is what it returns still None?"
            self._stop(f"Not yet. Your function returns None. {missing}")
        changed = (n for (n, v), h in zip(inputs.items(), handed) if not _same(v, h))
        self.last = Returned(given, value, tuple(changed), inputs)
        return self.last

    def expression(self) -> str | None:
        """Return the text that was handed over, or that the function returns; None if unwritten."""
        value = self().value if callable(self.answer) else self.answer
        unwritten = value is None or value is ... or (isinstance(value, str) and not value.strip())
        return None if unwritten else value

    def _call(self, handed: list) -> object:
        if not callable(self.answer):
            self._no_function()
        try:
            with limited(self.answer), np.errstate(**self.state):
                return settled(self.answer(*handed))
        except NotYet as reason:  # of `settled`: too many values
            self._stop(str(reason))
        except TooMuch as much:
            self._stop(f"Not yet: your function was stopped, because {much}")
        except MemoryError:
            self._stop(f"Not yet: your function was stopped, because {full()}")
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            ended = isinstance(error, SystemExit)
            why = "end a function with `return`" if ended else text(error) or "it says no more"
            kind = f"{type(error).__name__}: {why}"
            self._stop(f"Not yet: your function stopped{line_of(error, self.answer)} with {kind}")

    def _stop(self, reason: str) -> NoReturn:
        given = f"\nIt was given {self.last.given}" if self.last.given else ""
        raise NotYet(reason + given, self.last.inputs) from None

    def _no_function(self) -> NoReturn:
        if self.answer is None or self.answer is ...:
            raise NotYet("Not written yet: no function is given.")
        call = f'exercises.check("{self.exercise}", f)'
        what = "This is a value, not a function. Hand over the function itself, without brackets"
        raise NotYet(f"Not yet. {what}: `{call}`, not `f(...)`.")


def _same(one: Any, other: Any) -> bool:
    """Say whether an input is still what it was."""
    try:
        return bool(np.array_equal(one, other))
    except Exception:  # a list that was made ragged
        return False


def is_a_stub(function: Callable) -> bool:
    """Say whether the body of a function is only `...`, pass or a docstring."""
    if not hasattr(function, "__code__"):
        return False
    names = {step.opname for step in dis.get_instructions(function.__code__)}
    nothing = {"RESUME", "NOP", "LOAD_CONST", "RETURN_CONST", "RETURN_VALUE", "COPY_FREE_VARS"}
    return names <= nothing


def line_of(error: BaseException, function: Callable) -> str:
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
