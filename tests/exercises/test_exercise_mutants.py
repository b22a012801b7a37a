"""No small change to a published solution is called right, unless it is as right."""

import re

import pytest

from tools.environment import ROOT
from tools.exercise_mutants import EQUAL, EXAMPLES, mutants, survives, survivors, why
from tools.published import solutions

#: one change in so many is tried here; `python -m tools.exercise_mutants` tries all
EVERY = 4
each = pytest.mark.parametrize("solution", solutions(), ids=lambda s: s.exercise)


@each
def test_a_changed_solution_is_refused_unless_it_is_known_to_be_right(solution):
    assert [name for name in survivors(solution, EVERY) if not why(solution, name)] == []


@each
def test_every_solution_is_changed_and_each_change_once(solution):
    made = [source for _, source in mutants(solution)]
    assert made
    assert len(set(made)) == len(made)


def test_every_change_that_is_called_as_right_as_the_solution_is_one():
    names = {solution.exercise for solution in solutions()}
    assert EXAMPLES <= names
    used = set()
    for solution in solutions():
        for name, source in mutants(solution):
            if solution.exercise not in EXAMPLES and (keys := why(solution, name)):
                assert survives(solution, source), name
                used.update(keys)
    assert used == set(EQUAL)


def test_the_numbers_in_contributing_are_those_of_the_tool():
    every = solutions()
    made = {s.exercise: list(mutants(s)) for s in every}
    others = sum(len(survivors(s)) for s in every if s.exercise in EXAMPLES)
    equal = sum(bool(why(s, name)) for s in every if s.exercise not in EXAMPLES
                for name, _ in made[s.exercise])  # fmt: skip
    total, right = sum(map(len, made.values())), others + equal
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    measured = " ".join(re.search(r"Measured with \d+ exercises.*?no hole", text, re.S)[0].split())
    assert measured == (
        f"Measured with {len(every)} exercises: {total:,} changes, {total - right:,} refused "
        f"({(total - right) / total:.1%}".replace("%", " %")
        + f"), {right} as right, of which {others} are other right examples, no hole"
    )
