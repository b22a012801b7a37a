"""What is judged is the model that was handed over: its kernel, its prices, its numbers."""

import re
from fractions import Fraction
from functools import partial

import mpmath
import numpy as np
import pytest
from scipy import sparse
from sklearn.decomposition import KernelPCA
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression, Ridge, RidgeClassifier
from sklearn.svm import SVC, SVR, LinearSVC

from lectures_lib import certify
from lectures_lib.proof.judgement import Judgement
from lectures_lib.proof.rounding import Enclosure
from lectures_lib.proof.softmax import softmax_below
from lectures_lib.proof.spectrum import centres_below


def slope(k, x, c, t):
    """Return log t - log (c x p), which is 0 for the best t; p is what each other class gets."""
    return mpmath.log(t / c / x) + k * t * x + mpmath.log1p((k - 1) * mpmath.exp(-k * t * x))


def certain_rows(k=7):
    """Return X, C and the best W of a softmax whose rows give 1e-16 to each other class.

    Row i alone has feature i, so that its weights are 6 t and -t.
    """
    X, C = np.diag([1.0] + [1e3] * (k - 1)), 6e16 * np.array([1.0] + [1e-6] * (k - 1))
    W, least = np.zeros((k, k)), mpmath.mpf(0)
    for i in range(k):
        x, c = mpmath.mpf(X[i, i]), mpmath.mpf(C[i])
        t = mpmath.findroot(partial(slope, k, x, c), 37 / x / k)
        W[:, i], W[i, i] = -float(t), (k - 1) * float(t)
        least += k * (k - 1) * t * t / 2 + c * mpmath.log1p((k - 1) * mpmath.exp(-k * t * x))
    return X, C, W, float(least)


def test_no_softmax_is_below_its_bound_where_all_but_1e_16_goes_to_the_right_class():
    with mpmath.workdps(50):
        X, C, W, least = certain_rows()
    P = np.exp(X @ W.T - (X @ W.T).max(axis=1, keepdims=True))
    assert softmax_below(X, np.arange(7), C, P, 1.0, offset=False).low <= least


@pytest.mark.parametrize("kind", [KernelRidge, KernelPCA])
def test_a_polynomial_of_a_degree_that_is_not_whole_is_not_judged_as_another(kind):
    X = np.random.default_rng(0).uniform(0.2, 2, size=(12, 2))
    y = X[:, 0] if kind is KernelRidge else None
    for degree in (2, 2.0):
        model = kind(kernel="poly", degree=degree, coef0=1.0, gamma=0.5).fit(X, y)
        assert certify.certify(model, X, y).verdict == "proved"
    model = kind(kernel="poly", degree=2.5, coef0=1.0, gamma=0.5).fit(X, y)
    with pytest.raises(ValueError, match=r"degree=2\.5"):
        certify.certify(model, X, y)


@pytest.mark.parametrize("model", [LogisticRegression(tol=1e-10), LinearSVC(tol=1e-10)])
def test_balanced_classes_of_weighted_examples_are_refused_and_numbers_are_judged(model):
    """What "balanced" counts then, examples or their weights, depends on scikit-learn's version."""
    rng = np.random.default_rng(0)
    X, y, weights = rng.normal(size=(30, 2)), np.arange(30) % 3 == 0, rng.uniform(0.1, 5, 30)
    model.set_params(class_weight="balanced").fit(X, y, sample_weight=weights)
    with pytest.raises(ValueError, match="balanced"):
        certify.certify(model, X, y, sample_weight=weights)
    model.set_params(class_weight={False: 0.75, True: 1.5}).fit(X, y, sample_weight=weights)
    assert certify.certify(model, X, y, sample_weight=weights).verdict == "proved"


@pytest.mark.parametrize("model", [SVC(tol=1e-8), RidgeClassifier()])
def test_balanced_is_judged_where_it_counts_examples_in_every_version(model):
    rng = np.random.default_rng(0)
    X, y, weights = rng.normal(size=(30, 2)), np.arange(30) % 3 == 0, rng.uniform(0.1, 5, 30)
    model.set_params(class_weight="balanced").fit(X, y, sample_weight=weights)
    assert certify.certify(model, X, y, sample_weight=weights).verdict == "proved"


BIG = 2**53 + 1
ROUNDED = [
    np.array([BIG, BIG + 2, BIG + 5]),
    np.arange(1, 4, dtype=np.longdouble) / 3,
    np.array([BIG, 1, 2], dtype=object),
]


@pytest.mark.skipif(np.finfo(np.longdouble).eps == np.finfo(float).eps, reason="no long doubles")
@pytest.mark.parametrize("numbers", ROUNDED)
def test_numbers_that_floats_would_round_are_refused_wherever_a_model_has_them(numbers):
    X, y = np.array([[0.0], [1.0], [3.0]]), np.array([1.0, 2.0, 4.0])
    refused = pytest.raises(ValueError, match=r"precision rounds|real numbers, not object")
    with refused:
        certify.certify(Ridge().fit(X, y), X, numbers)
    for name, kind in (("coef_", Ridge), ("intercept_", Ridge), ("dual_coef_", SVR)):
        model = kind().fit(X, y)
        setattr(model, name, numbers[:1] if kind is Ridge else numbers[None, : len(model.support_)])
        with refused:
            certify.certify(model, X, y)


def test_sparse_numbers_that_floats_would_round_are_refused():
    X = sparse.csr_array(np.array([[BIG], [-BIG]]))
    with pytest.raises(ValueError, match="double precision rounds"):
        certify.svm([1.0], 0.0, X, [1, -1], 9.0)
    with pytest.raises(ValueError, match="double precision rounds"):
        certify.certify(Ridge().fit([[1.0], [2.0]], [1.0, 2.0]), X, [1.0, 2.0])


def test_a_printed_tolerance_is_never_stricter_than_what_was_proved():
    told = {"tol": 1.0000004e-3, "above": Enclosure(1.0)}
    for other in ({"below": Enclosure(0.9999)}, {"other": Enclosure(0.5)}):
        said = certify.Judgement("model", "formula", **told, **other)
        number = re.search(r"(?:within|allowed are) ([\d.e-]+)", said.reason)
        assert number
        assert (float(number[1]) > said.tol) == (said.verdict == "proved")


@pytest.mark.parametrize("seed", range(20))
def test_the_bound_of_several_machines_is_not_above_the_sum_of_theirs(seed):
    bounds = np.random.default_rng(seed).uniform(0.1, 30.0, size=7)
    parts = tuple(Judgement("", "", 1e-3, Enclosure(2 * b), Enclosure(b)) for b in bounds)
    whole = Judgement("", "", 1e-3, parts=parts)
    assert Fraction(whole.bound) <= sum(Fraction(part.bound) for part in parts)


@pytest.mark.parametrize("seed", range(20))
def test_no_bound_for_centres_is_claimed_where_their_squares_underflow(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-4, 5, size=(5, 2)) * 1e-162
    assert centres_below(X, 2, np.ones(5)).low <= 0
