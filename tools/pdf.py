"""The course on paper: every lecture and homework in one PDF, ``python -m tools.pdf``.

The site's own pages go through the print of a chromium that is installed, one by one, so that paper
shows what the site shows: light, results open, answers at the end of each page. Page numbers run
through, the contents name them, and a link to another page of the course stays inside the file.
"""

import html
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from pypdf import PdfReader, PdfWriter
from pypdf.generic import ArrayObject, NameObject

from lectures_lib import __version__
from tools import serving
from tools.environment import ROOT

SITE = ROOT / "build" / "book" / "html"
OUT = ROOT / "build" / "course.pdf"
#: What is printed, in order: a glob of the site's pages -> the part it belongs to.
PARTS = {"notebooks/[0-9]*.html": "Lectures", "homework/*.html": "Homework"}
PARTS |= {"NOTATION.html": "Reference", "CLAIMS.html": "Reference"}
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")
NEEDS = (
    "This needs a browser of the system, chromium or chrome: apt install chromium. Then: make pdf"
)
PAPER = {"format": "A4", "print_background": True, "prefer_css_page_size": True}
PATIENCE = 180_000
#: Stands for the site in the contents.
COURSE = "http://course"
#: Numbers at the foot; `first` is the number of a part's first page.
FOOT = "@page {{ margin: 18mm 16mm 20mm; @bottom-center {{ content: counter(page); font: 9pt "
FOOT += "sans-serif; }} }} html {{ counter-reset: page {before}; }}"
#: Until formulas are typeset and pictures are here.
READY = """async () => {
  await window.MathJax?.startup?.promise;
  document.querySelectorAll("img").forEach((it) => (it.loading = "eager"));
  await Promise.all([...document.images].map((it) => it.decode().catch(() => {})));
}"""


@dataclass
class Part:
    """A page of the site: where it is, what it is called, its paper and where that begins."""

    name: str
    title: str
    kind: str
    pages: int = 0
    first: int = 0


def main() -> int:
    """Print the site that was built; say where the file is, or what is missing."""
    chromium = program()
    if chromium is None:
        print(NEEDS)
        return 2
    from playwright.sync_api import sync_playwright

    work = OUT.with_suffix(".parts")
    work.mkdir(parents=True, exist_ok=True)
    with serving.served(SITE) as where, sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=FLAGS, timeout=PATIENCE)
        page = browser.new_page(viewport={"width": 1100, "height": 1400})
        page.set_default_timeout(PATIENCE)
        made = list(parts())
        front = print_all(page, where, made, work)
        browser.close()
        bind(front, made, work, where)
    shutil.rmtree(work)
    print(f"{OUT.relative_to(ROOT)}: {len(PdfReader(OUT).pages)} pages.")
    return 0


def program() -> str | None:
    """Return the browser of this system; None if there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def parts(site: Path = SITE) -> Iterator[Part]:
    """Give the pages to print, in order."""
    for pattern, kind in PARTS.items():
        for path in sorted(site.glob(pattern)):
            found = re.search(r"<h1>(.*?)</h1>", path.read_text(encoding="utf-8"), re.DOTALL)
            words = html.unescape(re.sub("<[^>]+>", "", found[1])) if found else path.stem
            title = words.strip().splitlines()[0].rstrip("#")
            yield Part(path.relative_to(site).as_posix(), title, kind)


def print_all(page, where: str, made: list[Part], work: Path) -> int:
    """Print contents and parts, each numbered on from the one before; return the contents' pages.

    How many pages there are is known when a part is printed: the contents come last.
    """
    front = print_contents(page, made, work)
    number = front
    for k, part in enumerate(made):
        page.goto(f"{where}/{part.name}", wait_until="load")
        page.evaluate(READY)
        part.first = number + 1
        write(page, work / f"{k}.pdf", number)
        part.pages = len(PdfReader(work / f"{k}.pdf").pages)
        number += part.pages
        print(f"{part.title}: {part.pages} pages", flush=True)
    if print_contents(page, made, work) != front:
        raise RuntimeError("The contents have another length with their numbers.")
    return front


def print_contents(page, made: list[Part], work: Path) -> int:
    """Print title and contents; return how many pages they are."""
    page.set_content(contents(made))
    write(page, work / "front.pdf", 0)
    return len(PdfReader(work / "front.pdf").pages)


def write(page, path: Path, before: int) -> None:
    """Print what a page shows, its first page numbered after those before it."""
    page.add_style_tag(content=FOOT.format(before=before))
    page.pdf(path=path, tagged=True, outline=False, **PAPER)


def contents(made: list[Part]) -> str:
    """Return the title page and the table of contents."""
    rows, kind = [], ""
    for part in made:
        if part.kind != kind:
            rows.append(f"<tr><th colspan=2>{part.kind}</th></tr>")
            kind = part.kind
        link = f'<a href="{COURSE}/{part.name}">{html.escape(part.title)}</a>'
        rows.append(f"<tr><td>{link}</td><td class=n>{part.first or 999}</td></tr>")
    return (
        "<!doctype html><html lang=en><title>Perceptrons, margins, kernels and SVMs</title><style>"
        "body{font:11pt/1.35 sans-serif} h1{font-size:30pt;margin-top:35mm} table{width:100%}"
        "th{text-align:left;padding-top:1em} .n{text-align:right} a{color:#00558a;text-decoration:"
        "none} h2{break-before:page}</style><h1>A machine that proves its answers</h1><p>"
        "Perceptrons, margins, kernels and support vector machines, in notebooks that run.</p>"
        f"<p>lectures_lib {__version__}, printed on {date.today():%d %B %Y}. Text and code under "
        "the BSD 3-Clause licence, data under their own.</p>"
        f"<h2>Contents</h2><table>{''.join(rows)}</table></html>"
    )


# --- one file ------------------------------------------------------------------------------------


def bind(front: int, made: list[Part], work: Path, where: str) -> None:
    """Write the parts as one file, with bookmarks and links that stay inside."""
    writer = PdfWriter()
    writer.append(work / "front.pdf", import_outline=False)
    writer.add_outline_item(title="Contents", page_number=min(1, front - 1))
    groups: dict[str, Any] = {}
    for k, part in enumerate(made):
        writer.append(work / f"{k}.pdf", import_outline=False)
        first = part.first - 1
        if part.kind not in groups:
            groups[part.kind] = writer.add_outline_item(title=part.kind, page_number=first)
        writer.add_outline_item(title=part.title, page_number=first, parent=groups[part.kind])
    inside = {f"{base}/{p.name}": p.first - 1 for p in made for base in (where, COURSE)}
    for page in writer.pages:
        relink(writer, page, inside, where)
    writer.add_metadata({"/Title": "Perceptrons, margins, kernels and SVMs"})
    writer.write(OUT)


def relink(writer: PdfWriter, page, inside: dict[str, int], where: str) -> None:
    """Lead a page's links to pages of this file; those to the site's other pages become words."""
    for reference in page.get("/Annots", ()):
        link = reference.get_object()
        uri = str(link.get("/A", {}).get("/URI", ""))
        target = inside.get(uri.partition("#")[0])
        if target is not None:
            there = writer.pages[target].indirect_reference
            link[NameObject("/Dest")] = ArrayObject([there, NameObject("/Fit")])
        if target is not None or uri.startswith((where, COURSE)):
            del link["/A"]


if __name__ == "__main__":
    sys.exit(main())
