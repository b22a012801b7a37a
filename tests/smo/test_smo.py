"""SMO: three ways to choose the pair and a fast one, one optimum; what is kept and reported."""

from fractions import Fraction
from operator import mul

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from lectures_lib import datasets, kernels, qp, smo, svm
from lectures_lib.fast import decomposition, loop64
from lectures_lib.proof.rounding import fractions
from tests.strategies import integer_examples

SOLVERS = {
    "platt": smo.platt,
    "most_violating": smo.most_violating,
    "second_order": smo.second_order,
}
solvers = pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
costs = st.sampled_from([0.05, 0.3, 1.0, 7.0])


def dual_value(K, y, alpha):
    """Return sum alpha - half sum alpha_i alpha_j y_i y_j K_ij."""
    beta = alpha * y
    return float(alpha.sum() - 0.5 * beta @ np.asarray(K, dtype=float) @ beta)


def best_by_qp(K, y, C, engine="cvxopt"):
    """Return the largest value of the dual, solved as a quadratic program."""
    Q = y[:, None] * K * y
    options = {"A": y[None, :], "b": [0.0], "lower": 0.0, "upper": C, "engine": engine}
    return -qp.solve(Q, -np.ones(len(y)), **options).primal


def worst_pair(K, y, C, alpha):
    """Return the largest F_i - F_j over pairs that could still be improved, by brute force."""
    F = [float(y[i] - sum(K[i, j] * alpha[j] * y[j] for j in range(len(y)))) for i in range(len(y))]
    up = [i for i in range(len(y)) if (alpha[i] < C if y[i] > 0 else alpha[i] > 0)]
    down = [j for j in range(len(y)) if (alpha[j] > 0 if y[j] > 0 else alpha[j] < C)]
    return max(F[i] - F[j] for i in up for j in down)


def assert_feasible(run, y, C):
    """The box exactly; the balance up to the rounding of a sum."""
    assert (run.alpha >= 0).all()
    assert (run.alpha <= C).all()
    assert abs(run.alpha @ y) <= 1e-13 * len(y) * max(run.alpha.max(), 1e-300)


def gaussian_problem(n=24, seed=0, sigma=0.7):
    X, y = datasets.noisy(n, 2, flips=0.2, rng=seed)
    return kernels.Gaussian(sigma)(X), y


# One optimum


@settings(max_examples=60)
@given(
    examples=integer_examples(both=True, max_n=12),
    C=st.sampled_from([0.05, 1.0, 7.0, np.inf]),
    sigma=st.sampled_from([0.0, 0.7, 5.0]),
    most=st.sampled_from([0, 3, 500]),
)
def test_the_quick_loop_takes_the_same_pairs_and_steps_to_the_bit(examples, C, sigma, most):
    X, y = examples
    K = X @ X.T if sigma == 0 else kernels.Gaussian(sigma)(X)
    low, high = np.where(y > 0, 0.0, -C), np.where(y > 0, C, 0.0)
    (beta, F), (beta_quick, F_quick) = ((np.zeros(len(y)), y.copy()) for _ in range(2))
    plain = smo.second_order_loop(K, low, high, beta, F, 1e-3, most)
    assert loop64.quick_second_order(K, low, high, beta_quick, F_quick, 1e-3, most, 0.0) == plain
    assert beta_quick.tobytes() == beta.tobytes()
    assert (F_quick == F).all()


@given(st.lists(st.floats(allow_nan=False), min_size=2, max_size=2))
def test_patterns_of_floats_are_whole_numbers_in_their_order(pair):
    (a, b), (p, q) = pair, (loop64._pattern(v) for v in pair)
    assert [loop64._value(p), loop64._value(q)] == [a, b]
    assert (p < q) == (a < b) or a == b == 0.0


def test_the_quick_loop_ends_where_scores_are_no_numbers():
    K, y = np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([1.0, -1.0])
    F = np.array([np.nan, 1.0])
    steps, _, _ = loop64.quick_second_order(K, np.zeros(2), np.ones(2), y * 0, F, 1e-3, 10, 0.0)
    assert steps <= 10


@pytest.mark.parametrize("C", [0.1, 10.0, 1e6])
def test_rounding_takes_the_F_of_a_valid_kernel_no_farther_than_its_bound(C):
    K, y = gaussian_problem(60)
    low, high = np.where(y > 0, 0.0, -C), np.where(y > 0, C, 0.0)
    steps, times, error = decomposition._of_valid(K, y)
    beta = np.zeros(len(y))
    F = y - times(beta)
    assert error() == 0.0
    assert steps(low, high, beta, F, 1e-9, 10_000) > 50
    exact = [
        Fraction(t) - sum(map(mul, row, map(Fraction, beta))) for t, row in zip(y, fractions(K))
    ]
    off = max(abs(Fraction(f) - e) for f, e in zip(F, exact))
    assert 0 < off < error() < 1e-6 * np.sqrt(C)
    times(beta)
    assert error() == 0.0


