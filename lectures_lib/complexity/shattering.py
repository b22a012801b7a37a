"""Shattering, decided labelling by labelling: a separator for each, or weights that refute it.

A set is shattered if every one of its 2^n labellings has a separator; at margin gamma, if every
one has a separator with that margin (L1). Nothing is sampled: all labellings are tried, so the
sets are small. Radon's dependence refutes a labelling of any d + 2 points in R^d.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import RTOL, add_constant, check_count, check_number, check_points
from ..margins import MaxMargin, max_margin
from ..proof.complexity import (
    all_labellings_once,
    is_number,
    is_points,
    is_rounded,
    is_table,
    judge_labelling,
    judge_radon,
)
from ..proof.rounding import fractions
from ..proof.verdict import SelfJudged, Verdict, worst

#: Sets above this size have too many labellings to try them all.
MOST_POINTS = 16
#: Up to this many products a Radon split is found in fractions.
MOST_PRODUCTS = 50_000


@dataclass(frozen=True, eq=False)
class Shattering(SelfJudged):
    """What separators do with each labelling of a set, and the proof of each verdict.

    Row k of every array is about `labellings[k]`: `w`, `b` show a margin of `margins[k]`, and the
    convex `weights` show that no separator has more. Weights that make exactly 0 are fractions,
    which floats only approach: `exact_weights` keeps them.
    """

    X: np.ndarray  #: (n, d)
    offset: bool  #: separators w.x + b; without: w.x
    gamma: float  #: the margin asked for; 0: any separator will do
    labellings: np.ndarray  #: (2^n, n) all of them, each once
    w: np.ndarray  #: (2^n, d) the unit separator of largest margin; NaN if there is none
    b: np.ndarray  #: (2^n,) its offset
    margins: np.ndarray  #: (2^n,) 0 if there is none; inf for one class and a free offset
    weights: np.ndarray  #: (2^n, n) sum 1; with an offset, sum 1 in each class
    realised: np.ndarray  #: (2^n,) the margin is at least gamma, and positive
    exact_weights: tuple = ()  #: (2^n) the weights as fractions, where fractions decided; else None

    @property
    def shattered(self) -> bool:
        """Every labelling has its separator."""
        return bool(self.realised.all())

    @property
    def count(self) -> int:
        """How many labellings have a separator."""
        return int(self.realised.sum())

    @property
    def refuted(self) -> np.ndarray | None:
        """(n,) the first labelling without a separator; None if there is none."""
        return None if self.shattered else self.labellings[np.argmin(self.realised)]

    @property
    def certificate(self) -> np.ndarray | None:
        """(n,) the convex weights that refute it; None if there is nothing to refute."""
        return None if self.shattered else self.weights[np.argmin(self.realised)]

    @cached_property
    def verdict(self) -> Verdict:
        """All rows are there, and each follows from X and itself, measured again."""
        if not self._is_complete:
            return "refuted"
        exact = self.exact_weights or (None,) * len(self.labellings)
        columns = self.realised, self.w, self.b, self.margins, self.weights, exact
        rows = zip(self.labellings, *columns, strict=True)
        return worst(
            judge_labelling(self.X, *row, offset=self.offset, gamma=self.gamma) for row in rows
        )

    @property
    def _is_complete(self) -> bool:
        """There is one row for each of the 2^n labellings, in every array."""
        if not is_points(self.X) or not isinstance(self.offset, (int, np.bool_)):
            return False
        (n, d), rows = np.shape(self.X), 2 ** len(self.X)
        tables = (self.w, rows, d), (self.b, rows), (self.margins, rows)
        flags = isinstance(self.realised, np.ndarray) and self.realised.dtype == bool
        sized = isinstance(self.exact_weights, tuple) and len(self.exact_weights) in (0, rows)
        return (
            all(is_table(*table) for table in (*tables, (self.weights, rows, n)))
            and flags
            and len(self.realised) == rows
            and sized
            and is_number(self.gamma)
            and all_labellings_once(self.labellings, n)
        )

    @property
    def proved(self) -> bool:
        """The same as `holds`."""
        return self.holds


@explained
def shatters(
    X: ArrayLike, *, offset: bool = True, gamma: float = 0.0, exact: bool = False
) -> Shattering:
    """Try all 2^n labellings of the rows of X: which have a separator of margin gamma? (L1)

    A margin that misses `gamma` by rounding only (1e-9 of it) counts as reached. What floating
    point leaves open is decided in fractions; ``exact=True`` looks for each separator there.
    Labels turned over turn the separator over, so half of the work is saved.

    Parameters
    ----------
    X : (n, d) points
    offset : separators need not pass through the origin
    gamma : the margin they must have
    exact : look for each separator in fractions

    Examples
    --------
    >>> print(complexity.shatters([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]).realised.all())
    True
    """
    X, gamma = few_points(X), check_number(gamma, "gamma", 0, why=": it is a margin")
    labellings = all_labellings(len(X))
    half = [_row(X, y, offset, gamma, exact) for y in labellings[: len(labellings) // 2]]
    *columns, fractional = zip(*half)
    w, b, margins, weights = (np.array(column) for column in columns)
    return Shattering(
        X=X,
        offset=offset,
        gamma=gamma,
        labellings=labellings,
        w=np.vstack([w, -w[::-1]]),
        b=np.append(b, -b[::-1]),
        margins=(both := np.append(margins, margins[::-1])),
        weights=np.vstack([weights, weights[::-1]]),
        realised=(both > 0) & (both >= gamma * (1 - RTOL)),
        exact_weights=(*fractional, *fractional[::-1]),
    )


def _row(X: np.ndarray, y: np.ndarray, offset: bool, gamma: float, exact: bool) -> tuple:
    """Return w, b, margin, weights and the weights as fractions, for one labelling."""
    if offset and len(set(y.tolist())) == 1:  # one class: push the plane away, as far as you like
        w = np.eye(X.shape[1])[0]
        return w, y[0] * (gamma + 2 * np.abs(X).max() + 1), np.inf, np.zeros(len(X)), None
    best = _decided(X, y, offset, exact)
    w = best.w if best.separable else np.full(X.shape[1], np.nan)
    return w, best.b, best.gamma, best.weights, best.exact_weights


def _decided(X: np.ndarray, y: np.ndarray, offset: bool, exact: bool) -> MaxMargin:
    best = max_margin(X, y, offset=offset, exact=exact)
    return best if exact or best.converged else max_margin(X, y, offset=offset, exact=True)


@explained
def simplex(d: int, *, offset: bool = True) -> np.ndarray:
    """Return the points 0, e_1, ..., e_d, which separators in R^d shatter: d + 1 of them (L1).

    For labels y_0, ..., y_d take b = y_0 and w_i = y_i - y_0: then w.x + b is the label itself.
    Without an offset: e_1, ..., e_d and w = y; 0 would be on every plane.
    """
    axes = np.eye(check_count(d, "d"))
    return np.vstack([np.zeros(d), axes]) if offset else axes


@dataclass(frozen=True, eq=False)
class Radon(SelfJudged):
    """A labelling that no separator realises, because the hulls of its classes meet.

    Without an offset: because the hull of the y x contains the origin. `exact_weights` are
    fractions that make exactly 0: they are the proof.
    """

    X: np.ndarray  #: (n, d)
    y: np.ndarray  #: (n,) the side of each point
    weights: np.ndarray  #: (n,) sum 1 in each class; without an offset, sum 1 in all
    point: np.ndarray  #: (d,) what the positive class makes, and the negative one too
    offset: bool  #: for separators with an offset
    exact: bool  #: weights and point are fractions
    exact_weights: np.ndarray | None = None  #: (n,) fractions; None for sets too large for them

    @property
    def residual(self) -> float:
        """Length of sum weights y x: 0 proves that there is no separator."""
        return float(np.sqrt(float((made := self._made()) @ made)))

    @property
    def verdict(self) -> Verdict:
        """The weights are convex and make the same point on both sides, in fractions."""
        if self.exact_weights is None:
            return "undecided"
        kinds = {getattr(v, "dtype", None) for v in (self.weights, self.point)}
        if not isinstance(self.exact, bool) or kinds != {np.dtype(object if self.exact else float)}:
            return "refuted"
        if not is_rounded(self.weights, np.asarray(self.exact_weights)):
            return "refuted"
        return judge_radon(self.X, self.y, self.exact_weights, self.point, bool(self.offset))

    @property
    def proved(self) -> bool:
        """The same as `holds`."""
        return self.holds

    def _made(self) -> np.ndarray:
        X = fractions(self.X) if self.exact else self.X
        return (self.weights * self.y.astype(int)) @ X


@explained
def radon(X: ArrayLike, *, offset: bool = True, exact: bool = False) -> Radon:
    """Split d + 2 points of R^d into two parts whose convex hulls meet (Radon 1921; L1).

    d + 1 equations (sum a x = 0, sum a = 0) in d + 2 unknowns have a solution a that is not 0.
    Positive entries on one side, negative ones on the other, scaled to sum 1: both sides make the
    same point. So d + 2 points are never shattered. Without an offset sum a = 0 is not needed:
    d + 1 points are never shattered by separators through the origin. Small sets are solved in
    fractions and rounded for showing; with ``exact=True`` nothing is rounded.

    Parameters
    ----------
    X : d + 2 points of R^d, or d + 1 without an offset
    offset : for separators that need not pass through the origin
    exact : give the weights as fractions

    Examples
    --------
    >>> complexity.radon([[0.0], [1.0], [3.0]]).y
    array([ 1., -1.,  1.])
    """
    X = check_points(X)
    n, d = X.shape
    if n < d + 1 + offset:
        raise BadArgument(
            f"{n} points in R^{d}: a dependence is certain from {d + 1 + offset} on. "
            "Fewer can be shattered: see simplex."
        )
    if not exact and n * d * (d + 1) > MOST_PRODUCTS:
        y, weights = _split(_dependence(X, offset), offset)
        return Radon(X, y, weights, np.where(y > 0, weights, 0.0) @ X, offset, exact)
    y, whole = _split(_exact_dependence(X, offset), offset)
    point = np.where(y > 0, whole, 0 * whole) @ fractions(X)
    if exact:
        return Radon(X, y, whole, point, offset, exact, whole)
    return Radon(X, y, whole.astype(float), point.astype(float), offset, exact, whole)


def _split(a: np.ndarray, offset: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the side of each point of a dependence, and its weights, scaled to sum 1."""
    y = np.where(a > 0, 1.0, -1.0)
    weights = np.array([abs(v) for v in a])
    for part in (y > 0, y < 0) if offset else (y != 0,):
        weights[part] = weights[part] / weights[part].sum()
    return y, weights


