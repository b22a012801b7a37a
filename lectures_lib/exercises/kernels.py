"""Checks of the exercises on kernels and what they do (08 to 10, 18)."""

from collections.abc import Iterator
from itertools import product

import numpy as np

from .reading import named, near, text
from .tries import Answer, Try

#: stuck: how many times the best J the trap must cost
RATIO = 100


def quadratic_map(answer: Answer) -> Iterator[Try]:
    """08: phi(x) for x in the plane, with phi(x).phi(z) = (1 + x.z)^2."""
    rng = np.random.default_rng(8)
    for x, z in np.round(rng.normal(size=(10, 2, 2)), 2):
        back = answer(x=x)
        a, b = back.entries(), answer(x=z).entries()
        same = f"it must have as many entries for every point; for {text(z)} it has {len(b)}"
        yield len(a) == len(b), same, back
        wish, size = (1 + x @ z) ** 2, (1 + np.linalg.norm(x) * np.linalg.norm(z)) ** 2
        claim = f"phi(x).phi(z), with z = {text(z)}, must be (1 + x.z)^2 ="
        single, double = 1 + (x * x) @ (z * z), x @ z + x[0] * z[0] * x[1] * z[1]
        slips = {
            "three terms need the root of 2": single + double,
            "both sides have the 2: each takes its root": single + 4 * double,
            "this is (x.z)^2": (x @ z) ** 2,
        }
        yield *near(a @ b, wish, claim, slips, rtol=0, atol=5e-6 * size), back


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
        claim += f"the score of column {t} must be w.z ="
        K = X @ Z.T
        slips = {"the labels are missing": alpha @ K, "the counts are missing": y @ K}
        yield near(f[t], (Z @ w)[t], claim, slips, of=f)


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


def centred(answer: Answer) -> Iterator[Try]:
    """18: centred(K) returns the Gram matrix of phi(x_i) minus their mean."""
    rng = np.random.default_rng(18)
    for n, d in ((3, 2), (5, 2), (4, 7)):
        Phi = rng.integers(0, 7, size=(n, d)).astype(float)
        back = answer(K=Phi @ Phi.T)
        new = back.array(n, n)
        yield "K" not in back.changed, "it must not change the K it was given"
        K = Phi @ Phi.T
        sums = [np.round(new.sum(axis=k), 9) for k in (1, 0)]
        claim = "every row and every column must sum to 0, because what is centred has the mean 0: "
        claim += f"the rows sum to {text(sums[0])}, the columns to {text(sums[1])}"
        yield np.abs(sums).max() < 1e-6 * np.abs(K).max(), claim + named(new, _half_centred(K))
        Z = Phi - Phi.mean(axis=0)
        squares = np.array([[(a - b) @ (a - b) for b in Phi] for a in Phi])
        found = np.diag(new)[:, None] - 2 * new + np.diag(new)
        i, j = np.unravel_index(np.argmax(abs(found - squares)), squares.shape)
        claim = "moving all points must not change their distances: the squared one of the points "
        claim += f"i = {i} and j = {j}, K[i, i] - 2 K[i, j] + K[j, j], must stay"
        yield near(found[i, j], squares[i, j], claim)
        yield np.allclose(new, Z @ Z.T), "it must be the Gram matrix of the centred points"


def _half_centred(K: np.ndarray) -> dict[str, np.ndarray]:
    """Return what known slips make of a Gram matrix."""
    row, column, everything = K.mean(axis=0), K.mean(axis=1)[:, None], K.mean()
    return {
        "this is K itself": K,
        "only the mean of all entries was taken off": K - everything,
        "only the column means were taken off": K - row,
        "only the row means were taken off": K - column,
        "the mean of all was taken off twice: give it back once": K - row - column,
        "the mean of all is to be given back, not taken off": K - row - column - everything,
        "the row means need [:, None]": K - 2 * row + everything,
    }


def stuck(answer: Answer) -> Iterator[Try]:
    """18: stuck() returns points and labels that are stable and RATIO times too expensive."""
    back = answer()
    points, sides = back.parts("X", "labels")
    X = points.table(2)
    yield 2 <= len(X) <= 10, f"X must have 2 to 10 rows, and it has {len(X)}", back
    labels = sides.vector(len(X))
    yield set(labels.tolist()) == {0.0, 1.0}, "the labels must be 0 and 1, and both occur", back
    means = np.array([X[labels == c].mean(axis=0) for c in (0, 1)])
    apart = np.linalg.norm(X[:, None] - means, axis=2)
    own = labels.astype(int)
    lead = apart[np.arange(len(X)), 1 - own] - apart[np.arange(len(X)), own]
    worst = int(np.argmin(lead))
    claim = f"point {text(X[worst])} is not nearer to the mean of its own cluster: it would move"
    yield lead[worst] > 1e-9 * (1 + np.abs(X).max()), claim, back
    J, best = _cost(X, own), min(_cost(X, np.array(v)) for v in _divisions(len(X)))
    claim = f"J is {J:.4g} and the best is {best:.4g}: that is not {RATIO} times as much"
    yield J >= RATIO * best and J > 1e-9 * np.ptp(X) ** 2, claim, back


def _cost(X: np.ndarray, labels: np.ndarray) -> float:
    """Return the sum of squared distances to the mean of the own cluster."""
    parts = (X[labels == c] for c in (0, 1))
    return float(sum(((P - P.mean(axis=0)) ** 2).sum() for P in parts if len(P)))


def _divisions(n: int) -> Iterator[tuple[int, ...]]:
    """Yield every division into two clusters, neither of them empty."""
    return (v for v in product((0, 1), repeat=n) if 0 < sum(v) < n)


CHECKS = {
    "map": quadratic_map,
    "gaussian": gaussian,
    "score": score,
    "ridge": ridge,
    "centred": centred,
    "stuck": stuck,
}
