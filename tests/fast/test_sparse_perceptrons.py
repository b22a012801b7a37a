"""Perceptrons on sparse rows: the mistakes and weights of dense ones, and no dense table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from lectures_lib import estimators, fast
from tests.strategies import seeds


def thin(seed, n=30, d=8, share=0.3):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n, d)) < share, rng.normal(size=(n, d)), 0.0)
    return X, np.where(rng.random(n) < 0.5, 1.0, -1.0)


@given(seeds, st.sampled_from(["mistake", "positive", "negative"]), st.booleans())
def test_a_sparse_run_makes_the_mistakes_of_a_dense_one_to_the_bit(seed, tie, shuffled):
    X, y = thin(seed)
    told = {"max_epochs": 7, "tie": tie, "rng": seed % 1000 if shuffled else None}
    dense, found = fast.perceptron(X, y, **told), fast.perceptron(sparse.csr_matrix(X), y, **told)
    assert (found.mistakes == dense.mistakes).all() and (found.w == dense.w).all()
    assert (found.alpha == dense.alpha).all() and found.converged == dense.converged


@given(seeds, st.integers(1, 5))
def test_the_average_over_sparse_rows_is_that_over_dense_ones(seed, epochs):
    X, y = thin(seed)
    dense = fast.averaged_perceptron(X, y, epochs=epochs, rng=0)
    found = fast.averaged_perceptron(sparse.csr_matrix(X), y, epochs=epochs, rng=0)
    np.testing.assert_allclose(found.w, dense.w, atol=1e-12 * (1 + np.abs(dense.w).max()))
    assert (found.w_last == dense.w_last).all() and (found.counts == dense.counts).all()


def test_a_clean_pass_is_judged_exactly_where_rounding_leaves_it_open():
    X = np.array([[1e16, 1.0, -1e16], [-1.0, 0.0, 0.0]])
    for tie in ("mistake", "negative"):
        told = {"start": [1.0, 0.5, 1.0], "tie": tie, "max_epochs": 1}
        dense = fast.perceptron(X, [1, -1], **told)
        found = fast.perceptron(sparse.csr_matrix(X), [1, -1], **told)
        assert found.converged == dense.converged and (found.mistakes == dense.mistakes).all()


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("cls", [estimators.Perceptron, estimators.AveragedPerceptron])
@pytest.mark.parametrize("k", [2, 4])
@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.csr_array, sparse.coo_matrix])
def test_the_estimators_answer_alike_and_never_make_a_dense_table(cls, k, form, monkeypatch):
    rng = np.random.default_rng(0)
    X, _ = thin(1, n=80)
    y = rng.integers(k, size=80)
    dense = cls().fit(X, y)
    for name in ("toarray", "todense"):
        for kind in (sparse.csr_matrix, sparse.csr_array):
            monkeypatch.setattr(kind, name, lambda self: pytest.fail("made dense"))
    found = cls().fit(form(X), y)
    np.testing.assert_allclose(found.coef_, dense.coef_, atol=1e-12)
    np.testing.assert_allclose(
        found.decision_function(form(X)), dense.decision_function(X), atol=1e-9
    )
    assert (found.predict(form(X)) == dense.predict(X)).all()
    more = cls().partial_fit(form(X), y).partial_fit(form(X), y)
    same = cls().partial_fit(X, y).partial_fit(X, y)
    np.testing.assert_allclose(more.coef_, same.coef_, atol=1e-12)
