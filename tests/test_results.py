"""Results cannot change: read-only arrays, and no proof for a changed copy. By introspection."""

import copy
import pickle
from dataclasses import fields, replace

import numpy as np
import pytest

from lectures_lib import datasets, kernels, svm
from lectures_lib._result import UNJUDGED, FrozenDict, NotJudged, Result, frozen, with_fields
from lectures_lib.kernels import Kernel
from lectures_lib.proof.verdict import SelfJudged
from tests.fuzz import calls as fuzzed
from tests.specimens import arrays, returned, speakers, specimens

#: A replay of a theorem on numbers never holds; a student's proof is answered in `exercises`.
OTHERS = {"Replay", "ProofAnswer"}
RESULTS = {name: kind for name, kind in speakers().items() if not issubclass(kind, Kernel)}


def positive(result) -> list[str]:
    """Return what a result says for itself that only a proof allows."""
    said = []
    for name in ("holds", "converged", "shattered", "stable", "valid"):
        if name != "shattered" and bool(np.all(getattr(result, name, False))):
            said.append(name)
    if getattr(result, "verdict", "") == "proved":
        said.append("verdict")
    return said


def other_value(value):
    """Return a value that is clearly another one, of the same type."""
    if isinstance(value, (bool, np.bool_)):
        return not value
    if isinstance(value, (int, float)):
        return type(value)(value + 7)
    if isinstance(value, np.ndarray) and value.dtype.kind in "iuf":
        return value + 7
    if isinstance(value, np.ndarray) and value.dtype.kind == "b":
        return ~value
    return None


def test_every_class_that_says_something_of_itself_is_a_result_and_has_a_specimen():
    missing = {name for name, kind in RESULTS.items() if not issubclass(kind, Result)}
    assert missing - estimator_names() == set()
    assert RESULTS.keys() - specimens().keys() - estimator_names() - OTHERS == bases()


def bases() -> set[str]:
    """Return the classes that only others are made of."""
    return {"Proof", "SelfJudged", "InLines"} & RESULTS.keys()


def estimator_names() -> set[str]:
    """Return scikit-learn's shells: what they say is what their machines say."""
    return {name for name, kind in RESULTS.items() if hasattr(kind, "get_params")}


def pickled(result):
    """Return what comes back from a file."""
    return pickle.loads(pickle.dumps(result))


CHECKED = sorted(RESULTS.keys() - estimator_names() - OTHERS - bases())


@pytest.mark.parametrize("name", CHECKED)
def test_no_array_of_a_result_can_be_written_to(name):
    for result in specimens()[name]:
        for array in arrays(result):
            assert not array.flags.writeable
            if array.size:
                with pytest.raises(ValueError, match="read-only"):
                    array[...] = 0


def test_no_call_locks_its_arguments_or_keeps_them_by_reference():
    results = [(call, result) for call, result in returned() if isinstance(result, Result)]
    for call, result in results:
        kept = [array for array in arrays(result) if array.dtype != object]
        given = [v for v in call.right.values() if not isinstance(v, Result)]
        theirs = [array for array in arrays(given) if array.flags.writeable]
        assert not any(np.shares_memory(a, b) for a in theirs for b in kept), call.name
    assert len(results) > 60
    assert all(a.flags.writeable for a in arrays(list(vars(fuzzed).values())))


@pytest.mark.parametrize("name", CHECKED)
def test_a_changed_copy_says_nothing_that_only_a_proof_allows(name):
    for result in specimens()[name]:
        for f in fields(result):
            value = other_value(getattr(result, f.name))
            if f.name.startswith("_") or value is None:
                continue
            try:
                changed = replace(result, **{f.name: value})
            except TypeError as refusal:
                assert "no field of it can be changed" in str(refusal)
                continue
            if not isinstance(result, SelfJudged):
                assert positive(changed) == [], (name, f.name)


@pytest.mark.parametrize("name", CHECKED)
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled])
def test_a_whole_copy_keeps_its_proof_and_stays_read_only(name, copied):
    for result in specimens()[name]:
        again = copied(result)
        assert positive(again) == positive(result)
        assert not any(array.flags.writeable for array in arrays(again))


def trained() -> svm.SVMachine:
    return svm.train(*datasets.xor(), 10.0, kernels.Gaussian(1.0))


def test_the_readmes_lie_is_caught_for_a_machine():
    machine = trained()
    assert machine.converged
    lie = replace(machine, alpha=0 * machine.alpha, b=99.0)
    assert not lie.converged and not lie.certificate.holds
    assert lie.message == lie.certificate.reason == str(lie.certificate) == UNJUDGED
    assert "undecided" in repr(lie)
    assert not replace(machine, certificate=machine.certificate).converged


def test_a_machine_for_which_none_exists_says_nothing_once_it_is_changed():
    X, y = [[0.0], [1.0], [2.0]], [1, -1, 1]
    machine = svm.hard_margin(X, y)
    assert machine.converged and not machine.separable
    assert not replace(machine, y=-machine.y).converged


def test_who_asks_an_unjudged_copy_for_a_number_is_told_what_to_do():
    lie = replace(trained(), b=99.0)
    with pytest.raises(AttributeError, match=r"no 'primal': not judged"):
        lie.certificate.primal  # noqa: B018
    assert isinstance(pickle.loads(pickle.dumps(lie)).certificate, NotJudged)


def test_a_solver_may_keep_the_proof_where_it_knows_that_it_holds():
    machine = with_fields(trained(), iterations=7)
    assert machine.iterations == 7 and machine.converged and not machine.changed


def test_dictionaries_and_lists_of_results_are_frozen_too():
    safe = frozen({"a": [1.0, np.zeros(2)]})
    assert isinstance(safe, FrozenDict) and safe["a"][0] == 1.0
    assert not safe["a"][1].flags.writeable
    for change in (
        lambda d: d.update(a=1),
        lambda d: d.pop("a"),
        lambda d: d.__setitem__("a", 1),
        lambda d: d.__delitem__("a"),
    ):
        with pytest.raises(TypeError, match="cannot change"):
            change(safe)
    again = pickle.loads(pickle.dumps(safe))
    assert isinstance(again, FrozenDict) and list(again) == ["a"]


def test_a_view_is_locked_without_its_base():
    base = np.zeros(3)
    view = frozen(base[1:])
    assert not view.flags.writeable and base.flags.writeable
