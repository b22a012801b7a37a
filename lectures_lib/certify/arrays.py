"""Judge plain arrays: the answer of anybody's solver, one's own included."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import (
    as_floats,
    check_choice,
    check_cost,
    check_labels,
    check_number,
    check_points,
    check_positive,
    check_targets,
)
from ..proof.judgement import Judgement
from ..proof.risk import LOSSES, OF_LABELS, Risk
from .cases import KernelCase, judgement
from .reading import examples, formula_of, linear_case


@explained
def svm(
    w: ArrayLike,
    b: float,
    X: Any,
    y: ArrayLike,
    C: float | ArrayLike,
    *,
    loss: str = "hinge",
    offset: str = "free",
    epsilon: float = 0.0,
    tol: float = 1e-3,
    solve: bool = True,
) -> Judgement:
    """Judge f(x) = w.x + b, which is to minimise half norm(w)^2 + sum C loss(y, f(x)).

    Parameters
    ----------
    w, b : the answer
    X, y : (n, d) examples, dense or sparse, and (n,) labels -1 and +1, or targets
    C : the price of the loss, one or one per example
    loss : "hinge", "squared_hinge", "logistic"; of targets "squared" (half the square), "tube" and
        "squared_tube" (beyond epsilon)
    offset : "free"; "penalised", like the weight of a feature that is 1; or "none": b is 0
    epsilon : half the width of the tube
    tol : how far above the best the objective may be, relative
    solve : False: only what is free

    Examples
    --------
    >>> certify.svm([1.0], 0.0, [[1.0], [-1.0]], [1, -1], 9.0).verdict
    'proved'
    >>> certify.svm([2.0], 0.0, [[1.0], [-1.0]], [1, -1], 9.0).better["w"].round(4)
    array([1.])
    """
    X = examples(X)
    way = check_choice(offset, ("free", "penalised", "none"), "offset")
    risk = _risk(loss, y, C, X.shape[0], way == "free", epsilon)
    w, b = _numbers(w, X.shape[1], "w"), check_number(b, "b")
    if way == "none" and b:
        raise BadArgument(f"b is {b:g}, and there is no offset: b must be 0.")
    case = linear_case("f(x) = w.x + b", risk, X, w, b, 1.0 if way == "penalised" else 0.0)
    return judgement(case, check_positive(tol, "tol"), solve)


@explained
def kernel_svm(
    alpha: ArrayLike,
    b: float,
    K: ArrayLike,
    y: ArrayLike,
    C: float | ArrayLike,
    *,
    loss: str = "hinge",
    epsilon: float = 0.0,
    tol: float = 1e-3,
    solve: bool = True,
) -> Judgement:
    """Judge f(x) = sum alpha_i y_i K(x_i, x) + b by the Gram matrix K; the offset is free.

    With the loss "tube" it is f(x) = sum alpha_i K(x_i, x) + b. K is tested for being positive
    semi-definite up to 1,000 examples.

    Parameters
    ----------
    alpha, b : the answer
    K, y : (n, n) the Gram matrix and (n,) labels -1 and +1, or targets
    C : the price of the loss, one or one per example
    loss : "hinge" or "tube"
    epsilon : half the width of the tube
    tol : how far above the best the objective may be, relative
    solve : False: only what is free

    Examples
    --------
    >>> K = [[1.0, -1.0], [-1.0, 1.0]]
    >>> certify.kernel_svm([0.5, 0.5], 0.0, K, [1, -1], 9.0).verdict
    'proved'
    """
    K = check_points(K, "K")
    if K.shape[0] != K.shape[1]:
        raise BadArgument(f"K has shape {K.shape}; a Gram matrix is square.")
    risk = _risk(check_choice(loss, ("hinge", "tube"), "loss"), y, C, len(K), True, epsilon)
    coef = _numbers(alpha, len(K), "alpha") * (risk.y if loss == "hinge" else 1.0)
    formula = f"{formula_of(risk)}, K as given"
    case = KernelCase(
        "f(x) = sum alpha y K + b", formula, risk, K, None, coef, check_number(b, "b")
    )
    return judgement(case, check_positive(tol, "tol"), solve)


def _numbers(values: ArrayLike, size: int, name: str) -> np.ndarray:
    """Return `size` finite numbers, however small, or say what is wrong with them."""
    found = as_floats(values, name)
    if found.shape != (size,) or not np.isfinite(found).all():
        raise BadArgument(f"{name} must hold {size} finite numbers; it has shape {found.shape}.")
    return found


def _risk(
    loss: str, y: ArrayLike, C: float | ArrayLike, n: int, free: bool, epsilon: float
) -> Risk:
    check_choice(loss, LOSSES, "loss")
    targets = check_labels(y, n, both=free) if loss in OF_LABELS else check_targets(y, n)
    price = np.broadcast_to(check_cost(C, n, hard=False), (n,)).astype(float)
    width = check_number(epsilon, "epsilon", 0, why=": it is half the width of the tube")
    return Risk(loss, targets, price, epsilon=width, offset=free)
