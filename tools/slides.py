"""Lecture notebooks as slides for a projector: ``python -m tools.slides``, or ``... 02 12``.

A slide says one thing: a heading with the first sentence and formulas of its section, a figure, an
exhibit with its legend, a quiz, a prediction. Prose goes into the speaker's notes (press S). What
is beyond `MAX_SLIDES` slides goes there, too, the least important first.
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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from markdown_it import MarkdownIt
from mdit_py_plugins.amsmath import amsmath_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from lectures_lib.widgets import exhibits
from tools import nbrules, pages
from tools.environment import ROOT

OUT = ROOT / "build" / "slides"
STYLE = ROOT / "book" / "slides"
#: The most slides of a lecture, and the most lines of code on one.
MAX_SLIDES, MAX_LINES = 35, 16
#: The most lines of a program and of what it prints together, and the most rows of a table.
MAX_BOTH, MAX_ROWS = 22, 12
#: How many first sentences of a section are on its slide.
SENTENCES = 4
#: A sentence of fewer words says little by itself; a list of more points is for the notes.
FEW, MOST_POINTS = 5, 5
FOLD = re.compile(r"<details>\s*<summary>(.*?)</summary>(.*?)</details>\n?", re.DOTALL)
CHOICE = re.compile(r"[A-Z]\. ")
TITLE = re.compile(r"# (?:Figure|Slider): (.+)")
LINK = re.compile(r"\[([^\]]+)\]\((?!https?:|mailto:)([^)]*)\)")
QUIZ = re.compile(r"\*\*Quiz ([\d.]+)\*\*")
PREDICT = "**Predict, then run.**"
#: A sentence that only says where in the lectures something stands, or points at what follows.
POINTS = re.compile(
    r"(L\d[^.]*slides?\b|In a common|Here is|Here are|Now look|We |The cell|Proof\.)"
)
SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z(`*$])")
#: Where in the lectures a thing stands, in brackets: for the notes.
PLACE = re.compile(
    r"\s*\((?:L\d[^()]*|slides? [^()]*|the note)\)|^\*\d+ minutes?\.\*\s*|^\*Proof\.\*\s*"
)
POINT = re.compile(r"\*\*([^*]+[.?!:])\*\*")
#: Parts of a lecture that are the lecturer's own business.
ASIDE = ("Further reading", "What an instructor may ask in class")
#: A formula in a line, with the stops and brackets that stay at it.
MATHS = r'<span class="math inline">\\\([^<]*\\\)</span>'
GLUED = re.compile(rf"{pages.BEFORE}{MATHS}{pages.AFTER}")
#: A section of which one sentence is said, and the slides that can begin with it.
ALONE = re.compile(r"<p>(?:(?!<p|\\\[).)*</p>\s*", re.DOTALL)
LED = ("prediction", "figure-slide", "exhibit-slide", "source")
#: The most lines of a program and what it prints below such a sentence.
ROOM = 12
FORMATTER = HtmlFormatter(nobackground=True, style="a11y-high-contrast-light")


@dataclass
class Slide:
    """A slide: title, HTML, how soon it is left out (0: never), the speaker's notes.

    `spare` are sentences that it can take where its only one would stand alone.
    """

    title: str
    body: str = ""
    rank: int = 0
    kind: str = ""
    notes: list[str] = field(default_factory=list)
    spare: list[str] = field(default_factory=list)

    def html(self) -> str:
        """Return the slide as reveal.js reads it."""
        notes = f'<aside class="notes">{"".join(self.notes)}</aside>' if self.notes else ""
        head = f'<h2 class="head">{inline(self.title)}</h2>'
        return (
            f'<section class="{self.kind}">{head}<div class="body">{self.body}</div>'
            f"{notes}</section>\n"
        )


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
    unused = shutil.ignore_patterns("*.map", "theme")
    shutil.copytree(reveal / "dist", out / "reveal", ignore=unused)
    shutil.copy(reveal / "plugin" / "notes" / "notes.js", out / "reveal" / "notes.js")
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
    slides = fewer(joined(Lecture(names).read(notebook)))
    body = pages.glued("".join(slide.html() for slide in slides), GLUED)
    return page(slides[0].title, f'<div class="reveal"><div class="slides">{body}</div></div>')


def fewer(slides: list[Slide], most: int = MAX_SLIDES) -> list[Slide]:
    """Return at most that many slides; what is left out stands in the notes of the one before."""
    slides = [s for s in slides if s.body or s.rank == 0]
    while len(slides) > most and (rank := max(s.rank for s in slides)):
        leave_out(slides, max(k for k, s in enumerate(slides) if s.rank == rank))
    return slides


def leave_out(slides: list[Slide], k: int) -> None:
    """Move a slide into the notes of the one before."""
    out = slides.pop(k)
    slides[k - 1].notes += [f"<h4>{inline(out.title)}</h4>", out.body, *out.notes]


def joined(slides: list[Slide]) -> list[Slide]:
    """Return the slides with no sentence alone on one: it leads what follows, or gets company."""
    for k in range(len(slides) - 2, 0, -1):
        slide, after = slides[k : k + 2]
        if slide.kind != "section" or not ALONE.fullmatch(slide.body):
            continue
        programs = "".join(re.findall("<pre.*?</pre>", after.body, re.DOTALL))
        if after.kind in LED and programs.count("\n") <= ROOM:
            lead(slide, after)
            del slides[k]
        elif slide.spare:
            slide.body += "".join(f'<p class="fragment point">{one}</p>' for one in slide.spare)
        else:
            leave_out(slides, k)
    return slides


def lead(slide: Slide, after: Slide) -> None:
    """Begin a slide with the title, the sentence and the notes of the one before."""
    body = after.body
    if after.kind == "prediction":
        body = body.replace("<p>", f"<p><strong>{after.title}.</strong> ", 1)
    elif after.kind == "figure-slide" and after.title != slide.title:
        caption = f"<figcaption>{inline(after.title)}</figcaption></figure>"
        body = body.replace("</figure>", caption)
    if after.kind != "exhibit-slide":  # its legend has the sentence
        body, after.kind = slide.body + body, f"{after.kind} led"
    after.title, after.body, after.rank = slide.title, body, min(slide.rank, after.rank)
    after.notes = slide.notes + after.notes


class Lecture:
    """Reads a notebook cell by cell; what it has read so far is `slides`."""

    def __init__(self, names: list[str]) -> None:
        """Start with nothing; links lead to the decks of these names."""
        self.names, self.slides = names, [Slide("")]
        self.further, self.aside = 0, False
        self.question, self.legend, self.section = "", "", ""

    def read(self, notebook: nbformat.NotebookNode) -> list[Slide]:
        """Return the slides of a whole notebook."""
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                self.text(cell.source)
            else:
                self.code(cell)
        return [slide for slide in self.slides if slide.title]

    def add(self, title: str, body: str, rank: int = 0, kind: str = "", note: str = "") -> None:
        """Add a slide; what comes under Further is left out sooner."""
        rank = rank + self.further if rank else 0
        self.slides.append(Slide(title, body, rank, kind, [note] if note else []))

    def note(self, made: str) -> None:
        """Add to the notes of the last slide."""
        self.slides[-1].notes.append(made)

    # text

    def text(self, source: str) -> None:
        """Read a text: headings, formulas and points onto slides, all of it into the notes."""
        source = linked(source, self.names)
        if quiz := QUIZ.search(source):
            self.text(source[: quiz.start()])
            self.quiz(quiz[1], source[quiz.end() :])
            return
        if source.startswith(("**Exercise", "**Recall")):
            self.note(rendered(reader().parse(source)))
            return
        self.question = self.legend = ""
        words = FOLD.sub(lambda m: "" if m[1] in ASIDE else answered(m), source)
        for first, last in blocks(tokens := reader().parse(words)):
            self.block(tokens[first:last])
        for title, words in FOLD.findall(source):
            if title in ASIDE:
                self.note(f"<h4>{title}</h4>{rendered(reader().parse(words.strip()))}")

    def block(self, tokens: list) -> None:
        """Read one block of a text."""
        kind, made = tokens[0].type, rendered(tokens)
        if kind == "heading_open":
            self.heading(tokens[1].content, tokens[0].tag)
            return
        words = tokens[1].content if kind == "paragraph_open" else ""
        if words.startswith(PREDICT):
            self.question = f"<p>{inline(words.removeprefix(PREDICT).strip())}</p>"
            return
        now = self.slides[-1]
        self.aside = self.aside or words.strip("*. ") in ASIDE
        if self.aside or (self.section == "Further" and kind == "table_open"):
            self.note(made)
        elif kind.endswith("list_open") and (items := self.points(tokens)):
            now.body += f"<ul>{items}</ul>"
            self.note(made)
        elif kind == "blockquote_open" and now.kind == "section":  # what is proved
            now.body += made
        elif kind in ("math_block", "amsmath") and now.kind in ("section", "points"):
            now.body += f'<div class="fragment">{made}</div>' if "\\[" in now.body else made
        elif kind == "fence" and tokens[0].content.count("\n") <= MAX_LINES:
            self.beside(made)
        elif kind == "table_open" and made.count("<tr") <= MAX_ROWS:
            self.beside(made)
        else:
            self.prose(words, made)

    def points(self, tokens: list) -> str:
        """Return the items of a list that is for its slide: all of it, or few beside few words."""
        said = [inline(sentences(one.content)[0]) for one in tokens if one.type == "inline"]
        now = self.slides[-1]
        room = now.body.count("<p") < SENTENCES - 1 and not re.search("<ul|<pre|<table", now.body)
        few = now.kind == "section" and room and len(said) <= MOST_POINTS
        shown = now.kind == "points" or few
        return "".join(f'<li class="fragment">{one}</li>' for one in said) if shown else ""

    def beside(self, made: str) -> None:
        """Put a program or a table under the sentences of its section; a second one on its own."""
        now = self.slides[-1]
        full = "<table" in made and len(re.findall(r"<p|\\\[", now.body)) > SENTENCES
        if now.kind == "section" and not full and not re.search("<pre|<table", now.body):
            now.body += made
        else:
            self.add(self.section, made, rank=1, kind="source")

    def prose(self, words: str, made: str) -> None:
        """Keep prose as notes; a bold point or first sentence goes onto the section's slide."""
        now, point = self.slides[-1], POINT.match(words)
        self.legend += made
        said, *spare = [point[1]] if point else sentences(words)
        if not words or now.body.count("<p") >= (SENTENCES if now.kind == "section" else 1):
            pass
        elif now.kind in ("section", "points") and not now.body:
            now.body = f"<p>{inline(said)}</p>"
            now.spare = [inline(one) for one in spare[:2]]
        elif now.kind == "section":
            now.body += f'<p class="fragment point">{inline(said)}</p>'
        self.note(made)

    def heading(self, title: str, tag: str) -> None:
        """Begin a section, with a slide of its own."""
        self.aside, self.section = title in ASIDE, title
        if self.aside or title == "Further":
            self.further = 2 if title == "Further" else self.further
            self.note(f"<h4>{inline(title)}</h4>")
            return
        first = tag == "h1" or title == "Take-away"
        self.add(title, "", rank=0 if first else 2, kind="points" if first else "section")
        self.slides[-1].rank = 0 if first or not self.further else 4

    def quiz(self, number: str, source: str) -> None:
        """Add a quiz: its answers to choose from; then which one is right, and why."""
        question, folds = FOLD.sub("", source), FOLD.findall(source)
        options, why = [], ""
        for title, text in folds:
            right = "✓" in text
            kind = "right" if right else "wrong"
            options.append(f'<li class="{kind}">{inline(title)}</li>')
            words = rendered(reader().parse(text.strip()))
            why = words if right else why
        note = "".join(
            f"<p>{inline(title)}</p>{rendered(reader().parse(text.strip()))}"
            for title, text in folds
        )
        body = rendered(reader().parse(question.strip()))
        body += f'<ul class="options">{"".join(options)}</ul><div class="fragment why">{why}</div>'
        self.add(f"Quiz {number}", body, rank=1, kind="quiz", note=note)

    # code

    def code(self, cell: nbformat.NotebookNode) -> None:
        """Read a code cell: predictions, figures, exhibits, sources; prints go into the notes."""
        question, self.question = self.question, ""
        if "exercises.check(" in cell.source or is_setup(cell.source):
            return
        outputs = [made for output in cell.outputs for made in shown(output, cell.source)]
        if question and "hide-output" in cell.metadata.get("tags", ()):
            self.prediction(question, cell.source, outputs)
            return
        for kind, title, made in outputs:
            if kind == "exhibit":
                sides = f'<div class="legend">{self.legend}</div><div>{made}</div>'
                self.add(self.section, sides, kind="exhibit-slide")
            elif kind == "figure":
                self.add(title or self.section, made, rank=1, kind="figure-slide")
            elif kind == "text" and self.slides[-1].title:
                self.note(made)
            else:
                self.add(self.section, made, rank=2, kind="source")

    def prediction(self, question: str, source: str, outputs: list) -> None:
        """Add a prediction: the question and its program; then what it shows."""
        drawn = any(kind == "figure" for kind, _, _ in outputs)
        body = question
        printed = sum(made.count("\n") + 1 for kind, _, made in outputs if kind == "text")
        long = len(source.splitlines()) > min(MAX_LINES, MAX_BOTH - printed)
        if drawn or long:  # a figure needs the room
            outputs = [one for one in outputs if one[0] == "figure"] or outputs
        tall = [out for kind, _, out in outputs if kind == "text" and "<table" in out]
        shown = [out for _, _, out in outputs if out not in tall]
        if shown and not drawn and not long:
            body += program(source)
        body += "".join(f'<div class="fragment">{out}</div>' for out in shown)
        self.add("Predict, then run", body, rank=2, kind="prediction", note="".join(tall))


