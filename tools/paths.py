"""Ways through the course: a day, two weeks, a semester, with the hours that the notebooks state.

`filled` completes the page for instructors (book/paths.md) when the site is built, so that its
hours are always those of the notebooks.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from tools.environment import ROOT

#: Hours of one homework, as notebooks/homework/README.md says.
HOMEWORK = 2.5


@dataclass(frozen=True)
class Step:
    """A part of a path: when, the cores of which notebooks, which homework after them."""

    when: str
    notebooks: tuple[str, ...]
    homework: tuple[str, ...] = ()


PATHS = {
    "day": (
        Step("morning", ("00", "02", "05")),
        Step("noon", ("04",)),
        Step("afternoon", ("09", "11", "12")),
    ),
    "weeks": (
        Step("day 1", ("00", "01", "02")),
        Step("day 2", ("03", "06"), ("hw1",)),
        Step("day 3", ("04", "05"), ("hw2",)),
        Step("day 4", ("08", "09")),
        Step("day 5", ("10",), ("hw3",)),
        Step("day 6", ("11", "12"), ("hw4",)),
        Step("day 7", ("13",)),
        Step("day 8", ("14", "15")),
        Step("day 9", ("16", "17"), ("hw6",)),
        Step("day 10", ("19",)),
    ),
    "semester": (
        Step("week 1", ("00", "01")),
        Step("week 2", ("02", "03")),
        Step("week 3", ("06",), ("hw1",)),
        Step("week 4", ("04", "05"), ("hw2",)),
        Step("week 5", ("07",), ("hw7",)),
        Step("week 6", ("08", "09")),
        Step("week 7", ("10",), ("hw3",)),
        Step("week 8", ("11",)),
        Step("week 9", ("12",), ("hw4",)),
        Step("week 10", ("13", "14"), ("hw5",)),
        Step("week 11", ("15",)),
        Step("week 12", ("16", "17"), ("hw6",)),
        Step("week 13", ("18",)),
        Step("week 14", ("19", "20", "21")),
    ),
}


def notebook(number: str) -> Path:
    """Return a notebook by its number."""
    return next((ROOT / "notebooks").glob(f"{number}_*.ipynb"))


def minutes(number: str) -> int:
    """Return the minutes that a notebook states for its core."""
    cells = json.loads(notebook(number).read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells)
    found = re.search(r"\*\*Time:\*\* (\d+) minutes for the core", text)
    if found is None:
        raise ValueError(f"Notebook {number} does not state its time.")
    return int(found[1])


def title(number: str) -> str:
    """Return the title of a notebook, its number in front."""
    cells = json.loads(notebook(number).read_text(encoding="utf-8"))["cells"]
    return "".join(cells[0]["source"]).partition("\n")[0].lstrip("# ").strip()


def table(path: tuple[Step, ...]) -> str:
    """Return a path as a table in Markdown, with its hours and their sum."""
    lines = ["| when | cores of | hours | homework |", "|---|---|---|---|"]
    total = 0
    for step in path:
        parts = [f"[{title(n)}](../notebooks/{notebook(n).name})" for n in step.notebooks]
        spent = sum(map(minutes, step.notebooks))
        total += spent
        cells = (step.when, ", ".join(parts), f"{spent / 60:.1f}", ", ".join(step.homework))
        lines.append(f"| {' | '.join(cells)} |")
    count = sum(len(step.homework) for step in path)
    work = f"{count} of {HOMEWORK} hours each" if count else "none"
    lines.append(f"| in all |  | {total / 60:.1f} | {work} |")
    return "\n".join(lines)


def filled(text: str) -> str:
    """Return the page with a table in the place of each mark."""
    for name, path in PATHS.items():
        text = text.replace(f"<!-- path: {name} -->", table(path))
    return text
