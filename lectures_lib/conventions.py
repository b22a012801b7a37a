"""Labels, ties, offset, tolerances: decided once.

Labels are -1 and +1. A prediction of exactly 0 is settled by a *tie rule*; the lectures use three:

- ``"mistake"``   y f <= 0 is a mistake, whatever the label (L2, L4, and L5's algorithm). Default.
- ``"positive"``  f >= 0 predicts +1: at 0 only a negative example is a mistake (L1).
- ``"negative"``  f > 0 predicts +1: at 0 only a positive example is a mistake (L5's sign).
"""

from collections.abc import Iterable, Iterator
from dataclasses import Field, fields
from fractions import Fraction
from itertools import count, repeat
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from ._arguments import BadArgument, explained
from ._doubles import rounded_away, was_rounded, would_round

Word = TypeVar("Word", bound=str)
Tie = Literal["mistake", "positive", "negative"]
TIES: tuple[Tie, ...] = ("mistake", "positive", "negative")

#: The type of what all computations take.
DOUBLE = np.dtype(float)
#: The types of real numbers, and their kinds in an array: booleans, whole numbers, floats.
REAL, NUMBERS = (int, float, np.integer, np.floating, Fraction), "biuf"
#: Numbers are refused above this size: sums of their squares would overflow.
LARGEST = 1e150
#: Data whose largest entry is below this are refused: squares would be rounded to 0.
SMALLEST = 1e-150
#: Refuse counts of examples, passes or steps above this: no loop would ever end there.
MAX_COUNT = 2**53
#: Relative tolerance of a check in floating point: sums of a few thousand terms stay far below.
RTOL = 1e-9


class OneLine:
    """A result that prints as one line: numbers as they are, arrays by shape, proofs by verdict."""

    def __repr__(self) -> str:
        parts = ((f.name, getattr(self, f.name)) for f in _fields(self) if f.repr)
        shown = (f"{name}={_in_brief(part)}" for name, part in parts if part is not None)
        return f"{type(self).__name__}({', '.join(shown)})"


def _fields(result: Any) -> tuple[Field, ...]:
    return fields(result)


def _in_brief(part: Any) -> str:
    if hasattr(part, "verdict"):
        return part.verdict
    if isinstance(part, OneLine):
        return f"<{type(part).__name__}>"
    if getattr(part, "shape", ()):
        return f"array{part.shape}"  # a sparse one, too
    if isinstance(part, (float, np.floating)):
        return f"{part:.6g}"
    if isinstance(part, (list, tuple)):
        few = len(part) <= 2 and not any(isinstance(p, (list, tuple, np.ndarray)) for p in part)
        return f"({', '.join(map(_in_brief, part))})" if few else f"<{len(part)} items>"
    return repr(part)


def as_floats(values: ArrayLike, name: str) -> np.ndarray:
    """Return real numbers as floats that are *equal* to them, or say that they would be rounded.

    What is proved about rounded numbers is not proved about those that were given: whole numbers
    above 2^53 and long doubles may differ from every float. NaN and infinity pass.
    """
    if type(values) is np.ndarray and values.dtype is DOUBLE:
        return values  # which is the usual case, and a short way
    raw = as_array(values, name, NUMBERS)
    if would_round(raw):
        raise rounded_away(name)
    with np.errstate(over="ignore"):
        return raw.astype(float, copy=False)


def as_array(values: ArrayLike, name: str, kinds: str = "") -> np.ndarray:
    """Return `values` as an array of any shape, or say what is wrong with them.

    `kinds` are those of the types that are allowed, as `NUMBERS`; default all. Whole numbers above
    2^53 beside floats, in a list or a table, are refused: numpy rounds them.
    """
    if hasattr(values, "toarray"):
        raise BadArgument(f"{name} is sparse; write {name}.toarray(), if memory allows.")
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise BadArgument(f"{name} has masked entries: drop those rows, or fill them in.")
    try:
        raw = np.asarray(values)
    except ValueError:
        raise BadArgument(f"{name} has rows of different lengths; it needs a full table.") from None
    except OverflowError:
        raise BadArgument(f"{name} has a number above every float: choose other units.") from None
    if raw is not values and raw.ndim and raw.dtype.kind == "f" and was_rounded(values, raw):
        raise rounded_away(name)
    if kinds and raw.dtype.kind not in kinds:
        raise BadArgument(f"{name} must hold real numbers, not {raw.dtype}: convert it first.")
    return raw


