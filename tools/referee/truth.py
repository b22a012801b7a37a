"""The exact value of what was answered, and the exact best value of what was asked.

Linear and polynomial kernels are computed in fractions. The Gaussian is computed with `BITS`
binary digits behind the point, which no tolerance of the library can tell from the truth.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import mpmath

from lectures_lib.kernels import Gaussian, Linear, Polynomial
from tools.referee.rational import ZERO, Matrix, Program, Unbounded, Vector, dot, exact

#: Digits of a Gaussian behind the binary point.
BITS = 600
#: And with this many where a sign is asked for: the least float is 2^-1074.
SIGN_BITS = 2400


def gram(kernel, X: Matrix, bits: int = BITS) -> Matrix:
    """Return the true Gram matrix of a kernel on examples that are given as fractions."""
    return [[entry(kernel, x, z, bits) for z in X] for x in X]


def entry(kernel, x: Vector, z: Vector, bits: int = BITS) -> Fraction:
    """Return K(x, z)."""
    if isinstance(kernel, Linear):
        return dot(x, z)
    if isinstance(kernel, Polynomial):
        return (dot(x, z) + int(kernel.one)) ** kernel.degree
    if isinstance(kernel, Gaussian):
        difference = [a - b for a, b in zip(x, z)]
        return _exp(dot(difference, difference) / (2 * Fraction(kernel.sigma) ** 2), bits)
    raise TypeError(f"The truth about {kernel!r} is not known here.")


def _exp(distance: Fraction, bits: int) -> Fraction:
    """Return exp(-distance), rounded to that many binary digits behind the point."""
    if distance > bits:
        return ZERO
    with mpmath.workprec(bits + 60):
        value = mpmath.exp(-mpmath.mpf(distance.numerator) / mpmath.mpf(distance.denominator))
        return Fraction(int(mpmath.nint(mpmath.ldexp(value, bits))), 2**bits)


@dataclass(frozen=True)
class Answer:
    """What a machine is: norm(w)^2, and its scores f on the training examples."""

    norm2: Fraction
    f: Vector


def kernel_answer(K: Matrix, beta: Vector, b: Fraction) -> Answer:
    """Return the machine w = sum beta phi(x) with offset b."""
    scores = [dot(row, beta) for row in K]
    return Answer(dot(beta, scores), [s + b for s in scores])


def linear_answer(X: Matrix, w: Vector, b: Fraction, centre: Vector | None = None) -> Answer:
    """Return the machine w.(x - centre) + b."""
    moved = X if centre is None else [[a - c for a, c in zip(x, centre)] for x in X]
    return Answer(dot(w, w), [dot(w, x) + b for x in moved])


def combined(beta: Vector, X: Matrix) -> Vector:
    """Return sum beta_i x_i."""
    return [dot(beta, column) for column in zip(*X)]


@dataclass(frozen=True)
class Classification:
    """A support vector machine's problem; a cost is a fraction, or None for the hard margin."""

    K: Matrix
    y: Vector
    costs: list
    offset: bool = True
    squared: bool = False

    @cached_property
    def program(self) -> Program:
        """The dual, as a minimisation."""
        n = range(len(self.y))
        Q = [[self.y[i] * self.y[j] * self.K[i][j] for j in n] for i in n]
        upper = list(self.costs)
        if self.squared:
            for i in n:
                Q[i][i] += 0 if self.costs[i] is None else 1 / (2 * self.costs[i])
            upper = [None] * len(self.y)
        return Program(Q, [Fraction(-1) for _ in n], upper, self.y if self.offset else None)

    def solution(self, guess: Sequence[float] | None = None) -> Vector | None:
        """Return the best alpha; None if the margin is hard and nothing separates."""
        start = [ZERO] * len(self.y)
        try:
            return self.program.minimise(start, self._snapped(guess))
        except Unbounded:
            return None

    def best(self, guess: Sequence[float] | None = None) -> Fraction | None:
        """Return the least objective of all; None: there is none."""
        alpha = self.solution(guess)
        return None if alpha is None else -self.program.value(alpha)

    def _snapped(self, guess) -> list | None:
        if guess is None or not all(abs(v) < float("inf") for v in guess):
            return None
        near = 1e-6 * max(guess)
        found = []
        for v, u in zip(guess, self.program.upper):
            top = u is not None and v > float(u) * (1 - 1e-6)
            found.append(u if top else None if v > near else ZERO)
        return found

    def primal(self, answer: Answer) -> Fraction | None:
        """Return the objective of a machine; None: infinite.

        With a hard margin, that of the machine scaled until the nearest example has y f = 1.
        """
        t = [y * f for y, f in zip(self.y, answer.f)]
        if None in self.costs:
            least = min(t)
            return answer.norm2 / (2 * min(least, Fraction(1)) ** 2) if least > 0 else None
        xi = [max(ZERO, 1 - v) for v in t]
        return answer.norm2 / 2 + dot(self.costs, [x * x for x in xi] if self.squared else xi)

    def dual(self, alpha: Vector) -> Fraction:
        """Return the dual value of alpha."""
        return -self.program.value(alpha)

    def balanced(self, alpha: Vector) -> Vector:
        """Return alpha with the heavier class shrunk until sum alpha y = 0."""
        off = dot(alpha, self.y)
        if not self.offset or off == 0:
            return alpha
        side = 1 if off > 0 else -1
        heavy = sum(a for a, y in zip(alpha, self.y) if y == side)
        return [a * (1 - abs(off) / heavy) if y == side else a for a, y in zip(alpha, self.y)]

    def in_box(self, alpha: Vector) -> bool:
        """Return whether 0 <= alpha <= C."""
        return all(a >= 0 and (u is None or a <= u) for a, u in zip(alpha, self.program.upper))

    def nearly_balanced(self, alpha: Vector) -> bool:
        """Return whether sum alpha y is 0 up to the rounding of alpha itself."""
        if not self.offset:
            return True
        sizes = sum(abs(a) for a in alpha)
        return abs(dot(alpha, self.y)) <= len(alpha) * sizes * Fraction(1, 2**52)


def within(value: Fraction | None, best: Fraction | None, tol: float) -> bool:
    """Return whether a value is at most (1 + tol) times the best; None is infinite."""
    if value is None or best is None:
        return False
    return value <= (1 + Fraction(tol)) * best


def tight(problem: Classification, answer: Answer, alpha: Vector, tol: float) -> bool:
    """Return whether (alpha, b) carries its own proof: feasible, and a gap within tol."""
    if not problem.in_box(alpha) or not problem.nearly_balanced(alpha):
        return False
    return within(problem.primal(answer), problem.dual(problem.balanced(alpha)), tol)


def posed(kernel, X, y, C: float, *, offset: bool = True, loss: str = "hinge") -> Classification:
    """Return the exact problem of the given floats."""
    cost = None if C == float("inf") else Fraction(float(C))
    K = gram(kernel, exact(X))
    return Classification(K, exact(y), [cost] * len(K), offset, loss == "squared_hinge")
