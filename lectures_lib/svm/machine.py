"""A trained support vector machine, and how a solver's multipliers become one."""

from dataclasses import dataclass
from math import fsum

import numpy as np
from numpy.typing import ArrayLike

from .. import smo
from .._result import Result
from ..conventions import OneLine, sign
from ..kernels import Kernel, Linear, product
from ..margins import MaxMargin
from ..proof.duality import Certificate
from ..proof.rounding import Enclosure
from .free import balanced_exactly, refined
from .offset import is_free, largest_alpha, offset_interval, smallest_alpha
from .problem import SVMProblem

#: Multipliers that differ by more than this factor are not cut to one grid.
COARSE = 2.0**-40


@dataclass(frozen=True, eq=False, repr=False)
class SVMachine(OneLine, Result):
    """A trained machine with its multipliers and its certificate."""

    kernel: Kernel
    X: np.ndarray  #: (n, d) the training examples
    y: np.ndarray  #: (n,)
    C: float | np.ndarray  #: one, or one per example
    alpha: np.ndarray  #: (n,) sum alpha y is 0, without rounding where the kernel is linear
    b: float  #: f(x) = sum alpha_i y_i K(x_i, x) + b; linear: up to the rounding of b
    b_interval: tuple[float, float]  #: every offset in it is as good; a point if a free one exists
    certificate: Certificate
    separation: MaxMargin | None = None  #: C = inf and no separator: the weights that prove it
    loss: str = "hinge"
    message: str = ""  #: the solver's own words, and the verdict
    order: int | None = None  #: of the linear systems that a QP engine solved; SMO solves none
    centre: np.ndarray | None = None  #: linear: c, where b_centred counts
    b_centred: float | None = None  #: linear: f(x) = sum alpha_i y_i (x_i - c).(x - c) + b_centred
    own_w: np.ndarray | None = None  #: if alpha is too coarse: f(x) = own_w.(x - c) + b_centred
    iterations: int = 0  #: steps of SMO, all its tries; 0 where another way gave the answer

    @property
    def converged(self) -> bool:
        """The answer is proved: the certificate holds; or the weights that show: no separator.

        Those are judged for features. For a kernel they come from a Gram matrix that was rounded:
        then only an example with both labels proves it.
        """
        if self.separable or self.changed:
            return self.certificate.holds
        known = self.separation is not None and self.separation.converged
        return known and (self.kernel == Linear() or self._contradiction)

    @property
    def _contradiction(self) -> bool:
        """Two equal examples have different labels."""
        rows = [(row + 0.0).tobytes() if hasattr(row, "tobytes") else row for row in self.X]
        return len(set(zip(rows, self.y))) > len(set(rows))

    @property
    def separable(self) -> bool:
        """False only where C = inf and the hulls of the classes meet."""
        return self.separation is None

    @property
    def support(self) -> np.ndarray:
        """The examples with alpha > 0."""
        return np.flatnonzero(self.alpha > smallest_alpha(self.alpha, self._high))

    @property
    def free(self) -> np.ndarray:
        """The examples with 0 < alpha < C, on the margin; squared hinge: those with alpha > 0."""
        return np.flatnonzero(is_free(self.alpha, self._high))

    @property
    def bounded(self) -> np.ndarray:
        """The examples with alpha = C: on the margin, inside it or beyond; squared hinge: none."""
        return np.setdiff1d(self.support, self.free)

    @property
    def _high(self) -> float | np.ndarray:
        return largest_alpha(self.C, self.loss)

    @property
    def w(self) -> np.ndarray | None:
        """sum alpha y x where the kernel is linear, added up from the centre; None elsewhere."""
        if not isinstance(self.kernel, Linear) or not self.separable:
            return None
        if self.own_w is not None:
            return self.own_w
        return weights(self.X, self.alpha * self.y, self.centre)

    def decision(self, X: ArrayLike) -> np.ndarray:
        """Return f(x) = sum alpha_i y_i K(x_i, x) + b for each row, over all alpha_i > 0.

        It is rounded; the certificate is about f itself, in exact arithmetic.
        """
        s, X = np.flatnonzero(self.alpha), self.kernel.check(X)
        if len(s) == 0:
            return np.full(len(X), self.b if self.b_centred is None else self.b_centred)
        if self.centre is None or self.w is None:
            return product(self.kernel, X, self.X[s], (self.alpha * self.y)[s]) + self.b
        self.kernel(X[:1], self.X[:1])  # the same number of features, or an error
        return (X - self.centre) @ self.w + self.b_centred

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the sign of the decision, never 0."""
        return sign(self.decision(X))


def weights(X: np.ndarray, beta: np.ndarray, centre: np.ndarray | None) -> np.ndarray:
    """Return sum beta (x - centre): the same as sum beta x, for beta adds up to 0 but for rounding.

    That rounding, times a centre far away, would be a large error of w.
    """
    return beta @ (X if centre is None else X - centre)


def machine(
    problem: SVMProblem,
    alpha: np.ndarray,
    run: object = None,
    *,
    scores: np.ndarray | None = None,
    own: np.ndarray | None = None,
    own_b: float = 0.0,
) -> SVMachine:
    """Return the machine of a solver's multipliers, with its proof.

    `run` is what the solver returned: its `message` and `order`, where it has them. `scores` are
    those that the solver kept: good enough to choose b; the judge computes its own. A linear
    machine may have weights and an offset of its own, where alpha is too coarse to make them.
    """
    b, interval = own_b, (own_b, own_b)
    if own is None:
        b, interval = _offset(problem, alpha, problem.scores(alpha) if scores is None else scores)
    if own is None and problem.centre is not None:
        alpha, own = _fixed(problem, alpha)
    judged = problem.certificate(alpha, b, own)
    shift, said = _shift(problem, alpha, own), getattr(run, "message", "solved")
    return SVMachine(
        problem.kernel, problem.X, problem.y, problem.C, alpha, b - shift,
        (interval[0] - shift, interval[1] - shift), judged, None, problem.loss,
        f"{said}; {judged.reason}{'' if judged.holds else problem.advice}",
        getattr(run, "order", None), *_place(problem, b, own), own,
        run.iterations if isinstance(run, smo.SMORun) else 0,
    )  # fmt: skip


def _fixed(problem: SVMProblem, alpha: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """Return the multipliers of a linear machine, balanced exactly: far out, rounding moves f.

    Where the least would be lost beside the largest, they stay, and w is kept beside them.
    """
    positive = alpha[alpha > 0]
    if positive.size and positive.min() < COARSE * positive.max():
        return alpha, weights(problem.X, alpha * problem.y, problem.centre)
    return balanced_exactly(alpha, problem.y), None


def _place(problem: SVMProblem, b: float, own) -> tuple[np.ndarray | None, float | None]:
    """Return where b counts, and b; weights of their own count from somewhere, too."""
    if problem.centre is None and own is None:
        return None, None
    return (0.0 * own if problem.centre is None else problem.centre), b


def polished_machine(problem: SVMProblem, alpha: np.ndarray, run: object = None) -> SVMachine:
    """Return the machine of a solver's multipliers, or of better ones that K gives (`refined`)."""
    tried = refined(problem.K, problem.y, problem.C, alpha, problem.offset, problem.loss)
    return machine(problem, min(tried, key=lambda a: _rough_gap(problem, a)), run)


