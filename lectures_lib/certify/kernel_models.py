"""Kernel machines of LIBSVM's kind: one case for each pair of classes, or one."""

from dataclasses import replace
from itertools import combinations
from math import fsum
from typing import Any

import numpy as np

from ..proof.risk import Risk
from ..proof.rounding import enclosed_product
from ..proof.verdict import shortest
from .cases import KernelCase, LinearCase
from .reading import (
    SINGLE,
    Case,
    Data,
    formula_of,
    is_a,
    kept,
    kernel_in_words,
    number,
    refuse,
    seen,
    sized,
)
from .trained import refuse_other_fit, refuse_other_support

#: The width of a tube that nu pays for may cost this more than the multipliers say, relative.
OTHER_NU = 1e-3


def _trained_on(model: Any, data: Data) -> Data:
    """Return the examples that a machine has seen; refuse one whose support vectors are others.

    LIBSVM leaves out examples of weight 0, and counts without them.
    """
    rows = np.flatnonzero(data.weights > 0)
    if len(rows) < len(data.weights):
        given = model.kernel == "precomputed"
        X = data.X[np.ix_(rows, rows)] if given else data.X[rows]
        data = Data(X, data.y[rows], data.weights[rows])
    refuse_other_support(model, data, _codes(model, data))
    return data


def _codes(model: Any, data: Data) -> np.ndarray | None:
    """Return the class of each example, by its place in the model's list; None: a regression."""
    classes = getattr(model, "classes_", ())
    return np.argmax(data.y[:, None] == classes, axis=1) if len(classes) else None


def machine(
    model: Any, title: str, risk: Risk, X: Any, coef: np.ndarray, b: float, note: str = ""
) -> Case:
    """Return the case of f = sum coef K(x_i, x) + b."""
    formula = formula_of(risk) + note
    if not callable(model.kernel) and model.kernel == "linear":
        w, error = enclosed_product(X.T, coef)
        error = error if coef.any() else 0.0  # 0 times a number rounds nothing
        return LinearCase(
            title, formula, risk, X, w, b, beta=risk.l2 * coef, w_error=error, advice=SINGLE
        )
    named = f"{formula}, K = {kernel_in_words(model, X)}"
    return KernelCase(title, named, risk, *seen(model, X), coef, b, advice=SINGLE)


