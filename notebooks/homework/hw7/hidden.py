"""Hidden checks of homework 7: the subtle misconceptions, on words that the secret chooses."""

import numpy as np

from lectures_homework.hw7 import (
    expect_average,
    expect_best,
    expect_features,
    expect_read,
    expect_step,
    three,
)
from lectures_homework.language.checks import close, expect
from lectures_homework.language.drawing import drawn
from lectures_homework.language.reading import number
from lectures_homework.language.unchanged import expect_unchanged
from lectures_homework.words import clear, handwriting, mean, played, small_words
from lectures_lib.structured import chain_score, viterbi, viterbi_k_best


def eighths(rng, *size):
    """Return numbers in eighths, none of them 0."""
    return rng.integers(1, 25, size=size) / 8 * rng.choice([-1, 1], size=size)


def word(rng, n, d, S):
    """Return a word of n places with all tags of a tagging, some of them twice in a row."""
    y = rng.integers(0, S, size=n)
    k = int(rng.integers(0, max(1, n - 1)))
    y[k : k + 2] = y[k]
    return eighths(rng, n, d), y


def greedy(E, P):
    """Return the tagging that takes the best step each time."""
    y = [int(E[0].argmax())]
    for e in E[1:]:
        y.append(int((e + P[y[-1]]).argmax()))
    return tuple(y)


def leaders(E, P):
    """Return the tag that leads at each place."""
    V, y = E[0], [int(E[0].argmax())]
    for e in E[1:]:
        V = e + (V[:, None] + P).max(axis=0)
        y.append(int(V.argmax()))
    return tuple(y)


def shortcuts(E, P):
    """Return what ten searches say that are not Viterbi's."""
    first, later = E[:1], E[1:]
    others = (E, P.T), (E, (P + P.T) / 2), (E, np.maximum(P, 0))
    others += (np.vstack([0 * first, later]), P), (np.vstack([first + P[0], later]), P)
    others += ((np.vstack([first, 2 * later]), P),)
    said = [viterbi(*one).y for one in others] + [tuple(E.argmax(axis=1)), leaders(E, P)]
    return [*said, greedy(E, P), greedy(E[::-1], P.T)[::-1]]


@drawn
def trellis(rng, n, S, *, low=0.0):
    """Return E, P where every shortcut loses."""
    while True:
        E, P = eighths(rng, n, S) - low, 1.5 * eighths(rng, S, S) - low
        best, second = viterbi_k_best(E, P, 2)
        lost = all(chain_score(E, P, y) < best.score - 0.05 for y in shortcuts(E, P))
        if lost and best.score - second.score > 0.05:
            return E, P


@drawn
def moment(rng, n, d, S, wrong):
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
def one_slip(rng, n, d, S):
    """Return A, B, x, y: the prediction is wrong in one place only."""
    while True:
        A, B, x, y = moment(rng, n, d, S, True)
        if np.sum(np.array(viterbi(x @ A, B).y) != y) == 1:
            return A, B, x, y


@drawn
def telling(rng, n, d, S, passes):
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


@drawn
def settled(rng, n, d, S, passes):
    """Return words and a start: after two or three passes nothing is wrong any more."""
    while True:
        X = [rng.integers(-4, 5, size=(int(rng.integers(2, 5)), d)) / 4 for _ in range(n)]
        A, B = eighths(rng, d, S) + 0.013, eighths(rng, S, S) - 0.017
        Y = [np.array(viterbi(x @ A, B).y) for x in X]  # so somebody reads all of them
        A, B = (table + 2.5 * rng.normal(size=table.shape) for table in (A, B))
        after, _ = played(X, Y, A, B, passes)
        clean = [after[k * n - 1][0] is after[-1][0] for k in range(1, passes)]
        if not any(clean[:1]) and all(clean[2:]) and clear(X, Y, A, B, passes):
            return X, Y, A, B


