"""Anybody's machine is judged: proved near its best, refuted by a better answer, or refused."""

import warnings
from fractions import Fraction

import numpy as np
import pytest
from scipy import sparse
from sklearn import datasets as sk_datasets
from sklearn.decomposition import PCA
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC, NuSVC
from sklearn.tree import DecisionTreeClassifier

from lectures_lib import certify, datasets
from lectures_lib.certify import kernel_models, kinks, solvers
from lectures_lib.certify.reading import Data
from lectures_lib.proof import risk as bounds
from lectures_lib.proof.judgement import rounded
from lectures_lib.proof.risk import LOSSES, OF_LABELS, Risk


def fitted(model, X, y, **more):
    """Return the model, whatever it warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y, **more)


@pytest.fixture(scope="module")
def two():
    """Two classes that overlap."""
    return datasets.noisy(150, 4, rng=1)


@pytest.fixture(scope="module")
def flowers():
    """Three classes, scaled."""
    X, y = sk_datasets.load_iris(return_X_y=True)
    return StandardScaler().fit_transform(X), y


@pytest.fixture(scope="module")
def numbers():
    """Targets of a regression, far from 0."""
    X, y = sk_datasets.load_diabetes(return_X_y=True)
    return StandardScaler().fit_transform(X[:150]), y[:150]


CLASSIFIERS = [
    SVC(tol=1e-5),
    SVC(kernel="linear", tol=1e-5),
    SVC(kernel="poly", coef0=1.0, degree=2, tol=1e-5),
    NuSVC(nu=0.4, tol=1e-6),
    LinearSVC(tol=1e-8),
    LinearSVC(loss="hinge", tol=1e-8, max_iter=100_000),
    LinearSVC(dual=True, tol=1e-8, max_iter=100_000, intercept_scaling=10.0),
    LinearSVC(fit_intercept=False, tol=1e-8),
    LogisticRegression(tol=1e-8),
    LogisticRegression(solver="liblinear", tol=1e-8),
    LogisticRegression(fit_intercept=False, class_weight="balanced", tol=1e-8),
]


@pytest.mark.parametrize("model", CLASSIFIERS, ids=str)
def test_a_classifier_that_is_solved_well_is_proved_and_a_worse_one_is_not(model, two):
    X, y = two
    model = fitted(model, X, y)
    judged = certify.certify(model, X, y)
    assert judged.holds, str(judged)
    assert (
        judged.bound <= judged.objective <= judged.bound * (1 + judged.gap) and judged.gap <= 1e-3
    )
    model.intercept_ = model.intercept_ + 0.5
    assert certify.certify(model, X, y).verdict == "refuted"


@pytest.mark.parametrize(
    "model",
    [SVR(tol=1e-5), SVR(kernel="linear", C=5.0, tol=1e-5), Ridge(), Ridge(fit_intercept=False)],
    ids=str,
)
def test_a_regression_that_is_solved_well_is_proved_and_a_worse_one_is_not(model, numbers):
    X, y = numbers
    model = fitted(model, X, y)
    assert certify.certify(model, X, y).holds
    model.intercept_ = model.intercept_ + 30.0
    assert certify.certify(model, X, y).verdict == "refuted"


@pytest.mark.parametrize("model", [SVC(tol=1e-5), LinearSVC(tol=1e-8)], ids=str)
def test_several_classes_are_judged_one_machine_at_a_time_and_the_worst_is_named(model, flowers):
    X, y = flowers
    model = fitted(model, X, y)
    judged = certify.certify(model, X, y)
    assert judged.holds and len(judged.parts) == 3
    model.intercept_ = model.intercept_ + np.array([0.0, 0.7, 0.0])
    judged = certify.certify(model, X, y)
    assert [part.verdict for part in judged.parts] == ["proved", "refuted", "proved"]
    assert judged.worst is judged.parts[1] and judged.worst.model in judged.reason


def test_the_pairs_of_an_svc_are_its_own_decisions(flowers):
    X, y = flowers
    model = fitted(SVC(decision_function_shape="ovo"), X, y)
    cases = kernel_models.svc(model, Data(X, y, np.ones(len(y))))
    theirs = model.decision_function(X)
    for column, (i, j) in enumerate([(0, 1), (0, 2), (1, 2)]):
        case, some = cases[column], (y == i) | (y == j)
        ours = case._columns @ case.coef[np.flatnonzero(case.coef)] + case.b
        np.testing.assert_allclose(ours, theirs[some][:, column], atol=1e-9)


def test_a_machine_without_support_vectors_is_judged_like_any_other(two):
    X, y = two
    model = fitted(SVC(), X, y)
    model.dual_coef_ = 0 * model.dual_coef_
    judged = certify.certify(model, X, y)
    assert judged.verdict == "refuted"
    assert certify.kernel_svm([0.0, 0.0], 0.0, [[1.0, 0.0], [0.0, 1.0]], [1, -1], 9.0).better


def test_weights_of_classes_and_examples_belong_to_the_problem(two):
    X, y = two
    weights = np.linspace(0.1, 2.0, len(y))
    for model in (SVC(tol=1e-6), LinearSVC(tol=1e-8), LogisticRegression(tol=1e-8)):
        model = fitted(model.set_params(class_weight={-1.0: 3.0}), X, y, sample_weight=weights)
        assert certify.certify(model, X, y, sample_weight=weights).holds
        assert not certify.certify(model, X, y).holds


def test_examples_of_weight_0_are_not_part_of_the_problem(two):
    X, y = two
    weights = np.where(np.arange(len(y)) % 3 == 0, 0.0, 1.0)
    for model in (SVC(tol=1e-6), LinearSVC(tol=1e-8), LogisticRegression(tol=1e-8)):
        model = fitted(model, X, y, sample_weight=weights)
        assert certify.certify(model, X, y, sample_weight=weights).holds


def test_sparse_examples_prove_what_dense_ones_do(two):
    X, y = two
    for model in (
        SVC(kernel="linear", tol=1e-5),
        SVC(tol=1e-5),
        LinearSVC(tol=1e-8),
        LogisticRegression(tol=1e-8),
    ):
        some = sparse.csr_matrix(X)
        assert certify.certify(fitted(model, some, y), some, y).holds


def test_a_given_gram_matrix_is_judged_and_what_is_none_is_refuted(two):
    X, y = two
    K = X @ X.T
    assert certify.certify(fitted(SVC(kernel="precomputed", tol=1e-6), K, y), K, y).holds
    bad = K.copy()
    bad[0, 1] = bad[1, 0] = 10.0 * K.max()
    judged = certify.certify(fitted(SVC(kernel="precomputed"), bad, y), bad, y)
    assert judged.verdict == "refuted" and "not positive semi-definite" in judged.reason


def test_the_last_step_of_a_pipeline_and_the_best_of_a_search_are_judged(two):
    X, y = two
    model = make_pipeline(StandardScaler(), PCA(3), SVC(tol=1e-5))
    assert certify.certify(fitted(model, X, y), X, y).holds
    search = GridSearchCV(model, {"svc__C": [0.1, 1.0]}, cv=2)
    judged = certify.certify(fitted(search, X, y), X, y)
    assert judged.holds and judged.model.startswith("SVC(")


def test_what_cannot_be_judged_is_refused_in_a_sentence(two, flowers):
    X, y = two
    for model, words in [
        (DecisionTreeClassifier(), "DecisionTreeClassifier is not judged: known are SVC"),
        (SVC(kernel="sigmoid"), "the sigmoid is no kernel"),
        (LogisticRegression(C=np.inf), "without a penalty"),
    ]:
        with pytest.raises(ValueError, match=words):
            certify.certify(fitted(model, X, y), X, y)
    with pytest.raises(ValueError, match="multi_class='crammer_singer' is not supported"):
        certify.certify(fitted(LinearSVC(multi_class="crammer_singer"), *flowers), *flowers)


def test_a_model_of_other_data_is_refused(two):
    X, y = two
    model = fitted(SVC(), X, y)
    for other, labels, words in [
        (X + 1.0, y, "trained on other data"),
        (X[:, :2], y, "trained on 4 features, and X has 2"),
        (X, np.where(y > 0, 2, 3), "other classes"),
        (X, y[:-1], "X has 150 rows and y 149"),
    ]:
        with pytest.raises(ValueError, match=words):
            certify.certify(model, other, labels)


def test_single_precision_hides_the_best_from_libsvm_on_raw_data():
    X, y = sk_datasets.load_breast_cancer(return_X_y=True)
    X, y = X[::2], y[::2]
    judged = certify.certify(fitted(SVC(kernel="linear", tol=1e-6, max_iter=200_000), X, y), X, y)
    assert judged.verdict == "refuted" and judged.excess > 1e-3
    Z = StandardScaler().fit_transform(X)
    assert certify.certify(fitted(SVC(kernel="linear"), Z, y), Z, y).holds


def test_a_guess_never_refutes(two):
    X, y = two
    for model in (
        LinearSVC(loss="hinge", max_iter=1),
        LogisticRegression(max_iter=1),
        SVC(max_iter=3),
    ):
        model = fitted(model, X, y)
        assert certify.certify(model, X, y, solve=False).verdict == "undecided"
        assert certify.certify(model, X, y).verdict == "refuted"


def test_the_better_answer_is_handed_over_and_is_proved(two):
    X, y = two
    judged = certify.certify(fitted(LogisticRegression(max_iter=1), X, y), X, y)
    again = certify.svm(judged.better["w"], judged.better["b"], X, y, 1.0, loss="logistic")
    assert again.holds and again.objective < judged.objective


def test_check_raises_with_the_printed_sentence(two):
    X, y = two
    certify.check(fitted(SVC(tol=1e-5), X, y), X, y)
    with pytest.raises(certify.NotProved, match="refuted: another answer costs"):
        certify.check(fitted(LogisticRegression(max_iter=1), X, y), X, y)


def test_what_is_printed_names_model_formula_tolerance_and_verdict(two):
    X, y = two
    text = str(certify.certify(fitted(LinearSVC(C=2.0, tol=1e-8), X, y), X, y, tol=0.01))
    assert text.startswith("LinearSVC(C=2.0, tol=1e-08)")
    assert "minimise half norm((w, b / 1))^2 + 2 sum max(0, 1 - y f)^2" in text
    assert "proved: the objective is within 0.01 of the least" in text


def test_printed_bounds_are_rounded_to_the_safe_side():
    for value in (0.12345678, 2 / 3 * 1e-7, 48.8764999999, 0.1, 1e300):
        assert (
            Fraction(rounded(value, 3, "-")) <= Fraction(value) <= Fraction(rounded(value, 3, "+"))
        )


def test_scale_and_place_of_the_data_change_no_verdict(two):
    X, y = two
    for factor, shift in [(1e-6, 0.0), (1e6, 0.0), (1.0, 1e5)]:
        Z = X * factor + shift
        first = certify.svm(np.zeros(4), 0.0, Z, y, 1.0 / factor**2)
        assert first.verdict == "refuted"
        assert certify.svm(first.better["w"], first.better["b"], Z, y, 1.0 / factor**2).holds


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("offset", [True, False])
def test_no_multipliers_prove_more_than_any_weights_cost(loss, offset):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 3))
    for _ in range(50):
        y = (
            np.where(rng.normal(size=30) > 0, 1.0, -1.0)
            if loss in OF_LABELS
            else rng.normal(size=30)
        )
        risk = Risk(
            loss,
            y,
            rng.uniform(0.1, 2.0, 30),
            l2=0.7,
            l1=0.3 * rng.integers(2),
            epsilon=0.2,
            offset=offset,
        )
        share = rng.uniform(0, 1, 30) * risk.C
        beta = share * y if loss in OF_LABELS else share * rng.choice([-1.0, 1.0], 30)
        below = bounds.linear_below(risk, X, beta)
        above = bounds.linear_above(
            risk, X, rng.normal(size=3), float(rng.normal()) if offset else 0.0
        )
        assert below.low <= above.high


@pytest.mark.parametrize("loss", LOSSES)
def test_the_two_solvers_meet_their_own_bounds_with_few_examples_and_with_few_features(loss):
    rng = np.random.default_rng(1)
    for n, d in [(40, 5), (10, 25)]:
        X = rng.normal(size=(n, d)) * np.logspace(-2, 2, d)
        y = np.where(X[:, 0] + 0.01 * rng.normal(size=n) > 0, 1.0, -1.0)
        risk = Risk(loss, y, np.full(n, 3.0), epsilon=0.1)
        answer = solvers.solve(risk, X)
        above = bounds.linear_above(risk, X, answer.w, answer.b)
        assert above.high <= bounds.linear_below(risk, X, answer.beta).low * (1 + 1e-8)


@pytest.mark.parametrize("loss", ["hinge", "tube"])
@pytest.mark.parametrize("offset", [True, False])
@pytest.mark.parametrize("start", ["near", "far", "none"])
def test_of_many_examples_those_near_a_kink_give_the_same_answer(loss, offset, start, monkeypatch):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(600, 3)) + 1.0
    f = X @ [1.0, -1.0, 0.5] - 0.5 + 0.3 * rng.normal(size=600)
    y = np.where(f > 0, 1.0, -1.0) if loss == "hinge" else f
    risk = Risk(loss, y, np.full(600, 2.0), epsilon=0.1, offset=offset)
    sizes, true = [], kinks._interior
    monkeypatch.setattr(kinks, "_interior", lambda r, *a: sizes.append(len(r.y)) or true(r, *a))
    whole = solvers.solve(risk, X)
    first = {"near": X @ whole.w * 1.005 + whole.b, "far": -f, "none": None}[start]
    answer = solvers.solve(risk, X, f=first)
    assert (sizes[1] < 600) == (start != "none") and (sizes[-1] < 600) == (start == "near")
    above = bounds.linear_above(risk, X, answer.w, answer.b)
    assert above.high <= bounds.linear_below(risk, X, answer.beta).low * (1 + 1e-8)


@pytest.mark.parametrize("far", [0.0, 1e4, 1e11])
def test_what_the_short_way_leaves_open_is_judged_closely(far, monkeypatch):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(80, 3)) + far
    y = (X - far) @ [1.0, -2.0, 0.5] + rng.normal(size=80)
    model = fitted(Ridge(solver="svd"), X, y)
    norms, true = [], bounds.linear_above
    spied = lambda *a: norms.append(a[5]) or true(*a)  # noqa: E731
    monkeypatch.setattr(bounds, "linear_above", spied)
    judged = certify.certify(model, X, y, solve=False)
    assert judged.holds
    assert (norms[0] < np.inf) and (len(norms) == 2) == (far == 1e11)


@pytest.mark.parametrize("loss", LOSSES)
def test_only_a_tube_has_a_width(loss):
    risk = Risk(loss, np.ones(2), np.ones(2), epsilon=0.1)  # SGDClassifier has one for each loss
    assert risk.epsilon == (0.1 if "tube" in loss else 0.0)


def test_multipliers_outside_their_domain_prove_nothing():
    risk = Risk("hinge", np.array([1.0, -1.0]), np.ones(2))
    for beta in ([2.0, -2.0], [-0.5, 0.5], [np.nan, 0.0]):
        assert bounds.linear_below(risk, np.array([[1.0], [-1.0]]), np.array(beta)).low == -np.inf


@pytest.mark.parametrize("loss", LOSSES)
def test_prices_at_the_end_of_the_floats_leave_a_model_undecided_in_words(loss, two):
    X, y = two
    judged = certify.svm(np.zeros(4), 0.0, X, y, 1e-300, loss=loss)
    assert judged.verdict != "proved" or judged.gap <= 1e-3
    assert judged.better or "beyond floating point" in judged.how or judged.holds
