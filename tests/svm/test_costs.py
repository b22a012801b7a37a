"""One price of slack per example: a price of 2 is the example twice, and proofs know it."""

import numpy as np
import pytest
from sklearn.svm import SVC

from lectures_lib import datasets, fast, svm
from lectures_lib.kernels import Gaussian, Linear


def in_rows(*given, **options):
    """Train without the whole Gram matrix, however few examples there are."""
    return fast.svm(*given, **options, memory=2**30)


DOORS = [svm.train, in_rows, svm.dual]
LOSSES = ["hinge", "squared_hinge"]


def some(seed: int, n: int = 40):
    """Return points with noise, and whole prices 1, 2, 3."""
    X, y = datasets.noisy(n, 3, rng=seed)
    return X, y, np.random.default_rng(seed).integers(1, 4, size=n).astype(float)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(0.7)], ids=repr)
@pytest.mark.parametrize("seed", range(3))
def test_a_price_of_two_is_the_example_twice(door, loss, kernel, seed):
    X, y, times = some(seed)
    rows = np.repeat(np.arange(len(y)), times.astype(int))
    priced = door(X, y, 0.7 * times, kernel, loss=loss, tol=1e-7)
    doubled = door(X[rows], y[rows], 0.7, kernel, loss=loss, tol=1e-7)
    assert priced.converged and doubled.converged
    # both gaps are proved to 1e-7 of the objective, so the objectives differ by no more
    np.testing.assert_allclose(priced.certificate.primal, doubled.certificate.primal, rtol=2e-7)
    np.testing.assert_allclose(priced.decision(X), doubled.decision(X), atol=2e-3)


@pytest.mark.parametrize("seed", range(3))
def test_prices_agree_with_scikit_learns_weights(seed):
    X, y, _ = some(seed, n=60)
    weight = np.random.default_rng(seed).uniform(0.1, 3.0, size=60)
    ours = svm.train(X, y, 2.0 * weight, Gaussian(0.8), tol=1e-8)
    other = SVC(C=2.0, gamma=1 / (2 * 0.8**2), tol=1e-8).fit(X, y, sample_weight=weight)
    assert ours.converged
    np.testing.assert_allclose(ours.decision(X), other.decision_function(X), atol=1e-4)


def test_a_price_that_was_not_paid_is_seen_by_the_certificate():
    X, y, times = some(0)
    machine = svm.train(X, y, times, tol=1e-6)
    K, b = X @ X.T, machine.b
    assert svm.certificate(K, y, times, machine.alpha, b, tol=1e-6).holds
    assert not svm.certificate(K, y, np.ones(len(y)), machine.alpha, b, tol=1e-6).holds


def test_the_primal_takes_prices_too():
    X, y, times = some(1)
    by_primal, by_dual = svm.primal(X, y, times), svm.dual(X, y, times)
    assert by_primal.converged
    np.testing.assert_allclose(by_primal.w, by_dual.w, atol=1e-5)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("seed", range(20))
def test_the_best_offset_for_prices_is_a_minimum(loss, seed):
    rng = np.random.default_rng(seed)
    F, y = rng.integers(-3, 4, size=9).astype(float), rng.choice([-1.0, 1.0], size=9)
    y[:2], C = (1.0, -1.0), rng.integers(1, 4, size=9).astype(float)

    def cost(b):
        xi = np.maximum(0.0, y * (F - b))
        return float(C @ (xi if loss == "hinge" else xi**2))

    low, high = svm.best_offset(F, y, loss, C)
    least = min(cost(b) for b in np.linspace(-4, 4, 1601))
    assert cost(low) <= least + 1e-9 and cost(high) <= least + 1e-9
    outside = [b for b in (low - 1e-3, high + 1e-3) if np.isfinite(b)]
    assert all(cost(b) > min(cost(low), cost(high)) for b in outside)


@pytest.mark.parametrize("C", [[1.0] * 39, [0.0] * 40, [np.inf] * 40, [-1.0] * 40, ["1"] * 40])
def test_strange_prices_are_refused_in_a_sentence(C):
    X, y, _ = some(0)
    with pytest.raises(ValueError, match="C must be"):
        svm.train(X, y, C)
