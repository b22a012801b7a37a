"""Machines with kernels, the programs as on the slides, and input that is refused."""

import itertools
from functools import partial

import numpy as np
import pytest
from sklearn.svm import SVC

from lectures_lib import (
    datasets,
    discrete,
    fast,
    features,
    kernels,
    linear,
    qp,
    smo,
    svm,
)
from lectures_lib.fast import decomposition, tiles
from lectures_lib.fast import machines as quick_machines
from lectures_lib.proof.duality import Terms
from lectures_lib.proof.svm import certificate_of_blocks
from tests.svm.test_svm import CASES, bug_data, solvers, turns

# --- SV-10: kernels ------------------------------------------------------------------------------


@pytest.mark.parametrize("pose", [svm.dual, partial(svm.train, tol=1e-6)])
@pytest.mark.parametrize(("degree", "one"), [(2, True), (2, False), (3, True)])
def test_a_polynomial_kernel_is_the_linear_machine_on_the_polynomial_map(pose, degree, one):
    X, y = datasets.noisy(18, 2, flips=0.2, rng=4)
    new = np.random.default_rng(0).normal(size=(7, 2))
    kernel = kernels.Polynomial(degree, one)
    phi = partial(features.polynomial_map, degree=degree, one=one)
    for C in (0.3, 2.0):
        curved, flat = pose(X, y, C, kernel), pose(phi(X), y, C)
        assert curved.certificate.primal == pytest.approx(flat.certificate.primal, rel=1e-5)
        np.testing.assert_allclose(curved.decision(new), flat.decision(phi(new)), atol=1e-3)
        assert curved.w is None
        by_primal = svm.primal(phi(X), y, C)
        assert curved.certificate.dual == pytest.approx(by_primal.certificate.primal, rel=1e-5)


@pytest.mark.parametrize("C", [0.3, 5.0])
@pytest.mark.parametrize("sigma", [0.3, 1.0])
def test_a_gaussian_machine_is_that_of_scikit_learn(C, sigma):
    X, y = datasets.noisy(30, 2, flips=0.2, rng=6)
    new = np.random.default_rng(1).normal(size=(9, 2))
    theirs = SVC(C=C, gamma=1 / (2 * sigma**2), tol=1e-9).fit(X, y)
    for pose in (svm.dual, partial(svm.train, tol=1e-6)):
        machine = pose(X, y, C, kernels.Gaussian(sigma))
        assert machine.certificate.within(1e-6)
        np.testing.assert_allclose(machine.decision(new), theirs.decision_function(new), atol=1e-4)
        np.testing.assert_array_equal(machine.predict(new), theirs.predict(new))


def test_a_machine_without_weights_decides_by_its_offset_and_never_says_0():
    X, y = np.zeros((4, 2)), np.array([1.0, 1.0, -1.0, -1.0])
    machine = svm.train(X, y, 1.0)
    np.testing.assert_allclose(machine.decision([[3.0, 4.0]]), machine.b)
    assert set(machine.predict([[3.0, 4.0], [0.0, 0.0]])) <= {-1.0, 1.0}


def test_words_are_classified_by_the_letters_they_share():
    words = ["banana", "ananas", "bandana", "terror", "mirror", "horror", "error", "savanna"]
    y = np.array([1, 1, 1, -1, -1, -1, -1, 1])
    for C in (1.0, np.inf):
        for pose in (svm.train, svm.dual):
            machine = pose(words, y, C, discrete.Spectrum(2))
            assert machine.certificate.holds
            assert machine.predict(["cabana", "furor"]).tolist() == [1.0, -1.0]


@pytest.mark.parametrize("C", [0.3, 10.0, np.inf])
def test_solving_for_the_free_vectors_exactly_only_ever_narrows_the_gap(monkeypatch, C):
    X, y, _ = CASES["apart"]
    fine = fast.svm(X, y, C, tol=1e-2)
    monkeypatch.setattr(svm.free, "POLISH", -1)
    rough = fast.svm(X, y, C, tol=1e-2)
    assert 0 <= fine.certificate.gap + 1e-12 <= rough.certificate.gap + 1e-11
    assert rough.certificate.within(0.1)


def test_multipliers_that_do_not_balance_are_balanced_before_they_are_judged():
    class Heavy:
        alpha = np.array([0.3, 0.3, 0.5])

    X, y = [[0.0], [3.0], [1.0]], [-1, 1, 1]
    machine = svm.train(X, y, 1.0, solver=lambda K, y, C, tol: Heavy)
    assert machine.certificate.balance <= 1e-15
    np.testing.assert_allclose(machine.alpha, [0.3, 0.1125, 0.1875], rtol=1e-12)


def test_a_solver_of_ones_own_is_taken_and_judged():
    class Lazy:
        alpha = np.zeros(2)

    machine = svm.train([[0.0], [1.0]], [-1, 1], 1.0, solver=lambda K, y, C, tol: Lazy)
    assert not machine.certificate.holds
    assert machine.certificate.gap == pytest.approx(2.0, rel=1e-12)


