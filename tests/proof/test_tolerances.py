"""A claim says one tolerance in numbers, and rounding is bounded inside it: planted liars.

Every statement is restated here in fractions, from the sentence that the certificate prints: the
tolerance is never taken from the certificate.
"""

import re
from fractions import Fraction

import numpy as np
import pytest

from lectures_lib import kernel_methods, kernels, proof
from lectures_lib.kernel_methods import kernel_kmeans, kernel_ridge, support_vector_regression
from lectures_lib.proof.regression import svr_certificate

LINEAR = kernels.Linear()
#: What the sentences say: of the objective of w = 0; of the best, and of C sum abs(y - median).
RIDGE, TUBE, FLAT = Fraction(1, 10**9), Fraction(1, 10**4), Fraction(1, 10**9)
#: Targets as they are in practice: Unix seconds, milliseconds, microseconds; a year; nothing far.
FAR = [0.0, 2026.0, 1.7e9, 1.7e12, 1.7e15]


def exact(values) -> np.ndarray:
    values = np.asarray(values, dtype=float)
    flat = [Fraction(v) for v in values.ravel().tolist()]
    return np.array(flat, dtype=object).reshape(values.shape)


# --- ridge ---------------------------------------------------------------------------------------


def ridge_gap(X, y, penalty, f, w, s=None):
    """Return objective - best objective and the objective of the best constant, for x.z and a b."""
    X, y, penalty = exact(X), exact(y), Fraction(penalty)
    s = np.array([Fraction(1)] * len(y)) if s is None else exact(s)
    value = (s * (y - f) ** 2).sum() + penalty * (w @ w)
    A = np.hstack([X, np.array([[Fraction(1)]] * len(y))])
    P = (A * s[:, None]).T @ A
    for j in range(X.shape[1]):
        P[j, j] += penalty
    best = solve(P, (A * s[:, None]).T @ y)
    least = (s * (y - A @ best) ** 2).sum() + penalty * (best[:-1] @ best[:-1])
    mean = (s * y).sum() / s.sum()
    return value - least, (s * (y - mean) ** 2).sum()


def solve(A, b):
    """Solve A x = b by elimination, in fractions."""
    M = np.hstack([A, b[:, None]])
    for j in range(len(M)):
        p = next(i for i in range(j, len(M)) if M[i, j])
        M[[j, p]] = M[[p, j]]
        M[j] = M[j] / M[j, j]
        for i in range(len(M)):
            if i != j:
                M[i] = M[i] - M[i, j] * M[j]
    return M[:, -1]


def fitted(fit):
    """Return f on the training examples and w of a linear fit, by the formula in its fields."""
    alpha, X = exact(fit.alpha), exact(fit.X)
    Z = X if fit.centre is None else X - exact(fit.centre)
    b = fit.b if fit.centre is None else fit.at_centre
    w = alpha @ Z
    return Z @ w + Fraction(b) + Fraction(fit.middle), w


@pytest.mark.parametrize("far", FAR)
@pytest.mark.parametrize("seed", range(8))
def test_ridge_proves_its_own_answers_within_what_it_says_and_no_more(far, seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 9))
    X = rng.normal(size=(n, 2))
    y = far + 3 * X[:, 0] + rng.normal(size=n)
    fit = kernel_ridge(X, y, LINEAR, 1.0, offset=True)
    gap, flat = ridge_gap(X, y, 1.0, *fitted(fit))
    assert fit.converged
    assert gap <= RIDGE * flat
    assert "1e-09 of the objective of w = 0" in fit.certificate.reason


@pytest.mark.parametrize("far", FAR)
@pytest.mark.parametrize("share", [0.5, 0.0, 1 + 1e-3])
def test_ridge_proves_no_other_multipliers_however_far_the_targets_are(far, share):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 1))
    y = far + 3 * X[:, 0]
    K = X @ X.T
    fit = kernel_ridge(X, y, LINEAR, 1.0, offset=True)
    b = float(np.mean((y - fit.middle) - K @ (share * fit.alpha)))
    judged = proof.ridge_certificate(K, y, 1.0, share * fit.alpha, b, middle=fit.middle)
    assert not judged.holds
    plain = proof.ridge_certificate(K, y, 1.0, share * fit.alpha, b + fit.middle)
    assert not plain.holds


