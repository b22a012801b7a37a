"""A proof of a support vector machine never lies: what was found wrong once, kept as tests."""

from fractions import Fraction

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits, load_iris

from lectures_lib import fast, kernel_methods, kernels, linear, partitions, smo, svm
from lectures_lib.proof.svm import certificate_of_features


def in_rows(*given, **options):
    """Train without the whole Gram matrix, however few examples there are."""
    return fast.svm(*given, **options, memory=2**30)


def clouds(seed, n=20, d=3, apart=6.0):
    """Return two clouds of unit width."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    return rng.normal(size=(n, d)) + apart * y[:, None] / (2 * np.sqrt(d)), y


def exact_objective(machine, X, y, C):
    """Return half norm(w)^2 + C sum xi of a linear machine, in fractions."""
    X = [[Fraction(v) for v in row] for row in X.tolist()]
    beta = [Fraction(a) * int(s) for a, s in zip(machine.alpha.tolist(), y)]
    centre = [Fraction(v) for v in machine.centre.tolist()]
    Z = [[a - c for a, c in zip(row, centre)] for row in X]
    w = [sum(c * row[j] for c, row in zip(beta, Z)) for j in range(len(Z[0]))]
    if machine.own_w is not None:
        w = [Fraction(v) for v in machine.own_w.tolist()]
    total = sum(v * v for v in w) / 2
    for row, s in zip(Z, y):
        f = sum(v * a for v, a in zip(w, row)) + Fraction(machine.b_centred)
        total += Fraction(C) * max(Fraction(0), 1 - int(s) * f)
    return total


# --- far from the origin -------------------------------------------------------------------------


@pytest.mark.parametrize("shift", [1e3, 3e6, 1e7, 1e8])
@pytest.mark.parametrize("solve", [svm.train, in_rows, svm.dual, svm.primal])
def test_far_from_the_origin_the_machine_is_right_and_what_is_proved_is_true(solve, shift):
    for seed in range(3):
        X, y = clouds(seed, apart=2.0)
        here, there = svm.dual(X, y, 1.0), solve(X + shift, y, 1.0)
        assert there.converged, there.message
        moved = (X + shift) - there.centre  # the data as they were rounded by the shift
        best = svm.dual(moved, y, 1.0).certificate.lower
        assert exact_objective(there, X + shift, y, 1.0) <= Fraction(best) * Fraction(1.0011)
        np.testing.assert_allclose(there.decision(X + shift), here.decision(X), atol=0.05)


def test_an_imbalance_far_from_the_origin_is_no_proof():
    X, y, C = np.array([[2e4 + 1], [2e4 - 1]]), np.array([1.0, -1.0]), 0.5
    alpha = np.array([0.5 * (2e4 - 1) / (2e4 + 1), 0.5])  # w = 0: objective 1, the best is 0.5
    assert svm.certificate(X @ X.T, y, C, alpha, 0.0).verdict == "refuted"
    assert certificate_of_features(X, y, C, alpha, 0.0).verdict == "refuted"


@pytest.mark.parametrize("n", [60, 200])  # sum alpha y is rounded: times 1.6e9 it must not count
def test_one_feature_in_unix_time_loses_neither_b_nor_the_accuracy(n):
    rng = np.random.default_rng(0)
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    Z = rng.normal(size=(n, 2)) + 0.8 * y[:, None]
    X = Z * [1.0, 3600.0] + [0.0, 1.6e9]
    for solve in (svm.primal, svm.dual, fast.svm, in_rows):
        machine = solve(X, y, 1.0)
        assert machine.converged, machine.message
        middle = X.mean(axis=0)
        near = svm.dual(X - middle, y, 1.0)
        assert np.mean(machine.predict(X) == y) == pytest.approx(
            np.mean(near.predict(X - middle) == y)
        )


DOORS = [svm.primal, svm.dual, svm.train, fast.svm, in_rows]
#: Those that try other solvers where the first proves nothing.
HARDER = [fast.svm, in_rows]


@pytest.mark.parametrize("solve", DOORS)
def test_measurements_of_any_unit_have_a_hard_margin_that_is_proved(solve):
    """30 features from 1e-3 to 4e3, a margin of 4e-5: alpha alone is too coarse to make w."""
    X, target = load_breast_cancer(return_X_y=True)
    y = np.where(target == 1, 1.0, -1.0)
    machine = solve(X, y, np.inf)
    assert machine.converged, machine.message
    exact = np.array([sum(map(Fraction, row)) for row in (X - machine.centre) * machine.w])
    assert min(y * (exact.astype(float) + machine.b_centred)) > 1 - 1e-6
    assert 1 / np.linalg.norm(machine.w) == pytest.approx(4.1371368e-5, rel=1e-3)
    assert (machine.predict(X) == y).all()


@pytest.mark.parametrize("solve", HARDER)
@pytest.mark.parametrize("C", [1.0, 1e4])
def test_a_huge_cost_of_slack_is_proved_where_no_plane_separates(solve, C):
    X, target = load_iris(return_X_y=True)
    y = np.where(target == 1, 1.0, -1.0)
    machine = solve(1e4 * X, y, C)  # micrometres: as if C were 1e8 times as large
    assert machine.converged, machine.message
    assert exact_objective(machine, 1e4 * X, y, C) <= Fraction(machine.certificate.upper)


@pytest.mark.parametrize("constant", [0.0, 1.0])
@pytest.mark.parametrize("load", [load_breast_cancer, load_iris])
def test_a_linear_machine_is_proved_at_a_huge_cost_from_its_margin(load, constant):
    X, target = load(return_X_y=True)
    X, y = X * (1.0 if load is load_breast_cancer else 1e4), np.where(target == 1, 1.0, -1.0)
    machine = fast.linear(X, y, 1e4, constant=constant)
    assert machine.converged, machine.certificate.reason
    w = [Fraction(v) for v in machine.w.tolist()]
    b = Fraction(machine.b)
    total = (sum(v * v for v in w) + (b * b if constant else 0)) / 2
    for row, label in zip(X.tolist(), y):
        f = sum(a * Fraction(v) for a, v in zip(w, row)) + b
        total += 10**4 * max(Fraction(0), 1 - int(label) * f)
    assert total <= Fraction(machine.certificate.upper)
    assert total <= Fraction(machine.certificate.lower) * (1 + Fraction(1, 10**8))


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_pixels_up_to_255_are_proved_to_the_default_tolerance(loss):
    """The objective is 6e-5: a slack of 1e-15, for all that rounding shows, would be too much."""
    pixels, digits = load_digits(return_X_y=True)
    X, y = pixels[np.isin(digits, (4, 9))] * (255 / 16), digits[np.isin(digits, (4, 9))]
    machine = fast.linear(X, np.where(y == 4, 1.0, -1.0), 1.0, loss=loss)
    assert machine.converged, machine.certificate.reason


def test_weights_that_are_not_those_of_alpha_are_judged_as_they_are():
    X, y = clouds(1)
    best = svm.dual(X, y, 1.0)

    def judged(w, b):
        return certificate_of_features(X, y, 1.0, best.alpha, b, w=w, centre=best.centre).verdict

    assert judged(best.w, best.b_centred) == "proved"
    assert judged(1.05 * best.w, best.b_centred) == "refuted"
    assert judged(best.w, best.b_centred + 0.1) == "refuted"
    assert judged(0 * best.w, best.b_centred) == "refuted"
    assert judged(np.nan * best.w, best.b_centred) == "refuted"


@pytest.mark.parametrize("shift", [1e3, 2e3, 1e4, 1.6e9])
def test_the_dual_takes_data_whose_mean_is_large_compared_with_its_spread(shift):
    for seed in range(5):
        X, y = clouds(seed, n=30, apart=1.0)
        assert svm.dual(X + np.array([shift, 0.0, 0.0]), y, 1.0).converged


@pytest.mark.parametrize("value", [0.1, 0.15, 1 / 3, 1.5, 1e8])
@pytest.mark.parametrize("solve", [svm.dual, svm.primal, svm.train, in_rows])
def test_identical_points_have_an_answer_by_every_door(solve, value):
    X, y = np.full((20, 2), value), np.where(np.arange(20) < 7, 1.0, -1.0)
    machine = solve(X, y, 1.0)
    assert machine.converged
    assert machine.certificate.primal == pytest.approx(14.0)


# --- scale ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [1e-8, 1e-4, 1e3, 1e4, 1e6, 1e8])
@pytest.mark.parametrize("solve", HARDER)
def test_separable_data_of_any_size_give_the_right_machine_at_C_1(solve, scale):
    for seed in range(4):
        X, y = clouds(seed)
        machine = solve(scale * X, y, 1.0)
        best = svm.dual(X, y, scale**2)  # the same problem at unit scale
        assert machine.converged, machine.message
        np.testing.assert_allclose(
            machine.w * scale, best.w, rtol=0.02, atol=0.02 * abs(best.w).max()
        )


@pytest.mark.parametrize("solve", [svm.primal, svm.dual, svm.train])
def test_the_lesson_says_where_it_proves_nothing_and_what_to_try(solve):
    proved = []
    for seed, scale in ((seed, scale) for seed in range(4) for scale in (1.0, 1e3, 1e6, 1e8)):
        X, y = clouds(seed)
        machine = solve(scale * X, y, 1.0)
        proved.append(machine.converged)
        assert machine.message.endswith("; try fast.svm or estimators.SVM") != machine.converged
        best = Fraction(fast.svm(scale * X, y, 1.0).certificate.lower)
        near = exact_objective(machine, scale * X, y, 1.0) <= best * Fraction(1.0012)
        assert near or not machine.converged
    assert any(proved) and not all(proved)


def test_a_machine_is_converged_only_if_it_is_proved():
    rng = np.random.default_rng(3)
    X = rng.integers(0, 2, size=(60, 8)).astype(float)
    y = np.where(X[:, 0] + X[:, 1] + 0.3 * rng.normal(size=60) > 1, 1.0, -1.0)
    for C in (1e-6, 1.0, 1e3, 1e6):
        for solve in (svm.train, in_rows):
            machine = solve(X, y, C, kernels.Gaussian(0.707))
            assert machine.converged == machine.certificate.holds
            gap = float(machine.certificate.upper) - float(machine.certificate.lower)
            assert (
                not machine.converged or gap <= machine.certificate.tol * machine.certificate.dual
            )


# --- what is no kernel ---------------------------------------------------------------------------

TANH = kernels.Function(lambda x, z: np.tanh(2 * x @ z - 3), "tanh")
SKEW = kernels.Function(lambda x, z: x[0] - z[1], "x1 - z2")


@pytest.mark.parametrize("false", [TANH, SKEW], ids=repr)
@pytest.mark.parametrize(
    "train",
    [
        svm.train,
        in_rows,
        svm.dual,
        lambda X, y, C, kernel: kernel_methods.support_vector_regression(X, y, C, 0.1, kernel),
    ],
    ids=["train", "in rows", "dual", "regression"],
)
def test_every_door_refuses_what_is_no_kernel(train, false):
    X, y = clouds(0, n=30)
    with pytest.raises(ValueError, match="is no kernel for these examples"):
        train(X, y, 1.0, false)


@pytest.mark.parametrize("false", [TANH, SKEW], ids=repr)
def test_no_answer_is_proved_for_a_matrix_that_is_no_gram_matrix(false):
    X, y = clouds(0, n=30)
    K, alpha = false(X), np.full(30, 0.5)
    judged = svm.certificate(K, y, 1.0, alpha, 0.0)
    assert judged.verdict == "refuted" and judged.reason.startswith("refuted: K ")
    assert kernel_methods.svr_certificate(K, y, 1.0, 0.1, alpha * y, 0.0).verdict == "refuted"


@pytest.mark.parametrize(
    "K", [[[1.0, 2.0], [2.0, 1.0]], [[1.0, 0.0], [0.5, 1.0]], [[-1.0, 0], [0, 1]]]
)
@pytest.mark.parametrize("solver", [smo.platt, smo.most_violating, smo.second_order])
def test_smo_refuses_a_matrix_that_two_examples_refute(solver, K):
    with pytest.raises(ValueError, match=r"K is not symmetric|Two examples refute K"):
        solver(K, [1, -1], 1.0)
    with pytest.raises(ValueError, match=r"K is not symmetric|Two examples refute K"):
        kernel_methods.svr_smo(K, [1.0, -1.0], 1.0, 0.1)


# --- the judge checks what it is given -----------------------------------------------------------


@pytest.mark.parametrize(
    ("y", "C", "alpha", "words"),
    [
        ([0, 1], 1.0, [0.5, 0.5], "2 \\* y - 1"),
        ([1, -1], -1.0, [0.5, 0.5], "C must be"),
        ([1, -1], 1.0, [0.5], "one per example"),
        ([1, -1], "1", [0.5, 0.5], "C must be"),
        ([1, -1], np.nan, [0.5, 0.5], "C must be"),
    ],
)
def test_the_judge_says_what_is_wrong_with_what_it_is_given(y, C, alpha, words):
    with pytest.raises(ValueError, match=words):
        svm.certificate(np.eye(2), y, C, alpha, 0.0)


def test_an_answer_that_is_no_number_is_refuted():
    for alpha, b in (([np.nan, 0.5], 0.0), ([0.5, 0.5], np.nan), ([np.inf, 0.5], 0.0)):
        assert svm.certificate(np.eye(2), [1, -1], 1.0, alpha, b).verdict == "refuted"


@pytest.mark.parametrize("loss", linear.LOSSES)
@pytest.mark.parametrize("offset", [True, False])
def test_fractions_and_floats_say_the_same_of_an_answer(loss, offset):
    for seed in range(10):
        rng = np.random.default_rng(seed)
        X, y = rng.integers(-3, 4, size=(8, 2)).astype(float), np.where(np.arange(8) % 2, 1.0, -1.0)
        machine = svm.dual(X, y, 0.7, loss=loss, offset=offset)
        given = X @ X.T, y, 0.7, machine.alpha, machine.b
        told = {"loss": loss, "offset": offset}
        near, exact = svm.certificate(*given, **told), svm.certificate(*given, **told, exact=True)
        assert isinstance(exact.below.value, Fraction) and near.verdict == exact.verdict == "proved"
        assert near.lower <= exact.lower <= exact.upper <= near.upper


def test_a_lie_smaller_than_the_rounding_is_left_open_not_proved():
    """Far out K = X X' has lost the data: whatever it says, nothing is proved by it."""
    X, y = clouds(0, n=60, apart=2.0)
    far = X + 1e8
    machine = svm.dual(X, y, 1.0)
    K = far @ far.T
    b = float(np.mean(svm.best_offset(y - K @ (machine.alpha * y), y)))
    judged = svm.certificate(K, y, 1.0, machine.alpha, b)
    assert judged.verdict != "proved"
    assert svm.dual(far, y, 1.0).converged  # seen from their middle they are all there


