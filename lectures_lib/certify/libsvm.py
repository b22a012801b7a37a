"""Models of LIBSVM's own package, seen as scikit-learn's classes around it show theirs."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from .kernel_models import nu_svr, svc, svr
from .reading import Case, Data, refuse

#: svm_type: the name of the class, and who reads it.
TYPES = {0: ("SVC", svc), 1: ("NuSVC", svc), 3: ("SVR", svr), 4: ("NuSVR", nu_svr)}
#: kernel_type.
KERNELS = ("linear", "poly", "rbf", "sigmoid", "precomputed")


def libsvm(model: Any, data: Data) -> list[Case]:
    """Return the cases of an svm_model; of a precomputed kernel, X is K without its ids."""
    given = model.param
    if given.svm_type not in TYPES:
        raise refuse(model, "only C-SVC, nu-SVC, epsilon-SVR and nu-SVR have an objective here")
    if model.free_sv:
        raise refuse(model, "it comes from a file, and files of LIBSVM do not keep C")
    if given.nr_weight:
        raise refuse(model, "it was trained with weights of classes, which it does not keep")
    labels = np.array(model.get_labels() if given.svm_type < 2 else [])
    if len(labels) and not np.array_equal(np.sort(labels), np.unique(data.y)):
        raise refuse(model, f"it was trained on other classes than those of y: {labels.tolist()}")
    name, read = TYPES[given.svm_type]
    view = type(name, (SimpleNamespace,), {"__repr__": lambda self: f"{name} of LIBSVM"})
    return read(view(**_fields(model, given, labels, data.X.shape[1])), data)


def _fields(model: Any, given: Any, labels: np.ndarray, width: int) -> dict[str, Any]:
    """Return the parameters and what was learnt, by scikit-learn's names."""
    kernel = KERNELS[given.kernel_type]
    rows = np.zeros((model.l, 0 if kernel == "precomputed" else width))
    for i, entries in enumerate(model.get_SV() if kernel != "precomputed" else []):
        for j, value in entries.items():
            if j > width:
                raise refuse(model, f"it was trained on {j} features or more, and X has {width}")
            rows[i, j - 1] = value
    pairs = len(labels) * (len(labels) - 1) // 2 if len(labels) else 1
    return {
        "kernel": kernel, "gamma": given.gamma, "coef0": given.coef0, "degree": given.degree,
        "C": given.C, "nu": given.nu, "epsilon": given.p, "classes_": labels, "flipped": False,
        "support_": np.array(model.get_sv_indices(), dtype=int) - 1, "support_vectors_": rows,
        "n_support_": np.array(model.nSV[: len(labels)] if len(labels) else [model.l]),
        "dual_coef_": np.array(model.get_sv_coef(), dtype=float).reshape(model.l, -1).T,
        "intercept_": -np.array(model.rho[:pairs]), "class_weight_": np.ones(len(labels)),
    }  # fmt: skip
