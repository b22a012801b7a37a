"""The perceptron: one pass through the examples, and runs: plain, voted, averaged, stopped early.

Compiled or not, w.x is added up from left to right: the same bits on every processor.
"""

from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from .. import conventions
from .._arguments import BadArgument, explained
from .._jit import COMPILED, jit
from .._result import frozen
from ..conventions import (
    Tie,
    check_choice,
    check_count,
    check_examples,
    check_labels,
    check_points,
    check_vector,
    orders,
)
from ..conventions import sign as predicted_label
from ..proof.rounding import no_mistake
from .runs import (
    AveragedRun,
    EarlyStop,
    PerceptronRun,
    VotedRun,
    history,
    scores,
    votes,
)

#: The label that is right at a score of exactly 0; 0 where both labels are mistakes.
TIE_LABEL = {"mistake": 0.0, "positive": 1.0, "negative": -1.0}


@jit
def dot(w, x):
    """Return w.x, added up from left to right."""
    total = 0.0
    for j in range(w.size):
        total += w[j] * x[j]
    return total


if not COMPILED:  # the same bits, by numpy
    dot = conventions.dot


@jit
def one_pass(X, y, order, tie_label, w):
    """Go once through the examples; change `w` at each mistake, return the mistakes (L1, L2, L4).

    Parameters
    ----------
    X, y : (n, d) examples and (n,) labels -1.0, +1.0, unchecked
    order : (n,) in which order the examples are seen
    tie_label : the label that is right at a score of exactly 0; 0 where both are mistakes
    w : (d,) the weights before, changed to those after

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> perceptron.one_pass(X, y, np.arange(6), 0.0, np.zeros(2))
    array([0, 2, 4])
    """
    mistakes = []
    for i in order:
        if y[i] * (dot(w, X[i]) or tie_label) <= 0:
            w += y[i] * X[i]
            mistakes.append(i)
    return np.array(mistakes, np.intp)


@jit
def voted_pass(X, y, order, tie_label, w, c, new_count):
    """Pass as `one_pass` does; return mistakes, counts of the vectors left there, and c (L2).

    Parameters
    ----------
    X, y, order, tie_label, w : as in `one_pass`
    c : what the count of w is before the pass
    new_count : where the count of a new vector starts, 1 or 0

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> perceptron.voted_pass(X, y, np.arange(6), 0.0, np.zeros(2), 0, 1)
    (array([0, 2, 4]), array([0, 2, 2]), 2)
    """
    mistakes, counts = [], []
    for i in order:
        if y[i] * (dot(w, X[i]) or tie_label) <= 0:
            w += y[i] * X[i]
            mistakes.append(i)
            counts.append(c)
            c = new_count
        else:
            c += 1
    return np.array(mistakes, np.intp), np.array(counts, np.intp), c


@jit
def averaged_pass(X, y, order, tie_label, w, total):
    """Pass as `one_pass` does, add w to `total` after each example; return mistakes, rounds (L2).

    Parameters
    ----------
    X, y, order, tie_label, w : as in `one_pass`
    total : (d,) the sum of all w so far, changed

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> perceptron.averaged_pass(X, y, np.arange(6), 0.0, np.zeros(2), np.zeros(2))
    (array([0, 2, 4]), array([0, 2, 4]))
    """
    mistakes, rounds = [], []
    for t, i in enumerate(order):
        if y[i] * (dot(w, X[i]) or tie_label) <= 0:
            w += y[i] * X[i]
            mistakes.append(i)
            rounds.append(t)
        total += w
    return np.array(mistakes, np.intp), np.array(rounds, np.intp)


@explained
def perceptron(
    X: ArrayLike,
    y: ArrayLike,
    *,
    max_epochs: int = 1000,
    tie: Tie = "mistake",
    order: ArrayLike | None = None,
    rng: int | np.random.Generator | None = None,
    start: ArrayLike | None = None,
) -> PerceptronRun:
    """Run the perceptron over (X, y) until a pass makes no mistake (L1, L2, L4).

    Parameters
    ----------
    X, y : (n, d) examples and (n,) labels -1, +1
    max_epochs : passes at most; 1 is the online algorithm that sees each example once
    tie : what a score of 0 means, see `conventions`
    order : a permutation of the examples, used in every pass; default as given
    rng : shuffle anew before each pass with this seed or generator
    start : the first weights; default 0, which the mistake bound assumes

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> run = perceptron.perceptron(X, y)
    >>> print(run.w, run.mistakes, run.converged)
    [3. 1.] [0 2 4] True
    """
    X, y, passes, w, tie_label = begin(X, y, order, rng, start, tie)
    first, found = w.copy(), []
    for _ in range(check_count(max_epochs, "max_epochs")):
        found.append(one_pass(X, y, next(passes), tie_label, w))
        if found[-1].size == 0:
            break
    return plain_run(X, y, w, tie_label, found, shuffled=rng is not None, first=first)


