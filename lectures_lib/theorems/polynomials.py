"""Polynomials with fractions for coefficients, in numbers and in inner products of vectors.

A polynomial is a dictionary: monomial -> coefficient. A monomial is a sorted tuple of
(atom, exponent); an atom is a number's name, ``"gamma"``, or an inner product, ``"w.u"``. Vectors
have no coordinates here: all that is known of them is that the inner product is linear in each
place and symmetric. So what is proved holds in every space that has one: the plane, phi-space
through a kernel, the features of a structure.
"""

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any, TypeVar

from .._result import BadArgument, FrozenDict, frozen

#: What the operators act on: polynomials, vectors, or certificates of them.
T = TypeVar("T")
Number = int | Fraction
Monomial = tuple[tuple[str, int], ...]

#: The order in which the lectures write letters: k gamma, C xi, w.x, and w.u rather than u.w.
ORDER = "k T n r m t s q c alpha a d eta e y b B C D L R gamma xi A S X w v z x u".split()


def place(atom: str) -> list[tuple[int, str]]:
    """Return the sort key of an atom: first the lecture's order, then the alphabet."""
    return [(ORDER.index(n) if n in ORDER else len(ORDER), n) for n in atom.split(".")]


class SymbolicPolynomial:
    """A sum of monomials with exact coefficients; +, -, * and ** are those of algebra.

    Facts are kept and used again, so nobody can change the terms of a polynomial.
    """

    __slots__ = ("_terms",)

    def __init__(self, terms: Mapping[Monomial, Number] | None = None):
        self._terms = FrozenDict({m: Fraction(c) for m, c in (terms or {}).items() if c != 0})

    @property
    def terms(self) -> Mapping[Monomial, Fraction]:
        """The coefficient of each monomial."""
        return self._terms

    @classmethod
    def of(cls, thing: "SymbolicPolynomial | Number | str") -> "SymbolicPolynomial":
        """Return a polynomial as it is, a number as a constant, a name as a variable."""
        if isinstance(thing, SymbolicPolynomial):
            return thing
        if isinstance(thing, str):
            return cls({((thing, 1),): 1})
        return cls({(): Fraction(thing)})

    def __add__(self, other):
        """Add, monomial by monomial."""
        terms = dict(self.terms)
        for m, c in SymbolicPolynomial.of(other).terms.items():
            terms[m] = terms.get(m, 0) + c
        return SymbolicPolynomial(terms)

    def __mul__(self, other):
        """Multiply each monomial with each."""
        if isinstance(other, Vector):
            return NotImplemented
        terms: dict[Monomial, Fraction] = {}
        for m, c in self.terms.items():
            for n, d in SymbolicPolynomial.of(other).terms.items():
                product = _together(m, n)
                terms[product] = terms.get(product, 0) + c * d
        return SymbolicPolynomial(terms)

    def __pow__(self, exponent: int):
        """Multiply with itself."""
        result = SymbolicPolynomial.of(1)
        for _ in range(exponent):
            result = result * self
        return result

    def __neg__(self):
        """Return minus this."""
        return self * -1

    def __sub__(self, other):
        """Subtract, monomial by monomial."""
        return self + -SymbolicPolynomial.of(other)

    def __rsub__(self, other):
        """Subtract from a number."""
        return -self + other

    __radd__, __rmul__ = __add__, __mul__

    def __eq__(self, other) -> bool:
        """Say whether both are the same polynomial, that is, equal for all values."""
        return isinstance(other, SymbolicPolynomial | int | Fraction) and not (self - other).terms

    __hash__ = None  # type: ignore[assignment]  # equal polynomials may be written in many ways

    @property
    def constant(self) -> Fraction | None:
        """The value, if it is a constant."""
        return self.terms.get((), Fraction(0)) if set(self.terms) <= {()} else None

    @property
    def names(self) -> set[str]:
        """The names of all numbers and vectors that occur."""
        return {name for m in self.terms for atom, _ in m for name in atom.split(".")}

    def at(self, values: Mapping) -> "SymbolicPolynomial":
        """Replace names by polynomials or numbers, vectors by vectors; others stay."""
        total = SymbolicPolynomial()
        for m, c in self.terms.items():
            factors = (_atom_at(atom, values) ** e for atom, e in m)
            total = total + _product(factors) * c
        return total


