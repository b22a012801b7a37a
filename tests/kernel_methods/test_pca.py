"""Kernel principal components, and what all three kernel methods share."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from sklearn.decomposition import KernelPCA

from lectures_lib.discrete import Spectrum
from lectures_lib.features import polynomial_map
from lectures_lib.kernel_methods import (
    kernel_kmeans,
    kernel_pca,
    kernel_ridge,
    pca_certificate,
)
from lectures_lib.kernels import Function, Linear, Polynomial, distances
from tests.kernel_methods.test_kernel_methods import GAUSSIAN, QUADRATIC, WORDS, kernels, points
from tests.strategies import integer_points

# --- principal components ------------------------------------------------------------------------


def up_to_sign(A, B):
    """Return A with each column turned to point like B's."""
    return A * np.where(np.einsum("ij,ij->j", A, B) < 0, -1.0, 1.0)


def test_kernel_pca_with_the_linear_kernel_is_pca():
    X, Z = points(30, 4) * [4, 3, 2, 1] + 10, points(5, 4, seed=1)
    U, s, Vt = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    pca = kernel_pca(X, Linear())
    np.testing.assert_allclose(pca.variances, s**2 / 30, rtol=1e-9)
    np.testing.assert_allclose(pca.explained, s**2 / np.sum(s**2), rtol=1e-9)
    np.testing.assert_allclose(up_to_sign(pca.scores, U * s), U * s, atol=1e-9)
    turned = up_to_sign(Vt.T, (X - X.mean(axis=0)).T @ pca.scores)
    np.testing.assert_allclose(pca.transform(Z), (Z - X.mean(axis=0)) @ turned, atol=1e-9)


@pytest.mark.parametrize("kernel", [GAUSSIAN, QUADRATIC, Polynomial(3)], ids=repr)
def test_kernel_pca_agrees_with_scikit_learn(kernel):
    X, Z = points(), points(8, seed=1)
    other = KernelPCA(4, kernel="precomputed").fit(kernel(X))
    pca = kernel_pca(X, kernel, 4)
    np.testing.assert_allclose(pca.values, other.eigenvalues_, rtol=1e-9)
    expected = other.transform(kernel(Z, X))
    scale = np.abs(expected).max()
    np.testing.assert_allclose(up_to_sign(pca.transform(Z), expected), expected, atol=1e-9 * scale)


def test_kernel_pca_is_pca_on_phi_for_new_points_too():
    X, Z = points(), points(8, seed=1)
    Phi, New = polynomial_map(X, 2), polynomial_map(Z, 2)
    Vt = np.linalg.svd(Phi - Phi.mean(axis=0), full_matrices=False)[2][:3]
    expected = (New - Phi.mean(axis=0)) @ Vt.T
    projected = kernel_pca(X, QUADRATIC, 3).transform(Z)
    np.testing.assert_allclose(up_to_sign(projected, expected), expected, atol=1e-8)


@settings(max_examples=60)
@given(integer_points(min_n=2), kernels)
def test_every_kernel_pca_is_certified_and_projects_its_own_points_to_its_scores(X, kernel):
    assume(distances(kernel, X[:1], X).max() > 0)
    pca = kernel_pca(X, kernel)
    assert pca.certificate.holds
    assert pca.explained.sum() == pytest.approx(1.0, abs=1e-9)
    assert (np.diff(pca.values) <= 0).all()
    scale = np.sqrt(np.trace(kernel(X)))
    np.testing.assert_allclose(pca.transform(X), pca.scores, atol=1e-6 * scale)
    np.testing.assert_allclose(pca.scores.sum(axis=0), 0, atol=1e-6 * scale)


def test_all_components_keep_all_distances():
    X = points(12)
    scores = kernel_pca(X, GAUSSIAN).scores
    np.testing.assert_allclose(
        distances(Linear(), scores, scores), distances(GAUSSIAN, X, X), atol=1e-6
    )


def test_centring_matters_and_a_shift_of_the_data_does_not():
    X = points()
    near, far = kernel_pca(X, Linear(), 2), kernel_pca(X + 100, Linear(), 2)
    np.testing.assert_allclose(near.scores, far.scores, atol=1e-8)
    np.testing.assert_allclose(near.transform(X[:3]), far.transform(X[:3] + 100), atol=1e-8)


