"""Support vector machines: every solver, on every kind of data."""

from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np

from lectures_lib import fast, smo, svm
from lectures_lib.kernels import Gaussian, Linear, Polynomial
from tools.referee import api, draw, truth
from tools.referee.ledger import Ledger
from tools.referee.rational import exact, words

#: The most steps of SMO: enough for 100 examples; by default it takes a hundred times more
#: before it gives up, which is honest and slow.
STEPS = 100_000
#: A certificate is also asked about these tolerances.
ASKED = (1e-2, 1e-6, 1e-8)


def solvers(rng: np.random.Generator, ledger: Ledger) -> None:
    """Train by one of the solvers and compare the machine with the best one."""
    data = draw.examples(rng)
    solver = str(rng.choice(list(SHARES), p=list(SHARES.values())))
    kernel = Linear() if solver == "primal" else draw.kernel(rng, data.X)
    C, loss, offset = draw.cost(rng, data.unit), "hinge", True
    if rng.random() < 0.3:
        loss = "squared_hinge"
    if solver in ("dual", "primal") and rng.random() < 0.3:
        offset = False
    if solver in ("train", "dual", "primal") and rng.random() < 0.12:
        C, loss = np.inf, "hinge"
    machine = train(ledger, solver, data, C, kernel, loss, offset)
    if machine is None:
        return
    what = f"svm.{solver} {kernel!r} C={C:.3g} {loss} offset={offset} [{data.kind}]"
    asked = api.QUICK if solver == "fast" else api.PROMISED
    judge(ledger, what, machine, kernel, data, C, loss=loss, offset=offset, asked=asked)
    if machine.separable and rng.random() < 0.3:
        again(rng, ledger, what, machine, kernel, data, C, loss, offset)


def again(rng, ledger: Ledger, what: str, machine, kernel, data, C, loss, offset) -> None:
    """Change one field a bit, a lot or not at all, have the copy judged anew, and judge that."""
    how = str(rng.choice(["nothing", "b", "one alpha", "all alphas", "b_centred", "b_interval"]))
    size = draw.power(rng, -14, 1)
    alpha = machine.alpha.copy()
    alpha[rng.integers(len(alpha))] *= 1 + size
    changed = {
        "nothing": {"iterations": 0},
        "b": {"b": machine.b + size * (1 + abs(machine.b))},
        "one alpha": {"alpha": alpha},
        "all alphas": {"alpha": machine.alpha * (1 - min(size, 1.0))},
        "b_centred": {"b_centred": None if machine.b_centred is None else machine.b_centred + size},
        "b_interval": {"b_interval": (-size, size)},
    }[how]
    lie = replace(machine, **changed)
    if lie.converged or lie.certificate.holds:
        ledger.fail("false proofs", f"{what}: a changed copy is proved ({how})")
    judged = ledger.call(f"{what} rejudged: {how}", lie.rejudge, offset=offset)
    if judged is not None:
        same, data = f"{what} rejudged: {how}", replace(data, unit=data.unit and how == "nothing")
        judge(ledger, same, judged, kernel, data, C, loss=loss, offset=offset)


def train(ledger: Ledger, solver: str, data, C: float, kernel, loss: str, offset: bool):
    """Return the machine of one solver, or None if it stopped."""
    options = {"loss": loss} | PATIENCE.get(solver, {"offset": offset})
    arguments = (data.X, data.y, C) if solver == "primal" else (data.X, data.y, C, kernel)
    method = fast.svm if solver == "fast" else getattr(svm, solver.partition(",")[0])
    return ledger.call(f"svm.{solver} C={C:.3g} [{data.kind}]", method, *arguments, **options)


