"""Answers that miss the tolerance by a hair, or keep it by one: here rounding decides, or must not.

Solvers give answers that are good or bad; a judge that ignored its rounding errors would be right
about both. So the best machine's offset is moved until its exact gap is the tolerance times 1 + h,
with h from 1e-9 to 0.1, above or below.
"""

from fractions import Fraction

import numpy as np

from lectures_lib.kernels import Linear
from tools.referee import api, draw, truth
from tools.referee.ledger import Ledger
from tools.referee.rational import exact
from tools.referee.subjects import svm_certificate


def machine(rng: np.random.Generator, ledger: Ledger) -> None:
    """Judge (alpha, b) for a kernel and its examples, as every solver's answer is judged."""
    data = draw.examples(rng, 7, 3)
    kernel, C = draw.kernel(rng, data.X), draw.cost(rng, data.unit)
    loss = "squared_hinge" if rng.random() < 0.3 else "hinge"
    problem = truth.posed(kernel, data.X, data.y, C, loss=loss)
    tol, h = float(rng.choice([1e-3, 1e-4, 1e-6])), hair(rng)
    alpha, b = svm_certificate.best_pair(problem)
    centre = data.X.mean(axis=0) if isinstance(kernel, Linear) else None
    scorer = Scorer(problem, data.X, alpha, centre)
    b = scorer.moved(b if centre is None else scorer.lifted(b), tol, h)
    if b is None:
        return
    what = f"judged {kernel!r} C={C:.3g} {loss} tol={tol:g} h={h:.2g} [{data.kind}]"
    given = (kernel, data.X, data.y, C, alpha, b, loss, tol)
    said = ledger.call(what, api.judged_machine, *given)
    if said is not None:
        scorer.judge(ledger, what, said, b, tol)


def matrix(rng: np.random.Generator, ledger: Ledger) -> None:
    """Judge (alpha, b) by `svm.certificate`, for a Gram matrix of whole numbers."""
    K, y = svm_certificate.whole_gram(rng)
    C, loss = draw.cost(rng, True), "squared_hinge" if rng.random() < 0.3 else "hinge"
    squared = loss != "hinge"
    problem = truth.Classification(exact(K), exact(y), [Fraction(C)] * len(y), True, squared)
    tol, h = float(rng.choice([1e-3, 1e-4, 1e-6])), hair(rng)
    alpha, b = svm_certificate.best_pair(problem)
    scorer = Scorer(problem, None, alpha, None)
    b = scorer.moved(b, tol, h)
    if b is None:
        return
    what = f"svm.certificate at the edge C={C:.3g} {loss} tol={tol:g} h={h:.2g}"
    said = ledger.call(what, api.svm_certificate, K, y, C, alpha, b, loss=loss, tol=tol)
    if said is not None:
        scorer.judge(ledger, what, said.verdict, b, tol)


def hair(rng: np.random.Generator) -> float:
    """Return by how much the tolerance is missed (> 0) or kept (< 0), relative to itself."""
    return float(rng.choice([-1.0, 1.0])) * draw.power(rng, -9, -1)


class Scorer:
    """A machine whose alpha is fixed and whose offset is free."""

    def __init__(self, problem: truth.Classification, X, alpha: np.ndarray, centre) -> None:
        self.problem, self.alpha = problem, exact(alpha)
        beta = [a * y for a, y in zip(self.alpha, problem.y)]
        found, self.pull = truth.kernel_answer(problem.K, beta, Fraction(0)), Fraction(0)
        if centre is not None:
            Z = api.moved(exact(X), centre)
            w = truth.combined(beta, Z)
            found, self.pull = truth.linear_answer(Z, w, Fraction(0)), truth.dot(w, exact(centre))
        self.norm2, self.scores = found.norm2, found.f
        self.below = problem.dual(problem.balanced(self.alpha))

    def lifted(self, b: float) -> float:
        """Return the offset as seen from the centre: `pull` is w.centre."""
        return float(Fraction(b) + self.pull)

    def value(self, b: float) -> Fraction:
        """Return the exact objective with this offset."""
        answer = truth.Answer(self.norm2, [f + Fraction(b) for f in self.scores])
        return self.problem.primal(answer)

    def moved(self, b: float, tol: float, h: float) -> float | None:
        """Return the offset at which the gap is tol (1 + h); None if it is larger all the way."""
        goal = self.below * (1 + Fraction(tol) * (1 + Fraction(h)))
        if self.value(b) >= goal:
            return None
        low, high = b, b + 1.0
        while self.value(high) < goal:
            high = b + 2.0 * (high - b)
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.value(middle) < goal else (low, middle)
        return high if h > 0 else low

    def judge(self, ledger: Ledger, what: str, said: str, b: float, tol: float) -> None:
        """Compare a verdict with the exact gap and the exact best value."""
        value = self.value(b)
        right = truth.within(value, self.problem.best([float(a) for a in self.alpha]), tol)
        near = self.problem.nearly_balanced(self.alpha) and self.problem.in_box(self.alpha)
        tight = near and truth.within(value, self.below, tol)
        ledger.verdict(what, said, right=right, tight=tight)
