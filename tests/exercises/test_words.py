"""How a beginner is spoken to: messages, hints and what is shown of an answer."""

import linecache
import re
from importlib import import_module

import numpy as np
import pytest

from lectures_lib import exercises
from lectures_lib.exercises import judging, tries

# --- how a beginner is spoken to -----------------------------------------------------------------


@pytest.mark.parametrize("exercise", exercises.EXERCISES)
def test_an_unwritten_answer_is_called_unwritten(exercise, capsys):
    exercises.check(exercise, lambda *_: None)
    assert capsys.readouterr().out.startswith("Not written yet: ")


def only_dots(w, x, y): ...


def only_pass(w, x, y):
    pass


def only_words(w, x, y):
    """Return the new weights."""


def dots_below_words(w, x, y):
    """Return the new weights."""
    ...


def dots_come_back(w, x, y):
    new = ...
    return new


@pytest.mark.parametrize(
    "stub", [only_dots, only_pass, only_words, dots_below_words, dots_come_back]
)
def test_a_stub_is_not_written_yet_however_it_is_left(stub):
    assert exercises.judge("update", stub).message == "Not written yet: the function returns None."


def without_return(w, x, y):
    w = w + y * x if y * (w @ x) <= 0 else w


def with_return_in_one_branch(w, x, y):
    if y * (w @ x) <= 0:
        return w + y * x


def test_a_forgotten_return_is_asked_for():
    said = exercises.judge("update", without_return).message
    assert said.startswith("Not yet. Your function returns None. Is a `return` missing, or ")
    assert "w = np.array([0.0, 0.0]), x = np.array([1.5, -0.5]), y = 1.0" in said
    said = exercises.judge("update", with_return_in_one_branch).message
    assert "Is a `return` missing" in said
    given = re.search(r"It was given w = np.array\(\[(.*?)\]\), x = np.array\(\[(.*?)\]\), y", said)
    w, x = (np.array(v.split(","), dtype=float) for v in given.groups())
    assert abs(w @ x) > 0  # not the first try, which is a mistake at 0


@pytest.mark.parametrize(
    ("exercise", "answer", "said"),
    [
        ("update", lambda w, x, y: np.diag(w), "2 numbers is expected, and this is an array of"),
        ("slope", lambda w, x, y: 0, "a vector of 3 numbers is expected, and this is a number"),
        ("margin", lambda w, x, y: w * x, "one number is expected, and this is an array of shape"),
        ("margin", lambda w, x, y: "far", "your answer is 'far', but one number is expected"),
        ("margin", lambda w, x, y: 1j, "one number is expected"),
        ("margin", lambda w, x, y: (v for v in w), "this is an array of shape (3,)"),
        ("average", lambda W, c: [[1, 2], [3]], "and these rows differ in length"),
        ("lift", lambda w, w0, x: 7.0, "2 values are expected, as in `return w~, x~`, and this is"),
        ("lift", lambda w, w0, x: (w, x, w0), "as in `return w~, x~`, and 3 came"),
        ("precision", lambda y, s: (0.5,), "your answer is (0.5), but 2 values"),
        ("vote", lambda s, pairs, k: [0, 1], "a whole number, 0 to 2, and this is an array of"),
    ],
)  # fmt: skip
def test_a_wrong_shape_says_what_was_expected_and_what_came(exercise, answer, said):
    message = exercises.judge(exercise, answer).message
    assert message.startswith("Not yet. Given ")
    assert said in message


def in_a_cell(text, file="/no/such/folder/ipykernel_1/2.py"):
    """Return the function f that a cell defines, with its text where IPython keeps it."""
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    namespace = {"np": np}
    exec(compile(text, file, "exec"), namespace)
    return namespace["f"]


def test_an_error_is_told_with_the_line_and_the_input():
    f = in_a_cell("# my try\n\ndef f(W, c):\n    n = len(W)\n    return W[n + 97]\n")
    said = exercises.judge("average", f).message
    assert "your function stopped in line 5, `return W[n + 97]`, with IndexError" in said
    assert "\nIt was given weights = np.array([[" in said


def test_an_error_inside_numpy_is_told_with_the_students_line():
    f = in_a_cell("def f(W, c):\n    return np.linalg.solve(W, c)\n")
    said = exercises.judge("gaussian", lambda X, Z, s: f(X, Z)).message
    assert "in line 2, `return np.linalg.solve(W, c)`, with" in said


