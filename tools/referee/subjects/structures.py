"""Structural machines, the structured hinge bound, and theorems: lies about what an output is.

All outputs of a short chain are listed, and objectives are added up in fractions.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np

from lectures_lib import structured, theorems
from tools.referee.ledger import Ledger
from tools.referee.rational import ZERO, dot, exact

#: A machine is claimed to be within this share of the best.
TOL = 1e-3


def machine(rng: np.random.Generator, ledger: Ledger) -> None:
    """Judge the best weights, others, and multipliers of outputs in other forms."""
    n, C = int(rng.integers(1, 4)), float(2.0 ** rng.integers(-2, 3))
    problem = structured.Chain(2, 2)
    X = [rng.integers(-2, 3, size=(n, 2)).astype(float)]
    Y = [tuple(rng.integers(0, 2, size=n).tolist())]
    best = structured.structural_svm(problem, X, Y, C, tol=TOL)
    how, theta, alpha = LIES[int(rng.integers(len(LIES)))](rng, best, Y[0], C)
    what = f"certify {how} X={X[0].tolist()} y={Y[0]} C={C}"
    given = problem, X, Y, C, theta, alpha
    judged = ledger.call(what, structured.certify, *given, tol=TOL, legal="key" not in how)
    if judged is not None:
        least, own = (objective(X[0], Y[0], C, v) for v in (best.theta, np.asarray(theta, float)))
        right = (1 - Fraction(TOL)) * own <= least
        ledger.verdict(what, judged.verdict, right=right, tight=False)
        if how == "honest":
            ledger.ordinary(what, judged.verdict == "proved")


def objective(x: np.ndarray, y: tuple, C: float, theta: np.ndarray) -> Fraction:
    """Return half norm(theta)^2 + C max over all outputs of loss - theta.(f(y) - f(output))."""
    w, right = exact(theta), features(x, y)
    slack = max(
        Fraction(sum(a != b for a, b in zip(y, other)))
        - dot(w, [a - b for a, b in zip(right, features(x, other))])
        for other in product((0, 1), repeat=len(y))
    )
    return dot(w, w) / 2 + Fraction(C) * slack


def features(x: np.ndarray, y: tuple) -> list:
    """Return what the slide calls f(x, y): features with their tag, then pairs of tags."""
    d = x.shape[1]
    f = [ZERO] * (2 * d + 4)
    for t, tag in enumerate(y):
        for j in range(d):
            f[2 * j + tag] += Fraction(float(x[t, j]))
        if t:
            f[2 * d + 2 * y[t - 1] + tag] += 1
    return f


def _strange(form):
    """Return a liar: theta = 0, and all weight on the right output in another form."""
    return lambda rng, best, y, C: (f"{form.__name__} key", 0 * best.theta, [{form(y): C}])


def nested(y):
    """Return each tag in a tuple of its own."""
    return tuple((tag,) for tag in y)


def longer(y):
    """Return one tag too many."""
    return (*y, 0)


def fractional(y):
    """Return tags as fractions."""
    return tuple(Fraction(tag) + Fraction(1, 2) for tag in y)


LIES = (
    lambda rng, best, y, C: ("honest", best.theta, best.alpha),
    lambda rng, best, y, C: ("moved theta", best.theta + rng.normal(size=8), best.alpha),
    lambda rng, best, y, C: ("no theta", 0 * best.theta, best.alpha),
    lambda rng, best, y, C: ("no alpha", best.theta, [{}]),
    _strange(nested),
    _strange(longer),
    _strange(fractional),
)


def bound(rng: np.random.Generator, ledger: Ledger) -> None:
    """Change a run: right outputs are no mistakes, and the steps add up to the last weights."""
    problem, X, Y = structured.greedy_example()
    run = structured.structured_perceptron(problem, X, Y)
    u = structured.structured_perceptron(problem, X, Y, price=1.0).theta
    i, k = int(rng.integers(len(X))), int(rng.integers(len(run.mistakes)))
    how = str(rng.choice(["honest", "padded", "one left out", "one twice", "moved"]))
    told = {
        "padded": {"mistakes": (*run.mistakes, *[structured.Mistake(i, Y[i])] * 30)},
        "one left out": {"mistakes": run.mistakes[:k] + run.mistakes[k + 1 :]},
        "one twice": {"mistakes": (*run.mistakes, run.mistakes[k])},
        "moved": {"theta_last": run.theta_last + 10.0 ** -rng.integers(0, 15)},
    }
    lie, along = replace(run, **told.get(how, {})), float(rng.integers(0, 3)) * u
    judges = [structured.collins_hinge_bound]
    for judge in judges if not along.any() else [*judges, structured.collins_bound]:
        what = f"{judge.__name__}: {how}, example {i}, mistake {k}"
        judged = ledger.call(what, judge, problem, X, Y, lie, along)
        if judged is not None:
            ledger.verdict(what, judged.verdict, right=how == "honest")


#: What is no list of statements, lines or updates.
MALFORMED = (None, 0, "", (), [], ("x",), ({},), ("lie: ",), ("lie: 0 > 0",), ("lie: nan >= 1",))
MALFORMED += (("lie: 1 >= 0 by magic",), {"w": "1"}, ("lie: 0 >= 1", "lie: 1 >= 0"), ("a: 1 = 0",))


def malformed(rng: np.random.Generator, ledger: Ledger, theorem) -> None:
    """Spoil what is concluded, how it is proved or what a step does: refused, or not proved."""
    field = str(rng.choice(["conclusion", "proof", "start", "step"]))
    value = MALFORMED[int(rng.integers(len(MALFORMED)))]
    what = f"{theorem.name}: {field} = {value!r}"
    made = ledger.call(what, replace, theorem, **{field: value}, legal=False)
    if made is None or made == theorem:
        return
    found = ledger.call(what, theorems.check, made, legal=False)
    if found is not None and field in ("conclusion", "proof"):
        right = field == "proof" and is_assumed(theorem)
        ledger.verdict(what, found.verdict, right=right, tight=False)


def is_assumed(theorem) -> bool:
    """Return whether all that is concluded is assumed, in other words: that needs no proof."""
    assumed = [theorem.fact(text) for text in theorem.always]
    known = [fact.left - fact.right for fact in assumed]
    facts = [theorem.fact(text) for text in theorem.conclusion]
    return all(fact.left - fact.right in known for fact in facts)


def statement(rng: np.random.Generator, ledger: Ledger) -> None:
    """Check theorems that claim nothing, or what is false: none may be proved."""
    known = list(theorems.CATALOGUE.values())
    theorem = known[int(rng.integers(len(known)))]
    how = str(rng.choice(["nothing", "nonsense", "a fact that was cleared", "honest", "spoilt"]))
    lie = "lie: 0 >= 1"
    if how == "spoilt":
        malformed(rng, ledger, theorem)
        return
    if how == "honest":
        ledger.verdict(f"{theorem.name}", theorems.check(theorem).verdict, right=True)
        return
    if how == "a fact that was cleared":
        try:
            theorem.fact(lie).right.terms.clear()
        except (TypeError, AttributeError):
            ledger.counts["undecided"] += 1
    changed = replace(theorem, conclusion=() if how == "nothing" else (lie,))
    ledger.verdict(f"{theorem.name}: {how}", theorems.check(changed).verdict, right=False)
