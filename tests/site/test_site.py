"""The site in a real browser: nothing from other hosts, no error, no sideways scroll, all links.

`make test-browser` builds the site and runs this. Without a built site, or without a browser, it
is skipped and says so.
"""

import functools
import html.parser
import os
import re
import urllib.parse
from pathlib import Path

import pytest

from tests.browsing import PATIENCE, missing
from tests.browsing import browser as browser  # the fixture
from tools.environment import ROOT
from tools.serving import served

SITE = ROOT / "build" / "book" / "html"
WHY_NOT = missing() or ("" if (SITE / "index.html").is_file() else "no site: make book")
pytestmark = [pytest.mark.browser, pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)]
PAGES = sorted(p.relative_to(SITE).as_posix() for p in SITE.rglob("*.html"))
PAGES = [
    name
    for name in PAGES
    if not name.startswith(
        ("_modules/", "_static/", "genindex", "py-modindex", "lite/", "slides/", "404")
    )
]
#: Where a picture of every page is kept, light, dark and on a phone: to look at.
SHOTS = ROOT / "build" / "browser" / "shots"
PHONE, DESK = {"width": 390, "height": 800}, {"width": 1280, "height": 900}


@pytest.fixture(scope="module")
def address():
    """Serve the site on this machine; return where."""
    with served(SITE) as where:
        yield where


@pytest.fixture
def opened(browser, address):
    """Return a function that opens a page; what it reports or asks of others fails the test."""
    troubles, contexts = [], []

    def open_page(name: str, size=DESK, scheme: str = "light"):
        context = browser.new_context(viewport=size, color_scheme=scheme)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda m: troubles.append(m.text) if m.type == "error" else None)
        page.on("request", lambda r: troubles.append(r.url) if foreign(r.url) else None)
        page.goto(f"{address}/{name}", wait_until="load")
        return page

    def foreign(url: str) -> bool:
        return not url.startswith((address, "data:", "blob:"))

    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []


#: What axe-core leaves aside: formulas are hundreds of boxes in the colour of their text, and code
#: after the fifth block has the colours of the first. With ALL=1 nothing is left aside.
ASIDE = [] if os.environ.get("ALL") == "1" else [["mjx-container"], ["[data-aside]"]]
MARK = """document.querySelectorAll(".highlight pre")
  .forEach((it, k) => { if (k >= 5) it.dataset.aside = ""; })"""
WCAG = {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}
#: Of the rules only this one looks at colours.
COLOURS = {"type": "rule", "values": ["color-contrast"]}


