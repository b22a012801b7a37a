"""Tables as CSV files: a spreadsheet opens them and runs nothing that a student wrote."""

import csv
import re
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

#: What a spreadsheet would run; quotes in front count, so that what is written can be read back.
FORMULA = re.compile(r"[\s'\"]*[=+\-@＝＋－＠]")
#: Where a spreadsheet, told so or by the custom of its country, begins another cell.
BORDERS = re.compile(r"([;\t\r\n])")


def write_rows(path: Path, columns: Sequence[str], rows: Iterable[Sequence]) -> None:
    """Write a table as a whole or not at all; nothing in it becomes a formula."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(".part")
    with half.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows([_cell(value) for value in row] for row in rows)
    half.replace(path)


def read_table(path: Path, *needed: str) -> list[dict[str, str]]:
    """Read a table as `write_rows` has written it, or a spreadsheet saved it; never half of it."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            first = file.readline()
            file.seek(0)
            table = csv.DictReader(file, delimiter=max(",;\t", key=first.count))
            rows = [{k: read_cell(text) for k, text in row.items()} for row in table]
    except UnicodeDecodeError:
        raise ValueError(f"{path.name} is not in UTF-8: save it as CSV UTF-8.") from None
    if missing := [name for name in needed if name not in (table.fieldnames or ())]:
        named = f"the columns {', '.join(needed)}" if len(needed) > 1 else f"a column {missing[0]}"
        raise ValueError(f"{path.name} needs {named}, named in its first line.")
    return rows


def _cell(value: Any) -> Any:
    """Keep a spreadsheet from running what a student wrote: a formula becomes a text."""
    return _by_parts(value, lambda part: f"'{part}" if FORMULA.match(part) else part)


def read_cell(text: Any) -> Any:
    """Return what `_cell` was given."""
    return _by_parts(
        text, lambda part: part[1:] if part[:1] == "'" and FORMULA.match(part[1:]) else part
    )


def _by_parts(value: Any, change: Callable[[str], str]) -> Any:
    """Change each part of a text that may become a cell of its own."""
    return "".join(map(change, BORDERS.split(value))) if isinstance(value, str) else value


def counted(number: int, noun: str) -> str:
    """Return how many there are, in words: 1 submission, 2 submissions."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def in_digits(points: float) -> str:
    """Return points as they are written: no digits that say nothing."""
    return f"{points:g}"
