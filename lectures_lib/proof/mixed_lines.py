"""The bound of parameter mixing with every line of its proof, as data."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from .lines import InLines, ProofLine
from .verdict import rounded_up


@dataclass(frozen=True, eq=False)
class MixingLine(ProofLine):
    """An inequality at each epoch, or at each pair of an epoch and a part."""

    parts: int = 1  #: entries per epoch

    @property
    def said(self) -> str:
        """The verdict in words, with the place of the first failure."""
        place = self.first_failure or self.first_open
        if place is None:
            return "holds"
        word = "fails" if self.first_failure else "open"
        epoch, part = divmod(place - 1, self.parts)
        where = f" in epoch {epoch + 1}" + (f", part {part}" if self.parts > 1 else "")
        return word if self.name == "positive" else word + where


@dataclass(frozen=True, eq=False)
class MixingBound(InLines):
    """The bound on the mixed number of mistakes of one run, with every line of its proof."""

    mistakes: int  #: all that were made, in all parts
    mixed: Fraction  #: K = sum of mu_in k_in: what the theorem bounds
    bound: float  #: (R / gamma)^2
    R: float
    gamma: float
    u: np.ndarray  #: (d,) the comparison vector
    lines: tuple[ProofLine, ...]
    exact: bool  #: decided in fractions

    def __str__(self) -> str:
        """Return the proof as a table: line, least slack, verdict."""
        rows = [f"{'line':<16} {'least slack':>12}  verdict"]
        rows += [f"{line.name:<16} {line.least:>12}  {line.said}" for line in self.lines]
        how = "exactly" if self.exact else "in floating point, rounding included"
        most = rounded_up(self.bound, len(f"{self.bound:.0f}") + 4)
        rows.append(f"K = {float(self.mixed):.4f} <= {float(most):.4f}: {self.verdict} ({how})")
        return "\n".join(rows)
