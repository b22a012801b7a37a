"""A run of the perceptron replayed from its list of mistakes: what every line is made of.

Nothing is taken from the algorithm but the mistakes (and the weights it claims, to compare).
W_k = w_0 + sum of the first k steps y x is never rounded: in floating point each number about it
lies between two bounds, by running error bounds; in whole numbers it is exact.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument
from ..conventions import as_array, as_floats
from .band import Band, exactly, within
from .rounding import SAFE, TINY, UNIT, fractions, growth, integers

#: A kernel's values, computed twice, may differ by this many roundings.
KERNEL_ROUNDINGS = 64


class Run(Protocol):
    """What a run of the perceptron claims."""

    @property
    def w(self) -> np.ndarray:
        """(d,) the last weights."""

    @property
    def mistakes(self) -> np.ndarray:
        """(M,) the examples, in order."""

    @property
    def weights(self) -> np.ndarray | None:
        """(M + 1, d) the start, then the weights after each mistake; None if none were kept."""


class KernelRunClaim(Protocol):
    """What a run of the kernel perceptron claims."""

    @property
    def mistakes(self) -> np.ndarray:
        """(M,) the examples, in order."""

    @property
    def alpha(self) -> np.ndarray:
        """(n,) how often each example was mistaken."""

    @property
    def coefficients(self) -> np.ndarray:
        """(m,) alpha_i y_i of the mistaken examples."""


@dataclass(frozen=True, eq=False)
class Replay:
    """The inner products that a proof needs; `rounding` bounds what the run itself rounded."""

    mistakes: np.ndarray  #: (M,)
    drift: np.ndarray  #: (M,), or one entry if M = 0: how far the claimed weights are off
    score: Band  #: (M,) y_k W_(k-1).x_k
    size: Band  #: (n,) norm(x)^2
    edge: Band  #: (n,) y u.x
    u2: Band  #: (1,) norm(u)^2
    start2: Band  #: (1,) norm(w_0)^2
    start_dot: Band  #: (1,) w_0.u
    rounding: np.ndarray  #: (M,) the run's own rounding of the score: 0 if nothing was rounded
    exact: bool  #: all of it in fractions

    @property
    def dot(self) -> Band:
        """(M,) W_k.u after each mistake."""
        return self.start_dot + self.edge[self.mistakes].summed()

    @property
    def norm2(self) -> Band:
        """(M,) norm(W_k)^2 after each mistake."""
        grown = self.score.doubled() + self.size[self.mistakes]
        return self.start2 + grown.summed()


def _kept(run: Run) -> np.ndarray:
    if run.weights is None:
        raise BadArgument("This run kept no weights on its way: run `perceptron.perceptron`.")
    return run.weights


# --- with weights --------------------------------------------------------------------------------


def replayed(run: Run, X: np.ndarray, y: np.ndarray, u: np.ndarray) -> Replay:
    """Replay a run in floating point, with error bounds."""
    check_run(run, *X.shape)
    m = np.asarray(run.mistakes)
    with np.errstate(all="ignore"):  # what overflows is NaN or infinite: it proves nothing
        steps = y[m, None] * X[m]
        W = np.cumsum(np.vstack([_kept(run)[0], steps]), axis=0)
        mass = _row_products(np.abs(steps), np.abs(W[:-1]))
        off = _replay_error(steps, W, mass)
        score = within(_row_products(steps, W[:-1]), off)
        return Replay(
            mistakes=m,
            drift=_drift(run, W),
            score=score,
            size=_squares(X),
            edge=_edges(X, y, u),
            u2=_products(u, u),
            start2=_products(W[0], W[0]),
            start_dot=_products(W[0], u),
            rounding=off,
            exact=False,
        )


def _replay_error(steps: np.ndarray, W: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Return what each score y_k W_(k-1).x_k may be off: 0 if no sum of the run was rounded."""
    if _never_rounded(steps, W, mass):
        return np.zeros(len(steps))
    rounded = UNIT * np.abs(W[:-1])
    rounded[:1] = 0.0  # the start is given
    lag = np.cumsum(rounded, axis=0)
    late = _row_products(np.abs(steps), lag)
    terms = growth(steps.shape[1] + 2) * mass + late
    return SAFE * terms + _underflow(steps, np.abs(W[:-1]) + lag, mass + late)


