"""What a reader runs asks for nothing that only Linux or POSIX has.

Windows and macOS cannot be run here, so this imitates them: names that they lack are removed, after
other people's packages were loaded, and before ours are.
"""

import json
import subprocess
import sys

import pytest

from tools.environment import ROOT

#: Modules and names that Windows has not (macOS lacks some of them).
MODULES = ("fcntl", "grp", "pwd", "resource", "termios", "tty", "pty", "syslog")
OS = ("fork", "forkpty", "geteuid", "getuid", "getegid", "getgid", "getpgid", "killpg", "setsid")
OS += ("mkfifo", "nice", "sched_getaffinity", "sysconf", "uname", "wait4", "WNOHANG", "getpgrp")
OS += ("sched_setaffinity", "setpgid", "chown", "chroot", "statvfs", "O_NOFOLLOW", "O_NONBLOCK")
SIGNAL = ("SIGALRM", "SIGKILL", "SIGPROF", "SIGHUP", "SIGUSR1", "setitimer", "ITIMER_PROF", "alarm")
SIGNAL += ("ITIMER_REAL", "ITIMER_VIRTUAL", "SIGVTALRM", "pthread_sigmask", "SIGCHLD", "SIGXCPU")

WINDOWS = f"""
import asyncio, concurrent.futures, importlib, json, multiprocessing.pool, os, signal, subprocess
import sys, tempfile, warnings, webbrowser
import IPython.display, anywidget, cvxopt, ipywidgets, joblib, matplotlib.pyplot, nbformat, numba
import numpy, scipy.optimize, scipy.sparse, sklearn.model_selection, sklearn.svm, tqdm
sys.modules.update(dict.fromkeys({MODULES}))
for name in {OS}: vars(os).pop(name, None)
for name in {SIGNAL}: vars(signal).pop(name, None)
sys.platform = "win32"
"""

IMPORT = """
for name in sys.argv[1:]:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name is None or error.name in sys.modules:  # one of ours, or one that was removed
            raise
"""

CELLS = """
space = {"__name__": "__main__"}
for number, source in enumerate(json.loads(sys.stdin.read())):
    exec(compile(source, f"cell {number}", "exec"), space)
print("all cells ran")
"""


def modules() -> list[str]:
    """Return every module of ours that runs outside the grader's sandbox, which is Linux."""
    folders = [ROOT / name for name in ("lectures_lib", "lectures_homework", "tools")]
    files = sorted(path for folder in folders for path in folder.rglob("*.py"))
    names = (".".join(path.relative_to(ROOT).with_suffix("").parts) for path in files)
    inside = ("inside.", "__main__")
    return [name.removesuffix(".__init__") for name in names if not any(i in name for i in inside)]


def run(program: str, *arguments: str, **options) -> str:
    """Run a program in a fresh Python; return what it printed."""
    command = [sys.executable, "-c", WINDOWS + program, *arguments]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, **options)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def test_the_imitation_has_no_such_names():
    print_them = "print(hasattr(os, 'fork'), sys.modules['resource'], hasattr(signal, 'SIGALRM'))"
    assert run(print_them).split() == ["False", "None", "False"]
    with pytest.raises(AssertionError, match="import of resource halted"):
        run("import resource")


def test_every_module_is_imported_where_only_posix_names_are_missing():
    names = modules()
    assert len(names) > 150
    run(IMPORT, *names)


def test_the_first_notebook_runs_where_only_posix_names_are_missing():
    cells = json.loads((ROOT / "notebooks/00_start_here.ipynb").read_text(encoding="utf-8"))[
        "cells"
    ]
    sources = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert len(sources) > 5
    printed = run("import matplotlib; matplotlib.use('agg')\n" + CELLS, input=json.dumps(sources))
    assert printed.splitlines()[-1] == "all cells ran"


def test_every_text_file_is_opened_with_its_encoding():
    # On Windows the default is another one: a warning of Python says where it was not named.
    program = "from lectures_lib import datasets; datasets.digits(); datasets.iris()"
    command = [sys.executable, "-X", "warn_default_encoding", "-W", "error::EncodingWarning"]
    done = subprocess.run([*command, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_checkout_has_the_same_line_ends_on_every_system():
    rules = (ROOT / ".gitattributes").read_text(encoding="utf-8")
    assert "* text=auto eol=lf" in rules
    done = subprocess.run(["git", "ls-files", "--eol"], cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("no git here")
    assert [
        line for line in done.stdout.splitlines() if "i/crlf" in line or "i/mixed" in line
    ] == []
