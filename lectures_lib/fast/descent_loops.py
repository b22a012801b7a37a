"""The compiled loops of `linear`, for dense and sparse examples alike, and what they read.

A dense matrix is X, with `data`, `places` and `start` empty. For a sparse one X is None, and row i
has the entries data[start[i]:start[i + 1]] at the places of the same numbers; `data` is None where
each is 1. Each example has one feature more, `constant`, which stands in no matrix; its weight is
the last entry of w.

None is a type of its own: `X is None` is decided when a loop is compiled, and each form has a loop
of its own. Numbers of rows and entries are `uint32`: an index that may be negative takes a
comparison, at each entry. Both together make a sparse pass up to twice as fast.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from .._jit import COMPILED, jit
from ..linear.problem import LinearProblem


class SparseRows(NamedTuple):
    """The entries of sparse rows; of a dense matrix, which is X, three empty arrays."""

    data: np.ndarray | None
    places: np.ndarray
    start: np.ndarray
    constant: float  #: the value of one more feature of each example


class DualBox(NamedTuple):
    """The dual problem: labels, prices, bounds of alpha, and curvatures."""

    y: np.ndarray
    C: np.ndarray
    high: np.ndarray  #: the largest alpha
    D: np.ndarray  #: what the loss adds to the curvature
    H: np.ndarray  #: the curvature, D included
    squared: bool  #: slacks cost their square


class Goal(NamedTuple):
    """When a descent ends, and how it leaves examples out."""

    shrink: float  #: 0: none is left out; 1: as Hsieh et al. do; between: earlier
    tol: float  #: the gap that is small enough, relative to the dual value
    patience: float  #: passes that may still be needed
    most: int  #: passes at most


#: A gap is large above this share of the dual value.
ROUGH = 0.01


@jit
def _dot(w, x):
    """Return w.x, in four sums, so that one need not wait for the other."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    quarter = x.size // 4
    for j in range(quarter):
        k = 4 * j
        a += w[k] * x[k]
        b += w[k + 1] * x[k + 1]
        c += w[k + 2] * x[k + 2]
        d += w[k + 3] * x[k + 3]
    for j in range(4 * quarter, x.size):
        a += w[j] * x[j]
    return (a + b) + (c + d)


@jit
def _add(w, step, x):
    """Add step x to w."""
    for j in range(x.size):
        w[j] += step * x[j]


if not COMPILED:  # by numpy, with other last bits

    def _dot(w, x):
        return w[: x.size] @ x

    def _add(w, step, x):
        w[: x.size] += step * x


@jit
def _sparse_dot(w, data, places, first, last):
    """Return w.x for the entries first .. last - 1."""
    f = 0.0
    for k in range(first, last):
        f += w[places[k]] if data is None else w[places[k]] * data[k]
    return f


@jit
def _sparse_add(w, step, data, places, first, last):
    """Add step x to w for the entries first .. last - 1."""
    for k in range(first, last):
        w[places[k]] += step if data is None else step * data[k]


@jit
def _sparse_norms2(data, start):
    """Return the squared length of each row."""
    norms2 = np.zeros(start.size - 1)
    for i in range(norms2.size):
        for k in range(start[i], start[i + 1]):
            norms2[i] += 1.0 if data is None else data[k] * data[k]
    return norms2


@jit
def _sparse_squares(data, places, start, s, cost, H):
    """Add cost_i x_i x_i^T to H for the rows s."""
    for n in range(s.size):
        first, last = start[s[n]], start[s[n] + 1]
        for k in range(first, last):
            step = cost[n] if data is None else cost[n] * data[k]
            for m in range(first, last):
                H[places[k], places[m]] += step if data is None else step * data[m]


@jit
def _shuffle(order, size, seed):
    """Put the first `size` entries in random order; return the next seed.

    seed * 48271 % (2^31 - 1) and seed % (k + 1), without the division of whole numbers, which is
    slow: 2^31 is 1 modulo 2^31 - 1; and a quotient of numbers below 2^31, taken in floats, is never
    rounded up to the next whole number.
    """
    for k in range(size - 1, 0, -1):
        product = seed * 48271
        seed = (product & 2147483647) + (product >> 31)
        if seed >= 2147483647:
            seed -= 2147483647
        j = seed - int(seed / (k + 1)) * (k + 1)
        order[k], order[j] = order[j], order[k]
    return seed


