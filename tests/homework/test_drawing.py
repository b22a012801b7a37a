"""Data are searched for once, and nobody can tell: same data, same random numbers afterwards."""

import numpy as np
import pytest

from lectures_homework.language.broadly import cases, expect_like, factor, signs, size, table
from lectures_homework.language.drawing import drawn, kept
from lectures_homework.language.failures import Broken
from lectures_homework.student.client import LocalCall


def test_what_was_drawn_comes_back_and_the_generator_goes_on_as_if_drawn_again():
    calls = []

    @drawn
    def sample(rng, n, *, scale=1.0):
        calls.append(n)
        return scale * rng.normal(size=n), [n]

    def plain(rng, n, scale=1.0):
        return scale * rng.normal(size=n), [n]

    for _ in range(2):
        ours, theirs = np.random.default_rng(7), np.random.default_rng(7)
        for n, scale in ((3, 1.0), (3, 1.0), (4, 2.0)):
            found, want = sample(ours, n, scale=scale), plain(theirs, n, scale)
            assert np.array_equal(found[0], want[0])
            found[0][:] = 0.0  # who gets the data may write on them
            found[1].clear()
        assert ours.random() == theirs.random()
    assert calls == [3, 3, 4]


def test_what_is_true_of_the_same_arrays_is_worked_out_once_and_given_as_a_copy():
    asked = []

    @kept
    def total(X, rows, *, power=1):
        asked.append(power)
        return np.array([(X[rows[0]] ** power).sum()])

    X, rows = np.arange(6.0).reshape(3, 2), [np.array([0, 2])]
    total(X, rows)[0] = 99.0
    assert total(X.copy(), rows) == 10.0
    assert total(X, rows, power=2) == 42.0
    assert total(X.reshape(2, 3), [np.array([0])]) == 3.0
    assert total(X + 1, rows) == 14.0
    assert asked == [1, 2, 1, 1]


def scored(rng):
    X = factor(rng) * table(rng, size(rng, 200), size(rng, 30))
    return X, rng.normal(size=X.shape[1])


def labels(X, w):
    return np.where(X @ w >= 0, 1.0, -1.0)


def test_single_precision_gives_every_label_of_the_broad_inputs():
    for X, w in (given for given, _ in cases(np.random.default_rng(1), labels, scored, 300)):
        assert np.array_equal(labels(X.astype(np.float32), w.astype(np.float32)), labels(X, w))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda X, w: labels(X[:100], w),
        lambda X, w: labels(X, np.where(np.arange(len(w)) < 20, w, 0)),
        lambda X, w: labels(X, w) * np.where(abs(X).max() > 1e3, -1, 1),
        lambda X, w: labels(X, w) * np.where(X.shape[1] > 1, 1, -1),
    ],
)
def test_an_answer_that_suits_some_sizes_only_does_not_suit_the_broad_inputs(wrong):
    for seed in range(5):
        expect_like(LocalCall({"f": labels}), np.random.default_rng(seed), "f", labels, scored)
        with pytest.raises(Broken):
            expect_like(LocalCall({"f": wrong}), np.random.default_rng(seed), "f", labels, scored)


def test_labels_are_of_both_classes_of_a_rare_one_or_of_one_alone():
    rng = np.random.default_rng(2)
    shares = {round(np.mean(signs(rng, 400) > 0), 1) for _ in range(60)}
    assert {0.0, 0.1, 0.5, 0.9, 1.0} <= shares
