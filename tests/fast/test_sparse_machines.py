"""Linear machines on sparse rows: the answer of dense ones, proved, and no dense table."""

import numpy as np
import pytest
from scipy import sparse

from lectures_lib import estimators, fast
from lectures_lib.fast import sparse_machines
from lectures_lib.kernels import Linear


def thin(n=120, d=30, k=2, seed=0):
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n, d)) < 0.2, rng.normal(size=(n, d)), 0.0)
    scores = X[:, :k] + 0.3 * rng.normal(size=(n, k))
    return X, np.argmax(scores, axis=1)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_a_sparse_machine_proves_the_answer_of_the_dense_one(loss, C):
    X, y = thin()
    s = np.where(y, 1.0, -1.0)
    dense = fast.svm(X, s, C, Linear(), loss=loss, tol=1e-5)
    found = sparse_machines.sparse_svm(sparse.csr_matrix(X), s, C, loss=loss, tol=1e-5)
    assert found.certificate.holds and dense.certificate.holds
    assert sparse.issparse(found.X)
    assert found.certificate.primal == pytest.approx(dense.certificate.primal, rel=1e-5)
    np.testing.assert_allclose(found.w, dense.w, atol=0.01 * np.abs(dense.w).max())
    np.testing.assert_allclose(found.decision(X), X @ found.w + found.b, atol=1e-12)
    np.testing.assert_allclose(found.decision(sparse.csr_matrix(X)), found.decision(X), atol=1e-12)


@pytest.mark.parametrize("k, way", [(2, "one_vs_rest"), (4, "one_vs_rest"), (4, "one_vs_one")])
def test_the_estimator_never_makes_them_dense(k, way, monkeypatch):
    X, y = thin(k=k)
    weight = np.where(np.arange(len(y)) % 5, 1.0, 0.0)
    dense = estimators.SVM(kernel="linear", multiclass=way, tol=1e-6).fit(X, y, weight)
    given = sparse.csr_matrix(X)
    monkeypatch.setattr(sparse_machines, "DENSE_ENTRIES", 0)
    asked = sparse.csr_matrix.toarray

    def narrow(self, *told, **options):
        assert self.shape[1] != X.shape[1], "the examples themselves"
        return asked(self, *told, **options)

    monkeypatch.setattr(sparse.csr_matrix, "toarray", narrow)
    model = estimators.SVM(kernel="linear", multiclass=way, tol=1e-6).fit(given, y, weight)
    assert model.machine_.converged
    scores, wanted = model.decision_function(given), dense.decision_function(X)
    if way == "one_vs_rest":
        np.testing.assert_allclose(scores, wanted, atol=0.01 * np.abs(wanted).max())
    assert np.mean(model.predict(given) == dense.predict(X)) > 0.97
    assert sparse.issparse(model.support_vectors_)
    assert model.support_vectors_.shape == (len(model.support_), X.shape[1])
    same = (model.support_vectors_ != given[model.support_]).nnz
    assert same == 0


def test_what_a_sparse_machine_leaves_unproved_is_tried_as_a_dense_one(monkeypatch):
    X, y = thin()
    monkeypatch.setattr(sparse_machines, "solved", _nothing)
    found = sparse_machines.sparse_svm(
        sparse.csr_matrix(X), np.where(y, 1.0, -1.0), 1.0, loss="hinge", tol=1e-4
    )
    assert found.converged


def _nothing(steps, y, C, *, tol, start, gap):
    from lectures_lib.smo import SMORun

    return SMORun(np.zeros(len(y)), 2.0, 0, False, y.copy())
