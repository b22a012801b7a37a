"""Cross-validation, grids, paths and curves: shared Gram matrices, warm starts, stated ties."""

import subprocess
import sys
import weakref
from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.model_selection import PredefinedSplit, cross_val_score
from sklearn.svm import SVC

from lectures_lib import datasets, discrete, selection, smo, svm
from lectures_lib.fast.machines import from_gram
from lectures_lib.fast.problems import quick_problem
from lectures_lib.kernels import Gaussian, Kernel, Linear, Polynomial

CS = [0.1, 1.0, 10.0]


@pytest.fixture(scope="module")
def examples():
    return datasets.noisy(60, 3, rng=2)


@dataclass(frozen=True)
class Counting(Kernel):
    """A Gaussian that notes the shape of every block it computes."""

    blocks: list
    sigma: float = 1.0

    def gram(self, X, Z):
        self.blocks.append((len(X), len(Z)))
        return Gaussian(self.sigma).gram(X, Z)

    def diagonal(self, X):
        return np.ones(len(X))


@dataclass(frozen=True)
class Apart(Kernel):
    """1 / (1 + distance^2), each entry from its own two rows: bit for bit on every machine."""

    def gram(self, X, Z):
        return 1 / (1 + sum((x[:, None] - z[None]) ** 2 for x, z in zip(X.T, Z.T, strict=True)))

    def diagonal(self, X):
        return np.ones(len(X))


# --- folds ---------------------------------------------------------------------------------------


@given(st.integers(2, 40), st.integers(2, 6), st.integers(0, 99))
def test_every_example_is_tested_once_in_folds_of_equal_size(n, k, seed):
    k = min(k, n)
    tests = selection.folds(n, k, rng=seed)
    assert sorted(np.concatenate(tests)) == list(range(n))
    assert np.ptp([len(test) for test in tests]) <= 1


@given(st.lists(st.sampled_from([-1, 1, 2]), min_size=6, max_size=40), st.integers(0, 99))
def test_stratified_folds_share_each_class_out_within_one(labels, seed):
    y = np.array(labels)
    tests = selection.folds(len(y), 3, y=y, rng=seed)
    assert sorted(np.concatenate(tests)) == list(range(len(y)))
    assert np.ptp([len(test) for test in tests]) <= 1
    for label in set(labels):
        assert np.ptp([np.sum(y[test] == label) for test in tests]) <= 1


def test_folds_depend_on_the_seed_alone():
    first, second, other = (selection.folds(30, 3, rng=seed) for seed in (1, 1, 2))
    assert all((a == b).all() for a, b in zip(first, second))
    assert any((a != b).any() for a, b in zip(first, other))


# --- cross-validation and grid -------------------------------------------------------------------


def test_the_errors_are_those_of_sklearn_on_the_same_folds(examples):
    X, y = examples
    table = selection.grid(X, y, CS, [Gaussian(1.0), Linear()], k=4, tol=1e-5, progress=False)
    number = np.zeros(len(y), dtype=int)
    for f, test in enumerate(table.folds):
        number[test] = f
    for i, options in enumerate([{"kernel": "rbf", "gamma": 0.5}, {"kernel": "linear"}]):
        for c, C in enumerate(CS):
            svc = SVC(C=C, tol=1e-5, **options)
            scores = cross_val_score(svc, X, y, cv=PredefinedSplit(number))
            np.testing.assert_allclose(table.errors[i, c], 1 - scores, atol=1e-12)


def test_each_gram_matrix_is_computed_once(examples):
    X, y = examples
    kernel = Counting([])
    selection.grid(X, y, CS, [kernel], k=5, progress=False)
    assert kernel.blocks == [(60, 60)]
    selection.learning_curve(X, y, [10, 20], kernel=kernel, progress=False)
    selection.regularisation_path(X, y, CS, kernel)
    assert kernel.blocks == [(60, 60)] * 3


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.7), Polynomial(2)], ids=repr)
def test_slices_of_the_gram_matrix_are_those_of_the_training_examples(examples, kernel):
    X, y = examples
    K = kernel(X)
    for test in selection.folds(len(y), 3, y=y):
        train = np.setdiff1d(np.arange(len(y)), test)
        np.testing.assert_allclose(
            K[np.ix_(train, train)], kernel(X[train]), rtol=1e-10, atol=1e-12
        )
        np.testing.assert_allclose(K[np.ix_(test, train)], kernel(X[test], X[train]), rtol=1e-10)


