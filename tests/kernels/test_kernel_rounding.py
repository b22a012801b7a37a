"""Rounding of Gram matrices: the bound that a kernel states, held against 60 digits."""

import pickle
from math import sqrt

import mpmath
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lectures_lib import fast, kernels
from lectures_lib.discrete import (
    CommonSubsets,
    GapWeighted,
    Graph,
    Intersection,
    RandomWalk,
    Spectrum,
    WeisfeilerLehman,
)
from lectures_lib.fast import threads, tiles
from lectures_lib.fast.tiles import TiledGaussian
from lectures_lib.kernels import Function, Gaussian, Laplace, Linear, Polynomial
from lectures_lib.kernels.rounding import power, repeated
from lectures_lib.proof.rounding import UNIT
from tests.strategies import seeds

mpmath.mp.dps = 60


def exact(kernel, x, z):
    """Return K(x, z) of mathematics to 60 digits, for the floats x and z."""
    match kernel:
        case Linear():
            return mpmath.fdot(x, z)
        case Polynomial(degree, one):
            return (int(one) + mpmath.fdot(x, z)) ** degree
        case Gaussian(sigma):
            return mpmath.exp(-_squared(x, z) / (2 * mpmath.mpf(sigma) ** 2))
        case Laplace(sigma):
            return mpmath.exp(-mpmath.sqrt(_squared(x, z)) / (2 * mpmath.mpf(sigma) ** 2))
        case kernels.Sum(left, right):
            return exact(left, x, z) + exact(right, x, z)
        case kernels.Product(left, right):
            return exact(left, x, z) * exact(right, x, z)
        case kernels.Multiple(c, inner):
            return mpmath.mpf(c) * exact(inner, x, z)
        case kernels.Power(inner, p):
            return exact(inner, x, z) ** p
        case kernels.Normalised(inner):
            norms2 = exact(inner, x, x) * exact(inner, z, z)
            return exact(inner, x, z) / mpmath.sqrt(norms2) if norms2 else mpmath.mpf(0)
    raise TypeError(kernel)


def _squared(x, z):
    return mpmath.fsum((mpmath.mpf(a) - mpmath.mpf(b)) ** 2 for a, b in zip(x, z))


def worst_error(kernel, X, K, rows, columns):
    """Return the largest abs(K(x, z) - computed) / sqrt(K(x, x) K(z, z)), both norms true."""
    norms = [mpmath.sqrt(exact(kernel, x, x)) for x in X.tolist()]
    worst = mpmath.mpf(0)
    for a, i in enumerate(rows):
        for b, j in enumerate(columns):
            error = abs(exact(kernel, X[i].tolist(), X[j].tolist()) - mpmath.mpf(K[a, b]))
            assert error == 0 or norms[i] * norms[j] > 0
            worst = max(worst, error / (norms[i] * norms[j]) if error else 0)
    return worst


widths = st.sampled_from([1e-8, 1e-3, 0.3, 1.0, 7.0, 1e4, 1e8])
leaves = st.one_of(
    st.just(Linear()),
    st.builds(Polynomial, st.sampled_from([1, 2, 3, 4, 5, 6, 7, 13, 40]), st.booleans()),
    st.builds(Gaussian, widths),
    st.builds(Laplace, widths),
)
composed = st.recursive(
    leaves,
    lambda part: st.one_of(
        st.builds(lambda a, b: a + b, part, part),
        st.builds(lambda a, b: a * b, part, part),
        st.builds(lambda c, a: c * a, st.sampled_from([0, 0.1, 3, 1e-30, 1e30]), part),
        st.builds(lambda a, p: a**p, part, st.integers(1, 4)),
        st.builds(lambda a: a.normalised(), part),
    ),
    max_leaves=3,
)


@st.composite
def hostile(draw):
    """Draw points of odd scales and places, with duplicates, zeros and near-duplicates."""
    rng = np.random.default_rng(draw(seeds))
    n, d = draw(st.integers(1, 5)), draw(st.integers(1, 6))
    X = rng.normal(size=(n, d)) * 10.0 ** draw(st.integers(-9, 9))
    X *= 10.0 ** rng.integers(-6, 7, size=d) if draw(st.booleans()) else 1.0
    X += draw(st.sampled_from([0.0, 1.0, -1e4, 1e7, 1e12]))
    near = X[:1] * (1 + 2.0**-50) if draw(st.booleans()) else X[:1]
    return np.vstack([X, near, np.zeros((1, d))])


