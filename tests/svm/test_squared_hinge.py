"""The squared hinge: half norm(w)^2 + C sum xi^2, by every solver, with its own certificate."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC, LinearSVC

from lectures_lib import (
    datasets,
    estimators,
    fast,
    kernels,
    linear,
    margins,
    qp,
    selection,
    smo,
    svm,
)
from tests.strategies import integer_examples, seeds
from tests.svm.test_svm import CASES, SOLVERS, bug_data, catalogue, costs, random_alpha, solvers

LOSS = "squared_hinge"


def objective(w, b, X, y, C):
    """Return half norm(w)^2 + C sum xi^2, written out."""
    slacks = [max(0.0, 1.0 - label * (float(w @ x) + b)) for x, label in zip(X, y)]
    return 0.5 * float(w @ w) + C * sum(xi * xi for xi in slacks)


def judge(X, y, C, alpha, b, **options):
    return svm.certificate(X @ X.T, y, C, alpha, b, loss=LOSS, **({"tol": 1e-6} | options))


@cache
def machines(name, C):
    X, y, _ = CASES[name]
    return {solver: solve(X, y, C, loss=LOSS) for solver, solve in SOLVERS.items()}


# --- agreement -----------------------------------------------------------------------------------


@catalogue
def test_every_solver_proves_its_squared_hinge_answer_on_every_hard_case(name, C):
    X, y, _ = CASES[name]
    for solver, machine in machines(name, C).items():
        judged = judge(X, y, C, machine.alpha, machine.b)
        own = machine.certificate
        assert own.holds, solver
        assert (judged.primal, judged.dual) == pytest.approx((own.primal, own.dual)), solver
        assert judged.within(1e-6), solver
        assert machine.converged, solver
        assert (judged.box, len(machine.bounded)) == (0, 0), solver
        if np.isfinite(C):
            value = objective(machine.w, machine.b, X, y, C)
            assert judged.primal == pytest.approx(value, rel=1e-9), solver


@catalogue
def test_every_solver_finds_the_same_squared_hinge_objective_and_w(name, C):
    found = machines(name, C)
    first = found["dual, cvxopt"]
    best = first.certificate.dual
    for solver, machine in found.items():
        assert machine.certificate.primal == pytest.approx(best, rel=1e-6), solver
        gaps = [max(m.certificate.gap, 1e-12 * best) for m in (machine, first)]
        apart = sum(np.sqrt(2 * gap) for gap in gaps)  # the objective is strongly convex in w
        assert np.linalg.norm(machine.w - first.w) <= apart, solver


@catalogue
def test_the_squared_hinge_is_the_hard_margin_of_K_plus_I_over_2C_in_scikit_learn_too(name, C):
    X, y, _ = CASES[name]
    if C * np.abs(X).max() ** 2 > 1e4:
        return  # libsvm does not end, or not at the optimum, where K + I / (2 C) is nearly singular
    ours = machines(name, C)["second order"]
    K = kernels.centred(X @ X.T) + np.eye(len(y)) / (2 * C)  # centred: the same, as sum alpha y = 0
    unit = K.diagonal().max()
    theirs = SVC(C=1e12, kernel="precomputed", tol=1e-8).fit(K / unit, y)
    alpha = np.zeros(len(y))
    alpha[theirs.support_] = np.abs(theirs.dual_coef_[0]) / unit
    assert judge(X, y, C, alpha, ours.b).dual == pytest.approx(ours.certificate.primal, rel=1e-6)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("C", [0.01, 1.0])
def test_without_an_offset_primal_dual_descent_newton_and_LinearSVC_agree(name, C):
    X, y, _ = CASES[name]
    unit = np.abs(X).max()
    newton = fast.linear(X / unit, y, C, loss="squared_hinge", tol=1e-12)
    descent = linear.dual_coordinate_descent(X / unit, y, C, loss=LOSS, tol=1e-10, max_epochs=2000)
    options = {"dual": False, "fit_intercept": False, "tol": 1e-10, "max_iter": 10_000}
    theirs = LinearSVC(C=C, loss=LOSS, **options).fit(X / unit, y).coef_[0]
    for pose in (svm.primal, svm.dual):
        machine = pose(X, y, C / unit**2, loss=LOSS, offset=False)
        assert (machine.b, machine.certificate.balance) == (0.0, 0.0)
        assert machine.certificate.within(1e-8)
        best = unit**2 * machine.certificate.primal
        for other in (newton.primal, descent.primal, objective(theirs, 0.0, X / unit, y, C)):
            assert other == pytest.approx(best, rel=1e-6)
        scale = 1e-4 * (1 + np.linalg.norm(newton.w))
        np.testing.assert_allclose(unit * machine.w, newton.w, atol=scale)
        np.testing.assert_allclose(unit * machine.w, theirs, atol=scale)


@pytest.mark.parametrize("solve", [smo.platt, smo.most_violating, smo.second_order])
def test_smo_needs_no_new_line_for_the_squared_hinge(solve):
    X, y, C = bug_data()
    run = solve(svm.add_ridge(X @ X.T, C), y, np.inf, tol=1e-6)
    b = float(np.mean(svm.offset_interval(X @ X.T @ (run.alpha * y), y, C, run.alpha, loss=LOSS)))
    assert judge(X, y, C, run.alpha, b).within(1e-5)


@solvers
@settings(max_examples=8)
@given(examples=integer_examples(both=True, max_n=8), C=costs)
def test_no_other_w_and_b_has_a_lower_squared_hinge_objective(solver, examples, C):
    X, y = examples
    machine = solver(X, y, C, loss=LOSS)
    assert machine.certificate.within(1e-6)
    for step in np.random.default_rng(0).normal(size=(10, X.shape[1] + 1)):
        for length in (1e-3, 0.1, 2.0):
            w, b = machine.w + length * step[:-1], machine.b + length * step[-1]
            assert objective(w, b, X, y, C) >= machine.certificate.primal * (1 - 1e-6)


@pytest.mark.parametrize("pose", [svm.train, svm.dual])
@pytest.mark.parametrize("kernel", [kernels.Gaussian(0.7), kernels.Polynomial(2)])
def test_a_kernel_machine_with_squared_hinge_is_proved(pose, kernel):
    X, y = datasets.noisy(25, 2, flips=0.2, rng=8)
    machine = pose(X, y, 2.0, kernel, loss=LOSS)
    assert svm.certificate(kernel(X), y, 2.0, machine.alpha, machine.b, loss=LOSS).within(1e-4)
    assert machine.certificate.within(1e-4)


# --- the certificate -----------------------------------------------------------------------------


@settings(max_examples=30)
@given(integer_examples(both=True, max_n=8), costs, seeds)
def test_the_squared_hinge_gap_is_on_margin_plus_alpha_minus_2C_xi_squared_over_4C(
    examples, C, seed
):
    X, y = examples
    rng = np.random.default_rng(seed)
    alpha, b = 3 * random_alpha(rng, y, C), 3 * rng.normal()
    judged = judge(X, y, C, alpha, b)
    assert min(judged.on_margin, judged.at_bound) >= 0
    total = judged.on_margin + judged.at_bound
    assert judged.gap == pytest.approx(total, rel=1e-9, abs=1e-9 * (1 + judged.primal))
    w = sum(a * label * x for a, label, x in zip(alpha, y, X))
    xi = np.maximum(0, 1 - y * (X @ w + b))
    assert judged.primal == pytest.approx(objective(w, b, X, y, C), rel=1e-9)
    price = sum(a * a / (4 * C) for a in alpha)
    assert judged.dual == pytest.approx(sum(alpha) - 0.5 * w @ w - price, rel=1e-9, abs=1e-9)
    assert judged.at_bound == pytest.approx(C * ((xi - alpha / (2 * C)) ** 2).sum(), abs=1e-9)


@settings(max_examples=30)
@given(integer_examples(both=True, max_n=8), costs, seeds)
def test_no_feasible_alpha_is_above_any_w_with_the_squared_hinge(examples, C, seed):
    X, y = examples
    rng = np.random.default_rng(seed)
    dual = judge(X, y, C, 5 * random_alpha(rng, y, C), 0.0).dual
    assert dual <= objective(rng.normal(size=X.shape[1]), rng.normal(), X, y, C) + 1e-9


@solvers
def test_with_the_squared_hinge_alpha_is_2C_times_the_slack(solver):
    X, y, C = bug_data()
    machine = solver(X, y, C, loss=LOSS)
    xi = np.maximum(0, 1 - y * machine.decision(X))
    np.testing.assert_allclose(machine.alpha, 2 * C * xi, atol=1e-5)
    np.testing.assert_array_equal(machine.free, machine.support)
    assert machine.alpha.max() > C  # no upper bound


def wrong_answers(X, y, C):
    """Return (alpha, b) of mistakes with the squared hinge, by name."""
    n, K = len(y), X @ X.T
    best = svm.dual(X, y, C, loss=LOSS)
    support, F = best.support, y - K @ (best.alpha * y)

    def answer(extra, upper=np.inf, balance=True):
        equality = {"A": y[None, :], "b": [0.0]} if balance else {}
        Q = y[:, None] * (K + extra * np.eye(n)) * y
        alpha = qp.solve(Q, -np.ones(n), lower=0.0, upper=upper, **equality).x
        return alpha, float(np.mean(svm.best_offset(y - K @ (alpha * y), y, LOSS)))

    return {
        "I / C": answer(1 / C),
        "I / (4 C)": answer(1 / (4 * C)),
        "2 C I": answer(2 * C),
        "an upper bound C": answer(1 / (2 * C), upper=C),
        "the hinge's answer": (svm.dual(X, y, C).alpha, svm.dual(X, y, C).b),
        "sum alpha y = 0 missing": answer(1 / (2 * C), balance=False),
        "b of one support vector as if it had no slack": (best.alpha, F[support[0]]),
        "b of the sum of slacks": (best.alpha, float(np.mean(svm.best_offset(F, y)))),
        "b flipped": (best.alpha, -best.b),
        "C on the norm": (svm.dual(X, y, 1 / C, loss=LOSS).alpha, best.b),
    }


@pytest.mark.parametrize("mistake", wrong_answers(*bug_data()))
def test_the_squared_hinge_certificate_rejects_planted_mistakes(mistake):
    X, y, C = bug_data()
    assert not judge(X, y, C, *wrong_answers(X, y, C)[mistake]).holds
    assert svm.dual(X, y, C, loss=LOSS).certificate.within(1e-8)


def test_one_answer_does_not_pass_for_the_other_loss():
    X, y, C = bug_data()
    for loss, other in (("hinge", LOSS), (LOSS, "hinge")):
        machine = svm.dual(X, y, C, loss=loss)
        judged = svm.certificate(X @ X.T, y, C, machine.alpha, machine.b, loss=other)
        assert not judged.holds


def test_the_squared_hinge_certificate_prints_its_own_conditions():
    text = str(svm.train(*datasets.noisy(20, 2, flips=0.2, rng=3), 0.7, loss=LOSS).certificate)
    assert len(text.splitlines()) == 8
    for words in ("alpha below 0", "(alpha - 2C xi)^2 / 4C"):
        assert words in text


# --- the offset ----------------------------------------------------------------------------------


@given(
    st.lists(st.integers(-4, 4), min_size=2, max_size=9),
    st.lists(st.booleans(), min_size=9, max_size=9),
)
def test_the_best_offset_of_the_squared_hinge_is_found_exactly(F, positive):
    F = np.array(F, dtype=float)
    y = np.where(positive[: len(F)], 1.0, -1.0)
    y[:2] = 1.0, -1.0

    def slack(b):
        return sum(max(0.0, label * (v - b)) ** 2 for v, label in zip(F, y))

    low, high = svm.best_offset(F, y, LOSS)
    least = slack(low)
    assert slack(high) == pytest.approx(least, abs=1e-12)
    assert least <= min(slack(b) for b in np.linspace(-5, 5, 401)) + 1e-12
    for outside in (low - 1e-3, high + 1e-3):
        assert slack(outside) > least


@catalogue
def test_with_the_squared_hinge_the_offset_is_unique(name, C):
    machine = machines(name, C)["dual, own"]
    assert machine.b_interval == (machine.b, machine.b)


def test_with_the_squared_hinge_each_support_vector_tells_b_and_so_does_their_mean():
    X, y, C = bug_data()
    machine = svm.dual(X, y, C, loss=LOSS)
    F, s = y - X @ machine.w, machine.support
    np.testing.assert_allclose((F - y * machine.alpha / (2 * C))[s], machine.b, atol=1e-6)
    assert F[s].mean() == pytest.approx(machine.b, abs=1e-6)  # slacks cancel, as sum alpha y = 0
    assert np.ptp(F[s]) > 0.5


# --- limits --------------------------------------------------------------------------------------


@pytest.mark.parametrize("pose", [svm.primal, svm.dual, svm.train])
def test_with_C_infinite_both_losses_are_the_hard_margin(pose):
    X, y, _ = CASES["apart"]
    hard, squared = pose(X, y, np.inf), pose(X, y, np.inf, loss=LOSS)
    np.testing.assert_allclose(squared.w, hard.w, rtol=1e-6)
    assert squared.certificate.within(1e-6)
    near = pose(X, y, 1e6, loss=LOSS)  # the squared hinge only approaches it
    np.testing.assert_allclose(near.w, hard.w, rtol=1e-3)
    assert (y * near.decision(X)).min() < 1
    assert not pose(*datasets.xor(), np.inf, loss=LOSS).separable


def test_an_outlier_pulls_the_squared_hinge_further():
    X = np.array([[-1.0], [-2.0], [-3.0], [1.0], [2.0], [3.0], [-4.0]])
    y = np.array([-1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0])
    plain, squared = (svm.train(X, y, 5.0, loss=loss, tol=1e-6) for loss in ("hinge", LOSS))
    bayes = margins.max_margin(X[:-1], y[:-1], offset=True)
    clean = -bayes.b / bayes.w[0]
    borders = [-machine.b / machine.w[0] for machine in (plain, squared)]
    assert abs(borders[1] - clean) > abs(borders[0] - clean)


@pytest.mark.parametrize("pose", [svm.primal, svm.dual, svm.train])
def test_an_unknown_loss_is_refused_with_the_known_ones(pose):
    with pytest.raises(ValueError, match="'hinge', 'squared_hinge'"):
        pose([[0.0], [1.0]], [-1, 1], 1.0, loss="squared hinge")


# --- selection and estimators --------------------------------------------------------------------


def test_cross_validation_and_the_path_take_the_squared_hinge():
    X, y = datasets.noisy(60, 3, rng=2)
    table = selection.grid(X, y, [0.1, 1.0], [kernels.Gaussian(1.0)], loss=LOSS, progress=False)
    assert table.gaps.max() < 0.01
    plain = selection.grid(X, y, [0.1, 1.0], [kernels.Gaussian(1.0)], progress=False)
    assert not np.array_equal(table.gaps, plain.gaps)
    path = selection.regularisation_path(X, y, [0.01, 0.1, 1.0, 10.0], loss=LOSS, tol=1e-6)
    norms = [np.linalg.norm(machine.w) for machine in path.machines]
    np.testing.assert_allclose(path.norms, norms, rtol=1e-6)
    assert (np.diff(path.norms) >= -1e-9).all()
    squares = [np.sum(np.maximum(0, 1 - m.y * m.decision(m.X)) ** 2) for m in path.machines]
    np.testing.assert_allclose(path.slacks, squares, rtol=1e-6)
    assert (np.diff(path.slacks) <= 1e-9).all()


def test_the_estimators_hand_the_loss_on():
    X, y = datasets.noisy(40, 2, flips=0.2, rng=1)
    machine = estimators.SVM(0.5, loss=LOSS, kernel="linear", tol=1e-6).fit(X, y).machine_
    assert machine.loss == LOSS
    np.testing.assert_allclose(machine.w, svm.dual(X, y, 0.5, loss=LOSS).w, atol=1e-4)
    flat = estimators.LinearSVM(0.5, loss=LOSS, fit_intercept=False).fit(X, y).machine_
    assert flat.loss == LOSS