@jit
def _dual_pass(X, rows, box, w, alpha, order, size, top, bottom):
    """Maximise the dual in one alpha after another.

    Return the gap of the examples as they were met, how much the dual grew, how many are still in
    play, and the largest and smallest slope. An alpha at its bound with a slope beyond those of
    the last pass will stay there: it goes out of play, to the end of `order`.
    """
    data, places, start, constant = rows
    y, C, high, D, H, squared = box
    found, grown, new_top, new_bottom = 0.0, 0.0, 0.0, 0.0
    k, last_w = 0, w.size - 1
    while k < size:
        i = order[k]
        a = alpha[i]
        if X is None:
            f = _sparse_dot(w, data, places, start[i], start[i + 1])
        else:
            f = _dot(w, X[i])
        r = 1.0 - y[i] * (f + constant * w[last_w])
        slope = r - D[i] * a
        if (a == 0.0 and slope < bottom) or (a == high[i] and slope > top):
            size -= 1
            order[k], order[size] = order[size], i
            continue
        k += 1
        xi = max(r, 0.0)
        found += C[i] * xi * (xi if squared else 1.0) - a * (r - 0.5 * D[i] * a)
        new = high[i]
        if H[i] > 0.0:
            new = min(max(a + slope / H[i], 0.0), high[i])
        if new != a:
            alpha[i] = new
            grown += (new - a) * (slope - 0.5 * H[i] * (new - a))
            new_top, new_bottom = max(new_top, slope), min(new_bottom, slope)
            w[last_w] += (new - a) * y[i] * constant
            if X is None:
                _sparse_add(w, (new - a) * y[i], data, places, start[i], start[i + 1])
            else:
                _add(w, (new - a) * y[i], X[i])
    return found, grown, size, new_top, new_bottom


@jit
def _descend(X, rows, box, w, alpha, order, seed, dual, goal, memory):
    """Make passes until the gap seems to be tol * dual, or too far from it; return which.

    `dual` is the dual's value at the start, and each step tells how much it grows. A pass meets its
    examples half a pass before its end, on average: at its end the gap is smaller, as a rule. Too
    far: at the trend of its fall, the work of `patience` whole passes would not do. Of few examples
    a pass says little: its rate is noise.
    An alpha goes out of play with a slope beyond the extremes of the last pass (`shrink` 1; 0:
    never); beyond a share of them, `shrink`, while the gap is large: they owe most to a w that
    jumps. `memory` keeps the trend of earlier passes, the bounds of slopes and their number.
    """
    shrink, tol, patience, most = goal
    trend, top, bottom, done = memory
    passes, size, gap, far = 0, order.size, np.inf, False
    while passes < most and (passes == 0 or gap > tol * dual) and not far:
        if seed > 0:
            seed = _shuffle(order, size, seed)
        before = gap
        gap, grown, size, up, down = _dual_pass(X, rows, box, w, alpha, order, size, top, bottom)
        dual += grown
        passes += 1
        count = done + passes
        if passes > 1 and before > 0.0:
            part = min(0.05, 8.0 / count) if count > 2 else 1.0
            trend = trend ** (1.0 - part) * (max(gap, 0.0) / before) ** part
            if count > 2 and patience < np.inf:
                more = patience * order.size / max(size, 1)
                far = gap * min(trend, 1.0) ** more > tol * dual
        if shrink > 0.0:
            share = shrink if gap > ROUGH * dual else 1.0
            top = share * up if up > 0 else np.inf
            bottom = share * down if down < 0 else -np.inf
    return passes, seed, far, (trend, top, bottom, done + passes)


@dataclass(frozen=True, eq=False, repr=False)
class QuickLinearProblem(LinearProblem):
    """The same problem, with X as the compiled loops take it."""

    @cached_property
    def columns(self) -> np.ndarray | sparse.csc_matrix:
        """X transposed, without a copy; kept, as scipy takes longer for it than for a product."""
        return self.X.T

    @property
    def norms2(self) -> np.ndarray:
        """The squared length of each example, with its constant feature."""
        if sparse.issparse(self.X):
            return _sparse_norms2(*self.rows[1:4:2]) + self.constant**2
        return np.einsum("ij,ij->i", self.X, self.X) + self.constant**2

    @cached_property
    def rows(self) -> tuple:
        """X as the loops take it: the matrix, or the three arrays of a sparse one; the constant."""
        if not sparse.issparse(self.X):
            empty = np.empty(0), np.empty(0, np.uint32), np.empty(0, np.uint32)
            return self.X, *empty, self.constant
        thin: Any = self.X
        data = None if (thin.data == 1.0).all() else thin.data
        whole = thin.indices, thin.indptr
        if max(thin.nnz, *thin.shape) < 2**31:
            whole = tuple(v.astype(np.int32, copy=False).view(np.uint32) for v in whole)
        return None, data, *whole, self.constant

    def loop_data(self) -> tuple[np.ndarray | None, SparseRows, DualBox]:
        """What a pass over the dual reads."""
        X, *entries = self.rows
        curvature = self.norms2 + self.D
        box = DualBox(self.y, self.C, self.high, self.D, curvature, self.squared)
        return X, SparseRows(*entries), box

    def w(self, alpha: np.ndarray) -> np.ndarray:
        """Return the whole w, sum alpha_i y_i x_i."""
        beta = alpha * self.y
        return np.append(self.columns @ beta, self.constant * beta.sum())

    def squares(self, s: np.ndarray, cost: np.ndarray) -> np.ndarray:
        """Return sum cost_i x_i x_i^T over the examples s."""
        d, costs = self.X.shape[1], np.zeros_like(self.C)
        costs[s], H = cost, np.zeros((d + 1, d + 1))
        if sparse.issparse(self.X):
            _sparse_squares(*self.rows[1:4], s, cost, H)
        else:
            Z = np.sqrt(cost)[:, None] * self.X[s]
            H[:d, :d] = Z.T @ Z
        if self.constant:
            H[d, :d] = H[:d, d] = self.constant * (self.columns @ costs)
            H[d, d] = self.constant**2 * cost.sum()
        return H
