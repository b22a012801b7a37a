"""Linear models: one case for each class against the rest, each output, or one."""

from collections.abc import Callable
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..proof.risk import OF_LABELS, Risk
from .other_models import softmax
from .reading import (
    SCALE,
    STOCHASTIC,
    Case,
    Data,
    asked,
    class_prices,
    is_a,
    kept,
    linear_case,
    machines,
    number,
    refuse,
    weights_of,
)


def linear_svc(model: Any, data: Data) -> list[Case]:
    """LinearSVC: one machine for each class against the rest; the offset is penalised."""
    asked(model, "multi_class", "ovr")
    lasso = asked(model, "penalty", "l2", "l1") == "l1"
    loss, C = asked(model, "loss", "squared_hinge", "hinge"), number(model, "C")
    options = {"l2": 1.0 - lasso, "l1": float(lasso), "offset": False}
    scale = number(model, "intercept_scaling") if model.fit_intercept else 0.0
    prices = lambda label: C * class_prices(model, data, label)  # noqa: E731
    return _classes(model, data, loss, prices, scale, **options)


def _classes(
    model: Any, data: Data, loss: str, prices: Callable, scale: float = 0.0, advice=SCALE, **options
) -> list[Case]:
    """Return a case for each class against the rest; of two, one."""
    found: list[Case] = []
    for name, label, w, b in machines(model, data):
        cost = prices(label)
        X, y, cost = kept(data.X, label, cost, where=cost > 0)
        risk = Risk(loss, y, cost, **options)
        found.append(linear_case(name, risk, X, w, b, scale, advice=advice))
    return found


def _outputs(
    model: Any, data: Data, loss: str, prices: np.ndarray, l2: ArrayLike, scale=0.0, **options
) -> list[Case]:
    """Return a case for each output of a regression; each may have a penalty of its own."""
    outputs = data.y.reshape(len(data.y), -1).T
    W, B = weights_of(model, data, len(outputs))
    found: list[Case] = []
    for k, (targets, penalty) in enumerate(zip(outputs, np.broadcast_to(l2, len(outputs)))):
        X, y, cost = kept(data.X, targets, prices, where=prices > 0)
        risk = Risk(loss, y, cost, float(penalty), **options)
        title = type(model).__name__ if len(outputs) == 1 else f"output {k}"
        found.append(linear_case(title, risk, X, W[k], float(B[k]), scale, advice=_advice(model)))
    return found


def _advice(model: Any) -> str:
    return STOCHASTIC if is_a(model, "SGDRegressor") else SCALE


def logistic(model: Any, data: Data) -> list[Any]:
    """LogisticRegression; liblinear's offset is penalised, and its classes stand one by one."""
    l1_ratio, way = _l1_ratio(model), getattr(model, "multi_class", "auto")
    if len(model.classes_) == 2 and way == "multinomial":
        raise refuse(model, "multi_class='multinomial' with two classes is not supported")
    if len(model.classes_) > 2 and model.solver != "liblinear" and way != "ovr":
        if l1_ratio:
            raise refuse(model, "an l1 penalty with several classes is not supported")
        return softmax(model, data, number(model, "C"))
    scale = 0.0
    if model.solver == "liblinear" and model.fit_intercept:
        scale = number(model, "intercept_scaling")
    free = bool(model.fit_intercept) and not scale
    if way == "ovr" and isinstance(model.class_weight, str) and len(model.classes_) > 2:
        raise refuse(model, "class_weight='balanced' of each class against the rest: give numbers")
    C, own = number(model, "C"), model.solver == "liblinear"
    prices = lambda label: C * class_prices(model, data, label if own else None)  # noqa: E731
    options = {"l2": 1.0 - l1_ratio, "l1": l1_ratio, "offset": free}
    return _classes(model, data, "logistic", prices, scale, **options)


def _l1_ratio(model: Any) -> float:
    """Return the share of the l1 penalty, or say that there is no penalty at all."""
    penalty = getattr(model, "penalty", "l2")
    if penalty is None or penalty == "none" or number(model, "C") == np.inf:
        raise refuse(
            model,
            "without a penalty there may be no best answer, and the bound used here has no say",
        )
    if penalty in ("l1", "l2"):
        return float(penalty == "l1")
    return float(getattr(model, "l1_ratio", 0.0) or 0.0)


def ridge(model: Any, data: Data) -> list[Case]:
    """Ridge: one machine for each output; half of scikit-learn's objective."""
    penalties = np.ravel(np.asarray(model.alpha, dtype=float))
    if not (penalties > 0).all():
        raise refuse(model, "alpha = 0 has no penalty, and the bound used here has no say")
    return _outputs(model, data, "squared", data.weights, penalties, **_signs(model))


