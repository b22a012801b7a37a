"""Proofs as answers: judged exactly, told what is left over, and never a danger to the grader."""

import time

import pytest

from lectures_homework.instructor.diagnosis import alike
from lectures_homework.language.failures import Broken, Malformed
from lectures_homework.language.sums import MAX_CHARACTERS, expect_proof, same, written
from lectures_lib import theorems


def judged(answer):
    expect_proof(answer, theorems.MISTAKE_BOUND, "sum_of_growth")


@pytest.mark.parametrize(
    "answer",
    [
        "sum_of_growth + 2*mistake + radius",
        "radius + mistake + sum_of_growth + mistake",
        "sum_of_growth + 2.0*mistake + 1e0*radius",
        "(sum_of_growth + radius) + .5*(4*mistake)",
        "sum_of_growth + 2*mistake + radius + margin - margin",
    ],
)
def test_every_way_to_write_the_sum_is_a_proof(answer):
    judged(answer)


@pytest.mark.parametrize(
    "answer, told",
    [
        ("sum_of_growth + mistake + radius", "left over: −w·z"),
        ("sum_of_growth + 2*mistake", "left over: R² − ‖z‖²"),
        ("sum_of_growth + 2*mistake + radius + k - k*1 + mistake - mistake*2", "left over: −w·z"),
        ("sum_of_growth + 2*error + radius", "'error' is neither a fact nor a letter"),
        ("2*sum_of_growth", "left over"),
    ],
)
def test_what_is_left_over_is_told(answer, told):
    with pytest.raises(Broken, match="no proof") as broken:
        judged(answer)
    assert told in str(broken.value)


@pytest.mark.parametrize("answer", [None, 7, ["growth"], "", "  ", "sum_of_growth +", "(" * 300])
def test_what_is_no_sum_is_told_to_be_of_another_form(answer):
    with pytest.raises(Malformed):
        judged(answer)


@pytest.mark.parametrize(
    "answer",
    [
        "(sum_of_growth + radius + mistake)^8*(sum_of_growth + radius)^8",
        "(sum_of_growth + radius)^(4 + 4)*(sum_of_growth + mistake)^(7 + 1)",
        "(((((((((9^8)^8)^8)^8)^8)^8)^8)^8)^8)^8",
        "sq(sq(sq(sq(sq(sq(sq(sq(k + R))))))))",
        "+".join(["k"] * 1900),
        "(" * 900 + "k" + ")" * 900,
        "-" * 3000 + "k",
        "9" * 3900,
        "k" * (MAX_CHARACTERS + 1),
        "__import__('os').system('true')",
        "[x for x in (1, 2)]",
        "growth if 1 else radius",
        "1e999*sum_of_growth",
    ],
)
def test_an_answer_meant_to_keep_the_grader_busy_is_refused_at_once(answer):
    start = time.process_time()
    with pytest.raises(Broken) as broken:
        judged(answer)
    assert len(str(broken.value)) < 400
    assert not same(answer, "growth")
    assert time.process_time() - start < 1


def test_the_same_sum_in_other_words_is_the_same_mistake():
    assert alike("sum_of_growth + 2*mistake", "mistake*2 + (sum_of_growth)")
    assert alike("2*norm(w - z)/4", "norm(-z + w)*0.5")
    assert not alike("sum_of_growth + 2*mistake", "sum_of_growth + mistake")
    assert alike("no sum!", "no sum!") and not alike("no sum!", "no sum?")


def test_decimals_are_exact():
    assert written("0.1*a + 2.50*b + 3*c1") == "(1/10)*a + (5/2)*b + 3*c1"
    assert written("x1.z2 + 1e-3*y") == "x1.z2 + (1/1000)*y"
