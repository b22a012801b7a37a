"""Few principal components, sought alone, are the first of all of them."""

import numpy as np
import pytest

from lectures_lib import kernel_methods
from lectures_lib.kernel_methods import pca
from lectures_lib.kernels import Gaussian, Given, Linear, centred
from lectures_lib.proof import pca_certificate


@pytest.mark.parametrize("kernel", [Gaussian(2.0), Linear()])
@pytest.mark.parametrize("m", [1, 2, 3])
def test_few_components_are_the_first_of_all(kernel, m, monkeypatch):
    X = np.random.default_rng(0).normal(size=(80, 4)) * [4.0, 2.0, 1.0, 0.5]
    whole = kernel_methods.kernel_pca(X, kernel, m)
    monkeypatch.setattr(pca, "LANCZOS", 10)
    few = kernel_methods.kernel_pca(X, kernel, m)
    assert whole.certificate.holds and few.certificate.holds
    np.testing.assert_allclose(few.values, whole.values, rtol=1e-9)
    np.testing.assert_allclose(few.transform(X[:5]), whole.transform(X[:5]), atol=1e-7)


def test_pairs_that_follow_prove_that_nothing_larger_was_left_without_cholesky(monkeypatch):
    K = Gaussian(2.0)(np.random.default_rng(0).normal(size=(60, 3)))
    values, V = (a[..., ::-1] for a in np.linalg.eigh(centred(K)))
    monkeypatch.setattr("lectures_lib.proof.pca._left", lambda rest, c: np.inf)
    more = values[2:20], V[:, 2:20]
    judged = pca_certificate(K, values[:2], V[:, :2], more=more)
    assert judged.holds and values[2] <= judged.left < values[1]
    largest_left_out = pca_certificate(K, values[1:3], V[:, 1:3], more=more)
    assert not largest_left_out.holds and largest_left_out.left == np.inf


def test_equal_values_are_all_found(monkeypatch):
    monkeypatch.setattr(pca, "LANCZOS", 10)
    K = np.diag(np.r_[np.full(3, 9.0), np.ones(77)])
    fit = kernel_methods.kernel_pca(Given.rows(K), Given(), 3)
    assert fit.certificate.holds
    np.testing.assert_allclose(fit.values[:2], 9.0, rtol=1e-9)


def test_more_components_than_directions_are_still_refused(monkeypatch):
    monkeypatch.setattr(pca, "LANCZOS", 10)
    X = np.random.default_rng(0).normal(size=(80, 2))
    with pytest.raises(ValueError, match="2 directions"):
        kernel_methods.kernel_pca(X, Linear(), 3)
