"""Lies that show in what a notebook stores are caught without a run; sliders; re-execution."""

import re
import shutil
from pathlib import Path

import pytest
from nbformat import v4

from tests.notebooks.test_nbguard import ALLOWED, TINYLIB, Report, cell_of, figure_of, run_nbval
from tests.notebooks.test_nbguard import honest as honest
from tools import nbexecute, nbfigures, nbrules
from tools.environment import ROOT

# --- lies that show in what is stored ------------------------------------------------------------


def problems_after(honest: Path, folder: Path, tamper) -> list[str]:
    """Return what is wrong with a copy of the honest notebook after tampering."""
    notebook = nbrules.read(honest)
    tamper(notebook)
    path = folder / "copy.ipynb"
    path.write_text(nbrules.dumps(notebook), encoding="utf-8")
    return nbrules.problems(path)


def printing(text: str):
    """Return a tampering that stores the given text as the output of the cell ``number``."""
    return lambda notebook: cell_of(notebook, "number").outputs[0].update(text=text)


def with_source(name: str, source: str):
    """Return a tampering that stores another source for a cell."""
    return lambda notebook: cell_of(notebook, name).update(source=source)


def with_metadata(name: str, **metadata):
    """Return a tampering that stores metadata in a cell."""
    return lambda notebook: cell_of(notebook, name).metadata.update(metadata)


def with_alt(alt: str):
    """Return a tampering that stores another alt text."""
    return lambda notebook: figure_of(notebook, "figure").metadata["image/png"].update(alt=alt)


def with_output(**output):
    """Return a tampering that appends an output to the cell ``number``."""
    return lambda notebook: cell_of(notebook, "number").outputs.append(v4.new_output(**output))


LOCAL_PATH = r"Cell 1 \(number\): an output holds a local path"
NOT_COMPARED = r"Cell 1 \(number\): its output is not compared"

