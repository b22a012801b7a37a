"""One more answer to a linear problem: a witness against a model, or for it.

Nothing here is trusted: what an answer and its multipliers are worth, `proof.risk` says. Both
methods are Newton's, so they do not mind how the features are scaled; both need few features, or
few examples.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy import optimize, sparse

from .. import fast
from ..proof.risk import OF_LABELS, Risk
from .kinks import kinked, solved

#: Newton steps at most, and of them those that the line search may halve.
STEPS, HALVINGS = 200, 40
#: Plain steps to the best offset, and how much of the pulls may be left.
EVEN, LEVEL = 8, 1e-9
#: Interior points stop at this part of the tolerance.
FINER = 1e-3
#: A dense copy of sparse examples, and a square matrix of features, may have this many entries.
DENSE, SQUARE = 30_000_000, 9_000_000
#: What rounds off the kink of an abs(v), one after the other.
SMOOTH = (1e-1, 1e-2, 1e-3, 1e-5, 1e-7, 1e-9)


class Weights(NamedTuple):
    """Weights, offset, and the multipliers that go with them."""

    w: np.ndarray
    b: float
    beta: np.ndarray


def pull(risk: Risk, f: np.ndarray) -> np.ndarray:
    """Return beta = -C loss'(f): the multipliers of scores f, if those are the best ones."""
    return risk.C * _slopes(risk, f)[0]


