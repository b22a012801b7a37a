"""Kernel ridge regression: what its certificate says, held against the gap in fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lectures_lib import proof
from lectures_lib.kernel_methods import kernel_ridge, ridge_certificate, weighted_kernel_ridge
from lectures_lib.kernels import Function, Gaussian, Laplace, Linear, Polynomial
from tests.strategies import seeds

KERNELS = {
    Linear(): lambda x, z: x @ z,
    Polynomial(3): lambda x, z: (1 + x @ z) ** 3,
    Polynomial(2, one=False): lambda x, z: (x @ z) ** 2,
}


def exact(values):
    values = np.asarray(values, dtype=float)
    return np.array([Fraction(v) for v in values.ravel().tolist()]).reshape(values.shape)


def true_gap(kernel, X, y, penalty, alpha, b, centre=None, weights=None):
    """Return primal - best in fractions: the equations are solved by elimination.

    With q(alpha, b) = sum s (y - K alpha - b)^2 + penalty alpha'K alpha and beta, c its best,
    q(alpha, b) - q(beta, c) = sum s (K d + e)^2 + penalty d'K d for d = alpha - beta, e = b - c:
    the slope of q is 0 at the best. There (K + penalty / s) beta = y - c.
    """
    X = exact(X) - (0 if centre is None else exact(centre))
    y, alpha, n = exact(y), exact(alpha), len(y)
    K = np.array([[KERNELS[kernel](x, z) for z in X] for x in X])
    free, s = b is not None, exact(np.ones(n) if weights is None else weights)
    ridge = np.diag(Fraction(penalty) / s)
    A = [[*(K + ridge)[i], *[Fraction(1)] * free, y[i]] for i in range(n)]
    if free:
        A.append([Fraction(1)] * n + [Fraction(0), Fraction(0)])
    best = solved(A)
    d, e = alpha - best[:n], (Fraction(b) - best[n]) if free else 0
    step = K @ d + e
    return sum(s * step * step) + Fraction(penalty) * (d @ K @ d)


def solved(A):
    """Solve a regular system, given with its right side, by Gauss-Jordan elimination."""
    for p in range(len(A)):
        q = next(i for i in range(p, len(A)) if A[i][p] != 0)
        A[p], A[q] = A[q], A[p]
        for i in range(len(A)):
            if i != p and A[i][p] != 0:
                factor = A[i][p] / A[p][p]
                A[i] = [a - factor * c for a, c in zip(A[i], A[p])]
    return np.array([row[-1] / row[p] for p, row in enumerate(A)])


@settings(max_examples=150)
@given(
    st.sampled_from(list(KERNELS)),
    seeds,
    st.integers(2, 7),
    st.booleans(),
    st.sampled_from([1e-6, 1e-3, 1.0, 1e4]),
    st.sampled_from([1e-6, 1.0, 1e4]),
    st.sampled_from([0.0, 1e3, 1e7]),
    st.sampled_from([0.0, 1e-9, 1e-6, 1e-3]),
)
def test_no_verdict_on_ridge_is_false(kernel, seed, n, offset, penalty, scale, shift, spoilt):
    rng = np.random.default_rng(seed)
    X, y = scale * rng.normal(size=(n, 2)) + shift, rng.normal(size=n)
    fit = kernel_ridge(X, y, kernel, penalty, offset=offset)
    b = None if not offset else fit.b if fit.centre is None else fit.at_centre
    proofs = [(fit.certificate, fit.alpha)]
    alpha = fit.alpha * (1 + spoilt * rng.normal(size=n))
    K = kernel(X if fit.centre is None else X - fit.centre)
    rounding = kernel.rounding(X if fit.centre is None else X - fit.centre)
    if rounding is not None and fit.centre is None:
        proofs += [(ridge_certificate(K, y, penalty, alpha, b, rounding=rounding), alpha)]
    for judged, answer in proofs:
        gap = true_gap(kernel, X, y, penalty, answer, b, fit.centre)
        if judged.verdict == "proved":
            assert gap <= judged.tolerance
        elif judged.verdict == "refuted":
            assert gap > judged.tolerance
        assert gap <= Fraction(judged.gap) + Fraction(judged.error)
        assert gap >= judged.excess


@settings(max_examples=100)
@given(
    st.sampled_from(list(KERNELS)),
    seeds,
    st.integers(2, 7),
    st.booleans(),
    st.sampled_from([1e-6, 1e-3, 1.0, 1e4]),
    st.sampled_from([1e-6, 1.0, 1e4]),
    st.sampled_from([0.0, 1e-9, 1e-6, 1e-3]),
    st.sampled_from([1e-140, 1e-8, 1.0, 1e6]),
)
def test_no_verdict_on_weighted_ridge_is_false(
    kernel, seed, n, offset, penalty, scale, spoilt, unit
):
    rng = np.random.default_rng(seed)
    X, y = scale * rng.normal(size=(n, 2)), rng.normal(size=n)
    s = unit * 10.0 ** rng.uniform(-3, 3, size=n)
    fit = weighted_kernel_ridge(X, y, s, kernel, penalty * unit, offset=offset)
    b = None if not offset else fit.b if fit.centre is None else fit.at_centre
    proofs = [(fit.certificate, fit.alpha)]
    alpha = fit.alpha * (1 + spoilt * rng.normal(size=n))
    if fit.centre is None:
        given = {"rounding": kernel.rounding(X), "weights": s}
        proofs += [(ridge_certificate(kernel(X), y, penalty * unit, alpha, b, **given), alpha)]
    for judged, answer in proofs:
        gap = true_gap(kernel, X, y, penalty * unit, answer, b, fit.centre, s)
        if judged.verdict == "proved":
            assert gap <= judged.tolerance
        elif judged.verdict == "refuted":
            assert gap > judged.tolerance
        assert gap <= Fraction(judged.gap) + Fraction(judged.error)
        assert gap >= judged.excess


@pytest.mark.parametrize("offset", [False, True])
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(3), Gaussian(1.0)], ids=repr)
def test_weighted_ridge_is_proved_and_a_spoilt_answer_is_refuted(kernel, offset):
    rng = np.random.default_rng(0)
    X, y, s = rng.normal(size=(30, 2)), rng.normal(size=30), rng.uniform(0.1, 5.0, size=30)
    fit = weighted_kernel_ridge(X, y, s, kernel, 0.5, offset=offset)
    assert fit.converged
    b = None if not offset else fit.b if fit.centre is None else fit.at_centre
    K = kernel(X if fit.centre is None else X - fit.centre)
    plain = kernel_ridge(X, y, kernel, 0.5, offset=offset)
    assert ridge_certificate(K, y, 0.5, fit.alpha, b, weights=s).verdict == "proved"
    assert ridge_certificate(K, y, 0.5, plain.alpha, b, weights=s).verdict == "refuted"
    assert ridge_certificate(K, y, 0.5, fit.alpha, b).verdict == "refuted"  # the weights forgotten


@pytest.mark.parametrize("offset", [False, True])
@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1.0)], ids=repr)
def test_a_weight_is_how_often_an_example_stands_there(kernel, offset):
    rng = np.random.default_rng(1)
    X, y, s = rng.normal(size=(20, 2)), 3 + rng.normal(size=20), rng.integers(0, 4, size=20)
    weighted = weighted_kernel_ridge(X, y, s, kernel, 0.3, offset=offset)
    repeated = kernel_ridge(np.repeat(X, s, 0), np.repeat(y, s), kernel, 0.3, offset=offset)
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X), atol=1e-10)
    assert weighted.objective == pytest.approx(repeated.objective, rel=1e-10)
    assert not weighted.alpha[s == 0].any()
    ones = weighted_kernel_ridge(X, y, np.ones(20), kernel, 0.3, offset=offset)
    same = kernel_ridge(X, y, kernel, 0.3, offset=offset)
    np.testing.assert_allclose(ones.alpha, same.alpha, atol=1e-12)


def test_weights_that_are_none_are_refused():
    X, y = [[1.0], [2.0]], [1.0, 2.0]
    for weights in ([0.0, 0.0], [1.0, -1.0]):
        with pytest.raises(ValueError, match="weights must be"):
            weighted_kernel_ridge(X, y, weights, Linear(), 1.0)
    with pytest.raises(ValueError, match="leave examples of weight 0 out"):
        ridge_certificate(np.eye(2), y, 1.0, y, weights=[1.0, 0.0])


SMALL = [Linear(), Polynomial(2), Polynomial(3), Gaussian(1.0), Gaussian(3.0), Laplace(1.0)]


@pytest.mark.parametrize("penalty", [1e-6, 1e-5, 1e-4, 1e-3])
@pytest.mark.parametrize("kernel", SMALL, ids=repr)
def test_small_penalties_with_an_offset_are_proved_at_unit_scale(kernel, penalty):
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X, y = rng.normal(size=(34, 2)), 3 + rng.normal(size=34)
        fit = kernel_ridge(X, y, kernel, penalty, offset=True)
        assert fit.converged
        assert abs(fit.alpha.sum()) <= 1e-15 * np.abs(fit.alpha).sum() * 34


@pytest.mark.parametrize("shift", [0.0, 1e4, 1e7, 1e8])
def test_with_an_offset_the_linear_kernel_does_not_mind_where_the_data_are(shift):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(30, 2)) + shift
    y = (X - shift) @ [1.0, -2.0] + 0.1 * rng.normal(size=30)
    near = kernel_ridge(X - shift, y, Linear(), 0.5, offset=True)  # X - shift is exact
    far = kernel_ridge(X, y, Linear(), 0.5, offset=True)
    assert far.converged
    np.testing.assert_allclose(
        far.predict(X), near.predict(X - shift), atol=1e-8 * (1 + shift / 1e7)
    )


def test_far_out_without_an_offset_nothing_false_is_proved():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(80, 2)) + 1e7, rng.normal(size=80)
    assert kernel_ridge(X, y, Polynomial(3), 1e-3, offset=True).certificate.verdict == "undecided"


def test_what_is_no_kernel_is_refused_by_the_method_and_by_the_judge():
    X, y = np.random.default_rng(0).normal(size=(20, 2)), np.arange(20.0)
    tanh = Function(lambda x, z: np.tanh(x @ z - 1), "tanh")
    for offset in (False, True):
        with pytest.raises(ValueError, match="tanh is no kernel for these examples: v'Kv = -"):
            kernel_ridge(X, y, tanh, 1e4, offset=offset)
    K = tanh(X)
    alpha = np.linalg.solve(K + 1e4 * np.eye(20), y)
    assert ridge_certificate(K, y, 1e4, alpha).verdict == "refuted"
    skew = Linear()(X) + np.triu(np.ones((20, 20)), 1)
    assert ridge_certificate(skew, y, 1.0, y).verdict == "refuted"
    assert ridge_certificate(Gaussian(1.0)(X), y, 1.0, y).gram == "proved"
    rational = Linear().exact(X[:4])
    assert ridge_certificate(rational, y[:4], 1.0, y[:4]).gram == "proved"
    assert ridge_certificate(-rational, y[:4], 1.0, y[:4]).verdict == "refuted"


def test_the_ridge_certificate_checks_what_it_is_given():
    K, y = np.eye(2), [1.0, 2.0]
    for bad in (
        (np.ones((2, 3)), y, 1.0, y),
        (K, [1.0], 1.0, y),
        (K, y, 1.0, [np.nan, 1.0]),
        (K, y, 0.0, y),
        (K, y, 1.0, y, np.nan),
    ):
        with pytest.raises(
            ValueError, match=r"K has shape|y has shape|NaN|penalty must be|b must be"
        ):
            ridge_certificate(*bad)
    with pytest.raises(ValueError, match="rounding must be"):
        ridge_certificate(K, y, 1.0, y, rounding=2.0)


def test_the_ridge_certificate_prints_its_numbers_and_its_verdict():
    fit = kernel_ridge([[0.0], [1.0]], [0.0, 1.0], Linear(), 1.0)
    assert "1e-09 of the objective of w = 0; f is not rounded" in " ".join(
        str(fit.certificate).split()
    )
    assert "primal objective" in str(fit.certificate)
    refuted = ridge_certificate(-np.eye(2), [1.0, 2.0], 1.0, [1.0, 2.0])
    assert str(refuted).endswith("refuted: K is a Gram matrix: refuted")
    assert issubclass(proof.RidgeCertificate, proof.Proof)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2), Gaussian(1.0)], ids=repr)
@pytest.mark.parametrize("scale", [1e-60, 1e-8, 1e8, 1e20, 1e40, 1e70, 1e140])
def test_no_scale_of_the_data_ends_in_a_crash(scale, kernel):
    rng = np.random.default_rng(0)
    X, y = scale * rng.normal(size=(8, 2)), rng.normal(size=8)
    for offset in (False, True):
        try:
            assert kernel_ridge(X, y, kernel, 1e-3, offset=offset).certificate.verdict
        except ValueError as refusal:
            assert (
                "overflow: rescale" in str(refusal)
                or "scale X" in str(refusal)
                or ("NaN or infinity" in str(refusal))
            )


@pytest.mark.parametrize("far", [0.0, 1e3, 1.7e12])
def test_the_objective_that_is_shown_is_true_up_to_what_is_said_of_it(far):
    """Examples and targets far away, no offset: it was shown as 70 where it is 170."""
    rng = np.random.default_rng(0)
    for shift in (0.0, 1e4, 1e8):
        X = rng.normal(size=(6, 2)).round(3) + shift
        y = (3 * X[:, 0] + rng.normal(size=6)).round(3) + far
        fit = kernel_ridge(X, y, Linear(), 0.1)
        alpha, rows = exact(fit.alpha), [exact(x) for x in X]
        w = [sum(a * x[j] for a, x in zip(alpha, rows)) for j in range(2)]
        errors = [t - sum(v * a for v, a in zip(w, x)) for t, x in zip(exact(y), rows)]
        value = sum(e * e for e in errors) + Fraction(0.1) * sum(v * v for v in w)
        proof = fit.certificate
        assert abs(Fraction(proof.primal) - value) <= Fraction(proof.off)
        wide = proof.off > 1e-6 * proof.primal
        assert ("both known up to" in str(proof)) == wide
