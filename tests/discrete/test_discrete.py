"""Kernels on strings, sets and graphs, against phi written out by enumeration."""

from collections import Counter
from itertools import chain, combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lectures_lib import _jit
from lectures_lib.bounds import kernel_mistake_bound
from lectures_lib.discrete import (
    CommonSubsets,
    GapWeighted,
    Graph,
    Intersection,
    RandomWalk,
    Spectrum,
    WeisfeilerLehman,
    strings,
)
from lectures_lib.kernels import distances, norms, psd_certificate
from lectures_lib.kernels import product as tiled_product
from lectures_lib.perceptron import kernel_perceptron, kernel_perceptron_list, perceptron
from tests.strategies import seeds

ALPHABET, ELEMENTS = "abc", range(5)
DECAY = 0.05  # converges on every product of two graphs with at most 5 vertices: degree 4 x 4

words = st.text(ALPHABET, max_size=7)
word_lists = st.lists(words, min_size=1, max_size=5)
set_lists = st.lists(st.sets(st.sampled_from(ELEMENTS)), min_size=1, max_size=5)


@st.composite
def graphs(draw):
    """Graphs with at most 5 vertices and 2 labels."""
    labels = draw(st.text("CO", min_size=1, max_size=5))
    pairs = list(combinations(range(len(labels)), 2))
    return Graph(labels, draw(st.sets(st.sampled_from(pairs))) if pairs else [])


graph_lists = st.lists(graphs(), min_size=1, max_size=4)
KERNELS = {
    Spectrum(1): word_lists,
    Spectrum(3): word_lists,
    GapWeighted(1, 0.5): word_lists,
    GapWeighted(3, 0.7): word_lists,
    Intersection(): set_lists,
    CommonSubsets(): set_lists,
    WeisfeilerLehman(0): graph_lists,
    WeisfeilerLehman(3): graph_lists,
    RandomWalk(DECAY): graph_lists,
}
examples = st.sampled_from(list(KERNELS)).flatmap(lambda k: st.tuples(st.just(k), KERNELS[k]))


def cycle(n, first=0):
    return [(first + i, first + (i + 1) % n) for i in range(n)]


TWO_TRIANGLES = Graph("C" * 6, cycle(3) + cycle(3, first=3))
HEXAGON = Graph("C" * 6, cycle(6))
PATH = Graph("CCO", [(0, 1), (1, 2)])


# --- phi by enumeration --------------------------------------------------------------------------


def all_words(p):
    return ["".join(letters) for letters in product(ALPHABET, repeat=p)]


def substring_counts(s, p):
    return [sum(s.startswith(u, i) for i in range(len(s))) for u in all_words(p)]


def gap_weights(s, p, decay):
    """Return, for each word u, the sum of decay^span over all places of u in s."""
    phi = Counter()
    for places in combinations(range(len(s)), p):
        phi["".join(s[i] for i in places)] += decay ** (places[-1] - places[0] + 1)
    return [phi[u] for u in all_words(p)]


def subsets(A):
    return list(chain.from_iterable(combinations(sorted(A), r) for r in range(len(A) + 1)))


def subset_indicators(A):
    return [set(S) <= A for S in subsets(ELEMENTS)]


def neighbours(graph, v):
    return [w for edge in graph.edges for w in edge if v in edge and w != v]


def walk_tree(graph, v, depth):
    """Return the tree of walks from v as text, its branches in order."""
    if depth == 0:
        return str(graph.labels[v])
    branches = sorted(walk_tree(graph, w, depth - 1) for w in neighbours(graph, v))
    return f"{walk_tree(graph, v, depth - 1)}[{' '.join(branches)}]"


def tree_counts(graph, rounds):
    trees = [
        (h, walk_tree(graph, v, h)) for h in range(rounds + 1) for v in range(len(graph.labels))
    ]
    return Counter(trees)


def walk_counts(graph, longest):
    """Return {labels along the walk: number of walks} up to a length."""
    walks = [(v,) for v in range(len(graph.labels))]
    counts = Counter()
    for _ in range(longest + 1):
        counts.update(tuple(graph.labels[v] for v in walk) for walk in walks)
        walks = [(*walk, w) for walk in walks for w in neighbours(graph, walk[-1])]
    return counts


def inner_products(phi):
    """Return the Gram matrix of features given as dictionaries."""
    return [[sum(c * z[part] for part, c in x.items()) for z in phi] for x in phi]


# --- strings -------------------------------------------------------------------------------------


@given(word_lists, st.integers(1, 4))
def test_the_spectrum_kernel_is_the_inner_product_of_substring_counts(X, p):
    phi = np.array([substring_counts(s, p) for s in X])
    assert Spectrum(p)(X).tolist() == (phi @ phi.T).tolist()


