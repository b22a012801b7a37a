"""Valid or not: the verdict on a Gram matrix, and functions that are no kernels."""

from fractions import Fraction
from itertools import combinations, product
from math import exp, prod, sqrt, tanh

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lectures_lib.kernels import (
    Function,
    Linear,
    psd_certificate,
    refute,
)
from tests.kernels.test_kernels import STANDARD, dot, points, table
from tests.strategies import integer_points, seeds


def quadratic_form(K, v):
    """Return v'Kv in fractions: no rounding."""
    n = len(v)
    v = [Fraction(a) for a in v.tolist()]
    return sum(v[i] * Fraction(float(K[i, j])) * v[j] for i, j in product(range(n), repeat=2))


def determinant(A):
    """Return the determinant of a matrix of fractions by elimination."""
    A, sign = [list(row) for row in A], 1
    for k in range(len(A)):
        pivot = next((i for i in range(k, len(A)) if A[i][k]), None)
        if pivot is None:
            return Fraction(0)
        if pivot != k:
            A[k], A[pivot], sign = A[pivot], A[k], -sign
        for i in range(k + 1, len(A)):
            ratio = A[i][k] / A[k][k]
            A[i] = [a - ratio * b for a, b in zip(A[i], A[k])]
    return sign * prod((A[k][k] for k in range(len(A))), start=Fraction(1))


def all_principal_minors_are_nonnegative(K):
    """Sylvester's criterion for semi-definiteness, exactly."""
    n, K = len(K), [[Fraction(v) for v in row] for row in K.tolist()]
    subsets = (s for k in range(1, n + 1) for s in combinations(range(n), k))
    return all(determinant([[K[i][j] for j in s] for i in s]) >= 0 for s in subsets)


@st.composite
def symmetric_integers(draw):
    n = draw(st.integers(1, 4))
    A = np.array(draw(st.lists(st.integers(-3, 3), min_size=n * n, max_size=n * n)), float)
    A = A.reshape(n, n)
    K = np.triu(A) + np.triu(A, 1).T
    return K + draw(st.sampled_from([0.0, 3.0, 6.0])) * np.eye(n)


@given(st.one_of(symmetric_integers(), integer_points(max_n=4).map(lambda X: X @ X.T)))
def test_the_verdict_is_that_of_all_principal_minors_in_fractions(K):
    certificate = psd_certificate(K)
    assert certificate.symmetric
    assert certificate.valid == all_principal_minors_are_nonnegative(K)
    assert (certificate.v is None) == certificate.valid


@given(symmetric_integers())
def test_the_vector_of_a_refusal_really_refutes(K):
    certificate = psd_certificate(K)
    if not certificate.valid:
        form = quadratic_form(K, certificate.v)
        assert form < 0  # in fractions
        assert float(form) == pytest.approx(certificate.value, rel=1e-9)
        assert np.linalg.norm(certificate.v) == pytest.approx(1, rel=1e-12)
        assert certificate.least == pytest.approx(certificate.value, rel=1e-9)
        assert "v'Kv" in certificate.reason


@given(seeds, st.integers(1, 3), st.integers(5, 30), st.sampled_from([1e-12, 1.0, 1e12]))
def test_a_gram_matrix_of_low_rank_is_accepted_despite_rounding(seed, d, n, scale):
    X = points(seed, n=n, d=d)
    certificate = psd_certificate(scale * (X @ X.T))
    assert certificate.valid
    assert certificate.v is None
    assert abs(certificate.least) <= certificate.tolerance
    assert "none below rounding" in certificate.reason


@given(seeds, st.sampled_from([-1e-3, -1e-6, -1e-8, 0.0, 1e-6]), st.sampled_from([1e-9, 1, 1e9]))
def test_the_verdict_does_not_depend_on_the_scale(seed, least, scale):
    Q = np.linalg.qr(points(seed, n=6, d=6))[0]
    K = (Q * np.array([least, 0, 0.2, 0.5, 0.7, 1.0])) @ Q.T
    certificate = psd_certificate(scale * (K + K.T) / 2)
    assert certificate.valid == (least >= 0)
    assert certificate.least == pytest.approx(scale * min(least, 0), abs=1e-14 * scale)


