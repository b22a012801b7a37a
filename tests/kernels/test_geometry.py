"""Kernels separate, and measure: distances, norms and cosines in phi's space."""

from itertools import product
from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectures_lib import features, kernels, margins, perceptron
from lectures_lib.kernels import (
    Gaussian,
    Linear,
    Polynomial,
    psd_certificate,
)
from tests.kernels.test_kernels import close, composed, points, standard
from tests.kernels.test_validity import PAIR
from tests.strategies import integer_points, seeds


@st.composite
def distinct_points(draw):
    X = np.unique(draw(integer_points(min_n=2, max_n=9)), axis=0)
    rng = np.random.default_rng(draw(seeds))
    return rng.permutation(X) + rng.uniform(-0.1, 0.1, size=X.shape)  # no two at equal distances


@given(distinct_points(), seeds)
def test_any_distinct_points_with_any_labels_are_separable_with_the_gaussian(X, seed):
    K = Gaussian(0.5)(X)
    assert psd_certificate(K).least > 0.1  # positive definite, and clearly so
    y = np.random.default_rng(seed).choice([-1.0, 1.0], size=len(X))
    assert margins.max_margin(kernels.embed(K), y).separable
    run = perceptron.kernel_perceptron(X, y, Gaussian(0.5))
    assert run.converged
    assert (y * run.decision(X) > 0).all()


@pytest.mark.parametrize("sigma", [0.2, 0.6, 1.0])
def test_every_labelling_of_five_points_on_a_line_is_separable(sigma):
    X = np.array([[0.0], [1.0], [2.0], [3.5], [4.1]])
    Phi = kernels.embed(Gaussian(sigma)(X))
    for y in product([-1.0, 1.0], repeat=5):
        best = margins.max_margin(Phi, y)
        assert best.separable
        assert margins.set_margin(best.w, Phi, y) > 0


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_a_high_enough_dimension_separates_and_one_less_does_not(n):
    X = np.linspace(-1, 1, n)[:, None]
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)  # by turns: n - 1 changes of sign
    for degree in (n - 2, n - 1):
        Phi = kernels.embed(Polynomial(degree)(X))
        assert Phi.shape[1] == degree + 1
        assert margins.max_margin(Phi, y).separable == (degree == n - 1)


@standard
def test_a_point_with_both_labels_is_separable_by_no_kernel(kernel):
    X = np.array([[0.3, 1.2], [0.3, 1.2], [-1.0, 0.4]])
    y = np.array([1.0, -1.0, 1.0])
    Phi = kernels.embed(kernel(X))
    best = margins.max_margin(Phi, y)
    assert not best.separable
    assert best.weights.sum() == pytest.approx(1, rel=1e-12)
    assert (best.weights >= 0).all()
    combination = (best.weights * y) @ Phi  # 0: so no w has y w.phi > 0 on all of them
    assert np.linalg.norm(combination) <= 1e-9 * np.linalg.norm(Phi)
    assert not perceptron.kernel_perceptron(X, y, kernel, max_epochs=50).converged


# Geometry in phi-space, through K alone


def phi(X):
    return features.polynomial_map(X, 3)


@given(seeds, st.integers(1, 3))
def test_norms_and_distances_are_those_of_phi(seed, d):
    X, Z = points(seed, n=6, d=d), points(seed + 1, n=4, d=d)
    k = Polynomial(3)
    close(kernels.norms(k, X), np.linalg.norm(phi(X), axis=1))
    between = np.linalg.norm(phi(X)[:, None] - phi(Z)[None], axis=2)
    close(kernels.distances(k, X, Z), between, rtol=1e-7)  # a root of rounding


@standard
def test_a_point_is_at_distance_zero_from_itself(kernel):
    X = points(4)
    D = kernels.distances(kernel, X, X)
    assert np.isfinite(D).all()
    assert np.diag(D).max() <= 1e-7 * kernels.norms(kernel, X).max()


