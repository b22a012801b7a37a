"""Checks of the exercises on kernels (08 to 10, 18); `exercises` lists them."""

from collections.abc import Callable, Iterator

import numpy as np

from .tries import Try, text


def quadratic_map(answer: Callable) -> Iterator[Try]:
    """08: phi(x) for x in the plane, with phi(x).phi(z) = (1 + x.z)^2."""
    rng = np.random.default_rng(8)
    for x, z in rng.normal(size=(10, 2, 2)):
        given = f"x = {text(x)}, z = {text(z)}"
        got = answer(x.copy())
        if got is None:
            yield False, "", given, None
        a, b = (np.asarray(v, dtype=float).ravel() for v in (got, answer(z.copy())))
        yield a.shape == b.shape, "phi must have the same length for x and z", given, len(a)
        wish = (1 + x @ z) ** 2
        claim = f"phi(x).phi(z) must be (1 + x.z)^2 = {wish:.4f}"
        yield bool(np.isclose(a @ b, wish)), claim, given, f"{a @ b:.4f}"


def gaussian(answer: Callable) -> Iterator[Try]:
    """09: gaussian(X, Z, sigma) returns the Gram block exp(-norm(x - z)^2 / (2 sigma^2))."""
    rng = np.random.default_rng(9)
    for sigma in (0.7, 1.6):
        X, Z = rng.normal(size=(3, 2)), rng.normal(size=(5, 2))
        given = f"X = {text(X)}, Z = {text(Z)}, sigma = {sigma}"
        got = answer(X.copy(), Z.copy(), sigma)
        if got is None:
            yield False, "", given, None
        K = np.asarray(got, dtype=float)
        yield (
            K.shape == (3, 5),
            "the block needs a row an x and a column a z: (3, 5)",
            given,
            K.shape,
        )
        same = np.asarray(answer(X.copy(), X.copy(), sigma), dtype=float)
        unit = np.allclose(np.diag(same), 1.0)
        yield unit, "a point with itself must give 1", given, text(np.diag(same))
        squares = np.array([[float((x - z) @ (x - z)) for z in Z] for x in X])
        found = -2 * sigma**2 * np.log(np.clip(K, 1e-300, None))
        claim = f"-2 sigma^2 log K must be the squared distances {text(squares)}"
        yield bool(np.allclose(found, squares)), claim, given, text(K)


def score(answer: Callable) -> Iterator[Try]:
    """10: score(alpha, y, K) returns sum_i alpha_i y_i K[i, t] for each column t."""
    rng = np.random.default_rng(10)
    for n, m in ((4, 3), (3, 6)):
        X, Z = rng.normal(size=(n, 2)), rng.normal(size=(m, 2))
        alpha, y = rng.integers(0, 4, size=n), rng.choice([-1.0, 1.0], size=n)
        K = X @ Z.T
        given = f"alpha = {text(alpha)}, y = {text(y)}, K = {text(K)}"
        got = answer(alpha.copy(), y.copy(), K.copy())
        if got is None:
            yield False, "", given, None
        f = np.asarray(got, dtype=float)
        yield f.shape == (m,), f"it needs one score a column of K: {m}", given, f.shape
        w = sum(a * label * x for a, label, x in zip(alpha, y, X, strict=True))
        claim = f"with K = X Z' it must be w.z for w = sum alpha y x: {text(Z @ w)}"
        yield bool(np.allclose(f, Z @ w)), claim, given, text(f)


def ridge(answer: Callable) -> Iterator[Try]:
    """18: ridge(K, y, penalty) returns the coefficients of kernel ridge regression."""
    rng = np.random.default_rng(18)
    for penalty in (0.3, 4.0):
        # Nine features: K and K + 1 are regular, so a wrong answer is a number on every machine.
        Phi, y = rng.normal(size=(6, 9)), rng.normal(size=6)
        K = Phi @ Phi.T
        given = f"K = Phi Phi' of shape (6, 6), y = {text(y)}, penalty = {penalty}"
        got = answer(K.copy(), y.copy(), penalty)
        if got is None:
            yield False, "", given, None
        alpha = np.asarray(got, dtype=float).ravel()
        yield alpha.shape == (6,), "one coefficient an example is needed: 6", given, alpha.shape
        w = Phi.T @ alpha
        slope = Phi.T @ (Phi @ w - y) + penalty * w
        claim = "w = sum alpha phi must make the slope of half the squared errors + penalty 0"
        yield bool(np.allclose(slope, 0, atol=1e-8)), claim, given, text(alpha)
