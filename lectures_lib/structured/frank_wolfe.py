"""The structural support vector machine, by block-coordinate Frank-Wolfe with pairwise steps.

Lacoste-Julien, Jaggi, Schmidt, Pletscher (2013); pairwise steps: Osokin and others (2016). A step
looks like the cost-augmented perceptron: infer y* with the loss added, and move the weights along
f(x, y) - f(x, y*). But the length of the step is the best one, and an output that was blamed before
and does not deserve it now gives up its weight in return: for each example the weights add up to C.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arguments import explained
from .._result import SEAL, Result, with_fields
from ..conventions import check_count, check_positive, orders
from ..proof.structural import StructuralCertificate, certify
from .contract import Output, Problem
from .learners import check_outputs

#: The last alphas are shrunk by this: then they add up to C at most, whatever was rounded.
SHRINK = 1.0 - 1e-12
#: Steps between outputs that were met before, after each inference: they cost little.
MOVES = 10


@dataclass(frozen=True, eq=False)
class StructuralSVM(Result):
    """Weights, multipliers, and what proves them."""

    theta: np.ndarray  #: (K,) the weights
    alpha: tuple[dict[Output, float], ...]  #: alpha[i][y] > 0, of the wrong outputs of example i
    C: float
    epochs: int  #: passes made
    gaps: np.ndarray  #: (epochs,) the sum of the gaps that the steps of each pass saw (an estimate)
    certificate: StructuralCertificate

    @property
    def converged(self) -> bool:
        """The gap is proved to be within the tolerance that was asked for."""
        return self.certificate.holds

    def rejudge(
        self, problem: Problem, X: Sequence[Any], Y: Sequence[Output], *, tol: float = 1e-2
    ) -> "StructuralSVM":
        """Judge theta and alpha anew, also of a changed copy.

        Parameters
        ----------
        problem, X, Y, tol : as in `structural_svm`

        Examples
        --------
        >>> from dataclasses import replace
        >>> problem, X, Y = structured.greedy_example()
        >>> machine = structured.structural_svm(problem, X, Y)
        >>> replace(machine, theta=9 * machine.theta).rejudge(problem, X, Y).converged
        False
        """
        proof = certify(problem, X, Y, self.C, self.theta, self.alpha, tol=tol)
        return with_fields(self, certificate=proof)


@explained
def structural_svm(
    problem: Problem,
    X: Sequence[Any],
    Y: Sequence[Output],
    C: float = 1.0,
    *,
    tol: float = 1e-2,
    max_epochs: int = 200,
    rng: int | np.random.Generator | None = 0,
) -> StructuralSVM:
    """Minimise half norm(theta)^2 + C sum xi, until the gap is proved to be tol of the value.

    xi_i is the largest of loss(y_i, y) - theta.(f(x_i, y_i) - f(x_i, y)) over all outputs y.

    Parameters
    ----------
    problem, X, Y : what f, argmax and loss are, the inputs and the right outputs
    C : the price of slack
    tol : the share of the value that may be missing
    max_epochs : passes at most
    rng : a seed or generator for the orders

    Examples
    --------
    >>> problem, X, Y = structured.greedy_example()
    >>> structured.structural_svm(problem, X, Y).certificate.holds
    True
    """
    C = check_positive(C, "C")
    check_outputs(X, Y)
    passes, theta = orders(len(X), None, rng), np.zeros(problem.size)
    blocks = [_Block(problem, x, y, float(C)) for x, y in zip(X, Y)]
    gaps: list[float] = []
    for _ in range(check_count(max_epochs, "max_epochs")):
        gaps.append(sum(blocks[i].step(theta) for i in next(passes)))
        dual = sum(block.loss for block in blocks) - 0.5 * theta @ theta
        if gaps[-1] <= tol * abs(dual) or len(gaps) == max_epochs:  # likely: let the judge decide
            alpha = tuple(block.multipliers for block in blocks)
            certificate = certify(problem, X, Y, C, theta, alpha, tol=tol)
            if certificate.verdict != "undecided":
                break
    seen = np.array(gaps)
    return StructuralSVM(theta, alpha, float(C), len(gaps), seen, certificate, _seal=SEAL)


@dataclass(frozen=True, eq=False)
class _Seen:
    """An output that was met: d = f(x, y) - f(x, output) without its zeros, and its loss."""

    places: np.ndarray
    values: np.ndarray
    norm2: float
    loss: float

    def gain(self, theta: np.ndarray) -> float:
        """loss - theta.d: how far the output violates its margin."""
        return self.loss - float(theta[self.places] @ self.values)

    def move(self, theta: np.ndarray, length: float) -> None:
        theta[self.places] += length * self.values


class _Block:
    """One example: the outputs that carry weight, the right one among them; they add up to C."""

    def __init__(self, problem: Problem, x: Any, y: Output, C: float) -> None:
        self.problem, self.x, self.y = problem, x, y
        self.C, self.alpha, self.seen = C, {y: C}, {y: self._met(y)}

    def step(self, theta: np.ndarray) -> float:
        """Move weight to the worst output, then among those known; return the gap that was seen."""
        y_star = self.problem.argmax(theta, self.x, gold=self.y)
        if y_star not in self.seen:
            self.seen[y_star], self.alpha[y_star] = self._met(y_star), 0.0
        gains = self._gains(theta)
        gap = self.C * gains[y_star] - sum(self.alpha[y] * gain for y, gain in gains.items())
        for _ in range(MOVES):
            if not self._move(theta, gains):
                break
            gains = self._gains(theta)
        self._forget()
        return max(gap, 0.0)

    def _move(self, theta: np.ndarray, gains: dict[Output, float]) -> bool:
        """Move weight from the least to the most deserving output, as far as it pays."""
        to = max(gains, key=lambda y: gains[y])
        away = min((y for y in gains if self.alpha[y] > 0), key=lambda y: gains[y])
        slope, curvature = gains[to] - gains[away], self._distance2(to, away)
        if slope <= 1e-12 * (abs(gains[to]) + abs(gains[away])):
            return False
        length = self.alpha[away]
        if curvature > 0:
            length = min(length, slope / curvature)
        self.alpha[to] += length
        self.alpha[away] -= length
        self.seen[to].move(theta, length)
        self.seen[away].move(theta, -length)
        return True

    @property
    def loss(self) -> float:
        """The example's part of sum alpha loss."""
        return sum(a * self.seen[y].loss for y, a in self.alpha.items())

    @property
    def multipliers(self) -> dict[Output, float]:
        """alpha of the wrong outputs, so small that no rounding makes their sum exceed C."""
        return {y: SHRINK * a for y, a in self.alpha.items() if y != self.y and a > 0}

    def _gains(self, theta: np.ndarray) -> dict[Output, float]:
        return {y: seen.gain(theta) for y, seen in self.seen.items()}

    def _distance2(self, one: Output, other: Output) -> float:
        a, b = self.seen[one], self.seen[other]
        _, i, j = np.intersect1d(a.places, b.places, assume_unique=True, return_indices=True)
        return a.norm2 + b.norm2 - 2 * float(a.values[i] @ b.values[j])

    def _met(self, output: Output) -> _Seen:
        d = self.problem.f(self.x, self.y) - self.problem.f(self.x, output)
        places = np.flatnonzero(d)
        return _Seen(places, d[places], float(d @ d), float(self.problem.loss(self.y, output)))

    def _forget(self) -> None:
        self.alpha = {y: a for y, a in self.alpha.items() if a > 0 or y == self.y}
        self.seen = {y: self.seen[y] for y in self.alpha}