@pytest.mark.parametrize("violation", [0.1, 1e-3])
def test_a_gap_is_sought_from_a_start_with_a_small_violation_too(violation):
    K, y = gaussian_problem(80)
    start = decomposition.second_order_of_valid(K, y, 1000.0, tol=violation).alpha
    for gap in (1e-2, 1e-4):
        run = decomposition.second_order_of_valid(K, y, 1000.0, tol=0.5, start=start, gap=gap)
        assert decomposition.relative_gap(run.alpha * y, run.F, y, 1000.0) <= gap


@solvers
@settings(max_examples=20)
@given(examples=integer_examples(both=True, max_n=8), C=costs)
def test_the_optimum_is_that_of_both_quadratic_programs(solver, examples, C):
    X, y = examples
    K = X @ X.T
    run = solver(K, y, C, tol=1e-6)
    assert run.reached_tol
    assert_feasible(run, y, C)
    for engine in ("own", "cvxopt"):
        best = best_by_qp(K, y, C, engine)
        assert dual_value(K, y, run.alpha) == pytest.approx(best, rel=1e-5, abs=1e-6)


@solvers
@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("seed", range(2))
def test_the_objective_and_the_decisions_are_those_of_scikit_learn(solver, C, seed):
    K, y = gaussian_problem(seed=seed)
    run = solver(K, y, C, tol=1e-6)
    theirs = SVC(C=C, kernel="precomputed", tol=1e-9).fit(K, y)
    alpha = np.zeros(len(y))
    alpha[theirs.support_] = np.abs(theirs.dual_coef_[0])
    assert dual_value(K, y, run.alpha) == pytest.approx(dual_value(K, y, alpha), rel=1e-7)
    f, g = K @ (run.alpha * y), theirs.decision_function(K) - theirs.intercept_
    np.testing.assert_allclose(f, g, atol=1e-4)


@settings(max_examples=15)
@given(integer_examples(both=True, max_n=8), costs)
def test_all_three_find_the_same_w(examples, C):
    X, y = examples
    found = [(solver(X @ X.T, y, C, tol=1e-7).alpha * y) @ X for solver in SOLVERS.values()]
    for w in found[1:]:
        np.testing.assert_allclose(w, found[0], atol=1e-5)


@solvers
def test_a_pair_is_solved_exactly_in_one_step(solver):
    K = np.array([[4.0, 1.0], [1.0, 3.0]])  # norm(phi_1 - phi_2)^2 = 5, so alpha = 2 / 5
    run = solver(K, [1, -1], 10.0)
    np.testing.assert_allclose(run.alpha, 0.4, rtol=1e-12)
    assert (run.iterations, run.reached_tol) == (1, True)
    np.testing.assert_array_equal(solver(K, [1, -1], 0.3).alpha, [0.3, 0.3])


@solvers
@pytest.mark.parametrize("C", [1e-4, 1.0, 1e6])
def test_duplicates_with_opposite_labels_do_not_stop_it(solver, C):
    X = np.array([[1.0, 2.0], [1.0, 2.0], [3.0, 1.0], [3.0, 1.0], [3.0, 1.0]])
    y = np.array([1.0, -1.0, 1.0, -1.0, -1.0])
    run = solver(X @ X.T, y, C, tol=1e-6)
    assert run.reached_tol
    assert_feasible(run, y, C)
    assert dual_value(X @ X.T, y, run.alpha) == pytest.approx(4 * C, rel=1e-5)


@solvers
@pytest.mark.parametrize("K", [np.zeros((4, 4)), np.ones((4, 4))])
def test_examples_that_are_all_equal_end_at_the_bound(solver, K):
    y = np.array([1.0, 1.0, -1.0, -1.0])
    run = solver(K, y, 0.7)
    assert run.reached_tol
    np.testing.assert_array_equal(run.alpha, [0.7] * 4)


@solvers
def test_C_infinite_is_the_hard_margin(solver):
    problem = datasets.separable(14, 2, gamma=0.3, rng=1)
    run = solver(problem.X @ problem.X.T, problem.y, np.inf, tol=1e-6)
    w = (run.alpha * problem.y) @ problem.X
    hard = svm.hard_margin(problem.X, problem.y)
    assert run.reached_tol
    np.testing.assert_allclose(w, hard.w, atol=1e-4)


@solvers
@pytest.mark.parametrize("scale", [1e-8, 1e-4, 1e4, 1e8])
def test_the_units_of_the_kernel_do_not_matter(solver, scale):
    K, y = gaussian_problem(16)
    plain, scaled = solver(K, y, 2.0, tol=1e-5), solver(scale * K, y, 2.0 / scale, tol=1e-5)
    assert scaled.reached_tol
    value = dual_value(scale * K, y, scaled.alpha)
    assert scale * value == pytest.approx(dual_value(K, y, plain.alpha), rel=1e-5)