@pytest.mark.parametrize("solver", [smo.platt, smo.most_violating, smo.second_order])
@pytest.mark.parametrize("loss", linear.LOSSES)
def test_train_gives_back_the_answer_of_the_solver_that_it_is_given(solver, loss):
    X, y = datasets.noisy(40, 2, flips=0.2, rng=3)
    answers = []

    def heard(K, y, C, tol):
        answers.append(solver(K, y, C, tol=tol))
        return answers[-1]

    own = svm.train(X, y, 0.7, solver=heard, loss=loss, tol=1e-3)
    (given,) = answers
    np.testing.assert_allclose(own.alpha, given.alpha, rtol=1e-12, atol=0)  # sum alpha y is made 0
    assert own.message.startswith(given.message)


def test_a_solver_of_ones_own_is_not_flattered():
    X, y = datasets.noisy(40, 2, flips=0.2, rng=3)
    rough = smo.second_order(X @ X.T, y, 1.0, tol=0.03)

    class Rough:
        alpha = rough.alpha

    machine = svm.train(X, y, 1.0, solver=lambda K, y, C, tol: Rough)
    judged = svm.certificate(X @ X.T, y, 1.0, rough.alpha, machine.b)
    assert not machine.converged
    assert machine.certificate.gap == pytest.approx(judged.gap, rel=1e-9)
    assert machine.message.endswith("; try fast.svm or estimators.SVM")


# --- the programs as they stand on the slides ----------------------------------------------------


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("C", [0.3, 7.0])
def test_the_two_programs_of_the_lectures_have_the_same_value(C, offset):
    X, y = datasets.noisy(30, 2, flips=0.2, rng=1)
    primal = qp.solve(**svm.general_primal_program(X, y, C, offset=offset), engine="own")
    dual = qp.solve(**svm.dual_program(X @ X.T, y, C, offset=offset), engine="own")
    solved = svm.dual(X, y, C, offset=offset)
    assert solved.converged
    assert primal.primal == pytest.approx(-dual.primal, rel=1e-6)
    assert solved.certificate.dual == pytest.approx(-dual.primal, rel=1e-6)


def test_the_primal_program_on_the_slide_is_the_general_one():
    X, y = datasets.noisy(12, 2, flips=0.2, rng=1)
    slide, general = svm.primal_program(X, y, 3.0), svm.general_primal_program(X, y, 3.0)
    assert slide.keys() == general.keys()
    for name, matrix in general.items():
        matrix = matrix.toarray() if name in ("P", "G") else matrix
        np.testing.assert_array_equal(slide[name], matrix)


@pytest.mark.parametrize("seed", range(5))
def test_the_dual_program_is_the_sum_on_the_slide(seed):
    rng = np.random.default_rng(seed)
    K, y, alpha = rng.normal(size=(5, 5)), rng.choice([-1.0, 1.0], size=5), rng.random(5)
    program = svm.dual_program(K @ K.T, y, 2.0)
    pairs = [(i, j) for i in range(5) for j in range(5)]
    slide = sum(alpha) - 0.5 * sum(
        alpha[i] * alpha[j] * y[i] * y[j] * (K @ K.T)[i, j] for i, j in pairs
    )
    ours = 0.5 * alpha @ program["P"] @ alpha + program["q"] @ alpha
    assert ours == pytest.approx(-slide, rel=1e-12)
    assert (program["lower"], program["upper"], program["b"]) == (0.0, 2.0, [0.0])
    np.testing.assert_array_equal(program["A"], [y])


# --- what a solver says, and scores without a Gram matrix ----------------------------------------


@solvers
def test_a_machine_says_that_it_converged_and_how_large_its_gap_is(solver):
    machine = solver(*datasets.noisy(30, 2, flips=0.2, rng=0), 1.0)
    assert machine.converged
    assert machine.message.startswith("reached its tolerance")
    assert machine.message.endswith(machine.certificate.reason)


def test_a_machine_cut_short_says_so_and_gives_smos_advice():
    X, y = datasets.noisy(30, 2, flips=0.3, rng=0)
    machine = svm.train(X, y, 100.0, solver=partial(smo.second_order, max_iterations=3))
    assert not machine.converged
    for words in ("stopped early", "scale the features", "after 3 steps", "refuted: the gap"):
        assert words in machine.message


def test_a_machine_whose_certificate_holds_has_converged_whatever_its_solver_says():
    class Modest:
        alpha = np.array([2.0, 2.0])
        message = "I stopped early"

    machine = svm.train([[0.0], [1.0]], [-1, 1], 5.0, solver=lambda K, y, C, tol: Modest)
    assert machine.converged
    assert machine.message.startswith("I stopped early; proved")


@pytest.mark.parametrize("pose", [svm.primal, svm.dual, svm.train])
def test_without_a_separator_the_message_says_what_proves_it(pose):
    machine = pose(*datasets.xor(), np.inf)
    assert machine.converged
    assert "separation.weights" in machine.message


