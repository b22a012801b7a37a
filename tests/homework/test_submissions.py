"""Who handed in what: three layouts, and whatever else lies in such a folder."""

import os
import zipfile

import pytest

from lectures_homework.instructor import submissions
from lectures_homework.instructor.submissions import MAX_BYTES, find


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
    (note,) = submission.notes
    assert note.startswith("Of 3 notebooks hw1_final.ipynb was graded; there is also ")
    assert {path.name for path in submission.attachments} == {"hw1.ipynb", "notes.ipynb"}


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
        file.truncate(MAX_BYTES + 1)
    (submission,) = find(tmp_path, "hw1")
    assert submission.read() == b""
    assert "larger than" in submission.notes[0]


def test_nothing_to_grade_is_said(tmp_path):
    with pytest.raises(ValueError, match="is empty"):
        find(tmp_path, "hw1")
    (tmp_path / "all.zip").write_bytes(b"PK")
    with pytest.raises(ValueError, match="unpack it, and name the folder"):
        find(tmp_path / "all.zip", "hw1")
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


# --- which file counts ---------------------------------------------------------------------------

CANVAS = ("smithalice_1001_55001_hw2_margins.ipynb", "smithalice_1001_55002_{}")
FOLDERS = (
    "Alice Smith_123_assignsubmission_file_/hw2_margins.ipynb",
    "Alice Smith_123_assignsubmission_onlinetext_/{}",
)
FLAT = (
    "Alice Smith_123_assignsubmission_file_hw2_margins.ipynb",
    "Alice Smith_123_assignsubmission_onlinetext_{}",
)
BLIND = (
    "Participant_123_assignsubmission_file_/hw2_margins.ipynb",
    "Participant_123_assignsubmission_file_/{}",
)
ANONYMOUS = ("LATE_anon_x7Qp2_55001_hw2.ipynb", "LATE_anon_x7Qp2_55002_{}")
DIGITS = ("anon_12345_55001_hw2.ipynb", "anon_12345_55002_{}")
UNDERLINED = ("de_vries_1001_55001_hw2.ipynb", "de_vries_1001_55002_{}")
NO_GROUP = (
    "Default group_assignsubmission_file/hw2.ipynb",
    "Default group_assignsubmission_onlinetext/{}",
)
LAYOUTS = [CANVAS, ANONYMOUS, DIGITS, UNDERLINED, FOLDERS, FLAT, BLIND, NO_GROUP]
PLAIN, OWN_FOLDER = ("alice.ipynb", "alice/{}"), ("alice/hw2.ipynb", "alice/{}")


def handed_in(folder, names, times=None):
    """Write files whose content is their own name; equal times unless told."""
    for name, when in zip(names, times or [1000] * len(names)):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
        os.utime(path, (when, when))


@pytest.mark.parametrize("later", [1000, 2000])
@pytest.mark.parametrize("other", ["hw2_proofs.pdf", "photo.JPG", "onlinetext.html", "notes.txt"])
@pytest.mark.parametrize("layout", [*LAYOUTS, PLAIN, OWN_FOLDER])
def test_nothing_replaces_the_notebook_and_everything_else_is_attached(
    tmp_path, layout, other, later
):
    names = [name.format(other) for name in layout]
    handed_in(tmp_path, names, [1000, later])
    (submission,) = find(tmp_path, "hw2")
    assert submission.read().decode() == names[0]
    assert [path.relative_to(tmp_path).as_posix() for path in submission.attachments] == names[1:]
    late = (submissions.LATE,) if names[0].startswith("LATE") else ()
    assert submission.notes == late


def test_canvas_names_without_a_number_are_read(tmp_path):
    """As its zipper writes them: anonymous, and what was typed into the page instead."""
    names = ["anon_x7Qp2_551_hw1.ipynb", "LATE_anon_12345_552_hw1.ipynb", "roejim_124_text.html"]
    handed_in(tmp_path, [*names, "alice_text.html"])
    assert [(s.student, s.identity) for s in find(tmp_path, "hw1")] == [
        ("alice_text", ""),
        ("anon_12345", ""),
        ("anon_x7Qp2", ""),
        ("roejim", "124"),
    ]


@pytest.mark.parametrize("flat", [True, False])
def test_moodles_names_are_read_flat_and_in_folders(tmp_path, flat):
    between = "_" if flat else "_/"
    names = [
        f"Alice Smith_123_assignsubmission_file{between}hw2.ipynb",
        f"Participant_77_assignsubmission_file{between}hw2.ipynb",
        f"Group_A-Bo Li_9_assignsubmission_file{between}my_work_2.ipynb",
    ]
    handed_in(tmp_path, names)
    found = find(tmp_path, "hw2")
    assert [(s.student, s.identity) for s in found] == [
        ("Alice Smith", "123"),
        ("Group_A-Bo Li", "9"),
        ("Participant 77", "77"),
    ]
    assert all(s.participant for s in found)


