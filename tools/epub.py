"""The course as a book for readers of ePub: ``python -m tools.epub``.

The site's own pages, as a chromium that is installed shows them. Every formula is the MathML that
MathJax keeps beside it for voices; results are open and answers stand at the end, as on paper; an
exhibit is told in words. A link to another page of the course stays inside the book.
"""

import html
import re
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lectures_lib import __version__
from tools import pdf, serving
from tools.environment import ROOT

OUT = ROOT / "build" / "course.epub"
TITLE = "A machine that proves its answers"
ABOUT = "Perceptrons, margins, kernels and support vector machines, in notebooks that run"
STYLE = ROOT / "book" / "epub" / "epub.css"
#: Takes the article of a page, with what only a page can do made plain.
TAKE = (ROOT / "book" / "epub" / "take.js").read_text(encoding="utf-8")
XHTML = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE html>\n'
HEAD = '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" '
HEAD += 'lang="en" xml:lang="en"><head><title>{title}</title>'
HEAD += '<link rel="stylesheet" href="epub.css"/></head><body>{body}</body></html>\n'
CONTAINER = (
    '<?xml version="1.0"?>\n<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:'
)
CONTAINER += 'xmlns:container"><rootfiles><rootfile full-path="book/book.opf" media-type='
CONTAINER += '"application/oebps-package+xml"/></rootfiles></container>\n'
PACKAGE = """<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="id">lectures_lib-{version}
</dc:identifier><dc:title>{title}</dc:title><dc:language>en</dc:language><dc:creator>The
lectures_lib authors</dc:creator><dc:description>{about}</dc:description>
<meta property="dcterms:modified">{now}</meta></metadata>
<manifest>{items}</manifest><spine>{spine}</spine></package>
"""
TYPES = {".xhtml": "application/xhtml+xml", ".css": "text/css", ".png": "image/png"}
TYPES |= {".svg": "image/svg+xml", ".gif": "image/gif"}
LINK = re.compile(r'<a ([^>]*?)href="([^"]*)"([^>]*)>(.*?)</a>', re.DOTALL)


@dataclass
class Chapter:
    """A page of the site as a chapter: its place on the site, what it is called, its XHTML."""

    name: str
    title: str
    kind: str
    body: str

    @property
    def file(self) -> str:
        """Return its name in the book."""
        return file_of(self.name)


def file_of(page: str) -> str:
    """Return the name in the book of a page of the site.

    >>> file_of("notebooks/02_perceptron.html")
    'notebooks-02_perceptron.xhtml'
    """
    return page.replace("/", "-").removesuffix(".html") + ".xhtml"


def main() -> int:
    """Make the book from the site that was built; say where it is, or what is missing."""
    program = pdf.program()
    if program is None:
        print(pdf.NEEDS.replace("make pdf", "make epub"))
        return 2
    from playwright.sync_api import sync_playwright

    with serving.served(pdf.SITE) as where, sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=program, args=pdf.FLAGS, timeout=pdf.PATIENCE
        )
        page = browser.new_page(viewport={"width": 1100, "height": 1400})
        page.set_default_timeout(pdf.PATIENCE)
        chapters, pictures = taken(page, where)
        browser.close()
    pack(OUT, chapters, pictures)
    size = OUT.stat().st_size / 1e6
    print(f"{OUT.relative_to(ROOT)}: {len(chapters)} chapters, {size:.1f} MB.")
    return 0


def taken(page, where: str) -> tuple[list[Chapter], dict[str, bytes]]:
    """Return every chapter, and the pictures that they show."""
    chapters, pictures = [], {}
    for part in pdf.parts():
        page.goto(f"{where}/{part.name}", wait_until="load")
        page.evaluate(pdf.READY)
        found = page.evaluate(TAKE)
        chapters.append(Chapter(part.name, part.title, part.kind, found["body"]))
        for name, url in found["pictures"].items():
            pictures[name] = (pdf.SITE / url.removeprefix(where).lstrip("/")).read_bytes()
    names = {chapter.name for chapter in chapters}
    for chapter in chapters:
        chapter.body = linked(chapter.body, chapter.name, where, names)
    return chapters, pictures


def linked(body: str, page: str, where: str, names: set[str]) -> str:
    """Lead links to chapters of the book; those to the site's other pages become words."""

    def kept(found: re.Match) -> str:
        before, target, after, words = found.groups()
        address, _, place = html.unescape(target).partition("#")
        name = address.removeprefix(where).lstrip("/")
        if not address.startswith(where):
            return found[0] if re.match(r"https?:", address) else words
        if name not in names:
            return words
        inside = ("" if name == page else file_of(name)) + (f"#{place}" if place else "")
        return f'<a {before}href="{html.escape(inside or file_of(name))}"{after}>{words}</a>'

    return LINK.sub(kept, body)


# --- one file ------------------------------------------------------------------------------------


def pack(out: Path, chapters: list[Chapter], pictures: dict[str, bytes]) -> None:
    """Write the book: what it is comes first and unpacked, as readers of ePub demand."""
    files: dict[str, Any] = {"title.xhtml": title_page(), "nav.xhtml": contents(chapters)}
    files |= {c.file: written(c.title, c.body) for c in chapters}
    files |= {"epub.css": STYLE.read_text(encoding="utf-8")} | pictures
    out.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        book.writestr("META-INF/container.xml", CONTAINER)
        book.writestr("book/book.opf", package(files, chapters))
        for name, data in files.items():
            book.writestr(f"book/{name}", data)


def package(files: dict, chapters: list[Chapter]) -> str:
    """Return the list of everything in the book, and the order in which it is read."""
    ids = {name: f"f{k}" for k, name in enumerate(files)}
    maths = {c.file for c in chapters if "<math" in c.body}

    def properties(name: str) -> str:
        kind = "nav" if name == "nav.xhtml" else "mathml" if name in maths else ""
        return f' properties="{kind}"' if kind else ""

    items = "".join(
        f'<item id="{ids[n]}" href="{n}" media-type="{TYPES[Path(n).suffix]}"{properties(n)}/>'
        for n in files
    )
    order = ["title.xhtml", "nav.xhtml", *(c.file for c in chapters)]
    spine = "".join(f'<itemref idref="{ids[name]}"/>' for name in order)
    now = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
    fields = {"version": __version__, "title": TITLE, "about": ABOUT, "now": now}
    return PACKAGE.format(items=items, spine=spine, **fields)


def title_page() -> str:
    """Return the first page."""
    body = f"<h1>{TITLE}</h1><p>{ABOUT}.</p><p>lectures_lib {__version__}. Text and code under the "
    return written(TITLE, f"{body}BSD 3-Clause licence, data under their own.</p>")


def contents(chapters: list[Chapter]) -> str:
    """Return the contents, part by part."""
    listed = "".join(f"<li><span>{k}</span><ol>{''.join(e)}</ol></li>" for k, e in groups(chapters))
    return written("Contents", f'<nav epub:type="toc"><h1>Contents</h1><ol>{listed}</ol></nav>')


def groups(chapters: list[Chapter]) -> Iterator[tuple[str, list[str]]]:
    """Yield the parts of the book with a link to each of their chapters."""
    for kind in dict.fromkeys(c.kind for c in chapters):
        own = [c for c in chapters if c.kind == kind]
        yield kind, [f'<li><a href="{c.file}">{html.escape(c.title)}</a></li>' for c in own]


def written(title: str, body: str) -> str:
    """Return a file of the book."""
    return XHTML + HEAD.format(title=html.escape(title), body=body)


if __name__ == "__main__":
    sys.exit(main())
