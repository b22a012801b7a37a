"""What a certificate prints is true as it is read: numbers are rounded to the safe side."""

import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectures_lib import bounds, kernel_methods, kernels, margins, partitions, perceptron, svm
from lectures_lib.proof import psd_certificate
from lectures_lib.proof.verdict import rounded_down, rounded_up

FLOATS = st.floats(allow_nan=False, allow_infinity=False)


@given(FLOATS, st.integers(1, 8))
def test_a_number_is_printed_not_below_or_not_above_itself(value, digits):
    low, high = float(rounded_down(value, digits)), float(rounded_up(value, digits))
    assert low <= value <= high
    if abs(value) > 1e-300 and np.isfinite([low, high]).all():
        assert high - low <= 2 * 10.0 ** (1 - digits) * abs(value)


def test_few_digits_stay_few():
    assert [rounded_up(1e-4), rounded_up(0.25), rounded_down(0.25), rounded_up(0.0)] == [
        "0.0001", "0.25", "0.25", "0"]  # fmt: skip
    assert rounded_up(Fraction(1, 3), 2) == "0.34" and rounded_down(Fraction(1, 3), 2) == "0.33"


@pytest.mark.parametrize("seed", range(20))
def test_the_margins_printed_bounds_hold_in_fractions(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(5, 2)) * 10.0 ** rng.uniform(-3, 3)
    y = np.where(X @ rng.normal(size=2) > 0, 1.0, -1.0)
    best = margins.max_margin(X, y)
    assert best.certificate.holds
    least = float(re.search(r"at least (\S+),", str(best.certificate))[1])
    w, rows = [Fraction(v) for v in best.w.tolist()], [*zip(y, X.tolist())]
    edges = [Fraction(t) * sum(Fraction(a) * b for a, b in zip(x, w)) for t, x in rows]
    assert min(edges) ** 2 >= Fraction(least) ** 2 * sum(v * v for v in w)


def test_psd_keeps_the_tolerance_it_is_given():
    X = np.random.default_rng(0).normal(size=(400, 3))
    judged = psd_certificate(X @ X.T)
    assert judged.holds and judged.eta > 1e-11
    assert psd_certificate(X @ X.T, tol=1e-11).verdict == "undecided"
    assert psd_certificate(X @ X.T, tol=1e-9).eta <= 1e-9
    printed = float(re.search(r"K \+ (\S+) diag", str(judged))[1])
    assert printed >= judged.eta


def test_symmetric_is_said_only_where_it_is_exact():
    K = np.eye(2)
    assert "symmetric," in str(psd_certificate(K))
    K[0, 1] = 1e-11
    assert "symmetric to 1e-10," in str(psd_certificate(K))


def test_a_proof_about_numbers_beyond_all_floats_can_be_printed():
    X, y = np.array([[1e150, 0.0], [0.0, 1e-150]]), [1, 1]
    run = perceptron.perceptron(X, y)
    for exact in (False, True):
        assert str(bounds.mistake_bound(run, X, y, exact=exact)).count("\n") > 3
    u = [1e-10, 1e100]
    assert str(bounds.hinge_mistake_bound(run, X, y, u=u, exact=True)).count("\n") > 3
    parts = [([[1e140, 1.0]], [1])]
    for exact in (False, True):
        judged = partitions.block_certificate(parts, 1.0, [[0.5]], [1e149, 1e149], exact=exact)
        assert judged.verdict == "refuted" and str(judged)


def test_the_fewest_mistakes_are_known_for_certain():
    thin = np.array([[0.0], [1.0], [1.0 + 2.0**-52], [3.0]])
    assert svm.fewest_mistakes(thin, [-1, -1, 1, 1]).mistakes == 0


def test_a_tolerance_in_a_sentence_is_not_below_the_one_that_was_decided():
    X, y = np.random.default_rng(0).normal(size=(12, 2)), np.arange(12.0)
    for fit in (
        kernel_methods.kernel_ridge(X, y, kernels.Gaussian(1.0), 0.7),
        kernel_methods.support_vector_regression(X, y, 3.0, 0.1),
    ):
        said = float(re.search(r"more than (\S+),", fit.certificate.reason)[1])
        assert fit.certificate.tolerance <= said <= 1.02 * fit.certificate.tolerance


def test_a_certificate_that_was_shown_no_rounded_value_says_so():
    X, y = np.array([[0.0], [1.0], [2.0]]), np.array([0.0, 1.0, 2.0])
    tube = kernel_methods.support_vector_regression(X, y, 10.0, epsilon=0.25)
    line = kernel_methods.kernel_ridge(X, y, kernels.Linear(), 1.0)
    for fit in (tube, line):
        said = fit.certificate.reason
        assert said.startswith("proved: no answer is better than f by more than")
        assert said.endswith("f is not rounded, and what rounding makes of it was not asked")
    K, labels = np.array([[1.0, -1.0], [-1.0, 1.0]]), np.array([1.0, -1.0])
    exact = svm.certificate(K, labels, 9.0, [0.5, 0.5], 0.0, exact=True)
    assert exact.holds and exact.reason.endswith("what rounding makes of f was not asked")
    near = svm.certificate(K, labels, 9.0, [0.5, 0.5], 0.0)
    assert near.holds and near.off < 1e-6 and "asked" not in near.reason
