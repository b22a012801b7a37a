"""Exhibits follow mouse, finger and keys in a real browser."""

import re

import numpy as np
import pytest

from lectures_lib import (
    bounds,
    complexity,
    datasets,
    metrics,
    perceptron,
    svm,
    widgets,
)
from lectures_lib.widgets import exhibits
from tests.browsing import PATIENCE
from tests.browsing import browser as browser  # the fixture
from tests.widgets.test_exhibits import (
    APART,
    CROWD,
    DESK,
    KINDS,
    PHONE,
    SCORES,
    VOTERS,
    WHY_NOT,
)

# --- by hand and by keys -------------------------------------------------------------------------


@pytest.fixture
def opened(browser):
    """Return a function that opens an exhibit on a page by itself; errors fail the test."""
    troubles, contexts = [], []

    def open_page(kind: str, start: dict, size=DESK, theme: str = "light"):
        context = browser.new_context(viewport=size, has_touch=size == PHONE)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda m: troubles.append(m.text) if m.type == "error" else None)
        body = f"<title>{kind}</title><main>{exhibits.page(kind, start, 'words')}</main>"
        page.set_content(f'<!doctype html><html lang="en" data-theme="{theme}">{body}</html>')
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert troubles == []


def in_a_browser(test):
    """Mark a test that needs a browser."""
    return pytest.mark.browser(pytest.mark.skipif(bool(WHY_NOT), reason=WHY_NOT)(test))


def drag(page, node, right: float, down: float) -> None:
    """Drag a node by the mouse."""
    at = node.bounding_box()
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right, y + down, steps=5)
    page.mouse.up()


def said(page) -> str:
    """Return what an exhibit says."""
    return page.locator("[role=status]").first.text_content()


def numbers(text: str) -> list[float]:
    """Return the numbers of a text."""
    return [float(v.replace("−", "-")) for v in re.findall(r"[−-]?\d+\.?\d*", text)]


@pytest.fixture(scope="module")
def start():
    """Return a start of each exhibit, as its function makes it."""
    found = {}
    X, y = datasets.lecture_example()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exhibits, "show", lambda kind, start, words: found.update({kind: start}))
        widgets.addition(X, y)
        widgets.descent(*CROWD)
        widgets.duality(*CROWD, C=1.0)
        widgets.fold(X / 2, y)
        widgets.gaussian(*VOTERS, C=10.0, sigma=0.5)
        widgets.gram(CROWD[0][:4])
        widgets.hulls(*APART)
        widgets.race(X, y)
        widgets.shatter(*datasets.xor())
        widgets.steps(*CROWD, C=1.0)
        widgets.street(*CROWD, C=1.0)
        widgets.voting(*VOTERS)
        widgets.threshold(*SCORES, names=("not 8", "8"), fn=4)
    assert sorted(found) == KINDS
    return found


#: The height of the smallest letters as they are seen, in pixels.
LETTERS = """() => Math.min(...[...document.querySelectorAll(".exhibit *")]
  .filter(node => [...node.childNodes].some(it => it.nodeType === 3 && it.textContent.trim()))
  .filter(node => node.tagName !== "STYLE").map(node => {
    const svg = node.ownerSVGElement;
    const scale = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 1;
    return scale * parseFloat(getComputedStyle(node).fontSize);
  }))"""


@in_a_browser
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_an_exhibit_fits_a_phone_and_has_no_barrier(opened, start, kind, theme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="extra: browser")
    page = opened(kind, start[kind], PHONE, theme)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert page.locator(".exhibit").bounding_box()["height"] <= PHONE["height"]  # hand and effect
    assert page.evaluate(LETTERS) >= 11
    rules = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}}
    found = axe.Axe().run(page, options=rules).response["violations"]
    serious = [v for v in found if v["impact"] in ("serious", "critical")]
    assert [(v["id"], n["failureSummary"]) for v in serious for n in v["nodes"]] == []


