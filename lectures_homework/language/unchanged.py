"""What a function does to its arguments: nothing, because whoever calls it needs them yet."""

from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any

import numpy as np

from .checks import Call, Check, Exchange, expect


def expect_unchanged(call: Call, function: str, *arguments: Any) -> None:
    """State that a function leaves its arguments as they are."""
    after = call.leaves(function, *arguments)
    same = len(after) == len(arguments) and all(map(_equal, after, arguments))
    expect(same, f"{function} changes what it is given: work on a copy, and return that")


def and_unchanged(check: Check) -> Check:
    """Return a check that also states that no function it asked changes what it is given.

    Each is asked once more, with the smallest arguments that it had, where homework is graded.
    """
    if check.hidden:
        return replace(check, run=_then_unchanged(check.run))
    return replace(check, again=_then_unchanged(check.again)) if check.again else check


def _then_unchanged(run: Callable) -> Callable:
    @wraps(run)
    def runs(call: Call, rng: np.random.Generator) -> None:
        run(call, rng)
        least: dict[str, Exchange] = {}
        for one in call.log:
            least[one.function] = min(least.get(one.function, one), one, key=_size)
        for one in least.values():
            expect_unchanged(call, one.function, *one.arguments)

    return runs


def _size(one: Exchange) -> int:
    return sum(_entries(value) for value in one.arguments)


def _entries(value: Any) -> int:
    return sum(map(_entries, value)) if isinstance(value, list | tuple) else int(np.size(value))


def _equal(one: Any, other: Any) -> bool:
    if isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_equal, one, other))
    return np.array_equal(one, other)
