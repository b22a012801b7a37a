"""Break it: replay a theorem on exact numbers and name the term that turned negative.

A trial gives every letter a number and every vector coordinates: once for what is fixed, and once
per step for what comes new. `replay` says which assumptions fail, which term of which line then
fails, and whether the conclusion survives. A trial that breaks one assumption only, and the
conclusion with it, proves that the assumption is needed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from .._result import Result
from .notation import text
from .polynomials import SymbolicPolynomial, Vector, value
from .statements import Cases, Fact, Induction, Theorem


@dataclass(frozen=True)
class Trial:
    """Exact numbers for all letters of a theorem; vectors are tuples."""

    fixed: Mapping
    steps: tuple[Mapping, ...] = ()
    start: Mapping = field(default_factory=dict)  #: a state other than the theorem's own


@dataclass(frozen=True)
class TrialOutcome(Result):
    """What became of a theorem on one trial."""

    theorem: Theorem
    broken: tuple[str, ...]  #: the assumptions that fail, "start" for another start
    negative: str  #: the first term of the proof that turned negative (or, in an equation, not 0)
    failed: tuple[str, ...]  #: the conclusions that fail, with both sides

    @property
    def verdict(self) -> str:
        """Say "refuted" if a conclusion fails on these numbers, else "undecided"."""
        return "refuted" if self.failed else "undecided"

    @property
    def holds(self) -> bool:
        """False: one trial never proves a theorem."""
        return False

    def needs(self, name: str) -> bool:
        """Say whether the trial proves that the theorem is false without this assumption."""
        return self.broken == (name,) and bool(self.failed)

    def __str__(self) -> str:
        """Return what fails, as a sentence."""
        broken = ", ".join(self.broken) or "no assumption"
        rows = [f"{self.theorem.name}: {broken} broken"]
        rows += [f"  {self.negative}"] if self.negative else []
        return "\n".join([*rows, *(f"  conclusion fails: {f}" for f in self.failed)])


def replay(theorem: Theorem, trial: Trial) -> TrialOutcome:
    """Evaluate every assumption, every term of the proof and the conclusion, in fractions."""
    states = list(_states(theorem, trial))
    broken, negative = dict.fromkeys(["start"] if trial.start else []), ""
    always, each, end = (
        list(map(theorem.fact, g)) for g in (theorem.always, theorem.each, theorem.end)
    )
    last = {**trial.fixed, **states[-1]}
    moments = [
        (f"step {i + 1}", {**trial.fixed, **s, **z})
        for i, (s, z) in enumerate(zip(states, trial.steps))
    ]
    checks = [
        ("", trial.fixed, always),
        *((when, at, each) for when, at in moments),
        ("", last, end),
    ]
    for _, numbers, facts in checks:
        broken |= dict.fromkeys(f.name for f in facts if not true(f, numbers))
    negative = next(_bad_terms(theorem, moments, last), "")
    goals = (theorem.fact(goal) for goal in theorem.conclusion)
    failed = tuple(_sides(g, last) for g in goals if not true(g, last))
    return TrialOutcome(theorem, tuple(broken), negative, failed)


def true(fact: Fact, numbers: Mapping) -> bool:
    """Decide a fact on exact numbers."""
    size = value(fact.p, numbers)
    return {">=": size >= 0, ">": size > 0, "=": size == 0}[fact.kind]


def _states(theorem: Theorem, trial: Trial) -> Iterator[dict]:
    """Yield the state before each step and at the end."""
    state = {n: _number(v, trial.fixed) for n, v in theorem.starting.items()}
    width = max((len(v) for v in _vectors(trial)), default=1)
    state = {n: v if v != () else (Fraction(0),) * width for n, v in state.items()} | dict(
        trial.start
    )
    yield state
    for new in trial.steps:
        numbers = {**trial.fixed, **state, **new}
        state = {n: _number(v, numbers) for n, v in theorem.stepping.items()}
        yield state


def _vectors(trial: Trial) -> Iterator[tuple]:
    for numbers in (trial.fixed, *trial.steps, trial.start):
        yield from (v for v in numbers.values() if hasattr(v, "__len__"))


def _number(thing: SymbolicPolynomial | Vector, numbers: Mapping):
    """Return a polynomial's value, or a vector's coordinates."""
    if isinstance(thing, SymbolicPolynomial):
        return value(thing, numbers)
    parts = [[value(p, numbers) * Fraction(v) for v in numbers[n]] for n, p in thing.parts.items()]
    return tuple(map(sum, zip(*parts)))


def _bad_terms(theorem: Theorem, moments: list, last: Mapping) -> Iterator[str]:
    """Yield the facts used by the proof that are false on these numbers, line by line."""
    facts = dict(theorem.assumptions)
    for line in theorem.proof:
        goal = theorem.fact(line.goal)
        if isinstance(line, Induction):
            facts[goal.name] = goal
        for when, numbers in moments if isinstance(line, Induction) else [("at the end", last)]:
            for name in _used(theorem, line, facts, numbers):
                if not true(facts[name], numbers):
                    size, p = value(facts[name].p, numbers), text.polynomial(facts[name].p)
                    yield f"line {goal.name!r}, {when}: the term {name}, {p}, is {size}"
        facts[goal.name] = goal


def _used(theorem: Theorem, line, facts: Mapping, numbers: Mapping) -> Iterator[str]:
    """Yield the facts in the certificate that a line uses on these numbers, its cases aside."""
    cases = [
        (by, over, "", facts)
        for by, over in [(getattr(line, "by", "0"), getattr(line, "over", "1"))]
    ]
    if isinstance(line, Cases):
        split = [(theorem.fact(text), by, over) for text, by, over in line.cases]
        cases = [
            (by, over, c.name, {**facts, c.name: c}) for c, by, over in split if true(c, numbers)
        ]
    for by, over, case, known in cases:
        terms = theorem.certificate(by, known).terms + theorem.certificate(over, known).terms
        yield from (name for term in terms for name in term.facts if name != case)


def _sides(fact: Fact, numbers: Mapping) -> str:
    left, right = (value(side, numbers) for side in (fact.left, fact.right))
    return f"{text.fact(fact)}, but here it reads {left} {fact.relation} {right}"
