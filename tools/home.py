"""Fill the first page of the site: exhibits, their gallery, the map of the course, its speed.

Everything comes from what stands elsewhere (notebooks, README, benchmarks), so that nothing on the
first page can grow old by itself.
"""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lectures_lib import __version__, datasets
from lectures_lib.widgets import exhibits
from tools import nbrules, ratios
from tools.environment import ROOT

TIME = re.compile(r"\*\*Time:\*\* (\d+) minutes")
HEADING = re.compile(r"^#{2,4} (.+)$", re.MULTILINE)
#: What each exhibit is about, in a line: the gallery's words.
IDEAS = {
    "street": "Move a point: only the ringed ones hold the street.",
    "addition": "A mistake adds one arrow to another.",
    "race": "Two curves that must cross: the mistake bound. Lie, and see which line fails.",
    "fold": "Fold the plane to a cone, cut it straight, look at the shadow.",
    "duality": "Street and bars side by side: a gap that closes is a proof.",
    "steps": "SMO by hand: two multipliers at a time.",
    "threshold": "One threshold: counts, costs and the ROC curve follow.",
    "hulls": "Nearest points of two hulls: what a line has, and what no line can pass.",
    "voting": "Flip a label: last, voted and averaged, and how far each gives way.",
    "descent": "A ball on the loss surface, with the step size under your hand.",
    "gaussian": "C and sigma in one dot, on points of your own.",
    "gram": "Drag points until an eigenvalue falls below 0: no kernel.",
    "shatter": "Can a line make every labelling of your points?",
}
#: A point of the first page's street that moves by itself.
TOUR = {"tour": {"point": 4, "radius": 0.75}}


class Place(NamedTuple):
    """Where an exhibit stands: its notebook, the section, and how it starts."""

    notebook: str
    section: str
    kept: dict


def places() -> Iterator[Place]:
    """Yield every exhibit of the lectures with its section."""
    for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
        section = ""
        for cell in nbrules.read(path).cells:
            if cell.cell_type == "markdown":
                section = (HEADING.findall(cell.source) or [section])[-1]
            for output in cell.get("outputs", ()):
                if kept := output.get("data", {}).get(exhibits.MIME):
                    yield Place(path.stem, section, kept)


def fill(page: str, anchor) -> str:
    """Return the first page with everything in its place; `anchor` makes a heading's address."""
    found = list(places())
    for kind, more in (("street", TOUR), ("race", lecture_example())):
        kept = next(place.kept for place in found if place.kept["kind"] == kind)
        piece = exhibits.page(kind, kept["start"] | more, kept["words"])
        page = page.replace(f"<!-- exhibit: {kind} -->", f"```{{raw}} html\n{piece}\n```")
    page = page.replace("<!-- gallery -->", gallery(found, anchor))
    page = page.replace("<!-- map -->", course_map((ROOT / "README.md").read_text("utf-8")))
    results = (ROOT / "benchmarks" / "RESULTS.md").read_text("utf-8")
    speed = f"{ratios.finding(ratios.read(results))}, measured beside scikit-learn, LIBLINEAR, "
    speed += "Intel's extension and others: [all of them](benchmarks/RESULTS.md), with what "
    speed += "limits each."
    page = page.replace("<!-- minutes -->", minutes()).replace("<!-- version -->", __version__)
    return page.replace("<!-- speed -->", speed)


def minutes() -> str:
    """Return how long the first notebook takes, as it says itself."""
    first = next((ROOT / "notebooks").glob("00_*.ipynb"))
    return next(filter(None, (TIME.search(cell.source) for cell in nbrules.read(first).cells)))[1]


def lecture_example() -> dict:
    """Return the six points of the first lecture, as an exhibit starts with them."""
    X, y = datasets.lecture_example()
    return {"points": X.tolist(), "labels": y.astype(int).tolist()}


def gallery(found: list[Place], anchor) -> str:
    """Return a card for each exhibit of the course, which leads to its section."""
    cards = []
    for (notebook, kind), place in {(p.notebook, p.kept["kind"]): p for p in found}.items():
        number, title = notebook[:2], re.sub(r"^\d+\. ", "", place.section)
        there = f"notebooks/{place.notebook}.html#{anchor(place.section)}"
        cards.append(
            f'<a class="exhibit-card" href="{there}"><strong>{html.escape(title)}</strong>'
            f"<span>{html.escape(IDEAS[kind])}</span><small>Notebook {number}</small></a>"
        )
    return f'<div class="gallery">\n{"".join(cards)}\n</div>'


def course_map(readme: str) -> str:
    """Return the README's table of lectures and notebooks."""
    lines = readme.splitlines()
    first = next(k for k, line in enumerate(lines) if re.match(r"\| *lecture *\|", line))
    last = next(k for k in range(first, len(lines)) if not lines[k].startswith("|"))
    return "\n".join(lines[first:last])


def write(path: Path, anchor) -> None:
    """Fill the first page where it lies."""
    path.write_text(fill(path.read_text(encoding="utf-8"), anchor), encoding="utf-8")
