"""Lay out the course as a web site and have Sphinx build it: ``python -m tools.book``.

The notebooks go in as they are stored (the tests have compared them with a fresh run); they are not
executed again. The layout is that of the repository, so that links between files hold on the site.
"""

import argparse
import importlib
import inspect
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import nbformat

import lectures_lib
from lectures_homework.instructor import masters
from lectures_lib import plots
from lectures_lib.widgets import exhibits
from tools import address, home, lite, nbrules, pages, paths, progress, ratios
from tools.environment import ROOT

BUILD = ROOT / "build" / "book"
#: Pages as they stand in the repository: for readers, for instructors, for contributors.
PAGES = ("CLAIMS.md", "NOTATION.md", "CHANGELOG.md", "CONTRIBUTING.md")
PAGES += ("benchmarks/README.md", "benchmarks/RESULTS.md", "benchmarks/growth.png")
PAGES += ("data/README.md", "proofs/README.md")
#: What stands in the margin, in order: title -> pages, a glob where it ends in a star.
CONTENTS = {
    "Lectures": ("notebooks/[0-9]*",),
    "Homework": ("homework/*",),
    "Teaching": ("instructors", "paths", "notebooks/homework/README", "hub", "graders"),
    "Reference": (
        "CLAIMS",
        "NOTATION",
        "api/index",
        "benchmarks/RESULTS",
        "benchmarks/README",
        "certify",
    ),
    "About": ("run", "CONTRIBUTING", "CHANGELOG", "data/README", "proofs/README"),
}
CLAIM = re.compile(r"^\| ([A-Z]{2}-\d+) \|", re.MULTILINE)
SECTION = re.compile(r"\[([^\]]+)\]\((notebooks/[^)#]+\.ipynb)\)")
#: The head of a table of claims, and what divides the cells of a row.
TABLE = re.compile(r"\| id \||\|---")
CELLS = re.compile(r"(?<!\\)\|")
#: A link of a page to what the site does not have: a folder, a script, a test.
OUTSIDE = re.compile(r"\[([^\]]*)\]\((?!https?:|#|mailto:)([^)#]*)(#[^)]*)?\)")


def main(arguments: list[str] | None = None) -> int:
    """Lay out the site, build it, and say where it is."""
    parser = argparse.ArgumentParser(prog="python -m tools.book", description=__doc__)
    parser.add_argument("--out", type=Path, default=BUILD / "html", help="where the pages go")
    parser.add_argument("--pages", action="store_true", help="pages only: nothing to run on them")
    options = parser.parse_args(arguments)
    out = options.out
    source = BUILD / "source"
    shutil.rmtree(BUILD, ignore_errors=True)
    lay_out(source)
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q"]
    done = subprocess.run([*command, "-d", BUILD / "doctrees", source, out])
    if done.returncode == 0:
        from tools import slides  # needs markdown-it, which only the site installs

        slides.main(["--out", str(out / "slides")])
        if not options.pages:
            lite.build(out / lite.FOLDER)
        print(f"The site is in {out.relative_to(ROOT)}: open index.html, or serve the folder.")
    return done.returncode


def lay_out(source: Path) -> None:
    """Write everything that Sphinx reads."""
    shutil.copytree(ROOT / "book", source, ignore=shutil.ignore_patterns("slides", "lite", "epub"))
    for name in (*PAGES, "notebooks/homework/README.md"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, source / name)
    claims = claims_of_sections((ROOT / "CLAIMS.md").read_text(encoding="utf-8"))
    for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
        shown = pages.coloured(lecture(nbrules.read(path), claims[path.name]))
        shown = with_exhibits(shown)
        shown = pages.lecture(shown, int(path.name[:2]))
        write(source / "notebooks" / path.name, with_button(shown, f"notebooks/{path.name}"))
    for name in masters.names():
        shown = pages.lecture(masters.student(masters.find(name).read(), 0), 0)
        write(source / "homework" / f"{name}.ipynb", with_button(shown, f"homework/{name}.ipynb"))
    draw_benchmarks(source / "benchmarks")
    for name in ALONE:
        page = source / name
        page.write_text(NO_MARGIN + page.read_text(encoding="utf-8"), encoding="utf-8")
    progress.write(source / "static")
    home.write(source / "index.md", anchor)
    page = source / "paths.md"
    page.write_text(paths.filled(page.read_text(encoding="utf-8")), encoding="utf-8")
    write_api(source / "api")
    write_contents(source)
    for page in source.rglob("*.md"):
        page.write_text(on_the_site(page, source), encoding="utf-8")


