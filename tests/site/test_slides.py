"""The slides in a real browser: nothing sticks out, is too small, or comes from elsewhere."""

import re

import nbformat.v4 as v4
import pytest

from tests.browsing import PATIENCE, missing
from tests.browsing import browser as browser  # the fixture
from tools import nbrules
from tools.environment import ROOT

WHY_NOT = missing()
pytestmark = [pytest.mark.browser, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]
slides = pytest.importorskip("tools.slides", reason="extra: book", exc_type=ImportError)

SCREEN = {"width": 1280, "height": 720}
#: One with exhibit, proofs and many figures.
NAME = "02_perceptron"
#: Letters of the text, in pixels of a screen 1280 wide: 29 where nothing is made smaller.
SMALLEST = 16
#: Letters of a program or of a formula by itself, which are made smaller alone.
SMALLEST_CODE = 12
READY = "document.documentElement.dataset.ready"
LOOK = r"""async () => {
  const found = [];
  const lines = (it) => new Set([...it.getClientRects()].map((at) => Math.round(at.top))).size;
  const stop = /^[.,;:!?)\]”]/; // it may not stand on another line than its formula
  const loose = (it) => !it.closest(".glued") && stop.test(it.nextSibling?.data ?? "");
  for (const slide of Reveal.getSlides()) {
    const { h, v } = Reveal.getIndices(slide);
    Reveal.slide(h, v, 99); // every fragment is seen
    await new Promise(requestAnimationFrame);
    const scale = Reveal.getScale();
    const inside = [...slide.querySelectorAll(".body, .body *:not(svg *, style, script)")]
      .filter((it) => it.getClientRects().length && !it.closest("mjx-assistive-mml"));
    const reach = (side) => Math.max(...inside.map((it) => it.getBoundingClientRect()[side]));
    found.push({
      slide: `${h}/${v}`, right: reach("right"), bottom: reach("bottom"),
      cut: [...slide.querySelectorAll("pre")].some((it) => it.scrollWidth > it.clientWidth + 1),
      letters: scale * parseFloat(getComputedStyle(slide.querySelector(".body")).fontSize),
      least: scale * Math.min(
        ...[...slide.querySelectorAll(".body :is(pre, mjx-container[display=true])")]
          .map((it) => parseFloat(getComputedStyle(it).fontSize)), 99),
      picture: slide.querySelector(".body figure img")?.getBoundingClientRect().height ?? null,
      words: slide.querySelector(".body figure img")?.alt ?? null,
      torn: [...slide.querySelectorAll(".body .math.inline, .body .glued")]
        .filter((it) => it.matches(".glued") ? lines(it) > 1 : loose(it))
        .map((it) => it.textContent),
      code: slide.querySelectorAll(".body div.code").length,
    });
  }
  return found;
}"""


@pytest.fixture(scope="module")
def decks(tmp_path_factory):
    """Return the folder of some decks."""
    folder = tmp_path_factory.mktemp("slides")
    assert slides.main(["00", "02", "03", "09", "10", "12", "--out", str(folder)]) == 0
    return folder


@pytest.fixture
def deck(browser, decks):
    """Open a deck from its file, as a lecturer does; errors and requests to hosts fail the test."""
    context, troubles = browser.new_context(viewport=SCREEN), []
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda m: troubles.append(m.text) if m.type == "error" else None)
    here = ("file:", "data:")
    page.on("request", lambda r: None if r.url.startswith(here) else troubles.append(r.url))
    page.goto((decks / f"{NAME}.html").as_uri())
    page.wait_for_function(READY)
    yield page
    context.close()
    assert troubles == []


@pytest.mark.parametrize("name", ["00_start_here", "03_losses", "10_kernel_perceptron"])
def test_long_tables_and_prints_run_off_no_slide(deck, name):
    deck.goto(deck.url.split("#")[0].replace(NAME, name))
    deck.wait_for_function(READY)
    assert [it for it in deck.evaluate(LOOK) if it["bottom"] > SCREEN["height"]] == []


