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
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._door import door
from .._result import Result
from ..conventions import check_number, check_vector
from ..proof import Proof, Verdict, worst
from .certificate import difference, whole
from .contract import Output, Problem
from .learners import Mistake, StructuredRun, check_outputs

Number = int | Fraction
UNIT_ROUNDOFF = 2.0**-53
EXACT_BELOW = 2.0**52  #: floats add whole numbers without rounding as long as all stay below this


@dataclass(frozen=True, eq=False)
class Line(Proof):
    """One inequality of the proof, smaller <= larger, at each mistake, decided exactly."""

    name: str
    statement: str  #: in the lecture's symbols (LaTeX)
    smaller: Sequence[Number]
    larger: Sequence[Number]
    error: Sequence[float]  #: what rounding in the run can explain; 0 where nothing rounds

    @property
    def slack(self) -> list[Number]:
        """larger - smaller, exactly: negative where the line fails."""
        return [b - a for a, b in zip(self.smaller, self.larger)]

    @property
    def first_failure(self) -> int | None:
        """The number (from 1) of the first mistake at which the line fails, or None."""
        return next((k for k, s in enumerate(self.slack, 1) if s < 0), None)

    @property
    def verdict(self) -> Verdict:
        """Return "proved", "refuted"; "undecided" if the run's rounding explains each failure."""
        failed = [(s, e) for s, e in zip(self.slack, self.error) if s < 0]
        if not failed:
            return "proved"
        return "undecided" if all(-s <= e for s, e in failed) else "refuted"


@dataclass(frozen=True, eq=False)
class StructuredBound(Proof):
    """A mistake bound for one run of the structured perceptron, with every line of its proof."""

    mistakes: int  #: M
    bound: Fraction | float  #: what the theorem allows; infinite without a margin
    R: float  #: the largest norm of f(x, y) - f(x, y*)
    gamma: float  #: the margin of u over the wrong outputs, divided by norm(u); 0 without one
    hinge_sum: Fraction  #: L, the slacks of u added up over the mistakes; 0 with a margin
    lines: tuple[Line, ...]  #: the proof

    def _lose_proof(self) -> None:
        """Give up the lines: they are about other numbers."""
        Result._lose_proof(self)

    @property
    def verdict(self) -> Verdict:
        """Proved: every line holds at every mistake. Refuted: one fails beyond rounding."""
        return worst(line.verdict for line in self.lines) if self.lines else "undecided"

    @property
    def gap(self) -> Fraction | float:
        """How many more mistakes the bound allows."""
        return self.bound - self.mistakes

    @property
    def failed(self) -> tuple[str, ...]:
        """The names of the lines that do not hold."""
        return tuple(line.name for line in self.lines if not line.holds)

    def line(self, name: str) -> Line:
        """Return the line called `name`."""
        for line in self.lines:
            if line.name == name:
                return line
        raise ValueError(f"No line is called {name!r}; there are {[x.name for x in self.lines]}.")

    def __str__(self) -> str:
        """Return the proof as a table: line, least slack, verdict."""
        rows = [f"{'line':<16} {'least slack':>12}  verdict"]
        for line in self.lines:
            least = f"{float(min(line.slack)):.4g}" if line.slack else "-"
            where = "" if line.holds else f" at mistake {line.first_failure}"
            rows.append(f"{line.name:<16} {least:>12}  {line.verdict}{where}")
        return "\n".join([*rows, f"M = {self.mistakes} <= {float(self.bound):.4f}: {self.verdict}"])


