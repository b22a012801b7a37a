"""Whether a matrix of unknown origin can be a Gram matrix: what is free refutes it at once."""

from fractions import Fraction

import numpy as np

from .psd import exact_level, largest_skew, psd_level
from .rounding import Enclosure, fractions
from .scores import Scores

#: Where rounding leaves it open, multiply at most this many entries as fractions.
EXACT_ENTRIES = 2_500
#: Up to this many examples, test whether a matrix of unknown origin is a Gram matrix.
TESTED = 1_000
#: Two mirrored entries of K that differ by more, relative to its diagonal, are no rounding error.
SKEW = 1e-9


def not_a_gram_matrix(K: np.ndarray) -> tuple[str, float, float]:
    """Return what is wrong with K; else its asymmetry, and what its diagonal lacks to be PSD."""
    diagonal = K.diagonal()
    if diagonal.min() < 0:
        return "K has a negative entry on its diagonal", 0.0, 0.0
    least, skew, relative = float(diagonal.min()), largest_skew(K), 0.0
    if skew and least == diagonal.max():
        relative = skew / least if least > 0 else np.inf
        if relative > SKEW:
            return "K is not symmetric", 0.0, 0.0
    elif skew:
        each, size = np.abs(K - K.T), np.sqrt(np.outer(diagonal, diagonal))
        if (each > SKEW * size).any():
            return "K is not symmetric", 0.0, 0.0
        relative = float(np.max(np.divide(each, size, out=np.zeros_like(each), where=size > 0)))
    if len(K) > TESTED:
        return "", relative, 0.0
    level = psd_level(K)
    if level.verdict == "refuted":
        return "K is not positive semi-definite", 0.0, 0.0
    return "", relative, np.inf if level.eta is None else level.eta


def gram_in_fractions(K: np.ndarray, ridge: float) -> tuple[np.ndarray, bool]:
    """Return the symmetric part of K, and whether it needs the `ridge` to be a Gram matrix.

    Then its diagonal is raised by it, relative (if it is finite): rounded products of far away
    vectors make no Gram matrix, and weak duality is false for what is none.
    """
    Q = fractions(K) * Fraction(1, 2)
    Q = Q + Q.T
    lifted = ridge > 0 and exact_level(Q).verdict == "refuted"
    if lifted and ridge < np.inf:
        Q[np.diag_indices(len(Q))] *= 1 + Fraction(ridge)
    return Q, lifted


def exact_scores(K: np.ndarray, beta: np.ndarray) -> Scores:
    """Return the scores K beta in fractions."""
    value = K @ beta
    none, norm2 = 0 * value, Enclosure(beta @ value)
    return Scores(value, none, norm2, np.ones(len(beta)), value, none, norm2)