@explained
def voted_perceptron(
    X: ArrayLike,
    y: ArrayLike,
    *,
    epochs: int = 1,
    new_count: int = 1,
    tie: Tie = "mistake",
    order: ArrayLike | None = None,
    rng: int | np.random.Generator | None = None,
) -> VotedRun:
    """Run `epochs` passes and keep every hypothesis with its survival count (L2).

    A new hypothesis starts at count `new_count`: 1 in the 1998 paper (it survives the example it
    was made from), 0 on L2's slide. With 1 the counts add up to the number of examples seen.

    Parameters
    ----------
    X, y, tie, order, rng : as in `perceptron`
    epochs : how many passes are made, whether or not one is clean
    new_count : where the count of a new hypothesis starts, 1 or 0

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> run = perceptron.voted_perceptron(X, y)
    >>> print(len(run.weights), run.counts)
    4 [0 2 2 2]
    """
    if isinstance(new_count, bool) or not isinstance(new_count, int) or new_count not in (0, 1):
        raise BadArgument(f"new_count is 1 (the paper) or 0 (the slide), not {new_count!r}.")
    X, y, passes, w, tie_label = begin(X, y, order, rng, None, tie)
    mistakes, counts, c = [], [], 0
    for _ in range(check_count(epochs, "epochs")):
        found, survived, c = voted_pass(X, y, next(passes), tie_label, w, c, new_count)
        mistakes.append(found)
        counts.append(survived)
    all_mistakes = np.concatenate(mistakes)
    return VotedRun(
        weights=history(np.zeros_like(w), X, y, all_mistakes),
        counts=np.append(np.concatenate(counts), c),
        mistakes=all_mistakes,
        epochs=epochs,
        converged=mistakes[-1].size == 0 and no_mistake(X, y, w, tie_label),
    )


@explained
def averaged_perceptron(
    X: ArrayLike,
    y: ArrayLike,
    *,
    epochs: int = 1,
    tie: Tie = "mistake",
    order: ArrayLike | None = None,
    rng: int | np.random.Generator | None = None,
    start: ArrayLike | None = None,
) -> AveragedRun:
    """Average the weights after each example by a running sum: nothing is stored (L2).

    Equal to the survival-weighted average of the voted perceptron's hypotheses. `start` is the
    first w, default 0: the last of an earlier run goes on with it.

    Parameters
    ----------
    X, y, tie, order, rng, start : as in `perceptron`
    epochs : how many passes are made, whether or not one is clean

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> print(perceptron.averaged_perceptron(X, y, epochs=2).w)
    [2.5        0.16666667]
    """
    X, y, passes, w, tie_label = begin(X, y, order, rng, start, tie)
    total, found = np.zeros(X.shape[1]), []
    for _ in range(check_count(epochs, "epochs")):
        found.append(averaged_pass(X, y, next(passes), tie_label, w, total))
    return averaged_run(X, y, w, total, tie_label, found)


@explained
def early_stopping(
    X: ArrayLike,
    y: ArrayLike,
    X_held: ArrayLike,
    y_held: ArrayLike,
    *,
    max_epochs: int = 100,
    patience: int = 5,
    tie: Tie = "mistake",
    order: ArrayLike | None = None,
    rng: int | np.random.Generator | None = None,
) -> EarlyStop:
    """Stop when `patience` passes bring no fewer errors on held-out data; keep the best (L2).

    Parameters
    ----------
    X, y, tie, order, rng : as in `perceptron`
    X_held, y_held : the held-out examples and their labels, never learnt from
    max_epochs : passes at most
    patience : stop after this many passes without a new best

    Examples
    --------
    >>> X, y = datasets.noisy(200, rng=1)
    >>> stop = perceptron.early_stopping(X[:100], y[:100], X[100:], y[100:])
    >>> print(stop.held_out_errors[stop.best_epoch] == min(stop.held_out_errors))
    True
    """
    X, y, passes, w, tie_label = begin(X, y, order, rng, None, tie)
    X_held, y_held = check_examples(X_held, y_held)
    check_vector(np.zeros(X_held.shape[1]), X.shape[1], "a row of X_held")
    check_count(patience, "patience")
    best, w_best, errors = 0, w.copy(), [_error_rate(w, X_held, y_held, tie)]
    for epoch in range(1, check_count(max_epochs, "max_epochs") + 1):
        clean = one_pass(X, y, next(passes), tie_label, w).size == 0
        errors.append(_error_rate(w, X_held, y_held, tie))
        if errors[epoch] < errors[best]:
            best, w_best = epoch, w.copy()
        if clean or epoch - best >= patience:
            break
    return EarlyStop(w_best, best, np.array(errors), len(errors) - 1)


@explained
def predict(w: ArrayLike, X: ArrayLike, *, tie: Tie = "mistake") -> np.ndarray:
    """Return the labels of the rows of `X` under `w`: the sign of w.x, never 0.

    Parameters
    ----------
    w : (d,) weights
    X : (n, d) examples
    tie : "negative" makes -1 of a score of exactly 0; the other rules +1

    Examples
    --------
    >>> perceptron.predict([1.0, -1.0], [[3.0, 1.0], [1.0, 3.0]])
    array([ 1., -1.])
    """
    return predicted_label(scores(w, X), tie)


