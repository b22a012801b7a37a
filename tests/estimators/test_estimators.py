"""The estimators: scikit-learn's own checks, and that they add nothing to the lectures."""

import pickle
import subprocess
import sys
import warnings

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.utils.estimator_checks import parametrize_with_checks

from lectures_lib import _jit, datasets, estimators, kernel_methods, perceptron, svm
from lectures_lib.conventions import add_constant
from lectures_lib.kernels import Gaussian, Linear, Polynomial
from lectures_lib.multiclass import OneVsRest

#: Most data here are not separable: a perceptron then says so, which is tested below.
pytestmark = pytest.mark.filterwarnings("ignore:(Kernel)?Perceptron did not converge")

#: The labeller of sequences takes lists of arrays: tests/estimators/test_sequence_labeller.py
ALL = [getattr(estimators, name) for name in estimators.__all__ if name != "SequenceLabeller"]
CLASSIFIERS = [
    estimators.Perceptron,
    estimators.AveragedPerceptron,
    estimators.VotedPerceptron,
    estimators.KernelPerceptron,
    estimators.SVM,
    estimators.LinearSVM,
]
REGRESSORS = [estimators.SupportVectorRegression, estimators.KernelRidge]
KERNELISED = [cls for cls in ALL if "kernel" in cls().get_params()]
PERCEPTRONS = CLASSIFIERS[:4]
#: Two answers of one problem, each proved to `tol`: scikit-learn's check wants seven equal digits.
TO_TOLERANCE = {
    "LinearSVM": {
        f"check_sample_weight_equivalence_on_{kind}_data": "each answer is proved to tol = 1e-4"
        for kind in ("dense", "sparse")
    }
}
UNCOMPILED = "the shells are the same as compiled; uncompiled loops take minutes here"


def named(cls):
    return cls.__name__


def two_species():
    X, y = datasets.iris()
    return X[:100], y[:100]


def fitted(cls, **parameters):
    """Return the estimator fitted to iris: to the species, or to the last length."""
    X, y = datasets.iris()
    return cls(**parameters).fit(X, X[:, 3] if cls in REGRESSORS else y)


# --- scikit-learn's own checks -------------------------------------------------------------------


@pytest.mark.skipif(not _jit.COMPILED, reason=UNCOMPILED)
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [cls() for cls in ALL] + [cls(kernel="linear") for cls in KERNELISED],
    expected_failed_checks=lambda estimator: TO_TOLERANCE.get(type(estimator).__name__, {}),
)
def test_scikit_learns_own_check_passes(estimator, check):
    check(estimator)


def test_the_ten_methods_of_the_course_are_there():
    assert len(ALL) == 10 and set(CLASSIFIERS + REGRESSORS) < set(ALL)


# --- no arithmetic: the answers are the lecture's ------------------------------------------------


def test_the_perceptron_is_the_lectures_on_examples_with_a_constant():
    X, y = two_species()
    model = estimators.Perceptron(shuffle=False).fit(X, y)
    run = perceptron.perceptron(add_constant(X), np.where(y == "versicolor", 1.0, -1.0))
    assert model.machine_.w.tolist() == run.w.tolist() and model.machine_.converged
    assert model.decision_function(X).tolist() == (add_constant(X) @ run.w).tolist()


@pytest.mark.parametrize("intercept", [False, True])
@pytest.mark.parametrize("seed", [0, 7])
def test_voted_and_averaged_are_the_lectures_in_the_order_of_the_seed(intercept, seed):
    X, y = two_species()
    points, labels = add_constant(X) if intercept else X, np.where(y == "versicolor", 1.0, -1.0)
    options = {"epochs": 3, "fit_intercept": intercept, "random_state": seed}
    averaged = estimators.AveragedPerceptron(**options).fit(X, y)
    voted = estimators.VotedPerceptron(**options).fit(X, y)
    run = perceptron.averaged_perceptron(points, labels, epochs=3, rng=seed)
    votes = perceptron.vote(perceptron.voted_perceptron(points, labels, epochs=3, rng=seed), points)
    assert averaged.machine_.w.tolist() == run.w.tolist()
    assert (voted.predict(X) == np.where(votes > 0, "versicolor", "setosa")).all()


