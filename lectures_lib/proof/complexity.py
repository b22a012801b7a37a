"""The judge of shattering, of random signs and of smallest balls.

Each claim is measured again from the points alone. What decides it is counted in whole numbers
or fractions, which floats are, or it lies between error bounds.
"""

from fractions import Fraction

import numpy as np

from .margins import hull_distance, measured_margin
from .rounding import SAFE, TINY, UNIT, Enclosure, growth
from .verdict import Verdict, worst
from .whole import fractions, root, whole

#: A margin that misses what was asked for by this, relative to it, counts as reached.
RTOL = 1e-9
#: Floats that stand for fractions agree with them to this.
AGREE = 1e-12


def judge_labelling(
    X: np.ndarray,
    y: np.ndarray,
    realised: bool,
    w: np.ndarray,
    b: float,
    weights: np.ndarray,
    exact: np.ndarray | None,
    *,
    offset: bool,
    gamma: float,
) -> Verdict:
    """Judge the claim that a labelling has a separator of margin gamma (> 0 if gamma is 0).

    (w, b) may show it; convex weights may forbid it: by the length of the point they make, or,
    if `exact` holds them as fractions, by making exactly 0.
    """
    shown = reached(measured_margin(X, y, w, float(b)), gamma)
    forbidden = forbids(limit(X, y, weights, exact, offset=offset), gamma)
    if shown == forbidden:
        return "undecided"
    return "proved" if shown == realised else "refuted"


def reached(margin: Enclosure, gamma: float) -> bool:
    """Return whether a measured margin is certainly positive and not below gamma."""
    return bool(margin.low > 0 and margin.low >= gamma * (1 - RTOL))


def forbids(dual: Enclosure, gamma: float) -> bool:
    """Return whether no separator reaches gamma (has a margin > 0, if gamma is 0)."""
    return bool(dual.high == 0 or dual.high < gamma * (1 - RTOL))


def limit(
    X: np.ndarray, y: np.ndarray, weights: np.ndarray, exact: np.ndarray | None, *, offset: bool
) -> Enclosure:
    """Return what no separator's margin exceeds, by convex weights."""
    groups = (y > 0, y < 0) if offset else (y != 0,)
    values = np.asarray(weights, dtype=float)
    if not all(abs(values[g].sum() - 1) <= RTOL for g in groups):
        return Enclosure(np.inf)
    if exact is not None and np.abs(values - np.asarray(exact, dtype=float)).max() <= AGREE:
        return hull_distance(X, y, exact, offset=offset)
    return hull_distance(X, y, values, offset=offset)


def judge_signs(
    X: np.ndarray, labellings: np.ndarray, offset: bool, claimed: dict, share: Fraction
) -> Verdict:
    """Judge gamma^2 <= average = expected <= R^2 share, and that the numbers are those of X.

    average = expected is an identity of real numbers: the two floats, and those that are claimed,
    must agree with it up to their error bounds. The last inequality is decided in fractions.
    """
    n, Z = len(X), centred(X) if offset else fractions(X)
    expected, R2 = (Z * Z).sum() / n * share, Fraction(float(claimed["R"])) ** 2
    plus = (labellings > 0).sum(axis=1, keepdims=True)
    size = 2 * np.where(labellings > 0, plus, n - plus) if offset else np.full(labellings.shape, n)
    rounded = Z.astype(float)
    reach = np.linalg.norm((labellings / size) @ rounded, axis=1)
    longest = float(np.abs(rounded).sum(axis=1).max()) if n else 0.0
    off = SAFE * growth(n + Z.shape[1] + 8) * longest + TINY  # of one reach
    square = float(np.mean(reach**2))
    width = 3 * off * longest + growth(len(reach) + 4) * square + off**2
    return worst(
        [
            _agrees(np.abs(reach - claimed["reach"]).max(initial=0.0), 2 * off),
            _agrees(abs(square - claimed["average"]), 2 * width),
            _agrees(abs(float(expected) - claimed["expected"]), 2 * width),
            _agrees(abs(square - float(expected)), 2 * width),
            "proved" if expected <= R2 * share else "refuted",
            "proved" if offset or (Z * Z).sum(axis=1).max() <= R2 else "refuted",
        ]
    )


def centred(X: np.ndarray) -> np.ndarray:
    """Return the points less their mean, in fractions."""
    Z = fractions(X)
    return Z - Z.sum(axis=0) / len(X)


def _agrees(difference: float, width: float) -> Verdict:
    return "proved" if difference <= width else "refuted"


def farthest(X: np.ndarray, centre: np.ndarray) -> Enclosure:
    """Return the largest distance of a point from the centre."""
    with np.errstate(all="ignore"):
        step = X - centre
        square = (step * step).sum(axis=1)
        off = SAFE * (growth(X.shape[1] + 4) + 4 * UNIT) * square + 4 * TINY * X.shape[1]
        near = ~(square + off < np.max(square - off))
    (points, middle), unit = whole(X[near], centre)
    away = points - middle
    return root(max((away * away).sum(axis=1).tolist()) * unit**2)


def least_radius(X: np.ndarray, weights: np.ndarray) -> Enclosure:
    """Return what no ball around X undercuts, by convex weights; 0 if they are not convex.

    For any centre c the largest squared distance is at least the weighted mean of the squared
    distances, which is least where c is the weighted mean of the points.
    """
    values = np.asarray(weights, dtype=float)
    fine = values.shape == (len(X),) and np.isfinite(values).all() and (values >= 0).all()
    if not fine or not values.any():
        return Enclosure(0.0)
    used = np.flatnonzero(values)
    (points,), unit = whole(X[used])
    (share,), _ = whole(values[used])
    total = int(share.sum())
    mean = share @ points
    square = total * (share @ (points * points).sum(axis=1)) - mean @ mean
    return root(Fraction(int(square), total**2) * unit**2)


def judge_ball(
    X: np.ndarray, centre: np.ndarray, radius: float, lower: float, weights: np.ndarray
) -> Verdict:
    """Judge a ball: all points lie in it, none is smaller than `lower`, the two agree to 1e-9."""
    if not (np.isfinite(centre).all() and np.isfinite([radius, lower]).all()):
        return "refuted"
    far, least = farthest(X, np.asarray(centre, dtype=float)), least_radius(X, weights)
    if far.low > radius:
        return "refuted"
    holds = far.high <= radius and least.low >= lower and radius - lower <= RTOL * radius
    return "proved" if holds else "undecided"