def in_fractions(seen: Replay, run: Run, X: np.ndarray, y: np.ndarray, u: np.ndarray) -> Replay:
    """Return the same replay without rounding."""
    start = np.asarray(_kept(run)[0], dtype=float)
    (rows, first), unit = integers(X, start)
    (along,), part = integers(u)
    signed = y.astype(int).astype(object)[:, None] * rows
    steps = signed[seen.mistakes]
    if not seen.rounding.any():  # then floating point has found the scores exactly
        score = fractions(seen.score.value)
    else:
        W = np.cumsum(np.vstack([first, steps]), axis=0)
        score = _times((steps * W[:-1]).sum(axis=1), unit**2)
    return Replay(
        mistakes=seen.mistakes,
        drift=seen.drift,
        score=exactly(score),
        size=exactly(_times((rows * rows).sum(axis=1), unit**2)),
        edge=exactly(_times(signed @ along, unit * part)),
        u2=exactly(_times(np.array([along @ along], object), part**2)),
        start2=exactly(_times(np.array([first @ first], object), unit**2)),
        start_dot=exactly(_times(np.array([first @ along], object), unit * part)),
        rounding=fractions(seen.rounding),
        exact=True,
    )


def check_run(run: Run, n: int, d: int) -> None:
    """Refuse a run that cannot be one on n examples with d features."""
    mistakes = check_mistakes(run.mistakes, n)
    weights = as_array(() if run.weights is None else run.weights, "run.weights")
    if weights.shape != (len(mistakes) + 1, d):
        raise BadArgument(
            "The run does not fit: weights needs a row for the start and each mistake."
        )
    if np.shape(run.w) != (d,):
        raise BadArgument(f"The run does not fit: w needs {d} entries, one per feature.")
    if weights.dtype.kind not in "biuf" or not np.isfinite(weights[0]).all():
        raise BadArgument("The run does not fit: its start must be finite numbers.")
    as_floats(weights, "run.weights"), as_floats(run.w, "run.w")


def check_mistakes(mistakes: ArrayLike, n: int) -> np.ndarray:
    """Refuse mistakes that are no examples."""
    mistakes = np.asarray(mistakes)
    fits = mistakes.ndim == 1 and (mistakes.dtype.kind in "iu" or not len(mistakes))
    if not fits or (len(mistakes) and not (0 <= mistakes.min() and mistakes.max() < n)):
        raise BadArgument(f"The run does not fit: its mistakes must be examples 0 to {n - 1}.")
    return mistakes.astype(int)


def _drift(run: Run, W: np.ndarray) -> np.ndarray:
    """Return how far the claimed weights are from w_k = w_(k-1) + y x, each sum rounded once."""
    claimed = np.asarray(run.weights, dtype=float)
    if np.array_equal(claimed, W) and np.array_equal(run.w, W[-1]):
        return np.zeros(max(len(W) - 1, 1))
    off = np.abs(claimed[1:] - W[1:]).max(axis=1, initial=0.0)
    last = np.abs(np.asarray(run.w, dtype=float) - claimed[-1]).max()
    off = np.append(off[:-1], off[-1] + last) if len(off) else np.array([last])
    return np.where(np.isfinite(off), off, np.inf)


def _never_rounded(steps: np.ndarray, W: np.ndarray, mass: np.ndarray) -> bool:
    """Return whether all sums of the run are multiples of one unit, below 2^52 of them."""
    most, heaviest = np.abs(W).max(initial=0.0), mass.max(initial=0.0)
    for part in (steps[:1], steps):  # what one step refuses, all of them do
        unit = _unit(part, W[0])
        if not (unit > 1e-150 and most <= 2.0**52 * unit and heaviest <= 2.0**52 * unit**2):
            return False
    return True


def _unit(*arrays: np.ndarray) -> float:
    """Return the largest power of two of which all entries are multiples."""
    values = np.concatenate([np.ravel(a) for a in arrays])
    share, exponent = np.frexp(values[values != 0])
    digits = np.abs(np.ldexp(share, 53)).astype(np.int64)
    place = np.frexp((digits & -digits).astype(float))[1] - 1  # of a power of two, exactly
    return float(np.ldexp(1.0, int(np.min(exponent - 53 + place, initial=0))))


def _squares(X: np.ndarray) -> Band:
    """Return norm(x)^2 for each row: one look at the data, its terms are its own error bound."""
    value = _row_products(X, X)
    return within(value, SAFE * growth(X.shape[1] + 2) * value + _underflow(X, X, value))


def _edges(X: np.ndarray, y: np.ndarray, u: np.ndarray) -> Band:
    """Return y u.x for each row."""
    mass = np.abs(X) @ np.abs(u)
    off = SAFE * growth(X.shape[1] + 2) * mass + _underflow(X, u, mass)
    return within(y * np.einsum("ij,j->i", X, u), off)


