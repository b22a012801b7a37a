"""Read an answer: as a number, a vector, its parts; or say what is wrong with its form.

Lists, tuples and arrays are read alike, and so are rows and columns.
"""

from typing import Any

import numpy as np

from .checks import numbers
from .failures import Malformed


def number(got: Any, what: str) -> float:
    """Return the answer as one number."""
    value = _floats(got, what)
    _form(value.size == 1, f"{what} is one number, not shape {value.shape}")
    return float(value.ravel()[0])


def truth(got: Any, what: str) -> bool:
    """Return the answer as True or False; 1 and 0 will do."""
    value = np.asarray(got)
    good = value.size == 1 and value.dtype.kind in "biu"
    _form(good, f"{what} is True or False")
    return bool(value.ravel()[0])


def vector(got: Any, n: int, what: str) -> np.ndarray:
    """Return the answer as n finite numbers."""
    value = _floats(got, what)
    _form(value.shape in ((n,), (n, 1), (1, n)), f"{what}: {n} numbers, not shape {value.shape}")
    _form(bool(np.isfinite(value).all()), f"{what}: every number is finite")
    return value.ravel()


def array(got: Any, shape: tuple[int, ...], what: str) -> np.ndarray:
    """Return the answer as an array of that shape."""
    value = _floats(got, what)
    _form(value.shape == shape, f"{what}: shape {shape}, not {value.shape}")
    return value


def parts(got: Any, *names: str) -> list:
    """Return the parts of an answer, one for each name."""
    told = f"the answer has {len(names)} parts: ({', '.join(names)})"
    many = isinstance(got, list | tuple) or (isinstance(got, np.ndarray) and got.ndim > 0)
    _form(many and len(got) == len(names), told)
    return list(got)


def _floats(got: Any, what: str) -> np.ndarray:
    try:
        return numbers(got)
    except ValueError:
        raise Malformed(f"{what} is made of numbers, in rows of one length") from None


def _form(holds: bool, claim: str) -> None:
    if not holds:
        raise Malformed(claim)
