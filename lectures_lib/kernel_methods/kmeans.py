"""Kernel k-means with its certificate; `kernel_methods` exports it."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from .._result import SEAL, Result, with_fields
from ..conventions import OneLine, check_count, check_rng
from ..kernels import Kernel, centre_of, check_kernel, checked_gram, product, rounding_at
from ..proof.kmeans import EXACT_SIZE, KMeansCertificate, kmeans_certificate
from ..proof.rounding import fractions


@dataclass(frozen=True, eq=False, repr=False)
class KMeansFit(OneLine, Result):
    """Clusters around means in phi-space: the mean of a cluster is never written out."""

    kernel: Kernel
    X: np.ndarray  #: (n, d) the training examples
    labels: np.ndarray  #: (n,) the cluster of each, 0, ..., k - 1
    k: int
    square_norms: np.ndarray  #: (k,) norm(mean)^2 of each cluster
    seeds: np.ndarray  #: (k,) the examples that were the first centres
    objectives: np.ndarray  #: sum_i norm(phi_i - its mean)^2 after each step of the best run
    restarts: np.ndarray  #: (restarts,) the objective at which each run ended
    converged: bool  #: the best run ended because another step changes nothing, and that is proved
    certificate: KMeansCertificate
    centre: np.ndarray | None = None  #: (d,) the mean of X, where the kernel is x.z

    @property
    def objective(self) -> float:
        """The least sum of squared distances that was found; another start may find less."""
        return float(self.objectives[-1])

    def distances(self, X: ArrayLike) -> np.ndarray:
        """Return the distance in phi-space of each row of X from each of the k means."""
        X, own = self.kernel.check(X), self.X
        if self.centre is not None:  # distances are the same, and their digits are kept
            X, own = X - self.centre, own - self.centre
        means = product(self.kernel, X, own, _weights(self.labels, self.k))
        D = self.kernel.diagonal(X)[:, None] - 2 * means + self.square_norms
        return np.sqrt(np.maximum(D, 0.0))

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the nearest mean of each row of X; the lowest label where two are as near."""
        return np.argmin(self.distances(X), axis=1)

    def rejudge(self) -> "KMeansFit":
        """Judge labels, k and the last of `objectives` anew, for its own X and kernel.

        Examples
        --------
        >>> from dataclasses import replace
        >>> X = np.array([[0.0], [0.1], [5.0], [5.1]])
        >>> fit = kernel_methods.kernel_kmeans(X, kernels.Linear(), 2)
        >>> lie = replace(fit, labels=np.array([0, 1, 0, 1]))
        >>> lie.rejudge().certificate.verdict
        'refuted'
        """
        X = check_kernel(self.kernel).check(self.X)
        centre = centre_of(self.kernel, X)
        K = checked_gram(self.kernel, X if centre is None else X - centre)
        proof = _judge(self.kernel, X, K, self.labels, self.objectives, self.k, centre)
        return with_fields(
            self, X=X, centre=centre, square_norms=_square_norms(K, self.labels, self.k),
            converged=proof.holds, certificate=proof,
        )  # fmt: skip


@explained
def kernel_kmeans(
    X: ArrayLike,
    kernel: Kernel,
    k: int,
    *,
    restarts: int = 10,
    rng: int | np.random.Generator | None = 0,
    max_iterations: int = 300,
    solver: Callable[..., tuple[np.ndarray, list, bool]] | None = None,
) -> KMeansFit:
    """Cluster by Lloyd's steps in phi-space from k-means++ starts; return the best of `restarts`.

    A step moves every point to the nearest mean (ties: the lowest label), so the objective never
    rises. A cluster left empty takes the point that is farthest from its mean.

    Parameters
    ----------
    X : examples that the kernel takes
    kernel : a kernel of `kernels` or `discrete`
    k : how many clusters
    restarts : how often to start anew
    rng : a seed or generator for the starts
    max_iterations : steps at most in each run
    solver : a function that does what `lloyd` does; None: `lloyd`

    Examples
    --------
    >>> X = np.array([[0.0], [0.1], [5.0], [5.1]])
    >>> labels = kernel_methods.kernel_kmeans(X, kernels.Linear(), 2).labels
    >>> print(labels[0] == labels[1], labels[0] == labels[2])
    True False
    """
    X, rng = check_kernel(kernel).check(X), check_rng(rng)
    if check_count(k, "k") > len(X):
        raise BadArgument(f"k = {k} clusters need {k} examples or more; X has {len(X)}.")
    max_iterations = check_count(max_iterations, "max_iterations")
    centre = centre_of(kernel, X)
    K = checked_gram(kernel, X if centre is None else X - centre)
    inner, steps = 0.0 * K if _all_equal(X) else K, solver or lloyd
    seeds = [plus_plus(inner, k, rng) for _ in range(check_count(restarts, "restarts"))]
    runs = [steps(inner, s, max_iterations) for s in seeds]
    ends = np.array([objectives[-1] for _, objectives, _ in runs])
    best = int(np.argmin(ends))
    labels, objectives, ended = runs[best]
    proof = _judge(kernel, X, K, labels, objectives, k, centre)
    return KMeansFit(
        _seal=SEAL,
        kernel=kernel,
        X=X,
        labels=labels,
        k=int(k),
        square_norms=_square_norms(K, labels, k),
        seeds=seeds[best],
        objectives=np.array(objectives),
        restarts=ends,
        converged=ended and proof.holds,
        certificate=proof,
        centre=centre,
    )


