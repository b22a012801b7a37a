"""The lectures' claims about support vector machines, from the offset to support vectors."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lectures_lib import (
    datasets,
    kernels,
    losses,
    margins,
    qp,
    svm,
)
from tests.strategies import integer_examples, known_problems
from tests.svm.test_svm import CASES, SOLVERS, bug_data, catalogue, costs, machines, objective

# --- offsets -------------------------------------------------------------------------------------


@given(
    st.lists(st.integers(-4, 4), min_size=2, max_size=9),
    st.lists(st.booleans(), min_size=9, max_size=9),
)
def test_the_best_offsets_are_those_of_brute_force_over_the_breakpoints(F, positive):
    F = np.array(F, dtype=float)
    y = np.where(positive[: len(F)], 1.0, -1.0)
    y[:2] = 1.0, -1.0

    def slack(b):
        return sum(max(0.0, label * (v - b)) for v, label in zip(F, y))

    grid = sorted({*F, *(F + 0.25), *(F - 0.25)})
    least = min(slack(b) for b in grid)
    low, high = svm.best_offset(F, y)
    best = [b for b in F if slack(b) == least]
    assert (low, high) == (min(best), max(best))


@pytest.mark.parametrize("C", [0.05, 0.1])
def test_without_a_free_vector_every_offset_in_the_interval_is_best_and_none_outside(C):
    X, y = np.array([[0.0], [1.0], [3.0], [4.0]]), np.array([-1.0, 1.0, -1.0, 1.0])
    for name, solve in SOLVERS.items():
        machine = solve(X, y, C)
        low, high = machine.b_interval
        assert high - low > 0.1, name
        assert len(machine.free) == 0
        assert machine.b == pytest.approx((low + high) / 2, rel=1e-12)
        best, cost = machine.certificate.primal, machine.C
        for share in np.linspace(0, 1, 7):
            inside = objective(machine.w, low + share * (high - low), X, y, cost)
            assert inside == pytest.approx(best, rel=1e-9)
        for outside in (low - 1e-3, high + 1e-3):
            assert objective(machine.w, outside, X, y, cost) > best * (1 + 1e-6)


@catalogue
def test_the_interval_holds_exactly_the_best_offsets(name, C):
    X, y, _ = CASES[name]
    machine = machines(name, C)["dual, own"]
    if np.isinf(C):
        return
    low, high = machine.b_interval
    best = machine.certificate.primal
    for b in (low, high):
        assert objective(machine.w, b, X, y, C) == pytest.approx(best, rel=1e-6)
    for b in (low - 0.1, high + 0.1):
        assert objective(machine.w, b, X, y, C) > best


@settings(max_examples=20)
@given(integer_examples(both=True, max_n=8), costs)
def test_a_free_vector_lies_on_the_margin_and_makes_the_offset_unique(examples, C):
    X, y = examples
    machine = svm.dual(X, y, C)
    if len(machine.free):
        f = machine.decision(X)
        np.testing.assert_allclose((y * f)[machine.free], 1.0, atol=1e-4)
        assert machine.b_interval[1] - machine.b_interval[0] <= 1e-5 * (1 + abs(machine.b))
    assert set(machine.free) | set(machine.bounded) == set(machine.support)
    assert not set(machine.free) & set(machine.bounded)


# --- SV-1, SV-2: distance, street, and the way from max gamma to the QP ---------------------------


@settings(max_examples=15)
@given(known_problems())
def test_the_street_is_2_over_norm_w_wide_and_support_vectors_lie_on_its_edges(problem):
    X, y = problem.X, problem.y
    machine = svm.hard_margin(X, y)
    norm = np.linalg.norm(machine.w)
    distance = np.array([abs(machine.w @ x + machine.b) / norm for x in X])
    assert distance.min() == pytest.approx(1 / norm, rel=1e-5)
    np.testing.assert_allclose(distance[machine.support], 1 / norm, rtol=1e-5)
    positive, negative = ((X @ machine.w)[y == label] / norm for label in (1.0, -1.0))
    assert positive.min() - negative.max() == pytest.approx(2 / norm, rel=1e-5)
    widest = margins.max_margin(X, y, offset=True)
    assert 2 / norm == pytest.approx(2 * widest.gamma, rel=1e-5)


@settings(max_examples=15)
@given(known_problems())
def test_max_gamma_with_unit_norm_and_least_norm_with_margin_1_are_the_same_w_over_gamma(problem):
    X, y, gamma, u = problem.X, problem.y, problem.gamma, problem.u
    machine = svm.hard_margin(X, y, offset=False)
    assert np.linalg.norm(machine.w) == pytest.approx(1 / gamma, rel=1e-6)
    np.testing.assert_allclose(machine.w, u / gamma, atol=1e-4 / gamma)
    assert (y * (X @ machine.w)).min() >= 1 - 1e-6


@settings(max_examples=15)
@given(known_problems(), st.sampled_from([0.1, 0.5, 0.99, 1.0]))
def test_with_gamma_known_and_not_above_the_largest_a_unit_w_is_found(problem, share):
    gamma = share * problem.gamma
    found = svm.with_known_margin(problem.X, problem.y, gamma)
    assert found.separable
    assert np.linalg.norm(found.w) == pytest.approx(1.0, rel=1e-12)
    assert (problem.y * (problem.X @ found.w)).min() >= gamma * (1 - 1e-6)


@settings(max_examples=15)
@given(known_problems(), st.sampled_from([1.001, 1.5, 10.0]))
def test_with_gamma_above_the_largest_convex_weights_prove_that_there_is_no_w(problem, times):
    gamma = times * problem.gamma
    found = svm.with_known_margin(problem.X, problem.y, gamma)
    assert not found.separable
    assert found.w is None
    point = (found.weights * problem.y) @ problem.X
    assert found.weights.min() >= 0
    assert found.weights.sum() == pytest.approx(1.0, rel=1e-9)
    assert np.linalg.norm(point) < gamma  # and w.point >= gamma for a unit w cannot be


@pytest.mark.parametrize("gamma", [0.0, -1.0, np.nan])
def test_a_margin_asked_for_is_a_positive_number(gamma):
    with pytest.raises(ValueError, match="gamma must be"):
        svm.with_known_margin([[1.0], [-1.0]], [1, -1], gamma)


# --- SV-3: the hard margin -----------------------------------------------------------------------


@pytest.mark.parametrize("offset", [False, True])
@settings(max_examples=15)
@given(examples=integer_examples(both=True, max_n=7))
def test_a_hard_margin_or_the_certificate_that_there_is_none(offset, examples):
    X, y = examples
    for pose in (svm.primal, svm.dual):
        machine = pose(X, y, np.inf, offset=offset)
        assert machine.separable == margins.max_margin(X, y, offset=offset).separable
        if machine.separable:
            assert machine.certificate.within(1e-6)
            assert (y * (X @ machine.w + machine.b)).min() >= 1 - 1e-5
            continue
        weights = machine.separation.weights
        assert (weights >= 0).all()
        for group in [y > 0, y < 0] if offset else [y != 0]:
            assert weights[group].sum() == pytest.approx(1.0, rel=1e-9)
        point = sum(a * label * x for a, label, x in zip(weights, y, X))
        assert np.linalg.norm(point) <= 1e-9 * (1 + np.abs(X).max())
        assert machine.w is None
        assert np.isnan(machine.b)
        assert not machine.certificate.holds


@pytest.mark.parametrize("offset", [False, True])
def test_the_hard_margin_is_unique_whatever_the_order_and_the_solver(offset):
    p = datasets.separable(14, 3, gamma=0.2, rng=5)
    first = svm.hard_margin(p.X, p.y, offset=offset)
    order = np.random.default_rng(0).permutation(14)
    for engine, pose in itertools.product(("own", "cvxopt"), (svm.primal, svm.dual)):
        again = pose(p.X[order], p.y[order], np.inf, offset=offset, engine=engine)
        np.testing.assert_allclose(again.w, first.w, rtol=1e-5)
        assert again.b == pytest.approx(first.b, abs=1e-5)
    doubled = svm.hard_margin(np.vstack([p.X, p.X]), np.tile(p.y, 2), offset=offset)
    np.testing.assert_allclose(doubled.w, first.w, rtol=1e-5)


def test_a_large_enough_C_gives_the_hard_margin():
    X, y, _ = CASES["apart"]
    hard = svm.hard_margin(X, y)
    C = 1.01 * hard.alpha.max()
    for solve in SOLVERS.values():
        soft = solve(X, y, C)
        np.testing.assert_allclose(soft.w, hard.w, rtol=1e-4)
        assert len(soft.bounded) == 0


@pytest.mark.parametrize("pose", [svm.dual, svm.train])
@pytest.mark.parametrize("kernel", [kernels.Gaussian(0.8), kernels.Polynomial(3)])
def test_a_point_with_both_labels_defeats_every_kernel_and_the_weights_say_so(pose, kernel):
    X, y = datasets.xor()
    X, y = np.vstack([X, X[:1]]), np.append(y, -y[0])
    machine = pose(X, y, np.inf, kernel)
    assert not machine.separable
    K, beta = kernel(X), machine.separation.weights * y
    assert beta @ K @ beta <= 1e-9 * K.max()  # norm(sum weights y phi)^2
    assert beta.sum() == pytest.approx(0.0, abs=1e-12)
    assert svm.dual(X, y, 1.0, kernel).certificate.within(1e-6)
    assert pose(X[:4], y[:4], np.inf, kernel).certificate.holds


def test_no_hard_margin_machine_is_made_up_where_there_is_none():
    for pose in (svm.primal, svm.dual, svm.train):
        machine = pose(*datasets.xor(), np.inf)
        assert not machine.separable
        assert machine.separation.converged
        assert np.isnan(machine.b_interval).all()
        assert len(machine.support) == 0


# --- SV-4, SV-5: C and the slacks ----------------------------------------------------------------


@settings(max_examples=15)
@given(integer_examples(both=True, max_n=7), costs)
def test_norm_squared_plus_C_sum_is_half_the_C_of_half_the_norm_squared(examples, C):
    X, y = examples
    (n, d), lecture = X.shape, 2 * C  # L1, L3, L4: norm(w)^2 + C' sum xi
    P = np.diag([2.0] * d + [0.0] * (n + 1))
    q = np.concatenate([np.zeros(d + 1), np.full(n, lecture)])
    G = -np.hstack([y[:, None] * X, y[:, None], np.eye(n)])
    lower = np.concatenate([np.full(d + 1, -np.inf), np.zeros(n)])
    answer = qp.solve(P, q, G=G, h=-np.ones(n), lower=lower)
    machine = svm.primal(X, y, lecture / 2)
    assert answer.primal == pytest.approx(2 * machine.certificate.primal, rel=1e-5, abs=1e-6)
    np.testing.assert_allclose(answer.x[:d], machine.w, atol=1e-3)


def test_the_three_conventions_of_C_differ_where_C_is_not_converted():
    X, y, C = bug_data()
    half, whole = svm.primal(X, y, C), svm.primal(X, y, C / 2)
    assert np.linalg.norm(half.w - whole.w) > 0.01
    average = svm.primal(X, y, C / len(y))  # C / n sum xi, said or unsaid
    assert np.linalg.norm(half.w - average.w) > 0.1


@settings(max_examples=15)
@given(integer_examples(both=True, max_n=7), costs)
def test_the_slack_of_the_program_is_the_hinge_loss(examples, C):
    X, y = examples
    (n, d) = X.shape
    P = np.diag([1.0] * d + [0.0] * (n + 1))
    q = np.concatenate([np.zeros(d + 1), np.full(n, C)])
    G = -np.hstack([y[:, None] * X, y[:, None], np.eye(n)])
    lower = np.concatenate([np.full(d + 1, -np.inf), np.zeros(n)])
    x = qp.solve(P, q, G=G, h=-np.ones(n), lower=lower).x
    t = y * (X @ x[:d] + x[d])
    hinge = losses.hinge()
    np.testing.assert_allclose(x[d + 1 :], [max(0.0, 1 - v) for v in t], atol=1e-4)
    np.testing.assert_allclose(x[d + 1 :], hinge.value(t), atol=1e-4)


# --- SV-6, SV-7: the dual, and b -----------------------------------------------------------------


@pytest.mark.parametrize("offset", [False, True])
@settings(max_examples=20)
@given(examples=integer_examples(both=True, max_n=7), C=costs)
def test_the_multipliers_of_the_primal_program_solve_the_dual(offset, examples, C):
    X, y = examples
    (n, d) = X.shape
    k = d + offset
    P = np.diag([1.0] * d + [0.0] * (k - d + n))
    rows = y[:, None] * np.hstack([X, np.ones((n, 1))])[:, :k]
    lower = np.concatenate([np.full(k, -np.inf), np.zeros(n)])
    q = np.concatenate([np.zeros(k), np.full(n, C)])
    answer = qp.solve(P, q, G=-np.hstack([rows, np.eye(n)]), h=-np.ones(n), lower=lower)
    alpha, w = answer.z, answer.x[:d]
    np.testing.assert_allclose((alpha * y) @ X, w, atol=1e-5)  # dL/dw = 0
    np.testing.assert_allclose(alpha + answer.z_lower[k:], C, atol=1e-5)  # dL/dxi = 0
    if offset:
        assert alpha @ y == pytest.approx(0.0, abs=1e-5)  # dL/db = 0
    dual = alpha.sum() - 0.5 * w @ w
    assert dual == pytest.approx(answer.primal, rel=1e-5, abs=1e-5)
    best = svm.dual(X, y, C, offset=offset).certificate.dual
    assert dual == pytest.approx(best, rel=1e-5, abs=1e-5)


def test_without_an_offset_nothing_balances_alpha():
    X, y, C = bug_data()
    machine = svm.dual(X, y, C, offset=False)
    assert abs(machine.alpha @ y) > 0.1
    assert machine.certificate.balance == 0
    assert machine.certificate.within(1e-6)
    assert not svm.certificate(X @ X.T, y, C, machine.alpha, 0.0).holds  # with offset it is wrong


@pytest.mark.parametrize("pose", [svm.primal, svm.dual])
def test_one_class_alone_is_a_problem_only_without_offset(pose):
    X = np.array([[1.0, 2.0], [3.0, 1.0]])
    machine = pose(X, [1, 1], np.inf, offset=False)
    best = margins.max_margin(X, [1, 1])
    np.testing.assert_allclose(machine.w, best.w / best.gamma, rtol=1e-6)
    with pytest.raises(ValueError, match="needs examples of both"):
        pose(X, [1, 1], 1.0)


def test_any_alpha_above_0_gives_b_in_the_hard_margin():
    X, y, _ = CASES["apart"]
    machine = svm.hard_margin(X, y)
    assert len(machine.support) >= 2
    for k in machine.support:
        assert y[k] - machine.w @ X[k] == pytest.approx(machine.b, abs=1e-6)


def test_any_alpha_above_0_gives_a_wrong_b_in_the_soft_margin():
    X, y = np.array([[-1.0], [1.0], [-0.2], [2.5]]), np.array([-1.0, 1.0, 1.0, -1.0])
    C = 0.2
    machine = svm.dual(X, y, C)
    by_each = {int(k): float(y[k] - machine.w @ X[k]) for k in machine.support}
    assert machine.certificate.within(1e-8)
    wrong = [k for k in by_each if not machine.b_interval[0] <= by_each[k] <= machine.b_interval[1]]
    assert wrong
    assert set(wrong) <= set(machine.bounded.tolist())
    for k in wrong:
        assert not svm.certificate(X @ X.T, y, C, machine.alpha, by_each[k]).holds
    X, y, C = bug_data()
    machine = svm.dual(X, y, C)
    for k in machine.free:
        assert y[k] - machine.w @ X[k] == pytest.approx(machine.b, abs=1e-6)


# --- SV-8: only support vectors matter -----------------------------------------------------------


@catalogue
def test_without_the_other_examples_nothing_changes(name, C):
    X, y, _ = CASES[name]
    whole = machines(name, C)["dual, cvxopt"]
    kept = whole.support
    part = svm.dual(X[kept], y[kept], C)
    assert part.certificate.primal == pytest.approx(whole.certificate.primal, rel=1e-6)
    scale = np.linalg.norm(X, axis=1).max() * np.linalg.norm(whole.w)
    np.testing.assert_allclose(X @ part.w, X @ whole.w, atol=1e-3 * scale + 1e-9)
    if len(whole.free):
        np.testing.assert_allclose(part.decision(X), whole.decision(X), atol=1e-3 * (1 + scale))


def test_removing_a_support_vector_does_change_the_answer():
    X, y, C = bug_data()
    machine = svm.dual(X, y, C)
    for k in machine.support[:5]:
        less = svm.dual(np.delete(X, k, axis=0), np.delete(y, k), C)
        assert less.certificate.primal < machine.certificate.primal * (1 - 1e-6)


@pytest.mark.parametrize("C", [1e2, 1e4, 1e6])
def test_a_C_far_above_every_alpha_hides_no_support_vector(C):
    X, y, _ = CASES["apart"]
    machine, hard = svm.train(X, y, C), svm.hard_margin(X, y)
    np.testing.assert_array_equal(machine.support, hard.support)
    np.testing.assert_array_equal(machine.free, hard.support)
    f = X @ machine.w + machine.b
    np.testing.assert_allclose(machine.decision(X), f, atol=1e-9 * (1 + np.abs(f).max()))
