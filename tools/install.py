"""Install the course and set up its JupyterLab, in the Python that runs this.

``python -m tools.install lab`` in an environment of your own; ``start.py`` calls it in .venv. It
needs Python and pip alone. The arguments are extras of pyproject.toml; one line says how far it is.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

#: what makes JupyterLab the course's -> where Jupyter looks for it
LAB = {
    "overrides.json": "share/jupyter/lab/settings/overrides.json",
    "page_config.json": "etc/jupyter/labconfig/page_config.json",
    "jupyter_server_config.py": "etc/jupyter/jupyter_server_config.py",
    "lectures-lab/package.json": "share/jupyter/labextensions/lectures-lab/package.json",
    "lectures-lab/static/lab.js": "share/jupyter/labextensions/lectures-lab/static/lab.js",
}

#: how a cell hands over the answer to an exercise
CHECK = re.compile(r'exercises\.check\("([\w ]+)"')
STOPPED = "\nStopped. The next call goes on from here."
#: The variable by which start.py says that it waits.
STARTED = "LECTURES_STARTED"
#: What pip says where it reaches nobody.
NO_NETWORK = ("(from versions: none)", "NewConnectionError", "NameResolutionError", "ProxyError")
NO_NETWORK += ("ConnectTimeoutError", "ReadTimeoutError", "Network is unreachable")


def main(extras: list[str]) -> int:
    """Install these extras, then set up JupyterLab; return 0 if all went well."""
    start = time.monotonic()
    try:
        code = install(extras)
    except KeyboardInterrupt:
        if STARTED not in os.environ:  # start.py hears it, too, and says so itself
            print(STOPPED)
        return 130
    if code == 0:
        set_up_lab(Path(sys.prefix))
        print(f"Installed in {time.monotonic() - start:.0f} seconds.", flush=True)
    return code


def install(extras: list[str]) -> int:
    """Run pip and show one line of progress; where it fails, all that it said."""
    pip = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check"]
    pip += ["-c", "constraints.txt", "-e", f".[{','.join(extras)}]"]
    pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    said, steps = [], 0
    with subprocess.Popen(pip, cwd=ROOT, **pipes) as process:
        for line in process.stdout or ():
            said.append(line)
            if line.startswith(("Collecting ", "Requirement already", "Installing collected")):
                steps += 1
                show(progress(line, steps))
    if sys.stdout.isatty():
        print()
    if process.returncode:
        print(reason("".join(said)))
    return process.returncode


def reason(said: str) -> str:
    """Say in a sentence why pip failed, where it is a thing that happens; else what it said."""
    if any(sign in said[-6000:] for sign in NO_NETWORK):
        return "pip cannot reach the package index. Is there a network? Then call this again."
    if "No space left on device" in said:
        return "The disk is full: the course needs about 1 GB. Make room, then call this again."
    return said[-4000:] + "\npip could not install the course; its last words stand above."


def progress(line: str, steps: int) -> str:
    """Say in one line what pip is doing."""
    if line.startswith("Installing"):
        count = len(line.split(":", 1)[1].split(","))
        return f"Unpacking {count} packages: the last step, a minute or two."
    words = line.removeprefix("Requirement already satisfied: ").removeprefix("Collecting ")
    return f"Fetching package {steps}: {words.split()[0]}"


def show(text: str) -> None:
    """Show a line in the place of the last one; where there is no terminal, below it."""
    end = "" if sys.stdout.isatty() else "\n"
    print(f"\r\033[K{text}" if not end else text, end=end, flush=True)


def set_up_lab(prefix: Path) -> None:
    """Copy what makes JupyterLab the course's to where Jupyter looks for it."""
    for name, place in LAB.items():
        (prefix / place).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / "lab" / name, prefix / place)
    copy_exhibits(prefix / "share/jupyter/labextensions/lectures-lab")
    nbgrader = prefix / "etc/jupyter/jupyter_server_config.d/nbgrader.json"
    nbgrader.unlink(missing_ok=True)  # it is here for the tests, not for students


def copy_exhibits(extension: Path) -> None:
    """Put the exhibits' scripts into the extension that draws them, and the list of exercises."""
    folder = extension / "static" / "exhibits"
    folder.mkdir(parents=True, exist_ok=True)
    for script in (ROOT / "lectures_lib" / "widgets").glob("*.js"):
        shutil.copy(script, folder)
    exercises = {}
    for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = "".join("".join(c["source"]) for c in cells if c["cell_type"] == "code")
        exercises[path.stem] = list(dict.fromkeys(CHECK.findall(code)))
    (extension / "static" / "exercises.json").write_text(json.dumps(exercises), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
