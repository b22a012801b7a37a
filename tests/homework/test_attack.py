"""Wrong answers that were written with the checks at hand lose points in their own question."""

import numpy as np
import pytest

from lectures_homework.hw4 import Program
from lectures_homework.instructor import batch, masters
from lectures_homework.language.checks import judge
from lectures_homework.student.client import LocalCall
from tools.grading import attack

SECRET = "attack 1"
ASKED = [(hw, f) for hw in masters.names() for q in masters.load(hw).functions.values() for f in q]
#: What returns the right answer, and then spoils every array that it was given.
SPOILS = """
_right = {name}
def {name}(*given):
    import copy
    import numpy as np
    reply = copy.deepcopy(_right(*given))
    for one in given:
        for array in one if isinstance(one, list) else [one]:
            if isinstance(array, np.ndarray):
                array += 1
    return reply
"""


@pytest.mark.parametrize("homework", masters.names())
def test_few_of_the_attack_keep_full_marks_under_a_secret_and_none_under_all(homework):
    cases = [case for case in attack.CASES.values() if case[0] == homework]
    kept = [case for case in cases if attack.keeps_full_marks(*case, SECRET)]
    assert len(cases) > 25 and len(kept) <= 2
    assert not any(attack.keeps_full_marks(*case, "attack 2") for case in kept)


@pytest.mark.parametrize(("homework", "name"), ASKED, ids=lambda one: one)
def test_who_changes_what_it_is_given_loses_points_in_its_own_question(homework, name):
    known, names = batch.loaded(homework, str(masters.FOLDER))[0], {"SEED": 0}
    exec("\n".join(masters.solutions(homework).values()), names)
    takes_arrays = "np.ndarray" in masters.solutions(homework)[name].partition("->")[0]
    exec(SPOILS.format(name=name), names)
    question = next(q for q, functions in known.functions.items() if name in functions)
    checks = [c for c in known.checks if c.question == question]
    call = LocalCall(names)
    with np.errstate(all="ignore"):
        lost = [c.name for c in checks if not judge(c, call, secret=SECRET).passed]
    assert bool(lost) == takes_arrays


@pytest.mark.parametrize("secret", ["z31", "z47", "z51"])
def test_rounding_costs_the_solution_no_point_whatever_the_secret(secret):
    known, names = batch.loaded("hw3", str(masters.FOLDER))[0], {"SEED": 0}
    exec("\n".join(masters.solutions("hw3").values()), names)
    checks = [check for check in known.checks if check.question == "q5"]
    assert all(judge(check, LocalCall(names), secret=secret).passed for check in checks)


def test_a_slope_whose_terms_cancel_costs_single_precision_no_point():
    def gradient(w, b, X, y, C):
        w, b, X, y, C = map(np.float32, (w, b, X, y, C))
        c = C * y * (y * (X @ w + b) < 1)
        return w - c @ X, -c.sum()

    known = batch.loaded("hw4", str(masters.FOLDER))[0]
    check = next(one for one in known.checks if one.name.startswith("gradient: also at a kink"))
    assert judge(check, LocalCall({"gradient": gradient}), secret="fresh 209").passed


def test_a_balance_of_millions_holds_up_to_rounding_and_no_more():
    y, n = np.array([1.0, -1.0]), 2
    box = np.vstack([-np.eye(n), np.eye(n)]), np.r_[np.zeros(n), np.full(n, 1e9)]
    program = Program((np.eye(n), -np.ones(n), *box, y[None], np.zeros(1)), n)
    alpha = 6e8 * np.array([0.1 + 0.2, 0.3])
    assert program.allows(alpha) and alpha @ y != 0
    assert not program.allows(alpha + 100 * (y > 0))
