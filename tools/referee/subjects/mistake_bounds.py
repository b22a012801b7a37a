"""Mistake bounds and perceptrons: honest runs, and runs that were tampered with."""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from lectures_lib import bounds, perceptron
from lectures_lib.kernels import Gaussian, Linear, Polynomial
from tools.referee import api, draw, truth
from tools.referee.ledger import Ledger
from tools.referee.rational import ZERO, dot, exact

#: Weights are the run's own floats: they may be rounded by this, relative.
DRIFT = 1e-9


def case(rng: np.random.Generator, ledger: Ledger) -> None:
    """Replay the proof of a run in fractions and compare the verdicts."""
    data = runs_data(rng)
    run = ledger.call("perceptron", perceptron.perceptron, data.X, data.y, max_epochs=20)
    if run is None or len(run.mistakes) > 60:
        return
    name = str(rng.choice(list(LIES))) if rng.random() < 0.6 else "none"
    run = LIES[name](rng, run, data)
    hinge, decided = bool(rng.random() < 0.5), bool(rng.random() < 0.5)
    u = comparison(rng, data)
    u = u / np.linalg.norm(u) if not hinge else u
    method = bounds.hinge_mistake_bound if hinge else bounds.mistake_bound
    what = f"{method.__name__} exact={decided} lie={name} [{data.kind}]"
    legal = name in ("none", "last removed", "no mistakes")
    if not hinge and rng.random() < 0.2:
        u, what = None, what + " by its own u"
        legal = legal and separated(data)
    with np.errstate(all="ignore"):
        proof = ledger.call(what, method, run, data.X, data.y, u, exact=decided, legal=legal)
    if proof is None:
        return
    right = replayed(run, data, exact(proof.u), hinge)
    said = api.verdict(proof)
    ledger.verdict(what, said, right=right)
    if data.unit and right and name == "none":
        ledger.ordinary(what, said == "proved")


def runs_data(rng: np.random.Generator) -> draw.Examples:
    """Return whole numbers half of the time: on them a run does not round."""
    data = draw.examples(rng, 8, 3)
    if rng.random() < 0.5:
        X = rng.integers(-4, 5, size=data.X.shape).astype(float)
        y = draw.labels(rng, X)
        return draw.Examples(X, y, "whole numbers", True)
    return replace(data, unit=False)


def separated(data: draw.Examples) -> bool:
    """Return whether a plane through the origin separates the examples."""
    return truth.posed(Linear(), data.X, data.y, np.inf, offset=False).solution() is not None


def comparison(rng: np.random.Generator, data: draw.Examples) -> np.ndarray:
    """Return a vector to compare with: a separator through the origin if there is one."""
    problem = truth.posed(Linear(), data.X, data.y, np.inf, offset=False)
    alpha = problem.solution()
    if alpha is None or rng.random() < 0.2:
        return rng.normal(size=data.X.shape[1])
    beta = [a * y for a, y in zip(alpha, problem.y)]
    w = truth.combined(beta, exact(data.X))
    return np.array([float(v) for v in w])


def replayed(run, data, u: list, hinge: bool) -> bool:
    """Return whether every line of the proof holds, in fractions."""
    X, y = exact(data.X), exact(data.y)
    if not (np.isfinite(run.weights).all() and np.isfinite(run.w).all()):
        return False
    w = exact(run.weights[0])
    if not same(run.w, exact(run.weights[-1]), 0.0):
        return False
    R2, u2 = max(dot(x, x) for x in X), dot(u, u)
    size = float(R2) ** 0.5
    gamma = min(b * dot(a, u) for a, b in zip(X, y))
    if not hinge and gamma <= 0:
        return False
    xi = [max(ZERO, 1 - b * dot(a, u)) for a, b in zip(X, y)]
    lost, reach = ZERO, size
    start = [dot(w, u), dot(w, w)]
    for k, i in enumerate(run.mistakes.tolist(), 1):
        if y[i] * dot(w, X[i]) > 0:
            return False
        w = [a + y[i] * b for a, b in zip(w, X[i])]
        reach = max(reach, float(dot(w, w)) ** 0.5)
        if not same(run.weights[k], w, DRIFT * (reach + size)):
            return False
        lost += xi[i]
        if not holds(k, dot(w, u), dot(w, w), R2, u2, gamma, lost, hinge):
            return False
    return start == [ZERO, ZERO] or not len(run.mistakes)


