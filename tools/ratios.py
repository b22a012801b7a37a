"""The table of benchmarks/RESULTS.md as a picture for the site: bars of ratios, goals marked."""

import re
from typing import NamedTuple

from matplotlib.figure import Figure

from lectures_lib import plots

#: Rows of the table of ratios, and of no other.
TABLE = re.compile(r"<!-- table -->(.*?)<!-- end table -->", re.DOTALL)


class Ratio(NamedTuple):
    """A row: what was done beside whom, the peer's time divided by ours, and what was aimed at."""

    work: str
    peer: str
    ratio: float
    goal: float | None


def read(text: str) -> list[Ratio]:
    """Return the rows of the table that have a ratio."""
    found = TABLE.search(text)
    lines = [line for line in (found[1] if found else "").splitlines() if line.startswith("|")]
    head, _, *rows = [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in lines]
    entries = [dict(zip(head, row)) for row in rows]
    return [
        Ratio(e["work"], e["peer"], float(e["peer / ours"]), number(e["goal"]))
        for e in entries
        if number(e["peer / ours"]) is not None
    ]


def number(text: str) -> float | None:
    """Return the number a cell holds; None if it holds none."""
    return float(text) if re.fullmatch(r"\d+(\.\d+)?", text) else None


def draw(rows: list[Ratio]) -> Figure:
    """Return bars from 1 to each ratio, on a scale of doublings; a stroke is the goal."""
    fig = plots.figure(size=(8.6, 1.1 + 0.27 * len(rows)))
    ax = fig.axes[0]
    for k, row in enumerate(rows):
        colour = plots.BLUE if row.ratio >= 1 else plots.RED
        ax.barh(k, row.ratio - 1, left=1, height=0.62, color=colour)
        beside = ax.get_yaxis_transform()
        ax.text(1.02, k, f"{row.ratio:.2f}", transform=beside, va="center", fontsize=9)
        if row.goal is not None:
            ax.plot([row.goal] * 2, [k - 0.42, k + 0.42], color="black", linewidth=2.2)
    ax.axvline(1, color="black", linewidth=1)
    ax.set_xscale("log", base=2)
    low, high = min(r.ratio for r in rows), max(max(r.ratio, r.goal or 0) for r in rows)
    ax.set_xlim(low / 1.6, high * 1.6)
    ticks = [2.0**k for k in range(-6, 9) if low / 1.6 < 2.0**k < high * 1.6]
    ax.set_xticks(ticks, [f"{t:g}" for t in ticks])
    ax.set_yticks(range(len(rows)), [f"{r.work}: {r.peer}" for r in rows], fontsize=9)
    ax.set_ylim(-0.7, len(rows) - 0.3)
    ax.invert_yaxis()
    ax.set_xlabel("peer / ours; strokes: goals")
    ax.set_title(finding(rows), loc="right", fontsize=11)
    return fig


def finding(rows: list[Ratio]) -> str:
    """Return what the picture shows, in a line."""
    ahead = sum(row.ratio >= 1 for row in rows)
    goals = [row for row in rows if row.goal is not None]
    reached = sum(row.ratio >= (row.goal or 0) for row in goals)
    shorter = f"Our time is the shorter one in {ahead} of {len(rows)} comparisons"
    return f"{shorter}; {reached} of {len(goals)} goals are reached"


def words(rows: list[Ratio]) -> str:
    """Return the picture in words."""
    parts = (
        f"{r.work}, beside {r.peer}: {r.ratio:.2f}" + (f" (goal {r.goal:.2g})" if r.goal else "")
        for r in rows
    )
    return f"{finding(rows)}. The peer's time divided by ours. {'; '.join(parts)}."
