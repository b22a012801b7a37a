"""A pytest plugin: our adapters in the place of scikit-learn's classes, and a record of each test.

The swap happens before scikit-learn's test files are imported. PEERS_RECORD names the file that
the record is written to: for each test whether an adapter was fitted, what was asked for that we
do not offer, and how it ended.
"""

import importlib
import json
import os
from pathlib import Path

import pytest

from tools.peers import adapters

SWAPPED = {
    "sklearn.svm": ("SVC", "LinearSVC", "SVR"),
    "sklearn.linear_model": ("Perceptron",),
    "sklearn.kernel_ridge": ("KernelRidge",),
    "sklearn.decomposition": ("KernelPCA",),
}
RECORD: dict[str, dict] = {}


def pytest_configure(config: pytest.Config) -> None:
    for module, names in SWAPPED.items():
        for name in names:
            setattr(importlib.import_module(module), name, getattr(adapters, name))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo):
    report = yield
    if call.when == "call" or report.outcome != "passed":
        RECORD[_name(item)] = {
            "called": sorted(adapters.CALLED),
            "asked": list(adapters.ASKED),
            "outcome": report.outcome,
            "why": "" if call.excinfo is None else call.excinfo.exconly().strip()[:300],
        }
    return report


def pytest_runtest_setup(item: pytest.Item) -> None:
    adapters.CALLED.clear()
    adapters.ASKED.clear()


def _name(item: pytest.Item) -> str:
    return f"{Path(item.path).stem}::{item.name}"


def pytest_sessionfinish(session: pytest.Session) -> None:
    Path(os.environ["PEERS_RECORD"]).write_text(json.dumps(RECORD, indent=1))
