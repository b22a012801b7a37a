"""`python -m lectures_lib certify model.joblib data.csv --target y`: judge a model from files."""

import argparse
import csv
import importlib
import sys
from io import StringIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from .._arguments import BadArgument
from .judging import certify
from .trained import refuse_other_features

EXAMPLE = "Example: python -m lectures_lib certify model.joblib data.csv --target y"
TRUST = "open a joblib or pickle file, which runs the code in it"
#: Why a file is not opened unasked.
RUNS_CODE = (
    "{name} is not opened: a joblib or pickle file runs code as it is loaded. If you trust whoever "
    "made it, add --i-trust-this-file; a file of skops needs no trust."
)


def main(arguments: list[str] | None = None) -> int:
    """Judge the model of a file. Exit code: 0 proved, 1 not proved, 2 cannot be judged."""
    parser = argparse.ArgumentParser(
        prog="python -m lectures_lib certify", description=main.__doc__, epilog=EXAMPLE
    )
    parser.add_argument("model", type=Path, help="a .joblib, .pkl or .skops file")
    parser.add_argument("data", type=Path, help="a .csv file with a first row of names")
    parser.add_argument("--target", help="the column of labels or targets")
    parser.add_argument("--tol", type=float, default=1e-3, help="how far above the best, relative")
    parser.add_argument("--free", action="store_true", help="do not solve the problem once more")
    parser.add_argument("--i-trust-this-file", action="store_true", dest="trusted", help=TRUST)
    given = parser.parse_args(arguments)
    try:
        X, y, names = read_table(given.data, given.target)
        model = load(given.model, trusted=given.trusted)
        _refuse_other_columns(model, X, names, given.data.name)
        judged = certify(model, X, as_known(model, y), tol=given.tol, solve=not given.free)
    except (ValueError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    print(judged)
    return 0 if judged.holds else 1


def _refuse_other_columns(model: Any, X: np.ndarray, names: list[str], file: str) -> None:
    """Raise if these are not the model's features; the names may show an index, or the target."""
    try:
        refuse_other_features(model, X, names)
    except BadArgument as wrong:
        told = ", ".join(map(repr, names))
        raise BadArgument(f"{wrong} {file} has, but for --target: {told}.") from None


def load(path: Path, *, trusted: bool) -> Any:
    """Return the model of a file; joblib's only if it is trusted, for loading it runs code."""
    if path.suffix == ".skops":
        try:
            return importlib.import_module("skops.io").load(path)
        except ImportError:
            raise BadArgument("A .skops file needs the package skops: pip install skops.") from None
        except TypeError as error:  # types that skops does not know
            raise BadArgument(f"{path.name} is not opened: {error}") from None
        except BadZipFile:
            raise BadArgument(f"{path.name} is not a file of skops.") from None
    if not trusted:
        raise BadArgument(RUNS_CODE.format(name=path.name))
    try:
        return importlib.import_module("joblib").load(path)
    except OSError:
        raise
    except Exception as error:  # whatever unpickling runs into
        why = f"{type(error).__name__}: {error}"
        raise BadArgument(f"{path.name} cannot be read as a file of joblib ({why}).") from error


def read_table(path: Path, target: str | None) -> tuple[np.ndarray, np.ndarray | None, list[str]]:
    """Return the columns of a table as examples, one as labels or targets, and their names."""
    try:
        text = path.read_text(encoding="utf-8-sig")  # Excel marks the encoding
        lines = [(k, line) for k, line in enumerate(csv.reader(StringIO(text, "")), 1) if line]
    except (UnicodeDecodeError, csv.Error):
        raise BadArgument(f"{path.name} is not a table of plain text (.csv, in UTF-8).") from None
    if len(lines) < 2:
        raise BadArgument(f"{path.name} {'has no rows' if lines else 'is empty'}.")
    (_, head), *rows = lines
    for k, row in rows:
        if len(row) != len(head):
            raise BadArgument(f"{path.name}: line {k} has {len(row)} entries, not {len(head)}.")
    for name in head:
        if head.count(name) > 1:
            raise BadArgument(f"{path.name} has two columns named {name!r}.")
    if target is not None and target not in head:
        commas = " Entries are separated by commas." if len(head) == 1 else ""
        told = ", ".join(map(repr, head))
        raise BadArgument(f"{path.name} has no column {target!r}: it has {told}.{commas}")
    columns = dict(zip(head, zip(*(row for _, row in rows))))
    goal = columns.pop(target) if target is not None else None
    X = np.empty((len(rows), len(columns)))
    for j, (name, column) in enumerate(columns.items()):
        try:
            X[:, j] = [float(v or "nan") for v in column]  # an empty entry is a missing one
        except ValueError as error:
            raise BadArgument(f"{path.name}: column {name!r} is not of numbers: {error}.") from None
    return X, None if goal is None else _numbers_or_words(goal), list(columns)


def _numbers_or_words(column: tuple[str, ...]) -> np.ndarray:
    try:
        values = np.array([float(v) for v in column])
    except ValueError:
        return np.array(column)
    whole = (np.abs(values) < 2**53).all() and (values == np.round(values)).all()
    return values.astype(int) if whole else values


def as_known(model: Any, y: np.ndarray | None) -> np.ndarray | None:
    """Return labels in the type of the model's own: a table does not say 1 from "1" or True."""
    kind = getattr(getattr(model, "classes_", None), "dtype", np.dtype(float)).kind
    if y is None or kind not in "UOb":
        return y
    words = y.astype(str)
    return words == "True" if kind == "b" and set(words) == {"True", "False"} else words
