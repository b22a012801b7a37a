"""Why counting labellings says something about new examples (L1: "look good over the sample").

A class of classifiers gives 2n points N labellings. Let n of the points, chosen at random, be seen.
A labelling right on all of them and wrong on m of the others looks good and is bad. A single one
does so with chance C(2n - m, n) / C(2n, n) <= 2^-m, any of N with at most N times that. So it helps
if N is small, and by Sauer's lemma a small VC dimension makes it small.
"""

from bisect import bisect_left
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import check_count

#: All halves of this many points are tried: 3,432 for 14, 12,870 for 16.
MOST_HALVED = 16


@explained
def sauer(n: int, h: int) -> int:
    """Return C(n, 0) + ... + C(n, h): the most labellings of n points at VC dimension h.

    Sauer (1972), Shelah, Vapnik and Chervonenkis. It is 2^n up to n = h, then at most (e n / h)^h.

    Parameters
    ----------
    n, h : how many points, and the VC dimension

    Examples
    --------
    >>> complexity.sauer(4, 3)
    15
    """
    n, h = check_count(n, "n", 0), check_count(h, "h", 0)
    return sum(comb(n, i) for i in range(min(n, h) + 1))


@explained
def growth(n: int, d: int, *, offset: bool = True) -> int:
    """Return the most labellings that linear separators give n points of R^d (Cover 1965).

    2 sum of C(n - 1, i) for i = 0, ..., d (to d - 1 without an offset): as many for all points in
    general position, and fewer for others.

    Parameters
    ----------
    n, d : how many points, in how many dimensions
    offset : separators need not pass through the origin

    Examples
    --------
    >>> complexity.growth(4, 2)
    14
    """
    n, d = check_count(n, "n"), check_count(d, "d")
    return 2 * sauer(n - 1, d if offset else d - 1)


@explained(labellings="n m")
def shattered_subsets(labellings: ArrayLike) -> list[tuple[int, ...]]:
    """Return every set of columns on which the rows show all patterns; the empty set is the first.

    There are at least as many as different rows (Pajor 1985), and none is larger than the VC
    dimension: together that is Sauer's lemma. Parts of a shattered set are shattered, so larger
    sets are built from smaller ones.

    Parameters
    ----------
    labellings : (N, n) the patterns that occur

    Examples
    --------
    >>> complexity.shattered_subsets([[1, 1], [1, -1], [-1, -1]])
    [(), (0,), (1,)]
    """
    rows = _check_labellings(labellings) > 0
    level: list[tuple[int, ...]] = [()] if len(rows) else []
    found = list(level)
    while level:
        known = set(level)
        larger = ((*s, j) for s in level for j in range(s[-1] + 1 if s else 0, rows.shape[1]))
        likely = (s for s in larger if all(part in known for part in combinations(s, len(s) - 1)))
        level = [s for s in likely if len(np.unique(rows[:, s], axis=0)) == 2 ** len(s)]
        found = found + level
    return found


@dataclass(frozen=True, eq=False)
class Halves:
    """Every way to see half of 2n points: how many mistakes can a rule that looks perfect make?"""

    n: int  #: points in each half
    N: int  #: different labellings of all 2n points
    worst: np.ndarray  #: (C(2n, n),) most mistakes on the unseen half by one right on the seen
    sizes: np.ndarray  #: (N,) in how many points each labelling differs from the truth

    def chance(self, m: int) -> Fraction:
        """Return the share of halves in which some labelling right on it errs m times or more."""
        return Fraction(int(np.sum(self.worst >= m)), len(self.worst))

    def union(self, m: int) -> Fraction:
        """Return the sum of the chances of the single labellings, which is never less."""
        wrong = (int(k) for k in self.sizes if m <= k <= self.n)
        return sum((hidden(self.n, k) for k in wrong), Fraction(0))

    def bound(self, m: int) -> Fraction:
        """Return N C(2n - m, n) / C(2n, n): only the number of labellings is known."""
        return min(Fraction(1), self.N * hidden(self.n, m))


@explained(labellings="n m", y="n")
def halves(labellings: ArrayLike, y: ArrayLike) -> Halves:
    """Try every half of 2n points: does a labelling look good on it and do badly on the other?

    `labellings` (N, 2n) is all that the class can say, `y` (2n,) the truth, in the class or not.

    Parameters
    ----------
    labellings : (N, 2n) all that the class can say of 2n points
    y : (2n,) the truth

    Examples
    --------
    >>> complexity.halves([[1, 1, 1, 1], [1, 1, -1, -1]], [1, 1, 1, 1]).worst
    array([2, 0, 0, 0, 0, 0])
    """
    rows = np.unique(_check_labellings(labellings), axis=0)
    y = np.asarray(y, dtype=float)
    if y.shape != rows.shape[1:] or len(y) % 2 or not 2 <= len(y) <= MOST_HALVED:
        raise BadArgument(
            f"labellings of shape {rows.shape} and y of shape {y.shape}: the labels of 2, 4, ..., "
            f"{MOST_HALVED} points are needed, one column and one entry per point."
        )
    n, wrong = len(y) // 2, rows != y
    seen = np.zeros((comb(2 * n, n), 2 * n), dtype=int)
    for row, half in zip(seen, combinations(range(2 * n), n), strict=True):
        row[list(half)] = 1
    sizes = wrong.sum(axis=1)
    perfect = seen @ wrong.T == 0  # (halves, labellings): no mistake on the half that is seen
    return Halves(n, len(rows), np.where(perfect, sizes, 0).max(axis=1), sizes)


@explained
def hidden(n: int, m: int) -> Fraction:
    """Return the chance that a random half of 2n points misses m given ones; at most 2^-m."""
    n, m = check_count(n, "n"), check_count(m, "m", 0)
    return Fraction(comb(max(2 * n - m, 0), n), comb(2 * n, n))


@explained
def most_mistakes(n: int, h: int, delta: float = 0.05) -> int:
    """Return m: with probability 1 - delta no rule right on n examples errs more often on n new.

    The rules have VC dimension h and the examples are drawn independently, so which n of the 2n
    come first is a matter of chance. m is the least with sauer(2n, h) hidden(n, m + 1) <= delta.

    Parameters
    ----------
    n : examples seen, and as many new ones
    h : the VC dimension
    delta : the chance that the statement may fail

    Examples
    --------
    >>> complexity.most_mistakes(100, 3)
    22
    """
    n = check_count(n, "n")
    if not 0 < delta < 1:
        raise BadArgument(f"delta is a probability strictly between 0 and 1, not {delta}.")
    N, limit = sauer(2 * n, h), Fraction(*delta.as_integer_ratio()) * comb(2 * n, n)
    return bisect_left(range(n), True, key=lambda m: N * comb(2 * n - m - 1, n) <= limit)


def _check_labellings(labellings: ArrayLike) -> np.ndarray:
    rows = np.asarray(labellings, dtype=float)
    if rows.ndim != 2 or not np.isin(rows, (-1.0, 1.0)).all():
        raise BadArgument("labellings needs one row per labelling, of labels -1 and +1.")
    return rows
