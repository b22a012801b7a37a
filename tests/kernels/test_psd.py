"""Positive semi-definite or not: the verdicts, held against elimination in fractions."""

from fractions import Fraction
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lectures_lib import kernels, proof
from lectures_lib.kernels import Function, Gaussian, Laplace, Linear, Polynomial, psd_certificate
from tests.strategies import seeds

KERNELS = [Linear(), Polynomial(2), Polynomial(5), Polynomial(3, one=False), Gaussian(1.0)]
KERNELS += [Laplace(1.0)]


def raised(K, eta):
    """Return the symmetric part of K + eta diag(K) in fractions."""
    F, places = [[Fraction(a) for a in row] for row in np.asarray(K).tolist()], range(len(K))
    return [
        [(F[i][j] + F[j][i]) / 2 * (1 + (i == j) * Fraction(eta)) for j in places] for i in places
    ]


def is_psd(S):
    """Return whether a symmetric matrix of fractions is positive semi-definite."""
    left = list(range(len(S)))
    while left:
        p = max(left, key=lambda i: S[i][i])
        if any(S[i][i] < 0 or (S[i][i] == 0 and any(S[i][j] for j in left)) for i in left):
            return False
        left.remove(p)
        for i in left if S[p][p] else []:
            S[i] = [a - S[i][p] / S[p][p] * b for a, b in zip(S[i], S[p])]
    return True


def form(K, v):
    return sum(
        Fraction(a) * Fraction(c) * Fraction(b)
        for row, a in zip(np.asarray(K).tolist(), v.tolist())
        for c, b in zip(row, v.tolist())
    )


@st.composite
def hostile(draw):
    """Draw Gram matrices of odd scales, some spoilt on a diagonal, in a pair or all over."""
    rng = np.random.default_rng(draw(seeds))
    n = draw(st.integers(1, 7))
    X = rng.normal(size=(n, draw(st.integers(1, 3)))) * 10.0 ** draw(st.integers(-8, 8))
    X *= 10.0 ** rng.integers(-6, 7, size=(n, 1)) if draw(st.booleans()) else 1.0
    X[-1] = X[0] * draw(st.sampled_from([0, 1, 2]))
    K = draw(st.sampled_from(KERNELS))(X)
    size, (i, j) = 10.0 ** draw(st.integers(-17, 0)), rng.integers(n, size=2)
    spoil = draw(st.sampled_from(["nothing", "diagonal", "pair", "entry", "all"]))
    if spoil == "diagonal":
        K[i, i] -= size * K[i, i]
    elif spoil in ("pair", "entry"):
        K[i, j] *= 1 + size
        K[j, i] = K[i, j] if spoil == "pair" else K[j, i]
    elif spoil == "all":
        E = rng.normal(size=(n, n)) * size * np.abs(K).max()
        K += E + E.T
    return K


@settings(max_examples=300)
@given(hostile())
def test_every_verdict_is_that_of_fractions(K):
    for judged in (psd_certificate(K), proof.psd_level(K)):
        assert judged.verdict != "undecided"  # fractions decide about small matrices
        if judged.verdict == "proved":
            assert is_psd(raised(K, judged.eta))
        elif judged.v is not None:
            assert form(K, judged.v) < 0
            assert np.linalg.norm(judged.v) == pytest.approx(1, rel=1e-12)
        else:
            assert (K != K.T).any()


@settings(max_examples=100)
@given(hostile())
def test_exact_asks_for_the_matrix_as_it_stands(K):
    judged = psd_certificate(K, exact=True)
    assert judged.holds == ((K == K.T).all() and is_psd(raised(K, 0)))
    assert judged.verdict != "undecided"
    assert judged.v is None or form(K, judged.v) < 0


@given(seeds, st.sampled_from(KERNELS), st.integers(1, 60))
def test_gram_matrices_of_kernels_are_proved_at_unit_scale(seed, kernel, n):
    K = kernel(np.random.default_rng(seed).normal(size=(n, 3)))
    assert psd_certificate(K).verdict == "proved"
    assert proof.psd_level(K).eta <= 2e-10


NOT_PSD = {
    "a large entry hides an asymmetric pair": [[1e12, 0, 0], [0, 1, 5], [0, -5, 1]],
    "a large entry hides a negative one": np.diag([1e12, -1.0]),
    "the diagonal is 0, the rest is not": [[0.0, 1e-9], [1e-9, 1e9]],
    "a pair of small scale": [[1e20, 0, 0], [0, 1e-20, 1.1e-20], [0, 1.1e-20, 1e-20]],
    "scales that no square can hold": [[1e-160, 1.0], [1.0, 1e-160]],
}


@pytest.mark.parametrize("why", NOT_PSD)
def test_scales_hide_nothing(why):
    assert psd_certificate(NOT_PSD[why]).verdict == "refuted"
    assert not psd_certificate(NOT_PSD[why]).valid


def test_a_negative_norm_refutes_beside_huge_ones():
    K = Function(lambda x, z: (1 + x @ z) ** 6 - 2)([[0.0, 0.0], [20.0, 0.0], [0.0, 20.0]])
    judged = psd_certificate(K)
    assert judged.verdict == "refuted"
    assert form(K, judged.v) < 0
    assert judged.value == pytest.approx(-1, rel=1e-9)


def test_what_rounding_hides_is_undecided_until_fractions_look():
    n = proof.psd.EXACT_SIZE + 1
    K = np.ones((n, n)) - 1e-9 * np.eye(n)  # no certificate up to 1e-10, and one vector refutes
    assert psd_certificate(K).verdict == "refuted"
    assert psd_certificate(np.ones((n, n))).verdict == "proved"
    tiny = np.array([[1.0, 1 + 2.0**-52], [1 + 2.0**-52, 1.0]])
    assert psd_certificate(tiny).holds  # up to eta
    assert not psd_certificate(tiny, exact=True).holds


def test_the_search_passes_over_points_at_which_a_kernel_overflows():
    exponential = Function(lambda x, z: exp(x @ z), "exp(x·z)")
    assert kernels.refute(exponential, tries=6) is None
    assert kernels.refute(Function(lambda x, z: exp(1e4 * (x @ z))), tries=2) is None
    assert kernels.refute(Function(lambda x, z: np.nan), tries=2) is None


def test_a_certificate_prints_its_verdict_and_its_level():
    assert str(psd_certificate(np.eye(2))).startswith("proved: symmetric, least eigenvalue 1")
    assert str(psd_certificate(-np.eye(2))).startswith("refuted: v'Kv = -1 < 0")
    undecided = proof.PSDCertificate(True, -1e-12, 1e-10, None, -1e-12, None)
    assert "may be rounding" in str(undecided)
    assert undecided.verdict == proof.PSDLevel(None).verdict == "undecided"
