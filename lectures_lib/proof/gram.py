"""Whether a matrix of unknown origin can be a Gram matrix: what is free refutes it at once."""

import numpy as np

from .psd import psd_level

#: Up to so many examples it is tested whether a matrix of unknown origin is a Gram matrix.
TESTED = 1_000
#: Two mirrored entries of K that differ by more, relative to its diagonal, are no rounding error.
SKEW = 1e-9


def not_a_gram_matrix(K: np.ndarray) -> tuple[str, float, float]:
    """Return what is wrong with K; else its asymmetry, and what its diagonal lacks to be PSD."""
    diagonal = K.diagonal()
    if diagonal.min() < 0:
        return "K has a negative entry on its diagonal", 0.0, 0.0
    skew = np.abs(K - K.T)
    relative = 0.0
    if skew.max() > 0:
        size = np.sqrt(np.outer(diagonal, diagonal))
        if (skew > SKEW * size).any():
            return "K is not symmetric", 0.0, 0.0
        relative = float(np.max(np.divide(skew, size, out=np.zeros_like(skew), where=size > 0)))
    if len(K) > TESTED:
        return "", relative, 0.0
    level = psd_level(K)
    if level.verdict == "refuted":
        return "K is not positive semi-definite", 0.0, 0.0
    return "", relative, np.inf if level.eta is None else level.eta
