"""Gram matrices: hard points, blocks, tiles, and input that is refused."""

import tracemalloc
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectures_lib import kernel_methods, kernels, perceptron
from lectures_lib.kernels import (
    Function,
    Gaussian,
    Laplace,
    Linear,
    Polynomial,
    psd_certificate,
)
from tests.kernels.test_kernels import (
    close,
    dot,
    exact_squared_distances,
    fewer,
    points,
    standard,
)
from tests.strategies import seeds


def hard_points(rng, shape, scale, spread):
    X = scale * rng.normal(size=(5, 2))
    if shape == "offset":
        X += 1e8
    elif shape == "two clusters":
        X[::2] += [1e8, -1e8]
    elif shape == "all magnitudes":
        X = X / scale * 10.0 ** rng.integers(-8, 9, size=(5, 1))
    elif shape == "a far point":
        X[-1] *= spread
    return np.vstack([X, X[[0, 2]]])  # with duplicates


hard = st.builds(
    hard_points,
    seeds.map(np.random.default_rng),
    st.sampled_from(["plain", "offset", "two clusters", "all magnitudes", "a far point"]),
    st.integers(-8, 8).map(lambda e: 10.0**e),
    st.sampled_from([10.0, 300.0, 1e5, 1e12]),
)
widths = st.one_of(st.integers(-8, 8).map(lambda e: 10.0**e), st.sampled_from([0.3, 7.0]))


@given(hard, widths)
def test_hard_points_give_a_clean_gaussian_gram_matrix(X, sigma):
    d2 = exact_squared_distances(X, X)
    for kernel, exact in (
        (Gaussian(sigma), np.exp(-d2 / (2 * sigma**2))),
        (Laplace(sigma), np.exp(-np.sqrt(d2) / (2 * sigma**2))),
    ):
        K = kernel(X)
        assert np.isfinite(K).all()
        assert K.min() >= 0
        assert K.max() <= 1
        assert (K == K.T).all()
        assert np.diag(K).tolist() == [1.0] * len(X)
        np.testing.assert_allclose(K, exact, rtol=0, atol=1e-9)


@given(hard, hard, widths)
def test_hard_points_give_a_clean_gaussian_block(X, Z, sigma):
    Z = np.vstack([Z[:3], X[:2]])  # some of them the same
    d2 = exact_squared_distances(X, Z)
    for kernel, exact in (
        (Gaussian(sigma), np.exp(-d2 / (2 * sigma**2))),
        (Laplace(sigma), np.exp(-np.sqrt(d2) / (2 * sigma**2))),
    ):
        K = kernel(X, Z)
        assert K.min() >= 0
        assert K.max() <= 1
        np.testing.assert_allclose(K, exact, rtol=0, atol=1e-9)


def test_a_far_point_does_not_blur_the_near_ones():
    X = np.array([[1e-8], [2e-8], [1e8]])  # a common centre would be rounded away
    assert Gaussian(1e-8)(X)[0, 1] == pytest.approx(exp(-0.5), rel=1e-9)


def test_duplicates_have_laplace_similarity_one():
    X = points(0, n=50, scale=100)
    K = Laplace(1.0)(np.vstack([X, X]))
    assert np.diag(K[:50, 50:]).tolist() == [1.0] * 50  # the root of a rounding error would show


@pytest.mark.parametrize("size", [1e50, 1e100, 1e150])
def test_points_as_far_as_numbers_are_taken_give_no_nan(size):
    X = [[size, 0.0], [-size, 0.0], [0.0, 0.0], [size, 0.0]]
    expected = [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1]]
    assert Gaussian(1.0)(X).tolist() == Laplace(1.0)(X).tolist() == expected


@given(seeds, st.integers(1, 60), st.integers(1, 6))
def test_gram_matrices_are_symmetric_to_the_bit(seed, n, d):
    X = points(seed, n=n, d=d)
    for kernel in (Linear(), Polynomial(3), Gaussian(0.9), Laplace(0.9), Gaussian(2) * Linear()):
        K = kernel(X)
        assert (K == K.T).all()


