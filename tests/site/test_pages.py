"""What a page shows is what the notebook holds: formulas, quizzes, names of folds, captions."""

import nbformat.v4 as v4
import pytest

from lectures_lib.widgets import exhibits
from tools import nbrules, pages
from tools.environment import ROOT

NOTEBOOKS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))


def fold(title: str, text: str = "Because.") -> str:
    """Return a fold as the notebooks write it."""
    return f"<details><summary>{title}</summary>\n\n{text}\n</details>"


def test_a_formula_in_the_title_of_a_fold_is_typeset():
    shown = pages.folds(fold("A. the line $x_1 < 2$"))
    assert "$" not in shown and r"\(x_1 &lt; 2\)</span>" in shown


def test_code_in_a_title_is_code_and_a_dollar_inside_it_stays():
    assert pages.inline("`a$b$` and *this*") == "<code>a$b$</code> and <em>this</em>"


def test_a_quiz_knows_its_right_answer_and_where_it_ends():
    text = (
        "Before.\n\n**Quiz 3.1** Why?\n\n" + fold("A. a", "✗ No.") + "\n" + fold("B. b", "✓ Yes.")
    )
    shown = pages.folds(text + "\n\nAfter.")
    assert shown.count('class="option wrong"') == shown.count('class="option right"') == 1
    card = shown[shown.index('<div class="quiz" data-quiz="3.1">') : shown.index("</div>")]
    assert "Why?" in card and "B. b" in card and "Before." not in card and "After." not in card


def test_what_helps_is_no_question():
    assert 'class="help"' in pages.folds(fold("Hint 1")) and "quiz" not in pages.folds(fold("Hint"))


def folded(tag: str, source: str) -> dict:
    """Return how a page names a folded cell."""
    return pages.shown_as(v4.new_code_cell(source, metadata={"tags": [tag]}))


def test_a_fold_says_what_is_in_it():
    assert folded("hide-output", "f()")["code_prompt_show"] == pages.RESULT
    assert folded("hide-input", "# Sets {a}\nf()")["code_prompt_show"] == "Code: Sets {{a}}"
    assert pages.shown_as(v4.new_code_cell("f()")) == {}


def test_a_slider_alone_is_left_out_and_what_prints_is_kept():
    words = v4.new_output("display_data", {"text/plain": "A slider for C, from 1 to 2."})
    cell = v4.new_code_cell("# Slider", metadata={"tags": ["hide-input"]}, outputs=[words])
    assert pages.only_a_slider(cell)
    cell.outputs.append(v4.new_output("stream", text="C = 1"))
    assert not pages.only_a_slider(cell)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name[:2])
def test_every_figure_of_a_lecture_has_its_number_and_caption_once(path):
    number = int(path.name[:2])
    page = pages.lecture(nbrules.read(path), number)
    pictures = [cell for cell in page.cells if pages.has_picture(cell)]
    text = "".join(o.data.get("text/html", "") for c in pictures for o in c.outputs if "data" in o)
    for k, _ in enumerate(pictures, 1):
        assert text.count(f"<strong>Figure {number}.{k}.</strong> ") == 1


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name[:2])
def test_every_quiz_of_a_lecture_is_a_card_with_one_right_answer(path):
    page = pages.lecture(nbrules.read(path), 0)
    for cell in page.cells:
        if cell.cell_type == "markdown" and "**Quiz " in cell.source:
            assert cell.source.count('class="quiz"') == cell.source.count("**Quiz ")
            assert cell.source.count("option right") == cell.source.count("**Quiz ")


@pytest.mark.parametrize(
    ("formula", "parts"),
    [
        (r"w\cdot u + z\cdot u - k\,\gamma = \text{sum of progress} + \text{margin} - \gamma", 6),
        (r"\lVert w - (w\cdot u)u\rVert^2 \le \left(a + b\right)^{x+y} \cdot \text{longer}", 2),
        (r"x = -y + \text{a sign behind a relation belongs to what follows it, so it stays}", 3),
        (r"]0, 1[ + \text{an open interval with its brackets turned is left alone}", 1),
        (r"a + b = c", 1),
    ],
)
def test_a_long_formula_can_break_before_its_outer_relations_and_signs(formula, parts):
    broken = pages.breakable(f"${formula}$").split("$ $")
    assert len(broken) == parts
    assert "".join(broken).replace("{}", "").replace(" ", "") == f"${formula}$".replace(" ", "")


def test_display_formulas_and_prices_are_not_broken():
    text = "$$" + "a + b = " * 20 + "c$$\n\nIt costs $5, or " + "x = " * 20 + "6."
    assert pages.breakable(text) == text


def beside(kind: str, before: str, after: str = "After.") -> list[str]:
    """Return the words beside an exhibit as a page shows them."""
    data = {exhibits.MIME: {"kind": kind, "start": {}, "words": ""}}
    cell = v4.new_code_cell("show()", outputs=[v4.new_output("display_data", data)])
    cells = [v4.new_markdown_cell(before), cell, v4.new_markdown_cell(after)]
    shown = pages.coloured(v4.new_notebook(cells=cells))
    return [one.source for one in shown.cells if one.cell_type == "markdown"]


def test_words_beside_an_exhibit_have_the_colour_of_their_thing_and_no_others():
    before, after = beside(
        "street",
        "A disc.\n\n## Now\n\nA disc, `disc`, $disc$ and [a disc](a.md#disc) on the street.",
        "Squares and squares.\n\n## Next\n\nThe squares.",
    )
    assert before.startswith("A disc.") and before.count('class="thing') == 2
    assert 'A <span class="thing plus">disc</span>, `disc`, $disc$ and [a disc]' in before
    assert 'on the <span class="thing street">street</span>.' in before
    assert (
        after == 'Squares and <span class="thing minus">squares</span>.\n\n## Next\n\nThe squares.'
    )


def test_every_look_of_a_word_has_a_style_in_both_themes():
    css = (ROOT / "book" / "static" / "course.css").read_text(encoding="utf-8")
    looks = {look for found in pages.THINGS.values() for look in found.values()}
    assert all(f".thing.{look} {{" in css for look in looks)
    assert 'html[data-theme="dark"] .thing {' in css


def test_a_stop_or_a_bracket_stays_with_its_formula_and_a_bare_formula_as_it_is():
    maths = '<span class="math notranslate nohighlight">\\(b\\)</span>'
    assert pages.glued(f"say {maths} again") == f"say {maths} again"
    for words in (f"({maths})", f"{maths}.", f"{maths},", f"{maths}-th", f"(“{maths}”)."):
        assert pages.glued(f"say {words} so") == f'say <span class="glued">{words}</span> so'
    assert pages.glued(f"(so){maths}: say") == f'(so)<span class="glued">{maths}:</span> say'


def test_a_caption_begins_with_a_capital_but_a_symbol_keeps_its_letter():
    assert pages.sentence("k gamma catches up") == "k gamma catches up."
    assert pages.sentence("a cut becomes a line") == "A cut becomes a line."