def _square_norms(K: np.ndarray, labels: np.ndarray, k: int) -> np.ndarray:
    """Return norm(mean)^2 of each cluster."""
    W = _weights(labels, k)
    return np.einsum("ic,ic->c", W, K @ W)


def _all_equal(X) -> bool:
    """Return whether all examples are one: whatever K is, all distances are 0."""
    return all(np.array_equal(x, X[0]) for x in X)


def _judge(kernel, X, K, labels, objectives, k, centre) -> KMeansCertificate:
    """Return the certificate; small cases that rounding leaves open are judged in fractions."""
    rounding = 0.0 if _all_equal(X) else rounding_at(kernel, X, centre)
    proof = kmeans_certificate(K, labels, objectives, k=k, rounding=rounding)
    if proof.verdict != "undecided" or len(K) > EXACT_SIZE or not kernel.valid:
        return proof
    exact = kernel.exact(X if centre is None else fractions(X) - fractions(centre))
    return proof if exact is None else kmeans_certificate(exact, labels, objectives, k=k)


def plus_plus(K: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """Draw k seeds, each with a chance in proportion to its squared distance from those before."""
    n = len(K)
    seeds = [int(rng.integers(n))]
    nearest = np.full(n, np.inf)
    while len(seeds) < k:
        s = seeds[-1]
        nearest = np.minimum(nearest, np.maximum(K.diagonal() - 2 * K[:, s] + K[s, s], 0.0))
        left = np.ones(n, dtype=bool)
        left[seeds] = False
        chance = np.where(left, nearest if nearest[left].any() else 1.0, 0.0)
        seeds.append(int(rng.choice(n, p=chance / chance.sum())))
    return np.array(seeds)


def lloyd(K: np.ndarray, seeds: np.ndarray, max_iterations: int) -> tuple[np.ndarray, list, bool]:
    """Return (labels, objectives, converged) of the steps from these seeds."""
    k = len(seeds)
    labels = _nearest(K.diagonal()[:, None] - 2 * K[:, seeds] + K.diagonal()[seeds])
    D = to_means(K, labels, k)
    objectives = [_objective(D, labels)]
    for _ in range(max_iterations):
        moved = _nearest(D)
        D = to_means(K, moved, k)
        if _objective(D, moved) >= objectives[-1]:
            return labels, objectives, True
        labels = moved
        objectives.append(_objective(D, labels))
    return labels, objectives, False


def _nearest(D: np.ndarray) -> np.ndarray:
    """Return the label of the least distance; give each empty cluster the farthest point."""
    labels, (n, k) = np.argmin(D, axis=1), D.shape
    for c in np.flatnonzero(np.bincount(labels, minlength=k) == 0):
        shares = np.bincount(labels, minlength=k)[labels] > 1
        far = np.where(shares, D[np.arange(n), labels], -np.inf)
        labels[np.argmax(far)] = c
    return labels


def to_means(K: np.ndarray, labels: np.ndarray, k: int) -> np.ndarray:
    """Return norm(phi_i - mean_c)^2 = K_ii - 2 mean_j K_ij + mean_jl K_jl, over j, l in c.

    Parameters
    ----------
    K : (n, n) the Gram matrix
    labels : (n,) the cluster of each example
    k : how many clusters

    Examples
    --------
    >>> X = np.array([[0.0], [2.0], [5.0]])
    >>> kernel_methods.to_means(X @ X.T, np.array([0, 0, 1]), 2)
    array([[ 1., 25.],
           [ 1.,  9.],
           [16.,  0.]])
    """
    W = _weights(labels, k)
    KW = K @ W
    return K.diagonal()[:, None] - 2 * KW + np.einsum("ic,ic->c", W, KW)


def _objective(D: np.ndarray, labels: np.ndarray) -> float:
    return float(D[np.arange(len(D)), labels].sum())


def _weights(labels: np.ndarray, k: int) -> np.ndarray:
    """Return W with W[i, c] = 1 / |c| for i in c: the mean of c is sum_i W[i, c] phi_i."""
    members = labels[:, None] == np.arange(k)
    return members / np.maximum(members.sum(axis=0), 1)
