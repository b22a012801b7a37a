"""Proofs as answers: a student writes the sum, the judge says what is left over."""

from dataclasses import dataclass, replace

from .._result import SEAL, BadArgument, Result
from .checker import check_lines
from .notation import text
from .statements import Combination, Fact, Induction, Theorem


@dataclass(frozen=True)
class ProofAnswer(Result):
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


def judge_answer(theorem: Theorem, line: str, answer: str, over: str | None = None) -> ProofAnswer:
    """Judge a sum that is to prove one line of a theorem, in place of the lecture's own.

    Parameters
    ----------
    theorem : the statement; its earlier lines may be used
    line : the name of the line, such as "sum_of_growth"
    answer : a sum of facts, such as "sum_of_growth + 2*mistake + radius"; squares are sq( ),
        squared norms norm( ); a line proved by induction may use itself (before the step)
    over : for a line that is divided, what it is multiplied with; default the lecture's own
    """
    at, step = _find(theorem, line)
    if not isinstance(answer, str):
        why = "the answer must be a text such as 'mistake + 2*radius'"
        return ProofAnswer("refuted", why, _seal=SEAL)
    changed = replace(step, by=answer)
    if over is not None and isinstance(changed, Combination):
        changed = replace(changed, over=over)
    proof = check_lines(replace(theorem, proof=(*theorem.proof[:at], changed), conclusion=()))
    return ProofAnswer(proof.verdict, proof.reason, _seal=SEAL)


def question(theorem: Theorem, line: str) -> str:
    """Return what `judge_answer` asks: what is to be a sum, and of what."""
    at, step = _find(theorem, line)
    goal, facts = theorem.fact(step.goal), list(theorem.assumptions.values())
    facts += [theorem.fact(earlier.goal) for earlier in theorem.proof[:at]]
    if isinstance(step, Induction):
        facts = [f for f in facts if f.name not in map(_name, theorem.end)] + [goal]
        goal = goal.at(theorem.stepping)
    rows = [f"To be proved{' after a step' * isinstance(step, Induction)}: {_against_0(goal)}"]
    if isinstance(step, Combination) and step.over != "1":
        rows.append(f"The sum is to be this times {step.over}.")
    width = max(12, *(len(fact.name) for fact in facts))
    rows += ["You may use", *(f"  {fact.name:<{width}} {_against_0(fact)}" for fact in facts)]
    return "\n".join([*rows, "and squares sq( ), squared norms norm( ), products, numbers >= 0."])


def _against_0(fact: Fact) -> str:
    return f"{text.polynomial(fact.p)} {fact.kind.replace('>=', '≥')} 0"


def _name(fact: str) -> str:
    return fact.split(":")[0].strip()


def _find(theorem: Theorem, line: str) -> tuple[int, Combination | Induction]:
    """Return where a line stands and the line, if it has one sum."""
    names = [_name(step.goal) for step in theorem.proof]
    if line not in names:
        raise BadArgument(f"No line is called {line!r}; there are {names}.")
    step = theorem.proof[names.index(line)]
    if not isinstance(step, Combination | Induction):
        raise BadArgument(f"The line {line!r} has no single sum to be found.")
    return names.index(line), step
