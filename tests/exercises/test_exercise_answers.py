"""Every check is handed every kind of odd answer: right ones pass, none crashes, none hangs."""

import ast
import itertools
from collections import deque
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from lectures_lib import exercises
from lectures_lib.exercises.theorems import PROOFS
from tools.published import solutions

FUNCTIONS = [s for s in solutions() if s.exercise not in PROOFS]
each = pytest.mark.parametrize("solution", FUNCTIONS, ids=lambda s: s.exercise)


def test_every_exercise_is_posed_in_a_notebook_and_its_solution_found():
    posed = [s.exercise for s in solutions()]
    assert sorted(posed) == sorted(exercises.EXERCISES)


# --- only the reading layer touches what came back -----------------------------------------------

PACKAGE = Path(exercises.__file__).parent
ENGINE = {"__init__", "judging", "limits", "reading", "tries", "solved"}
CHECKERS = sorted(path for path in PACKAGE.glob("*.py") if path.stem not in ENGINE)


def raw_reads(text):
    """Return the lines of a check that touch an answer past the reading layer."""
    tree = ast.parse(text)
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in ("value", "answer", "last", "_numbers"):
            found.append(node.lineno)
        if isinstance(node, ast.ImportFrom) and any(n.name == "Returned" for n in node.names):
            found.append(node.lineno)
    return found + [line for function in ast.walk(tree) for line in unread(function)]


