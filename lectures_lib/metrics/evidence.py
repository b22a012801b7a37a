"""How sure a metric is, and whether a score is a probability: bootstrap, McNemar, calibration."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import NUMBERS, as_array, check_count, check_rng
from .checks import (
    Label,
    check_label_array,
    check_label_pair,
    check_no_scores,
    other_label,
)


@dataclass(frozen=True, eq=False)
class Interval:
    """A bootstrap interval of a statistic."""

    estimate: float  #: the statistic on the examples themselves
    low: float  #: the (1 - level) / 2 quantile of the resampled values
    high: float  #: the (1 + level) / 2 quantile
    level: float  #: e.g. 0.95
    values: np.ndarray  #: (rounds,) the statistic on each resample

    def __str__(self) -> str:
        """Return the estimate with its interval."""
        span = f"[{self.low:.4f}, {self.high:.4f}]"
        return f"{self.estimate:.4f}, {100 * self.level:g} % interval {span}"


@explained
def bootstrap(
    statistic: Callable[..., float],
    *arrays: ArrayLike,
    strata: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    rounds: int = 1000,
    level: float = 0.95,
    rng: int | np.random.Generator | None = 0,
) -> Interval:
    """Return the percentile interval of statistic(*arrays) by drawing examples anew (Efron 1979).

    Parameters
    ----------
    statistic : takes the arrays, returns a number
    arrays : each has one entry (or row) per example; all are drawn with the same indices
    strata : labels; draws within each of them keep its count, so that both classes stay present
    groups : labels; whole groups are drawn, for examples that are not independent within one
    rounds, level, rng : how many draws, the share of them inside the interval, the seed

    Examples
    --------
    >>> interval = metrics.bootstrap(np.mean, np.array([0.0, 1.0, 1.0, 1.0]), rounds=200)
    >>> print(interval.estimate, interval.low <= 0.75 <= interval.high)
    0.75 True
    """
    data = _check_arrays(arrays)
    n = len(data[0])
    if not 0 < level < 1:
        raise BadArgument(f"level is a probability strictly between 0 and 1, not {level}.")
    draw = _draws(n, strata, groups)
    generator = check_rng(rng)
    values = np.empty(check_count(rounds, "rounds"))
    for r in range(rounds):
        drawn = draw(generator)
        values[r] = _value(statistic, [a[drawn] for a in data])
    low, high = np.quantile(values, [(1 - level) / 2, (1 + level) / 2])
    return Interval(_value(statistic, data), float(low), float(high), level, values)


def _draws(
    n: int, strata: ArrayLike | None, groups: ArrayLike | None
) -> Callable[[np.random.Generator], np.ndarray]:
    """Return how the indices of a resample are drawn: within strata, or group by group."""
    if strata is not None and groups is not None:
        raise BadArgument("Give strata or groups: whole groups cannot be drawn within strata.")
    if groups is None:
        parts = [np.arange(n)] if strata is None else _parts(strata, n, "strata")
        return lambda g: np.concatenate([g.choice(part, size=part.size) for part in parts])
    whole = _parts(groups, n, "groups")
    if len(whole) < 2:
        raise BadArgument("Drawing groups needs at least two groups.")
    return lambda g: np.concatenate([whole[i] for i in g.choice(len(whole), size=len(whole))])


@dataclass(frozen=True)
class McNemar:
    """Two classifiers on the same examples: only those tell them apart on which one is right."""

    both_right: int
    only_first: int  #: the first is right, the second wrong
    only_second: int
    both_wrong: int
    gains: tuple[int, ...] | None = (
        None  #: in each group, only_first - only_second; None: no groups
    )

    @property
    def p(self) -> float:
        """Exact p-value: the chance of so uneven a split, or worse, if neither is better.

        Without groups each example on which one is right is the toss of a fair coin. With
        k = only_first + only_second: min(1, 2 P[Binomial(k, 1/2) <= the smaller]). With groups
        the coin is tossed once per group and decides the sign of its whole gain: the share of the
        2^groups choices of signs whose sum is at least as far from 0 as ours.
        """
        if self.gains is not None:
            return _sign_flips(self.gains)
        k, least = self.only_first + self.only_second, min(self.only_first, self.only_second)
        return min(1.0, 2 * _subsets(k, least) / 2**k)


@explained
def mcnemar(
    y: ArrayLike, first: ArrayLike, second: ArrayLike, *, groups: ArrayLike | None = None
) -> McNemar:
    """Compare the predictions of two classifiers on the same examples (McNemar 1947).

    Parameters
    ----------
    y : (n,) the true labels
    first, second : (n,) what the two classifiers said
    groups : (n,) labels; where the examples of a group (one writer's, one patient's) are not
        independent, the test compares whole groups, by flipping their signs

    Examples
    --------
    >>> metrics.mcnemar([1, 1, 1, 1], [1, 1, 1, -1], [-1, -1, 1, 1]).only_first
    2
    >>> metrics.mcnemar([1] * 4, [1] * 4, [-1] * 4, groups=["Ann", "Ann", "Bob", "Bob"]).p
    0.5
    """
    y, first = check_label_pair(y, first)
    _, second = check_label_pair(y, second)
    for predicted in (first, second):
        check_no_scores(y, predicted)
    a, b = first == y, second == y
    both, one, two, none = (int(np.sum(on)) for on in (a & b, a & ~b, ~a & b, ~a & ~b))
    if groups is None:
        return McNemar(both, one, two, none)
    gain = a.astype(int) - b.astype(int)
    return McNemar(
        both, one, two, none, tuple(int(gain[g].sum()) for g in _parts(groups, y.size, "groups"))
    )


@dataclass(frozen=True, eq=False)
class Calibration:
    """Probabilities against what happened, in bins (a, b] of equal width; empty ones left out."""

    predicted: np.ndarray  #: (m,) the mean predicted probability in each bin
    observed: np.ndarray  #: (m,) the share of positives in it
    counts: np.ndarray  #: (m,) how many examples it holds
    brier: float  #: the mean of (p - [y is +])^2, over examples (Brier 1950)

    @property
    def ece(self) -> float:
        """Expected calibration error: the mean gap of the bins, each weighed by its count."""
        return float(self.counts @ np.abs(self.predicted - self.observed) / self.counts.sum())


@explained
def calibration(y: ArrayLike, p: ArrayLike, *, bins: int = 10, positive: Label = 1) -> Calibration:
    """Compare the predicted probabilities `p` of + with what happened.

    Parameters
    ----------
    y : (n,) the true labels, of two kinds
    p : (n,) the predicted probabilities of +
    bins : how many, of equal width
    positive : the label that counts as +

    Examples
    --------
    >>> metrics.calibration([1, -1, 1, 1], [0.25, 0.25, 0.75, 0.75], bins=2).observed
    array([0.5, 1. ])
    """
    y = check_label_array(y, "y")
    other_label(y, positive)
    hit, p = (y == positive).astype(float), _check_probabilities(p, y.size)
    edges = np.linspace(0, 1, check_count(bins, "bins") + 1)
    place = np.searchsorted(edges[1:-1], p, side="left")  # the last edge below p
    counts = np.bincount(place, minlength=bins)
    used = counts > 0
    sums = [np.bincount(place, weights=v, minlength=bins)[used] for v in (p, hit)]
    forecast, observed = (total / counts[used] for total in sums)
    return Calibration(forecast, observed, counts[used], float(np.mean((p - hit) ** 2)))


def _subsets(k: int, most: int) -> int:
    """Return how many of the 2^k subsets have at most `most` members, as a whole number."""
    total = choose = 1
    for j in range(most):
        choose = choose * (k - j) // (j + 1)  # from "k choose j" to "k choose j + 1"
        total += choose
    return total


def _sign_flips(gains: tuple[int, ...]) -> float:
    """Return the share of all choices of signs whose sum is at least as far from 0 as ours."""
    ways = {0: 1}  # how many choices of signs give each sum
    for gain in gains:
        sums: dict[int, int] = {}
        for total, count in ways.items():
            for sign in (-1, 1):
                sums[total + sign * gain] = sums.get(total + sign * gain, 0) + count
        ways = sums
    far = sum(count for total, count in ways.items() if abs(total) >= abs(sum(gains)))
    return far / 2 ** len(gains)


def _check_arrays(arrays: tuple[ArrayLike, ...]) -> list[np.ndarray]:
    data = [as_array(a, "Every array", NUMBERS) for a in arrays]
    sizes = {a.shape[0] if a.ndim else 0 for a in data}
    if len(sizes) != 1 or 0 in sizes:
        raise BadArgument("The arrays need one entry per example each: equally many, at least one.")
    return data


def _parts(labels: ArrayLike, n: int, name: str) -> list[np.ndarray]:
    """Return the indices of each label."""
    labels = check_label_array(labels, name)
    if labels.size != n:
        raise BadArgument(f"{name} has {labels.size} labels for {n} examples.")
    return [np.flatnonzero(labels == label) for label in np.unique(labels)]


def _value(statistic: Callable[..., float], data: list[np.ndarray]) -> float:
    value = statistic(*data)
    if np.ndim(value) or not isinstance(value, (int, float, np.number, np.ndarray)):
        raise BadArgument(f"statistic must return one number, not {value!r}.")
    value = float(value)
    if not np.isfinite(value):
        raise BadArgument(f"The statistic is {value} on a draw: give strata=y to keep each class.")
    return value


def _check_probabilities(p: ArrayLike, n: int) -> np.ndarray:
    raw = np.asarray(p)
    if raw.dtype.kind not in "biuf" or raw.shape != (n,):
        raise BadArgument(f"p is {raw.dtype} of shape {raw.shape}; {n} probabilities are needed.")
    if not ((raw >= 0) & (raw <= 1)).all():
        raise BadArgument("p must lie between 0 and 1: a score is not a probability, map it first.")
    return raw.astype(float)
