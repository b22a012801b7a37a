"""Theorems and their certificates as data: facts, sums of facts, lines, theorems.

A fact says that one polynomial is at least another one: ``"radius: z.z <= R^2"``. A certificate is
a sum, ``"start + 2*mistake + radius"``, of numbers times facts, squares ``sq(a - b)`` and squared
norms ``norm(w - u)``, or products of these. `checker` decides whether it proves what it should.
"""

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from .._result import BadArgument, frozen
from .polynomials import SymbolicPolynomial, Vector, combine, evaluate, parse, tree

#: Each relation with the ones in which the larger side stands first.
TURNED = {">=": ">=", ">": ">", "=": "=", "<=": ">=", "<": ">"}


@dataclass(frozen=True)
class Fact:
    """A statement about polynomials: left, a relation, right."""

    name: str
    left: SymbolicPolynomial
    relation: str  #: >=, >, =, <= or <, as it was written
    right: SymbolicPolynomial

    @property
    def p(self) -> SymbolicPolynomial:
        """What is >= 0, > 0 or = 0 if the fact is true: the larger side minus the smaller."""
        return self.right - self.left if "<" in self.relation else self.left - self.right

    @property
    def kind(self) -> str:
        """The relation of p to 0: >=, > or =."""
        return TURNED[self.relation]

    def at(self, values: Mapping) -> "Fact":
        """Replace names on both sides."""
        return replace(self, left=self.left.at(values), right=self.right.at(values))


@dataclass(frozen=True)
class Term:
    """One summand of a certificate: factor * facts * squares * norms."""

    factor: SymbolicPolynomial = field(default_factory=lambda: SymbolicPolynomial.of(1))
    facts: tuple[str, ...] = ()
    squares: tuple[SymbolicPolynomial, ...] = ()
    norms: tuple[Vector, ...] = ()

    def __mul__(self, other: "Term"):
        """Join the factors of both."""
        factor, facts = self.factor * other.factor, self.facts + other.facts
        return Term(factor, facts, self.squares + other.squares, self.norms + other.norms)

    def value(self, facts: Mapping[str, Fact]) -> SymbolicPolynomial:
        """Return the polynomial that this summand is."""
        total = self.factor
        for name in self.facts:
            total = total * facts[name].p
        for q in self.squares:
            total = total * q * q
        for v in self.norms:
            total = total * (v @ v)
        return total


@dataclass(frozen=True)
class SumOfTerms:
    """A sum of terms; + - * act as on polynomials."""

    terms: tuple[Term, ...]

    def __add__(self, other: "SumOfTerms"):
        """Put both sums together."""
        return SumOfTerms(self.terms + other.terms)

    def __neg__(self):
        """Turn every sign."""
        return self * SumOfTerms((Term(SymbolicPolynomial.of(-1)),))

    def __sub__(self, other: "SumOfTerms"):
        """Subtract; the checker will refuse what becomes negative."""
        return self + -other

    def __mul__(self, other: "SumOfTerms"):
        """Multiply every term with every other."""
        return SumOfTerms(tuple(s * t for s in self.terms for t in other.terms))

    def value(self, facts: Mapping[str, Fact]) -> SymbolicPolynomial:
        """Return the polynomial that the sum is."""
        return sum((term.value(facts) for term in self.terms), SymbolicPolynomial())


@dataclass(frozen=True)
class Combination:
    """A line whose goal, times something > 0, is a sum of multiples of facts.

    Parameters
    ----------
    goal : "name: left <= right"
    by : the sum, in the names of facts, numbers and squares
    over : what the goal is multiplied with

    Examples
    --------
    >>> theorems.Combination("long: w.w <= k*R^2", "long + 2*mistake + radius").over
    '1'
    """

    goal: str
    by: str
    over: str = "1"  #: what the goal is multiplied with; a certificate that it is > 0


@dataclass(frozen=True)
class Cases:
    """A line proved twice, under two assumptions one of which is always true."""

    goal: str
    cases: tuple[tuple[str, str, str], ...]  #: (assumption, by, over)


@dataclass(frozen=True)
class Induction:
    """A line proved for the start and, if it was true before a step, after the step."""

    goal: str
    by: str
    first: str = "0"


@dataclass(frozen=True)
class Lemma:
    """A line that is the conclusion of another theorem, with other letters."""

    goal: str
    theorem: "Theorem"
    put: Mapping[str, str]


Line = Combination | Cases | Induction | Lemma


