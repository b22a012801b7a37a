"""The project agrees with itself: dependencies, layers, docstrings, links, and CLAIMS.md.

A row of CLAIMS.md has five cells and renders well on GitHub::

    | id | claim | code | section | test |
    |---|---|---|---|---|
    | PE-2 | The worked example ... | `perceptron.perceptron`, `datasets.lecture_example` |
      [The worked example](notebooks/02_perceptron.ipynb) | `tests/svm/test_svm.py::test_name` |

(on one line). *code*: names inside ``lectures_lib``, each in backticks. *section*: links whose
text is exactly the text of a heading in that notebook. *test*: names as pytest spells them, each
in backticks. Each of the three may hold several, separated by commas. A ``|`` inside a cell is
written ``\\|``. Rows may be spread over several tables.
"""

import ast
import graphlib
import importlib
import inspect
import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from lectures_lib._moved import MOVED
from tools import docstrings
from tools.environment import ROOT
from tools.nbfigures import pinned_versions

LIBRARY, HOMEWORK = ROOT / "lectures_lib", ROOT / "lectures_homework"

#: Every package or module of the library in its layer, the lowest first. It may import those of
#: lower layers, never one of its own; CONTRIBUTING.md says why a package stands where it does.
LAYERS = (
    ("_result",),
    ("_arguments", "_doubles", "_jit", "_moved"),
    ("conventions", "theorems"),
    ("proof",),
    ("datasets", "features", "kernels", "losses", "margins", "metrics"),
    ("discrete", "linear", "qp", "smo"),
    ("online", "perceptron", "structured", "svm"),
    ("fast",),
    ("bounds", "branches", "complexity", "kernel_methods", "multiclass", "partitions", "selection"),
    ("certify", "estimators", "exercises", "plots"),
    ("__main__", "widgets"),
)
FLOORS = {room: floor for floor, rooms in enumerate(LAYERS) for room in rooms}

CLAIM_IDS = {
    f"{prefix}-{number}"
    for prefix, last in {
        "ON": 2,
        "PE": 12,
        "LO": 3,
        "MA": 1,
        "MB": 7,
        "VA": 2,
        "ST": 5,
        "KE": 10,
        "KP": 3,
        "KM": 1,
        "SV": 17,
        "CX": 5,
        "ME": 4,
        "TH": 3,
    }.items()
    for number in range(1, last + 1)
}

CONDA_NAMES = {"matplotlib": "matplotlib-base"}


# --- dependencies --------------------------------------------------------------------------------


def project_files(*suffixes: str) -> list[Path]:
    """Return the project's own files with these suffixes (all text files without any)."""
    text = suffixes or (".py", ".md", ".toml", ".yml", ".cff", ".txt", ".ipynb", ".csv", "")
    found = (path for path in ROOT.rglob("*") if path.suffix in text and path.is_file())
    return sorted(path for path in found if is_ours(path.relative_to(ROOT)))


def is_ours(path: Path) -> bool:
    """Say whether a file belongs to the project: not made by a tool, not in a hidden folder."""
    hidden = [part for part in path.parts[:-1] if part.startswith(".") and part != ".ci"]
    made = {".git", "__pycache__", "build", "lectures_lib.egg-info"}.intersection(path.parts)
    return not hidden and not made


def text_of(name: str) -> str:
    """Return a document of the project, or fail saying that it is missing."""
    path = ROOT / name
    if not path.is_file():
        pytest.fail(f"{name} is not written yet")
    return path.read_text(encoding="utf-8")


