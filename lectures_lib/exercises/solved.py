"""What is solved is remembered, in one plain text file beside the notebooks.

Nothing is sent anywhere. In the browser the file lies in JupyterLite's own storage. Outside a
notebook (in tests, in scripts) nothing is kept. A file that is damaged or cannot be written costs
nothing but the memory.
"""

import os
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path

FILE = "solved_exercises.txt"
HEAD = "# The exercises that you solved, one per line. Delete a line to forget it.\n"
NOTEBOOKS = "[0-9][0-9]_*.ipynb"
#: how a cell of a stored notebook hands over an answer
CHECK = re.compile(r'exercises\.check\(\\"([\w ]+)\\"')


@dataclass(frozen=True)
class Progress:
    """Which exercises are solved, notebook by notebook, and where to go on."""

    solved: frozenset[str]
    posed: Mapping[str, tuple[str, ...]]  #: number of the notebook -> its exercises, in order
    files: Mapping[str, str]  #: number of the notebook -> its file, where it is there
    note: str = ""  #: what is wrong with the file, if anything is

    @property
    def next(self) -> str:
        """The first exercise that is not solved; empty if all are."""
        return next((n for names in self.posed.values() for n in names if n not in self.solved), "")

    def after(self, exercise: str) -> str:
        """Return how far the notebook of an exercise is done."""
        rows = (f"{n}: {self._bar(names)}" for n, names in self.posed.items() if exercise in names)
        return next(rows, "")

    def __str__(self) -> str:
        """Return one line per notebook."""
        rows = [f"{number}  {self._bar(names)}" for number, names in self.posed.items()]
        return "\n".join([*rows, self._total(), *filter(None, [self.note])])

    def _repr_html_(self) -> str:
        """Return a table whose notebooks can be clicked."""
        rows = []
        for number, names in self.posed.items():
            file = self.files.get(number, "")
            title = f'<a href="{escape(file)}">{escape(file[:-6])}</a>' if file else number
            rows.append(f"<tr><td>{title}</td><td>{escape(self._bar(names))}</td></tr>")
        said = "<br>".join(map(escape, filter(None, [self._total(), self.note])))
        return f"<table>{''.join(rows)}</table><p>{said}{self._way()}</p>"

    def _way(self) -> str:
        """Return a link to the notebook of the next exercise; nothing if all are solved."""
        at = next((n for n, names in self.posed.items() if self.next in names), "")
        if not at:
            return ""
        return f'<br>Next: <a href="{escape(self.files[at])}">{escape(self.next)}</a>'

    def _bar(self, names: Iterable[str]) -> str:
        done = [name in self.solved for name in names]
        boxes = "".join("■" if one else "□" for one in done)
        left = [name for name in names if name not in self.solved]
        return f"{boxes}  {sum(done)} of {len(done)}" + (f", next: {left[0]}" if left else "")

    def _total(self) -> str:
        every = {name for names in self.posed.values() for name in names}
        return f"{len(self.solved & every)} of {len(every)} exercises are solved."


def state(place: Path, known: Iterable[str]) -> Progress:
    """Return what is solved, of the exercises that the notebooks in a folder pose."""
    files = {path.name[:2]: path for path in sorted(place.glob(NOTEBOOKS))}
    texts = {number: _text(path) for number, path in files.items()}
    posed = {number: tuple(dict.fromkeys(CHECK.findall(text))) for number, text in texts.items()}
    solved, note = read(place, known)
    names = {number: path.name for number, path in files.items()}
    return Progress(solved, {n: found for n, found in posed.items() if found}, names, note)


def read(folder: Path, known: Iterable[str]) -> tuple[frozenset[str], str]:
    """Return the exercises that the file names, and what is wrong with it."""
    try:
        text = (folder / FILE).read_text(encoding="utf-8-sig", errors="replace")
    except FileNotFoundError:
        return frozenset(), ""
    except OSError as error:
        return frozenset(), f"{FILE} cannot be read ({error.strerror}): nothing is remembered."
    lines = [line for line in map(str.strip, text.splitlines()) if line and line[0] != "#"]
    solved = frozenset(lines) & frozenset(known)
    odd = sum(line not in solved for line in lines)
    note = f"{odd} lines of {FILE} name no exercise, and are passed over." if odd else ""
    if odd == 1:
        note = f"1 line of {FILE} names no exercise, and is passed over."
    return solved, note


def _text(notebook: Path) -> str:
    """Return the text of a notebook; nothing where it cannot be read."""
    try:
        return notebook.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def remember(folder: Path, exercise: str, known: Iterable[str]) -> str:
    """Write below the rest that an exercise is solved; return what went wrong, if anything did.

    Nothing that stands in the file is written again: another notebook may be adding to it.
    """
    solved, note = read(folder, known)
    if exercise in solved:
        return note
    try:
        with (folder / FILE).open("a+b") as file:
            file.seek(-1 if (length := file.seek(0, os.SEEK_END)) else 0, os.SEEK_END)
            start = "" if length and file.read(1) == b"\n" else "\n" if length else HEAD
            file.write(f"{start}{exercise}\n".encode())
    except OSError as error:
        return f"{FILE} cannot be written ({error.strerror}): this will be forgotten."
    return note


def folder() -> Path | None:
    """Return the folder of the course's notebooks, if this is a notebook of it."""
    shell = sys.modules.get("IPython")
    if shell is None or shell.get_ipython() is None:
        return None
    try:
        here = Path.cwd()
        return here if next(here.glob(NOTEBOOKS), None) else None
    except OSError:  # the folder is gone, or nobody may look into it
        return None
