"""Grading by trust works where Linux's own limits are missing, as on macOS (imitated here)."""

import sys
from types import SimpleNamespace

import pytest

from lectures_homework.instructor.grade import grade
from lectures_homework.sandbox import bubblewrap
from lectures_homework.sandbox.inside import child

from .conftest import FULL, HONEST, QUICK, book

MACOS = """\
import resource, sys
del resource.RLIMIT_MSGQUEUE
set_limit = resource.setrlimit
def refuse(which, pair):
    if which == resource.RLIMIT_AS:
        raise ValueError("current limit exceeds maximum limit")
    set_limit(which, pair)
resource.setrlimit = refuse
sys.platform = "darwin"
"""


def test_a_right_homework_has_full_marks_where_two_limits_are_missing(twice, tmp_path, monkeypatch):
    for path in bubblewrap.HERE.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        head, mark, rest = text.partition("\nimport ")
        mixed = f"{head}\n{MACOS}{mark}{rest}" if path.name == "child.py" else text
        (tmp_path / path.name).write_text(mixed, encoding="utf-8")
    monkeypatch.setattr(bubblewrap, "HERE", tmp_path)
    report = grade(twice.homework, book(*HONEST), limits=QUICK, trust=True)
    assert report.points == FULL, report.notes


def limits_of(platform: str, monkeypatch, **missing) -> list[str]:
    """Return the limits that are set where some fail or are missing."""
    set_, names = [], ("AS", "FSIZE", "CORE", "NOFILE", "NPROC", "MEMLOCK", "MSGQUEUE", "CPU")
    known = {f"RLIMIT_{name}": name for name in names if missing.get(name) != "no such name"}

    def set_limit(which, pair):
        if missing.get(which) == "refused":
            raise ValueError("current limit exceeds maximum limit")
        set_.append(which)

    monkeypatch.setattr(child, "resource", SimpleNamespace(setrlimit=set_limit, **known))
    monkeypatch.setattr(sys, "platform", platform)
    child.limit({"memory": 1, "files": 1, "processes": 1, "load": 1, "statement": 1})
    return set_


def test_elsewhere_the_limits_that_are_there_are_set(monkeypatch):
    found = limits_of("darwin", monkeypatch, MSGQUEUE="no such name", AS="refused")
    assert found == ["FSIZE", "CORE", "NOFILE", "NPROC", "MEMLOCK", "CPU"]


@pytest.mark.parametrize("name", ["AS", "MSGQUEUE"])
def test_on_linux_a_limit_that_cannot_be_set_stops_the_grading(monkeypatch, name):
    with pytest.raises(ValueError, match="exceeds maximum"):
        limits_of("linux", monkeypatch, **{name: "refused"})


def test_on_windows_the_grader_says_where_it_runs(twice, monkeypatch):
    monkeypatch.setattr(bubblewrap, "os", SimpleNamespace(name="nt"))
    with pytest.raises(bubblewrap.SandboxError, match="On Windows use WSL"):
        bubblewrap.Sandbox().start(QUICK)