def test_the_svm_carries_its_certificate_and_agrees_with_scikit_learn():
    X, y = datasets.iris("versicolor", "virginica")
    model = estimators.SVM(5.0, sigma=2.0, tol=1e-5).fit(X, y)
    other = SVC(C=5.0, gamma=1 / 8, tol=1e-6).fit(X, y)
    assert model.machine_.certificate.holds
    np.testing.assert_allclose(model.decision_function(X), other.decision_function(X), atol=1e-4)
    assert model.score(X, y) == other.score(X, y)


def test_several_classes_are_one_against_the_rest_each_machine_certified():
    model = fitted(estimators.SVM, kernel="linear")
    assert isinstance(model.machine_, OneVsRest)
    assert all(proof.holds for proof in model.machine_.certificates)
    assert model.decision_function(datasets.iris()[0]).shape == (150, 3)


def test_the_linear_svm_proves_its_gap():
    X, y = two_species()
    model = estimators.LinearSVM(tol=1e-6).fit(X, y)
    answer = model.machine_
    assert answer.converged and answer.w.shape == (4,) and answer.b != 0
    assert answer.gap <= 1e-6 * (1 + answer.primal)


@pytest.mark.parametrize("cls", ALL, ids=named)
def test_sparse_examples_give_the_answer_of_dense_ones(cls):
    X, y = datasets.iris()
    target = X[:, 3] if cls in REGRESSORS else y
    dense, thin = (cls().fit(Z, target) for Z in (X, csr_array(X)))
    ask = next(m for m in ("decision_function", "transform", "predict") if hasattr(cls, m))
    np.testing.assert_allclose(
        getattr(thin, ask)(csr_array(X)), getattr(dense, ask)(X), rtol=1e-6, atol=1e-6
    )


def test_sparse_examples_that_no_memory_holds_are_refused_in_a_sentence():
    wide = csr_array((10, 10**9))
    with pytest.raises(ValueError, match=r"75 GB as a dense array\. LinearSVM takes them"):
        estimators.SVM().fit(wide, np.arange(10) % 2)


def test_the_regressors_carry_their_certificates_and_agree_with_the_functions():
    X, y = datasets.iris()[0][:, :3], datasets.iris()[0][:, 3]
    tube = estimators.SupportVectorRegression(2.0, epsilon=0.2, sigma=1.5).fit(X, y)
    ridge = estimators.KernelRidge(0.5, kernel="poly", degree=2).fit(X, y)
    assert tube.machine_.certificate.holds and ridge.machine_.certificate.holds
    expected = kernel_methods.kernel_ridge(X, y, Polynomial(2), 0.5, offset=True).predict(X)
    assert ridge.predict(X).tolist() == expected.tolist()
    other = SVR(C=2.0, epsilon=0.2, gamma=1 / 4.5, tol=1e-6).fit(X, y)
    np.testing.assert_allclose(tube.predict(X), other.predict(X), atol=1e-3)


def test_clusters_and_components_are_those_of_the_functions():
    X, _ = datasets.iris()
    clusters = fitted(estimators.KernelKMeans, n_clusters=3, sigma=2.0, random_state=5)
    run = kernel_methods.kernel_kmeans(X, Gaussian(2.0), 3, rng=5)
    pairs = set(
        zip(clusters.labels_.tolist(), run.labels.tolist())
    )  # the names of clusters are free
    assert len(pairs) == len(set(run.labels)) == 3
    assert clusters.inertia_ == pytest.approx(run.objective, rel=1e-12)
    assert clusters.machine_.certificate.holds
    pca = fitted(estimators.KernelPCA, n_components=2, kernel="linear")
    assert pca.machine_.certificate.holds
    np.testing.assert_allclose(
        pca.transform(X), kernel_methods.kernel_pca(X, Linear(), 2).scores, atol=1e-9
    )
    assert pca.get_feature_names_out().tolist() == ["kernelpca0", "kernelpca1"]