@dataclass(frozen=True)
class Vector:
    """A sum of named vectors, each times a polynomial; ``v @ w`` is the inner product."""

    parts: Mapping[str, SymbolicPolynomial]

    def __post_init__(self) -> None:
        """Lock the parts."""
        object.__setattr__(self, "parts", frozen(dict(self.parts)))

    @classmethod
    def named(cls, name: str) -> "Vector":
        """Return the vector of this name."""
        return cls({name: SymbolicPolynomial.of(1)})

    def __add__(self, other: "Vector"):
        """Add part by part."""
        names = {**self.parts, **_vector(other).parts}
        zero = SymbolicPolynomial()
        return Vector({n: self.parts.get(n, zero) + other.parts.get(n, zero) for n in names})

    def __mul__(self, number):
        """Stretch by a number or a polynomial."""
        return Vector({name: p * SymbolicPolynomial.of(number) for name, p in self.parts.items()})

    def __neg__(self):
        """Turn round."""
        return self * -1

    def __sub__(self, other: "Vector"):
        """Subtract part by part."""
        return self + -_vector(other)

    __rmul__ = __mul__

    def __matmul__(self, other: "Vector") -> SymbolicPolynomial:
        """Return the inner product, linear in both places."""
        pairs = ((a, b) for a in self.parts for b in _vector(other).parts)
        atoms = (
            SymbolicPolynomial.of(pair(a, b)) * self.parts[a] * other.parts[b] for a, b in pairs
        )
        return sum(atoms, SymbolicPolynomial())


def pair(a: str, b: str) -> str:
    """Return the one name of the inner product of two vectors: w.u is u.w."""
    return ".".join(sorted((a, b), key=place))


def parse(
    text: str, numbers: Iterable[str] = (), vectors: Iterable[str] = ()
) -> "SymbolicPolynomial | Vector":
    """Read a polynomial (or vector) such as ``"k*R^2 - w.w"`` or ``"norm(w + z)"``.

    ``w.u`` and ``v @ w`` are inner products, ``norm(v)`` is the squared norm, ``^`` a power.
    """
    names: dict[str, Any] = {name: SymbolicPolynomial.of(name) for name in numbers}
    names |= {name: Vector.named(name) for name in vectors}
    return evaluate(tree(text), names)


def tree(text: str) -> ast.expr:
    """Return the syntax tree of an expression; nothing of it is ever executed."""
    source = typed(text.strip()).replace("^", "**")
    try:
        found = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError):
        raise BadArgument(
            f"{text!r} is no expression. Write each product with *, as in 2*mistake or k*R^2"
        ) from None
    for node in ast.walk(found):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            written = str(ast.get_source_segment(source, node)).replace("_", "")
            if isfinite(node.value) and Fraction(written) != Fraction(repr(node.value)):
                raise BadArgument(f"{written} has more digits than are kept: write a fraction.")
    return found


#: letters and signs as a question prints them, and as they are typed
GREEK = dict(alpha="α", beta="β", gamma="γ", delta="δ", eta="η", xi="ξ", phi="φ", psi="ψ")
SIGNS = {"−": "-", "–": "-", "×": "*", "·": "@", "⋅": "@", "½": "(1/2)", "¼": "(1/4)", "¾": "(3/4)"}
RAISED, LOWERED, DIGITS = "⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉", "0123456789"


def typed(text: str) -> str:
    """Return an expression as it is typed: α is alpha, R² is R^2, ‖w‖² is w.w, ½ is (1/2)."""
    text = re.sub(r"‖(\w)‖²", r"\1.\1", text)
    text = re.sub("‖([^‖]*)‖²", r"norm(\1)", text)
    text = re.sub(
        f"[{RAISED}]+", lambda m: "^" + m[0].translate(str.maketrans(RAISED, DIGITS)), text
    )
    names = {letter: name for name, letter in GREEK.items()}
    for sign, word in (SIGNS | names | dict(zip(LOWERED, DIGITS))).items():
        text = text.replace(sign, word)
    return text


