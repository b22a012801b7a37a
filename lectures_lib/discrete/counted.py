"""What kernels of strings, sets and graphs share: checks, pairs, and features that are counts."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from .._arguments import BadArgument
from ..kernels import Kernel


class Counted(Kernel):
    """A kernel whose phi(x) counts the parts of x: most counts are 0, and only others are kept."""

    proved = True

    def counts(self, X: Iterable) -> list[Counter]:
        """Return phi(x) for each example, as {part: count}."""
        raise NotImplementedError

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        Phi = _matrix(self.counts([*X, *Z]))
        return (Phi[: len(X)] @ Phi[len(X) :].T).toarray()

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.array([float(sum(c * c for c in x.values())) for x in self.counts(X)])

    def bound(self, X: np.ndarray) -> float | None:
        """Return 0 where no sum reaches 2^53: whole numbers are added without rounding."""
        return 0.0 if self.diagonal(X).max() < 2.0**53 else None


def _matrix(counts: list[Counter]) -> csr_array:
    """Return the counts as rows of a sparse matrix, with a column for each part that occurs."""
    column = {part: j for j, part in enumerate(dict.fromkeys(chain(*counts)))}
    values = np.array([c for x in counts for c in x.values()], dtype=float)
    columns = np.array([column[part] for x in counts for part in x], dtype=int)
    rows = np.repeat(np.arange(len(counts)), [len(x) for x in counts])
    return csr_array((values, (rows, columns)), shape=(len(counts), max(1, len(column))))


def pairwise(k: Callable, X: Any, Z: Any) -> np.ndarray:
    """Return k(x, z) for all pairs; where X is Z, each pair once: symmetric to the last bit."""
    if X is not Z:
        return np.array([[k(x, z) for z in Z] for x in X])
    K = np.zeros((len(X), len(X)))
    for i, x in enumerate(X):
        for j, z in enumerate(X[: i + 1]):
            K[i, j] = K[j, i] = k(x, z)
    return K


def checked(X: Sequence, kind: type | tuple[type, ...], make: Callable, name: str) -> np.ndarray:
    """Return the examples as an array of objects, which slices and indexes like rows."""
    if isinstance(X, kind) or not isinstance(X, (list, tuple, np.ndarray)):
        raise BadArgument(f"X must be a list of {name}s, not {type(X).__name__}: [x] for one.")
    if len(X) == 0:
        raise BadArgument(f"X is empty; it needs one {name} or more.")
    for i, x in enumerate(X):
        if not isinstance(x, kind):
            raise BadArgument(f"X[{i}] is a {type(x).__name__}; this kernel takes {name}s.")
    return np.fromiter(map(make, X), dtype=object, count=len(X))
