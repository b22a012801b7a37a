"""Large Gram matrices of a Gaussian, in tiles that stay in the processor's cache.

`Gaussian.gram` says what is computed: x.x - 2 x.z + z.z from the centre, never below 0, divided by
-2 sigma^2, and exp of it. On whole matrices each of these steps fetches K from memory and brings it
back. A tile goes there once, finished; of K(X, X) also to its place across the diagonal.
"""

import numpy as np
from scipy.spatial.distance import cdist

from .._cores import for_each
from .._jit import jit_or

#: Rows and columns of a tile: half a megabyte. A row is no power of 2, for the transposed copy.
ROWS, COLUMNS = 256, 264
#: Matrices with fewer entries are one tile.
LARGE = 2**17
#: Those with fewer entries are not worth a second core.
LARGER = 2**19
#: Expanding norm(x - z)^2 = x.x - 2 x.z + z.z may err by this much, relative to the width.
EXPANSION_ERROR = 1e-10


class Columns:
    """K(., Z) of a Gaussian: what depends on Z alone is computed once, for many blocks of rows."""

    def __init__(self, Z: np.ndarray, sigma: float) -> None:
        self.given, self.factor = Z, -0.5 / sigma**2
        self.centre = Z.mean(axis=0)
        self.Z = Z - self.centre
        self.z2 = _norms2(self.Z)
        self.limit = EXPANSION_ERROR * sigma**2 / (4 * np.finfo(float).eps)

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """Return K(X, Z) in a new array."""
        same = X is self.given
        rows, x2 = (self.Z, self.z2) if same else self._centred(X)
        if max(x2.max(), self.z2.max()) > self.limit:
            K = cdist(X, self.given, "sqeuclidean")  # a centre far away would round them
            K *= self.factor
            return np.exp(K, out=K)
        K = np.empty((len(X), len(self.Z)))
        if K.size < LARGE:
            self._tile(rows, x2, slice(None), K)
        else:
            self._fill(K, rows, x2, same)
        if same:
            np.fill_diagonal(K, 1.0)
        return K

    def _centred(self, X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        X = X - self.centre
        return X, _norms2(X)

    def _tile(self, X: np.ndarray, x2: np.ndarray, columns: slice, out: np.ndarray) -> None:
        """Write exp(-D / (2 sigma^2)) of these rows and columns into `out`."""
        np.matmul(X, self.Z[columns].T, out=out)
        _exponents(out, x2, self.z2[columns], self.factor)
        np.exp(out, out=out)

    def _fill(self, K: np.ndarray, X: np.ndarray, x2: np.ndarray, same: bool) -> None:
        """Fill K: its columns, or of K(X, X) its rows, in strips; if it pays on several cores."""

        def rows_of(first: int) -> None:
            rows = slice(first, min(first + ROWS, len(X)))
            for columns in [*_steps(0, first, COLUMNS), rows]:
                K[columns, rows] = self._room(K, X, x2, rows, columns).T

        def columns_of(first: int) -> None:
            columns = slice(first, min(first + COLUMNS, K.shape[1]))
            for rows in _steps(0, len(X), ROWS):
                self._room(K, X, x2, rows, columns)

        strips = range(0, len(X), ROWS)[::-1] if same else range(0, K.shape[1], COLUMNS)
        work = rows_of if same else columns_of  # the rows from below: the long ones first
        if K.size < LARGER:
            for first in strips:
                work(first)
        else:
            for_each(work, strips)

    def _room(self, K, X, x2, rows: slice, columns: slice) -> np.ndarray:
        """Return a finished tile, made in a place of its own and written to K."""
        tile = np.empty((rows.stop - rows.start, columns.stop - columns.start))
        self._tile(X[rows], x2[rows], columns, tile)
        K[rows, columns] = tile
        return tile


def _steps(first: int, end: int, step: int) -> list[slice]:
    return [slice(at, min(at + step, end)) for at in range(first, end, step)]


def _norms2(X: np.ndarray) -> np.ndarray:
    return np.einsum("ij,ij->i", X, X)


def _exponents_by_arrays(products, x2, z2, factor):
    products *= -2.0
    products += np.add.outer(x2, z2)
    np.maximum(products, 0.0, out=products)
    products *= factor


@jit_or(_exponents_by_arrays)
def _exponents(products, x2, z2, factor):
    """Turn x.z into factor times (x.x + z.z) - 2 x.z, which is never below 0."""
    for i in range(x2.size):
        row, a = products[i], x2[i]
        for j in range(z2.size):
            distance = (a + z2[j]) - 2.0 * row[j]
            row[j] = factor * (distance if distance > 0.0 else 0.0)
