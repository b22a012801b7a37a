"""Checks of the exercises on games, updates and losses (01 to 03)."""

from collections.abc import Iterator

import numpy as np

from .reading import count, named, near, text
from .tries import Answer, Try


def alternating(answer: Answer) -> Iterator[Try]:
    """01: predict(history) errs at most once on labels that alternate; history: those told."""
    for first in (1, -1):
        labels = [first * (-1) ** t for t in range(30)]  # longer than a list that is typed in
        wrong = 0
        for t, label in enumerate(labels):
            said = answer(history=labels[:t]).number()
            yield said in (-1, 1), "a prediction is +1 or -1"
            wrong += said != label
            claim = f"the label told next is {label:+d}: mistake number {wrong}, and 1 is allowed"
            yield wrong <= 1, claim


def innocence(answer: Answer) -> Iterator[Try]:
    """01: innocence(y, R) returns a unit u with y_t u.(R e_t) = R / sqrt(m) in all m rounds."""
    rng = np.random.default_rng(101)
    for m, R in ((1, 1.0), (4, 1.0), (9, 2.0), (7, 0.5)):
        y = rng.choice([-1.0, 1.0], size=m)
        u = answer(y=y, R=R).vector(m)
        yield near(np.sqrt(u @ u), 1.0, "u must be a unit vector: its norm must be")
        margins = y * (R * u)  # the example of round t is R times the unit vector e_t
        worst = int(np.argmin(margins))
        claim = f"in round {worst + 1} it must agree with the label"
        yield margins[worst] > 0, f"{claim}: y u.x = {margins[worst]:.4f}"
        claim = "the least margin must be R / sqrt(m) ="
        yield near(margins.min(), R / np.sqrt(m), claim)


def total(answer: Answer) -> Iterator[Try]:
    """02: weights(alpha, y, X) returns the w of a perceptron that erred alpha_i times on x_i."""
    rng = np.random.default_rng(102)
    for n, d in ((1, 2), (5, 2), (4, 3), (2, 1)):
        alpha, y = rng.integers(0, 4, size=n), rng.choice([-1.0, 1.0], size=n)
        alpha *= d > 1  # the last run made no mistake
        X = rng.integers(-3, 4, size=(n, d)).astype(float)
        w = answer(alpha=alpha, y=y, X=X).vector(d)
        replayed = np.zeros(d)
        for i in np.repeat(np.arange(n), alpha):
            replayed += y[i] * X[i]
        made = count(int(alpha.sum()), "update", "updates")
        claim = f"w = 0 becomes {text(replayed)} by {made} w + y x"
        slips = {
            "the labels are missing": alpha @ X,
            "the counts are missing": y @ X,
            "yours counts every example once": (alpha > 0) * y @ X,
            "yours is divided by the number of mistakes": replayed / max(1, alpha.sum()),
        }
        yield np.allclose(w, replayed), claim + named(w, slips)


def never(answer: Answer) -> Iterator[Try]:
    """02: never() returns X, y, lam: a set in the plane and the proof that no w separates it."""
    X, y, lam = answer().parts("X", "y", "lam")
    X = X.table(2)
    y, lam = y.vector(len(X)), lam.vector(len(X))
    yield np.isin(y, [-1, 1]).all(), "each label must be -1 or +1"
    yield (lam >= 0).all(), "no weight lam_i may be negative"
    yield lam.sum() > 0, "the weights lam must not all be 0"
    most, Z = lam.max(), (y[:, None] * X)[lam > 0]
    lam = lam[lam > 0] / most
    rest = lam @ Z
    claim = f"the sum of lam_i y_i x_i must be 0, and it is {text(rest * most)}"
    yield np.linalg.norm(rest) <= 1e-9 * (lam @ np.linalg.norm(Z, axis=1)), claim
    yield np.linalg.norm(Z, axis=1).min() > 0, "the point 0 is never right: leave it out"
    turn, along = np.outer(Z[:, 0], Z[:, 1]) - np.outer(Z[:, 1], Z[:, 0]), Z @ Z.T
    # nearly opposite ones, too: two of them make nearly 0, and need not refute anything
    opposite = (abs(turn) <= 1e-6 * abs(along)) & (along < 0)
    claim = "two of the vectors y_i x_i are opposite, and refute every w alone: find three"
    yield not opposite.any(), claim


def most(answer: Answer) -> Iterator[Try]:
    """03: most(J, n) returns how many of n examples can be mistakes if the mean hinge loss is J."""
    for n in (4, 1, 7, 16):
        steps = np.arange(0, 2.01, 0.03125)
        for J in [*steps, *(steps[32::-16] - 2.0**-20)[:-1]]:  # n J is exact in floats
            M = answer(J=float(J), n=n).whole(0, n, "the number of mistakes")
            losses = f"the losses add up to {float(n * J)!r}, and each mistake costs at least 1"
            yield n * J >= M, f"{losses}: {M} would cost more"
            yield n * J < M + 1 or n == M, f"{losses}: one more mistake would still be possible"


CHECKS = {
    "alternating": alternating,
    "innocence": innocence,
    "sum": total,
    "never": never,
    "most": most,
}