def test_a_warm_start_ends_at_the_objective_of_a_cold_one(examples):
    X, y = examples
    K = Gaussian(0.7)(X)
    Cs = np.geomspace(0.01, 100, 7)
    for C, warm in zip(Cs, selection.regularisation_path(X, y, Cs, Gaussian(0.7)).machines):
        cold = smo.second_order(K, y, C, tol=1e-6)
        values = [a.sum() - 0.5 * (a * y) @ K @ (a * y) for a in (warm.alpha, cold.alpha)]
        assert values[0] == pytest.approx(values[1], rel=1e-6)
        assert warm.converged


def test_every_machine_of_a_grid_is_certified(examples):
    X, y = examples
    table = selection.grid(X, y, CS, [Gaussian(1.0)], k=3, tol=1e-6, progress=False)
    assert table.gaps.shape == (1, 3, 3)
    assert (np.abs(table.gaps) <= 1e-6).all() and table.proved.all() and table.converged


def test_the_names_of_the_labels_do_not_decide_the_folds(examples):
    X, y = examples
    for a, b in zip(selection.folds(len(y), 4, y=y), selection.folds(len(y), 4, y=-y)):
        np.testing.assert_array_equal(a, b)
    here, there = (selection.grid(X, v, CS, [Gaussian(1.0)], k=4, progress=False) for v in (y, -y))
    np.testing.assert_array_equal(here.wrong, there.wrong)


def test_a_training_part_never_sees_its_test_examples(examples):
    X, y = examples
    plain = selection.cross_validate(X, y, 1.0, Apart(), k=4)
    moved = X.copy()
    moved[plain.folds[0]] += 100.0  # the machine of fold 0 must be the same one, to the last bit
    spoilt = selection.cross_validate(moved, y, 1.0, Apart(), k=4)
    assert (spoilt.train_wrong[..., 0] == plain.train_wrong[..., 0]).all()
    np.testing.assert_array_equal(spoilt.gaps[..., 0], plain.gaps[..., 0])
    assert (spoilt.gaps[..., 1] != plain.gaps[..., 1]).all()  # the others see what was moved


def test_the_table_adds_up(examples):
    X, y = examples
    table = selection.grid(X, y, CS[::-1], [Linear(), Gaussian(2.0)], k=4, progress=False)
    assert table.Cs.tolist() == CS
    np.testing.assert_allclose(table.mean, table.wrong.sum(axis=2) / len(y))
    np.testing.assert_allclose(table.std, table.errors.std(axis=2))
    assert table.mean[table.best_index] == table.mean.min()
    assert str(table).count("*") == 1
    assert len(str(table).splitlines()) == 3


@pytest.mark.parametrize(
    "wrong, best",
    [
        ([[3, 1], [1, 1]], (1, 0)),  # the smallest C first
        ([[1, 1], [1, 1]], (1, 0)),  # then the widest kernel
        ([[1, 3], [2, 3]], (0, 0)),
        ([[3, 1], [3, 2]], (0, 1)),
    ],
)
def test_ties_go_to_the_smallest_C_and_then_to_the_widest_kernel(wrong, best):
    X, y = datasets.noisy(12, 2, rng=0)
    table = selection.grid(X, y, [1.0, 2.0], [Gaussian(0.5), Gaussian(3.0)], k=2, progress=False)
    table = replace(table, wrong=np.array(wrong)[:, :, None] * np.array([1, 1]))
    assert table.best_index == best
    assert table.best == (table.kernels[best[0]], table.Cs[best[1]])


def test_the_same_seed_gives_the_same_table(examples):
    X, y = examples
    tables = [selection.cross_validate(X, y, k=3, rng=seed) for seed in (4, 4)]
    assert (tables[0].wrong == tables[1].wrong).all()
    generator = np.random.default_rng(4)
    assert (selection.cross_validate(X, y, k=3, rng=generator).wrong == tables[0].wrong).all()


def test_the_bar_is_shown_only_if_asked_for(examples, capsys):
    X, y = examples
    selection.grid(X, y, [1.0], [Linear()], k=2, progress=False)
    assert capsys.readouterr().err == ""
    selection.grid(X, y, [1.0], [Linear()], k=2, progress=True)
    assert "cross-validation" in capsys.readouterr().err


# --- path and curves -----------------------------------------------------------------------------


