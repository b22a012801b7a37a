"""The machine and the versions behind a table, and the roof that it sets: bandwidth and flops."""

import os
import platform
import time
from importlib import metadata

import numpy as np

from lectures_lib import fast, kernels
from lectures_lib.fast.passes import fast_pass

PACKAGES = (
    "numpy", "scipy", "numba", "scikit-learn", "scikit-learn-intelex", "snapml",
    "liblinear-official", "python-crfsuite", "cvxopt",
)  # fmt: skip


def described() -> str:
    """Return the kind of machine and the versions, in one line each."""
    found = {name: _version(name) for name in PACKAGES}
    versions = ", ".join(f"{name} {version}" for name, version in found.items() if version)
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    kind = f"{platform.machine()}, {os.cpu_count()} cores, {platform.system()}"
    return f"{kind}, Python {platform.python_version()}; load at the start {load}.\n{versions}."


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def best(work, repeats: int = 5) -> float:
    """Return the least seconds of some runs: what the machine can do, not what it usually does."""
    taken = []
    for _ in range(repeats):
        start = time.perf_counter()
        work()
        taken.append(time.perf_counter() - start)
    return min(taken)


def roofline() -> str:
    """Return what the Gram matrix and the perceptron use of the machine's flops and bandwidth."""
    rng = np.random.default_rng(0)
    A, big = rng.normal(size=(1500, 1500)), np.ones(50_000_000)
    flops = 2 * 1500**3 / best(lambda: A @ A)
    read = big.nbytes / best(lambda: big.max())
    n, d = 6_000, 50
    X = rng.normal(size=(n, d))
    kernel = kernels.Gaussian(5.0)
    gram = best(lambda: kernel.gram(X, X))
    M = rng.normal(size=(200_000, d))
    y = np.where(M[:, 0] > 0, 1.0, -1.0)
    fast.perceptron(M[:9], y[:9], max_epochs=1)  # compiles
    order, w, largest = rng.permutation(len(M)), np.zeros(d), np.abs(M).max()
    one_pass = best(lambda: fast_pass(M, y, order, 0.0, w, largest))
    in_order = best(lambda: fast_pass(M, y, np.arange(len(M)), 0.0, w, largest))
    lines = [
        "| roofline | flops per byte of memory | reached | roof | share |",
        "|---|---|---|---|---|",
        _row("Gaussian Gram, flops", d / 8, n * n * d / gram / 1e9, flops / 1e9, "Gflop/s"),
        _row("its matrix, bytes written", d / 8, 8 * n * n / gram / 1e9, read / 1e9, "GB/s"),
        _row("perceptron, random order", 0.25, M.nbytes / one_pass / 1e9, read / 1e9, "GB/s"),
        _row("perceptron, order of the rows", 0.25, M.nbytes / in_order / 1e9, read / 1e9, "GB/s"),
    ]
    return "\n".join(lines)


def _row(name: str, intensity: float, reached: float, roof: float, unit: str) -> str:
    share = f"{reached / roof:.2f}"
    return f"| {name} | {intensity:.2g} | {reached:.1f} {unit} | {roof:.1f} {unit} | {share} |"
