"""A deadline and its rule: who is late, by how many days, and what that costs.

The time is that of the file, which archives keep; what Canvas marks as late is late by a day at
least.
"""

import math
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from .tables import counted

DAY = 24 * 3600.0
FORM = "%Y-%m-%d %H:%M"


@dataclass(frozen=True)
class Due:
    """The moment until which homework is in time, and the points that each begun day costs."""

    moment: datetime
    cost: float = 0.0

    @classmethod
    def read(cls, text: str, cost: float = 0.0) -> "Due":
        """Read a moment as 2026-11-20 23:59; a day alone ends at midnight."""
        for last in ("", " 23:59"):
            try:
                return cls(datetime.strptime(text.strip() + last, FORM), cost)
            except ValueError:
                continue
        raise ValueError(f"{text!r} is no deadline: write 2026-11-20 or 2026-11-20 18:00.")

    def days(self, path: Path, marked: bool = False) -> int:
        """Return by how many begun days a file is late, 0 if it is in time."""
        over = path.stat().st_mtime - (self.moment.timestamp() + 60.0)  # that minute, too
        return max(math.ceil(over / DAY) if over > 0 else 0, int(marked))

    def note(self, days: int) -> str:
        """Say how late a file is, and what that costs."""
        begun = counted(days, "begun day")
        costs = f", which costs {self.cost * days:g} points" if self.cost else ""
        return f"It was handed in {begun} after the deadline, {self.moment:{FORM}}{costs}."
