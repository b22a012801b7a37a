"""Answers that are proofs: a sum of facts, written as text, judged exactly by `theorems`.

What is judged was written by a stranger: it is read as a tree and never executed, and before it is
expanded a bound on its size is known.
"""

import ast
import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from lectures_lib.theorems import Theorem, judge_answer
from lectures_lib.theorems.polynomials import SymbolicPolynomial, combine, tree

from .checks import expect
from .drawing import kept
from .failures import Malformed

#: Characters of an answer, and summands when it is expanded: proofs of this course need a tenth.
MAX_CHARACTERS, MAX_SUMMANDS = 4_000, 20_000
#: Characters of the reason that are shown.
MAX_REASON = 300
DECIMAL = re.compile(r"(?<![\w.])(\d+\.\d*|\.\d+|\d+(?=[eE][+-]?\d))([eE][+-]?\d{1,3})?(?![\w.])")
#: A theorem is text: its repr tells it from all others, and many write the same proof.
_judged = kept(judge_answer)


def expect_proof(got: Any, theorem: Theorem, line: str) -> None:
    """State that a text is a sum of facts that proves one line of a theorem."""
    answer = written(got)
    facts = [*theorem.assumptions.values(), *(theorem.fact(step.goal) for step in theorem.proof)]
    try:
        if _size(_tree(answer), {fact.name: len(fact.p.terms) for fact in facts}) > MAX_SUMMANDS:
            raise Malformed("written out, the sum has more terms than any proof here needs")
        verdict = _judged(theorem, line, answer)
    except RecursionError:
        raise Malformed("the sum is too long: write 3*first for first + first + first") from None
    reason = verdict.reason
    said = reason if len(reason) <= MAX_REASON else f"{reason[:MAX_REASON]} ..."
    expect(verdict.holds, f"this is no proof: {said}")


def written(got: Any) -> str:
    """Return the answer as text with exact numbers: 2.5 becomes (5/2)."""
    if not isinstance(got, str):
        raise Malformed("the answer is a text, such as '2*first + second'")
    if not got.strip() or len(got) > MAX_CHARACTERS:
        raise Malformed(f"the text must have 1 to {MAX_CHARACTERS} characters, and has {len(got)}")
    return DECIMAL.sub(lambda found: f"({Fraction(found[0])})", got)


def same(one: str, other: str) -> bool:
    """True if two texts are the same sum: in another order, with other brackets."""
    try:
        return _expanded(one) == _expanded(other)
    except (Malformed, ValueError, RecursionError):
        return False


def _tree(text: str) -> ast.expr:
    try:
        return tree(text)
    except (ValueError, RecursionError, MemoryError):
        raise Malformed("this cannot be read as a sum: are all brackets closed?") from None


def _expanded(text: str) -> SymbolicPolynomial:
    """Return a sum as a polynomial whose letters are the names in it."""
    root = _tree(written(text))
    if _size(root, {}) > MAX_SUMMANDS:
        raise Malformed("too large")
    return _letters(root)


def _letters(node: ast.expr) -> SymbolicPolynomial:
    match node:
        case ast.Constant(value=int(number)):
            return SymbolicPolynomial.of(number)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_letters(inner)
        case ast.BinOp(left=left, op=op, right=right):
            return combine(op, _letters(left), _letters(right))
        case ast.Call(func=ast.Name(id=name), args=[inner]):
            return SymbolicPolynomial.of(f"{name}({sorted(_letters(inner).terms.items())})")
        case ast.Name() | ast.Attribute():
            return SymbolicPolynomial.of(ast.unparse(node))
    raise Malformed("no part of a sum")


def _size(node: ast.expr, sizes: Mapping[str, int]) -> int:
    """Return a bound on the terms of a tree when it is written out, at most MAX_SUMMANDS + 1."""
    match node:
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            power = right.value if isinstance(right, ast.Constant) else 8
            if not isinstance(power, int) or not 0 < power < 8:
                power = 8  # above 8 nothing is multiplied out
            size = int(max(2, _size(left, sizes)) ** power)  # 2: a number grows, too
        case ast.BinOp(left=left, op=ast.Mult() | ast.MatMult(), right=right):
            size = _size(left, sizes) * _size(right, sizes)
        case ast.BinOp(left=left, right=right):
            size = _size(left, sizes) + _size(right, sizes)
        case ast.UnaryOp(operand=inner):
            size = _size(inner, sizes)
        case ast.Call(args=[inner]):
            size = _size(inner, sizes) ** 2
        case ast.Name(id=name):
            size = sizes.get(name, 1)
        case _:
            size = 1
    return min(size, MAX_SUMMANDS + 1)
