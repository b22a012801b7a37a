"""One submission: a verdict for every check, and points only for what was shown."""

import json
import sys
import time
from dataclasses import asdict, replace

import numpy as np
import pytest

from lectures_homework.instructor import grade as module
from lectures_homework.instructor.grade import Limits, Report, grade
from lectures_homework.language.checks import CRASH, FAIL, MISSING, PASS, TIMEOUT
from lectures_homework.student import client

from .conftest import DOUBLE, FULL, HONEST, IMPORTS, QUICK, QUIZ, REST, SECRET, TOTAL, book, instead

pytestmark = pytest.mark.usefixtures("box")


def graded(twice, *cells, **options):
    """Return the report on a notebook with these cells."""
    options = {"limits": QUICK, "secret": SECRET, "answers": twice.answers} | options
    return grade(twice.homework, book(*cells), **options)


def statuses(report, question):
    return [verdict.status for verdict in report.verdicts if verdict.question == question]


def test_an_honest_submission_gets_full_marks_and_no_notes(twice):
    report = graded(twice, *HONEST)
    assert (report.points, report.out_of, report.notes) == (FULL, FULL, ())
    assert report.by_hand == {"q4": "Because 2 x = x + x."}


def test_every_check_has_a_verdict_when_there_is_nothing(twice):
    report = grade(twice.homework, b"", limits=QUICK)
    assert report.points == 0
    assert len(report.verdicts) == len(twice.homework.checks) + 1
    assert {verdict.status for verdict in report.verdicts} == {MISSING}
    assert report.by_hand == {"q4": ""}


def test_a_stub_is_missing_and_costs_only_itself(twice):
    stub = 'def double(x):\n    """Return 2 x."""\n    raise NotImplementedError("write double")'
    report = graded(twice, *instead(DOUBLE, stub))
    assert statuses(report, "q1") == [MISSING, MISSING]
    assert report.points == REST and report.notes == ()


def test_a_stub_left_behind_does_not_replace_an_answer(twice):
    stub = "def double(x):\n    raise NotImplementedError"
    report = graded(twice, *HONEST, stub, 'q3 = ""')
    assert report.points == FULL
    assert len(report.notes) == 2 and "empty copy of an answer" in report.notes[0]


@pytest.mark.parametrize(
    "wrong, status",
    [
        ("def double(x):\n    return x", FAIL),
        ("def double(x):\n    return None", FAIL),
        ("def double(x):\n    return 1 / 0", CRASH),
        ("def double(x):\n    while True: pass", TIMEOUT),
        ("double = 3", MISSING),
        ("def dubble(x):\n    return 2 * x", MISSING),
    ],
)
def test_each_verdict_has_its_cause(twice, wrong, status):
    report = graded(twice, *instead(DOUBLE, wrong))
    assert statuses(report, "q1") == [status, status]
    assert report.points == REST


def test_feedback_of_a_visible_check_shows_input_reply_property_and_hint(twice):
    report = graded(twice, *instead(DOUBLE, "def double(x):\n    return x[:1]"))
    (visible,) = [v for v in report.verdicts if v.question == "q1" and not v.hidden]
    assert "double([ 1.5 , -2.25, 0.75])" in visible.given
    assert visible.got == "[1.5]"
    assert "2 x is (3, -4.5, 1.5)" in visible.claim and "not the first" in visible.hint


def test_feedback_of_a_hidden_check_shows_name_and_hint_only(twice):
    report = graded(twice, *instead(DOUBLE, "def double(x):\n    raise ValueError(str(x))"))
    (hidden,) = [v for v in report.verdicts if v.question == "q1" and v.hidden]
    assert (hidden.claim, hidden.given, hidden.got) == ("", "", "")
    assert (hidden.status, hidden.hint) == (CRASH, "any length")
    assert not twice.leaks(json.dumps(asdict(report)))


