"""Linear machines with a free offset on sparse examples, which are never made dense.

Seen from a centre they would not be sparse, so they are seen from the origin.
"""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from ..conventions import check_choice, check_cost, check_labels, check_positive
from ..kernels import Linear
from ..linear.problem import sparse_examples
from ..proof.svm import LOSSES
from ..svm.machine import SVMachine, machine
from ..svm.problem import balanced
from .decomposition import solved, steps_by_rows
from .machines import FEW_EXAMPLES, FINE_TOL, SURE, svm, until_proved
from .problems import QuickProblem
from .threads import one_thread

#: Bytes of K that may be held.
MEMORY = 2**30
#: An unproved answer is solved again with dense X, up to this many entries: 32 MB of doubles.
DENSE_ENTRIES = 2**22


class SparseLinear(Linear):
    """x.z of sparse rows."""

    def check(self, X: Any) -> Any:
        if not sparse.issparse(X):
            return super().check(X)
        return sparse_examples(X, np.ones(X.shape[0]))[0]

    def gram(self, X: Any, Z: Any) -> np.ndarray:
        products = X @ Z.T
        return products.toarray() if sparse.issparse(products) else np.asarray(products)

    def diagonal(self, X: Any) -> np.ndarray:
        return np.asarray(X.multiply(X).sum(axis=1)).ravel()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Linear)

    __hash__ = Linear.__hash__


def sparse_svm(
    X: sparse.csr_matrix, y: ArrayLike, C: float | np.ndarray, *, loss: str, tol: float
) -> SVMachine:
    """Train as `svm` does with the kernel x.z, on sparse rows and for a finite C."""
    X, y = sparse_examples(X, y)
    tol = check_positive(tol, "tol", ": it is a relative duality gap")
    y, C = check_labels(y, len(y)), check_cost(C, len(y), hard=False)
    loss = check_choice(loss, LOSSES, "loss")
    problem = QuickProblem(SparseLinear(), X, y, C, loss, True, tol, None)
    ridge = 0.5 / problem.C if problem.squared else 0.0
    steps = steps_by_rows(problem.kernel, X, ridge, memory=max(MEMORY, 32 * len(y)))
    gap = None if problem.squared else SURE * tol

    def ask(violation, start):
        start = None if start is None else balanced(start, y)
        return solved(steps, y, problem.high, tol=violation, start=start, gap=gap)

    def build(run):
        return machine(
            problem, balanced(run.alpha, y), run, scores=problem.kept(run.alpha, run.F)
        )  # fmt: skip

    with one_thread():
        found = until_proved([ask], build, tol * (FINE_TOL if len(y) <= FEW_EXAMPLES else 1.0))[0]
    if found.converged or X.shape[0] * X.shape[1] > DENSE_ENTRIES:
        return found
    return svm(X.toarray(), y, C, Linear(), loss=loss, tol=tol)
