"""What ascent by blocks knows between two rounds: in memory, or in a folder, to go on from there.

In a folder each round writes one file per part, and then, in one stroke, the state that names
them. Whoever is killed in the middle of a round leaves the state of the round before, whole: the
next call goes on from it and finds the same answer to the bit. Files of older rounds are deleted.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import numpy as np


@dataclass(frozen=True, eq=False)
class Block:
    """What stays with a part: its alpha, and the step that waits to be stretched by t."""

    alpha: np.ndarray
    delta: np.ndarray

    def load(self) -> "Block":
        """Return itself."""
        return self


@dataclass(frozen=True)
class FileBlock:
    """A block in a file, which every worker must be able to read."""

    path: str

    def load(self) -> Block:
        """Read the block."""
        return Block(*np.load(self.path))


@dataclass(frozen=True, eq=False)
class Message:
    """What a part sends: one vector and four numbers."""

    dw: np.ndarray  #: (d,) sum delta y x
    gain: float  #: sum delta
    alpha: float  #: sum alpha, before the step
    slack: float  #: sum xi of the w that was sent
    reach: float  #: the largest t with alpha + t delta in the box


class Record:
    """A folder with the rounds of one problem; without a folder, nothing is written or found."""

    def __init__(self, folder: str | Path | None, problem: list[float]) -> None:
        """Take a folder; `problem` are the numbers in which two runs must agree to be one."""
        self.home, self.problem = None if folder is None else Path(folder), np.array(problem)
        if self.home is not None:
            self.home.mkdir(parents=True, exist_ok=True)

    def found(self, parts: int) -> tuple[np.ndarray, float, list, list[FileBlock]] | None:
        """Return (w, t, gaps, blocks) after the last whole round, or None if there was none."""
        if self.home is None or not (self.home / "state.npz").exists():
            return None
        with np.load(self.home / "state.npz") as state:
            if not np.array_equal(state["problem"], self.problem):
                raise ValueError(f"{self.home} holds the rounds of other parts, C or epochs.")
            gaps = [tuple(pair) for pair in state["gaps"].tolist()]
            w, t = state["w"], float(state["t"])
        return w, t, gaps, [FileBlock(self.path(len(gaps), i)) for i in range(parts)]

    def path(self, rounds: int, part: int) -> str:
        """Return the file of a part's block after so many rounds; "" without a folder."""
        return "" if self.home is None else str(self.home / f"{rounds:06d}-{part:05d}.npy")

    def write(self, w: np.ndarray, t: float, gaps: list) -> None:
        """Write down that a round is whole; then delete the blocks of those before."""
        if self.home is None:
            return
        with _in_one_stroke(self.home / "state.npz") as file:
            np.savez(file, w=w, t=t, gaps=gaps, problem=self.problem)
        for old in self.home.glob("??????-?????.npy"):
            if not old.name.startswith(f"{len(gaps):06d}-"):
                old.unlink()


def kept(moved: tuple[Block, Message], path: str) -> Block | FileBlock:
    """Return the block that a round left, stored in a file if there is one to be."""
    if not path:
        return moved[0]
    with _in_one_stroke(Path(path)) as file:
        np.save(file, np.stack([moved[0].alpha, moved[0].delta]))
    return FileBlock(path)


@contextmanager
def _in_one_stroke(path: Path) -> Iterator[BinaryIO]:
    """Give a file that takes its name when it is written: nobody ever sees half of it."""
    half = path.with_name(f"{path.name}.{os.getpid()}")
    with half.open("wb") as file:
        yield file
    half.replace(path)
