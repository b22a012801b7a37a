"""Feedback as an archive in the names that Canvas and Moodle take back.

Both match a file to its student by the name that they gave it in their download. So each page is
named as the file or folder that was handed in, and other submissions have none here.
"""

import zipfile
from collections.abc import Sequence
from pathlib import Path

from .batch import GradedSubmission, safe_name
from .submissions import CANVAS, MOODLE, printable

#: The name of the archive beside the folder with the pages.
ARCHIVE = "feedback.zip"


def write(results: Sequence[GradedSubmission], out: Path) -> Path | None:
    """Write feedback.zip of the pages in out/feedback; None where no name is theirs."""
    named = [(result, name) for result in results if (name := place(result.submission.path))]
    path = out / ARCHIVE
    if not named:
        path.unlink(missing_ok=True)
        return None
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for result, name in named:
            made.write(out / "feedback" / f"{safe_name(result.submission.student)}.html", name)
    return path


def place(handed_in: Path | None) -> str:
    """Return what a page is called that goes back to whom this file came from; "" if unknown."""
    if handed_in is None:
        return ""
    folder, name = printable(handed_in.parent.name), Path(printable(handed_in.name))
    if MOODLE.fullmatch(folder):
        return f"{folder}/feedback.html"
    if MOODLE.fullmatch(name.name) or CANVAS.fullmatch(name.name):
        return f"{name.stem}_feedback.html"
    return ""
