"""The table of slides in CONTRIBUTING.md: public functions on one screen, used in a notebook."""

import ast
import importlib
import inspect
import re
import textwrap

import pytest

from lectures_lib._jit import plain
from tools.environment import ROOT

#: What fits on a screen beside the signature.
SCREEN = 25


def rows() -> list[tuple[str, str, int, str]]:
    """Return (slide, package.function, lines, notebook) of each row."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = re.findall(r"^\| (.+?) \| `([\w.]+)` \| (\d+) \| (\d\d) \|$", text, re.MULTILINE)
    return [(slide, name, int(lines), notebook) for slide, name, lines, notebook in found]


def body_lines(function) -> int:
    """Return how many lines of code a function's body has: no docstring, comment or empty line."""
    source = textwrap.dedent(inspect.getsource(plain(inspect.unwrap(function))))
    (tree,) = ast.parse(source).body
    first = tree.body[1 if ast.get_docstring(tree) else 0]
    rest = source.splitlines()[first.lineno - 1 :]
    return sum(bool(line.strip()) and not line.strip().startswith("#") for line in rest)


def test_every_algorithm_of_the_lectures_is_in_the_table():
    named = {slide for slide, *_ in rows()}
    assert len(rows()) == len(named) >= 20


@pytest.mark.parametrize("slide, name, lines, notebook", rows())
def test_a_slide_is_a_public_function_on_one_screen_that_a_notebook_uses(
    slide, name, lines, notebook
):
    package, _, function = name.rpartition(".")
    home = importlib.import_module(f"lectures_lib.{package}")
    assert function in getattr(home, "__all__", dir(home))
    assert body_lines(getattr(home, function)) == lines <= SCREEN
    (path,) = (ROOT / "notebooks").glob(f"{notebook}_*.ipynb")
    text = path.read_text(encoding="utf-8")
    assert re.search(rf"\b{package.split('.')[-1]}\.{function}\b", text), f"{path.name}: {name}"


@pytest.mark.parametrize(
    "notebook, name", [("14", "selection.cross_validate"), ("16", "metrics.sweep")]
)
def test_cross_validation_and_roc_are_shown_as_code_beside_the_pseudo_code(notebook, name):
    (path,) = (ROOT / "notebooks").glob(f"{notebook}_*.ipynb")
    text = path.read_text(encoding="utf-8")
    assert f"widgets.source({name})" in text
    assert f"def {name.partition('.')[2]}(" in text  # the stored output has the source
