"""A deadline: the file in time counts, and each begun day after it costs what the rule says."""

import os
from datetime import datetime

import pytest

from lectures_homework.__main__ import main
from lectures_homework.instructor import submissions
from lectures_homework.instructor.batch import GradedSubmission
from lectures_homework.instructor.grade import Report
from lectures_homework.instructor.late import DAY, Due
from lectures_homework.instructor.report import _points
from lectures_homework.language.checks import PASS, Assignment, Verdict

DUE = Due.read("2026-11-20", 2.0)
IN_TIME = datetime(2026, 11, 20, 23, 59, 30).timestamp()


def hand_in(folder, name, moment):
    path = folder / name
    path.write_text("{}", encoding="utf-8")
    os.utime(path, (moment, moment))
    return path


@pytest.mark.parametrize(("after", "days"), [(0, 0), (60, 1), (DAY, 1), (DAY + 60, 2)])
def test_each_begun_day_counts_and_the_last_minute_is_in_time(tmp_path, after, days):
    assert DUE.days(hand_in(tmp_path, "a.ipynb", IN_TIME + after)) == days


@pytest.mark.parametrize("text", ["2026-11-20 23:59", " 2026-11-20 "])
def test_a_day_ends_at_midnight(text):
    assert Due.read(text).moment == datetime(2026, 11, 20, 23, 59)


@pytest.mark.parametrize("cost", ["-1", "nan", "inf"])
def test_what_is_no_cost_is_told(cost, capsys):
    assert main(["grade", "hw1", ".", "--due", "2026-11-20", "--late", cost]) == 2
    assert "--late takes points of 0 or more" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["tomorrow", "20.11.2026", ""])
def test_what_is_no_deadline_is_told(text):
    with pytest.raises(ValueError, match="is no deadline: write 2026-11-20"):
        Due.read(text)


def test_the_file_in_time_is_kept_when_a_late_one_follows(tmp_path):
    folder = tmp_path / "alice"
    folder.mkdir()
    early = hand_in(folder, "mine.ipynb", IN_TIME - DAY)
    late = hand_in(folder, "hw1_better.ipynb", IN_TIME + DAY)
    (one,) = submissions.find(tmp_path, "hw1", DUE)
    assert (one.path, one.attachments, one.costs) == (early, (late,), 0.0)
    assert any("After the deadline came hw1_better.ipynb" in note for note in one.notes)
    (without,) = submissions.find(tmp_path, "hw1")
    assert without.path == late


def test_who_is_late_pays_by_the_rule_and_never_more_than_was_earned(tmp_path):
    hand_in(tmp_path, "bob.ipynb", IN_TIME + DAY + 60)
    (one,) = submissions.find(tmp_path, "hw1", DUE)
    assert one.costs == 4.0 and "2 begun days after the deadline" in one.notes[0]
    homework = Assignment("hw9", "", minutes=1, data=lambda seed: {})
    for earned, left in ((7, 3.0), (3, 0.0)):
        verdict = Verdict("c", "q1", False, PASS, earned, 7)
        assert _points(homework, GradedSubmission(one, Report("hw9", (verdict,))), None) == left


def test_what_canvas_calls_late_is_late_by_a_day_at_least(tmp_path):
    hand_in(tmp_path, "carol_LATE_123_456_hw1.ipynb", IN_TIME - DAY)
    (one,) = submissions.find(tmp_path, "hw1", DUE)
    assert one.costs == 2.0
