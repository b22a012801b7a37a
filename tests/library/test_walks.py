"""The walks of a reader through the library do not get longer."""

import pytest

from tools.walks import walks

#: files, functions and depth at most.
HELD = {
    "svm.train": (21, 112, 11),
    "perceptron.perceptron": (8, 27, 7),
    "bounds.mistake_bound": (13, 98, 14),
    "estimators.SVM().fit": (32, 160, 22),
}


@pytest.mark.parametrize("call", HELD)
def test_a_walk_is_no_longer_than_it_was(call):
    found = walks()[call]
    files, functions, depth = HELD[call]
    assert found.files <= files
    assert found.functions <= functions
    assert found.depth <= depth
