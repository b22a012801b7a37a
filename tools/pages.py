"""Turn a stored notebook into a page of the site: quizzes, folds, figures, formulas.

Jupyter reads a notebook as Markdown with some HTML; Sphinx leaves HTML alone. So what stands inside
HTML (formulas in a fold's title), and what only a page can have (numbered figures, quizzes that
keep score), is written here, into a copy that nobody executes.
"""

import html
import re

import nbformat

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

#: What `plots.show` writes below a figure.
WORDS = "<summary>The figure in words</summary>"
#: What `widgets.slide` stores of a slider, and what a page without Python says instead.
SLIDER = "A slider for "
STILL = '<p class="still">Here stands a slider. It moves when you run this page in the browser.</p>'
RESULT = "Run it: show the result"
DRAWING = "Code of this figure"


def lecture(notebook: nbformat.NotebookNode, number: int) -> nbformat.NotebookNode:
    """Return a lecture as a page shows it; its figures are numbered after the notebook."""
    notebook.cells = [cell for cell in notebook.cells if not only_a_slider(cell)]
    figures = 0
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = folds(cell.source)
            continue
        cell.metadata.setdefault("mystnb", {}).update(shown_as(cell))
        for output in cell.outputs:
            if output.get("data", {}).get("text/plain", "").startswith(SLIDER):
                output.data = {"text/html": STILL}
        if has_picture(cell):
            figures += 1
            with_caption(cell, f"{number}.{figures}")
    return notebook


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


def shown_as(cell: nbformat.NotebookNode) -> dict:
    """Return what myst-nb is told about a code cell: the names of its folds."""
    told: dict = {}
    tags = cell.metadata.get("tags", ())
    title = FIGURE.match(cell.source) or COMMENT.match(cell.source)
    if "hide-output" in tags:
        told["code_prompt_show"] = RESULT
    elif "hide-input" in tags:
        name = DRAWING if has_picture(cell) or title is None else f"Code: {title[1]}"
        told["code_prompt_show"] = name.replace("{", "{{").replace("}", "}}")
    return told


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
    words = words.strip()
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "?", "!")) else ".")


def has_picture(cell: nbformat.NotebookNode) -> bool:
    """Say whether a code cell shows a picture."""
    return any("image/png" in output.get("data", {}) for output in cell.get("outputs", ()))


def only_a_slider(cell: nbformat.NotebookNode) -> bool:
    """Say whether a folded cell only makes a slider, which a page without Python cannot show."""
    if cell.cell_type != "code" or "hide-input" not in cell.metadata.get("tags", ()):
        return False
    kinds = [set(output.get("data", {"stream"})) for output in cell.outputs]
    return bool(kinds) and all(kind == {"text/plain"} for kind in kinds)
