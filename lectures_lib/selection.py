"""Choose C and the kernel by cross-validation instead of try-and-see (L4, L5).

Each Gram matrix is computed once; folds are slices of it, and along C each answer is the start of
the next. The examples are taken as they are: whatever else is learnt from data (a scaling, a choice
of features) must be learnt inside each training part, or the errors found here are too low.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from tqdm import tqdm

from . import smo, svm
from .conventions import check_count, check_labels, sign
from .kernels import Kernel, Linear

Seed = int | np.random.Generator | None


@dataclass(frozen=True, eq=False)
class Grid:
    """Errors of every kernel and C in every fold; first axis kernels, second Cs, third folds."""

    kernels: tuple[Kernel, ...]
    Cs: np.ndarray  #: (c,) increasing
    folds: tuple[np.ndarray, ...]  #: the test examples of each fold
    wrong: np.ndarray  #: (kernels, c, k) wrong predictions on the fold's test examples
    train_wrong: np.ndarray  #: (kernels, c, k) wrong predictions on its training examples
    gaps: np.ndarray  #: (kernels, c, k) duality gap of each trained machine, relative

    @property
    def errors(self) -> np.ndarray:
        """The share of wrong predictions on the test examples of each fold."""
        return self.wrong / self.sizes

    @property
    def train_errors(self) -> np.ndarray:
        """The share of wrong predictions on the training examples of each fold."""
        return self.train_wrong / (self.sizes.sum() - self.sizes)

    @property
    def sizes(self) -> np.ndarray:
        """The number of test examples of each fold."""
        return np.array([len(test) for test in self.folds])

    @property
    def mean(self) -> np.ndarray:
        """(kernels, c) the share of all examples predicted wrongly when they were left out."""
        return self.wrong.sum(axis=2) / self.sizes.sum()

    @property
    def std(self) -> np.ndarray:
        """(kernels, c) the standard deviation of the error over the folds."""
        return self.errors.std(axis=2)

    @property
    def best_index(self) -> tuple[int, int]:
        """(kernel, C) with the fewest errors. Ties: the smallest C, then the widest kernel.

        Width is sigma; a kernel without one counts as widest, and among equals the first wins.
        """
        total = self.wrong.sum(axis=2)
        tied = np.argwhere(total == total.min()).tolist()
        return tuple(min(tied, key=lambda at: (at[1], -_width(self.kernels[at[0]]), at[0])))

    @property
    def best(self) -> tuple[Kernel, float]:
        """The kernel and the C of `best_index`."""
        i, c = self.best_index
        return self.kernels[i], float(self.Cs[c])

    def __str__(self) -> str:
        """Return a table: mean error and standard deviation in percent, the best one marked."""
        rows = [f"{'error in %':<30}" + "".join(f"{f'C = {C:g}':>16}" for C in self.Cs)]
        for i, kernel in enumerate(self.kernels):
            cells = [f"{100 * m:.2f} ± {100 * s:.2f}" for m, s in zip(self.mean[i], self.std[i])]
            if i == self.best_index[0]:
                cells[self.best_index[1]] = "*" + cells[self.best_index[1]]
            rows.append(f"{kernel!r:<30}" + "".join(f"{cell:>16}" for cell in cells))
        return "\n".join(rows)


@dataclass(frozen=True, eq=False)
class Curve:
    """Training and validation errors along one thing that varies, in every fold."""

    values: tuple  #: (m,) what varies: a number of examples, C, or the kernel
    train: np.ndarray  #: (m, k) share of wrong predictions on the training examples
    validation: np.ndarray  #: (m, k) share of wrong predictions on the examples left out


@dataclass(frozen=True, eq=False)
class Path:
    """The machines along C, each with its certificate."""

    Cs: np.ndarray  #: (c,) increasing
    machines: tuple[svm.SVM, ...]
    iterations: np.ndarray  #: (c,) steps of SMO from the previous answer

    @property
    def norms(self) -> np.ndarray:
        """norm(w) for each C: it never falls as C grows. The street's half width is 1 / norm(w)."""
        return np.sqrt([2 * max(m.alpha.sum() - m.certificate.dual, 0.0) for m in self.machines])

    @property
    def slacks(self) -> np.ndarray:
        """sum xi for each C: it never grows with C."""
        primal = np.array([m.certificate.primal for m in self.machines])
        return np.maximum(primal - 0.5 * self.norms**2, 0.0) / self.Cs

    @property
    def gaps(self) -> np.ndarray:
        """The duality gap for each C, relative to the objective."""
        return np.array([_relative_gap(m.certificate) for m in self.machines])


