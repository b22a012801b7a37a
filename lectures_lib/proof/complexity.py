"""The judge of shattering, of random signs and of smallest balls.

Each claim is measured again from the points alone. What decides it is counted in whole numbers
or fractions, which floats are, or it lies between error bounds.
"""

from fractions import Fraction
from math import comb, inf
from typing import Any

import numpy as np

from ..conventions import RTOL
from .margins import AGREE as SAME_MARGIN
from .margins import hull_distance, measured_margin
from .rounding import SAFE, TINY, UNIT, Enclosure, fractions, growth, integers, root
from .verdict import Verdict, worst

#: Floats that stand for fractions agree with them to this.
AGREE = 1e-12


def judge_labelling(
    X: np.ndarray,
    y: np.ndarray,
    realised: bool,
    w: np.ndarray,
    b: float,
    margin: float,
    weights: np.ndarray,
    exact: np.ndarray | None,
    *,
    offset: bool,
    gamma: float,
) -> Verdict:
    """Judge the claim that a labelling has a separator of margin gamma (> 0 if gamma is 0).

    (w, b) may show it; convex weights may forbid it: by the length of the point they make, or,
    if `exact` holds them as fractions, by making exactly 0. And `margin` is the largest.
    """
    if not offset and b != 0:
        return "refuted"
    measured = measured_margin(X, y, w, float(b))
    dual = limit(X, y, weights, exact, offset=offset)
    endless = offset and abs(y.sum()) == len(y)
    largest = _is_largest(float(margin), w, measured, dual, endless)
    shown, forbidden = reached(measured, gamma), forbids(dual, gamma)
    if shown == forbidden:
        return "refuted" if largest == "refuted" else "undecided"
    return worst([largest, "proved" if shown == realised else "refuted"])


def _is_largest(
    margin: float, w: np.ndarray, measured: Enclosure, dual: Enclosure, endless: bool
) -> Verdict:
    """Judge the claim that the unit w has this margin, and no separator one larger by 1e-7 of it.

    A margin of 0 says that there is no separator; `endless`, that there is one for any margin.
    """
    if margin == 0:
        return "proved" if dual.high == 0 else "refuted" if measured.low > 0 else "undecided"
    if not margin > 0 or endless != (margin == inf) or abs(np.linalg.norm(w) - 1) > RTOL:
        return "refuted"
    if endless:
        return "proved"
    if margin * (1 - RTOL) > dual.high or margin < measured.low * (1 - 2 * SAME_MARGIN):
        return "refuted"
    least = dual.high * (1 - SAME_MARGIN)  # infinite, where the weights show nothing
    near = measured.low >= margin * (1 - RTOL) and margin >= least
    return "proved" if near else "undecided"


def all_labellings_once(labellings: Any, n: int, *, halves: bool = False) -> bool:
    """Return whether these are all labellings of n points; `halves`: those of equal sides."""
    size = comb(n, n // 2) * (1 + n % 2) if halves else 2**n
    if not is_table(labellings, size, n) or not (np.abs(labellings) == 1).all():
        return False
    sides = np.abs(labellings.sum(axis=1)) <= n % 2
    return len({row.tobytes() for row in labellings}) == size and (not halves or sides.all())


def is_table(values: object, *shape: int) -> bool:
    """Return whether these are floats of double precision in an array of this shape."""
    return isinstance(values, np.ndarray) and values.dtype == np.float64 and values.shape == shape


def is_points(X: Any) -> bool:
    """Return whether these are finite points, at least one, as floats of double precision."""
    rows = is_table(X, *np.shape(X)) and X.ndim == 2 and X.size > 0
    return rows and bool(np.isfinite(X).all())


def is_number(value: object) -> bool:
    """Return whether this is a finite float, or a whole number."""
    return isinstance(value, (int, float)) and bool(np.isfinite(value))


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
    numbers = all(is_number(claimed[name]) for name in ("average", "expected", "R"))
    if not is_points(X) or not numbers:
        return "refuted"
    n = len(X)
    every = all_labellings_once(labellings, n, halves=offset)
    if not every or not is_table(claimed["reach"], len(labellings)):
        return "refuted"
    Z = centred(X) if offset else fractions(X)
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
    (points, middle), unit = integers(X[near], centre)
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
    (points,), unit = integers(X[used])
    (share,), _ = integers(values[used])
    total = int(share.sum())
    mean = share @ points
    square = total * (share @ (points * points).sum(axis=1)) - mean @ mean
    return root(Fraction(int(square), total**2) * unit**2)


def judge_ball(
    X: np.ndarray, centre: np.ndarray, radius: float, lower: float, weights: np.ndarray
) -> Verdict:
    """Judge a ball: all points lie in it, none is smaller than `lower`, the two agree to 1e-9."""
    forms = is_points(X) and is_table(centre, *np.shape(X)[1:])
    if not (forms and is_number(radius) and is_number(lower) and np.isfinite(centre).all()):
        return "refuted"
    if not is_table(weights, len(X)) or not abs(weights.sum() - 1) <= RTOL:
        return "refuted"
    far, least = farthest(X, centre), least_radius(X, weights)
    if far.low > radius:
        return "refuted"
    holds = far.high <= radius and least.low >= lower and radius - lower <= RTOL * radius
    return "proved" if holds else "undecided"


def judge_radon(
    X: np.ndarray, y: np.ndarray, weights: np.ndarray, point: np.ndarray, offset: bool
) -> Verdict:
    """Judge weights, fractions: both classes make `point` with weights that add up to 1.

    Without an offset the weights of both together add up to 1, and `point` is what the positive
    class makes: the negative one makes the same.
    """
    forms = is_points(X) and is_table(y, len(X)) and (np.abs(y) == 1).all()
    if not forms or not _are_fractions(weights, len(X)) or (weights < 0).any():
        return "refuted"
    sums = [sum(weights[y == side], Fraction(0)) for side in (1, -1)]
    made = [np.where(y == side, weights, 0 * weights) @ fractions(X) for side in (1, -1)]
    convex = sums == [1, 1] if offset else sum(sums) == 1
    same = (made[0] == made[1]).all() and is_rounded(point, made[0])
    return "proved" if convex and same else "refuted"


def is_rounded(shown: object, exact: np.ndarray) -> bool:
    """Return whether these are the fractions, or the floats nearest to them."""
    if not isinstance(shown, np.ndarray) or shown.shape != exact.shape:
        return False
    if shown.dtype == object:
        return _are_fractions(shown, len(exact)) and bool((shown == exact).all())
    return is_table(shown, len(exact)) and shown.tolist() == [float(v) for v in exact]


def _are_fractions(values: Any, n: int) -> bool:
    fits = isinstance(values, np.ndarray) and values.shape == (n,) and values.dtype == object
    return fits and all(isinstance(v, (int, Fraction)) for v in values)
