"""Lecture notebooks as slides for a projector: ``python -m tools.slides``, or ``... 02 12``.

The notebooks go in as they are stored. One slide holds one piece of text, one cell or one figure;
what only draws and what is folded stays out, and an output to be predicted comes a slide later.
Reveal.js and MathJax are taken from packages, so that the slides ask nothing of another host.
"""

import argparse
import ast
import html
import importlib.util
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
from markdown_it import MarkdownIt
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from lectures_lib.widgets import exhibits
from tools import nbrules
from tools.environment import ROOT

OUT = ROOT / "build" / "slides"
STYLE = ROOT / "book" / "slides"
#: What a slide holds, in lines of its text; a line of code or of a table is lower.
ROOM, LINE, CODE, ROW = 13.5, 76, 0.78, 1.3
FOLD = re.compile(r"<details>\s*<summary>(.*?)</summary>.*?</details>\n?", re.DOTALL)
CHOICE = re.compile(r"[A-Z]\. ")
TITLE = re.compile(r"# (?:Figure|Slider): (.+)")
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:|mailto:)([^)]*)\)")
FORMATTER = HtmlFormatter(nobackground=True, style="a11y-high-contrast-light")


class Piece(NamedTuple):
    """A part of a slide: its HTML and height in lines; alone or with the next one, or neither."""

    html: str
    height: float
    alone: bool = False
    leads: bool = False


class Section(NamedTuple):
    """What stands under one heading: its title and its slides."""

    title: str
    slides: list[str]


def main(arguments: list[str] | None = None) -> int:
    """Write the slides of some notebooks, or of all, and say where they are."""
    parser = argparse.ArgumentParser(prog="python -m tools.slides", description=__doc__)
    parser.add_argument("notebooks", nargs="*", help="how their names begin: 02 12; none: all")
    parser.add_argument("--out", type=Path, default=OUT, help="where the slides go")
    options = parser.parse_args(arguments)
    begin = tuple(options.notebooks) or ("",)
    found = sorted(p for p in (ROOT / "notebooks").glob("[0-9]*.ipynb") if p.name.startswith(begin))
    if not found:
        parser.error(f"no notebook begins with {' or '.join(begin)}.")
    shutil.rmtree(options.out, ignore_errors=True)
    furnish(options.out)
    names = [path.stem for path in found]
    for path in found:
        text = deck(nbrules.read(path), names)
        (options.out / f"{path.stem}.html").write_text(text, encoding="utf-8")
    (options.out / "index.html").write_text(contents(found), encoding="utf-8")
    print(f"{len(found)} lectures as slides are in {options.out}: open index.html.")
    return 0


def furnish(out: Path) -> None:
    """Put what every deck loads beside the decks."""
    reveal = package("sphinx_revealjs") / "_static" / "revealjs"
    shutil.copytree(
        reveal / "dist", out / "reveal", ignore=shutil.ignore_patterns("*.map", "theme")
    )
    mathjax = package("sphinx-mathjax-offline") / "static" / "mathjax"
    unused = shutil.ignore_patterns("chtml", "sre", "a11y", "*chtml*", "mml*", "node-main*")
    shutil.copytree(mathjax, out / "mathjax", ignore=unused)
    for name in ("slides.css", "slides.js"):
        shutil.copy(STYLE / name, out / name)
    colours = FORMATTER.get_style_defs(".code")
    (out / "code.css").write_text(colours, encoding="utf-8")


def package(name: str) -> Path:
    """Return the folder of an installed package."""
    spec = importlib.util.find_spec(name)
    places = list(spec.submodule_search_locations or ()) if spec else []
    if not places:
        raise ImportError(f"{name} is not installed: make slides installs it.")
    return Path(places[0])


# --- from cells to slides ------------------------------------------------------------------------


def deck(notebook: nbformat.NotebookNode, names: list[str]) -> str:
    """Return the page of a notebook."""
    parts = list(sections(notebook, names))
    body = "\n".join(
        f"<section>{''.join(slide(p, k) for k in range(len(p.slides)))}</section>" for p in parts
    )
    return page(parts[0].title, f'<div class="reveal"><div class="slides">{body}</div></div>')


def slide(section: Section, k: int) -> str:
    """Return slide k of a section, with its title above: large on the first."""
    tag = ("h1" if not CHOICE.match(section.title) else "h2") if k == 0 else "p"
    head = f'<{tag} class="head">{inline(section.title)}</{tag}>'
    return f'<section>{head}<div class="body">{section.slides[k]}</div></section>\n'


