"""Labels, ties, offset, tolerances: decided once, checked at the door.

Labels are -1 and +1. A prediction of exactly 0 is settled by a *tie rule*; the lectures use three:

- ``"mistake"``   y f <= 0 is a mistake, whatever the label (L2, L4, and L5's algorithm). Default.
- ``"positive"``  f >= 0 predicts +1: at 0 only a negative example is a mistake (L1).
- ``"negative"``  f > 0 predicts +1: at 0 only a positive example is a mistake (L5's sign).
"""

from collections.abc import Iterator
from dataclasses import fields
from itertools import count, repeat
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

Tie = Literal["mistake", "positive", "negative"]
TIES: tuple[Tie, ...] = ("mistake", "positive", "negative")

#: Numbers are refused above this size: sums of their squares would overflow.
LARGEST = 1e150
#: Data whose largest entry is below this are refused: squares would be rounded to 0.
SMALLEST = 1e-150

#: Relative tolerance of a check in floating point: sums of a few thousand terms stay far below.
RTOL = 1e-9


class OneLine:
    """A result that prints as one line: numbers as they are, arrays by shape, proofs by verdict."""

    def __repr__(self) -> str:
        parts = ((f.name, getattr(self, f.name)) for f in fields(self) if f.repr)
        told = (f"{name}={_in_brief(part)}" for name, part in parts if part is not None)
        return f"{type(self).__name__}({', '.join(told)})"


def _in_brief(part: object) -> str:
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


def check_points(X: ArrayLike, name: str = "X") -> np.ndarray:
    """Return `X` as a float array of shape (n, d), or say what is wrong with it."""
    raw = np.asarray(X)
    if raw.dtype.kind not in "biuf":
        raise ValueError(f"{name} must hold real numbers, not {raw.dtype}: convert it first.")
    if raw.ndim == 1:
        raise ValueError(
            f"{name} has shape {raw.shape}; it needs one row per example. "
            f"One feature: {name}.reshape(-1, 1). One example: {name}.reshape(1, -1)."
        )
    if raw.ndim != 2 or 0 in raw.shape:
        raise ValueError(f"{name} has shape {raw.shape}; it needs (n, d) with n >= 1 and d >= 1.")
    return _finite(raw, name)


def check_vector(v: ArrayLike, size: int, name: str = "w") -> np.ndarray:
    """Return `v` as a float vector with `size` entries, or say what is wrong with it."""
    raw = np.asarray(v)
    if raw.dtype.kind not in "biuf":
        raise ValueError(f"{name} must hold real numbers, not {raw.dtype}: convert it first.")
    if raw.shape != (size,):
        raise ValueError(f"{name} has shape {raw.shape}; it needs ({size},), one number a feature.")
    return _finite(raw, name)


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
    raw = np.asarray(y)
    if raw.shape != (n,):
        raise ValueError(f"y has shape {raw.shape}; it needs ({n},), one label a row of X.")
    if raw.dtype.kind not in "iuf":
        raise ValueError(f"y must hold the numbers -1 and +1, not {raw.dtype}: map your labels.")
    values = _values(raw)
    if values <= {0.0, 1.0} and 0.0 in values:
        raise ValueError("Labels are 0 and 1; this course uses -1 and +1. Write 2 * y - 1.")
    if not values <= {-1.0, 1.0}:
        raise ValueError(f"Labels must be -1 and +1; found {sorted(values)[:5]}.")
    if both and len(values) < 2:
        raise ValueError(f"All labels are {values.pop():+g}; a separator needs examples of both.")
    return raw.astype(float)


def _values(labels: np.ndarray) -> set[float]:
    """Return the labels that occur; right ones are found without sorting."""
    plus, minus = labels == 1, labels == -1
    if (plus | minus).all():
        return {v for v, at in ((1.0, plus), (-1.0, minus)) if at.any()}
    return {float(v) for v in np.unique(labels)}


