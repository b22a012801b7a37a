"""What `selection` returns: grids of errors, curves, and the machines along C."""

from dataclasses import dataclass

import numpy as np

from .. import svm
from .._result import Result
from ..kernels import Kernel


@dataclass(frozen=True, eq=False)
class Grid(Result):
    """Errors of every kernel and C in every fold; first axis kernels, second Cs, third folds."""

    kernels: tuple[Kernel, ...]
    Cs: np.ndarray  #: (c,) increasing
    folds: tuple[np.ndarray, ...]  #: the test examples of each fold
    wrong: np.ndarray  #: (kernels, c, k) wrong predictions on the fold's test examples
    train_wrong: np.ndarray  #: (kernels, c, k) wrong predictions on its training examples
    gaps: np.ndarray  #: (kernels, c, k) duality gap of each trained machine, relative
    proved: np.ndarray  #: (kernels, c, k) whether it is proved to be within the tolerance

    def _lose_proof(self) -> None:
        """Nothing is proved of a changed table."""
        object.__setattr__(self, "proved", np.zeros_like(self.proved, dtype=bool))

    @property
    def converged(self) -> bool:
        """Every machine behind the table is proved."""
        return not self.changed and bool(self.proved.all())

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
        widths = [float(getattr(kernel, "sigma", np.inf)) for kernel in self.kernels]
        kernel, C = min(tied, key=lambda at: (at[1], -widths[at[0]], at[0]))
        return kernel, C

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
class Path(Result):
    """The machines along C, each with its certificate."""

    Cs: np.ndarray  #: (c,) increasing
    machines: tuple[svm.SVMachine, ...]
    iterations: np.ndarray  #: (c,) steps of SMO from the previous answer

    @property
    def norms(self) -> np.ndarray:
        """norm(w) for each C: it never falls as C grows. The street's half width is 1 / norm(w)."""
        squares = [m.alpha.sum() - m.certificate.dual - _price(m) for m in self.machines]
        return np.sqrt(2 * np.maximum(squares, 0.0))

    @property
    def slacks(self) -> np.ndarray:
        """sum xi for each C (with the squared hinge, of xi^2): it never grows with C."""
        primal = np.array([m.certificate.primal for m in self.machines])
        return np.maximum(primal - 0.5 * self.norms**2, 0.0) / self.Cs

    @property
    def gaps(self) -> np.ndarray:
        """The duality gap for each C, relative to the objective."""
        return np.array([m.certificate.relative_gap for m in self.machines])


def _price(machine: svm.SVMachine) -> float:
    """Return what the squared hinge takes from the dual."""
    squared = machine.loss == "squared_hinge"
    return float(np.sum(machine.alpha**2 / (4 * machine.C))) if squared else 0.0