def holds(k, along, norm2, R2, u2, gamma, lost, hinge: bool) -> bool:
    """Return whether the summed lines and the conclusion hold after k mistakes."""
    gained = k - lost if hinge else k * gamma
    if along < gained or norm2 > k * R2:
        return False
    return k <= R2 * u2 + 2 * lost if hinge else k * gamma**2 <= R2 * u2


def same(row: np.ndarray, w: list, room: float) -> bool:
    """Return whether floats are these fractions, up to `room`."""
    return all(abs(Fraction(float(a)) - b) <= Fraction(room) for a, b in zip(row, w))


def _weights(rng, run, f):
    W = run.weights.copy()
    k, j = rng.integers(len(W)), rng.integers(W.shape[1])
    W[k, j] = f(W[k, j], np.abs(W).max() + 1.0)
    return replace(run, weights=W, w=W[-1])


def _swapped(rng, run, data):
    """Two mistakes change places."""
    if len(run.mistakes) < 2:
        return run
    m = run.mistakes.copy()
    i, j = rng.integers(len(m), size=2)
    m[[i, j]] = m[[j, i]]
    return _redone(run, data, m)


def _other(rng, run, data):
    """One mistake is put down to another example."""
    if not len(run.mistakes):
        return run
    m = run.mistakes.copy()
    m[rng.integers(len(m))] = rng.integers(len(data.y))
    return _redone(run, data, m)


def _redone(run, data, mistakes):
    steps = data.y[mistakes, None] * data.X[mistakes]
    W = np.cumsum(np.vstack([run.weights[:1], steps]), axis=0)
    alpha = np.bincount(mistakes, minlength=len(data.y))
    return replace(run, mistakes=mistakes, weights=W, w=W[-1], alpha=alpha)


LIES = {
    "none": lambda rng, run, data: run,
    "a nan": lambda rng, run, data: _weights(rng, run, lambda v, top: np.nan),
    "all nan": lambda rng, run, data: replace(
        run, weights=np.full_like(run.weights, np.nan), w=run.w * np.nan),
    "w turned": lambda rng, run, data: replace(run, w=-run.w),
    "w moved": lambda rng, run, data: replace(
        run, w=run.w + draw.power(rng, -7, 0) * (np.abs(run.w).max() + 1.0)),
    "a weight": lambda rng, run, data: _weights(
        rng, run, lambda v, top: v + draw.power(rng, -6, 1) * top),
    "swapped": _swapped,
    "another example": _other,
    "last removed": lambda rng, run, data: _redone(run, data, run.mistakes[:-1]),
    "no mistakes": lambda rng, run, data: _redone(run, data, run.mistakes[:0]),
}  # fmt: skip


def kernel_case(rng: np.random.Generator, ledger: Ledger) -> None:
    """The proof in phi-space, for kernels of whole numbers; a swapped mistake is a lie."""
    X = rng.integers(-3, 4, size=(int(rng.integers(2, 8)), int(rng.integers(1, 4)))).astype(float)
    y, kernel = draw.labels(rng, X), Polynomial(int(rng.integers(1, 4)))
    K = exact(kernel(X))
    problem = truth.posed(kernel, X, y, np.inf, offset=False)
    run = ledger.call("kernel_perceptron", perceptron.kernel_perceptron, X, y, kernel, max_epochs=9)
    if run is None or problem.solution() is None:
        return
    lie = bool(len(run.mistakes) > 1 and rng.random() < 0.5)
    if lie:
        m = run.mistakes.copy()
        m[rng.integers(len(m))] = rng.integers(len(y))
        run = recounted(run, m, X, y)
    what = f"kernel_mistake_bound {kernel!r} lie={lie} X={X.tolist()} y={y.tolist()}"
    proof = ledger.call(what, bounds.kernel_mistake_bound, run, X, y)
    if proof is None:
        return
    right = all_mistakes(run.mistakes.tolist(), K, exact(y))
    said = api.verdict(proof)
    ledger.verdict(what, said, right=right)
    if right and not lie:
        ledger.ordinary(what, said == "proved")


