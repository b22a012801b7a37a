"""Polynomials, vectors, facts and sums as a person writes them: as text and as LaTeX."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from . import polynomials
from .polynomials import DIGITS, GREEK, SymbolicPolynomial, Vector
from .statements import Fact, SumOfTerms, Term

RAISED = str.maketrans(DIGITS, polynomials.RAISED)
LOWERED = str.maketrans(DIGITS, polynomials.LOWERED)
SIGNS = {">=": "≥", "<=": "≤", ">": ">", "<": "<", "=": "="}


@dataclass(frozen=True)
class Hand:
    """How one kind of writing writes its parts; `text` and `latex` are the two."""

    latex: bool

    def name(self, name: str) -> str:
        """Write a letter: gamma as γ, x1 with a small 1, a_i with a small i."""
        letter, small = re.findall(r"^([A-Za-z]+)_?(\w*)$", name)[0]
        if self.latex:
            letter = f"\\{letter}" if letter in GREEK else letter
            return f"{letter}_{{{small}}}" if small else letter
        letter = GREEK.get(letter, letter)
        return letter + (small.translate(LOWERED) if small.isdigit() else f"_{small}" * bool(small))

    def norm2(self, inside: str) -> str:
        """Write a squared norm."""
        return rf"\lVert {inside}\rVert^2" if self.latex else f"‖{inside}‖²"

    def power(self, base: str, exponent: int) -> str:
        """Write a power."""
        if exponent == 1:
            return base
        return f"{base}^{{{exponent}}}" if self.latex else base + str(exponent).translate(RAISED)

    def number(self, c: Fraction) -> str:
        """Write a whole number or a fraction."""
        if c.denominator == 1 or not self.latex:
            return "½" if c == Fraction(1, 2) else str(c)
        return rf"\tfrac{{{c.numerator}}}{{{c.denominator}}}"

    def atom(self, atom: str, exponent: int) -> str:
        """Write a letter or an inner product, to a power."""
        a, *b = atom.split(".")
        if not b:
            return self.power(self.name(a), exponent)
        if a == b[0] and exponent == 1:
            return self.norm2(self.name(a))
        if a == b[0]:
            plain = rf"\lVert {self.name(a)}\rVert" if self.latex else f"‖{self.name(a)}‖"
            return self.power(plain, 2 * exponent)
        product = f"{self.name(a)}{self.dot}{self.name(b[0])}"
        return product if exponent == 1 else self.power(f"({product})", exponent)

    @property
    def dot(self) -> str:
        """The sign of an inner product, and of a product of names."""
        return r"\cdot " if self.latex else "·"

    @property
    def minus(self) -> str:
        """The minus sign."""
        return "-" if self.latex else "−"

    def total(self, parts: list[tuple[Fraction, str]]) -> str:
        """Write a sum of numbers times texts."""
        if not parts:
            return "0"
        words = []
        for i, (c, text) in enumerate(parts):
            sign = self.minus if c < 0 else "+"
            size = "" if abs(c) == 1 and text else self.number(abs(c))
            gap = " " if size and text and not self.latex else (r"\," if size and text else "")
            words.append((f"{sign} " if i else sign if c < 0 else "") + size + gap + text)
        return " ".join(words)

    def polynomial(self, p: SymbolicPolynomial) -> str:
        """Write a polynomial."""
        space = r"\," if self.latex else " "
        parts = [(c, space.join(self.atom(a, e) for a, e in m)) for m, c in p.terms.items()]
        return self.total(parts)

    def vector(self, v: Vector) -> str:
        """Write a sum of vectors."""
        parts = []
        for name, p in v.parts.items():
            if p.constant is not None:
                parts.append((p.constant, self.name(name)))
            elif len(p.terms) == 1:
                ((m, c),) = p.terms.items()
                factor = self.polynomial(SymbolicPolynomial({m: 1}))
                inner = f"({factor})" if self.dot in factor else factor
                joined = self.latex and not re.search(r"\\[a-z]+$", inner)  # \alphaz is no letter
                parts.append((c, f"{inner}{'' if joined else ' '}{self.name(name)}"))
            else:
                parts.append((Fraction(1), f"({self.polynomial(p)}) {self.name(name)}"))
        return self.total([part for part in parts if part[0]])

    def fact(self, fact: Fact) -> str:
        """Write a fact as it was stated."""
        sign = SIGNS[fact.relation]
        if self.latex:
            sign = {"≥": r"\ge", "≤": r"\le"}.get(sign, sign)
        return f"{self.polynomial(fact.left)} {sign} {self.polynomial(fact.right)}"

    def called(self, name: str) -> str:
        """Write the name of a fact."""
        words = name.replace("_", " ")
        return rf"\text{{{words}}}" if self.latex else words

    def certificate(self, total: SumOfTerms) -> str:
        """Write a sum of facts, squares and norms."""
        return self.total([self._term(term) for term in total.terms])

    def _term(self, term: Term) -> tuple[Fraction, str]:
        c, words = Fraction(1), []
        if term.factor.constant is not None:
            c = term.factor.constant
        elif len(term.factor.terms) == 1:
            ((m, c),) = term.factor.terms.items()
            words = [self.polynomial(SymbolicPolynomial({m: 1}))]
        else:
            words = [f"({self.polynomial(term.factor)})"]
        words += [
            self.power(self.called(n), term.facts.count(n)) for n in dict.fromkeys(term.facts)
        ]
        words += [self.power(self._bracketed(q), 2) for q in term.squares]
        words += [self.norm2(self.vector(v)) for v in term.norms]
        return c, self.dot.join(words)

    def _bracketed(self, p: SymbolicPolynomial) -> str:
        inner = self.polynomial(p)
        alone = len(p.terms) == 1 and [e for m in p.terms for _, e in m] == [1] and "." not in inner
        return inner if alone and not inner.startswith(self.minus) else f"({inner})"

    def state(self, values: Mapping, sign: str = "=") -> str:
        """Write what a state is or becomes."""
        shown = (
            (n, self.vector(v) if isinstance(v, Vector) else self.polynomial(v))
            for n, v in values.items()
        )
        return ", ".join(f"{self.name(n)} {sign} {text}" for n, text in shown)


text, latex = Hand(latex=False), Hand(latex=True)