def barriers(page, rules: dict) -> list:
    """Return the serious violations that axe-core finds on a page."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="extra: browser")
    options = {"runOnly": rules, "resultTypes": ["violations"]}
    options["preload"] = False  # else it fetches style sheets where they are not
    found = axe.Axe().run(page, context={"exclude": ASIDE}, options=options).response
    return [
        (v["id"], node["target"], node["failureSummary"])
        for v in found["violations"]
        if v["impact"] in ("serious", "critical")
        for node in v["nodes"]
    ]


def shot(page, name: str, kind: str) -> None:
    """Keep a picture of the page as it stands."""
    SHOTS.mkdir(parents=True, exist_ok=True)
    path = SHOTS / f"{name.removesuffix('.html').replace('/', '-')}.{kind}.jpg"
    page.screenshot(path=path, type="jpeg", quality=60)


#: What an eye would see at once: formulas that are not typeset, code, output or formulas cut off at
#: the edge, a stop on another line than its formula, folds with nothing in them or without a name,
#: formulas in the way of the Tab key. Opening every fold answers the quizzes, too: what the page
#: says then of the reader's progress is there in the dark.
FAULTS = r"""async () => {
  const found = [], article = document.querySelector(".bd-article") ?? document.body;
  const folds = [...article.querySelectorAll("details")];
  const open = folds.filter((it) => it.open);
  folds.forEach((it) => (it.open = true));
  await new Promise((done) => setTimeout(done, 100)); // what was folded away takes its size
  const plain = (it) => !it.closest("pre, code, script, style, mjx-container");
  for (const it of article.querySelectorAll("*")) {
    for (const node of it.childNodes) {
      const raw = node.nodeType === 3 && /\$[^$]+\$/.test(node.data) && plain(it);
      if (raw) found.push("raw TeX: " + node.data.slice(0, 80));
    }
  }
  const wide = "pre, div.math, mjx-container[display='true'], table";
  for (const it of article.querySelectorAll(wide)) {
    if (it.closest(".exhibit")) continue;
    if (it.scrollWidth > it.clientWidth + 1) found.push("cut off: " + it.textContent.slice(0, 80));
  }
  for (const it of article.querySelectorAll("span.math")) {
    const next = it.nextSibling?.nodeType === 3 ? it.nextSibling.data : "";
    const apart = !it.closest(".glued") && /^[.,;:!?)\]”]/.test(next);
    if (apart) found.push("may lose its stop: " + it.textContent);
  }
  for (const it of article.querySelectorAll(".glued")) {
    if (it.getClientRects().length > 1) found.push("broken: " + it.textContent.slice(0, 80));
  }
  for (const it of folds) {
    const inside = [...it.childNodes].filter((node) => node.tagName !== "SUMMARY");
    const full = (node) => node.textContent.trim() || node.querySelector?.("img, svg");
    if (!inside.some(full)) found.push("empty fold: " + it.textContent);
    if (!it.querySelector("summary")?.textContent.trim()) found.push("fold without a name");
  }
  if (article.querySelector("mjx-container[tabindex='0']")) found.push("formulas are Tab stops");
  folds.forEach((it) => (it.open = open.includes(it)));
  return found;
}"""


#: What a phone would hide: a letter of a formula beyond its text, a stop far from its formula, and
#: code whose lines wrap (pseudo-code has columns); a table scrolls with what it has.
HIDDEN = r"""async () => {
  document.querySelectorAll(".bd-article details").forEach((it) => (it.open = true));
  await new Promise((done) => setTimeout(done, 200));
  const found = [];
  for (const it of document.querySelectorAll(".bd-article :is(div.math, span.math)")) {
    if (it.closest("table, .exhibit, .tip") || !it.clientWidth) continue;
    const right = it.matches("div") ? it.getBoundingClientRect().right : innerWidth;
    const letters = [...it.querySelectorAll("mjx-c")].filter((one) => !one.closest(".tip"));
    const places = letters.map((one) => one.getBoundingClientRect());
    const beyond = Math.max(...places.map((at) => at.right)) > right + 3;
    if (beyond) found.push("beyond: " + it.textContent.slice(0, 80));
    const stop = it.closest(".glued") && it.nextSibling?.nodeType === 3 && it.nextSibling;
    if (!stop) continue;
    const range = document.createRange();
    range.selectNodeContents(stop);
    const end = range.getBoundingClientRect();
    const beside = places.filter((at) => Math.abs(at.top - end.top) < 40).map((at) => at.right);
    if (end.left > Math.max(...beside) + 20) found.push("stop far from: " + it.textContent);
  }
  if (document.querySelector(".bd-article div.cell")) {
    const wraps = [...document.querySelectorAll(".bd-article pre")]
      .filter((it) => getComputedStyle(it).whiteSpace.includes("wrap"));
    found.push(...wraps.map((it) => "code wraps: " + it.textContent.slice(0, 80)));
  }
  return found;
}"""


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_no_barrier_light_or_dark_and_fits_a_phone(opened, name):
    page = opened(name)
    page.evaluate("window.MathJax?.startup?.promise")  # formulas are typeset
    page.evaluate(MARK)
    assert barriers(page, WCAG) == []
    assert page.evaluate(FAULTS) == []
    shot(page, name, "light")
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    page.wait_for_function("document.documentElement.dataset.theme === 'dark'")
    assert barriers(page, COLOURS) == []
    shot(page, name, "dark")
    page.set_viewport_size(PHONE)
    page.wait_for_timeout(200)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    silent = page.evaluate("[...document.images].filter(i => !i.alt).map(i => i.src)")
    assert silent == []
    page.emulate_media(color_scheme="light")
    shot(page, name, "phone")
    assert page.evaluate(HIDDEN) == []


def test_formulas_are_typeset_here(opened):
    page = opened("notebooks/02_perceptron.html")
    page.wait_for_selector("mjx-container", state="attached")
    assert page.locator("mjx-merror").count() == 0


def test_search_finds_the_kernel_perceptron(opened):
    page = opened("search.html?q=kernel+perceptron")
    found = page.locator("ul.search li a", has_text="kernel perceptron")  # they come one by one
    found.first.wait_for(state="attached")
    assert "kernel perceptron" in found.first.text_content().lower()


def test_a_fold_opens_by_keyboard(opened):
    page = opened("notebooks/02_perceptron.html")
    fold = page.locator("details:has(> summary)").first
    assert not fold.evaluate("it => it.open")
    fold.locator("summary").focus()
    page.keyboard.press("Enter")
    assert fold.evaluate("it => it.open")


def test_what_is_to_be_predicted_is_hidden_until_asked_for(opened):
    page = opened("notebooks/02_perceptron.html")
    hidden = page.locator("details.hide.below-input, details.hide.output, .tag_hide-output details")
    assert {*hidden.locator("summary").all_inner_texts()} == {"Run it: show the result"}
    assert hidden.count() > 0
    assert hidden.evaluate_all("all => all.every(it => !it.open)")


def test_a_quiz_marks_what_was_chosen_and_keeps_the_score_of_the_first_try(opened):
    page = opened("notebooks/08_feature_maps.html")
    quiz = page.locator(".quiz").first
    assert quiz.locator(".score").count() == 0
    quiz.locator("details.wrong > summary").first.click()
    quiz.locator("details.right > summary").click()
    assert "Not right at the first try. On this page: 0 of 1" in quiz.locator(".score").inner_text()
    page.reload(wait_until="load")
    assert "0 of 1 so far" in page.locator(".quiz").first.locator(".score").inner_text()
    page.locator(".quiz").nth(1).locator("details.right > summary").click()
    assert "1 of 2 so far" in page.locator(".quiz").nth(1).locator(".score").inner_text()


def test_paper_is_light_with_results_open_and_answers_at_the_end(opened):
    page = opened("notebooks/02_perceptron.html", scheme="dark")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    assert page.evaluate("[...document.querySelectorAll('details.hide')].every(it => it.open)")
    answers = page.locator(".bd-article > .answers")
    assert answers.locator("h3", has_text="Quiz 2.1").count() == 1
    assert answers.locator("h3").count() == page.locator(".quiz").count() + page.evaluate(
        "[...document.querySelectorAll('details.help > summary')]"
        ".filter(it => it.textContent.trim() === 'Answer').length"
    )
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert answers.count() == 0
    assert page.locator("details.hide[open]").count() == 0


#: A page of A4 between its margins, in pixels.
PAPER = {"width": 673, "height": 970}
PRINTED = [name for name in PAGES if name.startswith(("notebooks/", "homework/"))]
PRINTED += [name for name in PAGES if name in ("NOTATION.html", "CLAIMS.html")]
BEYOND = """(width) => {
  const scrolls = (it) => getComputedStyle(it).overflowX !== "visible";
  const over = (it) => it.scrollWidth > it.clientWidth + 1 && scrolls(it);
  return [...document.querySelectorAll(".bd-article :is(table, pre, mjx-math, img)")]
    .filter((it) => it.getBoundingClientRect().right > width + 1 || over(it))
    .map((it) => it.tagName + " " + it.textContent.slice(0, 80));
}"""


#: What a page may end in: a shaded box whose text is on the next one.
TORN = """() => [...document.querySelectorAll(
  ".bd-article :is(div.cell_input, div.cell_output div.output, div.highlight, .quiz, .exhibit)")]
    .filter((it) => getComputedStyle(it).breakInside !== "avoid")
    .map((it) => it.className + " " + it.textContent.slice(0, 80))"""


@pytest.mark.parametrize("name", PRINTED)
def test_on_paper_no_table_code_or_formula_is_cut(opened, name):
    page = opened(name)
    page.evaluate("window.MathJax?.startup?.promise")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    page.set_viewport_size(PAPER)
    assert page.evaluate(BEYOND, PAPER["width"]) == []
    assert page.evaluate(TORN) == []


def test_a_reader_finds_again_where_he_stands(opened):
    page = opened("notebooks/02_perceptron.html")
    bar = page.locator(".where")
    assert "Quizzes right: 0 of 3" in bar.inner_text() and "Next quiz: 2.1" in bar.inner_text()
    page.locator("#quiz-2\\.1 details.right > summary").click()
    bar.get_by_text("Quizzes right: 1 of 3").wait_for()
    bar.get_by_label("done").check()
    page.evaluate("localStorage.setItem('lectures.solved', JSON.stringify(['update']))")
    page.reload(wait_until="load")
    text = page.locator(".where").inner_text()
    assert "Exercises solved: 1 of 3" in text and "Next: 03 Losses" in text
    page.goto(page.url.replace("notebooks/02_perceptron", "index"))
    assert "Continue: 02 The perceptron" in page.locator(".ways-in").inner_text()
    row = page.locator(".bd-article table a", has_text="02 The perceptron")
    assert row.locator(".reached").inner_text().strip() == "✓"
    assert barriers(page, COLOURS) == []


def test_a_damaged_memory_costs_the_memory_alone_and_says_so(opened):
    page = opened("notebooks/02_perceptron.html")
    page.evaluate("localStorage.setItem('lectures.done', '{broken')")
    page.reload(wait_until="load")
    assert "cannot be read" in page.locator(".where").inner_text()
    page.locator(".where").get_by_label("done").check()
    page.reload(wait_until="load")
    assert page.locator(".where").get_by_label("done").is_checked()


def test_a_term_and_a_symbol_explain_themselves_by_pointer_and_key(opened):
    page = opened("notebooks/04_margins.html")
    page.wait_for_function("document.documentElement.dataset.terms")
    term = page.locator("dfn.term", has_text="separator").first
    tip = term.locator(".tip")
    assert not tip.is_visible()
    term.focus()
    assert tip.is_visible() and "for every example" in tip.inner_text()
    page.keyboard.press("Escape")
    assert not tip.is_visible()
    assert page.locator("dfn.term mjx-container").count() > 0
    assert "\\(" not in "".join(page.locator(".tip").all_text_contents())


def test_what_explains_a_word_stays_inside_the_window(opened):
    page = opened("notebooks/12_dual_svm.html")
    page.wait_for_function("document.documentElement.dataset.terms")
    edges = page.evaluate("""() => [...document.querySelectorAll("dfn.term")].map((it) => {
      it.closest("details")?.setAttribute("open", "");
      it.focus();
      const at = it.querySelector(".tip").getBoundingClientRect();
      return [at.left, innerWidth - at.right, at.top, innerHeight - at.bottom];
    })""")
    assert len(edges) > 5 and all(min(one) >= 0 for one in edges)


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, {"width": 390, "height": 844}])
def test_the_first_screen_holds_sentence_buttons_and_street(opened, size):
    page = opened("index.html", size=size)
    low = page.locator(".hero .exhibit svg").first.bounding_box()
    assert page.get_by_text("Every result carries its own proof").is_visible()
    assert page.locator(".ways-in .button-link").count() == 2
    assert low["y"] + low["height"] <= size["height"]


def test_words_in_the_text_have_the_colour_of_their_thing(opened):
    for name in ("index", "notebooks/05_mistake_bound", "notebooks/12_dual_svm"):
        page = opened(f"{name}.html")
        assert page.locator(".bd-article .thing").count() > 0, name


def test_an_address_that_leads_nowhere_leads_home(opened, address):
    page = opened("404.html")
    page.wait_for_function("document.querySelector('#home').href.endsWith('/index.html')")
    assert page.locator("#home").evaluate("it => it.href") == f"{address}/index.html"


def test_every_page_says_what_it_is_about_once():
    for name in PAGES:
        text = (SITE / name).read_text(encoding="utf-8")
        told = re.findall('<meta name="description" content="([^"]*)"', text)
        assert len(told) == 1 and "\\" not in told[0], name  # no formula as it is typed


def test_every_page_has_licence_citation_and_date():
    for name in PAGES:
        text = (SITE / name).read_text(encoding="utf-8")
        asked = ("BSD 3-Clause", "Cite as:", "Last updated")
        assert all(words in text for words in asked), name


#: For each page with an exhibit: what gets the focus, and a key that moves it.
POINT, SLIDER, HANDLE = "g[role=button]", "input[type=range]", "[role=slider]"
EXHIBITS = {
    "00_start_here": (POINT, "Enter"),
    "02_perceptron": (POINT, "Enter"),
    "05_mistake_bound": (SLIDER, "ArrowRight"),
    "08_feature_maps": (HANDLE, "ArrowUp"),
    "11_primal_svm": (POINT, "Enter"),
    "12_dual_svm": (HANDLE, "ArrowUp"),
    "13_smo": (POINT, "Enter"),
    "16_metrics": (HANDLE, "ArrowLeft"),
    "17_margin_complexity": (POINT, "Enter"),
}


@pytest.mark.parametrize("name", EXHIBITS)
def test_an_exhibit_works_on_the_page_without_a_kernel(opened, name):
    page = opened(f"notebooks/{name}.html")
    exhibit = page.locator(".exhibit").first
    words = exhibit.locator("[role=status]")
    before, (what, key) = words.text_content(), EXHIBITS[name]
    nodes = exhibit.locator(what)
    (nodes.first if what == SLIDER else nodes.last).press(key)
    assert before and words.text_content() != before


# --- links, without a browser --------------------------------------------------------------------


class Links(html.parser.HTMLParser):
    """The links of a page, and the places that a link can lead to."""

    def __init__(self, path: Path) -> None:
        """Read a page."""
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep what links and what can be linked to."""
        found = dict(attrs)
        self.places.update(filter(None, (found.get("id"), found.get("name"))))
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])


