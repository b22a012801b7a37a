"""Kernel ridge, k-means and PCA: against phi, scikit-learn, and their own certificates."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.cluster import KMeans
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge

from lectures_lib.discrete import Spectrum
from lectures_lib.features import polynomial_map
from lectures_lib.kernel_methods import (
    kernel_kmeans,
    kernel_ridge,
    kmeans_certificate,
    ridge_certificate,
)
from lectures_lib.kernels import Function, Gaussian, Linear, Polynomial
from tests.strategies import integer_points, seeds

GAUSSIAN, QUADRATIC = Gaussian(1.3), Polynomial(2)
kernels = st.sampled_from([Linear(), QUADRATIC, GAUSSIAN, Polynomial(3, one=False)])
penalties = st.sampled_from([0.01, 1.0, 30.0])
WORDS = ["abab", "babab", "aabb", "bbaa", "ab", "bbb"]


def points(n=30, d=3, seed=0):
    return np.random.default_rng(seed).normal(size=(n, d))


def rings(n=40, seed=0):
    """Return two rings around the origin, and which ring each point is on."""
    angle = np.random.default_rng(seed).uniform(0, 2 * np.pi, size=2 * n)
    on = np.repeat([0, 1], n)
    return (1 + 4 * on)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), on


def same_partition(a, b):
    return len(set(zip(a, b))) == len(set(a)) == len(set(b))


# --- ridge regression ----------------------------------------------------------------------------


@given(integer_points(min_n=2), seeds, penalties, st.integers(1, 3))
def test_kernel_ridge_is_ridge_on_phi(X, seed, penalty, degree):
    y = np.random.default_rng(seed).normal(size=len(X))
    Phi = polynomial_map(X, degree)
    w = np.linalg.solve(Phi.T @ Phi + penalty * np.eye(Phi.shape[1]), Phi.T @ y)
    fit = kernel_ridge(X, y, Polynomial(degree), penalty)
    np.testing.assert_allclose(fit.predict(X), Phi @ w, rtol=1e-6, atol=1e-8)
    objective = np.sum((y - Phi @ w) ** 2) + penalty * w @ w
    assert fit.objective == pytest.approx(objective, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize("penalty", [1e-3, 1.0, 50.0])
def test_kernel_ridge_agrees_with_scikit_learn(penalty):
    X, Z, y = points(), points(seed=1), np.sin(points()[:, 0])
    for kernel in (GAUSSIAN, QUADRATIC, Linear()):
        other = KernelRidge(alpha=penalty, kernel="precomputed").fit(kernel(X), y)
        fit = kernel_ridge(X, y, kernel, penalty)
        np.testing.assert_allclose(fit.predict(Z), other.predict(kernel(Z, X)), atol=1e-9)


def test_kernel_ridge_with_an_offset_agrees_with_ridge_with_an_intercept():
    X, Z, y = points(), points(seed=1), 7 + points() @ [1.0, 2.0, 3.0]
    other = Ridge(alpha=2.0).fit(X, y)
    fit = kernel_ridge(X, y, Linear(), 2.0, offset=True)
    assert fit.b == pytest.approx(other.intercept_, rel=1e-9)
    np.testing.assert_allclose(fit.predict(Z), other.predict(Z), rtol=1e-9)
    assert fit.converged and fit.alpha.sum() == pytest.approx(0, abs=1e-9)


def test_without_an_offset_a_constant_is_not_learned_and_with_one_it_is():
    X, y = points(), np.full(30, 5.0)
    np.testing.assert_allclose(kernel_ridge(X, y, Linear(), 1.0, offset=True).predict(X), 5.0)
    assert kernel_ridge(X, y, Linear(), 1.0).b == 0.0
    assert np.abs(kernel_ridge(X, y, Linear(), 1.0).predict(X) - 5.0).min() > 0.1


@given(integer_points(), seeds, penalties, kernels, st.booleans())
def test_every_ridge_answer_is_certified_by_its_duality_gap(X, seed, penalty, kernel, offset):
    y = np.random.default_rng(seed).normal(size=len(X))
    fit = kernel_ridge(X, y, kernel, penalty, offset=offset)
    assert fit.converged
    assert fit.certificate.residual <= 1e-6 * np.linalg.norm(y)


@given(integer_points(), seeds, penalties)
def test_the_gap_of_any_alpha_is_the_squared_residual_of_its_equations(X, seed, penalty):
    rng = np.random.default_rng(seed)
    y, alpha = rng.normal(size=(2, len(X)))
    proof = ridge_certificate(GAUSSIAN(X), y, penalty, alpha)
    size = proof.primal + abs(proof.dual)
    assert proof.gap == pytest.approx(proof.residual**2, rel=1e-9, abs=1e-12 * size)


@given(integer_points(), seeds, penalties, st.booleans())
def test_no_alpha_has_a_dual_above_or_a_primal_below_the_optimum(X, seed, penalty, offset):
    rng = np.random.default_rng(seed)
    y, alpha = rng.normal(size=(2, len(X)))
    best = kernel_ridge(X, y, GAUSSIAN, penalty, offset=offset).objective
    b = float(rng.normal()) if offset else None
    proof = ridge_certificate(GAUSSIAN(X), y, penalty, alpha, b)
    assert proof.dual <= best + 1e-9 * y @ y
    assert proof.primal >= best - 1e-9 * y @ y


def test_the_ridge_certificate_rejects_wrong_answers():
    X, y = points(), points(seed=2)[:, 0]
    K, fit = GAUSSIAN(X), kernel_ridge(X, y, GAUSSIAN, 0.5)
    assert ridge_certificate(K, y, 0.5, fit.alpha).holds
    wrong = {
        "one entry moved": fit.alpha + 0.01 * np.eye(30)[3],
        "no penalty": np.linalg.lstsq(K, y, rcond=None)[0],
        "penalty halved": kernel_ridge(X, y, GAUSSIAN, 0.25).alpha,
        "zero": np.zeros(30),
    }
    accepted = [name for name, a in wrong.items() if ridge_certificate(K, y, 0.5, a).holds]
    assert accepted == []


def test_the_ridge_certificate_rejects_a_wrong_offset():
    X, y = points(), 3 + points(seed=2)[:, 0]
    fit = kernel_ridge(X, y, GAUSSIAN, 0.5, offset=True)
    assert fit.certificate.holds
    assert not ridge_certificate(GAUSSIAN(X), y, 0.5, fit.alpha, fit.b + 0.1).holds
    without = kernel_ridge(X, y, GAUSSIAN, 0.5)
    assert not ridge_certificate(GAUSSIAN(X), y, 0.5, without.alpha, 0.0).holds


def test_a_large_mean_of_y_does_not_hide_a_wrong_alpha():
    X, y = points(), 1e6 + points(seed=2)[:, 0]
    fit = kernel_ridge(X, y, GAUSSIAN, 0.5, offset=True)
    assert fit.converged
    assert not ridge_certificate(GAUSSIAN(X), y, 0.5, fit.alpha * 1.01, fit.b).holds


@pytest.mark.parametrize("value", [0.0, 0.1, 1e9])
def test_a_constant_y_is_fitted_by_the_offset_alone(value):
    fit = kernel_ridge(points(), np.full(30, value), GAUSSIAN, 0.5, offset=True)
    assert fit.converged
    assert fit.b == pytest.approx(value) and fit.alpha == pytest.approx(0, abs=1e-12 * value)


def test_a_small_penalty_interpolates_and_a_large_one_says_zero():
    X, y = points(), points(seed=2)[:, 0]
    np.testing.assert_allclose(kernel_ridge(X, y, GAUSSIAN, 1e-9).predict(X), y, atol=1e-5)
    np.testing.assert_allclose(kernel_ridge(X, y, GAUSSIAN, 1e9).predict(X), 0, atol=1e-6)


def test_kernel_ridge_takes_strings():
    y = np.array([4.0, 5.0, 4.0, 4.0, 2.0, 3.0])
    fit = kernel_ridge(WORDS, y, Spectrum(1), 1e-6, offset=True)
    np.testing.assert_allclose(fit.predict(WORDS), y, atol=1e-3)  # the length is linear in phi


@pytest.mark.parametrize(
    "y, penalty, message",
    [
        ([1.0, 2.0], 1.0, r"y is float64 \(2,\); it needs 3 real numbers"),
        ([[1.0], [2.0], [3.0]], 1.0, r"y is float64 \(3, 1\)"),
        (["a", "b", "c"], 1.0, "it needs 3 real numbers"),
        ([1.0, np.nan, 2.0], 1.0, "NaN or infinity"),
        ([1.0, 2.0, 3.0], 0.0, "penalty must be a number > 0"),
        ([1.0, 2.0, 3.0], np.inf, "penalty must be a finite number > 0"),
        ([1.0, 2.0, 3.0], "1", "penalty must be a number > 0"),
    ],
)
def test_kernel_ridge_refuses_bad_input_in_words(y, penalty, message):
    with pytest.raises(ValueError, match=message):
        kernel_ridge(points(3), y, GAUSSIAN, penalty)


def test_kernel_ridge_refuses_what_is_no_kernel():
    minus = Function(lambda x, z: -float(x @ z))
    with pytest.raises(ValueError, match="no kernel"):
        kernel_ridge(points(), np.ones(30), minus, 0.1)


# --- k-means -------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_kernel_kmeans_with_the_linear_kernel_is_kmeans(seed):
    X = points(60, 2, seed)
    run = kernel_kmeans(X, Linear(), 4, restarts=1, rng=seed)
    other = KMeans(4, init=X[run.seeds], n_init=1, tol=0, algorithm="lloyd").fit(X)
    assert run.objective == pytest.approx(other.inertia_, rel=1e-9)
    assert run.labels.tolist() == other.labels_.tolist()
    assert run.predict(points(seed=9, d=2)).tolist() == other.predict(points(seed=9, d=2)).tolist()


@pytest.mark.parametrize("degree", [2, 3])
def test_kernel_kmeans_is_kmeans_on_phi(degree):
    X = points(40, 2)
    run = kernel_kmeans(X, Polynomial(degree), 3, restarts=1)
    Phi = polynomial_map(X, degree)
    other = KMeans(3, init=Phi[run.seeds], n_init=1, tol=0, algorithm="lloyd").fit(Phi)
    assert run.objective == pytest.approx(other.inertia_, rel=1e-9)
    centres = other.cluster_centers_
    expected = np.linalg.norm(Phi[:, None] - centres[None], axis=2)
    np.testing.assert_allclose(run.distances(X), expected, rtol=1e-6, atol=1e-6)


@settings(max_examples=60)
@given(integer_points(max_n=8), kernels, seeds, st.data())
def test_the_objective_of_kernel_kmeans_never_rises_and_the_end_is_stable(X, kernel, seed, data):
    k = data.draw(st.integers(1, len(X)))
    run = kernel_kmeans(X, kernel, k, restarts=2, rng=seed)
    assert run.converged
    assert run.certificate.monotone and run.certificate.stable
    assert (np.diff(run.objectives) < 0).all()
    assert np.bincount(run.labels, minlength=k).min() >= 1
    assert run.objective == run.restarts.min()


@settings(max_examples=30)
@given(integer_points(min_n=2, max_n=5, max_d=2), seeds)
def test_kernel_kmeans_never_beats_the_best_of_all_partitions(X, seed):
    K, run = QUADRATIC(X), kernel_kmeans(X, QUADRATIC, 2, rng=seed)
    splits = [np.array(s) for s in product([0, 1], repeat=len(X)) if len(set(s)) == 2]
    best = min(kmeans_certificate(K, s, [0.0]).objective for s in splits)
    assert run.objective >= best - 1e-9 * np.trace(K)
    assert run.objective == pytest.approx(run.certificate.objective, abs=1e-9 * np.trace(K))


def test_a_gaussian_separates_rings_where_the_linear_kernel_fails():
    X, on = rings()
    assert same_partition(kernel_kmeans(X, Gaussian(2.0), 2).labels, on)
    assert not same_partition(kernel_kmeans(X, Linear(), 2).labels, on)


def test_the_clusters_predict_their_own_points_and_new_ones():
    X, _ = rings()
    run = kernel_kmeans(X, Gaussian(2.0), 2)
    assert run.predict(X).tolist() == run.labels.tolist()
    inner, outer = run.predict([[0.0, 0.9], [0.0, 5.1]])
    assert inner == run.labels[0] and outer == run.labels[-1]


def test_a_point_between_two_means_gets_the_lower_label():
    run = kernel_kmeans([[-1.0], [1.0]], Linear(), 2)
    assert run.predict([[0.0]]).tolist() == [0]


def test_an_empty_cluster_takes_the_farthest_point():
    X = np.array([[0.0], [0.0], [0.0], [0.0], [5.0]])
    for seed in range(10):
        run = kernel_kmeans(X, Linear(), 3, restarts=1, rng=seed)
        assert np.bincount(run.labels, minlength=3).min() >= 1
        assert run.objective == 0.0 and run.certificate.holds


@pytest.mark.parametrize("k", [1, 3])
def test_examples_that_are_all_the_same_cost_nothing(k):
    run = kernel_kmeans(np.ones((3, 2)), GAUSSIAN, k)
    assert run.converged and run.objective == 0.0
    assert sorted(set(run.labels)) == list(range(k))


def test_as_many_clusters_as_examples_cost_nothing():
    run = kernel_kmeans(points(6), GAUSSIAN, 6)
    assert sorted(run.labels) == list(range(6))
    assert run.objective == pytest.approx(0, abs=1e-12)


def test_plus_plus_starts_choose_each_far_group_once():
    X = np.repeat([[0.0], [1e4], [2e4], [3e4]], 10, axis=0) + points(40, 1)
    for seed in range(20):
        run = kernel_kmeans(X, Linear(), 4, restarts=1, rng=seed)
        assert sorted(run.seeds // 10) == [0, 1, 2, 3]


def test_the_same_seed_gives_the_same_clusters_and_restarts_only_help():
    X = points(50, 2)
    first, second = (kernel_kmeans(X, GAUSSIAN, 5, rng=3) for _ in range(2))
    assert first.labels.tolist() == second.labels.tolist()
    assert first.objective <= kernel_kmeans(X, GAUSSIAN, 5, rng=3, restarts=1).restarts[0] + 1e-9
    assert len(first.restarts) == 10


def test_too_few_steps_are_an_answer_that_says_so():
    run = kernel_kmeans(points(80, 2), Linear(), 6, restarts=1, max_iterations=1)
    assert not run.converged and run.certificate.monotone and not run.certificate.stable


def test_the_kmeans_certificate_rejects_wrong_answers():
    X, _ = rings()
    K, run = Gaussian(2.0)(X), kernel_kmeans(X, Gaussian(2.0), 2)
    assert kmeans_certificate(K, run.labels, run.objectives).holds
    moved = run.labels.copy()
    moved[0] = 1 - moved[0]
    assert not kmeans_certificate(K, moved, run.objectives).monotone
    assert not kmeans_certificate(K, moved, run.objectives).stable
    rising = np.append(run.objectives, [run.objective + 1, run.objective])
    assert not kmeans_certificate(K, run.labels, rising).monotone
    assert not kmeans_certificate(K, run.labels, run.objectives - 0.1).monotone


def test_far_from_the_origin_the_kmeans_certificate_still_tells_right_from_wrong():
    X = points(40, 2) + 1e3
    run = kernel_kmeans(X, Linear(), 3)
    assert run.certificate.holds
    moved = run.labels.copy()
    moved[0] = (moved[0] + 1) % 3
    assert not kmeans_certificate(Linear()(X), moved, run.objectives).holds


def test_kernel_kmeans_clusters_strings():
    run = kernel_kmeans(["abab", "baba", "cdcd", "dcdc"], Spectrum(2), 2)
    assert same_partition(run.labels, [0, 0, 1, 1])
    assert run.predict(["ababab", "cdc"]).tolist() == run.labels[[0, 2]].tolist()


@pytest.mark.parametrize(
    "k, options, message",
    [
        (0, {}, "k must be a whole number >= 1"),
        (4, {}, "k = 4 clusters need 4 examples or more; X has 3"),
        (2, {"restarts": 0}, "restarts must be a whole number"),
        (2, {"max_iterations": 0}, "max_iterations must be a whole number"),
    ],
)
def test_kernel_kmeans_refuses_bad_input_in_words(k, options, message):
    with pytest.raises(ValueError, match=message):
        kernel_kmeans(points(3), GAUSSIAN, k, **options)
