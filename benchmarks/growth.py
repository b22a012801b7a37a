"""Time and memory as the data grow, with their slopes beside those of theory.

Every size runs in a process of its own, so that its largest memory is its own. A slope is that of
the least-squares line through the logarithms of the larger half of the sizes.
"""

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.rows import blobs, directed
from lectures_lib import fast, kernels, svm
from lectures_lib.fast.problems import quick_problem

FIGURE = Path(__file__).parent / "growth.png"


@dataclass(frozen=True)
class Curve:
    """One method along one size."""

    name: str
    along: str
    sizes: tuple[int, ...]
    task: Callable[[int], Callable[[], object]]  #: the data of a size, and what is timed
    time_slope: str  #: what theory says of time
    memory_slope: str


def _gram(n: int):
    X = blobs(n, 20)[0]
    return lambda: kernels.Gaussian(3.0).gram(X, X)


def _perceptron(n: int):
    X, y = directed(n, 20)
    return lambda: fast.perceptron(X, y, max_epochs=5, rng=0)


def _perceptron_features(d: int):
    X, y = directed(20_000, d)
    return lambda: fast.perceptron(X, y, max_epochs=5, rng=0)


def _linear(n: int):
    X, y = directed(n, 20)
    return lambda: fast.linear(X, y, 1.0, tol=1e-3)


def _svm(n: int):
    X, y = blobs(n, 20)
    return lambda: fast.smo(kernels.Gaussian(3.0), X, y, 1.0, single=True)


def _judge(support: int):
    X, y = blobs(8_000, 20)
    kernel, problem = (
        kernels.Gaussian(3.0),
        quick_problem(X, y, 1.0, kernels.Gaussian(3.0), in_tiles=True),
    )
    rows = np.concatenate(
        [np.flatnonzero(y > 0)[: support // 2], np.flatnonzero(y < 0)[: support // 2]]
    )
    alpha = np.zeros(len(y))
    alpha[rows] = 1.0
    return lambda: (kernel, problem.certificate(alpha, 0.0))


def _dual(n: int):
    X, y = blobs(n, 10)
    return lambda: svm.dual(X, y, 1.0, kernels.Gaussian(3.0))


CURVES = (
    Curve("Gaussian Gram", "n", (1_000, 2_000, 4_000, 8_000), _gram, "2", "2"),
    Curve("perceptron, 5 passes", "n", (12_500, 25_000, 50_000, 100_000, 200_000), _perceptron,
          "1", "1"),
    Curve("perceptron, 5 passes", "d", (25, 50, 100, 200, 400), _perceptron_features, "1", "1"),
    Curve("linear SVM, gap 1e-3", "n", (12_500, 25_000, 50_000, 100_000), _linear, "1", "1"),
    Curve("Gaussian SVM (SMO)", "n", (1_000, 2_000, 4_000, 8_000, 16_000), _svm,
          "2 to 3: support vectors grow with n", "at most 2; bounded by `memory`"),
    Curve("judge of a Gaussian SVM", "support vectors", (250, 500, 1_000, 2_000, 4_000), _judge,
          "1", "1"),
    Curve("dual QP (interior point)", "n", (250, 500, 1_000), _dual, "3", "2"),
)  # fmt: skip


#: Megabytes below which a peak says more of what was freed before than of the method.
TELLING = 4


def once(curve: int, size: int) -> dict[str, float]:
    """Return what one size takes: processor time, the least of three runs, and megabytes."""
    work = CURVES[curve].task(size)
    CURVES[curve].task(min(CURVES[curve].sizes[0], 300))()  # compiles
    before, taken = peak(), []
    for _ in range(3):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
        if sum(taken) > 10:
            break
    more = peak() - before  # less than a megabyte: it fits into what was used and freed before
    return {"seconds": min(taken), "megabytes": more if more >= 1 else float("nan")}


def peak() -> float:
    """Return the largest memory so far, in megabytes.

    `ru_maxrss` counts what the process was before it ran this program, too: its parent's memory.
    """
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    lines = dict(line.split(":", 1) for line in status.read_text(encoding="utf-8").splitlines())
    return int(lines["VmHWM"].split()[0]) / 1024


def slope(sizes: tuple[int, ...], values: list[float]) -> float:
    """Return the slope of the logarithms over the larger half of the sizes."""
    half = slice(len(sizes) // 2 - (len(sizes) < 4), None)
    x, y = np.log(sizes[half]), np.log(values[half])
    known = np.isfinite(y)
    return float(np.polyfit(x[known], y[known], 1)[0]) if known.sum() > 1 else float("nan")


def grown(sizes: tuple[int, ...], megabytes: list[float]) -> str:
    """Return the slope of memory in words."""
    enough = np.nanmax([*megabytes, 0.0]) >= TELLING
    return f"{slope(sizes, megabytes):.2f}" if enough else "too small to tell"


def measured() -> str:
    """Measure all curves, draw them, and return their slopes as a table."""
    found = []
    for number, curve in enumerate(CURVES):
        found.append([_in_a_process(number, size) for size in curve.sizes])
    draw(found)
    lines = [
        "| method | along | time: slope | theory | memory: slope | theory |",
        "|---|---|---|---|---|---|",
    ]
    for curve, points in zip(CURVES, found):
        seconds, memory = ([p[key] for p in points] for key in ("seconds", "megabytes"))
        slopes = f"{slope(curve.sizes, seconds):.2f} | {curve.time_slope} | "
        slopes += f"{grown(curve.sizes, memory)} | {curve.memory_slope}"
        lines.append(f"| {curve.name} | {curve.along} | {slopes} |")
    return "\n".join(lines)


def _in_a_process(curve: int, size: int) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.growth", str(curve), str(size)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def draw(found: list[list[dict[str, float]]]) -> None:
    """Draw time and memory against size, both axes logarithmic."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(11, 7), layout="constrained")
    for curve, points, marker in zip(CURVES, found, "osD^vPX"):
        for axis, key in zip(axes, ("seconds", "megabytes")):
            values = [p[key] for p in points]
            told = grown if key == "megabytes" else lambda *curve: f"{slope(*curve):.2f}"
            label = f"{curve.name}, along {curve.along}: {told(curve.sizes, values)}"
            axis.loglog(curve.sizes, values, marker=marker, label=label)
    for axis, title in zip(axes, ("processor seconds", "megabytes beyond the data")):
        axis.set(xlabel="size (examples, features or support vectors)", title=title)
        below = {"loc": "upper center", "bbox_to_anchor": (0.5, -0.16)}
        axis.legend(fontsize=8, title="slope of the larger half", title_fontsize=8, **below)
        axis.grid(alpha=0.3, which="both")
    figure.savefig(FIGURE, dpi=110)
    plt.close(figure)


if __name__ == "__main__":
    print(json.dumps(once(int(sys.argv[1]), int(sys.argv[2]))))
