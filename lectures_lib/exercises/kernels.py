"""Checks of the exercises on kernels (08 to 10, 18)."""

from collections.abc import Iterator

import numpy as np

from .reading import apart, named, text
from .tries import Answer, Try


def quadratic_map(answer: Answer) -> Iterator[Try]:
    """08: phi(x) for x in the plane, with phi(x).phi(z) = (1 + x.z)^2."""
    rng = np.random.default_rng(8)
    for x, z in np.round(rng.normal(size=(10, 2, 2)), 2):
        back = answer(x=x)
        a, b = back.entries(), answer(x=z).entries()
        same = f"it must have as many entries for every point; for {text(z)} it has {len(b)}"
        yield len(a) == len(b), same, back
        wish, size = (1 + x @ z) ** 2, (1 + np.linalg.norm(x) * np.linalg.norm(z)) ** 2
        due, made = apart(wish, a @ b)
        claim = f"phi(x).phi(z) must be (1 + x.z)^2 = {due} for z = {text(z)}; it is {made}"
        single, double = 1 + (x * x) @ (z * z), x @ z + x[0] * z[0] * x[1] * z[1]
        slips = {
            "three terms need the root of 2": single + double,
            "both sides have the 2: each takes its root": single + 4 * double,
            "this is (x.z)^2": (x @ z) ** 2,
        }
        claim += named(a @ b, slips)
        yield abs(a @ b - wish) <= 5e-6 * size, claim, back


def gaussian(answer: Answer) -> Iterator[Try]:
    """09: gaussian(X, Z, sigma) returns the Gram block exp(-norm(x - z)^2 / (2 sigma^2))."""
    rng = np.random.default_rng(9)
    for sigma, m, n, d in ((1.6, 3, 2, 3), (0.7, 3, 5, 2), (0.3, 2, 3, 1)):
        X, Z = np.round(rng.normal(size=(m, d)), 1), np.round(rng.normal(size=(n, d)), 1)
        back = answer(X=X, Z=Z, sigma=sigma)
        K = back.array(m, n)
        same = answer(X=X, Z=X, sigma=sigma).array(m, m)
        yield np.allclose(np.diag(same), 1.0), "a point with itself must give 1"
        squares = np.array([[float((x - z) @ (x - z)) for z in Z] for x in X])
        yield np.allclose(K, np.exp(-squares / (2 * sigma**2))), _width(K, squares, sigma), back


def _width(K: np.ndarray, squares: np.ndarray, sigma: float) -> str:
    """Say what the first entry must be, and which famous slip this block is."""
    claim = f"x = X[0] and z = Z[0] have norm(x - z)^2 = {squares[0, 0]:.4f}, so K[0, 0] must be "
    claim += f"exp(-{squares[0, 0]:.4f} / {2 * sigma**2:.4f}) = "
    claim += f"{np.exp(-squares[0, 0] / (2 * sigma**2)):.4g}"
    exponents = {
        "the 2 of 2 sigma^2 is missing": -squares / sigma**2,
        "sigma is not squared": -squares / (2 * sigma),
        "the 2 is squared, too: 2 sigma^2, not (2 sigma)^2": -squares / (2 * sigma) ** 2,
        "a / 2 * s is (a / 2) times s: put brackets around 2 * sigma**2": -squares / 2 * sigma**2,
        "the distance is not squared": -np.sqrt(squares) / (2 * sigma**2),
        "the minus sign is missing": squares / (2 * sigma**2),
        "sigma is missing": -squares / 2,
    }
    return claim + named(K, {name: np.exp(power) for name, power in exponents.items()})


def score(answer: Answer) -> Iterator[Try]:
    """10: score(alpha, y, K) returns sum_i alpha_i y_i K[i, t] for each column t."""
    rng = np.random.default_rng(10)
    for n, m in ((4, 3), (3, 6)):
        X, Z = rng.integers(-6, 7, size=(n, 2)) / 2, rng.integers(-6, 7, size=(m, 2)) / 2
        alpha, y = rng.integers(0, 4, size=n), rng.choice([-1.0, 1.0], size=n)
        f = answer(alpha=alpha, y=y, K=X @ Z.T).vector(m)
        w = sum(a * label * x for a, label, x in zip(alpha, y, X, strict=True))
        t = int(np.argmax(~np.isclose(f, Z @ w)))
        claim = "this K holds the products x.z of points of the plane, and with w = sum alpha y x "
        due, made = apart((Z @ w)[t], f[t])
        claim += f"the score of column {t} must be w.z = {due}; it is {made}"
        K = X @ Z.T
        slips = {"the labels are missing": alpha @ K, "the counts are missing": y @ K}
        claim += named(f, slips)
        yield np.allclose(f, Z @ w), claim


def ridge(answer: Answer) -> Iterator[Try]:
    """18: ridge(K, y, penalty) returns the coefficients of kernel ridge regression."""
    rng = np.random.default_rng(18)
    for penalty, n in ((0.3, 4), (4.0, 3)):
        # Seven features: K and K + 1 are regular, so a wrong answer is a number on every machine.
        Phi, y = rng.integers(-3, 4, size=(n, 7)).astype(float), np.round(rng.normal(size=n), 1)
        K = Phi @ Phi.T
        alpha = answer(K=K, y=y, penalty=penalty).vector(n)
        w = Phi.T @ alpha
        slope = Phi.T @ (Phi @ w - y) + penalty * w
        claim = "the slope of J at w = sum alpha phi must be 0: K alpha + penalty alpha must be y, "
        claim += f"and it is {text(K @ alpha + penalty * alpha)}"
        tables = {
            "the penalty is missing": K,
            "add the penalty on the diagonal only": K + penalty,
            "the penalty counts twice": K + 2 * penalty * np.eye(n),
            "add the penalty, do not subtract it": K - penalty * np.eye(n),
        }
        claim += named(alpha, {name: np.linalg.solve(A, y) for name, A in tables.items()})
        yield np.allclose(slope, 0, atol=1e-5), claim


CHECKS = {"map": quadratic_map, "gaussian": gaussian, "score": score, "ridge": ridge}
