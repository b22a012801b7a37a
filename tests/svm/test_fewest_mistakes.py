"""The fewest mistakes by exact search: against brute force, and against the sum of slacks."""

from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.optimize import linprog

from lectures_lib import datasets, svm
from lectures_lib.complexity.shattering import all_labellings
from tests.strategies import integer_examples


def attainable(X, labels):
    """Say by a linear program whether some w.x + b has these labels, strictly."""
    rows = -labels[:, None] * np.hstack([X, np.ones((len(X), 1))])
    bounds = [(None, None)] * rows.shape[1]
    return linprog(np.zeros(rows.shape[1]), rows, -np.ones(len(X)), bounds=bounds).status == 0


def by_sign_patterns(X, y):
    """Return the least distance of y from a labelling that some separator makes."""
    patterns = [labels for labels in all_labellings(len(y)) if attainable(X, labels)]
    return min(int(np.sum(labels != y)) for labels in patterns)


@settings(max_examples=15)
@given(integer_examples(both=True, max_n=6, max_d=2))
def test_the_fewest_mistakes_are_those_of_brute_force_over_all_sign_patterns(examples):
    X, y = examples
    found = svm.fewest_mistakes(X, y)
    assert found.mistakes == len(found.removed) == by_sign_patterns(X, y)
    wrong = np.flatnonzero(y * (X @ found.w + found.b) <= 0)
    np.testing.assert_array_equal(wrong, found.removed)


def test_a_separable_set_needs_one_try_and_no_mistake():
    p = datasets.separable(12, 2, gamma=0.1, rng=0)
    found = svm.fewest_mistakes(p.X, p.y)
    assert (found.mistakes, found.tried, found.removed.size) == (0, 1, 0)


def test_of_two_equal_points_with_both_labels_one_is_a_mistake_whatever_w():
    X, y = [[1.0], [1.0], [3.0], [0.0]], [1, -1, 1, -1]
    assert svm.fewest_mistakes(X, y).mistakes == 1
    assert svm.fewest_mistakes(*datasets.xor()).mistakes == 1


def test_leaving_out_a_whole_class_always_does():
    found = svm.fewest_mistakes(np.ones((5, 2)), [1, -1, -1, 1, 1])
    assert found.removed.tolist() == [1, 2]
    assert not found.w.any()
    assert found.b == 1.0


def test_the_least_sum_of_slacks_is_not_the_least_number_of_mistakes():
    x = np.array([-3.0, -2.0, -1.0, 1.0, 2.0, 3.0, 30.0])
    X, y = x[:, None], np.array([-1.0, -1.0, -1.0, 1.0, 1.0, 1.0, -1.0])
    assert svm.fewest_mistakes(X, y).removed.tolist() == [6]
    for C in (1.0, 1e3):
        machine = svm.dual(X, y, C)
        assert machine.certificate.within(1e-6)
        assert np.sum(machine.predict(X) != y) >= 3
        w, b = np.array([1.0]), 0.0  # one mistake, and a slack of 31
        slacks = np.maximum(0, 1 - y * (X @ w + b)).sum()
        assert slacks > np.maximum(0, 1 - y * machine.decision(X)).sum()


@pytest.mark.parametrize("m", [1, 2, 3])
def test_each_mistake_more_multiplies_the_subsets_tried(m):
    x = np.concatenate([np.arange(-6.0, 0), np.arange(1.0, 7), np.arange(20.0, 20 + m)])
    y = np.where((x > 0) & (x < 20), 1.0, -1.0)
    found = svm.fewest_mistakes(x[:, None], y)
    assert found.mistakes == m
    smaller = sum(comb(len(x), k) for k in range(m))
    assert smaller < found.tried <= smaller + comb(len(x), m)


def test_too_many_examples_are_refused_with_the_number_of_subsets():
    X, y = datasets.noisy(40, 2, rng=0)
    with pytest.raises(ValueError, match=r"40 examples may need \d{6,} subsets"):
        svm.fewest_mistakes(X, y)
    assert svm.fewest_mistakes(X[:17], y[:17], max_examples=17).mistakes >= 0
