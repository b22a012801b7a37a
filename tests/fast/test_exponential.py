"""The exponentials of a Gaussian's tile are near to the truth, compiled or not."""

import mpmath
import numpy as np
import pytest

from lectures_lib import _jit, kernels
from lectures_lib.fast import tiles
from lectures_lib.fast.exponentials import (
    double_loop,
    gaussians,
    single_gaussians,
    single_loop,
)
from lectures_lib.proof.rounding import UNIT


def written_out(loop):
    """Return what calls a loop, for the text of it that is not compiled."""

    def call(products, *given):
        powers, whole = np.empty(products.shape[1], products.dtype), f"i{products.itemsize}"
        _jit.plain(loop)(products, *given, powers, products.view(whole), powers.view(whole))

    return call


FORMS = {
    "as it runs": (gaussians, single_gaussians),
    "the text": (written_out(double_loop), written_out(single_loop)),
}
needs_numba = pytest.mark.skipif(not _jit.COMPILED, reason="without numba there are no tiles")
forms = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


def exponents(seed, least):
    """Return numbers between `least` and 0 of all sizes, the ends and halves of ln 2 among them."""
    rng = np.random.default_rng(seed)
    near = -np.arange(1, 40) * np.log(2) / 2
    drawn = -(10.0 ** rng.uniform(-18, np.log10(-least), size=400))
    return np.concatenate([[0.0, least], near[near > least], drawn])


@forms
def test_exponentials_in_double_precision_err_by_less_than_four_units(form):
    v = exponents(0, -708.0)
    found = np.zeros((1, v.size))
    form[0](found, np.zeros(1), -v, -1.0)
    with mpmath.workprec(200):
        errors = [abs(mpmath.mpf(f) / mpmath.exp(mpmath.mpf(e)) - 1) for f, e in zip(found[0], v)]
    assert max(errors) <= 4 * UNIT
    assert found[0, 0] == 1.0 and (found <= 1.0).all()


@forms
def test_exponentials_in_single_precision_err_by_less_than_four_units(form):
    v = exponents(1, -86.0).astype(np.float32)
    found = np.zeros((1, v.size), np.float32)
    form[1](found, np.zeros(1, np.float32), -v)
    truth = np.exp(v.astype(float))
    assert np.abs(found[0] / truth - 1.0).max() <= 4 * 2.0**-24
    assert found.dtype == np.float32 and found[0, 0] == 1.0


@forms
def test_what_would_underflow_is_nearly_0_and_no_power_goes_astray(form):
    far = np.array([700.0, 709.0, 1e4, 1e300])
    found = np.zeros((1, 4))
    form[0](found, np.zeros(1), far, -1.0)
    assert (found[0, 1:] <= 1e-307).all() and (np.diff(found[0]) <= 0).all()
    single = np.zeros((1, 2), np.float32)
    form[1](single, np.zeros(1, np.float32), np.array([100.0, 1e30], np.float32))
    assert (single >= 0).all() and (single < 1e-37).all()


@needs_numba
@pytest.mark.parametrize("d", [1, 5, 40])
@pytest.mark.parametrize("sigma", [0.05, 0.5, 5.0])
def test_single_precision_is_as_near_as_its_digits_allow_or_is_not_granted(d, sigma):
    X = np.random.default_rng(d).normal(size=(600, d)) + 1e3  # it is seen from its centre
    kernel = kernels.Gaussian(sigma)
    block, spread = tiles.against(kernel, X, single=True), np.var(X, axis=0).sum() / sigma**2
    K, largest = block(X), ((X - X.mean(axis=0)) ** 2).sum(axis=1).max() / (2 * sigma**2)
    granted = K.dtype == np.float32
    assert K.dtype == block.dtype and granted == (largest <= tiles.SPREAD)
    error = (d + 9) * 2.0**-23 * (1 + largest) if granted else 1e-12 * (1 + spread)
    assert np.abs(K - kernel(X)).max() <= error
    assert (K == K.T).all() and (K.diagonal() == 1).all()


def test_tiles_points_and_squares_are_parts_of_the_whole():
    X = np.random.default_rng(0).normal(size=(700, 3))
    for single in (False, True):
        block = tiles.against(kernels.Gaussian(1.0), X, single=single)
        K, I = block(X), np.arange(0, 700, 3)
        limit = 1e-6 if single else 1e-14
        for rows in (slice(0, 9), slice(650, 700)):
            for columns in block.strips(9):
                tile = block.tile(block.points(X), rows, columns)
                assert np.abs(tile - K[rows, columns]).max() <= limit
        assert np.abs(block.among(I) - K[np.ix_(I, I)]).max() <= limit
