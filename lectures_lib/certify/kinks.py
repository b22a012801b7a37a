"""Losses with kinks, by interior points: of many examples only those near a kink are looked at."""

from dataclasses import replace

import numpy as np
from scipy import linalg

from ..proof.risk import Risk

#: Steps at most.
STEPS = 200
#: One example of so many is chosen, so many times, where there are so many for each feature.
NEAR, CHOICES, MANY = 8, 3, 80


def kinked(
    risk: Risk,
    rows: np.ndarray,
    penalties: np.ndarray,
    prices: np.ndarray,
    gap: float,
    f: np.ndarray | None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the best weights for a loss with kinks, and the multipliers.

    Of many examples only those near a kink are looked at, the others stay on their side of it. If
    all of them do, the answer is that of the whole problem; if not, choose again by the new one.
    """
    n, few = len(rows), len(rows) // NEAR
    for _ in range(CHOICES if f is not None and n > MANY * rows.shape[1] else 0):
        side = risk.y if risk.loss == "hinge" else np.where(risk.y < f, -1.0, 1.0)
        t = side * risk.y - risk.epsilon  # of labels it is 1
        slack = t - side * f
        far = np.ones(n, dtype=bool)
        far[np.argpartition(np.abs(slack), few)[:few]] = False
        beta = np.where(far & (slack > 0), risk.C * side, 0.0)
        some = replace(risk, y=risk.y[~far], C=risk.C[~far])
        given = (beta @ rows, float(np.abs(beta) @ t))
        v, beta[~far] = _interior(some, rows[~far], penalties, prices, gap, *given)
        f = rows @ v
        crossed = ((slack > 0) != (t > side * f))[far].sum()
        if not crossed:
            return v, beta
        if crossed > few:  # f tells nothing of the best answer
            break
    return _interior(risk, rows, penalties, prices, gap)


def _interior(
    risk: Risk,
    rows: np.ndarray,
    penalties: np.ndarray,
    prices: np.ndarray,
    gap: float,
    pull: np.ndarray | float = 0.0,
    paid: float = 0.0,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the best weights for a loss with kinks, and the multipliers: interior points.

    Each kink is a max(0, t - z.v), with multiplier a in [0, C] and slacks s, xi above 0:
    z.v + xi - s = t, a s = mu, (C - a) xi = mu, penalties v = sum a z; mu goes to 0.
    Examples that stay beyond their kinks add paid - pull.v to the objective.
    """
    n, (Z, t, C) = len(rows), _all_kinks(risk, rows, prices)
    v, a = np.zeros(rows.shape[1]), 0.5 * C
    scale = np.abs(t).max() or 1.0
    xi = np.maximum(t, 0.0) + scale
    s = xi - t
    for _ in range(STEPS):
        c = C - a
        mu = 0.1 * (a @ s + c @ xi) / (2 * len(a))
        rest, off = t - Z @ v - xi + s, penalties * v - pull - Z.T @ a
        q, D = rest - mu / c + xi + mu / a - s, 1.0 / (xi / c + s / a)
        H = (Z.T * D) @ Z + np.diag(penalties)
        dv = solved(H, Z.T @ (D * q) - off)
        da = D * (q - Z @ dv)
        ds, dxi = mu / a - s - s / a * da, mu / c - xi + xi / c * da
        room = min(_room(s, ds), _room(xi, dxi), _room(a, da), _room(c, -da))
        far = min(1.0, 0.995 * room)
        v, a, s, xi = v + far * dv, a + far * da, s + far * ds, xi + far * dxi
        losses = C @ np.maximum(0.0, t - Z @ v) + paid - np.sum(pull * v)
        cost = losses + 0.5 * (penalties * v) @ v
        if cost < 0 or a @ s + c @ xi <= gap * cost:  # no whole problem has a cost below 0
            break
    if risk.loss == "hinge":
        return v, np.clip(a[:n], 0.0, risk.C) * risk.y
    return v, np.clip(a[:n] - a[n : 2 * n], -risk.C, risk.C)


def _all_kinks(
    risk: Risk, rows: np.ndarray, prices: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return z, t and C of every kink.

    An abs(v_j) that has a price is two of them: max(0, v_j) and max(0, -v_j).
    """
    if risk.loss == "hinge":
        Z, t, C = rows * risk.y[:, None], np.ones(len(rows)), risk.C
    else:
        Z, C = np.vstack([rows, -rows]), np.tile(risk.C, 2)
        t = np.concatenate([risk.y - risk.epsilon, -risk.y - risk.epsilon])
    priced = np.flatnonzero(prices)
    axes = np.eye(rows.shape[1])[priced]
    Z, t = np.vstack([Z, axes, -axes]), np.append(t, np.zeros(2 * len(axes)))
    return Z, t, np.concatenate([C, prices[priced], prices[priced]])


def solved(H: np.ndarray, g: np.ndarray) -> np.ndarray:
    """Return H^-1 g; where H is singular to rounding, the shortest of the best."""
    H[np.diag_indices(len(H))] *= 1 + 1e-14
    if not (np.isfinite(H).all() and np.isfinite(g).all()):
        return np.full(len(g), np.nan)  # beyond floating point: there is no such step
    try:
        return linalg.cho_solve(linalg.cho_factor(H), g)
    except linalg.LinAlgError:
        return linalg.lstsq(H, g)[0]


def _room(x: np.ndarray, dx: np.ndarray) -> float:
    """Return how far x can go along dx until an entry is 0."""
    falling = dx < 0
    return float(np.min(x[falling] / -dx[falling], initial=np.inf))
