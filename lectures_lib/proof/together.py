"""Machines on parts of the same examples, judged together: from one Gram matrix, in one go.

A machine for a pair of classes is small, and to judge it takes some eighty calls of numpy whatever
its size. Here the numbers of all machines stand one after the other in long arrays, so that each
call is made once for all of them. The claims, the sums and their errors are those of `scores` and
`duality`, for the hinge loss, a free offset, finite C, and a kernel whose rounding is known.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .duality import Certificate, no_answer, refuted
from .rounding import SAFE, TINY, UNIT, Enclosure, above_zero, growth, ulp


@dataclass(frozen=True, eq=False)
class Numbers:
    """One number for each machine, each known up to its error: an `Enclosure` of all at once."""

    value: np.ndarray
    error: np.ndarray

    def __add__(self, other: "Numbers") -> "Numbers":
        return _rounded(self.value + other.value, self.error + other.error)

    def __sub__(self, other: "Numbers") -> "Numbers":
        return _rounded(self.value - other.value, self.error + other.error)

    def __mul__(self, other: "Numbers") -> "Numbers":
        cross = abs(self.value) * other.error + abs(other.value) * self.error
        return _rounded(self.value * other.value, cross + self.error * other.error)

    def halved(self) -> "Numbers":
        """Return half of each; what underflows is below `TINY`."""
        return Numbers(0.5 * self.value, 0.5 * self.error + TINY)

    def each(self) -> list[Enclosure]:
        """Return one enclosure for each machine."""
        return [Enclosure(*pair) for pair in zip(self.value.tolist(), self.error.tolist())]


def _rounded(value: np.ndarray, error: np.ndarray) -> Numbers:
    return Numbers(value, SAFE * (error + UNIT * abs(value)) + TINY)


@dataclass(frozen=True, eq=False)
class Segments:
    """The places of each machine's examples in the long arrays; none is empty."""

    sizes: np.ndarray
    starts: np.ndarray

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Return the sum of each machine's numbers."""
        return np.add.reduceat(values, self.starts)

    def largest(self, values: np.ndarray) -> np.ndarray:
        """Return the largest of each machine's numbers."""
        return np.maximum.reduceat(values, self.starts)

    def spread(self, values: np.ndarray) -> np.ndarray:
        """Return each machine's number once for each of its examples."""
        return np.repeat(values, self.sizes)

    def total(self, x: np.ndarray, spread: np.ndarray | float = 0.0) -> Numbers:
        """Return the sums of numbers that may be off by `spread` together: see `cut_sum`."""
        n, largest = self.sizes, self.largest(np.abs(x))
        exponents = np.frexp(largest)[1] + np.frexp(n.astype(float))[1]
        known = np.isfinite(largest) & (exponents < 1023)
        s = np.ldexp(1.0, np.where(known, exponents, 0))
        S = self.spread(s)
        q = (S + x) - S
        value = self.sums(q) + self.sums(x - q)
        error = np.where(largest > 0, UNIT * np.abs(value) + growth(n) * n * UNIT * s, 0.0)
        value, error = np.where(known, value, np.nan), np.where(known, error, np.inf)
        return Numbers(value, SAFE * (error + spread) + TINY)

    def dot(self, x: np.ndarray, y: np.ndarray, y_errors: np.ndarray) -> Numbers:
        """Return x.y of each machine, y being known up to its errors: see `enclosed_dot`."""
        terms = x * y
        off = UNIT * self.sums(np.abs(terms)) + 2 * self.sizes * TINY
        return self.total(terms, off + self.sums(np.abs(x) * y_errors))


