"""A notebook of the built site, run in the browser: by JupyterLite's own commands, cell by cell."""

import asyncio
import os
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
import psutil
from nbformat import NotebookNode

from tools import nbexecute, nbfigures, nbrules
from tools.nbguard import shape
from tools.serving import served as served

#: Seconds until a cold browser shows a notebook and its Python answers, on a busy machine.
PATIENCE = 300
READY = """() => {
  const panel = window.jupyterapp?.shell.currentWidget;
  const kernel = panel?.context?.isReady && panel.sessionContext.session?.kernel;
  return kernel && kernel.status === "idle";
}"""
RUN = """async index => {
  const panel = window.jupyterapp.shell.currentWidget;
  panel.content.activeCellIndex = index;
  const before = performance.now();
  await window.jupyterapp.commands.execute("notebook:run-cell");
  return (performance.now() - before) / 1000;
}"""
SHOW = """async index => {
  const content = window.jupyterapp.shell.currentWidget.content;
  content.activeCellIndex = index;
  await content.scrollToItem(index, "start");
}"""
#: What a hand or a key takes hold of in an exhibit.
HANDLE = "[tabindex='0'][role], input[type=range]"
NOTEBOOK = "() => JSON.stringify(window.jupyterapp.shell.currentWidget.context.model.toJSON())"


#: What each process of a browser had computed when it was looked at last: some end in between.
SEEN: dict[tuple, float] = {}


def processor_seconds() -> float:
    """Return the seconds that all browsers started from here have computed so far."""
    for child in psutil.Process(os.getpid()).children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            SEEN[child.pid, child.create_time()] = sum(child.cpu_times()[:2])
    return sum(SEEN.values())


@dataclass
class Run:
    """What came of a notebook in the browser."""

    notebook: NotebookNode
    seconds: dict[str, float] = field(default_factory=dict)  #: of each code cell, by its id
    processor: float = 0.0  #: seconds computed for them, whatever else the machine does

    @property
    def total(self) -> float:
        """Return the seconds of all cells."""
        return sum(self.seconds.values())

    @property
    def slowest(self) -> str:
        """Return the cell that took longest."""
        return max(self.seconds, key=self.seconds.get, default="")


def wait(page) -> float:
    """Wait until the notebook of a page is there and its Python answers; return the seconds."""
    before = time.monotonic()
    page.set_default_timeout(PATIENCE * 1000)
    page.wait_for_function(READY)
    return time.monotonic() - before


def run(page) -> Run:
    """Run each cell of an opened notebook, also after one that raises."""
    cells, before = shown(page).cells, processor_seconds()
    seconds = {
        cell["id"]: page.evaluate(RUN, index)
        for index, cell in enumerate(cells)
        if cell["cell_type"] == "code"
    }
    return Run(shown(page), seconds, processor_seconds() - before)


def shown(page) -> NotebookNode:
    """Return the notebook as it stands in the page, with its outputs."""
    return nbformat.v4.reads_json(page.evaluate(NOTEBOOK))


def moved(page, index: int) -> bool:
    """Press keys in the exhibit of a cell until it is drawn anew; return whether it is."""
    page.evaluate(SHOW, index)
    shown = page.locator(f".jp-Cell[data-windowed-list-index='{index}'] .jp-OutputArea")
    shown.locator(HANDLE).first.wait_for()
    before = shown.inner_html()
    handles = shown.locator(HANDLE)
    for handle in (handles.first, handles.last):  # of SMO's pairs the first point is chosen already
        for key in ("ArrowRight", "ArrowLeft", "ArrowUp", "Enter"):
            handle.press(key)
            page.wait_for_timeout(300)  # it is drawn in the next frame
            if shown.inner_html() != before:
                return True
    return False


def at_the_desk(notebook: NotebookNode, folder: Path) -> NotebookNode:
    """Return a notebook run by this Python, also after a cell that raises."""
    made = deepcopy(notebook)
    for cell in nbrules.code_cells(made):
        cell.metadata = nbformat.from_dict({"tags": ["raises-exception"]})
    with ThreadPoolExecutor(1) as other:  # the browser's driver has the loop of this one
        other.submit(lambda: asyncio.run(nbexecute.execute(made, folder))).result()
    for cell, before in zip(made.cells, notebook.cells):
        cell.metadata = before.metadata
    return made


def differences(stored: NotebookNode, got: NotebookNode) -> Iterator[str]:
    """Yield what differs, by the course's rules for another machine: texts, kinds, alt text."""
    for old, new in zip(nbrules.code_cells(stored), nbrules.code_cells(got), strict=True):
        if not nbrules.ignoring_markers(old):
            for said in cell_differences(old, new):
                yield f"{nbrules.describe(stored, old)}: {said}"


def cell_differences(old: NotebookNode, new: NotebookNode) -> Iterator[str]:
    """Yield what differs between the outputs of two cells; pictures are not compared."""
    olds, news = nbrules.canonical(old.outputs), nbrules.canonical(new.outputs)
    if [*map(shape, olds)] != [*map(shape, news)]:
        yield f"stored {[*map(shape, olds)]}, now {[*map(shape, news)]}: {told(news)}"
        return
    for one, other in zip(olds, news):
        if told([one]) != told([other]):
            yield f"stored {told([one])}, now {told([other])}"
        if one.get("metadata", {}) != other.get("metadata", {}):
            yield f"metadata: stored {one.metadata}, now {other.metadata}"


def told(outputs: list[NotebookNode]) -> str:
    """Return all that outputs say in words."""
    texts = []
    for output in outputs:
        texts += [output[key] for key in ("name", "text", "evalue") if key in output]
        texts += [re.sub(r"<class '(?:.*\.)?(\w+)'>", r"\1", output.get("ename", ""))]  # both ways
        data = output.get("data", {})
        kept = (mime for mime in sorted(data) if mime not in nbfigures.RASTER)
        texts += [f"{mime}: {through_javascript(data[mime])}" for mime in kept]
    return "\n".join(texts)


def through_javascript(thing):
    """Return what the browser hands back: 2.0 is 2, keys have no order, None is left out."""
    if isinstance(thing, dict):
        kept = (key for key in sorted(thing) if thing[key] is not None)
        return {key: through_javascript(thing[key]) for key in kept}
    if isinstance(thing, list):
        return [*map(through_javascript, thing)]
    return int(thing) if isinstance(thing, float) and thing.is_integer() else thing
