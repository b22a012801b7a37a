"""The linear support vector machine over parts: dual coordinate ascent by blocks (CoCoA).

The dual is D(alpha) = sum alpha - half norm(w)^2 with w = sum alpha y x and 0 <= alpha <= C. A
round visits the parts in groups, `together` at a time. Every part k of a group climbs from the same
w, by passes over its own alpha, the model

    m_k = sum delta_i - w.dw_k - half sigma norm(dw_k)^2      dw_k = sum_(i in k) delta_i y_i x_i

and only dw_k is sent. The steps of the group are added and stretched by the t that is best for D,
as far as the box allows; the next group starts from the w that results.

*D never falls.* With dw = sum dw_k over the group, slope = sum (sum delta - w.dw_k) and
bend = norm(dw)^2, D grows by t slope - half t^2 bend. A part starts at m_k = 0 and climbs, so its
share of the slope is at least half sigma norm(dw_k)^2: slope >= 0, and the best t = slope / bend
raises D by slope^2 / (2 bend), whatever sigma is; where the box cuts it, by half of t slope at
least. And no round stands still too early: at an alpha that is not optimal some part can climb.

*Which sigma.* One with bend <= sigma sum norm(dw_k)^2: then D grows at least by the sum of the
models, already with t = 1. By Jensen's inequality the size of the group is always enough (Jaggi
and others 2014; Ma and others 2015). Parts that agree need all of it, but parts that do not need
far less, and their steps would be too careful. So sigma is the largest bend / sum norm(dw_k)^2 of
the groups of the round before. In the first round nothing is known, and sigma is the number of all
parts: each acts as if all others did the same. That spreads alpha over them evenly; else the first
group would take most of it, and the others would have to win it back.

*The gap.* P(w) - D(alpha) = sum C xi - alpha (1 - y w.x) for w = sum alpha y x, and no term is
negative. A round adds up the terms as it meets them, at the w and alpha that each part has then:
an estimate, as they are not of one moment unless all parts are one group. It says when to ask the
judge. He looks at all parts with one w and alpha, and he alone says when to stop.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._arguments import BadArgument, explained
from .._result import SEAL, Result, with_fields
from ..conventions import LARGEST, OneLine, as_array, as_floats, check_count, check_positive, sign
from ..proof.duality import Certificate
from ..proof.partitions import judge_parts, part_sums
from .loops import _part_gap, _weighted_sum, block_pass
from .parts import AnyPart, FilePart, Part, check_parts, in_place
from .records import Alpha, Message, Record, State, alpha_of, store
from .workers import Cluster, Here, workers_of

#: Parts in one group, where nobody says how many.
AT_ONCE = 8
#: A step along the line is cut here, however flat the dual is.
LONGEST_STEP = 1e6
#: A step below this, relative to the box, is due to rounding: it does not limit the others.
NO_STEP = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class BlockMachine(OneLine, Result):
    """A linear machine f(x) = w.x made of parts, with its proof over all of them."""

    w: np.ndarray  #: (d,) sum alpha y x, as all rounds added it up
    alpha: tuple[Any, ...]  #: of each part: an array, or the future of one, where workers keep it
    C: float
    iterations: int  #: rounds: each sends w to every part and brings one vector of each back
    gaps: (
        np.ndarray
    )  #: (iterations + 1,) of each round, as it met its examples; at the end, the judge's
    certificate: Certificate  #: the proof, rounding included

    @property
    def converged(self) -> bool:
        """The gap over all parts is proved to be within the tolerance."""
        return self.certificate.holds

    def decision(self, X: ArrayLike) -> np.ndarray:
        """Return w.x for each row."""
        return np.asarray(X, dtype=float) @ self.w

    def predict(self, X: ArrayLike) -> np.ndarray:
        """Return the sign of the decision, never 0."""
        return sign(self.decision(X))

    def rejudge(self, parts: Sequence[AnyPart], *, tol: float = 1e-3) -> "BlockMachine":
        """Judge w and the alpha of all parts anew, also of a changed copy.

        Parameters
        ----------
        parts, tol : as in `block_ascent`; alpha that workers keep has to be fetched first

        Examples
        --------
        >>> from dataclasses import replace
        >>> parts = partitions.split(*datasets.noisy(200), 4)
        >>> machine = partitions.block_ascent(parts)
        >>> replace(machine, w=-machine.w).rejudge(parts).certificate.verdict
        'refuted'
        """
        proof = block_certificate(parts, self.C, self.alpha, self.w, tol=tol)
        return with_fields(self, certificate=proof, gaps=np.append(self.gaps[:-1], proof.gap))


@explained
def block_ascent(
    parts: Sequence[AnyPart],
    C: float = 1.0,
    *,
    epochs: int = 20,
    together: int | None = None,
    tol: float = 1e-3,
    max_iterations: int = 1000,
    client: Any | None = None,
    folder: str | Path | None = None,
) -> BlockMachine:
    """Minimise half norm(w)^2 + C sum max(0, 1 - y w.x) over all parts; w.x has no offset.

    For an offset add a constant feature (`conventions.add_constant`); its weight is penalised.

    Parameters
    ----------
    parts : pairs (X, y), `split`, or files of `save`
    C : the price of slack
    epochs : passes of each part over its own examples in one round: more work for one message. The
        first pass looks at every example, the next ones at those that the pass before has moved
    together : how many parts start from the same w; None: half of them, 8 at most. As many workers
        have work at a time, and the next parts wait until these have sent their steps: the fewer
        together, the fewer rounds, with more waits in each. It is part of the problem: the answer
        depends on it, and never on the number of workers
    tol : stop at a duality gap over all parts that is proved to be tol at most, relative
    max_iterations : rounds at most
    client : a distributed.Client whose workers do the passes and keep their alpha; None: this
        process, to the same bit
    folder : where alpha is kept after each round, instead of memory: the same call after a process
        was killed goes on from the last whole round, and ends with the same bits

    Examples
    --------
    >>> X, y = datasets.noisy(200)
    >>> machine = partitions.block_ascent(partitions.split(X, y, 4))
    >>> print(machine.converged, machine.certificate.verdict)
    True proved
    """
    C, tol = check_positive(C, "C"), check_positive(tol, "tol")
    check_count(epochs, "epochs"), check_count(max_iterations, "max_iterations")
    known, workers = check_parts(parts), workers_of(client)
    groups = _groups(len(known), together)
    sizes = [*map(len, groups), *(size for part in known for size in part.shape)]
    record, held = Record(folder, [C, epochs, *sizes]), workers.hold(known)
    state = record.found(len(known)) or _fresh(workers, held, known[0].shape[1])
    while True:
        last = state.rounds >= max_iterations
        if last or _near(state, len(groups), tol):
            machine = _proved(workers, held, state, C, tol)
            if last or machine.certificate.verdict != "refuted":
                return machine
            state.learn(machine.gaps[-1])
        _round(workers, held, groups, state, C, epochs, record)


def _groups(parts: int, together: int | None) -> list[list[int]]:
    """Return the numbers of the parts in groups, as few as may be, of equal size up to one."""
    if together is None:
        together = min(AT_ONCE, -(-parts // 2))
    count = -(-parts // check_count(together, "together"))
    return [group.tolist() for group in np.array_split(np.arange(parts), count)]


def _round(workers, held, groups, state: State, C: float, epochs: int, record: Record) -> None:
    """Visit every part once, one group after the other, and write down what is known then."""
    met, total, needed = 0.0, 0.0, 1.0
    for group in groups:
        messages, t = _visit_group(workers, held, group, state, C, epochs, record)
        met += sum(m.gap for m in messages)
        total += sum(m.alpha + t * m.gain for m in messages)
        needed = max(needed, _needed_sigma(messages))
    if record.home is not None:
        state.alpha = workers.gather(state.alpha)  # every file is written
    state.sigma = needed
    state.gaps.append((met, total - 0.5 * float(state.w @ state.w)))
    record.write(state)


def _visit_group(workers, held, group, state: State, C: float, epochs: int, record: Record):
    """Let the parts of a group climb from one w, and take their joint step; return messages, t.

    What a part keeps of its climb until t is known stays with its worker.
    """
    given = C, state.sigma, state.w, epochs
    moved = [workers.submit(climb, held[i], state.alpha[i], *given) for i in group]
    messages = workers.gather([workers.submit(itemgetter(2), one) for one in moved])
    t, state.w = _line_search(messages, state.w)
    for i, one in zip(group, moved):
        path = record.path(state.rounds + 1, i)
        state.alpha[i] = workers.submit(stretch, one, t, C, path)
    return messages, t


def climb(
    part: Part | FilePart, alpha: Alpha, C: float, sigma: float, w: np.ndarray, epochs: int
) -> tuple[np.ndarray, np.ndarray, Message]:
    """Find a part's next step from w: return alpha, the step, and what to tell about it."""
    (X, y), alpha = part.load(), alpha_of(alpha)
    norms2 = np.empty(len(y))
    gap = float(_part_gap(X, y, C, w, alpha, norms2))
    v, new, order = w.copy(), alpha.copy(), np.arange(len(y))
    for _ in range(epochs):
        order = block_pass(X, y, C, sigma, v, new, norms2, order)
    delta = new - alpha
    dw = _weighted_sum(X, delta * y)
    message = Message(dw, float(delta.sum()), float(alpha.sum()), gap, _reach(alpha, delta, C))
    return alpha, delta, message


