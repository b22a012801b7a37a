"""What all readers of models need: the data, the prices of examples, offsets, and words."""

from collections.abc import Iterable
from functools import cache
from inspect import signature
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from .._arguments import BadArgument
from ..conventions import as_floats, check_points
from ..kernels import Constant, Gaussian, Kernel, Linear
from ..proof.risk import WRITTEN, Risk
from ..proof.rounding import norm_above, ulp
from ..proof.verdict import shortest
from .cases import KernelCase, LinearCase

Case = LinearCase | KernelCase

#: What one can do about a model that is not near its best.
SINGLE = (
    "LIBSVM keeps K in single precision: scaled and centred features may help where a smaller tol "
    "does not."
)
STOCHASTIC = (
    "Stochastic gradients promise no optimum: more epochs, scaled features or averaging help."
)
SCALE = "Scaled features (StandardScaler), more iterations or another solver may help."
#: Kernels whose formulas are known.
KERNELS = ("precomputed", "linear", "rbf", "poly", "polynomial", "sigmoid")
#: Models whose class_weight="balanced" counts examples, whatever they weigh.
COUNTING = ("RidgeClassifier", "SGDClassifier")


class Data(NamedTuple):
    """The examples that a model was trained on."""

    X: Any  #: (n, d) dense or sparse
    y: np.ndarray  #: (n,) or, for several outputs, (n, k)
    weights: np.ndarray  #: (n,) 1 where none were given
    note: str = ""  #: what the formula has to say of the rows


def examples(X: Any) -> Any:
    """Return examples as floats that are equal to them, dense or sparse, or refuse them."""
    if not sparse.issparse(X):
        return check_points(X, copy=False)
    X = X.tocsr()
    if not np.isfinite(as_floats(X.data, "X")).all():
        raise BadArgument("X has entries that are NaN or infinite.")
    return X.astype(float)


def learned(model: Any, name: str) -> np.ndarray:
    """Return what a model has learned as floats that are equal to it, or refuse it."""
    found = as_floats(dense(getattr(model, name)), f"{type(model).__name__}.{name}")
    if not np.isfinite(found).all():
        raise refuse(model, f"{name} has entries that are NaN or infinite")
    return found


def sized(model: Any, name: str, *shape: int) -> np.ndarray:
    """Return what a model has learned in the shape that it must have, or refuse it."""
    found = learned(model, name)
    if found.size != np.prod(shape):
        raise refuse(model, f"{name} has shape {found.shape}, and it needs {shape}")
    return found.reshape(shape)


def number(model: Any, name: str) -> float:
    """Return a parameter of the model that must be one number."""
    value = getattr(model, name)
    try:
        return float(value) if not isinstance(value, str) else float("nan")
    except (TypeError, ValueError):
        return float("nan")  # which every problem refuses


def is_a(model: Any, *names: str) -> bool:
    """Return whether a model's class, or one that it comes from, has one of these names."""
    return any(kind.__name__ in names for kind in type(model).__mro__)


def refuse(model: Any, why: str) -> BadArgument:
    """Return the error that says why a model is not judged."""
    return BadArgument(f"{type(model).__name__} is not judged: {why}.")


def asked(model: Any, name: str, *allowed: Any) -> Any:
    """Return a parameter of the model, or say that this value of it is not judged."""
    value = getattr(model, name, allowed[0])
    if not any(value is a or (isinstance(value, type(a)) and value == a) for a in allowed):
        raise refuse(
            model, f"{name}={value!r} is not supported, only {', '.join(map(repr, allowed))}"
        )
    return value


