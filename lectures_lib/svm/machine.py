"""A trained support vector machine, and how a solver's multipliers become one."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from functools import wraps
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .. import smo
from .._result import SEAL, Result, with_fields
from ..conventions import OneLine, check_number, check_vector, sign, take_rows
from ..kernels import Kernel, Linear, embed, product
from ..margins import MaxMargin
from ..proof.duality import ASK, Certificate
from ..proof.rounding import Enclosure
from .free import refined
from .problem import (
    AT_BOUND,
    SVMProblem,
    balanced_exactly,
    is_free,
    largest_alpha,
    offset_interval,
    pose,
)

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
    b: float  #: f(x) = sum alpha_i y_i K(x_i, x) + b; with a centre: b_centred, from 0, rounded
    b_interval: tuple[float, float]  #: every offset in it is as good; a point if a free one exists
    certificate: Certificate
    separation: MaxMargin | None = None  #: C = inf and no separator: the weights that prove it
    loss: str = "hinge"
    message: str = ""  #: the solver's own words, and the verdict
    order: int | None = None  #: of the linear systems that a QP engine solved; SMO solves none
    centre: np.ndarray | None = None  #: linear: c, where b_centred counts
    b_centred: float | None = None  #: then f(x) = sum alpha_i y_i (x_i - c).(x - c) + b_centred
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
        return (known and self.kernel == Linear()) or _contradiction(self.X, self.y)

    @property
    def separable(self) -> bool:
        """False only where C = inf and the hulls of the classes meet."""
        return self.separation is None

    @property
    def support(self) -> np.ndarray:
        """The examples with alpha > 0."""
        return np.flatnonzero(self.alpha > AT_BOUND * np.minimum(self.alpha.max(), self._high))

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
        if hasattr(self.X, "toarray"):  # sparse examples, of a linear kernel
            return X @ self.w + self.b
        if len(s) == 0:
            return np.full(len(X), self.b if self.b_centred is None else self.b_centred)
        if self.centre is None or self.w is None:
            return product(self.kernel, X, self.X[s], (self.alpha * self.y)[s]) + self.b
        self.kernel(X[:1], self.X[:1])  # the same number of features, or an error
        return (X - self.centre) @ self.w + self.b_centred

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the sign of the decision, never 0."""
        return sign(self.decision(X))

    def rejudge(self, *, offset: bool = True, tol: float = 1e-4) -> "SVMachine":
        """Judge this machine anew, for its own X, y, C, kernel and loss: also a changed copy.

        What is judged is f, made of `alpha` and `b`; of `own_w` where the machine has one. All else
        that it shows, as `b_interval`, is found anew.

        Parameters
        ----------
        offset, tol : as they were for the function that trained it

        Examples
        --------
        >>> from dataclasses import replace
        >>> X, y = datasets.xor()
        >>> machine = svm.train(X, y, 10.0, kernels.Polynomial(2))
        >>> lie = replace(machine, b=9.0)
        >>> print(lie.certificate.verdict, lie.rejudge().certificate.verdict)
        undecided refuted
        >>> replace(lie, b=machine.b).rejudge().converged
        True
        """
        given = self.X, self.y, self.C, self.kernel
        problem = pose(*given, loss=self.loss, offset=offset, tol=tol)
        if self.separation is None:
            return _rejudged(problem, self)
        rows = problem.X if problem.linear else embed(problem.K)
        return inseparable(problem, self.separation.rejudge(rows, problem.y, offset=offset))


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
    own_b: float | None = None,
) -> SVMachine:
    """Return the machine of a solver's multipliers, with its proof.

    `run` is what the solver returned: its `message` and `order`, where it has them. `scores` are
    those that the solver kept: good enough to choose b; the judge computes its own. A machine may
    have an offset of its own, and a linear one weights, where alpha is too coarse to make them.
    """
    b = 0.0 if own_b is None else own_b
    interval = b, b
    if own_b is None:
        b, interval = _offset(problem, alpha, problem.scores(alpha) if scores is None else scores)
    if own_b is None and problem.centre is not None:
        alpha, own = _fixed(problem, alpha)
    place = problem.centre if problem.centre is not None or own is None else 0.0 * own
    shift = shift_of(problem.X, alpha * problem.y, problem.centre, own)
    said = getattr(run, "message", "solved")
    judged = problem.certificate(alpha, b, own, origin=b - shift)
    found = SVMachine(
        problem.kernel, problem.X, problem.y, problem.C, alpha, b - shift,
        (interval[0] - shift, interval[1] - shift), judged, None, problem.loss,
        f"{said}; {judged.reason}{'' if judged.holds else problem.advice}",
        getattr(run, "order", None), place, None if place is None else b, own,
        run.iterations if isinstance(run, smo.SMORun) else 0, _seal=SEAL,
    )  # fmt: skip
    if not judged.holds or judged.off <= ASK:
        return found
    with np.errstate(all="ignore"):  # the judge is to see what rounding makes of f
        seen = problem.certificate(alpha, b, own, found.decision(problem.X), b - shift)
    return with_fields(found, certificate=seen, message=f"{said}; {seen.reason}")


