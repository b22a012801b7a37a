"""Every pin can be installed where we say so: each Python we claim, each system, by a wheel.

What the package index says is stored in tools/pins.json (`python -m tools.pins` asks anew), so that
these tests need no network; the last one asks the index itself about a few pins, where it answers.
"""

import json
import os
import subprocess
import sys

import pytest
from packaging.requirements import Requirement

from tests.project.test_project import pyproject, requirements
from tools import pins
from tools.environment import ROOT

SAID = json.loads(pins.ANSWERS.read_text(encoding="utf-8"))
#: Asked again at every run: the pins that were once wrong, one with four Pythons, one for all.
SAMPLE = ("soupsieve", "cvxopt", "llvmlite", "numpy", "jupyterlab")


def has_wheel(pin: Requirement, system: str, python: tuple[int, int]) -> bool:
    """Say whether the index had a wheel of this pin."""
    wheels = SAID[str(pin)]["wheels"]
    return wheels == "everywhere" or f"3.{python[1]}" in wheels[system].split()


def test_the_index_was_asked_for_every_pin_and_no_other():
    assert sorted(SAID) == sorted(map(str, pins.pins())), "run: python -m tools.pins"


def test_the_claimed_pythons_are_those_of_pyproject():
    claimed = pyproject()["requires-python"]
    assert all(pins.admits(claimed, f"3.{minor}.0") for _, minor in pins.PYTHONS)
    assert not pins.admits(claimed, f"3.{pins.PYTHONS[0][1] - 1}.99")
    assert not pins.admits(claimed, f"3.{pins.PYTHONS[-1][1] + 1}.0")


def test_every_pin_admits_the_oldest_micro_version_of_every_python_we_claim():
    refused = {
        f"{pin} on {micro}"
        for pin, said in SAID.items()
        for micro in (f"3.{minor}.{patch}" for _, minor in pins.PYTHONS for patch in (0, 2))
        if not pins.admits(said["python"], micro)
    }
    assert refused == set()


@pytest.mark.parametrize("python", pins.PYTHONS, ids=lambda v: f"3.{v[1]}")
@pytest.mark.parametrize("system", pins.SYSTEMS)
def test_what_a_reader_needs_is_pinned_and_has_a_wheel_on_every_system(system, python):
    needed = pins.wanted(requirements("lab"), system, python)
    found = {name: pins.pin_there(name, system, python) for name in needed}
    assert {name for name, pin in found.items() if pin is None} == set(), "not in constraints.txt"
    assert {str(p) for p in found.values() if p and not has_wheel(p, system, python)} == set()
    outside = {n for n, p in found.items() if p and not fits(p, needed[n])}
    assert outside == set()
    assert len(needed) > 80


def fits(pin: Requirement, ranges: list[str]) -> bool:
    """Say whether a pin lies in all ranges asked for."""
    return all(pins.admits(one, pins.version(pin)) for one in ranges)


def test_the_systems_need_what_is_theirs_alone():
    def names(system):
        return set(pins.wanted(requirements("lab"), system, (3, 12)))

    linux, windows = names("manylinux_2_28_x86_64"), names("win_amd64")
    intel, apple = names("macosx_12_0_x86_64"), names("macosx_12_0_arm64")
    assert windows - linux == {"colorama", "pywinpty"}
    assert {"appnope"} == apple - linux == intel - linux
    assert linux - intel == {"numba", "llvmlite"} and linux <= apple
    assert "cvxopt" not in pins.wanted(requirements("lab"), "macosx_12_0_arm64", (3, 13))


def test_a_pin_that_a_claimed_python_cannot_install_is_seen():
    # the pin of which `make lab` once died on Debian 12's own Python
    said = pins.answer(
        Requirement("soupsieve==4.1"), [("soupsieve-4.1-py3-none-any.whl", ">=3.11.5")]
    )
    assert said == {"python": ">=3.11.5", "wheels": "everywhere"}
    assert not pins.admits(said["python"], "3.11.2")
    only = pins.answer(Requirement("a==1"), [("a-1-cp312-cp312-macosx_15_0_arm64.whl", "")])
    assert not any(only["wheels"].values())
    some = pins.answer(Requirement("a==1"), [("a-1-cp311-abi3-macosx_11_0_arm64.whl", "")])
    assert some["wheels"]["macosx_12_0_arm64"] == pins.ALL and not some["wheels"]["win_amd64"]
    assert pins.answer(Requirement("a==1"), [("a-2-py3-none-any.whl", "")]) is None


def test_the_index_still_says_so():
    patience = {"PIP_DEFAULT_TIMEOUT": "10", "PIP_RETRIES": "0"}
    command = [sys.executable, "-m", "tools.pins", *SAMPLE]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **patience}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    if not any(found.values()):
        pytest.skip("no network: the index does not answer")
    assert len(found) > len(SAMPLE)
    assert found == {pin: SAID[pin] for pin in found}
