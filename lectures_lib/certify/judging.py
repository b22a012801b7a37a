"""The doors: judge a model, or have a test fail where it is not near its best."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._arguments import BadArgument, explained
from ..conventions import as_floats, check_positive
from ..proof.judgement import Judgement
from .cases import judgement, together
from .readers import READERS
from .reading import Data, examples, refuse, title_of
from .trained import (
    refuse_other_features,
    refuse_other_rows,
    refuse_two_answers,
    with_kept_rows,
)


@explained
def certify(
    model: Any,
    X: Any,
    y: ArrayLike | None = None,
    *,
    tol: float = 1e-3,
    sample_weight: ArrayLike | None = None,
    solve: bool = True,
) -> Judgement:
    """Judge a fitted model: is its objective within `tol`, relative, of the least there is?

    First by what is free: the model's own multipliers, or those that its scores would have. Where
    that proves nothing, the same problem is solved once more: either that proves the model, or
    the other answer refutes it, and is handed over in `better`. What was guessed refutes nothing.
    A model that kept something of other data (support vectors, rows, labels, how many there were)
    is refused; linear models keep nothing but the names and number of features.

    Parameters
    ----------
    model : a fitted model of scikit-learn's kind; it is known by the name of its class
    X, y : the data that it was trained on; X dense or sparse
    tol : how far above the best its objective may be, relative
    sample_weight : the weights that it was trained with
    solve : False: only what is free

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> X, y = datasets.noisy(60)
    >>> certify.certify(LinearSVC().fit(X, y), X, y).verdict
    'proved'
    """
    tol = check_positive(tol, "tol", ": it is a relative distance from the best objective")
    given = X
    model, X = last_step(model, X, weighted=sample_weight is not None)
    data = read_data(model, X, y, sample_weight)
    data = data if X is given else with_kept_rows(model, data)
    cases = _read(model, data)
    if data.note:
        cases = [replace(case, formula=case.formula + data.note) for case in cases]
    if len(cases) == 1:
        judged = judgement(replace(cases[0], title=title_of(model)), tol, solve)
    else:
        found = [judgement(case, tol, solve) for case in cases]
        judged = together(title_of(model), cases[0].formula, tol, found)
    if judged.holds:
        refuse_two_answers(model)
    return judged


#: Models that learn from examples alone.
WITHOUT_TARGETS = ("KMeans", "KernelPCA")


class NotProved(AssertionError, ValueError):
    """A model is not proved to be near its best; the judgement says why."""


@explained
def check(
    model: Any,
    X: Any,
    y: ArrayLike | None = None,
    *,
    tol: float = 1e-3,
    sample_weight: ArrayLike | None = None,
) -> None:
    """Raise `NotProved` with the printed judgement unless the model is proved: for tests.

    Parameters
    ----------
    model, X, y, tol, sample_weight : as in `certify`

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> X, y = datasets.noisy(60)
    >>> certify.check(SVC().fit(X, y), X, y)
    """
    judged = certify(model, X, y, tol=tol, sample_weight=sample_weight)
    if not judged.holds:
        raise NotProved(str(judged))


def last_step(model: Any, X: Any, *, weighted: bool = False) -> tuple[Any, Any]:
    """Return the model that learns and what it sees: a search's best one, a pipeline's last."""
    while True:
        if hasattr(model, "best_estimator_"):
            model = model.best_estimator_
        elif hasattr(model, "steps") and hasattr(model, "named_steps"):
            rough = weighted or _holes(X)
            for _, step in model.steps[:-1]:
                refuse_other_rows(step, np.shape(X)[0], rough=rough)
            X = model[:-1].transform(X) if len(model.steps) > 1 else X
            model = model.steps[-1][1]
        else:
            return model, X


def _holes(X: Any) -> bool:
    """Return whether entries of X are missing: NaN is not equal to itself."""
    entries = X.data if sparse.issparse(X) else np.asarray(X)
    try:
        return bool((entries != entries).any())
    except TypeError:  # of somebody's own kind of missing: neither equal nor unequal
        return True


def _reader(model: Any) -> str:
    """Return the name of the class that a model is, or comes from, or say that none is known."""
    name = type(model).__name__
    found = [kind.__name__ for kind in type(model).__mro__ if kind.__name__ in READERS]
    if hasattr(model, "param_grid") or hasattr(model, "param_distributions"):
        raise refuse(model, "it has no best_estimator_: it was not fitted, or with refit=False")
    if isinstance(model, type):
        raise BadArgument(f"{model.__name__} is a class: hand over a model of it that was fitted.")
    if (plain := name.removesuffix("CV")) in READERS and plain != name:
        raise refuse(model, f"it chooses a penalty: fit {plain} with that one, and have it judged")
    if not found and (parts := getattr(model, "estimators_", None)):
        made = type(np.ravel(np.array(parts, dtype=object))[0]).__name__
        raise refuse(
            model,
            f"it is made of others: judge each of its estimators_ (the first is a {made}) with "
            "the rows and labels that it was trained on",
        )
    if not found or name.endswith("CV"):
        known = ", ".join(kind for kind in READERS if kind[0].isupper())
        raise refuse(
            model,
            f"known are {known}, the models of LIBLINEAR's and LIBSVM's own packages, pipelines "
            "and searches",
        )
    return found[0]


def _read(model: Any, data: Data) -> list[Any]:
    """Return the cases of a model, by the name of its class or of the nearest one below it."""
    name = type(model).__name__
    try:
        return READERS[_reader(model)](model, data)
    except AttributeError as missing:
        raise BadArgument(
            f"{name} is not judged: it has no {missing.name!r}, so it was not fitted, or its class "
            "shares no more than the name with those that are known."
        ) from missing


def _weights(given: ArrayLike | None, n: int) -> np.ndarray:
    """Return the weight of each example, or say what is wrong with them."""
    weights = as_floats(1.0 if given is None else given, "sample_weight")
    weights = np.full(n, float(weights)) if weights.ndim == 0 else weights
    if weights.shape != (n,) or not np.isfinite(weights).all():
        raise BadArgument(f"sample_weight must be one number per example: {n} finite ones.")
    if (weights < 0).any():
        raise BadArgument("sample_weight must not be negative.")
    return weights


def read_data(model: Any, X: Any, y: ArrayLike | None, sample_weight: ArrayLike | None) -> Data:
    """Return the data as arrays, or say why this model was not trained on them."""
    names = getattr(X, "columns", None)
    X = examples(X)
    refuse_other_features(model, X, names)
    refuse_other_rows(model, X.shape[0])
    name = type(model).__name__
    if _reader(model) not in WITHOUT_TARGETS and y is None:
        raise BadArgument(f"{name} was trained on labels or targets: hand them over as y.")
    labels = np.zeros(X.shape[0]) if y is None else np.asarray(y)
    labels = labels[:, 0] if labels.ndim == 2 and labels.shape[1] == 1 else labels
    if labels.shape[:1] != X.shape[:1]:
        found = "x".join(map(str, labels.shape)) or "one number"
        raise BadArgument(f"X has {X.shape[0]} rows and y {found}: one for each is needed.")
    if hasattr(model, "classes_") and not np.array_equal(np.unique(labels), model.classes_):
        raise BadArgument(f"{name} was trained on other classes than those of y: {model.classes_}.")
    if hasattr(model, "classes_") and labels.ndim > 1:
        raise refuse(model, "several labels of an example are not supported")
    weights = _weights(sample_weight, X.shape[0])
    if labels.dtype.kind in "US" and not hasattr(model, "classes_"):
        raise refuse(
            model, "y holds words, and it has no classes_: it was not fitted, or to numbers"
        )
    numbers = labels if hasattr(model, "classes_") or y is None else as_floats(labels, "y")
    if numbers.dtype.kind == "f" and not np.isfinite(numbers).all():
        raise BadArgument("y has entries that are NaN or infinite.")
    return Data(X, numbers, weights)
