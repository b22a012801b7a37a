"""Rows of K in bounded memory, for the fast SMO: those used last are kept, others asked again."""

from collections.abc import Callable
from itertools import pairwise
from math import isqrt

import numpy as np

from .._arguments import BadArgument
from .._jit import jit
from ..kernels import Kernel
from ..proof.rounding import UNIT
from .threads import for_each
from .tiles import against

#: Bytes of a block asked of the kernel at once: it should stay in the processor's cache.
BLOCK = 2**23
#: Entries of K to be made, or to be read, that are worth a second core; and in how many parts.
COSTLY, LARGE, PARTS = 2**18, 2**19, 8
#: The largest array that glibc takes as a sign to keep freed memory instead of giving it back.
FREED = 2**25 - 2**16


class RowCache:
    """Rows of K, those used last; with the blocks in work they take at most `memory` bytes."""

    def __init__(
        self,
        kernel: Kernel,
        X: np.ndarray,
        memory: int,
        ridge: float | np.ndarray = 0.0,
        single: bool = False,
    ) -> None:
        """Plan: half for rows, a quarter for a block of new rows, a quarter for a square."""
        np.empty(FREED, dtype=np.uint8)  # freed at once, untouched: blocks then reuse their memory
        n = X.shape[0] if hasattr(X, "shape") else len(X)  # a sparse matrix has no len
        self.ridged, self.ridge = bool(np.any(ridge)), np.broadcast_to(ridge, n)
        self.against = against(kernel, X, single=single)
        self.dtype = self.against.dtype  #: what K is kept in
        self.size = float(np.max(kernel.diagonal(X) + self.ridge))  # of the largest entry of K
        self.error = 0.0  # bounds what rounding did to F since `times`, K being what is kept
        self.open = self.clock = 0  # places in use so far: fresh memory costs time
        numbers = memory // self.dtype.itemsize
        self.height = self.against.height(min(memory // 4, BLOCK))
        self.kept = np.empty((min(n, numbers // (2 * n)), n), self.dtype)
        self.owner = np.full(len(self.kept), -1)  # whose row it is
        self.used = np.zeros(len(self.kept), dtype=np.int64)  # when it was used last
        self.place = np.full(n, -1)  # where the row of an example is kept, -1: nowhere
        self.widest = max(4, isqrt(numbers // 4))
        self.room = np.empty(min(n, self.widest) ** 2, self.dtype)  # of squares

    def times(self, beta: np.ndarray) -> np.ndarray:
        """Return K beta, and forget the rounding errors of what was subtracted before."""
        scores, I = np.zeros(len(beta)), np.flatnonzero(beta)
        self.error = 0.0
        self.subtract(scores, I, -beta[I], np.ones(len(I), dtype=bool))
        return scores

    def subtract(self, F: np.ndarray, I: np.ndarray, d: np.ndarray, keep: np.ndarray) -> None:
        """Subtract sum d_i K(x_i, .) over i in I from F; new rows are kept where `keep` says so."""
        new = self.place[I] < 0
        places = self.place[I[~new]]
        add_rows(self.kept, places, -d[~new], F)
        self.used[places] = self.clock
        if new.any():
            self._subtract_new(F, I[new], d[new], keep[new])
        if self.ridged:
            F[I] -= self.ridge[I] * d
        largest = finite_size(float(np.abs(F).max()))
        self.error += UNIT * ((len(I) + 2) * self.size * float(np.abs(d).sum()) + largest)

    def _subtract_new(self, F: np.ndarray, I: np.ndarray, d: np.ndarray, keep: np.ndarray) -> None:
        """Make rows tile by tile; each is subtracted from its part of F, and kept, at once."""
        points, to = self.against.chosen(I), self._places(I, keep)
        tops = range(0, len(I), self.height)

        def strip(columns: slice) -> None:
            for first in tops:
                some = slice(first, first + self.height)
                tile = self.against.tile(points, some, columns)
                _take(tile, d[some], to[some], self.kept, columns.start, F)

        if len(I) * len(F) < COSTLY:
            strip(slice(0, len(F)))
        else:
            for_each(strip, self.against.strips(min(len(I), self.height)))

    def known_first(self, A: np.ndarray) -> np.ndarray:
        """Return A with the examples whose rows are kept first."""
        return A[np.argsort(self.place[A] < 0, kind="stable")]

    def square(self, A: np.ndarray) -> np.ndarray:
        """Return K(A, A) for an A of `known_first`; it stands where the last one stood."""
        m, known = len(A), int(np.sum(self.place[A] >= 0))
        K: np.ndarray = self.room[: m * m].reshape(m, m)
        if known < m:
            K[known:, known:] = new = self.against.among(A[known:])
            finite_size(float(np.abs(new).max()))
        _in_parts(_gather, known, m, self.kept, self.place[A[:known]], A, K)
        if self.ridged:
            K[np.diag_indices(m)] += self.ridge[A]
        self.clock += 1
        self.used[self.place[A[:known]]] = self.clock
        self.open = min(max(self.open, 2 * m), len(self.kept))
        return K

    def _places(self, new: np.ndarray, keep: np.ndarray) -> np.ndarray:
        """Return where each new row goes: to a place that was not used for longest; -1: nowhere."""
        rows = np.flatnonzero(keep)[: len(self.kept)]
        self.open = max(self.open, len(rows))
        places = np.argsort(self.used[: self.open], kind="stable")[: len(rows)]
        gone = self.owner[places]
        self.place[gone[gone >= 0]] = -1
        self.place[new[rows]], self.owner[places] = places, new[rows]
        self.used[places] = self.clock
        return self.place[new]


class HeldRows(RowCache):
    """The rows of a K that is held as a whole: each is where it is, and none is made."""

    def __init__(self, K: np.ndarray) -> None:
        n = self.open = len(K)
        self.ridged, self.ridge, self.dtype = False, np.zeros(n), K.dtype
        self.size, self.error, self.clock = float(K.diagonal().max()), 0.0, 0
        self.kept, self.place, self.used = K, np.arange(n), np.zeros(n, dtype=np.int64)
        self.widest, self.room = max(4, n), np.empty(n * n)


def finite_size(largest: float) -> float:
    """Return the size of the largest of many numbers, if all of them are finite."""
    if not largest < np.inf:
        raise BadArgument("K contains NaN or infinity: check the data and the kernel.")
    return largest


def add_rows(K: np.ndarray, rows: np.ndarray, steps: np.ndarray, F: np.ndarray) -> None:
    """Add steps_a times row a of K to F, for a in `rows`, one after the other."""
    _in_parts(_add, len(F), len(rows), K, rows, steps, F)


def _in_parts(loop: Callable, count: int, each: int, *arguments: np.ndarray) -> None:
    """Run a loop over `count` things of `each` entries, in parts that several cores share."""
    parts = PARTS if count * each >= LARGE else 1
    ends = [count * part // parts for part in range(parts + 1)]
    if parts == 1:
        loop(*arguments, 0, count)
    else:
        for_each(lambda part: loop(*arguments, *part), list(pairwise(ends)))


# The loops, each from `first` to `last`: only where they are compiled.


@jit
def _add(K, rows, steps, F, first, last):
    some = F[first:last]
    for a in range(rows.size):
        row = K[rows[a], first:last]
        for t in range(some.size):
            some[t] += steps[a] * row[t]


@jit
def _take(tile, d, to, kept, first, F):
    """Subtract d_a times each row of a tile from F, and store it where it is to be kept."""
    some = F[first : first + tile.shape[1]]
    for a in range(d.size):
        row = tile[a]
        for t in range(row.size):
            some[t] -= d[a] * row[t]
        if to[a] >= 0:
            place = kept[to[a], first : first + row.size]
            for t in range(row.size):
                place[t] = row[t]


@jit
def _gather(kept, places, A, K, first, last):
    """Fill K(A, A) from the rows of its first examples: as K is symmetric they are columns too."""
    for a in range(first, last):
        row, K_a = kept[places[a]], K[a]
        for b in range(A.size):
            K_a[b] = row[A[b]]
        for b in range(places.size, A.size):
            K[b, a] = K_a[b]
