"""The course's address stands in one place, and everything that names it follows."""

import re
import runpy
import shutil
import sys

import pytest
import yaml

from tools import address, book
from tools.address import Address
from tools.environment import ROOT

GITHUB = Address("https://github.com/someone/course", "https://someone.github.io/course/")
GITLAB = Address("https://gitlab.com/someone/course")


def filled(folder, repository: str, homepage: str):
    """Copy what names the address, and fill it in as an owner would."""
    for name in ("README.md", "CITATION.cff", "pyproject.toml", "setup.py"):
        shutil.copy(ROOT / name, folder / name)
    path = folder / "pyproject.toml"
    text = path.read_text(encoding="utf-8")
    text = re.sub(r"(# )?Repository = .*", f'Repository = "{repository}"', text)
    path.write_text(
        re.sub(r"(# )?Homepage = .*", f'Homepage = "{homepage}"', text), encoding="utf-8"
    )
    return folder


@pytest.mark.parametrize("name", address.FILES)
def test_every_file_names_the_address_of_pyproject_and_no_other(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert address.FILES[name](text, address.address()) == text, "run: python -m tools.address"


def test_a_filled_in_address_appears_everywhere(tmp_path, capsys):
    filled(tmp_path, GITHUB.repository, GITHUB.homepage)
    assert address.main(tmp_path) == 0
    readme = (tmp_path / "README.md").read_text(encoding="utf-8")
    for link in (
        "[Read it on the web](https://someone.github.io/course/)",
        "(https://someone.github.io/course/lite/notebooks/index.html?path=notebooks/00_start_here.ipynb)",
        "(https://colab.research.google.com/github/someone/course/blob/main/notebooks/00_start_here",
        "(https://mybinder.org/v2/gh/someone/course/main?urlpath=lab/tree/notebooks/00_start_here",
        "https://github.com/someone/course/actions/workflows/notebooks.yml/badge.svg",
    ):
        assert link in readme
    citation = yaml.safe_load((tmp_path / "CITATION.cff").read_text(encoding="utf-8"))
    assert (citation["repository-code"], citation["url"]) == (GITHUB.repository, GITHUB.homepage)


def test_filling_in_twice_changes_nothing_and_emptying_takes_all_back():
    for name, make in address.FILES.items():
        text = make((ROOT / name).read_text(encoding="utf-8"), Address())
        once = make(text, GITHUB)
        assert once != text and make(once, GITHUB) == once and make(once, Address()) == text


def test_colab_reads_github_alone_and_binder_both():
    path = "notebooks/02_perceptron.ipynb"
    assert set(GITHUB.elsewhere(path)) == {"Open in Colab", "Open in Binder", "Edit"}
    gitlab = GITLAB.elsewhere(path)
    assert set(gitlab) == {"Open in Binder", "Edit"}
    assert "/gl/someone%2Fcourse/main" in gitlab["Open in Binder"]
    assert Address().elsewhere(path) == {} and Address().install == ""
    assert (
        GITHUB.install == '%pip install -q "lectures_lib @ git+https://github.com/someone/course"'
    )


def test_a_page_of_the_site_links_to_where_else_it_runs(monkeypatch):
    monkeypatch.setattr(address, "address", lambda: GITHUB)
    shown = book.elsewhere("notebooks/02_perceptron.ipynb")
    assert "Open in Colab" in shown and "Edit" in shown and "%pip install" in shown
    assert book.elsewhere("homework/hw1.ipynb") == ""  # it is made when the site is built
    monkeypatch.setattr(address, "address", Address)
    assert book.elsewhere("notebooks/02_perceptron.ipynb") == ""


@pytest.mark.parametrize("url", ["github.com/me/course", "http://example.org/x", "OWNER/NAME"])
def test_an_address_that_is_none_is_refused(tmp_path, url):
    filled(tmp_path, url, GITHUB.homepage)
    with pytest.raises(SystemExit, match="it begins with https://"):
        address.address(tmp_path / "pyproject.toml")


# --- what an index shows of README ---------------------------------------------------------------


def on_an_index(folder, monkeypatch) -> str:
    """Return what setup.py hands to an index."""
    told = {}
    monkeypatch.setitem(sys.modules, "setuptools", type(sys)("setuptools"))
    sys.modules["setuptools"].setup = lambda **facts: told.update(facts)
    sys.modules["setuptools"].find_packages = lambda **_: []
    runpy.run_path(str(folder / "setup.py"))
    return told["long_description"]


def targets(text: str) -> list[str]:
    """Return where the links of a text lead."""
    return re.findall(r"\]\(([^)\s]+)\)", text)


def test_without_an_address_an_index_shows_no_link_that_leads_nowhere(tmp_path, monkeypatch):
    text = on_an_index(filled(tmp_path, "", ""), monkeypatch)
    assert "## The map" in text and "02 The perceptron" in text
    assert [target for target in targets(text) if not target.startswith("https://")] == []


def test_with_an_address_every_link_of_an_index_leads_to_the_repository(tmp_path, monkeypatch):
    text = on_an_index(filled(tmp_path, GITHUB.repository, GITHUB.homepage), monkeypatch)
    assert f"({GITHUB.repository}/blob/main/notebooks/02_perceptron.ipynb)" in text
    assert f"({GITHUB.repository}/raw/main/book/static/mistake_bound.png)" in text
    assert [target for target in targets(text) if not target.startswith("https://")] == []


@pytest.mark.parametrize("here", [GITHUB, Address()], ids=["filled", "empty"])
def test_a_page_has_report_a_problem_when_the_course_has_an_address(monkeypatch, here):
    monkeypatch.setattr(address, "address", lambda *_: here)
    options = runpy.run_path(str(ROOT / "book" / "conf.py"))["html_theme_options"]
    assert options.get("use_issues_button", False) == bool(here.repository)
    assert options.get("repository_url", "") == here.repository
