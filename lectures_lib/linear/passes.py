"""The loops of the papers: one pass of dual coordinate descent, and the steps of Pegasos."""

import numpy as np

from .._jit import jit

#: In the place of norm(x)^2 = 0: the step is then so long that alpha goes to its bound.
TINY = 1e-300


@jit
def descent_pass(X, y, C, D, w, alpha, order):
    """Maximise the dual in one alpha_i after another, keeping w = sum alpha_i y_i x_i.

    Hsieh et al. (2008), Algorithm 1: the best step is the slope over the curvature, cut to the box
    0 <= alpha_i <= C_i. Changes `w` and `alpha`.

    Parameters
    ----------
    X, y : (n, d) examples and (n,) labels -1.0, +1.0, unchecked
    C : (n,) the largest alpha: the price of slack; inf with the squared hinge
    D : (n,) what the loss adds to the curvature: 0; with the squared hinge 1 / (2 C)
    w, alpha : (d,) and (n,), changed
    order : (n,) in which order the examples are seen

    Examples
    --------
    >>> X, y, w, alpha = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0]), np.zeros(1), np.zeros(2)
    >>> linear.descent_pass(X, y, np.ones(2), np.zeros(2), w, alpha, np.arange(2))
    >>> print(w, alpha)
    [1.] [0.25 0.5 ]
    """
    for i in order:
        slope = 1 - y[i] * (w @ X[i]) - D[i] * alpha[i]
        new = alpha[i] + slope / max(X[i] @ X[i] + D[i], TINY)
        new = min(max(new, 0.0), C[i])
        w += (new - alpha[i]) * y[i] * X[i]
        alpha[i] = new


@jit
def pegasos_steps(X, y, penalty, draws):
    """Return the last w, the mean of all, and which steps moved w towards an example.

    Shalev-Shwartz et al. (2011), Figure 1: shrink w, and where the margin is below 1 move it
    towards the example; the steps are 1 / (penalty t).

    Parameters
    ----------
    X, y : (n, d) examples and (n,) labels -1.0, +1.0, unchecked
    penalty : of norm(w)^2 / 2
    draws : (T,) the example of each step

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> linear.pegasos_steps(X, y, 1.0, np.array([0, 1]))
    (array([1.]), array([1.5]), array([ True, False]))
    """
    w, mean = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    short = np.zeros(draws.size, np.bool_)
    for t in range(1, draws.size + 1):
        i, eta = draws[t - 1], 1 / (penalty * t)
        short[t - 1] = y[i] * (w @ X[i]) < 1
        w *= 1 - eta * penalty
        if short[t - 1]:
            w += eta * y[i] * X[i]
        mean += (w - mean) / t
    return w, mean, short
