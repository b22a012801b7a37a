"""A wrong argument of any public function is answered by a sentence of ours, or by an answer.

Some hundred mutations here, chosen anew for each function but the same each time; all of them
(some 30,000) by ``python -m tools.fuzz``.
"""

import importlib
import inspect
import zlib
from types import FunctionType

import matplotlib
import numpy as np
import pytest
from numpy.typing import ArrayLike

from lectures_lib import datasets, estimators, fast, kernels, multiclass, perceptron, selection, svm
from lectures_lib._arguments import keeps
from tests.project.test_project import FLOORS
from tools.fuzz.calls import LOOPS, WITHOUT, calls
from tools.fuzz.outcome import cases, tried

matplotlib.use("agg")
#: So many mutations of each function are tried here.
EACH = 4
#: Rooms that are not fuzzed: machinery.
OTHERS = {"__main__", "_arguments", "_doubles", "_jit", "_moved", "_result"}
#: Functions that only pass on what others have checked, or that show what is already made.
ASIDE = {
    "exercises.check",
    "exercises.judge",
    "exercises.text",
    "plots.legend",
    "plots.look",
    "plots.say",
    "fast.rows_of_table",
    "theorems.break_it",
    "theorems.judge_answer",
    "theorems.question",
    "theorems.replay",
    "widgets.changed_sliders",
    "widgets.player",
    "widgets.slide",
}


def public_functions() -> set[str]:
    """Return room.name of every public function."""
    found = set()
    for room in FLOORS.keys() - OTHERS:
        module = importlib.import_module(f"lectures_lib.{room}")
        for name in getattr(module, "__all__", dir(module)):
            thing = getattr(module, name)
            own = getattr(thing, "__module__", "").startswith(f"lectures_lib.{room}")
            if own and inspect.isfunction(thing) and not name.startswith("_"):
                found.add(f"{room}.{name}")
    return found


def test_every_public_function_is_called_by_the_fuzz_or_named_as_an_exception():
    called = {call.name for call in calls()} | LOOPS | WITHOUT | ASIDE
    other_doors = {"proof.kmeans_certificate", "proof.pca_certificate", "proof.ridge_certificate"}
    helpers = {name for name in public_functions() if name.startswith("conventions.")}
    assert public_functions() - called - other_doors - helpers == set()


def test_an_array_keeps_the_promise_of_a_union_only_where_arrays_stand_in_it():
    assert keeps(np.zeros(2), ArrayLike | None)
    assert not keeps(np.zeros(2), int | None)


@pytest.mark.parametrize("call", calls(), ids=lambda call: call.name)
def test_a_right_call_is_answered(call):
    call.function(**call.fixed, **call.right)


def callbacks():
    """Return (call, argument) for every argument that is somebody's function."""
    return [
        (call, name)
        for call in calls()
        for name, value in call.right.items()
        if isinstance(value, FunctionType) or inspect.ismethod(value)
    ]


@pytest.mark.parametrize("kind", [IndexError, TypeError, ValueError, ZeroDivisionError])
@pytest.mark.parametrize(
    "call, argument", callbacks(), ids=[f"{call.name}, {name}" for call, name in callbacks()]
)
def test_an_error_of_somebody_elses_function_passes_untouched(call, argument, kind):
    mine = kind("my own fault")

    def broken(*args, **kwargs):
        raise mine

    try:
        call.function(**call.fixed, **call.right | {argument: broken})
    except Exception as error:
        assert error is mine, f"{type(error).__name__}: {error}"


def _broken(X, Z):
    return np.zeros(3)[7]


BROKEN = kernels.Function(lambda x, z: [1.0][5], "mine")


@pytest.mark.parametrize(
    "use",
    [
        lambda X, y: svm.train(X, y, solver=lambda K, y, C, tol: y[99]),
        lambda X, y: svm.train(X, y, kernel=BROKEN),
        lambda X, y: fast.svm(X, y, kernel=BROKEN),
        lambda X, y: perceptron.kernel_perceptron(X, y, BROKEN),
        lambda X, y: selection.grid(X, y, [1.0], [BROKEN], k=2, progress=False),
        lambda X, y: multiclass.one_vs_rest(X, y, lambda X, y: y[99]),
        lambda X, y: multiclass.one_vs_one(X, y, lambda X, y: y[99]),
        lambda X, y: estimators.SVM(kernel=_broken).fit(X, y),
    ],
)
def test_a_fault_in_the_students_function_is_not_blamed_on_the_data(use):
    X, y = datasets.noisy(12)
    with pytest.raises(IndexError):
        use(X, y)


@pytest.mark.parametrize("call", calls(), ids=lambda call: call.name)
def test_a_wrong_argument_is_told_in_a_sentence_of_ours(call):
    all_of_them = cases(call)
    rng = np.random.default_rng(zlib.crc32(call.name.encode()))
    for k in rng.permutation(len(all_of_them))[:EACH]:
        argument, name, wrong = all_of_them[k]
        outcome = tried(call, argument, wrong)
        assert outcome.kind != "obscure", f"{argument} = {name}: {outcome.text}"
