"""Kernels: Gram matrices, the algebra that builds new kernels, and certificates of validity.

K is a kernel iff K(x, z) = phi(x).phi(z) for some phi (L1, L3, L4, L5). A kernel object `k` gives
Gram blocks, ``k(X, Z)``; ``k1 + k2``, ``k1 * k2``, ``c * k``, ``k ** p`` and ``k.scaled_by(f)`` are
kernels again (L5's composition rules), and their repr is the formula.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist

from .._door import door
from ..conventions import check_count, check_points, check_positive
from ..proof.psd import psd_certificate
from ..proof.rounding import SAFE, UNIT, growth
from . import tiles
from .algebra import (
    Kernel,
)
from .checks import check_gram, check_kernel
from .rounding import (
    FUNCTION,
    LARGEST_ROUNDING,
    compound,
    fractions,
    in_range,
    repeated,
)
from .tiles import EXPANSION_ERROR, Columns

#: Bytes that one Gram block may take where a result is made in tiles.
MEMORY = 256 * 2**20


@dataclass(frozen=True, repr=False)
class Linear(Kernel):
    """x.z, with phi(x) = x.

    Examples
    --------
    >>> kernels.Linear()([[1.0, 2.0], [3.0, 4.0]])
    array([[ 5., 11.],
           [11., 25.]])
    """

    proved = True

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return X @ Z.T

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.einsum("ij,ij->i", X, X)

    def bound(self, X: np.ndarray) -> float | None:
        """Return g_d: x.z errs by at most g_d abs(x).abs(z) <= g_d norm(x) norm(z)."""
        zero = (X == 0).all(axis=1)
        return compound(growth(X.shape[1]), UNIT) if in_range(self.diagonal(X), zero) else None

    def exact(self, X: np.ndarray) -> np.ndarray | None:
        F = fractions(X)
        return F @ F.T

    def __repr__(self) -> str:
        return "x·z"


@dataclass(frozen=True, repr=False)
class Polynomial(Kernel):
    """(1 + x.z)^degree, or (x.z)^degree with ``one=False`` (L1 names both).

    Parameters
    ----------
    degree : a whole number above 0
    one : with the 1

    Examples
    --------
    >>> kernels.Polynomial(2)([[1.0, 2.0]], [[3.0, 4.0]])
    array([[144.]])
    """

    proved = True

    degree: int
    one: bool = True

    def __post_init__(self) -> None:
        check_count(self.degree, "degree")

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        K = X @ Z.T
        K += float(self.one)
        return K**self.degree

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return (np.einsum("ij,ij->i", X, X) + float(self.one)) ** self.degree

    def bound(self, X: np.ndarray) -> float | None:
        """Return (1 + g_{d+1})^degree - 1, and the error of a power.

        1 + x.z errs by at most g_{d+1} (1 + abs(x).abs(z)) <= g_{d+1} N with
        N = sqrt((1 + x.x) (1 + z.z)), and abs(1 + x.z) <= N: its power errs as N^degree does.
        """
        zero = (X == 0).all(axis=1) & (not self.one)
        if not in_range(self.diagonal(X), zero):
            return None
        sums = repeated(growth(X.shape[1] + 1), self.degree)
        return compound(sums, FUNCTION, UNIT)

    def exact(self, X: np.ndarray) -> np.ndarray | None:
        products = Linear().exact(X)
        return None if products is None else (int(self.one) + products) ** self.degree

    def __repr__(self) -> str:
        return f"(1 + x·z)^{self.degree}" if self.one else f"(x·z)^{self.degree}"


@dataclass(frozen=True, repr=False)
class Gaussian(Kernel):
    """exp(-norm(x - z)^2 / (2 sigma^2)), L1's form.

    Parameters
    ----------
    sigma : the width, above 0

    Examples
    --------
    >>> kernels.Gaussian(1.0)([[0.0], [1.0]]).round(4)
    array([[1.    , 0.6065],
           [0.6065, 1.    ]])
    """

    proved = True

    sigma: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "sigma", _width(self.sigma, "sigma"))

    @classmethod
    def from_alpha(cls, alpha: float) -> "Gaussian":
        """Return exp(-alpha norm(x - z)^2), L3's form: sigma = 1 / sqrt(2 alpha).

        Parameters
        ----------
        alpha : above 0

        Examples
        --------
        >>> kernels.Gaussian.from_alpha(0.5)
        exp(-‖x - z‖²/(2·1²))
        """
        return cls(1.0 / np.sqrt(2.0 * check_positive(alpha, "alpha")))

    @classmethod
    def from_beta(cls, beta: float) -> "Gaussian":
        """Return exp(-beta norm(x - z)^2), L5's form: the same as L3's.

        Parameters
        ----------
        beta : above 0

        Examples
        --------
        >>> kernels.Gaussian.from_beta(0.5)
        exp(-‖x - z‖²/(2·1²))
        """
        return cls.from_alpha(check_positive(beta, "beta"))

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        if len(X) * len(Z) >= tiles.LARGE:
            X, Z = _rows(X, Z)
            return self.against(Z)(X)
        K = squared_distances(X, Z, scale=self.sigma**2)
        K *= -0.5 / self.sigma**2
        return np.exp(K, out=K)

    def against(self, Z: np.ndarray) -> Columns:
        return Columns(Z, self.sigma)

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.ones(len(X))

    def bound(self, X: np.ndarray) -> float | None:
        """Return the larger bound of the two ways to take distances (`squared_distances`).

        Differences one by one err by g_{d+2}, relative to D = norm(x - z)^2, and the quotient
        t = D / (2 sigma^2) by g_{d+5}; since t exp(-t) <= 1/e, exp(-t) errs by 0.4 g_{d+5}.
        By the matrix product D errs by 4 M g_{d+5} where norm(x - c)^2, norm(z - c)^2 <= M for the
        centre c: by 4 M g_{d+2} in the sums, and because x - c is rounded, by u relative to itself,
        by 2 u sqrt(M) in norm(x - z) <= 2 sqrt(M). Then t, and exp(-t), err by
        2 M g_{d+5} / sigma^2. To both comes the error of exp itself.
        """
        spread = 2.0 * _largest_norm2(X, self.sigma**2) / self.sigma**2
        return SAFE * ((spread + 0.4) * growth(X.shape[1] + 5) + FUNCTION + UNIT)

    def entry_rounding(self, X: np.ndarray) -> float | None:
        """Return what an error of t does to exp(-t), relative; above 1e-300 t is below 700."""
        spread = 2.0 * _largest_norm2(X, self.sigma**2) / self.sigma**2
        return _of_exponent((spread + 700.0) * growth(X.shape[1] + 5))

    def __repr__(self) -> str:
        return f"exp(-‖x - z‖²/(2·{self.sigma:g}²))"


@dataclass(frozen=True, repr=False)
class Laplace(Kernel):
    """exp(-norm(x - z) / (2 sigma^2)): L1's Laplace, and what L4 prints as the Gaussian.

    Parameters
    ----------
    sigma : the width, above 0

    Examples
    --------
    >>> kernels.Laplace(1.0)([[0.0], [2.0]]).round(4)
    array([[1.    , 0.3679],
           [0.3679, 1.    ]])
    """

    proved = True

    sigma: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "sigma", _width(self.sigma, "sigma"))

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        K = cdist(X, Z)  # a root would make 1e-6 of a rounding error of 1e-12
        K *= -0.5 / self.sigma**2
        return np.exp(K, out=K)

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.ones(len(X))

    def bound(self, X: np.ndarray) -> float | None:
        """Return the error of exp(-t) for t = norm(x - z) / (2 sigma^2) from plain differences.

        t errs by g_{d+6}, relative to itself, and t exp(-t) <= 1/e. Squares that underflow can
        hide a distance of sqrt(d) 2^-537.
        """
        d = X.shape[1]
        hidden = np.sqrt(d) * 2.0**-537 / self.sigma**2
        return SAFE * (0.4 * growth(d + 6) + hidden + FUNCTION + UNIT)

    def entry_rounding(self, X: np.ndarray) -> float | None:
        """Return what an error of t does to exp(-t), relative; above 1e-300 t is below 700."""
        d = X.shape[1]
        hidden = np.sqrt(d) * 2.0**-537 / self.sigma**2
        return _of_exponent(700.0 * growth(d + 6) + hidden)

    def __repr__(self) -> str:
        return f"exp(-‖x - z‖/(2·{self.sigma:g}²))"


def _of_exponent(off: float) -> float | None:
    """Return how far exp(-t) is off, relative, if t is off by `off`; None: no digit is left."""
    if not off <= LARGEST_ROUNDING:
        return None
    return SAFE * (np.expm1(off) + FUNCTION + UNIT) / (1.0 - 2.0 * LARGEST_ROUNDING)


@door
def squared_distances(X: ArrayLike, Z: ArrayLike, *, scale: float = 1.0) -> np.ndarray:
    """Return norm(x - z)^2 for all pairs, by a matrix product where that is accurate.

    x.x - 2 x.z + z.z loses digits when the points are far from 0 compared with `scale`, the
    squared distance that matters; then the differences are taken one by one. Never below 0.

    Parameters
    ----------
    X, Z : (n, d) and (m, d) points
    scale : the squared distance that matters

    Examples
    --------
    >>> kernels.squared_distances(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0]]))
    array([[25.]])
    """
    X, Z = _rows(X, Z)
    given = X, Z
    if X is Z:
        X = Z = X - X.mean(axis=0)
    else:
        centre = Z.mean(axis=0)
        X, Z = X - centre, Z - centre
    x2, z2 = np.einsum("ij,ij->i", X, X), np.einsum("ij,ij->i", Z, Z)
    if 4 * np.finfo(float).eps * max(x2.max(), z2.max()) > EXPANSION_ERROR * scale:
        return cdist(*given, "sqeuclidean")  # a centre far away would round them
    D, products = np.add.outer(x2, z2), X @ Z.T
    products *= 2.0
    D -= products
    np.maximum(D, 0.0, out=D)
    if X is Z:
        np.fill_diagonal(D, 0.0)
    return D


def _rows(X: ArrayLike, Z: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return both as arrays of rows; tables of floats as they are, for columns come by the many."""
    same, X, Z = X is Z, _table(X, "X"), _table(Z, "Z")
    if X.shape[1] != Z.shape[1]:
        raise ValueError(f"X has {X.shape[1]} features and Z {Z.shape[1]}: they must agree.")
    return X, X if same else Z


