"""Points by hand on a local page: every change is saved, nothing else can be reached."""

import csv
import http.client
import json
import re
import threading
from dataclasses import replace

import pytest

from lectures_homework import __main__ as command_line
from lectures_homework.instructor import (
    batch,
    by_hand,
    gradebook,
    marking,
    masters,
    report,
    rubric,
    serving,
)
from lectures_homework.instructor.batch import GradedSubmission, Job, Store
from lectures_homework.instructor.grade import Report
from lectures_homework.instructor.submissions import Submission
from lectures_homework.language.checks import Verdict

HOMEWORK = masters.load("hw1")
CHECK = "predict names the side of each row"


def graded(student, given):
    verdict = Verdict(CHECK, "q1", False, "fail", 0, 1)
    found = Report("hw1", (verdict,), (), {"q8": f"<b>{student}</b> proves it"})
    return GradedSubmission(Submission(student, None, attachments=tuple(given)), found)


@pytest.fixture
def folder(tmp_path):
    """The grades of two students; one has a proof and a page attached."""
    (tmp_path / "in").mkdir()
    proof, html = tmp_path / "in" / "proof.pdf", tmp_path / "in" / "text.html"
    proof.write_bytes(b"%PDF-1.4")
    html.write_text("<script>alert(1)</script>")
    results = [graded("alice", [proof, html]), graded("=bob", [])]
    out = tmp_path / "grades" / "hw1"
    report.write(HOMEWORK, results, out, None)
    for result in results:
        job = Job("hw1", result.submission.student, b"", (), str(masters.FOLDER))
        Store(out / "results").keep(job, result.report)
    return out


@pytest.fixture
def server(folder):
    made = serving.Server(marking.Sheet(HOMEWORK, folder))
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield made, f"/{made.word}/"
    made.shutdown()
    made.server_close()
    thread.join()


def ask(server, what, body=None, **headers):
    """Return status, headers and body of one request."""
    made, place = server
    link = http.client.HTTPConnection("127.0.0.1", made.server_address[1], timeout=10)
    told = {"Content-Type": "application/json"} | {
        k.replace("_", "-"): v for k, v in headers.items()
    }
    content = None if body is None else json.dumps(body)
    path = what if what.startswith("/") else place + what
    link.request("GET" if body is None else "POST", path, content, told)
    reply = link.getresponse()
    return reply.status, dict(reply.getheaders()), reply.read()


def state(server):
    return json.loads(ask(server, "state")[2])


def test_it_listens_on_this_machine_alone_and_to_who_knows_the_word(server):
    made, place = server
    assert made.server_address[0] == "127.0.0.1"
    assert ask(server, "state")[0] == 200
    for path in ("/", "/state", "/wrong/state", "/" + place[1:-2] + "/state"):
        assert ask(server, path)[0] == 403
    assert ask(server, "state", Host="evil.example")[0] == 403
    assert ask(server, "mark", {"number": 0, "points": "1"}, Content_Type="text/plain")[0] == 400
    assert ask(server, "file/0/../../x")[0] in (400, 404)


def test_the_page_loads_nothing_from_elsewhere(server):
    status, headers, body = ask(server, "")
    assert status == 200
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; connect-src 'self';")
    text = body.decode()
    assert "http://" not in text and "https://" not in text and "src=" not in text
    assert "Ctrl + Enter" in text


def test_it_is_blind_unless_asked_and_shows_answer_and_rubric(server, folder):
    found = state(server)
    assert [item["who"] for item in found["items"]] == ["submission 1", "submission 2"]
    assert "alice" not in json.dumps([{**i, "answer": "", "shown": ""} for i in found["items"]])
    assert found["items"][0]["answer"] == "<b>alice</b> proves it"
    assert len(found["rubric"]["q8"]) > 200
    assert not re.search(r"[^\n]\n[^\n]|\n{3}", found["rubric"]["q8"])  # no line ends in a sentence
    named = marking.Sheet(HOMEWORK, folder, names=True).state()
    assert named["items"][0]["who"] == "alice"
    assert named["items"][0]["attachments"] == ["proof.pdf", "text.html"]


