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
from typing import Any, BinaryIO

import numpy as np

from .._arguments import BadArgument
from .parts import in_place


@dataclass(frozen=True)
class AlphaFile:
    """A part's alpha in a file, which every worker must be able to read."""

    path: str


Alpha = np.ndarray | AlphaFile


def alpha_of(alpha: Alpha) -> np.ndarray:
    """Return the numbers, wherever they are."""
    return np.load(alpha.path) if isinstance(alpha, AlphaFile) else in_place(alpha)


def store(alpha: np.ndarray, path: str) -> Alpha:
    """Return alpha, stored in a file if there is one to be."""
    if not path:
        return alpha
    with _in_one_stroke(Path(path)) as file:
        np.save(file, alpha)
    return AlphaFile(path)


@dataclass(frozen=True, eq=False)
class Message:
    """What a part sends: one vector and four numbers."""

    dw: np.ndarray  #: (d,) sum delta y x
    gain: float  #: sum delta
    alpha: float  #: sum alpha, before the step
    gap: float  #: the part's share of P - D, for the w that was sent, before the step
    reach: float  #: the largest t with alpha + t delta in the box


@dataclass
class State:
    """What is known after a round."""

    w: np.ndarray
    sigma: float  #: what the steps of the last round needed
    share: float  #: of the gap that a round met, what the judge found at its end; 0: not asked yet
    gaps: list[tuple[float, float]]  #: of each round the gap as it was met, and D at its end
    alpha: list[Any]  #: of each part an array, its file, or the future of one of them

    @property
    def rounds(self) -> int:
        """How many were made."""
        return len(self.gaps)

    def learn(self, judged: float) -> None:
        """Take down which share of the gap that was met the judge has found."""
        met = self.gaps[-1][0]
        self.share = judged / met if met > 0 else 1.0


class Record:
    """A folder with the rounds of one problem; without a folder, nothing is written or found."""

    def __init__(self, folder: str | Path | None, problem: list[float]) -> None:
        """Take a folder; `problem` are the numbers in which two runs must agree to be one."""
        self.home, self.problem = None if folder is None else Path(folder), np.array(problem)
        if self.home is not None:
            self.home.mkdir(parents=True, exist_ok=True)

    def found(self, parts: int) -> State | None:
        """Return what was known after the last whole round, or None if there was none."""
        if self.home is None or not (self.home / "state.npz").exists():
            return None
        with np.load(self.home / "state.npz") as known:
            if not np.array_equal(known["problem"], self.problem):
                raise BadArgument(f"{self.home} holds the rounds of other parts, C or options.")
            gaps = [tuple(pair) for pair in known["gaps"].tolist()]
            w, sigma, share = known["w"], float(known["sigma"]), float(known["share"])
        alpha = [AlphaFile(self.path(len(gaps), i)) for i in range(parts)]
        return State(w, sigma, share, gaps, alpha)

    def path(self, rounds: int, part: int) -> str:
        """Return the file of a part's alpha after this many rounds; "" without a folder."""
        return "" if self.home is None else str(self.home / f"{rounds:06d}-{part:05d}.npy")

    def write(self, state: State) -> None:
        """Write down that a round is whole; then delete the alpha of those before."""
        if self.home is None:
            return
        with _in_one_stroke(self.home / "state.npz") as file:
            numbers = {name: getattr(state, name) for name in ("w", "sigma", "share", "gaps")}
            np.savez(file, problem=self.problem, **numbers)
        for old in self.home.glob("??????-?????.npy"):
            if not old.name.startswith(f"{state.rounds:06d}-"):
                old.unlink()


@contextmanager
def _in_one_stroke(path: Path) -> Iterator[BinaryIO]:
    """Give a file that takes its name when it is written: nobody ever sees half of it."""
    half = path.with_name(f"{path.name}.{os.getpid()}")
    with half.open("wb") as file:
        yield file
    half.replace(path)
