"""Whether a model can have been trained on these data: by what it has kept of its own.

A machine of LIBSVM keeps its support vectors and where they stood, some models all rows, clusters a
label for each row, stochastic gradients the number of rows that they have seen. Linear models keep
nothing but the number and names of their features, and their classes: there nobody can tell.
"""

from numbers import Integral
from typing import Any

import numpy as np
from scipy import sparse

from .._arguments import BadArgument
from .reading import Data, dense, is_a, refuse

#: A point may be nearer to another cluster's centre than to its own by this, of the mean square.
NEARER = 1e-6
#: Rows that steps make anew may differ from those that the model has kept by this, relative.
ANEW = 1e-6


def refuse_other_features(model: Any, X: Any, names: Any) -> None:
    """Raise if the model was trained on another number of features, or on those of other names."""
    name, width = type(model).__name__, getattr(model, "n_features_in_", X.shape[1])
    if width != X.shape[1]:
        raise BadArgument(f"{name} was trained on {width} features, and X has {X.shape[1]}.")
    known = getattr(model, "feature_names_in_", None)
    if known is not None and names is not None and list(known) != list(names):
        other = next(f"{a!r}, not {b!r}" for a, b in zip(known, names) if a != b)
        raise BadArgument(f"{name} was trained on other columns than those of X: {other}.")


def refuse_other_rows(model: Any, n: int, *, rough: bool = False) -> None:
    """Raise if the model, or a step before it, has seen another number of rows than n.

    Where entries are missing or examples have weights (`rough`), a step may have counted only
    what is there, or added up the weights.
    """
    seen = rows_seen(model, rough=rough)
    if seen is not None and (seen > n or (seen < n and not rough)):
        raise BadArgument(f"{type(model).__name__} was trained on {seen} rows, and X has {n}.")
    steps = round(float(getattr(model, "t_", 1.0))) - 1  # of stochastic gradients: one per row
    epochs = int(getattr(model, "n_iter_", 1)) if steps else 0
    more = getattr(model, "warm_start", False) or epochs == 1  # it may have gone on, as partial_fit
    if steps % n or not (more or steps == epochs * n):
        raise BadArgument(
            f"{type(model).__name__} has taken {steps} steps in {epochs} epochs, one for each row: "
            f"X has {n} rows, so it was trained on other data."
        )


def rows_seen(model: Any, *, rough: bool = False) -> int | None:
    """Return the number of rows that a model was trained on; None if it did not keep that."""
    if hasattr(model, "shape_fit_"):
        return int(model.shape_fit_[0])
    for name in ("X_fit_", "labels_"):
        ours = name != "labels_" or hasattr(model, "cluster_centers_")  # not those of features
        if ours and getattr(model, name, None) is not None:
            return int(getattr(model, name).shape[0])
    for name in ("n_samples_seen_", "n_samples_"):
        seen = np.max(getattr(model, name, np.nan))
        if isinstance(seen, Integral) or (not rough and float(seen).is_integer()):
            return int(seen)
    return None


def with_kept_rows(model: Any, data: Data) -> Data:
    """Return the data with the rows that the model has kept in the place of those made anew.

    A step's fit_transform may round otherwise than its transform (PCA, KernelPCA). Refuse a model
    whose rows differ by more.
    """
    X, rows = data.X, np.arange(data.X.shape[0])
    kept = getattr(model, "X_fit_", getattr(model, "support_vectors_", None))
    if not hasattr(model, "X_fit_"):
        some = np.asarray(getattr(model, "support_", []), dtype=int)
        rows = np.flatnonzero(data.weights > 0)
        rows = rows[some[(some >= 0) & (some < len(rows))]]
    if kept is None or sparse.issparse(kept) or sparse.issparse(X) or kept.size == 0:
        return data
    if kept.shape != (len(rows), X.shape[1]) or np.array_equal(X[rows], kept):
        return data  # other rows altogether are refused by whoever reads the model
    if not np.abs(X[rows] - kept).max() <= ANEW * np.abs(X).max():
        raise refuse(
            model,
            "what it has kept is not what the steps before it make of X: a step transforms "
            "otherwise than it was fitted, or it was trained on other data",
        )
    X = X.copy()
    X[rows] = kept
    return data._replace(X=X, note=" (x of the steps, rounded as it has kept them)")


