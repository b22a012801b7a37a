"""The examples in the docstrings of the library are true, and a docstring that lacks one is caught.

They are written for a reader who has ``import numpy as np`` and the rooms of the library
(``from lectures_lib import ...``). That every name a notebook uses has one:
tests/project/test_project.py.
"""

import ast
import doctest
from functools import cache

import IPython.display
import numpy as np
import pytest

import lectures_lib
from tools.docstrings import has_example, undescribed, used
from tools.environment import ROOT

PACKAGES = ("lectures_lib", "lectures_homework")


@cache
def examples() -> list[doctest.DocTest]:
    """Return the examples of all docstrings of the library and the homework."""
    parser, found = doctest.DocTestParser(), []
    for path in sorted(p for package in PACKAGES for p in (ROOT / package).rglob("*.py")):
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
    assert "lectures_homework.hw1.data" in used()  # a homework's own import
    assert "bounds.mistake_bound" in used()


def test_a_docstring_without_them_is_caught():
    def bare(X, y):
        """Say nothing of X : or y."""

    def half(X, y):
        """Return one.

        Parameters
        ----------
        X, z : examples

        Examples
        --------
        No line of code.
        """

    assert undescribed(bare) == ["X", "y"] and not has_example(bare)
    assert undescribed(half) == ["y", "no argument z"] and not has_example(half)
