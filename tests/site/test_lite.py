"""The notebooks run in a real browser, with nothing installed: JupyterLite of the built site.

`make test-browser` builds the site and runs this: a notebook of each third of the course and a
homework; with ALL=1 every one. What a cell shows must be what is stored: another machine, one with
other BLAS kernels, no numba and no cvxopt. The versions that draw are not the pinned ones there, so
figures are counted, not compared. Times are told; with ALL=1 they are held against limits, as those
of the processor: the machine may be busy.
"""

import csv
import os
import re
import subprocess
import sys
from collections import defaultdict
from copy import deepcopy

import pytest

from lectures_homework.instructor import masters
from lectures_lib.widgets import exhibits
from tests import running
from tests.browsing import browser as browser  # the fixture
from tests.browsing import missing
from tools import lite, nbrules
from tools.environment import ROOT

SITE = ROOT / "build" / "book" / "html"
BUILT = (SITE / lite.FOLDER / "jupyter-lite.json").is_file()
WHY_NOT = missing() or ("" if BUILT else "no site to run on: make book")
pytestmark = [pytest.mark.browser, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]
ALL = os.environ.get("ALL") == "1"
LECTURES = sorted(path.name for path in (ROOT / "notebooks").glob("[0-9]*.ipynb"))
#: One of each third, and the first page.
FEW = ("00", "05", "12", "16")
LECTURES = [name for name in LECTURES if ALL or name.startswith(FEW)]
HOMEWORKS = masters.names() if ALL else ["hw4"]
#: Seconds of the processor: for all cells of a notebook; from a cold start to the first figure. The
#: browser works on two cores then: 32 seconds of both were 25 by the clock.
LONGEST, FIRST_FIGURE = 180, 35
#: Exhibits, each a script.
PIECES = sorted(p.stem for p in exhibits.FOLDER.glob("*.js") if p.stem not in exhibits.SHARED)
#: What is told of each run, for the summary.
TOLD: list[str] = []

FIGURE = """() => [...document.querySelectorAll(".jp-OutputArea img")]
  .some(image => image.complete && image.naturalWidth > 100)"""
BROKEN = """() => [...document.querySelectorAll(".jp-OutputArea img")]
  .filter(image => image.complete && image.naturalWidth === 0).length"""
FILL = """([id, text]) => {
  const notebook = window.jupyterapp.shell.currentWidget.content;
  const cell = notebook.widgets.find(it => it.model.sharedModel.getId() === id);
  cell.model.sharedModel.setSource(text);
}"""
SAVE = "() => window.jupyterapp.commands.execute('docmanager:save')"
DOWNLOAD = "() => { window.jupyterapp.commands.execute('docmanager:download'); }"
RUN_ALL = "() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }"


@pytest.fixture(scope="module")
def address():
    """Serve the site on this machine; return where. At the end, tell what was measured."""
    with running.served(SITE) as where:
        yield where
    folder = ROOT / "build" / "browser"
    (folder / "times.txt").write_text("\n".join(TOLD) + "\n", encoding="utf-8")
    print("\n" + "\n".join(TOLD))


@pytest.fixture
def page(browser, address):
    """Return a page of a browser that knows nothing yet; errors and other hosts fail the test."""
    troubles = []
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    made = context.new_page()
    made.set_default_timeout(running.PATIENCE * 1000)
    made.on("pageerror", lambda error: troubles.append(str(error)))
    made.on("console", lambda m: troubles.append(m.text) if m.type == "error" else None)
    here = (address, "data:", "blob:")
    context.on("request", lambda r: None if r.url.startswith(here) else troubles.append(r.url))
    yield made
    context.close()
    assert troubles == []


def opened(page, address: str, name: str):
    """Open a page of the site and follow its button: the same notebook, running."""
    page.goto(f"{address}/{name.replace('.ipynb', '.html')}")
    page.locator("a.run-here").click()
    running.wait(page)


def told(name: str, run: running.Run) -> None:
    """Keep what is told of a run."""
    TOLD.append(
        f"{name}: {run.processor:.0f} s of the processor, {run.total:.0f} s by the clock, "
        f"the slowest cell {run.slowest} {max(run.seconds.values(), default=0):.0f} s"
    )


@pytest.mark.parametrize("name", LECTURES)
def test_a_lecture_runs_to_its_end_and_shows_what_is_stored(page, address, name):
    opened(page, address, f"notebooks/{name}")
    run = running.run(page)
    told(name, run)
    assert list(running.differences(nbrules.read(ROOT / "notebooks" / name), run.notebook)) == []
    assert page.evaluate(BROKEN) == 0
    for index in pieces_to_move(run.notebook):
        assert running.moved(page, index), f"cell {index} does not follow the keys"
    assert not ALL or run.processor < LONGEST


def pieces_to_move(notebook) -> list[int]:
    """Return the cells that show an exhibit or the street."""
    called = re.compile(rf"^widgets\.({'|'.join(PIECES)})\(", re.MULTILINE)
    return [i for i, cell in enumerate(notebook.cells) if called.search(cell.source)]


@pytest.mark.parametrize("name", HOMEWORKS)
def test_a_students_homework_says_in_the_browser_what_it_says_at_the_desk(page, address, name):
    opened(page, address, f"homework/{name}.ipynb")
    run = running.run(page)
    told(name, run)
    desk = running.at_the_desk(masters.student(masters.find(name).read(), 0), ROOT / "notebooks")
    assert list(running.differences(desk, run.notebook)) == []
    assert not ALL or run.processor < LONGEST


