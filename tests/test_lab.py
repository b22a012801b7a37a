"""The course's JupyterLab: its settings are found, and looking at a notebook changes no file."""

import json
import runpy
from copy import deepcopy

import nbformat
import pytest

from tools import install, nbrules
from tools.environment import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
SERVER = runpy.run_path(str(ROOT / "lab" / "jupyter_server_config.py"))


def saved_by_jupyterlab(path):
    """Return the text that Jupyter's server writes when a notebook is saved after a look at it."""
    content = nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
    content.metadata.kernelspec.display_name = "Python 3 (ipykernel)"
    content.metadata.language_info.update(version="3.12.1", file_extension=".py")
    content.metadata.widgets = {"state": {}}
    for cell in content.cells:
        if cell.metadata.get("jupyter", {}).get("outputs_hidden"):
            cell.metadata.collapsed = True
    model = {"type": "notebook", "content": content}
    SERVER["keep_metadata"](model, path=str(path), contents_manager=None)
    return nbformat.writes(nbformat.from_dict(model["content"]), version=4) + "\n"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_saving_a_notebook_that_was_only_looked_at_changes_no_byte(path):
    assert saved_by_jupyterlab(path) == path.read_text(encoding="utf-8")


def test_the_server_and_the_rules_agree_on_the_metadata():
    assert SERVER["METADATA"] == nbrules.METADATA


def test_files_and_notebooks_of_other_kernels_are_saved_as_they_are():
    models = [
        {"type": "file", "content": "text"},
        {"type": "notebook", "content": {"metadata": {}}},
        {"type": "notebook", "content": {"metadata": {"kernelspec": {"name": "ir"}}}},
    ]
    for model in models:
        before = deepcopy(model)
        SERVER["keep_metadata"](model)
        assert model == before


def test_what_makes_the_lab_the_courses_is_set_up(tmp_path):
    nbgrader = tmp_path / "etc/jupyter/jupyter_server_config.d/nbgrader.json"
    nbgrader.parent.mkdir(parents=True)
    nbgrader.write_text("{}")
    install.set_up_lab(tmp_path)
    assert not nbgrader.exists()
    assert len([path for path in tmp_path.rglob("*") if path.is_file()]) == len(install.LAB)
    extension = tmp_path / "share/jupyter/labextensions/lectures-lab"
    package = json.loads((extension / "package.json").read_text())
    script = (extension / package["jupyterlab"]["_build"]["load"]).read_text()
    assert f'_JUPYTERLAB["{package["name"]}"]' in script


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("Collecting numpy<3,>=2 (from lectures-lib)\n", "Fetching package 7: numpy<3,>=2"),
        ("Requirement already satisfied: six in place\n", "Fetching package 7: six"),
        ("Installing collected packages: a, b, c\n", "Unpacking 3 packages: the last step"),
    ],
)
def test_the_progress_of_pip_is_one_line(line, shown):
    assert install.progress(line, 7).startswith(shown)
