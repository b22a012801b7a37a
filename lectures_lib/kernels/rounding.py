"""Relative rounding errors of kernels, one after the other; `algebra` derives the rules."""

import math

import numpy as np

from ..proof.rounding import SAFE, UNIT

#: exp, exp2 and powers err by at most this, relative to their value: 4 units in the last place, the
#: most that the vectorised functions of numpy allow themselves.
FUNCTION = 8 * UNIT
#: A bound above this is none: the digits that it leaves are not worth a verdict.
LARGEST_ROUNDING = 0.01
#: Norms^2 outside of these have products that underflow or overflow: no bound is known there.
SMALLEST_NORM2, LARGEST_NORM2 = 1e-200, 1e300


def compound(*errors: float) -> float:
    """Return (1 + e1) (1 + e2) ... - 1: relative errors one after the other."""
    return SAFE * math.expm1(math.fsum(map(math.log1p, errors)))


def repeated(error: float, times: int) -> float:
    """Return (1 + e)^times - 1, at most 1: beyond that it is no bound anyway."""
    return math.expm1(min(times * math.log1p(error), math.log(2)))


def power(K: np.ndarray, p: int) -> np.ndarray:
    """Return K^p entry by entry, by squares and products; `np.power` takes 25 times as long.

    Whatever the order, p - 1 products round it, by `repeated(UNIT, p - 1)`; 1 times K is exact.
    """
    found = K.copy() if p % 2 else np.ones_like(K)
    while (p := p // 2) > 0:
        K = K * K
        if p % 2:
            found *= K
    return found


def in_range(diagonal: np.ndarray, zero: np.ndarray | None = None) -> bool:
    """Return whether no entry of the matrix can overflow, nor underflow to any effect.

    Norms^2 of exactly 0 do no harm where phi is 0 (`zero`): all their products are 0.
    """
    inside = (diagonal >= SMALLEST_NORM2) & (diagonal <= LARGEST_NORM2)
    return bool(np.all(inside | (diagonal == 0 if zero is None else zero)))