def sections(notebook: nbformat.NotebookNode, names: list[str]) -> Iterator[Section]:
    """Give the sections of a notebook, each with its slides."""
    title, pieces = "", []
    for cell in notebook.cells:
        for found in pieces_of(cell, names):
            if isinstance(found, Piece):
                pieces.append(found)
                continue
            if title:
                yield Section(title, filled(pieces))
            title, pieces = found, []
    yield Section(title, filled(pieces))


def filled(pieces: list[Piece]) -> list[str]:
    """Return slides: pieces in order, as many on one as there is room for."""
    slides: list[list[Piece]] = [[]]
    for piece in pieces:
        there = slides[-1]
        full = sum(p.height for p in there) + piece.height > ROOM
        if there and (full or piece.alone or there[-1].alone):
            leading = [there.pop()] if len(there) > 1 and there[-1].leads else []
            slides.append([] if piece.alone else leading)
            there += leading if piece.alone else []
        slides[-1].append(piece)
    return ["".join(p.html for p in there) for there in slides]


def pieces_of(cell: nbformat.NotebookNode, names: list[str]) -> Iterator[Piece | str]:
    """Give the pieces of a cell; a title as a string where a section begins."""
    if cell.cell_type == "markdown":
        yield from told(cell.source, names)
        return
    tags = cell.metadata.get("tags", ())
    code = "" if "hide-input" in tags or is_setup(cell.source) else cell.source
    exercise = "exercises.check(" in cell.source
    outputs = [] if exercise else [p for o in cell.outputs for p in shown(o, cell.source, names)]
    if code and not only_shows(code, outputs):
        yield program(code)
        if "hide-output" in tags and outputs and not outputs[0].alone:
            yield revealed(program(code), *outputs)
            return
    yield from outputs


def revealed(*pieces: Piece) -> Piece:
    """Return one slide of code and what it printed: the question was on the slide before."""
    return Piece("".join(p.html for p in pieces), sum(p.height for p in pieces), alone=True)


def is_setup(code: str) -> bool:
    """Say whether a cell only imports."""
    return all(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.parse(code).body)


def only_shows(code: str, outputs: list[Piece]) -> bool:
    """Say whether a cell is one line that asks for what is shown below it."""
    return len(code.splitlines()) == 1 and bool(outputs)


def program(code: str) -> Piece:
    """Return code, in colours."""
    lines = len(code.splitlines())
    return Piece(
        f'<div class="code">{highlight(code, PythonLexer(), FORMATTER)}</div>', CODE * lines + 0.5
    )


def shown(output: Any, source: str, names: list[str]) -> Iterator[Piece]:
    """Give what an output shows: printed text, a figure, an exhibit, a proof."""
    data = output.get("data", {})
    if "text" in output:
        text = output.text.rstrip()
        yield Piece(f"<pre>{html.escape(text)}</pre>", CODE * len(text.splitlines()) + 0.5)
    elif exhibits.MIME in data:
        yield Piece(exhibits.page(**data[exhibits.MIME]), ROOM, alone=True)
    elif "image/png" in data:
        alt = output.metadata.get("image/png", {}).get("alt", "")
        named = TITLE.match(source)
        words = html.escape(named[1][0].upper() + named[1][1:]) if named else ""
        title = f"<figcaption>{words}</figcaption>" if named else ""
        image = f'<img alt="{html.escape(alt)}" src="data:image/png;base64,{data["image/png"]}">'
        yield Piece(f"<figure>{title}{image}</figure>", ROOM, alone=True)
    elif "text/markdown" in data:
        yield from (p for p in told(data["text/markdown"], names) if isinstance(p, Piece))


# --- text ----------------------------------------------------------------------------------------


def told(text: str, names: list[str]) -> Iterator[Piece | str]:
    """Give the blocks of a text: paragraphs, items of lists, tables, formulas; titles as str."""
    tokens = reader().parse(linked(unfolded(text), names))
    for first, last in blocks(tokens):
        piece = tokens[first:last]
        if piece[0].type == "heading_open" and piece[0].tag in ("h1", "h2"):
            yield piece[1].content
        elif piece[0].type.endswith("list_open"):
            yield from items(piece)
        else:
            leads = piece[-2].content.endswith(":") if len(piece) > 2 else False
            yield Piece(rendered(piece), height(piece), alone=is_wide(piece), leads=leads)


def unfolded(text: str) -> str:
    """Return a text without its folds; of a quiz the answers to choose from stay."""

    def kept(found: re.Match) -> str:
        return f"- {found[1]}\n" if CHOICE.match(found[1]) else ""

    return FOLD.sub(kept, text)


