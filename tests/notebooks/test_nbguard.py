"""Negative controls: copies of an honest notebook are made to lie, and every lie is caught.

Lies that show in what is stored are put to ``nbrules.problems`` directly. Lies that only a run
can tell are all put into one run of pytest, and each must fail in its cell for its reason.
"""

import base64
import io
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from nbformat import v4
from PIL import Image

from tools import nbexecute, nbrules
from tools.environment import CELL_TIMEOUT, PATIENCE, ROOT

TINYLIB = ROOT / "tests" / "data" / "tinylib.py"

HONEST = {
    "imports": "import ipywidgets\nimport tinylib",
    "number": 'print(f"{tinylib.mean([1, 2, 4]):.4f}")',
    "figure": "tinylib.show([1, 2, 4])",
    "both": 'print("before")\ntinylib.show([3, 1, 2])\nprint("after")',
    "value": 'print("the mean is")\ntinylib.mean([2, 4])',
    "slider": "ipywidgets.IntSlider(value=3)",
    "interact": "ipywidgets.interact(lambda k: print(k), k=(1, 5));",
}

ALLOWED = '[[ignore]]\nnotebook = "{}"\ncell = "{}"\nreason = "it is random"\n'


# --- the notebooks -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def honest(tmp_path_factory) -> Path:
    """An honest notebook, executed and stored by ``tools.nbexecute``."""
    folder = tmp_path_factory.mktemp("honest")
    shutil.copy(TINYLIB, folder)
    cells = [v4.new_markdown_cell("# A small lecture", id="title")]
    cells += [v4.new_code_cell(source, id=name) for name, source in HONEST.items()]
    path = folder / "honest.ipynb"
    path.write_text(nbrules.dumps(v4.new_notebook(cells=cells)), encoding="utf-8")
    assert nbexecute.main([str(path)]) == 0
    return path


def cell_of(notebook, name):
    """Return the cell with the given id."""
    return next(cell for cell in notebook.cells if cell.id == name)


def figure_of(notebook, name):
    """Return the output of a cell that holds its figure."""
    return next(o for o in cell_of(notebook, name).outputs if "image/png" in o.get("data", {}))


def with_one_pixel_changed(encoded: str) -> str:
    """Return a picture that differs from the given one in its first pixel."""
    picture = np.array(Image.open(io.BytesIO(base64.b64decode(encoded))))
    picture[0, 0] -= 100
    file = io.BytesIO()
    Image.fromarray(picture).save(file, format="png")
    return base64.b64encode(file.getvalue()).decode()


# --- lies that only a run can tell ---------------------------------------------------------------


@dataclass(frozen=True)
class Lie:
    """A way to tamper with a notebook, the test that must fail and what it must say."""

    tamper: object
    test: str
    reason: str


RUN_LIES: dict[str, Lie] = {}


def told(test: str, reason: str):
    """Register a function that tampers, under its own name, as a lie to be caught in a run."""

    def register(tamper):
        RUN_LIES[tamper.__name__] = Lie(tamper, test, reason)
        return tamper

    return register


@told("Cell 1 (number)", r"mismatch 'stdout'(.|\n)*2\.4333")
def another_number(notebook):
    cell_of(notebook, "number").outputs[0].text = "2.4333\n"


@told("Cell 4 (value)", r"mismatch 'text/plain'")
def another_result(notebook):
    cell_of(notebook, "value").outputs[1].data["text/plain"] = "3.5"


@told("Cell 2 (figure)", r"[\d,]+ of 2,400 pixels differ; see \.figure-diffs/another_figure-cell2-")
def another_figure(notebook):
    figure_of(notebook, "figure").data["image/png"] = figure_of(notebook, "both").data["image/png"]


@told("Cell 2 (figure)", r"differs: 1 of 2,400 pixels differ")
def one_other_pixel(notebook):
    data = figure_of(notebook, "figure").data
    data["image/png"] = with_one_pixel_changed(data["image/png"])


