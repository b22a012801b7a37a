"""Every decoder equals enumeration, ties included; CKY, assignments, word lists, beams."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from lectures_lib import structured as st


def scores(rng, whole=True):
    """Small scores: whole numbers with many ties, or floats."""
    n, S = int(rng.integers(1, 5)), int(rng.integers(1, 4))
    shapes = (n, S), (S, S), (S, S, S)
    if whole:
        return [rng.integers(-2, 3, size=shape) for shape in shapes]
    return [rng.normal(size=shape) for shape in shapes]


@pytest.mark.parametrize("block", range(4))
def test_viterbi_equals_enumeration_ties_included(block):
    rng = np.random.default_rng(block)
    for _ in range(500):
        E, P, Q = scores(rng)
        assert st.viterbi(E, P) == st.enumerate_taggings(E, P)[0]
        assert st.viterbi(E, P, Q=Q) == st.enumerate_taggings(E, P, Q)[0]


def test_viterbi_in_fractions_equals_enumeration_in_fractions():
    rng = np.random.default_rng(0)
    for _ in range(100):
        E, P, Q = (np.array(a, object) * Fraction(1, 3) for a in scores(rng))
        assert st.viterbi(E, P) == st.enumerate_taggings(E, P)[0]
        assert st.viterbi(E, P, Q=Q) == st.enumerate_taggings(E, P, Q)[0]


def test_the_table_as_it_is_drawn_has_the_best_score_and_a_best_path():
    rng = np.random.default_rng(3)
    for _ in range(500):
        E, P, _ = scores(rng)
        V, back = st.forward(E, P)
        best, *others = st.enumerate_taggings(E, P)
        y = st.follow(V, back)
        assert V[-1].max() == best.score == st.chain_score(E, P, y)
        if not others or others[0].score < best.score:
            assert y == best.y
        for t, s in product(range(len(E)), range(E.shape[1])):  # every entry
            ending = [one.score for one in st.enumerate_taggings(E[: t + 1], P) if one.y[-1] == s]
            assert V[t, s] == max(ending)


def test_on_floats_viterbi_finds_the_highest_score():
    rng = np.random.default_rng(1)
    for _ in range(200):
        E, P, Q = scores(rng, whole=False)
        best = st.enumerate_taggings(E, P)[0]
        assert st.viterbi(E, P).y == best.y  # random floats have no ties
        assert st.viterbi(E, P, Q=Q).y == st.enumerate_taggings(E, P, Q)[0].y
        # a sum of seven numbers of size 1 rounds by less than 1e-14
        assert st.viterbi(E, P).score == pytest.approx(best.score, rel=0, abs=1e-14)


def test_the_k_best_equal_the_first_k_of_enumeration():
    rng = np.random.default_rng(2)
    for _ in range(1000):
        E, P, _ = scores(rng)
        k = int(rng.integers(1, 12))
        assert st.viterbi_k_best(E, P, k) == st.enumerate_taggings(E, P)[:k]


def test_forbidden_pairs_never_follow_each_other_and_the_rest_is_enumeration():
    rng = np.random.default_rng(3)
    for _ in range(500):
        E, P, _ = scores(rng)
        S = len(P)
        forbidden = [pair for pair in product(range(S), repeat=2) if rng.random() < 0.3]
        allowed = [
            one
            for one in st.enumerate_taggings(E, P)
            if not set(zip(one.y, one.y[1:])) & set(forbidden)
        ]
        assert st.viterbi_k_best(E, P, 4, forbidden=forbidden) == allowed[:4]
        if allowed:
            assert st.viterbi(E, P, forbidden=forbidden) == allowed[0]
        else:
            with pytest.raises(ValueError, match="forbidden"):
                st.viterbi(E, P, forbidden=forbidden)


def test_the_best_word_of_a_list_equals_enumeration_of_the_list():
    rng = np.random.default_rng(4)
    for _ in range(500):
        E, P, Q = scores(rng)
        S = len(P)
        words = [tuple(rng.integers(S, size=rng.integers(1, 5)).tolist()) for _ in range(6)]
        fitting = [one for one in st.enumerate_taggings(E, P) if one.y in words]
        found = st.best_word(E, P, st.WordList(words))
        assert found == (fitting[0] if fitting else None)
        exact = st.best_word(E.astype(object), P.astype(object), st.WordList(words))
        assert exact == found
        second = [one for one in st.enumerate_taggings(E, P, Q) if one.y in words]
        assert st.best_word(E, P, st.WordList(words), Q=Q) == (second[0] if second else None)


def test_a_trie_stores_a_common_beginning_once():
    words = st.WordList([(0, 1, 2), (0, 1, 3), (0, 1)])
    assert len(words) == 3 and len(words.parent) == 5  # the root, 0, 01, 012, 013


@pytest.mark.parametrize("second", [False, True])
def test_a_wide_beam_is_enumeration_and_a_narrow_one_never_beats_it(second):
    rng = np.random.default_rng(5)
    lost = 0
    for _ in range(300):
        E, P, Q = scores(rng)
        Q = Q if second else None
        every = st.enumerate_taggings(E, P, Q)
        assert st.beam_search(E, P, len(every), Q=Q)[-1] == every
        narrow = st.beam_search(E, P, 1, Q=Q)[-1][0]
        assert narrow.score == st.chain_score(E, P, narrow.y, Q) <= every[0].score
        lost += narrow.score < every[0].score
    assert lost > 0


# --- grammars ------------------------------------------------------------------------------------

GRAMMAR = """
S -> NP VP | S S | 'a'
NP -> NP PP | 'a' | 'b'
VP -> V NP | VP PP | 'a' | 'b'
PP -> P NP | 'b'
V -> 'a' | 'b'
P -> 'a'
"""


def sentences(rng, grammar, count):
    """Yield random sentences that have a parse, with all their parses."""
    while count:
        words = tuple(rng.choice(["a", "b"], size=rng.integers(1, 6)).tolist())
        trees = list(grammar.trees(words))
        if trees:
            count -= 1
            yield words, trees


def first_letter(x, rule, i, k, j):
    return [(str(rule), x[i])]


@pytest.mark.parametrize("context", [None, first_letter])
def test_cky_equals_enumeration_ties_included(context):
    rng, grammar = np.random.default_rng(6), st.Grammar(GRAMMAR)
    several = 0
    for words, trees in sentences(rng, grammar, 200):
        problem = st.Parses(grammar, [words], context)
        theta = rng.integers(-2, 3, size=len(problem.index)).astype(float)
        assert problem.argmax(theta, words) == st.enumerate_argmax(problem, theta, words)
        gold = trees[int(rng.integers(len(trees)))]
        augmented = problem.argmax(theta, words, gold=gold, price=2)
        assert augmented == st.enumerate_argmax(problem, theta, words, gold=gold, price=2)
        several += len(trees) > 1
    assert several > 100


def test_cky_equals_enumeration_for_any_grammar():
    rng, several = np.random.default_rng(9), 0
    for _ in range(300):
        pairs = [f"{a} -> {b} {c}" for a, b, c in product("SAB", repeat=3) if rng.random() < 0.4]
        lexicon = [f"{a} -> '{word}'" for a in "SAB" for word in "ab" if rng.random() < 0.6]
        grammar = st.Grammar("\n".join(rng.permutation([*pairs, *lexicon, "S -> 'a'"])), "S")
        words = tuple(rng.choice(["a", "b"], size=rng.integers(1, 5)).tolist())
        trees = list(grammar.trees(words))
        if not trees:
            with pytest.raises(ValueError, match="no parse"):
                st.Parses(grammar).argmax(np.zeros(len(grammar.rules)), words)
            continue
        problem = st.Parses(grammar)
        theta = rng.integers(-2, 3, size=problem.size).astype(float)
        assert problem.argmax(theta, words) == st.enumerate_argmax(problem, theta, words)
        several += len(trees) > 1
    assert several > 100


def test_the_score_of_cky_is_the_score_of_its_tree():
    rng, grammar = np.random.default_rng(7), st.Grammar(GRAMMAR)
    problem = st.Parses(grammar)
    for words, _ in sentences(rng, grammar, 50):
        theta = rng.integers(-2, 3, size=len(problem.index)).astype(float)
        worth = dict(zip(problem.index.names, theta))
        tree, score = st.cky(grammar, words, lambda r, i, k, j, worth=worth: worth[str(r)])
        assert score == problem.score(theta, words, tree)


def test_a_tree_is_written_with_brackets_and_has_one_span_per_node():
    grammar = st.Grammar("S -> NP VP\nNP -> 'dogs'\nVP -> 'bark'")
    (tree,) = grammar.trees(("dogs", "bark"))
    assert st.bracketed(tree) == "(S (NP dogs) (VP bark))"
    assert st.labelled_spans(tree) == {("S", 0, 2), ("NP", 0, 1), ("VP", 1, 2)}


# --- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "advice"),
    [
        (lambda: st.viterbi([1.0, 2.0], [[0.0]]), "needs \\(n, S\\)"),
        (lambda: st.viterbi([[1.0, 2.0]], [[0.0]]), "P has shape"),
        (lambda: st.viterbi([[np.nan]], [[0.0]]), "NaN"),
        (lambda: st.viterbi([["a"]], [[0.0]]), "numbers"),
        (lambda: st.viterbi([[1.0]], [[0.0]], forbidden=[(0, 1)]), "not one of tags"),
        (lambda: st.viterbi_k_best([[1.0]], [[0.0]], 0), "k must be"),
        (lambda: st.beam_search([[1.0]], [[0.0]], 0), "width must be"),
        (lambda: st.WordList([()]), "one tag"),
        (lambda: st.WordList([]), "needs words"),
        (lambda: st.best_word([[1.0]], [[0.0]], st.WordList([(3,)])), "above 0"),
        (lambda: st.Grammar("S -> NP"), "is no rule"),
        (lambda: st.Grammar(" "), "needs rules"),
        (lambda: st.Parses(st.Grammar("S -> 'a'")).argmax(np.zeros(1), ("b",)), "no parse"),
        (lambda: st.Index(["a", "a"]), "same name"),
    ],
)
def test_impossible_wishes_are_refused_with_advice(call, advice):
    with pytest.raises(ValueError, match=advice):
        call()
