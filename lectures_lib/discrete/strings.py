"""Kernels of strings: shared substrings and subsequences; `discrete` exports them."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._jit import jit
from ..conventions import check_count, check_number, check_positive
from ..kernels import Kernel
from .counted import Counted, checked, pairwise


@dataclass(frozen=True, repr=False)
class Spectrum(Counted):
    """Shared substrings of length p: phi_u(s) is how often u occurs in s, for each u of length p.

    A string has at most |s| - p + 1 of the |alphabet|^p features (Leslie, Eskin, Noble 2002).

    Parameters
    ----------
    p : how long the substrings are

    Examples
    --------
    >>> discrete.Spectrum(2)(["abab", "ba"])
    array([[5., 1.],
           [1., 1.]])
    """

    p: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", check_count(self.p, "p"))

    def check(self, X: Any) -> np.ndarray:
        return checked(X, str, str, "string")

    def counts(self, X: Iterable[str]) -> list[Counter]:
        return [Counter(s[i : i + self.p] for i in range(len(s) - self.p + 1)) for s in X]

    def __repr__(self) -> str:
        return f"spectrum_{self.p}(x, z)"


@dataclass(frozen=True, repr=False)
class GapWeighted(Kernel):
    """Shared subsequences of length p: phi_u(s) is the sum of decay^span over u's places in s.

    The span runs from the first to the last letter, so each gap costs; decay = 1 counts places.
    Dynamic programming takes p |s| |t| steps for |alphabet|^p features (Lodhi et al. 2002).

    Parameters
    ----------
    p : how long the subsequences are
    decay : what each step costs, above 0 and at most 1

    Examples
    --------
    >>> discrete.GapWeighted(2, 0.5)(["cat", "cart"])
    array([[0.140625  , 0.1015625 ],
           [0.1015625 , 0.22265625]])
    """

    proved = True

    p: int
    decay: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "p", check_count(self.p, "p"))
        decay = check_number(check_positive(self.decay, "decay"), "decay", 0, 1)
        object.__setattr__(self, "decay", decay)

    def check(self, X: Any) -> np.ndarray:
        return checked(X, str, str, "string")

    def gram(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        S = [_letters(s) for s in X]
        return pairwise(self._k, S, S if X is Z else [_letters(t) for t in Z])

    def diagonal(self, X: np.ndarray) -> np.ndarray:
        return np.array([self._k(s, s) for s in map(_letters, X)])

    def _k(self, s: np.ndarray, t: np.ndarray) -> float:
        return _gap_weighted(s, t, self.p, float(self.decay))

    def __repr__(self) -> str:
        return f"gaps_{self.p}(x, z; {self.decay:g})"


def _letters(s: str) -> np.ndarray:
    return np.array([ord(letter) for letter in s], dtype=np.int64)


@jit
def _gap_weighted(s, t, p, decay):
    """Return the sum, over pairs of places of a shared subsequence, of decay^(span + span)."""
    ends = np.zeros((len(s), len(t)))  # [i, j]: the pairs that end at s_i and t_j
    for i in range(len(s)):
        for j in range(len(t)):
            if s[i] == t[j]:
                ends[i, j] = decay * decay
    for _ in range(p - 1):
        ends = one_letter_more(s, t, ends, decay)
    total = 0.0
    for pairs in ends.ravel():
        total += pairs
    return total


@jit
def one_letter_more(s, t, ends, decay):
    """Return `ends` for subsequences one letter longer; every step to the right costs decay.

    Parameters
    ----------
    s, t : two strings
    ends : (|s|, |t|) the sum over shared subsequences of some length that end at s_i and t_j
    decay : what each step costs

    Examples
    --------
    >>> discrete.one_letter_more("ab", "ab", 0.25 * np.eye(2), 0.5)
    array([[0.    , 0.    ],
           [0.    , 0.0625]])
    """
    longer = np.zeros(ends.shape)
    # reach[i, j]: the pairs inside s[:i], t[:j], paid up
    reach = np.zeros((len(s) + 1, len(t) + 1))
    for i in range(len(s)):
        row = 0.0  # the pairs that end at s_i, inside t[:j + 1]
        for j in range(len(t)):
            if s[i] == t[j]:
                longer[i, j] = decay * decay * reach[i, j]
            row = decay * row + ends[i, j]
            reach[i + 1, j + 1] = decay * reach[i, j + 1] + row
    return longer