def check_examples(
    X: ArrayLike, y: ArrayLike, *, both: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """Return (X, y) as float arrays of shapes (n, d) and (n,); the inputs are not modified."""
    X = check_points(X)
    return X, check_labels(y, len(X), both=both)


def check_targets(y: ArrayLike, n: int) -> np.ndarray:
    """Return the n real targets of a regression as an array of floats, or say what is wrong."""
    raw = np.asarray(y)
    if raw.dtype.kind not in "iuf" or raw.shape != (n,):
        raise ValueError(
            f"y is {raw.dtype} {raw.shape}; it needs {n} real numbers, one a row of X."
        )
    if not np.isfinite(raw).all():
        raise ValueError("y contains NaN or infinity: remove those examples.")
    return raw.astype(float)


def check_count(value: int, name: str, least: int = 1) -> int:
    """Return `value` if it is a whole number of at least `least`."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise ValueError(f"{name} must be a whole number >= {least}, not {value!r}.")
    return int(value)


def check_positive(value: float, name: str, why: str = "") -> float:
    """Return `value` as a float if it is a finite number > 0; `why` ends the sentence if not."""
    number = isinstance(value, (int, float, np.integer, np.floating)) and value is not True
    if not number or not 0 < value < np.inf:
        kind = "finite number" if number and value == np.inf else "number"
        raise ValueError(f"{name} must be a {kind} > 0, not {value!r}{why}.")
    return float(value)


def check_tie(tie: Tie) -> Tie:
    """Return `tie` if it names one of the three rules."""
    if tie not in TIES:
        raise ValueError(f"tie must be one of {', '.join(TIES)}; not {tie!r}.")
    return tie


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
    f = np.asarray(f, dtype=float)
    return np.where(f > 0 if check_tie(tie) == "negative" else f >= 0, 1.0, -1.0)


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
    t = np.asarray(y, dtype=float) * np.asarray(f, dtype=float)
    return t <= 0 if check_tie(tie) == "mistake" else sign(f, tie) != y


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


def orders(
    n: int, order: ArrayLike | None = None, rng: int | np.random.Generator | None = None
) -> Iterator[np.ndarray]:
    """Return, pass after pass, the order in which the n examples are seen.

    `order` is a permutation used in every pass; `rng` draws a new one each time; default as given.
    """
    if order is not None and rng is not None:
        raise ValueError("Give order (a fixed one) or rng (a new one each pass), not both.")
    if rng is not None:
        generator = np.random.default_rng(rng)
        return (generator.permutation(n) for _ in count())
    if order is None:
        return repeat(np.arange(n))
    fixed = np.asarray(order)
    if fixed.dtype.kind not in "iu" or not np.array_equal(np.sort(fixed), np.arange(n)):
        raise ValueError(f"order must be a permutation of 0, ..., {n - 1}.")
    return repeat(fixed.astype(np.int64))


def dot(w: np.ndarray, x: np.ndarray) -> float:
    """Return w.x, added up from left to right as the compiled loops do: equal to the last bit."""
    return float(np.add.accumulate(w * x)[-1])


def _finite(raw: np.ndarray, name: str) -> np.ndarray:
    ends = (raw.min(), raw.max()) if raw.size else (0.0, 0.0)  # NaN, if there is one
    if not np.isfinite(ends).all():
        raise ValueError(f"{name} contains NaN or infinity: remove or impute those entries.")
    largest = max(abs(float(end)) for end in ends)
    if largest > LARGEST:
        raise ValueError(f"{name} has entries above {LARGEST:g}, whose squares overflow: rescale.")
    if 0 < largest < SMALLEST:
        raise ValueError(
            f"{name} has no entry above {SMALLEST:g}, and the squares of such numbers are 0 in "
            "floating point: rescale."
        )
    if _would_round(raw):
        raise ValueError(
            f"{name} has whole numbers above 2^53, which floating point rounds: subtract what they "
            f"have in common, or round them yourself by {name}.astype(float)."
        )
    return np.array(raw, dtype=float, order="C")  # a copy: what we were given stays as it was


def _would_round(raw: np.ndarray) -> bool:
    """Return whether a whole number of `raw` is none of the floats."""
    if raw.dtype.kind not in "iu" or raw.dtype.itemsize < 8:
        return False
    large = raw[(raw > 2**53) | (raw < -(2**53))]
    return any(int(float(v)) != v for v in large.tolist())
