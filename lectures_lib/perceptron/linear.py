"""The perceptron and its relatives: plain, voted, averaged; one pass or cycling.

The loops follow the pseudo-code of L2: start at 0; on a mistake, w <- w + y x. A run keeps its
mistakes in order, because everything the theory says about it can be recomputed from them.
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import ArrayLike

from .._door import door
from .._jit import COMPILED
from ..conventions import (
    Tie,
    check_count,
    check_examples,
    check_points,
    check_tie,
    check_vector,
    orders,
)
from ..conventions import sign as predicted_label
from ..fast.passes import fast_averaged_pass, fast_pass
from ..fast.shuffles import permutation
from ..proof.whole import sure_signs
from .passes import averaged_pass, one_pass, voted_pass
from .runs import AveragedRun, Cycle, EarlyStop, PerceptronRun, VotedRun, scores, votes

#: The label that a score of exactly 0 spares from being a mistake (0: it spares nobody).
_SPARED = {"mistake": 0.0, "positive": 1.0, "negative": -1.0}


@door
def perceptron(
    X: ArrayLike,
    y: ArrayLike,
    *,
    max_epochs: int = 1000,
    tie: Tie = "mistake",
    order: ArrayLike | None = None,
    rng: int | np.random.Generator | None = None,
    start: ArrayLike | None = None,
    patience: int | None = None,
    history: bool = True,
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
    patience : give up after so many passes with no fewer mistakes than before; default never
    history : keep the weights after each mistake, which the mistake bound needs: M + 1 vectors

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> run = perceptron.perceptron(X, y)
    >>> print(run.w, run.mistakes, run.converged)
    [3. 1.] [0 2 4] True
    """
    X, y, passes = _prepare(X, y, order, rng)
    w = np.zeros(X.shape[1]) if start is None else check_vector(start, X.shape[1], "start")
    w_start, spared, found = w.copy(), _SPARED[check_tie(tie)], []
    pass_through = _quickest(one_pass, fast_pass, X)
    for _ in range(check_count(max_epochs, "max_epochs")):
        found.append(pass_through(X, y, next(passes), spared, w))
        if found[-1].size == 0 or _in_vain(found, patience):
            break
    mistakes = np.concatenate(found)
    weights = _history(w_start, X, y, mistakes) if history else None
    return PerceptronRun(
        w=w,
        mistakes=mistakes,
        weights=weights,
        alpha=np.bincount(mistakes, minlength=len(X)),
        epochs=len(found),
        epoch_mistakes=np.array([m.size for m in found]),
        converged=found[-1].size == 0 and _no_mistake(X, y, w, spared),
        shuffled=rng is not None,
        rounded=None if weights is None else _rounded(weights, y[mistakes, None] * X[mistakes]),
    )


def _in_vain(found: list[np.ndarray], patience: int | None) -> bool:
    """Return whether none of the last `patience` passes made fewer mistakes than one before."""
    if patience is None or len(found) <= check_count(patience, "patience"):
        return False
    sizes = [mistakes.size for mistakes in found]
    return min(sizes[-patience:]) >= min(sizes[:-patience])


@door
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
        raise ValueError(f"new_count is 1 (the paper) or 0 (the slide), not {new_count!r}.")
    X, y, passes = _prepare(X, y, order, rng)
    w, c, spared = np.zeros(X.shape[1]), 0, _SPARED[check_tie(tie)]
    mistakes, counts = [], []
    for _ in range(check_count(epochs, "epochs")):
        found, survived, c = voted_pass(X, y, next(passes), spared, w, c, new_count)
        mistakes.append(found)
        counts.append(survived)
    all_mistakes = np.concatenate(mistakes)
    return VotedRun(
        weights=_history(np.zeros_like(w), X, y, all_mistakes),
        counts=np.append(np.concatenate(counts), c),
        mistakes=all_mistakes,
        epochs=epochs,
        converged=mistakes[-1].size == 0 and _no_mistake(X, y, w, spared),
    )


@door
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
    X, y, passes = _prepare(X, y, order, rng)
    w = np.zeros(X.shape[1]) if start is None else check_vector(start, X.shape[1], "start")
    total, spared = np.zeros(X.shape[1]), _SPARED[check_tie(tie)]
    pass_through = _quickest(averaged_pass, fast_averaged_pass, X)
    mistakes, rounds = [], []
    for epoch in range(check_count(epochs, "epochs")):
        found, when = pass_through(X, y, next(passes), spared, w, total)
        mistakes.append(found)
        rounds.append(when + epoch * len(X))
    clean = mistakes[-1].size == 0 and _no_mistake(X, y, w, spared)
    return _averaged_run(total, w, mistakes, np.concatenate(rounds), epochs * len(X), clean)


@door
def averaged_perceptron_lazy(
    X: ArrayLike,
    y: ArrayLike,
    *,
    epochs: int = 1,
    tie: Tie = "mistake",
    order: ArrayLike | None = None,
    rng: int | np.random.Generator | None = None,
) -> AveragedRun:
    """Compute the averaged perceptron touching the sum only at mistakes (not in the lectures).

    The update of round t stays in the weights for the T - t + 1 rounds that are left, so
    sum of weights = sum over mistakes of (T - t + 1) y x.
    """
    X, y, passes = _prepare(X, y, order, rng)
    T = check_count(epochs, "epochs") * len(X)
    w, spared = np.zeros(X.shape[1]), _SPARED[check_tie(tie)]
    pass_through = _quickest(one_pass, fast_pass, X)
    mistakes, rounds = [], []
    for epoch in range(epochs):
        this = next(passes)
        mistakes.append(pass_through(X, y, this, spared, w))
        rounds.append(epoch * len(X) + np.argsort(this)[mistakes[-1]])
    t, m = np.concatenate(rounds), np.concatenate(mistakes)
    clean = mistakes[-1].size == 0 and _no_mistake(X, y, w, spared)
    return _averaged_run((T - t) * y[m] @ X[m], w, mistakes, t, T, clean)


