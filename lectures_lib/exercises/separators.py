"""Checks of exercises on margins, a report of mistakes, votes and averages (04 to 06)."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from ..datasets import lecture_example, orthogonal
from ..margins import max_margin
from ..perceptron import perceptron
from .reading import named, near, text
from .tries import Answer, Try

PASSES = 100_000  # over a counterexample, before the perceptron counts as endless
LARGEST = 1e6  # an entry of a counterexample: below it no step of these checks loses its digits


def poor_margin(answer: Answer) -> Iterator[Try]:
    """04: poor() returns X, y on which the perceptron keeps under a tenth of the largest margin."""
    rows, labels = answer().parts("X", "y")
    X = rows.table()
    y = labels.vector(len(X))
    yield np.abs(X).max() <= LARGEST, f"the entries of X must be numbers up to {LARGEST:.0e}"
    yield bool(np.isin(y, [-1, 1]).all()), "each label must be -1 or +1"
    best = max_margin(X, y)
    yield best.separable, "no w through the origin separates these points"
    run = perceptron(X, y, max_epochs=PASSES)
    yield run.converged, f"after {PASSES:,} passes the perceptron has not come to an end"
    kept, largest = _margin(run.w, X, y), _margin(np.asarray(best.w), X, y)
    claim = f"the perceptron keeps {100 * kept / largest:.4g} % of the largest margin"
    claim += f" ({kept:.4g} of {largest:.4g}), and less than 10 % is asked for"
    yield kept < largest / 10, claim


def refute(answer: Answer) -> Iterator[Try]:
    """04: refute(Z) returns convex weights a with sum a_i z_i = 0, for d + 1 points around 0."""
    rng = np.random.default_rng(44)
    cases = [np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, -1.0]])]
    for d in (1, 2, 3, 5):
        Z, a = rng.integers(-9, 10, size=(d + 1, d)), rng.integers(1, 5, size=d)
        Z[-1] = -a @ Z[:-1]  # so the weights (a, 1) make 0
        cases.append(Z.astype(float))
    for Z in cases:
        a = answer(Z=Z).vector(len(Z))
        yield a.min() >= -1e-9, "no weight may be negative"
        yield near(a.sum(), 1.0, "the sum of the weights must be", rtol=0, atol=1e-6)
        point = a @ Z
        made = f"the weights must make the point 0, and they make {text(point)}"
        yield np.linalg.norm(point) <= 1e-6 * np.abs(Z).max(), made


def first_lie(answer: Answer) -> Iterator[Try]:
    """05: first_lie(X, y, mistakes) returns the place of the first false entry, from 1, or 0."""
    for X, y, mistakes in _reports():
        got = answer(X=X, y=y, mistakes=mistakes).whole(
            0, len(mistakes), "a place in the list, or 0,"
        )
        scores = _claimed_scores(X, y, mistakes)
        first = next((k for k, score in enumerate(scores, 1) if score > 0), 0)
        truth, k = ("true", got) if got and not 0 < first < got else ("false", first)
        sign, slip = "<=" if truth == "true" else ">", {"count the places from 1": first - 1 or -1}
        claim = f"entry {k} is {truth}: there y w.x = {scores[k - 1]:g} {sign} 0" if k else "right"
        yield first == got, claim + named(got, slip)


def lazy_average(answer: Answer) -> Iterator[Try]:
    """06: lazy(X, y, passes) returns the mean of the perceptron's weights after each round."""
    rng = np.random.default_rng(66)
    cases = [(*lecture_example(), 3), (*lecture_example(), 1)]
    for n, d, passes in ((5, 2, 2), (6, 3, 4), (4, 3, 3)):  # random labels: mistakes go on
        X = rng.integers(-3, 4, size=(n, d)).astype(float)
        cases.append((X, rng.choice([-1.0, 1.0], size=n), passes))
    cases.append((cases[-2][0] / 4, *cases[-2][1:]))  # scores between 0 and 1 are no mistakes
    for X, y, passes in cases:
        got = answer(X=X, y=y, passes=passes).vector(X.shape[1])
        W, erred = _rounds(X, y, passes)
        T, total = len(W), W.sum(axis=0)
        claim = f"{T} times it must be the sum of w after each of the {T} rounds, {text(total)}"
        claim += named(got, _look_alikes(W, erred, len(X)))
        yield np.allclose(T * got, total, rtol=1e-6, atol=1e-9), claim


