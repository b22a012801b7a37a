"""How many examples are enough? Margin and dimension moved separately, and a guarantee (L1)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from ..conventions import check_choice, check_count, check_examples, check_positive, check_rng
from ..kernels import embed
from ..margins import max_margin
from ..perceptron import perceptron

Learner = Literal["perceptron", "max margin"]
#: A guard only: the mistake bound ends every run of the perceptron earlier.
MAX_EPOCHS = 100_000
#: Coordinates are multiples of 2^-24, so inner products up to 32 are exact in any order of summing.
#: Ties are common here, where noise has one dimension; so they are ties on every processor.
GRID = 2.0**24
#: A score this close to 0, for norm(w) = 1, is a tie, and a tie is predicted +1: a solver's 0 is
#: one up to its tolerance, and the sign of what is left is the processor's.
TIE = 1e-6


@dataclass(frozen=True, eq=False)
class SampleSize:
    """Errors on new examples for each margin, dimension and number of examples."""

    gammas: tuple[float, ...]  #: margins; R = 1
    dimensions: tuple[int, ...]  #:
    sizes: tuple[int, ...]  #: numbers of training examples
    errors: np.ndarray  #: (gammas, dimensions, sizes, repeats) share of mistakes on new examples
    learner: str  #: "perceptron" (until a pass is clean) or "max margin"

    @property
    def mean(self) -> np.ndarray:
        """(gammas, dimensions, sizes) the mean error over the repeats."""
        return self.errors.mean(axis=-1)

    @property
    def se(self) -> np.ndarray:
        """(gammas, dimensions, sizes) the standard error of the mean: sd / sqrt(repeats)."""
        repeats = self.errors.shape[-1]
        if repeats < 2:
            raise BadArgument("One repeat has no standard error: ask for repeats=2 or more.")
        return self.errors.std(axis=-1, ddof=1) / np.sqrt(repeats)

    @property
    def allowed(self) -> np.ndarray:
        """(gammas, sizes) min(1, (R / gamma)^2 / (n + 1)): no dimension in it.

        It bounds the perceptron's expected error. Of n + 1 examples at most (R / gamma)^2 are ever
        mistaken in a run until a clean pass; leave out any other, and the run is the same and is
        right on it. The example left out is as good as a new one.
        """
        n = np.array(self.sizes, dtype=float)
        return np.minimum(1.0, 1 / np.outer(np.square(self.gammas), n + 1))


@explained
def directions(gamma: float, d: int) -> int:
    """Return over how many directions `spread` spreads the label: min(1 / (2 gamma^2), d - 1)."""
    gamma = check_positive(gamma, "gamma")
    return min(check_count(d, "d", 2) - 1, max(1, round(0.5 / min(max(gamma, 1e-9), 1.0) ** 2)))


@explained
def unseen_error(gamma: float, d: int, n: int) -> float:
    """Return (1 - 1/k)^n / 2: the expected error of one who knows just the directions it has seen.

    Each of n examples of `spread` shows one of k directions at random, so a new example's direction
    is among the unseen ones with chance (1 - 1/k)^n; there the label is a toss of a coin.

    Parameters
    ----------
    gamma, d : the margin and the dimension: k is the lesser of d - 1 and 1 / (2 gamma^2)
    n : how many examples

    Examples
    --------
    >>> complexity.unseen_error(0.5, 10, 1)
    0.25
    """
    return 0.5 * (1 - 1 / directions(gamma, d)) ** check_count(n, "n")


@explained
def spread(
    n: int, d: int, *, gamma: float, rng: int | np.random.Generator | None = 0
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Draw n examples (X, y) of norm 1 in R^d on which u has margin gamma; return u too.

    Each example shows the label in one of k directions, at random, and noise in the d - k
    coordinates that are left; k is half of (R / gamma)^2, or d - 1 if that is less. What one
    direction says is of no use for another: the learner must see them all. No separator has a
    larger margin on the distribution, since noise of either sign is equally likely: mean of
    y x = gamma u.
    Coordinates are rounded to multiples of 2^-24, about 6e-8, and their inner products are exact.
    """
    n, d = check_count(n, "n"), check_count(d, "d", 2)
    if not 0 < gamma <= 0.7:
        raise BadArgument(f"gamma is a margin between 0 and 0.7 (R is 1), not {gamma}.")
    rng, k = check_rng(rng), directions(gamma, d)
    side, y = rng.choice([-1.0, 1.0], size=k), rng.choice([-1.0, 1.0], size=n)
    axis, noise = rng.integers(k, size=n), rng.normal(size=(n, d - k))
    noise *= np.sqrt(1 - k * gamma**2) / np.linalg.norm(noise, axis=1, keepdims=True)
    X = np.hstack([np.zeros((n, k)), noise])
    X[np.arange(n), axis] = y * side[axis] * gamma * np.sqrt(k)
    return np.round(X * GRID) / GRID, y, np.append(side / np.sqrt(k), np.zeros(d - k))


