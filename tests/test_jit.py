"""Compiled and uncompiled loops are the same text and give the same bits."""

import importlib
import os
import pkgutil
import subprocess
import sys
from types import FunctionType

import numpy as np
import pytest

import lectures_lib
from lectures_lib import _jit
from tests.environment import ROOT

needs_numba = pytest.mark.skipif(not _jit.COMPILED, reason="numba is missing or switched off")


def compiled_loops():
    """Return every compiled function of the library, by module and name."""
    found = {}
    for info in pkgutil.iter_modules(lectures_lib.__path__):
        module = importlib.import_module(f"lectures_lib.{info.name}")
        for name, value in vars(module).items():
            if hasattr(value, "py_func") and value.__module__ == module.__name__:
                found[f"{info.name}.{name}"] = value
    return found


def uncompiled(loop):
    """Return the text of `loop` bound to uncompiled versions of all it calls."""
    text = _jit.plain(loop)
    names = {k: _jit.plain(v) for k, v in text.__globals__.items()}
    names = {
        k: FunctionType(v.__code__, names) if hasattr(text.__globals__[k], "py_func") else v
        for k, v in names.items()
    }
    return FunctionType(text.__code__, names)


def data(rng):
    n, d = rng.integers(1, 12), rng.integers(1, 12)
    X = rng.normal(size=(n, d)) if rng.random() < 0.5 else rng.integers(-3, 4, size=(n, d)) / 10
    return X, rng.choice([-1.0, 1.0], size=n), rng.permutation(n), rng.choice([-1.0, 0.0, 1.0])


def dot_input(rng):
    d = rng.integers(1, 40)
    return rng.normal(size=d), rng.normal(size=d)


def pass_input(rng):
    X, y, order, spared = data(rng)
    return X, y, order, spared, rng.integers(-2, 3, size=X.shape[1]) / 10


def voted_input(rng):
    return *pass_input(rng), int(rng.integers(0, 9)), int(rng.integers(0, 2))


def averaged_input(rng):
    arguments = pass_input(rng)
    return *arguments, rng.normal(size=arguments[-1].size)


def dual_input(rng):
    X, y, _, _ = data(rng)
    X[0] = 0.0 if rng.random() < 0.2 else X[0]
    C = rng.uniform(0, 2, size=y.size)
    return X, y, C, (X * X).sum(axis=1), np.zeros(X.shape[1]), rng.uniform(size=y.size) * C


def strings_input(rng):
    s, t = (rng.integers(0, 3, size=rng.integers(1, 9)) for _ in range(2))
    return s, t, int(rng.integers(1, 4)), float(rng.uniform(0.1, 1))


def one_letter_input(rng):
    s, t, _, decay = strings_input(rng)
    return s, t, rng.uniform(size=(s.size, t.size)), decay


INPUTS = {
    "discrete._gap_weighted": strings_input,
    "discrete._one_letter_more": one_letter_input,
    "perceptron._dot": dot_input,
    "perceptron._pass": pass_input,
    "perceptron._voted_pass": voted_input,
    "perceptron._averaged_pass": averaged_input,
    "linear._dual_pass": dual_input,
}


def bits(values):
    """Return numbers and arrays as bytes: equal only if equal to the last bit."""
    values = values if isinstance(values, tuple) else (values,)
    return [None if v is None else np.asarray(v).tobytes() for v in values]


@needs_numba
def test_every_compiled_loop_of_the_library_has_an_input_here():
    loops = compiled_loops()
    assert "perceptron._pass" in loops
    assert set(loops) <= set(INPUTS), "write an input for the new loop"


@needs_numba
@pytest.mark.parametrize("seed", range(60))
def test_compiled_and_uncompiled_loops_agree_to_the_last_bit(seed):
    for name, loop in compiled_loops().items():
        first, second = (INPUTS[name](np.random.default_rng(seed)) for _ in range(2))
        assert bits(loop(*first)) == bits(uncompiled(loop)(*second)), name
        assert bits(first) == bits(second), name  # what they wrote into w, alpha, total


@needs_numba
def test_plain_returns_the_text_that_was_compiled():
    assert _jit.plain(_jit.jit(dot_input)) is dot_input


def test_plain_leaves_an_uncompiled_function_alone():
    assert _jit.plain(dot_input) is dot_input


def test_the_switch_turns_compilation_off_without_loading_numba():
    code = (
        "import sys; from lectures_lib import _jit, perceptron;"
        "assert not _jit.COMPILED and 'numba' not in sys.modules;"
        "assert _jit.jit(len) is len and not hasattr(perceptron._pass, 'py_func')"
    )
    environment = os.environ | {"LECTURES_LIB_JIT": "0"}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=True)