def test_fractions_prove_nothing_by_a_matrix_that_is_a_gram_matrix_only_up_to_rounding():
    """0 and 1, moved by 2^27: by K both lie in one place, and w costs nothing. But K is no K."""
    x, y, alpha = np.array([[2.0**27 + 1], [2.0**27]]), np.array([1.0, -1.0]), np.full(2, 8.0)
    K = x @ x.T
    f = K @ (alpha * y)
    xi = np.maximum(0, 1 - y * (f - f[0]))
    assert (alpha * y) @ f == 0 and 8 * xi.sum() == alpha.sum() == 16  # the gap seems to be 0
    assert svm.certificate(K, y, 8.0, alpha, -f[0]).verdict == "undecided"
    assert svm.certificate(K, y, 8.0, alpha, -f[0], exact=True).verdict == "refuted"
    assert svm.dual(x, y, 8.0).certificate.upper < 2.001  # the best is 2


# --- crashes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [3, 5, 10, 50])
def test_the_fast_smo_ends_where_the_violation_equals_its_tolerance(n):
    y = np.where(np.arange(n) == 0, 1.0, -1.0)
    machine = in_rows(np.arange(float(n))[:, None], y, 1e-3, kernels.Gaussian(0.1))
    assert machine.converged
    assert in_rows(np.eye(20), np.where(np.arange(20) % 2, 1.0, -1.0), 1e-3).converged


