"""The course as a book: what readers of ePub demand, links that stay inside, formulas as MathML."""

import zipfile
from xml.etree import ElementTree

import pytest

from tests.browsing import PATIENCE, missing
from tests.browsing import browser as browser  # the fixture
from tools.serving import served

pytest.importorskip("pypdf", reason="extra: browser")
epub = pytest.importorskip("tools.epub", reason="extra: browser", exc_type=ImportError)
SITE = epub.pdf.SITE
WHY_NOT = missing() or ("" if (SITE / "index.html").is_file() else "no site: make book")
HERE = "http://127.0.0.1:1"


def chapter(name: str, body: str = "<p>Words.</p>") -> "epub.Chapter":
    """Return a chapter made of a page of the lectures."""
    return epub.Chapter(f"notebooks/{name}.html", f"{name} & more", "Lectures", body)


def test_a_link_stays_inside_leads_to_the_web_or_is_words():
    names = {"notebooks/a.html", "notebooks/b.html"}
    body = "".join(
        f'<a class="x" href="{to}">{k}</a>'
        for k, to in enumerate(
            (
                f"{HERE}/notebooks/b.html#s",
                f"{HERE}/notebooks/a.html#t",
                "https://a.b/",
                f"{HERE}/z",
            )
        )
    )
    shown = epub.linked(body, "notebooks/a.html", HERE, names)
    assert shown == (
        '<a class="x" href="notebooks-b.xhtml#s">0</a><a class="x" href="#t">1</a>'
        '<a class="x" href="https://a.b/">2</a>3'
    )


def test_the_book_names_all_that_is_in_it_and_what_it_is_comes_first(tmp_path):
    out = tmp_path / "book.epub"
    formula = '<math xmlns="http://www.w3.org/1998/Math/MathML"><mi>w</mi></math>'
    epub.pack(out, [chapter("one", formula), chapter("two")], {"picture-a.png": b"\x89PNG"})
    with zipfile.ZipFile(out) as book:
        first = book.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
        assert book.read("mimetype") == b"application/epub+zip"
        listed = ElementTree.fromstring(book.read("book/book.opf"))
        items = {it.get("href"): it.get("properties") for it in listed.iter() if it.get("href")}
        files = {name.removeprefix("book/") for name in book.namelist() if name.startswith("book/")}
        assert set(items) == files - {"book.opf"}
        assert items["nav.xhtml"] == "nav" and items["notebooks-one.xhtml"] == "mathml"
        assert items["notebooks-two.xhtml"] is None
        nav = book.read("book/nav.xhtml").decode()
        assert nav.index("one &amp; more") < nav.index("two &amp; more")
        for name in files:
            if name.endswith(("xhtml", "opf")):
                ElementTree.fromstring(book.read(f"book/{name}"))


def test_without_a_browser_there_is_one_sentence(monkeypatch, capsys):
    monkeypatch.setattr(epub.pdf.shutil, "which", lambda name: None)
    assert epub.main() == 2
    assert "chromium" in capsys.readouterr().out


@pytest.mark.browser
@pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)
def test_a_chapter_has_every_formula_and_nothing_that_needs_a_script(browser):
    with served(SITE) as where:
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        page.goto(f"{where}/notebooks/05_mistake_bound.html", wait_until="load")
        page.evaluate(epub.pdf.READY)
        formulas = page.locator(".bd-article > section mjx-container").count()
        found = page.evaluate(epub.TAKE)
        page.close()
    tree = ElementTree.fromstring(epub.written("05", found["body"]))
    tags = [it.tag.rpartition("}")[2] for it in tree.iter()]
    assert formulas > 200 and tags.count("math") > 0.8 * formulas  # hints are not in the book
    assert not {"script", "button", "details", "summary", "mjx-container"} & set(tags)
    text = "".join(tree.itertext())
    assert "To move by hand" in text and text.index("Answers") > text.index("Further reading")
    assert all(url.startswith(where) for url in found["pictures"].values())
