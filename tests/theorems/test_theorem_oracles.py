"""Two oracles for the theorems that share no line with the checker: sympy expands, z3 decides.

Both read the same texts, but through an evaluator of their own. For sympy vectors have coordinates.
For z3 they have none where something is to be impossible (each inner product is a number, and the
squared norms that a certificate names are >= 0), and coordinates in the plane where z3 is to find a
counterexample.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import pytest
import sympy

from lectures_lib import theorems
from lectures_lib.theorems import Cases, Induction, Theorem

z3 = pytest.importorskip("z3", reason="z3 has no wheel for this system")

#: z3 counts its own steps: the limit is the same on every machine.
STEPS = 2_000_000


class Combination:
    """A sum of named vectors; `product` says what the inner product of two names is."""

    def __init__(self, parts, product):
        self.parts, self.product = parts, product

    def plus(self, other, sign=1):
        names = {**self.parts, **other.parts}
        added = {n: self.parts.get(n, 0) + sign * other.parts.get(n, 0) for n in names}
        return Combination(added, self.product)

    def times(self, number):
        return Combination({n: c * number for n, c in self.parts.items()}, self.product)

    def dot(self, other):
        pairs = ((a, b) for a in self.parts for b in other.parts)
        return sum(self.parts[a] * other.parts[b] * self.product(a, b) for a, b in pairs)


def read(text: str, names: dict, norms: list | None = None):
    """Evaluate a text; collect the squared norms that occur."""
    return walk(ast.parse(text.strip().replace("^", "**"), mode="eval").body, names, norms)


def walk(node, names, norms):
    def go(inner):
        return walk(inner, names, norms)

    if isinstance(node, ast.Constant):
        return node.value
    if isinstance(node, ast.Name):
        return names[node.id]
    if isinstance(node, ast.Attribute):
        return go(node.value).dot(names[node.attr])
    if isinstance(node, ast.UnaryOp):
        return times(go(node.operand), -1)
    if isinstance(node, ast.Call):
        return called(node.func.id, go(node.args[0]), norms)
    left, right = go(node.left), go(node.right)
    return {
        ast.Add: lambda: plus(left, right, 1),
        ast.Sub: lambda: plus(left, right, -1),
        ast.Mult: lambda: times(left, right),
        ast.Div: lambda: times(left, share(left, right)),
        ast.MatMult: lambda: left.dot(right),
        ast.Pow: lambda: power(left, right),
    }[type(node.op)]()


def share(left, n):
    """Return 1/n as the oracle writes it."""
    return z3.Q(1, n) if isinstance(left, z3.ExprRef) else sympy.Rational(1, n)


def called(name, inner, norms):
    if name == "sq":
        return inner * inner
    square = inner.dot(inner)
    if norms is not None:
        norms.append(square)
    return square


def plus(a, b, sign):
    return a.plus(b, sign) if isinstance(a, Combination) else a + sign * b


def times(a, b):
    if isinstance(a, Combination):
        return a.times(b)
    return b.times(a) if isinstance(b, Combination) else a * b


def power(a, n):
    result = a
    for _ in range(n - 1):
        result = result * a
    return result


def letters(theorem: Theorem, real, d: int | None) -> dict:
    """Return symbols for all letters: vectors with d coordinates, or without any (None)."""

    def product(a, b):
        if d is None:
            return real(".".join(sorted((a, b))))
        return sum(real(f"{a}[{i}]") * real(f"{b}[{i}]") for i in range(d))

    vectors = {n: Combination({n: 1}, product) for n in theorem.vectors.split()}
    return {n: real(n) for n in theorem.numbers.split()} | vectors


def sides(fact: str) -> tuple[str, str, str, str]:
    """Return name, left, relation, right of a fact's text."""
    name, rest = fact.split(":", 1)
    left, relation, right = re.split(r"(>=|<=|=|>|<)", rest, maxsplit=1)
    return name.strip(), left, relation, right


def difference(fact: str, names: dict):
    """Return the larger side minus the smaller."""
    _, left, relation, right = sides(fact)
    a, b = read(left, names), read(right, names)
    return b - a if "<" in relation else a - b


def claim(fact: str, names: dict):
    """Return the fact as a formula."""
    _, _, relation, _ = sides(fact)
    p = difference(fact, names)
    return p == 0 if relation == "=" else p > 0 if relation in "<>" else p >= 0


@dataclass(frozen=True)
class Duty:
    """One identity of a proof: the goal times `over` is `by`, given the facts."""

    theorem: Theorem
    goal: str
    state: dict  #: the texts that replace the state in the goal
    facts: dict[str, str]  #: what may be used
    by: str
    over: str
    case: str = ""

    def goal_letters(self, names: dict) -> dict:
        """Return the letters with the state replaced."""
        empty = Combination({}, None)
        new = {
            n: empty if t == "0" and n in self.theorem.vectors.split() else read(t, names)
            for n, t in self.state.items()
        }
        return names | new

    @property
    def used(self) -> list[str]:
        """The facts that the certificate names."""
        words = re.findall(r"\w+", f"{self.by} {self.over}")
        return [name for name in self.facts if name in words]

    def __str__(self):
        """Return a short name."""
        return f"{self.theorem.name}: {sides(self.goal)[0]}"