@dataclass(frozen=True)
class Theorem:
    """A statement and its proof, as data. `str` writes it out; `check` decides it."""

    name: str
    says: str  #: the statement in words
    conclusion: tuple[str, ...]
    proof: tuple[Line, ...]
    numbers: str = ""
    vectors: str = ""
    always: tuple[str, ...] = ()  #: assumptions about what never changes
    each: tuple[str, ...] = ()  #: assumptions about every step
    end: tuple[str, ...] = ()  #: assumptions about the state at the end
    start: Mapping[str, str] = field(default_factory=dict)  #: the state before the first step
    step: Mapping[str, str] = field(default_factory=dict)  #: what a step makes of it
    fresh: str = ""  #: what comes new with every step
    where: str = ""  #: what the letters mean
    claim: str = ""  #: its row in CLAIMS.md
    source: str = ""  #: the lectures

    def __post_init__(self) -> None:
        """Lock what a check reads more than once, and what it prints."""
        for name in ("conclusion", "proof", "always", "each", "end"):
            given = getattr(self, name)
            object.__setattr__(self, name, tuple(given) if isinstance(given, list) else given)
        for name in ("start", "step"):
            given = getattr(self, name)
            if not isinstance(given, Mapping):
                raise ValueError(f"{name} of a theorem is a dictionary of texts, not {given!r}.")
            object.__setattr__(self, name, frozen(dict(given)))

    def fact(self, text: str) -> Fact:
        """Read ``"name: left >= right"`` in this theorem's letters."""
        return read_fact(text, self.numbers, self.vectors)

    def expression(self, text: str) -> SymbolicPolynomial | Vector:
        """Read a polynomial or a vector in this theorem's letters."""
        return parse(text, self.numbers.split(), self.vectors.split())

    def certificate(self, text: str, facts: Mapping[str, Fact]) -> SumOfTerms:
        """Read a sum of facts, squares and norms."""
        letters: dict[str, Any] = {n: SymbolicPolynomial.of(n) for n in self.numbers.split()}
        letters |= {n: Vector.named(n) for n in self.vectors.split()}
        return _sum_of(tree(text), letters, facts)

    @property
    def assumptions(self) -> dict[str, Fact]:
        """All assumptions by name."""
        facts = (self.fact(text) for text in (*self.always, *self.each, *self.end))
        return {fact.name: fact for fact in facts}

    @property
    def starting(self) -> dict:
        """The start as polynomials and vectors."""
        return self._state(self.start)

    @property
    def stepping(self) -> dict:
        """What a step makes of the state, as polynomials and vectors."""
        return self._state(self.step)

    def _state(self, texts: Mapping[str, str]) -> dict:
        zero = {name: Vector({}) for name in self.vectors.split()}
        return {
            n: zero[n] if t == "0" and n in zero else self.expression(t) for n, t in texts.items()
        }

    def __str__(self) -> str:
        """Return the proof as a person writes it, and the verdict."""
        from .writing import as_text

        return as_text(self)

    def _repr_markdown_(self) -> str:
        from .writing import as_markdown

        return as_markdown(self)

    def _repr_pretty_(self, printer, cycle: bool) -> None:
        printer.text(str(self))


@cache
def read_fact(text: str, numbers: str, vectors: str) -> Fact:
    """Read ``"radius: z.z <= R^2"`` in these letters."""
    found = re.fullmatch(r"\s*(\w+)\s*:(.*?)(>=|<=|=|>|<)(.*)", text)
    if found is None:
        raise BadArgument(f"{text!r} is no fact. Write, say, radius: z.z <= R^2")
    name, left, relation, right = found.groups()
    sides: list[Any] = [parse(s, numbers.split(), vectors.split()) for s in (left, right)]
    if any(isinstance(side, Vector) for side in sides):
        raise BadArgument(f"{text!r} compares vectors; a fact compares numbers.")
    return Fact(name, sides[0], relation, sides[1])


def _sum_of(node: ast.expr, letters: Mapping, facts: Mapping[str, Fact]) -> SumOfTerms:
    """Return the certificate that a syntax tree stands for, like terms put together."""
    found = _part(node, letters, facts)
    if not isinstance(found, SumOfTerms):
        return _lifted(found, facts)
    bare = [t for t in found.terms if not (t.facts or t.squares or t.norms)]
    rest = SumOfTerms(tuple(t for t in found.terms if t.facts or t.squares or t.norms))
    return _collected(rest + _lifted(sum((t.factor for t in bare), SymbolicPolynomial()), facts))


def _collected(total: SumOfTerms) -> SumOfTerms:
    """Add the coefficients of products of the same facts: 2 mistake - mistake is mistake."""
    kept: dict = {}
    for i, term in enumerate(total.terms):
        alike = tuple(sorted(term.facts)) if not term.squares and not term.norms else i
        factor = kept[alike].factor + term.factor if alike in kept else term.factor
        kept[alike] = replace(kept.get(alike, term), factor=factor)
    return SumOfTerms(tuple(term for term in kept.values() if term.factor.terms))


