"""Every public name that a notebook or the README uses says its parameters and has an example.

A docstring states what the function does, names each argument in a section *Parameters*
("name : words") and ends with *Examples*, which run here. They are written for a reader who has
``import numpy as np`` and the rooms of the library (``from lectures_lib import ...``).
"""

import ast
import doctest
import importlib
import inspect
import json
import re
from collections.abc import Iterator
from functools import cache

import IPython.display
import numpy as np
import pytest

import lectures_lib
from tools.environment import ROOT

PYTHON = re.compile(r"```python\n(.*?)```", re.S)
ENTRY = re.compile(r"^([*\w, ]+) : ", re.M)


# --- the names that are used ---------------------------------------------------------------------


def programs() -> Iterator[ast.Module]:
    """Yield the code of each notebook, lecture or homework, and of the README."""
    for path in sorted((ROOT / "notebooks").rglob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        yield ast.parse("\n".join(code))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    yield ast.parse("\n".join(PYTHON.findall(readme)))


def imported(program: ast.Module) -> dict[str, object]:
    """Return what a program imports from the library, by the names it gives it."""
    found = {}
    for node in ast.walk(program):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("lectures_lib"):
            room = importlib.import_module(node.module)
            found |= {alias.asname or alias.name: getattr(room, alias.name) for alias in node.names}
    return found


def meant(node: ast.AST, names: dict[str, object]) -> object:
    """Return the object of the library that a name, or a name with dots, stands for; or None."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = meant(node.value, names)
        if inspect.ismodule(owner) or inspect.isclass(owner):
            return getattr(owner, node.attr, None)
    return None


@cache
def used() -> dict[str, object]:
    """Return every function and class of the library that a program names."""
    found = {}
    for program in programs():
        names = imported(program)
        for node in ast.walk(program):
            thing = getattr(meant(node, names), "py_func", meant(node, names))
            home = getattr(thing, "__module__", None) or ""
            if callable(thing) and home.startswith("lectures_lib."):
                found[f"{home}.{thing.__qualname__}".removeprefix("lectures_lib.")] = thing
    return {name: thing for name, thing in found.items() if "<locals>" not in name}


def arguments(thing: object) -> list[str]:
    """Return the names in a signature."""
    return [name for name in inspect.signature(thing).parameters if name not in ("self", "cls")]


def section(text: str, title: str) -> str:
    """Return a section of a docstring, or nothing."""
    found = re.search(rf"^{title}\n-+\n(.*?)(?=^\w+\n---|\Z)", text, re.S | re.M)
    return found[1] if found else ""


def described(text: str) -> set[str]:
    """Return the arguments that the section Parameters names."""
    entries = ENTRY.findall(section(text, "Parameters"))
    return {name.strip("* ") for entry in entries for name in entry.split(",")}


def undescribed(thing: object) -> list[str]:
    """Return the arguments that a docstring does not describe."""
    text = inspect.getdoc(thing) or ""
    return [name for name in arguments(thing) if name not in described(text)]


def has_example(thing: object) -> bool:
    """Say whether a docstring has an example."""
    text = section(inspect.getdoc(thing) or "", "Examples")
    return ">>> " in text


# --- what their docstrings say -------------------------------------------------------------------


@cache
def examples() -> list[doctest.DocTest]:
    """Return the examples of all docstrings of the library."""
    parser, found = doctest.DocTestParser(), []
    for path in sorted((ROOT / "lectures_lib").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                text, name = ast.get_docstring(node) or "", f"{path.stem}.{node.name}"
                place = str(path.relative_to(ROOT)), node.lineno
                found.append(parser.get_doctest(text, {}, name, *place))
    return [test for test in found if test.examples]


def in_words(thing: object, *, raw: bool = False, metadata: dict | None = None) -> None:
    """Print what a notebook would show, as a terminal can."""
    print(thing["text/plain"] if raw else repr(thing))


@pytest.mark.parametrize("test", examples(), ids=lambda test: test.name)
def test_the_example_in_a_docstring_is_true(test, monkeypatch):
    monkeypatch.setattr(IPython.display, "display", in_words)
    test.globs = {name: getattr(lectures_lib, name) for name in dir(lectures_lib)} | {"np": np}
    report = []
    doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(test, out=report.append)
    assert report == [], "".join(report)


def test_the_names_that_notebooks_use_are_found():
    assert len(used()) > 200
    assert {"perceptron.linear.perceptron", "kernels.standard.Gaussian.from_alpha"} <= set(used())
    assert "homework.hw1.data" in used()  # a homework's own import
    assert "bounds.mistake_bound" in used()


def test_every_name_that_is_used_describes_its_parameters():
    missing = {name: undescribed(thing) for name, thing in used().items()}
    assert {name: left for name, left in missing.items() if left} == {}


def test_every_name_that_is_used_has_an_example():
    lacking = [name for name, thing in used().items() if not has_example(thing)]
    assert lacking == []


def test_a_docstring_without_them_is_caught():
    def bare(X, y):
        """Say nothing of X : or y."""

    def half(X, y):
        """Return one.

        Parameters
        ----------
        X : examples

        Examples
        --------
        No line of code.
        """

    assert undescribed(bare) == ["X", "y"] and not has_example(bare)
    assert undescribed(half) == ["y"] and not has_example(half)
