"""The checker: does the certificate prove the theorem? Exact, and short enough to be read.

It trusts four things and nothing else: polynomials are equal when they expand to the same
terms; a square and a squared norm are never negative; sums and products of what is not negative are
not negative; and if q > 0 then q p >= 0 gives p >= 0. Induction is two of these.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from .._result import SEAL, BadArgument, Result
from .notation import text as written
from .polynomials import SymbolicPolynomial, Vector
from .statements import Cases, Combination, Fact, Induction, Lemma, SumOfTerms, Term, Theorem


class Refused(Exception):
    """The one identity or sign that fails, in words."""


@dataclass(frozen=True)
class ProofCheck(Result):
    """The verdict on a theorem."""

    theorem: Theorem
    verdict: str  #: "proved" or "refuted" (the proof, not the statement)
    reason: str  #: the one identity or sign that fails; "" if proved
    line: str  #: the name of the line that fails; "" if proved
    unneeded: tuple[str, ...]  #: assumptions that the proof never uses

    @property
    def holds(self) -> bool:
        """True for "proved" alone."""
        return self.verdict == "proved"

    def __str__(self) -> str:
        """Return the verdict as a sentence, and under it what was proved."""
        proved = self.theorem.conclusion if self.holds else ()
        return "\n".join([self.sentence, *(f"    {fact}" for fact in proved)])

    @property
    def sentence(self) -> str:
        """The verdict as a sentence."""
        if self.changed:
            return f"{self.theorem.name}: {self.reason}"
        if not self.holds:
            return f"{self.theorem.name}: refuted at line {self.line!r}: {self.reason}"
        idle = f"; not needed: {', '.join(self.unneeded)}" if self.unneeded else ""
        return f"{self.theorem.name}: proved, every line expanded in fractions{idle}"


@dataclass(frozen=True)
class Known:
    """A fact that may be used: where it holds, and which assumptions it rests on."""

    fact: Fact
    scope: str  #: always, run (before and after every step), step (during one), end
    rests_on: frozenset[str]


def check(theorem: Theorem) -> ProofCheck:
    """Decide whether the certificate proves the theorem, line by line.

    Parameters
    ----------
    theorem : a statement with its proof as sums

    Examples
    --------
    >>> theorems.check(theorems.MISTAKE_BOUND).holds
    True
    """
    if not isinstance(theorem, Theorem):
        raise BadArgument(f"theorem must be a Theorem such as theorems.KKT, not {theorem!r}.")
    if not theorem.conclusion:
        nothing = "nothing is claimed: write what follows, say conclusion=('bound: k <= B',)"
        return ProofCheck(theorem, "refuted", nothing, "conclusion", (), _seal=SEAL)
    for name in ("conclusion", "proof", "always", "each", "end"):
        if not isinstance(getattr(theorem, name), tuple):
            return ProofCheck(theorem, "refuted", f"{name} is no tuple", name, (), _seal=SEAL)
    return check_lines(theorem)


def check_lines(theorem: Theorem) -> ProofCheck:
    """Check the lines of a theorem, and what it concludes, if anything."""
    known: dict[str, Known] = {}
    name = "assumptions"
    try:
        known = assumed(theorem)
        for line in theorem.proof:
            goal = theorem.fact(line.goal)
            name = goal.name
            if name in known or name in theorem.numbers.split() + theorem.vectors.split():
                raise Refused(f"the name {name!r} is taken")
            known[name] = RULES[type(line)](theorem, line, goal, known)
        name = "conclusion"
        needed = frozenset().union(
            *(concluded(theorem, text, known) for text in theorem.conclusion)
        )
    except (Refused, ValueError) as error:
        return ProofCheck(theorem, "refuted", str(error), name, (), _seal=SEAL)
    except (AttributeError, KeyError, TypeError) as error:
        message = f"this part of the theorem is not written as the others are ({error})"
        return ProofCheck(theorem, "refuted", message, name, (), _seal=SEAL)
    unneeded = tuple(a for a in theorem.assumptions if a not in needed)
    return ProofCheck(theorem, "proved", "", "", unneeded, _seal=SEAL)


def assumed(theorem: Theorem) -> dict[str, Known]:
    """Return the assumptions with their scopes; what never changes must not mention the state."""
    state, fresh = set(theorem.step), set(theorem.fresh.split())
    if set(theorem.start) != state or (theorem.each and not state):
        raise Refused("start and step must name the same letters, the state")
    vectors = set(theorem.vectors.split())
    for name, thing in (*theorem.starting.items(), *theorem.stepping.items()):
        if isinstance(thing, Vector) != (name in vectors):
            kinds = ("vector", "number") if name in vectors else ("number", "vector")
            raise Refused(f"{name!r} is a {kinds[0]}, but its start or step is a {kinds[1]}")
    known: dict[str, Known] = {}
    for scope, texts, foreign in (
        ("always", theorem.always, state | fresh),
        ("step", theorem.each, set()),
        ("end", theorem.end, fresh),
    ):
        for fact in map(theorem.fact, texts):
            if foreign & fact.p.names:
                raise Refused(f"{fact.name!r} is assumed {scope}, but mentions what changes")
            if fact.name in {*known, *theorem.numbers.split(), *theorem.vectors.split()}:
                raise Refused(f"the name {fact.name!r} is taken")
            known[fact.name] = Known(fact, scope, frozenset([fact.name]))
    return known


def by_sum(theorem: Theorem, line: Combination, goal: Fact, known: Mapping[str, Known]) -> Known:
    """Check goal * over = sum, and every sign."""
    used = certified(theorem, goal, line.by, line.over, known)
    return Known(goal, scope_of(theorem, goal, used, known), rests(used, known))


def by_cases(theorem: Theorem, line: Cases, goal: Fact, known: Mapping[str, Known]) -> Known:
    """Check both cases, and that one of them is always true."""
    facts = [theorem.fact(text) for text, _, _ in line.cases]
    if len(facts) != 2 or facts[0].p != -facts[1].p or {f.kind for f in facts} != {">", ">="}:
        raise Refused("two cases are needed, one p >= 0 and the other p < 0")
    if taken := {f.name for f in facts} & known.keys():
        raise Refused(f"the name {min(taken)!r} is taken")
    used: set[str] = set()
    for fact, (_, by, over) in zip(facts, line.cases):
        case = Known(fact, "always", frozenset())
        used |= certified(theorem, goal, by, over, {**known, fact.name: case}) - {fact.name}
    return Known(goal, scope_of(theorem, goal, used, known), rests(used, known))


def by_induction(
    theorem: Theorem, line: Induction, goal: Fact, known: Mapping[str, Known]
) -> Known:
    """Check the goal at the start, and after a step from the goal before it."""
    if not theorem.step:
        raise Refused("there are no steps to go along")
    if goal.p.names & set(theorem.fresh.split()):
        raise Refused("an induction cannot speak of what comes new with each step")
    fixed = {n: k for n, k in known.items() if k.scope == "always"}
    used = certified(theorem, goal.at(theorem.starting), line.first, "1", fixed, "at the start: ")
    before = {n: k for n, k in known.items() if k.scope != "end"}
    before[goal.name] = Known(goal, "run", frozenset())
    after = goal.at(theorem.stepping)
    used |= certified(theorem, after, line.by, "1", before, "after a step: ") - {goal.name}
    return Known(goal, "run", rests(used, known))


def by_lemma(theorem: Theorem, line: Lemma, goal: Fact, known: Mapping[str, Known]) -> Known:
    """Check that another theorem, proved and without assumptions, says this."""
    proof = check(line.theorem)
    if not proof.holds:
        raise Refused(f"the lemma {line.theorem.name!r} is not proved: {proof.reason}")
    if line.theorem.assumptions or line.theorem.step:
        raise Refused(f"the lemma {line.theorem.name!r} has assumptions of its own")
    put = {name: theorem.expression(text) for name, text in line.put.items()}
    says = [line.theorem.fact(text).at(put) for text in line.theorem.conclusion]
    if not any(goal.p == fact.p and implied(fact.kind, goal.kind) for fact in says):
        raise Refused(f"the lemma {line.theorem.name!r} says something else")
    return Known(goal, scope_of(theorem, goal, set(), known), frozenset())


RULES: dict[type, Callable[..., Known]] = {
    Combination: by_sum,
    Cases: by_cases,
    Induction: by_induction,
    Lemma: by_lemma,
}


def certified(
    theorem: Theorem,
    goal: Fact,
    by: str,
    over: str,
    known: Mapping[str, Known],
    place: str = "",
) -> set[str]:
    """Return the facts used, if goal * over equals the sum and every sign is right."""
    facts = {name: k.fact for name, k in known.items()}
    total, divisor = (theorem.certificate(text, facts) for text in (by, over))
    left_over = goal.p * divisor.value(facts) - total.value(facts)
    if left_over.terms:
        raise Refused(f"{place}the two sides differ; left over: {written.polynomial(left_over)}")
    used, strict = signs(total, facts, place)
    by_divisor, positive = signs(divisor, facts, place)
    if not positive:
        raise Refused(
            f"{place}divided by {written.polynomial(divisor.value(facts))}, which may be 0"
        )
    if goal.kind == "=" and not all(is_zero(term, facts) for term in total.terms):
        raise Refused(f"{place}an equation needs a sum of multiples of equations")
    if goal.kind == ">" and not strict:
        raise Refused(f"{place}the sum may be 0, and more than 0 is claimed")
    return used | by_divisor


def signs(total: SumOfTerms, facts: Mapping[str, Fact], place: str = "") -> tuple[set[str], bool]:
    """Return the facts that the signs rest on, and whether the sum is > 0."""
    used, strict = set(), False
    for term in total.terms:
        used |= set(term.facts)
        if is_zero(term, facts):
            continue
        used |= sign_of_factor(term, facts, place)
        bare = (
            not term.squares
            and not term.norms
            and all(facts[name].kind == ">" for name in term.facts)
        )
        if bare and (reasons := positive(term.factor, facts)) is not None:
            used |= reasons
            strict = True
    return used, strict


def sign_of_factor(term: Term, facts: Mapping[str, Fact], place: str) -> set[str]:
    """Return the facts that make the bare factor of a term >= 0, or refuse it by name."""
    factor, terms = written.polynomial(term.factor) + of_what(term), term.factor.terms
    if len(terms) == 1 and all(c < 0 and not m for m, c in terms.items()):
        raise Refused(f"{place}the coefficient {factor} is negative")
    odd = {atom for m in terms for atom, e in m if e % 2 and not is_norm(atom)}
    signs = {sign_of(atom, facts, (">", ">=")) for atom in odd}
    reasons = {sign for sign in signs if sign is not None}
    if len(reasons) < len(signs) or any(c < 0 for c in terms.values()):
        raise Refused(f"{place}the factor {factor} has no known sign")
    return reasons


def positive(factor: SymbolicPolynomial, facts: Mapping[str, Fact]) -> set[str] | None:
    """Return the facts that make one monomial of a factor > 0, or None."""
    for monomial in factor.terms:
        signs = {sign_of(atom, facts, (">",)) for atom, _ in monomial}
        reasons = {sign for sign in signs if sign is not None}
        if reasons == signs:
            return reasons
    return None


def sign_of(atom: str, facts: Mapping[str, Fact], kinds: tuple[str, ...]) -> str | None:
    """Return the name of a fact that says atom >= 0 or atom > 0."""
    names = (n for n, f in facts.items() if f.kind in kinds and f.p == SymbolicPolynomial.of(atom))
    return next(names, None)


def is_norm(atom: str) -> bool:
    """Say whether an atom is the inner product of a vector with itself."""
    first, *second = atom.split(".")
    return [first] == second


def is_zero(term: Term, facts: Mapping[str, Fact]) -> bool:
    """Say whether a term is a multiple of an equation."""
    return any(facts[name].kind == "=" for name in term.facts)


def concluded(theorem: Theorem, text: str, known: Mapping[str, Known]) -> frozenset[str]:
    """Return the assumptions that a conclusion rests on, or refuse: it was never shown."""
    goal = theorem.fact(text)
    for k in known.values():
        if k.fact.p == goal.p and implied(k.fact.kind, goal.kind) and k.scope != "step":
            return k.rests_on
    raise Refused(f"{goal.name!r} is claimed, but no line shows it")


def scope_of(theorem: Theorem, goal: Fact, used: set[str], known: Mapping[str, Known]) -> str:
    """Return where a line holds: where everything does that it uses."""
    scopes = {known[name].scope for name in used}
    if goal.p.names & set(theorem.fresh.split()):
        scopes.add("step")
    if {"step", "end"} <= scopes:
        raise Refused("what holds during a step and what holds at the end do not meet")
    order = ("end", "step", "run", "always")
    return next((scope for scope in order if scope in scopes), "run")


def implied(known: str, wanted: str) -> bool:
    """Say whether a fact of one kind gives one of the other."""
    return known == wanted or wanted == ">="


def rests(used: set[str], known: Mapping[str, Known]) -> frozenset[str]:
    """Return the assumptions below the facts used."""
    return frozenset().union(*(known[name].rests_on for name in used))


def of_what(term: Term) -> str:
    """Name what a factor multiplies."""
    rest = replace(term, factor=SymbolicPolynomial.of(1))
    named = written.certificate(SumOfTerms((rest,)))
    return f" of {named}" if (rest.facts or rest.squares or rest.norms) else ""