@pytest.mark.parametrize("shape", [(5, 5), (0, 24), (24, 23)])
def test_svr_smo_reads_nothing_beyond_its_arrays(shape):
    with pytest.raises(ValueError, match="one row per target"):
        kernel_methods.svr_smo(np.zeros(shape), np.zeros(24), 1.0, 0.1)
    for bad in ({"C": -1.0}, {"C": np.nan}, {"epsilon": -1.0}):
        with pytest.raises(ValueError, match=r"C must be|epsilon must be"):
            kernel_methods.svr_smo(np.eye(2), np.zeros(2), **({"C": 1.0, "epsilon": 0.1} | bad))


# --- linear machines -----------------------------------------------------------------------------


@pytest.mark.parametrize("unit", [1e-5, 1e-2, 1e3, 1e5])
@pytest.mark.parametrize("loss", linear.LOSSES)
def test_the_same_linear_problem_in_other_units_has_the_same_answer(unit, loss):
    X, y = clouds(1, n=80, apart=1.5)
    here = fast.linear(X, y, 1.0, loss=loss)
    there = fast.linear(unit * X, y, 1.0 / unit**2, loss=loss)
    assert here.converged and there.converged
    np.testing.assert_allclose(there.w * unit, here.w, rtol=1e-3)


def test_a_linear_machine_without_cost_is_refused():
    with pytest.raises(ValueError, match=r"C must be a (finite )?number > 0"):
        fast.linear([[1.0], [-1.0]], [1, -1], 0.0)