def test_the_first_figure_comes_soon_after_a_cold_start(page, address):
    sizes, before = [], running.processor_seconds()
    page.on("response", lambda r: sizes.append(int(r.headers.get("content-length", 0))))
    page.goto(f"{address}/{lite.address('notebooks/00_start_here.ipynb')}")
    seconds = running.wait(page)
    page.evaluate(RUN_ALL)
    page.wait_for_function(FIGURE)
    spent = running.processor_seconds() - before
    TOLD.append(
        f"first figure: {spent:.0f} s of the processor, ready {seconds:.0f} s by the clock, "
        f"{sum(sizes) / 1e6:.1f} MB in {len(sizes)} files"
    )
    assert abs(sum(sizes) / 1e6 - lite.MEGABYTES) < 1.5  # the button says so
    assert not ALL or spent < FIRST_FIGURE


def told_in_the_room(page, words: str) -> None:
    """Wait until the waiting room says this."""
    page.wait_for_function(f"document.querySelector('#room-words').textContent.includes('{words}')")


def test_the_waiting_room_tells_what_is_loaded_and_the_second_visit_needs_no_network(page, address):
    where = f"{address}/{lite.address('notebooks/02_perceptron.ipynb')}"
    page.goto(where)
    told_in_the_room(page, " MB")
    told_in_the_room(page, "All is here")
    running.wait(page)
    told_in_the_room(page, "Python is ready")
    assert page.title() == "02 The perceptron · running"
    back = page.locator("#room a").get_attribute("href")
    assert back == f"{address}/notebooks/02_perceptron.html"
    page.context.set_offline(True)
    page.reload()
    running.wait(page)
    assert running.shown(page).cells[0].source.startswith("# 02 The perceptron")


def test_a_file_that_fails_ends_in_a_sentence_and_a_way_to_try_again(browser, address):
    context = browser.new_context()
    context.route("**/scipy-*.whl", lambda route: route.fulfill(status=503, body=""))
    page = context.new_page()
    page.set_default_timeout(running.PATIENCE * 1000)
    page.goto(f"{address}/{lite.address('notebooks/00_start_here.ipynb')}")
    told_in_the_room(page, "could not be loaded: the server answered 503")
    context.unroute("**/scipy-*.whl")
    page.get_by_role("button", name="Try again").click()
    running.wait(page)
    told_in_the_room(page, "Python is ready")
    context.close()


#: A right answer to the first exercise of 02.
SOLVED = """def update(w, x, y):
    return w + y * x if y * (w @ x) <= 0 else w


exercises.check("update", update)"""


def test_an_exercise_solved_in_the_browser_is_shown_by_the_pages_of_the_site(page, address):
    opened(page, address, "notebooks/02_perceptron.ipynb")
    cells = running.shown(page).cells
    imports = next(i for i, cell in enumerate(cells) if "from lectures_lib import" in cell.source)
    asked = next(i for i, cell in enumerate(cells) if 'exercises.check("update"' in cell.source)
    page.evaluate(FILL, [cells[asked]["id"], SOLVED])
    for index in (imports, asked):
        page.evaluate(running.RUN, index)
    assert "Right" in running.told(running.shown(page).cells[asked].outputs)
    page.locator(".lectures-bar").get_by_text("Exercises here: ■□□ 1 of 3").wait_for()
    page.goto(f"{address}/notebooks/02_perceptron.html")
    page.locator(".where").get_by_text("Exercises solved: 1 of 3").wait_for()


# --- a homework from the browser to the grader ---------------------------------------------------


def answered(name: str):
    """Return a student's notebook with the answers filled in, all but the first function's."""
    master = masters.find(name).read()
    made, skipped = masters.student(master, 0), False
    kept = [cell for cell in master.cells if "rubric" not in masters.tags(cell)]
    for cell, solved in zip(made.cells, kept, strict=True):
        if "solution" in masters.tags(cell):
            wrong = not skipped and "def " in solved.source
            skipped = skipped or wrong
            cell.source = cell.source if wrong else solved.source
    return made


def points(name: str, folder, out) -> dict[str, list[str]]:
    """Return for each student the points of all checks, as `make grade` gives them."""
    command = [sys.executable, "-m", "lectures_homework", "grade", name, folder, "--out", out]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    found: dict = defaultdict(list)
    with (out / "checks.csv").open(encoding="utf-8") as table:
        for row in csv.DictReader(table):
            found[row["student"]].append((row["question"], row["check"], row["points"]))
    return found


def test_a_homework_solved_in_the_browser_is_kept_handed_in_and_graded(page, address, tmp_path):
    name, submissions = "hw1", tmp_path / "submissions"
    submissions.mkdir()
    solved = answered(name)
    opened(page, address, f"homework/{name}.ipynb")
    for cell in deepcopy(solved).cells:
        page.evaluate(FILL, [cell.id, cell.source])
    run = running.run(page)
    told(f"{name}, solved", run)
    page.evaluate(SAVE)
    page.reload()
    running.wait(page)
    assert [cell.source for cell in running.shown(page).cells] == [c.source for c in solved.cells]
    with page.expect_download() as download:
        page.evaluate(DOWNLOAD)
    download.value.save_as(submissions / "browser.ipynb")
    (submissions / "desk.ipynb").write_text(nbrules.dumps(solved), encoding="utf-8")
    found = points(name, submissions, tmp_path / "grades")
    given = [float(one) for *_, one in found["browser"]]
    assert found["browser"] == found["desk"] and 0 in given and sum(given) > 10