def check_points(X: ArrayLike, name: str = "X", *, copy: bool = True) -> np.ndarray:
    """Return `X` as a float array of shape (n, d), or say what is wrong with it.

    Without `copy` it may be what was given: for a function that neither writes to it nor keeps it.
    """
    raw = as_array(X, name, NUMBERS)
    if raw.ndim == 1:
        raise BadArgument(
            f"{name} has shape {raw.shape}; it needs one row per example. "
            f"One feature: {name}.reshape(-1, 1). One example: {name}.reshape(1, -1)."
        )
    if raw.ndim != 2 or 0 in raw.shape:
        raise BadArgument(f"{name} has shape {raw.shape}; it needs (n, d) with n >= 1 and d >= 1.")
    return _finite(raw, name, copy)


def check_vector(v: ArrayLike, size: int, name: str = "w", *, most: float = LARGEST) -> np.ndarray:
    """Return `v` as a float vector with `size` entries, or say what is wrong with it."""
    raw = as_array(v, name, NUMBERS)
    if raw.shape != (size,):
        raise BadArgument(
            f"{name} has shape {raw.shape}; it needs ({size},), one number per feature."
        )
    return _finite(raw, name, most=most)


def check_labels(y: ArrayLike, n: int, *, both: bool = True) -> np.ndarray:
    """Return `y` as floats -1.0 and +1.0 of shape (n,); with `both`, each must occur.

    Parameters
    ----------
    y : the labels
    n : how many there must be
    both : each of the two must occur

    Examples
    --------
    >>> conventions.check_labels([1, -1, 1], 3)
    array([ 1., -1.,  1.])
    """
    raw = as_array(y, "y")
    if raw.shape != (n,):
        raise BadArgument(f"y has shape {raw.shape}; it needs ({n},), one label per row of X.")
    if raw.dtype.kind not in "iuf":
        raise BadArgument(f"y must hold the numbers -1 and +1, not {raw.dtype}: map your labels.")
    raw = as_floats(raw, "y")
    plus = raw == 1
    if not (plus | (raw == -1)).all():
        found = np.unique(raw).tolist()
        if set(found) <= {0.0, 1.0}:
            raise BadArgument("Labels are 0 and 1; this course uses -1 and +1. Write 2 * y - 1.")
        raise BadArgument(f"Labels must be -1 and +1; found {found[:5]}.")
    if both and plus.all() == plus.any():
        all_one = f"All labels are {raw[0]:+g}" if n else "There are no labels"
        raise BadArgument(f"{all_one}; a separator needs examples of both.")
    return np.array(raw)


def check_examples(
    X: ArrayLike, y: ArrayLike, *, both: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y) as float arrays of shapes (n, d) and (n,); the inputs are not modified."""
    X = check_points(X)
    return X, check_labels(y, len(X), both=both)


def take_rows(X: Any, rows: np.ndarray) -> Any:
    """Return some of the examples: rows of a table, or entries of a list of texts or graphs."""
    return X[rows] if hasattr(X, "shape") else [X[i] for i in rows]


def check_targets(y: ArrayLike, n: int) -> np.ndarray:
    """Return the n real targets of a regression as an array of floats, or say what is wrong."""
    raw = as_array(y, "y")
    if raw.dtype.kind not in "iuf" or raw.shape != (n,):
        raise BadArgument(
            f"y is {raw.dtype} {raw.shape}; it needs {n} real numbers, one per row of X."
        )
    if not np.isfinite(raw).all():
        raise BadArgument("y contains NaN or infinity: remove those examples.")
    return _finite(raw, "y")


def check_count(value: int, name: str, least: int = 1) -> int:
    """Return `value` if it is a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise BadArgument(f"{name} must be a whole number >= {least}, not {value!r}.")
    if value > MAX_COUNT:
        raise BadArgument(f"{name} = {value} is more than a machine can count to: take fewer.")
    return int(value)


