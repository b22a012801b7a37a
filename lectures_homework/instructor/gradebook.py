"""One table over all homeworks: points, and the weighted share of what could be earned."""

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import masters, tables

AUTOMATIC = ", automatic part"


def weights(given: Iterable[str], known: Sequence[str]) -> dict[str, float]:
    """Return the weight of each homework from texts like hw1=2; 1 where nothing is said."""
    found = dict.fromkeys(known, 1.0)
    for text in given:
        name, _, weight = text.partition("=")
        try:
            number = float(weight)
        except ValueError:
            number = -1.0
        if name not in found or not 0 <= number < float("inf"):
            raise ValueError(f"{text!r} is no weight: write hw1=2, with one of {', '.join(known)}.")
        found[name] = number
    return found


def write(
    grades: Path, out: Path, weight: Mapping[str, float], home: Path = masters.FOLDER
) -> list[str]:
    """Write the table of all homeworks that are graded; return what is to be said about it.

    A homework that a student did not hand in counts 0; one that is not graded at all counts
    nothing. Students are told apart by name and number.
    """
    columns, lines = {}, []
    for name in weight:
        path = grades / name / "grades.csv"
        if path.is_file():
            columns[name], full = _read(path)
            most = masters.load(name, home)
            columns[name]["", ""] = most.automatic + (sum(most.by_hand.values()) if full else 0)
            lines += [] if full else [f"{name}: the points by hand are missing."]
    if not any(weight[name] for name in columns):
        raise ValueError(f"There is no homework with a weight in {grades}: grade one first.")
    students = sorted({key for column in columns.values() for key in column} - {("", "")})
    rows = [
        [*key, *(column.get(key, "") for column in columns.values()), _share(columns, key, weight)]
        for key in students
    ]
    head = [f"{name} (of {columns[name]['', '']})" for name in columns]
    tables.write_rows(out, ["Student", "ID", *head, "percent"], rows)
    graded = f"{tables.counted(len(rows), 'student')}, {tables.counted(len(columns), 'homework')}"
    return [*lines, f"{graded}: {out}"]


def _read(path: Path) -> tuple[dict[tuple[str, str], Any], bool]:
    """Return the points by (student, number), and whether those by hand are in them."""
    with path.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    rows = [[tables.read_cell(text) for text in row] for row in rows]
    return {(row[0], row[1]): row[-1] for row in rows}, not head[-1].endswith(AUTOMATIC)


def _share(columns: Mapping[str, dict], key: tuple[str, str], weight: Mapping[str, float]) -> str:
    """Return the percent of a student, to two digits."""
    shares = [
        (weight[name], float(column.get(key) or 0) / column["", ""])
        for name, column in columns.items()
    ]
    total = sum(how for how, _ in shares)
    return f"{sum(100 * how * share for how, share in shares) / total:.2f}"