def test_along_the_path_the_norm_never_falls_and_the_slack_never_grows(examples):
    X, y = examples
    path = selection.regularisation_path(X, y, np.geomspace(1e-3, 1e3, 10), Gaussian(1.0), tol=1e-6)
    assert (np.diff(path.norms) >= -1e-4 * path.norms[1:]).all()
    assert (np.diff(path.slacks) <= 1e-4 * path.slacks[:-1] + 1e-9).all()
    assert all(machine.certificate.holds for machine in path.machines)
    assert (np.abs(path.gaps) < 1e-4).all()


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("C", [0.01, 1.0, 30.0, 1e4])
@pytest.mark.parametrize("ratio", [1.01, 4.0, 1000.0])
def test_a_stretched_answer_is_feasible_and_best_on_its_ray_if_most_are_free(loss, C, ratio):
    X, y = datasets.noisy(60, 3, rng=2)
    whole = quick_problem(X, y, C, Gaussian(1.0), loss=loss)
    alpha, wider = from_gram(whole)[1].alpha, whole.at_cost(ratio * C)
    start = selection.validation._stretched(wider, alpha, whole.scores(alpha), C)
    assert ((0 <= start) & (start <= wider.high)).all()
    assert abs(start @ y) <= 1e-12 * start.sum()
    bounded = alpha == C
    assert (start[bounded] == ratio * C).all() or 2 * bounded.sum() < np.sum(alpha > 0)

    def dual(a):
        ridge = 0.5 / wider.C if wider.squared else 0.0
        return a.sum() - 0.5 * ((a * y) @ wider.K @ (a * y) + ridge * (a @ a))

    if 2 * bounded.sum() < np.sum(alpha > 0):
        ends = dual(alpha), dual(np.minimum(alpha * ratio, wider.high))
        assert dual(start) >= max(ends) - 1e-9 * abs(dual(start))


def test_an_answer_with_no_multiplier_at_its_bound_is_a_start_as_it_is():
    X, y = datasets.noisy(60, 3, rng=2)
    whole = quick_problem(X, y, 1e6, Gaussian(0.3))
    alpha = from_gram(whole)[1].alpha
    assert alpha.max() < 1e6
    start = selection.validation._stretched(whole.at_cost(1e9), alpha, whole.scores(alpha), 1e6)
    np.testing.assert_allclose(start, alpha, rtol=1e-4)


@pytest.mark.parametrize("sigma", [0.1, 1.0])
def test_many_examples_of_a_kernel_that_may_be_none_are_judged_too(sigma, examples, monkeypatch):
    monkeypatch.setattr(svm.problem, "TESTED", 10)
    X, y = examples
    table = selection.grid(X, y, [1.0, 10.0], [Counting([], sigma)], k=3, progress=False)
    assert table.proved.all()


def test_a_machine_of_the_path_is_the_one_trained_alone(examples):
    X, y = examples
    path = selection.regularisation_path(X, y, CS, tol=1e-6)
    for C, machine in zip(CS, path.machines):
        alone = svm.train(X, y, C, tol=1e-6)
        assert machine.certificate.primal == pytest.approx(alone.certificate.primal, rel=1e-6)
        np.testing.assert_allclose(machine.w, alone.w, atol=1e-3)
        assert path.norms[CS.index(C)] == pytest.approx(np.linalg.norm(alone.w), rel=1e-3)


def test_norm_and_slack_are_those_of_the_machine(examples):
    X, y = examples
    path = selection.regularisation_path(X, y, CS, tol=1e-6)
    for norm, slack, machine in zip(path.norms, path.slacks, path.machines):
        assert norm == pytest.approx(np.linalg.norm(machine.w), rel=1e-6)
        hinge = np.maximum(0, 1 - y * machine.decision(X)).sum()
        assert slack == pytest.approx(hinge, rel=1e-6, abs=1e-6)


def test_a_validation_curve_is_a_row_or_a_column_of_the_grid(examples):
    X, y = examples
    kernels = [Gaussian(0.3), Gaussian(3.0)]
    table = selection.grid(X, y, CS, kernels, k=3, progress=False)
    along_C = selection.validation_curve(X, y, CS, kernels[:1], k=3, progress=False)
    along_kernel = selection.validation_curve(X, y, [1.0], kernels, k=3, progress=False)
    assert along_C.values == tuple(CS)
    assert along_kernel.values == tuple(kernels)
    assert (along_C.validation == table.errors[0]).all()
    assert (along_C.train == table.train_errors[0]).all()
    assert (along_kernel.validation == table.errors[:, 1]).all()


def test_a_learning_curve_with_all_examples_ends_at_the_cross_validation(examples):
    X, y = examples
    curve = selection.learning_curve(X, y, [10, 45], 1.0, Gaussian(1.0), k=4, progress=False)
    whole = selection.cross_validate(X, y, 1.0, Gaussian(1.0), k=4)
    assert curve.train.shape == curve.validation.shape == (2, 4)
    np.testing.assert_allclose(curve.validation[-1], whole.errors[0, 0], atol=1e-12)
    np.testing.assert_allclose(curve.train[-1], whole.train_errors[0, 0], atol=1e-12)