def answered(found: re.Match) -> str:
    """Return a fold of help as words for the notes."""
    stop = "" if found[1].endswith(("?", "!", ".")) else "."
    return f"*{found[1]}{stop}* {found[2].strip()}\n"


def sentences(words: str) -> list[str]:
    """Return the sentences of a paragraph that say something; at least its first.

    >>> sentences("L1, slide *Example*. Six points arrive in order. Then more arrive.")
    ['Six points arrive in order.', 'Then more arrive.']

    A question, or a few words, say something with the sentence after them.

    >>> sentences("Shuffle. Sorted orders are bad. Why? An average takes the luck out.")
    ['Shuffle. Sorted orders are bad.', 'Why? An average takes the luck out.']
    """
    found: list[str] = []
    for one in SENTENCE.split(PLACE.sub("", words.replace("\n", " "))):
        last = found[-1] if found and not POINTS.match(found[-1]) else ""
        opens = last.endswith("?") or 0 < len(last.split()) < FEW
        if opens and not POINTS.match(one):
            found[-1] += f" {one}"
        else:
            found.append(one)
    return [one for one in found if not POINTS.match(one)] or found[:1]


def is_setup(code: str) -> bool:
    """Say whether a cell only imports."""
    return all(isinstance(node, ast.Import | ast.ImportFrom) for node in ast.parse(code).body)


