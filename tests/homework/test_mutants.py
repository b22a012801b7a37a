"""No small change to a solution keeps full marks, unless it is as right as the solution."""

import ast

import pytest

from lectures_homework.instructor import masters
from tools.grading import mutants


@pytest.mark.parametrize("homework", masters.names())
def test_a_changed_solution_loses_points_unless_it_is_known_to_be_right(homework):
    assert set(mutants.survivors(homework)) == set(masters.load_answers(homework).equal)


@pytest.mark.parametrize("homework", masters.names())
def test_every_solution_is_changed_at_many_places_one_at_a_time(homework):
    made = list(mutants.mutants(homework))
    assert len(made) > 80
    assert len({mutant.source for mutant in made}) == len(made)
    originals = {ast.unparse(ast.parse(text)) for text in mutants.solutions(homework)}
    assert not originals & {mutant.source for mutant in made}
    asked = {q for q, functions in masters.load(homework).functions.items() if functions}
    assert {mutant.question for mutant in made} == asked
