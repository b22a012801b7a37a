"""Shattering, Radon's partition, the smallest ball, random signs; ROC and precision curves."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np

from lectures_lib import complexity, metrics
from lectures_lib.kernels import Linear
from tools.referee import api, draw, truth
from tools.referee.ledger import Ledger
from tools.referee.rational import ZERO, Program, dot, exact

#: Lengths and areas are the same if they are so near, relative.
SAME = Fraction(1, 10**8)


def shattering(rng: np.random.Generator, ledger: Ledger) -> None:
    """Compare every labelling's verdict with exact separability."""
    X, kind, unit = draw.points(rng, 1, 4, 2)
    if rng.random() < 0.3:
        X, kind, unit = near_an_edge(rng), "near an edge", False
    offset, decided = bool(rng.random() < 0.6), bool(rng.random() < 0.3)
    gamma = float(np.abs(X).max() * draw.power(rng, -2, 0)) if rng.random() < 0.3 else 0.0
    what = f"shatters offset={offset} gamma={gamma:.3g} exact={decided} [{kind}]"
    found = ledger.call(what, complexity.shatters, X, offset=offset, gamma=gamma, exact=decided)
    if found is None:
        return
    true = [reached(X, labels, offset, Fraction(gamma)) for labels in found.labellings]
    right = all(t is None or bool(v) == t for v, t in zip(found.realised, true))
    said = api.shattering_verdict(found)
    ledger.verdict(what, said, right=right, tight=right and None not in true)
    if unit and right:
        ledger.ordinary(what, said == "proved")


def near_an_edge(rng: np.random.Generator) -> np.ndarray:
    """Return three points and one that is almost between two of them."""
    X = rng.normal(size=(4, 2))
    X[3] = X[0] + rng.uniform(0.2, 0.8) * (X[1] - X[0])
    X[3] += draw.power(rng, -17, -8) * rng.normal(size=2)
    return X


def reached(X: np.ndarray, y: np.ndarray, offset: bool, gamma: Fraction) -> bool | None:
    """Return whether some plane has every example on its side, at a distance of gamma.

    None where the largest margin is gamma up to rounding: `shatters` calls that reached.
    """
    if offset and abs(y.sum()) == len(y):
        return True
    least = truth.posed(Linear(), X, y, np.inf, offset=offset).best()
    if least is None or gamma == 0:
        return least is not None
    square = 1 / (2 * least)
    if abs(square - gamma**2) <= 4 * SAME * gamma**2:
        return None
    return square >= gamma**2


def radon(rng: np.random.Generator, ledger: Ledger) -> None:
    """Check the weights of a partition in fractions; also after one of them was changed."""
    X, kind, unit = draw.points(rng, 5, 8, 3)
    offset, decided = bool(rng.random() < 0.6), bool(rng.random() < 0.5)
    what = f"radon offset={offset} exact={decided} [{kind}]"
    enough = len(X) > X.shape[1] + offset
    found = ledger.call(what, complexity.radon, X, offset=offset, exact=decided, legal=enough)
    if found is None:
        return
    lie = bool(rng.random() < 0.4)
    if lie:
        weights = found.weights.copy()
        i = int(np.argmax(np.abs(weights)))
        step = draw.power(rng, -6, 0)
        weights[i] = weights[i] + (Fraction(step) if decided else step)
        found = replace(found, weights=weights)
    right = partition(found, X, offset, ZERO if decided else SAME)
    said = api.verdict(found)
    tight = partition(found, X, offset, ZERO)
    ledger.verdict(f"{what} lie={lie}", said, right=right, tight=tight)
    if unit and right and not lie:
        ledger.ordinary(what, said == "proved")


def partition(found, X: np.ndarray, offset: bool, room: Fraction) -> bool:
    """Return whether the weights are convex and both sides make one point, up to `room`."""
    weights, y = [Fraction(v) for v in found.weights.tolist()], exact(found.y)
    if min(weights) < 0:
        return False
    sides = [sum((a for a, s in zip(weights, y) if s == side), ZERO) for side in (1, -1)]
    sums = sides if offset else [sum(sides)]
    made = truth.combined([a * s for a, s in zip(weights, y)], exact(X))
    size = max(abs(v) for row in exact(X) for v in row)
    return all(abs(v - 1) <= room for v in sums) and all(abs(v) <= room * size for v in made)


def ball(rng: np.random.Generator, ledger: Ledger) -> None:
    """Compare the smallest ball with its exact quadratic program."""
    X, kind, unit = draw.points(rng, 1, 8, 3)
    what = f"smallest_ball [{kind}]"
    found = ledger.call(what, complexity.smallest_ball, X)
    if found is None:
        return
    square = smallest_square(X)
    radius, lower = (Fraction(float(v)) for v in (found.radius, found.lower))
    centre = exact(found.centre)
    far = max(dot(v, v) for v in ([a - c for a, c in zip(x, centre)] for x in exact(X)))
    off, room = max(abs(radius**2 - square), abs(lower**2 - square), far - square), SAME * square
    right = off <= room
    said = api.ball_verdict(found)
    ledger.verdict(what, said, right=right, tight=off <= room / 1000 and far <= radius**2)
    ledger.converged(what, found.converged, right=right)
    if unit and right:
        ledger.ordinary(what, said == "proved")


