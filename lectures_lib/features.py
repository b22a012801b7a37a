"""Explicit feature maps: phi written out, as far as one can write it (L1, L3, L4, L5)."""

from dataclasses import dataclass
from itertools import combinations_with_replacement
from math import comb, factorial, sqrt

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammainc

from ._arguments import BadArgument, explained
from .conventions import check_count, check_points, check_positive, check_rng, sign


@explained
def square_map_3(X: ArrayLike) -> np.ndarray:
    """Return (x1^2, x2^2, sqrt2 x1 x2): phi of (x.z)^2 into R^3 (L1).

    Parameters
    ----------
    X : (n, 2) examples

    Examples
    --------
    >>> features.square_map_3([[1.0, 2.0]]).round(4)
    array([[1.    , 4.    , 2.8284]])
    """
    x1, x2 = _plane(X)
    return np.column_stack([x1**2, x2**2, sqrt(2) * x1 * x2])


@explained
def square_map_4(X: ArrayLike) -> np.ndarray:
    """Return (x1^2, x2^2, x1 x2, x2 x1): phi of the same kernel into R^4 (L1).

    Parameters
    ----------
    X : (n, 2) examples

    Examples
    --------
    >>> features.square_map_4([[1.0, 2.0]])
    array([[1., 4., 2., 2.]])
    """
    x1, x2 = _plane(X)
    return np.column_stack([x1**2, x2**2, x1 * x2, x2 * x1])


@explained
def second_order_map(X: ArrayLike) -> np.ndarray:
    """Return (x1, x2, x1^2, sqrt2 x1 x2, x2^2), L5's map: phi of x.z + (x.z)^2.

    Parameters
    ----------
    X : (n, 2) examples

    Examples
    --------
    >>> features.second_order_map([[1.0, 2.0]]).round(4)
    array([[1.    , 2.    , 1.    , 2.8284, 4.    ]])
    """
    x1, x2 = _plane(X)
    return np.column_stack([x1, x2, x1**2, sqrt(2) * x1 * x2, x2**2])


@explained
def polynomial_map(X: ArrayLike, degree: int, *, one: bool = True) -> np.ndarray:
    """Return phi of (1 + x.z)^degree, or of (x.z)^degree with ``one=False``, in any dimension.

    One feature a monomial x^j, weighted by the root of its multinomial coefficient.

    Parameters
    ----------
    X : (n, d) examples
    degree : of the kernel
    one : with the 1 in (1 + x.z)

    Examples
    --------
    >>> phi = features.polynomial_map([[1.0, 2.0], [0.5, 0.0]], 2)
    >>> (phi @ phi.T).round(4)
    array([[36.    ,  2.25  ],
           [ 2.25  ,  1.5625]])
    """
    X, degree = check_points(X), check_count(degree, "degree")
    if one:
        X = np.hstack([np.ones((len(X), 1)), X])
    columns = []
    for chosen in combinations_with_replacement(range(X.shape[1]), degree):
        repeats = np.bincount(chosen)
        weight = factorial(degree) / np.prod([float(factorial(int(r))) for r in repeats])
        columns.append(sqrt(weight) * X[:, chosen].prod(axis=1))
    return np.column_stack(columns)


@explained
def count_monomials(n: int, d: int) -> int:
    """Return C(d + n - 1, d): the monomials of degree exactly d in n variables (L1).

    Parameters
    ----------
    n : how many variables
    d : the degree of each monomial

    Examples
    --------
    >>> features.count_monomials(3, 2)
    6
    """
    return comb(check_count(d, "d") + check_count(n, "n") - 1, d)


@explained
def count_up_to(d: int, p: int) -> int:
    """Return C(d + p, p): the monomials of degree at most p in d variables (L4).

    Parameters
    ----------
    d : how many variables
    p : the highest degree

    Examples
    --------
    >>> features.count_up_to(3, 2)
    10
    """
    return comb(check_count(d, "d") + check_count(p, "p"), p)