def add_again(HW):
    """Register the visible checks on inputs drawn anew."""

    @HW.again("q1", "features: every place counts for its tag")
    def _(call, rng):
        x, y = word(rng, 5, 3, 4)
        expect_features(call("features", x, y, 4), x, y, 4, pairs=False)

    @HW.again("q1", "features: tags count after tags")
    def _(call, rng):
        x, y = word(rng, 6, 3, 4)
        expect_features(call("features", x, y, 4), x, y, 4, pairs=True)

    @HW.again("q1", "score: θ·f(x, y)")
    def _(call, rng):
        A, B, (x, y) = eighths(rng, 3, 4), eighths(rng, 4, 4), word(rng, 5, 3, 4)
        got = number(call("score", A, B, x, y), "the score")
        expect(close(got, chain_score(x @ A, B, y)), "the score is θ·f(x, y)")

    @HW.again("q2", "it finds the best of all taggings")
    def _(call, rng):
        expect_best_of(call, *trellis(rng, 4, 3))

    @HW.again("q2", "what leads early need not win")
    def _(call, rng):
        expect_best_of(call, *trellis(rng, 6, 4))

    @HW.again("q3", "a right prediction changes nothing")
    def _(call, rng):
        expect_moved(call, *moment(rng, 4, 3, 3, False), 1.0)

    @HW.again("q3", "a wrong one moves θ by ε (f(x, y) - f(x, y*))")
    def _(call, rng):
        expect_moved(call, *moment(rng, 4, 3, 3, True), 0.5)

    @HW.again("q4", "the mistakes of all passes are counted")
    def _(call, rng):
        for passes in (1, 3):
            X, Y, A, B = small_words(rng, 6, 3, 3, passes)
            found = three(call("train", X, Y, A, B, passes), 3, 3)[2]
            expect(found == played(X, Y, A, B, passes)[1], "one mistake for each word read wrongly")

    @HW.again("q4", "the average of one pass")
    def _(call, rng):
        X, Y, A, B = telling(rng, 6, 3, 3, 1)
        expect_average(call("train", X, Y, A, B, 1), X, Y, A, B, 1)

    @HW.again("q5", "your own handwriting is read")
    def _(call, rng):
        expect_words(call, rng)


def expect_best_of(call, E, P):
    """State that no tagging beats the answer."""
    expect_best(call("viterbi", E, P), E, P)


def expect_moved(call, A, B, x, y, epsilon):
    """State that one round of the slide was made."""
    expect_step(call("update", A, B, x, y, epsilon), A, B, x, y, epsilon)


def expect_words(call, rng):
    """State that other handwriting is read as well as an averaged chain does.

    Features that are 0 everywhere tell nothing and change nothing but how many there are.
    """
    X, Y, X_new, Y_new = handwriting(rng)
    more = int(rng.integers(1, 5))
    wide, wide_new = ([np.pad(x, ((0, 0), (0, more))) for x in words] for words in (X, X_new))
    expect_read(call("read_words", wide, Y, wide_new), X, Y, X_new, Y_new)


