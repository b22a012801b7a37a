"""What is built from machines: several classes, paths along C, estimators; and non-kernels."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from lectures_lib import estimators, fast, kernel_methods, multiclass, selection, svm
from tools.referee import api, draw
from tools.referee.ledger import Ledger
from tools.referee.rational import exact
from tools.referee.subjects import kernel_validity, linear_machines, machines


def several_classes(rng: np.random.Generator, ledger: Ledger) -> None:
    """Every machine of a composite carries its own proof."""
    X, kind, unit = draw.points(rng, 4, 7, 2)
    y = rng.integers(0, 3, size=len(X))
    y[:3] = 0, 1, 2
    kernel, C = draw.kernel(rng, X), draw.cost(rng, unit)
    way = str(rng.choice(["one_vs_rest", "one_vs_one"]))
    seen = []

    def trainer(Z, labels):
        seen.append(draw.Examples(np.asarray(Z), np.asarray(labels), kind, unit))
        return svm.train(Z, labels, C, kernel, **machines.PATIENCE["train"])

    what = f"multiclass.{way} {kernel!r} C={C:.3g} [{kind}]"
    found = ledger.call(what, getattr(multiclass, way), X, y, trainer)
    if found is None:
        return
    for machine, data in zip(found.machines, seen):
        machines.judge(ledger, what, machine, kernel, data, C)


def path(rng: np.random.Generator, ledger: Ledger) -> None:
    """Machines along C, and a grid: each proved or not, none wrong and called converged."""
    data = draw.examples(rng, 6, 2)
    kernel, C = draw.kernel(rng, data.X), draw.cost(rng, data.unit)
    what = f"regularisation_path {kernel!r} [{data.kind}]"
    Cs = [C, 3.0 * C]
    found = ledger.call(what, selection.regularisation_path, data.X, data.y, Cs, kernel)
    for machine in found.machines if found is not None else ():
        at = f"{what} C={machine.C:.3g}"
        machines.judge(ledger, at, machine, kernel, data, machine.C, asked=api.QUICK)
    if min(np.sum(data.y > 0), np.sum(data.y < 0)) >= 2:
        options = {"k": 2, "progress": False}
        ledger.call(f"grid {what}", selection.grid, data.X, data.y, Cs, [kernel], **options)


def warned(rng: np.random.Generator, ledger: Ledger) -> None:
    """An estimator that ends unproved says so by scikit-learn's ConvergenceWarning."""
    data = draw.examples(rng, 8, 3)
    C = draw.cost(rng, data.unit)
    name = str(rng.choice(list(ESTIMATORS)))
    estimator = ESTIMATORS[name](rng, C)
    what = f"estimators.{estimator!r} [{data.kind}]".replace("\n", " ")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fitted = ledger.call(what, estimator.fit, data.X, data.y)
    if fitted is None:
        return
    said = any(issubclass(w.category, ConvergenceWarning) for w in caught)
    machine = fitted.machine_
    if not machine.converged and not said:
        ledger.fail("wrong converged", f"{what}: unproved, and no ConvergenceWarning")
    if machine.converged and said:
        ledger.fail("false refutations", f"{what}: proved, and a ConvergenceWarning")
    if name == "SVM":
        machines.judge(ledger, what, machine, machine.kernel, data, C, asked=api.QUICK)
    if name == "LinearSVM":
        judge_linear(ledger, what, estimator, machine, data, C)


def judge_linear(ledger: Ledger, what: str, estimator, machine, data, C: float) -> None:
    """Judge the machine of a LinearSVM, whose offset is the weight of a constant feature."""
    X = np.hstack([data.X, np.ones((len(data.X), 1))])
    given, constant = (data.X, 1.0) if len(machine.w) == data.X.shape[1] else (X, 0.0)
    lifted = draw.Examples(given, data.y, data.kind, data.unit)
    problem = linear_machines.posed(lifted, C, constant, machine.loss == "squared_hinge")
    linear_machines.judge(ledger, what, machine, lifted, problem, estimator.get_params()["tol"])


ESTIMATORS = {
    "SVM": lambda rng, C: estimators.SVM(
        C=C, kernel=str(rng.choice(["linear", "gaussian"])), sigma=draw.power(rng, -1, 1)
    ),
    "LinearSVM": lambda rng, C: estimators.LinearSVM(C=C),
    "Perceptron": lambda rng, C: estimators.Perceptron(max_epochs=10),
    "SupportVectorRegression": lambda rng, C: estimators.SupportVectorRegression(
        C=C, kernel="linear"
    ),
    "KernelRidge": lambda rng, C: estimators.KernelRidge(penalty=1 / C, kernel="linear"),
}


def non_kernels(rng: np.random.Generator, ledger: Ledger) -> None:
    """No method proves anything with a function that is no kernel; it may refuse it."""
    data = draw.examples(rng, 8, 2)
    X = rng.normal(size=(max(3, len(data.X)), 2)) * draw.power(rng, -0.5, 1)
    y = draw.labels(rng, X)
    kernel = kernel_validity.INVALID[rng.integers(len(kernel_validity.INVALID))]
    if not kernel_validity.clearly_not(exact(kernel(X))):
        return
    name = str(rng.choice(list(METHODS)))
    what = f"{name} with {kernel!r}"
    result = ledger.call(what, METHODS[name], X, y, draw.cost(rng, True), kernel, legal=False)
    if result is None:
        return
    if hasattr(result, "certificate"):
        ledger.verdict(what, api.verdict(result.certificate), right=False)
    ledger.converged(what, bool(getattr(result, "converged", False)), right=False)


METHODS = {
    "svm.train": svm.train,
    "fast.svm": fast.svm,
    "svm.dual": svm.dual,
    "estimators.SVM": lambda X, y, C, k: estimators.SVM(C=C, kernel=k).fit(X, y).machine_,
    "svr": lambda X, y, C, k: kernel_methods.support_vector_regression(X, y, C, 0.1, k),
    "ridge": lambda X, y, C, k: kernel_methods.kernel_ridge(X, y, k, 1 / C),
    "pca": lambda X, y, C, k: kernel_methods.kernel_pca(X, k, 1),
}