def unread(function):
    """Yield lines where a call of the answer is used without one of the layer's readings."""
    if not isinstance(function, ast.FunctionDef) or not function.args.args:
        return
    if function.args.args[0].arg != "answer":
        return
    calls = [n for n in ast.walk(function) if isinstance(n, ast.Call)]
    for node in ast.walk(function):
        for child in ast.iter_child_nodes(node):
            if not (isinstance(child, ast.Call) and isinstance(child.func, ast.Name)):
                continue
            if child.func.id == "answer" and not isinstance(node, ast.Attribute | ast.Assign):
                yield child.lineno
    named = {
        target.id
        for node in ast.walk(function)
        if isinstance(node, ast.Assign) and is_a_call_of_answer(node.value)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for call in calls:
        touched = isinstance(call.func, ast.Name | ast.Attribute) and ast.unparse(call.func)
        if touched in ("len", "int", "float", "np.size", "np.shape", "np.asarray", "np.array"):
            if any(isinstance(a, ast.Name) and a.id in named for a in call.args):
                yield call.lineno
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            if node.value.id in named:
                yield node.lineno


def is_a_call_of_answer(node):
    return (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "answer"
    )


@pytest.mark.parametrize("path", CHECKERS, ids=lambda path: path.stem)
def test_a_check_reads_answers_through_the_reading_layer_alone(path):
    assert raw_reads(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "line",
    [
        "back = answer(x=1); n = np.size(back.value)",
        "back = answer(x=1); n = len(back)",
        "back = answer(x=1); n = back[0]",
        "n = int(answer(x=1))",
        "n = [*answer(x=1)]",
        "n = answer.answer(1)",
    ],
)
def test_a_check_that_reads_by_itself_is_found(line):
    assert raw_reads(f"def check(answer):\n    {line}\n")


# --- one policy for shapes -----------------------------------------------------------------------


def exact(value):
    """Return numbers as Fractions, where they are numbers."""
    return Fraction(str(value)) if isinstance(value, float | np.floating) else Fraction(int(value))


def in_fractions(value):
    if isinstance(value, list):
        return [in_fractions(v) for v in value]
    whole_or_short = isinstance(value, int) or len(repr(value)) < 8
    return exact(value) if whole_or_short else value


VECTORS = {
    "a list": lambda v: v.tolist(),
    "a tuple": lambda v: tuple(v.tolist()),
    "a row": lambda v: v[None, :],
    "a column": lambda v: v[:, None],
    "a list of lists of one": lambda v: [[x] for x in v.tolist()],
    "a generator": lambda v: (x for x in v.tolist()),
    "a map": lambda v: map(float, v),
    "a deque": lambda v: deque(v.tolist()),
    "values of a dictionary": lambda v: dict(enumerate(v.tolist())).values(),
    "objects": lambda v: v.astype(object),
    "fractions": lambda v: in_fractions(v.tolist()),
    "a matrix of numpy": lambda v: v[None, :].copy(order="F"),
    "numpy scalars": lambda v: [np.float64(x) for x in v],
    "0-d arrays": lambda v: [np.array(x) for x in v],
    "complex, without an imaginary part": lambda v: v.astype(complex),
    "long doubles": lambda v: v.astype(np.longdouble),
}
NUMBERS = {
    "0-d": np.array,
    "one in brackets": lambda x: [x],
    "one in an array": lambda x: np.array([x]),
    "one in a table": lambda x: np.array([[x]]),
    "one in a tuple": lambda x: (x,),
    "a fraction": lambda x: in_fractions(x),
    "an object": lambda x: np.array(x, dtype=object),
    "a generator": lambda x: (v for v in [x]),
}
TABLES = {
    "lists": lambda a: a.tolist(),
    "tuples": lambda a: tuple(map(tuple, a.tolist())),
    "a list of arrays": lambda a: list(a),
    "a generator of lists": lambda a: (row.tolist() for row in a),
    "generators in a list": lambda a: [(x for x in row.tolist()) for row in a],
    "objects": lambda a: a.astype(object),
    "fractions": lambda a: in_fractions(a.tolist()),
    "turned in memory": lambda a: np.asfortranarray(a),
    "a sparse matrix": lambda a: csr_matrix(np.asarray(a, dtype=float)),
}


def converted(value, form):
    """Return a right answer in another form; parts one by one."""
    if isinstance(value, tuple):
        return tuple(converted(part, form) for part in value)
    if isinstance(value, str) or value is None:
        return value
    array = np.asarray(value)
    forms = (NUMBERS, VECTORS, TABLES)[array.ndim]
    return forms[form](value if not array.ndim else array) if form in forms else value


def dimensions(value):
    parts = value if isinstance(value, tuple) else (value,)
    return {np.ndim(part) for part in parts if not isinstance(part, str)}


@each
def test_a_right_answer_passes_in_every_form(solution):
    seen = set()
    exercises.judge(
        solution.exercise, solution.converted(lambda v: seen.update(dimensions(v)) or v)
    )
    for form in sorted({form for n in seen for form in (NUMBERS, VECTORS, TABLES)[n]}):
        answer = solution.converted(lambda v: converted(v, form))  # noqa: B023
        verdict = exercises.judge(solution.exercise, answer)
        assert verdict.passed, f"{form}: {verdict.message}"


#: right in double precision alone, because the question asks for more digits than float32 has
DOUBLE_ALONE = {"search", "pair", "update"}


def in_type(value, kind):
    if isinstance(value, tuple):
        return tuple(in_type(part, kind) for part in value)
    if isinstance(value, str) or (kind != np.float32 and not whole(value)):
        return value
    return np.asarray(value).astype(kind)


def whole(value):
    array = np.asarray(value, dtype=float)
    return bool((array == np.round(array)).all() and (np.abs(array) < 100).all())


@each
def test_a_right_answer_passes_in_every_type(solution):
    single = () if solution.exercise in DOUBLE_ALONE else (np.float32,)
    for kind in (np.int8, np.int32, np.int64, *single):
        answer = solution.converted(lambda v: in_type(v, kind))  # noqa: B023
        verdict = exercises.judge(solution.exercise, answer)
        assert verdict.passed, f"{kind.__name__}: {verdict.message}"


# --- no size can be typed in ---------------------------------------------------------------------

#: (exercise, input, axis) of a size that the text names
FIXED = {("map", 0, 0), ("word", 0, 1)}  # a point of the plane; 26 letters


def sizes(solution):
    """Return (input, axis) -> the sizes that a check hands over."""
    seen = {}

    def spy(*args):
        for i, value in enumerate(args):
            shape = np.shape(value) if isinstance(value, np.ndarray) else ()
            for axis, n in enumerate((len(value),) if isinstance(value, list) else shape):
                seen.setdefault((i, axis), set()).add(n)
        return solution.answer()(*args)

    assert exercises.judge(solution.exercise, spy).passed
    return seen


@each
def test_no_size_of_an_input_can_be_typed_in_as_a_number(solution):
    always = {(solution.exercise, *place) for place, n in sizes(solution).items() if len(n) == 1}
    assert always <= FIXED


# --- no answer makes a check stop ----------------------------------------------------------------


class Hostile:
    """An object whose every question ends in an error."""

    def __array__(self, *args, **kwargs):
        raise RuntimeError("no array")

    def __float__(self):
        raise RuntimeError("no float")

    def __len__(self):
        raise RuntimeError("no length")

    def __eq__(self, other):
        raise RuntimeError("no comparison")

    __hash__ = None


class Rude(Hostile):
    """One that cannot even be shown."""

    def __repr__(self):
        raise RuntimeError("no words")


def inside_itself():
    nest = []
    nest.append(nest)
    return nest


ODD = {
    "nothing in a list": lambda: [None],
    "a text": lambda: "seven",
    "an empty text": lambda: "",
    "texts": lambda: ["1", "2"],
    "bytes": lambda: b"12",
    "nan": lambda: float("nan"),
    "nans": lambda: np.full(3, np.nan),
    "infinity": lambda: -np.inf,
    "complex": lambda: 1j,
    "ragged": lambda: [[1, 2], [3]],
    "ragged arrays": lambda: (np.zeros(2), np.zeros((2, 3))),
    "ragged with a scalar": lambda: [1, np.array([1.0, 2.0]), 3],
    "as np.where returns it": lambda: (np.array([0, 2]),),
    "as np.argwhere returns it": lambda: np.array([[1], [2]]),
    "an empty list": lambda: [],
    "an empty tuple": lambda: (),
    "no rows": lambda: np.zeros((0, 2)),
    "three dimensions": lambda: np.zeros((2, 2, 2)),
    "a dictionary": lambda: {"alpha": 1},
    "a set": lambda: {1, 2},
    "a mixed set": lambda: {1, "a", None},
    "a function": lambda: len,
    "a class": lambda: np.ndarray,
    "a module": lambda: np,
    "an iterator without end": itertools.count,
    "a huge number": lambda: 10**400,
    "a huge whole list": lambda: [10**400, 1],
    "a long list": lambda: [0.0] * 200_000,
    "a date": lambda: np.datetime64("2026-01-01"),
    "fields": lambda: np.zeros(2, dtype=[("a", float)]),
    "dots in a list": lambda: [..., 1],
    "a decimal nan": lambda: Decimal("nan"),
    "a list in itself": inside_itself,
    "a hostile object": Hostile,
    "hostile objects": lambda: [Hostile(), Hostile()],
    "an object without words": Rude,
    "pairs": lambda: [(1, 2.5), (2, 3.5)],
    "a half": lambda: 0.5,
    "a far number": lambda: -7,
    "true": lambda: True,
    "masked": lambda: np.ma.masked_array([1.0, 2.0], [True, False]),
    **{f"{n} floats at the end of all": lambda n=n: [1.7e308] * n for n in (1, 2, 6)},
    "points at the end of all": lambda: [[1.7e308, -1.7e308], [1.7e308, 0.0]],
    "nothing that sums": lambda: np.array([1, "a", None], dtype=object),
    "a coroutine's like": lambda: (1 / 0 for _ in range(2)),
}


def refused(exercise, answer):
    verdict = exercises.judge(exercise, answer)
    assert verdict.message.startswith(("Not yet", "Not written yet", "Right"))
    return not verdict.passed


@pytest.mark.parametrize("exercise", sorted(exercises.EXERCISES))
def test_no_odd_answer_makes_a_check_stop_or_passes(exercise, capsys):
    for name, odd in ODD.items():
        assert refused(exercise, lambda *args: odd()), name  # noqa: B023
        for count in (2, 3, 4):
            parts = tuple(odd() for _ in range(count))
            assert refused(exercise, lambda *args: parts), name  # noqa: B023


@each
def test_one_odd_part_of_a_right_answer_is_refused_by_its_name(solution):
    first = []

    def parts(*args):
        value = solution.answer()(*args)
        first.append(value)
        return value

    exercises.judge(solution.exercise, parts)
    if not isinstance(first[0], tuple):
        return
    for i, name in itertools.product(range(len(first[0])), ("a text", "ragged", "nan", "a class")):

        def spoilt(*args):
            value = list(solution.answer()(*args))
            value[i] = ODD[name]()  # noqa: B023
            return tuple(value)

        message = exercises.judge(solution.exercise, spoilt).message
        nth = ("first", "second", "third", "fourth")[i]
        known = ("precision", "scale")  # there nan is a slip with a sentence of its own
        if not (name == "nan" and solution.exercise in known):
            assert f"he {nth} value you return, " in message, message


@each
def test_too_many_values_are_refused(solution):
    def more(*args):
        value = solution.answer()(*args)
        return (*value, 0) if isinstance(value, tuple) else (value, 0)

    assert refused(solution.exercise, more)


TEXTS = [
    *("(" * 500, ")", "1/0", "9^9^9", "a" * 9999, "sq()", "norm(1)", "x" + "+x" * 3000, "\x00"),
    *("1e400", "lambda: 1", "[1]", "''", "-", "0*", "sq(sq(sq(1)))", "nan", "½½", "α", "²", "f(x)"),
]


@pytest.mark.parametrize("exercise", sorted(PROOFS))
def test_no_text_makes_the_check_of_a_proof_stop(exercise):
    for text in TEXTS:
        assert refused(exercise, text), text


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        ("above", "e*slope + (1 − e)*ξ + wrong"),
        ("growth", "sum_of_growth + 2·mistake + (R² − ‖z‖²)"),
        ("detour", "norm(size²*u − w) + 2*R²*sum_of_progress + sum_of_growth"),
        ("detour", "norm(size^2*u - w) + 2.0*size^2*sum_of_progress + sum_of_growth"),
        ("terms", "terms + (C − α)*ξ + α*margin"),
        ("segment", "½*curved*sq(q - t) + (q - t)*slope + up*high - at_h + down*low - at_l"),
        ("segment", "0.5*η*(q - t)^2 + (q - t)*slope + a*high - at_h + down*low - at_l"),
        ("segment", "curved*(q - t)**2/2 + (q − t)*slope + up*high − at_h + down*low − at_l"),
    ],
)
def test_a_proof_may_be_typed_as_the_question_prints_it(exercise, answer):
    verdict = exercises.judge(exercise, answer)
    assert verdict.passed, verdict.message


# --- the course knows a function from its value, and tells it ------------------------------------


@pytest.mark.parametrize("value", [3, (1, 2), np.zeros(3), [len]])
def test_a_value_instead_of_a_function_is_told_what_to_hand_over(value):
    said = exercises.judge("memory", value).message
    assert said == (
        "Not yet. This is a value, not a function. Hand over the function itself, without "
        'brackets: `exercises.check("memory", f)`, not `f(...)`.'
    )