def evaluate(node: ast.expr, names: Mapping) -> "SymbolicPolynomial | Vector":
    """Return the polynomial or vector that a syntax tree stands for."""
    match node:
        case ast.Constant(value=int(value)):
            return SymbolicPolynomial.of(value)
        case ast.Constant(value=float(value)) if isfinite(value):
            return SymbolicPolynomial.of(Fraction(repr(value)))
        case ast.Name(id=name) if name in names:
            return names[name]
        case ast.Name(id=name):
            raise BadArgument(f"{name!r} is not known here; known are {', '.join(names)}.")
        case ast.Attribute(value=left, attr=right):
            return _vector(evaluate(left, names)) @ _vector(evaluate(ast.Name(right), names))
        case ast.Call(func=ast.Name(id="norm"), args=[inner]):
            v = _vector(evaluate(inner, names))
            return v @ v
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -evaluate(inner, names)
        case ast.BinOp(left=left, op=op, right=right):
            return combine(op, evaluate(left, names), evaluate(right, names))
        case ast.Call(func=left, args=[right]) if _is_factor(left, names):
            product = f"{ast.unparse(left)}*({ast.unparse(right)})"
            raise BadArgument(f"Write each product with *, as in {product}.")
    raise BadArgument(
        f"{ast.unparse(node)!r} is no part of a polynomial: use + - * ^ . and norm( )."
    )


def _is_factor(node: ast.expr, names: Mapping) -> bool:
    """True if what stands before a bracket is no function: a product without its sign."""
    known = isinstance(node, ast.Name) and node.id in names
    return known or isinstance(node, ast.Constant | ast.BinOp)


def combine(op: ast.operator, left: Any, right: Any) -> Any:
    """Return left op right for the operators that polynomials and vectors have."""
    match op:
        case ast.Add() | ast.Sub() if isinstance(left, Vector) != isinstance(right, Vector):
            raise BadArgument("A number and a vector cannot be added.")
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult() if isinstance(left, Vector) and isinstance(right, Vector):
            raise BadArgument("Two vectors are multiplied by a dot: w.u or (w + z) @ u.")
        case ast.Mult():
            return left * right
        case ast.MatMult() if isinstance(left, Vector) or isinstance(right, Vector):
            return _vector(left) @ _vector(right)
        case ast.MatMult():  # a product of numbers, as it is printed
            return left * right
        case ast.Div() if isinstance(right, SymbolicPolynomial) and right.constant:
            return left * (1 / right.constant)
        case ast.Div():
            raise BadArgument("Only a number other than 0 may stand below a fraction line here.")
        case ast.Pow() if isinstance(left, SymbolicPolynomial) and (right.constant or 0) in range(
            1, 9
        ):
            return left ** int(right.constant)
    raise BadArgument("Use + - * ^ (with a small whole number), fractions of numbers, and dots.")


def value(p: SymbolicPolynomial, numbers: Mapping) -> Fraction:
    """Return p at numbers, vectors being given as tuples of coordinates."""
    total = Fraction(0)
    for m, c in p.terms.items():
        for atom, e in m:
            a, *b = atom.split(".")
            size = dot(numbers[a], numbers[b[0]]) if b else Fraction(numbers[a])
            c = c * size**e
        total += c
    return total


def dot(a: Iterable[Number], b: Iterable[Number]) -> Fraction:
    """Return the inner product of two tuples of coordinates."""
    return sum((Fraction(s) * Fraction(t) for s, t in zip(a, b, strict=True)), Fraction(0))


def _together(m: Monomial, n: Monomial) -> Monomial:
    powers = dict(m)
    for atom, e in n:
        powers[atom] = powers.get(atom, 0) + e
    return tuple(sorted(powers.items(), key=lambda item: place(item[0])))


def _atom_at(atom: str, values: Mapping) -> SymbolicPolynomial:
    a, *b = atom.split(".")
    if not b:
        return SymbolicPolynomial.of(values.get(a, a))
    return values.get(a, Vector.named(a)) @ values.get(b[0], Vector.named(b[0]))


def _product(factors: Iterable[SymbolicPolynomial]) -> SymbolicPolynomial:
    result = SymbolicPolynomial.of(1)
    for factor in factors:
        result = result * factor
    return result


def _vector(thing) -> Vector:
    if isinstance(thing, Vector):
        return thing
    raise BadArgument("An inner product or norm( ) needs vectors, not numbers.")
