"""More machines: softmax, l1, tubes, stochastic gradients, clusters, LIBLINEAR's own."""

import warnings

import numpy as np
import pytest
from scipy import sparse
from sklearn import datasets as sk_datasets
from sklearn.cluster import KMeans
from sklearn.decomposition import KernelPCA
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import (
    ElasticNet,
    Lasso,
    LogisticRegression,
    LogisticRegressionCV,
    MultiTaskLasso,
    Perceptron,
    Ridge,
    RidgeClassifier,
    SGDClassifier,
    SGDRegressor,
)
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC, LinearSVR, NuSVR

from lectures_lib import certify, datasets
from lectures_lib.proof.softmax import softmax_above, softmax_below
from lectures_lib.proof.spectrum import centres_above, centres_below
from tools import tampered


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


REGRESSIONS = [
    Lasso(tol=1e-8),
    ElasticNet(tol=1e-8, fit_intercept=False),
    LinearSVR(tol=1e-7, max_iter=100_000, C=0.1),
    LinearSVR(loss="squared_epsilon_insensitive", dual=False, tol=1e-9, epsilon=1.0),
    NuSVR(tol=1e-6),
    NuSVR(kernel="linear", tol=1e-6),
]


@pytest.mark.parametrize("model", REGRESSIONS, ids=str)
def test_a_regression_that_is_solved_well_is_proved_and_a_worse_one_is_not(model, numbers):
    X, y = numbers
    model = fitted(model, X, y)
    judged = certify.certify(model, X, y)
    assert judged.holds, str(judged)
    model.intercept_ = model.intercept_ + 20.0
    assert certify.certify(model, X, y).verdict == "refuted"


@pytest.mark.parametrize("free", [True, False])
def test_a_lasso_of_far_targets_is_proved_though_its_multipliers_are_rounded(free):
    """Unix seconds: X'beta is far above l1 where it is off by one rounding."""
    rng = np.random.default_rng(0)
    X, w = rng.normal(size=(8, 2)), np.array([3.0, -2.0])
    for far in (1e3, 3.6e6, 1.7e9):
        model = fitted(Lasso(alpha=1e-3, fit_intercept=free, tol=1e-12), X, X @ w + far)
        assert certify.certify(model, X, X @ w + far, tol=1e-3).holds
        model.coef_ = model.coef_ + 0.5 + 0.5 * abs(model.coef_)
        assert certify.certify(model, X, X @ w + far, tol=1e-3).verdict == "refuted"


def test_kernel_ridge_is_proved_for_its_own_coefficients_alone(numbers):
    X, y = numbers
    for kernel in ("linear", "rbf", "poly"):
        model = fitted(KernelRidge(kernel=kernel, gamma=0.1), X, np.column_stack([y, -y]))
        assert certify.certify(model, X, np.column_stack([y, -y])).holds
        model.dual_coef_ = 1.1 * model.dual_coef_
        assert certify.certify(model, X, np.column_stack([y, -y])).verdict == "refuted"
    with pytest.raises(ValueError, match="trained on other data"):
        certify.certify(model, X + 1.0, np.column_stack([y, -y]))


L1 = [
    LogisticRegression(l1_ratio=1.0, solver="liblinear", tol=1e-9, max_iter=10_000),
    LogisticRegression(l1_ratio=1.0, solver="saga", tol=1e-9, max_iter=10_000),
    LogisticRegression(l1_ratio=0.5, solver="saga", tol=1e-9, max_iter=10_000, C=0.1),
    LinearSVC(penalty="l1", dual=False, tol=1e-9, max_iter=10_000),
]


@pytest.mark.parametrize("model", L1, ids=str)
def test_a_model_with_an_l1_penalty_is_proved_if_it_is_solved_well(model, two):
    X, y = two
    model = fitted(model, X, y)
    assert certify.certify(model, X, y).holds
    model.coef_ = model.coef_ + 0.3
    assert certify.certify(model, X, y).verdict == "refuted"


@pytest.mark.parametrize("options", [{}, {"fit_intercept": False}, {"class_weight": "balanced"}])
def test_logistic_regression_of_several_classes_is_proved_and_a_worse_one_is_not(flowers, options):
    X, y = flowers
    model = fitted(LogisticRegression(tol=1e-8, max_iter=1000, **options), X, y)
    for some in (X, sparse.csr_matrix(X)):
        judged = certify.certify(model, some, y)
        assert judged.holds and "log sum_k exp(f_k) - f_y" in judged.formula
    model.coef_ = 1.2 * model.coef_
    judged = certify.certify(model, X, y)
    assert judged.verdict == "refuted" and judged.better["w"].shape == (3, 4)