def elastic_net(model: Any, data: Data) -> list[Case]:
    """Lasso and ElasticNet: squares / (2 n), l1 and l2; one machine for each output."""
    if is_a(model, "MultiTaskElasticNet"):
        raise refuse(model, "a penalty of all outputs together is not supported")
    ratio, alpha = float(getattr(model, "l1_ratio", 1.0)), number(model, "alpha")
    prices, l2 = data.weights / fsum(data.weights), alpha * (1 - ratio)
    return _outputs(model, data, "squared", prices, l2, l1=alpha * ratio, **_signs(model))


def _signs(model: Any) -> dict[str, bool]:
    """Return whether there is a free offset, and whether no weight may be below 0."""
    positive = bool(getattr(model, "positive", False))
    return {"offset": bool(model.fit_intercept), "positive": positive}


def ridge_classifier(model: Any, data: Data) -> list[Case]:
    """RidgeClassifier: ridge for the labels -1 and +1 of each class."""
    prices, alpha = class_prices(model, data), number(model, "alpha")
    return _classes(model, data, "squared", lambda _: prices, l2=alpha, **_signs(model))


def linear_svr(model: Any, data: Data) -> list[Case]:
    """LinearSVR: the offset is penalised."""
    kinds = {"epsilon_insensitive": "tube", "squared_epsilon_insensitive": "squared_tube"}
    loss = kinds[asked(model, "loss", *kinds)]
    scale = float(model.intercept_scaling) if model.fit_intercept else 0.0
    prices, options = number(model, "C") * data.weights, {"epsilon": number(model, "epsilon")}
    return _outputs(model, data, loss, prices, 1.0, scale, offset=False, **options)


SGD = {
    "hinge": "hinge",
    "squared_hinge": "squared_hinge",
    "log_loss": "logistic",
    "squared_error": "squared",
    "epsilon_insensitive": "tube",
    "squared_epsilon_insensitive": "squared_tube",
}


def sgd(model: Any, data: Data) -> list[Case]:
    """SGDClassifier and SGDRegressor: a mean of losses, alpha for the penalty, a free offset."""
    loss, penalty = (
        SGD[asked(model, "loss", *SGD)],
        asked(model, "penalty", "l2", "l1", "elasticnet"),
    )
    ratio = {"l2": 0.0, "l1": 1.0, "elasticnet": float(model.l1_ratio)}[penalty]
    labels = hasattr(model, "classes_")
    alpha = number(model, "alpha")
    options: dict[str, Any] = {"l2": alpha * (1 - ratio), "l1": alpha * ratio}
    options |= {"epsilon": number(model, "epsilon"), "offset": bool(model.fit_intercept)}
    n = len(data.y)
    if not labels:
        l2 = options.pop("l2")
        return _outputs(model, data, loss, data.weights / n, l2, **options)
    if loss not in OF_LABELS:
        raise refuse(model, f"the loss {model.loss!r} is not supported for classes")
    prices = lambda label: class_prices(model, data, label) / n  # noqa: E731
    return _classes(model, data, loss, prices, advice=STOCHASTIC, **options)


#: LIBLINEAR's own solver types: the loss, and whether the penalty is l1.
TYPES = {
    0: ("logistic", False),
    1: ("squared_hinge", False),
    2: ("squared_hinge", False),
    3: ("hinge", False),
    5: ("squared_hinge", True),
    6: ("logistic", True),
    7: ("logistic", False),
    11: ("squared_tube", False),
    12: ("squared_tube", False),
    13: ("tube", False),
}


def liblinear(model: Any, data: Data) -> list[Case]:
    """Return the cases of a model of LIBLINEAR's own package.

    Its bias is a constant feature, whose weight option -R leaves out of the penalty.
    """
    if not hasattr(model, "get_decfun") or model.param.solver_type not in TYPES:
        raise refuse(
            model, "it is no model of LIBLINEAR, or of a solver type that is not supported"
        )
    if model.nr_feature != data.X.shape[1] or model.param.nr_weight:
        raise refuse(model, "it was trained on other features, or with weights of classes")
    loss, lasso = TYPES[model.param.solver_type]
    scale, labels = max(float(model.bias), 0.0), model.get_labels()
    free = bool(scale) and not getattr(model.param, "regularize_bias", 1)
    many = len(labels) if len(labels) > 2 else 1
    found: list[Case] = []
    for k in range(many):
        w, b = model.get_decfun(k)
        y = np.where(data.y == labels[k], 1.0, -1.0) if loss in OF_LABELS else data.y
        options: dict[str, Any] = {
            "l2": 1.0 - lasso,
            "l1": float(lasso),
            "epsilon": float(model.param.p),
        }
        risk = Risk(loss, y, model.param.C * data.weights, **options, offset=free)
        name = f"class {labels[k]} or not" if many > 1 else "LIBLINEAR"
        bias = 0.0 if free else scale
        found.append(linear_case(name, risk, data.X, np.array(w), float(b), bias, advice=SCALE))
    return found
