"""Better multipliers from those of a solver; the certificate decides whether they are."""

from collections.abc import Iterator

import numpy as np

from .problem import SVMProblem, balanced, is_free

#: With more free examples than this the exact solve for them would cost more than it gives.
POLISH = 500
#: What "near a bound" may mean for the multipliers of a solver; the best certified answer decides.
NEAR_BOUND = (1e-3, 1e-5, 1e-8)


def refined(problem: SVMProblem, alpha: np.ndarray) -> Iterator[np.ndarray]:
    """Yield the multipliers made feasible, then with the free ones solved for exactly."""
    K, y, high, offset = problem.inner, problem.y, problem.high, problem.offset
    yield balanced(alpha, y) if offset else alpha
    for near in NEAR_BOUND:
        free = is_free(alpha, high, near)
        if free.sum() <= POLISH:
            fine = _polished(K, y, high, alpha, offset, free)
            if not offset or abs(fine @ y) <= 1e-9 * fine.max():
                yield balanced(fine, y) if offset else fine


def _polished(K, y, high, alpha, offset: bool, free: np.ndarray) -> np.ndarray:
    """Put alphas near a bound on it, and solve y f = 1 for the free ones exactly."""
    snapped = np.where(alpha > 0.5 * high, high, 0.0) if np.isfinite(high).all() else 0.0 * alpha
    beta = solved_free(K, y, np.where(free, 0.0, snapped) * y, free, offset)
    return np.clip(beta * y, 0.0, high)


def solved_free(
    K: np.ndarray, target: np.ndarray, fixed: np.ndarray, free: np.ndarray, offset: bool = True
) -> np.ndarray:
    """Return beta, `fixed` but where it is free: there K beta + b is the target, for some b.

    With an offset sum beta = 0; without one, b = 0.
    """
    beta, m = fixed.copy(), int(free.sum())
    unit = np.abs(K[np.ix_(free, free)]).max(initial=0.0) or 1.0
    system = np.zeros((m + 1, m + 1))
    system[:m, :m] = K[np.ix_(free, free)] / unit
    system[:m, m], system[m, :m] = (1.0, 1.0) if offset else (0.0, 0.0)
    right = np.append((target - K @ beta)[free], -unit * beta.sum() if offset else 0.0)
    beta[free] = np.linalg.lstsq(system, right, rcond=None)[0][:m] / unit
    return beta
