"""The judge of mistake bounds: every line of the proof, decided at every mistake.

A line is an inequality between exact numbers: those of the replay W_k = w_0 + sum y x, never
rounded. In floating point its slack lies between two bounds; what they leave open is decided in
fractions where the run is small, or by ``exact=True``. The *run* was rounded, too: the line
*update* asks for w_k to be the float nearest to w_(k-1) + y x, which is decided without error. A
score of 0 that floating point rounded to the wrong side fails its line by less than the run's
own rounding; that is no lie of the run and no proof: it is left undecided.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from .._result import SEAL, with_fields
from .band import Band, between, exactly, lower, upper
from .lines import MistakeBound, ProofLine
from .replay import (
    KernelRunClaim,
    Replay,
    Run,
    gram_in_fractions,
    in_fractions,
    replayed,
    replayed_by_gram,
)
from .rounding import one_float, to_float

#: Undecided runs are decided in fractions up to this many operations.
EXACT_OPERATIONS = 100_000
#: Fractions per mistake that all lines together take.
LINES_COST = 30


def judge_separable(
    run: Run,
    X: np.ndarray,
    y: np.ndarray,
    u: np.ndarray,
    R: float | None = None,
    gamma: float | None = None,
    *,
    exact: bool = False,
) -> MistakeBound:
    """Judge Novikoff's proof for a run on (X, y), u of unit length up to rounding."""
    return _by_features(lambda facts: _novikoff(facts, u, R, gamma), run, X, y, u, exact)


def judge_hinge(
    run: Run, X: np.ndarray, y: np.ndarray, u: np.ndarray, *, exact: bool = False
) -> MistakeBound:
    """Judge L3's proof with slacks for a run on (X, y)."""
    return _by_features(lambda facts: _hinge(facts, u), run, X, y, u, exact)


def _by_features(lines, run: Run, X, y, u, exact: bool) -> MistakeBound:
    """Judge these lines on a replay of the run."""
    seen = replayed(run, X, y, u)
    cost = X.size + (len(run.mistakes) * X.shape[1] if seen.rounding.any() else 0)
    return _decided(lines, seen, lambda: in_fractions(seen, run, X, y, u), cost, exact)


def judge_kernel(
    run: KernelRunClaim, K: np.ndarray, y: np.ndarray, c: np.ndarray, *, exact: bool = False
) -> MistakeBound:
    """Judge Novikoff's proof in phi-space, u = sum c_i phi(x_i), for the numbers in K."""
    seen = replayed_by_gram(run, K, y, c)
    return _decided(
        lambda facts: _novikoff(facts, c, None, None),
        seen,
        lambda: gram_in_fractions(seen, K, y, c),
        len(run.mistakes) * len(K) + K.size,
        exact,
    )


def _decided(lines, seen: Replay, in_fractions, cost: int, exact: bool) -> MistakeBound:
    """Judge in floating point; what is left open and small, or asked for, in fractions."""
    if exact:
        return lines(in_fractions())
    with np.errstate(all="ignore"):
        rough = lines(seen)
    small = cost + LINES_COST * len(seen.mistakes) <= EXACT_OPERATIONS
    return _shown(lines(in_fractions())) if small and rough.undecided else rough


def _shown(bound: MistakeBound) -> MistakeBound:
    """Return a bound that fractions decided with its numbers as floats, for showing."""
    lines = tuple(
        with_fields(
            line,
            smaller=to_float(line.smaller),
            larger=to_float(line.larger),
            room=Band(to_float(line.room.sides)),
            rounding=to_float(line.rounding),
        )
        for line in bound.lines
    )
    rounded = {"bound": one_float(bound.bound), "hinge_sum": one_float(bound.hinge_sum)}
    return with_fields(bound, lines=lines, **rounded)


# --- the two proofs ------------------------------------------------------------------------------


@dataclass(frozen=True)
class ProofTexts:
    """What differs between the two proofs in the lines they share (LaTeX)."""

    gain: str  #: what a mistake adds to w.u at least
    total: str  #: what k mistakes add
    product: str  #: the right-hand side of Cauchy-Schwarz