def test_of_two_attempts_of_equal_time_canvas_number_decides_and_a_late_one_is_called_so(tmp_path):
    handed_in(
        tmp_path,
        ["roejim_124_9999_hw1.ipynb", "roejim_LATE_124_10000_hw1-1.ipynb", "roejim_124_9_a.pdf"],
    )
    (submission,) = find(tmp_path, "hw1")
    assert submission.path.name == "roejim_LATE_124_10000_hw1-1.ipynb"
    assert "there is also roejim_124_9999_hw1.ipynb" in submission.notes[0]
    assert submission.notes[1] == submissions.LATE


def test_the_tenth_copy_of_a_name_is_later_than_the_second(tmp_path):
    handed_in(tmp_path, [f"alice/hw1{copy}.ipynb" for copy in ("", "-2", "-10")])
    (submission,) = find(tmp_path, "hw1")
    assert submission.path.name == "hw1-10.ipynb"


def test_hw1_is_not_in_the_name_hw11(tmp_path):
    handed_in(tmp_path, ["alice/HW1.ipynb", "alice/hw11.ipynb"], [1000, 2000])
    (submission,) = find(tmp_path, "hw1")
    assert submission.path.name == "HW1.ipynb"


def test_a_proof_alone_is_no_homework_and_is_attached(tmp_path):
    handed_in(tmp_path, ["alice.pdf", "bob/photo.png"])
    for submission in find(tmp_path, "hw1"):
        assert submission.path is None
        assert submission.notes[0].startswith("There is no notebook, only ")
        assert len(submission.attachments) == 1


def test_an_archive_with_a_notebook_counts_after_a_notebook_and_before_all_else(tmp_path):
    for student in ("alice", "bob", "carol"):
        (tmp_path / student).mkdir()
        with zipfile.ZipFile(tmp_path / student / "hw1.zip", "w") as archive:
            inside = "hw1/proof.pdf" if student == "carol" else "hw1/hw1.ipynb"
            archive.writestr(inside, "{}")
    handed_in(tmp_path, ["alice/work.ipynb", "bob/hw1.py", "carol/hw1.py"], [9, 9e9, 9])
    found = find(tmp_path, "hw1")
    assert [s.path.name for s in found] == ["work.ipynb", "hw1.zip", "hw1.py"]
    assert {path.name for path in found[1].attachments} == {"hw1.zip", "hw1.py"}


def test_a_pipe_named_like_an_archive_does_not_stop_the_search(tmp_path):
    os.mkfifo(tmp_path / "alice.zip")
    handed_in(tmp_path, ["alice/a.ipynb"])
    (submission,) = find(tmp_path, "hw1")
    assert submission.path.name == "a.ipynb"


def test_a_folder_that_leads_elsewhere_is_not_followed(tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text("x")
    alice = tmp_path / "in" / "alice"
    alice.mkdir(parents=True)
    (alice / "hw1.ipynb").write_text("{}")
    (alice / "more").symlink_to(tmp_path / "outside")
    (one,) = find(tmp_path / "in", "hw1")
    assert one.path == alice / "hw1.ipynb" and one.attachments == ()


@pytest.mark.parametrize(
    ("name", "system"),
    [
        ("hw1_asmith_attempt_2026-03-01-10-20-30.txt", "Blackboard"),
        ("hw1_asmith_attempt_2026-03-01-10-20-30_hw1.ipynb", "Blackboard"),
        ("12345-67890 - Alice Smith - Mar 1, 2026 1020 AM", "Brightspace"),
        ("12345-67890 - Alice Smith - 19 November, 2026 1020", "Brightspace"),
    ],
)
def test_a_download_of_another_system_is_refused_in_a_sentence(tmp_path, name, system):
    (tmp_path / name).write_text("{}")
    with pytest.raises(ValueError, match=f"looks like a download of {system}.*put each"):
        find(tmp_path, "hw1")


def test_a_name_moves_no_cursor():
    assert submissions.shown("a\x1b[31mb\u202ec") == "a?[31mb?c"


def test_names_have_no_control_characters_and_stay_different(tmp_path):
    for name in ("bob\tx", "bob\nx", "bob?x", "\u202egnp", "\u05d3\u200fa", "z\x1b[31m"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "hw1.ipynb").write_text(name)
    found = find(tmp_path, "hw1")
    assert [s.student for s in found] == sorted(
        ["bob?x", "bob?x (2)", "bob?x (3)", "?gnp", "\u05d3\u200fa", "z?[31m"]
    )
    assert {s.read() for s in found} >= {b"bob\tx", b"bob\nx", b"bob?x"}
    assert next(s for s in found if s.student == "bob?x").read() == b"bob?x"