def test_for_the_linear_kernel_the_geometry_is_that_of_the_points():
    X, Z = points(5), points(6, n=2)
    close(kernels.norms(Linear(), X), np.linalg.norm(X, axis=1))
    close(
        kernels.distances(Linear(), X, Z), np.linalg.norm(X[:, None] - Z[None], axis=2), rtol=1e-7
    )


def test_all_points_have_norm_one_under_the_gaussian_and_distances_below_root_two():
    X = points(7, scale=100)
    assert kernels.norms(Gaussian(0.5), X).tolist() == [1.0] * len(X)
    assert kernels.distances(Gaussian(0.5), X, X).max() <= sqrt(2)


@given(seeds)
def test_the_normalised_kernel_is_the_cosine_in_phi_space(seed):
    X, Z = points(seed), points(seed + 1, n=4)
    k = Polynomial(3).normalised()
    unit, unit_z = (phi(A) / np.linalg.norm(phi(A), axis=1, keepdims=True) for A in (X, Z))
    close(k(X, Z), unit @ unit_z.T)
    close(k.diagonal(X), np.ones(len(X)))
    assert np.abs(k(X)).max() <= 1 + 1e-12


def test_where_phi_is_zero_the_cosine_is_zero_and_no_nan():
    k = Linear().normalised()
    assert k([[0.0, 0.0], [3.0, 0.0], [0.0, 2.0]]).tolist() == [[0, 0, 0], [0, 1, 0], [0, 0, 1]]
    assert k.diagonal(np.array([[0.0, 0.0]])).tolist() == [0.0]


@given(seeds, st.integers(1, 3))
def test_centring_gives_inner_products_from_the_mean_of_the_training_data(seed, d):
    X, Z = points(seed, n=6, d=d), points(seed + 1, n=4, d=d)
    mean = phi(X).mean(axis=0)
    k = Polynomial(3)
    here, new = kernels.centred(k(X)), kernels.centred(k(Z, X), k(X))
    scale = np.abs(k(X)).max()
    np.testing.assert_allclose(
        here, (phi(X) - mean) @ (phi(X) - mean).T, rtol=0, atol=1e-11 * scale
    )
    scale = max(scale, np.abs(k(Z, X)).max())
    np.testing.assert_allclose(new, (phi(Z) - mean) @ (phi(X) - mean).T, rtol=0, atol=1e-11 * scale)
    np.testing.assert_allclose(here.sum(axis=0), 0, atol=1e-10 * scale)


def test_new_points_centred_by_their_own_mean_would_be_wrong():
    X, Z, k = points(1, n=4), points(2, n=4), Polynomial(2)
    right, wrong = kernels.centred(k(Z, X), k(X)), kernels.centred(k(Z, X))
    assert not np.allclose(right, wrong, rtol=1e-3)


@given(composed, seeds, st.integers(1, 10))
def test_the_embedding_has_the_inner_products_it_was_made_from(kernel, seed, n):
    K = kernel(points(seed, n=n, d=2))
    E = kernels.embed(K)
    assert len(E) == n
    assert 1 <= E.shape[1] <= n
    close(E @ E.T, K, rtol=n * 1.1e-10)  # what counts as rounding is left out


def test_the_embedding_has_no_more_columns_than_the_rank():
    assert kernels.embed(Linear()(points(0, n=9, d=3))).shape == (9, 3)
    assert kernels.embed(Polynomial(2)(points(0, n=20, d=2))).shape == (20, 6)
    assert kernels.embed(np.zeros((3, 3))).tolist() == [[0.0]] * 3


def test_the_embedding_refuses_what_is_no_gram_matrix_and_says_why():
    with pytest.raises(ValueError, match="not a Gram matrix: v'Kv = -1 < 0"):
        kernels.embed(PAIR)
    with pytest.raises(ValueError, match="not symmetric"):
        kernels.embed([[1.0, 10.0], [0.0, 1.0]])
    with pytest.raises(ValueError, match="square"):
        kernels.embed(np.ones((2, 3)))


# Accuracy: duplicates, far points, tiny and huge scales