def write(path: Path, notebook: nbformat.NotebookNode) -> None:
    """Store a notebook."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(nbrules.dumps(notebook), encoding="utf-8")


def with_button(notebook: nbformat.NotebookNode, name: str) -> nbformat.NotebookNode:
    """Write under the title a link that opens the same notebook, running, in the browser."""
    title, _, rest = notebook.cells[0].source.partition("\n")
    words = f"Run this page in the browser <small>({lite.MEGABYTES} MB, once)</small>"
    link = f'<a class="run-here" href="../{lite.address(name)}">{words}</a>'
    if name.startswith("notebooks/"):
        link += f' <a class="slides-here" href="../slides/{Path(name).stem}.html">Slides</a>'
    notebook.cells[0].source = f"{title}\n\n<p>{link}</p>\n{elsewhere(name)}{rest}"
    return notebook


def elsewhere(name: str) -> str:
    """Return where else a lecture runs, and where it is edited; nothing without an address."""
    here = address.address()
    links = here.elsewhere(name) if name.startswith("notebooks/") else {}
    if not links:
        return ""
    listed = " · ".join(f'<a href="{url}">{words}</a>' for words, url in links.items())
    first = f"In Colab, first run a cell with `{here.install}`." if here.on_github else ""
    return f"\n{listed}. {first}\n"


def with_exhibits(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Put the working piece where the notebook keeps only how an exhibit starts."""
    for cell in notebook.cells:
        for output in cell.get("outputs", ()):
            if kept := output.get("data", {}).get(exhibits.MIME):
                output.data = {"text/html": exhibits.page(**kept)}
    return notebook


#: Pages without a list of their sections beside them: their tables need the width.
ALONE = ("benchmarks/RESULTS.md", "certify.md")
NO_MARGIN = "---\nhtml_theme.sidebar_secondary.remove: true\n---\n"
#: Code in a docstring, or a letter that means something in reStructuredText.
SPECIAL = re.compile(r"(?<!`)`([^`]+)`(?!`)|([*|`_\\])")
SIZE = re.compile(r"(?<=\d) x (?=\d)")


def draw_benchmarks(folder: Path) -> None:
    """Begin the page of results with what was found, and a picture of the ratios."""
    page = folder / "RESULTS.md"
    text = page.read_text(encoding="utf-8")
    rows = ratios.read(text)
    (folder / "ratios.png").write_bytes(plots.png(ratios.draw(rows)))
    found = f"**{ratios.finding(rows)}.** A bar to the right of 1 says that we are faster."
    picture = f"\n\n{found}\n\n![{ratios.words(rows)}](ratios.png)\n\n## How it was measured\n"
    title, _, rest = text.partition("\n")
    rest = SIZE.sub("\N{NO-BREAK SPACE}x\N{NO-BREAK SPACE}", rest)
    page.write_text(title + picture + rest, encoding="utf-8")


# --- claims and sections, in both directions -----------------------------------------------------


def claims_of_sections(text: str) -> dict[str, dict[str, list[str]]]:
    """Return notebook -> heading -> the claims that the heading's section shows."""
    found: dict = defaultdict(lambda: defaultdict(list))
    for line in text.splitlines():
        if claim := CLAIM.match(line):
            for heading, notebook in SECTION.findall(line):
                found[Path(notebook).name][heading].append(claim[1])
    return found


def lecture(notebook: nbformat.NotebookNode, claims: dict[str, list[str]]):
    """Return a lecture for the site: alt text where pages look for it, claims under headings."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = with_claims(cell.source, claims)
        for output in cell.get("outputs", ()):
            if alt := output.get("metadata", {}).get("image/png", {}).get("alt"):
                cell.metadata["mystnb"] = {"image": {"alt": alt}}
    return notebook


def with_claims(text: str, claims: dict[str, list[str]]) -> str:
    """Write under each heading which claims its section shows, each a link to its row."""

    def with_links(found: re.Match) -> str:
        ids = claims.get(found[2].strip(), ())
        links = ", ".join(f'<a href="../CLAIMS.html#{i.lower()}">{i}</a>' for i in ids)
        line = f'\n\n<p class="claims-here">Claims shown here: {links}</p>\n' if ids else ""
        return found[0] + line

    return re.sub(r"^(#{2,4}) (.+)$", with_links, text, flags=re.MULTILINE)


def on_the_site(page: Path, source: Path) -> str:
    """Return a page's text with links that lead somewhere on the site, or are none."""
    text = page.read_text(encoding="utf-8")
    if page.parent == source:  # the pages of book/ stand one floor higher on the site
        text = text.replace("](../", "](")
    if page.name == "CLAIMS.md":
        text = "\n".join(as_entry(line) for line in text.splitlines() if not TABLE.match(line))
        text = SECTION.sub(lambda m: f"[{m[1]}]({m[2]}#{anchor(m[1])})", text)

    def kept(found: re.Match) -> str:
        there = (page.parent / found[2]).resolve()
        return found[0] if found[2] == "" or there.is_file() or "html" in found[2] else found[1]

    return OUTSIDE.sub(kept, text)


