"""Words of homework 7: handwriting to read, small words to learn from, and the runs on them.

Every run is decided without rounding, or by more than rounding: the same on every processor.
"""

from collections.abc import Sequence
from functools import cache

import numpy as np

from lectures_lib import datasets
from lectures_lib.structured import follow, forward, viterbi_k_best

from .language.drawing import drawn, kept

#: Letters from a to z; words to learn from and to read; passes of the reference.
SIGNS, LEARN, READ, PASSES = 26, 80, 60, 5
#: How long the words may be: there are at least four different ones of each length.
LENGTHS = (5, 6, 7, 8, 9, 10)
#: How far below the reference a reader may stay, as a share of the letters, and how much worse
#: every reader is that leaves something out: the average, or the pairs.
ROOM, BEHIND = 0.07, 0.12
#: How clearly every prediction of a run is decided: no rounding and no rule for ties changes it.
CLEAR = 1e-3

Words = list[np.ndarray]
Weights = tuple[np.ndarray, np.ndarray]


# --- runs ----------------------------------------------------------------------------------------


def counted(x: np.ndarray, y: Sequence[int] | np.ndarray, S: int) -> tuple[np.ndarray, np.ndarray]:
    """Return f(x, y) as two tables, by one-hot matrices: pixels with tags, tags after tags."""
    hot = np.eye(S)[np.asarray(y, int)]
    return x.T @ hot, hot[:-1].T @ hot[1:]


def read(x: np.ndarray, A: np.ndarray, B: np.ndarray) -> tuple[int, ...]:
    """Return the best tagging of a word, by the two halves of Viterbi's algorithm as in 07."""
    return follow(*forward(x @ A, B))


def played(
    X: Words, Y: Words, A: np.ndarray, B: np.ndarray, passes: int
) -> tuple[list[Weights], int]:
    """Return (A, B) after each round of the slide's loop, with step 1, and the mistakes."""
    after, mistakes = [], 0
    for _ in range(passes):
        for x, y in zip(X, Y):
            said = read(x, A, B)
            if said != tuple(y):
                mistakes += 1
                (F, G), (F_star, G_star) = (counted(x, np.asarray(z), len(B)) for z in (y, said))
                A, B = A + F - F_star, B + G - G_star
            after.append((A, B))
    return after, mistakes


def total(after: list[Weights]) -> Weights:
    """Return the sum of the weights over all rounds: as good as the average, and exact."""
    return np.sum([A for A, _ in after], axis=0), np.sum([B for _, B in after], axis=0)


def mean(after: list[Weights]) -> Weights:
    """Return the average of the weights over all rounds."""
    A, B = total(after)
    return A / len(after), B / len(after)


def clear(X: Words, Y: Words, A: np.ndarray, B: np.ndarray, passes: int) -> bool:
    """True if every prediction of a run wins by more than rounding."""
    after, _ = played(X, Y, A, B, passes)
    before = [(A, B), *after[:-1]]
    best = [viterbi_k_best(x @ a, b, 2) for x, (a, b) in zip(X * passes, before)]
    return all(two[0].score - one.score > CLEAR for two in best for one in two[1:])


def share_read(A: np.ndarray, B: np.ndarray, X: Words, Y: Words) -> float:
    """Return the share of letters that a chain with these weights reads correctly."""
    return share_right([read(x, A, B) for x in X], Y)


def share_right(said: Sequence, Y: Words) -> float:
    """Return the share of letters that are right."""
    return sum(int(np.sum(np.asarray(s) == y)) for s, y in zip(said, Y)) / sum(map(len, Y))


# --- data ----------------------------------------------------------------------------------------


@cache
def _letters() -> tuple[Words, Words, np.ndarray]:
    """Return coarse pictures of all words: 8 x 4 shares of black, exact in quarters, and a 1."""
    known = datasets.letters()
    cells = [x.reshape(-1, 8, 2, 4, 2).sum(axis=(2, 4)).reshape(-1, 32) / 4 for x in known.X]
    return [np.column_stack([x, np.ones(len(x))]) for x in cells], known.y, np.array(known.words)


@drawn
def handwriting(rng: np.random.Generator) -> tuple[Words, Words, Words, Words]:
    """Return X, Y, X_new, Y_new: words in many hands, where averaging and pairs both matter.

    There are four words of each of three lengths: who only counts the letters reads little.
    """
    X, Y, words = _letters()
    lengths = np.array([len(word) for word in words])
    while True:
        kinds = [
            rng.permutation(np.unique(words[lengths == n]))[:4]
            for n in rng.permutation(LENGTHS)[:3]
        ]
        chosen = rng.permutation(np.flatnonzero(np.isin(words, kinds)))[: LEARN + READ]
        known, new = chosen[:LEARN], chosen[LEARN:]
        parts = [[table[i] for i in which] for which in (known, new) for table in (X, Y)]
        made = parts[0], parts[1], parts[2], parts[3]
        good, last = chains(*made)
        if good > 0.72 and last < good - BEHIND and alone(*made) < good - BEHIND:
            return made


@kept
def chains(X: Words, Y: Words, X_new: Words, Y_new: Words) -> tuple[float, float]:
    """Return the share that the averaged chain reads, and the share that the last one reads.

    Of two rules for ties, the first tag or the last, the average has the worse one and the last
    the better one. All weights are whole quarters: no processor rounds, and who has which words
    is certain.
    """
    found = []
    for names, new in ((Y, Y_new), (_turned(Y), _turned(Y_new))):
        after, _ = played(X, names, *_zero(X), PASSES)
        found.append([share_read(*weights, X_new, new) for weights in (total(after), after[-1])])
    (first, second), (last, other) = zip(*found)
    return min(first, second), max(last, other)


def alone(X: Words, Y: Words, X_new: Words, Y_new: Words) -> float:
    """Return the share that is read letter by letter, each a word of its own."""
    shares = []
    for names, new in ((Y, Y_new), (_turned(Y), _turned(Y_new))):
        single = [x[None] for word in X for x in word], [s[None] for y in names for s in y]
        after, _ = played(*single, *_zero(X), PASSES)
        shares.append(share_read(*total(after), X_new, new))
    return max(shares)


def _zero(X: Words) -> Weights:
    return np.zeros((X[0].shape[1], SIGNS)), np.zeros((SIGNS, SIGNS))


def _turned(Y: Words) -> Words:
    """Return the tags in the opposite order: then the other one of two best wins a tie."""
    return [SIGNS - 1 - y for y in Y]


@drawn
def small_words(
    rng: np.random.Generator, n: int, d: int, S: int, passes: int
) -> tuple[Words, Words, np.ndarray, np.ndarray]:
    """Return n words in quarters with their tags, and a start (A, B) from which a run is clear."""
    while True:
        X = [rng.integers(-4, 5, size=(int(rng.integers(1, 5)), d)) / 4 for _ in range(n)]
        Y = [rng.integers(0, S, size=len(x)) for x in X]
        A, B = (np.round(rng.normal(size=shape), 3) / 2 for shape in ((d, S), (S, S)))
        mistakes = played(X, Y, A, B, passes)[1]
        if n * passes / 3 < mistakes < n * passes and clear(X, Y, A, B, passes):
            return X, Y, A, B
