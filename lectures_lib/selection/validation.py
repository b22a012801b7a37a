"""Folds, grids, curves and paths; see `selection`."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from tqdm import tqdm

from .. import svm
from .._arguments import BadArgument, explained
from .._result import SEAL
from ..conventions import check_count, check_rng, sign, take_rows
from ..fast.machines import from_gram
from ..fast.problems import QuickProblem, quick_problem
from ..fast.threads import for_each, one_thread
from ..kernels import Kernel
from .results import Curve, Grid, Path

if sys.platform == "emscripten":
    tqdm.monitor_interval = 0  # its monitor is a thread, and a browser has none

Seed = int | np.random.Generator | None


@explained
def folds(n: int, k: int, *, y: ArrayLike | None = None, rng: Seed = 0) -> tuple[np.ndarray, ...]:
    """Split 0, ..., n - 1 at random into k test sets; every example is tested once.

    The sizes differ by 1 at most; with labels `y` (stratified), so do each class's numbers.

    Parameters
    ----------
    n, k : how many examples, how many folds
    y : labels, whose shares the folds keep
    rng : a seed or generator

    Examples
    --------
    >>> [len(fold) for fold in selection.folds(10, 3)]
    [4, 3, 3]
    """
    n, k = check_count(n, "n"), check_count(k, "k", least=2)
    if k > n:
        raise BadArgument(f"{n} examples cannot be split into {k} folds: use k <= {n}.")
    labels = np.zeros(n) if y is None else np.asarray(y)
    if labels.shape != (n,):
        raise BadArgument(f"y has shape {labels.shape}; it needs ({n},), one label an example.")
    rng = check_rng(rng)
    classes = labels[np.sort(np.unique(labels, return_index=True)[1])]  # as they come, not by name
    dealt = np.concatenate(
        [rng.permutation(np.flatnonzero(labels == label)) for label in classes]
    )  # class after class, dealt like cards
    return tuple(np.sort(dealt[fold::k]) for fold in range(k))


@explained
def grid(
    X: ArrayLike,
    y: ArrayLike,
    Cs: ArrayLike,
    kernels: Iterable[Kernel],
    *,
    k: int = 5,
    rng: Seed = 0,
    loss: str = "hinge",
    tol: float = 1e-3,
    progress: bool = True,
    client: Any | None = None,
) -> Grid:
    """Cross-validate SVMs for all pairs of a kernel and a C, on the same stratified folds.

    `loss` is that of `svm.train`, `tol` the relative duality gap that is to be proved of each
    machine; `progress` shows a bar. With the same `rng` the answer is the same.

    Parameters
    ----------
    X, y : examples that the kernels take, and their labels -1 and +1
    Cs, kernels : what is tried, in all pairs
    k : how many folds
    rng : a seed or generator for the folds
    loss : "hinge" or "squared_hinge"
    tol : the relative duality gap to be proved of each machine
    progress : show a bar
    client : a distributed.Client: its workers make a Gram matrix per kernel and train, fold by
        fold; None: this process. The answer is the same to the bit on processors of one kind

    Examples
    --------
    >>> X, y = datasets.noisy(30)
    >>> found = selection.grid(X, y, [0.1, 1.0], [kernels.Linear()], k=3, progress=False)
    >>> found.wrong.shape
    (1, 2, 3)
    """
    Cs, kernels = _costs(Cs), tuple(kernels)
    if not kernels:
        raise BadArgument("kernels is empty: name at least one, such as kernels.Linear().")
    y = quick_problem(X, y, 1.0, kernels[0], loss=loss, tol=tol).y
    tests = _two_class_folds(y, k, rng)
    wrong, train_wrong, gaps, proved = np.zeros((4, len(kernels), len(Cs), k))
    with tqdm(total=wrong.size, desc="cross-validation", disable=not progress) as bar:
        pose = partial(quick_problem, X, y, 1.0, loss=loss, tol=tol)
        results = _by_fold(pose, kernels, Cs, tests, client, partial(bar.update, len(Cs)))
    for (i, f), found in zip(np.ndindex(len(kernels), k), results):
        train_wrong[i, :, f], wrong[i, :, f], gaps[i, :, f], proved[i, :, f] = found.T
    return _found(kernels, Cs, tests, wrong, train_wrong, gaps, proved)


@explained
def cross_validate(
    X: ArrayLike,
    y: ArrayLike,
    C: float = 1.0,
    kernel: Kernel | None = None,
    *,
    k: int = 5,
    rng: Seed = 0,
    loss: str = "hinge",
    tol: float = 1e-3,
) -> Grid:
    """Cross-validate one SVM: train without each fold in turn, and count errors on it (L4, L5).

    The answer is a `Grid` with one kernel and one C, on the folds of `grid`, which is faster.

    Parameters
    ----------
    X, y, k, rng, loss, tol : as in `grid`
    C, kernel : of the one machine; None is the linear kernel

    Examples
    --------
    >>> X, y = datasets.noisy(30)
    >>> selection.cross_validate(X, y, k=3).wrong.shape
    (1, 1, 3)
    """
    Cs, problem = _costs([C]), svm.pose(X, y, C, kernel, loss=loss, tol=tol)
    X, y, kernel = problem.X, problem.y, problem.kernel
    found, tests = [], _two_class_folds(y, k, rng)
    for test in tests:
        rest = np.setdiff1d(np.arange(len(y)), test)
        machine = svm.train(take_rows(X, rest), y[rest], C, kernel, loss=loss, tol=tol)
        errors = [np.sum(machine.predict(take_rows(X, part)) != y[part]) for part in (test, rest)]
        found.append((*errors, machine.certificate.relative_gap, machine.converged))
    wrong, train_wrong, gaps, proved = np.reshape(np.transpose(found), (4, 1, 1, k))
    return _found((kernel,), Cs, tests, wrong, train_wrong, gaps, proved)


def _found(kernels, Cs, tests, wrong, train_wrong, gaps, proved) -> Grid:
    """Return the grid of machines that were trained and judged here; all numbers are floats."""
    wrong, train_wrong = wrong.astype(int), train_wrong.astype(int)
    return Grid(kernels, Cs, tests, wrong, train_wrong, gaps, proved > 0, _seal=SEAL)


@explained
def validation_curve(
    X: ArrayLike,
    y: ArrayLike,
    Cs: ArrayLike,
    kernels: Iterable[Kernel],
    *,
    k: int = 5,
    rng: Seed = 0,
    loss: str = "hinge",
    tol: float = 1e-3,
    progress: bool = True,
) -> Curve:
    """Return training and validation error along C or along the kernel: one of them varies.

    Parameters
    ----------
    X, y, k, rng, loss, tol, progress : as in `grid`
    Cs, kernels : several of the one, and a single other

    Examples
    --------
    >>> X, y = datasets.noisy(30)
    >>> one = [kernels.Linear()]
    >>> selection.validation_curve(X, y, [0.1, 1.0], one, k=3, progress=False).values
    (0.1, 1.0)
    """
    table = grid(X, y, Cs, kernels, k=k, rng=rng, loss=loss, tol=tol, progress=progress)
    if min(len(table.kernels), len(table.Cs)) > 1:
        raise BadArgument("A curve has one axis: give one kernel or one C, or use `grid`.")
    values = table.kernels if len(table.kernels) > 1 else tuple(table.Cs.tolist())
    return Curve(values, table.train_errors.reshape(-1, k), table.errors.reshape(-1, k))


@explained
def learning_curve(
    X: ArrayLike,
    y: ArrayLike,
    sizes: Sequence[int],
    C: float = 1.0,
    kernel: Kernel | None = None,
    *,
    k: int = 5,
    rng: Seed = 0,
    loss: str = "hinge",
    tol: float = 1e-3,
    progress: bool = True,
) -> Curve:
    """Return training and validation error along the number of training examples.

    In each fold the examples of a smaller size are among those of a larger one, and the classes
    keep their shares.

    Parameters
    ----------
    X, y, k, rng, loss, tol, progress : as in `grid`
    sizes : numbers of training examples
    C, kernel : of the machine; None is the linear kernel

    Examples
    --------
    >>> X, y = datasets.noisy(30)
    >>> selection.learning_curve(X, y, [5, 10], k=3, progress=False).validation.shape
    (2, 3)
    """
    sizes = tuple(check_count(m, "each size", least=2) for m in sizes)
    whole, Cs = quick_problem(X, y, C, kernel, loss=loss, tol=tol), _costs([C])
    y, rng = whole.y, check_rng(rng)
    tests = _two_class_folds(y, k, rng)
    most = len(y) - max(len(test) for test in tests)
    if not sizes or max(sizes) > most:
        raise BadArgument(f"sizes must name numbers from 2 to {most}: the rest is for validation.")
    train, validation = np.zeros((2, len(sizes), k))
    with tqdm(total=train.size, desc="learning curve", disable=not progress) as bar:
        for f, test in enumerate(tests):
            order = _interleaved(np.setdiff1d(np.arange(len(y)), test), y, rng)
            for s, m in enumerate(sizes):
                ((a, b, *_),) = _validated(whole, Cs, order[:m], test)
                train[s, f], validation[s, f] = a / m, b / len(test)
                bar.update()
    return Curve(sizes, train, validation)


@explained
def regularisation_path(
    X: ArrayLike,
    y: ArrayLike,
    Cs: ArrayLike,
    kernel: Kernel | None = None,
    *,
    loss: str = "hinge",
    tol: float = 1e-3,
    progress: bool = False,
) -> Path:
    """Train for each C, from the smallest up, starting each time from the previous answer.

    Parameters
    ----------
    X, y, Cs, loss, tol, progress : as in `grid`
    kernel : None is the linear kernel

    Examples
    --------
    >>> X, y = datasets.noisy(30)
    >>> len(selection.regularisation_path(X, y, [0.1, 1.0]).machines)
    2
    """
    whole, Cs = quick_problem(X, y, 1.0, kernel, loss=loss, tol=tol), _costs(Cs)
    machines, iterations = [], []
    for answer, _, steps in tqdm(_along(whole, Cs, True), "path", len(Cs), disable=not progress):
        machines.append(answer)
        iterations.append(steps)
    return Path(Cs, tuple(machines), np.array(iterations))


def _along(
    whole: QuickProblem, Cs: np.ndarray, polish: bool
) -> Iterator[tuple[svm.SVMachine, np.ndarray, int]]:
    """Solve for each C in turn, starting from the answer before, stretched.

    Yield the machine, its scores sum alpha y K as SMO left them, and SMO's steps.
    """
    start, scores, before = None, np.zeros(len(whole.y)), Cs[0]
    for C in Cs:
        problem = whole.at_cost(C)
        if start is not None:
            start = _stretched(problem, start, scores, before)
        answer, run, steps = from_gram(problem, start, polish=polish)
        start, before, scores = run.alpha, C, problem.kept(run.alpha, run.F)
        yield answer, scores, steps


def _stretched(problem: QuickProblem, alpha, scores, before: float) -> np.ndarray:
    """Return t alpha, as a start for a larger C than that of `before`: t is at most their ratio.

    If most multipliers are at their bound, they shall be there again. If most are free, t is where
    the dual value t sum alpha - half t^2 norm(w)^2 is largest: 1 if alpha is the best for all C.
    """
    C, bounded, most = problem.C, alpha == before, problem.C / before
    ridge = 0.5 / C if problem.squared else 0.0
    norm2 = (alpha * problem.y) @ scores + ridge * (alpha @ alpha)
    if 2 * np.sum(bounded) >= np.sum(alpha > 0) or alpha.sum() >= most * norm2:
        return np.where(bounded, C, np.minimum(most * alpha, problem.high))
    return np.minimum(max(1.0, alpha.sum() / norm2) * alpha, problem.high)


class _Shared:
    """The problem of one kernel: posed when its first fold asks for it, let go after its last."""

    def __init__(self, pose, kernel: Kernel, folds: int) -> None:
        self.pose, self.kernel, self.left = pose, kernel, folds
        self.lock = Lock()
        self.whole: QuickProblem | None = None

    def take(self) -> QuickProblem:
        """Return the problem, with its Gram matrix."""
        with self.lock:
            whole, self.left = self.whole or self.pose(self.kernel), self.left - 1
            _ = whole.K  # made here, once
            self.whole = whole if self.left else None
            return whole


def _by_fold(pose, kernels, Cs: np.ndarray, tests, client, done: Callable) -> list[np.ndarray]:
    """Return what each fold finds, kernel by kernel: by threads of this process, or by workers."""

    def look(part):
        found = _fold(part[0].take(), Cs, part[1])
        done()
        return found

    if client is None:
        shared = [_Shared(pose, kernel, len(tests)) for kernel in kernels]
        return for_each(look, [(whole, test) for whole in shared for test in tests])
    if not callable(getattr(client, "submit", None)):
        raise BadArgument(f"client must be a distributed.Client, not {client!r}.")
    wholes = [client.submit(pose, kernel, pure=False) for kernel in kernels]
    given = [(whole, Cs, test) for whole in wholes for test in tests]
    return client.gather([client.submit(_fold_alone, *each, pure=False) for each in given])


def _fold_alone(whole: QuickProblem, Cs: np.ndarray, test: np.ndarray) -> np.ndarray:
    """Return what `_fold` finds, matrix products by one thread, as in this process."""
    with one_thread():
        return _fold(whole, Cs, test)


def _fold(whole: QuickProblem, Cs: np.ndarray, test: np.ndarray) -> np.ndarray:
    """Return what `_validated` finds on one fold."""
    return np.array(_validated(whole, Cs, np.setdiff1d(np.arange(len(whole.y)), test), test))


def _validated(whole: QuickProblem, Cs, train, test) -> list[tuple[int, int, float, bool]]:
    """Return (wrong on train, wrong on test, relative gap, proved) for each C."""
    y = whole.y
    if len(set(y[train])) < 2:
        raise BadArgument(
            f"The {len(train)} training examples of a fold are all of one class: "
            "use more examples of the rare class, or larger sizes."
        )
    part, K = whole.part(train), whole.block(test, train)
    found = []
    for answer, scores, _ in _along(part, Cs, polish=False):
        b = answer.b if whole.centre is None else answer.b_centred
        here = int(np.sum(sign(scores + b) != y[train]))
        there = int(np.sum(sign(K @ (answer.alpha * part.y) + b) != y[test]))
        found.append((here, there, answer.certificate.relative_gap, answer.converged))
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
        raise BadArgument("A class has one example: left out, none is there to learn from.")
    return folds(len(y), k, y=y, rng=rng)


def _costs(Cs: ArrayLike) -> np.ndarray:
    Cs = np.asarray(Cs)
    if Cs.dtype.kind not in "biuf" or Cs.size == 0 or not ((0 < Cs) & (Cs < np.inf)).all():
        raise BadArgument("Cs must be finite numbers > 0; for C = inf use svm.hard_margin.")
    return np.unique(Cs.astype(float))
