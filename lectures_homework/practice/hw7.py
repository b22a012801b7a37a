"""Practice for homework 7: the visible checks on inputs that are drawn anew."""

from typing import Any

import numpy as np

from lectures_lib.structured import chain_score, viterbi, viterbi_k_best

from ..hw7 import expect_read
from ..language.checks import Call
from ..language.drawing import drawn
from ..language.reading import several
from ..words import handwriting, mean, played, small_words
from .draws import Draws


def eighths(rng: np.random.Generator, *size: int) -> Any:
    """Return numbers in eighths, none of them 0."""
    return rng.integers(1, 25, size=size) / 8 * rng.choice([-1, 1], size=size)


def word(rng: np.random.Generator, n: int, d: int, S: int) -> Any:
    """Return a word of n places with all tags of a tagging, some of them twice in a row."""
    y = rng.integers(0, S, size=n)
    k = int(rng.integers(0, max(1, n - 1)))
    y[k : k + 2] = y[k]
    return eighths(rng, n, d), y


def greedy(E: np.ndarray, P: np.ndarray) -> Any:
    """Return the tagging that takes the best step each time."""
    y = [int(E[0].argmax())]
    for e in E[1:]:
        y.append(int((e + P[y[-1]]).argmax()))
    return tuple(y)


def leaders(E: np.ndarray, P: np.ndarray) -> Any:
    """Return the tag that leads at each place."""
    V, y = E[0], [int(E[0].argmax())]
    for e in E[1:]:
        V = e + (V[:, None] + P).max(axis=0)
        y.append(int(V.argmax()))
    return tuple(y)


def shortcuts(E: np.ndarray, P: np.ndarray) -> Any:
    """Return what ten searches say that are not Viterbi's."""
    first, later = E[:1], E[1:]
    others = (E, P.T), (E, (P + P.T) / 2), (E, np.maximum(P, 0))
    others += (np.vstack([0 * first, later]), P), (np.vstack([first + P[0], later]), P)
    others += ((np.vstack([first, 2 * later]), P),)
    said = [viterbi(*one).y for one in others] + [tuple(E.argmax(axis=1)), leaders(E, P)]
    return [*said, greedy(E, P), greedy(E[::-1], P.T)[::-1]]


@drawn
def trellis(rng: np.random.Generator, n: int, S: int, *, low: float = 0.0) -> Any:
    """Return E, P where every shortcut loses."""
    while True:
        E, P = eighths(rng, n, S) - low, 1.5 * eighths(rng, S, S) - low
        best, second = viterbi_k_best(E, P, 2)
        lost = all(chain_score(E, P, y) < best.score - 0.05 for y in shortcuts(E, P))
        if lost and best.score - second.score > 0.05:
            return E, P


@drawn
def moment(rng: np.random.Generator, n: int, d: int, S: int, wrong: Any) -> Any:
    """Return A, B, x, y: four searches say four things, and the right one is clear.

    If `wrong`, it is wrong in some places but not in all.
    """
    while True:
        A, B, (x, y) = eighths(rng, d, S), eighths(rng, S, S), word(rng, n, d, S)
        E = x @ A
        first, second = viterbi_k_best(E, B, 2)
        four = {first.y, tuple(E.argmax(axis=1)), greedy(E, B), viterbi(E, B.T).y}
        if first.score - second.score < 0.05 or len(four) < 4:
            continue
        said = np.array(first.y)
        if not wrong:
            return A, B, x, said
        if 0 < np.sum(said != y) < n and len(set(map(int, y))) < n:
            return A, B, x, y


@drawn
def telling(rng: np.random.Generator, n: int, d: int, S: int, passes: int) -> Any:
    """Return words and a start where other averages, and the last weights, are far from ours."""
    while True:
        X, Y, A, B = small_words(rng, n, d, S, passes)
        after, _ = played(X, Y, A, B, passes)
        right = np.concatenate([table.ravel() for table in mean(after)])
        before = [(A, B), *after[:-1]]
        moved = [one for one, old in zip(after, before) if one[0] is not old[0]]
        others = [mean(before), mean(moved), mean(after[-n:]), after[-1], mean(after[n - 1 :: n])]
        far = [np.abs(np.concatenate([t.ravel() for t in o]) - right).max() for o in others]
        if min(far[: 4 if passes > 1 else 2]) > 0.05 and max(map(len, X)) > 2:
            return X, Y, A, B


def expect_words(call: Call, rng: np.random.Generator) -> None:
    """State that other handwriting is read as well as an averaged chain does.

    Features that are 0 everywhere tell nothing and change nothing but how many there are.
    """
    X, Y, X_new, Y_new = handwriting(rng)
    more = int(rng.integers(1, 5))
    wide, wide_new = ([np.pad(x, ((0, 0), (0, more))) for x in words] for words in (X, X_new))
    again = [*wide_new[: int(rng.integers(1, 9))], *wide_new, *wide_new]  # many words to read
    got = call("read_words", wide, Y, [*wide_new, *again])
    many = len(X_new) + len(again)
    said = several(got, many, f"one tagging for each of the {many} words, in a list")
    expect_read(said[: len(X_new)], X, Y, X_new, Y_new)


again = Draws()
add_again = again.add


@again("q1", "features: every place counts for its tag")
def _(rng):
    yield *word(rng, 5, 3, 4), 4


@again("q1", "features: tags count after tags")
def _(rng):
    yield *word(rng, 6, 3, 4), 4


@again("q1", "score: θ·f(x, y)")
def _(rng):
    yield eighths(rng, 3, 4), eighths(rng, 4, 4), *word(rng, 5, 3, 4)


@again("q2", "it finds the best of all taggings")
def _(rng):
    yield trellis(rng, 4, 3)


@again("q2", "what leads early need not win")
def _(rng):
    yield trellis(rng, 6, 4)


@again("q3", "a right prediction changes nothing")
def _(rng):
    yield *moment(rng, 4, 3, 3, False), 1.0


@again("q3", "a wrong one moves θ by ε (f(x, y) - f(x, y*))")
def _(rng):
    yield *moment(rng, 4, 3, 3, True), 0.5


@again("q4", "the mistakes of all passes are counted")
def _(rng):
    for passes in (1, 3):
        yield *small_words(rng, 6, 3, 3, passes), passes


@again("q4", "the average of one pass")
def _(rng):
    yield telling(rng, 6, 3, 3, 1)


again("q5", "your own handwriting is read")(expect_words)
