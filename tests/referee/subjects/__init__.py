"""The families of certificates: a name, a share of the cases, and a function of (rng, ledger)."""

from tests.referee.subjects import (
    capacity,
    kernel_validity,
    linear_machines,
    machines,
    margin,
    mistake_bounds,
    regressions,
    shells,
    svm_certificate,
)

SUBJECTS = {
    "svm solvers": (24, machines.solvers),
    "svm, more examples": (1, machines.larger),
    "svm certificate": (20, svm_certificate.case),
    "linear": (10, linear_machines.case),
    "svr": (5, regressions.svr),
    "ridge": (5, regressions.ridge),
    "pca": (3, regressions.components),
    "kmeans": (3, regressions.clusters),
    "psd": (5, kernel_validity.matrices),
    "refute": (1, kernel_validity.refutations),
    "max_margin": (8, margin.case),
    "mistake bound": (8, mistake_bounds.case),
    "kernel mistake bound": (2, mistake_bounds.kernel_case),
    "perceptron": (3, mistake_bounds.converged),
    "shatters": (2, capacity.shattering),
    "radon": (2, capacity.radon),
    "smallest ball": (2, capacity.ball),
    "random signs": (2, capacity.signs),
    "metrics": (2, capacity.curves),
    "several classes": (2, shells.several_classes),
    "path": (2, shells.path),
    "estimators": (3, shells.warned),
    "non-kernels": (3, shells.non_kernels),
}
