"""Submissions that attack the grader: each gets what it deserves, and an honest one beside it too.

In every case the honest neighbour gets full marks, nothing outside the sandbox changes, and no
hidden input or expected value is in the feedback.
"""

import ast
import json
import socket
import sys
import unicodedata
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

import pytest

from lectures_homework.instructor.grade import Report, grade
from lectures_homework.sandbox.bubblewrap import CHILD, Limits

from .conftest import (
    DOUBLE,
    FULL,
    HONEST,
    IMPORTS,
    QUICK,
    REST,
    SECRET,
    Toy,
    book,
    instead,
    toy,
)

WRONG = "def double(x):\n    return x\n"


@dataclass(frozen=True)
class Attack:
    """Cells of a hostile notebook and what it deserves."""

    cells: tuple[str, ...]
    points: int
    status: str = ""  #: of the checks of q1
    note: str = ""  #: a part of one of the notes
    at_most: bool = False  #: it may break its own other answers

    def deserves(self, report: Report) -> bool:
        """True if this is the right report."""
        found = {v.status for v in report.verdicts if v.question == "q1"}
        fair = report.points <= self.points if self.at_most else report.points == self.points
        fair &= not self.status or found == {self.status}
        return fair and self.note in " ".join(report.notes)


def top(statement: str, points: int = FULL, **more: object) -> Attack:
    """An attack at the top level of an otherwise honest notebook."""
    return Attack((IMPORTS, statement, *HONEST[1:]), points, **more)


def inside(body: str, status: str, points: int = REST, **more: object) -> Attack:
    """An attack within the function of q1."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    cell = f"import ctypes, gc, inspect, itertools, os, signal, sys, time\ndef double(x):\n{lines}"
    return Attack(instead(DOUBLE, cell), points, status, **more)


def patched(statement: str, points: int = REST, **more: object) -> Attack:
    """A wrong answer together with something replaced that might hide it."""
    return Attack((IMPORTS, *instead(DOUBLE, WRONG), statement), points, **more)


SWALLOWS = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
NO_SIGNALS = "for s in set(signal.Signals) - {9, 19}: signal.signal(s, signal.SIG_IGN)\n"
FORGED = """\
import json, os
for fd in range(64):
    try:
        os.write(fd, b'{"id": "0", "value": 3}\\n{"ready": true}\\n' * 50)
    except OSError:
        pass"""
DAEMON = """\
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(900)", "{marker}"])
    os._exit(0)
