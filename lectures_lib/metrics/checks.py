"""Checks of what `metrics` is given, and its tables as text."""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument

Label = bool | int | float | str
Rows = Literal["predicted", "true"]


def check_label_pair(y: ArrayLike, predicted: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the true and the predicted labels as arrays of one length and one kind."""
    y, predicted = check_label_array(y, "y"), check_label_array(predicted, "predicted")
    if y.shape != predicted.shape:
        raise BadArgument(
            f"y has {y.size} labels, predicted has {predicted.size}: give one of each an example."
        )
    if (y.dtype.kind == "U") != (predicted.dtype.kind == "U"):
        raise BadArgument("One of y and predicted holds texts, the other numbers: use the same.")
    return y, predicted


def check_no_scores(y: np.ndarray, predicted: np.ndarray) -> None:
    """Refuse predictions that look like scores: fractions that are no label of y."""
    if predicted.dtype.kind == "f":
        other = predicted[(predicted % 1 != 0) & ~np.isin(predicted, y)]
        if other.size:
            raise BadArgument(
                f"predicted holds {other[0]:g}, which is no label of y: a score? Predict first "
                "(conventions.sign, or the class of the largest score)."
            )


def check_label_array(labels: ArrayLike, name: str) -> np.ndarray:
    """Return labels as an array of shape (n,), n >= 1, of numbers or of texts."""
    raw = np.asarray(labels)
    if raw.dtype.kind == "O" and all(isinstance(label, str) for label in raw.flat):
        raw = raw.astype(str)
    if raw.ndim != 1 or raw.size == 0:
        raise BadArgument(f"{name} has shape {raw.shape}; it needs (n,), one label an example.")
    if raw.dtype.kind not in "biufU":
        raise BadArgument(f"{name} must hold numbers or texts, not {raw.dtype}: map your labels.")
    if raw.dtype.kind == "f" and not np.isfinite(raw).all():
        raise BadArgument(f"{name} contains NaN or infinity, which is no label: remove those.")
    return raw


def other_label(labels: np.ndarray, positive: Label) -> Label | None:
    """Return the label beside `positive`, None if there is no other."""
    if isinstance(positive, str) != (labels.dtype.kind == "U"):
        raise BadArgument(f"positive = {positive!r} is not of the labels' kind: state positive=...")
    found = np.unique(labels).tolist()
    others = [label for label in found if label != positive]
    if len(found) > 2:
        raise BadArgument(
            f"Found {len(found)} labels, {_some(found)}: two are needed. For scores, predict "
            "first (conventions.sign); for several classes use confusion_matrix."
        )
    if len(others) == 2:
        raise BadArgument(
            f"The labels are {_some(found)}: say which is positive=..., {positive!r}?"
        )
    return others[0] if others else None


def check_zero_division(value: float) -> float:
    """Return the value given to 0/0: from 0 to 1, or nan."""
    if isinstance(value, (int, float, np.number)) and (value != value or 0 <= value <= 1):
        return value
    raise BadArgument(f"zero_division is what 0/0 is given as: 0, 1 or nan; not {value!r}.")


def check_probability(value: float, name: str) -> float:
    """Return a number from 0 to 1."""
    if isinstance(value, (int, float, np.number)) and 0 <= value <= 1:
        return float(value)
    raise BadArgument(f"{name} is a probability from 0 to 1, not {value!r}.")


def check_costs(fp: float, fn: float) -> None:
    """Refuse costs that are negative, infinite, or both 0."""
    if not (0 <= fp < np.inf and 0 <= fn < np.inf and fp + fn > 0):
        raise BadArgument(f"Costs are numbers >= 0, not both 0; got fp = {fp} and fn = {fn}.")


def label_name(label: Label) -> str:
    """Return a label as text, whole numbers without a decimal point."""
    return f"{label:g}" if isinstance(label, float) else str(label)


def text_table(names: tuple[str, ...], counts: np.ndarray) -> str:
    """Return a table of counts with its totals, predictions as rows and truth as columns."""
    return "\n".join(_lines(names, counts))


def _lines(names: tuple[str, ...], counts: np.ndarray) -> Iterator[str]:
    columns = [*(f"y = {name}" for name in names), "total"]
    rows = [*(f"predicted {name}" for name in names), "total"]
    full = np.vstack([counts, counts.sum(axis=0)])
    full = np.column_stack([full, full.sum(axis=1)])
    width = max(len(str(full.max())), *map(len, columns)) + 2
    left = max(map(len, rows))
    yield " " * left + "".join(f"{name:>{width}}" for name in columns)
    for name, row in zip(rows, full.tolist(), strict=True):
        yield f"{name:<{left}}" + "".join(f"{count:>{width}}" for count in row)


def _some(labels: list) -> str:
    return ", ".join(repr(label) for label in labels[:5]) + (", ..." if len(labels) > 5 else "")