def test_no_probabilities_prove_more_than_any_weights_cost():
    rng = np.random.default_rng(0)
    for _ in range(100):
        X, codes = rng.normal(size=(20, 2)), np.arange(20) % 3
        C, offset = rng.uniform(0.5, 2.0, 20), bool(rng.integers(2))
        P = rng.dirichlet(np.ones(3), 20)
        b = rng.normal(size=3) if offset else np.zeros(3)
        above = softmax_above(X, codes, C, rng.normal(size=(3, 2)), b, 0.7)
        assert softmax_below(X, codes, C, P, 0.7, offset=offset).low <= above.high


def test_softmax_of_two_classes_costs_what_two_classes_cost(two):
    X, y = two
    w, b = np.array([0.3, -0.2, 0.5, 0.1]), 0.4
    codes, C = (y > 0).astype(int), np.ones(len(y))
    W, offsets = np.array([-w / 2, w / 2]), np.array([-b / 2, b / 2])
    both = softmax_above(X, codes, C, W, offsets, 2.0)
    one = certify.svm(w, b, X, y, 1.0, loss="logistic", solve=False).above
    assert abs(float(both.value) - float(one.value)) < 1e-9


def test_stochastic_gradients_are_refuted_by_a_better_answer(two, numbers):
    for model, (X, y) in [
        (SGDClassifier(random_state=0), two),
        (SGDClassifier(loss="log_loss", penalty="elasticnet", random_state=0), two),
        (SGDRegressor(max_iter=2, random_state=0), numbers),
    ]:
        judged = certify.certify(fitted(model, X, y), X, y)
        assert judged.verdict == "refuted" and judged.better["w"].shape == (X.shape[1],)


def test_stochastic_gradients_that_go_on_long_enough_are_proved(two):
    X, y = two
    model = SGDClassifier(
        loss="log_loss", alpha=0.1, tol=None, max_iter=5000, average=True, random_state=0
    )
    assert certify.certify(fitted(model, X, y), X, y, tol=0.01).holds


def test_a_ridge_classifier_is_a_ridge_for_each_class(flowers, two):
    for X, y in (flowers, two):
        assert certify.certify(fitted(RidgeClassifier(), X, y), X, y).holds


def test_a_perceptron_is_proved_to_separate_or_shown_who_does():
    found = datasets.separable(40, 2, gamma=0.3, rng=0)
    X, y = found.X, found.y
    model = fitted(Perceptron(tol=None, max_iter=1000), X, y)
    assert certify.certify(model, X, y).holds
    model.intercept_ = model.intercept_ + 1e3
    judged = certify.certify(model, X, y)
    assert judged.verdict == "refuted"
    assert (y * (X @ judged.better["w"] + judged.better["b"]) > 0).all()


def test_clusters_are_refuted_by_better_ones_and_never_below_their_floor(flowers):
    X, _ = flowers
    judged = certify.certify(fitted(KMeans(3, n_init=10, random_state=0), X, None), X)
    assert judged.verdict == "undecided" and 0 < judged.bound < judged.objective
    bad = fitted(KMeans(3, n_init=1, max_iter=1, init=X[:3]), X, None)
    judged = certify.certify(bad, X)
    assert judged.verdict == "refuted" and judged.better["centres"].shape == (3, 4)


def sign_of_weights(name, X, y):
    """Return a model none of whose weights may be below 0, near its best."""
    made = {
        "Lasso": Lasso(alpha=0.5, positive=True, tol=1e-8),
        "ElasticNet": ElasticNet(alpha=0.5, positive=True, fit_intercept=False, tol=1e-8),
        "Ridge": Ridge(positive=True, tol=1e-8, max_iter=10_000),
        "RidgeClassifier": RidgeClassifier(positive=True, tol=1e-8, max_iter=10_000),
    }[name]
    return fitted(made, X, y if name != "RidgeClassifier" else y > np.median(y))


@pytest.mark.parametrize("name", ["Lasso", "ElasticNet", "Ridge", "RidgeClassifier"])
def test_weights_from_0_up_are_judged_among_such_weights(numbers, name):
    X, y = numbers
    y = y if name != "RidgeClassifier" else y > np.median(y)
    model = sign_of_weights(name, *numbers)
    judged = certify.certify(model, X, y, tol=1e-4)
    assert judged.holds and "w_j >= 0" in judged.formula
    w = np.ravel(model.coef_).copy()
    assert (w == 0).any() and (w > 0).any()  # else the sign would forbid nothing
    model.coef_ = model.coef_ * 1.1
    worse = certify.certify(model, X, y, tol=1e-4)
    assert worse.verdict == "refuted" and worse.better["w"].min() >= 0
    assert worse.objective > judged.objective >= worse.bound
    model.coef_ = np.where(model.coef_ > 0, model.coef_, -1e-9)
    below = certify.certify(model, X, y, tol=1e-4)
    assert below.verdict == "refuted" and "below 0" in below.reason