def test_digits_are_read_end_to_end_in_a_pipeline():
    X, y = datasets.digits()
    model = make_pipeline(StandardScaler(), estimators.SVM(5.0, sigma=8.0)).fit(X[:300], y[:300])
    assert all(proof.holds for proof in model[-1].machine_.certificates)
    chance = np.mean(y[300:600] == np.bincount(y[:300]).argmax())
    assert model.score(X[300:600], y[300:600]) > 4 * chance


# --- parameters ----------------------------------------------------------------------------------


@pytest.mark.parametrize("cls", KERNELISED, ids=named)
@pytest.mark.parametrize(
    "named_kernel, kernel",
    [
        ({"kernel": "linear"}, Linear()),
        ({"kernel": "poly", "degree": 2}, Polynomial(2)),
        ({"kernel": "gaussian", "sigma": 0.7}, Gaussian(0.7)),
    ],
    ids=["linear", "poly", "gaussian"],
)
def test_a_kernels_name_and_the_kernel_itself_are_the_same(cls, named_kernel, kernel):
    X = datasets.iris()[0][::3] / 8
    y = X[:, 3] if cls in REGRESSORS else X[:, 3] > 0.2
    method = "transform" if hasattr(cls, "transform") else "predict"
    first, second = cls(**named_kernel).fit(X, y), cls(kernel=kernel).fit(X, y)
    assert (getattr(first, method)(X) == getattr(second, method)(X)).all()


@pytest.mark.parametrize("cls", KERNELISED, ids=named)
@pytest.mark.parametrize("kernel", ["sigmoid", None, 3])
def test_an_unknown_kernel_is_refused_with_the_names_of_all(cls, kernel):
    with pytest.raises(ValueError, match=r'"linear", "poly", "gaussian", .* a kernels\.Kernel'):
        fitted(cls, kernel=kernel)


@pytest.mark.parametrize("cls", PERCEPTRONS, ids=named)
def test_the_seed_decides_the_order_and_None_draws_a_new_one(cls):
    X, y = datasets.iris()
    scores = [
        cls(random_state=state).fit(X, y).decision_function(X).tolist()
        for state in (3, 3, np.random.RandomState(0), np.random.RandomState(0))
    ]
    assert scores[0] == scores[1] and scores[2] == scores[3]
    assert cls(random_state=None).fit(X, y).predict(X).shape == (150,)
    assert cls(shuffle=False).fit(X, y).predict(X).shape == (150,)


def test_without_an_offset_a_point_at_the_origin_has_score_zero_and_the_larger_label():
    X, y = two_species()
    for cls in (estimators.Perceptron, estimators.AveragedPerceptron, estimators.LinearSVM):
        model = cls(fit_intercept=False).fit(X, y)
        assert model.decision_function(np.zeros((1, 4))).tolist() == [0.0]
        assert model.predict(np.zeros((1, 4))).tolist() == ["versicolor"]


@pytest.mark.parametrize("cls", CLASSIFIERS, ids=named)
def test_one_class_is_refused(cls):
    with pytest.raises(ValueError, match="one class"):
        cls().fit(np.eye(3), ["a", "a", "a"])


def test_a_hard_margin_that_does_not_exist_is_refused_with_advice():
    X, y = datasets.xor()
    with pytest.raises(ValueError, match="choose a finite C"):
        estimators.SVM(np.inf, kernel="linear").fit(X, y)
    assert estimators.SVM(np.inf, kernel="poly", degree=2).fit(X, y).score(X, y) == 1.0


@pytest.mark.parametrize("k", [0, 2.5, "3"])
def test_a_wrong_number_of_clusters_is_refused(k):
    with pytest.raises(ValueError, match="n_clusters must be a whole number"):
        estimators.KernelKMeans(k).fit(np.eye(5))


# --- scikit-learn's tools ------------------------------------------------------------------------


@pytest.mark.parametrize("cls", ALL, ids=named)
def test_a_clone_has_the_parameters_and_nothing_that_was_learned(cls):
    model = fitted(cls)
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert not hasattr(copy, "machine_") and hasattr(model, "machine_")


