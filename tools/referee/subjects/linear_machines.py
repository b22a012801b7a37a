"""Linear machines whose offset is penalised: coordinate descent, `fast.linear`, Pegasos."""

from fractions import Fraction

import numpy as np

from lectures_lib import fast, linear
from lectures_lib.kernels import Linear
from tools.referee import api, draw, truth
from tools.referee.ledger import Ledger
from tools.referee.rational import dot, exact, words

#: A bound may be off by its own rounding, relative.
BOUND_ROUNDING = Fraction(1, 10**9)


def case(rng: np.random.Generator, ledger: Ledger) -> None:
    """Train by one of the solvers and compare the machine with the best one."""
    data = draw.examples(rng, both=False)
    solver = str(rng.choice(["dual_coordinate_descent", "fast", "pegasos"]))
    constant = float(rng.choice([0.0, 1.0, draw.power(rng, -2, 3)]))
    if solver == "pegasos":
        pegasos(rng, ledger, data, constant)
        return
    squared = bool(rng.random() < 0.4)
    C = draw.cost(rng, data.unit)
    if rng.random() < 0.2:
        C = C * rng.uniform(0.1, 10.0, size=len(data.y))
    options = {"constant": constant, "tol": float(rng.choice([1e-8, 1e-6, 1e-3]))}
    options |= {"loss": "squared_hinge" if squared else "hinge", "max_epochs": 2000, "rng": 0}
    size = f"C={np.mean(C):.3g} constant={constant:.3g} tol={options['tol']:g}"
    what = f"linear.{solver} squared={squared} {size} [{data.kind}]"
    solve = fast.linear if solver == "fast" else linear.dual_coordinate_descent
    machine = ledger.call(what, solve, data.X, data.y, C, **options)
    if machine is not None:
        judge(ledger, what, machine, data, posed(data, C, constant, squared), options["tol"])


def posed(data, C, constant: float, squared: bool) -> truth.Classification:
    """Return the exact problem: the constant feature adds its square to every entry of K."""
    K = truth.gram(Linear(), exact(data.X))
    K = [[v + Fraction(constant) ** 2 for v in row] for row in K]
    costs = exact(np.broadcast_to(np.asarray(C, float), data.y.shape).copy())
    return truth.Classification(K, exact(data.y), costs, False, squared)


def value_of(problem, machine, X, constant: float) -> Fraction | None:
    """Return the exact objective of the w and b that were returned."""
    if not np.isfinite([*machine.w, machine.b]).all():
        return None
    w, b = exact(machine.w), Fraction(float(machine.b))
    answer = truth.linear_answer(exact(X), w, b)
    extra = (b / Fraction(constant)) ** 2 if constant else Fraction(0)
    return problem.primal(truth.Answer(answer.norm2 + extra, answer.f))


def judge(ledger: Ledger, what: str, machine, data, problem, tol: float) -> None:
    """Compare a machine and what it says of itself with the truth."""
    constant = _constant(problem, data)
    value = value_of(problem, machine, data.X, constant)
    best = problem.best(machine.alpha.tolist())
    right = truth.within(value, best, tol)
    off = f"{words(value / best - 1)} off" if value is not None else "not a number"
    said = api.linear_verdict(machine)
    tight = right and own_proof(problem, machine, value, tol)
    ledger.verdict(f"{what}: {off}", said, right=right, tight=tight)
    ledger.converged(f"{what}: {off}", machine.converged, right=right)
    if data.unit and truth.within(value, best, 1e-9) and tight:
        ledger.ordinary(what, said == "proved")


def own_proof(problem, machine, value, tol: float) -> bool:
    """Return whether the machine's alpha proves its w, in fractions."""
    alpha = exact(machine.alpha)
    return problem.in_box(alpha) and truth.within(value, problem.dual(alpha), tol)


def _constant(problem, data) -> float:
    square = problem.K[0][0] - dot(exact(data.X[0]), exact(data.X[0]))
    return float(square) ** 0.5


def pegasos(rng: np.random.Generator, ledger: Ledger, data, constant: float) -> None:
    """Pegasos claims a primal value and a lower bound, both in units of the penalty."""
    n, penalty = len(data.y), draw.power(rng, -4, 2)
    what = f"linear.pegasos penalty={penalty:.3g} constant={constant:.3g} [{data.kind}]"
    options = {"steps": 200, "constant": constant, "rng": 0}
    run = ledger.call(what, linear.pegasos, data.X, data.y, penalty, **options)
    if run is None:
        return
    problem = posed(data, 1.0 / (n * penalty), constant, False)
    value, best = value_of(problem, run, data.X, constant), problem.best()
    claims = [run.primal, run.dual]
    if value is None or not np.isfinite(claims).all():
        ledger.verdict(what + ": not a number", "proved", right=False)
        return
    upper, lower = (Fraction(float(v)) / Fraction(penalty) for v in claims)
    near = BOUND_ROUNDING * (abs(upper) + best)
    right = lower <= best + near and value - best <= upper - lower + near
    ledger.verdict(f"{what}: the bounds", "proved", right=right)
