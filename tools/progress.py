"""What a page knows of the whole course: quizzes, exercises, terms. Written when the site is built.

The pages themselves keep where a reader stands, in the reader's own browser (static/progress.js).
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

from tools import install, nbrules, pages
from tools.environment import ROOT

ROW = re.compile(r"^\| (.+?) \| (.+?) \| (.*?) \|$", re.MULTILINE)
#: Words of the glossary that also have their everyday sense in the text.
EVERYDAY = ("proof", "free, bounded", "part", "share")
#: Symbols that a formula may consist of -> the row of NOTATION.md.
SYMBOLS = {r"\gamma": "gamma", r"\alpha": "alpha", r"\xi": "xi", r"\sigma": "sigma"}
SYMBOLS |= {r"\xi_i": "xi", r"\alpha_i": "alpha"} | {one: one for one in ("R", "M", "C", "u", "b")}
#: Where a word or symbol first stands in another sense than the glossary's, it explains nothing:
#: for instance u in 02 (L2's score), in 09 (a substring) and in 18 (a direction of PCA).
ELSEWHERE = {
    "u": (2, 9, 18),
    "b": (2, 3, 9),
    "R": (7,),
    r"\gamma": (7,),
    r"\xi": (7,),
    r"\xi_i": (7,),
    r"\alpha": (9, 18),
    r"\alpha_i": (9, 18),
    r"\sigma": (20,),
    "gap": (12, 16, 17),
    "mistake": (12, 13, 14, 17),
}


def course() -> dict[str, dict]:
    """Return page -> its title, quizzes and exercises, in the order of the course."""
    found = {}
    for path in sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")):
        cells = nbrules.read(path).cells
        text = "\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
        code = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
        found[f"notebooks/{path.stem}"] = {
            "title": text.splitlines()[0].lstrip("# "),
            "quizzes": pages.QUIZ.findall(text),
            "exercises": list(dict.fromkeys(install.CHECK.findall(code))),
        }
    return found


def terms() -> Iterator[dict]:
    """Give the words and symbols that explain themselves, and from which notebook on."""
    text = (ROOT / "NOTATION.md").read_text(encoding="utf-8")
    _, symbols, glossary, *_ = re.split(r"^## ", text, flags=re.MULTILINE)
    for word, means, first in ROW.findall(glossary):
        if word not in (*EVERYDAY, "word", "---"):
            yield explained("word", word, means, int(first[:2]))
    rows = {row[0].strip("`"): row[1] for row in ROW.findall(symbols) if row[0].count("`") == 2}
    for formula, name in SYMBOLS.items():
        if name in rows:
            yield explained("formula", formula, rows[name], 0)


def explained(kind: str, name: str, means: str, first: int) -> dict:
    """Return a word or symbol as the pages read it: what it means, from where on, and where not."""
    not_in = ELSEWHERE.get(name, ())
    return {kind: name, "means": pages.glued(pages.inline(means)), "from": first, "notIn": not_in}


def write(folder: Path) -> None:
    """Write the script that tells the pages."""
    script = f"window.lecturesCourse = {json.dumps(course(), ensure_ascii=False)};\n"
    script += f"window.lecturesTerms = {json.dumps(list(terms()), ensure_ascii=False)};\n"
    (folder / "course-data.js").write_text(script, encoding="utf-8")