def program(code: str) -> str:
    """Return code, in colours."""
    return f'<div class="code">{highlight(code, PythonLexer(), FORMATTER)}</div>'


def shown(output: Any, source: str) -> Iterator[tuple[str, str, str]]:
    """Give what an output shows: its kind, its title and its HTML."""
    data = output.get("data", {})
    if "text" in output:
        yield "text", "", f"<pre>{html.escape(output.text.rstrip())}</pre>"
    elif exhibits.MIME in data:
        yield "exhibit", "", exhibits.page(**data[exhibits.MIME])
    elif "image/png" in data:
        alt = output.metadata.get("image/png", {}).get("alt", "")
        named = TITLE.match(source)
        title = pages.capital(named[1]) if named else ""
        image = f'<img alt="{html.escape(alt)}" src="data:image/png;base64,{data["image/png"]}">'
        yield "figure", title, f"<figure>{image}</figure>"
    elif "text/markdown" in data:
        text = data["text/markdown"]
        kind = "text" if len(text.splitlines()) > MAX_LINES + 2 else "source"
        yield kind, "", rendered(reader().parse(text))


# --- text ----------------------------------------------------------------------------------------


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


# --- pages ---------------------------------------------------------------------------------------


def page(title: str, body: str) -> str:
    """Return a page with the slides' style, and its script where there are slides."""
    styles = ("reveal/reset.css", "reveal/reveal.css", "code.css", "slides.css")
    links = "".join(f'<link rel="stylesheet" href="{name}">' for name in styles)
    scripts = ("reveal/reveal.js", "reveal/notes.js", "slides.js", "mathjax/tex-svg.js")
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
    keys = "Space: on. Shift and Space: back. S: the speaker's notes. Esc: all slides. "
    keys += "F: full screen. B: black. On paper: add ?view=print to the address."
    return page("Slides", f"<main><h1>Slides</h1><p>{keys}</p><ul>{''.join(links)}</ul></main>")


if __name__ == "__main__":
    sys.exit(main())
