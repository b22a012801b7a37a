"""SMO: three ways to choose the pair and a fast one, one optimum; what is kept and reported."""

from dataclasses import dataclass, field
from fractions import Fraction
from operator import mul

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.svm import SVC

from lectures_lib import _jit, datasets, discrete, fast, kernels, qp, smo, svm
from lectures_lib.fast import decomposition, loop64, rescue, row_cache, subproblems, tiles
from lectures_lib.proof.scores import fractions
from lectures_lib.smo import loops
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
    plain = loops.second_order_loop(K, low, high, beta, F, 1e-3, most)
    assert loop64.quick_second_order(K, low, high, beta_quick, F_quick, 1e-3, most) == plain
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
    steps, _, _ = loop64.quick_second_order(K, np.zeros(2), np.ones(2), y * 0, F, 1e-3, 10)
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


@dataclass
class Counting(kernels.Kernel):
    """A kernel that remembers the sizes of the blocks it was asked for."""

    kernel: kernels.Kernel
    sizes: list = field(default_factory=list)

    def gram(self, X, Z):
        self.sizes.append(len(X) * len(Z))
        return self.kernel.gram(X, Z)

    def diagonal(self, X):
        return self.kernel.diagonal(X)


def assert_same_answer(fast, slow, K, y, C, rel=1e-5):
    """Both converged; one objective, the same decisions, and an F that is that of alpha."""
    assert fast.reached_tol
    assert_feasible(fast, y, C)
    value = dual_value(K, y, slow.alpha)
    assert dual_value(K, y, fast.alpha) == pytest.approx(value, rel=rel)
    np.testing.assert_allclose(fast.F, y - K @ (fast.alpha * y), rtol=1e-9, atol=1e-9)


SIGMAS = {"narrow": 0.2, "middle": 0.7, "wide": 3.0}


@pytest.mark.parametrize("C", [1e-4, 0.1, 1.0, 100.0])
@pytest.mark.parametrize("sigma", SIGMAS.values(), ids=SIGMAS)
def test_the_fast_answer_is_that_of_the_plain_one_and_of_scikit_learn(C, sigma):
    X, y = datasets.noisy(40, 2, flips=0.2, rng=3)
    kernel, K = kernels.Gaussian(sigma), kernels.Gaussian(sigma)(X)
    run = fast.smo(kernel, X, y, C, tol=1e-6)
    assert_same_answer(run, smo.second_order(K, y, C, tol=1e-6), K, y, C)
    theirs = SVC(C=C, kernel="precomputed", tol=1e-9).fit(K, y)
    f, g = y - run.F, theirs.decision_function(K) - theirs.intercept_
    np.testing.assert_allclose(f, g, atol=1e-4 * max(1.0, C**0.5))


