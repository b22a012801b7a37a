"""The exponentials of a tile, from its products x.z, in one walk: compiled, many at a time.

exp(v) = 2^k exp(r) with k the whole number nearest to v / ln 2 and r = v - k ln 2, where abs(r) is
at most ln 2 / 2. There exp(r) = 1 + r + r^2 q(r), q a polynomial through (exp(r) - 1 - r) / r^2 at
the nodes of Chebyshev: off by less than 0.15 units (of 2^-53; in single precision 0.18 of 2^-24).
To v / ln 2 a number is added that leaves no place for digits behind the point: the sum is k, its
last bits are those of k, and moved to where a float keeps its exponent they multiply by 2^k. ln 2
is given in two parts, the first so short that k times it is exact. So r is off by u abs(r), q by
less than 2 u, and the two sums round by u (1 + abs(r)) at most: of exp(r) >= 0.7 all that is less
than 3 units, where `rounding.FUNCTION` allows 8.
"""

import numpy as np

from .._jit import fused

#: 1 / ln 2; a number above which floats have no digits behind the point; ln 2 in two parts.
TO_TWO, ROUNDS_TO_WHOLE = 1.4426950408889634, 1.5 * 2.0**52
LN2, LN2_REST = 0.6931471803691238, 1.9082149292705877e-10
#: The last exponent whose power is a full float: what is beyond, 3e-308, is taken for it.
LAST_EXPONENT = -708.0

_single = np.float32
_TO_TWO, _WHOLE, _LEAST = _single(1.4426950408889634), _single(1.5 * 2.0**23), _single(-87.0)
_LN2, _LN2_REST = _single(0.693359375), _single(-2.12194440e-4)
_ONE, _HALF, _NONE = _single(1.0), _single(0.5), _single(0.0)
_Q1, _Q2 = _single(0.16666576266288757), _single(0.041666556149721146)
_Q3, _Q4 = _single(0.008363178931176662), _single(0.0013926184037700295)


def gaussians(products: np.ndarray, x2: np.ndarray, z2: np.ndarray, factor: float) -> None:
    """Turn x.z into exp(factor (x.x - 2 x.z + z.z)), never above 1."""
    powers = np.empty(z2.size)  # numba compiles `view` for half a second
    whole = products.view(np.int64), powers.view(np.int64)
    double_loop(products, x2, z2, factor, powers, *whole)


def single_gaussians(products: np.ndarray, x2: np.ndarray, z2: np.ndarray) -> None:
    """Turn x.z into exp(x.z - x2 - z2), never above 1, in single precision; x2 is x.x / 2."""
    powers = np.empty(z2.size, np.float32)
    whole = products.view(np.int32), powers.view(np.int32)
    single_loop(products, x2, z2, powers, *whole)


@fused
def double_loop(products, x2, z2, factor, powers, numbers, exponents):
    """Do what `gaussians` says; `numbers` and `exponents` are products and powers, bit by bit."""
    for i in range(x2.size):
        row, bits, a = products[i], numbers[i], x2[i]
        for j in range(z2.size):
            distance = (a + z2[j]) - 2.0 * row[j]
            v = factor * (distance if distance > 0.0 else 0.0)
            v = v if v > LAST_EXPONENT else LAST_EXPONENT
            k = v * TO_TWO + ROUNDS_TO_WHOLE
            powers[j] = k
            k -= ROUNDS_TO_WHOLE
            r = (v - k * LN2) - k * LN2_REST
            q = 2.510038549551032e-08 * r + 2.7620088445409746e-07
            q = q * r + 2.7557268459997064e-06
            q = q * r + 2.4801521295954376e-05
            q = q * r + 0.00019841269863053618
            q = q * r + 0.0013888888917213717
            q = q * r + 0.008333333333330062
            q = q * r + 0.04166666666662413
            q = q * r + 0.16666666666666669
            q = q * r + 0.5
            row[j] = (q * r * r + r) + 1.0
        for j in range(z2.size):
            bits[j] += exponents[j] << 52


@fused
def single_loop(products, x2, z2, powers, numbers, exponents):
    """Do what `single_gaussians` says."""
    for i in range(x2.size):
        row, bits, a = products[i], numbers[i], x2[i]
        for j in range(z2.size):
            v = row[j] - (a + z2[j])
            v = v if v < _NONE else _NONE
            v = v if v > _LEAST else _LEAST
            k = v * _TO_TWO + _WHOLE
            powers[j] = k
            k -= _WHOLE
            r = (v - k * _LN2) - k * _LN2_REST
            q = _Q4 * r + _Q3
            q = q * r + _Q2
            q = q * r + _Q1
            q = q * r + _HALF
            row[j] = (q * r * r + r) + _ONE
        for j in range(z2.size):
            bits[j] += exponents[j] << np.int32(23)
