"""Machines on parts of the same examples: one Gram matrix for all of them, one block to decide."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from scipy import sparse

from .._jit import COMPILED
from .._result import SEAL
from ..kernels import Kernel, Linear
from ..kernels.gram import MEMORY, check_gram
from ..proof.duality import ASK
from ..proof.together import certificates, stretches
from ..smo import AFRESH
from ..svm.machine import SVMachine
from ..svm.problem import balanced, offset_interval
from .decomposition import LEAST_TOL
from .loop64 import quick_multipliers
from .machines import FEW_EXAMPLES, FINE_TOL, MAX_ITERATIONS, SURE, from_gram, svm
from .problems import QuickProblem, quick_problem
from .rescue import or_rescued
from .row_cache import FREED
from .sparse_machines import sparse_svm
from .tiles import against

#: Bytes of a Gram matrix that is held for all machines, for each class that makes use of it.
HELD = 6 * 2**20

#: What a machine is trained on: the numbers of its examples among all, and their labels -1, +1.
Part = tuple[np.ndarray, np.ndarray]


def machines(
    X: Any,
    C: float | np.ndarray,
    kernel: Kernel,
    parts: Sequence[Part],
    classes: int,
    *,
    loss: str,
    tol: float,
) -> list[SVMachine]:
    """Return what `svm` does for each part of the examples.

    K of all examples is made once, where it is small for so many classes and theory vouches for it;
    then what the hinge loss asks for is solved and judged in one go, and each machine that this
    leaves unproved once more, alone. Examples of one class should stand together.
    """
    n = X.shape[0]
    if sparse.issparse(X):
        return [sparse_svm(X[I], y, _of(C, I), loss=loss, tol=tol) for I, y in parts]
    if not kernel.valid or 8 * n * n > HELD * classes or np.isinf(C).all():
        return [svm(X[I], y, _of(C, I), kernel, loss=loss, tol=tol) for I, y in parts]
    labels = np.where(np.arange(n) % 2, 1.0, -1.0)  # each machine brings its own
    whole = quick_problem(X, labels, C, kernel, loss=loss, tol=tol)
    np.empty(FREED, dtype=np.uint8)  # freed at once, untouched: parts of K then reuse their memory
    together = COMPILED and loss == "hinge" and not whole.linear and whole.known is not None
    found = _together(whole, parts) if together else [None] * len(parts)
    return [_alone(whole, *part) if m is None else m for m, part in zip(found, parts)]


def _alone(whole: QuickProblem, rows: np.ndarray, y: np.ndarray) -> SVMachine:
    problem = _labelled(whole if len(rows) == len(whole.y) else whole.part(rows), y)
    return or_rescued(problem, from_gram(problem, polish=False)[0])


def _together(whole: QuickProblem, parts: Sequence[Part]) -> list[SVMachine | None]:
    """Return the machines that are proved where all are solved, and then judged in one go."""
    rows, labels = [I for I, _ in parts], [y for _, y in parts]
    costs = [_of(whole.C, I) for I in rows]
    runs = _solved(whole, parts, costs)
    alphas = [balanced(run[0], y) for run, y in zip(runs, labels)]
    intervals = [
        offset_interval(y - run[1], y, C, a) for run, y, C, a in zip(runs, labels, costs, alphas)
    ]
    offsets = [0.5 * (low + high) for low, high in intervals]
    each = [np.full(len(y), C) if np.ndim(C) == 0 else C for y, C in zip(labels, costs)]
    proofs = certificates(
        *(whole.K, rows, np.concatenate(labels), np.concatenate(each)),
        *(np.concatenate(alphas), np.array(offsets)),
        diagonal=whole.kernel.diagonal(whole.X),
        relative=whole.known or 0.0,
        tol=whole.tol,
    )
    found = zip(rows, labels, costs, alphas, offsets, intervals, proofs, runs)
    machines = [
        SVMachine(
            whole.kernel, whole.X if len(I) == len(whole.y) else whole.X[I], y, C, alpha, b,
            interval, proof, message=f"solved; {proof.reason}", iterations=run[2], _seal=SEAL,
        )
        for I, y, C, alpha, b, interval, proof, run in found
    ]  # fmt: skip
    return [m if m.certificate.holds and m.certificate.off <= ASK else None for m in machines]


def _solved(whole: QuickProblem, parts: Sequence[Part], costs: Sequence) -> list[tuple]:
    """Return alpha, F and the steps for each part; each has its K in the same memory."""
    room, found = np.empty(max(len(I) for I, _ in parts) ** 2), []
    for (I, y), C in zip(parts, costs):
        K, goal = whole.K, whole.tol * (FINE_TOL if len(I) <= FEW_EXAMPLES else 1.0)
        if len(I) < len(K):
            K = room[: len(I) ** 2].reshape(len(I), len(I))
            for (here, down), (there, across) in product(stretches(I), repeat=2):
                K[here, there] = whole.K[down][:, across]
        cost, asked = np.full(len(y), C), (SURE * whole.tol, LEAST_TOL, AFRESH, MAX_ITERATIONS)
        found.append(quick_multipliers(K, y, cost, goal, *asked))
    return found


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
