"""Streets, hulls, labels, balls and kernels follow mouse and keys in a real browser."""

import re

import numpy as np
import pytest

from lectures_lib import (
    conventions,
    kernels,
    losses,
    margins,
    perceptron,
    svm,
)
from lectures_lib.widgets import exhibits
from tests.browsing import PATIENCE
from tests.browsing import browser as browser  # the fixture
from tests.widgets.test_exhibits import (
    APART,
    CROWD,
    KINDS,
    PHONE,
    VOTERS,
)
from tests.widgets.test_exhibits_by_hand import drag, in_a_browser, numbers, said
from tests.widgets.test_exhibits_by_hand import opened as opened
from tests.widgets.test_exhibits_by_hand import start as start
from tests.widgets.test_exhibits_numbers import MAYBE_KERNELS


def told_places(page) -> np.ndarray:
    """Return where the points are, as they are spoken: two decimals."""
    names = page.locator("g[role=button]").evaluate_all("all => all.map(n => n.ariaLabel)")
    return np.array([numbers(name.split(" at ")[1])[:2] for name in names])


@in_a_browser
def test_the_street_follows_mouse_and_keys_as_the_library_trains(opened, start):
    page = opened("street", start["street"])
    point = page.locator("g[role=button]")
    for act in (lambda: drag(page, point.nth(4), -40, 20), lambda: point.nth(1).press("ArrowUp")):
        before = said(page)
        act()
        machine = svm.train(told_places(page), CROWD[1], 1.0)
        _, width, count, of, slack = numbers(said(page))  # the first is the 2 of 2/norm
        assert width == pytest.approx(2 / np.linalg.norm(machine.w), rel=0.03)  # spoken places
        assert slack == pytest.approx(
            np.maximum(0, 1 - machine.y * machine.decision(machine.X)).sum(), abs=0.05
        )
        assert said(page) != before and of == 7 and count == len(machine.support)
    page.locator("input[type=range]").fill("2")
    assert numbers(said(page))[1] < width  # a higher price, a narrower street
    page.get_by_role("button", name="Reset").click()


@in_a_browser
def test_the_map_of_the_width_is_green_where_the_held_point_leaves_it_wide(opened, start):
    hard = {**start["street"], "C": None, "points": APART[0].tolist(), "labels": APART[1].tolist()}
    page = opened("street", hard)
    page.locator("g[role=button]").nth(3).focus()
    page.get_by_text("Green: where point 4 leaves the street wide").wait_for()
    look = "all => all.map(n => ['x', 'y', 'width', 'fill-opacity'].map(k => +n.getAttribute(k)))"
    squares = np.array(page.locator("svg rect[fill-opacity]").evaluate_all(look))
    left, right, bottom, top = hard["view"]
    side, width = squares[0, 2], 440 - 34 - 8
    widths = []
    for x, y, *_ in squares[::9]:
        X = APART[0].copy()
        X[3] = [
            left + (x + side / 2 - 34) / width * (right - left),
            top - (y + side / 2 - 8) / width * (top - bottom),
        ]
        widths.append(2 * margins.max_margin(X, APART[1], offset=True).gamma)
    greens = squares[::9, 3]
    order = np.argsort(greens)
    assert np.min(widths) > 0 and len(widths) > 15
    assert np.all(np.diff(np.array(widths)[order]) > -0.02 * np.max(widths))  # three digits


@in_a_browser
def test_a_street_without_a_price_is_the_hard_margins(opened, start):
    given = {name: value for name, value in start["street"].items() if name != "C"}
    page = opened("street", given)  # None comes as undefined from a kernel in the browser
    hard = svm.hard_margin(given["points"], given["labels"])
    words = "No line separates" if not hard.separable else f"{2 / np.linalg.norm(hard.w):.3f}"
    assert words in page.locator(".exhibit").inner_text()


@in_a_browser
def test_where_no_line_separates_a_cross_marks_a_place_in_both_hulls(opened, start):
    apart = [0, 1, 2, 4, 5, 6]
    hard = {**start["street"], "C": None, "points": CROWD[0][apart].tolist()}
    page = opened("street", hard | {"labels": CROWD[1][apart].tolist()})
    assert said(page).startswith("Street width") and page.locator("path").count() == 0
    point = page.locator("g[role=button]").nth(3)
    for _ in range(11):
        point.press("Shift+ArrowLeft")
    place = told_places(page)[3]
    meeting = f"their hulls meet at ({place[0]:g}, {place[1]:g}).".replace("-", "−")
    assert said(page) == f"No line separates these points: {meeting}"
    assert page.locator("polygon").count() == 2
    point.press("Enter")  # now it is one of the others
    assert said(page).startswith("Street width")


