"""Primal or dual? Time of both quadratic programs as d grows, and as n grows, in one run (L4).

The primal has d + 1 + n unknowns and its systems have the order of d; the dual has n unknowns.
Usage: ``python -m benchmarks.primal_dual`` (``--quick`` for the small rows only).
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
from threadpoolctl import threadpool_limits

from lectures_lib import svm

REPEATS = 3
#: The primal with n fixed and d growing; the dual with d fixed and n growing.
FEATURES, EXAMPLES = (25, 50, 100, 200, 400), (100, 200, 400, 800)
FIXED_N, FIXED_D = 200, 20


def examples(n: int, d: int) -> tuple[np.ndarray, np.ndarray]:
    """Return Gaussian examples whose labels follow a direction, with noise."""
    rng = np.random.default_rng(0)
    X, u = rng.normal(size=(n, d)) / np.sqrt(d), rng.normal(size=d)
    return X, np.where(X @ u + 0.3 * rng.normal(size=n) > 0, 1.0, -1.0)


def seconds(train: Callable, n: int, d: int) -> tuple[float, svm.SVMachine]:
    """Return the median of the CPU seconds, and the machine."""
    X, y = examples(n, d)
    taken = []
    for _ in range(REPEATS):
        start = time.process_time()
        machine = train(X, y, 1.0)
        taken.append(time.process_time() - start)
    return float(np.median(taken)), machine


def table(title: str, sizes: list[tuple[int, int]]) -> None:
    """Print a row a size: both times, their ratio, and both in units of the first row."""
    print(f"\n{title}")
    heads = ("n", "d", "primal ms", "dual ms", "primal/dual", "primal x", "dual x", "objectives")
    print("{:>6} {:>6} {:>10} {:>10} {:>12} {:>9} {:>9} {:>22}".format(*heads))
    first = None
    for n, d in sizes:
        (a, primal), (b, dual) = seconds(svm.primal, n, d), seconds(svm.dual, n, d)
        first = first or (a, b)
        values = f"{primal.certificate.primal:.4f} {dual.certificate.primal:.4f}"
        growth = f"{a / first[0]:9.2f} {b / first[1]:9.2f}"
        print(f"{n:6d} {d:6d} {1e3 * a:10.1f} {1e3 * b:10.1f} {a / b:12.2f} {growth} {values:>22}")


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the two smallest sizes only")
    few = slice(0, 2 if parser.parse_args().quick else None)
    with threadpool_limits(1):
        seconds(svm.primal, 20, 2), seconds(svm.dual, 20, 2)  # compiles
        table(f"n = {FIXED_N}, d grows", [(FIXED_N, d) for d in FEATURES[few]])
        table(f"d = {FIXED_D}, n grows", [(n, FIXED_D) for n in EXAMPLES[few]])


if __name__ == "__main__":
    main()
