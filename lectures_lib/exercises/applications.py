"""Checks of the exercises of 19: a word list, the number of parses, branches."""

from collections.abc import Iterator

import numpy as np

from ..branches import Tape, TwoBitCounter, binary_search, rounds
from ..structured import Grammar
from .reading import count, text
from .tries import Answer, Try

WORDS = ["at", "cat", "car", "cart", "dog", "good", "go", "a", "tag", "coat", "zoo", "act"]


def word(answer: Answer) -> Iterator[Try]:
    """19: word(E, words) returns the word of len(E) letters with the highest sum of scores."""
    rng = np.random.default_rng(19)
    for dropped, n in enumerate((3, 2, 4, 3, 1, 3)):
        words = WORDS[: len(WORDS) - dropped][:: -1 if dropped % 2 else 1]
        E = rng.normal(size=(n, 26)).round(1) - 2.0
        E[:, [ord(c) - 97 for c in "catg"]] += rng.normal(size=4).round(1)
        got = answer(E=E, words=list(words)).words("a word of the list")
        sums = {w: float(E[np.arange(n), _letters(w)].sum()) for w in words if len(w) == n}
        yield got in words, "it must be one of the words of the list"
        yield len(got) == n, f"E has {n} rows: the word has {n} letters"
        best = max(sums, key=lambda w: sums[w])
        claim = f"it scores {sums[got]:.1f}, and {best!r} scores {sums[best]:.1f}"
        yield sums[got] >= sums[best] - 1e-9, claim


def _letters(word: str) -> list[int]:
    return [ord(c) - 97 for c in word]


#: rules of two symbols, rules of a word, sentences: some with no tree, some with many
AMBIGUOUS = (("S", "S", "S"), ("S", "A", "S"), ("A", "S", "S"))
ATTACHED = (("S", "N", "V"), ("N", "N", "P"), ("V", "V", "P"), ("V", "T", "N"), ("P", "B", "N"))
NAMES = (("N", "I"), ("N", "man"), ("N", "hill"), ("T", "saw"), ("B", "on"), ("B", "with"))
SENTENCES = (
    (ATTACHED, NAMES, "I saw man"),
    (ATTACHED, NAMES, "I saw man on hill"),
    (ATTACHED, NAMES, "I saw man on hill with man"),
    (ATTACHED, NAMES, "saw I man"),
    (ATTACHED, NAMES, "I saw on"),
    ((("S", "S", "S"),), (("S", "a"),), "a a a a a"),
    ((("S", "S", "S"),), (("S", "a"),), "a a a a"),
    (AMBIGUOUS, (("S", "a"), ("A", "a"), ("A", "b")), "b a a b a"),
    (AMBIGUOUS, (("S", "a"), ("A", "b")), "a"),
    (AMBIGUOUS, (("S", "a"), ("A", "b")), "b"),
)


def parses(answer: Answer) -> Iterator[Try]:
    """19: parses(words, lexical, binary) returns how many trees with root S a sentence has."""
    for binary, lexical, sentence in SENTENCES:
        lines = [f"{a} -> {b} {c}" for a, b, c in binary]
        lines += [f"{a} -> '{w}'" for a, w in lexical]
        listed = sum(1 for _ in Grammar("\n".join(lines)).trees(sentence.split()))
        words = sentence.split()
        got = answer(words=words, lexical=list(lexical), binary=list(binary)).whole(0)
        claim = f"the check wrote out every tree with the root S: {listed}"
        yield got == listed, claim


def always_wrong(answer: Answer) -> Iterator[Try]:
    """19: always_wrong(n) returns n outcomes that a two-bit counter gets wrong, every one."""
    for n in (1, 2, 5, 40):
        outcomes = answer(n=n).vector(n)
        yield bool(np.isin(outcomes, (0, 1)).all()), "outcomes are True (taken) or False"
        counter = TwoBitCounter()
        for i, taken in enumerate(outcomes, 1):
            state, y = counter.state, 1.0 if taken else -1.0
            said = counter.predict(np.ones(1))
            claim = f"outcome {i} finds the counter at {state}, and its prediction is right"
            yield said != y, claim
            counter.update(np.ones(1), y)


def exit_weights(answer: Answer) -> Iterator[Try]:
    """19: exit_weights(n, h) returns w with y w.x > 0 at the loop of a search of n rounds."""
    for n, h in ((6, 13), (6, 20), (3, 7), (5, 16), (4, 30)):
        X, y = _searches(n, h)
        w = answer(n=n, h=h).vector(h + 1)
        t = y * (X @ w)
        i = int(np.argmin(t))
        what = "stays in" if y[i] > 0 else "leaves"
        claim = f"y w.x must be positive, and it is {t[i]:.6g} in a round that {what} the loop, "
        claim += f"with x = {text(X[i])}"
        k = np.flatnonzero(w)
        if len(k) == 1:
            ago = count(h - int(k[0]), "step", "steps")
            steps = f"the outcome of {ago} ago" if k[0] < h else "the constant"
            claim += f" (entry {k[0]} is {steps})"
        yield bool(t[i] > 0), claim


def _searches(n: int, h: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rounds of the loop's branch in 60 searches among 2^n - 1 values, n rounds each.

    Those of the first searches, whose history would reach back before the run, are left out.
    """
    tape, values = Tape(), list(range(2**n - 1))
    for x in np.random.default_rng(n).integers(0, 2**n, size=60).tolist():
        binary_search(values, x, tape)
    X, y = rounds(tape, h)["not found yet"]
    at = np.flatnonzero(np.array(tape.names) == "not found yet")
    return X[at >= h], y[at >= h]


CHECKS = {
    "word": word,
    "parses": parses,
    "always wrong": always_wrong,
    "exit": exit_weights,
}
