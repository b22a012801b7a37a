"""What users of scikit-learn expect: planes, weights, kernels by value, going on, other tools."""

import pickle

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.feature_selection import RFE, SelectFromModel
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC, LinearSVC

from lectures_lib import datasets, estimators, perceptron
from lectures_lib.conventions import add_constant
from lectures_lib.kernels import Gaussian, Given, Tables

pytestmark = pytest.mark.filterwarnings("ignore:(Kernel)?Perceptron did not converge")

X, Y = datasets.iris()
TWO, NAMES = X[50:], Y[50:]
SIGNS = np.where(NAMES == "virginica", 1.0, -1.0)
PLANES = [
    estimators.SVM(kernel="linear"),
    estimators.LinearSVM(),
    estimators.Perceptron(),
    estimators.AveragedPerceptron(),
]
KERNELISED = [
    (estimators.SVM(sigma=2.0), "decision_function"),
    (estimators.KernelPerceptron(sigma=2.0, fit_intercept=False, shuffle=False), "predict"),
    (estimators.SupportVectorRegression(sigma=2.0), "predict"),
    (estimators.KernelRidge(sigma=2.0), "predict"),
    (estimators.KernelPCA(2, sigma=2.0), "transform"),
    (estimators.KernelKMeans(3, sigma=2.0), "fit_predict"),
]


def named(model):
    return type(model[0] if isinstance(model, tuple) else model).__name__


@pytest.mark.parametrize("model", PLANES, ids=named)
@pytest.mark.parametrize("data", [(TWO, NAMES), (X, Y)], ids=["two", "three"])
def test_coef_and_intercept_are_the_plane_of_the_scores(model, data):
    points, labels = data
    fitted = model.fit(points, labels)
    scores = points @ fitted.coef_.T + fitted.intercept_
    np.testing.assert_allclose(np.squeeze(scores), fitted.decision_function(points), atol=1e-9)
    assert fitted.coef_.shape[1] == 4 and fitted.n_iter_ >= 1


def test_a_curved_machine_has_no_coef():
    model = estimators.SVM().fit(TWO, NAMES)
    assert not hasattr(model, "coef_")


def test_scores_are_made_of_support_vectors_and_dual_coefficients():
    model = estimators.SVM(2.0, sigma=1.5).fit(TWO, NAMES)
    K = Gaussian(1.5)(TWO, model.support_vectors_)
    scores = K @ model.dual_coef_[0] + model.intercept_[0]
    np.testing.assert_allclose(scores, model.decision_function(TWO), atol=1e-9)
    assert (TWO[model.support_] == model.support_vectors_).all()
    assert model.n_support_.sum() == len(model.support_)


@pytest.mark.parametrize("model, ask", KERNELISED, ids=named)
def test_precomputed_values_and_a_function_give_the_answer_of_the_kernel(model, ask):
    target = X[:, 3] if isinstance(model, tuple(REGRESSORS)) else Y
    K = Gaussian(2.0)(X)
    answers = []
    for kernel, points in [(Gaussian(2.0), X), ("precomputed", K), (_gaussian, X)]:
        fitted = model.set_params(kernel=kernel)
        if ask == "fit_predict":
            answers.append(fitted.fit_predict(points))
        else:
            answers.append(getattr(fitted.fit(points, target), ask)(points))
    if answers[0].dtype.kind in "US":
        assert all((answer == answers[0]).all() for answer in answers)
    else:
        for answer in answers[1:]:
            np.testing.assert_allclose(answer, answers[0], atol=1e-6)


REGRESSORS = [estimators.SupportVectorRegression, estimators.KernelRidge]


def _gaussian(A, B):
    return rbf_kernel(A, B, gamma=1 / 8)


def test_rbf_is_another_word_for_gaussian():
    one, other = (estimators.SVM(kernel=k).fit(TWO, NAMES) for k in ("rbf", "gaussian"))
    assert (one.decision_function(TWO) == other.decision_function(TWO)).all()


def test_a_function_of_two_rows_is_told_what_to_write_instead():
    with pytest.raises(ValueError, match=r"kernels.Function\(f\)"):
        estimators.SVM(kernel=lambda a, b: 1.0).fit(TWO, NAMES)


def test_a_value_between_new_examples_is_not_invented():
    K = Gaussian(1.0)(TWO)
    new = Given.rows(K[:3], 100)
    with pytest.raises(ValueError, match="not known"):
        Given()(new, new)


@pytest.mark.parametrize("kernel", [Given(), Tables(_gaussian), Gaussian(1.0).normalised()])
def test_every_kernel_survives_pickling(kernel):
    assert repr(pickle.loads(pickle.dumps(kernel))) == repr(kernel)


# --- weights -------------------------------------------------------------------------------------


def test_weights_agree_with_scikit_learns():
    weight = np.random.default_rng(0).uniform(0.2, 3.0, size=100)
    ours = estimators.SVM(2.0, sigma=1.0, tol=1e-6).fit(TWO, NAMES, sample_weight=weight)
    other = SVC(C=2.0, gamma=0.5, tol=1e-8).fit(TWO, NAMES, sample_weight=weight)
    a, b = ours.decision_function(TWO), other.decision_function(TWO)
    np.testing.assert_allclose(a, b, atol=1e-4)


@pytest.mark.parametrize("cls", [estimators.SVM, estimators.LinearSVM])
def test_an_example_of_weight_0_is_left_out(cls):
    weight = np.ones(100)
    weight[::7] = 0.0
    whole = cls(tol=1e-7).fit(TWO, NAMES, sample_weight=weight)
    part = cls(tol=1e-7).fit(TWO[weight > 0], NAMES[weight > 0])
    np.testing.assert_allclose(whole.decision_function(TWO), part.decision_function(TWO), atol=1e-3)
    if cls is estimators.SVM:
        assert (weight[whole.support_] > 0).all()