def stretch(moved: tuple[np.ndarray, np.ndarray, Message], t: float, C: float, path: str) -> Alpha:
    """Take the step t times, and keep the alpha that results."""
    alpha, delta, _ = moved
    return store(np.clip(alpha + t * delta, 0.0, C), path)


def _reach(alpha: np.ndarray, delta: np.ndarray, C: float) -> float:
    """Return the largest t with 0 <= alpha + t delta <= C, steps of rounding size left out."""
    moving = np.abs(delta) > NO_STEP * C
    room = np.where(delta > 0, C - alpha, alpha)[moving]
    return float(min(np.min(room / np.abs(delta[moving]), initial=LONGEST_STEP), LONGEST_STEP))


def _line_search(messages: Sequence[Message], w: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the best t along the joint step, within the box, and the w it leads to."""
    dw = np.sum([m.dw for m in messages], axis=0)
    slope, bend = sum(m.gain for m in messages) - w @ dw, dw @ dw
    most = max(1.0, min(m.reach for m in messages))
    t = min(max(slope / bend, 0.0), most) if bend > 0 else most
    return float(t), w + t * dw


def _needed_sigma(messages: Sequence[Message]) -> float:
    """Return the sigma for which the models of a group promised no more than D could give."""
    steps = np.array([m.dw for m in messages])
    dw, alone = steps.sum(axis=0), float((steps * steps).sum())
    return float(dw @ dw) / alone if alone > 0 else 1.0


def _near(state: State, groups: int, tol: float) -> bool:
    """Say whether the judge may find a gap of tol: by what he found last, or by the trend.

    Groups were met (groups + 1) / (2 groups) of a round before its end, on average, and since then
    the gap has fallen at the rate of the round.
    """
    if not state.gaps:
        return False
    met, dual = state.gaps[-1]
    before = state.gaps[-2][0] if state.rounds > 1 else met
    rate = min(met / before, 1.0) if before > 0 else 1.0
    share = state.share or rate ** ((groups + 1) / (2 * groups))
    return met * share <= 0.9 * tol * dual


def _proved(workers, held, state: State, C: float, tol: float) -> BlockMachine:
    """Let the judge look at w and at the alpha of all parts."""
    alphas = [workers.submit(alpha_of, alpha) for alpha in state.alpha]

    def ask_sums(exact):
        pairs = zip(held, alphas)
        futures = [workers.submit(_sums, part, C, a, state.w, exact) for part, a in pairs]
        return workers.gather(futures)

    seen = judge_parts(ask_sums, state.w, tol)
    gaps = np.array([*(met for met, _ in state.gaps), seen.gap])
    return BlockMachine(state.w, tuple(alphas), C, state.rounds, gaps, seen, _seal=SEAL)


@explained
def block_certificate(
    parts: Sequence[AnyPart],
    C: float,
    alpha: Sequence[ArrayLike],
    w: ArrayLike,
    *,
    tol: float = 1e-3,
    exact: bool = False,
) -> Certificate:
    """Judge weights w by an alpha for each part: the duality gap over all parts, part by part.

    Every sum carries a bound for its rounding; what that leaves open in a small case is decided in
    fractions.

    Parameters
    ----------
    parts, C : the problem of `block_ascent`
    alpha : of each part, one number per example
    w : (d,) the weights
    tol : the relative gap that counts as optimal
    exact : compute in fractions

    Examples
    --------
    >>> parts = [([[2.0, 0.0]], [1]), ([[-2.0, 0.0]], [-1])]
    >>> partitions.block_certificate(parts, 1.0, [[0.125], [0.125]], [0.5, 0.0]).verdict
    'proved'
    """
    known, w = check_parts(parts), as_floats(w, "w")
    C, tol = check_positive(C, "C"), check_positive(tol, "tol")
    if w.shape != known[0].shape[1:]:
        raise BadArgument(f"w needs {known[0].shape[1]} entries, one per feature.")
    if (np.abs(w[np.isfinite(w)]) > LARGEST).any():
        raise BadArgument(f"w has entries above {LARGEST:g}, whose squares overflow: rescale.")
    if len(alpha) != len(known):
        raise BadArgument(f"alpha must hold one array for each of the {len(known)} parts.")

    def ask_sums(exact):
        return [_sums(p, C, as_array(a, "alpha"), w, exact) for p, a in zip(known, alpha)]

    return judge_parts(ask_sums, w, tol, exact=exact)


def _fresh(workers: Here | Cluster, held: list[Any], d: int) -> State:
    """Return what is known before the first round."""
    alpha = [workers.submit(_zeros_for, part) for part in held]
    return State(np.zeros(d), float(len(held)), 0.0, [], alpha)


def _zeros_for(part: Part | FilePart) -> np.ndarray:
    return np.zeros(part.shape[0])


def _sums(part: Part | FilePart, C: float, alpha: np.ndarray, w: np.ndarray, exact: bool):
    return part_sums(*part.load(), C, in_place(alpha), in_place(w), exact)