def test_every_change_is_saved_at_once_and_read_by_the_grader(server, folder):
    assert ask(server, "mark", {"number": 0, "points": "6,5", "comment": "good\n;=1"})[0] == 200
    assert ask(server, "mark", {"number": 1, "points": "0", "comment": ""})[0] == 200
    marks = by_hand.read_by_hand(HOMEWORK, folder / "by_hand.csv", ["alice", "=bob"])
    assert marks == {("alice", "q8"): (6.5, "good\n;=1"), ("=bob", "q8"): (0.0, "")}
    assert state(server)["items"][0]["points"] == "6.5"
    assert ask(server, "mark", {"number": 0, "points": "", "comment": "wait"})[0] == 200
    assert by_hand.rows_by_hand(folder / "by_hand.csv")[0]["points"] == ""


@pytest.mark.parametrize(
    "body",
    [
        {"number": 0, "points": "11", "comment": ""},
        {"number": 0, "points": "many", "comment": ""},
        {"number": 0, "points": "nan", "comment": ""},
        {"number": 9, "points": "1", "comment": ""},
        {"number": -1, "points": "1", "comment": ""},
        {"number": 0, "points": "1", "comment": "", "rows": []},
        {"points": "1"},
        [],
    ],
)
def test_what_cannot_be_is_refused_and_changes_nothing(server, folder, body):
    before = (folder / "by_hand.csv").read_bytes()
    status, _, told = ask(server, "mark", body)
    assert status == 400
    assert json.loads(told)["error"]
    assert (folder / "by_hand.csv").read_bytes() == before


def test_a_single_point_is_changed_with_a_reason_that_the_student_reads(server, folder):
    change = {"number": 1, "question": "q1", "check": CHECK, "points": "1"}
    assert ask(server, "override", change | {"reason": " "})[0] == 400
    assert ask(server, "override", change | {"reason": "r", "points": "2"})[0] == 400
    assert ask(server, "override", change | {"reason": "r", "check": "none"})[0] == 400
    assert ask(server, "override", change | {"reason": "<i>a typing error"})[0] == 200
    changes = by_hand.read_overrides(folder / "overrides.csv")
    assert changes == {("=bob", "q1", CHECK): (1.0, "<i>a typing error", "")}
    (alice, bob) = by_hand.overridden([graded("alice", []), graded("=bob", [])], changes)
    assert (alice.report.points, bob.report.points) == (0, 1)
    page = report.feedback(HOMEWORK, bob, None)
    assert "Changed by hand to 1 of 1:</strong> &lt;i&gt;a typing error" in page
    assert state(server)["items"][1]["checks"][0]["reason"] == "<i>a typing error"
    assert ask(server, "override", change | {"points": "", "reason": ""})[0] == 200
    assert by_hand.read_overrides(folder / "overrides.csv") == {}


def test_an_attachment_is_shown_or_offered_and_never_run(server):
    status, headers, body = ask(server, "file/0/0")
    assert (status, body, headers["Content-Type"]) == (200, b"%PDF-1.4", "application/pdf")
    status, headers, _ = ask(server, "file/0/1")
    assert headers["Content-Type"] == "application/octet-stream"
    assert headers["Content-Disposition"].startswith("attachment")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in headers["Content-Security-Policy"]
    assert ask(server, "file/1/0")[0] == 400


def test_without_grades_it_says_what_to_do(tmp_path, capsys):
    assert command_line.main(["mark", "hw1", "--out", str(tmp_path)]) == 2
    assert "grade hw1 first" in capsys.readouterr().err


# --- all homeworks -------------------------------------------------------------------------------