def _table(A: ArrayLike, name: str) -> np.ndarray:
    if isinstance(A, np.ndarray) and A.ndim == 2 and A.dtype == float and A.size > 0:
        return A
    return check_points(A, name)


def _largest_norm2(X: np.ndarray, scale: float) -> float:
    """Return a bound of norm(x - c)^2 over all blocks of X in which distances are expanded.

    The centre c of a block is the mean of some of its rows, up to g_{n+1} max abs(X): no row is
    farther from it than twice the largest distance from any one point; the mean of X will do.
    Nor does a block reach beyond the limit at which `squared_distances` expands no more.
    """
    limit = EXPANSION_ERROR * scale / (4 * np.finfo(float).eps)
    from_mean = np.linalg.norm(X - X.mean(axis=0), axis=1).max()
    astray = growth(len(X) + 1) * np.linalg.norm(np.abs(X).max(axis=0))
    slack = 1.0 + 4 * growth(X.shape[1] + 4)  # the norms are rounded, too
    return float(slack * min((2 * from_mean + astray) ** 2, limit))


@door
def checked_gram(kernel: Kernel, X: np.ndarray) -> np.ndarray:
    """Return the Gram matrix of checked rows, and refuse NaN and what is shown to be no kernel.

    Theory vouches for a kernel that is `valid`; of others the matrix is judged.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # what comes of it is refused
        K = check_points(check_gram(kernel.gram(X, X), kernel), "K")
    if not kernel.valid and (judged := psd_certificate(K)).verdict == "refuted":
        raise ValueError(f"{kernel!r} is no kernel for these examples: {judged.reason}.")
    return K


@door
def blocks(
    kernel: Kernel, X: ArrayLike, Z: ArrayLike, *, memory: int = MEMORY
) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield (rows, K(X[rows], Z)) so that no block takes more than `memory` bytes.

    Parameters
    ----------
    kernel, X, Z : the kernel and the two sets of examples
    memory : bytes that a block may take

    Examples
    --------
    >>> X = np.arange(6.0)[:, None]
    >>> [K.shape for rows, K in kernels.blocks(kernels.Linear(), X, X, memory=200)]
    [(4, 6), (2, 6)]
    """
    X, Z = check_kernel(kernel).check(X), kernel.check(Z)
    kernel(X[:1], Z[:1])  # the same number of features, or an error
    rows, against = max(1, int(memory // (8 * len(Z)))), kernel.against(Z)
    for first in range(0, len(X), rows):
        part = slice(first, min(first + rows, len(X)))
        yield part, against(X[part])


@door
def product(
    kernel: Kernel, X: ArrayLike, Z: ArrayLike, coefficients: ArrayLike, *, memory: int = MEMORY
) -> np.ndarray:
    """Return K(X, Z) @ coefficients tile by tile: the matrix is never held as a whole.

    Parameters
    ----------
    kernel, X, Z, memory : as in `blocks`
    coefficients : one per row of Z

    Examples
    --------
    >>> kernels.product(kernels.Linear(), [[1.0], [2.0]], [[3.0], [4.0]], [1.0, 1.0])
    array([ 7., 14.])
    """
    coefficients = np.asarray(coefficients, dtype=float)
    parts = [K @ coefficients for _, K in blocks(kernel, X, Z, memory=memory)]
    return check_gram(np.concatenate(parts), kernel)


@door
def norms(kernel: Kernel, X: ArrayLike) -> np.ndarray:
    """Return norm(phi(x)) for each example, through K alone."""
    X = check_kernel(kernel).check(X)
    squares = check_gram(kernel.diagonal(X), kernel)
    if squares.min() < 0:
        raise ValueError(f"K(x, x) = {squares.min():.4g} < 0 for an x: {kernel!r} is no kernel.")
    return np.sqrt(squares)


@door
def distances(kernel: Kernel, X: ArrayLike, Z: ArrayLike) -> np.ndarray:
    """Return norm(phi(x) - phi(z)) for all pairs, through K alone.

    Parameters
    ----------
    kernel, X, Z : the kernel and the two sets of examples

    Examples
    --------
    >>> kernels.distances(kernels.Linear(), [[0.0, 0.0]], [[3.0, 4.0]])
    array([[5.]])
    """
    X, Z = check_kernel(kernel).check(X), kernel.check(Z)
    kernel(X[:1], Z[:1])  # the same number of features, or an error
    centre = centre_of(kernel, Z)
    if centre is not None:
        X, Z = X - centre, Z - centre  # the same distances, and their digits are kept
    D = np.add.outer(kernel.diagonal(X), kernel.diagonal(Z))
    D -= 2.0 * check_gram(kernel.gram(X, Z), kernel)
    return np.sqrt(np.maximum(check_gram(D, kernel), 0.0))


@door
def centred(K: ArrayLike, K_train: ArrayLike | None = None) -> np.ndarray:
    """Return the inner products of phi(x) - mean and phi(z) - mean, the mean over training data.

    `K` is the training Gram matrix; or K(new, train), with the training matrix as `K_train`.

    Parameters
    ----------
    K : (n, n) the Gram matrix of the training data; or (m, n), K(new, train)
    K_train : with the second, the first

    Examples
    --------
    >>> X = np.array([[1.0], [3.0]])
    >>> kernels.centred(X @ X.T)
    array([[ 1., -1.],
           [-1.,  1.]])
    """
    K = np.asarray(K, dtype=float)
    T = K if K_train is None else np.asarray(K_train, dtype=float)
    return K - T.mean(axis=0)[None, :] - K.mean(axis=1)[:, None] + T.mean()


@door
def centred_gram(kernel: Kernel, X: ArrayLike) -> np.ndarray:
    """Return the centred Gram matrix of X; for x.z, X itself is centred before the products.

    The products of points far from 0 are large, and their differences are rounding.
    """
    X = check_kernel(kernel).check(X)
    centre = centre_of(kernel, X)
    X = X if centre is None else X - centre
    return centred(kernel.gram(X, X))


@door
def centre_of(kernel: Kernel, X: np.ndarray) -> np.ndarray | None:
    """Return the point that checked rows are moved by where only differences count: their mean.

    None unless the kernel is x.z: elsewhere X - centre would be other examples.
    """
    if not isinstance(kernel, Linear):
        return None
    return X[0] if (X == X[0]).all() else X.mean(axis=0)


@door
def rounding_at(kernel: Kernel, X: np.ndarray, centre: np.ndarray | None) -> float | None:
    """Return `kernel.rounding` for rows that are moved by their centre, if there is one."""
    if centre is None:
        return kernel.rounding(X)
    bound = kernel.rounding(X - centre)
    return None if bound is None else bound + 4 * UNIT  # x - centre is rounded, relative to itself


@door
def embed(K: ArrayLike) -> np.ndarray:
    """Return rows with the inner products `K`: phi, as far as these examples see it.

    K must be symmetric PSD up to rounding; negative eigenvalues of rounding size count as 0.

    Parameters
    ----------
    K : (n, n) a Gram matrix

    Examples
    --------
    >>> phi = kernels.embed(np.array([[2.0, 1.0], [1.0, 2.0]]))
    >>> (phi @ phi.T).round(6)
    array([[2., 1.],
           [1., 2.]])
    """
    certificate = psd_certificate(K)
    if certificate.verdict == "refuted":
        raise ValueError(f"K is not a Gram matrix: {certificate.reason}.")
    values, vectors = np.linalg.eigh(_symmetric(np.asarray(K, dtype=float)))
    keep = values > certificate.tolerance
    keep[-1] = True  # K = 0 too has a phi: one column of zeros
    return vectors[:, keep] * np.sqrt(values[keep])


def _symmetric(K: np.ndarray) -> np.ndarray:
    return 0.5 * (K + K.T)


def _width(value: float, name: str) -> float:
    """Return a width whose square is neither 0 nor infinite."""
    width = check_positive(value, name)
    if not 1e-150 <= width <= 1e150:
        raise ValueError(f"{name} = {value:g} has no square in floating point: rescale the data.")
    return width