def refuse_other_support(model: Any, data: Data, codes: np.ndarray | None = None) -> None:
    """Raise if the support vectors are not the rows that the machine names, class by class."""
    support = np.asarray(model.support_)
    other = "it was trained on other data, or with a sample_weight that was not handed over"
    if len(support) and (support.min() < 0 or support.max() >= data.X.shape[0]):
        raise refuse(model, f"it names support vectors beyond the rows of X: {other}")
    if codes is not None and not _same_labels(model, codes[support]):
        raise refuse(model, f"its support vectors have other labels than those of y: {other}")
    if model.kernel == "precomputed" or callable(model.kernel):
        return
    ours, theirs = data.X[support], model.support_vectors_
    if ours.shape != theirs.shape or (len(support) and not abs(ours - theirs).max() <= 0):
        raise refuse(model, f"its support vectors are not the rows of X that it names: {other}")


def refuse_two_answers(model: Any) -> None:
    """Raise if a machine shows other numbers than those that it predicts with.

    scikit-learn keeps both twice; of two classes, with the opposite signs.
    """
    for name in ("dual_coef_", "intercept_"):
        shown, used = (dense(getattr(model, n, None)) for n in (name, f"_{name}"))
        if used is not None and not any(np.array_equal(s * shown, used) for s in (1, -1)):
            raise refuse(model, f"it shows {name}, and predicts with another _{name}")


def _same_labels(model: Any, codes: np.ndarray) -> bool:
    """Return whether these can be the classes of the support vectors: by number, and by sign.

    Of two classes, one has coefficients above 0 and the other below.
    """
    k = len(model.classes_)
    counts = np.bincount(codes, minlength=k)
    if len(model.n_support_) == k and not np.array_equal(counts, model.n_support_):
        return False
    coef = dense(model.dual_coef_)[0]
    signs = ((coef > 0) == (codes == 1))[coef != 0]
    return k > 2 or bool(signs.all() or not signs.any())


def refuse_other_fit(model: Any, data: Data) -> None:
    """Raise if the rows that the model has kept are not those of X."""
    kept = model.X_fit_
    same = kept.shape == data.X.shape and bool(abs(kept - data.X).max() <= 0)
    if not same and kept.shape == data.X.shape and is_a(model, "KernelPCA"):
        same = model.kernel == "precomputed" and _centred(kept, data.X)  # it centres what it keeps
    if not same:
        raise refuse(model, "it has kept other rows than those of X: it was trained on other data")


def _centred(kept: np.ndarray, K: np.ndarray) -> bool:
    """Return whether this is K, seen from its mean, but for rounding."""
    rows = K.mean(axis=0)
    off = K - rows - rows[:, None] + rows.mean() - kept
    return bool(np.abs(off).max() <= 1e-9 * np.abs(K).max())


def refuse_other_clusters(model: Any, data: Data) -> None:
    """Raise if a row does not belong to the centre of its own label."""
    X, labels = dense(data.X), np.asarray(model.labels_)
    if labels.min() < 0 or labels.max() >= len(model.cluster_centers_):
        raise refuse(model, "its labels_ name centres that it does not have")
    D = np.array([((X - c) ** 2).sum(axis=1) for c in np.asarray(model.cluster_centers_, float)])
    own = D[labels, np.arange(len(X))]
    if (own - D.min(axis=0) > NEARER * (own.mean() + D.mean())).any():
        raise refuse(model, "rows of X are nearer to other centres than those of its labels_")
