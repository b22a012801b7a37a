"""The adapters are honest: scikit-learn's signatures, none of its estimators, and they refuse."""

import importlib
import inspect
import re

import numpy as np
import pytest

from tools.peers import adapters
from tools.peers.__main__ import PASSED, kind
from tools.peers.plugin import SWAPPED

NAMES = [(module, name) for module, names in SWAPPED.items() for name in names]


@pytest.mark.parametrize("module, name", NAMES)
def test_an_adapter_takes_what_scikit_learns_class_takes(module, name):
    theirs = inspect.signature(getattr(importlib.import_module(module), name))
    ours = inspect.signature(getattr(adapters, name))
    assert [(p.name, p.default, p.kind) for p in ours.parameters.values()] == [
        (p.name, p.default, p.kind) for p in theirs.parameters.values()
    ]


@pytest.mark.parametrize("module, name", NAMES)
def test_an_adapter_inherits_no_method_of_scikit_learns_estimators(module, name):
    parents = {c.__module__ for c in getattr(adapters, name).__mro__}
    allowed = ("sklearn.base", "sklearn.utils.", "tools.peers.adapters", "builtins")
    assert all(p.startswith(allowed) for p in parents)


@pytest.mark.parametrize(
    "make",
    [
        lambda: adapters.SVC(probability=True),
        lambda: adapters.SVC(kernel="sigmoid").fit(np.eye(2), [0, 1]),
        lambda: adapters.SVR(C=np.inf),
        lambda: adapters.LinearSVC(penalty="l1"),
        lambda: adapters.Perceptron(penalty="l2"),
        lambda: adapters.KernelRidge(alpha=0).fit(np.eye(2), [0.0, 1.0]),
        lambda: adapters.KernelPCA(remove_zero_eig=True),
    ],
)
def test_what_we_do_not_have_is_not_offered(make):
    with pytest.raises(adapters.NotOffered):
        make()


def test_a_test_that_asks_for_more_than_we_have_never_counts_as_passed():
    done = {"called": ["SVC"], "asked": [], "outcome": "passed"}
    assert kind(done) == "passed"
    assert kind(done | {"asked": ["probability=True"]}) == "not offered"
    assert kind(done | {"called": []}) == "not ours"


def test_the_stored_list_and_table_agree():
    text = PASSED.with_name("README.md").read_text()
    for line in re.findall(r"^\| test_\w+ \|.*\|$", text, flags=re.M)[:6]:
        file, tests, *counts = (cell.strip() for cell in line.strip("|").split("|"))
        assert int(tests) == sum(map(int, counts))
        stored = [name for name in PASSED.read_text().split("\n") if name.startswith(f"{file}::")]
        assert len(stored) == int(counts[1])
