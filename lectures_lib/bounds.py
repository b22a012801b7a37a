"""Mistake bounds as proofs that can be run.

A bound is a chain of inequalities. `mistake_bound` replays a run from its list of mistakes,
evaluates both sides of every line of the proof at every mistake, and says which lines hold.
Nothing is taken from the algorithm but the mistakes. With ``exact=True`` every number is a
fraction and every inequality is decided without rounding; lines are squared where a root would
leave the fractions.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike

from .conventions import RTOL, check_examples, check_labels, check_vector
from .kernels import embed
from .linear import dual_coordinate_descent
from .margins import max_margin
from .perceptron import KernelRun, PerceptronRun


@dataclass(frozen=True, eq=False)
class ProofLine:
    """One inequality of a proof, smaller <= larger, at each of the mistakes 1, ..., M."""

    name: str  #: a word for it
    statement: str  #: the inequality in the lecture's symbols (LaTeX)
    smaller: np.ndarray  #: (M,)
    larger: np.ndarray  #: (M,)
    exact: bool  #: the entries are fractions: no tolerance
    scale: np.ndarray  #: (M,) the size of what was added up: rounding errors are relative to it

    @property
    def slack(self) -> np.ndarray:
        """larger - smaller: negative where the line fails."""
        return self.larger - self.smaller

    @property
    def ok(self) -> np.ndarray:
        """Where the line holds; in floating point up to a relative tolerance."""
        if self.exact:
            return np.array([s >= 0 for s in self.slack], dtype=bool)
        return self.slack >= -RTOL * self.scale

    @property
    def holds(self) -> bool:
        """The line holds at every mistake."""
        return bool(self.ok.all())

    @property
    def least(self) -> str:
        """The least slack as text; what is only rounding error reads 0."""
        if len(self.slack) == 0:
            return "-"
        least, size = float(min(self.slack)), float(max(self.scale))
        return "0" if self.holds and abs(least) <= RTOL * size < np.inf else f"{least:.4g}"

    @property
    def first_failure(self) -> int | None:
        """The number (from 1) of the first mistake at which the line fails, or None."""
        return None if self.holds else int(np.argmin(self.ok)) + 1


@dataclass(frozen=True, eq=False)
class MistakeBound:
    """A mistake bound for one run, with every line of its proof.

    Reading it aloud: `str(bound)` is the proof as a table.
    """

    mistakes: int  #: M
    bound: float | Fraction  #: what the theorem allows
    R: float  #: the largest norm of an example
    gamma: float  #: the margin of u; for the hinge bound 1 / norm(u)
    u: np.ndarray  #: (d,) the comparison vector
    xi: np.ndarray  #: (n,) the slack of each example; all 0 for separable data
    hinge_sum: float | Fraction  #: L, the sum of slacks over the *mistakes*, repeats included
    lines: tuple[ProofLine, ...]  #: the proof
    exact: bool  #: decided in fractions

    @property
    def holds(self) -> bool:
        """Every line holds at every mistake."""
        return all(line.holds for line in self.lines)

    @property
    def failed(self) -> tuple[str, ...]:
        """The names of the lines that fail."""
        return tuple(line.name for line in self.lines if not line.holds)

    def line(self, name: str) -> ProofLine:
        """Return the line called `name`."""
        for line in self.lines:
            if line.name == name:
                return line
        raise ValueError(f"No line is called {name!r}; there are {[x.name for x in self.lines]}.")

    @property
    def cosine(self) -> np.ndarray:
        """(M,) cos(w_k, u) after each mistake, L2's form of the proof: at most 1; 0 at w = 0."""
        dot = self.line("sum of progress").larger.astype(float)
        norms = np.sqrt(self.line("sum of growth").smaller.astype(float)) * np.linalg.norm(self.u)
        return np.divide(dot, norms, out=np.zeros_like(dot), where=norms > 0)

    def __str__(self) -> str:
        """Return the proof as a table: line, least slack, verdict."""
        rows = [f"{'line':<16} {'least slack':>12}  verdict"]
        for line in self.lines:
            fails = f"fails at mistake {line.first_failure}"
            rows.append(f"{line.name:<16} {line.least:>12}  {'holds' if line.holds else fails}")
        how = "exactly" if self.exact else "in floating point"
        verdict = f"proved {how}" if self.holds else f"NOT proved (checked {how})"
        rows.append(f"M = {self.mistakes} <= {float(self.bound):.4f}: {verdict}")
        return "\n".join(rows)


