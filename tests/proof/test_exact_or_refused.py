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
    estimators,
    kernel_methods,
    kernels,
    linear,
    margins,
    metrics,
    partitions,
    proof,
    structured,
    svm,
)
from lectures_lib.proof import rounding
from tools.referee.exactness import (
    ARGUMENTS,
    CALLS,
    FLOATS_BESIDE,
    LINEAR,
    NEAR_ONE,
    RUN,
    SAME,
    X,
    Y,
    spoilt,
)


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
def test_a_whole_number_that_numpy_rounds_because_floats_stand_by_is_refused(name, argument):
    function, told = CALLS[name]
    with pytest.raises(ValueError, match=r"rounds|no float|Labels must be|not a list"):
        function(**(told | {argument: spoilt(told[argument], FLOATS_BESIDE)}))


@pytest.mark.parametrize(
    "rows",
    [
        [[2**60 + 1, 0.5], [2**60, 0.5]],
        [np.array([2**60 + 1, 0]), np.array([2**60, 0.5])],
        [[np.uint64(2**63 + 1), np.int64(-1)], [2**63, -1]],
        [[10**400, 0.5], [0, 0.5]],
    ],
)
def test_two_points_that_numpy_would_make_one_are_not_called_one(rows):
    for judge in (margins.max_margin, svm.hard_margin, estimators.SVM().fit, svm.train):
        with pytest.raises(ValueError, match=r"rounds|must hold real numbers"):
            judge(rows, [1, -1])
    assert margins.max_margin([[2**60, 0.5], [2**53, 0.5]], [1, -1], offset=True).separable


@pytest.mark.parametrize("values", ["long double", "whole", "objects", FLOATS_BESIDE])
def test_an_estimator_refuses_what_scikit_learn_would_round(values):
    rows, targets = np.array(X, dtype=object), np.array([1.0, 2.0, 3.0, 5.0], dtype=object)
    odd = {"whole": 2**60 + 1, FLOATS_BESIDE: 2**60 + 1, "objects": Fraction(1, 3)}
    rows[0, 0] = targets[0] = odd.get(values, NEAR_ONE)
    if values == "long double" and SAME:
        pytest.skip("long double is double")
    if values != "objects":
        types = {"long double": np.longdouble, "whole": np.int64}
        as_given = lambda a: a.astype(types[values]) if values in types else a.tolist()  # noqa: E731
        rows, targets = as_given(rows), as_given(targets)
    for kind in (
        estimators.SVM, estimators.LinearSVM, estimators.Perceptron, estimators.VotedPerceptron,
        estimators.AveragedPerceptron, estimators.KernelPerceptron, estimators.KernelRidge,
        estimators.SupportVectorRegression, estimators.KernelKMeans, estimators.KernelPCA,
    ):  # fmt: skip
        few = {"n_clusters": 2} if kind is estimators.KernelKMeans else {}
        with pytest.raises(ValueError, match=r"X has numbers that double precision rounds"):
            kind(**few).fit(rows, Y)
    with pytest.raises(ValueError, match=r"X has numbers that double precision rounds"):
        estimators.Perceptron().partial_fit(rows, Y)
    for kind in (estimators.KernelRidge, estimators.SupportVectorRegression):
        with pytest.raises(ValueError, match=r"y has numbers that double precision rounds"):
            kind().fit(X, targets)
        assert kind().fit(X.astype(object), Y).machine_.certificate.holds  # equal floats


def test_scores_that_numpy_would_round_rank_nothing():
    scores = [2**60 + 1, 2**60, 0.5]
    for curve in (metrics.roc, metrics.pr_curve):
        with pytest.raises(ValueError, match="scores has numbers that double precision rounds"):
            curve([1, -1, 1], scores)
    assert metrics.roc([1, -1, -1], np.array([2**60 + 1, 2**60, 0])).area == 1.0


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
    assert rounding.enclosed_sum(big).value == Fraction(4, 3)
    with pytest.raises(ValueError, match="fractions"):
        rounding.enclosed_sum(np.array([1e16, 1.0, -1e16], dtype=object))
    with pytest.raises(ValueError, match="fractions"):
        rounding.enclosed_dot(big, np.array([1.0, 1.0, 1.0]))


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


@pytest.mark.parametrize(
    "told",
    [
        {"step": np.inf}, {"step": np.nan}, {"step": 0.0}, {"step": -1.0}, {"step": Fraction(1, 3)},
        {"theta_last": np.array([np.inf] * 16)}, {"theta_last": np.array([2**60 + 1] * 16)},
        {"theta_last": np.full(16, NEAR_ONE)}, {"theta_last": np.zeros(3)}, {"i": 0.0}, {"i": True},
    ],
)  # fmt: skip
def test_a_structured_run_of_numbers_that_are_no_floats_is_refused(told):
    problem, rows, outputs = structured.greedy_example()
    run = structured.structured_perceptron(problem, rows, outputs)
    known = {"step": run.step, "theta_last": run.theta_last, "mistakes": run.mistakes} | told
    if "theta_last" in told and len(told["theta_last"]) == 16:
        known["theta_last"] = told["theta_last"][: problem.size]
    if "i" in told:
        known["mistakes"] = (replace(run.mistakes[0], i=told["i"]),)
    if SAME and getattr(known["theta_last"], "dtype", None) == np.longdouble:
        pytest.skip("long double is double")
    for judge in (structured.collins_bound, structured.collins_hinge_bound):
        with pytest.raises(ValueError, match=r"run\.|must be examples"):
            judge(problem, rows, outputs, SimpleNamespace(**known), run.theta)


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