@pytest.mark.parametrize("name", [NAME, "09_kernels", "12_dual_svm"])
def test_nothing_sticks_out_and_letters_and_figures_are_large_on_every_slide(deck, name):
    deck.goto(deck.url.split("#")[0].replace(NAME, name))
    deck.wait_for_function(READY)
    found = deck.evaluate(LOOK)
    out = [
        it
        for it in found
        if it["right"] > SCREEN["width"] or it["bottom"] > SCREEN["height"] or it["cut"]
    ]
    assert 20 < len(found) <= slides.MAX_SLIDES and out == []
    assert min(it["letters"] for it in found) > SMALLEST
    assert min(it["least"] for it in found) > SMALLEST_CODE
    assert [words for it in found for words in it["torn"]] == []
    pictures = [it for it in found if it["picture"]]
    assert len(pictures) > 5 and all(it["picture"] > 390 and it["words"] for it in pictures)
    assert all(it["code"] == 0 for it in pictures)  # what only draws is hidden
    assert deck.locator("mjx-merror").count() == 0


def test_a_wide_formula_is_made_smaller_and_not_the_words_beside_it(deck):
    deck.goto(deck.url.split("#")[0].replace(NAME, "12_dual_svm"))
    deck.wait_for_function(READY)
    found = deck.evaluate("""() => Reveal.getSlides().map((slide) => {
      Reveal.slide(Reveal.getIndices(slide).h);
      const body = slide.querySelector(".body");
      const formula = body.querySelector("mjx-container[display=true]");
      const low = Math.max(...[...body.children].map((it) => it.offsetTop + it.offsetHeight));
      return [Boolean(formula?.style.fontSize), body.style.getPropertyValue("--fit"), low];
    })""")
    wide = [(float(fit), low) for narrowed, fit, low in found if narrowed]
    assert wide and all(fit == 1 or low > 0.75 * SCREEN["height"] for fit, low in wide)


def test_the_keys_of_an_exhibit_move_it_and_not_the_slides(deck):
    where = deck.evaluate(
        "Reveal.getIndices(document.querySelector('.exhibit').closest('section'))"
    )
    deck.evaluate("({h, v}) => Reveal.slide(h, v)", where)
    point = deck.locator(".exhibit g[role=button]").nth(2)
    before = point.get_attribute("aria-label")
    point.press("ArrowRight")
    assert point.get_attribute("aria-label") != before
    assert deck.evaluate("Reveal.getIndices()")["h"] == where["h"]
    deck.locator(".head").first.evaluate("it => document.activeElement.blur()")
    deck.keyboard.press("Space")
    assert deck.evaluate("Reveal.getIndices()") != where


def test_an_answer_is_a_step_after_its_question_and_prose_is_the_speakers(decks):
    text = (decks / f"{NAME}.html").read_text(encoding="utf-8")
    quiz = next(part for part in text.split("<section") if "Quiz 2.1" in part)
    seen, _, notes = quiz.partition('<aside class="notes">')
    assert "A. one" in seen and seen.index("A. one") < seen.index('<div class="fragment why">')
    assert "That is the hope" in notes and "That is the hope" not in seen
    asked = next(part for part in text.split("<section") if "What is its score" in part)
    assert asked.index("What is its score") < asked.index('<div class="fragment"><pre>')
    assert "<details" not in re.sub("<aside.*?</aside>", "", text, flags=re.DOTALL)


def test_the_legend_stands_beside_its_exhibit(deck):
    deck.evaluate("Reveal.slide(Reveal.getSlides().findIndex(s => s.querySelector('.exhibit')))")
    legend = deck.locator("section.present .legend").bounding_box()
    piece = deck.locator("section.present .exhibit").bounding_box()
    assert legend["x"] + legend["width"] <= piece["x"] and legend["y"] < SCREEN["height"] / 2


def test_the_speakers_view_opens_and_shows_the_notes(deck):
    deck.evaluate("Reveal.slide(1)")
    with deck.context.expect_page() as found:
        deck.keyboard.press("s")
    found.value.wait_for_function("document.body.innerText.includes('one at a time')")


def one_sentence(slide) -> bool:
    """Say whether a slide shows one sentence and nothing else."""
    if re.search(r"<(img|pre|table|li|svg|blockquote)\b|\\\[|class=.exhibit", slide.body):
        return False
    said = [one for one in slide.body.split("</p>") if one.strip()]
    return sum(len(slides.SENTENCE.split(re.sub(r"<[^>]+>", "", one))) for one in said) == 1


