"""The mistake bound of the structured perceptron as a proof that can be run (Collins 2002, L2).

With d_k = f(x, y) - f(x, y*) at the k-th mistake, the run is a perceptron on the d_k, and the proof
of Novikoff carries over. Let v_k = d_1 + ... + d_k be theta without the step size. If u.d >= gamma
for every wrong output, and norm(d) <= R, then
k gamma <= v_k.u <= norm(v_k) norm(u) <= sqrt(k) R norm(u).

The lines are evaluated at each mistake, from the mistakes alone, in whole numbers and fractions: no
rounding. A float is the fraction that it is. Only the run itself may have rounded: where features
are not whole numbers, or the step no power of two, it may have taken for a mistake what is none by
1e-17. Then the line "mistake" is undecided, not refuted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from numbers import Integral
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from .._result import SEAL, with_fields
from ..conventions import check_number, check_positive, check_vector
from .band import Band, exactly
from .bounds import (
    ProofTexts,
    conclusion_line,
    hinge_lines,
    margin_line,
    proof_line,
    ratio,
    shared_lines,
)
from .lines import InLines, ProofLine
from .replay import Replay
from .rounding import UNIT, fractions, integers, one_float
from .structural import Contract, Output, difference

EXACT_BELOW = 2.0**52  #: floats add whole numbers without rounding as long as all stay below this


class StructuredClaim(Protocol):
    """What a run of the structured perceptron claims, such as `structured.StructuredRun`."""

    @property
    def mistakes(self) -> Sequence[Any]:
        """(i, y_star, length) of each: the example, what was said, and of how many places."""

    @property
    def theta_last(self) -> np.ndarray:
        """(d,) the last weights."""

    @property
    def step(self) -> float:
        """The step size."""


@dataclass(frozen=True, eq=False)
class StructuredBound(InLines):
    """A mistake bound for one run of the structured perceptron, with every line of its proof."""

    mistakes: int  #: M
    bound: Fraction | float  #: what the theorem allows; infinite without a margin
    R: float  #: the largest norm of f(x, y) - f(x, y*)
    gamma: float  #: the margin of u over the wrong outputs, divided by norm(u); 0 without one
    hinge_sum: Fraction  #: L, the slacks of u added up over the mistakes; 0 with a margin
    lines: tuple[ProofLine, ...]  #: the proof

    @property
    def gap(self) -> Fraction | float:
        """How many more mistakes the bound allows."""
        return self.bound - self.mistakes

    @property
    def _conclusion(self) -> str:
        return f"M = {self.mistakes} <= {one_float(self.bound):.4f}: {self.verdict}"


@explained
def collins_bound(
    problem: Contract,
    X: Sequence[Any],
    Y: Sequence[Output],
    run: StructuredClaim,
    u: ArrayLike,
    *,
    gamma: float | None = None,
    R: float | None = None,
) -> StructuredBound:
    """Check the proof that M <= (R / gamma)^2 on this run, line by line.

    The line "mistake" says that the prediction scored no lower than the right output. It may break
    where inference is not exact, or where an output had a price; then the bound may break, too.

    Parameters
    ----------
    problem, X, Y : what f and argmax are, the inputs and the right outputs
    run : what a structured perceptron returned on them
    u : weights that give every right output a higher score than every wrong one
    gamma : the least u.(f(x, y) - f(x, y')), not divided by norm(u); default over all wrong outputs
        y', exactly, by `runner_up`. For updates on beginnings: over the mistakes of the run
    R : default the largest norm at a mistake; `radius` lists all wrong outputs, its R is no smaller

    Examples
    --------
    >>> problem, X, Y = structured.greedy_example()
    >>> run = structured.structured_perceptron(problem, X, Y)
    >>> u = structured.structured_perceptron(problem, X, Y, price=1.0).theta
    >>> structured.collins_bound(problem, X, Y, run, u).holds
    True
    """
    for name, value in (("gamma", gamma), ("R", R)):
        if value is not None:
            check_number(value, name)
    along = check_vector(u, problem.size, "u")
    facts = _replayed(problem, X, Y, run, along)
    M = len(facts.mistakes)
    g = _one(_gamma(problem, X, Y, run, facts, along) if gamma is None else gamma)
    R2 = _largest(facts.size) if R is None else _one(Fraction(R) ** 2)
    gain, above = _fractions([g.value[0]] * M), facts.edge - g
    bound = ratio(R2.times(facts.u2), g)
    text = ProofTexts(r"\gamma", r"k\gamma", r"\|w_k\|^2\,\|u\|^2")
    lines = (
        margin_line(g),
        proof_line("wrong outputs", r"\gamma \le u\cdot d_k", gain, facts.edge.value, above),
        *_with_radius(shared_lines(facts, gain, above, R2, R2 - facts.size, text), facts, R2),
        conclusion_line(r"k \le (R/\gamma)^2", facts, bound),
    )
    length = one_float(facts.u2.value[0]) ** 0.5 or 1.0
    size = one_float(R2.value[0]) ** 0.5
    gamma = one_float(g.value[0]) / length
    return StructuredBound(M, bound.value[0], size, gamma, Fraction(0), lines, _seal=SEAL)


@explained
def collins_hinge_bound(
    problem: Contract, X: Sequence[Any], Y: Sequence[Output], run: StructuredClaim, u: ArrayLike
) -> StructuredBound:
    """Check that M <= R^2 norm(u)^2 + 2 L on this run: for data that nothing separates.

    L adds up the slacks max(0, 1 - u.d_k) over the mistakes, repeats included; u is any vector.

    Parameters
    ----------
    problem, X, Y, run : as in `collins_bound`
    u : any vector

    Examples
    --------
    >>> problem, X, Y = structured.greedy_example()
    >>> run = structured.structured_perceptron(problem, X, Y)
    >>> print(structured.collins_hinge_bound(problem, X, Y, run, 0 * run.theta).bound)
    2
    """
    facts = _replayed(problem, X, Y, run, check_vector(u, problem.size, "u"))
    M, R2 = len(facts.mistakes), _largest(facts.size)
    lines, price, total = hinge_lines(facts, R2, R2 - facts.size)
    differs = _fractions([_differs(problem, Y, mistake) for mistake in run.mistakes])
    wrong = proof_line(
        "wrong outputs", r"y^*_k \ne y_k", 0 * differs + 1, differs, exactly(differs - 1)
    )
    lines = (wrong, *_with_radius(lines, facts, R2))
    size = one_float(R2.value[0]) ** 0.5
    return StructuredBound(M, price + 2 * total, size, 0.0, total, lines, _seal=SEAL)


# --- the run again, in exact numbers -------------------------------------------------------------


def _replayed(
    problem: Contract, X: Sequence, Y: Sequence, run: StructuredClaim, u: np.ndarray
) -> Replay:
    """Return the replay of the steps d_k: v_k = d_1 + ... + d_k is theta without the step size."""
    (along,), unit = integers(u)
    parts = [_step(problem, X, Y, mistake) for mistake in run.mistakes]
    v, mass = np.zeros(problem.size, object), np.zeros(problem.size)
    score, size, edge, added = [], [], [], []
    for places, d, terms in parts:
        score.append(v[places] @ d)
        size.append(d @ d)
        edge.append(Fraction(along[places] @ d) * unit)
        added.append(float(mass @ terms))
        v[places] += d
        mass[places] += np.abs(d.astype(float))
    step = check_positive(run.step, "run.step")
    rounds = _rounds(step, parts, max(added, default=0.0) + mass.max(initial=0.0))
    terms = np.array([len(parts) + len(v) + float(terms.sum()) for *_, terms in parts])
    nothing = _one(0)
    return Replay(
        mistakes=np.arange(len(parts)),
        drift=_drift(run, step, v, mass, rounds),
        score=exactly(_fractions(score)),
        size=exactly(_fractions(size)),
        edge=exactly(_fractions(edge)),
        u2=_one(Fraction(along @ along) * unit**2),
        start2=nothing,
        start_dot=nothing,
        rounding=fractions(4 * UNIT * rounds * terms * np.array(added)),
        exact=True,
    )


def _rounds(step: float, parts: list[tuple], size: float) -> bool:
    """Return whether the run may have rounded: its sums are not all whole numbers below 2^52."""
    wholes = all(isinstance(a, int) for _, d, _ in parts for a in d)
    power_of_two = np.frexp(step)[0] == 0.5  # log2 would round: 10 for 1024 and a bit, too
    return not (wholes and size < EXACT_BELOW and power_of_two)


def _drift(
    run: StructuredClaim, step: float, v: np.ndarray, mass: np.ndarray, rounds: bool
) -> np.ndarray:
    """Return how far theta is from step times v, beyond the roundings of as many additions."""
    M, drift = len(run.mistakes), np.zeros(max(len(run.mistakes), 1))
    given = _fractions(check_vector(run.theta_last, len(v), "run.theta_last").tolist())
    off = max(abs(given - Fraction(step) * v), default=Fraction(0))
    room = Fraction(2 * (M + 2) * UNIT * rounds) * Fraction(step) * Fraction(mass.max(initial=0))
    drift[-1] = 0.0 if off <= room else one_float(off)
    return drift


def _gamma(problem: Contract, X, Y, run: StructuredClaim, facts: Replay, u: np.ndarray) -> Fraction:
    """Return the least u.d over all wrong outputs; over the mistakes, if some are beginnings."""
    if any(m.length is not None and m.length < len(Y[m.i]) for m in run.mistakes):
        return min(facts.edge.value, default=Fraction(0))
    (along,), unit = integers(u)
    found = []
    for x, y in zip(X, Y):
        other = problem.runner_up(along, x, y)
        if other is not None:
            places, d = difference(problem, x, y, other)
            found.append(Fraction(along[places] @ d) * unit)
    return min(found, default=Fraction(0))


def _step(problem: Contract, X, Y, mistake: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return d_k, its places and entries, and abs(f(x, y)) + abs(f(x, y*)), the terms of scores."""
    i: Any = mistake.i
    if type(i) is bool or not (isinstance(i, Integral) and i in range(len(X))):
        raise BadArgument(f"The run does not fit: its mistakes must be examples 0 to {len(X) - 1}.")
    if len(Y) != len(X):
        raise BadArgument(f"There are {len(X)} inputs and {len(Y)} outputs: one output per input.")
    x, y, m = X[i], Y[i], mistake.length
    if m is not None:
        x, y = x[:m], tuple(y[:m])
    terms = np.abs(problem.f(x, y)) + np.abs(problem.f(x, mistake.y_star))
    return *difference(problem, x, y, mistake.y_star), terms


def _differs(problem: Contract, Y, mistake: Any) -> int:
    """Return 1 if the output that was said is a wrong one, else 0: then it is no mistake."""
    y = problem.canonical(Y[mistake.i])
    if mistake.length is not None:
        y = y[: mistake.length]
    return int(problem.canonical(mistake.y_star) != y)


def _with_radius(lines: tuple[ProofLine, ...], facts: Replay, R2: Band) -> tuple[ProofLine, ...]:
    """Return the lines in the symbols v and d, and after the first that of the norms of d_k."""
    for w, v in ((r"y_k\,", ""), ("y_k x_k", "d_k"), ("x_k", "d_k"), ("w_", "v_")):
        lines = tuple(with_fields(a, statement=a.statement.replace(w, v)) for a in lines)
    larger = R2.value + 0 * facts.size.value
    room = R2 - facts.size
    radius = proof_line("radius", r"\|d_k\|^2 \le R^2", facts.size.value, larger, room)
    return (lines[0], radius, *lines[1:])


def _largest(size: Band) -> Band:
    return _one(max(size.value, default=Fraction(0)))


def _one(value: Fraction | float) -> Band:
    return exactly(_fractions([value]))


def _fractions(values: Sequence | range) -> np.ndarray:
    out = np.empty(len(values), object)
    out[:] = [Fraction(v) for v in values]
    return out