def test_balanced_classes_weigh_the_same_in_all():
    some = np.r_[0:50, 50:60]
    ours = estimators.SVM(sigma=1.0, class_weight="balanced", tol=1e-6).fit(TWO[some], NAMES[some])
    other = SVC(gamma=0.5, class_weight="balanced", tol=1e-8).fit(TWO[some], NAMES[some])
    a, b = ours.decision_function(TWO), other.decision_function(TWO)
    np.testing.assert_allclose(a, b, atol=1e-4)


@pytest.mark.parametrize(
    "weight, words", [(np.zeros(100), "at least one non-zero"), (-1.0, "egative")]
)
def test_strange_weights_are_refused(weight, words):
    with pytest.raises(ValueError, match=words):
        estimators.SVM().fit(TWO, NAMES, sample_weight=np.broadcast_to(weight, 100))


def test_a_class_without_weight_is_told():
    with pytest.raises(ValueError, match="virginica"):
        estimators.SVM().fit(TWO, NAMES, sample_weight=(NAMES == "versicolor").astype(float))


# --- other tools ---------------------------------------------------------------------------------


@pytest.mark.parametrize("model", PLANES, ids=named)
def test_features_are_eliminated_and_selected_by_the_plane(model):
    assert RFE(model, n_features_to_select=2).fit(TWO, NAMES).support_.sum() == 2
    assert SelectFromModel(model).fit(TWO, NAMES).transform(TWO).shape[1] < 4


@pytest.mark.parametrize("model", [estimators.SVM(100, kernel="linear"), estimators.LinearSVM(100)])
def test_boosting_takes_a_weighted_machine(model):
    # AdaBoost's weights add up to 1: each of 100 examples costs C / 100
    boosted = AdaBoostClassifier(model, n_estimators=3).fit(TWO, NAMES)
    assert boosted.score(TWO, NAMES) > 0.9


def test_the_linear_machine_agrees_with_scikit_learns_plane():
    ours = estimators.LinearSVM(loss="squared_hinge", tol=1e-10).fit(TWO, NAMES)
    other = LinearSVC(tol=1e-10, max_iter=100_000).fit(TWO, NAMES)
    np.testing.assert_allclose(ours.coef_, other.coef_, atol=1e-4)


def test_the_way_back_from_principal_components_ends_near_the_examples():
    model = estimators.KernelPCA(4, kernel="linear", penalty=1e-9).fit(X)
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, atol=1e-6)
    curved = estimators.KernelPCA(10, sigma=2.0, penalty=1e-4).fit(X)
    assert np.abs(curved.inverse_transform(curved.transform(X)) - X).max() < 0.2
    assert (curved.eigenvalues_ > 0).all()


def test_the_way_back_needs_examples():
    model = estimators.KernelPCA(2, kernel="precomputed").fit(Gaussian(2.0)(X))
    with pytest.raises(ValueError, match="no examples are known"):
        model.inverse_transform(np.zeros((1, 2)))


# --- going on learning ---------------------------------------------------------------------------


@pytest.mark.parametrize("cls", [estimators.Perceptron, estimators.AveragedPerceptron])
def test_one_pass_in_parts_is_one_pass(cls):
    parts = cls(shuffle=False)
    for rows in np.split(np.random.default_rng(1).permutation(100), [30, 31, 70]):
        parts.partial_fit(TWO[rows], NAMES[rows], classes=np.unique(NAMES))
    order = np.random.default_rng(1).permutation(100)
    run = perceptron.averaged_perceptron(add_constant(TWO[order]), SIGNS[order])
    w = run.w_last if cls is estimators.Perceptron else run.w
    np.testing.assert_allclose(np.append(parts.coef_, parts.intercept_), w, rtol=1e-12, atol=1e-12)


def test_several_classes_go_on_learning():
    model = estimators.Perceptron()
    for seed in range(20):
        some = np.random.default_rng(seed).permutation(150)[:50]
        model.partial_fit(X[some], Y[some], classes=np.unique(Y))
    assert model.score(X, Y) > 0.6 and model.decision_function(X).shape == (150, 3)


def test_an_unknown_class_is_told_on_the_way():
    model = estimators.Perceptron().partial_fit(TWO, NAMES)
    with pytest.raises(ValueError, match="Unknown classes"):
        model.partial_fit(X, Y)


def test_patience_gives_up_where_nothing_separates_and_never_before_it_helps():
    points, labels = datasets.noisy(200, 3, flips=0.3, rng=0)
    run = perceptron.perceptron(points, labels, max_epochs=1000, patience=4)
    assert 5 <= run.epochs < 1000 and not run.converged
    best = min(run.epoch_mistakes[:-4])
    assert (run.epoch_mistakes[-4:] >= best).all()
    problem = datasets.separable(50, rng=0)
    patient = perceptron.perceptron(problem.X, problem.y, patience=50)
    assert (
        patient.converged
        and patient.w.tolist() == perceptron.perceptron(problem.X, problem.y).w.tolist()
    )


def test_without_history_the_run_is_the_same():
    problem = datasets.separable(60, rng=3)
    short = perceptron.perceptron(problem.X, problem.y, history=False)
    long = perceptron.perceptron(problem.X, problem.y)
    assert short.weights is None and short.w.tolist() == long.w.tolist()
    assert short.mistakes.tolist() == long.mistakes.tolist()
