"""The walks of a reader through the library do not get longer."""

import pytest

from lectures_lib import _jit
from tools.walks import walks

#: files, functions and depth at most.
HELD = {
    "svm.train": (15, 94, 11),
    "perceptron.perceptron": (5, 21, 6),
    "bounds.mistake_bound": (12, 94, 13),
    "estimators.SVM().fit": (26, 141, 22),
}


@pytest.mark.skipif(not _jit.COMPILED, reason="without numba a loop is a function of the walk, too")
@pytest.mark.parametrize("call", HELD)
def test_a_walk_is_no_longer_than_it_was(call):
    found = walks()[call]
    files, functions, depth = HELD[call]
    assert found.files <= files
    assert found.functions <= functions
    assert found.depth <= depth
