"""A model that kept something of other data is refused; strangers are, in a sentence."""

import warnings
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.decomposition import PCA, KernelPCA
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression, Perceptron, SGDClassifier, SGDRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR, LinearSVC, NuSVC, NuSVR

from lectures_lib import certify, datasets

KEEPERS = {
    "SVC": (SVC(), "rows|support vectors"),
    "SVC linear": (SVC(kernel="linear"), "rows|support vectors"),
    "SVC of K": (SVC(kernel="precomputed"), "rows|features"),
    "NuSVC": (NuSVC(nu=0.3), "rows|support vectors"),
    "SVR": (SVR(), "rows|support vectors"),
    "NuSVR": (NuSVR(), "rows|support vectors"),
    "KernelRidge": (KernelRidge(kernel="rbf"), "rows"),
    "KernelPCA": (KernelPCA(2, kernel="rbf"), "rows"),
    "KMeans": (KMeans(3, n_init=3, random_state=0), "rows"),
    "SGDClassifier": (SGDClassifier(random_state=0), "steps"),
    "SGDRegressor": (SGDRegressor(random_state=0), "steps"),
    "Perceptron": (Perceptron(random_state=0), "steps"),
    "scaled": (make_pipeline(StandardScaler(), LinearSVC()), "StandardScaler was trained on 100"),
    "components": (make_pipeline(PCA(2), LogisticRegression()), "PCA was trained on 100 rows"),
}


@pytest.fixture(scope="module")
def data():
    """Two classes that overlap, 150 rows of them."""
    return datasets.noisy(150, 4, rng=1)


def given(name, X):
    """Return what a model is trained on: X, or its Gram matrix."""
    return X @ X.T if name.endswith("of K") else X


def fitted(name, X, y):
    """Return the model of this name, trained on these rows."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return KEEPERS[name][0].fit(given(name, X), y)


@pytest.mark.parametrize("name", KEEPERS)
def test_a_model_of_the_first_rows_is_refused_for_all_of_them(name, data):
    X, y = data
    with pytest.raises(ValueError, match=KEEPERS[name][1]):
        certify.certify(fitted(name, X[:100], y[:100]), given(name, X), y)


@pytest.mark.parametrize("name", KEEPERS)
def test_a_model_of_all_rows_is_refused_for_the_first_of_them(name, data):
    X, y = data
    with pytest.raises(ValueError, match=KEEPERS[name][1].replace("100", "150")):
        certify.certify(fitted(name, X, y), given(name, X[:100]), y[:100])


@pytest.mark.parametrize("name", [n for n in KEEPERS if n[:3] in ("SVC", "NuS", "SVR")])
def test_a_machine_is_refused_for_the_same_rows_in_another_order(name, data):
    X, y = data
    back = np.arange(len(y))[::-1]
    if name in ("SVC of K", "SVR", "NuSVR"):
        order = back if name != "SVC of K" else np.r_[1:150, 0]
    else:
        order = back
    with pytest.raises(ValueError, match="its support vectors"):
        certify.certify(fitted(name, X, y), given(name, X[order]), y[order])


@pytest.mark.parametrize("name", ["SVC", "SVC of K", "NuSVC"])
def test_a_classifier_whose_support_vectors_have_other_labels_is_refused(name, data):
    X, y = data
    model, other = fitted(name, X, y), y.copy()
    other[model.support_[0]] *= -1
    with pytest.raises(ValueError, match="other labels"):
        certify.certify(model, given(name, X), other)


@pytest.mark.parametrize("name", ["KernelRidge", "KernelPCA", "KMeans"])
def test_a_model_that_keeps_rows_or_labels_is_refused_for_other_rows(name, data):
    X, y = data
    with pytest.raises(ValueError, match=r"other rows than those of X|nearer to other centres"):
        certify.certify(fitted(name, X, y), X[::-1] + 0.5, y)


class Table(np.ndarray):
    """Rows whose columns have names, as those of pandas have."""

    columns = tuple("abcd")


def test_columns_of_other_names_are_refused(data):
    X, y = data[0].view(Table), data[1]
    model = LinearSVC().fit(*data)
    model.feature_names_in_ = np.array(list("abcd"), dtype=object)
    assert certify.certify(model, X, y).holds
    model.feature_names_in_ = np.array(list("dcba"), dtype=object)
    with pytest.raises(ValueError, match="other columns than those of X: 'd', not 'a'"):
        certify.certify(model, X, y)


@pytest.mark.parametrize("name", [n for n in KEEPERS if n not in ("KMeans", "Perceptron")])
def test_no_model_is_refused_for_its_own_data(name, data):
    X, y = data
    judged = certify.certify(fitted(name, X, y), given(name, X), y)
    assert judged.verdict in ("proved", "refuted")


def test_weights_of_0_and_sparse_rows_are_no_other_data(data):
    X, y = data
    weights = np.where(np.arange(150) % 4 == 0, 0.0, 1.0)
    for rows in (X, sparse.csr_matrix(X)):
        model = SVC(tol=1e-6).fit(rows, y, sample_weight=weights)
        assert certify.certify(model, rows, y, sample_weight=weights).holds


# --- strangers ---------------------------------------------------------------------------------


class SVC2(SVC):
    """A class of somebody who goes on from scikit-learn's."""


