"""The program inside the sandbox: runs a notebook's statements, then calls its functions.

It is started as a file of its own, beside `statements` and `values`, and imports nothing else of
ours. It knows no check and no expected value: requests name a function and its arguments, replies
are plain values. Both are JSON lines on two pipes. Whatever it says is judged by its parent, so
student code that takes it over can only spoil its own answers.
"""

import ast
import json
import os
import resource
import select
import signal
import sys
import time
import types
from collections.abc import Callable

NOWHERE = "/dev/null"
NAMES = "lectures_homework", "lectures_lib.homework"  # what a notebook imports, now and before
statements: types.ModuleType  # both are imported once the sandbox is closed
values: types.ModuleType
CLOCKS = (signal.SIGPROF, signal.ITIMER_PROF, 1), (signal.SIGALRM, signal.ITIMER_REAL, 3)
# Taken now, before student code can replace them.
getpid, fork, leave, waitpid, kill = os.getpid, os.fork, os._exit, os.waitpid, os.kill
read, write, now, loads, dumps = os.read, os.write, time.monotonic, json.loads, json.dumps


class Late(BaseException):
    """A statement that does not end; not an Exception, so that `except Exception` lets it pass."""


class Lines:
    """Whole lines from one file descriptor and to another."""

    def __init__(self, source: int, sink: int, longest: int):
        self.source, self.sink, self.longest, self.rest = source, sink, longest, b""

    def get(self, deadline: float | None = None) -> bytes | None:
        """Return the next line, b"" at the end or when it is too long, None when it is late."""
        while b"\n" not in self.rest:
            wait = None if deadline is None else max(0.0, deadline - now())
            if not select.select([self.source], [], [], wait)[0]:
                return None
            chunk = read(self.source, 1 << 16)
            self.rest += chunk
            if not chunk or len(self.rest) > self.longest:
                return b""
        line, _, self.rest = self.rest.partition(b"\n")
        return line

    def put(self, line: bytes) -> None:
        """Write a line."""
        left = memoryview(line + b"\n")
        while left:
            left = left[write(self.sink, left) :]

    def say(self, **facts: object) -> None:
        """Write a line of JSON."""
        self.put(dumps(facts).encode())


# --- before student code runs --------------------------------------------------------------------


def silence() -> tuple[int, int]:
    """Move the two pipes away from stdin and stdout; those lead nowhere."""
    pipes = os.dup(0), os.dup(1)
    for descriptor, flags in ((0, os.O_RDONLY), (1, os.O_WRONLY)):
        os.dup2(os.open(NOWHERE, flags), descriptor)
    os.closerange(max(pipes) + 1, 64)
    return pipes


def become(user: int) -> None:
    """Give up root for a user that nobody else is, so that limits hold."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def limit(limits: dict) -> None:
    """Set the limits that the kernel keeps: all of Linux's, elsewhere those that there are."""
    most = {"AS": limits["memory"], "FSIZE": limits["files"], "CORE": 0, "NOFILE": 48}
    most |= {"NPROC": limits["processes"], "MEMLOCK": 0, "MSGQUEUE": 0}
    most |= {"CPU": int(limits["load"] + limits["statement"]) + 2}
    for name, value in most.items():
        there = sys.platform == "linux" or hasattr(resource, f"RLIMIT_{name}")
        if value is None or not there:
            continue
        try:
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))
        except (ValueError, OSError):
            if sys.platform == "linux":
                raise


def pretend(homework: str, text: str) -> None:
    """Make `from lectures_homework.hw1 import check, data, ...` work: no check runs here.

    So does the name of earlier versions, `lectures_lib.homework`.
    """
    module = types.ModuleType(f"{NAMES[0]}.{homework}")
    vars(module).update(dict.fromkeys(("check", "quiz", "finish"), lambda *_: None))
    vars(module)["data"] = lambda *_: values.decode(text)
    for name in ("lectures_lib", *NAMES):
        package = sys.modules[name] = types.ModuleType(name)
        package.__path__ = []
    vars(sys.modules["lectures_lib"])["homework"] = sys.modules[NAMES[1]]
    for name in NAMES:
        setattr(sys.modules[name], homework, module)
        sys.modules[f"{name}.{homework}"] = module


# --- the statements of the notebook --------------------------------------------------------------


def alarm(seconds: float) -> None:
    """Raise Late after so much processor time, or three times as long by the clock; 0: never."""
    for signal_, timer, factor in CLOCKS:
        signal.signal(signal_, ring)
        signal.setitimer(timer, factor * seconds, 0.2)


