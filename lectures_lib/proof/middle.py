"""Targets of a regression that lie far from 0, such as dates in seconds: seen from their median."""

import numpy as np

from .._arguments import BadArgument
from ..conventions import check_number

#: Targets that lie this many times as far from 0 as from each other are counted from their median.
FAR = 2.0**20


def middle_of(y: np.ndarray) -> float:
    """Return the (lower) median of targets that lie far from 0; 0 for all others, and equal ones.

    An offset is a float: beside targets of size 1e15 it has steps of 0.1. Counted from the median
    it has none that matter.
    """
    median = float(np.sort(y)[(len(y) - 1) // 2])
    spread = float(np.abs(y - median).max())
    return median if 0 < FAR * spread < abs(median) else 0.0


def from_middle(y: np.ndarray, middle: float, *, offset: bool = True) -> np.ndarray:
    """Return y - middle, which is exact: floats within a factor of 2 have a difference that is one.

    A middle that lies farther away, or belongs to no offset, is refused.
    """
    middle = check_number(middle, "middle")
    if not middle:
        return y
    if not offset:
        raise BadArgument("middle belongs to an offset: without one it is 0.")
    share = y / middle
    if not ((share >= 0.5) & (share <= 2.0)).all():
        raise BadArgument(f"middle = {middle:g} is not near the targets: leave it out.")
    return y - middle
