"""Proofs as answers: a student writes the sum, the judge says what is left over."""

from dataclasses import dataclass, replace

from .checker import Proof, check
from .statements import Induction, Sum, Theorem


@dataclass(frozen=True)
class Answer:
    """The verdict on a certificate that somebody wrote."""

    verdict: str  #: "proved" or "refuted"
    reason: str  #: what is left over, or which sign is not known; "" if proved

    @property
    def holds(self) -> bool:
        """True for "proved" alone."""
        return self.verdict == "proved"

    def __str__(self) -> str:
        """Return the verdict as a sentence."""
        return "proved" if self.holds else f"not proved: {self.reason}"


def judge_answer(theorem: Theorem, line: str, answer: str, over: str | None = None) -> Answer:
    """Judge a sum that is to prove one line of a theorem, in place of the lecture's own.

    Parameters
    ----------
    theorem : the statement; its earlier lines may be used
    line : the name of the line, such as "growth"
    answer : a sum of facts by name, such as "growth + 2*mistake + radius"; squares are sq( ),
        squared norms norm( ); a line proved by induction may use itself (before the step)
    over : for a line that is divided, what it is multiplied with; default the lecture's own
    """
    if not isinstance(answer, str):
        return Answer("refuted", "the answer must be a text such as 'growth + 2*mistake'")
    names = [theorem.fact(step.goal).name for step in theorem.proof]
    if line not in names:
        raise ValueError(f"No line is called {line!r}; there are {names}.")
    at = names.index(line)
    step = theorem.proof[at]
    if not isinstance(step, Sum | Induction):
        raise ValueError(f"The line {line!r} has no single sum to be found.")
    changed = replace(step, by=answer)
    if over is not None and isinstance(step, Sum):
        changed = replace(changed, over=over)
    short = replace(theorem, proof=(*theorem.proof[:at], changed), conclusion=(step.goal,))
    return _verdict(check(short))


def _verdict(proof: Proof) -> Answer:
    return Answer(proof.verdict, proof.reason)