@door
def collins_bound(
    problem: Problem,
    X: Sequence[Any],
    Y: Sequence[Output],
    run: StructuredRun,
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
    replay = _Replay(problem, X, Y, run, u)
    D, M = replay.unit, len(replay.steps)
    g = _gamma(problem, X, Y, replay) if gamma is None else Fraction(gamma) * D
    R2 = max(replay.norms, default=0) if R is None else Fraction(R) ** 2
    bound = Fraction(R2 * replay.u2) / Fraction(g) ** 2 if g > 0 else float("inf")
    count = range(1, M + 1)
    lines = (
        _line("positive", r"0 < \gamma", [0] * M, [g if g > 0 else -1] * M),
        _line("wrong outputs", r"\gamma \le u\cdot d_k", [g] * M, replay.gains),
        *replay.shared([g] * M, R2, r"\gamma", r"k\gamma"),
        _line("conclusion", r"k \le (R/\gamma)^2", list(count), [bound] * M),
    )
    length = float(Fraction(replay.u2, D * D)) ** 0.5 if replay.u2 else 1.0
    size = float(R2) ** 0.5
    return StructuredBound(M, bound, size, float(Fraction(g) / D) / length, Fraction(0), lines)


@door
def collins_hinge_bound(
    problem: Problem, X: Sequence[Any], Y: Sequence[Output], run: StructuredRun, u: ArrayLike
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
    replay = _Replay(problem, X, Y, run, u)
    D, M = replay.unit, len(replay.steps)
    slacks = [max(0, D - gain) for gain in replay.gains]
    L = list(accumulate(slacks))
    R2 = max(replay.norms, default=0)
    reach = Fraction(R2 * replay.u2) / D**2
    gains = [D - slack for slack in slacks]
    count = range(1, M + 1)
    squares = [max(0, k * D - l) ** 2 for k, l in zip(count, L)]
    lines = (
        _line("wrong outputs", r"y^*_k \ne y_k", [1] * M, replay.differs),
        *replay.shared(gains, R2, r"1 - \xi_k", r"k - L_k"),
        _line(
            "squares",
            r"\max(0, k - L_k)^2 \le kR^2\|u\|^2",
            squares,
            [k * R2 * replay.u2 for k in count],
        ),
        _line(
            "conclusion",
            r"k \le R^2\|u\|^2 + 2L_k",
            list(count),
            [reach + Fraction(2 * l) / D for l in L],
        ),
    )
    total = Fraction(L[-1]) / D if L else Fraction(0)
    return StructuredBound(M, reach + 2 * total, float(R2) ** 0.5, 0.0, total, lines)


@door
def radius(problem: Problem, X: Sequence[Any], Y: Sequence[Output]) -> float:
    """Return the theorem's R, the largest norm of f(x, y) - f(x, y'), by listing all outputs y'.

    Parameters
    ----------
    problem, X, Y : what f is, the inputs and the right outputs

    Examples
    --------
    >>> round(structured.radius(*structured.greedy_example()), 4)
    3.1623
    """
    check_outputs(X, Y)
    return max(
        float(_norm2(difference(problem, x, y, other)[1])) ** 0.5
        for x, y in zip(X, Y)
        for other in problem.outputs(x)
    )


class _Replay:
    """The run again, in exact numbers: the steps d_k, and v_k = d_1 + ... + d_k as it grows."""

    def __init__(self, problem: Problem, X, Y, run: StructuredRun, u: ArrayLike) -> None:
        self.u, self.unit = whole(check_vector(u, problem.size, "u"))
        self.u2 = self.u @ self.u
        self.prefixes = any(m.length is not None and m.length < len(Y[m.i]) for m in run.mistakes)
        parts = [_step(problem, X, Y, mistake) for mistake in run.mistakes]
        self.steps = [part[:2] for part in parts]
        self.differs = [_differs(problem, Y, mistake) for mistake in run.mistakes]
        self.gains = [self.u[places] @ d for places, d in self.steps]
        self.norms = [_norm2(d) for _, d in self.steps]
        v, size = np.zeros(problem.size, object), np.zeros(problem.size)
        self.terms = [float(terms.sum()) for *_, terms in parts]
        self.before, self.size = [], []  # v_{k-1}.d_k, and the size of what was added up for it
        for places, d, terms in parts:
            self.before.append(v[places] @ d)
            self.size.append(float(size @ terms))
            v[places] += d
            size[places] += np.abs(d.astype(float))
        self.run, self.v, self.total = run, v, size
        wholes = all(isinstance(a, int) for _, d in self.steps for a in d)
        small = max(self.size, default=0.0) + size.max(initial=0.0) < EXACT_BELOW
        self.rounds = not (wholes and small and np.log2(run.step) % 1 == 0)

    def shared(self, gains: list[Number], R2: Number, gain: str, total: str) -> tuple[Line, ...]:
        """Return the lines that both proofs share."""
        dots = list(accumulate(self.gains))
        norm2 = list(accumulate(2 * b + n for b, n in zip(self.before, self.norms)))
        earlier, dots_before = [0, *norm2][:-1], [0, *dots][:-1]
        k, zero = range(1, len(dots) + 1), [0] * len(dots)
        unit = UNIT_ROUNDOFF if self.rounds else 0.0
        additions = [4 * (len(self.steps) + len(self.v) + terms) for terms in self.terms]
        blur = [unit * count * size for count, size in zip(additions, self.size)]
        return (
            self._update(),
            _line("radius", r"\|d_k\|^2 \le R^2", self.norms, [R2] * len(dots)),
            Line("mistake", r"v_{k-1}\cdot d_k \le 0", self.before, zero, blur),
            _line(
                "progress",
                rf"v_{{k-1}}\cdot u + {gain} \le v_k\cdot u",
                [a + b for a, b in zip(dots_before, gains)],
                dots,
            ),
            Line(
                "growth",
                r"\|v_k\|^2 \le \|v_{k-1}\|^2 + R^2",
                norm2,
                [a + R2 for a in earlier],
                [2 * e for e in blur],
            ),
            _line("sum of progress", rf"{total} \le v_k\cdot u", list(accumulate(gains)), dots),
            Line(
                "sum of growth",
                r"\|v_k\|^2 \le kR^2",
                norm2,
                [i * R2 for i in k],
                list(accumulate(2 * e for e in blur)),
            ),
            _line(
                "Cauchy-Schwarz",
                r"(v_k\cdot u)^2 \le \|v_k\|^2\,\|u\|^2",
                [a * a for a in dots],
                [a * self.u2 for a in norm2],
            ),
        )

    def _update(self) -> Line:
        """Theta is the step size times v, up to the roundings of as many additions."""
        step, M = self.run.step, len(self.steps)
        given = np.array([Fraction(a) for a in self.run.theta_last.tolist()] + [0], object)[:-1]
        off = max((abs(a) for a in given - Fraction(step) * self.v), default=0)
        g = 2 * (M + 2) * UNIT_ROUNDOFF if self.rounds else 0.0
        room = Fraction(g) * Fraction(step * self.total.max(initial=0.0))
        return _line("update", r"\theta_M = \varepsilon v_M", [off] * min(M, 1), [room] * min(M, 1))


def _gamma(problem: Problem, X, Y, replay: _Replay) -> Number:
    """Return the least u.d over all wrong outputs, in units of 1 / replay.unit."""
    if replay.prefixes:
        return min(replay.gains, default=0)
    found = []
    for x, y in zip(X, Y):
        other = problem.runner_up(replay.u, x, y)
        if other is not None:
            places, d = difference(problem, x, y, other)
            found.append(replay.u[places] @ d)
    return min(found, default=0)


def _step(problem: Problem, X, Y, mistake: Mistake) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return d_k, its places and entries, and abs(f(x, y)) + abs(f(x, y*)), the terms of scores."""
    if not 0 <= mistake.i < len(X):
        raise ValueError(f"The run does not fit: its mistakes must be examples 0 to {len(X) - 1}.")
    x, y, m = X[mistake.i], Y[mistake.i], mistake.length
    if m is not None:
        x, y = x[:m], tuple(y[:m])
    terms = np.abs(problem.f(x, y)) + np.abs(problem.f(x, mistake.y_star))
    return *difference(problem, x, y, mistake.y_star), terms


def _differs(problem: Problem, Y, mistake: Mistake) -> int:
    """Return 1 if the output that was said is a wrong one, else 0: then it is no mistake."""
    y = problem.canonical(Y[mistake.i])
    if mistake.length is not None:
        y = y[: mistake.length]
    return int(problem.canonical(mistake.y_star) != y)


def _norm2(d: np.ndarray) -> Number:
    return d @ d if len(d) else 0


def _line(name: str, statement: str, smaller: Sequence, larger: Sequence) -> Line:
    return Line(name, statement, smaller, larger, [0.0] * len(smaller))