def folds(n: int, k: int, *, y: ArrayLike | None = None, rng: Seed = 0) -> tuple[np.ndarray, ...]:
    """Split 0, ..., n - 1 at random into k test sets; every example is tested once.

    The sizes differ by 1 at most; with labels `y` (stratified), so do each class's numbers.
    """
    n, k = check_count(n, "n"), check_count(k, "k", least=2)
    if k > n:
        raise ValueError(f"{n} examples cannot be split into {k} folds: use k <= {n}.")
    labels = np.zeros(n) if y is None else np.asarray(y)
    if labels.shape != (n,):
        raise ValueError(f"y has shape {labels.shape}; it needs ({n},), one label an example.")
    rng = np.random.default_rng(rng)
    dealt = np.concatenate(
        [rng.permutation(np.flatnonzero(labels == label)) for label in np.unique(labels)]
    )  # class after class, dealt like cards
    return tuple(np.sort(dealt[fold::k]) for fold in range(k))


def grid(
    X: ArrayLike,
    y: ArrayLike,
    Cs: ArrayLike,
    kernels: Iterable[Kernel],
    *,
    k: int = 5,
    rng: Seed = 0,
    tol: float = 1e-3,
    progress: bool = True,
) -> Grid:
    """Cross-validate SVMs for all pairs of a kernel and a C, on the same stratified folds.

    `tol` is SMO's; `progress` shows a bar. With the same `rng` the answer is the same.
    """
    Cs, kernels = _costs(Cs), tuple(kernels)
    y = check_labels(y, _count(X))
    if not kernels:
        raise ValueError("kernels is empty: name at least one, such as kernels.Linear().")
    tests = _two_class_folds(y, k, rng)
    wrong, train_wrong, gaps = np.zeros((3, len(kernels), len(Cs), k))
    with tqdm(total=wrong.size, desc="cross-validation", disable=not progress) as bar:
        for i, kernel in enumerate(kernels):
            K = kernel(X)
            for f, test in enumerate(tests):
                train = np.setdiff1d(np.arange(len(y)), test)
                found = np.array(_validated(K, y, Cs, train, test, tol))
                train_wrong[i, :, f], wrong[i, :, f], gaps[i, :, f] = found.T
                bar.update(len(Cs))
    return Grid(kernels, Cs, tests, wrong.astype(int), train_wrong.astype(int), gaps)


def cross_validate(
    X: ArrayLike,
    y: ArrayLike,
    C: float = 1.0,
    kernel: Kernel | None = None,
    *,
    k: int = 5,
    rng: Seed = 0,
    tol: float = 1e-3,
) -> Grid:
    """Cross-validate one SVM on stratified folds: a grid with one kernel and one C."""
    return grid(X, y, [C], [kernel or Linear()], k=k, rng=rng, tol=tol, progress=False)


def validation_curve(
    X: ArrayLike,
    y: ArrayLike,
    Cs: ArrayLike,
    kernels: Iterable[Kernel],
    *,
    k: int = 5,
    rng: Seed = 0,
    tol: float = 1e-3,
    progress: bool = True,
) -> Curve:
    """Return training and validation error along C or along the kernel: one of them varies."""
    table = grid(X, y, Cs, kernels, k=k, rng=rng, tol=tol, progress=progress)
    if min(len(table.kernels), len(table.Cs)) > 1:
        raise ValueError("A curve has one axis: give one kernel or one C, or use `grid`.")
    values = table.kernels if len(table.kernels) > 1 else tuple(table.Cs.tolist())
    return Curve(values, table.train_errors.reshape(-1, k), table.errors.reshape(-1, k))


