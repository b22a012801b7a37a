"""What numpy does otherwise in the browser: where numpy.linalg fails there is nan, not an error."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import numpy as np

#: The functions that raise LinAlgError where the homework is graded, and what they say.
TOLD = {
    "cholesky": "Matrix is not positive definite",
    "inv": "Singular matrix",
    "solve": "Singular matrix",
}


def inside() -> bool:
    """True in the browser, where Python is slower and has no threads."""
    return sys.platform == "emscripten"


@contextmanager
def errors_of_the_grader() -> Iterator[None]:
    """Let numpy.linalg raise LinAlgError in the block, in the browser too."""
    before = {name: getattr(np.linalg, name) for name in (TOLD if inside() else ())}
    try:
        for name, function in before.items():
            setattr(np.linalg, name, _raising(function, TOLD[name]))
        yield
    finally:
        for name, function in before.items():
            setattr(np.linalg, name, function)


def _raising(function: Callable, message: str) -> Callable:
    @wraps(function)
    def raising(*arguments: Any, **options: Any) -> Any:
        found = function(*arguments, **options)
        if np.isnan(found).any() and all(np.isfinite(a).all() for a in arguments):
            raise np.linalg.LinAlgError(message)
        return found

    return raising
