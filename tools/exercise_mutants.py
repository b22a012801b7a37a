"""Machine-made changes of every published solution that its check still calls right.

Each is as right as the solution (`EQUAL` says why) or a hole in the check.

Usage: ``python -m tools.exercise_mutants [exercise ...]`` lists them, and the rate.
"""

import ast
import sys
import warnings
from collections.abc import Iterator
from itertools import islice

import numpy as np

from lectures_lib import exercises
from lectures_lib.exercises.theorems import PROOFS
from tools.mutation import changed
from tools.published import Solution, solutions

#: exercises whose answer is an example of one's own: a change that passes is another right example
EXAMPLES = {
    *("never", "poor margin", "disagree", "trap", "conic", "unlifted", "refuting", "outvoted"),
    *("lie", "more errors", "two claims", "upset", "stuck", "always wrong"),
}
SIGNS = "labels are -1 and +1: no label lies between the two numbers"
SYMMETRIC = "K is symmetric"
EXACT = "the check hands over multipliers that are exactly 0, exactly C, or far from both"
NOTHING = "what it adds looks at spans that hold no words, where the count is 0"
TIES = "only where both sides are equal, and there both answers are right"
FINER = "one step more than is needed"
#: (exercise, part of the changed line) -> why the change is as right as the solution
EQUAL = {
    ("slope", ">= 1:"): TIES,
    ("hard labels", "s @ x >= 0"): TIES,
    ("upper", "at_most >= tail"): TIES,
    ("witness", "values[0] <= "): TIES,
    ("unjustified", "range(2, "): "the first update is never in the list",
    ("unjustified", ".mean(axis=0)"): "a mean has the sign of its sum",
    ("structural slack", "loss(y_star, y)"): "the losses of the course are symmetric",
    ("combined", "np.append(np.sqrt(3)"): "features may come in any order",
    ("combined", "np.outer(b, a)"): "features may come in any order",
    ("caught", "np.isclose(1, lam.sum())"): "isclose at 1, the other way round",
    ("whom to believe", "np.isclose(0, alpha @ y)"): "isclose at 0, the other way round",
    ("whom to believe", "upper < (1 + tol)"): "only where both sides are equal to the last bit",
    ("count update", "K[t, :]"): SYMMETRIC,
    ("pair", "2 * K[j, i]"): SYMMETRIC,
    ("centred", "K.mean(axis=1) - K.mean(axis=1)"): SYMMETRIC,
    ("centred", "K.mean(axis=0)[:, None]"): SYMMETRIC,
    ("pair", "(np.where(y >= 0, 0.0, -C)"): SIGNS,
    ("pair", "np.where(y >= 0, C, 0.0)"): SIGNS,
    ("violation", "grow = np.where(y >= 0"): SIGNS,
    ("violation", "shrink = np.where(y >= 0"): SIGNS,
    ("offset", "bounded == (y <= 0)"): SIGNS,
    ("offset", "bounded == (y < 1)"): SIGNS,
    ("offset", "bounded == (y >= 0)"): SIGNS,
    ("offset", "small = 0 *"): EXACT,
    ("offset", "small = 1e-06 * max("): EXACT,
    ("offset", "alpha.min())"): EXACT,
    ("offset", "(alpha >= small)"): EXACT,
    ("offset", "(alpha <= C - small)"): EXACT,
    ("offset", "bounded = alpha >= small"): EXACT,
    ("repeats", "range(len(labels) + m + 1)"): "a slice that is too short is never the form",
    ("repeats", "range(len(labels) - m + 2)"): "a slice that is too short is never the form",
    ("search", "range(41)"): FINER,
    ("upper", "range(61)"): FINER,
    ("upper", "(0.0, 2.0)"): "the first middle is then 1, and the search goes on from 0 to 1",
    ("vote", "[1] * k"): "all classes begin with one vote more",
    ("vote", "+= 2"): "every vote counts twice",
    ("exit", "= 2.0"): "twice the weights, the same signs",
    ("parses", "range(0, n + 1)"): NOTHING,
    ("parses", "range(2, n + 2)"): NOTHING,
    ("parses", "range(n + width + 1)"): NOTHING,
    ("parses", "range(n - width + 2)"): NOTHING,
    ("parses", "range(i - 1, j)"): NOTHING,
    ("parses", "range(i + 0, j)"): NOTHING,
}


def mutants(solution: Solution) -> Iterator[tuple[str, str]]:
    """Yield (the line before and after, the changed text) of a published solution."""
    if solution.exercise in PROOFS:
        yield from _of_a_sum(solution)
        return
    tree = ast.parse(solution.source)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name == solution.name:
            yield from changed(tree, node)


def _of_a_sum(solution: Solution) -> Iterator[tuple[str, str]]:
    """Yield the changes of a proof, which is a text."""
    before = str(solution.answer())
    tree = ast.parse(before.replace("^", "**"))
    for name, text in changed(tree, tree):
        yield name, f"{solution.name} = {text!r}"


def survives(solution: Solution, source: str) -> bool:
    """Say whether the check calls a changed solution right."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return exercises.judge(solution.exercise, solution.answer(source)).passed
    except Exception:  # the changed text is no Python, or its first line stops
        return False


def survivors(solution: Solution, every: int = 1) -> list[str]:
    """Return the changes that the check calls right; with `every`, of a sample."""
    tried = islice(mutants(solution), 0, None, every)
    return [name for name, source in tried if survives(solution, source)]


def why(solution: Solution, name: str) -> list[tuple[str, str]]:
    """Return the entries of EQUAL that a survivor has, or of EXAMPLES."""
    if solution.exercise in EXAMPLES:
        return [(solution.exercise, "")]
    after = name.partition("  ->  ")[2]
    return [key for key in EQUAL if key[0] == solution.exercise and key[1] in after]


def main(names: list[str]) -> int:
    """Print the changes that nobody has explained, and the rate; return how many they are."""
    made = kept = holes = 0
    for solution in solutions():
        if names and solution.exercise not in names:
            continue
        alive = survivors(solution)
        made, kept = made + sum(1 for _ in mutants(solution)), kept + len(alive)
        for name in alive:
            if not why(solution, name):
                holes += 1
                print(f"{solution.exercise}: {name}", flush=True)
    refused = made - kept
    print(f"{made} changes: {refused} refused, {kept - holes} as right, {holes} holes")
    return holes


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1:])))