def svc(model: Any, data: Data) -> list[Case]:
    """SVC and NuSVC: one machine for each pair of classes."""
    data = _trained_on(model, data)
    k, codes = len(model.classes_), np.argmax(data.y[:, None] == model.classes_, axis=1)
    prices = data.weights.copy()
    if not is_a(model, "NuSVC"):  # its class_weight is not read by LIBSVM
        prices *= np.asarray(model.class_weight_)[codes]
    found: list[Case] = []
    rows = sized(model, "dual_coef_", k - 1, len(model.support_))
    offsets = sized(model, "intercept_", k * (k - 1) // 2)
    for pair, (i, j) in enumerate(combinations(range(k), 2)):
        coef = np.zeros(len(codes))
        coef[model.support_] = np.where(codes[model.support_] == i, rows[j - 1], rows[i])
        b = float(offsets[pair])
        sign = -1.0 if k == 2 and getattr(model, "flipped", True) else 1.0  # as scikit-learn does
        where = ((codes == i) | (codes == j)) & (prices > 0)
        label = sign * np.where(codes == i, 1.0, -1.0)
        title = f"{model.classes_[i]} against {model.classes_[j]}"
        found.append(_pair(model, title, data.X, label, coef, b, prices, where))
    return found


def _pair(model, title, X, label, coef, b, prices, where) -> Case:
    given = getattr(model, "kernel", "") == "precomputed"
    X = X[np.ix_(where, where)] if given else kept(X, where=where)[0]
    label, coef, prices = label[where], coef[where], prices[where]
    if is_a(model, "NuSVC"):
        count = "sum of weights" if np.ptp(prices) else "n"
        prices = prices if np.ptp(prices) else np.ones(len(label))
        C = float(np.abs(coef).sum()) / (number(model, "nu") * fsum(prices))
        note = f" (C is sum alpha / ({shortest(model.nu)} {count}))"
        return machine(model, title, Risk("hinge", label, C * prices), X, coef, b, note)
    return machine(model, title, Risk("hinge", label, number(model, "C") * prices), X, coef, b)


def svr(model: Any, data: Data) -> list[Case]:
    """SVR: one machine."""
    data = _trained_on(model, data)
    coef, b = _regressor(model, data)
    C, epsilon = number(model, "C"), number(model, "epsilon")
    risk = Risk("tube", data.y, C * data.weights, epsilon=epsilon)
    return [machine(model, type(model).__name__, risk, data.X, coef, b)]


def _regressor(model: Any, data: Data) -> tuple[np.ndarray, float]:
    """Return the coefficient of each example, and the offset."""
    coef = np.zeros(len(data.y))
    coef[model.support_] = sized(model, "dual_coef_", len(model.support_))
    return coef, float(sized(model, "intercept_", 1)[0])


def _refuse_other_nu(model: Any, risk: Risk, coef: np.ndarray, wx: np.ndarray, f: np.ndarray):
    """Raise if nu is another one: it pays for the width, and is the sum of the multipliers."""
    paid, used = float(number(model, "nu") * risk.C.sum()), float(np.abs(coef).sum())
    over = np.maximum(0.0, np.abs(risk.y - f) - risk.epsilon)
    objective = 0.5 * coef @ wx + risk.C @ over + risk.epsilon * paid
    near = risk.epsilon * (paid - used) <= OTHER_NU * objective and used <= (1 + OTHER_NU) * paid
    if not near:
        raise refuse(
            model,
            f"its multipliers add up to {used:.6g}, and with nu={model.nu!r} they would to "
            f"{paid:.6g}: it was trained with another nu",
        )


def kernel_ridge(model: Any, data: Data) -> list[Case]:
    """KernelRidge: one machine for each output, no offset; half of scikit-learn's objective."""
    refuse_other_fit(model, data)
    Y = data.y.reshape(len(data.y), -1)
    coefs = sized(model, "dual_coef_", *Y.shape)
    penalties = np.broadcast_to(np.ravel(np.asarray(model.alpha, dtype=float)), Y.shape[1])
    if not (penalties > 0).all() or not (data.weights > 0).all():
        raise refuse(model, "alpha and the weights of examples must be above 0")
    (X, kernel), found = seen(model, data.X), []
    for k, penalty in enumerate(penalties):
        risk = Risk("squared", Y[:, k], data.weights, l2=float(penalty), offset=False)
        title = type(model).__name__ if len(penalties) == 1 else f"output {k}"
        named = f"{formula_of(risk)}, K = {kernel_in_words(model, data.X)}"
        found.append(KernelCase(title, named, risk, X, kernel, coefs[:, k]))
    return list(found)


def nu_svr(model: Any, data: Data) -> list[Case]:
    """NuSVR: the tube's width is the model's own, which lies on its edge at the free examples."""
    data = _trained_on(model, data)
    coef, b = _regressor(model, data)
    free = (np.abs(coef) > 0) & (np.abs(coef) < model.C * data.weights * (1 - 1e-9))
    if not free.any():
        raise refuse(
            model, "no example lies on the edge of its tube, so that its width is not known"
        )
    flat = Risk("tube", data.y, number(model, "C") * data.weights)
    f = machine(model, "", flat, data.X, coef, b).scores()
    risk = replace(flat, epsilon=float(np.median(np.abs(data.y - f)[free])))
    _refuse_other_nu(model, risk, coef, f - b, f)
    return [
        machine(model, type(model).__name__, risk, data.X, coef, b, " (epsilon by its own edge)")
    ]
