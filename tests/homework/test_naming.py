"""Wrong answers that nobody planted lose points, and none is called what it is not.

Here those of one homework; ``python -m tools.grading.naming`` measures all, under many secrets.
"""

import pytest

from lectures_homework.instructor import masters
from tools.grading import naming
from tools.grading.new_mistakes import CALLED, MISTAKES


@pytest.mark.filterwarnings("ignore")
def test_new_mistakes_lose_points_and_are_called_nothing_wrong():
    mine = [mistake for mistake in MISTAKES if mistake.homework == "hw6"]
    found = {
        m.words: naming.called(naming.verdicts("hw6", m.question, m.source, "words"), m.called)
        for m in mine
    }
    assert len(found) > 12
    odd = {words: how for words, how in found.items() if how in (naming.WRONGLY, naming.KEPT)}
    assert odd == {}
    assert naming.RIGHTLY in found.values()


def test_every_new_mistake_changes_a_solution_and_its_right_names_are_planted():
    assert len(MISTAKES) >= 100
    assert {(m.homework, m.words) for m in MISTAKES} >= set(CALLED)
    for mistake in MISTAKES:
        assert mistake.source != masters.solutions(mistake.homework)[mistake.function]
        planted = {p.phrase for p in masters.load_answers(mistake.homework).planted}
        assert set(mistake.called) <= planted


@pytest.mark.parametrize(
    ("homework", "question", "secret", "phrases"),
    [
        (
            "hw1",
            "q2",
            "words 5",
            (
                "says converged when the last example was right",
                "says converged when the pass limit ended the loop",
            ),
        ),
        ("hw4", "q3", "words 0", ("is always 0", "uses predicted labels instead of scores")),
        (
            "hw7",
            "q3",
            "words 1",
            ("leaves B as it was", "moves a pair only where both of its tags are wrong"),
        ),
    ],
)
def test_two_mistakes_that_replied_alike_under_a_secret_are_told_apart(
    homework, question, secret, phrases
):
    """The first call of a visible check is the same for all: it must tell the two apart."""
    planted = {p.phrase: p for p in masters.load_answers(homework).planted}
    for phrase in phrases:
        found = naming.verdicts(homework, question, planted[phrase].source, secret)
        assert naming.called(found, (phrase,)) == naming.RIGHTLY