return 2 * x"""

ENDS_EARLY = {
    "exit at the top": top("import os; os._exit(0)", note="ended the process and was skipped"),
    "exit five times": top("import os\n" + "os._exit(0)\n" * 5, note="was skipped"),
    "exit at every line": top("import os\n" + "os._exit(0)\n" * 50, 0, note="No function can be"),
    "sys.exit at the top": top("import sys; sys.exit(0)", note="stopped with SystemExit: 0"),
    "exit inside": inside("os._exit(0)", "crash"),
    "sys.exit inside": inside("sys.exit(0)", "crash"),
    "segmentation fault": inside("ctypes.string_at(0)", "crash"),
    "segmentation fault at the top": top("import ctypes; ctypes.string_at(0)", note="was skipped"),
    "abort": inside("os.abort()", "crash"),
    "keyboard interrupt": inside("raise KeyboardInterrupt", "crash"),
    "exit at the end of Python": top("import atexit, os; atexit.register(os._exit, 0)"),
}
PATCHES = {
    "patched allclose": patched(
        "np.allclose = np.isclose = np.array_equal = lambda *a, **k: True\n"
        "np.testing.assert_allclose = lambda *a, **k: None"
    ),
    "patched builtins": patched(
        "import builtins\nbuiltins.all = builtins.any = builtins.abs = lambda *a: True",
        at_most=True,
    ),
    "patched isinstance": patched(
        "import builtins\nbuiltins.isinstance = lambda *a: True", at_most=True
    ),
    "patched json": patched(
        "import json\njson.dumps = json.loads = lambda *a, **k: '{}'\n"
        "json.encoder.encode_basestring_ascii = lambda s: '3'",
        at_most=True,
    ),
    "patched os": patched(
        "import os\nos.write = lambda fd, text: len(text)\nos.fork = lambda: 0\n"
        "os._exit = lambda code: None",
        at_most=True,
    ),
    "patched modules": patched(
        "import sys\nvalues = sys.modules['values']\n"
        "values.encode = lambda v: '[3.0, -4.5, 1.5]'\nsys.modules['numpy'] = None",
        points=1 + REST,  # the visible check could as well be answered by heart
        at_most=True,
    ),
    "patched child": patched(
        "import gc, types\nfor f in gc.get_objects():\n"
        "    if isinstance(f, types.FunctionType) and f.__name__ in ('reply_to', 'serve'):\n"
        "        f.__code__ = (lambda *a: b'{\"value\": true}').__code__",
        at_most=True,
    ),
    "no builtins": patched(
        "__builtins__ = {}\nimport builtins\nbuiltins.__import__ = None", at_most=True
    ),
    "answers by heart": Attack(
        instead(DOUBLE, "def double(x):\n    return [3.0, -4.5, 1.5]"), 1 + REST
    ),
}
ENDLESS = {
    "endless loop": inside("while True: pass", "timeout"),
    "endless loop that swallows": inside(SWALLOWS, "timeout"),
    "endless loop in C": inside("return 1 in itertools.repeat(0)", "timeout"),
    "endless loop deaf to signals": inside(f"{NO_SIGNALS}while True: pass", "timeout"),
    "endless loop at the top": top("while True: pass", note="did not end"),
    "endless loop at the top that swallows": top(SWALLOWS, note="did not end"),
    "endless loop in C at the top": top(
        "import itertools, signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\n"
        "1 in itertools.repeat(0)",
        note="did not end and was skipped",
    ),
    "sleeps": inside("time.sleep(1000)", "timeout"),
    "endless message": inside(
        "class E(Exception):\n    def __str__(self):\n        while True: pass\nraise E", "timeout"
    ),
    "endless memory": inside("x = []\nwhile True: x.append(bytearray(1 << 24))", "timeout"),
    "endless memory at the top": top(
        "def eat():\n    x = []\n    while True: x.append(bytearray(1 << 24))\neat()",
        note="Line 4 of code cell 2",
    ),
    "endless output": inside(
        "while True:\n    print('x' * 10**6)\n    os.write(2, b'y' * 10**6)", "timeout"
    ),
    "endless recursion": inside("return double(x)", "crash"),
    "endless recursion without a limit": inside(
        "sys.setrecursionlimit(10**9)\nreturn double(x)", ""
    ),
    "short recursion limit": top("import sys; sys.setrecursionlimit(40)", at_most=True),
    "input": inside("return input('grade? ')", "crash"),
    "input at the top": top("name = input()", note="EOFError"),
    "stopped": inside("os.kill(os.getpid(), signal.SIGSTOP)", "timeout"),
}
PROCESSES = {
    "fork bomb": inside("while True:\n    try: os.fork()\n    except OSError: pass", "timeout"),
    "fork bomb at the top": top(
        "import os\nwhile True:\n    try: os.fork()\n    except OSError: pass", at_most=True
    ),
    "copies itself at the top": top("import os; os.fork()"),
    "copies itself": inside("os.fork()\nreturn 2 * x", "pass", FULL),
    "threads": inside(
        "import threading\nfor _ in range(200):\n"
        "    threading.Thread(target=time.sleep, args=(900,), daemon=True).start()",
        "crash",
    ),
    "kills its parent": inside("os.kill(os.getppid(), 9)\nreturn 2 * x", "pass", FULL),
    "kills the first process": inside("os.kill(1, 9)\nreturn 2 * x", "pass", FULL),
    "kills everything": inside("os.kill(-1, 9)\nreturn 2 * x", "", FULL, at_most=True),
    "kills at the top": top(
        "import os\nos.kill(-1, 9)\nos.kill(1, 9)\nos.kill(os.getppid(), 9)", at_most=True
    ),
}
PIPES = {
    "writes to every pipe": inside(f"{FORGED}\nreturn x", "", REST, at_most=True),
    "writes to every pipe at the top": top(FORGED, REST + 3, at_most=True),
    "writes forever to every pipe": top(
        "import threading\ndef forge():\n    while True:\n"
        + "\n".join(f"        {line}" for line in FORGED.splitlines())
        + "\nthreading.Thread(target=forge, daemon=True).start()",
        at_most=True,
    ),
    "closes everything": top("import os; os.closerange(0, 4096)", note="was skipped"),
    "closes everything inside": inside("os.closerange(0, 4096)\nreturn 2 * x", "crash"),
    "no streams": top("import sys\nsys.stdin = sys.stdout = sys.stderr = None\nprint('x')"),
}
VALUES = {
    "giant list": inside("return list(range(300_000))", "fail"),
    "giant array": inside("return np.zeros(5_000_000)", "fail"),
    "giant text": inside("return 'x' * 50_000_000", "fail"),
    "giant number": inside("return 10 ** 5000", "fail"),
    "deep list": inside("for _ in range(100_000): x = [x]\nreturn x", "fail"),
    "list in itself": inside("x = []\nx.append(x)\nreturn x", "fail"),
    "equal to all": inside(
        "class Any:\n    __eq__ = __le__ = __ge__ = lambda *a: True\n"
        "    __array__ = lambda *a, **k: 2 * x\nreturn Any()",
        "fail",
    ),
    "subclass of float": inside("class F(float): pass\nreturn [F(v) for v in 2 * x]", "fail"),
    "subclass of array": inside(
        "class A(np.ndarray):\n    __eq__ = lambda *a: True\nreturn (2 * x).view(A)", "fail"
    ),
    "nan": inside("return x * np.nan", "fail"),
    "infinite": inside("return [float('inf')] * 3", "fail"),
    "true": inside("return True", "fail"),
    "complex, but real": inside("return 2 * x + 0j", "pass", FULL),
    "complex": inside("return 2 * x + 1e-3j", "fail"),
    "objects": inside("return np.array([3.0, -4.5, 1.5], dtype=object)", "fail"),
    "generator": inside("return (2 * v for v in x)", "pass", FULL),
    "function": inside("return lambda: x", "fail"),
    "wrong shape": inside("return (2 * x)[:, None]", "fail"),
    "half a character": inside("return chr(0xD800)", "fail"),
    "mutates its arguments": inside("x *= 2\nreturn x", "pass", FULL),
}
FORM = {
    "very long line": top(f"text = '{'x' * 500_000}'"),
    "deep source": top("x = " + "(" * 5000 + ")" * 5000, note="cannot be read by Python"),
    "deeper source": top("x = " + "-" * 100_000 + "1", at_most=True),
    "zero byte": top("x = '\0'", note="cannot be read by Python"),
}


@pytest.fixture
def canary(tmp_path):
    """A folder, and what makes a digest of it."""
    for name in ("grades.csv", "hw9/hidden.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("secret = 8675309\n")

    def digest():
        every = sorted(path for path in tmp_path.rglob("*"))
        facts = [(str(p), p.stat().st_mtime_ns, p.is_file() and p.read_bytes()) for p in every]
        return sha256(repr(facts).encode()).hexdigest()

    return tmp_path, digest


def batch(texts: Sequence[str | bytes]) -> list[Report]:
    """Grade submissions two at a time among honest ones; return their reports."""
    jobs = [(toy(), text) for text in texts]
    neighbours = [(toy(), book(*HONEST)) for _ in range(1 + len(texts) // 8)]
    with ThreadPoolExecutor(2) as pool:
        reports = list(pool.map(_graded, jobs[::2] + neighbours + jobs[1::2]))
    half = (len(jobs) + 1) // 2
    for report in reports[half : half + len(neighbours)]:
        assert (report.points, report.notes) == (FULL, ())
    found = dict(zip([*range(0, len(jobs), 2)], reports[:half]))
    found |= dict(zip([*range(1, len(jobs), 2)], reports[half + len(neighbours) :]))
    return [found[number] for number in range(len(jobs))]


def _graded(job: tuple[Toy, str | bytes]) -> Report:
    """Grade one submission, and look for what must be in no report."""
    twice, text = job
    limits = Limits() if text == book(*HONEST) else QUICK
    report = grade(twice.homework, text, limits=limits, secret=SECRET, answers=twice.answers)
    assert len(report.verdicts) == len(twice.homework.checks) + 1
    shown = json.dumps(asdict(report), ensure_ascii=False)
    assert not twice.leaks(shown)
    assert not [c for c in shown if unicodedata.category(c)[0] == "C"]
    return report


@pytest.mark.parametrize(
    "attacks",
    [ENDS_EARLY, PATCHES, ENDLESS, PROCESSES, PIPES, VALUES, FORM],
    ids=["ends early", "patches", "endless", "processes", "pipes", "values", "form"],
)
def test_it_gets_what_it_deserves(box, attacks):
    reports = batch([book(*attack.cells) for attack in attacks.values()])
    wrong = [
        f"{name}: {report.points}, {[v.status for v in report.verdicts]}, {report.notes}"
        for (name, attack), report in zip(attacks.items(), reports)
        if not attack.deserves(report)
    ]
    assert wrong == []


def beside_an_honest_one(text: str | bytes) -> Report:
    """Grade a submission beside an honest one."""
    return batch([text])[0]


# --- what it can see -----------------------------------------------------------------------------

SPY = """\
import ctypes, gc, glob, os, socket, subprocess, sys
libc = ctypes.CDLL(None, use_errno=True)
def tried(action):
    try:
        return eval(action)
    except BaseException as error:
        return type(error).__name__