def _part(node: ast.expr, letters: Mapping, facts: Mapping[str, Fact]):
    """Return a certificate, or a polynomial where no fact, square or norm occurs."""
    match node:
        case ast.Name(id=name) if name in facts:
            return SumOfTerms((Term(facts=(name,)),))
        case ast.Call(func=ast.Name(id="sq"), args=[inner]):
            return _square(evaluate(inner, _values(facts) | dict(letters)))
        case ast.Call(func=ast.Name(id="norm"), args=[inner]):
            v = evaluate(inner, _values(facts) | dict(letters))
            if not isinstance(v, Vector):
                raise BadArgument("norm( ) needs a vector; the square of a number is sq( ).")
            return SumOfTerms((Term(norms=(v,)),))
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_part(inner, letters, facts)
        case ast.BinOp(left=left, op=op, right=right):
            sides = [_part(side, letters, facts) for side in (left, right)]
            if isinstance(op, ast.Pow) and _is_a_written_square(*sides):
                return _square(sides[0])
            return _combined(op, sides[0], sides[1], facts)
        case ast.Name(id=name) if name not in letters:
            known = ", ".join([*facts, *letters])
            raise BadArgument(f"{name!r} is neither a fact nor a letter; there are {known}.")
    return evaluate(node, letters)


def _square(thing) -> SumOfTerms:
    return SumOfTerms((Term(squares=(_polynomial(thing),)),))


def _is_a_written_square(base, exponent) -> bool:
    """Say whether this is the square of a sum, (q - t)^2, whose sign is known as it stands."""
    both = isinstance(base, SymbolicPolynomial) and isinstance(exponent, SymbolicPolynomial)
    return both and len(base.terms) > 1 and exponent.constant == 2


def _values(facts: Mapping[str, Fact]) -> dict[str, Any]:
    """Return what the names of facts stand for inside sq( ) and norm( )."""
    return {name: fact.p for name, fact in facts.items()}


def _combined(op: ast.operator, left, right, facts: Mapping[str, Fact]):
    if not isinstance(left, SumOfTerms) and not isinstance(right, SumOfTerms):
        if not any(_is_fact(side, facts) for side in (left, right)):
            return combine(op, left, right)
    if isinstance(op, ast.Pow):
        return _power(left if isinstance(left, SumOfTerms) else _lifted(left, facts), right)
    if isinstance(op, ast.Div):
        left = left if isinstance(left, SumOfTerms) else _lifted(left, facts)
        return left * _lifted(combine(op, SymbolicPolynomial.of(1), right), {})
    sides = (s if isinstance(s, SumOfTerms) else _lifted(s, facts) for s in (left, right))
    return combine(op, *sides)


def _power(base: SumOfTerms, exponent) -> SumOfTerms:
    times = exponent.constant if isinstance(exponent, SymbolicPolynomial) else None
    if times is None or times not in range(1, 9):
        raise BadArgument("A power of a fact needs a small whole number.")
    result = base
    for _ in range(int(times) - 1):
        result = result * base
    return result


def _is_fact(thing, facts: Mapping[str, Fact]) -> bool:
    """Say whether a polynomial, written out, is a multiple of a fact."""
    return isinstance(thing, SymbolicPolynomial) and any(
        t.facts for t in _lifted(thing, facts).terms
    )


def _lifted(thing, facts: Mapping[str, Fact]) -> SumOfTerms:
    """Return a polynomial as a term: a multiple of a fact, if it is one, or a bare factor."""
    p = _polynomial(thing)
    if len(p.terms) > 1 or any(c < 0 for c in p.terms.values()):
        for fact in facts.values():
            share = _multiple(p, fact.p)
            if share is not None:
                return SumOfTerms((Term(share, (fact.name,)),))
    return SumOfTerms((Term(p),)) if p.terms else SumOfTerms(())


def _multiple(p: SymbolicPolynomial, q: SymbolicPolynomial) -> SymbolicPolynomial | None:
    """Return the number c > 0 with p = c q, or None."""
    for monomial, c in q.terms.items():
        share = SymbolicPolynomial.of(p.terms.get(monomial, 0) / c)
        return share if (share.constant or 0) > 0 and share * q == p else None
    return None


def _polynomial(thing) -> SymbolicPolynomial:
    if isinstance(thing, SymbolicPolynomial):
        return thing
    raise BadArgument("A vector stands where a number is needed: write norm( ) or a dot.")
