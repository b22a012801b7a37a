"""What is counted, and what is forbidden."""

from collections.abc import Callable
from dataclasses import dataclass, field

#: The columns of the table; those in FORBIDDEN must stay 0.
COLUMNS = ("cases", "proved", "refuted", "undecided", "false proofs", "false refutations")
COLUMNS += ("wrong converged", "crashes", "honest failures", "right at unit scale")
COLUMNS += ("of these unproved",)
#: A refusal that says one of these is an honest "undecided".
HONEST = ("rounding", "could not be decided")
FORBIDDEN = ("false proofs", "false refutations", "wrong converged", "crashes")


@dataclass
class Ledger:
    """The counts of one subject, and a line for every failure."""

    subject: str
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(COLUMNS, 0))
    failures: list[tuple[int, str, str]] = field(default_factory=list)  #: case, column, words
    case: int = 0

    def call(self, what: str, f: Callable, *args, legal=True, unit=False, **options):
        """Return f(...), or None if it stopped: a crash, unless what it was given is not legal.

        A sentence that blames rounding is an honest "undecided"; at unit scale it is one too many.
        """
        try:
            return f(*args, **options)
        except (ValueError, TypeError) as error:
            if legal and any(words in str(error) for words in HONEST):
                self.counts["undecided"] += 1
                if unit:
                    self.ordinary(f"{what}: {error}", False)
            elif legal:
                self.fail("crashes", f"{what}: {type(error).__name__}: {error}")
        except Exception as error:  # the point is to see all of them
            self.fail("crashes", f"{what}: {type(error).__name__}: {error}")
        return None

    def verdict(
        self, what: str, verdict: str, *, right: bool | None, tight: bool | None = None
    ) -> None:
        """Count a verdict. `right`: is the claim true; `tight`: is it true beyond all doubt."""
        self.counts[verdict] += 1
        if verdict == "proved" and right is False:
            self.fail("false proofs", what)
        if verdict == "refuted" and (right if tight is None else tight):
            self.fail("false refutations", what)

    def converged(self, what: str, converged: bool, *, right: bool | None) -> None:
        """Count a result that is wrong: called converged, or honestly not."""
        if right is False:
            self.fail("wrong converged" if converged else "honest failures", what)

    def ordinary(self, what: str, proved: bool) -> None:
        """Count a right answer at unit scale, and whether it is proved."""
        self.counts["right at unit scale"] += 1
        if not proved:
            self.fail("of these unproved", what)

    def fail(self, column: str, words: str) -> None:
        """Count a failure and keep what reproduces it."""
        self.counts[column] += 1
        self.failures.append((self.case, column, words))

    @property
    def forbidden(self) -> int:
        """The number of failures that must not be."""
        return sum(self.counts[column] for column in FORBIDDEN)

    def __iadd__(self, other: "Ledger") -> "Ledger":
        for column, count in other.counts.items():
            self.counts[column] += count
        self.failures += other.failures
        return self
