"""Mistake bounds as proofs that can be run.

A bound is a chain of inequalities. `mistake_bound` replays a run from its list of mistakes,
evaluates both sides of every line of the proof at every mistake, and says which lines hold.
Nothing is taken from the algorithm but the mistakes. The judge is `proof.bounds`: in floating
point it bounds its own rounding errors, with ``exact=True`` every number is a fraction; lines
are squared where a root would leave the fractions. Here only the comparison vector is chosen.
"""

import numpy as np
from numpy.typing import ArrayLike

from ._arguments import BadArgument, explained
from .conventions import check_examples, check_labels, check_number, check_positive, check_vector
from .kernels import embed
from .kernels.gram import KNOWN_TO
from .linear import dual_coordinate_descent
from .margins import max_margin
from .perceptron import KernelRun, PerceptronRun
from .proof.bounds import judge_hinge, judge_kernel, judge_separable
from .proof.lines import MistakeBound, ProofLine

__all__ = [
    "MistakeBound",
    "ProofLine",
    "hinge_mistake_bound",
    "kernel_mistake_bound",
    "mistake_bound",
    "seven_lines",
]


@explained
def mistake_bound(
    run: PerceptronRun,
    X: ArrayLike,
    y: ArrayLike,
    u: ArrayLike | None = None,
    *,
    R: float | None = None,
    gamma: float | None = None,
    exact: bool = False,
) -> MistakeBound:
    """Check Novikoff's proof that M <= (R / gamma)^2, line by line, on this run (L1, L2).

    Parameters
    ----------
    run, X, y : a run of the perceptron on the examples X with labels y
    u : a separator to compare with; default the one of largest margin
    R, gamma : default measured; give others to see which line of the proof then breaks
    exact : decide every line in fractions (slower; for runs of up to a few thousand mistakes);
        small runs that floating point leaves undecided are decided so by themselves. The run
        itself was made in floats: where it rounded a tie to the wrong side, "mistake" is false
        by 1e-17 and stays undecided. On whole numbers floats do not round.

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> proof = bounds.mistake_bound(perceptron.perceptron(X, y), X, y, exact=True)
    >>> print(proof.mistakes, proof.bound, proof.holds)
    3 5 True
    """
    X, y = check_examples(X, y)
    R = None if R is None else check_positive(R, "R", ": it is a radius")
    gamma = None if gamma is None else check_number(gamma, "gamma", why=": it is a margin")
    u = _separator(X, y) if u is None else check_vector(u, X.shape[1], "u")
    return judge_separable(run, X, y, _unit(u), R, gamma, exact=exact)