@told("Cell 2 (figure)", r"the stored figure is not a picture")
def broken_figure(notebook):
    figure_of(notebook, "figure").data["image/png"] = "bm8gcGljdHVyZQ=="


@told("Cell 2 (figure)", r"Kind, number or order of the outputs differ")
def deleted_figure(notebook):
    output = figure_of(notebook, "figure")
    del output.data["image/png"]
    output.metadata = {}


@told("Cell 1 (number)", r"Kind, number or order of the outputs differ")
def invented_figure(notebook):
    figure = figure_of(notebook, "figure")
    picture = {"image/png": figure.data["image/png"]}
    output = v4.new_output("display_data", picture, metadata=figure.metadata)
    cell_of(notebook, "number").outputs.append(output)


@told("Cell 4 (value)", r"Kind, number or order of the outputs differ")
def reordered_outputs(notebook):
    cell_of(notebook, "value").outputs.reverse()


@told("Cell 3 (both)", r"dissimilar number of outputs for key \"stdout\"")
def figure_above_the_text(notebook):
    outputs = cell_of(notebook, "both").outputs
    outputs[:] = [outputs[1], outputs[0], outputs[2]]


@told("Cell 4 (value)", r"Kind, number or order of the outputs differ")
def result_shown_as_display(notebook):
    outputs = cell_of(notebook, "value").outputs
    outputs[1] = v4.new_output("display_data", outputs[1].data)


@told("Cell 2 (figure)", r"Metadata \(alt text\) of output 0 differs")
def another_alt_text(notebook):
    figure_of(notebook, "figure").metadata["image/png"]["alt"] = "A row of 3 bars that all rise up."


@told("Cell 1 (number)", r"Unexpected output fields from running code")
def stripped_outputs(notebook):
    for name in HONEST:
        cell_of(notebook, name).outputs = []


@told("Cell 1 (number)", r"never executed: it has no execution count")
def unexecuted_cells(notebook):
    for name in HONEST:
        cell_of(notebook, name).update(outputs=[], execution_count=None)


@told("Cell 1 (number)", r"Missing output fields from running code|mismatch")
def swapped_outputs(notebook):
    one, other = cell_of(notebook, "number"), cell_of(notebook, "figure")
    one.outputs, other.outputs = other.outputs, one.outputs


@told("Cell 1 (number)", r"Cell execution caused an exception(.|\n)*ZeroDivisionError")
def swallowed_exception(notebook):
    cell_of(notebook, "number").source = "print(tinylib.mean([]))"


@told("Cell 1 (number)", r"Missing output fields from running code")
def false_traceback(notebook):
    error = v4.new_output("error", ename="ValueError", evalue="invented", traceback=[])
    cell_of(notebook, "number").outputs.append(error)


@told("Cell 1 (number)", r"The kernel died while this cell ran")
def dead_kernel(notebook):
    cell_of(notebook, "number").source = "import os\nos._exit(1)"


@told("stored outputs", r"Cell 1 \(number\): its output is not compared \(check\)")
def ignored_output(notebook):
    cell = cell_of(notebook, "number")
    cell.metadata["tags"] = ["nbval-ignore-output"]
    cell.outputs[0].text = "2.4333\n"


@told("stored outputs", r"Cell 0 \(imports\): has execution count 7; a fresh kernel counts 1 here")
def reversed_counts(notebook):
    for number, name in enumerate(reversed(HONEST), start=1):
        cell_of(notebook, name).execution_count = number


#: Lies about different cells share a notebook, hence a kernel; those about all cells do not.
TOLD_TOGETHER = (
    ("another_figure", "another_number", "another_result", "figure_above_the_text"),
    ("one_other_pixel", "false_traceback", "reordered_outputs"),
    ("broken_figure", "swallowed_exception", "result_shown_as_display"),
    ("deleted_figure", "ignored_output"),
    ("another_alt_text", "invented_figure"),
    ("swapped_outputs", "reversed_counts"),
    ("stripped_outputs",),
    ("unexecuted_cells",),
    ("dead_kernel",),
)
#: Of each lie the notebook that tells it, which has the name of the first one.
NOTEBOOK_OF = {name: together[0] for together in TOLD_TOGETHER for name in together}