PATIENCE = {
    "train": {"solver": partial(smo.second_order, max_iterations=STEPS)},
    "train, platt": {"solver": partial(smo.platt, max_iterations=STEPS // 10)},
    "train, most violating": {"solver": partial(smo.most_violating, max_iterations=STEPS)},
    "fast": {"max_iterations": STEPS},
}
SHARES = {"train": 0.26, "fast": 0.24, "dual": 0.2, "primal": 0.2}
SHARES |= {"train, platt": 0.05, "train, most violating": 0.05}


def judge(
    ledger, what, machine, kernel, data, C, *, loss="hinge", offset=True, asked=api.PROMISED
) -> None:
    """Compare a machine and what it says of itself with the truth.

    Its printed sentence names a tolerance; `converged` promises the one that was asked for.
    """
    problem = truth.posed(kernel, data.X, data.y, C, loss=loss, offset=offset)
    if not machine.separable:
        inseparable(ledger, what, machine, problem)
        return
    answer = api.svm_answer(machine, exact(data.X), problem.K)
    if answer is None:
        ledger.converged(what + ": not a number", machine.converged, right=False)
        ledger.verdict(what + ": not a number", api.verdict(machine.certificate), right=False)
        return
    alpha, best = exact(machine.alpha), problem.best(machine.alpha.tolist())
    value, tol = problem.primal(answer), api.tolerance(machine.certificate)
    right = problem.in_box(alpha) and truth.within(value, best, tol)
    off = f"{words(value / best - 1)} off" if value is not None and best else "no machine"
    said = api.verdict(machine.certificate)
    ledger.verdict(f"{what}: {off}", said, right=right, tight=right and truth.tight(
        problem, answer, alpha, tol
    ))  # fmt: skip
    kept = problem.in_box(alpha) and truth.within(value, best, asked)
    ledger.converged(f"{what}: {off}", machine.converged, right=kept)
    if said == "proved":
        decisions(ledger, what, machine, data, kernel, answer)
    for other in ASKED if right or said != "proved" else ():
        if api.within(machine.certificate, other) and not truth.within(value, best, other):
            ledger.fail("false proofs", f"{what}: {off}, said to be within {other:g}")
            break
    if data.unit and right and C < np.inf:
        ledger.ordinary(what, said == "proved")


def decisions(ledger: Ledger, what: str, machine, data, kernel, answer) -> None:
    """Compare what `decision` computes with f, and with what the certificate prints about it."""
    with np.errstate(all="ignore"):
        shown = machine.decision(data.X)
    if not np.isfinite(shown).all():
        return
    far = max(abs(Fraction(d) - f) for d, f in zip(shown.tolist(), answer.f))
    pairs = [(d, f) for d, f in zip(shown.tolist(), answer.f) if abs(f) > api.SILENT]
    wrong = sum((d >= 0) != (f >= 0) for d, f in pairs)
    text = str(machine.certificate)
    allowed = api.printed(text, "off by up to ", " at the training examples")
    if far > Fraction(api.SILENT if allowed is None else allowed):
        ledger.fail("false proofs", f"{what}: decision is {words(far)} from f: {text[-120:]}")
    admitted = api.printed(text, "the wrong sign at ", " of them") or 0
    sure = api.printed(text, " has the wrong sign at ", " of them") or 0
    other = sum((d >= 0) != (f >= 0) for d, f in zip(shown.tolist(), answer.f))
    known = isinstance(kernel, (Linear, Polynomial))  # others are known to 600 digits
    if wrong > admitted and known:
        ledger.fail("false proofs", f"{what}: {wrong} decisions have the wrong sign: {text[-120:]}")
    if sure > other and known:
        ledger.fail("false proofs", f"{what}: {other} decisions have the wrong sign: {text[-120:]}")


def inseparable(ledger: Ledger, what: str, machine, problem) -> None:
    """Judge a machine that says: there is no separator."""
    separable = problem.solution() is not None
    ledger.converged(what + ": separable", machine.converged, right=not separable)


def larger(rng: np.random.Generator, ledger: Ledger) -> None:
    """Train on more examples; the exact gap of the answer, or a better machine, decides."""
    gaussian = bool(rng.random() < 0.25)
    n, d = int(rng.integers(30, 50 if gaussian else 120)), int(rng.integers(1, 5))
    X = draw.BASES["normal"](rng, n, d)
    unit = bool(rng.random() < 0.5)
    kind = "normal"
    if not unit:
        kind = str(rng.choice([k for k in draw.TWISTS if k != "identical"]))
        X = draw.TWISTS[kind](rng, X)
    data = draw.Examples(X, draw.labels(rng, X), kind, unit)
    spread = float(np.ptp(X, axis=0).max()) or 1.0
    kernel = Gaussian(spread * draw.power(rng, -1, 0)) if gaussian else Linear()
    C = draw.cost(rng, unit)
    found = {s: train(ledger, s, data, C, kernel, "hinge", True) for s in ("train", "fast")}
    found = {name: machine for name, machine in found.items() if machine is not None}
    problem = Deep(kernel, data, C) if gaussian else Wide(exact(X), exact(data.y), C)
    values = {name: problem.primal(machine) for name, machine in found.items()}
    known = [value for value in values.values() if value is not None]
    for name, machine in found.items():
        tol, alpha = api.tolerance(machine.certificate), exact(machine.alpha)
        tight = problem.tight(values[name], alpha, tol)
        beaten = values[name] is None or not truth.within(values[name], min(known), tol)
        right = True if tight else False if beaten else None
        what = f"svm.{name} {kernel!r} n={n} C={C:.3g} [{kind}]"
        ledger.verdict(what, api.verdict(machine.certificate), right=right, tight=tight)
        ledger.converged(what, machine.converged, right=right)
        if unit and right:
            ledger.ordinary(what, api.verdict(machine.certificate) == "proved")


class Deep:
    """The problem of any kernel, by its exact Gram matrix."""

    def __init__(self, kernel, data, C: float) -> None:
        self.X, self.problem = exact(data.X), truth.posed(kernel, data.X, data.y, C)

    def primal(self, machine):
        """Return the exact objective of a machine; None if it has numbers that are none."""
        answer = api.svm_answer(machine, self.X, self.problem.K)
        return None if answer is None else self.problem.primal(answer)

    def tight(self, value, alpha, tol: float) -> bool:
        """Return whether alpha itself proves the value, in fractions."""
        feasible = self.problem.in_box(alpha) and self.problem.nearly_balanced(alpha)
        return feasible and truth.within(
            value, self.problem.dual(self.problem.balanced(alpha)), tol
        )


class Wide:
    """The problem of the linear kernel without its Gram matrix."""

    def __init__(self, X, y, C: float) -> None:
        self.X, self.y, self.C = X, y, exact(C)

    def primal(self, machine):
        """Return the exact objective of a machine; None if it has numbers that are none."""
        if not np.isfinite([*machine.alpha.tolist(), machine.b]).all():
            return None
        beta = [a * y for a, y in zip(exact(machine.alpha), self.y)]
        b, Z = machine.b, self.X
        if getattr(machine, "centre", None) is not None:
            b, Z = machine.b_centred, api.moved(self.X, machine.centre)
        own = getattr(machine, "own_w", None)
        w = truth.combined(beta, Z) if own is None else exact(own)
        answer = truth.linear_answer(Z, w, exact(float(b)))
        return self._soft.primal(answer)

    @property
    def _soft(self) -> truth.Classification:
        return truth.Classification([], self.y, [self.C] * len(self.y))

    def tight(self, value, alpha, tol: float) -> bool:
        """Return whether alpha itself proves the value, in fractions."""
        if value is None or not all(0 <= a <= self.C for a in alpha):
            return False
        even = self._soft.balanced(alpha)
        w = truth.combined([a * y for a, y in zip(even, self.y)], self.X)
        near = self._soft.nearly_balanced(alpha)
        return near and truth.within(value, sum(even) - truth.dot(w, w) / 2, tol)
