"""The linear support vector machine over parts: dual coordinate ascent by blocks (CoCoA).

The dual is D(alpha) = sum alpha - half norm(w)^2 with w = sum alpha y x and 0 <= alpha <= C. In
each round every part k climbs from the same w, by passes over its own alpha, the model

    sum delta_i - w.dw_k - half sigma norm(dw_k)^2            dw_k = sum_(i in k) delta_i y_i x_i

and only dw_k is sent. With sigma = the number S of parts all steps may be *added*: by Jensen's
inequality norm(sum dw_k)^2 <= S sum norm(dw_k)^2, so D grows at least by the sum of the models
(Jaggi and others 2014; Ma and others 2015). The joint step is then stretched by the t that is best
for D along it, as far as the box allows; t = 1 is allowed, so nothing is lost by that.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .._door import door
from .._jit import jit
from ..conventions import OneLine, check_count, check_positive, sign
from ..proof.duality import Certificate
from ..proof.partitions import judge_parts, part_sums
from .parts import AnyPart, FilePart, Part, checked
from .records import Block, FileBlock, Message, Record, kept
from .team import Cluster, Here, team

#: A step along the line is cut here, however flat the dual is.
LONGEST = 1e6
#: A step below this, relative to the box, is due to rounding: it does not limit the others.
ROUNDING = 1e-12


@dataclass(frozen=True, eq=False, repr=False)
class BlockMachine(OneLine):
    """A linear machine f(x) = w.x made of parts, with its proof over all of them."""

    w: np.ndarray  #: (d,) sum alpha y x
    alpha: tuple[Any, ...]  #: of each part: an array, or the future of one, where workers keep it
    C: float
    iterations: int  #: rounds: each sends w out and one vector per part back
    gaps: np.ndarray  #: (iterations + 1,) P(w) - D(alpha) before each round and at the end, rounded
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


@jit
def block_pass(X, y, C, sigma, v, alpha, norms2):
    """Maximise a part's model in one alpha after another; v = w + sigma dw moves along.

    Parameters
    ----------
    X, y : (n, d) examples and (n,) labels -1.0, +1.0 of one part, unchecked
    C, sigma : the price of slack, and how much longer the part takes its own steps to be
    v, alpha : (d,) and (n,), changed in place
    norms2 : (n,) norm(x)^2

    Examples
    --------
    >>> X, y = datasets.lecture_example()
    >>> v, alpha = np.zeros(2), np.zeros(6)
    >>> partitions.block_pass(X, y, 1.0, 2.0, v, alpha, (X**2).sum(axis=1))
    >>> alpha[:3]
    array([0.1, 0.4, 0.1])
    """
    for i in range(y.size):
        f = 0.0
        for j in range(v.size):
            f += v[j] * X[i, j]
        new = C
        if norms2[i] > 0.0:
            new = min(max(alpha[i] + (1.0 - y[i] * f) / (sigma * norms2[i]), 0.0), C)
        step = sigma * (new - alpha[i]) * y[i]
        alpha[i] = new
        if step != 0.0:
            for j in range(v.size):
                v[j] += step * X[i, j]


@jit
def _slack_sum(X, y, w):
    """Return sum max(0, 1 - y w.x)."""
    total = 0.0
    for i in range(y.size):
        f = 0.0
        for j in range(w.size):
            f += w[j] * X[i, j]
        total += max(0.0, 1.0 - y[i] * f)
    return total


@jit
def _weighted_sum(X, beta):
    """Return sum beta x, row after row."""
    w = np.zeros(X.shape[1])
    for i in range(beta.size):
        if beta[i] != 0.0:
            for j in range(w.size):
                w[j] += beta[i] * X[i, j]
    return w


@door
def block_ascent(
    parts: Sequence[AnyPart],
    C: float = 1.0,
    *,
    epochs: int = 1,
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
    epochs : passes of each part over its own examples in one round: more work for one message
    tol : stop at a duality gap over all parts of tol, relative; then it is to be proved
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
    known, workers = checked(parts), team(client)
    record = Record(folder, [C, epochs, *(size for part in known for size in part.shape)])
    held, sigma = workers.hold(known), float(len(known))
    w, t, gaps, blocks = record.found(len(known)) or _fresh(workers, held, known[0].shape[1])
    while not gaps or (len(gaps) <= max_iterations and not gaps[-1][0] <= 0.9 * tol * gaps[-1][1]):
        told = []
        for i, part in enumerate(held):  # one after the other: a block goes as the next one comes
            moved = workers.submit(climbed, part, blocks[i], C, sigma, w, t, epochs)
            blocks[i] = workers.submit(kept, moved, record.path(len(gaps) + 1, i))
            told.append(workers.submit(_message, moved))
        told = workers.gather(told)
        blocks = workers.gather(blocks) if folder is not None else blocks
        gaps.append(_gap(told, w, C))
        t, w = _stretched(told, w)
        record.write(w, t, gaps)
    alphas = [workers.submit(_alpha, block) for block in blocks]
    return _proved(workers, held, alphas, C, tol, np.array(gaps)[:, 0])


def climbed(
    part: Part | FilePart,
    block: Block | FileBlock,
    C: float,
    sigma: float,
    w: np.ndarray,
    t: float,
    epochs: int,
) -> tuple[Block, Message]:
    """Take the step that waited, t times; then find the next one from w, and what to tell."""
    (X, y), was = part.load(), block.load()
    alpha = np.clip(was.alpha + t * was.delta, 0.0, C)
    v, new, norms2 = w.copy(), alpha.copy(), np.einsum("ij,ij->i", X, X)
    for _ in range(epochs):
        block_pass(X, y, C, sigma, v, new, norms2)
    delta = new - alpha
    dw = _weighted_sum(X, delta * y)
    slack = float(_slack_sum(X, y, w))
    told = Message(dw, float(delta.sum()), float(alpha.sum()), slack, _reach(alpha, delta, C))
    return Block(alpha, delta), told


def _reach(alpha: np.ndarray, delta: np.ndarray, C: float) -> float:
    """Return the largest t with 0 <= alpha + t delta <= C, steps of rounding size left out."""
    moving = np.abs(delta) > ROUNDING * C
    room = np.where(delta > 0, C - alpha, alpha)[moving]
    return float(min(np.min(room / np.abs(delta[moving]), initial=LONGEST), LONGEST))


def _stretched(told: Sequence[Message], w: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the best t along the joint step, within the box, and the w it leads to."""
    dw = np.sum([m.dw for m in told], axis=0)
    slope, bend = sum(m.gain for m in told) - w @ dw, dw @ dw
    most = max(1.0, min(m.reach for m in told))
    t = min(slope / bend, most) if bend > 0 else most
    return float(t), w + t * dw


