"""A class of 100: our grader beside nbgrader on the same homework, in one run.

Usage: ``python -m benchmarks.grading`` (``--class-size 10`` for a quick look).
"""

import argparse
import csv
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat

from lectures_homework.instructor import export, masters


def main() -> None:
    """Time one worker, two workers and nbgrader, all by their command lines."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--homework", default="hw1")
    parser.add_argument("--class-size", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3, help="how often ours is timed")
    options = parser.parse_args()
    homework, size = options.homework, options.class_size
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_class(folder / "submissions", homework, size)
        ours = [[grade(folder, homework, size, n) for n in (1, 2)] for _ in range(options.rounds)]
        for one, two in ours:
            show("ours, 1 worker", one, size)
            show("ours, 2 workers", two, size)
            print(f"two workers are {one / two:.2f} times as fast as one", flush=True)
        one, two = (statistics.median(times) for times in zip(*ours))
        theirs = nbgrader(folder / "course", homework, size)
        show("nbgrader autograde", theirs, size)
        print(f"nbgrader takes {theirs / one:.1f} times as long as one worker,")
        print(f"and {theirs / two:.1f} times as long as two (medians of {options.rounds} rounds)")


def show(name: str, seconds: float, size: int) -> None:
    """Print one row."""
    print(f"{name:<20} {seconds:7.1f} s  {seconds / size:6.2f} s each", flush=True)


def write_class(folder: Path, homework: str, size: int) -> None:
    """Write the same right answers under many names, each with a comment of its own."""
    folder.mkdir()
    for i in range(size):
        notebook = masters.find(homework).read()
        notebook.cells.append(nbformat.v4.new_code_cell(f"# student {i}"))
        nbformat.write(notebook, folder / f"student{i:03}.ipynb")


def grade(folder: Path, homework: str, size: int, workers: int) -> float:
    """Return the seconds that our command takes; everybody must have full marks."""
    with tempfile.TemporaryDirectory(dir=folder) as out:
        arguments = ("grade", homework, folder / "submissions", "--out", out)
        start = time.perf_counter()
        command(folder, "lectures_homework", *arguments, "--workers", workers)
        seconds = time.perf_counter() - start
        with (Path(out) / "checks.csv").open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
    earned = sum(int(row["points"]) for row in rows)
    if earned != size * masters.load(homework).automatic:
        raise SystemExit(f"{size} right answers got {earned} points: nothing is measured.")
    return seconds


def nbgrader(course: Path, homework: str, size: int) -> float:
    """Return the seconds of `nbgrader autograde` for the same answers in nbgrader's form."""
    path = export.nbgrader(homework, course)
    command(course, "nbgrader", "generate_assignment", homework)
    for i in range(size):
        place = course / "submitted" / f"student{i:03}" / homework
        place.mkdir(parents=True)
        shutil.copy(path, place / path.name)  # the source itself: every answer is right
    start = time.perf_counter()
    command(course, "nbgrader", "autograde", homework)
    seconds = time.perf_counter() - start
    graded = list((course / "autograded").glob("*/*/*.ipynb"))
    if len(graded) != size:
        raise SystemExit(f"nbgrader graded {len(graded)} of {size}: nothing is measured.")
    return seconds


def command(place: Path, module: str, *arguments: object) -> None:
    """Run a module as a command in a folder."""
    program = (sys.executable, "-m", module, *map(str, arguments))
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    subprocess.run(
        program, cwd=place, check=True, capture_output=True, env=os.environ | {"PATH": path}
    )


if __name__ == "__main__":
    main()
