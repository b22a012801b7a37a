"""Machines on parts of the same examples: one Gram matrix for all of them, one block to decide."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from ..kernels import Kernel, Linear
from ..kernels.checks import check_gram
from ..kernels.gram import MEMORY
from ..svm.machine import SVMachine
from .machines import from_gram, svm
from .problems import QuickProblem, quick_problem
from .rescue import or_rescued
from .row_cache import FREED
from .sparse_machines import sparse_svm
from .tiles import against

#: Bytes of a Gram matrix that is held for all machines, for each class that makes use of it.
HELD = 6 * 2**20

Trainer = Callable[[Any, np.ndarray], SVMachine]


def trainer(
    X: np.ndarray,
    C: float | np.ndarray,
    kernel: Kernel,
    classes: int,
    *,
    loss: str,
    tol: float,
    order: np.ndarray | None = None,
) -> Trainer:
    """Return a function of (rows, y) that trains as `svm` does on these rows of X.

    K of all examples is made once, where it is small for so many classes and theory vouches for it.
    In this `order` it is held: class after class, the part of two classes lies in four blocks.
    """
    n = X.shape[0]
    if sparse.issparse(X):
        return lambda rows, y: sparse_svm(X[rows], y, _of(C, rows), loss=loss, tol=tol)
    if not kernel.valid or 8 * n * n > HELD * classes or np.isinf(C).all():
        return lambda rows, y: svm(X[rows], y, _of(C, rows), kernel, loss=loss, tol=tol)
    labels = np.where(np.arange(n) % 2, 1.0, -1.0)  # each machine brings its own
    if order is not None:
        X, C = X[order], _of(C, order)
    whole = quick_problem(X, labels, C, kernel, loss=loss, tol=tol)
    place = np.argsort(order) if order is not None else None
    np.empty(FREED, dtype=np.uint8)  # freed at once, untouched: parts of K then reuse their memory

    def train(rows: np.ndarray, y: np.ndarray) -> SVMachine:
        rows = rows if place is None else place[rows]
        every = len(rows) == n and place is None
        problem = _labelled(whole if every else whole.part(rows), y)
        return or_rescued(problem, from_gram(problem, polish=False)[0])

    return train


def _of(C: float | np.ndarray, rows: np.ndarray) -> float | np.ndarray:
    return C[rows] if isinstance(C, np.ndarray) and C.ndim else C


def _labelled(problem: QuickProblem, y: np.ndarray) -> QuickProblem:
    """Return the same examples with other labels; the Gram matrix is shared."""
    other = replace(problem, y=y)
    vars(other).update(Z=problem.Z, K=problem.K, known=problem.known)
    return other


class Decider:
    """f of machines with one kernel: K(x, z) once for each example z that any of them uses.

    `rows` are the numbers of each machine's examples among all.
    """

    def __init__(self, rows: Sequence[np.ndarray], machines: Sequence[SVMachine]) -> None:
        first: Any = machines[0]
        self.rows, self.machines = rows, machines
        self.kernel, self.centre = first.kernel, first.centre
        self.b = np.array([m.b if self.centre is None else m.b_centred for m in machines])
        self.alone = any(m.centre is not self.centre for m in machines)

    @cached_property
    def table(self) -> tuple[Any, np.ndarray]:
        """Return K(., z) of the examples z in use, and of each machine a column of coefficients."""
        if isinstance(self.kernel, Linear):
            weights: list[Any] = [machine.w for machine in self.machines]
            return None, np.column_stack(weights)
        used = [np.flatnonzero(machine.alpha) for machine in self.machines]
        places = [I[s] for I, s in zip(self.rows, used)]
        found, one = np.unique(np.concatenate(places), return_index=True)
        Z = np.concatenate([m.X[s] for m, s in zip(self.machines, used)])[one]
        W = np.zeros((len(found), len(self.machines)))
        for column, I, s, m in zip(W.T, places, used, self.machines):
            column[np.searchsorted(found, I)] = (m.alpha * m.y)[s]
        return (against(self.kernel, Z) if len(Z) else None), W

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """Return the score of each machine for each of these checked rows, (n, machines)."""
        if self.alone:
            return np.column_stack([machine.decision(X) for machine in self.machines])
        columns_of, W = self.table
        if isinstance(self.kernel, Linear):
            return (X if self.centre is None else X - self.centre) @ W + self.b
        if columns_of is None:
            return np.tile(self.b, (len(X), 1))
        height = max(1, MEMORY // (8 * len(W)))
        parts = [columns_of(X[i : i + height]) @ W for i in range(0, len(X), height)]
        return check_gram(np.concatenate(parts), self.kernel) + self.b
