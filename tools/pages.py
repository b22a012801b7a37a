"""Turn a stored notebook into a page of the site: quizzes, folds, figures, formulas.

Jupyter reads a notebook as Markdown with some HTML; Sphinx leaves HTML alone. So what stands inside
HTML (formulas in a fold's title), and what only a page can have (numbered figures, quizzes that
keep score), is written here, into a copy that nobody executes.
"""

import html
import re
from collections.abc import Iterator

import nbformat

from lectures_lib.widgets import exhibits

#: The title of a fold, and what opens one.
SUMMARY = re.compile(r"<summary>(.*?)</summary>", re.DOTALL)
FOLD = re.compile(r"<details><summary>(.*?)</summary>\s*(✓|✗)?", re.DOTALL)
QUIZ = re.compile(r"^\*\*Quiz (\d+\.\d+)\*\*", re.MULTILINE)
#: The last fold of a text, to its end.
LAST_FOLD = "</details>"
#: Inline Markdown in a fold's title: code first, because nothing inside it is Markdown.
INLINE = re.compile(r"`([^`]+)`|\$([^$]+)\$|\*\*([^*]+)\*\*|\*([^*]+)\*")
FIGURE = re.compile(r"^# Figure: (.+)$", re.MULTILINE)
COMMENT = re.compile(r"^# (.+)$", re.MULTILINE)

#: A displayed formula with nothing else in its lines.
DISPLAY = re.compile(r"(?:\A|\n+)([ \t]*\$\$[^$]+\$\$)[ \t]*(?:\n+|\Z)")
#: What `plots.show` writes below a figure.
WORDS = "<summary>The figure in words</summary>"
#: What `widgets.slide` stores of a slider, and what a page without Python says instead.
SLIDER = "A slider for "
STILL = '<p class="still">Here stands a slider. It moves when you run this page in the browser.</p>'
RESULT = "Run it: show the result"
#: A formula in a line; from this many letters on it may be broken, and where its tokens are.
FORMULA = re.compile(r"(?<![\\$])\$(?![$\s])([^$\n]+?)(?<!\s)\$(?!\$)")
LONG = 60
TOKEN = re.compile(r"\\(?:left|right)\s*(?:\\.|.)|\\[a-zA-Z]+|\\.|.", re.DOTALL)
OPENS = ("{", "(", "[", "\\{", "\\left", "\\begin", "\\lVert", "\\lvert", "\\langle", "\\lfloor")
CLOSES = ("}", ")", "]", "\\}", "\\right", "\\end", "\\rVert", "\\rvert", "\\rangle", "\\rfloor")
SIGNS, RELATIONS = ("+", "-"), ("=", "<", ">", "\\le", "\\ge", "\\iff", "\\Rightarrow", "\\implies")
#: What the words beside an exhibit call a thing, and how the thing looks in it: every exhibit; one.
CLASSES = {r"discs?": "plus", r"squares?": "minus"}
THINGS = {
    "street": CLASSES | {r"street": "street"},
    "addition": {r"grey arrow": "soft", r"green arrow": "good"},
    "race": {r"green one": "good", r"turn red": "wrong"},
    "fold": {r"gold grip": "gold", r"cutting plane": "good"},
    "duality": {r"street": "street", r"gap": "gold"},
    "hulls": CLASSES | {r"green diamond": "good"},
    "voting": {r"Bent and yellow": "gold"},
    "descent": {r"the ball\b": "gold"},
    "gaussian": {r"gold dot": "gold"},
    "shatter": CLASSES,
}
#: What is no plain word: code, formulas, HTML, links.
NO_WORD = re.compile(r"(`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|<[^>]*>|\[[^\]]*\]\([^)]*\))", re.DOTALL)
DRAWING = "Code of this figure"
#: A formula in HTML with what must not leave it at the end of a line: brackets, stops, endings.
BEFORE, AFTER = r"[(\[“‘\"]*", r"(?:[-’'][a-z]+)?[.,;:!?)\]”’\"]*"
MATHS = r'<span class="math notranslate nohighlight">\\\([^<]*\\\)</span>'
GLUED = re.compile(rf"{BEFORE}{MATHS}{AFTER}")


