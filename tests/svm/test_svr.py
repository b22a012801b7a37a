"""Support vector regression: against scikit-learn, between engines, and its own certificate."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVR

from lectures_lib import qp
from lectures_lib.discrete import Spectrum
from lectures_lib.kernel_methods import (
    support_vector_regression,
    svr_certificate,
    svr_qp,
    svr_smo,
    tube_offset,
)
from lectures_lib.kernels import Gaussian, Linear, Polynomial
from lectures_lib.smo import repeat, second_order_loop
from tests.strategies import integer_points, seeds

GAUSSIAN, QUADRATIC = Gaussian(1.3), Polynomial(2)
kernels = st.sampled_from([Linear(), QUADRATIC, GAUSSIAN])
Cs, epsilons = st.sampled_from([0.01, 1.0, 30.0]), st.sampled_from([0.0, 0.1, 1.0])
ENGINES = ["own"] if qp.program.cvxopt is None else ["own", "cvxopt"]
SOLVERS = {"smo": svr_smo} | {
    engine: lambda *problem, engine=engine: svr_qp(*problem, engine=engine) for engine in ENGINES
}


def wave(n=40, seed=0):
    """Return noisy values of a sine, around 3."""
    rng = np.random.default_rng(seed)
    X = rng.uniform(-3, 3, size=(n, 2))
    return X, 3 + np.sin(X[:, 0]) + 0.2 * rng.normal(size=n)


def test_the_offset_of_weighted_errors_is_the_cheapest():
    rng = np.random.default_rng(0)
    for n in (1, 2, 5, 8):
        r, costs = rng.integers(-3, 4, size=n) / 2, rng.integers(1, 4, size=n).astype(float)
        low, high = tube_offset(r, 0.5, costs)

        def cost(b, r=r, costs=costs):
            return costs @ np.maximum(np.abs(r - b) - 0.5, 0.0)

        grid = np.arange(-4, 4.01, 0.25)  # the turns of these numbers are on it
        best = [b for b in grid if cost(b) == min(map(cost, grid))]
        assert (low, high) == (best[0], best[-1])


def test_a_beta_beyond_its_own_price_is_refuted():
    X, y = wave(20)
    C = np.linspace(0.5, 2.0, 20)
    machine = support_vector_regression(X, y, C, 0.1, GAUSSIAN)
    assert machine.certificate.verdict == "proved"
    other = svr_certificate(GAUSSIAN(X), y, C[::-1], 0.1, machine.beta, machine.b)
    assert (np.abs(machine.beta) <= C.max()).all() and other.wrong == "a beta lies outside its box"


@pytest.mark.parametrize("C", [[1.0], np.zeros(20), -np.ones(20), np.full(20, np.inf)])
def test_strange_prices_are_refused(C):
    X, y = wave(20)
    with pytest.raises(ValueError, match="C"):
        support_vector_regression(X, y, C, 0.1, GAUSSIAN)


def targets(X, seed):
    return np.random.default_rng(seed).normal(size=len(X))


# --- the answer ----------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.0, 0.1, 0.5])
@pytest.mark.parametrize("C", [0.01, 1.0, 20.0])
@pytest.mark.parametrize("kernel", [GAUSSIAN, QUADRATIC, Linear()], ids=repr)
def test_support_vector_regression_agrees_with_scikit_learn(kernel, C, epsilon):
    X, y = wave()
    new, K = wave(seed=1)[0], kernel(X)
    other = SVR(C=C, epsilon=epsilon, kernel="precomputed", tol=1e-8).fit(K, y)
    fit = support_vector_regression(X, y, C, epsilon, kernel)
    beta = np.zeros(len(y))
    beta[other.support_] = other.dual_coef_[0]
    theirs = svr_certificate(K, y, C, epsilon, beta, other.intercept_[0])
    assert fit.converged
    assert fit.certificate.primal <= theirs.primal * (1 + 1e-9)
    assert fit.certificate.primal == pytest.approx(theirs.primal, rel=3e-4)  # K in single precision
    low, high = fit.b_interval  # without a free vector any offset in it will do
    shift = np.clip(other.intercept_[0], low, high) - fit.b
    np.testing.assert_allclose(fit.predict(new) + shift, other.predict(kernel(new, X)), atol=1e-3)


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("C, epsilon", [(1e-3, 0.1), (1.0, 0.1), (100.0, 0.3)])
def test_smo_and_both_quadratic_programs_agree(name, C, epsilon):
    X, y = wave(25)
    fits = [
        support_vector_regression(X, y, C, epsilon, GAUSSIAN, solver=solver)
        for solver in (SOLVERS[name], None)
    ]
    assert all(fit.converged for fit in fits)
    assert fits[0].certificate.primal == pytest.approx(fits[1].certificate.primal, rel=1e-6)
    np.testing.assert_allclose(fits[0].predict(X), fits[1].predict(X), atol=1e-5)


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_every_engine_solves_what_is_asked_without_polish(solver):
    X, y = wave(25)
    K, y = GAUSSIAN(X), y - y.mean()
    beta = solver(K, y, 1.0, 0.1)
    b = float(np.mean(tube_offset(y - K @ beta, 0.1)))
    proof = svr_certificate(K, y, 1.0, 0.1, beta, b)
    assert proof.gap <= 1e-3 * proof.primal and proof.box == 0
    assert proof.balance <= 1e-6 * proof.largest


@settings(max_examples=60)
@given(integer_points(min_n=1, max_n=8), seeds, Cs, epsilons, kernels)
def test_every_answer_is_certified_by_its_duality_gap(X, seed, C, epsilon, kernel):
    fit = support_vector_regression(X, targets(X, seed), C, epsilon, kernel)
    assert fit.converged
    assert fit.certificate.gap >= -1e-9 * (1 + fit.certificate.primal)


@given(integer_points(min_n=2), seeds, Cs, epsilons, kernels)
def test_no_beta_has_a_dual_above_or_a_primal_below_the_optimum(X, seed, C, epsilon, kernel):
    rng = np.random.default_rng(seed)
    y, beta, b = targets(X, seed), rng.uniform(-C, C, size=len(X)) / 2, rng.normal()
    beta -= beta.mean()
    best = support_vector_regression(X, y, C, epsilon, kernel).certificate
    proof = svr_certificate(kernel(X), y, C, epsilon, beta, b)
    assert proof.dual <= best.primal + 1e-9 and proof.primal >= best.dual - 1e-9


@given(integer_points(min_n=2), seeds, Cs, epsilons)
def test_the_gap_of_a_balanced_beta_is_the_sum_of_its_broken_conditions(X, seed, C, epsilon):
    rng = np.random.default_rng(seed)
    beta = rng.uniform(-C, C, size=len(X)) / 2
    beta -= beta.mean()
    proof = svr_certificate(QUADRATIC(X), targets(X, seed), C, epsilon, beta, rng.normal())
    size = proof.primal + abs(proof.dual)
    assert proof.gap == pytest.approx(proof.on_tube + proof.at_bound, rel=1e-9, abs=1e-9 * size)
    assert proof.on_tube >= -1e-9 * size and proof.at_bound >= 0


def test_the_dual_variables_say_where_an_example_lies():
    X, y = wave()
    fit = support_vector_regression(X, y, 1.0, 0.2, GAUSSIAN)
    error = y - fit.predict(X)
    assert len(fit.free) and len(fit.bounded) and len(fit.support) < len(y)
    np.testing.assert_allclose(np.abs(error[fit.free]), 0.2, atol=1e-8)
    assert (np.abs(error[fit.bounded]) >= 0.2 - 1e-8).all()
    assert (fit.beta * error >= 0).all()
    inside = np.abs(error) < 0.2 - 1e-8
    assert (fit.beta[inside] == 0).all()


def test_examples_strictly_inside_the_tube_may_be_removed():
    X, y = wave()
    fit = support_vector_regression(X, y, 1.0, 0.2, GAUSSIAN)
    less = support_vector_regression(X[fit.support], y[fit.support], 1.0, 0.2, GAUSSIAN)
    np.testing.assert_allclose(less.predict(X), fit.predict(X), atol=1e-6)


def test_a_wider_tube_needs_fewer_support_vectors_on_these_data():
    X, y = wave()
    kept = [len(support_vector_regression(X, y, 1.0, e, GAUSSIAN).support) for e in (0, 0.2, 2)]
    assert kept[0] > kept[1] > kept[2] == 0


@given(integer_points(min_n=2, max_n=6), seeds, epsilons)
def test_shifted_and_mirrored_targets_shift_and_mirror_the_answer(X, seed, epsilon):
    y = targets(X, seed)
    fit, moved, turned = (
        support_vector_regression(X, t, 1.0, epsilon, GAUSSIAN) for t in (y, y + 8.0, -y)
    )
    np.testing.assert_allclose(moved.predict(X), fit.predict(X) + 8.0, atol=1e-6)
    np.testing.assert_allclose(turned.predict(X), -fit.predict(X), atol=1e-6)


def test_the_linear_kernel_has_its_w_and_others_have_none():
    X, y = wave()
    fit = support_vector_regression(X, y, 0.5, 0.1)
    np.testing.assert_allclose(X @ fit.w + fit.b, fit.predict(X), atol=1e-9)
    assert support_vector_regression(X, y, 0.5, 0.1, GAUSSIAN).w is None


@pytest.mark.parametrize("seed", range(8))
def test_two_entries_of_each_example_are_the_svm_of_twice_the_examples(seed):
    """The dual is an SVM's on 2n rows: solved for the whole matrix, beta's dual is the same."""
    rng = np.random.default_rng(seed)
    X, y = wave(18, seed)
    K, y, C, epsilon = GAUSSIAN(X), y - y.mean(), rng.uniform(0.2, 3.0, size=18), 0.1 * (seed % 3)
    zero, twice = np.zeros(18), np.tile(K, (2, 2))
    target, low, high = np.r_[y - epsilon, y + epsilon], np.r_[zero, -C], np.r_[C, zero]
    whole = repeat(second_order_loop, twice, (target, low, high, np.zeros(36)), 1e-9, 10**6)[0]
    assert ((low <= whole) & (whole <= high)).all() and abs(whole.sum()) < 1e-12
    duals = [
        y @ beta - epsilon * np.abs(beta).sum() - 0.5 * beta @ K @ beta
        for beta in (whole[:18] + whole[18:], svr_smo(K, y, C, epsilon, tol=1e-9))
    ]
    # a violation of 1e-9 costs at most 1e-9 sum C, about 3e-8, in the dual
    assert duals[0] == pytest.approx(duals[1], abs=1e-9 * C.sum())


def test_no_example_is_pulled_up_and_down_at_once():
    X, y = wave(30)
    K, y = GAUSSIAN(X), y - y.mean()
    zero, full = np.zeros(30), np.ones(30)
    target, low, high = np.r_[y - 0.1, y + 0.1], np.r_[zero, -full], np.r_[full, zero]
    problem = target, low, high, np.zeros(60)
    entries = repeat(second_order_loop, np.tile(K, (2, 2)), problem, 1e-6, 10**5)[0]
    assert not (entries[:30] * entries[30:]).any() and entries[:30].any() and entries[30:].any()


# --- the offset ----------------------------------------------------------------------------------


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=9), st.integers(0, 5), st.integers(0, 40))
def test_no_offset_beats_those_of_the_interval(r, epsilon, step):
    r = np.array(r, dtype=float)

    def cost(b):
        return np.maximum(np.abs(r - b) - epsilon, 0).sum()

    low, high = tube_offset(r, epsilon)
    assert cost(low) == cost(high) == cost((low + high) / 2)
    assert cost(step - 20) >= cost(low)
    assert cost(low - 0.5) > cost(low) and cost(high + 0.5) > cost(high)


def test_without_a_free_vector_every_offset_of_the_interval_is_certified_and_no_other():
    X, y = points_without_free_vectors()
    fit = support_vector_regression(X, y, 0.01, 0.1)
    low, high = fit.b_interval
    assert len(fit.free) == 0 and low < fit.b < high
    judge = [svr_certificate(X @ X.T, y, 0.01, 0.1, fit.beta, b).holds for b in fit.b_interval]
    assert judge == [True, True]
    for b in (low - 0.1, high + 0.1):
        assert not svr_certificate(X @ X.T, y, 0.01, 0.1, fit.beta, b).holds


def points_without_free_vectors():
    return np.array([[-1.0], [1.0], [-1.0], [1.0]]), np.array([-2.0, 2.0, -3.0, 3.0])


def test_targets_that_fit_in_the_tube_give_a_constant_in_the_middle():
    X, y = wave()
    fit = support_vector_regression(X, y, 1.0, 5.0, GAUSSIAN)
    assert fit.converged and len(fit.support) == 0 and fit.certificate.primal == 0
    assert fit.b == pytest.approx((y.min() + y.max()) / 2)
    assert fit.b_interval == pytest.approx((y.max() - 5, y.min() + 5))
    assert fit.predict(X[:3]).tolist() == [fit.b] * 3


def test_equal_examples_get_the_median_of_their_targets():
    fit = support_vector_regression(np.ones((5, 2)), [1.0, 2.0, 4.0, 8.0, 100.0], 1.0, 0.0)
    assert fit.predict([[1.0, 1.0]]) == pytest.approx(4.0, abs=1e-6)


# --- the certificate -----------------------------------------------------------------------------


def test_the_certificate_rejects_wrong_answers():
    X, y = wave()
    C, epsilon, K = 1.0, 0.2, GAUSSIAN(X)
    fit = support_vector_regression(X, y, C, epsilon, GAUSSIAN)
    r, side = y - K @ fit.beta, np.where(fit.beta < 0, -1.0, 1.0)
    bound, free = fit.bounded, fit.free
    hasty = svr_smo(K, y, C, epsilon, max_iterations=20)
    outward = fit.beta.copy()  # f - y = +-epsilon, instead of y - f, for the free ones
    outward[free] += np.linalg.solve(K[np.ix_(free, free)], 2 * epsilon * side[free])
    wrong = {
        "b from a bound vector": (fit.beta, (r - epsilon * side)[bound[0]]),
        "b from all support vectors": (fit.beta, (r - epsilon * side)[fit.support].mean()),
        "b without epsilon": (fit.beta, r[free[0]]),
        "b with the sign of epsilon wrong": (fit.beta, (r + epsilon * side)[free[0]]),
        "b = 0": (fit.beta, 0.0),
        "beta with its sign wrong": (-fit.beta, fit.b),
        "beta with the sign of epsilon wrong": (outward, fit.b),
        "stopped early": (hasty, float(np.mean(tube_offset(y - K @ hasty, epsilon)))),
        "one entry moved": (fit.beta + 0.01 * np.eye(40)[free[0]], fit.b),
        "beyond C": (1.01 * fit.beta, fit.b),
        "nothing": (np.zeros(40), float(np.mean(tube_offset(y, epsilon)))),
    }
    assert svr_certificate(K, y, C, epsilon, fit.beta, fit.b).holds
    judged = {name: svr_certificate(K, y, C, epsilon, *answer) for name, answer in wrong.items()}
    assert [name for name, proof in judged.items() if proof.holds] == []


@pytest.mark.parametrize("asked, solved", [(0.2, 0.0), (0.2, 0.1), (0.2, 0.4), (0.0, 0.2)])
def test_the_certificate_rejects_the_answer_for_another_epsilon(asked, solved):
    X, y = wave()
    fit = support_vector_regression(X, y, 1.0, solved, GAUSSIAN)
    assert not svr_certificate(GAUSSIAN(X), y, 1.0, asked, fit.beta, fit.b).holds


def test_a_large_mean_of_y_does_not_hide_a_wrong_beta():
    X, y = wave()
    fit = support_vector_regression(X, y + 1e6, 1.0, 0.2, GAUSSIAN)
    assert fit.converged
    proof = svr_certificate(GAUSSIAN(X), y + 1e6, 1.0, 0.2, 0.9 * fit.beta, fit.b)
    assert not proof.holds


def test_the_certificate_prints_one_line_a_condition():
    X, y = wave()
    lines = str(support_vector_regression(X, y, 1.0, 0.2, GAUSSIAN).certificate).splitlines()
    assert len(lines) == 8 and lines[2].startswith("duality gap")


# --- hard cases ----------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_the_units_of_the_data_and_of_the_targets_do_not_matter(scale, size):
    X, y = wave(20)
    fit = support_vector_regression(X, y, 1.0, 0.1, Linear())
    other = support_vector_regression(scale * X, size * y, size / scale**2, size * 0.1, Linear())
    assert other.converged
    np.testing.assert_allclose(other.predict(scale * X) / size, fit.predict(X), atol=1e-5)


@pytest.mark.parametrize("C", [1e-4, 1e-2, 1.0, 1e2, 1e4, 1e6])
@pytest.mark.parametrize("kernel", [Linear(), GAUSSIAN], ids=repr)
def test_every_size_of_C_is_certified(C, kernel):
    X, y = wave(20)
    X[1], y[1] = X[0], y[0] + 1  # equal examples with different targets
    assert support_vector_regression(X, y, C, 0.1, kernel).converged


def test_a_gram_matrix_bent_by_rounding_is_answered_and_never_refused():
    # Cubes of 1e26 differ by less than their rounding: the centred matrix has negative eigenvalues.
    steps = np.array([[0, -2], [-3, 3], [3, -2], [1, -3], [-2, -3], [1, 3]])
    y = np.array([0.0, -1, 3, 2, 1, 0])
    fit = support_vector_regression(1e6 * (1e7 + steps), y, 0.25, 0.1, Polynomial(3))
    assert (np.abs(fit.beta) <= 0.25).all()
    assert abs(fit.beta.sum()) <= 6 * np.finfo(float).eps  # six entries of at most 0.25


def test_one_example_is_its_own_answer():
    fit = support_vector_regression([[2.0]], [5.0], 1.0, 0.1)
    assert fit.converged and fit.b_interval == (4.9, 5.1) and fit.predict([[7.0]]) == [5.0]


def test_too_few_steps_are_an_answer_that_says_so():
    X, y = wave()

    def hasty(*problem):
        return svr_smo(*problem, max_iterations=3)

    fit = support_vector_regression(X, y, 1.0, 0.1, GAUSSIAN, solver=hasty)
    assert not fit.converged and fit.certificate.gap > 0
    assert fit.certificate.box == 0 and fit.certificate.balance == pytest.approx(0, abs=1e-12)


def test_support_vector_regression_takes_strings():
    words = ["abab", "babab", "aabb", "bbaa", "ab", "bbb"]
    y = np.array([len(word) for word in words])
    fit = support_vector_regression(words, y, 100.0, 0.1, Spectrum(1))
    assert fit.converged
    np.testing.assert_allclose(fit.predict(words), y, atol=0.11)  # linear in phi


def test_the_data_are_not_modified_and_may_change_afterwards():
    X, y = wave()
    fit = support_vector_regression(X, y, 1.0, 0.1, GAUSSIAN)
    before = fit.predict(wave()[0])
    assert (X == wave()[0]).all() and (y == wave()[1]).all()
    X[:], y[:] = 0.0, 0.0
    assert (fit.predict(wave()[0]) == before).all()
    assert replace(fit, b=0.0).predict(wave()[0]) == pytest.approx(before - fit.b)


@pytest.mark.parametrize(
    "y, options, message",
    [
        ([1.0, 2.0], {}, "it needs 3 real numbers"),
        ([1.0, np.nan, 2.0], {}, "NaN or infinity"),
        ([1.0, 2.0, 3.0], {"C": 0.0}, "C must be a number > 0"),
        ([1.0, 2.0, 3.0], {"C": np.inf}, "a hard tube: a large one"),
        ([1.0, 2.0, 3.0], {"epsilon": -0.1}, "a number >= 0, not -0.1"),
        ([1.0, 2.0, 3.0], {"epsilon": "0.1"}, "half the width of the tube"),
    ],
)
def test_support_vector_regression_refuses_bad_input_in_words(y, options, message):
    with pytest.raises(ValueError, match=message):
        support_vector_regression(np.eye(3), y, **options)


def wild_problem(seed):
    """Return (X, y, C) of sizes that floats cannot settle."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(15, 2)) * 10.0 ** rng.uniform(-8, 8)
    X = X + 10.0 ** rng.uniform(-3, 8)
    y = rng.normal(size=15)
    return X, y * 10.0 ** rng.uniform(-4, 4), float(10.0 ** rng.uniform(-4, 4))