def double(x):
    return [tried(action) for action in {actions}]"""


def seen(*actions: str) -> list:
    """Return what expressions in a function of a submission give, as its feedback shows it."""
    report = beside_an_honest_one(book(*instead(DOUBLE, SPY.format(actions=actions))))
    assert report.points == REST
    return ast.literal_eval(report.verdicts[0].got)


def test_it_finds_no_files_but_python(box, canary):
    folder, digest = canary
    before, repository = digest(), Path(__file__).resolve().parents[2]
    wanted = [folder / "grades.csv", repository / "notebooks", Path.home() / ".profile"]
    wanted += ["/etc/passwd", "/etc/shadow", "/etc/hostname", "/home", "/var", "/run", "/sys"]
    python = [*Path(sys.prefix).parents, *Path(sys.base_prefix).parents]  # below /home it shows
    names = [str(path) for path in wanted if Path(path) not in python]
    there, ours, child = seen(
        f"[path for path in {names} if os.path.exists(path)]",
        f"glob.glob('{repository}/*')",
        "sorted(os.listdir('/grader'))",
    )
    assert there == ours == [] and child == sorted(CHILD)
    assert digest() == before


def test_it_sees_no_environment_and_no_other_process(box, monkeypatch):
    monkeypatch.setenv("COURSE_SECRET", "8675309")
    environments = "b''.join(open(p, 'rb').read() for p in glob.glob('/proc/[0-9]*/environ'))"
    inside, others, count = seen(
        "'COURSE_SECRET' in os.environ",
        f"b'8675309' in {environments}",
        "len(glob.glob('/proc/[0-9]*'))",
    )
    assert inside is False and others in (False, "PermissionError") and count <= 2


def test_system_calls_that_no_homework_needs_are_refused(box):
    calls = [
        "libc.ptrace(16, os.getppid(), 0, 0)",
        "libc.unshare(0x10000000)",
        "libc.mount(b'none', b'/tmp', b'tmpfs', 0, None)",
        "libc.shmget(0, 1 << 20, 0o1777)",
        "libc.memfd_create(b'x', 0)",
        "libc.chroot(b'/tmp')",
        "libc.socket(2, 1, 0)",
        "libc.process_vm_readv(os.getppid(), 0, 0, 0, 0, 0)",
    ]
    assert seen(*calls) == [-1] * len(calls)


def test_what_is_not_its_own_raises_an_error(box):
    actions = [
        "os.setuid(0)",
        "os.chmod('/grader/child.py', 0o777)",
        "open('/grader/child.py', 'a')",
        "open('/new', 'w')",
        "open('/dev/shm/new', 'w')",
        "open(os.__file__, 'a')",
        "open(os.path.dirname(np.__file__) + '/../new.py', 'w')",
        "open('/proc/1/mem', 'r+b').read(1)",
        "open('/proc/sys/kernel/hostname', 'w').write('x')",
        "__import__('sklearn')",
        "__import__('lectures_lib.perceptron')",
        "subprocess.run(['/bin/sh', '-c', 'true'])",
        "socket.create_connection(('127.0.0.1', 80), 1)",
    ]
    for action, got in zip(actions, seen(*actions)):
        assert isinstance(got, str) and got.endswith("Error"), action


def test_frames_and_garbage_hold_no_expected_value(box):
    frames = "str([sys._getframe(k).f_locals for k in range(5)])"
    modules, found, *told = seen(
        "sorted(m for m in sys.modules if m.startswith('lectures_'))",
        "[type(o).__name__ for o in gc.get_objects() if type(o).__name__ in ('Check', 'Verdict')]",
        f"{frames}.count('inst' 'ructor')",  # in two parts: the text itself is in a frame
        f"{frames}.count('any' ' length')",
        f"{frames}.count('-4' '.5')",
    )
    packages = ["lectures_lib", "lectures_lib.homework", "lectures_homework"]
    assert sorted(modules) == sorted([*packages, *(f"{name}.hw9" for name in packages[1:])])
    assert found == [] and told == [0, 0, 0]


def test_it_reaches_no_network(box):
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        port = server.getsockname()[1]
        attack = f"import socket\nsocket.create_connection(('127.0.0.1', {port}), 1).send(b'x')"
        report = beside_an_honest_one(book(IMPORTS, attack, *HONEST[1:]))
        with pytest.raises(TimeoutError):
            server.accept()
    assert report.points == FULL and "Error" in report.notes[0]
