"""The browser's Python may come from Pyodide's own release: a folder, or its archive."""

import json
import tarfile
import zipfile

import pytest

from tools import lite, pyodide

LOCK = json.dumps({"info": {"version": pyodide.VERSION}, "packages": {}})


@pytest.fixture
def folder(tmp_path):
    """A release, unpacked: pyodide/pyodide-lock.json and one file."""
    place = tmp_path / "release" / "pyodide"
    place.mkdir(parents=True)
    (place / pyodide.LOCK).write_text(LOCK)
    (place / "pyodide.mjs").write_text("code")
    return place.parent


def packed(folder, kind: str):
    """Pack a release."""
    path = folder.parent / f"pyodide.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            for file in folder.rglob("*.*"):
                archive.write(file, file.relative_to(folder))
    else:
        with tarfile.open(path, "w:bz2") as archive:
            archive.add(folder / "pyodide", "pyodide")
    return path


def test_without_the_variable_the_package_that_carries_it_is_read(monkeypatch):
    monkeypatch.delenv("PYODIDE", raising=False)
    assert pyodide.chosen() is None


@pytest.mark.parametrize("kind", ["folder", "tar.bz2", "zip"])
def test_a_folder_or_an_archive_is_read(folder, monkeypatch, kind):
    monkeypatch.setenv("PYODIDE", str(folder if kind == "folder" else packed(folder, kind)))
    read = pyodide.chosen()
    assert read is not None and read("pyodide.mjs") == b"code"
    with pytest.raises(SystemExit, match=r"has no numpy.whl: name Pyodide's full release"):
        read("numpy.whl")


def test_another_release_is_refused(folder, monkeypatch):
    (folder / "pyodide" / pyodide.LOCK).write_text('{"info": {"version": "0.27.1"}}')
    monkeypatch.setenv("PYODIDE", str(folder))
    with pytest.raises(SystemExit, match=r"release is Pyodide 0\.27\.1: JupyterLite here needs"):
        pyodide.chosen()


def test_what_is_no_release_is_refused(tmp_path, monkeypatch):
    for place, said in ((tmp_path, "there is no pyodide-lock.json"), (tmp_path / "x", "no folder")):
        monkeypatch.setenv("PYODIDE", str(place))
        with pytest.raises(SystemExit, match=said):
            pyodide.chosen()


def test_both_sources_are_one_release():
    assert lite.LOCK == pyodide.LOCK
    if not (lite.CACHE / "wheels").is_dir() or not any(lite.CACHE.glob("wheels/open_webui*")):
        pytest.skip("the package that carries Pyodide is not fetched yet: make book")
    assert json.loads(lite.carried()(pyodide.LOCK))["info"]["version"] == pyodide.VERSION