def _slopes(risk: Risk, f: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return -loss' and loss'' at f, for each example."""
    y = risk.y
    if risk.loss == "logistic":
        with np.errstate(over="ignore", under="ignore"):
            p = 1.0 / (1.0 + np.exp(y * f))
        return y * p, p * (1.0 - p)
    if risk.loss == "squared_hinge":
        short = np.maximum(0.0, 1.0 - y * f)
        return 2.0 * y * short, 2.0 * (short > 0)
    r = y - f
    if risk.loss == "squared":
        return r, np.ones_like(r)
    over = np.maximum(0.0, np.abs(r) - risk.epsilon)
    return 2.0 * np.where(r < 0, -over, over), 2.0 * (over > 0)


def loss(risk: Risk, f: np.ndarray) -> float:
    """Return sum C loss(y, f), as computed."""
    if risk.loss == "logistic":
        return float(risk.C @ np.logaddexp(0.0, -risk.y * f))
    if risk.loss in OF_LABELS:
        slack = np.maximum(0.0, 1.0 - risk.y * f)
    else:
        slack = np.maximum(0.0, np.abs(risk.y - f) - risk.epsilon)
    power = 1 if risk.loss in ("hinge", "tube") else 2
    return float(risk.C @ slack**power) * (0.5 if risk.loss == "squared" else 1.0)


def best_offset(risk: Risk, f: np.ndarray) -> np.ndarray:
    """Return the scores f moved by the offset that a smooth loss likes best."""
    b = 0.0
    for _ in range(EVEN):  # Newton's steps; from a model near its best they need no line search
        u, h = _slopes(risk, f + b)
        off, bend = float(risk.C @ u), float(risk.C @ h)
        if abs(off) <= LEVEL * float(risk.C @ np.abs(u)):
            return f + b
        b = b + off / bend if bend > 0 else np.nan

    def system(b):
        u, h = _slopes(risk, f + b)
        return np.array([-(risk.C @ u)]), np.array([[risk.C @ h]])

    return f + _descend(np.zeros(1), lambda b: loss(risk, f + b), system)


def solve(risk: Risk, X: Any, tol: float = 1e-8, f: np.ndarray | None = None) -> Weights | None:
    """Return a good answer to a linear problem; None if Newton's method finds none.

    The problem may be too large for it, or its numbers beyond floating point. A loss with kinks is
    solved to a thousandth of `tol`, relative; of many examples those that matter are chosen by the
    scores `f` of some answer.
    """
    n, d = X.shape
    flat = risk.loss in ("hinge", "tube")
    if n * d > DENSE or (d if risk.l1 or risk.positive else min(n, d)) ** 2 > SQUARE:
        return _descent(risk, X)
    Z = X.toarray() if sparse.issparse(X) else X
    if risk.positive:
        return _nonnegative(risk, Z)
    centre = Z.mean(axis=0) if risk.offset else np.zeros(d)
    Z, Q = Z - centre, None
    if d > n and not risk.l1:
        Q, R = np.linalg.qr(Z.T)
        Z = R.T
    unit = units(Z)
    rows, penalties, prices = Z / unit, risk.l2 / unit**2, risk.l1 / unit
    if risk.offset:
        rows = np.column_stack([rows, np.ones(n)])
        penalties, prices = np.append(penalties, 0.0), np.append(prices, 0.0)
    if flat:
        v, beta = kinked(risk, rows, penalties, prices, FINER * tol, f)
    else:
        v, beta = _newton(risk, rows, penalties, prices)
    w = v[: Z.shape[1]] / unit
    w = w if Q is None else Q @ w
    b = float(v[-1] - w @ centre) if risk.offset else 0.0
    return Weights(w, b, beta) if np.isfinite([*w, b]).all() else None


def _nonnegative(risk: Risk, X: np.ndarray) -> Weights | None:
    """Return the best weights from 0 up for squares: H = R'R makes it a least squares problem."""
    share = risk.C / risk.C.sum() if risk.offset else np.zeros(len(X))
    Z, t = X - share @ X, risk.y - share @ risk.y
    unit = units(Z)
    Z = Z / unit
    values, V = np.linalg.eigh((Z.T * risk.C) @ Z + np.diag(risk.l2 / unit**2))
    roots = np.sqrt(np.maximum(values, 1e-14 * (values[-1] or 1.0)))
    goal = V.T @ (Z.T @ (risk.C * t) - risk.l1 / unit) / roots
    try:
        v = optimize.nnls(roots[:, None] * V.T, goal, maxiter=100 * len(unit))[0]
    except (RuntimeError, ValueError):  # it takes too many steps, or numbers beyond all floats
        return None
    return Weights(v / unit, float(share @ (risk.y - X @ (v / unit))), risk.C * (t - Z @ v))


def units(Z: np.ndarray) -> np.ndarray:
    """Return the size of each column; what is constant but for rounding stays nearly 0."""
    unit = np.sqrt(np.mean(Z**2, axis=0))
    largest = unit.max(initial=0.0) or 1.0
    return np.where(unit > 1e-12 * largest, unit, largest)


def _descent(risk: Risk, X: Any) -> Weights | None:
    """Return the answer of `fast.linear`, for many sparse features; None: not its problem."""
    if risk.offset or risk.l1 or risk.loss not in ("hinge", "squared_hinge"):
        return None
    found = fast.linear(X, risk.y, risk.C / risk.l2, loss=risk.loss, tol=1e-5, max_epochs=1000)
    return Weights(found.w, 0.0, risk.l2 * found.alpha * risk.y)


def _newton(
    risk: Risk, rows: np.ndarray, penalties: np.ndarray, prices: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the best weights for a smooth loss, and the multipliers.

    An abs(v) that has a price is replaced by sqrt(v^2 + mu^2), for ever smaller mu.
    """
    v, mu = np.zeros(rows.shape[1]), 1.0

    def objective(v):
        smooth = 0.5 * (penalties * v) @ v + loss(risk, rows @ v)
        return smooth + prices @ np.sqrt(v * v + mu * mu)

    def system(v):
        (u, h), long = _slopes(risk, rows @ v), np.sqrt(v * v + mu * mu)
        g = penalties * v + prices * v / long - rows.T @ (risk.C * u)
        bend = penalties + prices * mu * mu / long**3
        return g, (rows.T * (risk.C * h)) @ rows + np.diag(bend)

    for mu in SMOOTH if prices.any() else (1.0,):  # noqa: B007 (both functions read it)
        v = _descend(v, objective, system)
    v = _sharpened(risk, rows, penalties, prices, v) if prices.any() else v
    return v, pull(risk, rows @ v)


def _sharpened(risk: Risk, rows, penalties, prices, v: np.ndarray) -> np.ndarray:
    """Return v with what is nearly 0 put there, and the rest solved for with its signs kept."""
    on = (np.abs(v) > 1e-6 * np.abs(v).max(initial=0.0)) | (prices == 0)
    Z, slope = rows[:, on], prices[on] * np.where(v[on] < 0, -1.0, 1.0)

    def objective(x):
        return 0.5 * (penalties[on] * x) @ x + slope @ x + loss(risk, Z @ x)

    def system(x):
        u, h = _slopes(risk, Z @ x)
        H = (Z.T * (risk.C * h)) @ Z + np.diag(penalties[on])
        return penalties[on] * x + slope - Z.T @ (risk.C * u), H

    new = np.zeros_like(v)
    new[on] = _descend(v[on], objective, system)
    same = (new[on] * v[on] >= 0) | (prices[on] == 0)
    return new if same.all() else v


def _descend(v: np.ndarray, objective: Callable, system: Callable) -> np.ndarray:
    """Newton's method with halved steps, until it gains nothing more."""
    value = objective(v)
    for _ in range(STEPS):
        g, H = system(v)
        step = solved(H, -g)
        for halving in range(HALVINGS):
            new = v + step * 0.5**halving
            there = objective(new)
            if there < value:
                break
        if not there < value:
            return v
        small = value - there <= 1e-15 * value
        v, value = new, there
        if small:
            return v
    return v


def softmax(
    X: np.ndarray, codes: np.ndarray, C: np.ndarray, l2: float, k: int, *, offset: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return weights (k, d) and offsets (k,) for logistic regression of several classes."""
    n, own = len(codes), np.eye(k)[codes]
    centre = X.mean(axis=0) if offset else np.zeros(X.shape[1])
    unit = units(X - centre)
    rows, penalties = (X - centre) / unit, l2 / unit**2
    if offset:  # a constant for all classes changes nothing: a tiny penalty chooses one
        rows, penalties = np.column_stack([rows, np.ones(n)]), np.append(penalties, 1e-9 * l2)
    d = rows.shape[1]

    def objective(v):
        f = rows @ v.reshape(k, d).T
        top = f.max(axis=1)
        soft = np.log(np.exp(f - top[:, None]).sum(axis=1)) + top - f[np.arange(n), codes]
        return 0.5 * np.sum(penalties * v.reshape(k, d) ** 2) + C @ soft

    def system(v):
        f = rows @ v.reshape(k, d).T
        P = np.exp(f - f.max(axis=1, keepdims=True))
        P /= P.sum(axis=1, keepdims=True)
        g = penalties * v.reshape(k, d) - ((own - P) * C[:, None]).T @ rows
        H = np.zeros((k, d, k, d))
        for a in range(k):
            for b in range(a, k):
                h = C * P[:, a] * ((a == b) - P[:, b])
                H[a, :, b, :] = (rows.T * h) @ rows
                H[b, :, a, :] = H[a, :, b, :].T
        H = H.reshape(k * d, k * d)
        H[np.diag_indices(k * d)] += np.tile(penalties, k)
        return g.ravel(), H

    v = _descend(np.zeros(k * d), objective, system).reshape(k, d)
    W = v[:, : X.shape[1]] / unit
    return W, v[:, -1] - W @ centre if offset else np.zeros(k)