def with_spares(
    solve: Callable[..., SVMachine], pose: Callable[..., SVMProblem] = pose
) -> Callable[..., SVMachine]:
    """Let a solver take prices of 0: such examples are left out, and their alpha is 0.

    The judge sees the problem of all of them, which `pose` makes.
    """

    @wraps(solve)
    def solved(X, y, C=1.0, *given, **options):
        cost = np.asarray(C)
        spared = cost == 0 if cost.ndim == 1 and cost.dtype.kind in "iuf" else np.zeros(1, bool)
        if not spared.any() or spared.all() or len(spared) != len(X):
            return solve(X, y, C, *given, **options)
        on = np.flatnonzero(~spared)
        found = solve(take_rows(X, on), np.asarray(y)[on], cost[on], *given, **options)
        known = {"offset": options["offset"]} if "offset" in options else {}
        known["tol"] = found.certificate.tol
        problem = pose(X, y, C, found.kernel, loss=found.loss, **known)
        alpha = np.zeros(len(spared))
        alpha[on] = found.alpha
        return machine(problem, alpha, found)

    return solved


def _rejudged(problem: SVMProblem, given: SVMachine) -> SVMachine:
    """Return the machine of alpha and b as they are given, with a new proof.

    Seen from the centre b has more digits, so `b_centred` is judged where it is the same offset.
    Where somebody changed one of them, or alpha is off balance, f is judged as it is written, from
    the origin.
    """
    alpha = check_vector(given.alpha, len(problem.y), "alpha", most=np.inf)  # judged, not refused
    b = check_number(given.b, "b")
    own = given.own_w if problem.linear else None
    own = None if own is None else check_vector(own, problem.X.shape[1], "own_w")
    beta = alpha * problem.y
    shift = shift_of(problem.X, beta, problem.centre, own)
    same = same_offset(given, b, shift, problem.centre)
    if same and (own is not None or not fsum(beta)):
        b = float(given.b_centred or 0.0)
    else:
        problem, shift = replace(problem, centre=None), 0.0
    _, (low, high) = _offset(problem, alpha, problem.scores(alpha))
    found = machine(problem, alpha, own=own, own_b=b)
    ends = (low - shift, high - shift) if low <= b <= high else found.b_interval
    kept = {"order": given.order, "iterations": given.iterations, "b_interval": ends}
    return with_fields(found, message=f"judged anew; {found.certificate.reason}", **kept)


def same_offset(given: Any, b: float, shift: float, centre: np.ndarray | None) -> bool:
    """Return whether `b_centred` is b, seen from this centre."""
    if centre is None or given.centre is None or given.b_centred is None:
        return False
    return np.array_equal(given.centre, centre) and given.b_centred - shift == b


def _fixed(problem: SVMProblem, alpha: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """Return the multipliers of a linear machine, balanced exactly: far out, rounding moves f.

    Where the least would be lost beside the largest, they stay, and w is kept beside them.
    """
    positive = alpha[alpha > 0]
    if positive.size and positive.min() < COARSE * positive.max():
        return alpha, weights(problem.X, alpha * problem.y, problem.centre)
    return balanced_exactly(alpha, problem.y), None


def polished_machine(problem: SVMProblem, alpha: np.ndarray, run: object = None) -> SVMachine:
    """Return the machine of a solver's multipliers, or of better ones that K gives (`refined`)."""
    tried = refined(problem, alpha)
    return machine(problem, min(tried, key=lambda a: _rough_gap(problem, a)), run)


def inseparable(problem: SVMProblem, verdict: MaxMargin) -> SVMachine:
    """Return the answer for a hard margin where none exists: the weights that prove it."""
    none = Enclosure(np.inf), Enclosure(0.0)
    wrong = "no separator exists"
    judged = Certificate(np.inf, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, *none, wrong=wrong)
    message = "no separator exists: weighted by `separation.weights`, sum y x is 0"
    if _contradiction(problem.X, problem.y):
        message = "no separator exists: two equal examples have different labels"
    elif not (verdict.converged and problem.linear):
        message = "no separator was found; that none exists is not proved"
    return SVMachine(
        problem.kernel, problem.X, problem.y, np.inf, np.zeros(len(problem.y)), np.nan,
        (np.nan, np.nan), judged, verdict, message=message, _seal=SEAL,
    )  # fmt: skip


def _contradiction(X: np.ndarray, y: np.ndarray) -> bool:
    """Return whether two equal examples have different labels."""
    rows = [(row + 0.0).tobytes() if hasattr(row, "tobytes") else row for row in X]
    if not all(isinstance(row, Hashable) for row in rows):
        return False  # such examples are not compared
    return len(set(zip(rows, y))) > len(set(rows))


def _offset(problem: SVMProblem, alpha, scores) -> tuple[float, tuple[float, float]]:
    if not problem.offset:
        return 0.0, (0.0, 0.0)
    interval = offset_interval(scores, problem.y, problem.C, alpha, loss=problem.loss)
    return float(np.mean(interval)), interval


def shift_of(
    X: np.ndarray, beta: np.ndarray, centre: np.ndarray | None, own: np.ndarray | None = None
) -> float:
    """Return w.centre: what b changes by when x is seen from the origin again."""
    if centre is None:
        return 0.0
    return fsum((weights(X, beta, centre) if own is None else own) * centre)


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
