"""The fast SMO has the plain one's answer, in any memory, and says what it did not reach."""

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from sklearn.svm import SVC

from lectures_lib import _jit, datasets, discrete, fast, kernels, smo, svm
from lectures_lib.fast import decomposition, rescue, row_cache, tiles
from tests.smo.test_smo import assert_feasible, best_by_qp, costs, dual_value, worst_pair
from tests.strategies import integer_examples


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


needs_numba = pytest.mark.skipif(not _jit.COMPILED, reason="without numba K is held as a whole")


@needs_numba
@pytest.mark.parametrize("rows", [4, 11, 60, 10_000])
def test_any_memory_gives_the_same_answer_and_is_never_exceeded(rows, monkeypatch):
    X, y = overlapping(150)
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


@needs_numba
def test_only_rows_that_are_needed_are_computed(monkeypatch):
    monkeypatch.setattr(decomposition, "JOIN", 8)
    n, rng = 150, np.random.default_rng(0)
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


@needs_numba
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
    monkeypatch.setattr(decomposition, "JOIN", join)
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
    steps = decomposition.steps_by_rows(kernel, X, 1 / (2 * C))
    run = decomposition.solved(steps, y, np.inf, tol=1e-6)
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
    X, y = overlapping(rescue.RESCUED_EXAMPLES + 1)  # for fewer another way is tried
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