@pytest.mark.parametrize("seed", [14, 17, 23, 41, 51])
def test_what_rounding_leaves_open_about_a_small_tube_fractions_decide(seed):
    X, y, C = wild_problem(seed)
    fit = support_vector_regression(X, y, C, 0.1)
    proof = fit.certificate
    Z = [[Fraction(v) - Fraction(c) for v, c in zip(x, fit.centre)] for x in X.tolist()]
    beta, targets = [Fraction(v) for v in fit.beta.tolist()], [Fraction(v) for v in y.tolist()]
    w = [sum(v * z[j] for v, z in zip(beta, Z)) for j in range(2)]
    slack = [max(Fraction(0), abs(t - w[0] * z[0] - w[1] * z[1] - Fraction(fit.b_centred)) -
                 Fraction(0.1)) for z, t in zip(Z, targets)]  # fmt: skip
    value = (w[0] ** 2 + w[1] ** 2) / 2 + Fraction(C) * sum(slack)
    assert proof.verdict != "undecided" and proof.above.low <= value <= proof.above.high
    assert proof.holds == (proof.above.value - proof.below.value <= Fraction(proof.tolerance))


@pytest.mark.parametrize("lie", [0.0, 1e-3])
def test_a_tube_over_a_given_matrix_is_judged_in_fractions_when_asked(lie):
    X, y = np.array([[0.0], [1.0], [3.0]]), np.array([0.0, 1.0, 2.0])
    fit = support_vector_regression(X, y, 10.0, 0.25)
    K = X @ X.T
    answer = K, y, 10.0, 0.25, fit.beta, fit.b + lie
    exact = svr_certificate(*answer, exact=True)
    assert isinstance(exact.above.value, Fraction) and isinstance(exact.below.value, Fraction)
    assert exact.verdict == svr_certificate(*answer).verdict
    assert exact.verdict == ("refuted" if lie else "proved")