@pytest.mark.parametrize("cls", KERNELISED, ids=named)
def test_a_kernel_object_survives_clone_and_pickle(cls):
    kernel = Polynomial(2) + 0.5 * Gaussian(1.0)
    assert clone(cls(kernel=kernel)).kernel == kernel
    model = fitted(cls, kernel=kernel)
    again = pickle.loads(pickle.dumps(model))
    X, _ = datasets.iris()
    method = "transform" if hasattr(cls, "transform") else "predict"
    assert (getattr(again, method)(X) == getattr(model, method)(X)).all()


@pytest.mark.parametrize("cls", CLASSIFIERS + REGRESSORS, ids=named)
def test_every_predictor_works_at_the_end_of_a_pipeline(cls):
    X, y = datasets.iris()
    y = X[:, 3] if cls in REGRESSORS else y
    model = make_pipeline(StandardScaler(), cls()).fit(X, y)
    assert model.score(X, y) > (0.5 if cls in REGRESSORS else 2 / 3)  # R^2, or accuracy
    assert cross_val_score(model, X, y, cv=3).shape == (3,)


def test_components_and_clusters_work_in_a_pipeline():
    X, y = datasets.iris()
    scores = make_pipeline(estimators.KernelPCA(2, sigma=2.0), estimators.LinearSVM()).fit(X, y)
    assert scores.score(X, y) > 2 / 3
    clusters = make_pipeline(StandardScaler(), estimators.KernelKMeans(3, sigma=2.0))
    assert sorted(set(clusters.fit_predict(X))) == [0, 1, 2]


def test_a_grid_search_goes_over_numbers_names_and_kernels_alike():
    X, y = datasets.iris("versicolor", "virginica")
    pipeline = make_pipeline(StandardScaler(), estimators.SVM())
    grid = {"svm__C": [0.1, 1.0], "svm__kernel": ["linear", Gaussian(2.0), Polynomial(2)]}
    search = GridSearchCV(pipeline, grid, cv=3).fit(X, y)
    best = search.best_estimator_[-1]
    assert len(search.cv_results_["params"]) == 6 and best.machine_.certificate.holds
    direct = svm.train(StandardScaler().fit_transform(X), y, best.C, best.machine_.kernel)
    assert best.machine_.b == pytest.approx(direct.b)


@pytest.mark.parametrize("cls", ALL, ids=named)
def test_the_html_form_names_the_estimator_and_its_parameters(cls):
    html = cls()._repr_html_()
    assert cls.__name__ in html
    assert all(name in html for name in cls().get_params())


def test_a_kernel_shows_its_formula_in_the_html_form():
    assert "(1 + x·z)^2" in estimators.SVM(kernel=Polynomial(2))._repr_html_()


def test_the_library_imports_scikit_learn_only_when_estimators_are_used():
    code = (
        "import sys, lectures_lib; from lectures_lib import svm, multiclass, kernel_methods;"
        "assert 'sklearn' not in sys.modules;"
        "lectures_lib.estimators; assert 'sklearn' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# --- what is not proved is said ------------------------------------------------------------------


@pytest.mark.parametrize(
    "estimator",
    [
        estimators.SVM(C=1e6, tol=1e-17),  # a Gaussian is known to 16 digits
        estimators.LinearSVM(C=1e6, max_epochs=1),
        estimators.Perceptron(max_epochs=2),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_an_estimator_that_ends_without_a_proof_warns_as_scikit_learn_does(estimator):
    X, y = datasets.noisy(80, 3, flips=0.2, rng=0)
    with pytest.warns(ConvergenceWarning, match="did not converge on 1 of 1 problems"):
        estimator.fit(X, y)
    assert not estimator.machine_.converged


def test_an_estimator_whose_answer_is_proved_says_nothing():
    X, y = datasets.noisy(80, 3, flips=0.2, rng=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for estimator in (estimators.SVM(), estimators.LinearSVM(), estimators.KernelRidge()):
            assert estimator.fit(X, y).machine_.converged
