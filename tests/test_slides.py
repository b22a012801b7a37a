"""The slides in a real browser: nothing sticks out, is too small, or comes from elsewhere."""

import pytest

from tests.browsing import PATIENCE, missing
from tests.browsing import browser as browser  # the fixture

WHY_NOT = missing()
pytestmark = [pytest.mark.browser, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]
slides = pytest.importorskip("tools.slides", reason="extra: book", exc_type=ImportError)

SCREEN = {"width": 1280, "height": 720}
#: One with exhibit, proofs and many figures.
NAME = "02_perceptron"
#: Letters of the text, in pixels of a screen 1280 wide: 29 where nothing is made smaller.
SMALLEST = 20
READY = "document.documentElement.dataset.ready"
LOOK = """async () => {
  const found = [];
  for (const slide of Reveal.getSlides()) {
    const { h, v } = Reveal.getIndices(slide);
    Reveal.slide(h, v);
    await new Promise(requestAnimationFrame);
    const scale = Reveal.getScale();
    const inside = [...slide.querySelectorAll(".body, .body *:not(svg *, style, script)")]
      .filter((it) => it.getClientRects().length && !it.closest("mjx-assistive-mml"));
    const reach = (side) => Math.max(...inside.map((it) => it.getBoundingClientRect()[side]));
    found.push({
      slide: `${h}/${v}`, right: reach("right"), bottom: reach("bottom"),
      cut: [...slide.querySelectorAll("pre")].some((it) => it.scrollWidth > it.clientWidth + 1),
      letters: scale * parseFloat(getComputedStyle(slide.querySelector(".body")).fontSize),
      picture: slide.querySelector("figure img")?.getBoundingClientRect().height ?? null,
      words: slide.querySelector("figure img")?.alt ?? null,
      code: slide.querySelectorAll("div.code").length,
    });
  }
  return found;
}"""


@pytest.fixture(scope="module")
def decks(tmp_path_factory):
    """Return the folder of two decks."""
    folder = tmp_path_factory.mktemp("slides")
    assert slides.main(["02", "00", "--out", str(folder)]) == 0
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


def test_nothing_sticks_out_and_letters_and_figures_are_large_on_every_slide(deck):
    found = deck.evaluate(LOOK)
    out = [
        it
        for it in found
        if it["right"] > SCREEN["width"] or it["bottom"] > SCREEN["height"] or it["cut"]
    ]
    assert len(found) > 40 and out == []
    assert min(it["letters"] for it in found) > SMALLEST
    pictures = [it for it in found if it["picture"]]
    assert len(pictures) > 5 and all(it["picture"] > 480 and it["words"] for it in pictures)
    assert all(it["code"] == 0 for it in pictures)  # what only draws is hidden
    assert deck.locator("mjx-merror").count() == 0


def test_the_keys_of_an_exhibit_move_it_and_not_the_slides(deck):
    where = deck.evaluate(
        "Reveal.getIndices(document.querySelector('.exhibit').closest('section'))"
    )
    deck.evaluate("({h, v}) => Reveal.slide(h, v)", where)
    point = deck.locator(".exhibit g[role=button]").nth(2)
    before = point.get_attribute("aria-label")
    point.press("ArrowRight")
    assert point.get_attribute("aria-label") != before
    assert deck.evaluate("Reveal.getIndices()")["v"] == where["v"]
    deck.locator(".head").first.evaluate("it => document.activeElement.blur()")
    deck.keyboard.press("Space")
    assert deck.evaluate("Reveal.getIndices()") != where


def test_an_answer_comes_after_its_question_and_folds_stay_out(decks):
    text = (decks / f"{NAME}.html").read_text(encoding="utf-8")
    assert "<details" not in text and "✓ Right" not in text and "A. one" in text
    question, answer = text.index("What is its score"), text.index("x = (-1,-2)  y = -1")
    assert question < answer
    assert text[question:answer].count("<section>") >= 2