def as_entry(line: str) -> str:
    """Return a row of the claims as a paragraph with its address; another line as it is."""
    if not CLAIM.match(line):
        return line
    name, claim, code, section, test = (part.strip() for part in CELLS.split(line.strip(" |")))
    tests = "\n".join(f"- {one}" for one in test.split(", "))
    code = re.sub(r"`([\w.]+)`", r"{py:obj}`\1 <lectures_lib.\1>`", code)
    claim = claim.replace("\\|", "|")
    return (
        f"({name.lower()})=\n**{name}.** {claim}\n\nCode: {code}. Shown in: {section}.\n\n"
        f"<details><summary>Tests of {name}</summary>\n\n{tests}\n\n</details>\n"
    )


def anchor(heading: str) -> str:
    """Return the address of a heading within its page, as MyST makes it."""
    return re.sub(r"[^\w\- ]", "", heading.lower().replace("$", "")).strip().replace(" ", "-")


# --- the reference -------------------------------------------------------------------------------


def write_api(folder: Path) -> None:
    """Write one page for each public room of the library."""
    folder.mkdir(parents=True)
    found = (p for p in (ROOT / "lectures_lib").iterdir() if not p.name.startswith("_"))
    rooms = sorted(p.stem for p in found if p.suffix == ".py" or (p / "__init__.py").is_file())
    rooms = [room for room in rooms if room not in ("data", *lectures_lib._MOVED)]
    for room in rooms:
        page = f"# `lectures_lib.{room}`\n\n```{{eval-rst}}\n{functions_of(room)}"
        page += f".. automodule:: lectures_lib.{room}\n"
        page += "   :imported-members:\n" if is_door(room) else ""
        (folder / f"{room}.md").write_text(page + "```\n", encoding="utf-8")
    lines = "\n".join(rooms)
    head = "# The library\n\nOne page for each room of `lectures_lib`. Examples assume "
    head += "`import numpy as np` and `from lectures_lib import ...` of the rooms they name.\n\n"
    (folder / "index.md").write_text(
        f"{head}```{{toctree}}\n:maxdepth: 1\n{lines}\n```\n", encoding="utf-8"
    )


def functions_of(room: str) -> str:
    """Return a list of a package's functions, each with the first sentence of its docstring."""
    module = importlib.import_module(f"lectures_lib.{room}")
    names = getattr(module, "__all__", [n for n in vars(module) if not n.startswith("_")])
    lines = []
    for name in names:
        it = getattr(module, name, None)
        ours = inspect.isfunction(it) and it.__module__.startswith(module.__name__)
        if ours and not name.startswith("_"):
            first = SPECIAL.sub(kept_code, (inspect.getdoc(it) or "").split("\n")[0])
            lines.append(f"* :py:obj:`{name} <lectures_lib.{room}.{name}>`: {first}\n")
    return "".join([".. rubric:: Functions\n\n", *lines, "\n"]) if lines else ""


def kept_code(found: re.Match) -> str:
    """Return code as reStructuredText's code, and a letter that means something there as itself."""
    return f"``{found[1]}``" if found[1] else f"\\{found[2]}"


def is_door(room: str) -> bool:
    """Say whether a room is a package, whose names come from its modules."""
    return (ROOT / "lectures_lib" / room).is_dir()


def write_contents(source: Path) -> None:
    """Add the table of contents to the first page."""
    parts = []
    for title, patterns in CONTENTS.items():
        pages = [p for pattern in patterns for p in matching(source, pattern)]
        lines = "\n".join(pages)
        parts.append(f"```{{toctree}}\n:hidden:\n:caption: {title}\n{lines}\n```\n")
    with (source / "index.md").open("a", encoding="utf-8") as page:
        page.write("\n".join(parts))


def matching(source: Path, pattern: str) -> list[str]:
    """Return the pages of a pattern without their suffix, in order."""
    found = (p for suffix in (".md", ".ipynb") for p in source.glob(pattern + suffix))
    return sorted(p.relative_to(source).with_suffix("").as_posix() for p in found)


if __name__ == "__main__":
    sys.exit(main())
