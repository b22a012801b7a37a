"""The archive for Gradescope grades in a folder laid out as Gradescope's, without a network.

Gradescope itself cannot be asked here: its folder is built as its documentation describes it, and
run_autograder is run as it stands; only where Python was installed by setup.sh, this one answers.
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile

import nbformat
import pytest

from lectures_homework import __main__ as command_line
from lectures_homework.instructor import gradescope, masters
from lectures_homework.language.checks import Verdict
from lectures_homework.sandbox.bubblewrap import Sandbox, SandboxError

pytestmark = pytest.mark.skipif(
    not shutil.which("bash"), reason="Gradescope's scripts are for bash"
)


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """Unpack the archive of hw1 where Gradescope would; a script stands for what setup.sh makes."""
    out = tmp_path_factory.mktemp("out")
    call = ["autograder", "hw1", "--out", str(out), "--secret", "our words"]
    assert command_line.main(call) == 0
    place = tmp_path_factory.mktemp("autograder")
    zipfile.ZipFile(out / "hw1-autograder.zip").extractall(place / "source")
    python = place / "venv/bin/python"
    python.parent.mkdir(parents=True)
    course = place / "source/course"  # its own code runs, not this clone's
    python.write_text(f'#!/bin/sh\nPYTHONPATH={course} exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    return place


def graded(base, notebook: nbformat.NotebookNode, name: str = "my_hw1.ipynb") -> dict:
    """Hand a notebook in and return results.json."""
    shutil.rmtree(base / "submission", ignore_errors=True)
    shutil.rmtree(base / "results", ignore_errors=True)
    (base / "submission").mkdir()
    (base / "submission" / "readme.txt").write_text("what else was handed in")
    nbformat.write(notebook, base / "submission" / name)
    done = subprocess.run(
        ["bash", str(base / "source/run_autograder")],
        env={**os.environ, "AUTOGRADER": str(base)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads((base / "results/results.json").read_text(encoding="utf-8"))


def solved() -> nbformat.NotebookNode:
    """Return the master of hw1, solutions included."""
    return masters.find("hw1").read()


def test_the_archive_has_the_two_scripts_and_its_masters_and_no_other(base):
    names = {path.relative_to(base / "source").as_posix() for path in base.glob("source/**/*")}
    assert {"setup.sh", "run_autograder", "course/pyproject.toml", "masters/hw1/hidden.py"} <= names
    assert not any("hw2/hidden.py" in name or "__pycache__" in name for name in names)
    for script in ("setup.sh", "run_autograder"):
        assert subprocess.run(["bash", "-n", str(base / "source" / script)]).returncode == 0


def test_the_same_homework_gives_the_same_archive(tmp_path):
    made = [gradescope.archive("hw1", tmp_path / name).read_bytes() for name in ("a", "b")]
    assert made[0] == made[1]


def test_a_right_homework_has_every_point_and_a_test_for_each_check(base):
    told = graded(base, solved())
    homework = masters.load("hw1")
    assert told["score"] == homework.automatic == sum(t["score"] for t in told["tests"])
    assert len(told["tests"]) == len(homework.checks) + len(homework.quizzes)
    assert {t["visibility"] for t in told["tests"]} == {"visible", "after_published"}
    assert {t["status"] for t in told["tests"]} == {"passed"}
    assert f"{sum(homework.by_hand.values())} more points are given by hand." in told["output"]


def test_a_wrong_homework_is_told_what_it_breaks_and_nothing_secret(base):
    notebook = solved()
    for cell in notebook.cells:
        cell.source = cell.source.replace("return w + y * x", "return w - y * x")
    told = graded(base, notebook)
    failed = [t for t in told["tests"] if t["status"] == "failed"]
    assert 0 < told["score"] < masters.load("hw1").automatic and failed
    assert any("came back" in t["output"] for t in failed if t["visibility"] == "visible")
    for test in failed:
        assert test["output"] and test["score"] == 0
        if test["visibility"] == "after_published":
            assert "Given" not in test["output"] and "came back" not in test["output"]


def test_a_homework_that_was_not_done_has_no_point_and_a_file_of_any_name_is_found(base):
    told = graded(base, masters.student(solved(), 0), name="untitled (3).ipynb")
    assert told["score"] == 0


def test_words_say_what_the_feedback_page_says():
    facts = {"check": "c", "question": "q1", "hidden": False, "points": 0, "out_of": 2}
    wrong = Verdict(**facts, status="fail", given="x = 1", got="2", claim="it is odd", hint="think")
    assert gradescope.words(wrong) == [
        "Given: x = 1",
        "came back: 2",
        "but: it is odd",
        "Hint: think",
    ]
    known = Verdict(**facts, status="fail", misconception="a sign", follows="update (q1)")
    assert gradescope.words(known)[0].endswith("repair that first.")
    assert gradescope.words(Verdict(**facts, status="timeout")) == ["timeout."]
    right = Verdict(**facts | {"points": 2}, status="pass", follows="update (q1)")
    assert "costs nothing here" in gradescope.words(right)[0]


def test_without_a_sandbox_only_root_grades_as_a_user_of_its_own(monkeypatch):
    def refused():
        raise SandboxError("none")

    monkeypatch.setattr(gradescope, "require", refused)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert gradescope.place() == Sandbox("", root=True)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    with pytest.raises(SandboxError, match="this is not root"):
        gradescope.place()
