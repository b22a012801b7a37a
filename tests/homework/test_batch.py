"""A folder of submissions: one bad one changes nothing for the others, and nothing is lost."""

import contextlib
import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import pytest

from lectures_homework import __main__ as command_line
from lectures_homework.instructor import batch, masters, selftest
from lectures_homework.instructor.grade import Report
from lectures_homework.sandbox import bubblewrap
from lectures_homework.sandbox.bubblewrap import SandboxError
from lectures_homework.sandbox.session import NOT_STARTED
from tests.homework.killer import kills_the_worker
from tools.environment import PATIENCE, ROOT

pytestmark = pytest.mark.usefixtures("box")
HW = "hw6"  #: the one whose checks are ready soonest: every worker prepares them for itself
FULL = masters.load(HW).automatic


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A class: two honest, one wrong, one hostile, one stub, one damaged, one empty."""
    place = tmp_path_factory.mktemp("class")
    master = masters.find(HW).read()
    for name in ("alice", "zoe"):
        nbformat.write(master, place / f"{name}.ipynb")
    wrong = next(masters.load_answers(HW).wrong_for("q1"))
    nbformat.write(selftest.planted_in(master, wrong), place / "bob.ipynb")
    hostile = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("import os; os._exit(0)")])
    nbformat.write(hostile, place / "eve.ipynb")
    nbformat.write(masters.student(master), place / "kim.ipynb")
    (place / "max.ipynb").write_text(nbformat.writes(master)[:3000])
    (place / "noa").mkdir()
    return place


def points(results):
    return {result.submission.student: result.report.points for result in results}


@pytest.fixture(scope="module")
def expected(folder, tmp_path_factory):
    """The grades of one run without interruption, one after the other."""
    out = tmp_path_factory.mktemp("alone")
    return points(batch.grade_folder(HW, folder, out, workers=1, progress=False))


def test_each_gets_what_it_deserves(expected):
    assert expected["alice"] == expected["zoe"] == FULL
    assert 0 < expected["bob"] < FULL
    assert [expected[name] for name in ("eve", "kim", "noa")] == [0, 0, 0]
    assert expected["max"] < FULL
    assert len(expected) == 7


def test_two_workers_give_the_same_grades(folder, expected, tmp_path):
    assert points(batch.grade_folder(HW, folder, tmp_path, workers=2, progress=False)) == expected


def test_a_dask_cluster_gives_the_same_grades(folder, expected, tmp_path):
    import distributed

    options = {"n_workers": 1, "threads_per_worker": 1, "processes": True}
    with distributed.LocalCluster(
        **options, dashboard_address="127.0.0.1:0", host="127.0.0.1"
    ) as cluster:
        address = cluster.scheduler_address
        results = batch.grade_folder(HW, folder, tmp_path, scheduler=address, progress=False)
    assert points(results) == expected


def test_a_run_killed_half_way_resumes_with_the_same_grades(folder, expected, tmp_path):
    program = [sys.executable, "-m", "lectures_homework", "grade", HW, str(folder)]
    program += ["--out", str(tmp_path), "--workers", "1"]
    results = tmp_path / "results"
    run = subprocess.Popen(program, cwd=ROOT, stderr=subprocess.DEVNULL, start_new_session=True)
    while len(list(results.glob("*.json"))) < 2 and run.poll() is None:
        time.sleep(0.05)
    os.killpg(run.pid, signal.SIGKILL)
    run.wait()
    kept = {path: path.stat().st_mtime_ns for path in results.glob("*.json")}
    assert 2 <= len(kept) < len(expected)
    subprocess.run(program, cwd=ROOT, stderr=subprocess.DEVNULL, check=True, stdout=subprocess.PIPE)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    with (tmp_path / "grades.csv").open(encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    assert {row[0]: int(row[-1]) for row in rows} == expected


def alive(parent):
    """Return the processes that a process has started, and those that they have."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            pid, _, rest = status.read_text().partition(" ")
            if int(rest.rpartition(")")[2].split()[1]) == parent:
                found += [int(pid), *alive(int(pid))]
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
def test_no_worker_survives_a_grader_that_is_killed(folder, tmp_path):
    program = [sys.executable, "-m", "lectures_homework", "grade", HW, str(folder)]
    program += ["--out", str(tmp_path), "--workers", "2"]
    run = subprocess.Popen(program, cwd=ROOT, stderr=subprocess.DEVNULL)
    while not list((tmp_path / "results").glob("*.json")) and run.poll() is None:
        time.sleep(0.05)
    started = alive(run.pid)
    assert len(started) >= 2
    run.kill()
    run.wait()
    deadline = time.monotonic() + PATIENCE
    while any(Path(f"/proc/{pid}").exists() for pid in started) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert [pid for pid in started if Path(f"/proc/{pid}").exists()] == []


