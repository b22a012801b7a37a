"""What can be seen of phi through K alone: norms, distances, the centred matrix, rows; in tiles."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import check_points
from ..proof.gram import TESTED
from ..proof.psd import is_symmetric, psd_certificate, psd_level
from ..proof.rounding import UNIT
from .algebra import Kernel
from .standard import Linear

#: Bytes that one Gram block may take where a result is made in tiles.
MEMORY = 256 * 2**20
#: How many rows and columns of a matrix above `TESTED` are tested, and what counts as rounding.
SOME, PSD_TOL = 400, 1e-10
#: What other libraries call the kernels of this course.
NAMES = {
    "linear": "Linear()",
    "polynomial": "Polynomial(3)",
    "poly": "Polynomial(3)",
    "gaussian": "Gaussian(1.0)",
    "rbf": "Gaussian(1.0)",
    "laplace": "Laplace(1.0)",
    "laplacian": "Laplace(1.0)",
}
#: Check this many rows of K at a time.
ROWS = 64


@explained
def check_kernel(kernel: object) -> Kernel:
    """Return `kernel` if it is one, or say what to write instead."""
    if isinstance(kernel, Kernel):
        return kernel
    advice = "kernels.Linear(), kernels.Gaussian(1.0), ..."
    if isinstance(kernel, str) and kernel.lower() in NAMES:
        advice = f"kernels.{NAMES[kernel.lower()]}"
    elif isinstance(kernel, type) and issubclass(kernel, Kernel):
        advice = f"an instance of it, kernels.{kernel.__name__}(...)"
    elif callable(kernel):
        advice = "kernels.Function(f) for a function f(x, z) of two examples"
    raise BadArgument(f"kernel must be a kernel object, not {kernel!r}: write {advice}.")


def check_gram(K: np.ndarray, kernel: Kernel) -> np.ndarray:
    """Return K if all of its entries are numbers; one look is cheap beside making K."""
    if not np.isfinite(K).all():
        raise BadArgument(
            f"{kernel!r} gives NaN or infinity for these examples: rescale them, or mend it."
        )
    return K


def check_pairs(K: np.ndarray) -> None:
    """Refuse what no Gram matrix can have, as far as two examples show it."""
    size = np.sqrt(np.maximum(K.diagonal(), 0.0).astype(float))
    rounding = 1e-9 if K.dtype == np.float64 else 1e-4
    skew, large = K.diagonal().min() < 0, False
    for first in range(0, len(K), ROWS):
        rows = slice(first, first + ROWS)
        both = np.outer(size[rows], size)
        skew = skew or bool((np.abs(K[rows] - K[:, rows].T) > rounding * both).any())
        large = large or bool((np.abs(K[rows]) > (1 + rounding) * both).any())
    if skew:
        raise BadArgument("K is not symmetric, or its diagonal has negative entries: no kernel.")
    if large:
        raise BadArgument(
            "Two examples refute K: K_ij^2 > K_ii K_jj, so it is not positive semi-definite."
        )


@explained
def checked_gram(kernel: Kernel, X: np.ndarray) -> np.ndarray:
    """Return the Gram matrix of checked rows, and refuse NaN and what is shown to be no kernel.

    Theory vouches for a kernel that is `valid`; of others the matrix is judged. Where its rounding
    is known, too, abs(K_ij) is at most the largest of the diagonal, which is all that is read.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # what comes of it is refused
        K = kernel.gram(X, X)
        bounded = kernel.valid and kernel.rounding(X) is not None
    some = K.diagonal()[None] if bounded else K
    checked = check_points(check_gram(some, kernel), "K", copy=False)
    if not kernel.valid:
        refuse_false_gram(checked, kernel)
    return np.require(K, float, ["C", "A", "W", "E"]) if bounded else checked


