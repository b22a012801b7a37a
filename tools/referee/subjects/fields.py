"""The fields of a linear machine: what alpha and the one float b make, seen from the origin.

Far out b loses digits. How far f and its objective then are from what is proved, the printed
sentence says; where it says nothing, f is off by `SILENT` at most, and the tolerance is kept.
"""

from fractions import Fraction

import numpy as np

from lectures_lib import fast, svm
from lectures_lib.kernels import Linear
from tools.referee import api, draw, truth
from tools.referee.ledger import Ledger
from tools.referee.rational import ZERO, exact, words


def case(rng: np.random.Generator, ledger: Ledger) -> None:
    """Compare f(x) = sum alpha y x_i.x + b, in fractions, with the proved one and with the best."""
    n, shift = int(rng.integers(4, 12)), float(rng.choice([-1, 1])) * draw.power(rng, 0, 13)
    X = np.round(rng.normal(size=(n, 2)), 3) + shift
    y = np.where(np.arange(n) % 2, 1.0, -1.0)
    C, loss = draw.power(rng, -2, 5), str(rng.choice(["hinge", "squared_hinge"]))
    solve = (svm.train, fast.svm, svm.dual)[int(rng.integers(3))]
    if solve is not fast.svm and rng.random() < 0.15:
        C, loss, y = np.inf, "hinge", draw.labels(rng, X - shift)
    what = f"{solve.__name__}, linear, shift={shift:.3g} C={C:.3g} {loss}"
    machine = ledger.call(what, solve, X, y, C, loss=loss)
    if machine is None or not machine.certificate.holds or not machine.separable:
        return
    rows, problem = exact(X), truth.posed(Linear(), X, y, C, loss=loss)
    beta = [a * t for a, t in zip(exact(machine.alpha), exact(y))]
    w = truth.combined(beta, rows) if machine.own_w is None else exact(machine.own_w)
    shown = truth.linear_answer(rows, w, Fraction(machine.b))
    proved = api.svm_answer(machine, rows, problem.K)
    text = str(machine.certificate)
    room = api.printed(text, "with it f is off by up to ", "")
    kept = api.printed(text, ", and within ", " of the best")
    far = max(abs(a - b) for a, b in zip(shown.f, proved.f))
    right = far <= Fraction(api.SILENT if room is None else room)
    if kept is not None or room is None:
        tol = api.tolerance(machine.certificate) if kept is None else kept
        best = problem.best(machine.alpha.tolist())
        right = right and truth.within(problem.primal(shown), best, tol)
    if machine.own_w is None:
        right = right and sum(beta, ZERO) == 0
    ledger.verdict(f"{what}: {words(far)} off: {text[-120:]}", "proved", right=right)
