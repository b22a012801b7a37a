"""A mistake bound with every line of its proof, as data: what is claimed, how it was decided."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .._arguments import BadArgument
from .._result import Result
from ..conventions import RTOL
from .band import Band
from .rounding import one_float, to_float
from .verdict import Proof, Verdict, worst


@dataclass(frozen=True, eq=False)
class ProofLine(Proof):
    """One inequality of a proof, smaller <= larger, at each of the mistakes 1, ..., M.

    In the proof of parameter mixing, at each epoch, or at each pair of an epoch and a part.
    """

    name: str  #: a word for it
    statement: str  #: the inequality in the lecture's symbols (LaTeX)
    smaller: np.ndarray  #: (M,)
    larger: np.ndarray  #: (M,)
    room: Band  #: (M,) larger - smaller, between bounds; without width in fractions
    rounding: np.ndarray  #: (M,) a failure by no more may be due to the run's own rounding
    reach: float = 0.0  #: of what was added up, where that is more than both sides
    parts: int = 0  #: entries per epoch; 0: there is one for each mistake

    @property
    def slack(self) -> np.ndarray:
        """larger - smaller: negative where the line fails."""
        return self.room.value

    @property
    def ok(self) -> np.ndarray:
        """Where the line is proved to hold."""
        return np.array(self.room.low >= 0, dtype=bool)

    @property
    def wrong(self) -> np.ndarray:
        """Where the line is proved to fail, by more than the run's own rounding."""
        return np.array(self.room.high < -self.rounding, dtype=bool)

    @property
    def verdict(self) -> Verdict:
        """The line holds at every mistake, fails at one, or one is left open."""
        if np.min(self.room.low, initial=0) >= 0:  # not so if one is NaN
            return "proved"
        return "refuted" if self.wrong.any() else "undecided"

    @property
    def size(self) -> float:
        """The size of what was added up: slacks far below it are shown as 0."""
        sides = (np.abs(to_float(side)) for side in (self.smaller, self.larger))
        return max(self.reach, *(float(np.max(side, initial=0.0)) for side in sides))

    @property
    def least(self) -> str:
        """The least slack as text; what is only rounding error reads 0."""
        if len(self.slack) == 0:
            return "-"
        least = one_float(min(self.slack))
        tiny = abs(least) <= RTOL * self.size < np.inf
        return "0" if tiny and not self.wrong.any() else f"{least:.4g}"

    @property
    def first_failure(self) -> int | None:
        """The number (from 1) of the first mistake at which the line fails, or None."""
        return int(np.argmax(self.wrong)) + 1 if self.wrong.any() else None

    @property
    def first_open(self) -> int | None:
        """The number of the first mistake at which the line is neither proved nor refuted."""
        left = ~self.ok & ~self.wrong
        return int(np.argmax(left)) + 1 if left.any() else None

    @property
    def said(self) -> str:
        """The verdict in words."""
        place = self.first_failure or self.first_open
        if place is None or self.verdict == "proved":
            return "holds"
        word = "fails" if self.first_failure else "open"
        if self.name == "positive":
            return word
        if not self.parts:
            return f"{word} at mistake {place}"
        epoch, part = divmod(place - 1, self.parts)
        return f"{word} in epoch {epoch + 1}" + (f", part {part}" if self.parts > 1 else "")


class InLines(Proof):
    """A proof that is a tuple of lines: proved if all of them are."""

    lines: tuple[ProofLine, ...]

    def _lose_proof(self) -> None:
        """Give up the lines: they are about other numbers."""
        Result._lose_proof(self)

    @property
    def verdict(self) -> Verdict:
        """Every line holds everywhere; or one fails; or one is left open, or there is none."""
        return worst(line.verdict for line in self.lines) if self.lines else "undecided"

    @property
    def failed(self) -> tuple[str, ...]:
        """The names of the lines that fail."""
        return tuple(line.name for line in self.lines if line.verdict == "refuted")

    @property
    def undecided(self) -> tuple[str, ...]:
        """The names of the lines that are neither proved nor refuted."""
        return tuple(line.name for line in self.lines if line.verdict == "undecided")

    def line(self, name: str) -> ProofLine:
        """Return the line called `name`."""
        for line in self.lines:
            if line.name == name:
                return line
        raise BadArgument(f"No line is called {name!r}; there are {[x.name for x in self.lines]}.")

    def __str__(self) -> str:
        """Return the proof as a table: line, least slack, verdict."""
        rows = [f"{line.name:<16} {line.least:>12}  {line.said}" for line in self.lines]
        return "\n".join([f"{'line':<16} {'least slack':>12}  verdict", *rows, self._conclusion])

    @property
    def _conclusion(self) -> str:
        """The last row of the table."""
        raise NotImplementedError


@dataclass(frozen=True, eq=False)
class MistakeBound(InLines):
    """A mistake bound for one run, with every line of its proof.

    Reading it aloud: `str(bound)` is the proof as a table.
    """

    mistakes: int  #: M
    bound: float | Fraction  #: what the theorem allows
    R: float  #: the largest norm of an example
    gamma: float  #: the margin of u; for the hinge bound 1 / norm(u)
    u: np.ndarray  #: (d,) the comparison vector; with a kernel (n,): u = sum u_i phi(x_i)
    xi: np.ndarray  #: (n,) the slack of each example; all 0 for separable data
    hinge_sum: float | Fraction  #: L, the sum of slacks over the *mistakes*, repeats included
    lines: tuple[ProofLine, ...]  #: the proof
    exact: bool  #: decided in fractions

    @property
    def cosine(self) -> np.ndarray:
        """(M,) cos(w_k, u) after each mistake, L2's form of the proof: at most 1; 0 at w = 0."""
        dot = to_float(self.line("sum of progress").larger)
        norms = np.sqrt(np.maximum(to_float(self.line("Cauchy-Schwarz").larger), 0.0))
        return np.divide(dot, norms, out=np.zeros_like(dot), where=norms > 0)

    @property
    def _conclusion(self) -> str:
        how = "exactly" if self.exact else "in floating point"
        words = {
            "proved": f"proved {how}" + ("" if self.exact else ", rounding included"),
            "refuted": f"NOT proved (checked {how})",
            "undecided": f"undecided (checked {how})",
        }
        return f"M = {self.mistakes} <= {one_float(self.bound):.4f}: {words[self.verdict]}"