def check_positive(value: float, name: str, why: str = "") -> float:
    """Return `value` as a float if it is a finite number > 0; `why` ends the sentence if not."""
    real = isinstance(value, REAL) and not isinstance(value, bool)
    if not real or not 0 < value < np.inf:
        kind = "finite number" if real and value == np.inf else "number"
        raise BadArgument(f"{name} must be a {kind} > 0, not {value!r}{why}.")
    return as_float(value, name)


def check_cost(
    C: float | ArrayLike, n: int | None = None, *, hard: bool = True, spare: bool = False
) -> float | np.ndarray:
    """Return C, the price of slack: a number > 0, or one finite number > 0 for each of n examples.

    `hard`: the one number may be inf, the hard margin. `spare`: single examples may cost 0.
    """
    raw = as_array(C, "C")
    one = raw.ndim == 0 and raw.dtype.kind in "iuf" and raw > 0 and (hard or raw < np.inf)
    each = n is not None and raw.shape == (n,) and raw.dtype.kind in "iuf"
    if each:
        each = bool(np.isfinite(raw).all() and ((raw > 0) | (spare & (raw == 0))).all())
    if not one and not each:
        end = "or inf: the hard margin" if hard else "finite; a hard tube: a large one"
        more = f", or {n} finite numbers {'>=' if spare else '>'} 0, one per example"
        raise BadArgument(f"C must be a number > 0 ({end}){more if n else ''}; not {C!r}.")
    return np.array(as_floats(raw, "C")) if each else float(as_floats(raw, "C"))