@dataclass(frozen=True, eq=False)
class GaussianSeries:
    """The first terms of the Gaussian's infinite feature map, with a proved error."""

    phi: np.ndarray  #: (n, N) features: phi(x).phi(z) is the truncated kernel
    degree: int  #: the highest power kept
    error: float  #: no entry of phi phi' differs from the Gaussian by more


@explained
def gaussian_map(X: ArrayLike, sigma: float, degree: int) -> GaussianSeries:
    """Return L5's series f(x) (1 + t + t^2/2! + ...) f(z), t = x.z / sigma^2, up to `degree`.

    With r the largest norm / sigma, what is left out is at most exp(-r^2) sum_{k > degree}
    r^(2k) / k!: the chance that a Poisson variable of mean r^2 exceeds `degree`. It is
    attained at x = z on the rim. (Proof: |x.z| <= (x.x + z.z) / 2, and the sum grows with r.)

    Parameters
    ----------
    X : (n, d) examples
    sigma : the width of the Gaussian
    degree : where the series ends

    Examples
    --------
    >>> series = features.gaussian_map([[0.0, 0.0], [1.0, 0.0]], 1.0, 8)
    >>> (series.phi @ series.phi.T).round(3)
    array([[1.   , 0.607],
           [0.607, 1.   ]])
    """
    X, degree = check_points(X), check_count(degree, "degree", 0)
    sigma = check_positive(sigma, "sigma")
    Z = X / sigma
    norms2 = np.einsum("ij,ij->i", Z, Z)
    parts = [np.ones((len(Z), 1))]
    for k in range(1, degree + 1):
        parts.append(polynomial_map(Z, k, one=False) / sqrt(factorial(k)))
    phi = np.exp(-norms2 / 2)[:, None] * np.hstack(parts)
    return GaussianSeries(phi, degree, float(gammainc(degree + 1, norms2.max())))


@explained
def random_fourier(
    X: ArrayLike, sigma: float, D: int, *, rng: int | np.random.Generator | None = 0
) -> np.ndarray:
    """Return D random features whose inner products approximate the Gaussian (Rahimi, Recht 2007).

    phi_j(x) = sqrt(2 / D) cos(omega_j.x + b_j), omega_j normal with deviation 1 / sigma. Each
    product is a mean of D bounded terms: its error shrinks like 1 / sqrt(D), in any dimension.

    Parameters
    ----------
    X : (n, d) examples
    sigma : the width of the Gaussian
    D : how many features
    rng : a seed or generator

    Examples
    --------
    >>> features.random_fourier([[0.0, 0.0], [1.0, 0.0]], 1.0, 500).shape
    (2, 500)
    """
    X, D = check_points(X), check_count(D, "D")
    sigma = check_positive(sigma, "sigma")
    rng = check_rng(rng)
    omega = rng.normal(scale=1.0 / sigma, size=(X.shape[1], D))
    b = rng.uniform(0.0, 2 * np.pi, size=D)
    return np.sqrt(2.0 / D) * np.cos(X @ omega + b)


@explained
def region_map(X: ArrayLike, *, ellipse: float = 2.0) -> np.ndarray:
    """Return L3's two sign features: inside the unit disc, inside x1^2 + x2^2 / 2 <= `ellipse`.

    With L3's 2 the disc lies inside the ellipse, so the second feature never decides; with 0.75
    it does.

    Parameters
    ----------
    X : (n, 2) examples
    ellipse : how large the ellipse is

    Examples
    --------
    >>> features.region_map([[0.5, 0.5], [2.0, 2.0]])
    array([[ 1.,  1.],
           [-1., -1.]])
    """
    x1, x2 = _plane(X)
    return np.column_stack([sign(1 - x1**2 - x2**2), sign(ellipse - x1**2 - 0.5 * x2**2)])


def _plane(X: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    X = check_points(X)
    if X.shape[1] != 2:
        raise BadArgument(f"X has {X.shape[1]} features; this map of the lectures takes 2.")
    return X[:, 0], X[:, 1]
