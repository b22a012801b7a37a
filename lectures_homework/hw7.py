"""Homework 7: the structured perceptron. Its questions, its data and the visible checks."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from lectures_lib.structured import chain_score, viterbi

from .language.checks import Assignment, Call, close, expect
from .language.reading import array, number, parts, several, wholes
from .student import client
from .words import (
    ROOM,
    SIGNS,
    Words,
    chains,
    counted,
    handwriting,
    mean,
    played,
    share_right,
    small_words,
)


def data(seed: int) -> dict[str, Any]:
    """Return a student's own handwritten words: X, Y to learn from, X_new to read.

    Parameters
    ----------
    seed : a whole number of the student

    Examples
    --------
    >>> from lectures_homework import hw7
    >>> sorted(hw7.data(7))
    ['X', 'X_new', 'Y']
    """
    X, Y, X_new, _ = handwriting(np.random.default_rng([7, seed]))
    return {"X": X, "Y": Y, "X_new": X_new}


HW = Assignment("hw7", "The structured perceptron", minutes=150, data=data)
HW.question("q1", "features", "score", hidden=(1, 1))
HW.question("q2", "viterbi", hidden=(3, 3))
HW.question("q3", "update", hidden=(1, 1))
HW.question("q4", "train", hidden=(2, 2))
HW.question("q5", "read_words", hidden=(1, 1))


# --- inputs that everybody knows ------------------------------------------------------------------

#: Weights for two features and three tags, and a word of three places: for it and for its negative
#: Viterbi, each place alone, the best step each time, and B turned round all say something else.
A_ONE = np.array([[-0.75, 1.25, 1.5], [0.25, 2.25, 2.5]])
B_ONE = np.array([[-1.5, 2.25, 1.0], [-0.75, -1.5, 1.25], [-1.25, -1.5, -0.75]])
X_ONE = np.array([[0.25, -0.75], [-2.25, 0.5], [1.5, -1.5]])
#: A trellis on which ten shortcuts go astray.
E_ONE = np.array([[-1.75, 1.75, 1.0], [-0.25, 1.0, -1.5], [-0.5, 2.0, 2.0], [0.5, -1.75, 0.25]])
P_ONE = np.array([[0.75, -2.0, 2.25], [0.25, 0.75, -1.5], [-0.75, -1.75, 2.0]])


# --- reading answers -----------------------------------------------------------------------------


def tables(got: Any, d: int, S: int, names: tuple[str, str]) -> tuple[np.ndarray, np.ndarray]:
    """Return an answer of two tables: (d, S) and (S, S)."""
    first, second = parts(got, *names)
    return array(first, (d, S), names[0]), array(second, (S, S), names[1])


def tagging(got: Any, n: int, S: int) -> list[int]:
    """Return an answer as n whole numbers from 0 to S - 1."""
    return wholes(got, S - 1, f"a tagging of this word has {n} tags, one per place", n=n)


def expect_best(got: Any, E: np.ndarray, P: np.ndarray) -> None:
    """State that no tagging scores more; of several best ones any will do."""
    y, best = tagging(got, *E.shape), viterbi(E, P)
    value = chain_score(E, P, y)
    claim = f"{y} scores {value:.4g}, but {list(best.y)} scores {best.score:.4g}"
    expect(value >= best.score - 1e-6 * (1 + abs(best.score)), claim)


def expect_features(
    got: Any, x: np.ndarray, y: Sequence[int] | np.ndarray, S: int, *, pairs: bool
) -> None:
    """State that one of the two tables is right."""
    names = ("F", "G")
    want = counted(x, y, S)[pairs]
    table = tables(got, x.shape[1], S, names)[pairs]
    r, s = np.unravel_index(np.argmax(np.abs(table - want)), want.shape)
    what = (
        f"tag {s} comes after tag {r} {want[r, s]:g} times"
        if pairs
        else (f"feature {r} of the places tagged {s} adds up to {want[r, s]:g}")
    )
    expect(
        close(table, want),
        f"y = {list(map(int, y))}: {what}, so {names[pairs]}[{r}, {s}] is not {table[r, s]:g}",
    )


def expect_step(
    got: Any,
    A: np.ndarray,
    B: np.ndarray,
    x: np.ndarray,
    y: Sequence[int] | np.ndarray,
    epsilon: float,
) -> None:
    """State that the weights have moved by epsilon (f(x, y) - f(x, y*))."""
    S, said = len(B), viterbi(x @ A, B).y
    new_A, new_B = tables(got, len(A), S, ("A", "B"))
    (F, G), (F_star, G_star) = (counted(x, z, S) for z in (y, said))
    answers = f"right is {list(map(int, y))}, said {list(said)}"
    expect(close(new_A, A + epsilon * (F - F_star)), f"{answers}: A moves by ε (F - F*)")
    expect(close(new_B, B + epsilon * (G - G_star)), f"{answers}: B moves by ε (G - G*)")


def three(got: Any, d: int, S: int) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the answer (A, B, mistakes) of `train`."""
    A, B, mistakes = parts(got, "A", "B", "mistakes")
    return *tables((A, B), d, S, ("A", "B")), number(mistakes, "mistakes")


