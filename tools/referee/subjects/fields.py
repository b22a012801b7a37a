"""The fields of linear answers: what multipliers and the one float b make, seen from the origin.

Far out b loses digits. How far f and its objective then are from what is proved, the printed
sentence says; where it says nothing, the tolerance is kept, and a machine's f is off by `SILENT`.
"""

from fractions import Fraction

import numpy as np

from lectures_lib import fast, kernel_methods, svm
from lectures_lib.kernels import Linear
from tools.referee import api, draw, truth
from tools.referee.ledger import Ledger
from tools.referee.rational import ZERO, exact, words
from tools.referee.subjects import regressions


def case(rng: np.random.Generator, ledger: Ledger) -> None:
    """Look at a classifier, or at a regression."""
    (classifier if rng.random() < 0.7 else regression)(rng, ledger)


def classifier(rng: np.random.Generator, ledger: Ledger) -> None:
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


def regression(rng: np.random.Generator, ledger: Ledger) -> None:
    """Do the same for a tube, and for ridge regression with an offset."""
    n, shift = int(rng.integers(3, 7)), float(rng.choice([-1, 1])) * draw.power(rng, 0, 13)
    X, y = np.round(rng.normal(size=(n, 2)), 3) + shift, rng.normal(size=n)
    C, tube = draw.power(rng, -2, 4), bool(rng.random() < 0.5)
    what = f"{'tube' if tube else 'ridge'}, linear, shift={shift:.3g} C={C:.3g}"
    if tube:
        found = ledger.call(what, kernel_methods.support_vector_regression, X, y, C, 0.1)
    else:
        found = ledger.call(what, kernel_methods.kernel_ridge, X, y, Linear(), C, offset=True)
    if found is None or not found.certificate.holds:
        return
    rows, yq, cost = exact(X), exact(y), Fraction(C)
    K, v = truth.gram(Linear(), rows), exact(found.beta if tube else found.alpha)
    proved = (api.tube_answer if tube else api.ridge_answer)(found, rows, K)
    shown = truth.kernel_answer(K, v, Fraction(found.b) + Fraction(found.middle))
    room = api.printed(str(found.certificate), "with it f is off by up to ", "")
    far = max(abs(a - b) for a, b in zip(shown.f, proved.f))
    right = sum(v, ZERO) == 0 and (room is None or far <= Fraction(room))
    if room is None and tube:
        best = regressions.tube_best(K, yq, cost, Fraction(0.1))
        value = regressions.tube_cost(shown, yq, cost, Fraction(0.1))
        right = right and value - best <= regressions.tube_allowance(best, yq, cost)
    elif room is None:
        s = [Fraction(1)] * n
        best = regressions.ridge_best(K, yq, cost, True, s)
        value = regressions.ridge_value(shown, yq, cost, s)
        right = right and value - best <= regressions.RIDGE * regressions.trivial(yq, True, s)
    ledger.verdict(f"{what}: {words(far)} off", "proved", right=right)
