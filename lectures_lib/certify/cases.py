"""What is judged: a linear model or a kernel machine beside the problem that it claims to solve.

A case knows four things: what the model costs, multipliers that cost nothing to guess, what
multipliers prove, and how to get another answer. `judgement` asks for them in this order, and stops
as soon as there is a verdict.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from .. import fast, kernel_methods
from .._result import with_fields
from ..kernels import Given, Kernel
from ..proof import risk as bounds
from ..proof import scores
from ..proof.gram import TESTED, not_a_gram_matrix
from ..proof.judgement import Judgement
from ..proof.risk import Risk
from ..proof.rounding import UNIT, Enclosure, enclosed_product
from . import solvers

#: Another answer is solved for to this part of the tolerance.
OF_TOLERANCE = 0.1
#: sigma is made of gamma: what that changes in an entry of K, at most.
OF_GAMMA = 8 * UNIT
#: No objective is below 0: a sum of penalties and losses, of squares, or of mistakes.
NONE_BELOW = Enclosure(0.0)
#: Where a judgement comes from.
FREE = "bound by multipliers that the model has or that its own scores give"
NOTHING = "its scores give no multipliers that prove anything: solve=True looks for some"
SOLVED = "bound and other answer by one solve of the same problem"
TOO_LARGE = (
    "no other answer was found: the problem is too large for a solve here (thousands of features "
    "and of examples), or its numbers are beyond floating point"
)


@dataclass(frozen=True, eq=False)
class LinearCase:
    """Weights and offset, and the examples; b is free where `risk.offset` says so, else 0."""

    title: str
    formula: str
    risk: Risk
    X: Any  #: (n, d) dense or sparse
    w: np.ndarray
    b: float = 0.0
    beta: np.ndarray | None = None  #: the model's own multipliers, if it has them
    w_error: np.ndarray | float = 0.0  #: a penalised offset is a weight that was divided
    constant: float = 0.0  #: the last feature is this constant, whose weight gives the offset
    norm: float = np.inf  #: not below that of X: bounds are then found in one reading of X each
    advice: str = ""
    assumes: str = ""

    @property
    def wrong(self) -> str:
        """What is wrong with the model, whatever it costs."""
        if self.risk.positive and (self.w < 0).any():
            return "a weight is below 0, and positive=True allows none"
        none = "the problem has no offset, and the model has one"
        return none if self.b and not self.risk.offset else ""

    @cached_property
    def _made(self) -> tuple[np.ndarray, np.ndarray]:
        return enclosed_product(self.X, self.w, self.w_error, self.norm)

    def scores(self) -> np.ndarray:
        """Return f of each example, as computed."""
        return self._made[0] + self.b

    def above(self) -> Enclosure:
        """Return what the model costs."""
        with_errors = self.w_error, self.norm, self._made
        return bounds.linear_above(self.risk, self.X, self.w, self.b, *with_errors)

    def below(self, beta: np.ndarray) -> Enclosure:
        """Return what the multipliers prove."""
        return bounds.linear_below(self.risk, self.X, beta, self.norm)

    def guess(self) -> np.ndarray | None:
        """Return the model's own multipliers, or those that its scores would have as the best."""
        if self.beta is not None:
            return _into_box(self.risk, self.beta)
        if self.risk.loss in ("hinge", "tube"):
            return None
        f = self.scores()
        if self.risk.offset and self.risk.loss != "squared":  # whose beta is evened out anyway
            f = solvers.best_offset(self.risk, f)
        return self._scaled(solvers.pull(self.risk, f))

    def _scaled(self, beta: np.ndarray, *, best: bool = True) -> np.ndarray:
        """Return the best multiple of beta, of a quadratic; if l1 stands alone, one that fits."""
        risk, factor = self.risk, 1.0
        if risk.offset:
            beta = beta - risk.C * (beta.sum() / risk.C.sum()) if risk.loss == "squared" else beta
            beta = bounds.balanced(beta)
        if risk.l1 and not risk.l2:
            v, error, _ = bounds.weights_made(risk, self.X, beta, self.norm)
            most = float((self._sizes(v) + 4 * error).max())  # a multiple is rounded anew
            factor = min(1.0, risk.l1 / most * (1 - 1e-9)) if most > 0 else 1.0
        elif best and risk.loss != "logistic" and not risk.l1:
            v = self._sizes(self.X.T @ beta)
            y = risk.y - (risk.median if risk.offset else 0.0)
            share = np.divide(beta**2, risk.C, out=np.zeros_like(beta), where=risk.C > 0).sum()
            bend = v @ v / risk.l2 + (1.0 if risk.loss == "squared" else 0.5) * share
            factor = (y @ beta - risk.epsilon * np.abs(beta).sum()) / bend if bend > 0 else 1.0
        return max(factor, 0.0) * beta if factor != 1.0 else beta

    def _sizes(self, v: np.ndarray) -> np.ndarray:
        return np.maximum(v, 0.0) if self.risk.positive else np.abs(v)

    def other(self, tol: float) -> tuple[Enclosure, np.ndarray, dict[str, Any]] | None:
        """Return another answer: what it costs, its multipliers, and itself."""
        found = solvers.solve(self.risk, self.X, tol, self.scores())
        if found is None:
            return None
        cost = bounds.linear_above(self.risk, self.X, found.w, found.b)
        if self.constant:
            answer = {"w": found.w[:-1], "b": float(found.w[-1] * self.constant)}
        else:
            answer = {"w": found.w, "b": found.b}
        return cost, self._scaled(_into_box(self.risk, found.beta), best=False), answer


