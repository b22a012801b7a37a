"""k-means and principal components: certificates far out, held against fractions and 60 digits."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lectures_lib.conventions import RTOL
from lectures_lib.kernel_methods import (
    kernel_kmeans,
    kernel_pca,
    kmeans_certificate,
    pca_certificate,
)
from lectures_lib.kernels import Function, Gaussian, Linear, Polynomial
from tests.strategies import seeds

RATIONAL = {
    Linear(): lambda x, z: x @ z,
    Polynomial(2): lambda x, z: (1 + x @ z) ** 2,
    Polynomial(3, one=False): lambda x, z: (x @ z) ** 3,
}
shifts = st.sampled_from([0.0, 1e3, 1e5, 1e7])


def exact_gram(kernel, X):
    X = np.array([[Fraction(v) for v in row] for row in np.asarray(X, float).tolist()])
    return np.array([[RATIONAL[kernel](x, z) for z in X] for x in X])


def exact_run(K, labels):
    """Return the objective of the clusters and the most that one point would gain beyond RTOL."""
    groups = [np.flatnonzero(labels == c) for c in np.unique(labels)]
    inside = [K[np.ix_(g, g)].sum() / Fraction(len(g) ** 2) for g in groups]
    to = [
        [K[i, i] - 2 * K[i, g].sum() / Fraction(len(g)) + s for g, s in zip(groups, inside)]
        for i in range(len(K))
    ]
    own = [row[next(c for c, g in enumerate(groups) if i in g)] for i, row in enumerate(to)]
    left = [mine - min(row) - Fraction(RTOL) * mine for mine, row in zip(own, to)]
    return sum(own), max(left)


@settings(max_examples=150)
@given(st.sampled_from(list(RATIONAL)), seeds, st.integers(1, 8), shifts, st.booleans())
def test_no_verdict_on_clusters_is_false(kernel, seed, n, shift, spoilt):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) + shift
    k = int(rng.integers(1, n + 1))
    run = kernel_kmeans(X, kernel, k, restarts=2, rng=seed)
    labels = run.labels.copy()
    labels[0] = rng.integers(k) if spoilt else labels[0]
    K, rounding = kernel(X), kernel.rounding(X)
    proofs = [(run.certificate, run.labels)]
    proofs += [(kmeans_certificate(K, labels, run.objectives, k=k, rounding=rounding), labels)]
    for judged, answer in proofs:
        J, gain = exact_run(exact_gram(kernel, X), answer)
        right = len(set(answer)) == k and (np.diff(run.objectives) <= 0).all()
        one, _ = exact_run(exact_gram(kernel, X), np.zeros(n))
        right = right and abs(J - Fraction(run.objective)) <= Fraction(RTOL) * one
        right = right and gain <= 0
        assert judged.verdict != ("refuted" if right else "proved")


@given(seeds, st.sampled_from([Linear(), Gaussian(1.0), Polynomial(2)]), st.integers(2, 6))
def test_runs_are_proved_at_unit_scale(seed, kernel, k):
    X = np.random.default_rng(seed).normal(size=(40, 2))
    run = kernel_kmeans(X, kernel, k, restarts=3, rng=seed)
    assert run.converged
    assert run.certificate.holds


@pytest.mark.parametrize("shift", [1e5, 1e7, 1e8])
def test_with_the_linear_kernel_clusters_do_not_mind_where_the_data_are(shift):
    X = np.round(np.random.default_rng(3).normal(size=(40, 2)), 1) + shift  # X - shift is exact
    far, near = (kernel_kmeans(Z, Linear(), 3) for Z in (X, X - shift))
    assert far.converged
    assert far.objective == pytest.approx(near.objective, rel=1e-6)
    assert far.predict(X[:5]).tolist() == far.labels[:5].tolist()


def test_a_gram_matrix_that_lost_its_digits_proves_nothing():
    X = np.random.default_rng(0).normal(size=(80, 2)) + 1e7
    run, lost = kernel_kmeans(X, Linear(), 3), Linear()(X)
    judged = kmeans_certificate(lost, run.labels, [run.objective], rounding=Linear().rounding(X))
    assert judged.verdict == "undecided"
    V = kernel_pca(X, Linear(), 1)
    assert V.certificate.holds
    assert pca_certificate(lost, V.values, V.V, rounding=Linear().rounding(X)).verdict != "proved"


def test_the_kmeans_certificate_counts_the_clusters():
    K = Gaussian(1.0)(np.random.default_rng(0).normal(size=(6, 2)))
    together = kmeans_certificate(K, np.zeros(6), [0.0]).objective
    for k, verdict in ((None, "proved"), (1, "proved"), (2, "refuted")):
        judged = kmeans_certificate(K, np.zeros(6), [together], k=k)
        assert judged.verdict == verdict
        assert f"{verdict}: " in str(judged)
    with pytest.raises(ValueError, match="labels"):
        kmeans_certificate(K, [0, 1], [1.0])
    with pytest.raises(ValueError, match="objectives"):
        kmeans_certificate(K, np.zeros(6), [])
    with pytest.raises(ValueError, match="objectives"):
        kmeans_certificate(K, np.zeros(6), [np.nan])


def true_errors(kernel, X, values, V):
    """Return residual, skew and the largest eigenvalue left behind, to 60 digits."""
    K = exact_gram(kernel, X)
    n, means = len(K), K.sum(axis=0) / Fraction(len(K))
    C = K - means - means[:, None] + means.sum() / Fraction(n)
    with mpmath.workdps(60):
        C = mpmath.matrix([[mpmath.mpf(c.numerator) / c.denominator for c in row] for row in C])
        V, D = mpmath.matrix(V.tolist()), mpmath.diag(values.tolist())
        R, S = C * V - V * D, V.T * V - mpmath.eye(len(values))
        residual = max(mpmath.norm(R[:, j]) for j in range(R.cols))
        left = max(mpmath.eigsy(C - V * D * V.T, eigvals_only=True))
        return residual, max(map(abs, S)), left


def following(kind, values, V, rng):
    """Return pairs that follow, right or wrong, for all but two of these."""
    kept = max(1, len(values) - 2)
    t, U = values[kept:].copy(), V[:, kept:].copy()
    if kind == "bent":
        U += 10.0 ** rng.integers(-12, -1) * rng.normal(size=U.shape)
    elif kind == "twice":
        t, U = np.repeat(t, 2), np.repeat(U, 2, axis=1)
    elif kind == "too small":
        t = t * 1e-3
    elif kind == "nothing":
        U = U * 1e-100
    return (t, U) if kind else None


@settings(max_examples=150)
@given(
    st.sampled_from(list(RATIONAL)),
    seeds,
    st.integers(3, 6),
    shifts,
    st.sampled_from([None, "value", "vector", "largest left out"]),
    st.sampled_from([None, "right", "bent", "twice", "too small", "nothing"]),
)
def test_no_verdict_on_components_is_false(kernel, seed, n, shift, spoilt, follow):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2)) + shift
    if kernel != Linear() and shift > 1e3:
        return
    pca = kernel_pca(X, kernel)
    values, V = pca.values.copy(), pca.V.copy()
    if spoilt == "value":
        values[0] *= 1 + 10.0 ** rng.integers(-12, -3)
    elif spoilt == "vector":
        V[0, 0] += 10.0 ** rng.integers(-12, -3)
    elif spoilt == "largest left out" and len(values) > 1:
        values, V = values[1:], V[:, 1:]
    given = {"rounding": kernel.rounding(X), "more": following(follow, values, V, rng)}
    kept = max(1, len(values) - 2) if follow else len(values)
    values, V = values[:kept], V[:, :kept]
    judged = pca_certificate(kernel(X), values, V, **given)
    proofs = [(judged, values, V), (pca.certificate, pca.values, pca.V)]
    for proof, m, W in proofs:
        residual, skew, left = true_errors(kernel, X, m, W)
        right = residual <= proof.tolerance and skew <= RTOL
        right = right and left <= proof.least + proof.tolerance
        assert proof.verdict != ("refuted" if right else "proved")


@given(seeds, st.sampled_from([Linear(), Gaussian(1.0), Polynomial(2)]))
def test_components_are_proved_at_unit_scale(seed, kernel):
    X = np.random.default_rng(seed).normal(size=(30, 3))
    assert kernel_pca(X, kernel).certificate.holds
    assert kernel_pca(X, kernel, 2).certificate.holds


@pytest.mark.parametrize("shift", [1e6, 1e8])
def test_with_the_linear_kernel_components_do_not_mind_where_the_data_are(shift):
    X = np.round(np.random.default_rng(1).normal(size=(30, 3)), 1) + shift
    far, near = kernel_pca(X, Linear(), 2), kernel_pca(X - shift, Linear(), 2)
    assert far.certificate.holds
    np.testing.assert_allclose(far.scores, near.scores, atol=1e-6)
    np.testing.assert_allclose(far.transform(X), far.scores, atol=1e-6)


def test_a_variation_that_rounding_swallowed_is_called_so():
    X = np.random.default_rng(1).normal(size=(20, 2))
    with pytest.raises(ValueError, match="lost in rounding: centre or scale"):
        kernel_pca(X, Gaussian(1e9))
    with pytest.raises(ValueError, match="lost in rounding: centre or scale"):
        kernel_pca(X + 1e9, Polynomial(2))


def test_the_pca_certificate_checks_what_it_is_given():
    K = np.eye(3)
    for values, V in (([], np.zeros((3, 0))), ([1.0], np.zeros((2, 1))), ([1.0, 2.0], K[:, :1])):
        with pytest.raises(ValueError, match="shape"):
            pca_certificate(K, values, V)
    with pytest.raises(ValueError, match=r"more has shape \(2, 1\)"):
        pca_certificate(K, [1.0], K[:, :1], more=([1.0], np.zeros((2, 1))))
    said = str(kernel_pca([[0.0], [1.0]], Linear()).certificate)
    assert "proved: " in said and said.endswith("1e-09 of the trace of the centred K")


@pytest.mark.parametrize("method", [kernel_kmeans, kernel_pca])
def test_what_is_no_kernel_is_refused(method):
    X = np.random.default_rng(0).normal(size=(12, 2))
    with pytest.raises(ValueError, match="tanh is no kernel for these examples"):
        method(X, Function(lambda x, z: np.tanh(x @ z - 1), "tanh"), 2)


@pytest.mark.parametrize("kind", [float, int])
def test_a_matrix_whose_distances_add_up_to_less_than_nothing_proves_nothing(kind):
    K = np.array([[1, 3, 3], [3, 1, 3], [3, 3, 1]], dtype=kind)  # D_ij = -4
    exact = [[Fraction(int(entry)) for entry in row] for row in K]
    for given_as in (K, np.array(exact)):
        judged = kmeans_certificate(given_as, [0, 0, 0], [-4.0])
        assert judged.objective == -4.0 and judged.verdict != "proved"