def test_components_beyond_the_rank_are_refused_with_the_rank():
    X = np.column_stack([points(20, 2), np.zeros(20)]) @ np.ones((3, 3)) + points(20, 1) @ [
        [1, 2, 3]
    ]
    assert kernel_pca(X, Linear()).scores.shape == (20, 2)
    with pytest.raises(ValueError, match="vary in 2 directions"):
        kernel_pca(X, Linear(), 3)


def test_repeated_examples_leave_no_division_by_an_eigenvalue_of_zero():
    X = np.repeat(points(4), 5, axis=0)
    pca = kernel_pca(X, GAUSSIAN)
    assert pca.scores.shape == (20, 3)  # 4 different points span 3 directions
    assert np.isfinite(pca.transform(points(6, seed=1))).all()


def test_signs_are_fixed_so_that_the_first_largest_entry_is_positive():
    X = np.array([[-2.0, 0.0], [2.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    for same in (X, -X, X * [1, -1], X * [-1, 1]):  # each sign of each component, one answer
        expected = np.array([[2.0, 0.0], [-2.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
        assert kernel_pca(same, Linear()).scores == pytest.approx(expected, abs=1e-12)


def test_the_pca_certificate_rejects_wrong_answers():
    K, pca = GAUSSIAN(points()), kernel_pca(points(), GAUSSIAN, 3)
    whole = kernel_pca(points(), GAUSSIAN)
    uncentred = np.linalg.eigh(K)
    wrong = {
        "value moved": (pca.values * 1.001, pca.V),
        "vectors mixed": (pca.values, pca.V[:, [1, 0, 2]]),
        "one twice": (pca.values, pca.V[:, [0, 0, 2]]),
        "largest left out": (whole.values[1:4], whole.V[:, 1:4]),
        "not centred": (uncentred[0][::-1][:3], uncentred[1][:, ::-1][:, :3]),
        "not of length 1": (pca.values, 1.01 * pca.V),
    }
    assert pca_certificate(K, pca.values, pca.V).holds
    assert [name for name, answer in wrong.items() if pca_certificate(K, *answer).holds] == []


def test_far_from_the_origin_the_pca_certificate_still_tells_right_from_wrong():
    X = points() + 1e3
    pca = kernel_pca(X, Linear(), 2)
    assert pca.certificate.holds
    assert not pca_certificate(Linear()(X), pca.values * 1.001, pca.V).holds


def test_kernel_pca_projects_strings():
    pca = kernel_pca(WORDS, Spectrum(1))
    assert pca.scores.shape == (6, 2)  # the counts of a and b
    np.testing.assert_allclose(pca.transform(WORDS), pca.scores, atol=1e-9)


@pytest.mark.parametrize(
    "X, kernel, components, message",
    [
        (np.ones((4, 2)), GAUSSIAN, None, "All examples are the same"),
        (points(1), GAUSSIAN, 1, "All examples are the same"),
        (points(), GAUSSIAN, 0, "components must be a whole number >= 1"),
        (points(), GAUSSIAN, 30, "vary in 29 directions"),
        (points(), Function(lambda x, z: float((x - z) @ (x - z))), 2, "no kernel"),
        ([1.0, 2.0], GAUSSIAN, 1, "one row per example"),
    ],
)
def test_kernel_pca_refuses_bad_input_in_words(X, kernel, components, message):
    with pytest.raises(ValueError, match=message):
        kernel_pca(X, kernel, components)


# --- all three -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "method",
    [
        lambda X, y: kernel_ridge(X, y, GAUSSIAN, 1.0, offset=True).predict(X),
        lambda X, y: kernel_kmeans(X, GAUSSIAN, 2).predict(X),
        lambda X, y: kernel_pca(X, GAUSSIAN, 2).transform(X),
    ],
    ids=["ridge", "k-means", "pca"],
)
def test_the_data_are_not_modified_and_may_change_afterwards(method):
    X, y = points(), points(seed=1)[:, 0]
    X.setflags(write=False)
    y.setflags(write=False)
    method(X, y)
    assert (X == points()).all() and (y == points(seed=1)[:, 0]).all()


def test_a_result_keeps_its_own_copy_of_the_examples():
    X = points()
    fit, run, pca = (
        kernel_ridge(X, X[:, 0], GAUSSIAN, 1.0),
        kernel_kmeans(X, GAUSSIAN, 2),
        kernel_pca(X, GAUSSIAN, 2),
    )
    before = fit.predict(points()), run.predict(points()), pca.transform(points())
    X[:] = 0.0
    after = fit.predict(points()), run.predict(points()), pca.transform(points())
    for a, b in zip(before, after):
        assert (a == b).all()
