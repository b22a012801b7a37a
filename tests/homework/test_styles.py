"""One mistake costs once, whatever the functions of a student hand each other.

Here a function of each homework and style; ``python -m tools.grading.styles`` tries them all.
"""

import zlib

import numpy as np
import pytest

from lectures_homework.instructor import masters
from tools.grading import styles
from tools.grading.styles import UNWRITTEN, Case

SECRET = "styles"
#: A wrong step makes SMO run to its limit: seconds each. The program tries them.
SLOW = {"segment", "step", "worst_pair", "smo"}


def sample() -> list[Case]:
    """Return for each function, in one style, a wrong answer; for each style, one unwritten."""
    chosen: dict[tuple, Case] = {}
    for case in (case for homework in masters.names() for case in styles.cases(homework)):
        wrong = case.how != UNWRITTEN
        if case.broken in SLOW and (wrong or case.broken != "segment"):
            continue
        turn = styles.STYLES[zlib.crc32(case.broken.encode()) % len(styles.STYLES)]
        if case.variant:
            chosen.setdefault((case.homework, case.broken, "variant"), case)
        elif wrong and case.style == turn:
            chosen.setdefault((case.homework, case.broken), case)
        elif not wrong:
            chosen.setdefault((case.homework, case.style), case)
    return [*chosen.values()]


@pytest.mark.parametrize("case", sample(), ids=str)
def test_a_wrong_function_costs_the_points_of_its_own_question_in_every_style(case):
    lost = styles.lost(case, SECRET, near=True)
    assert {verdict.question for verdict in lost} == {styles.own(case)}


def test_every_homework_and_every_style_has_a_case():
    tried = {(case.homework, case.style) for case in sample()}
    assert tried >= {(homework, style) for homework in masters.names() for style in styles.STYLES}


@pytest.mark.parametrize(
    ("style", "reply"),
    [(styles.LISTS, (1.0, np.ones(2))), (styles.ARRAYS, [1.0, 2.0]), (styles.SCALARS, True)],
)
def test_a_student_of_a_style_stops_where_the_types_are_others(style, reply):
    ask = styles._asked({"earlier": lambda *_: reply}, "earlier", style)
    with pytest.raises(TypeError, match="other types"):
        ask()