@in_a_browser
def test_a_point_dragged_or_moved_by_keys_runs_the_librarys_perceptron(opened, start):
    page = opened("addition", start["addition"])
    labels = start["addition"]["labels"]
    before = said(page)
    drag(page, page.locator("g[role=button]").nth(2), -20, -60)
    page.locator("g[role=button]").nth(3).focus()
    page.keyboard.press("Shift+ArrowUp")
    page.keyboard.press("ArrowRight")
    names = page.locator("g[role=button]").evaluate_all("all => all.map(n => n.ariaLabel)")
    places = np.array([numbers(name.split(" at ")[1])[:2] for name in names])
    run = perceptron.perceptron(places, labels)  # places as spoken: two decimals
    told = said(page)
    assert told != before and run.converged
    count, passes = numbers(re.search(r"\d+ mistakes in \d+ passes", told)[0])
    assert (count, passes) == (len(run.mistakes), run.epochs)
    w = numbers(told.split("any: w =")[1])
    assert np.allclose(w, run.w, atol=0.01 * count + 0.01)
    assert page.locator("ol.list li").count() == count


@in_a_browser
def test_the_class_of_a_point_changes_by_enter_and_the_steps_by_list_and_button(opened, start):
    page = opened("addition", start["addition"])
    page.get_by_role("button", name="3. example 5").click()
    assert said(page).startswith("Mistake 3")
    page.get_by_role("button", name="Back").click()
    assert said(page).startswith("Mistake 2")
    page.locator("g[role=button]").nth(1).focus()  # (1, 0) faces (-1, 0) once both are negative
    page.keyboard.press("Enter")
    assert "No line through the origin separates" in said(page)
    parts = numbers(said(page).split("Proof: ")[1])[:-1]  # weight, point, weight, point, ...
    X, y = datasets.lecture_example()
    y[1] = -1
    shares, which = np.array(parts[::2]), np.array(parts[1::2], int) - 1
    assert shares.sum() == pytest.approx(1, abs=0.02)
    assert np.allclose(shares @ (y[which, None] * X[which]), 0, atol=0.03)  # two decimals
    page.get_by_role("button", name="Reset").click()
    assert "w = (3, 1) separates" in said(page)


@in_a_browser
def test_the_threshold_follows_hand_and_keys_and_counts_as_the_library(opened, start):
    page = opened("threshold", start["threshold"])
    y, f = SCORES
    line = page.get_by_role("slider", name="threshold")
    drag(page, line, -90, 0)
    told = {line.get_attribute("aria-valuetext")}
    line.focus()
    for key in ("ArrowRight", "Shift+ArrowLeft", "Home", "ArrowUp", "End"):
        page.keyboard.press(key)
        t = float(line.get_attribute("aria-valuenow"))
        c = metrics.confusion(y, np.where(f >= t, 1, -1))
        cells = page.locator("td").all_text_contents()
        assert cells == [f"TN {c.TN}", f"FN {c.FN}", f"FP {c.FP}", f"TP {c.TP}"]
        assert numbers(said(page))[1:3] == pytest.approx([c.TPR, c.FPR], abs=6e-4)
        told.add(said(page))
    assert len(told) == 6
    page.get_by_role("button", name="Cheapest threshold").click()
    best = metrics.costs(metrics.roc(y, f), fp=1, fn=4)
    assert float(line.get_attribute("aria-valuenow")) == pytest.approx(best.threshold, abs=6e-4)
    assert f"Mean cost {best.cost:.3f}; the lowest is {best.cost:.3f}" in said(page)


@in_a_browser
def test_the_names_of_two_arrows_of_the_race_stand_apart(opened, start):
    page = opened("race", start["race"])  # at its second mistake, w is short and near u
    u, w = (
        page.locator("svg").first.locator("text.name", has_text=re.compile(name)).bounding_box()
        for name in (r"^u$", r"^w")
    )
    beside = u["x"] >= w["x"] + w["width"] or w["x"] >= u["x"] + u["width"]
    assert beside or u["y"] >= w["y"] + w["height"] or w["y"] >= u["y"] + u["height"]


