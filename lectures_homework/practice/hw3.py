"""Practice for homework 3: the visible checks on inputs that are drawn anew."""

from typing import Any

import numpy as np

from lectures_lib.kernels import Gaussian, Polynomial
from lectures_lib.perceptron import kernel_perceptron

from ..hw3 import expect_refuted, expect_valid, line_set
from ..language.drawing import drawn
from .draws import Draws


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


again = Draws()
add_again = again.add


@again("q1", "K[i, j] compares row i of X with row j of Z")
def _(rng):
    X, Z = grid(rng, 5, 3), grid(rng, 3, 3) + 1 / 16
    Z[1] = X[4]
    yield X, Z, 1.25


@again("q1", "the exponent is -‖x - z‖² / (2 σ²)")
def _(rng):
    yield grid(rng, 4, 3), grid(rng, 2, 3), float(rng.choice([0.8, 1.3, 1.7]))


@again("q2", "polynomial: (1 + x·z)^p for every pair")
def _(rng):
    X, Z = np.abs(grid(rng, 4, 2)) + 0.25, np.abs(grid(rng, 3, 2)) + 0.25
    return [(X, Z, 3), (X, Z, 2)]


@again("q2", "phi: in the plane, phi(x)·phi(z) = (1 + x·z)²")
def _(rng):
    yield grid(rng, 4, 2), grid(rng, 3, 2)


@again("q3", "a Gram matrix is valid, rounding forgiven")
def _(rng):
    yield Polynomial(1)(grid(rng, 6, 2)), expect_valid
    yield turned(rng, np.array([2.5, 1.0, 3e-11, 0.0])), expect_valid
    yield turned(rng, np.array([2.5, 1.0, 0.5, -0.5])), expect_refuted


@again("q3", "a false Gram matrix is refuted by a vector")
def _(rng):
    for values in ([2.5, 1.5, -0.5], [3.0, -0.25, -1.5, -0.5], [-1.0, -0.5]):
        yield (turned(rng, np.array(values)),)


@again("q4", "alpha counts the mistakes of each example")
def _(rng):
    X, y, _ = examples(rng, 7, 2, Gaussian(1.25))
    return [(X, y, 1.25, 1), (X, y, 1.25, 3)]


@again("q4", "scores: every new point meets the training points")
def _(rng):
    X, Z = grid(rng, 5, 3), grid(rng, 3, 3)
    y, alpha = rng.permutation([1.0, -1.0, 1.0, -1.0, 1.0]), rng.permutation(5).astype(float)
    yield X, y, alpha, Z


@again("q5", "your own set: a separating alpha at the smallest degree")
def _(rng):
    yield line_set(rng, int(rng.integers(2, 5)))