@in_a_browser
def test_both_sides_of_the_margin_follow_the_hand_and_open_a_gap(opened, start):
    page = opened("hulls", start["hulls"])
    points = page.locator("[aria-roledescription='movable point']")
    averages = page.locator("[aria-roledescription='movable average']")
    drag(page, points.nth(3).locator("circle").first, -30, 20)
    names = points.evaluate_all("all => all.map(n => n.ariaLabel)")
    places = np.array([numbers(name.split(" at ")[1])[:2] for name in names])
    gamma = margins.max_margin(places, APART[1], offset=True).gamma  # places as spoken
    assert numbers(said(page))[:2] == pytest.approx([gamma, gamma], abs=0.01)
    assert "They agree" in said(page)
    averages.first.press("Shift+ArrowRight")
    page.get_by_role("slider", name="direction of w").press("Shift+ArrowUp")
    low, high = numbers(said(page))[:2]
    assert low < gamma - 0.001 and high > gamma + 0.01 and "between the two" in said(page)
    page.get_by_role("button", name="Close the gap").click()
    assert "They agree" in said(page)
    for _ in range(12):
        points.nth(3).press("Shift+ArrowLeft")
    assert "The hulls meet" in said(page) and "no line separates" in said(page)
    for k in range(3, 5):
        points.nth(k).press("Enter")
    points.nth(5).press("Enter")
    assert "the last point of its class" in said(page)


@in_a_browser
def test_a_tap_flips_a_label_and_the_three_rules_are_the_librarys(opened, start):
    page = opened("voting", start["voting"])
    X, y = VOTERS[0], VOTERS[1].copy()
    points = page.locator("g[role=button]")

    def mistakes() -> list[int]:
        run = perceptron.voted_perceptron(conventions.add_constant(X), y)
        lifted = conventions.add_constant(X)
        last, mean = (perceptron.predict(w, lifted) for w in (run.weights[-1], run.w_average))
        return [int(np.sum(a != y)) for a in (last, perceptron.vote(run, lifted), mean)]

    assert numbers(said(page))[:3] == mistakes()
    points.nth(10).locator("circle").first.click()
    y[10] *= -1
    points.nth(23).press("Enter")
    y[23] *= -1
    told = numbers(said(page))
    assert told[3:6] == mistakes() and points.nth(10).get_attribute("aria-label").endswith(
        "flipped"
    )
    before = page.locator("[aria-label]").nth(0)
    points.nth(3).press("Shift+ArrowUp")
    assert said(page) and before.count() == 1
    page.get_by_label("passes").fill("4")
    assert numbers(said(page))[-1] > told[-1]  # more passes, more hypotheses
    page.get_by_role("button", name="Reset").click()
    assert not said(page).startswith("The change")


@in_a_browser
def test_a_ball_and_its_step_are_held_and_the_heights_are_the_librarys(opened, start):
    page = opened("descent", start["descent"])
    X, y = CROWD
    ball, tip = page.locator("g[role=button]"), page.locator("g[role=slider]")
    drag(page, ball.locator("circle").first, 40, -30)
    w = numbers(said(page))[:2]
    here, size = numbers(said(page))[2], float(tip.get_attribute("aria-valuenow"))
    assert here == pytest.approx(losses.mean_loss(w, X, y, losses.hinge(1.0)), abs=0.02)  # spoken w
    drag(page, tip.locator("circle").first, *(3 * v for v in outward(ball, tip)))
    longer = float(tip.get_attribute("aria-valuenow"))
    assert longer > size
    tip.press("ArrowDown")
    assert float(tip.get_attribute("aria-valuenow")) < longer
    there = numbers(said(page))[-1]
    page.get_by_role("button", name="Step").click()
    assert numbers(said(page))[2] == there and "after 1 steps" in said(page)
    page.get_by_role("combobox").select_option("logistic")
    assert "after 0 steps" in said(page)
    w = numbers(said(page))[:2]
    J = losses.mean_loss(w, X, y, losses.logistic())
    assert numbers(said(page))[2] == pytest.approx(J, abs=0.02)
    page.get_by_role("button", name="Start at 0").click()
    assert f"J = {np.log(2):.3f}" in said(page)
    page.get_by_role("button", name="Roll").click()
    page.wait_for_timeout(900)
    page.get_by_role("button", name="Stop").click()
    ball.press("ArrowUp")
    page.get_by_role("combobox").select_option("perceptron")
    page.get_by_role("button", name="Start at 0").click()
    assert "after 0 steps" in said(page)


