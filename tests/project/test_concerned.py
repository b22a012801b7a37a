"""`make quick` finds the tests and notebooks that a change concerns, by what they import."""

import subprocess

import pytest

from tools import concerned, nbnormal, nbrules
from tools.environment import ROOT


@pytest.mark.parametrize(
    ("file", "room"),
    [
        ("lectures_lib/margins/largest.py", "lectures_lib.margins"),
        ("lectures_lib/losses.py", "lectures_lib.losses"),
        ("tools/book.py", "tools.book"),
        ("README.md", ""),
        ("numpy.linalg", ""),
    ],
)
def test_a_file_has_a_room(file, room):
    assert concerned.room(file) == room


def test_imports_are_read_absolute_and_relative():
    text = "import numpy\nfrom lectures_lib import svm, bounds\nfrom lectures_lib.proof import qp\n"
    assert concerned.imports(text) == {f"lectures_lib.{n}" for n in ("svm", "bounds", "proof")}
    inside = "from ..language.checks import judge\nfrom . import masters"
    found = concerned.imports(inside, "lectures_homework.instructor")
    assert found == {"lectures_homework.language", "lectures_homework.instructor"}


def test_a_changed_module_concerns_its_own_test_first_and_the_notebooks_that_import_it():
    found = concerned.concerned(["lectures_lib/margins/largest.py"])
    assert found.tests[0] == "tests/margins/test_margins.py"
    assert "notebooks/04_margins.ipynb" in found.notebooks
    for name in found.notebooks:
        assert "margins" in (ROOT / name).read_text(encoding="utf-8")
    assert "tests/theorems/test_theorem_oracles.py" not in found.tests


def test_a_changed_test_or_notebook_comes_first_and_a_text_asks_the_project():
    files = ["tests/project/test_ci.py", "notebooks/13_smo.ipynb", "README.md"]
    found = concerned.concerned(files)
    assert found == concerned.Concerned(
        ("tests/project/test_ci.py", concerned.PROJECT), ("notebooks/13_smo.ipynb",)
    )


def test_tests_and_notebooks_take_turns():
    found = concerned.Concerned(("a", "b", "c"), ("x", "y"))
    assert concerned._turns(found) == ["a", "b", "x", "c", "y"]


def test_what_time_does_not_reach_is_named(monkeypatch, capsys):
    ran = []
    monkeypatch.setattr(concerned, "_failed", lambda command: bool(ran.append(command[-1])))
    found = concerned.Concerned(("tests/a.py", "tests/b.py"), ("notebooks/x.ipynb",))
    assert concerned.run([], found, 60) == 0 and len(ran) == 3
    assert concerned.run([], found, -1) == 0 and len(ran) == 3
    said = capsys.readouterr().out
    assert "0 of 3 run" in said and "Not reached, make test runs them:\n  tests/a.py" in said


def test_a_failure_is_named_and_is_the_exit_code(monkeypatch, capsys):
    monkeypatch.setattr(concerned, "_failed", lambda command: "tests/b.py" in command)
    assert concerned.run([], concerned.Concerned(("tests/a.py", "tests/b.py"), ()), 60) == 1
    assert "FAILED: tests/b.py" in capsys.readouterr().out


def test_a_base_that_git_does_not_know_is_named():
    if subprocess.run(["git", "rev-parse"], cwd=ROOT, capture_output=True).returncode:
        pytest.skip("no git here")
    with pytest.raises(SystemExit, match="git does not know 'nowhere' here"):
        concerned.changed("nowhere")


def test_the_hook_brings_a_notebook_into_normal_form_once(tmp_path, capsys):
    stored = ROOT / "notebooks/00_start_here.ipynb"
    notebook = nbrules.read(stored)
    notebook.metadata.language_info.version = "3.99"
    path = tmp_path / "one.ipynb"
    path.write_text(nbrules.dumps(notebook), encoding="utf-8")
    assert nbnormal.main([str(path)]) == 1 and "add it again" in capsys.readouterr().out
    assert nbnormal.main([str(path)]) == 0
    assert path.read_text(encoding="utf-8") == stored.read_text(encoding="utf-8")
