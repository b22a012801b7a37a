"""Linear SVMs: the duality gap of each answer, other solvers, sparse and dense examples."""

import cvxopt
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from sklearn.svm import LinearSVC

from lectures_lib import datasets, fast, linear, svm
from lectures_lib.fast import descent_loops, linear_machines, proximal
from lectures_lib.fast.descent_loops import QuickLinearProblem
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
    with pytest.raises(ValueError, match=r"C must be a number > 0 \(finite"):
        linear.dual_coordinate_descent([[1.0], [2.0]], [1, -1], C)


# --- squared hinge, offset, order, shrinking -----------------------------------------------------


def squared_objective(w, X, y, C):
    """Return half norm(w)^2 + sum C xi^2, written out."""
    slacks = [max(0.0, 1 - label * float(w @ x)) for x, label in zip(X, y)]
    return 0.5 * float(w @ w) + sum(c * s * s for c, s in zip(np.broadcast_to(C, y.shape), slacks))


def with_sklearn(X, y, C, loss, **options):
    """Return (w, b) of LinearSVC, run until nothing moves."""
    options = {"fit_intercept": False, "dual": True} | options
    svc = LinearSVC(C=C, loss=loss, tol=1e-9, max_iter=1_000_000, random_state=0, **options)
    svc.fit(X, y)
    return svc.coef_[0], float(np.ravel(svc.intercept_)[0])


@given(integer_examples(max_n=8), costs, st.integers(0, 99))
def test_the_squared_hinge_is_certified_from_alpha_alone(examples, C, seed):
    X, y = examples
    costs = C * np.random.default_rng(seed).choice([0.0, 1.0, 2.0], size=len(y))
    svm = linear.dual_coordinate_descent(X, y, costs, loss="squared_hinge")
    assert svm.converged
    assert (svm.alpha >= 0).all()
    assert (svm.alpha[costs == 0] == 0).all()
    np.testing.assert_allclose(svm.w, (svm.alpha * y) @ X, rtol=1e-9, atol=1e-9)
    used = costs > 0
    curved = sum(svm.alpha[used] ** 2 / (4 * costs[used]))
    dual = svm.alpha.sum() - 0.5 * svm.w @ svm.w - curved
    assert svm.primal == pytest.approx(squared_objective(svm.w, X, y, costs), rel=1e-12)
    assert svm.dual == pytest.approx(dual, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("loss", linear.LOSSES)
@pytest.mark.parametrize("C", [0.01, 1.0])
def test_the_objective_is_that_of_LinearSVC(loss, C):
    X, y = datasets.noisy(80, 4, rng=3)
    w, _ = with_sklearn(X, y, C, loss)
    value = objective if loss == "hinge" else squared_objective
    ours = linear.dual_coordinate_descent(X, y, C, loss=loss, rng=0)
    assert ours.converged
    assert ours.primal == pytest.approx(value(w, X, y, C), rel=1e-6)


@pytest.mark.parametrize("scaling", [1.0, 5.0])
def test_the_penalised_offset_is_that_of_LinearSVC(scaling):
    X, y = datasets.noisy(80, 3, rng=4)
    X = X + 0.7
    options = {"fit_intercept": True, "intercept_scaling": scaling}
    w, b = with_sklearn(X, y, 0.5, "hinge", **options)
    ours = linear.dual_coordinate_descent(X, y, 0.5, constant=scaling, rng=0)
    np.testing.assert_allclose(ours.w, w, atol=1e-3)
    assert ours.b == pytest.approx(b, abs=1e-3)
    norm2 = ours.w @ ours.w + (ours.b / scaling) ** 2
    assert ours.primal == pytest.approx(0.5 * norm2 + 0.5 * ours.xi.sum(), rel=1e-12)


def test_a_penalised_offset_is_another_problem_than_a_free_one():
    X, y = datasets.noisy(40, 2, rng=5)
    X = X + 2.0  # an offset is needed, so its penalty matters
    free = svm.train(X, y, 0.5, tol=1e-6).certificate.primal

    def excess(constant):
        answer = linear.dual_coordinate_descent(X, y, 0.5, constant=constant, rng=0, tol=1e-4)
        assert answer.converged
        return 0.5 * answer.w @ answer.w + 0.5 * answer.xi.sum() - free

    assert excess(1.0) > 0.01 * free
    assert excess(6.0) < 0.2 * excess(1.0)  # a large constant: nearly free


@given(integer_examples(max_n=8), costs, st.sampled_from(linear.LOSSES))
def test_the_order_does_not_change_the_answer(examples, C, loss):
    X, y = examples
    plain = linear.dual_coordinate_descent(X, y, C, loss=loss)
    other = linear.dual_coordinate_descent(X, y, C, loss=loss, rng=1)
    assert other.converged
    assert other.primal == pytest.approx(plain.primal, rel=1e-7, abs=1e-7)


def test_the_same_seed_gives_the_same_bits():
    X, y = datasets.noisy(60, 4, rng=0)
    first, second = (linear.dual_coordinate_descent(X, y, rng=5) for _ in range(2))
    assert first.w.tobytes() == second.w.tobytes()


# --- the fast one --------------------------------------------------------------------------------


@pytest.fixture
def hasty(monkeypatch):
    """Let `fast` take Newton's method after three passes."""
    monkeypatch.setattr(linear_machines, "PATIENCE", dict.fromkeys(linear.LOSSES, 0.0))


@given(
    integer_examples(max_n=8), costs, st.sampled_from(linear.LOSSES), st.sampled_from([0.0, 2.0])
)
def test_fast_and_coordinate_descent_agree(examples, C, loss, constant):
    X, y = examples
    slow = linear.dual_coordinate_descent(X, y, C, loss=loss, constant=constant, rng=0)
    quick = fast.linear(X, y, C, loss=loss, constant=constant)
    assert quick.converged
    assert (quick.alpha >= 0).all()
    assert loss != "hinge" or (quick.alpha <= C).all()
    assert quick.primal == pytest.approx(slow.primal, rel=1e-7, abs=1e-7)
    np.testing.assert_allclose(quick.w, (quick.alpha * y) @ X, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix])