@settings(max_examples=25)
@given(examples=integer_examples(both=True, max_n=8), C=costs)
def test_the_fast_optimum_is_that_of_the_quadratic_program(examples, C):
    X, y = examples
    run = fast.smo(kernels.Linear(), X, y, C, tol=1e-6)
    assert run.reached_tol
    assert_feasible(run, y, C)
    best = best_by_qp(X @ X.T, y, C)
    assert dual_value(X @ X.T, y, run.alpha) == pytest.approx(best, rel=1e-5, abs=1e-6)
    assert run.violation == pytest.approx(worst_pair(X @ X.T, y, C, run.alpha), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("C", [1e-4, 1.0, 1e6])
def test_the_fast_one_does_not_stop_at_duplicates_with_opposite_labels(C):
    X = np.array([[1.0, 2.0], [1.0, 2.0], [3.0, 1.0], [3.0, 1.0], [3.0, 1.0]])
    y = np.array([1.0, -1.0, 1.0, -1.0, -1.0])
    run = fast.smo(kernels.Linear(), X, y, C, tol=1e-6)
    assert run.reached_tol
    assert dual_value(X @ X.T, y, run.alpha) == pytest.approx(4 * C, rel=1e-5)


def test_the_fast_one_solves_a_single_pair_exactly():
    run = fast.smo(kernels.Linear(), [[2.0], [-1.0]], [1, -1], 10.0)
    np.testing.assert_allclose(run.alpha, 2 / 9, rtol=1e-12)
    assert (run.iterations, run.reached_tol) == (1, True)


def test_the_fast_one_finds_the_hard_margin():
    problem = datasets.separable(14, 2, gamma=0.3, rng=1)
    run = fast.smo(kernels.Linear(), problem.X, problem.y, np.inf, tol=1e-6)
    hard = svm.hard_margin(problem.X, problem.y)
    assert run.reached_tol
    np.testing.assert_allclose((run.alpha * problem.y) @ problem.X, hard.w, atol=1e-4)


@pytest.mark.parametrize("scale", [1e-60, 1e-20, 1e-4, 1e4, 1e20, 1e60])
def test_the_units_of_the_data_do_not_matter_to_the_fast_one(scale):
    X, y = datasets.noisy(16, 2, flips=0.2, rng=0)
    plain = fast.smo(kernels.Linear(), X, y, 2.0, tol=1e-5)
    scaled = fast.smo(kernels.Linear(), scale * X, y, 2.0 / scale**2, tol=1e-5)
    assert scaled.reached_tol
    np.testing.assert_allclose(scaled.F, plain.F, atol=1e-4)


def test_examples_of_very_different_norms_are_no_trouble_for_the_fast_one():
    X = np.array([[1e6, 0.0], [-1e6, 1.0], [1e-6, 1.0], [-1e-6, -1.0], [1.0, 1.0], [-1.0, -1.0]])
    y = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
    run = fast.smo(kernels.Linear(), X, y, 10.0, tol=1e-6)
    assert_same_answer(run, smo.second_order(X @ X.T, y, 10.0, tol=1e-6), X @ X.T, y, 10.0)


def test_the_fast_one_takes_kernels_of_strings():
    words = ["abab", "baba", "abba", "aabb", "cdcd", "dcdc", "cddc", "ccdd"]
    y = np.array([1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0, 1.0])
    kernel = discrete.Spectrum(2)
    run = fast.smo(kernel, words, y, 1.0, tol=1e-6)
    K = kernel(words)
    assert_same_answer(run, smo.second_order(K, y, 1.0, tol=1e-6), K, y, 1.0)


def overlapping(n):
    """Return examples of which most end at a bound, and some between."""
    return datasets.noisy(n, 2, flips=0.15, rng=5)


LARGER = 150 if _jit.COMPILED else 60


@pytest.mark.parametrize("rows", [4, 11, 60, 10_000])
def test_any_memory_gives_the_same_answer_and_is_never_exceeded(rows, monkeypatch):
    X, y = overlapping(LARGER)
    n, memory = len(y), rows * 8 * len(y)
    made, init = [], row_cache.RowCache.__init__
    monkeypatch.setattr(
        row_cache.RowCache, "__init__", lambda self, *a: made.append(self) or init(self, *a)
    )
    kernel = Counting(kernels.Gaussian(0.5))
    run = fast.smo(kernel, X, y, 3.0, tol=1e-4, memory=memory)
    assert_same_answer(run, smo.second_order(kernel(X), y, 3.0, tol=1e-4), kernel(X), y, 3.0, 1e-4)
    assert made[0].kept.shape == (min(n, rows // 2), n)
    block = max(n, 8 * made[0].widest, memory // 32)
    assert max(kernel.sizes[:-2]) <= block  # the last two are ours
    assert made[0].widest ** 2 <= max(memory // 32, 16)


def test_only_rows_that_are_needed_are_computed(monkeypatch):
    monkeypatch.setattr(subproblems, "JOIN", 8)
    n, rng = LARGER, np.random.default_rng(0)
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    X = rng.normal(size=(n, 2)) + 3.0 * y[:, None]  # far apart: few support vectors
    kernel = Counting(kernels.Gaussian(3.0))
    run = fast.smo(kernel, X, y, 100.0)
    assert run.reached_tol
    assert sum(kernel.sizes) < 0.5 * n * n


def test_a_sub_problem_whose_examples_all_reach_a_bound_ends_there():
    X, y = datasets.noisy(60, 2, flips=0.15, rng=5)  # of four examples at a time
    run = fast.smo(kernels.Gaussian(0.5), X, y, 3.0, tol=1e-4, memory=4 * 8 * 60)
    assert run.reached_tol
    assert run.iterations < 5_000


def test_the_places_of_the_store_and_their_owners_agree_after_any_use():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(30, 3))
    K = kernels.Linear()(X)
    rows = row_cache.RowCache(kernels.Linear(), X, 14 * 8 * 30)
    for _ in range(60):
        I = rng.permutation(30)[: rng.integers(1, 30)]
        d, F = rng.normal(size=len(I)), rng.normal(size=30)
        expected = F - d @ K[I]
        rows.subtract(F, I, d, keep=rng.random(len(I)) < 0.5)
        np.testing.assert_allclose(F, expected, rtol=1e-10, atol=1e-10)
        A = rows.known_first(rng.permutation(30)[: rng.integers(1, rows.widest + 1)])
        square = rows.square(A)
        np.testing.assert_allclose(square, K[np.ix_(A, A)], rtol=1e-10, atol=1e-12)
        held = np.flatnonzero(rows.place >= 0)
        assert len(held) <= 7
        np.testing.assert_array_equal(rows.owner[rows.place[held]], held)
        np.testing.assert_allclose(rows.kept[rows.place[held]], K[held], rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("number", ["1", "3"])
def test_rows_cut_into_parts_for_several_cores_give_the_same_bits(number, single, monkeypatch):
    X, y = datasets.noisy(200, 3, rng=5)
    monkeypatch.setattr(tiles, "COLUMNS", 30)
    whole = fast.smo(kernels.Gaussian(0.5), X, y, 10.0, single=single)
    monkeypatch.setenv("LECTURES_LIB_CORES", number)
    monkeypatch.setattr(row_cache, "LARGE", 1)
    monkeypatch.setattr(row_cache, "COSTLY", 1)
    cut = fast.smo(kernels.Gaussian(0.5), X, y, 10.0, single=single)
    assert (cut.alpha == whole.alpha).all() and (cut.F == whole.F).all()


@pytest.mark.parametrize("C", [0.3, 10.0, 300.0])
def test_single_precision_finds_the_answer_of_double_precision_up_to_its_own_digits(C):
    X, y = datasets.noisy(300, 4, flips=0.1, rng=2)
    kernel = kernels.Gaussian(1.0)
    rough, fine = (fast.smo(kernel, X, y, C, single=single) for single in (True, False))
    assert rough.reached_tol and fine.reached_tol
    K = kernel(X)
    assert np.abs(rough.F - (y - K @ (rough.alpha * y))).max() <= 1e-6 * rough.alpha.sum()
    assert dual_value(K, y, rough.alpha) == pytest.approx(dual_value(K, y, fine.alpha), rel=1e-3)


def test_single_precision_holds_twice_as_many_rows_in_the_same_memory():
    X = np.random.default_rng(0).normal(size=(64, 3))
    held = [
        row_cache.RowCache(kernels.Gaussian(2.0), X, 32 * 8 * 64, single=single).kept
        for single in (True, False)
    ]
    assert [kept.shape for kept in held] == [(32, 64), (16, 64)]
    assert held[0].nbytes == held[1].nbytes


@pytest.mark.parametrize("kernel", [kernels.Linear(), kernels.Polynomial(3)], ids=repr)
def test_kernels_without_single_precision_keep_double(kernel):
    X = np.random.default_rng(0).normal(size=(20, 3))
    assert row_cache.RowCache(kernel, X, 2**20, single=True).dtype == np.float64


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_the_scores_of_a_sparse_answer_are_those_of_the_whole_product(share):
    rng = np.random.default_rng(3)
    K = kernels.Gaussian(1.0).gram(*[rng.normal(size=(40, 2))] * 2)
    beta = rng.normal(size=40) * (np.arange(40) < share * 40)
    np.testing.assert_allclose(decomposition.combined(K, beta), K @ beta, atol=1e-13)


@pytest.mark.parametrize("join", [2, 6, 1000])
def test_the_answer_does_not_depend_on_how_many_are_shrunk_away(join, monkeypatch):
    X, y = overlapping(60)
    kernel = kernels.Gaussian(0.5)
    monkeypatch.setattr(subproblems, "JOIN", join)
    run = fast.smo(kernel, X, y, 3.0, tol=1e-5)
    slow = smo.second_order(kernel(X), y, 3.0, tol=1e-5)
    assert_same_answer(run, slow, kernel(X), y, 3.0)


def test_a_fast_run_cut_short_is_feasible_says_so_and_advises():
    X, y = overlapping(40)
    for most in (1, 7, 20):
        run = fast.smo(kernels.Linear(), X, y, 1e4, max_iterations=most)
        assert (run.iterations, run.reached_tol) == (most, False)
        assert_feasible(run, y, 1e4)
        violation = worst_pair(X @ X.T, y, 1e4, run.alpha)
        assert run.violation == pytest.approx(violation, rel=1e-6)
        for words in ("stopped early", "scale the features", "lower C", f"after {most} steps"):
            assert words in run.message


def test_the_fast_one_ends_at_the_limit_where_no_plane_separates_at_C_infinite():
    X, y = datasets.xor()
    run = fast.smo(kernels.Linear(), X, y, np.inf, max_iterations=200)
    assert not run.reached_tol
    assert run.iterations <= 200


@pytest.mark.parametrize("C", [1e6, 1e12])
def test_a_violation_that_rounding_hides_is_not_called_converged(C):
    X, y = overlapping(30)
    K = 1e4 * X @ X.T
    run = fast.smo(kernels.Linear(), 100.0 * X, y, C, max_iterations=3_000)
    violation = worst_pair(K, y, C, run.alpha)
    assert run.reached_tol == (run.violation <= 1e-3)
    assert run.violation == pytest.approx(violation, rel=1e-3, abs=1e-9 * C)


def test_the_fast_one_starts_where_it_is_told():
    X, y = overlapping(60)
    kernel = kernels.Gaussian(0.5)
    cold = fast.smo(kernel, X, y, 2.0)
    assert fast.smo(kernel, X, y, 2.0, start=cold.alpha).iterations == 0
    warm = fast.smo(kernel, X, y, 2.2, start=cold.alpha)
    assert_same_answer(warm, smo.second_order(kernel(X), y, 2.2), kernel(X), y, 2.2, rel=1e-3)
    assert warm.iterations < fast.smo(kernel, X, y, 2.2).iterations


def test_C_infinite_with_a_ridge_is_the_squared_hinge():
    X, y = overlapping(40)
    kernel, C = kernels.Gaussian(0.5), 3.0
    run = fast.smo(kernel, X, y, np.inf, ridge=1 / (2 * C), tol=1e-6)
    K = kernel(X) + np.eye(len(y)) / (2 * C)
    assert_same_answer(run, smo.second_order(K, y, np.inf, tol=1e-6), K, y, np.inf)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_the_machine_trained_fast_is_certified_and_decides_as_the_other(loss, C):
    X, y = overlapping(60)
    kernel = kernels.Gaussian(0.5)
    quick = fast.svm(X, y, C, kernel, loss=loss, tol=1e-6, memory=2**30)
    slow = svm.train(X, y, C, kernel, loss=loss)
    assert quick.converged
    assert quick.certificate.within(1e-4)
    np.testing.assert_allclose(quick.decision(X), slow.decision(X), atol=1e-3)


def test_a_fast_machine_that_did_not_converge_says_so_with_its_gap():
    X, y = overlapping(rescue.SMALL + 1)  # for fewer another way is tried
    machine = fast.svm(X, y, 100.0, kernels.Gaussian(0.5), max_iterations=5)
    assert not machine.converged
    assert "scale the features" in machine.message
    assert "refuted: the gap is" in machine.message


def test_the_fast_one_does_not_modify_its_data():
    X, y = overlapping(20)
    before = X.copy(), y.copy()
    fast.smo(kernels.Linear(), X, y, 1.0)
    np.testing.assert_array_equal(X, before[0])
    np.testing.assert_array_equal(y, before[1])


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"kernel": np.dot}, r"wrap functions: Function\(f\)"),
        ({"X": [1.0, 2.0]}, "one row per example"),
        ({"X": [[1.0], [np.nan]]}, "NaN or infinity"),
        ({"kernel": kernels.Function(lambda x, z: np.nan)}, "check the data and the kernel"),
        ({"y": [0, 1]}, r"2 \* y - 1"),
        ({"y": [1, 1]}, "needs examples of both"),
        ({"C": 0.0}, "C must be"),
        ({"C": np.nan}, "C must be"),
        ({"tol": 0.0}, "tol must be"),
        ({"memory": 63}, ">= 64, not 63, the bytes of four rows of K"),
        ({"memory": np.nan}, "four rows of K"),
        ({"max_iterations": 0}, "max_iterations"),
        ({"ridge": -1.0}, "ridge must be"),
        ({"start": [0.5, 0.4]}, "sum alpha y = 0"),
    ],
)
def test_the_fast_one_refuses_bad_input_with_advice(change, advice):
    options = {"kernel": kernels.Linear(), "X": [[1.0], [2.0]], "y": [1, -1], "C": 1.0} | change
    with pytest.raises(ValueError, match=advice):
        fast.smo(**options)


@pytest.mark.parametrize("C", [1.0, 100.0])
def test_fast_goes_on_until_the_gap_that_is_asked_for(C):
    X, y = datasets.noisy(300)
    kernel = kernels.Gaussian(0.5)
    loose = fast.smo(kernel, X, y, C, tol=0.1)
    run = fast.smo(kernel, X, y, C, tol=0.1, gap=1e-5)
    K, beta = kernel(X), run.alpha * y
    b = np.mean(svm.best_offset(y - K @ beta, y))
    slack = np.maximum(0.0, 1.0 - y * (K @ beta + b)).sum()
    norm2, dual = beta @ K @ beta, run.alpha.sum() - 0.5 * beta @ K @ beta
    assert 0.5 * norm2 + C * slack - dual <= 1.01e-5 * dual  # rounding is far below 1 % of it
    assert run.violation < loose.violation <= 0.1
