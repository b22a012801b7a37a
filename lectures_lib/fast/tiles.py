"""Blocks K(X, Z) for many X, made in tiles; those of a Gaussian stay in the processor's cache.

`Gaussian.gram` says what is computed: x.x - 2 x.z + z.z from the centre, never below 0, divided by
-2 sigma^2, and exp of it. On whole matrices each of these steps fetches K from memory and brings it
back. A tile goes there once, finished; of K(X, X) also to its place across the diagonal. `kernel`
returns the kernel that does so: equal to the one it is given, with the same proofs.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.spatial.distance import cdist

from .._arguments import explained
from .._jit import COMPILED
from ..kernels import (
    Gaussian,
    Kernel,
    Multiple,
    Normalised,
    Power,
    Product,
    Scaled,
    Sum,
    check_kernel,
)
from ..kernels.standard import EXPANSION_ERROR
from .exponentials import gaussians, single_gaussians
from .threads import for_each

#: Rows and columns of a tile: a megabyte; in single precision twice as many columns. A row is no
#: power of 2, for the transposed copy. Smaller ones would have cores wait for Python's lock.
ROWS, COLUMNS = 256, 520
#: Matrices with fewer entries are one tile.
LARGE = 2**17
#: Those with fewer entries are not worth a second core.
LARGER = 2**17
#: Single precision is taken where h = norm(x)^2 / (2 sigma^2), from the centre, is at most this. An
#: entry is off by (d + 9) 2^-23 (1 + h) at most (tested), as a rule by some 1e-6.
SPREAD = 16.0


class Points(NamedTuple):
    """Rows of X as they are given, and as a Gaussian reads them."""

    given: Any
    centred: Any = None
    norms: Any = None


class Against:
    """K(., Z) of any kernel, one tile wide; `Columns` is that of a Gaussian."""

    dtype: np.dtype = np.dtype(float)

    def __init__(self, kernel: Any, Z: np.ndarray) -> None:
        self.kernel, self.Z = kernel, Z
        self.size = Z.shape[0] if hasattr(Z, "shape") else len(Z)  # a sparse matrix has no len

    def strips(self, rows: int) -> list[slice]:
        """Return the columns in strips: `rows` rows of one strip are a tile."""
        return [slice(0, self.size)]

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """Return K(X, Z) in a new array."""
        return self.kernel.gram(X, self.Z)

    def points(self, X: np.ndarray) -> Points:
        """Return rows as `tile` takes them."""
        return Points(X)

    def chosen(self, I: np.ndarray) -> Points:
        """Return the rows Z[I] as `tile` takes them."""
        return Points(self.Z[I])

    def tile(self, points: Points, rows: slice, columns: slice) -> np.ndarray:
        """Return K of some of these rows and columns, in a new array."""
        return self.kernel.gram(points.given[rows], self.Z[columns])

    def among(self, I: np.ndarray) -> np.ndarray:
        """Return K(Z[I], Z[I]) in a new array."""
        chosen = self.Z[I]
        return self.kernel.gram(chosen, chosen)

    def height(self, memory: int) -> int:
        """Return how many rows a tile of at most `memory` bytes has."""
        return max(1, int(memory) // (8 * self.size))


class Columns(Against):
    """K(., Z) of a Gaussian: what depends on Z alone is computed once, for many blocks of rows.

    In `single` precision examples are divided by sigma, and norms halved: the exponent is
    x.z - x.x / 2 - z.z / 2. It is an answer for solvers, not for judges, and only where digits
    suffice (`SPREAD`); `dtype` says whether it was granted.
    """

    def __init__(self, Z: np.ndarray, sigma: float, *, single: bool = False) -> None:
        self.given, self.sigma, self.factor = Z, sigma, -0.5 / sigma**2
        self.centre = Z.mean(axis=0)
        self.limit = EXPANSION_ERROR * sigma**2 / (4 * np.finfo(float).eps)
        self._take_in(Z - self.centre, single)
        self.width = COLUMNS * (8 // self.dtype.itemsize)

    def strips(self, rows: int) -> list[slice]:
        """Return the columns in strips: of fewer rows more columns make a tile."""
        return _steps(0, len(self.Z), self.width * max(1, ROWS // rows))

    def _take_in(self, Z: np.ndarray, single: bool) -> None:
        """Set what depends on the centred columns: in single precision, if it is near enough."""
        self.Z, self.z2 = Z, _norms2(Z)
        self.far = bool(self.z2.max() > self.limit)
        if single and self.z2.max() <= 2.0 * SPREAD * self.sigma**2:
            self.dtype = np.dtype(np.float32)
            self.Z, self.z2 = self._rounded(Z)

    def _rounded(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return centred rows in single precision and in units of sigma, with half their norms2."""
        near = (X / self.sigma).astype(np.float32)
        return near, (0.5 * _norms2(near.astype(float))).astype(np.float32)

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """Return K(X, Z) in a new array."""
        same = X is self.given
        points = Points(X, self.Z, self.z2) if same and not self.far else self.points(X)
        if points.centred is None:
            return self.tile(points, slice(None), slice(None))
        K = np.empty((len(X), len(self.Z)), self.dtype)
        if K.size < LARGE:
            self._make(points, slice(None), slice(None), K)
        else:
            self._fill(K, points, same)
        if same:
            np.fill_diagonal(K, 1.0)
        return K

    def points(self, X: np.ndarray) -> Points:
        """Return rows as `tile` takes them; uncentred where a far centre would round them."""
        centred = X - self.centre
        x2 = _norms2(centred)
        if self.far or x2.max(initial=0.0) > self.limit:
            return Points(X)
        return Points(X, *((centred, x2) if self.dtype == float else self._rounded(centred)))

    def chosen(self, I: np.ndarray) -> Points:
        """Return the rows Z[I] as `tile` takes them."""
        return Points(self.given[I]) if self.far else Points(None, self.Z[I], self.z2[I])

    def tile(self, points: Points, rows: slice, columns: slice) -> np.ndarray:
        """Return K of some of these rows and columns, in a new array."""
        if points.centred is None:
            K = cdist(points.given[rows], self.given[columns], "sqeuclidean")
            K *= self.factor
            return np.exp(K, out=K).astype(self.dtype, copy=False)
        height, width = len(points.norms[rows]), len(self.z2[columns])
        return self._make(points, rows, columns, np.empty((height, width), self.dtype))

    def among(self, I: np.ndarray) -> np.ndarray:
        """Return K(Z[I], Z[I]) in a new array."""
        some = object.__new__(Columns)
        vars(some).update(vars(self) | {"given": self.given[I], "Z": self.Z[I], "z2": self.z2[I]})
        return some(some.given)

    def height(self, memory: int) -> int:
        """Return how many rows a tile of at most `memory` bytes has."""
        return max(1, min(ROWS, int(memory) // (8 * COLUMNS)))

    def _make(self, points: Points, rows: slice, columns: slice, out: np.ndarray) -> np.ndarray:
        """Write exp(-norm(x - z)^2 / (2 sigma^2)) of these rows and columns into `out`."""
        np.matmul(points.centred[rows], self.Z[columns].T, out=out)
        if self.dtype == float:
            gaussians(out, points.norms[rows], self.z2[columns], self.factor)
        else:
            single_gaussians(out, points.norms[rows], self.z2[columns])
        return out

    def _fill(self, K: np.ndarray, points: Points, same: bool) -> None:
        """Fill K: its columns, or of K(X, X) its rows, in strips; if it pays on several cores."""

        def rows_of(first: int) -> None:
            rows = slice(first, min(first + ROWS, len(K)))
            for columns in [*_steps(0, first, self.width), rows]:
                K[rows, columns] = tile = self.tile(points, rows, columns)
                K[columns, rows] = tile.T

        def columns_of(columns: slice) -> None:
            for rows in _steps(0, len(K), ROWS):
                K[rows, columns] = self.tile(points, rows, columns)

        if same:  # from below: the long ones first
            _shared(rows_of, range(0, len(K), ROWS)[::-1], K.size)
        else:
            _shared(columns_of, _steps(0, K.shape[1], self.width), K.size)


def against(kernel: Kernel, Z: np.ndarray, *, single: bool = False) -> Against:
    """Return the function X -> K(X, Z), for many X: what Z alone needs is done once.

    With `single` in single precision, where a kernel offers that and digits suffice.
    """
    if isinstance(kernel, Gaussian) and COMPILED:
        return Columns(Z, kernel.sigma, single=single)
    return Against(kernel, Z)


def pieces(kernel: Kernel, X: np.ndarray, Z: np.ndarray, memory: int) -> list[Callable]:
    """Return K(X, Z) in parts of rows, for several cores: each called, it yields its tiles.

    That is (columns, K(X[rows], Z[columns])), none above `memory` bytes.
    """
    columns_of = against(kernel, Z)
    height = columns_of.height(memory)

    def part(first: int) -> Iterator[tuple[slice, np.ndarray]]:
        points = columns_of.points(X[first : first + height])
        for columns in columns_of.strips(height):
            yield columns, columns_of.tile(points, slice(None), columns)

    return [partial(part, first) for first in range(0, len(X), height)]


def _shared(work: Callable, strips: Sequence, size: int) -> None:
    """Work on strips of a matrix of this size, on several cores where that pays."""
    if size < LARGER:
        for strip in strips:
            work(strip)
    else:
        for_each(work, strips)


def _steps(first: int, end: int, step: int) -> list[slice]:
    return [slice(at, min(at + step, end)) for at in range(first, end, step)]


def _norms2(X: np.ndarray) -> np.ndarray:
    return np.einsum("ij,ij->i", X, X)


class TiledGaussian(Gaussian):
    """A Gaussian whose large Gram blocks are made in tiles, by several cores."""

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        """Return the block K(x, z) for checked rows x of X and z of Z, in a new array."""
        if len(X) * len(Z) < LARGE or not COMPILED:
            return super().gram(X, Z)
        return against(self, Z)(X)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Gaussian) and other.sigma == self.sigma

    __hash__ = Gaussian.__hash__


@explained
def kernel(k: Kernel) -> Kernel:
    """Return the quick twin of a kernel: equal to it, with the same proofs; else k itself.

    Parameters
    ----------
    k : a kernel; of sums, products and the like the parts are replaced

    Examples
    --------
    >>> fast.kernel(2 * kernels.Gaussian(1.0)) == 2 * kernels.Gaussian(1.0)
    True
    """
    check_kernel(k)
    if type(k) is Gaussian:
        return TiledGaussian(k.sigma)
    if not isinstance(k, Sum | Product | Multiple | Power | Scaled | Normalised):
        return k
    parts: dict[str, Any] = {field.name: getattr(k, field.name) for field in fields(k)}
    quick = {name: kernel(part) for name, part in parts.items() if isinstance(part, Kernel)}
    return type(k)(**parts | quick)