def test_each_output_of_a_lasso_is_judged(numbers):
    X, y = numbers
    Y = np.column_stack([y, X @ np.arange(X.shape[1])])
    model = fitted(Lasso(tol=1e-8), X, Y)
    judged = certify.certify(model, X, Y)
    assert judged.holds and [part.model for part in judged.parts] == ["output 0", "output 1"]
    model.coef_[1] *= 1.1
    assert certify.certify(model, X, Y).worst.model == "output 1"
    with pytest.raises(ValueError, match="all outputs together"):
        certify.certify(fitted(MultiTaskLasso(), X, Y), X, Y)


@pytest.mark.parametrize("kernel", ["laplacian", "cosine", lambda a, b: float(a @ b) + 1.0])
def test_a_kernel_that_only_the_model_knows_is_judged_by_its_k(numbers, kernel):
    X, y = numbers
    model = fitted(KernelRidge(kernel=kernel), X, y)
    judged = certify.certify(model, X, y)
    assert judged.holds and "the model" in judged.formula
    model.dual_coef_ = model.dual_coef_ * 1.2
    assert certify.certify(model, X, y).verdict == "refuted"
    if kernel != "laplacian":  # which KernelPCA does not know
        assert certify.certify(KernelPCA(2, kernel=kernel).fit(X), X).holds


def test_a_kernel_that_is_none_is_refuted_by_its_k(numbers):
    X, y = np.abs(numbers[0]), numbers[1]
    judged = certify.certify(fitted(KernelRidge(kernel="additive_chi2", alpha=50.0), X, y), X, y)
    assert judged.verdict == "refuted" and "not positive semi-definite" in judged.reason


def test_the_floor_of_clusters_is_below_every_choice_of_centres():
    rng = np.random.default_rng(0)
    for _ in range(50):
        X = rng.normal(size=(12, 3)) + 1e3 * rng.normal()
        k = int(rng.integers(1, 5))
        s = 10 ** rng.uniform(-2, 2, 12)
        assert centres_below(X, k, s).low <= centres_above(X, X[rng.choice(12, k)], s).high
    one = centres_below(X, 1, s)  # of one cluster the mean is the best centre
    assert one.low >= centres_above(X, (s @ X / s.sum())[None], s).high * (1 - 1e-9)


def test_weights_of_clusters_count_as_repeated_rows(flowers):
    X, often = flowers[0][::3], np.tile([1, 3], 25)
    model = KMeans(3, n_init=10, random_state=0).fit(X, sample_weight=often)
    judged = certify.certify(model, X, sample_weight=often, tol=9.0)
    rows = np.repeat(X, often, axis=0)
    twin = KMeans(3, init=model.cluster_centers_, max_iter=1).fit(rows)
    again = certify.certify(twin, rows, tol=9.0)
    assert judged.holds and again.holds and "each times its weight" in judged.formula
    assert np.isclose(judged.bound, again.bound) and np.isclose(judged.objective, again.objective)
    some = [1, 0, 1, 0]  # two rows that count, and two centres
    two = KMeans(2, random_state=0).fit(X[:4], sample_weight=some)
    assert certify.certify(two, X[:4], sample_weight=some).objective <= 1e-20


def test_the_components_of_a_kernel_are_judged(flowers):
    X, _ = flowers
    model = fitted(KernelPCA(3, kernel="rbf", gamma=0.3), X, None)
    assert certify.certify(model, X).holds
    model.eigenvalues_ = 1.01 * model.eigenvalues_
    assert certify.certify(model, X).verdict == "refuted"


def test_a_search_of_scikit_learns_own_kind_is_refused(two):
    with pytest.raises(ValueError, match=r"CV is not judged: .* fit LogisticRegression with that"):
        certify.certify(
            fitted(
                LogisticRegressionCV(Cs=[1.0], l1_ratios=(0,), use_legacy_attributes=False), *two
            ),
            *two,
        )


def test_a_class_in_the_place_of_a_model_is_named(two):
    with pytest.raises(ValueError, match="SVC is a class: hand over a model of it"):
        certify.certify(SVC, *two)


@pytest.mark.parametrize("kind", [0, 1, 2, 3, 5, 6, 7])
def test_models_of_liblinears_own_package_are_judged(kind, two):
    own = pytest.importorskip("liblinear.liblinearutil")
    X, y = two
    model = own.train(y.tolist(), sparse.csr_matrix(X), f"-s {kind} -c 2 -B 1 -e 1e-9 -q")
    assert certify.certify(model, X, y).holds
    assert certify.certify(model, X[:, ::-1], y).verdict == "refuted"


def test_intels_classes_are_read_by_their_names(two):
    own = pytest.importorskip("sklearnex.svm")
    X, y = two
    model = fitted(own.SVC(tol=1e-6), X, y)
    assert certify.certify(model, X, y).holds


def test_no_tampered_model_is_proved():
    found = [tampered.case(7, number) for number in range(160)]
    lies = [judged for judged in found if judged[1] != "true"]
    assert len(lies) > 120 and {kind for _, kind, _ in lies} == set(tampered.KINDS)
    assert [judged for judged in lies if judged[2] == "proved"] == []
