"""Explicit feature maps: phi(x).phi(z) is K(x, z), written out and counted."""

from collections import Counter
from itertools import product
from math import comb, exp, factorial, sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectures_lib import features, kernels
from lectures_lib.kernels import Gaussian, Linear, Polynomial
from tests.strategies import seeds


def points(seed, n=6, d=2, scale=1.5):
    return scale * np.random.default_rng(seed).normal(size=(n, d))


def dot(x, z):
    return sum(float(a) * float(b) for a, b in zip(x, z))


def table(f, X, Z):
    """Return f(x, z) for all pairs by two plain loops."""
    return np.array([[f(x, z) for z in Z] for x in X])


def ordered_products(X, degree):
    """Return x_i x_j ... for every *ordered* choice of `degree` coordinates: n^degree of them."""
    choices = product(range(X.shape[1]), repeat=degree)
    return np.column_stack([X[:, list(c)].prod(axis=1) for c in choices])


# KE-1: phi need not be unique


@given(seeds)
def test_the_square_of_the_dot_product_is_the_dot_product_of_both_maps(seed):
    X, Z = points(seed), points(seed + 1, n=4)
    K = table(lambda x, z: dot(x, z) ** 2, X, Z)
    for phi, N in ((features.square_map_3, 3), (features.square_map_4, 4)):
        assert phi(X).shape == (6, N)
        np.testing.assert_allclose(phi(X) @ phi(Z).T, K, rtol=1e-12, atol=1e-12)


def test_the_two_maps_of_one_kernel_are_those_of_the_slide():
    assert features.square_map_4([[2, 3]]).tolist() == [[4, 9, 6, 6]]
    np.testing.assert_allclose(features.square_map_3([[2, 3]]), [[4, 9, 6 * sqrt(2)]], rtol=1e-15)


def test_rotating_phi_gives_as_many_maps_of_one_kernel_as_one_likes():
    X = points(0)
    phi = features.square_map_3(X)
    Q = np.linalg.qr(np.random.default_rng(1).normal(size=(3, 3)))[0]
    assert not np.allclose(phi @ Q, phi, rtol=1e-3)
    np.testing.assert_allclose(phi @ Q @ (phi @ Q).T, phi @ phi.T, rtol=1e-12, atol=1e-12)


def test_without_the_root_of_two_the_map_belongs_to_another_kernel():
    X = points(2)
    wrong = np.column_stack([X[:, 0] ** 2, X[:, 1] ** 2, X[:, 0] * X[:, 1]])
    assert not np.allclose(wrong @ wrong.T, Polynomial(2, one=False)(X), rtol=1e-3)


# KE-2: explicit maps equal their kernels


@given(seeds)
def test_the_map_of_the_slides_belongs_to_the_sum_of_two_powers(seed):
    X, Z = points(seed), points(seed + 1, n=3)
    phi, psi = features.second_order_map(X), features.second_order_map(Z)
    K = table(lambda x, z: dot(x, z) + dot(x, z) ** 2, X, Z)
    np.testing.assert_allclose(phi @ psi.T, K, rtol=1e-12, atol=1e-12)
    sums = Linear() + Linear() ** 2
    np.testing.assert_allclose(phi @ psi.T, sums(X, Z), rtol=1e-12, atol=1e-12)


def test_the_second_order_map_has_the_order_of_the_slide():
    expected = [[2, 3, 4, 6 * sqrt(2), 9]]
    np.testing.assert_allclose(features.second_order_map([[2, 3]]), expected, rtol=1e-15)


