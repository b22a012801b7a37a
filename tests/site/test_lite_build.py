"""What JupyterLite is built from: the course as it is, packages by name, nothing from elsewhere."""

import io
import json
import re
import tomllib
import zipfile

import pytest

from tools import book, compiled, lite, nbrules
from tools.environment import ROOT


@pytest.fixture(scope="module")
def contents(tmp_path_factory):
    """Write what the reader finds."""
    folder = tmp_path_factory.mktemp("files")
    lite.write_contents(folder)
    return folder


def test_every_page_that_says_what_a_first_visit_loads_says_what_the_button_says():
    pages = [ROOT / "README.md", *(ROOT / "book").glob("*.md")]
    texts = {path.name: path.read_text(encoding="utf-8") for path in pages}
    told = {name: set(re.findall(r"\b([56789]\d) MB", text)) for name, text in texts.items()}
    told = {name: sizes for name, sizes in told.items() if sizes}
    said = {str(lite.MEGABYTES)}
    assert told == {name: said for name in ("README.md", "index.md", "run.md")}
    parts = re.search(
        r"itself \((\d+) MB\), its packages \((\d+) .*\neditor \((\d+) ", texts["run.md"]
    )
    assert parts and sum(map(int, parts.groups())) == lite.MEGABYTES


def test_every_notebook_is_there_unchanged_but_for_its_outputs(contents):
    stored = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
    for path in stored:
        here, there = nbrules.read(path), nbrules.read(contents / "notebooks" / path.name)
        assert [cell.source for cell in here.cells] == [cell.source for cell in there.cells]
        assert not any(cell.outputs for cell in nbrules.code_cells(there))
    assert len(stored) == len(list((contents / "notebooks").iterdir())) >= 20


def test_the_homework_there_has_no_solutions(contents):
    pages = sorted((contents / "homework").iterdir())
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    assert len(pages) >= 6 and "SOLUTION" not in text and "NotImplementedError" in text


def test_every_page_of_the_site_has_a_button_to_a_notebook_that_is_there(contents, tmp_path):
    book.lay_out(tmp_path / "source")
    for folder in ("notebooks", "homework"):
        for path in (tmp_path / "source" / folder).glob("*.ipynb"):
            first = nbrules.read(path).cells[0].source
            assert f'href="../lite/notebooks/index.html?path={folder}/{path.name}"' in first
            assert (contents / folder / path.name).is_file()


def test_the_browser_is_asked_for_what_it_has_and_not_for_compilers():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = set(lite.needed(project["dependencies"]))
    assert {"numpy", "scipy", "tqdm"} <= names and not {"numba", "cvxopt"} & names
    assert list(lite.needed(['a; extra == "x"', 'b; sys_platform == "win32"', "c>1"])) == ["c"]


def test_what_is_needed_by_what_is_needed_comes_along(monkeypatch):
    entries = {name: {"depends": []} for name in ("z", "a", "b", "c", "pytz")}
    entries["a"]["depends"], entries["b"]["depends"] = ["b", "pytz"], ["c"]
    monkeypatch.setattr(lite, "AT_START", ("a",))
    assert lite.closure(entries) == ["a", "b", "c"] and entries["a"]["depends"] == ["b"]


def test_a_wheel_keeps_its_code_and_loses_its_tests(tmp_path):
    names = ["numpy/core.py", "numpy/tests/test_core.py", "numpy/core.pyi", "jedi/a.pyi"]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as wheel:
        for name in names:
            wheel.writestr(name, name)
    checksum = lite.repack(packed.getvalue(), tmp_path / "made.whl")
    assert checksum == lite.sha256(tmp_path / "made.whl")
    with zipfile.ZipFile(tmp_path / "made.whl") as made:
        assert {name: made.read(name).decode() for name in made.namelist()} == {
            name: name for name in ("numpy/core.py", "jedi/a.pyi")
        }


def test_a_compiled_module_takes_the_place_of_its_source_and_ours_keep_theirs(tmp_path):
    sources = {"numpy/core.py": b"a", "numpy/later.py": b"b", "lectures_lib/svm/smo.py": b"c"}
    with zipfile.ZipFile(tmp_path / "one.whl", "w") as wheel:
        for name, text in sources.items():
            wheel.writestr(name, text)
    modules = {"numpy/core.py": b"A", "lectures_lib/svm/smo.py": b"C", "scipy/other.py": b"?"}
    compiled.put(tmp_path / "one.whl", modules)
    with zipfile.ZipFile(tmp_path / "one.whl") as made:
        found = {name: made.read(name) for name in made.namelist()}
    assert found == {
        "numpy/core.pyc": b"A",
        "numpy/later.py": b"b",
        "lectures_lib/svm/smo.py": b"c",
        "lectures_lib/svm/__pycache__/smo.cpython-314.pyc": b"C",
    }


def test_every_pure_package_is_pinned():
    text = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    assert [name for name in lite.PURE if f"\n{name}==" not in text] == []


def test_the_settings_name_no_other_host(tmp_path):
    lite.write_settings(tmp_path)
    texts = [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()]
    assert len(texts) == 2 and not any("://" in text for text in texts)


@pytest.mark.parametrize("url", ["", "https://example.org/pyodide.mjs", "./static/nowhere.mjs"])
def test_a_python_of_another_host_is_refused(tmp_path, url):
    kernel = {"@jupyterlite/pyodide-kernel-extension:kernel": {"pyodideUrl": url} if url else {}}
    settings = {"jupyter-config-data": {"litePluginSettings": kernel}}
    (tmp_path / "jupyter-lite.json").write_text(json.dumps(settings))
    with pytest.raises(SystemExit, match="would load its Python from"):
        lite.check_settings(tmp_path)


def test_a_package_that_cannot_be_fetched_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(lite, "CACHE", tmp_path)
    monkeypatch.setattr(lite, "PIP", ("--no-index",))
    with pytest.raises(SystemExit, match=r"needs these packages.*: lectures-nowhere==9\.9"):
        lite.fetch("lectures-nowhere==9.9")
