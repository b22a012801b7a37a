"""What a machine's fields say, by the formula beside them, is what its certificate proves."""

import re
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from lectures_lib import datasets, fast, kernel_methods, kernels, svm
from lectures_lib.proof.duality import ASK, seen
from lectures_lib.proof.partitions import judge_parts, part_sums
from lectures_lib.svm.problem import balanced_exactly


def exact(values) -> np.ndarray:
    values = np.asarray(values, dtype=float)
    flat = [Fraction(v) for v in values.ravel().tolist()]
    return np.array(flat, dtype=object).reshape(values.shape)


def objective(machine) -> Fraction:
    """Return half norm(w)^2 + C sum xi of f(x) = sum alpha y x_i.x + b, in fractions."""
    beta, X, y = exact(machine.alpha * machine.y), exact(machine.X), exact(machine.y)
    w = beta @ X
    slack = np.maximum(0, 1 - y * (X @ w + Fraction(machine.b)))
    return w @ w / 2 + Fraction(machine.C) * slack.sum()


@pytest.mark.parametrize("train", [svm.train, svm.dual, fast.svm], ids=["train", "dual", "fast"])
@pytest.mark.parametrize("shift", [0.0, 2.0**10, 2.0**23, -(2.0**26)])
@pytest.mark.parametrize("seed", range(3))
def test_alpha_and_b_are_the_machine_that_is_proved(train, shift, seed):
    rng = np.random.default_rng(seed)
    X = np.round(rng.normal(size=(60, 2)), 2) + shift
    y = np.where(rng.normal(size=60) + X[:, 0] - shift > 0, 1.0, -1.0)
    machine = train(X, y, 1.0)
    assert machine.converged
    if machine.own_w is None:
        assert sum(exact(machine.alpha * machine.y)) == 0
        said = machine.certificate
        assert objective(machine) <= Fraction(said.upper) * (1 + Fraction(1, 10**6))
    assert "not rounded" in machine.certificate.reason


@pytest.mark.parametrize("seed", range(40))
def test_balanced_exactly_is_exact_stays_in_the_box_and_moves_nothing_else(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 60))
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    C = float(10.0 ** rng.integers(-9, 9)) * 0.1
    alpha = np.where(rng.random(n) < 0.4, C, C * rng.random(n))
    alpha = np.where(rng.random(n) < 0.2, 0.0, alpha)
    heavy = 1.0 if alpha @ y > 0 else -1.0
    share = alpha[y == -heavy].sum() / (alpha[y == heavy].sum() or 1.0)
    alpha = np.where(y == heavy, alpha * share, alpha)
    even = balanced_exactly(alpha, y)
    assert sum(exact(even * y)) == 0
    assert (even >= 0).all() and (even <= alpha).all()
    assert np.abs(even - alpha).max() <= 4 * n * np.spacing(C)


def test_regressions_have_multipliers_of_sum_0():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2)) + 2.0**20
    y = X[:, 0] - 2.0**20 + rng.normal(size=30)
    tube = kernel_methods.support_vector_regression(X, y, 2.0)
    ridge = kernel_methods.kernel_ridge(X, y, kernels.Linear(), 1.0, offset=True)
    assert tube.converged and ridge.converged
    assert sum(exact(tube.beta)) == 0 and sum(exact(ridge.alpha)) == 0


