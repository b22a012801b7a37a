"""The course as students get it: without solutions, hidden checks and what only developers need.

As an archive, or as a folder that a hub serves and nbgitpuller pulls. Called again, `write` brings
the folder up to date: it deletes what it wrote before and no longer writes, and nothing else.
"""

import subprocess
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from . import export
from .archives import ROOT, TEXTS, add

#: What students do not get: solutions and hidden checks, and what only developers and graders need.
NOT_FOR_STUDENTS = ("notebooks/homework/", "tests/", "benchmarks/", "proofs/", "book/", ".")
NOT_FOR_STUDENTS += ("Makefile", "README", "CONTRIBUTING.md", "MANIFEST.in", "Dockerfile")
NOT_FOR_STUDENTS += ("environment-dev.yml", "build/", "grades/")
#: Folders that tools make, wherever they stand.
MADE = ("__pycache__", "node_modules")
#: The list of what a folder was given.
MANIFEST = ".handout"


def archive(out: Path, names: Sequence[str], *, root: Path = ROOT, folder: Path) -> Path:
    """Write the course for students as course.zip; return its path."""
    content = dict(files(names, root=root, folder=folder))
    out.mkdir(parents=True, exist_ok=True)
    path = out / "course.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as made:
        for name, text in content.items():
            add(made, f"course/{name}", text)
    return path


def write(place: Path, names: Sequence[str], *, root: Path = ROOT, folder: Path) -> Path:
    """Write the course for students to a folder, or bring the folder up to date; return it."""
    content = dict(files(names, root=root, folder=folder))
    inside = place.resolve()
    if inside == root.resolve() or inside in root.resolve().parents:
        raise ValueError(f"{place} holds the course itself: name another folder.")
    before = place / MANIFEST
    there = {path.name for path in place.iterdir()} if place.is_dir() else set()
    if there - {".git"} and not before.is_file():
        raise ValueError(f"{place} has other files in it: name an empty folder, or a new one.")
    old = before.read_text(encoding="utf-8").splitlines() if before.is_file() else []
    for name in set(old) - set(content):
        (place / name).unlink(missing_ok=True)
    for name, text in content.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_bytes(text)
    before.write_text("\n".join(sorted(content)) + "\n", encoding="utf-8")
    return place


def files(names: Sequence[str], *, root: Path, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the course for students, by name: those of the course, then homework."""
    for name in listed(root):
        if not name.startswith(NOT_FOR_STUDENTS):
            yield name, (root / name).read_bytes()
    for kept, text in (("README.md", "students.txt"), ("Makefile", "students.mk")):
        yield kept, (TEXTS / text).read_bytes()
    for name in names:
        for place, text in export.files(name, folder=folder).items():
            yield f"notebooks/{place}", text.encode()


def listed(root: Path) -> list[str]:
    """Return the files of the course: as git knows them, or, in an unpacked archive, all."""
    if not (root / "notebooks").is_dir() or not (root / "pyproject.toml").is_file():
        raise RuntimeError(
            "The course is not here: run this in a clone, or in an unpacked archive, of all of it."
        )
    listing = None
    if (root / ".git").exists():
        listing = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True)
    if listing is not None and listing.returncode == 0:
        names = sorted(filter(None, listing.stdout.decode().split("\0")))
    else:
        names = sorted(path.relative_to(root).as_posix() for path in root.rglob("*"))
    return [name for name in names if (root / name).is_file() and not _made(name)]


def _made(name: str) -> bool:
    """Say whether a tool made a file, or it is what somebody's course remembers."""
    parts = name.split("/")
    kept = parts[-1].endswith(("solved_exercises.txt", "_tries.txt"))  # of whoever tried the course
    return kept or any(part in MADE or part.endswith(".egg-info") for part in parts)