def duties(theorem: Theorem) -> Iterator[Duty]:
    """Yield every identity that the proof of a theorem rests on."""
    facts = {sides(f)[0]: f for f in (*theorem.always, *theorem.each, *theorem.end)}
    for line in theorem.proof:
        name = sides(line.goal)[0]
        if isinstance(line, theorems.Combination):
            yield Duty(theorem, line.goal, {}, dict(facts), line.by, line.over)
        if isinstance(line, Cases):
            for case, by, over in line.cases:
                known = facts | {sides(case)[0]: case}
                yield Duty(theorem, line.goal, {}, known, by, over, sides(case)[0])
        if isinstance(line, Induction):
            yield Duty(theorem, line.goal, theorem.start, dict(facts), line.first, "1")
            known = facts | {name: line.goal}
            yield Duty(theorem, line.goal, theorem.step, known, line.by, "1")
        facts[name] = line.goal


#: the theorems that are no other theorem with other words
DIFFERENT = [
    t
    for t in theorems.CATALOGUE.values()
    if t not in (theorems.KERNEL_BOUND, theorems.STRUCTURED_BOUND, theorems.SHATTERED)
    and t != theorems.STRUCTURED_HINGE_BOUND
]
#: z3 gives up on this sum of squares in 15 letters; sympy does not
TOO_HARD = [theorems.PRODUCT_RULE]
DUTIES = [duty for theorem in DIFFERENT for duty in duties(theorem)]


# --- sympy ---


@pytest.mark.parametrize("theorem", DIFFERENT, ids=lambda t: t.name)
def test_sympy_expands_every_identity_to_zero(theorem):
    names = letters(theorem, cache(sympy.Symbol), d=2)
    for duty in duties(theorem):
        p = difference(duty.goal, duty.goal_letters(names))
        values = {n: difference(f, names) for n, f in duty.facts.items()}
        over, by = (read(text, names | values) for text in (duty.over, duty.by))
        assert sympy.expand(p * over - by) == 0, duty


# --- z3 ---


def decide(formulas) -> str:
    solver = z3.Solver()
    solver.set("rlimit", STEPS)
    solver.add(*formulas)
    return str(solver.check())


def signs_of_letters(duty: Duty, names: dict, without: str) -> list:
    """Return the facts about one letter: bare factors of a certificate rest on them."""
    numbers = duty.theorem.numbers.split()
    others = (f for n, f in duty.facts.items() if n != without and sides(f)[3].strip() == "0")
    return [claim(f, names) for f in others if sides(f)[1].strip() in numbers]


def formulas(duty: Duty, names: dict, without: str = "") -> list:
    """Return the facts used (but one), the norms named, and the negation of the goal."""
    norms: list = []
    values = {n: difference(f, names) for n, f in duty.facts.items()}
    read(duty.by, names | values, norms)
    norms += [names[n].dot(names[n]) for n in duty.theorem.vectors.split()]
    given = [claim(duty.facts[n], names) for n in duty.used if n != without]
    goal = claim(duty.goal, duty.goal_letters(names))
    signs = signs_of_letters(duty, names, without)
    return [*given, *signs, *(n >= 0 for n in norms), z3.Not(goal)]


@pytest.mark.parametrize("duty", [d for d in DUTIES if d.theorem not in TOO_HARD], ids=str)
def test_z3_finds_no_counterexample_to_any_line_in_any_space(duty):
    names = letters(duty.theorem, z3.Real, d=None)
    assert decide(formulas(duty, names)) == "unsat"


@pytest.mark.parametrize(
    "theorem", [t for t in DIFFERENT if not t.step and t not in TOO_HARD], ids=lambda t: t.name
)
def test_z3_confirms_each_statement_without_steps_and_never_sees_the_certificate(theorem):
    names = letters(theorem, z3.Real, d=2)
    given = [claim(fact, names) for fact in theorem.always]
    for goal in theorem.conclusion:
        assert decide([*given, z3.Not(claim(goal, names))]) == "unsat"


ASSUMED = [(t, name) for t in DIFFERENT for name in t.assumptions]


@pytest.mark.parametrize(("theorem", "name"), ASSUMED, ids=lambda v: getattr(v, "name", v))
def test_without_any_one_assumption_z3_breaks_a_line_with_vectors_in_the_plane(theorem, name):
    names = letters(theorem, z3.Real, d=2)
    users = [duty for duty in duties(theorem) if name in duty.used]
    assert "sat" in {decide(formulas(duty, names, without=name)) for duty in users}