@explained
def sample_size(
    gammas: Sequence[float] = (0.4, 0.2, 0.14, 0.1),
    dimensions: Sequence[int] = (2, 5, 10, 20, 50, 200, 2000),
    sizes: Sequence[int] = (50,),
    *,
    learner: Learner = "perceptron",
    repeats: int = 8,
    tests: int = 300,
    rng: int = 0,
) -> SampleSize:
    """Train on n examples of `spread`, test on new ones: for each margin, dimension and n (L1).

    L1 claims that the amount of data needed depends on R / gamma only, not on the dimension.

    Parameters
    ----------
    gammas : the margins, R being 1
    dimensions : how many features
    sizes : how many training examples
    learner : "perceptron" or "max margin"
    repeats, tests : trainings for each case, and new examples for each of them
    rng : a seed or generator

    Examples
    --------
    >>> found = complexity.sample_size(gammas=(0.5,), dimensions=(4, 8), repeats=2, tests=10)
    >>> found.errors.shape
    (1, 2, 1, 2)
    """
    check_choice(learner, ("perceptron", "max margin"), "learner")
    counts = (
        check_count(repeats, "repeats"),
        check_count(tests, "tests"),
        check_count(rng, "rng", 0),
    )
    sizes = tuple(check_count(n, "a size", 2) for n in sizes)
    cells = [[_errors(gamma, d, sizes, learner, *counts) for d in dimensions] for gamma in gammas]
    return SampleSize(tuple(gammas), tuple(dimensions), sizes, np.array(cells), learner)


def _errors(gamma, d, sizes, learner, repeats, tests, rng) -> np.ndarray:
    """Return the errors (sizes, repeats) for one margin in one dimension."""
    if len(sizes) == 0:
        raise BadArgument("sizes must name at least one number of examples, such as (50,).")
    found = np.zeros((len(sizes), repeats))
    for r in range(repeats):
        X, y, _ = spread(
            max(sizes) + tests,
            d,
            gamma=gamma,
            rng=np.random.default_rng([rng, r]),
        )
        new, labels = X[max(sizes) :], y[max(sizes) :]
        for i, n in enumerate(sizes):
            w = _learn(X[:n], y[:n], learner)
            positive = new @ w >= -TIE * np.linalg.norm(w)
            found[i, r] = np.mean(positive != (labels > 0))
    return found


def _learn(X: np.ndarray, y: np.ndarray, learner: Learner) -> np.ndarray:
    """Return the learner's w. It sees inner products only, so long rows may be replaced."""
    Z = embed(X @ X.T) if X.shape[1] > 4 * len(X) else X
    if learner == "max margin":
        return (max_margin(Z, y).weights * y) @ X
    return (perceptron(Z, y, max_epochs=MAX_EPOCHS).alpha * y) @ X


@explained
def padded(
    X: ArrayLike,
    y: ArrayLike,
    extra: int,
    sd: float,
    *,
    n: int = 50,
    repeats: int = 6,
    rng: int = 0,
) -> tuple[np.ndarray, np.ndarray]:
    """Add `extra` coordinates of noise to natural data: what becomes of the largest margin?

    Trains on n of the first half of the rows, at random, and tests on the second half; the noise is
    normal with deviation `sd`. Returns, for each repeat, the error on the second half and
    (R / gamma)^2 of the n examples, R measured from the mean of the first half.

    Parameters
    ----------
    X, y : natural examples and their labels
    extra : how many coordinates of noise
    sd : the deviation of the noise
    n : how many examples to train on
    repeats : how often
    rng : a seed or generator

    Examples
    --------
    >>> X, y = datasets.digits(3, 8)
    >>> errors, ratios = complexity.padded(X, y, 10, 0.1, repeats=2)
    >>> len(errors)
    2
    """
    X, y = check_examples(X, y)
    half, errors, ratios = len(X) // 2, [], []
    if check_count(n, "n", 2) > half:
        raise BadArgument(f"n = {n} of the first {half} rows: ask for fewer.")
    for r in range(check_count(repeats, "repeats")):
        draws = np.random.default_rng([check_count(rng, "rng", 0), r])
        pick = draws.permutation(half)[:n]
        noise = sd * draws.normal(size=(len(X), check_count(extra, "extra", 0)))
        Z = np.hstack([X - X[:half].mean(axis=0), noise])
        w = _learn(Z[pick], y[pick], "max margin")
        margin = np.min(y[pick] * (Z[pick] @ w)) / np.linalg.norm(w)
        errors.append(np.mean((Z[half:] @ w >= 0) != (y[half:] > 0)))
        ratios.append((np.linalg.norm(Z[pick], axis=1).max() / margin) ** 2)
    return np.array(errors), np.array(ratios)


@dataclass(frozen=True)
class BatchGuarantee:
    """What a mistake bound says about examples drawn from a fixed distribution."""

    mistakes: int  #: M, in one pass
    examples: int  #: T
    delta: float  #: the chance that the statement fails
    expected: float  #: bound on the expected error of a hypothesis drawn at random: M / T
    confident: float  #: bound on the mean error of the hypotheses, with probability 1 - delta


@explained
def online_to_batch(mistakes: int, examples: int, delta: float = 0.05) -> BatchGuarantee:
    """Turn a count of mistakes in one pass into a guarantee on new examples (L1).

    The examples are drawn independently. Hypothesis w_t, made before example t is seen, errs on
    it with exactly its error rate; so the mean error of w_1, ..., w_T is at most M / T in
    expectation, and at most M / T + sqrt(2 ln(1 / delta) / T) with probability 1 - delta
    (Azuma; Cesa-Bianchi, Conconi and Gentile 2004).

    Parameters
    ----------
    mistakes, examples : M and T
    delta : the chance that the statement may fail

    Examples
    --------
    >>> complexity.online_to_batch(20, 1000).expected
    0.02
    """
    T, M = check_count(examples, "examples"), check_count(mistakes, "mistakes", 0)
    if M > T:
        raise BadArgument(f"{M} mistakes on {T} examples: count one pass only.")
    if not 0 < delta < 1:
        raise BadArgument(f"delta is a probability strictly between 0 and 1, not {delta}.")
    slack = float(np.sqrt(2 * np.log(1 / delta) / T))
    return BatchGuarantee(M, T, delta, M / T, min(1.0, M / T + slack))
