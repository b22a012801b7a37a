"""Hidden checks of homework 7: the subtle misconceptions, on words that the secret chooses."""

import numpy as np

from lectures_homework.hw7 import (
    expect_average,
    expect_best_of,
    expect_features,
    expect_moved,
    three,
)
from lectures_homework.language.broadly import expect_like, factor, size, table
from lectures_homework.language.checks import close, expect
from lectures_homework.language.drawing import drawn
from lectures_homework.language.reading import number
from lectures_homework.language.unchanged import expect_unchanged
from lectures_homework.practice.hw7 import (
    add_again,
    eighths,
    expect_words,
    moment,
    telling,
    trellis,
)
from lectures_homework.words import clear, counted, played
from lectures_lib.structured import chain_score, viterbi, viterbi_k_best


@drawn
def one_slip(rng, n, d, S):
    """Return A, B, x, y: the prediction is wrong in one place only."""
    while True:
        A, B, x, y = moment(rng, n, d, S, True)
        if np.sum(np.array(viterbi(x @ A, B).y) != y) == 1:
            return A, B, x, y


@drawn
def any_moment(rng, n, d, S):
    """Return A, B, x, y, no short numbers: the prediction is clear, and wrong at every place."""
    while True:
        A, B, x = rng.normal(size=(d, S)), rng.normal(size=(S, S)), rng.normal(size=(n, d))
        first, second = viterbi_k_best(x @ A, B, 2)
        if first.score - second.score > 0.05:
            return A, B, x, (np.array(first.y) + rng.integers(1, S, size=n)) % S


@drawn
def long_words(rng):
    """Return many words of many letters with seven tags, and a start; every prediction is clear."""
    while True:
        S, many = 7, int(rng.integers(24, 32))
        X = [rng.normal(size=(int(rng.integers(2, 13)), 3)) for _ in range(many)]
        Y = [rng.integers(0, S, size=len(x)) for x in X]
        A, B = rng.normal(size=(3, S)), rng.normal(size=(S, S))
        if clear(X, Y, A, B, 2):
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


@drawn
def sleeper(rng, S):
    """Return E, P where the tag that is worth least of all at each place opens the best way."""
    s, u = (int(tag) for tag in rng.permutation(S)[:2])
    E, P = rng.normal(size=(7, S)), rng.normal(size=(S, S))
    E[:, s], E[:, u], P[:, s], P[s, u] = -9.0, -30.0, 0.0, 90.0
    return E, P


def any_word(rng):
    """Return (x, y, S): a word and its tags, of any size; at times one tag again and again."""
    n, d, S = size(rng, 300), size(rng, 40), size(rng, 60)
    d = S if rng.random() < 0.2 else d
    y = rng.integers(0, S, size=n)
    return factor(rng) * table(rng, n, d), np.sort(y) if rng.random() < 0.3 else y, S


def any_scored(rng):
    """Return (A, B, x, y): a word, its tags, and weights of any size."""
    x, y, S = any_word(rng)
    far = np.abs(x).max() + 1e-9
    A, B = rng.normal(size=(x.shape[1], S)) / far, rng.normal(size=(S, S))
    return factor(rng, 6.0) * A, factor(rng, 6.0) * B, x, y


def sure(E, P):
    """True if the best tagging is so far above the second that rounding cannot decide."""
    scores = [one.score for one in viterbi_k_best(E, P, 2)]
    hair = 1e-6 * len(E) * (np.abs(E).max() + np.abs(P).max())
    return len(scores) < 2 or scores[0] - scores[1] > hair


def any_trellis(rng):
    """Return (E, P) of any size, far from 0 or about it, with one best tagging, maybe by little."""
    n, S, t = size(rng, 250), size(rng, 25), factor(rng)
    while True:
        E, P = rng.normal(size=(n, S)), rng.normal(size=(S, S)) * rng.choice([0.1, 1.0, 3.0])
        E, P = (t * (one + rng.choice([-5.0, 0.0, 5.0])) for one in (E, P))
        best = viterbi_k_best(E, P, 2)
        if len(best) > 1 and rng.random() < 0.6:  # the second is next to the first
            place = int(np.argmax(np.array(best[0].y) != best[1].y))
            ahead = best[0].score - best[1].score
            E[place, best[0].y[place]] -= (1 - 10.0 ** -rng.uniform(0.5, 3)) * ahead
        if sure(E, P):
            return E, P


def any_round(rng):
    """Return (A, B, x, y, epsilon): a word of any size, its tags, weights and a step."""
    n, d, S = size(rng, 30), size(rng, 12), size(rng, 12)
    while True:
        A, B, x = rng.normal(size=(d, S)), rng.normal(size=(S, S)), rng.normal(size=(n, d))
        if sure(x @ A, B):
            y, some = rng.integers(0, S, size=n), rng.random(n) < rng.random()
            some[rng.integers(n)] = False
            if rng.random() < 0.5:  # wrong in a few places, the last or the first alone
                some = np.roll(np.arange(n) > 0, int(rng.choice([0, -1, rng.integers(n)])))
            return A, B, x, np.where(some, viterbi(x @ A, B).y, y), factor(rng, 2.0)


