"""Answers are read whatever holds them, and what cannot be read is said in one sentence."""

import numpy as np
import pytest

from lectures_homework.language import reading
from lectures_homework.language.failures import Broken


@pytest.mark.parametrize("got", [2.5, np.float32(2.5), [2.5], np.array([[2.5]]), (2.5,)])
def test_a_number_is_read_from_whatever_holds_one(got):
    assert reading.number(got, "b") == 2.5


@pytest.mark.parametrize("got", [[1.0, 2.0], [], "two", {"b": 1.0}, [[1.0], [1.0, 2.0]]])
def test_what_is_no_number_is_said_to_be_none(got):
    with pytest.raises(Broken, match=r"^b: one number"):
        reading.number(got, "b")


@pytest.mark.parametrize(("got", "want"), [(True, True), (0, False), (np.array([1]), True)])
def test_true_and_false_are_read(got, want):
    assert reading.truth(got, "converged") is want


@pytest.mark.parametrize("got", [None, 0.5, "True", [True, False], []])
def test_what_is_neither_true_nor_false_is_refused(got):
    with pytest.raises(Broken, match="converged: True or False is expected"):
        reading.truth(got, "converged")


@pytest.mark.parametrize(
    "got", [[1, 2, 3], (1.0, 2.0, 3.0), np.array([[1], [2], [3]]), [[1, 2, 3]]]
)
def test_a_vector_may_lie_or_stand(got):
    assert reading.vector(got, 3, "w").tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("got", [[1, 2], 1.0, [1, 2, np.nan], [1, 2, np.inf], None, [[1, 2], [3]]])
def test_a_vector_has_so_many_finite_numbers(got):
    with pytest.raises(Broken, match=r"^w"):
        reading.vector(got, 3, "w")


def test_an_array_has_the_shape_asked_for():
    assert reading.array([[1, 2], [3, 4]], (2, 2), "K").shape == (2, 2)
    with pytest.raises(
        Broken,
        match=r"K: an array of shape \(2, 2\) is expected",
    ):
        reading.array([1, 2, 3, 4], (2, 2), "K")


def test_parts_are_counted_and_named():
    assert reading.parts(([1.0], 2.0), "w", "b") == [[1.0], 2.0]
    assert reading.parts(np.array([1.0, 2.0]), "w", "b") == [1.0, 2.0]
    for got in (1.0, np.array(1.0), [1.0], "wb", {"w": 1, "b": 2}, None):
        with pytest.raises(Broken, match=r"2 parts: \(w, b\)"):
            reading.parts(got, "w", "b")