@functools.cache
def read(path: Path) -> Links:
    """Return the links of a page, read once."""
    return Links(path)


FORMULA = re.compile(r'<(span|div) class="math notranslate nohighlight">(.*?)</\1>', re.DOTALL)
#: What is no prose in a formula: commands, and words that are meant as words.
COMMANDS = re.compile(r"\\(text\w*|math\w+|operatorname|begin|end)\*?\{[^}]*\}|\\[a-zA-Z]+")


@pytest.mark.parametrize("name", PAGES)
def test_no_words_of_the_text_are_set_as_a_formula(name):
    found = FORMULA.findall((SITE / name).read_text(encoding="utf-8"))
    made = [COMMANDS.sub("", formula) for _, formula in found]
    assert [one for one in made if re.search(r"[A-Za-z]{3,}[ ,]+[A-Za-z]{2,}", one)] == []


@pytest.mark.parametrize("name", PAGES)
def test_every_link_within_the_site_leads_somewhere(name):
    broken = []
    for link in read(SITE / name).links:
        target = urllib.parse.urlparse(link)
        if target.scheme or link.startswith("//"):
            continue
        path = urllib.parse.unquote(target.path)
        there = (SITE / name).parent / path if path else SITE / name
        there = there / "index.html" if there.is_dir() else there
        anchor = urllib.parse.unquote(target.fragment)
        if not there.is_file():
            broken.append(link)
        elif anchor and there.suffix == ".html" and anchor not in read(there).places:
            broken.append(link)
    assert broken == []


def test_the_claims_link_to_sections_and_sections_to_claims():
    links = read(SITE / "CLAIMS.html").links  # those of the margin have no section
    claims = [link for link in links if re.match(r"notebooks/.*\.html#.", link)]
    assert len(claims) > 60
    back = [a for name in PAGES for a in read(SITE / name).links if "CLAIMS.html#" in a]
    assert len(back) > 60 and all(re.search(r"#[a-z]{2}-\d+$", link) for link in back)
