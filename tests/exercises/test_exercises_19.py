"""The exercises of 19: right answers in other forms, and wrong ones with the reason named."""

import numpy as np

from lectures_lib.structured import Grammar


def scored(E, word):
    return sum(E[t][ord(c) - 97] for t, c in enumerate(word))


def word(E, words):
    return max((w for w in words if len(w) == len(E)), key=lambda w: scored(E, w))


def word_by_loops(E, words):
    best = None
    for w in sorted(words):
        if len(w) == len(E) and (best is None or scored(E, w) > scored(E, best)):
            best = w
    return np.str_(best)


def word_of_any_length(E, words):
    return max(words, key=lambda w: sum(row[ord(c) - 97] for row, c in zip(E, w)))


def letters_alone(E, words):
    return "".join(chr(97 + int(np.argmax(row))) for row in E)


def word_with_most_letters_right(E, words):
    said = letters_alone(E, words)
    fitting = [w for w in words if len(w) == len(E)]
    return max(fitting, key=lambda w: sum(a == b for a, b in zip(w, said)))


def worst_word(E, words):
    return min((w for w in words if len(w) == len(E)), key=lambda w: scored(E, w))


def parses(words, lexical, binary):
    n, count = len(words), {}
    for i, word in enumerate(words):
        for A, w in lexical:
            if w == word:
                count[A, i, i + 1] = 1
    for width in range(2, n + 1):
        for i in range(n - width + 1):
            for k in range(i + 1, i + width):
                for A, B, C in binary:
                    both = count.get((B, i, k), 0) * count.get((C, k, i + width), 0)
                    count[A, i, i + width] = count.get((A, i, i + width), 0) + both
    return count.get(("S", 0, n), 0)


def parses_from_the_top(words, lexical, binary, A="S"):
    total = sum((A, words[0]) == rule for rule in lexical) if len(words) == 1 else 0
    for head, B, C in binary:
        if head == A:
            for k in range(1, len(words)):
                left = parses_from_the_top(words[:k], lexical, binary, B)
                total += left * parses_from_the_top(words[k:], lexical, binary, C)
    return np.int32(total)


def parses_listed(words, lexical, binary):
    rules = [f"{A} -> {B} {C}" for A, B, C in binary] + [f"{A} -> '{w}'" for A, w in lexical]
    return len(list(Grammar("\n".join(rules), "S").trees(words)))


def is_a_sentence(words, lexical, binary):
    return parses(words, lexical, binary) > 0


def parses_added(words, lexical, binary, A="S"):
    """Add left and right, instead of multiplying."""
    total = sum((A, words[0]) == rule for rule in lexical) if len(words) == 1 else 0
    for head, B, C in binary:
        if head == A:
            for k in range(1, len(words)):
                left = parses_added(words[:k], lexical, binary, B)
                right = parses_added(words[k:], lexical, binary, C)
                total += left + right if left and right else 0
    return total


def parses_of_the_last_division(words, lexical, binary):
    """Keep only the last division of each span: an assignment where a sum is needed."""
    n, count = len(words), {(A, i, i + 1): 1 for i in range(len(words)) for A, w in lexical
                            if w == words[i]}  # fmt: skip
    for width in range(2, n + 1):
        for i in range(n - width + 1):
            for k in range(i + 1, i + width):
                for A, B, C in binary:
                    both = count.get((B, i, k), 0) * count.get((C, k, i + width), 0)
                    count[A, i, i + width] = both or count.get((A, i, i + width), 0)
    return count.get(("S", 0, n), 0)


def parses_with_any_root(words, lexical, binary):
    return sum(parses_from_the_top(words, lexical, binary, A) for A in {rule[0] for rule in binary})


def exit_weights(n, h):
    w = np.zeros(h + 1)
    w[h - (2 * n + 1)] = 1
    return w


def exit_weights_listed(n, h):
    return [3.5 if k == h - 2 * n - 1 else 0 for k in range(h + 1)]


def exit_weights_with_a_hint_of_the_constant(n, h):
    w = exit_weights(n, h)
    w[-1] = 0.5
    return w


def exit_weights_turned(n, h):
    return -exit_weights(n, h)


def exit_weights_one_off(n, h):
    w = np.zeros(h + 1)
    w[h - 2 * n] = 1
    return w


def exit_weights_oldest_last(n, h):
    w = np.zeros(h + 1)
    w[2 * n] = 1
    return w


def exit_weights_always_stay(n, h):
    return np.append(np.zeros(h), 1.0)


RIGHT = {
    "word": [word, word_by_loops],
    "parses": [parses, parses_from_the_top, parses_listed],
    "always wrong": [
        lambda n: [k % 2 == 1 for k in range(n)],
        lambda n: np.arange(n) % 2,
        lambda n: (0, 1) * (n // 2) + (0,) * (n % 2),
    ],
    "exit": [exit_weights, exit_weights_listed, exit_weights_with_a_hint_of_the_constant],
}

WRONG = [
    ("word", word_of_any_length, "E has 3 rows"),
    ("word", letters_alone, "it must be one of the words of the list"),
    ("word", lambda E, words: np.array(list(word(E, words))), "a word of the list"),
    ("word", lambda E, words: words.index(word(E, words)), "a word of the list"),
    ("word", word_with_most_letters_right, "and '"),
    ("word", worst_word, "scores"),
    ("word", lambda E, words: words[0], "the word has 3 letters"),
    ("parses", is_a_sentence, "wrote out every tree with the root S: 2"),
    ("parses", parses_added, "wrote out every tree with the root S"),
    ("parses", parses_of_the_last_division, "wrote out every tree with the root S: 2"),
    ("parses", parses_with_any_root, "wrote out every tree with the root S"),
    ("parses", lambda words, lexical, binary: 2, "wrote out every tree with the root S: 1"),
    ("always wrong", lambda n: [k % 2 == 0 for k in range(n)], "outcome 1 finds the counter at 2"),
    ("always wrong", lambda n: [False] * n, "outcome 2 finds the counter at 1"),
    ("always wrong", lambda n: [k % 4 > 1 for k in range(n)], "outcome 2 finds the counter at 1"),
    ("always wrong", lambda n: np.array([-1, 1] * n)[:n], "outcomes are True (taken) or False"),
    ("always wrong", lambda n: [False, True], "a vector of 1 number is expected"),
    ("exit", exit_weights_turned, "must be positive"),
    ("exit", exit_weights_one_off, "(entry 1 is the outcome of 12 steps ago)"),
    ("exit", exit_weights_oldest_last, "(entry 12 is the outcome of 1 step ago)"),
    ("exit", exit_weights_always_stay, "in a round that leaves the loop"),
    ("exit", lambda n, h: np.zeros(h + 1), "and it is 0 in a round"),
    ("exit", lambda n, h: exit_weights(n, h)[:-1], "a vector of 14 numbers is expected"),
]
