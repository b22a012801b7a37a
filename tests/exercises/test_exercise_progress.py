"""What is solved is remembered beside the notebooks; a broken memory costs nothing else."""

import json
import os
import stat

import pytest

from lectures_lib import exercises
from lectures_lib.exercises import solved
from tools.published import FOLDER


def right(w, x, y):
    return w + y * x if y * (w @ x) <= 0 else w


@pytest.fixture
def course(tmp_path, monkeypatch):
    """Return a folder with notebook 02, as a notebook of it would see it."""
    name = "02_perceptron.ipynb"
    (tmp_path / name).write_text((FOLDER / name).read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setattr(solved, "folder", lambda: tmp_path)
    return tmp_path


def test_nothing_is_kept_outside_a_notebook(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(FOLDER)
    exercises.check("update", right)
    assert capsys.readouterr().out.count("\n") == 1
    assert not (FOLDER / solved.FILE).exists()
    assert "in their folder" in str(exercises.progress())


def test_nothing_is_kept_where_no_notebook_of_the_course_is(tmp_path, monkeypatch):
    class Shell:
        @staticmethod
        def get_ipython():
            return object()

    monkeypatch.setitem(solved.sys.modules, "IPython", Shell)
    monkeypatch.chdir(tmp_path)
    assert solved.folder() is None
    (tmp_path / "02_perceptron.ipynb").write_text("{}")
    assert solved.folder() == tmp_path


def test_a_solved_exercise_is_remembered_and_the_next_one_named(course, capsys):
    exercises.check("update", right)
    assert "02: ■□□  1 of 3, next: sum\n" in capsys.readouterr().out
    assert (course / solved.FILE).read_text().splitlines()[1:] == ["update"]
    now = exercises.progress()
    assert now.solved == {"update"}
    assert now.next == "sum"
    assert str(now) == "02  ■□□  1 of 3, next: sum\n1 of 3 exercises are solved."
    assert '<a href="02_perceptron.ipynb">02_perceptron</a>' in now._repr_html_()


def test_solving_twice_changes_nothing_and_a_wrong_answer_takes_nothing_away(course):
    exercises.check("update", right)
    first = (course / solved.FILE).read_bytes()
    exercises.check("update", right)
    exercises.check("update", lambda w, x, y: w)
    assert (course / solved.FILE).read_bytes() == first


def test_a_damaged_file_keeps_what_can_be_read_and_says_so(course, capsys):
    (course / solved.FILE).write_bytes(b"\xff\xfe\x00 junk\nupdate\nno such exercise\n")
    now = exercises.progress()
    assert now.solved == {"update"}
    assert now.note == "2 lines of solved_exercises.txt name no exercise, and are passed over."
    exercises.check("sum", lambda alpha, y, X: (alpha * y) @ X)
    assert "Right" in capsys.readouterr().out
    assert exercises.progress().solved == {"update", "sum"}


def test_a_file_that_cannot_be_written_costs_the_memory_alone_and_says_so(course, capsys):
    (course / solved.FILE).mkdir()  # a folder where the file should be: nobody can write it
    exercises.check("update", right)
    said = capsys.readouterr().out
    assert said.startswith("Right: ")
    assert "solved_exercises.txt cannot be written" in said
    assert "cannot be read" in exercises.progress().note


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root writes everywhere")
def test_a_read_only_folder_costs_the_memory_alone(course, capsys):
    course.chmod(stat.S_IRUSR | stat.S_IXUSR)
    exercises.check("update", right)
    course.chmod(stat.S_IRWXU)
    assert "this will be forgotten" in capsys.readouterr().out


def test_the_exercises_of_a_notebook_are_found_in_its_order():
    now = solved.state(FOLDER, exercises.EXERCISES)
    assert set(now.posed) == {f"{n:02d}" for n in range(1, 22)}
    for number, names in now.posed.items():
        cells = json.loads((FOLDER / now.files[number]).read_text(encoding="utf-8"))["cells"]
        code = "".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        places = [code.index(f'exercises.check("{name}"') for name in names]
        assert places == sorted(places)


# --- files as they come back from editors, other kernels and other courses -----------------------


def test_a_file_from_an_editor_of_windows_reads_as_any_other(course):
    (course / solved.FILE).write_bytes("\ufeff# mine\r\n  # and this\r\nupdate\r\n".encode())
    now = exercises.progress()
    assert (now.solved, now.note) == ({"update"}, "")


def test_what_else_stands_in_the_file_stays_there(course):
    (course / solved.FILE).write_bytes(b"# my own words\nno such thing\nupdate")  # no end of line
    exercises.check("sum", lambda alpha, y, X: (alpha * y) @ X)
    lines = (course / solved.FILE).read_text().splitlines()
    assert lines == ["# my own words", "no such thing", "update", "sum"]
    assert exercises.progress().note.startswith("1 line of solved_exercises.txt names no exercise")


def test_two_notebooks_that_solve_at_once_forget_nothing(course):
    from concurrent.futures import ThreadPoolExecutor

    names = sorted(exercises.EXERCISES)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: solved.remember(course, name, names), names))
    assert exercises.progress().solved == set(names)


def test_a_file_is_never_empty_for_a_moment(course, monkeypatch):
    exercises.check("update", right)
    before = (course / solved.FILE).read_bytes()
    solved.remember(course, "sum", exercises.EXERCISES)
    assert (course / solved.FILE).read_bytes().startswith(before)


@pytest.mark.parametrize("damage", ["a folder", "bytes", "nothing behind a link"])
def test_a_notebook_that_cannot_be_read_costs_no_verdict(course, damage, capsys):
    other = course / "03_losses.ipynb"
    if damage == "a folder":
        other.mkdir()
    elif damage == "bytes":
        other.write_bytes(b'\xff\xfe"exercises.check(\\"slope\\"" \x00')
    else:
        other.symlink_to(course / "not there")
    exercises.check("update", right)
    said = capsys.readouterr().out
    assert said.startswith("Right: ")
    assert "fault of the course" not in said
    assert "update" in exercises.progress().solved


def test_only_what_the_notebooks_here_pose_is_counted(course):
    (course / solved.FILE).write_text("update\nslope\nmargin\nbound\nridge\n")
    assert "1 of 3 exercises are solved." in str(exercises.progress())


def test_the_page_of_progress_links_the_next_unsolved_one(course):
    exercises.check("update", right)
    page = exercises.progress()._repr_html_()
    assert 'Next: <a href="02_perceptron.ipynb">sum</a>' in page
    (course / solved.FILE).write_text("update\nsum\nnever\n")
    assert "Next:" not in exercises.progress()._repr_html_()


def test_a_folder_that_is_gone_costs_no_verdict(tmp_path, monkeypatch, capsys):
    class Shell:
        @staticmethod
        def get_ipython():
            return object()

    def gone():
        raise FileNotFoundError(2, "No such file or directory")

    monkeypatch.setitem(solved.sys.modules, "IPython", Shell)
    monkeypatch.setattr(solved.Path, "cwd", gone)
    exercises.check("update", right)
    said = capsys.readouterr().out
    assert said.startswith("Right: ") and said.count("\n") == 1