def test_an_answer_that_behaves_like_a_planted_one_is_named(twice):
    first = "def double(z):\n    z = list(z)\n    return [z[0] + z[0]] + z[1:]"
    report = graded(twice, *instead(DOUBLE, first))
    named = {v.misconception for v in report.verdicts if v.question == "q1"}
    assert named == {"doubles the first entry only"}


@pytest.mark.parametrize(
    "wrong, name",
    [
        ("def total(values):\n    return 1 / 0", ""),  # errors alone are no evidence
        ("def total(values):\n    while True: pass", "never stops adding"),
        ("def total(values):\n    return 3", ""),
    ],
)
def test_endless_answers_are_named_too_and_crashes_are_not(twice, wrong, name):
    report = graded(twice, *instead(TOTAL, wrong))
    (visible,) = [v for v in report.verdicts if v.question == "q2" and not v.hidden]
    assert visible.misconception == name


def test_a_planted_answer_that_hangs_is_given_up(twice, monkeypatch):
    @twice.answers.wrong("q1", "hangs", caught_by="every entry is doubled")
    def double(x):
        while True:
            pass

    monkeypatch.setattr("lectures_homework.instructor.diagnosis.PATIENCE", 0.2)
    report = graded(twice, *instead(DOUBLE, "def double(x):\n    return x"))  # and this ends
    assert {v.misconception for v in report.verdicts} == {""}


@pytest.mark.parametrize(
    "answer, status",
    [
        ('"B"', PASS),
        ('" b "', PASS),
        ('"A"', FAIL),
        ('""', MISSING),
        ("7", MISSING),
        ("[]", MISSING),
    ],
)
def test_a_quiz_counts_only_for_its_right_letter(twice, answer, status):
    report = graded(twice, *instead(QUIZ, f"q3 = {answer}"))
    assert statuses(report, "q3") == [status]
    assert report.points == (FULL if status == PASS else FULL - 1)


def test_a_wrong_option_is_told_why(twice):
    report = graded(twice, *instead(QUIZ, 'q3 = "A"'))
    assert [v.claim for v in report.verdicts if v.question == "q3"] == ["that is one"]


def test_a_statement_that_fails_costs_only_itself(twice):
    report = graded(twice, IMPORTS, "1 / 0\nimport sklearn", *HONEST[1:])
    assert report.points == FULL
    assert (
        report.notes[0] == "Line 1 of code cell 2 stopped with ZeroDivisionError: division by zero."
    )
    assert "Line 2 of code cell 2 stopped with ModuleNotFoundError" in report.notes[1]


def test_that_the_library_is_absent_needs_no_word(twice):
    draws = "from lectures_lib import plots\nfig, ax = plots.plot(X)\nax.set_title('x')"
    report = graded(twice, *HONEST[:2], draws, *HONEST[2:], "undefined.name")
    assert report.points == FULL
    (note,) = report.notes
    assert "name 'undefined' is not defined" in note


def test_the_library_gives_no_answers(twice):
    report = graded(twice, *instead(DOUBLE, "from lectures_lib.kernels import linear as double"))
    assert statuses(report, "q1") == [MISSING, MISSING]


def test_a_broken_line_does_not_cost_its_cell(twice):
    report = graded(twice, *instead(DOUBLE, f"x = = 3\n{DOUBLE}\nprint(double(3)"))
    assert report.points == FULL
    assert [note.split(" cannot")[0] for note in report.notes] == [
        "Line 1 of code cell 3",
        "Line 5 of code cell 3",
    ]


@pytest.mark.parametrize(
    "magic", ["%matplotlib inline", "!pip install numpy", "double?", "%time 3", "x = !ls"]
)
def test_lines_for_ipython_are_passed_over(twice, magic):
    report = graded(twice, *instead(DOUBLE, f"{magic}\n{DOUBLE}"))
    assert (report.points, report.notes) == (FULL, ())