def outward(ball, tip) -> list[float]:
    """Return the unit vector from the ball to the tip of its arrow, in pixels."""
    a, b = (node.locator("circle").first.bounding_box() for node in (ball, tip))
    way = np.array([b["x"] - a["x"], b["y"] - a["y"]])
    return (10 * way / np.linalg.norm(way)).tolist()


@in_a_browser
def test_c_and_sigma_are_one_dot_and_points_come_and_go(opened, start):
    page = opened("gaussian", start["gaussian"])
    points = page.locator("[aria-roledescription='movable point']")
    dot = page.locator("[aria-roledescription='movable dot']")

    def trained() -> tuple[list[int], list[float]]:
        names = points.evaluate_all("all => all.map(n => n.ariaLabel)")
        places = np.array([numbers(name.split(" at ")[1])[:2] for name in names])
        labels = np.array([1.0 if "y = +1" in name else -1.0 for name in names])
        C, sigma, wrong, of, held = numbers(said(page))
        machine = svm.train(places, labels, C, kernels.Gaussian(sigma))  # as spoken
        mine = [int(np.sum(labels * machine.decision(places) < 0)), len(labels)]
        assert [wrong, of] == mine and abs(held - len(machine.support)) <= 1
        return mine, [C, sigma]

    assert trained()[1] == [10, 0.5]
    drag(page, dot, -30, 20)
    dot.press("Shift+ArrowRight")
    dot.press("ArrowUp")
    assert trained()[1] != [10, 0.5]
    box = page.locator("svg").first.bounding_box()
    page.mouse.click(box["x"] + 0.9 * box["width"], box["y"] + 0.1 * box["height"])
    assert trained()[0][1] == 25
    points.nth(3).locator("circle").first.click()
    assert points.nth(3).get_attribute("aria-label").split(",")[1] != " y = +1" or VOTERS[1][3] < 0
    trained()
    points.nth(24).press("Delete")
    assert trained()[0][1] == 24
    page.get_by_text(re.compile("left out in turn: [0-9]+ of 24 are wrong")).wait_for()
    page.get_by_role("button", name="Add a point").click()
    assert trained()[0][1] == 25
    page.get_by_role("button", name="Reset").click()
    assert trained()[1] == [10, 0.5]


@in_a_browser
def test_points_are_dragged_until_a_vector_refutes_the_function(opened, start):
    page = opened("gram", start["gram"])
    points = page.locator("[aria-roledescription='movable point']")
    page.get_by_role("combobox").select_option(index=6)  # minus the squared distance
    names = points.evaluate_all("all => all.map(n => n.ariaLabel)")
    X = np.array([numbers(name.split(" at ")[1])[:2] for name in names])
    least = np.linalg.eigvalsh(MAYBE_KERNELS[6](X))[0]
    assert said(page).startswith("Refuted") and f"{least:.1f}".replace("-", "−") in said(page)
    page.get_by_role("combobox").select_option(index=0)
    assert said(page).startswith("Not refuted here")
    page.get_by_role("combobox").select_option(index=5)
    before = said(page)
    drag(page, points.nth(3).locator("circle").first, -60, 10)
    points.nth(0).press("Shift+ArrowDown")
    assert said(page) != before
    page.get_by_role("button", name="Eigenvalue 3").press("Enter")
    assert "eigenvalue 3 of 4" in said(page)
    for name, count in (("Add a point", 5), ("Remove a point", 4)):
        page.get_by_role("button", name=name).click()
        assert points.count() == count
    page.get_by_role("button", name="Reset").click()
    assert "4 points" in said(page) or "v = (" in said(page)