@door
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
    patience : stop after so many passes without a new best

    Examples
    --------
    >>> X, y = datasets.noisy(200, rng=1)
    >>> stop = perceptron.early_stopping(X[:100], y[:100], X[100:], y[100:])
    >>> print(stop.held_out_errors[stop.best_epoch] == min(stop.held_out_errors))
    True
    """
    X, y, passes = _prepare(X, y, order, rng)
    X_held, y_held = check_examples(X_held, y_held)
    check_vector(np.zeros(X_held.shape[1]), X.shape[1], "a row of X_held")
    check_count(patience, "patience")
    w, spared = np.zeros(X.shape[1]), _SPARED[check_tie(tie)]
    best, w_best, errors = 0, w.copy(), [_error_rate(w, X_held, y_held, tie)]
    for epoch in range(1, check_count(max_epochs, "max_epochs") + 1):
        clean = one_pass(X, y, next(passes), spared, w).size == 0
        errors.append(_error_rate(w, X_held, y_held, tie))
        if errors[epoch] < errors[best]:
            best, w_best = epoch, w.copy()
        if clean or epoch - best >= patience:
            break
    return EarlyStop(w_best, best, np.array(errors), len(errors) - 1)


@door
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


@door
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


@door
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
        raise ValueError(f"W has {W.shape[1]} columns; it needs {X.shape[1] + 1}: d weights and b.")
    return predicted_label(X @ W[:, :-1].T + W[:, -1], tie)


@door
def find_cycle(run: PerceptronRun) -> Cycle | None:
    """Return the first cycle of weights at the ends of passes, or None if none was seen.

    The order must be the same in every pass: then equal weights have equal futures. Where
    floating point rounded an update on the way round, equal weights prove nothing about the data
    (a small x may vanish beside a large w): such a return is passed over.

    Parameters
    ----------
    run : what `perceptron` returned, with its history and without shuffling

    Examples
    --------
    >>> X, y = datasets.xor()
    >>> perceptron.find_cycle(perceptron.perceptron(X, y, max_epochs=9)).period
    1
    """
    if run.shuffled:
        raise ValueError("The passes were shuffled: equal weights need not have equal futures.")
    weights = kept_weights(run)
    ends = np.concatenate([[0], np.cumsum(run.epoch_mistakes)])
    seen: dict[bytes, int] = {}
    for epoch, end in enumerate(ends):
        state = (weights[end] + 0.0).tobytes()  # + 0.0 turns -0.0 into 0.0
        first = seen.setdefault(state, epoch)
        round_trip = slice(ends[first], end)
        exact = run.rounded is not None and not run.rounded[round_trip].any()
        if first < epoch and exact and run.epoch_mistakes[first:epoch].all():
            return Cycle(first, epoch - first, weights[ends[first] : end + 1])
    return None


def kept_weights(run: PerceptronRun) -> np.ndarray:
    """Return the weights after each mistake of a run, the start first, if it kept them."""
    if run.weights is None:
        raise ValueError("This run kept no weights on its way: train it with history=True.")
    return run.weights


def _quickest(plain: Callable, fast: Callable, X: np.ndarray) -> Callable:
    """Return one of two passes that are the same to the bit: compiled, the fast one."""
    if not COMPILED:
        return plain
    largest = float(max(X.max(), -X.min()))
    return lambda *arguments: fast(*arguments, largest)


def _prepare(X, y, order, rng) -> tuple[np.ndarray, np.ndarray, Iterator[np.ndarray]]:
    X, y = check_examples(X, y, copy=False)
    return X, y, orders(len(X), order, rng, permutation)


def _history(start: np.ndarray, X: np.ndarray, y: np.ndarray, mistakes: np.ndarray) -> np.ndarray:
    return np.cumsum(np.vstack([start, y[mistakes, None] * X[mistakes]]), axis=0)


def _rounded(weights: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Return where w + step is not what floating point made of it (Knuth's two-sum)."""
    before, after = weights[:-1], weights[1:]
    gained = after - before
    lost = (before - (after - gained)) + (steps - gained)
    return (lost != 0).any(axis=1)


def _no_mistake(X: np.ndarray, y: np.ndarray, w: np.ndarray, spared: float) -> bool:
    """Return whether w makes no mistake on exact scores; doubtful rows are decided exactly."""
    side = sure_signs(X, w)
    return bool(np.where(side == 0, y == spared, side == y).all())


def _averaged_run(total, w, mistakes, rounds, T: int, clean: bool) -> AveragedRun:
    counts = np.diff(np.concatenate([[0], rounds, [T]]))
    return AveragedRun(
        w=total / T,
        w_last=w,
        counts=counts,
        mistakes=np.concatenate(mistakes),
        epochs=len(mistakes),
        converged=clean,
    )


def _error_rate(w: np.ndarray, X: np.ndarray, y: np.ndarray, tie: Tie) -> float:
    return float(np.mean(predicted_label(X @ w, tie) != y))
