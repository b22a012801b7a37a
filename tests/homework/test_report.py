"""What the class is told: importable tables, escaped pages, numbers that add up."""

import csv
import os
import re
from dataclasses import replace
from urllib.parse import unquote

import pytest

from lectures_homework.instructor import by_hand, report
from lectures_homework.instructor.batch import GradedSubmission
from lectures_homework.instructor.grade import Report
from lectures_homework.instructor.submissions import Submission
from lectures_homework.language.checks import Assignment, Verdict
from lectures_homework.sandbox.session import NOT_STARTED

SCRIPT = "<script>alert(1)</script>"


@pytest.fixture
def homework():
    made = Assignment("hw9", "Twice", minutes=1, data=lambda seed: {})
    made.question("q1", "double", hidden=(1, 2))
    made.check("q1", "doubles", points=3, hint="add")(lambda call, rng: None)
    made.check("q1", "also negatives", points=2, hint="sign", hidden=True)(lambda call, rng: None)
    made.by_hand["q2"] = 10
    return made


def result(student, first="pass", second="pass", said="", note=(), identity=""):
    verdicts = (
        Verdict("doubles", "q1", False, first, 3 * (first == "pass"), 3, got=said, claim=said),
        Verdict(
            "also negatives",
            "q1",
            True,
            second,
            2 * (second == "pass"),
            2,
            hint="sign",
            misconception="" if second == "pass" else "forgets the sign",
        ),
    )
    found = Report("hw9", verdicts, note, {"q2": said or "because"})
    return GradedSubmission(Submission(student, None, identity), found)


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_grades_have_the_columns_that_canvas_and_moodle_import(homework, tmp_path):
    report.write(
        homework, [result("doejane", identity="123"), result("bob", "fail")], tmp_path, None
    )
    head, jane, bob = rows(tmp_path / "grades.csv")
    assert head[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    assert head[5] == "hw9 Twice, automatic part"
    assert jane == ["doejane", "123", "", "doejane", "", "5"]
    assert bob[-1] == "2"


def test_points_by_hand_are_asked_for_and_then_counted(homework, tmp_path):
    results = [result("alice"), result("bob", "crash", "timeout")]
    report.write(homework, results, tmp_path, None)
    table = rows(tmp_path / "by_hand.csv")
    assert table[1][:4] == ["alice", "q2", "", "10"]
    filled = tmp_path / "filled.csv"
    with filled.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(table[0])
        writer.writerow(["alice", "q2", "7.5", "10", "nice", ""])
        writer.writerow(["bob", "q2", "0", "10", "", ""])
    marks = by_hand.read_by_hand(homework, filled, ["alice", "bob"])
    report.write(homework, results, tmp_path, marks)
    head, alice, bob = rows(tmp_path / "grades.csv")
    assert head[5] == "hw9 Twice"
    assert (alice[-1], bob[-1]) == ("12.5", "0")
    page = (tmp_path / "feedback" / "alice.html").read_text(encoding="utf-8")
    assert "12.5 of 15 points" in page
    assert "nice" in page


def test_what_was_filled_in_by_hand_is_never_overwritten(homework, tmp_path):
    report.write(homework, [result("alice")], tmp_path, None)
    path = tmp_path / "by_hand.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("q2,,10", "q2,9,10"), encoding="utf-8")
    report.write(homework, [result("alice"), result("bob")], tmp_path, None)
    assert [row[2] for row in rows(path)] == ["points", "9", ""]


@pytest.mark.parametrize(
    ("points", "message"),
    [("", "from 0 to 10"), ("11", "from 0 to 10"), ("-1", "from 0 to 10"), ("many", "row 1")],
)
def test_points_by_hand_that_cannot_be_are_refused(homework, tmp_path, points, message):
    path = tmp_path / "by_hand.csv"
    path.write_text(f"student,question,points\nalice,q2,{points}\n")
    with pytest.raises(ValueError, match=message):
        by_hand.read_by_hand(homework, path, ["alice"])


def test_a_student_without_points_by_hand_is_named(homework, tmp_path):
    path = tmp_path / "by_hand.csv"
    path.write_text("student,question,points\nalice,q2,3\n")
    with pytest.raises(ValueError, match="no points for bob, q2"):
        by_hand.read_by_hand(homework, path, ["alice", "bob"])


def test_nothing_a_student_writes_becomes_markup_or_a_formula(homework, tmp_path):
    odd = [result(SCRIPT, "fail", said=SCRIPT, note=(SCRIPT,)), result("=1+cmd|x")]
    report.write(homework, odd, tmp_path, None)
    for page in [*(tmp_path / "feedback").iterdir(), tmp_path / "summary.html"]:
        assert "<script" not in page.read_text(encoding="utf-8")
    assert [row[0] for row in rows(tmp_path / "grades.csv")[1:]] == [SCRIPT, "'=1+cmd|x"]
    marks = tmp_path / "by_hand.csv"
    marks.write_text(marks.read_text(encoding="utf-8").replace("q2,,10", "q2,1,10"))
    read = by_hand.read_by_hand(homework, marks, [SCRIPT, "=1+cmd|x"])
    assert set(read) == {(SCRIPT, "q2"), ("=1+cmd|x", "q2")}


def test_the_summary_counts_the_class_and_its_misconceptions(homework, tmp_path):
    results = [result("a"), result("b", second="fail"), result("c", "fail", "fail")]
    page = report.summary(homework, results, None)
    assert "3 submissions" in page
    assert "Mean 2.7, median 3.0 of 5 points" in page
    assert [(m["phrase"], m["count"]) for m in report.misconceptions(results)] == [
        ("forgets the sign", 2)
    ]
    heights = [int(h) for h in re.findall(r'<rect [^>]*height="(\d+)"', page)]
    assert sum(h > 0 for h in heights) == 3
    assert "1 in 0 to 0.5, 1 in 3 to 3.5, 1 in 4.5 to 5" in page


def test_a_hidden_check_shows_its_name_and_hint_only(homework, tmp_path):
    page = report.feedback(homework, result("a", second="fail"), None)
    assert "also negatives" in page
    assert "forgets the sign" in page
    assert "for what is checked automatically; 10 more are given by hand" in page


@pytest.mark.parametrize("student", ["'=x", "''-1", "=x", "'", "－1", " a\r\nb "])
def test_every_name_comes_back_from_the_table(homework, tmp_path, student):
    results = [result(student)]
    for _ in range(2):
        by_hand.write_by_hand(homework, results, tmp_path / "by_hand.csv")
    (row,) = by_hand.rows_by_hand(tmp_path / "by_hand.csv")
    assert row["student"] == student


def test_a_comment_by_hand_stays_as_it_is(homework, tmp_path):
    path, question = tmp_path / "by_hand.csv", next(iter(homework.by_hand))
    path.write_text(f"student,question,points,out of,comment,answer\nbo,{question},1,5,- a sign,\n")
    by_hand.write_by_hand(homework, [], path)
    assert by_hand.read_by_hand(homework, path, ["bo"])["bo", question] == (1.0, "- a sign")


def test_two_rows_that_contradict_each_other_are_refused(homework, tmp_path):
    path, question = tmp_path / "by_hand.csv", next(iter(homework.by_hand))
    path.write_text(f"student,question,points,comment\nbo,{question},1,\nbo,{question},0,\n")
    with pytest.raises(ValueError, match="other points for bo"):
        by_hand.read_by_hand(homework, path, ["bo"])


def test_what_the_grader_could_not_run_is_no_earned_zero(homework, tmp_path):
    waiting = result("alice", "crash", "crash", note=(NOT_STARTED,))
    report.write(homework, [waiting, result("bob", "crash", "crash")], tmp_path, None)
    assert [row[-1] for row in rows(tmp_path / "grades.csv")[1:]] == ["", "0"]
    page = (tmp_path / "feedback" / "alice.html").read_text(encoding="utf-8")
    assert "it is not graded yet" in page
    assert "doubles" not in page
    assert any(
        "run the command again" in line
        for line in report.last_lines(homework, [waiting], tmp_path, None)
    )


def test_a_table_saved_with_semicolons_is_read_and_not_overwritten(homework, tmp_path):
    report.write(homework, [result("alice")], tmp_path, None)
    path = tmp_path / "by_hand.csv"
    path.write_text("student;question;points\nalice;q2;7,5\n", encoding="utf-8")
    assert by_hand.read_by_hand(homework, path, ["alice"])["alice", "q2"][0] == 7.5
    report.write(homework, [result("alice")], tmp_path, None)
    assert by_hand.read_by_hand(homework, path, ["alice"])["alice", "q2"][0] == 7.5
    path.write_bytes("student,question,points\nJörg,q2,3\n".encode("latin-1"))
    with pytest.raises(ValueError, match="save it as CSV UTF-8"):
        report.write(homework, [result("alice")], tmp_path, None)


def test_moodles_worksheet_has_its_participants_and_nobody_else(homework, tmp_path):
    jane = result("Jane Roe (77)", identity="77")
    who = replace(jane.submission, participant=True, namesake="Jane Roe")
    report.write(homework, [replace(jane, submission=who), result("bob")], tmp_path, None)
    head, *others = rows(tmp_path / "moodle.csv")
    assert head == ["Identifier", "Full name", "Grade", "Last modified (grade)"]
    assert others == [["Participant 77", "Jane Roe", "5", ""]]


def test_without_moodle_there_is_no_worksheet(homework, tmp_path):
    report.write(homework, [result("bob")], tmp_path, None)
    assert not (tmp_path / "moodle.csv").exists()


@pytest.mark.parametrize(
    "text",
    [
        "ok;=1+1;x",
        "a\t@b",
        "a\n-1",
        "a\r\n +2",
        'x;"=1+1',
        "x;''=1",
        "a;b\tc",
        "'\n' =x",
        ";\t=x",
        "=a;'=b;''=c",
    ],
)
def test_no_part_of_a_cell_is_a_formula_and_every_cell_comes_back(homework, tmp_path, text):
    path = tmp_path / "by_hand.csv"
    for _ in range(2):
        by_hand.write_by_hand(homework, [result(text, said=text)], path)
    (row,) = by_hand.rows_by_hand(path)
    assert (row["student"], row["answer"]) == (text, text)
    with path.open(encoding="utf-8", newline="") as file:
        cells = [cell for line in csv.reader(file, delimiter=";") for cell in line]
    parts = [part for cell in cells for part in re.split(r"[\t\r\n]", cell)]
    assert [part for part in parts if part.strip(' "')[:1] in tuple("=+-@")] == []


def test_attachments_are_linked_from_the_table_and_the_page(homework, tmp_path):
    given = tmp_path / "in" / "a b%#.pdf"
    alice = result("alice")
    who = replace(alice.submission, attachments=(given,))
    report.write(homework, [replace(alice, submission=who)], tmp_path / "out", None)
    (row,) = by_hand.rows_by_hand(tmp_path / "out" / "by_hand.csv")
    (link,) = by_hand.attached(row)
    assert (tmp_path / "out" / link).resolve() == given
    page = (tmp_path / "out" / "feedback" / "alice.html").read_text(encoding="utf-8")
    (link,) = re.findall(r'href="([^"]*)">a b%#.pdf</a>', page)
    assert link == "./../../in/a%20b%25%23.pdf"


@pytest.mark.parametrize(
    "name", [b"Zoe\xcc\x88.pdf", b"\xff.pdf"], ids=["accent apart", "no UTF-8"]
)
def test_a_link_leads_to_an_attachment_whatever_its_name_is_made_of(homework, tmp_path, name):
    given = tmp_path / "in" / os.fsdecode(name)
    given.parent.mkdir()
    given.write_bytes(b"%PDF")
    who = replace(result("alice").submission, attachments=(given,))
    report.write(homework, [replace(result("alice"), submission=who)], tmp_path / "out", None)
    (row,) = by_hand.rows_by_hand(tmp_path / "out" / "by_hand.csv")
    (link,) = by_hand.attached(row)
    assert (tmp_path / "out" / link).read_bytes() == b"%PDF"
    page = (tmp_path / "out" / "feedback" / "alice.html").read_text(encoding="utf-8")
    (link,) = re.findall(r'href="([^"]*)">[^<]*.pdf</a>', page)
    assert (tmp_path / "out/feedback" / unquote(link, errors="surrogateescape")).is_file()


# --- points belong to what they were given for ---------------------------------------------------


def marked(homework, folder, points="2", comment="The step size is missing"):
    """Give alice's answer these points in the table, as a person does."""
    table = by_hand.rows_by_hand(folder / "by_hand.csv")
    table[0] |= {"points": points, "comment": comment}
    by_hand.save_by_hand(folder / "by_hand.csv", table)


def test_points_for_an_earlier_answer_are_taken_away_and_it_is_said(homework, tmp_path):
    report.write(homework, [result("alice", said="old proof")], tmp_path, None)
    marked(homework, tmp_path)
    again = [result("alice", said="new proof")]
    report.write(homework, again, tmp_path, None)
    (row,) = by_hand.rows_by_hand(tmp_path / "by_hand.csv")
    assert (row["points"], row["comment"], row["answer"]) == ("", "", "new proof")
    assert row["earlier"] == "2 of 10 for an earlier answer: The step size is missing"
    lines = report.last_lines(homework, again, tmp_path, None)
    assert any("alice, q2: the answer has changed since it was marked" in line for line in lines)
    page = (tmp_path / "feedback" / "alice.html").read_text(encoding="utf-8")
    assert "Your answer has changed since an earlier one was marked" in page
    assert "The step size is missing" not in page


def test_the_sentence_goes_when_the_new_answer_is_marked(homework, tmp_path):
    for text in ("old", "new"):
        report.write(homework, [result("alice", said=text)], tmp_path, None)
        marked(homework, tmp_path)
    again = [result("alice", said="new")]
    report.write(homework, again, tmp_path, None)
    assert by_hand.rows_by_hand(tmp_path / "by_hand.csv")[0]["points"] == "2"
    assert not any(
        "has changed" in line for line in report.last_lines(homework, again, tmp_path, None)
    )


def test_points_for_an_earlier_answer_are_not_counted(homework, tmp_path):
    report.write(homework, [result("alice", said="old proof")], tmp_path, None)
    marked(homework, tmp_path)
    path, now = tmp_path / "by_hand.csv", [result("alice", said="new proof")]
    with pytest.raises(ValueError, match="alice, q2: the answer has changed since it was marked"):
        by_hand.read_by_hand(homework, path, ["alice"], now)
    by_hand.write_by_hand(homework, now, other := tmp_path / "other.csv")
    other.write_bytes(path.read_bytes())
    by_hand.write_by_hand(homework, now, other)
    with pytest.raises(ValueError, match="alice, q2: the answer has changed since it was marked"):
        by_hand.read_by_hand(homework, other, ["alice"], now)
    before = [result("alice", said="old proof")]
    assert by_hand.read_by_hand(homework, path, ["alice"], before)["alice", "q2"][0] == 2.0


def test_a_table_of_an_earlier_version_is_known_by_its_answers(homework, tmp_path):
    path = tmp_path / "by_hand.csv"
    path.write_text("student,question,points,answer\nalice,q2,3,old proof\n", encoding="utf-8")
    with pytest.raises(ValueError, match="has changed since"):
        by_hand.read_by_hand(homework, path, ["alice"], [result("alice", said="new proof")])
    same = [result("alice", said="old proof")]
    assert by_hand.read_by_hand(homework, path, ["alice"], same)["alice", "q2"][0] == 3.0


def test_an_attachment_with_other_contents_is_another_answer(homework, tmp_path):
    proof, alice = tmp_path / "proof.pdf", result("alice")
    alice = replace(alice, submission=replace(alice.submission, attachments=(proof,)))
    for text in ("old", "new"):
        proof.write_text(text)
        report.write(homework, [alice], tmp_path / "out", None)
        if text == "old":
            marked(homework, tmp_path / "out")
    assert by_hand.rows_by_hand(tmp_path / "out" / "by_hand.csv")[0]["points"] == ""


def test_a_changed_point_belongs_to_the_file_for_which_it_was_changed():
    old, new = (result("alice", "fail") for _ in range(2))
    old = replace(old, report=replace(old.report, digest="one"))
    new = replace(new, report=replace(new.report, digest="two"))
    changes = {("alice", "q1", "doubles"): by_hand.Change(1.5, "a typing error", "one")}
    assert by_hand.overridden([old], changes)[0].report.points == 2 + 1.5
    assert by_hand.overridden([new], changes)[0].report.points == 2
    (line,) = by_hand.outdated([new], changes)
    assert line.startswith("alice, q1, doubles: 1.5 points were given by hand for an earlier file")
    assert by_hand.outdated([old], changes) == []


def test_a_changed_point_never_hides_that_the_check_now_holds():
    now = result("alice")
    changes = {("alice", "q1", "doubles"): by_hand.Change(1.5, "a typing error", "")}
    (found,) = by_hand.overridden([now], changes)
    assert found.report.points == 5 and found.report.verdicts[0].reason == ""


@pytest.mark.parametrize("folder", ["a | ", "x\n", '["q', "../up"])
def test_a_strange_name_offers_no_other_file(homework, tmp_path, folder):
    given = tmp_path / "in" / folder.replace("../", "..") / "etc" / "passwd"
    alice = result("alice")
    who = replace(alice.submission, attachments=(given,))
    report.write(homework, [replace(alice, submission=who)], tmp_path / "out", None)
    (row,) = by_hand.rows_by_hand(tmp_path / "out" / "by_hand.csv")
    (link,) = by_hand.attached(row)
    assert (tmp_path / "out" / link).resolve() == given.resolve()


# --- the class -----------------------------------------------------------------------------------


def test_one_submission_is_no_plural(homework, tmp_path):
    report.write(homework, [result("alice")], tmp_path, None)
    (line, *_) = report.last_lines(homework, [result("alice")], tmp_path, None)
    assert line.startswith("1 submission, mean 5.0 of 5 points")
    assert "1 submission ·" in (tmp_path / "summary.html").read_text(encoding="utf-8")


def test_the_summary_lists_every_student_with_points_and_page(homework, tmp_path):
    results = [result("alice"), result("bob & <co>", "fail")]
    report.write(homework, results, tmp_path, None)
    page = (tmp_path / "summary.html").read_text(encoding="utf-8")
    links = re.findall(
        r'<td class="long">([^<]*)</td><td class="number">([^<]*)</td><td><a href="([^"]*)"', page
    )
    assert [(name, points) for name, points, _ in links] == [
        ("alice", "5"), ("bob &amp; &lt;co&gt;", "2"),
    ]  # fmt: skip
    assert all((tmp_path / link).is_file() for *_, link in links)
    assert page.count("<table") == page.count('<table tabindex="0">')  # a phone's keyboard scrolls


def test_a_check_separates_where_the_better_half_passes_it():
    strong, weak = (
        [result(f"s{i}") for i in range(3)],
        [result(f"w{i}", "fail", "fail") for i in range(3)],
    )
    assert report.separation([*strong, *weak], "q1", "doubles") == 1.0
    upside_down = [result("a", "pass", "fail"), result("b", "fail", "pass")]
    assert report.separation(upside_down, "q1", "doubles") == -1.0
    assert report.separation(strong, "q1", "doubles") is None
    tied = [*strong, result("middle"), *weak[:1]]  # most have the same points
    assert report.separation(tied, "q1", "doubles") == 1.0
    between = [result("m3", "pass", "fail"), result("m4", "fail", "pass"), *strong[:1], *weak[:1]]
    assert report.separation(between, "q1", "doubles") == 0.0


def test_a_misconception_is_printed_once_a_question(homework):
    one = result("a", "fail", "fail")
    both = [replace(v, misconception="forgets the sign") for v in one.report.verdicts]
    page = report.feedback(
        homework, replace(one, report=replace(one.report, verdicts=tuple(both))), None
    )
    assert page.count("forgets the sign") == 1
