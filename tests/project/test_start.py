"""The first command works on every system, and repairs what a stopped or failed call has left."""

import ast
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tools import install, venv
from tools.environment import ROOT

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the scripts here that imitate are for sh")


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A folder laid out as the course, with a .venv that is not made yet; nothing is installed."""
    monkeypatch.setattr(venv, "ROOT", tmp_path)
    monkeypatch.setattr(venv, "VENV", tmp_path / ".venv")
    for name in ("pyproject.toml", "constraints.txt", "lab/one.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
        os.utime(tmp_path / name, (1, 1))
    return tmp_path


def fake_python(folder: Path, version: str, pip: str) -> None:
    """Write a script that answers as the Python of a virtual environment would."""
    (folder / "bin").mkdir(parents=True)
    script = folder / "bin" / "python"
    script.write_text(f"#!/bin/sh\necho {version} {pip}\n")
    script.chmod(0o755)


# --- an old Python, or none ----------------------------------------------------------------------


def test_every_python_can_read_the_first_file():
    text = (ROOT / "start.py").read_text(encoding="utf-8")
    ast.parse(text, feature_version=(3, 4))
    assert 'f"' not in text and "nonlocal" not in text


@pytest.mark.parametrize("version", [(2, 7), (3, 6), (3, 10), (3, 15)])
def test_another_python_is_refused_in_a_sentence_that_names_the_remedy(version, monkeypatch):
    monkeypatch.setattr(sys, "version_info", (*version, 0, "final", 0))
    monkeypatch.setattr(os.path, "exists", lambda path: False)
    with pytest.raises(SystemExit) as refused:
        runpy.run_path(str(ROOT / "start.py"))
    assert f"this is Python {version[0]}.{version[1]}. Name another" in str(refused.value)
    assert "make lab PYTHON=python3.12" in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
def test_make_without_a_python_says_so_in_one_sentence():
    done = subprocess.run(
        ["make", "-s", "lab", "PYTHON=python3.99"],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stdout.startswith("There is no python3.99 here. Install Python 3.11 to 3.14")
    assert len(done.stdout.splitlines()) == 1


def test_a_word_that_is_no_command_gets_the_usage(capsys):
    assert venv.main(["teach"]) == 2
    assert capsys.readouterr().out == f"Usage: {venv.USAGE}\n"


# --- what a stopped or failed call has left ------------------------------------------------------


def test_an_empty_folder_is_no_environment(course):
    (course / ".venv").mkdir()
    assert venv.problem(course / ".venv") == "The folder .venv has no Python that starts."


@pytest.mark.parametrize(
    ("version", "pip", "said"),
    [
        ("3 10", "True", "The folder .venv belongs to Python 3.10."),
        ("3 15", "True", "The folder .venv belongs to Python 3.15."),
        ("3 12", "False", "The folder .venv has no pip."),
        ("3 12", "True", ""),
        ("Segmentation", "", "The Python in .venv does not start."),
    ],
)
def test_an_environment_that_cannot_be_used_is_named(course, version, pip, said):
    fake_python(course / ".venv", version, pip)
    assert venv.problem(course / ".venv") == said


def test_a_link_to_a_python_that_is_gone_is_named(course):
    (course / ".venv/bin").mkdir(parents=True)
    (course / ".venv/bin/python").symlink_to("/nowhere/python3.12")
    assert venv.problem(course / ".venv") == "The folder .venv has no Python that starts."


@pytest.mark.parametrize("left", ["nothing", "empty", "old", "no pip", "good"])
def test_whatever_is_left_is_repaired_by_the_next_call(course, monkeypatch, capsys, left):
    place = course / ".venv"
    if left == "empty":
        place.mkdir()
    elif left in ("old", "no pip", "good"):
        fake_python(place, "3 10" if left == "old" else "3 12", str(left != "no pip"))
    made = []
    monkeypatch.setattr(
        venv, "make", lambda folder: made.append(fake_python(folder, "3 12", "True"))
    )
    assert venv.set_up(["lab"]) == 0
    assert len(made) == (left != "good") and venv.problem(place) == ""
    assert ("It is made anew." in capsys.readouterr().out) == (left not in ("nothing", "good"))


def test_a_python_without_ensurepip_leaves_no_half_and_says_what_to_install(
    course, monkeypatch, capsys
):
    def fails(command, **options):
        (course / ".venv").mkdir(exist_ok=True)
        said = "The virtual environment was not created because ensurepip is not available."
        return subprocess.CompletedProcess(command, 1, said, "")

    monkeypatch.setattr(subprocess, "run", fails)
    assert venv.set_up(["lab"]) == 1
    assert not (course / ".venv").exists()
    said = capsys.readouterr().out
    assert f"apt install python3.{sys.version_info.minor}-venv" in said


def test_a_real_environment_is_made_and_found_good(course):
    assert venv.make(course / ".venv") == 0
    assert venv.problem(course / ".venv") == ""
    venv.remove(course / ".venv")
    assert not (course / ".venv").exists()


# --- installing ----------------------------------------------------------------------------------


def test_what_is_installed_is_installed_once_until_a_pin_changes(course, monkeypatch):
    fake_python(course / ".venv", "3 12", "True")
    asked = []
    real = subprocess.run

    def run(command, **options):
        if "tools.install" in command:
            asked.append(command[3:])
        return real(command, **options)

    monkeypatch.setattr(subprocess, "run", run)
    for extras in (["lab"], ["lab"], ["test"], ["lab"], ["test"]):
        assert venv.set_up(extras) == 0
    assert asked == [["lab"], ["lab", "test"]]
    later = (course / ".venv/.extras").stat().st_mtime + 5
    os.utime(course / "constraints.txt", (later, later))
    assert venv.installed(course / ".venv") == set()
    assert venv.set_up(["lab"]) == 0 and asked[-1] == ["lab"]


def test_a_failed_installation_is_tried_again(course):
    fake_python(course / ".venv", "3 12", "True")
    script = course / ".venv/bin/python"
    script.write_text('#!/bin/sh\n[ "$2" = tools.install ] && exit 1\necho 3 12 True\n')
    assert venv.set_up(["lab"]) == 1
    assert not (course / ".venv/.extras").exists()


def test_ctrl_c_ends_in_a_sentence(course, monkeypatch, capsys):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(venv, "set_up", interrupted)
    assert venv.main([]) == 130
    monkeypatch.setattr(install, "install", interrupted)
    assert install.main(["lab"]) == 130
    monkeypatch.setenv(install.STARTED, "1")  # then one of the two says it
    assert install.main(["lab"]) == 130
    assert capsys.readouterr().out == "\nStopped. The next call goes on from here.\n" * 2


def test_a_folder_that_cannot_be_written_ends_in_a_sentence(course, monkeypatch, capsys):
    def refused(*_):
        raise PermissionError(13, "Permission denied", ".venv")

    monkeypatch.setattr(venv, "set_up", refused)
    assert venv.main([]) == 1
    assert "cannot be set up" in (said := capsys.readouterr().out) and "Permission denied" in said


def test_pip_without_a_network_ends_in_a_sentence():
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--no-cache-dir", "--isolated"]
    command += [
        "--retries",
        "0",
        "--dest",
        "/nonexistent",
        "--proxy",
        "http://127.0.0.1:9",
        "numpy",
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode != 0
    said = install.reason(done.stdout + done.stderr)
    assert said == "pip cannot reach the package index. Is there a network? Then call this again."


def test_other_words_of_pip_are_shown():
    assert install.reason("ERROR: No space left on device").startswith("The disk is full")
    assert install.reason("strange").startswith("strange\n")


# --- JupyterLab ----------------------------------------------------------------------------------


def test_jupyterlab_is_told_about_root_and_a_missing_display(monkeypatch):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert venv.flags() == ["--allow-root", "--no-browser"]
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.delattr(os, "geteuid")
    assert venv.flags() == []


def test_on_windows_the_python_of_an_environment_is_elsewhere(monkeypatch):
    monkeypatch.setattr(os, "name", "nt")
    assert venv.python_of(ROOT / ".venv").endswith("Scripts/python.exe")


def test_make_lab_and_the_readme_call_the_same_file():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "lab: python" in makefile and "\t@$(PYTHON) start.py\n" in makefile
    assert "python start.py" in (ROOT / "README.md").read_text(encoding="utf-8")


def test_in_an_environment_of_ones_own_nothing_is_installed(course, monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr(venv, "open_lab", lambda python: opened.append(python) or 0)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "conda"))
    assert venv.main(["here"]) == 0 and opened == [sys.executable]
    assert (tmp_path / "conda/etc/jupyter/jupyter_server_config.py").is_file()
    assert not (course / ".venv").exists()


def test_an_environment_without_jupyterlab_is_told_what_installs_it(monkeypatch, capsys):
    monkeypatch.setattr(venv.importlib.util, "find_spec", lambda name: None)
    assert venv.main(["here"]) == 1
    assert "environment.yml installs it" in capsys.readouterr().out