def inseparable(problem: SVMProblem, verdict: MaxMargin) -> SVMachine:
    """Return the answer for a hard margin where none exists: the weights that prove it."""
    none = Enclosure(np.inf), Enclosure(0.0)
    wrong = "no separator exists"
    judged = Certificate(np.inf, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, *none, wrong=wrong)
    message = "no separator exists: weighted by `separation.weights`, sum y x is 0"
    if not verdict.converged:
        message = "no separator was found; that none exists is not proved"
    return SVMachine(
        problem.kernel, problem.X, problem.y, np.inf, np.zeros(len(problem.y)), np.nan,
        (np.nan, np.nan), judged, verdict, message=message,
    )  # fmt: skip


def _offset(problem: SVMProblem, alpha, scores) -> tuple[float, tuple[float, float]]:
    if not problem.offset:
        return 0.0, (0.0, 0.0)
    interval = offset_interval(scores, problem.y, problem.C, alpha, loss=problem.loss)
    return float(np.mean(interval)), interval


def _shift(problem: SVMProblem, alpha, own: np.ndarray | None = None) -> float:
    """Return w.centre: what b changes by when x is seen from the origin again."""
    if problem.centre is None:
        return 0.0
    w = weights(problem.X, alpha * problem.y, problem.centre) if own is None else own
    return fsum(w * problem.centre)


def _rough_gap(problem: SVMProblem, alpha) -> float:
    """Return primal - dual as computed, to choose between answers; the judge comes after."""
    y, C, scores = problem.y, problem.C, problem.scores(alpha)
    b, _ = _offset(problem, alpha, scores)
    t, norm2 = y * (scores + b), (alpha * y) @ scores
    xi = np.maximum(0.0, 1.0 - t)
    if problem.hard:
        room = min(t.min(), 1.0)
        return 0.5 * norm2 * (1 + 1 / room**2) - alpha.sum() if room > 0 else np.inf
    if not problem.squared:
        return float(norm2 + (C * xi).sum() - alpha.sum())
    return float(norm2 + (C * xi) @ xi + (alpha / (4 * C)) @ alpha - alpha.sum())
