"""The course's own Python in .venv: made, repaired, filled, and JupyterLab started in it.

Run by ``start.py``, before anything is installed: this module needs Python alone. Whatever state a
stopped or failed call has left, the next one goes on from there.
"""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from tools import install

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
#: What a reader needs, and what a contributor or an instructor needs besides (pyproject.toml).
READER = ("lab",)
EVERYTHING = ("lab", "test", "grading", "nbgrader")
OLDEST, NEWEST = (3, 11), (3, 14)
LOOK = "import sys, importlib.util as u; print(*sys.version_info[:2], bool(u.find_spec('pip')))"
FIRST = "/lab/tree/notebooks/00_start_here.ipynb"

USAGE = "python start.py [lab | here | install [extra ...]]"


def main(arguments: list[str]) -> int:
    """Do what the arguments say; return 0 if it went well."""
    command, *extras = arguments or ["lab"]
    if command not in ("lab", "here", "install") or (command != "install" and extras):
        print(f"Usage: {USAGE}")
        return 2
    try:
        if command == "here":
            return open_here()
        code = set_up(extras or (EVERYTHING if command == "install" else READER))
        return code or (open_lab() if command == "lab" else 0)
    except KeyboardInterrupt:
        print(install.STOPPED)
        return 130
    except OSError as error:
        print(f"The course cannot be set up in {ROOT}: {error}")
        return 1


# --- set-up --------------------------------------------------------------------------------------


def set_up(extras: Iterable[str]) -> int:
    """Make .venv where there is none that works, and install what is missing in it."""
    if why := problem(VENV):
        if VENV.exists():
            print(f"{why} It is made anew.", flush=True)
            remove(VENV)
        print("Setting up .venv: a few minutes the first time.", flush=True)
        if code := make(VENV):
            return code
    wanted = sorted({*READER, *extras})
    if installed(VENV) >= set(wanted):
        return 0
    env = {**os.environ, install.STARTED: "1"}
    done = subprocess.run([python_of(VENV), "-m", "tools.install", *wanted], cwd=ROOT, env=env)
    if done.returncode == 0:
        stamp(VENV).write_text("\n".join(sorted(installed(VENV) | set(wanted))) + "\n")
    return done.returncode


def python_of(venv: Path) -> str:
    """Return the Python of a virtual environment."""
    return str(venv / ("Scripts/python.exe" if os.name == "nt" else "bin/python"))


def problem(venv: Path) -> str:
    """Say why a virtual environment cannot be used; nothing if it can."""
    try:
        done = subprocess.run([python_of(venv), "-c", LOOK], capture_output=True, text=True)
    except OSError:
        return "The folder .venv has no Python that starts."
    words = done.stdout.split()
    if done.returncode or len(words) != 3:
        return "The Python in .venv does not start."
    if not OLDEST <= (int(words[0]), int(words[1])) <= NEWEST:
        return f"The folder .venv belongs to Python {words[0]}.{words[1]}."
    return "" if words[2] == "True" else "The folder .venv has no pip."


def make(venv: Path) -> int:
    """Make a virtual environment; where that fails, leave none and say what to do."""
    outside = getattr(sys, "_base_executable", sys.executable)  # not the one that was removed
    command = [outside, "-m", "venv", str(venv)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode == 0 and not problem(venv):
        return 0
    remove(venv)
    last = (done.stdout + done.stderr).strip().splitlines()[-1:] or ["it gave no reason"]
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    if "ensurepip" in done.stdout + done.stderr:
        print(
            f"Python {version} cannot make virtual environments here. On Debian and Ubuntu: "
            f"apt install python{version}-venv. Then call this again."
        )
    else:
        print(f"Python {version} could not make .venv: {last[0]}")
    return 1


def remove(venv: Path) -> None:
    """Delete a virtual environment, or the link to one."""
    if venv.is_symlink() or venv.is_file():
        venv.unlink()
    else:
        shutil.rmtree(venv, ignore_errors=True)


def stamp(venv: Path) -> Path:
    """Return the file that says what is installed."""
    return venv / ".extras"


def installed(venv: Path) -> set[str]:
    """Return the extras that are installed as pyproject.toml and constraints.txt stand now."""
    try:
        then = stamp(venv).stat().st_mtime
        extras = set(stamp(venv).read_text().split())
    except FileNotFoundError:
        return set()
    sources = [ROOT / "pyproject.toml", ROOT / "constraints.txt", *(ROOT / "lab").rglob("*")]
    return extras if all(path.stat().st_mtime <= then for path in sources) else set()


# --- JupyterLab ----------------------------------------------------------------------------------


def open_here() -> int:
    """Start JupyterLab of the Python that runs this, as in an environment of conda."""
    if importlib.util.find_spec("jupyterlab") is None:
        print("This Python has no JupyterLab. conda env create -f environment.yml installs it.")
        return 1
    install.set_up_lab(Path(sys.prefix))
    return open_lab(sys.executable)


def open_lab(python: str = python_of(VENV)) -> int:
    """Start JupyterLab at the first notebook; Ctrl-C ends it."""
    notebooks = [str(path) for path in sorted((ROOT / "notebooks").glob("*.ipynb"))]
    subprocess.run([python, "-m", "jupyter", "trust", *notebooks], stdout=subprocess.DEVNULL)
    command = [python, "-m", "jupyterlab", "--ip=127.0.0.1", f"--ServerApp.root_dir={ROOT}"]
    command += ["--ServerApp.answer_yes=True", f"--LabApp.default_url={FIRST}", *flags()]
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the course's small systems are faster so
    print("Starting JupyterLab. Ctrl-C ends it.", flush=True)
    os.chdir(ROOT)
    if os.name != "nt":
        os.execv(python, command)  # whoever ends this process ends JupyterLab
    return wait_for(subprocess.Popen(command))


def flags() -> list[str]:
    """Return what JupyterLab needs for root, and where there is no display to open a browser on."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    blind = sys.platform == "linux" and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
    return ["--allow-root"] * root + ["--no-browser"] * blind


def wait_for(process: subprocess.Popen) -> int:
    """Wait until JupyterLab has ended; a Ctrl-C reaches it as well, and it needs a moment."""
    while True:
        try:
            return process.wait()
        except KeyboardInterrupt:
            continue