def _products(a: np.ndarray, b: np.ndarray) -> Band:
    """Return a.b."""
    if not a.any():
        return exactly(np.zeros(1))
    A, B = a[None], b[None]
    mass = _row_products(np.abs(A), np.abs(B))
    return within(_row_products(A, B), SAFE * growth(len(a) + 2) * mass + _underflow(A, B, mass))


def _row_products(A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """Return the inner product of each row of A with that of B."""
    return np.einsum("ij,ij->i", A, B)


def _underflow(A: np.ndarray, B: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Return what the products of two arrays lose, row by row, where they are nearly 0.

    `mass` is the sum of their sizes: where it is 0, only factors that both differ from 0 lose.
    """
    lost = np.full(len(A), 4.0 * TINY * A.shape[1])
    zero = mass == 0
    if zero.any():
        both = (A[zero] != 0) & (np.broadcast_to(B, A.shape)[zero] != 0)
        lost[zero] = 4 * TINY * both.sum(axis=1)
    return lost


# --- with a kernel -------------------------------------------------------------------------------


def replayed_by_gram(run: KernelRunClaim, K: np.ndarray, y: np.ndarray, c: np.ndarray) -> Replay:
    """Replay a kernel perceptron through K alone; u = sum c_i phi(x_i)."""
    m = check_mistakes(run.mistakes, len(y))
    k = np.arange(len(m))
    with np.errstate(all="ignore"):
        columns = y[m, None] * K[m]
        F = np.cumsum(np.vstack([0 * columns[:1], columns]), axis=0) if len(m) else columns
        lag = np.cumsum(UNIT * np.abs(F), axis=0)
        mass = np.cumsum(np.abs(columns), axis=0) - np.abs(columns)
        grid = len(m) == 0 or np.abs(F).max() <= 2.0**52 * _unit(K)
        off = np.zeros(len(m)) if grid else SAFE * lag[k, m]
        Kc, slip = K @ c, SAFE * growth(len(y) + 2) * (np.abs(K) @ np.abs(c))
        edge = within(y * Kc, slip + len(y) * TINY)
        u2 = within(np.array([c @ Kc]), np.array([2 * np.abs(c) @ slip + len(y) * TINY]))
        nothing = exactly(np.zeros(1))
        return Replay(
            mistakes=m,
            drift=_count_drift(run, y, m),
            score=within(y[m] * F[k, m], off),
            size=exactly(np.diag(K).astype(float)),
            edge=edge,
            u2=u2,
            start2=nothing,
            start_dot=nothing,
            rounding=np.zeros(len(m))
            if grid
            else SAFE * growth(len(m) + KERNEL_ROUNDINGS) * mass[k, m],
            exact=False,
        )


def gram_in_fractions(seen: Replay, K: np.ndarray, y: np.ndarray, c: np.ndarray) -> Replay:
    """Return the same replay without rounding."""
    (G,), unit = integers(K)
    (along,), part = integers(c)
    labels, m = y.astype(int).astype(object), seen.mistakes
    columns = labels[m, None] * G[m]
    F = np.cumsum(np.vstack([0 * G[:1], columns]), axis=0)
    Kc = G @ along
    nothing = exactly(fractions(np.zeros(1)))
    return Replay(
        mistakes=m,
        drift=seen.drift,
        score=exactly(_times(labels[m] * F[np.arange(len(m)), m], unit)),
        size=exactly(_times(np.diag(G), unit)),
        edge=exactly(_times(labels * Kc, unit * part)),
        u2=exactly(_times(np.array([along @ Kc], object), unit * part**2)),
        start2=nothing,
        start_dot=nothing,
        rounding=fractions(seen.rounding),
        exact=True,
    )


def _count_drift(run: KernelRunClaim, y: np.ndarray, m: np.ndarray) -> np.ndarray:
    """Return how far the claimed counts and coefficients are from the list of mistakes."""
    counts = np.bincount(m, minlength=len(y))
    kept = np.flatnonzero(counts)
    off = np.inf
    if np.shape(run.alpha) == counts.shape and np.shape(run.coefficients) == kept.shape:
        off = np.abs(as_floats(run.alpha, "run.alpha") - counts).max()
        claimed = as_floats(run.coefficients, "run.coefficients")
        off += np.abs(claimed - counts[kept] * y[kept]).max(initial=0.0)
    drift = np.zeros(max(len(m), 1))
    drift[-1] = off if np.isfinite(off) else np.inf
    return drift


def _times(counted: np.ndarray, unit: Fraction) -> np.ndarray:
    return np.array([v * unit for v in counted.tolist()], dtype=object)
