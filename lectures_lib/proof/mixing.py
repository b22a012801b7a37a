"""The judge of parameter mixing: Novikoff's proof over epochs and shards, line by line.

In epoch n every shard i starts at v_(n-1), makes k_in mistakes and ends at W_in; then
v_n = sum_i mu_in W_in, where mu_in >= 0 adds up to 1. With z = y x of a mistake:

    progress   W_in.u >= v_(n-1).u + k_in gamma              as z.u >= gamma
    growth     norm(W_in)^2 <= norm(v_(n-1))^2 + k_in R^2    as W.z <= 0 and norm(z) <= R
    mixing     v_n.u >= v_(n-1).u + gamma sum_i mu_in k_in
    Jensen     norm(v_n)^2 <= sum_i mu_in norm(W_in)^2

So K = sum mu_in k_in satisfies (K gamma)^2 <= (v.u)^2 <= norm(v)^2 <= K R^2: K <= (R / gamma)^2
(McDonald, Hall and Mann 2010, Theorem 3). Nothing is taken from the run but the mistakes, the votes
(mu_in = votes_in / sum of the epoch's votes: so it adds up to 1 exactly) and the weights v_n, which
may be rounded; every other number is replayed, part by part.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np

from .._arguments import BadArgument
from .._result import SEAL
from ..conventions import as_array, as_floats
from .band import Band, between, exactly, within
from .bounds import margin_line
from .lines import InLines, ProofLine
from .rounding import SAFE, TINY, UNIT, fractions, growth, one_float, to_float
from .shards import Extremes, ShardFacts, exact_array
from .verdict import rounded_up

#: An honest sum of weights is rounded by less than this many times its bound.
ROOM_FOR_ROUNDING = 4


@dataclass(frozen=True, eq=False)
class MixingBound(InLines):
    """The bound on the mixed number of mistakes of one run, with every line of its proof."""

    mistakes: int  #: all that were made, in all parts
    mixed: Fraction  #: K = sum of mu_in k_in: what the theorem bounds
    bound: float  #: (R / gamma)^2
    R: float
    gamma: float
    u: np.ndarray  #: (d,) the comparison vector
    lines: tuple[ProofLine, ...]
    exact: bool  #: decided in fractions

    @property
    def _conclusion(self) -> str:
        how = "exactly" if self.exact else "in floating point, rounding included"
        most = rounded_up(self.bound, len(f"{self.bound:.0f}") + 4)
        return f"K = {float(self.mixed):.4f} <= {float(most):.4f}: {self.verdict} ({how})"


class MixedRun(Protocol):
    """What a run of parameter mixing claims."""

    @property
    def w(self) -> np.ndarray:
        """(d,) the last weights."""

    @property
    def weights(self) -> np.ndarray:
        """(N + 1, d) the start, then the mixed weights after each epoch."""

    @property
    def mistakes(self) -> Sequence[Sequence[np.ndarray]]:
        """Of each epoch, of each part: the examples of its mistakes, in order."""

    @property
    def votes(self) -> np.ndarray:
        """(N, S) whole numbers; mu_in is the share of part i in the votes of epoch n."""


def judge_mixing(
    run: MixedRun,
    u: np.ndarray,
    ask_extremes: Callable[[bool], list[Extremes]],
    ask_facts: Callable[[Band, Band, bool], list[list[ShardFacts]]],
    *,
    exact: bool = False,
) -> MixingBound:
    """Judge the bound of a run; the two questions go to every part, wherever it lies.

    `ask_extremes(exact)` returns `extremes` of each part, `ask_facts(R2, gamma, exact)` what
    `shard_facts` finds in each.
    """
    check_mixed(run, len(u))
    exact = exact or run.weights.dtype == object  # fractions are not rounded to be judged
    seen = ask_extremes(exact)
    R2 = Band(np.max([e.size.sides for e in seen], axis=0))
    gamma = Band(np.min([e.edge.sides for e in seen], axis=0))
    facts = list(zip(*ask_facts(R2, gamma, exact)))  # epoch by epoch
    lines = (margin_line(gamma), *_shard_lines(run, facts, R2, gamma, u, exact))
    lines += _epoch_lines(run, facts, R2, gamma, u, exact)
    g, size = one_float(gamma.value[0]), float(np.sqrt(one_float(_dot(u, u, exact).value[0])))
    R = float(np.sqrt(one_float(R2.value[0])))
    return MixingBound(
        mistakes=sum(f.mistakes for epoch in facts for f in epoch),
        mixed=sum((_mixed_count(v, e) for v, e in zip(run.votes, facts)), Fraction(0)),
        bound=(R * size / g) ** 2 if g > 0 else float("inf"),
        R=R,
        gamma=g / size if size else 0.0,
        u=u,
        lines=lines,
        exact=exact,
        _seal=SEAL,
    )


def check_mixed(run: MixedRun, d: int) -> None:
    """Refuse a run that cannot be one of parameter mixing."""
    N, weights = len(run.mistakes), as_array(run.weights, "run.weights")
    votes = np.asarray(run.votes)
    if weights.shape != (N + 1, d) or len(votes) != N or votes.ndim != 2:
        raise BadArgument("The run does not fit: it needs weights and votes for each epoch.")
    if votes.dtype.kind not in "iu" or any(len(e) != votes.shape[1] for e in run.mistakes):
        raise BadArgument("The run does not fit: votes are whole numbers, one per part and epoch.")
    if N == 0:
        raise BadArgument("The run does not fit: it has no epoch, so there is nothing to judge.")
    exact = weights.dtype == object
    if exact and not all(isinstance(v, Fraction | int) for v in weights.ravel().tolist()):
        raise BadArgument("The run does not fit: weights that are objects must be fractions.")
    if not np.isfinite(to_float(weights) if exact else as_floats(weights, "run.weights")).all():
        raise BadArgument("The run does not fit: its weights must be finite numbers.")


def shares(votes: np.ndarray) -> list[Fraction]:
    """Return mu_i, which add up to 1 exactly; all 0 if nobody votes."""
    total = _all_votes(votes)
    return [Fraction(int(v), total) if total > 0 else Fraction(0) for v in votes]


def _all_votes(votes: np.ndarray) -> int:
    """Return their sum as a whole number of any size: 64 bits may not hold it."""
    return sum(int(v) for v in votes)


def _mixed_count(votes, epoch: Sequence[ShardFacts]) -> Fraction:
    return sum((mu * f.mistakes for mu, f in zip(shares(votes), epoch)), Fraction(0))


def _shard_lines(run, facts, R2, gamma, u, exact) -> tuple[ProofLine, ...]:
    """Return the lines at each pair of an epoch and a part."""
    flat, S = [f for epoch in facts for f in epoch], np.shape(run.votes)[1]
    votes = exact_array(np.ravel(run.votes).astype(float), exact)
    slip, slips = np.array([f.slip for f in flat]), np.array([f.slips for f in flat])
    return (
        _line("votes", r"0 \le \mu_{in}", exactly(votes), parts=S),
        _line("mistake", r"y W\cdot x \le 0", -_joined([f.score for f in flat]), slip, parts=S),
        _line(
            "progress",
            r"v_{n-1}\cdot u + k_{in}\gamma \le W_{in}\cdot u",
            _joined([f.progress for f in flat]),
            parts=S,
        ),
        _line(
            "growth",
            r"\|W_{in}\|^2 \le \|v_{n-1}\|^2 + k_{in}R^2",
            _joined([f.growth for f in flat]),
            2 * slips,
            parts=S,
        ),
    )


def _epoch_lines(run, facts, R2, gamma, u, exact) -> tuple[ProofLine, ...]:
    """Return the lines at each epoch."""
    W, v = np.asarray(run.weights), _weights(run, exact)
    rounded = W.dtype != object
    mixes = [
        _mixing(after, votes, epoch, u, exact, rounded)
        for after, votes, epoch in zip(v[1:], run.votes, facts)
    ]
    drift, gain, spread, e_u, e_v = (_joined(list(column)) for column in zip(*mixes))
    slips = [sum(s * f.slips for s, f in zip(_plain(vo, exact), e))
             for vo, e in zip(run.votes, facts)]  # fmt: skip
    grown = [_average([f.growth for f in e], vo, exact) for vo, e in zip(run.votes, facts)]
    off_u, off_v = (np.maximum(b.high, -b.low) if rounded else 0 * b.value for b in (e_u, e_v))
    counts = [_mixed_count(vo, e) for vo, e in zip(run.votes, facts)]
    K = _numbers(np.cumsum(np.array(counts, object)), exact)
    dots = _joined([_dot(row, u, exact) for row in v[1:]])
    norms = _joined([_dot(row, row, exact) for row in v[1:]])
    u2 = _dot(u, u, exact)
    start = exactly(exact_array(-np.abs(to_float(W[:1])).max(axis=1), exact))
    end = exactly(np.array([0.0 if np.array_equal(run.w, W[-1]) else -1.0]))
    total = exactly(np.array([float(_all_votes(votes) - 1) for votes in run.votes]))
    reach, length = (gain + e_u).summed(), (_joined(grown) + spread - e_v).summed()
    slips = np.cumsum(np.array(slips) * 2)
    conclusion = R2.times(u2) - K.times(gamma.squared())
    return (
        _line("start", r"v_0 = 0", start),
        _line("end", r"w = v_N", end),
        _line("shares", r"\sum_i \mu_{in} = 1", total),
        _line("mixing", r"v_n = \sum_i \mu_{in} W_{in}", drift),
        _line("mixed progress", r"v_{n-1}\cdot u + \gamma\sum\mu k \le \sum\mu W\cdot u", gain),
        _line("Jensen", r"\|\sum\mu W\|^2 \le \sum\mu\|W\|^2", spread),
        _line("sum of progress", r"K_n\gamma \le v_n\cdot u", reach, np.cumsum(off_u)),
        _line("sum of growth", r"\|v_n\|^2 \le K_n R^2", length, slips + np.cumsum(off_v)),
        _line("Cauchy-Schwarz", r"(v_n\cdot u)^2 \le \|v_n\|^2\|u\|^2",
              (norms.times(u2) - dots.squared()).at_least(0)),  # by Lagrange, a sum of squares
        _line("conclusion", r"K_n \le (R/\gamma)^2", conclusion, larger=R2.times(u2).value),
    )  # fmt: skip


def _mixing(v, votes, epoch: Sequence[ShardFacts], u, exact: bool, rounded: bool):
    """Return what is left in the lines of one epoch's mix m = sum mu W, and what v = m + e adds.

    First: the rounding that an honest mix may have, less abs(e), at the worst entry. Then the mean
    progress, and sum mu norm(W - m)^2, which is what Jensen's inequality loses. Last e.u and
    norm(v)^2 - norm(m)^2, with which the sums go on.
    """
    mu = _plain(votes, exact)
    mix, mass, lag = (
        sum(m * part for m, part in zip(mu, column))
        for column in zip(*((f.end, np.abs(f.end), f.end_error) for f in epoch))
    )
    gain, e = _average([f.progress for f in epoch], votes, exact), v - mix
    unit = growth(len(epoch) + 4)
    if exact:
        least = Fraction(TINY) if any(mass) else 0
        allowed = (ROOM_FOR_ROUNDING + 1) * (Fraction(unit) * mass + lag + least) * rounded
        spread = sum(m * ((f.end - mix) @ (f.end - mix)) for m, f in zip(mu, epoch))
        values = (min(allowed - np.abs(e)), spread, e @ fractions(u), v @ v - mix @ mix)
        drift, apart, e_u, e_v = (exactly(np.array([value], object)) for value in values)
        return drift, gain, apart, e_u, e_v
    off = SAFE * (unit * mass + lag) + (TINY if mass.any() else 0.0)
    room = (ROOM_FOR_ROUNDING + 1) * off - np.abs(e)
    at = [int(np.argmin(room))]
    drift = between(room[at], (room - off)[at], (room + off)[at])
    size = np.abs(e) + off
    most = size @ np.abs(u), size @ (2 * np.abs(v) + size)
    lost = len(u) * TINY if size.any() else 0.0
    e_u, e_v = (within(np.zeros(1), np.array([SAFE * bound + lost])) for bound in most)
    apart = [_apart(f, mix, off) for f in epoch]
    return drift, gain, _average(apart, votes, False).at_least(0), e_u, e_v


def _apart(f: ShardFacts, mix: np.ndarray, mix_error: np.ndarray) -> Band:
    """Return norm(W - m)^2, which is not below 0."""
    gap = f.end - mix
    off = f.end_error + mix_error + UNIT * np.abs(gap)
    value = np.array([gap @ gap])
    error = SAFE * (2 * np.abs(gap) @ off + off @ off + growth(len(mix) + 2) * value) + TINY
    return within(value, error).at_least(0)


def _average(bands: list[Band], votes, exact: bool) -> Band:
    """Return sum mu_i band_i of numbers of any sign."""
    mu = _plain(votes, exact)
    if exact:
        none = exactly(np.array([Fraction(0)], object))
        return sum((_scaled_exact(m, b) for m, b in zip(mu, bands)), none)
    total = exactly(np.zeros(1))
    for m, b in zip(mu, bands):
        value = m * b.value
        off = SAFE * 4 * UNIT * np.maximum(np.abs(b.low), np.abs(b.high)) * m
        off += TINY * b.sides.any()
        total = total + between(value, m * b.low - off, m * b.high + off)
    return total


def _scaled_exact(m: Fraction, b: Band) -> Band:
    return Band(m * b.sides)


def _plain(votes, exact: bool) -> list:
    """Return the shares as fractions, or as the nearest floats."""
    return shares(votes) if exact else [float(m) for m in shares(votes)]


def _numbers(values: np.ndarray, exact: bool) -> Band:
    """Return fractions as a band."""
    if exact:
        return exactly(values)
    near = to_float(values)
    return within(near, 2 * UNIT * near)


def _dot(a, b, exact: bool) -> Band:
    if exact:
        return exactly(np.array([exact_array(a, True) @ exact_array(b, True)], object))
    error = SAFE * growth(len(a) + 2) * (np.abs(a) @ np.abs(b))
    return within(np.array([a @ b]), np.array([error + (TINY if np.any(a) else 0.0)]))


def _weights(run: MixedRun, exact: bool) -> np.ndarray:
    return exact_array(run.weights, True) if exact else np.asarray(run.weights, dtype=float)


def _joined(bands: list[Band]) -> Band:
    return Band(np.concatenate([b.sides for b in bands], axis=1))


def _line(name, statement, room: Band, rounding=None, *, larger=None, parts=1) -> ProofLine:
    larger = room.value if larger is None else np.broadcast_to(larger, room.value.shape)
    rounding = np.zeros(len(room.value)) if rounding is None else np.asarray(rounding)
    return ProofLine(name, statement, larger - room.value, larger, room, rounding, parts=parts)
