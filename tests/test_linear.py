"""The linear SVM without offset: its duality gap, and two other solvers."""

import cvxopt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.svm import LinearSVC

from lectures_lib import datasets, linear
from tests.strategies import integer_examples

costs = st.sampled_from([0.01, 0.3, 1.0, 7.0])


def objective(w, X, y, C):
    """Return half norm(w)^2 + sum C xi, written out."""
    slacks = [max(0.0, 1 - label * float(w @ x)) for x, label in zip(X, y)]
    return 0.5 * float(w @ w) + sum(c * s for c, s in zip(np.broadcast_to(C, y.shape), slacks))


def dual_by_cvxopt(X, y, C):
    """Return the largest value of the dual, solved as a quadratic program."""
    n, Z = len(y), y[:, None] * X
    G, h = np.vstack([-np.eye(n), np.eye(n)]), np.append(np.zeros(n), np.broadcast_to(C, n))
    matrices = [cvxopt.matrix(v) for v in (Z @ Z.T, -np.ones(n), G, h)]
    return -cvxopt.solvers.qp(*matrices, options={"show_progress": False})["primal objective"]


@given(integer_examples(max_n=8), costs)
def test_the_gap_certifies_the_answer_from_w_and_alpha_alone(examples, C):
    X, y = examples
    svm = linear.dual_coordinate_descent(X, y, C)
    assert (svm.alpha >= 0).all()
    assert (svm.alpha <= C).all()
    np.testing.assert_allclose(svm.w, (svm.alpha * y) @ X, rtol=1e-9, atol=1e-9)
    primal = objective(svm.w, X, y, C)
    dual = svm.alpha.sum() - 0.5 * svm.w @ svm.w
    assert svm.primal == pytest.approx(primal, rel=1e-12)
    assert svm.dual == pytest.approx(dual, rel=1e-12, abs=1e-12)
    assert svm.converged
    assert svm.gap == pytest.approx(0, abs=1e-8 * (1 + primal))
    np.testing.assert_allclose(svm.xi, np.maximum(0, 1 - y * (X @ svm.w)), rtol=1e-12)


@given(integer_examples(max_n=8), costs)
def test_the_optimum_is_that_of_cvxopt(examples, C):
    X, y = examples
    svm = linear.dual_coordinate_descent(X, y, C)
    assert svm.primal == pytest.approx(dual_by_cvxopt(X, y, C), rel=1e-5, abs=1e-5)


@given(integer_examples(max_n=8), st.integers(0, 99))
def test_each_example_may_have_its_own_cost(examples, seed):
    X, y = examples
    C = np.random.default_rng(seed).choice([0.0, 0.2, 3.0], size=len(y))
    svm = linear.dual_coordinate_descent(X, y, C)
    assert svm.primal == pytest.approx(dual_by_cvxopt(X, y, C), rel=1e-5, abs=1e-5)
    assert (svm.alpha <= C).all()


@pytest.mark.parametrize("C", [0.05, 1.0, 20.0])
def test_the_optimum_is_that_of_scikit_learn(C):
    X, y = datasets.noisy(40, 3, rng=2)
    ours = linear.dual_coordinate_descent(X, y, C)
    theirs = LinearSVC(
        C=C, loss="hinge", fit_intercept=False, tol=1e-9, max_iter=10**6, random_state=0
    ).fit(X, y)
    assert ours.primal == pytest.approx(objective(theirs.coef_[0], X, y, C), rel=1e-5)
    np.testing.assert_allclose(ours.w, theirs.coef_[0], atol=1e-3)


@pytest.mark.parametrize("C", [0.1, 0.2, 5.0])
def test_the_cost_convention_is_half_the_squared_norm_plus_C_times_the_slacks(C):
    svm = linear.dual_coordinate_descent([[2.0]], [1], C)
    assert svm.w[0] == pytest.approx(min(0.5, 2 * C), rel=1e-9)  # norm^2 without half: C
    assert svm.primal == pytest.approx(objective(svm.w, np.array([[2.0]]), np.ones(1), C))


@given(integer_examples(max_n=6), costs, st.integers(0, 99))
def test_no_other_w_is_better(examples, C, seed):
    X, y = examples
    svm = linear.dual_coordinate_descent(X, y, C)
    for step in np.random.default_rng(seed).normal(size=(20, X.shape[1])) * 0.1:
        assert objective(svm.w + step, X, y, C) >= svm.primal - 1e-7 * (1 + svm.primal)


def test_a_run_cut_short_says_so_and_its_gap_is_honest():
    X, y = datasets.noisy(60, 4, rng=0)
    cut, full = (
        linear.dual_coordinate_descent(X, y, 100.0, max_epochs=epochs) for epochs in (1, 10_000)
    )
    assert not cut.converged
    assert full.converged
    assert cut.primal - full.dual <= cut.gap * (1 + 1e-9)  # the gap bounds what is missing
    assert cut.dual <= full.primal <= cut.primal


def test_a_point_at_the_origin_costs_what_it_costs():
    svm = linear.dual_coordinate_descent([[0.0], [2.0]], [1, 1], 3.0)
    assert svm.converged
    assert svm.primal == pytest.approx(3.0 + 0.125, rel=1e-7)


@pytest.mark.parametrize("C", [-1.0, np.nan, np.inf, [1.0, -1.0]])
def test_costs_are_finite_and_not_negative(C):
    with pytest.raises(ValueError, match="finite and >= 0"):
        linear.dual_coordinate_descent([[1.0], [2.0]], [1, -1], C)