def learning_curve(
    X: ArrayLike,
    y: ArrayLike,
    sizes: Sequence[int],
    C: float = 1.0,
    kernel: Kernel | None = None,
    *,
    k: int = 5,
    rng: Seed = 0,
    tol: float = 1e-3,
    progress: bool = True,
) -> Curve:
    """Return training and validation error along the number of training examples.

    In each fold the examples of a smaller size are among those of a larger one, and the classes
    keep their shares.
    """
    sizes = tuple(check_count(m, "each size", least=2) for m in sizes)
    y = check_labels(y, _count(X))
    rng = np.random.default_rng(rng)
    tests = _two_class_folds(y, k, rng)
    most = len(y) - max(len(test) for test in tests)
    if not sizes or max(sizes) > most:
        raise ValueError(f"sizes must name numbers from 2 to {most}: the rest is for validation.")
    K = (kernel or Linear())(X)
    train, validation = np.zeros((2, len(sizes), k))
    with tqdm(total=train.size, desc="learning curve", disable=not progress) as bar:
        for f, test in enumerate(tests):
            order = _interleaved(np.setdiff1d(np.arange(len(y)), test), y, rng)
            for s, m in enumerate(sizes):
                ((a, b, _),) = _validated(K, y, _costs([C]), order[:m], test, tol)
                train[s, f], validation[s, f] = a / m, b / len(test)
                bar.update()
    return Curve(sizes, train, validation)


def regularisation_path(
    X: ArrayLike,
    y: ArrayLike,
    Cs: ArrayLike,
    kernel: Kernel | None = None,
    *,
    tol: float = 1e-3,
    progress: bool = False,
) -> Path:
    """Train for each C, from the smallest up, starting each time from the previous answer."""
    kernel, Cs = kernel or Linear(), _costs(Cs)
    X = kernel.check(X)
    y = check_labels(y, _count(X))
    K = kernel.gram(X, X)
    machines, iterations = [], []
    for C, run in zip(tqdm(Cs, desc="path", disable=not progress), _along(K, y, Cs, tol)):
        machines.append(svm._machine(kernel, X, y, float(C), run.alpha, K))
        iterations.append(run.iterations)
    return Path(Cs, tuple(machines), np.array(iterations))


def _along(K, y, Cs, tol: float) -> Iterator[smo.SMORun]:
    """Solve for each C in turn, starting from the answer before, stretched to the new box."""
    start, before = None, Cs[0]
    for C in Cs:
        start = None if start is None else np.minimum(start * (C / before), C)
        run = smo.second_order(K, y, float(C), tol=tol, start=start)
        start, before = run.alpha, C
        yield run


def _validated(K, y, Cs, train, test, tol: float) -> list[tuple[int, int, float]]:
    """Return (wrong on train, wrong on test, relative gap) for each C."""
    if len(set(y[train])) < 2:
        raise ValueError(
            f"The {len(train)} training examples of a fold are all of one class: "
            "use more examples of the rare class, or larger sizes."
        )
    K_train, K_test = K[np.ix_(train, train)], K[np.ix_(test, train)]
    found = []
    for C, run in zip(Cs, _along(K_train, y[train], Cs, tol)):
        alpha, interval, judged = svm._judged(K_train, y[train], float(C), run.alpha, True)
        b = float(np.mean(interval))
        wrong = [
            int(np.sum(sign(block @ (alpha * y[train]) + b) != y[rows]))
            for block, rows in ((K_train, train), (K_test, test))
        ]
        found.append((*wrong, _relative_gap(judged)))
    return found


def _interleaved(train: np.ndarray, y: np.ndarray, rng) -> np.ndarray:
    """Return the examples in random order such that each beginning has the shares of the whole."""
    position = np.zeros(len(train))
    for label in (-1.0, 1.0):
        mine = rng.permutation(np.flatnonzero(y[train] == label))
        position[mine] = (np.arange(len(mine)) + 0.5) / len(mine)
    return train[np.argsort(position, kind="stable")]


def _two_class_folds(y: np.ndarray, k: int, rng) -> tuple[np.ndarray, ...]:
    rare = int(min(np.sum(y > 0), np.sum(y < 0)))
    if rare < 2:
        raise ValueError("A class has one example: left out, none is there to learn from.")
    return folds(len(y), k, y=y, rng=rng)


def _costs(Cs: ArrayLike) -> np.ndarray:
    Cs = np.unique(np.asarray(Cs, dtype=float))
    if Cs.size == 0 or not (np.isfinite(Cs).all() and (Cs > 0).all()):
        raise ValueError("Cs must be finite numbers > 0; for C = inf use svm.hard_margin.")
    return Cs


def _count(X) -> int:
    return X.shape[0] if hasattr(X, "shape") else len(X)


def _width(kernel: Kernel) -> float:
    return float(getattr(kernel, "sigma", np.inf))


def _relative_gap(certificate: svm.Certificate) -> float:
    return certificate.gap / abs(certificate.dual)