def smallest_square(X: np.ndarray) -> Fraction:
    """Return the squared radius of the smallest ball."""
    first = exact(X[0])
    Z = [[a - c for a, c in zip(x, first)] for x in exact(X)]
    n = range(len(Z))
    Q = [[2 * dot(Z[i], Z[j]) for j in n] for i in n]
    c = [-dot(z, z) for z in Z]
    program = Program(Q, c, [None for _ in n], [Fraction(1) for _ in n])
    start = [Fraction(i == 0) for i in n]
    return -program.value(program.minimise(start))


def signs(rng: np.random.Generator, ledger: Ledger) -> None:
    """The average over signs is a theorem: no refutation is true, and the numbers are exact."""
    X, kind, unit = draw.points(rng, 2, 6, 3)
    offset = bool(rng.random() < 0.5)
    what = f"random_signs offset={offset} [{kind}]"
    found = ledger.call(what, complexity.random_signs, X, offset=offset)
    if found is None:
        return
    average = mean_reach(X, offset)
    far = sum((dot(z, z) for z in moved(X, offset)), ZERO)
    right = abs(Fraction(float(found.average)) - average) <= SAME * (average + far)
    said = api.verdict(found)
    ledger.verdict(what, said, right=right, tight=True)
    if unit and right:
        ledger.ordinary(what, said == "proved")


def moved(X: np.ndarray, offset: bool) -> list:
    """Return the points, less their mean where there is an offset."""
    Z = exact(X)
    if not offset:
        return Z
    mean = [sum(column, ZERO) / len(Z) for column in zip(*Z)]
    return [[a - m for a, m in zip(z, mean)] for z in Z]


def mean_reach(X: np.ndarray, offset: bool) -> Fraction:
    """Return the mean of reach^2 over all labellings, or over those of equal halves."""
    Z, n, total, number = moved(X, offset), len(X), ZERO, 0
    for labels in product((-1, 1), repeat=n):
        if offset and abs(sum(labels)) > n % 2:
            continue
        plus = labels.count(1)
        sizes = [2 * (plus if s > 0 else n - plus) if offset else n for s in labels]
        made = truth.combined([Fraction(s, size) for s, size in zip(labels, sizes)], Z)
        total, number = total + dot(made, made), number + 1
    return total / number


def curves(rng: np.random.Generator, ledger: Ledger) -> None:
    """Count pairs in whole numbers; large ones, ties, and areas that were changed."""
    n = int(rng.integers(2, 12))
    y = rng.choice([-1, 1], size=n)
    y[:2] = 1, -1
    scores = SCORES[rng.integers(len(SCORES))](rng, n)
    what = f"metrics y={y.tolist()} scores={scores.tolist()}"
    area, mean = pairs(y.tolist(), scores.tolist())
    for name, method, judge, true in (
        ("roc", metrics.roc, metrics.area_certificate, area),
        ("pr_curve", metrics.pr_curve, metrics.precision_certificate, mean),
    ):
        found = ledger.call(f"{name} {what}", method, y, scores, legal=scores.dtype.kind == "f")
        if found is None:
            continue
        claimed = float(found.area if name == "roc" else found.average_precision)
        near = abs(Fraction(claimed) - true) <= SAME
        ledger.verdict(f"{name} {what}", api.verdict(found.certificate), right=near)
        ledger.ordinary(f"{name} {what}", api.verdict(found.certificate) == "proved")
        wrong = claimed + draw.power(rng, -7, -1)
        lie = ledger.call(f"{name} lie {what}", judge, y, scores, wrong)
        if lie is not None:
            said = api.verdict(lie)
            ledger.verdict(f"{name} + {wrong - claimed:g} {what}", said, right=False)


SCORES = (
    lambda rng, n: rng.normal(size=n),
    lambda rng, n: rng.integers(0, 3, size=n),
    lambda rng, n: rng.integers(0, 3, size=n) + 2**53,
    lambda rng, n: rng.integers(0, 3, size=n) + 2**60,
    lambda rng, n: 1e16 + 2.0 * rng.integers(0, 3, size=n),
    lambda rng, n: np.round(rng.normal(size=n), 1) * draw.power(rng, -300, 300),
    lambda rng, n: rng.integers(0, 2, size=n) * 5e-324,
)


def pairs(y: list[int], scores: list) -> tuple[Fraction, Fraction]:
    """Return the area under the ROC curve and the average precision, in fractions."""
    plus = [Fraction(s) for s, label in zip(scores, y) if label == 1]
    minus = [Fraction(s) for s, label in zip(scores, y) if label == -1]
    won = sum(2 * (p > m) + (p == m) for p in plus for m in minus)
    shares = [Fraction(sum(q >= p for q in plus), sum(q >= p for q in plus + minus)) for p in plus]
    return Fraction(won, 2 * len(plus) * len(minus)), sum(shares, ZERO) / len(plus)