def ring(*_: object) -> None:
    """Answer the alarm."""
    raise Late


def run_cells(settings: dict, names: dict, parent: Lines) -> None:
    """Run every statement that is not to be skipped; say which one it is at, and what failed."""
    number, hush, limits = 0, statements.Hush(), settings["limits"]
    end = now() + limits["load"]
    for cell, text in enumerate(settings["cells"], start=1):
        number += 1  # reading a cell counts as a statement: it may break the interpreter
        for statement in read_cell([number, cell, 1], text, settings, parent):
            number += 1
            where = [number, cell, statement.lineno]
            late = is_late(statement, end, limits["statement"])
            if late or number in settings["skip"]:
                parent.say(skipped=where, late=late)
            elif statements.is_stub(statement, names, settings["quizzes"]):
                parent.say(stub=where)
            else:
                parent.say(at=where)
                seconds = limits["statement"] * (0.1 if now() > end else 1)
                run_one(statement, names, where, seconds, parent, hush)


def is_late(statement: ast.stmt, end: float, more: float) -> bool:
    """True if the time is up for a statement: it never is for definitions, later for variables."""
    end += more if isinstance(statement, statements.ASSIGNMENTS) else 0
    return now() > end and not isinstance(statement, statements.DEFINITIONS)


def read_cell(where: list, text: str, settings: dict, parent: Lines) -> list:
    """Return the statements of a cell; say which lines are lost."""
    if where[0] in settings["skip"]:
        return []
    parent.say(at=where)
    found, lost = statements.parsed(text)
    for line, words in lost:
        parent.say(lost=[where[1], line], text=words[:300])
    return found


def run_one(
    statement: ast.stmt,
    names: dict,
    where: list,
    seconds: float,
    parent: Lines,
    hush: Callable,
) -> None:
    """Run one statement; what goes wrong is told and the next one follows."""
    me = getpid()
    try:
        alarm(seconds)
        statements.run(statements.compiled(statement, where[1]), names)
    except BaseException as error:
        alarm(0)
        if me == getpid() and not hush(error, statement):
            kind, text = fault(error)
            parent.say(failed=where, kind=kind, text=text)
    finally:
        alarm(0)
        if me != getpid():  # a copy that student code made
            leave(0)


def fault(error: BaseException) -> tuple[str, str]:
    """Return the class and the message of an error, neither longer than can be read."""
    try:
        text = str(error)[:300]
    except BaseException:
        text = ""
    return type(error).__name__[:60], text


def place(error: BaseException) -> tuple[int, int]:
    """Return the cell and the line of the notebook where an error came from, if that is known."""
    try:
        return statements.place_of(error)
    except BaseException:
        return 0, 0


# --- the calls -----------------------------------------------------------------------------------


class Worker:
    """A copy of the notebook's process that answers the calls of one check, then is gone."""

    def __init__(self, check: int, parent: Lines, names: dict, limits: dict):
        (source, sink), (back, out) = os.pipe(), os.pipe()
        self.base, self.most = memory_of(getpid()), limits["memory"]
        self.check, self.pid = check, fork()
        longest = values.MAX_TEXT + 1000
        if self.pid == 0:
            for other in (sink, back, parent.source, parent.sink):
                os.close(other)
            answer(Lines(source, out, longest), names, limits)
        os.close(source)
        os.close(out)
        self.lines = Lines(back, sink, longest)

    def ask(self, line: bytes, seconds: float) -> bytes:
        """Return the reply as a line; how it ended if there is none."""
        end, reply = now() + seconds, None
        try:
            self.lines.put(line)
            while reply is None and now() < end:
                reply = self.lines.get(min(end, now() + 0.2))
                if reply is None and memory_used(self.base) > self.most:
                    return b"memory"
        except OSError:
            reply = b""
        if reply:
            return reply
        return b"timeout" if reply is None else self.end()

    def end(self) -> bytes:
        """End the process and say what ended it."""
        os.close(self.lines.sink)
        done, status = self._wait(0.05)
        if not done:
            kill(self.pid, signal.SIGKILL)
            self._wait(1.0)
        os.close(self.lines.source)
        self.pid = 0
        tidy()
        late = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGXCPU)
        return b"timeout" if late else b"ended"

    def _wait(self, seconds: float) -> tuple[int, int]:
        patience, pause = now() + seconds, 0.0002
        while True:
            done, status = waitpid(self.pid, os.WNOHANG)
            if done or now() > patience:
                return done, status
            time.sleep(pause)
            pause = min(2 * pause, 0.01)


