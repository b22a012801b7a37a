"""Regression in less time proves the answer of the plain one."""

import numpy as np
import pytest

from lectures_lib import fast, kernel_methods, kernels
from lectures_lib.fast import tubes

KERNELS = [kernels.Linear(), kernels.Gaussian(0.8), kernels.Polynomial(2)]


def waves(n, seed, far=0.0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X + far, np.sin(2.0 * X[:, 0]) + X[:, 1] + 0.2 * rng.normal(size=n)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("epsilon", [0.0, 0.1, 5.0])
@pytest.mark.parametrize("C", [0.1, 10.0])
def test_the_quick_tube_is_proved_and_as_good_as_the_plain_one(kernel, epsilon, C):
    X, y = waves(60, 0)
    quick = fast.regression(X, y, C, epsilon, kernel)
    plain = kernel_methods.support_vector_regression(X, y, C, epsilon, kernel)
    assert quick.converged
    assert plain.converged
    allowed = quick.certificate.tolerance + plain.certificate.tolerance
    assert abs(quick.certificate.primal - plain.certificate.primal) <= allowed
    assert quick.rejudge().converged


def test_each_example_may_have_a_price_of_its_own():
    X, y = waves(80, 1)
    C = np.random.default_rng(2).uniform(0.1, 3.0, size=80)
    quick = fast.regression(X, y, C, 0.1, kernels.Gaussian(1.0))
    assert quick.converged
    assert (np.abs(quick.beta) <= C).all()


@pytest.mark.parametrize(("unit", "shift"), [(1e-6, 0.0), (1e6, 0.0), (1.0, 1e6)])
def test_units_and_place_of_the_targets_change_no_verdict(unit, shift):
    X, y = waves(50, 3)
    quick = fast.regression(X, unit * y + shift, 5.0 * unit, 0.1 * unit, kernels.Gaussian(1.0))
    assert quick.converged


def test_a_linear_tube_far_from_the_origin_is_proved():
    X, y = waves(50, 4, far=1e4)
    assert fast.regression(X, y, 2.0, 0.1).converged


def test_what_the_quick_tube_leaves_unproved_the_plain_one_is_asked(monkeypatch):
    X, y = waves(40, 5)
    monkeypatch.setattr(tubes, "TRIES", 1)
    assert fast.regression(X, y, 5.0, 0.1, kernels.Gaussian(1.0)).converged
