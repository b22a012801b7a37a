"""Who takes part: the names in an instructor's list."""

import csv
from collections import Counter
from pathlib import Path


def read(path: Path | None) -> list[str]:
    """Return the students of a file with a column student; none without a file."""
    if path is None:
        return []
    if not path.is_file():
        raise ValueError(f"There is no file {path}.")
    with path.open(encoding="utf-8-sig", newline="") as file:
        text = file.read()
    first = text.partition("\n")[0]
    rows = list(csv.DictReader(text.splitlines(), delimiter=";" if ";" in first else ","))
    if not rows or "student" not in rows[0]:
        raise ValueError(f"{path.name} needs a column student, named in its first line.")
    names = [row["student"].strip() for row in rows if (row["student"] or "").strip()]
    twice = [name for name, often in Counter(names).items() if often > 1]
    if twice:
        raise ValueError(f"{path.name} has these students twice: {', '.join(twice)}.")
    return names