@explained
def vote(run: VotedRun, X: ArrayLike, *, tie: Tie = "mistake") -> np.ndarray:
    """Return sign(sum c_n sign(w_n.x)), the weighted vote of all hypotheses (L2).

    Parameters
    ----------
    run : what `voted_perceptron` returned
    X, tie : as in `predict`

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> perceptron.vote(perceptron.voted_perceptron(X, y, epochs=2), X) == y
    array([ True,  True,  True,  True,  True,  True])
    """
    return predicted_label(votes(run, X, tie), tie)


@explained
def layer(X: ArrayLike, W: ArrayLike, *, tie: Tie = "mistake") -> np.ndarray:
    """Return the outputs -1, +1 of several perceptrons, one for each row of `W` (L4).

    The offset is the last entry of each row: `W` has shape (perceptrons, d + 1).

    Parameters
    ----------
    X : (n, d) examples
    W : (m, d + 1) a row of weights and offset per perceptron
    tie : as in `predict`

    Examples
    --------
    >>> X, y = datasets.xor()
    >>> print(perceptron.layer(X, [[1.0, 1.0, 1.0], [1.0, 1.0, -1.0]]))
    [[-1. -1.]
     [ 1. -1.]
     [ 1. -1.]
     [ 1.  1.]]
    """
    X, W = check_points(X), check_points(W, "W")
    if W.shape[1] != X.shape[1] + 1:
        raise BadArgument(f"W has {W.shape[1]} columns; needs {X.shape[1] + 1}: d weights and b.")
    return predicted_label(X @ W[:, :-1].T + W[:, -1], tie)


def begin(
    X: ArrayLike,
    y: ArrayLike,
    order: ArrayLike | None,
    rng: int | np.random.Generator | None,
    start: ArrayLike | None,
    tie: Tie,
) -> tuple[np.ndarray, np.ndarray, Iterator[np.ndarray], np.ndarray, float]:
    """Return checked examples and labels, the orders of the passes, the first w, the tie label."""
    X = check_points(X, copy=False)
    y = check_labels(y, len(X), both=False)
    w = np.zeros(X.shape[1]) if start is None else check_vector(start, X.shape[1], "start")
    return X, y, orders(len(X), order, rng), w, TIE_LABEL[check_choice(tie, TIE_LABEL, "tie")]


def plain_run(
    X: np.ndarray,
    y: np.ndarray,
    w: np.ndarray,
    tie_label: float,
    found: list[np.ndarray],
    *,
    shuffled: bool,
    clean: Callable[..., bool] = no_mistake,
    first: np.ndarray | None = None,
) -> PerceptronRun:
    """Return the record of a run from the mistakes of each pass; from `first` on, if given."""
    mistakes = np.concatenate(found)
    run = (PerceptronRun if first is None else RunWithHistory)(
        w=w,
        mistakes=mistakes,
        weights=None,
        alpha=np.bincount(mistakes, minlength=len(y)),
        epochs=len(found),
        epoch_mistakes=np.array([m.size for m in found]),
        converged=found[-1].size == 0 and clean(X, y, w, tie_label),
        shuffled=shuffled,
    )
    if first is not None:
        del vars(run)["weights"], vars(run)["rounded"]  # they are made when somebody asks
        vars(run)["_begun"] = first, X, y
    return run


def averaged_run(
    X: np.ndarray,
    y: np.ndarray,
    w: np.ndarray,
    total: np.ndarray,
    tie_label: float,
    found: list[tuple[np.ndarray, np.ndarray]],
    *,
    clean: Callable[..., bool] = no_mistake,
) -> AveragedRun:
    """Return the record of an averaged run from the mistakes and rounds of each pass."""
    n, T = len(y), len(found) * len(y)
    rounds = np.concatenate([when + epoch * n for epoch, (_, when) in enumerate(found)])
    return AveragedRun(
        w=total / T,
        w_last=w,
        counts=np.diff(np.concatenate([[0], rounds, [T]])),
        mistakes=np.concatenate([mistakes for mistakes, _ in found]),
        epochs=len(found),
        converged=found[-1][0].size == 0 and clean(X, y, w, tie_label),
    )


def _error_rate(w: np.ndarray, X: np.ndarray, y: np.ndarray, tie: Tie) -> float:
    return float(np.mean(predicted_label(X @ w, tie) != y))


class RunWithHistory(PerceptronRun):
    """A run whose history of weights is made when somebody asks for it: M + 1 vectors."""

    _begun: tuple[np.ndarray, np.ndarray, np.ndarray]  # the start, X and y

    @cached_property
    def weights(self) -> np.ndarray:
        """The start, then the weights after each mistake."""
        weights = history(*self._begun, self.mistakes)
        if not np.array_equal(weights[-1], self.w):
            raise BadArgument("The examples have changed since this run: train again.")
        return frozen(weights)

    @cached_property
    def rounded(self) -> np.ndarray:
        """Where w + y x is not what floating point made of it (Knuth's two-sum)."""
        _, X, y = self._begun
        before, after = self.weights[:-1], self.weights[1:]
        step, gained = y[self.mistakes, None] * X[self.mistakes], after - before
        lost = (before - (after - gained)) + (step - gained)
        return frozen((lost != 0).any(axis=1))