def mistake_bound(
    run: PerceptronRun,
    X: ArrayLike,
    y: ArrayLike,
    u: ArrayLike | None = None,
    *,
    R: float | None = None,
    gamma: float | None = None,
    exact: bool = False,
) -> MistakeBound:
    """Check Novikoff's proof that M <= (R / gamma)^2, line by line, on this run (L1, L2).

    Parameters
    ----------
    run : a run of the perceptron on (X, y)
    u : a separator to compare with; default the one of largest margin
    R, gamma : default measured; give others to see which line of the proof then breaks
    exact : decide every line in fractions (slower; for runs of up to a few thousand mistakes).
        The run itself was made in floats: where it rounded a tie, "mistake" may fail by 1e-17.
        On whole numbers floats do not round.
    """
    X, y = check_examples(X, y)
    if R is not None and not R > 0:
        raise ValueError(f"R is a radius, a number > 0, not {R}.")
    if u is None:
        best = max_margin(X, y)
        if not best.separable:
            raise ValueError(
                "No separator through the origin exists, so gamma has no value: "
                "use hinge_mistake_bound, add a constant feature, or give u."
            )
        u = best.w
    u = check_vector(u, X.shape[1], "u")
    u = u / (np.linalg.norm(u) or 1.0)
    Xq, yq, uq = _numbers(exact, X, y, u)
    u2 = uq @ uq  # 1 up to rounding; kept, so that fractions stay exact
    R2 = _largest_norm2(Xq) if R is None else _number(exact, R) ** 2
    g = (yq * (Xq @ uq)).min() if gamma is None else _number(exact, gamma)
    bound = R2 * u2 / g**2 if g > 0 else float("inf")
    k = _numbers(exact, np.arange(1, len(run.mistakes) + 1))[0]
    gain = ProofTexts(r"\gamma", r"k\gamma", r"\|w_k\|^2")
    lines = (
        _line(exact, "margin", r"0 < \gamma", 0 * k, 0 * k + (g if g > 0 else -1)),
        *_shared_lines(run, Xq, yq, uq, g + 0 * k, abs(g) + 0 * k, R2, gain, exact),
        _line(exact, "conclusion", r"k \le (R/\gamma)^2", k, bound + 0 * k),
    )
    return MistakeBound(
        mistakes=len(run.mistakes),
        bound=bound,
        R=_root(R2),
        gamma=float(g) / (_root(u2) or 1.0),
        u=u,
        xi=np.zeros(len(X)),
        hinge_sum=_number(exact, 0),
        lines=lines,
        exact=exact,
    )


def hinge_mistake_bound(
    run: PerceptronRun,
    X: ArrayLike,
    y: ArrayLike,
    u: ArrayLike | None = None,
    *,
    exact: bool = False,
) -> MistakeBound:
    """Check L3's proof that M <= R^2 norm(u)^2 + 2 L on this run; no separator is needed.

    L is the sum of the slacks xi = max(0, 1 - y u.x) over the *mistakes*: an example mistaken
    three times counts three times. Here u is not of unit length: 1 / norm(u) plays the part
    of gamma, and in general it is not the margin of a set. Default u: the one with the least bound.
    """
    X, y = check_examples(X, y)
    if u is None:
        u = dual_coordinate_descent(X, y, run.alpha / (_largest_norm2(X) or 1.0)).w
    u = check_vector(u, X.shape[1], "u")
    Xq, yq, uq = _numbers(exact, X, y, u)
    R2, u2 = _largest_norm2(Xq), uq @ uq
    xi = np.maximum(0, 1 - yq * (Xq @ uq))
    k = _numbers(exact, np.arange(1, len(run.mistakes) + 1))[0]
    slacks = xi[run.mistakes]
    L = np.cumsum(slacks)
    gain = ProofTexts(r"1 - \xi_k", r"k - L_k", r"\|w_k\|^2\,\|u\|^2")
    lines = (
        *_shared_lines(run, Xq, yq, uq, 1 - slacks, 1 + slacks, R2, gain, exact),
        _line(
            exact,
            "squares",
            r"\max(0, k - L_k)^2 \le kR^2\|u\|^2",
            np.maximum(0, k - L) ** 2,
            k * R2 * u2,
        ),
        _line(exact, "conclusion", r"k \le R^2\|u\|^2 + 2L_k", k, R2 * u2 + 2 * L),
    )
    total = L[-1] if len(L) else _number(exact, 0)
    return MistakeBound(
        mistakes=len(run.mistakes),
        bound=R2 * u2 + 2 * total,
        R=_root(R2),
        gamma=1 / _root(u2) if u2 > 0 else float("inf"),
        u=u,
        xi=xi.astype(float),
        hinge_sum=total,
        lines=lines,
        exact=exact,
    )