def test_every_lie_is_told_once_and_each_in_a_cell_of_its_own():
    told_lies = [name for together in TOLD_TOGETHER for name in together]
    assert sorted(told_lies) == sorted(RUN_LIES)
    for together in TOLD_TOGETHER:
        cells = [RUN_LIES[name].test for name in together]
        assert len(set(cells)) == len(cells), together


# --- the one run ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Report:
    """What a run of pytest printed, and of every test its seconds and how it failed (or None)."""

    tests: dict[tuple[str, str], tuple[float, str | None]]
    printed: str

    def failure(self, notebook: str, test: str) -> str | None:
        """Return how a test of a notebook failed, or None if it passed."""
        return self.tests[f"{notebook}.ipynb", test][1]

    def failures(self, notebook: str) -> list[str]:
        """Return the names of the failed tests of a notebook."""
        file = f"{notebook}.ipynb"
        return [test for (name, test), (_, said) in self.tests.items() if name == file and said]


def run_nbval(folder: Path, *arguments: str, **environment: str) -> Report:
    """Run pytest with the guards on a folder, as one would from the project's root."""
    command = [sys.executable, "-m", "pytest", "-p", "tools.nbguard", "--nbval", "--color=no"]
    command += ["-c", str(ROOT / "pyproject.toml"), f"--rootdir={folder}"]
    command += [f"--junitxml={folder / 'report.xml'}", *arguments, str(folder)]
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    done = subprocess.run(
        command, cwd=ROOT, env=inherited | environment, capture_output=True, text=True, check=False
    )
    assert (folder / "report.xml").exists(), done.stdout + done.stderr
    return Report(dict(read_cases(folder / "report.xml")), done.stdout)


def read_cases(report: Path):
    """Yield ((file, test), (seconds, failure text or None)) of a JUnit report."""
    for case in ElementTree.parse(report).iter("testcase"):
        failed = case.find("failure")
        if failed is None:
            failed = case.find("error")
        file = re.search(r"[\w-]+\.(ipynb|toml)$", case.get("classname"))[0]
        said = None if failed is None else f"{failed.get('message')}\n{failed.text}"
        yield (file, case.get("name")), (float(case.get("time")), said)


@pytest.fixture(scope="module")
def report(honest, tmp_path_factory) -> Report:
    """The report of one run over the honest notebook, every lie and a changed library."""
    folder = tmp_path_factory.mktemp("lies")
    shutil.copy(TINYLIB, folder)
    shutil.copy(honest, folder)
    for together in TOLD_TOGETHER:
        notebook = nbrules.read(honest)
        for name in together:
            RUN_LIES[name].tamper(notebook)
        text = nbrules.dumps(notebook)
        (folder / f"{together[0]}.ipynb").write_text(text, encoding="utf-8")
    write_allowed_notebook(honest, folder)
    write_changed_library(honest, folder / "changed")
    return run_nbval(folder, "-p", "no:xdist")


def write_allowed_notebook(honest: Path, folder: Path) -> None:
    """Write a notebook with a random output that the allow-list names."""
    notebook = nbrules.read(honest)
    cell = cell_of(notebook, "number")
    cell.source = "import random\nprint(random.random())"
    cell.metadata["tags"] = ["nbval-ignore-output"]
    (folder / "allowed.ipynb").write_text(nbrules.dumps(notebook), encoding="utf-8")
    entries = ALLOWED.format("allowed.ipynb", "number") + ALLOWED.format("gone.ipynb", "number")
    (folder / nbrules.ALLOW_LIST).write_text(entries, encoding="utf-8")


