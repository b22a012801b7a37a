"""Lloyd's steps in phi-space in less time: only the sums over clusters that a step changes change.

A step of the lesson multiplies K by the clusters. Here K times the members of each cluster is kept,
and an example that moves takes its row from one sum to another: late in a run few do. Where K is
made of rows with few columns the sums are of these, and nothing has n^2 numbers.
"""

import numpy as np

from .._arguments import explained
from .._jit import jit


@explained
def lloyd(
    K: np.ndarray, seeds: np.ndarray, max_iterations: int, rows: np.ndarray | None = None
) -> tuple[np.ndarray, list, bool]:
    """Return (labels, objectives, converged), as `kernel_methods.lloyd` does.

    Parameters
    ----------
    K, seeds, max_iterations : as there
    rows : (n, d) whose inner products are K, where they are known

    Examples
    --------
    >>> X = np.array([[0.0], [0.1], [5.0], [5.1]])
    >>> fast.lloyd(X @ X.T, np.array([0, 1]), 10)[0]
    array([0, 0, 1, 1])
    """
    n, k = len(K), len(seeds)
    rows = K if rows is None or rows.shape[1] >= n else rows
    diagonal, sums, sizes = K.diagonal().copy(), np.zeros((k, rows.shape[1])), np.zeros(k)
    objectives: list[float] = []
    before, labels = np.full(n, -1), np.zeros(n, dtype=np.int64)
    _assign(K[seeds], np.ones(k), K[seeds, seeds], diagonal, labels)
    while True:
        _shift(rows, before, labels, sums, sizes)
        S = sums if rows is K else sums @ rows.T
        own = S[labels, np.arange(n)]
        norms = np.bincount(labels, own, k) / sizes**2
        value = float((diagonal - 2.0 * own / sizes[labels] + norms[labels]).sum())
        if objectives and value >= objectives[-1]:
            return before, objectives, True
        objectives.append(value)
        if len(objectives) > max_iterations:
            return labels, objectives, False
        before = labels.copy()
        _assign(S, sizes, norms, diagonal, labels)


@jit
def _assign(S, sizes, norms, diagonal, labels):
    """Write the nearest mean of each example; give each empty cluster the farthest point."""
    k, n = S.shape
    own, counts = np.empty(n), np.zeros(k)
    for i in range(n):
        own[i] = np.inf
    for c in range(k):
        share, norm, row = 2.0 / sizes[c], norms[c], S[c]
        for i in range(n):
            d = norm - share * row[i]
            nearer = d < own[i]
            own[i] = d if nearer else own[i]
            labels[i] = c if nearer else labels[i]
    for i in range(n):
        counts[labels[i]] += 1.0
    for c in range(k):
        if counts[c] == 0.0:
            far = -1
            for i in range(n):
                if counts[labels[i]] > 1.0:
                    if far < 0 or own[i] + diagonal[i] > own[far] + diagonal[far]:
                        far = i
            counts[labels[far]] -= 1.0
            counts[c] = 1.0
            labels[far] = c


@jit
def _shift(rows, before, labels, sums, sizes):
    """Bring the sums and sizes of the clusters up to date; from -1 an example is new."""
    for i in range(labels.size):
        old, new, row = before[i], labels[i], rows[i]
        if old == new:
            continue
        to = sums[new]
        for j in range(row.size):
            to[j] += row[j]
        sizes[new] += 1.0
        if old >= 0:
            away = sums[old]
            for j in range(row.size):
                away[j] -= row[j]
            sizes[old] -= 1.0