def test_an_error_in_a_function_without_a_line_is_told_all_the_same():
    said = exercises.judge("margin", len).message
    assert said.startswith("Not yet: your function stopped with TypeError: len() takes")


class Wordless(Exception):
    def __str__(self):
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (Wordless(), "with Wordless: Wordless()\nIt was given"),
        (ValueError("two\n  lines "), "with ValueError: two lines\nIt was given"),
        (AssertionError(), "with AssertionError: it says no more\nIt was given"),
        (KeyError("a" * 9999), "aaa ...\nIt was given"),
        (GeneratorExit("done"), "with GeneratorExit: done\nIt was given"),
    ],
)
def test_whatever_a_function_raises_is_told_in_one_line(error, said):
    def raising(w, x, y):
        raise error

    assert said in exercises.judge("margin", raising).message


def test_a_check_warns_of_nothing_whatever_the_student_has_numpy_do():
    with np.errstate(all="raise"):
        said = exercises.judge("combined", lambda a, b: [1.7e308] * 2).message
        assert "it is inf" in said
        said = exercises.judge("margin", lambda w, x, y: np.float64(1e300) ** 2).message
        assert "with FloatingPointError: overflow encountered" in said


def test_the_checks_own_trouble_is_not_blamed_on_the_answer(monkeypatch, capsys):
    def broken(answer):
        answer(x=1.0)
        yield {}["no such key"], "it holds"

    monkeypatch.setitem(judging.EXERCISES, "margin", broken)
    with pytest.raises(KeyError):
        exercises.judge("margin", lambda x: x)
    exercises.check("margin", lambda x: x)
    said = capsys.readouterr().out
    assert said.startswith("The check itself stopped with KeyError: 'no such key'\n")
    assert "fault of the course, not of your answer" in said


def test_a_check_that_tries_nothing_is_no_check(monkeypatch):
    monkeypatch.setitem(judging.EXERCISES, "margin", lambda answer: iter(()))
    with pytest.raises(RuntimeError, match="tried nothing"):
        exercises.judge("margin", lambda w, x, y: 0.0)


def test_two_exercises_with_one_name_are_refused(monkeypatch):
    svm = import_module("lectures_lib.exercises.svm")
    monkeypatch.setitem(svm.CHECKS, "margin", svm.slack)
    with pytest.raises(ValueError, match=r"Two exercises are called \['margin'\]"):
        judging._all_checks()


def test_the_answer_gets_copies_by_position_and_what_it_changes_is_named():
    def f(a, b):
        b[0] = 5.0
        return a

    X = np.zeros(2)
    back = tries.Answer(f)(w=1.0, X=X)
    assert (back.changed, X.tolist(), back.given) == (
        ("X",),
        [0.0, 0.0],
        "w = 1.0, X = np.array([0.0, 0.0])",
    )


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (np.array([[1.0, 2.345], [3.0, 4.0]]), "[[1, 2.345], [3, 4]]"),
        ((np.array([1, -1]), 0.25), "([1, -1], 0.25)"),
        (3, "3"),
        (np.float64(2 / 3), "0.666667"),
        ([(0, 1), (0, 2)], "[[0, 1], [0, 2]]"),
        ("abc", "'abc'"),
        ([np.eye(2), np.zeros(1)], "[[[1, 0], [0, 1]], [0]]"),
        (np.array([-0.0, 1e-7, 12345678.0]), "[0, 1e-07, 1.23457e+07]"),
        ([True, False], "[True, False]"),
        (len, "len"),
    ],
)
def test_inputs_and_answers_are_shown_on_one_line(value, shown):
    assert exercises.text(value) == shown


def test_a_proof_may_be_given_as_a_text_and_dots_are_no_proof_yet(capsys):
    exercises.check("growth", "sum_of_growth + 2*mistake + radius")
    exercises.check("growth", ...)
    assert capsys.readouterr().out == (
        "Right: proved, for all values and in every dimension.\nNot written yet: no sum is given.\n"
    )


def test_the_question_of_a_proof_says_what_is_to_be_a_sum_and_of_what(capsys):
    exercises.question("growth")
    asked = capsys.readouterr().out
    assert "To be proved after a step: k R² + R² − ‖w‖² − 2 w·z − ‖z‖² ≥ 0" in asked
    assert re.search(r"mistake +−w·z ≥ 0", asked)
    with pytest.raises(ValueError, match="growth"):
        exercises.question("average")


