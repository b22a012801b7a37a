"""The face that every certificate has."""

import decimal
import math
from collections.abc import Iterable
from dataclasses import dataclass, fields
from fractions import Fraction
from numbers import Real
from typing import Any, Literal

from .._result import Result
from .rounding import SAFE, UNIT, Enclosure

Verdict = Literal["proved", "refuted", "undecided"]

#: What a certificate says that speaks of f in exact arithmetic, and was shown no rounded value.
NOT_ASKED = "f is not rounded, and what rounding makes of it was not asked"


@dataclass(frozen=True, eq=False, repr=False)
class Proof(Result):
    """What all certificates share: a verdict, and `holds`, True for "proved" alone.

    "undecided" is an honest answer: the claim may be true, but rounding errors leave it open.
    Nobody can change a certificate: `dataclasses.replace` is refused.
    """

    def _lose_proof(self) -> None:
        raise TypeError(
            f"A {type(self).__name__} is what a judge decided, so no field of it can be changed: "
            "change the answer that was judged, and have it judged again."
        )

    @property
    def verdict(self) -> Verdict:
        """Return "proved", "refuted" or "undecided"."""
        raise NotImplementedError

    @property
    def holds(self) -> bool:
        """The claim is proved, for the numbers that were given."""
        return self.verdict == "proved"

    def __str__(self) -> str:
        """Return the table: one line per number, and the verdict. Many proofs have a longer one."""
        names = [f.name for f in fields(self) if not f.name.startswith("_")]
        rows = {name: getattr(self, name) for name in [*names, "gap"] if hasattr(self, name)}
        numbers = {name: value for name, value in rows.items() if isinstance(value, Real | str)}
        lines = [f"{name:<16} {_shown(value):>12}" for name, value in numbers.items()]
        return "\n".join([*lines, f"{'verdict':<16} {self.verdict:>12}"])


class SelfJudged(Proof):
    """A proof that holds the data it speaks of: its verdict looks at every field.

    So a changed copy is judged anew, as soon as somebody asks.
    """

    def _lose_proof(self) -> None:
        """Keep all: the verdict of this copy is its own."""


def rounded_up(value: Any, digits: int = 3) -> str:
    """Return a number in few digits, as a text that is not below it.

    What a sentence allows is printed so: then the sentence is true as it is read.
    """
    near = float(value)
    if isinstance(value, Fraction) and Fraction(near) < value:
        near = math.nextafter(near, math.inf)
    if not math.isfinite(near) or float(f"{near:.{digits}g}") >= near:
        return f"{near:.{digits}g}"
    ceiling = decimal.Context(digits, decimal.ROUND_CEILING).create_decimal(decimal.Decimal(near))
    return f"{float(ceiling):.{digits}g}"


def b_in_words(lost: float) -> str:
    """Return what to read where f is made of the one float b, from the origin; of 0, nothing."""
    return f"; b is rounded: with it f is off by up to {rounded_up(lost, 2)}" if lost else ""


def rounded_down(value: Any, digits: int = 3) -> str:
    """Return a number in few digits, as a text that is not above it."""
    text = rounded_up(-value, digits)
    return text[1:] if text.startswith("-") else "0" if float(text) == 0 else f"-{text}"


def shortest(value: Any) -> str:
    """Return the shortest decimal that reads back as the same float: what was judged."""
    near = float(value)
    brief = f"{near:g}"
    return brief if float(brief) == near else repr(near)


def _shown(value: Real | str) -> str:
    if isinstance(value, bool | str):
        return str(value)
    return f"{float(value):.6g}"


def decided(smaller: Enclosure, larger: Enclosure) -> Verdict:
    """Return the verdict on smaller <= larger."""
    if smaller.high <= larger.low:
        return "proved"
    return "refuted" if smaller.low > larger.high else "undecided"


def small(value: float, error: float, tolerance: float) -> Verdict:
    """Return the verdict on value <= tolerance; rounding of this line itself is in `SAFE`."""
    error = SAFE * error + 4 * UNIT * abs(value)
    if value + error <= tolerance:
        return "proved"
    return "refuted" if value - error > tolerance else "undecided"


def worst(verdicts: Iterable[Verdict]) -> Verdict:
    """Return the verdict on a claim with several parts: all must hold."""
    found = {str(verdict) for verdict in verdicts}
    if "refuted" in found:
        return "refuted"
    return "undecided" if "undecided" in found else "proved"
