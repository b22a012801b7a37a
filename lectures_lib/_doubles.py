"""Numbers that double precision rounds: they are refused, never silently changed."""

from numbers import Number
from typing import Any

import numpy as np

from ._result import BadArgument


def rounded_away(name: str) -> BadArgument:
    """Return the refusal of numbers that double precision rounds."""
    return BadArgument(
        f"{name} has numbers that double precision rounds (whole ones above 2^53, or long "
        "doubles): subtract what they have in common, or round them yourself by "
        f"{name}.astype(float)."
    )


def refuse_rounded(**named: Any) -> None:
    """Refuse numbers that double precision rounds, before somebody else makes doubles of them.

    Of all that is wrong with them otherwise, it says nothing.
    """
    for name, values in named.items():
        given = values.tocoo().data if hasattr(values, "tocoo") else values
        if type(given) is np.ndarray and given.dtype == float:
            continue
        try:
            raw = np.asarray(given)
        except (TypeError, ValueError):
            continue
        lost = raw.dtype == object and any(map(_is_no_float, raw.ravel().tolist()))
        beside = raw.dtype.kind == "f" and raw is not given and was_rounded(given, raw)
        if lost or beside or would_round(raw):
            raise rounded_away(name)


def was_rounded(values: Any, raw: np.ndarray) -> bool:
    """Return whether numpy made other numbers of whole ones, as it does where floats stand by."""
    large = np.abs(raw) >= 2**53
    if not large.any():
        return False
    return any(map(_is_no_float, np.asarray(values, dtype=object)[large].tolist()))


def _is_no_float(value: Any) -> bool:
    """Return whether a number is none of the floats; what is no number is not."""
    if not isinstance(value, Number) or isinstance(value, complex):
        return False
    try:
        near = float(value)  # type: ignore[arg-type]
    except OverflowError:
        return True
    exact = int(value) if isinstance(value, np.integer) else value
    return near == near and bool(near != exact)


def would_round(raw: np.ndarray) -> bool:
    """Return whether a number of `raw` is none of the floats."""
    if raw.dtype.kind == "f" and raw.dtype.itemsize > 8:
        with np.errstate(over="ignore"):
            return bool(((raw.astype(float) != raw) & (raw == raw)).any())
    if raw.dtype.kind not in "iu" or raw.dtype.itemsize < 8:
        return False
    large = raw[(raw > 2**53) | (raw < -(2**53))]
    return any(int(float(v)) != v for v in large.tolist())
