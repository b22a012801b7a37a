"""A right model is proved: it is not refuted for another problem, and not refused."""

import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.decomposition import NMF, PCA, KernelPCA
from sklearn.impute import SimpleImputer
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Perceptron, Ridge, RidgeClassifier, SGDClassifier, SGDRegressor
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC, LinearSVR, NuSVC

from lectures_lib import certify

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 6))
THREE = np.digitize(X[:, 0] + 0.5 * RNG.normal(size=90), [-0.5, 0.5])
TWO = (THREE > 0).astype(int)
TARGETS = X @ np.arange(6.0) + RNG.normal(size=90) + 5
WEIGHTS = RNG.uniform(0.5, 2.0, 90)
PRICES = {0: 5.0, 1: 0.3, 2: 2.0}


def fitted(model, X, y, **more):
    """Return the model, whatever it warns of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return model.fit(X, y, **more)


# --- prices ---

ONE_BY_ONE = [
    LinearSVC(class_weight=PRICES, tol=1e-10, max_iter=100_000),
    LinearSVC(class_weight=PRICES, loss="hinge", C=0.1, tol=1e-8, max_iter=100_000),
    LinearSVC(class_weight="balanced", tol=1e-10, max_iter=100_000),
    LinearSVC(class_weight=PRICES, penalty="l1", dual=False, tol=1e-9, max_iter=10_000),
]


@pytest.mark.parametrize("model", ONE_BY_ONE, ids=str)
def test_of_several_classes_the_rest_weighs_1_as_liblinear_has_it(model):
    """Each machine has the weight of its own class; it was judged with those of the others, too."""
    judged = certify.certify(fitted(model, X, THREE), X, THREE)
    assert judged.verdict == "proved", str(judged)
    for part, label in zip(judged.parts, range(3)):
        own = judged.objective if not judged.parts else part.objective
        assert own == pytest.approx(one_against_rest(model, label), rel=1e-9)


def one_against_rest(model, label):
    """Return what one machine of a LinearSVC costs, as LIBLINEAR's paper has it."""
    w, b = model.coef_[label], model.intercept_[label]
    y, share = np.where(THREE == label, 1.0, -1.0), PRICES[label]
    if model.class_weight == "balanced":
        share = 90 / 3 / np.sum(THREE == label)
    short = np.maximum(0, 1 - y * (X @ w + b))
    losses = short if model.loss == "hinge" else short**2
    size = (w @ w + b * b) / 2 if model.penalty == "l2" else np.abs(w).sum() + abs(b)
    return size + model.C * np.where(y > 0, share, 1.0) @ losses


def test_of_several_classes_the_rest_weighs_1_for_stochastic_gradients():
    options = {"learning_rate": "adaptive", "eta0": 0.01, "random_state": 0, "class_weight": PRICES}
    model = SGDClassifier("log_loss", alpha=0.1, tol=None, max_iter=5000, **options)
    assert certify.certify(fitted(model, X, THREE), X, THREE, tol=0.01).holds


def test_weights_of_examples_belong_to_nu_and_weights_of_classes_do_not():
    """LIBSVM's sum of multipliers is nu times the sum of weights; class_weight is not for nu."""
    plain = NuSVC(nu=0.2, tol=1e-7)
    judged = certify.certify(
        fitted(plain, X, TWO, sample_weight=WEIGHTS), X, TWO, sample_weight=WEIGHTS
    )
    assert judged.holds and "sum of weights" in judged.formula
    assert not certify.certify(plain, X, TWO).holds
    model = fitted(NuSVC(nu=0.2, tol=1e-7, class_weight={0: 7.0}), X, TWO)
    assert certify.certify(model, X, TWO).holds
    model = fitted(NuSVC(nu=0.1, tol=1e-7), X, THREE, sample_weight=WEIGHTS)
    assert certify.certify(model, X, THREE, sample_weight=WEIGHTS).holds


@pytest.mark.parametrize("bias", [0, 1])
def test_a_bias_of_liblinear_is_penalised_unless_it_was_asked_not_to_be(bias):
    """Its option -R leaves the bias out of the penalty: that is a free offset."""
    offset = "penalised" if bias else "free"
    y = np.where(TWO > 0, 1, -1)
    best = certify.svm(np.zeros(6), 0.0, X, y, 1.0, loss="logistic", offset=offset).better
    param = SimpleNamespace(
        solver_type=0, nr_weight=0, C=1.0, p=0.1, regularize_bias=bias, eps=0.01
    )
    fields = {"param": param, "nr_feature": 6, "bias": 1.0, "get_labels": lambda: [1, -1]}
    fields["get_decfun"] = lambda k: (best["w"].tolist(), best["b"])
    assert certify.certify(type("model", (SimpleNamespace,), {})(**fields), X, y).holds


