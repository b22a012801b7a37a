"""Between student and property: the one place where what came back is read.

A check asks for the kind of value that the exercise names (`number`, `vector`, `table`, ...) and
never touches the raw answer. One policy for all exercises:

- lists, tuples, arrays of any integer or float type, Fractions, ranges and generators are numbers;
- one number may come in brackets, a vector as a row or a column, a row or column as a vector;
- ragged lists, texts, None, NaN, infinity, complex numbers and too many values are refused, in one
  sentence that names the value, the input and what is expected.
"""

from collections import deque
from collections.abc import Iterator, KeysView, Mapping, Set, ValuesView
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from functools import partial
from itertools import islice
from numbers import Real
from typing import Any, NoReturn

import numpy as np

from .._arguments import explained

#: the longest list that is read, and the longest one that is shown
MOST_ENTRIES, MOST_SHOWN = 10_000, 60
ORDINALS = ("first", "second", "third", "fourth")
EMPTY: Mapping[str, Any] = {}


class NotYet(Exception):
    """The reason, in words for a beginner, why an answer is not right yet; and the input."""

    def __init__(self, reason: str, inputs: Mapping[str, Any] | None = None):
        super().__init__(reason)
        self.inputs = dict(inputs or {})


@dataclass(frozen=True)
class Returned:
    """What the student's function returned, for which input."""

    given: str
    value: Any
    changed: tuple[str, ...] = ()
    inputs: dict[str, Any] = field(default_factory=dict)
    name: str = ""  #: which of several values this is

    def number(self, *, finite: bool = True) -> float:
        """Return one number; a list or an array of one entry counts as one."""
        array = self._numbers("one number", finite=finite)
        if array.size != 1:
            self.refuse(f"one number is expected, and {_came(array)}")
        return float(array.ravel()[0])

    def whole(self, low: int, high: int | None = None, what: str = "it") -> int:
        """Return a whole number from low to high."""
        span = f"{low} to {high}" if high is not None else f"{low} or more"
        claim = f"{what} must be a whole number, {span}"
        array = self._numbers(f"one number, {span},")
        if array.size != 1:
            self.refuse(f"{claim}, and {_came(array)}")
        number = float(array.ravel()[0])
        if number != round(number):
            near = abs(number - round(number)) < 1e-6
            self.refuse(claim + (f": round {number!r}" if near else ""))
        if number < low or (high is not None and number > high):
            self.refuse(claim)
        return int(number)

    def yes(self) -> bool:
        """Return True or False; numpy's own and 1 and 0 count."""
        array = self._numbers("True or False")
        if array.size != 1 or array.ravel()[0] not in (0, 1):
            self.refuse(f"True or False is expected, and {_came(array)}")
        return bool(array.ravel()[0])

    def vector(self, length: int | None = None, *, finite: bool = True) -> np.ndarray:
        """Return a vector of that many numbers, or of any length; rows and columns count."""
        many = "numbers" if length is None else f"{length} number{'s' * (length != 1)}"
        array = self._numbers(f"a vector of {many}", finite=finite)
        if sum(n != 1 for n in array.shape) > 1 or array.size != (length or array.size):
            self.refuse(f"a vector of {many} is expected, and {_came(array)}")
        if not array.size:
            self.refuse("a vector with at least one entry is expected")
        return array.ravel()

    def entries(self) -> np.ndarray:
        """Return all entries of an array of any shape, row by row: features need no shape."""
        return self._numbers("a vector of numbers").ravel()

    def array(self, *shape: int, finite: bool = True) -> np.ndarray:
        """Return an array of this shape; one row or one column may come as a vector."""
        array = self._numbers(f"an array of shape {shape}", finite=finite)
        longer = tuple(n for n in shape if n != 1)
        if array.shape != shape and (len(longer) > 1 or tuple(_longer(array)) != longer):
            self.refuse(f"an array of shape {shape} is expected, and {_came(array)}")
        return array.reshape(shape)

    def table(self, width: int | None = None, *, height: int | None = None) -> np.ndarray:
        """Return a table, one row per vector; `height` numbers are a table of one column."""
        rows = f"{height} rows" if height else "rows"
        what = f"a table with {rows} of {f'{width} numbers' if width else 'equal length'}"
        array = self._numbers(what)
        column = array.ndim == 1 and array.size == height and width in (1, None)
        array = array.reshape(-1, 1) if column else array
        fits = array.ndim == 2 and array.size and array.shape[1] == (width or array.shape[1])
        if not fits or len(array) != (height or len(array)):
            self.refuse(f"{what} is expected, and {_came(array)}")
        return array

    def fractions(self, length: int | None = None) -> list[Fraction]:
        """Return a vector without rounding; a float stands for the fraction that it is."""
        floats = self.vector(length)
        return _exact(self.value) or _fractions(floats)

    def fraction_table(self, width: int) -> list[list[Fraction]]:
        """Return the rows of a table without rounding."""
        rows = self.table(width)
        exact = _exact(self.value) or _fractions(rows.ravel())
        return [exact[i * width : (i + 1) * width] for i in range(len(rows))]

    def wholes(self, low: int, high: int, what: str) -> list[int]:
        """Return a list of different whole numbers from low to high, of any length, in order."""
        value = sorted(self.value, key=repr) if isinstance(self.value, Set) else self.value
        array = replace(self, value=value)._numbers(f"a list of {what}")
        if len(_longer(array)) > 1 or not array.ndim:
            self.refuse(f"a list of {what} is expected, and {_came(array)}")
        if (array != np.round(array)).any() or ((array < low) | (array > high)).any():
            self.refuse(f"{what} are whole numbers from {low} to {high}")
        found = [int(k) for k in array.ravel()]
        if len(set(found)) < len(found):
            self.refuse(f"{what} must be different, and one comes twice")
        return sorted(found)

    def words(self, what: str) -> str:
        """Return a text in small letters: capitals, spaces around it, a stop are no mistake."""
        alone = isinstance(self.value, np.ndarray) and self.value.size == 1
        value = self.value.item() if alone else self.value
        if not isinstance(value, str):
            self.refuse(f"it must be a text, {what}")
        return str(value).strip().rstrip(".").lower()

    def parts(self, *names: str) -> list["Returned"]:
        """Return the values where several are to be returned, as in `return alpha, b`."""
        value, asked = self.value, f"`return {', '.join(names)}`"
        many = isinstance(value, tuple | list) or (isinstance(value, np.ndarray) and value.ndim)
        if not many:
            self.refuse(f"{len(names)} values are expected, as in {asked}, and this is one")
        if len(value) != len(names):
            self.refuse(f"{len(names)} values are expected, as in {asked}, and {len(value)} came")
        calls = zip(ORDINALS, names, value)
        return [
            replace(self, value=part, name=f"the {nth} value you return, {name},")
            for nth, name, part in calls
        ]

    def refuse(self, claim: str) -> NoReturn:
        """Stop with the input, what came back, and what must hold instead."""
        who = self.name or "your answer"
        start = f" Given {self.given}\n{who}" if self.given else f" {who[0].upper()}{who[1:]}"
        raise NotYet(f"Not yet.{start} is {text(self.value)}, but {claim}.", self.inputs)

    def _numbers(self, what: str, *, finite: bool = True) -> np.ndarray:
        """Return the value as an array of floats, whatever its shape."""
        array = _floats(self.value)
        if array is None:
            ragged = _is_ragged(self.value)
            why = ", and these rows differ in length" if ragged else ""
            why = ", and a set has no order: return a list" if isinstance(self.value, Set) else why
            self.refuse(f"{what} is expected{why}")
        if finite and not np.isfinite(array).all():
            odd = array[~np.isfinite(array)].ravel()[0]
            self.refuse(f"{what} is expected, and {odd:g} is no finite number")
        return array


