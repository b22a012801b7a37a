"""The fast SMO beside scikit-learn's SVC: time and objectives, in one run.

Usage: ``python -m benchmarks.kernel_svm`` (``--quick`` for n = 1,000 only).
"""

import argparse
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from sklearn.datasets import load_digits
from sklearn.svm import SVC
from threadpoolctl import threadpool_limits

from lectures_lib import fast, kernels

TOL = 1e-3
#: SVC's cache in megabytes: more than K takes, and its default.
CACHES = (2000, 200)
SIZES = (1_000, 2_000, 5_000, 10_000)


def blobs(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return two Gaussians in 20 dimensions that overlap."""
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    X = rng.normal(size=(n, 20))
    X[:, :4] += 0.75 * y[:, None]
    return X, y


def digits(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return images of digits with noise, even against odd."""
    X, digit = load_digits(return_X_y=True)
    drawn = rng.integers(len(X), size=n)
    X = X[drawn] / 16 + 0.15 * rng.normal(size=(n, 64))
    return X, np.where(digit[drawn] % 2 == 0, 1.0, -1.0)


def board(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return a board of 4 x 4 fields with 2 % of the labels wrong."""
    X = rng.uniform(0, 4, size=(n, 2))
    y = np.where(np.floor(X).sum(axis=1) % 2 == 0, 1.0, -1.0)
    return X, np.where(rng.random(n) < 0.02, -y, y)


def rings(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return two rings that overlap."""
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    r, angle = 1.5 + 0.5 * y + 0.25 * rng.normal(size=n), rng.uniform(0, 2 * np.pi, n)
    return np.stack([r * np.cos(angle), r * np.sin(angle)], axis=1), y


#: Name, data, the width of the Gaussian kernel (None: the linear one), the costs.
PROBLEMS = (
    ("blobs", blobs, 3.0, (0.1, 1.0, 10.0, 100.0)),
    ("digits", digits, 2.0, (0.1, 1.0, 10.0, 100.0)),
    ("board", board, 0.3, (1.0, 10.0, 100.0, 1e4)),
    ("rings", rings, 1.0, (0.1, 1.0, 100.0, 1e4)),
    ("linear", blobs, None, (0.01, 0.1, 1.0, 10.0)),
)


@dataclass(frozen=True)
class Row:
    """One comparison: CPU seconds of us and of SVC with either cache, and the objectives."""

    name: str
    ours: float
    theirs: tuple[float, ...]
    our_dual: float
    their_dual: float
    gap: float  #: our duality gap, relative

    def __str__(self) -> str:
        """Return a line of the table."""
        ratios = " ".join(f"{seconds / self.ours:7.2f}" for seconds in self.theirs)
        times = f"{1e3 * self.ours:9.1f} {1e3 * self.theirs[0]:9.1f}"
        duals = f"{self.our_dual:14.4f} {self.their_dual:14.4f}"
        return f"{self.name:<28} {times} {ratios} {duals} {self.gap:9.1e}"


def cpu(run: Callable[[], object]) -> float:
    """Return the CPU seconds of this process that a run takes: robust where others work too."""
    start = time.process_time()
    run()
    return time.process_time() - start


def in_turn(runs: list[Callable[[], object]], least: float = 0.5) -> list[float]:
    """Run all in turn, three times and until each took `least` seconds; return the medians."""
    seconds = [[] for _ in runs]
    while len(seconds[0]) < 3 or (len(seconds[0]) < 15 and sum(seconds[0]) < least):
        for taken, run in zip(seconds, runs):
            taken.append(cpu(run))
        if sum(map(sum, seconds)) > 60:  # long rows need no repetition
            break
    return [float(np.median(taken)) for taken in seconds]


def dual_value(kernel: kernels.Kernel, X: np.ndarray, svc: SVC) -> float:
    """Return sum alpha - half norm(w)^2 of a trained SVC, in tiles."""
    beta, s = svc.dual_coef_[0], svc.support_
    return float(np.abs(beta).sum() - 0.5 * beta @ kernels.product(kernel, X[s], X[s], beta))


def compare(name: str, X: np.ndarray, y: np.ndarray, C: float, sigma: float | None) -> Row:
    """Time both on one problem, the evaluation of the kernel included."""
    kernel = kernels.Gaussian(sigma) if sigma else kernels.Linear()
    form = {"kernel": "rbf", "gamma": 0.5 / sigma**2} if sigma else {"kernel": "linear"}
    svcs = [SVC(C=C, tol=TOL, cache_size=size, **form) for size in CACHES]
    runs = [
        lambda: fast.smo(kernel, X, y, C, tol=TOL, single=True),
        *(lambda s=s: s.fit(X, y) for s in svcs),
    ]
    ours, *theirs = in_turn(runs)
    proof = fast.svm(X, y, C, kernel, tol=TOL).certificate
    value = dual_value(kernel, X, svcs[0])
    return Row(f"{name}, C = {C:g}", ours, tuple(theirs), proof.dual, value, proof.relative_gap)


def rows(sizes: tuple[int, ...]) -> Iterator[Row]:
    """Yield every comparison; at n = 10,000 those that would take most of the run are left out."""
    compiled = blobs(300, np.random.default_rng(0))
    fast.smo(kernels.Linear(), *compiled, 1.0)
    for n in sizes:
        for name, data, sigma, costs in PROBLEMS:
            X, y = data(n, np.random.default_rng(0))
            for C in costs:
                if n < 10_000 or C < 1e4:
                    yield compare(f"{name}, n = {n:,}", X, y, C, sigma)


def main() -> None:
    """Print the table row by row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="n = 1,000 only")
    sizes = SIZES[:1] if parser.parse_args().quick else SIZES
    heads = ("ours ms", "SVC ms", *(f"/{size}MB" for size in CACHES))
    print(f"{'':<28} {heads[0]:>9} {heads[1]:>9} {heads[2]:>7} {heads[3]:>7} ", end="")
    print(f"{'our dual':>14} {'their dual':>14} {'our gap':>9}")
    ratios = []
    with threadpool_limits(1):
        for row in rows(sizes):
            print(row, flush=True)
            ratios.append(row.theirs[0] / row.ours)
    print(f"{len(ratios)} rows: geometric mean {np.exp(np.mean(np.log(ratios))):.2f}, ", end="")
    print(f"smallest {min(ratios):.2f}, at or below 1: {sum(r <= 1 for r in ratios)}")


if __name__ == "__main__":
    main()