# The famous SMO that never draws the last example


@solvers
@pytest.mark.parametrize("place", range(5))
def test_every_example_can_be_drawn_wherever_it_stands(solver, place):
    X, y = np.array([[2.0], [3.0], [4.0], [5.0]]), np.ones(4)
    X, y = np.insert(X, place, [[-1.0]], axis=0), np.insert(y, place, -1.0)
    run = solver(X @ X.T, y, 5.0, tol=1e-6)  # the only negative: without it nothing can move
    assert run.alpha[place] == pytest.approx(2 / 9, rel=1e-6)
    assert (run.alpha * y @ X)[0] == pytest.approx(2 / 3, rel=1e-6)


@solvers
def test_an_essential_last_example_moves_though_others_could_do_without_it(solver):
    X = np.array([[-3.0], [-2.0], [3.0], [4.0], [0.5]])  # the street ends at the last one
    y = np.array([-1.0, -1.0, 1.0, 1.0, 1.0])
    run = solver(X @ X.T, y, 100.0, tol=1e-6)
    assert run.alpha[-1] > 0
    assert (run.alpha * y @ X)[0] == pytest.approx(2 / 2.5, rel=1e-5)


# What is kept and what is reported


@solvers
@settings(max_examples=20)
@given(examples=integer_examples(both=True, max_n=8), C=costs, most=st.integers(1, 12))
def test_box_and_balance_hold_after_any_number_of_steps(solver, examples, C, most):
    X, y = examples
    run = solver(X @ X.T, y, C, tol=1e-6, max_iterations=most)
    assert run.iterations <= most
    assert_feasible(run, y, C)


@solvers
@settings(max_examples=20)
@given(examples=integer_examples(both=True, max_n=8), C=costs, most=st.integers(1, 40))
def test_the_violation_reported_is_that_of_the_answer(solver, examples, C, most):
    X, y = examples
    run = solver(X @ X.T, y, C, tol=1e-4, max_iterations=most)
    violation = worst_pair(X @ X.T, y, C, run.alpha)
    assert run.violation == pytest.approx(violation, rel=1e-6, abs=1e-9)
    assert run.reached_tol == (run.violation <= (2e-4 if solver is smo.platt else 1e-4))


@solvers
@settings(max_examples=20)
@given(examples=integer_examples(both=True, max_n=8), C=costs)
def test_more_steps_never_lower_the_dual(solver, examples, C):
    X, y = examples
    K = X @ X.T
    values = [
        dual_value(K, y, solver(K, y, C, tol=1e-6, max_iterations=most).alpha)
        for most in range(1, 12)
    ]
    assert np.diff(values).min() >= -1e-12 * (1 + max(values))
    assert values[0] > 0


@solvers
def test_a_run_cut_short_says_so_and_advises(solver):
    X, y = datasets.noisy(30, 2, flips=0.3, rng=0)
    K = X @ X.T
    run = solver(K, y, 1e4, max_iterations=7)
    assert not run.reached_tol
    assert run.iterations == 7
    for words in ("stopped early", "scale the features", "lower C", "after 7 steps"):
        assert words in run.message
    assert run.message.startswith("stopped early")
    assert solver(K, y, 0.1).message.startswith("reached its tolerance; violation")


@solvers
def test_a_run_that_ends_with_its_last_allowed_step_has_converged(solver):
    K, y = gaussian_problem(12)
    full = solver(K, y, 1.0)
    again = solver(K, y, 1.0, max_iterations=full.iterations)
    assert again.reached_tol
    assert again.iterations == full.iterations


@solvers
def test_data_that_no_plane_separates_at_C_infinite_end_at_the_limit(solver):
    X, y = datasets.xor()
    run = solver(X @ X.T, y, np.inf, max_iterations=200)
    assert not run.reached_tol
    assert run.iterations <= 200


@solvers
def test_the_data_are_not_modified(solver):
    K, y = gaussian_problem(12)
    before = K.copy(), y.copy()
    solver(K, y, 1.0)
    np.testing.assert_array_equal(K, before[0])
    np.testing.assert_array_equal(y, before[1])


# Single precision, integers, other layouts


@solvers
def test_a_gram_matrix_in_single_precision_is_taken_as_it_is(solver):
    K, y = gaussian_problem()
    single = K.astype(np.float32)
    run = solver(single, y, 3.0, tol=1e-4)
    assert run.reached_tol
    assert run.alpha.dtype == np.float64
    assert_feasible(run, y, 3.0)
    violation = worst_pair(single.astype(float), y, 3.0, run.alpha)
    assert run.violation == pytest.approx(violation, rel=1e-6, abs=1e-9)
    full = solver(K, y, 3.0, tol=1e-4)
    assert dual_value(K, y, run.alpha) == pytest.approx(dual_value(K, y, full.alpha), rel=1e-5)