def test_an_unknown_exercise_lists_the_known_ones():
    with pytest.raises(
        ValueError, match="there are a verdict, above, alternating, always wrong, area"
    ):
        exercises.judge("?", len)
    with pytest.raises(ValueError, match="did you mean 'average'"):
        exercises.judge("averag", len)


@pytest.mark.parametrize(
    ("exercise", "answer", "said"),
    [
        ("area", lambda y, s: 0.0, "of 1 pair 1 is in order and 0 tied"),
        ("sauer", lambda n, h: 3, "of the 8 labellings 4 have at most 1 plus sign"),
        ("a verdict", lambda *_: "nobody knows", "is 'nobody knows', but it is proved"),
        ("unlifted", lambda: ([[k, 0] for k in range(4)], [1, -1, 1, -1], [0.1, 0.3, 0.3, 0.1]),
         "0.1 is no tenth in floating point: take whole numbers"),
        ("upset", lambda: {(0, 1), (1, 2)}, "is expected, and a set has no order: return a list"),
        ("average", lambda W, c: {1.0, 2.0}, "is expected, and a set has no order: return a list"),
        ("multipliers for nothing", lambda X, y, w, b, C: C / (1 + np.exp(y * (X @ w))),
         "(the offset b is missing)"),
        ("multipliers for nothing", lambda X, y, w, b, C: C / (1 + np.exp(X @ w + b)),
         "(the labels are missing)"),
        ("multipliers for nothing", lambda X, y, w, b, C: 1 / (1 + np.exp(y * (X @ w + b))),
         "(C is missing)"),
        ("multipliers for nothing", lambda X, y, w, b, C: C * np.log1p(np.exp(-y * (X @ w + b))),
         "(this is the loss, not its slope)"),
        ("multipliers for nothing", lambda X, y, w, b, C: -C / (1 + np.exp(y * (X @ w + b))),
         "(the sign is the wrong way round)"),
        ("whom to believe", lambda X, y, C, w, b, a, tol: exact_sum(X, y, C, w, b, a, tol),
         "the sum of alpha y is -5.55e-17, which is 0 up to rounding"),
        ("bound", lambda X, y, u: 0.0, "it times gamma^2, with gamma = "),
    ],
)  # fmt: skip
def test_a_message_tells_what_a_beginner_can_act_on(exercise, answer, said):
    message = exercises.judge(exercise, answer).message
    assert message.startswith("Not yet. ")
    assert said in message


def with_four_decimals(x):
    r = 1.4142
    return [1, r * x[0], r * x[1], x[0] ** 2, r * x[0] * x[1], x[1] ** 2]


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        ("map", with_four_decimals),
        ("combined", lambda a, b: np.append(a, 1.7321 * np.outer(a, b))),
        ("update", lambda w, x, y: w + 1.00002 * y * x if y * (w @ x) <= 0 else w),
        ("bound", lambda X, y, u: 1.00002 * max(x @ x for x in X) * (u @ u) / min(X @ u * y) ** 2),
    ],
)  # fmt: skip
def test_what_must_be_and_what_is_are_told_apart_by_their_digits(exercise, answer):
    message = exercises.judge(exercise, answer).message
    found = re.search(r"(\d+\.\d+)[^;]*; it is -?(\d+\.\d+)", message)
    assert found[1] != found[2]


def exact_sum(X, y, C, w, b, alpha, tol):
    v = (alpha * y) @ X
    P = w @ w / 2 + C * np.maximum(0, 1 - y * (X @ w + b)).sum()
    good = alpha.min() >= 0 and alpha.max() <= C and alpha @ y == 0
    return bool(good and (1 + tol) * (alpha.sum() - v @ v / 2) >= P)


def test_six_digits_of_a_root_are_enough_and_a_full_stop_is_no_mistake():
    def phi(x):
        r = 1.41421
        return [1, r * x[0], r * x[1], x[0] ** 2, r * x[0] * x[1], x[1] ** 2]

    assert exercises.judge("map", phi).passed

    def verdict(upper, lower, better, tol):
        if upper <= (1 + tol) * lower:
            return "Proved."
        return "Refuted." if upper > (1 + tol) * better else "Undecided."

    assert exercises.judge("a verdict", verdict).passed