STORED_LIES = {
    "an unexecuted cell": (
        lambda notebook: cell_of(notebook, "figure").update(execution_count=None),
        r"Cell 2 \(figure\): was never executed",
    ),
    "a cell executed twice": (
        lambda notebook: cell_of(notebook, "interact").update(execution_count=8),
        r"Cell 6 \(interact\): has execution count 8",
    ),
    "a result of another run": (
        lambda notebook: cell_of(notebook, "value").outputs[1].update(execution_count=12),
        r"Cell 4 \(value\): a result does not have the number of its cell",
    ),
    "an empty cell": (with_source("number", " "), r"Cell 1 \(number\): the cell is empty"),
    "stderr": (
        with_output(output_type="stream", name="stderr", text="RuntimeWarning: overflow"),
        r"Cell 1 \(number\): stderr is stored: RuntimeWarning",
    ),
    "an error": (
        with_output(output_type="error", ename="ValueError", evalue="no", traceback=[]),
        r"Cell 1 \(number\): an error is stored: ValueError",
    ),
    "a home folder": (printing("read /home/ada/data.csv"), LOCAL_PATH),
    "a temporary folder": (printing("File /tmp/ipykernel_12/3.py"), LOCAL_PATH),
    "a folder on macOS": (printing("'/Users/ada/course'"), LOCAL_PATH),
    "a folder on Windows": (printing(r"C:\Users\ada"), LOCAL_PATH),
    "an installed package": (printing("lib/site-packages/numpy"), LOCAL_PATH),
    "this very folder": (printing(f"<{ROOT}>"), r"Cell 1 \(number\): an output holds a"),
    "a server's address": (printing("http://127.0.0.1:8888/lab"), r"holds a local address"),
    "a server's name": (printing("http://localhost:8888"), r"holds a local address"),
    "a memory address": (printing("<object object at 0x7f3a1c>"), r"holds a memory address"),
    "no alt text": (
        lambda notebook: figure_of(notebook, "figure").update(metadata={}),
        r"Cell 2 \(figure\): a figure has no alt text",
    ),
    "an alt text of one word": (
        with_alt("Figure"),
        r"Cell 2 \(figure\): .* shorter than a sentence",
    ),
    "a picture in Markdown without alt text": (
        with_source("title", "![](bars.png)"),
        r"Markdown cell \(title\): a picture has no alt text",
    ),
    "a picture in HTML without alt text": (
        with_output(output_type="display_data", data={"text/html": '<img src="bars.png">'}),
        r"Cell 1 \(number\): a picture in HTML has no alt text",
    ),
    "an output ignored by tag": (
        with_metadata("number", tags=["nbval-ignore-output"]),
        NOT_COMPARED,
    ),
    "an output ignored by comment": (
        with_source("number", "# NBVAL_IGNORE_OUTPUT\nprint(1)"),
        NOT_COMPARED,
    ),
    "a cell skipped by comment": (with_source("number", "# NBVAL_SKIP\nprint(1)"), NOT_COMPARED),
    "a cell skipped inside a string": (
        with_source("number", '"""\n# NBVAL_SKIP\n"""'),
        NOT_COMPARED,
    ),
    "a cell allowed to raise": (with_metadata("number", tags=["raises-exception"]), NOT_COMPARED),
    "another kernel": (
        lambda notebook: notebook.metadata.kernelspec.update(name="my-env"),
        r"metadata: kernelspec is not",
    ),
    "the version of Python": (
        lambda notebook: notebook.metadata.language_info.update(version="3.11.7"),
        r"metadata: language_info is not",
    ),
    "widget state": (
        lambda notebook: notebook.metadata.update(widgets={"state": {}}),
        r"metadata: widget state is stored and should not be",
    ),
    "timings of cells": (
        with_metadata("number", execution={"iopub.status.busy": "2026-01-01"}),
        r"Cell 1 \(number\): cell metadata is stored and should not be: execution",
    ),
    "a widget view": (
        lambda notebook: (
            cell_of(notebook, "slider")
            .outputs[0]
            .data.update(
                {nbrules.WIDGET_VIEW: {"model_id": "1", "version_major": 2, "version_minor": 0}}
            )
        ),
        r"not in normal form: run `make notebooks`",
    ),
    "a cell without an id": (
        lambda notebook: cell_of(notebook, "number").pop("id"),
        r"1 cells have no id",
    ),
    "two cells with one id": (
        lambda notebook: cell_of(notebook, "number").update(id="figure"),
        r"the cell id figure is used 2 times",
    ),
    "an older format": (
        lambda notebook: notebook.update(nbformat_minor=4),
        r"the notebook format is not 4\.5",
    ),
    "a huge output": (printing("x" * 1_000_001), r"Cell 1 \(number\): an output is larger than"),
    "a huge notebook": (
        with_source("title", "x" * 3_000_001),
        r"the notebook is larger than 3,000,000 bytes",
    ),
}


@pytest.mark.filterwarnings("ignore::nbformat.warnings.MissingIDFieldWarning")
@pytest.mark.filterwarnings("ignore::nbformat.warnings.DuplicateCellId")
@pytest.mark.parametrize("name", STORED_LIES)
def test_what_is_stored_betrays(honest, tmp_path, name):
    tamper, reason = STORED_LIES[name]
    found = problems_after(honest, tmp_path, tamper)
    assert any(re.search(reason, problem) for problem in found), found


def test_nothing_is_wrong_with_the_honest_notebook_as_stored(honest):
    assert nbrules.problems(honest) == []


def test_an_allow_list_entry_that_no_cell_uses_is_stale(honest, tmp_path):
    (tmp_path / nbrules.ALLOW_LIST).write_text(ALLOWED.format("copy.ipynb", "figure"))
    found = problems_after(honest, tmp_path, lambda notebook: None)
    assert found == ["allowed_ignores.toml is stale: no cell figure has an ignored output"]