def _dependence(X: np.ndarray, offset: bool) -> np.ndarray:
    """Return a unit vector a with sum a x = 0 (and sum a = 0), up to rounding."""
    Z = X - X.mean(axis=0) if offset else X
    Z = Z / (np.abs(Z).max() or 1.0)
    return np.linalg.svd((add_constant(Z) if offset else Z).T)[2][-1]


def _exact_dependence(X: np.ndarray, offset: bool) -> np.ndarray:
    """Return fractions a, not all 0, with sum a x = 0 (and sum a = 0), by Gauss-Jordan."""
    rows = [list(row) for row in fractions((add_constant(X) if offset else X).T)]
    for c in range(len(X)):
        pivot = next((r for r in range(c, len(rows)) if rows[r][c] != 0), None)
        if pivot is None:  # column c depends on those before it, which are unit columns by now
            solution = [-rows[r][c] for r in range(c)] + [Fraction(1)]
            return np.array(solution + [Fraction(0)] * (len(X) - c - 1), dtype=object)
        rows[c], rows[pivot] = rows[pivot], rows[c]
        rows[c] = [v / rows[c][c] for v in rows[c]]
        for r, row in enumerate(rows):
            if r != c and row[c] != 0:
                rows[r] = [v - row[c] * u for v, u in zip(row, rows[c])]
    raise AssertionError("More columns than rows: one of them depends on the others.")


def all_labellings(n: int) -> np.ndarray:
    """Return the 2^n labellings as rows; row k and row 2^n - 1 - k are opposite."""
    return np.array(list(product((-1.0, 1.0), repeat=n)))


def few_points(X: ArrayLike, least: int = 1) -> np.ndarray:
    """Return `X` if all its labellings can be tried, or say what else to do."""
    X = check_points(X)
    if not least <= len(X) <= MOST_POINTS:
        raise BadArgument(
            f"{len(X)} points have 2^{len(X)} labellings; all are tried, for {least} to "
            f"{MOST_POINTS} points. For more see radon and opposing_labels."
        )
    return X
