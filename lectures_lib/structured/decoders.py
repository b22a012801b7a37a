"""Inference for taggings without enumeration: Viterbi, the k best, constraints, a list of words.

A decoder gets numbers, not features: E[t, s], what tag s is worth at position t, and P[r, s], what
tag s is worth after tag r. The score of a tagging is the sum of both along it. All obey the tie
rule of `contract`: of several best taggings the first in the order of a dictionary.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import check_count

Tagging = tuple[int, ...]


@dataclass(frozen=True)
class Decoded:
    """A tagging and its score."""

    y: Tagging
    score: float


@explained
def chain_score(E: ArrayLike, P: ArrayLike, y: Sequence[int], Q: ArrayLike | None = None) -> float:
    """Return the score of a tagging, term by term; Q[q, r, s] scores triples (second order).

    Parameters
    ----------
    E, P, Q : as in `viterbi`
    y : the tagging, one tag per position

    Examples
    --------
    >>> print(structured.chain_score([[1, 0], [0, 2]], [[0, 0], [0, 1]], (0, 1)))
    3.0
    """
    E, P, Q = check_scores(E, P, Q)
    if len(y) != len(E):
        raise BadArgument(f"The tagging has {len(y)} tags; it needs one per row of E, {len(E)}.")
    return _along(E, P, Q, y)


def _along(E: np.ndarray, P: np.ndarray, Q: np.ndarray | None, y: Sequence[int]) -> float:
    total = E[0, y[0]]
    for t in range(1, len(y)):
        total = total + E[t, y[t]] + P[y[t - 1], y[t]]
    if Q is not None:
        for t in range(2, len(y)):
            total = total + Q[y[t - 2], y[t - 1], y[t]]
    return total


@explained
def enumerate_taggings(E: ArrayLike, P: ArrayLike, Q: ArrayLike | None = None) -> list[Decoded]:
    """Return all S^n taggings, the best first, ties in the order of a dictionary: the oracle.

    Parameters
    ----------
    E, P, Q : as in `viterbi`

    Examples
    --------
    >>> structured.enumerate_taggings([[1, 0], [0, 2]], [[0, 0], [0, 1]])[0]
    Decoded(y=(0, 1), score=np.float64(3.0))
    """
    E, P, Q = check_scores(E, P, Q)
    every = product(range(E.shape[1]), repeat=len(E))
    scored = [Decoded(y, _along(E, P, Q, y)) for y in every]
    return sorted(scored, key=lambda one: -one.score)  # stable: the order of a dictionary stays


@explained
def viterbi(
    E: ArrayLike,
    P: ArrayLike,
    *,
    forbidden: Iterable[tuple[int, int]] = (),
    Q: ArrayLike | None = None,
) -> Decoded:
    """Return the best tagging in n S^2 steps (n S^3 with triples Q), instead of S^n (L2).

    Parameters
    ----------
    E, P : (n, S) and (S, S), what tags and pairs of tags are worth; whole numbers and fractions as
        arrays of objects are added exactly
    forbidden : pairs (r, s) that must not follow each other
    Q : (S, S, S) what triples are worth

    Examples
    --------
    >>> best = structured.viterbi([[1, 0], [0, 2]], [[0, 0], [0, 2]])
    >>> print(best.y, best.score)
    (1, 1) 4.0
    """
    E, P, Q = check_scores(E, P, Q)
    P = forbid(P, forbidden)
    y = np.zeros(len(E), np.intp)
    score = _best_by_pairs(E, P, y) if Q is None else _best_by_triples(E, P, Q, y)
    if score == -np.inf:
        raise BadArgument("Every tagging contains a forbidden pair: allow one.")
    return Decoded(tuple(y.tolist()), score)


@explained
def forward(E: ArrayLike, P: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return Viterbi's table V, (n, S), and where its entries come from, as one draws a trellis.

    V[t, s] is the best score of tags up to position t that end with s, back[t, s] the tag before
    it. `viterbi` fills the table from the other end: then ties fall as `contract` says.

    Parameters
    ----------
    E, P : as in `viterbi`

    Examples
    --------
    >>> V, back = structured.forward([[1, 0], [0, 2]], [[0, 0], [0, 2]])
    >>> print(V)
    [[1. 0.]
     [1. 4.]]
    """
    E, P, _ = check_scores(E, P)
    V, back = E.copy(), np.zeros(E.shape, np.intp)
    for t in range(1, len(E)):
        ways = V[t - 1][:, None] + P  # ways[r, s]: the best up to r, then on to s
        back[t] = ways.argmax(axis=0)
        V[t] += ways.max(axis=0)
    return V, back


