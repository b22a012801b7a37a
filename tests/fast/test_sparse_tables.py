"""A table of mostly zeros is a sparse one: the same machine, to the bit, in less time."""

import numpy as np
import pytest
from scipy import sparse

from lectures_lib import fast
from lectures_lib.fast import linear_machines


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_a_table_of_mostly_zeros_is_solved_as_a_sparse_one(loss):
    rng = np.random.default_rng(0)
    X = (rng.random((2_100, 50)) < 0.2).astype(float)
    y = np.where(X[:, 0] + 0.3 * rng.normal(size=len(X)) > 0.1, 1.0, -1.0)
    options = {"loss": loss, "constant": 1.0, "tol": 1e-4}
    table, thin = (fast.linear(Z, y, 1.0, **options) for Z in (X, sparse.csr_matrix(X)))
    assert X.size > linear_machines.CHEAP and table.certificate.holds
    assert table.w.tolist() == thin.w.tolist() and table.b == thin.b


def test_a_descent_that_gives_way_is_not_judged(monkeypatch):
    X = np.random.default_rng(0).normal(size=(400, 10))
    y, judged = np.where(X[:, 0] > 0, 1.0, -1.0), []
    judge = linear_machines.judged
    monkeypatch.setattr(
        linear_machines, "judged", lambda *given: judged.append(given) or judge(*given)
    )
    found = fast.linear(X, y, 100.0, loss="squared_hinge")
    assert found.certificate.holds and len(judged) == 1
