"""The parts of a rubric and their points, which can be changed for all; answers that are alike."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from . import masters
from .by_hand import rows_by_hand
from .tables import in_digits, read_table, write_rows

FILE, COLUMNS = "rubric.csv", ("question", "part", "step", "points")
ROW = re.compile(r"^\| *(\d+) *\| *(.+?) *\| *([\d.]+) *\|$", re.MULTILINE)
#: (student, question) -> the parts of the rubric, each with `earned`
Steps = dict[tuple[str, str], list[dict]]
#: Words in a row, and the share of them that two answers have in common if they are alike.
RUN, ALIKE = 3, 0.8


def parts(name: str, folder: Path, home: Path = masters.FOLDER) -> dict[str, list[dict]]:
    """Return the parts by question: {part, step, points}; the points may have been changed."""
    found = {
        question: [
            {"part": part, "step": step, "points": float(points)}
            for part, step, points in ROW.findall(text.partition("**Rubric")[2])
        ]
        for question, text in masters.rubrics(name, home).items()
    }
    rows = read_table(folder / FILE) if (folder / FILE).is_file() else []
    for question, own in found.items():
        changed = [row for row in rows if row["question"] == question]
        if [row["step"] for row in changed] == [one["step"] for one in own]:
            for one, row in zip(own, changed):
                one["points"] = float(row["points"])
    return found


def save(folder: Path, found: Mapping[str, Sequence[Mapping]]) -> None:
    """Keep the points of all parts."""
    rows = [
        [question, one["part"], one["step"], in_digits(one["points"])]
        for question, own in found.items()
        for one in own
    ]
    write_rows(folder / FILE, COLUMNS, rows)


def given(row: Mapping[str, str]) -> list[int]:
    """Return the places of the parts that a row of the table of points by hand has earned."""
    return [int(text) for text in (row.get("parts") or "").split() if text.isdecimal()]


def earned(name: str, table: Path, folder: Path, home: Path = masters.FOLDER) -> Steps:
    """Return for each answer that was marked by parts which of them it has earned.

    Where the points are no longer their sum, somebody has changed them since: no parts then.
    """
    found, steps = parts(name, folder, home), {}
    for row in rows_by_hand(table):
        own, places = found.get(row["question"], []), {*given(row)}
        shown = [one | {"earned": place in places} for place, one in enumerate(own)]
        total = sum(one["points"] for one in shown if one["earned"])
        if places and in_digits(total) == (row["points"] or "").strip().replace(",", "."):
            steps[row["student"], row["question"]] = shown
    return steps


def groups(answers: Sequence[str]) -> list[int]:
    """Return for each answer the place of the first one that it is like: often its own."""
    seen: list[tuple[int, set]] = []
    found = []
    for place, answer in enumerate(answers):
        words = re.findall(r"\w+|[^\w\s]", answer.lower())
        runs = {tuple(words[i : i + RUN]) for i in range(max(1, len(words) - RUN + 1))}
        first = next((k for k, other in seen if words and _alike(runs, other)), place)
        found.append(first)
        if first == place:
            seen.append((place, runs))
    return found


def _alike(one: set, other: set) -> bool:
    return len(one & other) >= ALIKE * max(len(one), len(other))