def kernel_mistake_bound(run: KernelRun, X: ArrayLike, y: ArrayLike) -> MistakeBound:
    """Check the proof in phi-space for a kernel perceptron's run on (X, y), through K alone (L1).

    R^2 is the largest K(x, x). The Gram matrix is factored into rows with the same inner products:
    phi as far as the examples see it, which is all that the proof ever uses.
    """
    Phi = embed(run.kernel(X))
    y = check_labels(y, len(Phi), both=False)
    steps = y[run.mistakes, None] * Phi[run.mistakes]
    weights = np.cumsum(np.vstack([np.zeros(Phi.shape[1]), steps]), axis=0)
    seen = PerceptronRun(
        w=weights[-1],
        mistakes=run.mistakes,
        weights=weights,
        alpha=run.alpha,
        epochs=run.epochs,
        epoch_mistakes=run.epoch_mistakes,
        converged=run.converged,
        shuffled=False,
    )
    return mistake_bound(seen, Phi, y)


@dataclass(frozen=True)
class ProofTexts:
    """What differs between the two proofs in the lines they share (LaTeX)."""

    gain: str  #: what a mistake adds to w.u at least
    total: str  #: what k mistakes add
    product: str  #: the right-hand side of Cauchy-Schwarz


def _shared_lines(run, X, y, u, gain, added, R2, text: ProofTexts, exact: bool):
    """Return the lines that both proofs share, from the mistakes alone.

    gain[k - 1] is what the k-th mistake must add to w.u; `added` the size of its terms.
    """
    _check_run(run, *X.shape)
    steps = y[run.mistakes, None] * X[run.mistakes]
    W = np.cumsum(np.vstack([_numbers(exact, run.weights[0])[0], steps]), axis=0)
    before, after = W[:-1], W[1:]
    k = _numbers(exact, np.arange(1, len(steps) + 1))[0]
    norm2, dot = (W * W).sum(axis=1), W @ u
    score = (steps * before).sum(axis=1)
    lengths = np.sqrt(norm2.astype(float))
    reach = np.maximum(lengths[1:], lengths[:-1])
    size = float(np.sqrt(_largest_norm2(X.astype(float))))
    along = reach * _root(u @ u) + np.cumsum(added).astype(float)
    drift = np.abs(run.weights[1:] - after.astype(float)).max(axis=1, initial=0.0)
    drift = np.where(drift > RTOL * (reach.max(initial=0.0) + size), drift, 0.0)
    rows = (
        ("update", r"w_k = w_{k-1} + y_k x_k", drift, 0 * drift, 0 * drift),
        ("mistake", r"y_k\, w_{k-1}\cdot x_k \le 0", score, 0 * k, reach * size),
        (
            "progress",
            rf"w_{{k-1}}\cdot u + {text.gain} \le w_k\cdot u",
            dot[:-1] + gain,
            dot[1:],
            along,
        ),
        ("growth", r"\|w_k\|^2 \le \|w_{k-1}\|^2 + R^2", norm2[1:], norm2[:-1] + R2),
        ("sum of progress", rf"{text.total} \le w_k\cdot u", np.cumsum(gain), dot[1:], along),
        ("sum of growth", r"\|w_k\|^2 \le kR^2", norm2[1:], k * R2),
        (
            "Cauchy-Schwarz",
            rf"(w_k\cdot u)^2 \le {text.product}",
            dot[1:] ** 2,
            norm2[1:] * (u @ u),
            (reach * _root(u @ u)) ** 2,
        ),
    )
    return tuple(_line(exact, *row) for row in rows)


def _check_run(run: PerceptronRun, n: int, d: int) -> None:
    """Refuse a run that cannot be one on n examples with d features."""
    mistakes, weights = np.asarray(run.mistakes), np.asarray(run.weights)
    if weights.shape != (len(mistakes) + 1, d):
        raise ValueError(
            "The run does not fit: weights needs a row for the start and each mistake."
        )
    if len(mistakes) and not (0 <= mistakes.min() and mistakes.max() < n):
        raise ValueError(f"The run does not fit: its mistakes must be examples 0 to {n - 1}.")


def _line(exact: bool, name: str, statement: str, smaller, larger, scale=None) -> ProofLine:
    kind = object if exact else float
    smaller, larger = np.asarray(smaller, kind), np.asarray(larger, kind)
    if scale is None:
        scale = np.maximum(np.abs(smaller), np.abs(larger)).astype(float)
    return ProofLine(name, statement, smaller, larger, exact, np.asarray(scale, float))


def _numbers(exact: bool, *arrays: np.ndarray) -> list[np.ndarray]:
    """Return the arrays as floats, or as arrays of the fractions that those floats are."""
    if not exact:
        return [np.asarray(a, float) for a in arrays]
    return [
        np.array([Fraction(v) for v in np.ravel(a).tolist()], object).reshape(np.shape(a))
        for a in arrays
    ]


def _number(exact: bool, value: float) -> float | Fraction:
    return Fraction(value) if exact else float(value)


def _largest_norm2(X: np.ndarray):
    return (X * X).sum(axis=1).max()


def _root(square) -> float:
    return float(np.sqrt(float(square)))
