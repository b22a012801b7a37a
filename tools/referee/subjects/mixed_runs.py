"""Perceptrons over parts, mixed: honest runs, and runs that were tampered with."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from lectures_lib import partitions
from tools.referee import api, draw
from tools.referee.ledger import Ledger
from tools.referee.rational import ZERO, Vector, dot, exact
from tools.referee.subjects.mistake_bounds import comparison

#: Mixed weights further off than this, relative to what was mixed, were never rounded so.
DRIFT = Fraction(1, 10**9)
#: Weights of one rounding are certainly as honest as floats can be.
ONE_ROUNDING = Fraction(1, 2**53)


def case(rng: np.random.Generator, ledger: Ledger) -> None:
    """Replay the proof of a mixed run in fractions and compare the verdicts."""
    data, parts = draw.in_parts(rng, 9)
    by_hand, votes = bool(rng.random() < 0.2), str(rng.choice(["mistakes", "equal"]))
    method = partitions.parameter_mixing_by_hand if by_hand else partitions.parameter_mixing
    what = f"{method.__name__} votes={votes} {len(parts)} parts [{data.kind}]"
    run = ledger.call(what, method, parts, votes=votes, max_epochs=3 if by_hand else 6)
    if run is None:
        return
    clean = all(s * dot(exact(run.w), x) > 0 for x, s in zip(exact(data.X), exact(data.y)))
    if run.converged or clean:
        ledger.converged(f"{what}: its last weights", run.converged, right=clean)
    name = str(rng.choice(list(RUN_LIES))) if rng.random() < 0.65 else "none"
    judge_run(rng, ledger, f"mixing_bound of {what} lie={name}", data, parts, run, name)


def judge_run(rng, ledger: Ledger, what: str, data, parts, run, name: str) -> None:
    """Tamper with the run, ask its judge, and compare."""
    run, decided = RUN_LIES[name](rng, run, parts), bool(rng.random() < 0.3)
    u = None if run.converged and rng.random() < 0.2 else comparison(rng, data)
    proof = ledger.call(
        what, partitions.mixing_bound, run, parts, u, exact=decided, legal=name in HONEST
    )
    if proof is None:
        return
    right, tight = truth_of_run(run, parts, exact(proof.u))
    if name in HONEST:  # it may fail its lines by its own rounding, and must not be blamed for it
        tight = separates(exact(proof.u), parts)
    said = api.verdict(proof)
    ledger.verdict(f"{what} exact={decided}", said, right=right, tight=tight)
    if data.unit and right and name in HONEST:
        ledger.ordinary(what, said == "proved")


def separates(u: Vector, parts: list) -> bool:
    """Return whether u has every example on its side."""
    return all(s * dot(u, x) > 0 for X, y in parts for x, s in zip(exact(X), exact(y)))


def truth_of_run(run, parts: list, u: Vector) -> tuple[bool, bool]:
    """Return whether every line of the proof holds, and whether no rounding is in the way."""
    wrong = False, False
    if not all(np.isfinite(np.asarray(v, float)).all() for v in (run.weights, run.w)):
        return wrong
    claimed, votes = exact(run.weights), run.votes.tolist()
    rounded = run.weights.dtype != object  # fractions are what they say: any drift is a lie
    far, one_rounding = (DRIFT, ONE_ROUNDING) if rounded else (ZERO, ZERO)
    if any(claimed[0]) or exact(run.w) != claimed[-1] or not separates(u, parts):
        return wrong
    if any(min(vote) < 0 or sum(vote) <= 0 for vote in votes):
        return wrong
    shards = [(exact(X), exact(y)) for X, y in parts]
    R2 = max(dot(x, x) for X, _ in shards for x in X)
    gamma = min(s * dot(u, x) for X, y in shards for x, s in zip(X, y))
    K, tight = ZERO, True
    for start, end, vote, mistakes in zip(claimed, claimed[1:], votes, run.mistakes):
        walks = [walked(shard, start, m) for shard, m in zip(shards, mistakes)]
        if None in walks:
            return wrong
        mu = [Fraction(v, sum(vote)) for v in vote]
        K += dot(mu, [Fraction(len(m)) for m in mistakes])
        near = drift(end, walks, mu)
        if near > far or dot(end, u) < K * gamma or dot(end, end) > K * R2:
            return wrong
        tight = tight and near <= one_rounding
    right = K * gamma**2 <= R2 * dot(u, u)
    return right, right and tight


def walked(shard: tuple, start: Vector, mistakes) -> list[Vector] | None:
    """Return the weights of a part's pass by these mistakes; None if one of them is none."""
    (X, y), w = shard, start
    walk = [start]
    for i in np.asarray(mistakes).tolist():
        if y[i] * dot(w, X[i]) > 0:
            return None
        w = [a + y[i] * b for a, b in zip(w, X[i])]
        walk.append(w)
    return walk


def drift(claimed: Vector, walks: list, mu: Vector) -> Fraction:
    """Return how far the claimed mix is off, relative to what was added up, at its worst entry."""
    worst = ZERO
    for j, v in enumerate(claimed):
        off = abs(v - dot(mu, [walk[-1][j] for walk in walks]))
        size = dot(mu, [max(abs(w[j]) for w in walk) for walk in walks])
        worst = max(worst, off / size if size else Fraction(off > 0))
    return worst


