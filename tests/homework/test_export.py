"""What instructors hand out: the same bundle each time, and a homework that nbgrader accepts."""

import json
import zipfile

import nbformat
import pytest

from lectures_homework import __main__ as command_line
from lectures_homework.instructor import export, masters


def test_a_bundle_is_one_notebook_and_a_few_words_the_same_each_time(tmp_path):
    first = export.bundle("hw1", tmp_path / "a").read_bytes()
    second = export.bundle("hw1", tmp_path / "b").read_bytes()
    assert first == second
    with zipfile.ZipFile(tmp_path / "a" / "hw1.zip") as bundled:
        assert bundled.namelist() == ["hw1/my_hw1_perceptron.ipynb", "hw1/README.txt"]
        assert "hand in that one file" in bundled.read("hw1/README.txt").decode()


def test_make_writes_a_bundle_for_each_student_with_data_of_his_own(tmp_path, capsys):
    roster = tmp_path / "students.csv"
    roster.write_text("student,section\nalice,1\nbob,2\n")
    arguments = ["make", "hw1", "--out", str(tmp_path / "out"), "--students", str(roster)]
    assert command_line.main(arguments) == 0
    seeds = set()
    for student in ("alice", "bob"):
        with zipfile.ZipFile(tmp_path / "out" / student / "hw1.zip") as bundled:
            text = bundled.read("hw1/my_hw1_perceptron.ipynb").decode()
        seed = json.loads(text)["metadata"]["lectures_lib"]["seed"]
        assert seed == masters.seed_of(student)
        seeds.add(seed)
    assert len(seeds) == 2
    assert capsys.readouterr().out.count("hw1.zip") == 2


def test_make_takes_one_seed_and_refuses_a_list_without_names(tmp_path, capsys):
    out = tmp_path / "out"
    assert command_line.main(["make", "hw1", "--out", str(out), "--student-seed", "7"]) == 0
    with zipfile.ZipFile(out / "hw1.zip") as bundled:
        assert "SEED = 7" in bundled.read("hw1/my_hw1_perceptron.ipynb").decode()
    roster = tmp_path / "students.csv"
    roster.write_text("student;section\nalice;1\nbob;1\nalice;2\n")
    assert command_line.main(["make", "hw1", "--students", str(roster)]) == 2
    assert "twice: alice" in capsys.readouterr().err
    roster.write_text("name\nalice\n")
    assert command_line.main(["make", "hw1", "--students", str(roster)]) == 2
    assert "needs a column student" in capsys.readouterr().err


# --- nbgrader ------------------------------------------------------------------------------------


@pytest.fixture
def exported(name, tmp_path):
    """A homework in the form of nbgrader; what nbgrader makes of it is in test_nbgrader."""
    return nbformat.read(export.nbgrader(name, tmp_path), as_version=4)


@pytest.mark.parametrize("name", masters.names())
def test_every_homework_has_an_nbgrader_form_with_all_its_checks(name, exported):
    nbformat.validate(exported)
    homework = masters.load(name)
    text = "\n".join(cell.source for cell in exported.cells)
    assert all(repr(check.name) in text for check in homework.checks)
    identities = [c.metadata.nbgrader.grade_id for c in exported.cells if "nbgrader" in c.metadata]
    assert len(set(identities)) == len(identities)


@pytest.mark.parametrize("name", masters.names())
def test_in_nbgrader_each_check_has_its_own_points_and_the_proof_waits_for_a_hand(name, exported):
    marks = [c.metadata["nbgrader"] for c in exported.cells if "nbgrader" in c.metadata]
    homework = masters.load(name)
    tests = [m for m in marks if m["grade"] and not m["solution"]]
    assert len(tests) == len(homework.checks) + len(homework.quizzes)
    assert sum(m["points"] for m in tests) == homework.automatic
    by_hand = [m["points"] for m in marks if m["grade"] and m["solution"]]
    assert by_hand == list(homework.by_hand.values())


@pytest.mark.parametrize("name", masters.names())
def test_what_nbgrader_skips_only_shows_something_and_cannot_be_edited(name, exported):
    skipped = [c for c in exported.cells if export.SKIP in masters.tags(c)]
    shows = ("check(", "quiz(", "finish(", "plots.show(")
    assert all(any(call in cell.source for call in shows) for cell in skipped)
    assert not any("def " in cell.source for cell in skipped)
    assert all(cell.metadata.nbgrader.locked for cell in skipped)
    assert not any(cell.metadata.nbgrader.grade for cell in skipped)
    asked = [cell for cell in skipped if cell.source.startswith(shows[:2])]
    homework = masters.load(name)
    assert len(asked) == len(homework.functions) + len(homework.quizzes)


def test_in_nbgraders_course_numba_is_not_loaded_and_a_config_that_exists_is_kept(tmp_path):
    export.nbgrader("hw1", tmp_path)
    config = tmp_path / "nbgrader_config.py"
    assert 'os.environ.setdefault("LECTURES_LIB_JIT", "0")' in config.read_text()
    config.write_text("c = get_config()\n")
    export.nbgrader("hw2", tmp_path)
    assert config.read_text() == "c = get_config()\n"


@pytest.mark.parametrize("seed", ["-3", str(2**32), "many"])
def test_a_seed_that_no_notebook_can_use_is_refused(seed, tmp_path):
    with pytest.raises(SystemExit):
        command_line.main(["make", "hw1", "--out", str(tmp_path), "--student-seed", seed])
    assert list(tmp_path.iterdir()) == []


def test_in_nbgrader_a_quiz_says_what_to_set(tmp_path):
    notebook = nbformat.read(export.nbgrader("hw6", tmp_path), as_version=4)
    for question in masters.load("hw6").quizzes:
        cell = next(c for c in notebook.cells if c.source.startswith(f"# Set {question} to"))
        assert cell.source.index("# Set") < cell.source.index(masters.BEGIN)


def test_the_course_for_students_has_no_solution_and_no_hidden_check(tmp_path):
    assert command_line.main(["course", "--out", str(tmp_path)]) == 0
    with zipfile.ZipFile(tmp_path / "course.zip") as bundled:
        names = bundled.namelist()
        books = [bundled.read(n).decode() for n in names if n.endswith(".ipynb")]
    kept = ("/hidden.py", "/hw1/answers.py")
    assert not [n for n in names if n.endswith(kept) or "/tests/" in n]
    assert not [text for text in books if "BEGIN SOLUTION" in text]
    assert "course/notebooks/hw1/my_hw1_perceptron.ipynb" in names
    assert {"course/Makefile", "course/lectures_homework/hw1.py", "course/README.md"} <= set(names)
    masters_names = {masters.find(name).notebook.name for name in masters.names()}
    assert not masters_names & {n.rpartition("/")[2] for n in names}


def test_the_bundle_says_where_to_unpack_it(tmp_path):
    with zipfile.ZipFile(export.bundle("hw1", tmp_path)) as bundled:
        text = bundled.read("hw1/README.txt").decode()
    assert "notebooks/hw1/my_hw1_perceptron.ipynb" in text