def test_cells_for_ipython_are_passed_over_but_not_timed_ones(twice):
    report = graded(twice, "%%bash\nrm -rf /", *instead(DOUBLE, f"%%time\n{DOUBLE}"))
    assert (report.points, report.notes) == (FULL, ())


def test_answers_may_be_split_and_use_helpers_and_scipy(twice):
    helper = "from scipy.special import expit\ndef factor():\n    return round(4 * expit(0.0))"
    answer = "def double(x: Undefined) -> Nothing:\n    return [factor() * one for one in x]"
    report = graded(twice, IMPORTS, helper, answer, TOTAL, QUIZ, limits=Limits())
    assert (report.points, report.notes) == (FULL, ())


@pytest.mark.parametrize("answer", ["np.float32(2) * x.astype(np.float32)", "(2 * x).tolist()"])
def test_single_precision_and_lists_are_right_answers(twice, answer):
    assert graded(twice, *instead(DOUBLE, f"def double(x):\n    return {answer}")).points == FULL


def test_state_lasts_within_a_check_and_ends_with_it(twice):
    asked = []

    @twice.homework.check("q2", "calls do not depend on each other", points=1, hint="")
    def _(call, rng):
        asked.append([call("total", [1.0]), call("total", [1.0])])

    keeps = "seen = []\ndef total(values):\n    seen.extend(values)\n    return sum(seen)"
    graded(twice, *instead(TOTAL, keeps))
    assert asked == [[1.0, 2.0]]


def test_a_check_that_hangs_on_a_strange_reply_is_ended(twice):
    @twice.homework.check("q2", "counts", points=1, hint="")
    def _(call, rng):
        for _ in range(call("total", [1.0])):
            pass

    wrong = "def total(values):\n    return 10**15"
    report = graded(twice, *instead(TOTAL, wrong), limits=replace(QUICK, total=3))
    assert [v.status for v in report.verdicts if v.check == "counts"] == [FAIL]


def test_the_data_is_the_students_own(twice):
    shown = "def double(x):\n    return data(0)['X']"
    for seed, first in ((None, "[6.5, 6.5, 6.5]"), (2, "[3.5, 3.5, 3.5]")):
        text = book(*instead(DOUBLE, shown), seed=5)
        report = grade(twice.homework, text, limits=QUICK, seed=seed)
        assert report.verdicts[0].got == first


def test_a_seed_without_data_is_told(twice):
    twice.homework.data = lambda seed: {"X": [1.0 / (7 - seed)]}
    report = grade(twice.homework, book(*HONEST, seed=7), limits=QUICK)
    assert report.points == FULL
    assert report.notes == ("There is no data for the seed 7; that of seed 0 was used.",)


def test_another_homework_is_said_in_a_sentence(twice):
    text = book(*HONEST, homework="hw3<script>")
    report = grade(twice.homework, text, limits=QUICK)
    assert report.notes == ("The notebook says it is hw3<script>; it was graded as hw9.",)


def test_a_secret_changes_the_hidden_inputs(make):
    one, other = make(), make()
    graded(one, *HONEST)
    graded(other, *HONEST, secret="another")
    assert one.secrets.isdisjoint(other.secrets)


def test_a_report_survives_json(twice):
    report = graded(twice, *instead(DOUBLE, "1 / 0"))
    assert Report.from_dict(json.loads(json.dumps(asdict(report)))) == report


def test_notes_are_few(twice):
    report = graded(twice, *["1 / 0"] * 40, *HONEST)
    assert report.points == FULL
    assert len(report.notes) == module.MOST_NOTES + 1
    assert report.notes[-1] == "There were 28 more notes like these."


def test_an_honest_submission_is_graded_within_a_second_of_processor_time(twice):
    graded(twice, *HONEST)
    start = time.process_time()
    graded(twice, *HONEST)
    assert time.process_time() - start < 0.5  # in this process; the child has its own


