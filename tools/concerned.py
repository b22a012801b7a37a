"""What a change concerns: the tests and notebooks that use the files changed since main.

``python -m tools.concerned`` lists them, nearest first; with file names, those of these files. With
``--run`` they are run for about a minute (``make quick``), and what was not reached is named.
Nothing is guessed: a test or a notebook is near a file if it imports its room, and nearest if it
imports few others.
"""

import argparse
import ast
import json
import re
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tools.environment import ROOT, fixed_environment

PACKAGES = ("lectures_lib", "lectures_homework", "tools", "tests", "benchmarks")
#: What texts and settings concern.
PROJECT = "tests/project/test_project.py"
SECONDS = 60


@dataclass(frozen=True)
class Concerned:
    """Files to run, nearest first."""

    tests: tuple[str, ...]
    notebooks: tuple[str, ...]


def main(arguments: list[str] | None = None) -> int:
    """List or run what a change concerns."""
    parser = argparse.ArgumentParser(prog="python -m tools.concerned", description=__doc__)
    parser.add_argument("files", nargs="*", help="default: what has changed since --base")
    parser.add_argument("--base", default="main", help="a branch or commit (default: main)")
    parser.add_argument("--run", action="store_true", help="run them, for about a minute")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long (default: 60)")
    options = parser.parse_args(arguments)
    files = options.files or changed(options.base)
    found = concerned(files)
    if options.run:
        return run(files, found, options.seconds)
    for title, names in (("tests", found.tests), ("notebooks", found.notebooks)):
        print(f"{title}:", *names or ["none"], sep="\n  ")
    return 0


def changed(base: str) -> list[str]:
    """Return the files that changed since this branch left another, new ones included."""
    fork = subprocess.run(
        ["git", "merge-base", base, "HEAD"], cwd=ROOT, capture_output=True, text=True
    )
    if fork.returncode:
        raise SystemExit(
            f"git does not know {base!r} here. Name what to compare with: --base COMMIT"
        )
    asked = (
        ["git", "diff", "--name-only", fork.stdout.strip()],
        ["git", "ls-files", "--others", "--exclude-standard"],
    )
    said = (subprocess.run(c, cwd=ROOT, capture_output=True, text=True).stdout for c in asked)
    return sorted({name for text in said for name in text.splitlines()})


# --- who imports whom ----------------------------------------------------------------------------


def room(name: str) -> str:
    """Return the room of a module or file of ours, as lectures_lib.svm; "" if it has none."""
    parts = name.removesuffix(".py").replace("/", ".").split(".")
    if parts[0] == "tests":  # a test is alone in its room
        return ".".join(parts)
    return ".".join(parts[:2]) if parts[0] in PACKAGES and len(parts) > 1 else ""


def imports(text: str, package: str = "") -> set[str]:
    """Return the rooms that a program imports; `package` is where its relative imports start."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            home = package.rsplit(".", node.level - 1)[0] if node.level > 1 else package
            start = ".".join(filter(None, [home if node.level else "", node.module or ""]))
            found |= {start, *(f"{start}.{alias.name}" for alias in node.names)}
    return {place for name in found if (place := room(name))}


def used_by(path: Path) -> set[str]:
    """Return the rooms that a test or a notebook imports."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".ipynb":
        cells = (c for c in json.loads(text)["cells"] if c["cell_type"] == "code")
        sources = ("".join(cell["source"]) for cell in cells)
        text = "\n".join(
            re.sub(r"^\s*[%!].*$", "", source, flags=re.MULTILINE) for source in sources
        )
    package = ".".join(path.relative_to(ROOT).parent.parts)
    return imports(text, package)


def concerned(files: Iterable[str]) -> Concerned:
    """Return the tests and notebooks that these files concern."""
    names = [str(name) for name in files]
    rooms = {place for name in names if name.endswith(".py") and (place := room(name))}
    tests = _nearest(sorted((ROOT / "tests").rglob("test_*.py")), names, rooms)
    if any(not name.endswith((".py", ".ipynb")) for name in names) and PROJECT not in tests:
        tests.append(PROJECT)
    notebooks = _nearest(sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")), names, rooms)
    return Concerned(tuple(tests), tuple(notebooks))


def _nearest(paths: list[Path], names: list[str], rooms: set[str]) -> list[str]:
    """Return those that were changed, then those that import a room: its own test first."""
    found = []
    for path in paths:
        name = path.relative_to(ROOT).as_posix()
        used = used_by(path)
        if name in names:
            found.append((0, 0, name))
        elif used & rooms:
            own = path.stem.removeprefix("test_") in {r.rpartition(".")[2] for r in rooms}
            found.append((1 if own else 2, len(used), name))
    return [name for *_, name in sorted(found)]


# --- a minute ------------------------------------------------------------------------------------


def run(files: list[str], found: Concerned, seconds: float) -> int:
    """Check the style of what has changed, then run the nearest first until the time is over."""
    start, failed = time.monotonic(), []
    python = [name for name in files if name.endswith((".py", ".ipynb")) and (ROOT / name).exists()]
    if python and _failed(["-m", "ruff", "check", "-q", *python]):
        failed.append("style")
    queue, left = _turns(found), []
    for name in queue:
        if time.monotonic() - start > seconds:
            left.append(name)
            continue
        more = ["--nbval"] if name.endswith(".ipynb") else ["-m", "not browser"]
        print(f"--- {name}", flush=True)
        if _failed(["-m", "pytest", "-q", "-x", "--no-header", *more, name]):
            failed.append(name)
    print(f"\n{len(queue) - len(left)} of {len(queue)} run in {time.monotonic() - start:.0f} s.")
    if left:
        print("Not reached, make test runs them:", *left, sep="\n  ")
    print(*([f"FAILED: {', '.join(failed)}"] if failed else ["Nothing failed so far."]))
    return 1 if failed else 0


def _turns(found: Concerned) -> list[str]:
    """Return tests and notebooks in turn: two tests, then a notebook."""
    tests, notebooks, turns = list(found.tests), list(found.notebooks), []
    while tests or notebooks:
        turns += [*tests[:2], *notebooks[:1]]
        tests, notebooks = tests[2:], notebooks[1:]
    return turns


def _failed(command: list[str]) -> bool:
    return (
        subprocess.run([sys.executable, *command], cwd=ROOT, env=fixed_environment()).returncode
        != 0
    )


if __name__ == "__main__":
    sys.exit(main())
