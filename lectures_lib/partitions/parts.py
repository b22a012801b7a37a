"""Examples in parts: in memory, or in files of which one at a time is read.

A part is what one worker sees. Nothing here ever holds two parts that lie in files.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import check_count, check_examples


def in_place(values: np.ndarray) -> np.ndarray:
    """Return an array that lies in memory as numpy likes it: what a message brings may not.

    Of an array at an odd address numpy multiplies a copy, in another order: to other last bits.
    """
    return np.require(values, requirements=["C", "A"])


@dataclass(frozen=True, eq=False)
class Part:
    """Examples and labels in memory."""

    X: np.ndarray
    y: np.ndarray

    def load(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the examples and their labels."""
        return in_place(self.X), in_place(self.y)

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d)."""
        n, d = self.X.shape
        return n, d


@dataclass(frozen=True)
class FilePart:
    """Examples and labels in two .npy files, which every worker must be able to read."""

    X: str
    y: str

    def load(self) -> tuple[np.ndarray, np.ndarray]:
        """Read the examples and their labels, and check them."""
        return check_examples(np.load(self.X), np.load(self.y))

    @property
    def shape(self) -> tuple[int, int]:
        """(n, d), from the head of the file."""
        n, d = np.load(self.X, mmap_mode="r").shape
        return n, d


AnyPart = Part | FilePart | tuple[ArrayLike, ArrayLike]


@explained
def split(X: ArrayLike, y: ArrayLike, parts: int) -> list[Part]:
    """Cut examples into parts whose sizes differ by 1 at most, in their order.

    Parameters
    ----------
    X, y : (n, d) examples and their labels -1 and +1
    parts : how many parts

    Examples
    --------
    >>> X, y = datasets.noisy(10)
    >>> [len(part.y) for part in partitions.split(X, y, 3)]
    [4, 3, 3]
    """
    X, y = check_examples(X, y)
    if check_count(parts, "parts") > len(y):
        raise BadArgument(f"{len(y)} examples cannot be cut into {parts} parts: use fewer.")
    rows = np.array_split(np.arange(len(y)), parts)
    return [Part(X[some], y[some]) for some in rows]


@explained
def save(parts: Sequence[AnyPart], folder: str | Path) -> list[FilePart]:
    """Write each part to two .npy files in a folder, and return the parts as files.

    Parameters
    ----------
    parts : parts in memory, of `split` or pairs (X, y)
    folder : where the files go; it is made if it is not there

    Examples
    --------
    >>> import tempfile
    >>> X, y = datasets.noisy(10)
    >>> stored = partitions.save(partitions.split(X, y, 3), tempfile.mkdtemp())
    >>> [part.shape for part in stored]
    [(4, 2), (3, 2), (3, 2)]
    """
    home = Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    stored = []
    for i, part in enumerate(check_parts(parts)):
        names = [str(home / f"{letter}-{i:05d}.npy") for letter in "Xy"]
        for name, array in zip(names, part.load(), strict=True):
            np.save(name, array)
        stored.append(FilePart(*names))
    return stored


def _in_memory(part: Part | tuple[ArrayLike, ArrayLike]) -> Part:
    X, y = part.load() if isinstance(part, Part) else part
    return Part(*check_examples(X, y))


def check_parts(parts: Sequence[AnyPart]) -> list[Part | FilePart]:
    """Return the parts with one number of features, or say what is wrong with them."""
    found = [p if isinstance(p, FilePart) else _in_memory(p) for p in parts]
    if not found:
        raise BadArgument("parts is empty: give at least one, such as partitions.split(X, y, 2).")
    widths = sorted({part.shape[1] for part in found})
    if len(widths) > 1:
        raise BadArgument(f"The parts have {widths} features: all need the same number.")
    return found
