"""Viterbi's table with log-sum-exp in the place of the maximum: probabilities of taggings.

A tagging of score f gets the probability exp(f) / Z, where Z is the sum of exp(f) over all S^n
taggings: the conditional random field. Its table is that of `forward`, one operation changed.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import logsumexp

from .._arguments import explained
from .decoders import check_scores


@dataclass(frozen=True)
class Marginals:
    """How probable each tag and each pair of neighbouring tags is.

    log_sum is log Z; tags[t, s] the probability of tag s at position t; pairs[t, r, s] that of tag
    r at position t with tag s after it.
    """

    log_sum: float
    tags: np.ndarray
    pairs: np.ndarray


@explained
def soft_forward(E: ArrayLike, P: ArrayLike) -> np.ndarray:
    """Return the table of `forward` with log-sum-exp for max: (n, S).

    A[t, s] is the logarithm of the sum of exp(score) over all tags up to t that end with s.

    Parameters
    ----------
    E, P : (n, S) and (S, S), what tags and pairs of tags are worth

    Examples
    --------
    >>> A = structured.soft_forward([[0, 0], [0, 0]], [[0, 0], [0, 0]])
    >>> print(np.exp(A).round(6).tolist())  # how many taggings end there
    [[1.0, 1.0], [2.0, 2.0]]
    """
    E, P, _ = check_scores(E, P)
    A = E.copy()
    for t in range(1, len(E)):
        A[t] += logsumexp(A[t - 1][:, None] + P, axis=0)
    return A


@explained
def marginals(E: ArrayLike, P: ArrayLike) -> Marginals:
    """Return log Z and the probabilities of tags and pairs, in n S^2 steps instead of S^n.

    Parameters
    ----------
    E, P : (n, S) and (S, S), what tags and pairs of tags are worth

    Examples
    --------
    >>> structured.marginals([[np.log(3), 0]], [[0, 0], [0, 0]]).tags.round(6).tolist()
    [[0.75, 0.25]]
    """
    E, P, _ = check_scores(E, P)
    A = soft_forward(E, P)
    back = np.zeros_like(A)  # back[t, s]: all ways to go on after tag s at position t
    for t in range(len(E) - 2, -1, -1):
        back[t] = logsumexp(P + E[t + 1] + back[t + 1], axis=1)
    log_sum = float(logsumexp(A[-1]))
    pairs = A[:-1, :, None] + P + (E + back)[1:, None, :]
    return Marginals(log_sum, np.exp(A + back - log_sum), np.exp(pairs - log_sum))