def _weight(rng, run, f):
    W = run.weights.copy()
    k, j = rng.integers(len(W)), rng.integers(W.shape[1])
    top = max(abs(v) for v in W.ravel().tolist())
    W[k, j] = f(W[k, j], top + 1)
    return replace(run, weights=W, w=W[-1])


def _step(rng, run, low):
    size = draw.power(rng, low, 1)
    return Fraction(size) if run.weights.dtype == object else size


def _votes(rng, run, change):
    votes = run.votes.copy()
    votes[rng.integers(len(votes)), rng.integers(votes.shape[1])] += change
    return replace(run, votes=votes)


def _mistakes(rng, run, parts, change):
    """One part's list of one epoch is changed; the weights stay."""
    lists = [list(epoch) for epoch in run.mistakes]
    e, i = rng.integers(len(lists)), rng.integers(len(parts))
    lists[e][i] = np.asarray(change(lists[e][i].tolist(), len(parts[i][1])), dtype=int)
    return replace(run, mistakes=tuple(map(tuple, lists)))


def _other(rng):
    def change(mistakes, n):
        if mistakes:
            mistakes[rng.integers(len(mistakes))] = int(rng.integers(n))
        return mistakes

    return change


def _invented(rng):
    return lambda mistakes, n: [*mistakes, int(rng.integers(n))]


def _reversed(mistakes, n):
    return mistakes[::-1]


def _redone(run, parts):
    """Return the run with the weights that its mistakes and votes make, and no others."""
    v = run.weights[0]
    weights = [v]
    for vote, mistakes in zip(run.votes.tolist(), run.mistakes):
        ends = [_end(v, *part, m) for part, m in zip(parts, mistakes)]
        total = sum(vote)
        v = sum((k * w for k, w in zip(vote, ends)), 0 * v)
        v = v * Fraction(1, total) if v.dtype == object else v / total
        weights.append(v)
    W = np.array(weights, dtype=run.weights.dtype)
    return replace(run, weights=W, w=W[-1])


def _end(v, X, y, mistakes):
    for i in mistakes.tolist():
        step = y[i] * X[i]
        v = v + (np.array(exact(step), object) if v.dtype == object else step)
    return v


def _swapped(rng, run, parts):
    """The parts get each other's shares."""
    return replace(run, votes=run.votes[:, rng.permutation(len(parts))])


HONEST = ("none", "twice the votes")
RUN_LIES = {
    "none": lambda rng, run, parts: run,
    "twice the votes": lambda rng, run, parts: replace(run, votes=2 * run.votes),
    "a weight": lambda rng, run, parts: _weight(
        rng, run, lambda v, top: v + _step(rng, run, -7) * top),
    "a weight, a little": lambda rng, run, parts: _weight(
        rng, run, lambda v, top: v * (1 + _step(rng, run, -16))),
    "a nan": lambda rng, run, parts: _weight(rng, run, lambda v, top: np.nan),
    "an infinity": lambda rng, run, parts: _weight(rng, run, lambda v, top: np.inf),
    "w moved": lambda rng, run, parts: replace(run, w=run.w + _step(rng, run, -7)),
    "w is nan": lambda rng, run, parts: replace(run, w=np.full(len(run.w), np.nan)),
    "another start": lambda rng, run, parts: replace(
        run, weights=np.vstack([run.weights[:1] + 1, run.weights[1:]])),
    "a vote more": lambda rng, run, parts: _votes(rng, run, 1),
    "a vote below 0": lambda rng, run, parts: _votes(rng, run, -1 - int(run.votes.max())),
    "nobody votes": lambda rng, run, parts: replace(run, votes=0 * run.votes),
    "votes beyond whole numbers": lambda rng, run, parts: replace(
        run, votes=np.full_like(run.votes, 2**62)),
    "votes change places": _swapped,
    "another example": lambda rng, run, parts: _mistakes(rng, run, parts, _other(rng)),
    "a mistake invented": lambda rng, run, parts: _mistakes(rng, run, parts, _invented(rng)),
    "a mistake less": lambda rng, run, parts: _mistakes(rng, run, parts, lambda m, n: m[:-1]),
    "backwards": lambda rng, run, parts: _mistakes(rng, run, parts, _reversed),
    "no such example": lambda rng, run, parts: _mistakes(
        rng, run, parts, lambda m, n: [*m, n]),
    "another example, and its weights": lambda rng, run, parts: _redone(
        _mistakes(rng, run, parts, _other(rng)), parts),
    "invented, and its weights": lambda rng, run, parts: _redone(
        _mistakes(rng, run, parts, _invented(rng)), parts),
    "backwards, and its weights": lambda rng, run, parts: _redone(
        _mistakes(rng, run, parts, _reversed), parts),
    "a vote more, and its weights": lambda rng, run, parts: _redone(
        _votes(rng, run, 1), parts),
}  # fmt: skip
