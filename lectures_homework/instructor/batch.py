"""Grade a folder: in parallel, resumable, one result file for each student.

A result is kept under a name made of everything that decides it: the file handed in, the homework,
the grader's own code, the secret, the seed. So a run that was stopped goes on where it was, and a
changed submission or check is graded again.
"""

import hashlib
import json
import os
import re
import threading
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from tqdm import tqdm

import lectures_lib

from ..language.answers import Answers
from ..language.checks import Assignment
from ..sandbox import bubblewrap
from ..sandbox.process import sweep
from ..sandbox.session import NOT_STARTED
from . import masters
from .grade import Limits, Report, grade
from .late import Due
from .submissions import Submission, find

#: How the names of files end that are not the student's own.
DIGEST = re.compile(r"-[0-9a-f]{8}$")

#: The note on a submission whose grading was killed twice.
KILLED = "Its grading was killed, perhaps for want of memory: look at this one yourself."


@dataclass(frozen=True)
class Job:
    """All that a worker needs to grade one submission, here or on another machine."""

    homework: str
    student: str
    content: bytes
    notes: tuple[str, ...]
    home: str  #: the folder of the masters
    secret: str = ""
    seed: int | None = None  #: None: the one written in the notebook
    trust: bool = False  #: run without a sandbox
    only: str = ""  #: one question, where the others are not of interest
    limits: Limits = field(default_factory=Limits)

    @property
    def key(self) -> str:
        """What decides the grade, in one word."""
        seen = hashlib.sha256(self.content)
        for part in (self.homework, self.secret, self.seed, self.notes, self.limits, self.only):
            seen.update(repr(part).encode())
        seen.update(fingerprint(self.homework, self.home))
        return seen.hexdigest()[:32]


@dataclass(frozen=True)
class GradedSubmission:
    """One student's report."""

    submission: Submission
    report: Report


@cache
def fingerprint(homework: str, folder: str) -> bytes:
    """Return a digest of the code of grader and library and of the homework's files."""
    master = masters.find(homework, Path(folder))
    grader, library = Path(__file__).parents[1], Path(lectures_lib.__file__).parent
    files = [*sorted(grader.rglob("*.py")), *sorted(library.rglob("*.py"))]
    files += [master.notebook, master.hidden, master.answers]
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).digest()


def grade_folder(
    homework: str,
    folder: Path,
    out: Path,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    progress: bool = True,
    seeds: dict[str, int] | None = None,
    due: Due | None = None,
    **options: Any,
) -> list[GradedSubmission]:
    """Grade every submission in a folder and return the results in the order of the names.

    `options` are those of `Job`: home, secret, trust, limits. Results are kept in out/results.
    """
    options = {"home": str(masters.FOLDER), **options}
    if not options.get("trust"):
        bubblewrap.require()
    sweep()
    found = find(folder, homework, due)
    jobs = [
        Job(homework, s.student, s.read(), s.notes, seed=(seeds or {}).get(s.student), **options)
        for s in found
    ]
    store = Store(out / "results")
    missing = [job for job in jobs if job not in store]
    bar = tqdm(total=len(jobs), initial=len(jobs) - len(missing), unit="file", disable=not progress)
    with bar:
        for job, report in run(missing, workers, scheduler):
            store.keep(job, report)
            bar.update()
    return [GradedSubmission(s, store.kept(job)) for s, job in zip(found, jobs)]


def run(
    jobs: Iterable[Job], workers: int | None = None, scheduler: str | None = None
) -> Iterator[tuple[Job, Report]]:
    """Yield each job with its report as it is done: on this machine, or on a Dask cluster."""
    jobs = list(jobs)
    if scheduler:
        yield from _on_cluster(jobs, scheduler)
    elif workers == 1 or len(jobs) < 2:
        yield from ((job, work(job)) for job in jobs)
    else:
        yield from _on_this_machine(jobs, min(workers or os.cpu_count() or 1, len(jobs)))


