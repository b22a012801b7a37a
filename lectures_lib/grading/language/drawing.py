"""Data that are searched for once: hidden inputs are the same for all submissions of a class."""

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
    memory: dict[tuple, tuple[Any, dict]] = {}

    @wraps(draw)
    def remembered(rng: np.random.Generator, *arguments: Any, **options: Any) -> Any:
        bits = rng.bit_generator
        key = (repr(bits.state), arguments, *sorted(options.items()))
        if key not in memory:
            memory[key] = draw(rng, *arguments, **options), bits.state
        made, bits.state = memory[key]
        return copy.deepcopy(made)

    return remembered
