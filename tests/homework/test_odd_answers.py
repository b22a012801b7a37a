"""Every check is handed every kind of odd answer: right ones in odd forms pass, none crashes it."""

import ast
from collections import deque
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import lectures_homework
from lectures_homework.instructor import batch, masters
from lectures_homework.language.checks import judge
from lectures_homework.student.client import LocalCall

SECRET = "odd"
HERE = Path(lectures_homework.__file__).parent


def deep(change):
    """Return what changes every array and every number of an answer, and keeps its parts."""

    def changed(value):
        if isinstance(value, tuple):
            return tuple(map(changed, value))
        if isinstance(value, list) and value and isinstance(value[0], list | np.ndarray):
            return [changed(one) for one in value]
        return change(value)

    return changed


def numeric(value):
    kind = np.asarray(value).dtype.kind if not isinstance(value, str) else ""
    return kind in tuple("biuf") and np.size(value) > 0


def tall(value):
    array = np.asarray(value)
    return array.reshape(-1, 1) if numeric(value) and array.ndim == 1 else value


def flat(value):
    array = np.asarray(value)
    return array.reshape(1, -1) if numeric(value) and array.ndim == 1 else value


def as_lists(value):
    return np.asarray(value).tolist() if numeric(value) else value


def exact(value):
    array = np.asarray(value)
    if not numeric(value) or array.dtype.kind == "b" or not np.isfinite(array).all():
        return value
    fractions = np.frompyfunc(lambda v: Fraction(float(v)), 1, 1)(array)
    return fractions.tolist() if isinstance(fractions, np.ndarray) else fractions


def in_brackets(value):
    return [value] if numeric(value) and np.ndim(value) == 0 else value


def one_by_one(value):
    return (v for v in np.asarray(value)) if numeric(value) and np.ndim(value) == 1 else value


#: Other forms of a right answer.
FORMS = {
    "lists": deep(as_lists),
    "columns": deep(tall),
    "rows": deep(flat),
    "zero axes": deep(lambda v: np.asarray(v) if numeric(v) else v),
    "a number in brackets": deep(in_brackets),
    "Fractions": deep(exact),
    "generators": deep(one_by_one),
    "a queue": deep(lambda v: deque(v) if numeric(v) and np.ndim(v) == 1 else v),
    "complex": deep(
        lambda v: np.asarray(v) + 0j if numeric(v) and np.asarray(v).dtype.kind == "f" else v
    ),
    "whole numbers": deep(
        lambda v: (
            np.asarray(v).astype(int)
            if numeric(v) and np.all(np.abs(v) < 2**53) and np.array_equal(v, np.round(v))
            else v
        )
    ),
    "a list of parts": lambda v: list(v) if isinstance(v, tuple) else v,
}
#: What is no answer to anything.
JUNK = {
    "None": None,
    "text": "seven",
    "nan": np.nan,
    "an empty list": [],
    "a dict": {"w": [1.0]},
    "ragged": [[1.0], [1.0, 2.0]],
    "None inside": [None, 1.0],
    "texts": ["a", "b"],
    "many": np.zeros(5000),
    "a cube": np.zeros((2, 2, 2)),
    "ragged parts": ([[1.0], [1.0, 2.0]], [1.0]),
    "nothing twice": (None, None),
    "nan twice": (np.nan, np.nan),
    "texts twice": ("a", "b"),
    "a truth and nothing": (True, None),
    "a lie and a ragged proof": (False, [[1.0], [1.0, 2.0]]),
    "three": ([1.0], [[]], None),
    "four": ([], "", None, {}),
    "five": (1, 2, 3, 4, "5"),
    "six": ([[1.0], []], [], [], [], [], []),
    "an object": object(),
    "a function": len,
    "complex": 1 + 2j,
    "endless": "endless",
    "where": np.where(np.ones(3)),
    "nested": [[[[1.0]]]],
}
ASKED = [
    (hw, q, name)
    for hw in masters.names()
    for q, functions in masters.load(hw).functions.items()
    for name in functions
]


def loaded(homework):
    return batch.loaded(homework, str(masters.FOLDER))[0]


