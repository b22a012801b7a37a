"""Linear machines over parts by block ascent: trained ones, and answers that were tampered with."""

from fractions import Fraction

import numpy as np

from lectures_lib import partitions
from lectures_lib.kernels import Linear
from tools.referee import api, draw, truth
from tools.referee.ledger import Ledger
from tools.referee.rational import exact
from tools.referee.subjects.svm_certificate import best_pair

#: Rounds of ascent: enough for ordinary data, and for hostile data an honest end.
ROUNDS = 100


def case(rng: np.random.Generator, ledger: Ledger) -> None:
    """Train over parts; compare the machine, and a lie about the best one, with the truth."""
    data, parts = draw.in_parts(rng, 8)
    C, tol = draw.cost(rng, data.unit), float(rng.choice([1e-2, 1e-3, 1e-6]))
    problem = truth.posed(Linear(), data.X, data.y, C, offset=False)
    machine = trained(rng, ledger, data, parts, problem, tol)
    handed_in(rng, ledger, data, parts, problem, tol, machine)


def trained(rng, ledger: Ledger, data, parts: list, problem, tol: float):
    """Return the machine of block ascent, judged; None if there is none."""
    C, epochs = float(problem.costs[0]), int(rng.integers(1, 4))
    together = int(rng.integers(1, len(parts) + 1))
    what = f"block_ascent C={C:.3g} tol={tol:g} epochs={epochs} {together} of {len(parts)} parts"
    what += f" [{data.kind}]"
    options = {"tol": tol, "epochs": epochs, "together": together, "max_iterations": ROUNDS}
    machine = ledger.call(what, partitions.block_ascent, parts, C, **options)
    if machine is not None:
        right, tight = truth_of(problem, data, np.concatenate(machine.alpha), machine.w, tol)
        said = api.verdict(machine.certificate)
        ledger.verdict(what, said, right=right, tight=tight)
        ledger.converged(what, machine.converged, right=right)
        if data.unit and tight:
            ledger.ordinary(what, said == "proved")
    return machine


def handed_in(rng, ledger: Ledger, data, parts: list, problem, tol: float, machine) -> None:
    """Hand the judge an answer, right or wrong."""
    C, name = float(problem.costs[0]), str(rng.choice(list(LIES)))
    alpha = best_pair(problem)[0] if machine is None or rng.random() < 0.5 else machine.alpha
    alpha = np.concatenate(alpha) if isinstance(alpha, tuple) else alpha
    alpha, w = LIES[name](rng, C, alpha, (alpha * data.y) @ data.X)
    cuts = np.cumsum([len(y) for _, y in parts])[:-1]
    exactly = bool(rng.random() < 0.4)
    what = f"block_certificate C={C:.3g} tol={tol:g} lie={name} exact={exactly} [{data.kind}]"
    proof = ledger.call(
        what, partitions.block_certificate, parts, C, np.split(alpha, cuts), w,
        tol=tol, exact=exactly, legal=not name.endswith(("nan", "infinite")),
    )  # fmt: skip
    if proof is not None:
        right, tight = truth_of(problem, data, alpha, w, tol)
        ledger.verdict(what, api.verdict(proof), right=right, tight=tight)
        if data.unit and name == "none" and tight:
            ledger.ordinary(what, api.verdict(proof) == "proved")


def truth_of(problem, data, alpha: np.ndarray, w: np.ndarray, tol: float) -> tuple[bool, bool]:
    """Return whether w is within tol of the best, and whether alpha proves it, in fractions."""
    if not (np.isfinite(alpha).all() and np.isfinite(w).all()):
        return False, False
    a, value = exact(alpha), problem.primal(
        truth.linear_answer(exact(data.X), exact(w), Fraction(0))
    )  # fmt: skip
    right = problem.in_box(a) and truth.within(value, problem.best(alpha.tolist()), tol)
    return right, right and truth.within(value, problem.dual(a), tol)


def _one(rng, v: np.ndarray, new) -> np.ndarray:
    v = v.copy()
    i = rng.integers(len(v))
    v[i] = new(v[i])
    return v


def _swapped(rng, C, alpha, w):
    return rng.permutation(alpha), w


LIES = {
    "none": lambda rng, C, a, w: (a, w),
    "one alpha": lambda rng, C, a, w: (
        _one(rng, a, lambda v: v * (1 - draw.power(rng, -14, 0))), w),
    "all alphas": lambda rng, C, a, w: (a * (1 - draw.power(rng, -9, 0)), w),
    "one weight": lambda rng, C, a, w: (
        a, _one(rng, w, lambda v: v + draw.power(rng, -14, 1) * np.abs(w).max())),
    "all weights": lambda rng, C, a, w: (a, w * (1 + draw.power(rng, -9, 0))),
    "turned": lambda rng, C, a, w: (a, -w),
    "swapped": _swapped,
    "below the box": lambda rng, C, a, w: (
        _one(rng, a, lambda v: -draw.power(rng, -17, 0) * C), w),
    "above the box": lambda rng, C, a, w: (
        _one(rng, a, lambda v: C * (1 + draw.power(rng, -15, 0))), w),
    "zero": lambda rng, C, a, w: (0 * a, 0 * w),
    "zero weights": lambda rng, C, a, w: (a, 0 * w),
    "alpha is nan": lambda rng, C, a, w: (_one(rng, a, lambda v: np.nan), w),
    "w is nan": lambda rng, C, a, w: (a, _one(rng, w, lambda v: np.nan)),
    "alpha is infinite": lambda rng, C, a, w: (_one(rng, a, lambda v: np.inf), w),
    "w is infinite": lambda rng, C, a, w: (a, _one(rng, w, lambda v: -np.inf)),
}  # fmt: skip
