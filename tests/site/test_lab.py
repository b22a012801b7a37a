"""The course's JupyterLab: its settings are found, and looking at a notebook changes no file."""

import importlib.util
import json
import re
import runpy
import shutil
import socket
import sys
from copy import deepcopy

import nbformat
import pytest

from lectures_lib.exercises import EXERCISES
from tests.browsing import PATIENCE, missing
from tests.browsing import browser as browser  # the fixture
from tools import install, lab_check, nbrules
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
    extension = tmp_path / "share/jupyter/labextensions/lectures-lab"
    scripts = {path.name for path in (extension / "static" / "exhibits").iterdir()}
    assert scripts == {path.name for path in (ROOT / "lectures_lib" / "widgets").glob("*.js")}
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) == len(install.LAB) + len(scripts) + 1  # and the list of exercises
    posed = json.loads((extension / "static" / "exercises.json").read_text())
    assert posed["02_perceptron"] == ["update", "sum", "never"]
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


# --- a widget in a real JupyterLab ---------------------------------------------------------------

NO_LAB = "" if importlib.util.find_spec("jupyterlab") else "JupyterLab is an extra: make lab"
WHY_NOT = missing() or NO_LAB


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.socket() as made:
        made.bind(("127.0.0.1", 0))
        return made.getsockname()[1]


@pytest.fixture
def lab(tmp_path):
    """Start JupyterLab on a copy of the first notebook; give its address."""
    copied = tmp_path / "first.ipynb"
    shutil.copy(NOTEBOOKS[0], copied)
    home, port = tmp_path / "home", free_port()
    home.mkdir()
    server = lab_check.start_lab(sys.executable, port, str(home), [copied], tmp_path)
    yield f"http://127.0.0.1:{port}/lab/tree/first.ipynb?token={lab_check.TOKEN}"
    server.terminate()
    server.wait()


@pytest.mark.browser
@pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
def test_an_exhibit_lives_when_the_notebook_is_opened_and_no_cell_has_run(browser, lab):
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.set_default_timeout(PATIENCE)
    page.goto(lab)
    point = page.locator(".exhibit g[role=button]").nth(4)
    words = page.locator(".exhibit [role=status]").first
    point.scroll_into_view_if_needed()
    before = words.text_content()
    point.press("Shift+ArrowLeft")
    assert before.startswith("Street width") and words.text_content() != before
    page.close()


@pytest.fixture
def course(tmp_path):
    """Start JupyterLab on a copy of notebook 02, where one exercise is solved; give its address."""
    name = "02_perceptron.ipynb"
    shutil.copy(ROOT / "notebooks" / name, tmp_path)
    shutil.copy(ROOT / "notebooks" / name, tmp_path / "02_perceptron-Copy1.ipynb")
    (tmp_path / "solved_exercises.txt").write_text("# mine\nupdate\nno such thing\n")
    home, port = tmp_path / "home", free_port()
    home.mkdir()
    server = lab_check.start_lab(sys.executable, port, str(home), [tmp_path / name], tmp_path)
    yield tmp_path, f"http://127.0.0.1:{port}/lab/tree/{name}?token={lab_check.TOKEN}"
    server.terminate()
    server.wait()


@pytest.mark.browser
@pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
def test_a_bar_above_a_notebook_shows_what_is_solved_and_leads_to_the_next(browser, course):
    folder, address = course
    before = (folder / "02_perceptron.ipynb").read_bytes()
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    bar = page.locator(".lectures-bar")
    bar.get_by_text("Exercises here: ■□□ 1 of 3").wait_for()
    assert "1 line of solved_exercises.txt passed over" in bar.inner_text()
    bar.get_by_role("button", name="Next: sum").click()
    active = page.locator(".jp-Notebook .jp-Cell.jp-mod-active")
    # Lab draws a cell only when it comes into view: wait for its text, not for the click
    active.filter(has_text='exercises.check("sum"').wait_for()
    assert (folder / "02_perceptron.ipynb").read_bytes() == before
    page.goto(address.replace(".ipynb", "-Copy1.ipynb") + "&reset")  # that tab alone
    bar.get_by_text("Exercises here: ■□□ 1 of 3").wait_for()
    assert f"The course: 1 of {len(EXERCISES)}" in bar.inner_text()  # a copy poses nothing new
    page.close()


def test_the_lab_and_the_pages_of_the_site_keep_what_is_solved_under_one_name():
    lab = (ROOT / "lab/lectures-lab/static/lab.js").read_text(encoding="utf-8")
    site = (ROOT / "book/static/progress.js").read_text(encoding="utf-8")
    assert re.findall(r'localStorage\.setItem\("([^"]+)"', lab) == ["lectures.solved"]
    assert "localStorage.getItem(`lectures.${key}`)" in site and 'kept("solved"' in site


@pytest.mark.browser
@pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
def test_a_widget_moves_in_jupyterlab_by_hand_and_by_keys(browser, lab):
    page = browser.new_page(viewport={"width": 1200, "height": 900})
    page.set_default_timeout(PATIENCE)
    page.goto(lab)
    page.wait_for_selector("text=Python 3 (ipykernel) | Idle")
    page.locator(".jp-CodeCell").nth(0).click()
    page.keyboard.press("Shift+Enter")
    page.keyboard.press("Shift+Enter")
    page.wait_for_selector(".exhibit [role=status]")
    words, point = page.locator(".exhibit [role=status]"), page.locator(".exhibit g[role=button]")
    first = words.text_content()
    point.nth(4).press("Shift+ArrowLeft")
    by_key = words.text_content()
    point.nth(4).scroll_into_view_if_needed()
    at = point.nth(4).bounding_box()
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 40, y + 10, steps=4)
    page.mouse.up()
    by_hand = words.text_content()
    assert first.startswith("Street width 2/‖w‖: 1.877. Support vectors: 3 of 8.")
    assert len({first, by_key, by_hand}) == 3
    page.close()
