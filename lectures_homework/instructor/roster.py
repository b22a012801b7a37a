"""Who takes part: the names in an instructor's list."""

from collections import Counter
from pathlib import Path

from .tables import read_table


def read(path: Path | None) -> list[str]:
    """Return the students of a file with a column student; none without a file."""
    if path is None:
        return []
    if not path.is_file():
        raise ValueError(f"There is no file {path}.")
    rows = read_table(path, "student")
    names = [row["student"].strip() for row in rows if (row["student"] or "").strip()]
    if not names:
        raise ValueError(f"{path.name} names no student.")
    twice = [name for name, often in Counter(names).items() if often > 1]
    if twice:
        raise ValueError(f"{path.name} has these students twice: {', '.join(twice)}.")
    return names
