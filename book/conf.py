"""The course site: how Sphinx builds what `tools.book` has laid out. Nothing is executed here."""

import html
import importlib
import re
import unicodedata
from contextlib import suppress
from pathlib import Path

from lectures_lib import __version__
from tools import address, pages

project = "Perceptrons, margins, kernels and SVMs"
author = "The lectures_lib authors"
copyright = author  # Sphinx asks for this name
version = release = __version__

extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.viewcode",
    "sphinx_design",
    "sphinx_copybutton",
    "sphinx-mathjax-offline",
]
exclude_patterns = ["_build"]

# The notebooks are shown as they are stored: tests compare their outputs with a fresh run.
nb_execution_mode = "off"
nb_render_markdown_format = "myst"  # theorems print tables and formulas
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide"
mathjax3_config = {"options": {"menuOptions": {"settings": {"inTabOrder": False}}}}
myst_enable_extensions = ["dollarmath", "amsmath", "html_image", "attrs_inline", "colon_fence"]
myst_heading_anchors = 4
#: A description of a page has so many letters at least, and at most.
SHORT, LONG = 40, 160
DESCRIPTION = "Perceptrons, margins, kernels and support vector machines in notebooks that run, "
DESCRIPTION += "each result with a proof that is checked."

autodoc_member_order = "bysource"
autodoc_typehints = "none"
autodoc_default_options = {"members": True, "undoc-members": False}
copybutton_selector = "div.cell_input div.highlight pre, div.highlight-python pre"

html_theme = "sphinx_book_theme"
html_context = {"default_mode": "auto"}
html_favicon = "static/favicon.svg"
html_title = "A course that proves itself"
html_static_path = ["static"]
html_extra_path = ["extra"]  # the page for an address that leads nowhere
html_css_files = ["course.css"]
html_search_scorer = str(Path(__file__).parent / "static" / "scorer.js")
html_last_updated_fmt = "%Y-%m-%d"
html_js_files = ["course-data.js", "course.js", "progress.js", "terms.js"]
html_sourcelink_suffix = ""
html_theme_options = {
    "navbar_persistent": [],  # else there are two search fields
    "use_download_button": True,
    "use_fullscreen_button": False,
    "show_toc_level": 2,
    "extra_footer": "Text and code under the BSD 3-Clause licence, data under their own. "
    f"Cite as: The lectures_lib authors, lectures_lib {version}.",
    "footer_content_items": "copyright.html, last-updated.html, extra-footer.html",
    "max_navbar_depth": 1,  # a fold of the margin would have no name to speak
    "home_page_in_toc": False,
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}

if repository := address.address().repository:
    html_theme_options |= {"repository_url": repository, "use_repository_button": True}
    html_theme_options["use_issues_button"] = True  # report a problem

PROOF = "lectures_lib.proof"
SPECIAL = re.compile(r"(``[^`]+``)|(?<!`)`(?!`)([^`]+)`(?!`)|([*|\\])|(\w)_(?=\W|$)")


def plain_words(app, what, name, obj, options, lines: list[str]) -> None:
    """Keep docstrings as they are written: stars, bars and underscores are mathematics here.

    A section, underlined, becomes a heading, and each of its entries "name : words" an item. An
    example stands as it is, up to the next empty line.
    """
    found, inside, example = [], False, False
    for line, below in zip(lines, [*lines[1:], ""]):
        example = line.lstrip().startswith(">>>") or (example and line.strip() != "")
        if example:
            found.append(line)
            continue
        if re.fullmatch("-{3,}", line):
            continue
        if re.fullmatch("-{3,}", below):
            inside = True
            found += [f".. rubric:: {line}", ""]
            continue
        words = SPECIAL.sub(kept, line)
        entry = re.match(r"(\S[^:]*?) : (.*)", words) if inside else None
        if inside and line and not line.startswith(" ") and not entry:
            entry = re.match(r"(\S+)()$", words)
        if inside and line.startswith("    "):
            words = "  " + words.lstrip()  # an entry goes on: deeper, it would be a definition
        found.append(f"* **{entry[1]}**: {entry[2]}" if entry else words)
    lines[:] = found


def kept(found: re.Match) -> str:
    """Return a piece of a docstring as reStructuredText that shows it as it is."""
    whole, code, special, letter = found.groups()
    if whole or code:
        return whole or f"``{code}``"
    return f"\\{special}" if special else f"{letter}\\_"