def _novikoff(facts: Replay, u: np.ndarray, R, gamma) -> MistakeBound:
    m = facts.mistakes
    R2, short = _radius(facts, R)
    g = _least(facts.edge) if gamma is None else _number(gamma, facts.exact)
    extra = facts.edge[m] - g
    extra = extra.at_least(0) if gamma is None else extra  # gamma is the least edge
    gain = g.value + 0 * _count(facts)
    bound = ratio(R2.times(facts.u2) if gamma is None else R2, g)  # u is a unit up to rounding
    text = ProofTexts(r"\gamma", r"k\gamma", r"\|w_k\|^2")
    lines = (
        margin_line(g),
        *shared_lines(facts, gain, extra, R2, short, text),
        conclusion_line(r"k \le (R/\gamma)^2", facts, bound),
    )
    return MistakeBound(
        mistakes=len(m),
        bound=_plain(bound.value[0], facts.exact),
        R=_root(R2),
        gamma=one_float(g.value[0]) / (_root(facts.u2) or 1.0),
        u=u,
        xi=np.zeros(len(facts.edge.value)),
        hinge_sum=_plain(0 * g.value[0], facts.exact),
        lines=lines,
        exact=facts.exact,
        _seal=SEAL,
    )


def _hinge(facts: Replay, u: np.ndarray) -> MistakeBound:
    R2, short = _radius(facts, None)
    lines, price, total = hinge_lines(facts, R2, short)
    u2 = _root(facts.u2)
    return MistakeBound(
        mistakes=len(facts.mistakes),
        bound=_plain(price + 2 * total, facts.exact),
        R=_root(R2),
        gamma=1 / u2 if u2 > 0 else float("inf"),
        u=u,
        xi=to_float((_number(1, facts.exact) - facts.edge).at_least(0).value),
        hinge_sum=_plain(total, facts.exact),
        lines=lines,
        exact=facts.exact,
        _seal=SEAL,
    )


def hinge_lines(facts: Replay, R2: Band, short: Band) -> tuple[tuple[ProofLine, ...], Any, Any]:
    """Return the lines of the proof with slacks, R^2 norm(u)^2, and the sum L of all slacks."""
    edge, one = facts.edge[facts.mistakes], _number(1, facts.exact)
    xi, extra = (one - edge).at_least(0), (edge - one).at_least(0)
    k, L, price = exactly(_count(facts)), xi.summed(), R2.times(facts.u2)
    left, allowed = (k - L).at_least(0).squared(), k.times(price)
    text = ProofTexts(r"1 - \xi_k", r"k - L_k", r"\|w_k\|^2\,\|u\|^2")
    squares = r"\max(0, k - L_k)^2 \le kR^2\|u\|^2"
    lines = (
        *shared_lines(facts, 1 - xi.value, extra, R2, short, text),
        proof_line("squares", squares, left.value, allowed.value, allowed - left),
        conclusion_line(r"k \le R^2\|u\|^2 + 2L_k", facts, price + L.doubled()),
    )
    return lines, price.value[0], L.value[-1] if len(L.value) else 0 * price.value[0]


def conclusion_line(statement: str, facts: Replay, bound: Band) -> ProofLine:
    """Return the line that the k-th mistake is not beyond the bound."""
    k = _count(facts)
    return proof_line("conclusion", statement, k, bound.value + 0 * k, bound - exactly(k))