# --- rows ---


@pytest.mark.parametrize(
    "step", [PCA(3, svd_solver="full"), PCA(3, svd_solver="full", whiten=True), KernelPCA(2)]
)
@pytest.mark.parametrize("last", [SVC(tol=1e-6), SVC(kernel="linear", tol=1e-6), SVR(tol=1e-6)])
def test_rows_that_a_step_makes_anew_may_differ_by_rounding(step, last):
    """Their fit_transform rounds otherwise than their transform; the machine keeps the former."""
    y = TARGETS if isinstance(last, SVR) else TWO
    model = fitted(make_pipeline(step, last), X, y)
    judged = certify.certify(model, X, y)
    assert judged.holds and "as it has kept them" in judged.formula
    with pytest.raises(ValueError, match="is not what the steps before it make of X"):
        certify.certify(model, X[::-1], y[::-1])
    with pytest.raises(ValueError, match="it was trained on other data"):
        certify.certify(model[-1], model[:-1].transform(X), y)


def test_rows_that_ridge_has_kept_may_differ_by_rounding_from_what_a_step_makes_anew():
    model = fitted(make_pipeline(PCA(3, svd_solver="full"), KernelRidge(kernel="rbf")), X, TARGETS)
    assert certify.certify(model, X, TARGETS).holds


def test_a_step_whose_transform_is_another_than_its_fit_is_named():
    model = fitted(make_pipeline(NMF(3, max_iter=300, random_state=0), SVC()), abs(X), TWO)
    with pytest.raises(ValueError, match="transform"):
        certify.certify(model, abs(X), TWO)


@pytest.mark.parametrize("holes", ["some", "one in each column"])
def test_a_scaler_that_skipped_what_is_missing_has_seen_all_rows(holes):
    Z = X.copy()
    Z[RNG.random(Z.shape) < 0.1] = np.nan
    if holes != "some":
        Z = X.copy()
        Z[np.arange(6), np.arange(6)] = np.nan
    model = fitted(make_pipeline(StandardScaler(), SimpleImputer(), SVC(tol=1e-6)), Z, TWO)
    assert certify.certify(model, Z, TWO).holds
    with pytest.raises(ValueError, match="was trained on"):
        certify.certify(model, Z[:50], TWO[:50])


def test_a_scaler_with_weights_has_kept_their_sum_and_not_a_number_of_rows():
    model = make_pipeline(StandardScaler(), SVC(tol=1e-6))
    own = {"standardscaler__sample_weight": WEIGHTS, "svc__sample_weight": WEIGHTS}
    model = fitted(model, X, TWO, **own)
    assert certify.certify(model, X, TWO, sample_weight=WEIGHTS).holds


# --- objectives of 0, kinks with an l1 penalty ---

INSIDE = [
    SVR(epsilon=100.0),
    SVR(kernel="linear", epsilon=100.0),
    LinearSVR(epsilon=100.0),
    SGDRegressor(loss="epsilon_insensitive", epsilon=100.0),
]


@pytest.mark.parametrize("model", INSIDE, ids=str)
@pytest.mark.parametrize("solve", [True, False])
def test_a_model_that_costs_nothing_is_proved_because_no_objective_is_below_0(model, solve):
    judged = certify.certify(fitted(model, X, TARGETS), X, TARGETS, solve=solve)
    assert judged.holds and judged.objective == 0 == judged.bound


@pytest.mark.parametrize("penalty", ["l1", "elasticnet"])
@pytest.mark.parametrize("loss", ["hinge", "epsilon_insensitive"])
@pytest.mark.parametrize("intercept", [True, False])
@pytest.mark.parametrize("many", [False, True])
def test_a_loss_with_kinks_beside_an_l1_penalty_has_an_answer(loss, penalty, intercept, many):
    """It was "too large for a solve"."""
    some = X if not many else np.hstack([X, RNG.normal(size=(90, 100))])
    kind, y = (SGDClassifier, TWO) if loss == "hinge" else (SGDRegressor, TARGETS)
    model = kind(loss, penalty=penalty, alpha=0.03, fit_intercept=intercept, random_state=0)
    judged = certify.certify(fitted(model, some, y), some, y)
    assert judged.verdict == "refuted", str(judged)
    assert float(judged.other.high) <= judged.bound * (1 + 1e-3)
    model.coef_ = judged.better["w"].reshape(model.coef_.shape)
    model.intercept_ = np.array([judged.better["b"]])
    assert certify.certify(model, some, y).holds