def class_prices(model: Any, data: Data, label: np.ndarray | None = None) -> np.ndarray:
    """Return each example's weight: its own times that of its class.

    LIBLINEAR and stochastic gradients weigh the rest of several classes by 1, whatever its class:
    for them hand over the `label` of each example, +1 for the class that stands alone.
    """
    codes = np.searchsorted(model.classes_, data.y)
    given = getattr(model, "class_weight", None)
    if given is None:
        return data.weights.copy()
    if isinstance(given, str):
        if np.ptp(data.weights) and not is_a(model, *COUNTING):
            raise refuse(
                model,
                f"class_weight={given!r} beside sample_weight counts examples, or adds up "
                "their weights, by the version: give class_weight in numbers",
            )
        counts = np.bincount(codes, minlength=len(model.classes_))
        share = len(codes) / (len(counts) * counts)
    else:
        share = np.array([given.get(c, 1.0) for c in model.classes_.tolist()], dtype=float)
    if label is not None and len(model.classes_) > 2:
        return data.weights * np.where(label > 0, share[codes], 1.0)
    return data.weights * share[codes]


def machines(model: Any, data: Data) -> Iterable[tuple[str, np.ndarray, np.ndarray, float]]:
    """Yield (name, labels, weights, offset) of each binary machine: one against the rest."""
    classes = model.classes_ if len(model.classes_) > 2 else model.classes_[1:]
    W, B = weights_of(model, data, len(classes))
    for k, (w, b) in enumerate(zip(W, B)):
        yield f"class {classes[k]} or not", np.where(data.y == classes[k], 1.0, -1.0), w, float(b)


