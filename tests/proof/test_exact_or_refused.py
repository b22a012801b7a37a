"""No judge decides about numbers that were rounded on their way to it.

Long doubles, whole numbers above 2^53 and arrays of objects either keep every digit or are refused:
examples, targets, weights, multipliers, Gram matrices and parameters alike.
"""

import inspect
from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from lectures_lib import (
    bounds,
    complexity,
    fast,
    kernel_methods,
    kernels,
    linear,
    margins,
    partitions,
    perceptron,
    proof,
    svm,
)
from lectures_lib.proof.regression import svr_certificate

X = np.array([[1.0, 2.0], [2.0, 1.0], [-1.0, -2.0], [-2.0, -1.0]])
Y = np.array([1.0, 1.0, -1.0, -1.0])
K = X @ X.T
RUN = perceptron.perceptron(X, Y)
ZERO = np.zeros(4)
LINEAR = kernels.Linear()

CALLS = {
    "psd_certificate": (proof.psd_certificate, {"K": K, "exact": True}),
    "psd_level": (proof.psd_level, {"K": K}),
    "exact_level": (proof.exact_level, {"K": K}),
    "ridge_certificate": (
        proof.ridge_certificate,
        {"K": K, "y": Y, "penalty": 1.0, "alpha": ZERO, "b": 0.5, "weights": ZERO + 1},
    ),
    "kmeans_certificate": (
        proof.kmeans_certificate,
        {"K": K, "labels": np.array([0, 0, 1, 1]), "objectives": [2.0]},
    ),
    "pca_certificate": (
        proof.pca_certificate,
        {"K": K, "values": np.array([18.0]), "V": X[:, :1] / 2},
    ),
    "svm.certificate": (
        svm.certificate,
        {"K": K, "y": Y, "C": 1.0, "alpha": ZERO, "b": 0.5, "exact": True},
    ),
    "svr_certificate": (
        svr_certificate,
        {"K": K, "y": Y, "C": 1.0, "epsilon": 0.1, "beta": ZERO, "b": 0.5, "exact": True},
    ),
    "max_margin": (margins.max_margin, {"X": X, "y": Y, "exact": True}),
    "shatters": (complexity.shatters, {"X": X[:2], "exact": True}),
    "radon": (complexity.radon, {"X": X, "exact": True}),
    "smallest_ball": (complexity.smallest_ball, {"X": X}),
    "mistake_bound": (
        bounds.mistake_bound,
        {"run": RUN, "X": X, "y": Y, "u": X[0], "R": 4.0, "gamma": 0.5, "exact": True},
    ),
    "hinge_mistake_bound": (
        bounds.hinge_mistake_bound,
        {"run": RUN, "X": X, "y": Y, "u": X[0], "exact": True},
    ),
    "kernel_mistake_bound": (
        bounds.kernel_mistake_bound,
        {"run": perceptron.kernel_perceptron(X, Y, LINEAR), "X": X, "y": Y, "exact": True},
    ),
    "block_certificate": (
        partitions.block_certificate,
        {"parts": [(X, Y)], "C": 1.0, "alpha": [ZERO], "w": ZERO[:2], "exact": True},
    ),
    "train": (svm.train, {"X": X, "y": Y, "C": 1.0}),
    "train with prices": (svm.train, {"X": X, "y": Y, "C": ZERO + 1}),
    "hard_margin": (svm.hard_margin, {"X": X, "y": Y}),
    "fast.linear": (fast.linear, {"X": X, "y": Y, "C": 1.0}),
    "kernel_ridge": (
        kernel_methods.kernel_ridge,
        {"X": X, "y": Y, "kernel": LINEAR, "penalty": 1.0},
    ),
    "weighted_kernel_ridge": (
        kernel_methods.weighted_kernel_ridge,
        {"X": X, "y": Y, "weights": ZERO + 1, "kernel": LINEAR, "penalty": 1.0},
    ),
    "support_vector_regression": (
        kernel_methods.support_vector_regression,
        {"X": X, "y": Y, "C": 1.0, "epsilon": 0.1},
    ),
    "kernel_kmeans": (kernel_methods.kernel_kmeans, {"X": X, "kernel": LINEAR, "k": 2}),
    "enclosed_sum": (proof.enclosed_sum, {"values": ZERO}),
    "enclosed_dot": (proof.enclosed_dot, {"x": ZERO, "y": ZERO}),
    "enclosed_product": (proof.enclosed_product, {"A": K, "v": ZERO}),
}
LABELS = {"labels"}
#: The least long double above 1, or nearly: where there is one, it is no float.
NEAR_ONE = np.longdouble(1) + np.longdouble(2) ** -60
SAME = NEAR_ONE == 1