def test_svr_goes_on_until_it_is_proved():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(700, 8))
    y = np.sin(2 * X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * rng.normal(size=700)
    assert kernel_methods.support_vector_regression(
        X, y, 100.0, 0.1, kernels.Gaussian(1.5)
    ).converged


def test_numbers_beyond_all_floats_are_no_crash():
    X, y = 1e94 * np.array([[1.0, 2.0], [-1.0, 3.0], [2.0, -1.0]]), [1, -1, -1]
    assert fast.linear(X, y, 1.0, loss="squared_hinge", constant=100).certificate.verdict


def test_zero_and_minus_zero_are_one_point():
    machine = svm.train([[0.0], [-0.0]], [1, -1], np.inf, kernels.Gaussian(1.0))
    assert not machine.separable
    assert machine.converged


@pytest.mark.parametrize("solve", [svm.dual, svm.primal])
@pytest.mark.parametrize(("scale", "C"), [(1e-18, 1e-300), (1e70, 1e200)])
def test_a_price_beyond_floating_point_is_refused_in_the_words_of_the_problem(solve, scale, C):
    X = scale * np.array([[1.0, 2.0], [-1.0, 3.0], [2.0, -1.0]])
    with pytest.raises(ValueError, match=r"C times K\(x, x\)"):
        solve(X, [1, -1, -1], C)


def test_far_out_the_certificate_says_what_the_one_float_b_makes_of_f():
    rng = np.random.default_rng(0)
    X, y = np.round(rng.normal(size=(12, 2)), 3), np.where(np.arange(12) % 2, 1.0, -1.0)
    near = svm.train(X, y, 1000.0)
    machines = [svm.train(X + shift, y, 1000.0) for shift in (1e12, 2e12, 3e12, 4e12)]
    far = max(machines, key=lambda one: one.certificate.lost)  # one b may lose little, by luck
    assert near.converged and near.certificate.lost < 1e-9 and "b is rounded" not in near.message
    said = far.certificate
    assert far.converged and said.lost > 1e-3 and "b is rounded: with it f is off" in said.reason
    share = float(re.search(r", and within (\S+) of the best", said.reason)[1])
    assert objective(far) <= (1 + Fraction(share)) * Fraction(said.lower)
    assert said.reason in far.message and said.reason in far.rejudge().message


# --- what decision makes of f -----------------------------------------------------------------


@pytest.mark.parametrize("solve", [svm.train, fast.svm])
def test_a_proved_machine_whose_rounded_decision_has_the_wrong_sign_says_so(solve):
    X, y = np.array([[-2.3e-10], [4.7e-10]]), [-1, 1]
    machine = solve(X, y, 2.7e18, kernels.Polynomial(1))
    assert machine.certificate.holds and machine.predict(X).tolist() == [1.0, 1.0]
    said = str(machine.certificate)
    assert machine.certificate.flips == 1 and "wrong sign at 1 of them" in said
    assert machine.certificate.reason in machine.message
    beta = [Fraction(a) * t for a, t in zip(machine.alpha.tolist(), y)]
    f = [
        sum(v * (1 + Fraction(x) * Fraction(z)) for v, x in zip(beta, X[:, 0].tolist()))
        + Fraction(machine.b)
        for z in X[:, 0].tolist()
    ]
    worst = max(abs(v - Fraction(d)) for v, d in zip(f, machine.decision(X).tolist()))
    assert worst <= Fraction(machine.certificate.off) <= worst * Fraction(1.001)


@pytest.mark.parametrize("solve", [svm.train, fast.svm])
def test_a_machine_whose_decision_may_have_the_wrong_sign_says_at_how_many_examples(solve):
    X, y = np.full((2, 1), 121621.89572777), [1, -1]
    machine = solve(X, y, 0.66, kernels.Polynomial(1))
    said = machine.certificate
    assert said.holds and max(abs(machine.decision(X))) < said.off  # so no sign is proved
    assert said.flips == 0 and said.doubts == 2
    assert "and may have the wrong sign at 2 of them" in said.reason


@pytest.mark.parametrize(
    ("shown", "error", "flips", "doubts"),
    [
        ([1.0, -1.0, 3e-5], 0.0, 0, 0),
        ([1.0, -1.0, -3e-5], 0.0, 1, 1),
        ([1.0, -1.0, 3e-5], 5e-5, 0, 1),  # the bound is wider than abs(f)
        ([1.0, -1.0, -3e-5], 5e-5, 0, 1),
        ([-1.0, 1.0, 3e-5], 5e-5, 2, 3),
        (None, 0.0, 0, 0),
        (None, 5e-5, 0, 1),  # no decision was handed over: it is as far from f as the judge's own
        (None, 2e-5, 0, 1),  # f may be 1e-5, and a decision -1e-5
        ([np.nan, -1.0, 3e-5], 0.0, 0, 1),
    ],
)
def test_a_sign_that_is_not_proved_is_counted(shown, error, flips, doubts):
    f, shown = np.array([1.0, -1.0, 3e-5]), None if shown is None else np.array(shown)
    assert seen(f, np.full(3, error), shown)[1:] == (flips, doubts)
    if error == 0.0 and shown is not None and np.isfinite(shown).all():
        assert seen(exact(f), exact(0 * f), shown)[1:] == (flips, doubts)


def test_a_machine_of_parts_says_at_how_many_examples_its_sign_may_be_wrong():
    X, y, w = 2.0**40 * np.array([[1.0, -1.0], [-1.0, 1.0], [1.0, 1.0]]), np.ones(3), np.ones(2)
    sums = [part_sums(X[k], y[k], 1.0, y[k], w) for k in ([0], [1, 2])]
    judged = judge_parts(lambda exact: sums, w, 1e-3)
    assert judged.off > ASK and judged.flips == 0 and judged.doubts == 2


def test_a_decision_is_never_farther_from_f_than_the_certificate_says():
    for seed in range(20):
        rng = np.random.default_rng(seed)
        X = rng.normal(size=(8, 2)) * 10.0 ** rng.uniform(-4, 2)
        y = np.where(np.arange(8) % 2, 1.0, -1.0)
        machine = svm.dual(X, y, 10.0 ** rng.uniform(-2, 6), kernels.Polynomial(2))
        if not machine.certificate.holds:
            continue
        K = kernels.Polynomial(2).exact(X)
        beta = [Fraction(v) for v in (machine.alpha * y).tolist()]
        f = [sum(v * k for v, k in zip(beta, row)) + Fraction(machine.b) for row in K]
        away = [abs(v - Fraction(d)) for v, d in zip(f, machine.decision(X).tolist())]
        assert max(away) <= machine.certificate.off
        wrong = sum((v >= 0) != (d >= 0) for v, d in zip(f, machine.decision(X).tolist()))
        assert wrong == machine.certificate.flips


# --- examples that cost nothing ----------------------------------------------------------------


@pytest.mark.parametrize("solve", [svm.train, svm.dual, svm.primal, fast.svm])
@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_an_example_that_costs_nothing_is_as_if_it_were_not_there(solve, loss):
    rng = np.random.default_rng(3)
    X, y, C = rng.normal(size=(12, 2)), np.where(np.arange(12) % 2, 1, -1), np.full(12, 2.0)
    C[[1, 4, 5]] = 0.0
    machine, fewer = solve(X, y, C, loss=loss), solve(X[C > 0], y[C > 0], 2.0, loss=loss)
    assert machine.converged and (machine.alpha[C == 0] == 0).all() and len(machine.alpha) == 12
    assert np.allclose(machine.decision(X), fewer.decision(X), atol=0.02)
    assert replace(machine, order=None).rejudge(tol=1e-3).converged
    with pytest.raises(ValueError, match="C must be above 0"):
        solve(X, y, np.zeros(12), loss=loss)


def test_many_examples_of_which_some_cost_nothing_are_solved_without_their_gram_matrix():
    X, y = datasets.noisy(700, 2, rng=0)
    C = np.where(np.arange(700) % 7 == 0, 0.0, 1.0)
    machine = fast.svm(X, y, C, kernels.Gaussian(0.7))
    assert machine.converged and machine.certificate.tol == 1e-3
    assert (machine.alpha[C == 0] == 0).all()


def test_the_lie_of_the_readme_about_a_machine_is_refuted():
    machine = svm.train(*datasets.noisy(60, 2, rng=0))
    lie = replace(machine, b=9.0)
    assert machine.certificate.holds and not lie.certificate.holds and not lie.converged
    assert lie.rejudge().certificate.verdict == "refuted"


def test_multipliers_that_grew_beyond_all_bounds_are_judged_and_refuted():
    """Far out, where the distances are lost in rounding, SMO may end with such multipliers."""
    X, y = np.array([[999999.999], [1000000.002], [999999.998]]), [1, -1, -1]
    machine = svm.train(X, y, 0.45760413088508417, kernels.Polynomial(2), loss="squared_hinge")
    assert not machine.converged and not machine.rejudge().converged
    lie = replace(machine, alpha=np.array([2e155, 1e155, 1e155]))
    assert lie.rejudge().certificate.verdict == "refuted"