# --- sentences ---


@pytest.mark.parametrize(
    ("fields", "words"),
    [({"coef0": -1.0}, r"coef0=-1\.0.*no kernel"), ({"degree": 0}, r"degree=0.*whole number")],
)
@pytest.mark.parametrize("kind", [SVC, KernelRidge])
def test_a_polynomial_that_is_no_kernel_is_refused_by_its_own_parameters(kind, fields, words):
    model = fitted(kind(kernel="poly", **fields), X, TWO)
    with pytest.raises(ValueError, match=f"{kind.__name__} is not judged: {words}"):
        certify.certify(model, X, TWO)


def test_a_search_that_kept_no_best_model_is_refused_in_a_sentence():
    search = fitted(GridSearchCV(SVC(), {"C": [1, 2]}, refit=False, cv=2), X, TWO)
    with pytest.raises(ValueError, match=r"no best_estimator_.*refit"):
        certify.certify(search, X, TWO)


def test_no_sentence_compares_with_nothing():
    """It was "another answer costs 0; this one costs more, by 2.2 of that"."""
    worse = certify.svm(np.ones(6), 0.0, X, np.full(90, 7.3), 1.0, loss="squared")
    assert worse.verdict == "refuted" and "costs 0;" not in worse.reason
    unknown = certify.certify(fitted(Perceptron(), X, TWO), X, TWO)
    assert unknown.verdict == "undecided" and "inf" not in unknown.reason


def test_weights_that_are_one_number_are_those_of_all_and_others_are_refused_by_example():
    model = fitted(Ridge(), X, TARGETS, sample_weight=2.0)
    assert certify.certify(model, X, TARGETS, sample_weight=2.0).holds
    with pytest.raises(ValueError, match="one number per example"):
        certify.certify(model, X, TARGETS, sample_weight=[1.0, 2.0])


def test_several_labels_of_an_example_are_refused_in_a_sentence():
    both = np.column_stack([TWO, 1 - TWO])
    with pytest.raises(ValueError, match="several labels of an example are not supported"):
        certify.certify(fitted(RidgeClassifier(), X, both), X, both)


@pytest.mark.parametrize("copied", [True, False])
def test_components_of_a_given_gram_matrix_are_judged(copied):
    """KernelPCA centres in place what it keeps as X_fit_; without copy_X, what it was given too."""
    K = X @ X.T
    model = KernelPCA(2, kernel="precomputed", copy_X=copied).fit(K)
    assert certify.certify(model, K).holds
    with pytest.raises(ValueError, match="other rows"):
        certify.certify(model, (X + 0.1 * X**2) @ (X + 0.1 * X**2).T)


def test_clusters_say_whether_their_centres_are_stable():
    good = fitted(KMeans(3, n_init=5, tol=0.0, random_state=0), X, None)
    assert "its centres are stable" in certify.certify(good, X).how
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        early = KMeans(3, n_init=1, max_iter=1, init=X[:3]).fit(X)
    assert "its centres are not stable" in certify.certify(early, X).how


def squared(A, B):
    return (A @ B.T + 1.0) ** 2


@pytest.mark.parametrize(
    ("model", "y"),
    [
        (SVC(C=0.1, kernel=squared), TWO),
        (SVC(C=0.1, kernel=squared), THREE),
        (NuSVC(kernel=squared), TWO),
        (SVR(C=0.1, kernel=squared), TARGETS),
    ],
    ids=["two classes", "three classes", "NuSVC", "SVR"],
)
def test_a_kernel_of_ones_own_is_judged_by_the_K_that_it_computes(model, y):
    model = fitted(model, X, y)
    judged = certify.certify(model, X, y)
    assert judged.verdict == "proved"
    assert "K = as the model's own function computes it" in str((judged.parts or [judged])[0])
    model.intercept_ = model._intercept_ = model.intercept_ + 1.0
    assert certify.certify(model, X, y).verdict == "refuted"


def test_a_function_that_is_no_kernel_is_refuted():
    model = fitted(SVC(kernel=lambda A, B: np.tanh(A @ B.T)), X, TWO)
    judged = certify.certify(model, X, TWO)
    assert judged.verdict == "refuted" and "not positive semi-definite" in judged.wrong


@pytest.mark.parametrize(
    "model", [SVC(C=2, kernel="linear", class_weight={0: 3}), Ridge(alpha=np.ones(1)), LinearSVC()]
)
def test_the_title_of_a_judged_model_is_what_scikit_learn_prints(model):
    assert certify.certify(fitted(model, X, TWO), X, TWO).model == repr(model)