def is_number(value) -> bool:
    return isinstance(value, float)


def numbers(told: dict) -> list[str]:
    return [n for n, v in told.items() if is_number(v) or isinstance(v, np.ndarray | list)]


ARGUMENTS = [
    (name, argument)
    for name, (_, told) in CALLS.items()
    for argument in numbers(told)
    if argument not in LABELS | {"parts"}
]


def spoilt(value, kind: str):
    """Return the value with a number in it that no float is, of another type."""
    if isinstance(value, list):
        inner = spoilt(np.asarray(value[0]), kind) if np.ndim(value[0]) else None
        return [inner] if inner is not None else spoilt(np.array(value), kind)
    if kind == "long double":
        return np.where(value, value, 1.0).astype(np.longdouble)[()] * NEAR_ONE
    if kind == "whole":
        whole = 2**60 + 1
        return np.full(np.shape(value), whole, dtype=np.int64) if np.ndim(value) else whole
    return np.full(np.shape(value), 0.1).astype(object) if np.ndim(value) else object()


@pytest.mark.skipif(SAME, reason="long double is double")
@pytest.mark.parametrize(("name", "argument"), ARGUMENTS)
def test_a_long_double_that_no_float_is_is_refused(name, argument):
    function, told = CALLS[name]
    with pytest.raises(ValueError, match=r"rounds|no float"):
        function(**(told | {argument: spoilt(told[argument], "long double")}))


@pytest.mark.parametrize(("name", "argument"), ARGUMENTS)
def test_a_whole_number_that_no_float_is_is_refused(name, argument):
    function, told = CALLS[name]
    with pytest.raises(ValueError, match=r"rounds|no float|Labels must be"):
        function(**(told | {argument: spoilt(told[argument], "whole")}))


@pytest.mark.parametrize(("name", "argument"), ARGUMENTS)
def test_an_array_of_float_objects_is_refused(name, argument):
    function, told = CALLS[name]
    with pytest.raises(
        ValueError,
        match=r"real number|fractions|must hold|must be|it needs|real and|square and real",
    ):
        function(**(told | {argument: spoilt(told[argument], "objects")}))


def test_every_function_with_exact_is_tried():
    rooms = [proof, svm, margins, complexity, bounds, partitions, linear, kernel_methods]
    found = {
        name
        for room in rooms
        for name in room.__all__
        if inspect.isfunction(function := getattr(room, name))
        and "exact" in inspect.signature(function).parameters
    }
    tried = {function.__name__ for function, _ in CALLS.values()} | {"mixing_bound"}
    assert found <= tried


def test_good_calls_pass():
    for function, told in CALLS.values():
        function(**told)


@pytest.mark.skipif(SAME, reason="long double is double")
def test_two_points_that_only_long_double_tells_apart_are_not_called_one():
    near = np.array([[NEAR_ONE], [np.longdouble(1)]])
    for judge in (margins.max_margin, svm.hard_margin):
        with pytest.raises(ValueError, match="rounds"):
            judge(near, [1, -1])
    assert margins.max_margin(
        np.array([[1.5], [1.0]], np.longdouble), [1, -1], offset=True
    ).separable