def test_who_is_made_of_a_known_class_is_judged_like_it(data):
    assert certify.certify(SVC2(tol=1e-6).fit(*data), *data).holds


@pytest.mark.parametrize("name", ["SVC", "LinearSVC", "Ridge", "KMeans", "LogisticRegression"])
def test_a_stranger_that_shares_a_name_is_refused_in_a_sentence(name, data):
    stranger = type(name, (SimpleNamespace,), {})()
    with pytest.raises(ValueError, match=f"{name} is not judged: it has no '.*', so it was not"):
        certify.certify(stranger, *data)


def test_boosted_trees_are_refused_in_a_sentence(data):
    for name in ("XGBClassifier", "LGBMClassifier", "CatBoostClassifier", "Booster"):
        with pytest.raises(ValueError, match=f"{name} is not judged: known are SVC"):
            certify.certify(type(name, (), {})(), *data)


# --- LIBSVM's own package, and intel's classes ---------------------------------------------------


def own_libsvm(X, y, options):
    """Return a model of LIBSVM's own package."""
    own = pytest.importorskip("libsvm.svmutil")
    return own.svm_train(y.tolist(), sparse.csr_matrix(X), f"{options} -e 1e-7 -q")


KINDS = ["-s 0 -t 2 -c 2", "-s 0 -t 0 -c 0.5", "-s 0 -t 1 -d 2 -r 1", "-s 1 -t 2 -n 0.3"]
TUBES = ["-s 3 -t 2 -p 0.2", "-s 4 -t 2 -n 0.4", "-s 3 -t 0 -p 0.1"]


@pytest.mark.parametrize("options", KINDS + TUBES)
def test_models_of_libsvms_own_package_are_judged(options, data):
    X, y = data
    y = y if options in KINDS else X[:, 0] ** 2 + y
    model = own_libsvm(X, y, options)
    assert certify.certify(model, X, y).holds
    with pytest.raises(ValueError, match="support vectors"):
        certify.certify(model, X[::-1], y)
    model.rho[0] += 0.5
    assert certify.certify(model, X, y).verdict == "refuted"


def test_pairs_of_libsvms_own_package_are_judged_in_its_own_order(data):
    X, _ = data
    y = np.digitize(X[:, 0], [-0.3, 0.3])[::-1].astype(float)
    X = X[::-1]
    judged = certify.certify(own_libsvm(X, y, "-s 0 -t 2 -c 5"), X, y)
    assert judged.holds and len(judged.parts) == 3


def test_what_libsvms_own_package_does_not_keep_is_refused(data, tmp_path):
    own = pytest.importorskip("libsvm.svmutil")
    X, y = data
    for options, words in [
        ("-s 2", "only C-SVC"), ("-t 3", "the sigmoid is no kernel"), ("-w1 3", "weights of class"),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match=words):
            certify.certify(own_libsvm(X, y, options), X, y)
    own.svm_save_model(str(tmp_path / "m"), own_libsvm(X, y, "-t 0"))
    with pytest.raises(ValueError, match="files of LIBSVM do not keep C"):
        certify.certify(own.svm_load_model(str(tmp_path / "m")), X, y)


INTEL = [("svm", "SVC"), ("svm", "NuSVC"), ("svm", "SVR"), ("svm", "NuSVR"), ("linear_model",
         "Ridge"), ("linear_model", "LogisticRegression"), ("linear_model", "Lasso"),
         ("linear_model", "ElasticNet"), ("cluster", "KMeans")]  # fmt: skip


@pytest.mark.parametrize(("room", "name"), INTEL)
def test_intels_classes_are_read_by_their_names(room, name, data):
    kind = getattr(pytest.importorskip(f"sklearnex.{room}"), name, None)
    if kind is None:
        pytest.skip(f"this version of sklearnex has no {name}")
    X, y = data
    options = {"KMeans": {"n_clusters": 3, "random_state": 0}, "NuSVC": {"nu": 0.3}}.get(name, {})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = kind(**options).fit(X, y)
    judged = certify.certify(model, X, y)
    assert judged.verdict == "proved" or (name == "KMeans" and judged.verdict != "proved")