@cache
def pyproject() -> dict:
    """Return pyproject.toml as a dictionary."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def requirements(*extras: str) -> list[Requirement]:
    """Return every direct dependency of the library, and of these extras."""
    more = pyproject()["optional-dependencies"]
    lines = [*pyproject()["dependencies"], *(line for extra in extras for line in more[extra])]
    return [Requirement(line) for line in lines]


def conda_packages(name: str) -> tuple[dict[str, str], list[str]]:
    """Return name -> version range of an environment file, and the options of pip."""
    entries = yaml.safe_load(text_of(name))["dependencies"]
    by_pip = [line for entry in entries if isinstance(entry, dict) for line in entry["pip"]]
    lines = [entry for entry in entries if isinstance(entry, str)]
    pairs = (line.partition(" ") for line in [*lines, *by_pip] if not line.startswith("-"))
    found = {name: in_order(versions) for name, _, versions in pairs}
    return found, [line for line in by_pip if line.startswith("-")]


def in_order(versions: str) -> str:
    """Return a version range with its parts in a fixed order."""
    return ",".join(sorted(versions.split(",")))


def ranges(wanted: list[Requirement]) -> dict[str, str]:
    """Return name -> range, as conda names them."""
    names = {one.name: CONDA_NAMES.get(one.name, one.name) for one in wanted}
    return {names[one.name]: in_order(str(one.specifier)) for one in wanted}


def test_readers_with_conda_get_what_pyproject_says_and_no_more():
    found, options = conda_packages("environment.yml")
    expected = {"python": in_order(pyproject()["requires-python"]), "pip": ""}
    assert found == expected | ranges(requirements("lab"))
    assert options == ["-e ."]


def test_contributors_with_conda_get_the_tools_that_check():
    found, options = conda_packages("environment-dev.yml")
    more = pyproject()["optional-dependencies"]["test"]
    assert found == ranges([Requirement(line) for line in more])
    assert options == ["-e .[grading]"]


def test_binder_reads_its_python_and_installs_what_make_lab_installs():
    entries = yaml.safe_load(text_of(".binder/environment.yml"))["dependencies"]
    [python] = [entry for entry in entries if re.fullmatch(r"python\s*=+\s*[\d.]+", entry)]
    assert SpecifierSet(pyproject()["requires-python"]).contains(python.rpartition("=")[2])
    assert "python -m tools.install lab\n" in text_of(".binder/postBuild")
    assert os.access(ROOT / ".binder/postBuild", os.X_OK)


def test_constraints_hold_versions_only():
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    strange = [line for line in lines if not re.fullmatch(r"#.*|[\w.-]+==[\w.]+(;.*)?", line)]
    assert strange == []


@pytest.mark.parametrize(
    "requirement",
    requirements(
        "lab", "test", "grading", "cluster", "nbgrader", "bench", "unseen", "book", "browser"
    ),
    ids=lambda requirement: requirement.name,
)
def test_every_direct_dependency_is_pinned_inside_its_range(requirement):
    pin = pinned_versions().get(canonicalize_name(requirement.name))
    assert pin, f"constraints.txt does not pin {requirement.name}"
    assert requirement.specifier.contains(pin)


def test_the_version_is_the_same_everywhere():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    library = importlib.import_module("lectures_lib").__version__
    assert {str(citation["version"]), library} == {pyproject()["version"]}


def test_the_changelog_says_what_is_new_in_this_version():
    citation = yaml.safe_load(text_of("CITATION.cff"))
    heads = re.findall(r"^## \[(.+?)\](?: - (.+))?$", text_of("CHANGELOG.md"), re.MULTILINE)
    assert heads[0] == ("Unreleased", "")
    assert heads[1] == (pyproject()["version"], str(citation["date-released"]))
    news = text_of("CHANGELOG.md").partition(f"## [{pyproject()['version']}]")[2].split("\n## ")[0]
    assert len(re.findall(r"^- ", news, re.MULTILINE)) >= 5


# --- the library ---------------------------------------------------------------------------------


def library_files() -> list[Path]:
    """Return every Python file of the library; what has moved away has no floor in it."""
    moved = importlib.import_module("lectures_lib")._MOVED
    return sorted(p for p in LIBRARY.rglob("*.py") if p.parent.name not in moved)


def homework_files() -> list[Path]:
    """Return every Python file of the homeworks and their grader."""
    inside = HOMEWORK / "sandbox" / "inside"  # those import each other by their bare names
    return sorted(p for p in HOMEWORK.rglob("*.py") if p.parent != inside)


def module_of(path: Path) -> str:
    """Return the module directly below ``lectures_lib`` that a file belongs to."""
    return path.relative_to(LIBRARY).with_suffix("").parts[0]


def imported_modules(path: Path) -> set[str]:
    """Return the modules directly below ``lectures_lib`` that a file imports."""
    depth = len(path.relative_to(LIBRARY).parts)
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name.removeprefix("lectures_lib.") for alias in node.names]
            is_ours = [alias.name.startswith("lectures_lib.") for alias in node.names]
            found |= {name.split(".")[0] for name, ours in zip(names, is_ours) if ours}
        elif isinstance(node, ast.ImportFrom) and starts_at_the_library(node, depth):
            inner = (node.module or "").removeprefix("lectures_lib").strip(".")
            found |= {inner.split(".")[0]} if inner else {alias.name for alias in node.names}
    return found


def starts_at_the_library(node: ast.ImportFrom, depth: int) -> bool:
    """Say whether ``from ... import`` names something relative to ``lectures_lib`` itself."""
    if node.level:
        return node.level == depth
    return (node.module or "").split(".")[0] == "lectures_lib"


@pytest.mark.parametrize("path", library_files(), ids=lambda path: path.stem)
def test_imports_go_down_the_floors_and_never_sideways(path):
    if path == LIBRARY / "__init__.py":
        assert imported_modules(path) == set()
        return
    room = module_of(path)
    assert room in FLOORS, f"{room} has no floor: add it to LAYERS in tests/project/test_project.py"
    below = {other for other, floor in FLOORS.items() if floor < FLOORS[room]}
    assert imported_modules(path) <= below | {room}


@pytest.mark.parametrize("path", library_files(), ids=lambda path: path.stem)
def test_the_library_does_without_the_homework(path):
    assert "lectures_homework" not in path.read_text(encoding="utf-8")


#: Who may import `fast`: what people call for speed. `_moved` names it in strings.
ON_FAST = {"fast", "selection", "estimators", "certify"}
#: The compiler's tricks, threads and processes: what no slide shows.
TRICKS = re.compile(r"in_any_order|\bfused\b|prefetch|threadpoolctl|concurrent\.futures|llvmlite")


@pytest.mark.parametrize("path", library_files(), ids=lambda path: path.stem)
def test_the_lesson_imports_nothing_of_fast_and_none_of_its_tricks(path):
    if path == LIBRARY / "__init__.py" or module_of(path) in ON_FAST:
        return
    assert "fast" not in imported_modules(path)
    # _jit defines the tricks, and past one machine there are threads
    if module_of(path) not in {"_arguments", "_jit", "partitions"}:
        assert not TRICKS.search(path.read_text(encoding="utf-8"))


#: A solver of `fast`, and the lesson's function that proves the same answer.
TWINS = {
    "averaged_perceptron": "perceptron.averaged_perceptron",
    "chain_perceptron": "structured.averaged_structured_perceptron",
    "linear": "linear.dual_coordinate_descent",
    "lloyd": "kernel_methods.lloyd",
    "perceptron": "perceptron.perceptron",
    "regression": "kernel_methods.support_vector_regression",
    "smo": "smo.second_order",
    "svm": "svm.train",
}
#: What solves nothing: the quick twin of a kernel, and sequences as rows of one matrix.
NO_SOLVERS = {"SequenceRows", "kernel", "letter_scores", "rows_of", "rows_of_table", "tag"}


def test_every_solver_of_fast_has_a_plain_twin_with_the_same_first_arguments():
    fast = importlib.import_module("lectures_lib.fast")
    assert set(fast.__all__) == set(TWINS) | NO_SOLVERS
    for name, twin in TWINS.items():
        package, _, plain = twin.partition(".")
        slow = getattr(importlib.import_module(f"lectures_lib.{package}"), plain)
        given = [list(inspect.signature(f).parameters) for f in (getattr(fast, name), slow)]
        shared = [p for p in given[1] if p in given[0]]
        assert len(shared) >= 3, f"{name} and {twin} are asked alike"


@pytest.mark.parametrize("package", MOVED)
def test_every_old_name_works_and_says_where_it_is_now(package):
    home = importlib.import_module(f"lectures_lib.{package}")
    for old, new in MOVED[package].items():
        with pytest.warns(DeprecationWarning, match=f"{package}.{old} is now {new}"):
            found = getattr(home, old)
        where, _, name = new.rpartition(".")
        assert found is getattr(importlib.import_module(f"lectures_lib.{where}"), name)
        assert old not in getattr(home, "__all__", vars(home))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = home.nothing


def test_every_room_is_in_the_house_and_no_ghost():
    there = {module_of(path) for path in library_files()} - {"__init__"}
    assert set(FLOORS) == there
    assert sum(map(len, LAYERS)) == len(FLOORS), "a room stands on two floors"


def packages() -> list[Path]:
    """Return the folders that are packages, the two on top left out."""
    files = [*library_files(), *homework_files()]
    tops = (LIBRARY, HOMEWORK)
    return sorted({p.parent for p in files if p.name == "__init__.py"}.difference(tops))


def neighbours(path: Path) -> set[Path]:
    """Return the files of its own package that a file imports as it is loaded."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            names = [node.module.split(".")[0]] if node.module else [a.name for a in node.names]
            found |= {path.parent / f"{name}.py" for name in names}
    return {other for other in found if other.is_file() and other.name != "__init__.py"}


