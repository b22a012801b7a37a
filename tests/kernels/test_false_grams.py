"""A matrix that is no Gram matrix is refused, large or small, without its eigenvalues."""

import numpy as np
import pytest

from lectures_lib import fast, kernels, proof
from lectures_lib.kernels import Gaussian, Given, gram


@pytest.mark.parametrize("n", [20, 1200])
def test_what_is_no_gram_matrix_is_refused_and_what_is_one_passes(n, monkeypatch):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n, 2)), np.where(np.arange(n) % 2, 1.0, -1.0)
    K = Gaussian(1.0)(X)
    bent, skew = K - 0.5 * np.eye(n), K + np.triu(rng.normal(size=(n, n)))
    for wrong in (bent, skew):
        with pytest.raises(ValueError, match="no kernel for these examples"):
            kernels.checked_gram(Given(), Given.rows(wrong))
        with pytest.raises(ValueError, match="no kernel for these examples"):
            fast.svm(Given.rows(wrong), y, 1.0, Given())
    monkeypatch.setattr(gram, "psd_certificate", lambda *_: pytest.fail("eigenvalues"))
    assert (kernels.checked_gram(Given(), Given.rows(K)) == K).all()
    assert (Given().diagonal(Given.rows(K)) == K.diagonal()).all()


@pytest.mark.parametrize("n", [5, 128, 129, 300])
def test_the_rest_of_a_factorisation_is_the_same_in_blocks(n):
    rng = np.random.default_rng(n)
    A = rng.normal(size=(n, n))
    K = A @ A.T + n * np.eye(n)
    L = np.linalg.cholesky(K) * (1.0 + 1e-9 * rng.normal(size=(n, n)))
    L, root = np.tril(L), np.sqrt(K.diagonal())
    whole = np.linalg.norm((K - L @ L.T) / np.outer(root, root))
    assert proof.psd._norm_of_rest(K, L, root) == pytest.approx(whole, rel=1e-6)