# --- values --------------------------------------------------------------------------------------


def settled(value: Any, depth: int = 3) -> Any:
    """Return the value with generators, ranges and views written out, so that all can be read."""
    if not depth or (not isinstance(value, list | tuple) and not _can_be_listed(value)):
        return value
    entries = list(islice(value, MOST_ENTRIES + 1))
    if len(entries) > MOST_ENTRIES:
        raise NotYet(f"Not yet: more than {MOST_ENTRIES:,} values come back. When does it stop?")
    if not all(type(entry) in (int, float, bool) for entry in entries):
        entries = [settled(entry, depth - 1) for entry in entries]
    return tuple(entries) if isinstance(value, tuple) else entries


def _can_be_listed(value: Any) -> bool:
    return isinstance(value, Iterator | range | deque | ValuesView | KeysView)


def _is_ragged(value: Any) -> bool:
    """Say whether numpy makes no array of a list, because its rows differ in length."""
    try:
        np.asarray(value)
    except ValueError:
        return isinstance(value, list | tuple)
    except Exception:  # an object of a student's own
        return False
    return False


def _floats(value: Any) -> np.ndarray | None:
    """Return the value as an array of floats, or None where it is none."""
    try:
        array = np.asarray(value.toarray() if hasattr(value, "toarray") else value)
        if array.dtype.kind == "c" and not array.imag.any():
            array = array.real
        if array.dtype.kind == "O" and all(_is_number(v) for v in array.ravel()):
            return np.array([float(v) for v in array.ravel()]).reshape(array.shape)
        with np.errstate(all="ignore"):
            return array.astype(float) if array.dtype.kind in "biuf" else None
    except Exception:  # an array of its own kind, a list in itself, a number beyond all floats
        return None