@dataclass(frozen=True, eq=False)
class KernelCase:
    """f = sum coef K(x_i, x) + b, for a kernel that is known, or for a given K."""

    title: str
    formula: str
    risk: Risk
    X: np.ndarray  #: (n, d) examples, or the (n, n) matrix K itself
    kernel: Kernel | None  #: None: K was given
    coef: np.ndarray
    b: float = 0.0
    advice: str = ""

    @cached_property
    def _support(self) -> np.ndarray:
        return np.flatnonzero(self.coef)

    @cached_property
    def _own(self) -> scores.Scores:
        """The scores of the model's own coefficients."""
        return self._scores(self.coef, self._columns)

    @cached_property
    def _columns(self) -> np.ndarray:
        """K of all examples and those that the model uses."""
        return self._block(self._support)

    @cached_property
    def _known(self) -> tuple[str, dict[str, Any]]:
        """What is wrong with K, and how well it is known."""
        if self.kernel is None:
            wrong, relative, ridge = not_a_gram_matrix(self.X)
            return wrong, {} if wrong else {"relative": relative, "ridge": ridge}
        relative = self.kernel.rounding(self.X)
        if relative is None:
            return "", {"relative": np.inf, "valid": True}
        return "", {"relative": relative + OF_GAMMA, "valid": True}

    @property
    def assumes(self) -> str:
        """What was not tested."""
        untested = self.kernel is None and len(self.X) > TESTED
        return "K is positive semi-definite (not tested)" if untested else ""

    @property
    def wrong(self) -> str:
        """What is wrong with K."""
        return self._known[0]

    def _scores(self, coef: np.ndarray, columns: np.ndarray) -> scores.Scores:
        kernel = self.kernel
        diagonal = (
            np.ascontiguousarray(self.X.diagonal()) if kernel is None else kernel.diagonal(self.X)
        )
        return scores.of_gram(scores.one_block(columns), diagonal, coef, **self._known[1])

    def scores(self) -> np.ndarray:
        """Return f of each example, as computed."""
        return self._columns @ self.coef[self._support] + self.b

    def above(self) -> Enclosure:
        """Return what the model costs."""
        if not len(self._support):  # w = 0: nothing is rounded
            none = np.zeros((len(self.risk.y), 0))
            return bounds.linear_above(self.risk, none, np.zeros(0), self.b)
        return bounds.kernel_above(self.risk, self._own, self.b)

    def below(self, beta: np.ndarray) -> Enclosure:
        """Return what the multipliers prove."""
        beta = bounds.balanced(beta) if self.risk.offset else beta
        if np.array_equal(beta, self.coef):
            return bounds.kernel_below(self.risk, self._own, beta)
        same = np.array_equal(np.flatnonzero(beta), self._support)
        columns = self._columns if same else self._block(np.flatnonzero(beta))
        return bounds.kernel_below(self.risk, self._scores(beta, columns), beta)

    def _block(self, s: np.ndarray) -> np.ndarray:
        if not len(s):
            return np.zeros((len(self.X), 0))
        return (
            self.X[:, s]
            if self.kernel is None
            else fast.kernel(self.kernel).gram(self.X, self.X[s])
        )

    def guess(self) -> np.ndarray:
        """Return the model's own multipliers, moved into the box by the rounding that left it."""
        return _into_box(self.risk, self.risk.l2 * self.coef)

    def other(self, tol: float) -> tuple[Enclosure, np.ndarray, dict[str, Any]] | None:
        """Return another answer: what it costs, its multipliers, and itself."""
        kernel = self.kernel or Given()
        X = self.X if self.kernel is not None else Given.rows(self.X)
        y, C = self.risk.y, self.risk.C
        if self.risk.loss == "hinge":
            machine = fast.svm(X, y, C, kernel, tol=OF_TOLERANCE * tol)
            coef, b = machine.alpha * y, float(machine.b)
        elif self.risk.loss == "tube":
            fit = kernel_methods.support_vector_regression(X, y, C, self.risk.epsilon, kernel)
            coef, b = fit.beta, float(fit.b + fit.middle)
        else:
            K = self._block(np.arange(len(y)))
            coef, b = np.linalg.solve(K + np.diag(self.risk.l2 / C), y), 0.0
        twin = replace(self, coef=coef, b=b)
        return twin.above(), _into_box(self.risk, self.risk.l2 * coef), {"coef": coef, "b": b}


