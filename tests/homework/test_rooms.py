"""The rooms of the grader are its security: what student code meets knows no secret."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import lectures_homework
import lectures_lib
from lectures_homework.sandbox.bubblewrap import CHILD, HERE

HOMEWORK = Path(lectures_homework.__file__).parent

#: What a room may import of the grader, besides itself.
MAY = {
    "sandbox.inside": set(),
    "language": set(),
    "student": {"language", "sandbox.inside"},
    "sandbox": {"language", "student", "sandbox.inside"},
    "instructor": {"language", "student", "sandbox", "sandbox.inside"},
    "questions": {"language", "student"},  # the homeworks as students have them
    "": {"language", "sandbox", "instructor"},  # the command line
}
ROOMS = sorted(MAY, key=len, reverse=True)
QUESTIONS = re.compile(r"(hw\d+|practice|proofs|verdicts|words)\b")
ENGINE = [room for room in MAY if room != "questions"]


def room_of(module: str) -> str:
    """Return the room of a module named from `lectures_homework` on; "" is the hall."""
    if QUESTIONS.match(module):
        return "questions"
    return next(room for room in ROOMS if f"{module}.".startswith(f"{room}.") or not room)


def imported(path: Path) -> set[str]:
    """Return the modules of ours that a file imports, whole names: lectures_homework.student."""
    package = ["lectures_homework", *path.relative_to(HOMEWORK).parts[:-1]]
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            start = ".".join([*above, *filter(None, [node.module])])
            found |= {f"{start}.{alias.name}" for alias in node.names}
    return {name for name in found if name.startswith("lectures_")}


def files(room: str) -> list[Path]:
    """Return the files of a room."""
    names = {path: path.relative_to(HOMEWORK).with_suffix("") for path in HOMEWORK.rglob("*.py")}
    return sorted(p for p, name in names.items() if room_of(".".join(name.parts)) == room)


@pytest.mark.parametrize("room", MAY)
def test_a_room_imports_only_what_it_may(room):
    wide = set()
    assert files(room)
    for path in files(room):
        ours = {n for n in imported(path) if n.startswith("lectures_homework.")}
        ours = {name.removeprefix("lectures_homework.") for name in ours}
        wide |= {room_of(name) for name in ours} - {room}
    assert wide <= MAY[room]


@pytest.mark.parametrize("room", ENGINE)
def test_the_engine_knows_no_homework_and_of_the_lectures_only_what_reads_and_judges(room):
    names = {name for path in files(room) for name in imported(path)}
    others = {name for name in names if not name.startswith("lectures_homework")}
    folder = {"lectures_lib"} if room == "instructor" else set()  # what kept grades depend on
    judges = ("lectures_lib.theorems", "lectures_lib.exercises.reading")
    assert all(name.startswith(judges) for name in others - folder)
    assert not others - folder or room == "language"
    assert "questions" not in {room_of(n.partition(".")[2]) for n in names if n not in others}


def test_the_rule_would_see_a_wrong_import(tmp_path, monkeypatch):
    wrong = HOMEWORK / "student" / "spy.py"
    monkeypatch.setattr(Path, "read_text", lambda *_, **__: "from ..instructor import masters\n")
    assert imported(wrong) == {"lectures_homework.instructor.masters"}
    assert room_of("instructor.masters") == "instructor"


def test_inside_the_sandbox_are_the_files_of_one_room_and_they_import_nothing_of_ours():
    here = [path for path in files("sandbox.inside") if path.name != "__init__.py"]
    assert [str(path) for path in here] == sorted(str(HERE / name) for name in CHILD)
    assert {name for path in here for name in imported(path)} == set()


def loaded_by(code: str) -> set[str]:
    """Return our modules that a fresh Python has loaded after a line."""
    program = f"import sys; {code}; print(*(m for m in sys.modules if 'lectures_' in m))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def test_a_students_notebook_loads_nothing_of_the_instructors():
    loaded = loaded_by("from lectures_homework.hw1 import check, data, finish, quiz")
    assert "lectures_homework.student.client" in loaded
    assert not [name for name in loaded if "instructor" in name or "bubblewrap" in name]


@pytest.mark.parametrize(
    "code",
    [
        "from lectures_lib.homework.hw1 import check, data, finish, quiz; data(0)",
        "from lectures_lib.grading.instructor import masters; masters.names()",
    ],
    ids=["homework", "grading"],
)
def test_the_old_names_work_for_one_version_and_name_the_new_one(code):
    done = subprocess.run([sys.executable, "-W", "default", "-c", code], capture_output=True)
    assert done.returncode == 0, done.stderr
    assert b"DeprecationWarning" in done.stderr and b"is now lectures_homework" in done.stderr
    assert b"homework" not in b" ".join(name.encode() for name in dir(lectures_lib))


def test_the_old_command_still_runs(tmp_path):
    command = [sys.executable, "-m", "lectures_lib.grading", "grade", "--help"]
    done = subprocess.run(command, capture_output=True, cwd=tmp_path)
    assert done.returncode == 0 and b"python -m lectures_homework grade" in done.stdout
