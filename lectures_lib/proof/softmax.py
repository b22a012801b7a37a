"""Bounds for logistic regression of several classes: what a model costs, and what none is below.

    minimise  l2 / 2 sum w_kj^2 + sum C_i (log sum_k exp f_ik - f_i,y),   f_ik = w_k.x_i + b_k

with b free, or 0. By Fenchel, for probabilities p_i (one row per example, of sum 1) no answer costs
less than

    sum C_i H(p_i) - norm(V)^2 / (2 l2),   V = sum C_i (e_y - p_i) x_i,   H(p) = -sum p log p

where, if b is free, sum C_i (e_y - p_i) = 0 for every class. Rows are divided by their sums on
paper, which changes an entry by a few roundings of itself.

Rounding never grants the sums of 0. Let F_ak be the mass that examples of class a give to class k,
and h a class, the hub. If class a gives more than it gets, it gives less to h: a share r of F_ah
stays with a. If it gets more than it gives, h gives less to a. Then all classes but h are even, and
so is h. H of a row falls by at most r (1 + log k) then, and an entry moves by at most r.
"""

from typing import Any

import numpy as np
from scipy import sparse

from .risk import FUNCTION, widened
from .rounding import SAFE, UNIT, Enclosure, enclosed_dot, enclosed_product, enclosed_sum, ulp


def softmax_above(
    X: Any, codes: np.ndarray, C: np.ndarray, W: np.ndarray, b: np.ndarray, l2: float
) -> Enclosure:
    """Return what the weights (k, d) and offsets (k,) cost; codes are the classes 0 to k - 1."""
    columns = [enclosed_product(X, w) for w in W]
    f = np.column_stack([value for value, _ in columns]) + b
    off = np.column_stack([error for _, error in columns]) + ulp(f)
    top = f.max(axis=1)
    with np.errstate(under="ignore"):
        log = np.log(np.exp(f - top[:, None]).sum(axis=1))
    loss = (top - f[np.arange(len(f)), codes]) + log
    error = 2 * off.max(axis=1) + (len(W) + 2) * (FUNCTION + 2 * UNIT) + FUNCTION * log
    error = SAFE * (error + 2 * ulp(top) + 2 * ulp(loss))
    losses = enclosed_dot(C, loss, 0.0, error)
    return widened(losses + enclosed_dot(W.ravel(), W.ravel()) * (0.5 * l2))


def softmax_below(
    X: Any, codes: np.ndarray, C: np.ndarray, P: np.ndarray, l2: float, *, offset: bool
) -> Enclosure:
    """Return a bound that no answer costs less than, from rows of probabilities (n, k)."""
    if not (np.isfinite(P).all() and (P >= 0).all() and (P.sum(axis=1) > 0.5).all()):
        return Enclosure(-np.inf)
    P, r = P / P.sum(axis=1, keepdims=True), 0.0
    if offset:
        for _ in range(2):
            P = _evened(P, codes, C)
        r = _uneven(P, codes, C)
    if not r < 1:
        return Enclosure(-np.inf)
    own, k = np.arange(len(codes)), P.shape[1]
    beta = -C[:, None] * P
    beta[own, codes] = 0.0
    beta[own, codes] = -beta.sum(axis=1)  # of the others: 1 - p would lose what is below 1e-16
    Z = X if sparse.issparse(X) or not offset else X - X.mean(axis=0)
    size = abs(Z).T @ C
    near = 4 * (k + 4) * UNIT  # what rounding did to an entry of beta, relative
    norm2 = Enclosure(0.0)
    for column in beta.T:
        v, error = enclosed_product(Z.T, column, SAFE * (near + 2 * UNIT) * np.abs(column))
        error = SAFE * (error + r * size)
        norm2 = norm2 + enclosed_dot(v, v, error, error)
    share = 0.5 / l2
    lost = Enclosure(r * float(C.sum()) * (1 + float(np.log(k))) * (1 + 1e-9))
    return widened(_entropy(P, C) - norm2 * Enclosure(share, float(ulp(share))) - lost)


def _entropy(P: np.ndarray, C: np.ndarray) -> Enclosure:
    """Return sum C H(p); an entry may be off by a few roundings of itself."""
    log = -np.log(np.where(P > 0, np.maximum(P, 1e-300), 1.0))
    terms = C[:, None] * P * log
    error = 4 * (P.shape[1] + 8) * UNIT * C[:, None] * P * (1.0 + log)
    error = error + np.where(P < 1e-290, 1000.0 * C[:, None] * P, 0.0)
    return enclosed_sum(terms.ravel(), error.ravel())


def _flows(P: np.ndarray, codes: np.ndarray, C: np.ndarray) -> tuple[np.ndarray, int]:
    """Return F, the mass that class a gives to class k, and the hub: all its flows are large."""
    k = P.shape[1]
    F = np.array([(C[codes == a, None] * P[codes == a]).sum(axis=0) for a in range(k)])
    others = np.where(np.eye(k, dtype=bool), np.inf, np.minimum(F, F.T))
    return F, int(np.argmax(others.min(axis=0)))


def _evened(P: np.ndarray, codes: np.ndarray, C: np.ndarray) -> np.ndarray:
    """Return rows whose classes give as much as they get, as well as floats can."""
    F, hub = _flows(P, codes, C)
    P = P.copy()
    for a in range(len(F)):
        e = F[a].sum() - F[:, a].sum()
        giver, to = (a, hub) if e > 0 else (hub, a)
        if a == hub or not F[giver, to] > abs(e):
            continue
        rows = np.flatnonzero(codes == giver)
        moved = P[rows, to] * (abs(e) / F[giver, to])
        P[rows, to] -= moved
        P[rows, giver] += moved
    return P


def _uneven(P: np.ndarray, codes: np.ndarray, C: np.ndarray) -> float:
    """Return an r not below the shares that have to move until every class is even."""
    F, hub = _flows(P, codes, C)
    near, r = 4 * (len(F) + len(P) + 8) * UNIT, 0.0
    for a in range(len(F)):
        if a == hub:
            continue
        out, into = np.delete(F[a], a), np.delete(F[:, a], a)
        e = abs(float(out.sum() - into.sum())) + near * float(out.sum() + into.sum())
        least = min(F[a, hub], F[hub, a]) * (1 - 1e-9)
        r = max(r, e / least * (1 + 1e-9)) if least > 0 else np.inf
    return r
