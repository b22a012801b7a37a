"""What users of scikit-learn expect: planes, weights, kernels by value, going on, other tools."""

import pickle

import numpy as np
import pytest
from sklearn.ensemble import AdaBoostClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_selection import RFE, SelectFromModel
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC, SVR, LinearSVC

from lectures_lib import datasets, discrete, estimators, fast, perceptron
from lectures_lib.conventions import add_constant
from lectures_lib.fast.sparse_machines import SparseLinear
from lectures_lib.kernels import (
    Constant,
    Function,
    Gaussian,
    Given,
    Kernel,
    Laplace,
    Linear,
    Polynomial,
    Tables,
)

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


def _squared(x, z):
    return (x @ z) ** 2


#: One of each kind: all that a program can store on disk, or send to another process.
KERNELS = [
    Linear(),
    Polynomial(2),
    Gaussian(1.0),
    Laplace(1.0),
    Constant(2.0),
    Function(_squared),
    Given(),
    Tables(_gaussian),
    Linear() + Gaussian(1.0),
    Linear() * Gaussian(1.0),
    2 * Linear(),
    Linear() ** 3,
    Gaussian(1.0).scaled_by(np.sum),
    fast.kernel(Gaussian(1.0)),
    SparseLinear(),
    Polynomial(2).normalised(),
    discrete.Spectrum(2),
    discrete.GapWeighted(2, 0.5),
    discrete.Intersection(),
    discrete.CommonSubsets(),
    discrete.RandomWalk(0.1),
    discrete.WeisfeilerLehman(1),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_every_kernel_survives_pickling(kernel):
    again = pickle.loads(pickle.dumps(kernel))
    assert type(again) is type(kernel) and repr(again) == repr(kernel)


def test_no_kind_of_kernel_is_left_out_of_the_pickling():
    def kinds(parent):
        for kind in parent.__subclasses__():
            yield from kinds(kind)
            if kind.__module__.startswith("lectures_lib.") and not kind.__subclasses__():
                yield kind

    # the plain Gaussian has its quick twin below it, and x.z that of sparse rows
    assert set(kinds(Kernel)) == {type(kernel) for kernel in KERNELS} - {Gaussian, Linear}


# --- several classes by pairs, regression, components --------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
def test_pairs_of_classes_agree_with_scikit_learns(weighted):
    weight = np.random.default_rng(0).uniform(0.2, 3.0, size=150) if weighted else None
    model = estimators.SVM(2.0, sigma=1.0, tol=1e-6, multiclass="one_vs_one")
    model.fit(X, Y, sample_weight=weight)
    other = SVC(C=2.0, gamma=0.5, tol=1e-8, decision_function_shape="ovo")
    other.fit(X, Y, sample_weight=weight)
    np.testing.assert_allclose(model.pair_decisions(X), other.decision_function(X), atol=1e-4)
    assert model.n_support_.tolist() == other.n_support_.tolist()
    assert model.support_.tolist() == other.support_.tolist()
    assert (model.classes_[np.argmax(model.decision_function(X), axis=1)] == model.predict(X)).all()


@pytest.mark.parametrize("multiclass", ["one_vs_rest", "one_vs_one"])
def test_support_vectors_stand_class_after_class_and_make_every_score(multiclass):
    order = np.random.default_rng(1).permutation(150)
    model = estimators.SVM(sigma=1.5, multiclass=multiclass).fit(X[order], Y[order])
    own = Y[order][model.support_]
    assert (own == np.repeat(model.classes_, model.n_support_)).all()
    assert (X[order][model.support_] == model.support_vectors_).all()
    scores = Gaussian(1.5)(X, model.support_vectors_) @ model.dual_coef_.T + model.intercept_
    np.testing.assert_allclose(scores, model.machine_.decision(X), atol=1e-9)


def test_a_way_with_several_classes_that_is_unknown_is_told():
    with pytest.raises(ValueError, match="one_vs_one"):
        estimators.SVM(multiclass="ovo").fit(X, Y)
    with pytest.raises(ValueError, match="There are no pairs"):
        estimators.SVM().fit(X, Y).pair_decisions(X)


def test_what_is_read_from_a_machine_cannot_be_written():
    model = estimators.SVM(kernel="linear").fit(TWO, NAMES)
    line = estimators.SupportVectorRegression(kernel="linear").fit(TWO, TWO[:, 3])
    for table in (model.coef_, model.dual_coef_, line.coef_, line.dual_coef_):
        with pytest.raises(ValueError, match="read-only"):
            table[0, 0] = 1.0


def test_the_steps_of_smo_are_counted():
    few, many = (estimators.SVM(sigma=s).fit(TWO, NAMES).n_iter_ for s in (3.0, 0.3))
    assert 1 < few < many


@pytest.mark.parametrize("kernel, gamma", [("linear", 1.0), (Gaussian(1.0), 0.5)])
def test_regression_has_what_scikit_learns_has(kernel, gamma):
    rng = np.random.default_rng(0)  # no two examples alike: beta is the only one
    points = rng.normal(size=(60, 3))
    y = np.sin(points[:, 0]) + 0.2 * rng.normal(size=60)
    ours = estimators.SupportVectorRegression(2.0, epsilon=0.05, kernel=kernel).fit(points, y)
    name = kernel if kernel == "linear" else "rbf"
    other = SVR(kernel=name, gamma=gamma, C=2.0, epsilon=0.05, tol=1e-9).fit(points, y)
    for field in ("support_", "n_support_"):
        assert getattr(ours, field).tolist() == getattr(other, field).tolist()
    fields = ["support_vectors_", "dual_coef_", "intercept_"] + ["coef_"] * (name == "linear")
    for field in fields:
        a, b = getattr(ours, field), getattr(other, field)
        np.testing.assert_allclose(a, b, atol=1e-4)  # LIBSVM keeps K in single precision
    assert hasattr(ours, "coef_") == (name == "linear")


def test_weighted_regression_agrees_with_scikit_learns_and_is_proved():
    weight = np.random.default_rng(0).uniform(0.1, 3.0, size=150)
    weight[::10] = 0.0
    ours = estimators.SupportVectorRegression(2.0, epsilon=0.05, sigma=1.0)
    ours.fit(X[:, :3], X[:, 3], sample_weight=weight)
    other = SVR(gamma=0.5, C=2.0, epsilon=0.05, tol=1e-9)
    other.fit(X[:, :3], X[:, 3], sample_weight=weight)
    np.testing.assert_allclose(ours.predict(X[:, :3]), other.predict(X[:, :3]), atol=1e-4)
    assert ours.machine_.certificate.verdict == "proved"
    assert (weight[ours.support_] > 0).all()


def test_a_weight_of_2_is_the_example_twice():
    twice = np.r_[0:150, 0:150:3]
    weight = np.ones(150)
    weight[::3] = 2.0
    for kernel in ("linear", "gaussian"):
        model = estimators.SupportVectorRegression(kernel=kernel)
        a = model.fit(X[:, :3], X[:, 3], sample_weight=weight).predict(X[:, :3])
        b = model.fit(X[twice, :3], X[twice, 3]).predict(X[:, :3])
        np.testing.assert_allclose(a, b, atol=1e-6)


def test_weighted_ridge_regression_is_scikit_learns_and_proved():
    weight = np.random.default_rng(0).uniform(0.1, 3.0, size=150)
    weight[::10] = 0.0
    for target in (X[:, 3], X[:, 2:]):
        ours = estimators.KernelRidge(0.5, sigma=1.0, fit_intercept=False)
        ours.fit(X[:, :2], target, sample_weight=weight)
        other = KernelRidge(0.5, kernel="rbf", gamma=0.5)
        other.fit(X[:, :2], target, sample_weight=weight)
        np.testing.assert_allclose(ours.predict(X[:, :2]), other.predict(X[:, :2]), atol=1e-8)
        np.testing.assert_allclose(ours.dual_coef_, other.dual_coef_, atol=1e-7)
        assert not ours.dual_coef_[::10].any()
        machines = getattr(ours.machine_, "machines", (ours.machine_,))
        assert all(machine.certificate.verdict == "proved" for machine in machines)


def test_several_targets_are_learnt_one_by_one():
    both = estimators.KernelRidge(0.1).fit(X[:, :2], X[:, 2:])
    for column in (0, 1):
        one = estimators.KernelRidge(0.1).fit(X[:, :2], X[:, 2 + column])
        assert (both.predict(X[:, :2])[:, column] == one.predict(X[:, :2])).all()
        assert (both.dual_coef_[:, column] == one.dual_coef_).all()
    assert all(machine.converged for machine in both.machine_.machines)


def test_components_that_do_not_exist_are_columns_of_zeros():
    model = estimators.KernelPCA(6, kernel="linear", penalty=1e-9).fit(X)
    scores = model.transform(X)
    assert scores.shape == (150, 6) and not scores[:, 4:].any() and scores[:, :4].any(axis=0).all()
    assert (model.eigenvalues_[4:] == 0).all() and len(model.get_feature_names_out()) == 6
    np.testing.assert_allclose(model.inverse_transform(scores), X, atol=1e-6)


def test_a_polynomial_with_its_own_numbers_is_a_proved_kernel():
    kernel = (0.5 * Linear() + Constant(2.0)) ** 3
    np.testing.assert_allclose(kernel(X), (0.5 * X @ X.T + 2.0) ** 3, rtol=1e-12)
    assert kernel.valid and kernel.rounding(X) < 1e-12 and repr(kernel) == "(0.5·x·z + 2)^3"
    assert float(kernel.exact(np.array([[1.0], [2.0]]))[0, 1]) == 27.0
    points = TWO - TWO.mean(axis=0)  # far from 0 cubes are large, and SMO needs 60,000 steps
    other = SVC(kernel="poly", gamma=0.5, coef0=2.0, tol=1e-8).fit(points, NAMES)
    ours = estimators.SVM(kernel=kernel, tol=1e-6).fit(points, NAMES)
    a, b = ours.decision_function(points), other.decision_function(points)
    np.testing.assert_allclose(a, b, atol=1e-4)  # LIBSVM keeps K in single precision
    assert ours.machine_.certificate.verdict == "proved"
    assert (ours.predict(points) == other.predict(points)).all()


@pytest.mark.parametrize("c", [-1.0, np.inf, "1", None])
def test_a_constant_that_is_no_kernel_is_refused(c):
    with pytest.raises(ValueError, match=r"c must be a (finite )?number >= 0"):
        Constant(c)


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
    run = fast.perceptron(points, labels, max_epochs=1000, patience=4)
    assert 5 <= run.epochs < 1000 and not run.converged
    best = min(run.epoch_mistakes[:-4])
    assert (run.epoch_mistakes[-4:] >= best).all()
    problem = datasets.separable(50, rng=0)
    patient = fast.perceptron(problem.X, problem.y, patience=50)
    assert (
        patient.converged
        and patient.w.tolist() == perceptron.perceptron(problem.X, problem.y).w.tolist()
    )


def test_without_history_the_run_is_the_same():
    problem = datasets.separable(60, rng=3)
    short = fast.perceptron(problem.X, problem.y)
    long = perceptron.perceptron(problem.X, problem.y)
    assert short.weights is None and short.w.tolist() == long.w.tolist()
    assert short.mistakes.tolist() == long.mistakes.tolist()


@pytest.mark.parametrize("kind", [estimators.KernelKMeans, estimators.KernelPCA])
def test_clusters_and_components_that_are_not_proved_warn_too(kind, monkeypatch):
    X = np.random.default_rng(0).normal(size=(30, 2))
    estimator = kind(2, kernel="linear")
    estimator.fit(X)  # without a warning, which would be an error
    certificate = type(estimator.machine_.certificate)
    monkeypatch.setattr(certificate, "verdict", property(lambda self: "undecided"))
    with pytest.warns(ConvergenceWarning, match="did not converge on 1 of 1 problems"):
        estimator.fit(X)