def moved(A, B, x, y, epsilon):
    """Return the weights after the round."""
    (F, G), (F_star, G_star) = (counted(x, z, len(B)) for z in (y, viterbi(x @ A, B).y))
    return A + epsilon * (F - F_star), B + epsilon * (G - G_star)


@drawn
def any_lessons(rng, many=25):
    """Return (X, Y, A, B, passes): words of any number and length, hardly wrong or altogether."""
    found = []
    while len(found) < many:
        n, d, S, passes = size(rng, 9), size(rng, 6), size(rng, 8), size(rng, 9)
        A, B = rng.normal(size=(d, S)), rng.normal(size=(S, S))
        X = [rng.normal(size=(size(rng, 14), d)) for _ in range(n)]
        Y, wrong = [np.array(viterbi(x @ A, B).y) for x in X], rng.random()
        for y in Y:
            some = rng.random(len(y)) < 1.5 * wrong / len(y)
            y[some] = rng.integers(0, S, size=some.sum())
        A, B = factor(rng, 1.0) * A, B * rng.choice([0.1, 1.0])
        if clear(X, Y, A, B, passes):
            found.append((X, Y, A, B, passes))
    return found


#: What is right, and what is asked.
BROAD = {
    "features": (counted, any_word),
    "score": (lambda A, B, x, y: chain_score(x @ A, B, y), any_scored),
    "viterbi": (lambda E, P: np.array(viterbi(E, P).y), any_trellis),
    "update": (moved, any_round),
}


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
        words += [rng.integers(0, 4, size=int(rng.integers(7, 15))), np.array([0, 3])]
        words = [(eighths(rng, len(y), 2), y) for y in words]
        A, B = eighths(rng, 2, 4), eighths(rng, 4, 4)
        replies = [call("features", x, y, 4) for x, y in words]  # all first: one fits many mistakes
        for (x, y), reply in zip(words, replies):
            for pairs in (False, True):
                expect_features(reply, x, y, 4, pairs=pairs)
        for x, y in words:
            got = number(call("score", A, B, x, y), "the score")
            expect(close(got, chain_score(x @ A, B, y)), "every place and every pair counts")
        for name in ("features", "score"):
            expect_like(call, rng, name, *BROAD[name])

    @HW.check(
        "q2",
        "P[r, s] is for s after r",
        points=1,
        hint="P is not symmetric. In V[:, None] + P the rows are the tags before; over which axis "
        "is the maximum?",
        hidden=True,
    )
    def _(call, rng):
        sizes = [(3, 3), (5, 4), (2, 5), (int(rng.integers(4, 8)), int(rng.integers(4, 7)))]
        for n, S in (*sizes, (6, int(rng.integers(7, 10)))):
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
        E, P = trellis(rng, 5, 4)
        expect_best_of(call, 1e8 * (E - 7), 1e8 * (P - 7))
        expect_best_of(call, eighths(rng, 4, 3) + 2e3, eighths(rng, 3, 3) + 2e3)
        E, P = eighths(rng, 4, 1) + np.zeros(3), np.full((3, 3), 0.25)  # hardly apart
        for order in (range(3), range(2, -1, -1)):
            apart = np.outer([1, -1, 1, -1], order) * 1e-4
            expect_best_of(call, E + apart, P)
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
        for n, S in ((250, 9), (9, 40)):
            expect_best_of(call, rng.normal(size=(n, S)), rng.normal(size=(S, S)))
        expect_like(call, rng, "viterbi", *BROAD["viterbi"])
        for S in (6, 20):
            expect_best_of(call, *sleeper(rng, S))

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
        for n, d, S in ((1, 2, 4), (2, 1, 2)):
            A, B, x, y = any_moment(rng, n, d, S)
            expect_moved(call, A, B, x, y, 0.7)
            expect_moved(call, -A, -B, x, y, 0.003)  # the same word met with other weights
        expect_like(call, rng, "update", *BROAD["update"])
        alone = rng.normal(size=(2, 1)), np.array([[0.3]]), rng.normal(size=(3, 2))
        expect_moved(call, *alone, np.zeros(3, int), 0.7)  # of one tag nothing can be wrong
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
        X, Y, A, B = long_words(rng)  # more words, longer ones, more tags
        got = call("train", X, Y, A, B, 2)
        expect_average(got, X, Y, A, B, 2)
        expect(three(got, *A.shape)[2] == played(X, Y, A, B, 2)[1], "the mistakes of all")
        passes = int(rng.integers(9, 13))
        X, Y, A, B = settled(rng, 5, 3, 3, passes)
        expect_average(call("train", X, Y, A, B, passes), X, Y, A, B, passes)
        for lesson in any_lessons(rng):
            got = call("train", *lesson)
            expect_average(got, *lesson)
            told = "mistakes are counted by the word"
            expect(three(got, *lesson[2].shape)[2] == played(*lesson)[1], told)
        A, B, x, y = any_moment(rng, 3, 2, 3)  # one word, met once
        got = call("train", [x], [y], A, B, 1)
        expect_average(got, [x], [y], A, B, 1)
        expect(three(got, 2, 3)[2] == 1, "one word, one mistake")

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
