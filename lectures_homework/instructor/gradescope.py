"""Gradescope: the archive that its autograder takes, and what runs inside.

`archive` writes autograder.zip with setup.sh, run_autograder, the course's code and one homework
with its hidden checks. In Gradescope's container `main` grades the one submission that is there and
writes results.json: every check with its name, points and our words; hidden checks are shown once
the grades are published. Points by hand are given on Gradescope.
"""

import json
import os
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from ..language.checks import Assignment, Verdict
from ..sandbox.bubblewrap import Sandbox, SandboxError, require
from ..sandbox.session import NOT_STARTED
from . import batch, masters, submissions
from .archives import ROOT, TEXTS, add
from .grade import Report, grade

#: What of the course the container needs to install the grader.
CODE = ("pyproject.toml", "setup.py", "constraints.txt", "README.md", "LICENSE")
FOLDERS = ("lectures_lib", "lectures_homework", "data", "lab")
SETTINGS = "autograder.json"

#: The two scripts that Gradescope calls.
SCRIPTS = ("setup.sh", "run_autograder")

NO_POINTS = """\
The grader could not run this notebook here, through no fault of yours: tell your instructor."""
NOT_SAFE = "There is no sandbox here, and this is not root, who could give up its rights."


# --- what is uploaded ----------------------------------------------------------------------------


def archive(
    name: str, out: Path, *, secret: str = "", root: Path = ROOT, folder: Path = masters.FOLDER
) -> Path:
    """Write autograder.zip of a homework for Gradescope; return its path."""
    master = masters.find(name, folder)
    masters.load(name, folder)  # a master with a mistake is named here, not at the first submission
    if not (root / "pyproject.toml").is_file():
        raise RuntimeError("Run this in the folder of the course: the archive carries its code.")
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{name}-autograder.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for script in SCRIPTS:
            add(made, script, (TEXTS / script).read_bytes(), 0o755)
        settings = {"homework": name, "secret": secret}
        add(made, SETTINGS, json.dumps(settings).encode())
        for file in _code(root):
            add(made, f"course/{file.relative_to(root).as_posix()}", file.read_bytes())
        for file in (master.notebook, master.hidden, master.answers):
            add(made, f"masters/{name}/{file.name}", file.read_bytes())
    return path


def _code(root: Path) -> Iterable[Path]:
    """Yield the files that install grader and library."""
    yield from (root / name for name in CODE)
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


# --- what runs there -----------------------------------------------------------------------------


def main(arguments: list[str]) -> int:
    """Grade the submission in Gradescope's folder and write results/results.json."""
    base = Path(arguments[0])
    settings = json.loads((base / "source" / SETTINGS).read_text(encoding="utf-8"))
    name, home = settings["homework"], base / "source" / "masters"
    homework, answers = batch.loaded(name, str(home))
    content, notes = _handed_in(base / "submission", name)
    report = grade(
        homework,
        content,
        answers=answers,
        secret=settings["secret"],
        sandbox=place(),
        solutions=masters.solutions(name, home),
    )
    page = results(homework, report, notes)
    out = base / "results" / "results.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(page, indent=1), encoding="utf-8")
    return 0


def _handed_in(folder: Path, homework: str) -> tuple[bytes, tuple[str, ...]]:
    """Return the notebook among the files, found as for any class, and what was odd about it."""
    with tempfile.TemporaryDirectory() as one:
        shutil.copytree(folder, Path(one) / "student", symlinks=True)
        found = submissions.find(Path(one), homework)[0]
        return found.read(), found.notes


def place() -> Sandbox:
    """Return how submissions run: in a sandbox, or, where root can, as a user of their own."""
    try:
        return require()
    except SandboxError:
        if not hasattr(os, "geteuid") or os.geteuid() != 0:
            raise SandboxError(NOT_SAFE) from None
        return Sandbox("", root=True)


def results(homework: Assignment, report: Report, notes: Iterable[str] = ()) -> dict[str, Any]:
    """Return what Gradescope reads: points, and a test for each check."""
    if NOT_STARTED in report.notes:
        return {"score": 0, "output": NO_POINTS, "tests": []}
    by_hand = sum(homework.by_hand.values())
    more = [f"{by_hand} more points are given by hand."] if by_hand else []
    return {
        "score": report.points,
        "output": "\n".join([*notes, *report.notes, *more]),
        "visibility": "visible",
        "stdout_visibility": "hidden",
        "tests": [_test(verdict) for verdict in report.verdicts],
    }


def _test(verdict: Verdict) -> dict[str, Any]:
    return {
        "name": f"{verdict.question}: {verdict.check}",
        "score": verdict.points,
        "max_score": verdict.out_of,
        "status": "passed" if verdict.passed else "failed",
        "output": "\n".join(words(verdict)),
        "visibility": "after_published" if verdict.hidden else "visible",
    }


def words(verdict: Verdict) -> list[str]:
    """Say about a check what the feedback page says."""
    uses = f"This uses your {verdict.follows}, which is not right yet"
    if verdict.passed:
        kept = ": with a right one in its place it holds, so it costs nothing here."
        return [uses + kept] if verdict.follows else []
    known = f"Your answer behaves like a known mistake: {verdict.misconception}."
    rows = [("Given", verdict.given), ("came back", verdict.got), ("but", verdict.claim)]
    rows += [("Hint", verdict.hint)]
    lines = [f"{uses}: repair that first."] if verdict.follows else []
    lines += [known] if verdict.misconception else []
    lines += [f"{name}: {text}" for name, text in rows if text]
    return lines or [f"{verdict.status}."]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
