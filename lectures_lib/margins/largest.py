"""The largest margin, by Wolfe's algorithm on one hull or two; see `margins`."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from .._result import SEAL, Result, with_fields
from ..conventions import OneLine, check_examples, check_number, check_points, check_vector
from ..proof.margins import MarginProof, is_clear, judge_margin
from ..proof.rounding import fractions
from .exact import OverBudget, exact_nearest

#: Rounding, relative to data scaled to norm 1: smaller differences mean nothing.
ROUNDING = 1e-14
#: Wolfe's algorithm ends by itself; this only guards against a cycle of rounding errors.
MAX_STEPS = 10_000
#: Products that may be spent, unasked, on a proof in whole numbers: about a second.
BUDGET = 1_000_000.0


@dataclass(frozen=True, eq=False, repr=False)
class MaxMargin(OneLine, Result):
    """The largest margin of a set with its proof, or the proof that no separator exists.

    The proof is a pair: `w` shows a margin of `gamma` (anyone can measure it), and the convex
    `weights` show that no separator has more than `dual`, the length of the point they make.
    `certificate` measures both again, rounding included. Where nothing is proved, `converged` is
    False: then "not separable" only says that no separator was found.
    """

    separable: bool  #: some w (and b) has y (w.x + b) > 0 on every example; or >= `asked`
    w: np.ndarray | None  #: (d,) the unit separator of largest margin; None if not separable
    b: float  #: its offset; 0 for separators through the origin
    gamma: float  #: the margin that w attains (without rounding: that of p); 0.0 if not separable
    dual: float  #: what no separator can exceed: the distance that `weights` realise
    weights: np.ndarray  #: (n,) sum 1; with an offset, sum 1 in each class
    residual: float  #: not separable: length of sum weights y x, which proves it by being 0
    converged: bool  #: proved: gamma and dual agree to 1e-7; or there is no separator
    certificate: MarginProof | None = None  #: the proof
    p: tuple[Fraction, ...] | None = None  #: decided in fractions: the nearest point, exactly
    exact_weights: np.ndarray | None = None  #: decided in fractions: (n,) what makes it
    asked: float = 0.0  #: above 0: no unit w has this margin, which was asked for: dual < asked

    @property
    def gap(self) -> float:
        """dual - gamma: how far `w` can be from the best."""
        return self.dual - self.gamma

    def rejudge(self, X: ArrayLike, y: ArrayLike, *, offset: bool = False) -> "MaxMargin":
        """Judge w, b and the convex weights anew, also of a changed copy; all else follows.

        Parameters
        ----------
        X, y, offset : as in `max_margin`, which keeps none of them

        Examples
        --------
        >>> from dataclasses import replace
        >>> X, y = datasets.lecture_example()
        >>> best = margins.max_margin(X, y)
        >>> replace(best, w=-best.w).rejudge(X, y).certificate.verdict
        'refuted'
        """
        X, y = check_examples(X, y, both=offset)
        w, b = self._unit_separator(X.shape[1])
        weights, p = self._weights_and_point(X, y)
        proof = judge_margin(X, y, w, b, weights, offset=offset)
        known = bool(proof.dual.high < self.asked) if self.asked else proof.holds
        w = None if self.asked else w  # nobody has the margin that was asked for
        shown = weights.astype(float)
        return with_fields(
            self, separable=w is not None, w=w, b=b, dual=float(proof.dual.value), p=p,
            gamma=0.0 if w is None else float(proof.margin.value), converged=known,
            residual=float(np.linalg.norm((shown * y) @ X)), certificate=proof,
            exact_weights=None if p is None else weights,
        )  # fmt: skip

    def _unit_separator(self, d: int) -> tuple[np.ndarray | None, float]:
        """Return w and b, divided by norm(w) where that is not 1."""
        if self.w is None:
            return None, 0.0
        w, b = check_vector(self.w, d), check_number(self.b, "b")
        length = float(np.linalg.norm(w))
        return (w / length, b / length) if length and abs(length - 1.0) > ROUNDING else (w, b)

    def _weights_and_point(self, X, y) -> tuple[np.ndarray, tuple[Fraction, ...] | None]:
        """Return the weights that are shown; fractions and the point they make, if they agree."""
        shown, exact = check_vector(self.weights, len(y), "weights"), self.exact_weights
        if exact is None or not np.array_equal(np.asarray(exact).astype(float), shown):
            return shown, None
        weights = np.array([Fraction(v) for v in np.asarray(exact).tolist()], dtype=object)
        return weights, tuple((weights * fractions(y)) @ fractions(X))


@explained
def margin(w: ArrayLike, x: ArrayLike, y: ArrayLike, b: float = 0.0) -> float | np.ndarray:
    """Return y (w.x + b) / norm(w): the distance of x from the plane, negative on the wrong side.

    `x` is one example (d,) with a label, or several (n, d) with labels (n,).

    Parameters
    ----------
    w, b : a separator of any length
    x, y : one example (d,) with a label, or several (n, d) with labels (n,)

    Examples
    --------
    >>> margins.margin([3.0, 4.0], [1.0, 2.0], 1, b=-1.0)
    2.0
    """
    if np.ndim(x) == 1:
        one = margin(w, np.asarray(x)[None, :], np.atleast_1d(y), b)
        return float(np.asarray(one)[0])
    X, y = check_examples(x, y)
    w = check_vector(w, X.shape[1])
    norm = np.linalg.norm(w)
    if norm == 0:
        raise BadArgument("w is the zero vector: it has no plane, so no distance to it.")
    return y * (X @ w + check_number(b, "b")) / norm


@explained
def set_margin(w: ArrayLike, X: ArrayLike, y: ArrayLike, b: float = 0.0) -> float:
    """Return the margin of the set: the smallest over its examples (L1).

    Parameters
    ----------
    w, b : a separator of any length
    X, y : (n, d) examples and (n,) labels

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> margins.set_margin([1.0, 0.0], X, y)
    1.0
    """
    return float(np.min(margin(w, check_points(X), y, b)))


@explained
def max_margin(
    X: ArrayLike,
    y: ArrayLike,
    *,
    offset: bool = False,
    exact: bool = False,
    known_to: float = 0.0,
) -> MaxMargin:
    """Return the margin of the set, the largest over all separators, with its proof (L1).

    Without `offset` the separators pass through the origin. Scaling the data scales the answer.
    Where floating point leaves a doubt, the points it has found are solved for again in whole
    numbers; only if that takes too long is the answer left undecided (`converged` False).
    So is a margin that a few roundings of the data could open or close. ``exact=True`` decides in
    whole numbers, for exactly the numbers given and however long it takes; where the margin is so
    thin that the floats have no separator, `p` is exact, `w` is rounded and `converged` is False.
    `known_to` says how well X is known, relative to its longest row: a thinner margin is left
    undecided. Rows that `kernels.embed` makes of K are known to 1e-7, the root of K's rounding.

    Parameters
    ----------
    X, y : (n, d) examples and (n,) labels
    offset : separators need not pass through the origin
    exact : decide in whole numbers
    known_to : how well X is known, relative to its longest row

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> round(margins.max_margin(X, y).gamma, 6)
    1.0
    """
    X, y = check_examples(X, y, both=offset)
    answer, corral = _in_floating_point(X, y, offset)
    if exact or not answer.converged:
        with suppress(OverBudget):
            answer = _exactly(X, y, offset, corral, exact)
    return (
        answer if exact or answer.gamma > known_to * _reach(X) else _unknown(X, y, answer, offset)
    )


def _reach(X: np.ndarray) -> float:
    return float(np.linalg.norm(X, axis=1).max())


def _unknown(X: np.ndarray, y: np.ndarray, answer: MaxMargin, offset: bool) -> MaxMargin:
    """Return the answer without its separator, whose margin is thinner than X is known."""
    return (
        _with_proof(X, y, np.zeros(X.shape[1]), answer.weights, offset)
        if answer.separable
        else answer
    )


def _in_floating_point(X: np.ndarray, y: np.ndarray, offset: bool) -> tuple[MaxMargin, list]:
    """Return the answer and the names of the points that hold it."""
    Z = X - X[0] if offset else X  # an offset: only differences count
    scale = np.abs(Z).max() or 1.0
    solve = _between_hulls if offset else _from_origin
    p, corral, lam = solve(Z / scale, y)
    weights = sum(np.bincount(ends, lam, len(X)) for ends in zip(*corral, strict=True))
    return _with_proof(X, y, p, weights, offset), corral


def _from_origin(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, list, np.ndarray]:
    Z = y[:, None] * X
    return least_norm_point(lambda v: (int(np.argmin(Z @ v)),), lambda i: Z[i[0]], Z.shape[1])


def _between_hulls(X: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, list, np.ndarray]:
    pos, neg = np.flatnonzero(y > 0), np.flatnonzero(y < 0)

    def lowest(v):
        return int(pos[np.argmin(X[pos] @ v)]), int(neg[np.argmax(X[neg] @ v)])

    return least_norm_point(lowest, lambda ij: X[ij[0]] - X[ij[1]], X.shape[1])


def _with_proof(X, y, p, weights, offset, nearest=None, exact=False) -> MaxMargin:
    """Return the answer that direction p and the weights give, measured by the judge.

    `nearest` is the nearest point without rounding, where it is known; the weights that make it
    are then fractions.
    """
    shown = weights.astype(float)
    found = {"weights": shown, "residual": float(np.linalg.norm((shown * y) @ X)), "p": nearest}
    found |= {"exact_weights": weights if nearest else None, "_seal": SEAL}
    if np.any(p):
        p = p if np.linalg.norm(p) > 1e-150 else p / np.abs(p).max()  # or its square is 0
        w = p / np.linalg.norm(p)
        b = _middle(X, y, w) if offset else 0.0
        proof = judge_margin(X, y, w, b, weights, offset=offset)
        dual = float(proof.dual.value)
        if exact or (proof.margin.low > 0 and is_clear(X, y, w, b)):
            gamma = float(proof.margin.value) if proof.margin.low > 0 else dual
            return MaxMargin(
                True, w, b, gamma, dual, converged=proof.holds, certificate=proof, **found
            )
    proof = judge_margin(X, y, None, 0.0, weights, offset=offset)
    dual = float(proof.dual.value)
    return MaxMargin(False, None, 0.0, 0.0, dual, converged=proof.holds, certificate=proof, **found)


def _middle(X: np.ndarray, y: np.ndarray, w: np.ndarray) -> float:
    """Return the offset halfway between the classes; differences first, for data far from 0."""
    score = (X - X[0]) @ w
    return -0.5 * float(score[y > 0].min() + score[y < 0].max()) - float(X[0] @ w)


def _exactly(X: np.ndarray, y: np.ndarray, offset: bool, corral: list, exact: bool) -> MaxMargin:
    budget = np.inf if exact else BUDGET
    nearest, weights = exact_nearest(X, y, offset, corral, budget)
    largest = max(abs(v) for v in nearest)
    direction = np.array([float(v / largest) if largest else 0.0 for v in nearest])
    return _with_proof(X, y, direction, weights, offset, tuple(nearest), exact)


def least_norm_point(
    lowest: Callable, point: Callable, d: int
) -> tuple[np.ndarray, list, np.ndarray]:
    """Wolfe's algorithm: the point of least norm in the hull of points known by an oracle.

    `lowest(p)` names a point z with the least p.z. A corral of affinely independent points is
    kept; p is the nearest point to 0 of its affine hull, with positive weights `lam`.

    Parameters
    ----------
    lowest : names for p a point z with the least p.z
    point : returns the coordinates of a point named so
    d : in how many dimensions

    Examples
    --------
    >>> Z = np.array([[2.0, 1.0], [2.0, -1.0]])
    >>> lowest, point = lambda p: int(np.argmin(Z @ p)), lambda i: Z[i]
    >>> p, corral, lam = margins.least_norm_point(lowest, point, 2)
    >>> print(p.round(6), lam.round(6))
    [2. 0.] [0.5 0.5]
    """
    corral, lam = [lowest(np.zeros(d))], np.ones(1)
    p = point(corral[0])
    for _ in range(MAX_STEPS):
        q = lowest(p)
        if np.linalg.norm(p) <= ROUNDING:
            break  # p is 0 up to rounding, and so is every p.z from here on
        if q in corral or p @ p - p @ point(q) <= ROUNDING * np.linalg.norm(p):
            break  # every point lies beyond the plane across p: p is nearest
        tried = _nearest_inside([*corral, q], np.append(lam, 0.0), point)
        nearer = tried[1] @ np.array([point(v) for v in tried[0]])
        if nearer @ nearer >= p @ p:
            break  # what is left to gain is rounding
        (corral, lam), p = tried, nearer
    return p, corral, lam


def _nearest_inside(corral: list, lam: np.ndarray, point: Callable) -> tuple[list, np.ndarray]:
    """Walk towards the affine hull's nearest point; drop a corral point at each wall we meet."""
    while True:
        mu = _nearest_affine(np.array([point(v) for v in corral]))
        if (mu > ROUNDING).all():
            return corral, mu
        out = mu <= ROUNDING
        theta = np.min(lam[out] / np.maximum(lam[out] - mu[out], ROUNDING))
        lam = lam + min(theta, 1.0) * (mu - lam)
        keep = lam > ROUNDING
        keep[out & (lam == lam[out].min())] = False
        corral, lam = [v for v, k in zip(corral, keep, strict=True) if k], lam[keep]
        lam = lam / lam.sum()


def _nearest_affine(S: np.ndarray) -> np.ndarray:
    """Return weights with sum 1 of the point of least norm in the affine hull of the rows of S."""
    beta = np.linalg.lstsq((S[1:] - S[0]).T, -S[0], rcond=None)[0]
    return np.concatenate([[1.0 - beta.sum()], beta])