@solvers
@pytest.mark.parametrize("form", [np.asfortranarray, np.ndarray.tolist, lambda K: K.astype(int)])
def test_the_layout_of_the_gram_matrix_does_not_matter(solver, form):
    X = np.array([[1.0, 2.0], [3.0, 1.0], [-1.0, 0.0], [0.0, 4.0]])
    y, K = np.array([1.0, 1.0, -1.0, -1.0]), X @ X.T
    np.testing.assert_array_equal(solver(form(K), y, 2.0).alpha, solver(K, y, 2.0).alpha)


# Warm starts


def test_a_warm_start_gives_the_same_optimum_in_no_more_steps_on_the_whole():
    cold_steps = warm_steps = 0
    for seed in range(4):
        K, y = gaussian_problem(20, seed=seed)
        alpha = None
        for C in (0.5, 0.7, 1.0, 1.4, 2.0, 2.8, 4.0):
            cold = smo.second_order(K, y, C, tol=1e-4)
            warm = smo.second_order(K, y, C, tol=1e-4, start=alpha)
            assert warm.reached_tol
            assert_feasible(warm, y, C)
            value = dual_value(K, y, cold.alpha)
            assert dual_value(K, y, warm.alpha) == pytest.approx(value, rel=1e-4)
            if alpha is not None:
                cold_steps, warm_steps = cold_steps + cold.iterations, warm_steps + warm.iterations
            alpha = warm.alpha
    assert warm_steps <= cold_steps


def test_starting_at_the_optimum_needs_no_step():
    K, y = gaussian_problem(12)
    run = smo.second_order(K, y, 1.0)
    again = smo.second_order(K, y, 1.0, start=run.alpha)
    assert again.iterations == 0
    assert again.reached_tol
    np.testing.assert_array_equal(again.alpha, run.alpha)


def test_the_start_is_not_modified():
    K, y = gaussian_problem(12)
    start = np.full(len(y), 0.1) * (1 + (y > 0) * ((y < 0).sum() / (y > 0).sum() - 1))
    kept = start.copy()
    smo.second_order(K, y, 1.0, start=start)
    np.testing.assert_array_equal(start, kept)


@pytest.mark.parametrize(
    ("start", "advice"),
    [
        ([0.5, 0.5, 0.5], "one alpha"),
        ([-0.1, -0.1], "one alpha"),
        ([1.5, 1.5], "one alpha"),
        ([np.nan, np.nan], "one alpha"),
        ([0.5, 0.4], "sum alpha y = 0"),
    ],
)
def test_a_start_that_is_not_feasible_is_refused(start, advice):
    with pytest.raises(ValueError, match=advice):
        smo.second_order(np.eye(2), [1, -1], 1.0, start=start)


# Second order against first order


def catalogue():
    for seed in range(6):
        yield *gaussian_problem(20, seed=seed, sigma=[0.2, 0.5, 1.5][seed % 3]), 3.0
    X, y = datasets.iris("versicolor", "virginica")
    yield X[::5] @ X[::5].T, y[::5], 1.0
    X, y = datasets.noisy(20, 3, flips=0.1, rng=4)
    yield X @ X.T, y, 10.0


def test_the_curvature_saves_steps_over_a_catalogue():
    first = second = 0
    for K, y, C in catalogue():
        first += smo.most_violating(K, y, C).iterations
        second += smo.second_order(K, y, C).iterations
    assert second <= first


# Bad input


@solvers
@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"K": np.ones((2, 3))}, "square"),
        ({"K": np.eye(3)}, "it needs"),
        ({"K": np.array([[np.nan, 0.0], [0.0, 1.0]])}, "NaN or infinity"),
        ({"K": np.array([[np.inf, 0.0], [0.0, 1.0]])}, "NaN or infinity"),
        ({"y": [0, 1]}, r"2 \* y - 1"),
        ({"y": [1, 1]}, "needs examples of both"),
        ({"C": 0.0}, "C must be"),
        ({"C": -1.0}, "C must be"),
        ({"C": np.nan}, "C must be"),
        ({"tol": 0.0}, "tol must be"),
        ({"tol": -1.0}, "tol must be"),
        ({"tol": np.nan}, "tol must be"),
        ({"max_iterations": 0}, "max_iterations"),
        ({"max_iterations": 2.5}, "max_iterations"),
    ],
)
def test_bad_input_is_refused_with_advice(solver, change, advice):
    options = {"K": np.eye(2), "y": [1, -1], "C": 1.0} | change
    with pytest.raises(ValueError, match=advice):
        solver(options.pop("K"), options.pop("y"), options.pop("C"), **options)


# The fast one: the same answers, with few rows of K in bounded memory