@given(st.integers(2, 30), st.integers(2, 30), st.integers(0, 99))
def test_each_beginning_keeps_the_shares_of_the_classes(a, b, seed):
    y = np.repeat([1.0, -1.0], [a, b])
    order = selection.validation._interleaved(np.arange(a + b), y, np.random.default_rng(seed))
    assert sorted(order) == list(range(a + b))
    for m in range(1, a + b + 1):
        assert abs(np.sum(y[order[:m]] > 0) - m * a / (a + b)) <= 1


# --- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call, message",
    [
        (lambda X, y: selection.folds(3, 4), "use k <= 3"),
        (lambda X, y: selection.folds(3, 1), "k must be"),
        (lambda X, y: selection.folds(3, 2, y=[1, 2]), "one label an example"),
        (lambda X, y: selection.grid(X, y, [0.0], [Linear()]), "finite numbers > 0"),
        (lambda X, y: selection.grid(X, y, [np.inf], [Linear()]), "hard_margin"),
        (lambda X, y: selection.grid(X, y, [], [Linear()]), "finite numbers > 0"),
        (lambda X, y: selection.grid(X, y, [1.0], []), "kernels is empty"),
        (lambda X, y: selection.grid(X, (y + 1) / 2, [1.0], [Linear()]), "2 \\* y - 1"),
        (lambda X, y: selection.cross_validate(X[:3], [1, 1, -1], k=2), "one example"),
        (lambda X, y: selection.learning_curve(X, y, [60]), "from 2 to 48"),
        (lambda X, y: selection.validation_curve(X, y, CS, [Linear()] * 2, progress=False), "axis"),
    ],
)
def test_bad_settings_are_refused_with_advice(examples, call, message):
    with pytest.raises(ValueError, match=message):
        call(*examples)


def test_a_training_part_of_one_class_is_refused_with_advice():
    X, y = np.arange(20.0)[:, None], np.repeat([1, -1], [18, 2])
    with pytest.raises(ValueError, match="all of one class"):
        selection.learning_curve(X, y, [2], k=2, progress=False)


def test_the_inputs_are_not_modified(examples):
    X, y = (part.copy() for part in examples)
    selection.grid(X, y, CS, [Linear()], k=2, progress=False)
    selection.learning_curve(X, y, [10], k=2, progress=False)
    selection.regularisation_path(X, y, CS)
    assert (X == examples[0]).all()
    assert (y == examples[1]).all()


def test_a_bar_of_progress_starts_no_thread_in_the_browser():
    code = "import importlib, sys, tqdm; from lectures_lib.selection import validation;"
    code += "assert tqdm.tqdm.monitor_interval > 0; sys.platform = 'emscripten';"
    code += "importlib.reload(validation); assert tqdm.tqdm.monitor_interval == 0"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_grid_is_the_same_on_every_number_of_cores(monkeypatch):
    X, y = datasets.noisy(60)
    found = []
    for number in ("1", "2", "3"):
        monkeypatch.setenv("LECTURES_LIB_CORES", number)
        table = selection.grid(X, y, [0.1, 10], [Gaussian(0.5)], k=3, progress=False)
        found.append((table.errors.tolist(), table.train_errors.tolist(), table.gaps.tolist()))
    assert found[0] == found[1] == found[2]


def test_a_gram_matrix_is_made_once_and_let_go_after_its_last_fold(examples, monkeypatch):
    X, y = examples
    alive = []

    def noted(kernel):
        problem = quick_problem(X, y, 1.0, kernel, tol=1e-3)
        alive.append(weakref.ref(problem))
        return problem

    monkeypatch.setenv("LECTURES_LIB_CORES", "1")
    kernels, tests = [Gaussian(1.0), Gaussian(2.0)], selection.folds(len(y), 3, y=y)
    gone = []

    def note():
        gone.append([ref() is None for ref in alive])

    found = selection.validation._by_fold(noted, kernels, np.array(CS), tests, None, note)
    assert [table.shape for table in found] == [(3, 4)] * 6
    assert gone[:4] == [[False], [False], [True], [True, False]]  # three folds of each


def test_the_slide_counts_as_the_grid_does(examples):
    X, y = examples
    slide = selection.cross_validate(X, y, 2.0, Gaussian(0.7), k=4)
    table = selection.grid(X, y, [2.0], [Gaussian(0.7)], k=4, progress=False)
    assert (slide.wrong == table.wrong).all() and (slide.train_wrong == table.train_wrong).all()
    assert all((a == b).all() for a, b in zip(slide.folds, table.folds))
    assert slide.best == table.best


def test_words_are_cross_validated_as_well():
    words, y = ["aab", "aba", "baa", "xyx", "yxy", "xxy"], np.repeat([1.0, -1.0], 3)
    found = selection.cross_validate(words, y, 10.0, discrete.Spectrum(1), k=3)
    assert found.wrong.sum() == 0