def test_a_linear_answer_that_is_off_is_not_converged():
    X, y = clouds(1, n=80, apart=1.0)
    short = linear.dual_coordinate_descent(X, y, 100.0, max_epochs=1)
    assert not short.converged and short.certificate.verdict == "refuted"


def test_scores_beyond_all_floats_end_the_descent_in_an_honest_answer():
    far, near = -3330789289.088915, -3330789289.087495  # the referee's, seed 20261117
    X = np.array([near, far, far, far, near, far, near])[:, None]
    y = np.array([1.0, 1, 1, -1, 1, 1, 1])
    machine = in_rows(X, y, 0.2182693399488578, kernels.Polynomial(2), loss="squared_hinge")
    assert np.isfinite(machine.alpha).all()


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
@pytest.mark.parametrize("seed", [34, 41, 43, 54, 58, 71, 93, 112, 178, 192])
def test_features_of_sizes_1e_minus_8_to_1e8_are_proved_at_any_cost_of_slack(seed, loss):
    rng = np.random.default_rng(seed)
    n, d = int(rng.integers(4, 40)), int(rng.integers(1, 5))
    X = rng.normal(size=(n, d)) * 10.0 ** rng.uniform(-8, 8, size=d)
    X = X + 10.0 ** rng.uniform(-8, 8, size=d) * (rng.random(d) < 0.4)  # some far from 0
    y, C = np.where(np.arange(n) % 2, 1.0, -1.0), 10.0 ** rng.uniform(-6, 6)
    for constant in (0.0, 1.0):
        assert fast.linear(X, y, C, loss=loss, constant=constant).converged


