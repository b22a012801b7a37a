"""Every judge and every function with ``exact=``, called well, and numbers that no float is."""

import numpy as np

from lectures_lib import (
    bounds,
    complexity,
    fast,
    kernel_methods,
    kernels,
    margins,
    partitions,
    perceptron,
    proof,
    svm,
)
from lectures_lib.proof import rounding
from lectures_lib.proof.regression import svr_certificate

X = np.array([[1.0, 2.0], [2.0, 1.0], [-1.0, -2.0], [-2.0, -1.0]])
Y = np.array([1.0, 1.0, -1.0, -1.0])
K = X @ X.T
RUN = perceptron.perceptron(X, Y)
ZERO = np.zeros(4)
LINEAR = kernels.Linear()

CALLS = {
    "psd_certificate": (proof.psd_certificate, {"K": K, "exact": True}),
    "psd_level": (proof.psd_level, {"K": K}),
    "exact_level": (proof.exact_level, {"K": K}),
    "ridge_certificate": (
        proof.ridge_certificate,
        {"K": K, "y": Y, "penalty": 1.0, "alpha": ZERO, "b": 0.5, "weights": ZERO + 1},
    ),
    "kmeans_certificate": (
        proof.kmeans_certificate,
        {"K": K, "labels": np.array([0, 0, 1, 1]), "objectives": [2.0]},
    ),
    "pca_certificate": (
        proof.pca_certificate,
        {"K": K, "values": np.array([18.0]), "V": X[:, :1] / 2},
    ),
    "svm.certificate": (
        svm.certificate,
        {"K": K, "y": Y, "C": 1.0, "alpha": ZERO, "b": 0.5, "exact": True},
    ),
    "svr_certificate": (
        svr_certificate,
        {"K": K, "y": Y, "C": 1.0, "epsilon": 0.1, "beta": ZERO, "b": 0.5, "exact": True},
    ),
    "max_margin": (margins.max_margin, {"X": X, "y": Y, "exact": True}),
    "shatters": (complexity.shatters, {"X": X[:2], "exact": True}),
    "radon": (complexity.radon, {"X": X, "exact": True}),
    "smallest_ball": (complexity.smallest_ball, {"X": X}),
    "mistake_bound": (
        bounds.mistake_bound,
        {"run": RUN, "X": X, "y": Y, "u": X[0], "R": 4.0, "gamma": 0.5, "exact": True},
    ),
    "hinge_mistake_bound": (
        bounds.hinge_mistake_bound,
        {"run": RUN, "X": X, "y": Y, "u": X[0], "exact": True},
    ),
    "kernel_mistake_bound": (
        bounds.kernel_mistake_bound,
        {"run": perceptron.kernel_perceptron(X, Y, LINEAR), "X": X, "y": Y, "exact": True},
    ),
    "block_certificate": (
        partitions.block_certificate,
        {"parts": [(X, Y)], "C": 1.0, "alpha": [ZERO], "w": ZERO[:2], "exact": True},
    ),
    "train": (svm.train, {"X": X, "y": Y, "C": 1.0}),
    "train with prices": (svm.train, {"X": X, "y": Y, "C": ZERO + 1}),
    "hard_margin": (svm.hard_margin, {"X": X, "y": Y}),
    "fast.linear": (fast.linear, {"X": X, "y": Y, "C": 1.0}),
    "kernel_ridge": (
        kernel_methods.kernel_ridge,
        {"X": X, "y": Y, "kernel": LINEAR, "penalty": 1.0},
    ),
    "weighted_kernel_ridge": (
        kernel_methods.weighted_kernel_ridge,
        {"X": X, "y": Y, "weights": ZERO + 1, "kernel": LINEAR, "penalty": 1.0},
    ),
    "support_vector_regression": (
        kernel_methods.support_vector_regression,
        {"X": X, "y": Y, "C": 1.0, "epsilon": 0.1},
    ),
    "kernel_kmeans": (kernel_methods.kernel_kmeans, {"X": X, "kernel": LINEAR, "k": 2}),
    "enclosed_sum": (rounding.enclosed_sum, {"values": ZERO}),
    "enclosed_dot": (rounding.enclosed_dot, {"x": ZERO, "y": ZERO}),
    "enclosed_product": (lambda v: rounding.enclosed_product(K, v), {"v": ZERO}),
}
FLOATS_BESIDE = "beside floats"
LABELS = {"labels"}
#: The least long double above 1, or nearly: where there is one, it is no float.
NEAR_ONE = np.longdouble(1) + np.longdouble(2) ** -60
SAME = NEAR_ONE == 1


def is_number(value) -> bool:
    return isinstance(value, float)


def numbers(arguments: dict) -> list[str]:
    return [n for n, v in arguments.items() if is_number(v) or isinstance(v, np.ndarray | list)]


ARGUMENTS = [
    (name, argument)
    for name, (_, arguments) in CALLS.items()
    for argument in numbers(arguments)
    if argument not in LABELS | {"parts"}
]


def spoilt(value, kind: str):
    """Return the value with a number in it that no float is, of another type."""
    if isinstance(value, list):
        inner = spoilt(np.asarray(value[0]), kind) if np.ndim(value[0]) else None
        return [inner] if inner is not None else spoilt(np.array(value), kind)
    if kind == FLOATS_BESIDE:  # numpy makes doubles of such a list, without a word
        told = np.asarray(value).astype(object)
        told.flat[0] = 2**60 + 1
        return told.tolist()
    if kind == "long double":
        return np.where(value, value, 1.0).astype(np.longdouble)[()] * NEAR_ONE
    if kind == "whole":
        whole = 2**60 + 1
        return np.full(np.shape(value), whole, dtype=np.int64) if np.ndim(value) else whole
    return np.full(np.shape(value), 0.1).astype(object) if np.ndim(value) else object()
