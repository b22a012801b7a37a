"""How sure is a proportion, k of n? Two intervals, and how often they hold the truth.

Of n independent examples, each right with probability p, k are right: Binomial(n, p). An interval
is a rule that turns k into [low, high]; its coverage at p is the chance that it holds p. There are
only n + 1 values of k, so the coverage is a sum, not a simulation.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from .._arguments import BadArgument, explained
from ..conventions import check_count


class _Ends(Protocol):
    low: float
    high: float


@dataclass(frozen=True)
class Proportion:
    """k of n, with an interval for the probability behind it.

    Parameters
    ----------
    successes, n : k of n
    low, high : the ends of the interval
    level : its level

    Examples
    --------
    >>> interval = metrics.wilson(8, 10)
    >>> print(round(interval.low, 4), round(interval.high, 4))
    0.4902 0.9433
    """

    successes: int  #: k
    n: int  #:
    low: float  #:
    high: float  #:
    level: float  #: e.g. 0.95

    @property
    def estimate(self) -> float:
        """The share k / n."""
        return self.successes / self.n

    def __str__(self) -> str:
        """Return the share with its interval."""
        span = f"[{self.low:.4f}, {self.high:.4f}]"
        return f"{self.estimate:.4f}, {100 * self.level:g} % interval {span}"


@explained
def wilson(successes: int, n: int, *, level: float = 0.95) -> Proportion:
    """Return Wilson's interval (1927): all p at most z standard deviations away from k / n.

    |k / n - p| <= z sqrt(p (1 - p) / n) is a quadratic inequality in p; its two roots are the ends.
    z is the normal quantile: 1.96 for 95 %. The coverage is about `level`, now above it, now below.

    Parameters
    ----------
    successes, n : k of n
    level : e.g. 0.95

    Examples
    --------
    >>> interval = metrics.wilson(0, 50)
    >>> print(interval.low, round(interval.high, 4))
    0.0 0.0713
    """
    k, n, level = _check(successes, n, level)
    z2 = float(special.ndtri((1 + level) / 2)) ** 2
    middle = (k + z2 / 2) / (n + z2)
    half = sqrt(z2 * (k * (n - k) / n + z2 / 4)) / (n + z2)
    low = 0.0 if k == 0 else max(0.0, middle - half)
    high = 1.0 if k == n else min(1.0, middle + half)
    return Proportion(k, n, low, high, level)


@explained
def clopper_pearson(successes: int, n: int, *, level: float = 0.95) -> Proportion:
    """Return the exact interval (1934): all p under which k lies in no tail of (1 - level) / 2.

    At low, P[at least k] is (1 - level) / 2; at high, P[at most k] is: quantiles of Beta
    distributions. The coverage is never below `level`. For 0 of n, at 95 %, high is
    1 - 0.025^(1/n), about 3.7 / n.

    Parameters
    ----------
    successes, n : k of n
    level : e.g. 0.95

    Examples
    --------
    >>> interval = metrics.clopper_pearson(0, 50)
    >>> print(interval.low, round(interval.high, 4))
    0.0 0.0711
    """
    k, n, level = _check(successes, n, level)
    tail = (1 - level) / 2
    low = 0.0 if k == 0 else float(special.betaincinv(k, n - k + 1, tail))
    high = 1.0 if k == n else float(special.betaincinv(k + 1, n - k, 1 - tail))
    return Proportion(k, n, low, high, level)


@explained(p="...")
def coverage(
    interval: Callable[..., _Ends], n: int, p: ArrayLike, *, level: float = 0.95
) -> np.ndarray:
    """Return for each p the chance that interval(k, n, level=level) holds p, k ~ Binomial(n, p).

    The sum of P[k] over the k whose interval holds p: exact, up to rounding.

    Parameters
    ----------
    interval : `wilson` or `clopper_pearson`
    n : how many tries
    p : (m,) the true probabilities
    level : what the interval promises

    Examples
    --------
    >>> metrics.coverage(metrics.wilson, 20, [0.1, 0.5]).round(3)
    array([0.957, 0.959])
    """
    n, p = check_count(n, "n"), np.asarray(p, dtype=float)
    if not ((p >= 0) & (p <= 1)).all():
        raise BadArgument("p must lie between 0 and 1: it is the probability behind the counts.")
    low, high = _ends(interval, n, level)
    holds = (low <= p[..., None]) & (p[..., None] <= high)
    return np.minimum(1.0, (holds * _chances(n, p[..., None])).sum(axis=-1))


@explained
def least_coverage(
    interval: Callable[..., _Ends], n: int, *, level: float = 0.95
) -> tuple[float, float]:
    """Return the infimum of the `coverage` over 0 <= p <= 1, and the p beside which it lies.

    Between two neighbouring ends of intervals the same counts k1, ..., k2 hold p. Their chance
    rises and then falls in p: its derivative, n (P[k1 - 1] - P[k2]) with P for n - 1 tries, changes
    its sign at most once. So the least value lies just beside an end; we try both sides of each.

    Parameters
    ----------
    interval : `wilson`, `clopper_pearson` or your own; its ends must not fall as k grows
    n : how many tries
    level : what the interval promises

    Examples
    --------
    >>> chance, p = metrics.least_coverage(metrics.wilson, 50)
    >>> print(round(chance, 4), round(p, 4))
    0.8375 0.0035
    """
    n = check_count(n, "n")
    low, high = _ends(interval, n, level)
    if (np.diff(low) < 0).any() or (np.diff(high) < 0).any():
        raise BadArgument("The ends of the interval must not fall as k grows.")
    p = np.unique(np.clip(np.concatenate([[0.0, 1.0], low, high]), 0, 1))[:, None]
    chances = _chances(n, p)
    above = ((low <= p) & (p < high) & (p < 1)) | (p == 1)  # who holds p and what follows it
    below = ((low < p) & (p <= high) & (p > 0)) | (p == 0)
    sums = np.minimum((above * chances).sum(axis=1), (below * chances).sum(axis=1))
    least = int(np.argmin(sums))
    return float(min(1.0, sums[least])), float(p[least, 0])


def _ends(interval: Callable[..., _Ends], n: int, level: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the lower and the upper ends for k = 0, ..., n."""
    ends = [interval(k, n, level=level) for k in range(n + 1)]
    return np.array([e.low for e in ends]), np.array([e.high for e in ends])


def _chances(n: int, p: np.ndarray) -> np.ndarray:
    """Return P[k] for k = 0, ..., n, along the last axis; 0^0 is 1."""
    k = np.arange(n + 1)
    choose = special.gammaln(n + 1) - special.gammaln(k + 1) - special.gammaln(n - k + 1)
    return np.exp(choose + special.xlogy(k, p) + special.xlog1py(n - k, -p))


def _check(successes: int, n: int, level: float) -> tuple[int, int, float]:
    n, k = check_count(n, "n"), check_count(successes, "successes", 0)
    if k > n:
        raise BadArgument(f"{k} successes of {n}: there cannot be more successes than examples.")
    if not 0 < level < 1:
        raise BadArgument(f"level is a probability strictly between 0 and 1, not {level}.")
    return k, n, float(level)
