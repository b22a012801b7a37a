"""The paths of the instructors' page: their hours are those that the notebooks state."""

import re

import pytest

from lectures_homework.instructor import masters
from tools import paths
from tools.environment import ROOT


@pytest.mark.parametrize("name", paths.PATHS)
def test_the_hours_of_a_path_are_the_sum_of_the_stated_times(name):
    rows = [line.split("|") for line in paths.table(paths.PATHS[name]).splitlines()[2:]]
    steps, total = rows[:-1], rows[-1]
    assert [float(row[3]) for row in steps] == [
        pytest.approx(sum(map(paths.minutes, step.notebooks)) / 60, abs=0.051)
        for step in paths.PATHS[name]
    ]
    spent = sum(paths.minutes(n) for step in paths.PATHS[name] for n in step.notebooks)
    assert float(total[3]) == pytest.approx(spent / 60, abs=0.051)


def test_no_path_visits_a_notebook_or_a_homework_twice_and_the_semester_leaves_none_out():
    for path in paths.PATHS.values():
        for visited in (
            [n for s in path for n in s.notebooks],
            [h for s in path for h in s.homework],
        ):
            assert len(visited) == len(set(visited))
    semester = paths.PATHS["semester"]
    there = {file.name[:2] for file in (ROOT / "notebooks").glob("[0-9]*.ipynb")}
    assert {n for step in semester for n in step.notebooks} == there
    assert {h for step in semester for h in step.homework} == set(masters.names())


@pytest.mark.parametrize("name", paths.PATHS)
def test_a_homework_comes_after_the_notebooks_it_rests_on(name):
    table = (ROOT / "notebooks/homework/README.md").read_text(encoding="utf-8")
    after = dict(re.findall(r"^\| (hw\d) \| .+ \| ([\d, ]+) \|$", table, re.MULTILINE))
    assert len(after) == len(masters.names())
    seen: set[str] = set()
    for step in paths.PATHS[name]:
        seen |= set(step.notebooks)
        for homework in step.homework:
            assert set(after[homework].split(", ")) <= seen, (name, step.when, homework)


def test_a_day_fits_into_a_day_and_the_page_has_every_table():
    assert sum(paths.minutes(n) for s in paths.PATHS["day"] for n in s.notebooks) <= 7 * 60
    text = paths.filled((ROOT / "book/paths.md").read_text(encoding="utf-8"))
    assert "<!-- path" not in text and text.count("| in all |") == len(paths.PATHS)
