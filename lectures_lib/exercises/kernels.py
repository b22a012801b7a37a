"""Checks of the exercises on kernels (08 to 10, 18)."""

from collections.abc import Iterator

import numpy as np

from .tries import Answer, Try, text


def quadratic_map(answer: Answer) -> Iterator[Try]:
    """08: phi(x) for x in the plane, with phi(x).phi(z) = (1 + x.z)^2."""
    rng = np.random.default_rng(8)
    for x, z in rng.normal(size=(10, 2, 2)):
        back = answer(x=x)
        a = back.vector(np.size(back.value), flat=True)
        b = answer(x=z).vector(len(a), flat=True)
        wish = (1 + x @ z) ** 2
        claim = (
            f"phi(x).phi(z) must be (1 + x.z)^2 = {wish:.4f} for z = {text(z)}; it is {a @ b:.4f}"
        )
        yield np.isclose(a @ b, wish), claim, back


def gaussian(answer: Answer) -> Iterator[Try]:
    """09: gaussian(X, Z, sigma) returns the Gram block exp(-norm(x - z)^2 / (2 sigma^2))."""
    rng = np.random.default_rng(9)
    for sigma in (0.7, 1.6):
        X, Z = rng.normal(size=(3, 2)), rng.normal(size=(5, 2))
        back = answer(X=X, Z=Z, sigma=sigma)
        K = back.array(3, 5)
        same = answer(X=X, Z=X, sigma=sigma).array(3, 3)
        yield np.allclose(np.diag(same), 1.0), "a point with itself must give 1"
        squares = np.array([[float((x - z) @ (x - z)) for z in Z] for x in X])
        found = -2 * sigma**2 * np.log(np.clip(K, 1e-300, None))
        claim = f"-2 sigma^2 log K must be the squared distances {text(squares)}"
        yield np.allclose(found, squares), claim, back


def score(answer: Answer) -> Iterator[Try]:
    """10: score(alpha, y, K) returns sum_i alpha_i y_i K[i, t] for each column t."""
    rng = np.random.default_rng(10)
    for n, m in ((4, 3), (3, 6)):
        X, Z = rng.normal(size=(n, 2)), rng.normal(size=(m, 2))
        alpha, y = rng.integers(0, 4, size=n), rng.choice([-1.0, 1.0], size=n)
        f = answer(alpha=alpha, y=y, K=X @ Z.T).vector(m)
        w = sum(a * label * x for a, label, x in zip(alpha, y, X, strict=True))
        claim = f"with K = X Z' it must be w.z for w = sum alpha y x: {text(Z @ w)}"
        yield np.allclose(f, Z @ w), claim


def ridge(answer: Answer) -> Iterator[Try]:
    """18: ridge(K, y, penalty) returns the coefficients of kernel ridge regression."""
    rng = np.random.default_rng(18)
    for penalty in (0.3, 4.0):
        # Nine features: K and K + 1 are regular, so a wrong answer is a number on every machine.
        Phi, y = rng.normal(size=(6, 9)), rng.normal(size=6)
        given = f"K = Phi Phi' of shape (6, 6), y = {text(y)}, penalty = {penalty}"
        K = Phi @ Phi.T
        alpha = answer(given, K=K, y=y, penalty=penalty).vector(6, flat=True)
        w = Phi.T @ alpha
        slope = Phi.T @ (Phi @ w - y) + penalty * w
        claim = "the slope of J at w = sum alpha phi must be 0: K alpha + penalty alpha must be y"
        if np.allclose(K @ alpha + penalty * alpha.sum(), y):
            claim += "; add the penalty on the diagonal only"
        yield np.allclose(slope, 0, atol=1e-8), claim


CHECKS = {"map": quadratic_map, "gaussian": gaussian, "score": score, "ridge": ridge}