def test_a_sentence_alone_leads_what_follows_or_gets_company_or_is_spoken():
    def section(title: str, **more) -> slides.Slide:
        return slides.Slide(title, f"<p>{title}.</p>\n", kind="section", notes=[title], **more)

    made = [slides.Slide("T", "T", kind="points"), section("Figure")]
    made += [slides.Slide("A cut", "<figure></figure>", 3, "figure-slide"), section("Asked")]
    made += [slides.Slide("Predict", "<p>How many?</p>", 2, "prediction", ["So."])]
    made += [section("Two", spare=["Second."]), section("One"), slides.Slide("Q", "q", kind="quiz")]
    _title, figure, asked, two, quiz = slides.joined(made)
    assert figure.title == "Figure" and figure.rank == 0
    assert figure.body == "<p>Figure.</p>\n<figure><figcaption>A cut</figcaption></figure>"
    assert asked.body == "<p>Asked.</p>\n<p><strong>Predict.</strong> How many?</p>"
    assert asked.notes == ["Asked", "So."]
    assert two.body == '<p>Two.</p>\n<p class="fragment point">Second.</p>'
    assert two.notes == ["Two", "<h4>One</h4>", "<p>One.</p>\n", "One"] and quiz.title == "Q"


@pytest.mark.parametrize(
    "path", sorted((ROOT / "notebooks").glob("[0-9]*.ipynb")), ids=lambda path: path.stem[:2]
)
def test_a_lecture_has_at_most_35_slides_and_none_is_empty(path):
    found = slides.fewer(slides.joined(slides.Lecture([]).read(nbrules.read(path))))
    assert 10 < len(found) <= 35
    assert [slide.title for slide in found if not slide.body] == []
    assert [slide.title for slide in found if one_sentence(slide)] == []
    text = nbrules.read(path)
    quizzes = sum("**Quiz " in c.source for c in text.cells if c.cell_type == "markdown")
    assert sum(slide.kind == "quiz" for slide in found) == quizzes


def test_what_is_too_much_for_the_slides_is_in_the_notes_of_the_slide_before():
    made = [slides.Slide("a", "A"), slides.Slide("b", "B", rank=3), slides.Slide("c", "C", rank=1)]
    kept = slides.fewer(made, 2)
    assert [slide.title for slide in kept] == ["a", "c"]
    assert "".join(kept[0].notes) == "<h4>b</h4>B"


def test_a_statement_is_on_its_slide_and_how_long_a_section_takes_is_not():
    cells = [v4.new_markdown_cell("# T\n\nWords."), v4.new_markdown_cell(
        "## 1. One\n\n> If it is separable, it ends.\n\n*13 minutes.* L3 writes a sum. More."
    )]  # fmt: skip
    shown = slides.Lecture([]).read(v4.new_notebook(cells=cells))[-1].body
    assert "If it is separable, it ends." in shown and "minutes" not in shown
    assert slides.sentences("Proof. Multiply out.") == ["Multiply out."]


def test_what_to_read_further_and_how_long_it_takes_is_in_the_notes_alone():
    fold = "<details><summary>Further reading</summary>\n\n- B. Author.\n</details>"
    more = f"- Learn.\n\n**Further reading**\n\n- C. Author.\n\n{fold}"
    cells = [
        "# T\n\nWords.",
        "## Take-away",
        more,
        "## Further\n\n| section | minutes |\n|-|-|\n| 5 | 9 |",
    ]
    made = slides.Lecture([]).read(
        v4.new_notebook(cells=[v4.new_markdown_cell(one) for one in cells])
    )
    end = made[-1]
    assert end.title == "Take-away" and "Learn" in end.body
    told = "".join(end.notes)
    assert all(
        words in told and words not in end.body for words in ("B. Author", "C. Author", "minutes")
    )


def test_a_stop_stays_with_its_formula_on_a_slide_and_a_question_gets_no_second_stop():
    made = slides.rendered(slides.reader().parse("says no more about $b$."))
    maths = '<span class="math inline">\\(b\\)</span>'
    assert made == f"<p>says no more about {maths}.</p>\n"
    glued = slides.pages.glued(made, slides.GLUED)
    assert glued == f'<p>says no more about <span class="glued">{maths}.</span></p>\n'
    asked = slides.FOLD.sub(slides.answered, "<details><summary>Is it?</summary>\nNo.\n</details>")
    assert asked == "*Is it?* No.\n"