@given(hard)
def test_squared_distances_are_never_negative_and_zero_on_the_diagonal(X):
    D = kernels.squared_distances(X, X)
    assert D.min() >= 0
    assert np.diag(D).tolist() == [0.0] * len(X)
    np.testing.assert_allclose(D, exact_squared_distances(X, X), rtol=1e-9, atol=1e-9)


# Blocks: the same numbers within a memory budget

budgets = st.one_of(st.integers(1, 600), st.sampled_from([8, 64, 10_000, 10**9]))


@standard
@fewer
@given(seed=seeds, n=st.integers(1, 12), m=st.integers(1, 9), memory=budgets)
def test_blocks_are_the_rows_of_the_full_matrix_for_any_budget(kernel, seed, n, m, memory):
    X, Z = points(seed, n=n, d=2), points(seed + 1, n=m, d=2)
    full, covered = kernel(X, Z), []
    for rows, K in kernels.blocks(kernel, X, Z, memory=memory):
        assert K.nbytes <= max(memory, 8 * m)  # one row is the least there is
        close(K, full[rows], rtol=1e-10)
        covered += range(n)[rows]
    assert covered == list(range(n))


@standard
@fewer
@given(seed=seeds, memory=budgets)
def test_the_product_in_tiles_is_the_product_of_the_full_matrix(kernel, seed, memory):
    X, Z = points(seed, n=9, d=2), points(seed + 1, n=5, d=2)
    one, several = points(seed + 2, n=5, d=1)[:, 0], points(seed + 3, n=5, d=3)
    scale = np.abs(kernel(X, Z)).max()
    for c in (one, several):
        got = kernels.product(kernel, X, Z, c, memory=memory)
        np.testing.assert_allclose(got, kernel(X, Z) @ c, rtol=1e-9, atol=1e-9 * scale)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2), Gaussian(1.0), Laplace(1.0)])