def shown_elsewhere(app, what, name, obj, skip, options) -> bool | None:
    """Leave to the page of the judges what other rooms hand on from there.

    Left out as well: what scikit-learn writes into every estimator, and folders of the machine that
    builds the pages.
    """
    if re.fullmatch(r"set_\w+_request", name) or isinstance(obj, Path):
        return True
    home = str(getattr(obj, "__module__", ""))
    judged = home.startswith("lectures_lib.proof") and name in dir(importlib.import_module(PROOF))
    return True if judged and app.env.docname != "api/proof" else None


def functions_first(app, doctree) -> None:
    """Put the functions of a room before its classes, on the page and in its margin."""
    from sphinx import addnodes

    for parent in {
        one.parent: 0 for one in doctree.findall(addnodes.desc) if one["domain"] == "py"
    }:
        if isinstance(parent, addnodes.desc_content):
            continue  # a class keeps the order of its source
        pieces = []  # a description with the anchors before it
        for child in parent.children:
            after = bool(pieces) and isinstance(child, addnodes.desc)
            if after and all(isinstance(one, addnodes.index) for one in pieces[-1]):
                pieces[-1].append(child)
            else:
                pieces.append([child])
        kinds = [piece[-1].get("objtype") if len(piece) == 2 else None for piece in pieces]
        places = [k for k, kind in enumerate(kinds) if kind]
        ordered = sorted(places, key=lambda k: kinds[k] != "function")
        moved = dict(zip(places, (pieces[k] for k in ordered)))
        parent.children = [c for k, piece in enumerate(pieces) for c in moved.get(k, piece)]


#: What a formula's commands look like where nothing is typeset; Greek letters have names.
SIGNS = {"leftarrow": "\u2190", "cdot": "\xb7", "times": "\xd7", "le": "\u2264", "ge": "\u2265"}


def in_letters(formula: str) -> str:
    """Return a formula as a line of plain letters."""

    def letter(found: re.Match) -> str:
        greek = f"GREEK SMALL LETTER {found[1].upper()}"
        with suppress(KeyError):
            return SIGNS.get(found[1]) or unicodedata.lookup(greek)
        return found[1]

    words = re.sub(r"\\([A-Za-z]+)", letter, re.sub(r"\\[ ,;!]", "", formula))
    return re.sub(r"[\\{}]", "", words)


def begins(paragraph) -> bool:
    """Say whether a page can begin so: no button, no point, not in the middle of a sentence."""
    from docutils import nodes

    text = paragraph.astext()
    goes_on = text[:1].islower() and not isinstance(paragraph[0], nodes.literal)
    point = isinstance(paragraph.parent, nodes.list_item)
    return not (goes_on or point or text.startswith("Run this page"))


def described(app, pagename, templatename, context, doctree) -> None:
    """Tell search engines and previews what a page is about: its first paragraph, its picture."""
    from docutils import nodes  # Sphinx brings it

    words = DESCRIPTION
    for one in doctree.findall(nodes.paragraph) if doctree else ():
        text = one.astext()
        for formula in one.findall(nodes.math):
            text = text.replace(formula.astext(), in_letters(formula.astext()), 1)
        text = re.sub(r"\s+", " ", text).strip()
        if len(text) > SHORT and begins(one):
            words = text if len(text) <= LONG else text[:LONG].rsplit(" ", 1)[0] + " ..."
            break
    told = {"og:title": context.get("title") or html_title, "og:description": words}
    if home := address.address().homepage:  # a picture needs its whole address
        told["og:image"] = f"{home.rstrip('/')}/_static/mistake_bound.png"
    lines = [f'<meta name="description" content="{html.escape(words)}">']
    lines += [f'<meta property="{k}" content="{html.escape(v)}">' for k, v in told.items()]
    context["metatags"] = context.get("metatags", "") + "\n".join(lines)


#: The fold over the code of a cell whose result is folded, too: both have one name for myst-nb.
FOLDED = re.compile(r'(above-input">\s*<summary[^>]*>\s*<p class="collapsed[^"]*">)Run it: [^<]*')


def named(app, pagename, templatename, context, doctree) -> None:
    """Call the fold over code by what it holds, where the result below is folded, too.

    And keep stops and brackets at their formulas.
    """
    if "body" in context:
        body = FOLDED.sub(rf"\1{nb_code_prompt_show}", context["body"])
        context["body"] = pages.glued(body)


def setup(app) -> None:
    """Connect what Sphinx calls."""
    app.connect("autodoc-skip-member", shown_elsewhere)
    app.connect("doctree-read", functions_first, priority=400)  # before the margin is collected
    app.connect("html-page-context", described)
    app.connect("html-page-context", named)
    app.connect("autodoc-process-docstring", plain_words)
