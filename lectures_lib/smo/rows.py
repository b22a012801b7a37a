"""Rows of K in bounded memory, for the fast SMO: those used last are kept, others asked again."""

from collections.abc import Callable
from itertools import pairwise
from math import isqrt

import numpy as np

from .._cores import for_each
from .._jit import jit_or
from ..kernels import Kernel
from .lanes import LANES

#: The relative error of one operation in double precision.
ROUNDING = 2.0**-53
#: Bytes of a block asked of the kernel at once: it should stay in the processor's cache.
BLOCK = 2**23
#: Entries of K that are worth a second core, and the parts that are cut then.
LARGE, PARTS = 2**21, 8
#: The largest array that glibc takes as a sign to keep freed memory instead of giving it back.
FREED = 2**25 - 2**16


class Rows:
    """Rows of K, those used last; with the blocks in work they take at most `memory` bytes."""

    def __init__(
        self, kernel: Kernel, X: np.ndarray, memory: int, ridge: float | np.ndarray = 0.0
    ) -> None:
        """Plan: half for rows, a quarter for a block of new rows, a quarter for a square."""
        np.empty(FREED, dtype=np.uint8)  # freed at once, untouched: blocks then reuse their memory
        n = len(X)
        self.kernel, self.X, self.ridge = kernel, X, np.broadcast_to(ridge, n)
        self.against = kernel.against(X)
        self.kept = np.empty((min(n, memory // (16 * n)), n))
        self.owner = np.full(len(self.kept), -1)  # whose row it is
        self.used = np.zeros(len(self.kept), dtype=np.int64)  # when it was used last
        self.place = np.full(n, -1)  # where the row of an example is kept, -1: nowhere
        self.open = self.clock = 0  # places in use so far: fresh memory costs time
        self.size = float(np.max(kernel.diagonal(X) + self.ridge))  # of the largest entry of K
        self.error = 0.0  # bounds what rounding did to F since `times`
        self.tile = max(1, min(memory // 4, BLOCK) // (8 * n))
        self.widest = max(4, isqrt(memory // 32 + LANES**2 // 4) - LANES // 2)
        self.room = np.empty(min(n, self.widest) * (min(n, self.widest) + LANES))  # of squares

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
        I_new, d_new, keep = I[new], d[new], keep[new]
        for first in range(0, len(I_new), self.tile):
            part = slice(first, first + self.tile)
            block = self.against(self.X[I_new[part]])
            F -= d_new[part] @ block
            self._keep(I_new[part], block, np.flatnonzero(keep[part]))
        F[I] -= self.ridge[I] * d
        self.error += ROUNDING * ((len(I) + 2) * self.size * np.abs(d).sum() + np.abs(F).max())
        _check_finite(F)

    def known_first(self, A: np.ndarray) -> np.ndarray:
        """Return A with the examples whose rows are kept first."""
        return A[np.argsort(self.place[A] < 0, kind="stable")]

    def square(self, A: np.ndarray) -> np.ndarray:
        """Return K(A, A) for an A of `known_first`, and columns of 0 up to a multiple of LANES.

        It stands where the last one stood.
        """
        m, known = len(A), int(np.sum(self.place[A] >= 0))
        width = -(-m // LANES) * LANES
        K = self.room[: m * width].reshape(m, width)
        K[:, m:] = 0.0
        if known < m:
            X = self.X[A[known:]]
            K[known:, known:m] = self.kernel.gram(X, X)
            _check_finite(K[known:, known:m])
        _in_parts(_gather, known, m, self.kept, self.place[A[:known]], A, K)
        K[np.diag_indices(m)] += self.ridge[A]
        self.clock += 1
        self.used[self.place[A[:known]]] = self.clock
        self.open = min(max(self.open, 2 * m), len(self.kept))
        return K

    def _keep(self, new: np.ndarray, block: np.ndarray, rows: np.ndarray) -> None:
        """Put some rows of a block in the places that were not used for longest."""
        if len(rows):
            self.open = max(self.open, len(rows))
            places = np.argsort(self.used[: self.open], kind="stable")[: len(rows)]
            gone = self.owner[places]
            self.place[gone[gone >= 0]] = -1
            _in_parts(_store, len(places), block.shape[1], self.kept, places, block, rows)
            self.place[new[rows]], self.owner[places] = places, new[rows]
            self.used[places] = self.clock


def _check_finite(values: np.ndarray) -> None:
    if not np.isfinite(values).all():
        raise ValueError("K contains NaN or infinity: check the data and the kernel.")


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


# The loops, each from `first` to `last`; without numba those by arrays give the same bits.


def _add_by_arrays(K, rows, steps, F, first, last):
    for row, step in zip(rows, steps):
        F[first:last] += step * K[row, first:last]


def _store_by_arrays(kept, places, block, rows, first, last):
    kept[places[first:last]] = block[rows[first:last]]


def _gather_by_arrays(kept, places, A, K, first, last):
    known = places.size
    K[first:last, : A.size] = kept[places[first:last, None], A]
    K[known : A.size, first:last] = K[first:last, known : A.size].T


@jit_or(_add_by_arrays)
def _add(K, rows, steps, F, first, last):
    some = F[first:last]
    for a in range(rows.size):
        row = K[rows[a], first:last]
        for t in range(some.size):
            some[t] += steps[a] * row[t]


@jit_or(_store_by_arrays)
def _store(kept, places, block, rows, first, last):
    for a in range(first, last):
        row, to = block[rows[a]], kept[places[a]]
        for t in range(row.size):
            to[t] = row[t]


@jit_or(_gather_by_arrays)
def _gather(kept, places, A, K, first, last):
    """Fill K(A, A) from the rows of its first examples: as K is symmetric they are columns too."""
    for a in range(first, last):
        row, K_a = kept[places[a]], K[a]
        for b in range(A.size):
            K_a[b] = row[A[b]]
        for b in range(places.size, A.size):
            K[b, a] = K_a[b]
