"""The judge of a structural support vector machine: primal and dual value in exact arithmetic.

The problem, with the course's C (Tsochantaridis and others 2005; margin rescaling):

    primal   half norm(theta)^2 + C sum_i xi_i,   xi_i = max_y [loss(y_i, y) - theta.d_i(y)]
    dual     sum alpha_i(y) loss(y_i, y) - half norm(sum alpha_i(y) d_i(y))^2
             alpha >= 0, for each i sum over y of alpha_i(y) <= C

with d_i(y) = f(x_i, y_i) - f(x_i, y). (The right output takes what is left of C: its d and loss are
0.) No theta has a primal value below any dual value, so the difference of the two bounds what theta
lacks. Floats are fractions: both values are computed without any rounding, the maximum over y by
the contract's own inference on whole numbers. Nothing is taken from a solver but theta and alpha.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import as_float, as_floats, check_number, check_positive, check_vector
from .rounding import integers
from .verdict import Proof, Verdict, rounded_up

#: An output: hashable, so that it can be compared and counted (a tag, a tuple of tags, a tree).
Output = Any


class Contract(Protocol):
    """What a judge asks of a structured problem, such as `structured.Problem`."""

    exact: bool

    @property
    def size(self) -> int:
        """The number of features."""

    def f(self, x: Any, y: Output) -> np.ndarray:
        """Return the joint features of (x, y)."""

    def argmax(
        self, theta: np.ndarray, x: Any, *, gold: Output | None = None, price: float = 1
    ) -> Output:
        """Return the output of the highest score, raised by price * loss(gold, y)."""

    def loss(self, y: Output, y_star: Output) -> int:
        """Return how bad it is to say y_star where y is right."""

    def canonical(self, y: Output) -> Output:
        """Return an output in the one form in which outputs are compared."""

    def runner_up(self, theta: np.ndarray, x: Any, y: Output) -> Output | None:
        """Return the best output other than y, or None."""


@dataclass(frozen=True, eq=False)
class StructuralCertificate(Proof):
    """What is known for certain about (theta, alpha)."""

    primal: Fraction | None  #: the exact primal value of theta, None where it is not known
    dual: Fraction | None  #: the exact dual value of alpha, None where alpha is not feasible
    tol: float  #: the share of the primal value that may be missing
    fault: str  #: why alpha is not feasible; empty if it is
    reason: str  #: the verdict's reason, a sentence

    @property
    def verdict(self) -> Verdict:
        """Return "proved", "refuted" or "undecided".

        Proved: no weights at all have a primal value below (1 - tol) times this one. Refuted: alpha
        is not feasible. Undecided: the gap is too wide, or inference is not exact.
        """
        if self.fault:
            return "refuted"
        known = self.primal is not None and self.gap <= Fraction(self.tol) * self.primal
        return "proved" if known else "undecided"

    @property
    def gap(self) -> Fraction | float:
        """primal - dual, exactly; infinite where one of them is not known."""
        if self.primal is None or self.dual is None:
            return float("inf")
        return self.primal - self.dual

    def __str__(self) -> str:
        """Return the table."""
        value = {n: getattr(self, n) for n in ("primal", "dual", "gap")}
        rows = [f"{n:<8} {'-' if v is None else f'{float(v):.6g}':>14}" for n, v in value.items()]
        return "\n".join([*rows, f"{self.verdict}: {self.reason}"])


@explained
def certify(
    problem: Contract,
    X: Sequence[Any],
    Y: Sequence[Output],
    C: float,
    theta: ArrayLike,
    alpha: Sequence[Mapping[Output, float]],
    *,
    tol: float = 1e-3,
) -> StructuralCertificate:
    """Judge weights and multipliers: alpha[i][y] belongs to the wrong output y of example i."""
    theta = check_vector(theta, problem.size, "theta")
    C, tol = check_positive(C, "C"), check_number(tol, "tol", 0)
    if not len(X) == len(Y) == len(alpha):
        raise BadArgument(f"{len(X)} inputs, {len(Y)} outputs, {len(alpha)} alphas: not one each.")
    Y = [problem.canonical(y) for y in Y]
    fault = _strange(problem, alpha) or _fault(alpha, C)
    if fault:
        return StructuralCertificate(None, None, tol, fault, fault)
    dual = dual_value(problem, X, Y, alpha)
    if not problem.exact:
        reason = (
            "the problem's inference computes in floating point, so the slacks are not certain."
        )
        return StructuralCertificate(None, dual, tol, "", reason)
    primal = primal_value(problem, X, Y, C, theta)
    if dual > primal:
        fault = "the dual value is above the primal: f, loss and argmax contradict each other."
        return StructuralCertificate(primal, dual, tol, fault, fault)
    enough = primal - dual <= Fraction(tol) * primal
    reason = (
        f"the gap is {'at most' if enough else 'above'} {rounded_up(tol, 6)} of the primal value."
    )
    return StructuralCertificate(primal, dual, tol, "", reason)


def dual_value(
    problem: Contract,
    X: Sequence[Any],
    Y: Sequence[Output],
    alpha: Sequence[Mapping[Output, float]],
) -> Fraction:
    """Return the dual value of alpha, exactly."""
    (weights,), unit = integers(np.array([a for one in alpha for a in one.values()], float))
    v: Any = np.zeros(problem.size, object)
    total, k = 0, 0
    for x, y, one in zip(X, Y, alpha):
        for y_star in one:
            places, d = difference(problem, x, y, y_star)
            v[places] += weights[k] * d
            total += weights[k] * problem.loss(y, y_star)
            k += 1
    return Fraction(total) * unit - Fraction(v @ v) * unit**2 / 2


def primal_value(
    problem: Contract, X: Sequence[Any], Y: Sequence[Output], C: float, theta: np.ndarray
) -> Fraction:
    """Return the primal value of theta, exactly: inference on whole numbers theta / unit."""
    (weights,), unit = integers(theta)
    slack = 0
    for x, y in zip(X, Y):
        y_star = problem.argmax(weights, x, gold=y, price=unit.denominator)
        places, d = difference(problem, x, y, y_star)
        slack += unit.denominator * problem.loss(y, y_star) - weights[places] @ d
    return Fraction(weights @ weights) * unit**2 / 2 + Fraction(C) * Fraction(slack) * unit


def difference(
    problem: Contract, x: Any, y: Output, y_star: Output
) -> tuple[np.ndarray, np.ndarray]:
    """Return f(x, y) - f(x, y*) exactly: the places where it is not 0, and its entries there."""
    f, f_star = problem.f(x, y), problem.f(x, y_star)
    places = np.flatnonzero(f != f_star)
    return places, exact_numbers(f[places]) - exact_numbers(f_star[places])


def exact_numbers(v: np.ndarray) -> np.ndarray:
    """Return floats as the whole numbers or fractions that they are, in an array of objects."""
    out = np.empty(np.size(v), object)
    entries = np.ravel(v if np.asarray(v).dtype == object else as_floats(v, "f"))
    out[:] = [int(a) if a == int(a) else Fraction(a) for a in entries.tolist()]
    return out.reshape(np.shape(v))


def _strange(problem: Contract, alpha: Sequence[Mapping[Output, float]]) -> str:
    """Return what is no output of the problem, or no float; an empty text if all are."""
    for i, one in enumerate(alpha):
        for y, a in one.items():
            try:
                known = problem.canonical(y) == y
            except ValueError:
                known = False
            if not known:
                return f"alpha of example {i} has a key that is no output of the problem: {y!r}."
            if not isinstance(a, (int, float)) or (isfinite(a) and float(a) != a):
                return f"alpha of example {i} has a number that no float holds exactly: {a!r}."
    return ""


def _fault(alpha: Sequence[Mapping[Output, float]], C: float) -> str:
    """Return what makes alpha infeasible, in fractions; an empty text if nothing does."""
    for i, one in enumerate(alpha):
        values = [as_float(a, f"alpha of example {i}") for a in one.values()]
        if not np.isfinite(values).all():
            return f"alpha of example {i} is not finite."
        if any(a < 0 for a in values):
            return f"alpha of example {i} is negative."
        if sum(map(Fraction, values)) > Fraction(C):
            return f"the alphas of example {i} add up to more than C."
    return ""
