"""The fields of a linear machine: alpha and b, by the formula beside them, are what is proved."""

from fractions import Fraction

import numpy as np

from lectures_lib import svm
from tools.referee import draw
from tools.referee.ledger import Ledger
from tools.referee.rational import ZERO, dot, exact, words

#: b is one float, and w.centre was rounded on its way into it.
ROUNDED = Fraction(1, 2**48)


def case(rng: np.random.Generator, ledger: Ledger) -> None:
    """Compare the objective of f(x) = sum alpha y x_i.x + b, in fractions, with the proved one."""
    n, shift = int(rng.integers(4, 12)), float(rng.choice([-1, 1])) * draw.power(rng, 0, 9)
    X = np.round(rng.normal(size=(n, 2)), 3) + shift
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    C = draw.power(rng, -2, 3)
    what = f"svm.train, linear, shift={shift:.3g} C={C:.3g}"
    machine = ledger.call(what, svm.train, X, y, C)
    if machine is None or not machine.certificate.holds:
        return
    rows, labels, alpha = exact(X), exact(y), exact(machine.alpha)
    beta = [a * t for a, t in zip(alpha, labels)]
    w = [sum((v * x[j] for v, x in zip(beta, rows)), ZERO) for j in range(2)]
    slack = [max(ZERO, 1 - t * (dot(w, x) + Fraction(machine.b))) for t, x in zip(labels, rows)]
    value = dot(w, w) / 2 + Fraction(C) * sum(slack, ZERO)
    middle = exact(machine.centre)
    mass = [sum(abs(v) * abs(x[j] - middle[j]) for v, x in zip(beta, rows)) for j in range(2)]
    lost = sum((m * abs(c) for m, c in zip(mass, middle)), abs(Fraction(machine.b)))
    room = Fraction(C) * n * ROUNDED * lost
    right = value <= Fraction(machine.certificate.upper) + room
    if machine.own_w is None:
        right = right and sum(beta, ZERO) == 0
    said = machine.certificate.verdict if machine.own_w is None else "undecided"
    ledger.verdict(f"{what}: {words(value)}", said, right=right)
