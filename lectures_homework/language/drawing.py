"""What is worked out once: hidden inputs, and what is true of them, are the same for a class."""

import copy
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np


def drawn(draw: Callable) -> Callable:
    """Return `draw(rng, ...)` with a memory; its other arguments must be hashable.

    The same state of rng and the same arguments give a copy of the same data, and leave rng in
    the same state, as if they had been drawn again.
    """
    memory: dict[tuple, tuple[Any, Any]] = {}

    @wraps(draw)
    def remembered(rng: np.random.Generator, *arguments: Any, **options: Any) -> Any:
        bits = rng.bit_generator
        key = (repr(bits.state), arguments, *sorted(options.items()))
        if key not in memory:
            memory[key] = draw(rng, *arguments, **options), bits.state
        made, bits.state = memory[key]
        return copy.deepcopy(made)

    return remembered


def kept(truth: Callable) -> Callable:
    """Return a function of arrays with a memory: the same arguments give a copy of the same answer.

    What is not an array, or a list of arrays, is known by its repr.
    """
    memory: dict[tuple, Any] = {}

    @wraps(truth)
    def remembered(*arguments: Any, **options: Any) -> Any:
        key = tuple(_key(one) for one in (*arguments, *sorted(options.items())))
        if key not in memory:
            memory[key] = truth(*arguments, **options)
        return copy.deepcopy(memory[key])

    return remembered


def _key(thing: Any) -> Any:
    if isinstance(thing, np.ndarray):
        return thing.shape, thing.dtype.str, thing.tobytes()
    if isinstance(thing, list | tuple):
        return tuple(map(_key, thing))
    return repr(thing)