def certificates(
    K: np.ndarray,
    parts: Sequence[np.ndarray],
    y: np.ndarray,
    C: float | np.ndarray,
    alpha: np.ndarray,
    b: np.ndarray,
    *,
    diagonal: np.ndarray,
    relative: float,
    tol: float,
) -> list[Certificate]:
    """Judge machines by the Gram matrix K of all examples; machine m has those of `parts[m]`.

    y, C and alpha hold the numbers of all machines one after the other, b one for each; K and C are
    finite. The true K has this `diagonal`, is a Gram matrix, and may differ by `relative`
    sqrt(K_ii K_jj) in each entry: the claims are about it.
    """
    sizes = np.array([len(rows) for rows in parts])
    at = Segments(sizes, np.cumsum(sizes) - sizes)
    cost, beta = np.full(len(y), C, float), alpha * y
    with np.errstate(invalid="ignore", over="ignore"):  # of numbers that are none nothing is proved
        size = (np.sqrt(np.maximum(diagonal, 0.0)) * SAFE + TINY)[np.concatenate(parts)]
        value, error = _scores(K, parts, at, beta, size, relative)
        norm2 = at.dot(beta, value, error)
        f = value + at.spread(b)
        t, t_error = y * f, error + ulp(f)
        short = 1 - t
        xi, xi_error = above_zero(short, t_error + ulp(short))
        above = norm2.halved() + at.dot(cost, xi, xi_error)
        dual, balance = at.total(alpha) - norm2.halved(), at.total(beta)
        below = dual - _balancing(at, alpha, y, value, error, size, balance)
        box = np.maximum(at.largest(np.maximum(-alpha, alpha - cost)), 0.0)
        shown = [
            *(above.value, dual.value, box, np.abs(balance.value)),
            *(at.sums(alpha * (xi - short)), at.sums((cost - alpha) * xi)),
            at.largest(np.abs(alpha)),
        ]
        doubts = at.sums((np.abs(f) <= 2 * t_error).astype(int)).tolist()
        off, whole = at.largest(t_error).tolist(), at.total(cost).each()
    answers = np.isfinite(b) & (at.sums(~np.isfinite(alpha)) == 0)
    sides = zip(above.each(), below.each(), norm2.each(), whole)
    return [
        _one(numbers, side, far, doubt, tol) if answer else no_answer("hinge", tol)
        for answer, numbers, side, far, doubt in zip(answers, zip(*shown), sides, off, doubts)
    ]


def _one(numbers: tuple, side: tuple, off: float, doubts: int, tol: float) -> Certificate:
    """Return the certificate of one machine: the numbers that it shows, and its enclosures."""
    above, below, norm2, whole = side
    primal, dual, box, balance, on_margin, at_bound, largest = map(float, numbers)
    return Certificate(
        *(primal, dual, box, balance, on_margin, at_bound, largest, above, below),
        tol=tol,
        wrong=refuted(box, norm2, below, whole),
        off=off,
        doubts=doubts,
    )


def _scores(K, parts, at: Segments, beta, size, relative) -> tuple[np.ndarray, np.ndarray]:
    """Return K beta for each machine's own examples, and its errors: see `scores.of_gram`."""
    if all(len(rows) == len(K) for rows in parts):  # one product for all machines
        B = np.empty((len(K), len(parts)))
        for column, rows, own in zip(B.T, parts, np.split(beta, at.starts[1:])):
            column[rows] = own
        used = np.flatnonzero(B.any(axis=1))
        few = 2 * len(used) < len(K)  # else a copy of their rows costs more than it saves
        sums = B[used].T @ K[used] if few else (K @ B).T  # K is symmetric
        value = np.concatenate([row[rows] for row, rows in zip(sums, parts)])
    else:
        own = np.split(beta, at.starts[1:])
        value = np.concatenate([_product(K, *pair) for pair in zip(parts, own)])
    terms, reach = at.sums((beta != 0).astype(float)), at.sums(size * np.abs(beta))
    most = growth(terms + 1) * (1.0 + 2.0 * relative) * reach
    error = (at.spread(most) + TINY) * size + at.spread(terms) * TINY
    return value, SAFE * (error + relative * size * at.spread(reach))


def _product(K: np.ndarray, rows: np.ndarray, beta: np.ndarray) -> np.ndarray:
    """Return K[rows, rows] beta: of a symmetric K, the rows where beta is not 0."""
    value, used = np.empty(len(rows)), np.flatnonzero(beta)
    for here, across in stretches(rows):
        value[here] = beta[used] @ K[rows[used], across]
    return value


def stretches(rows: np.ndarray) -> list[tuple[slice, slice]]:
    """Return the stretches of consecutive rows: their places among these rows, and among all."""
    cuts = [0, *(np.flatnonzero(np.diff(rows) != 1) + 1).tolist(), len(rows)]
    return [(slice(a, e), slice(rows[a], rows[a] + e - a)) for a, e in pairwise(cuts)]


def _balancing(at: Segments, alpha, y, value, error, size, balance: Numbers) -> Numbers:
    """Return what the dual value loses as the heavier class is shrunk: see `duality`."""
    part = np.where(at.spread(balance.value > 0) == (y > 0), alpha, 0.0)
    heavy = at.total(part)
    some = heavy.value > 0
    by = np.where(some, heavy.value, 1.0)
    r, near = np.abs(balance.value) / by, 1.0 - y * value
    off = (balance.error + r * heavy.error) / by * (1 + 1e-9) + ulp(r)
    lost = at.dot(part, near, error + ulp(near)) * Numbers(r, off)
    high = np.nextafter(r + off, np.inf)
    most = 0.25 * (high * at.sums(part * size)) ** 2 * (1 + 1e-9)
    found = lost + Numbers(most, most)
    return Numbers(np.where(some, found.value, 0.0), np.where(some, found.error, 0.0))
