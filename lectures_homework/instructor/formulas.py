"""Formulas of a stranger's text as MathML, which browsers draw by themselves, offline.

The text is escaped; of what a formula becomes only known elements and attributes are kept. What
cannot be read stays as it was written.
"""

import html
import re
from xml.etree import ElementTree

from latex2mathml.converter import convert
from markupsafe import Markup

#: What is read of one text: formulas, and characters of each.
MAX_FORMULAS, LONGEST_FORMULA = 400, 1500
FORMULA = re.compile(r"\$\$(.+?)\$\$|\$(?=\S)([^$\n]+(?:\n[^$\n]+){0,6})(?<=\S)\$(?!\d)", re.S)
ELEMENTS = {"math", "mrow", "mi", "mo", "mn", "mtext", "mspace", "msup", "msub", "msubsup", "mfrac"}
ELEMENTS |= {"msqrt", "mroot", "mover", "munder", "munderover", "mtable", "mtr", "mtd", "mstyle"}
ELEMENTS |= {"mpadded", "mphantom", "mfenced", "menclose", "mmultiscripts", "mprescripts", "none"}
ATTRIBUTES = {"display", "mathvariant", "stretchy", "fence", "form", "separator", "accent", "width"}
ATTRIBUTES |= {"displaystyle", "scriptlevel", "linethickness", "columnalign", "rowspacing"}
ATTRIBUTES |= {"columnspacing", "minsize", "maxsize", "lspace", "rspace", "movablelimits"}


def rendered(text: str) -> Markup:
    """Return a text as HTML: escaped, its formulas between $ signs as MathML."""
    parts, end, count = [], 0, 0
    for found in FORMULA.finditer(text or ""):
        count += 1
        if count > MAX_FORMULAS:
            break
        block = found[1] is not None
        drawn = _mathml(found[1] if block else found[2], block)
        parts += [_words(text[end : found.start()]), drawn or html.escape(found[0])]
        end = found.end()
    return Markup("".join([*parts, _words((text or "")[end:])]))


def _words(text: str) -> str:
    """Return words escaped, with what Markdown makes bold or slanted."""
    shown = html.escape(text)
    for sign, element in ((r"\*\*", "strong"), (r"\*", "em")):
        form = rf"(?<![\w*]){sign}(?=[^\s*])([^*\n]+)(?<=[^\s*]){sign}(?![\w*])"
        shown = re.sub(form, rf"<{element}>\1</{element}>", shown)
    return shown


def _mathml(tex: str, block: bool) -> str:
    """Return a formula as MathML; "" if it cannot be read."""
    if len(tex) > LONGEST_FORMULA:
        return ""
    try:
        root = ElementTree.fromstring(convert(tex, display="block" if block else "inline"))
        _cleaned(root)
        return ElementTree.tostring(root, encoding="unicode")
    except Exception:  # what a stranger writes as TeX raises whatever it likes
        return ""


def _cleaned(node: ElementTree.Element) -> None:
    """Keep what MathML needs, and nothing that could load, link or run."""
    node.tag = node.tag.rpartition("}")[2]
    if node.tag not in ELEMENTS:
        raise ValueError(node.tag)
    node.attrib = {name: v for name, v in node.attrib.items() if name in ATTRIBUTES}
    for child in node:
        _cleaned(child)