@given(word_lists, st.integers(1, 4), st.sampled_from([0.1, 0.5, 0.9, 1.0]))
def test_the_gap_weighted_kernel_is_the_inner_product_of_subsequence_weights(X, p, decay):
    phi = np.array([gap_weights(s, p, decay) for s in X])
    np.testing.assert_allclose(GapWeighted(p, decay)(X), phi @ phi.T, rtol=1e-12, atol=0)


def test_cat_and_car_share_ca_so_their_kernel_is_decay_to_the_4():
    K = GapWeighted(2, 0.5)(["cat", "car"])
    assert K[0, 1] == 0.5**4
    assert K[0, 0] == 2 * 0.5**4 + 0.5**6


def test_a_gap_costs_one_more_decay_for_each_letter_skipped():
    K = GapWeighted(2, 0.5)(["ab"], ["ab", "axb", "axxb", "b"])
    assert K.tolist() == [[0.5**4, 0.5**5, 0.5**6, 0.0]]


def test_a_long_string_takes_a_polynomial_number_of_steps():
    s = "ab" * 40
    assert GapWeighted(20, 1.0)([s])[0, 0] > 1e30  # pairs of places, far too many to list


@given(words, words, st.integers(1, 4), st.sampled_from([0.3, 1.0]))
def test_compiled_and_plain_dynamic_programs_agree(s, t, p, decay):
    arguments = strings._letters(s), strings._letters(t), p, decay
    assert strings._gap_weighted(*arguments) == _jit.plain(strings._gap_weighted)(*arguments)


def test_letters_may_be_any_unicode():
    assert Spectrum(2)(["añ😀"], ["ñ😀"]).tolist() == [[1.0]]
    assert GapWeighted(2, 1.0)(["añ😀"], ["a😀"]).tolist() == [[1.0]]


def test_a_string_shorter_than_p_is_the_zero_vector():
    for kernel in (Spectrum(3), GapWeighted(3, 0.5)):
        assert kernel(["ab", "", "abc"])[:, :2].tolist() == [[0, 0]] * 3


# --- sets ----------------------------------------------------------------------------------------


@given(set_lists)
def test_the_intersection_kernel_is_the_inner_product_of_membership(X):
    phi = np.array([[e in A for e in ELEMENTS] for A in X], dtype=int)
    assert Intersection()(X).tolist() == (phi @ phi.T).tolist()


@given(set_lists)
def test_the_common_subsets_kernel_counts_the_subsets_of_both(X):
    phi = np.array([subset_indicators(A) for A in X], dtype=int)
    assert CommonSubsets()(X).tolist() == (phi @ phi.T).tolist()


def test_two_shared_elements_make_four_common_subsets():
    A, B = {"milk", "bread", "tea"}, frozenset({"milk", "bread", "jam", "salt"})
    assert Intersection()([A], [B]).item() == 2
    assert CommonSubsets()([A], [B]).item() == 4


# --- graphs --------------------------------------------------------------------------------------


@given(graph_lists, st.integers(0, 3))
def test_weisfeiler_lehman_counts_shared_trees_of_walks(X, rounds):
    expected = inner_products([tree_counts(graph, rounds) for graph in X])
    assert WeisfeilerLehman(rounds)(X).tolist() == expected


@settings(max_examples=30)
@given(st.lists(graphs(), min_size=2, max_size=2))
def test_the_random_walk_kernel_is_the_weighted_count_of_shared_walks(X):
    decay, longest = 0.001, 5
    counted = [walk_counts(graph, longest) for graph in X]
    expected = [
        [sum(decay ** (len(l) - 1) * c * z[l] for l, c in x.items()) for z in counted]
        for x in counted
    ]
    left_out = (
        25 * (16 * decay) ** (longest + 1) / (1 - 16 * decay)
    )  # 25 starts, at most 4 x 4 ways at a step
    K = RandomWalk(decay)(X)
    assert (K >= np.array(expected) * (1 - 1e-12)).all()
    assert (K <= np.array(expected) + left_out).all()


def test_random_walks_on_one_edge_form_a_geometric_series():
    edge = Graph("CC", [(0, 1)])  # 4 pairs of vertices, each with one step to take
    assert RandomWalk(0.5)([edge]).item() == pytest.approx(4 / (1 - 0.5), rel=1e-12)


def renumbered(graph, order):
    """Return the same graph with vertex order[i] now called i."""
    new = np.argsort(order)
    return Graph([graph.labels[old] for old in order], [(new[u], new[v]) for u, v in graph.edges])