def test_not_symmetric_is_its_own_answer():
    certificate = psd_certificate([[1.0, 10.0], [0.0, 1.0]])
    assert not certificate.valid
    assert not certificate.symmetric
    assert certificate.v is None
    assert certificate.value == 10
    assert "not symmetric" in certificate.reason
    assert psd_certificate([[1.0, -2.0], [2.0, 1.0]]).symmetric is False  # though v'Kv = v'v > 0


@pytest.mark.parametrize("scale", [1e-20, 1.0, 1e20])
def test_symmetry_is_judged_up_to_rounding_and_relative_to_the_entries(scale):
    rounded, wrong = (scale * np.array([[2.0, 1 + e], [1.0, 2.0]]) for e in (1e-15, 1e-5))
    assert psd_certificate(rounded).valid
    assert not psd_certificate(wrong).symmetric


@pytest.mark.parametrize("shape", [(2, 3), (3, 2), (1, 4)])
def test_a_gram_matrix_is_square(shape):
    with pytest.raises(
        ValueError, match=f"shape .{shape[0]}, {shape[1]}.; a Gram matrix is square"
    ):
        psd_certificate(np.ones(shape))


@pytest.mark.parametrize("bad", [[[np.nan]], [[np.inf]], [1.0, 2.0], [["a"]], np.zeros((0, 0))])
def test_what_is_no_matrix_of_numbers_is_refused(bad):
    with pytest.raises(ValueError, match="K "):
        psd_certificate(bad)


def test_the_zero_matrix_is_a_gram_matrix():
    assert psd_certificate(np.zeros((3, 3))).valid


def test_no_negative_eigenvalue_at_all_rejects_valid_gram_matrices():
    grams = [X @ X.T for X in (points(seed, n=12, d=2) for seed in range(20))]
    assert not all((np.linalg.eigvalsh(K) >= 0).all() for K in grams)  # the wrong test
    assert all(psd_certificate(K).valid for K in grams)


PAIR = np.array([[1.0, 2.0], [2.0, 1.0]])
NOT_PSD = {
    "its determinant is positive": (
        np.kron(np.eye(2), PAIR),
        lambda K: np.linalg.det(K) >= 0,
    ),
    "its diagonal is positive": (PAIR, lambda K: (np.diag(K) >= 0).all()),
    "its entries are positive": (PAIR, lambda K: (K >= 0).all()),
    "its leading minors are not negative": (
        np.diag([0.0, -1.0]),
        lambda K: all(np.linalg.det(K[:k, :k]) >= 0 for k in (1, 2)),
    ),
    "its trace is positive": (PAIR, lambda K: np.trace(K) >= 0),
    "its eigenvalues are positive, but it is not symmetric": (
        np.array([[1.0, 10.0], [0.0, 1.0]]),
        lambda K: (np.linalg.eigvals(K) >= 0).all(),
    ),
}


@pytest.mark.parametrize("why", NOT_PSD)
def test_a_wrong_test_accepts_what_the_certificate_refuses(why):
    K, wrong_test = NOT_PSD[why]
    assert wrong_test(K)
    assert not psd_certificate(K).valid


def test_one_gram_matrix_proves_nothing_about_all():
    k = Function(lambda x, z: tanh(dot(x, z)), "tanh(x·z)")
    assert psd_certificate(k(np.eye(2))).valid  # here nothing is wrong ...
    assert refute(k) is not None  # ... elsewhere it is


def squared(x, z):
    return dot(x - z, x - z)


