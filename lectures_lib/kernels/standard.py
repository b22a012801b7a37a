"""The kernels that the lectures name: x.z, its powers, Gaussian and Laplace."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.spatial.distance import cdist

from .._arguments import BadArgument, explained
from ..conventions import check_count, check_points, check_positive
from ..proof.rounding import SAFE, UNIT, fractions, growth
from .algebra import Kernel
from .rounding import (
    FUNCTION,
    LARGEST_ROUNDING,
    compound,
    in_range,
    power,
    repeated,
)

#: Expanding norm(x - z)^2 = x.x - 2 x.z + z.z may err by this much, relative to the width.
EXPANSION_ERROR = 1e-10


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
        object.__setattr__(self, "degree", check_count(self.degree, "degree"))
        if not isinstance(self.one, bool | np.bool_):
            raise BadArgument(
                f"one must be True or False, not {self.one!r}; for another number c >= 0 write "
                "(Linear() + Constant(c)) ** degree."
            )
        object.__setattr__(self, "one", bool(self.one))

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        K = X @ Z.T
        K += float(self.one)
        return power(K, self.degree)

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return power(np.einsum("ij,ij->i", X, X) + float(self.one), self.degree)

    def bound(self, X: np.ndarray) -> float | None:
        """Return (1 + g_{d+1})^degree - 1, and the error of the products of a power.

        1 + x.z errs by at most g_{d+1} (1 + abs(x).abs(z)) <= g_{d+1} N with
        N = sqrt((1 + x.x) (1 + z.z)), and abs(1 + x.z) <= N: its power errs as N^degree does.
        """
        zero = (X == 0).all(axis=1) & (not self.one)
        if not in_range(self.diagonal(X), zero):
            return None
        sums = repeated(growth(X.shape[1] + 1), self.degree)
        return compound(sums, repeated(UNIT, self.degree - 1), UNIT)

    def exact(self, X: np.ndarray) -> np.ndarray | None:
        products = Linear().exact(X)
        return None if products is None else (int(self.one) + products) ** self.degree

    def __repr__(self) -> str:
        return f"(1 + x·z)^{self.degree}" if self.one else f"(x·z)^{self.degree}"


class _OfWidth(Kernel):
    """A kernel of the distance in units of sigma: K(x, x) is 1."""

    proved = True

    sigma: float

    def __post_init__(self) -> None:
        """Refuse a width whose square is 0 or infinite."""
        width = check_positive(self.sigma, "sigma")
        if not 1e-150 <= width <= 1e150:
            raise BadArgument(f"sigma = {width:g} has no square in floating point: rescale X.")
        object.__setattr__(self, "sigma", width)

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.ones(len(X))


@dataclass(frozen=True, repr=False)
class Gaussian(_OfWidth):
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

    sigma: float

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
        K = squared_distances(X, Z, scale=self.sigma**2)
        K *= -0.5 / self.sigma**2
        return np.exp(K, out=K)

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
class Laplace(_OfWidth):
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

    sigma: float

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        K = cdist(X, Z)  # a root would make 1e-6 of a rounding error of 1e-12
        K *= -0.5 / self.sigma**2
        return np.exp(K, out=K)

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


@explained
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
    X, Z = as_rows(X, Z)
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


def as_rows(X: ArrayLike, Z: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return both as arrays of rows; tables of floats as they are, for columns come by the many."""
    rows: list[Any] = []
    for A, name in ((X, "X"), (Z, "Z")):
        plain = isinstance(A, np.ndarray) and A.ndim == 2 and A.dtype == float and A.size > 0
        rows.append(A if plain else check_points(A, name))
    if rows[0].shape[1] != rows[1].shape[1]:
        widths = f"X has {rows[0].shape[1]} features and Z {rows[1].shape[1]}"
        raise BadArgument(f"{widths}: they must agree.")
    return rows[0], rows[0] if X is Z else rows[1]


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