def memory_of(process: int) -> int:
    """Return how many bytes a process holds; 0 if it is gone."""
    try:
        with open(f"/proc/{process}/statm") as file:
            return int(file.read().split()[1]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return 0


def memory_used(base: int) -> int:
    """Return what all processes in here hold together; what they began with counts once."""
    if getpid() != 1:
        return 0  # without a sandbox, strangers would be counted
    found = [int(name) for name in os.listdir("/proc") if name.isdecimal()]
    return base + sum(max(0, memory_of(process) - base) for process in found)


def tidy() -> None:
    """End what student code left running: as first process this one may, and nothing else is."""
    if getpid() != 1:
        return
    patience = now() + 1.0
    try:
        kill(-1, signal.SIGKILL)
        while now() < patience:
            if waitpid(-1, os.WNOHANG) == (0, 0):
                time.sleep(0.001)
    except (ChildProcessError, ProcessLookupError):
        return  # nobody is left


def answer(lines: Lines, names: dict, limits: dict) -> None:
    """Answer the calls of a check. The clock counts processor time, of all of them, and kills."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, limits["check"])
    most = resource.getrlimit(resource.RLIMIT_CPU)[1]
    resource.setrlimit(resource.RLIMIT_CPU, (min(int(limits["check"]) + 1, most), most))
    me = getpid()
    try:
        while request := lines.get():
            reply = reply_to(loads(request), names)
            if me == getpid():
                lines.put(reply)
    finally:
        leave(0)


def reply_to(request: dict, names: dict) -> bytes:
    """Return the line that answers a request."""
    key, name = dumps(request["id"]), request["name"]
    found = names.get(name)
    try:
        if request["what"] in ("call", "left"):
            if not callable(found):
                return f'{{"id": {key}, "missing": "none"}}'.encode()
            reply = found(*(given := values.unpack(request["arguments"])))
            found = given if request["what"] == "left" else reply
    except NotImplementedError:
        return f'{{"id": {key}, "missing": "unwritten"}}'.encode()
    except BaseException as error:
        return f'{{"id": {key}, "error": {dumps([*fault(error), *place(error)])}}}'.encode()
    return f'{{"id": {key}, {told_value(found)}}}'.encode()


def told_value(value: object) -> str:
    """Return the part of a reply that holds the value, or why there is none."""
    try:
        return f'"value": {values.encode(value)}'
    except ValueError as error:
        return f'"odd": {dumps(str(error)[:300])}'
    except BaseException as error:
        return f'"error": {dumps([*fault(error), 0, 0])}'


def serve(parent: Lines, names: dict, limits: dict) -> None:
    """Pass each request to the worker of its check; a lost worker is replaced."""
    worker, wall = None, limits["wall"]
    while line := parent.get():
        request = loads(line)
        if worker and worker.check != request["check"]:
            worker.end()
            worker = None
        worker = worker or Worker(request["check"], parent, names, limits)
        reply = worker.ask(line, min(wall, request["seconds"]))
        if not reply.startswith(b"{"):
            if worker.pid:
                worker.end()
            worker, reply = None, dumps({"id": request["id"], "ended": reply.decode()}).encode()
        parent.put(reply)


def main() -> None:
    """Read the settings, run the notebook, answer calls."""
    parent = Lines(*silence(), 100_000_000)
    settings = loads(parent.get() or b"")
    if settings["user"] is not None:
        become(settings["user"])
    limit(settings["limits"])
    sys.path += settings["paths"]
    sys.path.append(os.path.dirname(__file__))
    global statements, values
    import statements
    import values

    del sys.path[-1], sys.argv[:]
    sys.dont_write_bytecode = True
    pretend(settings["homework"], settings["data"])
    notebook = types.ModuleType("__main__")
    vars(notebook)["display"] = lambda *_, **__: None
    sys.modules["__main__"] = notebook
    names = notebook.__dict__
    parent.say(hello=getpid())
    os.dup2(1, 2)
    run_cells(settings, names, parent)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    sys.setrecursionlimit(max(1000, sys.getrecursionlimit()))
    tidy()
    parent.say(ready=True)
    serve(parent, names, settings["limits"])


if __name__ == "__main__":
    main()