def test_a_refutation_says_what_is_refuted_the_gap_at_this_tolerance():
    """A good w beside a poor alpha: the pair misses the tolerance, and nothing more is said."""
    parts, w = [([[2.0, 0.0]], [1]), ([[-2.0, 0.0]], [-1])], [0.5, 0.0]
    for alpha, tol, verdict in (
        (0.125, 1e-3, "proved"),
        (0.1, 1e-3, "refuted"),
        (0.1, 0.1, "proved"),
    ):
        judged = partitions.block_certificate(parts, 1.0, [[alpha], [alpha]], w, tol=tol)
        assert judged.verdict == verdict
        if verdict == "refuted":
            said = "refuted: the gap is 0.0417 of the dual objective, more than tol = 0.001"
            assert judged.reason == str(judged).splitlines()[-1] == said


def test_the_fast_smo_goes_on_from_an_answer_that_rounding_took_off_balance():
    # Squares of 1e24 beside C = 1e-4: alpha is of the size of its rounding.
    steps = np.array([[0, -3], [3, -2], [1, 2], [-1, -3], [-1, -1], [-1, -1], [3, 1], [-2, 2]])
    y = np.array([1.0, -1, -1, -1, -1, -1, -1, -1])
    found = in_rows(1e3 * (1e9 + steps), y, 1e-4, kernels.Polynomial(2))
    assert ((found.alpha >= 0) & (found.alpha <= 1e-4)).all()


def test_a_hard_margin_is_judged_in_fractions_without_adding_up_its_costs():
    K, y = [[1.0, 0.5], [0.5, 1.0]], [1, -1]
    for alpha in ([2.0, 2.0], [0.0, 0.0], [7.0, 1.0]):
        assert svm.certificate(K, y, np.inf, alpha, 0.0, exact=True).holds == (alpha[0] == 2.0)