@pytest.mark.parametrize("room", packages(), ids=lambda path: path.name)
def test_the_modules_of_a_room_import_each_other_without_a_circle(room):
    graph = {path: neighbours(path) for path in room.glob("*.py")}
    graphlib.TopologicalSorter(graph).prepare()  # raises CycleError


@pytest.mark.parametrize("room", packages(), ids=lambda path: path.name)
def test_a_door_holds_no_code_of_its_own(room):
    body = ast.parse((room / "__init__.py").read_text(encoding="utf-8")).body
    assert ast.get_docstring(ast.Module(body, [])), "a door says what its room is for"
    rest = [ast.unparse(node) for node in body[1:] if not isinstance(node, ast.ImportFrom)]
    assert [text for text in rest if not text.startswith("__all__ = [")] == []


@pytest.mark.parametrize("room", packages(), ids=lambda path: path.name)
def test_no_module_has_the_name_of_something_its_door_offers(room):
    # Loading room/name.py would put the module in the place of room.name, at whatever time.
    names = ".".join(room.relative_to(ROOT).parts)
    offered = set(getattr(importlib.import_module(names), "__all__", []))
    assert offered.isdisjoint(path.stem for path in room.glob("*.py"))


#: Repetitions and nearness (CONTRIBUTING.md): what is done, what is a limit, what is near enough.
VOCABULARY = {"epochs", "steps", "max_epochs", "max_iterations", "patience", "tol"}
#: Other names that look alike: the length of one step, and how many examples are taken at most.
NO_LIMITS = {"step", "step_size", "max_examples"}


