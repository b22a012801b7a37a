"""The smallest ball around points, computed and certified, and L4's bound from its diameter."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import explained
from .._result import Result
from ..conventions import RTOL, check_count, check_points, check_positive
from ..kernels import embed
from ..proof.complexity import farthest, judge_ball, least_radius
from ..proof.verdict import SelfJudged, Verdict

#: Rounding, relative to points scaled into the unit ball: smaller differences mean nothing.
NEGLIGIBLE = 1e-14
#: The search ends by itself; this only guards against a cycle of rounding errors.
MAX_STEPS = 10_000


@dataclass(frozen=True, eq=False)
class SmallestBall(SelfJudged):
    """The smallest ball around a set, with its proof; `radius` is rounded up, `lower` down.

    Every point lies within `radius` of the centre: measure it. And no ball is smaller than
    `lower`: for any centre c the largest squared distance is at least the weighted mean of the
    squared distances, which is least, lower^2, where c is the weighted mean of the points.
    """

    centre: np.ndarray  #: (d,)
    radius: float  #: no point is farther from the centre
    lower: float  #: what no radius can undercut
    weights: np.ndarray  #: (n,) convex, up to rounding: they show `lower`
    X: np.ndarray  #: (n, d) the points

    @cached_property
    def verdict(self) -> Verdict:
        """Every point lies in the ball, none is smaller than `lower`, and these agree to 1e-9."""
        return judge_ball(self.X, self.centre, self.radius, self.lower, self.weights)

    @property
    def converged(self) -> bool:
        """The same as `holds`: proved to be the smallest, up to 1e-9 of its radius."""
        return self.holds

    @property
    def support(self) -> np.ndarray:
        """The points with positive weight: they alone hold the ball."""
        return np.flatnonzero(self.weights > 0)

    @property
    def diameter(self) -> float:
        """D = 2 radius."""
        return 2 * self.radius

    @property
    def gap(self) -> float:
        """radius - lower: how much smaller a ball could be at most."""
        return self.radius - self.lower


@explained
def smallest_ball(X: ArrayLike) -> SmallestBall:
    """Return the smallest ball that contains every row of X.

    Keep a few support points with convex weights, the centre being their weighted mean. Take the
    farthest point in, move the weights to the best for the new support, drop whom they leave.
    The lower bound grows in each round, so no support comes twice.

    Parameters
    ----------
    X : (n, d) points

    Examples
    --------
    >>> ball = complexity.smallest_ball([[0.0, 0.0], [2.0, 0.0], [1.0, 0.5]])
    >>> print(ball.centre.round(6), round(ball.radius, 6))
    [1. 0.] 1.0
    """
    X = check_points(X)
    middle = X.mean(axis=0)
    scale = np.linalg.norm(X - middle, axis=1).max() or 1.0
    Z = (X - middle) / scale
    support, lam = hold(embed(Z @ Z.T) if Z.shape[1] > len(Z) else Z)  # distances are all it sees
    weights = np.bincount(support, weights=lam, minlength=len(X))
    centre = middle + weights @ (X - middle)
    radius, lower = farthest(X, centre).high, least_radius(X, weights).low
    return SmallestBall(centre, float(radius), max(float(lower), 0.0), weights, X)


@explained
def hold(Z: np.ndarray) -> tuple[list[int], np.ndarray]:
    """Return the points that hold the smallest ball, and their convex weights."""
    Z = check_points(Z, "Z")
    support, lam, best = [int(np.argmax((Z * Z).sum(axis=1)))], np.ones(1), -1.0
    for _ in range(MAX_STEPS):
        squares = ((Z - lam @ Z[support]) ** 2).sum(axis=1)
        value, q = lam @ squares[support], int(np.argmax(squares))
        if value <= best:
            break  # what is left to gain is rounding
        kept, best = (support, lam), value
        if q in support or squares[q] <= value + NEGLIGIBLE:
            break  # the farthest point lies on the sphere
        support, lam = _climb([*support, q], np.append(lam, 0.0), Z)
    return kept


def _climb(support: list[int], lam: np.ndarray, Z: np.ndarray) -> tuple[list[int], np.ndarray]:
    """Walk towards the best weights for this support; drop a point at each wall we meet."""
    while True:
        step, whole = _direction(Z[support], lam)
        falls = step < 0
        room = np.min(lam[falls] / -step[falls], initial=np.inf)
        if whole and room > 1:
            return support, lam + step
        lam = lam + room * step
        keep = lam > NEGLIGIBLE
        keep[np.flatnonzero(falls)[np.argmin(lam[falls])]] = False
        support, lam = [i for i, k in zip(support, keep) if k], lam[keep] / lam[keep].sum()


def _direction(S: np.ndarray, lam: np.ndarray) -> tuple[np.ndarray, bool]:
    """Return the step to the circumcentre's weights (whole), or one along which all is gain.

    The circumcentre S_0 + h has d.h = d.d / 2 for each edge d. Where no such h exists the points
    are affinely dependent, and the part of the right side that no h explains shows the way.
    """
    edges = S[1:] - S[0]
    half = (edges**2).sum(axis=1) / 2
    h = np.linalg.lstsq(edges, half, rcond=None)[0]
    rest = half - edges @ h
    if np.abs(rest).max() > 1e-10:
        return np.append(-rest.sum(), rest), False
    beta = np.linalg.lstsq(edges.T, h, rcond=None)[0]
    return np.append(1 - beta.sum(), beta) - lam, True


@dataclass(frozen=True, eq=False)
class VapnikBound(Result):
    """L4's bound on the VC dimension of separators whose street is at least rho wide."""

    h: int  #: min(ceil(D^2 / rho^2), m0) + 1
    ratio: float  #: D^2 / rho^2
    rho: float  #: the full width of the street
    dimension: int  #: m0
    ball: SmallestBall  #: D is its diameter


@explained
def vapnik_bound(X: ArrayLike, rho: float, dimension: int | None = None) -> VapnikBound:
    """Return min(ceil(D^2 / rho^2), m0) + 1 with D the diameter of the smallest ball (L4).

    `rho` is the *full* width of the street, as in L4: rho = 2 / norm(w), twice the margin gamma of
    L1; so D / rho = R / gamma. `dimension` is m0, by default that of X. The bound counts points
    of such a ball that separators with an offset can shatter with a street of width rho; the
    labels of X play no part. A ratio above a whole number by rounding only is not rounded up.

    Parameters
    ----------
    X : (n, d) points
    rho : the full width of the street
    dimension : m0; default that of X

    Examples
    --------
    >>> complexity.vapnik_bound([[0.0, 0.0], [2.0, 0.0], [1.0, 0.5]], 1.5).h
    3
    """
    X = check_points(X)
    m0 = X.shape[1] if dimension is None else check_count(dimension, "dimension")
    rho = check_positive(rho, "rho", ": it is the width of the street")
    ball = smallest_ball(X)
    ratio = float(np.square(ball.diameter / rho))
    h = min(np.ceil(ratio * (1 - RTOL)), m0) + 1
    return VapnikBound(int(h), float(ratio), float(rho), m0, ball)