@settings(max_examples=300)
@given(composed, hostile(), seeds)
def test_no_entry_is_farther_from_the_true_kernel_than_the_bound(kernel, X, seed):
    bound = kernel.rounding(X)
    if bound is None:
        return
    rng = np.random.default_rng(seed)
    rows, columns = (rng.choice(len(X), size=m, replace=False) for m in (len(X), 2))
    assert worst_error(kernel, X, kernel(X), range(len(X)), range(len(X))) <= bound
    block = kernel(X[rows], X[columns])  # another centre, another order
    assert worst_error(kernel, X, block, rows, columns) <= bound
    diagonal = np.diag(kernel.diagonal(X))
    for i in range(len(X)):
        assert worst_error(kernel, X, diagonal[i : i + 1, i : i + 1], [i], [i]) <= bound


@pytest.fixture
def small_tiles(monkeypatch):
    """Make tiles of 2 x 3 entries, on several cores, of what would be one tile."""
    for name, value in {"ROWS": 2, "COLUMNS": 3, "LARGE": 1, "LARGER": 20}.items():
        monkeypatch.setattr(tiles, name, value)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.builds(TiledGaussian, widths), hostile(), seeds)
def test_tiles_keep_the_bound_and_the_symmetry(small_tiles, kernel, X, seed):
    bound = kernel.rounding(X)
    rng = np.random.default_rng(seed)
    rows, columns = (rng.choice(len(X), size=m, replace=False) for m in (len(X), 2))
    K, block = kernel(X), kernel(X[rows], X[columns])
    assert (K == K.T).all() and (K.diagonal() == 1).all()
    if bound is not None:
        assert worst_error(kernel, X, K, range(len(X)), range(len(X))) <= bound
        assert worst_error(kernel, X, block, rows, columns) <= bound


def test_the_quick_twin_of_a_kernel_equals_it_and_gives_the_same_blocks():
    X = np.random.default_rng(0).normal(size=(400, 3))
    for own in (Gaussian(1.0), 2 * Gaussian(0.5) + Linear() ** 2, Gaussian(1.0).normalised()):
        twin = fast.kernel(own)
        assert twin == own and own == twin and hash(twin) == hash(own)
        assert repr(twin) == repr(own) and twin.valid == own.valid
        np.testing.assert_allclose(twin(X), own(X), rtol=1e-12, atol=1e-12)
    plain = Polynomial(2)
    assert fast.kernel(plain) is plain


def test_a_large_matrix_in_tiles_is_the_plain_one_up_to_its_bound():
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(700, 5)), rng.normal(size=(900, 5))
    kernel, both = TiledGaussian(1.5), np.vstack([X, Z])
    for A, B in ((X, X), (X, Z), (Z, Z)):
        K = kernel.gram(A, B)
        assert K.size > tiles.LARGE
        plain = np.exp(-kernels.squared_distances(A, B) / (2 * kernel.sigma**2))
        assert np.abs(K - plain).max() <= 2 * kernel.rounding(both)  # each is that near the truth
        assert (tiles.against(kernel, B)(A) == K).all()


def test_the_number_of_cores_does_not_change_a_bit(monkeypatch):
    monkeypatch.setattr(tiles, "LARGER", 1)
    X, kernel, found = np.random.default_rng(0).normal(size=(800, 4)), TiledGaussian(1.0), []
    for number in ("1", "2", "5"):
        monkeypatch.setenv("LECTURES_LIB_CORES", number)
        found.append(kernel(X).tobytes() + kernel(X[:300], X).tobytes())
    assert found[0] == found[1] == found[2]


def test_a_browser_is_not_asked_for_the_threads_of_its_libraries(monkeypatch):
    X, kernel = np.random.default_rng(0).normal(size=(800, 4)), TiledGaussian(1.0)
    monkeypatch.setattr(tiles, "LARGER", 1)
    here = kernel(X)
    monkeypatch.setattr("sys.platform", "emscripten")
    monkeypatch.setattr(threads, "_libraries", lambda: pytest.fail("asked, and warns there"))
    assert np.array_equal(kernel(X), here)


@settings(max_examples=200)
@given(st.one_of(st.builds(Gaussian, widths), st.builds(Laplace, widths)), hostile())
def test_entries_of_the_exponential_kernels_know_their_error_relative_to_themselves(kernel, X):
    bound = kernel.entry_rounding(X)
    if bound is None:
        return
    K = kernel(X)
    for i, x in enumerate(X.tolist()):
        for j, z in enumerate(X.tolist()):
            if K[i, j] > 1e-300:
                true = exact(kernel, x, z)
                assert abs(true - mpmath.mpf(K[i, j])) <= bound * mpmath.mpf(K[i, j])