@in_a_browser
def test_a_street_that_moves_by_itself_stops_when_asked_touched_or_unwanted(browser, start):
    from playwright.sync_api import expect

    moving = start["street"] | {"tour": {"point": 4, "radius": 0.5}}
    for motion in ("no-preference", "reduce"):
        context = browser.new_context(reduced_motion=motion)
        page = context.new_page()
        page.set_content(exhibits.page("street", moving, "words"))
        point = page.locator("g[role=button]").nth(4)
        place = point.get_attribute("aria-label")
        if motion == "reduce":
            page.wait_for_timeout(300)
            assert point.get_attribute("aria-label") == place
        else:
            expect(point).not_to_have_attribute("aria-label", place, timeout=PATIENCE)
            words = said(page)
            page.wait_for_timeout(200)
            assert said(page) == words  # nothing is spoken on and on
            page.get_by_role("button", name="Stop").click()
            place = point.get_attribute("aria-label")
            page.wait_for_timeout(200)
            assert point.get_attribute("aria-label") == place and "Street width" in said(page)
        context.close()


#: What of each exhibit is dragged by a finger, and how far. Pairs and lies are chosen by a tap.
FINGERS = {
    "addition": ("g[role=button]", 30, -30),
    "descent": ("g[role=button]", 40, -30),
    "duality": ("g[role=slider]", 0, -40),
    "fold": ("g[role=slider]", 10, -40),
    "gaussian": ("[aria-roledescription='movable dot']", 40, -30),
    "gram": ("[aria-roledescription='movable point']", 30, 30),
    "hulls": ("[aria-roledescription='movable point']", 30, -30),
    "race": ("g[role=button] >> nth=4", 0, 0),
    "shatter": ("g[role=button]", 40, -30),
    "steps": ("g[role=button] >> nth=2", 0, 0),
    "street": ("g[role=button]", 40, -30),
    "threshold": ("[role=slider]", -60, -30),
    "voting": ("g[role=button]", 30, -30),
}
SHOWN = """() => document.querySelector("svg").innerHTML
  + document.querySelector("[role=status]").textContent"""


@in_a_browser
@pytest.mark.parametrize("kind", KINDS)
def test_a_hint_says_what_to_do_and_goes_at_the_first_touch(opened, start, kind):
    page = opened(kind, start[kind])
    hint = page.locator(".hint")
    assert re.match("Drag|Tap|Choose|Click|Step|Play", hint.text_content()) and hint.is_visible()
    page.locator(FINGERS[kind][0]).first.click()
    assert not hint.is_visible()


@in_a_browser
def test_a_point_grabbed_off_its_middle_does_not_jump(opened, start):
    page = opened("street", start["street"])
    node = page.locator("g[role=button]").nth(4)
    at = node.locator("circle").first.bounding_box()
    x, y = at["x"] + at["width"] / 2 + 9, at["y"] + at["height"] / 2 - 7
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y + 1)
    page.mouse.move(x, y)
    page.mouse.up()
    moved = node.locator("circle").first.bounding_box()
    assert [moved["x"], moved["y"]] == pytest.approx([at["x"], at["y"]], abs=0.5)


@in_a_browser
def test_the_frame_of_the_addition_stays_unless_something_leaves_it(opened, start):
    page = opened("addition", start["addition"])
    frame = page.locator("svg").first.locator("g").first
    before = frame.inner_html()
    drag(page, page.locator("g[role=button]").nth(3).locator("circle").first, -8, 10)
    page.wait_for_timeout(600)
    assert frame.inner_html() == before
    for _ in range(20):
        page.locator("g[role=button]").nth(1).press("Shift+ArrowLeft")
    page.wait_for_timeout(600)
    assert frame.inner_html() != before  # now w is longer than the frame


@in_a_browser
@pytest.mark.parametrize("kind", KINDS)
def test_an_exhibit_follows_a_finger_and_the_page_stays_where_it_is(opened, start, kind):
    page = opened(kind, start[kind], PHONE)
    page.add_style_tag(content="main { padding-bottom: 2000px; }")  # there is somewhere to scroll
    what, right, down = FINGERS[kind]
    page.locator(what).first.scroll_into_view_if_needed()
    at, top = page.locator(what).first.bounding_box(), page.evaluate("scrollY")
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    before = page.evaluate(SHOWN)
    touch = page.context.new_cdp_session(page)
    for k in range(6):
        finger = {"x": x + right * k / 5, "y": y + down * k / 5}
        kind_of = "touchMove" if k else "touchStart"
        touch.send("Input.dispatchTouchEvent", {"type": kind_of, "touchPoints": [finger]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    page.wait_for_function(f"before => ({SHOWN})() !== before", arg=before)
    assert page.evaluate("scrollY") == top
