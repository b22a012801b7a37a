"""Who handed in what: three layouts, and whatever else lies in such a folder."""

import os

import pytest

from lectures_lib.grading import submissions
from lectures_lib.grading.submissions import LARGEST, find


def names(folder):
    return [submission.student for submission in find(folder, "hw1")]


def test_one_file_each(tmp_path):
    for student in ("bob", "alice"):
        (tmp_path / f"{student}.ipynb").write_text("{}")
    assert names(tmp_path) == ["alice", "bob"]


def test_one_folder_each_and_moodles_names(tmp_path):
    for folder in ("carol", "Alice A_17_assignsubmission_file_"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "hw1_perceptron.ipynb").write_text("{}")
    found = find(tmp_path, "hw1")
    assert [(s.student, s.identity) for s in found] == [("Alice A", "17"), ("carol", "")]


def test_canvas_names_with_and_without_late(tmp_path):
    (tmp_path / "doejane_123_456_hw1_perceptron-1.ipynb").write_text("{}")
    (tmp_path / "roejim_LATE_124_457_hw1.ipynb").write_text("{}")
    found = find(tmp_path, "hw1")
    assert [(s.student, s.identity) for s in found] == [("doejane", "123"), ("roejim", "124")]


def test_of_two_files_the_later_counts_and_it_says_so(tmp_path):
    (tmp_path / "alice").mkdir()
    for name, when in (("hw1.ipynb", 100), ("hw1_final.ipynb", 200), ("notes.ipynb", 300)):
        (tmp_path / "alice" / name).write_text(name)
        os.utime(tmp_path / "alice" / name, (when, when))
    (submission,) = find(tmp_path, "hw1")
    assert submission.read() == b"hw1_final.ipynb"
    assert submission.notes == ("Of 3 files, hw1_final.ipynb was graded.",)


def test_a_file_beside_a_folder_of_the_same_student_is_mentioned(tmp_path):
    (tmp_path / "alice.ipynb").write_text("old")
    os.utime(tmp_path / "alice.ipynb", (100, 100))
    (tmp_path / "alice").mkdir()
    (tmp_path / "alice" / "new.ipynb").write_text("new")
    (submission,) = find(tmp_path, "hw1")
    assert submission.read() == b"new"
    assert "alice.ipynb" in submission.notes[0]


def test_a_renamed_file_is_read_and_an_empty_folder_is_a_submission_of_nothing(tmp_path):
    (tmp_path / "alice.ipynb.txt").write_text("{}")
    (tmp_path / "bob").mkdir()
    alice, bob = find(tmp_path, "hw1")
    assert "read all the same" in alice.notes[0]
    assert (bob.path, bob.read()) == (None, b"")


def test_links_hidden_files_and_checkpoints_are_not_followed(tmp_path):
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "key.ipynb").write_text("secret")
    folder = tmp_path / "in"
    (folder / "alice" / ".ipynb_checkpoints").mkdir(parents=True)
    (folder / "alice" / ".ipynb_checkpoints" / "hw1-checkpoint.ipynb").write_text("old")
    (folder / "alice" / "mine.ipynb").write_text("mine")
    (folder / "alice" / "hw1.ipynb").symlink_to(secret / "key.ipynb")
    (folder / "eve").symlink_to(secret)
    (folder / ".DS_Store").write_text("x")
    (submission,) = find(folder, "hw1")
    assert submission.read() == b"mine"


def test_a_huge_file_is_not_read(tmp_path):
    with (tmp_path / "alice.ipynb").open("wb") as file:
        file.truncate(LARGEST + 1)
    (submission,) = find(tmp_path, "hw1")
    assert submission.read() == b""
    assert "larger than" in submission.notes[0]


def test_nothing_to_grade_is_said(tmp_path):
    with pytest.raises(ValueError, match="is empty"):
        find(tmp_path, "hw1")
    with pytest.raises(ValueError, match="is not a folder"):
        find(tmp_path / "nowhere", "hw1")


def test_what_is_no_file_is_not_read(tmp_path):
    os.mkfifo(tmp_path / "alice.ipynb")
    (submission,) = find(tmp_path, "hw1")
    assert (submission.student, submission.read()) == ("alice", b"")
    assert "no file to be read" in submission.notes[0]


def test_a_dot_belongs_to_the_name(tmp_path):
    for name in ("john.smith.ipynb", "john.doe.ipynb.txt"):
        (tmp_path / name).write_text("{}")
    assert names(tmp_path) == ["john.doe", "john.smith"]


def test_two_students_of_one_name_stay_two(tmp_path):
    (tmp_path / "roejim_11_1_hw1.ipynb").write_text("{}")
    (tmp_path / "roejim_12_2_hw1.ipynb").write_text("{}")
    for number in (7, 8):
        (tmp_path / f"Al B_{number}_assignsubmission_file").mkdir()
    assert names(tmp_path) == ["Al B (7)", "Al B (8)", "roejim (11)", "roejim (12)"]


def test_the_folder_itself_may_be_hidden(tmp_path):
    (tmp_path / ".course" / "alice").mkdir(parents=True)
    (tmp_path / ".course" / "alice" / "hw1.ipynb").write_text("{}")
    (submission,) = find(tmp_path / ".course", "hw1")
    assert submission.read() == b"{}"


def test_what_archives_leave_behind_is_nobodys(tmp_path):
    (tmp_path / "__MACOSX").mkdir()
    (tmp_path / "alice.ipynb").write_text("{}")
    assert names(tmp_path) == ["alice"]


def test_two_spellings_of_an_accent_are_one_student(tmp_path):
    for name in ("caf\u00e9", "cafe\u0301"):
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name / "hw1.ipynb").write_text("{}")
    assert names(tmp_path) == ["caf\u00e9"]


def test_a_name_in_no_encoding_can_be_written(tmp_path):
    try:
        with open(os.fsencode(tmp_path) + b"/\xff.ipynb", "w") as file:
            file.write("{}")
    except OSError:
        pytest.skip("this file system refuses such names")
    (submission,) = find(tmp_path, "hw1")
    assert submission.read() == b"{}"
    assert submission.student.encode("utf-8")


def test_what_is_not_read_is_named(tmp_path):
    (tmp_path / "alice.ipynb").write_text("{}")
    (tmp_path / "link.ipynb").symlink_to(tmp_path / "alice.ipynb")
    (tmp_path / ".hidden.ipynb").write_text("{}")
    (tmp_path / ".DS_Store").write_text("")
    assert submissions.skipped(tmp_path) == [".hidden.ipynb", "link.ipynb"]
    (tmp_path / "alice.ipynb").unlink()
    with pytest.raises(
        ValueError, match=r"only links and hidden files \(.hidden.ipynb, link.ipynb"
    ):
        submissions.find(tmp_path, "hw1")


def test_of_two_students_of_one_name_the_login_is_the_name_alone(tmp_path):
    for number in (11, 22):
        (tmp_path / f"Jane Roe_{number}_assignsubmission_file_").mkdir()
        (tmp_path / f"Jane Roe_{number}_assignsubmission_file_" / "a.ipynb").write_text("{}")
    found = submissions.find(tmp_path, "hw1")
    assert [s.student for s in found] == ["Jane Roe (11)", "Jane Roe (22)"]
    assert {s.login for s in found} == {"Jane Roe"}
    assert all(s.participant for s in found)
