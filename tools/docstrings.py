"""Which public names notebooks and the README use, and what their docstrings lack.

``python -m tools.docstrings`` prints a line for each docstring that does not describe an argument
in its section *Parameters* ("name : words") or has no example.
"""

import ast
import importlib
import inspect
import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from tools.environment import ROOT

PYTHON = re.compile(r"```python\n(.*?)```", re.S)
ENTRY = re.compile(r"^([*\w, ]+) : ", re.M)


def programs() -> Iterator[ast.Module]:
    """Yield the code of each notebook, lecture or homework, and of the README."""
    for path in sorted((ROOT / "notebooks").rglob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
        yield ast.parse("\n".join(code))
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    yield ast.parse("\n".join(PYTHON.findall(readme)))


def imported(program: ast.Module) -> dict[str, Any]:
    """Return what a program imports from the library, by the names it gives it."""
    found: dict[str, Any] = {}
    for node in ast.walk(program):
        name = (node.module or "") if isinstance(node, ast.ImportFrom) else ""
        if isinstance(node, ast.ImportFrom) and name.startswith("lectures_"):
            room = importlib.import_module(name)
            found |= {alias.asname or alias.name: getattr(room, alias.name) for alias in node.names}
    return found


def meant(node: ast.AST, names: dict[str, Any]) -> Any:
    """Return the object of the library that a name, or a name with dots, stands for; or None."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = meant(node.value, names)
        if inspect.ismodule(owner) or inspect.isclass(owner):
            return getattr(owner, node.attr, None)
    return None


@cache
def used() -> dict[str, Callable]:
    """Return every function and class of the library that a program names."""
    found = {}
    for program in programs():
        names = imported(program)
        for node in ast.walk(program):
            thing = getattr(meant(node, names), "py_func", meant(node, names))
            home = getattr(thing, "__module__", None) or ""
            if callable(thing) and home.startswith(("lectures_lib.", "lectures_homework.")):
                found[f"{home}.{thing.__qualname__}".removeprefix("lectures_lib.")] = thing
    return {name: thing for name, thing in found.items() if "<locals>" not in name}


def arguments(thing: Callable) -> list[str]:
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


def undescribed(thing: Callable) -> list[str]:
    """Return the arguments that a docstring does not describe, and those that it invents."""
    there, documented = arguments(thing), described(inspect.getdoc(thing) or "")
    invented = [f"no argument {name}" for name in sorted(documented) if name not in there]
    return [name for name in there if name not in documented] + invented


def has_example(thing: Callable) -> bool:
    """Say whether a docstring has an example."""
    text = section(inspect.getdoc(thing) or "", "Examples")
    return ">>> " in text


def lacking() -> dict[str, list[str]]:
    """Return what docstrings do not say, for each name that is used and lacks something."""
    found = {name: undescribed(thing) for name, thing in used().items()}
    for name, thing in used().items():
        found[name] += [] if has_example(thing) else ["an example"]
    return {name: missing for name, missing in found.items() if missing}


if __name__ == "__main__":
    for name, missing in lacking().items():
        print(f"{name} lacks {', '.join(missing)}")