def test_weights_of_whole_numbers_beyond_floats_prove_no_mistake():
    rows, labels = np.array([[1.0, 1.0], [1.0, -1.0]]), np.array([1.0, 1.0])
    weights = np.array([[2**60 + 1, -(2**60)], [2**60 + 2, -(2**60) + 1]], dtype=np.int64)
    run = SimpleNamespace(w=weights[-1], weights=weights, mistakes=np.array([0]))
    with pytest.raises(ValueError, match=r"run.weights"):
        bounds.mistake_bound(run, rows, labels, [1.0, 0.0], exact=True)
    fine = replace(RUN, weights=RUN.weights.astype(np.int64))
    assert bounds.mistake_bound(fine, X, Y, exact=True).holds


def test_fractions_and_whole_numbers_of_any_size_are_exact():
    big = np.array([2**60 + 1, Fraction(1, 3), -(2**60)], dtype=object)
    assert proof.enclosed_sum(big).value == Fraction(4, 3)
    with pytest.raises(ValueError, match="fractions"):
        proof.enclosed_sum(np.array([1e16, 1.0, -1e16], dtype=object))
    with pytest.raises(ValueError, match="fractions"):
        proof.enclosed_dot(big, np.array([1.0, 1.0, 1.0]))


def test_a_matrix_of_float_objects_proves_nothing():
    K = np.array([[2.0**54, 2.0**54], [2.0**54, 2.0**54 + 4]], dtype=object)
    with pytest.raises(ValueError, match="fractions"):
        proof.kmeans_certificate(K, [0, 0], [0.0])
    with pytest.raises(ValueError, match="fractions"):
        proof.ridge_certificate(K, [1.0, 2.0], 1.0, [0.0, 0.0])


def test_targets_that_floats_would_round_are_refused():
    y = np.array([2**60, 2**60 + 1, 2**60 + 2, 2**60 + 3])
    for fit in (
        lambda: kernel_methods.kernel_ridge(X, y, LINEAR, 1.0, offset=True),
        lambda: kernel_methods.support_vector_regression(X, y),
    ):
        with pytest.raises(ValueError, match="y has numbers that double precision rounds"):
            fit()


# --- parameters of kernels -----------------------------------------------------------------------


class Duck:
    """Looks like a kernel and is none: -x.z."""

    def gram(self, X, Z):
        return -X @ Z.T

    def diagonal(self, X):
        return -(X * X).sum(axis=1)

    def check(self, X):
        return X


@pytest.mark.parametrize(
    "make",
    [
        lambda: kernels.Polynomial(2, one=-1),
        lambda: kernels.Polynomial(2, one=0.5),
        lambda: kernels.Polynomial(2, one=2),
        lambda: kernels.Polynomial(2, one=None),
        lambda: kernels.Polynomial(2.0),
        lambda: kernels.Gaussian(-1.0),
        lambda: kernels.Gaussian(Fraction(1, 3)),
        lambda: kernels.Gaussian(1j),
        lambda: kernels.Laplace(0.0),
        lambda: kernels.Constant(-1.0),
        lambda: -1.0 * LINEAR,
        lambda: LINEAR**0,
        lambda: LINEAR**-1,
        lambda: kernels.algebra.Sum(LINEAR, Duck()),
        lambda: kernels.algebra.Product(Duck(), LINEAR),
        lambda: kernels.algebra.Power(Duck(), 2),
        lambda: kernels.algebra.Multiple(2.0, Duck()),
        lambda: kernels.algebra.Normalised(Duck()),
    ],
)
def test_parameters_that_make_no_kernel_are_refused(make):
    with pytest.raises(ValueError, match=r"must be|is made of kernels|no float"):
        make()


def test_a_kernel_computes_the_formula_that_it_prints():
    assert kernels.Polynomial(1, one=np.True_) == kernels.Polynomial(1)
    for one in (True, False):
        kernel = kernels.Polynomial(3, one=one)
        assert np.array_equal(kernel(X), kernel.exact(X).astype(float))
