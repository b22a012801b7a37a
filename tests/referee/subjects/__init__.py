"""The families of certificates: a name, a share of the cases, and a function of (rng, ledger)."""

from tests.referee.subjects import machines, svm_certificate

SUBJECTS = {
    "svm solvers": (24, machines.solvers),
    "svm, more examples": (1, machines.larger),
    "svm certificate": (20, svm_certificate.case),
}