def expect_average(got: Any, X: Words, Y: Words, A: np.ndarray, B: np.ndarray, passes: int) -> None:
    """State that the weights are the averages over all rounds."""
    found_A, found_B, _ = three(got, len(A), len(B))
    want_A, want_B = mean(played(X, Y, A, B, passes)[0])
    rounds = f"{passes * len(X)} rounds"
    expect(close(found_A, want_A), f"A is the average of A after each of the {rounds}")
    expect(close(found_B, want_B), f"B is the average of B after each of the {rounds}")


def expect_read(got: Any, X: Words, Y: Words, X_new: Words, Y_new: Words) -> None:
    """State that the reader is about as good as the averaged chain."""
    got = several(got, len(X_new), f"one tagging for each of the {len(X_new)} words, in a list")
    said = [tagging(one, len(x), SIGNS) for one, x in zip(got, X_new)]
    found, good = share_right(said, Y_new), chains(X, Y, X_new, Y_new)[0]
    claim = f"{found:.1%} of the letters are right; an averaged chain reads {good:.1%} of them"
    expect(found >= good - ROOM, claim)


# --- q1 ------------------------------------------------------------------------------------------


def tagged(*taggings: Sequence[int]) -> list[tuple]:
    """Return the word of the statement with each of these taggings."""
    return [(X_ONE, np.array(y)) for y in taggings]


@HW.check(
    "q1",
    "features: every place counts for its tag",
    hint="F has a row for each feature and a column for each tag. The column of tag s is the sum "
    "of the rows x[t] with y[t] = s.",
    on=[(*one, 3) for one in tagged([0, 1, 1], [2, 0, 2], [1, 1, 1])],
)
def _(call, x, y, S):
    expect_features(call("features", x, y, S), x, y, S, pairs=False)


@HW.check(
    "q1",
    "features: tags count after tags",
    hint="G[r, s] counts how often s comes right after r: first the tag before, then the tag. A "
    "word of three places has two pairs.",
    on=[(*one, 3) for one in tagged([0, 1, 1], [2, 0, 2], [1, 2, 0])],
)
def _(call, x, y, S):
    expect_features(call("features", x, y, S), x, y, S, pairs=True)


@HW.check(
    "q1",
    "score: θ·f(x, y)",
    hint="The score is a sum over both tables: every entry of A times that of F, every entry of B "
    "times that of G.",
    on=[(A_ONE, B_ONE, *one) for one in tagged([0, 1, 1], [2, 0, 2])],
)
def _(call, A, B, x, y):
    places, pairs = (chain_score(x @ one, two, y) for one, two in ((A, 0 * B), (0 * A, B)))
    got = number(call("score", A, B, x, y), "the score")
    facts = f"y = {y.tolist()}: the places give {places:.6g}, the pairs {pairs:.6g}"
    expect(close(got, places + pairs), f"{facts}, not {got:.6g} together")


# --- q2 ------------------------------------------------------------------------------------------


@HW.check(
    "q2",
    "it finds the best of all taggings",
    hint="Is P in every step, and E of every place? At the end, follow the marks back from the "
    "best last tag, and turn the list round.",
    on=[(E_ONE[:n], P_ONE) for n in (4, 3, 2)],
)
def expect_best_of(call: Call, E: np.ndarray, P: np.ndarray) -> None:
    """State that no tagging beats the answer."""
    expect_best(call("viterbi", E, P), E, P)


