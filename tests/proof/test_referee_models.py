"""The referee finds planted liars among the judges of other people's models."""

import numpy as np
import pytest

from lectures_lib.certify import other_models
from lectures_lib.certify.readers import READERS
from lectures_lib.proof import risk
from lectures_lib.proof.rounding import Enclosure
from tools.referee import __main__ as referee
from tools.referee.subjects import SUBJECTS

#: Who tries the bounds that a reader's cases lead to; all of them read models.
TRIED = {
    "SVC": "kernel models", "NuSVC": "kernel models", "SVR": "kernel models",
    "NuSVR": "kernel models", "KernelRidge": "ridge", "LinearSVC": "models",
    "LogisticRegression": "several logistic", "Ridge": "models", "RidgeClassifier": "models",
    "Lasso": "l1 models", "ElasticNet": "l1 models", "LinearSVR": "models",
    "Perceptron": "separators", "SGDClassifier": "models", "SGDRegressor": "models",
    "KernelPCA": "pca certificate", "KMeans": "clusters of others", "model": "models",
    "svm_model": "kernel models",
}  # fmt: skip


def found(subject, cases, seed=0):
    """Return what the referee counts in some cases of a subject."""
    return referee.block(seed, subject, range(cases))


def test_every_reader_of_models_has_a_subject():
    assert TRIED.keys() == READERS.keys()
    assert set(TRIED.values()) <= SUBJECTS.keys()


LIARS = [
    ("kernel models", risk, "kernel_below", 1.02),
    ("kernel models", risk, "kernel_above", 0.95),
    ("l1 models", risk, "linear_below", 1.02),
    ("l1 models", risk, "linear_above", 0.95),
    ("several logistic", other_models, "softmax_below", 1.02),
    ("several logistic", other_models, "softmax_above", 0.95),
    ("clusters of others", other_models, "centres_below", 3.0),
    ("clusters of others", other_models, "centres_above", 0.5),
]


@pytest.mark.parametrize(("subject", "where", "name", "factor"), LIARS)
def test_a_bound_that_is_off_is_caught(subject, where, name, factor, monkeypatch):
    true = getattr(where, name)
    monkeypatch.setattr(where, name, lambda *a, **o: true(*a, **o) * Enclosure(factor))
    assert found(subject, 12).forbidden > 0


def test_a_separator_that_is_none_is_caught(monkeypatch):
    true = other_models.SeparatorCase.above
    few = lambda self: true(self) if np.ptp(self.y) == 0 else Enclosure(0.0)  # noqa: E731
    monkeypatch.setattr(other_models.SeparatorCase, "above", few)
    assert found("separators", 20).counts["false proofs"] > 0
