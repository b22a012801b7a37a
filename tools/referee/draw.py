"""The data of a case: everything follows from (seed, subject, number)."""

import zlib
from dataclasses import dataclass, replace

import numpy as np

from lectures_lib.kernels import Gaussian, Kernel, Linear, Polynomial

#: Features as they are measured: where they lie, and how they vary.
MEASURED = ((2000.0, 3.0), (1.6e9, 3600.0), (101325.0, 100.0), (1e6, 1e-3), (1.7e18, 1.0))


@dataclass(frozen=True)
class Examples:
    """Examples with labels, and what was done to them."""

    X: np.ndarray
    y: np.ndarray
    kind: str
    unit: bool  #: of unit scale, near the origin, nothing degenerate: the ordinary case


def generator(seed: int, subject: str, case: int) -> np.random.Generator:
    """Return the case's own source of chance."""
    return np.random.default_rng([seed, zlib.crc32(subject.encode()), case])


def points(
    rng: np.random.Generator, least: int = 2, most: int = 8, features: int = 3
) -> tuple[np.ndarray, str, bool]:
    """Return points, the name of their kind, and whether they are ordinary."""
    n, d = int(rng.integers(least, most + 1)), int(rng.integers(1, features + 1))
    base = str(rng.choice(list(BASES)))
    X = BASES[base](rng, n, d)
    if rng.random() < 0.35:
        return X, base, base in ("normal", "integers", "decimals")
    twist = str(rng.choice(list(TWISTS)))
    return TWISTS[twist](rng, X), f"{base}, {twist}", False


def examples(
    rng: np.random.Generator, most: int = 8, features: int = 3, *, both: bool = True
) -> Examples:
    """Return hostile examples; with `both`, each class occurs."""
    X, kind, unit = points(rng, 2, most, features)
    return Examples(X, labels(rng, X, both=both), kind, unit)


def labels(rng: np.random.Generator, X: np.ndarray, *, both: bool = True) -> np.ndarray:
    """Return labels by a plane, by a plane with some turned over, or by chance."""
    Z = X - X.mean(axis=0)
    Z = Z / (np.abs(Z).max(axis=0) + 1e-300)
    score = Z @ rng.normal(size=X.shape[1]) + rng.normal(scale=0.3)
    y = np.where(score > 0, 1.0, -1.0)
    way = rng.random()
    if way < 0.3:
        y = rng.choice([-1.0, 1.0], size=len(X))
    elif way < 0.5:
        y[rng.integers(len(X))] *= -1
    if both and abs(y.sum()) == len(y):
        y[rng.integers(len(y))] *= -1
    return y


def in_parts(rng: np.random.Generator, most: int) -> tuple[Examples, list]:
    """Return hostile examples and their parts: of any size, one by one, or a class to each."""
    data = examples(rng, most, 3, both=False)
    if rng.random() < 0.3:
        X = rng.integers(-4, 5, size=data.X.shape).astype(float)
        data = Examples(X, labels(rng, X, both=False), "whole numbers", True)
    if rng.random() < 0.4:  # a plane through the origin separates them
        data = replace(data, y=np.where(data.X @ rng.normal(size=data.X.shape[1]) > 0, 1.0, -1.0))
    if rng.random() < 0.3:
        order = np.argsort(data.y, kind="stable")
        data = replace(data, X=data.X[order], y=data.y[order])
    n = len(data.y)
    S = n if rng.random() < 0.1 else int(rng.integers(1, min(4, n) + 1))
    cuts = np.sort(rng.choice(np.arange(1, n), size=S - 1, replace=False))
    return data, list(zip(np.split(data.X, cuts), np.split(data.y, cuts), strict=True))


def cost(rng: np.random.Generator, unit: bool) -> float:
    """Return C: from 0.01 to 100 in an ordinary case, from 1e-6 to 1e6 in a hostile one."""
    if rng.random() < 0.1:
        return float(rng.choice([1.0, 1e-3]))  # 1e-3 is also a tolerance of SMO
    return float(10.0 ** (rng.uniform(-2, 2) if unit else rng.uniform(-6, 6)))


def kernel(rng: np.random.Generator, X: np.ndarray) -> Kernel:
    """Return a kernel that a careful user could choose for X, or a careless one."""
    way = rng.random()
    if way < 0.4:
        return Linear()
    if way < 0.6:
        return Polynomial(int(rng.integers(1, 4)), bool(rng.random() < 0.7))
    spread = float(np.ptp(X, axis=0).max()) or 1.0
    return Gaussian(float(spread * power(rng, -2 if rng.random() < 0.2 else -1, 0.5)))


def power(rng: np.random.Generator, low: float, high: float) -> float:
    """Return a power of ten."""
    return float(10.0 ** rng.uniform(low, high))


def _line(rng, n, d):
    return rng.integers(-4, 5, size=(n, 1)) * rng.normal(size=(1, d))


def _thin(rng, n, d):
    X = rng.normal(size=(n, d))
    X[:, 0] = rng.choice([-1.0, 1.0], size=n) * power(rng, -14, -1)
    return X


BASES = {
    "normal": lambda rng, n, d: rng.normal(size=(n, d)),
    "integers": lambda rng, n, d: rng.integers(-3, 4, size=(n, d)).astype(float),
    "decimals": lambda rng, n, d: np.round(rng.normal(size=(n, d)), 1),
    "line": _line,
    "thin": _thin,
    "one-hot": lambda rng, n, d: np.eye(n + 1)[rng.permutation(n), :-1],
}


def _shift(rng, X):
    return X + power(rng, 2, 8) * rng.choice([-1.0, 1.0], size=X.shape[1])


def _measured(rng, X):
    place, spread = MEASURED[rng.integers(len(MEASURED))]
    X = X.copy()
    j = rng.integers(X.shape[1])
    X[:, j] = place + spread * X[:, j]
    return X


def _one_scaled(rng, X):
    X = X.copy()
    X[:, rng.integers(X.shape[1])] *= power(rng, -8, 8)
    return X


def _duplicates(rng, X):
    return X[rng.integers(len(X), size=len(X))]


def _constant(rng, X):
    X = X.copy()
    X[:, rng.integers(X.shape[1])] = rng.choice([0.0, 0.1, 1 / 3, 1e4])
    return X


TWISTS = {
    "shifted": _shift,
    "measured": _measured,
    "scaled": lambda rng, X: X * power(rng, -8, 8),
    "one feature scaled": _one_scaled,
    "duplicates": _duplicates,
    "constant feature": _constant,
    "identical": lambda rng, X: np.tile(X[:1], (len(X), 1)),
    "shifted and scaled": lambda rng, X: _shift(rng, X) * power(rng, -4, 4),
}
