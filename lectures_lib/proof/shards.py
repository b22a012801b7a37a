"""What one part tells a judge of parameter mixing: each epoch replayed from its mistakes alone.

Floats lie between two bounds; in fractions they are exact. The facts of a part are a few numbers
and one vector per epoch: small enough to be sent, wherever the part lies.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .band import Band, exactly
from .replay import check_mistakes, replayed
from .rounding import SAFE, TINY, UNIT, fractions


@dataclass(frozen=True)
class Claim:
    """A shard's epoch as a run: what `replayed` asks for."""

    w: np.ndarray
    mistakes: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True)
class Extremes:
    """The largest norm^2 and the least y u.x of one part."""

    size: Band
    edge: Band
    count: int


@dataclass(frozen=True)
class ShardFacts:
    """One epoch on one part: what is left over in each inequality, and where it ended."""

    mistakes: int
    score: Band  #: the largest y W.x of a mistake; 0 if there was none
    progress: Band  #: W.u - v.u - k gamma
    growth: Band  #: norm(v)^2 + k R^2 - norm(W)^2
    slip: Any  #: what the run's own rounding can do to a score
    slips: Any  #: the sum of these
    end: np.ndarray  #: W
    end_error: np.ndarray


def extremes(X: np.ndarray, y: np.ndarray, u: np.ndarray, exact: bool) -> Extremes:
    """Return the largest norm^2 and the least edge of a part."""
    size, edge = _sizes_and_edges(X, y, u, exact)
    return Extremes(
        Band(size.sides.max(axis=1, keepdims=True)),
        Band(edge.sides.min(axis=1, keepdims=True)),
        len(y),
    )


def shard_facts(
    X: np.ndarray,
    y: np.ndarray,
    u: np.ndarray,
    starts: np.ndarray,
    mistakes: Sequence[np.ndarray],
    R2: Band,
    gamma: Band,
    exact: bool,
) -> list[ShardFacts]:
    """Replay every epoch of one part; `starts` are the weights it was sent."""
    return [
        _one_epoch(X, y, u, start, check_mistakes(m, len(y)), R2, gamma, exact)
        for start, m in zip(starts, mistakes, strict=True)
    ]


def _one_epoch(X, y, u, start, m, R2: Band, gamma: Band, exact: bool) -> ShardFacts:
    nothing = exact_array(np.zeros(1), exact)
    if not len(m):
        none, still = exactly(nothing), exact_array(start, exact)
        return ShardFacts(0, none, none, none, nothing[0], nothing[0], still, 0 * still)
    x, label = X[m], y[m]
    size, edge = _sizes_and_edges(x, label, u, exact)
    score, slip, end, end_error = _walk(x, label, u, start, exact)
    extra = (edge - gamma).at_least(0).summed()  # gamma is the least edge, R^2 the largest norm^2
    room = ((R2 - size).at_least(0) - score.doubled()).summed()
    return ShardFacts(
        len(m),
        Band(score.sides.max(axis=1, keepdims=True)),
        extra[_last(extra)],
        room[_last(room)],
        max(slip),
        sum(slip),
        end,
        end_error,
    )


def _walk(x, label, u, start, exact: bool):
    """Return y W.x of each mistake, the run's own rounding of it, where the walk ends, how near.

    A run in floats may have rounded what is exact here; one in fractions has not.
    """
    if start.dtype == object:
        score, end = _exact_walk(x, label, start)
        return score, fractions(np.zeros(len(x))), end, 0 * end
    with np.errstate(all="ignore"):
        W = np.cumsum(np.vstack([start[None], label[:, None] * x]), axis=0)
        seen = replayed(Claim(W[-1], np.arange(len(x)), W), x, label, u)
        error = SAFE * UNIT * np.abs(W[1:]).sum(axis=0) + TINY
    error = error if seen.rounding.any() else 0 * error
    if not exact:
        return seen.score, seen.rounding, W[-1], error
    return (*_turned(_exact_walk(x, label, fractions(start)), seen.rounding), fractions(error))


def _exact_walk(x, label, start) -> tuple[Band, np.ndarray]:
    steps = fractions(label[:, None] * x)
    W = np.cumsum(np.vstack([start[None], steps]), axis=0)
    return exactly((steps * W[:-1]).sum(axis=1)), W[-1]


def _turned(walked: tuple[Band, np.ndarray], rounding: np.ndarray):
    return walked[0], fractions(rounding), walked[1]


def _sizes_and_edges(X, y, u, exact: bool) -> tuple[Band, Band]:
    if exact:
        rows, along = exact_array(X, True), exact_array(u, True)
        signed = np.array([int(label) for label in y], dtype=object) * (rows @ along)
        return exactly((rows * rows).sum(axis=1)), exactly(signed)
    start = np.zeros((1, X.shape[1]))
    seen = replayed(Claim(start[0], np.zeros(0, int), start), X, y, u)
    return seen.size, seen.edge


def exact_array(values: Any, exact: bool) -> np.ndarray:
    """Return the values as an array; as fractions, if they are to be exact."""
    values = np.asarray(values)
    return fractions(values) if exact and values.dtype != object else values


def _last(band: Band) -> np.ndarray:
    return np.array([len(band.value) - 1])