def lecture(notebook: nbformat.NotebookNode, number: int) -> nbformat.NotebookNode:
    """Return a lecture as a page shows it; its figures are numbered after the notebook."""
    notebook.cells = [cell for cell in notebook.cells if not only_a_slider(cell)]
    figures = 0
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = breakable(folds(apart(cell.source)))
            continue
        cell.metadata.setdefault("mystnb", {}).update(shown_as(cell))
        for output in cell.outputs:
            data = output.get("data", {})
            if data.get("text/plain", "").startswith(SLIDER):
                output.data = {"text/html": STILL}
            elif "text/markdown" in data:
                data["text/markdown"] = breakable(data["text/markdown"])
        if has_picture(cell):
            figures += 1
            with_caption(cell, f"{number}.{figures}")
    return notebook


def coloured(notebook: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Give words beside an exhibit the look that their thing has in it."""
    cells = notebook.cells
    for k, cell in enumerate(cells):
        kinds = [o.data[exhibits.MIME]["kind"] for o in cell.get("outputs", ()) if holds_exhibit(o)]
        looks = THINGS.get(kinds[0], {}) if kinds else {}
        for beside, before in ((k - 1, True), (k + 1, False)):
            if 0 <= beside < len(cells) and cells[beside].cell_type == "markdown":
                cells[beside].source = with_looks(cells[beside].source, looks, before=before)
    return notebook


def holds_exhibit(output: nbformat.NotebookNode) -> bool:
    """Say whether an output is an exhibit."""
    return exhibits.MIME in output.get("data", {})


def with_looks(text: str, looks: dict[str, str], *, before: bool) -> str:
    """Mark words of the section next to an exhibit: from the last heading, or up to the first.

    >>> with_looks("Push a disc.", {"discs?": "plus"}, before=True)
    'Push a <span class="thing plus">disc</span>.'
    """
    if not looks:
        return text
    heads = [m.start() for m in re.finditer(r"^#+ ", text, re.MULTILINE)]
    if before:
        at = text.find("\n", heads[-1]) if heads else 0
        return text[:at] + marked(text[at:], looks)
    at = heads[0] if heads else len(text)
    return marked(text[:at], looks) + text[at:]


def marked(text: str, looks: dict[str, str]) -> str:
    """Return a text with a span around the words that have a look; code and formulas stay."""
    parts = NO_WORD.split(text)
    for words, look in looks.items():
        found = re.compile(rf"\b({words})\b")
        span = rf'<span class="thing {look}">\1</span>'
        parts[::2] = [found.sub(span, part) for part in parts[::2]]
    return "".join(parts)


def apart(text: str) -> str:
    r"""Put an empty line around a displayed formula: Sphinx takes the words beside it for formulas.

    >>> apart("So\n$$a = b.$$\nNow $a$.")
    'So\n\n$$a = b.$$\n\nNow $a$.'
    """
    return DISPLAY.sub(r"\n\n\1\n\n", text).strip("\n")


def breakable(text: str) -> str:
    r"""Write a long formula of a line in pieces, so that the line can end before = or +.

    >>> breakable("$" + "a" * 60 + " = b$")[-9:]
    '$ ${}= b$'
    """
    return FORMULA.sub(lambda m: " ".join(f"${piece}$" for piece in pieces(m[1])), text)


def pieces(formula: str) -> Iterator[str]:
    """Yield the parts of a long formula between its outermost relations and signs."""
    cuts, depth, tight = [0], 0, True  # tight: nothing yet for a sign to stand behind
    for found in TOKEN.finditer(formula) if len(formula) > LONG else ():
        token = found[0]
        depth += token.startswith(OPENS) - token.startswith(CLOSES)
        if depth < 0:
            break
        if depth == 0 and (token in RELATIONS or (token in SIGNS and not tight)):
            cuts.append(found.start())
        if not token.isspace():
            tight = token in (*SIGNS, *RELATIONS, "^", "_", ",", "\\cdot", "\\quad")
    cuts = [0] if depth else cuts  # an open interval, ]0, 1[: left alone
    for a, b in zip(cuts, [*cuts[1:], len(formula)]):
        yield ("{}" if a else "") + formula[a:b].strip()


def folds(text: str) -> str:
    """Give each fold its kind (question or help), and its title the formulas that it has."""

    def opened(found: re.Match) -> str:
        mark = found[2] or ""
        kind = {"✓": "option right", "✗": "option wrong"}.get(mark, "help")
        return f'<details class="{kind}"><summary>{inline(found[1])}</summary>\n\n{mark}'

    text = FOLD.sub(opened, text)
    quiz = QUIZ.search(text)
    if quiz is None:
        return text
    end = text.rindex(LAST_FOLD) + len(LAST_FOLD) if LAST_FOLD in text else len(text)
    before, card, after = text[: quiz.start()], text[quiz.start() : end], text[end:]
    return f'{before}<div class="quiz" data-quiz="{quiz[1]}">\n\n{card}\n\n</div>\n{after}'


def inline(text: str) -> str:
    r"""Return inline Markdown as HTML; a formula as what Sphinx writes for one.

    >>> inline("the line $x_1 < 2$")
    'the line <span class="math notranslate nohighlight">\\(x_1 &lt; 2\\)</span>'
    """

    def written(found: re.Match) -> str:
        code, formula, bold, emphasis = found.groups()
        if code:
            return f"<code>{html.escape(html.unescape(code), quote=False)}</code>"
        if formula:
            formula = html.escape(html.unescape(formula), quote=False)
            return rf'<span class="math notranslate nohighlight">\({formula}\)</span>'
        return f"<strong>{bold}</strong>" if bold else f"<em>{emphasis}</em>"

    return INLINE.sub(written, text)


def glued(page: str, formula: re.Pattern = GLUED) -> str:
    r"""Return HTML in which a line ends neither after "(" and before a formula, nor before a stop.

    >>> maths = '<span class="math notranslate nohighlight">\\(b\\)</span>'
    >>> glued(f"about {maths}.") == f'about <span class="glued">{maths}.</span>'
    True
    """

    def kept(found: re.Match) -> str:
        alone = found[0].startswith(("<", "\\")) and found[0].endswith((">", "\\)"))
        return found[0] if alone else f'<span class="glued">{found[0]}</span>'

    return formula.sub(kept, page)


def shown_as(cell: nbformat.NotebookNode) -> dict:
    """Return what myst-nb is told about a code cell: the names of its folds."""
    prompts: dict = {}
    tags = cell.metadata.get("tags", ())
    title = FIGURE.match(cell.source) or COMMENT.match(cell.source)
    if "hide-output" in tags:
        prompts["code_prompt_show"] = RESULT
    elif "hide-input" in tags:
        name = DRAWING if has_picture(cell) or title is None else f"Code: {title[1]}"
        prompts["code_prompt_show"] = name.replace("{", "{{").replace("}", "}}")
    return prompts


def with_caption(cell: nbformat.NotebookNode, number: str) -> None:
    """Write number and caption of a figure above its description in words."""
    title = FIGURE.match(cell.source)
    words = f" {inline(html.escape(sentence(title[1]), quote=False))}" if title else ""
    caption = f'<p class="figure-caption"><strong>Figure {number}.</strong>{words}</p>'
    for output in cell.outputs:
        if WORDS in output.get("data", {}).get("text/html", ""):
            described = output.data["text/html"].replace("<details>", '<details class="help">')
            output.data["text/html"] = caption + described
            return


def sentence(words: str) -> str:
    """Return words that begin with a capital letter and end with a full stop."""
    words = capital(words.strip())
    return words + ("" if words.endswith((".", "?", "!")) else ".")


def capital(words: str) -> str:
    """Return words that begin with a capital letter, unless they begin with a symbol.

    >>> capital("k gamma catches up"), capital("a cut")
    ('k gamma catches up', 'A cut')
    """
    symbol = re.match(r"(?!a )\w\b", words)
    return words if symbol else words[:1].upper() + words[1:]


def has_picture(cell: nbformat.NotebookNode) -> bool:
    """Say whether a code cell shows a picture."""
    return any("image/png" in output.get("data", {}) for output in cell.get("outputs", ()))


def only_a_slider(cell: nbformat.NotebookNode) -> bool:
    """Say whether a folded cell only makes a slider, which a page without Python cannot show."""
    if cell.cell_type != "code" or "hide-input" not in cell.metadata.get("tags", ()):
        return False
    kinds = [set(output.get("data", {"stream"})) for output in cell.outputs]
    return bool(kinds) and all(kind == {"text/plain"} for kind in kinds)