@pytest.mark.parametrize("weights", [None, np.array([1.0, 4.0, 0.25, 100.0])])
def test_ridge_of_equal_targets_is_their_constant_and_nothing_else(weights):
    X, y = np.array([[0.0], [1.0], [2.0], [5.0]]), np.full(4, 0.1)
    method = kernel_methods.weighted_kernel_ridge
    given = (X, y) if weights is None else (X, y, weights)
    fit = (kernel_ridge if weights is None else method)(*given, LINEAR, 1.0, offset=True)
    assert fit.converged
    assert fit.predict(X).tolist() == y.tolist()
    lie = proof.ridge_certificate(X @ X.T, y, 1.0, [1e-12, 0, 0, -1e-12], 0.1, weights=weights)
    assert not lie.holds


def test_a_middle_that_is_not_near_the_targets_is_refused():
    with pytest.raises(ValueError, match="not near"):
        proof.ridge_certificate([[1.0]], [2.0], 1.0, [0.0], 0.0, middle=9.0)
    with pytest.raises(ValueError, match="belongs to an offset"):
        proof.ridge_certificate([[1.0]], [2.0], 1.0, [0.0], middle=2.0)


# --- k-means -------------------------------------------------------------------------------------


def misplaced(X, labels) -> int:
    """Return how many points are nearer to another mean, by 1e-9 of their own squared distance."""
    F, names = exact(X), sorted(set(labels.tolist()))
    means = [F[labels == c].sum(axis=0) / int((labels == c).sum()) for c in names]
    count = 0
    for x, label in zip(F, labels.tolist()):
        D = [((x - mean) ** 2).sum() for mean in means]
        count += min(D) < D[names.index(label)] * (1 - RIDGE)
    return count


@pytest.mark.parametrize("outlier", [1.0, 1e3, 1e6, 1e9])
@pytest.mark.parametrize("seed", range(6))
def test_one_outlier_makes_no_clusters_stable(outlier, seed):
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(size=(150, 2)), [[outlier, outlier]]])
    early = kernel_kmeans(X, LINEAR, 5, restarts=1, rng=seed, max_iterations=1)
    late = kernel_kmeans(X, LINEAR, 5, restarts=1, rng=seed)
    for run in (early, late):
        assert not (run.certificate.stable and misplaced(X, run.labels))
    assert not early.certificate.stable
    if outlier <= 1e3:
        assert late.certificate.stable


def test_kmeans_says_its_tolerance():
    run = kernel_kmeans([[0.0], [2.0], [9.0]], LINEAR, 2)
    assert "1e-09 of its own squared distance" in run.certificate.reason


def test_equal_points_are_one_stable_cluster():
    run = kernel_kmeans(np.full((80, 2), 0.1), LINEAR, 1)
    assert run.converged


# --- support vector regression -------------------------------------------------------------------


def tube_objective(machine) -> Fraction:
    """Return half norm(w)^2 + C sum xi of a linear machine, by the formula in its fields."""
    beta, X, y = exact(machine.beta), exact(machine.X), exact(machine.y)
    Z = X if machine.centre is None else X - exact(machine.centre)
    b = machine.b if machine.centre is None else machine.b_centred
    w = beta @ Z
    errors = np.abs(y - Z @ w - Fraction(b) - Fraction(machine.middle)) - Fraction(machine.epsilon)
    return w @ w / 2 + Fraction(machine.C) * np.maximum(0, errors).sum()