@pytest.mark.parametrize("constant", [0.0, 1.0])
@pytest.mark.parametrize("loss", linear.LOSSES)
@pytest.mark.parametrize("C", [0.01, 1.0, 1e4])
def test_newtons_steps_come_to_the_answer_whatever_C_is(hasty, form, constant, loss, C):
    X, y = datasets.noisy(80, 4, flips=0.1, rng=3)
    costs = C * np.random.default_rng(0).choice([0.0, 1.0, 2.0], size=80)
    svm = fast.linear(form(X), y, costs, loss=loss, constant=constant, tol=1e-10)
    assert svm.converged
    assert svm.epochs < 100
    value = objective if loss == "hinge" else squared_objective
    whole = np.append(svm.w, svm.b / constant if constant else 0.0)
    examples = np.hstack([X, np.full((80, 1), constant)])
    assert svm.primal == pytest.approx(value(whole, examples, y, costs), rel=1e-12)
    for step in np.random.default_rng(1).normal(size=(20, 5)) * 1e-3:
        assert value(whole + step, examples, y, costs) >= svm.dual


@pytest.mark.parametrize("loss", linear.LOSSES)
def test_newtons_stages_end_where_a_quadratic_program_does(hasty, loss):
    X, y = datasets.noisy(30, 3, flips=0.2, rng=7)
    svm = fast.linear(X, y, 5.0, loss=loss)
    if loss == "hinge":
        assert svm.primal == pytest.approx(dual_by_cvxopt(X, y, 5.0), rel=1e-6)
    else:
        slow = linear.dual_coordinate_descent(X, y, 5.0, loss=loss)
        assert svm.primal == pytest.approx(slow.primal, rel=1e-7)


def test_where_newton_fails_the_descent_goes_on(hasty, monkeypatch):
    X, y = datasets.noisy(40, 3, rng=1)
    plain = fast.linear(X, y, 2.0, tol=1e-6)
    monkeypatch.setattr(proximal, "dposv", lambda H, g: (H, g, 1))
    svm = fast.linear(X, y, 2.0, tol=1e-6)
    assert svm.converged
    assert svm.epochs > plain.epochs
    assert svm.primal == pytest.approx(plain.primal, rel=1e-5)


@pytest.mark.parametrize("most", [1, 3, 5, 12])
def test_a_fast_run_cut_short_says_so_and_its_gap_is_honest(hasty, most):
    X, y = datasets.noisy(60, 4, rng=0)
    cut, full = fast.linear(X, y, 100.0, max_epochs=most), fast.linear(X, y, 100.0)
    assert cut.epochs == most
    assert not cut.converged
    assert cut.dual <= full.primal <= cut.primal
    assert cut.gap >= cut.primal - full.primal


def test_many_features_or_few_examples_are_left_to_the_descent(monkeypatch):
    def never(*_):
        raise AssertionError("d^3 for a step")

    monkeypatch.setattr(linear_machines, "proximal_newton", never)
    X, y = datasets.noisy(40, 60, rng=0)
    assert fast.linear(X, y, 1.0).converged
    monkeypatch.setattr(linear_machines, "MAX_FEATURES", 3)
    X, y = datasets.noisy(40, 4, rng=0)
    assert fast.linear(X, y, 1.0, tol=1e-4).converged