def refuse_false_gram(K: np.ndarray, kernel: Kernel) -> None:
    """Raise if a matrix is shown to be no Gram matrix; of a large one, some rows and columns.

    To factor it is quicker than to prove it, and that than to refute it.
    """
    if len(K) > TESTED:
        some = np.unique(np.linspace(0, len(K) - 1, SOME).astype(int))
        K = K[np.ix_(some, some)]
    if is_symmetric(K) and (_has_factors(K) or psd_level(K, most=PSD_TOL).holds):
        return
    if (judged := psd_certificate(K, tol=PSD_TOL)).verdict == "refuted":
        raise BadArgument(f"{kernel!r} is no kernel for these examples: {judged.reason}.")


def _has_factors(K: np.ndarray) -> bool:
    """Return whether Cholesky's algorithm ends for K, a little raised: then it is hardly false."""
    try:
        np.linalg.cholesky(K + np.diag(PSD_TOL * K.diagonal()))
    except np.linalg.LinAlgError:
        return False
    return True


@explained
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
    yield from checked_blocks(kernel, X, Z, memory)


def checked_blocks(
    kernel: Kernel, X: np.ndarray, Z: np.ndarray, memory: int
) -> Iterator[tuple[slice, np.ndarray]]:
    """Yield the `blocks` of rows that were checked before."""
    rows = max(1, int(memory // (8 * len(Z))))
    for first in range(0, len(X), rows):
        part = slice(first, min(first + rows, len(X)))
        yield part, kernel.gram(X[part], Z)


@explained(coefficients="m")
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
    coefficients, Z = np.asarray(coefficients, dtype=float), check_kernel(kernel).check(Z)
    if len(coefficients) != len(Z):
        raise BadArgument(f"{len(coefficients)} coefficients for {len(Z)} rows of Z: one per row.")
    parts = [K @ coefficients for _, K in blocks(kernel, X, Z, memory=memory)]
    return check_gram(np.concatenate(parts), kernel)


@explained
def norms(kernel: Kernel, X: ArrayLike) -> np.ndarray:
    """Return norm(phi(x)) for each example, through K alone."""
    X = check_kernel(kernel).check(X)
    squares = check_gram(kernel.diagonal(X), kernel)
    if squares.min() < 0:
        raise BadArgument(f"K(x, x) = {squares.min():.4g} < 0 for an x: {kernel!r} is no kernel.")
    return np.sqrt(squares)


@explained
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


@explained(K="n n")
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
    inner = K - T.mean(axis=0)
    inner -= K.mean(axis=1)[:, None]
    inner += T.mean()
    return inner


@explained(X="n d")
def centre_of(kernel: Kernel, X: np.ndarray) -> np.ndarray | None:
    """Return the point that checked rows are moved by where only differences count: their mean.

    None unless the kernel is x.z: elsewhere X - centre would be other examples.
    """
    if not isinstance(kernel, Linear):
        return None
    return X[0] if (X == X[0]).all() else X.mean(axis=0)


@explained(X="n d", centre="d")
def rounding_at(kernel: Kernel, X: np.ndarray, centre: np.ndarray | None) -> float | None:
    """Return `kernel.rounding` for rows that are moved by their centre, if there is one."""
    if centre is None:
        return kernel.rounding(X)
    bound = kernel.rounding(X - centre)
    return None if bound is None else bound + 4 * UNIT  # x - centre is rounded, relative to itself


#: The rows that `embed` makes of a Gram matrix are known to this, relative to the longest: the root
#: of the rounding of K. A thinner margin in phi-space is lost.
KNOWN_TO = 1e-7


@explained
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
        raise BadArgument(f"K is not a Gram matrix: {certificate.reason}.")
    K = np.asarray(K, dtype=float)
    values, vectors = np.linalg.eigh(0.5 * (K + K.T))
    keep = values > certificate.tolerance
    keep[-1] = True  # K = 0 too has a phi: one column of zeros
    return vectors[:, keep] * np.sqrt(values[keep])