@in_a_browser
def test_the_proof_lights_up_and_a_lie_goes_red(opened, start):
    page = opened("race", start["race"])
    X, y = datasets.lecture_example()
    run = perceptron.perceptron(X, y)
    page.get_by_role("button", name="Back").click()
    page.get_by_label("mistake", exact=True).focus()
    page.keyboard.press("ArrowRight")
    page.get_by_role("button", name="Next").click()
    sides = bounds.seven_lines(run, X, y, [1.0, 0.0])
    for row in page.locator("tr").all():
        name, *cells = row.locator("b, td").all_text_contents()
        if name in sides:
            expected = [sides[name][0][2], sides[name][1][2]]
            assert numbers(" ".join(cells[:2])) == pytest.approx(expected)
        assert "false" not in (row.get_attribute("class") or "")
    assert "3 mistakes, and 5 are allowed" in said(page)
    page.locator("g[role=button]").nth(5).click()  # the lie of notebook 00
    assert "caught by: update, mistake, growth." in said(page)
    assert page.locator("tr.false b").all_text_contents() == ["update", "mistake", "growth"]
    for row in page.locator("tr.false").all():  # what sticks out of a false row is drawn
        assert row.locator("rect").count() == 3
    assert page.locator("tr:not(.false) rect").count() == 2 * page.locator("tr:not(.false)").count()
    page.get_by_role("button", name="Tell the truth").click()
    assert page.locator("tr.false").count() == 0
    page.locator("g[role=button]").nth(0).press("Enter")
    assert "Mistake 3 on example 1" in said(page)


@in_a_browser
def test_points_are_shattered_by_hand_and_by_keys(opened, start):
    page = opened("shatter", start["shatter"])
    assert "14 of 16 labellings have a line. No line: 0.50 of point" in said(page)
    assert "are the same place, (0, 0)" in said(page)
    drag(page, page.locator("g[role=button]").first, 20, -30)
    page.locator("g[role=button]").nth(2).focus()
    page.keyboard.press("Shift+ArrowLeft")
    names = page.locator("g[role=button]").evaluate_all("all => all.map(n => n.ariaLabel)")
    places = np.array([numbers(name.split(" at ")[1])[:2] for name in names])
    assert f"{complexity.shatters(places).count} of 16" in said(page)
    page.keyboard.press("Enter")  # three against one: the corner has a line
    assert "the line of the widest street" in said(page)
    page.get_by_role("button", name="Remove a point").click()
    assert "8 of 8 labellings have a line. Lines shatter these points." in said(page)
    assert "All 8 of 8" in page.locator(".prize").text_content()
    before = page.locator("g[role=button]").first.get_attribute("aria-label")
    page.locator("g[role=button]").first.locator("circle").first.click()  # one tap labels
    assert page.locator("g[role=button]").first.get_attribute("aria-label") != before
    page.get_by_role("button", name="− − −").click()
    assert "push the line far away" in said(page)


@in_a_browser
def test_points_and_bars_are_dragged_and_the_gap_is_the_librarys(opened, start):
    page = opened("duality", start["duality"])
    X, y = CROWD
    best = svm.train(X, y, 1.0).certificate.primal
    assert "The gap is closed" in said(page)
    assert numbers(said(page))[:3] == pytest.approx([best, best, 0], abs=2e-3)
    page.locator("g[role=button]").nth(3).hover()  # point 4 and bar 4 light together
    assert page.locator("circle[fill='#e69f00']").count() == 2
    page.mouse.move(0, 0)
    assert page.locator("circle[fill='#e69f00']").count() == 0
    bar = page.get_by_role("slider", name="alpha 2")
    drag(page, bar, 0, -60)
    bar.focus()
    page.keyboard.press("Shift+ArrowUp")
    handles = page.get_by_role("slider", name=re.compile("^alpha"))
    alpha = handles.evaluate_all("all => all.map(n => Number(n.ariaValueNow))")
    there = svm.certificate(X @ X.T, y, 1.0, alpha, numbers(said(page))[5])
    primal, dual, gap = numbers(said(page))[:3]
    assert (primal, dual) == pytest.approx((there.primal, there.dual), abs=0.05)  # spoken digits
    assert gap > 0.05 and abs(np.dot(alpha, y)) < 0.004
    page.get_by_role("button", name="Close the gap").click()
    assert "The gap is closed" in said(page)
    before = said(page)
    drag(page, page.locator("g[role=button]").nth(4), 20, 10)
    assert "The gap is closed" in said(page) and said(page) != before
    page.get_by_role("button", name="All α = 0").click()
    assert "dual value 0.000" in said(page)
    page.get_by_role("button", name="One step").click()
    assert numbers(said(page))[1] > 0


