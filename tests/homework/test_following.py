"""One mistake costs once: a later question is not punished for an earlier one."""

from dataclasses import asdict

import nbformat
import numpy as np
import pytest

from lectures_homework.instructor import batch, masters, selftest
from lectures_homework.instructor.grade import grade
from lectures_homework.instructor.report import feedback
from lectures_homework.instructor.submissions import Submission
from lectures_homework.language.checks import Assignment, close, expect
from lectures_homework.student import client

from .conftest import QUICK, book

pytestmark = pytest.mark.usefixtures("box")
SOLUTIONS = {"one": "def one(x):\n    return x + 1", "two": "def two(x):\n    return one(one(x))"}
ONE, WRONG_ONE = SOLUTIONS["one"], "def one(x):\n    return x - 1"


@pytest.fixture
def chain():
    """A homework of three functions, each of which may use the one before."""
    made = Assignment("hw9", "A chain", minutes=1, data=lambda seed: {})
    for number, name in enumerate(("one", "two", "four"), start=1):
        made.question(f"q{number}", name)
        made.check(f"q{number}", f"visible {name}", points=1, hint="")(adds(name, 2**number // 2))
        hidden = made.check(f"q{number}", f"hidden {name}", points=1, hint="", hidden=True)
        hidden(adds(name, 2**number // 2))
    return made


def adds(name, number):
    def check(call, rng):
        x = float(rng.integers(3, 99))
        expect(close(call(name, x), x + number), f"it adds {number}")

    return check


def graded(chain, *cells, **options):
    options = {"limits": QUICK, "solutions": SOLUTIONS} | options
    return grade(chain, book(*cells, words=None), **options)


def points(report):
    return [sum(v.points for v in report.verdicts if v.question == q) for q in ("q1", "q2", "q3")]


FOUR = "def four(x):\n    return two(two(x))"


def test_a_wrong_function_costs_its_own_points_and_no_others(chain):
    report = graded(chain, WRONG_ONE, SOLUTIONS["two"], FOUR)
    assert points(report) == [0, 2, 2]
    follows = {v.question: v.follows for v in report.verdicts}
    assert follows == {"q1": "", "q2": "one (q1)", "q3": "one (q1)"}
    page = feedback(chain, batch.GradedSubmission(Submission("a", None), report), None)
    assert "This uses your one (q1), which is not right yet" in page


def test_a_function_that_is_not_written_costs_once_too(chain):
    stub = "def one(x):\n    raise NotImplementedError"
    assert points(graded(chain, stub, SOLUTIONS["two"], FOUR)) == [0, 2, 2]


def test_two_mistakes_cost_twice_and_the_later_one_is_told_what_to_repair_first(chain):
    report = graded(chain, WRONG_ONE, "def two(x):\n    return one(x)", FOUR)
    assert points(report) == [0, 0, 2]
    assert [v.follows for v in report.verdicts if v.question == "q2"] == ["one (q1)"] * 2


def test_a_later_mistake_that_has_nothing_to_do_with_the_earlier_one_is_not_blamed_on_it(chain):
    report = graded(chain, WRONG_ONE, "def two(x):\n    return x", FOUR)
    assert points(report) == [0, 0, 2]
    assert [v.follows for v in report.verdicts if v.question == "q2"] == ["", ""]


def test_what_holds_with_the_students_own_function_stays_as_it_is(chain):
    own = "def two(x):\n    return one(x) + 3"
    report = graded(chain, WRONG_ONE, own, "def four(x):\n    return two(two(x))")
    assert points(report) == [0, 2, 2]
    assert {v.follows for v in report.verdicts} == {""}


def test_a_right_function_is_never_replaced(chain):
    report = graded(chain, ONE, "def two(x):\n    return one(x)", FOUR)
    assert points(report) == [2, 0, 2]


def test_nothing_of_the_second_run_is_told(chain):
    spy = """
def two(x):
    import inspect, sys
    frame, seen = sys._getframe(), ""
    while frame:
        seen += repr([*frame.f_locals.values()])[:200_000]
        frame = frame.f_back
    return seen + repr(one(1.0))"""
    report = graded(
        chain, WRONG_ONE, spy, FOUR, solutions=SOLUTIONS | {"one": "one = lambda x: 4711"}
    )
    assert "4711" not in repr(asdict(report))
    assert points(report)[1] == 0


def test_one_exchange_in_segment_costs_one_point_of_hw5():
    wrong = "def segment(y1, y2, a1, a2, C):\n    if y1 != y2:\n"
    wrong += "        return max(0.0, a1 + a2 - C), min(C, a1 + a2)\n"
    wrong += "    return max(0.0, a2 - a1), min(C, C + a2 - a1)"
    master = masters.find("hw5").read()
    for cell in master.cells:
        if "def segment(" in cell.source:
            start, end = selftest._lines_of(cell.source, "segment")
            lines = cell.source.splitlines()
            cell.source = "\n".join([*lines[:start], wrong, *lines[end:]])
    content = nbformat.writes(master).encode()
    report = grade(masters.load("hw5"), content, solutions=masters.solutions("hw5"))
    assert report.points == report.out_of - 1
    lost = [v for v in report.verdicts if not v.passed]
    assert [v.check for v in lost] == ["segment: L and H, for like and for unlike labels"]
    assert {v.follows for v in report.verdicts if v.question in ("q3", "q6")} <= {
        "",
        "segment (q1)",
    }


def test_the_check_in_the_notebook_says_what_to_repair_first(chain):
    names = {}
    exec("\n".join([WRONG_ONE, SOLUTIONS["two"], FOUR]), names)
    told = client.checked(chain, "q3", names)
    assert "this uses your one (q1), which is not right yet: repair that first." in told
    assert "(q2)" in told
    exec(ONE, names)
    assert "repair" not in client.checked(chain, "q3", names)


@pytest.mark.parametrize("name", masters.names())
def test_every_function_has_a_solution_that_stands_alone(name):
    solutions = masters.solutions(name)
    asked = [f for functions in masters.load(name).functions.values() for f in functions]
    assert [*solutions] == asked
    for text in solutions.values():
        assert "lectures_lib" not in text
        exec(text, {})


# --- every style ---------------------------------------------------------------------------------

ARRAYS = {"double": "import numpy as np\ndef double(X):\n    return 2 * X, (2 * X).sum(axis=1)"}
LATER = """
def total(X):
    D, s = double({given})
    assert type(D) is {kind} and type(s) is {kind} and type(D[0]) is {kind}
    return float(sum(s))"""


@pytest.mark.parametrize(
    ("kind", "given", "reply"),
    [
        ("list", "X.tolist()", "D.tolist(), s.tolist()"),
        ("np.ndarray", "X", "D, s"),
        ("np.ndarray", "X.tolist()", "D, s"),
    ],
    ids=["lists", "arrays", "lists in, arrays out"],
)
@pytest.mark.parametrize("broken", ["D = 3 * np.asarray(X)", "D = np.asarray(X) - 1.0"])
def test_a_later_function_meets_the_types_of_the_students_own_style(kind, given, reply, broken):
    made = Assignment("hw9", "Rows", minutes=1, data=lambda seed: {})
    made.question("q1", "double")
    made.question("q2", "total")

    @made.check("q1", "doubles", points=1, hint="")
    def _(call, rng):
        X = np.ones((2, 3))
        expect(close(call("double", X)[0], 2 * X), "it doubles")

    @made.check("q2", "adds", points=1, hint="")
    def _(call, rng):
        expect(close(call("total", np.ones((2, 3))), 12.0), "it adds the doubles")

    own = f"import numpy as np\ndef double(X):\n    {broken}\n    s = D.sum(axis=1)\n"
    own += f"    return {reply}"
    report = graded(made, own, LATER.format(given=given, kind=kind), solutions=ARRAYS)
    assert [v.points for v in report.verdicts] == [0, 1]


def test_a_name_given_to_the_function_further_down_means_the_right_one_too(chain):
    two = "plus = one\n\ndef two(x):\n    return plus(plus(x))"
    assert points(graded(chain, WRONG_ONE, two, FOUR)) == [0, 2, 2]


def test_an_argument_more_than_asked_for_is_no_second_mistake(chain):
    wrong = "def one(x, step=1):\n    return x - step"
    two = "def two(x):\n    return one(one(x, 1), step=1)"
    assert points(graded(chain, wrong, two, FOUR)) == [0, 2, 2]


LISTS = """
def viterbi(E, P):
    E, P = [list(map(float, e)) for e in E], [list(map(float, p)) for p in P]
    V, back = E[0], []
    for e in E[1:]:
        ways = [[V[r] + P[{slip}] for r in range(len(P))] for s in range(len(P))]
        back.append([w.index(max(w)) for w in ways])
        V = [e[s] + max(ways[s]) for s in range(len(P))]
    y = [V.index(max(V))]
    for marks in reversed(back):
        y.append(marks[y[-1]])
    return y[::-1]


def train(X, Y, A, B, passes):
    A, B = np.array(A, float), np.array(B, float)
    sums, mistakes = [0 * A, 0 * B], 0
    for _ in range(passes):
        for x, y in zip(X, Y):
            said = viterbi((np.asarray(x) @ A).tolist(), B.tolist())
            if said + [] != [int(s) for s in y]:
                mistakes += 1
            A, B = update(A, B, x, y, 1.0)
            sums = [sums[0] + A, sums[1] + B]
    return sums[0] / passes / len(X), sums[1] / passes / len(X), mistakes"""


@pytest.mark.parametrize(("slip", "lost"), [("r][s", 0), ("s][r", 5)], ids=["right", "one slip"])
def test_one_slip_in_viterbi_by_lists_costs_the_points_of_q2_alone(slip, lost):
    master = masters.find("hw7").read()
    own = nbformat.v4.new_code_cell(LISTS.replace("{slip}", slip))
    at = next(k for k, c in enumerate(master.cells) if "def read_words(" in c.source)
    master.cells.insert(at + 1, own)
    content = nbformat.writes(master).encode()
    report = grade(masters.load("hw7"), content, solutions=masters.solutions("hw7"))
    assert report.points == report.out_of - lost
