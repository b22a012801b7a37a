"""Compiled and uncompiled loops are the same text and give the same bits."""

import ast
import importlib
import inspect
import os
import pkgutil
import subprocess
import sys
import textwrap
from types import FunctionType

import numpy as np
import pytest

import lectures_lib
from lectures_lib import _jit
from tests.library.loop_inputs import INPUTS, dot_input
from tools.environment import ROOT

needs_numba = pytest.mark.skipif(not _jit.COMPILED, reason="numba is missing or switched off")


LEFT_OUT = {("fast", "chain_loops"), ("fast", "exponentials")}


def compiled_loops():
    """Return every compiled function of the library, by module and name.

    Those of `fast.chain_loops` are left out: tests/structured compares whole runs; and those that
    may round a product and a sum at once: tests/fast/test_exponential.py knows the truth.
    """
    found = {}
    for info in pkgutil.walk_packages(
        lectures_lib.__path__, "lectures_lib.", onerror=lambda name: None
    ):
        room, *inner = info.name.split(".")[1:]
        if room in lectures_lib._MOVED or (room, *inner) in LEFT_OUT:
            continue
        module = importlib.import_module(info.name)
        for name, value in vars(module).items():
            if hasattr(value, "py_func") and value.__module__ == module.__name__:
                found[".".join([room, *inner, name])] = value
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


#: Numpy's names that numba compiles quickly: np.where takes it three seconds.
QUICK = {
    "array",
    "bool_",
    "empty",
    "zeros",
    "inf",
    "sqrt",
    "abs",
    "float64",
    "int64",
    "uint64",
    "intp",
}
QUICK |= {"float32", "int32", "maximum", "diag"}  # of the last two 0.3 and 0.7 seconds


def numpy_names(function):
    """Return what a function takes from numpy, by name."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    return {node.attr for node in nodes if ast.unparse(node.value) == "np"}


@needs_numba
def test_no_compiled_loop_takes_from_numpy_what_compiles_for_seconds():
    slow = {name: numpy_names(loop.py_func) - QUICK for name, loop in compiled_loops().items()}
    assert {name: found for name, found in slow.items() if found} == {}


def bits(values):
    """Return numbers and arrays as bytes: equal only if equal to the last bit.

    A number, whole or not, that leaves a compiled loop is one of Python's.
    """
    if isinstance(values, tuple):
        return [bits(value) for value in values]
    plain = values.item() if isinstance(values, np.integer | np.floating) else values
    return None if plain is None else np.asarray(plain).tobytes()


@needs_numba
def test_every_compiled_loop_of_the_library_has_an_input_here():
    loops = compiled_loops()
    assert "perceptron.linear.one_pass" in loops
    assert set(loops) == set(INPUTS), "write an input for the new loop, take out that of a lost one"


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
        "assert _jit.jit(len) is len and not hasattr(perceptron.one_pass, 'py_func')"
    )
    environment = os.environ | {"LECTURES_LIB_JIT": "0"}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=True)


@needs_numba
def test_the_cache_survives_an_installation_that_changes_the_times_of_files(tmp_path):
    if tuple(map(int, _jit.numba.__version__.split(".")[:2])) < (0, 68):
        pytest.skip("before 0.68 numba's cache went by the time of a file")
    home = tmp_path / "lectures_lib"
    (home / "fast").mkdir(parents=True)
    for name in ("__init__.py", "fast/__init__.py"):
        (home / name).write_text("")
    for name in ("_jit.py", "fast/passes.py"):
        (home / name).write_text((ROOT / "lectures_lib" / name).read_text(encoding="utf-8"))
    code = (
        "import numpy as np; from lectures_lib.fast.passes import _score;"
        "_score(np.ones(2), np.ones((1, 2)), 0); print(sum(_score.stats.cache_hits.values()))"
    )
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "NUMBA_CACHE_DIR": ""}

    def hits():
        told = {"cwd": tmp_path, "env": environment, "capture_output": True, "text": True}
        return int(subprocess.run([sys.executable, "-c", code], check=True, **told).stdout)

    assert hits() == 0
    os.utime(home / "fast" / "passes.py", (1e9, 1e9))
    assert hits() == 1