@in_a_browser
def test_pairs_are_chosen_by_hand_and_keys_until_the_dual_is_the_librarys(opened, start):
    page = opened("steps", start["steps"])
    assert said(page).startswith("Steps taken: 1.")  # there is something to see at once
    page.get_by_role("button", name="Start again").click()
    page.locator("g[role=button]").nth(6).click()
    page.locator("g[role=button]").nth(1).focus()
    page.keyboard.press("Enter")
    assert "Pair 2 and 7." in said(page)
    dual = numbers(said(page))[1]
    page.get_by_role("button", name="Take the step").click()
    assert numbers(said(page))[1] > dual == 0
    page.get_by_role("button", name="Undo").click()
    assert numbers(said(page))[:2] == [0, 0]
    page.get_by_label("second").select_option("2")
    assert "Pair 2 and 3. This pair cannot move" in said(page)  # like labels, both 0
    worst = page.get_by_role("button", name="Worst pair")
    for _ in range(60):
        if worst.is_disabled():
            break
        worst.click()
        page.get_by_role("button", name="Take the step").click()
    assert "the gap is closed" in said(page)
    best = svm.train(*CROWD, 1.0).certificate
    assert numbers(said(page))[1] == pytest.approx(best.dual, abs=2e-3)


@in_a_browser
def test_the_fold_is_turned_by_hand_and_cut_by_keys(opened, start):
    page = opened("fold", start["fold"])
    X, y = (np.array(start["fold"][name]) for name in ("points", "labels"))
    page.get_by_text("All of it by sliders").click()
    turn = page.get_by_label("turn", exact=True)
    before, shown = turn.input_value(), page.locator("svg").first.inner_html()
    grips = page.locator("g[role=slider]")
    drag(page, page.locator("svg").first.locator("polygon").last, 60, 30)
    assert turn.input_value() != before and page.locator("svg").first.inner_html() != shown
    height = page.locator("details").get_by_label("height of the cut")
    slope = page.locator("details").get_by_label("slope of the cut")
    before = float(height.input_value())
    drag(page, grips.nth(0).locator("circle").first, 0, -30)  # the rim is lifted
    assert float(height.input_value()) > before + 0.05
    drag(page, grips.nth(1).locator("circle").first, 0, -40)  # the corner is tilted
    assert float(slope.input_value()) > 0.1 and "an ellipse" in said(page)
    grips.nth(1).press("Shift+ArrowDown")
    page.get_by_role("button", name="Reset").click()
    height.focus()
    for _ in range(10):
        page.keyboard.press("ArrowLeft")
    r2 = 2**0.5 * float(height.input_value())
    wrong = np.sum(y * (r2 - (X**2).sum(axis=1)) <= 0)
    assert f"a circle of radius {r2**0.5:.2f}; {wrong} of 6 points" in said(page)
    slope.fill("1.5")
    assert "a hyperbola" in said(page)
    for _ in range(20):
        grips.nth(0).press("Shift+ArrowDown")  # down to the tip: a pair of lines, and drawn
    flat = page.locator("svg").nth(1)
    assert "a pair of lines" in said(page) and flat.locator("path").count() == 2
    page.get_by_role("button", name="Play the fold").click()
    page.get_by_role("button", name="Stop").wait_for()
    page.get_by_role("button", name="Play the fold").wait_for()  # it has ended by itself
    assert page.get_by_label("fold", exact=True).input_value() == "1"
