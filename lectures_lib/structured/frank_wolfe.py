"""The structural support vector machine, by block-coordinate Frank-Wolfe.

Lacoste-Julien, Jaggi, Schmidt, Pletscher (2013). One step looks like the cost-augmented perceptron:
infer y* with the loss added, and move the weights of example i towards C (f(x, y) - f(x, y*)); but
the length of the step is the best one, and what was said of example i before shrinks in return.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..conventions import check_count, orders
from .certificate import StructuralCertificate, certify
from .contract import Output, Problem

#: The last alphas are shrunk by this: then they add up to C at most, whatever was rounded.
SHRINK = 1.0 - 1e-12


@dataclass(frozen=True, eq=False)
class StructuralSVM:
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
    """
    if not 0 < C < np.inf:
        raise ValueError(f"C must be a number > 0, not {C}.")
    if len(X) != len(Y) or len(X) == 0:
        raise ValueError(f"There are {len(X)} inputs and {len(Y)} outputs: one output per input.")
    n, passes = len(X), orders(len(X), None, rng)
    state = _State(problem, float(C), np.zeros((n, problem.size)), np.zeros(n))
    gaps: list[float] = []
    for _ in range(check_count(max_epochs, "max_epochs")):
        gaps.append(sum(state.step(i, X[i], Y[i]) for i in next(passes)))
        if gaps[-1] <= 0.7 * tol * abs(state.dual):  # likely: let the judge decide
            certificate = state.judged(X, Y, tol)
            if certificate.verdict != "undecided":
                break
    else:
        certificate = state.judged(X, Y, tol)
    return StructuralSVM(
        state.theta, state.multipliers, float(C), len(gaps), np.array(gaps), certificate
    )


class _State:
    """theta = sum of the rows of W; W[i] and ell[i] are example i's share of weights and loss."""

    def __init__(self, problem: Problem, C: float, W: np.ndarray, ell: np.ndarray) -> None:
        self.problem, self.C, self.W, self.ell = problem, C, W, ell
        self.theta = W.sum(axis=0)
        self.alpha: list[dict[Output, float]] = [{} for _ in ell]

    def step(self, i: int, x: Any, y: Output) -> float:
        """Move example i's share towards the worst output; return the gap that was seen."""
        y_star = self.problem.argmax(self.theta, x, gold=y)
        w = self.C * (self.problem.f(x, y) - self.problem.f(x, y_star))
        loss = self.C * self.problem.loss(y, y_star)
        away = self.W[i] - w
        gap, curvature = self.theta @ away - self.ell[i] + loss, away @ away
        if gap <= 0 or curvature == 0:
            return max(float(gap), 0.0)
        length = min(gap / curvature, 1.0)
        self.theta = self.theta - length * away
        self.W[i] -= length * away
        self.ell[i] += length * (loss - self.ell[i])
        kept = {said: (1 - length) * a for said, a in self.alpha[i].items() if length < 1}
        if y_star != y:
            kept[y_star] = kept.get(y_star, 0.0) + length * self.C
        self.alpha[i] = kept
        return float(gap)

    @property
    def dual(self) -> float:
        """The dual value, in floating point."""
        return float(self.ell.sum() - 0.5 * self.theta @ self.theta)

    @property
    def multipliers(self) -> tuple[dict[Output, float], ...]:
        """alpha, so small that no rounding makes the sum of an example exceed C."""
        return tuple({said: SHRINK * a for said, a in one.items()} for one in self.alpha)

    def judged(self, X: Sequence[Any], Y: Sequence[Output], tol: float) -> StructuralCertificate:
        """Refresh theta from its parts, and have it judged."""
        self.theta = self.W.sum(axis=0)
        return certify(self.problem, X, Y, self.C, self.theta, self.multipliers, tol=tol)
