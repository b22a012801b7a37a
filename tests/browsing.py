"""A real browser for tests, where the system has one: chromium or chrome, by playwright."""

import importlib.util
import shutil

import pytest

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
FLAGS += ("--disable-quic", "--disable-component-update", "--disable-sync")

#: Milliseconds to wait for a page, and for the browser to start: the machine may be busy.
PATIENCE = 180_000


def missing() -> str:
    """Return what keeps the tests from running; "" if nothing does."""
    if importlib.util.find_spec("playwright") is None:
        return "playwright is an extra: pip install .[browser]"
    if not any(map(shutil.which, BROWSERS)):
        return "no browser is installed: apt install chromium"
    return ""


@pytest.fixture(scope="module")
def browser():
    """Start the browser once for the tests of a file."""
    from playwright.sync_api import sync_playwright

    program = next(filter(None, map(shutil.which, BROWSERS)))
    with sync_playwright() as play:
        made = play.chromium.launch(executable_path=program, args=FLAGS, timeout=PATIENCE)
        yield made
        made.close()
