"""What a machine's fields say, by the formula beside them, is what its certificate proves."""

from fractions import Fraction

import numpy as np
import pytest

from lectures_lib import fast, kernel_methods, kernels, svm
from lectures_lib.svm.free import balanced_exactly


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