NO_KERNELS = {
    "tanh": lambda x, z: tanh(dot(x, z)),
    "tanh, shifted down": lambda x, z: tanh(dot(x, z) - 1),
    "tanh, shifted up": lambda x, z: tanh(0.5 * dot(x, z) + 1),
    "sigmoid": lambda x, z: 1 / (1 + exp(-dot(x, z))),
    "sigmoid, shifted": lambda x, z: 1 / (1 + exp(2 - 0.5 * dot(x, z))),
    "minus the squared distance": lambda x, z: -squared(x, z),
    "the squared distance": squared,
    "the larger squared norm": lambda x, z: max(dot(x, x), dot(z, z)),
    "the larger first coordinate": lambda x, z: max(x[0], z[0]),
    "the larger of two kernels": lambda x, z: max(dot(x, z), exp(-squared(x, z) / 2)),
    "the positive part of a kernel": lambda x, z: max(dot(x, z), 0.0),
    "the indicator of a ball": lambda x, z: float(squared(x, z) <= 1),
    "a bump that ends": lambda x, z: max(0.0, 1 - squared(x, z)),
    "a Gaussian without the minus": lambda x, z: exp(squared(x, z) / 200),
    "a Gaussian of the fourth power": lambda x, z: exp(-(squared(x, z) ** 2)),
    "minus a kernel": lambda x, z: -dot(x, z),
    "a difference of kernels": lambda x, z: dot(x, z) ** 2 - dot(x, z),
    "the squared norm of the sum": lambda x, z: dot(x + z, x + z),
}


@pytest.mark.parametrize("name", NO_KERNELS)
def test_a_function_that_is_no_kernel_is_refuted_by_points_and_a_vector(name):
    f = NO_KERNELS[name]
    found = refute(Function(f, name))
    assert found is not None
    K, v = table(f, found.X, found.X), found.certificate.v
    assert (K == K.T).all()
    assert quadratic_form(K, v) < 0  # in fractions
    assert found.tries >= 1


def test_an_asymmetric_function_is_refuted_as_such():
    found = refute(Function(lambda x, z: 2 + tanh(x[0])))
    assert found is not None
    assert not found.certificate.symmetric


@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_indicator_of_a_ball_fails_on_a_chain_of_three_points(d):
    X = np.zeros((3, d))
    X[:, 0] = 0.0, 0.8, 1.6  # neighbours touch, the ends do not
    certificate = psd_certificate(Function(NO_KERNELS["the indicator of a ball"])(X))
    assert certificate.value == pytest.approx(1 - sqrt(2), rel=1e-12)


KERNELS = {
    **STANDARD,
    "a hat on the line": Function(lambda x, z: max(0.0, 1 - abs(x[0] - z[0]))),
    "the smaller of two numbers": Function(lambda x, z: min(abs(x[0]), abs(z[0]))),
    "the cosine": Linear().normalised(),
    "equality": Function(lambda x, z: float((x == z).all())),
    "the exponential": Function(lambda x, z: exp(0.01 * dot(x, z))),
}


@pytest.mark.parametrize("name", KERNELS)
def test_no_point_set_refutes_a_kernel(name):
    assert refute(KERNELS[name], tries=6) is None


def test_the_search_depends_on_the_seed_alone_and_can_be_narrowed():
    k = Function(NO_KERNELS["tanh"])
    first, again = (refute(k, rng=5) for _ in range(2))
    assert first.X.tolist() == again.X.tolist()
    assert refute(k, sizes=(1,)) is None  # one point at a time, nothing is found
    assert refute(k, d=4).X.shape[1] == 4
    for options in ({"d": 0}, {"tries": 0}):
        with pytest.raises(ValueError, match="whole number >= 1"):
            refute(k, **options)


# KE-8: any distinct points, any labels


@pytest.mark.parametrize("n", [3, 12, 40])
def test_without_any_tolerance_there_is_an_answer_too(n):
    X = np.random.default_rng(0).normal(size=(n, 2))
    for K in (X @ X.T, np.ones((n, n)), np.eye(n), X @ X.T + np.eye(n)):
        K = 0.5 * (K + K.T)
        judged, exact = psd_certificate(K, tol=0), psd_certificate(K, exact=True)
        assert judged.verdict in (exact.verdict, "undecided" if n > 30 else exact.verdict)