@given(leaves, seeds)
def test_at_unit_scale_there_is_a_bound_and_it_is_small(kernel, seed):
    X = np.random.default_rng(seed).normal(size=(20, 4))
    sigma = getattr(kernel, "sigma", 1.0)
    assert kernel.rounding(X) <= 1e-12 * max(1.0, min(sigma**-2, 1e4))


def test_a_centre_far_away_does_not_blur_the_gaussian():
    X = 1e6 + np.random.default_rng(0).normal(size=(30, 3))
    assert Gaussian(1.0).rounding(X) <= 1e-12


@pytest.mark.parametrize(
    ("kernel", "X"),
    [
        (Function(lambda x, z: float(x @ z)), [[1.0]]),
        (Linear() + Function(lambda x, z: float(x @ z)), [[1.0]]),
        (Linear().scaled_by(lambda X: X[:, 0]), [[1.0]]),  # nobody knows how f rounds
        (Linear(), [[1e-120]]),  # its square is too near to underflow
        (Polynomial(2, one=False), [[1e-90]]),
        (Linear() * Linear(), [[1e-90]]),
        (1e-250 * Linear(), [[1.0]]),
        (Linear() ** 8, [[1e-40]]),
        (Polynomial(6), [[1e100]]),  # overflow
        (Polynomial(2**53), [[0.0]]),  # 1^p is 1, but 1 + e is not 1
    ],
)
def test_where_nothing_is_known_the_bound_is_None(kernel, X):
    assert kernel.rounding(X) is None


def test_counts_are_exact_and_other_discrete_kernels_have_a_bound_or_none():
    G = Graph("CCO", [(0, 1), (1, 2)])
    assert Spectrum(2).rounding(["abab", "ba"]) == 0
    assert Intersection().rounding([{1, 2}]) == WeisfeilerLehman(2).rounding([G]) == 0
    assert CommonSubsets().rounding([{1, 2}]) <= 1e-14
    assert GapWeighted(2, 0.5).rounding(["abab"]) is None
    assert RandomWalk(0.1).rounding([G]) is None


def test_only_what_theory_proves_is_called_valid():
    yes = [Linear(), Polynomial(2), Gaussian(1), Laplace(1), Spectrum(2), GapWeighted(2, 0.5)]
    yes += [Intersection(), CommonSubsets(), WeisfeilerLehman(1), RandomWalk(0.1)]
    no = Function(lambda x, z: 1.0)
    assert all(k.valid for k in yes)
    for k in (*yes, no):
        same = [k + k, k * k, 2 * k, k**3, k.normalised(), k.scaled_by(len)]
        assert [s.valid for s in same] == [k is not no] * 6
    assert not (Linear() + no).valid
    assert not (Linear() * no).valid


@pytest.mark.parametrize("sigma", [1e-200, 1e200, 5e-324, 1e-151])
@pytest.mark.parametrize("kernel", [Gaussian, Laplace])
def test_a_width_without_a_square_is_refused_with_advice(kernel, sigma):
    with pytest.raises(ValueError, match="no square in floating point: rescale"):
        kernel(sigma)


def test_every_kernel_of_parts_that_can_be_pickled_can_be_pickled():
    X = np.array([[1.0, 2.0], [0.0, 0.0]])
    kernel = (Gaussian(1.0) + Linear() ** 2).normalised() * 2.0
    again = pickle.loads(pickle.dumps(kernel))
    assert again == kernel
    assert again(X).tolist() == kernel(X).tolist()
    assert kernel(X)[0, 0] == pytest.approx(2.0, rel=1e-12)
    assert repr(Linear().normalised()) == "1/norm(x)·x·z·1/norm(z)"
    assert Linear().normalised()([[3.0, 4.0]], [[1.0, 1.0]])[0, 0] == pytest.approx(7 / sqrt(50))


@given(st.integers(1, 300), seeds)
def test_a_power_by_squares_is_rounded_by_its_products_alone(p, seed):
    K = np.random.default_rng(seed).uniform(0.5, 1.5, size=(2, 3))
    given = K.copy()
    found = power(K, p)
    assert (K == given).all() and found is not K
    for made, base in zip(found.ravel().tolist(), K.ravel().tolist()):
        true = mpmath.mpf(base) ** p
        assert abs(mpmath.mpf(made) - true) <= repeated(UNIT, p - 1) * true
