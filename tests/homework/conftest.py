"""A small homework for the tests of the grader: two functions, a quiz, a question in words."""

import json
import math
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

from lectures_homework.language.answers import Answers
from lectures_homework.language.checks import Assignment, close, expect
from lectures_homework.sandbox import bubblewrap
from lectures_homework.sandbox.bubblewrap import Limits, Sandbox, SandboxError

#: All automatic points of the homework.
FULL = 7
#: Without the three points of q1.
REST = 4
SECRET = "instructor"
#: The variable that says that this host allows no sandbox.
NO_SANDBOX = "LECTURES_LIB_NO_SANDBOX"
QUICK = Limits(check=0.3, wall=2, statement=1, load=5, total=60, memory=600 << 20)

IMPORTS = """\
import numpy as np
from lectures_homework.hw9 import check, data, finish, quiz"""
DOUBLE = """\
def double(x):
    \"\"\"Return 2 x.\"\"\"
    return 2 * np.asarray(x)"""
TOTAL = """\
def total(values):
    result = 0.0
    for value in values:
        result += value
    return result"""
QUIZ = 'q3 = "B"\nquiz("q3")'
LAST = 'check("q1")\ncheck("q2")\nfinish()'
HONEST = (IMPORTS, "X = data(0)['X']", DOUBLE, TOTAL, QUIZ, LAST)
WORDS = "**Answer q4.** Because 2 x = x + x."


@dataclass(frozen=True)
class Toy:
    """The homework, its planted answers, and every number that a hidden check has used."""

    homework: Assignment
    answers: Answers
    secrets: set[int]

    def leaks(self, text: str) -> list[int]:
        """Return the hidden inputs and expected values that occur in a text."""
        assert self.secrets, "no hidden check has run"
        return [number for number in self.secrets if str(number) in text]


def toy() -> Toy:
    """Return a fresh homework."""
    made = Assignment("hw9", "Twice", minutes=1, data=lambda seed: {"X": np.full(3, 1.5 + seed)})
    made.question("q1", "double", hidden=(1, 2))
    made.question("q2", "total", hidden=(1, 2))
    made.quiz(
        "q3", "2 x is", {"A": "x", "B": "x + x"}, "B", {"A": "that is one", "B": "yes"}, points=1
    )
    made.by_hand["q4"] = 10
    secrets: set[int] = set()
    _visible(made)
    _hidden(made, secrets)
    return Toy(made, _planted(), secrets)


def _visible(made: Assignment) -> None:
    @made.check("q1", "every entry is doubled", points=1, hint="all entries, not the first")
    def _(call, rng):
        x = np.array([1.5, -2.25, 0.75])
        expect(close(call("double", x), [3.0, -4.5, 1.5]), "2 x is (3, -4.5, 1.5)")

    @made.check("q2", "the sum is exact", points=1, hint="start from 0")
    def _(call, rng):
        expect(close(call("total", [1.5, 2.75, 3.5]), 7.75), "the sum is 7.75")


def _hidden(made: Assignment, secrets: set[int]) -> None:
    def numbers(rng: np.random.Generator) -> list[float]:
        drawn = [int(n) for n in rng.integers(10**11, 10**12, size=4)]
        secrets.update([*drawn, *(2 * n for n in drawn), sum(drawn)])
        return [float(n) for n in drawn]

    @made.check("q1", "long vectors too", points=2, hint="any length", hidden=True)
    def _(call, rng):
        x = np.array(numbers(rng))
        expect(close(call("double", x), 2 * x), f"2 x is {2 * x}")

    @made.check("q2", "large numbers too", points=2, hint="any size", hidden=True)
    def _(call, rng):
        x = numbers(rng)
        expect(close(call("total", x), math.fsum(x)), f"the sum is {math.fsum(x)}")


def _planted() -> Answers:
    planted = Answers("hw9")

    @planted.wrong("q1", "doubles the first entry only", caught_by="every entry is doubled")
    def double(x):
        x[0] *= 2
        return x

    @planted.wrong("q1", "squares", caught_by="every entry is doubled")
    def double(x):  # noqa: F811
        return x**2

    @planted.wrong("q2", "never stops adding", caught_by="the sum is exact", endless=True)
    def total(values):
        while True:
            pass

    @planted.wrong("q2", "divides by nothing", caught_by="the sum is exact")
    def total(values):  # noqa: F811
        return sum(values) / 0

    return planted


def book(*cells: str, words: str | None = WORDS, **about: object) -> str:
    """Return the text of a notebook with these code cells."""
    made = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": c} for c in cells]
    if words is not None:
        made.append({"cell_type": "markdown", "metadata": {}, "source": words.splitlines(True)})
    about = {"lectures_lib": {"homework": "hw9", "seed": 0} | about}
    return json.dumps({"cells": made, "metadata": about, "nbformat": 4, "nbformat_minor": 5})


def instead(cell: str, by: str) -> tuple[str, ...]:
    """Return the honest cells with one of them replaced."""
    assert cell in HONEST
    return tuple(by if one == cell else one for one in HONEST)


#: What takes longest: begun first, so that two workers end together.
SLOW = ("test_nbgrader", "test_selftest", "test_batch", "test_hostile", "test_mutants")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what takes longest first; the order is that of the files otherwise."""
    items.sort(key=lambda item: item.path.stem not in SLOW)


@pytest.fixture(scope="session")
def box() -> Sandbox:
    """The sandbox that works here; on Linux there must be one, unless the host says it has none.

    A broken sandbox must not pass for a missing one.
    """
    try:
        return bubblewrap.require()
    except SandboxError as reason:
        if sys.platform == "linux" and not os.environ.get(NO_SANDBOX):
            pytest.fail(f"{reason}\nOn a host that allows none, set {NO_SANDBOX}=1.")
        pytest.skip(str(reason).splitlines()[0])


@pytest.fixture
def twice() -> Toy:
    """The homework of these tests."""
    return toy()


@pytest.fixture
def make() -> Callable[[], Toy]:
    """What makes one more homework."""
    return toy