def tube_best(X, y, C, epsilon) -> tuple[Fraction, Fraction]:
    """Return the least objective, by the rational program, and C sum abs(y - lower median)."""
    from tools.referee.subjects.regressions import tube_best as least

    F, targets = exact(X), exact(y)
    K = (F @ F.T).tolist()
    median = sorted(targets.tolist())[(len(y) - 1) // 2]
    flat = Fraction(C) * np.abs(targets - median).sum()
    return least(K, targets.tolist(), Fraction(C), Fraction(epsilon)), flat


@pytest.mark.parametrize("far", [0.0, 1e9, 1e12, 1e13, 1e14, 1e15])
@pytest.mark.parametrize("seed", range(5))
def test_svr_proves_what_it_says_however_far_the_targets_are(far, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(6, 2))
    y = far + rng.normal(size=6)
    machine = support_vector_regression(X, y, 5.0, 0.0)
    best, flat = tube_best(X, y, 5.0, 0.0)
    assert machine.converged
    assert tube_objective(machine) - best <= TUBE * best + FLAT * flat
    assert "0.0001 of the best objective and 1e-09 of C sum" in machine.certificate.reason


@pytest.mark.parametrize("far", [0.0, 1e9, 1e15])
def test_svr_proves_no_offset_that_is_off(far):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(30, 2))
    y = far + rng.normal(size=30)
    machine = support_vector_regression(X, y, 5.0, 0.0)
    K = (X - machine.centre) @ (X - machine.centre).T
    told = {"middle": machine.middle}
    fine = svr_certificate(K, y, 5.0, 0.0, machine.beta, machine.b_centred, **told)
    off = svr_certificate(K, y, 5.0, 0.0, machine.beta, machine.b_centred + 0.01, **told)
    assert fine.verdict != "refuted"
    assert not off.holds
    rounded = svr_certificate(K, y, 5.0, 0.0, machine.beta, machine.b_centred + machine.middle)
    if far > 1e14:
        assert not rounded.holds


@pytest.mark.parametrize("epsilon", [0.0, 0.1])
@pytest.mark.parametrize("n", [3, 120])
def test_svr_of_equal_targets_is_their_constant(n, epsilon):
    X = np.random.default_rng(0).normal(size=(n, 2))
    machine = support_vector_regression(X, np.full(n, 0.3), 2.0, epsilon)
    assert machine.converged
    assert machine.certificate.primal == 0


# --- the one float b, far out --------------------------------------------------------------------


@pytest.mark.parametrize("far", [0.0, 1e6, 1e9, 1e12, 1e13])
@pytest.mark.parametrize("fit", ["tube", "ridge", "weighted"])
def test_far_out_a_regression_says_what_the_one_float_b_makes_of_f(fit, far):
    """By the formula beside `b`, from the origin: the claim holds, or it says how far f is off."""
    rng = np.random.default_rng(0)
    X = np.round(rng.normal(size=(10, 2)), 3) + far
    y, s = X[:, 0] - far + 0.1 * rng.normal(size=10), np.arange(1.0, 11.0)
    if fit == "tube":
        found = support_vector_regression(X, y, 1000.0, 0.05)
        multipliers, b = found.beta, found.b_centred
    else:
        weights = s if fit == "weighted" else np.ones(10)
        found = kernel_methods.weighted_kernel_ridge(X, y, weights, LINEAR, 1.0, offset=True)
        multipliers, b = found.alpha, found.at_centre
    assert found.converged and sum(exact(multipliers)) == 0
    w = exact(multipliers) @ exact(X)
    proved = (exact(X) - exact(found.centre)) @ w + Fraction(b)
    shown = exact(X) @ w + Fraction(found.b)
    off = max(abs(proved - shown))
    said = found.certificate.reason
    told = re.search(r"; b is rounded: with it f is off by up to (\S+?);", said)
    assert off <= (Fraction(told[1]) if told else Fraction(found.certificate.tolerance))
    assert bool(told) == (far >= 1e9 and off > 0)
    if fit != "tube":
        gap, flat = ridge_gap(X, y, 1.0, shown, w, weights)
        assert told or gap <= RIDGE * flat
        return
    best, errors = Fraction(found.certificate.below.low), abs(exact(y) - shown) - Fraction(0.05)
    value = w @ w / 2 + 1000 * sum(max(Fraction(0), error) for error in errors)
    assert told or value - best <= Fraction(found.certificate.tolerance)
