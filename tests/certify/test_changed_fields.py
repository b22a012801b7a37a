"""A model of which one field was changed is refused in a sentence, or not proved."""

import copy
import re

import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import FeatureAgglomeration, KMeans
from sklearn.decomposition import KernelPCA
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import (
    ElasticNet,
    Lasso,
    LogisticRegression,
    Ridge,
    RidgeClassifier,
    SGDClassifier,
)
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC, SVR, LinearSVC, NuSVR

from lectures_lib import certify
from lectures_lib.certify.linear_models import logistic
from lectures_lib.certify.reading import Data, formula_of
from lectures_lib.proof.risk import Risk

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 3))
THREE, TWO = np.arange(40) % 3, (X[:, 0] + 0.5 * RNG.normal(size=40) > 0).astype(int)
TARGETS = X @ [1.0, 2.0, 3.0] + RNG.normal(size=40)


def changed(model, **fields):
    """Return a copy with other values in some fields."""
    model = copy.deepcopy(model)
    for name, value in fields.items():
        setattr(model, name, value)
    return model


LINEAR = [LinearSVC(), RidgeClassifier(), LogisticRegression(), SGDClassifier(random_state=0)]


@pytest.mark.parametrize("model", LINEAR)
def test_a_model_that_lacks_a_class_or_a_feature_is_not_judged_by_the_rest(model):
    model = copy.deepcopy(model).fit(X, THREE)
    W, b = model.coef_, model.intercept_
    some = [{"coef_": W[r], "intercept_": b[r]} for r in ([1], [0, 1], [0, 1, 2, 2])]
    for fields in [*some, {"intercept_": b[:2]}, {"coef_": W[:, :2]}]:
        with pytest.raises(ValueError, match=r"(coef|intercept)_ has shape .* and it needs"):
            certify.certify(changed(model, **fields), X, THREE)


def test_numbers_that_are_none_are_refused_wherever_they_stand():
    model, holes = Ridge().fit(X, TARGETS), sparse.csr_array(X)
    holes.data[0] = np.nan
    for bad in (np.nan, np.inf):
        with pytest.raises(ValueError, match="NaN or infinite"):
            certify.certify(changed(model, coef_=model.coef_ * bad), X, TARGETS)
        with pytest.raises(ValueError, match="NaN or infinite"):
            certify.certify(model, X, np.append(TARGETS[1:], bad))
    with pytest.raises(ValueError, match="NaN or infinite"):
        certify.certify(model, holes, TARGETS)


NO_PROBLEM = [
    (Lasso(), {"alpha": -1.0}),
    (ElasticNet(), {"l1_ratio": 2.0}),
    (SVR(), {"C": -1.0}),
    (SVR(), {"C": np.nan}),
    (SVR(), {"C": "1"}),
    (SVR(kernel="linear"), {"epsilon": -0.1}),
    (Ridge(), {"alpha": np.inf}),
]


@pytest.mark.parametrize(("model", "fields"), NO_PROBLEM)
def test_penalties_and_prices_below_0_prove_nothing(model, fields):
    """With alpha = -1 every objective was "above" the bound 0."""
    model = changed(copy.deepcopy(model).fit(X, TARGETS), **fields)
    with pytest.raises(ValueError, match="must be finite and not below 0"):
        certify.certify(model, X, TARGETS)


@pytest.mark.parametrize("model", [RidgeClassifier(), SGDClassifier(random_state=0)])
def test_a_classifier_with_a_penalty_below_0_proves_nothing(model):
    model = changed(copy.deepcopy(model).fit(X, THREE), alpha=-1.0)
    with pytest.raises(ValueError, match="must be finite and not below 0"):
        certify.certify(model, X, THREE)


def test_examples_that_cost_nothing_are_refused_in_a_sentence():
    with pytest.raises(ValueError, match="No example costs anything"):
        certify.certify(Ridge().fit(X, TARGETS), X, TARGETS, sample_weight=np.zeros(40))
    with pytest.raises(ValueError, match="No example costs anything"):
        certify.certify(changed(LinearSVC().fit(X, TWO), C=-1.0), X, TWO)