def shared_lines(
    facts: Replay, gain: np.ndarray, extra: Band, R2: Band, short: Band, text: ProofTexts
) -> tuple[ProofLine, ...]:
    """Return the lines that both proofs share.

    gain[k - 1] is what the k-th mistake must add to w.u, `extra` what it adds beyond that, and
    `short` what its norm^2 is short of R^2.
    """
    k, nothing = _count(facts), 0 * _count(facts)
    dot, norm2, slip = facts.dot, facts.norm2, facts.rounding
    before, was2 = _before(facts.start_dot, dot), _before(facts.start2, norm2)
    room = short - facts.score.doubled()
    longest = np.sqrt(np.max(to_float(norm2.value), initial=0.0))
    reach = float(longest) * max(_root(R2), 0.0)
    product = norm2.times(facts.u2)
    rows = (
        ("update", r"w_k = w_{k-1} + y_k x_k", facts.drift,
         np.zeros(len(facts.drift)), exactly(-facts.drift)),
        ("mistake", r"y_k\, w_{k-1}\cdot x_k \le 0", facts.score.value, nothing, -facts.score,
         slip, reach),
        ("progress", rf"w_{{k-1}}\cdot u + {text.gain} \le w_k\cdot u", before + gain,
         dot.value, extra),
        ("growth", r"\|w_k\|^2 \le \|w_{k-1}\|^2 + R^2", norm2.value, was2 + R2.value, room,
         2 * slip),
        ("sum of progress", rf"{text.total} \le w_k\cdot u", np.cumsum(gain), dot.value,
         facts.start_dot + extra.summed()),
        ("sum of growth", r"\|w_k\|^2 \le kR^2", norm2.value, k * R2.value,
         room.summed() - facts.start2, 2 * np.cumsum(slip)),
        ("Cauchy-Schwarz", rf"(w_k\cdot u)^2 \le {text.product}", dot.value**2, product.value,
         product - dot.squared()),
    )  # fmt: skip
    return tuple(proof_line(*row) for row in rows)


def proof_line(
    name: str,
    statement: str,
    smaller: np.ndarray,
    larger: np.ndarray,
    room: Band,
    rounding: np.ndarray | None = None,
    reach: float = 0.0,
) -> ProofLine:
    """Return the line smaller <= larger; `room` is their difference, between bounds."""
    rounding = np.zeros(len(smaller)) if rounding is None else rounding
    return ProofLine(name, statement, smaller, larger, room, rounding, reach)


def margin_line(g: Band) -> ProofLine:
    """Return the line 0 < gamma; it is strict, so a slack of 0 fails."""
    low, high = (v if v[0] > 0 else v * 0 - 1 for v in (g.low, g.high))
    return proof_line("positive", r"0 < \gamma", 0 * g.value, g.value, between(g.value, low, high))


def _radius(facts: Replay, R) -> tuple[Band, Band]:
    """Return R^2, and what each mistake's norm^2 is short of it."""
    if R is not None:
        R2 = _number(R, facts.exact).squared()
        return R2, R2 - facts.size[facts.mistakes]
    R2 = Band(facts.size.sides.max(axis=1, keepdims=True))
    return R2, (R2 - facts.size[facts.mistakes]).at_least(0)  # R^2 is the largest norm^2


def _least(edge: Band) -> Band:
    return Band(edge.sides.min(axis=1, keepdims=True))


def ratio(above: Band, g: Band) -> Band:
    """Return above / g^2; infinite if g is not positive."""
    if not g.value[0] > 0:
        return exactly(np.array([np.inf]))
    if above.value.dtype == object:
        return exactly(above.value / g.value**2)
    value = above.value / g.value / g.value
    low = lower(lower(lower(above.low / g.high) / g.high))
    high = upper(upper(upper(above.high / g.low) / g.low)) if g.low[0] > 0 else value + np.inf
    clear = 1e-290 < low[0] and value[0] < 1e290 and above.low[0] / g.high[0] > 1e-290
    return between(value, low if clear else value * np.nan, high)


def _number(value, exact: bool) -> Band:
    return exactly(np.array([Fraction(value)], object) if exact else np.array([float(value)]))


def _count(facts: Replay) -> np.ndarray:
    last = len(facts.mistakes) + 1
    if facts.exact:
        return np.array([Fraction(k) for k in range(1, last)], object)
    return np.arange(1.0, last)


def _before(start: Band, after: Band) -> np.ndarray:
    """Return what stood before each mistake, from the start and what stood after each."""
    return np.concatenate([start.value, after.value[:-1]])[: len(after.value)]


def _plain(value, exact: bool) -> float | Fraction:
    return value if exact else one_float(value)


def _root(square: Band) -> float:
    return float(np.sqrt(max(one_float(square.value[0]), 0.0)))
