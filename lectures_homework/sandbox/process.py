"""A running child: lines to it, lines from it, and a certain end."""

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import seccomp
from .usage import Usage, usage

#: Seconds between two looks at what a child uses.
PAUSE = 0.2
ENVIRONMENT = {"HOME": "/tmp", "LANG": "C.UTF-8", "MPLBACKEND": "agg", "PATH": "/usr/bin"}
ENVIRONMENT |= dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")


#: How the names of temporary folders begin; the number of the process that made them follows.
FOLDERS = "grading-"


def sweep() -> None:
    """Remove the temporary folders of graders that were killed."""
    if not hasattr(os, "geteuid"):
        return
    for folder in Path(tempfile.gettempdir()).glob(f"{FOLDERS}*-*"):
        owner = folder.name.removeprefix(FOLDERS).partition("-")[0]
        mine = folder.is_dir() and not folder.is_symlink() and folder.stat().st_uid == os.geteuid()
        if owner.isdecimal() and mine and not _alive(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


class Gone(Exception):
    """The child has ended, or said something that cannot be a reply."""


class NoReply(Exception):
    """The child did not reply in time."""


class Child:
    """A started child.

    `command` makes the command line out of two open files: one for what bubblewrap tells about the
    child, one with the filter of system calls (-1 if there is none).
    """

    def __init__(self, command: Callable[[int, int], list[str]], errors: int):
        self._rest, self._info = b"", -1
        prefix = f"{FOLDERS}{os.getpid()}-"
        self._folder = tempfile.TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True)
        source, sink = os.pipe()
        filter_ = _filter()
        try:
            self._process = self._start(command(sink, filter_), errors, (sink, filter_))
            self._info, source = source, -1
        except OSError:
            self._folder.cleanup()
            raise
        finally:
            for unused in (source, sink, filter_):
                if unused >= 0:
                    os.close(unused)
        pipes: Any = self._process.stdin, self._process.stdout
        self._in, self._out = (pipe.fileno() for pipe in pipes)
        for descriptor in (self._in, self._out, self._info):
            os.set_blocking(descriptor, False)

    def _start(self, command: list[str], errors: int, given: tuple[int, int]) -> subprocess.Popen:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            bufsize=0,
            env=_environment(),
            cwd=self._folder.name,
            pass_fds=[descriptor for descriptor in given if descriptor >= 0],
            start_new_session=True,
        )

    def send(self, message: dict, deadline: float) -> None:
        """Send one line."""
        left = memoryview(json.dumps(message).encode() + b"\n")
        try:
            while left:
                _wait(self._in, select.POLLOUT, deadline)
                left = left[os.write(self._in, left) :]
        except OSError:
            raise Gone from None

    def usage(self) -> Usage:
        """Return what the child and all that it started have used so far."""
        return usage(self._process.pid)

    def receive(
        self, deadline: float, longest: int, look: Callable[[], None] = lambda: None
    ) -> dict:
        """Return the next line, which must be a JSON object; `look` is called while it waits."""
        while b"\n" not in self._rest:
            if len(self._rest) > longest:
                raise Gone
            while not _ready(self._out, select.POLLIN, min(deadline, time.monotonic() + PAUSE)):
                if time.monotonic() >= deadline:
                    raise NoReply
                look()
            chunk = os.read(self._out, 1 << 18)
            if not chunk:
                raise Gone
            self._rest += chunk
        line, _, self._rest = self._rest.partition(b"\n")
        try:
            message = json.loads(line) if len(line) <= longest else None
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise Gone
        return message

    def close(self) -> None:
        """End the child and everything it started."""
        first = self._first_inside() if self._process.poll() is None else None
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            if first is not None:  # all of its namespace go with it
                os.kill(first, signal.SIGKILL)
                self._process.wait(timeout=5)
        if first is None or self._process.returncode is None:
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()
        os.close(self._info)
        self._folder.cleanup()

    def _first_inside(self) -> int | None:
        """Return the first process of the child's namespace, as seen from here."""
        try:
            return json.loads(os.read(self._info, 4096))["child-pid"]
        except (OSError, ValueError, KeyError):
            return None


def _wait(descriptor: int, event: int, deadline: float) -> None:
    """Wait until there is something to read, or room to write; NoReply at the deadline."""
    if not _ready(descriptor, event, deadline):
        raise NoReply


def _ready(descriptor: int, event: int, deadline: float) -> bool:
    """True as soon as there is something to read, or room to write; False at the deadline."""
    ready = select.poll()
    ready.register(descriptor, event)
    return bool(ready.poll(max(0.0, 1000 * (deadline - time.monotonic()))))


def _filter() -> int:
    """Return an open file with the filter of system calls; -1 where there is none."""
    program = seccomp.program()
    if program is None:
        return -1
    source, sink = os.pipe()
    os.write(sink, program)
    os.close(sink)
    return source


def _environment() -> dict[str, str]:
    shared = sysconfig.get_config_var("Py_ENABLE_SHARED") and sys.base_prefix != "/usr"
    return ENVIRONMENT | ({"LD_LIBRARY_PATH": f"{sys.base_prefix}/lib"} if shared else {})
