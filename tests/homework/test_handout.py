"""The course for students: no solutions, whole in itself, and brought up to date without harm."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lectures_homework import __main__ as command_line
from lectures_homework.instructor import handout, masters
from tools.environment import ROOT


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """Write the course for students to a folder once."""
    place = tmp_path_factory.mktemp("out") / "students"
    assert command_line.main(["course", "--folder", str(place)]) == 0
    return place


def test_the_folder_has_the_lectures_the_library_and_homework_to_do(folder):
    assert len(list((folder / "notebooks").glob("[0-9]*.ipynb"))) >= 20
    assert len(list(folder.glob("notebooks/hw*/my_hw*.ipynb"))) == len(masters.names())
    for name in ("start.py", "Makefile", "README.md", "pyproject.toml", "constraints.txt"):
        assert (folder / name).is_file(), name
    assert (folder / "lectures_lib").is_dir() and (folder / "conftest.py").is_file()


def test_nothing_in_the_folder_is_solved_or_hidden(folder):
    names = {path.relative_to(folder).as_posix() for path in folder.rglob("*")}
    assert not any(n.startswith(("tests/", "notebooks/homework", ".ci", ".github")) for n in names)
    assert not any(
        n.endswith(("hidden.py", "hw1_perceptron.ipynb")) and "my_" not in n for n in names
    )
    for path in folder.glob("notebooks/hw*/*.ipynb"):
        text = path.read_text(encoding="utf-8")
        assert "BEGIN SOLUTION" not in text and "NotImplementedError" in text


def test_every_link_of_a_text_in_the_folder_holds(folder):
    for path in (folder / "README.md", folder / "NOTATION.md"):
        for target in re.findall(r"\]\(([^)\s#]+)", path.read_text(encoding="utf-8")):
            assert ":" in target or (path.parent / target).exists(), f"{path.name} -> {target}"


def test_the_library_and_the_guards_work_there(folder):
    program = "import lectures_lib, tools.nbguard, lectures_homework.hw1 as h; print(h.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).is_relative_to(folder)


def test_a_second_call_deletes_what_is_gone_and_touches_nothing_else(tmp_path):
    place = tmp_path / "students"
    handout.write(place, ["hw1", "hw2"], folder=masters.FOLDER)
    (place / "notes.txt").write_text("mine")
    assert (place / "notebooks/hw2").is_dir()
    handout.write(place, ["hw1"], folder=masters.FOLDER)
    assert not list((place / "notebooks/hw2").glob("*"))
    assert (place / "notebooks/hw1/my_hw1_perceptron.ipynb").is_file()
    assert (place / "notes.txt").read_text() == "mine"


def test_a_folder_of_other_things_and_the_course_itself_are_refused(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(ValueError, match="has other files in it"):
        handout.write(tmp_path, ["hw1"], folder=masters.FOLDER)
    with pytest.raises(ValueError, match="holds the course itself"):
        handout.write(ROOT, ["hw1"], folder=masters.FOLDER)


def test_an_empty_clone_is_filled(tmp_path):
    (tmp_path / ".git").mkdir()
    handout.write(tmp_path, ["hw1"], folder=masters.FOLDER)
    assert (tmp_path / "README.md").is_file()


def test_an_unpacked_archive_without_git_gives_the_same_files(tmp_path):
    copy = tmp_path / "copy"
    known = handout.listed(ROOT)
    for name in known:
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, copy / name)
    (copy / "lectures_lib/__pycache__").mkdir()
    (copy / "lectures_lib/__pycache__/x.pyc").write_text("")
    (copy / "lectures_lib.egg-info").mkdir()
    (copy / "lectures_lib.egg-info/PKG-INFO").write_text("")
    assert handout.listed(copy) == known


def test_where_there_is_no_course_nothing_is_written(tmp_path):
    with pytest.raises(RuntimeError, match="The course is not here"):
        handout.archive(tmp_path / "out", ["hw1"], root=tmp_path, folder=masters.FOLDER)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", [["make"], ["selftest"], ["course"]])
def test_without_homework_a_command_says_so_and_fails(command, tmp_path, capsys):
    more = [] if command == ["selftest"] else ["--out", str(tmp_path / "out")]
    assert command_line.main([*command, "--masters", str(tmp_path), *more]) == 2
    assert "There is no homework here" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_the_course_starts_with_nothing_solved_though_its_author_has_tried_it(tmp_path):
    own = tmp_path / "own"  # an unpacked archive: nobody but git knows which files are whose
    for name in ("notebooks", "lectures_lib"):
        (own / name).mkdir(parents=True)
    (own / "pyproject.toml").write_text("")
    tried = ("notebooks/solved_exercises.txt", "notebooks/hw1/hw1_tries.txt")
    for name in ("notebooks/02_perceptron.ipynb", *tried):
        (own / name).parent.mkdir(exist_ok=True)
        (own / name).write_text("update\n")
    assert handout.listed(own) == ["notebooks/02_perceptron.ipynb", "pyproject.toml"]


def test_nothing_is_solved_in_the_folder(folder):
    assert not [*folder.rglob("solved_exercises.txt"), *folder.rglob("*_tries.txt")]
