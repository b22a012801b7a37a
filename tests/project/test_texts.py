"""The project's texts: paths, links, CLAIMS.md and NOTATION.md."""

import ast
import pkgutil
import re
from functools import cache
from pathlib import Path

from tests.project.test_project import CLAIM_IDS, project_files, text_of
from tools import nbrules
from tools.environment import ROOT

# --- files ---------------------------------------------------------------------------------------


def test_no_file_names_a_package_registry_or_a_local_path():
    registry = r"pypi\.org|pythonhosted\.org|npmjs\.org|anaconda\.org|index-url|find-links"
    local = r"(?<![\w+/.])/(?:home|root|Users|work)/\w"
    pattern = re.compile(f"{registry}|{local}|{re.escape(str(ROOT))}")
    excused = {
        ROOT / "tests" / "notebooks" / "test_nbguard_stored.py",
        Path(__file__),
    }  # they are about such texts
    files = [path for path in project_files() if path not in excused]
    assert [p for p in files if pattern.search(p.read_text(encoding="utf-8"))] == []


def test_every_relative_link_in_markdown_resolves():
    broken = []
    for path in project_files(".md"):
        for target in re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8")):
            file = target.partition("#")[0]
            is_relative = file and not re.match(r"[a-z]+:", file)
            if is_relative and not (path.parent / file).exists():
                broken.append(f"{path.relative_to(ROOT)} -> {target}")
    assert broken == []


# --- CLAIMS.md and NOTATION.md -------------------------------------------------------------------


def claims() -> dict[str, list[str]]:
    """Return id -> [claim, code, section, test] of every row of CLAIMS.md."""
    rows = {}
    for line in text_of("CLAIMS.md").splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if cells and re.fullmatch(r"[A-Z]{2}-\d+", cells[0]):
            assert len(cells) == 5, f"row {cells[0]} has {len(cells)} cells instead of 5"
            assert cells[0] not in rows, f"row {cells[0]} is there twice"
            rows[cells[0]] = cells[1:]
    return rows


def quoted(cell: str) -> list[str]:
    """Return everything in backticks."""
    return re.findall(r"`([^`]+)`", cell)


def code_exists(name: str) -> bool:
    """Say whether a dotted name leads to something inside ``lectures_lib``."""
    owner, _, field = f"lectures_lib.{name}".rpartition(".")
    try:
        thing = pkgutil.resolve_name(owner)
        if field in getattr(thing, "__dataclass_fields__", {}):
            return True
        return pkgutil.resolve_name(f"{owner}.{field}") is not None
    except (ImportError, AttributeError):
        return False


@cache
def headings(notebook: str) -> list[str]:
    """Return the texts of all headings of a notebook, none if there is no such notebook."""
    path = ROOT / notebook
    if not path.is_file():
        return []
    cells = [cell.source for cell in nbrules.read(path).cells if cell.cell_type == "markdown"]
    text = re.sub(r"^```.*?^```", "", "\n".join(cells), flags=re.MULTILINE | re.DOTALL)
    return re.findall(r"^#{1,6}\s+(.*?)\s*#*$", text, flags=re.MULTILINE)


@cache
def names_of_tests(file: str) -> set[str]:
    """Return the names of all tests of a file, those in classes as ``Class::test``."""
    path = ROOT / file
    if not path.is_file():
        return set()
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    methods = {f"{c.name}::{m.name}" for c in classes for m in c.body if hasattr(m, "name")}
    return functions | methods


def is_a_test(name: str) -> bool:
    """Say whether a test named as pytest spells it exists; parameters in brackets are ignored."""
    file, _, test = name.partition("::")
    return test.partition("[")[0] in names_of_tests(file)


def test_claims_list_every_claim_of_the_first_lectures():
    assert CLAIM_IDS - claims().keys() == set()


def test_the_code_of_every_claim_exists():
    named = {row: quoted(cells[1]) for row, cells in claims().items()}
    assert [row for row, names in named.items() if not names] == []
    missing = [(row, n) for row, names in named.items() for n in names if not code_exists(n)]
    assert missing == []


def test_the_section_of_every_claim_exists():
    found = {row: re.findall(r"\[(.+?)\]\(([^)]+)\)", cells[2]) for row, cells in claims().items()}
    assert [row for row, links in found.items() if not links] == []
    links = [(row, *link) for row, row_links in found.items() for link in row_links]
    assert [link for link in links if link[1].replace("\\|", "|") not in headings(link[2])] == []


def test_the_test_of_every_claim_exists():
    named = {row: quoted(cells[3]) for row, cells in claims().items()}
    assert [row for row, names in named.items() if not names] == []
    missing = [(row, n) for row, names in named.items() for n in names if not is_a_test(n)]
    assert missing == []


def test_the_tests_named_in_the_notation_exist():
    named = re.findall(r"tests/[\w/]+\.py::[\w:]+", text_of("NOTATION.md"))
    assert named, "NOTATION.md names no test"
    assert [name for name in named if not is_a_test(name)] == []
