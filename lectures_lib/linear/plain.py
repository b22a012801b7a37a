"""The loops as they stand on paper: to be read; `dual_coordinate_descent` and `pegasos` run faster.

They keep the papers' order and symbols, without shrinking, sparse rows and saved sums. A test holds
both forms together: the same alpha after every pass, the same w after every step.
"""

import numpy as np

#: In the place of norm(x)^2 = 0: the step is then so long that alpha goes to its bound.
TINY = 1e-300


def descent_pass(X: np.ndarray, y: np.ndarray, C: float, w: np.ndarray, alpha: np.ndarray) -> None:
    """Maximise the dual in one alpha_i after another, keeping w = sum alpha_i y_i x_i.

    Hsieh et al. (2008), Algorithm 1: the best step is the slope over the curvature norm(x_i)^2, cut
    to the box 0 <= alpha_i <= C. Changes `w` and `alpha`.
    """
    for i in range(len(y)):
        slope = 1 - y[i] * (w @ X[i])
        new = np.clip(alpha[i] + slope / max(X[i] @ X[i], TINY), 0, C)
        w += (new - alpha[i]) * y[i] * X[i]
        alpha[i] = new


def pegasos_steps(
    X: np.ndarray, y: np.ndarray, penalty: float, draws: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the last w and the mean of all, after a step at each example drawn.

    Shalev-Shwartz et al. (2011), Figure 1: shrink w, and where the margin is below 1 move it
    towards the example; the steps are 1 / (penalty t).
    """
    w, mean = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for t, i in enumerate(draws, start=1):
        eta = 1 / (penalty * t)
        short = y[i] * (w @ X[i]) < 1
        w *= 1 - eta * penalty
        if short:
            w += eta * y[i] * X[i]
        mean += (w - mean) / t
    return w, mean