@given(graphs(), seeds)
def test_an_isomorphic_graph_has_the_same_features(graph, seed):
    order = np.random.default_rng(seed).permutation(len(graph.labels))
    twin = renumbered(graph, order)
    first, second = WeisfeilerLehman(3).counts([graph, twin])
    assert first == second
    for kernel in (WeisfeilerLehman(3), RandomWalk(DECAY)):
        np.testing.assert_allclose(distances(kernel, [graph], [twin]), 0, atol=1e-6)


@given(graphs(), graphs(), seeds)
def test_numbering_the_vertices_anew_changes_no_kernel_value(G, H, seed):
    order = np.random.default_rng(seed).permutation(len(G.labels))
    for kernel in (WeisfeilerLehman(2), RandomWalk(DECAY)):
        before, after = kernel([G], [H]), kernel([renumbered(G, order)], [H])
        np.testing.assert_allclose(after, before, rtol=1e-12)


@pytest.mark.parametrize("kernel", [WeisfeilerLehman(6), RandomWalk(0.2)], ids=repr)
def test_two_triangles_and_a_hexagon_look_the_same(kernel):
    K = kernel([TWO_TRIANGLES, HEXAGON])
    np.testing.assert_allclose(K, K[0, 0], rtol=1e-12)  # one point of phi-space, two graphs


def test_refinement_tells_a_path_from_a_star_that_labels_alone_confuse():
    path, star = Graph("CCCC", [(0, 1), (1, 2), (2, 3)]), Graph("CCCC", [(0, 1), (0, 2), (0, 3)])
    assert distances(WeisfeilerLehman(0), [path], [star]).item() == 0
    assert distances(WeisfeilerLehman(1), [path], [star]).item() > 0


def test_a_label_that_is_a_number_is_not_confused_with_a_refined_label():
    isolated = Graph((0, 1), [])
    assert WeisfeilerLehman(1).counts([isolated])[0].total() == 4
    assert max(WeisfeilerLehman(1).counts([isolated])[0].values()) == 1


def test_graphs_without_a_shared_label_are_orthogonal():
    for kernel in (WeisfeilerLehman(2), RandomWalk(0.1)):
        assert kernel([PATH], [Graph("NN", [(0, 1)])]).item() == 0


def test_a_graph_is_the_same_however_its_edges_are_written():
    assert Graph("CCO", [(1, 0), (2, 1), (0, 1)]) == PATH
    assert Graph(["C", "C", "O"], np.array([[0, 1], [1, 2]])) == PATH


def test_walks_that_do_not_converge_are_refused_with_the_largest_decay():
    triangle = Graph("CCC", cycle(3))  # radius 2, its product with itself 4
    assert np.isfinite(RandomWalk(0.249)([triangle])).all()
    for decay in (0.25, 1.0):
        with pytest.raises(ValueError, match=r"do not converge: decay must be below 0\.25"):
            RandomWalk(decay)([triangle])


# --- they are kernels like all others ------------------------------------------------------------


@given(examples)
def test_every_discrete_gram_matrix_is_certified(kernel_and_list):
    kernel, X = kernel_and_list
    K = kernel(X)
    assert (K == K.T).all()
    assert psd_certificate(K).valid


@given(examples)
def test_the_diagonal_and_the_blocks_are_those_of_the_gram_matrix(kernel_and_list):
    kernel, X = kernel_and_list
    K = kernel(X)
    np.testing.assert_allclose(kernel.diagonal(kernel.check(X)), K.diagonal(), rtol=1e-12)
    np.testing.assert_allclose(kernel(X, X[::-1]), K[:, ::-1], rtol=1e-12)
    np.testing.assert_allclose(norms(kernel, X) ** 2, K.diagonal(), rtol=1e-12)
    tiles = tiled_product(kernel, X, X, np.ones(len(X)), memory=8)
    np.testing.assert_allclose(tiles, K.sum(axis=1), rtol=1e-12)


@given(word_lists)
def test_the_algebra_builds_new_kernels_on_strings(X):
    short, long = Spectrum(1), GapWeighted(2, 0.5)
    expected = (2 * short(X) + long(X)) * short(X) ** 3
    composed = (2 * short + long) * short**3
    np.testing.assert_allclose(composed(X), expected, rtol=1e-12)
    assert psd_certificate(composed(X)).valid


def test_a_normalised_kernel_is_a_cosine():
    words = ["kernel", "colonel", "kern"]
    for kernel in (Spectrum(2), GapWeighted(2, 0.5)):
        K = kernel.normalised()(words)
        np.testing.assert_allclose(K.diagonal(), 1, rtol=1e-12)
        assert (K <= 1 + 1e-12).all()


def test_the_formula_of_a_kernel_is_its_repr():
    composed = 2 * Spectrum(3) + GapWeighted(2, 0.5)
    assert repr(composed) == "2·spectrum_3(x, z) + gaps_2(x, z; 0.5)"
    assert repr(Intersection() * CommonSubsets()) == "|x ∩ z|·2^|x ∩ z|"
    assert repr(WeisfeilerLehman(2) + RandomWalk(0.1)) == "WL_2(x, z) + walks(x, z; 0.1)"