@explained
def seven_lines(
    run: PerceptronRun, X: ArrayLike, y: ArrayLike, u: ArrayLike
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Return both sides, smaller and larger, of each line of the proof at every mistake (L1, L2).

    For a run from w = 0, as on the slides and in floating point: to be read. `mistake_bound` judges
    the same lines, rounding included.

    Parameters
    ----------
    run, X, y : a run of the perceptron on the examples X with labels y
    u : a separator of any length

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> bounds.seven_lines(perceptron.perceptron(X, y), X, y, [1.0, 0.0])["growth"]
    (array([ 5.,  5., 10.]), array([ 5., 10., 10.]))
    """
    X, y = check_examples(X, y)
    u = _unit(check_vector(u, X.shape[1], "u"))
    R, gamma = np.linalg.norm(X, axis=1).max(), (y * (X @ u)).min()
    x, label = X[run.mistakes], y[run.mistakes]
    w = np.cumsum(label[:, None] * x, axis=0)
    before, k = w - label[:, None] * x, np.arange(1.0, len(w) + 1)
    norm2, before2 = np.sum(w**2, axis=1), np.sum(before**2, axis=1)
    return {
        "mistake": (label * np.sum(before * x, axis=1), 0 * k),
        "progress": (before @ u + gamma, w @ u),
        "growth": (norm2, before2 + R**2),
        "sum of progress": (k * gamma, w @ u),
        "sum of growth": (norm2, k * R**2),
        "Cauchy-Schwarz": ((w @ u) ** 2, norm2),
        "conclusion": (k, (R / gamma) ** 2 + 0 * k),
    }


@explained
def hinge_mistake_bound(
    run: PerceptronRun,
    X: ArrayLike,
    y: ArrayLike,
    u: ArrayLike | None = None,
    *,
    exact: bool = False,
) -> MistakeBound:
    """Check L3's proof that M <= R^2 norm(u)^2 + 2 L on this run; no separator is needed.

    L is the sum of the slacks xi = max(0, 1 - y u.x) over the *mistakes*: an example mistaken
    three times counts three times. Here u is not of unit length: 1 / norm(u) plays the part
    of gamma, and in general it is not the margin of a set. Default u: the one with the least bound.

    Parameters
    ----------
    run, X, y, exact : as in `mistake_bound`
    u : any vector; default the one with the least bound

    Examples
    --------
    >>> X, y = datasets.xor()
    >>> run = perceptron.perceptron(X, y, max_epochs=2)
    >>> print(bounds.hinge_mistake_bound(run, X, y, u=[0.0, 0.0], exact=True).bound)
    16
    """
    X, y = check_examples(X, y)
    u = _least_bound(run, X, y) if u is None else check_vector(u, X.shape[1], "u")
    return judge_hinge(run, X, y, u, exact=exact)


@explained
def kernel_mistake_bound(
    run: KernelRun, X: ArrayLike, y: ArrayLike, *, exact: bool = False
) -> MistakeBound:
    """Check the proof in phi-space for a kernel perceptron's run on (X, y), through K alone (L1).

    R^2 is the largest K(x, x), and u = sum u_i phi(x_i) is the separator of largest margin: all
    that the proof uses are sums of entries of K. What is proved is proved for these numbers.

    Parameters
    ----------
    run, X, y : a run of a kernel perceptron on the examples X with labels y
    exact : decide every line in fractions

    Examples
    --------
    >>> X, y = datasets.xor()
    >>> run = perceptron.kernel_perceptron(X, y, kernels.Polynomial(2))
    >>> bounds.kernel_mistake_bound(run, X, y).holds
    True
    """
    K = run.kernel(X)
    Phi = embed(K)
    y = check_labels(y, len(Phi), both=False)
    c = _weights(Phi, y) * y
    return judge_kernel(run, K, y, c / np.sqrt(c @ K @ c), exact=exact)


ADVICE = "use hinge_mistake_bound, add a constant feature, or give u."


def _separator(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    best = max_margin(X, y)
    if not best.separable and best.converged:
        raise BadArgument(f"No separator through the origin exists: gamma has no value. {ADVICE}")
    if not best.separable:
        raise BadArgument(
            "Whether a separator through the origin exists could not be decided: give u, or ask "
            "max_margin with exact=True."
        )
    return np.asarray(best.w)


def _weights(Phi: np.ndarray, y: np.ndarray) -> np.ndarray:
    best = max_margin(Phi, y, known_to=KNOWN_TO)
    if not best.separable:
        raise BadArgument(
            "No separator through the origin exists in phi-space, or its margin is lost in the "
            "rounding of K: choose another kernel, or fewer examples."
        )
    return best.weights


def _unit(u: np.ndarray) -> np.ndarray:
    u = u / (np.abs(u).max() or 1.0)
    return u / (np.linalg.norm(u) or 1.0)


def _least_bound(run: PerceptronRun, X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return the u of least R^2 norm(u)^2 + 2 L: a linear SVM, posed for data of norm 1."""
    R = np.sqrt((X * X).sum(axis=1).max()) or 1.0
    counts = np.asarray(run.alpha, dtype=float)
    mistaken = np.flatnonzero(counts > 0)
    if len(mistaken) == 0:
        return np.zeros(X.shape[1])
    return dual_coordinate_descent(X[mistaken] / R, y[mistaken], counts[mistaken]).w / R
