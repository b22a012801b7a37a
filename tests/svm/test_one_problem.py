"""Primal, dual, SMO, the fast SMO and selection pose their problem through one door: `pose`."""

import numpy as np
import pytest

from lectures_lib import datasets, fast, selection, svm
from lectures_lib.fast import problems
from lectures_lib.kernels import Gaussian


def in_rows(*given, **options):
    """Train without the whole Gram matrix, however few examples there are."""
    return fast.svm(*given, **options, memory=2**30)


X, Y = datasets.noisy(24)
GOOD = {"X": X, "y": Y, "C": 1.0, "kernel": Gaussian(1.0), "loss": "hinge", "tol": 1e-3}


def primal(kernel, **told):
    """The primal has no kernel: it is refused what the others are refused, but for that."""
    return svm.primal(**told)


def cross_validate(**told):
    return selection.cross_validate(**told, k=3)


def grid(C, kernel, **told):
    return selection.grid(Cs=[C], kernels=[kernel], k=3, progress=False, **told)


def validation_curve(C, kernel, **told):
    return selection.validation_curve(Cs=[C], kernels=[kernel], k=3, progress=False, **told)


def learning_curve(**told):
    return selection.learning_curve(sizes=[8], k=3, progress=False, **told)


def regularisation_path(C, **told):
    return selection.regularisation_path(Cs=[C], **told)


#: One price of slack, or one per example.
MACHINES = [svm.train, in_rows, svm.dual, primal]
#: Prices of slack to choose from.
CHOICES = [cross_validate, grid, validation_curve, regularisation_path]
ALL = [*MACHINES, *CHOICES, learning_curve]

HOLE = np.where(np.arange(48).reshape(24, 2) == 5, np.nan, X)
BAD = [
    ("X", X[:, 0], "one row per example"),
    ("X", X[:0], "n >= 1"),
    ("X", HOLE, "NaN or infinity"),
    ("X", X.astype(str), "real numbers"),
    ("y", (Y + 1) / 2, "2 . y - 1"),
    ("y", Y[:-1], r"\(23,\); it needs \(24,\)"),
    ("y", Y[:, None], r"\(24, 1\)"),
    ("y", np.ones(24), "examples of both"),
    ("loss", "log", "'hinge', 'squared_hinge'"),
    ("loss", None, "'hinge', 'squared_hinge'"),
    ("tol", 0.0, "relative duality gap"),
    ("tol", np.inf, "relative duality gap"),
    ("tol", "1e-3", "relative duality gap"),
    ("kernel", "rbf", "write kernels.Gaussian"),
    ("kernel", len, "write kernels.Function"),
]
NO_PRICE = [0.0, -1.0, np.nan, "1", None]


def said(function, **changed):
    """Return the sentence in which bad input is refused."""
    with pytest.raises(ValueError) as refused:
        function(**GOOD | changed)
    return str(refused.value)


@pytest.mark.parametrize("function", ALL)
def test_what_is_good_is_taken(function):
    function(**GOOD)


@pytest.mark.parametrize("name, value, words", BAD)
def test_every_door_refuses_bad_input_in_the_same_sentence(name, value, words):
    with pytest.raises(ValueError, match=words) as refused:
        svm.pose(**GOOD | {name: value})
    asked = [f for f in ALL if not (f is primal and name == "kernel")]
    assert {f.__name__: said(f, **{name: value}) for f in asked} == {
        f.__name__: str(refused.value) for f in asked
    }


@pytest.mark.parametrize("C", NO_PRICE)
def test_every_door_refuses_what_is_no_price(C):
    sentence = said(svm.pose, C=C)
    assert "C must be a number > 0" in sentence
    assert {said(f, C=C) for f in [*MACHINES, learning_curve]} == {sentence}
    assert {said(f, C=C) for f in CHOICES} == {
        "Cs must be finite numbers > 0; for C = inf use svm.hard_margin."
    }


@pytest.mark.parametrize("function", ALL)
def test_every_problem_goes_through_the_door(monkeypatch, function):
    """Not only the same words: what `pose` returns is the problem that is solved."""

    class Seen(Exception):
        pass

    def no(*args, **kwargs):
        raise Seen

    for module in (svm.training, problems):
        monkeypatch.setattr(module, "pose", no)
    with pytest.raises(Seen):
        function(**GOOD)