def check_rng(rng: int | np.random.Generator | None) -> np.random.Generator:
    """Return the generator itself, or a new one from a seed; None takes a seed from the system."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError):
        raise BadArgument(
            f"rng must be a whole number >= 0 or np.random.default_rng(0), not {rng!r}."
        ) from None


def check_choice(value: Word, choices: Iterable[str], name: str) -> Word:
    """Return `value` if it is one of these words."""
    words = list(choices)
    if not isinstance(value, str) or value not in words:
        raise BadArgument(f"{name} must be one of {', '.join(map(repr, words))}; not {value!r}.")
    return value


def check_number(
    value: float, name: str, least: float = -np.inf, most: float = np.inf, *, why: str = ""
) -> float:
    """Return `value` as a float if it is a finite number in range; `why` ends the sentence."""
    real = isinstance(value, REAL) and not isinstance(value, bool)
    if not real or not least <= value <= most or not abs(value) < np.inf:
        kind = "finite number" if real and abs(value) == np.inf else "number"
        above = f" >= {least:g}" if least > -np.inf else ""
        allowed = f" from {least:g} to {most:g}" if most < np.inf else above
        raise BadArgument(f"{name} must be a {kind}{allowed}, not {value!r}{why}.")
    return as_float(value, name)


def as_float(value: float, name: str) -> float:
    """Return the float that is equal to a number, or say that there is none."""
    try:
        near = float(value)
    except OverflowError:
        raise BadArgument(f"{name} is above every float: choose other units.") from None
    if near != value and value == value:
        raise BadArgument(f"{name} = {value} is no float: write {name}={near!r}, if you mean that.")
    return near


@explained
def sign(f: ArrayLike, tie: Tie = "mistake") -> np.ndarray:
    """Return the predicted labels for scores `f`: +1 above 0, -1 below, and the rule's at 0.

    At exactly 0 the prediction is -1 under ``"negative"`` and +1 otherwise; never 0.

    Parameters
    ----------
    f : scores
    tie : as in `is_mistake`

    Examples
    --------
    >>> conventions.sign([2.0, 0.0, -1.0])
    array([ 1.,  1., -1.])
    """
    f = as_array(f, "f", NUMBERS).astype(float)
    return np.where(f > 0 if check_choice(tie, TIES, "tie") == "negative" else f >= 0, 1.0, -1.0)


@explained
def is_mistake(f: ArrayLike, y: ArrayLike, tie: Tie = "mistake") -> np.ndarray:
    """Return where score `f` counts as a mistake on label `y`, under the tie rule.

    Parameters
    ----------
    f, y : scores and labels
    tie : "mistake" (both labels are wrong at 0), "positive" or "negative" (0 predicts that label)

    Examples
    --------
    >>> conventions.is_mistake([2.0, 0.0, -1.0], [1, 1, 1])
    array([False,  True,  True])
    """
    f, y = as_array(f, "f", NUMBERS), as_array(y, "y", NUMBERS)
    if f.ndim and y.ndim and f.shape != y.shape:
        raise BadArgument(f"f has shape {f.shape}, y has {y.shape}: one label per score.")
    t = y.astype(float) * f
    return t <= 0 if check_choice(tie, TIES, "tie") == "mistake" else sign(f, tie) != y


@explained
def add_constant(X: ArrayLike) -> np.ndarray:
    """Append the dummy feature 1 to every example, so that w carries the threshold (L1, L2).

    w.x + w0 >= 0  iff  (w, w0).(x, 1) >= 0. Note that R and gamma are then those of (x, 1).

    Parameters
    ----------
    X : (n, d) examples

    Examples
    --------
    >>> conventions.add_constant([[2.0, 3.0], [4.0, 5.0]])
    array([[2., 3., 1.],
           [4., 5., 1.]])
    """
    X = check_points(X)
    return np.hstack([X, np.ones((len(X), 1))])


@explained
def orders(
    n: int,
    order: ArrayLike | None = None,
    rng: int | np.random.Generator | None = None,
) -> Iterator[np.ndarray]:
    """Return, pass after pass, the order in which the n examples are seen.

    `order` is a permutation used in every pass; `rng` draws a new one each time; default as given.
    """
    if order is not None and rng is not None:
        raise BadArgument("Give order (a fixed one) or rng (a new one each pass), not both.")
    if rng is not None:
        generator = check_rng(rng)
        return (generator.permutation(n) for _ in count())
    if order is None:
        return repeat(np.arange(n))
    fixed = as_array(order, "order")
    listed = fixed.dtype.kind in "iu" and fixed.ndim == 1
    if not listed or not np.array_equal(np.sort(fixed), np.arange(n)):
        raise BadArgument(f"order must be a permutation of 0, ..., {n - 1}.")
    return repeat(fixed.astype(np.int64))


def dot(w: np.ndarray, x: np.ndarray) -> float:
    """Return w.x, added up from left to right as the compiled loops do: equal to the last bit."""
    return float(np.add.accumulate(w * x)[-1])


def _finite(raw: np.ndarray, name: str, copy: bool = True, most: float = LARGEST) -> np.ndarray:
    ends = (raw.min(), raw.max()) if raw.size else (0.0, 0.0)  # NaN, if there is one
    if not np.isfinite(ends).all():
        raise BadArgument(f"{name} contains NaN or infinity: remove or impute those entries.")
    largest = max(abs(float(end)) for end in ends)
    if largest > most:
        raise BadArgument(f"{name} has entries above {most:g}, whose squares overflow: rescale.")
    if 0 < largest < SMALLEST:
        raise BadArgument(
            f"{name} has no entry above {SMALLEST:g}, and the squares of such numbers are 0 in "
            "floating point: rescale."
        )
    raw = as_floats(raw, name)
    if not copy:
        return np.require(raw, float, ["C", "A", "W", "E"])  # one kind of array: compiled once
    return np.array(raw, dtype=float, order="C")  # a copy: what we were given stays as it was
