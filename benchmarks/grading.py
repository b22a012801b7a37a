"""A class of 100: our grader beside nbgrader on the same homework, in one run.

Usage: ``python -m benchmarks.grading`` (``--class-size 10`` for a quick look).
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat

from lectures_lib.grading import batch, export, masters


def main() -> None:
    """Time one worker, two workers and nbgrader; print seconds and ratios."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--homework", default="hw1")
    parser.add_argument("--class-size", type=int, default=100)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        ours = folder / "submissions"
        write_class(ours, options.homework, options.class_size)
        times = {
            f"ours, {n} worker{'s' * (n > 1)}": grade(ours, folder, options.homework, n)
            for n in (1, 2)
        }
        times["nbgrader autograde"] = nbgrader(
            folder / "course", options.homework, options.class_size
        )
    one, two, theirs = times.values()
    for name, seconds in times.items():
        print(f"{name:<20} {seconds:7.1f} s  {seconds / options.class_size:6.2f} s each")
    print(f"two workers are {one / two:.2f} times as fast as one")
    print(
        f"nbgrader takes {theirs / one:.1f} times as long as one worker, {theirs / two:.1f} as two"
    )


def write_class(folder: Path, homework: str, size: int) -> None:
    """Write the same right answers under many names, each with a comment of its own."""
    folder.mkdir()
    for i in range(size):
        notebook = masters.find(homework).read()
        notebook.cells.append(nbformat.v4.new_code_cell(f"# student {i}"))
        nbformat.write(notebook, folder / f"student{i:03}.ipynb")


def grade(submissions: Path, folder: Path, homework: str, workers: int) -> float:
    """Return the seconds that our grader takes; everybody must have full marks."""
    out = folder / f"out{workers}"
    start = time.perf_counter()
    results = batch.grade_folder(homework, submissions, out, workers=workers, progress=False)
    seconds = time.perf_counter() - start
    points = {result.report.points for result in results}
    if points != {masters.load(homework).automatic}:
        raise SystemExit(f"The right answers got {points}: nothing is measured.")
    return seconds


def nbgrader(course: Path, homework: str, size: int) -> float:
    """Return the seconds of `nbgrader autograde` for the same answers in nbgrader's form."""
    path = export.nbgrader(homework, course)
    command(course, "generate_assignment", homework)
    for i in range(size):
        place = course / "submitted" / f"student{i:03}" / homework
        place.mkdir(parents=True)
        shutil.copy(path, place / path.name)  # the source itself: every answer is right
    start = time.perf_counter()
    command(course, "autograde", homework)
    seconds = time.perf_counter() - start
    graded = list((course / "autograded").glob("*/*/*.ipynb"))
    if len(graded) != size:
        raise SystemExit(f"nbgrader graded {len(graded)} of {size}: nothing is measured.")
    return seconds


def command(course: Path, *arguments: str) -> None:
    """Run one command of nbgrader in a course."""
    program = (sys.executable, "-m", "nbgrader", *arguments)
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    subprocess.run(
        program, cwd=course, check=True, capture_output=True, env=os.environ | {"PATH": path}
    )


if __name__ == "__main__":
    main()