def _into_box(risk: Risk, beta: np.ndarray) -> np.ndarray:
    """Return multipliers cut to the domain of the loss."""
    if risk.loss in bounds.OF_LABELS:
        high = np.inf if risk.loss == "squared_hinge" else risk.C
        return risk.y * np.clip(risk.y * beta, 0.0, high)
    return np.clip(beta, -risk.C, risk.C) if risk.loss == "tube" else beta


def judgement(case: Any, tol: float, solve: bool) -> Judgement:
    """Judge a case: by what is free, and if that leaves it open, by one solve."""
    if hasattr(case, "judged"):
        return case.judged(tol)
    about = {"model": case.title, "formula": case.formula, "tol": tol, "advice": case.advice}
    if case.wrong:
        return Judgement(**about, wrong=case.wrong)
    about["assumes"] = case.assumes
    with np.errstate(over="ignore", invalid="ignore", under="ignore"):
        free, rough = _for_free(case, about)
        if free.verdict == "proved":
            return free
        if hasattr(case, "norm"):
            case = replace(case, norm=np.inf)
            free = _for_free(case, about)[0] if rough else free
        if not solve or (rough and free.verdict == "proved"):
            return free
        above, below = free.above, free.below
        found = case.other(tol)
        if found is None:
            return with_fields(free, how=getattr(case, "without", TOO_LARGE))
        cost, beta, answer = found
        proved = case.below(beta)
        how = getattr(case, "how", SOLVED)
        best = proved if proved.low > below.low else below
    return Judgement(**about, above=above, below=best, other=cost, better=answer, how=how)


def _for_free(case: Any, about: dict[str, Any]) -> tuple[Judgement, bool]:
    """Return the judgement by multipliers that cost nothing, and whether rounding is much in it."""
    above, beta = case.above(), case.guess()
    below = NONE_BELOW if beta is None else case.below(beta)
    off = float(above.error + below.error)
    how = FREE if beta is not None else NOTHING
    kept = below if below.low > 0 else NONE_BELOW
    free = Judgement(**about, above=above, below=kept, how=how)
    return free, not off <= OF_TOLERANCE * free.tol * float(above.value)


def together(title: str, formula: str, tol: float, parts: Sequence[Judgement]) -> Judgement:
    """Return the judgement on a model of several machines."""
    advice = next((part.advice for part in parts if part.verdict != "proved"), "")
    return Judgement(title, formula, tol, parts=tuple(parts), advice=advice)