def check_table(V: ArrayLike, back: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return what `forward` made as arrays, or say what is wrong with it."""
    V, back = np.asarray(V), np.asarray(back)
    if back.size and not 0 <= back.min() <= back.max() < V.shape[1]:
        raise BadArgument(f"back holds tags below 0 or above {V.shape[1] - 1}.")
    return V, back


@explained(V="n k", back="n k")
def follow(V: ArrayLike, back: ArrayLike) -> Tagging:
    """Return the tagging that ends with the best tag of `forward`, read from the end.

    Parameters
    ----------
    V, back : what `forward` returned

    Examples
    --------
    >>> structured.follow(*structured.forward([[1, 0], [0, 2]], [[0, 0], [0, 2]]))
    (1, 1)
    """
    V, back = check_table(V, back)
    y = [int(V[-1].argmax())]
    for t in range(len(V) - 1, 0, -1):
        y.append(int(back[t, y[-1]]))
    return tuple(reversed(y))


@explained
def viterbi_k_best(
    E: ArrayLike, P: ArrayLike, k: int, *, forbidden: Iterable[tuple[int, int]] = ()
) -> list[Decoded]:
    """Return the k best taggings (all, if there are fewer), the best first.

    best[s] lists the k best ways to go on from here with tag s; longer ways are made of them.

    Parameters
    ----------
    E, P, forbidden : as in `viterbi`
    k : how many

    Examples
    --------
    >>> structured.viterbi_k_best([[1, 0], [0, 2]], [[0, 0], [0, 2]], 2)
    [Decoded(y=(1, 1), score=np.float64(4.0)), Decoded(y=(0, 1), score=np.float64(3.0))]
    """
    E, P, _ = check_scores(E, P)
    k, P = check_count(k, "k"), forbid(P, forbidden)
    tags = range(E.shape[1])
    best = [[(E[-1, s], (s,))] for s in tags]
    for t in range(len(E) - 2, -1, -1):
        best = [
            _first([(E[t, s] + (P[s, r] + v), (s, *y)) for r in tags for v, y in best[r]], k)
            for s in tags
        ]
    return [Decoded(y, v) for v, y in _first([way for s in tags for way in best[s]], k)]


class WordList:
    """A list of words, each a sequence of tags, as a trie: a beginning in common is stored once.

    Parameters
    ----------
    words : sequences of tags

    Examples
    --------
    >>> words = structured.WordList([(0, 1), (0, 0, 1)])
    >>> structured.best_word([[1, 0], [0, 2]], [[0, 0], [0, 2]], words)
    Decoded(y=(0, 1), score=np.float64(3.0))
    """

    @explained
    def __init__(self, words: Iterable[Sequence[int]]) -> None:
        self.words = sorted({tuple(int(s) for s in word) for word in words})
        if not self.words or not all(self.words) or min(map(min, self.words)) < 0:
            raise BadArgument("A word list needs words, each of one tag (0, 1, ...) or more.")
        children: dict[tuple, int] = {(): 0}
        parent, tag, depth = [0], [0], [0]
        for word in self.words:  # sorted, so nodes are numbered in the order of a dictionary
            for t in range(1, len(word) + 1):
                if word[:t] not in children:
                    children[word[:t]] = len(parent)
                    parent.append(children[word[: t - 1]])
                    tag.append(word[t - 1])
                    depth.append(t)
        self.parent, self.tag, self.depth = (np.array(v, np.intp) for v in (parent, tag, depth))
        self._ends: dict[int, list] = {}
        for word in self.words:
            self._ends.setdefault(len(word), []).append((children[word], word))

    def __len__(self) -> int:
        return len(self.words)

    def ends(self, n: int) -> list[tuple[int, Tagging]]:
        """Return the last node and the word, for every word of n tags."""
        return self._ends.get(n, [])


@explained
def best_word(
    E: ArrayLike, P: ArrayLike, words: WordList, *, Q: ArrayLike | None = None
) -> Decoded | None:
    """Return the word of the list with the highest score, or None if none has this length.

    Parameters
    ----------
    E, P, Q : as in `viterbi`
    words : a `WordList`

    Examples
    --------
    >>> words = structured.WordList([(0, 1), (1, 0)])
    >>> structured.best_word([[1, 0], [0, 2]], [[0, 0], [0, 2]], words)
    Decoded(y=(0, 1), score=np.float64(3.0))
    """
    E, P, Q = check_scores(E, P, Q)
    ends = words.ends(len(E))
    if not ends:
        return None
    if max(int(s) for s in words.tag) >= E.shape[1]:
        raise BadArgument(f"The word list has tags above {E.shape[1] - 1}, the last tag scored.")
    score = _word_scores(E, P, Q, words)
    best = max(range(len(ends)), key=lambda i: score[ends[i][0]])  # max takes the first of several
    return Decoded(ends[best][1], score[ends[best][0]])


def forbid(P: np.ndarray, pairs: Iterable[tuple[int, int]]) -> np.ndarray:
    """Return P with minus infinity for the forbidden pairs."""
    P = P.copy()
    for r, s in pairs:
        if not (0 <= r < len(P) and 0 <= s < len(P)):
            raise BadArgument(f"The pair ({r}, {s}) is not one of tags 0 to {len(P) - 1}.")
        P[r, s] = -np.inf
    return P


def check_scores(
    E: ArrayLike, P: ArrayLike, Q: ArrayLike | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Return the scores as arrays of one kind, or say what is wrong with them."""
    arrays = [np.asarray(a) for a in (E, P) + (() if Q is None else (Q,))]
    if arrays[0].ndim != 2 or 0 in arrays[0].shape:
        raise BadArgument(f"E has shape {arrays[0].shape}; it needs (n, S), n and S at least 1.")
    S = arrays[0].shape[1]
    for name, a, shape in zip("PQ", arrays[1:], ((S, S), (S, S, S))):
        if a.shape != shape:
            raise BadArgument(f"{name} has shape {a.shape}; it needs {shape}: S tags.")
    if any(a.dtype == object for a in arrays):
        return _three([a.astype(object) for a in arrays])
    for name, a in zip("EPQ", arrays):
        if a.dtype.kind not in "biuf" or np.isnan(a).any() or (a == np.inf).any():
            raise BadArgument(f"{name} must hold numbers (minus infinity forbids): no NaN, no inf.")
    return _three([np.ascontiguousarray(a, float) for a in arrays])


def _three(arrays: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    return arrays[0], arrays[1], arrays[2] if len(arrays) == 3 else None


def _first(ways: list[tuple], k: int) -> list[tuple]:
    """Return the k best; minus infinity is no way. Ways come in the order of a dictionary."""
    return sorted((way for way in ways if way[0] > -np.inf), key=lambda way: -way[0])[:k]


def _best_by_pairs(E: np.ndarray, P: np.ndarray, y: np.ndarray) -> float:
    """Write the best tagging to y and return its score.

    From the end to the beginning: V[t, s] is the best score of the tags from t on if tag t is s. So
    the way forward can take the lowest tag wherever several are best.
    """
    V = E.copy()
    for t in range(len(E) - 2, -1, -1):
        V[t] += (P + V[t + 1]).max(axis=1)
    y[0] = V[0].argmax()
    for t in range(1, len(E)):
        y[t] = (P[y[t - 1]] + V[t]).argmax()
    return V[0, y[0]]


def _best_by_triples(E: np.ndarray, P: np.ndarray, Q: np.ndarray, y: np.ndarray) -> float:
    """The same at second order: V[t, r, s] with the tags r, s at t - 1, t."""
    n, S = E.shape
    if n == 1:
        return _best_by_pairs(E, P, y)
    V = E[:, None, :] + P[None]
    for t in range(n - 2, 0, -1):
        V[t] += (Q + V[t + 1]).max(axis=2)
    first = E[0][:, None] + V[1]
    y[0], y[1] = divmod(int(first.argmax()), S)
    for t in range(2, n):
        y[t] = (Q[y[t - 2], y[t - 1]] + V[t, y[t - 1]]).argmax()
    return first[y[0], y[1]]


def _word_scores(E, P, Q, words: WordList) -> np.ndarray:
    """Return the score of every node of a trie: of the tags on the way to it from the root."""
    parent, tag, depth = words.parent, words.tag, words.depth
    score = np.zeros(len(parent), E.dtype)
    for t in range(min(depth.max(), len(E))):
        nodes = np.flatnonzero(depth == t + 1)
        up, s = parent[nodes], tag[nodes]
        score[nodes] = score[up] + E[t, s]
        if t > 0:
            score[nodes] += P[tag[up], s]
        if Q is not None and t > 1:
            score[nodes] += Q[tag[parent[up]], tag[up], s]
    return score