def weights_of(model: Any, data: Data, machines: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights (machines, d) and the offsets (machines,); one offset is that of all."""
    W = sized(model, "coef_", machines, data.X.shape[1])
    B = learned(model, "intercept_") if hasattr(model, "intercept_") else np.zeros(1)
    if B.size == 1:
        return W, np.full(machines, float(B.ravel()[0]))
    return W, sized(model, "intercept_", machines)


def linear_case(
    title: str, risk: Risk, X: Any, w: np.ndarray, b: float, scale: float = 0.0, **more: Any
) -> LinearCase:
    """Return a linear case; with a `scale` the offset is the weight of a constant feature."""
    formula = formula_of(risk, scale)
    if not (np.isfinite(scale) and scale >= 0):
        raise BadArgument(f"intercept_scaling must be above 0 and finite, and is {scale!r}.")
    if not scale:
        return LinearCase(title, formula, risk, X, w, b, norm=norm_above(X), **more)
    column = np.full((X.shape[0], 1), float(scale))
    X = sparse.hstack([X, column]).tocsr() if sparse.issparse(X) else np.hstack([X, column])
    share = b / scale
    error = np.append(np.zeros(len(w)), ulp(share) if b else 0.0)
    return LinearCase(
        title,
        formula,
        risk,
        X,
        np.append(w, share),
        w_error=error,
        constant=scale,
        norm=norm_above(X),
        **more,
    )


def formula_of(risk: Risk, scale: float = 0.0) -> str:
    """Return what is to be minimised, with its numbers."""
    w = f"(w, b / {shortest(scale)})" if scale else "w"
    loss = WRITTEN[risk.loss].replace("epsilon", shortest(risk.epsilon))
    terms = [*penalties(risk.l2, risk.l1, w), f"{price_of(risk.C)} sum {loss}"]
    return " + ".join(terms) + (", w_j >= 0" if risk.positive else "")


def penalties(l2: float, l1: float, w: str) -> list[str]:
    """Return the penalties of weights in words."""
    half = "" if l2 == 1 else f"{shortest(l2)} "
    terms = [f"half {half}norm({w})^2"] if l2 else []
    return terms + ([f"{shortest(l1)} sum abs({w})"] if l1 else [])


def price_of(C: np.ndarray) -> str:
    """Return the price of a loss, or the least and the largest."""
    low, high = shortest(C.min()), shortest(C.max())
    return low if low == high else f"C_i ({low} to {high})"


def kept(X: Any, *columns: np.ndarray, where: np.ndarray) -> tuple:
    """Return the rows that cost anything; those of weight 0 are not part of the problem."""
    if not where.any():
        raise BadArgument("No example costs anything: C, or the weight of each, is not above 0.")
    if where.all():
        return X, *columns
    return X[np.flatnonzero(where)], *(column[where] for column in columns)


def dense(X: Any) -> np.ndarray:
    """Return X as an array."""
    return X.toarray() if sparse.issparse(X) else X


def seen(model: Any, X: Any) -> tuple[np.ndarray, Kernel | None]:
    """Return examples and the kernel; or K and None, if K was given or only the model knows it."""
    name = model.kernel
    if not callable(name) and name in KERNELS:
        return dense(X), kernel_of(model, X, name)
    if hasattr(model, "_get_kernel"):
        return check_points(model._get_kernel(X), "K"), None
    if callable(name):  # of LIBSVM's machines: they compute all of K at once
        return check_points(name(X, X), "K"), None
    raise refuse(
        model, f"the kernel {name!r} is not known; hand its Gram matrix over as precomputed"
    )


def kernel_of(model: Any, X: Any, name: str) -> Kernel | None:
    """Return the kernel of a model; None if its Gram matrix was given."""
    if name == "precomputed":
        return None
    if name == "linear":
        return Linear()
    gamma = _gamma(model, X.shape[1])
    if name == "rbf":
        return Gaussian(1.0 / np.sqrt(2.0 * gamma))
    if name == "sigmoid":
        raise refuse(
            model,
            "the sigmoid is no kernel; there is no w, and no objective that a bound could speak of",
        )
    if model.degree != int(model.degree) or model.degree < 1:
        raise refuse(model, f"degree={model.degree!r} is not a whole number from 1 up")
    if not 0 <= model.coef0 < np.inf:
        raise refuse(model, f"coef0={model.coef0!r} is not 0 or more, and the polynomial no kernel")
    inner = gamma * Linear()
    inner = inner + Constant(float(model.coef0)) if model.coef0 else inner
    return inner ** int(model.degree)


def kernel_in_words(model: Any, X: Any) -> str:
    """Return the kernel with its numbers, as they were judged."""
    if callable(model.kernel):
        return "as the model's own function computes it"
    if model.kernel not in KERNELS:
        return f"as the model computes its own {model.kernel!r}"
    if model.kernel == "precomputed":
        return "as given"
    if model.kernel == "linear":
        return "x·z"
    gamma = shortest(_gamma(model, X.shape[1]))
    if model.kernel == "rbf":
        return f"exp(-{gamma}·‖x - z‖²)"
    return f"({gamma}·x·z + {shortest(model.coef0)})^{int(model.degree)}"


def _gamma(model: Any, d: int) -> float:
    """Return the gamma that the model predicts with; refuse it if it says another one."""
    said = getattr(model, "gamma", None)
    used = getattr(model, "_gamma", getattr(model, "gamma_", said))
    if isinstance(said, Real) and used is not None and said != used:
        raise refuse(model, f"gamma={said!r}, and it was trained with gamma={float(used)!r}")
    gamma = 1.0 / d if used is None else float(used)
    if not 0 < gamma < np.inf:
        raise refuse(model, f"gamma={gamma!r} must be above 0 and finite")
    return gamma


def title_of(model: Any) -> str:
    """Return the model's class and the parameters that are not its defaults, in one line.

    scikit-learn's repr says the same; it takes longer than many a judge.
    """
    if not hasattr(model, "get_params"):
        return type(model).__name__
    kind: Any = type(model)
    usual, given = _defaults(kind), vars(model)
    shown = {name: repr(given[name]) for name in sorted(usual.keys() & given)}
    words = ", ".join(f"{name}={value}" for name, value in shown.items() if value != usual[name])
    words = " ".join(f"{type(model).__name__}({words})".split())
    return words if len(words) <= 90 else type(model).__name__


@cache
def _defaults(kind: type) -> dict[str, str]:
    """Return the parameters of a class and their defaults, in words."""
    return {name: repr(p.default) for name, p in signature(kind).parameters.items()}
