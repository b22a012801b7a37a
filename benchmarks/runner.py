"""One runner for every comparison: ours and the peers in turn, in one process, medians.

A ratio is the peer's time divided by ours, everywhere: above 1 we are ahead. Beside the times
stands what both sides reached (an objective, an accuracy): no speed is bought with precision.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Side:
    """One side of a comparison: what is timed, and what it reached."""

    fit: Callable[[], Any]
    value: Callable[[Any], float]
    own: Callable[[Any], float] | None = None  #: the seconds that it took by its own clock


@dataclass(frozen=True)
class Case:
    """A comparison on one set of data; the first side is ours."""

    ours: Side
    peers: dict[str, Side]
    what: str  #: what `value` is


@dataclass(frozen=True)
class Row:
    """A row of the table; `case` makes the data and may say that a peer is not installed."""

    name: str
    work: str
    goals: dict[str, float | None]  #: of each peer the ratio that is wanted
    case: Callable[[], Case]
    repeats: int = 5
    full: bool = False  #: too long for a default run


@dataclass(frozen=True)
class Line:
    """What was measured of ours beside one peer: medians of seconds, ratios of each turn."""

    name: str
    work: str
    peer: str
    ours: float
    theirs: float
    ratio: float  #: by the clock, the median over the turns
    cpu: float  #: the same by processor time of this process
    spread: tuple[float, float]  #: the smallest and the largest ratio
    what: str
    our_value: float
    their_value: float
    goal: float | None = None
    note: str = field(default="")

    @property
    def reached(self) -> str:
        """Return whether the goal is reached, in a word."""
        return "" if self.goal is None else "yes" if self.ratio >= self.goal else "no"


def seconds(side: Side) -> tuple[float, float]:
    """Return the seconds by the clock and by the processor."""
    wall, cpu = time.perf_counter(), time.process_time()
    answer = side.fit()
    if side.own is not None:
        return (side.own(answer),) * 2
    return time.perf_counter() - wall, time.process_time() - cpu


def measure(row: Row, patience: float = 60.0) -> list[Line]:
    """Run all sides of a row in turn, once to warm up; stop repeating when patience is over."""
    case = row.case()
    sides = {"": case.ours, **case.peers}
    began = time.perf_counter()
    values = {name: side.value(side.fit()) for name, side in sides.items()}  # also compiles
    if time.perf_counter() - began < patience:
        began = time.perf_counter()
    turns = []
    while len(turns) < row.repeats and (not turns or time.perf_counter() - began < patience):
        turns.append({name: seconds(side) for name, side in sides.items()})
    return [_line(row, case, name, turns, values) for name in case.peers]


def _line(row: Row, case: Case, peer: str, turns: list[dict], values: dict[str, float]) -> Line:
    ours, theirs = (np.array([turn[name] for turn in turns]) for name in ("", peer))
    ratios = theirs / np.maximum(ours, 1e-9)
    wall, cpu = np.median(ratios, axis=0)
    return Line(
        row.name, row.work, peer, float(np.median(ours[:, 0])), float(np.median(theirs[:, 0])),
        float(wall), float(cpu), (float(ratios[:, 0].min()), float(ratios[:, 0].max())),
        case.what, float(values[""]), float(values[peer]), row.goals.get(peer),
    )  # fmt: skip


def in_a_process(row: Row, module: str = "benchmarks") -> list[Line]:
    """Measure a row in a process of its own: no row warms or fills the memory of the next."""
    command = [sys.executable, "-m", module, "--json", row.name, "--repeats", str(row.repeats)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no message"])[-1]
        return [failed(row, reason)]
    found = [Line(**one) for one in json.loads(done.stdout.splitlines()[-1])]
    return found or [failed(row, "no peer is installed")]


def failed(row: Row, reason: str) -> Line:
    """Return the line of a row that could not be measured."""
    nothing = (float("nan"),) * 4
    values = (float("nan"), float("nan"))
    return Line(row.name, row.work, "-", *nothing, values, "", *values, None, reason[:80])


def as_json(lines: list[Line]) -> str:
    """Return lines as one line of JSON."""
    return json.dumps([asdict(line) for line in lines])


HEAD = (
    "| row | work | peer | ours, s | peer, s | **peer / ours** | by CPU | spread | goal | reached "
    "| what | ours | peer's |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|"
)


def as_markdown(line: Line) -> str:
    """Return a line of the table."""
    goal = "" if line.goal is None else f"{line.goal:.3g}"
    times = f"{line.ours:.3g} | {line.theirs:.3g} | **{line.ratio:.2f}** | {line.cpu:.2f}"
    spread = "{:.2f} to {:.2f}".format(*line.spread)
    values = f"{line.what} | {line.our_value:.6g} | {line.their_value:.6g}"
    if line.note:
        return f"| {line.name} | {line.work} | not measured: {line.note} |" + " |" * 10
    start = f"| {line.name} | {line.work} | {line.peer} | {times} | {spread}"
    return f"{start} | {goal} | {line.reached} | {values} |"