def work(job: Job) -> Report:
    """Grade one submission. Whatever happens, there is a report, and no points by accident."""
    homework, answers = loaded(job.homework, job.home, job.only)
    report = grade(
        homework,
        job.content,
        answers=answers,
        secret=job.secret,
        seed=job.seed,
        limits=job.limits,
        trust=job.trust,
        solutions=masters.solutions(job.homework, Path(job.home)),
    )
    digest = "d" + hashlib.sha256(job.content).hexdigest()[:12]
    return replace(report, notes=(*job.notes, *report.notes), digest=digest)


@cache
def loaded(name: str, folder: str, only: str = "") -> tuple[Assignment, Answers]:
    """Return a homework, or one question of it, with its planted answers; read once."""
    homework = masters.load(name, Path(folder))
    if only:
        checks = [check for check in homework.checks if check.question == only]
        homework = replace(homework, checks=checks, quizzes={}, by_hand={})
    return homework, masters.load_answers(name, Path(folder))


def _on_this_machine(jobs: list[Job], workers: int) -> Iterator[tuple[Job, Report]]:
    done = set()
    try:
        for job, report in _pooled(jobs, workers):
            done.add(job)
            yield job, report
    except BrokenProcessPool:  # the system killed a worker: find out by whom, one at a time
        yield from ((job, _alone(job)) for job in jobs if job not in done)


def _pooled(jobs: list[Job], workers: int) -> Iterator[tuple[Job, Report]]:
    here: dict[str, Any] = {"initializer": _never_alone, "initargs": (os.getpid(),)}
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn"), **here) as pool:
        waiting = {pool.submit(work, job): job for job in jobs}
        try:
            for done in as_completed(waiting):
                yield waiting[done], done.result()
        finally:  # stopped half way: what has not begun does not begin
            pool.shutdown(cancel_futures=True)


def _never_alone(parent: int) -> None:
    """Let this worker end when the grader is gone, killed by whatever."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.5)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _alone(job: Job) -> Report:
    """Grade one submission in a process of its own; if that is killed too, it earns nothing."""
    try:
        return next(report for _, report in _pooled([job], 1))
    except BrokenProcessPool:
        return replace(work(replace(job, content=b"")), notes=(*job.notes, KILLED))


def _on_cluster(jobs: list[Job], scheduler: str) -> Iterator[tuple[Job, Report]]:
    try:
        import distributed
    except ImportError:
        raise RuntimeError("For a cluster install Dask: pip install distributed") from None
    with distributed.Client(scheduler) as client:
        waiting = {client.submit(work, job, pure=False): job for job in jobs}
        for done in distributed.as_completed(waiting):
            yield waiting[done], done.result()


class Store:
    """The results that are there already: one JSON file each, written whole or not at all."""

    def __init__(self, folder: Path):
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder

    def __contains__(self, job: Job) -> bool:
        kept = self.report(job)
        return kept is not None and NOT_STARTED not in kept.notes

    def kept(self, job: Job) -> Report:
        """Return what was kept for a job that has been done."""
        report = self.report(job)
        if report is None:
            raise RuntimeError(f"{self._path(job)} has vanished: grade once more.")
        return report

    def report(self, job: Job) -> Report | None:
        """Return what was kept for exactly this job."""
        try:
            kept = json.loads(self._path(job).read_text(encoding="utf-8"))
            return Report.from_dict(kept["report"]) if kept["key"] == job.key else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def keep(self, job: Job, report: Report) -> None:
        """Write a result in one step."""
        path = self._path(job)
        text = json.dumps({"key": job.key, "student": job.student, "report": asdict(report)})
        half = path.with_suffix(f".{os.getpid()}.part")
        half.write_text(text, encoding="utf-8")
        os.replace(half, path)

    def _path(self, job: Job) -> Path:
        return self.folder / f"{safe_name(job.student)}.json"


def safe_name(student: str) -> str:
    """Return a file name for a student: readable, and different for different students."""
    plain = "".join(c if (c.isascii() and c.isalnum()) or c in "-_" else "_" for c in student)
    if plain.lower() == student and 0 < len(plain) <= 60 and not DIGEST.search(plain):
        return plain
    digest = hashlib.sha256(student.encode("utf-8", "backslashreplace")).hexdigest()
    return f"{plain[:60]}-{digest[:8]}"