def test_only_what_changed_is_graded_again(folder, tmp_path, monkeypatch):
    place = tmp_path / "class"
    place.mkdir()
    for name in ("alice", "eve"):
        shutil.copy(folder / f"{name}.ipynb", place)
    seen = []
    work = batch.work
    monkeypatch.setattr(batch, "work", lambda job: seen.append(job.student) or work(job))

    def again(**options):
        seen.clear()
        batch.grade_folder(HW, place, tmp_path / "out", workers=1, progress=False, **options)
        return list(seen)

    assert again() == ["alice", "eve"]
    assert again() == []
    assert again(secret="other inputs") == ["alice", "eve"]
    shutil.copy(folder / "kim.ipynb", place / "eve.ipynb")
    assert again(secret="other inputs") == ["eve"]
    (tmp_path / "out" / "results" / "alice.json").write_text('{"key": "half a fi')
    assert again(secret="other inputs") == ["alice"]


def test_a_secret_changes_no_honest_grade(folder, tmp_path):
    place = tmp_path / "class"
    place.mkdir()
    shutil.copy(folder / "alice.ipynb", place)
    for secret in ("one", "two"):
        found = batch.grade_folder(HW, place, tmp_path / secret, secret=secret, progress=False)
        assert points(found) == {"alice": FULL}


def test_without_a_sandbox_it_refuses_and_says_what_to_do(folder, tmp_path, monkeypatch, capsys):
    def none():
        raise SandboxError("no bubblewrap here")

    monkeypatch.setattr(bubblewrap, "require", none)
    code = command_line.main(["grade", HW, str(folder), "--out", str(tmp_path / "out")])
    assert code == 2
    assert "no bubblewrap here" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_results_are_written_whole_or_not_at_all(tmp_path, monkeypatch):
    store = batch.Store(tmp_path)
    job = batch.Job(HW, "alice", b"", (), str(masters.FOLDER))
    report = batch.Report(HW, ())
    store.keep(job, report)
    monkeypatch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    other = batch.Job(HW, "alice", b"changed", (), str(masters.FOLDER))
    with pytest.raises(OSError, match="disk full"):
        store.keep(other, report)
    assert json.loads((tmp_path / "alice.json").read_text())["key"] == job.key
    assert job in store
    assert other not in store


@pytest.mark.parametrize("student", ["../../etc/passwd", "a/b", "Zoë", "ALICE", "x" * 300, "", "."])
def test_no_name_of_a_student_leaves_the_folder(student):
    name = batch.safe_name(student)
    assert Path(name).name == name
    assert name.isascii()
    assert 0 < len(name) < 80
    assert name not in {batch.safe_name("alice"), ".", ".."}


def test_no_name_can_be_made_to_hit_the_file_of_another():
    name = batch.safe_name("É")
    assert batch.safe_name(name) != name


def test_what_failed_because_of_the_machine_is_graded_again(tmp_path):
    store, job = batch.Store(tmp_path), batch.Job(HW, "alice", b"", (), str(masters.FOLDER))
    store.keep(job, Report(HW, ()))
    assert job in store
    store.keep(job, Report(HW, (), (NOT_STARTED,)))
    assert job not in store


def test_a_killed_worker_costs_only_the_submission_that_killed_it(monkeypatch):
    monkeypatch.setattr(batch, "work", kills_the_worker)
    contents = [b"", b"killer", b"", b""]
    jobs = [batch.Job(HW, str(i), c, (), str(masters.FOLDER)) for i, c in enumerate(contents)]
    notes = {job.student: report.notes for job, report in batch.run(jobs, workers=2)}
    assert notes == {"0": ("0",), "1": (batch.KILLED,), "2": ("2",), "3": ("3",)}


@pytest.mark.parametrize(
    "changed", ["lectures_lib/conventions.py", "language/checks.py", "hw1.py", "hidden.py"]
)
def test_a_changed_line_of_library_grader_or_homework_makes_kept_grades_old(monkeypatch, changed):
    read = Path.read_bytes
    fingerprint = batch.fingerprint.__wrapped__
    before = fingerprint("hw1", str(masters.FOLDER))

    def with_a_change(path):
        return read(path) + b"#" * path.as_posix().endswith(changed)

    monkeypatch.setattr(Path, "read_bytes", with_a_change)
    assert fingerprint("hw1", str(masters.FOLDER)) != before
