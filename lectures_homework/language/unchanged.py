"""What a function does to its arguments: nothing, because whoever calls it needs them yet."""

from typing import Any

import numpy as np

from .checks import Call, expect


def expect_unchanged(call: Call, function: str, *arguments: Any) -> None:
    """State that a function leaves its arguments as they are."""
    after = call.leaves(function, *arguments)
    same = len(after) == len(arguments) and all(map(_equal, after, arguments))
    expect(same, f"{function} changes what it is given: work on a copy, and return that")


def _equal(one: Any, other: Any) -> bool:
    if isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_equal, one, other))
    return np.array_equal(one, other)
