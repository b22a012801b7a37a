"""The referee finds planted liars among the judges of other people's models."""

from dataclasses import replace
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from lectures_lib.certify import cases, other_models
from lectures_lib.certify.readers import READERS
from lectures_lib.proof import risk
from lectures_lib.proof.rounding import Enclosure
from tools.referee import __main__ as referee
from tools.referee.ledger import Ledger
from tools.referee.rational import exact
from tools.referee.subjects import SUBJECTS, models
from tools.referee.subjects.other_models import L1Problem, SoftmaxProblem

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
    ("l1 models", risk, "conjugate", 0.9),
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


def test_weights_below_0_where_none_may_be_are_caught(monkeypatch):
    true = risk.linear_above
    blind = lambda r, *a: true(replace(r, positive=False), *a)  # noqa: E731
    monkeypatch.setattr(risk, "linear_above", blind)
    monkeypatch.setattr(cases.LinearCase, "wrong", "")
    assert found("l1 models", 90).counts["false proofs"] > 0


def test_clusters_that_forget_their_weights_are_caught(monkeypatch):
    true = other_models.centres_above
    monkeypatch.setattr(other_models, "centres_above", lambda X, c, s: true(X, c, np.ones(len(s))))
    assert found("clusters of others", 40).forbidden > 0


def test_a_separator_that_is_none_is_caught(monkeypatch):
    true = other_models.SeparatorCase.above
    few = lambda self: true(self) if np.ptp(self.y) == 0 else Enclosure(0.0)  # noqa: E731
    monkeypatch.setattr(other_models.SeparatorCase, "above", few)
    assert found("separators", 20).counts["false proofs"] > 0


# --- what the referee takes for the least value ------------------------------------------------


def almost_dependent():
    """Return a problem in which a weight may be 0 but for 7e-17 of its penalty; the best has two.

    In decimals the answers (a, 0, b) and (a, -b, 0) cost the same; in floats, not quite.
    """
    X = exact([[-0.6, -0.2], [-0.6, -0.2], [-1.2, 0.1], [-0.6, -0.2]])
    C, one = Fraction(7639.5), Fraction(1)
    return L1Problem(X, exact([1, 1, -1, 1]), [C] * 4, "logistic", 0 * one, one, "penalised")


def test_the_referees_least_value_is_the_least_where_rounded_data_nearly_ties_two_answers():
    problem = almost_dependent()
    least = problem.best()
    costs = []
    for signs in ((1, 0, 1), (1, -1, 0)):
        w = problem._with(signs)
        costs.append(models.objective(*problem.parts, w))
    assert 0 < costs[0] / costs[1] - 1 < Fraction(1, 10**16)
    assert least == costs[1]
    assert models.known(*problem.parts, problem._with((1, 0, 1))) is None


def test_an_answer_between_the_two_is_not_called_better_than_the_best():
    assert referee.block(20261126, "l1 models", [1254]).forbidden == 0


def test_a_bound_above_the_least_value_by_the_last_bit_is_caught():
    problem, ledger = almost_dependent(), Ledger("l1 models")
    least = problem.best()
    up = float(least)
    up = up if Fraction(up) > least else float(np.nextafter(up, np.inf))
    for bound in (np.nextafter(up, -np.inf), up):
        said = SimpleNamespace(bound=float(bound), gap=np.inf, excess=0.0)
        models.numbers(ledger, "a bound", said, least, least)
    assert ledger.counts["false proofs"] == 1


@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_no_softmax_is_below_the_floor_of_another_and_the_best_is_proved(offset, seed):
    rng = np.random.default_rng(seed)
    problem = SoftmaxProblem(exact(rng.normal(size=(5, 2))), [0, 1, 2, 0, 1], 3.0, 3, offset=offset)
    some = [
        (exact(rng.normal(size=(3, 2)) * scale), exact(rng.normal(size=3) * scale * offset))
        for scale in (0.0, 0.1, 1.0, 3.0)
    ]
    best = problem.best()
    assert best is not None
    assert max(problem.floor(*point) for point in some) <= best
    assert best <= min(problem.objective(*point) for point in some)


@pytest.mark.parametrize("loss", ["logistic", "squared", "squared_hinge"])
@pytest.mark.parametrize("penalty", [(0, 1, 0), (1, 1, 0), (0, 1, 1), (1, 0, 0), (2, 0, 2)])
@pytest.mark.parametrize("seed", range(5))
def test_no_point_is_below_the_floor_of_another(loss, penalty, seed):
    """Penalties are l2 and l1 of two features, then of the offset (l2 = l1 = 0: it is free)."""
    rng = np.random.default_rng(seed)
    l2, l1, last = penalty
    rows = [[*x, Fraction(1)] for x in exact(rng.normal(size=(5, 2)))]
    y = exact(rng.choice([-1.0, 1.0], size=5))
    told = [rows, y, [Fraction(3)] * 5, loss]
    told += [[p, p, last * (p > 0)] for p in (l2, l1)]
    points = [exact(v) for v in rng.normal(size=(6, 3)) * 10 ** rng.uniform(-2, 1, size=(6, 1))]
    floors = [models.floor(*told, v) for v in points]
    assert max(floors) <= min(models.objective(*told, v) for v in points)