def _is_number(value: Any) -> bool:
    by_itself = hasattr(value, "__float__") and not isinstance(value, np.ndarray)
    return isinstance(value, Real | Decimal) or by_itself


def _exact(value: Any) -> list[Fraction] | None:
    """Return the entries as fractions where they are whole numbers, Fractions or Decimals."""
    try:
        entries = np.asarray(value, dtype=object).ravel()
    except Exception:  # the reading as floats says what is wrong
        return None
    kinds = int | np.integer | Fraction | Decimal
    if not len(entries) or not all(isinstance(v, kinds) for v in entries):
        return None
    return [Fraction(v if isinstance(v, Fraction | Decimal) else int(v)) for v in entries]


def _fractions(values: np.ndarray) -> list[Fraction]:
    return [Fraction(float(v)) for v in values]


def _longer(array: np.ndarray) -> list[int]:
    return [n for n in array.shape if n != 1]


def _came(array: np.ndarray) -> str:
    if not array.ndim:
        return "this is a number"
    return f"this is an array of shape {array.shape}"


# --- words ---------------------------------------------------------------------------------------


@explained
def text(v: object) -> str:
    """Return an answer on one line; numbers with six digits."""
    if isinstance(v, tuple):
        return f"({', '.join(map(text, v))})"
    if isinstance(v, float | np.floating):
        return f"{v + 0:.6g}"  # -0.0 becomes 0
    if isinstance(v, str):
        return _cut(repr(v))
    try:
        if isinstance(v, list) and any(isinstance(part, np.ndarray) for part in v):
            return f"[{', '.join(map(text, v))}]"
        array = np.asarray(v)
        if array.dtype.kind not in "biuf" or not array.ndim:
            return _cut(" ".join((getattr(v, "__name__", None) or str(v)).split()))
    except Exception:  # rows of different lengths, or an object of a student's own
        return _cut(_words(v))
    form: Any = {"all": text}
    shown = np.array2string(array, separator=", ", threshold=MOST_SHOWN, formatter=form)
    return " ".join(shown.split())


def apart(wish: float, found: float) -> tuple[str, str]:
    """Return two numbers with as many digits as tell them apart, four at least."""
    for digits in (4, 8, 12, 4):
        shown = f"{wish:.{digits}f}", f"{found:.{digits}f}"
        if shown[0] != shown[1]:
            break
    return f"{wish:g}" if wish == round(wish, 1) else shown[0], shown[1]


def near(
    got: Any, wish: Any, claim: str, slips: Mapping = EMPTY, *, of: Any = None, rtol=1e-5, atol=1e-8
) -> tuple[bool, str]:
    """Return whether a number is what it must be, and the claim with both numbers and the slip."""
    due, made = apart(float(wish), float(got))
    slip = named(got if of is None else of, slips)
    return bool(np.isclose(got, wish, rtol=rtol, atol=atol)), f"{claim} {due}; it is {made}{slip}"


def named(value: Any, slips: Mapping[str, Any]) -> str:
    """Return the names of the slips that give this value, in brackets; empty where none does."""
    near = partial(np.allclose, value, rtol=1e-6, atol=1e-9)
    known = [n for n, slip in slips.items() if np.shape(value) == np.shape(slip) and near(slip)]
    return f" ({', or '.join(known)})" if known else ""


def count(n: int, one: str, many: str) -> str:
    """Return `1 pair` or `3 pairs`."""
    return f"{n} {one if n == 1 else many}"


def code(v: object) -> str:
    """Return an input as Python text that can be pasted back; long ones in words."""
    if isinstance(v, np.ndarray):
        if v.size > MOST_SHOWN:
            return f"an array of shape {v.shape}"
        return f"np.array({(v + 0).tolist()})"  # -0.0 becomes 0.0
    if isinstance(v, float | np.floating):
        return repr(float(v))
    if isinstance(v, list | tuple):
        inside = ", ".join(map(code, v))
        left, right = "[]" if isinstance(v, list) else ("(", "," * (len(v) == 1) + ")")
        return f"{left}{inside}{right}"
    return str(getattr(v, "__name__", None) or repr(v))


def _words(v: object) -> str:
    try:
        return repr(v)
    except Exception:
        return f"an object of the class {type(v).__name__}"


def _cut(words: str) -> str:
    return words if len(words) <= 400 else words[:400] + " ..."
