"""A module is read whole: none of the library is longer than a reader can hold in mind."""

import ast
from pathlib import Path

import pytest

from tools.environment import ROOT

PACKAGES = ("lectures_lib", "lectures_homework")
#: So many lines at most. Docstrings do not count: they are read one at a time, where one calls.
LONGEST = 300
#: Lines of a file of tests, docstrings and all: nobody scrolls through more to find a claim.
LONGEST_TEST = 500
#: These may be longer, up to so many lines, and why.
LONGER = {
    "lectures_homework/hw*.py": (450, "a homework is one file: its questions, in their order"),
    "lectures_homework/sandbox/inside/child.py": (
        350,
        "what runs inside the sandbox is one file, to be judged",
    ),
}

#: Packages import each other by what `__init__` names. Past it go what `proof` offers (its own
#: `__init__` shows certificates alone), what `fast` needs, who stands on `fast`, and these.
PAST_THE_DOOR = {
    ("bounds", "kernels.gram"),
    ("discrete", "kernels.rounding"),
    ("estimators", "kernel_methods.pca"),
    ("kernel_methods", "svm.problem"),
    ("kernel_methods", "svm.regression"),
    ("perceptron", "kernels.gram"),
    ("plots", "perceptron.runs"),
    ("smo", "kernels.gram"),
    ("svm", "kernels.gram"),
}


def lines_of_code(text: str) -> int:
    """Count the lines of a module that are not in a docstring."""
    count = len(text.splitlines())
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            words = node.body[0] if ast.get_docstring(node) is not None else None
            count -= words.end_lineno - words.lineno + 1 if words else 0
    return count


def allowed(name: str) -> int:
    """Return how long a module may be."""
    longer = [most for pattern, (most, _) in LONGER.items() if Path(name).match(pattern)]
    return max([LONGEST, *longer])


def test_docstrings_do_not_count_and_all_else_does():
    text = '"""One.\n\nTwo."""\n\nx = 1  # three\n\n\ndef f():\n    """Four."""\n'
    text += '    return """no\ndoc"""\n'
    assert lines_of_code(text) == 7


@pytest.mark.parametrize("pattern", LONGER)
def test_an_exception_is_still_needed(pattern):
    lengths = [lines_of_code(path.read_text(encoding="utf-8")) for path in ROOT.glob(pattern)]
    assert max(lengths) > LONGEST


def test_no_module_is_too_long_to_be_read_whole():
    found = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    names = [path.relative_to(ROOT).as_posix() for path in found]
    lengths = {n: lines_of_code((ROOT / n).read_text(encoding="utf-8")) for n in names}
    assert {name: n for name, n in lengths.items() if n > allowed(name)} == {}


def test_no_file_of_tests_is_too_long_to_find_a_claim_in():
    paths = (ROOT / "tests").rglob("*.py")
    lengths = {path.name: len(path.read_text("utf-8").splitlines()) for path in paths}
    assert {name: n for name, n in lengths.items() if n > LONGEST_TEST} == {}


def imported_past_the_door(library: Path) -> set[tuple[str, str]]:
    """Return (package, module of another package) for every import of such a module."""
    packages = {path.parent.name for path in library.glob("*/__init__.py")}
    found = set()
    for path in library.rglob("*.py"):
        *inside, name = path.relative_to(library).parts
        own = inside[0] if inside else name.removesuffix(".py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == len(inside) + 1:
                other, _, module = (node.module or "").partition(".")
                if other in packages and module:
                    found.add((own, f"{other}.{module}"))
    return found


def test_a_package_of_the_lesson_is_entered_by_what_it_offers():
    found = imported_past_the_door(ROOT / "lectures_lib")
    exempt = {(own, to) for own, to in found if own == "fast" or to.startswith(("proof.", "fast."))}
    assert found - exempt == PAST_THE_DOOR


# --- what a busy machine may not decide ----------------------------------------------------------

CLOCKS = {"monotonic", "perf_counter", "time"}


def timed_asserts(text: str) -> list[int]:
    """Return the lines of the asserts that read a clock, or a name that was made from one."""
    tree = ast.parse(text)
    made = [node for node in ast.walk(tree) if isinstance(node, ast.Assign) and reads_clock(node)]
    names = {name.id for node in made for name in node.targets if isinstance(name, ast.Name)}
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Assert)]
    used = {node: {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} for node in found}
    return [node.lineno for node in found if reads_clock(node) or used[node] & names]


def reads_clock(node: ast.AST) -> bool:
    """True if a clock is read; the processor's time is none."""
    calls = [part.func for part in ast.walk(node) if isinstance(part, ast.Call)]
    owners = [(f.value, f.attr) for f in calls if isinstance(f, ast.Attribute)]
    return any(isinstance(v, ast.Name) and v.id == "time" and a in CLOCKS for v, a in owners)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("assert time.monotonic() - start < 5", [1]),
        ("spent = time.perf_counter() - start\nassert spent < 5", [2]),
        ("spent = time.process_time() - start\nassert spent < 5", []),
        ("while time.monotonic() < end: pass\nassert end", []),
    ],
)
def test_an_assert_on_the_clock_is_found(text, lines):
    assert timed_asserts(text) == lines


def test_no_test_rests_on_the_seconds_of_a_clock():
    paths = sorted((ROOT / "tests").rglob("*.py"))
    found = {path.name: timed_asserts(path.read_text(encoding="utf-8")) for path in paths}
    assert {name: lines for name, lines in found.items() if lines} == {}
