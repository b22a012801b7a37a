"""The structured perceptron for taggings, compiled and sparse; without numba, the slide's loop.

Sequences may be arrays (n, d) or sparse matrices; only entries that are not 0 are touched.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from .._arguments import BadArgument, explained
from .._jit import COMPILED
from ..conventions import check_count, orders
from ..structured.chains import Chain
from ..structured.decoders import Tagging
from ..structured.learners import (
    Mistake,
    StructuredRun,
    averaged_structured_perceptron,
    check_steps,
    structured_perceptron,
)
from .chain_loops import ChainData, _decode_all, _perceptron_pass, _sparse_scores


@dataclass(frozen=True, eq=False)
class SequenceRows:
    """Sequences as rows of one sparse matrix, as the compiled loops take them."""

    values: np.ndarray  #: the entries that are not 0
    places: np.ndarray  #: their features
    start: np.ndarray  #: row t has the entries start[t] to start[t + 1]
    bounds: np.ndarray  #: sequence i has the rows bounds[i] to bounds[i + 1]
    d: int  #: number of features

    def data(self, problem: Chain) -> ChainData:
        """Return what the loops read, for the tags of a problem."""
        tags, second = len(problem.tags), problem.order == 2
        return ChainData(self.values, self.places, self.start, self.d, tags, second)

    def dense(self) -> list[np.ndarray]:
        """Return the sequences as arrays (n, d)."""
        shape = len(self.start) - 1, self.d
        table = sparse.csr_array((self.values, self.places, self.start), shape=shape).toarray()
        return np.split(table, self.bounds[1:-1])

    def split(self, tags: np.ndarray) -> list[np.ndarray]:
        """Return one array of tags per sequence."""
        return np.split(tags, self.bounds[1:-1])


@explained
def rows_of(
    X: Sequence[ArrayLike | sparse.sparray] | SequenceRows,
    d: int | None = None,
    *,
    ends: bool = False,
) -> SequenceRows:
    """Return the sequences as rows of one sparse matrix; `SequenceRows` are returned as they are.

    With `ends`, three more features: the constant 1, "the first position", "the last".

    Parameters
    ----------
    X : arrays (n, d), one per sequence, dense or sparse
    d : how many features; default those of the first
    ends : three more features: the constant 1, "the first position", "the last"

    Examples
    --------
    >>> fast.rows_of([np.eye(2), np.ones((1, 2))], ends=True).d
    5
    """
    if isinstance(X, SequenceRows):
        return X
    if len(X) == 0:
        raise BadArgument("There are no sequences.")
    lengths = [np.shape(x)[0] if np.ndim(x) or sparse.issparse(x) else 0 for x in X]
    if 0 in lengths:
        raise BadArgument(f"Sequence {lengths.index(0)} is empty: leave it out.")
    widths = [np.shape(x)[1] if len(np.shape(x)) == 2 else None for x in X]
    d = widths[0] if d is None else d
    for i, width in enumerate(widths):
        if width != d:
            raise BadArgument(f"Sequence {i} has shape {np.shape(X[i])}; it needs (n, {d}).")
    if any(sparse.issparse(x) for x in X):
        table = sparse.vstack([sparse.csr_array(x) for x in X], format="csr")
    else:
        table = sparse.csr_array(np.concatenate([np.asarray(x, float) for x in X]))
    return rows_of_table(table, np.append(0, np.cumsum(lengths)), ends=ends)


@explained
def rows_of_table(table: sparse.sparray, bounds: np.ndarray, *, ends: bool = False) -> SequenceRows:
    """Return the rows of a sparse matrix as sequences, i being those from bounds[i] on."""
    table = sparse.csr_array(table, dtype=float)
    if ends:
        more = np.zeros((table.shape[0], 3))
        more[:, 0], more[bounds[:-1], 1], more[bounds[1:] - 1, 2] = 1.0, 1.0, 1.0
        table = sparse.hstack([table, sparse.csr_array(more)], format="csr")
    table.sum_duplicates()  # and sorts: the loops add in rising order of the features
    if not np.isfinite(table.data).all():
        raise BadArgument("The features contain NaN or infinity: remove or impute those entries.")
    places, start = table.indices.astype(np.int64), table.indptr.astype(np.int64)
    return SequenceRows(table.data, places, start, np.asarray(bounds, np.int64), table.shape[1])


@explained
def chain_perceptron(
    problem: Chain,
    X: Sequence[ArrayLike] | SequenceRows,
    Y: Sequence[Tagging],
    *,
    averaged: bool = True,
    step: float = 1.0,
    epochs: int = 10,
    price: float = 0.0,
    order: ArrayLike | None = None,
    rng: int | np.random.Generator | None = None,
) -> StructuredRun:
    """Run `epochs` passes, fewer without `averaged` if one makes no mistake.

    The mistakes and weights are those of `structured.structured_perceptron`; with `averaged`, of
    `structured.averaged_structured_perceptron`.

    Parameters
    ----------
    problem : a `Chain`
    X : the sequences, or `rows_of` them
    Y, step, price, order, rng : as in `structured.structured_perceptron`
    averaged : return the average of all weights
    epochs : passes

    Examples
    --------
    >>> problem, X, Y = structured.greedy_example()
    >>> fast.chain_perceptron(problem, X, Y, averaged=False).converged
    True
    """
    rows = rows_of(X, len(problem.features))
    tags = _flat_tags(Y, rows, len(problem.tags))
    check_steps(step, price)
    if not COMPILED:
        return _uncompiled(problem, rows, Y, averaged, step, epochs, price, order, rng)
    n, passes = len(rows.bounds) - 1, orders(len(rows.bounds) - 1, order, rng)
    T = check_count(epochs, "epochs") * n
    theta, total, found = np.zeros(problem.size), np.zeros(problem.size), []
    examples = rows.data(problem), rows.bounds, tags
    for epoch in range(epochs):
        numbers = float(step), float(price), float(T - epoch * n)
        found.append(_perceptron_pass(*examples, next(passes), *numbers, theta, total))
        if not averaged and found[-1][0].size == 0:
            break
    return StructuredRun(
        theta=total / T if averaged else theta,
        theta_last=theta,
        mistakes=tuple(mistake for one in found for mistake in _mistakes(rows, *one)),
        epochs=len(found),
        epoch_mistakes=np.array([one[0].size for one in found]),
        converged=found[-1][0].size == 0,
        step=float(step),
    )


@explained(theta="p")
def tag(
    problem: Chain, theta: np.ndarray, X: Sequence[ArrayLike] | SequenceRows
) -> list[np.ndarray]:
    """Return the best tagging of every sequence.

    Parameters
    ----------
    problem, theta, X : a `Chain`, its weights and the sequences

    Examples
    --------
    >>> problem, X, Y = structured.greedy_example()
    >>> run = structured.structured_perceptron(problem, X, Y)
    >>> fast.tag(problem, run.theta, X)
    [array([1, 0, 1])]
    """
    rows = rows_of(X, len(problem.features))
    y = np.empty(rows.bounds[-1], np.intp)
    theta = np.ascontiguousarray(theta, float)
    if theta.shape != (problem.size,):
        raise BadArgument(f"theta has shape {theta.shape}; it needs ({problem.size},).")
    if not COMPILED:
        return [np.array(problem.argmax(theta, x)) for x in rows.dense()]
    _decode_all(rows.data(problem), rows.bounds, theta, y)
    return rows.split(y)


@explained(theta="p")
def letter_scores(problem: Chain, theta: np.ndarray, rows: SequenceRows) -> list[np.ndarray]:
    """Return E (n, S) of every sequence, for the `decoders`.

    Parameters
    ----------
    problem, theta : a `Chain` and its weights
    rows : what `rows_of` returned

    Examples
    --------
    >>> problem, X, Y = structured.greedy_example()
    >>> fast.letter_scores(problem, np.arange(8.0), fast.rows_of(X))
    [array([[0., 1.],
           [0., 1.],
           [2., 3.]])]
    """
    if not COMPILED:
        return [problem.scores(theta, x)[0] for x in rows.dense()]
    if theta.shape != (problem.size,):
        raise BadArgument(f"theta has shape {theta.shape}; it needs ({problem.size},).")
    W = np.ascontiguousarray(problem.parts(np.asarray(theta, float))[0])
    low, high = 0, int(rows.bounds[-1])
    E = _sparse_scores(rows.values, rows.places, rows.start, low, high, W)
    return np.split(E, rows.bounds[1:-1])


def _uncompiled(problem, rows, Y, averaged, step, epochs, price, order, rng) -> StructuredRun:
    """Run the lesson's loop on the same sequences."""
    options = {"step": step, "price": price, "order": order, "rng": rng}
    taggings = [tuple(map(int, y)) for y in Y]
    if averaged:
        return averaged_structured_perceptron(
            problem, rows.dense(), taggings, epochs=epochs, **options
        )
    return structured_perceptron(problem, rows.dense(), taggings, max_epochs=epochs, **options)


def _flat_tags(Y: Sequence[Tagging], rows: SequenceRows, S: int) -> np.ndarray:
    lengths = np.diff(rows.bounds)
    if len(Y) != len(lengths):
        raise BadArgument(f"There are {len(lengths)} sequences and {len(Y)} taggings.")
    for i, (y, n) in enumerate(zip(Y, lengths)):
        if len(y) != n:
            raise BadArgument(f"Sequence {i} has {n} positions and {len(y)} tags.")
    tags = np.concatenate([np.asarray(y) for y in Y])
    if tags.dtype.kind not in "iu" or tags.min() < 0 or tags.max() >= S:
        raise BadArgument(f"Tags are whole numbers from 0 to {S - 1}.")
    return tags.astype(np.intp)


def _mistakes(rows: SequenceRows, mistakes: np.ndarray, said: np.ndarray) -> list[Mistake]:
    ends = np.cumsum(np.diff(rows.bounds)[mistakes])[:-1]
    taggings = np.split(said, ends) if mistakes.size else []
    return [Mistake(int(i), tuple(y.tolist())) for i, y in zip(mistakes, taggings)]
