"""What is judged is the model that was handed over: its kernel, its prices, its numbers."""

from functools import partial

import mpmath
import numpy as np
import pytest
from sklearn.decomposition import KernelPCA
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.svm import SVC, LinearSVC

from lectures_lib import certify
from lectures_lib.proof.softmax import softmax_below


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