def write_changed_library(honest: Path, folder: Path) -> None:
    """Write the honest notebook beside a library whose mean is no longer one."""
    folder.mkdir()
    shutil.copy(honest, folder / "changed.ipynb")
    text = TINYLIB.read_text(encoding="utf-8")
    wrong = text.replace("/ len(values)", "/ (len(values) + 1)")
    assert wrong != text
    (folder / "tinylib.py").write_text(wrong, encoding="utf-8")


def test_an_honest_notebook_passes(report):
    assert report.failures("honest") == []


def test_an_ignored_output_with_a_reason_passes(report):
    assert report.failures("allowed") == []


@pytest.mark.parametrize("name", RUN_LIES)
def test_a_run_catches(report, name):
    said = report.failure(NOTEBOOK_OF[name], RUN_LIES[name].test)
    assert said, f"{name} was not caught: only {report.failures(NOTEBOOK_OF[name])} failed"
    assert re.search(RUN_LIES[name].reason, said), said


def test_a_changed_library_function_is_caught(report):
    said = report.failure("changed", "Cell 1 (number)")
    assert said and "mismatch 'stdout'" in said
    assert "Cell 2 (figure)" not in report.failures("changed")  # the figure did not change


def test_an_allow_list_entry_for_a_notebook_that_is_gone_is_caught(report):
    said = report.tests[nbrules.ALLOW_LIST, "entries"][1]
    assert said and "entry 2 is stale: there is no notebook gone.ipynb" in said


def test_a_dead_kernel_fails_long_before_a_cell_runs_out_of_time(report):
    seconds, _ = report.tests["dead_kernel.ipynb", "Cell 1 (number)"]
    assert seconds < 0.1 * CELL_TIMEOUT  # on a quiet machine it takes a second


def test_a_cell_may_take_ten_minutes_in_the_python_that_runs_the_tests(pytestconfig):
    assert pytestconfig.option.nbval_cell_timeout == CELL_TIMEOUT == 600
    assert pytestconfig.option.nbval_kernel_startup_timeout == PATIENCE
    assert pytestconfig.option.nbval_current_env


def test_with_other_versions_figures_are_not_compared_and_the_summary_says_so(honest, tmp_path):
    shutil.copy(TINYLIB, tmp_path)
    notebook = nbrules.read(honest)
    another_figure(notebook)
    another_result(notebook)
    (tmp_path / "both.ipynb").write_text(nbrules.dumps(notebook), encoding="utf-8")
    plugin = "from tools import nbfigures\nnbfigures.pinned_versions = lambda: {'numpy': '0.1'}\n"
    (tmp_path / "other_versions.py").write_text(plugin, encoding="utf-8")
    report = run_nbval(tmp_path, "-p", "other_versions", PYTHONPATH=str(tmp_path))
    assert report.failures("both") == ["Cell 4 (value)"]
    assert "figures were not compared" in report.printed
    assert "pinned is 0.1" in report.printed


def test_flipping_the_sign_of_the_perceptron_update_breaks_a_real_notebook(tmp_path):
    library = tmp_path / "library"
    shutil.copytree(
        ROOT / "lectures_lib",
        library / "lectures_lib",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    shutil.copytree(ROOT / "data", library / "data")
    changes = 0
    for module in (library / "lectures_lib" / "perceptron").glob("*.py"):
        update, flipped = r"\b(w(?:\[j\])?) \+= (y|label)\b", r"\1 -= \2"
        text, found = re.subn(update, flipped, module.read_text(encoding="utf-8"))
        module.write_text(text, encoding="utf-8")
        changes += found
    assert changes >= 2, "compiled or not, the perceptron has lines `w += y...` to be flipped"
    (tmp_path / "lecture").mkdir()
    shutil.copy(ROOT / "notebooks" / "00_start_here.ipynb", tmp_path / "lecture")
    never_compiled = {"LECTURES_LIB_JIT": "0"}  # a new folder has no compiled loops
    report = run_nbval(tmp_path / "lecture", PYTHONPATH=str(library), **never_compiled)
    said = [report.failure("00_start_here", test) for test in report.failures("00_start_here")]
    assert any("Cell outputs differ" in failure for failure in said), said