def test_the_product_never_holds_the_full_matrix(kernel):
    X = points(0, n=2000, d=2)
    full = 8 * len(X) ** 2
    tracemalloc.start()
    kernels.product(kernel, X, X, np.ones(len(X)), memory=full // 40)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < full / 5  # a block, what it is made from, and the one before


# Input


@standard
@pytest.mark.parametrize(("d", "e"), [(3, 2), (1, 3), (3, 1)])
def test_blocks_of_points_with_different_feature_counts_are_refused(kernel, d, e):
    X, Z = points(0, d=d), points(1, n=4, d=e)
    for call in (
        lambda: kernel(X, Z),
        lambda: list(kernels.blocks(kernel, X, Z)),
        lambda: kernels.product(kernel, X, Z, np.ones(4)),
        lambda: kernels.distances(kernel, X, Z),
    ):
        with pytest.raises(ValueError, match=f"X has {d} features and Z {e}"):
            call()


@standard
@pytest.mark.parametrize("bad", [[1.0, 2.0], [[np.nan, 1.0]], [["a", "b"]], np.zeros((0, 2))])
def test_what_is_no_table_of_numbers_is_refused_with_advice(kernel, bad):
    for call in (
        lambda: kernel(bad),
        lambda: kernel([[1.0, 2.0]], bad),
        lambda: kernels.norms(kernel, bad),
        lambda: list(kernels.blocks(kernel, bad, [[1.0, 2.0]])),
    ):
        with pytest.raises(ValueError, match="X "):
            call()


@standard
def test_lists_whole_numbers_and_float32_are_taken_and_nothing_is_modified(kernel):
    X, Z = np.array([[1, 2], [-3, 0], [2, 2]]), np.array([[0, 1], [2, 2]])
    before = X.copy(), Z.copy()
    expected = kernel(X.astype(float), Z.astype(float)).tolist()
    for given_X, given_Z in (
        (X, Z),
        (X.tolist(), Z.tolist()),
        (X.astype(np.float32), Z.astype(np.int8)),
        (np.asfortranarray(X.astype(float)), Z[::-1][::-1]),
    ):
        assert kernel(given_X, given_Z).tolist() == expected
    assert (X == before[0]).all()
    assert (Z == before[1]).all()


@standard
def test_a_call_leaves_floats_alone_and_returns_a_new_array(kernel):
    X = points(8)
    before = X.copy()
    first, second = kernel(X), kernel(X)
    kernels.norms(kernel, X)
    kernels.distances(kernel, X, X)
    list(kernels.blocks(kernel, X, X, memory=100))
    assert (X == before).all()
    assert not np.shares_memory(first, X)
    assert not np.shares_memory(first, second)
    assert first.tolist() == second.tolist()


def test_certificates_and_centring_do_not_modify_their_matrix():
    K = Gaussian(1.0)(points(9))
    before = K.copy()
    psd_certificate(K)
    kernels.centred(K)
    kernels.embed(K)
    assert (K == before).all()


# What is no kernel object, and what a kernel must not return

DOORS = {
    "product": lambda k: kernels.product(k, [[1.0]], [[1.0]], [1.0]),
    "norms": lambda k: kernels.norms(k, [[1.0]]),
    "distances": lambda k: kernels.distances(k, [[1.0]], [[1.0]]),
    "kernel_perceptron": lambda k: perceptron.kernel_perceptron([[1.0], [2.0]], [1, -1], k),
    "kernel_perceptron_list": lambda k: perceptron.kernel_perceptron_list(
        [[1.0], [2.0]], [1, -1], k
    ),
    "kernel_ridge": lambda k: kernel_methods.kernel_ridge([[1.0], [2.0]], [1.0, 2.0], k, 1.0),
    "kernel_pca": lambda k: kernel_methods.kernel_pca([[1.0], [2.0]], k),
    "kernel_kmeans": lambda k: kernel_methods.kernel_kmeans([[1.0], [2.0]], k, 1),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize(
    ("kernel", "advice"),
    [
        ("gaussian", r"write kernels\.Gaussian\(1\.0\)"),
        ("RBF", r"write kernels\.Gaussian\(1\.0\)"),
        ("sigmoid", r"write kernels\.Linear\(\), kernels\.Gaussian"),
        (Gaussian, r"an instance of it, kernels\.Gaussian\(\.\.\.\)"),
        (dot, r"kernels\.Function\(f\)"),
        (None, "kernel must be a kernel object, not None"),
    ],
)
def test_what_is_no_kernel_object_is_refused_with_what_to_write(door, kernel, advice):
    with pytest.raises(ValueError, match=advice):
        DOORS[door](kernel)


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_kernel_that_returns_no_number_is_named(door, value):
    with pytest.raises(ValueError, match="broken gives NaN or infinity"):
        DOORS[door](Function(lambda x, z: value, "broken"))


def test_a_difference_of_kernels_is_refused_with_a_sentence():
    for difference in (lambda: Linear() - Linear(), lambda: Linear() - 1, lambda: 1 - Linear()):
        with pytest.raises(ValueError, match="difference of kernels need not be a kernel"):
            difference()


def test_a_negative_square_is_no_norm():
    with pytest.raises(ValueError, match=r"K\(x, x\) = -1 < 0 for an x: minus is no kernel"):
        kernels.norms(Function(lambda x, z: -1.0, "minus"), [[1.0]])


def test_a_factor_is_one_number_per_row():
    with pytest.raises(ValueError, match=r"g returned shape \(2, 1\) for 2 rows"):
        Linear().scaled_by(lambda X: X[:, :1], "g")([[1.0], [2.0]])


def test_distances_with_the_linear_kernel_do_not_mind_where_the_data_are():
    X = np.round(points(3), 1)
    near, far = (kernels.distances(Linear(), Z, Z) for Z in (X, X + 1e8))
    np.testing.assert_allclose(far, near, atol=1e-6)


@pytest.mark.parametrize(
    ("X", "Z", "message"),
    [
        ([1.0], [[1.0]], "one row per example"),
        ([[1.0]], [[np.nan]], "Z contains NaN"),
        ([[1.0]], [[1.0, 2.0]], "X has 1 features and Z 2"),
    ],
)
def test_squared_distances_check_their_points(X, Z, message):
    with pytest.raises(ValueError, match=message):
        kernels.squared_distances(X, Z)
