"""Look at the course in a real JupyterLab: ``python -m tools.lab_check --lab .venv/bin/python``.

Needs playwright (pip) and Debian's chromium, which the course itself does not: run it with a Python
that has them. Of a notebook that is opened and saved: every picture has its alternative text in
the page, every output after "Predict, then run." is folded and shows nothing of itself, all cells
are trusted, the browser reports no error, and the file has not changed by a byte. With --run all
cells are run after that, and the file is put back: the pictures of sliders have theirs, too.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
TOKEN = "look"
FLAGS = "--headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking"
PICTURES = ".jp-OutputArea .jp-RenderedImage img, .jupyter-widgets img"
IDLE = ".jp-Notebook-ExecutionIndicator[data-status=idle]"
SHOWN = "es => es.map(e => e.getAttribute('alt') || '')"
LEAKED = "es => es.map(e => e.innerText.trim())"


def main() -> int:
    """Check each notebook given; return 0 if all is as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lab", default=".venv/bin/python", help="the Python that has JupyterLab")
    parser.add_argument("--port", type=int, default=8979)
    parser.add_argument("--run", action="store_true", help="run all cells and look again")
    parser.add_argument("notebooks", nargs="*", type=Path, default=[])
    options = parser.parse_args()
    paths = options.notebooks or sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
    with tempfile.TemporaryDirectory() as home:
        server = start_lab(options.lab, options.port, home, paths)
        try:
            return max(look_at(path, options.port, options.run) for path in paths)
        finally:
            server.terminate()
            server.wait()


def start_lab(
    python: str, port: int, home: str, paths: list[Path], root: Path = ROOT
) -> subprocess.Popen:
    """Start JupyterLab with a home of its own, trusting the notebooks, and wait for it."""
    environment = {**os.environ, "HOME": home}
    subprocess.run([python, "-m", "jupyter", "trust", *paths], env=environment, check=True)
    flags = ["--ip=127.0.0.1", f"--port={port}", "--no-browser", "--allow-root"]
    flags += [f"--ServerApp.root_dir={root}", f"--IdentityProvider.token={TOKEN}"]
    server = subprocess.Popen(
        [python, "-m", "jupyterlab", *flags], env=environment, stderr=subprocess.DEVNULL
    )
    for _ in range(120):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/api?token={TOKEN}")
            return server
        except OSError:
            time.sleep(0.5)
    raise TimeoutError("JupyterLab did not start within a minute.")


def look_at(path: Path, port: int, run: bool) -> int:
    """Open a notebook, look at its page, save it, and print what is wrong; return 0 if nothing."""
    from playwright.sync_api import sync_playwright

    before, errors = path.read_bytes(), []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS.split())
        page = browser.new_page(viewport={"width": 1200, "height": 900})
        page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
        name = path.resolve().relative_to(ROOT).as_posix()
        page.goto(f"http://127.0.0.1:{port}/lab/tree/{name}?token={TOKEN}&reset")
        page.wait_for_selector(".jp-Cell", timeout=120_000)
        page.wait_for_selector(IDLE, timeout=60_000)
        alts, leaks = scroll_through(page)
        trusted = page.locator("[title^='Notebook trusted']").count()
        page.keyboard.press("Control+s")
        page.wait_for_timeout(2000)
        changed = path.read_bytes() != before
        alts += run_all(page) if run else []
        browser.close()
    path.write_bytes(before)  # JupyterLab saves by itself, too
    wrong = ["a picture has no alternative text"] * ("" in alts)
    wrong += [f"a folded output shows {text!r}" for text in leaks if text]
    wrong += ["it is not trusted"] * (not trusted) + errors
    wrong += ["saving it changed the file"] * changed
    fine = f"as it should be, {len(alts)} pictures with alternative text"
    print(f"{path.stem}: {'; '.join(wrong) or fine}", flush=True)
    return int(bool(wrong))


def run_all(page: Any) -> list[str]:
    """Run all cells; return the alternative texts of pictures that are new."""
    before = set(page.eval_on_selector_all(PICTURES, SHOWN))
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.locator("[data-command='runmenu:run-all']").click()
    page.wait_for_timeout(3000)
    page.wait_for_selector(IDLE, timeout=600_000)
    return sorted(set(scroll_through(page)[0]) - before)


def scroll_through(page: Any) -> tuple[list[str], list[str]]:
    """Go through all cells; return the alternative texts of pictures and what folds show."""
    pictures: set[str] = set()
    folds: set[str] = set()
    page.locator(".jp-Cell").first.click()
    page.keyboard.press("Escape")
    for _ in range(150):  # no notebook has more cells
        pictures |= set(page.eval_on_selector_all(PICTURES, SHOWN))
        folds |= set(page.eval_on_selector_all(".jp-OutputPlaceholder", LEAKED))
        page.keyboard.press("ArrowDown")
        page.wait_for_timeout(60)
    return sorted(pictures), sorted(folds)


if __name__ == "__main__":
    sys.exit(main())