@given(seeds)
def test_one_plus_dot_squared_expands_by_hand_into_six_features(seed):
    X, Z = points(seed), points(seed + 1, n=3)

    def by_hand(X):
        x1, x2 = X.T
        r = sqrt(2)
        return np.column_stack([np.ones(len(X)), x1**2, r * x1 * x2, x2**2, r * x1, r * x2])

    K = Polynomial(2)(X, Z)
    np.testing.assert_allclose(by_hand(X) @ by_hand(Z).T, K, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(
        np.sort(np.abs(by_hand(X)), axis=1),
        np.sort(np.abs(features.polynomial_map(X, 2)), axis=1),
        rtol=1e-12,
        atol=1e-15,
    )


@pytest.mark.parametrize("one", [True, False])
@pytest.mark.parametrize("degree", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_the_polynomial_map_has_the_kernel_s_inner_products(degree, d, one):
    X, Z = points(degree, n=5, d=d), points(d + 10, n=4, d=d)
    phi, psi = (features.polynomial_map(A, degree, one=one) for A in (X, Z))
    K = table(lambda x, z: (one + dot(x, z)) ** degree, X, Z)
    np.testing.assert_allclose(phi @ psi.T, K, rtol=1e-11, atol=1e-11 * np.abs(phi).max() ** 2)


def test_degree_one_without_the_one_is_the_identity():
    X = points(3, d=4)
    assert features.polynomial_map(X, 1, one=False).tolist() == X.tolist()


# KE-3: counting


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("d", [1, 2, 3, 4])
def test_the_counts_equal_enumeration_and_the_columns_of_the_map(n, d):
    exponents = list(product(range(d + 1), repeat=n))
    exactly = [j for j in exponents if sum(j) == d]
    at_most = [j for j in exponents if sum(j) <= d]
    assert features.count_monomials(n, d) == len(exactly) == comb(d + n - 1, d)
    assert features.count_up_to(n, d) == len(at_most) == comb(n + d, d)
    X = points(0, n=2, d=n)
    assert features.polynomial_map(X, d, one=False).shape[1] == len(exactly)
    assert features.polynomial_map(X, d).shape[1] == len(at_most)


def test_degree_six_in_a_hundred_variables_has_1_609_344_100_monomials():
    assert features.count_monomials(100, 6) == 1_609_344_100


@pytest.mark.parametrize("d", [1, 3, 10])
@pytest.mark.parametrize("p", [1, 2, 6])
def test_with_lower_degrees_the_one_acts_as_one_more_variable(d, p):
    assert features.count_up_to(d, p) == features.count_monomials(d + 1, p)
    lower = sum(features.count_monomials(d, k) for k in range(1, p + 1))
    assert features.count_up_to(d, p) == 1 + lower


@pytest.mark.parametrize("n", [2, 3, 4])
@pytest.mark.parametrize("d", [2, 3, 4])
def test_n_to_the_d_counts_ordered_products_which_repeat_the_monomials(n, d):
    X = points(5, n=4, d=n)
    phi = ordered_products(X, d)
    assert phi.shape[1] == n**d > features.count_monomials(n, d)
    K = Polynomial(d, one=False)(X)
    np.testing.assert_allclose(phi @ phi.T, K, rtol=1e-11, atol=1e-11 * K.max())
    repeats = Counter(tuple(sorted(c)) for c in product(range(n), repeat=d))
    assert len(repeats) == features.count_monomials(n, d)
    weights = sorted(sqrt(r) for r in repeats.values())  # the weights of the merged features
    merged = features.polynomial_map(np.ones((1, n)), d, one=False)[0]
    np.testing.assert_allclose(np.sort(merged), weights, rtol=1e-14)


@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_exponents_add_up_to_d_without_the_one_and_to_at_most_d_with_it(degree):
    X = np.abs(points(6, n=1, d=3)) + 0.5

    def degrees(one):  # x -> 2x doubles a feature once for each of its factors
        ratio = np.divide(*(features.polynomial_map(c * X, degree, one=one) for c in (2, 1)))
        return {int(k) for k in np.round(np.log2(ratio[0]))}

    assert degrees(one=False) == {degree}
    assert degrees(one=True) == set(range(degree + 1))  # L3 says d; with the 1 it is at most d


def test_a_billion_features_cost_one_dot_product():
    x, z = np.random.default_rng(0).normal(size=(2, 100)) / 10
    K = Polynomial(6, one=False)(x[None, :], z[None, :])
    assert K[0, 0] == pytest.approx(dot(x, z) ** 6, rel=1e-11)


@pytest.mark.parametrize("bad", [0, -1, 2.0, True, "2"])
def test_counts_and_degrees_are_whole_numbers(bad):
    for call in (
        lambda: features.count_monomials(bad, 2),
        lambda: features.count_monomials(2, bad),
        lambda: features.count_up_to(bad, 2),
        lambda: features.count_up_to(2, bad),
        lambda: features.polynomial_map([[1.0]], bad),
    ):
        with pytest.raises(ValueError, match="whole number >= 1"):
            call()


# KE-6: the Gaussian's series


@given(
    seeds,
    st.integers(0, 8),
    st.sampled_from([0.5, 1.3, 4.0]),
    st.sampled_from([1, 2, 3]),
    st.sampled_from([0.1, 1.0, 3.0]),
)
def test_the_series_is_off_by_no_more_than_its_stated_error(seed, degree, sigma, d, scale):
    X = points(seed, n=7, d=d, scale=scale)
    series = features.gaussian_map(X, sigma, degree)
    K = table(lambda x, z: exp(-dot(x - z, x - z) / (2 * sigma**2)), X, X)
    assert np.abs(series.phi @ series.phi.T - K).max() <= series.error + 1e-13
    assert 0 <= series.error <= 1


@given(seeds, st.integers(0, 8), st.sampled_from([0.7, 2.0]))
def test_the_error_is_attained_at_the_rim(seed, degree, sigma):
    X = points(seed, n=5, d=2)
    series = features.gaussian_map(X, sigma, degree)
    rim = np.argmax((X**2).sum(axis=1))
    missing = 1.0 - series.phi[rim] @ series.phi[rim]  # K(x, x) = 1
    assert missing == pytest.approx(series.error, rel=1e-9, abs=1e-13)


@given(seeds, st.sampled_from([0.7, 2.0]))
def test_the_error_is_the_tail_of_a_poisson_variable(seed, sigma):
    X = points(seed, n=3)
    r2 = max(dot(x, x) for x in X) / sigma**2
    for degree in range(6):
        head = sum(exp(-r2) * r2**k / factorial(k) for k in range(degree + 1))
        stated = features.gaussian_map(X, sigma, degree).error
        assert stated == pytest.approx(1 - head, rel=1e-6, abs=1e-13)


@given(seeds, st.sampled_from([0.8, 2.0]))
def test_every_further_term_lowers_the_error_down_to_nothing(seed, sigma):
    X = points(seed, n=4, d=1)
    X = np.clip(X, -3 * sigma, 3 * sigma) + 0.01
    degrees = (0, 1, 2, 3, 5, 8, 13, 21, 34, 55)
    errors = [features.gaussian_map(X, sigma, degree).error for degree in degrees]
    assert (np.diff(errors) < 0).all()
    assert errors[-1] < 1e-12


@pytest.mark.parametrize("degree", [0, 1, 2, 5])
def test_the_series_is_the_composition_of_the_slide(degree):
    X, sigma = points(8, n=6, d=2), 1.3
    series = kernels.Function(lambda x, z: 1.0, "1")
    for k in range(1, degree + 1):
        series = series + (1 / factorial(k)) * ((1 / sigma**2) * Linear()) ** k
    composed = series.scaled_by(lambda X: np.exp(-(X**2).sum(axis=1) / (2 * sigma**2)))
    phi = features.gaussian_map(X, sigma, degree).phi
    np.testing.assert_allclose(phi @ phi.T, composed(X), rtol=1e-12, atol=1e-14)
    assert phi.shape[1] == 1 + sum(features.count_monomials(2, k) for k in range(1, degree + 1))
    assert kernels.psd_certificate(composed(X)).valid


@pytest.mark.parametrize("sigma", [0, -1.0, np.inf, np.nan])
def test_a_width_is_a_positive_number(sigma):
    for call in (
        lambda: features.gaussian_map([[1.0]], sigma, 3),
        lambda: features.random_fourier([[1.0]], sigma, 3),
    ):
        with pytest.raises(ValueError, match=r"sigma must be a (finite )?number > 0"):
            call()


# Random Fourier features


def fourier_error(X, sigma, D, rng):
    phi = features.random_fourier(X, sigma, D, rng=rng)
    return np.abs(phi @ phi.T - Gaussian(sigma)(X))


def test_random_features_approach_the_gaussian_like_one_over_root_D():
    X, sigma = points(9, n=12, d=5), 2.0
    rms = {
        D: sqrt(np.mean([fourier_error(X, sigma, D, rng) ** 2 for rng in range(20)]))
        for D in (50, 5000)
    }
    assert rms[50] / rms[5000] == pytest.approx(10, rel=0.4)
    assert fourier_error(X, sigma, 5000, 0).max() < 0.15  # 5 deviations of a term over sqrt(D)


def test_random_features_depend_on_the_seed_alone():
    X = points(1)
    first, again, other = (features.random_fourier(X, 1.0, 7, rng=rng) for rng in (3, 3, 4))
    assert first.shape == (6, 7)
    assert first.tolist() == again.tolist() != other.tolist()
    assert np.abs(first).max() <= sqrt(2 / 7)


# KE-10: L3's region


def lecture_label(X, ellipse):
    """The labels as L3 writes them, by plain comparisons."""
    inside = [x * x + y * y <= 1 and x * x + 0.5 * y * y <= ellipse for x, y in X.tolist()]
    return np.where(inside, 1.0, -1.0)


def square(seed, n=400):
    return np.random.default_rng(seed).uniform(-2.0, 2.0, size=(n, 2))


@pytest.mark.parametrize("ellipse", [2.0, 0.75])
@given(seed=seeds)
def test_two_sign_features_make_the_region_linear(ellipse, seed):
    X = square(seed)
    y = features.region_map(X, ellipse=ellipse)
    assert set(np.unique(y)) <= {-1.0, 1.0}
    assert np.where(y.sum(axis=1) >= 2, 1.0, -1.0).tolist() == lecture_label(X, ellipse).tolist()


@given(seeds)
def test_the_ellipse_is_idle_on_the_whole_disc(seed):
    X = square(seed)
    x1, x2 = X.T
    # Proof: x1^2 + x2^2 / 2 <= x1^2 + x2^2 <= 1 < 2 on the disc.
    assert (x1**2 + 0.5 * x2**2 <= x1**2 + x2**2).all()
    y = features.region_map(X)
    assert (y[y[:, 0] == 1, 1] == 1).all()
    assert lecture_label(X, 2.0).tolist() == y[:, 0].tolist()  # the first feature says it all


@given(seeds)
def test_a_smaller_ellipse_bites(seed):
    y = features.region_map(square(seed, n=5000), ellipse=0.75)
    assert (y[y[:, 0] == 1, 1] == -1).any()  # in the disc, outside the ellipse
    assert (y[y[:, 1] == 1, 0] == -1).any()  # and the other way round: both are needed


def test_the_rim_belongs_to_the_region():
    rim = [[1.0, 0.0], [0.0, -1.0], [-1.0, 0.0]]
    assert features.region_map(rim).tolist() == [[1, 1]] * 3
    assert features.region_map([[np.sqrt(0.75) + 1e-9, 0.0]], ellipse=0.75).tolist() == [[1, -1]]


# Bad input and edges

MAPS = {
    "square 3": features.square_map_3,
    "square 4": features.square_map_4,
    "second order": features.second_order_map,
    "region": features.region_map,
}


@pytest.mark.parametrize("phi", MAPS.values(), ids=MAPS)
def test_a_map_of_the_plane_refuses_other_dimensions(phi):
    with pytest.raises(ValueError, match="takes 2"):
        phi(np.ones((2, 3)))


@pytest.mark.parametrize(
    "phi",
    [
        *MAPS.values(),
        lambda X: features.polynomial_map(X, 3),
        lambda X: features.gaussian_map(X, 1.5, 2).phi,
        lambda X: features.random_fourier(X, 1.5, 4),
    ],
)
def test_maps_take_lists_whole_numbers_and_float32_and_modify_nothing(phi):
    X = np.array([[1, 2], [-3, 0], [2, 2]])
    before = X.copy()
    expected = phi(X.astype(float)).tolist()
    assert phi(X).tolist() == phi(X.tolist()).tolist() == expected
    assert phi(X.astype(np.float32)).tolist() == expected
    assert (X == before).all()
