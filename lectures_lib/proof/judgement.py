"""The verdict on a model that somebody else has trained."""

import math
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from typing import Any

import numpy as np

from .rounding import UNIT, Enclosure
from .verdict import Proof, Verdict, decided, rounded_down, rounded_up, shortest, worst

#: Nothing is known: no bound, no other answer.
UNKNOWN = Enclosure(np.nan)


@dataclass(frozen=True)
class Judgement(Proof):
    """Whether a model's objective is within `tol`, relative, of the least that there is.

    Proved: the objective is at most (1 + tol) times a bound that no answer is below. Refuted:
    another answer is shown, `better`, and the objective is more than (1 + tol) times that one's.
    A model of several machines (pairs, classes, outputs) is proved if all are, refuted if one is.
    """

    model: str  #: what was judged
    formula: str  #: what it claims to minimise
    tol: float  #: the relative distance from the best that is allowed
    above: Enclosure = UNKNOWN  #: the objective of the model, rounding included
    below: Enclosure = UNKNOWN  #: no answer has a smaller objective than this, rounding included
    other: Enclosure = UNKNOWN  #: the objective of another answer, rounding included
    better: Mapping[str, Any] = field(default_factory=dict)  #: that answer; empty if not needed
    parts: tuple["Judgement", ...] = ()  #: one for each pair, class or output
    how: str = ""  #: where bound and other answer come from
    advice: str = ""  #: what one can do
    wrong: str = ""  #: what refutes the model whatever its objective, in words
    assumes: str = ""  #: what was not tested, in words
    own: Proof | None = None  #: the certificate that decides, where the claim is another one

    @property
    def verdict(self) -> Verdict:
        """The verdict on the claim."""
        if self.wrong:
            return "refuted"
        if self.own is not None:
            return self.own.verdict
        if self.parts:
            return worst(part.verdict for part in self.parts)
        if self.above.high <= self.below.low:
            return "proved"  # both are 0, perhaps
        allowed = Enclosure(1.0) + self.tol
        if decided(self.above, self.below * allowed) == "proved":
            return "proved"
        return "refuted" if decided(self.above, self.other * allowed) == "refuted" else "undecided"

    @property
    def worst(self) -> "Judgement":
        """The machine that is farthest from its best; itself where there is only one."""
        found = [part.worst for part in self.parts] or [self]
        order = {"proved": 0, "undecided": 1, "refuted": 2}
        return max(found, key=lambda part: (order[part.verdict], part.excess, part.gap))

    @property
    def objective(self) -> float:
        """The objective of the model; of several machines, their sum."""
        if not self.parts:
            return float(self.above.value)
        return float(sum(part.objective for part in self.parts))

    @property
    def bound(self) -> float:
        """No answer has an objective below this number."""
        if not self.parts:
            return float(self.below.low)
        total = 0.0
        for part in self.parts:  # rounded down: the sum of the bounds is not below this
            total = math.nextafter(total + part.bound, -math.inf)
        return total

    @property
    def gap(self) -> float:
        """The model is at most this far above the best, relative; of several, the worst."""
        if self.parts:
            return max(part.gap for part in self.parts)
        if self.above.high <= self.below.low:
            return 0.0
        ratio = _over(float(self.above.high), float(self.below.low), np.inf)
        return ratio + 4 * UNIT * (1 + ratio)

    @property
    def excess(self) -> float:
        """The model is at least this far above the best, relative; of several, the worst."""
        if self.parts:
            return max(part.excess for part in self.parts)
        ratio = _over(float(self.above.low), float(self.other.high), 0.0)
        return max(0.0, ratio - 4 * UNIT * (1 + ratio))

    @property
    def reason(self) -> str:
        """The verdict in words, with the tolerance in numbers."""
        if self.wrong:
            return f"refuted: {self.wrong}"
        if self.own is not None:
            return str(getattr(self.own, "reason", self.own.verdict))
        given = f", if {self.assumes}" if self.assumes else ""
        if self.parts:
            counts = [part.verdict for part in self.parts]
            tally = ", ".join(f"{counts.count(v)} {v}" for v in ("proved", "refuted", "undecided"))
            return f"{self.verdict}: of {len(counts)} machines {tally}; worst: {self.worst.model}"
        if self.verdict == "proved":
            return (
                f"proved: the objective is within {rounded_up(self.tol, 6)} of the least, "
                f"relative; no answer costs less than {rounded(self.bound, 6, '-')}, so at most "
                f"{rounded(self.gap, 2, '+')} is left{given}"
            )
        if self.verdict == "refuted":
            other = f"another answer costs {self._other}"
            more = f"this one costs more, by {rounded(self.excess, 2, '-')} of that at least"
            return f"refuted: {other}; {more}; allowed are {rounded_down(self.tol, 6)}{given}"
        most = f"at most {rounded(self.gap, 2, '+')} above the least, and "
        if self.gap == np.inf:
            most = "above the least by a share that is not known (no bound above 0 was found), "
        return (
            f"undecided: the objective is {most}"
            f"at least {rounded(self.excess, 2, '-')}, relative; allowed are "
            f"{shortest(self.tol)}{given}"
        )

    @property
    def _other(self) -> str:
        """What another answer costs; where that is known but roughly, a bound of it."""
        value, high = float(self.other.value), float(self.other.high)
        rough = not high - value <= 1e-6 * value
        return f"at most {rounded(high, 6, '+')}" if rough else f"{value:.6g}"

    def __str__(self) -> str:
        """Return model, formula, both sides, one line per machine, and the verdict."""
        lines = [self.model, f"minimise {self.formula}" if self.formula else ""]
        if not self.parts and not self.wrong and self.own is None:
            rows = {"objective": self.above.value, "another answer": self.other.value}
            lines += [f"{k:<16} {float(v):.6g}" for k, v in rows.items() if not np.isnan(float(v))]
            if self.bound > 0:
                lines += [f"{'no answer below':<16} {rounded(self.bound, 6, '-')}"]
        for part in self.parts:
            lines.append(f"{part.model:<24} {part.verdict:<9} gap <= {rounded(part.gap, 2, '+')}")
        lines += textwrap.wrap(self.reason, 100)
        lines += textwrap.wrap(f"({self.how})", 100) if self.how else []
        if self.verdict != "proved" and self.advice:
            lines += textwrap.wrap(self.advice, 100)
        return "\n".join(line for line in lines if line)


def rounded(value: float, digits: int, way: str) -> str:
    """Return a number with that many digits, rounded up ("+") or down ("-"): a bound stays one."""
    if not np.isfinite(value):
        return str(value)
    mode = ROUND_CEILING if way == "+" else ROUND_FLOOR
    return f"{Context(prec=digits, rounding=mode).create_decimal_from_float(value):g}"


def _over(upper: float, lower: float, otherwise: float) -> float:
    """Return upper / lower - 1; `otherwise` where that says nothing."""
    return upper / lower - 1.0 if lower > 0 and np.isfinite(upper) else otherwise
