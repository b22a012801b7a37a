"""Data are searched for once, and nobody can tell: same data, same random numbers afterwards."""

import numpy as np

from lectures_homework.language.drawing import drawn, kept


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