def test_an_allow_list_entry_needs_a_reason(tmp_path):
    path = tmp_path / nbrules.ALLOW_LIST
    path.write_text('[[ignore]]\nnotebook = "copy.ipynb"\ncell = "number"\nreason = " "\n')
    assert list(nbrules.allow_list_problems(path)) == ["entry 1 has no reason"]


# --- sliders -------------------------------------------------------------------------------------

SLIDER = """from lectures_lib import plots, widgets

X, size = [[0.0, 1.0], [1.0, 0.0]], (3.0, 3.0)


def draw(i):
    return plots.points(X, [1, -1], plots.figure(size=size).axes[0], mark=[i]).get_figure()


widgets.slide(draw, "ab", name="point")"""


LAST_CELLS = {
    "untouched": ("Y = X", None),
    "dead": ("X = 7", "The slider for point is dead: "),
    "changed": ("X = [[0.0, 1.0], [1.0, 0.5]]", "shows another picture than when it was made"),
}


@pytest.fixture(scope="module")
def sliding(tmp_path_factory) -> Report:
    """The report of one run over three notebooks that end in different cells after a slider."""
    folder = tmp_path_factory.mktemp("sliders")
    for name, (last, _) in LAST_CELLS.items():
        cells = [v4.new_code_cell(SLIDER, id="slider"), v4.new_code_cell(last, id="last")]
        text = nbrules.dumps(v4.new_notebook(cells=cells))
        (folder / f"{name}.ipynb").write_text(text, encoding="utf-8")
    assert nbexecute.main([str(path) for path in folder.glob("*.ipynb")]) == 0
    return run_nbval(folder, "-p", "no:xdist")


@pytest.mark.parametrize("name", LAST_CELLS)
def test_after_the_last_cell_every_slider_still_draws_what_it_drew(sliding, name):
    said = LAST_CELLS[name][1]
    assert sliding.failures(name) == (["sliders once more"] if said else [])
    assert not said or said in sliding.failure(name, "sliders once more")


# --- re-executing --------------------------------------------------------------------------------


def test_executing_an_executed_notebook_again_changes_no_byte(honest, tmp_path):
    shutil.copy(TINYLIB, tmp_path)
    again = Path(shutil.copy(honest, tmp_path))
    assert nbexecute.main([str(again)]) == 0
    assert again.read_bytes() == honest.read_bytes()


def test_a_notebook_that_fails_is_left_as_it_was(honest, tmp_path, capsys):
    notebook = nbrules.read(honest)
    path = tmp_path / "failing.ipynb"  # there is no tinylib beside it
    path.write_text(nbrules.dumps(notebook), encoding="utf-8")
    assert nbexecute.main([str(path)]) == 1
    assert path.read_text(encoding="utf-8") == nbrules.dumps(notebook)
    assert "ModuleNotFoundError" in capsys.readouterr().out


def test_new_cells_get_readable_ids_and_old_ids_are_kept():
    cells = [v4.new_code_cell(source) for source in ("x = 1", "x = 1", "γ")]
    cells += [v4.new_markdown_cell("# The worked example", id="kept")]
    for cell in cells[:3]:
        del cell["id"]
    nbrules.name_cells(cells)
    assert [cell.id for cell in cells] == ["x-1", "x-1-2", "cell", "kept"]


def test_the_pinned_versions_include_everything_that_draws():
    assert set(nbfigures.DRAWING_PACKAGES) <= nbfigures.pinned_versions().keys()


def test_the_normal_form_keeps_what_a_lesson_folds_away_and_nothing_else():
    folds = {"outputs_hidden": True, "source_hidden": True}
    metadata = {"tags": ["hide-output"], "collapsed": True, "jupyter": {**folds, "editable": False}}
    kept = nbrules.normal_cell_metadata(metadata)
    assert kept == {"tags": ["hide-output"], "jupyter": folds}
    assert nbrules.normal_cell_metadata({"jupyter": {"outputs_hidden": False}}) == {}