@pytest.mark.parametrize("kernel", [Spectrum(2), GapWeighted(2, 0.5)], ids=repr)
@pytest.mark.parametrize("run", [kernel_perceptron, kernel_perceptron_list])
def test_the_kernel_perceptron_learns_from_strings_within_its_mistake_bound(run, kernel):
    X = ["abab", "babab", "ababa", "abba", "aabb", "bbaa", "bbbaa", "aaabbb"]
    y = np.array([1, 1, 1, -1, -1, -1, -1, -1])
    learned = run(X, y, kernel)
    assert learned.converged
    assert learned.predict(X).tolist() == y.tolist()
    assert kernel_mistake_bound(learned, X, y).holds


def test_the_kernel_perceptron_on_strings_is_the_perceptron_on_phi():
    X, y = ["abab", "babab", "abba", "aabb", "bbaa"], np.array([1, 1, -1, -1, -1])
    phi = np.array([substring_counts(s, 2) for s in X])
    mistakes = kernel_perceptron(X, y, Spectrum(2)).mistakes
    assert mistakes.tolist() == perceptron(phi, y).mistakes.tolist()


def test_the_kernel_perceptron_learns_from_sets_and_graphs():
    rings = [Graph("C" * n, cycle(n)) for n in (3, 4, 5, 6)]
    paths = [Graph("C" * n, cycle(n)[:-1]) for n in (3, 4, 5, 6)]
    y = np.repeat([1, -1], 4)
    assert kernel_perceptron(rings + paths, y, WeisfeilerLehman(1)).converged
    odd = [{1, 2}, {1}, {1, 3}, {2, 3}, {2}, {3}]
    assert kernel_perceptron(odd, np.repeat([1, -1], 3), CommonSubsets()).converged


def test_the_given_list_is_not_modified():
    X = [{1, 2}, {3}]
    K = Intersection()(X)
    X[0].add(3)
    assert K.tolist() == [[2, 0], [0, 1]]
    assert X == [{1, 2, 3}, {3}]


# --- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kernel, X, message",
    [
        (Spectrum(2), "abc", "list of strings, not str"),
        (GapWeighted(2, 0.5), "abc", "list of strings, not str"),
        (Spectrum(2), ["abc", 3], r"X\[1\] is a int; this kernel takes strings"),
        (Spectrum(2), [], "X is empty"),
        (Spectrum(2), np.zeros((2, 2)), r"X\[0\] is a ndarray"),
        (Spectrum(2), 3, "not int"),
        (Intersection(), {1, 2}, "list of sets, not set"),
        (Intersection(), [[1, 2]], r"X\[0\] is a list; this kernel takes sets"),
        (CommonSubsets(), [set(range(1024))], "over 1023 elements"),
        (WeisfeilerLehman(1), PATH, "list of Graphs, not Graph"),
        (RandomWalk(0.1), ["CCO"], r"X\[0\] is a str; this kernel takes Graphs"),
    ],
)
def test_a_wrong_list_of_examples_is_refused_in_words(kernel, X, message):
    with pytest.raises(ValueError, match=message):
        kernel(X)


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: Spectrum(0), "p must be a whole number >= 1"),
        (lambda: GapWeighted(1.5, 0.5), "p must be a whole number"),
        (lambda: GapWeighted(2, 0.0), "decay must be a number > 0"),
        (lambda: GapWeighted(2, 1.1), "decay must be a number from 0 to 1"),
        (lambda: GapWeighted(2, "a"), "decay must be a number"),
        (lambda: WeisfeilerLehman(-1), "rounds must be a whole number >= 0"),
        (lambda: RandomWalk(0.0), "decay must be a number > 0"),
        (lambda: RandomWalk(float("nan")), "decay must be a number > 0"),
        (lambda: Graph("", []), "one or more vertices"),
        (lambda: Graph([["C"]], []), "one or more vertices"),
        (lambda: Graph("CC", [(0, 2)]), r"two different vertices of 0, \.\.\., 1"),
        (lambda: Graph("CC", [(-1, 1)]), "two different vertices"),
        (lambda: Graph("CC", [(1, 1)]), "two different vertices"),
        (lambda: Graph("CC", [(0, 1, 1)]), "An edge is a pair of vertices"),
        (lambda: Graph("CC", [0]), "An edge is a pair of vertices"),
        (lambda: Graph("CC", [(0.0, 1.0)]), "An edge is a pair of vertices"),
    ],
)
def test_a_wrong_parameter_is_refused_in_words(make, message):
    with pytest.raises(ValueError, match=message):
        make()