def tempting(S: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a trellis in which each place alone, and the best step each time, go astray."""
    E = np.array([[1.25, 0.75, 0.5], [0.5, 1.0, 0.25], [0.75, 0.25, 1.5], [0.25, 1.75, 0.5]])
    P = np.array([[-0.5, -1.5, -2.25], [2.5, -1.75, 0.25], [-1.25, 2.25, -0.75]])
    return E[:, :S], P[:S, :S]


HW.check(
    "q2",
    "what leads early need not win",
    hint="Do you decide a tag before the word has ended? Keep the best way to *every* tag, and "
    "choose only when the last place is reached.",
    on=[tempting(2), tempting(3)],
)(expect_best_of)


# --- q3 ------------------------------------------------------------------------------------------


@HW.check(
    "q3",
    "a right prediction changes nothing",
    hint="Where y* = y the difference of the features is 0. Which tagging do you compare with, and "
    "with which weights was it found?",
    on=lambda *_: [
        (A_ONE, B_ONE, x, np.array(viterbi(x @ A_ONE, B_ONE).y), 1.0) for x in (X_ONE, -X_ONE)
    ],
)
def expect_moved(
    call: Call, A: np.ndarray, B: np.ndarray, x: np.ndarray, y: np.ndarray, epsilon: float
) -> None:
    """State that one round of the slide was made."""
    expect_step(call("update", A, B, x, y, epsilon), A, B, x, y, epsilon)


HW.check(
    "q3",
    "a wrong one moves θ by ε (f(x, y) - f(x, y*))",
    hint="Features of the right tagging are added, those of the predicted one taken away: in both "
    "tables, times ε.",
    on=[
        (A_ONE, B_ONE, x, np.array(y), 0.75)
        for x, y in ((X_ONE, [2, 1, 1]), (X_ONE, [2, 0, 2]), (-X_ONE, [2, 2, 2]))
    ],
)(expect_moved)


# --- q4 ------------------------------------------------------------------------------------------


@HW.check(
    "q4",
    "the mistakes of all passes are counted",
    hint="A word with any wrong tag is one mistake. The count starts at 0 once; words come in the "
    "order given, in every pass.",
    on=lambda *_: [
        (*small_words(np.random.default_rng(passes), 5, 2, 3, passes), passes) for passes in (1, 3)
    ],
)
def _(call, X, Y, A, B, passes):
    got = three(call("train", X, Y, A, B, passes), len(A), len(B))[2]
    want, many = played(X, Y, A, B, passes)[1], "1 pass" if passes == 1 else f"{passes} passes"
    expect(got == want, f"in {many} over {len(X)} words there are {want} mistakes")


@HW.check(
    "q4",
    "the average of one pass",
    hint="The sum takes the weights after each word, update included, in both tables; the start is "
    "not one of them. It is divided by the number of words met.",
    on=lambda *_: [small_words(np.random.default_rng(7), 4, 2, 3, 1)],
)
def _(call, X, Y, A, B):
    expect_average(call("train", X, Y, A, B, 1), X, Y, A, B, 1)


# --- q5 ------------------------------------------------------------------------------------------


@HW.check(
    "q5",
    "your own handwriting is read",
    hint="Some passes of q4 from zero weights, then Viterbi with the *average*. Letters alone, or "
    "the last weights, read too few.",
)
def _(call, rng):
    X, Y, X_new, Y_new = handwriting(np.random.default_rng([7, call.seed]))
    expect_read(call("read_words", X, Y, X_new), X, Y, X_new, Y_new)


# --- quizzes and the proofs ----------------------------------------------------------------------

HW.quiz(
    "q6",
    "A word was read wrongly and the update was made. The same word comes again at once. What do "
    "you know?",
    {
        "A": "it is read correctly now",
        "B": "the right tagging has a higher score than before",
        "C": "the right tagging leads the one that was said before by more than it did",
        "D": "the same wrong tagging is said again",
    },
    "C",
    {
        "A": "The lead over *that* wrong tagging grew, perhaps not enough; and there are others.",
        "B": "Its own score moves by ε (‖f‖² - f·f*), which can be negative: f* may be the longer.",
        "C": "Right. θ·(f(x, y) - f(x, y*)) grows by ε ‖f(x, y) - f(x, y*)‖², which is > 0.",
        "D": "That can happen, if the lead was far below 0. It need not.",
    },
)

HW.quiz(
    "q7",
    "Words have n letters and there are S signs. Somebody lets the chain also look at triples of "
    "letters. What does the exact search cost then?",
    {
        "A": "n S² steps, as before",
        "B": "n S³ steps",
        "C": "S^n steps: nothing but listing helps",
        "D": "3 n S² steps",
    },
    "B",
    {
        "A": "The best way to a letter now depends on the letter before it as well.",
        "B": "Right. Keep the best way to every *pair* of letters; each has S ways to go on.",
        "C": "The score is still a sum of local terms: the past matters only by two letters.",
        "D": "A triple is not three pairs: which pair came before decides.",
    },
)

HW.by_hand["q8"] = 10

check, quiz, finish = client.bind(HW)
