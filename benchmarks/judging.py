"""What a proof costs: the time of the judge beside the time of the training, in one run.

Usage: ``python -m benchmarks.judging``. A ratio of 1 means that proving an answer takes as long as
finding it; `svm.train`, `fast.svm` and `fast.linear` judge their answers themselves, so their
time without the judge is what is left.
"""

import time
from collections.abc import Callable

import numpy as np

from lectures_lib import bounds, fast, kernels, linear, margins, perceptron
from lectures_lib.fast.problems import quick_problem

SIZES = (100, 1_000, 10_000)
REPEATS = 7
#: The margin of the data on which a perceptron needs several passes.
NEAR = 0.05


def main() -> None:
    """Print one row per method and size."""
    print(f"{'':34}{'n':>8}{'train':>12}{'judge':>12}{'judge / train':>16}")
    for n in SIZES:
        X, y = clouds(n)
        for name, (solve, judge) in methods(X, y).items():
            solve(), judge()  # compile
            whole, proof = (min(seconds(f) for _ in range(REPEATS)) for f in (solve, judge))
            train = max(whole - proof, 1e-9) if name in SELF_JUDGED else whole
            print(f"{name:34}{n:8,}{train:11.4f}s{proof:11.4f}s{proof / train:16.2f}")


SELF_JUDGED = ("Gaussian SVM, C = 1", "linear SVM, C = 1")


def clouds(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return two clouds in 10 dimensions that overlap a little."""
    rng = np.random.default_rng(0)
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    return rng.normal(size=(n, 10)) + 0.5 * y[:, None], y


def methods(X: np.ndarray, y: np.ndarray) -> dict[str, tuple[Callable, Callable]]:
    """Return (training, judging) by name."""
    kernel = kernels.Gaussian(3.0)
    machine, problem = (
        fast.svm(X, y, 1.0, kernel),
        quick_problem(X, y, 1.0, kernel, tol=1e-3, in_tiles=True),
    )
    flat = fast.linear(X, y, 1.0, tol=1e-4)
    rows = linear.pose(X, y, 1.0, "hinge", 0.0)
    apart = X + 2.0 * y[:, None]
    run, best = perceptron.perceptron(apart, y, max_epochs=1), margins.max_margin(apart, y)
    side = np.ones(10) / np.sqrt(10)
    near = X + (NEAR - y * (X @ side)).clip(0)[:, None] * y[:, None] * side  # margin NEAR
    whole, found = perceptron.perceptron(near, y), margins.max_margin(near, y)
    return {
        "Gaussian SVM, C = 1": (
            lambda: fast.svm(X, y, 1.0, kernel),
            lambda: problem.certificate(machine.alpha, machine.b),
        ),
        "linear SVM, C = 1": (
            lambda: fast.linear(X, y, 1.0, tol=1e-4),
            lambda: rows.certificate(flat.alpha, rows.w(flat.alpha), 1e-4),
        ),
        "perceptron, one pass": (
            lambda: perceptron.perceptron(apart, y, max_epochs=1),
            lambda: bounds.mistake_bound(run, apart, y, best.w),
        ),
        "perceptron, until it converges": (
            lambda: perceptron.perceptron(near, y),
            lambda: bounds.mistake_bound(whole, near, y, found.w),
        ),
    }


def seconds(f: Callable) -> float:
    """Return the processor time of a call: other programs do not count."""
    start = time.process_time()
    f()
    return time.process_time() - start


if __name__ == "__main__":
    main()