@pytest.mark.parametrize("loss", linear.LOSSES)
@pytest.mark.parametrize("share", [0.01, 0.6])
def test_an_example_that_was_left_out_too_soon_comes_back(share, loss, monkeypatch):
    monkeypatch.setattr(linear_machines, "EAGER", share)
    monkeypatch.setattr(linear_machines, "MAX_FEATURES", 0)  # by the descent alone
    X, y = datasets.noisy(200, 5, rng=3)
    svm = fast.linear(X, y, 1.0, loss=loss, tol=1e-7)
    whole = linear.dual_coordinate_descent(X, y, 1.0, loss=loss, tol=1e-7)
    assert svm.converged
    assert svm.primal == pytest.approx(whole.primal, rel=2e-7)


# --- sparse examples -----------------------------------------------------------------------------

SOLVERS = {
    "offset": lambda X, y: fast.linear(X, y, 0.7, constant=1.0),
    "hinge": lambda X, y: fast.linear(X, y, 0.7),
    "squared": lambda X, y: fast.linear(X, y, 0.7, loss="squared_hinge"),
}


@pytest.mark.parametrize("solver", SOLVERS)
def test_sparse_examples_give_the_answer_of_dense_ones(solver):
    X, y = datasets.noisy(40, 5, rng=1)
    X = np.where(np.abs(X) < 0.3, 0.0, X)
    X[7] = 0.0
    dense, thin = SOLVERS[solver](X, y), SOLVERS[solver](sparse.csr_matrix(X), y)
    assert thin.primal == pytest.approx(dense.primal, rel=1e-7)
    np.testing.assert_allclose(thin.w, dense.w, atol=1e-4)
    assert thin.b == pytest.approx(dense.b, abs=1e-4)
    np.testing.assert_allclose(thin.decision(sparse.csr_matrix(X)), dense.decision(X), atol=1e-3)
    assert set(thin.predict(sparse.csr_matrix(X))) <= {-1.0, 1.0}


@pytest.mark.parametrize(
    "solve",
    [linear.dual_coordinate_descent, lambda X, y: linear.pegasos(X, y, 0.1, steps=3)],
    ids=["descent", "pegasos"],
)
def test_the_lesson_sends_sparse_examples_to_the_fast_solver(solve):
    with pytest.raises(ValueError, match=r"sparse|dense"):
        solve(sparse.csr_matrix(np.eye(2)), [1, -1])


def test_sparse_examples_are_never_made_dense():
    n, d = 300, 1_000_000
    rng = np.random.default_rng(0)
    places = np.arange(n), rng.choice(d, size=n, replace=False)
    X = sparse.csr_matrix((np.ones(n), places), shape=(n, d))  # 2.4 GB if it were dense
    svm = fast.linear(X, rng.choice([-1, 1], size=n), 2.0, tol=1e-6)
    assert svm.primal == pytest.approx(0.5 * n, rel=1e-6)  # orthogonal: each alpha is 1


def test_ones_that_are_not_read_and_long_indices_give_the_same_bits():
    rng = np.random.default_rng(0)
    X, y = sparse.csr_matrix(rng.random((60, 12)) < 0.3, dtype=float), rng.choice([-1.0, 1.0], 60)
    problem = vars(linear.pose(X, y, 1.0, "hinge", 1.0))
    data, found = QuickLinearProblem(**problem).loop_data(), []
    _, (none, places, start, constant), dual = data
    assert none is None
    assert places.dtype == start.dtype == np.uint32
    wide = places.astype(np.int64), start.astype(np.int64)
    for form in ((None, places, start), (X.data, places, start), (None, *wide), (X.data, *wide)):
        w, alpha, order = np.zeros(13), np.zeros(60), np.arange(60, dtype=np.uint32)
        rows, goal = (
            descent_loops.SparseRows(*form, constant),
            descent_loops.Goal(0.6, 1e-6, np.inf, 50),
        )
        state = w, alpha, order, 7, 0.0
        descent_loops._descend(None, rows, dual, *state, goal, (1.0, np.inf, -np.inf, 0))
        found.append((w.tobytes(), alpha.tobytes()))
    assert len(set(found)) == 1


def test_indices_of_64_bits_do_not_change_the_answer():
    X, y = datasets.noisy(50, 6, rng=1)
    X = sparse.csr_matrix(np.where(np.abs(X) < 0.3, 0.0, X))
    wide = X.copy()
    wide.indices, wide.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    assert fast.linear(wide, y).w.tobytes() == fast.linear(X, y).w.tobytes()


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("form", [np.array, sparse.csr_matrix, sparse.coo_matrix])
def test_the_inputs_are_not_modified(solver, form):
    X, y = datasets.noisy(20, 3, rng=2)
    given_X, given_y = form(X), y.copy()
    SOLVERS[solver](given_X, given_y)
    assert (sparse.csr_matrix(given_X).toarray() == X).all()
    assert (given_y == y).all()