def recounted(run, mistakes: np.ndarray, X: np.ndarray, y: np.ndarray):
    """Return a run that claims these mistakes, and is of one mind about them."""
    alpha = np.bincount(mistakes, minlength=len(y))
    kept = np.flatnonzero(alpha)
    fields = {"X": X[kept], "coefficients": alpha[kept] * y[kept], "alpha": alpha}
    return replace(run, mistakes=mistakes, **fields)


def all_mistakes(mistakes: list[int], K, y) -> bool:
    """Return whether each of these is a mistake of the kernel perceptron, in fractions."""
    f = [ZERO] * len(y)
    for i in mistakes:
        if y[i] * f[i] > 0:
            return False
        f = [a + y[i] * k for a, k in zip(f, K[i])]
    return True


METHODS = ("perceptron", "voted_perceptron", "averaged_perceptron")
METHODS += ("kernel_perceptron", "kernel_perceptron_list")


def score(kernel, row: list, beta: list) -> Fraction | None:
    """Return a score, or a number of the same sign; None where the sign is not known.

    A Gaussian that is 0 here is an exponential below 2^-2400, and above 0, whatever a float says.
    """
    found = dot(row, beta)
    if found or not isinstance(kernel, Gaussian):
        return found
    signs = {b > 0 for k, b in zip(row, beta) if k == 0 and b != 0}
    return ZERO if not signs else None if len(signs) == 2 else Fraction(1 if True in signs else -1)


def converged(rng: np.random.Generator, ledger: Ledger) -> None:
    """A perceptron that calls itself converged makes no mistake, in fractions."""
    data = draw.examples(rng, 8, 3)
    if rng.random() < 0.2:  # decimals: ties that floats round to one side
        X = rng.integers(-3, 4, size=(4, 5)) / 10
        data = draw.Examples(X, rng.choice([-1.0, 1.0], size=4), "ties", False)
    method, tie = str(rng.choice(METHODS)), str(rng.choice(["mistake", "positive", "negative"]))
    passes = "epochs" if method.startswith(("voted", "averaged")) else "max_epochs"
    kernel = draw.kernel(rng, data.X)
    more = (kernel,) if method.startswith("kernel") else ()
    what = f"{method} {tie} {kernel if more else ''} [{data.kind}]"
    run = ledger.call(
        what, getattr(perceptron, method), data.X, data.y, *more, tie=tie, **{passes: 20}
    )
    if run is None:
        return
    X, y = exact(data.X), exact(data.y)
    if more:
        K = truth.gram(kernel, X, truth.SIGN_BITS)
        beta = [int(a) * b for a, b in zip(run.alpha.tolist(), y)]
        scores = [score(kernel, row, beta) for row in K]
        if None in scores:
            return
    else:
        scores = [dot(exact(getattr(run, "w_last", run.w)), x) for x in X]
    spared = {"mistake": 0, "positive": 1, "negative": -1}[tie]
    right = all(b * f > 0 or (f == 0 and b == spared) for f, b in zip(scores, y))
    if run.converged or right:
        ledger.converged(what, run.converged, right=right)
    if right and data.unit and clean(run, len(y)):
        ledger.ordinary(what, run.converged)


def clean(run, n: int) -> bool:
    """Return whether the last pass made no mistake, as the run counts them."""
    survived = getattr(run, "counts", None)
    return bool(run.epoch_mistakes[-1] == 0 if survived is None else survived[-1] >= n)