def table(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_the_gradebook_weighs_the_homeworks(tmp_path):
    def results(name, points):
        verdicts = {s: (Verdict("c", "q1", False, "pass", p, 20),) for s, p in points.items()}
        who = {s: Submission(s, None, "7" if s == "alice" else "") for s in points}
        return [GradedSubmission(who[s], Report(name, verdicts[s])) for s in points]

    grades = tmp_path / "grades"
    for name, points in (("hw1", {"alice": 20, "=bob": 10}), ("hw2", {"alice": 10})):
        found, homework = results(name, points), replace(masters.load(name))
        marks = {(s, q): (5.0, "") for s in points for q in homework.by_hand}
        report.write(homework, found, grades / name, marks if name == "hw1" else None)
    out = tmp_path / "all.csv"
    arguments = ["gradebook", "--grades", str(grades), "--out", str(out), "--weights", "hw2=3"]
    assert command_line.main(arguments) == 0
    head, bob, alice = table(out)
    assert head == ["Student", "ID", "hw1 (of 30)", "hw2 (of 23)", "percent"]
    assert bob == ["'=bob", "", "15", "", "12.50"]
    assert alice == ["alice", "7", "25", "10", f"{100 * (25 / 30 + 3 * 10 / 23) / 4:.2f}"]


def test_the_gradebook_holds_all_seven_homeworks(tmp_path):
    for name in masters.names():
        homework = masters.load(name)
        full = (Verdict("c", "q1", False, "pass", homework.automatic, homework.automatic),)
        found = [GradedSubmission(Submission("alice", None, "7"), Report(name, full))]
        marks = {("alice", q): (float(most), "") for q, most in homework.by_hand.items()}
        report.write(homework, found, tmp_path / name, marks)
    gradebook.write(tmp_path, tmp_path / "all.csv", dict.fromkeys(masters.names(), 1.0))
    head, alice = table(tmp_path / "all.csv")
    assert head == ["Student", "ID", *(f"hw{n} (of 30)" for n in range(1, 8)), "percent"]
    assert alice == ["alice", "7", *["30"] * 7, "100.00"]


@pytest.mark.parametrize("text", ["hw1", "hw1=", "hw1=-1", "hw9=1", "hw1=inf", "hw1=nan"])
def test_a_weight_that_is_none_is_refused(text):
    with pytest.raises(ValueError, match="is no weight"):
        gradebook.weights([text], ["hw1", "hw2"])


def test_a_gradebook_of_nothing_is_refused(tmp_path):
    with pytest.raises(ValueError, match="grade one first"):
        gradebook.write(tmp_path, tmp_path / "x.csv", {"hw1": 1.0})


def test_marks_survive_that_the_class_is_graded_again(server, folder):
    ask(server, "mark", {"number": 0, "points": "3", "comment": "so"})
    given = [folder.parents[1] / "in" / name for name in ("proof.pdf", "text.html")]
    report.write(HOMEWORK, [graded("alice", given), graded("zoe", [])], folder, None)
    rows = by_hand.rows_by_hand(folder / "by_hand.csv")
    assert [(row["student"], row["points"]) for row in rows][::2] == [("alice", "3"), ("zoe", "")]
    assert batch.safe_name("zoe") == "zoe"


def test_the_page_says_what_was_given_for_an_earlier_answer(server, folder):
    ask(server, "mark", {"number": 0, "points": "3", "comment": "so"})
    alice = graded("alice", [])
    alice = replace(alice, report=replace(alice.report, by_hand={"q8": "another proof"}))
    report.write(HOMEWORK, [alice, graded("=bob", [])], folder, None)
    item = marking.Sheet(HOMEWORK, folder).state()["items"][0]
    assert (item["points"], item["comment"], item["answer"]) == ("", "", "another proof")
    assert item["earlier"] == "3 of 7 for an earlier answer: so"


def test_the_page_shows_a_change_for_an_earlier_file_as_that(server, folder):
    change = {"number": 1, "question": "q1", "check": CHECK, "points": "1", "reason": "r"}
    ask(server, "override", change)
    bob = graded("=bob", [])
    job = Job("hw1", "=bob", b"", (), str(masters.FOLDER))
    Store(folder / "results").keep(job, replace(bob.report, digest="another"))
    changes = by_hand.read_overrides(folder / "overrides.csv")
    changes = {key: change._replace(digest="the first") for key, change in changes.items()}
    by_hand.save_overrides(folder / "overrides.csv", changes)
    sheet = marking.Sheet(HOMEWORK, folder)
    (check,) = sheet.item(1)["checks"]
    assert (check["points"], check["reason"]) == (0, "")
    assert check["earlier"] == "1 given for an earlier file: r"
    sheet.override(1, "q1", CHECK, "1", "still")
    assert by_hand.read_overrides(folder / "overrides.csv") == {
        ("=bob", "q1", CHECK): (1.0, "still", "another")
    }


# --- rubric, answers alike, comments -------------------------------------------------------------


@pytest.fixture
def class_of_four(tmp_path):
    """Four answers: two are the same but for blanks, one is nearly so, one is another."""
    proof = "By induction both make the same mistakes, since scores differ by $\\eta > 0$ only. "
    words = [proof * 3, (proof * 3).replace(" ", "  "), proof * 3 + "Done.", "Trivial."]
    out, results = tmp_path / "hw1", []
    for name, text in zip("abcd", words):
        results.append(
            GradedSubmission(Submission(name, None), Report("hw1", (), (), {"q8": text}))
        )
    report.write(HOMEWORK, results, out, None)
    return marking.Sheet(HOMEWORK, out)


def test_the_rubrics_parts_add_up_to_the_points_of_the_question(class_of_four):
    for name in masters.names():
        homework = masters.load(name)
        for question, most in homework.by_hand.items():
            own = marking.rubric.parts(name, class_of_four.folder)[question]
            assert sum(one["points"] for one in own) == most and len(own) > 2


def test_points_are_the_sum_of_the_parts_and_change_for_all_with_a_part(class_of_four):
    sheet = class_of_four
    sheet.mark(0, "", "well", "0 1")
    sheet.mark(3, "", "", "1")
    assert [sheet.item(k)["points"] for k in (0, 3)] == ["3", "2"]
    sheet.weigh(0, "1", "1.5")
    assert [sheet.item(k)["points"] for k in (0, 3)] == ["2.5", "1.5"]
    again = marking.Sheet(HOMEWORK, sheet.folder)  # it is kept
    assert [again.item(k)["points"] for k in (0, 3)] == ["2.5", "1.5"]
    assert again.state()["parts"]["q8"][1]["points"] == 1.5
    again.mark(3, "4", "by myself")
    again.weigh(0, "1", "2")
    assert [again.item(k)["points"] for k in (0, 3)] == ["3", "4"]
    with pytest.raises(ValueError, match="from 0 to 7"):
        again.weigh(0, "1", "-1")


def test_answers_alike_are_named_and_marked_together(class_of_four):
    sheet = class_of_four
    assert [sheet.item(k)["alike"] for k in (0, 3)] == [[0, 1, 2], [3]]
    with pytest.raises(ValueError, match="give points first"):
        sheet.share(0)
    sheet.mark(2, "7", "my own")
    sheet.mark(0, "", "The start is missing.", "1 2")
    sheet.share(0)
    found = [sheet.item(k) for k in range(4)]
    assert [one["points"] for one in found] == ["3", "3", "7", ""]
    assert found[1]["comment"] == "The start is missing." and found[1]["parts"] == [1, 2]


def test_formulas_are_drawn_and_nothing_of_a_stranger_runs():
    shown = marking.rendered("<b>no</b> $v^{(t)}$ and $$\\frac12 x$$ for $5 and $6")
    assert "<b>" not in shown and "<msup>" in shown and "<mfrac>" in shown and "$5 and $6" in shown
    for text in ("$\\href{javascript:alert(1)}{x}$", "$<script>alert(1)</script>$", "$\\frac{$"):
        made = marking.rendered(text)
        assert "href" not in made and "<script" not in made
    assert str(marking.rendered("$\\frac{$")) == "$\\frac{$"
    assert marking.rendered("$" + "x" * 9999 + "$").startswith("$x")


def test_a_students_page_shows_the_parts_of_the_rubric_that_the_answer_earned(folder):
    sheet = marking.Sheet(HOMEWORK, folder)
    sheet.mark(0, "", "good", "0 2")
    sheet.mark(1, "1.5", "by eye")
    results = [graded("alice", []), graded("=bob", [])]
    marks = {("alice", "q8"): (5.0, "good"), ("=bob", "q8"): (1.5, "by eye")}
    steps = rubric.earned("hw1", sheet.table, folder)
    earned = [one["earned"] for one in steps["alice", "q8"]]
    assert earned == [place in (0, 2) for place in range(len(sheet.parts["q8"]))]
    assert [*steps] == [("alice", "q8")], "points without parts have none to show"
    pages = [report.feedback(HOMEWORK, one, marks, steps=steps) for one in results]
    assert [page.count("<li>") for page in pages] == [len(earned), 0]
    assert [pages[0].count(f">{sign}</span>") for sign in "✓✗"] == [2, len(earned) - 2]
    assert "Rubric" not in pages[0]
    rows = by_hand.rows_by_hand(sheet.table)
    rows[0]["points"] = "6"  # changed in a spreadsheet: no longer the sum of the parts
    by_hand.save_by_hand(sheet.table, rows)
    assert rubric.earned("hw1", sheet.table, folder) == {}