def linked(text: str, names: list[str]) -> str:
    """Return a text whose links lead to slides that are there; the others are words."""

    def kept(found: re.Match) -> str:
        name = Path(found[2].partition("#")[0]).stem
        return f"[{found[1]}]({name}.html)" if name in names else found[1]

    return LINK.sub(kept, text)


def reader() -> MarkdownIt:
    """Return what reads the notebooks' Markdown; formulas are left to MathJax."""
    made = MarkdownIt("commonmark").enable("table")
    dollarmath_plugin(made, allow_labels=False, renderer=formula)
    amsmath_plugin(made, renderer=lambda text: f"\\[{html.escape(text)}\\]")
    return made


def formula(text: str, options: dict) -> str:
    """Return a formula as MathJax looks for it."""
    left, right = (r"\[", r"\]") if options["display_mode"] else (r"\(", r"\)")
    return f"{left}{html.escape(text)}{right}"


def inline(text: str) -> str:
    """Return a line of Markdown as HTML."""
    return reader().renderInline(text)


def rendered(tokens: list) -> str:
    """Return tokens as HTML."""
    made = reader()
    return made.renderer.render(tokens, made.options, {})


def blocks(tokens: list) -> Iterator[tuple[int, int]]:
    """Give first and last place of every block of the highest level."""
    first = 0
    for k, token in enumerate(tokens):
        if token.level == 0 and token.nesting <= 0:
            yield first, k + 1
            first = k + 1


def is_wide(tokens: list) -> bool:
    """Say whether these are a table whose letters must be small: nothing else shares its slide."""
    rows = "".join("\n" if t.type == "tr_open" else plain(t.content) for t in tokens).split("\n")
    return tokens[0].type == "table_open" and max(map(len, rows)) > 1.2 * LINE


def items(tokens: list) -> Iterator[Piece]:
    """Give every item of a list as a list of its own, numbered on."""
    number, first = int(tokens[0].attrGet("start") or 1), 1
    for k, token in enumerate(tokens):
        if token.type == "list_item_close" and token.level == 1:
            inside = rendered(tokens[first : k + 1])
            tag = tokens[0].tag
            start = f' start="{number}"' if tag == "ol" else ""
            yield Piece(f"<{tag}{start}>{inside}</{tag}>", height(tokens[first : k + 1]))
            number, first = number + 1, k + 1


def height(tokens: list) -> float:
    """Return about how many lines tokens take on a slide."""
    total, table = 0.0, any(token.type == "tr_open" for token in tokens)
    for token in tokens:
        if token.type in ("fence", "code_block"):
            total += CODE * len(token.content.splitlines()) + 0.5
        elif token.type in ("math_block", "amsmath"):
            total += 1.8 + token.content.count(r"\\")
        elif token.type == "tr_open":
            total += ROW
        elif token.type == "inline" and not table:
            total += 0.5 + -(-len(plain(token.content)) // LINE)
    return total


def plain(text: str) -> str:
    """Return a text about as long as it looks: a command of a formula is one letter."""
    return re.sub(r"\\[a-zA-Z]+|[{}$*`_^]|\]\([^)]*\)", "", text)


# --- pages ---------------------------------------------------------------------------------------


def page(title: str, body: str) -> str:
    """Return a page with the slides' style, and its script where there are slides."""
    styles = ("reveal/reset.css", "reveal/reveal.css", "code.css", "slides.css")
    links = "".join(f'<link rel="stylesheet" href="{name}">' for name in styles)
    scripts = ("reveal/reveal.js", "slides.js", "mathjax/tex-svg.js")
    run = "".join(f'<script src="{name}"></script>' for name in scripts)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}'
        f"</title>{links}</head>\n<body>{body}\n{run if 'reveal' in body else ''}</body></html>\n"
    )


def contents(found: list[Path]) -> str:
    """Return the page that leads to the decks."""
    titles = [nbrules.read(path).cells[0].source.splitlines()[0].lstrip("# ") for path in found]
    links = (
        f'<li><a href="{p.stem}.html">{html.escape(t)}</a></li>' for p, t in zip(found, titles)
    )
    keys = "Space: on. Shift and Space: back. Esc: all slides. F: full screen. B: black."
    return page("Slides", f"<main><h1>Slides</h1><p>{keys}</p><ul>{''.join(links)}</ul></main>")


if __name__ == "__main__":
    sys.exit(main())