@pytest.mark.parametrize(
    "cell",
    [
        "import absent, numpy as np",
        "!pip install numpy\n" + TOTAL.replace("+= value", "+= (value\n            % 1e15)"),
        "%time start = 0.0\ndef total(values):\n    return sum(values, start)",
        "async def zero():\n    return 0.0\nstart = await zero()\n"
        "def total(values):\n    return sum(values, start)",
        "# Answer to q2\n" + TOTAL,
        "def total(values):\n    return None\ndef total(values):\n    if len(values):\n"
        "        return sum(values)\n    raise NotImplementedError",
    ],
)
def test_habits_of_a_notebook_cost_nothing(twice, cell):
    later = instead(TOTAL, cell if "total" in cell else f"{cell}\n{TOTAL}")
    assert graded(twice, *later).points == FULL


def test_slow_cells_leave_the_quizzes_and_variables_below_them(twice):
    slow = "import time\nfor _ in range(12):\n    time.sleep(0.1)"
    cells = (IMPORTS, slow, "two = 2", *instead(DOUBLE, "double = lambda x: two * np.array(x)")[2:])
    assert graded(twice, *cells, limits=replace(QUICK, load=1)).points == FULL


def test_a_flood_of_messages_is_soon_forgotten(twice):
    flood = """
import contextlib, json, os
for k in range(5_000):
    line = json.dumps({"failed": [1, 1, 1], "kind": "E", "text": os.urandom(8).hex()})
    for descriptor in range(3, 8):
        with contextlib.suppress(OSError):
            os.write(descriptor, line.encode() + b"\\n")
os._exit(1)"""
    start = time.process_time()
    report = graded(twice, *[flood] * 3, *HONEST)
    assert report.points == FULL
    assert "more notes like these" in report.notes[-1]
    assert time.process_time() - start < 5


def test_an_error_is_told_with_its_class_and_the_students_line(twice):
    wrong = "def helper(x):\n    y = 2\n    return x + undefined_name  # here\n"
    cells = instead(DOUBLE, wrong + "def double(x):\n    return helper(x)")
    report = graded(twice, *cells)
    (visible,) = [v for v in report.verdicts if v.question == "q1" and not v.hidden]
    assert visible.claim == (
        "your function stopped with NameError: name 'undefined_name' is not defined, "
        "in the line `return x + undefined_name # here`"
    )
    assert visible.hint.startswith("A name in this line has no value")
    (hidden,) = [v for v in report.verdicts if v.question == "q1" and v.hidden]
    assert hidden.claim == ""


def test_no_line_is_told_that_the_notebook_does_not_have(twice):
    lies = """
def double(x):
    error = ValueError("x")
    code = compile("\\n" * 900 + "raise error", "<cell 1>", "exec")
    exec(code, {"error": error})"""
    report = graded(twice, *instead(DOUBLE, lies))
    (visible,) = [v for v in report.verdicts if v.question == "q1" and not v.hidden]
    assert visible.claim == "your function stopped with ValueError: x"


def test_a_line_of_a_newer_python_is_told_in_pythons_words_and_flagged(twice, box):
    cell = "x = 1\ndef f():\n    return 1\n\ny = (1,\n     2 3)\nz = 4"
    report = grade(twice.homework, book(cell, *HONEST), sandbox=box, limits=QUICK)
    told = [note for note in report.notes if "cannot be read by Python" in note]
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert len(told) == 1 and told[0].startswith("Line 6 of code cell")
    assert f"by Python {version}: " in told[0] and "left out" in told[0]
    assert any("does a newer one read it?" in flag for flag in report.flags)


def test_check_says_at_once_which_package_the_grader_has_not(twice):
    names = {"estimators": sys.modules["pytest"], "double": lambda x: 2 * np.asarray(x)}
    told = client.checked(twice.homework, "q1", names)
    assert "pytest: the grader has only Python, numpy, scipy and matplotlib" in told