def add(HW):
    """Register the hidden checks, and the visible ones on inputs drawn anew."""
    add_again(HW)

    @HW.check(
        "q1",
        "repeats add up, and a word of one letter has no pair",
        points=1,
        hint="A tag, or a pair of tags, may come several times: every time counts. And what does "
        "your function do with a single place?",
        hidden=True,
    )
    def _(call, rng):
        words = [rng.permutation([0, 0, 0, 1, 1, 1]), np.array([1]), np.array([2, 2, 2, 2])]
        words += [rng.integers(0, 4, size=int(rng.integers(7, 15)))]
        words = [(eighths(rng, len(y), 2), y) for y in words]
        A, B = eighths(rng, 2, 4), eighths(rng, 4, 4)
        replies = [call("features", x, y, 4) for x, y in words]  # all first: one fits many mistakes
        for (x, y), reply in zip(words, replies):
            for pairs in (False, True):
                expect_features(reply, x, y, 4, pairs=pairs)
        for x, y in words:
            got = number(call("score", A, B, x, y), "the score")
            expect(close(got, chain_score(x @ A, B, y)), "every place and every pair counts")
        d, S = int(rng.integers(4, 8)), int(rng.integers(5, 9))
        x, y = word(rng, 5, d, S)
        for scale in (1.0, 1e-3, 1e4):
            reply = call("features", scale * x, y, S)
            for pairs in (False, True):
                expect_features(reply, scale * x, y, S, pairs=pairs)

    @HW.check(
        "q2",
        "P[r, s] is for s after r",
        points=1,
        hint="P is not symmetric. In V[:, None] + P the rows are the tags before; over which axis "
        "is the maximum?",
        hidden=True,
    )
    def _(call, rng):
        for n, S in ((3, 3), (5, 4), (2, 5), (int(rng.integers(4, 8)), int(rng.integers(4, 7)))):
            expect_best_of(call, *trellis(rng, n, S))

    @HW.check(
        "q2",
        "any numbers: all negative, one tag, one place",
        points=1,
        hint="Nothing says that a score is above 0, so a start at 0 is no harmless start. And what "
        "if there is nothing to choose, or nothing before?",
        hidden=True,
    )
    def _(call, rng):
        expect_best_of(call, *trellis(rng, 4, 3, low=8.0))
        expect_best_of(call, *trellis(rng, 6, 3, low=8.0))
        expect_best_of(call, *trellis(rng, 4, 3, low=2e3))
        expect_best_of(call, eighths(rng, 4, 3) + 2e3, eighths(rng, 3, 3) + 2e3)
        E, P = eighths(rng, 4, 1) + np.zeros(3), np.full((3, 3), 0.25)  # hardly apart
        expect_best_of(call, E + 1e-4 * rng.permuted(np.tile([0.0, 1, 2], (4, 1)), axis=1), P)
        for n, S in ((1, 4), (5, 1), (1, 1)):
            expect_best_of(call, -np.abs(eighths(rng, n, S)), -np.abs(eighths(rng, S, S)))

    @HW.check(
        "q2",
        "long words: n S² steps, not S^n",
        points=1,
        hint="Fifty places and twenty tags: how many taggings are there, and how many numbers does "
        "the recursion keep?",
        hidden=True,
    )
    def _(call, rng):
        expect_best_of(call, eighths(rng, 50, 20), eighths(rng, 20, 20))

    @HW.check(
        "q3",
        "any step, any overlap of the two taggings",
        points=1,
        hint="Places where both taggings agree cancel, but a pair is the same only if both of its "
        "tags are. Is ε in both tables, and is the prediction that of the old weights?",
        hidden=True,
    )
    def _(call, rng):
        for n, d, S, epsilon in ((5, 2, 3, 0.25), (4, 4, 3, 2.0), (6, 3, 4, 1.5)):
            expect_moved(call, *moment(rng, n, d, S, True), epsilon)
        for epsilon in (1.0, 1e-2, 300.0):  # one wrong tag is a wrong prediction
            expect_moved(call, *one_slip(rng, 4, 2, 3), epsilon)
        expect_unchanged(call, "update", *moment(rng, 4, 3, 3, True), 1.0)

    @HW.check(
        "q4",
        "every round counts, with a mistake or without",
        points=1,
        hint="How often do weights that survive five words enter the sum? What is it divided by: "
        "rounds, or mistakes?",
        hidden=True,
    )
    def _(call, rng):
        for n, d, S in ((int(rng.integers(6, 10)), 3, 3), (8, 2, 4)):
            X, Y, A, B = telling(rng, n, d, S, 1)
            expect_average(call("train", X, Y, A, B, 1), X, Y, A, B, 1)

    @HW.check(
        "q4",
        "the average runs over all passes",
        points=1,
        hint="The weights go on from pass to pass, the sums too. All rounds of all passes count, "
        "and each word meets the weights of that moment.",
        hidden=True,
    )
    def _(call, rng):
        for passes in (2, 4):
            X, Y, A, B = telling(rng, 6, 3, 3, passes)
            got = call("train", X, Y, A, B, passes)
            expect_average(got, X, Y, A, B, passes)
            expect(three(got, 3, 3)[2] == played(X, Y, A, B, passes)[1], "the mistakes of all")
        X, Y, A, B = settled(rng, 5, 3, 3, 6)
        expect_average(call("train", X, Y, A, B, 6), X, Y, A, B, 6)

    @HW.check(
        "q5",
        "other words in other hands",
        points=1,
        hint="The same with other words. Nothing may be taken from your own: neither the words nor "
        "how many there are.",
        hidden=True,
    )
    def _(call, rng):
        expect_words(call, rng)