def public_parameters() -> dict[str, set[str]]:
    """Return parameter -> the public functions and estimators that have it, rooms with a door."""
    found: dict[str, set[str]] = {}
    for room in (r for r in FLOORS if r not in {"_arguments", "_doubles", "_jit", "_moved"}):
        module = importlib.import_module(f"lectures_lib.{room}")
        for name in getattr(module, "__all__", dir(module)):
            thing = getattr(module, name)
            own = getattr(thing, "__module__", "").startswith("lectures_lib")
            made = inspect.isfunction(thing) or (inspect.isclass(thing) and room == "estimators")
            if own and made and not name.startswith("_"):
                for parameter in inspect.signature(thing).parameters:
                    found.setdefault(parameter, set()).add(f"{room}.{name}")
    return found


def test_one_vocabulary_counts_repetitions_and_says_how_near_is_near_enough():
    alike = re.compile("max_|iter|epoch|pass|step|tol|limit|seconds|timeout|patience")
    used = {name: where for name, where in public_parameters().items() if alike.search(name)}
    assert VOCABULARY <= set(used)
    strange = {n: where for n, where in used.items() if n not in VOCABULARY | NO_LIMITS}
    assert strange == {}


def loaded_by(code: str) -> set[str]:
    """Return the modules that are loaded after a line of code in a fresh interpreter."""
    code = f"{code}; import sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_no_two_rooms_call_different_classes_by_one_name():
    homes: dict[str, set[type]] = {}
    for room in FLOORS:
        door = importlib.import_module(f"lectures_lib.{room}")
        for name in getattr(door, "__all__", []):
            if isinstance(offered := getattr(door, name), type):
                homes.setdefault(name, set()).add(offered)
    assert len(homes) > 50
    assert {name for name, kinds in homes.items() if len(kinds) > 1} == set()