def test_a_machine_predicts_with_what_is_judged():
    """scikit-learn predicts with private copies, of the support vectors, and with gamma's."""
    model = SVC(gamma=0.5, tol=1e-8).fit(X, TWO)
    assert certify.certify(model, X, TWO).holds
    for fields, why in [
        ({"support_vectors_": np.nan * model.support_vectors_}, "support vectors are not the rows"),
        ({"gamma": 5.0}, r"gamma=5\.0, and it was trained with gamma=0\.5"),
        ({"_gamma": 5.0}, r"gamma=0\.5, and it was trained with gamma=5\.0"),
        ({"_dual_coef_": 2 * model._dual_coef_}, "predicts with another _dual_coef_"),
        ({"_intercept_": 1 + model._intercept_}, "predicts with another _intercept_"),
    ]:
        with pytest.raises(ValueError, match=why):
            certify.certify(changed(model, **fields), X, TWO)


@pytest.mark.parametrize("kind", [KernelRidge, KernelPCA])
def test_rows_that_a_model_has_kept_are_not_those_of_x_if_they_are_none(kind):
    y = TARGETS if kind is KernelRidge else None
    model = kind(kernel="rbf", gamma=0.3).fit(X, y)
    with pytest.raises(ValueError, match="it has kept other rows"):
        certify.certify(changed(model, X_fit_=np.nan * X), X, y)


@pytest.mark.parametrize("kernel", ["rbf", "linear"])
@pytest.mark.parametrize("nu", [0.05, 0.39, 0.41, 0.9])
def test_nu_is_the_one_that_a_tube_was_trained_with(kernel, nu):
    model = NuSVR(nu=0.4, kernel=kernel, tol=1e-8).fit(X, TARGETS)
    assert certify.certify(model, X, TARGETS).holds
    with pytest.raises(ValueError, match="trained with another nu"):
        certify.certify(changed(model, nu=nu), X, TARGETS)


def test_labels_of_features_are_not_counted_as_rows():
    model = make_pipeline(FeatureAgglomeration(2), Ridge()).fit(X, TARGETS)
    assert certify.certify(model, X, TARGETS).holds


def test_labels_beyond_the_centres_are_refused():
    model = KMeans(3, n_init=2, random_state=0).fit(X)
    model.cluster_centers_ = model.cluster_centers_[:2]
    with pytest.raises(ValueError, match="centres that it does not have"):
        certify.certify(model, X)


@pytest.mark.parametrize("model", [SVC(tol=1e-8), LinearSVC(tol=1e-9), LogisticRegression()])
def test_a_column_of_labels_is_judged_as_they_are_trained(model):
    model = copy.deepcopy(model).fit(X, TWO)
    assert certify.certify(model, X, TWO[:, None]).holds


def test_targets_that_are_missing_are_asked_for():
    with pytest.raises(ValueError, match="hand them over as y"):
        certify.certify(Ridge().fit(X, TARGETS), X)


def test_logistic_machines_that_stand_one_by_one_are_not_judged_as_a_softmax():
    """liblinear's, and those of multi_class="ovr" in older versions of scikit-learn."""
    model = LogisticRegression().fit(X, THREE)
    for fields in ({"solver": "liblinear"}, {"multi_class": "ovr"}):
        cases = logistic(changed(model, **fields), Data(X, THREE, np.ones(40)))
        assert [case.risk.loss for case in cases] == ["logistic"] * 3
    both = changed(LogisticRegression().fit(X, TWO), multi_class="multinomial")
    with pytest.raises(ValueError, match="multinomial"):
        certify.certify(both, X, TWO)


def test_every_number_of_a_formula_reads_back_as_what_was_judged():
    third, y = 1 / 3, np.array([1.0, -1.0])
    told = {"l2": third / 7, "l1": third / 11, "epsilon": third / 13}
    formula = formula_of(Risk("tube", y, np.full(2, third), **told), third / 17)
    read = {float(v) for v in re.findall(r"\d+\.\d+(?:e-?\d+)?", formula)}
    assert read == {third, *told.values(), third / 17}
    assert "half norm(w)^2 + 2 sum" in formula_of(Risk("hinge", y, np.full(2, 2.0)))
    model = SVC(C=third, gamma=third / 3).fit(X, TWO)
    assert f"exp(-{third / 3!r}·" in certify.certify(model, X, TWO).formula


def test_a_model_that_is_not_known_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match="judge each of its estimators_"):
        certify.certify(OneVsRestClassifier(LinearSVC()).fit(X, THREE), X, THREE)
