"""Clusters in phi-space: the objective by another formula, and whether a point would move.

Through squared distances D_ij = K_ii + K_jj - 2 K_ij alone: the mean of D over the pairs of a
cluster c is twice its mean squared distance from its centre, so

    J = sum_c |c| mean_ij D_ij / 2,    norm(phi_i - centre_c)^2 = mean_j D_ij - mean_jl D_jl / 2,

over j, l in c. If K is known up to e sqrt(K_ii K_jj), an entry of D errs by at most 4 (e + 2 u) M
for the largest K_ii = M, and a mean of them, row by row, by g_2n times the largest D more.
Fractions do not err.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from .._door import door
from ..conventions import RTOL, as_floats, check_count, check_points
from .rounding import SAFE, UNIT, growth, is_exact
from .verdict import Proof, Verdict, small, worst

#: So many examples are judged in fractions, where floating point leaves the verdict open.
EXACT_SIZE = 60


@dataclass(frozen=True)
class KMeansCertificate(Proof):
    """The objective by another formula, and how stable the clusters are."""

    objective: float  #: sum_c sum_{i, j in c} norm(phi_i - phi_j)^2 / (2 |c|)
    rise: float  #: the largest rise of the objective from one step to the next; <= 0 if monotone
    gain: float  #: the most that one point's squared distance would fall at another centre
    claimed: float  #: the objective that the algorithm reports
    tolerance: float  #: what may be left: RTOL times the objective of one cluster
    error: float  #: `gain` is known up to this, and the objective up to n times a quarter of it
    n: int  #: the number of examples
    clusters: int  #: that have a point
    k: int | None = None  #: the clusters that were asked for; None: any number

    @property
    def monotone(self) -> bool:
        """The objective never rose, and ends where the other formula says: that is proved."""
        return self._objective() == "proved"

    @property
    def stable(self) -> bool:
        """Every point is at its nearest centre: another step would change nothing. Proved."""
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
        error = self.n * self.error / 4 + (rounded if self.objective != self.claimed else 0.0)
        return small(abs(self.objective - self.claimed), error, self.tolerance)

    def _gain(self) -> Verdict:
        return small(self.gain, self.error, self.tolerance)

    def __str__(self) -> str:
        """Return one line per number."""
        rows = {"objective": self.objective, "claimed": self.claimed, "largest rise": self.rise}
        rows |= {"a point's gain": self.gain, "its error": self.error, "tolerance": self.tolerance}
        lines = [f"{name:<16} {value:12.6g}" for name, value in rows.items()]
        return "\n".join([*lines, f"verdict          {self.verdict}"])


@door
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
    K = np.asarray(K) if is_exact(K) else check_points(K, "K")
    labels, objectives = _check_run(K, labels, objectives)
    k = None if k is None else check_count(k, "k")
    judged = _certificate(K, labels, objectives, k, rounding or 0.0)
    if judged.verdict != "undecided" or rounding or len(K) > EXACT_SIZE or is_exact(K):
        return judged
    exact = np.array([Fraction(entry) for entry in K.ravel().tolist()]).reshape(K.shape)
    return _certificate(exact, labels, objectives, k, 0.0)


def _certificate(K, labels, objectives, k, eps) -> KMeansCertificate:
    n, diagonal = len(K), K.diagonal()
    D = np.add.outer(diagonal, diagonal) - 2 * K
    clusters = [np.flatnonzero(labels == c) for c in np.unique(labels)]
    spread = [D[np.ix_(c, c)].sum(axis=1).sum() / len(c) ** 2 / 2 for c in clusters]
    to_means = np.column_stack([D[:, c].sum(axis=1) / len(c) for c in clusters]) - np.array(spread)
    own = to_means[np.arange(n), np.searchsorted(np.unique(labels), labels)]
    error = 0.0 if is_exact(K) else _error(D, diagonal, eps)
    objective = sum(len(c) * s for c, s in zip(clusters, spread))
    return KMeansCertificate(
        objective=float(objective),
        rise=float(np.diff(objectives).max(initial=-np.inf)),
        gain=float((own - to_means.min(axis=1)).max()),
        claimed=float(objectives[-1]),
        tolerance=float(RTOL * float(D.sum(axis=1).sum() / n / 2)) + np.finfo(float).tiny,
        error=error,
        n=n,
        clusters=len(clusters),
        k=k,
    )


def _error(D: np.ndarray, diagonal: np.ndarray, eps: float) -> float:
    """Return what the difference of two squared distances to centres can err by."""
    entry = 4 * (eps + 2 * UNIT) * np.abs(diagonal).max() + 4 * UNIT * np.abs(D).max()
    return float(4 * SAFE * (entry + growth(2 * len(D) + 6) * np.abs(D).max()))


def _check_run(K, labels, objectives) -> tuple[np.ndarray, np.ndarray]:
    labels, objectives = np.asarray(labels), as_floats(objectives, "objectives")
    if K.shape != (len(K), len(K)) or labels.shape != (len(K),):
        raise ValueError(
            f"K has shape {K.shape} and labels {labels.shape}: (n, n) and (n,) are needed."
        )
    if objectives.ndim != 1 or objectives.size == 0 or not np.isfinite(objectives).all():
        raise ValueError("objectives must be a list of numbers, one per step, at least one.")
    return labels, objectives