@pytest.mark.parametrize(
    "X, message",
    [
        (sparse.csr_matrix([[np.nan], [1.0]]), "NaN or infinity"),
        (sparse.csr_matrix([[1e200], [1.0]]), "rescale"),
        (sparse.csr_matrix((2, 0)), "needs"),
    ],
)
def test_bad_sparse_examples_are_refused_with_advice(X, message):
    with pytest.raises(ValueError, match=message):
        fast.linear(X, [1, -1])


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda: linear.dual_coordinate_descent([[1.0]], [1], loss="logistic"), "squared_hinge"),
        (lambda: linear.dual_coordinate_descent([[1.0]], [1], constant=-1.0), "constant"),
        (lambda: linear.pegasos([[1.0]], [1], 0.0, steps=3), "penalty must be"),
        (lambda: linear.pegasos([[1.0]], [1], 1.0, steps=0), "steps"),
    ],
)
def test_bad_settings_are_refused_with_advice(call, message):
    with pytest.raises(ValueError, match=message):
        call()


# --- Pegasos -------------------------------------------------------------------------------------


def pegasos_as_written(X, y, penalty, draws):
    """Return the last and the mean iterate of the paper's algorithm."""
    w, total = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for t, i in enumerate(draws, start=1):
        active = y[i] * (w @ X[i]) < 1
        w = (1 - 1 / t) * w + active * y[i] * X[i] / (penalty * t)
        total += w
    return w, total / len(draws)


@pytest.mark.parametrize("penalty", [1e-4, 0.05, 2.0])
def test_pegasos_walks_as_the_paper_says(penalty):
    X, y = datasets.noisy(30, 4, rng=6)
    run = linear.pegasos(X, y, penalty, steps=500, rng=9)
    draws = np.random.default_rng(9).integers(30, size=500)
    last, mean = pegasos_as_written(X, y, penalty, draws)
    np.testing.assert_allclose(run.last, last, rtol=1e-8, atol=1e-8 * np.abs(last).max())
    np.testing.assert_allclose(run.w, mean, rtol=1e-8, atol=1e-8 * np.abs(mean).max())


@given(integer_examples(max_n=8), st.sampled_from([0.01, 0.3, 5.0]), st.integers(1, 200))
def test_no_w_is_below_the_lower_bound_of_pegasos(examples, penalty, steps):
    X, y = examples
    n = len(y)
    run = linear.pegasos(X, y, penalty, steps=steps, rng=0)
    C = linear.C_from_penalty(penalty, n)
    assert (run.alpha >= 0).all()
    assert (run.alpha <= C).all()
    best = penalty * linear.dual_coordinate_descent(X, y, C).primal
    assert run.dual <= best * (1 + 1e-9)
    assert best <= run.primal * (1 + 1e-7) + 1e-12
    assert run.primal == pytest.approx(penalty * objective(run.w, X, y, C), rel=1e-9)


def test_the_gap_of_pegasos_shrinks_with_the_steps():
    X, y = datasets.noisy(60, 3, rng=1)
    gaps = [linear.pegasos(X, y, 0.1, steps=s, rng=0).gap for s in (60, 600, 6_000, 60_000)]
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] < 0.1 * gaps[0]


@pytest.mark.parametrize("C", [0.1, 1.0, 20.0])
def test_the_descent_is_passes_on_paper(C):
    X, y = datasets.noisy(40, 3, flips=0.1, rng=2)
    X[5] = 0.0  # its alpha goes to the bound at once
    run = linear.dual_coordinate_descent(X, y, C, tol=1e-6)
    w, alpha = np.zeros(3), np.zeros(40)
    for _ in range(run.epochs):
        linear.descent_pass(X, y, np.full(40, C), np.zeros(40), w, alpha, np.arange(40))
    np.testing.assert_allclose(alpha, run.alpha, rtol=0, atol=1e-9 * C)  # rounding, epochs long
    np.testing.assert_allclose(w, run.w, rtol=0, atol=1e-9 * np.linalg.norm(run.w))


@pytest.mark.parametrize("penalty", [0.02, 0.5])
def test_the_iterates_of_pegasos_are_those_of_its_dual_point(penalty):
    X, y = datasets.noisy(50, 3, flips=0.1, rng=4)
    run = linear.pegasos(X, y, penalty, steps=2000, rng=7)
    draws = np.random.default_rng(7).integers(50, size=2000)
    last, mean, _ = linear.pegasos_steps(X, y, penalty, draws)
    np.testing.assert_allclose(last, run.last, rtol=0, atol=1e-10 * np.linalg.norm(last))
    np.testing.assert_allclose(mean, run.w, rtol=0, atol=1e-10 * np.linalg.norm(mean))


def test_C_of_a_penalty():
    assert linear.C_from_penalty(0.5, 10) == pytest.approx(0.2)
