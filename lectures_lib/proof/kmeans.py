"""Clusters in phi-space: the objective by another formula, and whether a point would move.

Through squared distances D_ij = K_ii + K_jj - 2 K_ij alone: the mean of D over the pairs of a
cluster c is twice its mean squared distance from its centre, so

    J = sum_c |c| mean_ij D_ij / 2,    norm(phi_i - centre_c)^2 = mean_j D_ij - mean_jl D_jl / 2,

over j, l in c.

Stable: no other centre's squared distance from a point is below (1 - RTOL) times its own. So each
point is compared with itself, and an outlier allows nothing to the others. The objective must agree
with the claimed one up to RTOL times that of one single cluster.

Rounding is inside these tolerances. If K is known up to e sqrt(K_ii K_jj), which is at most
e (K_ii + K_jj) / 2, an entry of D errs by at most (2 e + 6 u) (K_ii + K_jj), and a mean over a
cluster by the mean of that and by g_(2n+8) times the mean of abs(D). Fractions do not err.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import RTOL, as_floats, check_count, check_points
from .rounding import AT_HAND, SAFE, TINY, UNIT, growth, is_exact, one_float
from .verdict import Proof, Verdict, rounded_up, small, worst

#: Where floating point leaves the verdict open, judge up to this many examples in fractions.
EXACT_SIZE = 60


@dataclass(frozen=True)
class KMeansCertificate(Proof):
    """The objective by another formula, and how stable the clusters are."""

    objective: float  #: sum_c sum_{i, j in c} norm(phi_i - phi_j)^2 / (2 |c|)
    rise: float  #: the largest rise of the objective from one step to the next; <= 0 if monotone
    gain: float  #: the most that one point's squared distance would fall at another centre
    beyond: tuple[float, float]  #: bounds of the most by which gain - RTOL * own distance^2 is > 0
    claimed: float  #: the objective that the algorithm reports
    tolerance: float  #: the objectives may differ by this: RTOL times the objective of one cluster
    error: float  #: the objective is known up to this
    clusters: int  #: that have a point
    k: int | None = None  #: the clusters that were asked for; None: any number

    @property
    def monotone(self) -> bool:
        """The objective never rose, and ends where the other formula says, to `tolerance`."""
        return self._objective() == "proved"

    @property
    def stable(self) -> bool:
        """Proved: no other centre is nearer to a point by RTOL of its own squared distance."""
        return self._gain() == "proved"

    @property
    def verdict(self) -> Verdict:
        """Return whether the run is monotone, its end stable, and no cluster empty."""
        full: Verdict = "proved" if self.k in (None, self.clusters) else "refuted"
        return worst([full, self._objective(), self._gain()])

    def _objective(self) -> Verdict:
        if not self.rise <= 0:
            return "refuted"
        rounded = 2 * UNIT * max(abs(self.objective), abs(self.claimed))
        error = self.error + (rounded if self.objective != self.claimed else 0.0)
        return small(abs(self.objective - self.claimed), error, self.tolerance)

    def _gain(self) -> Verdict:
        low, high = self.beyond
        return "proved" if high <= 0 else "refuted" if low > 0 else "undecided"

    @property
    def reason(self) -> str:
        """The verdict in words, with the tolerances."""
        if self.k not in (None, self.clusters):
            return f"refuted: {self.clusters} of {self.k} clusters have a point"
        near = rounded_up(self.tolerance)
        if self._objective() != "proved":
            return f"{self._objective()}: the objective is what was claimed to {near}"
        nearest = f"no other centre is nearer to a point, by {RTOL:g} of its own squared distance"
        return f"{self._gain()}: {nearest}; the objective is right to {near}"

    def __str__(self) -> str:
        """Return one line per number."""
        rows = {"objective": self.objective, "claimed": self.claimed, "largest rise": self.rise}
        rows |= {"a point's gain": self.gain, "tolerance": self.tolerance}
        lines = [f"{name:<16} {value:12.6g}" for name, value in rows.items()]
        return "\n".join([*lines, self.reason])


@explained
def kmeans_certificate(
    K: ArrayLike,
    labels: ArrayLike,
    objectives: ArrayLike,
    *,
    k: int | None = None,
    rounding: float | None = None,
) -> KMeansCertificate:
    """Judge a run by its clusters and its list of objectives, through pairwise distances.

    `rounding`: the entries of K are known up to this times sqrt(K_ii K_jj) (`Kernel.rounding`);
    None: K is what was asked about, and small cases are decided in fractions. `k` clusters must
    have a point each.

    Parameters
    ----------
    K : (n, n) the Gram matrix
    labels : (n,) the cluster of each example
    objectives : what the algorithm reports after each step
    k : how many clusters were asked for
    rounding : how well K is known; None: exactly

    Examples
    --------
    >>> X = np.array([[0.0], [2.0], [9.0]])
    >>> proof.kmeans_certificate(X @ X.T, np.array([0, 0, 1]), [2.0], k=2).holds
    True
    """
    K = np.asarray(K) if is_exact(K) else check_points(K, "K", copy=False)
    labels, objectives = _check_run(K, labels, objectives)
    k = None if k is None else check_count(k, "k")
    judged = _certificate(K, labels, objectives, k, rounding or 0.0)
    if judged.verdict != "undecided" or rounding or len(K) > EXACT_SIZE or is_exact(K):
        return judged
    exact = np.array([Fraction(entry) for entry in K.ravel().tolist()]).reshape(K.shape)
    return _certificate(exact, labels, objectives, k, 0.0)


def _certificate(K, labels, objectives, k, eps) -> KMeansCertificate:
    n, exact = len(K), is_exact(K)
    names, own = np.unique(labels, return_inverse=True)
    members = (own[:, None] == np.arange(len(names))).astype(object if exact else float)
    sizes = members.sum(axis=0) * (Fraction(1) if exact else 1.0)
    sums, masses = _sums(K, members)
    off = 0 * sums if exact else _errors(K, masses, members, eps)
    spread, spread_off = ((members * v).sum(axis=0) / (2 * sizes * sizes) for v in (sums, off))
    to_means, means_off = sums / sizes - spread, off / sizes + spread_off
    objective, error = sizes @ spread, sizes @ spread_off
    total, total_off = sums.sum() / (2 * n), off.sum() / (2 * n)
    room = Fraction(RTOL) * total if exact else RTOL * (1 - 1e-12) * (total - SAFE * total_off)
    return KMeansCertificate(
        objective=one_float(objective),
        rise=float(np.diff(objectives).max(initial=-np.inf)),
        gain=one_float((to_means[np.arange(n), own] - to_means.min(axis=1)).max()),
        beyond=_beyond(to_means, means_off, own, exact),
        claimed=float(objectives[-1]),
        tolerance=max(0.0, float(np.nextafter(one_float(room), 0.0))),
        error=np.inf if exact and total < 0 else one_float(error) * SAFE,  # no distances: no proof
        clusters=len(names),
        k=k,
    )


def _sums(K: np.ndarray, members: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the sums of D_ij and of abs(D_ij) over j in c, for each example i and cluster c.

    Some rows at a time, so that they stay at hand; few D_ij of a kernel are below 0, by rounding.
    """
    diagonal, step = K.diagonal(), max(1, AT_HAND // len(K))
    sums, masses = [], []
    for first in range(0, len(K), step):
        rows = slice(first, first + step)
        D = np.add.outer(diagonal[rows], diagonal) - 2 * K[rows]
        sums.append(D @ members)
        masses.append(sums[-1] if D.min() >= 0 else abs(D) @ members)
    return np.concatenate(sums), np.concatenate(masses)


def _beyond(to_means, off, own, exact: bool) -> tuple[float, float]:
    """Return bounds of the largest own (1 - RTOL) - other, over all points and other centres."""
    if to_means.shape[1] == 1:
        return -np.inf, -np.inf
    rows, share = np.arange(len(own)), 1 - Fraction(RTOL) if exact else 1 - RTOL
    mine, mine_off = to_means[rows, own][:, None], off[rows, own][:, None]
    beyond = mine * share - to_means
    width = off + mine_off if exact else SAFE * (off + mine_off + 4 * UNIT * np.abs(mine))
    others = np.arange(to_means.shape[1]) != own[:, None]
    return one_float((beyond - width)[others].max()), one_float((beyond + width)[others].max())


def _errors(K: np.ndarray, masses: np.ndarray, members: np.ndarray, eps: float) -> np.ndarray:
    """Return the errors of the sums of D_ij, and their share in those of sums of them."""
    if not eps and (K == K[0, 0]).all():
        return 0 * masses  # all examples are one: every distance is 0 without rounding
    size, sizes = np.abs(K.diagonal()), members.sum(axis=0)
    entries = (2 * eps + 6 * UNIT) * (np.outer(size, sizes) + size @ members)
    return SAFE * (entries + growth(2 * len(K) + 10) * masses) + TINY * sizes


def _check_run(K, labels, objectives) -> tuple[np.ndarray, np.ndarray]:
    labels, objectives = np.asarray(labels), as_floats(objectives, "objectives")
    if K.shape != (len(K), len(K)) or labels.shape != (len(K),):
        raise BadArgument(
            f"K has shape {K.shape} and labels {labels.shape}: (n, n) and (n,) are needed."
        )
    if objectives.ndim != 1 or objectives.size == 0 or not np.isfinite(objectives).all():
        raise BadArgument("objectives must be a list of numbers, one per step, at least one.")
    return labels, objectives