#: Results that ask a judge of `proof` whenever their verdict is asked for; and two certificates
#: beside their curves, which count pairs from y and scores alone: no solver is near.
SELF_JUDGED = {"SmallestBall", "Shattering", "Radon", "SignAverage"}
COUNTED = {"AreaCertificate", "PrecisionCertificate"}


def test_every_judge_stands_in_proof():
    from lectures_lib.proof import Proof

    elsewhere = set()
    for path in sorted(LIBRARY.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if parts[1] in ("proof", "grading", "homework") or parts[-1] == "__init__":
            continue
        module = importlib.import_module(".".join(parts))
        kinds = (kind for kind in vars(module).values() if isinstance(kind, type))
        own = (kind for kind in kinds if kind.__module__ == module.__name__)
        elsewhere |= {kind.__name__ for kind in own if issubclass(kind, Proof)}
    assert elsewhere == SELF_JUDGED | COUNTED


def test_the_judges_load_no_solver():
    judges = [f"lectures_lib.proof.{path.stem}" for path in (LIBRARY / "proof").glob("[a-z]*.py")]
    loaded = loaded_by("import lectures_lib.proof, " + ", ".join(judges))
    ours = {name.split(".")[1] for name in loaded if name.startswith("lectures_lib.")}
    assert set(judges) <= loaded
    assert ours == {"_arguments", "_doubles", "_moved", "_result", "conventions", "proof"}
    assert {"numba", "cvxopt", "sklearn", "scipy.optimize"}.isdisjoint(loaded)


def test_the_plan_in_contributing_is_the_table_of_layers():
    picture = text_of("CONTRIBUTING.md").partition("## The plan of the library")[2].split("```")[1]
    floors = [line.split("  ")[0].split(" · ") for line in picture.strip().splitlines()]
    assert [sorted(rooms) for rooms in reversed(floors)] == [sorted(rooms) for rooms in LAYERS]


def test_importing_the_library_loads_nothing_heavy():
    assert {"matplotlib", "sklearn", "numba"}.isdisjoint(loaded_by("import lectures_lib"))


def public_functions():
    """Yield every public function and method that library and homework define themselves."""
    for path in [*library_files(), *homework_files()]:
        parts = path.relative_to(ROOT).with_suffix("").parts
        module = importlib.import_module(".".join(p for p in parts if p != "__init__"))
        for name, thing in vars(module).items():
            if name.startswith("_") or getattr(thing, "__module__", None) != module.__name__:
                continue
            if inspect.isclass(thing):
                yield from public_methods(f"{module.__name__}.{name}", thing)
            elif callable(thing):
                yield f"{module.__name__}.{name}", getattr(thing, "py_func", thing)


def public_methods(name: str, owner: type):
    """Yield the public methods written in a class, properties included."""
    for attribute, thing in vars(owner).items():
        function = getattr(thing, "fget", None) or getattr(thing, "__func__", thing)
        if inspect.isfunction(function) and not attribute.startswith("_"):
            yield f"{name}.{attribute}", function


def is_annotated(function) -> bool:
    """Say whether every parameter and the result have a type."""
    signature = inspect.signature(function)
    parameters = [p for name, p in signature.parameters.items() if name not in ("self", "cls")]
    types = [p.annotation for p in parameters] + [signature.return_annotation]
    return inspect.Signature.empty not in types


def is_a_loop(function) -> bool:
    """Say whether a function is compiled: numba finds its types, and a lecture shows it bare."""
    return inspect.getsource(function).startswith(("@jit\n", "@fused\n"))


def test_every_public_function_has_a_docstring():
    assert [name for name, function in public_functions() if not inspect.getdoc(function)] == []


def test_every_name_a_notebook_uses_describes_its_parameters_and_has_an_example():
    assert docstrings.lacking() == {}


def test_every_public_function_has_complete_types():
    functions = [(name, f) for name, f in public_functions() if not is_a_loop(f)]
    assert [name for name, function in functions if not is_annotated(function)] == []


def test_the_library_never_uses_numpy_sign():
    calls = re.compile(r"\b(np|numpy)\.sign\(")
    files = [*library_files(), *homework_files()]
    users = [path for path in files if calls.search(path.read_text(encoding="utf-8"))]
    assert users == [], "np.sign(0) is 0, which is no label"