def disagree(answer: Answer) -> Iterator[Try]:
    """06: disagree() returns weights, counts, x at which the vote and the average differ."""
    weights, counts, x = answer().parts("weights", "counts", "x")
    c, x = counts.vector(), x.vector()
    W = weights.array(len(c), len(x))
    yield (c >= 0).all() and (c == np.round(c)).all(), "each count must be a whole number >= 0"
    scores = W @ x
    tiny = 1e-9 * np.linalg.norm(W) * np.linalg.norm(x)
    yield np.abs(scores).min() > tiny, f"no score may be 0, and they are {text(scores)}"
    vote, average = float(c @ np.where(scores > 0, 1, -1)), float(c @ scores)
    yield vote != 0, "the votes for + and for - are equal"
    yield abs(average) > tiny, "the weighted scores add up to 0: the average is a tie"
    claim = f"the votes add up to {vote:+g} and the scores to {average:+g}: both say the same"
    yield vote * average < 0, claim


CHECKS = {
    "poor margin": poor_margin,
    "refute": refute,
    "first lie": first_lie,
    "lazy average": lazy_average,
    "disagree": disagree,
}


def _margin(w: np.ndarray, X: np.ndarray, y: np.ndarray) -> float:
    return float((y * (X @ w)).min() / np.linalg.norm(w))


def _reports() -> Iterator[tuple[np.ndarray, np.ndarray, np.ndarray]]:
    """Yield data and lists of mistakes, true ones and false ones."""
    X, y = lecture_example()
    axes = orthogonal(4)
    yield X, y, np.array([0, 2, 4])
    yield axes.X, axes.y, np.arange(4)  # each score is 0: a mistake
    yield X, y, np.array([], dtype=int)
    yield X, y, np.array([0, 2, 3, 4])
    yield X, y, np.array([0, 1, 2, 4, 4])  # two false entries
    back = np.array([[3.0, 1.0], [-1.0, 0.0]]), np.ones(2)  # one long step, and three short ones
    yield *back, np.array([0, 1, 1, 1])
    yield *back, np.array([0, 1, 1, 1, 1, 1])  # the last is false
    yield np.array([[1.0, 0.0], [2.0**-20, 1.0]]), np.ones(2), np.array([0, 1])  # false by a hair
    rng = np.random.default_rng(55)
    for n, d in ((5, 2), (6, 3), (8, 4)):
        X = rng.integers(-4, 5, size=(n, d)).astype(float)
        y = rng.choice([-1.0, 1.0], size=n)
        mistakes = perceptron(X, y, max_epochs=3).mistakes
        yield X, y, mistakes
        yield X, y, mistakes[1:]
        yield X, y, np.insert(mistakes, len(mistakes) // 2, rng.integers(n))


def _claimed_scores(X: np.ndarray, y: np.ndarray, mistakes: np.ndarray) -> list[float]:
    """Return y w.x at each entry, w made by those before it: in fractions, from products of x."""
    signed = [[Fraction(float(s)) for s in y[i] * X[i]] for i in mistakes]
    products = [[sum(a * b for a, b in zip(u, v)) for v in signed] for u in signed]
    return [float(sum(products[k][:k])) for k in range(len(signed))]


def _rounds(X: np.ndarray, y: np.ndarray, passes: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights after each round, and whether the round was a mistake."""
    w, after, erred = np.zeros(X.shape[1]), [], []
    for _ in range(passes):
        for x_i, y_i in zip(X, y):
            erred.append(y_i * (w @ x_i) <= 0)
            w = w + y_i * x_i if erred[-1] else w
            after.append(w)
    return np.array(after), np.array(erred)


def _look_alikes(W: np.ndarray, erred: np.ndarray, n: int) -> dict[str, np.ndarray]:
    """Return what published programs return instead, by name."""
    before = np.vstack([np.zeros(W.shape[1]), W[:-1]])
    survived = W[~erred].mean(axis=0) if not erred.all() else W[-1] * np.nan
    return {
        "yours is the last w, not an average": W[-1],
        "yours is the sum, not divided by the number of rounds": W.sum(axis=0),
        "yours is the average once per pass": W[n - 1 :: n].mean(axis=0),
        "yours is the average of the first pass": W[:n].mean(axis=0),
        "yours is the average at mistakes only, however long a w survived": W[erred].mean(axis=0),
        "yours is the average over survivals only: the slide's counts": survived,
        "yours is the average of the weights before each round: one round short": before.mean(
            axis=0
        ),
    }