def _gap(told: Sequence[Message], w: np.ndarray, C: float) -> tuple[float, float]:
    """Return P(w) - D(alpha) and D(alpha), for w = sum alpha y x up to rounding."""
    dual = sum(m.alpha for m in told) - 0.5 * (w @ w)
    return 0.5 * (w @ w) + C * sum(m.slack for m in told) - dual, dual


def _proved(workers, held, alphas, C, tol, gaps) -> BlockMachine:
    """Make w anew of alpha, without the rounding of all rounds, and let the judge look."""
    w = np.sum(workers.gather([workers.submit(_made, *pair) for pair in zip(held, alphas)]), axis=0)

    def ask_sums(exact):
        pairs = zip(held, alphas)
        return workers.gather([workers.submit(_sums, part, C, a, w, exact) for part, a in pairs])

    return BlockMachine(w, tuple(alphas), C, len(gaps) - 1, gaps, judge_parts(ask_sums, w, tol))


@door
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
    known, w = checked(parts), np.asarray(w, dtype=float)
    C, tol = check_positive(C, "C"), check_positive(tol, "tol")
    if w.shape != known[0].shape[1:]:
        raise ValueError(f"w needs {known[0].shape[1]} entries, one per feature.")
    if len(alpha) != len(known):
        raise ValueError(f"alpha must hold one array for each of the {len(known)} parts.")

    def ask_sums(exact):
        return [_sums(p, C, np.asarray(a), w, exact) for p, a in zip(known, alpha)]

    return judge_parts(ask_sums, w, tol, exact=exact)


def _fresh(workers: Here | Cluster, held: list[Any], d: int) -> tuple:
    """Return w, t, the gaps so far and the blocks before the first round."""
    return np.zeros(d), 0.0, [], [workers.submit(_begun, part) for part in held]


def _begun(part: Part | FilePart) -> Block:
    n = part.shape[0]
    return Block(np.zeros(n), np.zeros(n))


def _message(moved: tuple[Block, Message]) -> Message:
    return moved[1]


def _alpha(block: Block | FileBlock) -> np.ndarray:
    return block.load().alpha


def _made(part: Part | FilePart, alpha: np.ndarray) -> np.ndarray:
    X, y = part.load()
    return _weighted_sum(X, alpha * y)


def _sums(part: Part | FilePart, C: float, alpha: np.ndarray, w: np.ndarray, exact: bool):
    return part_sums(*part.load(), C, alpha, w, exact)