@pytest.mark.parametrize(("C", "tol", "proved_at_once"), [(10.0, 1e-3, True), (1e3, 2e-5, False)])
def test_what_single_precision_leaves_unproved_is_solved_in_double(
    C, tol, proved_at_once, monkeypatch
):
    runs = []

    def heard(*given, single=False, **options):
        runs.append(single)
        return decomposition.steps_by_rows(*given, single=single, **options)

    monkeypatch.setattr(quick_machines, "steps_by_rows", heard)
    monkeypatch.setattr(quick_machines, "HELD_EXAMPLES", 200)  # fewer have their Gram matrix held
    X, y = datasets.noisy(600, 3, flips=0.1, rng=2)
    machine = fast.svm(X, y, C, kernels.Gaussian(1.0), tol=tol)
    assert machine.converged and machine.certificate.relative_gap <= tol
    assert runs == ([True] if proved_at_once else [True, False])
    runs.clear()
    assert fast.svm(X, y, C, kernels.Gaussian(1.0), tol=tol, max_iterations=9).iterations == 9
    assert runs == [False]  # a limit so low leaves no room for a first try


@pytest.mark.parametrize("loss", linear.LOSSES)
@pytest.mark.parametrize("C", [0.3, np.inf])
def test_a_judge_that_sees_K_in_blocks_says_the_same(loss, C):
    X, y, _ = CASES["apart"]
    kernel = kernels.Gaussian(2.0)
    machine = svm.train(X, y, C, kernel, loss=loss)
    s = np.flatnonzero(machine.alpha)
    parts = tiles.pieces(kernel, X, X[s], memory=8 * 5 * tiles.COLUMNS)
    given = y, C, machine.alpha, machine.b
    own = certificate_of_blocks(parts, kernel.diagonal(X), *given, terms=Terms(loss=loss))
    whole = svm.certificate(kernel(X), *given, loss=loss)
    for name in ("primal", "dual", "box", "balance", "on_margin", "at_bound"):
        wish = pytest.approx(getattr(whole, name), rel=1e-9, abs=1e-12)
        assert getattr(own, name) == wish, name
    assert own.verdict == whole.verdict == "proved"


# --- SV-11: what the two programs cost -----------------------------------------------------------


@pytest.mark.parametrize("loss", linear.LOSSES)
@pytest.mark.parametrize(("n", "d"), [(12, 2), (60, 2), (12, 30), (60, 30), (60, 90)])
def test_the_cost_of_the_primal_grows_with_the_features_and_of_the_dual_with_the_examples(
    n, d, loss
):
    X = np.random.default_rng(n + d).normal(size=(n, d))
    primal, dual = (
        pose(X, turns(n), 0.5, loss=loss, engine="own") for pose in (svm.primal, svm.dual)
    )
    assert primal.order == d + 1  # w and b; each slack is eliminated with its own row
    assert dual.order == n
    assert primal.certificate.primal == pytest.approx(dual.certificate.dual, rel=1e-6)


def test_smo_solves_no_linear_system():
    assert svm.train(*datasets.noisy(30, 2, rng=0)).order is None


@pytest.mark.parametrize("C", [1e2, 1e4, 1e5, 1e6])
@pytest.mark.parametrize("pose", [svm.primal, svm.dual])
def test_our_own_engine_is_proved_right_for_large_C_on_separable_data(pose, C):
    for seed, unit in itertools.product(range(4), (0.01, 1.0, 100.0)):
        p = datasets.separable(30, 3, gamma=0.1, rng=seed)
        machine = pose(unit * p.X, p.y, C / unit**2, engine="own")
        assert machine.certificate.within(1e-6), (seed, unit)


# --- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize("pose", [svm.primal, svm.dual, svm.train])
@pytest.mark.parametrize(
    ("change", "advice"),
    [
        ({"C": 0.0}, "C must be"),
        ({"C": -1.0}, "C must be"),
        ({"C": np.nan}, "C must be"),
        ({"C": "1"}, "C must be"),
        ({"y": [0, 1]}, r"2 \* y - 1"),
        ({"y": [1, 1]}, "needs examples of both"),
        ({"y": [1, -1, 1]}, "one label per row"),
        ({"X": [1.0, 2.0]}, "reshape"),
        ({"X": [[np.nan], [1.0]]}, "NaN"),
    ],
)
def test_bad_input_is_refused_with_advice(pose, change, advice):
    options = {"X": [[0.0], [1.0]], "y": [-1, 1], "C": 1.0} | change
    with pytest.raises(ValueError, match=advice):
        pose(options["X"], options["y"], options["C"])


@pytest.mark.parametrize("pose", [svm.primal, svm.dual, svm.train])
def test_the_data_are_not_modified(pose):
    X, y, C = bug_data()
    kept = X.copy(), y.copy()
    pose(X, y, C)
    np.testing.assert_array_equal(X, kept[0])
    np.testing.assert_array_equal(y, kept[1])
