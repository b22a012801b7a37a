"""Feedback goes back to Canvas and Moodle under the names that they gave."""

import zipfile
from pathlib import Path

import pytest

from lectures_homework.instructor import giving_back
from lectures_homework.instructor.batch import GradedSubmission
from lectures_homework.instructor.grade import Report
from lectures_homework.instructor.submissions import find

ALICE = "Alice A_123_assignsubmission_file_"


@pytest.mark.parametrize(
    ("handed_in", "page"),
    [
        (f"{ALICE}/hw1.ipynb", f"{ALICE}/feedback.html"),
        (f"in/{ALICE}hw1.ipynb", f"{ALICE}hw1_feedback.html"),
        ("in/alicea_123_456_hw1.ipynb", "alicea_123_456_hw1_feedback.html"),
        ("in/alicea_LATE_123_456_my_hw1.ipynb", "alicea_LATE_123_456_my_hw1_feedback.html"),
        (
            "Jos\udce9_1_assignsubmission_file_/x",
            "Jos\\udce9_1_assignsubmission_file_/feedback.html",
        ),
        ("in/Zoe\u0308_1_11_hw1.ipynb", "Zo\u00eb_1_11_hw1_feedback.html"),
        ("in/alice.ipynb", ""),
        ("alice/hw1.ipynb", ""),
    ],
)
def test_a_page_is_named_as_what_was_handed_in(handed_in, page):
    assert giving_back.place(Path(handed_in)) == page


def results(folder: Path, *names: str) -> list[GradedSubmission]:
    """Hand in empty files of these names; return a report on each."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("{}")
    return [GradedSubmission(found, Report("hw1", ())) for found in find(folder, "hw1")]


def test_the_archive_has_a_page_for_each_and_the_class_that_uses_neither_has_none(tmp_path):
    pages = tmp_path / "out" / "feedback"
    pages.mkdir(parents=True)
    made = results(tmp_path / "canvas", "alicea_1_11_hw1.ipynb", "bob_2_22_hw1.ipynb")
    for result in made:
        text = f"for {result.submission.student}"
        (pages / f"{giving_back.safe_name(result.submission.student)}.html").write_text(text)
    path = giving_back.write(made, tmp_path / "out")
    with zipfile.ZipFile(path) as archive:
        told = {name: archive.read(name).decode() for name in archive.namelist()}
    assert set(told) == {"alicea_1_11_hw1_feedback.html", "bob_2_22_hw1_feedback.html"}
    assert told["alicea_1_11_hw1_feedback.html"].startswith("for alicea")
    assert giving_back.write(results(tmp_path / "own", "alice.ipynb"), tmp_path / "out") is None
    assert not path.exists()