def _made(junk):
    return endless() if isinstance(junk, str) and junk == "endless" else junk


def endless():
    while True:
        yield 1.0


def answered(homework, question, name, change):
    """Return the verdicts of a question where one function answers in another form."""
    names = {"SEED": 0}
    exec("\n".join(masters.solutions(homework).values()), names)
    right = names[name]

    def answers(*given):
        return change(right(*given))

    call = LocalCall(dict(names) | {name: answers})
    checks = [c for c in loaded(homework).checks if c.question == question]
    with np.errstate(all="ignore"):
        return [judge(check, call, secret=SECRET) for check in checks]


@pytest.mark.parametrize(("homework", "question", "name"), ASKED, ids=lambda one: one)
def test_a_right_answer_passes_in_every_form(homework, question, name):
    for form, change in FORMS.items():
        found = answered(homework, question, name, change)
        told = [(form, v.check, v.status, v.claim) for v in found if not v.passed]
        assert told == []


@pytest.mark.parametrize(("homework", "question", "name"), ASKED, ids=lambda one: one)
def test_no_junk_earns_a_point_and_none_breaks_the_check(homework, question, name):
    for what, junk in JUNK.items():
        found = answered(homework, question, name, lambda _, junk=junk: _made(junk))
        asked = [v for v in found if name in _asks(homework, question, v.check)]
        assert not any(v.passed for v in asked), what
        assert all("cannot be used" not in v.claim for v in found), (what, found)


def _asks(homework, question, check):
    """Return the functions that a check asks, of the solution."""
    return ASKS[homework][question, check]


class _Asks(dict):
    def __missing__(self, homework):
        names = {"SEED": 0}
        exec("\n".join(masters.solutions(homework).values()), names)
        call, found = LocalCall(names), {}
        for check in loaded(homework).checks:
            assert judge(check, call, secret=SECRET).passed
            found[check.question, check.name] = {one.function for one in call.log}
        self[homework] = found
        return found


ASKS = _Asks()
#: Uses of a raw answer that only the reading layer may make.
RAW = ("len", "isinstance", "float", "int", "bool", "list", "tuple", "sum", "max", "min", "sorted")
RAW += tuple(f"np.{name}" for name in ("asarray", "array", "ravel", "shape", "ndim", "size"))


@pytest.mark.parametrize(
    "path",
    [*sorted(HERE.glob("**/hw*.py")), *sorted(masters.FOLDER.glob("hw*/hidden.py"))],
    ids=lambda path: path.parent.name + "/" + path.name,
)
def test_no_check_touches_a_raw_answer(path):
    assert touched(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "line",
    [
        "n = np.size(got)",
        "n = got[0]",
        "n = float(call('f', 1))",
        "n = call('f', 1)[0]",
        "n = call('f', 1).sum()",
        "back = call('f', 1); n = back.shape",
        "back = call('f', 1); n = len(back)",
    ],
)
def test_a_check_that_touches_a_raw_answer_is_found(line):
    assert touched(f"def check(call, got):\n    {line}\n")


def touched(text):
    """Return the uses of a raw answer: an argument `got` or `reply`, or what a call returns."""
    functions = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef)]
    return [ast.unparse(node) for function in functions for node in _uses(function)]


def _uses(function):
    assigned = [
        (target.id, _is_raw(node.value))
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    raw = {a.arg for a in function.args.args if a.arg in ("got", "reply")}
    raw |= {name for name, is_raw in assigned if is_raw}
    raw -= {name for name, is_raw in assigned if not is_raw}

    def is_raw(node):
        return _is_raw(node) or (isinstance(node, ast.Name) and node.id in raw)

    for node in ast.walk(function):
        if (
            isinstance(node, ast.Call)
            and ast.unparse(node.func) in RAW
            and any(map(is_raw, node.args))
        ):
            yield node
        if isinstance(node, ast.Attribute | ast.Subscript) and is_raw(node.value):
            yield node


def _is_raw(node):
    """True for a call of the student's function."""
    name = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id
    return name == "call"
