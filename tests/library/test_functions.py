"""Functions are small enough to be read at once, and a class name has one meaning."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.environment import ROOT

#: Lines of code in a body, and parameters, at most.
LINES, PARAMETERS = 40, 10
FILES = sorted(
    path for name in ("lectures_lib", "lectures_homework") for path in (ROOT / name).rglob("*.py")
)
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    yield from (node for node in ast.walk(tree) if isinstance(node, FUNCTIONS))


def code_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Count the lines with code in a body: no docstring, no comment, no function inside."""
    body = function.body[ast.get_docstring(function) is not None :]
    lines: set[int] = set()
    for statement in body:
        lines |= statement_lines(statement)
    return len(lines)


def statement_lines(node: ast.AST) -> set[int]:
    """Return the lines of a statement, those of functions inside it left out."""
    if isinstance(node, FUNCTIONS):
        return set()
    own = {node.lineno, node.end_lineno} if isinstance(node, ast.stmt | ast.expr) else set()
    return own.union(*map(statement_lines, ast.iter_child_nodes(node)))


def parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    given = function.args
    named = given.posonlyargs + given.args + given.kwonlyargs
    return len(named) + (given.vararg is not None) + (given.kwarg is not None)


def too_much(count, most: int) -> dict[str, int]:
    found = {
        f"{path.relative_to(ROOT)}:{function.lineno} {function.name}": count(function)
        for path in FILES
        for function in functions(path)
    }
    return {name: number for name, number in found.items() if number > most}


def test_no_function_has_more_than_40_lines_of_code():
    assert too_much(code_lines, LINES) == {}


def test_no_function_has_more_than_10_parameters():
    assert too_much(parameters, PARAMETERS) == {}


def test_a_class_name_has_one_meaning():
    places: dict[str, list[str]] = {}
    for path in FILES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


@pytest.mark.parametrize(
    ("text", "lines", "given"),
    [
        (
            "def f(a, /, b, *c, d=1, **e):\n    'one'\n    # two\n\n    return (\n        a\n    )",
            3,
            5,
        ),
        ("def f():\n    def g():\n        return 1\n    return g", 1, 0),
        ("async def f(x):\n    if x:\n        return 1\n    else:\n        return 2", 3, 1),
    ],
)
def test_lines_and_parameters_are_counted(text, lines, given):
    function = ast.parse(text).body[0]
    assert (code_lines(function), parameters(function)) == (lines, given)
