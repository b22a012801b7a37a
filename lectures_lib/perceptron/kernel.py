"""The kernel perceptron in the two forms of the lectures, and a faster one; see `perceptron`."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import explained
from .._result import Result
from ..conventions import (
    TIES,
    OneLine,
    Tie,
    check_choice,
    check_count,
    check_labels,
    is_mistake,
    orders,
    sign,
)
from ..kernels import Kernel, blocks, check_kernel, product
from ..kernels.gram import check_gram
from ..proof.rounding import SAFE, growth

#: Compute at most this many entries of K as fractions, where rounding leaves a sign open.
MAX_EXACT_ENTRIES = 10_000
#: An entry of K that underflows is off by less than this.
UNDERFLOW = 1e-300


@dataclass(frozen=True, eq=False, repr=False)
class KernelRun(OneLine, Result):
    """A run of the kernel perceptron: w = sum alpha_i y_i phi(x_i), never written out."""

    kernel: Kernel
    X: np.ndarray  #: (m, d) the examples that were mistaken, each once: all that must be kept
    coefficients: np.ndarray  #: (m,) alpha_i y_i for each of them
    alpha: np.ndarray  #: (n,) how often each example was mistaken (L5)
    mistakes: np.ndarray  #: (M,) the example of each mistake, in the order they happened
    epochs: int  #: passes made
    epoch_mistakes: np.ndarray  #: (epochs,) mistakes in each pass
    converged: bool  #: the last pass made no mistake, and no score of it is in doubt (`_clean`)

    def decision(self, X: ArrayLike) -> np.ndarray:
        """Return sum_i alpha_i y_i K(x_i, x) for each row of X, in tiles."""
        if len(self.coefficients) == 0:
            return np.zeros(len(self.kernel.check(X)))
        return product(self.kernel, X, self.X, self.coefficients)

    def predict(self, X: ArrayLike, *, tie: Tie = "mistake") -> np.ndarray:
        """Return the sign of the decision, never 0."""
        return sign(self.decision(X), tie)


@explained
def kernel_perceptron(
    X: ArrayLike,
    y: ArrayLike,
    kernel: Kernel,
    *,
    max_epochs: int = 1000,
    tie: Tie = "mistake",
    order: ArrayLike | None = None,
    rng: int | np.random.Generator | None = None,
) -> KernelRun:
    """Run L5's kernel perceptron: count the mistakes alpha_i instead of moving w.

    The run of `kernel_perceptron_counts` with less work: f holds sum_i alpha_i y_i K(x_i, x_t) for
    every example t. Only a mistake changes it, and it needs one column of K then; the Gram matrix
    is never formed.

    Parameters
    ----------
    X, y : examples that the kernel takes, and their labels -1 and +1
    kernel : a kernel of `kernels` or `discrete`
    max_epochs, tie, order, rng : as in `perceptron`

    Examples
    --------
    >>> X, y = datasets.xor()
    >>> perceptron.kernel_perceptron(X, y, kernels.Polynomial(2)).converged
    True
    """
    X, y, passes = _prepare(X, y, kernel, tie, order, rng)
    found: list[list[int]] = []
    f, alpha = np.zeros(len(y)), np.zeros(len(y), dtype=int)
    for _ in range(check_count(max_epochs, "max_epochs")):
        this, position, found = next(passes), 0, [*found, []]
        while position < len(this):
            wrong = is_mistake(f[this[position:]], y[this[position:]], tie)
            if not wrong.any():
                break
            position += int(np.argmax(wrong))
            t = this[position]
            alpha[t] += 1
            f += y[t] * check_gram(kernel.gram(X, X[t : t + 1])[:, 0], kernel)
            found[-1].append(int(t))
            position += 1
        if not found[-1]:
            break
    return _run(kernel, X, y, alpha, found, tie)


@explained
def kernel_perceptron_counts(
    X: ArrayLike,
    y: ArrayLike,
    kernel: Kernel,
    *,
    max_epochs: int = 1000,
    tie: Tie = "mistake",
    order: ArrayLike | None = None,
    rng: int | np.random.Generator | None = None,
) -> KernelRun:
    """Run L5's kernel perceptron word for word, on the whole Gram matrix; to be read.

    `kernel_perceptron` makes the same mistakes in the same order, with one column of K for each.

    Parameters
    ----------
    X, y, kernel, max_epochs, tie, order, rng : as in `kernel_perceptron`

    Examples
    --------
    >>> X, y = datasets.xor()
    >>> perceptron.kernel_perceptron_counts(X, y, kernels.Polynomial(2)).alpha
    array([1, 1, 1, 1])
    """
    X, y, passes = _prepare(X, y, kernel, tie, order, rng)
    found: list[list[int]] = []
    K, alpha = check_gram(kernel.gram(X, X), kernel), np.zeros(len(y), dtype=int)
    for _ in range(check_count(max_epochs, "max_epochs")):
        found.append([])
        for t in next(passes):
            if is_mistake((alpha * y) @ K[:, t], y[t], tie):
                alpha[t] += 1
                found[-1].append(int(t))
        if not found[-1]:
            break
    return _run(kernel, X, y, alpha, found, tie)


@explained
def kernel_perceptron_list(
    X: ArrayLike,
    y: ArrayLike,
    kernel: Kernel,
    *,
    max_epochs: int = 1000,
    tie: Tie = "mistake",
    order: ArrayLike | None = None,
    rng: int | np.random.Generator | None = None,
) -> KernelRun:
    """Run L1's and L3's kernel perceptron: keep the list of mistakes, compare each x with it.

    Parameters
    ----------
    X, y, kernel, max_epochs, tie, order, rng : as in `kernel_perceptron`

    Examples
    --------
    >>> X, y = datasets.xor()
    >>> perceptron.kernel_perceptron_list(X, y, kernels.Polynomial(2)).mistakes
    array([0, 1, 2, 3])
    """
    X, y, passes = _prepare(X, y, kernel, tie, order, rng)
    stored: list[int] = []
    found: list[list[int]] = []
    for _ in range(check_count(max_epochs, "max_epochs")):
        found.append([])
        for t in next(passes):
            x = X[t : t + 1]
            K = check_gram(kernel.gram(X[stored], x)[:, 0], kernel) if stored else np.zeros(0)
            f = float(y[stored] @ K)
            if is_mistake(f, y[t], tie):
                stored.append(int(t))
                found[-1].append(int(t))
        if not found[-1]:
            break
    return _run(kernel, X, y, np.bincount(stored, minlength=len(y)), found, tie)


def _prepare(X, y, kernel, tie, order, rng):
    X = check_kernel(kernel).check(X)
    check_choice(tie, TIES, "tie")
    return X, check_labels(y, len(X), both=False), orders(len(X), order, rng)


def _run(kernel, X, y, alpha, found, tie) -> KernelRun:
    kept = np.flatnonzero(alpha)
    coefficients = alpha[kept] * y[kept]
    return KernelRun(
        kernel=kernel,
        X=X[kept],
        coefficients=coefficients,
        alpha=alpha,
        mistakes=np.array([t for one in found for t in one], dtype=int),
        epochs=len(found),
        epoch_mistakes=np.array([len(one) for one in found]),
        converged=not found[-1] and _clean(kernel, X, y, kept, coefficients, tie),
    )


def _clean(kernel, X, y, kept, coefficients, tie) -> bool:
    """Return whether it is proved that no example is a mistake, after a pass that found none.

    The scores are computed once more, with a bound for their rounding. Where it leaves a sign
    open, fractions decide; if the kernel is not rational (a Gaussian), or there are too many of
    them, nothing is proved.
    """
    if len(kept) == 0:
        return True  # every score is exactly 0
    f, error = _scores(kernel, X, X[kept], coefficients)
    sure = np.abs(f) > error
    if is_mistake(f[sure], y[sure], tie).any():
        return False
    doubt = np.flatnonzero(~sure)
    if len(doubt) == 0:
        return True
    if kernel.exact(X[:1]) is None or (len(doubt) + len(kept)) ** 2 > MAX_EXACT_ENTRIES:
        return False
    K = kernel.exact(X[np.concatenate([doubt, kept])])
    scores = K[: len(doubt), len(doubt) :] @ np.array([int(c) for c in coefficients], dtype=object)
    signs = np.array([(v > 0) - (v < 0) for v in scores], dtype=float)
    return not is_mistake(signs, y[doubt], tie).any()


def _scores(kernel, X, Z, coefficients) -> tuple[np.ndarray, np.ndarray]:
    """Return the scores of X, and how far each may be off."""
    parts = [(K @ coefficients, np.abs(K) @ np.abs(coefficients)) for _, K in blocks(kernel, X, Z)]
    f, mass = (np.concatenate(column) for column in zip(*parts))
    error = growth(len(Z) + 2) * mass + _kernel_errors(kernel, X, Z, coefficients, mass)
    return f, SAFE * error + UNDERFLOW * np.abs(coefficients).sum()


def _kernel_errors(kernel, X, Z, coefficients, mass) -> np.ndarray | float:
    """Return what the rounding of K does to each score; infinity where nobody knows.

    A kernel that knows no bound at all is taken at its word: what is proved is then proved for
    the numbers it returns.
    """
    own, known = kernel.entry_rounding(X), kernel.rounding(X)
    if own is not None:
        return own * mass
    if known is not None:
        size, reach = (np.sqrt(np.abs(kernel.diagonal(A))) for A in (X, Z))
        return known * size * (reach @ np.abs(coefficients))
    taken = kernel.rounding(X[:1]) is None and kernel.exact(X[:1]) is None
    return 0.0 if taken else np.inf
