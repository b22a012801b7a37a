"""Machines that share a Gram matrix, and decide together: they prove what each alone proves."""

import numpy as np
import pytest

from lectures_lib import estimators, fast
from lectures_lib.fast import decomposition, several
from lectures_lib.fast.row_cache import HeldRows, RowCache
from lectures_lib.kernels import Gaussian, Given, Linear, Polynomial


def classes(n=150, k=4, seed=0):
    rng = np.random.default_rng(seed)
    y = rng.integers(k, size=n)
    return rng.normal(size=(n, 3)) + 1.5 * np.column_stack([y == 1, y == 2, y == 3]), y


def value(machine):
    """Return the primal objective that the judge saw."""
    return machine.certificate.primal


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("kernel", [Gaussian(1.0), Linear(), Polynomial(2)])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("compiled", sorted({False, several.COMPILED}))
def test_machines_of_one_gram_matrix_prove_the_answer_of_each_alone(
    kernel, loss, weighted, ordered, compiled, monkeypatch
):
    monkeypatch.setattr(several, "COMPILED", compiled)
    X, y = classes()
    X, y = (a[np.argsort(y, kind="stable")] for a in (X, y)) if ordered else (X, y)
    C = np.where(np.arange(len(y)) % 3, 1.0, 0.5) if weighted else 2.0
    places = np.arange(len(y)), np.flatnonzero(y < 2)
    parts = [(rows, np.where(y[rows] == 0, 1.0, -1.0)) for rows in places]
    trained = several.machines(X, C, kernel, parts, 3, loss=loss, tol=1e-4)
    for (rows, s), shared in zip(parts, trained):
        own = C[rows] if weighted else C
        alone = fast.svm(X[rows], s, own, kernel, loss=loss, tol=1e-4)
        assert shared.certificate.holds and alone.certificate.holds
        assert value(shared) == pytest.approx(value(alone), rel=1e-4)
        assert (shared.X == X[rows]).all() and (shared.y == s).all()


def test_a_machine_that_is_not_proved_together_is_trained_alone(monkeypatch):
    X, y = classes()
    parts = [(np.arange(len(y)), np.where(y == c, 1.0, -1.0)) for c in range(4)]
    given = (X, 1.0, Gaussian(1.0), parts, 4)
    before = several.machines(*given, loss="hinge", tol=1e-4)
    monkeypatch.setattr(several, "balanced", lambda alpha, y: 0.9 * alpha)
    after = several.machines(*given, loss="hinge", tol=1e-4)
    assert all(machine.certificate.holds for machine in after)
    assert [value(m) for m in after] == pytest.approx([value(m) for m in before], rel=1e-4)


def test_many_examples_of_a_held_matrix_are_solved_in_sub_problems(monkeypatch):
    X, y = classes(400)
    s, kernel = np.where(y == 0, 1.0, -1.0), Gaussian(1.0)
    K = kernel(X)
    whole = decomposition.second_order_of_valid(K, s, 1.0, tol=1e-6)
    monkeypatch.setattr(decomposition, "ONE_PROBLEM", 10)
    parts = decomposition.second_order_of_valid(K, s, 1.0, tol=1e-6)
    assert whole.reached_tol and parts.reached_tol
    np.testing.assert_allclose(parts.F, s - K @ (parts.alpha * s), atol=1e-9)
    np.testing.assert_allclose(K @ (parts.alpha * s), K @ (whole.alpha * s), atol=1e-4)


def test_held_rows_say_what_rows_on_demand_say():
    X, _ = classes(60)
    kernel, rng = Gaussian(1.0), np.random.default_rng(1)
    held, asked = HeldRows(kernel(X)), RowCache(kernel, X, 2**20)
    beta, A = rng.normal(size=60), rng.permutation(60)[:20]
    np.testing.assert_allclose(held.times(beta), asked.times(beta), atol=1e-12)
    known = asked.known_first(A)
    np.testing.assert_allclose(held.square(known), asked.square(known), atol=1e-12)


@pytest.mark.parametrize("way", ["one_vs_rest", "one_vs_one"])
@pytest.mark.parametrize("kernel", ["gaussian", "linear", "poly", "precomputed"])
@pytest.mark.parametrize("k", [2, 4])
def test_together_they_say_what_each_machine_says_alone(kernel, way, k):
    X, y = classes(120, k)
    given = Gaussian(1.0)(X) if kernel == "precomputed" else X
    model = estimators.SVM(kernel=kernel, multiclass=way).fit(given, y)
    points = Given.rows(given, len(X)) if kernel == "precomputed" else X
    alone = [machine.decision(points) for machine in model._machines]
    np.testing.assert_allclose(model._decider(model._new(given)).T, alone, atol=1e-9)
    if k > 2:
        assert (model.predict(given) == model.machine_.predict(points)).all()
    if k > 2 and way == "one_vs_one":
        scores = model.machine_.scores(points)
        np.testing.assert_allclose(model.decision_function(given), scores, atol=1e-9)


def test_machines_from_different_centres_decide_each_alone(monkeypatch):
    monkeypatch.setattr(several, "HELD", 0)
    X, y = classes(90)
    model = estimators.SVM(kernel="linear", multiclass="one_vs_one").fit(X + 1e6, y)
    assert model._decider.alone
    alone = [machine.decision(X + 1e6) for machine in model._machines]
    assert (model.pair_decisions(X + 1e6).T == alone).all()


def test_a_machine_without_support_vectors_says_its_offset():
    model = estimators.SVM().fit([[0.0], [1.0], [1.0], [0.0]], [0, 1, 0, 1])
    assert np.isfinite(model.decision_function([[0.5], [9.0]])).all()
