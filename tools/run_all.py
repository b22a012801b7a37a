"""Run every check of the project one after the other and end with a summary.

Usage: ``python -m tools.run_all [stage ...]``; a stage is named by how its name in the summary
begins: style, library, notebooks. Exits with 1 if any stage failed, with 130 on Ctrl-C. Nothing
is set that hides a difference between processors (``tools.environment`` fixes threads and hashes
alone). What repeats library and notebooks in another way, uncompiled and as on other processors,
is the work of ``tools.machines``.
"""

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from tools import machines
from tools.environment import ROOT, fixed_environment

#: What needs a browser has a command of its own, `make test-browser`.
PYTEST = ("-m", "pytest", "-q", "-m", "not browser", "-n", "2", "--dist")
NOTEBOOKS = (*PYTEST, "loadfile", "--nbval", "notebooks")
NOT_GRADING = "--ignore=tests/homework"
#: Uncompiled these would test the same once more: they run no compiled loop, or judge its answers.
ONCE = ("datasets", "features", "kernels", "margins", "metrics")
ONCE += (
    "notebooks",
    "project/test_project.py",
    "project/test_texts.py",
    "proof/test_referee.py",
    "proof/test_planted_liars.py",
    "qp",
    "theorems",
)
NOT_TWICE = tuple(f"--ignore=tests/{name}" for name in ONCE)
#: These calculate nothing: on another processor they would test the same once more.
NO_NUMBERS = (
    "notebooks",
    "project",
    "proof/test_referee.py",
    "proof/test_planted_liars.py",
    "theorems",
)
NOT_THERE = tuple(f"--ignore=tests/{name}" for name in NO_NUMBERS)


@dataclass(frozen=True)
class Stage:
    """One command with the name it has in the summary."""

    name: str
    command: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Outcome:
    """How a stage ended: its exit code, its time and the last line it printed."""

    code: int
    seconds: float
    closing: str


UNCOMPILED = Stage(
    "library, uncompiled",
    (*PYTEST, "worksteal", "tests", NOT_GRADING, *NOT_TWICE),
    {"LECTURES_LIB_JIT": "0"},
)
STAGES = (
    Stage("style", ("-m", "ruff", "check", ".")),
    Stage("format", ("-m", "ruff", "format", "--check", ".")),
    Stage("types", ("-m", "mypy")),
    Stage("library", (*PYTEST, "worksteal", "tests", NOT_GRADING), {"LECTURES_LIB_JIT": "1"}),
    Stage("referee", ("-m", "tools.referee", "--cases", "3000")),
    Stage("grading", (*PYTEST, "worksteal", "tests/homework")),
    Stage("notebooks", NOTEBOOKS),
)


def imitated(machine: machines.Machine) -> tuple[Stage, ...]:
    """Return the stages that calculate, as on another machine."""
    environment = {"LECTURES_LIB_JIT": "1"} | machine.environment
    library = (*PYTEST, "worksteal", "tests", NOT_GRADING, *NOT_THERE)
    return (
        Stage(f"library, {machine.name}", library, environment),
        Stage(f"notebooks, {machine.name}", NOTEBOOKS, environment),
    )


def repeated() -> tuple[Stage, ...]:
    """Return library and notebooks once more: uncompiled, and as on the oldest machine."""
    if machines.why_not():
        return (UNCOMPILED,)
    old = machines.oldest()
    return (uncompiled(old), imitated(old)[-1])


def named(words: Sequence[str], known: Sequence[Stage]) -> tuple[Stage, ...]:
    """Return the stages whose names begin with these words; all of them without a word."""
    strange = [word for word in words if not any(s.name.startswith(word) for s in known)]
    if strange:
        names = ", ".join(f'"{stage.name}"' for stage in known)
        raise SystemExit(f'There is no stage "{strange[0]}". There are {names}.')
    return tuple(s for s in known if not words or any(s.name.startswith(w) for w in words))


def uncompiled(machine: machines.Machine) -> Stage:
    """Return the stage without compiled loops, as on another machine: two questions, one run.

    What compiled loops do there, the notebooks show, and `make test-machines ALL=1` all of it.
    """
    library = (*PYTEST, "worksteal", "tests", NOT_GRADING, *NOT_THERE)
    environment = UNCOMPILED.environment | machine.environment
    return Stage(f"library, uncompiled, {machine.name}", library, environment)


def main(stages: Sequence[Stage]) -> int:
    """Run the stages, print the summary and return the exit code."""
    start = time.perf_counter()
    try:
        outcomes = {stage.name: run(stage) for stage in stages}
    except KeyboardInterrupt:
        print("\nInterrupted: nothing is proved.")
        return 130
    print("\n=== summary ===")
    for name, outcome in outcomes.items():
        print(summary_line(name, outcome))
    good = all(outcome.code == 0 for outcome in outcomes.values())
    verdict = "everything passed" if good else "something FAILED"
    print(f"{verdict} in {time.perf_counter() - start:.0f} s")
    return 0 if good else 1


def run(stage: Stage) -> Outcome:
    """Run one stage, showing what it prints as it comes."""
    print(f"\n=== {stage.name} ===", flush=True)
    start = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, *stage.command],
        cwd=ROOT,
        env=fixed_environment() | stage.environment,
        stdout=subprocess.PIPE,
    ) as process:
        try:
            tail = show(process.stdout)
            code = process.wait()
        except KeyboardInterrupt:  # the terminal has told the stage too
            stop(process)
            raise
    return Outcome(code, time.perf_counter() - start, closing_line(tail))


def show(stream) -> bytes:
    """Copy a stream to the screen at once; return its end."""
    tail = b""
    while chunk := os.read(stream.fileno(), 4096):
        sys.stdout.buffer.write(chunk)
        sys.stdout.buffer.flush()
        tail = (tail + chunk)[-4096:]
    return tail


def stop(process: subprocess.Popen) -> None:
    """Give a stage a few seconds to end its kernels, then end it."""
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()


def closing_line(tail: bytes) -> str:
    """Return the last line that is not empty, without the dashes pytest draws around it."""
    lines = [line for line in tail.decode(errors="replace").splitlines() if line.strip()]
    return lines[-1].strip("= ") if lines else "no output"


def summary_line(name: str, outcome: Outcome) -> str:
    """Return one line: passed or FAILED, the name, the time and what the stage said last."""
    verdict = "FAILED" if outcome.code else "passed"
    return f"{verdict}  {name:28} {outcome.seconds:5.0f} s   {outcome.closing}"


if __name__ == "__main__":
    sys.exit(main(named(sys.argv[1:], STAGES)))
