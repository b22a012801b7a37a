"""Lloyd's steps by changed sums: the lesson's clusters, whatever K is made of."""

import numpy as np
import pytest

from lectures_lib import estimators, fast, kernel_methods
from lectures_lib.kernels import Gaussian, Linear, Polynomial
from lectures_lib.proof import kmeans_certificate

KERNELS = [Linear(), Gaussian(1.0), Polynomial(3)]


def cloud(seed, n=60, d=3):
    return np.random.default_rng(seed).normal(size=(n, d))


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("seed", range(4))
def test_quick_steps_end_with_the_clusters_of_the_lesson(kernel, seed):
    X, rng = cloud(seed), np.random.default_rng(seed)
    K, seeds = kernel(X), rng.permutation(60)[:5]
    labels, objectives, ended = kernel_methods.lloyd(K, seeds, 300)
    rows = [None, X] if kernel == Linear() else [None]
    for known in rows:
        found = fast.lloyd(K, seeds, 300, rows=known)
        assert found[0].tolist() == labels.tolist() and found[2] is ended is True
        np.testing.assert_allclose(found[1], objectives, rtol=1e-9)


@pytest.mark.parametrize("most", [1, 2])
def test_quick_steps_stop_after_as_many_as_the_lesson_does(most):
    K, seeds = Linear()(cloud(1, 200, 2)), np.arange(6)
    slow, quick = kernel_methods.lloyd(K, seeds, most), fast.lloyd(K, seeds, most)
    assert quick[0].tolist() == slow[0].tolist()
    assert len(quick[1]) == len(slow[1]) == most + 1 and quick[2] is slow[2] is False


def test_an_empty_cluster_takes_the_farthest_point_as_in_the_lesson():
    X = np.array([[0.0], [0.0], [0.0], [0.0], [5.0]])
    for seeds in ([0, 1, 2], [3, 4, 1], [0, 4, 2]):
        slow = kernel_methods.lloyd(X @ X.T, np.array(seeds), 9)
        quick = fast.lloyd(X @ X.T, np.array(seeds), 9)
        assert quick[0].tolist() == slow[0].tolist() and quick[1][-1] == slow[1][-1] == 0.0


@pytest.mark.parametrize("kernel", ["linear", "gaussian", "poly"])
@pytest.mark.parametrize("value", [0.1, 0.7, 3.3e5])
def test_equal_examples_are_clustered_with_a_proof(kernel, value):
    X = np.full((7, 3), value)
    found = estimators.KernelKMeans(3, kernel=kernel).fit(X)
    assert found.machine_.converged and found.inertia_ == 0.0


def test_a_matrix_that_is_no_gram_matrix_has_errors_by_the_size_of_its_distances():
    n = 40
    K = np.where(np.arange(n)[:, None] < np.arange(n), 1e9, -1e9)
    K = np.triu(K, 1) + np.triu(K, 1).T + np.diag(np.ones(n))
    K[0, 1:] = K[1:, 0] = -1e9  # squared distances of both signs, which cancel in a mean
    judged = kmeans_certificate(K, np.arange(n) % 2, [1.0], rounding=1e-16)
    size = np.abs(2 - 2 * K).mean()
    assert judged.error >= n * np.finfo(float).eps * size
