"""The lines that students prove by a sum of facts: statements only, the sums are theirs to find."""

from collections.abc import Callable
from typing import Any

import numpy as np

from lectures_lib.theorems import Combination, Induction, Theorem

#: Where a sum would stand; an answer takes its place.
OPEN = "0"


def no_separator(X: np.ndarray, y: np.ndarray) -> Theorem:
    """Return the statement that no (w, b) is right about all of these examples (homework 1).

    Facts: right1, right2, ..., one per example; line: `absurd`, that is 0 > 0.
    """
    scores = (
        " + ".join(f"({label * value:g})*w{k + 1}" for k, value in enumerate(x))
        + f" + ({label:g})*b"
        for x, label in zip(X, y)
    )
    return Theorem(
        name="no line separates",
        says="No (w, b) is right about every example.",
        numbers=" ".join([*(f"w{k + 1}" for k in range(X.shape[1])), "b"]),
        always=tuple(f"right{i}: {score} > 0" for i, score in enumerate(scores, start=1)),
        conclusion=("absurd: 0 > 0",),
        proof=(Combination("absurd: 0 > 0", OPEN),),
    )


def cautious(line: str, eta: int, beta: int) -> Theorem:
    """Return one line of the mistake bound for the cautious perceptron (homework 2).

    It moves w by eta z whenever w.z <= beta, where z = y x. The line is `sum_of_progress` or
    `sum_of_growth`.
    """
    goals = {
        "progress": f"sum_of_progress: w.u >= k*{eta}*gamma",
        "growth": f"sum_of_growth: w.w <= k*({eta**2}*R^2 + {2 * eta * beta})",
    }
    return Theorem(
        name="the cautious perceptron",
        says="Along u it gains with every update; its length grows slowly.",
        numbers="k R gamma",
        vectors="w z u",
        each=("margin: z.u >= gamma", f"close: w.z <= {beta}", "radius: z.z <= R^2"),
        start={"k": "0", "w": "0"},
        step={"k": "k + 1", "w": f"w + {eta}*z"},
        fresh="z",
        conclusion=(goals[line],),
        proof=(Induction(goals[line], OPEN),),
    )


def soft_margin(line: str, n: int) -> Theorem:
    """Return weak duality of the soft margin for n examples (homework 4).

    Line `weak`: for any w, b with slacks. Line `gap`: for w = sum a z, which the fact `weights`
    says as far as it is needed. z = y x, and a is the lecture's alpha.
    """
    all_i = range(1, n + 1)
    v = _sum(lambda i: f"a{i}*z{i}", all_i)
    below = {"weak": f"norm({v})/2", "gap": "w.w/2"}[line]
    prices, slacks = _sum(lambda i: f"a{i}", all_i), _sum(lambda i: f"xi{i}", all_i)
    goal = f"{line}: {prices} - {below} <= w.w/2 + C*({slacks})"
    facts = [f"balance: {_sum(lambda i: f'a{i}*y{i}', all_i)} = 0"]
    facts += [f"weights: w.w = {_sum(lambda i: f'a{i}*w.z{i}', all_i)}"] if line == "gap" else []
    for i in all_i:
        facts += [f"lower{i}: a{i} >= 0", f"upper{i}: a{i} <= C", f"slack{i}: xi{i} >= 0"]
        facts += [f"margin{i}: w.z{i} + b*y{i} >= 1 - xi{i}"]
    return Theorem(
        name="weak duality",
        says="No feasible alpha has a dual value above a primal value.",
        numbers=" ".join(
            ["b", "C", *(f"{letter}{i}" for i in all_i for letter in ("a", "y", "xi"))]
        ),
        vectors=" ".join(["w", *(f"z{i}" for i in all_i)]),
        always=tuple(facts),
        conclusion=(goal,),
        proof=(Combination(goal, OPEN),),
    )


def _sum(part: Callable[[int], str], all_i: Any) -> str:
    return " + ".join(map(part, all_i))
