"""Practice for homework 3: the visible checks on inputs that are drawn anew."""

from typing import Any

import numpy as np

from lectures_lib.kernels import Gaussian, Polynomial
from lectures_lib.perceptron import kernel_perceptron

from ..hw3 import (
    ENOUGH,
    counts,
    expect_degree,
    expect_inner,
    expect_refuted,
    expect_valid,
    features,
    line_set,
)
from ..language.checks import Assignment, close, expect
from ..language.drawing import drawn
from ..language.reading import array, vector


def grid(rng: np.random.Generator, n: int, d: int, *, most: int = 12) -> Any:
    """Return different points on a grid of eighths."""
    while True:
        X = rng.integers(-most, most + 1, size=(n, d)) / 8
        if len(np.unique(X, axis=0)) == n:
            return X


def turned(rng: np.random.Generator, values: Any) -> Any:
    """Return a symmetric matrix with these eigenvalues, in random directions."""
    U = np.linalg.qr(rng.normal(size=(len(values), len(values))))[0]
    K = (U * values) @ U.T
    return (K + K.T) / 2


def eventful(K: np.ndarray, y: np.ndarray, run: Any) -> Any:
    """True if no score of the run is near 0 but the first, and no shortcut makes this alpha."""
    f, scores = np.zeros(len(y)), []
    for t in run.mistakes:
        f = f + y[t] * K[t]
        scores.append(np.abs(f).min())
    if len(run.mistakes) < len(y) or min(scores) < 1e-3 or len(set(run.alpha)) < 4:
        return False
    hows = ({"stay": 8}, {"frozen": True}, {"without": 1.0}, {"zero": True}, {"restart": True})
    return all(np.any(shortcut(K, y, **how) != run.alpha) for how in hows)


def shortcut(
    K: np.ndarray,
    y: np.ndarray,
    *,
    stay: int = 1,
    frozen: bool = False,
    without: float = 0.0,
    zero: bool = False,
    restart: bool = False,
) -> Any:
    """Return alpha of a run that is not the lecture's.

    It stays at an example, freezes scores, leaves K[t, t] out, forgives positive examples a score
    of 0, or begins a new pass after every mistake.
    """
    Q = y[:, None] * K * y
    forgiven = zero & (y > 0)
    alpha = np.zeros(len(y))
    for _ in range(60):
        before = alpha.copy()
        for t in range(len(y)):
            for _ in range(stay):
                counts_now = before if frozen else alpha
                score = Q[t] @ counts_now - without * counts_now[t] * Q[t, t]
                alpha[t] += score < 0 or (score == 0 and not forgiven[t])
            if restart and alpha[t] > before[t]:
                break
        if np.array_equal(before, alpha):
            break
    return alpha


@drawn
def examples(rng: np.random.Generator, n: int, d: int, kernel: Any) -> Any:
    """Return points, labels and the run on them: some passes, then a clean one."""
    while True:
        X, u = grid(rng, n, d), rng.normal(size=d)
        y = np.where(X @ u + 0.6 * rng.normal(size=n) > 0, 1.0, -1.0)
        y[0] = 1.0
        run = kernel_perceptron(X, y, kernel, max_epochs=60)
        if run.converged and run.epochs > 4 and eventful(kernel(X), y, run):
            return X, y, run


def _add_q1_to_q2(HW: Assignment) -> None:
    @HW.again("q1", "K[i, j] compares row i of X with row j of Z")
    def _(call, rng):
        X, Z = grid(rng, 5, 3), grid(rng, 3, 3) + 1 / 16
        Z[1] = X[4]
        K = array(call("gaussian", X, Z, 1.25), (5, 3), "5 rows in X and 3 in Z")
        expect(close(K[4, 1], 1.0), "x = z gives 1, whatever sigma")
        expect((np.delete(K.ravel(), 13) < 1).all(), "x and z differ, so K[i, j] is below 1")

    @HW.again("q1", "the exponent is -‖x - z‖² / (2 σ²)")
    def _(call, rng):
        X, Z, sigma = grid(rng, 4, 3), grid(rng, 2, 3), float(rng.choice([0.8, 1.3, 1.7]))
        K = array(call("gaussian", X, Z, sigma), (4, 2), "4 rows in X and 2 in Z")
        expect(close(K, Gaussian(sigma)(X, Z)), "the exponent is -‖x - z‖² / (2 σ²)")

    @HW.again("q2", "polynomial: (1 + x·z)^p for every pair")
    def _(call, rng):
        X, Z = np.abs(grid(rng, 4, 2)) + 0.25, np.abs(grid(rng, 3, 2)) + 0.25
        for p in (3, 2):
            K = array(call("polynomial", X, Z, p), (4, 3), "4 rows in X and 3 in Z")
            expect(close(K, Polynomial(p)(X, Z)), "(1 + x·z)^p")

    @HW.again("q2", "phi: in the plane, phi(x)·phi(z) = (1 + x·z)²")
    def _(call, rng):
        X, Z = grid(rng, 4, 2), grid(rng, 3, 2)
        expect_inner(features(call("phi", X), 4), features(call("phi", Z), 3), X, Z)


def _add_q3_to_q5(HW: Assignment) -> None:
    @HW.again("q3", "a Gram matrix is valid, rounding forgiven")
    def _(call, rng):
        for K in (Polynomial(1)(grid(rng, 6, 2)), turned(rng, np.array([2.5, 1.0, 3e-11, 0.0]))):
            expect_valid(call("psd", K), K)
        K = turned(rng, np.array([2.5, 1.0, 0.5, -0.5]))
        expect_refuted(call("psd", K), K)

    @HW.again("q3", "a false Gram matrix is refuted by a vector")
    def _(call, rng):
        for values in ([2.5, 1.5, -0.5], [3.0, -0.25, -1.5, -0.5], [-1.0, -0.5]):
            K = turned(rng, np.array(values))
            expect_refuted(call("psd", K), K)

    @HW.again("q4", "alpha counts the mistakes of each example")
    def _(call, rng):
        kernel = Gaussian(1.25)
        X, y, _ = examples(rng, 7, 2, kernel)
        for passes in (1, 3):
            want = kernel_perceptron(X, y, kernel, max_epochs=passes).alpha
            alpha, _ = counts(call("kernel_perceptron", kernel(X), y, passes), 7)
            expect(close(alpha, want), "alpha counts the mistakes of the lecture's run")

    @HW.again("q4", "scores: every new point meets the training points")
    def _(call, rng):
        X, Z = grid(rng, 5, 3), grid(rng, 3, 3)
        y, alpha = rng.permutation([1.0, -1.0, 1.0, -1.0, 1.0]), rng.permutation(5).astype(float)
        f = vector(call("scores", X, y, alpha, Z, 1.5), 3, "one score a new point")
        expect(close(f, Gaussian(1.5)(Z, X) @ (alpha * y)), "f(z) = Σ α y K(x, z)")

    @HW.again("q5", "your own set: a separating alpha at the smallest degree")
    def _(call, rng):
        X, y = line_set(rng, int(rng.integers(2, 5)))
        expect_degree(call("smallest_degree", X, y, ENOUGH), X, y)


def add_again(HW: Assignment) -> None:
    """Register the visible checks on inputs drawn anew."""
    _add_q1_to_q2(HW)
    _add_q3_to_q5(HW)
